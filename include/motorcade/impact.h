// impact.h - one exchange of impulses between two vehicles, as the world notes it.
//
// Plain data, in world axes and SI units; see world.h for who fills it.
//
// Threads: plain data.
#pragma once

#include "motorcade/vehicle_model.h"

#include "motorcade/begin.h"

// One exchange of impulses between two vehicles.
typedef struct mc_impact {
    double time;             // s
    double duration;         // s; 0 for an impulse, else the time in contact
    int a, b;                // vehicle ids, a < b
    double point[3];         // m, on the surface of a
    double normal[3];        // from a to b
    double closing;          // m/s, speed at which the surfaces meet, > 0
    double impulse;          // N s, on b along the normal, on a against it
    double tangential[3];    // N s, world, friction on b; a gets the opposite
    double friction_loss;    // J, taken by friction
    double restitution_loss; // J, taken by restitution below 1
    double gap;              // m, at that instant
    double velocity_before[2][3], velocity_after[2][3]; // m/s, mass centres of a and b
    mc_energy before[2], after[2];                      // of a and b
} mc_impact;

#include "motorcade/end.h"
