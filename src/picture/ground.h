// ground.h - where places of the road are in the picture (web/src/scene3d/ground3d.ts).
//
// A place is (x, y) on a path: m along it and to the left, as in frames; x continues from a ramp to
// the road. The picture's origin is on the road beside what is looked at, its x axis along the road
// there, so that single precision is sufficient far from the start.
#pragma once

#include "motorcade/road.h"
#include "render/vec.h"

typedef struct ground {
    const mc_road *road; // NULL: straight and level
    int lane_count;      // of a road that is not known
    double lane_width;
    double x, y, c, s, height; // of the picture's origin in the plan, and its x axis
    double origin;             // m along the road
    double lap;                // m, of a circuit; HUGE_VAL: it is none
    double length;             // m, of the main road
    bool straight;
} ground;

typedef struct ground_spot {
    vec at;
    float c, s; // direction of the road in the picture: cosine, sine
} ground_spot;

void ground_set(ground *g, const mc_road *road, double x, int path);
ground_spot ground_at(const ground *g, double x, double y, int path);
double ground_height(const ground *g, double x); // m above the picture's origin, of the main road
double ground_slope(const ground *g, double x);  // rad
double ground_turn(const ground *g);             // rad, of the picture's x axis in the plan
double ground_curvature(const ground *g, double station); // 1/m, of the main road, left positive

// Edges of a lane, or of all lanes, at a station: offsets, left and right. false: there is none.
bool ground_sides(const ground *g, int path, int lane, double station, double out[2]);
bool ground_edges(const ground *g, int path, double station, double out[2]);
int ground_lane_count(const ground *g, int path);
double ground_base(const ground *g, int path); // x of station 0
