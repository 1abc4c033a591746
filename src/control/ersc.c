// ersc.c - the table of levels.
#include "control/ersc.h"

#include "base/assert.h"

const mc_param ersc_params[ERSC_PARAM_COUNT] = {
    [ERSC_BRAKING] = {"braking", "m/s^2", 3.0, 0.5, 12.0,
                      "maximum braking of cruise control; collision avoidance may use all"},
    [ERSC_BLIND_SPOT] = {"blind_spot", "m", 5.0, 0.0, 100.0,
                         "length behind the car that the blind-spot warning watches"},
};

static const ersc_level levels[ERSC_LEVEL_MAX + 1] = {
    [1] = {1, false, false, false},
    [2] = {1, true, false, false},
    [3] = {1, true, true, false},
    [4] = {2, true, true, true},
};

const ersc_level *ersc_level_at(int level)
{
    mc_assert(level >= 0 && level <= ERSC_LEVEL_MAX);
    return &levels[level];
}
