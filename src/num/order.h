// order.h - fill-reducing order of a symmetric sparse matrix (SuiteSparse AMD).
#pragma once

#include <stdbool.h>

// pattern: n x n, true where an entry is; made symmetric here. order[k] is the row eliminated k-th.
// False: no memory.
bool order_minimum_degree(int n, const bool *pattern, int *order);

// Of a descriptor matrix [M A'; A 0], M n x n positive definite, A with m rows: minimum degree
// under the rule that a row of A is eliminated after every unknown it ties, so that its pivot is
// -A M^-1 A' of rows before it and never vanishes while A has full rank.
bool order_descriptor(int n, int m, const bool *pattern, int *order);
