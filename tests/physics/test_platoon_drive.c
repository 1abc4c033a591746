// test_platoon_drive.c - platoons of cars with engines on real roads: hills, stops, roadway
// commands, collision avoidance, radio that falls silent, faults.
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A platoon of `count` cars with engines; what is between: road, profile, controller, events.
static mc_run *start(mc_scenario **s, const char *road, const char *profile, const char *controller,
                     int count, const char *rest)
{
    char text[2048];
    snprintf(text, sizeof text,
             "motorcade: scenario\n"
             "time: {end: 1000, step: 0.05}\n"
             "road: {%s}\n"
             "models:\n"
             "  town_car: powertrain\n"
             "  van: {like: town_car, mass: 2400, nominal_mass: 1839}\n"
             "controllers: {follow: {%s}, other: {law: pipes}}\n"
             "profiles: {lead: %s, slow: 12}\n"
             "platoons:\n"
             "  - leader: {model: town_car, profile: lead}\n"
             "    cars: [{model: town_car, name: car, count: %d, controller: follow}]\n"
             "%s",
             road, controller, profile, count, rest);
    *s = platoon_scenario(text);
    return platoon_run(*s, 1);
}

static void end(mc_scenario *s, mc_run *run)
{
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- hills ----

// On a long slope unknown to the controllers, the trim compensates gravity: the spacing error goes
// to 0.
static void trim_learns_the_slope(void **unused)
{
    (void)unused;
    static const char *const grades[] = {"4 %", "-4 %"};
    for (int k = 0; k < 2; k++) {
        char road[160];
        snprintf(road, sizeof road,
                 "headway: 1, distance: 5, grades: [{from: 200, to: 9000, grade: %s, transition: "
                 "50}]",
                 grades[k]);
        mc_scenario *s;
        mc_run *run = start(&s, road, "20", "law: acc", 4, "");
        double worst = 0.0, settled = 0.0;
        for (int step = 0; step < 2000; step++) {
            platoon_steps(run, 1);
            for (int c = 0; c <= 4; c++) {
                mc_run_view view;
                mc_run_look(run, c, &view);
                if (c > 0)
                    worst = fmax(worst, fabs(view.error));
                if (step > 1600)
                    settled = fmax(settled, c > 0 ? fabs(view.error) : fabs(view.motion.v - 20.0));
            }
        }
        printf("slope %s: spacing error %.3f m at most, %.5f m when learned\n", grades[k], worst,
               settled);
        assert_true(worst > 0.05); // it was felt
        assert_true(worst < 2.0 && settled < 0.01);
        end(s, run);
    }
}

// ---- stop and go ----

// In local traffic all stop and drive off again: no car rolls back, none touches.
static void stops_and_drives_off(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = start(&s, "headway: 1, distance: 5", "local", "law: acc", 5, "");
    double min_v = 1e9, min_gap = 1e9;
    for (int step = 1; step <= 2700; step++) { // three cycles of 45 s
        platoon_steps(run, 1);
        for (int c = 0; c <= 5; c++) {
            mc_run_view view;
            mc_run_look(run, c, &view);
            min_v = fmin(min_v, view.motion.v);
            if (c > 0)
                min_gap = fmin(min_gap, view.gap);
            assert_int_equal(view.hits, 0);
        }
    }
    mc_run_view last = platoon_view(run, "car5");
    printf("local traffic: minimum speed %.3g m/s, minimum gap %.2f m\n", min_v, min_gap);
    assert_true(min_v > -1e-9 && min_v < 0.01 && min_gap > 4.5);
    assert_true(last.motion.x > 3.0 * 405.0 - 150.0); // drove off every time
    end(s, run);
}

// Behind a leader that stands for a minute on a slope all stand; then they drive off.
static void stands_on_a_slope(void **unused)
{
    (void)unused;
    static const char *const roads[] = {
        "headway: 1, distance: 5",
        "headway: 1, distance: 5, grades: [{from: -900, to: 900, grade: 6 %}]",
        "headway: 1, distance: 5, grades: [{from: -900, to: 900, grade: -6 %}]"};
    for (int k = 0; k < 3; k++) {
        mc_scenario *s;
        mc_run *run = start(&s, roads[k],
                            "{table: [[0, 15], [10, 15], [18, 0], [80, 0], [90, 15], [200, 15]]}",
                            "law: acc", 3, "");
        platoon_steps(run, 1100); // 55 s
        double before[4], crept = 0.0;
        mc_run_view view;
        for (int c = 0; c <= 3; c++) {
            mc_run_look(run, c, &view);
            before[c] = view.motion.x;
        }
        platoon_steps(run, 480); // 79 s
        for (int c = 0; c <= 3; c++) {
            mc_run_look(run, c, &view);
            crept = fmax(crept, fabs(view.motion.x - before[c]));
            assert_true(fabs(view.motion.v) < 1e-6);
            if (c > 0)
                assert_true(fabs(view.error) < 0.5);
        }
        printf("standing for 24 s, %s: creep %.3g m\n", k ? "slope" : "level", crept);
        assert_true(crept < 0.01);
        platoon_steps(run, 1000);
        mc_run_look(run, 3, &view);
        assert_true(fabs(view.motion.v - 15.0) < 0.1 && view.hits == 0);
        end(s, run);
    }
}

// ---- the roadway ----

static void roadway_commands_are_obeyed(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = start(&s, "headway: 0.8, distance: 4, speed: 25", "20", "law: acc", 3,
                        "vehicles: [{model: town_car, name: lone, x: 500, v: 20, controller: "
                        "follow}]\n"
                        "events: [{at: 40, headway: 1.5}, {at: 40, distance: 7}, {at: 100, speed: "
                        "18}]\n");
    platoon_command(
        run, &(mc_command){.event = "set", .vehicle = "car3", .param = "headway", .value = 1.1});
    platoon_steps(run, 780); // 39 s
    mc_run_view car = platoon_view(run, "car2");
    assert_true(fabs(car.gap - 4.0 - 0.8 * 20.0) < 0.05);
    assert_true(fabs(platoon_view(run, "car3").gap - 4.0 - 1.1 * 20.0) < 0.05); // its own headway
    platoon_steps(run, 1200);                                                   // 99 s
    car = platoon_view(run, "car2");
    printf("roadway: gap %.3f m of 37 m commanded\n", car.gap);
    assert_true(fabs(car.gap - 7.0 - 1.5 * 20.0) < 0.05);
    assert_true(fabs(platoon_view(run, "car3").gap - 7.0 - 1.5 * 20.0) < 0.05); // now too little
    assert_true(fabs(platoon_view(run, "lone").motion.v - 25.0) < 0.02);
    platoon_steps(run, 1400);
    assert_true(fabs(platoon_view(run, "lone").motion.v - 18.0) < 0.05);
    end(s, run);
}

static void less_than_the_roadway_is_rejected(void **unused)
{
    (void)unused;
    static const struct {
        const char *param;
        double value;
        const char *text;
    } cases[] = {
        {"headway", 0.5, "headway is 0.5 s, expected at least the roadway's 0.8 s"},
        {"distance", 3, "distance is 3 m, expected at least the roadway's 4 m"},
        {"headway", 1.2, NULL},
        {"distance", 4, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_scenario *s;
        mc_error error = {0};
        mc_run *run = start(&s, "headway: 0.8, distance: 4", "20", "law: acc", 2, "");
        const char *const who[] = {"car1", "@follow"};
        for (int i = 0; i < 2; i++) { // rejected at once: the run continues
            const mc_command c = {.event = "set",
                                  .vehicle = who[i],
                                  .param = cases[k].param,
                                  .value = cases[k].value};
            const mc_status status = mc_run_command(run, &c, &error);
            assert_int_equal(status, cases[k].text ? MC_BAD_INPUT : MC_OK);
            if (cases[k].text)
                assert_string_equal(error.text, cases[k].text);
        }
        assert_int_equal(mc_run_step(run, &error), MC_OK);
        // A roadway command of the same step counts.
        if (!cases[k].text) {
            platoon_command(run, &(mc_command){.event = cases[k].param, .value = 6});
            const mc_command c = {
                .event = "set", .vehicle = "car1", .param = cases[k].param, .value = 5};
            assert_int_equal(mc_run_command(run, &c, &error), MC_BAD_INPUT);
        }
        end(s, run);
    }
    // In a scenario the message names the place of the event.
    mc_scenario *s;
    mc_error error = {0};
    mc_run *run = start(&s, "headway: 0.8, distance: 4", "20", "law: acc", 2,
                        "events: [{at: 1, headway: 1.5}, {at: 2, vehicle: car1, set: {headway: "
                        "1.1}}]\n");
    mc_status status = MC_OK;
    for (int step = 0; step < 60 && status == MC_OK; step++)
        status = mc_run_step(run, &error);
    assert_int_equal(status, MC_BAD_INPUT);
    assert_string_equal(error.text, "headway is 1.1 s, expected at least the roadway's 1.5 s");
    assert_int_equal(error.line, 12);
    end(s, run);
}

// ---- collision avoidance ----

// Pipes' driver knows no distance and starts too close; the leader stops hard. With avoidance on
// top the same law stays clear.
static void avoidance_prevents_a_collision(void **unused)
{
    (void)unused;
    static const char *const laws[2] = {"law: pipes", "law: pipes, avoid: true"};
    int hits[2] = {0, 0};
    double min[2] = {1e9, 1e9};
    for (int k = 0; k < 2; k++) {
        mc_scenario *s;
        mc_run *run = start(&s, "headway: 0.6, distance: 2",
                            "{table: [[0, 25], [5, 25], [9.5, 0], [60, 0]]}", laws[k], 3, "");
        for (int step = 0; step < 500; step++) {
            platoon_steps(run, 1);
            for (int c = 1; c <= 3; c++) {
                mc_run_view view;
                mc_run_look(run, c, &view);
                hits[k] += view.hits;
                min[k] = fmin(min[k], view.gap);
            }
        }
        end(s, run);
    }
    printf("without avoidance the cars hit; with it the minimum gap is %.2f m\n", min[1]);
    assert_true(hits[0] > 0);
    assert_int_equal(hits[1], 0);
    assert_true(min[1] > 0.3);
}

// The parameters of the scenario are those in use: a wider margin leaves a wider gap.
static void avoidance_has_its_parameters(void **unused)
{
    (void)unused;
    double gap[3];
    for (int k = 0; k < 3; k++) {
        char law[80];
        snprintf(law, sizeof law, "law: pipes, avoid: {margin: %d}", 1 + 2 * k);
        mc_scenario *s;
        mc_run *run = start(&s, "headway: 0.6, distance: 2",
                            "{table: [[0, 25], [5, 25], [9.5, 0], [60, 0]]}", law, 1, "");
        platoon_steps(run, 600);
        gap[k] = platoon_view(run, "car1").gap;
        end(s, run);
    }
    printf("margins of 1, 3, 5 m leave %.2f, %.2f, %.2f m\n", gap[0], gap[1], gap[2]);
    assert_true(gap[1] > gap[0] + 1.0 && gap[2] > gap[1] + 1.0);
}

// ---- radio ----

// While the radio is silent the fall-back drives, from the timeout on; then the law is back. Also
// when the radio was perfect before.
static void falls_back_and_comes_back(void **unused)
{
    (void)unused;
    static const char *const radios[] = {"timeout: 0.5, loss: 0.01", "timeout: 0.5"};
    for (int k = 0; k < 2; k++) {
        mc_scenario *s;
        char controller[160];
        snprintf(controller, sizeof controller,
                 "law: ploeg, radio: {%s}, fallback: {law: {acceleration: \"-0.3 [m/s^2]\"}}",
                 radios[k]);
        mc_run *run = start(&s, "headway: 1, distance: 5", "20", controller, 1,
                            "events: [{at: 10, until: 14, vehicle: car1, radio_loss: 1}]\n");
        int lost = -1, back = -1;
        for (int step = 1; step <= 400; step++) {
            platoon_steps(run, 1);
            // The fall-back is told by what it wants.
            const bool fallen = fabs(platoon_view(run, "car1").desired + 0.3) < 1e-12;
            if (fallen && lost < 0)
                lost = step;
            if (!fallen && lost >= 0 && back < 0)
                back = step;
        }
        printf("radio lost at 10 s: fallen back at %.2f s, back at %.2f s\n", 0.05 * lost,
               0.05 * back);
        assert_true(fabs(0.05 * lost - 10.5) <= 0.11); // the timeout later
        assert_true(fabs(0.05 * back - 14.0) <= 0.11);
        end(s, run);
    }
}

// ---- faults ----

static double speed_after(const char *events, const char *profile, double seconds, mc_run_view *out)
{
    mc_scenario *s;
    mc_run *run = start(&s, "headway: 1, distance: 5", profile, "law: acc", 1, events);
    platoon_steps(run, (int)(seconds / 0.05 + 0.5));
    *out = platoon_view(run, "car1");
    end(s, run);
    return out->motion.v;
}

static void faults_do_what_they_say(void **unused)
{
    (void)unused;
    static const char *const braking = "{table: [[0, 20], [10, 20], [15, 10], [60, 10]]}";
    mc_run_view good, bad;
    // Brake lost: no brake at all; half lost: half of what the law asks for; over: all again.
    speed_after("", braking, 13.0, &good);
    assert_true(good.inputs.brake > 0.05 && good.inputs.throttle == 0.0);
    speed_after("events: [{at: 10, vehicle: car1, brake_lost: 0}]\n", braking, 13.0, &bad);
    assert_true(bad.inputs.brake == 0.0 && bad.gap < good.gap - 0.5 &&
                bad.motion.v > good.motion.v);
    speed_after("events: [{at: 13, vehicle: car1, brake_lost: 0.5}]\n", braking, 13.05, &bad);
    speed_after("", braking, 13.05, &good);
    assert_true(fabs(bad.inputs.brake - 0.5 * good.inputs.brake) < 1e-12);
    speed_after("events: [{at: 10, until: 13, vehicle: car1, brake_lost: 0}]\n", braking, 13.05,
                &bad);
    assert_true(bad.inputs.brake > 0.0);
    // Throttle stuck at a place, and where it is.
    speed_after("events: [{at: 5, vehicle: car1, throttle_stuck: 0.4}]\n", "20", 10.0, &bad);
    assert_true(bad.inputs.throttle == 0.4 && bad.inputs.brake > 0.05); // the law brakes against it
    // A sensor that sees 3 m too much keeps 3 m too little, as long as it does.
    speed_after("events: [{at: 5, vehicle: car1, sensor_bias: 3}]\n", "20", 60.0, &bad);
    printf("sensor 3 m off: spacing error %.4f m\n", bad.error);
    assert_true(fabs(bad.error + 3.0) < 0.02);
    speed_after("events: [{at: 5, until: 50, vehicle: car1, sensor_bias: 3}]\n", "20", 100.0, &bad);
    assert_true(fabs(bad.error) < 0.02);
    // Noise makes the pedals restless.
    speed_after("events: [{at: 5, vehicle: car1, sensor_noise: 0.5}]\n", "20", 20.0, &bad);
    speed_after("", "20", 20.0, &good);
    assert_true(fabs(bad.jerk) > 10.0 * fabs(good.jerk) && fabs(good.jerk) < 1e-3);
    // Another mass: the same throttle gives another acceleration.
    speed_after("events: [{at: 5, vehicle: car1, set: {mass: 3000}}]\n",
                "{table: [[0, 15], [6, 15], [12, 24], [60, 24]]}", 8.0, &bad);
    speed_after("", "{table: [[0, 15], [6, 15], [12, 24], [60, 24]]}", 8.0, &good);
    assert_true(bad.motion.v < good.motion.v - 0.1);
    // Other profile, other controller, a driver's foot and back.
    speed_after("events: [{at: 5, vehicle: leader, profile: slow}]\n", "20", 60.0, &bad);
    assert_true(fabs(bad.motion.v - 12.0) < 0.02);
    speed_after("events: [{at: 0, vehicle: car1, controller: other}, {at: 5, vehicle: leader, "
                "profile: slow}]\n",
                "20", 60.0, &bad);
    // Pipes: the gap falls by 1/0.37 m for each m/s, the desired one by 1 m.
    printf("Pipes behind a leader slowed by 8 m/s: spacing error %.3f m, in theory %.3f m\n",
           bad.error, -8.0 * (1.0 / 0.37 - 1.0));
    assert_true(fabs(bad.error + 8.0 * (1.0 / 0.37 - 1.0)) < 0.8); // engine and brake lag
    speed_after("events: [{at: 5, vehicle: car1, drive: {throttle: 0.3, brake: 0}}]\n", "20", 8.0,
                &bad);
    assert_true(bad.inputs.throttle == 0.3 && bad.inputs.brake == 0.0);
    speed_after("events: [{at: 5, until: 7, vehicle: car1, drive: {brake: 0.3}}]\n", "20", 60.0,
                &bad);
    assert_true(fabs(bad.error) < 0.02);
}

// What has an end is undone at its end: commands of the roadway, profiles, controllers too.
static void events_end(void **unused)
{
    (void)unused;
    mc_run_view view;
    speed_after("events: [{at: 5, until: 40, headway: 1.6}]\n", "20", 39.0, &view);
    assert_true(fabs(view.gap - 5.0 - 1.6 * 20.0) < 0.1);
    speed_after("events: [{at: 5, until: 40, headway: 1.6}]\n", "20", 80.0, &view);
    assert_true(fabs(view.gap - 5.0 - 20.0) < 0.05);
    speed_after("events: [{at: 5, until: 40, distance: 9}]\n", "20", 80.0, &view);
    assert_true(fabs(view.gap - 5.0 - 20.0) < 0.05);
    speed_after("events: [{at: 5, until: 40, vehicle: leader, profile: slow}]\n", "20", 39.0,
                &view);
    assert_true(fabs(view.motion.v - 12.0) < 0.05);
    speed_after("events: [{at: 5, until: 40, vehicle: leader, profile: slow}]\n", "20", 90.0,
                &view);
    assert_true(fabs(view.motion.v - 20.0) < 0.05);
    // Pipes holds the gap it has; the law of the car takes its own again.
    speed_after("events: [{at: 0, until: 40, vehicle: car1, controller: other}, {at: 5, vehicle: "
                "leader, profile: slow}]\n",
                "20", 39.0, &view);
    assert_true(fabs(view.error) > 5.0);
    speed_after("events: [{at: 0, until: 40, vehicle: car1, controller: other}, {at: 5, vehicle: "
                "leader, profile: slow}]\n",
                "20", 90.0, &view);
    assert_true(fabs(view.error) < 0.05);
}

// max_acceleration is a name of the car (in g) and of the platoon law (m/s^2): `set` means the
// car.
static void shared_names_are_the_models(void **unused)
{
    (void)unused;
    double max[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        mc_scenario *s;
        mc_run *run =
            start(&s, "headway: 1, distance: 5", "{table: [[0, 15], [2, 15], [8, 25], [60, 25]]}",
                  "law: platoon", 1,
                  k ? "events: [{at: 0, vehicle: car1, set: {max_acceleration: 0.1}}]\n" : "");
        for (int step = 0; step < 400; step++) {
            platoon_steps(run, 1);
            max[k] = fmax(max[k], platoon_view(run, "car1").desired);
        }
        end(s, run);
    }
    assert_true(max[0] > 1.2);
    assert_true(fabs(max[1] - 0.981) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trim_learns_the_slope),
        cmocka_unit_test(stops_and_drives_off),
        cmocka_unit_test(stands_on_a_slope),
        cmocka_unit_test(roadway_commands_are_obeyed),
        cmocka_unit_test(less_than_the_roadway_is_rejected),
        cmocka_unit_test(avoidance_prevents_a_collision),
        cmocka_unit_test(avoidance_has_its_parameters),
        cmocka_unit_test(falls_back_and_comes_back),
        cmocka_unit_test(faults_do_what_they_say),
        cmocka_unit_test(events_end),
        cmocka_unit_test(shared_names_are_the_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
