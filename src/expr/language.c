// language.c - the functions of formulas that are not in function.h's table, as graphs.
#include "expr/function.h"
#include "expr/parser.h"
#include "num/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void scalar(expr_value *out, expr_id v, expr_unit unit)
{
    *out = (expr_value){{v, EXPR_NONE, EXPR_NONE}, 1, unit};
}

// What two or more arguments have in common; first: index of the first that must match.
static bool match_all(expr_parser *p, const char *verb, const expr_term *argument, int first,
                      int count, expr_unit *unit)
{
    expr_value all = argument[first].value;
    for (int i = first + 1; i < count; i++)
        if (!expr_match(p, verb, &all, &argument[i].value, argument[i].at, &all.unit))
            return false;
    *unit = all.unit;
    return true;
}

// ---- numbers ---------------------------------------------------------------------------------

static bool build_abs(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    scalar(out, expr_abs(p->graph, a->value.v[0]), a->value.unit);
    return true;
}

static bool build_sqrt(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    scalar(out, expr_sqrt(p->graph, a->value.v[0]), expr_unit_power(a->value.unit, 0.5));
    return true;
}

static bool build_floor(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    scalar(out, expr_floor(p->graph, a->value.v[0]), a->value.unit);
    return true;
}

static bool build_ceil(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    expr_graph *g = p->graph;
    scalar(out, expr_neg(g, expr_floor(g, expr_neg(g, a->value.v[0]))), a->value.unit);
    return true;
}

// floor(x + 0.5) would round 0.49999999999999994 up, because the sum is 1.
static bool build_round(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    expr_graph *g = p->graph;
    const expr_id x = a->value.v[0], low = expr_floor(g, x);
    const expr_id up = expr_leq(g, expr_const(g, 0.5), expr_sub(g, x, low));
    scalar(out, expr_add(g, low, up), a->value.unit);
    return true;
}

static bool build_sign(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    expr_graph *g = p->graph;
    const expr_id x = a->value.v[0];
    scalar(out, expr_sub(g, expr_less(g, EXPR_ZERO, x), expr_less(g, x, EXPR_ZERO)),
           EXPR_UNIT_PLAIN);
    return true;
}

static bool build_mod(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    expr_graph *g = p->graph;
    const expr_id x = a[0].value.v[0], y = a[1].value.v[0];
    expr_unit unit;
    double divisor;
    if (!match_all(p, "take the remainder of", a, 0, count, &unit))
        return false;
    if (expr_is_const(g, y, &divisor) && divisor == 0.0)
        return expr_fail(p, a[1].at, "division by zero");
    scalar(out, expr_sub(g, x, expr_mul(g, y, expr_floor(g, expr_div(g, x, y)))), unit);
    return true;
}

static bool build_min(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    expr_unit unit;
    if (!match_all(p, "compare", a, 0, count, &unit))
        return false;
    expr_id min = a[0].value.v[0];
    for (int i = 1; i < count; i++)
        min = expr_min(p->graph, min, a[i].value.v[0]);
    scalar(out, min, unit);
    return true;
}

static bool build_max(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    expr_unit unit;
    if (!match_all(p, "compare", a, 0, count, &unit))
        return false;
    expr_id max = a[0].value.v[0];
    for (int i = 1; i < count; i++)
        max = expr_max(p->graph, max, a[i].value.v[0]);
    scalar(out, max, unit);
    return true;
}

static bool build_clamp(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    expr_graph *g = p->graph;
    expr_unit unit;
    double low, high;
    if (!match_all(p, "compare", a, 0, count, &unit))
        return false;
    if (expr_is_const(g, a[1].value.v[0], &low) && expr_is_const(g, a[2].value.v[0], &high) &&
        low > high)
        return expr_fail(p, a[2].at, "the upper limit %g is below the lower limit %g", high, low);
    scalar(out, expr_min(g, expr_max(g, a[0].value.v[0], a[1].value.v[0]), a[2].value.v[0]), unit);
    return true;
}

static bool build_if(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    expr_unit unit;
    if (a[0].value.size != 1)
        return expr_fail(p, a[0].at, "a condition is a scalar, found a vector");
    if (!match_all(p, "choose between", a, 1, count, &unit))
        return false;
    *out = a[1].value;
    out->unit = unit;
    for (int k = 0; k < out->size; k++)
        out->v[k] = expr_select(p->graph, a[0].value.v[0], a[1].value.v[k], a[2].value.v[k]);
    return true;
}

// Two arguments: 0, then 1 from x0 on. Five: from y0 to y1 by the cubic 3 u^2 - 2 u^3 between x0
// and x1, level outside.
static bool build_step(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    expr_graph *g = p->graph;
    expr_unit unit;
    const expr_id x = a[0].value.v[0], x0 = a[1].value.v[0];
    if (count != 2 && count != 5)
        return expr_fail(p, a[count - 1].at, "step takes 2 or 5 arguments, found %d", count);
    if (!expr_match(p, "compare", &a[0].value, &a[1].value, a[1].at, &unit))
        return false;
    if (count == 2) {
        scalar(out, expr_leq(g, x0, x), EXPR_UNIT_PLAIN);
        return true;
    }
    const expr_id y0 = a[2].value.v[0], x1 = a[3].value.v[0], y1 = a[4].value.v[0];
    if (!expr_match(p, "compare", &a[0].value, &a[3].value, a[3].at, &unit) ||
        !expr_match(p, "compare", &a[1].value, &a[3].value, a[3].at, &unit) ||
        !expr_match(p, "go between", &a[2].value, &a[4].value, a[4].at, &unit))
        return false;
    if (x0 == x1)
        return expr_fail(p, a[3].at, "the step begins and ends at the same x");
    const expr_id share = expr_div(g, expr_sub(g, x, x0), expr_sub(g, x1, x0));
    const expr_id u = expr_min(g, expr_max(g, share, EXPR_ZERO), EXPR_ONE);
    const expr_id cubic = expr_mul(
        g, expr_square(g, u), expr_sub(g, expr_const(g, 3.0), expr_mul(g, expr_const(g, 2.0), u)));
    scalar(out, expr_add(g, y0, expr_mul(g, expr_sub(g, y1, y0), cubic)), unit);
    return true;
}

// ---- vectors ---------------------------------------------------------------------------------

static bool need_vector(expr_parser *p, const expr_term *a)
{
    return a->value.size == 3 || expr_fail(p, a->at, "expected a vector, found a scalar");
}

static expr_id dot(expr_graph *g, const expr_id *a, const expr_id *b)
{
    return expr_add(g, expr_add(g, expr_mul(g, a[0], b[0]), expr_mul(g, a[1], b[1])),
                    expr_mul(g, a[2], b[2]));
}

static bool build_dot(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    if (!need_vector(p, &a[0]) || !need_vector(p, &a[1]))
        return false;
    scalar(out, dot(p->graph, a[0].value.v, a[1].value.v),
           expr_unit_product(a[0].value.unit, a[1].value.unit, 1));
    return true;
}

static bool build_cross(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    if (!need_vector(p, &a[0]) || !need_vector(p, &a[1]))
        return false;
    expr_graph *g = p->graph;
    const expr_id *u = a[0].value.v, *v = a[1].value.v;
    *out = (expr_value){.size = 3, .unit = expr_unit_product(a[0].value.unit, a[1].value.unit, 1)};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out->v[k] = expr_sub(g, expr_mul(g, u[i], v[j]), expr_mul(g, u[j], v[i]));
    }
    return true;
}

static bool build_norm(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    (void)count;
    if (!need_vector(p, a))
        return false;
    scalar(out, expr_sqrt(p->graph, dot(p->graph, a->value.v, a->value.v)), a->value.unit);
    return true;
}

static bool build_unit(expr_parser *p, const expr_term *a, int count, expr_value *out)
{
    expr_value length;
    if (!build_norm(p, a, count, &length))
        return false;
    if (length.v[0] == EXPR_ZERO)
        return expr_fail(p, a->at, "a zero vector has no direction");
    *out = (expr_value){.size = 3, .unit = EXPR_UNIT_PLAIN};
    for (int k = 0; k < 3; k++)
        out->v[k] = expr_div(p->graph, a->value.v[k], length.v[0]);
    return true;
}

// ---- tables ----------------------------------------------------------------------------------

// Interval i of a table is below point i, interval `count` above the last. leaf: its coefficient.
// A balanced tree of selects: as many as a chain, and only log2(count) deep.
static expr_id pick(expr_graph *g, expr_id x, const double *at, const expr_id *leaf, int low,
                    int high)
{
    if (low == high)
        return leaf[low];
    const int middle = (low + high) / 2;
    return expr_select(g, expr_less(g, x, expr_const(g, at[middle])),
                       pick(g, x, at, leaf, low, middle), pick(g, x, at, leaf, middle + 1, high));
}

// The cubic on interval i: coefficients of u, u^2 and u^3, u = x - at[i]; as num/table.c.
static void cubic_coefficients(const double *at, const double *y, const double *slope, int i,
                               double c[3])
{
    const double h = at[i + 1] - at[i], d = (y[i + 1] - y[i]) / h;
    c[0] = slope[i];
    c[1] = (3.0 * d - 2.0 * slope[i] - slope[i + 1]) / h;
    c[2] = (slope[i] + slope[i + 1] - 2.0 * d) / (h * h);
}

// The coefficients are chosen, then one polynomial is evaluated: y + u (c0 + u (c1 + u c2)). So the
// derivative is one polynomial too, and at a point, where u = 0, the value is exact.
expr_value expr_build_table(expr_parser *p, expr_id x, const double *at, const expr_value *y,
                            int count, bool spline)
{
    enum { MAX = EXPR_POINT_MAX };
    expr_graph *g = p->graph;
    double value[MAX] = {0}, slope[MAX];
    expr_id origin[MAX + 1], level[MAX + 1], c[3][MAX + 1];
    const int degree = spline ? 3 : 1;
    for (int i = 0; spline && i < count; i++)
        expr_is_const(g, y[i].v[0], &value[i]);
    if (spline)
        table_slopes(at, value, count, slope);
    for (int i = 0; i <= count; i++) {
        const int left = i > 0 ? i - 1 : 0;
        const bool inner = i > 0 && i < count;
        origin[i] = expr_const(g, at[left]);
        level[i] = y[left].v[0];
        c[0][i] = c[1][i] = c[2][i] = EXPR_ZERO;
        if (inner && spline) {
            double k[3];
            cubic_coefficients(at, value, slope, left, k);
            for (int n = 0; n < 3; n++)
                c[n][i] = expr_const(g, k[n]);
        } else if (inner) {
            c[0][i] =
                expr_div(g, expr_sub(g, y[i].v[0], y[left].v[0]), expr_const(g, at[i] - at[left]));
        }
    }
    const expr_id u = expr_sub(g, x, pick(g, x, at, origin, 0, count));
    expr_id sum = EXPR_ZERO;
    for (int n = degree - 1; n >= 0; n--)
        sum = expr_mul(g, u, expr_add(g, pick(g, x, at, c[n], 0, count), sum));
    expr_value out;
    scalar(&out, expr_add(g, pick(g, x, at, level, 0, count), sum), y[0].unit);
    return out;
}

// ---- the table of functions ------------------------------------------------------------------

static const expr_builtin builtins[] = {
    {"abs", 1, 1, "abs(x)", "absolute value", build_abs, false},
    {"sqrt", 1, 1, "sqrt(x)", "square root", build_sqrt, false},
    {"min", 2, 0, "min(a, b, ...)", "the minimum of two or more", build_min, false},
    {"max", 2, 0, "max(a, b, ...)", "the maximum of two or more", build_max, false},
    {"clamp", 3, 3, "clamp(x, low, high)", "x limited to low .. high", build_clamp, false},
    {"sign", 1, 1, "sign(x)", "1 for x > 0, -1 for x < 0, 0 for 0", build_sign, false},
    {"floor", 1, 1, "floor(x)", "the largest whole number not above x", build_floor, false},
    {"ceil", 1, 1, "ceil(x)", "the smallest whole number not below x", build_ceil, false},
    {"round", 1, 1, "round(x)", "the nearest whole number; halves are rounded up", build_round,
     false},
    {"mod", 2, 2, "mod(a, b)", "a - b floor(a/b): the remainder, with the sign of b", build_mod,
     false},
    {"if", 3, 3, "if(condition, a, b)", "a where the condition is true (not 0), else b", build_if,
     true},
    {"step", 2, 5, "step(x, x0) or step(x, x0, y0, x1, y1)",
     "0 for x < x0, then 1; with five, smoothly from y0 at x0 to y1 at x1 and constant outside",
     build_step, false},
    {"table", 0, 0, "table(x; x0, y0; x1, y1; ...)",
     "straight lines through the points; constant before the first and after the last", NULL,
     false},
    {"spline", 0, 0, "spline(x; x0, y0; x1, y1; ...)",
     "a smooth curve through the points that rises and falls only where they do; constant outside",
     NULL, false},
    {"dot", 2, 2, "dot(a, b)", "scalar product of two vectors", build_dot, true},
    {"cross", 2, 2, "cross(a, b)", "vector product", build_cross, true},
    {"norm", 1, 1, "norm(a)", "length of a vector", build_norm, true},
    {"unit", 1, 1, "unit(a)", "a/norm(a): the direction of a vector", build_unit, true},
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

const expr_builtin *expr_builtin_at(int i)
{
    return i >= 0 && i < BUILTIN_COUNT ? &builtins[i] : NULL;
}

// ---- function.h's table ----------------------------------------------------------------------

bool expr_build_power(expr_parser *p, const expr_term *a, const expr_term *b, int at,
                      expr_value *out)
{
    if (a->value.size != 1)
        return expr_fail(p, at, "a vector has no powers; dot(a, a) is its square");
    if (b->value.size != 1)
        return expr_fail(p, at, "the exponent is a vector, expected a scalar");
    if (!expr_need_plain(p, b, "the exponent"))
        return false;
    double power;
    expr_unit unit = EXPR_UNIT_UNKNOWN;
    if (expr_is_const(p->graph, b->value.v[0], &power))
        unit = expr_unit_power(a->value.unit, power);
    else if (a->value.unit.known && expr_unit_is_plain(a->value.unit))
        unit = EXPR_UNIT_PLAIN;
    scalar(out, expr_power(p->graph, a->value.v[0], b->value.v[0]), unit);
    return true;
}

bool expr_build_call(expr_parser *p, int f, const expr_term *argument, expr_value *out)
{
    expr_graph *g = p->graph;
    const expr_function_row *row = expr_function_at(f);
    expr_unit unit = EXPR_UNIT_PLAIN;
    if (f == EXPR_POW)
        return expr_build_power(p, &argument[0], &argument[1], argument[1].at, out);
    if (f == EXPR_ATAN2 || f == EXPR_HYPOT) { // sides of one triangle
        expr_unit side;
        if (!match_all(p, "compare", argument, 0, 2, &side))
            return false;
        unit = f == EXPR_HYPOT ? side : unit;
    } else {
        char what[40];
        snprintf(what, sizeof what, "the argument of %s", row->name);
        for (int i = 0; i < row->arity; i++)
            if (!expr_need_plain(p, &argument[i], what))
                return false;
    }
    const expr_id a = argument[0].value.v[0];
    const expr_id b = row->arity == 2 ? argument[1].value.v[0] : EXPR_NONE;
    const expr_id v = f == EXPR_SIN   ? expr_sin(g, a)
                      : f == EXPR_COS ? expr_cos(g, a)
                                      : expr_call(g, f, a, b);
    scalar(out, v, unit);
    return true;
}
