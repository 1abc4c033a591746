// terrain_table.c - profiles by points.
#include "road/terrain_table.h"

#include <math.h>
#include <stddef.h>

static double x_of(const terrain_table *t, int i)
{
    return t->x ? t->x[i] : t->from + t->step * i;
}

// Brings x into the table; *turns: lengths of the table it was moved by.
static double fold(const terrain_table *t, double x, double *turns)
{
    const double first = x_of(t, 0), length = x_of(t, t->count - 1) - first;
    *turns = t->repeat ? floor((x - first) / length) : 0.0;
    return x - *turns * length;
}

// The interval of x: from point i to i + 1.
static int interval(const terrain_table *t, double x)
{
    if (!t->x) {
        const double i = floor((x - t->from) / t->step);
        return i < 0.0 ? 0 : i > t->count - 2 ? t->count - 2 : (int)i;
    }
    int low = 0;
    for (int high = t->count - 1; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (t->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void table_at(const void *data, double x, double y, bool after, double out[3])
{
    (void)y;
    const terrain_table *t = data;
    double turns;
    // The slope of a linear table is that of the side that is asked for.
    const double near = 1e-12 * (1.0 + fabs(x)), at = fold(t, x + (after ? near : -near), &turns);
    const double first = x_of(t, 0), last = x_of(t, t->count - 1);
    out[1] = out[2] = 0.0;
    if (at <= first || at >= last) {
        out[0] = t->z[at <= first ? 0 : t->count - 1];
        return;
    }
    const int i = interval(t, at);
    const double h = x_of(t, i + 1) - x_of(t, i), d = at - (after ? near : -near) - x_of(t, i);
    const double a = t->z[i], rise = (t->z[i + 1] - a) / h;
    if (!t->slope) {
        out[0] = a + rise * d;
        out[1] = rise;
        return;
    }
    // Hermite's cubic a + p d + c d^2 + e d^3
    const double p = t->slope[i], q = t->slope[i + 1];
    const double c = (3.0 * rise - 2.0 * p - q) / h, e = (p + q - 2.0 * rise) / (h * h);
    out[0] = a + d * (p + d * (c + d * e));
    out[1] = p + d * (2.0 * c + d * 3.0 * e);
}

static double table_next(const void *data, double x)
{
    const terrain_table *t = data;
    double turns;
    const double near = 1e-11 * (1.0 + fabs(x));
    const double first = x_of(t, 0), last = x_of(t, t->count - 1);
    if (t->slope) // smooth, except where it ends
        return t->repeat ? HUGE_VAL : x + near < first ? first : x + near < last ? last : HUGE_VAL;
    const double at = fold(t, x + near, &turns), moved = turns * (last - first);
    if (at < first)
        return first;
    return at >= last ? HUGE_VAL : moved + x_of(t, interval(t, at) + 1);
}

static double table_largest(const void *data, double from, double to)
{
    const terrain_table *t = data;
    double turns, most = 0.0;
    int i = 0, end = t->count - 1;
    if (!t->repeat) {
        i = interval(t, from);
        end = interval(t, to) + 1;
    } else if (to - from < x_of(t, t->count - 1) - x_of(t, 0)) {
        i = interval(t, fold(t, from, &turns));
        end = interval(t, fold(t, to, &turns)) + 1;
    }
    for (int k = i;; k = k + 1 < t->count ? k + 1 : 0) {
        double over = 0.0; // how far a cubic leaves its points
        if (t->slope && k + 1 < t->count)
            over = (x_of(t, k + 1) - x_of(t, k)) * 4.0 / 27.0 *
                   (fabs(t->slope[k]) + fabs(t->slope[k + 1]));
        most = fmax(most, fabs(t->z[k]) + over);
        if (k == end)
            return most;
    }
}

static double table_across(const void *data, double from, double to)
{
    (void)data, (void)from, (void)to;
    return 0.0;
}

const terrain_kind terrain_table_kind = {"table",       table_at,     table_next,
                                         table_largest, table_across, NULL};
