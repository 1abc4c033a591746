// sweep.h - one scenario, many values: how robust a design is.
//
//     const char *vary[] = {"mass=1200:2400:50", "follow.headway=0.8,1,1.2"};
//     mc_sweep *sweep = mc_sweep_open(&(mc_sweep_request){.scenario = "platoon.yaml",
//                                                         .table = "sweep.csv",
//                                                         .vary = vary, .vary_count = 2}, &error);
//     status = mc_sweep_play(sweep, NULL, &error);       // all cores; resumes where it left off
//     mc_sweep_close(sweep);
//     status = mc_sweep_draw("sweep.csv", NULL, 0, "sweep.svg", &error);
//
// Axes. NAME=FROM:TO:STEP includes both ends, computed in decimal: 0.4:1.2:0.2 is 0.4, 0.6, 0.8, 1
// and 1.2. NAME=A,B,C takes what is listed. A unit may follow, after a blank: "v=50:90:10 km/h".
// Names are those of mc_scenario_set. Runs are numbered from 0; the last axis changes fastest. With
// `random`, points are drawn instead: uniformly from NAME=FROM:TO (or NAME=uniform:FROM:TO), from a
// normal distribution NAME=normal:MEAN:DEVIATION, and among the values of other axes each as
// likely. Draws are keyed by (seed, axis, run): they depend on nothing else. `correlate` couples
// axes, "NAME,NAME=0.8": the normal variables behind their draws have that correlation (a Gaussian
// copula), so each axis keeps its own distribution.
//
// The table is a journal while runs are missing, and a sorted table after that.
// 1. Each run that ends adds its row with one write; a kill only loses the runs in progress. The
//    file is synced about once a second: a power failure loses the runs of that time, too.
// 2. The header of the file identifies the sweep. Opening it with another scenario, axes or version
//    of the program is rejected, and so is a second process while one works on it.
// 3. An incomplete last row, after a kill or a power failure, is removed. A damaged row followed by
//    good ones is rejected with its line.
// 4. The table has the same bytes whatever the threads, kills and shards that led to it, on
//    processors of one kind: those without fused multiply-add differ in the last digits.
//
// A run that fails, because its numbers are not finite or its values are inconsistent, has a row
// with the reason and no figures. An error that would affect every run is rejected before the
// first.
//
// Threads: a sweep is used by one thread at a time; it runs on threads of its own and calls the
// watch from any of them. Several sweeps, of different tables, are independent.
#pragma once

#include "motorcade/figures.h"
#include "motorcade/status.h"
#include "motorcade/watch.h"

#include <stdbool.h>

#include "motorcade/begin.h"

enum {
    MC_SWEEP_AXIS_MAX = 8,
    MC_SWEEP_RUN_MAX = 1000000,
};

typedef struct mc_sweep_axis {
    const char *name, *unit; // unit "": a pure number
    const char *text;        // its values as in the request, without name and unit
    int count;               // of values; 0: any number from low to high, or normal
    bool normal;             // about mean; low and high are mean -+ 3 deviations
    double mean, deviation;
    const double *values; // in the unit, in the order of the request
    double low, high;     // smallest and largest
    bool unit_given;      // by the request; else it is that of the scenario's parameter
} mc_sweep_axis;

// ---- runs --------------------------------------------------------------------------------------

typedef struct mc_sweep_request {
    const char *scenario; // file
    const char *text;     // what the file is taken to say; NULL: it is read
    const char *table;    // journal and table, CSV
    const char *const *vary;
    int vary_count;
    const char *const *set; // NAME=VALUE of all runs
    int set_count;
    int seeds;                    // above 0: one more axis, seed = 1 .. seeds
    int random;                   // above 0: points to draw
    unsigned long long seed;      // of the draws
    const char *const *correlate; // NAME,NAME=R of random points
    int correlate_count;
    int shard, shard_count; // runs whose number leaves the rest shard - 1; 0 and 0: all runs
    int threads;            // 0: all cores
    bool interpret;         // formulas of laws are never compiled: mc_run_options
} mc_sweep_request;

typedef struct mc_sweep_counts {
    int runs;  // of the whole sweep
    int share; // of this shard
    int found; // that were in the journal
    int done;  // added since
} mc_sweep_counts;

typedef struct mc_sweep mc_sweep;

// Checks everything and opens the journal. NULL: see *error.
mc_sweep *mc_sweep_open(const mc_sweep_request *request, mc_error *error);

// Does the runs that are missing, then sorts the table. MC_INTERRUPTED: the journal holds what was
// done, and the same request resumes it. watch->progress may call mc_sweep_count.
mc_status mc_sweep_play(mc_sweep *sweep, const mc_watch *watch, mc_error *error);

mc_sweep_counts mc_sweep_count(const mc_sweep *sweep);
// Names of version 0.1 that the scenario or the request has, and what they are called now; NULL:
// none.
const char *mc_sweep_warning(const mc_sweep *sweep);
int mc_sweep_axes(const mc_sweep *sweep, const mc_sweep_axis **axes); // how many
void mc_sweep_close(mc_sweep *sweep);                                 // may be NULL

// ---- shards ------------------------------------------------------------------------------------

typedef struct mc_sweep_merged {
    int runs, missing, twice; // twice: in several files, with the same row
    char missing_list[200];   // "3, 17-20, ..."; "": none
    char twice_list[200];
} mc_sweep_merged;

// Joins tables or journals of one sweep. When runs are missing the result is a journal, which a
// request without shard completes. Rows of one run that differ are rejected.
mc_status mc_sweep_merge(const char *const *files, int file_count, const char *table,
                         mc_sweep_merged *merged, mc_error *error);

// ---- tables ------------------------------------------------------------------------------------

typedef struct mc_sweep_row {
    int run;
    const char *ended;              // why the run ended; "failed: ..." when it broke off
    double failed;                  // expectations that fail; NAN: the run broke off
    double value[MC_FIGURE_COUNT];  // of the run; NAN: none
    double axis[MC_SWEEP_AXIS_MAX]; // values of the axes
} mc_sweep_row;

typedef struct mc_sweep_table {
    const char *title; // name of the scenario
    const mc_sweep_axis *axes;
    int axis_count;
    int random; // points drawn; 0: a grid
    int run_count;
    bool complete; // a sorted table of all runs (of its shard)
    int shard, shard_count;
    const mc_sweep_row *rows; // in order of run
    int row_count;
} mc_sweep_table;

mc_sweep_table *mc_sweep_table_load(const char *path, mc_error *error); // NULL: see *error
void mc_sweep_table_free(mc_sweep_table *table);

// The value of a figure below which a share 0 .. 1 of the runs lies, linear between runs; runs
// without a finite value do not count. NAN: no run has one.
double mc_sweep_percentile(const mc_sweep_table *table, mc_figure_id figure, double share);
// Percentiles of all figures of a table as CSV: figure, unit, runs, p1, p5, p25, p50, p75, p95,
// p99.
mc_status mc_sweep_write_percentiles(const char *table, const char *path, mc_error *error);

// Figures of a table as SVG. One axis: curves. Two: maps. More: maps over the first two, the others
// at their first values. Points drawn: over the first axis. Runs that failed are blank. figures:
// names of mc_figure_table; none: largest.spacing_error, and collisions if there is any.
mc_status mc_sweep_draw(const char *table, const char *const *figures, int figure_count,
                        const char *svg, mc_error *error);

// MC_BAD_INPUT: no figure of a run has that name.
mc_status mc_sweep_check_figure(const char *name, mc_error *error);

#include "motorcade/end.h"
