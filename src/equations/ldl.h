// ldl.h - sparse LDL' of a symmetric matrix of nodes, unrolled: no operation on a zero.
#pragma once

#include "expr/graph.h"

// Solves M x = b. M: n x n by rows, symmetric, positive definite as a number; left as it was.
// order: n entries, set to the elimination order (SuiteSparse AMD); fill: entries the factor has
// and M has not, below the diagonal. Both may be NULL.
mc_status mb_ldl_solve(expr_graph *g, int n, const expr_id *M, const expr_id *b, expr_id *x,
                       int *order, int *fill, mc_error *error);

// What is left of a row when those before it are eliminated: where that is little relative to what
// it would have alone, the rows nearly depend on each other.
typedef struct mb_pivot {
    expr_id pivot, alone; // both positive as numbers
} mb_pivot;

// The same for the operational matrix of m rows. pivot: m; alone is the diagonal entry.
mc_status mb_ldl_solve_rows(expr_graph *g, int m, const expr_id *S, const expr_id *b, expr_id *x,
                            mb_pivot *pivot, mc_error *error);

// The same for [M A'; A 0], n unknowns and m rows, in the order given (order_descriptor). alone is
// estimated by the sum of A_kj^2 / M_jj.
mc_status mb_ldl_solve_descriptor(expr_graph *g, int n, int m, const expr_id *K, const expr_id *b,
                                  const int *order, expr_id *x, mb_pivot *pivot, mc_error *error);
