// test_derived.c - the files `motorcade derive` writes for hmmwv10, compiled as a user would and
// run: C for one state and C for blocks agree with the interpreter bit for bit, Fortran to 1e-13.
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

enum { NQ = 16, NV = 15, NX = NQ + NV + 1 + NV, NP = 200, NK = 1000, STATES = 40 };

static run_folder folder;
static mc_multibody *car;
static double parameter[NP], x[STATES][NX], expected[STATES][NV];

static void random_states(void)
{
    unsigned long long seed = 5;
    for (int s = 0; s < STATES; s++) {
        double length = 0.0;
        for (int i = 0; i < NX; i++)
            x[s][i] = sample_uniform(&seed, -1.0, 1.0);
        for (int i = 3; i < 7; i++)
            length += x[s][i] * x[s][i];
        for (int i = 3; i < 7; i++)
            x[s][i] /= sqrt(length);
        for (int i = 0; i < NV; i++)
            x[s][NQ + NV + 1 + i] *= 1000.0;
        mc_multibody_accelerations(car, x[s], x[s] + NQ, x[s] + NQ + NV + 1, expected[s]);
    }
}

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    mc_error error = {0};
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    car = mc_multibody_load(SOURCE_DIR "/models/hmmwv10.yaml", &options, &error);
    if (!car)
        fail_msg("%s", error.text);
    const mc_multibody_info *info = mc_multibody_info_of(car);
    assert_int_equal(info->q_count, NQ);
    assert_int_equal(info->v_count, NV);
    for (int i = 0; i < info->parameter_count; i++)
        mc_multibody_get(car, mc_multibody_name(car, MC_QUANTITY_PARAMETER, i), &parameter[i],
                         NULL);
    random_states();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mc_multibody_free(car);
    run_folder_remove(&folder);
    return 0;
}

static void *build(mc_language language, const char *file, const char *compiler)
{
    return emitted_build(&folder, car, language, MC_CODE_FORWARD, file, compiler);
}

static void scalar_code(void **state)
{
    (void)state;
    static const char *const compilers[] = {"gcc", "clang"};
    for (int c = 0; c < 2; c++) {
        void *object = build(MC_LANGUAGE_C, "one.c", compilers[c]);
        if (!object)
            continue;
        emitted_prepare *prepare;
        emitted_one *one;
        *(void **)&prepare = emitted_symbol(object, "hmmwv10_prepare");
        *(void **)&one = emitted_symbol(object, "hmmwv10_run");
        double k[NK], y[NV];
        prepare(parameter, k, expr_functions_best());
        for (int s = 0; s < STATES; s++) {
            one(x[s], k, y, expr_functions_best());
            assert_memory_equal(y, expected[s], sizeof y);
        }
        dlclose(object);
    }
}

static void lane_code(void **state)
{
    (void)state;
    void *object = build(MC_LANGUAGE_C_LANES, "four.c", "gcc");
    if (!object)
        skip();
    emitted_prepare *prepare;
    emitted_blocks *blocks;
    *(void **)&prepare = emitted_symbol(object, "hmmwv10_prepare");
    *(void **)&blocks = emitted_symbol(object, "hmmwv10_run_lanes");
    double k[NK];
    static double in[STATES * NX], out[STATES * NV];
    for (int s = 0; s < STATES; s++)
        for (int i = 0; i < NX; i++)
            in[((s / 4) * NX + i) * 4 + s % 4] = x[s][i];
    prepare(parameter, k, expr_functions_best());
    blocks(STATES / 4, in, k, out, expr_functions_best());
    for (int s = 0; s < STATES; s++)
        for (int i = 0; i < NV; i++)
            assert_memory_equal(&out[((s / 4) * NV + i) * 4 + s % 4], &expected[s][i],
                                sizeof(double));
    dlclose(object);
}

static void fortran_code(void **state)
{
    (void)state;
    void *object = build(MC_LANGUAGE_FORTRAN, "car.f90", "gfortran");
    if (!object)
        skip();
    emitted_prepare_fortran *prepare;
    emitted_one_fortran *one;
    *(void **)&prepare = emitted_symbol(object, "__hmmwv10_MOD_hmmwv10_prepare");
    *(void **)&one = emitted_symbol(object, "__hmmwv10_MOD_hmmwv10_run");
    double k[NK], y[NV], worst = 0.0;
    prepare(parameter, k);
    for (int s = 0; s < STATES; s++) {
        double max = 0.0;
        one(x[s], k, y);
        for (int i = 0; i < NV; i++)
            max = fmax(max, fabs(expected[s][i]));
        for (int i = 0; i < NV; i++)
            worst = fmax(worst, fabs(y[i] - expected[s][i]) / max);
    }
    print_message("Fortran: %.2g of the largest acceleration\n", worst);
    assert_true(worst > 0.0 && worst <= 1e-13);
    dlclose(object);
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
