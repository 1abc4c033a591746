// recursive.c - accelerations by the articulated-body recursion, unrolled over the links.
//
// Equations of one link at its origin, with angular acceleration w' and acceleration a of the
// origin (both of the body, not "spatial", so that no linear velocity is needed):
//   [n]   [A  B] [w']   [n0]     A = I_o, B = [h] (skew), C = m 1,  h = m c
//   [f] = [B' C] [a ] + [f0]     n0 = w x I_o w - torque,  f0 = w x (w x h) - force
// Across a joint, in link axes, with e the axis and s the coordinate:
//   w' = R'w'_in + (e s'') + w x e s'
//   a  = R'(a_in + w'_in x r + w_in x (w_in x r)) + (e s'' + 2 w x e s')      (prism only)
// Inwards, each degree of freedom is eliminated from its link's six equations (a rank-one update),
// what is left is handed to the inboard link; outwards, its acceleration is found.
//
// A hinge's articulated inertia is constant in its own frame as long as nothing beyond it moves:
// then all of the elimination belongs to `prepare`.
#include "base/assert.h"
#include "multibody/forms.h"

#include <stdlib.h>
#include <string.h>

// One degree of freedom once it is eliminated: x = rest - sum over j of share[j] a[j].
typedef struct freed {
    int index; // 0..2 about, 3..5 along an axis of the link
    expr_id share[6];
    expr_id rest;
} freed;

typedef struct arm { // a link on its way
    expr_id I[6][6]; // articulated inertia
    expr_id p[6];    // bias
    expr_id c[6];    // acceleration across the joint that needs no acceleration
    expr_id a[6];    // acceleration
    mb_vec spin;     // w
    mb_mat square;   // W of w x (w x r) = W r, when several want it
    bool squared;
    int wanted; // how many ask for it
    freed dof[6];
    int dof_count;
} arm;

static mb_vec upper(const expr_id x[6])
{
    return (mb_vec){{x[0], x[1], x[2]}};
}

static mb_vec lower(const expr_id x[6])
{
    return (mb_vec){{x[3], x[4], x[5]}};
}

static void set6(expr_id x[6], mb_vec up, mb_vec low)
{
    memcpy(x, up.v, sizeof up.v);
    memcpy(x + 3, low.v, sizeof low.v);
}

// ---- outwards: spins and what depends on them alone ------------------------------------------

// w x (w x r)
static mb_vec whirl(expr_graph *g, arm *at, mb_vec r)
{
    if (mb_vec_is_zero(r))
        return r;
    if (at->wanted < 2)
        return mb_vec_cross(g, at->spin, mb_vec_cross(g, at->spin, r));
    if (!at->squared) {
        at->square = mb_mat_spin_square(g, at->spin);
        at->squared = true;
    }
    return mb_mat_times(g, &at->square, r);
}

static void move_out(const mb_links *s, arm *arms, int i)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    arm *at = &arms[i];
    const mb_vec own = mb_link_spin(s, link);
    mb_vec carried = mb_vec_zero(), c_low = mb_vec_zero();
    if (link->inboard >= 0) {
        arm *in = &arms[link->inboard];
        carried = mb_mat_back(g, &link->R, in->spin);
        c_low = mb_mat_back(g, &link->R, whirl(g, in, link->r));
    }
    at->spin = mb_vec_add(g, carried, own);
    if (link->motion == MB_SLIDING) {
        const mb_vec slide = mb_vec_scale(g, link->rate, mb_vec_unit(link->axis));
        c_low = mb_vec_add(g, c_low,
                           mb_vec_scale(g, expr_const(g, 2.0), mb_vec_cross(g, at->spin, slide)));
    }
    set6(at->c, mb_vec_cross(g, carried, own), c_low);
    const char *owner = s->model->bodies[link->body].name;
    mb_vec_label(g, owner, "spin", at->spin);
    mb_vec_label(g, owner, "turn_bias", upper(at->c));
    mb_vec_label(g, owner, "move_bias", lower(at->c));
}

// ---- one link's equations --------------------------------------------------------------------

static void start_link(const mb_links *s, const mb_loads *loads, arm *at, int i)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    const mb_vec h = link->moment;
    const expr_id skew[3][3] = {{EXPR_ZERO, expr_neg(g, h.v[2]), h.v[1]},
                                {h.v[2], EXPR_ZERO, expr_neg(g, h.v[0])},
                                {expr_neg(g, h.v[1]), h.v[0], EXPR_ZERO}};
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            at->I[j][k] = link->inertia.m[3 * j + k];
            at->I[j][3 + k] = at->I[3 + k][j] = skew[j][k];
            at->I[3 + j][3 + k] = j == k ? link->mass : EXPR_ZERO;
        }
    const mb_vec momentum = mb_mat_times(g, &link->inertia, at->spin);
    const mb_vec n = mb_vec_sub(g, mb_vec_cross(g, at->spin, momentum), loads->torque[i]);
    const mb_vec f = mb_vec_sub(g, whirl(g, at, h), loads->force[i]);
    set6(at->p, n, f);
    const char *owner = s->model->bodies[link->body].name;
    mb_vec_label(g, owner, "spin_momentum", momentum);
    mb_vec_label(g, owner, "torque", n);
    mb_vec_label(g, owner, "force", f);
}

// A rotor pulls its link by its drive and by its gyroscopic moment; its inertia about its own axis
// takes no part: J (s'' + e.w') = tau is the rotor's own equation.
static void add_rotor(const mb_links *s, const mb_loads *loads, arm *arms, const mb_rotor *rotor)
{
    if (rotor->link < 0)
        return;
    expr_graph *g = s->graph;
    arm *at = &arms[rotor->link];
    const expr_id rate = expr_add(g, rotor->rate, mb_vec_dot(g, rotor->axis, at->spin));
    const mb_vec momentum = mb_vec_scale(g, expr_mul(g, rotor->J, rate), rotor->axis);
    const mb_vec n = mb_vec_add(g, mb_vec_cross(g, at->spin, momentum),
                                mb_vec_scale(g, loads->tau[rotor->v], rotor->axis));
    set6(at->p, mb_vec_add(g, upper(at->p), n), lower(at->p));
}

// ---- inwards ---------------------------------------------------------------------------------

// Row k of the six equations: tau = I[k].(a + e_k x) + p[k].
static void eliminate(expr_graph *g, arm *at, int k, expr_id tau)
{
    freed *dof = &at->dof[at->dof_count++];
    const expr_id inverse = expr_div(g, EXPR_ONE, at->I[k][k]);
    const expr_id u = expr_sub(g, tau, at->p[k]);
    expr_id column[6];
    dof->index = k;
    for (int i = 0; i < 6; i++) {
        column[i] = at->I[i][k];
        dof->share[i] = i == k ? EXPR_ONE : expr_mul(g, column[i], inverse);
    }
    dof->rest = expr_mul(g, u, inverse);
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++) {
            const expr_id left =
                i == k || j == k ? EXPR_ZERO
                                 : expr_sub(g, at->I[i][j], expr_mul(g, dof->share[i], column[j]));
            at->I[i][j] = at->I[j][i] = left;
        }
    for (int i = 0; i < 6; i++)
        at->p[i] = i == k ? tau : expr_add(g, at->p[i], expr_mul(g, dof->share[i], u));
}

static void eliminate_joint(const mb_links *s, const mb_loads *loads, arm *at, int i)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    const expr_id *tau = &loads->tau[link->v];
    if (link->motion == MB_REVOLUTE || link->motion == MB_SLIDING) {
        const int k = link->axis + (link->motion == MB_SLIDING ? 3 : 0);
        eliminate(g, at, k, link->flipped ? expr_neg(g, tau[0]) : tau[0]);
    } else if (link->motion == MB_SPHERICAL) {
        for (int k = 0; k < 3; k++)
            eliminate(g, at, k, tau[k]);
    } else {
        const mb_vec force = mb_base_force(s, link, tau);
        for (int k = 0; k < 3; k++)
            eliminate(g, at, 3 + k, force.v[k]);
        for (int k = 0; k < 3; k++)
            eliminate(g, at, k, tau[3 + k]);
    }
}

static mb_mat block(const arm *at, int row, int column)
{
    mb_mat m;
    for (int i = 0; i < 9; i++)
        m.m[i] = at->I[row + i / 3][column + i % 3];
    return m;
}

static mb_mat turn_in(expr_graph *g, const mb_link *link, const mb_mat *m, bool symmetric)
{
    mb_mat out = *m;
    if (link->motion == MB_SPHERICAL)
        return symmetric ? mb_mat_turn_symmetric(g, &link->R, m) : mb_mat_turn(g, &link->R, m);
    if (link->motion == MB_REVOLUTE)
        out =
            mb_mat_turn_axis(g, link->axis, expr_cos(g, link->angle), expr_sin(g, link->angle), m);
    if (!mb_mat_is_identity(&link->turn))
        out = symmetric ? mb_mat_turn_symmetric(g, &link->turn, &out)
                        : mb_mat_turn(g, &link->turn, &out);
    return out;
}

// [r] M, skew times matrix
static mb_mat skew_times(expr_graph *g, mb_vec r, const mb_mat *m)
{
    mb_mat out;
    for (int j = 0; j < 3; j++) {
        const mb_vec column = mb_vec_cross(g, r, mb_mat_column(m, j));
        for (int i = 0; i < 3; i++)
            out.m[3 * i + j] = column.v[i];
    }
    return out;
}

// What a link asks of its inboard link: turned to its axes, moved to its origin.
//   B += [r] C,   A += -B [r] + [r] (B + [r] C)',   n += r x f
static void hand_in(const mb_links *s, arm *arms, int i)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    arm *at = &arms[i], *in = &arms[link->inboard];
    expr_id p[6];
    for (int j = 0; j < 6; j++) {
        p[j] = at->p[j];
        for (int k = 0; k < 6; k++)
            p[j] = expr_add(g, p[j], expr_mul(g, at->I[j][k], at->c[k]));
    }
    const mb_vec f = mb_mat_times(g, &link->R, lower(p));
    const mb_vec n =
        mb_vec_add(g, mb_mat_times(g, &link->R, upper(p)), mb_vec_cross(g, link->r, f));
    set6(in->p, mb_vec_add(g, upper(in->p), n), mb_vec_add(g, lower(in->p), f));

    mb_mat A = block(at, 0, 0), B = block(at, 0, 3), C = block(at, 3, 3);
    A = turn_in(g, link, &A, true);
    B = turn_in(g, link, &B, false);
    C = turn_in(g, link, &C, true);
    const mb_mat G = skew_times(g, link->r, &C);
    mb_mat moved;
    for (int k = 0; k < 9; k++)
        moved.m[k] = expr_add(g, B.m[k], G.m[k]);
    // (B [r])_ij = (row i of B) x r . e_j,  ([r] B'^t)_ij = (r x row j of moved) . e_i
    for (int j = 0; j < 3; j++)
        for (int k = j; k < 3; k++) {
            const mb_vec row = {{B.m[3 * j], B.m[3 * j + 1], B.m[3 * j + 2]}};
            const mb_vec other = {{moved.m[3 * k], moved.m[3 * k + 1], moved.m[3 * k + 2]}};
            const expr_id x = mb_vec_cross(g, row, link->r).v[k];
            const expr_id y = mb_vec_cross(g, link->r, other).v[j];
            const expr_id sum = expr_add(g, A.m[3 * j + k], expr_sub(g, y, x));
            in->I[j][k] = in->I[k][j] = expr_add(g, in->I[j][k], sum);
        }
    const char *owner = s->model->bodies[link->body].name;
    mb_vec_label(g, owner, "torque_in", n);
    mb_vec_label(g, owner, "force_in", f);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            mb_node_label(g, owner, "inertia_in", in->I[j][k]);
            in->I[j][3 + k] = in->I[3 + k][j] = expr_add(g, in->I[j][3 + k], moved.m[3 * j + k]);
            in->I[3 + j][3 + k] = expr_add(g, in->I[3 + j][3 + k], C.m[3 * j + k]);
        }
}

// ---- outwards again: accelerations -----------------------------------------------------------

static void accelerate(const mb_links *s, arm *arms, int i, expr_id *vdot)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    arm *at = &arms[i];
    memset(at->a, 0, sizeof at->a); // EXPR_ZERO
    if (link->inboard >= 0) {
        const arm *in = &arms[link->inboard];
        const mb_vec origin = mb_vec_add(g, lower(in->a), mb_vec_cross(g, upper(in->a), link->r));
        set6(at->a, mb_mat_back(g, &link->R, upper(in->a)), mb_mat_back(g, &link->R, origin));
    } else if (link->motion != MB_FLOATING) { // the ground accelerates against gravity
        const expr_id *gravity = s->model->gravity;
        const mb_vec up = mb_vec_neg(g, (mb_vec){{gravity[0], gravity[1], gravity[2]}});
        set6(at->a, mb_vec_zero(), mb_mat_back(g, &link->R, up));
    }
    for (int k = 0; k < 6; k++)
        at->a[k] = expr_add(g, at->a[k], at->c[k]);
    expr_id x[6];
    for (int k = at->dof_count; k-- > 0;) {
        const freed *dof = &at->dof[k];
        expr_id sum = dof->rest;
        for (int j = 0; j < 6; j++)
            sum = expr_sub(g, sum, expr_mul(g, dof->share[j], at->a[j]));
        x[dof->index] = sum;
        at->a[dof->index] = expr_add(g, at->a[dof->index], sum);
    }
    mb_vec_label(g, s->model->bodies[link->body].name, "spin_rate", upper(at->a));
    mb_vec_label(g, s->model->bodies[link->body].name, "acceleration", lower(at->a));
    if (link->motion == MB_FLOATING) {
        mb_base_acceleration(s, link, (mb_vec){{x[3], x[4], x[5]}}, vdot);
        for (int k = 0; k < 3; k++)
            vdot[link->v + 3 + k] = x[k];
    } else if (link->motion == MB_SPHERICAL) {
        for (int k = 0; k < 3; k++)
            vdot[link->v + k] = x[k];
    } else {
        const expr_id own = x[at->dof[0].index];
        vdot[link->v] = link->flipped ? expr_neg(g, own) : own;
    }
}

mc_status mb_recursive(const mb_links *s, const mb_loads *loads, expr_id *vdot, mc_error *error)
{
    expr_graph *g = s->graph;
    arm *arms = calloc((size_t)s->link_count + 1, sizeof *arms);
    if (!arms)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equations");
    for (int i = 0; i < s->link_count; i++) {
        arms[i].wanted += !mb_vec_is_zero(s->links[i].moment);
        if (s->links[i].inboard >= 0)
            arms[s->links[i].inboard].wanted += !mb_vec_is_zero(s->links[i].r);
    }
    for (int i = 0; i < s->link_count; i++) {
        move_out(s, arms, i);
        start_link(s, loads, &arms[i], i);
    }
    for (int k = 0; k < s->rotor_count; k++)
        add_rotor(s, loads, arms, &s->rotors[k]);
    for (int i = s->link_count; i-- > 0;) {
        eliminate_joint(s, loads, &arms[i], i);
        if (s->links[i].inboard >= 0)
            hand_in(s, arms, i);
    }
    for (int i = 0; i < s->link_count; i++)
        accelerate(s, arms, i, vdot);
    for (int k = 0; k < s->rotor_count; k++) {
        const mb_rotor *rotor = &s->rotors[k];
        const mb_vec spin = rotor->link >= 0 ? upper(arms[rotor->link].a) : mb_vec_zero();
        vdot[rotor->v] = expr_sub(g, expr_div(g, loads->tau[rotor->v], rotor->J),
                                  mb_vec_dot(g, rotor->axis, spin));
    }
    free(arms);
    return expr_graph_status(g, error);
}

// ---- shared with the other form --------------------------------------------------------------

bool mb_loads_create(const mb_links *links, mb_loads *out)
{
    out->tau = calloc((size_t)links->v_count + 1, sizeof *out->tau);
    out->torque = calloc((size_t)links->link_count + 1, sizeof *out->torque);
    out->force = calloc((size_t)links->link_count + 1, sizeof *out->force);
    if (out->tau && out->torque && out->force)
        return true;
    mb_loads_free(out);
    return false;
}

void mb_loads_free(mb_loads *loads)
{
    free(loads->tau);
    free(loads->torque);
    free(loads->force);
    *loads = (mb_loads){0};
}

mb_vec mb_base_force(const mb_links *s, const mb_link *link, const expr_id *tau)
{
    const mb_vec force = {{tau[0], tau[1], tau[2]}};
    return s->model->bodies[link->body].quasi_velocity ? force
                                                       : mb_mat_back(s->graph, &link->R, force);
}

void mb_base_acceleration(const mb_links *s, const mb_link *link, mb_vec a_b, expr_id *vdot)
{
    expr_graph *g = s->graph;
    const expr_id *v = &s->v[link->v];
    const mb_vec gravity = {{s->model->gravity[0], s->model->gravity[1], s->model->gravity[2]}};
    mb_vec a;
    if (s->model->bodies[link->body].quasi_velocity) { // d/dt of body components: a - w x v
        const mb_vec w = {{v[3], v[4], v[5]}}, velocity = {{v[0], v[1], v[2]}};
        a = mb_vec_add(g, a_b, mb_mat_back(g, &link->R, gravity));
        a = mb_vec_sub(g, a, mb_vec_cross(g, w, velocity));
    } else {
        a = mb_vec_add(g, mb_mat_times(g, &link->R, a_b), gravity);
    }
    memcpy(&vdot[link->v], a.v, sizeof a.v);
}
