// road.h - the road under the vehicles: one question, where on it is this place, and what is it
// like.
//
//     mc_road_point p;
//     mc_road_at(road, x, y, NAN, &p);
//     const double g_x = -9.81 * sin(p.grade);    // gravity along the road
//     const double limit = p.friction * fz;       // what a tyre can hold
//
// A vehicle gets its road by set_road of its kind (vehicle_model.h). Places are those of mc_motion:
// x and y of the road's own axes. Today every road is straight: station is x, offset is y, heading,
// curvature and bank are 0. Callers that take what they need from the answer stay right on roads
// with curves.
//
// Threads: a road never changes once it is made; any number of threads may ask at once.
#pragma once

#include "motorcade/begin.h"

typedef struct mc_road mc_road;

typedef struct mc_road_point {
    double station;   // m, along the reference line, from its start
    double offset;    // m, from the reference line, left positive; it is the middle of lane 0
    double heading;   // rad, of the reference line there, from x to the left
    double curvature; // 1/m, of the reference line, left positive
    double grade;     // rad, along the reference line, uphill positive
    double bank;      // rad, across it, left side up positive
    double height;    // m, over the place of station 0 and offset 0
    double normal[3]; // unit, of the surface: level axes, x along the reference line, y left, z up
    double friction;  // -, relative to the dry road
    int lane;         // 0 = leftmost; -1: beside the lanes
} mc_road_point;

// The place (x, y), m. hint: a station near it, such as that of the vehicle a step ago; NAN: none
// is known. A road that comes near itself is then looked at where the vehicle is. road NULL: level,
// straight, friction 1, without lanes.
void mc_road_at(const mc_road *road, double x, double y, double hint, mc_road_point *out);

#include "motorcade/end.h"
