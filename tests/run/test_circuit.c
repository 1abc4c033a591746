// test_circuit.c - cars on a road that closes: they see each other across the start of the line, x
// counts on from lap to lap, and the start of the line changes nothing.
#include "support/platoon.h"

#include "motorcade/timeline.h"
#include "run/run.h"
#include "run/where.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Half a lap is half a turn: the line looks the same from either straight.
#define HALF "{straight: 300}, {arc: 314.15926535897931, radius: 100}"
static const double LAP = 1228.3185307179587;

static mc_error error;

static mc_scenario *ring(const char *model, const char *controller, int lanes, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 2000, step: 0.05}\n"
             "road: {lanes: %d, lane_width: 3.6, speed: 30, closed: true, line: [" HALF ", " HALF
             "]}\nmodels: {car: %s}\ncontrollers: {follow: %s}\n%s",
             lanes, model, controller, rest);
    return platoon_scenario(text);
}

enum { CARS = 20 };

// Twenty cars all round. Each keeps d + h v behind the next, so all drive at (LAP/20 - l - d)/h.
static mc_scenario *full_ring(const char *model)
{
    char rest[2048];
    size_t used = (size_t)snprintf(rest, sizeof rest, "vehicles:\n");
    for (int k = 0; k < CARS; k++)
        used +=
            (size_t)snprintf(rest + used, sizeof rest - used,
                             "  - {model: car, name: c%d, x: %.6f, v: 22, controller: follow}\n", k,
                             -k * LAP / CARS);
    return ring(model, "{law: acc, headway: 2, distance: 10}", 1, rest);
}

static double gap_of(const mc_run *run, int k)
{
    char name[16];
    snprintf(name, sizeof name, "c%d", k);
    return platoon_view(run, name).gap;
}

static void ten_laps(void **unused)
{
    (void)unused;
    mc_scenario *s = full_ring("{kind: bicycle, length: 4.5}");
    mc_run *run = platoon_run(s, 1);
    const double gap = LAP / CARS - 4.5, v = (gap - 10.0) / 2.0;
    double before[CARS], worst = 0.0;
    platoon_steps(run, 4000); // settled
    for (int k = 0; k < CARS; k++) {
        const mc_run_view view = platoon_view(run, mc_run_vehicle_name(run, k));
        before[k] = view.motion.x;
        if (!(fabs(view.motion.v - v) < 0.2))
            fail_msg("%s drives at %g m/s, expected %g", mc_run_vehicle_name(run, k), view.motion.v,
                     v);
    }
    const int steps = (int)(10.0 * LAP / v / 0.05);
    for (int i = 0; i < steps; i++) {
        platoon_steps(run, 1);
        for (int k = 0; k < CARS && i % 20 == 0; k++)
            worst = fmax(worst, fabs(gap_of(run, k) - gap));
    }
    // The mass centres are LAP/20 apart along the line, and no gap changes but by what steering in
    // and out of the bends costs.
    if (!(worst < 0.5))
        fail_msg("a gap changes by %g m", worst);
    for (int k = 0; k < CARS; k++) {
        const mc_run_view view = platoon_view(run, mc_run_vehicle_name(run, k));
        assert_int_equal(view.front, (k + CARS - 1) % CARS);
        assert_int_equal(view.hits, 0);
        const double laps = (view.motion.x - before[k]) / LAP; // x counts on
        if (!(laps > 9.8 && laps < 10.2))
            fail_msg("%s drove %g laps", mc_run_vehicle_name(run, k), laps);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s = full_ring("{kind: point, length: 4.5}");
    unsigned long long hash[3];
    static const int threads[3] = {1, 2, 8};
    for (int t = 0; t < 3; t++) {
        mc_run *run = platoon_run(s, threads[t]);
        platoon_steps(run, 1400); // the first cars are on their second lap
        mc_snapshot snapshot;
        assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
        platoon_steps(run, 1500);
        hash[t] = mc_run_hash(run);
        const double x = platoon_view(run, "c3").motion.x;
        assert_int_equal(mc_run_restore(run, &snapshot, &error), MC_OK);
        platoon_steps(run, 1500);
        assert_true(mc_run_hash(run) == hash[t]);
        assert_true(platoon_view(run, "c3").motion.x == x);
        // A version with the same cars keeps their laps.
        assert_int_equal(mc_run_restore(run, &snapshot, &error), MC_OK);
        const double there = platoon_view(run, "c0").motion.x;
        assert_true(there > LAP);
        assert_int_equal(mc_run_edit(run, "{end: 1900}", &error), MC_OK);
        assert_true(platoon_view(run, "c0").motion.x == there);
        mc_snapshot_free(&snapshot);
        mc_run_destroy(run);
    }
    assert_true(hash[0] == hash[1] && hash[1] == hash[2]);
    mc_scenario_free(s);
}

// Overtaking, cutting in and following, begun anywhere on the circuit, give the same motion: the
// start of the line is a place as any other.
static void start_of_the_line_is_nothing(void **unused)
{
    (void)unused;
    static const double start[2] = {150.0, 30.0}; // m before the end of the first half
    double x[2][3], y[2][3];
    int changes[2];
    for (int i = 0; i < 2; i++)
        for (int half = 0; half < 2; half++) {
            const double at = (half ? 0.5 : 1.0) * LAP - start[i];
            char rest[1024];
            snprintf(rest, sizeof rest,
                     "vehicles:\n"
                     "  - {model: car, name: slow, x: %.9f, v: 14, profile: 14}\n"
                     "  - {model: car, name: fast, x: %.9f, v: 24, controller: follow}\n"
                     "  - {model: car, name: beside, x: %.9f, lane: 2, v: 22, controller: follow}\n"
                     "events: [{at: 1, vehicle: fast, lane: 2}]\n",
                     at + 70.0, at, at - 25.0);
            mc_scenario *s = ring("{kind: bicycle, length: 4.5}",
                                  "{law: acc, headway: 1.2, distance: 5}", 2, rest);
            mc_run *run = platoon_run(s, 1);
            static const char *const names[3] = {"slow", "fast", "beside"};
            changes[half] = 0;
            for (int k = 0; k < 400; k++) {
                platoon_steps(run, 1);
                changes[half] += run->rare[run->slot[1]].path.to == 1;
            }
            for (int c = 0; c < 3; c++) {
                const mc_run_view view = platoon_view(run, names[c]);
                x[half][c] = view.motion.x - at;
                y[half][c] = view.motion.y;
                if (view.hits)
                    fail_msg("%s is hit, half %d, start %d: x %g y %g", names[c], half, i,
                             x[half][c], y[half][c]);
            }
            mc_run_destroy(run);
            mc_scenario_free(s);
            if (half == 0)
                continue;
            assert_int_equal(changes[0], changes[1]); // steps on the way to the other lane
            assert_true(changes[0] > 50);
            for (int c = 0; c < 3; c++)
                if (!(fabs(x[0][c] - x[1][c]) < 1e-6 && fabs(y[0][c] - y[1][c]) < 1e-6))
                    fail_msg("%s: %.9g and %.9g m", names[c], x[0][c], x[1][c]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_laps),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(start_of_the_line_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
