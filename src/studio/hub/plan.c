// plan.c - roads as samples; see plan.h.
#include "studio/hub/plan.h"

#include "studio/hub/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- lines ----

typedef struct sample {
    double s, x, y, heading;
} sample;

typedef struct line { // what is written of a path
    const mc_road *road;
    int path;
    json_t *s, *x, *y, *heading;
} line;

static sample sample_at(const line *l, double s)
{
    sample p = {.s = s};
    mc_road_place(l->road, l->path, s, 0.0, &p.x, &p.y, &p.heading);
    return p;
}

// Places to 0.1 mm, angles to 1e-7 rad: fewer digits on the wire, and no difference on a screen.
static json_t *rounded(double value, double per)
{
    return json_value(round(value * per) / per);
}

static void put_sample(const line *l, const sample *p)
{
    json_array_append_new(l->s, rounded(p->s, 1e4));
    json_array_append_new(l->x, rounded(p->x, 1e4));
    json_array_append_new(l->y, rounded(p->y, 1e4));
    json_array_append_new(l->heading, rounded(p->heading, 1e7));
}

// How far the line is from the cubic through two samples, at a fraction u between them:
// p(u) = h00 p0 + h10 d t0 + h01 p1 + h11 d t1, t: unit tangents, d: length between them.
static double away(const line *l, const sample *a, const sample *b, double u)
{
    const double d = b->s - a->s, u2 = u * u, u3 = u2 * u;
    const double h00 = 2.0 * u3 - 3.0 * u2 + 1.0, h10 = (u3 - 2.0 * u2 + u) * d;
    const double h01 = 3.0 * u2 - 2.0 * u3, h11 = (u3 - u2) * d;
    const sample p = sample_at(l, a->s + u * d);
    return hypot(h00 * a->x + h10 * cos(a->heading) + h01 * b->x + h11 * cos(b->heading) - p.x,
                 h00 * a->y + h10 * sin(a->heading) + h01 * b->y + h11 * sin(b->heading) - p.y);
}

// All samples after a up to b.
static void put_between(const line *l, const sample *a, const sample *b, int depth)
{
    const bool near = away(l, a, b, 0.25) < PLAN_ERROR && away(l, a, b, 0.5) < PLAN_ERROR &&
                      away(l, a, b, 0.75) < PLAN_ERROR;
    if (near || depth == 0) {
        put_sample(l, b);
        return;
    }
    const sample middle = sample_at(l, 0.5 * (a->s + b->s));
    put_between(l, a, &middle, depth - 1);
    put_between(l, &middle, b, depth - 1);
}

static json_t *line_json(const mc_road *road, int path, double length)
{
    enum { DEPTH_MAX = 12 };
    const line l = {road, path, json_array(), json_array(), json_array(), json_array()};
    const int steps = (int)fmin(ceil(length / 100.0), 100000.0);
    sample a = sample_at(&l, 0.0);
    put_sample(&l, &a);
    for (int k = 1; k <= steps; k++) {
        const sample b = sample_at(&l, length * k / steps);
        put_between(&l, &a, &b, DEPTH_MAX);
        a = b;
    }
    json_t *out = json_object();
    json_put(out, "s", l.s);
    json_put(out, "x", l.x);
    json_put(out, "y", l.y);
    json_put(out, "heading", l.heading);
    return out;
}

// ---- lanes ----

static const char *const uses[] = {"any", "automated", "manual", "closed"}; // mc_road_use

typedef struct stretch { // a section of the lanes of a path
    double from, to;     // m
} stretch;

static bool same_rule(const mc_road_lane *a, const mc_road_lane *b)
{
    const double p[] = {a->speed, a->headway, a->separation};
    const double q[] = {b->speed, b->headway, b->separation};
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k] && !(isnan(p[k]) && isnan(q[k])))
            return false;
    return a->use == b->use && a->enter == b->enter;
}

static void put_rule(json_t *rules, const stretch *s, const mc_road_lane *lane,
                     const mc_road_lane *before)
{
    json_t *last = json_array_get(rules, json_array_size(rules) - 1);
    if (last && before->width > 0.0 && same_rule(lane, before)) {
        json_put(last, "to", rounded(s->to, 1e4));
        return;
    }
    json_t *rule = json_object();
    json_put(rule, "from", rounded(s->from, 1e4));
    json_put(rule, "to", rounded(s->to, 1e4));
    json_put(rule, "use", json_string(uses[lane->use]));
    json_put(rule, "enter", json_string(uses[lane->enter]));
    json_put(rule, "speed", json_value(lane->speed));
    json_put(rule, "headway", json_value(lane->headway));
    json_put(rule, "separation", json_value(lane->separation));
    json_array_append_new(rules, rule);
}

// Samples of one section: its ends, and eighths of it where the lane changes. Ends are taken just
// inside, because widths may jump from section to section.
static void put_width(json_t *lane, const mc_road *road, int path, int k, const stretch *s)
{
    enum { PARTS = 8 };
    const double inside = fmin(1e-3, 1e-3 * (s->to - s->from));
    double centre[PARTS + 1], width[PARTS + 1], at[PARTS + 1];
    bool even = true;
    for (int i = 0; i <= PARTS; i++) {
        at[i] = s->from + inside + (s->to - s->from - 2.0 * inside) * i / PARTS;
        centre[i] = mc_road_lane_centre(road, path, k, at[i], &width[i]);
        even = even && width[i] == width[0] && !(fabs(centre[i] - centre[0]) > 1e-9);
    }
    for (int i = 0; i <= PARTS; i += even ? PARTS : 1) {
        json_array_append_new(json_object_get(lane, "s"), rounded(at[i], 1e4));
        json_array_append_new(json_object_get(lane, "centre"), rounded(centre[i], 1e4));
        json_array_append_new(json_object_get(lane, "width"), rounded(width[i], 1e4));
    }
}

static json_t *lane_json(const mc_road *road, int path, int k, double length)
{
    json_t *lane = json_object(), *rules = json_array();
    json_put(lane, "s", json_array());
    json_put(lane, "centre", json_array());
    json_put(lane, "width", json_array());
    json_put(lane, "rules", rules);
    mc_road_lane before = {0};
    double from = 0.0, next;
    for (int i = 0; from < length; i++) {
        const bool more = mc_road_section_at(road, path, i, &next);
        const stretch s = {from, more ? fmin(next, length) : length};
        if (more && s.to <= s.from) // the one that begins at 0, or before
            continue;
        mc_road_lane now;
        put_width(lane, road, path, k, &s);
        if (!mc_road_lane_at(road, path, k, 0.5 * (s.from + s.to), &now))
            now = (mc_road_lane){0};
        else
            put_rule(rules, &s, &now, &before);
        before = now;
        from = s.to;
    }
    return lane;
}

// ---- paths and ramps ----

// How far a road without an end is described: behind everything there is on it.
static double described(const mc_road *road, int path, double length)
{
    double to = 1000.0, s;
    if (isfinite(length))
        return length;
    for (int k = 0; mc_road_section_at(road, path, k, &s); k++)
        to = fmax(to, s + 200.0);
    return to;
}

static json_t *path_json(const mc_road *road, int path)
{
    mc_road_path p;
    mc_road_path_at(road, path, &p);
    const double length = described(road, path, p.length);
    json_t *out = json_object(), *lanes = json_array();
    for (int k = 0; k < p.lane_count; k++)
        json_array_append_new(lanes, lane_json(road, path, k, length));
    json_put(out, "name", json_string(p.name));
    json_put(out, "length", json_value(p.length));
    json_put(out, "closed", json_boolean(p.closed));
    json_put(out, "base", json_value(mc_road_path_base(road, path)));
    json_put(out, "line", line_json(road, path, length));
    json_put(out, "lanes", lanes);
    return out;
}

static json_t *ramp_json(const mc_road_ramp *r)
{
    json_t *out = json_object();
    json_put(out, "name", json_string(r->name));
    json_put(out, "on", json_boolean(r->on));
    json_put(out, "connector", json_boolean(r->connector));
    json_put(out, "path", json_integer(r->path));
    json_put(out, "main", json_integer(r->main));
    json_put(out, "lane", json_integer(r->lane + 1));
    json_put(out, "from", json_value(r->from));
    json_put(out, "to", json_value(r->to));
    json_put(out, "at", json_value(r->at));
    json_put(out, "nose", json_value(r->nose));
    json_put(out, "ramp_nose", json_value(r->ramp_nose));
    json_put(out, "speed", json_value(r->speed));
    return out;
}

char *plan_text(const mc_road *road, const char *written)
{
    json_t *out = json_object(), *paths = json_array(), *ramps = json_array();
    mc_road_ramp ramp;
    mc_road_path path;
    bool curved = false;
    for (int k = 0; mc_road_path_at(road, k, &path); k++) {
        json_array_append_new(paths, path_json(road, k));
        curved = curved || k > 0 || path.max_curvature > 0.0;
    }
    for (int k = 0; mc_road_ramp_at(road, k, &ramp); k++)
        json_array_append_new(ramps, ramp_json(&ramp));
    json_put(out, "curved", json_boolean(curved));
    json_put(out, "paths", paths);
    json_put(out, "ramps", ramps);
    json_t *lists = written ? json_loads(written, 0, NULL) : NULL;
    json_put(out, "written", lists ? lists : json_null());
    char *text = json_dumps(out, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(out);
    return text;
}
