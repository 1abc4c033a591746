// rows.c - rows beside the tree, motors, limits and contacts: what remains of the mixed linear
// complementarity problem when the joints of the tree are eliminated.
//
//     W lambda + right = residual velocity of each row
//
// with W the response of rows to each other through the tree. Rows beside the tree are equations:
// their block is factored by Cholesky and eliminated, rows that follow from others are left out.
// The others have bounds,
//
//     contact, limit   lambda >= 0, residual >= 0, one of them zero       (7)
//     friction         |lambda_1|, |lambda_2| <= mu lambda_n (box, (8)) or their length (cone)
//     motor            |lambda| <= h max
//
// and are solved in bounded.c from the impulses of the last step.
#include "impulses/engine.h"
#include "num/vec3.h"

#include <math.h>
#include <string.h>

static const double lift_from = 1e-7;  // m: below, a wheel is lifted out of the ground
static const double closed_gap = 1e-6; // m: a wheel this near stands on the ground
static const double dependent = 1e-11; // of a pivot, relative to the row alone

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
    e->tree->respond_freedom(e, &e->response[r], body);
    e->row_body[r] = body;
    e->row_along[r] = true;
    e->low[r] = low, e->high[r] = high, e->goal[r] = goal;
    e->contact_of[r] = -1;
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

static void add_contact(impulses *e, int c, double h)
{
    impulse_contact *k = &e->contact[c];
    const int body = e->m.wheels[k->wheel].body;
    impulse_patch *p = &e->patch[e->patch_count++];
    double arm[3];
    k->row = e->row_count;
    p->body = body, p->row = k->row;
    for (int x = 0; x < 3; x++)
        arm[x] = k->at.point[x] - e->state[POSE * body + x];
    const double *axes[3] = {k->at.normal, k->along, k->across};
    for (int d = 0; d < 3; d++) {
        const int r = e->row_count++;
        double *g = e->row_g + 6 * r;
        vec3_cross(arm, axes[d], g);
        memcpy(g + 3, axes[d], 3 * sizeof *g);
        e->row_body[r] = body;
        e->row_along[r] = false;
        e->goal[r] = d == 0 && k->at.gap > closed_gap ? -2.0 * k->at.gap / h : 0.0;
        e->low[r] = 0.0,
        e->high[r] = d == 0 && e->m.wheels[k->wheel].stiffness == 0.0 ? INFINITY : 0.0;
        e->contact_of[r] = d == 0 ? c : -2;
        e->slot[r] = -1;
    }
    impulse_four g[6];
    const double *row = e->row_g + 6 * k->row;
    for (int x = 0; x < 6; x++)
        g[x] = (impulse_four){row[x], row[6 + x], row[12 + x], 0.0};
    e->tree->respond_patch(e, p, g);
}

// Factor of the first block; F by rows with 1 / F_kk on the diagonal, 0 where a row is left out.
static void factor_first(impulses *e)
{
    const int c = e->bilateral_count, n = e->row_count;
    double *F = e->F;
    for (int i = 0; i < c; i++)
        for (int j = 0; j <= i; j++) {
            double sum = e->W[i * n + j];
            const double alone = sum;
            for (int k = 0; k < j; k++)
                sum -= F[i * c + k] * F[j * c + k];
            if (i == j)
                F[i * c + i] = sum > dependent * alone && sum > 0.0 ? 1.0 / sqrt(sum) : 0.0;
            else
                F[i * c + j] = sum * F[j * c + j];
        }
    // C = F^-1 W_cn, then W_nn - C'C.
    for (int j = c; j < n; j++)
        for (int i = 0; i < c; i++) {
            double sum = e->W[i * n + j];
            for (int k = 0; k < i; k++)
                sum -= F[i * c + k] * e->C[k * n + j];
            e->C[i * n + j] = sum * F[i * c + i];
        }
    for (int i = c; i < n && c > 0; i++)
        for (int j = c; j < n; j++)
            for (int k = 0; k < c; k++)
                e->W[i * n + j] -= e->C[k * n + i] * e->C[k * n + j];
}

// W: contacts come last, three rows each.
static void couple_rows(impulses *e)
{
    const int n = e->row_count;
    double *W = e->W;
    for (int i = 0; i < e->single_count; i++)
        for (int j = 0; j <= i; j++)
            W[i * n + j] = W[j * n + i] = e->tree->couple(e, &e->response[i], &e->response[j]);
    for (int c = 0; c < e->patch_count; c++) {
        const impulse_patch *p = &e->patch[c];
        for (int j = 0; j < e->single_count; j++) {
            impulse_four with;
            e->tree->couple_row(e, &e->response[j], p, &with);
            for (int x = 0; x < 3; x++)
                W[(p->row + x) * n + j] = W[j * n + p->row + x] = with[x];
        }
        for (int d = 0; d <= c; d++) {
            const int i = p->row, j = e->patch[d].row;
            impulse_four block[3];
            e->tree->couple_patches(e, p, &e->patch[d], block);
            for (int x = 0; x < 3; x++)
                for (int y = 0; y < 3; y++)
                    W[(i + x) * n + j + y] = W[(j + y) * n + i + x] = block[x][y];
        }
    }
}

void impulse_rows_make(impulses *e, double h)
{
    e->row_count = 0;
    e->bilateral_count = e->m.beside_count;
    for (int r = 0; r < e->m.beside_count; r++) {
        double *along = e->along + (size_t)r * (size_t)e->freedom_count;
        along_freedoms(e, &e->m.beside[r], along);
        e->tree->respond_along(e, &e->response[r], along);
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
    couple_rows(e);
    if (e->bilateral_count > 0)
        factor_first(e);
}

// ---- solving -----------------------------------------------------------------------------------

static double dot6(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// What a row makes of the velocities in V and u.
static double value_of(const impulses *e, int r)
{
    double sum = 0.0;
    if (r >= e->bilateral_count)
        return e->row_along[r] ? e->link[e->row_body[r]].u[0]
                               : dot6(e->row_g + 6 * r, e->link[e->row_body[r]].V);
    const double *along = e->along + (size_t)r * (size_t)e->freedom_count;
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        for (int k = 0; k < b->freedom_count; k++)
            sum += along[b->freedom + k] * e->link[i].u[k];
    }
    return sum;
}

// Bilateral rows from their right sides, the others' impulses given.
static void solve_first(impulses *e)
{
    const int c = e->bilateral_count, n = e->row_count;
    for (int i = 0; i < c; i++) {
        double sum = e->right[i];
        for (int k = 0; k < i; k++)
            sum -= e->F[i * c + k] * e->lambda[k];
        e->lambda[i] = sum * e->F[i * c + i];
    }
    for (int i = c - 1; i >= 0; i--) {
        double sum = e->lambda[i];
        for (int j = c; j < n; j++)
            sum += e->C[i * n + j] * e->lambda[j];
        e->lambda[i] = -sum; // -(s + C lambda_n)
    }
    for (int i = c - 1; i >= 0; i--) {
        double sum = e->lambda[i];
        for (int k = i + 1; k < c; k++)
            sum -= e->F[k * c + i] * e->lambda[k];
        e->lambda[i] = sum * e->F[i * c + i];
    }
}

// Takes the rows beside the tree out of the others' right sides.
static void reduce(impulses *e)
{
    const int c = e->bilateral_count, n = e->row_count;
    double *s = e->work;
    for (int i = 0; i < c; i++) {
        double sum = e->right[i];
        for (int k = 0; k < i; k++)
            sum -= e->F[i * c + k] * s[k];
        s[i] = sum * e->F[i * c + i];
    }
    for (int j = c; j < n; j++)
        for (int i = 0; i < c; i++)
            e->right[j] -= e->C[i * n + j] * s[i];
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

void impulse_rows_solve(impulses *e, double h, double ahead, bool all)
{
    const int c = e->bilateral_count, n = e->row_count;
    if (n == 0) {
        e->report.iterations = 0;
        e->report.reached = 0.0;
        return;
    }
    for (int r = 0; r < c; r++) {
        // A v1 + e,t + ahead bias = 0, where e' = A v + e,t at the velocities of the formulas.
        const impulse_beside *row = &e->m.beside[r];
        const double *by = e->formula + row->formula;
        double known = by[row->count];
        for (int k = 0; k < row->count; k++)
            known -= by[k] * e->y[e->m.q_count + row->velocity[k]];
        e->right[r] = value_of(e, r) + known + ahead * bias_of(e, row);
    }
    impulse_rows_begin(e, h);
    if (all) {
        for (int r = c; r < n; r++)
            e->right[r] = value_of(e, r) - e->goal[r];
        reduce(e);
        impulse_bounded(e, h);
    } else { // contacts are among the loads: impulse_contacts_warm
        for (int r = e->single_count; r < n; r++)
            e->lambda[r] = 0.0;
    }
    solve_first(e);
    e->tree->apply(e, n, e->lambda);
}

// Positions: V and u are a displacement that closes the tree.
void impulse_rows_close(impulses *e)
{
    const int c = e->bilateral_count;
    if (c == 0)
        return;
    for (int r = 0; r < c; r++) {
        const impulse_beside *row = &e->m.beside[r];
        e->right[r] = value_of(e, r) + e->formula[row->formula + row->count + 2];
    }
    for (int r = c; r < e->row_count; r++)
        e->closing[r] = e->lambda[r], e->lambda[r] = 0.0;
    for (int r = 0; r < c; r++)
        e->closing[r] = e->lambda[r];
    solve_first(e);
    e->tree->apply(e, c, e->lambda);
    memcpy(e->lambda, e->closing, (size_t)e->row_count * sizeof *e->lambda);
}

// ---- impact and lifting ------------------------------------------------------------------------

// Velocities before an impact are in V and u: every contact leaves with restitution times its
// approach, where that is more than `rest`.
void impulse_rows_impact(impulses *e, double rest)
{
    const int c = e->bilateral_count, n = e->row_count;
    memset(e->lambda, 0, (size_t)n * sizeof *e->lambda);
    for (int r = 0; r < n; r++) {
        const double value = value_of(e, r);
        double goal = 0.0;
        if (r >= c && e->contact_of[r] >= 0) {
            const double back = -e->contact[e->contact_of[r]].restitution * value;
            goal = value < 0.0 && back > rest ? back : 0.0;
        } else if (r >= c && e->row_along[r] &&
                   (e->slot[r] < e->m.motor_count || e->goal[r] != 0.0)) {
            e->low[r] = e->high[r] = 0.0; // only limits at their end act in no time
        }
        e->right[r] = r < c ? 0.0 : value - goal;
    }
    reduce(e);
    impulse_bounded(e, 0.0);
    solve_first(e);
    e->tree->apply(e, n, e->lambda);
}

// A displacement in V that lifts wheels out of the ground.
bool impulse_rows_lift(impulses *e)
{
    const int n = e->row_count;
    bool any = false;
    for (int r = e->bilateral_count; r < n; r++)
        any = any || (e->row_along[r] && fabs(e->past[r]) > e->m.settings.closed);
    for (int k = 0; k < e->contact_count; k++)
        any = any || (e->contact[k].row >= 0 && e->contact[k].at.gap < -lift_from &&
                      e->m.wheels[e->contact[k].wheel].stiffness == 0.0);
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
    impulse_lift(e);
    solve_first(e);
    e->tree->apply(e, n, e->lambda);
    return true;
}
