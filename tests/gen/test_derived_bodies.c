// test_derived_bodies.c - kinematics, loads of joints and matrices as `motorcade derive` writes
// them, for a mechanism with loops: C for one state and for blocks as the interpreter bit for bit,
// Fortran to 1e-12.
#include "support/bodies.h"
#include "support/emitted.h"
#include "support/sample.h"

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { X_MAX = 160, P_MAX = 400, K_MAX = 4000, Y_MAX = 8000, STATES = 8 };

static run_folder folder;
static mc_multibody *model;
static double parameter[P_MAX], x[STATES][X_MAX];
static int x_count;
static const struct {
    mc_code code;
    const char *name;
} codes[] = {{MC_CODE_KINEMATICS, "bodies_kinematics"},
             {MC_CODE_JOINT_LOADS, "bodies_joint_loads"},
             {MC_CODE_MATRICES, "bodies_matrices"}};
static double expected[3][STATES][Y_MAX];
static int count[3];

static int take_matrices(double *out)
{
    mc_matrix a;
    int used = 0;
    for (int k = 0; mc_multibody_matrix(model, k, &a); k++)
        for (int i = 0; i < a.rows * a.columns; i++)
            if (a.structure[i])
                out[used++] = a.value[i];
    return used;
}

static void interpret(int s)
{
    const mc_multibody_info *info = mc_multibody_info_of(model);
    const double *y = x[s], t = x[s][info->y_count], *tau = y + info->y_count + 1;
    mc_error error = {0};
    assert_int_equal(mc_multibody_kinematics(model, t, y, expected[0][s], &error), MC_OK);
    assert_int_equal(mc_multibody_joint_loads(model, t, y, tau, expected[1][s], &error), MC_OK);
    assert_int_equal(mc_multibody_matrices(model, t, y, &error), MC_OK);
    for (count[0] = 0; mc_multibody_kinematics_name(model, count[0]);)
        count[0]++;
    count[1] = 6 * info->body_count;
    count[2] = take_matrices(expected[2][s]);
}

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    mc_error error = {0};
    char text[6000];
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    snprintf(text, sizeof text, "%s%s", BODIES_MODEL, bodies_closed[BODIES_CLOSED - 1]);
    model = mc_multibody_parse(text, "test", &options, &error);
    if (!model)
        fail_msg("%s", error.text);
    const mc_multibody_info *info = mc_multibody_info_of(model);
    for (int i = 0; i < info->parameter_count; i++)
        mc_multibody_get(model, mc_multibody_name(model, MC_QUANTITY_PARAMETER, i), &parameter[i],
                         NULL);
    x_count = info->y_count + 1 + info->v_count;
    assert_true(x_count <= X_MAX && info->parameter_count <= P_MAX);
    unsigned long long seed = 8;
    for (int s = 0; s < STATES; s++) {
        mc_multibody_start(model, x[s]);
        for (int i = 0; i < x_count; i++)
            x[s][i] += sample_uniform(&seed, -0.1, 0.1);
        mc_multibody_normalise(model, x[s]);
        interpret(s);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mc_multibody_free(model);
    run_folder_remove(&folder);
    return 0;
}

static void *function(void *object, const char *format, int c)
{
    char name[96];
    snprintf(name, sizeof name, format, codes[c].name, codes[c].name);
    return emitted_symbol(object, name);
}

static void scalar_code(void **state)
{
    (void)state;
    for (int c = 0; c < 3; c++) {
        void *object = emitted_build(&folder, model, MC_LANGUAGE_C, codes[c].code, "one.c", "gcc");
        if (!object)
            skip();
        emitted_prepare *prepare;
        emitted_one *one;
        *(void **)&prepare = function(object, "%s_prepare", c);
        *(void **)&one = function(object, "%s_run", c);
        static double k[K_MAX], y[Y_MAX];
        prepare(parameter, k, expr_functions_best());
        for (int s = 0; s < STATES; s++) {
            one(x[s], k, y, expr_functions_best());
            assert_memory_equal(y, expected[c][s], (size_t)count[c] * sizeof *y);
        }
        dlclose(object);
    }
    print_message("%d kinematics, %d loads, %d entries of matrices\n", count[0], count[1],
                  count[2]);
}

static void lane_code(void **state)
{
    (void)state;
    for (int c = 0; c < 3; c++) {
        void *object =
            emitted_build(&folder, model, MC_LANGUAGE_C_LANES, codes[c].code, "four.c", "gcc");
        if (!object)
            skip();
        emitted_prepare *prepare;
        emitted_blocks *blocks;
        *(void **)&prepare = function(object, "%s_prepare", c);
        *(void **)&blocks = function(object, "%s_run_lanes", c);
        static double k[K_MAX], in[STATES * X_MAX], out[STATES * Y_MAX];
        for (int s = 0; s < STATES; s++)
            for (int i = 0; i < x_count; i++)
                in[((s / 4) * x_count + i) * 4 + s % 4] = x[s][i];
        prepare(parameter, k, expr_functions_best());
        blocks(STATES / 4, in, k, out, expr_functions_best());
        for (int s = 0; s < STATES; s++)
            for (int i = 0; i < count[c]; i++)
                assert_memory_equal(&out[((s / 4) * count[c] + i) * 4 + s % 4], &expected[c][s][i],
                                    sizeof(double));
        dlclose(object);
    }
}

static void fortran_code(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int c = 0; c < 3; c++) {
        void *object = emitted_build(&folder, model, MC_LANGUAGE_FORTRAN, codes[c].code,
                                     "bodies.f90", "gfortran");
        if (!object)
            skip();
        emitted_prepare_fortran *prepare;
        emitted_one_fortran *one;
        *(void **)&prepare = function(object, "__%s_MOD_%s_prepare", c);
        *(void **)&one = function(object, "__%s_MOD_%s_run", c);
        static double k[K_MAX], y[Y_MAX];
        prepare(parameter, k);
        for (int s = 0; s < STATES; s++) {
            double most = 0.0;
            one(x[s], k, y);
            for (int i = 0; i < count[c]; i++)
                most = fmax(most, fabs(expected[c][s][i]));
            for (int i = 0; i < count[c]; i++)
                worst = fmax(worst, fabs(y[i] - expected[c][s][i]) / most);
        }
        dlclose(object);
    }
    print_message("Fortran: %.2g of the largest\n", worst);
    assert_true(worst > 0.0 && worst <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_code),
        cmocka_unit_test(lane_code),
        cmocka_unit_test(fortran_code),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
