// parts.h - the parts of a mechanism as shapes: bodies, rods and joints, springs with dampers.
//
// Bodies look as their file says (`shape:`), or as a box or disc made from mass and inertia; those
// are seen through, so that the rods and joints in them show.
#pragma once

#include "picture/posed.h"
#include "render/scene.h"

typedef struct parts_box {
    vec low, high; // m, around all that is drawn
} parts_box;

// lift: m, by which what is of glass is drawn higher, so that what it covers shows.
mc_status parts_draw(scene *s, posed *k, bool dark, float lift, parts_box *box, mc_error *error);
// The mass centre of all bodies, and their mass, kg.
vec parts_centre(const posed *k, double *mass);
