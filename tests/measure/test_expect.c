// test_expect.c - conditions on figures: what they say, what they report, what is rejected and how.
#include "motorcade/figures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[3] = {"lead", "truck", "car3"};

// Three cars at 20, 18 and 16 m/s; gaps 30 m and 20 m closing by nothing; errors 3.41 m and -1 m.
static mc_figures *sample_figures(void)
{
    static const double length[3] = {4.0, 4.0, 4.0};
    static const int front[3] = {-1, 0, 1};
    mc_figures_setup setup = mc_figures_defaults();
    setup.count = 3, setup.length = length, setup.front = front, setup.step = 1.0;
    mc_figures *f = mc_figures_create(&setup, NULL);
    assert_non_null(f);
    const double a[3] = {0.0}, v[3] = {20.0, 18.0, 16.0}, gap[3] = {NAN, 30.0, 20.0};
    const double desired_gap[3] = {NAN, 26.59, 21.0};
    for (int k = 0; k <= 60; k++) {
        const double x[3] = {20.0 * k, 18.0 * k, 16.0 * k};
        const double fuel[3] = {1.2e-3 * k, NAN, NAN};
        const mc_figures_row row = {
            .t = k, .x = x, .v = v, .a = a, .gap = gap, .desired_gap = desired_gap, .fuel = fuel};
        mc_figures_take(f, &row);
    }
    return f;
}

static mc_conditions *read_one(const char *formula, mc_error *error)
{
    const mc_condition_line line = {.formula = formula, .file = "run.yaml", .line = 7, .column = 5};
    return mc_conditions_create(&line, 1, names, 3, error);
}

static void check(const char *formula, bool holds, const char *text)
{
    mc_error error;
    mc_conditions *c = read_one(formula, &error);
    if (!c)
        fail_msg("%s: %s", formula, error.text);
    mc_figures *f = sample_figures();
    mc_condition_result result;
    mc_conditions_result(c, 0, f, &result);
    if (result.holds != holds || strcmp(result.text, text) != 0)
        fail_msg("%s: %s, %s", formula, result.holds ? "holds" : "fails", result.text);
    assert_int_equal(mc_conditions_failed(c, f), holds ? 0 : 1);
    assert_int_equal(mc_conditions_first(c, f), holds ? 0 : -1);
    mc_conditions_destroy(c);
    mc_figures_destroy(f);
}

static void results_show_both_sides(void **state)
{
    (void)state;
    check("largest.spacing_error < 2 m", false, "largest.spacing_error < 2 m: 3.41 m");
    check("largest.spacing_error < 4 m", true, "largest.spacing_error < 4 m: 3.41 m");
    check("collisions == 0", true, "collisions == 0: 0");
    check("smallest.gap > 1500 cm", true, "smallest.gap > 1500 cm: 20 m");
    check("car3.v > 0.9*lead.v", false, "car3.v > 0.9*lead.v: 16 m/s against 18 m/s");
    check("truck.v == 0.9*lead.v", true, "truck.v == 0.9*lead.v: 18 m/s against 18 m/s");
    check("lead.x - truck.x >= 120", true, "lead.x - truck.x >= 120: 120 m against 120 m");
    check("lead.fuel.per_km < 70 g/km", true, "lead.fuel.per_km < 70 g/km: 60 g/km");
    check("lead.fuel.mpg > 200", false, "lead.fuel.mpg > 200: 29.21 mpg");
    check("truck.gap != 30 m", false, "truck.gap != 30 m: 30 m");
    check("(car3.largest.spacing_error) < (1.5)", true,
          "(car3.largest.spacing_error) < (1.5): 1 m against 1.5 m");
    check("max(truck.gap, car3.gap) < 25 m", false,
          "max(truck.gap, car3.gap) < 25 m: 30 m against 25 m");
    check("collisions == 0 and t >= 100 s", false,
          "collisions == 0 and t >= 100 s: collisions = 0, t = 60 s");
    check("not(t > 10 s) or collisions < 1", true,
          "not(t > 10 s) or collisions < 1: t = 60 s, collisions = 0");
    check("if(t > 10 s, lead.v > 19, lead.v > 50)", true,
          "if(t > 10 s, lead.v > 19, lead.v > 50): t = 60 s, lead.v = 20 m/s");
    check("smallest.ttc > 2 s", true, "smallest.ttc > 2 s: inf s");
}

// What has no value does not hold, nor does its opposite.
static void no_value_never_holds(void **state)
{
    (void)state;
    check("lead.gap > 1 m", false, "lead.gap > 1 m: lead.gap has no value");
    check("not(lead.gap > 1 m)", false, "not(lead.gap > 1 m): lead.gap has no value");
    check("truck.fuel < 1 kg", false, "truck.fuel < 1 kg: truck.fuel has no value");
}

static void rejected(const char *formula, int column, const char *text)
{
    mc_error error;
    mc_conditions *c = read_one(formula, &error);
    if (c)
        fail_msg("%s: was taken", formula);
    if (strcmp(error.text, text) != 0 || error.line != 7 || error.column != column ||
        strcmp(error.file, "run.yaml") != 0)
        fail_msg("%s: %s:%d:%d: %s", formula, error.file, error.line, error.column, error.text);
}

static void bad_conditions_are_rejected(void **state)
{
    (void)state;
    rejected("largest.spacing_eror < 2 m", 5,
             "unknown name \"largest.spacing_eror\"; did you mean \"largest.spacing_error\"?");
    rejected("collision == 0", 5, "unknown name \"collision\"; did you mean \"collisions\"?");
    rejected("trck.v > 1", 5, "unknown name \"trck.v\"; did you mean \"truck.v\"?");
    rejected("truck.smalest.gap > 1", 5,
             "unknown name \"truck.smalest.gap\"; did you mean \"truck.smallest.gap\"?");
    rejected("collisions == 0 and zorro.speed > 1", 25, "unknown name \"zorro.speed\"");
    rejected("truck.collisions == 0", 5, "unknown name \"truck.collisions\"");
    rejected("v > 3", 5, "unknown name \"v\"");
    rejected("smallest.gap", 5,
             "\"smallest.gap\" is a number, expected a condition such as smallest.gap > 1 m");
    rejected(
        "1 < 2", 5,
        "\"1 < 2\" is not a figure of the run; expected one such as collisions or smallest.gap");
    rejected("smallest.gap > 2 s", 18, "cannot compare m and s");
    rejected("smallest.gap >", 19, "the formula ends, expected a number, a name or \"(\"");
    rejected("smallest.gap > 1 m)", 23, "\")\" without an opening bracket");
    rejected("", 5, "the formula is empty");
}

// Many lines share one program; a stop condition is the first that holds so far.
static void lines_together(void **state)
{
    (void)state;
    const mc_condition_line lines[] = {
        {.formula = "collisions > 0"}, {.formula = "t > 30 s"}, {.formula = "lead.x > 500 m"}};
    mc_error error;
    mc_conditions *c = mc_conditions_create(lines, 3, names, 3, &error);
    assert_non_null(c);
    assert_int_equal(mc_conditions_count(c), 3);
    static const double length[3] = {4.0, 4.0, 4.0}, zero[3] = {0.0};
    static const int front[3] = {-1, 0, 1};
    mc_figures_setup setup = mc_figures_defaults();
    setup.count = 3, setup.length = length, setup.front = front, setup.step = 1.0;
    mc_figures *f = mc_figures_create(&setup, NULL);
    assert_int_equal(mc_conditions_first(c, f), -1); // nothing has happened yet
    int stopped = -1, at = -1;
    for (int k = 0; k < 100 && stopped < 0; k++) {
        const double x[3] = {20.0 * k, 0.0, -10.0}, v[3] = {20.0, 0.0, 0.0};
        const mc_figures_row row = {.t = k, .x = x, .v = v, .a = zero};
        mc_figures_take(f, &row);
        stopped = mc_conditions_first(c, f);
        at = k;
    }
    assert_int_equal(stopped, 2);
    assert_int_equal(at, 26);
    assert_int_equal(mc_conditions_failed(c, f), 2);
    mc_figures_collide(f, 1.0);
    assert_int_equal(mc_conditions_first(c, f), 0);
    mc_conditions_destroy(c);
    mc_figures_destroy(f);
    c = mc_conditions_create(NULL, 0, names, 3, &error);
    assert_non_null(c);
    assert_int_equal(mc_conditions_count(c), 0);
    mc_conditions_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_show_both_sides),
        cmocka_unit_test(no_value_never_holds),
        cmocka_unit_test(bad_conditions_are_rejected),
        cmocka_unit_test(lines_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
