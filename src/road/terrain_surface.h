// terrain_surface.h - a grid of heights (OpenCRG) or a closed form (shape.h) as a layer of terrain:
// its data is a road_surface.
#pragma once

#include "road/surface.h"
#include "road/terrain.h"

extern const terrain_kind terrain_surface_kind;
