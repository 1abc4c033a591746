// highway.h - the road of a picture: lanes with their paint, shoulders, ramps, gores, rails
// (web/src/scene3d/road3d.ts), and the land beside it (land.h).
#pragma once

#include "picture/ground.h"
#include "render/scene.h"

typedef struct highway_stations {
    double *s; // m, of a path
    int count;
    int path;
    double base;
} highway_stations;

// Places of ramps, x and y of the picture, and of a main road that bends: x, y, station.
typedef struct highway_places {
    float *at;
    int count, room;
} highway_places;
void highway_place(highway_places *p, float x, float y, float station);
float highway_nearest(const highway_places *p, float x, float y, int *index); // m

// Adds the road to the scene. focus: m along it. dark: in the evening.
bool highway_build(scene *s, const ground *g, double focus, bool dark);
