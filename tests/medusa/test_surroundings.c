// test_surroundings.c - what platoon.dat may say after its vehicles: surface and obstacles, read,
// used, and rejected with a place.
#include "medusa/files.h"
#include "motorcade/medusa.h"
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VEHICLE                                                                                    \
    "NUMBER_OF_VEHICLES 1\nVEHICLE_HAS_MODEL 1 INITIALLY_WITH X 0 Y 0 ORIENTATION 0 SPEED 15 "     \
    "STEERING 0\n"

static mc_status parse(const char *text, arena *memory, medusa_platoon *out, mc_error *error)
{
    medusa_models models;
    const mc_status status =
        medusa_models_read(SOURCE_DIR "/scenarios/medusa/model.dat", memory, &models, error);
    assert_int_equal(status, MC_OK);
    return medusa_platoon_parse(text, strlen(text), "p.dat", &models, memory, out, error);
}

static void read(void **unused)
{
    (void)unused;
    arena memory = {0};
    mc_error error = {0};
    medusa_platoon p;
    assert_int_equal(parse(VEHICLE, &memory, &p, &error), MC_OK);
    assert_true(!p.around.surface.shape && p.around.obstacle_count == 0);
    assert_int_equal(parse(VEHICLE "OBSTACLE box X 30 Y -4 width 0.5 ORIENTATION 0.1\n"
                                   "ROAD_SURFACE waves height 0.04 WAVELENGTH 6\n"
                                   "obstacle cylinder Y 0.4 X 40 LENGTH 0.4 FRICTION 0.5\n",
                           &memory, &p, &error),
                     MC_OK);
    assert_string_equal(p.around.surface.shape->name, "waves");
    assert_true(p.around.surface.shape_p[0] == 0.04 && p.around.surface.shape_p[1] == 6.0);
    assert_int_equal(p.around.obstacle_count, 2);
    const obstacle *o = p.around.obstacles;
    assert_true(o[0].shape == OBSTACLE_BOX && o[0].x == 30.0 && o[0].y == -4.0);
    assert_true(o[0].heading == 0.1 && o[0].p[OBSTACLE_WIDTH] == 0.5 &&
                o[0].p[OBSTACLE_LENGTH] == 1.0 && isnan(o[0].p[OBSTACLE_FRICTION]));
    assert_true(o[1].shape == OBSTACLE_CYLINDER && o[1].p[OBSTACLE_FRICTION] == 0.5);
    arena_free(&memory);
}

static void rejected(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int column;
        const char *message;
    } cases[] = {
        {"OBSTACLE ball X 0 Y 0", 10,
         "found \"ball\", expected the shape of an obstacle (box, cylinder, ellipsoid)"},
        {"ROAD_SURFACE bumps", 14,
         "found \"bumps\", expected the name of a surface (slope, waves)"},
        {"OBSTACLE box Y 3", 17,
         "found the end of the file, expected X (position of its middle along x): OBSTACLE needs "
         "it"},
        {"ROAD_SURFACE waves HEIGHT 4", 27,
         "height 4 is out of range: from valley to crest; negative: holes must be in -1 .. 1 m"},
        {"ROAD_SURFACE slope ALONG 0.1 ALONG 0.2", 30, "along appears twice in ROAD_SURFACE"},
        {"ROAD_SURFACE slope ROAD_SURFACE slope", 20, "ROAD_SURFACE appears twice"},
        {"OBSTACLE box X 1 Y 2 X 3", 22, "X appears twice in OBSTACLE"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[600];
        arena memory = {0};
        mc_error error = {0};
        medusa_platoon p;
        snprintf(text, sizeof text, "%s%s", VEHICLE, cases[k].text);
        assert_int_equal(parse(text, &memory, &p, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, cases[k].message);
        if (error.line != 3 || error.column != cases[k].column)
            fail_msg("%s: %d:%d", cases[k].text, error.line, error.column);
        arena_free(&memory);
    }
}

// The vehicle heaves over the waves and then hits the pole; without them it does neither.
static void used(void **unused)
{
    (void)unused;
    for (int around = 0; around < 2; around++) {
        run_folder f = run_folder_make();
        char path[2][128];
        mc_error error = {0};
        run_copy(&f, "model.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
        run_put(&f, "platoon.dat",
                around ? VEHICLE "ROAD_SURFACE waves HEIGHT 0.06 WAVELENGTH 6 FROM 4 COUNT 3\n"
                                 "OBSTACLE cylinder X 40 Y 0.4 LENGTH 0.4\n"
                       : VEHICLE);
        snprintf(path[0], sizeof path[0], "%s/model.dat", f.path);
        snprintf(path[1], sizeof path[1], "%s/platoon.dat", f.path);
        mc_medusa_options o = mc_medusa_defaults();
        o.models = path[0], o.platoon = path[1], o.end_time = 3.0, o.threads = 1;
        mc_medusa *run = mc_medusa_load(&o, &error);
        assert_non_null(run);
        mc_world *w = mc_medusa_world(run);
        mc_batch *batch;
        int index, count;
        double low = HUGE_VAL, high = -HUGE_VAL;
        mc_world_vehicle(w, 0, &batch, &index);
        for (int k = 0; k < 150; k++) {
            mc_pose p;
            assert_int_equal(mc_world_advance(w, 0.02, &error), MC_OK);
            batch->kind->pose(batch, index, &p);
            if (p.position[0] > 3.0 && p.position[0] < 24.0) {
                low = fmin(low, p.position[2]);
                high = fmax(high, p.position[2]);
            }
        }
        mc_world_impacts(w, &count);
        assert_true(around ? high - low > 0.02 && count > 0 : high - low < 0.01 && count == 0);
        mc_medusa_free(run);
        run_folder_remove(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read),
        cmocka_unit_test(rejected),
        cmocka_unit_test(used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
