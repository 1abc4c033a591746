// test_push.c - a car that is pushed moves as the closed form says: its law asks for nothing, so
// that the push is all its acceleration. Pedals give it too, as far as they can; the law and the
// radio do not know of it.
#include "run/run.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static mc_run *pushed(const char *kind, double step, const char *event, mc_scenario **s)
{
    char text[1024];
    snprintf(text, sizeof text,
             "motorcade: scenario\nseed: 3\ntime: {end: 100, step: %g}\nmodels: {car: {kind: %s}}\n"
             "controllers: {none: {law: {acceleration: 0 m/s^2}}}\n"
             "vehicles: [{model: car, name: car, controller: none, x: 0, v: 20}]\n"
             "events: [{at: 1, vehicle: car, %s}]\n",
             step, kind, event);
    *s = platoon_scenario(text);
    return platoon_run(*s, 1);
}

// Speed gained by t.
static double gained(const char *kind, double step, const char *event, double t, double *desired)
{
    mc_scenario *s;
    mc_run *run = pushed(kind, step, event, &s);
    mc_run_view view;
    platoon_steps(run, (int)floor(t / step + 0.5));
    mc_run_look(run, 0, &view);
    if (desired)
        *desired = view.desired;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return view.motion.v - 20.0;
}

static void a_step_and_a_pulse(void **unused)
{
    (void)unused;
    double desired;
    assert_true(fabs(gained("point", 0.01, "push: 0.5", 5.0, &desired) - 2.0) < 1e-9);
    assert_true(fabs(desired) < 1e-12); // the law asks for nothing
    assert_true(fabs(gained("point", 0.01, "push: -0.5, shape: for 2 s", 5.0, NULL) + 1.0) < 1e-9);
    assert_true(fabs(gained("point", 0.01, "push: 0.5, until: 3", 5.0, NULL) - 1.0) < 1e-9);
}

// v = A / (2 pi f) (1 - cos 2 pi f t); the push is that of the middle of a step: second order.
static void a_sine(void **unused)
{
    (void)unused;
    const double pi = 3.141592653589793, f = 0.2, t = 3.0;
    const double exact = 0.8 / (2.0 * pi * f) * (1.0 - cos(2.0 * pi * f * t));
    double error[2];
    for (int k = 0; k < 2; k++)
        error[k] =
            gained("point", k ? 0.05 : 0.1, "push: 0.8, shape: sine 0.2 Hz", 1.0 + t, NULL) - exact;
    assert_true(fabs(error[0]) < 1e-2 * exact);
    assert_true(fabs(error[0] / error[1] - 4.0) < 0.1);
}

// The speed does a random walk: n steps of standard deviation s dt each.
static void noise(void **unused)
{
    (void)unused;
    const double dt = 0.01;
    mc_scenario *s;
    mc_run *run = pushed("point", dt, "push: 0.5, shape: noise", &s);
    mc_run_view view;
    double sum = 0.0, squares = 0.0, before = NAN;
    int n = 0;
    for (int k = 0; k < 8000; k++) {
        platoon_steps(run, 1);
        mc_run_look(run, 0, &view);
        if (k > 110) {
            const double a = (view.motion.v - before) / dt;
            sum += a, squares += a * a, n++;
        }
        before = view.motion.v;
    }
    assert_true(fabs(sum / n) < 4.0 * 0.5 / sqrt(n));
    assert_true(fabs(sqrt(squares / n) - 0.5) < 0.02);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Engine and brake produce it as well; the inner loop, which learns from desired and measured
// acceleration, works against it.
static void by_pedals(void **unused)
{
    (void)unused;
    double desired;
    const double still = gained("powertrain", 0.01, "push: 0", 3.0, NULL);
    const double forward = gained("powertrain", 0.01, "push: 0.5", 3.0, &desired);
    const double back = gained("powertrain", 0.01, "push: -0.5", 3.0, NULL);
    assert_true(fabs(desired) < 1e-12);
    assert_true(forward - still > 0.3 && forward - still < 1.05);
    assert_true(back - still < -0.3 && back - still > -1.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_and_a_pulse),
        cmocka_unit_test(a_sine),
        cmocka_unit_test(noise),
        cmocka_unit_test(by_pedals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
