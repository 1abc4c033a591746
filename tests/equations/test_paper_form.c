// test_paper_form.c - both forms of the equations against Lagrange's equations by brute force:
// T(q, q') and V(q) written down in true coordinates, differentiated, solved (support/brute.h).
//
// Every kind of joint, all twelve sequences of Euler angles, quasi-velocities, rotors, and general
// hinges with any of their coordinates held.
#include "num/vec3.h"
#include "support/brute.h"
#include "support/derived.h"
#include "support/tree_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long seed_type;

static const mb_form forms[2] = {MB_FORM_LAGRANGE, MB_FORM_RECURSIVE};
static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const double gravity[3] = {0.4, -0.7, -9.81};

// ---- mechanisms --------------------------------------------------------------------------------

// A tree, how its free base is described, and at most one general hinge (a fixed body of the tree).
typedef struct mechanism {
    tree t;
    bool euler, quasi;
    int sequence[3]; // of the base
    int general;     // body, -1: none
    bool free[6];
    double held[6];
    int turns[3]; // sequence of the general hinge
} mechanism;

static void random_body(tree_body *b, seed_type *seed, int parent, tree_joint joint)
{
    *b = (tree_body){.parent = parent, .joint = joint, .mass = tree_uniform(seed, 0.5, 2.0)};
    double square = 0.0, spread[3], length = 0.0;
    for (int k = 0; k < 4; k++) {
        b->r0[k] = tree_uniform(seed, -1.0, 1.0);
        square += b->r0[k] * b->r0[k];
    }
    for (int k = 0; k < 4; k++)
        b->r0[k] /= sqrt(square);
    for (int k = 0; k < 3; k++) {
        b->p[k] = tree_uniform(seed, -0.8, 0.8);
        b->com[k] = tree_uniform(seed, -0.5, 0.5);
        b->axis[k] = tree_uniform(seed, -1.0, 1.0);
        spread[k] = tree_uniform(seed, 0.05, 0.2);
        b->inertia[3 + k] = tree_uniform(seed, -0.02, 0.02);
        length += b->axis[k] * b->axis[k];
    }
    for (int k = 0; k < 3; k++) {
        b->inertia[k] = spread[(k + 1) % 3] + spread[(k + 2) % 3];
        b->axis[k] /= sqrt(length);
    }
}

static mechanism make(seed_type seed, const char *joints, const int *parents)
{
    static const char letters[] = "fxhpbg"; // free, fixed, hinge, prism, ball, general
    mechanism m = {.general = -1, .sequence = {2, 1, 0}, .turns = {0, 1, 2}};
    snprintf(m.t.name, sizeof m.t.name, "%s", joints);
    memcpy(m.t.gravity, gravity, sizeof gravity);
    for (int i = 0; joints[i]; i++) {
        tree_joint joint = (tree_joint)(strchr(letters, joints[i]) - letters);
        if (joints[i] == 'g') {
            m.general = i;
            joint = TREE_FIXED;
        }
        random_body(&m.t.body[i], &seed, parents[i], joint);
        snprintf(m.t.body[i].name, sizeof m.t.body[i].name, "b%d", i);
        m.t.body_count++;
    }
    return m;
}

static void derive(derived *d, const mechanism *m, mb_form form)
{
    *d = (derived){0};
    tree_to_model(&m->t, false, &d->model);
    for (int i = 0; i < m->t.body_count; i++) {
        mb_body *body = &d->model.bodies[i];
        if (body->joint == MB_FREE) {
            body->euler = m->euler;
            body->quasi_velocity = m->quasi;
            memcpy(body->sequence, m->sequence, sizeof body->sequence);
            if (m->euler) // a start that is not singular
                memcpy(body->start_q, (double[7]){0, 0, 0, 0.3, 0.7, 0.2}, sizeof body->start_q);
        }
        if (i == m->general) {
            body->joint = MB_GENERAL;
            memcpy(body->sequence, m->turns, sizeof body->sequence);
            memcpy(body->free, m->free, sizeof body->free);
            for (int k = 0; k < 6; k++) {
                body->held[k] = m->free[k] ? EXPR_ZERO : expr_const(d->model.graph, m->held[k]);
                body->start_q[k] = 0.5;
            }
        }
    }
    derived_make(d, form);
}

// ---- the same by brute force -------------------------------------------------------------------

typedef struct oracle {
    brute b;
    brute_frame turned[TREE_BODY_MAX]; // of a free or ball joint: its own rotation alone
} oracle;

static brute_frame euler_turn(brute *b, brute_frame f, const int sequence[3], const expr_id *angle)
{
    for (int k = 0; k < 3; k++)
        f = brute_turn(b, f, axes[sequence[k]], angle[k]);
    return f;
}

static brute_frame oracle_free(oracle *o, const mechanism *m, int i, const expr_id *q)
{
    brute *b = &o->b;
    brute_frame f = brute_ground();
    for (int k = 0; k < 3; k++)
        f = brute_slide(b, f, axes[k], q[k]);
    f = euler_turn(b, f, m->sequence, q + 3);
    o->turned[i] = f;
    if (!m->quasi)
        brute_observe_origin(b, &f);
    for (int k = 0; m->quasi && k < 3; k++) {
        expr_id sum = EXPR_ZERO;
        for (int j = 0; j < 3; j++)
            sum = expr_add(b->g, sum, expr_mul(b->g, f.R[3 * j + k], expr_along(b->rate, f.r[j])));
        brute_observe(b, sum);
    }
    brute_observe_spin(b, NULL, &f);
    return f;
}

static brute_frame oracle_general(brute *b, const mechanism *m, brute_frame f, int *c)
{
    for (int k = 0; k < 6; k++) {
        const expr_id value = m->free[k] ? b->q[*c] : expr_const(b->g, m->held[k]);
        f = k < 3 ? brute_slide(b, f, axes[k], value)
                  : brute_turn(b, f, axes[m->turns[k - 3]], value);
        if (m->free[k])
            brute_observe(b, b->qd[(*c)++]);
    }
    return f;
}

static const int ball_sequence[3] = {0, 1, 2};

static void oracle_make(oracle *o, const mechanism *m)
{
    const tree *t = &m->t;
    brute *b = &o->b;
    brute_frame at[TREE_BODY_MAX];
    bool still[TREE_BODY_MAX]; // part of the ground: its weight does no work and is not counted
    int n = tree_nv(t), c = 0;
    for (int k = 0; m->general >= 0 && k < 6; k++)
        n += m->free[k];
    brute_begin(b, n, t->gravity);
    for (int i = 0; i < t->body_count; i++) {
        const tree_body *body = &t->body[i];
        brute_frame f = body->parent < 0 ? brute_ground() : at[body->parent];
        f = brute_orient(b, brute_move(b, f, body->p), body->r0);
        const brute_frame joint = f;
        if (body->joint == TREE_FREE) {
            f = oracle_free(o, m, i, b->q + c);
            c += 6;
        } else if (body->joint == TREE_BALL) {
            o->turned[i] = euler_turn(b, brute_ground(), ball_sequence, b->q + c);
            f = euler_turn(b, f, ball_sequence, b->q + c);
            brute_observe_spin(b, &joint, &f);
            c += 3;
        } else if (body->joint == TREE_HINGE || body->joint == TREE_PRISM) {
            f = body->joint == TREE_HINGE ? brute_turn(b, f, body->axis, b->q[c])
                                          : brute_slide(b, f, body->axis, b->q[c]);
            brute_observe(b, b->qd[c++]);
        } else if (i == m->general) {
            f = oracle_general(b, m, f, &c);
        }
        still[i] = body->joint == TREE_FIXED && i != m->general &&
                   (body->parent < 0 || still[body->parent]);
        if (!still[i])
            brute_body(b, &f, body->mass, body->com, body->inertia);
        at[i] = f;
    }
    assert_int_equal(c, n);
}

// Unit quaternion of a rotation matrix.
static void quaternion_of(const double R[9], double q[4])
{
    const double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8],
                              1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8]};
    const double odd[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    const double even[3] = {R[5] + R[7], R[2] + R[6], R[1] + R[3]}; // yz, xz, xy
    int best = 0;
    for (int k = 1; k < 4; k++)
        best = square[k] > square[best] ? k : best;
    const double s = 2.0 * sqrt(square[best]);
    q[best] = 0.25 * s;
    for (int k = 0; k < 3; k++)
        if (best == 0)
            q[1 + k] = odd[k] / s;
        else if (k == best - 1)
            q[0] = odd[k] / s;
        else
            q[1 + k] = even[3 - k - (best - 1)] / s;
}

// Coordinates of the derived model at the brute coordinates q.
static void coordinates(oracle *o, const mechanism *m, const double *q, double *out)
{
    const tree *t = &m->t;
    double R[9];
    for (int i = 0, c = 0; i < t->body_count; i++) {
        const tree_joint joint = t->body[i].joint;
        int count = tree_joint_nv(joint);
        for (int k = 0; i == m->general && k < 6; k++)
            count += m->free[k];
        const bool turns = joint == TREE_BALL || (joint == TREE_FREE && !m->euler);
        const int plain = joint == TREE_BALL ? 0 : joint == TREE_FREE && !m->euler ? 3 : count;
        memcpy(out, q + c, (size_t)plain * sizeof *q);
        out += plain;
        if (turns) {
            brute_rotation(&o->b, &o->turned[i], q, R);
            quaternion_of(R, out);
            out += 4;
        }
        c += count;
    }
}

// ---- comparison --------------------------------------------------------------------------------

// Worst component, each by its own size but not less than 1e-3 of the largest.
static double worst_component(const double *got, const double *want, int n)
{
    double max = 0.0, worst = 0.0;
    for (int i = 0; i < n; i++)
        max = fmax(max, fabs(want[i]));
    for (int i = 0; i < n; i++) {
        const double e = fabs(got[i] - want[i]) / fmax(fabs(want[i]), fmax(1e-3 * max, 1e-300));
        worst = isnan(e) ? (double)INFINITY : fmax(worst, e);
    }
    return worst;
}

// Coordinates away from the singular angles of every sequence, velocities and forces of order 1.
static void random_state(seed_type *seed, int n, double *q, double *qd, double *tau)
{
    for (int i = 0; i < n; i++) {
        q[i] = tree_uniform(seed, 0.4, 1.1) * (tree_uniform(seed, -1.0, 1.0) < 0.0 ? -1.0 : 1.0);
        qd[i] = tree_uniform(seed, -2.0, 2.0);
        tau[i] = tree_uniform(seed, -5.0, 5.0);
    }
}

// q' of the model at the state: the brute q' where coordinates are the same; for quaternions
// 2 p* p' = (0, w).
static double rate_error(const mechanism *m, const double *q, const double *dq, const double *qd,
                         const double *v)
{
    double worst = 0.0;
    for (int i = 0; i < m->t.body_count; i++) {
        const tree_joint joint = m->t.body[i].joint;
        int nv = tree_joint_nv(joint);
        for (int k = 0; i == m->general && k < 6; k++)
            nv += m->free[k];
        const bool turns = joint == TREE_BALL || (joint == TREE_FREE && !m->euler);
        const int plain = joint == TREE_BALL ? 0 : joint == TREE_FREE && !m->euler ? 3 : nv;
        worst = fmax(worst, worst_component(dq, qd, plain));
        if (turns) {
            const double *p = q + plain, *d = dq + plain, *w = v + plain;
            const double got[4] = {p[0] * d[0] + p[1] * d[1] + p[2] * d[2] + p[3] * d[3],
                                   p[0] * d[1] - p[1] * d[0] - p[2] * d[3] + p[3] * d[2],
                                   p[0] * d[2] - p[2] * d[0] - p[3] * d[1] + p[1] * d[3],
                                   p[0] * d[3] - p[3] * d[0] - p[1] * d[2] + p[2] * d[1]};
            const double want[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
            worst = fmax(worst, worst_component(got, want, 4));
        }
        q += plain + 4 * turns, dq += plain + 4 * turns;
        qd += nv, v += nv;
    }
    return worst;
}

typedef struct agreement {
    double forward, with_rate, rate, energy;
    int states;
} agreement;

static double energy_error(derived *d, oracle *o, const double *q, const double *qd)
{
    quad input[3 * BRUTE_MAX] = {0};
    for (int i = 0; i < o->b.n; i++)
        input[3 * i] = q[i], input[3 * i + 1] = qd[i];
    const double want[2] = {(double)graph_value_quad(o->b.g, o->b.T, input),
                            (double)graph_value_quad(o->b.g, o->b.V, input)};
    const expr_id nodes[2] = {d->system.kinetic, d->system.potential};
    double got[2];
    derived_values(d, nodes, 2, got);
    return worst_component(got, want, 2);
}

static void compare(const mechanism *m, int states, agreement *worst)
{
    oracle o = {0};
    oracle_make(&o, m);
    const int n = o.b.n;
    for (int form = 0; form < 2; form++) {
        derived d;
        derive(&d, m, forms[form]);
        const mb_system *s = &d.system;
        assert_int_equal(s->v_count, n);
        seed_type seed = 77;
        for (int i = 0; i < states; i++) {
            double q[BRUTE_MAX], qd[BRUTE_MAX], tau[BRUTE_MAX], v[BRUTE_MAX], want[BRUTE_MAX];
            double got[BRUTE_MAX], dy[3 * BRUTE_MAX];
            random_state(&seed, n, q, qd, tau);
            brute_solve(&o.b, q, qd, tau, v, want);
            coordinates(&o, m, q, d.x);
            memcpy(d.x + s->q_count, v, (size_t)n * sizeof *v);
            memcpy(d.x + mb_at_tau(s), tau, (size_t)n * sizeof *tau);
            derived_forward(&d, got);
            derived_rate(&d, dy);
            worst->forward = fmax(worst->forward, worst_component(got, want, n));
            worst->with_rate = fmax(worst->with_rate, worst_component(dy + s->q_count, want, n));
            worst->rate = fmax(worst->rate, rate_error(m, d.x, dy, qd, v));
            worst->energy = fmax(worst->energy, energy_error(&d, &o, q, qd));
            worst->states++;
        }
        derived_free(&d);
    }
    brute_end(&o.b);
}

static void print_and_check(const char *name, const agreement *worst)
{
    print_message("%s, %d states: accelerations %.1e, of y' %.1e, q' %.1e, energies %.1e\n", name,
                  worst->states, worst->forward, worst->with_rate, worst->rate, worst->energy);
    assert_true(worst->states > 0);
    assert_true(worst->forward < 1e-11);
    assert_true(worst->with_rate < 1e-11);
    assert_true(worst->rate < 1e-12);
    assert_true(worst->energy < 1e-12);
}

// ---- tests -------------------------------------------------------------------------------------

static void joints_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        const char *joints;
        int parents[4];
    } rows[] = {
        {"f", {-1}},          {"h", {-1}},         {"p", {-1}},         {"b", {-1}},
        {"fh", {-1, 0}},      {"pb", {-1, 0}},     {"hb", {-1, 0}},     {"bp", {-1, 0}},
        {"hhh", {-1, 0, 1}},  {"fhp", {-1, 0, 0}}, {"fxh", {-1, 0, 1}}, {"xhxh", {-1, 0, 1, 2}},
        {"bb", {-1, 0}},      {"php", {-1, 0, 1}}, {"fb", {-1, 0}},     {"hf", {-1, -1}},
        {"hhp", {-1, -1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        agreement worst = {0};
        const mechanism m = make(100 + i, rows[i].joints, rows[i].parents);
        compare(&m, 4, &worst);
        print_and_check(rows[i].joints, &worst);
    }
}

// The plane double pendulum, whose equations are in every textbook: rods of length l and mass m
// with angles from the vertical a, a + b.
static void double_pendulum_of_textbooks(void **state)
{
    (void)state;
    const double l1 = 1.1, l2 = 0.7, m1 = 1.3, m2 = 0.8, g = 9.81;
    tree t = {.name = "double", .gravity = {0, 0, -g}, .body_count = 2};
    for (int i = 0; i < 2; i++) {
        const double l = i ? l2 : l1, mass = i ? m2 : m1;
        t.body[i] = (tree_body){.parent = i - 1,
                                .joint = TREE_HINGE,
                                .p = {0, 0, i ? -l1 : 0},
                                .r0 = {1},
                                .axis = {0, 1, 0},
                                .mass = mass,
                                .com = {0, 0, -l / 2},
                                .inertia = {mass * l * l / 12, mass * l * l / 12, 1e-6}};
        snprintf(t.body[i].name, sizeof t.body[i].name, "rod%d", i);
    }
    seed_type seed = 5;
    for (int i = 0; i < 40; i++) {
        const double a = tree_uniform(&seed, -3, 3), b = tree_uniform(&seed, -3, 3);
        const double u = tree_uniform(&seed, -2, 2), v = tree_uniform(&seed, -2, 2), w = u + v;
        // In absolute angles a and c = a + b, with e = m2 l1 l2 / 2.
        const double e = 0.5 * m2 * l1 * l2, A = (m1 / 3 + m2) * l1 * l1, C = m2 * l2 * l2 / 3;
        const double f1 = e * sin(b) * w * w - (m1 / 2 + m2) * g * l1 * sin(a);
        const double f2 = -e * sin(b) * u * u - m2 / 2 * g * l2 * sin(a + b);
        const double E = e * cos(b), det = A * C - E * E;
        const double aa = (C * f1 - E * f2) / det, cc = (A * f2 - E * f1) / det;
        const double want[2] = {aa, cc - aa};
        for (int form = 0; form < 2; form++) {
            derived d = {0};
            double got[2];
            tree_to_model(&t, false, &d.model);
            derived_make(&d, forms[form]);
            memcpy(d.x, (double[4]){a, b, u, v}, 4 * sizeof *d.x);
            derived_forward(&d, got);
            assert_true(worst_component(got, want, 2) < 1e-11);
            derived_free(&d);
        }
    }
}

static const int sequences[12][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0},
                                     {2, 0, 1}, {2, 1, 0}, {0, 1, 0}, {0, 2, 0},
                                     {1, 0, 1}, {1, 2, 1}, {2, 0, 2}, {2, 1, 2}};

static void every_euler_sequence(void **state)
{
    (void)state;
    agreement worst = {0};
    for (int k = 0; k < 12; k++)
        for (int quasi = 0; quasi < 2; quasi++) {
            mechanism m = make(7, "fh", (int[]){-1, 0});
            m.euler = true;
            m.quasi = quasi;
            memcpy(m.sequence, sequences[k], sizeof m.sequence);
            compare(&m, 3, &worst);
        }
    print_and_check("free base with Euler angles", &worst);
}

static void quasi_velocities_with_a_quaternion(void **state)
{
    (void)state;
    agreement worst = {0};
    mechanism m = make(8, "fh", (int[]){-1, 0});
    m.quasi = true;
    compare(&m, 10, &worst);
    print_and_check("velocity in body axes", &worst);
}

static void rotation_of(const int sequence[3], const double angle[3], double R[9])
{
    double quaternion[4] = {1, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double c = cos(angle[k] / 2), s = sin(angle[k] / 2), *p = quaternion;
        const double *a = axes[sequence[k]];
        const double next[4] = {
            p[0] * c - s * (p[1] * a[0] + p[2] * a[1] + p[3] * a[2]),
            p[1] * c + s * (p[0] * a[0] + p[2] * a[2] - p[3] * a[1]),
            p[2] * c + s * (p[0] * a[1] + p[3] * a[0] - p[1] * a[2]),
            p[3] * c + s * (p[0] * a[2] + p[1] * a[1] - p[2] * a[0]),
        };
        memcpy(quaternion, next, sizeof next);
    }
    tree_rotation(quaternion, R);
}

// dR/dt by differences along the angles' rates, against R times the spin as a skew matrix.
static double turn_error(const int sequence[3], const double *angle, const double *rate,
                         const double w[3])
{
    static const double weight[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    static const double step[4] = {-2, -1, 1, 2};
    const double h = 1e-3, skew[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    double R[9], dot[9] = {0}, worst = 0.0;
    for (int s = 0; s < 4; s++) {
        double moved[3];
        for (int k = 0; k < 3; k++)
            moved[k] = angle[k] + step[s] * h * rate[k];
        rotation_of(sequence, moved, R);
        for (int k = 0; k < 9; k++)
            dot[k] += weight[s] * R[k] / h;
    }
    rotation_of(sequence, angle, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += R[3 * i + k] * skew[3 * k + j];
            worst = fmax(worst, fabs(sum - dot[3 * i + j]));
        }
    return worst;
}

// At the same place, orientation and motion, a base in Euler angles accelerates as one with a
// quaternion; nothing but the coordinates differs.
static void euler_and_quaternion_are_one_motion(void **state)
{
    (void)state;
    const int parents[4] = {-1, 0, 1, 0};
    const mechanism plain = make(12, "fhph", parents);
    double worst = 0.0, worst_turn = 0.0;
    for (int form = 0; form < 2; form++) {
        derived whole;
        derive(&whole, &plain, forms[form]);
        for (int k = 0; k < 12; k++) {
            mechanism m = plain;
            m.euler = true;
            memcpy(m.sequence, sequences[k], sizeof m.sequence);
            derived d;
            derive(&d, &m, forms[form]);
            seed_type seed = 40 + (seed_type)k;
            for (int i = 0; i < 5; i++) {
                double q[9], qd[9], tau[9], R[9], one[9], two[9], dy[18];
                random_state(&seed, 9, q, qd, tau);
                rotation_of(m.sequence, q + 3, R);
                memcpy(whole.x, q, 3 * sizeof *q);
                quaternion_of(R, whole.x + 3);
                memcpy(whole.x + 7, q + 6, 3 * sizeof *q);
                memcpy(whole.x + 10, qd, 9 * sizeof *qd);
                memcpy(whole.x + mb_at_tau(&whole.system), tau, sizeof tau);
                memcpy(d.x, q, sizeof q);
                memcpy(d.x + 9, qd, sizeof qd);
                memcpy(d.x + mb_at_tau(&d.system), tau, sizeof tau);
                derived_forward(&whole, one);
                derived_forward(&d, two);
                derived_rate(&d, dy);
                worst = fmax(worst, worst_component(two, one, 9));
                worst_turn = fmax(worst_turn, turn_error(m.sequence, q + 3, dy + 3, qd + 3));
            }
            derived_free(&d);
        }
        derived_free(&whole);
    }
    print_message("Euler angles against quaternion: %.1e, dR/dt %.1e\n", worst, worst_turn);
    assert_true(worst < 1e-11);
    assert_true(worst_turn < 1e-9);
}

// A wheel on an arm on a free base, told to be round or not.
static void rotor_is_a_body(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            mechanism m = make(20 + (seed_type)axis, "fhh", (int[]){-1, 0, 1});
            tree_body *wheel = &m.t.body[2];
            double com = wheel->com[axis];
            memset(wheel->com, 0, sizeof wheel->com);
            memset(wheel->axis, 0, sizeof wheel->axis);
            memset(wheel->inertia + 3, 0, 3 * sizeof *wheel->inertia);
            wheel->com[axis] = com; // anywhere along the axis
            wheel->axis[axis] = sign;
            wheel->inertia[0] = wheel->inertia[1] = wheel->inertia[2] = 0.11;
            wheel->inertia[axis] = 0.17;
            wheel->axisymmetric = (char)('x' + axis);
            agreement worst = {0};
            compare(&m, 4, &worst);
            print_and_check("rotor", &worst);
            derived with, without;
            derive(&with, &m, MB_FORM_RECURSIVE);
            wheel->axisymmetric = 0;
            derive(&without, &m, MB_FORM_RECURSIVE);
            assert_int_equal(with.system.links.rotor_count, 1);
            assert_int_equal(without.system.links.rotor_count, 0);
            assert_true(with.system.flops[MB_FORM_RECURSIVE] <
                        without.system.flops[MB_FORM_RECURSIVE]);
            worst = (agreement){0};
            compare(&m, 2, &worst);
            print_and_check("the same as a body", &worst);
            derived_free(&with);
            derived_free(&without);
        }
}

// A rotor whose inboard body is the ground has no link to ride on.
static void rotor_on_the_ground(void **state)
{
    (void)state;
    mechanism m = make(31, "hp", (int[]){-1, -1});
    tree_body *wheel = &m.t.body[0];
    memset(wheel->com, 0, sizeof wheel->com);
    memcpy(wheel->axis, axes[1], sizeof wheel->axis);
    memcpy(wheel->inertia, (double[6]){0.1, 0.15, 0.1}, sizeof wheel->inertia);
    wheel->axisymmetric = 'y';
    agreement worst = {0};
    compare(&m, 4, &worst);
    // V of what rides on the ground is a constant that is left out.
    assert_true(worst.forward < 1e-11 && worst.with_rate < 1e-11 && worst.rate < 1e-12);
}

// A general hinge on a hinge, with the coordinates of the mask free and the others held.
static void general_hinges(void **state)
{
    (void)state;
    agreement worst = {0};
    for (unsigned mask = 1; mask < 64; mask++) {
        const int count = __builtin_popcount(mask);
        if (count > 2 && mask != 0x38 && mask != 0x07 && mask != 0x2d && mask != 0x3f)
            continue;
        mechanism m = make(50 + mask, "hg", (int[]){-1, 0});
        memcpy(m.turns, sequences[mask % 12], sizeof m.turns);
        for (int k = 0; k < 6; k++) {
            m.free[k] = mask >> k & 1;
            m.held[k] = 0.1 + 0.15 * k;
        }
        compare(&m, 2, &worst);
    }
    print_and_check("general hinges", &worst);
}

// All six free on the ground is a free body: the same motion, seen in other velocities.
static void general_hinge_with_six_is_a_free_body(void **state)
{
    (void)state;
    mechanism m = make(61, "g", (int[]){-1});
    memset(m.t.body[0].p, 0, sizeof m.t.body[0].p);
    memcpy(m.t.body[0].r0, (double[4]){1, 0, 0, 0}, sizeof m.t.body[0].r0);
    for (int k = 0; k < 6; k++)
        m.free[k] = true;
    mechanism base = m;
    base.general = -1;
    base.t.body[0].joint = TREE_FREE;
    base.euler = true;
    for (int k = 0; k < 12; k++) {
        memcpy(m.turns, sequences[k], sizeof m.turns);
        memcpy(base.sequence, sequences[k], sizeof base.sequence);
        derived general, body;
        derive(&general, &m, MB_FORM_RECURSIVE);
        derive(&body, &base, MB_FORM_RECURSIVE);
        seed_type seed = 3;
        double q[6], qd[6], tau[6], one[12], two[12], back[12];
        random_state(&seed, 6, q, qd, tau);
        memcpy(body.x, q, sizeof q);
        memcpy(body.x + 6, qd, sizeof qd); // here qd is a velocity and a spin
        derived_rate(&body, one);
        memcpy(general.x, q, sizeof q);
        memcpy(general.x + 6, one, 6 * sizeof *one); // the same motion as rates of coordinates
        derived_rate(&general, two);
        // d/dt of the rates along the free body's motion, by differences of its q'.
        const double h = 1e-3;
        double want[6] = {0};
        static const double weight[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
        static const double step[4] = {-2, -1, 1, 2};
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 12; i++)
                body.x[i] = (i < 6 ? q[i] : qd[i - 6]) + step[s] * h * one[i];
            derived_rate(&body, back);
            for (int i = 0; i < 6; i++)
                want[i] += weight[s] * back[i] / h;
        }
        assert_true(worst_component(two + 6, want, 6) < 1e-7); // error of the differences
        derived_free(&general);
        derived_free(&body);
    }
}

// The comparison sees a wrong body: 1e-6 more inertia.
static void comparison_can_fail(void **state)
{
    (void)state;
    const mechanism m = make(70, "fh", (int[]){-1, 0});
    mechanism wrong = m;
    wrong.t.body[1].inertia[4] *= 1.0 + 1e-6;
    oracle o = {0};
    oracle_make(&o, &m);
    derived d;
    derive(&d, &wrong, MB_FORM_LAGRANGE);
    seed_type seed = 2;
    double q[7], qd[7], tau[7], v[7], want[7], got[7];
    random_state(&seed, 7, q, qd, tau);
    brute_solve(&o.b, q, qd, tau, v, want);
    coordinates(&o, &m, q, d.x);
    memcpy(d.x + 8, v, sizeof v);
    memcpy(d.x + mb_at_tau(&d.system), tau, sizeof tau);
    derived_forward(&d, got);
    assert_true(worst_component(got, want, 7) > 1e-10);
    derived_free(&d);
    brute_end(&o.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparison_can_fail),
        cmocka_unit_test(joints_of_every_kind),
        cmocka_unit_test(double_pendulum_of_textbooks),
        cmocka_unit_test(every_euler_sequence),
        cmocka_unit_test(quasi_velocities_with_a_quaternion),
        cmocka_unit_test(euler_and_quaternion_are_one_motion),
        cmocka_unit_test(rotor_is_a_body),
        cmocka_unit_test(rotor_on_the_ground),
        cmocka_unit_test(general_hinges),
        cmocka_unit_test(general_hinge_with_six_is_a_free_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
