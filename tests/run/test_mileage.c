// test_mileage.c - eq (13): windows counted in integers, against the formula written out over
// stored samples.
#include "run/mileage.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

enum { SAMPLES = 500 };

// The formula as printed, with all samples at hand: k0 is found by trying.
static double printed(const double *x, const double *gallons, int k_end, int window,
                      const double *p, double step)
{
    double value = p[MILEAGE_START];
    for (int k = 1; k <= k_end; k++) {
        int k0 = 0;
        while ((k0 + 1) * window < k - 1)
            k0++; // the largest integer below (k - 1) / window
        const double burnt = gallons[k] - gallons[k0 * window];
        if (burnt >= p[MILEAGE_MIN_FUEL] && burnt > 0.0) {
            const double now = (x[k] - x[k0 * window]) / 1609.344 / burnt;
            value = (1.0 - p[MILEAGE_ALPHA] * step) * value + p[MILEAGE_ALPHA] * step * now;
        }
    }
    return value;
}

static void follows_the_formula(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    double x[SAMPLES], gallons[SAMPLES];
    for (int trial = 0; trial < 60; trial++) {
        const double step = 0.05;
        const int window = trial < 20 ? 2 + trial : 2 + (int)(sample_random(&seed) % 300);
        const double p[MILEAGE_PARAM_COUNT] = {window * step, sample_uniform(&seed, 0.0, 10.0),
                                               sample_uniform(&seed, 0.0, 2e-3), 10.0};
        assert_int_equal(mileage_samples(p, step), window);
        x[0] = gallons[0] = 0.0;
        mileage m;
        mileage_begin(&m, p, 0.0, 0.0);
        for (int k = 1; k < SAMPLES; k++) {
            x[k] = x[k - 1] + sample_uniform(&seed, 0.0, 2.0);
            gallons[k] = gallons[k - 1] + sample_uniform(&seed, 0.0, 1e-4);
            mileage_take(&m, p, window, step, x[k], gallons[k] * MILEAGE_GALLON);
            const double want = printed(x, gallons, k, window, p, step);
            if (!(fabs(m.value - want) <= 1e-9 * fabs(want)))
                fail_msg("window %d, sample %d: %.12g instead of %.12g", window, k, m.value, want);
        }
    }
}

// Steady driving: the filter goes to miles by gallon with its time constant.
static void steady_driving(void **state)
{
    (void)state;
    double p[MILEAGE_PARAM_COUNT];
    for (int k = 0; k < MILEAGE_PARAM_COUNT; k++)
        p[k] = mileage_params[k].fallback;
    const double step = 0.05, mpg = 32.0, v = 29.0;
    mileage m;
    mileage_begin(&m, p, 0.0, 0.0);
    double first = NAN;
    const int window = mileage_samples(p, step);
    assert_int_equal(window, 2000);
    for (int k = 1; k * step <= 400.0; k++) {
        const double x = v * k * step;
        mileage_take(&m, p, window, step, x, x / 1609.344 / mpg * MILEAGE_GALLON);
        if (isnan(first) && m.value != 10.0)
            first = k * step;
    }
    // nothing is shown before a thousandth of a gallon: 51.5 m
    assert_true(fabs(first - 1e-3 * mpg * 1609.344 / v) < step);
    assert_true(fabs(m.value - mpg) < 1e-9);
}

static void standing_still_keeps_the_value(void **state)
{
    (void)state;
    const double p[MILEAGE_PARAM_COUNT] = {1.0, 0.1, 1e-3, 10.0};
    mileage m;
    mileage_begin(&m, p, 5.0, 0.0);
    for (int k = 0; k < 100; k++)
        mileage_take(&m, p, 20, 0.05, 5.0, 0.0);
    assert_true(m.value == 10.0);
    // With no least amount either: no fuel burnt is no reason to divide by zero.
    const double none[MILEAGE_PARAM_COUNT] = {1.0, 0.1, 0.0, 10.0};
    mileage_take(&m, none, 20, 0.05, 6.0, 0.0);
    assert_true(m.value == 10.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_formula),
        cmocka_unit_test(steady_driving),
        cmocka_unit_test(standing_still_keeps_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
