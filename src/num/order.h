// order.h - fill-reducing order of a symmetric sparse matrix (SuiteSparse AMD).
#pragma once

#include <stdbool.h>

// pattern: n x n, true where an entry is; made symmetric here. order[k] is the row eliminated k-th.
// False: no memory.
bool order_minimum_degree(int n, const bool *pattern, int *order);
