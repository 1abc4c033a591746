// test_ersc.c - the ERSC by outcome: what crashes at one level does not at the next, hands off
// leaves the lane below level 3, every rejection and every flash, levels switched while it runs.
#include "support/platoon.h"

#include "motorcade/event.h"
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

static mc_scenario *three_lanes(int level, const char *line, const char *cars, const char *more)
{
    char text[3000];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 120, step: 0.02, record: 0.1}\n"
             "road: {lanes: 3, lane_width: 3.6, speed: 28, ersc: {level: %d, controller: auto}%s}\n"
             "models: {car: bicycle, plain: powertrain}\n"
             "controllers:\n"
             "  auto: {law: acc, headway: 1, distance: 4}\n"
             "  human: {law: idm, headway: 1.4, distance: 3, speed: 28, manual: true}\n"
             "vehicles:\n%s%s",
             level, line, cars, more);
    return platoon_scenario(text);
}

static void command(mc_run *run, const char *vehicle, const char *event, double value)
{
    platoon_command(run, &(mc_command){.event = event, .vehicle = vehicle, .value = value});
    platoon_steps(run, 1);
}

static mc_run_ersc look(const mc_run *run, const char *vehicle)
{
    mc_run_ersc e;
    mc_run_ersc_of(run, mc_run_find(run, vehicle), &e);
    return e;
}

static int count_of(const mc_run *run, const char *name, const char *vehicle)
{
    mc_happened e;
    int count = 0;
    for (int k = 0; mc_run_happened_at(run, k, &e); k++)
        count += strcmp(e.name, name) == 0 && strcmp(e.vehicle_name, vehicle) == 0;
    return count;
}

// ---- outcomes ----

// The car in front is braked by hand as hard as it can. Collisions of the one behind it.
static int late_braking(int level, double *gap)
{
    mc_scenario *s =
        three_lanes(level, "",
                    "  - {model: plain, name: front, lane: 1, x: 0, v: 28, controller: human}\n"
                    "  - {model: plain, name: rear, lane: 1, x: -45, v: 28, controller: human}\n",
                    "events:\n  - {at: 0, vehicle: rear, check_in: true}\n"
                    "  - {at: 0, vehicle: front, drive: {throttle: 0.25}}\n"
                    "  - {at: 10, vehicle: front, drive: {brake: 1}}\n");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 499);
    assert_true(look(run, "rear").checked_in);
    *gap = platoon_view(run, "rear").gap;
    platoon_steps(run, 1000);
    const int hits = platoon_view(run, "rear").hits;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return hits;
}

static void collision_avoidance(void **unused)
{
    (void)unused;
    double before, after;
    assert_true(late_braking(1, &before) > 0);
    for (int level = 2; level <= 4; level++)
        assert_int_equal(late_braking(level, &after), 0);
    // It is not luck: the gap before is one from which cruise control alone cannot stop.
    assert_true(before < 28.0 * 28.0 / 6.0 - 28.0 * 28.0 / 17.0);
}

// The largest distance from the middle of lane 1 of a car whose driver lets the wheel go.
static double hands_off(int level)
{
    mc_scenario *s = three_lanes(
        level,
        ", line: [{straight: 200}, {clothoid: 100, to_radius: 1500}, {arc: 900, radius: "
        "1500}, {straight: 2000}]",
        "  - {model: car, name: a, lane: 1, x: 0, v: 25, controller: human}\n",
        "events:\n  - {at: 0, vehicle: a, drive: {steer: 0}}\n"
        "  - {at: 0.02, vehicle: a, check_in: true}\n");
    mc_run *run = platoon_run(s, 1);
    double largest = 0.0;
    for (int k = 0; k < 1000; k++) {
        platoon_steps(run, 1);
        largest = fmax(largest, fabs(platoon_view(run, "a").motion.y));
    }
    assert_true(look(run, "a").checked_in);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return largest;
}

static void lane_keeping(void **unused)
{
    (void)unused;
    assert_true(hands_off(1) > 3.6);
    assert_true(hands_off(2) > 3.6);
    assert_true(hands_off(3) < 0.2);
    assert_true(hands_off(4) < 0.2);
}

// The hand steers a checked-in car at level 2 while cruise control has the pedals.
static void the_driver_steers(void **unused)
{
    (void)unused;
    mc_scenario *s = three_lanes(
        2, "", "  - {model: car, name: a, lane: 2, x: 0, v: 20, controller: human}\n", "");
    mc_run *run = platoon_run(s, 1);
    command(run, "a", "check_in", NAN);
    platoon_command(
        run,
        &(mc_command){.event = "drive", .vehicle = "a", .inputs = {.brake = 1.0, .steer = 0.004}});
    platoon_steps(run, 100);
    assert_true(platoon_view(run, "a").motion.v > 20.0); // 28 is set; the brake is not the driver's
    assert_true(platoon_view(run, "a").motion.y > -3.5);
    mc_error error = {0};
    const mc_command lane = {.event = "driver_lane", .vehicle = "a", .value = 1};
    assert_int_equal(mc_run_command(run, &lane, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "a is steered by hand");
    command(run, "a", "release", NAN); // its model of a driver has the wheel
    platoon_steps(run, 600);
    assert_true(fabs(platoon_view(run, "a").motion.psi) < 0.01);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- lane changes ----

static void automatic_lane_change(void **unused)
{
    (void)unused;
    mc_error error = {0};
    const mc_command lane = {.event = "lane", .vehicle = "a", .value = 1};
    for (int level = 1; level <= 4; level++) {
        mc_scenario *s = three_lanes(
            level, "", "  - {model: car, name: a, lane: 3, x: 0, v: 25, controller: human}\n", "");
        mc_run *run = platoon_run(s, 1);
        if (level == 4) { // not without check-in
            const mc_command two = {.event = "lane", .vehicle = "a", .value = 2};
            assert_int_equal(mc_run_command(run, &two, &error), MC_BAD_INPUT);
            assert_string_equal(error.text, "a: lane 2 is for automated vehicles at 0.0 m, and it "
                                            "is not checked in");
        }
        command(run, "a", "check_in", NAN);
        char text[160];
        snprintf(text, sizeof text,
                 "a: automatic lane change needs ERSC level 4, this is level %d; its driver can "
                 "change lanes (driver_lane)",
                 level);
        const mc_status status = mc_run_command(run, &lane, &error);
        assert_int_equal(status, level < 4 ? MC_BAD_INPUT : MC_OK);
        if (level < 4) {
            assert_string_equal(error.text, text);
            command(run, "a", "driver_lane", 1);
        }
        platoon_steps(run, 900);
        assert_int_equal(platoon_view(run, "a").lane, 0);
        assert_int_equal(count_of(run, "not_checked_in", "a"), 0);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// At every level: who enters without check-in flashes, is logged, and goes back.
static void flashes(void **unused)
{
    (void)unused;
    for (int level = 1; level <= 4; level++) {
        mc_scenario *s =
            three_lanes(level, "",
                        "  - {model: car, name: a, lane: 3, x: 0, v: 25, controller: human}\n"
                        "  - {model: car, name: h, lane: 3, x: -80, v: 25, controller: human}\n",
                        "");
        mc_run *run = platoon_run(s, 1);
        const double lanes = level == 4 ? 2.0 : 1.0;
        command(run, "a", "driver_lane", lanes);
        int flashed = 0;
        for (int k = 0; k < 2500; k++) {
            platoon_steps(run, 1);
            flashed += look(run, "a").flashes;
        }
        assert_true(flashed > 100);
        assert_int_equal(count_of(run, "not_checked_in", "a"), 1);
        assert_int_equal(count_of(run, "lane_allowed", "a"), 1);
        assert_false(look(run, "a").flashes);
        assert_true(platoon_view(run, "a").lane >= lanes);
        // By hand too: as soon as a part of the car is in the lane.
        assert_int_equal(count_of(run, "not_checked_in", "h"), 0);
        double y = 0.0;
        for (int k = 0; k < 1500 && !look(run, "h").flashes; k++) {
            platoon_command(run, &(mc_command){.event = "drive",
                                               .vehicle = "h",
                                               .inputs = {.throttle = 0.2, .steer = 0.0005}});
            platoon_steps(run, 1);
            y = platoon_view(run, "h").motion.y;
        }
        assert_int_equal(count_of(run, "not_checked_in", "h"), 1);
        assert_true(y < -3.6 * (lanes - 0.5) && y > -3.6 * (lanes - 0.5) - 1.5);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// ---- check-in and check-out ----

static void rejected_in(mc_run *run, const char *vehicle, const char *why)
{
    const int before = mc_run_check_in_rejected(run);
    if (!look(run, vehicle).checked_in) // else it says why there is no check-out
        assert_string_equal(look(run, vehicle).rejection, why);
    command(run, vehicle, "check_in", NAN);
    assert_int_equal(mc_run_check_in_rejected(run), before + 1);
    mc_happened e;
    const mc_event_sentence *s = mc_event_sentence_find("check_in_refused");
    int k = mc_run_happened_count(run) - 1;
    while (k > 0 && mc_run_happened_at(run, k, &e) && strcmp(e.name, "check_in_refused") != 0)
        k--;
    assert_string_equal(e.vehicle_name, vehicle);
    assert_string_equal(s->words[(int)e.value], why);
}

static void rejections(void **unused)
{
    (void)unused;
    mc_scenario *s =
        three_lanes(0, "",
                    "  - {model: plain, name: a, lane: 2, x: 0, v: 25, controller: human}\n"
                    "  - {model: plain, name: near, lane: 2, x: -12, v: 27, controller: human}\n"
                    "  - {model: plain, name: b, lane: 3, x: 90, v: 25, controller: human}\n",
                    "");
    mc_run *run = platoon_run(s, 1);
    rejected_in(run, "a", "the ERSC is off");
    command(run, NULL, "ersc", 1);
    rejected_in(run, "near", "the gap to the car in front is too short to take over");
    command(run, "b", "brake_lost", 0.5);
    rejected_in(run, "b", "its brakes are faulty");
    command(run, "b", "brake_lost", 1.0);
    command(run, "b", "sensor_bias", 2.0);
    rejected_in(run, "b", "its range sensor is faulty");
    command(run, "b", "sensor_bias", 0.0);
    command(run, "b", "driver_lane", 2);
    platoon_steps(run, 50);
    if (run->rare[run->slot[2]].path.to >= 0)
        rejected_in(run, "b", "it is changing lanes");
    else
        fail_msg("b does not change lanes");
    command(run, "a", "check_in", NAN);
    assert_true(look(run, "a").checked_in);
    rejected_in(run, "a", "it is checked in already");
    command(run, "a", "throttle_stuck", 0.3);
    command(run, "a", "check_out", NAN);
    assert_false(look(run, "a").checked_in);
    rejected_in(run, "a", "its throttle is stuck");
    command(run, "a", "check_out", NAN);
    assert_int_equal(count_of(run, "check_out_refused", "a"), 1); // it is not checked in
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void more_rejections(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\ntime: {end: 60, step: 0.02, record: 0.1}\n"
        "road: {lanes: 3, lane_width: 3.6, speed: 28, ersc: 1, line: [{straight: 5000}], ramps: "
        "[{name: R, kind: \"on\", at: 600, line: [{arc: 150, radius: -300}]}]}\n"
        "models: {car: powertrain, soft: point}\n"
        "controllers: {human: {law: idm, manual: true}}\n"
        "vehicles:\n  - {model: car, name: none, lane: 3, x: 0, v: 20}\n"
        "  - {model: car, name: ramp, ramp: R, x: 20, v: 10, controller: human}\n"
        "  - {model: car, name: aside, lane: 3, x: 300, y: -9.3, v: 20, controller: human}\n"
        "  - {model: car, name: hit, lane: 1, x: 200, v: 10, controller: human}\n"
        "  - {model: car, name: hits, lane: 1, x: 190, v: 20}\n");
    mc_run *run = platoon_run(s, 1);
    rejected_in(run, "none", "it has no controller that could drive it");
    rejected_in(run, "ramp", "it is on a ramp");
    rejected_in(run, "aside", "it is not inside its lane");
    platoon_steps(run, 150);
    assert_true(platoon_view(run, "hit").hits > 0);
    rejected_in(run, "hit", "it was in a collision");
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// In an automated lane there is no check-out; back in a manual one the driver has the car again.
static void check_out(void **unused)
{
    (void)unused;
    mc_scenario *s = three_lanes(
        3, "", "  - {model: car, name: a, lane: 2, x: 0, v: 25, controller: human}\n", "");
    mc_run *run = platoon_run(s, 1);
    mc_run_vehicle_info info;
    command(run, "a", "check_in", NAN);
    mc_run_vehicle(run, 0, &info);
    assert_string_equal(info.controller, "auto");
    assert_true(info.checked_in);
    command(run, "a", "driver_lane", 1);
    platoon_steps(run, 600);
    assert_string_equal(look(run, "a").rejection, "it is in an automated lane");
    command(run, "a", "check_out", NAN);
    assert_true(look(run, "a").checked_in);
    assert_int_equal(count_of(run, "check_out_refused", "a"), 1);
    command(run, "a", "driver_lane", 2);
    platoon_steps(run, 600);
    command(run, "a", "check_out", NAN);
    assert_false(look(run, "a").checked_in);
    mc_run_vehicle(run, 0, &info);
    assert_string_equal(info.controller, "human");
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void blind_spots(void **unused)
{
    (void)unused;
    mc_scenario *s =
        three_lanes(1, "",
                    "  - {model: car, name: a, lane: 2, x: 0, v: 25, controller: human}\n"
                    "  - {model: car, name: b, lane: 3, x: -6, v: 25, controller: human}\n"
                    "  - {model: car, name: far, lane: 3, x: -40, v: 25, controller: human}\n",
                    "");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 2);
    assert_int_equal(look(run, "a").blind[0], -1);
    assert_int_equal(look(run, "a").blind[1], mc_run_find(run, "b"));
    assert_int_equal(look(run, "far").blind[0], -1);
    assert_int_equal(count_of(run, "blind_spot", "a"), 0);
    command(run, "a", "driver_lane", 3);
    platoon_steps(run, 2);
    assert_int_equal(count_of(run, "blind_spot", "a"), 1);
    // It heeds the warning: it waits until there is room.
    platoon_steps(run, 1500);
    assert_int_equal(platoon_view(run, "a").hits, 0);
    assert_int_equal(platoon_view(run, "a").lane, 2);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- levels of a running simulation ----

static void levels_switch(void **unused)
{
    (void)unused;
    mc_scenario *s =
        three_lanes(4, "",
                    "  - {model: car, name: a, lane: 1, x: 0, v: 25, controller: human}\n"
                    "  - {model: car, name: b, lane: 2, x: 0, v: 25, controller: human}\n"
                    "  - {model: car, name: h, lane: 1, x: -90, v: 25, controller: human}\n",
                    "");
    mc_run *run = platoon_run(s, 1);
    const int rear = run->slot[2];
    platoon_command(run, &(mc_command){.event = "drive", .vehicle = "h", .inputs = {0}});
    for (int v = 0; v < 3; v++)
        platoon_command(run, &(mc_command){.event = "check_in",
                                           .vehicle = mc_run_vehicle_name(run, v),
                                           .value = NAN});
    platoon_steps(run, 50);
    assert_true(look(run, "a").checked_in && look(run, "b").checked_in &&
                look(run, "h").checked_in);
    assert_true(run->car[rear].flags & RUN_AVOIDS && !(run->car[rear].flags & RUN_STEERED));
    command(run, NULL, "ersc", 3); // lane 2 is manual now
    assert_true(look(run, "a").checked_in && !look(run, "b").checked_in);
    assert_int_equal(count_of(run, "checked_out", "b"), 1);
    command(run, NULL, "ersc", 2);
    assert_true(run->car[rear].flags & RUN_AVOIDS && run->car[rear].flags & RUN_STEERED);
    command(run, NULL, "ersc", 1);
    assert_false(run->car[rear].flags & RUN_AVOIDS);
    command(run, NULL, "ersc", 0);
    assert_true(run->car[rear].flags & RUN_HAND);
    for (int v = 0; v < 3; v++)
        assert_false(run->rare[run->slot[v]].ersc.checked_in);
    command(run, NULL, "ersc", 4); // back up: those in automated lanes flash
    platoon_steps(run, 5);
    assert_true(look(run, "a").flashes && look(run, "b").flashes);
    mc_error error = {0};
    const mc_command five = {.event = "ersc", .value = 5}, half = {.event = "ersc", .value = 1.5};
    assert_int_equal(mc_run_command(run, &five, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "ersc is 5, expected 0 .. 4");
    assert_int_equal(mc_run_command(run, &half, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "level 1.5 of the ERSC, expected a whole number 0 .. 4");
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// All of it is state: threads, restore, replay of the log, an edit.
static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s =
        three_lanes(4, "",
                    "  - {model: car, name: a, lane: 1, x: 0, v: 25, controller: human}\n"
                    "  - {model: car, name: b, lane: 2, x: 0, v: 25, controller: human}\n"
                    "  - {model: car, name: c, lane: 3, x: -90, v: 25, controller: human}\n",
                    "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    command(run, "a", "check_in", NAN);
    command(run, "c", "check_in", NAN);
    command(run, "c", "lane", 1);
    assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
    platoon_steps(run, 200);
    command(run, NULL, "ersc", 2);
    platoon_steps(run, 300);
    const unsigned long long hash = mc_run_hash(run);
    char *text = mc_run_export(run, true, &error);
    mc_scenario *copy = mc_scenario_parse(text, strlen(text), "again.yaml", &error);
    assert_non_null(copy);
    mc_run *again = platoon_run(copy, 2);
    platoon_steps(again, 504);
    assert_true(mc_run_hash(again) == hash);
    assert_int_equal(mc_run_happened_count(again), mc_run_happened_count(run));
    assert_int_equal(mc_run_edit(again, "{road: {speed: 29}}", &error), MC_OK);
    assert_true(look(again, "a").checked_in);
    mc_run_road_info info_of_road;
    mc_run_road(again, &info_of_road);
    assert_int_equal(info_of_road.ersc, 2);
    assert_int_equal(mc_run_edit(again, "{road: {ersc: {level: 0, controller: auto}}}", &error),
                     MC_OK);
    assert_false(look(again, "a").checked_in); // none is dropped: its driver has it
    mc_run_vehicle_info info;
    mc_run_vehicle(again, 0, &info);
    assert_string_equal(info.controller, "human");
    platoon_steps(again, 100);
    mc_run_destroy(again);
    again = platoon_run(s, 1);
    assert_int_equal(mc_run_restore(again, &snapshot, &error), MC_OK);
    platoon_steps(again, 200);
    command(again, NULL, "ersc", 2);
    platoon_steps(again, 300);
    assert_true(mc_run_hash(again) == hash);
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
        cmocka_unit_test(collision_avoidance),
        cmocka_unit_test(lane_keeping),
        cmocka_unit_test(the_driver_steers),
        cmocka_unit_test(automatic_lane_change),
        cmocka_unit_test(flashes),
        cmocka_unit_test(rejections),
        cmocka_unit_test(more_rejections),
        cmocka_unit_test(check_out),
        cmocka_unit_test(blind_spots),
        cmocka_unit_test(levels_switch),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
