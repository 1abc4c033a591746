// test_free_step.c - a longer step of vehicles that touch no other: free motion stays within its
// bounds, collisions keep their step, and what does not fit is rejected.
#include "motorcade/medusa.h"
#include "motorcade/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static mc_medusa_options sample(double free_step)
{
    mc_medusa_options o = mc_medusa_defaults();
    o.models = SOURCE_DIR "/scenarios/medusa/model.dat";
    o.platoon = SOURCE_DIR "/scenarios/medusa/platoon.dat";
    o.end_time = 3.0;
    o.threads = 1;
    o.free_step = free_step;
    return o;
}

enum { STATE = 64 };

// Both vehicles after some time, and the speed they part with.
static double drive(double free_step, double time, double state[2][STATE], int *impacts)
{
    const mc_medusa_options o = sample(free_step);
    mc_error error = {0};
    mc_medusa *run = mc_medusa_load(&o, &error);
    if (!run)
        fail_msg("%s", error.text);
    mc_world *world = mc_medusa_world(run);
    for (int k = 0; k < (int)lround(time / 0.01); k++)
        assert_int_equal(mc_world_advance(world, 0.01, &error), MC_OK);
    mc_world_impacts(world, impacts);
    double speed[2];
    for (int id = 0; id < 2; id++) {
        mc_batch *batch;
        int index;
        double momentum[3];
        mc_world_vehicle(world, id, &batch, &index);
        assert_true(batch->kind->save_size(batch) <= STATE);
        batch->kind->save(batch, index, state[id]);
        batch->kind->momentum(batch, index, momentum);
        speed[id] = momentum[0] / batch->kind->mass(batch, index);
    }
    mc_medusa_free(run);
    return speed[1] - speed[0];
}

static void free_motion_and_collision_agree(void **unused)
{
    (void)unused;
    double usual[2][STATE], longer[2][STATE];
    int hits, hits_longer;
    drive(0.0, 1.0, usual, &hits);
    drive(1e-3, 1.0, longer, &hits_longer);
    assert_true(hits == 0 && hits_longer == 0);
    double place = 0.0, directors = 0.0;
    for (int k = 0; k < 12; k++) {
        const double off = fabs(usual[0][k] - longer[0][k]);
        place = fmax(place, k < 3 ? off : 0.0);
        directors = fmax(directors, k < 3 ? 0.0 : off);
    }
    assert_true(place < 1e-6 && directors < 1e-6 && directors > 0.0); // it was another step
    const double parted = drive(0.0, 3.0, usual, &hits);
    const double parted_longer = drive(1e-3, 3.0, longer, &hits_longer);
    assert_true(hits > 0 && hits_longer > 0 && parted > 0.5);
    assert_true(fabs(parted - parted_longer) < 1e-3 * parted);
}

static void bad_steps_are_rejected(void **unused)
{
    (void)unused;
    const struct {
        double free_step, energy_tolerance;
        mc_scheme scheme;
        const char *text;
    } bad[] = {
        {1e-4, 0.0, MC_SCHEME_EXPONENTIAL, "step of free vehicles is 0.0001 s, expected 0.0005 s"},
        {0.1, 0.0, MC_SCHEME_EXPONENTIAL, "step of free vehicles is 0.1 s, expected 0.0005 s"},
        {1e-3, 1e-9, MC_SCHEME_EXPONENTIAL, "without energy tolerance"},
        {1e-3, 0.0, MC_SCHEME_PUBLISHED, "expected scheme exponential"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        mc_medusa_options o = sample(bad[k].free_step);
        mc_error error = {0};
        o.energy_tolerance = bad[k].energy_tolerance;
        o.scheme = bad[k].scheme;
        assert_null(mc_medusa_load(&o, &error));
        assert_int_equal(error.code, MC_BAD_INPUT);
        if (!strstr(error.text, bad[k].text))
            fail_msg("%s", error.text);
    }
    const mc_medusa_options o = sample(1e-3);
    mc_error error = {0};
    char *text;
    const mc_medusa_live live = {.models_named = "model.dat"};
    assert_int_equal(mc_medusa_scenario(&o, &live, &text, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "step of free vehicles"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motion_and_collision_agree),
        cmocka_unit_test(bad_steps_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
