// test_phi.c - Stumpff and phi functions against long double, and by the identities between them.
//
// The reference is the series where |z| < 6 (terms below e^6, so 20 digits leave 17) and the
// recurrence beyond 2 (each step divides by z, so rounding does not grow); where both hold they
// must agree.
#include "num/phi.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

_Static_assert(LDBL_MANT_DIG > 60, "the reference needs more digits than double has");

typedef long double real;

static const double promised = 1e-15; // by phi.h

static real factorial(int k)
{
    return k < 2 ? 1.0L : k * factorial(k - 1);
}

// sum over j of t^j / (stride j + k)!
static real series(real t, int stride, int k)
{
    real sum = 0.0L, term = 1.0L / factorial(k);
    for (int j = 0; j < 80; j++) {
        sum += term;
        for (int i = 1; i <= stride; i++)
            term /= stride * j + k + i;
        term *= t;
    }
    return sum;
}

static void stumpff_recurrence(real z, real c[PHI_COUNT])
{
    c[0] = cosl(z);
    c[1] = sinl(z) / z;
    for (int k = 0; k + 2 < PHI_COUNT; k++)
        c[k + 2] = (1.0L / factorial(k) - c[k]) / (z * z);
}

static void phi_recurrence(real x, real p[PHI_COUNT])
{
    p[0] = expl(x);
    for (int k = 0; k + 1 < PHI_COUNT; k++)
        p[k + 1] = (p[k] - 1.0L / factorial(k)) / x;
}

static void stumpff_truth(real z, real c[PHI_COUNT])
{
    if (z >= 4.0L)
        stumpff_recurrence(z, c);
    else
        for (int k = 0; k < PHI_COUNT; k++)
            c[k] = series(-z * z, 2, k);
}

static void phi_truth(real x, real p[PHI_COUNT])
{
    if (x <= -4.0L)
        phi_recurrence(x, p);
    else
        for (int k = 0; k < PHI_COUNT; k++)
            p[k] = series(x, 1, k);
}

static void references_agree(void **state)
{
    (void)state;
    for (real z = 2.0L; z < 6.0L; z += 0.01L) {
        real c[PHI_COUNT], p[PHI_COUNT];
        stumpff_recurrence(z, c);
        phi_recurrence(-z, p);
        for (int k = 0; k < PHI_COUNT; k++) {
            assert_true(fabsl(c[k] - series(-z * z, 2, k)) < 1e-17L);
            assert_true(fabsl(p[k] - series(-z, 1, k)) < 1e-17L);
        }
    }
}

enum { ARGUMENTS = 50000 };
static double argument[ARGUMENTS]; // filled in main

// Both ends, both sides of the places where the formula changes, all decades.
static void choose_arguments(void)
{
    int count = 0;
    static const double special[] = {0.0,      1e-320, 1e-200, 1e-17,     1e-8, 0.5,     0.999999,
                                     1.000001, 1.4999, 1.5001, 3.1415926, 6.28, 9999.99, 1e4};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        argument[count++] = special[i];
    static const double switches[] = {1.0, 1.5}; // phi, Stumpff
    for (int i = 0; i < 2; i++) {
        double below = switches[i], above = switches[i];
        argument[count++] = switches[i];
        for (int k = 0; k < 20; k++) {
            argument[count++] = below = nextafter(below, 0.0);
            argument[count++] = above = nextafter(above, 2.0);
        }
    }
    unsigned long long seed = 1;
    for (; count < ARGUMENTS; count++)
        argument[count] = count % 4 ? pow(10.0, sample_uniform(&seed, -6.0, 4.0))
                                    : sample_uniform(&seed, 0.0, 4.0);
}

static void against_long_double(void **state)
{
    (void)state;
    double worst_c[PHI_COUNT] = {0}, worst_p[PHI_COUNT] = {0};
    for (int i = 0; i < ARGUMENTS; i++) {
        double c[PHI_COUNT], p[PHI_COUNT];
        real true_c[PHI_COUNT], true_p[PHI_COUNT];
        stumpff(argument[i], c);
        phi(-argument[i], p);
        stumpff_truth(argument[i], true_c);
        phi_truth(-(real)argument[i], true_p);
        for (int k = 0; k < PHI_COUNT; k++) {
            const double error_c = (double)fabsl(c[k] - true_c[k]);
            const double error_p = (double)fabsl(p[k] - true_p[k]);
            if (!(error_c <= promised) || !(error_p <= promised))
                fail_msg("k = %d at %.17g: errors %.2e, %.2e", k, argument[i], error_c, error_p);
            worst_c[k] = fmax(worst_c[k], error_c);
            worst_p[k] = fmax(worst_p[k], error_p);
        }
    }
    for (int k = 0; k < PHI_COUNT; k++)
        printf("c_%d %.1e   phi_%d %.1e\n", k, worst_c[k], k, worst_p[k]);
}

// c_0^2 + (z c_1)^2 = 1;  c_k + z^2 c_(k+2) = 1/k!;  x phi_(k+1) = phi_k - 1/k!; and the addition
// theorem phi_0(2x) = phi_0(x)^2, 2 phi_1(2x) = (phi_0(x) + 1) phi_1(x).
static void identities(void **state)
{
    (void)state;
    static const double inverse[] = {1.0, 1.0, 0.5};
    for (int i = 0; i < ARGUMENTS; i++) {
        const double z = argument[i];
        double c[PHI_COUNT], p[PHI_COUNT], twice[PHI_COUNT];
        stumpff(z, c);
        phi(-z, p);
        phi(-2.0 * z, twice);
        assert_true(fabs(c[0] * c[0] + pow(z * c[1], 2) - 1.0) < 2e-15);
        for (int k = 0; k + 2 < PHI_COUNT; k++) {
            assert_true(fabs(c[k] + z * z * c[k + 2] - inverse[k]) < 2e-15);
            assert_true(fabs(p[k] + z * p[k + 1] - inverse[k]) < 2e-15);
        }
        assert_true(fabs(twice[0] - p[0] * p[0]) < 2e-15);
        assert_true(fabs(2.0 * twice[1] - (p[0] + 1.0) * p[1]) < 2e-15);
    }
}

// phi_k(h L) = c_k(wh) I + h L c_(k+1)(wh) for the oscillator: exp(h L) turns (x, v).
static void oscillator(void **state)
{
    (void)state;
    for (double angle = 0.0; angle < 40.0; angle += 0.37) {
        const double w = 3.0, h = angle / w;
        double c[PHI_COUNT];
        stumpff(angle, c);
        const double x = 1.0 * c[0] + h * c[1] * 2.0, v = 2.0 * c[0] - h * w * w * c[1] * 1.0;
        assert_true(fabs(x - (cos(angle) + 2.0 / w * sin(angle))) < 2e-15);
        assert_true(fabs(v - (2.0 * cos(angle) - w * sin(angle))) < 4e-15);
    }
}

static void values_at_zero(void **state)
{
    (void)state;
    static const double want[PHI_COUNT] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0};
    double c[PHI_COUNT], p[PHI_COUNT];
    stumpff(0.0, c);
    phi(0.0, p);
    assert_memory_equal(c, want, sizeof want);
    assert_memory_equal(p, want, sizeof want);
}

int main(void)
{
    choose_arguments();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(references_agree), cmocka_unit_test(against_long_double),
        cmocka_unit_test(identities),       cmocka_unit_test(oscillator),
        cmocka_unit_test(values_at_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
