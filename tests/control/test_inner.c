// test_inner.c - from desired accelerations to pedals: limits, jerk, trim, hysteresis, take-up.
#include "control/inner.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void defaults(double p[INNER_PARAM_COUNT])
{
    for (int k = 0; k < INNER_PARAM_COUNT; k++)
        p[k] = inner_params[k].fallback;
}

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * (1.0 + fabs(b))))
        fail_msg("%.17g, expected %.17g", a, b);
}

static void table_is_sound(void **unused)
{
    (void)unused;
    for (int k = 0; k < INNER_PARAM_COUNT; k++) {
        const mc_param *p = &inner_params[k];
        assert_true(p->name && p->unit && p->doc && p->min < p->max);
        assert_true(p->fallback >= p->min && p->fallback <= p->max);
    }
}

// What is asked for stays within the car's limits, and changes no faster than the jerk limit.
static void limits(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    p[INNER_TRIM_RATE] = 0.0;
    inner_state s = {0};
    near(inner_ask(p, &s, 9.0, 0.0, -8.0, 3.0, 0.05), 3.0);
    near(inner_ask(p, &s, -90.0, 0.0, -8.0, 3.0, 0.05), -8.0);
    near(s.desired, -8.0);
    p[INNER_JERK_MAX] = 2.0;
    near(inner_ask(p, &s, 3.0, 0.0, -8.0, 3.0, 0.05), -7.9);
    near(inner_ask(p, &s, -7.95, 0.0, -8.0, 3.0, 0.05), -7.95); // less than the limit: all of it
    near(inner_ask(p, &s, -8.0, 0.0, -8.0, 3.0, 0.01), -7.97);
    double before = s.desired;
    for (int k = 0; k < 2000; k++) {
        inner_ask(p, &s, k % 400 < 200 ? 3.0 : -8.0, 0.0, -8.0, 3.0, 0.01);
        assert_true(fabs(s.desired - before) <= 0.02 + 1e-14);
        before = s.desired;
    }
}

// The trim is an integrator: trim(t) = d (1 - exp(-rate t)) behind a constant disturbance d that
// the plant adds, and it stops at its bound.
static void trim_learns(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT], error[2];
    defaults(p);
    p[INNER_TRIM_RATE] = 0.5;
    for (int half = 0; half < 2; half++) {
        const double dt = 0.02 / (1 + half), slope = -0.7;
        inner_state s = {0};
        double measured = slope; // desired 0, nothing learned yet
        for (int k = 0; k < (int)(4.0 / dt + 0.5); k++)
            measured = inner_ask(p, &s, 0.0, measured, -8.0, 3.0, dt) + slope;
        error[half] = fabs(s.trim - 0.7 * (1.0 - exp(-0.5 * 4.0)));
        assert_true(error[half] < 0.005);
    }
    assert_true(error[0] / error[1] > 1.9 && error[0] / error[1] < 2.1); // Euler: first order
    p[INNER_TRIM_MAX] = 0.3;
    inner_state s = {0};
    for (int k = 0; k < 1000; k++)
        inner_ask(p, &s, 0.0, -5.0, -8.0, 3.0, 0.05);
    near(s.trim, 0.3);
    for (int k = 0; k < 1000; k++)
        inner_ask(p, &s, 0.0, 5.0, -8.0, 3.0, 0.05);
    near(s.trim, -0.3);
}

// A pedal at its end teaches nothing: no wind-up.
static void saturated_holds_the_trim(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    p[INNER_TAKE_UP] = 0.0;
    const struct {
        mc_plan plan;
        double asked;
        int saturated;
    } cases[] = {
        {{1.0, 0.0, -0.5}, 3.0, 1},   // full throttle
        {{0.99, 0.0, -0.5}, 2.9, 0},  // nearly
        {{0.0, 0.0, -0.5}, -0.55, 1}, // closed, within the hysteresis: coasts
        {{0.0, 0.4, -0.5}, -3.0, 0},  // brakes
        {{0.0, 1.0, -0.5}, -9.0, 1},  // all it has
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        inner_state s = {.mode = INNER_THROTTLE, .trim = 0.1, .desired = 1.0};
        mc_inputs out = {0};
        inner_act(p, &s, cases[k].asked, &cases[k].plan, 10.0, 0.05, &out);
        assert_true(s.saturated == cases[k].saturated);
        inner_ask(p, &s, 1.0, 0.0, -8.0, 3.0, 0.05); // 1 m/s^2 missed
        near(s.trim, cases[k].saturated ? 0.1 : 0.1 + 0.05 * p[INNER_TRIM_RATE] * 1.0);
    }
}

// The pedal changes where the desired acceleration passes coasting by the hysteresis, and throttle
// and brake never act together.
static void hysteresis(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    for (int wide = 0; wide < 3; wide++) {
        const double h = (const double[]){0.0, 0.15, 0.4}[wide], coast = -0.6;
        p[INNER_HYSTERESIS] = h;
        inner_state s = {.mode = INNER_THROTTLE};
        int changes = 0;
        double at[4] = {0.0};
        for (int k = 0; k <= 4000; k++) { // down and up again, twice
            const double asked = coast + (fabs((double)(k % 2000 - 1000)) - 500.0) / 500.0;
            const mc_plan plan = {asked > coast ? 0.3 : 0.0, asked < coast ? 0.3 : 0.0, coast};
            mc_inputs out = {0};
            const double before = s.mode;
            inner_act(p, &s, asked, &plan, 10.0, 0.01, &out);
            assert_true(out.throttle == 0.0 || out.brake == 0.0);
            if (s.mode != before && changes < 4)
                at[changes] = asked;
            changes += s.mode != before;
        }
        assert_int_equal(changes, 4);
        for (int k = 0; k < 4; k++) {
            const double expected = k % 2 ? coast + h : coast - h;
            assert_true(fabs(at[k] - expected) <= 0.0021);
        }
    }
}

// A car whose pedals are in proportion: full throttle 4 m/s^2, full brake 8 m/s^2 beyond coasting.
static const double COAST = -0.5;

static double drive(const double *p, inner_state *s, double asked, double dt)
{
    const double above = asked - COAST;
    const mc_plan plan = {fmin(fmax(above / 4.0, 0.0), 1.0), fmin(fmax(-above / 8.0, 0.0), 1.0),
                          COAST};
    mc_inputs out = {0};
    inner_act(p, s, asked, &plan, 10.0, dt, &out);
    assert_true(out.throttle == 0.0 || out.brake == 0.0);
    return COAST + 4.0 * out.throttle - 8.0 * out.brake;
}

// What is asked rises and falls at 0.4 m/s^3 through coasting. The pedals do not jump but move at
// that rate and the rate of taking up, in steps of any length; then they give what was asked.
static void pedals_do_not_jump(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    p[INNER_HYSTERESIS] = 0.3;
    for (int which = 0; which < 4; which++) {
        const double dt = (const double[]){0.001, 0.01, 0.04, 0.1}[which];
        const int steps = (int)(5.0 / dt + 0.5);
        inner_state s = {.mode = INNER_BRAKE};
        double before = COAST - 1.0, max = 0.0;
        int slack = 0;
        for (int k = 0; k < 2 * steps; k++) {
            const double t = (k + 0.5) * dt, asked = COAST - 1.0 + 0.4 * (t < 5.0 ? t : 10.0 - t);
            const double slack_before = s.slack, mode_before = s.mode;
            const double force = drive(p, &s, asked, dt);
            max = fmax(max, fabs(force - before) / dt);
            slack += s.slack > 0.0;
            if (slack_before == 0.0 && s.mode == mode_before && !s.saturated)
                near(force, asked);
            before = force;
        }
        assert_true(slack > 0);
        assert_true(max < 0.4 + p[INNER_TAKE_UP] + 1e-9);
        assert_true(max > 0.9 * p[INNER_TAKE_UP] || dt > 0.02);
    }
}

// What is asked jumps by more than the hysteresis h. What the pedal gives less, summed over time,
// is h^2/(2 rate) in steps of any length, and the trim learns nothing from it.
static void taken_up_at_a_rate(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    const double h = p[INNER_HYSTERESIS], rate = p[INNER_TAKE_UP];
    for (int which = 0; which < 5; which++) {
        const double dt = (const double[]){0.001, 0.007, 0.03, 0.1, 1.0}[which];
        for (int brake = 0; brake < 2; brake++) {
            const double asked = COAST + (brake ? -3.0 : 1.0);
            inner_state s = {
                .mode = brake ? INNER_THROTTLE : INNER_BRAKE, .trim = 0.1, .desired = asked};
            double missed = 0.0;
            for (double t = 0.0; t < 2.0; t += dt) {
                const double force = drive(p, &s, asked, dt);
                missed += dt * fabs(asked - force);
                inner_ask(p, &s, asked, force, -8.0, 3.0, dt);
                assert_true(fabs(s.trim - 0.1) < 1e-12);
            }
            assert_true(fabs(missed - 0.5 * h * h / rate) < 1e-12);
        }
    }
}

static void taken_up_at_once(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    p[INNER_TAKE_UP] = 0.0;
    inner_state s = {.mode = INNER_THROTTLE};
    near(drive(p, &s, -3.0, 0.01), -3.0);
    s = (inner_state){.mode = INNER_THROTTLE, .slack = 0.1}; // the rate was changed meanwhile
    near(drive(p, &s, 1.0, 0.01), 1.0);
    assert_true(s.slack == 0.0 && s.trim == 0.0);
}

// Slack is at most the hysteresis, and nothing where all is asked for: who must brake hard does so
// at once. A car that stands forgets it.
static void hard_braking_is_not_delayed(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    inner_state s = {.mode = INNER_THROTTLE};
    near(drive(p, &s, -9.0, 0.001), COAST - 8.0);
    s = (inner_state){.mode = INNER_THROTTLE};
    const double force = drive(p, &s, -8.0, 0.001);
    assert_true(force > -8.0 && force < -8.0 + p[INNER_HYSTERESIS]);
    assert_true(s.slack > 0.0);
    const mc_plan plan = {0.0, 0.1, COAST};
    mc_inputs out = {0};
    s.desired = 0.0;
    inner_act(p, &s, -1.0, &plan, 0.0, 0.001, &out);
    assert_true(s.slack == 0.0 && out.brake >= 0.4);
}

// Near rest the brake comes and goes without a jump, as the desired acceleration does.
static void a_car_is_held_and_released_smoothly(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    defaults(p);
    const mc_plan plan = {0.0, 0.06, 0.2};
    double before = 0.4;
    for (double desired = 0.03; desired < 0.07; desired += 1e-5) {
        inner_state s = {.mode = INNER_BRAKE, .desired = desired};
        mc_inputs out = {0};
        inner_act(p, &s, desired, &plan, 0.0, 0.05, &out);
        assert_true(out.brake <= before && out.brake > before - 0.002 && out.throttle == 0.0);
        before = out.brake;
    }
    near(before, 0.06); // released: what the plan says
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_car_is_held_and_released_smoothly),
        cmocka_unit_test(table_is_sound),
        cmocka_unit_test(limits),
        cmocka_unit_test(trim_learns),
        cmocka_unit_test(saturated_holds_the_trim),
        cmocka_unit_test(hysteresis),
        cmocka_unit_test(pedals_do_not_jump),
        cmocka_unit_test(taken_up_at_a_rate),
        cmocka_unit_test(taken_up_at_once),
        cmocka_unit_test(hard_braking_is_not_delayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
