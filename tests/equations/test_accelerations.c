// test_accelerations.c - accelerations of derived equations against MuJoCo and against the same
// equations in 113 bits; scalar, lanes, interpreted and compiled give the same bits.
//
// MuJoCo shares no line with us: agreement shows that the equations are right. The quad evaluation
// uses our own graph: it shows how much the order of operations costs in accuracy, with nothing of
// MuJoCo's rounding in it. Both bounds grow with the condition of the mass matrix.
#include "motorcade/multibody.h"
#include "num/dense.h"
#include "support/derived.h"
#include "support/peer_kind.h"
#include "support/tree_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long long seed_type;

static tree hmmwv10(void)
{
    tree t;
    assert_true(tree_read(&t, SOURCE_DIR "/tests/data/hmmwv10.model"));
    return t;
}

static void *memory(size_t count, size_t size)
{
    void *p = NULL;
    assert_int_equal(posix_memalign(&p, 64, (count + 8) * size), 0);
    memset(p, 0, (count + 8) * size);
    return p;
}

// ---- a tree in one form ------------------------------------------------------------------------

static void derive_tree(derived *d, const tree *t, mb_form form)
{
    *d = (derived){0};
    tree_to_model(t, false, &d->model);
    derived_make(d, form);
}

// exact: of the same nodes in 113 bits.
static void run(derived *d, const double *q, const double *v, const double *tau, double *vdot,
                double *exact)
{
    const mb_system *s = &d->system;
    memcpy(d->x, q, (size_t)s->q_count * sizeof *q);
    memcpy(d->x + s->q_count, v, (size_t)s->v_count * sizeof *v);
    memcpy(d->x + mb_at_tau(s), tau, (size_t)s->v_count * sizeof *tau);
    derived_forward(d, vdot);
    derived_values(d, s->forward, s->v_count, exact);
}

// ---- comparison --------------------------------------------------------------------------------

typedef struct agreement {
    double peer, quads;             // worst error of a component
    double peer_share, quads_share; // the same over its bound
    double condition;               // of M, the worst
    int states;
} agreement;

static double largest(const double *x, int n)
{
    double max = 0.0;
    for (int i = 0; i < n; i++)
        max = fmax(max, fabs(x[i]));
    return max;
}

// Worst component, each by its own size but not less than 1e-3 of the largest.
static double worst_component(const double *got, const double *want, int n)
{
    const double floor_size = 1e-3 * largest(want, n);
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(got[i] - want[i]) / fmax(fabs(want[i]), floor_size);
        worst = isnan(e) ? (double)INFINITY : fmax(worst, e);
    }
    return worst;
}

static double condition(void *peer, const double *q, int n)
{
    double *M = memory((size_t)n * (size_t)n, sizeof *M), *value = memory((size_t)n, sizeof *value);
    peer_mujoco.mass(peer, q, M);
    assert_true(dense_symmetric_eigen(n, M, value));
    assert_true(value[0] > 0.0);
    const double c = value[n - 1] / value[0];
    free(M);
    free(value);
    return c;
}

static void compare(const tree *t, mb_form form, seed_type seed, int states, agreement *worst)
{
    derived m;
    derive_tree(&m, t, form);
    void *peer = peer_mujoco.create(t);
    assert_non_null(peer);
    const int n = m.system.v_count;
    assert_int_equal(n, tree_nv(t));
    assert_int_equal(m.system.q_count, tree_nq(t));
    double q[TREE_Q_MAX], v[TREE_V_MAX], tau[TREE_V_MAX];
    double got[TREE_V_MAX], exact[TREE_V_MAX], other[TREE_V_MAX];
    for (int i = 0; i < states; i++) {
        tree_random_state(t, &seed, q, v);
        tree_random_forces(t, &seed, tau);
        run(&m, q, v, tau, got, exact);
        peer_mujoco.accelerations(peer, q, v, tau, other);
        assert_true(largest(other, n) > 0.0);
        const double cond = condition(peer, q, n), unit = DBL_EPSILON * cond;
        const double by_peer = worst_component(got, other, n);
        const double by_quad = worst_component(got, exact, n);
        worst->peer = fmax(worst->peer, by_peer);
        worst->quads = fmax(worst->quads, by_quad);
        worst->peer_share = fmax(worst->peer_share, by_peer / fmax(1e-12, 100.0 * unit));
        worst->quads_share = fmax(worst->quads_share, by_quad / (20.0 * unit));
        worst->condition = fmax(worst->condition, cond);
        worst->states++;
    }
    peer_mujoco.destroy(peer);
    derived_free(&m);
}

static void print_and_check(const char *name, mb_form form, const agreement *worst)
{
    print_message("%s, %s form, %d states: %.1e from MuJoCo (%.2g of the bound), %.1e from quad "
                  "(%.2g of the bound); cond(M) up to %.1e\n",
                  name, form == MB_FORM_LAGRANGE ? "lagrange" : "recursive", worst->states,
                  worst->peer, worst->peer_share, worst->quads, worst->quads_share,
                  worst->condition);
    assert_true(worst->states > 0);
    assert_true(worst->peer_share <= 1.0);
    assert_true(worst->quads_share <= 1.0);
}

static void named_trees(void **state)
{
    (void)state;
    const tree trees[] = {hmmwv10(), tree_chain8(), tree_branched12()};
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++)
        for (mb_form form = MB_FORM_LAGRANGE; form <= MB_FORM_RECURSIVE; form++) {
            agreement worst = {0};
            compare(&trees[i], form, 1, 50, &worst);
            print_and_check(trees[i].name, form, &worst);
        }
}

static void random_trees_recursive(void **state)
{
    (void)state;
    agreement worst = {0};
    seed_type seed = 3;
    for (int n = 2; n <= 30; n++) {
        const tree t = tree_random(&seed, n);
        compare(&t, MB_FORM_RECURSIVE, seed, 10, &worst);
    }
    print_and_check("29 random trees", MB_FORM_RECURSIVE, &worst);
    assert_int_equal(worst.states, 290);
}

static void random_trees_lagrange(void **state)
{
    (void)state;
    agreement worst = {0};
    seed_type seed = 5;
    for (int n = 2; n <= 12; n++) {
        const tree t = tree_random(&seed, n);
        compare(&t, MB_FORM_LAGRANGE, seed, 10, &worst);
    }
    print_and_check("11 random trees", MB_FORM_LAGRANGE, &worst);
    assert_int_equal(worst.states, 110);
}

// The comparison sees a wrong model: the last mass 0.1 % heavier.
static void comparison_can_fail(void **state)
{
    (void)state;
    tree t = tree_chain8(), heavier = t;
    heavier.body[7].mass *= 1.001;
    derived m;
    derive_tree(&m, &heavier, MB_FORM_RECURSIVE);
    void *peer = peer_mujoco.create(&t);
    double q[8], v[8], tau[8], got[8], exact[8], other[8];
    seed_type seed = 9;
    tree_random_state(&t, &seed, q, v);
    tree_random_forces(&t, &seed, tau);
    run(&m, q, v, tau, got, exact);
    peer_mujoco.accelerations(peer, q, v, tau, other);
    assert_true(worst_component(got, other, 8) > 1e-6);
    peer_mujoco.destroy(peer);
    derived_free(&m);
}

// ---- through a file, in all ways to run --------------------------------------------------------

static mc_multibody *through_yaml(const tree *t, mc_compile compile, mc_form form)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    tree_write_yaml(t, file);
    fclose(file);
    mc_error error = {0};
    const mc_multibody_options options = {.compile = compile, .form = form};
    mc_multibody *m = mc_multibody_parse(text, t->name, &options, &error);
    if (!m)
        fail_msg("%s: %d: %s", t->name, error.line, error.text);
    free(text);
    return m;
}

static bool compiler_there(void)
{
    return system("clang --version >/dev/null 2>&1 || gcc --version >/dev/null 2>&1 || "
                  "cc --version >/dev/null 2>&1") == 0;
}

enum { BLOCKS = 3 };

// One state after the other, the same in blocks of four: same bits. out: 4 BLOCKS states.
static void run_both(mc_multibody *m, const double *q, const double *v, const double *tau,
                     double *out)
{
    const int nq = mc_multibody_info_of(m)->q_count, nv = mc_multibody_info_of(m)->v_count;
    double *lq = memory((size_t)(4 * BLOCKS * nq), sizeof *lq);
    double *lv = memory((size_t)(4 * BLOCKS * nv), sizeof *lv);
    double *lt = memory((size_t)(4 * BLOCKS * nv), sizeof *lt);
    double *la = memory((size_t)(4 * BLOCKS * nv), sizeof *la);
    for (int s = 0; s < 4 * BLOCKS; s++) {
        mc_multibody_accelerations(m, q + s * nq, v + s * nv, tau + s * nv, out + s * nv);
        for (int i = 0; i < nq; i++)
            lq[((s / 4) * nq + i) * 4 + s % 4] = q[s * nq + i];
        for (int i = 0; i < nv; i++) {
            lv[((s / 4) * nv + i) * 4 + s % 4] = v[s * nv + i];
            lt[((s / 4) * nv + i) * 4 + s % 4] = tau[s * nv + i];
        }
    }
    mc_multibody_accelerations_lanes(m, BLOCKS, lq, lv, lt, la);
    for (int s = 0; s < 4 * BLOCKS; s++)
        for (int i = 0; i < nv; i++)
            assert_memory_equal(&la[((s / 4) * nv + i) * 4 + s % 4], &out[s * nv + i], sizeof *out);
    free(lq), free(lv), free(lt), free(la);
}

static void check_bits(const tree *t, mc_form form)
{
    const int nq = tree_nq(t), nv = tree_nv(t);
    mc_multibody *compiled = through_yaml(t, MC_COMPILE_WAIT, form);
    mc_multibody *interpreted = through_yaml(t, MC_COMPILE_NEVER, form);
    assert_int_equal(mc_multibody_info_of(compiled)->v_count, nv);
    assert_int_equal(mc_multibody_info_of(compiled)->q_count, nq);
    double *q = memory((size_t)(4 * BLOCKS * nq), sizeof *q);
    double *v = memory((size_t)(4 * BLOCKS * nv), sizeof *v);
    double *tau = memory((size_t)(4 * BLOCKS * nv), sizeof *tau);
    double *a = memory((size_t)(4 * BLOCKS * nv), sizeof *a);
    double *b = memory((size_t)(4 * BLOCKS * nv), sizeof *b);
    seed_type seed = 21;
    for (int s = 0; s < 4 * BLOCKS; s++) {
        tree_random_state(t, &seed, q + s * nq, v + s * nv);
        tree_random_forces(t, &seed, tau + s * nv);
    }
    run_both(compiled, q, v, tau, a);
    run_both(interpreted, q, v, tau, b);
    const char *message;
    const mc_kernel_state kernel = mc_multibody_kernel_state(compiled, &message);
    if (compiler_there() && kernel != MC_KERNEL_STATE_COMPILED)
        fail_msg("%s: not compiled: %s", t->name, message);
    assert_int_equal(mc_multibody_kernel_state(interpreted, NULL), MC_KERNEL_STATE_INTERPRETED);
    assert_memory_equal(a, b, (size_t)(4 * BLOCKS * nv) * sizeof *a);

    void *peer = peer_mujoco.create(t);
    assert_non_null(peer);
    double other[TREE_V_MAX];
    for (int s = 0; s < 4 * BLOCKS; s++) { // and it is the same model
        peer_mujoco.accelerations(peer, q + s * nq, v + s * nv, tau + s * nv, other);
        const double bound = fmax(1e-12, 100.0 * DBL_EPSILON * condition(peer, q + s * nq, nv));
        assert_true(worst_component(a + s * nv, other, nv) <= bound);
    }
    peer_mujoco.destroy(peer);
    mc_multibody_free(compiled);
    mc_multibody_free(interpreted);
    free(q), free(v), free(tau), free(a), free(b);
}

static char cache[64];

static int make_cache(void **state)
{
    (void)state;
    snprintf(cache, sizeof cache, "/tmp/motorcade_accelerations_XXXXXX");
    unsetenv("MOTORCADE_CC");
    return mkdtemp(cache) && setenv("MOTORCADE_CACHE", cache, 1) == 0 ? 0 : -1;
}

static int remove_cache(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", cache);
    return system(command);
}

static void all_ways_give_the_same_bits(void **state)
{
    (void)state;
    const tree named[] = {hmmwv10(), tree_chain8(), tree_branched12()};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        check_bits(&named[i], MC_FORM_CHEAPER);
    check_bits(&named[0], MC_FORM_LAGRANGE);
    seed_type seed = 31;
    for (int n = 3; n <= 12; n += 3) {
        const tree t = tree_random(&seed, n);
        check_bits(&t, MC_FORM_CHEAPER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparison_can_fail),
        cmocka_unit_test(named_trees),
        cmocka_unit_test(random_trees_recursive),
        cmocka_unit_test(random_trees_lagrange),
        cmocka_unit_test_setup_teardown(all_ways_give_the_same_bits, make_cache, remove_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
