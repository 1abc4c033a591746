// highway.c - see highway.h.
#include "picture/highway.h"

#include "picture/land.h"
#include "picture/scenery.h"
#include "render/look.h"

#include <math.h>
#include <stdlib.h>

enum { NONE, SOLID, DASHED, YELLOW }; // what is painted at an edge
static const float LANE = 0.0f, SHOULDER = 0.6f, MARKED = 1.0f, GORE = 2.0f; // what a strip is
static const double BEHIND = 480.0, AHEAD = 1600.0;                          // m about the focus
static const double MERGED = 2.4; // m: nearer than this a ramp's lane is the road's
enum { POSTS = 400 };

void highway_place(highway_places *p, float x, float y, float station)
{
    if (p->count == p->room) {
        const int more = p->room ? 2 * p->room : 256;
        float *bigger = realloc(p->at, 3 * (size_t)more * sizeof *bigger);
        if (!bigger)
            return; // the land is a little different
        p->at = bigger;
        p->room = more;
    }
    float *at = p->at + 3 * (size_t)p->count++;
    at[0] = x, at[1] = y, at[2] = station;
}

float highway_nearest(const highway_places *p, float x, float y, int *index)
{
    float min = HUGE_VALF;
    for (int k = 0; k < p->count; k++) {
        const float dx = p->at[3 * k] - x, dy = p->at[3 * k + 1] - y, d = dx * dx + dy * dy;
        if (d < min) {
            min = d;
            if (index)
                *index = k;
        }
    }
    return sqrtf(min);
}

// ---- stations ----

// About the focus, fine where it is near, on a grid of the road; of a circuit one lap at most.
static highway_stations stations_of(const ground *g, int path, double focus, double fine)
{
    mc_road_path p = {.length = HUGE_VAL};
    highway_stations out = {.path = path, .base = ground_base(g, path)};
    if (g->road)
        mc_road_path_at(g->road, path, &p);
    const double lap = path ? HUGE_VAL : g->lap, at = focus - out.base;
    const bool endless = isfinite(lap) || !isfinite(p.length);
    const double behind = fmin(BEHIND, 0.3 * lap);
    const double low = endless ? at - behind : fmax(path ? 0.0 : -BEHIND, at - behind);
    const double high = fmin(endless ? HUGE_VAL : p.length, at + fmin(AHEAD, lap - behind));
    if (!(high > low))
        return out;
    out.s = malloc(sizeof *out.s * (size_t)((high - low) / fine + 300.0));
    if (!out.s)
        return out;
    double s = low;
    out.s[out.count++] = low;
    for (;;) {
        const double d = fabs(s - at);
        const double close = g->straight ? 1.0 : 0.4; // bends are round where they are near
        const double step = fine * (d < 120.0 ? close : d < 240.0 ? 1.0 : d < 560.0 ? 2.0 : 4.0);
        s = (floor(s / step + 1e-9) + 1.0) * step;
        if (s >= high)
            break;
        out.s[out.count++] = s;
    }
    out.s[out.count++] = high;
    return out;
}

// ---- strips ----

typedef struct strip { // a surface along the road, row by row
    mesh *to;
    const ground *g;
    float over; // m above the road
    bool open;  // the last row is joined to the next
} strip;

static vec corner(const strip *t, double x, double y, int path)
{
    vec p = ground_at(t->g, x, y, path).at;
    p.z += t->over;
    return p;
}

static void row(strip *t, vec left, vec right, double s, float half, const float edge[2],
                float field)
{
    mesh_corner a = {left, {0, 0, 0}, {edge[0], edge[1]}, {(float)s, half, half, field}};
    mesh_corner b = {right, {0, 0, 0}, {edge[0], edge[1]}, {(float)s, -half, half, field}};
    const int k = mesh_add(t->to, &a);
    mesh_add(t->to, &b);
    if (t->open)
        mesh_quad(t->to, k - 2, k - 1, k + 1, k);
    t->open = true;
}

// Whether a lane of a ramp lies at this offset of the main road.
static bool joined(const ground *g, double station, double y)
{
    const int paths = g->road ? mc_road_path_count(g->road) : 1;
    for (int k = 1; k < paths; k++) {
        mc_road_path ramp;
        double side[2];
        const double at = station - ground_base(g, k);
        if (!mc_road_path_at(g->road, k, &ramp) || at < 0.0 || at > ramp.length ||
            !ground_sides(g, k, 0, at, side))
            continue;
        const vec a = ground_at(g, station, y, 0).at;
        const vec b = ground_at(g, station, 0.5 * (side[0] + side[1]), k).at;
        if (hypot((double)(a.x - b.x), (double)(a.y - b.y)) < MERGED)
            return true;
    }
    return false;
}

static void add_lane(strip *t, const highway_stations *p, int lane)
{
    t->open = false;
    for (int i = 0; i < p->count; i++) {
        double side[2], other[2];
        const double s = p->s[i];
        if (!ground_sides(t->g, p->path, lane, s, side)) {
            t->open = false;
            continue;
        }
        const bool left = ground_sides(t->g, p->path, lane - 1, s, other);
        const bool right = ground_sides(t->g, p->path, lane + 1, s, other) ||
                           (!p->path && joined(t->g, s, side[1] - 1.7));
        const float edge[2] = {(float)(left      ? DASHED
                                       : p->path ? SOLID
                                                 : YELLOW),
                               (float)(right ? DASHED : SOLID)};
        const double x = s + p->base;
        row(t, corner(t, x, side[0], p->path), corner(t, x, side[1], p->path), s,
            (float)(0.5 * (side[0] - side[1])), edge, LANE);
    }
}

static void add_shoulder(strip *t, const highway_stations *p, double wide, bool left)
{
    t->open = false;
    for (int i = 0; i < p->count; i++) {
        double edge[2];
        const double s = p->s[i];
        const bool here = ground_edges(t->g, p->path, s, edge);
        const double at = left ? edge[0] : edge[1];
        if (!here || (!p->path && joined(t->g, s, left ? at + 1.7 : at - 1.7))) {
            t->open = false;
            continue;
        }
        const float inner = (float)(left && !p->path ? YELLOW : SOLID);
        const float paint[2] = {left ? (float)NONE : inner, left ? inner : (float)NONE};
        const double x = s + p->base;
        row(t, corner(t, x, left ? at + wide : at, p->path),
            corner(t, x, left ? at : at - wide, p->path), s, (float)(0.5 * wide), paint,
            left || p->path ? SHOULDER : MARKED);
    }
}

static void add_path(strip *t, const highway_stations *p, double shoulder)
{
    for (int lane = 0; lane < ground_lane_count(t->g, p->path); lane++)
        add_lane(t, p, lane);
    add_shoulder(t, p, shoulder, true);
    add_shoulder(t, p, shoulder, false);
}

// The painted wedge between the road and a ramp.
static void add_gore(strip *t, const mc_road_ramp *r)
{
    mc_road_path ramp;
    const float edge[2] = {SOLID, SOLID};
    mc_road_path_at(t->g->road, r->path, &ramp);
    const double meets = r->on ? ramp.length : 0.0, base = ground_base(t->g, r->path);
    t->open = false;
    for (int k = 0; k <= 12; k++) {
        double side[2], own[2];
        const double s = r->nose + (r->at - r->nose) * k / 12.0;
        const double q = r->ramp_nose + (meets - r->ramp_nose) * k / 12.0;
        if (!ground_sides(t->g, 0, r->lane - 1, s, side) || !ground_sides(t->g, r->path, 0, q, own))
            continue;
        const vec a = corner(t, s, side[1], 0), b = corner(t, q + base, own[0], r->path);
        row(t, a, b, s, 0.5f * hypotf(a.x - b.x, a.y - b.y), edge, GORE);
    }
}

static void add_other(strip *t, const highway_stations *p, const scenery *v)
{
    scenery_strip lane;
    for (int k = 0; scenery_strip_at(v, k, &lane); k++) {
        const float paint[2] = {(float)(lane.shoulder ? (k ? NONE : YELLOW)
                                        : lane.last   ? SOLID
                                                      : DASHED),
                                (float)(lane.shoulder ? (k ? SOLID : NONE)
                                        : lane.first  ? YELLOW
                                                      : DASHED)};
        t->open = false;
        for (int i = 0; i < p->count; i++) {
            double edge[2];
            ground_edges(t->g, 0, p->s[i], edge);
            const double from = edge[0] + v->shoulder;
            row(t, corner(t, p->s[i], from + lane.left, 0),
                corner(t, p->s[i], from + lane.right, 0), p->s[i],
                (float)(0.5 * (lane.left - lane.right)), paint, lane.shoulder ? SHOULDER : LANE);
        }
    }
}

// ---- rails ----

typedef struct rail {
    const ground *g;
    const highway_stations *p;
    const highway_places *ramps, *own; // of the main road, when it has ramps
    bool left;
    double beside; // m from the edge
} rail;

// Whether a place lies on the main road or its right shoulder.
static bool on_road(const rail *r, vec at)
{
    int nearest = 0;
    double edge[2];
    if (!r->own->count)
        return false;
    highway_nearest(r->own, at.x, at.y, &nearest);
    const double s = (double)r->own->at[3 * nearest + 2];
    if (!ground_edges(r->g, 0, s, edge))
        return false;
    const ground_spot q = ground_at(r->g, s, 0.0, 0);
    const float y = q.c * (at.y - q.at.y) - q.s * (at.x - q.at.x);
    return (double)y > edge[1] - 2.0 && (double)y < edge[0] + 2.0;
}

// NAN: there is none, since a ramp comes or goes.
static double rail_offset(const rail *r, double s)
{
    double edge[2];
    const int path = r->p->path;
    if (!ground_edges(r->g, path, s, edge))
        return NAN;
    const double y = r->left ? edge[0] + r->beside : edge[1] - r->beside;
    const vec p = ground_at(r->g, s + r->p->base, y, path).at;
    if (path)
        return on_road(r, p) ? NAN : y;
    for (int k = 0; k < r->ramps->count; k++)
        if (fabsf(r->ramps->at[3 * k] - p.x) < 9.0f && fabsf(r->ramps->at[3 * k + 1] - p.y) < 9.0f)
            return NAN;
    return y;
}

static void finish_rail(scene *s, mesh *m)
{
    mesh_close(m);
    scene_draw *d = scene_add(s, m, SCENE_TINTED);
    d->colour[0] = d->colour[1] = d->colour[2] = 1.0f;
    d->roughness = 0.42f, d->metalness = 0.75f;
    d->casts = d->both_sides = true;
}

static void add_posts(scene *s, const rail *r, double focus, const float steel[4])
{
    static const float size[3] = {0.09f, 0.12f, 0.8f};
    const double apart = (double)look_floats("road/numbers", 3)[2];
    const double sign = r->left ? 1.0 : -1.0, last = r->p->s[r->p->count - 1];
    const double first = floor((focus - 240.0) / apart) * apart;
    mesh *post = scene_mesh(s);
    for (int i = 0; i < POSTS; i++) {
        const double at = first + i * apart;
        const double y = at < r->p->s[0] || at > last ? NAN : rail_offset(r, at);
        if (!(y == y))
            continue;
        const ground_spot q = ground_at(r->g, at + r->p->base, y + sign * 0.05, r->p->path);
        const float place[12] = {q.c, -q.s,   0, q.at.x, q.s, q.c,
                                 0,   q.at.y, 0, 0,      1,   q.at.z + 0.36f};
        mesh_box(post, size, place, steel);
    }
    finish_rail(s, post);
}

static void add_rail(scene *s, const rail *r, double focus)
{
    static const float steel[4] = {0.40f, 0.43f, 0.46f, 0};
    enum { PROFILE = 7 };
    const float *beam = look_floats("road/beam", 2 * PROFILE);
    mesh *m = scene_mesh(s);
    bool open = false;
    for (int i = 0; i < r->p->count; i++) {
        const double y = rail_offset(r, r->p->s[i]);
        if (!(y == y)) {
            open = false;
            continue;
        }
        const int b = m->corner_count;
        for (int k = 0; k < PROFILE; k++) {
            const double out = y + (r->left ? 1.0 : -1.0) * (double)beam[2 * k];
            const vec at = ground_at(r->g, r->p->s[i] + r->p->base, out, r->p->path).at;
            mesh_corner c = {at, {0, 0, 0}, {0}, {0}};
            c.position.z += beam[2 * k + 1];
            for (int e = 0; e < 3; e++)
                c.extra[e] = steel[e];
            mesh_add(m, &c);
        }
        for (int k = 0; open && k + 1 < PROFILE; k++)
            mesh_quad(m, b + k - PROFILE, b + k, b + k + 1, b + k + 1 - PROFILE);
        open = true;
    }
    mesh_smooth(m);
    finish_rail(s, m);
    add_posts(s, r, focus, steel);
}

// ---- all of it ----

static void finish(scene *s, mesh *surface)
{
    mesh_smooth(surface);
    mesh_close(surface);
    scene_add(s, surface, SCENE_ROAD)->both_sides = true;
}

// own: places of the main road.
static void add_ramps(scene *s, const ground *g, double focus, double shoulder, mesh *over,
                      const highway_places *own, highway_places *places)
{
    const int paths = g->road ? mc_road_path_count(g->road) : 1;
    for (int k = 1; k < paths; k++) {
        highway_stations p = stations_of(g, k, focus, 5.0);
        mesh *under = scene_mesh(s);
        // A little below the main road where they meet, each below the one before.
        strip t = {under, g, -0.012f - 0.004f * (float)k, false};
        add_path(&t, &p, shoulder);
        for (int i = 0; i < p.count; i++) {
            double side[2] = {0.0, 0.0};
            ground_sides(g, k, 0, p.s[i], side);
            const vec at = ground_at(g, p.s[i] + p.base, 0.5 * (side[0] + side[1]), k).at;
            highway_place(places, at.x, at.y, (float)p.s[i]);
        }
        if (p.count) {
            const rail beside = {g, &p, places, own, false, shoulder};
            add_rail(s, &beside, focus - p.base);
        }
        free(p.s);
        finish(s, under);
    }
    mc_road_ramp r;
    for (int k = 0; g->road && mc_road_ramp_at(g->road, k, &r); k++) {
        strip t = {over, g, 0.0f, false};
        if (r.main == 0 && fabs(r.at - focus) < AHEAD)
            add_gore(&t, &r);
    }
}

bool highway_build(scene *s, const ground *g, double focus, bool dark)
{
    const float *numbers = look_floats("road/numbers", 3);
    const double here = isfinite(g->lap) ? focus : fmin(focus, g->length);
    highway_stations p = stations_of(g, 0, here, g->straight ? 10.0 : 5.0);
    highway_places ramps = {0}, own = {0};
    mesh *surface = scene_mesh(s);
    strip t = {surface, g, 0.0f, false};
    // A road that bends comes near itself: the land of one stretch must not cover another.
    for (int i = 0; i < p.count && !g->straight; i++) {
        const vec at = ground_at(g, p.s[i], 0.0, 0).at;
        highway_place(&own, at.x, at.y, (float)p.s[i]);
    }
    add_ramps(s, g, focus, (double)numbers[1], surface, &own, &ramps);
    add_path(&t, &p, (double)numbers[0]);
    const scenery v = scenery_of(g, &p, &ramps);
    add_other(&t, &p, &v);
    scenery_build(s, g, &v, &p, here);
    finish(s, surface);
    for (int left = 1; left >= 0; left--) {
        // A rail between the camera and the road is left out.
        const rail r = {g, &p, &ramps, &own, left, (double)numbers[0] + (left ? v.wide : 0.0)};
        const double y = rail_offset(&r, here);
        const bool outside = left ? (double)s->view.eye.y > y : (double)s->view.eye.y < y;
        if (p.count && (!g->straight || !outside))
            add_rail(s, &r, here);
    }
    const bool good = p.s && land_build(s, g, &p, &ramps, &own, v.wide, dark);
    free(p.s);
    free(ramps.at);
    free(own.at);
    return good;
}
