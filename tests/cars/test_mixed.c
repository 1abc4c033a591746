// test_mixed.c - cars of different kinds in one world: they meet, and momentum is kept.
#include "cars/car.h"
#include "motorcade/world.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static mc_batch *one_car(const powertrain_kind *kind, double x, double y, double speed)
{
    car c;
    car_defaults(&c, kind);
    mc_batch *batch = car_batch_create(&c, 1, 0.01);
    assert_non_null(batch);
    car_batch_place(batch, 0, x, y, 0.0, speed);
    return batch;
}

// Point, converter, gears, manifold and a deformable vehicle in a row, the last the fastest.
static mc_world *pile_up(double aside)
{
    mc_error error;
    mc_world_options options = mc_world_defaults();
    options.threads = 1;
    mc_world *world = mc_world_create(&options, &error);
    assert_non_null(world);
    const cosserat_model model = sample_model_at_rest(1);
    mc_batch *soft = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, options.step);
    cosserat_batch_place(soft, 0, 28.0, 0.0, 0.0, 8.0, 0.0, 0);
    mc_batch *const batches[] = {one_car(&powertrain_converter, 0.0, aside, 32.0),
                                 one_car(NULL, 9.0, 0.0, 20.0),
                                 one_car(&powertrain_gears, 18.0, aside, 14.0), soft,
                                 one_car(&powertrain_manifold, 38.0, 0.0, 2.0)};
    for (int k = 0; k < 5; k++) {
        int id;
        assert_int_equal(mc_world_give(world, batches[k], &error), MC_OK);
        assert_int_equal(mc_world_add(world, batches[k], 0, &id, &error), MC_OK);
    }
    assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
    return world;
}

static void momentum_is_kept(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 2; trial++) {
        mc_error error;
        mc_world *world = pile_up(trial ? 0.4 : 0.0);
        for (int step = 0; step < 200; step++)
            assert_int_equal(mc_world_advance(world, 0.01, &error), MC_OK);
        int count, hit = 0;
        const mc_impact *impacts = mc_world_impacts(world, &count);
        assert_true(count >= 4);
        for (int k = 0; k < count; k++) {
            double mass[2];
            for (int side = 0; side < 2; side++) {
                mc_batch *batch;
                int index;
                mc_world_vehicle(world, side ? impacts[k].b : impacts[k].a, &batch, &index);
                mass[side] = batch->kind->mass(batch, index);
            }
            for (int c = 0; c < 2; c++) { // horizontal
                double before = 0.0, after = 0.0, size = 1.0;
                for (int side = 0; side < 2; side++) {
                    before += mass[side] * impacts[k].velocity_before[side][c];
                    after += mass[side] * impacts[k].velocity_after[side][c];
                    size += mass[side] * fabs(impacts[k].velocity_before[side][c]);
                }
                assert_true(fabs(after - before) < 1e-12 * size);
            }
            hit |= 1 << impacts[k].a | 1 << impacts[k].b;
        }
        assert_int_equal(hit, 31);                  // all of them
        for (int a = 0; a < 4 && trial == 0; a++) { // in line: no car passed through another
            mc_batch *one, *next;
            int i, j;
            mc_ellipsoid rear, front;
            mc_world_vehicle(world, a, &one, &i);
            mc_world_vehicle(world, a + 1, &next, &j);
            one->kind->surface(one, i, &rear);
            next->kind->surface(next, j, &front);
            assert_true(front.centre[0] > rear.centre[0]);
        }
        mc_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
