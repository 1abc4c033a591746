// road.h - the road of a concept: bumps and ramps that pass under its wheels at a speed.
#pragma once

#include "concept/reader.h"

#include <stdio.h>

enum { ROAD_BUMPS_MAX = 200 };

typedef struct concept_bump {
    const char *name;
    double at, length, height; // m, of the first axle where it begins
    bool ramp;                 // stays up
    int side;                  // 1: left, -1: right, 0: both
} concept_bump;

typedef struct concept_road {
    double speed; // m/s
    concept_bump bump[ROAD_BUMPS_MAX];
    int count;
} concept_road;

// The key `road`; NULL: there is none, or it was rejected.
void concept_read_road(concept_reader *r, const yaml_node *root);
// Formulas of the height of the road, and of its rate, under a wheel that is dx in front of the
// first axle (dx <= 0 behind it).
void road_print(const concept_road *road, double dx, int side, bool rate, FILE *out);
// The same bumps as the key terrain, for wheels that roll; x0: of the first axle.
void road_print_terrain(const concept_road *road, double x0, FILE *out);
// Rows of the key parameters.
void road_print_parameters(const concept_road *road, FILE *out);
