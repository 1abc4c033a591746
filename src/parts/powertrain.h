// powertrain.h - the contract between a vehicle and its engine, converter and gears.
//
// A powertrain maps throttle and road speed to the force at the driven wheels, over a batch of
// vehicles in lanes: same arguments, same bits. It owns no memory; its states (engine speed,
// manifold pressure) are stored and integrated by the vehicle. Parameters are per vehicle: value k
// of vehicle i is p[k * n + i]. SI units, except engine speed in rpm as in the report's equations.
//
// Use
//     kind->hold[cpu](p, n, throttle, held);      // once whenever throttle or parameters change
//     kind->eval[cpu](p, n, &in, x, dx, &out);    // at every stage of a step
// hold is there for speed: what depends on throttle and parameters alone is worked out once.
// Functions for one vehicle (settle, invert, step_bound) take its parameters in a row.
#pragma once

#include "base/cpu.h"
#include "motorcade/param.h"
#include "motorcade/powertrain.h"
#include "motorcade/vehicle_model.h"

#include <stdbool.h>

enum { POWERTRAIN_PARAM_MAX = 64, POWERTRAIN_STATE_MAX = 3, POWERTRAIN_HELD_MAX = 32 };

typedef struct powertrain_in { // arrays of one entry per vehicle, aligned to 32 bytes
    const double *throttle;    // -, 0..1, held over a control step; not read when `held` is given
    const double *v;           // m/s, along the road; may be negative
    const double *held;        // what hold() made of the throttle; NULL: eval does it itself
    // -, 0..1: share of what the driver asks above the closed throttle that a speed limiter lets
    // through; NULL: all of it.
    const double *cut;
} powertrain_in;

typedef struct powertrain_out { // arrays of one entry per vehicle, owned by the caller
    double *force;              // N, at the driven wheels
    double *fuel;               // kg/s
    double *input_power;        // W, indicated power of the engine
    double *rpm;                // engine speed
    // A whole number below 65536 that changes where the equations have a kink (an interval of a
    // table, a clamp): an integrator that sees two different ones shortens its step. The force
    // itself never jumps.
    double *region;
    double *shaft_power; // W, from the engine into converter and gears
    double *ratio;       // rpm s/m, turbine or clutch speed over road speed
} powertrain_out;        // any but force may be NULL: not needed

// n: a multiple of 4. throttle: 0..1. held: value k of vehicle i at [k * n + i].
typedef void powertrain_hold(const double *p, int n, const double *throttle, double *held);

// x, dx: state k of vehicle i is at [k * n + i]. State 0 is the engine speed in rpm.
typedef void powertrain_eval(const double *p, int n, const powertrain_in *in, const double *x,
                             double *dx, const powertrain_out *out);

// The steady inverse of n vehicles at once, for controllers: throttle, 0..1, that gives `force` at
// speed v; clamped to what there is. Good to 5e-5 of the force, and so continuous. Parameter k of
// vehicle i is at p[i / 4][k * stride + i % 4].
typedef void powertrain_plan(const double *const *p, int stride, int n, const double *v,
                             const double *force, double *throttle);

typedef struct powertrain_kind {
    const char *name; // the word used in a scenario
    const char *doc;
    const mc_param *params;
    int param_count;
    int state_count;
    const mc_channel *states; // names and units of state 1 on; NULL: there are none
    int held_count;
    powertrain_hold *hold[CPU_LEVEL_COUNT];
    powertrain_eval *eval[CPU_LEVEL_COUNT];
    powertrain_plan *plan[CPU_LEVEL_COUNT];
    // Longest inner step for which the explicit integrator is stable, s.
    double (*step_bound)(const double *p);
    // States of one vehicle in the steady state at this speed and throttle; with several, the one
    // of the fastest engine.
    void (*settle)(const double *p, double v, double throttle, double *x);
    // Throttle, 0..1, that gives `force` at speed v in the steady state; clamped to what there is.
    double (*invert)(const double *p, double v, double force);
    // What the ranges of single parameters cannot say; false: text says what is wrong. NULL:
    // nothing.
    bool (*check)(const double *p, char *text, int size);
    // settle and invert are those of powertrain_steady.h, which can take some vehicles at once;
    // others: states beside the engine speed, as settled at one; NULL: none.
    bool searched;
    void (*others)(const double *p, double throttle, double *x);
    bool built_in; // its equations are those of powertrain_built_in.h
} powertrain_kind;

const powertrain_kind *powertrain_kind_at(int index);          // NULL past the end
const powertrain_kind *powertrain_kind_find(const char *name); // any case; NULL if unknown
void powertrain_defaults(const powertrain_kind *kind, double p[POWERTRAIN_PARAM_MAX]);

// ---- one vehicle ----

typedef struct powertrain_values {
    double force, fuel, input_power, shaft_power, ratio, region; // as in powertrain_out
    double rate[POWERTRAIN_STATE_MAX];
} powertrain_values;

// eval of one vehicle: p and x in a row.
void powertrain_look(const powertrain_kind *kind, const double *p, double throttle, double v,
                     const double *x, powertrain_values *out);

// State k by its name.
void powertrain_state_name(const powertrain_kind *kind, int k, mc_state_name *out);

// Force in the steady state, N.
double powertrain_steady_force(const powertrain_kind *kind, const double *p, double v,
                               double throttle);

// The kinds, in the order of the manual. A new one is a file that defines powertrain_WORD, and its
// word here: kind(WORD), or chosen(WORD, what) of one that the library takes by itself.
#define POWERTRAIN_KINDS(kind, chosen)                                                             \
    chosen(converter, MODEL) chosen(manifold, MILEAGE) kind(gears) kind(lookup) kind(direct)
#define POWERTRAIN_DECLARE(word) extern const powertrain_kind powertrain_##word;
#define POWERTRAIN_DECLARE_CHOSEN(word, role) POWERTRAIN_DECLARE(word)
POWERTRAIN_KINDS(POWERTRAIN_DECLARE, POWERTRAIN_DECLARE_CHOSEN)

const powertrain_kind *powertrain_default(mc_powertrain_role role);
