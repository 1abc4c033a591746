// test_determinism_threads.c - same input, same bits: 1, 2 and 8 threads, any place in a batch, two
// worlds at once.
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CARS = 60 };

// Six rows of ten cars that run into each other, with some that drive alone.
static mc_world *crowd(int threads)
{
    const cosserat_model models[2] = {sample_model_at_rest(1), sample_model_at_rest(2)};
    sample_car cars[CARS];
    for (int i = 0; i < CARS; i++)
        cars[i] = (sample_car){i % 3 == 0,
                               3.15 * (i % 10),
                               30.0 * (i / 10) + 0.05 * (i % 4),
                               0.0,
                               20.0 - (i / 10 == 5 ? 0.0 : 1.5) * (i % 10),
                               0.01 * (i / 10 == 5)};
    mc_world_options o = mc_world_defaults();
    o.threads = threads;
    return sample_world(&o, models, 2, cars, CARS);
}

static unsigned long long hash_after(int threads, int *impacts)
{
    mc_world *world = crowd(threads);
    mc_error error;
    for (int k = 0; k < 40; k++)
        assert_int_equal(mc_world_advance(world, 0.01, &error), MC_OK);
    const unsigned long long hash = mc_world_hash(world);
    mc_world_impacts(world, impacts);
    mc_world_destroy(world);
    return hash;
}

static void any_number_of_threads(void **unused)
{
    (void)unused;
    int one, two, eight;
    const unsigned long long hash = hash_after(1, &one);
    printf("hash %016llx after %d impacts\n", hash, one);
    assert_true(one > 50);
    assert_true(hash_after(2, &two) == hash);
    assert_true(hash_after(8, &eight) == hash);
    assert_int_equal(two, one);
    assert_int_equal(eight, one);
}

static void any_place(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model(1);
    double first[64], moved[64];
    for (int place = 0; place < 9; place++) {
        mc_batch *batch = cosserat_batch_create(&model, 9, COSSERAT_EXPONENTIAL, 5e-4);
        for (int i = 0; i < 9; i++) // the others do something else
            cosserat_batch_place(batch, i, 3.0 * i, 1.0, 0.1 * i, 10.0 + i, 0.05 - 0.01 * i, 0);
        cosserat_batch_place(batch, place, 1.0, 2.0, 0.3, 20.0, 0.02, 0);
        for (int k = 0; k < 100; k++)
            batch->kind->advance(batch, 0, 9, 0.01);
        batch->kind->save(batch, place, place == 0 ? first : moved);
        if (place > 0)
            assert_memory_equal(first, moved,
                                sizeof(double) * (size_t)batch->kind->save_size(batch));
        batch->kind->destroy(batch);
    }
}

static void two_worlds_at_once(void **unused)
{
    (void)unused;
    mc_world *a = crowd(2), *b = crowd(2);
    mc_error error;
    for (int k = 0; k < 20; k++) {
        assert_int_equal(mc_world_advance(a, 0.01, &error), MC_OK);
        assert_int_equal(mc_world_advance(b, 0.01, &error), MC_OK);
    }
    assert_true(mc_world_hash(a) == mc_world_hash(b));
    mc_world_destroy(a);
    mc_world_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(any_place),
        cmocka_unit_test(two_worlds_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
