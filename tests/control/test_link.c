// test_link.c - noise by key: distribution, independence, the same number for the same key.
#include "control/link.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 200000 };

typedef struct moments {
    double mean, variance, skew, kurtosis;
} moments;

typedef double noise(unsigned long long seed, unsigned a, unsigned b, unsigned long long step);

// Which part of the key runs: the seed, the sender, the receiver or the step.
static double draw(noise *f, int part, int k)
{
    const unsigned u = (unsigned)k;
    switch (part) {
    case 0:
        return f((unsigned long long)k, 3, 4, 5);
    case 1:
        return f(7, u, 4, 5);
    case 2:
        return f(7, 3, u, 5);
    default:
        return f(7, 3, 4, (unsigned long long)k);
    }
}

static moments measure(noise *f, int part)
{
    double sum[5] = {0.0};
    for (int k = 0; k < N; k++) {
        const double x = draw(f, part, k);
        sum[1] += x, sum[2] += x * x;
    }
    const double mean = sum[1] / N, variance = sum[2] / N - mean * mean;
    for (int k = 0; k < N; k++) {
        const double z = (draw(f, part, k) - mean) / sqrt(variance);
        sum[3] += z * z * z, sum[4] += z * z * z * z;
    }
    return (moments){mean, variance, sum[3] / N, sum[4] / N};
}

static void uniform_is_uniform(void **unused)
{
    (void)unused;
    for (int part = 0; part < 4; part++) {
        const moments m = measure(noise_uniform, part); // 5 sigma each
        assert_true(fabs(m.mean - 0.5) < 5.0 * sqrt(1.0 / 12.0 / N));
        assert_true(fabs(m.variance - 1.0 / 12.0) < 5.0 * sqrt(1.0 / 180.0 / N));
        assert_true(fabs(m.kurtosis - 1.8) < 0.02);
        int bins[64] = {0};
        for (int k = 0; k < N; k++) {
            const double x = draw(noise_uniform, part, k);
            assert_true(x >= 0.0 && x < 1.0);
            bins[(int)(64.0 * x)]++;
        }
        double chi = 0.0;
        for (int b = 0; b < 64; b++)
            chi += pow(bins[b] - N / 64.0, 2) / (N / 64.0);
        assert_true(chi > 25.0 && chi < 120.0); // 63 degrees of freedom: 63 +- 11
    }
}

static void normal_is_normal(void **unused)
{
    (void)unused;
    for (int part = 0; part < 4; part++) {
        const moments m = measure(noise_normal, part);
        assert_true(fabs(m.mean) < 5.0 / sqrt(N));
        assert_true(fabs(m.variance - 1.0) < 5.0 * sqrt(2.0 / N));
        assert_true(fabs(m.skew) < 5.0 * sqrt(6.0 / N));
        assert_true(fabs(m.kurtosis - 3.0) < 5.0 * sqrt(24.0 / N));
        int beyond = 0;
        for (int k = 0; k < N; k++) {
            const double x = draw(noise_normal, part, k);
            assert_true(isfinite(x));
            beyond += fabs(x) > 1.959963984540054;
        }
        assert_true(abs(beyond - N / 20) < 5.0 * sqrt(N * 0.05 * 0.95));
    }
}

// Neighbouring keys, swapped senders and receivers, and another seed have nothing in common.
static void keys_are_independent(void **unused)
{
    (void)unused;
    double with[6] = {0.0};
    for (int k = 0; k < N; k++) {
        const unsigned long long step = (unsigned long long)k;
        const double x = noise_uniform(7, 3, 4, step) - 0.5;
        with[0] += x * (noise_uniform(7, 3, 4, step + 1) - 0.5);
        with[1] += x * (noise_uniform(7, 4, 3, step) - 0.5);
        with[2] += x * (noise_uniform(7, 3, 5, step) - 0.5);
        with[3] += x * (noise_uniform(7, 2, 4, step) - 0.5);
        with[4] += x * (noise_uniform(8, 3, 4, step) - 0.5);
        with[5] += x * noise_normal(7, 3, 4, step + 1);
    }
    for (int k = 0; k < 6; k++) {
        const double other = k == 5 ? 1.0 : sqrt(1.0 / 12.0);
        const double correlation = with[k] / N / (sqrt(1.0 / 12.0) * other);
        assert_true(fabs(correlation) < 5.0 / sqrt(N));
    }
}

static void same_key_same_number(void **unused)
{
    (void)unused;
    for (int k = 0; k < 1000; k++) {
        const unsigned a = (unsigned)k * 77777u, b = ~a;
        const unsigned long long step = (unsigned long long)k << 33;
        const double u = noise_uniform(9, a, b, step), n = noise_normal(9, a, b, step);
        noise_uniform(1, b, a, step); // nothing is remembered between calls
        const double u2 = noise_uniform(9, a, b, step), n2 = noise_normal(9, a, b, step);
        assert_memory_equal(&u, &u2, sizeof u);
        assert_memory_equal(&n, &n2, sizeof n);
        assert_true(u != noise_uniform(9, a, b, step + (1ULL << 32))); // high bits count
        assert_true(u != noise_uniform(9 + (1ULL << 40), a, b, step));
    }
}

static void tables_are_sound(void **unused)
{
    (void)unused;
    for (int k = 0; k < LINK_PARAM_COUNT + SENSOR_PARAM_COUNT; k++) {
        const mc_param *p =
            k < LINK_PARAM_COUNT ? &link_params[k] : &sensor_params[k - LINK_PARAM_COUNT];
        assert_true(p->name && p->unit && p->doc && p->min < p->max);
        assert_true(p->fallback >= p->min && p->fallback <= p->max);
    }
    assert_true(link_params[LINK_LOSS].max == 1.0 && link_params[LINK_LOSS].min == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_is_uniform),   cmocka_unit_test(normal_is_normal),
        cmocka_unit_test(keys_are_independent), cmocka_unit_test(same_key_same_number),
        cmocka_unit_test(tables_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
