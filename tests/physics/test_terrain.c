// test_terrain.c - vehicles on terrain: a bump on one side rolls them, one on both sides does not;
// friction of a spot is felt.
#include "support/platoon.h"

#include "motorcade/observe.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

static const char *const types[] = {
    "{kind: cosserat, file: medusa/driven.dat, tyre: brush}",
    "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}"};

// rad, largest roll (left side up positive) over a step up and down, and its largest rise, m.
static void over(const char *type, const char *side, double *roll, double *low, double *rise)
{
    char text[1000];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 2, step: 0.01}\n"
             "road: {lanes: 1, terrain: {features: [{terms: [{at: 0, power: 0, scale: 0.05}, "
             "{at: 0.5, power: 0, scale: -0.05}], from: 12, side: %s}]}}\n"
             "models: {car: %s}\nvehicles: [{model: car, x: 0, v: 10}]\n",
             side, type);
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    mc_batch *batch;
    int index;
    mc_world_vehicle(run->world, 0, &batch, &index);
    mc_pose at;
    batch->kind->pose(batch, index, &at);
    const double from = at.position[2];
    *roll = *low = *rise = 0.0;
    for (int n = 0; n < 200; n++) {
        platoon_steps(run, 1);
        mc_world_vehicle(run->world, 0, &batch, &index);
        batch->kind->pose(batch, index, &at);
        const double lean = asin(fmax(-1.0, fmin(at.directors[5], 1.0)));
        *roll = fmax(*roll, lean);
        *low = fmin(*low, lean);
        *rise = fmax(*rise, at.position[2] - from);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void a_bump_on_one_side_rolls(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        double roll[3], low[3], rise[3];
        over(types[k], "left", &roll[0], &low[0], &rise[0]);
        over(types[k], "right", &roll[1], &low[1], &rise[1]);
        over(types[k], "both", &roll[2], &low[2], &rise[2]);
        printf("%.15s: roll %.5f left, %.5f right, %.1e both; rise %.5f m, both %.5f m\n", types[k],
               roll[0], low[1], fmax(roll[2], -low[2]), rise[0], rise[2]);
        assert_true(roll[0] > 0.005 && low[1] < -0.005);
        assert_true(fabs(roll[0] + low[1]) < 0.02 * roll[0]); // mirrored
        assert_true(fmax(roll[2], -low[2]) < 1e-6);
        assert_true(rise[2] > 1.5 * rise[0] && rise[2] > 0.005);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_bump_on_one_side_rolls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
