// tyre.h - the contract between a vehicle and a tyre law, and how to add a law of your own.
//
// A tyre law is a pure function from contact kinematics to contact force, evaluated over a batch of
// wheels: same arguments, same bits. It owns no memory; a law with transients declares states and
// the integrator stores them. ISO 8855 axes at the contact point: x forward in the wheel plane, y
// left, z up. SI units.
//
//     static const mc_tyre ice = {                  // eval: a function of the type mc_tyre_eval
//         .size = sizeof(mc_tyre), .name = "ice", .doc = "one stiffness, little friction",
//         .params = params, .param_count = 2, .eval = {eval},
//     };
//     mc_tyre_register(&ice, &error);               // then scenarios may say  tyre: ice
//
// States are written as  x' = -rate x + drive,  with a rate that depends on parameters alone:
// integrators propagate the decay exactly and sample only the drive. A rate of 0 means that the
// drive is all there is.
//
// Two uses. A wheel that rolls freely has no spin of its own: v_roll is NULL. A wheel with spin
// gives v_roll, and the law answers with combined slip, inside the friction circle, and with states
// that hold a standing car. Most laws serve both; one that serves free rolling only names its other
// half in `driven`.
//
// Left and right. A tyre that is not symmetric (conicity, plysteer) stands on the left as its
// coefficients say, and mirrored on the right: with v_y, camber and side, fy and mz change sign.
//
// Threads: the functions of a law are called by several threads at once, each for other wheels.
// mc_tyre_register may be called by any thread; scenarios that are read afterwards know the law.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

enum { MC_TYRE_PARAM_MAX = 48, MC_TYRE_STATE_MAX = 3 };

typedef struct mc_tyre_in { // arrays of one entry per wheel, aligned to 32 bytes
    const double *fz;       // N, normal load; <= 0 means the wheel has left the ground
    const double *v_x;      // m/s, contact point velocity along x
    const double *v_y;      // m/s, contact point velocity along y
    const double *v_roll;   // m/s, spin rate times effective radius; NULL: the wheel rolls freely
    const double *mu;       // -, friction of the road relative to the reference road; NULL: 1
    const void *context;    // mc_tyre.context of the law
    const double *camber;   // rad, the wheel turned about x: its top leans to the right; NULL: 0
    const double *side;     // 1: a wheel on the left, -1: on the right; NULL: 1
} mc_tyre_in;

typedef struct mc_tyre_out { // arrays of one entry per wheel, owned by the caller
    double *fx, *fy;         // N, force of the road on the wheel
    // N m, aligning moment about z. NULL: not needed. Else 0 before the call: a law without one
    // leaves it unchanged.
    double *mz;
} mc_tyre_out;

// p: param_count values. n: a multiple of 4. x, drive: state k of wheel i is at [k * n + i]. Cannot
// fail: ranges were checked when the vehicle was read. Finite input gives finite output.
typedef void mc_tyre_eval(const double *p, int n, const mc_tyre_in *in, const double *x,
                          double *drive, const mc_tyre_out *out);

// The file of a law whose coefficients come from one.
typedef struct mc_tyre_file {
    const char *text; // its bytes, followed by a '\0' that is not counted
    size_t size;
    const char *path; // for messages
    // Called for what is not an error but should be known, such as a key that is not read. May be
    // NULL.
    void (*note)(void *to, int line, int column, const char *text);
    void *to;
} mc_tyre_file;

typedef mc_status mc_tyre_load(const mc_tyre_file *file, void *context, mc_error *error);

typedef struct mc_tyre_state {
    const char *name, *unit;
    bool lateral; // changes sign when the car is mirrored
} mc_tyre_state;

enum { MC_EVAL_ANY, MC_EVAL_AVX2, MC_EVAL_COUNT }; // which processors a function is for

typedef struct mc_tyre mc_tyre;
struct mc_tyre {
    // ---- required ----
    size_t size;      // sizeof(mc_tyre); of the library's own laws 0
    const char *name; // the word used in a scenario: small letters, digits, "_"
    const char *doc;  // one line for the manual
    // For any processor; for those with AVX2 and FMA, NULL: the first one.
    mc_tyre_eval *eval[MC_EVAL_COUNT];

    // ---- optional ----
    const mc_param *params;
    int param_count; // at most MC_TYRE_PARAM_MAX
    // Of a law with states, per wheel: at most MC_TYRE_STATE_MAX, with a row and a rate each.
    int state_count;
    const mc_tyre_state *states;
    double (*state_rate)(const double *p, int k); // 1/s, decay of state k; not negative
    // Max rate of the states of a wheel under load fz at speeds up to v, including sliding, 1/s:
    // the stiffest pole of the law, which bounds the step of an explicit integrator. NULL: no
    // states, or all in state_rate.
    double (*stiffness)(const mc_tyre *tyre, const double *p, double fz, double v);
    const mc_tyre *driven; // for wheels with spin, same parameters; NULL: this one
    const void *context;   // passed to eval
    // Of a law that can be read from a file (`file` in a scenario): fills context_size bytes,
    // aligned to 32, which are the context of that tyre then. `context` is for those without a
    // file. A wrong file is MC_BAD_INPUT, with line and column.
    mc_tyre_load *load;
    size_t context_size;
};

// Adds a law, which must live as long as the program. MC_BAD_INPUT: it breaks a rule above, or its
// name is taken.
mc_status mc_tyre_register(const mc_tyre *tyre, mc_error *error);

// Law number `index`: those of the library in the order of the manual, then those that were added.
// NULL past the last.
const mc_tyre *mc_tyre_at(int index);

#include "motorcade/end.h"
