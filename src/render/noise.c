// noise.c - repeatable randomness; see noise.h.
#include "render/noise.h"

#include <math.h>

double noise_next(noise_stream *s)
{
    s->state += 0x6d2b79f5u;
    const uint32_t a = s->state;
    uint32_t t = (a ^ (a >> 15)) * (1u | a);
    t = (t + (t ^ (t >> 7)) * (61u | t)) ^ t;
    return (double)(t ^ (t >> 14)) / 4294967296.0;
}

static const float *lattice_of(arena *a, uint32_t seed, int cells)
{
    float *g = arena_alloc(a, (size_t)cells * (size_t)cells * sizeof *g);
    noise_stream r = {seed};
    for (int i = 0; g && i < cells * cells; i++)
        g[i] = (float)noise_next(&r);
    return g;
}

int noise_make(arena *a, uint32_t seed, int cells, int octaves, noise_field *out)
{
    *out = (noise_field){.octaves = octaves};
    for (int k = 0; k < octaves; k++) {
        out->cells[k] = cells << k;
        out->lattice[k] = lattice_of(a, seed + 17u * (uint32_t)k, cells << k);
        if (!out->lattice[k])
            return 0;
    }
    return 1;
}

static int wrapped(int i, int n)
{
    const int r = i % n;
    return r < 0 ? r + n : r;
}

static double value_at(const float *g, int n, double u, double v)
{
    const double x = u * n, y = v * n, i = floor(x), j = floor(y);
    const double fx = x - i, fy = y - j;
    const double sx = fx * fx * (3.0 - 2.0 * fx), sy = fy * fy * (3.0 - 2.0 * fy);
    const int i0 = wrapped((int)i, n), i1 = wrapped((int)i + 1, n);
    const int j0 = wrapped((int)j, n) * n, j1 = wrapped((int)j + 1, n) * n;
    const double a = g[j0 + i0] + (double)(g[j0 + i1] - g[j0 + i0]) * sx;
    const double b = g[j1 + i0] + (double)(g[j1 + i1] - g[j1 + i0]) * sx;
    return a + (b - a) * sy;
}

float noise_at(const noise_field *f, double u, double v)
{
    double sum = 0.0, total = 0.0, share = 0.5;
    for (int k = 0; k < f->octaves; k++, share *= 0.5) {
        sum += share * value_at(f->lattice[k], f->cells[k], u, v);
        total += share;
    }
    return (float)(sum / total);
}
