// test_differentiate.c - derivatives against differences in 113 bits, for every operation and every
// function; what vanishes is not even built.
#include "expr/differentiate.h"
#include "expr/function.h"
#include "support/graph_value.h"
#include "support/random_program.h"

#include <math.h>
#include <stdlib.h>

enum { INPUTS = 4 };

typedef struct bench {
    expr_graph *g;
    expr_id v[INPUTS];
} bench;

static bench make(void)
{
    bench b = {.g = expr_graph_create()};
    assert_non_null(b.g);
    static const char *const names[INPUTS] = {"x", "y", "z", "w"};
    for (int i = 0; i < INPUTS; i++)
        b.v[i] = expr_input(b.g, names[i], EXPR_VARIABLE);
    return b;
}

static quad size_of(quad a)
{
    return a < 0 ? -a : a;
}

// df/d(input), fourth order differences: rounding and truncation are both below 1e-24.
static quad slope(const expr_graph *g, expr_id id, quad *v, int input)
{
    const quad h = 1e-7, keep = v[input];
    quad f[4];
    for (int s = 0; s < 4; s++) {
        static const int step[4] = {-2, -1, 1, 2};
        v[input] = keep + step[s] * h;
        f[s] = graph_value_quad(g, id, v);
    }
    v[input] = keep;
    return (f[0] - f[3] + 8 * (f[2] - f[1])) / (12 * h);
}

// All first derivatives of a node at random arguments; the worst error.
static double check(const bench *b, expr_id id, double low, double high)
{
    expr_id d[INPUTS];
    const int inputs[INPUTS] = {0, 1, 2, 3};
    mc_error error = {0};
    assert_int_equal(expr_jacobian(b->g, &id, 1, inputs, INPUTS, d, &error), MC_OK);
    unsigned long long seed = 8;
    quad worst = 0, largest = 0;
    for (int i = 0; i < 20; i++) {
        quad v[INPUTS];
        for (int k = 0; k < INPUTS; k++)
            v[k] = sample_uniform(&seed, low, high);
        for (int k = 0; k < INPUTS; k++) {
            const quad got = graph_value_quad(b->g, d[k], v), want = slope(b->g, id, v, k);
            const quad e = size_of(got - want) / (1 + size_of(want));
            if (!(e < 1e-15))
                fail_msg("node %u: derivative wrong by %.3g", id, (double)e);
            worst = e > worst ? e : worst;
            largest = size_of(want) > largest ? size_of(want) : largest;
        }
    }
    assert_true(largest > 1e-3); // there was something to see
    return (double)worst;
}

static void operations(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id x = b.v[0], y = b.v[1], z = b.v[2], w = b.v[3];
    const expr_id less = expr_less(g, x, y);
    const expr_id nodes[] = {
        expr_neg(g, x),
        expr_add(g, x, y),
        expr_sub(g, y, x),
        expr_mul(g, x, y),
        expr_square(g, x),
        expr_div(g, x, y),
        expr_div(g, EXPR_ONE, z),
        expr_sqrt(g, x),
        expr_abs(g, expr_sub(g, x, expr_mul(g, y, z))),
        expr_min(g, expr_mul(g, x, y), z),
        expr_max(g, expr_mul(g, x, y), z),
        expr_select(g, less, expr_mul(g, x, z), expr_div(g, y, w)),
        expr_add(g, x, expr_floor(g, expr_mul(g, expr_const(g, 3.0), y))),
        expr_power_int(g, x, 7),
        expr_power_int(g, y, -3),
        expr_power(g, x, expr_const(g, 1.5)),
        expr_mul(g, expr_mul(g, x, y), expr_mul(g, z, w)),
        expr_mul(g, x, expr_or(g, less, expr_not(g, expr_floor(g, z)))),
    };
    double worst = 0.0;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
        worst = fmax(worst, check(&b, nodes[i], 0.3, 1.8));
    print_message("operations: %.1e\n", worst);
    assert_true(worst < 1e-20);
    expr_graph_destroy(g);
}

static void functions(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int f = 0; f < EXPR_FUNCTION_COUNT; f++) {
        bench b = make();
        expr_graph *g = b.g;
        const expr_function_row *row = expr_function_at(f);
        // Arguments of both signs where the function takes them.
        const bool positive = f == EXPR_LOG || f == EXPR_LOG10 || f == EXPR_POW;
        const double low = positive ? 0.2 : -0.9, high = 0.9;
        const expr_id second = row->arity == 2 ? b.v[1] : EXPR_NONE;
        worst = fmax(worst, check(&b, expr_call(g, f, b.v[0], second), low, high));
        // Of a function, and as an argument.
        const expr_id inner = expr_mul(g, expr_const(g, 0.5), expr_mul(g, b.v[0], b.v[2]));
        const expr_id shifted = positive ? expr_add(g, expr_const(g, 0.5), inner) : inner;
        const expr_id other = row->arity == 2 ? expr_add(g, b.v[1], b.v[0]) : EXPR_NONE;
        worst = fmax(worst, check(&b, expr_call(g, f, shifted, other), low, high));
        worst =
            fmax(worst, check(&b, expr_mul(g, b.v[3], expr_call(g, f, b.v[0], second)), low, high));
        expr_graph_destroy(g);
    }
    print_message("functions: %.1e\n", worst);
}

// At a kink the derivative is that of the side the value is taken from.
static void kinks(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const int inputs[2] = {0, 1};
    const expr_id nodes[] = {expr_abs(g, b.v[0]), expr_min(g, b.v[0], b.v[1]),
                             expr_max(g, b.v[0], b.v[1]), expr_floor(g, b.v[0])};
    expr_id d[8];
    mc_error error = {0};
    assert_int_equal(expr_jacobian(g, nodes, 4, inputs, 2, d, &error), MC_OK);
    const double at[3][2] = {{0.0, 0.0}, {-2.0, -1.0}, {2.0, 1.0}};
    const double want[3][8] = {{1, 0, 0, 1, 0, 1, 0, 0}, // min and max give the second
                               {-1, 0, 1, 0, 0, 1, 0, 0},
                               {1, 0, 0, 1, 1, 0, 0, 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 8; k++) {
            const double v[INPUTS] = {at[i][0], at[i][1]};
            assert_true(graph_value(g, d[k], v) == want[i][k]);
        }
    expr_graph_destroy(g);
}

static void what_vanishes_is_not_built(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    expr_id f = expr_sin(g, expr_mul(g, b.v[0], b.v[1]));
    for (int i = 0; i < 20; i++)
        f = expr_add(g, expr_mul(g, f, b.v[0]), expr_cos(g, f));
    const uint32_t count = expr_node_count(g);
    const int unused[2] = {2, 3};
    expr_id d[2] = {7, 7};
    mc_error error = {0};
    assert_int_equal(expr_jacobian(g, &f, 1, unused, 2, d, &error), MC_OK);
    assert_int_equal(d[0], EXPR_ZERO);
    assert_int_equal(d[1], EXPR_ZERO);
    assert_int_equal(expr_node_count(g), count);
    const expr_id flat = expr_less(g, b.v[0], b.v[1]);
    const int used[2] = {0, 1};
    assert_int_equal(expr_jacobian(g, &flat, 1, used, 2, d, &error), MC_OK);
    assert_int_equal(d[0], EXPR_ZERO);
    assert_int_equal(d[1], EXPR_ZERO);
    assert_int_equal(expr_jacobian(g, &b.v[0], 1, used, 2, d, &error), MC_OK);
    assert_int_equal(d[0], EXPR_ONE);
    expr_graph_destroy(g);
}

// A direction is the Jacobian times the seed, keeps what it made, and takes later inputs as still.
static void directions(void **state)
{
    (void)state;
    bench b = make();
    expr_graph *g = b.g;
    const expr_id seed[INPUTS] = {b.v[2], expr_const(g, 0.5), EXPR_ZERO, expr_sin(g, b.v[0])};
    expr_direction *along = expr_direction_create(g, seed);
    assert_non_null(along);
    const expr_id late = expr_input(g, "late", EXPR_VARIABLE);
    const expr_id f = expr_mul(g, expr_add(g, expr_sin(g, b.v[0]), expr_mul(g, b.v[1], late)),
                               expr_div(g, b.v[3], expr_add(g, EXPR_ONE, expr_square(g, b.v[2]))));
    const expr_id rate = expr_along(along, f);
    const uint32_t count = expr_node_count(g);
    assert_int_equal(expr_along(along, f), rate);
    assert_int_equal(expr_node_count(g), count);
    assert_int_equal(expr_along(along, late), EXPR_ZERO);
    const int inputs[INPUTS] = {0, 1, 2, 3};
    expr_id J[INPUTS];
    mc_error error = {0};
    assert_int_equal(expr_jacobian(g, &f, 1, inputs, INPUTS, J, &error), MC_OK);
    unsigned long long random = 5;
    for (int i = 0; i < 10; i++) {
        quad v[INPUTS + 1], sum = 0;
        for (int k = 0; k <= INPUTS; k++)
            v[k] = sample_uniform(&random, -1.0, 1.0);
        for (int k = 0; k < INPUTS; k++)
            sum += graph_value_quad(g, J[k], v) * graph_value_quad(g, seed[k], v);
        assert_true(size_of(sum - graph_value_quad(g, rate, v)) < 1e-28);
    }
    expr_direction_destroy(along);
    expr_graph_destroy(g);
}

// Large graphs of every operation: first derivatives by differences, second ones symmetric.
static void random_graphs(void **state)
{
    (void)state;
    int compared = 0, singular = 0;
    quad worst = 0;
    for (unsigned long long round = 1; round <= 30; round++) {
        bench b = make();
        unsigned long long seed = round;
        expr_id pool[90];
        int count = 0;
        for (; count < INPUTS; count++)
            pool[count] = b.v[count];
        for (; count < 90; count++)
            pool[count] = random_node(b.g, &seed, pool, count);
        const int inputs[INPUTS] = {0, 1, 2, 3};
        expr_id first[2 * INPUTS], second[2 * INPUTS * INPUTS];
        mc_error error = {0};
        assert_int_equal(expr_jacobian(b.g, pool + 88, 2, inputs, INPUTS, first, &error), MC_OK);
        assert_int_equal(expr_jacobian(b.g, first, 2 * INPUTS, inputs, INPUTS, second, &error),
                         MC_OK);
        quad v[INPUTS];
        for (int k = 0; k < INPUTS; k++)
            v[k] = sample_uniform(&seed, -1.2, 1.2);
        for (int o = 0; o < 2; o++)
            for (int k = 0; k < INPUTS; k++) {
                const quad got = graph_value_quad(b.g, first[o * INPUTS + k], v);
                const quad want = slope(b.g, pool[88 + o], v, k);
                if (!(size_of(want) < 1e6) || got != got) { // a step; atan2 at the origin
                    singular++;
                    continue;
                }
                const quad e = size_of(got - want) / (1 + size_of(want));
                assert_true(e < 1e-12);
                worst = e > worst ? e : worst;
                compared++;
                for (int l = 0; l < k; l++) {
                    const quad a = graph_value_quad(b.g, second[(o * INPUTS + k) * INPUTS + l], v);
                    const quad c = graph_value_quad(b.g, second[(o * INPUTS + l) * INPUTS + k], v);
                    if (a != a || c != c)
                        singular++;
                    else
                        assert_true(size_of(a - c) <= 1e-12 * (1 + size_of(a)));
                }
            }
        expr_graph_destroy(b.g);
    }
    print_message("random graphs: %d derivatives, %.1e\n", compared, (double)worst);
    assert_true(compared > 200 && singular < 10);
}

// A full graph is reported, not differentiated wrongly.
static void full_graph(void **state)
{
    (void)state;
    bench b = make();
    const expr_id f = expr_call(b.g, EXPR_ASIN, expr_mul(b.g, b.v[0], b.v[1]), EXPR_NONE);
    expr_graph_limit(b.g, expr_node_count(b.g) + 1);
    const int inputs[2] = {0, 1};
    expr_id d[2];
    mc_error error = {0};
    assert_int_equal(expr_jacobian(b.g, &f, 1, inputs, 2, d, &error), MC_FAILED);
    expr_graph_destroy(b.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations), cmocka_unit_test(functions),
        cmocka_unit_test(kinks),      cmocka_unit_test(what_vanishes_is_not_built),
        cmocka_unit_test(directions), cmocka_unit_test(random_graphs),
        cmocka_unit_test(full_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
