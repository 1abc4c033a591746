// test_desired.c - numbers of a scenario by name.
#include "scenario/set.h"
#include "support/models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static const char text[] = "motorcade: scenario\n"
                           "time: {end: 4, step: 0.05, record: 0.1}\n"
                           "road: {headway: 0.2, distance: 2}\n"
                           "models:\n"
                           "  light: {kind: point, length: 5, mass: 1000}\n"
                           "  town_car: {kind: powertrain, length: 4, mass: 1500}\n"
                           "controllers:\n"
                           "  follow: {law: acc, headway: 0.6}\n"
                           "platoons:\n"
                           "  - leader: {model: light, profile: 20 m/s}\n"
                           "    cars:\n"
                           "      - {model: town_car, name: a, controller: follow}\n"
                           "      - {model: light, name: b, controller: follow, spacing: 30}\n"
                           "      - {model: light, name: c, controller: follow}\n";

static scenario *read_it(void)
{
    mc_error error = {0};
    scenario *s = scenario_parse(text, sizeof text - 1, NULL, &error);
    if (!s)
        fail_msg("%s", error.text);
    return s;
}

static void set(scenario *s, const char *what)
{
    mc_error error = {0};
    if (scenario_set(s, what, &error) != MC_OK)
        fail_msg("%s: %s", what, error.text);
}

static double gap(const scenario *s, int k)
{
    const scenario_vehicle *v = &s->vehicles[k];
    return v[-1].x - v->x -
           0.5 * (model_car(s, v[-1].model)->p[CAR_LENGTH] + model_car(s, v->model)->p[CAR_LENGTH]);
}

static void near(double a, double b)
{
    if (!(fabs(a - b) < 1e-9))
        fail_msg("%.15g, not %.15g", a, b);
}

static void test_owners(void **state)
{
    (void)state;
    scenario *s = read_it();
    set(s, "mass=2 t");
    assert_true(model_car(s, 0)->p[CAR_MASS] == 2000.0 && model_car(s, 1)->p[CAR_MASS] == 2000.0);
    set(s, "town_car.mass=1800");
    assert_true(model_car(s, 0)->p[CAR_MASS] == 2000.0 && model_car(s, 1)->p[CAR_MASS] == 1800.0);
    set(s, "time.end=30");
    assert_true(s->end == 30.0);
    set(s, "seed=12");
    assert_true(s->seed == 12);
    const char *unit;
    assert_int_equal(scenario_set_unit(s, "follow.headway=1", &unit, NULL), MC_OK);
    assert_string_equal(unit, "s");
    assert_int_equal(scenario_set_unit(s, "seed=1", &unit, NULL), MC_OK);
    assert_string_equal(unit, "-");
    scenario_free(s);
}

// A car at its desired gap is at the new one afterwards; one with its own spacing keeps its
// position, and those behind it follow.
static void test_gaps_follow_the_command(void **state)
{
    (void)state;
    scenario *s = read_it();
    near(gap(s, 1), 2.0 + 0.6 * 20.0);
    near(gap(s, 2), 30.0);
    near(gap(s, 3), 14.0);
    const double b = s->vehicles[2].x;
    set(s, "follow.headway=1");
    near(gap(s, 1), 22.0);
    assert_true(s->vehicles[2].x == b);
    near(gap(s, 3), 22.0);
    set(s, "c.headway=0.5");
    near(gap(s, 3), 12.0);
    near(gap(s, 1), 22.0);
    set(s, "follow.distance=3");
    near(gap(s, 1), 23.0);
    near(gap(s, 3), 13.0);
    set(s, "light.length=6"); // desired gaps are between bumpers
    near(gap(s, 1), 23.0);
    near(gap(s, 3), 13.0);
    set(s, "c.x=-500");
    assert_true(s->vehicles[3].x == -500.0);
    set(s, "follow.headway=0.8"); // no longer at its desired gap: stays
    assert_true(s->vehicles[3].x == -500.0);
    near(gap(s, 1), 19.0);
    scenario_free(s);
}

static void test_rejections(void **state)
{
    (void)state;
    static const struct {
        const char *what, *message;
    } cases[] = {
        {"mass", "\"mass\": expected NAME=VALUE, for example mass=2400"},
        {"mass=", "\"mass=\": expected NAME=VALUE, for example mass=2400"},
        {"mas=3", "no model or controller has a parameter \"mas\"; did you mean mass"},
        {"follow.headwy=1", "\"follow\" has no parameter \"headwy\"; did you mean headway"},
        {"q=1", "no model or controller has a parameter \"q\""},
        {"absent.mass=1000", "\"absent\" has no parameter \"mass\""},
        {"mass=5", "\"mass=5\": mass must be in 100 .. 100000 kg"},
        {"seed=1.5", "\"seed=1.5\": seed must be a whole number"},
        {"seed=-1", "\"seed=-1\": seed must be in 0 .. 9e+15"},
        {"follow.headway=0.1", "\"follow.headway=0.1\": headway must be in 0.2 .. 60 s; the "
                               "roadway commands at least 0.2 s"},
        {"a.distance=1",
         "\"a.distance=1\": distance must be in 2 .. 1000 m; the roadway commands at least 2 m"},
    };
    scenario *s = read_it();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_error error = {0};
        assert_int_equal(scenario_set(s, cases[k].what, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, cases[k].message);
    }
    assert_true(s->seed == 1 && model_car(s, 0)->p[CAR_MASS] == 1000.0);
    near(gap(s, 1), 14.0);
    scenario_free(s);
}

// A default of the roadway is nothing to obey: what a file may say, a setting may.
static void test_default_headway_is_no_command(void **state)
{
    (void)state;
    static const char line[] = "road: {headway: 0.2, distance: 2}\n";
    const char *cut = strstr(text, line);
    assert_non_null(cut);
    char without[sizeof text];
    const size_t before = (size_t)(cut - text);
    memcpy(without, text, before);
    strcpy(without + before, cut + strlen(line));
    mc_error error = {0};
    scenario *s = scenario_parse(without, strlen(without), NULL, &error);
    assert_non_null(s);
    assert_true(s->headway > 0.3);
    set(s, "follow.headway=0.3");
    set(s, "a.distance=1");
    near(s->controllers[0].headway, 0.3);
    scenario_free(s);
    s = read_it(); // and a command is
    assert_int_equal(scenario_set(s, "follow.headway=0.1", &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "the roadway commands at least 0.2 s"));
    scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_headway_is_no_command),
        cmocka_unit_test(test_owners),
        cmocka_unit_test(test_gaps_follow_the_command),
        cmocka_unit_test(test_rejections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
