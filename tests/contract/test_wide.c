// test_wide.c - kernels that take eight lanes at a time give the bits of those that take four:
// cars, deformable vehicles, compiled formulas, functions. Skipped on processors without AVX-512.
#include "base/wide.h"
#include "cars/car.h"
#include "expr/functions_lanes.h"
#include "motorcade/multibody.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FOUR, EIGHT, WIDTHS, STATE_MAX = 1024 };

static void choose(int width)
{
    if (width == FOUR)
        setenv("MOTORCADE_CPU", "avx2", 1);
    else
        unsetenv("MOTORCADE_CPU");
}

static void need_wide(void)
{
    choose(FOUR);
    assert_false(cpu_is_wide());
    choose(EIGHT);
    if (!cpu_is_wide())
        skip();
}

// ---- cars ----

// Some steer, some brake, some stand; more than three blocks and a part of one.
static void drive_cars(car_lateral lateral, int width, int count, double *states)
{
    choose(width);
    unsigned long long seed = 7;
    car all[64];
    for (int i = 0; i < count; i++) {
        car_defaults(&all[i], &powertrain_converter);
        all[i].lateral = lateral;
        all[i].p[CAR_MASS] *= i < 16 ? 1.0 : sample_uniform(&seed, 0.7, 1.3);
    }
    mc_batch *batch = car_batch_create(all, count, 0.01);
    assert_non_null(batch);
    for (int i = 0; i < count; i++)
        car_batch_place(batch, i, 10.0 * i, 0.0, i % 5 ? 0.0 : 0.1,
                        sample_uniform(&seed, 0.0, 40.0));
    for (int step = 0; step < 300; step++) {
        double desired[64];
        mc_plan plan[64];
        mc_inputs in[64];
        for (int i = 0; i < count; i++)
            desired[i] = sample_uniform(&seed, -4.0, 2.0);
        batch->kind->plan(batch, 0, count, desired, plan);
        for (int i = 0; i < count; i++)
            in[i] = (mc_inputs){.throttle = plan[i].throttle,
                                .brake = desired[i] < plan[i].coast ? plan[i].brake : 0.0,
                                .steer = i % 3 ? 0.0 : sample_uniform(&seed, -0.02, 0.02)};
        batch->kind->set_inputs(batch, 0, count, in);
        batch->kind->advance(batch, 0, count, 0.01);
    }
    assert_true(batch->kind->save_size(batch) <= STATE_MAX);
    for (int i = 0; i < count; i++)
        batch->kind->save(batch, i, states + i * STATE_MAX);
    batch->kind->destroy(batch);
}

static void cars_have_the_same_bits(void **unused)
{
    (void)unused;
    need_wide();
    enum { COUNT = 37 };
    static double states[WIDTHS][COUNT * STATE_MAX];
    for (int lateral = CAR_REPORT; lateral < CAR_LATERAL_COUNT; lateral++) {
        for (int width = FOUR; width < WIDTHS; width++)
            drive_cars((car_lateral)lateral, width, COUNT, states[width]);
        assert_memory_equal(states[FOUR], states[EIGHT], sizeof states[FOUR]);
        assert_true(states[EIGHT][0] != states[EIGHT][STATE_MAX]);
    }
}

// ---- deformable vehicles ----

static void drive_soft(const cosserat_model *model, int width, int count, double *states)
{
    choose(width);
    unsigned long long seed = 11;
    mc_batch *batch = cosserat_batch_create(model, count, COSSERAT_EXPONENTIAL, 5e-4);
    assert_non_null(batch);
    for (int i = 0; i < count; i++)
        cosserat_batch_place(batch, i, 0.0, 20.0 * i, 0.3 * i, sample_uniform(&seed, 0.0, 30.0),
                             sample_uniform(&seed, -0.05, 0.05), 0);
    for (int step = 0; step < 30; step++)
        batch->kind->advance(batch, 0, count, 0.01);
    for (int i = 0; i < count; i++)
        batch->kind->save(batch, i, states + i * STATE_MAX);
    batch->kind->destroy(batch);
}

static void deformable_vehicles_have_the_same_bits(void **unused)
{
    (void)unused;
    need_wide();
    enum { COUNT = 21 }; // two pairs of blocks, one alone, and a part of one
    static double states[WIDTHS][COUNT * STATE_MAX];
    for (int number = 1; number <= 2; number++) {
        const cosserat_model model = sample_model(number);
        for (int width = FOUR; width < WIDTHS; width++)
            drive_soft(&model, width, COUNT, states[width]);
        assert_memory_equal(states[FOUR], states[EIGHT], sizeof states[FOUR]);
    }
}

// ---- formulas ----

enum { BLOCKS = 5, NQ = 16, NV = 15 }; // of hmmwv10

static void accelerations_of(int width, double *vdot)
{
    choose(width);
    mc_error error;
    const mc_multibody_options options = {.compile = MC_COMPILE_WAIT};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/hmmwv10.yaml", &options, &error);
    assert_non_null(m);
    unsigned long long seed = 3;
    double q[BLOCKS * NQ * 4], v[BLOCKS * NV * 4], tau[BLOCKS * NV * 4];
    for (int k = 0; k < BLOCKS * NQ * 4; k++)
        q[k] = sample_uniform(&seed, -0.3, 0.3) + (k / 4 % NQ == 3 ? 1.0 : 0.0);
    for (int k = 0; k < BLOCKS * NV * 4; k++) {
        v[k] = sample_uniform(&seed, -1.0, 1.0);
        tau[k] = sample_uniform(&seed, -1e3, 1e3);
    }
    for (int k = 0; k < BLOCKS; k++) // all numbers of blocks
        mc_multibody_accelerations_lanes(m, k + 1, q, v, tau, vdot + k * BLOCKS * NV * 4);
    mc_multibody_free(m);
}

static void compiled_formulas_have_the_same_bits(void **unused)
{
    (void)unused;
    need_wide();
    static double vdot[WIDTHS][BLOCKS * BLOCKS * NV * 4];
    for (int width = FOUR; width < WIDTHS; width++)
        accelerations_of(width, vdot[width]);
    assert_memory_equal(vdot[FOUR], vdot[EIGHT], sizeof vdot[FOUR]);
    assert_true(isfinite(vdot[EIGHT][0]) && vdot[EIGHT][0] != 0.0);
}

static void functions_have_the_same_bits(void **unused)
{
    (void)unused;
    need_wide();
    enum { N = 4011 };
    static double a[N], b[N], y[WIDTHS][N], z[WIDTHS][N];
    unsigned long long seed = 5;
    for (int function = 0; function < EXPR_FUNCTION_COUNT; function++) {
        for (int i = 0; i < N; i++) {
            const double size = pow(10.0, sample_uniform(&seed, -12.0, 3.0));
            a[i] = i % 2 ? size : -size;
            b[i] = sample_uniform(&seed, -3.0, 3.0);
        }
        memset(y, 0, sizeof y);
        memset(z, 0, sizeof z);
        expr_functions_call(&expr_functions_avx2, function, N, a, b, y[FOUR], z[FOUR]);
        expr_functions_call(&expr_functions_avx512, function, N, a, b, y[EIGHT], z[EIGHT]);
        for (int i = 0; i < N; i++) {
            assert_true(memcmp(&y[FOUR][i], &y[EIGHT][i], sizeof(double)) == 0 ||
                        (isnan(y[FOUR][i]) && isnan(y[EIGHT][i])));
            assert_memory_equal(&z[FOUR][i], &z[EIGHT][i], sizeof(double));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cars_have_the_same_bits),
        cmocka_unit_test(deformable_vehicles_have_the_same_bits),
        cmocka_unit_test(compiled_formulas_have_the_same_bits),
        cmocka_unit_test(functions_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
