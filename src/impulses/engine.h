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

// The three rows of a contact side by side, and one of padding: normal, along, across. Three
// numbers of a body.
typedef double impulse_four __attribute__((vector_size(32), aligned(8)));

// What changes from step to step, and need not be kept between steps.
typedef struct impulse_link {
    impulse_four turn[3];   // body to world, columns
    impulse_four sprung[2]; // impulses of springs
    double R[12];           // turn by rows; 9
    double inertia[9];      // world axes, about the mass centre
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
    double begun[6];   // momentum at the start of the step and that of gravity
    double q;          // coordinate of a hinge or prism with a load
    double axes[9];    // of the angles of a general joint, world, columns; where `placed`
    double angle[3];   // and the angles
    double through[6]; // impulse of the inboard body on this one, at the mass centre
    double load[6];    // the same as mean force and torque at the joint, axes of the joint
} impulse_link;

// Of a spring: what does not change within a step.
typedef struct impulse_span {
    impulse_four arm[2], d; // m, world: from the mass centres to its ends, from end to end
    double length;
} impulse_span;

// A row of velocity through the joints: what one impulse does to all.
typedef struct impulse_response {
    double *Y, *Z; // freedom_count: S' p of each joint, and D times that
    int *path;
    int path_count; // bodies that it touches, outboard first
} impulse_response;

// The same of the three rows of a contact, on the way from its wheel inboard.
typedef struct impulse_patch {
    impulse_four *Y, *Z;  // freedom_count
    int body, row, wheel; // of the wheel; the first of the three
    int other;            // the second body of a pair; -1: none
} impulse_patch;

// A body in the elimination of the tree's joints: turning and travel as two vectors.
typedef struct impulse_node {
    impulse_four A[6][2];          // inertia of the body and of all outboard of it, joints free
    impulse_four S[6][2], U[6][2]; // of the joint; A S
    impulse_four p[2];             // momentum and impulses, gathered from outboard
    impulse_four bias[2];          // velocity by beta of all joints inboard, without any u
    impulse_four V[2];             // solved for, less the bias
} impulse_node;

typedef struct impulse_run_of {
    int first, at, count; // row, place in the list
} impulse_run_of;

typedef struct impulse_bodies impulse_bodies;
typedef struct impulse_tree impulse_tree;
typedef struct impulse_dense impulse_dense;

// A wheel's plane and the ground, or a point in which a pair touches.
typedef struct impulse_contact {
    int wheel, plane; // of a pair: -1, place in its list
    int pair;         // of a wheel: -1
    int body, other;  // on which it acts; -1: ground
    bool tyre;        // what it presses is a load
    double bias;      // m/s2, of a pair: gap'' without accelerations
    impulse_touch at;
    double along[3], across[3]; // unit, in the ground
    int row;                    // the first of its three; -1: does not act
    double friction, restitution;
    double pressed;              // N, of a tyre spring; rigid wheels: 0
    double floor;                // m, gap at the start of the step where that is below 0
    double slip[2], scale, grip; // of a tyre: m/s, m/s, N s; see slip.c
    double slip_start[2];        // m/s
} impulse_contact;

enum {
    IMPULSE_HOLDS,
    IMPULSE_SLIPS,
    IMPULSE_ABSENT
}; // rows: as of a rigid wheel, of a tyre, no grip

// Kept of a contact between steps, in the state.
enum {
    KEPT_TOUCHING,
    KEPT_CLEAR,
    KEPT_FORCE,
    KEPT_SLIP = KEPT_FORCE + 3, // its change in the last step; of a pair: which point it was
    KEPT = KEPT_SLIP + 2
};
enum { PAIR_POINTS = HULL_MEET_MAX };
enum { PAIR_TOUCHING, PAIR_CLEAR, PAIR_KEPT }; // kept of a pair
enum { SUM_TIME, SUM_GAINED, SUM_LOST, SUM_IMPACTS, SUMS };

struct impulses {
    impulse_model m;
    arena memory;
    const impulse_bodies *bodies; // builds for this processor
    const impulse_tree *tree;
    const impulse_dense *dense;
    const impulse_solver *solver;
    struct impulse_sequence *sequence; // of the solver sequential
    impulse_link *link;
    impulse_node *node;
    double *state, *before; // before: at the start of a step that may be repeated
    int state_count;
    int at_angle, at_states, at_row, at_contact, at_sum; // in the state
    int at_warm;                                         // forces of joints, of the solver
    int at_pair;
    int freedom_count;       // of all joints, free bodies 6
    bool has_general;        // joints
    impulse_four *diagonals; // 3 for each four bodies: of their inertias
    bool placed;             // axes and angles of general joints are those of the turns
    bool known;              // coordinates in y are those of the places
    double *y;               // coordinates, velocities, states: what formulas see
    double *formula;         // values of the program
    impulse_span *span;      // of the springs
    double *begun;           // the user's states at the start of a step
    // Rows beside the tree, then those of motors, limits and contacts.
    int bilateral_count, row_count, row_max;
    impulse_response *response;    // of rows beside the tree, motors and limits
    impulse_patch *patch;          // of contacts that act
    impulse_four *patch_sum;       // freedom_count
    int patch_count, single_count; // of those, and of the rows in `response`
    double *along;                 // of the rows beside the tree: freedom_count each
    int wide;                      // length of a row of W
    double *W;                     // response of rows to each other
    double *F, *C;      // factor of the first block; F^-1 times the columns of the others
    double *row_g;      // 6: of a contact
    double *row_h;      // 6: the same on the second body of a pair
    int *row_other;     // that body; -1: none
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
    impulse_run_of *run; // of rows that follow each other in the list
    double *ease;        // compliance of the rows of the list
    int run_count;
    double *residual, *past_round;
    double *newton, *newton_right; // equations of the loose ones
    double *past;                  // of a limit: by which the coordinate is beyond it
    unsigned char *slips;          // IMPULSE_SLIPS, .. of friction of tyres
    double *soft, *shift;          // their compliance: 2 per row, own and with the next; see slip.c
    bool *at_bound;
    int *slot; // of motors and limits, for the warm start
    impulse_contact *contact;
    int contact_count, wheel_contact_count; // those of wheels come first
    hull *placed_hull;                      // 2: where the shapes of a pair are
    double *pair_gap, *pair_floor;          // m: at the last look; as of a contact
    int *meet; // wheel by wheel: the body where their ways inboard meet; -1: none
    impulse_report report;
};

// ---- joints.c ----

// Places and velocities from coordinates; coordinates and velocities from places.
void impulse_from_coordinates(impulses *e, const double *y);
void impulse_to_coordinates(impulses *e, double *y, bool velocities); // those alone
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
void impulse_place_joint(impulses *e, int i);        // its arm, shift, axes and free motions
// The axes of the three angles of a general joint, world, columns.
void impulse_general_axes(const impulses *e, int i, double axes[9]);

// ---- bodies_lanes.c ----

struct impulse_bodies {
    void (*move)(impulses *e, double scale,
                 bool of_links);          // places by V, of the links or the state
    void (*turn)(impulses *e, bool rows); // turns at the places in the state; R only if asked for
    void (*place)(impulses *e);           // and inertias
    void (*joints)(impulses *e);          // arms, shifts, free motions
    void (*middle)(impulses *e);          // V_mid and V of the state between V_start and V
    void (*begin_loads)(impulses *e, double h, bool again); // p: momentum, gravity, gyroscopic
    void (*springs)(impulses *e, double h, bool again);     // into p
    void (*bias)(impulses *e, double ahead);                // beta by V_mid
    double (*open)(impulses *e); // beta that closes the joints; the largest opening
};
extern const impulse_bodies impulse_bodies_plain, impulse_bodies_avx2;

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
    // The same of a pair; h: the rows on its second body.
    void (*respond_pair)(impulses *e, impulse_patch *p, const impulse_four g[6],
                         const impulse_four h[6]);
    void (*couple_row)(const impulses *e, const impulse_response *a, const impulse_patch *b,
                       impulse_four *out);
    void (*couple_patches)(impulses *e); // all with each other, into W
    // Adds sum of lambda Z of the first `count` rows to V and u, and of contacts if that is all.
    void (*apply)(impulses *e, int count, const double *lambda);
};
extern const impulse_tree impulse_tree_plain, impulse_tree_avx2;

// ---- dense_lanes.c ----

// A symmetric matrix by rows of `stride`, a multiple of four, the upper part; `held` of its `count`
// rows are eliminated. Then forward: x = F^-1 b of those, b without them of the others; backward.
struct impulse_dense {
    // Rows and columns of W in the order of a list, and zeros to the end of a vector.
    void (*gather)(const double *W, int wide, const impulse_run_of *run, int run_count, double *L,
                   int stride, int count);
    void (*factor)(double *L, double *pivot, int stride, int held, int count);
    void (*forward)(const double *L, const double *pivot, int stride, int held, int count,
                    double *x);
    void (*backward)(const double *L, const double *pivot, int stride, int held, int count,
                     double *x);
};
extern const impulse_dense impulse_dense_plain, impulse_dense_avx2;

// ---- loads.c ----

// Impulses of everything but joints over h at t, from the velocities in V_mid: p, tau. beta: what
// joints add by themselves over `ahead`, s. again: only V_mid and formulas have changed since.
void impulse_loads(impulses *e, double h, double ahead, bool again);
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

// Tangents at a normal: across `axis`, and across both.
void impulse_contacts_axes(impulse_contact *k, const double axis[3]);
// Value of the row g of a contact by the velocities of its bodies in the state.
double impulse_contacts_leaving(const impulses *e, const impulse_contact *k);

// ---- pairs.c ----

// The points of pairs that touch, those that can close within h; h = 0: those that are closed.
void impulse_pairs_find(impulses *e, double h);
void impulse_pairs_keep(impulses *e, double h); // which still touch after a step
void impulse_pairs_leave(impulses *e, double speed);
// As the functions of contacts.c.
double impulse_pairs_met(impulses *e, double h); // INFINITY: none
double impulse_pairs_gap(impulses *e);
void impulse_pairs_join(impulses *e, double near);
// The pose of a body s after the start of a step of h.
void impulse_pose_on_the_way(const impulses *e, int body, double h, double s, double out[POSE]);

// ---- rows.c ----

void impulse_rows_make(impulses *e, double h);  // the rows that act now
void impulse_rows_begin(impulses *e, double h); // lambda from the last step
// Of a row beside the tree: e' at the end of the step without the part of the velocities; ahead: s,
// from the instant of the geometry to that of the velocities.
double impulse_rows_known(const impulses *e, int r, double ahead);
// Velocity of a row after an impact; sets the bounds of rows that do not act in no time to 0.
double impulse_rows_goal(impulses *e, int r, double value, double rest);
// Displacements in V that lift wheels out of the ground; false: none is needed.
bool impulse_rows_lift(impulses *e);

// ---- solvers: direct.c, sequential.c ----

struct impulse_solver {
    const char *name, *doc;
    bool (*begin)(impulses *e);  // joints are placed; false: a freedom without mass
    void (*couple)(impulses *e); // rows are made
    // From p, tau and beta to V and u that fulfil joints and rows (all: those of motors, limits and
    // contacts too).
    void (*velocities)(impulses *e, double h, double ahead, bool all);
    void (*keep)(impulses *e, double h); // what the next step begins with
    void (*close)(impulses *e);          // displacements in V and u that close the joints, by beta
    void (*impact)(impulses *e, double rest); // V and u after an impact from those before
    void (*lift)(impulses *e);                // displacements that change rows by -right
};

extern const impulse_solver impulse_direct, impulse_sequential;
// Room for it; MC_BAD_INPUT: a body without inertia.
mc_status impulse_sequence_make(impulses *e, void *(*array)(impulses *e, int count, size_t size),
                                mc_error *error);

// ---- bounded.c ----

// lambda of the rows with bounds, from right and W; lambda is the first guess.
void impulse_bounded(impulses *e, double h);
void impulse_lift(impulses *e);

// ---- slip.c ----

// Of the friction of tyres: whether there is any; its compliance about the slip as it is, by the
// tangent or the secant; the slip from lambda, and by how much it changes, m/s.
bool impulse_slip_begin(impulses *e, double h);
void impulse_slip_linearize(impulses *e, bool tangent);
double impulse_slip_take(impulses *e);
double impulse_slip_next(const impulses *e,
                         double change);              // m/s, bound of the next after a tangent
bool impulse_slip_slow(double change, double before); // take the secant next
// Its limit and scale; own: response of a row to itself.
void impulse_slip_scale(const impulses *e, impulse_contact *k, double h, double own);
