// scenery.c - see scenery.h.
#include "picture/scenery.h"

#include "render/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIGNS_BEHIND = 60, SIGNS_AHEAD = 800, PROFILE = 8 };

// ---- the other carriageway ----

scenery scenery_of(const ground *g, const highway_stations *p, const highway_places *ramps)
{
    const float *numbers = look_floats("scenery/numbers", 4);
    const double median = (double)numbers[0], sharpest = (double)numbers[1];
    scenery v = {.shoulder = (double)look_floats("road/numbers", 3)[0]};
    double side[2] = {0.0, 0.0};
    if (isfinite(g->lap) || p->count < 2)
        return v;
    for (int k = 0; k < ground_lane_count(g, 0); k++)
        if (ground_sides(g, 0, k, p->s[0], side)) {
            v.lanes++;
            v.width = fmax(v.width, side[0] - side[1]);
        }
    v.wide = median + 2.0 * v.shoulder + v.lanes * v.width;
    bool good = v.lanes > 1;
    for (int i = 0; i < p->count && good; i++) {
        double edge[2];
        good = ground_edges(g, 0, p->s[i], edge) &&
               (g->straight || fabs(ground_curvature(g, p->s[i])) * v.wide < sharpest);
        const double y = good ? edge[0] + v.shoulder + 0.5 * v.wide : 0.0;
        const vec at = ground_at(g, p->s[i], y, 0).at;
        good = good && (!ramps->count ||
                        (double)highway_nearest(ramps, at.x, at.y, NULL) > 0.5 * v.wide + 4.0);
    }
    if (!good)
        v.lanes = 0, v.wide = 0.0;
    return v;
}

bool scenery_strip_at(const scenery *v, int k, scenery_strip *out)
{
    const double median = v->wide - 2.0 * v->shoulder - v->lanes * v->width;
    if (!v->lanes || k > v->lanes + 1)
        return false;
    *out = (scenery_strip){
        .shoulder = k == 0 || k == v->lanes + 1, .first = k == 1, .last = k == v->lanes};
    out->right = k ? median + v->shoulder + (k - 1) * v->width : median;
    out->left = out->right + (out->shoulder ? v->shoulder : v->width);
    return true;
}

static scene_draw *tinted(scene *s, mesh *m, float roughness, float metalness)
{
    mesh_close(m);
    scene_draw *d = scene_add(s, m, SCENE_TINTED);
    d->colour[0] = d->colour[1] = d->colour[2] = 1.0f;
    d->roughness = roughness, d->metalness = metalness;
    d->casts = true;
    return d;
}

// A barrier of concrete in the median, with sharp edges: every face has corners of its own.
static void add_barrier(scene *s, const ground *g, const scenery *v, const highway_stations *p)
{
    const float *profile = look_floats("scenery/barrier", 2 * PROFILE);
    const double middle = 0.5 * (v->wide - 2.0 * v->shoulder - v->lanes * v->width);
    mesh *m = scene_mesh(s);
    for (int i = 0; i < p->count; i++) {
        double edge[2];
        ground_edges(g, 0, p->s[i], edge);
        const int b = m->corner_count;
        for (int k = 0; k + 1 < PROFILE; k++)
            for (int e = 0; e < 2; e++) {
                const float *at = profile + 2 * (k + e);
                const double y = edge[0] + v->shoulder + middle + (double)at[0];
                mesh_corner c = {
                    ground_at(g, p->s[i], y, 0).at, {0, 0, 0}, {0}, {0.40f, 0.39f, 0.37f, 0.0f}};
                c.position.z += at[1];
                mesh_add(m, &c);
            }
        const int row = 2 * (PROFILE - 1);
        for (int k = 0; i && k < row; k += 2)
            mesh_quad(m, b + k - row, b + k, b + k + 1, b + k + 1 - row);
    }
    mesh_smooth(m);
    tinted(s, m, 0.9f, 0.0f)->both_sides = true;
}

// ---- signs ----

static void place_at(const ground *g, double x, double y, float z, float out[12])
{
    const ground_spot q = ground_at(g, x, y, 0);
    const float place[12] = {q.c, -q.s, 0, q.at.x, q.s, q.c, 0, q.at.y, 0, 0, 1, q.at.z + z};
    memcpy(out, place, sizeof place);
}

static void add_box(mesh *m, const ground *g, double x, double y, float z, const float size[3])
{
    static const float steel[4] = {0.33f, 0.35f, 0.37f, 0.0f};
    float place[12];
    place_at(g, x, y, z, place);
    mesh_box(m, size, place, steel);
}

// A board that traffic sees from behind the camera: its face looks back along the road.
static void add_board(scene *s, const ground *g, double x, double y, float z, const float size[2],
                      const char *first, const char *second)
{
    sheet *own = arena_alloc(&s->memory, sizeof *own);
    mesh *m = scene_mesh(s);
    static const float at[4][2] = {{0.5f, -0.5f}, {-0.5f, -0.5f}, {-0.5f, 0.5f}, {0.5f, 0.5f}};
    if (!own || !sheet_sign(&s->memory, size[0] / size[1], first, second, own)) {
        s->failed = true;
        return;
    }
    for (int k = 0; k < 4; k++) {
        const mesh_corner c = {{0.0f, at[k][0] * size[0], at[k][1] * size[1]},
                               {-1, 0, 0},
                               {0.5f - at[k][0], 0.5f + at[k][1]},
                               {0}};
        mesh_add(m, &c);
    }
    mesh_quad(m, 0, 3, 2, 1);
    mesh_close(m);
    scene_draw *d = scene_add(s, m, SCENE_PAINT);
    place_at(g, x, y, z, d->place);
    d->sheets = own;
    d->roof = 1e6f;
    d->roughness = 0.6f;
    d->casts = d->both_sides = true;
}

static void add_kilometres(scene *s, const ground *g, const scenery *v, double focus, mesh *posts)
{
    static const float size[2] = {0.7f, 1.0f}, post[3] = {0.07f, 0.07f, 2.3f};
    const double apart = (double)look_floats("scenery/numbers", 4)[2];
    for (double x = fmax(apart, ceil((focus - SIGNS_BEHIND) / apart) * apart);
         x < focus + SIGNS_AHEAD && x < g->length; x += apart) {
        double edge[2];
        char text[32];
        if (!ground_edges(g, 0, x, edge))
            continue;
        const double y = edge[1] - v->shoulder - 0.9;
        snprintf(text, sizeof text, "%.1f", 1e-3 * x);
        add_box(posts, g, x, y, 1.05f, post);
        add_board(s, g, x - 0.05, y, 2.2f, size, "km", text);
    }
}

// Over the road, where the lane of an exit begins.
static void add_gantry(scene *s, const ground *g, const scenery *v, const mc_road_ramp *r,
                       mesh *posts)
{
    const double x = r->from;
    double edge[2];
    if (!ground_edges(g, 0, x, edge))
        return;
    const double left = edge[0] + 0.5 * v->shoulder, right = edge[1] - v->shoulder - 1.0;
    const float leg[3] = {0.28f, 0.28f, 7.0f};
    const float beam[3] = {0.22f, (float)(left - right), 0.22f}, size[2] = {4.4f, 1.9f};
    add_box(posts, g, x, right, 3.5f, leg);
    add_box(posts, g, x, left, 3.5f, leg);
    add_box(posts, g, x, 0.5 * (left + right), 6.9f, beam);
    add_box(posts, g, x, 0.5 * (left + right), 6.0f, beam);
    char where[32];
    snprintf(where, sizeof where, "EXIT  %.0f m", fmax(0.0, r->nose - x));
    add_board(s, g, x - 0.16, edge[1] + 0.5 * (double)size[0], 6.45f, size, r->name, where);
}

void scenery_build(scene *s, const ground *g, const scenery *v, const highway_stations *p,
                   double focus)
{
    if (!v->lanes)
        return;
    mesh *posts = scene_mesh(s);
    mc_road_ramp r;
    add_barrier(s, g, v, p);
    add_kilometres(s, g, v, focus, posts);
    for (int k = 0; g->road && mc_road_ramp_at(g->road, k, &r); k++)
        if (!r.on && r.main == 0 && r.name && *r.name && r.from > focus - SIGNS_BEHIND &&
            r.from < focus + SIGNS_AHEAD)
            add_gantry(s, g, v, &r, posts);
    tinted(s, posts, 0.5f, 0.6f);
}
