// polyline.c - straights and arcs through measured points.
#include "exchange/polyline.h"

#include <math.h>
#include <string.h>

#define SAME 0.02     // m: points nearer than that are one
#define COMFORT 1.0   // m/s^2, across the road, of an arc that has all the room it needs
#define DRIVABLE 3.0  // m/s^2, of one that has not
#define LEAD 60.0     // m, of the straight by which a given heading at an end is met
#define SHORTEST 1e-3 // m, of a piece

double polyline_length(const polyline_point *p, int count)
{
    double sum = 0.0;
    for (int i = 1; i < count; i++)
        sum += hypot(p[i].x - p[i - 1].x, p[i].y - p[i - 1].y);
    return sum;
}

static double heading_of(polyline_point a, polyline_point b)
{
    return atan2(b.y - a.y, b.x - a.x);
}

void polyline_shift(const polyline_point *p, int count, double left, polyline_point *out)
{
    for (int i = 0; i < count; i++) {
        const int before = i > 0 ? i - 1 : 0, after = i + 1 < count ? i + 1 : i;
        const double a = heading_of(p[before], p[i == 0 ? 1 : i]);
        const double b = heading_of(p[i + 1 < count ? i : i - 1], p[after]);
        const double turn = remainder(b - a, 2.0 * M_PI), h = a + 0.5 * turn;
        // On the line that halves the corner, so that both sides keep the distance.
        const double away = left / fmax(cos(0.5 * turn), 0.5);
        out[i] = (polyline_point){p[i].x - away * sin(h), p[i].y + away * cos(h)};
    }
}

static int different(const polyline_point *points, int count, polyline_point *out)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        if (n == 0 || hypot(points[i].x - out[n - 1].x, points[i].y - out[n - 1].y) > SAME)
            out[n++] = points[i];
    return n;
}

// ---- leaving points out ----

static double distance_from(polyline_point a, polyline_point b, polyline_point p)
{
    const double x = b.x - a.x, y = b.y - a.y, size = hypot(x, y);
    if (size < SAME)
        return hypot(p.x - a.x, p.y - a.y);
    return fabs(x * (p.y - a.y) - y * (p.x - a.x)) / size;
}

// Marks the points between two that are kept.
static void thin(const polyline_point *p, int from, int to, double tolerance, bool *keep, int depth)
{
    int far = -1;
    double most = tolerance;
    for (int i = from + 1; i < to; i++) {
        const double away = distance_from(p[from], p[to], p[i]);
        if (away > most)
            most = away, far = i;
    }
    if (far < 0 || depth > 500)
        return;
    keep[far] = true;
    thin(p, from, far, tolerance, keep, depth + 1);
    thin(p, far, to, tolerance, keep, depth + 1);
}

// ---- corners to arcs ----

typedef struct fitter {
    arena *memory;
    const polyline_point *p; // different points
    int count;
    double speed;
    bool lead_in, lead_out; // the first or last side is one that is not part of the line
    bool *keep;
    polyline_point *kept;
    int kept_count;
} fitter;

static void add(road_piece *out, int *count, double length, double k)
{
    if (length > SHORTEST)
        out[(*count)++] = (road_piece){length, k, k};
}

// Straights and arcs along the kept points.
static void round_corners(const fitter *f, road_piece *out, int *count, polyline_fit *fit)
{
    const polyline_point *p = f->kept;
    const double gentle = fmax(f->speed * f->speed / COMFORT, 20.0);
    double used = 0.0; // of the side, by the arc before
    *count = 0;
    fit->curvature = fit->rough = 0.0;
    for (int i = 0; i + 1 < f->kept_count; i++) {
        const double side = hypot(p[i + 1].x - p[i].x, p[i + 1].y - p[i].y);
        const bool last = i + 2 == f->kept_count,
                   hidden = (i == 0 && f->lead_in) || (last && f->lead_out);
        double cut = 0.0, radius = 0.0, turn = 0.0;
        if (!last) {
            const double next = hypot(p[i + 2].x - p[i + 1].x, p[i + 2].y - p[i + 1].y);
            turn =
                remainder(heading_of(p[i + 1], p[i + 2]) - heading_of(p[i], p[i + 1]), 2.0 * M_PI);
            const double half = fmin(fabs(turn), 3.0) * 0.5;
            // Sides at the ends of the line have no arc at their other end.
            const double room =
                fmin(i == 0 ? side : 0.5 * side, i + 3 == f->kept_count ? next : 0.5 * next);
            radius = fmin(gentle, room / fmax(tan(half), 1e-12));
            cut = radius * tan(half);
        }
        add(out, count, hidden ? 0.0 : side - used - cut, 0.0);
        if (fabs(turn) > 1e-9) {
            add(out, count, radius * fabs(turn), copysign(1.0 / radius, turn));
            fit->curvature = fmax(fit->curvature, 1.0 / radius);
            if (f->speed * f->speed > DRIVABLE * radius)
                fit->rough += fabs(turn) * f->speed * f->speed / (DRIVABLE * radius);
        }
        used = cut;
        if (i == 0) {
            const double start = f->lead_in ? side - cut : 0.0, h = heading_of(p[0], p[1]);
            fit->start = (road_pose){p[0].x + start * cos(h), p[0].y + start * sin(h), h};
        }
    }
}

static bool fit_with(const fitter *f, double tolerance, polyline_fit *out)
{
    fitter g = *f;
    road_piece *pieces = arena_alloc(f->memory, 2 * (size_t)f->count * sizeof *pieces);
    if (!pieces)
        return false;
    memset(f->keep, 0, (size_t)f->count * sizeof *f->keep);
    const int from = f->lead_in ? 1 : 0, to = f->count - 1 - (f->lead_out ? 1 : 0);
    f->keep[0] = f->keep[f->count - 1] = f->keep[from] = f->keep[to] = true;
    thin(f->p, from, to, tolerance, f->keep, 0);
    g.kept_count = 0;
    for (int i = 0; i < f->count; i++)
        if (f->keep[i])
            g.kept[g.kept_count++] = f->p[i];
    int count;
    round_corners(&g, pieces, &count, out);
    if (count == 0)
        return false;
    out->pieces = pieces;
    out->count = count;
    return true;
}

// Length, and how far the points are from the line.
static bool measure(const fitter *f, polyline_fit *out)
{
    mc_error error = {0};
    road_path path;
    out->length = out->error = 0.0;
    for (int k = 0; k < out->count; k++)
        out->length += out->pieces[k].length;
    if (road_path_make(f->memory, out->start, out->pieces, out->count, false, &path, &error) !=
        MC_OK)
        return false;
    double hint = 0.0;
    for (int i = f->lead_in; i < f->count - f->lead_out; i++) {
        road_foot foot;
        road_path_project(&path, f->p[i].x, f->p[i].y, hint, &foot);
        hint = foot.station;
        if (foot.station > 0.0 && foot.station < out->length)
            out->error = fmax(out->error, fabs(foot.offset));
    }
    return true;
}

bool polyline_follow(arena *memory, const polyline_point *points, int count, double speed,
                     double first, double last, polyline_fit *out)
{
    static const double tolerances[] = {0.05, 0.1, 0.2, 0.5, 1.0};
    enum { TRIES = sizeof tolerances / sizeof tolerances[0] };
    const size_t room = (size_t)count + 2;
    polyline_point *p = arena_alloc(memory, room * sizeof *p);
    fitter f = {.memory = memory,
                .p = p,
                .speed = isnan(speed) ? 20.0 : speed,
                .lead_in = !isnan(first),
                .lead_out = !isnan(last),
                .keep = arena_alloc(memory, room * sizeof *f.keep),
                .kept = arena_alloc(memory, room * sizeof *f.kept)};
    if (!p || !f.keep || !f.kept)
        return false;
    const int n = different(points, count, p + f.lead_in);
    if (n < 2)
        return false;
    f.count = n + f.lead_in + f.lead_out;
    if (f.lead_in)
        p[0] = (polyline_point){p[1].x - LEAD * cos(first), p[1].y - LEAD * sin(first)};
    if (f.lead_out)
        p[f.count - 1] = (polyline_point){p[f.count - 2].x + LEAD * cos(last),
                                          p[f.count - 2].y + LEAD * sin(last)};
    polyline_fit fits[TRIES];
    int tries = 0;
    while (tries < TRIES && fit_with(&f, tolerances[tries], &fits[tries]))
        if (fits[tries++].rough == 0.0)
            break;
    if (tries == 0)
        return false;
    double least = fits[0].rough;
    for (int k = 1; k < tries; k++)
        least = fmin(least, fits[k].rough);
    int best = 0;
    while (fits[best].rough > 1.1 * least)
        best++;
    *out = fits[best];
    return measure(&f, out);
}
