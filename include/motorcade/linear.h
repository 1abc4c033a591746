// linear.h - equilibria of a mechanism, and its small motions about a state.
//
//     mc_multibody_start(car, y);
//     mc_multibody_equilibrium(car, y, NULL, NULL, &error);        // y becomes an equilibrium
//     mc_linear linear;
//     mc_multibody_linearize(car, 0.0, y, NULL, &linear, &error);
//     for (int k = 0; k < linear.count; k++)
//         printf("%g Hz\n", linear.modes[k].frequency);
//     mc_linear_free(&linear);
//
// Small motions. A state near y is given by x = (dp, dv, ds): dp, one entry per velocity, moves the
// coordinates by dq = N(q) dp with q' = N(q) v; dv and ds are changes of velocities and states. So
// a quaternion has three small rotations about the axes of its body, and no direction is redundant:
//
//     x' = A x + B u,     u: inputs, then generalised forces dual to the velocities.
//
// Coordinates that change during the motion (a spinning top) are accounted for: at velocities that
// are not zero, dp' = dv + N^+ (d(N v)/dq N - N') dp. The eigenvalues describe the motion as long
// as A stays about the same; this is exact at an equilibrium and in steady motions with constant A.
//
// Holding. A held coordinate is kept in place by whatever force that takes; this force acts on the
// others. A held state keeps its value. Names: a coordinate ("arm.angle"), a velocity
// ("chassis.wz": the motion along it), a state. One part of a quaternion, or of Euler angles of a
// free body, holds its whole rotation; a position coordinate of a body whose velocities are in body
// axes holds its whole translation.
//
// Threads: a mechanism is used by one thread at a time, as in multibody.h. A result belongs to the
// caller and does not change.
#pragma once

#include "motorcade/multibody.h"

#include <stdbool.h>

#include "motorcade/begin.h"

// ---- equilibrium -----------------------------------------------------------------------------

typedef struct mc_equilibrium_options { // NULL or all zero: the defaults
    double t;                           // s, for formulas that use the time
    const char *const *hold;
    int hold_count;
    double tolerance;   // largest acceleration or rate that may remain, SI; 0: 1e-9
    int max_iterations; // 0: 1000
    double *holding;    // v_count, may be NULL: gets the forces that hold, dual to the velocities
    // m/s^2, three in world axes, may be NULL: a steady acceleration of all masses instead of rest.
    // Bodies must hang on free ones with velocities in world axes.
    const double *acceleration;
    bool standing; // place and heading of free bodies and the turns of wheels are held, too
    // Outputs of a row of a run, may be NULL: the forces along the ground that wheels have there
    // act on them; without, wheels at rest have none.
    const double *along;
    double *outputs; // output_count, may be NULL: gets the outputs there, with those of wheels
    double *loads;   // v_count, may be NULL: gets what holds and what the ground does to wheels
} mc_equilibrium_options;

typedef struct mc_equilibrium_report {
    int iterations;
    double residual;  // largest acceleration or rate of a state that remains, SI
    char worst[128];  // whose: name of a coordinate or state
    int unheld_count; // directions in which the mechanism can be moved and stays in equilibrium
} mc_equilibrium_report;

// All velocities, all accelerations and all rates of user-defined states are 0. y: in the start,
// out the solution. A start that is an equilibrium is kept; from elsewhere the mechanism sinks, as
// in thick oil, to an equilibrium that is stable if forces have a potential, and Newton's method
// adds the last digits. Directions without restoring force do not change. MC_FAILED: no equilibrium
// found; names the coordinate with the largest acceleration; y is where it sank to, report is
// filled. report, error may be NULL.
//
// Loops stay closed, and constraints met, on the way and at the end; held coordinates stay where
// they are, if the loops can be closed around them. A prescribed motion stands still at its value
// at time t; its load, and those of all joints, are outputs (mc_multibody_outputs_under with
// `holding`). Wheels stand on the ground by their tyre springs.
mc_status mc_multibody_equilibrium(mc_multibody *m, double *y,
                                   const mc_equilibrium_options *options,
                                   mc_equilibrium_report *report, mc_error *error);

// Where a run begins: y has the start values and what was set. If the file says `from: rest`, its
// coordinates become an equilibrium and its velocities stay; otherwise nothing changes.
mc_status mc_multibody_settle(mc_multibody *m, double *y, mc_error *error);

// ---- small motions ---------------------------------------------------------------------------

typedef struct mc_linear_options { // NULL or all zero: nothing is held
    const char *const *hold;
    int hold_count;
    const char *const *moves; // closed mechanisms: velocities that name the motions; 0: chosen
    int move_count;
} mc_linear_options;

typedef struct mc_linear_mode {
    double real, imaginary; // of the eigenvalue, 1/s
    double frequency;       // Hz, of the motion: |imaginary| / 2 pi
    double damping;         // ratio, -real / |eigenvalue|; 0 for a rigid mode
    double time_constant;   // s, -1 / real: negative when growing, INFINITY when neither
    bool rigid;             // eigenvalue 0: set to exactly 0
} mc_linear_mode;

typedef struct mc_linear {
    int count;          // of x: 2 position_count + state_count
    int position_count; // dp, and as many dv
    int state_count;
    int input_count;           // of u
    const char **name, **unit; // count, of x
    double *along;             // q_count x position_count, column major: dq by dp, loops closed
    const char **input_name;   // input_count, of u; forces are called "force on NAME"
    double *A;                 // count x count, column major
    double *B;                 // count x input_count, column major
    // Rigid modes first, then by |eigenvalue|; of a pair the one with imaginary > 0 first.
    mc_linear_mode *modes; // count
    int rigid_count;       // zeros among the eigenvalues
    // Right eigenvectors, one per column: shape of mode k at [i + count k]. The largest of dp and
    // ds is 1. Left ones (w^H A = lambda w^H) of length 1.
    double *shape_real, *shape_imaginary;
    double *left_real, *left_imaginary;
    // Share of entry i in mode k, at [i + count k]: |left| |right|, columns sum to 1. Unlike
    // amplitudes, shares of lengths and angles can be compared.
    double *share;
    double t, *y;      // where
    const char **held; // names of velocities and states that are held
    int held_count;
    void *memory; // the rest is inside
} mc_linear;

mc_status mc_multibody_linearize(mc_multibody *m, double t, const double *y,
                                 const mc_linear_options *options, mc_linear *out, mc_error *error);
void mc_linear_free(mc_linear *linear);

// d(eigenvalue)/d(parameter) of every mode (count values each), from symbolic derivatives of A. The
// parameter may also be an input. at_equilibrium: y is a rest and moves with the parameter;
// otherwise y stays. Values of the model must be those `at` was made with. A rigid mode and a mode
// whose eigenvectors have merged (critical damping) have none: NAN. Of equal eigenvalues, the
// values hold for the vectors given.
mc_status mc_multibody_sensitivity(mc_multibody *m, const mc_linear *at, const char *parameter,
                                   bool at_equilibrium, double *real, double *imaginary,
                                   mc_error *error);

#include "motorcade/end.h"
