// partition.h - which speeds of a group of loops depend on the others, decided on numbers.
#pragma once

#include <stdbool.h>

typedef struct mb_partition {
    int rows, columns; // of the constraints; rows <= columns
    const double *A;   // rows x columns, at a position like any other
    int link_count;
    const bool *moves; // link_count x columns: the speed moves the link
    // Found: the dependent columns, and the pivots of their elimination in order.
    bool *dependent;
    int *pivot_row, *pivot_column;
    bool no_memory;
} mb_partition;

// The choice moves as few links as possible by each independent speed, keeps the dependent ones
// from outrunning them, and orders the pivots so that the rows stay sparse. false: the rows have no
// safe partition here, or no_memory.
bool mb_partition_find(mb_partition *p);
