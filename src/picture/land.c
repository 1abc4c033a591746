// land.c - see land.h.
#include "picture/land.h"

#include "render/look.h"
#include "render/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 17, TREES = 700, SHAPES = 3 };

typedef struct land {
    const ground *g;
    const highway_places *ramps, *own;
    const float *columns; // m from the verge
    double beyond;        // m, on the left
    float verge, period, cell;
    noise_field hill, roll, clump;
} land;

// m above the road at distance d from the verge of a station, on the left (1) or right (-1).
static float height(const land *l, double s, float d, float sign)
{
    const double u = s / (double)l->period;
    const double v = (double)(sign * (d + 12.0f) / l->period) + 0.5;
    const float ditch = 0.7f * smoothf(0, 4, d) * smoothf(14, 5, d) + 0.4f * smoothf(0, 10, d);
    const float far = smoothf(6, 170, d) * (noise_at(&l->hill, u, v) - 0.4f) * 46.0f;
    return -0.08f - ditch + far +
           smoothf(3, 40, d) * (noise_at(&l->roll, 3.0 * u, 3.0 * v) - 0.5f) * 2.6f;
}

// The ground is level with the road where a ramp runs over it.
static float flattened(const land *l, float z, vec p)
{
    if (!l->ramps->count)
        return z;
    return -0.2f + (z + 0.2f) * smoothf(16, 80, highway_nearest(l->ramps, p.x, p.y, NULL));
}

// How far the land of a station reaches: not beyond the middle of a bend, nor to where another
// stretch is nearer.
static float limit(const land *l, double s, double y, float sign)
{
    if (l->g->straight)
        return HUGE_VALF;
    const double bend = ground_curvature(l->g, s);
    float most = bend * (double)sign > 0.0 ? (float)(0.8 / fabs(bend)) : HUGE_VALF;
    for (int k = 1; k < COLUMNS && l->columns[k] < most; k++) {
        int at = 0;
        const vec q = ground_at(l->g, s, y + (double)(sign * l->columns[k]), 0).at;
        highway_nearest(l->own, q.x, q.y, &at);
        if (fabs((double)l->own->at[3 * at + 2] - s) > 60.0 + 0.5 * (double)l->columns[k])
            most = l->columns[k - 1];
    }
    return most;
}

static void verges(const land *l, double s, double out[2])
{
    double edge[2];
    const bool here = ground_edges(l->g, 0, s, edge);
    out[0] = here ? edge[0] + (double)l->verge + l->beyond : 4.0 + l->beyond;
    out[1] = here ? edge[1] - (double)l->verge : -8.0;
}

// One row from the far left to the far right; returns the lowest z.
static float add_row(const land *l, mesh *m, double s)
{
    double verge[2];
    float low = HUGE_VALF;
    verges(l, s, verge);
    const float reach[2] = {limit(l, s, verge[0], 1.0f), limit(l, s, verge[1], -1.0f)};
    for (int k = 0; k < 2 * COLUMNS; k++) {
        const bool left = k < COLUMNS;
        const float sign = left ? 1.0f : -1.0f;
        const float d =
            fminf(l->columns[left ? COLUMNS - 1 - k : k - COLUMNS], reach[left ? 0 : 1]);
        const double y = left ? verge[0] + (double)d : verge[1] - (double)d;
        vec p = ground_at(l->g, s, y, 0).at;
        p.z += flattened(l, height(l, s, d, sign), p);
        low = fminf(low, p.z);
        const mesh_corner c = {p, {0, 0, 0}, {0}, {(float)s, (float)y, smoothf(3.4f, -0.4f, d), 0}};
        mesh_add(m, &c);
    }
    return low;
}

static float add_ground(scene *s, const land *l, const highway_stations *p)
{
    mesh *m = scene_mesh(s);
    const int n = 2 * COLUMNS;
    float low = HUGE_VALF;
    for (int i = 0; i < p->count; i++) {
        low = fminf(low, add_row(l, m, p->s[i]));
        for (int k = 1; i > 0 && k < n; k++)
            mesh_quad(m, (i - 1) * n + k - 1, (i - 1) * n + k, i * n + k, i * n + k - 1);
    }
    mesh_smooth(m);
    mesh_close(m);
    scene_add(s, m, SCENE_GRASS);
    return low;
}

// ---- trees ----

static float hue_part(float p, float q, float t)
{
    t -= floorf(t);
    return t < 1.0f / 6.0f   ? p + (q - p) * 6.0f * t
           : t < 0.5f        ? q
           : t < 2.0f / 3.0f ? p + (q - p) * (2.0f / 3.0f - t) * 6.0f
                             : p;
}

static void colour_of(float h, float s, float l, float out[3])
{
    const float q = l <= 0.5f ? l * (1.0f + s) : l + s - l * s, p = 2.0f * l - q;
    for (int k = 0; k < 3; k++)
        out[k] = hue_part(p, q, h + (float)(1 - k) / 3.0f); // linear, as three.js mixes hues
}

typedef struct tree {
    double s;
    float sign, d, size, wide, turn, hue, sparse;
    int which;
} tree;

static tree next_tree(noise_stream *r, double cell, const land *l)
{
    tree t = {.s = (cell + noise_next(r)) * (double)l->cell};
    t.sign = noise_next(r) < 0.5 ? 1.0f : -1.0f;
    t.d = (float)(12.0 + 230.0 * pow(noise_next(r), 1.6));
    const bool near = t.d < 38.0f;
    const double kind = noise_next(r), size = noise_next(r);
    t.which = near ? (kind < 0.75 ? 0 : 1) : (int)(3.0 * kind);
    t.size = (float)(near ? 0.32 + 0.4 * size : 0.8 + 0.75 * size);
    t.wide = t.size * (float)(0.9 + 0.3 * noise_next(r));
    t.turn = (float)(6.28 * noise_next(r));
    t.hue = (float)noise_next(r);
    t.sparse = (float)(0.47 + 0.07 * noise_next(r));
    return t;
}

static bool grows(const land *l, const tree *t, vec *at)
{
    const double u = t->s / (double)l->period, v = (double)(t->sign * t->d / l->period) + 0.5;
    if (noise_at(&l->clump, u, v) < t->sparse)
        return false;
    const double bend = l->g->straight ? 0.0 : ground_curvature(l->g, t->s);
    if (bend * (double)t->sign > 0.0 && (double)t->d > 0.7 / fabs(bend))
        return false;
    double verge[2];
    verges(l, t->s, verge);
    const double y = t->sign > 0.0f ? verge[0] + (double)t->d : verge[1] - (double)t->d;
    *at = ground_at(l->g, t->s, y, 0).at;
    if (l->ramps->count && highway_nearest(l->ramps, at->x, at->y, NULL) < 14.0f)
        return false;
    int nearest = 0;
    if (l->own->count) { // beside another stretch of the road
        const float d = highway_nearest(l->own, at->x, at->y, &nearest);
        if (d < 0.6f * t->d || d < 12.0f)
            return false;
    }
    at->z += flattened(l, height(l, t->s, t->d, t->sign), *at) -
             0.9f * t->size * (t->d < 38.0f ? 1.6f : 0.4f);
    return true;
}

static void plant(scene *s, const land *l, const highway_stations *p, const mesh *shape[SHAPES])
{
    const double from = ceil(p->s[0] / (double)l->cell);
    const double to = floor(p->s[p->count - 1] / (double)l->cell);
    int count[SHAPES] = {0};
    for (double cell = from; cell < to; cell++) {
        noise_stream r = {(uint32_t)(int64_t)(cell * 2654435761.0)};
        for (int k = 0; k < 9; k++) {
            vec at;
            const tree t = next_tree(&r, cell, l);
            if (count[t.which] >= TREES || !grows(l, &t, &at))
                continue;
            count[t.which]++;
            scene_draw *d = scene_add(s, shape[t.which], SCENE_TINTED);
            const float c = t.wide * cosf(t.turn), si = t.wide * sinf(t.turn);
            const float place[12] = {c, -si, 0, at.x, si, c, 0, at.y, 0, 0, t.size, at.z};
            for (int i = 0; i < 12; i++)
                d->place[i] = place[i];
            colour_of(0.225f + 0.07f * t.hue + (t.which == 2 ? 0.04f : 0.0f), 0.4f,
                      t.which == 2 ? 0.17f : 0.2f + 0.09f * t.hue, d->colour);
            d->roughness = 1.0f;
            d->casts = true;
        }
    }
}

// ---- far away ----

static void set_colour(float out[3], unsigned hex)
{
    for (int k = 0; k < 3; k++)
        out[k] = sky_to_linear((float)(hex >> (16 - 8 * k) & 255u) / 255.0f);
}

static void add_horizon(scene *s, float low, bool bends, bool dark)
{
    static const unsigned hills[2][2] = {{0x8ba08f, 0x9fb4c0}, {0x1c2530, 0x222d3c}};
    for (int k = 0; k < 2; k++) {
        char name[32];
        mesh *m = scene_mesh(s);
        snprintf(name, sizeof name, "land/ring%d", k);
        if (!mesh_from_look(name, m))
            s->failed = true;
        scene_draw *d = scene_add(s, m, SCENE_FLAT);
        scene_at(d->place, (vec){0.0f, 0.0f, low - 4.0f});
        set_colour(d->colour, hills[dark][k]);
        d->both_sides = true;
    }
    // The plain under it all, in the mean colour of the grass.
    static const float size[3] = {5800.0f, 5800.0f, 0.01f}, none[4] = {0};
    mesh *m = scene_mesh(s);
    mesh_box(m, size, NULL, none);
    mesh_close(m);
    scene_draw *d = scene_add(s, m, SCENE_SOLID);
    scene_at(d->place, (vec){0.0f, 0.0f, low - (bends ? 0.3f : 4.0f)});
    const float grass[3] = {0.14f, 0.165f, 0.068f};
    for (int k = 0; k < 3; k++)
        d->colour[k] = grass[k];
    d->roughness = 1.0f;
}

bool land_build(scene *s, const ground *g, const highway_stations *p, const highway_places *ramps,
                const highway_places *own, double beyond, bool dark)
{
    const float *numbers = look_floats("land/numbers", 3);
    land l = {.g = g,
              .ramps = ramps,
              .own = own,
              .beyond = beyond,
              .columns = look_floats("land/columns", COLUMNS),
              .verge = numbers[0],
              .period = numbers[1],
              .cell = numbers[2]};
    if (!noise_make(&s->memory, 19, 5, 4, &l.hill) || !noise_make(&s->memory, 24, 9, 3, &l.roll) ||
        !noise_make(&s->memory, 59, 9, 3, &l.clump) || p->count < 2)
        return p->count < 2;
    const float low = add_ground(s, &l, p);
    const mesh *shape[SHAPES];
    for (int k = 0; k < SHAPES; k++) {
        char name[32];
        mesh *m = scene_mesh(s);
        snprintf(name, sizeof name, "land/tree%d", k);
        if (!mesh_from_look(name, m))
            return false;
        shape[k] = m;
    }
    plant(s, &l, p, shape);
    add_horizon(s, low, !g->straight, dark);
    return true;
}
