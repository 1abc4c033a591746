// powertrain.h - the built-in powertrains: their names and parameters, and the steady speeds of a
// car at constant throttle.
//
//     mc_powertrain_steady rows[8];
//     int count;
//     const char *names[] = {"as_printed"};
//     const double values[] = {1.0};
//     mc_powertrain_set set = {names, values, 1};
//     mc_powertrain_steady_speeds("converter", &set, 0.2, rows, 8, &count, &error);
//
// Texts and tables live as long as the program.
//
// Threads: tables are constant; every function may be called from any thread.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_powertrain {
    const char *name, *doc;
    const mc_param *params;
    int param_count;
} mc_powertrain;

// Kind number `index` in the order of the manual. false: past the end, *out is untouched.
bool mc_powertrain_at(int index, mc_powertrain *out);
bool mc_powertrain_find(const char *name, mc_powertrain *out); // any case; false: unknown

// The kind that is taken where the user names none.
typedef enum mc_powertrain_role {
    MC_POWERTRAIN_ROLE_MODEL,   // models of scenarios
    MC_POWERTRAIN_ROLE_MILEAGE, // the bench on which DYNAVIS compares gas mileage
    MC_POWERTRAIN_ROLE_COUNT
} mc_powertrain_role;
const char *mc_powertrain_default(mc_powertrain_role role); // its name

// Other values than the defaults: parameters of the powertrain, else of the car (drag_2,
// max_speed).
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
    bool stable;     // 1: the car returns to it, 0: it departs from it on either side
} mc_powertrain_steady;

// All steady speeds between 0 and the top speed, slowest first, at most `max`; *count: how many.
// set may be NULL. MC_BAD_INPUT: unknown kind or parameter, a value or throttle out of range.
mc_status mc_powertrain_steady_speeds(const char *kind, const mc_powertrain_set *set,
                                      double throttle, mc_powertrain_steady *out, int max,
                                      int *count, mc_error *error);

#include "motorcade/end.h"
