// test_lane_change.c - curves from lane to lane: duration in closed form, bounds, no jumps.
#include "control/lane_change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#define near(a, b, error) assert_true(fabs((a) - (b)) <= (error))

static const double P[2] = {1.0, 1.0};

// From rest: 10/sqrt(3) D/T^2 is the largest acceleration, 60 D/T^3 the largest jerk.
static void durations(void **state)
{
    (void)state;
    for (double D = 1.0; D < 12.0; D += 0.7)
        for (double a = 0.3; a < 4.0; a *= 2.0)
            for (double j = 0.3; j < 20.0; j *= 3.0) {
                const double p[2] = {a, j};
                const lane_curve c = lane_curve_make(p, 5.0, (lane_point){D, 0.0, 0.0});
                const double T =
                    fmax(1.0, fmax(sqrt(10.0 / sqrt(3.0) * D / a), cbrt(60.0 * D / j)));
                near(c.duration, T, 1e-12 * T);
                const lane_point half = lane_curve_at(&c, 5.0 + 0.5 * T);
                near(half.d, 0.5 * D, 1e-12 * D);
                near(half.rate, -1.875 * D / T, 1e-12 * D);
            }
}

// From any motion: it begins there, ends at rest, and keeps the bounds, except of what it began
// with.
static void any_start(void **state)
{
    (void)state;
    srand(4);
    for (int k = 0; k < 2000; k++) {
        const lane_point now = {8.0 * rand() / RAND_MAX - 4.0, 3.0 * rand() / RAND_MAX - 1.5,
                                2.0 * rand() / RAND_MAX - 1.0};
        const lane_curve c = lane_curve_make(P, 2.0, now);
        const lane_point first = lane_curve_at(&c, 2.0);
        const lane_point last = lane_curve_at(&c, 2.0 + c.duration * (1.0 - 1e-12));
        near(first.d, now.d, 1e-14);
        near(first.rate, now.rate, 1e-14);
        near(first.bend, now.bend, 1e-14);
        near(last.d, 0.0, 1e-9);
        near(last.rate, 0.0, 1e-9);
        near(last.bend, 0.0, 1e-9);
        assert_true(c.duration < 60.0);
        double a = 0.0;
        for (double t = 2.0; t < 2.0 + c.duration; t += 0.01)
            a = fmax(a, fabs(lane_curve_at(&c, t).bend));
        assert_true(a < 1.01);
    }
    const lane_curve c = lane_curve_make(P, 0.0, (lane_point){3.0, 0.0, 0.0});
    assert_true(lane_curve_at(&c, c.duration + 1.0).d == 0.0);
}

// The rates are the derivatives.
static void derivatives(void **state)
{
    (void)state;
    const lane_curve c = lane_curve_make(P, 1.0, (lane_point){3.5, -0.4, 0.3});
    for (double t = 1.1; t < 1.0 + c.duration; t += 0.1) {
        const double h = 1e-5;
        const lane_point a = lane_curve_at(&c, t - h), b = lane_curve_at(&c, t + h);
        near(lane_curve_at(&c, t).rate, (b.d - a.d) / (2.0 * h), 1e-9);
        near(lane_curve_at(&c, t).bend, (b.rate - a.rate) / (2.0 * h), 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(any_start),
        cmocka_unit_test(derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
