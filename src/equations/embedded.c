// embedded.c - loops solved inside their groups.
//
// Root axes throughout; o is the origin of a link from that of the root. The speeds x of a group
// are the rates of its hinges and prisms, and the three components of the angular velocity of every
// ball's link against the root. Seen from the root, with w the spin and v the velocity of a link's
// origin against it,
//
//   w' = sum of Wp x' + turning      hinge: turning = turning_in + w_in x (axis rate), ball: 0
//   a  = sum of Op x' + going        going = going_in + turning_in x r + w_in x (w_in x r)
//                                            (+ 2 w_in x axis rate: prism)
//
// which is all that the rows need. The true ones follow with the spin W of the root:
//
//   w'_i = w'_root + sum of Wp_i x' + beta_i,   beta = turning + W x w
//   a_i  = a_root + w'_root x o_i + sum of Op_i x' + going + W x (W x o_i + 2 v)
//
// A hinge or prism on the root is moved by its own speed alone, about an axis fixed on the root:
// its forces per acceleration, and its equation, are found once and scaled by X.
//
// The rows A x' + bias = 0 give the dependent x' = X z + x0 from the independent z. A link's forces
// of inertia N = J w' + h x a + W x J W, F = m a + w' x h + W x (W x h), projected on z and on the
// root, leave
//
//   M z + H a_root = tau,      f_root = I a_root + H' z + p
//
// from which z is eliminated. The multipliers follow from the equations of the dependent speeds,
// A_D' lambda = sum of Wp N + Op F - Q.
#include "equations/embedded.h"

#include "equations/embedded_inside.h"

#include <string.h>

// ---- inertia -----------------------------------------------------------------------------------

static mb_mat skew(expr_graph *e, mb_vec h)
{
    return (mb_mat){{EXPR_ZERO, expr_neg(e, h.v[2]), h.v[1], h.v[2], EXPR_ZERO, expr_neg(e, h.v[0]),
                     expr_neg(e, h.v[1]), h.v[0], EXPR_ZERO}};
}

static mb_mat block(const mb_arm *at, int row, int column)
{
    mb_mat m;
    for (int i = 0; i < 9; i++)
        m.m[i] = at->I[row + i / 3][column + i % 3];
    return m;
}

static void add_mat(expr_graph *e, mb_mat *to, const mb_mat *a)
{
    for (int i = 0; i < 9; i++)
        to->m[i] = expr_add(e, to->m[i], a->m[i]);
}

// N = A w' + B a, F = B' w' + C a.
static void forces(expr_graph *e, const embedded_member *m, mb_vec turn, mb_vec a, mb_vec *N,
                   mb_vec *F)
{
    *N = mb_vec_add(e, mb_mat_times(e, &m->A, turn), mb_mat_times(e, &m->B, a));
    *F = mb_vec_add(e, mb_mat_back(e, &m->B, turn), mb_mat_times(e, &m->C, a));
}

// T J T' by columns t of T: with S = J - J_33 1, sym(t1 b1' + t2 b2') + J_33 1 where
// b1 = s11 t1 + 2 s12 t2 + 2 s13 t3, b2 = s22 t2 + 2 s23 t3. The trace stays.
static mb_mat turned_by(expr_graph *e, const mb_mat *T, const mb_mat *J)
{
    const expr_id half = expr_const(e, 0.5);
    const mb_vec t1 = mb_mat_column(T, 0), t2 = mb_mat_column(T, 1), t3 = mb_mat_column(T, 2);
    const expr_id s11 = expr_mul(e, half, expr_sub(e, J->m[0], J->m[8]));
    const expr_id s22 = expr_mul(e, half, expr_sub(e, J->m[4], J->m[8]));
    const mb_vec b1 =
        mb_vec_add(e, mb_vec_scale(e, s11, t1),
                   mb_vec_add(e, mb_vec_scale(e, J->m[1], t2), mb_vec_scale(e, J->m[2], t3)));
    const mb_vec b2 = mb_vec_add(e, mb_vec_scale(e, s22, t2), mb_vec_scale(e, J->m[5], t3));
    mb_mat out;
    for (int i = 0; i < 2; i++) {
        const expr_id one =
            expr_add(e, expr_mul(e, t1.v[i], b1.v[i]), expr_mul(e, t2.v[i], b2.v[i]));
        out.m[4 * i] = expr_add(e, J->m[8], expr_mul(e, expr_const(e, 2.0), one));
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const expr_id one =
            expr_add(e, expr_mul(e, t1.v[i], b1.v[j]), expr_mul(e, t2.v[i], b2.v[j]));
        const expr_id other =
            expr_add(e, expr_mul(e, t1.v[j], b1.v[i]), expr_mul(e, t2.v[j], b2.v[i]));
        out.m[3 * i + j] = out.m[3 * j + i] = expr_add(e, one, other);
    }
    const expr_id trace = expr_add(e, expr_add(e, J->m[0], J->m[4]), J->m[8]);
    out.m[8] = expr_sub(e, expr_sub(e, trace, out.m[0]), out.m[4]);
    return out;
}

// The same for a hinge on the root: `out` in axes that are fixed on the root, but turned by
// constants; of its parts across the axis the trace stays.
static mb_mat turned_again(expr_graph *e, const mb_link *l, const mb_mat *J, const mb_mat *out)
{
    const int a = l->axis, b = (a + 1) % 3, c = (a + 2) % 3;
    const expr_id across = expr_add(e, J->m[4 * b], J->m[4 * c]);
    const expr_id *t = l->turn.m;
    mb_mat turned;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
#define BOTH(p, q)                                                                                 \
    expr_add(e, expr_mul(e, t[3 * i + (p)], t[3 * j + (q)]),                                       \
             expr_mul(e, t[3 * i + (q)], t[3 * j + (p)]))
            const expr_id cc = expr_mul(e, t[3 * i + c], t[3 * j + c]);
            const expr_id bb = expr_mul(e, t[3 * i + b], t[3 * j + b]);
            const expr_id still =
                expr_add(e, expr_mul(e, out->m[4 * a], expr_mul(e, t[3 * i + a], t[3 * j + a])),
                         expr_mul(e, across, cc));
            expr_id sum = expr_add(e, still, expr_mul(e, out->m[4 * b], expr_sub(e, bb, cc)));
            sum = expr_add(e, sum, expr_mul(e, out->m[3 * b + c], BOTH(b, c)));
            sum = expr_add(e, sum, expr_mul(e, out->m[3 * a + b], BOTH(a, b)));
            sum = expr_add(e, sum, expr_mul(e, out->m[3 * a + c], BOTH(a, c)));
            turned.m[3 * i + j] = turned.m[3 * j + i] = sum;
#undef BOTH
        }
    turned.m[8] =
        expr_sub(e, expr_sub(e, expr_add(e, out->m[4 * a], across), turned.m[0]), turned.m[4]);
    return turned;
}

// A member's inertia in root axes; rotation about one axis is cheaper by double angles.
static mb_mat turned_inertia(embedded_work *w, const embedded_member *m, const mb_mat *J)
{
    const mb_link *l = &w->links->links[m->link];
    if (l->motion == MB_SPHERICAL || m->in >= 0)
        return turned_by(w->g, &m->T, J);
    mb_mat out = *J;
    if (l->motion == MB_REVOLUTE)
        out =
            mb_mat_turn_axis(w->g, l->axis, expr_cos(w->g, l->angle), expr_sin(w->g, l->angle), J);
    return mb_mat_is_identity(&l->turn) ? out : turned_again(w->g, l, J, &out);
}

// What hangs on it, from its arm in link axes.
static void add_carried(embedded_work *w, embedded_member *m, const mb_arm *at)
{
    expr_graph *e = w->g;
    const mb_mat A = block(at, 0, 0), B = block(at, 0, 3), C = block(at, 3, 3);
    const mb_mat TA = mb_mat_turn_symmetric(e, &m->T, &A), TB = mb_mat_turn(e, &m->T, &B);
    const mb_mat TC = mb_mat_turn_symmetric(e, &m->T, &C);
    add_mat(e, &m->A, &TA);
    add_mat(e, &m->B, &TB);
    add_mat(e, &m->C, &TC);
    m->n0 = mb_vec_add(e, m->n0, mb_mat_times(e, &m->T, mb_upper(at->p)));
    m->f0 = mb_vec_add(e, m->f0, mb_mat_times(e, &m->T, mb_lower(at->p)));
}

// Their momentum, and the reaction of their drive; see mb_arm_add_rotor.
static void add_rotors(embedded_work *w, const embedded_member *m, mb_vec *momentum, mb_vec *drive)
{
    expr_graph *e = w->g;
    for (int k = 0; k < w->links->rotor_count; k++) {
        const mb_rotor *rotor = &w->links->rotors[k];
        if (rotor->link != m->link)
            continue;
        const mb_vec axis = mb_mat_times(e, &m->T, rotor->axis);
        const expr_id rate = expr_add(e, rotor->rate, mb_vec_dot(e, axis, m->W));
        *momentum = mb_vec_add(e, *momentum, mb_vec_scale(e, expr_mul(e, rotor->J, rate), axis));
        *drive = mb_vec_add(e, *drive, mb_vec_scale(e, w->loads->tau[rotor->v], axis));
    }
}

// Whether a member's origin is fixed on the root: then nothing is cheaper than that point.
static bool is_held(const embedded_group *g, const embedded_member *m)
{
    for (int c = 0; c < g->columns; c++)
        if (!mb_vec_is_zero(m->Op[c]))
            return false;
    return true;
}

// A member's own inertia about its mass centre, or about its origin where that is fixed on the root
// or other links hang on it; loads.
static void weigh(embedded_work *w, const embedded_group *g, embedded_member *m)
{
    expr_graph *e = w->g;
    const mb_link *l = &w->links->links[m->link];
    m->carries = embedded_has_children(w, m->link);
    const bool at_centre = !m->carries && l->mass != EXPR_ZERO && !is_held(g, m);
    mb_mat J = l->inertia;
    mb_vec c = mb_vec_zero();
    if (at_centre) { // J = I_o - m (c.c 1 - c c'), of constants
        c = mb_vec_scale(e, expr_div(e, EXPR_ONE, l->mass), l->moment);
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++) {
                expr_id shift = expr_mul(e, l->moment.v[i], c.v[j]);
                if (i == j)
                    shift = expr_sub(e, shift, mb_vec_dot(e, l->moment, c));
                J.m[3 * i + j] = J.m[3 * j + i] = expr_add(e, J.m[3 * i + j], shift);
            }
    }
    const mb_vec h = at_centre ? mb_vec_zero() : embedded_turned(w, m, l->moment);
    m->A = turned_inertia(w, m, &J);
    m->h = h;
    m->B = skew(e, h);
    m->centre = c;
    m->lever = embedded_turned(w, m, c);
    m->at = mb_vec_add(e, m->o, m->lever);
    for (int i = 0; i < 9; i++)
        m->C.m[i] = i % 4 == 0 ? l->mass : EXPR_ZERO;
    mb_vec momentum = mb_mat_times(e, &m->A, m->W), drive = mb_vec_zero();
    add_rotors(w, m, &momentum, &drive);
    const mb_vec torque = mb_mat_times(e, &m->T, w->loads->torque[m->link]);
    const mb_vec force = mb_mat_times(e, &m->T, w->loads->force[m->link]);
    m->n0 = mb_vec_add(e, mb_vec_cross(e, m->W, momentum), drive);
    m->n0 = mb_vec_sub(e, m->n0, mb_vec_sub(e, torque, mb_vec_cross(e, m->lever, force)));
    m->f0 = mb_vec_neg(e, force);
    if (!mb_vec_is_zero(h))
        m->f0 = mb_vec_add(e, m->f0, mb_vec_cross(e, m->W, mb_vec_cross(e, m->W, h)));
    if (m->carries)
        add_carried(w, m, &w->arms[m->link]);
}

// A hinge or prism on the root: its forces of inertia at zero accelerations, and per acceleration
// of its own speed.
static void project_alone(embedded_work *w, const embedded_group *g, embedded_member *m)
{
    expr_graph *e = w->g;
    const mb_link *l = &w->links->links[m->link];
    const bool turns = l->motion == MB_REVOLUTE;
    const mb_vec a = embedded_bias(w, g, m, m->centre, m->lever);
    mb_vec N, F;
    forces(e, m, m->beta, a, &N, &F);
    N = mb_vec_add(e, N, m->n0);
    F = mb_vec_add(e, F, m->f0);
    m->along = mb_vec_dot(e, m->axis, turns ? N : F);
    forces(e, m, turns ? m->axis : mb_vec_zero(), turns ? mb_vec_zero() : m->axis, &m->per_n,
           &m->per_f);
    m->inertia = mb_vec_dot(e, m->axis, turns ? m->per_n : m->per_f);
    if (!m->carries) // what the rotation leaves as it is
        m->inertia = turns ? l->inertia.m[4 * l->axis] : l->mass;
    if (!m->carries && turns)
        m->per_n = embedded_turned(w, m, mb_mat_column(&l->inertia, l->axis));
    // A prism's force acts along its travel: where it began does as well.
    const mb_vec from = turns || m->carries ? m->at : mb_vec_add(e, l->at, m->lever);
    m->per_n = mb_vec_add(e, m->per_n, mb_vec_cross(e, from, m->per_f));
    const expr_id x0 = g->x0[m->first];
    m->N0 =
        mb_vec_add(e, mb_vec_add(e, N, mb_vec_cross(e, m->at, F)), mb_vec_scale(e, x0, m->per_n));
    m->F0 = mb_vec_add(e, F, mb_vec_scale(e, x0, m->per_f));
}

// Partial velocities by the independents, and what they cost.
static void project_member(embedded_work *w, const embedded_group *g, embedded_member *m)
{
    expr_graph *e = w->g;
    const int f = g->free_count;
    m->Wz = embedded_room(w, f, sizeof *m->Wz), m->Oz = embedded_room(w, f, sizeof *m->Oz);
    m->N = embedded_room(w, f, sizeof *m->N), m->F = embedded_room(w, f, sizeof *m->F);
    if (w->no_memory)
        return;
    mb_vec turn = mb_vec_zero(), a = embedded_bias(w, g, m, m->centre, m->lever);
    for (int c = 0; c < g->columns; c++) {
        for (int i = 0; i < f; i++) {
            const expr_id x = g->X[c * f + i];
            m->Wz[i] = mb_vec_add(e, m->Wz[i], mb_vec_scale(e, x, m->Wp[c]));
            m->Oz[i] = mb_vec_add(e, m->Oz[i], mb_vec_scale(e, x, m->Op[c]));
        }
        turn = mb_vec_add(e, turn, mb_vec_scale(e, g->x0[c], m->Wp[c]));
        a = mb_vec_add(e, a, mb_vec_scale(e, g->x0[c], m->Op[c]));
    }
    for (int i = 0; i < f; i++) {
        m->Oz[i] = mb_vec_add(e, m->Oz[i], mb_vec_cross(e, m->Wz[i], m->lever));
        forces(e, m, m->Wz[i], m->Oz[i], &m->N[i], &m->F[i]);
    }
    a = mb_vec_add(e, a, mb_vec_cross(e, turn, m->lever));
    forces(e, m, mb_vec_add(e, turn, m->beta), a, &m->N0, &m->F0);
    m->N0 = mb_vec_add(e, m->N0, m->n0);
    m->F0 = mb_vec_add(e, m->F0, m->f0);
}

// Forces dual to the group's speeds: those of balls in root axes, of what is inboard of them less
// what the change of speeds takes.
static void find_tau(embedded_work *w, embedded_group *g)
{
    expr_graph *e = w->g;
    for (int k = 0; k < g->count; k++) {
        const embedded_member *m = &g->members[k];
        const mb_link *l = &w->links->links[m->link];
        const expr_id *tau = &w->loads->tau[l->v];
        if (l->motion != MB_SPHERICAL) {
            g->tau[m->first] =
                expr_add(e, g->tau[m->first], l->flipped ? expr_neg(e, tau[0]) : tau[0]);
            continue;
        }
        const mb_vec t = mb_mat_times(e, &m->T, (mb_vec){{tau[0], tau[1], tau[2]}});
        for (int i = 0; i < 3; i++)
            g->tau[m->first + i] = expr_add(e, g->tau[m->first + i], t.v[i]);
        for (int c = 0; m->in >= 0 && c < g->columns; c++)
            g->tau[c] = expr_sub(e, g->tau[c], mb_vec_dot(e, g->members[m->in].Wp[c], t));
    }
}

typedef struct rigid { // about the root's origin
    expr_id mass;
    mb_vec h;
    mb_mat J;
} rigid;

// With k = 2 h + m o: J += (k.o) 1 - (k o' + o k')/2, h += h + m o.
static void add_rigid(embedded_work *w, const embedded_member *m, rigid *whole)
{
    expr_graph *e = w->g;
    const expr_id mass = w->links->links[m->link].mass;
    const mb_vec o = m->at, moved = mb_vec_add(e, m->h, mb_vec_scale(e, mass, o));
    const mb_vec k = mb_vec_add(e, m->h, moved);
    whole->mass = expr_add(e, whole->mass, mass);
    whole->h = mb_vec_add(e, whole->h, moved);
    expr_id square[3];
    for (int i = 0; i < 3; i++)
        square[i] = expr_mul(e, k.v[i], o.v[i]);
    const mb_vec half = mb_vec_scale(e, expr_const(e, 0.5), o);
    const bool at_centre = mb_vec_is_zero(m->h); // k along o: both products are the same
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const expr_id both = at_centre ? expr_mul(e, k.v[i], o.v[j])
                                           : expr_add(e, expr_mul(e, k.v[i], half.v[j]),
                                                      expr_mul(e, k.v[j], half.v[i]));
            const expr_id shift =
                i == j ? expr_add(e, square[(i + 1) % 3], square[(i + 2) % 3]) : expr_neg(e, both);
            whole->J.m[3 * i + j] = whole->J.m[3 * j + i] =
                expr_add(e, whole->J.m[3 * i + j], expr_add(e, m->A.m[3 * i + j], shift));
        }
}

static void assemble_alone(embedded_work *w, embedded_group *g, const embedded_member *m)
{
    expr_graph *e = w->g;
    const int f = g->free_count;
    const expr_id *X = &g->X[m->first * f];
    const expr_id rest = expr_add(e, m->along, expr_mul(e, m->inertia, g->x0[m->first]));
    for (int i = 0; i < f; i++) {
        const expr_id part = expr_mul(e, m->inertia, X[i]);
        for (int j = i; j < f; j++)
            g->M[i * f + j] = g->M[j * f + i] =
                expr_add(e, g->M[i * f + j], expr_mul(e, part, X[j]));
        for (int q = 0; q < 3; q++) {
            expr_id *H = &g->H[i * 6 + q];
            H[0] = expr_add(e, H[0], expr_mul(e, X[i], m->per_n.v[q]));
            H[3] = expr_add(e, H[3], expr_mul(e, X[i], m->per_f.v[q]));
        }
        g->t[i] = expr_sub(e, g->t[i], expr_mul(e, X[i], rest));
    }
}

static void assemble_member(embedded_work *w, embedded_group *g, const embedded_member *m)
{
    expr_graph *e = w->g;
    const int f = g->free_count;
    for (int i = 0; i < f; i++) {
        for (int j = i; j < f; j++) {
            const expr_id entry =
                expr_add(e, mb_vec_dot(e, m->Wz[j], m->N[i]), mb_vec_dot(e, m->Oz[j], m->F[i]));
            g->M[i * f + j] = g->M[j * f + i] = expr_add(e, g->M[i * f + j], entry);
        }
        const mb_vec n = mb_vec_add(e, m->N[i], mb_vec_cross(e, m->at, m->F[i]));
        for (int q = 0; q < 3; q++) {
            g->H[i * 6 + q] = expr_add(e, g->H[i * 6 + q], n.v[q]);
            g->H[i * 6 + 3 + q] = expr_add(e, g->H[i * 6 + 3 + q], m->F[i].v[q]);
        }
        g->t[i] =
            expr_sub(e, g->t[i],
                     expr_add(e, mb_vec_dot(e, m->Wz[i], m->N0), mb_vec_dot(e, m->Oz[i], m->F0)));
    }
}

static void assemble(embedded_work *w, embedded_group *g)
{
    expr_graph *e = w->g;
    const int f = g->free_count;
    for (int i = 0; i < f; i++)
        for (int c = 0; c < g->columns; c++)
            g->t[i] = expr_add(e, g->t[i], expr_mul(e, g->X[c * f + i], g->tau[c]));
    mb_arm *root = g->root >= 0 ? &w->arms[g->root] : NULL;
    rigid whole = {.mass = EXPR_ZERO};
    for (int k = 0; k < g->count; k++) {
        const embedded_member *m = &g->members[k];
        (m->alone ? assemble_alone : assemble_member)(w, g, m);
        if (!root)
            continue;
        if (m->carries || w->links->links[m->link].mass == EXPR_ZERO)
            mb_arm_add_at(e, root, m->at, &m->A, &m->B, &m->C);
        else
            add_rigid(w, m, &whole);
        const mb_vec n = m->alone ? m->N0 : mb_vec_add(e, m->N0, mb_vec_cross(e, m->at, m->F0));
        mb_set6(root->p, mb_vec_add(e, mb_upper(root->p), n),
                mb_vec_add(e, mb_lower(root->p), m->F0));
    }
    if (root) {
        mb_mat C = {{EXPR_ZERO}};
        const mb_mat B = skew(e, whole.h);
        C.m[0] = C.m[4] = C.m[8] = whole.mass;
        mb_arm_add_at(e, root, mb_vec_zero(), &whole.J, &B, &C);
    }
}

// z_i = rest_i - sum over j > i of M_ij/D z_j - H_i/D . a_root
static void eliminate_independents(embedded_work *w, embedded_group *g)
{
    expr_graph *e = w->g;
    const int f = g->free_count;
    mb_arm *root = g->root >= 0 ? &w->arms[g->root] : NULL;
    for (int i = 0; i < f; i++) {
        const expr_id inverse = expr_div(e, EXPR_ONE, g->M[i * f + i]);
        expr_id *share = &g->share[i * (f + 6)];
        for (int j = i + 1; j < f; j++)
            share[j] = expr_mul(e, g->M[i * f + j], inverse);
        for (int q = 0; q < 6; q++)
            share[f + q] = expr_mul(e, g->H[i * 6 + q], inverse);
        g->rest[i] = expr_mul(e, g->t[i], inverse);
        for (int j = i + 1; j < f; j++) {
            if (share[j] == EXPR_ZERO)
                continue;
            for (int k = j; k < f; k++)
                g->M[j * f + k] = g->M[k * f + j] =
                    expr_sub(e, g->M[j * f + k], expr_mul(e, share[j], g->M[i * f + k]));
            for (int q = 0; q < 6; q++)
                g->H[j * 6 + q] =
                    expr_sub(e, g->H[j * 6 + q], expr_mul(e, share[j], g->H[i * 6 + q]));
            g->t[j] = expr_sub(e, g->t[j], expr_mul(e, share[j], g->t[i]));
        }
        for (int q = 0; root && q < 6; q++) {
            for (int p = q; p < 6; p++)
                root->I[q][p] = root->I[p][q] =
                    expr_sub(e, root->I[q][p], expr_mul(e, share[f + q], g->H[i * 6 + p]));
            root->p[q] = expr_add(e, root->p[q], expr_mul(e, share[f + q], g->t[i]));
        }
    }
}

// ---- outwards ----------------------------------------------------------------------------------

static void root_acceleration(const embedded_work *w, const embedded_group *g, expr_id a[6])
{
    if (g->root >= 0) {
        memcpy(a, w->arms[g->root].a, 6 * sizeof *a);
        return;
    }
    const expr_id *gravity = w->s->model->gravity; // the ground accelerates against it
    mb_set6(a, mb_vec_zero(), mb_vec_neg(w->g, (mb_vec){{gravity[0], gravity[1], gravity[2]}}));
}

// Forces of inertia dual to the dependent speeds.
static void add_inertia_of(embedded_work *w, const embedded_group *g, const embedded_member *at,
                           const expr_id a[6], const expr_id *z, const expr_id *x, expr_id *R)
{
    expr_graph *e = w->g;
    if (at->alone) {
        const expr_id by_root = expr_add(e, mb_vec_dot(e, at->per_n, mb_upper(a)),
                                         mb_vec_dot(e, at->per_f, mb_lower(a)));
        const expr_id own = expr_add(e, at->along, expr_mul(e, at->inertia, x[at->first]));
        R[at->first] = expr_add(e, R[at->first], expr_add(e, by_root, own));
        return;
    }
    const mb_vec shifted = mb_vec_add(e, mb_lower(a), mb_vec_cross(e, mb_upper(a), at->at));
    mb_vec N, F;
    forces(e, at, mb_upper(a), shifted, &N, &F);
    N = mb_vec_add(e, N, at->N0);
    F = mb_vec_add(e, F, at->F0);
    for (int i = 0; i < g->free_count; i++) {
        N = mb_vec_add(e, N, mb_vec_scale(e, z[i], at->N[i]));
        F = mb_vec_add(e, F, mb_vec_scale(e, z[i], at->F[i]));
    }
    if (!at->carries && mb_vec_is_zero(at->h))
        N = mb_vec_add(e, mb_mat_times(e, &at->A, at->turn), at->n0);
    N = mb_vec_add(e, N, mb_vec_cross(e, at->lever, F));
    for (int s = 0; s < g->rows; s++) {
        const int c = g->pivot_column[s];
        R[c] = expr_add(e, R[c],
                        expr_add(e, mb_vec_dot(e, at->Wp[c], N), mb_vec_dot(e, at->Op[c], F)));
    }
}

static void find_lambda(embedded_work *w, embedded_group *g, const expr_id a[6], const expr_id *z,
                        const expr_id *x, expr_id *lambda)
{
    expr_graph *e = w->g;
    const int m = g->rows;
    expr_id *R = embedded_room(w, g->columns, sizeof *R);
    if (w->no_memory)
        return;
    for (int k = 0; k < g->count; k++)
        add_inertia_of(w, g, &g->members[k], a, z, x, R);
    // With the rows eliminated, U = A after elimination: U_D' mu = R_D - Q_D, lambda = L^-T mu.
    expr_id mu[m + 1];
    for (int s = 0; s < m; s++) {
        const int c = g->pivot_column[s];
        expr_id sum = expr_sub(e, R[c], g->tau[c]);
        for (int t = 0; t < s; t++)
            sum = expr_sub(e, sum, expr_mul(e, g->A[g->pivot_row[t] * g->columns + c], mu[t]));
        mu[s] = expr_mul(e, sum, g->inverse[s]);
    }
    for (int s = m; s-- > 0;) // row r was reduced by f times row of step s
        for (int t = s + 1; t < m; t++)
            mu[s] = expr_sub(e, mu[s], expr_mul(e, g->factor[g->pivot_row[t] * m + s], mu[t]));
    for (int s = 0; s < m; s++)
        lambda[g->row[g->pivot_row[s]]] = mu[s];
}

static void accelerate_group(embedded_work *w, embedded_group *g, expr_id *vdot, expr_id *lambda)
{
    expr_graph *e = w->g;
    const int f = g->free_count;
    expr_id a[6], *z = embedded_room(w, f, sizeof *z), *x = embedded_room(w, g->columns, sizeof *x);
    if (w->no_memory)
        return;
    root_acceleration(w, g, a);
    for (int i = f; i-- > 0;) {
        const expr_id *share = &g->share[i * (f + 6)];
        z[i] = g->rest[i];
        for (int j = i + 1; j < f; j++)
            z[i] = expr_sub(e, z[i], expr_mul(e, share[j], z[j]));
        for (int q = 0; q < 6; q++)
            z[i] = expr_sub(e, z[i], expr_mul(e, share[f + q], a[q]));
    }
    for (int c = 0; c < g->columns; c++) {
        x[c] = g->x0[c];
        for (int i = 0; i < f; i++)
            x[c] = expr_add(e, x[c], expr_mul(e, g->X[c * f + i], z[i]));
    }
    for (int k = 0; k < g->count; k++) {
        embedded_member *m = &g->members[k];
        const mb_link *l = &w->links->links[m->link];
        mb_vec turn = mb_vec_add(e, mb_upper(a), m->beta); // its true angular acceleration
        for (int c = 0; c < g->columns; c++)
            turn = mb_vec_add(e, turn, mb_vec_scale(e, x[c], m->Wp[c]));
        m->turn = turn;
        if (l->motion == MB_SPHERICAL) {
            // w - w_in in link axes, which turn by w against the root
            const embedded_member *in = m->in >= 0 ? &g->members[m->in] : NULL;
            mb_vec rate = {{x[m->first], x[m->first + 1], x[m->first + 2]}};
            if (in) {
                rate =
                    mb_vec_add(e, mb_vec_sub(e, rate, in->turning), mb_vec_cross(e, m->w, in->w));
                for (int c = 0; c < g->columns; c++)
                    rate = mb_vec_sub(e, rate, mb_vec_scale(e, x[c], in->Wp[c]));
            }
            const mb_vec own = mb_mat_back(e, &m->T, rate);
            memcpy(&vdot[l->v], own.v, sizeof own.v);
        } else {
            vdot[l->v] = l->flipped ? expr_neg(e, x[m->first]) : x[m->first];
        }
        mb_arm *arm = &w->arms[m->link];
        mb_set6(arm->a, mb_mat_back(e, &m->T, turn), mb_vec_zero());
        if (!embedded_has_children(w, m->link))
            continue;
        mb_vec origin = mb_vec_add(e, mb_lower(a), mb_vec_cross(e, mb_upper(a), m->o));
        origin = mb_vec_add(e, origin, embedded_bias(w, g, m, mb_vec_zero(), mb_vec_zero()));
        for (int c = 0; c < g->columns; c++)
            origin = mb_vec_add(e, origin, mb_vec_scale(e, x[c], m->Op[c]));
        mb_set6(arm->a, mb_mat_back(e, &m->T, turn), mb_mat_back(e, &m->T, origin));
    }
    find_lambda(w, g, a, z, x, lambda);
}

// ---- the whole ---------------------------------------------------------------------------------

static void inwards(embedded_work *w)
{
    for (int i = 0; i < w->links->link_count; i++)
        if (w->of[i] < 0)
            mb_arm_start(w->links, w->loads, &w->arms[i], i);
    for (int k = 0; k < w->links->rotor_count; k++) {
        const mb_rotor *rotor = &w->links->rotors[k];
        if (rotor->link >= 0 && w->of[rotor->link] < 0)
            mb_arm_add_rotor(w->links, w->loads, w->arms, rotor);
    }
    for (int i = w->links->link_count; i-- > 0 && !w->no_memory;) {
        if (w->of[i] < 0) {
            mb_arm_eliminate(w->links, w->loads, &w->arms[i], i);
            if (w->links->links[i].inboard >= 0)
                mb_arm_pass_in(w->links, w->arms, i);
            continue;
        }
        embedded_group *g = &w->groups[w->of[i]];
        if (g->members[0].link != i) // all that hangs on its links has been passed in by then
            continue;
        for (int k = 0; k < g->count; k++)
            weigh(w, g, &g->members[k]);
        find_tau(w, g);
        for (int k = 0; k < g->count && !w->no_memory; k++)
            (g->members[k].alone ? project_alone : project_member)(w, g, &g->members[k]);
        if (!w->no_memory) {
            assemble(w, g);
            eliminate_independents(w, g);
        }
    }
}

static void outwards(embedded_work *w, expr_id *vdot, expr_id *lambda)
{
    for (int i = 0; i < w->links->link_count && !w->no_memory; i++) {
        if (w->of[i] < 0)
            mb_arm_accelerate(w->links, w->arms, i, vdot);
        else if (w->groups[w->of[i]].members[0].link == i)
            accelerate_group(w, &w->groups[w->of[i]], vdot, lambda);
    }
    for (int k = 0; k < w->links->rotor_count; k++) {
        const mb_rotor *rotor = &w->links->rotors[k];
        const mb_vec spin = rotor->link >= 0 ? mb_upper(w->arms[rotor->link].a) : mb_vec_zero();
        vdot[rotor->v] = expr_sub(w->g, expr_div(w->g, w->loads->tau[rotor->v], rotor->J),
                                  mb_vec_dot(w->g, rotor->axis, spin));
    }
}

// Pivots of the rows as lengths: what is left of a row, and what it was at the start of the
// elimination.
static void keep_pivots(embedded_work *w, mb_pivot *pivot)
{
    for (int k = 0; k < w->group_count; k++) {
        const embedded_group *g = &w->groups[k];
        for (int s = 0; s < g->rows; s++) {
            const expr_id a =
                expr_square(w->g, g->A[g->pivot_row[s] * g->columns + g->pivot_column[s]]);
            pivot[g->row[g->pivot_row[s]]] = (mb_pivot){a, a};
        }
    }
}

mc_status mb_embedded(const mb_system *s, const mb_loads *loads, expr_id *vdot, expr_id *lambda,
                      mb_pivot *pivot, bool *possible, mc_error *error)
{
    embedded_work w = {.s = s, .links = &s->links, .loads = loads, .g = s->graph, .error = error};
    *possible = false;
    if (s->model->constraint_count > 0)
        return MC_OK;
    for (int k = 0; k < s->model->closing_count; k++)
        if (s->model->closings[k].from.body >= 0 &&
            s->links.bodies[s->model->closings[k].from.body].rotor >= 0)
            return MC_OK;
    w.arms = embedded_room(&w, s->links.link_count, sizeof *w.arms);
    if (!w.no_memory) {
        mb_arms_count_uses(&s->links, w.arms);
        embedded_make_groups(&w);
    }
    if (!w.no_memory && !w.impossible)
        embedded_move_all(&w);
    if (!w.no_memory && !w.impossible)
        embedded_close_all(&w);
    if (!w.no_memory && !w.impossible) {
        inwards(&w);
        outwards(&w, vdot, lambda);
        keep_pivots(&w, pivot);
    }
    *possible = !w.no_memory && !w.impossible;
    const bool full = w.no_memory;
    arena_free(&w.memory);
    return full ? mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the loops")
                : expr_graph_status(s->graph, error);
}
