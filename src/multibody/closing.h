// closing.h - the contract between a mechanism and a joint beside the tree.
//
// A closing joint holds two frames, one on the body `from`, one on the body `to`. A kind says what
// it holds by rows, each a scalar e(q) that must stay zero; the mechanism makes of every row
//
//     e = 0,   e' = A v + e,t = 0,   e'' = A v' + g = 0,   generalised forces A' lambda
//
// and sums what the rows do to the load of the joint. Everything is seen from the nearest link that
// carries both bodies (the common body of eqs 27-31), so that only velocities inside the loop
// appear. A kind is one file joint_NAME.c and one word in closings.c.
#pragma once

#include "multibody/model.h"
#include "multibody/vector.h"

typedef struct mb_close mb_close; // a joint on its way to rows

typedef struct mb_closing_value { // a number that the kind needs
    const char *key;
    const char *unit;
    const char *doc;
    bool needed;
} mb_closing_value;

// What is left free, for the joint's own coordinates (hinge.h, eq 33).
typedef enum mb_closing_turns {
    MB_TURNS_FREELY, // as a ball
    MB_TURNS_NOT,
    MB_TURNS_ABOUT_AXIS,
    MB_TURNS_AS_CROSS, // axis of `from` and to_axis of `to`, perpendicular
    MB_TURNS_GENERAL,  // by free, sequence and held
} mb_closing_turns;

typedef enum mb_closing_slides {
    MB_SLIDES_NOT,
    MB_SLIDES_ALONG_AXIS,
    MB_SLIDES_ACROSS_AXIS,
    MB_SLIDES_FREELY, // what holds it holds no travel by itself
} mb_closing_slides;

typedef struct mb_closing_kind {
    const char *name;
    const char *doc;
    int axes;       // 0: none, 1: axis, which to_axis has too unless it is given, 2: both needed
    bool general;   // has free, sequence and held
    bool of_joints; // holds coordinates of tree joints: `from` and `to` are bodies with one each
    mb_closing_value value[MB_CLOSING_VALUES]; // key NULL: none
    mb_closing_turns turns;
    mb_closing_slides slides;
    bool in_tree;  // of a graph: it can be a joint of the tree,
    mb_joint tree; // of this kind
    void (*rows)(mb_close *c, const mb_closing *joint);
} mb_closing_kind;

const mb_closing_kind *mb_closing_kind_at(int i); // NULL past the last

// ---- what a kind finds -----------------------------------------------------------------------

expr_graph *mb_close_graph(const mb_close *c);
mb_mat mb_close_frame(const mb_close *c, bool to); // axes of a frame as columns
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
