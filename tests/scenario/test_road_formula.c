// test_road_formula.c - road profiles as formulas in scenarios: what they give, numbers set by
// name, edits, and every way to write them wrong.
#include "motorcade/run.h"
#include "motorcade/scenario.h"
#include "scenario/scenario.h"
#include "scenario/set.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *text_of(const char *keys)
{
    static char text[8192];
    snprintf(text, sizeof text,
             "motorcade: scenario\n"
             "time: {end: 10, step: 0.05}\n"
             "road: {%s}\n"
             "models: {car: point}\n"
             "vehicles: [{model: car, x: 0, v: 20}]\n",
             keys);
    return text;
}

static scenario *read(const char *keys)
{
    mc_error error;
    const char *text = text_of(keys);
    scenario *s = scenario_parse(text, strlen(text), NULL, &error);
    if (!s)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return s;
}

#define WAVE                                                                                       \
    "profile: {parameters: {A: 3 m, wave: {value: 0.3, unit: km}}, variables: {k: 2*pi/wave}, "    \
    "z: A*sin(k*s), from: -1 km, to: 2 km}"

static void a_height_gives_the_slope(void **unused)
{
    (void)unused;
    scenario *s = read(WAVE);
    const double k = 2.0 * 3.14159265358979323846 / 300.0;
    for (double x = -1000.0; x <= 2000.0; x += 7.3) {
        assert_true(fabs(road_slope(&s->road, x) - asin(3.0 * k * cos(k * x))) < 2e-8);
        assert_true(fabs(road_height(&s->road, x) - 3.0 * sin(k * x)) < 1e-5);
    }
    scenario_free(s);
    s = read("profile: {grade: \"0.04*step(s, 100, 0, 200, 1)\", to: 500}");
    assert_true(road_slope(&s->road, 50.0) == 0.0);
    assert_true(fabs(road_slope(&s->road, 150.0) - 0.02) < 1e-8);
    assert_true(fabs(road_slope(&s->road, 1e5) - 0.04) < 1e-8); // as at its end
    scenario_free(s);
    s = read("profile: "); // none
    assert_true(road_is_level(&s->road) && !s->profile);
    scenario_free(s);
}

static void numbers_can_be_set(void **unused)
{
    (void)unused;
    mc_error error;
    scenario *s = read(WAVE);
    const double before = road_slope(&s->road, 0.0);
    assert_int_equal(scenario_set(s, "profile.A=6 m", &error), MC_OK);
    assert_true(fabs(sin(road_slope(&s->road, 0.0)) - 2.0 * sin(before)) < 1e-7);
    assert_int_equal(scenario_set(s, "profile.to=1 km", &error), MC_OK);
    assert_true(road_slope(&s->road, 1100.0) == road_slope(&s->road, 1000.0));
    assert_int_equal(scenario_set(s, "road.speed=25", &error), MC_OK); // the curve stays
    assert_true(fabs(sin(road_slope(&s->road, 0.0)) - 2.0 * sin(before)) < 1e-7);
    scenario_free(s);
    static const struct {
        const char *set, *message;
    } wrong[] = {
        {"profile.B=1", "\"profile\" has no parameter \"B\""},
        {"profile.to=-2 km",
         "\"profile.to=-2 km\": the profile then goes from -1000 m to -2000 m; expected from < to"},
        {"profile.A=300",
         "\"profile.A=300\": the road is too steep at s = -1000 m: dz/ds is not within -0.717 .. "
         "0.717"},
        {"road.grade=4 %", "\"road\" has no parameter \"grade\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        s = read(WAVE);
        assert_int_equal(scenario_set(s, wrong[i].set, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, wrong[i].message);
        scenario_free(s);
    }
}

static const struct {
    const char *road, *message;
} bad[] = {
    {"profile: 4", "3:17: found \"4\", expected a road profile as a map of keys: doc, parameters, "
                   "variables, z, grade, from, to"},
    {"profile: {z: 0*s}", "3:8: a road profile needs the key to (where it ends; after it the slope "
                          "is constant)"},
    {"profile: {to: 100}", "3:17: a road profile has either z, its height, or grade"},
    {"profile: {z: 0*s, grade: 0*s, to: 100}",
     "3:17: a road profile has either z, its height, or grade"},
    {"profile: {z: 0*s, to: 100, from: 200}", "3:30: to is 100 m, expected more than from, 200 m"},
    {"profile: {z: 0*s, too: 100}", "3:26: a road profile has no key \"too\"; did you mean to?"},
    {"profile: {z: 0.01*x, to: 100}", "3:26: unknown name \"x\""},
    {"profile: {z: \"2 [s] + s\", to: 100}", "3:28: cannot add s and m"},
    {"profile: {z: s*s, to: 100}", "3:21: the result has the unit m^2, expected m"},
    {"profile: {grade: s, to: 100}",
     "3:25: the result has the unit m, expected a dimensionless number"},
    {"profile: {z: 3 m/s, to: 100}",
     "3:25: \"s\" is a unit and a name: write 3 [m/s] for the unit, (3 m)/s for the name"},
    {"profile: {parameters: {s: 1}, z: 0*s, to: 100}",
     "3:17: the name 's' is already in use: s is the station"},
    {"profile: {parameters: {to: 1}, z: 0*s, to: 100}",
     "3:31: a parameter cannot be called to: that is a key of every road profile"},
    {"profile: {variables: {k: 1, k: 2}, z: k*s, to: 100}",
     "3:36: key \"k\" is already in this map, at line 3, column 30"},
    {"profile: {z: 0.001/(s - 40), to: 100}", "3:21: z is not finite at s = 40 m"},
    {"profile: {grade: 0.01*asin((s - 20)/20), to: 100}",
     "3:25: the derivative of the slope is not finite at s = 0 m"},
    {"profile: {z: \"2*abs(s)\", to: 100}",
     "3:22: the road is too steep at s = 0 m: dz/ds is not within -0.717 .. 0.717"},
    {"profile: {grade: \"0.01*s/1 [m]\", to: 100}",
     "3:26: the slope is 0.805 rad at s = 80.5 m; expected between -0.8 and 0.8 rad"},
    {"profile: {z: \"table(s; 0, 0; 50, 1; 100, 0)\", to: 100}",
     "3:22: the slope jumps at s = 50 m, from 0.02 to -0.02 rad; expected one that changes over a "
     "stretch of road, by spline or step with five arguments"},
    {"grades: [{from: 0, to: 100, grade: 2 %}], profile: {z: 0*s, to: 100}",
     "3:50: the road has 1 grade and a profile; expected only one of both"},
};

static void mistakes_have_their_place(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mc_error error;
        char found[600];
        const char *text = text_of(bad[i].road);
        scenario *s = scenario_parse(text, strlen(text), "s.yaml", &error);
        if (s)
            fail_msg("accepted: %s", bad[i].road);
        snprintf(found, sizeof found, "%d:%d: %s", error.line, error.column, error.text);
        assert_string_equal(found, bad[i].message);
        assert_string_equal(error.file, "s.yaml");
        assert_true(error.excerpt[0] != '\0'); // the line is shown below it
    }
}

// A table of 256 points is short enough, 1500 sines are not.
static void long_formulas_are_rejected(void **unused)
{
    (void)unused;
    static char formula[40000], text[42000];
    mc_error error;
    size_t used = 0;
    for (int i = 0; i < 1500; i++)
        used += (size_t)snprintf(formula + used, sizeof formula - used, "%ssin(%d.5*s/9000)",
                                 i ? " + " : "", i);
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 10}\nroad: {profile: {z: \"1e-4*(%s)\", to: 9}}\n"
             "models: {car: point}\nvehicles: [{model: car, x: 0}]\n",
             formula);
    assert_null(scenario_parse(text, strlen(text), "s.yaml", &error));
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.text, "operations with their derivatives; expected at most 4096"));
    used = (size_t)snprintf(formula, sizeof formula, "spline(s");
    for (int i = 0; i < 256; i++)
        used += (size_t)snprintf(formula + used, sizeof formula - used, "; %d, %g", 20 * i,
                                 0.01 * (i % 7));
    snprintf(text, sizeof text, "profile: {z: \"%s)\", to: 6000}", formula);
    scenario_free(read(text));
}

static mc_scenario *edited(const mc_scenario *s, const char *edit, const char *message)
{
    mc_error error;
    mc_scenario *made = mc_scenario_edit(s, edit, &error);
    if (message) {
        assert_null(made);
        assert_string_equal(error.text, message);
    } else if (!made) {
        fail_msg("%s: %s", edit, error.text);
    }
    return made;
}

static double slope_of(const mc_scenario *s, double x)
{
    mc_run *run = platoon_run(s, 1);
    const double slope = mc_run_slope(run, x);
    mc_run_destroy(run);
    return slope;
}

static void edits_replace_it(void **unused)
{
    (void)unused;
    mc_scenario *waves = platoon_scenario(text_of(WAVE));
    edited(waves, "{grades: [{from: 0, to: 100, grade: 2 %}]}",
           "the road's slope is given by its profile; {road: {profile: null}, grades: [...]} "
           "replaces it by grades");
    mc_scenario *level = edited(waves, "{road: {profile: null}}", NULL);
    assert_true(slope_of(level, 0.0) == 0.0);
    mc_scenario *grades =
        edited(waves, "{road: {profile: null}, grades: [{from: 0, to: 100, grade: 0.02}]}", NULL);
    assert_true(fabs(slope_of(grades, 50.0) - 0.02) < 1e-15);
    edited(grades, "{road: {profile: {grade: 0.01, to: 9}}}",
           "the road has 1 grade and a profile; expected only one of both");
    mc_scenario *other =
        edited(grades, "{grades: [], road: {profile: {grade: 0.01, to: 9}}}", NULL);
    assert_true(fabs(slope_of(other, 50.0) - 0.01) < 1e-15);
    // A number that was set goes with the profile it belongs to.
    mc_scenario *set = edited(waves, "{set: profile.A=1}", NULL);
    assert_true(fabs(sin(slope_of(set, 0.0)) - sin(slope_of(waves, 0.0)) / 3.0) < 1e-7);
    mc_scenario *again = edited(set, "{road: {profile: {grade: 0.03, to: 9}}}", NULL);
    assert_true(fabs(slope_of(again, 0.0) - 0.03) < 1e-15);
    mc_scenario *all[] = {waves, level, grades, other, set, again};
    for (int k = 0; k < 6; k++)
        mc_scenario_free(all[k]);
}

static void the_run_tells(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(text_of(WAVE));
    mc_run *run = platoon_run(s, 1);
    mc_run_road_info info;
    mc_run_road(run, &info);
    assert_string_equal(info.profile, "z = A*sin(k*s)");
    assert_true(info.profile_from == -1000.0 && info.profile_to == 2000.0 && info.grade_count == 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_height_gives_the_slope),  cmocka_unit_test(numbers_can_be_set),
        cmocka_unit_test(mistakes_have_their_place), cmocka_unit_test(long_formulas_are_rejected),
        cmocka_unit_test(edits_replace_it),          cmocka_unit_test(the_run_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
