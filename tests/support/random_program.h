// random_program.h - programs made of every operation, for tests of everything that runs programs.
#pragma once

#include "expr/function.h"
#include "expr/program.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

typedef struct random_program {
    expr_graph *graph;
    expr_program *program;
} random_program;

enum { RANDOM_VARIABLES = 12, RANDOM_PARAMETERS = 6, RANDOM_OUTPUTS = 10 };

// The result of a random operation on existing nodes. Values stay of order 1: products and
// quotients are of bounded values.
static inline expr_id random_node(expr_graph *g, unsigned long long *seed, const expr_id *pool,
                                  int count)
{
    const int recent = count < 40 ? count : 40; // mostly what was made lately: long chains
#define PICK                                                                                       \
    pool[sample_random(seed) % 3 ? count - 1 - (int)(sample_random(seed) % (unsigned)recent)       \
                                 : (int)(sample_random(seed) % (unsigned)count)]
    const expr_id a = PICK, b = PICK, c = PICK;
#undef PICK
    const expr_id unit = expr_div(g, a, expr_add(g, EXPR_ONE, expr_square(g, a))); // |.| <= 1/2
    switch (sample_random(seed) % 40) {
    case 0:
        return expr_div(g, a, expr_add(g, EXPR_ONE, expr_square(g, b)));
    case 1:
        return expr_sqrt(g, expr_add(g, expr_abs(g, a), expr_const(g, 0.25)));
    case 2:
        return expr_floor(g, expr_mul(g, a, expr_const(g, 3.0)));
    case 3:
        return expr_min(g, a, b);
    case 4:
        return expr_max(g, a, b);
    case 5:
        return expr_select(g, expr_less(g, a, b), b, c);
    case 6:
        return expr_select(g, expr_leq(g, a, b), c, a);
    case 7:
        return expr_and(g, expr_less(g, a, b), expr_floor(g, c));
    case 8:
        return expr_or(g, expr_not(g, expr_floor(g, a)), expr_equal(g, b, c));
    case 9:
        return expr_call(g, EXPR_TAN, unit, EXPR_NONE);
    case 10:
        return expr_call(g, EXPR_ASIN, unit, EXPR_NONE);
    case 11:
        return expr_call(g, EXPR_ACOS, unit, EXPR_NONE);
    case 12:
        return expr_call(g, EXPR_ATAN, a, EXPR_NONE);
    case 13:
        return expr_call(g, EXPR_ATAN2, a, b);
    case 14:
        return expr_call(g, EXPR_SINH, unit, EXPR_NONE);
    case 15:
        return expr_call(g, EXPR_COSH, unit, EXPR_NONE);
    case 16:
        return expr_call(g, EXPR_TANH, a, EXPR_NONE);
    case 17:
        return expr_call(g, EXPR_EXP, unit, EXPR_NONE);
    case 18:
        return expr_call(g, EXPR_LOG, expr_add(g, EXPR_ONE, expr_abs(g, a)), EXPR_NONE);
    case 19:
        return expr_call(g, EXPR_LOG10, expr_add(g, EXPR_ONE, expr_abs(g, a)), EXPR_NONE);
    case 20:
        return expr_call(g, EXPR_POW, expr_add(g, EXPR_ONE, expr_abs(g, unit)), unit);
    case 21:
        return expr_call(g, EXPR_HYPOT, a, b);
    case 22:
        return expr_sin(g, a);
    case 23:
        return expr_cos(g, b);
    case 24:
        return expr_mul(g, expr_sin(g, a), expr_cos(g, a));
    case 25:
        return expr_neg(g, expr_abs(g, a));
    case 26:
    case 27:
        return expr_sub(g, expr_mul(g, unit, b), c);
    case 28:
    case 29:
        return expr_sub(g, c, expr_mul(g, unit, b));
    case 30:
    case 31:
        return expr_sub(g, a, b);
    case 32:
    case 33:
        return expr_mul(g, unit, b);
    case 34:
        return expr_mul(g, a, expr_const(g, sample_uniform(seed, -1.0, 1.0)));
    default:
        return expr_add(g, expr_mul(g, unit, b), c);
    }
}

// About `size` operations, the last RANDOM_OUTPUTS results and some plain operands as outputs.
static inline random_program random_program_make(unsigned long long seed, int size)
{
    random_program r = {.graph = expr_graph_create()};
    assert_non_null(r.graph);
    expr_id *pool = test_malloc((size_t)(size + 64) * sizeof *pool);
    int count = 0;
    for (int i = 0; i < RANDOM_PARAMETERS; i++)
        pool[count++] = expr_input(r.graph, "p", EXPR_PARAMETER);
    for (int i = 0; i < 10; i++, count++)
        pool[count] = random_node(r.graph, &seed, pool, count);
    for (int i = 0; i < RANDOM_VARIABLES; i++)
        pool[count++] = expr_input(r.graph, "x", EXPR_VARIABLE);
    for (int i = 0; i < size; i++, count++)
        pool[count] = random_node(r.graph, &seed, pool, count);
    mc_error error = {0};
    assert_int_equal(expr_graph_status(r.graph, &error), MC_OK);

    expr_id outputs[RANDOM_OUTPUTS + 4];
    for (int i = 0; i < RANDOM_OUTPUTS; i++)
        outputs[i] = pool[count - 1 - i];
    outputs[RANDOM_OUTPUTS] = expr_const(r.graph, 0.1);         // a constant
    outputs[RANDOM_OUTPUTS + 1] = pool[0];                      // a parameter
    outputs[RANDOM_OUTPUTS + 2] = pool[RANDOM_PARAMETERS + 10]; // a variable
    outputs[RANDOM_OUTPUTS + 3] = pool[count - 1];              // the same again
    r.program = expr_program_build(r.graph, outputs, NULL, RANDOM_OUTPUTS + 4, &error);
    if (!r.program)
        fail_msg("%s", error.text);
    test_free(pool);
    return r;
}

static inline void random_program_free(random_program *r)
{
    expr_program_destroy(r->program);
    expr_graph_destroy(r->graph);
}

static inline bool same_bits(double a, double b) // any NaN is like any other
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}
