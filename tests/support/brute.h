// brute.h - Lagrange's equations by brute force: an oracle for small mechanisms.
//
// Nothing here knows of links, recursions, quasi-coordinates or partial velocities. Frames are
// products of rotations by Rodrigues' formula in true coordinates q; velocities are derivatives of
// positions, angular velocities come from R' dR/dt; T(q, q') and V(q) are written down and
//     d/dt dT/dq' - dT/dq + dV/dq = Q
// is formed by symbolic differentiation and solved in 113 bits.
//
// What is compared with are velocities u(q, q') named by the test (components of a velocity or of
// an angular velocity): forces dual to u go in, u' comes out.
#pragma once

#include "expr/differentiate.h"
#include "support/graph_value.h"

enum { BRUTE_MAX = 16 };

typedef struct brute {
    expr_graph *g;
    int n;                                               // coordinates
    expr_id q[BRUTE_MAX], qd[BRUTE_MAX], qdd[BRUTE_MAX]; // inputs 3 i, 3 i + 1, 3 i + 2
    expr_direction *rate;                                // q moves at qd
    expr_direction *rate2;                               // q at qd, qd at qdd
    expr_id T, V;
    double gravity[3];
    expr_id u[BRUTE_MAX];
    int u_count; // must become n
    expr_id *momentum, *mass, *bias, *by, *udot;
} brute;

typedef struct brute_frame {
    expr_id R[9], r[3]; // to the world
} brute_frame;

void brute_begin(brute *b, int n, const double gravity[3]);
void brute_end(brute *b);

brute_frame brute_ground(void);
brute_frame brute_move(brute *b, brute_frame f, const double by[3]); // in the axes of f
brute_frame brute_slide(brute *b, brute_frame f, const double axis[3], expr_id travel);
brute_frame brute_turn(brute *b, brute_frame f, const double axis[3], expr_id angle);
brute_frame brute_orient(brute *b, brute_frame f, const double quaternion[4]);

// A rigid body in the frame: inertia about its mass centre, xx yy zz xy xz yz.
void brute_body(brute *b, const brute_frame *f, double mass, const double com[3],
                const double inertia[6]);

void brute_observe(brute *b, expr_id u);
void brute_observe_origin(brute *b, const brute_frame *f); // velocity of the origin, world axes
// Angular velocity of f against `from` (NULL: the world), axes of f.
void brute_observe_spin(brute *b, const brute_frame *from, const brute_frame *f);

// At (q, qd): values of u, and u' under forces tau dual to u. Call after the last body and u.
void brute_solve(brute *b, const double *q, const double *qd, const double *tau, double *u,
                 double *udot);
// The orientation of a frame at q, row major.
void brute_rotation(brute *b, const brute_frame *f, const double *q, double R[9]);
