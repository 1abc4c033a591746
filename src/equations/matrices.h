// matrices.h - the matrices of the paper (19 to 33) as nodes of the mechanism's graph.
//
//   NAME.B_q, NAME.B_p   6 x 6   rates of a joint from V of its outboard and inboard body (23, 27)
//   NAME.C               6 x v   rates of a cut joint from the velocities inside its loop (29): V
//                                is relative to the common body, of which nothing is left
//   T                    6n x v  V of all bodies = T v (21)
//   B                    r x 6n  rows that stay zero by V (19, 24): B V = b
//   BT                   r x v   the same by v (22, 32), made inside the loops
//   b                    r x 1   what the rows that depend on time ask for
//   V                    6n x 1  T v
//   q_dot                q x 1   rates of the coordinates from V (25)
//   cut_dot              . x 1   rates of the free coordinates of cut joints (33)
#pragma once

#include "equations/derive.h"

typedef struct mb_matrix {
    const char *name;
    int rows, columns;
    const char **row_name, **column_name;
    expr_id *entry; // by rows
} mb_matrix;

typedef struct mb_matrices {
    arena memory;
    mb_matrix *matrix;
    int count;
} mb_matrices;

mc_status mb_matrices_make(const mb_system *s, mb_matrices *out, mc_error *error);
void mb_matrices_free(mb_matrices *m);
