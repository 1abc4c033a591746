// estimator.h - the contract of estimators: parameters of a car found from what can be measured on
// it while it drives.
//
// An estimator is attached to a car of a run. At every control step it is given the measurements of
// that instant and moves on; it can be read at any time. It only watches: the car's motion does not
// depend on it. Kinds of the library are files estimator_*.c and one word in estimators.c; the
// user's own are formulas (estimator_formula.h).
//
//     kind->start(kind, p, in, state);
//     each control step:  kind->step(kind, p, in, dt, state);
//     kind->read(kind, p, state, &result);
//
// p: param_count values. in: ESTIMATOR_SIGNAL_COUNT values. state: state_count doubles, which can
// be saved as they are. Nothing allocates; a kind is immutable and may be used by several threads.
#pragma once

#include "control/signal.h"

#include <stdbool.h>

enum estimator_signal {
    ESTIMATOR_T,
    ESTIMATOR_DT,
    ESTIMATOR_X,
    ESTIMATOR_V,
    ESTIMATOR_A,
    ESTIMATOR_GAP,
    ESTIMATOR_V_FRONT,
    ESTIMATOR_SLOPE,
    ESTIMATOR_THROTTLE,
    ESTIMATOR_BRAKE,
    ESTIMATOR_DESIRED,
    ESTIMATOR_BRAKING,     // 1: throttle closed, brake at work, car in motion
    ESTIMATOR_BRAKE_FORCE, // NAN: the car has none
    ESTIMATOR_COAST_FORCE, // NAN: not known
    ESTIMATOR_MASS,        // nominal
    ESTIMATOR_USER_1,
    ESTIMATOR_USER_8 = ESTIMATOR_USER_1 + 7,
    ESTIMATOR_SIGNAL_COUNT
};
extern const law_signal_row estimator_signals[ESTIMATOR_SIGNAL_COUNT];

enum { ESTIMATOR_STATE_MAX = 64, ESTIMATOR_PARAM_MAX = 32 };

typedef struct estimator_result {
    double value; // NAN: nothing is known yet
    double band;  // half width of the band around it; NAN: the kind gives none
    bool active;  // at work now
    bool claimed; // the value can be trusted; a kind without a band always says so
    bool finite;  // false: it broke down
} estimator_result;

typedef struct estimator_kind estimator_kind;
struct estimator_kind {
    const char *name, *doc;
    const char *parameter; // of a vehicle, that it estimates; "": none of them
    const char *unit;      // of the estimate
    const mc_param *params;
    int param_count;
    // What user1 .. user8 of a car mean to it: names, and values for those that are 0 when it is
    // attached. NULL: not used.
    const mc_param *user[8];
    int state_count;
    unsigned needs; // bits by estimator_signal: those a car must have
    const void *context;

    void (*start)(const estimator_kind *kind, const double *p, const double *in, double *state);
    // dt seconds after the last call; between the two, measurements moved in straight lines.
    void (*step)(const estimator_kind *kind, const double *p, const double *in, double dt,
                 double *state);
    void (*read)(const estimator_kind *kind, const double *p, const double *state,
                 estimator_result *out);
};

const estimator_kind *estimator_at(int index);          // NULL: past the end
const estimator_kind *estimator_find(const char *name); // any case; NULL: unknown
