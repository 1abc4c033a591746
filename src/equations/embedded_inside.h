// embedded_inside.h - what the files of the form with independent speeds share.
#pragma once

#include "equations/arm.h"
#include "equations/derive.h"

typedef struct embedded_member { // a link of a group
    int link;
    int in;                // place of its inboard link in the group; -1: the root
    int first, count;      // its columns
    mb_mat T;              // its axes as columns
    mb_vec o, r;           // origin from the root's, from the inboard one's
    mb_vec axis;           // of a hinge or prism
    mb_vec w, W;           // spin against the root, true spin
    mb_vec v;              // velocity of the origin against the root
    mb_vec turning, going; // beta and gamma against the root
    mb_vec beta;
    mb_vec *Wp, *Op;  // by columns
    mb_mat A, B, C;   // inertia
    bool carries;     // other links hang on it
    mb_vec lever, at; // point that forces are taken at, from its origin and from the root's
    mb_vec h;         // moment of mass about that point
    mb_vec centre;    // the lever in link axes
    mb_mat psi;       // psi r = turning x r + w x (w x r)
    bool psi_made;
    mb_vec n0, f0;           // forces at zero accelerations but beta and gamma
    mb_vec *Wz, *Oz, *N, *F; // by independents
    mb_vec N0, F0;           // with the dependents' x0
    // A hinge or prism on the root, which only its own speed moves:
    bool alone;
    mb_vec per_n, per_f;    // forces per acceleration of its speed, moment about the root's origin
    expr_id inertia, along; // its speed's own equation: of its acceleration, at zero
    mb_vec turn;            // true angular acceleration
} embedded_member;

typedef struct embedded_group {
    int root; // link; -1: ground
    embedded_member *members;
    int count, columns, rows, free_count;
    int *row;   // rows of the system, by their place among those that act
    expr_id *A; // rows x columns; eliminated in place
    expr_id *bias, *x0;
    expr_id *factor; // rows x rows: what was subtracted
    int *pivot_row, *pivot_column;
    expr_id *inverse;      // of the pivots
    int *independent;      // columns
    expr_id *X;            // columns x free_count
    expr_id *tau;          // columns
    expr_id *M, *H, *t;    // free_count square, x 6, x 1
    expr_id *share, *rest; // of the elimination
} embedded_group;

typedef struct embedded_work {
    const mb_system *s;
    const mb_links *links;
    const mb_loads *loads;
    expr_graph *g;
    mb_arm *arms;
    embedded_group *groups;
    int group_count;
    int *of;    // group of a link; -1: none
    int *place; // of a link in its group
    arena memory;
    mc_error *error;
    bool no_memory, impossible;
} embedded_work;

// Zeroed; NULL, and no_memory, where there is none.
void *embedded_room(embedded_work *w, int count, size_t size);

// Whether links outside its group hang on a link of a group.
bool embedded_has_children(const embedded_work *w, int link);
// Acceleration bias of a point of a member against its origin, seen from the root; the point in
// link axes and in those of the root. The matrix serves several points.
mb_vec embedded_swing(const embedded_work *w, embedded_member *m, mb_vec in_link, mb_vec r);
// The true one of a point of a member, against that of the root's origin.
mb_vec embedded_bias(const embedded_work *w, const embedded_group *g, embedded_member *m,
                     mb_vec in_link, mb_vec r);

// A vector of a member's link in root axes. A hinge on the root turns one of constants by
// constants times cosine and sine.
mb_vec embedded_turned(const embedded_work *w, const embedded_member *m, mb_vec r);

// embedded_group.c: which links loops tie together; how they move, links inboard first; their rows,
// and the dependent accelerations.
void embedded_make_groups(embedded_work *w);
void embedded_move_all(embedded_work *w);
void embedded_close_all(embedded_work *w);
