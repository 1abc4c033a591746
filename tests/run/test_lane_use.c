// test_lane_use.c - rules of lanes: speed, headway and separation are kept, closed lanes are left
// or stopped at, changes that would strand a car are rejected with the reason, and all of it is
// state: saved, restored, replayed, carried over edits.
#include "support/platoon.h"

#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_scenario *two_lanes(const char *rules, const char *cars, const char *more)
{
    char text[2400];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 120, step: 0.05, record: 0.1}\n"
             "road: {lanes: 2, lane_width: 3.6, speed: 28%s}\nmodels: {car: bicycle}\n"
             "controllers:\n"
             "  auto: {law: acc, headway: 0.8, distance: 4}\n"
             "  human: {law: idm, headway: 1.2, distance: 3, speed: 28, manual: true}\n"
             "vehicles:\n%s%s",
             rules, cars, more);
    return platoon_scenario(text);
}

static const char ONE[] = "  - {model: car, name: a, lane: 1, x: 0, v: 28, controller: auto}\n";

// Slower before the section begins, no harder than comfortable, and back to speed after it.
static void speed_of_a_section(void **unused)
{
    (void)unused;
    mc_scenario *s = two_lanes(", sections: [{lane: 1, from: 600, to: 900, speed: 15}]", ONE, "");
    mc_run *run = platoon_run(s, 1);
    double hardest = 0.0, fastest = 0.0;
    for (int k = 0; k < 1600; k++) {
        platoon_steps(run, 1);
        const mc_run_view a = platoon_view(run, "a");
        hardest = fmax(hardest, -a.motion.a);
        if (a.motion.x + 3.0 > 600.0 && a.motion.x < 900.0)
            fastest = fmax(fastest, a.motion.v);
    }
    print_message("at most %.3f m/s in it, braking at most %.3f m/s^2\n", fastest, hardest);
    assert_true(fastest > 14.0 && fastest < 15.6);
    assert_true(hardest < 2.0);
    assert_true(platoon_view(run, "a").motion.v > 27.5);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A driver is not bound by it.
static void drivers_are_not_bound(void **unused)
{
    (void)unused;
    mc_scenario *s =
        two_lanes(", sections: [{lane: 1, from: 0, to: 5000, speed: 15, headway: 3}]",
                  "  - {model: car, name: a, lane: 1, x: 0, v: 28, controller: human}\n", "");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 400);
    const mc_run_view a = platoon_view(run, "a");
    assert_true(a.motion.v > 27.0);
    assert_true(a.headway == 1.2);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void headway_and_separation(void **unused)
{
    (void)unused;
    mc_scenario *s =
        two_lanes(", sections: [{lane: 1, from: 500, to: 9000, headway: 1.6, separation: 70}]",
                  "  - {model: car, name: a, lane: 1, x: 0, v: 20, profile: 20}\n"
                  "  - {model: car, name: b, lane: 1, x: -40, v: 20, controller: auto}\n",
                  "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    platoon_steps(run, 100);
    assert_true(platoon_view(run, "b").headway == 0.8);
    platoon_steps(run, 1400);
    const mc_run_view b = platoon_view(run, "b");
    assert_true(b.headway == 1.6);
    assert_true(fabs(b.gap - 70.0) < 1.0);
    // A car's own headway below that of its lane is rejected; above it is taken.
    const mc_command less = {.event = "set", .vehicle = "b", .param = "headway", .value = 1.0};
    assert_int_equal(mc_run_command(run, &less, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "headway is 1 s, expected at least the roadway's 1.6 s");
    const mc_command more = {.event = "set", .vehicle = "b", .param = "headway", .value = 1.8};
    assert_int_equal(mc_run_command(run, &more, &error), MC_OK);
    platoon_steps(run, 2);
    assert_true(platoon_view(run, "b").headway == 1.8);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A car leaves a lane that is closed ahead; where it cannot, it stops before it.
static void closed_lanes(void **unused)
{
    (void)unused;
    mc_scenario *s =
        two_lanes(", sections: [{lane: 1, from: 900, to: 1000, use: closed}]", ONE, "");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 1200);
    assert_int_equal(platoon_view(run, "a").lane, 1);
    assert_true(platoon_view(run, "a").motion.x > 1200.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
    s = two_lanes(", sections: [{lane: 1, from: 900, to: 1000, use: closed}, "
                  "{lane: 2, from: -10000, to: 10000, enter: closed}]",
                  ONE, "");
    run = platoon_run(s, 1);
    double hardest = 0.0;
    for (int k = 0; k < 2000; k++) {
        platoon_steps(run, 1);
        hardest = fmax(hardest, -platoon_view(run, "a").motion.a);
    }
    const mc_run_view a = platoon_view(run, "a");
    assert_int_equal(a.lane, 0);
    assert_true(a.motion.v < 0.05 && a.motion.x < 898.0 && a.motion.x > 885.0);
    assert_true(hardest < 4.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A lane that ends is one that is closed.
static void a_lane_that_ends(void **unused)
{
    (void)unused;
    mc_scenario *s =
        two_lanes(", sections: [{lane: 2, from: 800, to: 1400, width: 0, taper: 60}]",
                  "  - {model: car, name: a, lane: 2, x: 0, v: 28, controller: auto}\n", "");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 900);
    assert_int_equal(platoon_view(run, "a").lane, 0);
    assert_true(platoon_view(run, "a").motion.x > 1100.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static int count_of(const mc_run *run, const char *name)
{
    mc_happened e;
    int count = 0;
    for (int k = 0; mc_run_happened_at(run, k, &e); k++)
        count += strcmp(e.name, name) == 0;
    return count;
}

// Lanes for some: automatic cars keep out of manual ones and the other way round.
static void lanes_for_some(void **unused)
{
    (void)unused;
    mc_scenario *s =
        two_lanes(", sections: [{lane: 1, from: 500, to: 3000, use: automated}]",
                  "  - {model: car, name: a, lane: 1, x: 0, v: 28, controller: auto}\n"
                  "  - {model: car, name: m, lane: 1, x: -60, v: 28, controller: human}\n",
                  "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    platoon_steps(run, 600);
    assert_int_equal(platoon_view(run, "a").lane, 0);
    assert_int_equal(platoon_view(run, "m").lane, 1);
    assert_int_equal(count_of(run, "wrong_lane"), 0);
    const mc_command in = {.event = "lane", .vehicle = "m", .value = 1};
    assert_int_equal(mc_run_command(run, &in, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "m: lane 1 is for automated vehicles at "));
    // Its driver may break the rule; that is noted.
    platoon_command(run, &(mc_command){.event = "driver_lane", .vehicle = "m", .value = 1});
    platoon_steps(run, 200);
    assert_int_equal(count_of(run, "wrong_lane"), 1);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void rejected(mc_run *run, const char *text, const char *message)
{
    mc_error error = {0};
    const mc_command c = {.event = "section", .param = text, .value = NAN};
    assert_int_equal(mc_run_command(run, &c, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, message);
}

static void commands_are_rejected(void **unused)
{
    (void)unused;
    mc_scenario *s = two_lanes("", ONE, "");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 200); // a is at about 280 m
    const double x = platoon_view(run, "a").motion.x + run->car[0].nose;
    char text[200];
    snprintf(text, sizeof text, "lane 1 cannot be closed from 200 to 400 m: a is in it at %.1f m",
             x);
    rejected(run, "lane 1 from 200 to 400 use closed", text);
    const double v = platoon_view(run, "a").motion.v, needed = v * v / 6.0 + 3.0;
    snprintf(text, sizeof text,
             "lane 1 cannot be closed from 350 to 400 m: a at %.1f m needs %.1f m to stop with 3 "
             "m/s^2 and has %.1f m",
             x, needed, 350.0 - x);
    rejected(run, "lane 1 from 350 to 400 use closed", text);
    rejected(run, "lane 3 from 0 to 1 speed 20", "there is no lane 3; the road has 2");
    rejected(run, "lane 1 from 5 to 1 speed 20",
             "section: to is 1 m, expected more than from, 5 m");
    rejected(run, "lane 1 from 0 to 1",
             "section: nothing is changed; expected use, enter, speed, headway or separation");
    rejected(run, "lane 1 from 0 to 1 speed 200", "section: speed is 200, expected 0 .. 150 m/s");
    rejected(run, "lane 1 from 0 to 1 sped 20",
             "section: unknown word \"sped\", did you mean speed");
    rejected(run, "lane 1 from 0 to 1 use some",
             "section: use is \"some\", expected any, automated, manual or closed");
    rejected(run, "lane 1.5 from 0 to 1 use any",
             "section: lane is 1.5, expected a whole number 1 .. 64 ");
    rejected(run, "lane 1 from 0 to", "section: to is \"\", expected a value after it");
    rejected(run, "speed 20",
             "section: expected its lane, from and to, such as lane 1 from 0 to 500 speed 25");
    rejected(run, "lane 1 from 0 to x speed 3", "section: to is \"x\", expected a number");
    // One that the car can stop before, and the other lane, are closed at once.
    platoon_command(run, &(mc_command){.event = "section",
                                       .param = "lane 1 from 1200 to 1300 use closed",
                                       .value = NAN});
    platoon_command(run, &(mc_command){.event = "section",
                                       .param = "lane 2 from 0 to 900 use closed",
                                       .value = NAN});
    platoon_steps(run, 1100);
    assert_int_equal(platoon_view(run, "a").lane, 1);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Nothing takes the lane away from under a car.
static void edits_are_rejected(void **unused)
{
    (void)unused;
    mc_scenario *s = two_lanes("",
                               "  - {model: car, name: a, lane: 2, x: 0, v: 28, controller: "
                               "auto}\n",
                               "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    platoon_steps(run, 20);
    assert_int_equal(mc_run_edit(run, "{road: {lanes: 1}}", &error), MC_BAD_INPUT);
    assert_int_equal(
        mc_run_edit(run, "{road: {sections: [{lane: 2, from: -50, to: 200, width: 0}]}}", &error),
        MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "a drives in lane 2 at 2"));
    assert_non_null(strstr(error.text, "which would not exist there"));
    assert_int_equal(mc_run_edit(run,
                                 "{road: {sections: [{lane: 2, from: -50, to: 200, use: closed}]}}",
                                 &error),
                     MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "which would be closed there"));
    assert_int_equal(mc_run_edit(run,
                                 "{road: {sections: [{lane: 2, from: 700, to: 900, use: closed}]}}",
                                 &error),
                     MC_OK);
    platoon_steps(run, 500);
    assert_int_equal(platoon_view(run, "a").lane, 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Commands are state: restored, replayed from the log, kept over an edit.
static void rules_are_state(void **unused)
{
    (void)unused;
    mc_scenario *s = two_lanes("", ONE, "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    platoon_steps(run, 20);
    platoon_command(run, &(mc_command){.event = "section",
                                       .param = "lane 1 from 400 to 4000 speed 18 headway 1.7",
                                       .value = NAN});
    platoon_steps(run, 100);
    assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
    platoon_steps(run, 400);
    const unsigned long long hash = mc_run_hash(run);
    assert_true(fabs(platoon_view(run, "a").motion.v - 18.0) < 0.3);
    mc_run *again = platoon_run(s, 1);
    assert_int_equal(mc_run_restore(again, &snapshot, &error), MC_OK);
    platoon_steps(again, 400);
    assert_true(mc_run_hash(again) == hash);
    mc_run_destroy(again);
    char *text = mc_run_export(run, true, &error);
    assert_non_null(text);
    mc_scenario *copy = mc_scenario_parse(text, strlen(text), "again.yaml", &error);
    assert_non_null(copy);
    again = platoon_run(copy, 1);
    platoon_steps(again, 520);
    assert_true(mc_run_hash(again) == hash);
    assert_int_equal(mc_run_edit(again, "{road: {speed: 29}}", &error), MC_OK);
    mc_run_section section;
    assert_true(mc_run_section_at(again, 0, &section));
    assert_true(section.commanded && section.speed == 18.0 && section.headway == 1.7);
    platoon_steps(again, 100);
    assert_true(platoon_view(again, "a").headway == 1.7);
    free(text);
    mc_snapshot_free(&snapshot);
    mc_run_destroy(again);
    mc_scenario_free(copy);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_of_a_section),     cmocka_unit_test(drivers_are_not_bound),
        cmocka_unit_test(headway_and_separation), cmocka_unit_test(closed_lanes),
        cmocka_unit_test(a_lane_that_ends),       cmocka_unit_test(lanes_for_some),
        cmocka_unit_test(commands_are_rejected),  cmocka_unit_test(edits_are_rejected),
        cmocka_unit_test(rules_are_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
