// plan.h - what a sweep is: its axes, its runs, and the head of its file that says so.
//
// The head is comment lines, one thing a line, and the names of the columns:
//
//     # motorcade sweep: journal            or: table
//     # version: 0.1.0
//     # scenario: mass of the cars
//     # scenario hash: 0123456789abcdef     of its text and the files it names
//     # set: time.end=30
//     # axis: mass [kg] = 1200:2400:50
//     # random: 100 points, seed 7          only then
//     # correlate: mass,follow.k1=0.8       only then
//     # runs: 25
//     # shard: 2/4                          only then
//     # units: -,kg,-,-,...
//     run,mass,ended,failed,collisions,...
//
// Two files belong to one sweep when their heads agree but for the first line and the shard. A plan
// is made from a request, or read back from a head.
#pragma once

#include "base/arena.h"
#include "motorcade/sweep.h"

typedef struct sweep_plan {
    arena memory;
    const char *version, *title;
    unsigned long long hash; // of the scenario
    const char **sets;
    int set_count;
    mc_sweep_axis axes[MC_SWEEP_AXIS_MAX];
    int axis_count;
    int random;
    unsigned long long seed;
    const char **correlate; // as requested
    int correlate_count;
    // Of the normal variables behind the draws: x = L z, lower triangular; used when correlated.
    double factor[MC_SWEEP_AXIS_MAX][MC_SWEEP_AXIS_MAX];
    int run_count;
    int shard, shard_count; // from 1; 1 of 1: all
} sweep_plan;

// Axes, seeds, draws, shard of a request; the scenario's part is left open. Freed also on failure.
mc_status sweep_plan_make(sweep_plan *p, const mc_sweep_request *request, mc_error *error);
void sweep_plan_free(sweep_plan *p);

double sweep_plan_value(const sweep_plan *p, int run, int axis);
int sweep_plan_share(const sweep_plan *p);         // runs of the shard
bool sweep_plan_has(const sweep_plan *p, int run); // a run of the shard
bool sweep_figure_of_run(mc_figure_id id);         // a column: it has a value for the run
int sweep_column_count(const sweep_plan *p);       // of a row

// The head as text, to be freed; NULL: no memory. complete: of a table.
char *sweep_plan_head(const sweep_plan *p, bool complete);

// The plan of a head at the start of text. *size: its bytes. MC_BAD_INPUT: there is no head, or one
// that is not whole or not understood; file is for the message.
mc_status sweep_plan_read(sweep_plan *p, const char *text, const char *file, size_t *size,
                          bool *complete, mc_error *error);

// "run,value,value," of a run, the start of its row; returns its length. Rooms for all axes.
enum { SWEEP_START_SIZE = 16 + MC_SWEEP_AXIS_MAX * 32 };
int sweep_plan_start(const sweep_plan *p, int run, char out[SWEEP_START_SIZE]);
