// xodr_line.c - planView and elevation of an OpenDRIVE road.
#include "road/fit.h"
#include "road_files/xodr_parts.h"

#include <math.h>
#include <string.h>

#define GAP 0.1       // m: pieces further apart than that do not join
#define TURN_GAP 0.02 // rad
#define NOTED 1e-3    // m

typedef struct line {
    xodr_reader *r;
    road_piece *pieces;
    int count, room;
    road_pose end; // of the pieces so far
    double length, gap, fit;
    const xml_node *worst; // where the gap is
    double stretch;        // m, how much longer cubics are than they say
} line;

static void add(line *l, road_piece piece)
{
    if (l->count == l->room) {
        const int room = l->room ? 2 * l->room : 16;
        road_piece *more = xml_alloc(&l->r->x, room, sizeof *more);
        if (!more)
            return;
        if (l->count)
            memcpy(more, l->pieces, (size_t)l->count * sizeof *more);
        l->pieces = more;
        l->room = room;
    }
    l->pieces[l->count++] = piece;
    l->end = road_pieces_end(l->end, &piece, 1);
}

static void add_planar(line *l, const xml_node *geometry, road_planar curve, double length)
{
    road_piece pieces[ROAD_FIT_PIECES];
    int count;
    double start, error, sum = 0.0;
    if (!road_fit_planar(&curve, pieces, &count, &start, &error)) {
        xml_reject(&l->r->x, geometry,
                   "this cubic cannot be followed: it has a cusp or turns too much");
        return;
    }
    for (int k = 0; k < count; k++) {
        add(l, pieces[k]);
        sum += pieces[k].length;
    }
    l->fit = fmax(l->fit, error);
    l->stretch += fabs(sum - length);
    if (fabs(sum - length) > 0.01 * length + 0.01)
        xml_reject(&l->r->x, geometry,
                   "this cubic is %.6g m long, but its length is given as %.6g m", sum, length);
}

// v = a + b u + c u^2 + d u^3, until it is `length` long.
static road_planar poly3(xodr_reader *r, const xml_node *node, double length)
{
    road_planar c = {.u = {0.0, 1.0, 0.0, 0.0}};
    static const char *const names[4] = {"a", "b", "c", "d"};
    for (int k = 0; k < 4; k++)
        c.v[k] = xml_number(&r->x, node, names[k]);
    double u = 0.0;
    const double step = length / 1000.0;
    for (int k = 0; k < 1000; k++) { // du/ds = 1/sqrt(1 + v'^2), by the midpoint rule
        const double here = c.v[1] + u * (2.0 * c.v[2] + u * 3.0 * c.v[3]);
        const double half = u + 0.5 * step / sqrt(1.0 + here * here);
        const double rate = c.v[1] + half * (2.0 * c.v[2] + half * 3.0 * c.v[3]);
        u += step / sqrt(1.0 + rate * rate);
    }
    c.end = u;
    return c;
}

static road_planar param_poly3(xodr_reader *r, const xml_node *node, double length)
{
    static const char *const u[4] = {"aU", "bU", "cU", "dU"};
    static const char *const v[4] = {"aV", "bV", "cV", "dV"};
    const char *range = xml_get(node, "pRange");
    road_planar c = {.end = range && strcmp(range, "normalized") == 0 ? 1.0 : length};
    if (range && strcmp(range, "normalized") != 0 && strcmp(range, "arcLength") != 0)
        xml_reject(&r->x, node, "pRange is \"%.40s\"; expected arcLength or normalized", range);
    for (int k = 0; k < 4; k++) {
        c.u[k] = xml_number(&r->x, node, u[k]);
        c.v[k] = xml_number(&r->x, node, v[k]);
    }
    return c;
}

static void check_join(line *l, const xml_node *geometry, double s, road_pose given)
{
    xodr_reader *r = l->r;
    if (r->x.status != MC_OK)
        return;
    if (fabs(s - l->length) > 0.01) {
        xml_reject(&r->x, geometry,
                   "geometry begins at s = %.9g m; expected %.9g m, where the one "
                   "before ends",
                   s, l->length);
        return;
    }
    const double gap = hypot(given.x - l->end.x, given.y - l->end.y);
    const double turn = remainder(given.heading - l->end.heading, 2.0 * M_PI);
    if (gap > GAP || fabs(turn) > TURN_GAP)
        xml_reject(&r->x, geometry,
                   "geometry does not join: it begins %.4g m and %.4g rad from the end of the one "
                   "before",
                   gap, turn);
    if (gap > l->gap) {
        l->gap = gap;
        l->worst = geometry;
    }
}

static void add_shape(line *l, const xml_node *geometry, double length)
{
    xodr_reader *r = l->r;
    const xml_node *shape = geometry->first;
    if (!shape) {
        xml_reject(&r->x, geometry,
                   "geometry has no shape; expected line, arc, spiral, poly3 or paramPoly3");
    } else if (strcmp(shape->name, "line") == 0) {
        add(l, (road_piece){length, 0.0, 0.0});
    } else if (strcmp(shape->name, "arc") == 0) {
        const double k = xml_number(&r->x, shape, "curvature");
        add(l, (road_piece){length, k, k});
    } else if (strcmp(shape->name, "spiral") == 0) {
        const double k0 = xml_number(&r->x, shape, "curvStart");
        add(l, (road_piece){length, k0, xml_number(&r->x, shape, "curvEnd")});
    } else if (strcmp(shape->name, "poly3") == 0) {
        add_planar(l, geometry, poly3(r, shape, length), length);
    } else if (strcmp(shape->name, "paramPoly3") == 0) {
        add_planar(l, geometry, param_poly3(r, shape, length), length);
    } else {
        xml_reject(&r->x, shape,
                   "unknown shape \"%.40s\"; expected line, arc, spiral, poly3 or paramPoly3",
                   shape->name);
    }
}

static void check_curvature(xodr_reader *r, const xml_node *geometry, const line *l, int from)
{
    for (int k = from; k < l->count && r->x.status == MC_OK; k++)
        if (!(fabs(l->pieces[k].k0) <= 1.0) || !(fabs(l->pieces[k].k1) <= 1.0))
            xml_reject(&r->x, geometry, "curvatures %.4g and %.4g 1/m; expected at most 1",
                       l->pieces[k].k0, l->pieces[k].k1);
}

// A cubic may begin with a turn of its own, from the heading of the geometry.
static double own_turn(xodr_reader *r, const xml_node *geometry)
{
    const xml_node *planar = xml_first(geometry, "paramPoly3"),
                   *cubic = xml_first(geometry, "poly3");
    if (planar)
        return atan2(xml_number(&r->x, planar, "bV"), xml_number(&r->x, planar, "bU"));
    return cubic ? atan(xml_number(&r->x, cubic, "b")) : 0.0;
}

void xodr_read_line(xodr_reader *r, xodr_road *way)
{
    const xml_node *plan = xml_first(way->node, "planView");
    line l = {.r = r};
    if (!plan || !xml_first(plan, "geometry")) {
        xml_reject(&r->x, way->node, "road %.40s has no planView with geometry", way->id);
        return;
    }
    for (const xml_node *n = xml_first(plan, "geometry"); n && r->x.status == MC_OK;
         n = xml_next(n, "geometry")) {
        const road_pose given = {xml_number(&r->x, n, "x"), xml_number(&r->x, n, "y"),
                                 xml_number(&r->x, n, "hdg") + own_turn(r, n)};
        const double length = xml_number(&r->x, n, "length"), s = xml_number(&r->x, n, "s");
        if (r->x.status == MC_OK && !(length > 0.0 && length <= 1e6))
            xml_reject(&r->x, n, "length is %.9g m; expected above 0 and at most 1e6 m", length);
        if (l.count == 0)
            way->start = l.end = given;
        check_join(&l, n, s, given);
        if (r->x.status != MC_OK)
            break;
        const int from = l.count;
        add_shape(&l, n, length);
        check_curvature(r, n, &l, from);
        l.length += length;
    }
    if (r->x.status != MC_OK)
        return;
    if (fabs(l.length - way->length) > 0.01)
        xml_reject(&r->x, way->node, "road %.40s is %.9g m long, but its geometry ends at %.9g m",
                   way->id, way->length, l.length);
    way->length = l.length;
    way->pieces = l.pieces;
    way->piece_count = l.count;
    if (l.gap > NOTED)
        xml_note(&r->x, l.worst, "road %.40s: pieces are up to %.2g m apart; they are joined",
                 way->id, l.gap);
    if (l.fit > 0.0)
        xml_note(&r->x, way->node, "road %.40s: cubics are followed by clothoids within %.1e m",
                 way->id, l.fit);
}

// ---- elevation ----

typedef struct slope {
    const road_polys *z;
    double length, sign; // m; -1: in the other direction
    double window;       // m: averaged over it; 0: as it is
} slope;

// The angle whose sine is dz/ds, as for a profile of a scenario: heights are those of the file.
static mc_status slope_at(void *context, int n, const double *x, double *value, double *rate,
                          mc_error *error)
{
    const slope *c = context;
    for (int i = 0; i < n; i++) {
        const double s = c->sign > 0.0 ? x[i] : c->length - x[i], w = 0.5 * c->window;
        double climb, bend;
        if (w > 0.0) {
            climb = (road_polys_value(c->z, s + w) - road_polys_value(c->z, s - w)) / (2.0 * w);
            bend = (road_polys_rate(c->z, s + w) - road_polys_rate(c->z, s - w)) / (2.0 * w);
        } else {
            climb = road_polys_rate(c->z, s);
            bend = (road_polys_rate(c->z, s + 1e-4) - road_polys_rate(c->z, s - 1e-4)) / 2e-4;
        }
        climb *= c->sign; // the derivative of the climb keeps its sign: both turn round
        if (!(fabs(climb) <= 0.7))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "the elevation rises by %.4g m per m at s = %.6g m; expected "
                                "within -0.7 .. 0.7",
                                climb, s);
        value[i] = asin(climb);
        rate[i] = bend / sqrt(1.0 - climb * climb);
    }
    return MC_OK;
}

void xodr_make_slope(xodr_reader *r, const xodr_road *way, bool left, road *out)
{
    out->curve = (road_curve){0};
    out->slope = out->height = (road_line){0};
    slope c = {&way->elevation, way->length, left ? -1.0 : 1.0, 0.0};
    bool level = true;
    for (int k = 0; k < way->elevation.count; k++) {
        const road_poly *p = &way->elevation.p[k];
        level = level && p->b == 0.0 && p->c == 0.0 && p->e == 0.0;
        if (k == 0)
            continue;
        const double jump = road_poly_value(&p[-1], p->at) - p->a;
        const double kink = road_polys_rate(&(road_polys){&p[-1], 1}, p->at) - p->b;
        if (fabs(jump) > 0.05)
            xml_reject(&r->x, way->node, "road %.40s: the elevation jumps by %.4g m at s = %.6g m",
                       way->id, -jump, p->at);
        if (fabs(jump) > 1e-6 || fabs(kink) > 0.004)
            c.window = 4.0;
    }
    if (level || r->x.status != MC_OK)
        return;
    if (c.window > 0.0 && !left)
        xml_note(&r->x, way->node,
                 "road %.40s: the slope of its elevation jumps; it is averaged over %g m", way->id,
                 c.window);
    mc_error error = {0};
    road_curve curve;
    if (road_curve_make(r->x.memory, 0.0, way->length, ROAD_CURVE_POINTS, slope_at, &c, &curve,
                        &error) != MC_OK)
        xml_reject(&r->x, way->node, "road %.40s: %s", way->id, error.text);
    else
        road_set_curve(out, &curve);
}
