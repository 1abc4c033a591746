// test_parse_bad.c - wrong formulas: what is said, where, and the line with its caret.
#include "expr/formula_scope.h"
#include "expr/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

static const expr_unit ANY = {0};

static mc_error failure(const expr_source *source, int size, expr_unit unit)
{
    expr_graph *g = formula_graph();
    const expr_scope scope = formula_scope(g);
    expr_value value = {.size = 77};
    mc_error error = {0};
    if (expr_parse(&scope, source, size, unit, &value, &error) != MC_BAD_INPUT)
        fail_msg("\"%.200s\" is not rejected as bad input", source->text);
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_int_equal(value.size, 77); // untouched
    assert_int_equal(expr_parse(&scope, source, size, unit, &value, NULL), MC_BAD_INPUT);
    expr_graph_destroy(g);
    return error;
}

static mc_error failure_of(const char *text)
{
    const expr_source source = {text, NULL, 0, 0};
    return failure(&source, 0, ANY);
}

static void wrong_formulas_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *formula;
        int line, column;
        const char *text;
    } rows[] = {
        {"", 1, 1, "the formula is empty"},
        {"   ", 1, 4, "the formula is empty"},
        {"x +", 1, 4, "the formula ends, expected a number, a name or \"(\""},
        {"(x + 2", 1, 7, "the formula ends, expected \")\" for the \"(\" in column 1"},
        {"[1, 2, 3", 1, 9, "the formula ends, expected \"]\" for the \"[\" in column 1"},
        {"[1, 2]", 1, 6, "found \"]\", expected an operator or \",\"; a vector is [x, y, z]"},
        {"[1, 2, 3, 4]", 1, 9, "a vector has three components"},
        {"x + 2)", 1, 6, "\")\" without an opening bracket"},
        {"x]", 1, 2, "\"]\" without an opening bracket"},
        {"x y", 1, 3, "found \"y\", expected an operator or the end; a product is written with *"},
        {"2 x", 1, 3, "found \"x\", expected an operator; a product is written with *"},
        {"2(x)", 1, 2, "found \"(\", expected an operator or the end; a product is written with *"},
        {"x(2)", 1, 1, "unknown function \"x\"; a product is written with *: x*(...)"},
        {"x 2", 1, 3, "found \"2\", expected an operator or the end; a product is written with *"},
        {"2 3", 1, 3, "found \"3\", expected an operator or the end; a product is written with *"},
        {"sin x", 1, 1, "\"sin\" is a function, expected \"(\" after it"},
        {"sin", 1, 1, "\"sin\" is a function, expected \"(\" after it"},
        {"sin()", 1, 1, "sin takes 1 argument, found 0: sin(a)"},
        {"sin(x, y)", 1, 1, "sin takes 1 argument, found 2: sin(a)"},
        {"sin(1,5)", 1, 1,
         "sin takes 1 argument, found 2: sin(a); decimals are written with a point, 1.5"},
        {"1,5", 1, 2, "found \",\": decimals are written with a point, 1.5"},
        {"atan2(x)", 1, 1, "atan2 takes 2 arguments, found 1: atan2(a, b)"},
        {"min(x)", 1, 1, "min takes 2 or more arguments, found 1: min(a, b, ...)"},
        {"clamp(x, 1)", 1, 1, "clamp takes 3 arguments, found 2: clamp(x, low, high)"},
        {"clamp(x, 2, 1)", 1, 13, "the upper limit 1 is below the lower limit 2"},
        {"step(x, 1, 2)", 1, 12, "step takes 2 or 5 arguments, found 3"},
        {"if(x > 1, 2)", 1, 1, "if takes 3 arguments, found 2: if(condition, a, b)"},
        {"sine(x)", 1, 1, "unknown function \"sine\", did you mean \"sin\"?"},
        {"ln(x)", 1, 1, "unknown function \"ln\", did you mean \"log\"?"},
        {"arctan(x)", 1, 1, "unknown function \"arctan\", did you mean \"atan\"?"},
        {"foo(x)", 1, 1, "unknown function \"foo\""},
        {"xx", 1, 1, "unknown name \"xx\"; did you mean \"x\"?"},
        {"maas", 1, 1, "unknown name \"maas\"; did you mean \"mass\"?"},
        {"weel_fl.angle", 1, 1, "unknown name \"weel_fl.angle\"; did you mean \"wheel_fl.angle\"?"},
        {"p.positon.x", 1, 1, "unknown name \"p.positon.x\"; did you mean \"p.position.x\"?"},
        {"p.position.w", 1, 1, "unknown name \"p.position.w\"; did you mean \"p.position\"?"},
        {"gap.x", 1, 4, "\"gap\" is a scalar and has no components"},
        {"(x).y", 1, 4, "a scalar has no components"},
        {"[1, 2, 3].w", 1, 10, "expected a component: .x, .y or .z"},
        {"x.y", 1, 2, "\"x\" is a scalar and has no components"},
        {"s", 1, 1, "unknown name \"s\"; as a unit it must follow a number, 1 s"},
        {"2/s", 1, 3, "unknown name \"s\"; as a unit it must follow a number, 1 s"},
        {"pi.x", 1, 1, "unknown name \"pi.x\""},
        {"x < y < z", 1, 7, "comparisons cannot be chained: write a < b and b < c"},
        {"x == y == z", 1, 8, "comparisons cannot be chained: write a < b and b < c"},
        {"x = 3", 1, 3, "found \"=\": write == to compare"},
        {"x && y", 1, 3, "found \"&&\": write and"},
        {"x || y", 1, 3, "found \"||\": write or"},
        {"!x", 1, 1, "found \"!\": write not"},
        {"x ** 2", 1, 3, "found \"**\": a power is written ^"},
        {"x % 2", 1, 3, "found \"%\": the remainder is mod(a, b); 5 percent is 0.05"},
        {"x ? 1 : 2", 1, 3, "found \"?\": a choice is written if(condition, a, b)"},
        {"{x}", 1, 1, "found \"{\": brackets are ( )"},
        {"#", 1, 1, "found \"#\": a formula has no comments"},
        {"x$", 1, 2, "found \"$\", which is not allowed in a formula"},
        {"1.2.3", 1, 1, "a number with two points"},
        {"1e", 1, 1, "the number has no digits after \"e\""},
        {"2e+", 1, 1, "the number has no digits after \"e+\""},
        {"0x10", 1, 1, "numbers are decimal, without 0x"},
        {"1_000", 1, 1, "digits of a number cannot be separated by \"_\""},
        {"1e999", 1, 1, "the number is too large, expected at most 1.79e308"},
        {"x \xc3\x97 y", 1, 3, "found \"\xc3\x97\": write *"},
        {"x \xc2\xb7 y", 1, 3, "found \"\xc2\xb7\": write *"},
        {"x \xe2\x88\x92 y", 1, 3, "found \"\xe2\x88\x92\": write -"},
        {"x\xc2\xb2", 1, 2, "found \"\xc2\xb2\": write ^2"},
        {"90\xc2\xb0", 1, 3, "found \"\xc2\xb0\": write deg"},
        {"\xcf\x80", 1, 1, "found \"\xcf\x80\": write pi"},
        {"x\xe2\x89\xa4y", 1, 2, "found \"\xe2\x89\xa4\": write <="},
        {"\xc2\xb5", 1, 1, "found \"\xc2\xb5\": write u for micro"},
        {"\xc3\xa4", 1, 1, "found \"\xc3\xa4\", which is not allowed in a formula"},
        {"x + \"a\"", 1, 5, "found \"\"\", which is not allowed in a formula"},
        {"gap + v", 1, 5, "cannot add m and m/s"},
        {"gap - v", 1, 5, "cannot form the difference of m and m/s"},
        {"gap < v", 1, 5, "cannot compare m and m/s"},
        {"gap + 1 s", 1, 5, "cannot add m and s"},
        {"mass + 3 rad", 1, 6, "cannot add kg and a dimensionless number"},
        {"x + [1, 2, 3]", 1, 3, "cannot add a scalar and a vector"},
        {"force + p.position", 1, 7, "cannot add kg m/s^2 (N) and m"},
        {"force*force", 1, 6, "two vectors are multiplied by dot(a, b) or cross(a, b)"},
        {"1/force", 1, 2, "cannot divide by a vector"},
        {"force/force", 1, 6, "cannot divide by a vector"},
        {"force^2", 1, 6, "a vector has no powers; dot(a, a) is its square"},
        {"2^force", 1, 2, "the exponent is a vector, expected a scalar"},
        {"-force < 1", 1, 1, "what is compared is a vector, expected a scalar"},
        {"not force", 1, 5, "the operand of \"not\" is a vector, expected a scalar"},
        {"force and 1", 1, 1, "a condition is a vector, expected a scalar"},
        {"if(force, 1, 2)", 1, 4, "a condition is a scalar, found a vector"},
        {"if(x, 1, force)", 1, 10, "cannot choose between a scalar and a vector"},
        {"abs(force)", 1, 5, "the length of a vector is norm(a)"},
        {"sin(force)", 1, 5, "the argument of sin is a vector, expected a scalar"},
        {"dot(x, y)", 1, 5, "expected a vector, found a scalar"},
        {"norm(x)", 1, 6, "expected a vector, found a scalar"},
        {"cross(force, 2)", 1, 14, "expected a vector, found a scalar"},
        {"unit([0, 0, 0])", 1, 6, "a zero vector has no direction"},
        {"[force, 1, 2]", 1, 2, "a component of a vector is a vector, expected a scalar"},
        {"[1 mm, 2 s, 3]", 1, 8, "cannot combine in one vector m and s"},
        {"max(gap, v)", 1, 10, "cannot compare m and m/s"},
        {"clamp(gap, 0, 3 s)", 1, 15, "cannot compare m and s"},
        {"sin(gap)", 1, 5, "the argument of sin is in m, expected a dimensionless number"},
        {"exp(v)", 1, 5, "the argument of exp is in m/s, expected a dimensionless number"},
        {"2^gap", 1, 3, "the exponent is in m, expected a dimensionless number"},
        {"x^(3 mm)", 1, 3, "the exponent is in m, expected a dimensionless number"},
        {"atan2(gap, v)", 1, 12, "cannot compare m and m/s"},
        {"3 mt", 1, 3, "\"mt\" is not a unit, did you mean \"m\"?"},
        {"3 metre", 1, 3, "\"metre\" is not a unit"},
        {"3 [mt]", 1, 4, "\"mt\" is not a unit, did you mean \"m\"?"},
        {"3 [m/]", 1, 6, "expected a unit such as m/s^2, N*m or N/(m/s)"},
        {"3 [m", 1, 5, "the formula ends, expected \"]\" for the \"[\" in column 3"},
        {"3 []", 1, 4, "expected a unit such as m/s^2, N*m or N/(m/s)"},
        {"3 [m]^2", 1, 6,
         "write the power inside the brackets, or put (...) around number and unit"},
        {"3 mm^x", 1, 5,
         "the power of a unit is a whole number; for a power of the value write (3 mm)^..."},
        {"3 mm^0.5", 1, 5,
         "the power of a unit is a whole number; for a power of the value write (3 mm)^..."},
        {"3 mm^(2)", 1, 5,
         "the power of a unit is a whole number; for a power of the value write (3 mm)^..."},
        {"3 J/kg s", 1, 8, "\"s\" follows a slash: write N/(m s) or N/m*s"},
        {"2 m", 1, 3, "\"m\" is a unit and a name: write 2 [m] for the unit, 2*m for the name"},
        {"5 N/m", 1, 5,
         "\"m\" is a unit and a name: write 5 [N/m] for the unit, (5 N)/m for the name"},
        {"5 kN m", 1, 6,
         "\"m\" is a unit and a name: write 5 [kN m] for the unit, (5 kN)*m for the name"},
        {"5 N/(s m)", 1, 8,
         "\"m\" is a unit and a name: write 5 [N/(s m)] for the unit, (5 N)/m for the name"},
        {"30 m/s", 1, 4,
         "\"m\" is a unit and a name: write 30 [m/s] for the unit, 30*m for the name"},
        {"3 km sin(x)", 1, 6,
         "found \"sin\", expected an operator or the end; a product is written with *"},
        {"3 pi", 1, 3, "found \"pi\", expected an operator; a product is written with *"},
        {"2 x.y", 1, 3, "found \"x.y\", expected an operator; a product is written with *"},
        {"1/0", 1, 2, "division by zero"},
        {"x/0", 1, 2, "division by zero"},
        {"mod(x, 0)", 1, 8, "division by zero"},
        {"log(0)", 1, 1, "the result is not a finite number"},
        {"sqrt(-1)", 1, 1, "the result is not a finite number"},
        {"1e308*10", 1, 6, "the result is not a finite number"},
        {"0^-1", 1, 2, "the result is not a finite number"},
        {"x/1e-200/1e-200", 1, 9, "the result is not a finite number"},
        {"x + not y", 1, 5, "put \"not ...\" in brackets here"},
        {"x and", 1, 6, "the formula ends, expected a number, a name or \"(\""},
        {"and x", 1, 1, "found \"and\", expected a number, a name or \"(\""},
        {"x or or y", 1, 6, "found \"or\", expected a number, a name or \"(\""},
        {"()", 1, 2, "found \")\", expected a number, a name or \"(\""},
        {"(,)", 1, 2, "found \",\", expected a number, a name or \"(\""},
        {",", 1, 1, "found \",\", expected a number, a name or \"(\""},
        {"sin(x;y)", 1, 6, "found \";\", expected an operator or \")\""},
        {"max(x, , y)", 1, 8, "found \",\", expected a number, a name or \"(\""},
        {"table(x)", 1, 1, "table needs 2 points or more, found 0: table(x; x0, y0; x1, y1; ...)"},
        {"table(x, 1, 2)", 1, 8, "found \",\", expected \";\": table(x; x0, y0; x1, y1; ...)"},
        {"table(x; 1, 2)", 1, 1,
         "table needs 2 points or more, found 1: table(x; x0, y0; x1, y1; ...)"},
        {"table(x; 1; 2)", 1, 11,
         "found \";\", expected \",\" and the y of the point: table(x; x0, y0; x1, y1; ...)"},
        {"table(x; 1, 2; 1, 3)", 1, 16, "x must increase from point to point: 1 comes after 1"},
        {"table(x; 2, 1; 1, 3)", 1, 16, "x must increase from point to point: 1 comes after 2"},
        {"table(x; 1, 2; 2, 3", 1, 20,
         "the formula ends, expected \")\" for the \"(\" in column 6"},
        {"table(x; y, 2; 2, 3)", 1, 10, "the x of a point is not a constant"},
        {"spline(x; 1, y; 2, 3)", 1, 14, "the y of a point is not a constant"},
        {"table(gap; 1 s, 2; 2, 3)", 1, 12, "cannot compare m and s"},
        {"table(x; 1, 2 N; 2, 3 s)", 1, 21, "cannot go between kg m/s^2 (N) and s"},
        {"table(force; 1, 2; 2, 3)", 1, 7,
         "the argument of a table is a vector, expected a scalar"},
        {"table(x; 1, 2, 3, 4)", 1, 14, "found \",\", expected \";\" and the next point, or \")\""},
        {"step(x, 1, 0, 1, 2)", 1, 15, "the step begins and ends at the same x"},
        {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 1, 1,
         "a name of 64 letters, expected at most 63"},
        {"x +\n  yy*2", 2, 3, "unknown name \"yy\"; did you mean \"y\"?"},
        {"(x +\n  y", 2, 4, "the formula ends, expected \")\" for the \"(\" on line 1, column 1"},
        {"x..y", 1, 2, "expected a component: .x, .y or .z"},
        {"x.", 1, 2, "expected a component: .x, .y or .z"},
        {"3..x", 1, 1, "a number with two points"},
        {"1e300 km*1e300 + x", 1, 9, "the result is not a finite number"},
        {"2 [N/x]", 1, 6, "\"x\" is not a unit"},
        {"1 mm^99", 1, 3, "the power of the unit \"mm\" is too large"},
        {"max(x y)", 1, 7,
         "found \"y\", expected an operator or \")\"; a product is written with *"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const mc_error e = failure_of(rows[i].formula);
        if (strcmp(e.text, rows[i].text) != 0)
            fail_msg("%s: said\n  %s\ninstead of\n  %s", rows[i].formula, e.text, rows[i].text);
        if (e.line != rows[i].line || e.column != rows[i].column)
            fail_msg("%s: shown at %d:%d, not %d:%d", rows[i].formula, e.line, e.column,
                     rows[i].line, rows[i].column);
        assert_int_equal(e.caret, e.column); // all lines are short
    }
}

static void results_of_the_wrong_kind_are_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *formula;
        int size;
        expr_unit unit;
        const char *text;
    } rows[] = {
        {" gap", 3, {0}, "the result is a scalar, expected a vector"},
        {" force", 1, {0}, "the result is a vector, expected a scalar"},
        {" gap", 1, {true, 6, 6, -12}, "the result has the unit m, expected kg m/s^2 (N)"},
        {" gap", 1, {true, 0, 0, 0}, "the result has the unit m, expected a dimensionless number"},
        {" sin(x)", 1, {true, 6, 0, 0}, "the result is a dimensionless number, expected m"},
        {" force",
         3,
         {true, 12, 6, -12},
         "the result has the unit kg m/s^2 (N), expected kg m^2/s^2 (N m)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const expr_source source = {rows[i].formula, NULL, 0, 0};
        const mc_error e = failure(&source, rows[i].size, rows[i].unit);
        assert_string_equal(e.text, rows[i].text);
        assert_int_equal(e.column, 2);
    }
}

static void the_place_is_that_in_the_file(void **state)
{
    (void)state;
    static const struct {
        expr_source source;
        int line, column, caret;
        const char *excerpt;
    } rows[] = {
        {{"x + yy", "car.yaml", 12, 9}, 12, 13, 5, "x + yy"},
        {{"x +\n  yy", "car.yaml", 12, 9}, 13, 3, 3, "  yy"},
        {{"x +\r\n\tyy + 1\r\n+ x", "car.yaml", 12, 9}, 13, 2, 2, " yy + 1"},
        {{"x +\ryy", "car.yaml", 12, 9}, 13, 1, 1, "yy"},
        {{"x + yy", "car.yaml", 0, 0}, 0, 0, 5, "x + yy"}, // the formula's place is not known
        {{"x + yy", NULL, 0, 0}, 1, 5, 5, "x + yy"},
        {{"x + yy", "", 0, 0}, 1, 5, 5, "x + yy"},
        {{"x + yy", "car.yaml", 3, 0}, 3, 5, 5, "x + yy"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const mc_error e = failure(&rows[i].source, 0, ANY);
        assert_string_equal(e.file, rows[i].source.file ? rows[i].source.file : "");
        assert_int_equal(e.line, rows[i].line);
        assert_int_equal(e.column, rows[i].column);
        assert_string_equal(e.excerpt, rows[i].excerpt);
        assert_int_equal(e.caret, rows[i].caret);
    }
}

// `times` times text, then end.
static char *repeated(const char *text, int times, const char *end)
{
    const size_t length = strlen(text);
    char *all = malloc(length * (size_t)times + strlen(end) + 1);
    assert_non_null(all);
    for (int i = 0; i < times; i++)
        memcpy(all + (size_t)i * length, text, length);
    strcpy(all + length * (size_t)times, end);
    return all;
}

static bool is_read(const char *text)
{
    expr_graph *g = formula_graph();
    const expr_scope scope = formula_scope(g);
    const expr_source source = {text, NULL, 0, 0};
    expr_value value;
    const bool read = expr_parse(&scope, &source, 1, ANY, &value, NULL) == MC_OK;
    expr_graph_destroy(g);
    return read;
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const char *const open[] = {"(", "-", "not ", "x^", "sin(", "[0,0,", "table(x;0,0;1,"};
    static const char *const close[] = {")", "", "", "", ")", "].z", ")"};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        for (int depth = 200; depth <= 60000 / (int)strlen(open[i]); depth = depth * 7 + 1) {
            char *tail = repeated(close[i], depth == 200 ? 200 : 0, "");
            char *middle = repeated("x", 1, tail);
            char *text = repeated(open[i], depth, middle);
            if (depth == 200 && !is_read(text))
                fail_msg("200 %s are rejected", open[i]);
            if (depth > 200) {
                const mc_error e = failure_of(text);
                assert_string_equal(e.text,
                                    "brackets and signs are nested more than 200 levels deep");
            }
            free(text);
            free(middle);
            free(tail);
        }
}

static void length_is_limited(void **state)
{
    (void)state;
    char *text = repeated("x+", 32767, "x "); // 65536 bytes
    assert_true(is_read(text));
    free(text);
    text = repeated("x+", 32767, "xx ");
    const mc_error e = failure_of(text);
    assert_string_equal(e.text, "the formula is longer than 65536 bytes");
    assert_int_equal(e.column, 1);
    free(text);
}

static void tables_and_calls_are_limited(void **state)
{
    (void)state;
    char *text = malloc(300 * 16), *end = text;
    assert_non_null(text);
    end += sprintf(end, "table(x");
    for (int i = 0; i < 257; i++)
        end += sprintf(end, "; %d, 1", i);
    sprintf(end, ")");
    mc_error e = failure_of(text);
    assert_string_equal(e.text, "more than 256 points");
    assert_int_equal(e.column, strlen(text) - strlen("; 256, 1)") + 1);
    assert_true(strncmp(e.excerpt + e.caret - 1, "; 256, 1)", 9) == 0); // shortened on the left
    assert_true(strncmp(e.excerpt, "...", 3) == 0);
    free(text);
    text = repeated("1, ", 64, "1)");
    char *call = repeated("max(", 1, text);
    e = failure_of(call);
    assert_string_equal(e.text, "more than 64 arguments");
    free(call);
    free(text);
}

static void a_full_graph_is_reported(void **state)
{
    (void)state;
    expr_graph *g = formula_graph();
    expr_graph_limit(g, expr_node_count(g) + 3);
    const expr_scope scope = formula_scope(g);
    const expr_source source = {"sin(x) + cos(y)*tan(z)/exp(x)", NULL, 0, 0};
    expr_value value;
    mc_error error;
    assert_int_equal(expr_parse(&scope, &source, 0, ANY, &value, &error), MC_FAILED);
    expr_graph_destroy(g);
}

static void a_scope_may_be_without_names(void **state)
{
    (void)state;
    expr_graph *g = expr_graph_create();
    const expr_scope scope = {.graph = g};
    expr_source source = {"2*pi", NULL, 0, 0};
    expr_value value;
    mc_error error;
    assert_int_equal(expr_parse(&scope, &source, 0, ANY, &value, &error), MC_OK);
    source.text = "x";
    assert_int_equal(expr_parse(&scope, &source, 0, ANY, &value, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown name \"x\"");
    expr_graph_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_formulas_are_explained),
        cmocka_unit_test(results_of_the_wrong_kind_are_rejected),
        cmocka_unit_test(the_place_is_that_in_the_file),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(length_is_limited),
        cmocka_unit_test(tables_and_calls_are_limited),
        cmocka_unit_test(a_full_graph_is_reported),
        cmocka_unit_test(a_scope_may_be_without_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
