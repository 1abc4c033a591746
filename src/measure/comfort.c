// comfort.c - weightings as chains of second-order sections; see comfort.h.
//
// A section of corner w and quality q is x1' = w x2, x2' = w (u - x1 - x2/q). Then
//     x1 = w^2 u / N,   x2 = w s u / N,   u - x1 - x2/q = s^2 u / N,   N = s^2 + w s/q + w^2,
// so every factor's output is a sum of x1, x2 and u. States of all sections are of the size of u.
#include "measure/comfort.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static const struct weighting {
    double f1, f2, f3, f4, q4, f5, q5, f6, q6, k; // Hz; INFINITY: the factor is left out
} weightings[COMFORT_WEIGHT_COUNT] = {
    [COMFORT_WB] = {0.4, 100.0, 16.0, 16.0, 0.55, 2.5, 0.9, 4.0, 0.95, 1.024},
    [COMFORT_WC] = {0.4, 100.0, 8.0, 8.0, 0.63, INFINITY, 1.0, INFINITY, 1.0, 1.0},
    [COMFORT_WD] = {0.4, 100.0, 2.0, 2.0, 0.63, INFINITY, 1.0, INFINITY, 1.0, 1.0},
    [COMFORT_WE] = {0.4, 100.0, 1.0, 1.0, 0.63, INFINITY, 1.0, INFINITY, 1.0, 1.0},
    [COMFORT_WF] = {0.08, 0.63, INFINITY, 0.25, 0.86, 0.0625, 0.8, 0.1, 0.8, 1.0},
    [COMFORT_WJ] = {0.4, 100.0, INFINITY, INFINITY, 1.0, 3.75, 0.91, 5.32, 0.91, 1.0},
    [COMFORT_WK] = {0.4, 100.0, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91, 1.0},
};

// One factor: output = p0 x1 + p1 x2 + p2 (u - x1 - x2/q).
typedef struct section {
    double w, q;
    double p0, p1, p2;
} section;

// The factors that the weighting has; returns their number.
static int sections_of(comfort_weight weight, section out[COMFORT_STATE_MAX / 2])
{
    const struct weighting *r = &weightings[weight];
    const double q = sqrt(0.5);
    int n = 0;
    out[n++] = (section){2.0 * PI * r->f1, q, 0.0, 0.0, 1.0};
    out[n++] = (section){2.0 * PI * r->f2, q, 1.0, 0.0, 0.0};
    if (isfinite(r->f4)) // 1 + s/w3: s x1 = w4 x2
        out[n++] =
            (section){2.0 * PI * r->f4, r->q4, 1.0, isfinite(r->f3) ? r->f4 / r->f3 : 0.0, 0.0};
    if (isfinite(r->f6)) {
        const double ratio = r->f5 / r->f6;
        out[n++] = (section){2.0 * PI * r->f6, r->q6, ratio * ratio, ratio / r->q5, 1.0};
    }
    return n;
}

double comfort_gain(comfort_weight weight, double frequency)
{
    section list[COMFORT_STATE_MAX / 2];
    const int count = sections_of(weight, list);
    double gain = weightings[weight].k;
    for (int i = 0; i < count; i++) {
        const double x = 2.0 * PI * frequency / list[i].w; // s = i x in units of the corner
        gain *= hypot(list[i].p0 - list[i].p2 * x * x, list[i].p1 * x) /
                hypot(1.0 - x * x, x / list[i].q);
    }
    return gain;
}

// z' = A z + B u, aw = C z + D u of the whole chain.
static void chain(comfort_weight weight, comfort_filter *f, double *a, double *b)
{
    section list[COMFORT_STATE_MAX / 2];
    const int count = sections_of(weight, list);
    const int n = f->n = 2 * count;
    double in[COMFORT_STATE_MAX] = {0}, direct = 1.0; // input of the section: in . z + direct u
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    memset(b, 0, (size_t)n * sizeof *b);
    for (int i = 0; i < count; i++) {
        const section *s = &list[i];
        const int one = 2 * i, two = 2 * i + 1;
        double high[COMFORT_STATE_MAX]; // u - x1 - x2/q
        memcpy(high, in, sizeof high);
        high[one] -= 1.0;
        high[two] -= 1.0 / s->q;
        a[one * n + two] = s->w;
        for (int j = 0; j < n; j++)
            a[two * n + j] = s->w * high[j];
        b[two] = s->w * direct;
        for (int j = 0; j < n; j++)
            in[j] = s->p2 * high[j];
        in[one] += s->p0;
        in[two] += s->p1;
        direct *= s->p2;
    }
    for (int j = 0; j < n; j++)
        f->c[j] = weightings[weight].k * in[j];
    f->d = weightings[weight].k * direct;
}

enum { SIZE = COMFORT_STATE_MAX + 2 };

static void multiply(int n, const double *x, const double *y, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += x[i * n + k] * y[k * n + j];
            out[i * n + j] = sum;
        }
}

// m becomes exp(m): Taylor's series of m / 2^k, squared k times.
static void exponential(int n, double m[SIZE * SIZE])
{
    double norm = 0.0, term[SIZE * SIZE], sum[SIZE * SIZE], next[SIZE * SIZE];
    const size_t bytes = (size_t)(n * n) * sizeof *m;
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int j = 0; j < n; j++)
            row += fabs(m[i * n + j]);
        norm = fmax(norm, row);
    }
    int halvings = 0;
    for (; norm > 0.25 && halvings < 60; norm *= 0.5)
        halvings++;
    for (int i = 0; i < n * n; i++) {
        m[i] = ldexp(m[i], -halvings);
        sum[i] = term[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (int k = 1; k <= 14; k++) { // 0.25^15 / 15! < 1e-21
        multiply(n, term, m, next);
        for (int i = 0; i < n * n; i++)
            sum[i] += term[i] = next[i] / k;
    }
    for (int k = 0; k < halvings; k++) {
        multiply(n, sum, sum, next);
        memcpy(sum, next, bytes);
    }
    memcpy(m, sum, bytes);
}

void comfort_filter_make(comfort_filter *f, comfort_weight weight, double step)
{
    double a[COMFORT_STATE_MAX * COMFORT_STATE_MAX], b[COMFORT_STATE_MAX];
    *f = (comfort_filter){.step = step};
    chain(weight, f, a, b);
    // z, u and the growth of u over the step, together a linear system without input.
    const int n = f->n, size = n + 2;
    double m[SIZE * SIZE] = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i * size + j] = a[i * n + j] * step;
        m[i * size + n] = b[i] * step;
    }
    m[n * size + n + 1] = 1.0;
    exponential(size, m);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            f->a[i * n + j] = m[i * size + j];
        f->b1[i] = m[i * size + n + 1]; // by the growth
        f->b0[i] = m[i * size + n] - f->b1[i];
    }
}

void comfort_start(const comfort_filter *f, double u, double z[COMFORT_STATE_MAX])
{
    memset(z, 0, COMFORT_STATE_MAX * sizeof *z);
    if (f->n > 0)
        z[0] = u; // the high-pass keeps a constant from all others
}

double comfort_step(const comfort_filter *f, double u_old, double u_new,
                    double z[COMFORT_STATE_MAX])
{
    double next[COMFORT_STATE_MAX] = {0}, out = f->d * u_new;
    const int n = f->n;
    for (int i = 0; i < n; i++) {
        double sum = f->b0[i] * u_old + f->b1[i] * u_new;
        for (int j = 0; j <= (i | 1); j++) // a section feels those before it only
            sum += f->a[i * n + j] * z[j];
        next[i] = sum;
        out += f->c[i] * sum;
    }
    memcpy(z, next, sizeof next);
    return out;
}
