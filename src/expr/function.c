// function.c - the table of mathematical functions: names, derivatives, values of constants.
#include "expr/function.h"
#include "base/assert.h"
#include "expr/functions_lanes.h"

#include <float.h>

const expr_functions *expr_functions_of(cpu_level level)
{
#if defined __x86_64__
    if (level == CPU_AVX2)
        return &expr_functions_avx2;
#endif
    (void)level;
    return &expr_functions_plain;
}

const expr_functions *expr_functions_best(void)
{
    return expr_functions_of(cpu_level_best());
}

// ---- calls by number
// -----------------------------------------------------------------------------

void expr_functions_call(const expr_functions *f, int function, int n, const double *a,
                         const double *b, double *y, double *z)
{
    switch ((expr_function)function) {
    case EXPR_SIN:
        f->sincos(n, a, y, z);
        break;
    case EXPR_COS:
        f->sincos(n, a, z, y);
        break;
    case EXPR_TAN:
        f->tan(n, a, y);
        break;
    case EXPR_ASIN:
        f->asin(n, a, y);
        break;
    case EXPR_ACOS:
        f->acos(n, a, y);
        break;
    case EXPR_ATAN:
        f->atan(n, a, y);
        break;
    case EXPR_ATAN2:
        f->atan2(n, a, b, y);
        break;
    case EXPR_SINH:
        f->sinh(n, a, y);
        break;
    case EXPR_COSH:
        f->cosh(n, a, y);
        break;
    case EXPR_TANH:
        f->tanh(n, a, y);
        break;
    case EXPR_EXP:
        f->exp(n, a, y);
        break;
    case EXPR_LOG:
        f->log(n, a, y);
        break;
    case EXPR_LOG10:
        f->log10(n, a, y);
        break;
    case EXPR_POW:
        f->pow(n, a, b, y);
        break;
    case EXPR_HYPOT:
        f->hypot(n, a, b, y);
        break;
    case EXPR_FUNCTION_COUNT:
        break;
    }
}

// A call of one element of the functions that run later: the same bits.
double expr_function_value(int function, double a, double b)
{
    double y, other;
    expr_functions_call(expr_functions_best(), function, 1, &a, &b, &y, &other);
    return y;
}

// ---- derivatives -------------------------------------------------------------------------------

static expr_id slope_sin(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k;
    return expr_cos(g, a);
}

static expr_id slope_cos(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k;
    return expr_neg(g, expr_sin(g, a));
}

static expr_id slope_tan(expr_graph *g, expr_id call, expr_id a, expr_id b, int k) // 1 + tan^2
{
    (void)a, (void)b, (void)k;
    return expr_add(g, EXPR_ONE, expr_square(g, call));
}

static expr_id slope_asin(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k; // 1 / sqrt(1 - a^2)
    return expr_div(g, EXPR_ONE, expr_sqrt(g, expr_sub(g, EXPR_ONE, expr_square(g, a))));
}

static expr_id slope_acos(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    return expr_neg(g, slope_asin(g, call, a, b, k));
}

static expr_id slope_atan(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k; // 1 / (1 + a^2)
    return expr_div(g, EXPR_ONE, expr_add(g, EXPR_ONE, expr_square(g, a)));
}

// atan2(a, b): b / (a^2 + b^2) by a, -a / (a^2 + b^2) by b; 0 at the origin: a car at rest has a
// slip angle.
static expr_id slope_atan2(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call;
    const expr_id sum = expr_add(g, expr_square(g, a), expr_square(g, b));
    const expr_id length2 = expr_max(g, sum, expr_const(g, DBL_MIN));
    return k == 0 ? expr_div(g, b, length2) : expr_neg(g, expr_div(g, a, length2));
}

static expr_id slope_sinh(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k;
    return expr_call(g, EXPR_COSH, a, EXPR_NONE);
}

static expr_id slope_cosh(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k;
    return expr_call(g, EXPR_SINH, a, EXPR_NONE);
}

static expr_id slope_tanh(expr_graph *g, expr_id call, expr_id a, expr_id b, int k) // 1 - tanh^2
{
    (void)a, (void)b, (void)k;
    return expr_sub(g, EXPR_ONE, expr_square(g, call));
}

static expr_id slope_exp(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)g, (void)a, (void)b, (void)k;
    return call;
}

static expr_id slope_log(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k;
    return expr_div(g, EXPR_ONE, a);
}

static expr_id slope_log10(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    (void)call, (void)b, (void)k; // log10(e) / a
    return expr_div(g, expr_const(g, 0.43429448190325182765), a);
}

// a^b: b a^(b - 1) by a, at a = 0 finite: 0, or 1 for b = 1; a^b log(a) by b, 0 for a = 0. So
// max(x, 0)^0.7 has a slope where the clamp is closed.
static expr_id slope_pow(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    if (k == 0)
        return expr_select(g, expr_equal(g, a, EXPR_ZERO), expr_equal(g, b, EXPR_ONE),
                           expr_mul(g, b, expr_power(g, a, expr_sub(g, b, EXPR_ONE))));
    const expr_id slope = expr_mul(g, call, expr_call(g, EXPR_LOG, a, EXPR_NONE));
    return expr_select(g, expr_equal(g, a, EXPR_ZERO), EXPR_ZERO, slope);
}

// a / hypot(a, b); 0 at the origin.
static expr_id slope_hypot(expr_graph *g, expr_id call, expr_id a, expr_id b, int k)
{
    return expr_div(g, k == 0 ? a : b, expr_max(g, call, expr_const(g, DBL_MIN)));
}

// ---- the table ---------------------------------------------------------------------------------

static const expr_function_row rows[EXPR_FUNCTION_COUNT] = {
    [EXPR_SIN] = {"sin", "sin", 1, true, false, "sine", slope_sin},
    [EXPR_COS] = {"cos", "cos", 1, true, false, "cosine", slope_cos},
    [EXPR_TAN] = {"tan", "tan", 1, true, false, "tangent", slope_tan},
    [EXPR_ASIN] = {"asin", "asin", 1, false, true, "angle from -pi/2 to pi/2 whose sine is a",
                   slope_asin},
    [EXPR_ACOS] = {"acos", "acos", 1, false, true, "angle from 0 to pi whose cosine is a",
                   slope_acos},
    [EXPR_ATAN] = {"atan", "atan", 1, false, true, "angle from -pi/2 to pi/2 whose tangent is a",
                   slope_atan},
    [EXPR_ATAN2] = {"atan2", "atan2", 2, false, true,
                    "angle from -pi to pi of the vector with components b along x and a along y",
                    slope_atan2},
    [EXPR_SINH] = {"sinh", "sinh", 1, false, false, "hyperbolic sine", slope_sinh},
    [EXPR_COSH] = {"cosh", "cosh", 1, false, false, "hyperbolic cosine", slope_cosh},
    [EXPR_TANH] = {"tanh", "tanh", 1, false, false, "hyperbolic tangent", slope_tanh},
    [EXPR_EXP] = {"exp", "exp", 1, false, false, "e to the power a", slope_exp},
    [EXPR_LOG] = {"log", "log", 1, false, false, "natural logarithm", slope_log},
    [EXPR_LOG10] = {"log10", "log10", 1, false, false, "logarithm to base 10", slope_log10},
    [EXPR_POW] = {"pow", NULL, 2, false, false, "a to the power b", slope_pow},
    [EXPR_HYPOT] = {"hypot", "hypot", 2, false, false, "sqrt(a^2 + b^2) without overflow",
                    slope_hypot},
};

const expr_function_row *expr_function_at(int function)
{
    mc_assert(function >= 0 && function < EXPR_FUNCTION_COUNT);
    return &rows[function];
}
