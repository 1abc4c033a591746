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
#include "equations/arm.h"

#include <stdlib.h>
#include <string.h>

// ---- outwards: spins and what depends on them alone ------------------------------------------

// w x (w x r)
mb_vec mb_arm_whirl(expr_graph *g, mb_arm *at, mb_vec r)
{
    if (mb_vec_is_zero(r))
        return r;
    if (at->uses < 2)
        return mb_vec_cross(g, at->spin, mb_vec_cross(g, at->spin, r));
    if (!at->squared) {
        at->square = mb_mat_spin_square(g, at->spin);
        at->squared = true;
    }
    return mb_mat_times(g, &at->square, r);
}

void mb_arm_move_out(const mb_links *s, mb_arm *arms, int i)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    mb_arm *at = &arms[i];
    const mb_vec own = mb_link_spin(s, link);
    mb_vec carried = mb_vec_zero(), c_low = mb_vec_zero();
    if (link->inboard >= 0) {
        mb_arm *in = &arms[link->inboard];
        carried = mb_mat_back(g, &link->R, in->spin);
        c_low = mb_mat_back(g, &link->R, mb_arm_whirl(g, in, link->r));
    }
    at->spin = mb_vec_add(g, carried, own);
    if (link->motion == MB_SLIDING) {
        const mb_vec slide = mb_vec_scale(g, link->rate, mb_vec_unit(link->axis));
        c_low = mb_vec_add(g, c_low,
                           mb_vec_scale(g, expr_const(g, 2.0), mb_vec_cross(g, at->spin, slide)));
    }
    mb_set6(at->c, mb_vec_cross(g, carried, own), c_low);
    const char *owner = s->model->bodies[link->body].name;
    mb_vec_label(g, owner, "spin", at->spin);
    mb_vec_label(g, owner, "turn_bias", mb_upper(at->c));
    mb_vec_label(g, owner, "move_bias", mb_lower(at->c));
}

// ---- one link's equations --------------------------------------------------------------------

void mb_arm_start(const mb_links *s, const mb_loads *loads, mb_arm *at, int i)
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
    const mb_vec f = mb_vec_sub(g, mb_arm_whirl(g, at, h), loads->force[i]);
    mb_set6(at->p, n, f);
    const char *owner = s->model->bodies[link->body].name;
    mb_vec_label(g, owner, "spin_momentum", momentum);
    mb_vec_label(g, owner, "torque", n);
    mb_vec_label(g, owner, "force", f);
}

// A rotor pulls its link by its drive and by its gyroscopic moment; its inertia about its own axis
// takes no part: J (s'' + e.w') = tau is the rotor's own equation.
void mb_arm_add_rotor(const mb_links *s, const mb_loads *loads, mb_arm *arms, const mb_rotor *rotor)
{
    if (rotor->link < 0)
        return;
    expr_graph *g = s->graph;
    mb_arm *at = &arms[rotor->link];
    const expr_id rate = expr_add(g, rotor->rate, mb_vec_dot(g, rotor->axis, at->spin));
    const mb_vec momentum = mb_vec_scale(g, expr_mul(g, rotor->J, rate), rotor->axis);
    const mb_vec n = mb_vec_add(g, mb_vec_cross(g, at->spin, momentum),
                                mb_vec_scale(g, loads->tau[rotor->v], rotor->axis));
    mb_set6(at->p, mb_vec_add(g, mb_upper(at->p), n), mb_lower(at->p));
}

// ---- inwards ---------------------------------------------------------------------------------

// Row k of the six equations: tau = I[k].(a + e_k x) + p[k].
static void eliminate(expr_graph *g, mb_arm *at, int k, expr_id tau)
{
    mb_freed *dof = &at->dof[at->dof_count++];
    const expr_id inverse = expr_div(g, EXPR_ONE, at->I[k][k]);
    const expr_id u = expr_sub(g, tau, at->p[k]);
    expr_id column[6];
    dof->index = k;
    for (int i = 0; i < 6; i++) {
        column[i] = at->I[i][k];
        dof->share[i] = i == k ? EXPR_ONE : expr_mul(g, column[i], inverse);
    }
    dof->inverse = inverse;
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

void mb_arm_eliminate(const mb_links *s, const mb_loads *loads, mb_arm *at, int i)
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

static mb_mat block(const mb_arm *at, int row, int column)
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

void mb_arm_add_at(expr_graph *g, mb_arm *in, mb_vec r, const mb_mat *A, const mb_mat *B,
                   const mb_mat *C)
{
    const mb_mat G = skew_times(g, r, C);
    mb_mat moved;
    for (int k = 0; k < 9; k++)
        moved.m[k] = expr_add(g, B->m[k], G.m[k]);
    // (B [r])_ij = (row i of B) x r . e_j,  ([r] B'^t)_ij = (r x row j of moved) . e_i
    for (int j = 0; j < 3; j++)
        for (int k = j; k < 3; k++) {
            const mb_vec row = {{B->m[3 * j], B->m[3 * j + 1], B->m[3 * j + 2]}};
            const mb_vec other = {{moved.m[3 * k], moved.m[3 * k + 1], moved.m[3 * k + 2]}};
            const expr_id x = mb_vec_cross(g, row, r).v[k];
            const expr_id y = mb_vec_cross(g, r, other).v[j];
            const expr_id sum = expr_add(g, A->m[3 * j + k], expr_sub(g, y, x));
            in->I[j][k] = in->I[k][j] = expr_add(g, in->I[j][k], sum);
        }
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            in->I[j][3 + k] = in->I[3 + k][j] = expr_add(g, in->I[j][3 + k], moved.m[3 * j + k]);
            in->I[3 + j][3 + k] = expr_add(g, in->I[3 + j][3 + k], C->m[3 * j + k]);
        }
}

// What a link asks of its inboard link: turned to its axes, moved to its origin.
//   B += [r] C,   A += -B [r] + [r] (B + [r] C)',   n += r x f
void mb_arm_pass_in(const mb_links *s, mb_arm *arms, int i)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    mb_arm *at = &arms[i], *in = &arms[link->inboard];
    expr_id p[6];
    for (int j = 0; j < 6; j++) {
        p[j] = at->p[j];
        for (int k = 0; k < 6; k++)
            p[j] = expr_add(g, p[j], expr_mul(g, at->I[j][k], at->c[k]));
    }
    const mb_vec f = mb_mat_times(g, &link->R, mb_lower(p));
    const mb_vec n =
        mb_vec_add(g, mb_mat_times(g, &link->R, mb_upper(p)), mb_vec_cross(g, link->r, f));
    mb_set6(in->p, mb_vec_add(g, mb_upper(in->p), n), mb_vec_add(g, mb_lower(in->p), f));

    mb_mat A = block(at, 0, 0), B = block(at, 0, 3), C = block(at, 3, 3);
    A = turn_in(g, link, &A, true);
    B = turn_in(g, link, &B, false);
    C = turn_in(g, link, &C, true);
    mb_arm_add_at(g, in, link->r, &A, &B, &C);
    const char *owner = s->model->bodies[link->body].name;
    mb_vec_label(g, owner, "torque_in", n);
    mb_vec_label(g, owner, "force_in", f);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            mb_node_label(g, owner, "inertia_in", in->I[j][k]);
}

// ---- outwards again: accelerations -----------------------------------------------------------

void mb_arm_accelerate(const mb_links *s, mb_arm *arms, int i, expr_id *vdot)
{
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    mb_arm *at = &arms[i];
    memset(at->a, 0, sizeof at->a); // EXPR_ZERO
    if (link->inboard >= 0) {
        const mb_arm *in = &arms[link->inboard];
        const mb_vec origin =
            mb_vec_add(g, mb_lower(in->a), mb_vec_cross(g, mb_upper(in->a), link->r));
        mb_set6(at->a, mb_mat_back(g, &link->R, mb_upper(in->a)), mb_mat_back(g, &link->R, origin));
    } else if (link->motion != MB_FLOATING) { // the ground accelerates against gravity
        const expr_id *gravity = s->model->gravity;
        const mb_vec up = mb_vec_neg(g, (mb_vec){{gravity[0], gravity[1], gravity[2]}});
        mb_set6(at->a, mb_vec_zero(), mb_mat_back(g, &link->R, up));
    }
    for (int k = 0; k < 6; k++)
        at->a[k] = expr_add(g, at->a[k], at->c[k]);
    expr_id x[6];
    for (int k = at->dof_count; k-- > 0;) {
        const mb_freed *dof = &at->dof[k];
        expr_id sum = dof->rest;
        for (int j = 0; j < 6; j++)
            sum = expr_sub(g, sum, expr_mul(g, dof->share[j], at->a[j]));
        x[dof->index] = sum;
        at->a[dof->index] = expr_add(g, at->a[dof->index], sum);
    }
    mb_vec_label(g, s->model->bodies[link->body].name, "spin_rate", mb_upper(at->a));
    mb_vec_label(g, s->model->bodies[link->body].name, "acceleration", mb_lower(at->a));
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

void mb_arms_count_uses(const mb_links *s, mb_arm *arms)
{
    for (int i = 0; i < s->link_count; i++) {
        arms[i].uses += !mb_vec_is_zero(s->links[i].moment);
        if (s->links[i].inboard >= 0)
            arms[s->links[i].inboard].uses += !mb_vec_is_zero(s->links[i].r);
    }
}

struct mb_articulated {
    const mb_links *links;
    mb_arm *arms;
};

mb_articulated *mb_articulated_create(const mb_links *s, const mb_loads *loads, expr_id *vdot,
                                      mc_error *error)
{
    expr_graph *g = s->graph;
    mb_articulated *out = calloc(1, sizeof *out);
    mb_arm *arms = calloc((size_t)s->link_count + 1, sizeof *arms);
    if (!out || !arms) {
        free(out);
        free(arms);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equations");
        return NULL;
    }
    *out = (mb_articulated){s, arms};
    mb_arms_count_uses(s, arms);
    for (int i = 0; i < s->link_count; i++) {
        mb_arm_move_out(s, arms, i);
        mb_arm_start(s, loads, &arms[i], i);
    }
    for (int k = 0; k < s->rotor_count; k++)
        mb_arm_add_rotor(s, loads, arms, &s->rotors[k]);
    for (int i = s->link_count; i-- > 0;) {
        mb_arm_eliminate(s, loads, &arms[i], i);
        if (s->links[i].inboard >= 0)
            mb_arm_pass_in(s, arms, i);
    }
    for (int i = 0; i < s->link_count; i++)
        mb_arm_accelerate(s, arms, i, vdot);
    for (int k = 0; k < s->rotor_count; k++) {
        const mb_rotor *rotor = &s->rotors[k];
        const mb_vec spin = rotor->link >= 0 ? mb_upper(arms[rotor->link].a) : mb_vec_zero();
        vdot[rotor->v] = expr_sub(g, expr_div(g, loads->tau[rotor->v], rotor->J),
                                  mb_vec_dot(g, rotor->axis, spin));
    }
    return out;
}

void mb_articulated_destroy(mb_articulated *a)
{
    if (a)
        free(a->arms);
    free(a);
}

mc_status mb_recursive(const mb_links *s, const mb_loads *loads, expr_id *vdot, mc_error *error)
{
    mb_articulated *a = mb_articulated_create(s, loads, vdot, error);
    if (!a)
        return MC_NO_MEMORY;
    mb_articulated_destroy(a);
    return expr_graph_status(s->graph, error);
}

// ---- the response to further forces ----------------------------------------------------------

typedef struct reach { // of a link: what it passes inwards, how it accelerates
    expr_id p[6], a[6], rest[6];
} reach;

// As eliminate and hand_in, with the inertias eliminated already and nothing else acting.
static void respond_in(const mb_articulated *a, reach *of, const expr_id *tau, int i)
{
    const mb_links *s = a->links;
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    const mb_arm *at = &a->arms[i];
    expr_id *p = of[i].p, along[6] = {EXPR_ZERO};
    if (link->motion == MB_FLOATING) {
        const mb_vec force = mb_base_force(s, link, &tau[link->v]);
        memcpy(along + 3, force.v, sizeof force.v);
        memcpy(along, &tau[link->v + 3], 3 * sizeof *along);
    } else if (link->motion == MB_SPHERICAL) {
        memcpy(along, &tau[link->v], 3 * sizeof *along);
    } else {
        along[at->dof[0].index] = link->flipped ? expr_neg(g, tau[link->v]) : tau[link->v];
    }
    for (int d = 0; d < at->dof_count; d++) {
        const mb_freed *dof = &at->dof[d];
        const int k = dof->index;
        const expr_id u = expr_sub(g, along[k], p[k]);
        of[i].rest[d] = expr_mul(g, u, dof->inverse);
        for (int j = 0; j < 6; j++)
            p[j] = j == k ? along[k] : expr_add(g, p[j], expr_mul(g, dof->share[j], u));
    }
    if (link->inboard < 0)
        return;
    expr_id *in = of[link->inboard].p;
    const mb_vec f = mb_mat_times(g, &link->R, mb_lower(p));
    const mb_vec n =
        mb_vec_add(g, mb_mat_times(g, &link->R, mb_upper(p)), mb_vec_cross(g, link->r, f));
    mb_set6(in, mb_vec_add(g, mb_upper(in), n), mb_vec_add(g, mb_lower(in), f));
}

static void respond_out(const mb_articulated *a, reach *of, expr_id *vdot, int i)
{
    const mb_links *s = a->links;
    expr_graph *g = s->graph;
    const mb_link *link = &s->links[i];
    const mb_arm *at = &a->arms[i];
    expr_id *acceleration = of[i].a, x[6] = {EXPR_ZERO};
    if (link->inboard >= 0) {
        const expr_id *in = of[link->inboard].a;
        const mb_vec origin = mb_vec_add(g, mb_lower(in), mb_vec_cross(g, mb_upper(in), link->r));
        mb_set6(acceleration, mb_mat_back(g, &link->R, mb_upper(in)),
                mb_mat_back(g, &link->R, origin));
    }
    for (int d = at->dof_count; d-- > 0;) {
        const mb_freed *dof = &at->dof[d];
        expr_id sum = of[i].rest[d];
        for (int j = 0; j < 6; j++)
            sum = expr_sub(g, sum, expr_mul(g, dof->share[j], acceleration[j]));
        x[dof->index] = sum;
        acceleration[dof->index] = expr_add(g, acceleration[dof->index], sum);
    }
    if (link->motion == MB_FLOATING) {
        mb_vec origin = {{x[3], x[4], x[5]}};
        if (!s->model->bodies[link->body].quasi_velocity)
            origin = mb_mat_times(g, &link->R, origin);
        memcpy(&vdot[link->v], origin.v, sizeof origin.v);
        memcpy(&vdot[link->v + 3], x, 3 * sizeof *x);
    } else if (link->motion == MB_SPHERICAL) {
        memcpy(&vdot[link->v], x, 3 * sizeof *x);
    } else {
        const expr_id own = x[at->dof[0].index];
        vdot[link->v] = link->flipped ? expr_neg(g, own) : own;
    }
}

mc_status mb_articulated_response(const mb_articulated *a, const expr_id *tau, expr_id *vdot,
                                  mc_error *error)
{
    const mb_links *s = a->links;
    expr_graph *g = s->graph;
    reach *of = calloc((size_t)s->link_count + 1, sizeof *of); // EXPR_ZERO throughout
    if (!of)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equations");
    for (int k = 0; k < s->rotor_count; k++) { // a drive pulls the link the other way
        const mb_rotor *rotor = &s->rotors[k];
        if (rotor->link < 0)
            continue;
        expr_id *p = of[rotor->link].p;
        mb_set6(p, mb_vec_add(g, mb_upper(p), mb_vec_scale(g, tau[rotor->v], rotor->axis)),
                mb_lower(p));
    }
    for (int i = s->link_count; i-- > 0;)
        respond_in(a, of, tau, i);
    for (int i = 0; i < s->link_count; i++)
        respond_out(a, of, vdot, i);
    for (int k = 0; k < s->rotor_count; k++) {
        const mb_rotor *rotor = &s->rotors[k];
        const mb_vec spin = rotor->link >= 0 ? mb_upper(of[rotor->link].a) : mb_vec_zero();
        vdot[rotor->v] =
            expr_sub(g, expr_div(g, tau[rotor->v], rotor->J), mb_vec_dot(g, rotor->axis, spin));
    }
    free(of);
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
