// value.c - what an operation means, for numbers.
#include "expr/function.h"

#include <math.h>

double expr_node_value(const expr_node *n, const double *v)
{
    const double a = n->a != EXPR_NONE && n->op != EXPR_INPUT ? v[n->a] : 0.0;
    const double b = n->b != EXPR_NONE ? v[n->b] : 0.0;
    switch ((expr_op)n->op) {
    case EXPR_CONST:
        return n->value;
    case EXPR_NEG:
        return -a;
    case EXPR_ADD:
        return a + b;
    case EXPR_SUB:
        return a - b;
    case EXPR_MUL:
        return a * b;
    case EXPR_DIV:
        return a / b;
    case EXPR_SQRT:
        return sqrt(a);
    case EXPR_ABS:
        return fabs(a);
    case EXPR_FLOOR:
        return floor(a);
    case EXPR_MIN:
        return a < b ? a : b;
    case EXPR_MAX:
        return a > b ? a : b;
    case EXPR_LESS:
        return a < b;
    case EXPR_LEQ:
        return a <= b;
    case EXPR_EQUAL:
        return a == b;
    case EXPR_AND:
        return a != 0.0 && b != 0.0;
    case EXPR_OR:
        return a != 0.0 || b != 0.0;
    case EXPR_NOT:
        return a == 0.0;
    case EXPR_SELECT:
        return a != 0.0 ? b : v[n->c];
    case EXPR_CALL:
        return expr_function_value((int)n->c, a, b);
    default:
        return NAN;
    }
}
