// test_steering.c - the steering against its equation, integrated in small steps.
#include "parts/steering.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// d' = (c - d)/lag, at most rate in size: Euler's steps of a microsecond.
static double integrated(const steering *s, double angle, double command, double t)
{
    const int steps = (int)lround(t / 1e-6);
    for (int k = 0; k < steps; k++) {
        double speed = (command - angle) / s->lag;
        speed = fmax(fmin(speed, s->rate), -s->rate);
        angle += 1e-6 * speed;
    }
    return angle;
}

static void follows_its_equation(void **unused)
{
    (void)unused;
    static const steering cases[] = {{0.05, 1.0, 0.6}, {0.2, 0.3, 0.6}, {0.01, 100.0, 0.6}};
    static const double from[] = {0.0, 0.2, -0.3}, to[] = {0.4, -0.5, -0.29};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (double t = 0.01; t < 1.0; t *= 3.0) {
                const double exact = steering_after(&cases[k], from[j], to[j], t);
                assert_true(fabs(exact - integrated(&cases[k], from[j], to[j], t)) < 1e-4);
                // Two parts are the whole.
                const double half = steering_after(&cases[k], from[j], to[j], 0.4 * t);
                assert_true(fabs(steering_after(&cases[k], half, to[j], 0.6 * t) - exact) < 2e-12);
                // The speed is its slope.
                const double next = steering_after(&cases[k], exact, to[j], 1e-7);
                assert_true(fabs((next - exact) / 1e-7 - steering_speed(&cases[k], exact, to[j])) <
                            1e-3);
            }
}

// Without lag it turns at its rate and stops; at a rate beyond all measure it jumps.
static void without_lag(void **unused)
{
    (void)unused;
    const steering slow = {0.0, 0.5, 0.6}, jump = {0.0, 1e9, 0.6};
    double over[3];
    assert_true(fabs(steering_after(&slow, 0.0, 0.2, 0.1) - 0.05) < 1e-15);
    assert_true(steering_after(&slow, 0.0, 0.2, 0.5) == 0.2);
    steering_over(&slow, 0.0, 0.2, 0.1, over);
    assert_true(over[0] == 0.0 && fabs(over[1] - 0.025) < 1e-15);
    steering_over(&jump, 0.0, 0.2, 0.01, over);
    assert_true(over[0] == 0.2 && over[1] == 0.2 && over[2] == 0.2);
    assert_true(steering_command(&slow, 2.0) == 0.6 && steering_command(&slow, -2.0) == -0.6);
}

// It arrives: after many time constants the angle is the command, and stays there.
static void arrives(void **unused)
{
    (void)unused;
    const steering s = {0.05, 1.0, 0.6};
    assert_true(steering_after(&s, 0.0, 0.1, 3.0) == 0.1);
    assert_true(steering_after(&s, 0.1, 0.1, 1.0) == 0.1 && steering_speed(&s, 0.1, 0.1) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_its_equation),
        cmocka_unit_test(without_lag),
        cmocka_unit_test(arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
