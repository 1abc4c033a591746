// test_save.c - a world saved in the middle of a crash resumes as if nothing had happened.
#include "support/sample.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static mc_world *crash_world(int threads)
{
    const cosserat_model models[2] = {sample_model_at_rest(1), sample_model_at_rest(2)};
    const sample_car cars[4] = {{0, 0.0, 0.0, 0.0, 28.0, 0.0},
                                {1, 4.0, 0.2, 0.0, 20.0, 0.0},
                                {0, 8.0, 0.0, 0.0, 18.0, 0.0},
                                {1, 40.0, 0.0, 0.0, 18.0, 0.01}};
    mc_world_options o = mc_world_defaults();
    o.threads = threads;
    return sample_world(&o, models, 2, cars, 4);
}

static void advance(mc_world *w, double duration)
{
    mc_error error;
    assert_int_equal(mc_world_advance(w, duration, &error), MC_OK);
}

// Saves after every chunk of the crash, resumes in another world, and arrives at the same bits.
static void resumed_equals_uninterrupted(void **unused)
{
    (void)unused;
    mc_error error;
    enum { CHUNKS = 60 };
    mc_world *whole = crash_world(1);
    bytes kept[CHUNKS] = {{0}};
    int at_save[CHUNKS], impacts;
    for (int k = 0; k < CHUNKS; k++) {
        assert_int_equal(world_save(whole, &kept[k], &error), MC_OK);
        mc_world_impacts(whole, &at_save[k]);
        advance(whole, 0.01);
    }
    const unsigned long long hash = mc_world_hash(whole);
    mc_world_impacts(whole, &impacts);
    assert_true(at_save[0] == 0 && impacts > 5);
    bool during = false; // at least one snapshot lies between micro-impacts
    for (int k = 0; k < CHUNKS; k += 7) {
        mc_world *other = crash_world(k % 2 ? 2 : 1);
        bytes_reader in = bytes_read(kept[k].data, kept[k].size);
        assert_int_equal(world_restore(other, &in, &error), MC_OK);
        assert_true(in.at == in.size);
        for (int j = k; j < CHUNKS; j++)
            advance(other, 0.01);
        int count;
        mc_world_impacts(other, &count);
        assert_int_equal(count, impacts);
        assert_true(mc_world_hash(other) == hash);
        during = during || (at_save[k] > 0 && at_save[k] < impacts);
        mc_world_destroy(other);
    }
    assert_true(during);
    for (int k = 0; k < CHUNKS; k++)
        bytes_free(&kept[k]);
    mc_world_destroy(whole);
}

// Without what the world knows of pairs the same states lead to other bits: the test above is
// about something.
static void states_alone_are_not_enough(void **unused)
{
    (void)unused;
    mc_error error;
    mc_world *w = crash_world(1);
    bytes kept = {0};
    int impacts = 0;
    while (impacts == 0) {
        advance(w, 0.01);
        mc_world_impacts(w, &impacts);
    }
    assert_int_equal(world_save(w, &kept, &error), MC_OK);
    advance(w, 0.3);
    const unsigned long long hash = mc_world_hash(w);
    bytes_reader in = bytes_read(kept.data, kept.size);
    assert_int_equal(world_restore(w, &in, &error), MC_OK);
    assert_int_equal(mc_world_refresh(w, &error), MC_OK);
    advance(w, 0.3);
    assert_true(mc_world_hash(w) != hash);
    bytes_free(&kept);
    mc_world_destroy(w);
}

static void damage_is_rejected(void **unused)
{
    (void)unused;
    mc_error error;
    mc_world *w = crash_world(1);
    bytes kept = {0};
    advance(w, 0.2);
    assert_int_equal(world_save(w, &kept, &error), MC_OK);
    for (size_t cut = 0; cut < kept.size; cut += 97) {
        bytes_reader in = bytes_read(kept.data, cut);
        assert_int_equal(world_restore(w, &in, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, "the snapshot is damaged or belongs to other vehicles");
    }
    bytes_reader in = bytes_read(kept.data, kept.size);
    assert_int_equal(world_restore(w, &in, &error), MC_OK);
    bytes_free(&kept);
    mc_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resumed_equals_uninterrupted),
        cmocka_unit_test(states_alone_are_not_enough),
        cmocka_unit_test(damage_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
