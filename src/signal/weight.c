// weight.c - weighted accelerations.
#include "signal/weight.h"

#include "num/fft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE HUGE_VAL

static const signal_weight weights[] = {
    // name, use, f1, f2, f3, f4, Q4, f5, Q5, f6, Q6, K
    {"Wk", "vertical, seat and feet; lying", 0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91, 1},
    {"Wd", "horizontal, seat and feet; backrest y, z", 0.4, 100, 2, 2, 0.63, NONE, 1, NONE, 1, 1},
    {"Wb", "vertical, rail vehicles", 0.4, 100, 16, 16, 0.55, 2.5, 0.9, 4, 0.95, 1.024},
    {"Wc", "backrest, x", 0.4, 100, 8, 8, 0.63, NONE, 1, NONE, 1, 1},
    {"We", "rotations", 0.4, 100, 1, 1, 0.63, NONE, 1, NONE, 1, 1},
    {"Wf", "motion sickness", 0.08, 0.63, NONE, 0.25, 0.86, 0.0625, 0.80, 0.10, 0.80, 1},
    {"Wj", "head, lying", 0.4, 100, NONE, NONE, 1, 3.75, 0.91, 5.32, 0.91, 1},
};

const signal_weight *signal_weight_at(int index)
{
    return index >= 0 && index < (int)(sizeof weights / sizeof weights[0]) ? &weights[index] : NULL;
}

const signal_weight *signal_weight_find(const char *name)
{
    const signal_weight *w;
    for (int k = 0; (w = signal_weight_at(k)); k++)
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}

// 1 + s/(Q w) + (s/w)^2, 1 for an infinite w.
static double complex second(double complex s, double f, double q)
{
    if (f == NONE)
        return 1.0;
    const double w = 2.0 * M_PI * f;
    return 1.0 + s / (q * w) + s * s / (w * w);
}

static double complex response(const signal_weight *w, double f)
{
    const double complex s = 2.0 * M_PI * f * I;
    const double w1 = 2.0 * M_PI * w->f1, q = sqrt(0.5);
    double complex h = w->k * (s * s / (w1 * w1)) / second(s, w->f1, q) / second(s, w->f2, q);
    h *= (w->f3 == NONE ? 1.0 : 1.0 + s / (2.0 * M_PI * w->f3)) / second(s, w->f4, w->q4);
    if (w->f5 != NONE)
        h *= second(s, w->f5, w->q5) / second(s, w->f6, w->q6) * pow(w->f5 / w->f6, 2.0);
    return h;
}

void signal_weight_response(const signal_weight *w, double f, double *re, double *im)
{
    const double complex h = response(w, f);
    *re = creal(h);
    *im = cimag(h);
}

double signal_weight_magnitude(const signal_weight *w, double f)
{
    return cabs(response(w, f));
}

// r.m.s., dose and running r.m.s. of a weighted signal, the rest after its end included.
static void sum_up(const double *a, int n, int size, double rate, signal_comfort *out)
{
    double square = 0.0, fourth = 0.0, running = 0.0;
    const double fade = exp(-1.0 / rate); // time constant 1 s
    for (int k = 0; k < size; k++) {
        const double p = a[k] * a[k];
        running = running * fade + p * (1.0 - fade);
        if (k < n) {
            square += p;
            fourth += p * p;
            out->peak = fmax(out->peak, fabs(a[k]));
            out->mtvv = fmax(out->mtvv, sqrt(running));
        }
    }
    out->rms = sqrt(square / n);
    out->vdv = pow(fourth / rate, 0.25);
}

mc_status signal_weigh(const signal_weight *w, const double *a, int n, double rate,
                       double *weighted, signal_comfort *out, mc_error *error)
{
    // Room for the weighting to die out, so that the end does not come round to the start.
    const int size = fft_size(n + (int)ceil(fmin(10.0 / w->f1, 1e3) * rate)), count = size / 2 + 1;
    double *x = calloc((size_t)size + 2 * (size_t)count, sizeof *x);
    if (!x)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory to weigh a signal");
    double *re = x + size, *im = re + count, mean = 0.0, square = 0.0;
    for (int k = 0; k < n; k++)
        mean += a[k] / n;
    for (int k = 0; k < n; k++) {
        x[k] = a[k] - mean;
        square += x[k] * x[k];
    }
    *out = (signal_comfort){.raw = sqrt(square / n)};
    mc_status status = fft_real(size, x, re, im, error);
    for (int k = 0; k < count && status == MC_OK; k++) {
        const double complex h = response(w, k * rate / size) * (re[k] + I * im[k]);
        re[k] = creal(h);
        im[k] = cimag(h);
    }
    if (status == MC_OK)
        status = fft_real_inverse(size, re, im, x, error);
    if (status == MC_OK) {
        sum_up(x, n, size, rate, out);
        if (weighted)
            memcpy(weighted, x, (size_t)n * sizeof *x);
    }
    free(x);
    return status;
}
