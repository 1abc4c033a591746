// ride.h - terrain of a run of a concept.
#pragma once

#include "base/arena.h"
#include "road/terrain.h"

// The terrain of a file, in memory; text: the same as a key of a mechanism file.
mc_status ride_terrain(const char *path, arena *memory, const road_terrain **terrain,
                       const char **text, mc_error *error);
