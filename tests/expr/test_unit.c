// test_unit.c - units against their legal definitions, dimensions, what is not a unit.
#include "expr/unit.h"
#include "expr/unit_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static bool read(const char *text, expr_unit *unit, double *factor, int *bad)
{
    return expr_unit_read(text, (int)strlen(text), unit, factor, bad);
}

// One in the last place or two: a few products.
static void near(const char *text, double got, double want)
{
    if (!(fabs(got - want) <= 4e-16 * fabs(want)))
        fail_msg("%s: %.17g instead of %.17g", text, got, want);
}

static void units_have_their_defined_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double factor;
        int length, mass, time;
    } rows[] = {
        {"m", 1.0, 1, 0, 0},
        {"mm", 1e-3, 1, 0, 0},
        {"in", 0.0254, 1, 0, 0},
        {"ft", 0.3048, 1, 0, 0},
        {"mi", 1609.344, 1, 0, 0},
        {"lb", 0.45359237, 0, 1, 0},
        {"t", 1000.0, 0, 1, 0},
        {"g", 1e-3, 0, 1, 0},
        {"h", 3600.0, 0, 0, 1},
        {"min", 60.0, 0, 0, 1},
        {"ms", 1e-3, 0, 0, 1},
        {"Hz", 1.0, 0, 0, -1},
        {"km/h", 1.0 / 3.6, 1, 0, -1},
        {"mph", 0.44704, 1, 0, -1},
        {"mi/h", 0.44704, 1, 0, -1},
        {"g0", 9.80665, 1, 0, -2},
        {"kN", 1e3, 1, 1, -2},
        {"lbf", 4.4482216152605, 1, 1, -2},
        {"lb*g0", 4.4482216152605, 1, 1, -2},
        {"Nm", 1.0, 2, 1, -2},
        {"bar", 1e5, -1, 1, -2},
        {"psi", 4.4482216152605 / (0.0254 * 0.0254), -1, 1, -2},
        {"N/mm^2", 1e6, -1, 1, -2},
        {"MPa", 1e6, -1, 1, -2},
        {"kWh", 3.6e6, 2, 1, -2},
        {"hp", 550.0 * 0.3048 * 4.4482216152605, 2, 1, -3},
        {"PS", 75.0 * 9.80665, 2, 1, -3},
        {"deg", 0.017453292519943295, 0, 0, 0},
        {"rev", 6.283185307179586, 0, 0, 0},
        {"rpm", 0.10471975511965977, 0, 0, -1},
        {"rev/min", 0.10471975511965977, 0, 0, -1},
        {"-", 1.0, 0, 0, 0},
        {" - ", 1.0, 0, 0, 0},
        {"1", 1.0, 0, 0, 0},
        {"1/s", 1.0, 0, 0, -1},
        {"s^-1", 1.0, 0, 0, -1},
        {"N*m", 1.0, 2, 1, -2},
        {"N m", 1.0, 2, 1, -2},
        {"kg m^2", 1.0, 2, 1, 0},
        {"kg*m^2", 1.0, 2, 1, 0},
        {" kg * m ^ +2 ", 1.0, 2, 1, 0},
        {"m/s^2", 1.0, 1, 0, -2},
        {"m/s/s", 1.0, 1, 0, -2},
        {"N s/m", 1.0, 0, 1, -1},
        {"N/(m/s)", 1.0, 0, 1, -1},
        {"N/(mm/s)", 1e3, 0, 1, -1},
        {"N/m*s", 1.0, 0, 1, -1},
        {"lb ft", 0.45359237 * 0.3048, 1, 1, 0},
        {"lbf ft", 4.4482216152605 * 0.3048, 2, 1, -2},
        {"(m)^3/(s)^2", 1.0, 3, 0, -2},
        {"(km/h)^2", 1.0 / 12.96, 2, 0, -2},
        {"m^0", 1.0, 0, 0, 0},
        {"m^21", 1.0, 21, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expr_unit unit;
        double factor;
        int bad = -1;
        if (!read(rows[i].text, &unit, &factor, &bad))
            fail_msg("%s: not understood at %d", rows[i].text, bad);
        near(rows[i].text, factor, rows[i].factor);
        assert_true(unit.known);
        assert_int_equal(unit.length, 6 * rows[i].length);
        assert_int_equal(unit.mass, 6 * rows[i].mass);
        assert_int_equal(unit.time, 6 * rows[i].time);
    }
}

static void what_is_not_a_unit_is_shown(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int bad;
    } rows[] = {
        {"", 0},
        {"  ", 2},
        {"metre", 0},
        {"M", 0},
        {"m/", 2},
        {"m*", 2},
        {"m/x", 2},
        {"m^", 2},
        {"m^x", 2},
        {"m^1.5", 3},
        {"m^100", 4},
        {"m^22", 0},
        {"J/kg m", 5},
        {"(m", 2},
        {"m)", 1},
        {"2 m", 0},
        {"m-", 1},
        {"- m", 2},
        {"m,s", 1},
        {"N.m", 1},
        {"m^^2", 2},
        {"km\xc2\xb2", 2},
        {"10 m", 1},
        {"1m", 1},
        {"kg m^2 / s x", 11},
        {"((((((((((m))))))))))", 9},
        {"m^2e1", 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expr_unit unit;
        double factor;
        int bad = -1;
        if (read(rows[i].text, &unit, &factor, &bad))
            fail_msg("\"%s\" is taken as a unit", rows[i].text);
        if (bad != rows[i].bad)
            fail_msg("\"%s\": shown at %d instead of %d", rows[i].text, bad, rows[i].bad);
    }
}

static void only_the_length_given_is_read(void **state)
{
    (void)state;
    expr_unit unit;
    double factor;
    int bad;
    assert_true(expr_unit_read("km/h]x", 4, &unit, &factor, &bad));
    assert_int_equal(unit.time, -6);
    assert_true(expr_unit_read("km/h", 2, &unit, &factor, &bad));
    assert_int_equal(unit.time, 0);
}

static void every_row_is_read_by_its_name(void **state)
{
    (void)state;
    int count = 0;
    for (const expr_unit_row *row; (row = expr_unit_at(count)); count++) {
        expr_unit unit;
        double factor;
        int bad;
        assert_true(read(row->name, &unit, &factor, &bad));
        assert_ptr_equal(expr_unit_find(row->name, (int)strlen(row->name)), row); // no name twice
        assert_int_equal(unit.length, 6 * row->length);
        assert_true(row->doc[0] && factor > 0.0);
    }
    assert_true(count > 40);
    assert_null(expr_unit_at(-1));
}

static void dimensions_fit_when_equal_or_unknown(void **state)
{
    (void)state;
    const expr_unit unknown = {0}, metre = {true, 6, 0, 0}, second = {true, 0, 0, 6};
    assert_true(expr_unit_fits(metre, metre));
    assert_true(expr_unit_fits(metre, unknown) && expr_unit_fits(unknown, second));
    assert_false(expr_unit_fits(metre, second));
    assert_false(expr_unit_fits(metre, (expr_unit){true, 0, 0, 0}));
}

static void roots_are_exact_and_overflow_is_unknown(void **state)
{
    (void)state;
    const expr_unit metre = {true, 6, 0, 0};
    const expr_unit root = expr_unit_power(metre, 0.5);
    assert_true(root.known && root.length == 3);
    assert_true(expr_unit_fits(expr_unit_product(root, root, 1), metre));
    assert_false(expr_unit_power(root, 0.5).known); // a quarter is not in sixths
    assert_false(expr_unit_power(metre, 22.0).known);
    assert_false(expr_unit_power(metre, (double)NAN).known);
    assert_true(expr_unit_power(metre, -21.0).known);
    assert_false(expr_unit_product(expr_unit_power(metre, 21.0), metre, 1).known);
    assert_false(expr_unit_product(metre, (expr_unit){0}, 1).known);
}

static void units_are_printed_for_engineers(void **state)
{
    (void)state;
    static const struct {
        expr_unit unit;
        const char *text;
    } rows[] = {
        {{true, 0, 0, 0}, "-"},
        {{true, 6, 0, 0}, "m"},
        {{true, 6, 6, -12}, "kg m/s^2 (N)"},
        {{true, 12, 6, -12}, "kg m^2/s^2 (N m)"},
        {{true, -6, 6, -12}, "kg/(m s^2) (Pa)"},
        {{true, 0, 6, -12}, "kg/s^2 (N/m)"},
        {{true, 0, 6, -6}, "kg/s (N s/m)"},
        {{true, 12, 6, -18}, "kg m^2/s^3 (W)"},
        {{true, 0, 0, -6}, "1/s"},
        {{true, -6, -6, 0}, "1/(kg m)"},
        {{true, 3, 0, -2}, "m^(1/2)/s^(1/3)"},
        {{true, -127, -127, -127}, "1/(kg^(127/6) m^(127/6) s^(127/6))"},
        {{true, 127, 127, -127}, "kg^(127/6) m^(127/6)/s^(127/6)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[48];
        expr_unit_print(rows[i].unit, out);
        assert_string_equal(out, rows[i].text);
    }
}

// What is printed without its short name is read again as the same dimension.
static void what_is_printed_can_be_read(void **state)
{
    (void)state;
    for (int length = -3; length <= 3; length++)
        for (int mass = -3; mass <= 3; mass++)
            for (int time = -3; time <= 3; time++) {
                const expr_unit unit = {true, (int8_t)(6 * length), (int8_t)(6 * mass),
                                        (int8_t)(6 * time)};
                expr_unit again;
                char out[48];
                double factor;
                int bad;
                expr_unit_print(unit, out);
                char *name = strstr(out, " (");
                if (name)
                    *name = '\0';
                if (!read(out, &again, &factor, &bad))
                    fail_msg("%s", out);
                assert_true(again.known && expr_unit_fits(unit, again) && factor == 1.0);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_have_their_defined_values),
        cmocka_unit_test(what_is_not_a_unit_is_shown),
        cmocka_unit_test(only_the_length_given_is_read),
        cmocka_unit_test(every_row_is_read_by_its_name),
        cmocka_unit_test(dimensions_fit_when_equal_or_unknown),
        cmocka_unit_test(roots_are_exact_and_overflow_is_unknown),
        cmocka_unit_test(units_are_printed_for_engineers),
        cmocka_unit_test(what_is_printed_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
