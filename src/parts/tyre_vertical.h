// tyre_vertical.h - a tyre across the road: a spring and a damper that never pull.
//
//     fz = max(0, k d - c z'),  d = radius - z > 0;   0 for d <= 0
//
// z is the height of the hub over the road, z' its rate. What the damper takes, and what is lost
// when the tyre leaves the road faster than it springs back, is -(fz - k d) z' >= 0; k d^2 / 2 is
// what the spring holds.
#pragma once

#include "motorcade/param.h"

enum {
    VERTICAL_RADIUS,    // m, hub to road without load
    VERTICAL_STIFFNESS, // N/m
    VERTICAL_DAMPING,   // N s/m
    VERTICAL_PARAM_COUNT
};

extern const mc_param vertical_params[VERTICAL_PARAM_COUNT];

typedef struct vertical_force {
    double fz;     // N, of the road on the tyre
    double energy; // J, in the spring
    double lost;   // W
} vertical_force;

vertical_force vertical_at(const double p[VERTICAL_PARAM_COUNT], double z, double z_rate);
