// wheel_channels.h - output channels of the wheels of a vehicle, the same for all kinds that have
// wheels: forces of the road, load, used share of the friction.
//
//     static const mc_channel rows[] = {WHEEL_USE_ROW, WHEEL_ROWS("load", "lf", "left front"), ...}
//     out[0] = wheel_channels_all(wheels, count);
//     wheel_channels_one(&wheels[q], out + 1 + WHEEL_ROW_COUNT * q);
#pragma once

#include "motorcade/vehicle_model.h"

#include <math.h>

#define WHEEL_USE_ROW                                                                              \
    {                                                                                              \
        "friction_use", "-", "horizontal tyre forces over loads, all wheels"                       \
    }
// load: what the channel of the load is called.
#define WHEEL_ROWS(load, suffix, which)                                                            \
    {"fx_" suffix, "N", "tyre force along the " which " wheel"},                                   \
        {"fy_" suffix, "N", "tyre force to the left of the " which " wheel"},                      \
        {load "_" suffix, "N", "load of the " which " wheel"},                                     \
    {                                                                                              \
        "use_" suffix, "-", "tyre force over load times road friction, " which                     \
    }
enum { WHEEL_ROW_COUNT = 4 };

// The value of WHEEL_USE_ROW, and those of the WHEEL_ROWS of a wheel.
static inline double wheel_channels_all(const mc_wheel *wheels, int count)
{
    double force = 0.0, load = 0.0;
    for (int q = 0; q < count; q++) {
        force += hypot(wheels[q].fx, wheels[q].fy);
        load += wheels[q].fz;
    }
    return force / fmax(load, 1e-3);
}

static inline void wheel_channels_one(const mc_wheel *wheel, double out[WHEEL_ROW_COUNT])
{
    out[0] = wheel->fx;
    out[1] = wheel->fy;
    out[2] = wheel->fz;
    out[3] = mc_wheel_use(wheel);
}
