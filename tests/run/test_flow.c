// test_flow.c - vehicles that enter by flow and leave at the ends of roads: how many, when, none is
// lost, the same bits on threads, after a restore and after an edit; and bad input.
#include "support/platoon.h"

#include "motorcade/timeline.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static mc_scenario *one_lane(int seed, const char *source, const char *more)
{
    char text[1200];
    snprintf(text, sizeof text,
             "motorcade: scenario\nseed: %d\ntime: {end: 3600, step: 0.1, record: 1}\n"
             "road: {lanes: 2, lane_width: 3.6, speed: 25, end: 400}\nmodels: {car: point}\n"
             "controllers: {driver: {law: idm, headway: 1, distance: 2}}\n"
             "sources: [{%s, model: car, controller: driver}]\n%s",
             seed, source, more);
    return platoon_scenario(text);
}

// h = min + (1/flow - min) e: its mean, its minimum, its standard deviation.
static void arrivals_have_their_distribution(void **unused)
{
    (void)unused;
    mc_scenario *s = one_lane(3, "flow: 1200, min_headway: 0.8", "");
    const scenario *of = scenario_of(s);
    const int n = of->sources[0].count;
    double least = 1e9, sum = 0.0, squares = 0.0;
    for (int v = 1; v < n; v++) {
        const double h = of->vehicles[v].from - of->vehicles[v - 1].from;
        least = fmin(least, h);
        sum += h, squares += h * h;
    }
    const double mean = sum / (n - 1), deviation = sqrt(squares / (n - 1) - mean * mean);
    assert_true(fabs(mean - 3.0) < 4.0 * 2.2 / sqrt(n));
    assert_true(fabs(deviation - 2.2) < 0.25);
    assert_true(least >= 0.8 && least < 0.85);
    mc_scenario *same = one_lane(3, "flow: 1200, min_headway: 0.8", "");
    mc_scenario *other = one_lane(4, "flow: 1200, min_headway: 0.8", "");
    assert_true(scenario_of(same)->vehicles[50].from == of->vehicles[50].from);
    assert_true(scenario_of(other)->vehicles[50].from != of->vehicles[50].from);
    mc_scenario_free(s);
    mc_scenario_free(same);
    mc_scenario_free(other);
}

// A flow that is set is that of a file with it, whose vehicles come at the same times; what is too
// many never comes.
static void a_flow_can_be_set(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *set = one_lane(3, "name: in, flow: 1200", ""),
                *given = one_lane(3, "name: in, flow: 500", "");
    const scenario *a = scenario_of(set), *b = scenario_of(given);
    assert_true(a->sources[0].count > b->sources[0].count + 300);
    assert_int_equal(mc_scenario_set(set, "in.flow=500", &error), MC_OK);
    for (int v = 0; v < a->sources[0].count; v++)
        assert_true(v < b->sources[0].count ? a->vehicles[v].from == b->vehicles[v].from
                                            : a->vehicles[v].from > a->end);
    mc_run *runs[2] = {platoon_run(set, 1), platoon_run(given, 1)};
    mc_run_counts counts[2];
    for (int k = 0; k < 2; k++) {
        platoon_steps(runs[k], 3000);
        counts[k] = mc_run_counts_of(runs[k]);
        assert_true(counts[k].entered > 20);
    }
    assert_true(counts[0].entered == counts[1].entered && counts[0].left == counts[1].left);
    // Back to that of the file, whatever was set before; not above it, and by name.
    assert_int_equal(mc_scenario_set(set, "flow=1200", &error), MC_OK);
    assert_true(a->vehicles[a->sources[0].count - 1].from <= a->end);
    assert_int_equal(mc_scenario_set(set, "in.flow=1201", &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "\"in.flow=1201\": flow must be in 0.1 .. 1200 1/h");
    assert_int_equal(mc_scenario_set(set, "out.flow=300", &error), MC_BAD_INPUT);
    for (int k = 0; k < 2; k++)
        mc_run_destroy(runs[k]);
    mc_scenario_free(set);
    mc_scenario_free(given);
}

// Every vehicle is to come, here or gone, and none twice.
static void all_are_accounted_for(const mc_run *r)
{
    int here = 0, gone = 0, to_come = 0;
    for (int v = 0; v < r->fate_count; v++) {
        here += r->fate[v] == RUN_HERE;
        gone += r->fate[v] == RUN_GONE;
        to_come += r->fate[v] == RUN_TO_COME;
    }
    assert_int_equal(here, r->count);
    assert_int_equal(gone, r->counts.left);
    assert_int_equal(here + gone + to_come, r->fate_count);
}

static void they_enter_and_leave(void **unused)
{
    (void)unused;
    mc_scenario *s = one_lane(1, "flow: 900", "");
    mc_run *run = platoon_run(s, 1);
    for (int k = 0; k < 6000; k++) {
        platoon_steps(run, 1);
        int beyond = 0; // the last one of all waits until another is there
        for (int v = 0; v < run->count; v++) {
            assert_int_equal(run->rare[v].hits, 0);
            beyond += run->motion[v].x > 400.0 + 3.0;
        }
        assert_true(beyond == 0 || (beyond == 1 && run->count <= 2));
        all_are_accounted_for(run);
    }
    // 600 s at one every 4 s; each is there for 16 s.
    assert_true(run->counts.entered > 120 && run->counts.entered < 180);
    assert_true(run->counts.entered - run->counts.left == run->count && run->count < 12);
    assert_true(run->counts.waiting_max <= 2);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Behind a car that stands across the way in they wait, counted, and come later.
static void without_room_they_wait(void **unused)
{
    (void)unused;
    mc_scenario *s = one_lane(1, "flow: 900, from: 2",
                              "vehicles: [{model: car, name: wall, x: 12, v: 0}]\n"
                              "events: [{at: 60, vehicle: wall, controller: driver}]\n");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 590);
    const long long waiting = run->counts.waiting;
    int due = 0;
    for (int v = 0; v < run->fate_count; v++)
        due += scenario_of(s)->vehicles[v].from <= 58.9;
    assert_int_equal(waiting, due - 2); // the wall, and one behind it
    assert_true(waiting > 5);
    assert_int_equal(run->count, 2);
    platoon_steps(run, 2000);
    assert_int_equal(run->counts.waiting_max >= waiting, 1);
    assert_true(run->counts.waiting < 3);
    for (int v = 0; v < run->count; v++)
        assert_int_equal(run->rare[v].hits, 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static unsigned long long hash_of(const mc_run *r)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = (const unsigned char *)r->motion;
    for (size_t k = 0; k < (size_t)r->count * sizeof *r->motion; k++)
        h = (h ^ p[k]) * 1099511628211ull;
    return h ^ (unsigned long long)r->counts.entered << 32 ^ (unsigned long long)r->counts.left;
}

static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("on_ramp_flow");
    mc_run *run = platoon_run(s, 1), *other = platoon_run(s, 3);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    platoon_steps(run, 555);
    assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
    platoon_steps(run, 500);
    platoon_steps(other, 1055);
    assert_true(hash_of(run) == hash_of(other));
    assert_int_equal(mc_run_restore(other, &snapshot, &error), MC_OK); // back, over many versions
    platoon_steps(other, 500);
    assert_true(hash_of(run) == hash_of(other));
    mc_snapshot_free(&snapshot);
    mc_run_destroy(run);
    mc_run_destroy(other);
    mc_scenario_free(s);
}

// Those that left do not come back with an edit, those that wait are not forgotten.
static void edits_keep_fates(void **unused)
{
    (void)unused;
    mc_scenario *s = one_lane(1, "flow: 900", "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    platoon_steps(run, 1000);
    const long long left = run->counts.left, entered = run->counts.entered;
    assert_true(left > 10);
    assert_int_equal(mc_run_edit(run, "{road: {speed: 20}}", &error), MC_OK);
    assert_int_equal(run->counts.entered, entered);
    all_are_accounted_for(run);
    platoon_steps(run, 500);
    assert_true(run->counts.left > left && run->counts.entered > entered);
    all_are_accounted_for(run);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void says(const char *source, const char *message)
{
    char text[1200];
    mc_error error = {0};
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 60, step: 0.1, record: 1}\nroad: {lanes: 2}\n"
             "models: {car: point}\ncontrollers: {driver: idm}\nsources: [{%s}]\n",
             source);
    scenario *s = scenario_parse(text, strlen(text), NULL, &error);
    assert_null(s);
    assert_string_equal(error.text, message);
    assert_int_equal(error.line, 6);
}

static void bad_input(void **unused)
{
    (void)unused;
    says("flow: 1200, controller: driver", "a source needs the key model or mix");
    says("model: car, controller: driver", "a source needs the key flow (vehicles per hour)");
    says("flow: 1200, model: car", "a source needs the key controller (one of controllers)");
    says("flow: 1200, model: car, mix: {car: 1}, controller: driver",
         "a source has the key model or mix, not both");
    says("flow: 1200, mix: {car: 0}, controller: driver", "the shares of a mix add up to 0");
    says("flow: 1200, mix: car, controller: driver",
         "expected models with their shares, such as {car: 0.8}");
    says("flow: 4000, model: car, controller: driver",
         "flow is 4000 per hour, one every 0.9 s; min_headway asks for at least 1 s");
    says("flow: 1200, model: car, controller: driver, lane: 3", "lane is 3; the road has 2 lanes");
    says("flow: 1200, model: car, controller: driver, ramp: Vermont",
         "the road has no ramps (road: ramps)");
    says("flow: 1200, modell: car, controller: driver",
         "a source has no key \"modell\"; did you mean model?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals_have_their_distribution),
        cmocka_unit_test(a_flow_can_be_set),
        cmocka_unit_test(they_enter_and_leave),
        cmocka_unit_test(without_room_they_wait),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(edits_keep_fates),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
