// test_table.c - lookup tables: exact where they must be, continuous, monotone, the same for every
// hint.
#include "num/table.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <string.h>

enum { POINT_MAX = 64, TRIALS = 2000 };

typedef unsigned long long seed_type;

static void random_axis(seed_type *seed, int count, double *x)
{
    x[0] = sample_uniform(seed, -10.0, 10.0);
    for (int i = 1; i < count; i++) // lengths over three decades
        x[i] = x[i - 1] + pow(10.0, sample_uniform(seed, -2.0, 1.0));
}

static int random_count(seed_type *seed, int low, int high)
{
    return low + (int)(sample_random(seed) % (unsigned)(high - low + 1));
}

static void near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g instead of %.17g, tolerance %g", got, want, tolerance);
}

static void bad_axes_are_named(void **state)
{
    (void)state;
    static const struct {
        int count, bad;
        double x[4];
    } rows[] = {
        {1, -1, {5.0}},
        {4, -1, {-1.0, 0.0, 1e-300, 1e300}},
        {0, 0, {0.0}},
        {-1, 0, {0.0}},
        {4, 2, {0.0, 1.0, 1.0, 2.0}},              // twice the same
        {4, 3, {0.0, 1.0, 2.0, 1.5}},              // falls
        {4, 1, {0.0, -1.0, -2.0, -3.0}},           // the first of several
        {4, 0, {NAN, 1.0, 2.0, 3.0}},              // not a number
        {4, 2, {0.0, 1.0, NAN, 3.0}},              // in the middle
        {4, 3, {0.0, 1.0, 2.0, (double)INFINITY}}, // not finite
        {4, 0, {-(double)INFINITY, 1.0, 2.0, 3.0}},
        {4, 1, {0.0, -0.0, 2.0, 3.0}}, // equal zeros
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(table_check(rows[i].x, rows[i].count), rows[i].bad);
}

// y = a + b x is met by both rules, inside and beyond the ends.
static void straight_lines_are_exact(void **state)
{
    (void)state;
    seed_type seed = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        double x[POINT_MAX], y[POINT_MAX], s[POINT_MAX];
        const int count = random_count(&seed, 2, POINT_MAX);
        const double a = sample_uniform(&seed, -5.0, 5.0), b = sample_uniform(&seed, -5.0, 5.0);
        random_axis(&seed, count, x);
        for (int i = 0; i < count; i++)
            y[i] = a + b * x[i];
        table_slopes(x, y, count, s);
        for (int cubic = 0; cubic < 2; cubic++) {
            const table t = {x, y, cubic ? s : NULL, count, TABLE_EXTEND};
            const double at = sample_uniform(&seed, x[0] - 20.0, x[count - 1] + 20.0);
            double slope;
            const double scale = 5.0 + 5.0 * (fabs(x[0]) + fabs(x[count - 1]) + 20.0);
            near(table_value(&t, at, &slope, NULL), a + b * at, 1e-11 * scale);
            near(slope, b, 1e-13 * scale / 0.01); // the shortest interval is 0.01
        }
    }
}

// All rules, with and without a slope asked for, on data without any order.
static void points_are_met_to_the_bit(void **state)
{
    (void)state;
    seed_type seed = 2;
    for (int trial = 0; trial < TRIALS; trial++) {
        double x[POINT_MAX], y[POINT_MAX], s[POINT_MAX], slope;
        const int count = random_count(&seed, 1, POINT_MAX);
        random_axis(&seed, count, x);
        for (int i = 0; i < count; i++)
            y[i] = sample_uniform(&seed, -1e3, 1e3);
        table_slopes(x, y, count, s);
        for (int rule = 0; rule < 4; rule++) {
            const table t = {x, y, rule & 1 ? s : NULL, count,
                             rule & 2 ? TABLE_EXTEND : TABLE_CLAMP};
            for (int i = 0; i < count; i++) {
                assert_true(table_value(&t, x[i], NULL, NULL) == y[i]);
                assert_true(table_value(&t, x[i], &slope, NULL) == y[i]);
            }
        }
    }
}

static void cubic_is_smooth(void **state)
{
    (void)state;
    seed_type seed = 3;
    for (int trial = 0; trial < TRIALS; trial++) {
        double x[8], y[8], s[8];
        random_axis(&seed, 8, x);
        for (int i = 0; i < 8; i++)
            y[i] = sample_uniform(&seed, -1.0, 1.0);
        table_slopes(x, y, 8, s);
        const table t = {x, y, s, 8, TABLE_EXTEND};
        for (int i = 0; i < 8; i++) { // value and slope from the left meet those at the point
            double left, right;
            const double before = nextafter(x[i], -HUGE_VAL);
            near(table_value(&t, before, &left, NULL), y[i], 1e-12);
            near(table_value(&t, x[i], &right, NULL), y[i], 0.0);
            near(right, s[i], 0.0);
            near(left, s[i], 1e-8); // |y''| < 2e5: intervals of 0.01
        }
        // The slope is the derivative of the value.
        const double at = sample_uniform(&seed, x[0] - 1.0, x[7] + 1.0), h = 1e-6;
        double slope, low, high;
        table_value(&t, at, &slope, NULL);
        const double rise =
            table_value(&t, at + h, &high, NULL) - table_value(&t, at - h, &low, NULL);
        near(rise / (2.0 * h), slope, 1e-7 + fabs(high - low));
        near(high, slope, 0.2);
    }
}

// Between two points neither rule leaves the range of the two; on rising data the cubic rises, and
// has slope 0 only where the data rest.
static void monotone_data_stay_monotone(void **state)
{
    (void)state;
    seed_type seed = 4;
    for (int trial = 0; trial < TRIALS; trial++) {
        double x[10], y[10] = {0}, s[10];
        random_axis(&seed, 10, x);
        const int sign = trial % 2 ? 1 : -1;
        const int wild = trial % 3 == 0; // no order at all
        for (int i = 1; i < 10; i++) {
            const double jump =
                sample_random(&seed) % 4 == 0 ? 0.0 : pow(10.0, sample_uniform(&seed, -6.0, 3.0));
            y[i] = wild ? sample_uniform(&seed, -1.0, 1.0) : y[i - 1] + sign * jump;
        }
        table_slopes(x, y, 10, s);
        const table t = {x, y, s, 10, TABLE_CLAMP};
        double previous = y[0];
        for (int i = 0; i < 9; i++)
            for (int k = 1; k < 50; k++) {
                double slope;
                const double value =
                    table_value(&t, x[i] + (x[i + 1] - x[i]) * k / 50.0, &slope, NULL);
                const double rounding = 1e-14 * (fabs(y[i]) + fabs(y[i + 1]));
                assert_true(value >= fmin(y[i], y[i + 1]) - rounding);
                assert_true(value <= fmax(y[i], y[i + 1]) + rounding);
                if (!wild) {
                    const double steepest = fabs(y[i + 1] - y[i]) / (x[i + 1] - x[i]);
                    assert_true(sign * (value - previous) >= -rounding);
                    assert_true(sign * slope >= -1e-12 * steepest);
                    assert_true(fabs(slope) <= 3.0001 * steepest);
                    previous = value;
                }
            }
    }
}

// The cubic through samples of a smooth rising function is far nearer to it than the chords are,
// and its error falls with at least the third power of the spacing.
static void cubic_is_accurate(void **state)
{
    (void)state;
    double error[2][3];
    for (int half = 0; half < 3; half++) {
        const int count = (8 << half) + 1;
        double x[POINT_MAX], y[POINT_MAX], s[POINT_MAX];
        for (int i = 0; i < count; i++) {
            x[i] = 2.0 * i / (count - 1);
            y[i] = exp(x[i]);
        }
        table_slopes(x, y, count, s);
        for (int cubic = 0; cubic < 2; cubic++) {
            const table t = {x, y, cubic ? s : NULL, count, TABLE_CLAMP};
            error[cubic][half] = 0.0;
            for (int k = 0; k <= 1000; k++)
                error[cubic][half] =
                    fmax(error[cubic][half],
                         fabs(table_value(&t, k * 2e-3, NULL, NULL) - exp(k * 2e-3)));
        }
    }
    for (int half = 0; half < 2; half++) {
        assert_true(error[0][half] / error[0][half + 1] > 3.5); // second order
        assert_true(error[1][half] / error[1][half + 1] > 7.0); // third
        assert_true(error[1][half] < 0.15 * error[0][half]);
    }
}

static void ends(void **state)
{
    (void)state;
    const double x[] = {1.0, 2.0, 4.0}, y[] = {10.0, 12.0, 20.0}; // slopes 2 and 4
    double s[3], slope;
    table_slopes(x, y, 3, s);
    static const struct {
        int cubic;
        table_outside outside;
        double at, value, slope;
    } rows[] = {
        {0, TABLE_CLAMP, -5.0, 10.0, 0.0},  {0, TABLE_CLAMP, 1.0, 10.0, 2.0},
        {0, TABLE_CLAMP, 1.5, 11.0, 2.0},   {0, TABLE_CLAMP, 2.0, 12.0, 4.0}, // to the right
        {0, TABLE_CLAMP, 4.0, 20.0, 0.0},   {0, TABLE_CLAMP, 1e300, 20.0, 0.0},
        {0, TABLE_EXTEND, -5.0, -2.0, 2.0}, {0, TABLE_EXTEND, 4.0, 20.0, 4.0},
        {0, TABLE_EXTEND, 7.0, 32.0, 4.0},  {1, TABLE_CLAMP, 0.0, 10.0, 0.0},
        {1, TABLE_CLAMP, 9.0, 20.0, 0.0},   {1, TABLE_CLAMP, -(double)INFINITY, 10.0, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const table t = {x, y, rows[i].cubic ? s : NULL, 3, rows[i].outside};
        near(table_value(&t, rows[i].at, &slope, NULL), rows[i].value, 0.0);
        near(slope, rows[i].slope, 0.0);
    }
    // The cubic by hand: s1 = (5 + 4) / (5 / 2 + 4 / 4), s0 = (4 * 2 - 1 * 4) / 3 and
    // s2 = (5 * 4 - 2 * 2) / 3.
    near(s[1], 9.0 / 3.5, 1e-15);
    near(s[0], 4.0 / 3.0, 1e-15);
    near(s[2], 16.0 / 3.0, 1e-14);
    const table t = {x, y, s, 3, TABLE_EXTEND};
    near(table_value(&t, 0.0, &slope, NULL), 10.0 - 4.0 / 3.0, 1e-14);
    near(table_value(&t, 6.0, &slope, NULL), 20.0 + 32.0 / 3.0, 1e-14);
    near(slope, s[2], 0.0);
    // One point is a constant, whatever is asked.
    const table one = {x, y, NULL, 1, TABLE_EXTEND};
    for (double at = -3.0; at < 6.0; at += 1.0) {
        near(table_value(&one, at, &slope, NULL), 10.0, 0.0);
        near(slope, 0.0, 0.0);
    }
    // What is not a number stays so.
    int hint = 1;
    assert_true(isnan(table_value(&t, NAN, &slope, &hint)) && isnan(slope));
    // A peak is flat in the cubic, so that it is not overshot.
    const double up_down[] = {0.0, 1.0, 0.0};
    table_slopes(x, up_down, 3, s);
    near(s[1], 0.0, 0.0);
}

static void hints_change_nothing(void **state)
{
    (void)state;
    seed_type seed = 5;
    static double x[5000], y[5000], s[5000];
    random_axis(&seed, 5000, x);
    for (int i = 0; i < 5000; i++)
        y[i] = sample_uniform(&seed, -1.0, 1.0);
    table_slopes(x, y, 5000, s);
    for (int trial = 0; trial < 20000; trial++) {
        const int count = random_count(&seed, 1, trial % 2 ? 6 : 5000);
        const table t = {x, y, trial % 4 ? s : NULL, count, trial % 3 ? TABLE_CLAMP : TABLE_EXTEND};
        const int i = random_count(&seed, 0, count - 1);
        const double at = trial % 5 == 0 ? x[i] : sample_uniform(&seed, x[0] - 1.0, x[i] + 1.0);
        double slope, hinted_slope;
        const double value = table_value(&t, at, &slope, NULL);
        const int hints[] = {0, 1,     -1,    count - 1, count - 2, count, INT_MAX,   INT_MIN,
                             i, i + 1, i - 1, i + 2,     i - 2,     i + 3, count / 2, INT_MAX - 1};
        for (size_t k = 0; k < sizeof hints / sizeof hints[0]; k++) {
            int hint = hints[k];
            assert_true(table_value(&t, at, &hinted_slope, &hint) == value);
            assert_true(hinted_slope == slope);
        }
    }
    // A walk along the table keeps its hint at the interval.
    const table t = {x, y, NULL, 5000, TABLE_CLAMP};
    int hint = 0;
    for (int i = 0; i < 4999; i++) {
        table_value(&t, 0.5 * (x[i] + x[i + 1]), NULL, &hint);
        assert_int_equal(hint, i);
    }
}

// z = a + b x + c y + d x y is met exactly, beyond the edges too.
static void grid_is_exact_on_bilinear_data(void **state)
{
    (void)state;
    seed_type seed = 6;
    for (int trial = 0; trial < TRIALS; trial++) {
        double x[8], y[8], z[64], c[4], slope[2], hinted[2];
        const int nx = random_count(&seed, 2, 8), ny = random_count(&seed, 2, 8);
        random_axis(&seed, nx, x);
        random_axis(&seed, ny, y);
        for (int k = 0; k < 4; k++)
            c[k] = sample_uniform(&seed, -1.0, 1.0);
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < ny; j++)
                z[i * ny + j] = c[0] + c[1] * x[i] + c[2] * y[j] + c[3] * x[i] * y[j];
        const table_grid t = {x, y, z, nx, ny, TABLE_EXTEND};
        const double u = sample_uniform(&seed, x[0] - 5.0, x[nx - 1] + 5.0);
        const double v = sample_uniform(&seed, y[0] - 5.0, y[ny - 1] + 5.0);
        const double value = table_grid_value(&t, u, v, slope, NULL);
        near(value, c[0] + c[1] * u + c[2] * v + c[3] * u * v, 1e-7); // cells of 0.01 carried 5 on
        near(slope[0], c[1] + c[3] * v, 1e-7);
        near(slope[1], c[2] + c[3] * u, 1e-7);
        for (int k = 0; k < 20; k++) {
            int hint[2] = {random_count(&seed, -3, 10), random_count(&seed, -3, 10)};
            assert_true(table_grid_value(&t, u, v, hinted, hint) == value);
            assert_memory_equal(hinted, slope, sizeof slope);
        }
    }
}

// On data without any order too, to the bit, at the last row and column as well.
static void grid_points_are_met_to_the_bit(void **state)
{
    (void)state;
    seed_type seed = 7;
    for (int trial = 0; trial < TRIALS; trial++) {
        double x[5], y[4], z[20];
        random_axis(&seed, 5, x);
        random_axis(&seed, 4, y);
        for (int i = 0; i < 20; i++)
            z[i] = sample_uniform(&seed, -1e3, 1e3);
        const table_grid t = {x, y, z, 5, 4, trial % 2 ? TABLE_EXTEND : TABLE_CLAMP};
        for (int i = 0; i < 20; i++)
            near(table_grid_value(&t, x[i / 4], y[i % 4], NULL, NULL), z[i], 0.0);
    }
}

static void grid_corners_edges_and_outside(void **state)
{
    (void)state;
    const double x[] = {0.0, 1.0, 3.0}, y[] = {10.0, 20.0};
    const double z[] = {1.0, 2.0, 4.0, 8.0, -1.0, 0.5};
    for (int outside = 0; outside < 2; outside++) {
        const table_grid t = {x, y, z, 3, 2, outside ? TABLE_EXTEND : TABLE_CLAMP};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++)
                near(table_grid_value(&t, x[i], y[j], NULL, NULL), z[2 * i + j], 0.0);
        // Continuous across the line x = 1 between cells.
        for (double v = 10.0; v <= 20.0; v += 0.5)
            near(table_grid_value(&t, nextafter(1.0, 0.0), v, NULL, NULL),
                 table_grid_value(&t, 1.0, v, NULL, NULL), 1e-14);
    }
    const table_grid held = {x, y, z, 3, 2, TABLE_CLAMP};
    const table_grid extended = {x, y, z, 3, 2, TABLE_EXTEND};
    double slope[2];
    near(table_grid_value(&held, 0.5, 15.0, slope, NULL), 3.75, 0.0); // mean of four
    near(slope[0], 4.5, 0.0);
    near(slope[1], 0.25, 1e-16);
    near(table_grid_value(&held, -7.0, 15.0, slope, NULL), 1.5, 0.0);
    near(slope[0], 0.0, 0.0);
    near(slope[1], 0.1, 1e-16);
    near(table_grid_value(&held, 9.0, 99.0, slope, NULL), 0.5, 0.0);
    near(slope[0], 0.0, 0.0);
    near(slope[1], 0.0, 0.0);
    near(table_grid_value(&extended, 5.0, 10.0, slope, NULL), -6.0, 1e-14); // falls by 2.5 a metre
    near(slope[0], -2.5, 1e-15);
    near(table_grid_value(&extended, 0.0, 0.0, slope, NULL), 0.0, 1e-15);
    near(slope[1], 0.1, 1e-16);
    assert_true(isnan(table_grid_value(&held, NAN, 15.0, slope, NULL)));
    assert_true(isnan(table_grid_value(&held, 0.5, NAN, slope, NULL)));
    // One row, one column, one point.
    const table_grid row = {x, y, z, 1, 2, TABLE_EXTEND}, column = {x, y, z, 3, 1, TABLE_EXTEND};
    near(table_grid_value(&row, 50.0, 15.0, slope, NULL), 1.5, 0.0);
    near(slope[0], 0.0, 0.0);
    near(table_grid_value(&column, 0.5, 50.0, slope, NULL), 1.5, 0.0); // between z[0] and z[1]
    near(slope[1], 0.0, 0.0);
    assert_true(isnan(table_grid_value(&row, NAN, 15.0, slope, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_axes_are_named),
        cmocka_unit_test(straight_lines_are_exact),
        cmocka_unit_test(points_are_met_to_the_bit),
        cmocka_unit_test(cubic_is_smooth),
        cmocka_unit_test(monotone_data_stay_monotone),
        cmocka_unit_test(cubic_is_accurate),
        cmocka_unit_test(ends),
        cmocka_unit_test(hints_change_nothing),
        cmocka_unit_test(grid_is_exact_on_bilinear_data),
        cmocka_unit_test(grid_points_are_met_to_the_bit),
        cmocka_unit_test(grid_corners_edges_and_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
