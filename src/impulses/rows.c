// rows.c - rows beside the tree, motors, limits and contacts: which act, on what, within which
// bounds.
//
//     contact, limit   lambda >= 0, residual >= 0, one of them zero       (7)
//     friction         |lambda_1|, |lambda_2| <= mu lambda_n (box, (8)) or their length (cone)
//     motor            |lambda| <= h max
//
// A solver (direct.c, sequential.c) finds their impulses.
#include "impulses/engine.h"
#include "num/vec3.h"

#include <math.h>
#include <string.h>

static const double lift_from = 1e-7;  // m: below, a wheel is lifted out of the ground
static const double closing = 0.5;     // of the gap of a closed point of a pair, per step
static const double closed_gap = 1e-6; // m: a wheel this near stands on the ground

// ---- rows --------------------------------------------------------------------------------------

// A row by velocities v of the mechanism as impulses along the engine's freedoms. Those of a free
// body: velocity of its origin in world or body axes, then its turning in body axes.
static void along_freedoms(const impulses *e, const impulse_beside *row, double *out)
{
    const double *by = e->formula + row->formula;
    memset(out, 0, (size_t)e->freedom_count * sizeof *out);
    for (int k = 0; k < row->count; k++) {
        int i = 0;
        const int v = row->velocity[k];
        while (v < e->m.bodies[i].v || v >= e->m.bodies[i].v + e->m.bodies[i].freedom_count)
            i++;
        const impulse_body *b = &e->m.bodies[i];
        const int at = v - b->v;
        double *to = out + b->freedom;
        if (b->joint != MB_FREE) {
            to[at] += by[k];
            continue;
        }
        const double *R = e->link[i].R;
        double axis[3] = {0}, centre[3], turned[3];
        for (int x = 0; x < 3; x++)
            axis[x] = at >= 3 || b->quasi_velocity ? R[3 * x + at % 3] : (x == at ? 1.0 : 0.0);
        mat3_mul_vec(R, b->com, centre);
        vec3_cross(axis, centre, turned); // (o - c) x axis
        for (int x = 0; x < 3; x++) {
            to[x] += by[k] * (at >= 3 ? axis[x] : turned[x]);
            to[3 + x] += at >= 3 ? 0.0 : by[k] * axis[x];
        }
    }
}

// Velocities v of a free body are taken from V at its origin, in world or body axes: how that map
// turns with the body, per second, times V. Place k of v; 0 for all but the first three.
static double turning_of(const impulses *e, int body, int k)
{
    const impulse_body *b = &e->m.bodies[body];
    const impulse_link *l = &e->link[body];
    const double *V = l->V_mid;
    double centre[3], moved[3], change[3], at[3], turned[3], out[3];
    mat3_mul_vec(l->R, b->com, centre);
    vec3_cross(V, centre, moved);
    vec3_cross(moved, V, change); // d/dt (centre x w)
    if (!b->quasi_velocity)
        return change[k];
    for (int x = 0; x < 3; x++)
        at[x] = V[3 + x] - moved[x];
    vec3_cross(V, at, turned);
    for (int x = 0; x < 3; x++)
        change[x] -= turned[x];
    mat3_tmul_vec(l->R, change, out);
    return out[k];
}

// The part of e'' without accelerations, for the engine's velocities of free bodies.
static double bias_of(const impulses *e, const impulse_beside *row)
{
    const double *by = e->formula + row->formula;
    double sum = by[row->count + 1];
    for (int k = 0; k < row->count; k++)
        for (int i = 0; i < e->m.body_count; i++) {
            const int at = row->velocity[k] - e->m.bodies[i].v;
            if (e->m.bodies[i].joint == MB_FREE && at >= 0 && at < 3)
                sum += by[k] * turning_of(e, i, at);
        }
    return sum;
}

static void add_along(impulses *e, int body, double low, double high, double goal)
{
    const int r = e->row_count++;
    e->row_body[r] = body;
    e->row_other[r] = -1;
    e->row_along[r] = true;
    e->low[r] = low, e->high[r] = high, e->goal[r] = goal;
    e->contact_of[r] = -1;
    e->slips[r] = IMPULSE_HOLDS;
}

static void add_motors_and_limits(impulses *e, double h)
{
    for (int k = 0; k < e->m.motor_count; k++) {
        const impulse_motor *m = &e->m.motors[k];
        const double speed = m->speed_formula >= 0 ? e->formula[m->speed_formula] : m->speed;
        const double max = m->max_formula >= 0 ? e->formula[m->max_formula] : m->max;
        e->slot[e->row_count] = k;
        e->past[e->row_count] = 0.0;
        add_along(e, m->body, -h * max, h * max, speed);
    }
    for (int k = 0; k < e->m.limit_count; k++) {
        const impulse_limit *m = &e->m.limits[k];
        const double q = impulse_coordinate(e, m->body);
        double rate;
        static const double nothing[6];
        const int inboard = e->m.bodies[m->body].inboard;
        impulse_rates(e, m->body, e->link[m->body].V_start,
                      inboard < 0 ? nothing : e->link[inboard].V_start, &rate);
        // q at the end of the step is q + h/2 u: it stops at the limit, or comes back where it hits
        // it with restitution. What is past it is lifted.
        const bool low = q - m->min < m->max - q;
        const double left = low ? m->min - q : m->max - q, back = -m->restitution * rate;
        const bool past = low ? left > 0.0 : left < 0.0;
        const double stop = past ? 0.0 : 2.0 * left / h;
        const bool hit = low ? rate < 0.0 && rate <= stop : rate > 0.0 && rate >= stop;
        const double goal = hit && fabs(back) > 0.0 ? back : stop;
        e->past[e->row_count] = past ? -left : 0.0;
        e->slot[e->row_count] = e->m.motor_count + k;
        add_along(e, m->body, low ? 0.0 : -INFINITY, low ? INFINITY : 0.0, goal);
    }
}

// The other side of a row of a contact at a point: the same impulse, taken from its second body.
static void set_back(impulses *e, int r, const double point[3])
{
    const double *g = e->row_g + 6 * r;
    double *back = e->row_h + 6 * r, arm[3];
    for (int x = 0; x < 3; x++)
        arm[x] = point[x] - e->state[POSE * e->row_other[r] + x];
    vec3_cross(g + 3, arm, back);
    for (int x = 0; x < 3; x++)
        back[3 + x] = -g[3 + x];
}

static void add_contact(impulses *e, int c, double h)
{
    impulse_contact *k = &e->contact[c];
    const int body = k->body;
    impulse_patch *p = &e->patch[e->patch_count++];
    double arm[3];
    k->row = e->row_count;
    p->body = body, p->row = k->row, p->wheel = k->wheel, p->other = k->other;
    for (int x = 0; x < 3; x++)
        arm[x] = k->at.point[x] - e->state[POSE * body + x];
    const double *axes[3] = {k->at.normal, k->along, k->across};
    for (int d = 0; d < 3; d++) {
        const int r = e->row_count++;
        double *g = e->row_g + 6 * r;
        vec3_cross(arm, axes[d], g);
        memcpy(g + 3, axes[d], 3 * sizeof *g);
        e->row_body[r] = body;
        e->row_other[r] = k->other;
        e->row_along[r] = false;
        e->goal[r] = d == 0 && k->at.gap > closed_gap ? -2.0 * k->at.gap / h : 0.0;
        e->low[r] = 0.0, e->high[r] = d == 0 && !k->tyre ? INFINITY : 0.0;
        e->contact_of[r] = d == 0 ? c : -2;
        e->slot[r] = -1;
        e->slips[r] = IMPULSE_HOLDS;
        if (k->other >= 0)
            set_back(e, r, k->at.point);
    }
    // As joints: the row holds at the end of the step, where the normal or the point has turned.
    // The rest of a gap closes over some steps.
    if (k->pair >= 0 && k->at.gap <= closed_gap)
        e->goal[k->row] = -0.5 * h * k->bias - closing * fmax(k->at.gap, 0.0) / h;
}

void impulse_rows_make(impulses *e, double h)
{
    e->row_count = 0;
    e->bilateral_count = e->m.beside_count;
    for (int r = 0; r < e->m.beside_count; r++) {
        along_freedoms(e, &e->m.beside[r], e->along + (size_t)r * (size_t)e->freedom_count);
        e->row_count++;
    }
    add_motors_and_limits(e, h);
    e->single_count = e->row_count;
    e->patch_count = 0;
    for (int c = 0; c < e->contact_count; c++) {
        e->contact[c].row = -1;
        if (e->state[e->at_contact + KEPT * c + KEPT_TOUCHING] != 0.0)
            add_contact(e, c, h);
    }
}

// ---- right sides -------------------------------------------------------------------------------

// A v1 + e,t + ahead bias = 0 of a row beside the tree, where e' = A v + e,t at the velocities of
// the formulas: all but A v1.
double impulse_rows_known(const impulses *e, int r, double ahead)
{
    const impulse_beside *row = &e->m.beside[r];
    const double *by = e->formula + row->formula;
    double known = by[row->count];
    for (int k = 0; k < row->count; k++)
        known -= by[k] * e->y[e->m.q_count + row->velocity[k]];
    return known + ahead * bias_of(e, row);
}

void impulse_rows_begin(impulses *e, double h)
{
    for (int r = e->bilateral_count; r < e->row_count; r++) {
        e->lambda[r] = e->slot[r] >= 0 ? h * e->state[e->at_row + e->slot[r]] : 0.0;
        const int contact = e->contact_of[r];
        if (contact < 0)
            continue;
        const double *force = e->state + e->at_contact + KEPT * contact + KEPT_FORCE;
        e->lambda[r] = e->high[r] > 0.0 ? h * force[0] : 0.0; // a tyre's is among the loads
        for (int d = 1; d < 3; d++)
            e->lambda[++r] = h * force[d];
    }
}

// Velocity of row r after an impact, before which it is `value`: a contact leaves with restitution
// times its approach, where that is more than `rest`. Motors and far limits do not act.
double impulse_rows_goal(impulses *e, int r, double value, double rest)
{
    if (e->contact_of[r] >= 0) {
        const double back = -e->contact[e->contact_of[r]].restitution * value;
        return value < 0.0 && back > rest ? back : 0.0;
    }
    if (e->row_along[r] && (e->slot[r] < e->m.motor_count || e->goal[r] != 0.0))
        e->low[r] = e->high[r] = 0.0; // only limits at their end act in no time
    return 0.0;
}

// A displacement in V that lifts wheels out of the ground, and bodies out of each other.
bool impulse_rows_lift(impulses *e)
{
    const int n = e->row_count;
    bool any = false;
    for (int r = e->bilateral_count; r < n; r++)
        any = any || (e->row_along[r] && fabs(e->past[r]) > e->m.settings.closed);
    for (int k = 0; k < e->contact_count; k++)
        any = any ||
              (e->contact[k].row >= 0 && e->contact[k].at.gap < -lift_from && !e->contact[k].tyre);
    if (!any)
        return false;
    for (int i = 0; i < e->m.body_count; i++) {
        memset(e->link[i].V, 0, sizeof e->link[i].V);
        memset(e->link[i].u, 0, sizeof e->link[i].u);
    }
    memset(e->lambda, 0, (size_t)n * sizeof *e->lambda);
    memset(e->right, 0, (size_t)n * sizeof *e->right);
    for (int r = e->bilateral_count; r < n; r++)
        e->right[r] = e->row_along[r] ? e->past[r] : 0.0;
    for (int k = 0; k < e->contact_count; k++)
        if (e->contact[k].row >= 0 && e->contact[k].at.gap < 0.0)
            e->right[e->contact[k].row] = e->contact[k].at.gap;
    e->solver->lift(e);
    return true;
}
