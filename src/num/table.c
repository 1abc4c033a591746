// table.c - search, linear and monotone cubic interpolation.
#include "num/table.h"

#include "base/assert.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

int table_check(const double *x, int count)
{
    if (count <= 0)
        return 0;
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]) || (i > 0 && !(x[i] > x[i - 1])))
            return i;
    return -1;
}

// The i in 0..count-2 with x[i] <= at < x[i + 1]; the first or last one when `at` is outside. There
// is only one, so where the search begins cannot change it.
static int find_interval(const double *x, int count, double at, int *hint)
{
    const int last = count - 1;
    int low = 0, high = last; // the interval is one of low..high-1
    if (hint && *hint >= 0 && *hint < last) {
        // The interval found last and its neighbours, before all others.
        const int first = *hint > 0 ? *hint - 1 : 0, end = *hint + 2 < last ? *hint + 2 : last;
        if (first > 0 && at < x[first])
            high = first;
        else if (end < last && at >= x[end])
            low = end;
        else
            low = first, high = end;
    }
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (at < x[middle])
            high = middle;
        else
            low = middle;
    }
    if (hint)
        *hint = low;
    return low;
}

// Weighted harmonic mean of the slopes on both sides, 0 at a peak (Fritsch and Butland 1984): never
// above three times the smaller, which is enough for monotony.
static double inner_slope(double h0, double h1, double d0, double d1)
{
    if (!(d0 * d1 > 0.0))
        return 0.0;
    const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

// Slope at the end of the parabola through three points, held within 0 and three times the slope
// of the first interval. h0, d0: length and slope of the interval at the end; h1, d1: of the next.
static double end_slope(double h0, double h1, double d0, double d1)
{
    const double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (!(slope * d0 > 0.0))
        return 0.0;
    return d0 * d1 <= 0.0 && fabs(slope) > 3.0 * fabs(d0) ? 3.0 * d0 : slope;
}

void table_slopes(const double *x, const double *y, int count, double *slope)
{
    mc_assert(count >= 1);
    if (count < 3) {
        for (int i = 0; i < count; i++)
            slope[i] = count == 2 ? (y[1] - y[0]) / (x[1] - x[0]) : 0.0;
        return;
    }
    double h0 = x[1] - x[0], d0 = (y[1] - y[0]) / h0;
    for (int i = 1; i < count - 1; i++) {
        const double h1 = x[i + 1] - x[i], d1 = (y[i + 1] - y[i]) / h1;
        if (i == 1)
            slope[0] = end_slope(h0, h1, d0, d1);
        slope[i] = inner_slope(h0, h1, d0, d1);
        if (i == count - 2)
            slope[count - 1] = end_slope(h1, h0, d1, d0);
        h0 = h1, d0 = d1;
    }
}

// y0 + s0 u + c u^2 + e u^3 on u in [0, h]: the cubic with slopes s0 and s1 at its ends.
static double cubic(double u, double h, double y0, double y1, double s0, double s1, double *slope)
{
    const double d = (y1 - y0) / h;
    const double c = (3.0 * d - 2.0 * s0 - s1) / h, e = (s0 + s1 - 2.0 * d) / (h * h);
    *slope = s0 + u * (2.0 * c + 3.0 * u * e);
    return y0 + u * (s0 + u * (c + u * e));
}

// The straight line beyond end i (0 or count - 1).
static double beyond(const table *t, int i, double x, double *slope)
{
    const int inner = i == 0 ? 1 : i - 1;
    if (t->outside == TABLE_CLAMP || t->count == 1)
        *slope = 0.0;
    else if (t->slope)
        *slope = t->slope[i];
    else
        *slope = (t->y[inner] - t->y[i]) / (t->x[inner] - t->x[i]);
    return *slope == 0.0 ? t->y[i] : t->y[i] + *slope * (x - t->x[i]);
}

double table_value(const table *t, double x, double *slope, int *hint)
{
    mc_assert(t->count >= 1);
    double unused;
    double *s = slope ? slope : &unused;
    if (isnan(x))
        return *s = x;
    const int last = t->count - 1;
    if (x >= t->x[last])
        return beyond(t, last, x, s);
    if (x < t->x[0])
        return beyond(t, 0, x, s);
    const int i = find_interval(t->x, t->count, x, hint);
    const double u = x - t->x[i], h = t->x[i + 1] - t->x[i];
    if (t->slope)
        return cubic(u, h, t->y[i], t->y[i + 1], t->slope[i], t->slope[i + 1], s);
    *s = (t->y[i + 1] - t->y[i]) / h;
    return t->y[i] + u * *s;
}

// Where `at` lies on one axis of a grid: between points low and high, a share of the way.
typedef struct place {
    int low, high;
    double share;  // 0 at low, 1 at high; outside when the table extends
    double length; // high - low; INFINITY where the value does not change
} place;

static place place_on(const double *x, int count, double at, table_outside outside, int *hint)
{
    mc_assert(count >= 1);
    if (isnan(at))
        return (place){0, 0, at, at};
    const int last = count - 1;
    const bool below = at < x[0], above = at >= x[last];
    if (last == 0 || (outside == TABLE_CLAMP && (below || above)))
        return (place){below ? 0 : last, below ? 0 : last, 0.0, INFINITY};
    const int i = find_interval(x, count, at, hint);
    const double length = x[i + 1] - x[i];
    // From the nearer end of the last cell, so that the last point is exact too.
    if (above)
        return (place){i + 1, i, (x[i + 1] - at) / length, -length};
    return (place){i, i + 1, (at - x[i]) / length, length};
}

double table_grid_value(const table_grid *t, double x, double y, double slope[2], int hint[2])
{
    const place p = place_on(t->x, t->x_count, x, t->outside, hint ? &hint[0] : NULL);
    const place q = place_on(t->y, t->y_count, y, t->outside, hint ? &hint[1] : NULL);
    const double *low = t->z + (ptrdiff_t)p.low * t->y_count;
    const double *high = t->z + (ptrdiff_t)p.high * t->y_count;
    const double dy_low = low[q.high] - low[q.low], dy_high = high[q.high] - high[q.low];
    const double z_low = low[q.low] + q.share * dy_low, z_high = high[q.low] + q.share * dy_high;
    if (slope) {
        slope[0] = (z_high - z_low) / p.length;
        slope[1] = (dy_low + p.share * (dy_high - dy_low)) / q.length;
    }
    return z_low + p.share * (z_high - z_low);
}
