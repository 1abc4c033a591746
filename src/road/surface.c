// surface.c - the height of an uneven surface.
#include "road/surface.h"

#include "road/terrain.h"

#include <math.h>

typedef struct place { // of one direction
    double at;         // within the grid
    double sign;       // -1: mirrored
    bool inside, none, zero;
} place;

static place limit(double at, double from, double to, road_border border)
{
    place p = {at, 1.0, true, false, false};
    if (at >= from && at <= to)
        return p;
    p.inside = false;
    const double length = to - from;
    if (border == ROAD_BORDER_REPEAT) {
        p.at = at - length * floor((at - from) / length);
    } else if (border == ROAD_BORDER_REFLECT) {
        const double d = at - from - 2.0 * length * floor((at - from) / (2.0 * length));
        p.at = from + (d <= length ? d : 2.0 * length - d);
        p.sign = d <= length ? 1.0 : -1.0;
    } else {
        p.at = at < from ? from : to;
        p.sign = 0.0;
        p.none = border == ROAD_BORDER_NONE;
        p.zero = border == ROAD_BORDER_ZERO;
    }
    p.at = fmin(fmax(p.at, from), to);
    return p;
}

// The column to the left of v, such that the next one exists.
static int column_of(const road_surface *s, double v)
{
    int low = 0;
    for (int high = s->columns - 1; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (s->v[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// 1 inside, falling linearly to 0 at the ends of the grid, and its derivative.
static double fade(const road_surface *s, double u, double *rate)
{
    const double before = u - s->from, after = s->from + s->step * (s->rows - 1) - u;
    double share = 1.0;
    *rate = 0.0;
    if (s->smooth_from > 0.0 && before < s->smooth_from) {
        share = fmax(before, 0.0) / s->smooth_from;
        *rate = 1.0 / s->smooth_from;
    } else if (s->smooth_to > 0.0 && after < s->smooth_to) {
        share = fmax(after, 0.0) / s->smooth_to;
        *rate = -1.0 / s->smooth_to;
    }
    return share;
}

bool road_surface_at(const road_surface *s, double u, double v, double *z, double *zu, double *zv)
{
    *z = *zu = *zv = 0.0;
    if (!isfinite(u) || !isfinite(v))
        return false;
    while (s && s->clipped && !(u >= s->clip_from && u <= s->clip_to))
        s = s->next;
    if (!s)
        return false;
    if (s->terrain) {
        double of[3];
        terrain_height(s->terrain, u, v, true, of);
        *z = of[0], *zu = of[1], *zv = of[2];
        return true;
    }
    if (s->shape) {
        s->shape->at(s->shape_p, u, v, z, zu, zv);
        return true;
    }
    const place a = limit(u, s->from, s->from + s->step * (s->rows - 1), s->border_u);
    const place b = limit(v, s->v[0], s->v[s->columns - 1], s->border_v);
    if (a.none || b.none)
        return false;
    const double offset =
        (a.inside ? 0.0 : s->border_offset_u) + (b.inside ? 0.0 : s->border_offset_v);
    *z = offset;
    if (a.zero || b.zero)
        return true;
    const double row = (a.at - s->from) / s->step;
    const int i = row >= s->rows - 1 ? s->rows - 2 : (int)row, j = column_of(s, b.at);
    const double p = row - i, h = s->v[j + 1] - s->v[j], q = (b.at - s->v[j]) / h;
    const double *z0 = s->z + (long)i * s->columns + j, *z1 = z0 + s->columns;
    // z = z00 (1 - p)(1 - q) + z10 p (1 - q) + z01 (1 - p) q + z11 p q
    const double low = z0[0] + p * (z1[0] - z0[0]), high = z0[1] + p * (z1[1] - z0[1]);
    double rate;
    const double share = fade(s, a.at, &rate), height = low + q * (high - low);
    *z += share * height;
    *zu = a.sign *
          (share * ((1.0 - q) * (z1[0] - z0[0]) + q * (z1[1] - z0[1])) / s->step + rate * height);
    *zv = b.sign * share * (high - low) / h;
    return true;
}
