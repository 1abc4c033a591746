// test_comfort.c - weightings against the published table: formulas at every frequency, filters by
// running them.
#include "measure/comfort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const char *const names[COMFORT_WEIGHT_COUNT] = {"Wb", "Wc", "Wd", "We", "Wf", "Wj", "Wk"};

// |W| at exact third-octave frequencies 10^(n/10) Hz, n = -10 .. 19, in the order of the enum.
// Evaluated from the transfer functions of ISO 8041 by another program.
enum { FREQUENCIES = 30 };
static const double published[FREQUENCIES][COMFORT_WEIGHT_COUNT] = {
    {0.024943, 0.062381, 0.062415, 0.062524, 0.695091, 0.030989, 0.031210},
    {0.039408, 0.098579, 0.098666, 0.098933, 0.900013, 0.048967, 0.049310},
    {0.061985, 0.155108, 0.155323, 0.155966, 1.004098, 0.077033, 0.077559},
    {0.096453, 0.241491, 0.242017, 0.243518, 0.992793, 0.119903, 0.120689},
    {0.146432, 0.366940, 0.368185, 0.371484, 0.850147, 0.182115, 0.183228},
    {0.211298, 0.530197, 0.532968, 0.539410, 0.614907, 0.262969, 0.264396},
    {0.280044, 0.704161, 0.709733, 0.719776, 0.388371, 0.348894, 0.350424},
    {0.334679, 0.844216, 0.854033, 0.863538, 0.222505, 0.417617, 0.418806},
    {0.366647, 0.929230, 0.944291, 0.938943, 0.115721, 0.458529, 0.458847},
    {0.380812, 0.971554, 0.991361, 0.942280, 0.054345, 0.477594, 0.476665},
    {0.385252, 0.990991, 1.011017, 0.879765, 0.023520, 0.484400, 0.482473},
    {0.386380, 1.000467, 1.007054, 0.768265, 0.009705, 0.485149, 0.484646},
    {0.391599, 1.006398, 0.970744, 0.637198, 0.003916, 0.483222, 0.493487},
    {0.416844, 1.011660, 0.891289, 0.512723, 0.001566, 0.481901, 0.530753},
    {0.495987, 1.017261, 0.773267, 0.407045, 0.000624, 0.488887, 0.633484},
    {0.665302, 1.022523, 0.639772, 0.321801, 0.000248, 0.524637, 0.807102},
    {0.885036, 1.023887, 0.514310, 0.254346, 0.000099, 0.625149, 0.964784},
    {1.026129, 1.012612, 0.408150, 0.201226, 0.000039, 0.794839, 1.039220},
    {1.054494, 0.973897, 0.322620, 0.159378, 0.000016, 0.946992, 1.054359},
    {1.026371, 0.894084, 0.254969, 0.126348, 0.000006, 1.015990, 1.037353},
    {0.974480, 0.776164, 0.201706, 0.100229, 0.000002, 1.030170, 0.988406},
    {0.904183, 0.642506, 0.159743, 0.079541, 0.000001, 1.026023, 0.898934},
    {0.814363, 0.516582, 0.126613, 0.063135, 0.000000, 1.018646, 0.774282},
    {0.708754, 0.409808, 0.100393, 0.050109, 0.000000, 1.012048, 0.637310},
    {0.597299, 0.323551, 0.079582, 0.039747, 0.000000, 1.006431, 0.510287},
    {0.490626, 0.254940, 0.062991, 0.031473, 0.000000, 1.000454, 0.403115},
    {0.395048, 0.200191, 0.049648, 0.024813, 0.000000, 0.991111, 0.316008},
    {0.311826, 0.155694, 0.038718, 0.019353, 0.000000, 0.972019, 0.245127},
    {0.238884, 0.118235, 0.029457, 0.014726, 0.000000, 0.930387, 0.185718},
    {0.173405, 0.085378, 0.021297, 0.010647, 0.000000, 0.846478, 0.133874},
};

static double frequency_of(int n)
{
    return pow(10.0, (n - 10) / 10.0);
}

static void near(double got, double want, double tolerance, const char *name, double frequency)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s at %g Hz: %.9g instead of %.9g", name, frequency, got, want);
}

static void formulas_agree_with_the_table(void **state)
{
    (void)state;
    for (int n = 0; n < FREQUENCIES; n++)
        for (comfort_weight w = COMFORT_WB; w < COMFORT_WEIGHT_COUNT; w++)
            near(comfort_gain(w, frequency_of(n)), published[n][w], 0.6e-6, names[w],
                 frequency_of(n));
}

// A weighting that another source gives at 100 rad/s.
static void formulas_agree_with_another_source(void **state)
{
    (void)state;
    static const struct {
        comfort_weight weight;
        double value;
    } rows[] = {{COMFORT_WB, 0.8126},
                {COMFORT_WC, 0.5145},
                {COMFORT_WD, 0.1261},
                {COMFORT_WE, 0.06287},
                {COMFORT_WJ, 1.019}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        near(comfort_gain(rows[k].weight, 100.0 / (2.0 * PI)), rows[k].value,
             0.6e-3 * rows[k].value, names[rows[k].weight], 15.9);
}

// rms of the answer to a sine over whole periods, over that of the sine.
static double measured(comfort_weight weight, double frequency, double step)
{
    comfort_filter filter;
    double z[COMFORT_STATE_MAX], u_old = 0.0, sum = 0.0;
    comfort_filter_make(&filter, weight, step);
    comfort_start(&filter, 0.0, z);
    // The slowest pole (Wf's 0.0625 Hz, else 0.4 Hz) must have died out.
    const double settle = weight == COMFORT_WF ? 40.0 : 8.0;
    const long first = (long)ceil(settle / step);
    const long period = lround(1.0 / (frequency * step));
    const long last = first + 4 * period;
    for (long k = 1; k <= last; k++) {
        const double u = sin(2.0 * PI * (double)k / (double)period);
        const double y = comfort_step(&filter, u_old, u, z);
        if (k > first)
            sum += y * y;
        u_old = u;
    }
    return sqrt(2.0 * sum / (double)(last - first));
}

static void filters_agree_with_the_table(void **state)
{
    (void)state;
    for (int n = 0; n < FREQUENCIES; n++)
        for (comfort_weight w = COMFORT_WB; w < COMFORT_WEIGHT_COUNT; w++) {
            const double f = frequency_of(n);
            // 250 samples a period: (sin x/x)^2 = 1 - 5e-5; for slow sines more, so that the
            // corners of the straight lines, which weightings that rise let pass, are small too
            const double step = 1.0 / (f * ceil(fmax(250.0, 1000.0 / f)));
            if (published[n][w] > 1e-3)
                near(measured(w, f, step) / published[n][w], 1.0, 6e-4, names[w], f);
        }
}

// At the record step of a run: the loss is that of drawing the sine by straight lines, no more.
static void a_coarse_step_loses_what_the_header_says(void **state)
{
    (void)state;
    static const double per_period[] = {20.0, 10.0};
    for (int k = 0; k < 2; k++) {
        const double f = 2.0, step = 1.0 / (per_period[k] * f), x = PI * f * step;
        const double loss = sin(x) / x * (sin(x) / x);
        near(measured(COMFORT_WD, f, step), comfort_gain(COMFORT_WD, f) * loss, 2e-3, "Wd coarse",
             f);
        // and 1 % at 0.055 / step, 10 % at 0.18 / step
    }
    const double a = PI * 0.055, b = PI * 0.177;
    near(pow(sin(a) / a, 2.0), 0.99, 1e-3, "1 %", 0.055);
    near(pow(sin(b) / b, 2.0), 0.90, 2e-3, "10 %", 0.177);
}

// The filter is exact for straight lines, so two half steps give what one whole step gives.
static void straight_lines_are_exact(void **state)
{
    (void)state;
    for (comfort_weight w = COMFORT_WB; w < COMFORT_WEIGHT_COUNT; w++) {
        comfort_filter whole, half;
        double z1[COMFORT_STATE_MAX], z2[COMFORT_STATE_MAX];
        comfort_filter_make(&whole, w, 0.02);
        comfort_filter_make(&half, w, 0.01);
        comfort_start(&whole, 1.0, z1);
        comfort_start(&half, 1.0, z2);
        const double u[] = {1.0, 3.0, -2.0, 0.5, 0.5, 4.0};
        for (int k = 1; k < 6; k++) {
            const double one = comfort_step(&whole, u[k - 1], u[k], z1);
            const double middle = 0.5 * (u[k - 1] + u[k]);
            comfort_step(&half, u[k - 1], middle, z2);
            near(comfort_step(&half, middle, u[k], z2), one, 1e-12, names[w], k);
        }
    }
}

static void a_constant_is_not_felt(void **state)
{
    (void)state;
    for (comfort_weight w = COMFORT_WB; w < COMFORT_WEIGHT_COUNT; w++) {
        comfort_filter filter;
        double z[COMFORT_STATE_MAX];
        comfort_filter_make(&filter, w, 0.01);
        comfort_start(&filter, -3.0, z);
        for (int k = 0; k < 1000; k++)
            near(comfort_step(&filter, -3.0, -3.0, z), 0.0, 1e-12, names[w], k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_agree_with_the_table),
        cmocka_unit_test(formulas_agree_with_another_source),
        cmocka_unit_test(filters_agree_with_the_table),
        cmocka_unit_test(a_coarse_step_loses_what_the_header_says),
        cmocka_unit_test(straight_lines_are_exact),
        cmocka_unit_test(a_constant_is_not_felt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
