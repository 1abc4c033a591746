// terrain_surface.c - surfaces as layers of terrain.
#include "road/terrain_surface.h"

#include <math.h>
#include <stddef.h>

static void surface_at(const void *data, double x, double y, bool after, double out[3])
{
    const double near = 1e-12 * (1.0 + fabs(x));
    road_surface_at(data, x + (after ? near : -near), y, &out[0], &out[1], &out[2]);
}

// A kink at every row of the grid; what repeats has kinks at the same distances.
static double surface_next(const void *data, double x)
{
    const road_surface *s = data;
    const double near = 1e-11 * (1.0 + fabs(x));
    if (s->shape)
        return HUGE_VAL;
    const double row = floor((x + near - s->from) / s->step) + 1.0;
    const bool ends = s->border_u != ROAD_BORDER_REPEAT && s->border_u != ROAD_BORDER_REFLECT;
    if (ends && row > s->rows - 1)
        return HUGE_VAL;
    return s->from + s->step * (ends ? fmax(row, 0.0) : row);
}

static double surface_largest(const void *data, double from, double to)
{
    const road_surface *s = data;
    double most = fabs(s->border_offset_u) + fabs(s->border_offset_v), sum = 0.0;
    (void)from, (void)to;
    if (s->shape) // of closed forms the parameters tell little: no bound
        return HUGE_VAL;
    for (long k = 0; k < (long)s->rows * s->columns; k++)
        sum = fmax(sum, fabs(s->z[k]));
    return most + sum;
}

static double surface_across(const void *data, double from, double to)
{
    const road_surface *s = data;
    double steepest = 0.0, z[3];
    if (s->shape) { // both are the same all the way, or repeat
        for (int k = 0; k <= 64; k++) {
            s->shape->at(s->shape_p, from + (to - from) * k / 64.0, 0.0, &z[0], &z[1], &z[2]);
            steepest = fmax(steepest, fabs(z[2]));
        }
        return 1.1 * steepest;
    }
    for (int i = 0; i < s->rows; i++)
        for (int j = 0; j + 1 < s->columns; j++)
            steepest = fmax(steepest, fabs(s->z[i * (long)s->columns + j + 1] -
                                           s->z[i * (long)s->columns + j]) /
                                          (s->v[j + 1] - s->v[j]));
    return steepest;
}

const terrain_kind terrain_surface_kind = {"surface",       surface_at,     surface_next,
                                           surface_largest, surface_across, NULL};
