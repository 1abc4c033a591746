// Collisions at their own instants: the history has them between its rows, `rows` and `seek` give
// them, a branch has them again, and the results file of the same run shows the same picture.
#include "motorcade/observe.h"
#include "motorcade/record.h"
#include "studio/history/frame.h"
#include "support/hub_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A deformable car runs into another one at rest; a third drives beside them.
static const char crash[] =
    "motorcade: scenario\nname: crash\ntime: {end: 3, step: 0.05, record: 0.1}\n"
    "road: {lanes: 2, lane_width: 3.5}\ncontact: {restitution: 0.8, friction: 0.3}\n"
    "models: {soft: {kind: cosserat, file: " SOURCE_DIR
    "/scenarios/medusa/model.dat, tyre: brush}, dot: {kind: point}}\n"
    "controllers: {none: {law: {acceleration: 0 m/s^2}}}\n"
    "vehicles: [{name: a, model: soft, controller: none, lane: 1, x: 0, v: 0},\n"
    "  {name: b, model: soft, controller: none, lane: 1, x: -9, v: 8},\n"
    "  {name: e, model: dot, controller: none, lane: 2, x: 0, v: 20}]\n";
enum { CARS = 3, ROWS_MAX = 200 };

static char folder[] = "/tmp/motorcade-test-instants-XXXXXX";
static char yaml[64], results[64];

typedef struct instant {
    double t, x[CARS];
    float v[CARS];
    float axis; // m, first semi-axis of the first body, along the road
} instant;

// What the run itself has of the collision.
static instant expected[ROWS_MAX];
static int expected_count;

static mc_run *make_run(void)
{
    mc_error error = {0};
    mc_scenario *s = mc_scenario_load(yaml, &error);
    if (!s)
        fail_msg("%s", error.text);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .instants = true}, &error);
    assert_non_null(run);
    mc_scenario_free(s);
    return run;
}

static void read_expected(void)
{
    mc_run *run = make_run();
    mc_error error;
    while (mc_run_time(run) < 2.0) {
        const double start = mc_run_time(run);
        assert_int_equal(mc_run_step(run, &error), MC_OK);
        for (int k = 0; k < mc_run_instant_count(run); k++) {
            const double t = mc_run_instant_time(run, k);
            if (t < start + 1e-6 || t > mc_run_time(run) - 1e-6)
                continue; // an instant of a row
            instant *to = &expected[expected_count++];
            mc_run_instant_show(run, k);
            to->t = t;
            for (int v = 0; v < CARS; v++) {
                double value[MC_FIELD_COUNT];
                mc_run_read_fields(run, v, value, NULL);
                to->x[v] = value[MC_FIELD_MIDDLE];
                to->v[v] = (float)value[MC_FIELD_V];
            }
            mc_ellipsoid body;
            mc_run_surface(run, 0, &body);
            to->axis = (float)body.axes[0];
        }
        mc_run_instant_leave(run);
    }
    mc_run_destroy(run);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(yaml, sizeof yaml, "%s/crash.yaml", folder);
    snprintf(results, sizeof results, "%s/run.h5", folder);
    FILE *out = fopen(yaml, "w");
    if (!out || fputs(crash, out) < 0 || fclose(out) != 0)
        return -1;
    read_expected();
    mc_run *run = make_run();
    mc_error error;
    mc_recording *rec = mc_recording_open(run, &(mc_record_output){.hdf5 = results}, &error);
    if (!rec || mc_recording_play(rec, NULL, &error) != MC_OK ||
        mc_recording_close(rec, &error) != MC_OK)
        return -1;
    mc_run_destroy(run);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(yaml);
    unlink(results);
    return rmdir(folder);
}

static void play_to(test_page *p, double t)
{
    test_page_tell(p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                      "\"rate\": 100}");
    test_page_wait_end(p, 0, t);
}

static float axis_of(const test_frame *f)
{
    float axis;
    assert_true(f->block_count > 0);
    memcpy(&axis, f->blocks + 28, sizeof axis);
    return axis;
}

// The instants among the rows of a world: all that the run has, in order, and the same numbers.
static void check_rows(test_page *p, int world, double x_by)
{
    test_page_clear(p);
    const int n = test_page_ask_frames(
        p,
        "{\"kind\": \"rows\", \"world\": %d, \"from\": 0, \"to\": 2, \"most\": 1000, \"bodies\": "
        "true, \"fields\": [\"middle\", \"v\"]}",
        world);
    int instants = 0;
    for (int k = 0; k < n; k++) {
        const test_frame *f = &p->frames[k];
        assert_true(k == 0 || f->t > p->frames[k - 1].t);
        assert_true(!!(f->flags & FRAME_LAST) == (k == n - 1));
        if (!(f->flags & FRAME_INSTANT))
            continue;
        assert_true(instants < expected_count);
        const instant *e = &expected[instants++];
        assert_true(f->t == e->t && f->hash == 0 && f->n == CARS);
        for (int v = 0; v < CARS; v++) {
            const int c = test_frame_find(f, (uint32_t)v);
            assert_true(fabs(f->x[c] - e->x[v]) < x_by);
            assert_true(fabs((double)f->value[MC_FIELD_V][c] - (double)e->v[v]) < 1e-6);
        }
        assert_true(fabs((double)axis_of(f) - (double)e->axis) < 2e-3 * (double)e->axis);
    }
    assert_int_equal(instants, expected_count);
    printf("%d rows, %d of them instants of the collision\n", n, instants);
}

static void rows_and_seek_have_the_collision(void **state)
{
    (void)state;
    hub *h = test_hub(yaml, false);
    test_page p;
    test_page_open(&p, h);
    play_to(&p, 2.5);
    assert_true(expected_count >= 10);
    check_rows(&p, 0, 1e-5);
    // Rows that are thinned are thinned alone: a coarse view has no use for instants.
    test_page_clear(&p);
    const int few = test_page_ask_frames(&p, "{\"kind\": \"rows\", \"from\": 0, \"to\": 2, "
                                             "\"most\": 12, \"fields\": [\"middle\"]}");
    for (int k = 0; k < few; k++)
        assert_false(p.frames[k].flags & FRAME_INSTANT);
    // The nearest instant, or step, to a time.
    for (int k = 0; k < expected_count; k += 3) {
        test_page_clear(&p);
        assert_int_equal(test_page_ask_frames(&p, "{\"kind\": \"seek\", \"world\": 0, \"t\": %.9f}",
                                              expected[k].t + 1e-6),
                         1);
        const test_frame *f = &p.frames[p.frame_count - 1];
        assert_true((f->flags & (FRAME_EXACT | FRAME_INSTANT)) == (FRAME_EXACT | FRAME_INSTANT));
        assert_true(f->t == expected[k].t && axis_of(f) == expected[k].axis);
    }
    test_page_clear(&p);
    test_page_ask_frames(&p, "{\"kind\": \"seek\", \"world\": 0, \"t\": 0.1}");
    assert_true(p.frames[0].hash != 0 && !(p.frames[0].flags & FRAME_INSTANT));
    test_page_close(&p);
    hub_destroy(h);
}

// A branch from before the collision has it again, one from after it shares it.
static void a_branch_has_it_too(void **state)
{
    (void)state;
    hub *h = test_hub(yaml, false);
    test_page p;
    test_page_open(&p, h);
    play_to(&p, 2.5);
    const double at[2] = {expected[0].t - 0.1, expected[expected_count - 1].t + 0.3};
    for (int k = 0; k < 2; k++) {
        json_t *done =
            test_page_ask(&p, "{\"kind\": \"branch\", \"world\": 0, \"at\": %.9f}", at[k]);
        const int branch = (int)test_number(done, "world");
        assert_string_equal(test_text(done, "kind"), "done");
        json_decref(done);
        test_page_wait_end(&p, branch, 2.2);
        check_rows(&p, branch, 1e-5);
    }
    test_page_close(&p);
    hub_destroy(h);
}

// History that is simulated again has them once.
static void rewritten_history_has_it_once(void **state)
{
    (void)state;
    hub *h = test_hub(yaml, false);
    test_page p;
    test_page_open(&p, h);
    json_t *done = test_page_ask(&p, "{\"kind\": \"road\", \"world\": 0, \"headway\": 2}");
    assert_string_equal(test_text(done, "kind"), "done"); // no law looks at it
    json_decref(done);
    play_to(&p, 2.5);
    check_rows(&p, 0, 1e-5);
    done = test_page_ask(&p, "{\"kind\": \"log_remove\", \"world\": 0, \"index\": 0}");
    assert_string_equal(test_text(done, "kind"), "done");
    json_decref(done);
    test_page_wait_end(&p, 0, 2.5);
    check_rows(&p, 0, 1e-5);
    test_page_close(&p);
    hub_destroy(h);
}

// The file has the vehicles that take part; the third one moves evenly between its rows.
static void the_results_file_shows_the_same(void **state)
{
    (void)state;
    hub *h = test_hub(results, false);
    test_page p;
    test_page_open(&p, h);
    check_rows(&p, 0, 1e-5);
    test_page_close(&p);
    hub_destroy(h);
}

// A page that looks on live gets them with the frame behind them.
static void live_frames_bring_them(void **state)
{
    (void)state;
    hub *h = test_hub(yaml, false);
    test_page p;
    test_page_open(&p, h);
    json_decref(test_page_ask(&p, "{\"kind\": \"subscribe\", \"rate\": 60, \"bodies\": true, "
                                  "\"fields\": [\"middle\", \"v\"]}"));
    // Step by step through the collision, so that no frame is replaced by a newer one.
    const int first = (int)(expected[0].t / 0.05);
    const int last = (int)(expected[expected_count - 1].t / 0.05) + 1;
    for (int step = first; step <= last; step++) {
        const double t = 0.05 * step;
        test_page_tell(&p,
                       "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                       "\"rate\": 100, \"until\": %.9f}",
                       t);
        do
            json_decref(test_page_wait(&p, "clock"));
        while (p.frame_count == 0 || p.frames[p.frame_count - 1].t < t - 1e-6);
    }
    int instants = 0;
    for (int k = 0; k < p.frame_count; k++)
        if (p.frames[k].flags & FRAME_INSTANT) {
            assert_true(p.frames[k].flags & FRAME_LIVE);
            assert_true(p.frames[k].t == expected[instants++].t);
        }
    assert_int_equal(instants, expected_count);
    test_page_close(&p);
    hub_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_seek_have_the_collision),
        cmocka_unit_test(a_branch_has_it_too),
        cmocka_unit_test(rewritten_history_has_it_once),
        cmocka_unit_test(the_results_file_shows_the_same),
        cmocka_unit_test(live_frames_bring_them),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
