// sequential.c - the solver "sequential": impulses row by row on the velocities of bodies, matrix-
// free and warm started (Catto's sequential impulses, projected Gauss-Seidel).
//
// Every joint is 6 - n rows g on the velocity of its body relative to that of the inboard one,
//
//     g'(V - X V_m) = g' beta,    X V_m: velocity of the inboard body at this body's mass centre
//
// with g across the n free motions. Rows beside the tree, motors and limits act along the dual g of
// a free velocity, u = g'(V - X V_m - beta); contacts on the body of the wheel, or on both of a
// pair. A sweep takes the rows one by one: the impulse that gives a row its velocity, bounded, at
// once changes the velocities of the bodies it acts on. Impulses begin at those of the last step.
//
// Sweeps end where no row's velocity changes by more than the tolerance, or after `iterations`.
// Heavy bodies on light ones need many. Positions are closed by the same rows on displacements
// (Cline and Pai).
#include "impulses/engine.h"
#include "impulses/turn.h"

#include <math.h>
#include <string.h>

typedef struct push { // a row on one body
    int body;
    double g[6], by[6]; // by: the velocity that an impulse of 1 gives
} push;

typedef struct row {
    int first, count; // of its pushes
    double mass;      // 1/(g' by), 0: nothing moves with it
    double target, lambda;
} row;

struct impulse_sequence {
    row *rows; // of joints, then as in the engine
    push *pushes;
    double *inverse; // 9 per body: of its inertia, body axes
    double *turned;  // 9 per body: in the world
    double *dense;   // 6 per body
    int joint_count; // rows of joints
    int push_count;
};

// ---- memory ------------------------------------------------------------------------------------

static bool invert(const double I[9], double out[9])
{
    const double size = fabs(I[0]) + fabs(I[4]) + fabs(I[8]);
    if (!(mat3_det(I) > 1e-12 * size * size * size))
        return false;
    for (int k = 0; k < 3; k++) {
        double column[3] = {k == 0, k == 1, k == 2};
        mat3_solve(I, column, column);
        for (int x = 0; x < 3; x++)
            out[3 * x + k] = column[x];
    }
    return true;
}

mc_status impulse_sequence_make(impulses *e, void *(*array)(impulses *e, int count, size_t size),
                                mc_error *error)
{
    const impulse_model *m = &e->m;
    const int n = m->body_count, rows = 6 * n + e->row_max;
    struct impulse_sequence *s = array(e, 1, sizeof *s);
    e->sequence = s;
    if (!s)
        return MC_OK; // the caller knows
    s->rows = array(e, rows, sizeof *s->rows);
    s->pushes = array(e, 2 * rows + n * m->beside_count, sizeof *s->pushes);
    s->inverse = array(e, 9 * n, sizeof *s->inverse);
    s->turned = array(e, 9 * n, sizeof *s->turned);
    s->dense = array(e, 6 * n, sizeof *s->dense);
    for (int i = 0; i < n && s->inverse; i++)
        if (!(m->bodies[i].mass > 0.0) || !invert(m->bodies[i].inertia, s->inverse + 9 * i))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "body %s has no mass, or no inertia about an axis; the solver "
                                "sequential needs both of every body, the solver direct does not",
                                m->bodies[i].name);
    return MC_OK;
}

// ---- rows --------------------------------------------------------------------------------------

// A travel of the joint's point along e.
static void travel_row(const impulse_link *l, const double e[3], double g[6])
{
    vec3_cross(e, l->arm, g);
    memcpy(g + 3, e, 3 * sizeof *g);
}

static void turning_row(const double a[3], double g[6])
{
    memcpy(g, a, 3 * sizeof *g);
    memset(g + 3, 0, 3 * sizeof *g);
}

// Two unit vectors across a unit vector.
static void across(const double a[3], double first[3], double second[3])
{
    const double any[3] = {fabs(a[0]) < 0.6, fabs(a[0]) >= 0.6, 0.0};
    vec3_cross(a, any, first);
    const double length = vec3_norm(first);
    for (int k = 0; k < 3; k++)
        first[k] /= length;
    vec3_cross(a, first, second);
}

static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// The six rows of a general joint: along its travels, then its angles.
static void general_rows(const impulses *e, int i, double g[6][6])
{
    const impulse_link *l = &e->link[i];
    double axes[9], by[3];
    impulse_general_axes(e, i, axes);
    for (int k = 0; k < 3; k++) {
        const double along[3] = {l->P[k], l->P[3 + k], l->P[6 + k]};
        const double transposed[9] = {axes[0], axes[3], axes[6], axes[1], axes[4],
                                      axes[7], axes[2], axes[5], axes[8]};
        travel_row(l, along, g[k]);
        mat3_solve(transposed, unit[k], by); // axes' by = e_k: its rate alone
        turning_row(by, g[3 + k]);
    }
}

// Rows across the free motions of a joint; how many.
static int held_rows(const impulses *e, int i, double g[6][6])
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    double first[3], second[3], all[6][6];
    int count = 0;
    if (b->joint == MB_FREE)
        return 0;
    if (b->joint == MB_GENERAL) {
        general_rows(e, i, all);
        for (int k = 0; k < 6; k++)
            if (!b->free[k])
                memcpy(g[count++], all[k], sizeof all[k]);
        return count;
    }
    const bool turns = b->joint == MB_HINGE || b->joint == MB_BALL;
    if (b->joint == MB_PRISM) {
        across(l->S[0] + 3, first, second);
        travel_row(l, first, g[count++]);
        travel_row(l, second, g[count++]);
    }
    for (int k = 0; k < 3; k++)
        if (turns || b->joint == MB_FIXED)
            travel_row(l, unit[k], g[count++]);
    if (b->joint == MB_HINGE) {
        across(l->S[0], first, second);
        turning_row(first, g[count++]);
        turning_row(second, g[count++]);
    }
    for (int k = 0; k < 3; k++)
        if (!turns)
            turning_row(unit[k], g[count++]);
    return count;
}

// u_k = g'(V - X V_m - beta) of the free velocities.
static void dual_rows(const impulses *e, int i, double g[6][6])
{
    const impulse_body *b = &e->m.bodies[i];
    const impulse_link *l = &e->link[i];
    double all[6][6];
    int count = 0;
    switch (b->joint) {
    case MB_FREE:
        memset(g, 0, 36 * sizeof(double));
        for (int k = 0; k < 6; k++)
            g[k][k] = 1.0;
        return;
    case MB_GENERAL:
        general_rows(e, i, all);
        for (int k = 0; k < 6; k++)
            if (b->free[k])
                memcpy(g[count++], all[k], sizeof all[k]);
        return;
    case MB_PRISM:
        travel_row(l, l->S[0] + 3, g[0]);
        return;
    default:
        for (int k = 0; k < b->freedom_count; k++)
            turning_row(l->S[k], g[k]);
        return;
    }
}

// -X' g: the same impulse taken from the inboard body, at its mass centre.
static void on_inboard(const impulse_link *l, const double g[6], double out[6])
{
    double moved[3];
    vec3_cross(l->shift, g + 3, moved);
    for (int k = 0; k < 3; k++) {
        out[k] = -(g[k] + moved[k]);
        out[3 + k] = -g[3 + k];
    }
}

static double dot6(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static void add_push(impulses *e, row *r, int body, const double g[6])
{
    struct impulse_sequence *s = e->sequence;
    push *p = &s->pushes[s->push_count++];
    p->body = body;
    memcpy(p->g, g, sizeof p->g);
    mat3_mul_vec(s->turned + 9 * body, g, p->by);
    for (int k = 3; k < 6; k++)
        p->by[k] = g[k] / e->m.bodies[body].mass;
    r->count++;
    r->mass += dot6(p->g, p->by); // its inverse at first
}

static void begin_row(impulses *e, row *r)
{
    *r = (row){.first = e->sequence->push_count};
}

static void end_row(row *r)
{
    r->mass = r->mass > 0.0 ? 1.0 / r->mass : 0.0;
}

static void joint_row(impulses *e, row *r, int i, const double g[6])
{
    const int inboard = e->m.bodies[i].inboard;
    double back[6];
    begin_row(e, r);
    add_push(e, r, i, g);
    if (inboard >= 0) {
        on_inboard(&e->link[i], g, back);
        add_push(e, r, inboard, back);
    }
    end_row(r);
}

// A row beside the tree: along the free velocities of many joints.
static void beside_row(impulses *e, row *r, const double *along)
{
    double *dense = e->sequence->dense, g[6][6], back[6];
    memset(dense, 0, 6 * (size_t)e->m.body_count * sizeof *dense);
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        double all[6] = {0};
        dual_rows(e, i, g);
        for (int k = 0; k < b->freedom_count; k++)
            for (int x = 0; x < 6; x++)
                all[x] += along[b->freedom + k] * g[k][x];
        on_inboard(&e->link[i], all, back);
        for (int x = 0; x < 6; x++) {
            dense[6 * i + x] += all[x];
            if (b->inboard >= 0)
                dense[6 * b->inboard + x] += back[x];
        }
    }
    begin_row(e, r);
    for (int i = 0; i < e->m.body_count; i++)
        if (dot6(dense + 6 * i, dense + 6 * i) > 0.0)
            add_push(e, r, i, dense + 6 * i);
    end_row(r);
}

static bool begin(impulses *e)
{
    (void)e; // every body has mass
    return true;
}

static void couple(impulses *e)
{
    struct impulse_sequence *s = e->sequence;
    double half[9], g[6][6];
    s->push_count = s->joint_count = 0;
    for (int i = 0; i < e->m.body_count; i++) {
        mat3_mul(e->link[i].R, s->inverse + 9 * i, half);
        mat3_mult(half, e->link[i].R, s->turned + 9 * i);
    }
    for (int i = 0; i < e->m.body_count; i++) {
        const int count = held_rows(e, i, g);
        for (int k = 0; k < count; k++)
            joint_row(e, &s->rows[s->joint_count++], i, g[k]);
    }
    for (int r = 0; r < e->row_count; r++) {
        row *to = &s->rows[s->joint_count + r];
        if (r < e->bilateral_count) {
            beside_row(e, to, e->along + (size_t)r * (size_t)e->freedom_count);
        } else if (e->row_along[r]) {
            dual_rows(e, e->row_body[r], g);
            joint_row(e, to, e->row_body[r], g[0]);
        } else {
            begin_row(e, to);
            add_push(e, to, e->row_body[r], e->row_g + 6 * r);
            if (e->row_other[r] >= 0)
                add_push(e, to, e->row_other[r], e->row_h + 6 * r);
            end_row(to);
        }
    }
}

// ---- sweeps ------------------------------------------------------------------------------------

static double value_of(const impulses *e, const row *r)
{
    double sum = 0.0;
    for (int k = r->first; k < r->first + r->count; k++)
        sum += dot6(e->sequence->pushes[k].g, e->link[e->sequence->pushes[k].body].V);
    return sum;
}

static void apply(impulses *e, const row *r, double impulse)
{
    for (int k = r->first; k < r->first + r->count && impulse != 0.0; k++) {
        const push *p = &e->sequence->pushes[k];
        double *V = e->link[p->body].V;
        for (int x = 0; x < 6; x++)
            V[x] += impulse * p->by[x];
    }
}

// The impulse that gives a row its velocity, within bounds; by how much that changes.
static double move_row(impulses *e, row *r, double low, double high)
{
    const double by = r->mass * (r->target - value_of(e, r));
    const double next = fmin(fmax(r->lambda + by, low), high), moved = next - r->lambda;
    apply(e, r, moved);
    r->lambda = next;
    return r->mass > 0.0 ? fabs(moved) / r->mass : 0.0;
}

// Friction of the contact k at rows r[0], r[1]; c: its limit. In a cone both take steps of the same
// length, so that what slides is pushed against its slip. Tyres by their slip: slip.c.
static double move_friction(impulses *e, const impulse_contact *k, row *r, double c)
{
    const bool tyre = k->tyre;
    double next[2], worst = 0.0;
    const double slip[2] = {value_of(e, r), value_of(e, r + 1)};
    const double size = sqrt(slip[0] * slip[0] + slip[1] * slip[1] + k->scale * k->scale);
    const bool cone = !tyre && e->m.settings.friction == IMPULSE_CONE;
    for (int d = 0; d < 2; d++) {
        const double mass = cone ? fmin(r[0].mass, r[1].mass) : r[d].mass;
        const double soft = tyre && c > 0.0 ? mass * size / c : 0.0;
        next[d] = r[d].lambda - (mass * slip[d] + soft * r[d].lambda) / (1.0 + soft);
    }
    const double length = hypot(next[0], next[1]);
    for (int d = 0; d < 2; d++) {
        if (!tyre && !cone)
            next[d] = fmin(fmax(next[d], -c), c);
        else if (length > c)
            next[d] *= c / length;
        const double moved = next[d] - r[d].lambda;
        apply(e, &r[d], moved);
        r[d].lambda = next[d];
        worst = fmax(worst, r[d].mass > 0.0 ? fabs(moved) / r[d].mass : 0.0);
    }
    return worst;
}

// Once over all rows, those with bounds if `all`; friction not where h is 0.
static double sweep(impulses *e, double h, bool all)
{
    struct impulse_sequence *s = e->sequence;
    const int bilateral = s->joint_count + e->bilateral_count;
    double worst = 0.0;
    for (int k = 0; k < bilateral; k++)
        worst = fmax(worst, move_row(e, &s->rows[k], -INFINITY, INFINITY));
    for (int r = e->bilateral_count; r < e->row_count && all; r++) {
        row *at = &s->rows[s->joint_count + r];
        const int c = e->contact_of[r];
        if (e->low[r] < e->high[r])
            worst = fmax(worst, move_row(e, at, e->low[r], e->high[r]));
        if (c < 0)
            continue;
        const impulse_contact *k = &e->contact[c];
        const double normal = k->pressed > 0.0 ? h * k->pressed : at->lambda;
        worst = fmax(worst, move_friction(e, k, at + 1, k->friction * fmax(normal, 0.0)));
        r += 2;
    }
    return worst;
}

static void sweeps(impulses *e, double h, bool all)
{
    e->report.iterations = 0;
    do {
        e->report.reached = sweep(e, h, all);
        e->report.iterations++;
    } while (e->report.reached > e->m.settings.tolerance &&
             e->report.iterations < e->m.settings.iterations);
}

// ---- velocities --------------------------------------------------------------------------------

static const double nothing[6];

static void take_rates(impulses *e, bool biased)
{
    double g[6][6], relative[6], carried[3];
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        impulse_link *l = &e->link[i];
        const double *V = b->inboard < 0 ? nothing : e->link[b->inboard].V;
        vec3_cross(V, l->shift, carried);
        for (int x = 0; x < 6; x++)
            relative[x] = l->V[x] - V[x] - (x < 3 ? 0.0 : carried[x - 3]) -
                          (biased && b->joint != MB_FREE ? l->beta[x] : 0.0);
        if (b->joint == MB_FREE)
            memcpy(l->u, l->V, sizeof l->u);
        else
            dual_rows(e, i, g);
        for (int k = 0; k < b->freedom_count && b->joint != MB_FREE; k++)
            l->u[k] = dot6(g[k], relative);
    }
}

// Bodies alone: M^-1 (p and the impulses along joints).
static void begin_velocities(impulses *e)
{
    for (int i = 0; i < e->m.body_count; i++) {
        impulse_link *l = &e->link[i];
        mat3_mul_vec(e->sequence->turned + 9 * i, l->p, l->V);
        for (int k = 3; k < 6; k++)
            l->V[k] = l->p[k] / e->m.bodies[i].mass;
    }
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        double g[6][6];
        row along;
        if (!b->has_load)
            continue;
        const int kept = e->sequence->push_count;
        dual_rows(e, i, g);
        joint_row(e, &along, i, g[0]);
        apply(e, &along, e->link[i].tau[0]);
        e->sequence->push_count = kept;
    }
}

// What joints add by themselves, as the velocity of their rows.
static double bias_of(const impulses *e, int i, const double g[6])
{
    return e->m.bodies[i].joint == MB_FREE ? 0.0 : dot6(g, e->link[i].beta);
}

static void joint_targets(impulses *e, double h)
{
    struct impulse_sequence *s = e->sequence;
    const double *force = e->state + e->at_warm;
    int at = 0;
    for (int i = 0; i < e->m.body_count; i++)
        for (; at < s->joint_count && s->pushes[s->rows[at].first].body == i; at++) {
            row *r = &s->rows[at];
            r->target = bias_of(e, i, s->pushes[r->first].g);
            r->lambda = h * force[at];
        }
}

static double beside_bias(const impulses *e, int r)
{
    const double *along = e->along + (size_t)r * (size_t)e->freedom_count;
    double sum = 0.0, g[6][6];
    for (int i = 0; i < e->m.body_count; i++) {
        const impulse_body *b = &e->m.bodies[i];
        dual_rows(e, i, g);
        for (int k = 0; k < b->freedom_count; k++)
            sum += along[b->freedom + k] * bias_of(e, i, g[k]);
    }
    return sum;
}

// The scale of a tyre's slip: that of slip.c, where rows are coupled by their own masses alone.
static void tyre_scales(impulses *e, double h)
{
    for (int c = 0; c < e->wheel_contact_count; c++) {
        impulse_contact *k = &e->contact[c];
        if (k->row < 0 || !k->tyre)
            continue;
        const row *r = &e->sequence->rows[e->sequence->joint_count + k->row + 1];
        const double own =
            fmax(r[0].mass > 0.0 ? 1.0 / r[0].mass : 0.0, r[1].mass > 0.0 ? 1.0 / r[1].mass : 0.0);
        impulse_slip_scale(e, k, h, own);
        memset(k->slip, 0, sizeof k->slip);
        memset(k->slip_start, 0, sizeof k->slip_start);
    }
}

static void velocities(impulses *e, double h, double ahead, bool all)
{
    struct impulse_sequence *s = e->sequence;
    const int c = e->bilateral_count, n = e->row_count;
    row *rows = s->rows + s->joint_count;
    begin_velocities(e);
    joint_targets(e, h);
    impulse_rows_begin(e, h);
    for (int r = 0; r < n; r++) {
        const bool acts = r < c || all || (r < e->single_count && c > 0);
        rows[r].lambda = r < c  ? h * e->state[e->at_warm + 6 * e->m.body_count + r]
                         : acts ? e->lambda[r]
                                : 0.0;
        rows[r].target = r < c ? beside_bias(e, r) - impulse_rows_known(e, r, ahead)
                         : e->row_along[r]
                             ? e->goal[r] + bias_of(e, e->row_body[r], s->pushes[rows[r].first].g)
                             : e->goal[r];
    }
    tyre_scales(e, h);
    for (int k = 0; k < s->joint_count + n; k++)
        apply(e, &s->rows[k], s->rows[k].lambda);
    sweeps(e, h, all);
    for (int r = 0; r < n; r++)
        e->lambda[r] = rows[r].lambda;
    take_rates(e, true);
}

static void keep(impulses *e, double h)
{
    const struct impulse_sequence *s = e->sequence;
    double *force = e->state + e->at_warm;
    for (int k = 0; k < s->joint_count; k++)
        force[k] = s->rows[k].lambda / h;
    for (int r = 0; r < e->bilateral_count; r++)
        force[6 * e->m.body_count + r] = e->lambda[r] / h;
}

// ---- displacements and impacts -----------------------------------------------------------------

// Impulses of the joints' rows must survive: they are those of the last step until `keep`.
static void clear_rows(impulses *e)
{
    struct impulse_sequence *s = e->sequence;
    for (int k = 0; k < s->joint_count + e->row_count; k++)
        s->rows[k].lambda = s->rows[k].target = 0.0;
}

// Joints are closed by the displacement that beta asks for.
static void close(impulses *e)
{
    struct impulse_sequence *s = e->sequence;
    const impulse_report report = e->report;
    for (int i = 0; i < e->m.body_count; i++)
        memset(e->link[i].V, 0, sizeof e->link[i].V);
    clear_rows(e);
    int at = 0;
    for (int i = 0; i < e->m.body_count; i++)
        for (; at < s->joint_count && s->pushes[s->rows[at].first].body == i; at++)
            s->rows[at].target = bias_of(e, i, s->pushes[s->rows[at].first].g);
    for (int r = 0; r < e->bilateral_count; r++) {
        const impulse_beside *from = &e->m.beside[r];
        s->rows[s->joint_count + r].target =
            beside_bias(e, r) - e->formula[from->formula + from->count + 2];
    }
    sweeps(e, 0.0, false);
    e->report.iterations = report.iterations, e->report.reached = report.reached;
}

static void impact(impulses *e, double rest)
{
    struct impulse_sequence *s = e->sequence;
    row *rows = s->rows + s->joint_count;
    clear_rows(e);
    for (int k = 0; k < s->joint_count + e->bilateral_count; k++)
        s->rows[k].target = value_of(e, &s->rows[k]);
    for (int r = e->bilateral_count; r < e->row_count; r++)
        rows[r].target = impulse_rows_goal(e, r, value_of(e, &rows[r]), rest);
    for (int c = 0; c < e->contact_count; c++)
        e->contact[c].pressed = 0.0;
    sweeps(e, 0.0, true);
    memset(e->lambda, 0, (size_t)e->row_count * sizeof *e->lambda);
    take_rates(e, false);
}

// Normal rows and limits alone; friction has no part in a displacement.
static void lift(impulses *e)
{
    struct impulse_sequence *s = e->sequence;
    const impulse_report report = e->report;
    clear_rows(e);
    for (int r = e->bilateral_count; r < e->row_count; r++)
        s->rows[s->joint_count + r].target = -e->right[r];
    e->report.iterations = 0;
    double worst;
    do {
        worst = 0.0;
        for (int k = 0; k < s->joint_count + e->bilateral_count; k++)
            worst = fmax(worst, move_row(e, &s->rows[k], -INFINITY, INFINITY));
        for (int r = e->bilateral_count; r < e->row_count; r++)
            if (e->right[r] != 0.0 && e->low[r] < e->high[r])
                worst =
                    fmax(worst, move_row(e, &s->rows[s->joint_count + r], e->low[r], e->high[r]));
    } while (worst > 1e-3 * e->m.settings.tolerance &&
             ++e->report.iterations < e->m.settings.iterations);
    e->report.iterations = report.iterations;
}

const impulse_solver impulse_sequential = {
    .name = "sequential",
    .doc = "impulses row by row on the velocities of bodies, joints too, from those of the last "
           "step",
    .begin = begin,
    .couple = couple,
    .velocities = velocities,
    .keep = keep,
    .close = close,
    .impact = impact,
    .lift = lift};
