// terrain.c - the ground at a place: the sum of its layers, the last of its spots.
#include "road/terrain.h"

#include <math.h>

// Share of a side at y, and its derivative.
static double share_of(const terrain_where *w, double y, double *rate)
{
    *rate = 0.0;
    if (w->side == TERRAIN_BOTH)
        return 1.0;
    const double q = (y - w->divide) / w->seam + 0.5;
    const double left = fmin(fmax(q, 0.0), 1.0), sign = w->side == TERRAIN_LEFT ? 1.0 : -1.0;
    if (q > 0.0 && q < 1.0)
        *rate = sign / w->seam;
    return w->side == TERRAIN_LEFT ? left : 1.0 - left;
}

void terrain_height(const road_terrain *t, double x, double y, bool after, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < t->layer_count; k++) {
        const terrain_layer *l = &t->layers[k];
        double rate, z[3];
        const double share = share_of(&l->where, y, &rate);
        if (share == 0.0)
            continue;
        l->kind->at(l->data, x, y, after, z);
        out[0] += share * z[0];
        out[1] += share * z[1];
        out[2] += share * z[2] + rate * z[0];
    }
}

double terrain_next(const road_terrain *t, double x)
{
    double next = HUGE_VAL;
    for (int k = 0; k < t->layer_count; k++)
        next = fmin(next, t->layers[k].kind->next(t->layers[k].data, x));
    return next;
}

static bool covers(const terrain_spot *s, double x, double y)
{
    if (!(x >= s->from && x < s->to))
        return false;
    return s->where.side == TERRAIN_BOTH ||
           (s->where.side == TERRAIN_LEFT) == (y > s->where.divide);
}

void terrain_grip(const road_terrain *t, double x, double y, double *friction, double *restitution)
{
    *friction = t->friction, *restitution = t->restitution;
    for (int k = 0; k < t->spot_count; k++) {
        const terrain_spot *s = &t->spots[k];
        if (!covers(s, x, y))
            continue;
        if (!isnan(s->friction))
            *friction = s->friction;
        if (!isnan(s->restitution))
            *restitution = s->restitution;
    }
}

void terrain_at(const road_terrain *t, double x, double y, terrain_point *out)
{
    double z[3];
    terrain_height(t, x, y, true, z);
    *out = (terrain_point){.z = z[0], .zx = z[1], .zy = z[2]};
    terrain_grip(t, x, y, &out->friction, &out->restitution);
}
