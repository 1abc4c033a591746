// test_lead.c - a platoon that leads as another one does: its leader moves as the other, to the
// bit, whatever drives that one.
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static mc_scenario *two(const char *model, const char *second, const char *events)
{
    char text[1400];
    snprintf(text, sizeof text,
             "motorcade: scenario\nseed: 5\ntime: {end: 100, step: 0.05}\n"
             "road: {lanes: 3, speed: 20, grades: [{from: 300, to: 500, grade: 3 %%}]}\n"
             "models: {car: %s, other: {kind: point, mass: 900}}\n"
             "controllers: {calm: {law: acc, headway: 1.5}, keen: {law: platoon, headway: 0.8}}\n"
             "platoons:\n"
             "  - {leader: {model: car, name: a0, profile: moderate},"
             " cars: [{model: car, name: a, count: 3, controller: calm}]}\n"
             "  - {lane: 2, leader: {model: car, name: b0, profile: moderate}, %s"
             " cars: [{model: car, name: b, count: 3, controller: keen}]}\n"
             "  - {lane: 3, leader: {model: other, name: c0, profile: 20}}\n"
             "%s",
             model, second, events);
    return platoon_scenario(text);
}

// Hands that throttle, brake and turn the wheel a little.
static void hands(mc_run *run, const char *vehicle, int k)
{
    const mc_inputs inputs = {.throttle = k % 80 < 40 ? 0.3 : 0.0,
                              .brake = k % 80 >= 60 ? 0.1 : 0.0,
                              .steer = 0.004 * sin(0.07 * k)};
    platoon_command(run, &(mc_command){.event = "drive", .vehicle = vehicle, .inputs = inputs});
}

static void same_motion(const mc_run *run, int k)
{
    const mc_run_view a = platoon_view(run, "a0"), b = platoon_view(run, "b0");
    const mc_motion *m = &a.motion, *n = &b.motion;
    assert_int_equal(a.hits + b.hits, 0);
    const bool same = m->x == n->x && m->v == n->v && m->a == n->a &&
                      memcmp(&a.inputs, &b.inputs, sizeof a.inputs) == 0 &&
                      a.desired == b.desired && a.jerk == b.jerk;
    if (!same)
        fail_msg("step %d: x %.17g and %.17g m, v %.17g and %.17g m/s", k, m->x, n->x, m->v, n->v);
}

// One of the two leaders is driven by hand, whichever it is.
static void drive(const char *model, const char *whom)
{
    mc_scenario *s = two(model, "leads_as: 1,", "");
    mc_run *run = platoon_run(s, 1);
    double v = NAN;
    for (int k = 0; k < 500; k++) {
        if (k >= 100 && k < 400)
            hands(run, whom, k);
        else if (k == 400)
            platoon_command(run, &(mc_command){.event = "release", .vehicle = whom});
        platoon_steps(run, 1);
        same_motion(run, k);
        v = k == 300 ? platoon_view(run, "a0").motion.v : v;
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
    mc_scenario *alone = two(model, "", "");
    run = platoon_run(alone, 1);
    platoon_steps(run, 301);
    assert_true(fabs(platoon_view(run, "a0").motion.v - v) > 1e-3); // the hands were felt
    mc_run_destroy(run);
    mc_scenario_free(alone);
}

static void leaders_move_alike(void **unused)
{
    (void)unused;
    static const char *const models[] = {
        "point", "{kind: point, lag: 0.3}", "powertrain",
        "{powertrain: manifold, brake_delay: 0.15}",
        "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6}"};
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++)
        drive(models[k], k % 2 ? "b0" : "a0");
    drive("powertrain", "b0");
}

// By an event, by a command, and back: from then on it drives by itself.
static void it_is_live(void **unused)
{
    (void)unused;
    mc_scenario *s =
        two("powertrain", "", "events: [{at: 2, until: 10, vehicle: b0, leads_as: 1}]\n");
    mc_run *run = platoon_run(s, 1);
    for (int k = 0; k < 200; k++) {
        if (k >= 60)
            hands(run, "a0", k);
        platoon_steps(run, 1);
        same_motion(run, k);
    }
    for (int k = 200; k < 260; k++) {
        hands(run, "a0", k);
        platoon_steps(run, 1);
    }
    assert_true(fabs(platoon_view(run, "a0").motion.v - platoon_view(run, "b0").motion.v) > 0.01);
    // Their speeds differ now: it catches up by its own law, then takes the pedals over.
    platoon_command(run, &(mc_command){.event = "leads_as", .vehicle = "b0", .value = 1});
    platoon_command(run, &(mc_command){.event = "release", .vehicle = "a0"});
    platoon_steps(run, 1200);
    const mc_run_view a = platoon_view(run, "a0"), b = platoon_view(run, "b0");
    assert_true(fabs(a.motion.v - b.motion.v) <= 2e-3);
    assert_true(a.inputs.throttle == b.inputs.throttle && a.inputs.brake == b.inputs.brake);
    mc_run_vehicle_info info;
    mc_run_vehicle(run, mc_run_find(run, "b0"), &info);
    assert_int_equal(info.leads_as, 1);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static unsigned long long end_of(mc_run *run, int steps)
{
    for (int k = 0; k < steps; k++) {
        hands(run, "a0", k);
        platoon_steps(run, 1);
        same_motion(run, k);
    }
    return mc_run_hash(run);
}

// A snapshot, and another version of the scenario, know of it.
static void it_is_state(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = two("powertrain", "", "");
    mc_run *run = platoon_run(s, 1);
    platoon_command(run, &(mc_command){.event = "leads_as", .vehicle = "b0", .value = 1});
    platoon_steps(run, 20);
    mc_snapshot snapshot;
    assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
    const unsigned long long first = end_of(run, 100);
    assert_int_equal(mc_run_restore(run, &snapshot, &error), MC_OK);
    mc_run_forget_commands(run);
    assert_true(end_of(run, 100) == first);
    mc_snapshot_free(&snapshot);
    if (mc_run_edit(run, "{add: {model: car, controller: calm, platoon: b3}}", &error) != MC_OK)
        fail_msg("%s", error.text);
    end_of(run, 100);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A platoon that goes takes its number along: those after it are one less.
static void numbers_follow(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\ntime: {end: 10}\nroad: {lanes: 3}\nmodels: {car: point}\n"
        "platoons:\n  - {leader: {model: car, name: gone, profile: 20}}\n"
        "  - {lane: 2, leader: {model: car, name: first, profile: 22}}\n"
        "  - {lane: 3, leads_as: 2, leader: {model: car, name: second, profile: 22}}\n");
    mc_run *run = platoon_run(s, 1);
    mc_run_vehicle_info info;
    assert_int_equal(mc_run_edit(run, "{remove: gone}", &error), MC_OK);
    platoon_steps(run, 20);
    mc_run_vehicle(run, mc_run_find(run, "second"), &info);
    assert_int_equal(info.leads_as, 1);
    assert_int_equal(mc_run_edit(run, "{remove: first}", &error), MC_OK);
    platoon_steps(run, 1);
    mc_run_vehicle(run, mc_run_find(run, "second"), &info);
    assert_int_equal(info.leads_as, 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void what_cannot_be_is_rejected(void **unused)
{
    (void)unused;
    static const struct {
        const char *vehicle;
        double platoon;
        const char *says;
    } cases[] = {
        {"a1", 2, "a1 does not lead a platoon"},
        {"b0", 4, "unknown platoon 4; expected 1 .. 3, or 0"},
        {"b0", 2, "b0 leads platoon 2 itself"},
        {"b0", 3, "b0 is of model car, c0 of model other"},
        {"b0", 0.5, "leads_as is 0.5, expected the number of a platoon, or 0"},
        {"a0", 2, "platoon 2 leads as platoon 1 does; expected one that leads by itself"},
    };
    mc_error error;
    mc_scenario *s = two("powertrain", "leads_as: 1,", "");
    mc_run *run = platoon_run(s, 1);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const mc_command c = {
            .event = "leads_as", .vehicle = cases[k].vehicle, .value = cases[k].platoon};
        mc_status status = mc_run_command(run, &c, &error);
        if (status == MC_OK)
            status = mc_run_step(run, &error);
        if (status != MC_BAD_INPUT || !strstr(error.text, cases[k].says))
            fail_msg("%s: %s", cases[k].says, status == MC_OK ? "accepted" : error.text);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaders_move_alike),
        cmocka_unit_test(it_is_live),
        cmocka_unit_test(it_is_state),
        cmocka_unit_test(numbers_follow),
        cmocka_unit_test(what_cannot_be_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
