// spectrum.c - spectra of evenly sampled signals.
#include "signal/spectrum.h"

#include "num/fft.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static double mean_of(const double *x, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += x[k];
    return sum / n;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a spectrum");
}

mc_status signal_amplitude(const double *x, int n, const signal_window *w, double *amplitude,
                           mc_error *error)
{
    const int count = n / 2 + 1;
    double *room = malloc(((size_t)n + 2 * (size_t)count) * sizeof *room);
    if (!room)
        return no_memory(error);
    double *re = room + n, *im = re + count;
    const double mean = mean_of(x, n);
    for (int k = 0; k < n; k++)
        room[k] = (x[k] - mean) * signal_window_value(w, k, n);
    const mc_status status = fft_real(n, room, re, im, error);
    for (int k = 0; k < count && status == MC_OK; k++)
        amplitude[k] = (k == 0 || k == count - 1 ? 1.0 : 2.0) * hypot(re[k], im[k]) / (n * w->a[0]);
    free(room);
    return status;
}

// Adds the products of one segment to the sums.
static mc_status add_segment(const double *x, const double *y, const signal_window *w,
                             const double mean[2], signal_welch *s, double *room, mc_error *error)
{
    const int n = s->size, count = s->count;
    double *re[2] = {room + n, room + n + 2 * count}, *im[2] = {re[0] + count, re[1] + count};
    for (int which = 0; which < (y ? 2 : 1); which++) {
        const double *of = which ? y : x;
        for (int k = 0; k < n; k++)
            room[k] = (of[k] - mean[which]) * signal_window_value(w, k, n);
        const mc_status status = fft_real(n, room, re[which], im[which], error);
        if (status != MC_OK)
            return status;
    }
    for (int k = 0; k < count; k++) {
        s->xx[k] += re[0][k] * re[0][k] + im[0][k] * im[0][k];
        if (!y)
            continue;
        s->yy[k] += re[1][k] * re[1][k] + im[1][k] * im[1][k];
        s->xy_re[k] += re[0][k] * re[1][k] + im[0][k] * im[1][k];
        s->xy_im[k] += re[0][k] * im[1][k] - im[0][k] * re[1][k];
    }
    return MC_OK;
}

mc_status signal_welch_make(const double *x, const double *y, int n, double rate, int size,
                            const signal_window *w, signal_welch *out, mc_error *error)
{
    const int count = size / 2 + 1;
    *out = (signal_welch){.size = size, .count = count, .step = rate / size};
    out->xx = calloc(4 * (size_t)count, sizeof *out->xx);
    double *room = malloc(((size_t)size + 4 * (size_t)count) * sizeof *room);
    mc_status status = out->xx && room ? MC_OK : no_memory(error);
    if (status == MC_OK) {
        out->yy = out->xx + count;
        out->xy_re = out->yy + count;
        out->xy_im = out->xy_re + count;
    }
    const double mean[2] = {mean_of(x, n), y ? mean_of(y, n) : 0.0};
    for (int at = 0; at + size <= n && status == MC_OK; at += size / 2, out->segments++)
        status = add_segment(x + at, y ? y + at : NULL, w, mean, out, room, error);
    double power = 0.0;
    for (int k = 0; k < size; k++)
        power += pow(signal_window_value(w, k, size), 2.0);
    for (int k = 0; k < count && status == MC_OK; k++) {
        const double scale =
            (k == 0 || k == count - 1 ? 1.0 : 2.0) / (rate * power * fmax(out->segments, 1));
        out->xx[k] *= scale;
        out->yy[k] *= scale;
        out->xy_re[k] *= scale;
        out->xy_im[k] *= scale;
    }
    free(room);
    if (status != MC_OK)
        signal_welch_free(out);
    return status;
}

void signal_welch_free(signal_welch *s)
{
    free(s->xx);
    *s = (signal_welch){0};
}

double signal_coherence(const signal_welch *s, int k)
{
    const double power = s->xx[k] * s->yy[k];
    return power > 0.0 ? (s->xy_re[k] * s->xy_re[k] + s->xy_im[k] * s->xy_im[k]) / power : 0.0;
}

// ---- peaks ----

// How far from bin 0 a sine is that shows `ratio` times as much in bin 1 as in bin 0: bisection,
// the response falls with the distance.
static double between(const signal_window *w, double ratio)
{
    double low = 0.0, high = 0.5;
    for (int k = 0; k < 60; k++) {
        const double d = 0.5 * (low + high);
        const double now = fabs(signal_window_response(w, d - 1.0)) / signal_window_response(w, d);
        if (now < ratio)
            low = d;
        else
            high = d;
    }
    return 0.5 * (low + high);
}

// Where the amplitude falls to half the power beside a bin, in bins; going to one side.
static double half_at(const double *a, int count, int bin, int way, double top)
{
    const double half = top * sqrt(0.5);
    for (int k = bin; k + way >= 0 && k + way < count; k += way)
        if (a[k + way] < half)
            return fabs((double)(k - bin)) + (a[k] - half) / (a[k] - a[k + way]);
    return HUGE_VAL;
}

// Full width at half power of the window itself, bins.
static double own_width(const signal_window *w)
{
    double low = 0.0, high = w->lobe;
    for (int k = 0; k < 60; k++) {
        const double d = 0.5 * (low + high);
        if (fabs(signal_window_response(w, d)) > sqrt(0.5))
            low = d;
        else
            high = d;
    }
    return 2.0 * low;
}

int signal_peaks(const double *a, int count, double step, const signal_window *w, double share,
                 signal_peak *out, int max)
{
    double most = 0.0;
    int found = 0;
    for (int k = 1; k + 1 < count; k++)
        most = fmax(most, a[k]);
    for (int k = 1; k + 1 < count && found < max; k++) {
        bool top = a[k] > share * most && a[k] > 0.0;
        for (int d = 1; d <= w->lobe && top; d++)
            top = (k - d < 0 || a[k] > a[k - d]) && (k + d >= count || a[k] >= a[k + d]);
        if (!top)
            continue;
        const int side = a[k + 1] >= a[k - 1] ? 1 : -1;
        const double d = between(w, a[k + side] / a[k]), size = a[k] / signal_window_response(w, d);
        signal_peak *p = &out[found++];
        p->bin = k;
        p->frequency = (k + side * d) * step;
        p->amplitude = size;
        p->width = (half_at(a, count, k, 1, a[k]) + half_at(a, count, k, -1, a[k])) * step;
        const double own = own_width(w) * step;
        p->damping =
            p->width > own ? sqrt(p->width * p->width - own * own) / (2.0 * p->frequency) : 0.0;
    }
    return found;
}

// ---- plans ----

signal_plan signal_plan_for(double f_max, double resolution, const signal_window *w)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    const double least = 5.0 * f_max, decade = pow(10.0, floor(log10(least) + 1e-12));
    signal_plan p = {.rate = 10.0 * decade};
    for (int k = 3; k >= 0; k--)
        if (steps[k] * decade >= least * (1.0 - 1e-12))
            p.rate = steps[k] * decade;
    const double samples = ceil(w->lobe / resolution * p.rate);
    p.count = samples < 1 << 24 ? fft_size((int)fmax(samples, 64.0)) : 1 << 24;
    p.length = p.count / p.rate;
    p.resolution = w->lobe / p.length;
    return p;
}
