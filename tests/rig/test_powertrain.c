// test_powertrain.c - steady speeds by the public interface: against the equations, and wrong
// calls.
#include "motorcade/powertrain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static const char *const names[] = {"idle_angle", "as_printed", "max_speed"};

static int speeds(double angle, double printed, mc_powertrain_steady *rows)
{
    const double values[] = {3.0, printed, 120.0};
    const mc_powertrain_set set = {names, values, 3};
    mc_error error;
    int count;
    assert_int_equal(mc_powertrain_steady_speeds("converter", &set, (angle - 3.0) / 82.0, rows, 8,
                                                 &count, &error),
                     MC_OK);
    return count;
}

// Eqs 3 to 6 written out: engine and car do not accelerate at the speeds found. Gears of table 2.
static void check_equations(const mc_powertrain_steady *s, double mixture, double printed)
{
    assert_true(s->v > 18.0); // Kv = 0.67
    const double n1 = 92.8 * 0.67 * s->v, ratio = n1 / s->n, a = atan(25.0 * (1.0 - ratio));
    const double f1 = 0.00617 * a * s->n * s->n * fabs(0.00455 * a);
    const double f2 = printed > 0.5 ? fmin(3.1592, fmax(1.356, 3.1592 - 2.068 * ratio)) * f1
                                    : fmin(2.330, fmax(1.0, 2.330 - 1.525 * ratio)) * f1;
    const double force = (printed > 0.5 ? 13.13 : 9.683) * 0.67 * f2;
    const double drag = 22.46 + 2.146 * s->v + 0.5067 * s->v * s->v;
    const double engine = -0.135 * s->n + 22.1 * (84829.0 * mixture / s->n - 35.0 - f1);
    assert_true(fabs(force / drag - 1.0) < 1e-6);
    assert_true(fabs(s->force / drag - 1.0) < 1e-6);
    assert_true(fabs(engine) < 1e-3); // rpm/s
    assert_true(fabs(s->fuel / (mixture * 0.45359237 / 60.0 / 15.7) - 1.0) < 1e-12);
}

static void steady_by_equations(void **unused)
{
    (void)unused;
    // Points of table 1 and one half way between two.
    static const double angle[] = {15.0, 21.0, 30.0, 49.0, 85.0};
    static const double mixture[] = {1.83, 3.9, 7.55, 12.1, 15.7};
    for (int k = 0; k < 5; k++)
        for (int printed = 0; printed < 2; printed++) {
            mc_powertrain_steady rows[8];
            assert_int_equal(speeds(angle[k], printed, rows), 1);
            assert_true(rows[0].stable);
            check_equations(&rows[0], mixture[k], printed);
        }
}

static void two_branches(void **unused)
{
    (void)unused;
    mc_powertrain_steady rows[8];
    assert_int_equal(speeds(10.0, 0.0, rows), 3);
    assert_true(rows[0].stable && !rows[1].stable && rows[2].stable);
    assert_true(rows[0].v < rows[1].v && rows[1].v < rows[2].v);
}

static void kinds(void **unused)
{
    (void)unused;
    mc_powertrain p;
    int count = 0;
    while (mc_powertrain_at(count, &p)) {
        mc_powertrain same;
        assert_true(mc_powertrain_find(p.name, &same));
        assert_string_equal(same.name, p.name);
        assert_true(p.param_count > 0 && p.doc[0]);
        count++;
    }
    assert_true(count >= 3);
    assert_false(mc_powertrain_at(-1, &p));
    assert_false(mc_powertrain_find("steam", &p));
}

static void rejects(const char *kind, const char *name, double value, double throttle,
                    const char *part)
{
    const mc_powertrain_set set = {&name, &value, name ? 1 : 0};
    mc_powertrain_steady rows[8];
    mc_error error = {0};
    int count = 7;
    assert_int_equal(mc_powertrain_steady_speeds(kind, &set, throttle, rows, 8, &count, &error),
                     MC_BAD_INPUT);
    assert_int_equal(count, 0);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" is not in: %s", part, error.text);
}

static void wrong_calls(void **unused)
{
    (void)unused;
    rejects("convertor", NULL, 0.0, 0.5, "did you mean converter");
    rejects("steam", NULL, 0.0, 0.5, "unknown powertrain \"steam\"");
    rejects("converter", NULL, 0.0, -0.1, "throttle -0.1: must be in 0 .. 1");
    rejects("converter", NULL, 0.0, NAN, "must be in 0 .. 1");
    rejects("converter", "idle_angl", 3.0, 0.5, "did you mean idle_angle");
    rejects("lookup_tables", "mda_21", 5.0, 0.5, "mda_23 must be above mda_21");
    rejects("converter", "idle_angle", 2.0, 0.5, "must be in 3 .. 20 deg");
    rejects("converter", "idle_angle", NAN, 0.5, "must be in 3 .. 20 deg");
    rejects("gears", "as_printed", 1.0, 0.5, "no parameter \"as_printed\"");
    rejects("gears", "max_speed", 0.0, 0.5, "must be in 1 .. 200 m/s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_by_equations),
        cmocka_unit_test(two_branches),
        cmocka_unit_test(kinds),
        cmocka_unit_test(wrong_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
