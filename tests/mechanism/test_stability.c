// test_stability.c - the stability bound of the engine impulses: closed forms, and runs on both
// sides of it.
#include "mechanism/by_impulses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRISM                                                                                      \
    "motorcade: multibody\n"                                                                       \
    "gravity: [0, 0, 0]\n"                                                                         \
    "bodies:\n"                                                                                    \
    "  m: {joint: prism, axis: z, mass: 2, stiffness: 800, damping: %g, start: {travel: 0.1}}\n"

static mc_multibody *load(const char *text)
{
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_error error = {0};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("%s", error.text);
    return m;
}

static double bound_of(mc_multibody *m)
{
    double y[64], bound;
    mc_error error;
    mc_multibody_start(m, y);
    assert_int_equal(simulate_stability(m, 0.0, y, &bound, &error), MC_OK);
    return bound;
}

// omega = 20 rad/s: 2/omega without a damper.
static void spring_alone(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text, PRISM, 0.0);
    mc_multibody *m = load(text);
    assert_true(fabs(bound_of(m) - 0.1) < 1e-3 * 0.1);
    mc_multibody_free(m);
}

// The largest |y| after many steps of h.
static double largest_after(mc_multibody *m, double h)
{
    mc_simulate_options o = {.end = 4000 * h,
                             .step = 4000 * h,
                             .fixed_step = h,
                             .engine = "impulses",
                             .unbounded = true};
    double y[64], most = 0.0;
    mc_error error;
    mc_multibody_start(m, y);
    if (mc_simulate(m, &o, y, NULL, NULL, NULL, &error) != MC_OK)
        return INFINITY; // beyond what a number can hold
    for (int i = 0; i < m->system.y_count; i++)
        most = fmax(most, fabs(y[i]));
    return most;
}

static void bounded_below_and_growing_above(void **state)
{
    (void)state;
    static const char chain[] =
        "motorcade: multibody\n"
        "bodies:\n"
        "  a: {joint: prism, axis: z, mass: 2, stiffness: 900, damping: 3}\n"
        "  b: {inboard: a, joint: hinge, axis: y, mass: 1, com: [0, 0, -0.4], inertia: [0.01, "
        "0.02, "
        "0.01],\n"
        "      stiffness: 50, damping: 0.4, start: {angle: 0.001}}\n"
        "  c: {inboard: b, joint: hinge, axis: y, at: [0, 0, -0.8], mass: 1, com: [0, 0, -0.4],\n"
        "      inertia: [0.01, 0.02, 0.01], stiffness: 50, damping: 1}\n";
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(text, sizeof text, PRISM, k == 0 ? 0.0 : 12.0);
        mc_multibody *m = load(k < 2 ? text : chain);
        const double bound = bound_of(m);
        assert_true(bound > 0.0);
        assert_true(largest_after(m, 0.99 * bound) < 100.0);
        assert_true(largest_after(m, 1.02 * bound) > 1e6);
        mc_multibody_free(m);
    }
}

static void too_long_a_step_is_rejected(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text, PRISM, 0.0);
    mc_multibody *m = load(text);
    mc_simulate_options o = {.end = 1.2, .fixed_step = 0.12, .engine = "impulses"};
    double y[8];
    mc_error error;
    mc_multibody_start(m, y);
    assert_int_equal(mc_simulate(m, &o, y, NULL, NULL, NULL, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "above the stability bound 0.1"));
    o.substeps = 2;
    mc_multibody_start(m, y);
    assert_int_equal(mc_simulate(m, &o, y, NULL, NULL, NULL, &error), MC_OK);
    mc_multibody_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_alone),
        cmocka_unit_test(bounded_below_and_growing_above),
        cmocka_unit_test(too_long_a_step_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
