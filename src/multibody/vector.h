// vector.h - 3-vectors, 3x3 matrices and 6x6 inertias whose entries are nodes of a graph.
//
// Written plainly: products with zeros and ones vanish in the constructors of the graph.
// A matrix is stored by rows. R of a frame has the frame's axes as columns: it takes components in
// the frame to components outside of it.
#pragma once

#include "expr/graph.h"

typedef struct mb_vec {
    expr_id v[3];
} mb_vec;

typedef struct mb_mat {
    expr_id m[9];
} mb_mat;

mb_vec mb_vec_zero(void);
mb_vec mb_vec_unit(int axis);
bool mb_vec_is_zero(mb_vec a);
mb_vec mb_vec_add(expr_graph *g, mb_vec a, mb_vec b);
mb_vec mb_vec_sub(expr_graph *g, mb_vec a, mb_vec b);
mb_vec mb_vec_neg(expr_graph *g, mb_vec a);
mb_vec mb_vec_scale(expr_graph *g, expr_id s, mb_vec a);
mb_vec mb_vec_cross(expr_graph *g, mb_vec a, mb_vec b);
expr_id mb_vec_dot(expr_graph *g, mb_vec a, mb_vec b);

// Labels for the reader of emitted code: OWNER_what_x ...
void mb_vec_label(expr_graph *g, const char *owner, const char *what, mb_vec a);
void mb_node_label(expr_graph *g, const char *owner, const char *what, expr_id a);

mb_mat mb_mat_identity(void);
bool mb_mat_is_identity(const mb_mat *a);
mb_mat mb_mat_transpose(const mb_mat *a);
mb_mat mb_mat_mul(expr_graph *g, const mb_mat *a, const mb_mat *b);
mb_vec mb_mat_times(expr_graph *g, const mb_mat *a, mb_vec b); // a b
mb_vec mb_mat_back(expr_graph *g, const mb_mat *a, mb_vec b);  // a' b
mb_vec mb_mat_column(const mb_mat *a, int column);
mb_mat mb_mat_axis(expr_graph *g, int axis, expr_id angle);  // rotation about a coordinate axis
mb_mat mb_mat_quaternion(expr_graph *g, const expr_id q[4]); // of a unit quaternion (w, x, y, z)

// w x (w x r) = W r with W = w w' - |w|^2: worth it when several r share one w.
mb_mat mb_mat_spin_square(expr_graph *g, mb_vec w);

// Symmetric tensor xx yy zz xy xz yz as a full matrix and back.
mb_mat mb_mat_symmetric(const expr_id six[6]);

// R S R' for S symmetric.
mb_mat mb_mat_turn_symmetric(expr_graph *g, const mb_mat *R, const mb_mat *S);
mb_mat mb_mat_turn(expr_graph *g, const mb_mat *R, const mb_mat *B); // for any B
// The same for a rotation about a coordinate axis, by double angles: c2 = cos 2q, s2 = sin 2q.
mb_mat mb_mat_turn_axis(expr_graph *g, int axis, expr_id c, expr_id s, const mb_mat *B);
