// ersc.h - the evolutionary roadway system for cars (ERSC): which functions each level has.
//
// The levels are those of DYNAVIS (UCB-ITS-PRR-95-45, section 4); the left lanes are automated:
//
//   level   automated lanes   functions of a car that is checked in
//   1       1                 adaptive cruise control, blind-spot warning
//   2       1                 + longitudinal collision avoidance
//   3       1                 + lane keeping
//   4       2                 + automatic lane change
//
// Cruise control brakes no harder than comfortable; collision avoidance (avoid.h) has the whole
// brake. Below level 3 the driver steers.
#pragma once

#include "motorcade/param.h"

#include <stdbool.h>

enum { ERSC_LEVEL_MAX = 4, ERSC_LANES_MIN = 3 };

enum ersc_param {
    ERSC_BRAKING,    // m/s^2, of cruise control
    ERSC_BLIND_SPOT, // m, behind the car, that the warning watches
    ERSC_PARAM_COUNT
};
extern const mc_param ersc_params[ERSC_PARAM_COUNT];

typedef struct ersc_level {
    int automated_lanes; // from the left
    bool avoids, keeps_lane, changes_lanes;
} ersc_level;
// level: 0 .. ERSC_LEVEL_MAX; 0: off.
const ersc_level *ersc_level_at(int level);
