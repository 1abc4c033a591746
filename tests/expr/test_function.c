// test_function.c - the table of functions: accuracy against long double, bits at every place of an
// array, special values, derivatives, on every processor level this machine has.
#include "base/cpu.h"
#include "expr/function.h"
#include "expr/functions_lanes.h"
#include "support/random_program.h"

#include <float.h>

typedef unsigned long long seed_type;
typedef long double wide;

static wide sine(wide a, wide b)
{
    return (void)b, sinl(a);
}
static wide cosine(wide a, wide b)
{
    return (void)b, cosl(a);
}
static wide tangent(wide a, wide b)
{
    return (void)b, tanl(a);
}
static wide arcsine(wide a, wide b)
{
    return (void)b, asinl(a);
}
static wide arccosine(wide a, wide b)
{
    return (void)b, acosl(a);
}
static wide arctangent(wide a, wide b)
{
    return (void)b, atanl(a);
}
static wide hyperbolic_sine(wide a, wide b)
{
    return (void)b, sinhl(a);
}
static wide hyperbolic_cosine(wide a, wide b)
{
    return (void)b, coshl(a);
}
static wide hyperbolic_tangent(wide a, wide b)
{
    return (void)b, tanhl(a);
}
static wide exponential(wide a, wide b)
{
    return (void)b, expl(a);
}
static wide logarithm(wide a, wide b)
{
    return (void)b, logl(a);
}
static wide logarithm10(wide a, wide b)
{
    return (void)b, log10l(a);
}

// Arguments have magnitudes from 10^low to 10^high, of both signs unless positive.
static const struct row {
    int function;
    wide (*reference)(wide a, wide b);
    double low, high;
    bool positive;
    double bound; // units in the last place
} rows[] = {
    {EXPR_SIN, sine, -20, 15, false, 1.0},
    {EXPR_SIN, sine, 15, 290, false, 1.0},
    {EXPR_COS, cosine, -20, 15, false, 1.0},
    {EXPR_COS, cosine, 15, 290, false, 1.0},
    {EXPR_TAN, tangent, -20, 15, false, 1.0},
    {EXPR_ASIN, arcsine, -20, 0, false, 1.0},
    {EXPR_ACOS, arccosine, -20, 0, false, 1.0},
    {EXPR_ATAN, arctangent, -20, 20, false, 1.0},
    {EXPR_ATAN2, atan2l, -20, 20, false, 1.0},
    {EXPR_SINH, hyperbolic_sine, -20, 2.8, false, 1.0},
    {EXPR_COSH, hyperbolic_cosine, -20, 2.8, false, 1.0},
    {EXPR_TANH, hyperbolic_tangent, -20, 3, false, 1.01},
    {EXPR_EXP, exponential, -20, 2.8, false, 1.0},
    {EXPR_LOG, logarithm, -300, 300, true, 1.0},
    {EXPR_LOG, logarithm, -0.1, 0.1, true, 1.0}, // near 1, where the result cancels
    {EXPR_LOG10, logarithm10, -300, 300, true, 1.0},
    {EXPR_POW, powl, -1.5, 1.5, true, 1.0},
    {EXPR_HYPOT, hypotl, -150, 150, false, 0.51},
};

static double argument(seed_type *seed, const struct row *r)
{
    const double magnitude = pow(10.0, sample_uniform(seed, r->low, r->high));
    return r->positive || sample_random(seed) % 2 ? magnitude : -magnitude;
}

static void call(const expr_functions *f, int function, int n, const double *a, const double *b,
                 double *y)
{
    double other[64];
    assert_true(n <= 64);
    expr_functions_call(f, function, n, a, b, y, other);
}

static void on_every_level(void (*check)(const expr_functions *f, const char *level))
{
    check(expr_functions_of(CPU_PLAIN), "plain");
    if (cpu_level_best() == CPU_AVX2)
        check(expr_functions_of(CPU_AVX2), "avx2");
}

static void check_accuracy(const expr_functions *f, const char *level)
{
    seed_type seed = 11;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *const r = &rows[i];
        double worst = 0.0, worst_at = 0.0;
        for (int trial = 0; trial < 20000; trial++) {
            const double a = argument(&seed, r), b = argument(&seed, r);
            double y;
            call(f, r->function, 1, &a, &b, &y);
            const wide want = r->reference((wide)a, (wide)b);
            if (fabsl(want) < DBL_MIN || fabsl(want) > DBL_MAX)
                continue;
            const wide unit = ldexpl(1.0L, ilogbl(want) - 52);
            const double error = (double)(fabsl((wide)y - want) / unit);
            if (error > worst) {
                worst = error;
                worst_at = a;
            }
        }
        if (!(worst <= r->bound))
            fail_msg("%s (%s): %.3f units in the last place at %.17g",
                     expr_function_at(r->function)->name, level, worst, worst_at);
    }
}

static void every_function_is_accurate(void **state)
{
    (void)state;
    bool tested[EXPR_FUNCTION_COUNT] = {false};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        tested[rows[i].function] = true;
    for (int i = 0; i < EXPR_FUNCTION_COUNT; i++)
        assert_true(tested[i]);
    on_every_level(check_accuracy);
}

// Neighbours of every size, also not finite ones: large arguments take other paths.
static void check_places(const expr_functions *f, const char *level)
{
    seed_type seed = 23;
    for (int trial = 0; trial < 3000; trial++) {
        const int n = (int)(sample_random(&seed) % 14);
        double a[16], b[16], y[16], one;
        for (int i = 0; i < n; i++) {
            const double scale = pow(10.0, sample_uniform(&seed, -20.0, 20.0));
            a[i] = sample_uniform(&seed, -1.0, 1.0) * (sample_random(&seed) % 2 ? scale : 1.0);
            b[i] = sample_uniform(&seed, -3.0, 3.0);
            if (sample_random(&seed) % 40 == 0)
                a[i] = sample_random(&seed) % 2 ? (double)NAN : (double)INFINITY;
        }
        for (int function = 0; function < EXPR_FUNCTION_COUNT; function++) {
            y[n] = 12345.0;
            call(f, function, n, a, b, y);
            assert_true(y[n] == 12345.0); // nothing beyond n is written
            for (int i = 0; i < n; i++) {
                call(f, function, 1, a + i, b + i, &one);
                if (!same_bits(one, y[i]))
                    fail_msg("%s (%s) of %.17g: %.17g alone, %.17g as %d of %d",
                             expr_function_at(function)->name, level, a[i], one, y[i], i, n);
            }
            double in_place[16];
            memcpy(in_place, a, (size_t)n * sizeof a[0]);
            call(f, function, n, in_place, b, in_place);
            for (int i = 0; i < n; i++)
                assert_true(same_bits(in_place[i], y[i]));
        }
    }
}

static void place_and_length_do_not_matter(void **state)
{
    (void)state;
    on_every_level(check_places);
}

static void check_special(const expr_functions *f, const char *level)
{
    static const struct {
        int function;
        double a, b, want;
    } special[] = {
        {EXPR_SIN, 0.0, 0, 0.0},
        {EXPR_SIN, -0.0, 0, -0.0},
        {EXPR_COS, 0.0, 0, 1.0},
        {EXPR_SIN, (double)INFINITY, 0, (double)NAN},
        {EXPR_COS, (double)NAN, 0, (double)NAN},
        {EXPR_TAN, -0.0, 0, -0.0},
        {EXPR_ASIN, 1.5, 0, (double)NAN},
        {EXPR_ACOS, -1.5, 0, (double)NAN},
        {EXPR_ACOS, 1.0, 0, 0.0},
        {EXPR_ATAN, (double)INFINITY, 0, 1.5707963267948966},
        {EXPR_ATAN2, 0.0, -1.0, 3.1415926535897931},
        {EXPR_ATAN2, -0.0, -1.0, -3.1415926535897931},
        {EXPR_ATAN2, 0.0, 0.0, 0.0},
        {EXPR_SINH, 1e4, 0, (double)INFINITY},
        {EXPR_COSH, -1e4, 0, (double)INFINITY},
        {EXPR_TANH, 1e4, 0, 1.0},
        {EXPR_TANH, -(double)INFINITY, 0, -1.0},
        {EXPR_EXP, 0.0, 0, 1.0},
        {EXPR_EXP, 1e4, 0, (double)INFINITY},
        {EXPR_EXP, -1e4, 0, 0.0},
        {EXPR_LOG, 1.0, 0, 0.0},
        {EXPR_LOG, 0.0, 0, -(double)INFINITY},
        {EXPR_LOG, -1.0, 0, (double)NAN},
        {EXPR_LOG10, 1000.0, 0, 3.0},
        {EXPR_POW, 2.0, 10.0, 1024.0},
        {EXPR_POW, -2.0, 3.0, -8.0},
        {EXPR_POW, -2.0, 0.5, (double)NAN},
        {EXPR_POW, 0.0, 0.0, 1.0},
        {EXPR_POW, 0.0, -1.0, (double)INFINITY},
        {EXPR_HYPOT, 0x3p600, 0x4p600, 0x5p600},
        {EXPR_HYPOT, 0.0, 0.0, 0.0},
    };
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        double y;
        call(f, special[i].function, 1, &special[i].a, &special[i].b, &y);
        if (!same_bits(y, special[i].want))
            fail_msg("%s(%g, %g) (%s) is %.17g", expr_function_at(special[i].function)->name,
                     special[i].a, special[i].b, level, y);
    }
}

static void special_values(void **state)
{
    (void)state;
    on_every_level(check_special);
}

static void folded_constants_have_the_kernels_bits(void **state)
{
    (void)state;
    seed_type seed = 5;
    for (int trial = 0; trial < 500; trial++) {
        const double a = sample_uniform(&seed, -1.0, 1.0), b = sample_uniform(&seed, -2.0, 2.0);
        for (int function = 0; function < EXPR_FUNCTION_COUNT; function++) {
            double four[4] = {0.1, a, 0.3, 0.4}, second[4] = {0.1, b, 0.3, 0.4}, y[4];
            call(expr_functions_best(), function, 4, four, second, y);
            assert_true(same_bits(expr_function_value(function, a, b), y[1]));
        }
    }
}

// Value of a node at inputs, by recursion and libm: for derivatives.
static double value_at(const expr_graph *g, expr_id id, const double *inputs)
{
    const expr_node n = *expr_node_at(g, id);
    const double a = n.op > EXPR_INPUT && n.a != EXPR_NONE ? value_at(g, n.a, inputs) : 0.0;
    const double b = n.op > EXPR_NEG && n.b != EXPR_NONE ? value_at(g, n.b, inputs) : 0.0;
    switch ((expr_op)n.op) {
    case EXPR_CONST:
        return n.value;
    case EXPR_INPUT:
        return inputs[n.a];
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
    case EXPR_MAX:
        return a > b ? a : b;
    case EXPR_EQUAL:
        return a == b ? 1.0 : 0.0;
    case EXPR_NOT:
        return a == 0.0 ? 1.0 : 0.0;
    case EXPR_SELECT:
        return a != 0.0 ? b : value_at(g, n.c, inputs);
    case EXPR_CALL:
        return expr_function_value((int)n.c, a, b);
    default:
        fail_msg("operation %d in a derivative", n.op);
    }
    return 0.0;
}

// Five-point differences with long double references.
static void derivatives_match_differences(void **state)
{
    (void)state;
    seed_type seed = 3;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *const r = &rows[i];
        const expr_function_row *const row = expr_function_at(r->function);
        for (int trial = 0; trial < 20; trial++) {
            expr_graph *g = expr_graph_create();
            const expr_id a = expr_input(g, "a", EXPR_VARIABLE);
            const expr_id b = row->arity == 2 ? expr_input(g, "b", EXPR_VARIABLE) : EXPR_NONE;
            const expr_id node = expr_call(g, r->function, a, b);
            const double at[2] = {sample_uniform(&seed, 0.1, 0.9), sample_uniform(&seed, 0.2, 1.5)};
            for (int k = 0; k < row->arity; k++) {
                const expr_id slope = row->derivative(g, node, a, b, k);
                const wide h = 1e-3L, hk[2] = {k == 0 ? h : 0.0L, k == 1 ? h : 0.0L};
                wide sum = 0.0L;
                static const int step[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
                for (int j = 0; j < 4; j++)
                    sum += weight[j] * r->reference((wide)at[0] + step[j] * hk[0],
                                                    (wide)at[1] + step[j] * hk[1]);
                const double want = (double)(sum / (12.0L * h));
                const double got = value_at(g, slope, at);
                if (!(fabs(got - want) <= 1e-7 * fmax(1.0, fabs(want))))
                    fail_msg("%s by argument %d at %g, %g: %.12g instead of %.12g", row->name, k,
                             at[0], at[1], got, want);
            }
            expr_graph_destroy(g);
        }
    }
}

static void derivatives_at_zero_are_finite(void **state)
{
    (void)state;
    expr_graph *g = expr_graph_create();
    const expr_id a = expr_input(g, "a", EXPR_VARIABLE), b = expr_input(g, "b", EXPR_VARIABLE);
    const expr_id hypot_node = expr_call(g, EXPR_HYPOT, a, b);
    const expr_id pow_node = expr_call(g, EXPR_POW, a, b);
    const double origin[2] = {0.0, 0.0}, zero_to_two[2] = {0.0, 2.0};
    const expr_function_row *const hypot_row = expr_function_at(EXPR_HYPOT);
    assert_true(value_at(g, hypot_row->derivative(g, hypot_node, a, b, 0), origin) == 0.0);
    assert_true(value_at(g, hypot_row->derivative(g, hypot_node, a, b, 1), origin) == 0.0);
    const expr_function_row *const pow_row = expr_function_at(EXPR_POW);
    assert_true(value_at(g, pow_row->derivative(g, pow_node, a, b, 0), zero_to_two) == 0.0);
    assert_true(value_at(g, pow_row->derivative(g, pow_node, a, b, 1), zero_to_two) == 0.0);
    expr_graph_destroy(g);
}

static void rows_are_complete(void **state)
{
    (void)state;
    for (int i = 0; i < EXPR_FUNCTION_COUNT; i++) {
        const expr_function_row *const r = expr_function_at(i);
        assert_non_null(r->name);
        assert_non_null(r->doc);
        assert_non_null(r->derivative);
        assert_in_range(r->arity, 1, 2);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(r->name, expr_function_at(j)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(every_function_is_accurate),
        cmocka_unit_test(place_and_length_do_not_matter),
        cmocka_unit_test(special_values),
        cmocka_unit_test(folded_constants_have_the_kernels_bits),
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(derivatives_at_zero_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
