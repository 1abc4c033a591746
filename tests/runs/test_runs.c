// test_runs.c - many runs: the bits of each alone, actions from outside, starts and ends.
#include "motorcade/observe.h"
#include "motorcade/record.h"
#include "motorcade/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "motorcade: scenario\n"
    "name: four\n"
    "time: {end: 6, step: 0.05, record: 0.1}\n"
    "profiles:\n"
    "  dip: {table: [[0, 20], [1, 20], [3, 14], [6, 14]]}\n"
    "models:\n"
    "  light: {kind: point}\n"
    "  engine: powertrain\n"
    "controllers:\n"
    "  follow: {law: acc, headway: 0.8, distance: 3, sensor: {range_noise: 0.1}}\n"
    "platoons:\n"
    "  - leader: {model: light, profile: dip}\n"
    "    cars:\n"
    "      - {model: light, name: car, count: 2, controller: follow}\n"
    "      - {model: engine, name: van, controller: follow}\n"
    "expect: [largest.spacing_error < 0.5 m]\n";

static mc_scenario *read_scenario(void)
{
    mc_error error;
    mc_scenario *s = mc_scenario_parse(text, strlen(text), NULL, &error);
    if (!s)
        fail_msg("%s", error.text);
    return s;
}

static const char *const names[] = {"follow.headway", "seed"};
static const double values[] = {0.6, 1, 0.8, 1, 0.8, 2, 1.1, 7, 0.4, 3};
enum { RUNS = 5, CARS = 4 };

static mc_runs_request request_of(const mc_scenario *s, int threads)
{
    return (mc_runs_request){.scenario = s,
                             .count = RUNS,
                             .names = names,
                             .name_count = 2,
                             .values = values,
                             .threads = threads};
}

// One run by itself, by the functions of run.h and record.h.
static mc_run *alone(int run, double *failed, double *figure)
{
    mc_error error;
    mc_scenario *s = read_scenario();
    for (int k = 0; k < 2; k++) {
        char set[80];
        snprintf(set, sizeof set, "%s=%.17g", names[k], values[2 * run + k]);
        assert_int_equal(mc_scenario_set(s, set, &error), MC_OK);
    }
    mc_run *r = mc_run_create(s, NULL, &error);
    assert_non_null(r);
    if (failed) {
        mc_recording *rec = mc_recording_open(r, &(mc_record_output){0}, &error);
        assert_int_equal(mc_recording_play(rec, NULL, &error), MC_OK);
        *failed = mc_recording_failed(rec);
        *figure = mc_figures_value(mc_recording_figures(rec), -1, MC_FIGURE_LARGEST_SPACING_ERROR);
        mc_recording_abandon(rec);
    }
    mc_scenario_free(s);
    return r;
}

static void test_play(void **state)
{
    (void)state;
    mc_scenario *s = read_scenario();
    unsigned long long hash[3][RUNS];
    double figures[RUNS][MC_FIGURE_COUNT], cars[RUNS][CARS][MC_FIGURE_COUNT], failed[RUNS];
    char ended[RUNS][MC_RUNS_TEXT];
    const int threads[] = {1, 2, 8};
    for (int t = 0; t < 3; t++) {
        const mc_runs_request request = request_of(s, threads[t]);
        const mc_runs_results results = {&figures[0][0], &cars[0][0][0], CARS,
                                         failed,         hash[t],        ended};
        mc_error error;
        assert_int_equal(mc_runs_play(&request, &results, NULL, &error), MC_OK);
    }
    assert_memory_equal(hash[0], hash[1], sizeof hash[0]);
    assert_memory_equal(hash[0], hash[2], sizeof hash[0]);
    int fails = 0;
    for (int i = 0; i < RUNS; i++) {
        double own_failed, own_figure, largest = 0.0;
        mc_run *r = alone(i, &own_failed, &own_figure);
        assert_true(mc_run_hash(r) == hash[0][i]);
        assert_true(own_failed == failed[i]);
        assert_true(own_figure == figures[i][MC_FIGURE_LARGEST_SPACING_ERROR]);
        for (int v = 1; v < CARS; v++)
            largest = fmax(largest, cars[i][v][MC_FIGURE_LARGEST_SPACING_ERROR]);
        assert_true(largest == own_figure);
        assert_string_equal(ended[i], "end time reached");
        fails += own_failed > 0.0;
        for (int k = 0; k < i; k++)
            assert_true(hash[0][i] != hash[0][k]);
        mc_run_destroy(r);
    }
    assert_in_range(fails, 1, RUNS - 1); // both answers are seen
    mc_scenario_free(s);
}

// A value that is rejected is the result of its run; the others continue.
static void test_bad_values(void **state)
{
    (void)state;
    mc_scenario *s = read_scenario();
    const double wrong[] = {0.6, -5.0, NAN};
    double failed[3];
    char ended[3][MC_RUNS_TEXT];
    mc_error error;
    mc_runs_request request = {
        .scenario = s, .count = 3, .names = names, .name_count = 1, .values = wrong};
    const mc_runs_results results = {.failed = failed, .ended = ended};
    assert_int_equal(mc_runs_play(&request, &results, NULL, &error), MC_OK);
    assert_true(failed[0] >= 0.0 && isnan(failed[1]) && isnan(failed[2]));
    assert_non_null(strstr(ended[1], "headway must be in 0 .. 60 s"));
    assert_string_equal(ended[2], "failed: follow.headway is nan, expected a finite number");
    const char *unknown[] = {"follow.hedway"};
    request.names = unknown;
    assert_int_equal(mc_runs_play(&request, &results, NULL, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "did you mean headway"));
    request.count = 0;
    assert_int_equal(mc_runs_play(&request, &results, NULL, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "0 runs, expected 1 .. 1000000");
    mc_scenario_free(s);
}

static bool stop_after_two(void *context)
{
    return *(int *)context >= 2;
}

static void count_done(void *context, double reached)
{
    *(int *)context = (int)reached;
}

static void test_stop(void **state)
{
    (void)state;
    mc_scenario *s = read_scenario();
    int done = 0;
    mc_error error;
    const mc_runs_request request = request_of(s, 1);
    const mc_watch watch = {&done, stop_after_two, count_done};
    assert_int_equal(mc_runs_play(&request, &(mc_runs_results){0}, &watch, &error), MC_INTERRUPTED);
    assert_string_equal(error.text, "stopped: 2 of 5 runs are done");
    mc_scenario_free(s);
}

// Accelerations of two cars over time, other in every run.
static double asked(int run, int k, int step)
{
    return step < 20 ? NAN : 0.8 * sin(0.1 * step + run) - 0.3 * k;
}

static const mc_field fields[] = {MC_FIELD_X, MC_FIELD_V, MC_FIELD_GAP, MC_FIELD_A_DESIRED};
static const char *const driven[] = {"car2", "van"};

static mc_runs_request stepped_request(const mc_scenario *s, int threads)
{
    mc_runs_request r = request_of(s, threads);
    r.fields = fields, r.field_count = 4;
    r.driven = driven, r.driven_count = 2;
    return r;
}

static mc_runs *stepped(const mc_scenario *s, int threads)
{
    mc_error error;
    const mc_runs_request request = stepped_request(s, threads);
    mc_runs *runs = mc_runs_create(&request, &error);
    if (!runs)
        fail_msg("%s", error.text);
    return runs;
}

static void drive(mc_runs *runs)
{
    mc_error error;
    const mc_runs_arrays *a = mc_runs_arrays_of(runs);
    for (int step = 0; a->state[0] == MC_RUNS_STATE_GOES; step++) {
        for (int i = 0; i < RUNS; i++)
            for (int k = 0; k < 2; k++)
                a->action[2 * i + k] = asked(i, k, step);
        assert_int_equal(mc_runs_step(runs, &error), MC_OK);
    }
}

static void test_step(void **state)
{
    (void)state;
    mc_scenario *s = read_scenario();
    mc_runs *one = stepped(s, 1), *three = stepped(s, 3);
    mc_scenario_free(s); // they keep it
    drive(one);
    drive(three);
    const mc_runs_arrays *a = mc_runs_arrays_of(one), *b = mc_runs_arrays_of(three);
    assert_int_equal(a->vehicle_count, CARS);
    assert_memory_equal(a->observation, b->observation, sizeof(double) * RUNS * CARS * 4);
    for (int i = 0; i < RUNS; i++) {
        mc_error error;
        mc_run *r = alone(i, NULL, NULL);
        for (int step = 0; step < 120; step++) {
            for (int k = 0; k < 2 && step >= 20; k++) {
                const mc_command c = {
                    .event = "accelerate", .vehicle = driven[k], .value = asked(i, k, step)};
                assert_int_equal(mc_run_command(r, &c, &error), MC_OK);
            }
            assert_int_equal(mc_run_step(r, &error), MC_OK);
        }
        assert_true(mc_run_hash(r) == mc_run_hash(mc_runs_at(one, i)));
        assert_true(mc_run_hash(r) == mc_run_hash(mc_runs_at(three, i)));
        for (int v = 0; v < CARS; v++) {
            double value[MC_FIELD_COUNT];
            mc_run_read_fields(r, v, value, NULL);
            for (int f = 0; f < 4; f++)
                assert_memory_equal(&value[fields[f]], &a->observation[(i * CARS + v) * 4 + f],
                                    sizeof(double));
        }
        assert_int_equal(a->state[i], MC_RUNS_STATE_ENDED);
        mc_run_destroy(r);
    }
    mc_runs_destroy(one);
    mc_runs_destroy(three);
}

// Back at the start, everything is as the first time; other values give what they give elsewhere.
static void test_reset(void **state)
{
    (void)state;
    mc_error error;
    mc_scenario *s = read_scenario();
    mc_runs *runs = stepped(s, 2);
    const mc_runs_arrays *a = mc_runs_arrays_of(runs);
    unsigned long long first[RUNS];
    drive(runs);
    for (int i = 0; i < RUNS; i++)
        first[i] = mc_run_hash(mc_runs_at(runs, i));
    const unsigned char which[RUNS] = {0, 1, 0, 0, 0};
    assert_int_equal(mc_runs_reset(runs, which, NULL, &error), MC_OK);
    assert_true(a->time[1] == 0.0 && a->time[0] > 5.9 && isnan(a->action[2]));
    assert_int_equal(a->state[0], MC_RUNS_STATE_ENDED);
    assert_int_equal(a->state[1], MC_RUNS_STATE_GOES);
    assert_int_equal(mc_run_log_count(mc_runs_at(runs, 1)), 0);
    assert_int_equal(mc_runs_reset(runs, NULL, NULL, &error), MC_OK);
    drive(runs);
    for (int i = 0; i < RUNS; i++)
        assert_true(mc_run_hash(mc_runs_at(runs, i)) == first[i]);
    double swapped[2 * RUNS];
    memcpy(swapped, values, sizeof swapped);
    swapped[0] = values[6], swapped[1] = values[7];
    assert_int_equal(mc_runs_reset(runs, NULL, swapped, &error), MC_OK);
    for (int step = 0; step < 120; step++)
        assert_int_equal(mc_runs_step(runs, &error), MC_OK);
    assert_true(mc_run_hash(mc_runs_at(runs, 0)) == mc_run_hash(mc_runs_at(runs, 3)));
    mc_runs_destroy(runs);
    mc_scenario_free(s);
}

// The scenario that an episode gives repeats it.
static void test_export(void **state)
{
    (void)state;
    mc_error error;
    mc_scenario *s = read_scenario();
    mc_runs *runs = stepped(s, 1);
    drive(runs);
    char *exported = mc_run_export(mc_runs_at(runs, 3), true, &error);
    assert_non_null(exported);
    mc_scenario *again = mc_scenario_parse(exported, strlen(exported), NULL, &error);
    mc_run *r = again ? mc_run_create(again, NULL, &error) : NULL;
    if (!r)
        fail_msg("%s", error.text);
    for (int step = 0; step < 120; step++)
        assert_int_equal(mc_run_step(r, &error), MC_OK);
    assert_true(mc_run_hash(r) == mc_run_hash(mc_runs_at(runs, 3)));
    mc_run_destroy(r);
    mc_scenario_free(again);
    free(exported);
    mc_runs_destroy(runs);
    mc_scenario_free(s);
}

// A point follows what is asked, so its speed is that of a uniformly accelerated body; a release
// returns it to its law.
static void test_uniform(void **state)
{
    (void)state;
    mc_error error;
    mc_scenario *s = read_scenario();
    mc_run *r = mc_run_create(s, NULL, &error);
    const int car = mc_run_find(r, "car1");
    for (int step = 0; step < 40; step++) {
        assert_int_equal(mc_run_accelerate(r, car, -1.5, &error), MC_OK);
        assert_int_equal(mc_run_step(r, &error), MC_OK);
    }
    mc_run_view view;
    mc_run_look(r, car, &view);
    assert_float_equal(view.motion.v, 20.0 - 1.5 * 2.0, 1e-9);
    assert_float_equal(view.desired, -1.5, 0.0);
    assert_int_equal(mc_run_log_count(r), 1); // the same action again is none
    assert_int_equal(mc_run_release(r, car, &error), MC_OK);
    assert_int_equal(mc_run_step(r, &error), MC_OK);
    mc_run_look(r, car, &view);
    assert_true(view.desired != -1.5);
    const mc_inputs pedals = {.brake = 0.5};
    const int van = mc_run_find(r, "van");
    assert_int_equal(mc_run_drive(r, van, &pedals, &error), MC_OK);
    assert_int_equal(mc_run_step(r, &error), MC_OK);
    mc_run_look(r, van, &view);
    assert_true(view.inputs.brake == 0.5 && view.motion.a < -1.0);
    mc_run_destroy(r);
    mc_scenario_free(s);
}

static void test_bad_actions(void **state)
{
    (void)state;
    mc_error error;
    mc_scenario *s = read_scenario();
    mc_runs *runs = stepped(s, 1);
    const mc_runs_arrays *a = mc_runs_arrays_of(runs);
    a->action[3] = 1000.0;
    assert_int_equal(mc_runs_step(runs, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "action of van in run 1: accelerate is 1000, expected -100 .. "
                                    "100 m/s^2");
    assert_true(a->time[0] == 0.0);
    mc_runs_destroy(runs);
    mc_runs_request request = stepped_request(s, 1);
    const char *const nobody[] = {"car9", "van"};
    request.driven = nobody;
    assert_null(mc_runs_create(&request, &error));
    assert_string_equal(error.text, "unknown vehicle \"car9\"; expected one such as leader");
    request.driven = driven;
    request.action = MC_RUNS_ACTION_PEDALS;
    runs = mc_runs_create(&request, &error);
    double *pedals = mc_runs_arrays_of(runs)->action;
    pedals[0] = 0.2, pedals[1] = 3.0, pedals[2] = 0.0;
    assert_int_equal(mc_runs_step(runs, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "action of car2 in run 0: throttle 0.2 and brake 3"));
    pedals[1] = 0.0;
    assert_int_equal(mc_runs_step(runs, &error), MC_OK);
    mc_runs_destroy(runs);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_play),    cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_stop),    cmocka_unit_test(test_step),
        cmocka_unit_test(test_reset),   cmocka_unit_test(test_export),
        cmocka_unit_test(test_uniform), cmocka_unit_test(test_bad_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
