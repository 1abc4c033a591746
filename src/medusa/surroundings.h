// surroundings.h - what platoon.dat may say after its vehicles, in any order:
//
//     ROAD_SURFACE name {key value}    shapes of road/shape.h and their parameters; u is x, v is y
//     OBSTACLE shape {key value}       box, cylinder or ellipsoid; medusa_obstacle_params and
//                                      obstacle_params; any number of them
#pragma once

#include "base/arena.h"
#include "contact/obstacle.h"
#include "io/keyword.h"
#include "road/network.h"

enum { MEDUSA_OBSTACLE_PARAM_COUNT = 3 };
extern const mc_param medusa_obstacle_params[MEDUSA_OBSTACLE_PARAM_COUNT];

typedef struct medusa_surroundings {
    road_surface surface; // shape NULL: a plane
    obstacle *obstacles;
    int obstacle_count;
    int line, column; // of the first obstacle
} medusa_surroundings;

// Stops at the first word that is none of these.
void medusa_surroundings_read(keyword_cursor *cursor, arena *a, medusa_surroundings *out);

// The road with that surface, which must outlive it.
mc_status medusa_road_make(const medusa_surroundings *s, arena *a, struct mc_road *out,
                           mc_error *error);
