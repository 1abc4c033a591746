// test_published.c - the published scheme: the print of section 2.5, and where it leads.
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void section_2_5(void **unused)
{
    (void)unused;
    static const char *const printed[] = {"-3.730000e-02", "-3.691894e-02", "-3.579733e-02",
                                          "-3.398085e-02", "-3.152424e-02", "-2.849029e-02"};
    const cosserat_model model = sample_model(1);
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_PUBLISHED, 5e-5);
    cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, 24.4444, 0.0, 1);
    for (int k = 0; k < 6; k++) {
        double state[64];
        char text[32];
        batch->kind->save(batch, 0, state);
        snprintf(text, sizeof text, "%.6e", state[2]);
        assert_string_equal(text, printed[k]);
        batch->kind->advance(batch, 0, 1, 0.01);
    }
    batch->kind->destroy(batch);
}

typedef struct outcome {
    double restitution;
    double momentum; // error, of the whole
    double energy;   // J, gained in the crash
} outcome;

static outcome crash(double stiffness, double smallest, double ratio)
{
    mc_world_options o = mc_world_defaults();
    o.contact = MC_CONTACT_LAW_PENALTY;
    o.step = 5e-5;
    o.penalty_stiffness = stiffness;
    o.penalty_smallest_step = smallest;
    cosserat_model models[2] = {sample_model(1), sample_model(1)};
    for (int k = COSSERAT_MASS; k <= COSSERAT_IZ; k++)
        models[1].p[k] *= ratio;
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 24.4444, 0.0}, {1, 5.0, 0.0, 0.0, 23.1111, 0.0}};
    mc_world *world = sample_world(&o, models, 2, cars, 2);
    const sample_balance start = sample_balance_of(world);
    mc_error error;
    assert_int_equal(mc_world_advance(world, 3.0, &error), MC_OK);
    const sample_balance end = sample_balance_of(world);
    mc_batch *batch;
    int index;
    double a[3], b[3];
    mc_world_vehicle(world, 0, &batch, &index);
    batch->kind->momentum(batch, index, a);
    const double v_a = a[0] / batch->kind->mass(batch, index);
    mc_world_vehicle(world, 1, &batch, &index);
    batch->kind->momentum(batch, index, b);
    const double v_b = b[0] / batch->kind->mass(batch, index);
    mc_world_destroy(world);
    return (outcome){(v_b - v_a) / (24.4444 - 23.1111),
                     fabs(end.momentum[0] - start.momentum[0]) / start.momentum[0],
                     end.energy + end.lost - start.energy - start.lost};
}

// Through the inverse of the inertia no momentum is lost, whatever the masses.
static void momentum_is_kept(void **unused)
{
    (void)unused;
    assert_true(crash(1e6, 1e-6, 1.0).momentum < 1e-12);
    assert_true(crash(1e6, 1e-6, 3.0).momentum < 1e-12);
}

// The constants are choices, the limit of a hard contact is not: it is the default scheme's.
static void stiff_limit_is_the_default_scheme(void **unused)
{
    (void)unused;
    static const double stiffness[] = {1e6, 1e8, 1e10, 1e11};
    static const double smallest[] = {1e-6, 1e-6, 1e-7, 5e-8};
    double before = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        const outcome o = crash(stiffness[k], smallest[k], 1.0);
        const double error = fabs(o.restitution - 0.5318103);
        printf("stiffness %.0e N/m: restitution %.5f, %.1e from the limit\n", stiffness[k],
               o.restitution, error);
        assert_true(error < before);
        before = error;
    }
    assert_true(before < 5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(section_2_5),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(stiff_limit_is_the_default_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
