// ldl.h - sparse LDL' of a symmetric matrix of nodes, unrolled: no operation on a zero.
#pragma once

#include "expr/graph.h"

// Solves M x = b. M: n x n by rows, symmetric, positive definite as a number; left as it was.
// order: n entries, set to the elimination order (SuiteSparse AMD); fill: entries the factor has
// and M has not, below the diagonal. Both may be NULL.
mc_status mb_ldl_solve(expr_graph *g, int n, const expr_id *M, const expr_id *b, expr_id *x,
                       int *order, int *fill, mc_error *error);
