// suspension_built_in.h - the suspension that can be built into the steps of a vehicle.
//
// Springs are a few operations of a stage; a call through arrays would cost more than they do. So
// the equations of one law are given here in lanes, for kernels to have them inline. Its row says
// so (suspension_kind.built_in); every other law is called through arrays. Both ways give the same
// bits.
#pragma once

#include "num/lanes.h"

#include <math.h>
#include <stdbool.h>

typedef struct suspension_wide {
    lanes force_min, stretch_max; // N, m: 0 when wheels can leave the road, else no limit
} suspension_wide;

static inline suspension_wide suspension_widen(bool lifts_off)
{
    return (suspension_wide){lanes_set(lifts_off ? 0.0 : -HUGE_VAL),
                             lanes_set(lifts_off ? 0.0 : HUGE_VAL)};
}

// Force of four wheels, N; lost: W.
static inline lanes suspension_four(const suspension_wide *w, lanes stiffness, lanes damping,
                                    lanes stretch, lanes rate, lanes *lost)
{
    const lanes push = -lanes_fma(stiffness, stretch, damping * rate);
    const lanes force = lanes_max(push, w->force_min);
    // The spring returns its energy only down to its free length; the rest is lost.
    const lanes held = lanes_min(stretch, w->stretch_max);
    *lost = -(lanes_fma(stiffness, held, force) * rate);
    return force;
}
