// steady.h - steady speeds of a car on a level road at constant throttle.
//
// A steady speed is one at which the force of the settled powertrain equals the drag. There can be
// several: where a gear shifts with speed, the force falls in steps and can cross the drag more
// than once. Those where the force falls faster than the drag are stable: the car comes back to
// them.
//
//     car_steady rows[8];
//     int count = car_steady_states(&c, throttle, rows, 8);
#pragma once

#include "cars/car.h"

#include <stdbool.h>

typedef struct car_steady {
    double throttle; // -, 0..1
    double v;        // m/s
    double n;        // rpm, engine speed
    double force;    // N, at the wheels: the drag
    double fuel;     // kg/s
    bool stable;
} car_steady;

// All steady states above 0 m/s and below the top speed, slowest first, at most `max`; returns how
// many were written. The car must have a powertrain.
int car_steady_states(const car *c, double throttle, car_steady *out, int max);
