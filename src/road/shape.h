// shape.h - surfaces by closed forms: heights over the plane of a road without a grid.
//
//   u along the road from its start, v to the left, m
//   slope    z = along u + across v
//   waves    z = height/2 (1 - cos(2 pi w/wavelength)),  w = u cos(angle) + v sin(angle) - from,
//            for 0 <= w <= count wavelength (count 0: w >= 0, without an end), else 0
//
// Both have continuous slopes, so steps keep their order except at the ends of waves, where the
// second derivative jumps. A new shape is a function and a row of the list in shape.c.
#pragma once

#include "motorcade/param.h"

enum { ROAD_SHAPE_PARAM_MAX = 5 };

typedef struct road_shape {
    const char *name; // the word of a file
    const mc_param *params;
    int param_count;
    // Height and its derivatives along u and v.
    void (*at)(const double *p, double u, double v, double *z, double *zu, double *zv);
} road_shape;

const road_shape *road_shape_at(int index); // NULL past the last
