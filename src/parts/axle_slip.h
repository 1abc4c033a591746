// axle_slip.h - slip angles of an axle in steady turns, with its tyre law and load transfer.
#pragma once

#include "parts/tyre.h"

typedef struct axle_turn { // one axle of a vehicle in steady turns
    double load;           // N, of the axle
    double force;          // N per m/s^2 of lateral acceleration: the mass that it carries
    double transfer;       // N per m/s^2, from the wheel inside to the one outside
} axle_turn;

// Slip angle over lateral acceleration, rad/(m/s^2), at the accelerations 0, step, 2 step ...
// (out[0]: the limit of small ones). From the first one on that the tyres do not reach below 0.2
// rad, the last value that they do reach; all 0 where the law has no side force.
void axle_slip(const tyre_kind *law, const double *p, const axle_turn *axle, double step, int count,
               double *out);
