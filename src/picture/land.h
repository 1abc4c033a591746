// land.h - the land beside the road: verges, rolling ground, hills on the horizon, trees
// (web/src/scene3d/terrain3d.ts). Decoration: the same for every scenario.
#pragma once

#include "picture/highway.h"

// beyond: m, what lies between the road and the land on its left.
bool land_build(scene *s, const ground *g, const highway_stations *p, const highway_places *ramps,
                const highway_places *own, double beyond, bool dark);
