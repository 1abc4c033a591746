// test_merging.c - two full lanes and an on-ramp, many seeds: traffic keeps flowing.
//
// No deadlock: under demand, a vehicle passes the gore at least every 60 s, and none stands for
// more than 120 s. The flow per lane behind the merge is what drivers reach on a freeway, and what
// automated cars can reach: at least 0.9 v/(h v + d + l), at the speed v they have there.
#include "support/platoon.h"
#include "support/series.h"

#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 2, VEHICLES = 2000 };
static const double STEP = 0.1, END = 240.0, SETTLED = 90.0; // s
static const double GORE = 500.0, BEHIND = 1100.0;           // m

typedef struct drivers {
    const char *name, *controller;
    double headway, distance; // s, m
    double flow, ramp;        // veh/h, of each lane and of the ramp
} drivers;

static const drivers kinds[] = {
    {"manual", "{law: idm, headway: 0.9, distance: 2, speed: 27, lane_change: {free: true}}", 0.9,
     2, 1950, 350},
    {"automated", "{law: acc, headway: 1.2, distance: 2, speed: 27, avoid: true}", 1.2, 2, 2400,
     350},
};

static mc_scenario *ramp_scenario(const drivers *d, long seed)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: scenario\nseed: %ld\ntime: {end: %g, step: %g, record: 1}\n"
             "road:\n  lanes: %d\n  lane_width: 3.6\n  speed: 27\n  line: [{straight: 1300}]\n"
             "  ramps:\n    - {name: Vermont, kind: \"on\", at: %g, length: 300, speed: 24 m/s, "
             "line: [{arc: 150, radius: -400}, {straight: 150}]}\n"
             "models: {car: {kind: point, length: 5}}\ncontrollers:\n  driver: %s\n"
             "sources:\n"
             "  - {name: left, flow: %g, lane: 1, model: car, controller: driver, v: 27}\n"
             "  - {name: right, flow: %g, lane: 2, model: car, controller: driver, v: 27}\n"
             "  - {name: ramp, flow: %g, ramp: Vermont, model: car, controller: driver, v: 20, x: "
             "10}\n",
             seed, END, STEP, LANES, GORE, d->controller, d->flow, d->flow, d->ramp);
    return platoon_scenario(text);
}

typedef struct result {
    double flow, capacity;       // veh/h and lane
    double silence, standing;    // s, longest without a car past the gore; longest stand of a car
    double waits;                // s, longest in the lane of the ramp
    long merged, hits, vehicles; // from the ramp; of the whole run
} result;

static result drive(const drivers *d, long seed)
{
    static double stood[VEHICLES], waited[VEHICLES];
    memset(stood, 0, sizeof stood);
    memset(waited, 0, sizeof waited);
    mc_scenario *s = ramp_scenario(d, seed);
    mc_run *run = platoon_run(s, 1);
    result out = {0};
    double last = 0.0, passed = 0.0, speed = 0.0;
    for (int k = 0; k < (int)(END / STEP); k++) {
        platoon_steps(run, 1);
        const double t = mc_run_time(run);
        for (int slot = 0; slot < run->count; slot++) {
            const mc_motion *m = &run->motion[slot];
            const run_rare *rare = &run->rare[slot];
            const int v = run->s->vehicles[rare->vehicle].index;
            assert_true(v < VEHICLES);
            const double before = m->x - m->v * STEP;
            out.hits += rare->hits > 0;
            last = before < GORE && m->x >= GORE ? t : last;
            stood[v] = m->v < 0.1 ? stood[v] + STEP : 0.0;
            waited[v] += rare->lane == LANES ? STEP : 0.0; // in the acceleration lane
            out.standing = fmax(out.standing, stood[v]);
            out.waits = fmax(out.waits, waited[v]);
            if (before < BEHIND && m->x >= BEHIND && t > SETTLED) {
                passed += 1.0, speed += m->v;
                out.merged += strncmp(run->s->vehicles[rare->vehicle].name, "ramp", 4) == 0;
            }
        }
        out.silence = fmax(out.silence, t > 60.0 ? t - last : 0.0);
    }
    speed /= fmax(passed, 1.0);
    out.flow = 3600.0 * passed / (END - SETTLED) / LANES;
    out.capacity = 3600.0 * speed / (d->headway * speed + d->distance + 5.0);
    out.vehicles = (long)run->counts.entered;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return out;
}

static void traffic_keeps_flowing(const drivers *d, double low, double high, double share)
{
    struct {
        double flow, min_flow, max_flow, min_share, silence, standing, waits;
        long merged, hits;
    } kept = {.min_flow = HUGE_VAL, .min_share = HUGE_VAL};
    series s = series_open(d->name, 1000, &kept, sizeof kept);
    if (series_share() < 1.0 && s.count > 6) // half a second each
        s.count = 6;
    for (long i; series_next(&s, &i);) {
        const result r = drive(d, 1 + i);
        kept.flow += r.flow;
        kept.min_flow = fmin(kept.min_flow, r.flow);
        kept.max_flow = fmax(kept.max_flow, r.flow);
        kept.min_share = fmin(kept.min_share, r.flow / r.capacity);
        kept.silence = fmax(kept.silence, r.silence);
        kept.standing = fmax(kept.standing, r.standing);
        kept.waits = fmax(kept.waits, r.waits);
        kept.merged += r.merged;
        kept.hits += r.hits;
    }
    printf("%ld seeds, %s: flow per lane %.0f (%.0f to %.0f) veh/h, at least %.3f of capacity; "
           "longest without a car past the gore %.1f s, standing %.1f s, in the acceleration lane "
           "%.1f s; %ld merged; %ld hits\n",
           s.count, d->name, kept.flow / (double)s.count, kept.min_flow, kept.max_flow,
           kept.min_share, kept.silence, kept.standing, kept.waits, kept.merged, kept.hits);
    assert_int_equal(kept.hits, 0);
    assert_true(kept.merged > 5 * s.count);
    assert_true(kept.silence < 60.0 && kept.standing < 120.0);
    assert_true(kept.flow / (double)s.count >= low && kept.flow / (double)s.count <= high);
    assert_true(kept.min_share >= share);
}

static void manual_drivers(void **unused)
{
    (void)unused;
    traffic_keeps_flowing(&kinds[0], 1800.0, 2400.0, 0.0);
}

static void automated_cars(void **unused)
{
    (void)unused;
    traffic_keeps_flowing(&kinds[1], 0.0, 4000.0, 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(manual_drivers),
                                       cmocka_unit_test(automated_cars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
