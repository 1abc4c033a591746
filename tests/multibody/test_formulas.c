// test_formulas.c - formulas inside a mechanism: what they may name, what they do, and what is said
// when they are wrong.
#include "motorcade/multibody.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double error)
{
    if (!(fabs(found - expected) <= error))
        fail_msg("%.17g is not %.17g within %g", found, expected, error);
}

// A cart with a pendulum; every place that takes a formula can be exchanged.
typedef struct places {
    const char *load, *spring, *force, *rate, *a, *b;
} places;

static const places good = {.load = "\"pull\"",
                            .spring = "\"0\"",
                            .force = "[\"1 N\", 0, \"-lag\"]",
                            .rate = "\"(pull - lag)/0.2 s\"",
                            .a = "\"tip.position.z\"",
                            .b = "\"2*a\""};

static const char *pick(const char *own, const char *usual)
{
    return own ? own : usual;
}

static void model_text(const places *p, char *out, size_t size)
{
    snprintf(out, size,
             "motorcade: multibody\n"
             "name: test\n"
             "parameters: {k: 100 N/m, mu: 0.5}\n"
             "inputs:\n"
             "  pull: {value: 1, unit: N}\n"
             "bodies:\n"
             "  cart:\n"
             "    joint: prism\n"
             "    axis: x\n"
             "    mass: 2\n"
             "    load: %s\n"
             "  arm:\n"
             "    inboard: cart\n"
             "    joint: hinge\n"
             "    axis: y\n"
             "    mass: 1\n"
             "    com: [0, 0, -0.5]\n"
             "    inertia: [0.1, 0.1, 0.01]\n"
             "points:\n"
             "  tip: {body: arm, at: [0, 0, -1]}\n"
             "  wall: {body: ground, at: [-1, 0, 0]}\n"
             "springs:\n"
             "  tie: {from: wall, to: tip, stiffness: k, length: 1.2, force: %s}\n"
             "forces:\n"
             "  wind: {point: tip, force: %s}\n"
             "states:\n"
             "  lag: {start: 0.25, unit: N, rate: %s}\n"
             "variables:\n"
             "  a: %s\n"
             "  b: %s\n",
             pick(p->load, good.load), pick(p->spring, good.spring), pick(p->force, good.force),
             pick(p->rate, good.rate), pick(p->a, good.a), pick(p->b, good.b));
}

static mc_multibody *load(const places *p, mc_error *error)
{
    char text[4096];
    model_text(p, text, sizeof text);
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    return mc_multibody_parse(text, "m.yaml", &options, error);
}

static void wrong_formulas(void **state)
{
    (void)state;
    static const struct {
        places p;
        int line, column, caret; // caret 0: none
        const char *text;
    } cases[] = {
        {{.load = "\"pul\""}, 11, 12, 1, "unknown name \"pul\"; did you mean \"pull\"?"},
        {{.load = "\"3 m\""}, 11, 12, 1, "the result has the unit m, expected kg m/s^2 (N)"},
        {{.load = "\"tip.velocity\""}, 11, 12, 1, "the result is a vector, expected a scalar"},
        {{.force = "[\"1 N + tie.length\", 0, 0]"}, 25, 35, 5, "cannot add kg m/s^2 (N) and m"},
        {{.force = "\"pull\""}, 25, 30, 1, "the result is a scalar, expected a vector"},
        {{.rate = "\"(pull - lag\""},
         27,
         49,
         12,
         "the formula ends, expected \")\" for the \"(\" in column 38"},
        {{.rate = "\"lagg/1 s\""}, 27, 38, 1, "unknown name \"lagg\"; did you mean \"lag\"?"},
        {{.rate = "\"pull\""},
         27,
         38,
         1,
         "the result has the unit kg m/s^2 (N), expected kg m/s^3"},
        {{.a = "\"b + 1\""}, 29, 7, 0, "variable a is defined in terms of itself"},
        {{.a = "\"a\""}, 29, 7, 0, "variable a is defined in terms of itself"},
        {{.a = "\"tip.position\""},
         29,
         7,
         0,
         "variable a is a vector; take a component (.x .y .z) or norm()"},
        {{.a = "\"tip.positon.x\""},
         29,
         7,
         1,
         "unknown name \"tip.positon.x\"; did you mean \"tip.position.x\"?"},
        {{.a = "\"arm.angel\""},
         29,
         7,
         1,
         "unknown name \"arm.angel\"; did you mean \"arm.angle\"?"},
        {{.b = "\"sine(a)\""}, 30, 7, 1, "unknown function \"sine\", did you mean \"sin\"?"},
        {{.b = "\"atan2(a)\""}, 30, 7, 1, "atan2 takes 2 arguments, found 1: atan2(a, b)"},
        {{.b = "\"system(1)\""}, 30, 7, 1, "unknown function \"system\""},
        {{.b = "\"0 < a < 1\""}, 30, 13, 7, "comparisons cannot be chained: write a < b and b < c"},
        {{.a = "\"zz + tip.position.x\"", .b = "\"a + 1 m\""}, // the first error is the one told
         29,
         7,
         1,
         "unknown name \"zz\""},
        {{.spring = "\"tie.rate + 1 m\""}, 23, 74, 10, "cannot add m/s and m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mc_error error = {0};
        mc_multibody *m = load(&cases[i].p, &error);
        if (m)
            fail_msg("case %zu was taken", i);
        assert_string_equal(error.text, cases[i].text);
        assert_string_equal(error.file, "m.yaml");
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        assert_int_equal(error.caret, cases[i].caret);
    }
}

// Chains of variables in reverse order: short ones are read, long ones rejected, none overflows.
static void long_ways(void **state)
{
    (void)state;
    for (int count = 10; count <= 1000; count *= 10) {
        char *text = malloc(200000);
        assert_non_null(text);
        int n =
            sprintf(text, "motorcade: multibody\nname: w\nbodies:\n  a: {joint: prism, axis: x, "
                          "mass: 1}\nvariables:\n");
        for (int i = 0; i < count; i++)
            n += sprintf(text + n, "  v%d: \"((((((((((v%d))))))))))\"\n", i, i + 1);
        sprintf(text + n, "  v%d: \"a.travel\"\n", count);
        const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
        mc_error error = {0};
        mc_multibody *m = mc_multibody_parse(text, "w.yaml", &options, &error);
        assert_int_equal(m != NULL, count == 10);
        if (!m)
            assert_string_equal(error.text, "variable v16 is reached through 16 others that come "
                                            "before it; define variables before they are used");
        mc_multibody_free(m);
        free(text);
    }
}

// Powers of a closed clamp (a contact that is open) have a slope.
static void slope_of_a_clamp(void **state)
{
    (void)state;
    static const char *const laws[] = {"1e3*max(cart.travel, 0)^1.5", "2*sqrt(max(cart.travel, 0))",
                                       "3*max(cart.travel, 0)^0.7",
                                       "5*atan2(3*cart.travel_rate, 2*cart.travel)"};
    for (int i = 0; i < 4; i++) {
        char load_text[80];
        mc_error error = {0};
        snprintf(load_text, sizeof load_text, "\"%s\"", laws[i]);
        mc_multibody *m = load(&(places){.load = load_text}, &error);
        if (!m)
            fail_msg("%s: %s", laws[i], error.text);
        double y[5] = {i == 3 ? 0.0 : -0.1, 0.3, 0.0, 0.0, 0.0}, A[25];
        assert_int_equal(mc_multibody_jacobian(m, 0.0, y, A, NULL, &error), MC_OK);
        for (int k = 0; k < 25; k++)
            if (!isfinite(A[k]))
                fail_msg("%s: entry %d is %g", laws[i], k, A[k]);
        mc_multibody_free(m);
    }
}

// NAME.length is the distance of the ends, whatever the spring's relaxed length is called.
static void length_is_the_distance(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_multibody *m = load(&(places){.a = "\"tie.length\""}, &error);
    assert_non_null(m);
    const double y[5] = {1.0, 0.0, 0.0, 0.0, 0.0};
    double out[64];
    mc_multibody_outputs(m, 0.0, y, out);
    assert_near(out[0], sqrt(5.0), 1e-15);
    double relaxed = 0.0;
    assert_int_equal(mc_multibody_get(m, "tie.free_length", &relaxed, &error), MC_OK);
    assert_near(relaxed, 1.2, 0.0);
    mc_multibody_free(m);
}

static int find(const mc_multibody *m, mc_quantity expected, const char *name)
{
    mc_quantity quantity;
    int index;
    mc_error error;
    assert_int_equal(mc_multibody_find(m, name, &quantity, &index, &error), MC_OK);
    assert_int_equal(quantity, expected);
    return index;
}

// Every load at once against Newton's equations of cart and pendulum, by hand.
static void loads_act(void **state)
{
    (void)state;
    mc_error error = {0};
    const places p = {.spring = "\"-3*tie.rate\"",
                      .load = "\"pull - 0.7 N s/m*cart.travel_rate + 0.3 N*sin(2*t)\""};
    mc_multibody *m = load(&p, &error);
    if (!m)
        fail_msg("%s", error.text);
    const double t = 0.8, x = 0.3, q = 0.4, v = 0.2, w = -0.6, lag = 0.25;
    const double y[5] = {x, q, v, w, lag};
    double dy[5];
    mc_multibody_rate(m, t, y, NULL, dy);
    // tip at (x - sin q, 0, -cos q): a turn about y by q takes (0, 0, -1) there
    const double tx = x - sin(q), tz = -cos(q), tvx = v - cos(q) * w, tvz = sin(q) * w;
    const double dx = tx + 1.0, L = sqrt(dx * dx + tz * tz);
    const double rate = (dx * tvx + tz * tvz) / L;
    const double f = -100.0 * (L - 1.2) - 3.0 * rate;
    const double fx = f * dx / L + 1.0, fz = f * tz / L - lag; // at the tip, with the wind
    // M [x'', q''] = Q with the mass centre half way to the tip
    const double m1 = 2.0, m2 = 1.0, l = 0.5, J = 0.1, g = 9.81;
    const double a11 = m1 + m2, a12 = -m2 * l * cos(q), a22 = J + m2 * l * l;
    const double q1 = 1.0 - 0.7 * v + 0.3 * sin(2.0 * t) + fx - m2 * l * sin(q) * w * w;
    const double q2 = -cos(q) * fx + sin(q) * fz - m2 * g * l * sin(q);
    const double det = a11 * a22 - a12 * a12;
    assert_near(dy[0], v, 0.0);
    assert_near(dy[1], w, 0.0);
    assert_near(dy[2], (a22 * q1 - a12 * q2) / det, 1e-12);
    assert_near(dy[3], (a11 * q2 - a12 * q1) / det, 1e-12);
    assert_near(dy[4], (1.0 - lag) / 0.2, 1e-14);

    double out[64];
    mc_multibody_outputs(m, t, y, out);
    assert_near(out[find(m, MC_QUANTITY_OUTPUT, "a")], tz, 1e-15);
    assert_near(out[find(m, MC_QUANTITY_OUTPUT, "b")], 2.0 * tz, 1e-15);
    assert_near(out[find(m, MC_QUANTITY_OUTPUT, "tie.length")], L, 1e-15);
    assert_near(out[find(m, MC_QUANTITY_OUTPUT, "tie.force")], f, 1e-12);
    assert_near(out[find(m, MC_QUANTITY_OUTPUT, "tip.x")], tx, 1e-15);
    assert_int_equal(mc_multibody_set(m, "pull", 4.0, &error), MC_OK);
    mc_multibody_rate(m, t, y, NULL, dy);
    assert_near(dy[4], (4.0 - lag) / 0.2, 1e-13);
    mc_multibody_free(m);
}

static void names_that_are_not_there(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_multibody *m = load(&good, &error);
    assert_non_null(m);
    assert_int_equal(mc_multibody_set(m, "cart.mas", 1.0, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "did you mean cart.mass"));
    assert_int_equal(mc_multibody_set(m, "arm.angle", 1.0, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "only parameters and inputs can be set"));
    assert_int_equal(mc_multibody_set(m, "k", (double)NAN, &error), MC_BAD_INPUT);
    double k = 0.0;
    assert_int_equal(mc_multibody_get(m, "k", &k, &error), MC_OK);
    assert_near(k, 100.0, 0.0);
    mc_multibody_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_formulas),   cmocka_unit_test(long_ways),
        cmocka_unit_test(slope_of_a_clamp), cmocka_unit_test(length_is_the_distance),
        cmocka_unit_test(loads_act),        cmocka_unit_test(names_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
