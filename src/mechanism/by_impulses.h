// by_impulses.h - a mechanism in the engine of impulses.
#pragma once

#include "impulses/impulses.h"
#include "mechanism/recording.h"

typedef struct impulse_run {
    mc_multibody *m;
    arena memory;
    impulse_model model;
    impulses *engine;
    int *pair_contact; // of every pair of the engine: the contact of the file
    int *place;        // of every body of the mechanism in the list of the engine
    int load_formula;  // first of the loads of rows beside the tree, per multiplier
    const double *by;  // their values at the last row
    bool stepped;
    struct dips *dips; // parts below the ground, of a run with results
} impulse_run;

mc_status impulse_run_make(mc_multibody *m, const mc_simulate_options *options, impulse_run *out,
                           mc_error *error);
// stability.c: the longest stable step about the state y, without contacts; 0: none is known.
mc_status simulate_stability(mc_multibody *m, double t, const double *y, double *bound,
                             mc_error *error);
void impulse_run_free(impulse_run *r);
// The state now, and what the loads of rows beside the tree are made of.
void impulse_run_read(impulse_run *run, double t, double *y);
// The loads of joints among the outputs become those of the impulses; context: an impulse_run.
void impulse_run_amend(void *context, double *outputs);
// State and outputs of a row now, as `motorcade simulate` records it.
void impulse_run_row(impulse_run *run, double t, double *y, double *outputs);
// The terrain of the file, or the plane z = 0.
impulse_ground impulse_ground_of(const mb_model *model);
