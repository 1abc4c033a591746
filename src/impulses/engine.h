// engine.h - rigid bodies by impulses: the inside of the engine, shared by the files of this
// folder.
//
// Maximal coordinates: every body has its own place and velocity, and joints are rows on the
// velocities of two bodies. The state is one block of doubles; a copy of it is a snapshot.
//
//     per body    c (3)  mass centre, world, m
//                 q (4)  turn, body to world, unit quaternion w x y z
//                 V (6)  angular velocity, then velocity of the mass centre, world axes
//     then        tracked hinge angles, the user's states, impulses of the last step for the warm
//                 start, flags of contacts, sums of energy
//
// Velocities of bodies, impulses on them and rows are six numbers: turning first, then travel, at
// the mass centre, in world axes. Bodies stand inboard first.
#pragma once

#include "impulses/impulses.h"

enum { POSE = 13, AT_Q = 3, AT_V = 7 }; // of a body in the state

// What changes from step to step, and need not be kept between steps.
typedef struct impulse_link {
    double R[9];       // body to world, rows
    double inertia[9]; // world axes, about the mass centre
    double P[9];       // axes of the joint on the inboard body, in the world, as columns; only of
                       // general joints, and where loads of joints are asked for
    double arm[3];     // m, from there to the mass centre
    double shift[3];   // m, from the mass centre of the inboard body to that of this one
    double S[6][6];    // a row per free velocity of the joint: how the body moves with it
    double U[6][6];    // of a free body the Cholesky factor of A: see tree_lanes.c
    double D[36];      // inverse of S' A S
    double p[6];       // momentum and impulses on the body
    double y[6];       // D (S' p and the impulse along the joint)
    double beta[6];    // velocity that the joint adds by itself
    double V[6], u[6]; // solved for
    double V_start[6]; // velocity at the start of the step
    double V_mid[6];   // and in its middle
    double tau[6];     // impulse along the free velocities
    double own[6];     // momentum and impulses of the body alone
    double through[6]; // impulse of the inboard body on this one, at the mass centre
    double load[6];    // the same as mean force and torque at the joint, axes of the joint
} impulse_link;

// The three rows of a contact side by side, and one of padding: normal, along, across.
typedef double impulse_four __attribute__((vector_size(32), aligned(8)));

// A row of velocity through the joints: what one impulse does to all.
typedef struct impulse_response {
    double *Y, *Z; // freedom_count: S' p of each joint, and D times that
    int *path;
    int path_count; // bodies that it touches, outboard first
} impulse_response;

// The same of the three rows of a contact, on the way from its wheel inboard.
typedef struct impulse_patch {
    impulse_four *Y, *Z; // freedom_count
    int body, row;       // of the wheel; the first of the three
} impulse_patch;

// A body in the elimination of the tree's joints: turning and travel as two vectors.
typedef struct impulse_node {
    impulse_four A[6][2];          // inertia of the body and of all outboard of it, joints free
    impulse_four S[6][2], U[6][2]; // of the joint; A S
    impulse_four p[2];             // momentum and impulses, gathered from outboard
    impulse_four bias[2];          // velocity by beta of all joints inboard, without any u
    impulse_four V[2];             // solved for, less the bias
} impulse_node;

typedef struct impulse_tree impulse_tree;
typedef struct impulse_dense impulse_dense;

// A wheel's plane and the ground.
typedef struct impulse_contact {
    int wheel, plane;
    impulse_touch at;
    double along[3], across[3]; // unit, in the ground
    int row;                    // the first of its three; -1: does not act
    double friction, restitution;
    double pressed; // N, of a tyre spring; rigid wheels: 0
    double floor;   // m, gap at the start of the step where that is below 0
} impulse_contact;

// Kept of a contact between steps, in the state.
enum { KEPT_TOUCHING, KEPT_CLEAR, KEPT_FORCE, KEPT = KEPT_FORCE + 3 };
enum { SUM_TIME, SUM_GAINED, SUM_LOST, SUM_IMPACTS, SUMS };

struct impulses {
    impulse_model m;
    arena memory;
    const impulse_tree *tree; // builds for this processor
    const impulse_dense *dense;
    impulse_link *link;
    impulse_node *node;
    double *state, *before; // before: at the start of a step that may be repeated
    int state_count;
    int at_angle, at_states, at_row, at_contact, at_sum; // in the state
    int freedom_count;                                   // of all joints, free bodies 6
    double *y;       // coordinates, velocities, states: what formulas see
    double *formula; // values of the program
    double *begun;   // the user's states at the start of a step
    // Rows beside the tree, then those of motors, limits and contacts.
    int bilateral_count, row_count, row_max;
    impulse_response *response;    // of rows beside the tree, motors and limits
    impulse_patch *patch;          // of contacts that act
    int patch_count, single_count; // of those, and of the rows in `response`
    double *along;                 // of the rows beside the tree: freedom_count each
    double *W;                     // row_count^2: response of rows to each other
    double *F, *C;      // factor of the first block; F^-1 times the columns of the others
    double *row_g;      // 6: of a contact
    double *multiplier; // of the rows beside the tree, mean of the last step
    double *poses;
    double *lambda, *closing, *right, *goal, *low, *high, *work;
    int *row_body;   // that it acts on
    bool *row_along; // along the only freedom of that body
    int *contact_of; // its number, of a normal row; -2: friction; -1: none
    double *pivot;   // and of its diagonal
    int stride;      // of L
    double *L;       // factor of the held rows among those with bounds, and what it leaves
    int *free_row;   // the held rows, then the loose ones: see bounded.c
    int held_count, listed_count;
    double *residual, *past_round;
    double *newton, *newton_right; // equations of the loose ones
    double *past;                  // of a limit: by which the coordinate is beyond it
    bool *at_bound;
    int *slot; // of motors and limits, for the warm start
    impulse_contact *contact;
    int contact_count;
    impulse_report report;
};

// ---- joints.c ----

// Places and velocities from coordinates; coordinates and velocities from places.
void impulse_from_coordinates(impulses *e, const double *y);
void impulse_to_coordinates(impulses *e, double *y);
// Turns, inertias, joints at the places in the state.
void impulse_place(impulses *e);
// The rates of a joint, from velocities of the two bodies.
void impulse_rates(const impulses *e, int i, const double *own, const double *inboard, double *u);
// What the joint's velocities change by themselves per second: the part of V' without u'.
void impulse_bias(const impulses *e, int i, const double *own, const double *inboard,
                  double out[6]);
// By how much a joint is open: the motion of the body that closes it. The largest distance, m.
double impulse_open(const impulses *e, int i, double close[6]);
double impulse_coordinate(const impulses *e, int i); // hinge and prism

// ---- tree_lanes.c ----

struct impulse_tree {
    bool (*factor)(impulses *e); // false: a freedom without mass
    // From link.p, tau and beta to V and u.
    void (*solve)(impulses *e);
    // What an impulse along the only freedom of a body does; one along all freedoms.
    void (*respond_freedom)(impulses *e, impulse_response *r, int body);
    void (*respond_along)(impulses *e, impulse_response *r, const double *tau);
    // Three rows of a contact at once: g by its six parts.
    void (*respond_patch)(impulses *e, impulse_patch *p, const impulse_four g[6]);
    double (*couple)(const impulses *e, const impulse_response *a, const impulse_response *b);
    void (*couple_row)(const impulses *e, const impulse_response *a, const impulse_patch *b,
                       impulse_four *out);
    void (*couple_patches)(const impulses *e, const impulse_patch *a, const impulse_patch *b,
                           impulse_four out[3]); // a row of a with those of b
    // Adds sum of lambda Z of the first `count` rows to V and u, and of contacts if that is all.
    void (*apply)(impulses *e, int count, const double *lambda);
};
extern const impulse_tree impulse_tree_plain, impulse_tree_avx2;

// ---- dense_lanes.c ----

// A symmetric matrix by rows of `stride`, a multiple of four, the upper part; `held` of its `count`
// rows are eliminated. Then forward: x = F^-1 b of those, b without them of the others; backward.
struct impulse_dense {
    void (*factor)(double *L, double *pivot, int stride, int held, int count);
    void (*forward)(const double *L, const double *pivot, int stride, int held, int count,
                    double *x);
    void (*backward)(const double *L, const double *pivot, int stride, int held, int count,
                     double *x);
};
extern const impulse_dense impulse_dense_plain, impulse_dense_avx2;

// ---- loads.c ----

// Impulses of everything but joints over h at t, from the velocities in V_mid: p, tau. beta: what
// joints add by themselves over `ahead`, s.
void impulse_loads(impulses *e, double h, double ahead);
void impulse_formulas(impulses *e, double t); // at the places and velocities of the state

// ---- contacts.c ----

void impulse_contacts_find(impulses *e);           // geometry of those that touch
void impulse_contacts_press(impulses *e);          // tyre springs, from V_mid
void impulse_contacts_warm(impulses *e, double h); // last forces, into p
void impulse_contacts_keep(impulses *e, double h); // forces after a step; which still touch
// Whether a wheel has met the ground on the way of the step from `before`, h long; *when: s of it.
bool impulse_contacts_met(impulses *e, double h, double *when);
// Smallest gap of contacts that do not touch, at the places in the state, m.
double impulse_contacts_gap(impulses *e, double reach);
// Those with a gap of at most `near` touch now.
void impulse_contacts_join(impulses *e, double near);

// Those that leave faster than `speed`, m/s, do not touch any more.
void impulse_contacts_leave(impulses *e, double speed);

// ---- rows.c ----

// The rows that act now, and how they respond to each other.
void impulse_rows_make(impulses *e, double h);
// V and u made to fulfil the rows (all: those of motors, limits and contacts too); ahead: s, from
// the instant of the geometry to that of the velocities.
void impulse_rows_solve(impulses *e, double h, double ahead, bool all);
// Displacements in V and u made to close the joints beside the tree.
void impulse_rows_close(impulses *e);
bool impulse_rows_lift(impulses *e);
void impulse_rows_impact(impulses *e, double rest);
void impulse_rows_begin(impulses *e, double h); // lambda from the last step

// ---- bounded.c ----

// lambda of the rows with bounds, from right and W; lambda is the first guess.
void impulse_bounded(impulses *e, double h);
void impulse_lift(impulses *e);

// ---- step.c ----

void impulse_move(impulses *e, double scale); // places by V of the links
