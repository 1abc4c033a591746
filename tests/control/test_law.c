// test_law.c - laws from text: values against the same formulas in C, derivatives against finite
// differences, the same bits in every lane, controllers given by matrices, and wrong laws.
#include "control/law.h"

#include "base/arena.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])
enum { X_MAX = SIGNAL_COUNT + LAW_STATE_MAX + LAW_PARAM_MAX, Y_MAX = 1 + LAW_STATE_MAX };

static law *compile(const law_text *text)
{
    mc_error error = {0};
    law *l = law_compile(text, "own.yaml", EXPR_INTERPRET, &error);
    if (!l)
        fail_msg("law %s: %d:%d: %s", text->name, error.line, error.column, error.text);
    return l;
}

static void run_one(const law *l, const double *x, double *y)
{
    const int n = law_x_count(l), m = law_y_count(l);
    double *block = aligned_alloc(32, 32 * (size_t)n), out[4 * Y_MAX];
    double *work = aligned_alloc(32, ((size_t)law_work(l) * 8 + 63) / 32 * 32);
    for (int i = 0; i < 4 * n; i++)
        block[i] = x[i / 4];
    law_run(l, 1, block, out, work);
    for (int i = 0; i < m; i++)
        y[i] = out[4 * i];
    free(block);
    free(work);
}

// ---- a user-defined law ------------------------------------------------------------------------

static const mc_param own_params[] = {
    {"k", "1/s^2", 0.4, 0.0, 10.0, "gain"},
    {"c", "1/s", 0.9, 0.0, 10.0, "damping"},
    {"tau", "s", 0.5, 0.1, 10.0, "filter"},
};
static const law_line own_variables[] = {
    {.name = "error", .unit = "m", .formula = "gap - distance - headway*v"},
    {.name = "closing", .formula = "v - v_front"},
};
static const law_state own_states[] = {
    {.rate = {.name = "slow", .unit = "m", .formula = "(error - slow)/tau"},
     .start = "error + tau*closing"},
    {.rate = {.name = "sum", .unit = "m s", .formula = "clamp(error, -5 m, 5 m)"}},
};
static const law_text own_law = {
    .name = "own",
    .params = own_params,
    .param_count = COUNT(own_params),
    .states = own_states,
    .state_count = COUNT(own_states),
    .variables = own_variables,
    .variable_count = COUNT(own_variables),
    .acceleration = {.name = "acceleration",
                     .formula = "k*slow - c*closing + 0.01*sum*user3 + if(place > 1, 1 m/s^2, 0)",
                     .line = 12,
                     .column = 7},
};

static void random_signals(unsigned long long *seed, double *x)
{
    for (int i = 0; i < SIGNAL_COUNT; i++)
        x[i] = sample_uniform(seed, -1.0, 1.0);
    x[SIGNAL_DT] = 0.01;
    x[SIGNAL_V] = sample_uniform(seed, 2.0, 30.0);
    x[SIGNAL_V_FRONT] = x[SIGNAL_V] + sample_uniform(seed, -1.0, 1.0);
    x[SIGNAL_V_LEADER] = x[SIGNAL_V] + sample_uniform(seed, -1.0, 1.0);
    x[SIGNAL_HEADWAY] = sample_uniform(seed, 0.3, 2.0);
    x[SIGNAL_DISTANCE] = sample_uniform(seed, 1.0, 5.0);
    x[SIGNAL_GAP] =
        x[SIGNAL_DISTANCE] + x[SIGNAL_HEADWAY] * x[SIGNAL_V] + sample_uniform(seed, -1.0, 1.0);
    x[SIGNAL_V_SET] = sample_uniform(seed, 31.0, 40.0);
    x[SIGNAL_PLACE] = 2.0;
}

static void values_are_those_of_the_formulas(void **state)
{
    (void)state;
    law *l = compile(&own_law);
    assert_int_equal(law_x_count(l), SIGNAL_COUNT + 2 + 3);
    assert_int_equal(law_y_count(l), 3);
    assert_int_equal(law_state_at(l), SIGNAL_COUNT);
    assert_int_equal(law_param_at(l), SIGNAL_COUNT + 2);
    unsigned long long seed = 1;
    for (int i = 0; i < 200; i++) {
        double x[X_MAX], y[3], start[2];
        random_signals(&seed, x);
        x[SIGNAL_GAP] += sample_uniform(&seed, -10.0, 10.0);
        x[SIGNAL_PLACE] = i % 3;
        const double slow = x[SIGNAL_COUNT] = sample_uniform(&seed, -5.0, 5.0);
        const double sum = x[SIGNAL_COUNT + 1] = sample_uniform(&seed, -5.0, 5.0);
        const double k = x[SIGNAL_COUNT + 2] = sample_uniform(&seed, 0.0, 5.0);
        const double c = x[SIGNAL_COUNT + 3] = sample_uniform(&seed, 0.0, 5.0);
        const double tau = x[SIGNAL_COUNT + 4] = sample_uniform(&seed, 0.1, 5.0);
        const double error = x[SIGNAL_GAP] - x[SIGNAL_DISTANCE] - x[SIGNAL_HEADWAY] * x[SIGNAL_V];
        const double closing = x[SIGNAL_V] - x[SIGNAL_V_FRONT];
        run_one(l, x, y);
        const double expected =
            k * slow - c * closing + 0.01 * sum * x[SIGNAL_USER_1 + 2] + (i % 3 > 1 ? 1.0 : 0.0);
        assert_true(fabs(y[0] - expected) < 1e-12);
        assert_true(fabs(y[1] - (error - slow) / tau) < 1e-11);
        assert_true(fabs(y[2] - fmin(fmax(error, -5.0), 5.0)) < 1e-12);
        law_start(l, x, start);
        assert_true(fabs(start[0] - (error + tau * closing)) < 1e-12);
        assert_true(start[1] == 0.0);
    }
    law_destroy(l);
}

static void used_signals_are_known(void **state)
{
    (void)state;
    law *l = compile(&own_law);
    static const enum law_signal used[] = {SIGNAL_GAP,  SIGNAL_DISTANCE, SIGNAL_HEADWAY,
                                           SIGNAL_V,    SIGNAL_V_FRONT,  SIGNAL_USER_1 + 2,
                                           SIGNAL_PLACE};
    for (int s = 0; s < SIGNAL_COUNT; s++) {
        bool expected = false;
        for (int i = 0; i < COUNT(used); i++)
            expected = expected || (int)used[i] == s;
        assert_int_equal(law_uses(l, (enum law_signal)s), expected);
    }
    law_destroy(l);
    l = compile(law_find("Platoon"));                                  // any case
    assert_true(law_uses(l, SIGNAL_A_FRONT) && law_uses(l, SIGNAL_A)); // a: only at the start
    assert_false(law_uses(l, SIGNAL_V_LEADER) || law_uses(l, SIGNAL_U_FRONT));
    law_destroy(l);
}

// Cars of different gains in one block, blocks in any number: the bits of a car alone. Compiled
// code too, where there is a compiler.
static void lanes_have_the_same_bits(void **state)
{
    (void)state;
    for (int which = 0; law_at(which); which++) {
        mc_error error = {0};
        law *l = compile(law_at(which));
        law *fast = law_compile(law_at(which), NULL, which < 2 ? EXPR_COMPILE_WAIT : EXPR_INTERPRET,
                                &error);
        assert_non_null(fast);
        enum { BLOCKS = 3 };
        const int n = law_x_count(l), m = law_y_count(l), cars = 4 * BLOCKS;
        double *x = aligned_alloc(32, 32 * (size_t)(BLOCKS * n));
        double *y = aligned_alloc(32, 32 * (size_t)(BLOCKS * m));
        double *work = aligned_alloc(32, ((size_t)law_work(fast) * 8 + 63) / 32 * 32);
        unsigned long long seed = 7;
        for (int c = 0; c < cars; c++) {
            double one[X_MAX];
            random_signals(&seed, one);
            law_start(l, one, one + SIGNAL_COUNT);
            for (int i = 0; i < law_text_of(l)->param_count; i++) {
                const mc_param *p = &law_text_of(l)->params[i];
                one[law_param_at(l) + i] = p->fallback * sample_uniform(&seed, 0.8, 1.2);
            }
            for (int i = 0; i < n; i++)
                x[(c / 4 * n + i) * 4 + c % 4] = one[i];
        }
        law_run(fast, BLOCKS, x, y, work);
        for (int c = 0; c < cars; c++) {
            double one[X_MAX], alone[Y_MAX];
            for (int i = 0; i < n; i++)
                one[i] = x[(c / 4 * n + i) * 4 + c % 4];
            run_one(l, one, alone);
            for (int i = 0; i < m; i++)
                assert_memory_equal(&alone[i], &y[(c / 4 * m + i) * 4 + c % 4], sizeof(double));
        }
        free(x);
        free(y);
        free(work);
        law_destroy(l);
        law_destroy(fast);
    }
}

// Central differences of every entry, away from kinks: near the desired gap, small differences.
static void derivatives_are_those_of_finite_differences(void **state)
{
    (void)state;
    for (int which = 0; which == 0 || law_at(which - 1); which++) {
        law *l = compile(which == 0 ? &own_law : law_at(which - 1));
        const int n = law_x_count(l), m = law_y_count(l);
        unsigned long long seed = 3;
        for (int round = 0; round < 5; round++) {
            double x[X_MAX], jacobian[Y_MAX * X_MAX], up[Y_MAX], down[Y_MAX];
            random_signals(&seed, x);
            for (int i = 0; i < law_text_of(l)->param_count; i++)
                x[law_param_at(l) + i] = law_text_of(l)->params[i].fallback;
            law_start(l, x, x + law_state_at(l));
            for (int i = 0; i < m - 1; i++)
                x[law_state_at(l) + i] += sample_uniform(&seed, 0.01, 0.05);
            assert_int_equal(law_jacobian(l, x, jacobian, NULL), MC_OK);
            for (int j = 0; j < n; j++) {
                const double at = x[j], h = 1e-6 * fmax(1.0, fabs(at));
                x[j] = at + h;
                run_one(l, x, up);
                x[j] = at - h;
                run_one(l, x, down);
                x[j] = at;
                for (int i = 0; i < m; i++) {
                    const double slope = (up[i] - down[i]) / (2.0 * h), exact = jacobian[i * n + j];
                    if (!(fabs(slope - exact) <= 1e-6 * fmax(1.0, fabs(exact))))
                        fail_msg("law %s, output %d by x[%d]: %.9g, differences %.9g",
                                 law_text_of(l)->name, i, j, exact, slope);
                }
            }
        }
        law_destroy(l);
    }
}

// z' = -z + e by matrices, e held: exp(-t) is known. Steps halve, errors fall by four; any number
// of blocks gives the bits of one.
static void steps_are_of_second_order(void **state)
{
    (void)state;
    static const char *const inputs[] = {"v"};
    const double minus = -1.0, one = 1.0, zero = 0.0;
    const law_linear lag = {1, 1, inputs, &minus, &one, &one, &zero};
    arena memory = {0};
    const law_text *t = law_from_matrices(&memory, "lag", &lag, NULL);
    assert_non_null(t);
    law *l = compile(t);
    enum { BLOCKS = 37 };
    const int n = law_x_count(l);
    double *x = aligned_alloc(32, 32 * (size_t)(BLOCKS * n)), y[BLOCKS * 8];
    double *work = aligned_alloc(32, ((size_t)law_work(l) * 8 + 63) / 32 * 32);
    double error[4];
    for (int k = 0; k < 4; k++) {
        const int steps = 10 << k;
        memset(x, 0, 32 * (size_t)(BLOCKS * n));
        for (int b = 0; b < BLOCKS; b++)
            for (int lane = 0; lane < 4; lane++) {
                x[(b * n + SIGNAL_V) * 4 + lane] = 3.0;
                x[(b * n + SIGNAL_COUNT) * 4 + lane] = 1.0;
            }
        for (int i = 0; i < steps; i++)
            law_step(l, BLOCKS, 2.0 / steps, x, NULL, y, work);
        const double z = x[SIGNAL_COUNT * 4];
        error[k] = fabs(z - (3.0 - 2.0 * exp(-2.0)));
        for (int b = 0; b < BLOCKS; b++)
            for (int lane = 0; lane < 4; lane++)
                assert_memory_equal(&x[(b * n + SIGNAL_COUNT) * 4 + lane], &z, sizeof z);
        // The last desired acceleration is the state of the last middle.
        const double middle = 3.0 - 2.0 * exp(-(2.0 - 1.0 / steps));
        assert_true(fabs(y[0] - middle) < 2.0 * error[k] + 1.0 / (steps * steps));
        if (k > 0)
            assert_true(error[k - 1] / error[k] > 3.8 && error[k - 1] / error[k] < 4.4);
    }
    free(x);
    free(work);
    law_destroy(l);
    arena_free(&memory);
}

// ---- matrices --------------------------------------------------------------------------------

// A PI controller of second order against its recursion by hand.
static void matrices_become_a_law(void **state)
{
    (void)state;
    static const char *const inputs[] = {"gap - distance - headway*v", "v_front - v", "a_front"};
    const double A[] = {-1.0 / 3.0, 0.5, 0.0, -2.0}, B[] = {1.0, 0.0, 0.25, 0.0, 1e-17, 0.0},
                 C[] = {0.1, -0.7}, D[] = {0.0, 1.25, 0.0};
    const law_linear linear = {2, 3, inputs, A, B, C, D};
    arena memory = {0};
    mc_error error = {0};
    const law_text *t = law_from_matrices(&memory, "lead", &linear, &error);
    assert_non_null(t);
    law *l = compile(t);
    assert_int_equal(law_y_count(l), 3);
    assert_false(law_uses(l, SIGNAL_V_SET));
    unsigned long long seed = 5;
    for (int k = 0; k < 100; k++) {
        double x[X_MAX], y[3];
        random_signals(&seed, x);
        const double z1 = x[SIGNAL_COUNT] = sample_uniform(&seed, -9.0, 9.0);
        const double z2 = x[SIGNAL_COUNT + 1] = sample_uniform(&seed, -9.0, 9.0);
        const double e1 = x[SIGNAL_GAP] - x[SIGNAL_DISTANCE] - x[SIGNAL_HEADWAY] * x[SIGNAL_V];
        const double e2 = x[SIGNAL_V_FRONT] - x[SIGNAL_V], e3 = x[SIGNAL_A_FRONT];
        run_one(l, x, y);
        assert_true(fabs(y[0] - (0.1 * z1 - 0.7 * z2 + 1.25 * e2)) < 1e-12);
        assert_true(fabs(y[1] - (-z1 / 3.0 + 0.5 * z2 + e1 + 0.25 * e3)) < 1e-12);
        assert_true(fabs(y[2] - (-2.0 * z2 + 1e-17 * e2)) < 1e-12);
    }
    law_destroy(l);
    // Order 0 is a gain.
    const law_linear gain = {0, 1, inputs + 1, NULL, NULL, NULL, (const double[]){0.37}};
    t = law_from_matrices(&memory, "gain", &gain, &error);
    assert_non_null(t);
    l = compile(t);
    assert_int_equal(law_y_count(l), 1);
    law_destroy(l);
    arena_free(&memory);
}

static void wrong_matrices_are_rejected(void **state)
{
    (void)state;
    static const char *const inputs[] = {"gap", ""};
    const double one[] = {1.0, 1.0, NAN, 1.0};
    const struct {
        law_linear m;
        const char *text;
    } rows[] = {
        {{17, 1, inputs, one, one, one, one}, "law x has order 17, expected 0 .. 16"},
        {{-1, 1, inputs, one, one, one, one}, "law x has order -1, expected 0 .. 16"},
        {{1, 0, inputs, one, one, one, one}, "law x has 0 inputs, expected 1 .. 16"},
        {{1, 2, inputs, one, one, one, one}, "law x: input 2 is empty"},
        {{2, 1, inputs, one, one, one, one},
         "law x: entry (2, 1) of matrix A is not a finite number"},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        arena memory = {0};
        mc_error error = {0};
        assert_null(law_from_matrices(&memory, "x", &rows[i].m, &error));
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_string_equal(error.text, rows[i].text);
        arena_free(&memory);
    }
}

// ---- wrong laws ------------------------------------------------------------------------------

static void reject(const law_text *text, const char *expected)
{
    mc_error error = {0};
    law *l = law_compile(text, "own.yaml", EXPR_INTERPRET, &error);
    if (l) {
        law_destroy(l);
        fail_msg("accepted; expected: %s", expected);
    }
    char got[900];
    mc_error_format(&error, got, sizeof got);
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_string_equal(got, expected);
}

// The acceleration of a law with the parameters and variables of own_law.
static void wrong_formulas_name_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *text;
    } rows[] = {
        {"k*gapp", "own.yaml:12:9: unknown name \"gapp\"; did you mean \"gap\"?"},
        {"k*gap + c*gap", "own.yaml:12:13: cannot add m/s^2 and m/s"},
        {"gap", "own.yaml:12:7: the result has the unit m, expected m/s^2"},
        {"k*(gap - 3 s)", "own.yaml:12:14: cannot form the difference of m and s"},
        {"k*slow +", "own.yaml:12:15: the formula ends, expected a number, a name or \"(\""},
        {"k*(slow", "own.yaml:12:14: the formula ends, expected \")\" for the \"(\" in column 9"},
        {"", "own.yaml:12:7: the formula is empty"},
        {"k*slow/0", "own.yaml:12:13: division by zero"},
        {"[1, 2, 3]", "own.yaml:12:7: the result is a vector, expected a scalar"},
        {"needed", "own.yaml:12:7: unknown name \"needed\""},
        {"sine(t)", "own.yaml:12:7: unknown function \"sine\", did you mean \"sin\"?"},
        {"k slow",
         "own.yaml:12:9: found \"slow\", expected an operator or the end; a product is written "
         "with *"},
        {"0,4*slow", "own.yaml:12:8: found \",\": decimals are written with a point, 1.5"},
        {"user9", "own.yaml:12:7: unknown name \"user9\"; did you mean \"user1\"?"},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        law_text text = own_law;
        text.acceleration.formula = rows[i].formula;
        reject(&text, rows[i].text);
    }
}

static void wrong_variables_and_states_are_rejected(void **state)
{
    (void)state;
    law_line lines[] = {{.name = "a", .formula = "1", .line = 3, .column = 5}, own_variables[0]};
    law_text text = own_law;
    text.states = NULL;
    text.state_count = 0;
    text.acceleration.formula = "0";
    text.variables = lines;
    text.line = 2;
    text.column = 1;
    reject(&text,
           "own.yaml:3:5: variable a of law own has the same name as a signal; choose another");
    lines[0].name = "error";
    reject(&text, "own.yaml:2:1: variable error of law own is given twice");
    lines[0].name = "2nd";
    reject(&text, "own.yaml:3:5: variable \"2nd\" of law own: a name has letters, digits and "
                  "\"_\"; parts are joined by dots, and each part begins with a letter or \"_\"");
    lines[0].name = "sin";
    reject(&text, "own.yaml:3:5: variable \"sin\" of law own: it is the name of a function");
    lines[0].name = "car.x";
    reject(&text, "own.yaml:3:5: variable \"car.x\" of law own: a name cannot contain a dot");
    lines[0].name = "early";
    lines[0].formula = "error";
    reject(&text, "own.yaml:3:5: unknown name \"error\"");
    lines[0].formula = "1";
    lines[0].unit = "meter";
    reject(&text, "own.yaml:3:5: variable early of law own: \"meter\" is not a unit");
    lines[0].unit = "km/h";
    reject(
        &text,
        "own.yaml:3:5: variable early of law own: expected an SI unit; km/h is 0.277777778 of it");
    lines[0].unit = "m";
    lines[0].formula = "v";
    reject(&text, "own.yaml:3:5: the result has the unit m/s, expected m");

    law_state states[] = {
        {.rate = {.name = "s1", .unit = "m", .formula = "gap", .line = 8, .column = 9}},
        {.rate = {.name = "s2", .unit = "m", .formula = "v", .line = 9, .column = 9}},
    };
    text = own_law;
    text.states = states;
    text.acceleration.formula = "0";
    reject(&text, "own.yaml:8:9: the result has the unit m, expected m/s");
    states[0].rate.formula = "v";
    states[0].start = "s2";
    states[0].start_line = 10;
    states[0].start_column = 4;
    reject(&text, "own.yaml:10:4: start of state s1 of law own uses the state s2, which has no "
                  "value before the start");
    states[0].start = "v";
    reject(&text, "own.yaml:10:4: the result has the unit m/s, expected m");
    states[0].start = NULL;
    states[1].rate.name = "s1";
    reject(&text, "own.yaml:9:9: state s1 of law own is given twice");
    states[1].rate = (law_line){.name = "s2", .line = 9, .column = 9};
    reject(&text, "own.yaml:9:9: state s2 of law own has no formula for its rate");
}

static void wrong_parameters_are_rejected(void **state)
{
    (void)state;
    mc_param params[LAW_PARAM_MAX + 1];
    for (int i = 0; i <= LAW_PARAM_MAX; i++)
        params[i] = own_params[i < 3 ? i : 0];
    law_text text = own_law;
    text.params = params;
    text.line = 4;
    text.column = 2;
    params[1].name = "k";
    reject(&text, "own.yaml:4:2: parameter k of law own is given twice");
    params[1].name = "slow";
    reject(&text,
           "own.yaml:4:2: parameter slow of law own has the same name as a state; choose another");
    params[1] = own_params[1];
    params[1].fallback = 11.0;
    reject(&text, "own.yaml:4:2: parameter c of law own: 11, expected 0 .. 10");
    params[1].min = 12.0;
    reject(&text, "own.yaml:4:2: parameter c of law own: its minimum 12 is above its maximum 10");
    text.param_count = LAW_PARAM_MAX + 1;
    reject(&text, "own.yaml:4:2: law own has 33 parameters, expected at most 32");
    text = own_law;
    text.acceleration.formula = NULL;
    reject(&text, "own.yaml: law own has no formula for the acceleration");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_formulas),
        cmocka_unit_test(used_signals_are_known),
        cmocka_unit_test(lanes_have_the_same_bits),
        cmocka_unit_test(derivatives_are_those_of_finite_differences),
        cmocka_unit_test(steps_are_of_second_order),
        cmocka_unit_test(matrices_become_a_law),
        cmocka_unit_test(wrong_matrices_are_rejected),
        cmocka_unit_test(wrong_formulas_name_their_place),
        cmocka_unit_test(wrong_variables_and_states_are_rejected),
        cmocka_unit_test(wrong_parameters_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
