// test_platoon_mixed.c - platoons of four models: how well they follow one law, and what a
// collision between different models keeps.
#include "run/run.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { VEHICLES = 8 };

// Two cars of each of four models follow moderate traffic under one controller.
static void mixed_platoon_follows(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("mixed");
    mc_run *run = platoon_run(s, 1);
    assert_int_equal(mc_run_vehicle_count(run), VEHICLES);
    double error[VEHICLES] = {0.0}, jerk[VEHICLES] = {0.0}, low[VEHICLES], high[VEHICLES] = {0.0};
    double leader_high = 0.0, leader_low = 1e9;
    for (int c = 0; c < VEHICLES; c++)
        low[c] = 1e9;
    for (int k = 0; k < 900; k++) { // 45 s: more than a wave
        platoon_steps(run, 1);
        for (int c = 0; c < VEHICLES; c++) {
            mc_run_view view;
            mc_run_look(run, c, &view);
            assert_int_equal(view.hits, 0);
            assert_true(fabs(view.motion.y) < 0.05 && fabs(view.motion.psi) < 0.01);
            if (k < 100) // vehicles on springs fall in
                continue;
            if (c > 0)
                error[c] = fmax(error[c], fabs(view.error));
            jerk[c] = fmax(jerk[c], fabs(view.jerk));
            low[c] = fmin(low[c], view.motion.v), high[c] = fmax(high[c], view.motion.v);
        }
        leader_low = low[0], leader_high = high[0];
    }
    for (int c = 0; c < VEHICLES; c++) {
        printf("%-12s error %.3f m, jerk %.2f m/s^3, speed %.2f .. %.2f m/s\n",
               mc_run_vehicle_name(run, c), error[c], jerk[c], low[c], high[c]);
        assert_true(error[c] < 0.2 && jerk[c] < 2.5);
        assert_true(high[c] - low[c] > 8.0);                                   // it follows,
        assert_true(high[c] < leader_high + 0.3 && low[c] > leader_low - 0.3); // and does not swing
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Before and after of every vehicle in contacts of one instant, each once.
typedef struct balance {
    double momentum[2], size; // N s: change, sum of what there was
    double lost, noted;       // J: by the energy balance of the vehicles, by that of the contacts
    double energy;
} balance;

static double energy_of(const mc_energy *e)
{
    return e->kinetic + e->elastic + e->spring + e->gravity;
}

static balance one_instant(const mc_run *run, const mc_impact *impacts, int count)
{
    balance b = {{0.0, 0.0}, 0.0, 0.0, 0.0, 0.0};
    bool seen[VEHICLES] = {false};
    for (int k = 0; k < count; k++) {
        const mc_impact *i = &impacts[k];
        // Normal and tangential share of the work; with friction one alone may be negative.
        assert_true(i->friction_loss + i->restitution_loss >= -1e-12);
        b.noted += i->friction_loss + i->restitution_loss;
        for (int side = 0; side < 2; side++) {
            const int id = side ? i->b : i->a;
            mc_batch *batch;
            int index;
            if (seen[id])
                continue;
            seen[id] = true;
            mc_world_vehicle(run->world, id, &batch, &index);
            const double mass = batch->kind->mass(batch, index);
            for (int c = 0; c < 2; c++)
                b.momentum[c] += mass * (i->velocity_after[side][c] - i->velocity_before[side][c]);
            b.size += mass * hypot(i->velocity_before[side][0], i->velocity_before[side][1]);
            b.lost += energy_of(&i->before[side]) - energy_of(&i->after[side]);
            b.energy += energy_of(&i->before[side]);
        }
    }
    return b;
}

// Is one of these contacts part of one that lasts? Then other forces act meanwhile, and the record
// of this instant tells not all of it.
static bool lasts(const mc_impact *all, int count, const mc_impact *group, int group_count)
{
    for (int k = 0; k < group_count; k++) {
        const mc_impact *g = &group[k];
        for (int j = 0; j < count; j++) {
            const mc_impact *i = &all[j];
            const bool joined = i->a == g->a || i->a == g->b || i->b == g->a || i->b == g->b;
            if (joined && i->duration > 0.0 && i->time <= g->time &&
                i->time + i->duration >= g->time)
                return true;
        }
    }
    return false;
}

static void collisions_keep_the_balance(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("demo");
    mc_run *run = platoon_run(s, 1);
    int count = 0;
    const mc_impact *impacts = NULL;
    for (int k = 0; k < 1300 && count < 400; k++) { // 26 s
        platoon_steps(run, 1);
        impacts = mc_run_impacts(run, &count);
    }
    double worst = 0.0, gained = 0.0, apart = 0.0;
    int instants = 0, resting = 0;
    for (int first = 0, next; first < count; first = next) {
        for (next = first; next < count && impacts[next].time == impacts[first].time;)
            next++;
        if (lasts(impacts, count, impacts + first, next - first)) {
            resting += next - first;
            continue;
        }
        const balance b = one_instant(run, impacts + first, next - first);
        instants++;
        worst = fmax(worst, hypot(b.momentum[0], b.momentum[1]) / b.size);
        gained = fmax(gained, -b.lost / b.energy);
        apart = fmax(apart, fabs(b.lost - b.noted) / b.energy);
    }
    printf(
        "%d impacts at %d instants, %d lasting; momentum kept to %.2g, energy gained %.2g, energy "
        "balances apart by %.2g of the initial energy\n",
        count, instants, resting, worst, gained, apart);
    assert_true(instants > 50);
    assert_true(worst < 1e-12);
    assert_true(gained < 1e-12 && apart < 1e-12);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_platoon_follows),
        cmocka_unit_test(collisions_keep_the_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
