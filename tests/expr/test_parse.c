// test_parse.c - formulas against the same formulas in C, tables against num/table.h, random
// formulas against the tree they were printed from.
#include "expr/differentiate.h"
#include "expr/formula_scope.h"
#include "expr/parse.h"
#include "num/table.h"
#include "support/graph_value.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const expr_unit ANY = {0};
#define PI 3.14159265358979323846
#define LONGEST "x23456789012345678901234567890123456789012345678901234567890123" // 63 letters

static expr_value parse(expr_graph *g, const char *text, int size, expr_unit unit)
{
    const expr_scope scope = formula_scope(g);
    const expr_source source = {text, NULL, 0, 0};
    expr_value value = {0};
    mc_error error = {0};
    if (expr_parse(&scope, &source, size, unit, &value, &error) != MC_OK)
        fail_msg("%s\ncolumn %d: %s", text, error.column, error.text);
    return value;
}

static double value_of(const char *text)
{
    double inputs[3 * FORMULA_NAMES];
    formula_inputs(inputs);
    expr_graph *g = formula_graph();
    assert_non_null(g);
    const expr_value value = parse(g, text, 1, ANY);
    const double result = graph_value(g, value.v[0], inputs);
    expr_graph_destroy(g);
    return result;
}

typedef struct row {
    const char *text;
    double value;
} row;

static void check(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double got = value_of(rows[i].text);
        if (!(fabs(got - rows[i].value) <= 4e-15 * fabs(rows[i].value)))
            fail_msg("%s: %.17g instead of %.17g", rows[i].text, got, rows[i].value);
    }
}
#define CHECK(rows) check(rows, sizeof rows / sizeof rows[0])

static void operators_bind_as_in_mathematics(void **state)
{
    (void)state;
    const double x = 1.5, y = -0.75, z = 3.25;
    const row rows[] = {
        {"1 + 2*3", 7.0},
        {"(1 + 2)*3", 9.0},
        {"10 - 4 - 3", 3.0},
        {"10 - (4 - 3)", 9.0},
        {"100/10/5", 2.0},
        {"100/(10/5)", 50.0},
        {"100/10*5", 50.0},
        {"2^3^2", 512.0},
        {"(2^3)^2", 64.0},
        {"-2^2", -4.0},
        {"(-2)^2", 4.0},
        {"2^-2", 0.25},
        {"2^-2^2", 0.0625},
        {"-x^2", -x * x},
        {"x^-y", pow(x, -y)},
        {"2*-x", -2.0 * x},
        {"x--y", x + y},
        {"x-+-y", x + y},
        {"- -x", x},
        {"+x", x},
        {"x*y/z*x", x * y / z * x},
        {"x - y*z + x/y", x - y * z + x / y},
        {"-x*y", -x * y},
        {"z^x*y", pow(z, x) * y},
        {"y*z^x", y * pow(z, x)},
        {"z^2.5", pow(z, 2.5)},
        {"z^0.5", sqrt(z)},
        {"z^-1", 1.0 / z},
        {"z^0", 1.0},
        {".5 + 5. + 1e2 + 1.5E-1 + 2e+1", 125.65},
        {"\tx\n+\r\n y ", x + y},
        {"pi", PI},
        {"2*pi*x", 2.0 * PI * x},
    };
    CHECK(rows);
}

static void truth_is_one_or_zero(void **state)
{
    (void)state;
    const row rows[] = {
        {"1 < 2", 1.0},
        {"2 < 1", 0.0},
        {"2 <= 2", 1.0},
        {"2 >= 3", 0.0},
        {"3 > 2", 1.0},
        {"x == 1.5", 1.0},
        {"x != 1.5", 0.0},
        {"x < y", 0.0},
        {"x > y", 1.0},
        {"x <= y", 0.0},
        {"x >= y", 1.0},
        {"not x", 0.0},
        {"not not x", 1.0},
        {"not x < y", 1.0},
        {"not x > y or z > 0", 1.0},
        {"not (x > y or z > 0)", 0.0},
        {"1 or 0 and 0", 1.0},
        {"(1 or 0) and 0", 0.0},
        {"x > 1 and x < 2 and y < 0", 1.0},
        {"x and y", 1.0},
        {"0*x or 0", 0.0},
        {"1 + 1 < 1 + 2", 1.0},
        {"(x > 1)*z", 3.25},
        {"if(x > 1, 10, 20)", 10.0},
        {"if(x < 1, 10, 20)", 20.0},
        {"if(x < 1, 10, if(y < 0, 5, 6))", 5.0},
    };
    CHECK(rows);
}

static void functions_have_the_values_of_libm(void **state)
{
    (void)state;
    const double x = 1.5, y = -0.75, z = 3.25;
    const row rows[] = {
        {"sin(x)", sin(x)},
        {"cos(x)", cos(x)},
        {"tan(x)", tan(x)},
        {"asin(y)", asin(y)},
        {"acos(y)", acos(y)},
        {"atan(z)", atan(z)},
        {"atan2(y, x)", atan2(y, x)},
        {"atan2(x, y)", atan2(x, y)},
        {"sinh(x)", sinh(x)},
        {"cosh(x)", cosh(x)},
        {"tanh(x)", tanh(x)},
        {"exp(x)", exp(x)},
        {"log(z)", log(z)},
        {"log10(z)", log10(z)},
        {"pow(z, y)", pow(z, y)},
        {"hypot(x, z)", hypot(x, z)},
        {"sqrt(z)", sqrt(z)},
        {"abs(y)", 0.75},
        {"abs(x)", 1.5},
        {"min(x, y)", y},
        {"max(x, y)", x},
        {"min(z, x, y, 9)", y},
        {"max(x, z, y, -9)", z},
        {"clamp(x, 0, 1)", 1.0},
        {"clamp(y, 0, 1)", 0.0},
        {"clamp(x, 0, 2)", x},
        {"sign(x) + 10*sign(y) + 100*sign(x - x)", -9.0},
        {"floor(z)", 3.0},
        {"floor(y)", -1.0},
        {"ceil(z)", 4.0},
        {"ceil(y)", 0.0},
        {"round(z)", 3.0},
        {"round(y)", -1.0},
        {"round(2.5)", 3.0},
        {"round(-2.5)", -2.0},
        {"round(0.49999999999999994)", 0.0},
        {"mod(7, 3)", 1.0},
        {"mod(-7, 3)", 2.0},
        {"mod(7, -3)", -2.0},
        {"mod(z, x)", 0.25},
        {"step(x, 1.5)", 1.0},
        {"step(x, 1.5000001)", 0.0},
        {"step(x, 1, 10, 2, 20)", 15.0},
        {"step(x, 1, 10, 3, 20)", 10.0 + 10.0 * (3.0 * 0.0625 - 2.0 * 0.015625)},
        {"step(x, 2, 10, 3, 20)", 10.0},
        {"step(z, 2, 10, 3, 20)", 20.0},
        {"step(x, 2, 10, 1, 20)", 15.0},
    };
    CHECK(rows);
}

static void units_become_si(void **state)
{
    (void)state;
    const row rows[] = {
        {"36 km/h", 10.0},
        {"36km/h", 10.0},
        {"36 [km/h]", 10.0},
        {"250 mm", 0.25},
        {"180 deg", PI},
        {"90 deg", PI / 2.0},
        {"2.5 kN", 2500.0},
        {"3000 rpm", 3000.0 * PI / 30.0},
        {"3 kN*s^2 + 1 kN*s^2", 4000.0},
        {"5 kN/(km/h)", 18000.0},
        {"5 kN/(mm)", 5e6},
        {"5 kN/(x)", 5000.0 / 1.5},
        {"5 kN s/mm", 5e6},
        {"2 [m]", 2.0},
        {"2*m", 1600.0},
        {"2 [N/m]", 2.0},
        {"(2 N)/m", 2.0 / 800.0},
        {"2 [N] / m", 2.0 / 800.0},
        {"-3 km", -3000.0},
        {"3 km^2", 3e6},
        {"(3 km)^2", 9e6},
        {"3 s^-1", 3.0},
        {"3 s ^ - 1", 3.0},
        {"v/30 km/h", 20.0 / (30.0 / 3.6)},
        {"3 kN*x", 4500.0},
        {"3 kN/x", 2000.0},
        {"3 kN/2", 1500.0},
        {"3 kN*min(x, 1)", 3000.0},
        {"3 min + 1 s", 181.0},
        {"2 km/min(x, 2)", 2000.0 / 1.5},
        {"9.81 [m/s^2]*mass", 9.81 * 1200.0},
        {"2 [-]", 2.0},
        {"2 [1/s]", 2.0},
        {"if(gap < 1 [m], 4000, 0)", 4000.0},
        {"2.5 kN*(1 - v/30 km/h)^2 + if(gap < 100 cm, 4000 N, 0)",
         2500.0 * pow(1.0 - 20.0 / (30.0 / 3.6), 2.0) + 4000.0},
        {"1e3 mm", 1.0},
        {"1 h and 1", 1.0},
    };
    CHECK(rows);
    // These are exact: one product and one quotient of whole numbers.
    assert_true(value_of("36 km/h") == 10.0 && value_of("250 mm") == 0.25);
    assert_true(value_of("0.1 mm") == 0.1 / 1000.0 && value_of("180 deg") == PI);
}

static void vectors_have_components(void **state)
{
    (void)state;
    const row rows[] = {
        {"[1, 2, 3].x + 10*[1, 2, 3].y + 100*[1, 2, 3].z", 321.0},
        {"p.position.x", 1.0},
        {"p.position.y", -2.0},
        {"p.position.z", 4.0},
        {"(p.position - q.position).y", -5.0},
        {"(p.position + q.position).z", 3.0},
        {"(2*p.position).z", 8.0},
        {"(p.position*2).z", 8.0},
        {"(p.position/2).z", 2.0},
        {"(-p.position).x", -1.0},
        {"(p.position).z", 4.0},
        {"dot(p.position, q.position)", 0.5 - 6.0 - 4.0},
        {"cross(p.position, q.position).x", 2.0 - 12.0},
        {"cross(p.position, q.position).y", 2.0 + 1.0},
        {"cross(p.position, q.position).z", 3.0 + 1.0},
        {"norm(p.position)", sqrt(21.0)},
        {"norm(p.position - q.position)", sqrt(0.25 + 25.0 + 25.0)},
        {"unit([3, 0, 4]).z", 0.8},
        {"dot(unit(p.position), p.position)", sqrt(21.0)},
        {"if(x > 1, p.position, q.position).y", -2.0},
        {"if(x < 1, p.position, q.position).y", 3.0},
        {"([0, 0, -mass*9.81] + cross(n, [1, 0, 0])).z", -1200.0 * 9.81 - 0.6},
        {"[x, y, z].z^2", 3.25 * 3.25},
    };
    CHECK(rows);
}

static void results_have_size_and_unit(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit; // "?": not known
        int size;
    } rows[] = {
        {"3", "?", 1},
        {"3 rad", "-", 1},
        {"2*gap", "?", 1},
        {"2 + gap", "m", 1},
        {"gap/v", "s", 1},
        {"mass*v^2", "kg m^2/s^2 (N m)", 1},
        {"sqrt(gap)", "m^(1/2)", 1},
        {"gap^0.5*gap^0.5", "m", 1},
        {"gap^-2", "1/m^2", 1},
        {"gap^x", "?", 1},
        {"(gap/gap)^x", "-", 1},
        {"sin(x)", "-", 1},
        {"atan2(gap, 2)", "-", 1},
        {"hypot(gap, 2)", "m", 1},
        {"gap < 3", "-", 1},
        {"min(1, gap)", "m", 1},
        {"abs(gap)", "m", 1},
        {"sign(gap)", "-", 1},
        {"if(x, 0, v)", "m/s", 1},
        {"step(gap, 1, 0, 2, 5 N)", "kg m/s^2 (N)", 1},
        {"table(gap; 0, 0; 1, 5 N; 2, 0)", "kg m/s^2 (N)", 1},
        {"[0, 0, 3 N]", "kg m/s^2 (N)", 3},
        {"p.position", "m", 3},
        {"p.position.x", "m", 1},
        {"cross(p.position, force)", "kg m^2/s^2 (N m)", 3},
        {"dot(force, n)", "?", 1},
        {"unit(force)", "-", 3},
        {"norm(force)/mass", "m/s^2", 1},
        {"pi*gap", "m", 1},
        {"sin(x)*5 N", "kg m/s^2 (N)", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expr_graph *g = formula_graph();
        const expr_value value = parse(g, rows[i].text, 0, ANY);
        char unit[48];
        expr_unit_print(value.unit, unit);
        if (strcmp(unit, rows[i].unit) != 0 || value.size != rows[i].size)
            fail_msg("%s: size %d, unit %s", rows[i].text, value.size, unit);
        expr_graph_destroy(g);
    }
}

// ---- tables ----------------------------------------------------------------------------------

enum { POINTS = 9 };

static char *table_text(const char *name, const double *x, const double *y, int count)
{
    char *text = malloc((size_t)count * 64 + 64), *end = text;
    assert_non_null(text);
    end += sprintf(end, "%s(x", name);
    for (int i = 0; i < count; i++)
        end += sprintf(end, "; %.17g, %.17g", x[i], y[i]);
    sprintf(end, ")");
    return text;
}

// At its points, between and outside, to the last bit: lookups of num/table.c take the same steps.
static void tables_agree_with_the_lookup(void **state)
{
    (void)state;
    static const double x[POINTS] = {-3.1, -1.0, -0.3, 0.0, 0.7, 1.9, 2.0, 5.5, 11.0};
    static const double y[POINTS] = {4.0, 1.5, 1.5, -2.25, 0.1, 8.0, 7.0, 7.5, 90.0};
    double slope[POINTS];
    table_slopes(x, y, POINTS, slope);
    for (int kind = 0; kind < 2; kind++)
        for (int count = 2; count <= POINTS; count++) {
            if (kind)
                table_slopes(x, y, count, slope);
            const table t = {x, y, kind ? slope : NULL, count, TABLE_CLAMP};
            expr_graph *g = formula_graph();
            char *text = table_text(kind ? "spline" : "table", x, y, count);
            const expr_id id = parse(g, text, 1, ANY).v[0];
            double inputs[3 * FORMULA_NAMES] = {0};
            for (int i = -50; i <= 130; i++) {
                inputs[0] = 0.1 * i;
                const double got = graph_value(g, id, inputs);
                const double want = table_value(&t, inputs[0], NULL, NULL);
                if (!(fabs(got - want) <= 2e-15 * (1.0 + fabs(want))))
                    fail_msg("%s at %g: %.17g, not %.17g", text, inputs[0], got, want);
            }
            for (int i = 0; i < count; i++) {
                inputs[0] = x[i];
                assert_true(graph_value(g, id, inputs) == y[i]);
            }
            inputs[0] = -1e300;
            assert_true(graph_value(g, id, inputs) == y[0]);
            inputs[0] = 1e300;
            assert_true(graph_value(g, id, inputs) == y[count - 1]);
            free(text);
            expr_graph_destroy(g);
        }
}

// The derivative of the graph is the slope of the lookup, and costs no second search.
static void slopes_agree_with_the_lookup(void **state)
{
    (void)state;
    static const double x[5] = {-1.0, 0.0, 0.5, 2.0, 4.0}, y[5] = {3.0, 1.0, 1.5, 9.0, 9.5};
    double slope[5], inputs[3 * FORMULA_NAMES] = {0};
    table_slopes(x, y, 5, slope);
    for (int kind = 0; kind < 2; kind++) {
        const table t = {x, y, kind ? slope : NULL, 5, TABLE_CLAMP};
        expr_graph *g = formula_graph();
        char *text = table_text(kind ? "spline" : "table", x, y, 5);
        const expr_id id = parse(g, text, 1, ANY).v[0];
        expr_id seed[3 * FORMULA_NAMES] = {EXPR_ONE};
        expr_direction *d = expr_direction_create(g, seed);
        assert_non_null(d);
        const expr_id along = expr_along(d, id);
        for (int i = -30; i <= 110; i++) {
            inputs[0] = 0.05 * i;
            double want;
            table_value(&t, inputs[0], &want, NULL);
            const double got = graph_value(g, along, inputs);
            if (!(fabs(got - want) <= 1e-14 * (1.0 + fabs(want))))
                fail_msg("%s at %g: slope %.17g, not %.17g", text, inputs[0], got, want);
        }
        expr_direction_destroy(d);
        free(text);
        expr_graph_destroy(g);
    }
}

static void tables_take_formulas_and_units(void **state)
{
    (void)state;
    const row rows[] = {
        {"table(x; 0, 0; 1, 3.5; 2, 4.5)", 4.0}, {"table(x; 0, y; 2, z)", -0.75 + 4.0 * 0.75},
        {"table(x; 1 + 0.25, 1; 3*1, 8)", 2.0},  {"table(gap; 0 mm, 0; 1000 mm, 50 kN)", 20000.0},
        {"table(2*x - 3; -1, 5; 1, 7)", 6.0},    {"table(table(x; 0, 0; 3, 3); 0, 0; 3, 6)", 3.0},
        {"spline(x; 1, 0; 2, 10)", 5.0},         {"table(x; -2, 1; -1, 2)", 2.0},
    };
    CHECK(rows);
}

static void the_largest_table_is_read(void **state)
{
    (void)state;
    enum { POINTS_MAX = 256 };
    double x[POINTS_MAX], y[POINTS_MAX], inputs[3 * FORMULA_NAMES] = {0};
    for (int i = 0; i < POINTS_MAX; i++)
        x[i] = i, y[i] = (i * 37) % 101;
    char *text = table_text("table", x, y, POINTS_MAX);
    expr_graph *g = formula_graph();
    const expr_id id = parse(g, text, 1, ANY).v[0];
    for (int i = 0; i < POINTS_MAX; i++) {
        inputs[0] = i;
        assert_true(graph_value(g, id, inputs) == y[i]);
    }
    assert_true(expr_node_count(g) < 20 * POINTS_MAX);
    free(text);
    expr_graph_destroy(g);
}

// ---- numbers and names -----------------------------------------------------------------------

static void numbers_are_told_from_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool number;
        double value;
    } rows[] = {
        {"3", true, 3.0},        {" -2.5e3 ", true, -2500.0}, {"+4", true, 4.0},
        {"36 km/h", true, 10.0}, {"36 [km/h]", true, 10.0},   {"-250mm", true, -0.25},
        {"2 m", true, 2.0},      {"2*3", false, 0.0},         {"x", false, 0.0},
        {"", false, 0.0},        {"--3", false, 0.0},         {"3 +", false, 0.0},
        {"(3)", false, 0.0},     {"3 x", false, 0.0},         {"1.2.3", false, 0.0},
        {"3 m*x", false, 0.0},   {"[1, 2, 3]", false, 0.0},   {"1,5", false, 0.0},
        {"3 [m", false, 0.0},    {"pi", false, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const expr_source source = {rows[i].text, NULL, 0, 0};
        double value = 77.0;
        bool is_number = !rows[i].number;
        mc_error error;
        assert_int_equal(expr_parse_number(&source, ANY, &value, &is_number, &error), MC_OK);
        if (is_number != rows[i].number || value != (is_number ? rows[i].value : 77.0))
            fail_msg("\"%s\": number %d, value %.17g", rows[i].text, is_number, value);
    }
    const expr_source source = {" 3 kg", "car.yaml", 4, 10};
    const expr_unit metre = {true, 6, 0, 0};
    double value;
    bool is_number;
    mc_error error;
    assert_int_equal(expr_parse_number(&source, metre, &value, &is_number, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "the result has the unit kg, expected m");
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 11);
}

static void names_are_words_that_mean_nothing_else(void **state)
{
    (void)state;
    static const char *const good[] = {"x",        "m",   "wheel_fl.angle", "_a",   "t",
                                       "a1.b2.c3", "Sin", "sin.x",          LONGEST};
    static const char *const wrong[] = {"",    "1a",  "a b",   " a",  "a ",       "a..b",
                                        "a.",  ".a",  "a-b",   "sin", "if",       "pi",
                                        "and", "not", "table", "a.1", "\xc3\xa4", LONGEST "4"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const char *why;
        if (!expr_name_valid(good[i], &why))
            fail_msg("%s: %s", good[i], why);
        assert_null(why);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *why = NULL;
        if (expr_name_valid(wrong[i], &why))
            fail_msg("\"%s\" is taken as a name", wrong[i]);
        assert_non_null(why);
        assert_false(expr_name_valid(wrong[i], NULL));
    }
}

static void one_formula_is_one_node(void **state)
{
    (void)state;
    expr_graph *g = formula_graph();
    const expr_id first = parse(g, "x*y + sin(z)", 1, ANY).v[0];
    const uint32_t count = expr_node_count(g);
    assert_int_equal(parse(g, " ( sin( z )+(y*x) )", 1, ANY).v[0], first);
    assert_int_equal(expr_node_count(g), count);
    expr_graph_destroy(g);
}

// ---- random formulas -------------------------------------------------------------------------

// A value and how far rounding of any order of operations may move it.
typedef struct bounded {
    double value, error;
} bounded;

typedef enum shape {
    NUMBER,
    NAME,
    NEGATIVE,
    SUM,
    DIFFERENCE,
    PRODUCT,
    QUOTIENT,
    POWER,
    SINE,
    CHOICE,
    SMALLEST,
    SHAPES
} shape;

// Strength of the operator at the top of each shape, as the manual lists them.
static const int strength[SHAPES] = {9, 9, 3, 1, 1, 2, 2, 4, 9, 9, 9};

typedef struct writer {
    unsigned long long seed;
    char text[1 << 14];
    int length;
    bool doubtful; // some part has no value, or one that hangs on rounding
} writer;

static int choose(writer *w, int count)
{
    return (int)(sample_random(&w->seed) % (unsigned)count);
}

static void put(writer *w, const char *text)
{
    static const char *const blanks[] = {"", " ", "", "\n ", ""};
    w->length += snprintf(w->text + w->length, sizeof w->text - (size_t)w->length, "%s%s",
                          blanks[choose(w, 5)], text);
}

static bounded write_tree(writer *w, int depth, int min);

static bounded write_leaf(writer *w, bool name)
{
    char number[40];
    if (name) {
        const int i = choose(w, 3);
        put(w, formula_names[i].name);
        return (bounded){formula_names[i].value[0], 0.0};
    }
    const double value = sample_uniform(&w->seed, 0.1, 9.0);
    snprintf(number, sizeof number, choose(w, 2) ? "%.17g" : "%.16e", value);
    put(w, number);
    return (bounded){strtod(number, NULL), 0.0};
}

// Combines the values; 8 roundings in place of one, for what the graph may do with an operator.
static bounded combine(shape s, bounded a, bounded b)
{
    const double unit = 8.0 * 0x1p-53;
    bounded r = {0.0, (double)INFINITY};
    switch (s) {
    case NEGATIVE:
        return (bounded){-a.value, a.error};
    case SUM:
    case DIFFERENCE:
        r.value = s == SUM ? a.value + b.value : a.value - b.value;
        r.error = a.error + b.error + unit * (fabs(a.value) + fabs(b.value));
        return r;
    case PRODUCT:
        r.value = a.value * b.value;
        r.error = fabs(a.value) * b.error + fabs(b.value) * a.error + unit * fabs(r.value);
        return r;
    case QUOTIENT:
        r.value = a.value / b.value;
        if (2.0 * b.error < fabs(b.value))
            r.error =
                2.0 * (a.error + fabs(r.value) * b.error) / fabs(b.value) + unit * fabs(r.value);
        return r;
    case SINE:
        return (bounded){sin(a.value), a.error + unit};
    case SMALLEST:
        return (bounded){fmin(a.value, b.value), fmax(a.error, b.error)};
    default:
        return r;
    }
}

static bounded write_power(writer *w, int depth)
{
    static const char *const powers[] = {"2", "3", "-1", "-2", "(2)"};
    static const int power[] = {2, 3, -1, -2, 2};
    const int k = choose(w, 5);
    const bounded base = write_tree(w, depth - 1, strength[POWER] + 1); // to the right: a bracket
    put(w, "^");
    put(w, powers[k]);
    bounded r = {1.0, 0.0};
    for (int n = 0; n < abs(power[k]); n++)
        r = combine(PRODUCT, r, base);
    return power[k] > 0 ? r : combine(QUOTIENT, (bounded){1.0, 0.0}, r);
}

static bounded write_binary(writer *w, shape s, int depth)
{
    static const char *const sign[SHAPES] = {
        [SUM] = "+", [DIFFERENCE] = "-", [PRODUCT] = "*", [QUOTIENT] = "/"};
    const bounded a = write_tree(w, depth - 1, strength[s]);
    put(w, sign[s]);
    const bounded b = write_tree(w, depth - 1, strength[s] + 1); // a - (b - c)
    return combine(s, a, b);
}

static bounded write_choice(writer *w, int depth)
{
    put(w, "if(");
    const bounded a = write_tree(w, depth - 1, 0);
    put(w, "<");
    const bounded b = write_tree(w, depth - 1, 0);
    put(w, ",");
    const bounded yes = write_tree(w, depth - 1, 0);
    put(w, ",");
    const bounded no = write_tree(w, depth - 1, 0);
    put(w, ")");
    bounded r = a.value < b.value ? yes : no;
    if (!(fabs(a.value - b.value) > a.error + b.error)) // rounding may decide
        r.error = (double)INFINITY;
    return r;
}

// Writes a random formula with brackets only where an operator weaker than `min` needs them, and
// some more.
static bounded write_tree(writer *w, int depth, int min)
{
    const shape s =
        depth == 0 || w->length > 12000 ? (shape)choose(w, 2) : (shape)choose(w, SHAPES);
    const bool bracket = strength[s] < min || choose(w, 8) == 0;
    bounded r;
    if (bracket)
        put(w, "(");
    if (s <= NAME) {
        r = write_leaf(w, s == NAME);
    } else if (s == NEGATIVE) {
        put(w, "-");
        r = combine(s, write_tree(w, depth - 1, strength[s]), (bounded){0});
    } else if (s == POWER) {
        r = write_power(w, depth);
    } else if (s == CHOICE) {
        r = write_choice(w, depth);
    } else if (s == SINE) {
        put(w, "sin(");
        r = combine(s, write_tree(w, depth - 1, 0), (bounded){0});
        put(w, ")");
    } else if (s == SMALLEST) {
        put(w, "min(");
        const bounded a = write_tree(w, depth - 1, 0);
        put(w, ",");
        r = combine(s, a, write_tree(w, depth - 1, 0));
        put(w, ")");
    } else {
        r = write_binary(w, s, depth);
    }
    if (bracket)
        put(w, ")");
    w->doubtful = w->doubtful || !isfinite(r.value) || !(r.error < 1e-3);
    return r;
}

static void random_formulas_keep_their_value(void **state)
{
    (void)state;
    enum { TRIALS = 4000 };
    static writer w;
    double inputs[3 * FORMULA_NAMES];
    formula_inputs(inputs);
    int compared = 0;
    for (int i = 0; i < TRIALS; i++) {
        w = (writer){.seed = 1000u + (unsigned)i};
        const bounded want = write_tree(&w, 1 + i % 6, 0);
        if (w.doubtful)
            continue;
        expr_graph *g = formula_graph();
        const expr_scope scope = formula_scope(g);
        const expr_source source = {w.text, NULL, 0, 0};
        expr_value value;
        mc_error error;
        if (expr_parse(&scope, &source, 1, ANY, &value, &error) != MC_OK)
            fail_msg("%s\ncolumn %d: %s", w.text, error.column, error.text);
        const double got = graph_value(g, value.v[0], inputs);
        if (!(fabs(got - want.value) <= want.error + 1e-300))
            fail_msg("%s\n%.17g instead of %.17g, tolerance %g", w.text, got, want.value,
                     want.error);
        compared++;
        expr_graph_destroy(g);
    }
    assert_true(compared > TRIALS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_mathematics),
        cmocka_unit_test(truth_is_one_or_zero),
        cmocka_unit_test(functions_have_the_values_of_libm),
        cmocka_unit_test(units_become_si),
        cmocka_unit_test(vectors_have_components),
        cmocka_unit_test(results_have_size_and_unit),
        cmocka_unit_test(tables_agree_with_the_lookup),
        cmocka_unit_test(slopes_agree_with_the_lookup),
        cmocka_unit_test(tables_take_formulas_and_units),
        cmocka_unit_test(the_largest_table_is_read),
        cmocka_unit_test(numbers_are_told_from_formulas),
        cmocka_unit_test(names_are_words_that_mean_nothing_else),
        cmocka_unit_test(one_formula_is_one_node),
        cmocka_unit_test(random_formulas_keep_their_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
