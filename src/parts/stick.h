// stick.h - how much of a bristle slips under a share of its friction; vector code.
//
// A bristle that slips a little under every load (Dahl) creeps when it is shaken: each swing lets
// go of a bit more in the direction of the load. Here it holds like a spring up to STICK_SHARE of
// its friction, and slips fully at all of it (Dupont and others, 2002):
//
//     slips(r) = 0 for r <= STICK_SHARE, s^2 (3 - 2 s) with s = (r - STICK_SHARE)/(1 - STICK_SHARE)
//
// The steady states of sliding, r = 1, stay what they were. So a parked car does not wander when
// its chassis vibrates.
#pragma once

#include "num/lanes.h"

#define STICK_SHARE 0.7

static inline lanes stick_slips(lanes ratio) // >= 0
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const lanes beyond = (ratio - lanes_set(STICK_SHARE)) * lanes_set(1.0 / (1.0 - STICK_SHARE));
    const lanes s = lanes_max(lanes_min(beyond, one), zero);
    return s * s * (lanes_set(3.0) - lanes_set(2.0) * s);
}
