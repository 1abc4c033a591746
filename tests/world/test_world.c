// test_world.c - worlds: overlap at the start, failures that name their place, memory, adaptive
// step.
#include "support/sample.h"
#include "world/world.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void overlap_is_rejected(void **unused)
{
    (void)unused;
    mc_error error;
    const cosserat_model model = sample_model_at_rest(1);
    mc_world_options o = mc_world_defaults();
    mc_world *world = mc_world_create(&o, &error);
    mc_batch *batch = cosserat_batch_create(&model, 3, COSSERAT_EXPONENTIAL, o.step);
    assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
    const double x[3] = {0.0, 20.0, 22.5};
    for (int i = 0; i < 3; i++) {
        int id;
        cosserat_batch_place(batch, i, x[i], 0.0, 0.0, 20.0, 0.0, 0);
        assert_int_equal(mc_world_add(world, batch, i, &id, &error), MC_OK);
    }
    int a = -1, b = -1;
    assert_int_equal(mc_world_start(world, &a, &b, &error), MC_BAD_INPUT);
    assert_int_equal(a, 1);
    assert_int_equal(b, 2);
    assert_string_equal(error.text, "vehicles 2 and 3 overlap at the start");
    mc_world_destroy(world);
}

static void a_failure_names_vehicle_and_time(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 20.0, 0.0}, {0, 50.0, 0.0, 0.0, 20.0, 0.0}};
    mc_world_options o = mc_world_defaults();
    mc_world *world = sample_world(&o, &model, 1, cars, 2);
    mc_error error;
    assert_int_equal(mc_world_advance(world, 0.25, &error), MC_OK);
    mc_batch *batch;
    int index;
    double state[64];
    mc_world_vehicle(world, 1, &batch, &index);
    batch->kind->save(batch, index, state);
    state[VALUE_V] = NAN;
    batch->kind->restore(batch, index, state);
    assert_int_equal(mc_world_advance(world, 0.1, &error), MC_FAILED);
    char text[600];
    assert_int_equal(error.vehicle, 2); // from 1
    assert_non_null(strstr(mc_error_format(&error, text, sizeof text), "vehicle 2: motion"));
    assert_non_null(strstr(text, "t = 0.26 s"));
    mc_world_destroy(world);
}

// After the first crash everything needed is allocated: the rest of the run allocates nothing, also
// while the instants of collisions are kept.
static void no_memory_is_taken_while_running(void **unused)
{
    (void)unused;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    skip(); // their allocators count differently
#else
    const cosserat_model model = sample_model_at_rest(1);
    const sample_car cars[3] = {{0, 0.0, 0.0, 0.0, 22.0, 0.0},
                                {0, 3.5, 0.0, 0.0, 20.0, 0.0},
                                {0, 60.0, 0.0, 0.0, 20.0, 0.01}};
    mc_world_options o = mc_world_defaults();
    o.threads = 1;
    mc_world *world = sample_world(&o, &model, 1, cars, 3);
    mc_error error;
    world->instants.on = true;
    world_instants_begin(world, 0.5);
    assert_int_equal(mc_world_advance(world, 0.5, &error), MC_OK);
    int impacts;
    mc_world_impacts(world, &impacts);
    assert_true(impacts > 0 && world->instants.count > 0);
    const struct mallinfo2 before = mallinfo2();
    world_instants_begin(world, 2.0);
    assert_int_equal(mc_world_advance(world, 2.0, &error), MC_OK);
    const struct mallinfo2 after = mallinfo2();
    assert_true(after.uordblks == before.uordblks && after.hblks == before.hblks);
    mc_world_destroy(world);
#endif
}

static double drift_with(double tolerance)
{
    const cosserat_model model = sample_model(2); // stiff: errs most
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 24.4444, 0.0}, {0, 3.4, 0.0, 0.0, 23.1111, 0.0}};
    mc_world_options o = mc_world_defaults();
    o.step = 1.2e-3;
    o.energy_tolerance = tolerance;
    mc_world *world = sample_world(&o, &model, 1, cars, 2);
    const sample_balance start = sample_balance_of(world);
    mc_error error;
    assert_int_equal(mc_world_advance(world, 1.0, &error), MC_OK);
    const sample_balance end = sample_balance_of(world);
    int impacts;
    mc_world_impacts(world, &impacts);
    assert_true(impacts >= 2);
    mc_world_destroy(world);
    return fabs(end.energy + end.lost - start.energy - start.lost) / start.energy;
}

static void the_energy_controls_the_step(void **unused)
{
    (void)unused;
    const double fixed = drift_with(0.0), held = drift_with(1e-8), tight = drift_with(1e-11);
    printf("drift of the energy balance in 1 s: %.1e with a fixed step, %.1e and %.1e controlled\n",
           fixed, held, tight);
    assert_true(fixed > 1e-8);
    assert_true(held <= 1e-8);
    assert_true(tight <= 1e-11);
}

// Bodies pressed together chatter; the guard bounds the number of impacts and keeps the energy.
static void pressed_bodies_do_not_stall(void **unused)
{
    (void)unused;
    cosserat_model model = sample_model_at_rest(1);
    model.p[COSSERAT_B] = 1.45;
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 20.0, 0.01}, {0, 0.0, 2.05, 0.0, 20.0, -0.01}};
    mc_world_options o = mc_world_defaults();
    mc_world *world = sample_world(&o, &model, 1, cars, 2);
    const sample_balance start = sample_balance_of(world);
    mc_error error;
    assert_int_equal(mc_world_advance(world, 4.0, &error), MC_OK);
    const sample_balance end = sample_balance_of(world);
    int impacts;
    const mc_impact *list = mc_world_impacts(world, &impacts);
    printf("steered into each other for 4 s: %d impacts\n", impacts);
    assert_true(impacts > 20);
    double deepest = 0.0;
    for (int k = 0; k < impacts; k++)
        deepest = fmin(deepest, list[k].gap);
    assert_true(deepest > -1e-6);
    assert_true(end.energy + end.lost - start.energy - start.lost < 1e-6 * start.energy);
    mc_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_rejected),
        cmocka_unit_test(a_failure_names_vehicle_and_time),
        cmocka_unit_test(no_memory_is_taken_while_running),
        cmocka_unit_test(the_energy_controls_the_step),
        cmocka_unit_test(pressed_bodies_do_not_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
