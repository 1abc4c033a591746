// verify.h - how a benchmark is written, for the files of this folder.
//
// A benchmark is one row of the table in verify.c. Either its model and its checks say all (a
// mechanism, its values at given times), or `run` does it by itself and calls verify_note for every
// number. Checks of a row must be in order of time.
#pragma once

#include "motorcade/multibody.h"
#include "motorcade/verify.h"
#include "num/ode.h"

// ---- the table ---------------------------------------------------------------------------------

#define VERIFY_PERIOD (-1.0) // time of a check: the period of the quantity, counted at its zeros

typedef struct verify_check {
    const char *quantity; // any name of mc_multibody_find but inputs and parameters
    double time;          // s, >= 0, or VERIFY_PERIOD, before all others
    double reference;
    double digits; // required
} verify_check;

typedef struct verify_sink verify_sink; // takes the numbers of one benchmark

typedef struct verify_benchmark {
    mc_verify_benchmark text;
    mc_status (*run)(verify_sink *sink, mc_error *error); // NULL: by what follows
    const char *model;                                    // YAML text
    const char *method;                                   // of num/ode.h
    double tolerance;                                     // relative and absolute
    const verify_check *check;
    int check_count;
    double drift_digits; // of the energy, required; 0: it is not constant
} verify_benchmark;

extern const verify_benchmark verify_pendulum, verify_governor, verify_double_pendulum,
    verify_n_pendulum, verify_top_steady, verify_top_nutation, verify_free_body, verify_racket,
    verify_medusa_print, verify_slider_crank, verify_four_bar, verify_windows, verify_andrews,
    verify_andrews_pins, verify_bricard, verify_car_axis, verify_governor_loops, verify_iltis;

// What mc_verify_run does, for a row that need not be in the table.
mc_status verify_run(const verify_benchmark *benchmark, mc_verify_report *report, void *context,
                     mc_verify_summary *summary, mc_error *error);

// ---- numbers -----------------------------------------------------------------------------------

// Compares a value; quantity is a printf format for what follows it.
void verify_note(verify_sink *sink, double value, double reference, double digits,
                 const char *quantity, ...) __attribute__((format(printf, 5, 6)));

// The reference is a number printed in the form %.6e; the value passes when it prints the same.
void verify_note_print(verify_sink *sink, double value, const char *printed, const char *quantity,
                       ...) __attribute__((format(printf, 4, 5)));

// ---- mechanisms in motion ----------------------------------------------------------------------

// The energy is watched all the time: energy.total, and what dampers took if the model has a state
// of the name "lost".
typedef struct verify_motion {
    mc_multibody *m;
    ode *o;
    double *y, *out; // state and outputs at the time reached
    double time;
    double energy_start, max_energy, energy_change; // J; the last two: largest so far
    int energy, kinetic, lost;                      // places in out, out, y; lost -1: none
    bool started;
} verify_motion;

// On failure everything is freed; else verify_motion_close frees it.
mc_status verify_motion_open(verify_motion *motion, const char *model, const char *name,
                             const char *method, double tolerance, mc_error *error);
void verify_motion_close(verify_motion *motion);

// Another start value than that of the model, before the first verify_motion_to.
mc_status verify_motion_put(verify_motion *motion, const char *name, double value, mc_error *error);

// Moves to that time, which may be behind.
mc_status verify_motion_to(verify_motion *motion, double time, mc_error *error);

// A coordinate, velocity, state or output at the time reached.
mc_status verify_motion_get(verify_motion *motion, const char *name, double *value,
                            mc_error *error);

// Moves on to the next zero of a coordinate or velocity; looks at intervals of `step`. MC_FAILED
// when there is none before `limit`.
mc_status verify_motion_zero(verify_motion *motion, const char *name, double step, double limit,
                             mc_error *error);

// Notes the largest change of the energy as a number that should be 0.
void verify_motion_note_drift(verify_sink *sink, const verify_motion *motion, double digits,
                              const char *quantity);
