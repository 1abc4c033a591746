// test_tyre_formula.c - the brush written as formulas against the brush in C; and wrong laws.
#include "parts/tyre_formula.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static const mc_param params[] = {
    {"C_x", "N", 90e3, 1e3, 1e6, "slip stiffness"},
    {"C_y", "N", 70e3, 1e3, 1e6, "cornering stiffness"},
    {"friction", "-", 1.0, 0.01, 3.0, "friction"},
    {"sigma", "m", 0.3, 0.02, 3.0, "relaxation length"},
};

// The law of tyre_deflection.h without damping and without a cap on its poles, in a user's words.
static const tyre_formula_line states[] = {
    {"z_x", "m", "-(v_x - v_roll) - renewed/sigma*z_x", 0, 0},
    {"z_y", "m", "-v_y - renewed/sigma*z_y", 0, 0},
};
static const tyre_formula_line variables[] = {
    {"limit", "N", "max(friction*mu*fz, 1e-9 N)", 0, 0},
    {"slid", "m/s", "hypot(C_x*(v_x - v_roll), C_y*v_y)/limit", 0, 0},
    {"rolled", "m/s", "3*abs(v_roll)", 0, 0},
    {"u", "-", "min(slid/max(rolled, 1e-9 m/s), 1)", 0, 0},
    {"f_x", "N", "C_x*z_x/sigma", 0, 0},
    {"f_y", "N", "C_y*z_y/sigma", 0, 0},
    {"s", "-", "clamp((hypot(f_x, f_y)/limit - 0.7)/0.3, 0, 1)", 0, 0},
    {"sliding", "m/s", "max(rolled, slid*s^2*(3 - 2*s))", 0, 0},
    {"renewed", "m/s", "if(slid < rolled, rolled/(3 - 3*u + u^2), sliding)", 0, 0},
    {"share", "-", "min(1, limit/max(hypot(f_x, f_y), 1e-9 N))", 0, 0},
};

static tyre_formula_text brush_text(void)
{
    return (tyre_formula_text){.name = "my brush",
                               .doc = "brush as formulas",
                               .params = params,
                               .param_count = 4,
                               .states = states,
                               .state_count = 2,
                               .variables = variables,
                               .variable_count = sizeof variables / sizeof variables[0],
                               .fx = {"fx", "N", "f_x*share", 0, 0},
                               .fy = {"fy", "N", "f_y*share", 0, 0}};
}

static void formulas_give_the_same_tyre(void **unused)
{
    (void)unused;
    enum { N = 16 };
    mc_error error;
    const tyre_formula_text text = brush_text();
    tyre_formula *law = tyre_formula_create(&text, NULL, EXPR_INTERPRET, &error);
    if (!law)
        fail_msg("%s", error.text);
    const tyre_kind *mine = tyre_formula_kind(law);
    assert_string_equal(mine->name, "my brush");
    assert_int_equal(mine->state_count, 2);
    assert_string_equal(mine->states[1].name, "z_y");
    assert_string_equal(mine->states[1].unit, "m");
    double p_mine[TYRE_PARAM_MAX], p[TYRE_PARAM_MAX];
    tyre_defaults(mine, p_mine);
    tyre_defaults(&tyre_brush, p);
    p[4] = 0.0; // damping
    assert_string_equal(tyre_brush.params[4].name, "damping");

    unsigned long long seed = 5;
    _Alignas(32) double fz[N], v_x[N], v_y[N], v_roll[N], mu[N], x[2 * N], drive[2][2 * N];
    _Alignas(32) double fx[2][N], fy[2][N];
    for (int trial = 0; trial < 500; trial++) {
        for (int i = 0; i < N; i++) {
            fz[i] = sample_uniform(&seed, -500.0, 8e3);
            v_roll[i] = sample_uniform(&seed, -30.0, 30.0);
            v_x[i] = v_roll[i] + sample_uniform(&seed, -0.5, 0.5);
            v_y[i] = sample_uniform(&seed, -0.5, 0.5);
            mu[i] = sample_uniform(&seed, 0.3, 1.0);
            x[i] = sample_uniform(&seed, -0.01, 0.01);
            x[N + i] = sample_uniform(&seed, -0.01, 0.01);
        }
        const bool free = trial % 2; // v_roll and mu left out
        tyre_in in = {.fz = fz,
                      .v_x = v_x,
                      .v_y = v_y,
                      .v_roll = free ? NULL : v_roll,
                      .mu = free ? NULL : mu};
        tyre_brush.eval[cpu_level_best()](p, N, &in, x, drive[0],
                                          &(tyre_out){.fx = fx[0], .fy = fy[0]});
        in.context = mine->context;
        mine->eval[cpu_level_best()](p_mine, N, &in, x, drive[1],
                                     &(tyre_out){.fx = fx[1], .fy = fy[1]});
        for (int i = 0; i < N; i++) {
            assert_true(fabs(fx[0][i] - fx[1][i]) < 1e-9 && fabs(fy[0][i] - fy[1][i]) < 1e-9);
            if (fz[i] < 2000.0)
                continue; // light wheels: the cap on poles
            assert_true(fabs(drive[0][i] - drive[1][i]) < 1e-11);
            assert_true(fabs(drive[0][N + i] - drive[1][N + i]) < 1e-11);
        }
    }
    tyre_formula_destroy(law);
}

// Slips as promised, and nothing in the air.
static void slips_and_air(void **unused)
{
    (void)unused;
    mc_error error;
    const tyre_formula_text text = {.fx = {"fx", "N", "1000 N*slip_x", 0, 0},
                                    .fy = {"fy", "N", "1000 N*slip_y + 5 N", 0, 0}};
    tyre_formula *law = tyre_formula_create(&text, NULL, EXPR_INTERPRET, &error);
    assert_non_null(law);
    const tyre_kind *kind = tyre_formula_kind(law);
    _Alignas(32) double fz[4] = {1.0, 1.0, 0.0, -3.0}, v_x[4] = {9.0, 0.0, 9.0, 9.0};
    _Alignas(32) double v_y[4] = {1.0, 0.05, 1.0, 1.0}, v_roll[4] = {10.0, 0.02, 10.0, 10.0};
    _Alignas(32) double fx[4], fy[4];
    const tyre_in in = {
        .fz = fz, .v_x = v_x, .v_y = v_y, .v_roll = v_roll, .context = kind->context};
    kind->eval[CPU_PLAIN](NULL, 4, &in, NULL, NULL, &(tyre_out){.fx = fx, .fy = fy});
    assert_true(fabs(fx[0] - 100.0) < 1e-10 && fabs(fy[0] + 95.0) < 1e-10);
    assert_true(fabs(fx[1] - 200.0) < 1e-10 && fabs(fy[1] + 495.0) < 1e-10); // 0.1 m/s floor
    assert_true(fx[2] == 0.0 && fy[2] == 0.0 && fx[3] == 0.0 && fy[3] == 0.0);
    tyre_formula_destroy(law);
}

static void reject(tyre_formula_text text, const char *said, int line)
{
    mc_error error = {0};
    tyre_formula *law = tyre_formula_create(&text, "car.yaml", EXPR_INTERPRET, &error);
    assert_null(law);
    if (!strstr(error.text, said))
        fail_msg("expected '%s' in '%s'", said, error.text);
    assert_string_equal(error.file, "car.yaml");
    assert_int_equal(error.line, line);
    assert_int_equal(error.code, MC_BAD_INPUT);
}

static void wrong_laws_are_rejected(void **unused)
{
    (void)unused;
    tyre_formula_text t = brush_text();
    t.fx = (tyre_formula_line){"fx", "N", "C_x*slip_z", 7, 9};
    reject(t, "slip_z", 7);
    t.fx.formula = "C_x*(slip_x";
    reject(t, "", 7);
    t.fx.formula = "C_x*v_x"; // N m/s
    reject(t, "N", 7);
    t.fx.formula = NULL;
    reject(t, "fx has no formula", 7);
    t = brush_text();
    tyre_formula_line own[TYRE_STATE_MAX + 1] = {{"mu", "m", "0", 3, 1}};
    t.states = own, t.state_count = 1;
    reject(t, "'mu' is already in use", 3);
    own[0].name = "if";
    reject(t, "'if' is not a valid name", 3);
    own[0].name = "2z";
    reject(t, "'2z' is not a valid name", 3);
    own[0] = (tyre_formula_line){"z", "furlong", "0", 3, 1};
    reject(t, "'furlong' is not an SI unit", 3);
    own[0] = (tyre_formula_line){"z", "mm", "0", 3, 1};
    reject(t, "'mm' is not an SI unit", 3);
    t.state_count = TYRE_STATE_MAX + 1;
    reject(t, "at most 3", 0);
    t = brush_text();
    tyre_formula_line later[2] = {{"a", "N", "b", 4, 2}, {"b", "N", "fz", 5, 2}};
    t.variables = later, t.variable_count = 2; // used before it is there
    reject(t, "unknown name \"b\"", 4);
    const mc_param twice[] = {params[0], params[0]};
    t = brush_text();
    t.params = twice, t.param_count = 2;
    reject(t, "'C_x' is already in use", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_give_the_same_tyre),
        cmocka_unit_test(slips_and_air),
        cmocka_unit_test(wrong_laws_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
