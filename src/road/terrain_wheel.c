// terrain_wheel.c - a wheel over the ground: the ground cut in its planes, the nearest point of the
// cut, the ray down to the Minkowski sum.
//
// In the plane of a disc, s is level and w up, from its centre c:
//
//   place   p = c + s t + w u,   t = (axis x z)/|..|,  u = t x axis
//   ground  c_z + u_z w = z(p_x, p_y), which gives w(s);   w' = (z_x t_x + z_y t_y)/(u_z - z_x u_x
// -
//           z_y u_y)
//
// What is looked for is the smallest cost of a point (s, w) of the cut:
//
//   nearest   s^2 + w^2,            d/ds  2 (s + w w')
//   ray       -w - sqrt(R^2 - s^2)  d/ds  -w' + s/sqrt(R^2 - s^2)
#include "road/terrain.h"

#include <math.h>
#include <string.h>

static const double UPRIGHT = 0.05; // sine of the angle between wheel and ground plane, at least
enum { WALK_MAX = 4000, ROOT_STEPS = 60, LEVEL_STEPS = 30 };

typedef struct cut {
    const road_terrain *t;
    double c[3], along[3], up[3]; // centre, t, u; along[0] >= 0
    double radius;                // of the ray; 0: the nearest point is looked for
} cut;

typedef struct spot { // a point of the cut
    double s, w, rate;
    double cost, slope; // of the cost, and per s
    double z[3];        // height and slopes of the ground
    bool good;
} spot;

typedef enum best_kind { SMOOTH, EDGE_X, EDGE_Y } best_kind;

typedef struct best {
    double s, w, cost, z[3];
    best_kind kind;
} best;

static void set_cost(const cut *c, spot *p)
{
    if (c->radius > 0.0) {
        const double root = sqrt(fmax(c->radius * c->radius - p->s * p->s, 0.0));
        p->cost = -p->w - root;
        p->slope = -p->rate + p->s / fmax(root, 1e-300);
    } else {
        p->cost = p->s * p->s + p->w * p->w;
        p->slope = 2.0 * (p->s + p->w * p->rate);
    }
}

// The point at s; of an upright disc at once, of a cambered one by Newton's method.
static spot at(const cut *c, double s, bool after)
{
    spot p = {.s = s, .good = true};
    const double x = c->c[0] + s * c->along[0], y = c->c[1] + s * c->along[1];
    const bool upright = c->up[0] == 0.0 && c->up[1] == 0.0;
    for (int i = 0; i < LEVEL_STEPS; i++) {
        terrain_height(c->t, x + p.w * c->up[0], y + p.w * c->up[1], after, p.z);
        const double steep = c->up[2] - p.z[1] * c->up[0] - p.z[2] * c->up[1];
        const double far = p.z[0] - c->c[2] - c->up[2] * p.w;
        p.good = steep > 0.1 * c->up[2];
        p.w += far / (p.good ? steep : c->up[2]);
        p.rate = (p.z[1] * c->along[0] + p.z[2] * c->along[1]) / (p.good ? steep : c->up[2]);
        if (upright || fabs(far) < 1e-13 * (1.0 + fabs(p.z[0])))
            break;
        p.good = p.good && i < LEVEL_STEPS - 1;
    }
    set_cost(c, &p);
    return p;
}

static void offer(const spot *p, best_kind kind, best *found)
{
    if (p->good && p->cost < found->cost) {
        *found = (best){.s = p->s, .w = p->w, .cost = p->cost, .kind = kind};
        memcpy(found->z, p->z, sizeof found->z);
    }
}

// Slopes that do not matter, of the nearest point: the place is then known to 1e-11 of the radius,
// the distance to its square. Terms that cancel far behind a bump leave slopes of that size.
static double flat_enough(const cut *c, const spot *p)
{
    return c->radius > 0.0 ? 0.0 : 2e-11 * (fabs(p->s) + fabs(p->w));
}

// A stationary point between a (cost falls) and b (cost rises): bisection, sped up by secants.
static void settle(const cut *c, spot a, spot b, best *found)
{
    for (int i = 0; i < ROOT_STEPS && b.s - a.s > 1e-15 * (1.0 + fabs(a.s)); i++) {
        double s = a.s - a.slope * (b.s - a.s) / (b.slope - a.slope);
        if (i % 3 == 2 || !(s > a.s && s < b.s))
            s = 0.5 * (a.s + b.s);
        const spot m = at(c, s, true);
        offer(&m, SMOOTH, found);
        if (fabs(m.slope) <= flat_enough(c, &m) || !m.good)
            return;
        if (m.slope < 0.0)
            a = m;
        else
            b = m;
    }
}

// Whether the cost of the nearest point is convex between a and b, without breaks between them:
// then it has one minimum there. cost''/2 = 1 + w'^2 + w w''; camber bends the cut a little.
static bool is_convex(const cut *c, const spot *a, const spot *b)
{
    const double from = c->c[0] + a->s * c->along[0], to = c->c[0] + b->s * c->along[0];
    double bend = 0.0;
    if (c->radius > 0.0 || !a->good || !b->good || fabs(c->up[0]) > 0.05)
        return false;
    for (int k = 0; k < c->t->layer_count; k++) {
        const terrain_layer *l = &c->t->layers[k];
        if (!l->kind->bend || l->where.side != TERRAIN_BOTH)
            return false;
        bend += l->kind->bend(l->data, from, to);
    }
    const double far = fmax(fabs(a->w), fabs(b->w)) + 0.125 * bend * (to - from) * (to - from);
    return 1.25 * bend * far < 1.0;
}

// A piece without breaks inside.
static void piece(const cut *c, double from, double to, double fine, best_kind kind, best *found)
{
    int count = (int)fmin(fmax(ceil((to - from) / fine), 1.0), 1000.0);
    spot a = at(c, from, true);
    offer(&a, kind, found);
    if (count > 1 && c->radius == 0.0) {
        const spot end = at(c, to, false);
        count = is_convex(c, &a, &end) ? 1 : count;
    }
    for (int k = 1; k <= count; k++) {
        const double s = k == count ? to : from + (to - from) * k / count;
        const spot b = at(c, s, k < count);
        offer(&b, k == count ? kind : SMOOTH, found);
        const double may = fabs(a.slope) * (b.s - a.s);
        if (a.good && b.good && a.slope < 0.0 && b.slope > 0.0 && a.cost - may <= found->cost)
            settle(c, a, b, found);
        a = b;
    }
}

// The corners and the face of a break at x, where the ground goes from one height to another.
static void corner(const cut *c, double x, double guess, best *found)
{
    double w[2] = {0.0, 0.0}, s = guess;
    spot p = {.good = true};
    for (int side = 0; side < 2; side++) {
        double z[3];
        s = guess;
        for (int i = 0; i < 4; i++) { // y of the corner, which moves with s and w
            terrain_height(c->t, x, c->c[1] + s * c->along[1] + w[side] * c->up[1], side == 1, z);
            w[side] = (z[0] - c->c[2]) / c->up[2];
            s = (x - c->c[0] - c->up[0] * w[side]) / c->along[0];
        }
        p.s = s, p.w = w[side];
        memcpy(p.z, z, sizeof z);
        set_cost(c, &p);
        if (c->radius == 0.0 || fabs(s) <= c->radius)
            offer(&p, EDGE_X, found);
    }
    if (c->radius == 0.0 && w[0] * w[1] < 0.0) { // the face: level with the centre
        p.s = (x - c->c[0]) / c->along[0], p.w = 0.0;
        set_cost(c, &p);
        offer(&p, EDGE_X, found);
    }
}

// The next place above s at which the ground across the road changes its slope.
static double next_across(const cut *c, double s)
{
    double next = HUGE_VAL;
    if (fabs(c->along[1]) < 1e-12)
        return next;
    for (int k = 0; k < c->t->layer_count; k++) {
        const terrain_where *w = &c->t->layers[k].where;
        for (int end = -1; end <= 1 && w->side != TERRAIN_BOTH; end += 2) {
            const double q = (w->divide + 0.5 * end * w->seam - c->c[1]) / c->along[1];
            if (q > s + 1e-12 && q < next)
                next = q;
        }
    }
    return next;
}

// The smallest cost for -reach <= s <= reach.
static best search(const cut *c, double reach)
{
    best found = {.cost = HUGE_VAL};
    const spot middle = at(c, 0.0, true);
    offer(&middle, SMOOTH, &found);
    const double fine = (c->radius > 0.0 ? 2.0 * c->radius : 2.0 * reach) / TERRAIN_SAMPLES;
    const bool crosses = c->along[0] > 1e-9;
    double s = -reach, x = c->c[0] + s * c->along[0];
    best_kind kind = SMOOTH;
    for (int steps = 0; steps < WALK_MAX && s < reach; steps++) {
        const double break_x = crosses ? terrain_next(c->t, x) : HUGE_VAL;
        const double by_x = crosses ? (break_x - c->c[0]) / c->along[0] : HUGE_VAL;
        const double by_y = next_across(c, s), end = fmin(fmin(by_x, by_y), reach);
        piece(c, s, end, fine, kind, &found);
        kind = SMOOTH;
        if (by_x <= reach && by_x <= by_y) {
            corner(c, break_x, by_x, &found);
            x = break_x;
            kind = EDGE_X;
        } else {
            x = fmax(x, c->c[0] + end * c->along[0]);
            kind = end == by_y ? EDGE_Y : SMOOTH;
        }
        s = end;
    }
    return found;
}

// The nearest point where no break is in reach and the cost is convex: from below the centre by
// secants, on level ground at once. False: it has to be searched.
static bool is_simple(const cut *c, const spot *below, double reach, best *found)
{
    enum { STEPS = 12 };
    const spot none = {.good = false};
    double bend = 0.0;
    if (!below->good || fabs(c->up[0]) > 0.05 ||
        terrain_next(c->t, c->c[0] - reach * c->along[0]) <= c->c[0] + reach * c->along[0])
        return false;
    for (int k = 0; k < c->t->layer_count; k++) {
        const terrain_layer *l = &c->t->layers[k];
        if (!l->kind->bend || l->where.side != TERRAIN_BOTH)
            return false;
        bend += l->kind->bend(l->data, c->c[0] - reach, c->c[0] + reach);
    }
    const double far = fabs(below->w) + reach * (fabs(below->rate) + bend * reach);
    if (!(1.25 * bend * far < 1.0))
        return false;
    spot p = *below, last = none;
    for (int k = 0; k < STEPS && p.good && fabs(p.slope) > flat_enough(c, &p); k++) {
        double curve = 2.0 * (1.0 + p.rate * p.rate);
        if (last.good && p.s != last.s && (p.slope - last.slope) / (p.s - last.s) > 0.0)
            curve = (p.slope - last.slope) / (p.s - last.s);
        const double s = p.s - p.slope / curve;
        if (!(fabs(s) < reach) || s == p.s)
            break;
        last = p;
        p = at(c, s, true);
    }
    found->cost = HUGE_VAL;
    offer(&p, SMOOTH, found);
    return p.good && fabs(p.slope) <= 100.0 * flat_enough(c, &p);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void unit(double a[3])
{
    const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int k = 0; k < 3; k++)
        a[k] /= size;
}

// The plane of a wheel at an offset along its axis; false: the wheel lies on its side.
static bool set_plane(const road_terrain *t, const terrain_wheel *wheel, double offset, cut *c)
{
    const double *a = wheel->axis, level = hypot(a[0], a[1]);
    *c = (cut){.t = t};
    for (int k = 0; k < 3; k++)
        c->c[k] = wheel->centre[k] + offset * a[k];
    if (!(level > UPRIGHT))
        return false;
    c->along[0] = a[1] / level;
    c->along[1] = -a[0] / level;
    cross(c->along, a, c->up);
    if (c->along[0] < 0.0) {
        c->along[0] = -c->along[0];
        c->along[1] = -c->along[1];
    }
    return true;
}

// The normal of the ground at a point: perpendicular to the cut there, and to what goes across it:
// the ground itself, or the edge.
static void set_normal(const terrain_wheel *wheel, const best *p, const double ray[3],
                       double out[3])
{
    double tangent[3], across[3] = {wheel->axis[0], wheel->axis[1], 0.0};
    cross(ray, wheel->axis, tangent);
    across[2] = p->z[1] * across[0] + p->z[2] * across[1];
    if (p->kind == EDGE_X)
        across[0] = 0.0, across[1] = 1.0, across[2] = p->z[2];
    else if (p->kind == EDGE_Y)
        across[0] = 1.0, across[1] = 0.0, across[2] = p->z[1];
    cross(tangent, across, out);
    const double size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    if (!(size > 1e-9))
        memcpy(out, ray, 3 * sizeof *out);
    const double sign = out[0] * ray[0] + out[1] * ray[1] + out[2] * ray[2] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        out[k] *= sign;
    unit(out);
}

static void meet_plane(const road_terrain *t, const terrain_wheel *wheel, double reach,
                       terrain_touch *out)
{
    cut c;
    const bool stands = set_plane(t, wheel, out->offset, &c);
    terrain_point ground;
    if (!stands) { // the height of its centre
        terrain_at(t, c.c[0], c.c[1], &ground);
        out->gap = fmin(c.c[2] - ground.z - wheel->radius, reach);
        for (int k = 0; k < 3; k++)
            out->point[k] = k < 2 ? c.c[k] : ground.z, out->ray[k] = out->normal[k] = k == 2;
    } else {
        const spot below = at(&c, 0.0, true);
        const double far = fmin(fabs(below.w), wheel->radius + reach);
        best p = {.cost = HUGE_VAL};
        if (!is_simple(&c, &below, fmax(far, 1e-6), &p))
            p = search(&c, fmax(far, 1e-6));
        const double distance = sqrt(p.cost), sign = below.w > 0.0 ? -1.0 : 1.0;
        out->gap = fmin(sign * distance - wheel->radius, reach);
        for (int k = 0; k < 3; k++) {
            const double arm = p.s * c.along[k] + p.w * c.up[k];
            out->point[k] = c.c[k] + arm;
            out->ray[k] = distance > 1e-12 ? -sign * arm / distance : c.up[k];
        }
        set_normal(wheel, &p, out->ray, out->normal);
    }
    terrain_grip(t, out->point[0], out->point[1], &out->friction, &out->restitution);
}

static double plane_offset(const terrain_wheel *wheel, int k)
{
    return wheel->planes > 1 ? wheel->width * ((double)k / (wheel->planes - 1) - 0.5) : 0.0;
}

int terrain_meet(const road_terrain *t, const terrain_wheel *wheel, double reach,
                 terrain_touch out[TERRAIN_PLANES_MAX])
{
    int nearest = 0;
    for (int k = 0; k < wheel->planes && k < TERRAIN_PLANES_MAX; k++) {
        out[k].offset = plane_offset(wheel, k);
        meet_plane(t, wheel, reach, &out[k]);
        nearest = out[k].gap < out[nearest].gap ? k : nearest;
    }
    return nearest;
}

double terrain_approach_max(const road_terrain *t, const terrain_wheel *wheel, double reach,
                            const double v[3], const double omega[3])
{
    cut c;
    if (!set_plane(t, wheel, 0.0, &c))
        return HUGE_VAL;
    const double *a = wheel->axis;
    double sideways = 0.0, turn[3], inside = 0.0, tilt = 0.0;
    for (int k = 0; k < 3; k++)
        sideways += v[k] * a[k];
    for (int k = 0; k < 3; k++)
        inside += (v[k] - sideways * a[k]) * (v[k] - sideways * a[k]);
    cross(omega, a, turn); // how fast the axis turns
    for (int k = 0; k < 3; k++)
        tilt += turn[k] * turn[k];
    const double far = wheel->radius + 2.0 * reach + wheel->width;
    const double from = c.c[0] - far, to = c.c[0] + far;
    double across = 0.0;
    for (int k = 0; k < t->layer_count; k++) {
        const terrain_layer *l = &t->layers[k];
        across += l->kind->across(l->data, from, to);
        if (l->where.side != TERRAIN_BOTH)
            across += l->kind->largest(l->data, from, to) / l->where.seam;
    }
    // What is beside the plane comes into it: its height by the slopes across and the camber, its
    // place along the plane by the tangent of steer.
    const double level = hypot(a[0], a[1]), steer = fabs(c.along[1]) / fmax(c.along[0], 1e-3);
    const double crossing = across / level + fabs(a[2]) / level + steer;
    return sqrt(inside) + crossing * (fabs(sideways) + sqrt(tilt) * far) +
           0.5 * wheel->width * sqrt(tilt);
}

void terrain_stand(const road_terrain *t, double x, double y, double heading, double radius,
                   double width, double *height, double rise[2])
{
    const terrain_wheel wheel = {
        {x, y, 0.0}, {-sin(heading), cos(heading), 0.0}, radius, width, t->planes};
    *height = rise[0] = rise[1] = 0.0;
    for (int k = 0; k < wheel.planes; k++) {
        cut c;
        set_plane(t, &wheel, plane_offset(&wheel, k), &c);
        c.radius = radius;
        const best p = search(&c, radius);
        // The largest height changes with the place as the ground at the contact does; an edge
        // stays where it is, and the disc climbs over it.
        const double root = sqrt(fmax(radius * radius - p.s * p.s, 0.0));
        const double climb = p.s / fmax(root, 0.05 * radius);
        const double tx = c.along[0], ty = c.along[1];
        double grow[2] = {p.z[1], p.z[2]};
        if (p.kind == EDGE_X)
            grow[0] = (climb - p.z[2] * ty) / tx;
        else if (p.kind == EDGE_Y)
            grow[1] = (climb - p.z[1] * tx) / ty;
        *height += (-p.cost - radius) / wheel.planes;
        rise[0] += grow[0] / wheel.planes;
        rise[1] += grow[1] / wheel.planes;
    }
}
