// powertrain.h - the built-in powertrains: what they are called, what can be set, which speeds a
// car keeps with its throttle held.
//
//     mc_powertrain_steady rows[8];
//     int count;
//     const char *names[] = {"as_printed"};
//     const double values[] = {1.0};
//     mc_powertrain_set set = {names, values, 1};
//     mc_powertrain_steady_speeds("converter", &set, 0.2, rows, 8, &count, &error);
//
// Texts and tables live as long as the program.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_powertrain {
    const char *name, *doc;
    const mc_param *params;
    int param_count;
} mc_powertrain;

// Kind number `index` in the order of the manual. 0: past the end, *out is untouched.
int mc_powertrain_at(int index, mc_powertrain *out);
int mc_powertrain_find(const char *name, mc_powertrain *out); // any case; 0: unknown

// Other values than the defaults: parameters of the powertrain, else of the car (drag_2,
// speed_most).
typedef struct mc_powertrain_set {
    const char *const *names; // any case
    const double *values;     // in the unit of the parameter
    int count;
} mc_powertrain_set;

// A speed at which the force of the settled powertrain equals the drag on a level road.
typedef struct mc_powertrain_steady {
    double throttle; // -, 0..1
    double v;        // m/s
    double n;        // rpm, engine speed
    double force;    // N, at the wheels: the drag
    double fuel;     // kg/s
    int stable;      // 1: the car comes back to it, 0: it leaves it on either side
} mc_powertrain_steady;

// All steady speeds between 0 and the top speed, slowest first, at most `most`; *count: how many.
// set may be NULL. MC_BAD_INPUT: unknown kind or parameter, a value or throttle out of range.
mc_status mc_powertrain_steady_speeds(const char *kind, const mc_powertrain_set *set,
                                      double throttle, mc_powertrain_steady *out, int most,
                                      int *count, mc_error *error);

#ifdef __cplusplus
}
#endif
