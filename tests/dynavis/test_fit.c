// test_fit.c - estimated rates: exact where they must be, as good as the filter's theory
// says elsewhere.
#include "dynavis/data.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4001 };
static double t[COUNT], f[COUNT], out[COUNT];

static void even_steps(int n, double step)
{
    for (int i = 0; i < n; i++)
        t[i] = step * i;
}

static void uneven_steps(int n, double step, unsigned long long seed)
{
    t[0] = 0.0;
    for (int i = 1; i < n; i++)
        t[i] = t[i - 1] + step * sample_uniform(&seed, 0.3, 1.7);
}

static double normal(unsigned long long *seed)
{
    const double radius = sqrt(-2.0 * log(sample_uniform(seed, 1e-300, 1.0)));
    return radius * cos(2.0 * M_PI * sample_uniform(seed, 0.0, 1.0));
}

// A polynomial of degree r + 1 is its own fit, ends of the record included.
static void test_polynomials_are_exact(void **state)
{
    (void)state;
    static const double tolerance[] = {0.0, 1e-11, 1e-8, 2e-7};
    for (int r = 1; r <= 3; r++) {
        uneven_steps(300, 0.1, 7);
        for (int i = 0; i < 300; i++)
            f[i] = 3.0 - 2.0 * t[i] + 0.5 * pow(t[i], r) - 0.25 * pow(t[i], r + 1);
        dynavis_derivative(300, t, f, r, 0.5 * (r + 1) * 0.5, out);
        const double factorial = r == 3 ? 6.0 : r;
        for (int i = 0; i < 300; i++) {
            const double exact =
                (r == 1 ? -2.0 : 0.0) + factorial * 0.5 - 0.25 * factorial * (r + 1) * t[i];
            assert_true(fabs(out[i] - exact) < tolerance[r]); // rounding of values to 4e5
        }
    }
}

// sin(w t) comes out as w cos(w t) times 3 (sin u - u cos u)/u^3, u = w T. The samples are dense
// enough for the limit; the window with its end samples is half a step wider.
static void test_frequency_response(void **state)
{
    (void)state;
    const double step = 0.0025, half = 0.5, effective = half + 0.5 * step;
    even_steps(COUNT, step);
    for (double w = 0.5; w < 6.0; w += 0.5) {
        for (int i = 0; i < COUNT; i++)
            f[i] = sin(w * t[i]);
        dynavis_derivative(COUNT, t, f, 1, half, out);
        const double u = w * effective, gain = 3.0 * (sin(u) - u * cos(u)) / (u * u * u);
        for (int i = 300; i < COUNT - 300; i += 100)
            assert_true(fabs(out[i] - gain * w * cos(w * t[i])) < 1e-4 * w);
    }
    // The stated corner: 0.707 at u = 1.815.
    const double u = 1.815;
    assert_true(fabs(3.0 * (sin(u) - u * cos(u)) / (u * u * u) - sqrt(0.5)) < 5e-4);
}

// The bias falls with the square of the window, as 1 - u^2/10 says.
static void test_bias_falls_with_the_window(void **state)
{
    (void)state;
    const double w = 2.0;
    double worst[2];
    even_steps(COUNT, 0.0025);
    for (int i = 0; i < COUNT; i++)
        f[i] = sin(w * t[i]);
    for (int k = 0; k < 2; k++) {
        dynavis_derivative(COUNT, t, f, 1, k ? 0.2 : 0.4, out);
        worst[k] = 0.0;
        for (int i = 400; i < COUNT - 400; i++)
            worst[k] = fmax(worst[k], fabs(out[i] - w * cos(w * t[i])));
    }
    assert_true(fabs(log2(worst[0] / worst[1]) - 2.0) < 0.05);
}

// White noise of the signal in the first derivative: s sqrt(3/(m (m + 1)(2m + 1)))/h.
static void test_noise_gain(void **state)
{
    (void)state;
    const double step = 0.1, noise = 0.03;
    const int m = 5;
    unsigned long long seed = 11;
    even_steps(COUNT, step);
    for (int i = 0; i < COUNT; i++)
        f[i] = noise * normal(&seed);
    dynavis_derivative(COUNT, t, f, 1, 0.5 + 1e-9, out);
    double square = 0.0;
    for (int i = m; i < COUNT - m; i++)
        square += out[i] * out[i];
    const double measured = sqrt(square / (COUNT - 2 * m));
    const double theory = noise * sqrt(3.0 / (m * (m + 1) * (2 * m + 1))) / step;
    assert_true(fabs(theory - 0.953 * noise) < 0.001 * noise); // the figure of docs/dynavis.md
    assert_true(fabs(measured / theory - 1.0) < 0.05);         // 4000 samples, correlated
}

// Coefficients of Savitzky and Golay's table, second derivative, cubic, 11 points: the numbers
// (15, 6, -1, -6, -9, -10, ...)/429.
static void test_table_of_savitzky_and_golay(void **state)
{
    (void)state;
    static const double table[] = {15, 6, -1, -6, -9, -10, -9, -6, -1, 6, 15};
    even_steps(101, 1.0);
    for (int k = 0; k < 11; k++) {
        for (int i = 0; i < 101; i++)
            f[i] = i == 45 + k;
        dynavis_derivative(101, t, f, 2, 5.0, out);
        assert_true(fabs(out[50] - table[k] / 429.0) < 1e-14);
    }
}

// A driver's motion with noise over uneven steps, as the demos have it: what docs/dynavis.md says.
static void test_noisy_motion(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    uneven_steps(600, 0.1, 5);
    for (int i = 0; i < 600; i++)
        f[i] = 25.0 + 2.0 * sin(0.6 * t[i]) + 0.03 * normal(&seed);
    double square = 0.0;
    dynavis_derivative(600, t, f, 1, 0.5, out);
    for (int i = 0; i < 600; i++)
        square += pow(out[i] - 1.2 * cos(0.6 * t[i]), 2);
    assert_true(sqrt(square / 600) < 0.045); // m/s^2, of 1.2
    square = 0.0;
    dynavis_derivative(600, t, f, 2, 0.75, out);
    for (int i = 0; i < 600; i++)
        square += pow(out[i] + 0.72 * sin(0.6 * t[i]), 2);
    assert_true(sqrt(square / 600) < 0.15); // m/s^3, of 0.72
}

// Order 0 smooths: a parabola is kept, noise falls to 0.454 of it at 11 points (sum of the squares
// of (-36, 9, 44, 69, 84, 89, ...)/429 is 89/429).
static void test_smoothing(void **state)
{
    (void)state;
    static const double table[] = {-36, 9, 44, 69, 84, 89, 84, 69, 44, 9, -36};
    even_steps(101, 1.0);
    for (int k = 0; k < 11; k++) {
        for (int i = 0; i < 101; i++)
            f[i] = i == 45 + k;
        dynavis_derivative(101, t, f, 0, 5.0, out);
        assert_true(fabs(out[50] - table[k] / 429.0) < 1e-14);
    }
}

// Steps longer than the window: the nearest five samples, on both sides, with the weights
// (-2, -1, 0, 1, 2)/10 of the table.
static void test_sparse_samples(void **state)
{
    (void)state;
    even_steps(21, 1.0);
    for (int k = -3; k <= 3; k++) {
        for (int i = 0; i < 21; i++)
            f[i] = i == 10 + k;
        dynavis_derivative(21, t, f, 1, 0.5, out);
        assert_true(fabs(out[10] - (abs(k) <= 2 ? 0.1 * k : 0.0)) < 1e-15);
    }
}

static void test_few_and_odd_samples(void **state)
{
    (void)state;
    t[0] = 0.0;
    f[0] = 1.0;
    dynavis_derivative(1, t, f, 1, 0.5, out);
    assert_true(isnan(out[0]));
    t[1] = 2.0; // two samples: a straight line
    f[1] = 5.0;
    dynavis_derivative(2, t, f, 1, 0.5, out);
    assert_true(fabs(out[0] - 2.0) < 1e-15 && fabs(out[1] - 2.0) < 1e-15);
    dynavis_derivative(2, t, f, 2, 0.5, out);
    assert_true(isnan(out[0]) && isnan(out[1]));
    // Two of three samples at almost the same time: never a wild number.
    t[1] = 1e-300;
    t[2] = 1.0;
    f[1] = 1.0;
    f[2] = 3.0;
    dynavis_derivative(3, t, f, 1, 0.5, out);
    for (int i = 0; i < 3; i++)
        assert_true(isnan(out[i]) || fabs(out[i] - 2.0) < 1e-12);
    // Far more samples within the window than are used.
    for (int i = 0; i < COUNT; i++) {
        t[i] = 1e-5 * i;
        f[i] = 4.0 * t[i] - t[i] * t[i];
    }
    dynavis_derivative(COUNT, t, f, 1, 0.5, out);
    for (int i = 0; i < COUNT; i += 50)
        assert_true(fabs(out[i] - 4.0 + 2.0 * t[i]) < 1e-9);
}

// The shipped experiments, against the motion they were made from.
static mc_dynavis_data *demo(int number)
{
    char path[300];
    mc_dynavis_params params;
    mc_error error = {0};
    snprintf(path, sizeof path, SOURCE_DIR "/scenarios/dynavis/demo%d.par", number);
    assert_int_equal(mc_dynavis_params_read(path, 2, &params, &error), MC_OK);
    snprintf(path, sizeof path, SOURCE_DIR "/scenarios/dynavis/demo%d.dat", number);
    mc_dynavis_data *data = mc_dynavis_data_load(path, &params, NULL, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(data->note_count, 0);
    return data;
}

static void test_demo_4(void **state)
{
    (void)state;
    mc_dynavis_data *d = demo(4);
    double error = 0.0, max = 0.0, gap[4] = {0.0};
    int seen[4] = {0};
    for (int k = 0; k < d->frame_count; k++) {
        const mc_dynavis_frame *frame = &d->frames[k];
        const mc_dynavis_car *c = frame->cars;
        // 22 t + 45/pi (1 - cos(2 pi t/45)) is the leader's way.
        const double x = 22.0 * frame->t + 45.0 / M_PI * (1.0 - cos(2.0 * M_PI * frame->t / 45.0));
        error = fmax(error, fabs(c[0].x - x));
        max = fmax(max, c[1].a);
        // Desired and actual headway at the end of each stretch.
        static const double end[] = {20.0, 45.0, 70.0, 90.0}, headway[] = {1.0, 1.6, 0.8, 1.2};
        for (int j = 0; j < 4; j++)
            if (frame->t > end[j] - 4.0 && frame->t < end[j] - 0.1) {
                assert_true(frame->time_headway[0] == headway[j]);
                gap[j] += (c[0].x - c[1].x - 5.0 - 2.0) / c[1].v_x - headway[j];
                seen[j]++;
            }
    }
    assert_true(error < 0.2);             // m, of 2 km: integral of a noisy speed
    assert_true(max > 0.9 && max < 1.25); // the limit of 1 m/s^2 and noise of 0.05
    for (int j = 0; j < 4; j++)
        assert_true(fabs(gap[j] / seen[j]) < 0.06); // s
    mc_dynavis_data_free(d);
}

// Slinky effect: the dip of the leader's speed grows from car to car, and so does the jerk.
static void test_demo_5(void **state)
{
    (void)state;
    mc_dynavis_data *d = demo(5);
    double min[4] = {1e9, 1e9, 1e9, 1e9}, hardest[4] = {0.0};
    double shortest = 1e9, longest = 0.0;
    for (int k = 0; k < d->frame_count; k++)
        for (int i = 0; i < 4; i++) {
            const mc_dynavis_car *c = &d->frames[k].cars[i];
            min[i] = fmin(min[i], c->v_x);
            hardest[i] = fmax(hardest[i], fabs(c->a));
            if (k > 0 && i == 0) {
                shortest = fmin(shortest, d->frames[k].t - d->frames[k - 1].t);
                longest = fmax(longest, d->frames[k].t - d->frames[k - 1].t);
            }
        }
    for (int i = 1; i < 4; i++) {
        assert_true(25.0 - min[i] > 1.05 * (25.0 - min[i - 1]));
        assert_true(hardest[i] > hardest[i - 1]);
    }
    assert_true(fabs(min[0] - 22.0) < 0.15);
    // The leader's braking is 1.5 * 2 pi/10 sin, 0.942 m/s^2 at most.
    assert_true(fabs(hardest[0] - 0.942) < 0.1);
    assert_true(longest > 2.0 * shortest); // uneven
    // Jerk is the second derivative of the speed within 0.75 s, as the method says.
    assert_non_null(strstr(d->method, "jerk: second derivative of speed, degree 3 within 0.75 s"));
    for (int k = 0; k < d->frame_count; k++) {
        t[k] = d->frames[k].t;
        f[k] = d->frames[k].cars[2].v_x;
    }
    dynavis_derivative(d->frame_count, t, f, 2, 0.75, out);
    for (int k = 0; k < d->frame_count; k++)
        assert_true(d->frames[k].cars[2].jerk == out[k]);
    mc_dynavis_data_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials_are_exact),
        cmocka_unit_test(test_frequency_response),
        cmocka_unit_test(test_bias_falls_with_the_window),
        cmocka_unit_test(test_noise_gain),
        cmocka_unit_test(test_table_of_savitzky_and_golay),
        cmocka_unit_test(test_noisy_motion),
        cmocka_unit_test(test_smoothing),
        cmocka_unit_test(test_sparse_samples),
        cmocka_unit_test(test_few_and_odd_samples),
        cmocka_unit_test(test_demo_4),
        cmocka_unit_test(test_demo_5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
