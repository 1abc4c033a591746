// broad.h - which boxes in the road plane overlap, at a cost that grows with their number.
#pragma once

#include "motorcade/status.h"

typedef struct broad_box { // m, world; x and y
    double low[2], high[2];
} broad_box;

typedef struct broad_pair {
    int a, b; // a < b
} broad_pair;

typedef struct broad broad;

broad *broad_create(void); // NULL: no memory
void broad_destroy(broad *b);

// All pairs of overlapping boxes, in order of (a, b); the array stays with b until the next call.
// Boxes go into a grid of cells about as large as the typical box, so the cost is that of sorting
// the cells plus the pairs found.
mc_status broad_find(broad *b, const broad_box *boxes, int count, const broad_pair **pairs,
                     int *pair_count, mc_error *error);
