// runs.h - many runs of one scenario in memory: for optimization and for learning.
//
// To their ends, with their figures:
//
//     mc_scenario *scenario = mc_scenario_load("first.yaml", &error);
//     const char *names[] = {"follow.headway"};
//     double values[] = {0.6, 0.8, 1.0}, figures[3 * MC_FIGURE_COUNT];
//     mc_runs_request request = {.scenario = scenario, .count = 3, .names = names,
//                                .name_count = 1, .values = values};
//     status = mc_runs_play(&request, &(mc_runs_results){.figures = figures}, NULL, &error);
//
// Together, step by step, observed and acted upon from outside:
//
//     const mc_field fields[] = {MC_FIELD_V, MC_FIELD_GAP};
//     const char *driven[] = {"car1"};
//     request.fields = fields, request.field_count = 2;
//     request.driven = driven, request.driven_count = 1;
//     mc_runs *runs = mc_runs_create(&request, &error);
//     const mc_runs_arrays *a = mc_runs_arrays_of(runs);
//     while (a->state[0] == MC_RUNS_STATE_GOES) {
//         for (int k = 0; k < 3; k++)
//             a->action[k] = 0.5 * (a->observation[k * a->vehicle_count * 2] - 20.0);
//         status = mc_runs_step(runs, &error);
//     }
//     mc_runs_destroy(runs);
//
// Every run has the bits it would have alone, whatever the number of threads and the other runs.
// What differs between them are values, as mc_scenario_set takes them; "seed" is one of them. The
// files that the scenario names are not opened again.
//
// Actions are those of mc_run_accelerate or mc_run_drive and are kept in the log of each run, so
// mc_run_export gives a scenario that repeats an episode.
//
// Threads: runs are used by one thread at a time; they use threads of their own inside. The
// scenario may be shared, and may be freed before the runs.
#pragma once

#include "motorcade/figures.h"
#include "motorcade/quantity.h"
#include "motorcade/run.h"
#include "motorcade/watch.h"

#include "motorcade/begin.h"

enum {
    MC_RUNS_MAX = 1000000,
    MC_RUNS_TEXT = 400, // bytes of a text that says how a run ended
};

typedef enum mc_runs_action {
    MC_RUNS_ACTION_ACCELERATION, // one number: desired acceleration, m/s^2, -100 .. 100
    MC_RUNS_ACTION_PEDALS,       // three: throttle 0 .. 1, brake 0 .. 1, steer in rad, -1 .. 1
} mc_runs_action;

typedef struct mc_runs_request {
    const mc_scenario *scenario;
    int count;                // runs
    const char *const *names; // of values that differ: "follow.headway", "van.mass", "seed"
    int name_count;
    const double *values; // [run][name], SI; NULL without names
    int threads;          // 0: all cores
    bool interpret;       // formulas are never compiled: mc_run_options
    // Of runs that are stepped:
    const mc_field *fields; // to observe, of every vehicle; energy is NAN
    int field_count;
    const char *const *vehicles; // to observe; NULL: those at the start
    int vehicle_count;
    const char *const *driven; // vehicles that actions drive
    int driven_count;
    mc_runs_action action;
    int steps; // control steps of a step; 0: 1
} mc_runs_request;

// ---- to their ends -----------------------------------------------------------------------------

typedef struct mc_runs_results { // arrays of the caller, one entry per run; NULL: not asked for
    double *figures;             // [run][MC_FIGURE_COUNT], of the run; NAN: none
    double *cars;                // [run][vehicle][MC_FIGURE_COUNT], vehicles as at the start
    int car_count;               // vehicles of `cars`
    double *failed;              // expectations that fail; NAN: the run broke off
    unsigned long long *hash;    // of the state at the end; 0: the run broke off
    char (*ended)[MC_RUNS_TEXT]; // why it ended; "failed: ..." when it broke off
} mc_runs_results;

// A run whose values are rejected or whose numbers are not finite says so in `ended`; the others
// continue. MC_BAD_INPUT: the first run cannot be made. MC_INTERRUPTED: asked by the watch, whose
// progress is the number of runs done, called by any thread.
mc_status mc_runs_play(const mc_runs_request *request, const mc_runs_results *results,
                       const mc_watch *watch, mc_error *error);

// ---- step by step ------------------------------------------------------------------------------

typedef struct mc_runs mc_runs;

typedef enum mc_runs_state {
    MC_RUNS_STATE_GOES,
    MC_RUNS_STATE_ENDED,  // at the end of the scenario
    MC_RUNS_STATE_FAILED, // mc_runs_failure says why
} mc_runs_state;

// Written by mc_runs_step and mc_runs_reset, actions by the caller. They live as long as the runs
// and never move.
typedef struct mc_runs_arrays {
    int count, vehicle_count, field_count, driven_count;
    int action_count;    // numbers of an action
    double *observation; // [run][vehicle][field]; NAN: no such value, or no such vehicle now
    // [run][driven][action_count]; NAN first: its own controller drives, as at the start. Held.
    double *action;
    double *time; // [run], s
    int *hits;    // [run][vehicle], impacts it took part in since the start
    int *state;   // [run], mc_runs_state
} mc_runs_arrays;

// NULL: see *error.
mc_runs *mc_runs_create(const mc_runs_request *request, mc_error *error);
void mc_runs_destroy(mc_runs *runs); // NULL is allowed

const mc_runs_arrays *mc_runs_arrays_of(const mc_runs *runs);

// A step of every run that goes: its actions are carried out, `steps` control steps follow.
// MC_BAD_INPUT: an action is out of range; no run was stepped.
mc_status mc_runs_step(mc_runs *runs, mc_error *error);

// Back to the start, without actions. which: one entry per run, 0: it stays; NULL: all. values:
// [run][name], of the runs that are reset; NULL: as they were. Runs whose values change are built
// again; the others take their snapshot.
mc_status mc_runs_reset(mc_runs *runs, const unsigned char *which, const double *values,
                        mc_error *error);

// One of them, to read, command, edit and restore; it must not be stepped by itself. After an edit
// or a restore mc_runs_observe is called. Lives until it is reset.
mc_run *mc_runs_at(mc_runs *runs, int index);
void mc_runs_observe(mc_runs *runs); // fills in the arrays again, except for the actions
const char *mc_runs_failure(const mc_runs *runs, int index); // "": it has not failed

#include "motorcade/end.h"
