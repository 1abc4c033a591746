// test_spectrum.c - transforms, windows, spectra of known sines on and between bins, densities of
// noise, coherence; weightings of ISO 2631 against their table.
#include "num/fft.h"
#include "signal/spectrum.h"
#include "signal/weight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near_to(double a, double b, double within)
{
    if (!(fabs(a - b) <= within))
        fail_msg("%.12g is not %.12g within %g", a, b, within);
}

static double noise(void)
{
    double sum = -6.0;
    for (int k = 0; k < 12; k++)
        sum += (double)rand() / RAND_MAX;
    return sum; // mean 0, variance 1
}

// By the definition, a size with factors 2, 3 and 5; back again.
static void transforms_are_their_sums(void **unused)
{
    (void)unused;
    enum { N = 60 };
    double x[N], re[N / 2 + 1], im[N / 2 + 1], back[N];
    mc_error error;
    srand(1);
    for (int k = 0; k < N; k++)
        x[k] = 1e3 * noise();
    assert_int_equal(fft_real(N, x, re, im, &error), MC_OK);
    for (int k = 0; k <= N / 2; k++) {
        double a = 0.0, b = 0.0;
        for (int j = 0; j < N; j++)
            a += x[j] * cos(2.0 * M_PI * j * k / N), b -= x[j] * sin(2.0 * M_PI * j * k / N);
        near_to(re[k], a, 1e-2);
        near_to(im[k], b, 1e-2);
    }
    assert_int_equal(fft_real_inverse(N, re, im, back, &error), MC_OK);
    for (int k = 0; k < N; k++)
        near_to(back[k], x[k], 2e-3);
    assert_int_equal(fft_size(97), 100);
}

// Sines at any place between two bins: frequency and amplitude by every window.
static void sines_between_bins(void **unused)
{
    (void)unused;
    enum { N = 2000 };
    const double rate = 100.0, step = rate / N;
    double *x = malloc(N * sizeof *x), *a = malloc((N / 2 + 1) * sizeof *a);
    mc_error error;
    const signal_window *w;
    for (int k = 0; (w = signal_window_at(k)); k++)
        for (double d = 0.0; d < 1.0; d += 0.1) {
            const double f1 = (200.0 + d) * step, f2 = (400.0 + d) * step;
            for (int j = 0; j < N; j++)
                x[j] = 5.0 + 2.0 * sin(2.0 * M_PI * f1 * j / rate + 0.3) +
                       0.5 * cos(2.0 * M_PI * f2 * j / rate);
            assert_int_equal(signal_amplitude(x, N, w, a, &error), MC_OK);
            signal_peak p[8];
            const int count = signal_peaks(a, N / 2 + 1, step, w, 0.1, p, 8);
            // Without a window each sine leaks into the other.
            const double near = strcmp(w->name, "rectangle") == 0 ? 2e-2 : 1e-3;
            assert_int_equal(count, 2);
            near_to(p[0].frequency, f1, near * step);
            near_to(p[0].amplitude, 2.0, 2.0 * near);
            near_to(p[1].frequency, f2, 10.0 * near * step);
            near_to(p[1].amplitude, 0.5, 2.0 * near);
            assert_true(p[0].damping < 0.01);
        }
    free(x), free(a);
}

// The integral of a density is the mean square; coherence with noise S/(S + N).
static void densities_and_coherence(void **unused)
{
    (void)unused;
    enum { N = 1 << 16, SIZE = 512 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), square = 0.0, sum = 0.0;
    double mean = 0.0, gain = 0.0;
    mc_error error;
    signal_welch s;
    srand(2);
    for (int j = 0; j < N; j++) {
        x[j] = noise();
        y[j] = -2.0 * x[j] + noise(); // coherence 4/5
        square += x[j] * x[j] / N;
    }
    const signal_window *hann = signal_window_find("hann");
    assert_int_equal(signal_welch_make(x, y, N, 50.0, SIZE, hann, &s, &error), MC_OK);
    assert_int_equal(s.segments, 2 * N / SIZE - 1);
    for (int k = 0; k < s.count; k++) {
        sum += s.xx[k] * s.step;
        mean += signal_coherence(&s, k) / s.count;
        gain += s.xy_re[k] / s.xx[k] / s.count;
    }
    near_to(sum, square, 0.02 * square);
    near_to(mean, 0.8, 0.01);
    near_to(gain, -2.0, 0.02);
    signal_welch_free(&s);
    free(x), free(y);
}

static void plans_have_room(void **unused)
{
    (void)unused;
    const signal_window *hann = signal_window_find("hann");
    const signal_plan p = signal_plan_for(14.2, 0.05, hann);
    assert_true(p.rate == 100.0 && p.length >= 40.0 && p.length < 45.0 && p.resolution <= 0.05);
    assert_true(signal_plan_for(20.0, 1.0, hann).rate == 100.0);
}

// data/iso2631_weights.csv: |W| at the third octaves 10^(n/10), and through a signal.
static void weightings_are_those_of_the_standard(void **unused)
{
    (void)unused;
    static const struct {
        int n; // f = 10^(n/10)
        double wb, wc, wd, we, wf, wj, wk;
    } rows[] = {
        {-10, 0.024943, 0.062381, 0.062415, 0.062524, 0.695091, 0.030989, 0.031210},
        {-9, 0.039408, 0.098579, 0.098666, 0.098933, 0.900013, 0.048967, 0.049310},
        {-8, 0.061985, 0.155108, 0.155323, 0.155966, 1.004098, 0.077033, 0.077559},
        {-7, 0.096453, 0.241491, 0.242017, 0.243518, 0.992793, 0.119903, 0.120689},
        {-6, 0.146432, 0.366940, 0.368185, 0.371484, 0.850147, 0.182115, 0.183228},
        {-5, 0.211298, 0.530197, 0.532968, 0.539410, 0.614907, 0.262969, 0.264396},
        {-4, 0.280044, 0.704161, 0.709733, 0.719776, 0.388371, 0.348894, 0.350424},
        {-3, 0.334679, 0.844216, 0.854033, 0.863538, 0.222505, 0.417617, 0.418806},
        {-2, 0.366647, 0.929230, 0.944291, 0.938943, 0.115721, 0.458529, 0.458847},
        {-1, 0.380812, 0.971554, 0.991361, 0.942280, 0.054345, 0.477594, 0.476665},
        {0, 0.385252, 0.990991, 1.011017, 0.879765, 0.023520, 0.484400, 0.482473},
        {1, 0.386380, 1.000467, 1.007054, 0.768265, 0.009705, 0.485149, 0.484646},
        {2, 0.391599, 1.006398, 0.970744, 0.637198, 0.003916, 0.483222, 0.493487},
        {3, 0.416844, 1.011660, 0.891289, 0.512723, 0.001566, 0.481901, 0.530753},
        {4, 0.495987, 1.017261, 0.773267, 0.407045, 0.000624, 0.488887, 0.633484},
        {5, 0.665302, 1.022523, 0.639772, 0.321801, 0.000248, 0.524637, 0.807102},
        {6, 0.885036, 1.023887, 0.514310, 0.254346, 0.000099, 0.625149, 0.964784},
        {7, 1.026129, 1.012612, 0.408150, 0.201226, 0.000039, 0.794839, 1.039220},
        {8, 1.054494, 0.973897, 0.322620, 0.159378, 0.000016, 0.946992, 1.054359},
        {9, 1.026371, 0.894084, 0.254969, 0.126348, 0.000006, 1.015990, 1.037353},
        {10, 0.974480, 0.776164, 0.201706, 0.100229, 0.000002, 1.030170, 0.988406},
        {11, 0.904183, 0.642506, 0.159743, 0.079541, 0.000001, 1.026023, 0.898934},
        {12, 0.814363, 0.516582, 0.126613, 0.063135, 0.000000, 1.018646, 0.774282},
        {13, 0.708754, 0.409808, 0.100393, 0.050109, 0.000000, 1.012048, 0.637310},
        {14, 0.597299, 0.323551, 0.079582, 0.039747, 0.000000, 1.006431, 0.510287},
        {15, 0.490626, 0.254940, 0.062991, 0.031473, 0.000000, 1.000454, 0.403115},
        {16, 0.395048, 0.200191, 0.049648, 0.024813, 0.000000, 0.991111, 0.316008},
        {17, 0.311826, 0.155694, 0.038718, 0.019353, 0.000000, 0.972019, 0.245127},
        {18, 0.238884, 0.118235, 0.029457, 0.014726, 0.000000, 0.930387, 0.185718},
        {19, 0.173405, 0.085378, 0.021297, 0.010647, 0.000000, 0.846478, 0.133874},
    };
    static const char *const names[] = {"Wb", "Wc", "Wd", "We", "Wf", "Wj", "Wk"};
    double worst = 0.0;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (int j = 0; j < 7; j++) {
            const double table = (&rows[k].wb)[j];
            const double now =
                signal_weight_magnitude(signal_weight_find(names[j]), pow(10.0, rows[k].n / 10.0));
            near_to(now, table, 2e-6);
            if (rows[k].n >= -3 && table > 1e-3) // 0.5 to 80 Hz
                worst = fmax(worst, fabs(now / table - 1.0));
        }
    printf("weightings from 0.5 to 80 Hz: %.1e of the table\n", worst);
    assert_true(sizeof rows / sizeof rows[0] == 30 && worst < 0.01);
    // A sine of 60 s: r.m.s. and dose by the closed form.
    enum { N = 24000 };
    double *a = malloc(N * sizeof *a);
    mc_error error;
    for (int j = 0; j < 7; j++)
        for (double f = strcmp(names[j], "Wf") == 0 ? 100.0 : 0.5; f < 81.0; f *= 2.0) {
            for (int i = 0; i < N; i++)
                a[i] = 9.81 + 2.0 * sin(2.0 * M_PI * f * i / 400.0);
            signal_comfort c;
            const signal_weight *w = signal_weight_find(names[j]);
            assert_int_equal(signal_weigh(w, a, N, 400.0, NULL, &c, &error), MC_OK);
            const double exact = 2.0 * signal_weight_magnitude(w, f);
            near_to(c.raw, sqrt(2.0), 1e-3);
            near_to(c.rms, exact / sqrt(2.0), 0.01 * exact);
            near_to(c.vdv, exact * pow(60.0 * 3.0 / 8.0, 0.25), 0.02 * exact * 2.6);
            assert_true(c.mtvv >= c.rms * 0.99 && c.peak >= exact * 0.99);
        }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_are_their_sums),
        cmocka_unit_test(sines_between_bins),
        cmocka_unit_test(densities_and_coherence),
        cmocka_unit_test(plans_have_room),
        cmocka_unit_test(weightings_are_those_of_the_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
