// contacts.c - wheels and the ground: which planes touch, when others will, what a tyre presses.
//
// A rigid wheel that touches has three rows until its normal impulse is zero and it has left the
// ground. One that does not is watched by conservative advancement: its gap shrinks no faster than
// a bound, so as long as the gap is larger than what the bound allows nothing has to be computed,
// and no edge is missed at any speed.
#include "impulses/engine.h"
#include "impulses/turn.h"

#include <math.h>
#include <string.h>

static const double reach_min = 0.1;    // m
static const double start_share = 1e-6; // of a step: see step.c
static const double left = 1e-7;        // m: a wheel this far above the ground has left it

static double *kept(const impulses *e, int c)
{
    return e->state + e->at_contact + KEPT * c;
}

// A wheel, its body at pose p with the turn R.
static void disc_of(const impulses *e, int wheel, const double *p, const double R[9],
                    impulse_disc *out)
{
    const impulse_wheel *w = &e->m.wheels[wheel];
    double at[3];
    mat3_mul_vec(R, w->at, at);
    mat3_mul_vec(R, w->axis, out->axis);
    for (int k = 0; k < 3; k++)
        out->centre[k] = p[k] + at[k];
    out->radius = w->radius;
    out->width = w->width;
    out->planes = w->planes;
    out->tyre = w->stiffness > 0.0;
}

static void disc_at(const impulses *e, int wheel, const double *p, impulse_disc *out)
{
    double R[9];
    turn_matrix(p + AT_Q, R);
    disc_of(e, wheel, p, R, out);
}

static void meet(const impulses *e, int wheel, const double *p, double reach,
                 impulse_touch out[IMPULSE_PLANES_MAX])
{
    impulse_disc disc;
    disc_at(e, wheel, p, &disc);
    e->m.ground.meet(e->m.ground.context, &disc, reach, out);
}

static bool any_touching(const impulses *e, int first, int count)
{
    for (int c = first; c < first + count; c++)
        if (kept(e, c)[KEPT_TOUCHING] != 0.0)
            return true;
    return false;
}

// ---- contacts that act -------------------------------------------------------------------------

// Rolling direction in the ground: across the axis and the normal.
void impulse_contacts_axes(impulse_contact *k, const double axis[3])
{
    vec3_cross(axis, k->at.normal, k->along);
    const double length = vec3_norm(k->along);
    if (length > 1e-9) {
        for (int x = 0; x < 3; x++)
            k->along[x] /= length;
    } else { // the axis is upright: any direction
        const double any[3] = {fabs(k->at.normal[0]) < 0.5, fabs(k->at.normal[0]) >= 0.5, 0.0};
        vec3_cross(any, k->at.normal, k->along);
        const double second = vec3_norm(k->along);
        for (int x = 0; x < 3; x++)
            k->along[x] /= second;
    }
    vec3_cross(k->at.normal, k->along, k->across);
}

void impulse_contacts_find(impulses *e)
{
    impulse_touch touch[IMPULSE_PLANES_MAX];
    for (int w = 0, c = 0; w < e->m.wheel_count; c += e->m.wheels[w++].planes) {
        const impulse_wheel *wheel = &e->m.wheels[w];
        const bool soft = wheel->stiffness > 0.0;
        if (!soft && !any_touching(e, c, wheel->planes))
            continue;
        impulse_disc disc;
        disc_of(e, w, e->state + POSE * wheel->body, e->link[wheel->body].R, &disc);
        e->m.ground.meet(e->m.ground.context, &disc, reach_min, touch);
        for (int p = 0; p < wheel->planes; p++) {
            impulse_contact *k = &e->contact[c + p];
            k->at = touch[p];
            k->friction = wheel->friction * (isnan(touch[p].friction) ? 1.0 : touch[p].friction);
            k->restitution =
                isnan(touch[p].restitution) ? wheel->restitution : touch[p].restitution;
            impulse_contacts_axes(k, disc.axis);
            if (soft)
                kept(e, c + p)[KEPT_TOUCHING] = touch[p].gap < 0.0;
        }
    }
}

// stiffness (-gap) - damping gap', never pulling; the planes share them.
void impulse_contacts_press(impulses *e)
{
    for (int c = 0; c < e->wheel_contact_count; c++) {
        impulse_contact *k = &e->contact[c];
        const impulse_wheel *w = &e->m.wheels[k->wheel];
        k->pressed = 0.0;
        if (w->stiffness == 0.0 || kept(e, c)[KEPT_TOUCHING] == 0.0)
            continue;
        const double *V = e->link[w->body].V_mid;
        double arm[3], v[3];
        mat3_mul_vec(e->link[w->body].R, w->at, arm);
        vec3_cross(V, arm, v);
        for (int x = 0; x < 3; x++)
            v[x] += V[3 + x];
        const double rate = vec3_dot(k->at.normal, v); // of its centre
        const double force = (-w->stiffness * k->at.gap - w->damping * rate) / w->planes;
        k->pressed = force > 0.0 ? force : 0.0;
    }
}

void impulse_contacts_warm(impulses *e, double h)
{
    for (int c = 0; c < e->contact_count; c++) {
        const impulse_contact *k = &e->contact[c];
        if (k->row < 0)
            continue;
        impulse_link *l = &e->link[k->body];
        // What a tyre presses is among the loads already.
        for (int d = k->tyre; d < 3; d++) {
            const double impulse = h * kept(e, c)[KEPT_FORCE + d];
            const double *g = e->row_g + 6 * (k->row + d), *other = e->row_h + 6 * (k->row + d);
            for (int x = 0; x < 6; x++)
                l->p[x] += impulse * g[x];
            for (int x = 0; x < 6 && k->other >= 0; x++)
                e->link[k->other].p[x] += impulse * other[x];
        }
    }
}

double impulse_contacts_leaving(const impulses *e, const impulse_contact *k)
{
    const double *V = e->state + POSE * k->body + AT_V, *g = e->row_g + 6 * k->row;
    double sum = g[0] * V[0] + g[1] * V[1] + g[2] * V[2] + g[3] * V[3] + g[4] * V[4] + g[5] * V[5];
    if (k->other < 0)
        return sum;
    V = e->state + POSE * k->other + AT_V, g = e->row_h + 6 * k->row;
    for (int x = 0; x < 6; x++)
        sum += g[x] * V[x];
    return sum;
}

void impulse_contacts_keep(impulses *e, double h)
{
    for (int c = 0; c < e->contact_count; c++) {
        const impulse_contact *k = &e->contact[c];
        double *at = kept(e, c);
        if (k->row < 0) {
            memset(at + KEPT_FORCE, 0, (KEPT - KEPT_FORCE) * sizeof *at);
            continue;
        }
        for (int d = 0; d < 3; d++)
            at[KEPT_FORCE + d] = e->lambda[k->row + d] / h;
        if (k->tyre) {
            at[KEPT_FORCE] = k->pressed;
            for (int d = 0; d < 2; d++)
                at[KEPT_SLIP + d] = k->grip > 0.0 ? k->slip[d] - k->slip_start[d] : 0.0;
            continue;
        }
        if (k->pair < 0 && e->lambda[k->row] == 0.0 &&
            k->at.gap + 0.5 * h * impulse_contacts_leaving(e, k) > left) {
            at[KEPT_TOUCHING] = 0.0;
            at[KEPT_CLEAR] = 0.0; // unknown
        }
    }
    if (e->m.pair_count > 0)
        impulse_pairs_keep(e, h);
}

void impulse_contacts_leave(impulses *e, double speed)
{
    for (int c = 0; c < e->wheel_contact_count; c++) {
        const impulse_contact *k = &e->contact[c];
        if (k->row < 0 || k->tyre || !(impulse_contacts_leaving(e, k) > speed))
            continue;
        kept(e, c)[KEPT_TOUCHING] = 0.0;
        kept(e, c)[KEPT_CLEAR] = 0.0;
    }
    if (e->m.pair_count > 0)
        impulse_pairs_leave(e, speed);
}

// ---- contacts to come --------------------------------------------------------------------------

// The pose of a body s after the start of the step: half of it with the velocity of the start, half
// with that of the end.
void impulse_pose_on_the_way(const impulses *e, int body, double h, double s, double out[POSE])
{
    const double *from = e->before + POSE * body, *to = e->state + POSE * body;
    const double first = s < 0.5 * h ? s : 0.5 * h, second = s - first;
    memcpy(out, from, POSE * sizeof *out);
    double r[3];
    for (int k = 0; k < 3; k++) {
        out[k] += first * from[AT_V + 3 + k] + second * to[AT_V + 3 + k];
        r[k] = first * from[AT_V + k];
    }
    turn_by(out + AT_Q, r);
    for (int k = 0; k < 3; k++)
        r[k] = second * to[AT_V + k];
    turn_by(out + AT_Q, r);
}

// No gap of the wheel shrinks faster on the way.
static double approach(const impulses *e, int w, double reach)
{
    const impulse_wheel *wheel = &e->m.wheels[w];
    double fastest = 0.0;
    for (int end = 0; end < 2; end++) {
        const double *p = (end ? e->state : e->before) + POSE * wheel->body;
        impulse_disc disc;
        double R[9], at[3], v[3];
        disc_at(e, w, p, &disc);
        turn_matrix(p + AT_Q, R);
        mat3_mul_vec(R, wheel->at, at);
        vec3_cross(p + AT_V, at, v);
        for (int k = 0; k < 3; k++)
            v[k] += p[AT_V + 3 + k];
        fastest =
            fmax(fastest, e->m.ground.approach(e->m.ground.context, &disc, reach, v, p + AT_V));
    }
    return fastest;
}

// Smallest gap of the planes of a wheel that do not touch, above the floor of each.
static double open_gap(const impulses *e, int w, int first, const impulse_touch *touch)
{
    double gap = INFINITY;
    for (int p = 0; p < e->m.wheels[w].planes; p++)
        if (kept(e, first + p)[KEPT_TOUCHING] == 0.0)
            gap = fmin(gap, touch[p].gap - e->contact[first + p].floor);
    return gap;
}

// The first instant at which a plane that does not touch is in the ground; none: INFINITY. One that
// is a little in it already, by rounding, after it bounced, meets it where it is deeper than that.
static double wheel_met(impulses *e, int w, int first, double h)
{
    const impulse_wheel *wheel = &e->m.wheels[w];
    enum { LOOKS_MAX = 1000 };
    const double reach = fmax(reach_min, 0.5 * wheel->radius);
    impulse_touch touch[IMPULSE_PLANES_MAX];
    meet(e, w, e->before + POSE * wheel->body, reach, touch);
    for (int p = 0; p < wheel->planes; p++)
        e->contact[first + p].floor = fmin(touch[p].gap, 0.0);
    const double speed = approach(e, w, reach);
    double s = 0.0;
    for (int look = 0; look < LOOKS_MAX; look++) {
        const double gap = open_gap(e, w, first, touch);
        if (gap <= 0.0 && s > 0.0)
            return s;
        if (s >= h) { // clear to the end: how far
            for (int p = 0; p < wheel->planes; p++)
                kept(e, first + p)[KEPT_CLEAR] = touch[p].gap;
            return INFINITY;
        }
        const double ahead = isfinite(speed) && speed > 0.0 ? gap / speed : h / 64.0;
        double pose[POSE];
        s = fmin(h, s + fmax(ahead, s > 0.0 ? 1e-9 * h : start_share * h));
        impulse_pose_on_the_way(e, wheel->body, h, s, pose);
        meet(e, w, pose, reach, touch);
    }
    return s;
}

bool impulse_contacts_met(impulses *e, double h, double *when)
{
    *when = INFINITY;
    for (int c = 0; c < e->wheel_contact_count; c++)
        e->contact[c].floor = 0.0;
    for (int w = 0, c = 0; w < e->m.wheel_count; c += e->m.wheels[w++].planes) {
        const impulse_wheel *wheel = &e->m.wheels[w];
        double clear = INFINITY;
        bool open = false;
        if (wheel->stiffness > 0.0)
            continue;
        for (int p = 0; p < wheel->planes; p++)
            if (kept(e, c + p)[KEPT_TOUCHING] == 0.0) {
                open = true;
                clear = fmin(clear, kept(e, c + p)[KEPT_CLEAR]);
            }
        if (!open)
            continue;
        if (clear > 0.0) {
            const double far = h * approach(e, w, fmax(reach_min, clear));
            if (far < clear) {
                for (int p = 0; p < wheel->planes; p++)
                    kept(e, c + p)[KEPT_CLEAR] -= far;
                continue;
            }
        }
        *when = fmin(*when, wheel_met(e, w, c, h));
    }
    if (e->m.pair_count > 0)
        *when = fmin(*when, impulse_pairs_met(e, h));
    return *when < INFINITY;
}

double impulse_contacts_gap(impulses *e, double reach)
{
    double gap = INFINITY;
    impulse_touch touch[IMPULSE_PLANES_MAX];
    for (int w = 0, c = 0; w < e->m.wheel_count; c += e->m.wheels[w++].planes) {
        if (e->m.wheels[w].stiffness > 0.0)
            continue;
        meet(e, w, e->state + POSE * e->m.wheels[w].body, reach, touch);
        gap = fmin(gap, open_gap(e, w, c, touch));
    }
    if (e->m.pair_count > 0)
        gap = fmin(gap, impulse_pairs_gap(e));
    return gap;
}

void impulse_contacts_join(impulses *e, double near)
{
    impulse_touch touch[IMPULSE_PLANES_MAX];
    for (int w = 0, c = 0; w < e->m.wheel_count; c += e->m.wheels[w++].planes) {
        if (e->m.wheels[w].stiffness > 0.0)
            continue;
        meet(e, w, e->state + POSE * e->m.wheels[w].body, reach_min, touch);
        for (int p = 0; p < e->m.wheels[w].planes; p++)
            if (touch[p].gap <= near)
                kept(e, c + p)[KEPT_TOUCHING] = 1.0;
            else
                kept(e, c + p)[KEPT_CLEAR] = touch[p].gap;
    }
    if (e->m.pair_count > 0)
        impulse_pairs_join(e, near);
}

// ---- the plane z = 0 ---------------------------------------------------------------------------

static void plane_meet(const void *context, const impulse_disc *disc, double reach,
                       impulse_touch out[IMPULSE_PLANES_MAX])
{
    (void)context;
    (void)reach;
    // Down in the plane of the wheel: -z less its part along the axis.
    const double *n = disc->axis, steep = sqrt(fmax(1.0 - n[2] * n[2], 1e-12));
    for (int p = 0; p < disc->planes; p++) {
        const double offset =
            disc->planes > 1 ? disc->width * ((double)p / (disc->planes - 1) - 0.5) : 0.0;
        const double down[3] = {n[0] * n[2] / steep, n[1] * n[2] / steep, -steep};
        impulse_touch *t = &out[p];
        for (int k = 0; k < 3; k++)
            t->point[k] = disc->centre[k] + offset * n[k] + disc->radius * down[k];
        t->gap = t->point[2];
        if (disc->tyre && t->gap < 0.0) // pressed in: it touches where the ground is
            t->point[2] = 0.0;
        t->normal[0] = t->normal[1] = 0.0, t->normal[2] = 1.0;
        t->friction = t->restitution = NAN;
    }
}

static double plane_approach(const void *context, const impulse_disc *disc, double reach,
                             const double v[3], const double omega[3])
{
    (void)context;
    (void)reach;
    const double spin = vec3_dot(omega, disc->axis); // moves nothing of the disc's shape
    const double x = omega[0] - spin * disc->axis[0], y = omega[1] - spin * disc->axis[1];
    return fabs(v[2]) + hypot(x, y) * (disc->radius + 0.5 * disc->width);
}

static void plane_under(const void *context, const double at[3], impulse_touch *out)
{
    (void)context;
    *out = (impulse_touch){.gap = at[2],
                           .point = {at[0], at[1], 0.0},
                           .normal = {0.0, 0.0, 1.0},
                           .friction = NAN,
                           .restitution = NAN};
}

const impulse_ground impulse_plane = {NULL, plane_meet, plane_approach, plane_under};
