// bench.h - a mechanism on wheels taken off the road: as a mechanism of its own, as it is now.
//
// It stands on the vertical springs of its tyres (parts/tyre_vertical.h), each over an input
// road_fl, ... [m], the height of the road under that wheel. Engine, brakes, drag and the forces
// along the road are not in it. Without these nothing depends on place or speed along the road, so
// it is seen from axes that travel with its chassis: x, y and the horizontal velocity of the
// chassis are 0 at the start, the road is at z = 0, and what moves relative to them moves as on the
// road.
//
// Limits: the road under it is level.
#pragma once

#include "motorcade/vehicle_model.h"

mc_status mechanical_bench(const mc_batch *batch, int i, mc_vehicle_bench *out, mc_error *error);
