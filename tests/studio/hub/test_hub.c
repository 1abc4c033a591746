// The hub without a network: welcome, live frames, the past, exact states, changes, branches.
#include "motorcade/observe.h"
#include "motorcade/timeline.h"
#include "support/hub_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_near(a, b, by) assert_true(fabs((double)(a) - (double)(b)) <= (by))

static hub *h;
static test_page p;

static int start(void **state)
{
    (void)state;
    h = test_hub("two_gains.yaml", false);
    if (!h)
        return -1;
    test_page_open(&p, h);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    test_page_close(&p);
    hub_destroy(h);
    return 0;
}

static double play_to(double t)
{
    return test_page_play_to(&p, 0, t);
}

// A run of the same scenario, without a hub, at time t.
static mc_run *direct_run(double t)
{
    mc_error error;
    mc_scenario *s = mc_scenario_load(SOURCE_DIR "/scenarios/two_gains.yaml", &error);
    assert_non_null(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    assert_non_null(run);
    mc_scenario_free(s);
    while (mc_run_time(run) < t - 1e-6)
        assert_int_equal(mc_run_step(run, &error), MC_OK);
    return run;
}

static void welcome_has_everything(void **state)
{
    (void)state;
    test_page q;
    json_t *w = test_page_hello(&q, h, NULL);
    assert_int_equal(test_number(w, "version"), 1);
    assert_non_null(strchr(test_text(w, "motorcade"), '.'));
    assert_string_equal(test_text(w, "title"), "Two gains, one leader");
    assert_int_equal(strlen(test_text(w, "key")), 32);
    const json_t *world = json_array_get(json_object_get(w, "worlds"), 0);
    assert_int_equal(json_array_size(json_object_get(world, "vehicles")), 8);
    const json_t *car = json_array_get(json_object_get(world, "vehicles"), 3);
    assert_string_equal(test_text(car, "name"), "car3");
    assert_string_equal(test_text(car, "controller"), "follow");
    const json_t *follow = json_array_get(json_object_get(world, "controllers"), 0);
    assert_near(test_number(json_object_get(follow, "gains"), "k3"), 4.0, 0.0);
    assert_true(json_array_size(json_object_get(w, "laws")) >= 10);
    assert_true(json_array_size(json_object_get(w, "signals")) >= 20);
    assert_true(json_array_size(json_object_get(w, "tables")) >= 5);
    json_decref(w);
    test_page_close(&q);
}

// What a frame says is what mc_run_look says at that instant.
static void frames_equal_the_run(void **state)
{
    (void)state;
    json_decref(
        test_page_ask(&p, "{\"kind\": \"subscribe\", \"rate\": 60, \"fields\": [\"middle\", \"v\", "
                          "\"a\", \"jerk\", \"target\", \"gap\", \"a_desired\", \"throttle\"]}"));
    play_to(5.0);
    for (int k = 0; k < 2000 && p.frame_count == 0; k++) { // one is packed in any case
        test_page_fetch(&p);
        usleep(5000);
    }
    assert_true(p.frame_count > 0);
    const test_frame *f = &p.frames[p.frame_count - 1];
    assert_int_equal(f->n, 8);
    mc_run *run = direct_run(f->t);
    assert_near(mc_run_time(run), f->t, 1e-9);
    for (int v = 0; v < 8; v++) {
        mc_run_view view;
        mc_run_look(run, v, &view);
        const int c = test_frame_find(f, (uint32_t)v);
        assert_near(f->x[c], view.motion.x + mc_run_middle(run, v), 1e-4);
        assert_near(f->value[3][c], (float)view.motion.v, 0.0);
        assert_near(f->value[4][c], (float)view.motion.a, 0.0);
        assert_near(f->value[5][c], (float)view.jerk, 0.0);
        assert_near(f->value[7][c], (float)view.inputs.throttle, 0.0);
        assert_near(f->value[14][c], (float)view.desired, 0.0);
        if (v > 0)
            assert_near(f->s[c] - f->x[c], view.error, 2e-4);
        else
            assert_true(isnan(f->s[c]));
    }
    mc_run_destroy(run);
}

// In slow motion a step takes longer to become due than the simulation may be late: it comes all
// the same, also to a page that makes itself heard in between.
static void live_slow_motion_advances(void **state)
{
    (void)state;
    json_decref(
        test_page_ask(&p, "{\"kind\": \"subscribe\", \"rate\": 60, \"fields\": [\"middle\"]}"));
    const double end = play_to(1.0);
    double newest = 0.0;
    for (int k = 0; k < 200 && newest < end + 0.005; k++) {
        test_page_tell(&p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                           "\"rate\": 0.02}");
        usleep(80000);
        test_page_fetch(&p);
        newest = p.frame_count ? p.frames[p.frame_count - 1].t : 0.0;
    }
    assert_true(newest > end + 0.005);
}

static double number_of(json_t *answer, const char *name)
{
    const double v = test_number(answer, name);
    json_decref(answer);
    return v;
}

// The state at an instant, simulated again, has the bits of a run that went straight there.
static void seek_is_exact(void **state)
{
    (void)state;
    play_to(12.0);
    const double times[] = {7.37, 3.0, 11.99, 0.01, 0.0};
    for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
        test_page_clear(&p);
        assert_int_equal(
            test_page_ask_frames(&p, "{\"kind\": \"seek\", \"world\": 0, \"t\": %.17g}", times[k]),
            1);
        const test_frame *f = &p.frames[p.frame_count - 1];
        mc_run *run = direct_run(times[k]);
        assert_near(f->t, times[k], 1e-9);
        assert_true(f->hash == mc_run_hash(run));
        assert_true((f->flags & 26) == 26);
        mc_run_destroy(run);
    }
}

// Rows and curves are those of a run without a hub.
static void the_past_equals_a_direct_run(void **state)
{
    (void)state;
    play_to(6.0);
    test_page_clear(&p);
    const int rows = test_page_ask_frames(
        &p, "{\"kind\": \"rows\", \"world\": 0, \"from\": 1, \"to\": 5, \"most\": 2000}");
    assert_int_equal(rows, 201);
    mc_run *run = direct_run(p.frames[0].t);
    for (int k = 0; k < rows; k += 40) {
        const test_frame *f = &p.frames[k];
        mc_error error;
        while (mc_run_time(run) < f->t - 1e-6)
            assert_int_equal(mc_run_step(run, &error), MC_OK);
        mc_run_view view;
        mc_run_look(run, 5, &view);
        assert_near(f->t, 1.0 + 0.02 * k, 1e-9);
        assert_near(f->value[3][5], (float)view.motion.v, 0.0);
        assert_near(f->x[5], view.motion.x + mc_run_middle(run, 5), 1e-4);
    }
    mc_run_destroy(run);
    json_t *a =
        test_page_ask(&p, "{\"kind\": \"series\", \"worlds\": [0], \"vehicles\": [\"car5\"], "
                          "\"fields\": [\"v\", \"spacing_error\", \"fuel_rate\"], \"from\": 1, "
                          "\"to\": 5, \"points\": 5000}");
    const json_t *v = json_object_get(json_object_get(a, "values"), "0/car5/v");
    assert_int_equal(json_array_size(v), 201);
    for (int k = 0; k < rows; k++)
        assert_near(json_number_value(json_array_get(v, (size_t)k)), p.frames[k].value[3][5], 1e-9);
    const json_t *e = json_object_get(json_object_get(a, "values"), "0/car5/spacing_error");
    assert_near(json_number_value(json_array_get(e, 100)), p.frames[100].s[5] - p.frames[100].x[5],
                2e-4);
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(a, "values"), "0/car5/fuel_rate")), 201);
    json_decref(a);
    a = test_page_ask(
        &p, "{\"kind\": \"track\", \"world\": 0, \"measure\": \"spacing_error\", \"bins\": 50}");
    assert_int_equal(json_array_size(json_object_get(a, "values")), 50);
    json_decref(a);
}

static json_t *world_of(int number)
{
    test_page q;
    json_t *w = test_page_hello(&q, h, NULL), *found = NULL;
    size_t k;
    json_t *world;
    json_array_foreach(json_object_get(w, "worlds"), k,
                       world) if ((int)test_number(world, "world") == number) found =
        json_incref(world);
    json_decref(w);
    test_page_close(&q);
    return found;
}

// Until a world has been simulated to t; its end.
static double wait_world(int number, double t)
{
    double end = NAN;
    for (int k = 0; k < 2000 && !(end >= t); k++) {
        json_t *w = world_of(number);
        end = w ? test_number(w, "end") : NAN;
        json_decref(w);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return end;
}

static uint64_t hash_at(int world, double t)
{
    test_page_clear(&p);
    assert_int_equal(
        test_page_ask_frames(&p, "{\"kind\": \"seek\", \"world\": %d, \"t\": %.17g}", world, t), 1);
    return p.frames[p.frame_count - 1].hash;
}

// A branch without a change is the same world, to the bit.
static void branch_without_change_is_same(void **state)
{
    (void)state;
    const double end = play_to(8.0);
    json_t *a = test_page_ask(&p, "{\"kind\": \"branch\", \"world\": 0, \"at\": 3.5}");
    assert_string_equal(test_text(a, "kind"), "done");
    assert_near(test_number(a, "at"), 3.5, 1e-9);
    const int number = (int)number_of(a, "world");
    assert_near(wait_world(number, end - 1e-6), end, 1e-9);
    assert_true(hash_at(number, end) == hash_at(0, end));
    assert_true(hash_at(number, 5.25) == hash_at(0, 5.25));
    assert_true(hash_at(number, 2.0) == hash_at(0, 2.0)); // before the fork
    json_t *w = world_of(number);
    assert_true(json_is_true(json_object_get(w, "same")));
    assert_true(json_is_null(json_object_get(w, "differs")));
    json_decref(w);
}

// A branch is compared with its parent once its rows exist: waits for that, for 10 s at most.
static json_t *world_that_differs(int number)
{
    json_t *w = world_of(number);
    for (int k = 0; k < 1000 && json_is_true(json_object_get(w, "same")); k++) {
        json_decref(w);
        usleep(10000);
        w = world_of(number);
    }
    assert_false(json_is_true(json_object_get(w, "same")));
    return w;
}

// A change in the past branches off by itself; undo takes the branch away, redo brings it back.
static void a_change_in_the_past_branches(void **state)
{
    (void)state;
    const double end = play_to(8.0);
    const uint64_t before = hash_at(0, end);
    json_t *a = test_page_ask(&p, "{\"kind\": \"set\", \"world\": 0, \"at\": 3, \"controller\": "
                                  "\"follow\", \"param\": \"k3\", \"value\": 1.6}");
    assert_string_equal(test_text(a, "kind"), "done");
    assert_true(json_is_true(json_object_get(a, "branched")));
    const int number = (int)number_of(a, "world");
    assert_int_equal(number, 1);
    wait_world(1, end - 1e-6);
    const uint64_t branched = hash_at(1, end);
    assert_true(branched != before);
    assert_true(hash_at(0, end) == before);
    json_t *w = world_of(1);
    assert_string_equal(test_text(w, "change"), "k3 4 -> 1.6");
    assert_int_equal((int)test_number(w, "parent"), 0);
    json_decref(w);
    json_decref(test_page_ask(&p, "{\"kind\": \"undo\"}"));
    assert_null(world_of(1));
    a = test_page_ask(&p, "{\"kind\": \"redo\"}");
    assert_string_equal(test_text(a, "kind"), "done");
    json_decref(a);
    wait_world(1, end - 1e-6);
    assert_true(hash_at(1, end) == branched);
    w = world_that_differs(1);
    assert_near(test_number(w, "differs"), 3.02, 1e-9);
    json_decref(w);
}

// A change at the live end is in the log; undone, the run is what it would have been.
static void undo_of_a_live_change(void **state)
{
    (void)state;
    const double at = play_to(3.0);
    json_t *a = test_page_ask(&p, "{\"kind\": \"road\", \"headway\": 0.8}");
    assert_string_equal(test_text(a, "kind"), "done");
    assert_true(json_is_false(json_object_get(a, "branched")));
    assert_near(number_of(a, "at"), at, 1e-9);
    const double end = play_to(6.0);
    const uint64_t changed = hash_at(0, end);
    mc_run *run = direct_run(end);
    const uint64_t plain = mc_run_hash(run);
    mc_run_destroy(run);
    assert_true(changed != plain);
    json_decref(test_page_ask(&p, "{\"kind\": \"undo\"}"));
    assert_near(wait_world(0, end - 1e-6), end, 1e-9);
    assert_true(hash_at(0, end) == plain);
    json_decref(test_page_ask(&p, "{\"kind\": \"redo\"}"));
    assert_near(wait_world(0, end - 1e-6), end, 1e-9);
    assert_true(hash_at(0, end) == changed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(welcome_has_everything, start, stop),
        cmocka_unit_test_setup_teardown(frames_equal_the_run, start, stop),
        cmocka_unit_test_setup_teardown(live_slow_motion_advances, start, stop),
        cmocka_unit_test_setup_teardown(seek_is_exact, start, stop),
        cmocka_unit_test_setup_teardown(the_past_equals_a_direct_run, start, stop),
        cmocka_unit_test_setup_teardown(branch_without_change_is_same, start, stop),
        cmocka_unit_test_setup_teardown(a_change_in_the_past_branches, start, stop),
        cmocka_unit_test_setup_teardown(undo_of_a_live_change, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
