// pairs.c - bodies that touch each other or the ground by their shapes: in which points, and when.
//
// A pair that touches has a contact for every corner of the area its faces share (hull.h), or for
// every corner and rim of a body that is at the ground. A contact acts from the distance that it
// can close within the step, so a box that tips over an edge meets the ground with the other edge
// within a step. A pair that does not touch is watched as wheels are: its gap shrinks no faster
// than a bound, and where it can close within a step the instant is found.
//
// Limit: the ground is looked at under corners and rims. A crest narrower than a face is not met.
#include "impulses/engine.h"
#include "impulses/turn.h"

#include <math.h>
#include <string.h>

static const double near_gap = 1e-6;    // m: a point this near is closed
static const double left = 1e-7;        // m: a pair this far apart has parted
static const double start_share = 1e-6; // of a step: see step.c
static const double upright = 1e-6;     // sine: a rim this level has no lowest point
enum { RIM_POINTS = 8, TOUCH_MAX = HULL_POINTS_MAX, LOOKS_MAX = 1000 };

static double *kept(const impulses *e, int c)
{
    return e->state + e->at_contact + KEPT * c;
}

static double *kept_pair(const impulses *e, int i)
{
    return e->state + e->at_pair + PAIR_KEPT * i;
}

static int first_contact(const impulses *e, int i)
{
    return e->wheel_contact_count + PAIR_POINTS * i;
}

// ---- where they are ----------------------------------------------------------------------------

typedef struct touching { // of a pair at one look
    hull_point at[TOUCH_MAX];
    impulse_touch ground[TOUCH_MAX]; // by id less 1
    double normal[3];                // between two bodies
    int count;
} touching;

static void meet_point(const impulses *e, const double at[3], touching *t)
{
    impulse_touch *ground = &t->ground[t->count];
    e->m.ground.under(e->m.ground.context, at, ground);
    t->at[t->count] = (hull_point){.gap = ground->gap, .id = t->count + 1};
    memcpy(t->at[t->count++].point, at, sizeof t->at[0].point);
}

// Points around the rims, the first of them the lowest.
static void meet_rims(const impulses *e, const impulse_shape *s, const double *c, const double R[9],
                      touching *t)
{
    double axis[3], down[3], across[3], at[3];
    mat3_mul_vec(R, s->axis, axis);
    for (int end = 0; end < 2; end++) {
        double middle[3];
        impulse_touch ground;
        mat3_mul_vec(R, s->end[end], middle);
        for (int k = 0; k < 3; k++)
            middle[k] += c[k];
        e->m.ground.under(e->m.ground.context, middle, &ground);
        const double along = vec3_dot(ground.normal, axis);
        for (int k = 0; k < 3; k++)
            down[k] = along * axis[k] - ground.normal[k];
        if (!(vec3_norm(down) > upright)) { // any direction of the body
            const double any[3] = {fabs(s->axis[0]) < 0.5, fabs(s->axis[0]) >= 0.5, 0.0};
            vec3_cross(any, s->axis, across);
            mat3_mul_vec(R, across, down);
        }
        const double length = vec3_norm(down);
        for (int k = 0; k < 3; k++)
            down[k] /= length;
        vec3_cross(axis, down, across);
        for (int i = 0; i < RIM_POINTS; i++) {
            const double angle = i * (2.0 * M_PI / RIM_POINTS), x = cos(angle), y = sin(angle);
            for (int k = 0; k < 3; k++)
                at[k] = middle[k] + s->rim * (x * down[k] + y * across[k]);
            meet_point(e, at, t);
        }
    }
}

static void meet_ground(const impulses *e, const impulse_shape *s, const double *c,
                        const double R[9], touching *t)
{
    t->count = 0;
    if (s->round) {
        meet_rims(e, s, c, R, t);
        return;
    }
    for (int i = 0; i < s->hull.point_count; i++) {
        double at[3];
        mat3_mul_vec(R, s->hull.point[i], at);
        for (int k = 0; k < 3; k++)
            at[k] += c[k];
        meet_point(e, at, t);
    }
}

static void place_both(const impulses *e, const impulse_pair *p, const double *c, const double R[9],
                       const double *other, const double other_R[9])
{
    hull_place(&p->shape->hull, c, R, &e->placed_hull[0]);
    hull_place(&p->against->hull, other, other_R, &e->placed_hull[1]);
}

static void meet_now(impulses *e, const impulse_pair *p, touching *t)
{
    const double *c = e->state + POSE * p->body, *R = e->link[p->body].R;
    if (p->other < 0) {
        meet_ground(e, p->shape, c, R, t);
        return;
    }
    place_both(e, p, c, R, e->state + POSE * p->other, e->link[p->other].R);
    t->count = hull_meet(&e->placed_hull[0], &e->placed_hull[1], t->normal, t->at);
}

// The gap with the bodies at these poses; at least `reach` where it is larger.
static double gap_at(const impulses *e, const impulse_pair *p, const double *c, const double *other,
                     double reach)
{
    double R[9], other_R[9], normal[3], gap = INFINITY;
    turn_matrix(c + AT_Q, R);
    if (p->other < 0) {
        touching t;
        meet_ground(e, p->shape, c, R, &t);
        for (int i = 0; i < t.count; i++)
            gap = fmin(gap, t.at[i].gap);
        return gap;
    }
    const double d[3] = {c[0] - other[0], c[1] - other[1], c[2] - other[2]};
    const double apart = vec3_norm(d) - p->shape->hull.size - p->against->hull.size;
    if (apart > reach)
        return apart;
    turn_matrix(other + AT_Q, other_R);
    place_both(e, p, c, R, other, other_R);
    return hull_gap(&e->placed_hull[0], &e->placed_hull[1], normal);
}

static double gap_in(const impulses *e, const impulse_pair *p, const double *state, double reach)
{
    return gap_at(e, p, state + POSE * p->body, p->other < 0 ? NULL : state + POSE * p->other,
                  reach);
}

// ---- contacts that act -------------------------------------------------------------------------

// Velocity of the first body relative to the second at a point, and its acceleration by turning.
static void relative_at(const impulses *e, const impulse_pair *p, const double point[3],
                        double v[3], double a[3])
{
    const int bodies[2] = {p->body, p->other};
    memset(v, 0, 3 * sizeof *v);
    memset(a, 0, 3 * sizeof *a);
    for (int k = 0; k < 2 && bodies[k] >= 0; k++) {
        const double *V = e->link[bodies[k]].V_start, *c = e->state + POSE * bodies[k];
        const double arm[3] = {point[0] - c[0], point[1] - c[1], point[2] - c[2]};
        const double sign = k == 0 ? 1.0 : -1.0;
        double turning[3], inward[3];
        vec3_cross(V, arm, turning);
        vec3_cross(V, turning, inward);
        for (int x = 0; x < 3; x++) {
            v[x] += sign * (V[3 + x] + turning[x]);
            a[x] += sign * inward[x];
        }
    }
}

static double closing_at(const impulses *e, const impulse_pair *p, const double point[3],
                         const double normal[3])
{
    double v[3], a[3];
    relative_at(e, p, point, v, a);
    return fabs(vec3_dot(normal, v));
}

// gap'' without accelerations, of a normal that turns with w:  n (a - 2 w x v). It is that of a
// face; between edges the mean of both. A rim has no such part: another point of it comes to lie
// lowest.
static double bias_of(const impulses *e, const impulse_pair *p, const impulse_contact *k, int id)
{
    double v[3], a[3], w[3] = {0}, turned[3];
    if (p->other < 0 && p->shape->round)
        return 0.0;
    relative_at(e, p, k->at.point, v, a);
    if (p->other >= 0) {
        const double share = id < 0 ? 0.5 : hull_id_of_first(id) ? 1.0 : 0.0;
        for (int x = 0; x < 3; x++)
            w[x] =
                share * e->link[p->body].V_start[x] + (1.0 - share) * e->link[p->other].V_start[x];
    }
    vec3_cross(w, v, turned);
    return vec3_dot(k->at.normal, a) - 2.0 * vec3_dot(k->at.normal, turned);
}

static const double *normal_of(const impulse_pair *p, const touching *t, const hull_point *at)
{
    return p->other < 0 ? t->ground[at->id - 1].normal : t->normal;
}

// Drops points that cannot close within h, then those beyond the room.
static void select_near(const impulses *e, const impulse_pair *p, double h, touching *t)
{
    const double fall = 4.0 * h * vec3_norm(e->m.gravity);
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        const hull_point *at = &t->at[i];
        const double speed = h > 0.0 ? closing_at(e, p, at->point, normal_of(p, t, at)) + fall : 0;
        if (at->gap <= near_gap + h * speed)
            t->at[count++] = *at;
    }
    t->count = hull_reduce(t->at, count);
}

// The contacts of a pair are those points; each starts from the force of the same one before.
static void set_contacts(impulses *e, int i, const touching *t)
{
    static const double y[3] = {0.0, 1.0, 0.0};
    const impulse_pair *p = &e->m.pairs[i];
    const int first = first_contact(e, i);
    double before[PAIR_POINTS * KEPT];
    memcpy(before, kept(e, first), sizeof before);
    memset(kept(e, first), 0, sizeof before);
    for (int n = 0; n < t->count; n++) {
        impulse_contact *k = &e->contact[first + n];
        double *to = kept(e, first + n);
        const hull_point *at = &t->at[n];
        k->friction = p->friction, k->restitution = p->restitution;
        if (p->other < 0) {
            k->at = t->ground[at->id - 1];
            k->friction *= isnan(k->at.friction) ? 1.0 : k->at.friction;
            k->restitution = isnan(k->at.restitution) ? p->restitution : k->at.restitution;
        } else {
            k->at.gap = at->gap;
            memcpy(k->at.point, at->point, sizeof k->at.point);
            memcpy(k->at.normal, t->normal, sizeof k->at.normal);
        }
        k->bias = bias_of(e, p, k, at->id);
        impulse_contacts_axes(k, y);
        to[KEPT_TOUCHING] = 1.0;
        to[KEPT_SLIP] = at->id;
        for (int m = 0; m < PAIR_POINTS; m++)
            if (before[KEPT * m + KEPT_TOUCHING] != 0.0 && before[KEPT * m + KEPT_SLIP] == at->id)
                memcpy(to + KEPT_FORCE, before + KEPT * m + KEPT_FORCE, 3 * sizeof *to);
    }
}

void impulse_pairs_find(impulses *e, double h)
{
    touching t;
    for (int i = 0; i < e->m.pair_count; i++) {
        t.count = 0;
        e->pair_gap[i] = INFINITY;
        if (kept_pair(e, i)[PAIR_TOUCHING] != 0.0) {
            meet_now(e, &e->m.pairs[i], &t);
            for (int n = 0; n < t.count; n++)
                e->pair_gap[i] = fmin(e->pair_gap[i], t.at[n].gap);
            select_near(e, &e->m.pairs[i], h, &t);
        }
        set_contacts(e, i, &t);
    }
}

static void part(impulses *e, int i)
{
    kept_pair(e, i)[PAIR_TOUCHING] = 0.0;
    kept_pair(e, i)[PAIR_CLEAR] = 0.0; // unknown
}

void impulse_pairs_keep(impulses *e, double h)
{
    for (int i = 0; i < e->m.pair_count; i++) {
        const int first = first_contact(e, i);
        double gap = e->pair_gap[i];
        bool presses = false;
        for (int c = first; c < first + PAIR_POINTS; c++) {
            const impulse_contact *k = &e->contact[c];
            if (k->row < 0)
                continue;
            presses = presses || e->lambda[k->row] > 0.0;
            gap = fmin(gap, k->at.gap + 0.5 * h * impulse_contacts_leaving(e, k));
        }
        if (kept_pair(e, i)[PAIR_TOUCHING] != 0.0 && !presses && gap > left)
            part(e, i);
    }
}

void impulse_pairs_leave(impulses *e, double speed)
{
    for (int i = 0; i < e->m.pair_count; i++) {
        const int first = first_contact(e, i);
        bool all = true;
        for (int c = first; c < first + PAIR_POINTS; c++)
            if (e->contact[c].row >= 0 && !(impulse_contacts_leaving(e, &e->contact[c]) > speed))
                all = false;
        if (kept_pair(e, i)[PAIR_TOUCHING] != 0.0 && all)
            part(e, i);
    }
}

// ---- contacts to come --------------------------------------------------------------------------

// The gap shrinks no faster on the way: the point of one body in the frame of the other is within
// both radii and the distance of the centres.
static double approach(const impulses *e, const impulse_pair *p)
{
    double fastest = 0.0;
    for (int end = 0; end < 2; end++) {
        const double *state = end ? e->state : e->before, *a = state + POSE * p->body;
        double v[3], d[3], size = p->shape->hull.size, speed = 0.0;
        memcpy(v, a + AT_V + 3, sizeof v);
        if (p->other >= 0) {
            const double *b = state + POSE * p->other;
            for (int k = 0; k < 3; k++)
                v[k] -= b[AT_V + 3 + k], d[k] = a[k] - b[k];
            size += vec3_norm(d) + p->against->hull.size;
            speed = size * vec3_norm(b + AT_V);
        }
        fastest = fmax(fastest, speed + vec3_norm(v) + size * vec3_norm(a + AT_V));
    }
    return fastest;
}

// The first instant at which pair i touches; none: INFINITY. One that overlaps by rounding after it
// bounced touches where it is deeper than that.
static double pair_met(impulses *e, int i, double h)
{
    const impulse_pair *p = &e->m.pairs[i];
    const double speed = approach(e, p), reach = 2.0 * h * speed;
    double gap = gap_in(e, p, e->before, reach), s = 0.0;
    if (gap < -near_gap) { // no event brought it there, such as a step of the ground
        kept_pair(e, i)[PAIR_TOUCHING] = 1.0;
        return INFINITY;
    }
    e->pair_floor[i] = fmin(gap, 0.0);
    for (int look = 0; look < LOOKS_MAX; look++) {
        const double above = gap - e->pair_floor[i];
        if (above <= 0.0 && s > 0.0)
            return s;
        if (s >= h) {
            kept_pair(e, i)[PAIR_CLEAR] = gap;
            return INFINITY;
        }
        const double ahead = speed > 0.0 ? above / speed : h;
        double pose[2][POSE];
        s = fmin(h, s + fmax(ahead, s > 0.0 ? 1e-9 * h : start_share * h));
        impulse_pose_on_the_way(e, p->body, h, s, pose[0]);
        if (p->other >= 0)
            impulse_pose_on_the_way(e, p->other, h, s, pose[1]);
        gap = gap_at(e, p, pose[0], pose[1], reach);
    }
    return s;
}

double impulse_pairs_met(impulses *e, double h)
{
    double when = INFINITY;
    for (int i = 0; i < e->m.pair_count; i++) {
        double *of = kept_pair(e, i);
        e->pair_floor[i] = 0.0;
        if (of[PAIR_TOUCHING] != 0.0)
            continue;
        const double far = h * approach(e, &e->m.pairs[i]);
        if (far < of[PAIR_CLEAR])
            of[PAIR_CLEAR] -= far;
        else
            when = fmin(when, pair_met(e, i, h));
    }
    return when;
}

double impulse_pairs_gap(impulses *e)
{
    double gap = INFINITY;
    for (int i = 0; i < e->m.pair_count; i++)
        if (kept_pair(e, i)[PAIR_TOUCHING] == 0.0)
            gap = fmin(gap, gap_in(e, &e->m.pairs[i], e->state, 1.0) - e->pair_floor[i]);
    return gap;
}

void impulse_pairs_join(impulses *e, double near)
{
    for (int i = 0; i < e->m.pair_count; i++) {
        double *of = kept_pair(e, i);
        if (of[PAIR_TOUCHING] != 0.0)
            continue;
        const double gap = gap_in(e, &e->m.pairs[i], e->state, near);
        of[PAIR_TOUCHING] = gap <= near;
        of[PAIR_CLEAR] = fmax(gap, 0.0);
    }
}
