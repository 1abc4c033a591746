// test_frame.c - vehicles between the rows of a recording.
#include "picture/aim.h"
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static mc_replay *open_rows(const char *rows)
{
    mc_error error;
    FILE *out = fopen(cli_path("car.csv"), "w");
    assert_non_null(out);
    fputs(rows, out);
    fclose(out);
    mc_replay *r = mc_replay_load(cli_path("car.csv"), NULL, &error);
    if (!r)
        fail_msg("%s", error.text);
    return r;
}

// Straight between rows; angles the shorter way.
static void between_rows(void **state)
{
    (void)state;
    mc_error error;
    mc_replay *r = open_rows("t,x,y,psi,v\n0,10,0,3.1,5\n1,20,1,-3.1,7\n2,30,4,-3,9\n");
    frame f, start;
    assert_int_equal(frame_read(r, "car.csv", 0.0, &start, &error), MC_OK);
    assert_int_equal(start.count, 1);
    const double middle = start.car[0].x - 10.0; // of its box ahead of x
    assert_int_equal(frame_read(r, "car.csv", 0.25, &f, &error), MC_OK);
    assert_true(fabs(f.car[0].x - middle - 12.5) < 1e-12);
    assert_true(fabs(f.car[0].y - 0.25) < 1e-12);
    assert_true(fabs(f.car[0].v - 5.5) < 1e-12);
    assert_true(fabs(f.car[0].psi - (3.1 + 0.25 * (2.0 * M_PI - 6.2))) < 1e-12);
    assert_int_equal(frame_find(&f, f.car[0].info.name), 0);
    assert_int_equal(frame_find(&f, "other"), -1);
    frame_free(&f);
    frame_free(&start);
    assert_int_equal(frame_read(r, "car.csv", 2.0, &f, &error), MC_OK);
    assert_true(fabs(f.car[0].x - middle - 30.0) < 1e-12);
    frame_free(&f);
    assert_int_equal(frame_read(r, "car.csv", 2.1, &f, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected an instant from 0 to 2 s"));
    assert_int_equal(frame_read(r, "car.csv", NAN, &f, &error), MC_BAD_INPUT);
    mc_replay_free(r);
}

// A vehicle without a place is absent; when all are, the message says so.
static void absent(void **state)
{
    (void)state;
    mc_error error;
    mc_replay *r = open_rows("t,x,y\n0,10,0\n1,20,0\n2,nan,0\n3,nan,0\n");
    frame f;
    assert_int_equal(frame_read(r, "car.csv", 0.5, &f, &error), MC_OK);
    frame_free(&f);
    assert_int_equal(frame_read(r, "car.csv", 2.5, &f, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "no vehicle has a place at 2.5 s"));
    mc_replay_free(r);
}

// A rigid body on springs leans: to the right in a bend to the left, nose down under the brakes.
static void leans(void **state)
{
    (void)state;
    mc_error error;
    free(cli_done("run " SOURCE_DIR "/scenarios/wishbones.yaml -q -o lean.h5"));
    mc_replay *r = mc_replay_load(cli_path("lean.h5"), NULL, &error);
    assert_non_null(r);
    frame f;
    assert_int_equal(frame_read(r, "lean.h5", 2.5, &f, &error), MC_OK);
    const frame_car *car = &f.car[frame_find(&f, "wishbones")];
    assert_false(car->body);
    assert_true(car->roll > 0.003 && car->roll < 0.1);
    frame_free(&f);
    assert_int_equal(frame_read(r, "lean.h5", 3.6, &f, &error), MC_OK);
    car = &f.car[frame_find(&f, "wishbones")];
    assert_true(car->pitch > 0.003 && car->pitch < 0.1);
    assert_true(fabs(car->heave) < 0.05);
    frame_free(&f);
    mc_replay_free(r);
}

// Every camera looks at its vehicle, from outside of it.
static void cameras(void **state)
{
    (void)state;
    mc_error error;
    mc_replay *r = open_rows("t,x,y\n0,1000,0\n1,1020,0\n");
    frame f;
    scene s;
    fleet vehicles;
    ground g = {.lane_count = 2, .lane_width = 3.6};
    assert_int_equal(frame_read(r, "car.csv", 0.5, &f, &error), MC_OK);
    ground_set(&g, NULL, f.car[0].x, 0);
    assert_true(scene_begin(&s, "day", 0.0f));
    assert_true(fleet_begin(&vehicles, &s, &g, "day"));
    for (int k = 0; k < AIM_COUNT; k++) {
        if (k == AIM_CONTACT || k == AIM_DRIVER)
            continue;
        aim a = {.camera = (aim_camera)k,
                 .width = 800,
                 .height = 500,
                 .from = {990, -9, 3},
                 .at = {f.car[0].x, 0, 1}};
        vec focus;
        double x, y;
        const camera c = aim_place(&vehicles, &f, &a, &focus);
        const vec car = fleet_spot(&vehicles, &f.car[0]).at;
        assert_true(camera_pixel(&c, car, &x, &y));
        assert_true(x > 100 && x < 700 && y > 50 && y < 490);
        assert_true(vec_length(vec_sub(c.eye, car)) > 3.0f);
        assert_true(c.eye.z > 0.2f);
    }
    aim seat = {.camera = AIM_DRIVER, .width = 800, .height = 500};
    vec focus;
    const camera c = aim_place(&vehicles, &f, &seat, &focus);
    assert_true(c.forward.x > 0.95f);
    assert_true(fabsf(c.eye.y - 0.36f) < 0.01f); // left of the middle
    frame_free(&f);
    scene_end(&s);
    mc_replay_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(between_rows), cmocka_unit_test(absent),
                                       cmocka_unit_test(leans), cmocka_unit_test(cameras)};
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
