// scenery.h - what stands beside a road of several lanes: the other carriageway behind a barrier,
// signs with kilometres, gantries with the names of exits (web/src/scene3d/scenery3d.ts).
//
// Decoration, except for what the signs say: stations of the road and names of its ramps. Roads of
// one lane, circuits, tight bends and roads with a ramp on the left have no other carriageway.
#pragma once

#include "picture/highway.h"

typedef struct scenery {
    int lanes;    // of the other carriageway; 0: there is none
    double width; // m, of one
    double wide;  // m, from the left shoulder of the road to its far side; 0: there is none
    double shoulder;
} scenery;

scenery scenery_of(const ground *g, const highway_stations *p, const highway_places *ramps);
// The offset of strip k of the other carriageway, from its right to its left: the inner shoulder,
// lanes, the outer one. false: past the last.
typedef struct scenery_strip {
    double right, left; // m, from the left shoulder of the road
    bool shoulder, first, last;
} scenery_strip;
bool scenery_strip_at(const scenery *v, int k, scenery_strip *out);
void scenery_build(scene *s, const ground *g, const scenery *v, const highway_stations *p,
                   double focus);
