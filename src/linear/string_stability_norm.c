// string_stability_norm.c - gain, maximum gain, and the integral of the impulse response.
#include "linear/string_stability.h"

#include "num/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// G(jw) = C (jw - A)^-1 B + D, the late part times exp(-jw delay).
double complex string_model_gain(const string_model *m, int source, double w)
{
    const int n = m->n;
    const double complex late = cexp(-I * w * m->delay);
    double complex a[STRING_MODEL_MAX * STRING_MODEL_MAX], b[STRING_MODEL_MAX];
    int pivot[STRING_MODEL_MAX];
    for (int i = 0; i < n * n; i++)
        a[i] = -m->A[i] + (i % (n + 1) == 0 ? I * w : 0.0);
    for (int i = 0; i < n; i++)
        b[i] = m->B[source][0][i] + late * m->B[source][1][i];
    if (!dense_factor_complex(n, a, pivot))
        return NAN; // an undamped mode at this very frequency
    dense_back_complex(n, a, pivot, b);
    return b[0] + m->D[source][0] + late * m->D[source][1];
}

// ---- modes -----------------------------------------------------------------------------------

static int by_real_part(const void *a, const void *b)
{
    const mc_stability_mode *p = a, *q = b;
    if (p->real != q->real)
        return p->real > q->real ? -1 : 1;
    return p->imaginary > q->imaginary ? -1 : p->imaginary < q->imaginary;
}

bool string_model_modes(const string_model *m, mc_stability_mode *modes, int *neutral_count)
{
    const int n = m->n;
    double a[STRING_MODEL_MAX * STRING_MODEL_MAX], re[STRING_MODEL_MAX], im[STRING_MODEL_MAX];
    double largest = 0.0;
    memcpy(a, m->A, sizeof *a * (size_t)(n * n));
    if (!dense_eigenvalues(n, a, re, im))
        return false;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, hypot(re[i], im[i]));
    *neutral_count = 0;
    for (int i = 0; i < n; i++) {
        const bool neutral = hypot(re[i], im[i]) <= 1e-7 * largest;
        modes[i] = neutral ? (mc_stability_mode){0} : (mc_stability_mode){re[i], im[i]};
        *neutral_count += neutral;
    }
    qsort(modes, (size_t)n, sizeof *modes, by_real_part);
    return true;
}

// Minimum and maximum magnitude of the modes that are not neutral.
static void mode_range(const string_model *m, const mc_stability_mode *modes, double *min,
                       double *max)
{
    *min = INFINITY;
    *max = 0.0;
    for (int i = 0; i < m->n; i++) {
        const double size = hypot(modes[i].real, modes[i].imaginary);
        if (size > 0.0)
            *min = fmin(*min, size);
        *max = fmax(*max, size);
    }
    if (*max == 0.0)
        *min = *max = 1.0;
}

// ---- peak ------------------------------------------------------------------------------------

static double size_at(const string_model *m, double log_w)
{
    return cabs(string_model_gain(m, STRING_FRONT, exp(log_w)));
}

// Golden section for the maximum between a and c.
static double golden(const string_model *m, double a, double c, double *at)
{
    const double share = 0.5 * (sqrt(5.0) - 1.0);
    double b = c - share * (c - a), d = a + share * (c - a);
    double at_b = size_at(m, b), at_d = size_at(m, d);
    while (c - a > 1e-9) {
        if (at_b > at_d) {
            c = d, d = b, at_d = at_b;
            b = c - share * (c - a), at_b = size_at(m, b);
        } else {
            a = b, b = d, at_b = at_d;
            d = a + share * (c - a), at_d = size_at(m, d);
        }
    }
    *at = at_b > at_d ? b : d;
    return fmax(at_b, at_d);
}

typedef struct search {
    const string_model *m;
    double peak, at; // so far; at: log w
} search;

// All maxima on a grid from low to high (log w).
static void search_range(search *s, double low, double high, int count)
{
    const double step = (high - low) / (count - 1);
    double before = size_at(s->m, low), here = size_at(s->m, low + step);
    for (int i = 2; i < count; i++) {
        const double next = size_at(s->m, low + i * step);
        if (here >= before && here >= next && here > 0.9 * s->peak) {
            double at;
            const double peak = golden(s->m, low + (i - 2) * step, low + i * step, &at);
            if (peak > s->peak)
                s->peak = peak, s->at = at;
        }
        before = here;
        here = next;
    }
}

void string_model_peak(const string_model *m, const mc_stability_mode *modes, double *zero_gain,
                       double *peak, double *frequency)
{
    enum { COARSE = 500, FINE = 40 };
    double min, max;
    mode_range(m, modes, &min, &max);
    *zero_gain = cabs(string_model_gain(m, STRING_FRONT, 1e-6 * min));
    if (fabs(*zero_gain - 1.0) < 1e-8) // rounding of a limit that is 1
        *zero_gain = 1.0;
    search s = {m, *zero_gain, -INFINITY};
    search_range(&s, log(1e-3 * min), log(1e2 * max), COARSE);
    for (int i = 0; i < m->n; i++) { // weakly damped modes have narrow peaks
        const double w = fabs(modes[i].imaginary), damping = fabs(modes[i].real);
        if (w > 0.0 && damping < 0.1 * w) {
            const double width = fmax(5.0 * damping / w, 1e-6);
            search_range(&s, log(w) - width, log(w) + width, FINE);
        }
    }
    const bool higher = s.peak > *zero_gain * (1.0 + 1e-9);
    *peak = higher ? s.peak : *zero_gain;
    *frequency = higher ? exp(s.at) : 0.0;
}

// ---- impulse response ------------------------------------------------------------------------

// exp(M dt) by its series; |M| dt is small.
static void exponential(int n, const double *M, double dt, double *E)
{
    double term[(STRING_MODEL_MAX + 1) * (STRING_MODEL_MAX + 1)];
    double next[(STRING_MODEL_MAX + 1) * (STRING_MODEL_MAX + 1)];
    memset(E, 0, sizeof *E * (size_t)(n * n));
    memset(term, 0, sizeof term);
    for (int i = 0; i < n; i++)
        E[i * (n + 1)] = term[i * (n + 1)] = 1.0;
    for (int k = 1; k <= 14; k++) {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int l = 0; l < n; l++)
                    sum += M[i + l * n] * term[l + j * n];
                next[i + j * n] = sum * dt / k;
            }
        memcpy(term, next, sizeof term);
        for (int i = 0; i < n * n; i++)
            E[i] += term[i];
    }
}

// Way of h over a step of length dt, from h and its rate g at both ends; h may turn once.
static double way(double h0, double g0, double h1, double g1, double dt)
{
    if (!(g0 * g1 < 0.0))
        return fabs(h1 - h0);
    const double s = g0 / (g0 - g1), r = 1.0 - s; // where g is 0, and h there by Hermite's cubic
    const double turn = r * r * (1.0 + 2.0 * s) * h0 + s * s * (1.0 + 2.0 * r) * h1 +
                        dt * r * s * (r * g0 - s * g1);
    return fabs(turn - h0) + fabs(h1 - turn);
}

// The integral of |g| is the total variation of the step response h, h' = g = C p. The pair (p, h)
// is stepped exactly.
double string_model_l1(const string_model *m, const mc_stability_mode *modes)
{
    enum { STEP_MAX = 400000 };
    const int n = m->n, size = n + 1;
    double M[(STRING_MODEL_MAX + 1) * (STRING_MODEL_MAX + 1)] = {0};
    double E[(STRING_MODEL_MAX + 1) * (STRING_MODEL_MAX + 1)];
    double p[STRING_MODEL_MAX + 1] = {0}, next[STRING_MODEL_MAX + 1];
    double max, min, slowest = INFINITY;
    mode_range(m, modes, &min, &max);
    for (int i = 0; i < n; i++)
        if (modes[i].real != 0.0)
            slowest = fmin(slowest, fabs(modes[i].real));
    if (!isfinite(slowest))
        return fabs(m->D[0][0]) + fabs(m->D[0][1]);
    for (int j = 0; j < n; j++)
        memcpy(M + j * size, m->A + j * n, sizeof *M * (size_t)n);
    M[n] = 1.0; // h' = x part of p
    const double end = m->delay + 30.0 / slowest;
    double dt = fmax(fmin(0.05 / max, end / 2000.0), end / STEP_MAX);
    const int late = m->delay > 0.0 ? (int)ceil(m->delay / dt) : 0;
    if (late > 0)
        dt = m->delay / late;
    exponential(size, M, dt, E);
    memcpy(p, m->B[STRING_FRONT][0], sizeof *p * (size_t)n);
    double total = fabs(m->D[STRING_FRONT][0] + (late ? 0.0 : m->D[STRING_FRONT][1]));
    total += late ? fabs(m->D[STRING_FRONT][1]) : 0.0;
    const long steps = (long)ceil(end / dt);
    for (long k = 0; k < steps; k++) {
        for (int i = 0; k == late && i < n; i++)
            p[i] += m->B[STRING_FRONT][1][i];
        for (int i = 0; i < size; i++) {
            next[i] = 0.0;
            for (int j = 0; j < size; j++)
                next[i] += E[i + j * size] * p[j];
        }
        total += way(p[n], p[0], next[n], next[0], dt);
        memcpy(p, next, sizeof p);
    }
    return total;
}
