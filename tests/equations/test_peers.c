// test_peers.c - MuJoCo and Simbody agree on the accelerations of the same trees.
//
// Two programs by different people, with different joints, frames and algorithms: where they agree
// to rounding, the way we hand trees and states to them is right, and either can judge Motorcade.
#include "num/dense.h"
#include "num/vec3.h"
#include "support/peer_kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long seed_type;

static double largest(const double *x, int n)
{
    double max = 0.0;
    for (int i = 0; i < n; i++)
        max = fmax(max, fabs(x[i]));
    return max;
}

static double difference(const double *x, const double *y, int n)
{
    double max = 0.0;
    for (int i = 0; i < n; i++)
        max = isnan(x[i] - y[i]) ? (double)INFINITY : fmax(max, fabs(x[i] - y[i]));
    return max;
}

static tree hmmwv10(void)
{
    tree t;
    assert_true(tree_read(&t, SOURCE_DIR "/tests/data/hmmwv10.model"));
    return t;
}

// ---- two programs ------------------------------------------------------------------------------

typedef struct pair {
    tree t;
    void *mujoco, *simbody;
    int nv;
} pair;

typedef struct agreement {
    double acceleration; // largest difference over the largest acceleration of a state
    double residual;     // M times the difference over the largest sum of terms of M qdd
    double mass;         // largest difference over the largest element
    double condition;    // of M, the worst
    int states;
} agreement;

static pair pair_make(const tree *t)
{
    pair p = {*t, peer_mujoco.create(t), peer_simbody.create(t), tree_nv(t)};
    assert_non_null(p.mujoco);
    assert_non_null(p.simbody);
    return p;
}

static void pair_free(pair *p)
{
    peer_mujoco.destroy(p->mujoco);
    peer_simbody.destroy(p->simbody);
}

// The mass matrix of the state, and how far the two differ in it; positive definite.
static void compare_mass(const pair *p, const double *q, double *m, agreement *worst)
{
    const size_t size = (size_t)p->nv * (size_t)p->nv;
    double *other = malloc(2 * size * sizeof *other), *value = calloc((size_t)p->nv, sizeof *value);
    assert_non_null(other);
    assert_non_null(value);
    peer_mujoco.mass(p->mujoco, q, m);
    peer_simbody.mass(p->simbody, q, other);
    worst->mass = fmax(worst->mass, difference(m, other, (int)size) / largest(m, (int)size));
    memcpy(other, m, size * sizeof *m);
    assert_true(dense_symmetric_eigen(p->nv, other, value));
    assert_true(value[0] > 0.0);
    worst->condition = fmax(worst->condition, value[p->nv - 1] / value[0]);
    free(other);
    free(value);
}

static void compare_state(const pair *p, const double *q, const double *v, const double *tau,
                          agreement *worst)
{
    double a[TREE_V_MAX], b[TREE_V_MAX];
    peer_mujoco.accelerations(p->mujoco, q, v, tau, a);
    peer_simbody.accelerations(p->simbody, q, v, tau, b);
    double *m = malloc((size_t)p->nv * (size_t)p->nv * sizeof *m);
    assert_non_null(m);
    compare_mass(p, q, m, worst);
    double force = 0.0, residual = 0.0;
    for (int i = 0; i < p->nv; i++) {
        double r = 0.0, size = 0.0;
        for (int k = 0; k < p->nv; k++) {
            r += m[i * p->nv + k] * (a[k] - b[k]);
            size += fabs(m[i * p->nv + k] * a[k]);
        }
        force = fmax(force, size);
        residual = fmax(residual, fabs(r));
    }
    free(m);
    worst->acceleration = fmax(worst->acceleration, difference(a, b, p->nv) / largest(a, p->nv));
    worst->residual = fmax(worst->residual, residual / force);
    worst->states++;
}

static void compare_random(const tree *t, seed_type *seed, int states, agreement *worst)
{
    pair p = pair_make(t);
    double q[TREE_Q_MAX], v[TREE_V_MAX], tau[TREE_V_MAX];
    for (int i = 0; i < states; i++) {
        tree_random_state(t, seed, q, v);
        tree_random_forces(t, seed, tau);
        compare_state(&p, q, v, tau, worst);
    }
    pair_free(&p);
}

static void print_and_check(const char *name, const agreement *worst)
{
    print_message("%s, %d states: accelerations differ by %.1e, forces by %.1e, mass matrices by "
                  "%.1e; cond(M) up to %.1e\n",
                  name, worst->states, worst->acceleration, worst->residual, worst->mass,
                  worst->condition);
    assert_true(worst->states > 0);
    assert_true(worst->acceleration < 1e-12);
    assert_true(worst->residual < 1e-13);
    assert_true(worst->mass < 1e-13);
}

static void named_trees_agree(void **state)
{
    (void)state;
    const tree trees[] = {hmmwv10(), tree_chain8(), tree_branched12()};
    seed_type seed = 1;
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
        agreement worst = {0};
        compare_random(&trees[i], &seed, 50, &worst);
        print_and_check(trees[i].name, &worst);
    }
}

static void springs_and_torques_agree(void **state)
{
    (void)state;
    const tree t = hmmwv10();
    pair p = pair_make(&t);
    agreement worst = {0};
    double q[16], v[15], tau[15];
    seed_type seed = 2;
    for (int i = 0; i < 50; i++) {
        tree_random_state(&t, &seed, q, v);
        for (int k = 8; k < 12; k++)
            q[k] *= 0.1; // as far as a suspension goes
        tree_forces(&t, q, v, tau);
        compare_state(&p, q, v, tau, &worst);
    }
    pair_free(&p);
    print_and_check("hmmwv10 on its springs", &worst);
}

static void random_trees_agree(void **state)
{
    (void)state;
    agreement worst = {0};
    seed_type seed = 3;
    for (int round = 0; round < 5; round++)
        for (int n = 2; n <= 30; n++) {
            const tree t = tree_random(&seed, n);
            compare_random(&t, &seed, 2, &worst);
        }
    print_and_check("random trees", &worst);
}

// ---- against closed forms ----------------------------------------------------------------------

// A free body whose frame is not at its centre of mass c: with the force F (world) at the origin
// and the torque T (body) about it,
//     I dw/dt = T - c x R'F - w x I w,   a = (F/m + g) - R (dw/dt x c + w x (w x c)).
static void free_body_obeys_newton_and_euler(void **state)
{
    (void)state;
    tree t = {.name = "one", .gravity = {0.5, -0.25, -9.81}, .body_count = 1};
    t.body[0] = (tree_body){.name = "body",
                            .parent = -1,
                            .joint = TREE_FREE,
                            .r0 = {1.0},
                            .mass = 3.0,
                            .com = {0.1, -0.2, 0.3},
                            .inertia = {0.5, 0.7, 0.4, 0.05, -0.08, 0.1}};
    const double *c = t.body[0].com, *i = t.body[0].inertia;
    const double inertia[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
    const peer_kind *const kind[] = {&peer_mujoco, &peer_simbody};
    seed_type seed = 4;
    double q[7], v[6], tau[6], r[9], force[3], arm[3], spin[3], gyro[3], rhs[3], turn[3];
    tree_random_state(&t, &seed, q, v);
    tree_random_forces(&t, &seed, tau);
    tree_rotation(q + 3, r);
    mat3_tmul_vec(r, tau, force);
    vec3_cross(c, force, arm);
    mat3_mul_vec(inertia, v + 3, spin);
    vec3_cross(v + 3, spin, gyro);
    for (int k = 0; k < 3; k++)
        rhs[k] = tau[3 + k] - arm[k] - gyro[k];
    double want[6], in[3], wc[3], wwc[3], out[3];
    mat3_solve(inertia, rhs, want + 3);
    vec3_cross(want + 3, c, turn);
    vec3_cross(v + 3, c, wc);
    vec3_cross(v + 3, wc, wwc);
    for (int k = 0; k < 3; k++)
        in[k] = turn[k] + wwc[k];
    mat3_mul_vec(r, in, out);
    for (int k = 0; k < 3; k++)
        want[k] = tau[k] / t.body[0].mass + t.gravity[k] - out[k];
    for (int k = 0; k < 2; k++) {
        void *peer = kind[k]->create(&t);
        double got[6];
        assert_non_null(peer);
        kind[k]->accelerations(peer, q, v, tau, got);
        assert_true(difference(got, want, 6) < 1e-12 * largest(want, 6));
        kind[k]->destroy(peer);
    }
}

// A pendulum: (I + m l^2) a = tau - m g l sin(angle), hinge along y, centre of mass below it.
static void pendulum_obeys_its_equation(void **state)
{
    (void)state;
    tree t = {.name = "pendulum", .gravity = {0.0, 0.0, -9.81}, .body_count = 1};
    t.body[0] = (tree_body){.name = "bob",
                            .parent = -1,
                            .joint = TREE_HINGE,
                            .p = {1.0, 2.0, 3.0},
                            .r0 = {1.0},
                            .axis = {0.0, 1.0, 0.0},
                            .mass = 2.0,
                            .com = {0.0, 0.0, -0.5},
                            .inertia = {0.02, 0.03, 0.04}};
    const double q = 0.7, v = 1.3, tau = 0.9;
    const double want = (tau - 2.0 * 9.81 * 0.5 * sin(q)) / (0.03 + 2.0 * 0.25);
    const peer_kind *const kind[] = {&peer_mujoco, &peer_simbody};
    for (int k = 0; k < 2; k++) {
        void *peer = kind[k]->create(&t);
        double got;
        assert_non_null(peer);
        kind[k]->accelerations(peer, &q, &v, &tau, &got);
        assert_true(fabs(got - want) < 1e-13 * fabs(want));
        kind[k]->destroy(peer);
    }
}

// ---- the trees themselves ----------------------------------------------------------------------

static void vehicle_is_read(void **state)
{
    (void)state;
    const tree t = hmmwv10();
    double mass = 0.0;
    char round[11] = "";
    for (int i = 0; i < t.body_count; i++) {
        mass += t.body[i].mass;
        round[i] = t.body[i].axisymmetric != 0 ? t.body[i].axisymmetric : '-';
    }
    assert_int_equal(t.body_count, 10);
    assert_int_equal(tree_nq(&t), 16);
    assert_int_equal(tree_nv(&t), 15);
    assert_int_equal(tree_q_offset(&t, 9), 15);
    assert_int_equal(tree_v_offset(&t, 2), 7);
    assert_true(fabs(mass - 2600.924) < 1e-9);
    assert_string_equal(round, "------yyyy"); // the rack is round too, but does not turn
    assert_int_equal(t.spring_count, 4);
    assert_int_equal(t.torque_count, 4);
}

// Power of a spring is minus the rate of its energy, the length taken straight from the two ends.
static double spring_energy(const tree *t, int index, double q)
{
    const tree_spring *s = &t->spring[index];
    const tree_body *b = &t->body[s->body]; // hinge along x, not tilted
    const double y = cos(q) * s->on_body[1] - sin(q) * s->on_body[2];
    const double z = sin(q) * s->on_body[1] + cos(q) * s->on_body[2];
    const double d[3] = {b->p[0] + s->on_body[0] - s->on_parent[0], b->p[1] + y - s->on_parent[1],
                         b->p[2] + z - s->on_parent[2]};
    const double stretch = vec3_norm(d) - s->free_length;
    return 0.5 * s->stiffness * stretch * stretch;
}

static void spring_torque_is_the_slope_of_its_energy(void **state)
{
    (void)state;
    const tree t = hmmwv10();
    const double h = 1e-4;
    for (int i = 0; i < t.spring_count; i++) {
        double q[16] = {[3] = 1.0}, v[15] = {0.0}, tau[15], moving[15];
        const int body = t.spring[i].body, at = tree_v_offset(&t, body);
        const double angle = 0.05 * (i - 1.3);
        q[tree_q_offset(&t, body)] = angle;
        tree_forces(&t, q, v, tau);
        const double slope =
            (8.0 * (spring_energy(&t, i, angle + h) - spring_energy(&t, i, angle - h)) -
             (spring_energy(&t, i, angle + 2.0 * h) - spring_energy(&t, i, angle - 2.0 * h))) /
            (12.0 * h);
        assert_true(fabs(tau[at] + slope) < 1e-8 * fabs(slope));
        v[at] = 0.1; // the damper takes power
        tree_forces(&t, q, v, moving);
        assert_true((moving[at] - tau[at]) * v[at] < 0.0);
    }
}

static void random_trees_are_real(void **state)
{
    (void)state;
    seed_type seed = 5;
    int used[5] = {0}, roots = 0;
    for (int n = 1; n <= TREE_BODY_MAX; n++) {
        const tree t = tree_random(&seed, n);
        assert_int_equal(t.body_count, n);
        assert_true(tree_nv(&t) > 0);
        for (int i = 0; i < n; i++) {
            const tree_body *b = &t.body[i];
            double moment[3], axes[4];
            tree_principal(b, moment, axes);
            used[b->joint]++;
            roots += b->parent < 0;
            assert_in_range(b->parent + 1, 0, i);
            assert_true(b->joint != TREE_FREE || b->parent < 0);
            assert_true(b->mass > 0.0 && moment[0] > 0.0);
            assert_true(moment[0] + moment[1] > moment[2]); // ascending
        }
    }
    for (int k = 0; k < 5; k++)
        assert_true(used[k] > 20);
    assert_true(roots > TREE_BODY_MAX); // some trees are woods
}

static void model_file_says_it_all(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "motorcade: multibody\nname: hmmwv10\ngravity: [0, 0, -9.8100000000000005]\nbodies:\n",
        "  chassis:\n    inboard: ground\n    joint: free\n    mass: 2086.52",
        "  rack:\n    inboard: chassis\n    joint: prism\n    at: [1.4410689999999999, 0, ",
        "  wheel_rr:\n    inboard: arm_rr\n    joint: hinge\n",
        "    orientation: [1, 0, 0, 0]\n    axis: [0, 1, 0]\n    mass: 71.105000000000004\n",
        "    axisymmetric: y\n",
    };
    const tree t = hmmwv10();
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    tree_write_yaml(&t, file);
    fclose(file);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (strstr(text, expected[i]) == NULL)
            fail_msg("not found:\n%s\nin:\n%s", expected[i], text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vehicle_is_read),
        cmocka_unit_test(spring_torque_is_the_slope_of_its_energy),
        cmocka_unit_test(random_trees_are_real),
        cmocka_unit_test(model_file_says_it_all),
        cmocka_unit_test(pendulum_obeys_its_equation),
        cmocka_unit_test(free_body_obeys_newton_and_euler),
        cmocka_unit_test(named_trees_agree),
        cmocka_unit_test(springs_and_torques_agree),
        cmocka_unit_test(random_trees_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
