// cosserat.h - what a model of a deformable vehicle says: a model of a MEDUSA file, driven.
#pragma once

#include "cars/car.h"
#include "cosserat/model.h"
#include "vehicles/types.h"

typedef struct cosserat_spec {
    cosserat_model model;
    double acceleration;             // g, maximum
    double nominal_mass;             // kg; NAN: the mass
    double car[CAR_YAW_INERTIA + 1]; // what the first rows of a car would be
    const mc_file *file;
    int number; // of the model in its file, from 1
    // Words of the keys; NULL: not given.
    const char *running_gear, *scheme, *equilibrium;
} cosserat_spec;
