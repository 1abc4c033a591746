// test_strain.c - deformed bodies: rotation, magnification, equivalent strain.
#include "picture/strain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

static void near(double value, double expected)
{
    assert_true(fabs(value - expected) < 1e-12);
}

static void directors(void **state)
{
    (void)state;
    const double pose[12] = {9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 10};
    double f[9];
    strain_of_directors(pose, f);
    const double expected[9] = {1, 4, 7, 2, 5, 8, 3, 6, 10}; // columns are directors
    assert_memory_equal(f, expected, sizeof f);
}

// F = R U with a rotation by 0.4 about z and stretches along rotated axes: R is found again.
static void rotation(void **state)
{
    (void)state;
    const double c = cos(0.4), s = sin(0.4);
    const double r[9] = {c, -s, 0, s, c, 0, 0, 0, 1},
                 u[9] = {0.9, 0.02, 0, 0.02, 1.05, 0, 0, 0, 1.01};
    double f[9] = {0}, found[9], shown[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                f[3 * i + j] += r[3 * i + k] * u[3 * k + j];
    strain_rotation(f, found);
    for (int k = 0; k < 9; k++)
        near(found[k], r[k]);
    strain_magnified(f, found, 1.0, shown);
    for (int k = 0; k < 9; k++)
        near(shown[k], f[k]);
    strain_magnified(f, found, 0.0, shown);
    for (int k = 0; k < 9; k++)
        near(shown[k], r[k]);
}

static void equivalent(void **state)
{
    (void)state;
    const double c = cos(1.1), s = sin(1.1);
    const double turned[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    near(strain_equivalent(turned), 0.0);
    const double larger[9] = {1.1, 0, 0, 0, 1.1, 0, 0, 0, 1.1}; // the same in all directions
    near(strain_equivalent(larger), 0.0);
    // Stretched by e along x without change of the others: E = e + e^2/2, equivalent 2/3 E.
    const double stretched[9] = {1.1, 0, 0, 0, 1, 0, 0, 0, 1};
    near(strain_equivalent(stretched), 2.0 / 3.0 * (0.1 + 0.005));
}

static void colours(void **state)
{
    (void)state;
    float a[3], b[3];
    strain_colour(0.0, a);
    strain_colour(1.0, b);
    assert_true(a[0] + a[1] + a[2] > b[0] + b[1] + b[2] + 1.0f); // light to dark
    strain_colour(5.0, a);
    assert_memory_equal(a, b, sizeof a);
}

static void scales(void **state)
{
    (void)state;
    near(strain_scale_end(0.0213), 0.025);
    near(strain_scale_end(0.02), 0.02);
    near(strain_scale_end(0.00061), 0.0008);
    near(strain_scale_end(0.99), 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(directors), cmocka_unit_test(rotation),
                                       cmocka_unit_test(equivalent), cmocka_unit_test(colours),
                                       cmocka_unit_test(scales)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
