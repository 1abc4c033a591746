// graph_value.c - values of graphs, node by node: children come first, so no recursion is needed.
#include "support/graph_value.h"

#include "base/assert.h"
#include "expr/function.h"

#include <math.h>
#include <stdlib.h>

// glibc has these in libm; its header declares them for gcc only.
quad sinf128(quad), cosf128(quad), tanf128(quad), asinf128(quad), acosf128(quad), atanf128(quad);
quad atan2f128(quad, quad), sinhf128(quad), coshf128(quad), tanhf128(quad), expf128(quad);
quad logf128(quad), log10f128(quad), powf128(quad, quad), hypotf128(quad, quad), sqrtf128(quad);
quad floorf128(quad);

// WALK defines the evaluator for one type: CALL(f) is the libm function f of that type.
#define WALK(name, type, CALL)                                                                     \
    static type name##_call(int function, type a, type b)                                          \
    {                                                                                              \
        switch ((expr_function)function) {                                                         \
        case EXPR_SIN:                                                                             \
            return CALL(sin)(a);                                                                   \
        case EXPR_COS:                                                                             \
            return CALL(cos)(a);                                                                   \
        case EXPR_TAN:                                                                             \
            return CALL(tan)(a);                                                                   \
        case EXPR_ASIN:                                                                            \
            return CALL(asin)(a);                                                                  \
        case EXPR_ACOS:                                                                            \
            return CALL(acos)(a);                                                                  \
        case EXPR_ATAN:                                                                            \
            return CALL(atan)(a);                                                                  \
        case EXPR_ATAN2:                                                                           \
            return CALL(atan2)(a, b);                                                              \
        case EXPR_SINH:                                                                            \
            return CALL(sinh)(a);                                                                  \
        case EXPR_COSH:                                                                            \
            return CALL(cosh)(a);                                                                  \
        case EXPR_TANH:                                                                            \
            return CALL(tanh)(a);                                                                  \
        case EXPR_EXP:                                                                             \
            return CALL(exp)(a);                                                                   \
        case EXPR_LOG:                                                                             \
            return CALL(log)(a);                                                                   \
        case EXPR_LOG10:                                                                           \
            return CALL(log10)(a);                                                                 \
        case EXPR_POW:                                                                             \
            return CALL(pow)(a, b);                                                                \
        case EXPR_HYPOT:                                                                           \
            return CALL(hypot)(a, b);                                                              \
        default:                                                                                   \
            mc_assert(false && "a function of the oracle");                                        \
            return 0;                                                                              \
        }                                                                                          \
    }                                                                                              \
    static type name##_node(const expr_node *n, const type *v, const type *inputs)                 \
    {                                                                                              \
        const type a = n->op > EXPR_INPUT ? v[n->a] : 0;                                           \
        const type b = n->op > EXPR_INPUT && n->b != EXPR_NONE ? v[n->b] : 0;                      \
        switch ((expr_op)n->op) {                                                                  \
        case EXPR_CONST:                                                                           \
            return n->value;                                                                       \
        case EXPR_INPUT:                                                                           \
            return inputs[n->a];                                                                   \
        case EXPR_NEG:                                                                             \
            return -a;                                                                             \
        case EXPR_ADD:                                                                             \
            return a + b;                                                                          \
        case EXPR_SUB:                                                                             \
            return a - b;                                                                          \
        case EXPR_MUL:                                                                             \
            return a * b;                                                                          \
        case EXPR_DIV:                                                                             \
            return a / b;                                                                          \
        case EXPR_SQRT:                                                                            \
            return CALL(sqrt)(a);                                                                  \
        case EXPR_ABS:                                                                             \
            return a < 0 ? -a : a;                                                                 \
        case EXPR_FLOOR:                                                                           \
            return CALL(floor)(a);                                                                 \
        case EXPR_MIN:                                                                             \
            return a < b ? a : b;                                                                  \
        case EXPR_MAX:                                                                             \
            return a > b ? a : b;                                                                  \
        case EXPR_LESS:                                                                            \
            return a < b;                                                                          \
        case EXPR_LEQ:                                                                             \
            return a <= b;                                                                         \
        case EXPR_EQUAL:                                                                           \
            return a == b;                                                                         \
        case EXPR_AND:                                                                             \
            return a != 0 && b != 0;                                                               \
        case EXPR_OR:                                                                              \
            return a != 0 || b != 0;                                                               \
        case EXPR_NOT:                                                                             \
            return a == 0;                                                                         \
        case EXPR_SELECT:                                                                          \
            return a != 0 ? b : v[n->c];                                                           \
        case EXPR_CALL:                                                                            \
            return name##_call((int)n->c, a, b);                                                   \
        default:                                                                                   \
            mc_assert(false && "an operation of a graph");                                         \
            return 0;                                                                              \
        }                                                                                          \
    }                                                                                              \
    type name(const expr_graph *g, expr_id id, const type *inputs)                                 \
    {                                                                                              \
        mc_assert(id < expr_node_count(g));                                                        \
        type *v = malloc(((size_t)id + 1) * sizeof *v);                                            \
        mc_assert(v);                                                                              \
        for (expr_id i = 0; i <= id; i++)                                                          \
            v[i] = name##_node(expr_node_at(g, i), v, inputs);                                     \
        const type result = v[id];                                                                 \
        free(v);                                                                                   \
        return result;                                                                             \
    }

#define PLAIN(f) f
#define QUAD(f) f##f128
WALK(graph_value, double, PLAIN)
WALK(graph_value_quad, quad, QUAD)

void graph_values_quad(const expr_graph *g, const quad *inputs, quad *value)
{
    for (expr_id i = 0; i < expr_node_count(g); i++)
        value[i] = graph_value_quad_node(expr_node_at(g, i), value, inputs);
}
