// test_platoon_concepts.c - a truck and a pickup derived from concepts drive with an HMMWV and a
// deformable car under one law; the truck is hit, and the momentum of the two is what the road
// gave them.
#include "motorcade/observe.h"
#include "run/run.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int vehicle(const mc_run *run, const char *name)
{
    for (int c = 0; c < mc_run_vehicle_count(run); c++)
        if (strcmp(mc_run_vehicle_name(run, c), name) == 0)
            return c;
    fail_msg("no vehicle %s", name);
    return -1;
}

// Horizontal momentum less the impulse of the road, of two vehicles; size: N s, for comparison.
static void owed(const mc_run *run, const int of[2], double out[2], double *size)
{
    out[0] = out[1] = *size = 0.0;
    for (int k = 0; k < 2; k++) {
        double p[3], j[3];
        mc_run_momentum(run, of[k], p, j);
        for (int x = 0; x < 2; x++)
            out[x] += p[x] - j[x];
        *size += hypot(p[0], p[1]) + hypot(j[0], j[1]);
    }
}

static void hit_truck_keeps_momentum(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("concepts");
    mc_run *run = platoon_run(s, 1);
    const int pair[2] = {vehicle(run, "truck"), vehicle(run, "soft_car")};
    const int followers[3] = {vehicle(run, "pickup"), vehicle(run, "hmmwv"), pair[0]};
    double before[2], after[2], size, error = 0.0;
    int hits = 0, steps = 0, since = 0;
    platoon_steps(run, 60);                      // 3 s: until the brakes fail
    for (; steps < 220 && since < 20; steps++) { // to 1 s after the hit
        if (!hits)
            owed(run, pair, before, &size);
        platoon_steps(run, 1);
        mc_run_impacts(run, &hits);
        since += hits > 0;
        for (int k = 0; k < 3 && !hits && steps > 40; k++) {
            mc_run_view view;
            mc_run_look(run, followers[k], &view);
            error = fmax(error, fabs(view.error));
        }
    }
    owed(run, pair, after, &size);
    printf("%d impacts after %d steps; momentum less road impulse changed by %.2g, %.2g of %.4g N "
           "s; largest error of spacing %.2f m\n",
           hits, steps, after[0] - before[0], after[1] - before[1], size, error);
    assert_true(hits > 0);
    assert_true(error < 2.0);
    for (int x = 0; x < 2; x++)
        assert_true(fabs(after[x] - before[x]) <= 1e-12 * size);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hit_truck_keeps_momentum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
