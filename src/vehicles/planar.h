// planar.h - the model of a planar car.
#pragma once

#include "planar/model.h"
#include "vehicles/types.h"

typedef struct planar_spec {
    planar_model model;
    double acceleration; // g, that controllers may ask for
} planar_spec;
