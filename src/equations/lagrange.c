// lagrange.c - Lagrange's equations in quasi-coordinates, as in the paper.
//
// For velocities u (hinge rates, body-axis velocities of a free base, relative spins of balls):
//   d/dt T,u - T,q = Q                         hinges            (34), third line
//   d/dt T,w + w x T,w - T,pi = Q              ball, base spin   (11); v = 0: see forms.h
//   d/dt T,v + w x T,v = Q                     base velocity     (17)
// T,pi is the change of T along a small turn; for the base it is zero. Of each link the spin w and
// the velocity v of the mass centre are taken in link axes, so that momenta h = J w and p = m v
// have constant coefficients (39), and
//   T,u_j          = w,u_j . h + v,u_j . p                                               (41)
//   T,q_j          = w,q_j . h + v,q_j . p                                               (40)
//   d/dt T,u_j     = (w,u_j)' . h + (v,u_j)' . p + w,u_j . J w' + v,u_j . m v'           (43, 44)
//   M_jk           = w,u_j . J w,u_k + v,u_j . m v,u_k                                   (46)
//   Q_j            = sum of F . v,u_j + N . w,u_j                                        (47)
// h and p are nodes, shared wherever they appear: the "numbers" of the paper, no expression swells.
// A link's partials by velocities that do not move it are never made (the lists Theta and Omega).
#include "expr/differentiate.h"
#include "equations/forms.h"
#include "equations/ldl.h"

#include <stdlib.h>
#include <string.h>

typedef struct moving {         // a link
    mb_vec w, v;                // spin, velocity of the origin; link axes
    mb_vec gravity;             // link axes; zero below a free base
    mb_vec c;                   // mass centre
    mb_mat J;                   // about the mass centre
    bool heavy;                 // has mass or inertia
    mb_vec vc, h, p;            // velocity of the mass centre, momenta
    mb_vec w_rate, vc_rate;     // of w and vc at constant u
    mb_vec *w_by, *o_by, *c_by; // by u_j: spin, origin, mass centre; v_count each
} moving;

typedef struct derivation {
    const mb_links *s;
    expr_graph *g;
    const mb_loads *loads;
    int n; // velocities
    moving *links;
    mb_vec *store;          // of all partials
    expr_direction *time;   // along q' at constant u
    expr_direction **along; // along each velocity's coordinate; NULL: none
    expr_id *M, *right;
} derivation;

// ---- directions ------------------------------------------------------------------------------

// Columns of q' = N(q) u of a quaternion: half of q times (0, e_k).
static void quaternion_rate(expr_graph *g, const expr_id q[4], int k, expr_id out[4])
{
    const expr_id half = expr_const(g, 0.5);
    const int j = (k + 1) % 3, l = (k + 2) % 3;
    out[0] = expr_neg(g, expr_mul(g, half, q[1 + k]));
    out[1 + k] = expr_mul(g, half, q[0]);
    out[1 + j] = expr_mul(g, half, q[1 + l]);
    out[1 + l] = expr_neg(g, expr_mul(g, half, q[1 + j]));
}

static bool make_directions(derivation *d)
{
    const mb_links *s = d->s;
    const size_t inputs = (size_t)expr_input_count(d->g) + 1;
    expr_id *seed = calloc(inputs, sizeof *seed), *time = calloc(inputs, sizeof *time);
    bool good = seed && time;
    for (int i = 0; good && i < s->link_count; i++) {
        const mb_link *link = &s->links[i];
        if (link->motion == MB_FLOATING)
            continue; // the kinetic energy does not depend on where the base is
        for (int k = 0; good && k < link->v_count; k++) {
            const expr_id u = s->v[link->v + k];
            memset(seed, 0, inputs * sizeof *seed);
            if (link->motion == MB_SPHERICAL) {
                expr_id rate[4];
                quaternion_rate(d->g, &s->q[link->q], k, rate);
                for (int m = 0; m < 4; m++) {
                    const int input = s->q_input[link->q + m];
                    seed[input] = rate[m];
                    time[input] = expr_add(d->g, time[input], expr_mul(d->g, rate[m], u));
                }
            } else {
                seed[s->q_input[link->q]] = EXPR_ONE;
                time[s->q_input[link->q]] = u;
            }
            d->along[link->v + k] = expr_direction_create(d->g, seed);
            good = d->along[link->v + k] != NULL;
        }
    }
    d->time = good ? expr_direction_create(d->g, time) : NULL;
    free(seed);
    free(time);
    return d->time != NULL;
}

static mb_vec vec_along(expr_direction *direction, mb_vec a)
{
    for (int i = 0; i < 3; i++) {
        a.v[i] = expr_along(direction, a.v[i]);
        if (a.v[i] == EXPR_NONE) // no memory; the graph is not blamed, the caller checks
            a.v[i] = EXPR_ZERO;
    }
    return a;
}

// ---- kinematics ------------------------------------------------------------------------------

// Spin and velocity of the origin by the joint's own velocities.
static void own_partials(derivation *d, int i)
{
    expr_graph *g = d->g;
    const mb_link *link = &d->s->links[i];
    moving *at = &d->links[i];
    for (int k = 0; k < link->v_count; k++) {
        mb_vec w = mb_vec_zero(), v = mb_vec_zero();
        if (link->motion == MB_REVOLUTE)
            w = mb_vec_unit(link->axis);
        else if (link->motion == MB_SLIDING)
            v = mb_vec_unit(link->axis);
        else if (link->motion == MB_SPHERICAL)
            w = mb_vec_unit(k);
        else if (k < 3)
            v = mb_vec_unit(k);
        else
            w = mb_vec_unit(k - 3);
        at->w_by[link->v + k] = link->flipped ? mb_vec_neg(g, w) : w;
        at->o_by[link->v + k] = link->flipped ? mb_vec_neg(g, v) : v;
    }
}

static void move(derivation *d, int i)
{
    expr_graph *g = d->g;
    const mb_links *s = d->s;
    const mb_link *link = &s->links[i];
    moving *at = &d->links[i];
    at->w = at->v = at->gravity = mb_vec_zero();
    if (link->inboard >= 0) {
        const moving *in = &d->links[link->inboard];
        at->w = mb_mat_back(g, &link->R, in->w);
        at->v = mb_mat_back(g, &link->R, mb_vec_add(g, in->v, mb_vec_cross(g, in->w, link->r)));
        at->gravity = mb_mat_back(g, &link->R, in->gravity);
        for (int j = 0; j < d->n; j++) {
            at->w_by[j] = mb_mat_back(g, &link->R, in->w_by[j]);
            at->o_by[j] = mb_mat_back(
                g, &link->R, mb_vec_add(g, in->o_by[j], mb_vec_cross(g, in->w_by[j], link->r)));
        }
    } else if (link->motion != MB_FLOATING) {
        const expr_id *gravity = s->model->gravity;
        at->gravity = mb_mat_back(g, &link->R, (mb_vec){{gravity[0], gravity[1], gravity[2]}});
    }
    own_partials(d, i);
    for (int k = 0; k < link->v_count; k++) { // the base's own velocity is that of the observer
        if (link->motion == MB_FLOATING && k < 3)
            continue;
        const expr_id u = s->v[link->v + k];
        at->w = mb_vec_add(g, at->w, mb_vec_scale(g, u, at->w_by[link->v + k]));
        at->v = mb_vec_add(g, at->v, mb_vec_scale(g, u, at->o_by[link->v + k]));
    }
}

// Mass centre and inertia about it: J = I_o - m (c.c 1 - c c').
static void weigh(derivation *d, int i)
{
    expr_graph *g = d->g;
    const mb_link *link = &d->s->links[i];
    moving *at = &d->links[i];
    at->J = link->inertia;
    at->c = mb_vec_zero();
    at->heavy = link->mass != EXPR_ZERO;
    for (int k = 0; k < 9; k++)
        at->heavy = at->heavy || link->inertia.m[k] != EXPR_ZERO;
    if (link->mass == EXPR_ZERO)
        return;
    at->c = mb_vec_scale(g, expr_div(g, EXPR_ONE, link->mass), link->moment);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            expr_id steiner = expr_mul(g, link->moment.v[j], at->c.v[k]);
            if (j == k)
                steiner = expr_sub(g, steiner, mb_vec_dot(g, link->moment, at->c));
            at->J.m[3 * j + k] = expr_add(g, at->J.m[3 * j + k], steiner);
        }
    for (int j = 0; j < 3; j++) // one node for both halves
        for (int k = 0; k < j; k++)
            at->J.m[3 * j + k] = at->J.m[3 * k + j];
}

static void momenta(derivation *d, int i)
{
    expr_graph *g = d->g;
    const mb_link *link = &d->s->links[i];
    moving *at = &d->links[i];
    at->vc = mb_vec_add(g, at->v, mb_vec_cross(g, at->w, at->c));
    at->h = mb_mat_times(g, &at->J, at->w);
    at->p = mb_vec_scale(g, link->mass, at->vc);
    at->w_rate = vec_along(d->time, at->w);
    at->vc_rate = vec_along(d->time, at->vc);
    for (int j = 0; j < d->n; j++)
        at->c_by[j] = mb_vec_add(g, at->o_by[j], mb_vec_cross(g, at->w_by[j], at->c));
    const char *owner = d->s->model->bodies[link->body].name;
    mb_vec_label(g, owner, "spin", at->w);
    mb_vec_label(g, owner, "velocity", at->vc);
    mb_vec_label(g, owner, "h", at->h);
    mb_vec_label(g, owner, "p", at->p);
}

// ---- equations -------------------------------------------------------------------------------

static expr_id momentum_by(const derivation *d, const moving *at, int j) // T,u_j of one link
{
    return expr_add(d->g, mb_vec_dot(d->g, at->w_by[j], at->h),
                    mb_vec_dot(d->g, at->c_by[j], at->p));
}

static bool moves(const moving *at, int j)
{
    return !mb_vec_is_zero(at->w_by[j]) || !mb_vec_is_zero(at->o_by[j]);
}

// Left side of equation j without accelerations, from one link; and its row of M.
static void add_link(derivation *d, int i, int j)
{
    expr_graph *g = d->g;
    const mb_link *link = &d->s->links[i];
    const moving *at = &d->links[i];
    if (!moves(at, j))
        return;
    mb_vec w = vec_along(d->time, at->w_by[j]), v = vec_along(d->time, at->c_by[j]);
    if (d->along[j]) {
        w = mb_vec_sub(g, w, vec_along(d->along[j], at->w));
        v = mb_vec_sub(g, v, vec_along(d->along[j], at->vc));
    }
    // force of inertia at constant u, less gravity
    const mb_vec f = mb_vec_scale(g, link->mass, mb_vec_sub(g, at->vc_rate, at->gravity));
    const mb_vec turn = mb_mat_times(g, &at->J, at->w_rate);
    expr_id left = mb_vec_dot(g, w, at->h);
    left = expr_add(g, left, mb_vec_dot(g, v, at->p));
    left = expr_add(g, left, mb_vec_dot(g, at->w_by[j], turn));
    left = expr_add(g, left, mb_vec_dot(g, at->c_by[j], f));
    d->right[j] = expr_sub(g, d->right[j], left);
    const mb_vec h_by = mb_mat_times(g, &at->J, at->w_by[j]);
    const mb_vec p_by = mb_vec_scale(g, link->mass, at->c_by[j]);
    for (int k = j; k < d->n; k++) {
        const expr_id entry =
            expr_add(g, mb_vec_dot(g, at->w_by[k], h_by), mb_vec_dot(g, at->c_by[k], p_by));
        d->M[j * d->n + k] = expr_add(g, d->M[j * d->n + k], entry);
    }
}

// A rotor: T = J sigma^2 / 2 with sigma = s' + e . w.
static void add_rotor(derivation *d, const mb_rotor *rotor)
{
    expr_graph *g = d->g;
    expr_id sigma = rotor->rate;
    const moving *at = rotor->link >= 0 ? &d->links[rotor->link] : NULL;
    if (at)
        sigma = expr_add(g, sigma, mb_vec_dot(g, rotor->axis, at->w));
    const expr_id momentum = expr_mul(g, rotor->J, sigma);
    const expr_id turn =
        at ? expr_mul(g, rotor->J, mb_vec_dot(g, rotor->axis, at->w_rate)) : EXPR_ZERO;
    for (int j = 0; j < d->n; j++) {
        const expr_id by = j == rotor->v ? EXPR_ONE
                           : at          ? mb_vec_dot(g, rotor->axis, at->w_by[j])
                                         : EXPR_ZERO;
        mb_vec change = mb_vec_zero();
        if (at) {
            change = vec_along(d->time, at->w_by[j]);
            if (d->along[j])
                change = mb_vec_sub(g, change, vec_along(d->along[j], at->w));
        }
        const expr_id left = expr_add(g, expr_mul(g, mb_vec_dot(g, rotor->axis, change), momentum),
                                      expr_mul(g, by, turn));
        d->right[j] = expr_sub(g, d->right[j], left);
        for (int k = j; k < d->n; k++) {
            const expr_id other = k == rotor->v ? EXPR_ONE
                                  : at          ? mb_vec_dot(g, rotor->axis, at->w_by[k])
                                                : EXPR_ZERO;
            d->M[j * d->n + k] =
                expr_add(g, d->M[j * d->n + k], expr_mul(g, expr_mul(g, rotor->J, by), other));
        }
    }
}

// T,u_j of the whole.
static expr_id system_momentum(const derivation *d, int j)
{
    expr_id sum = EXPR_ZERO;
    for (int i = 0; i < d->s->link_count; i++)
        if (d->links[i].heavy)
            sum = expr_add(d->g, sum, momentum_by(d, &d->links[i], j));
    for (int k = 0; k < d->s->rotor_count; k++) {
        const mb_rotor *rotor = &d->s->rotors[k];
        if (rotor->link < 0)
            continue;
        const moving *at = &d->links[rotor->link];
        const expr_id sigma = expr_add(d->g, rotor->rate, mb_vec_dot(d->g, rotor->axis, at->w));
        sum = expr_add(d->g, sum,
                       expr_mul(d->g, mb_vec_dot(d->g, rotor->axis, at->w_by[j]),
                                expr_mul(d->g, rotor->J, sigma)));
    }
    return sum;
}

// The terms w x T,w and w x T,v of quasi-coordinates.
static void add_quasi_terms(derivation *d, const mb_link *link)
{
    if (link->motion != MB_FLOATING && link->motion != MB_SPHERICAL)
        return;
    expr_graph *g = d->g;
    const int spin = link->v + (link->motion == MB_FLOATING ? 3 : 0);
    const mb_vec w = {{d->s->v[spin], d->s->v[spin + 1], d->s->v[spin + 2]}};
    for (int first = spin;; first = link->v) {
        mb_vec momentum;
        for (int k = 0; k < 3; k++)
            momentum.v[k] = system_momentum(d, first + k);
        const mb_vec term = mb_vec_cross(g, w, momentum);
        for (int k = 0; k < 3; k++)
            d->right[first + k] = expr_sub(g, d->right[first + k], term.v[k]);
        if (first == link->v)
            break;
    }
}

static void add_loads(derivation *d)
{
    expr_graph *g = d->g;
    for (int i = 0; i < d->s->link_count; i++) {
        const mb_link *link = &d->s->links[i];
        const moving *at = &d->links[i];
        const expr_id *tau = &d->loads->tau[link->v];
        mb_vec base = mb_vec_zero();
        if (link->motion == MB_FLOATING)
            base = mb_base_force(d->s, link, tau);
        for (int k = 0; k < link->v_count; k++)
            d->right[link->v + k] =
                expr_add(g, d->right[link->v + k],
                         link->motion == MB_FLOATING && k < 3 ? base.v[k] : tau[k]);
        for (int j = 0; j < d->n; j++) {
            const expr_id power = expr_add(g, mb_vec_dot(g, d->loads->torque[i], at->w_by[j]),
                                           mb_vec_dot(g, d->loads->force[i], at->o_by[j]));
            d->right[j] = expr_add(g, d->right[j], power);
        }
    }
}

// ---- the whole -------------------------------------------------------------------------------

static void free_derivation(derivation *d)
{
    for (int j = 0; d->along && j < d->n; j++)
        expr_direction_destroy(d->along[j]);
    expr_direction_destroy(d->time);
    free(d->along);
    free(d->links);
    free(d->store);
    free(d->M);
    free(d->right);
}

static bool allocate(derivation *d)
{
    const size_t n = (size_t)d->n, count = (size_t)d->s->link_count;
    d->links = calloc(count + 1, sizeof *d->links);
    d->store = calloc(3 * n * count + 1, sizeof *d->store);
    d->along = calloc(n + 1, sizeof(expr_direction *));
    d->M = calloc(n * n + 1, sizeof *d->M);
    d->right = calloc(n + 1, sizeof *d->right);
    if (!d->links || !d->store || !d->along || !d->M || !d->right)
        return false;
    for (size_t i = 0; i < count; i++) {
        d->links[i].w_by = d->store + 3 * n * i;
        d->links[i].o_by = d->links[i].w_by + n;
        d->links[i].c_by = d->links[i].o_by + n;
    }
    return make_directions(d);
}

static void hand_over(derivation *d, const expr_id *x, expr_id *vdot)
{
    memcpy(vdot, x, (size_t)d->n * sizeof *vdot);
    for (int i = 0; i < d->s->link_count; i++) {
        const mb_link *link = &d->s->links[i];
        if (link->motion == MB_FLOATING)
            mb_base_acceleration(d->s, link, (mb_vec){{x[link->v], x[link->v + 1], x[link->v + 2]}},
                                 vdot);
    }
}

static bool keep(derivation *d, mb_lagrange_result *out)
{
    const int count = d->s->link_count;
    out->M = d->M, out->right = d->right;
    d->M = d->right = NULL;
    out->T = calloc((size_t)(6 * count * d->n) + 1, sizeof *out->T);
    if (!out->T)
        return false;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < d->n; j++)
            for (int k = 0; k < 3; k++) {
                out->T[(6 * i + k) * d->n + j] = d->links[i].w_by[j].v[k];
                out->T[(6 * i + 3 + k) * d->n + j] = d->links[i].c_by[j].v[k];
            }
    return true;
}

static void write_equations(derivation *d)
{
    for (int i = 0; i < d->s->link_count; i++) {
        move(d, i);
        weigh(d, i);
        momenta(d, i);
    }
    for (int i = 0; i < d->s->link_count; i++)
        for (int j = 0; d->links[i].heavy && j < d->n; j++)
            add_link(d, i, j);
    for (int k = 0; k < d->s->rotor_count; k++) {
        add_rotor(d, &d->s->rotors[k]);
        const int v = d->s->rotors[k].v;
        d->right[v] = expr_add(d->g, d->right[v], d->loads->tau[v]);
    }
    for (int i = 0; i < d->s->link_count; i++)
        add_quasi_terms(d, &d->s->links[i]);
    add_loads(d);
    for (int j = 0; j < d->n; j++)
        for (int k = 0; k < j; k++)
            d->M[j * d->n + k] = d->M[k * d->n + j];
}

mc_status mb_lagrange_assemble(const mb_links *links, const mb_loads *loads,
                               mb_lagrange_result *out, mc_error *error)
{
    derivation d = {.s = links, .g = links->graph, .loads = loads, .n = links->v_count};
    *out = (mb_lagrange_result){0};
    bool good = allocate(&d);
    if (good) {
        write_equations(&d);
        good = keep(&d, out);
    }
    free_derivation(&d);
    if (good)
        return expr_graph_status(links->graph, error);
    mb_lagrange_free(out);
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equations");
}

mc_status mb_lagrange(const mb_links *links, const mb_loads *loads, expr_id *vdot,
                      mb_lagrange_result *kept, mc_error *error)
{
    derivation d = {.s = links, .g = links->graph, .loads = loads, .n = links->v_count};
    mb_lagrange_result result = {0};
    expr_id *x = malloc(((size_t)d.n + 1) * sizeof *x);
    result.order = calloc((size_t)d.n + 1, sizeof *result.order);
    mc_status status = MC_NO_MEMORY;
    if (x && result.order && allocate(&d)) {
        write_equations(&d);
        status = mb_ldl_solve(d.g, d.n, d.M, d.right, x, result.order, &result.fill, error);
        if (status == MC_OK)
            hand_over(&d, x, vdot);
        if (status == MC_OK && !keep(&d, &result))
            status = MC_NO_MEMORY;
    }
    if (status == MC_NO_MEMORY)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the equations");
    free(x);
    free_derivation(&d);
    if (status == MC_OK && kept)
        *kept = result;
    else
        mb_lagrange_free(&result);
    return status == MC_OK ? expr_graph_status(links->graph, error) : status;
}

void mb_lagrange_free(mb_lagrange_result *r)
{
    free(r->M);
    free(r->right);
    free(r->T);
    free(r->order);
    *r = (mb_lagrange_result){0};
}
