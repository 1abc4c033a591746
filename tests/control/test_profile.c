// test_profile.c - speeds of leaders against their closed forms; rates against differences.
#include "control/profile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static profile_run *prepare(const profile *p)
{
    mc_error error;
    profile_run *r = profile_prepare(p, "p.yaml", &error);
    if (!r)
        fail_msg("%s", error.text);
    return r;
}

static void near(double a, double b, double within)
{
    if (!(fabs(a - b) <= within))
        fail_msg("%.17g, expected %.17g", a, b);
}

// Corners of `local`: where the rate jumps.
static bool at_corner(double t)
{
    const double cycle = fmod(t + 450.0, 45.0), corner[] = {0.0, 18.0, 28.0, 35.0, 45.0};
    for (int k = 0; k < 5; k++)
        if (fabs(cycle - corner[k]) < 1e-3)
            return true;
    return false;
}

// The rate is the derivative, everywhere but at corners.
static void rate_by_differences(const profile_run *r, double within)
{
    for (int k = 0; k < 2000; k++) {
        const double t = 0.0613 * k + 0.01, h = 1e-5;
        double rate;
        if (at_corner(t))
            continue;
        profile_speed(r, t, &rate);
        near(rate, (profile_speed(r, t + h, NULL) - profile_speed(r, t - h, NULL)) / (2.0 * h),
             within);
    }
}

static void named_traffics(void **unused)
{
    (void)unused;
    profile_run *light = prepare(&(profile){.kind = PROFILE_LIGHT});
    profile_run *moderate = prepare(&(profile){.kind = PROFILE_MODERATE});
    profile_run *heavy = prepare(&(profile){.kind = PROFILE_HEAVY});
    double rate = 1.0, low = 1e9, high = 0.0;
    near(profile_speed(light, 1234.5, &rate), 29.0, 0.0);
    assert_true(rate == 0.0);
    for (int k = 0; k < 4000; k++) { // 13.4 .. 23.8 and 4.5 .. 13.4 m/s, period 40 s
        const double t = 0.05 * k, v = profile_speed(moderate, t, NULL);
        low = fmin(low, v), high = fmax(high, v);
        near(v, profile_speed(moderate, t + 40.0, NULL), 1e-12);
        near(v + profile_speed(moderate, t + 20.0, NULL), 37.2, 1e-12); // half a period
        near(profile_speed(heavy, t, NULL), profile_speed(heavy, t + 40.0, NULL), 1e-12);
    }
    near(low, 13.4, 1e-12), near(high, 23.8, 1e-12);
    near(profile_speed(moderate, 0.0, &rate), 13.4, 1e-12), near(rate, 0.0, 1e-12);
    near(profile_speed(moderate, 10.0, &rate), 18.6, 1e-12);
    near(rate, 5.2 * acos(-1.0) / 20.0, 1e-12);
    near(profile_speed(heavy, 0.0, NULL), 4.5, 1e-12);
    near(profile_speed(heavy, 20.0, NULL), 13.4, 1e-12);
    rate_by_differences(moderate, 1e-7);
    rate_by_differences(heavy, 1e-7);
    profile_destroy(light), profile_destroy(moderate), profile_destroy(heavy);
}

// 0..18 m/s in 18 s, 10 s steady, to rest in 7 s, 10 s of rest; as printed with a jump of 0.5 m/s.
static void local_traffic(void **unused)
{
    (void)unused;
    profile_run *local = prepare(&(profile){.kind = PROFILE_LOCAL});
    profile_run *printed = prepare(&(profile){.kind = PROFILE_LOCAL_AS_PRINTED});
    const double points[][2] = {{0, 0},    {9, 9},  {18, 18}, {23, 18},  {28, 18},
                                {31.5, 9}, {35, 0}, {40, 0},  {44.9, 0}, {54, 9}};
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++)
        near(profile_speed(local, points[k][0], NULL), points[k][1], 1e-12);
    double way = 0.0, rate;
    for (int k = 0; k < 45000; k++) // distance of one cycle: 162 + 180 + 63 m
        way += 0.001 * profile_speed(local, 0.001 * (k + 0.5), NULL);
    near(way, 405.0, 1e-6);
    for (int k = 0; k < 9000; k++) // continuous
        near(profile_speed(local, 0.01 * k, NULL), profile_speed(local, 0.01 * (k + 1), NULL),
             0.01 * 18.0 / 7.0 + 1e-12);
    rate_by_differences(local, 1e-7);
    profile_speed(local, 18.0, &rate), near(rate, 0.0, 0.0); // to the right of a corner
    profile_speed(local, 28.0, &rate), near(rate, -18.0 / 7.0, 1e-12);
    profile_speed(local, 45.0, &rate), near(rate, 1.0, 0.0);
    near(profile_speed(printed, 35.0 - 1e-9, NULL), 0.5, 1e-8);
    near(profile_speed(printed, 35.0, NULL), 0.0, 0.0);
    rate_by_differences(printed, 1e-7);
    profile_destroy(local), profile_destroy(printed);
}

static void tables(void **unused)
{
    (void)unused;
    const double t[] = {2.0, 4.0, 10.0}, v[] = {10.0, 14.0, 5.0};
    profile p = {.kind = PROFILE_TABLE, .t = t, .v = v, .count = 3};
    profile_run *once = prepare(&p);
    p.period = 12.0;
    profile_run *again = prepare(&p);
    double rate;
    near(profile_speed(once, -5.0, &rate), 10.0, 0.0), near(rate, 0.0, 0.0); // ends are held
    near(profile_speed(once, 99.0, &rate), 5.0, 0.0), near(rate, 0.0, 0.0);
    near(profile_speed(once, 3.0, &rate), 12.0, 1e-12), near(rate, 2.0, 1e-12);
    near(profile_speed(once, 4.0, &rate), 14.0, 1e-12), near(rate, -1.5, 1e-12);
    near(profile_speed(once, 8.0, &rate), 8.0, 1e-12), near(rate, -1.5, 1e-12);
    for (int k = 0; k < 240; k++) {
        const double at = 0.05 * k;
        near(profile_speed(again, at, NULL), profile_speed(once, at, NULL), 1e-12);
        near(profile_speed(again, at + 12.0, NULL), profile_speed(once, at, NULL), 1e-9);
        near(profile_speed(again, at + 1200.0, NULL), profile_speed(once, at, NULL), 1e-9);
    }
    profile_destroy(once), profile_destroy(again);
}

static void formulas(void **unused)
{
    (void)unused;
    profile_run *r =
        prepare(&(profile){.kind = PROFILE_FORMULA, .formula = "25 + 0.5*sin(1.18*t) + 0.01*t*t"});
    for (int k = 0; k < 500; k++) {
        const double t = 0.17 * k;
        double rate;
        near(profile_speed(r, t, &rate), 25.0 + 0.5 * sin(1.18 * t) + 0.01 * t * t, 1e-12);
        near(rate, 0.59 * cos(1.18 * t) + 0.02 * t, 1e-12);
    }
    profile_destroy(r);
}

// Moments in steps, for two cars; then a jump back, and another step: all as asked one by one.
static void formulas_ahead(void **unused)
{
    (void)unused;
    profile_run *r = prepare(&(profile){.kind = PROFILE_FORMULA, .formula = "25 + 2*sin(0.2*t)"});
    for (int k = 0; k < 300; k++) {
        const double first = k < 200 ? 0.0 : 1.5, step = k < 250 ? 0.01 : 0.02;
        const double steps = k % 90 + 0.5;
        double rate, expected_rate;
        const double expected = profile_speed(r, first + steps * step, &expected_rate);
        for (int car = 0; car < 2; car++) {
            const double v = profile_speed_ahead(r, first, step, steps, &rate);
            assert_memory_equal(&v, &expected, sizeof v);
            assert_memory_equal(&rate, &expected_rate, sizeof rate);
        }
        near(expected, 25.0 + 2.0 * sin(0.2 * (first + steps * step)), 1e-12);
    }
    profile_destroy(r);
    r = prepare(&(profile){.kind = PROFILE_MODERATE});
    double rate, expected_rate;
    const double expected = profile_speed(r, 3.25, &expected_rate);
    near(profile_speed_ahead(r, 3.0, 0.5, 0.5, &rate), expected, 0.0);
    near(rate, expected_rate, 0.0);
    profile_destroy(r);
}

static void wrong_formulas(void **unused)
{
    (void)unused;
    static const struct {
        const char *formula, *part;
    } wrong[] = {
        {"25 + ", "end"},
        {"25 + x", "x"},
        {"sin(", ""},
        {"25 +* t", "*"},
        {"", ""},
        {"t t", ""},
        {"nofunction(t)", "nofunction"},
        {"25 kg", ""},
        {"[1, 2]", ""},
        {"(25", ""},
        {"25)", ")"},
        {"25 @ t", "@"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        const profile p = {
            .kind = PROFILE_FORMULA, .formula = wrong[k].formula, .line = 7, .column = 11};
        profile_run *r = profile_prepare(&p, "p.yaml", &error);
        if (r)
            fail_msg("\"%s\" was taken", wrong[k].formula);
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_string_equal(error.file, "p.yaml");
        assert_int_equal(error.line, 7);
        assert_true(error.column >= 11 && error.column <= 11 + (int)strlen(wrong[k].formula) + 1);
        assert_true(strlen(error.text) > 10 && strstr(error.text, wrong[k].part));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_traffics), cmocka_unit_test(local_traffic),
        cmocka_unit_test(tables),         cmocka_unit_test(formulas),
        cmocka_unit_test(formulas_ahead), cmocka_unit_test(wrong_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
