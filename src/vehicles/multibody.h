// multibody.h - what a model of a mechanism on wheels says.
#pragma once

#include "mechanical/vehicle.h"
#include "vehicles/types.h"

typedef struct multibody_spec {
    const mc_file *mechanism;
    const char *const *names; // of the parameters of the mechanism
    int name_count;
    double file_mass;    // kg, of all bodies in the file
    double mass;         // kg, of all bodies
    double outline[3];   // m, length, width, height
    double acceleration; // g, maximum
    double nominal_mass; // kg; NAN: the mass
    running_gear gear;
} multibody_spec;
