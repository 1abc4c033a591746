// test_graph.c - graphs: every expression once, every rule of simplification, and the value never
// changed by one.
//
// Each rule is tried as it is written at the top of simplify.c: that it fires (the node is the one
// it should be), and that the value at random arguments is that of the formula as written.
#include "expr/function.h"
#include "expr/graph.h"
#include "support/graph_value.h"
#include "support/random_program.h"

#include <math.h>
#include <stdlib.h>

enum { INPUTS = 7 };

// Variables x y z w, parameters p r s.
typedef struct bench {
    expr_graph *g;
    expr_id x, y, z, w, p, r, s;
} bench;

static bench make(void)
{
    bench b = {.g = expr_graph_create()};
    assert_non_null(b.g);
    b.x = expr_input(b.g, "x", EXPR_VARIABLE);
    b.y = expr_input(b.g, "y", EXPR_VARIABLE);
    b.z = expr_input(b.g, "z", EXPR_VARIABLE);
    b.w = expr_input(b.g, "w", EXPR_VARIABLE);
    b.p = expr_input(b.g, "p", EXPR_PARAMETER);
    b.r = expr_input(b.g, "r", EXPR_PARAMETER);
    b.s = expr_input(b.g, "s", EXPR_PARAMETER);
    return b;
}

static expr_op op_of(const bench *b, expr_id id)
{
    return (expr_op)expr_node_at(b->g, id)->op;
}

// Value in 113 bits at one set of arguments.
static quad at(const bench *b, expr_id id, const double *v)
{
    quad inputs[INPUTS];
    for (int i = 0; i < INPUTS; i++)
        inputs[i] = v[i];
    return graph_value_quad(b->g, id, inputs);
}

// f(v) against the node at random arguments in 0.2 .. 1.7.
typedef quad formula(const quad *v);

static void check(const bench *b, expr_id id, formula *f)
{
    unsigned long long seed = 12;
    for (int i = 0; i < 20; i++) {
        double v[INPUTS];
        quad q[INPUTS];
        for (int k = 0; k < INPUTS; k++)
            q[k] = v[k] = sample_uniform(&seed, 0.2, 1.7);
        const quad got = at(b, id, v), want = f(q), error = got - want;
        const quad size = want < 0 ? -want : want;
        if (!((error < 0 ? -error : error) <= 1e-28 * (1 + size)))
            fail_msg("node %u: %.17g, expected %.17g", id, (double)got, (double)want);
    }
}

#define X v[0]
#define Y v[1]
#define Z v[2]
#define W v[3]
#define P v[4]
#define R v[5]
#define S v[6]
#define FORMULA(name, value)                                                                       \
    static quad name(const quad *v)                                                                \
    {                                                                                              \
        (void)v;                                                                                   \
        return value;                                                                              \
    }

quad sinf128(quad), cosf128(quad), sqrtf128(quad), tanf128(quad), expf128(quad);

// ---- every expression once ---------------------------------------------------------------------

static void expressions_exist_once(void **state)
{
    (void)state;
    bench b = make();
    const expr_id sum = expr_add(b.g, b.x, b.y), product = expr_mul(b.g, b.x, b.y);
    const expr_id sine = expr_sin(b.g, sum), chosen = expr_select(b.g, b.x, b.y, b.z);
    const uint32_t count = expr_node_count(b.g);
    assert_int_equal(expr_add(b.g, b.y, b.x), sum); // either order
    assert_int_equal(expr_mul(b.g, b.y, b.x), product);
    assert_int_equal(expr_sin(b.g, expr_add(b.g, b.x, b.y)), sine);
    assert_int_equal(expr_select(b.g, b.x, b.y, b.z), chosen);
    assert_int_equal(expr_const(b.g, 1.0), EXPR_ONE);
    assert_int_equal(expr_const(b.g, 0.0), EXPR_ZERO);
    assert_int_equal(expr_const(b.g, -0.0), EXPR_ZERO);
    assert_int_equal(expr_node_count(b.g), count);                  // nothing was added
    assert_int_not_equal(expr_input(b.g, "x", EXPR_VARIABLE), b.x); // a name does not make an input
    // Many nodes: the table grows and still finds all of them.
    enum { MANY = 20000 };
    expr_id *first = malloc(MANY * sizeof *first);
    assert_non_null(first);
    for (int i = 0; i < MANY; i++)
        first[i] = expr_mul(b.g, b.x, expr_const(b.g, 2.0 + i));
    const uint32_t full = expr_node_count(b.g);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(expr_mul(b.g, expr_const(b.g, 2.0 + i), b.x), first[i]);
    assert_int_equal(expr_node_count(b.g), full);
    free(first);
    expr_graph_destroy(b.g);
}

// A sum, a product and a difference have the earlier node first.
static void earlier_node_first(void **state)
{
    (void)state;
    bench b = make();
    const expr_id nodes[3] = {expr_add(b.g, b.y, b.x), expr_mul(b.g, b.y, b.x),
                              expr_node_at(b.g, expr_sub(b.g, b.y, b.x))->a};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(expr_node_at(b.g, nodes[i])->a, b.x);
        assert_int_equal(expr_node_at(b.g, nodes[i])->b, b.y);
    }
    expr_graph_destroy(b.g);
}

static void children_come_first(void **state)
{
    (void)state;
    bench b = make();
    unsigned long long seed = 5;
    expr_id pool[400] = {b.x, b.y, b.z, b.w, b.p, b.r, b.s};
    for (int i = 7; i < 400; i++) {
        const expr_id u = pool[sample_random(&seed) % (unsigned)i];
        const expr_id v = pool[sample_random(&seed) % (unsigned)i];
        switch (sample_random(&seed) % 5) {
        case 0:
            pool[i] = expr_add(b.g, u, v);
            break;
        case 1:
            pool[i] = expr_sub(b.g, u, v);
            break;
        case 2:
            pool[i] = expr_mul(b.g, u, v);
            break;
        case 3:
            pool[i] = expr_sin(b.g, u);
            break;
        default:
            pool[i] = expr_select(b.g, expr_less(b.g, u, v), u, v);
        }
    }
    for (expr_id i = 0; i < expr_node_count(b.g); i++) {
        const expr_node *n = expr_node_at(b.g, i);
        if (n->op <= EXPR_INPUT)
            continue;
        bool varies = expr_node_at(b.g, n->a)->varies;
        assert_true(n->a < i);
        if (n->b != EXPR_NONE) {
            assert_true(n->b < i);
            varies = varies || expr_node_at(b.g, n->b)->varies;
        }
        if (n->op == EXPR_SELECT) {
            assert_true(n->c < i);
            varies = varies || expr_node_at(b.g, n->c)->varies;
        }
        assert_int_equal(n->varies, varies);
    }
    expr_graph_destroy(b.g);
}

// ---- constants, zeros and ones -----------------------------------------------------------------

static double constant(const bench *b, expr_id id)
{
    double value = (double)NAN;
    assert_true(expr_is_const(b->g, id, &value));
    return value;
}

static void constants_fold(void **state)
{
    (void)state;
    bench b = make();
    const expr_id two = expr_const(b.g, 2.0), three = expr_const(b.g, 3.0);
    const expr_id minus = expr_const(b.g, -1.5);
    assert_true(constant(&b, expr_add(b.g, two, three)) == 5.0);
    assert_true(constant(&b, expr_sub(b.g, two, three)) == -1.0);
    assert_true(constant(&b, expr_mul(b.g, two, minus)) == -3.0);
    assert_true(constant(&b, expr_div(b.g, minus, two)) == -0.75);
    assert_true(constant(&b, expr_neg(b.g, minus)) == 1.5);
    assert_true(constant(&b, expr_sqrt(b.g, expr_const(b.g, 2.25))) == 1.5);
    assert_true(constant(&b, expr_abs(b.g, minus)) == 1.5);
    assert_true(constant(&b, expr_floor(b.g, minus)) == -2.0);
    assert_true(constant(&b, expr_min(b.g, two, minus)) == -1.5);
    assert_true(constant(&b, expr_max(b.g, two, minus)) == 2.0);
    assert_int_equal(expr_less(b.g, two, three), EXPR_ONE);
    assert_int_equal(expr_leq(b.g, three, two), EXPR_ZERO);
    assert_int_equal(expr_equal(b.g, two, two), EXPR_ONE);
    assert_int_equal(expr_and(b.g, two, EXPR_ZERO), EXPR_ZERO);
    assert_int_equal(expr_or(b.g, two, EXPR_ZERO), EXPR_ONE);
    assert_int_equal(expr_not(b.g, two), EXPR_ZERO);
    assert_int_equal(expr_select(b.g, two, b.x, b.y), b.x);
    assert_int_equal(expr_select(b.g, EXPR_ZERO, b.x, b.y), b.y);
    assert_true(fabs(constant(&b, expr_sin(b.g, two)) - sin(2.0)) < 1e-15);
    assert_true(fabs(constant(&b, expr_call(b.g, EXPR_ATAN2, two, minus)) - atan2(2.0, -1.5)) <
                1e-15);
    assert_false(expr_is_const(b.g, expr_sqrt(b.g, minus), NULL)); // left to be seen
    assert_false(expr_is_const(b.g, expr_call(b.g, EXPR_LOG, minus, EXPR_NONE), NULL));
    assert_false(expr_is_const(b.g, expr_div(b.g, two, EXPR_ZERO), NULL));
    assert_false(expr_is_const(b.g, expr_div(b.g, EXPR_ZERO, EXPR_ZERO), NULL));
    expr_graph_destroy(b.g);
}

static void zeros_and_ones_vanish(void **state)
{
    (void)state;
    bench b = make();
    const uint32_t count = expr_node_count(b.g);
    assert_int_equal(expr_add(b.g, b.x, EXPR_ZERO), b.x);
    assert_int_equal(expr_add(b.g, EXPR_ZERO, b.x), b.x);
    assert_int_equal(expr_sub(b.g, b.x, EXPR_ZERO), b.x);
    assert_int_equal(expr_mul(b.g, b.x, EXPR_ZERO), EXPR_ZERO);
    assert_int_equal(expr_mul(b.g, EXPR_ZERO, b.x), EXPR_ZERO);
    assert_int_equal(expr_mul(b.g, b.x, EXPR_ONE), b.x);
    assert_int_equal(expr_mul(b.g, EXPR_ONE, b.x), b.x);
    assert_int_equal(expr_div(b.g, b.x, EXPR_ONE), b.x);
    assert_int_equal(expr_div(b.g, EXPR_ZERO, b.x), EXPR_ZERO);
    assert_int_equal(expr_div(b.g, b.x, b.x), EXPR_ONE);
    assert_int_equal(op_of(&b, expr_div(b.g, b.x, EXPR_ZERO)), EXPR_DIV); // left to be seen
    assert_int_equal(expr_sub(b.g, b.x, b.x), EXPR_ZERO);
    assert_int_equal(expr_power_int(b.g, b.x, 0), EXPR_ONE);
    assert_int_equal(expr_power_int(b.g, b.x, 1), b.x);
    assert_int_equal(expr_min(b.g, b.x, b.x), b.x);
    assert_int_equal(expr_max(b.g, b.x, b.x), b.x);
    assert_int_equal(expr_select(b.g, b.y, b.x, b.x), b.x);
    assert_int_equal(expr_less(b.g, b.x, b.x), EXPR_ZERO);
    assert_int_equal(expr_leq(b.g, b.x, b.x), EXPR_ONE);
    assert_int_equal(expr_equal(b.g, b.x, b.x), EXPR_ONE);
    assert_in_range(expr_node_count(b.g), count, count + 2); // x/0, and -x of a difference
    expr_graph_destroy(b.g);
}

// ---- signs -------------------------------------------------------------------------------------

FORMULA(minus_xy, -X *Y)
FORMULA(xy, X *Y)
FORMULA(minus_quotient, -X / Y)
FORMULA(x_minus_y, X - Y)
FORMULA(minus_sum, -X - Y)

static void signs_move_outwards(void **state)
{
    (void)state;
    bench b = make();
    const expr_id nx = expr_neg(b.g, b.x), ny = expr_neg(b.g, b.y);
    const expr_id product = expr_mul(b.g, b.x, b.y), difference = expr_sub(b.g, b.x, b.y);
    assert_int_equal(expr_neg(b.g, nx), b.x);
    assert_int_equal(expr_mul(b.g, nx, ny), product);
    assert_int_equal(expr_mul(b.g, nx, b.y), expr_neg(b.g, product));
    check(&b, expr_mul(b.g, b.x, ny), minus_xy);
    check(&b, expr_mul(b.g, nx, ny), xy);
    assert_int_equal(expr_div(b.g, nx, b.y), expr_neg(b.g, expr_div(b.g, b.x, b.y)));
    assert_int_equal(expr_div(b.g, nx, ny), expr_div(b.g, b.x, b.y));
    check(&b, expr_div(b.g, b.x, ny), minus_quotient);
    assert_int_equal(expr_sub(b.g, b.y, b.x), expr_neg(b.g, difference)); // one node for both
    assert_int_equal(expr_add(b.g, b.x, ny), difference);
    assert_int_equal(expr_sub(b.g, b.x, ny), expr_add(b.g, b.x, b.y));
    check(&b, expr_add(b.g, ny, b.x), x_minus_y);
    assert_int_equal(expr_add(b.g, nx, ny), expr_neg(b.g, expr_add(b.g, b.x, b.y)));
    check(&b, expr_sub(b.g, nx, b.y), minus_sum);
    const expr_id two = expr_const(b.g, 2.0), minus_two = expr_const(b.g, -2.0);
    assert_int_equal(expr_mul(b.g, minus_two, b.x), expr_neg(b.g, expr_mul(b.g, two, b.x)));
    assert_int_equal(expr_abs(b.g, nx), expr_abs(b.g, b.x));
    expr_graph_destroy(b.g);
}

FORMULA(sine, sinf128(X))
FORMULA(minus_sine, -sinf128(X))
FORMULA(cosine, cosf128(X))
FORMULA(minus_tangent, -tanf128(X))

static void odd_and_even_functions(void **state)
{
    (void)state;
    static const int odd[] = {EXPR_SIN, EXPR_TAN, EXPR_ASIN, EXPR_ATAN, EXPR_SINH, EXPR_TANH};
    bench b = make();
    const expr_id nx = expr_neg(b.g, b.x);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        assert_int_equal(expr_call(b.g, odd[i], nx, EXPR_NONE),
                         expr_neg(b.g, expr_call(b.g, odd[i], b.x, EXPR_NONE)));
    assert_int_equal(expr_cos(b.g, nx), expr_cos(b.g, b.x));
    assert_int_equal(expr_call(b.g, EXPR_COSH, nx, EXPR_NONE),
                     expr_call(b.g, EXPR_COSH, b.x, EXPR_NONE));
    assert_int_equal(op_of(&b, expr_call(b.g, EXPR_EXP, nx, EXPR_NONE)), EXPR_CALL);
    assert_int_equal(op_of(&b, expr_call(b.g, EXPR_ACOS, nx, EXPR_NONE)), EXPR_CALL);
    check(&b, expr_sin(b.g, b.x), sine);
    check(&b, expr_sin(b.g, nx), minus_sine);
    check(&b, expr_cos(b.g, nx), cosine);
    check(&b, expr_call(b.g, EXPR_TAN, nx, EXPR_NONE), minus_tangent);
    expr_graph_destroy(b.g);
}

// ---- what does not vary goes together ----------------------------------------------------------

FORMULA(prx, P *R *X)
FORMULA(prxy, P *R *X *Y)
FORMULA(x_over_p, X / P)
FORMULA(x_plus_pr, X + P + R)
FORMULA(p_minus_r_plus_x, P - R + X)
FORMULA(r_minus_p_plus_x, R - P + X)
FORMULA(sum_of_factors, (P + R) * X)
FORMULA(difference_of_factors, (P - R) * X)
FORMULA(three_x, 3 * X)
FORMULA(two_x, 2 * X)

// Operations on variables that a node needs: what `run` does at least.
static int varying(const bench *b, expr_id id)
{
    static bool needed[4096];
    int count = 0;
    assert_true(id < 4096);
    memset(needed, 0, sizeof needed);
    needed[id] = true;
    for (expr_id i = id + 1; i-- > 0;) {
        const expr_node *n = expr_node_at(b->g, i);
        if (!needed[i] || n->op <= EXPR_INPUT)
            continue;
        count += n->varies;
        needed[n->a] = true;
        if (n->b != EXPR_NONE)
            needed[n->b] = true;
    }
    return count;
}

static void parameters_go_outermost(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id one = expr_mul(g, b.p, expr_mul(g, b.r, b.x));
    assert_int_equal(varying(&b, one), 1); // p r belongs to prepare
    check(&b, one, prx);
    assert_int_equal(expr_mul(g, expr_mul(g, b.x, b.p), b.r), one);
    assert_int_equal(expr_mul(g, expr_mul(g, b.p, b.r), b.x), one);
    const expr_id two = expr_mul(g, expr_mul(g, b.p, b.x), expr_mul(g, b.r, b.y));
    assert_int_equal(varying(&b, two), 2);
    check(&b, two, prxy);
    const expr_id quotient = expr_div(g, b.x, b.p);
    assert_int_equal(op_of(&b, quotient), EXPR_MUL); // by 1/p of prepare
    assert_int_equal(varying(&b, quotient), 1);
    check(&b, quotient, x_over_p);
    const expr_id sum = expr_add(g, b.p, expr_add(g, b.x, b.r));
    assert_int_equal(varying(&b, sum), 1);
    assert_int_equal(expr_add(g, expr_add(g, b.r, b.p), b.x), sum);
    check(&b, sum, x_plus_pr);
    check(&b, expr_add(g, b.p, expr_sub(g, b.x, b.r)), p_minus_r_plus_x);
    assert_int_equal(varying(&b, expr_add(g, b.p, expr_sub(g, b.x, b.r))), 1);
    check(&b, expr_sub(g, b.r, expr_sub(g, b.p, b.x)), r_minus_p_plus_x);
    assert_int_equal(varying(&b, expr_sub(g, b.r, expr_sub(g, b.p, b.x))), 1);
    check(&b, expr_sub(g, expr_add(g, b.x, b.r), b.p), r_minus_p_plus_x);
    assert_int_equal(varying(&b, expr_sub(g, expr_add(g, b.x, b.r), b.p)), 1);
    expr_graph_destroy(b.g);
}

static void like_terms_are_collected(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id px = expr_mul(g, b.p, b.x), rx = expr_mul(g, b.r, b.x);
    assert_int_equal(varying(&b, expr_add(g, px, rx)), 1);
    check(&b, expr_add(g, px, rx), sum_of_factors);
    check(&b, expr_sub(g, px, rx), difference_of_factors);
    assert_int_equal(expr_sub(g, px, px), EXPR_ZERO);
    check(&b, expr_add(g, b.x, b.x), two_x);
    check(&b, expr_add(g, expr_add(g, b.x, b.x), b.x), three_x);
    assert_int_equal(varying(&b, expr_add(g, expr_add(g, b.x, b.x), b.x)), 1);
    assert_int_equal(expr_sub(g, expr_add(g, b.x, b.x), b.x), b.x);
    expr_graph_destroy(b.g);
}

// ---- quotients, powers, roots ------------------------------------------------------------------

FORMULA(x5, X *X *X *X *X)
FORMULA(x_minus_3, 1 / (X * X * X))
FORMULA(x_half, sqrtf128(X))
FORMULA(x_minus_half, 1 / sqrtf128(X))
FORMULA(x_two_and_half, X *X *sqrtf128(X))

static void quotients_and_powers(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id product = expr_mul(g, b.x, b.y);
    assert_int_equal(expr_div(g, product, b.y), b.x);
    assert_int_equal(expr_div(g, product, b.x), b.y);
    assert_int_equal(expr_div(g, b.x, expr_div(g, EXPR_ONE, b.y)), product);
    const expr_id root = expr_sqrt(g, b.x);
    assert_int_equal(expr_mul(g, root, root), b.x);
    assert_int_equal(expr_square(g, root), b.x);
    assert_int_equal(expr_sqrt(g, expr_square(g, b.x)), expr_abs(g, b.x));
    assert_int_equal(expr_abs(g, expr_abs(g, b.x)), expr_abs(g, b.x));
    assert_int_equal(expr_abs(g, root), root);
    assert_int_equal(expr_floor(g, expr_floor(g, b.x)), expr_floor(g, b.x));
    assert_int_equal(expr_square(g, b.x), expr_mul(g, b.x, b.x));
    check(&b, expr_power_int(g, b.x, 5), x5);
    assert_int_equal(varying(&b, expr_power_int(g, b.x, 5)), 3); // x2, x4, x5
    assert_int_equal(varying(&b, expr_power_int(g, b.x, 16)), 4);
    check(&b, expr_power_int(g, b.x, -3), x_minus_3);
    assert_int_equal(expr_power(g, b.x, expr_const(g, 5.0)), expr_power_int(g, b.x, 5));
    assert_int_equal(expr_power(g, b.x, expr_const(g, -3.0)), expr_power_int(g, b.x, -3));
    check(&b, expr_power(g, b.x, expr_const(g, 0.5)), x_half);
    check(&b, expr_power(g, b.x, expr_const(g, -0.5)), x_minus_half);
    check(&b, expr_power(g, b.x, expr_const(g, 2.5)), x_two_and_half);
    assert_int_equal(op_of(&b, expr_power(g, b.x, expr_const(g, 0.3))), EXPR_CALL);
    assert_int_equal(op_of(&b, expr_power(g, b.x, b.y)), EXPR_CALL);
    expr_graph_destroy(b.g);
}

// ---- sines and cosines -------------------------------------------------------------------------

FORMULA(sine_sum, sinf128(X + Y))
FORMULA(sine_difference, sinf128(X - Y))
FORMULA(cosine_sum, cosf128(X + Y))
FORMULA(cosine_difference, cosf128(X - Y))
FORMULA(sine_of_three, sinf128(X + Y + Z))

static void addition_theorems(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id sx = expr_sin(g, b.x), cx = expr_cos(g, b.x);
    const expr_id sy = expr_sin(g, b.y), cy = expr_cos(g, b.y);
    const expr_id sxcy = expr_mul(g, sx, cy), cxsy = expr_mul(g, cx, sy);
    const expr_id cxcy = expr_mul(g, cx, cy), sxsy = expr_mul(g, sx, sy);
    const expr_id sum = expr_add(g, b.x, b.y), difference = expr_sub(g, b.x, b.y);
    assert_int_equal(expr_add(g, sxcy, cxsy), expr_sin(g, sum));
    assert_int_equal(expr_add(g, cxsy, sxcy), expr_sin(g, sum));
    assert_int_equal(expr_sub(g, sxcy, cxsy), expr_sin(g, difference));
    assert_int_equal(expr_sub(g, cxsy, sxcy), expr_neg(g, expr_sin(g, difference)));
    assert_int_equal(expr_sub(g, cxcy, sxsy), expr_cos(g, sum));
    assert_int_equal(expr_sub(g, sxsy, cxcy), expr_neg(g, expr_cos(g, sum)));
    assert_int_equal(expr_add(g, cxcy, sxsy), expr_cos(g, difference));
    check(&b, expr_add(g, sxcy, cxsy), sine_sum);
    check(&b, expr_sub(g, sxcy, cxsy), sine_difference);
    check(&b, expr_sub(g, cxcy, sxsy), cosine_sum);
    check(&b, expr_add(g, sxsy, cxcy), cosine_difference);
    // The other pairs are no theorem.
    assert_int_equal(op_of(&b, expr_add(g, sxcy, cxcy)), EXPR_ADD);
    assert_int_equal(op_of(&b, expr_add(g, sxcy, sxsy)), EXPR_ADD);
    expr_graph_destroy(b.g);
}

// The product of rotations about parallel axes is one rotation by the sum of the angles.
static void parallel_axes(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id angle[3] = {b.x, b.y, b.z};
    expr_id s = expr_sin(g, b.x), c = expr_cos(g, b.x);
    for (int i = 1; i < 3; i++) {
        const expr_id si = expr_sin(g, angle[i]), ci = expr_cos(g, angle[i]);
        const expr_id new_s = expr_add(g, expr_mul(g, s, ci), expr_mul(g, c, si));
        c = expr_sub(g, expr_mul(g, c, ci), expr_mul(g, s, si));
        s = new_s;
    }
    const expr_id sum = expr_add(g, expr_add(g, b.x, b.y), b.z);
    assert_int_equal(s, expr_sin(g, sum));
    assert_int_equal(c, expr_cos(g, sum));
    check(&b, s, sine_of_three);
    expr_graph_destroy(b.g);
}

FORMULA(cosine_squared, cosf128(X) * cosf128(X))
FORMULA(sine_squared, sinf128(X) * sinf128(X))
FORMULA(double_angle, cosf128(X) * cosf128(X) - sinf128(X) * sinf128(X))

static void squares_of_sine_and_cosine(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id s2 = expr_square(g, expr_sin(g, b.x)), c2 = expr_square(g, expr_cos(g, b.x));
    assert_int_equal(expr_add(g, s2, c2), EXPR_ONE);
    assert_int_equal(expr_add(g, c2, s2), EXPR_ONE);
    assert_int_equal(expr_sub(g, EXPR_ONE, s2), c2);
    assert_int_equal(expr_sub(g, EXPR_ONE, c2), s2);
    check(&b, expr_sub(g, EXPR_ONE, s2), cosine_squared);
    check(&b, expr_sub(g, EXPR_ONE, c2), sine_squared);
    check(&b, expr_sub(g, c2, s2), double_angle); // stays as it is: a double angle costs a call
    assert_int_equal(op_of(&b, expr_add(g, s2, s2)), EXPR_MUL);
    const expr_id other = expr_square(g, expr_cos(g, b.y));
    assert_int_equal(op_of(&b, expr_add(g, s2, other)), EXPR_ADD);
    expr_graph_destroy(b.g);
}

// ---- truths ------------------------------------------------------------------------------------

FORMULA(if_less, X < Y ? Z : W)
FORMULA(either, (X < Y || Z < W) ? 1 : 0)
FORMULA(both, (X < Y && Z < W) ? 1 : 0)

static void truths(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id less = expr_less(g, b.x, b.y), other = expr_less(g, b.z, b.w);
    assert_int_equal(expr_and(g, less, less), less);
    assert_int_equal(expr_or(g, less, less), less);
    assert_int_equal(expr_and(g, less, EXPR_ONE), less);
    assert_int_equal(expr_and(g, EXPR_ZERO, less), EXPR_ZERO);
    assert_int_equal(expr_or(g, less, EXPR_ZERO), less);
    assert_int_equal(expr_or(g, EXPR_ONE, less), EXPR_ONE);
    assert_int_equal(expr_or(g, less, expr_const(g, 3.0)), EXPR_ONE);
    assert_int_equal(expr_and(g, less, EXPR_ZERO), EXPR_ZERO);
    assert_int_equal(expr_and(g, expr_const(g, 3.0), less), less);
    assert_int_equal(expr_and(g, less, other), expr_and(g, other, less));
    assert_int_equal(expr_equal(g, b.x, b.y), expr_equal(g, b.y, b.x));
    const expr_id chosen = expr_select(g, less, b.z, b.w);
    assert_int_equal(expr_select(g, expr_not(g, less), b.w, b.z), chosen);
    check(&b, chosen, if_less);
    check(&b, expr_or(g, less, other), either);
    check(&b, expr_and(g, less, other), both);
    // What is not 0 is true, and the result is 1, not the number.
    double v[INPUTS] = {2.5, 0.0, -3.0};
    assert_true(at(&b, expr_and(g, b.x, EXPR_ONE), v) == 1);
    assert_true(at(&b, expr_and(g, b.x, b.z), v) == 1);
    assert_true(at(&b, expr_and(g, b.x, b.y), v) == 0);
    assert_true(at(&b, expr_or(g, b.y, EXPR_ZERO), v) == 0);
    assert_true(at(&b, expr_and(g, b.x, b.x), v) == 1);
    assert_true(at(&b, expr_not(g, b.y), v) == 1);
    assert_int_not_equal(expr_min(g, b.x, b.y), expr_min(g, b.y, b.x)); // not the same for a NaN
    expr_graph_destroy(b.g);
}

// ---- random expressions: built with simplification and evaluated as written ---------------------

typedef struct grown {
    expr_id id;
    quad value;
} grown;

static grown grow(const bench *b, unsigned long long *seed, const grown *pool, int count)
{
    expr_graph *g = b->g;
    const grown u = pool[sample_random(seed) % (unsigned)count];
    const grown v = pool[sample_random(seed) % (unsigned)count];
    switch (sample_random(seed) % 10) {
    case 0:
    case 1:
        return (grown){expr_add(g, u.id, v.id), u.value + v.value};
    case 2:
    case 3:
        return (grown){expr_sub(g, u.id, v.id), u.value - v.value};
    case 4:
    case 5:
        return (grown){expr_mul(g, u.id, v.id), u.value * v.value};
    case 6:
        return (grown){expr_sin(g, u.id), sinf128(u.value)};
    case 7:
        return (grown){expr_cos(g, u.id), cosf128(u.value)};
    case 8:
        return (grown){expr_neg(g, u.id), -u.value};
    default: {
        const expr_id bottom = expr_add(g, EXPR_ONE, expr_square(g, v.id));
        return (grown){expr_div(g, u.id, bottom), u.value / (1 + v.value * v.value)};
    }
    }
}

static void random_expressions_keep_their_value(void **state)
{
    (void)state;
    unsigned long long seed = 99;
    int compared = 0;
    for (int round = 0; round < 300; round++) {
        bench b = make();
        double v[INPUTS];
        grown pool[80];
        const expr_id inputs[INPUTS] = {b.x, b.y, b.z, b.w, b.p, b.r, b.s};
        for (int i = 0; i < INPUTS; i++) {
            v[i] = sample_uniform(&seed, -1.5, 1.5);
            pool[i] = (grown){inputs[i], v[i]};
        }
        for (int i = INPUTS; i < 80; i++) {
            pool[i] = grow(&b, &seed, pool, i);
            const quad size = pool[i].value < 0 ? -pool[i].value : pool[i].value;
            if (size > 1e4) // keeps sines meaningful
                pool[i] = pool[i % INPUTS];
        }
        for (int i = INPUTS; i < 80; i++) {
            const quad got = at(&b, pool[i].id, v), e = got - pool[i].value;
            if ((e < 0 ? -e : e) > 1e-10) // sines of constants are folded to 53 bits
                fail_msg("round %d, expression %d: %.17g, expected %.17g", round, i, (double)got,
                         (double)pool[i].value);
            compared++;
        }
        expr_graph_destroy(b.g);
    }
    assert_true(compared > 20000);
}

// ---- copies, labels, limits --------------------------------------------------------------------

static void copies_into_another_graph(void **state)
{
    (void)state;
    bench b = make(), other = make();
    expr_graph *g = b.g;
    const expr_id angle = expr_add(g, b.x, expr_mul(g, b.p, b.y));
    const expr_id f = expr_select(g, expr_less(g, b.x, b.y), expr_sin(g, angle),
                                  expr_div(g, expr_sqrt(g, b.z), expr_add(g, b.w, EXPR_ONE)));
    expr_label(g, angle, "angle");
    const expr_id o[INPUTS] = {other.y, other.x, expr_square(other.g, other.z), EXPR_ZERO, other.p,
                               other.r, other.s};
    expr_id memo[64];
    assert_true(expr_node_count(g) <= 64);
    memset(memo, 0xff, sizeof memo);
    const expr_id copy = expr_copy(other.g, g, f, o, memo);
    unsigned long long seed = 3;
    for (int i = 0; i < 20; i++) {
        double v[INPUTS];
        for (int k = 0; k < INPUTS; k++)
            v[k] = sample_uniform(&seed, 0.1, 2.0);
        const double swapped[INPUTS] = {v[1], v[0], v[2] * v[2], 0.0, v[4], v[5], v[6]};
        const quad e = at(&other, copy, v) - at(&b, f, swapped);
        assert_true((e < 0 ? -e : e) < 1e-15);
    }
    assert_string_equal(expr_label_of(other.g, memo[angle]), "angle");
    const uint32_t count = expr_node_count(other.g);
    assert_int_equal(expr_copy(other.g, g, f, o, memo), copy);
    assert_int_equal(expr_node_count(other.g), count);
    expr_graph_destroy(b.g);
    expr_graph_destroy(other.g);
}

// Of every operation, into an empty graph with the same inputs.
static void copies_of_every_operation(void **state)
{
    (void)state;
    for (unsigned long long round = 1; round <= 10; round++) {
        bench b = make(), other = make();
        unsigned long long seed = round;
        expr_id pool[300] = {b.x, b.y, b.z, b.w, b.p, b.r, b.s}, memo[4096];
        const expr_id inputs[INPUTS] = {other.x, other.y, other.z, other.w,
                                        other.p, other.r, other.s};
        for (int i = INPUTS; i < 300; i++)
            pool[i] = random_node(b.g, &seed, pool, i);
        assert_true(expr_node_count(b.g) <= 4096);
        memset(memo, 0xff, sizeof memo);
        double v[INPUTS];
        for (int i = 0; i < INPUTS; i++)
            v[i] = sample_uniform(&seed, -1.5, 1.5);
        for (int i = INPUTS; i < 300; i++) {
            const expr_id copy = expr_copy(other.g, b.g, pool[i], inputs, memo);
            const quad want = at(&b, pool[i], v), e = at(&other, copy, v) - want;
            assert_true((e < 0 ? -e : e) <= 1e-25 * (1 + (want < 0 ? -want : want)));
        }
        assert_true(expr_node_count(other.g) <= expr_node_count(b.g));
        expr_graph_destroy(b.g);
        expr_graph_destroy(other.g);
    }
}

static void names_and_labels(void **state)
{
    (void)state;
    bench b = make();
    assert_int_equal(expr_input_count(b.g), INPUTS);
    assert_string_equal(expr_input_name(b.g, 1), "y");
    assert_int_equal(expr_input_class(b.g, 4), EXPR_PARAMETER);
    assert_int_equal(expr_input_node(b.g, 2), b.z);
    assert_int_equal(expr_node_input(b.g, b.w), 3);
    assert_int_equal(expr_node_input(b.g, expr_add(b.g, b.x, b.y)), -1);
    const expr_id sum = expr_add(b.g, b.x, b.y);
    assert_null(expr_label_of(b.g, sum));
    expr_label(b.g, sum, "first");
    expr_label(b.g, sum, "second");
    expr_label(b.g, b.x, "not for inputs");
    assert_string_equal(expr_label_of(b.g, sum), "first");
    assert_null(expr_label_of(b.g, b.x));
    expr_graph_destroy(b.g);
}

static void a_full_graph_says_so(void **state)
{
    (void)state;
    bench b = make();
    mc_error error = {0};
    assert_int_equal(expr_graph_status(b.g, &error), MC_OK);
    expr_graph_limit(b.g, 40);
    expr_id last = b.x;
    for (int i = 0; i < 100; i++)
        last = expr_sin(b.g, last);
    assert_int_equal(last, EXPR_ZERO);
    assert_int_equal(expr_node_count(b.g), 40);
    assert_int_equal(expr_graph_status(b.g, &error), MC_FAILED);
    assert_non_null(strstr(error.text, "40"));
    assert_int_equal(expr_add(b.g, b.x, b.y), EXPR_ZERO);
    expr_graph_destroy(b.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_exist_once),
        cmocka_unit_test(earlier_node_first),
        cmocka_unit_test(children_come_first),
        cmocka_unit_test(constants_fold),
        cmocka_unit_test(zeros_and_ones_vanish),
        cmocka_unit_test(signs_move_outwards),
        cmocka_unit_test(odd_and_even_functions),
        cmocka_unit_test(parameters_go_outermost),
        cmocka_unit_test(like_terms_are_collected),
        cmocka_unit_test(quotients_and_powers),
        cmocka_unit_test(addition_theorems),
        cmocka_unit_test(parallel_axes),
        cmocka_unit_test(squares_of_sine_and_cosine),
        cmocka_unit_test(truths),
        cmocka_unit_test(random_expressions_keep_their_value),
        cmocka_unit_test(copies_into_another_graph),
        cmocka_unit_test(copies_of_every_operation),
        cmocka_unit_test(names_and_labels),
        cmocka_unit_test(a_full_graph_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
