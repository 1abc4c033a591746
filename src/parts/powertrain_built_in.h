// powertrain_built_in.h - the powertrain that can be built into the steps of a vehicle.
//
// Most of the time of a step of many cars goes into their powertrains. The equations of one kind,
// that of most cars, are given here in lanes, so that a step can have them inline and a stage stays
// in registers. Its row says so (powertrain_kind.built_in); every other kind is called through
// arrays. Both ways give the same bits.
#pragma once

#include "parts/powertrain_lanes.h"

enum { BUILT_IN_STATES = 1, BUILT_IN_HELD = HELD_COUNT };

typedef struct built_in_out { // of four vehicles
    lanes force;              // N
    lanes fuel;               // kg/s
    lanes region;             // as in powertrain_out; 0 where it is not asked for
    lanes rate[BUILT_IN_STATES];
} built_in_out;

// p, n, i: parameter k of the four vehicles is at p[k n + i].
static inline void built_in_hold(const double *p, int n, int i, lanes throttle,
                                 lanes held[BUILT_IN_HELD])
{
    converter_hold_four(p, n, i, throttle, held);
}

static inline void built_in_eval(const double *p, int n, int i, const lanes held[BUILT_IN_HELD],
                                 lanes v, const lanes *x, bool with_region, built_in_out *out)
{
    const lanes scale = lanes_load(p + n * CONVERTER_ENGINE_SCALE + i);
    hydraulics at;
    converter_engine(held, scale, held[HELD_FLOW], v, report_gear(v, with_region), x[0],
                     with_region, &at, &out->rate[0]);
    out->force = at.force;
    out->fuel = held[HELD_FUEL] * held[HELD_FLOW];
    out->region = at.region;
}

// powertrain_plan for eight vehicles at a time, where cpu_is_wide(): parameter k of vehicle i is at
// p[i / 8][k * stride + i % 8].
powertrain_plan converter_plan_avx512;
#define built_in_plan converter_plan_avx512
