// closing.h - the contract between a mechanism and a joint beside the tree.
//
// What a kind says of itself, and the rows that most kinds are made of, are in
// include/motorcade/joint.h, for the library's own kinds and for those from outside alike. The
// mechanism makes of every row
//
//     e = 0,   e' = A v + e,t = 0,   e'' = A v' + g = 0,   generalised forces A' lambda
//
// and sums what the rows do to the load of the joint. Everything is seen from the nearest link that
// carries both bodies (the common body of eqs 27-31), so that only velocities inside the loop
// appear. A kind is one file joint_NAME.c and one word in closings.c. Here is what only the
// library's own kinds use.
#pragma once

#include "motorcade/joint.h"
#include "multibody/model.h"
#include "multibody/vector.h"

typedef mc_joint mb_close; // a joint on its way to rows

typedef struct mb_closing_kind {
    mc_joint_kind is; // what a kind from outside has as well
    bool general;     // has free, sequence and held
    bool of_joints;   // holds coordinates of tree joints: `from` and `to` are bodies with one each
    bool in_tree;     // of a graph: it can be a joint of the tree,
    mb_joint tree;    // of this kind
} mb_closing_kind;

const mb_closing_kind *mb_closing_kind_at(int i); // NULL past the last
// A number of any kind with this key; NULL: none has it.
const mc_joint_value *mb_closing_value_find(const char *key);

// ---- what a kind finds -----------------------------------------------------------------------

expr_graph *mb_close_graph(const mb_close *c);
const mb_closing *mb_close_joint(const mb_close *c); // as in the file
mb_mat mb_close_frame(const mb_close *c, bool to);   // axes of a frame as columns
// Two unit vectors across a unit axis, in the axes of the joint; whole entries where possible.
void mb_close_across(const double axis[3], double first[3], double second[3]);
// A constant vector of one frame, in common axes.
mb_vec mb_close_vector(const mb_close *c, bool to, const double a[3]);

// ---- rows ------------------------------------------------------------------------------------

// The frames' origins coincide: three rows.
void mb_close_point(mb_close *c);
// The origin on `to` lies `value` along u (fixed on `from`) from that on `from`.
void mb_close_slide(mb_close *c, mb_vec u, expr_id value);
// p (fixed on `from`) . s (fixed on `to`) = value.
void mb_close_direction(mb_close *c, mb_vec p, mb_vec s, expr_id value);
// p1 . s1 = p2 . s2, p fixed on `from`, s on `to`.
void mb_close_directions(mb_close *c, mb_vec p1, mb_vec s1, mb_vec p2, mb_vec s2);
// The origins keep a distance.
void mb_close_distance(mb_close *c, expr_id length);
// The coordinate of the tree joint of `to` is ratio times that of `from`, plus offset.
void mb_close_ratio(mb_close *c, expr_id ratio, expr_id offset);
// The body `from`, a disc about its axis n with the given radius, touches and rolls on the plane
// through the origin on `to` with the normal s: one row of position, two of velocity.
void mb_close_rolling(mb_close *c, mb_vec n, mb_vec s, expr_id radius);
