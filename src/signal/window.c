// window.c - windows for spectra.
#include "signal/window.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const signal_window windows[] = {
    {"hann", "cosine bell: for most spectra", {0.5, 0.5}, 2, 1.5, 2},
    {"rectangle", "none: for signals that end before their record does", {1.0}, 1, 1.0, 1},
    {"hamming", "raised cosine: lower first side lobe than hann", {0.54, 0.46}, 2, 1.36283, 2},
    {"blackman",
     "side lobes below -58 dB: for small lines beside large ones",
     {0.42, 0.5, 0.08},
     3,
     1.72676,
     3},
    {"flat_top",
     "amplitudes between bins to 0.01 dB, wide peaks (ISO 18431-2)",
     {1.0, 1.933, 1.286, 0.388, 0.0322},
     5,
     3.77093,
     5},
};

const signal_window *signal_window_at(int index)
{
    return index >= 0 && index < (int)(sizeof windows / sizeof windows[0]) ? &windows[index] : NULL;
}

const signal_window *signal_window_find(const char *name)
{
    const signal_window *w;
    for (int k = 0; (w = signal_window_at(k)); k++)
        if (strcmp(w->name, name) == 0)
            return w;
    return NULL;
}

double signal_window_value(const signal_window *w, int j, int n)
{
    double sum = 0.0, sign = 1.0;
    for (int k = 0; k < w->count; k++, sign = -sign)
        sum += sign * w->a[k] * cos(2.0 * M_PI * k * j / n);
    return sum;
}

static double sinc(double x)
{
    return fabs(x) < 1e-12 ? 1.0 : sin(M_PI * x) / (M_PI * x);
}

// A cosine of k turns over the window puts half of its size k bins to either side.
double signal_window_response(const signal_window *w, double d)
{
    double sum = w->a[0] * sinc(d);
    for (int k = 1; k < w->count; k++)
        sum += 0.5 * w->a[k] * (sinc(d - k) + sinc(d + k));
    return sum / w->a[0];
}
