// test_ode_order.c - the coefficients of the methods satisfy the order conditions of Butcher.
//
// A Runge-Kutta method has order p when, for every rooted tree of at most p nodes, its weight
// equals 1 / density. For an interpolant at x the weight must be x^nodes / density. The trees are
// made here, so the coefficients are checked against the theory and not against a copy of
// themselves.
#include "num/dense.h"
#include "num/integrate.h"
#include "num/ode_collocation.h"
#include "num/ode_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <string.h>

enum { ORDER_MAX = 8, TREE_MAX = 256, STAGES = ODE_PAIR_STAGE_MAX };

typedef struct tree {
    int nodes, child_count;
    int child[ORDER_MAX]; // indices of smaller trees, not rising
    double density;
} tree;

static tree trees[TREE_MAX];
static int tree_count, first_of[ORDER_MAX + 2]; // trees of p nodes: first_of[p] .. first_of[p + 1]

// Adds every tree whose root carries t->child and further children of `left` nodes in all, none
// after `limit` in the list.
static void grow(tree *t, int left, int limit)
{
    if (left == 0) {
        t->density = t->nodes;
        for (int c = 0; c < t->child_count; c++)
            t->density *= trees[t->child[c]].density;
        assert_true(tree_count < TREE_MAX);
        trees[tree_count++] = *t;
        return;
    }
    for (int i = 0; i <= limit; i++)
        if (trees[i].nodes <= left) {
            t->child[t->child_count++] = i;
            grow(t, left - trees[i].nodes, i);
            t->child_count--;
        }
}

static int make_trees(void **state)
{
    (void)state;
    tree_count = 0;
    for (int p = 1; p <= ORDER_MAX; p++) {
        first_of[p] = tree_count;
        tree t = {.nodes = p};
        grow(&t, p - 1, tree_count - 1);
    }
    first_of[ORDER_MAX + 1] = tree_count;
    return 0;
}

// 1, 1, 2, 4, 9, 20, 48, 115: the number of rooted trees (OEIS A000081).
static void trees_are_all_there(void **state)
{
    (void)state;
    static const int known[ORDER_MAX] = {1, 1, 2, 4, 9, 20, 48, 115};
    for (int p = 1; p <= ORDER_MAX; p++)
        assert_int_equal(first_of[p + 1] - first_of[p], known[p - 1]);
}

// Largest defect of the conditions of exactly `order` nodes for weights b at x.
static double defect(int stages, const double a[STAGES][STAGES], const double *b, double x,
                     int order)
{
    static double phi[TREE_MAX][STAGES];
    double worst = 0.0;
    for (int t = 0; t < first_of[order + 1]; t++) {
        double sum = 0.0;
        for (int i = 0; i < stages; i++) {
            phi[t][i] = 1.0;
            for (int c = 0; c < trees[t].child_count; c++) {
                double inner = 0.0;
                for (int j = 0; j < stages; j++)
                    inner += a[i][j] * phi[trees[t].child[c]][j];
                phi[t][i] *= inner;
            }
            sum += b[i] * phi[t][i];
        }
        if (trees[t].nodes == order)
            worst = fmax(worst, fabs(sum - pow(x, order) / trees[t].density));
    }
    return worst;
}

// Order `order` and not one more.
static void check_order(int stages, const double a[STAGES][STAGES], const double *b, double x,
                        int order, double rounding)
{
    for (int p = 1; p <= order; p++)
        assert_true(defect(stages, a, b, x, p) < rounding);
    if (order < ORDER_MAX)
        assert_true(defect(stages, a, b, x, order + 1) > 100.0 * rounding);
}

static void explicit_methods(void **state)
{
    (void)state;
    int checked = 0;
    for (; rk_kind_at(checked); checked++) {
        const rk_kind *k = rk_kind_at(checked);
        double a[STAGES][STAGES] = {{0.0}};
        for (int i = 0; i < k->stages; i++)
            memcpy(a[i], k->a[i], (size_t)i * sizeof(double));
        check_order(k->stages, (const double(*)[STAGES])a, k->b, 1.0, k->order, 1e-14);
    }
    assert_true(checked >= 6);
}

// a with the end of the step as a stage of its own: its row is b.
static void whole_matrix(const ode_pair *p, double a[STAGES][STAGES])
{
    memcpy(a, p->a, sizeof p->a);
    memcpy(a[p->stages], p->b, sizeof p->b);
    for (int i = 0; i < p->all_stages; i++) { // c is the row's sum
        double sum = 0.0;
        for (int j = 0; j < p->all_stages; j++)
            sum += a[i][j];
        if (i != p->stages)
            assert_true(fabs(sum - p->c[i]) < 1e-14);
    }
}

// Weights of the stages in the interpolant at x, by its own definition in ode_pair.h.
static void dense_weights(const ode_pair *p, double x, double *w)
{
    const double z = 1.0 - x;
    for (int j = 0; j < STAGES; j++) {
        const double d = p->b[j], r0 = (j == 0) - d, r1 = d - (j == p->stages) - r0;
        double inner = 0.0;
        for (int m = p->dense_count - 1; m >= 0; m--) // x or z before r_(2+m)
            inner = (m % 2 == 0 ? z : x) * (p->dense[m][j] + inner);
        w[j] = x * (d + z * (r0 + x * (r1 + inner)));
    }
}

static void check_pair(const ode_pair_maker *maker, int order, int error_order, int low_order,
                       int dense_order, double rounding)
{
    ode_pair p;
    double a[STAGES][STAGES], w[STAGES];
    maker->fill(&p);
    whole_matrix(&p, a);
    const double(*m)[STAGES] = (const double(*)[STAGES])a;
    assert_int_equal(p.order, order);
    check_order(p.all_stages, m, p.b, 1.0, order, rounding);
    for (int j = 0; j < STAGES; j++)
        w[j] = p.b[j] - p.e[j];
    check_order(p.all_stages, m, w, 1.0, error_order, rounding);
    if (p.has_low) {
        for (int j = 0; j < STAGES; j++)
            w[j] = p.b[j] - p.e_low[j];
        check_order(p.all_stages, m, w, 1.0, low_order, rounding);
    }
    for (double x = 0.1; x < 0.95; x += 0.2) { // odd: the middle may be better by chance
        dense_weights(&p, x, w);
        for (int q = 1; q <= dense_order; q++)
            assert_true(defect(p.all_stages, m, w, x, q) < 100.0 * rounding);
    }
    dense_weights(&p, 0.3, w);
    assert_true(defect(p.all_stages, m, w, 0.3, dense_order + 1) > 1e-7);
}

static void pair_of_orders_5_and_4(void **state)
{
    (void)state;
    check_pair(&ode_dopri5_maker, 5, 4, 0, 4, 1e-15);
}

static void pair_of_orders_8_5_and_3(void **state)
{
    (void)state;
    check_pair(&ode_dop853_maker, 8, 5, 3, 7, 5e-15);
}

// A is the inverse of M; b follows from u(1) = y + l(1) Z with Z = A F: b = l(1) A.
static void collocation(int stages, const double *nodes, int order)
{
    ode_collocation c;
    ode_collocation_make(&c, stages, nodes);
    double a[STAGES][STAGES] = {{0.0}}, b[STAGES] = {0.0}, end[ODE_STAGE_MAX];
    for (int i = 0; i < stages; i++) // sum over k of (T L^-1 T^-1), here by the quadrature of l_j
        for (int j = 0; j < stages; j++) {
            // Integral of the Lagrange polynomial of node j over 0 .. c_i, by Simpson: exact.
            double sum = 0.0;
            for (int q = 0; q <= 2; q++) {
                const double x = 0.5 * q * nodes[i];
                double l = q == 1 ? 4.0 : 1.0;
                for (int k = 0; k < stages; k++)
                    if (k != j)
                        l *= (x - nodes[k]) / (nodes[j] - nodes[k]);
                sum += l;
            }
            a[i][j] = sum * nodes[i] / 6.0;
        }
    for (int i = 0; i < stages; i++) // M A = 1
        for (int j = 0; j < stages; j++) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < stages; k++)
                sum += c.m[i][k] * a[k][j];
            assert_true(fabs(sum) < 1e-14);
        }
    ode_collocation_basis(&c, 1.0, end);
    for (int j = 0; j < stages; j++)
        for (int k = 0; k < stages; k++)
            b[j] += end[k] * a[k][j];
    check_order(stages, (const double(*)[STAGES])a, b, 1.0, order, 1e-15);
    // T has the eigenvectors: M T = T L.
    for (int i = 0; i < stages && c.has_real; i++) {
        double sum = -c.gamma * c.t[i][0];
        for (int k = 0; k < stages; k++)
            sum += c.m[i][k] * c.t[k][0];
        assert_true(fabs(sum) < 1e-12);
    }
}

static void collocation_methods(void **state)
{
    (void)state;
    const double root3 = sqrt(3.0), root6 = sqrt(6.0), root15 = sqrt(15.0);
    collocation(1, (const double[]){0.5}, 2);
    collocation(2, (const double[]){0.5 - root3 / 6, 0.5 + root3 / 6}, 4);
    collocation(3, (const double[]){0.5 - root15 / 10, 0.5, 0.5 + root15 / 10}, 6);
    collocation(3, (const double[]){(4 - root6) / 10, (4 + root6) / 10, 1.0}, 5);
}

// ---- the linear systems ------------------------------------------------------------------------

// The factors solve a x = b for a known x, real and complex; pivots are needed; singular is said.
static void factors(void **state)
{
    (void)state;
    enum { N = 7 };
    double a[N * N], b[N] = {0.0};
    double _Complex z[N * N], d[N] = {0.0};
    int pivot[N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            a[j * N + i] = sin(3.0 * i + 7.0 * j * j + 1.0) + (i == (j + 1) % N ? 4.0 : 0.0);
            z[j * N + i] = a[j * N + i] + cos(5.0 * i * j + 2.0) * I;
            b[i] += a[j * N + i] * (j - 2.5);
            d[i] += z[j * N + i] * (j - 2.5 + (j * j - 4.0) * I);
        }
    assert_true(dense_factor(N, a, pivot) && pivot[0] != 1);
    dense_back(N, a, pivot, b);
    assert_true(dense_factor_complex(N, z, pivot));
    dense_back_complex(N, z, pivot, d);
    for (int j = 0; j < N; j++) {
        assert_true(fabs(b[j] - (j - 2.5)) < 1e-13);
        assert_true(cabs(d[j] - (j - 2.5 + (j * j - 4.0) * I)) < 1e-12);
    }
    double flat[4] = {1.0, 2.0, 2.0, 4.0};
    double _Complex flat_complex[4] = {1.0, I, 2.0, 2.0 * I};
    assert_false(dense_factor(2, flat, pivot));
    assert_false(dense_factor_complex(2, flat_complex, pivot));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_all_there),    cmocka_unit_test(explicit_methods),
        cmocka_unit_test(pair_of_orders_5_and_4), cmocka_unit_test(pair_of_orders_8_5_and_3),
        cmocka_unit_test(collocation_methods),    cmocka_unit_test(factors),
    };
    return cmocka_run_group_tests(tests, make_trees, NULL);
}
