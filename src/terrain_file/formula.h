// formula.h - ground by a formula of x and y.
//
// It is differentiated symbolically and interpreted at every question; with jumps its corners would
// be missed, so jumps belong into terms. The machine lives as long as the arena.
#pragma once

#include "reader/reader.h"
#include "road/terrain.h"

extern const terrain_kind terrain_formula_kind;

// The data of a layer; NULL: rejected. steepest: bound of the slope across.
const void *terrain_formula_read(reader *r, const yaml_node *node, double steepest);
