// tyre.h - the contract between a vehicle model and a tyre law.
//
// A tyre law is a pure function from contact kinematics to contact force, evaluated over a batch
// of wheels: same arguments, same bits. It owns no memory; a law with transients declares states
// and the integrator stores them. ISO 8855 axes at the contact point: x forward in the wheel
// plane, y left, z up. SI units.
//
// States are written as  x' = -rate x + drive,  with a rate that depends on parameters alone:
// integrators propagate the decay exactly and sample only the drive.
#pragma once

#include "base/cpu.h"
#include "motorcade/param.h"

enum { TYRE_PARAM_MAX = 16, TYRE_STATE_MAX = 2 };

typedef struct tyre_in { // arrays of one entry a wheel, aligned to 32 bytes
    const double *fz;    // N, normal load; <= 0 means the wheel has left the ground
    const double *v_x;   // m/s, contact point velocity along x
    const double *v_y;   // m/s, contact point velocity along y
} tyre_in;

typedef struct tyre_out { // arrays of one entry a wheel, owned by the caller
    double *fx, *fy;      // N, force of the road on the wheel
} tyre_out;

// p: param_count values. n: a multiple of 4. x, drive: state k of wheel i is at [k * n + i].
// Cannot fail: ranges were checked when the vehicle was read. Finite input gives finite output.
typedef void tyre_eval(const double *p, int n, const tyre_in *in, const double *x, double *drive,
                       const tyre_out *out);

typedef struct tyre_kind {
    const char *name; // the word used in a vehicle file, for example "calspan"
    const char *doc;
    const mc_param *params;
    int param_count;
    int state_count;                              // per wheel; 0 for a steady-state law
    double (*state_rate)(const double *p, int k); // 1/s, decay of state k
    tyre_eval *eval[CPU_LEVEL_COUNT];
} tyre_kind;

// All kinds, in the order of the manual.
const tyre_kind *tyre_kind_at(int index);          // NULL past the end
const tyre_kind *tyre_kind_find(const char *name); // any case; NULL if unknown

// The kinds themselves; tyre.c lists them.
extern const tyre_kind tyre_calspan, tyre_none;

void tyre_defaults(const tyre_kind *kind, double p[TYRE_PARAM_MAX]);
