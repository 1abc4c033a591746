// test_stability.c - the computed bound is where runs live and die: 0.99 of it and 1.02 of it.
#include "support/sample.h"

#include "cosserat/equilibrium.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double speed = 20.0;

// Largest deviation of the directors from rest after so many steps, over that at the start.
static double growth(const cosserat_model *model, cosserat_scheme scheme, double step, double steps)
{
    mc_batch *batch = cosserat_batch_create(model, 1, scheme, step);
    assert_non_null(batch);
    cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, speed, 0.0, 0);
    double state[64];
    unsigned long long seed = 7;
    batch->kind->save(batch, 0, state);
    for (int k = 0; k < 9; k++)
        state[VALUE_D + k] += sample_uniform(&seed, -1e-6, 1e-6);
    batch->kind->restore(batch, 0, state);
    const int pieces = 1000;
    double largest = 0.0;
    for (int k = 0; k < pieces; k++) {
        batch->kind->advance(batch, 0, 1, ceil(steps / pieces) * step);
        batch->kind->save(batch, 0, state);
        largest = 0.0;
        for (int j = 0; j < 9; j++)
            largest = fmax(largest, fabs(state[VALUE_D + j] - model->p[COSSERAT_D11 + j]));
        if (!(largest < 1e-2))
            break; // gone
    }
    batch->kind->destroy(batch);
    return largest / 1e-6;
}

static void bound_is_sharp(const char *name, int number, cosserat_scheme scheme)
{
    const cosserat_model model = sample_model_at_rest(number);
    const double from = scheme == COSSERAT_PUBLISHED ? 1e-6 : 1e-5;
    const double bound = cosserat_stability_bound(&model, scheme, speed, from);
    const double radius = cosserat_spectral_radius(&model, scheme, 1.02 * bound, speed);
    assert_true(radius > 1.0 + COSSERAT_GROWTH_TOLERANCE);
    const double steps = log(1e5) / log(radius); // a mode that starts at 1e-9 grows to 1e-4
    const double lives = growth(&model, scheme, 0.99 * bound, steps);
    const double dies = growth(&model, scheme, 1.02 * bound, steps);
    printf("%-12s model %d: bound %.6g s, growth %.2g a step at 1.02; after %.1e steps deviation x "
           "%.2g at 0.99, x %.2g at 1.02\n",
           name, number, bound, radius - 1.0, steps, lives, dies);
    assert_true(lives < 3.0);
    assert_true(dies > 30.0);
}

static void exponential_bound(void **unused)
{
    (void)unused;
    bound_is_sharp("exponential", 1, COSSERAT_EXPONENTIAL);
}

static void published_bound(void **unused)
{
    (void)unused;
    bound_is_sharp("published", 1, COSSERAT_PUBLISHED);
}

// Without dampers, tyres and springs the published scheme is symplectic Euler: 2 / w_max exactly.
static void undamped_bound(void **unused)
{
    (void)unused;
    cosserat_model model = sample_model(1);
    model.gear.tyre = tyre_kind_find("none");
    model.p[COSSERAT_D1] = model.p[COSSERAT_D2] = 0.0;
    model.p[COSSERAT_C1] = model.p[COSSERAT_C2] = 100.0; // soft: hardly couples
    model.p[COSSERAT_MASS] = 1573.0;
    model.gravity = 1e-3;
    cosserat_constants constants;
    cosserat_constants_of(&model, &constants);
    double fastest = 0.0;
    for (int k = 0; k < MODE_COUNT; k++)
        fastest = fmax(fastest, constants.omega[k]);
    const double bound = cosserat_stability_bound(&model, COSSERAT_PUBLISHED, speed, 1e-4);
    printf("undamped: bound %.6g s, 2/w_max %.6g s\n", bound, 2.0 / fastest);
    assert_true(fabs(bound * fastest / 2.0 - 1.0) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponential_bound),
        cmocka_unit_test(published_bound),
        cmocka_unit_test(undamped_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
