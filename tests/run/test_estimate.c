// test_estimate.c - estimators on cars of a run: the mass by eqs (9) to (12), the user's own
// formulas, switched on and off, gains and start edited live, images, the step while braking, and
// all of it after snapshots, edits and replays.
#include "motorcade/observe.h"
#include "run/run.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Two lanes: a leader that brakes in waves, a car behind it that is heavier than it believes.
static const char scene[] =
    "motorcade: scenario\ntime: {end: 200, step: %s}\n"
    "road: {lanes: 2, headway: 1, distance: 5}\n"
    "profiles: {waves: {formula: \"20 + 9*cos(2*pi*t/40) + 0.8*sin(0.8*t)\"}}\n"
    "models:\n  believed: {kind: powertrain}\n"
    "  target: {like: believed, mass: 2000, nominal_mass: 1839.317}\n  point: {kind: point}\n"
    "controllers: {brake: {law: brake}, acc: {law: acc}}\n"
    "estimators:\n"
    "  weight: {method: mass, start: 1400}\n"
    "  own:\n"
    "    method:\n"
    "      parameter: mass\n      unit: kg\n      active: braking\n"
    "      parameters: {start: \"1400 [kg]\", k1: \"1 [1/s]\", k2: \"0.25 [1/s^2]\", h: \"1 "
    "[s]\"}\n"
    "      variables: {K: mass*(k1 + k2*h), F: coast_force - brake_force + e_b}\n"
    "      states:\n"
    "        v_hat: {rate: F*q, start: v, unit: m/s}\n"
    "        e_b: {rate: \"5 [1/s]*(K*(v - v_hat) - e_b)\", unit: N}\n"
    "        q: {rate: \"F*(user1*(v - v_hat) - user2*e_b)\", start: 1/start, unit: 1/kg}\n"
    "      restart: [v_hat, e_b]\n      estimate: 1/q\n"
    "  lag: {method: {active: 1, unit: m/s, states: {s: {rate: 0.5*(v - s), start: v, unit: m/s}}, "
    "estimate: s}}\n"
    "platoons:\n"
    "  - lane: 1\n    leader: {model: believed, name: car1, profile: waves}\n"
    "    cars:\n"
    "      - {model: target, name: car2, controller: brake%s}\n"
    "      - {model: target, name: car3, controller: brake, user1: 1e-6, user2: 5e-11%s}\n"
    "  - lane: 2\n    leader: {model: believed, name: car5, profile: waves}\n"
    "    cars:\n"
    "      - {model: believed, name: car6, controller: brake%s}\n"
    "      - {model: point, name: car7, controller: acc%s}\n%s";

static mc_run *make(const char *step, const char *two, const char *three, const char *six,
                    const char *seven, const char *rest, mc_scenario **s)
{
    char text[4096];
    assert_true(snprintf(text, sizeof text, scene, step, two, three, six, seven, rest) <
                (int)sizeof text);
    *s = platoon_scenario(text);
    return platoon_run(*s, 1);
}

static void until(mc_run *run, double t)
{
    mc_error error = {0};
    while (mc_run_time(run) < t - 1e-6)
        if (mc_run_step(run, &error) != MC_OK)
            fail_msg("%s", error.text);
}

static mc_run_estimate estimate_of(const mc_run *run, const char *car)
{
    mc_run_estimate e;
    assert_true(mc_run_estimate_of(run, mc_run_find(run, car), &e));
    return e;
}

static double param(const mc_run *run, const char *car, const char *group, const char *name)
{
    mc_run_param p;
    for (int k = 0; mc_run_param_at(run, mc_run_find(run, car), k, &p); k++)
        if (strcmp(p.group, group) == 0 && strcmp(p.row->name, name) == 0)
            return p.value;
    return NAN;
}

static mc_status command(mc_run *run, const char *event, const char *car, const char *text,
                         double value, mc_error *error)
{
    return mc_run_command(
        run, &(mc_command){.event = event, .vehicle = car, .param = text, .value = value}, error);
}

static void give(mc_run *run, const char *event, const char *car, const char *text, double value)
{
    mc_error error = {0};
    if (command(run, event, car, text, value, &error) != MC_OK)
        fail_msg("%s", error.text);
}

static void done(mc_run *run, mc_scenario *s)
{
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// The observer of the library finds the mass within its band. Two cars one behind the other brake
// differently, so the same equations as formulas are tried on the same car.
static void the_mass_is_found(void **unused)
{
    (void)unused;
    mc_scenario *s[2];
    mc_run *run[2];
    double value[2];
    static const char *const given[2] = {", estimator: weight", ", estimator: own, user1: 1e-6, "
                                                                "user2: 5e-11"};
    for (int k = 0; k < 2; k++) {
        run[k] = make("0.01", given[k], "", "", "", "", &s[k]);
        until(run[k], 20.0);
        const mc_run_estimate e = estimate_of(run[k], "car2");
        assert_string_equal(e.parameter, "mass");
        assert_string_equal(e.unit, "kg");
        assert_true(e.on && e.claimed);
        value[k] = e.value;
        if (k == 0)
            assert_true(fabs(e.value - 2000.0) < e.band && e.band < 300.0);
    }
    assert_true(fabs(value[0] - 2000.0) < 0.05 * 2000.0);
    assert_true(fabs(value[1] / value[0] - 1.0) < 2e-4);
    assert_true(mc_run_find(run[0], "car2") == 1);
    for (int k = 0; k < 2; k++)
        done(run[k], s[k]);
}

// An estimator only watches.
static void the_motion_is_the_same(void **unused)
{
    (void)unused;
    mc_scenario *s[2];
    mc_run *run[2];
    mc_run_view view[2];
    for (int k = 0; k < 2; k++) {
        run[k] = make("0.05", k ? ", estimator: weight" : "", k ? ", estimator: own" : "", "",
                      k ? ", estimator: lag" : "", "", &s[k]);
        until(run[k], 20.0);
    }
    for (int v = 0; v < mc_run_vehicle_count(run[0]); v++) {
        for (int k = 0; k < 2; k++)
            mc_run_look(run[k], v, &view[k]);
        assert_memory_equal(&view[0].motion, &view[1].motion, sizeof view[0].motion);
    }
    const mc_run_estimate lag = estimate_of(run[1], "car7"); // any car, any quantity
    assert_string_equal(lag.unit, "m/s");
    assert_true(lag.value > view[0].motion.v); // it lags behind a car that slows down
    for (int k = 0; k < 2; k++)
        done(run[k], s[k]);
}

// In a scenario that mentions no estimator: on, off, on; start, gains; loaded on the way.
static void switched_live(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make("0.05", "", "", "", "", "", &s);
    mc_run_estimate e;
    mc_error error = {0};
    until(run, 2.0);
    assert_false(mc_run_estimate_of(run, 1, &e));
    assert_true(isnan(param(run, "car2", "estimator", "start")));
    give(run, "estimator", "car2", "mass", 0.0);
    until(run, 2.1);
    assert_true(fabs(estimate_of(run, "car2").value - 1839.317) < 1e-9); // the nominal mass
    assert_true(param(run, "car2", "user", "user1") ==
                1e-6); // gains at what the method starts with
    assert_true(param(run, "car2", "user", "user2") == 5e-11);
    give(run, "set", "car2", "estimator.start", 1400.0);
    until(run, 2.2);
    assert_true(fabs(estimate_of(run, "car2").value - 1400.0) < 1e-9);
    until(run, 10.0);
    const double learnt = estimate_of(run, "car2").value;
    assert_true(fabs(learnt - 2000.0) < 200.0);
    give(run, "estimator", "car2", "none", 0.0);
    until(run, 15.0);
    e = estimate_of(run, "car2");
    assert_true(!e.on && !e.active && e.value == learnt); // held
    give(run, "estimator", "car2", "mass", 0.0);
    give(run, "set", "car2", "user1", 0.0); // without gains nothing is learnt
    give(run, "set", "car2", "user2", 0.0);
    until(run, 18.0);
    e = estimate_of(run, "car2");
    assert_true(e.on && e.active && e.value == learnt);
    give(run, "set", "car2", "user1", 1e-6);
    give(run, "set", "car2", "user2", 5e-11);
    give(run, "set", "car2", "mass", 2600.0); // loaded
    until(run, 60.0);
    e = estimate_of(run, "car2");
    assert_true(fabs(e.value - 2600.0) < e.band && e.band < 500.0);
    assert_int_equal(command(run, "estimator", "car2", "nonsense", 0.0, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "unknown estimator \"nonsense\""));
    assert_int_equal(command(run, "estimator", "car7", "mass", 0.0, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "needs brake_force, which car7 does not have"));
    assert_int_equal(command(run, "set", "car2", "estimator.start", -1.0, &error), MC_BAD_INPUT);
    done(run, s);
}

// Events of a scenario do the same; until: what was before.
static void by_events(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make("0.05", "", "", "", "",
                       "events:\n"
                       "  - {at: 1, vehicle: car2, estimator: weight, until: 6}\n"
                       "  - {at: 3, vehicle: car2, set: {estimator.start: 1500}}\n"
                       "  - {at: 2, vehicle: car7, estimator: lag}\n"
                       "  - {at: 4, vehicle: car7, estimator: none}\n",
                       &s);
    until(run, 1.5);
    assert_true(estimate_of(run, "car2").value == 1400.0);
    until(run, 3.0);
    until(run, 3.05);
    assert_true(fabs(estimate_of(run, "car2").value - 1500.0) < 1e-9);
    until(run, 8.0);
    assert_false(estimate_of(run, "car2").on);
    assert_false(estimate_of(run, "car7").on);
    assert_true(mc_run_has_estimators(run));
    done(run, s);
}

// The second car of the other lane has the estimated mass; to edit it is to edit the start value.
static void an_image_shows_it(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make("0.05", ", estimator: weight", "", ", image_of: car2", "", "", &s);
    const int image = mc_run_find(run, "car6");
    until(run, 10.0);
    assert_true(mc_run_mass(run, image) == estimate_of(run, "car2").value);
    assert_true(fabs(mc_run_mass(run, image) - 2000.0) < 250.0);
    until(run, 26.0); // not braking: nothing changes by itself
    give(run, "set", "car6", "mass", 1234.0);
    until(run, 27.0);
    assert_true(fabs(estimate_of(run, "car2").value - 1234.0) < 1e-9);
    assert_true(fabs(mc_run_mass(run, image) - 1234.0) < 1e-9);
    assert_true(mc_run_mass(run, mc_run_find(run, "car2")) == 2000.0);
    done(run, s);
}

// Snapshots, and an edit on the way: nothing is lost, the bits are the same again.
static void kept_in_state(void **unused)
{
    (void)unused;
    mc_scenario *s, *t;
    mc_run *run =
        make("0.05, braking_step: 0.01", ", estimator: weight", ", estimator: own", "", "", "", &s);
    mc_run *other =
        make("0.05, braking_step: 0.01", ", estimator: weight", ", estimator: own", "", "", "", &t);
    mc_snapshot kept;
    mc_error error = {0};
    until(run, 8.0);
    mc_run_clock clock;
    mc_run_clock_of(run, &clock);
    assert_true(clock.size == 0.01); // a car brakes
    assert_int_equal(mc_run_save(run, &kept, &error), MC_OK);
    until(run, 16.0);
    const unsigned long long hash = mc_run_hash(run);
    assert_int_equal(mc_run_restore(run, &kept, &error), MC_OK);
    until(run, 16.0);
    assert_true(mc_run_hash(run) == hash);
    assert_int_equal(mc_run_restore(other, &kept, &error), MC_OK); // a run that was never there
    mc_run_clock_of(other, &clock);
    assert_true(clock.size == 0.01);
    until(other, 16.0);
    assert_true(mc_run_hash(other) == hash);
    const mc_run_estimate before = estimate_of(other, "car2");
    if (mc_run_edit(other, "{grades: [{from: 1e5, to: 2e5, grade: 1 %}]}", &error) != MC_OK)
        fail_msg("%s", error.text);
    const mc_run_estimate after = estimate_of(other, "car2");
    assert_true(after.value == before.value && after.band == before.band && after.on);
    until(other, 18.0);
    until(run, 18.0);
    assert_true(estimate_of(other, "car3").value == estimate_of(run, "car3").value);
    mc_snapshot_free(&kept);
    done(run, s);
    done(other, t);
}

// While a car with an estimator brakes, steps are short; rows keep their distance.
static void the_step_while_braking(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make("0.05, record: 0.1, braking_step: 0.01", ", estimator: weight", "", "", "",
                       "events: [{at: 4.02, vehicle: car3, set: {user3: 7}}]\n", &s);
    mc_run_clock clock;
    double before = 0.0, longest = 0.0, shortest = 1.0;
    int rows = 0;
    mc_error error = {0};
    for (; mc_run_time(run) < 60.0 - 1e-6; before = mc_run_time(run)) {
        const bool worked = estimate_of(run, "car2").active;
        assert_int_equal(mc_run_step(run, &error), MC_OK);
        mc_run_clock_of(run, &clock);
        const double step = mc_run_time(run) - before;
        longest = fmax(longest, step);
        shortest = fmin(shortest, step);
        assert_true(step < 0.011 || step > 0.049);
        if (step > 0.049 && worked) // it began less than a row ago
            assert_true(clock.step - clock.first_step > 0 || clock.first_step == 0);
        rows += fabs(mc_run_time(run) / 0.1 - floor(mc_run_time(run) / 0.1 + 0.5)) < 1e-6;
    }
    assert_true(fabs(longest - 0.05) < 1e-9 && fabs(shortest - 0.01) < 1e-9);
    assert_int_equal(rows, 600);
    assert_true(param(run, "car3", "user", "user3") == 7.0);
    assert_int_equal(mc_run_happened_count(run), 1); // once, although the step changed
    const double switched = estimate_of(run, "car2").value;
    done(run, s);

    // As accurate as with short steps throughout.
    run = make("0.01", ", estimator: weight", "", "", "", "", &s);
    until(run, 60.0);
    const double fine = estimate_of(run, "car2").value;
    done(run, s);
    run = make("0.05", ", estimator: weight", "", "", "", "", &s);
    until(run, 60.0);
    const double coarse = estimate_of(run, "car2").value;
    done(run, s);
    assert_true(fabs(switched - fine) < 0.5 * fabs(coarse - fine) ||
                fabs(switched - fine) < 1e-3 * fine);
}

// Messages under way when the step changes arrive when they would have.
static void radio_keeps_its_delay(void **unused)
{
    (void)unused;
    mc_scenario *s[2];
    mc_run *run[2];
    mc_run_view view[2];
    for (int k = 0; k < 2; k++) {
        run[k] = make(k ? "0.01" : "0.05, braking_step: 0.01", ", estimator: weight", "", "", "",
                      "events: [{at: 0, vehicle: car3, radio_delay: 0.3}]\n", &s[k]);
        until(run[k], 30.0);
        mc_run_look(run[k], 2, &view[k]);
    }
    assert_true(fabs(view[0].motion.x - view[1].motion.x) < 0.2);
    for (int k = 0; k < 2; k++)
        done(run[k], s[k]);
}

// A method and the short step come by edits, while it runs.
static void by_edits(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make("0.05", ", estimator: weight", "", "", "", "", &s);
    mc_run_clock clock;
    mc_error error = {0};
    until(run, 8.0);
    assert_int_equal(mc_run_edit(run, "{braking_step: 0.01}", &error), MC_OK);
    assert_int_equal(mc_run_edit(run,
                                 "{estimators: {top: {method: {active: 1, unit: m/s, states: "
                                 "{s: {rate: \"max(v - s, 0)/dt\", unit: m/s}}, estimate: s}}}}",
                                 &error),
                     MC_OK);
    give(run, "estimator", "car7", "top", 0.0);
    until(run, 9.0);
    mc_run_clock_of(run, &clock);
    assert_true(clock.size == 0.01);
    assert_true(fabs(estimate_of(run, "car7").value - platoon_view(run, "car7").motion.v) < 5.0);
    assert_int_equal(mc_run_edit(run, "{braking_step: 0.05}", &error), MC_OK);
    until(run, 10.0);
    mc_run_clock_of(run, &clock);
    assert_true(clock.size == 0.05);
    assert_int_equal(mc_run_edit(run, "{braking_step: 0.03}", &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "expected a whole fraction of step"));
    done(run, s);
}

static void rejected(const char *two, const char *rest, const char *says)
{
    char text[4096];
    mc_error error = {0};
    snprintf(text, sizeof text, scene, "0.05", two, "", "", "", rest);
    mc_scenario *s = mc_scenario_parse(text, strlen(text), "x.yaml", &error);
    mc_run *run = s ? mc_run_create(s, NULL, &error) : NULL;
    if (run || !strstr(error.text, says))
        fail_msg("%s: \"%s\"", says, run ? "accepted" : error.text);
    mc_scenario_free(s);
}

static void bad_scenarios(void **unused)
{
    (void)unused;
    rejected(", estimator: weights", "", "did you mean weight");
    rejected(", image_of: car9", "", "car9");
    rejected(", image_of: car2", "", "car2 cannot be an image of itself");
    rejected("", "events: [{at: 1, vehicle: car2, estimator: other}]\n", "estimator");
    rejected("", "events: [{at: 1, vehicle: car2, set: {estimator.start: 5}}]\n",
             "estimator.start");
    rejected("", "vehicles: [{model: point, name: p, lane: 2, x: 900, estimator: mass}]\n",
             "needs brake_force, which p does not have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mass_is_found),
        cmocka_unit_test(the_motion_is_the_same),
        cmocka_unit_test(switched_live),
        cmocka_unit_test(by_events),
        cmocka_unit_test(an_image_shows_it),
        cmocka_unit_test(kept_in_state),
        cmocka_unit_test(the_step_while_braking),
        cmocka_unit_test(radio_keeps_its_delay),
        cmocka_unit_test(by_edits),
        cmocka_unit_test(bad_scenarios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
