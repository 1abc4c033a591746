// linearity.c - whether a mechanism answers in proportion, and where it stops.
//
//   homogeneity   |y(A u)/A - y(a u)/a| / |y(a u)/a|,   a = A/1000, r.m.s. over the run
//   additivity    |y(u1 + u2) - y(u1) - y(u2)| / |y(u1 + u2)|,  u1 and u2 of size A/2 each
//
// The largest amplitude at which homogeneity is within the tolerance is found by bisection of its
// logarithm.
#include "analysis/excited.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SMALL = 1e-3;
enum { HALVINGS = 12 };

static const mc_analysis_parameter parameters[] = {
    EXCITED_PARAMETERS,
    {"excitation", MC_ANALYSIS_FORM_TEXT, "", "chirp", 0, 0,
     "chirp, sweep, impulse, step, multi_sine or random_road", false},
    {"other", MC_ANALYSIS_FORM_TEXT, "", "impulse", 0, 0, "second excitation, for additivity",
     false},
    {"amplitude", MC_ANALYSIS_FORM_NUMBER, "", NULL, 1e-12, 1e12,
     "largest amplitude that is tried, SI", true},
    {"tolerance", MC_ANALYSIS_FORM_NUMBER, "", "0.01", 1e-9, 1, "of what counts as linear", false},
};

typedef struct tested {
    excited e;
    const signal_excitation *by, *other;
    double *small, *y, *z; // responses
} tested;

static double size_of(const double *y, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += y[k] * y[k];
    return sqrt(sum / count);
}

static void respond(analysis *a, tested *t, const signal_excitation *by, double amplitude,
                    const signal_excitation *second, double *out)
{
    double *u = excited_signal(a, &t->e, by, amplitude);
    double *more = second ? excited_signal(a, &t->e, second, amplitude) : NULL;
    for (int k = 0; u && more && k <= 2 * t->e.sub * t->e.count; k++)
        u[k] += more[k];
    if (a->status == MC_OK)
        plant_run(a, &t->e.p, &t->e.path, u, t->e.count, t->e.sub, t->e.rate, out);
    free(u);
    free(more);
}

static double homogeneity(analysis *a, tested *t, double amplitude, double small)
{
    respond(a, t, t->by, amplitude, NULL, t->y);
    const double size = size_of(t->small, t->e.count) / small;
    for (int k = 0; k < t->e.count; k++)
        t->y[k] = t->y[k] / amplitude - t->small[k] / small;
    return size > 0.0 ? size_of(t->y, t->e.count) / size : 0.0;
}

static double additivity(analysis *a, tested *t, double amplitude)
{
    const double half = 0.5 * amplitude;
    respond(a, t, t->by, half, t->other, t->y);
    const double size = size_of(t->y, t->e.count);
    const signal_excitation *each[] = {t->by, t->other};
    for (int i = 0; i < 2; i++) {
        respond(a, t, each[i], half, NULL, t->z);
        for (int k = 0; k < t->e.count; k++)
            t->y[k] -= t->z[k];
    }
    return size > 0.0 ? size_of(t->y, t->e.count) / size : 0.0;
}

static void row(analysis *a, tested *t, double amplitude, double small, double tolerance)
{
    const double h = homogeneity(a, t, amplitude, small), s = additivity(a, t, amplitude);
    const double values[] = {amplitude, h, s};
    analysis_row(a, h <= tolerance && s <= tolerance ? "linear" : "not linear", values);
}

static void test(analysis *a, tested *t)
{
    const double amplitude = analysis_number(a, "amplitude"), small = SMALL * amplitude;
    const double tolerance = analysis_number(a, "tolerance");
    respond(a, t, t->by, small, NULL, t->small);
    if (a->status == MC_OK && !(size_of(t->small, t->e.count) > 0.0))
        analysis_reject(a, "the output does not answer to the input");
    const double whole = a->status == MC_OK ? homogeneity(a, t, amplitude, small) : 0.0;
    double low = small, high = amplitude;
    for (int k = 0; k < HALVINGS && a->status == MC_OK && whole > tolerance; k++) {
        const double middle = sqrt(low * high);
        if (homogeneity(a, t, middle, small) > tolerance)
            high = middle;
        else
            low = middle;
    }
    analysis_table(a, "linearity", "amplitude|homogeneity|additivity");
    const double shown[] = {0.1 * amplitude, 0.3 * amplitude, amplitude};
    for (int k = 0; k < 3 && a->status == MC_OK; k++)
        row(a, t, shown[k], small, tolerance);
    if (a->status != MC_OK)
        return;
    if (whole <= tolerance)
        analysis_note(a, "verdict: linear up to %g, within %g", amplitude, tolerance);
    else
        analysis_note(a,
                      "verdict: not linear; linearity ends at an amplitude of %.4g, where "
                      "homogeneity is off by %g",
                      low, tolerance);
}

static void run(analysis *a)
{
    tested t = {.by = excited_find(a, "excitation"), .other = NULL};
    t.other = a->status == MC_OK ? excited_find(a, "other") : NULL;
    if (a->status != MC_OK)
        return;
    excited_open(a, &t.e);
    if (a->status == MC_OK) {
        t.small = malloc(3 * (size_t)t.e.count * sizeof *t.small);
        if (!t.small)
            analysis_no_memory(a);
    }
    if (a->status == MC_OK) {
        t.y = t.small + t.e.count;
        t.z = t.y + t.e.count;
        test(a, &t);
    }
    free(t.small);
    excited_close(&t.e);
}

const analysis_kind analysis_linearity = {
    {"linearity", "whether a mechanism answers in proportion to its input, and where that ends",
     true, false, parameters, sizeof parameters / sizeof parameters[0], false},
    run};
