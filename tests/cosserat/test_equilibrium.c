// test_equilibrium.c - rest is rest, whatever stands in the file.
#include "support/sample.h"

#include "cosserat/equilibrium.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void nothing_moves(void **unused)
{
    (void)unused;
    for (int number = 1; number <= 2; number++)
        for (int k = 0; k < 4; k++) {
            cosserat_model model = sample_model(number);
            model.p[COSSERAT_H1] = 0.1 * k; // loads now bend the chassis
            model.p[COSSERAT_H2] = 0.15 * k;
            double rest[10], residual;
            mc_error error;
            assert_int_equal(cosserat_equilibrium(&model, rest, &residual, &error), MC_OK);
            assert_true(residual < 1e-9);
            memcpy(&model.p[COSSERAT_R3], rest, sizeof rest);
            model.p[COSSERAT_B] = 1.45;
            mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
            cosserat_batch_place(batch, 0, 0.0, 0.0, 0.7, 20.0, 0.0, 0);
            double start[64], end[64];
            batch->kind->save(batch, 0, start);
            batch->kind->advance(batch, 0, 1, 5.0);
            batch->kind->save(batch, 0, end);
            for (int j = 2; j < 12; j++)
                assert_true(fabs(end[j] - start[j]) < 1e-10);
            batch->kind->destroy(batch);
        }
}

// The rigid car on its springs: sum of forces and moments by hand.
static void heights_follow_from_the_loads(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    const double *p = model.p, length = p[COSSERAT_L1] + p[COSSERAT_L2];
    const double weight = p[COSSERAT_MASS] * 9.81;
    const double front = p[COSSERAT_R3] + p[COSSERAT_L1] * p[COSSERAT_D11 + 2];
    const double rear = p[COSSERAT_R3] - p[COSSERAT_L2] * p[COSSERAT_D11 + 2];
    assert_true(fabs(2.0 * p[COSSERAT_C1] * (p[COSSERAT_SPRING_REF] - front) -
                     weight * p[COSSERAT_L2] / length) < 1e-8);
    assert_true(fabs(2.0 * p[COSSERAT_C2] * (p[COSSERAT_SPRING_REF] - rear) -
                     weight * p[COSSERAT_L1] / length) < 1e-8);
}

static void the_block_in_the_file_does_not_matter(void **unused)
{
    (void)unused;
    cosserat_model model = sample_model(1);
    double a[10], b[10];
    mc_error error;
    assert_int_equal(cosserat_equilibrium(&model, a, NULL, &error), MC_OK);
    for (int k = 0; k < 10; k++)
        model.p[COSSERAT_R3 + k] = 0.1 * k - 0.4;
    assert_int_equal(cosserat_equilibrium(&model, b, NULL, &error), MC_OK);
    assert_memory_equal(a, b, sizeof a);
}

static void springs_that_cannot_carry(void **unused)
{
    (void)unused;
    cosserat_model model = sample_model(1);
    model.p[COSSERAT_C1] = 0.01; // the nose would sink by half a million metres
    mc_error error;
    double rest[10];
    assert_int_equal(cosserat_equilibrium(&model, rest, NULL, &error), MC_FAILED);
    assert_non_null(strstr(error.text, "springs cannot carry"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_moves),
        cmocka_unit_test(heights_follow_from_the_loads),
        cmocka_unit_test(the_block_in_the_file_does_not_matter),
        cmocka_unit_test(springs_that_cannot_carry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
