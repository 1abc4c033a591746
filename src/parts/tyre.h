// tyre.h - the contract between a vehicle model and a tyre law.
//
// A tyre law is a pure function from contact kinematics to contact force, evaluated over a batch
// of wheels: same arguments, same bits. It owns no memory; a law with transients declares states
// and the integrator stores them. ISO 8855 axes at the contact point: x forward in the wheel
// plane, y left, z up. SI units.
//
// States are written as  x' = -rate x + drive,  with a rate that depends on parameters alone:
// integrators propagate the decay exactly and sample only the drive. A rate of 0 means that the
// drive is all there is.
//
// Two uses. A wheel that rolls freely has no spin of its own: v_roll is NULL. A wheel with spin
// (parts/wheel.h) gives v_roll, and the law answers with combined slip, inside the friction circle,
// and with states that hold a standing car. Most laws serve both; one that serves free rolling only
// names its other half in `driven`, and tyre_for_spin() gives the half to use.
//
// A law made at run time (tyre_formula.h) has a context; who calls eval hands it on:
//
//     const tyre_in in = {.fz = fz, .v_x = v_x, .v_y = v_y, .v_roll = v_roll, .mu = mu,
//                         .context = kind->context};
//     kind->eval[cpu](p, n, &in, x, drive, &(tyre_out){fx, fy});
#pragma once

#include "base/cpu.h"
#include "motorcade/param.h"

#include <stdbool.h>

enum { TYRE_PARAM_MAX = 16, TYRE_STATE_MAX = 3 };

typedef struct tyre_in {  // arrays of one entry a wheel, aligned to 32 bytes
    const double *fz;     // N, normal load; <= 0 means the wheel has left the ground
    const double *v_x;    // m/s, contact point velocity along x
    const double *v_y;    // m/s, contact point velocity along y
    const double *v_roll; // m/s, spin rate times effective radius; NULL: the wheel rolls freely
    const double *mu;     // -, friction of the road relative to the reference road; NULL: 1
    const void *context;  // tyre_kind.context of the law
} tyre_in;

typedef struct tyre_out { // arrays of one entry a wheel, owned by the caller
    double *fx, *fy;      // N, force of the road on the wheel
} tyre_out;

// p: param_count values. n: a multiple of 4. x, drive: state k of wheel i is at [k * n + i].
// Cannot fail: ranges were checked when the vehicle was read. Finite input gives finite output.
typedef void tyre_eval(const double *p, int n, const tyre_in *in, const double *x, double *drive,
                       const tyre_out *out);

typedef struct tyre_state {
    const char *name, *unit;
    bool lateral; // changes sign when the car is mirrored
} tyre_state;

typedef struct tyre_kind {
    const char *name; // the word used in a vehicle file, for example "calspan"
    const char *doc;
    const mc_param *params;
    int param_count;
    int state_count;                              // per wheel; 0 for a steady-state law
    double (*state_rate)(const double *p, int k); // 1/s, decay of state k; not negative
    tyre_eval *eval[CPU_LEVEL_COUNT];
    const tyre_state *states;       // state_count rows
    const struct tyre_kind *driven; // for wheels with spin, same parameters; NULL: this one
    // Greatest rate of the states of a wheel under load fz at speeds up to v, sliding included,
    // 1/s: the stiffest pole of the law, which bounds the step of an explicit integrator. NULL: no
    // states, or all in state_rate.
    double (*stiffness)(const struct tyre_kind *kind, const double *p, double fz, double v);
    const void *context; // of a law made at run time, else NULL
} tyre_kind;

static inline const tyre_kind *tyre_for_spin(const tyre_kind *kind)
{
    return kind->driven ? kind->driven : kind;
}

// All kinds, in the order of the manual.
const tyre_kind *tyre_kind_at(int index);          // NULL past the end
const tyre_kind *tyre_kind_find(const char *name); // any case; NULL if unknown

// The kinds themselves; tyre.c lists them.
extern const tyre_kind tyre_calspan, tyre_linear, tyre_brush, tyre_none;
extern const tyre_kind tyre_calspan_driven; // not in the list: the other half of calspan

// Whether wheels of one law can go on under the other with the states they have: the same law, or
// two made at run time whose states have the same names.
bool tyre_same_states(const tyre_kind *a, const tyre_kind *b);

void tyre_defaults(const tyre_kind *kind, double p[TYRE_PARAM_MAX]);
