// simplify.c - the constructors of graph.h: every rule that makes an expression simpler as it is
// built.
//
// Form of a node that leaves here:
// - A sum or product has the earlier node first. A difference too: b - a is -(a - b), so that both
//   are one node; signs move outwards through products and quotients and end in a sum.
// - A factor that does not vary (constants, parameters) stands outermost in a product and is merged
//   with its like, so that p (q x) costs one multiplication: p q belongs to `prepare`. The same for
//   sums. A divisor that does not vary becomes a factor.
// - Sines and cosines: s^2 + c^2 = 1, 1 - s^2 = c^2, and the four addition theorems, which turn the
//   product of rotations about parallel axes into one rotation by the sum of the angles.
#include "base/assert.h"
#include "expr/function.h"
#include "expr/graph_store.h"

#include <math.h>
#include <string.h>

static expr_id store2(expr_graph *g, expr_op op, expr_id a, expr_id b)
{
    return expr_store(g, (expr_node){.op = (uint8_t)op, .a = a, .b = b, .c = EXPR_NONE});
}

static expr_id store1(expr_graph *g, expr_op op, expr_id a)
{
    return store2(g, op, a, EXPR_NONE);
}

static bool is(const expr_graph *g, expr_id id, expr_op op)
{
    return g->nodes[id].op == op;
}

static bool varies(const expr_graph *g, expr_id id)
{
    return g->nodes[id].varies;
}

static double value_of(const expr_graph *g, expr_id id)
{
    return g->nodes[id].value;
}

static bool both_const(const expr_graph *g, expr_id a, expr_id b)
{
    return is(g, a, EXPR_CONST) && is(g, b, EXPR_CONST);
}

// Takes the sign off: returns x with id = x or id = -x.
static expr_id strip_sign(expr_graph *g, expr_id id, bool *negative)
{
    *negative = false;
    if (is(g, id, EXPR_NEG)) {
        *negative = true;
        return g->nodes[id].a;
    }
    if (is(g, id, EXPR_CONST) && value_of(g, id) < 0.0) {
        *negative = true;
        return expr_const(g, -value_of(g, id));
    }
    return id;
}

expr_id expr_const(expr_graph *g, double value)
{
    if (value == 0.0)
        value = 0.0; // -0 is 0
    return expr_store(
        g, (expr_node){
               .op = EXPR_CONST, .a = EXPR_NONE, .b = EXPR_NONE, .c = EXPR_NONE, .value = value});
}

bool expr_is_const(const expr_graph *g, expr_id id, double *value)
{
    mc_assert(id < g->count);
    if (!is(g, id, EXPR_CONST))
        return false;
    if (value)
        *value = value_of(g, id);
    return true;
}

expr_id expr_neg(expr_graph *g, expr_id a)
{
    if (is(g, a, EXPR_CONST))
        return expr_const(g, -value_of(g, a));
    if (is(g, a, EXPR_NEG))
        return g->nodes[a].a;
    return store1(g, EXPR_NEG, a);
}

// ---- products --------------------------------------------------------------------------------

// id = factor * rest with a factor that does not vary: what prepare can hold.
static bool split_factor(const expr_graph *g, expr_id id, expr_id *factor, expr_id *rest)
{
    const expr_node *n = &g->nodes[id];
    if (n->op != EXPR_MUL || !n->varies)
        return false;
    if (!varies(g, n->a)) {
        *factor = n->a, *rest = n->b;
        return true;
    }
    if (!varies(g, n->b)) {
        *factor = n->b, *rest = n->a;
        return true;
    }
    return false;
}

static expr_id store_ordered(expr_graph *g, expr_op op, expr_id a, expr_id b)
{
    return a < b ? store2(g, op, a, b) : store2(g, op, b, a);
}

static expr_id mul_positive(expr_graph *g, expr_id a, expr_id b)
{
    if (a == EXPR_ONE)
        return b;
    if (b == EXPR_ONE)
        return a;
    if (both_const(g, a, b))
        return expr_const(g, value_of(g, a) * value_of(g, b));
    if (is(g, a, EXPR_SQRT) && a == b)
        return g->nodes[a].a;
    expr_id factor, rest;
    if (!varies(g, a) && varies(g, b)) {
        if (split_factor(g, b, &factor, &rest))
            return expr_mul(g, expr_mul(g, a, factor), rest);
    } else if (varies(g, a) && !varies(g, b)) {
        if (split_factor(g, a, &factor, &rest))
            return expr_mul(g, expr_mul(g, b, factor), rest);
    } else if (varies(g, a) && varies(g, b)) {
        if (split_factor(g, a, &factor, &rest))
            return expr_mul(g, factor, expr_mul(g, rest, b));
        if (split_factor(g, b, &factor, &rest))
            return expr_mul(g, factor, expr_mul(g, a, rest));
    }
    return store_ordered(g, EXPR_MUL, a, b);
}

expr_id expr_mul(expr_graph *g, expr_id a, expr_id b)
{
    if (a == EXPR_ZERO || b == EXPR_ZERO)
        return EXPR_ZERO;
    bool na, nb;
    a = strip_sign(g, a, &na);
    b = strip_sign(g, b, &nb);
    const expr_id product = mul_positive(g, a, b);
    return na != nb ? expr_neg(g, product) : product;
}

expr_id expr_square(expr_graph *g, expr_id a)
{
    return expr_mul(g, a, a);
}

expr_id expr_div(expr_graph *g, expr_id a, expr_id b)
{
    if (a == EXPR_ZERO && b != EXPR_ZERO)
        return EXPR_ZERO;
    if (b == EXPR_ONE)
        return a;
    bool na, nb;
    a = strip_sign(g, a, &na);
    b = strip_sign(g, b, &nb);
    expr_id quotient;
    if (both_const(g, a, b) && b != EXPR_ZERO)
        quotient = expr_const(g, value_of(g, a) / value_of(g, b));
    else if (a == b && b != EXPR_ZERO)
        quotient = EXPR_ONE;
    else if (!varies(g, b) && varies(g, a) && b != EXPR_ZERO)
        quotient = expr_mul(g, expr_div(g, EXPR_ONE, b), a);
    else if (is(g, b, EXPR_DIV) && g->nodes[b].a == EXPR_ONE)
        quotient = expr_mul(g, a, g->nodes[b].b);
    else if (is(g, a, EXPR_MUL) && (g->nodes[a].a == b || g->nodes[a].b == b))
        quotient = g->nodes[a].a == b ? g->nodes[a].b : g->nodes[a].a;
    else
        quotient = store2(g, EXPR_DIV, a, b);
    return na != nb ? expr_neg(g, quotient) : quotient;
}

// ---- sines and cosines -----------------------------------------------------------------------

// id is sin(x) or cos(x).
static bool is_trig(const expr_graph *g, expr_id id, expr_function *which, expr_id *angle)
{
    const expr_node *n = &g->nodes[id];
    if (n->op != EXPR_CALL || (n->c != EXPR_SIN && n->c != EXPR_COS))
        return false;
    *which = (expr_function)n->c;
    *angle = n->a;
    return true;
}

// id is the product of two such, the one of the earlier angle first.
typedef struct trig_product {
    expr_function f[2];
    expr_id angle[2];
} trig_product;

static bool is_trig_product(const expr_graph *g, expr_id id, trig_product *out)
{
    const expr_node *n = &g->nodes[id];
    if (n->op != EXPR_MUL || !is_trig(g, n->a, &out->f[0], &out->angle[0]) ||
        !is_trig(g, n->b, &out->f[1], &out->angle[1]))
        return false;
    if (out->angle[0] > out->angle[1]) {
        const trig_product swapped = {{out->f[1], out->f[0]}, {out->angle[1], out->angle[0]}};
        *out = swapped;
    }
    return true;
}

// p + q or p - q by an addition theorem; EXPR_NONE when none fits. With angles x and y:
//   sx cy + cx sy = s(x + y)      cx cy - sx sy = c(x + y)
//   sx cy - cx sy = s(x - y)      cx cy + sx sy = c(x - y)
static expr_id trig_sum(expr_graph *g, expr_id p, expr_id q, bool minus)
{
    trig_product u, v;
    if (!is_trig_product(g, p, &u) || !is_trig_product(g, q, &v) || u.angle[0] != v.angle[0] ||
        u.angle[1] != v.angle[1])
        return EXPR_NONE;
    const expr_id x = u.angle[0], y = u.angle[1];
    if (x == y) { // s^2 + c^2; a double angle would cost a call
        const bool one = !minus && u.f[0] == u.f[1] && v.f[0] == v.f[1] && u.f[0] != v.f[0];
        return one ? EXPR_ONE : EXPR_NONE;
    }
    if (u.f[0] == v.f[0] || u.f[1] == v.f[1])
        return EXPR_NONE;
    if (u.f[0] != u.f[1]) { // sx cy and cx sy
        const bool sine_first = u.f[0] == EXPR_SIN;
        const expr_id angle = minus ? expr_sub(g, x, y) : expr_add(g, x, y);
        const expr_id sine = expr_sin(g, angle);
        return minus && !sine_first ? expr_neg(g, sine) : sine;
    }
    // cx cy and sx sy
    const bool cosine_first = u.f[0] == EXPR_COS;
    const expr_id angle = minus ? expr_add(g, x, y) : expr_sub(g, x, y);
    const expr_id cosine = expr_cos(g, angle);
    return minus && !cosine_first ? expr_neg(g, cosine) : cosine;
}

// 1 - s^2 = c^2, 1 - c^2 = s^2.
static expr_id one_minus_square(expr_graph *g, expr_id q)
{
    expr_function f;
    expr_id angle;
    const expr_node n = g->nodes[q];
    if (n.op != EXPR_MUL || n.a != n.b || !is_trig(g, n.a, &f, &angle))
        return EXPR_NONE;
    return expr_square(g, f == EXPR_SIN ? expr_cos(g, angle) : expr_sin(g, angle));
}

static bool odd(int function)
{
    return function == EXPR_SIN || function == EXPR_TAN || function == EXPR_ASIN ||
           function == EXPR_ATAN || function == EXPR_SINH || function == EXPR_TANH;
}

expr_id expr_call(expr_graph *g, int function, expr_id a, expr_id b)
{
    const expr_function_row *row = expr_function_at(function);
    if (is(g, a, EXPR_CONST) && (row->arity == 1 || is(g, b, EXPR_CONST))) {
        const double y =
            expr_function_value(function, value_of(g, a), row->arity == 2 ? value_of(g, b) : 0.0);
        if (isfinite(y))
            return expr_const(g, y);
    }
    if (is(g, a, EXPR_NEG)) {
        if (odd(function))
            return expr_neg(g, expr_call(g, function, g->nodes[a].a, b));
        if (function == EXPR_COS || function == EXPR_COSH)
            return expr_call(g, function, g->nodes[a].a, b);
    }
    return expr_store(g, (expr_node){.op = EXPR_CALL, .a = a, .b = b, .c = (expr_id)function});
}

expr_id expr_sin(expr_graph *g, expr_id a)
{
    return expr_call(g, EXPR_SIN, a, EXPR_NONE);
}

expr_id expr_cos(expr_graph *g, expr_id a)
{
    return expr_call(g, EXPR_COS, a, EXPR_NONE);
}

// ---- sums ------------------------------------------------------------------------------------

// id = rest + part or rest - part, where part does not vary and rest does.
static bool split_part(const expr_graph *g, expr_id id, expr_id *part, expr_id *rest,
                       bool *part_neg, bool *rest_neg)
{
    const expr_node *n = &g->nodes[id];
    if ((n->op != EXPR_ADD && n->op != EXPR_SUB) || !n->varies)
        return false;
    *part_neg = *rest_neg = false;
    if (!varies(g, n->a)) {
        *part = n->a, *rest = n->b;
        *rest_neg = n->op == EXPR_SUB;
        return true;
    }
    if (!varies(g, n->b)) {
        *part = n->b, *rest = n->a;
        *part_neg = n->op == EXPR_SUB;
        return true;
    }
    return false;
}

// a x + b x (or a x - b x) with factors that do not vary; EXPR_NONE when it is not that.
static expr_id like_terms(expr_graph *g, expr_id a, expr_id b, bool minus)
{
    expr_id fa = EXPR_ONE, ra = a, fb = EXPR_ONE, rb = b;
    split_factor(g, a, &fa, &ra);
    split_factor(g, b, &fb, &rb);
    if (ra != rb || !varies(g, ra))
        return EXPR_NONE;
    return expr_mul(g, minus ? expr_sub(g, fa, fb) : expr_add(g, fa, fb), ra);
}

static expr_id add_positive(expr_graph *g, expr_id a, expr_id b)
{
    if (both_const(g, a, b))
        return expr_const(g, value_of(g, a) + value_of(g, b));
    if (a == b)
        return expr_mul(g, expr_const(g, 2.0), a);
    expr_id found = trig_sum(g, a, b, false);
    if (found == EXPR_NONE)
        found = like_terms(g, a, b, false);
    if (found != EXPR_NONE)
        return found;
    expr_id part, rest;
    bool part_neg, rest_neg;
    if (!varies(g, a)) {
        const expr_id swap = a;
        a = b, b = swap;
    }
    if (varies(g, a) && !varies(g, b) && split_part(g, a, &part, &rest, &part_neg, &rest_neg)) {
        const expr_id sum = part_neg ? expr_sub(g, b, part) : expr_add(g, b, part);
        return rest_neg ? expr_sub(g, sum, rest) : expr_add(g, rest, sum);
    }
    return store_ordered(g, EXPR_ADD, a, b);
}

static expr_id sub_positive(expr_graph *g, expr_id a, expr_id b)
{
    if (a == b)
        return EXPR_ZERO;
    if (both_const(g, a, b))
        return expr_const(g, value_of(g, a) - value_of(g, b));
    expr_id found = trig_sum(g, a, b, true);
    if (found == EXPR_NONE)
        found = like_terms(g, a, b, true);
    if (found == EXPR_NONE && a == EXPR_ONE)
        found = one_minus_square(g, b);
    if (found != EXPR_NONE)
        return found;
    expr_id part, rest;
    bool part_neg, rest_neg;
    if (varies(g, a) && !varies(g, b) && split_part(g, a, &part, &rest, &part_neg, &rest_neg)) {
        const expr_id sum = expr_sub(g, part_neg ? expr_neg(g, part) : part, b);
        return rest_neg ? expr_sub(g, sum, rest) : expr_add(g, rest, sum);
    }
    if (!varies(g, a) && varies(g, b) && split_part(g, b, &part, &rest, &part_neg, &rest_neg)) {
        const expr_id sum = expr_sub(g, a, part_neg ? expr_neg(g, part) : part);
        return rest_neg ? expr_add(g, rest, sum) : expr_sub(g, sum, rest);
    }
    return a < b ? store2(g, EXPR_SUB, a, b) : expr_neg(g, store2(g, EXPR_SUB, b, a));
}

expr_id expr_add(expr_graph *g, expr_id a, expr_id b)
{
    if (a == EXPR_ZERO)
        return b;
    if (b == EXPR_ZERO)
        return a;
    bool na, nb;
    const expr_id pa = strip_sign(g, a, &na), pb = strip_sign(g, b, &nb);
    if (na == nb) {
        const expr_id sum = add_positive(g, pa, pb);
        return na ? expr_neg(g, sum) : sum;
    }
    return na ? sub_positive(g, pb, pa) : sub_positive(g, pa, pb);
}

expr_id expr_sub(expr_graph *g, expr_id a, expr_id b)
{
    return expr_add(g, a, expr_neg(g, b));
}

// ---- powers and roots ------------------------------------------------------------------------

expr_id expr_sqrt(expr_graph *g, expr_id a)
{
    if (is(g, a, EXPR_CONST) && value_of(g, a) >= 0.0)
        return expr_const(g, sqrt(value_of(g, a)));
    if (is(g, a, EXPR_MUL) && g->nodes[a].a == g->nodes[a].b)
        return expr_abs(g, g->nodes[a].a);
    return store1(g, EXPR_SQRT, a);
}

expr_id expr_power_int(expr_graph *g, expr_id a, int n)
{
    if (n < 0)
        return expr_div(g, EXPR_ONE, expr_power_int(g, a, -n));
    expr_id result = EXPR_ONE, square = a;
    for (; n; n >>= 1) {
        if (n & 1)
            result = expr_mul(g, result, square);
        if (n > 1)
            square = expr_square(g, square);
    }
    return result;
}

expr_id expr_power(expr_graph *g, expr_id a, expr_id b)
{
    double n;
    if (expr_is_const(g, b, &n) && fabs(2.0 * n) <= 128.0 && 2.0 * n == floor(2.0 * n)) {
        if (n == floor(n))
            return expr_power_int(g, a, (int)n);
        const expr_id root = expr_sqrt(g, a);
        return expr_mul(g, expr_power_int(g, a, (int)floor(n)), root);
    }
    return expr_call(g, EXPR_POW, a, b);
}

// ---- sides and truths ------------------------------------------------------------------------

expr_id expr_abs(expr_graph *g, expr_id a)
{
    bool negative;
    a = strip_sign(g, a, &negative);
    if (is(g, a, EXPR_CONST))
        return expr_const(g, fabs(value_of(g, a)));
    if (is(g, a, EXPR_ABS) || is(g, a, EXPR_SQRT))
        return a;
    return store1(g, EXPR_ABS, a);
}

expr_id expr_floor(expr_graph *g, expr_id a)
{
    if (is(g, a, EXPR_CONST))
        return expr_const(g, floor(value_of(g, a)));
    return is(g, a, EXPR_FLOOR) ? a : store1(g, EXPR_FLOOR, a);
}

// Not commutative when a NaN takes part, so the order stays.
expr_id expr_min(expr_graph *g, expr_id a, expr_id b)
{
    if (a == b)
        return a;
    if (both_const(g, a, b))
        return value_of(g, a) < value_of(g, b) ? a : b;
    return store2(g, EXPR_MIN, a, b);
}

expr_id expr_max(expr_graph *g, expr_id a, expr_id b)
{
    if (a == b)
        return a;
    if (both_const(g, a, b))
        return value_of(g, a) > value_of(g, b) ? a : b;
    return store2(g, EXPR_MAX, a, b);
}

static expr_id truth(bool yes)
{
    return yes ? EXPR_ONE : EXPR_ZERO;
}

expr_id expr_less(expr_graph *g, expr_id a, expr_id b)
{
    if (both_const(g, a, b))
        return truth(value_of(g, a) < value_of(g, b));
    return a == b ? EXPR_ZERO : store2(g, EXPR_LESS, a, b);
}

expr_id expr_leq(expr_graph *g, expr_id a, expr_id b)
{
    if (both_const(g, a, b))
        return truth(value_of(g, a) <= value_of(g, b));
    return a == b ? EXPR_ONE : store2(g, EXPR_LEQ, a, b);
}

expr_id expr_equal(expr_graph *g, expr_id a, expr_id b)
{
    if (both_const(g, a, b))
        return truth(value_of(g, a) == value_of(g, b));
    return a == b ? EXPR_ONE : store_ordered(g, EXPR_EQUAL, a, b);
}

expr_id expr_not(expr_graph *g, expr_id a)
{
    if (is(g, a, EXPR_CONST))
        return truth(value_of(g, a) == 0.0);
    return store1(g, EXPR_NOT, a);
}

// Whether a node is 1 or 0 and nothing else.
static bool is_truth(const expr_graph *g, expr_id id)
{
    const expr_op op = (expr_op)g->nodes[id].op;
    return (op >= EXPR_LESS && op <= EXPR_NOT) || id == EXPR_ONE || id == EXPR_ZERO;
}

static expr_id as_truth(expr_graph *g, expr_id a)
{
    return is_truth(g, a) ? a : expr_not(g, expr_not(g, a));
}

expr_id expr_and(expr_graph *g, expr_id a, expr_id b)
{
    if (is(g, a, EXPR_CONST))
        return value_of(g, a) != 0.0 ? as_truth(g, b) : EXPR_ZERO;
    if (is(g, b, EXPR_CONST))
        return value_of(g, b) != 0.0 ? as_truth(g, a) : EXPR_ZERO;
    return a == b ? as_truth(g, a) : store_ordered(g, EXPR_AND, a, b);
}

expr_id expr_or(expr_graph *g, expr_id a, expr_id b)
{
    if (is(g, a, EXPR_CONST))
        return value_of(g, a) != 0.0 ? EXPR_ONE : as_truth(g, b);
    if (is(g, b, EXPR_CONST))
        return value_of(g, b) != 0.0 ? EXPR_ONE : as_truth(g, a);
    return a == b ? as_truth(g, a) : store_ordered(g, EXPR_OR, a, b);
}

expr_id expr_select(expr_graph *g, expr_id condition, expr_id yes, expr_id no)
{
    if (is(g, condition, EXPR_CONST))
        return value_of(g, condition) != 0.0 ? yes : no;
    if (yes == no)
        return yes;
    if (is(g, condition, EXPR_NOT))
        return expr_select(g, g->nodes[condition].a, no, yes);
    return expr_store(g, (expr_node){.op = EXPR_SELECT, .a = condition, .b = yes, .c = no});
}
