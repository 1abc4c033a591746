// test_cascade.c - a vehicle that is hit can hit the next at once: the result does not depend on
// how the run is divided into calls.
#include "support/block.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { CARS_MAX = 50 };

typedef struct outcome {
    int impacts;
    double deepest;         // m, minimum gap at an impact
    double speed[CARS_MAX]; // m/s
} outcome;

// A row of equal blocks at rest with small gaps, the first moving.
static outcome row(int count, double gap, double speed, double duration, double call)
{
    mc_error error;
    const block_model model = {1000.0, 700.0, {0.5, 0.5, 0.5}, 0.0};
    mc_world_options o = mc_world_defaults();
    mc_world *world = mc_world_create(&o, &error);
    mc_batch *batch = block_batch_create(&model, count);
    assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
    for (int i = 0; i < count; i++) {
        int id;
        block_batch_place(batch, i, (1.0 + gap) * i, 0.0, 0.0, i == 0 ? speed : 0.0, 0.0, 0.0);
        assert_int_equal(mc_world_add(world, batch, i, &id, &error), MC_OK);
    }
    assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
    for (int k = 0; k < (int)lround(duration / call); k++)
        assert_int_equal(mc_world_advance(world, call, &error), MC_OK);
    outcome out = {0};
    const mc_impact *impacts = mc_world_impacts(world, &out.impacts);
    for (int k = 0; k < out.impacts; k++)
        out.deepest = fmin(out.deepest, impacts[k].gap);
    for (int i = 0; i < count; i++) {
        double p[3];
        batch->kind->momentum(batch, i, p);
        out.speed[i] = p[0] / 1000.0;
    }
    mc_world_destroy(world);
    return out;
}

// Equal elastic blocks hand the speed on: at the end the last one has it.
static void speed_is_handed_on(void **unused)
{
    (void)unused;
    static const struct {
        int count;
        double gap, speed;
    } cases[] = {{3, 0.05, 30.0}, {3, 0.05, 280.0}, {10, 1e-4, 20.0}, {CARS_MAX, 1e-3, 10.0}};
    for (int c = 0; c < 4; c++)
        for (double call = 0.01; call > 5e-4; call *= 0.1) {
            const int count = cases[c].count;
            const outcome o = row(count, cases[c].gap, cases[c].speed, 0.05, call);
            printf("%d blocks, calls of %g s: %d impacts, deepest %.1e\n", count, call, o.impacts,
                   o.deepest);
            assert_int_equal(o.impacts, count - 1);
            assert_true(o.deepest > -1e-9);
            for (int i = 0; i < count; i++)
                assert_true(fabs(o.speed[i] - (i == count - 1 ? cases[c].speed : 0.0)) < 1e-9);
        }
}

// The same with cars, whose far ends answer late: calls of 10 ms and of 1 ms agree.
static void cars_in_a_row(void **unused)
{
    (void)unused;
    cosserat_model model = sample_model_at_rest(1);
    model.p[COSSERAT_A1] = model.p[COSSERAT_A2] = model.p[COSSERAT_A3] = 0.5;
    double speed[2][3];
    for (int fine = 0; fine < 2; fine++) {
        const sample_car cars[3] = {{0, 0.0, 0.0, 0.0, 30.0, 0.0},
                                    {0, 1.05, 0.0, 0.0, 0.0, 0.0},
                                    {0, 2.10, 0.0, 0.0, 0.0, 0.0}};
        mc_world_options o = mc_world_defaults();
        o.step = 5e-5; // so that the cut of the calls is all that differs
        mc_world *world = sample_world(&o, &model, 1, cars, 3);
        mc_error error;
        for (int k = 0; k < (fine ? 30 : 3); k++)
            assert_int_equal(mc_world_advance(world, fine ? 1e-3 : 1e-2, &error), MC_OK);
        int count;
        const mc_impact *impacts = mc_world_impacts(world, &count);
        assert_true(count >= 2);
        for (int k = 0; k < count; k++)
            assert_true(impacts[k].gap > -1e-9);
        for (int i = 0; i < 3; i++) {
            mc_batch *batch;
            int index;
            double p[3];
            mc_world_vehicle(world, i, &batch, &index);
            batch->kind->momentum(batch, index, p);
            speed[fine][i] = p[0] / 1573.0;
        }
        mc_world_destroy(world);
    }
    printf("speeds %.6f %.6f %.6f m/s\n", speed[0][0], speed[0][1], speed[0][2]);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(speed[0][i] - speed[1][i]) < 1e-4);
}

// Apart before and after a call, in contact between: the call is 10 ms, the pass 2 m.
static void a_graze_within_one_call(void **unused)
{
    (void)unused;
    mc_error error;
    const block_model model = {1000.0, 700.0, {0.5, 0.5, 0.5}, 0.0};
    mc_world_options o = mc_world_defaults();
    mc_world *world = mc_world_create(&o, &error);
    mc_batch *batch = block_batch_create(&model, 2);
    assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
    block_batch_place(batch, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    block_batch_place(batch, 1, 0.9, -1.0, 0.0, 0.0, 200.0, 0.0);
    for (int i = 0; i < 2; i++) {
        int id;
        assert_int_equal(mc_world_add(world, batch, i, &id, &error), MC_OK);
    }
    assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
    assert_int_equal(mc_world_advance(world, 0.01, &error), MC_OK);
    int count;
    const mc_impact *impacts = mc_world_impacts(world, &count);
    assert_int_equal(count, 1);
    // They meet where the centres are 1 m apart: y = -sqrt(1 - 0.81), normal (0.9, y).
    const double y = -sqrt(1.0 - 0.81);
    assert_true(fabs(impacts[0].time - (y + 1.0) / 200.0) < 1e-12);
    assert_true(fabs(impacts[0].closing + 200.0 * y) < 1e-9);
    mc_world_destroy(world);
}

// A vehicle changed from outside is seen after a refresh.
static void a_changed_vehicle_is_seen(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 20.0, 0.0}, {0, 4.2, 0.0, 0.0, 20.0, 0.0}};
    mc_world_options o = mc_world_defaults();
    mc_world *world = sample_world(&o, &model, 1, cars, 2);
    mc_error error;
    assert_int_equal(mc_world_advance(world, 0.1, &error), MC_OK);
    mc_batch *batch;
    int index, count;
    double state[64];
    mc_world_vehicle(world, 0, &batch, &index);
    batch->kind->save(batch, index, state);
    state[VALUE_V] += 60.0;
    batch->kind->restore(batch, index, state);
    assert_int_equal(mc_world_refresh(world, &error), MC_OK);
    assert_int_equal(mc_world_advance(world, 0.1, &error), MC_OK);
    mc_world_impacts(world, &count);
    assert_true(count > 0);
    mc_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_is_handed_on),
        cmocka_unit_test(cars_in_a_row),
        cmocka_unit_test(a_graze_within_one_call),
        cmocka_unit_test(a_changed_vehicle_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
