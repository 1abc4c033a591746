// sweep.h - one scenario, many values: how much a design bears before it fails.
//
//     const char *vary[] = {"mass=1200:2400:50", "follow.headway=0.8,1,1.2"};
//     mc_sweep *sweep = mc_sweep_open(&(mc_sweep_request){.scenario = "platoon.yaml",
//                                                         .table = "sweep.csv",
//                                                         .vary = vary, .vary_count = 2}, &error);
//     status = mc_sweep_play(sweep, NULL, &error);       // all cores; goes on where it was left
//     mc_sweep_close(sweep);
//     status = mc_sweep_draw("sweep.csv", NULL, 0, "sweep.svg", &error);
//
// Axes. NAME=FROM:TO:STEP takes both ends, counted in decimals: 0.4:1.2:0.2 is 0.4, 0.6, 0.8, 1 and
// 1.2. NAME=A,B,C takes what is listed. A unit may follow, after a blank: "v=50:90:10 km/h". Names
// are those of mc_scenario_set. Runs are numbered from 0; the last axis changes fastest. With
// `random`, points are drawn instead: uniformly from NAME=FROM:TO, and among the values of other
// axes each as likely. Draws are keyed by (seed, axis, run): they depend on nothing else.
//
// The table is a journal while runs are missing, and a sorted table after that.
// 1. Each run that ends adds its row by one write; a kill loses the runs under way and no other.
//    The file is synced about once a second: a loss of power costs the runs of that time, too.
// 2. The head of the file says what the sweep is. Who opens it with another scenario, axes or
//    version of the program is refused; so is a second process while one works on it.
// 3. What does not end in a whole row, after a kill or a loss of power, is cut off. A damaged row
//    with good ones behind it is refused with its line.
// 4. The table has the same bytes whatever the threads, kills and shards that led to it, on
//    processors of one kind: those without fused multiply-add differ in the last digits.
//
// A run that fails, by its numbers or because its values do not go together, has a row with the
// reason and no figures. What concerns every run is refused before the first.
#pragma once

#include "motorcade/figures.h"
#include "motorcade/status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MC_SWEEP_AXIS_MOST = 8,
    MC_SWEEP_RUN_MOST = 1000000,
};

typedef struct mc_sweep_axis {
    const char *name, *unit; // unit "": a pure number
    const char *text;        // its values as in the request, without name and unit
    int count;               // of values; 0: any number from low to high
    const double *values;    // in the unit, in the order of the request
    double low, high;        // least and greatest
    bool unit_given;         // by the request; else it is that of the scenario's parameter
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
    int seeds;               // above 0: one more axis, seed = 1 .. seeds
    int random;              // above 0: points to draw
    unsigned long long seed; // of the draws
    int shard, shard_count;  // runs whose number leaves the rest shard - 1; 0 and 0: all runs
    int threads;             // 0: all cores
    bool interpret;          // formulas of laws are never compiled: mc_run_options
} mc_sweep_request;

typedef struct mc_sweep_counts {
    int runs;  // of the whole sweep
    int share; // of this shard
    int found; // that were in the journal
    int done;  // added since
} mc_sweep_counts;

typedef struct mc_sweep_watch {
    void *context;
    bool (*stop)(void *context); // from any thread; true: end now. May be NULL
    // After each run, one call at a time, from any thread. May be NULL.
    void (*progress)(void *context, const mc_sweep_counts *counts);
} mc_sweep_watch;

typedef struct mc_sweep mc_sweep;

// Checks everything and opens the journal. NULL: see *error.
mc_sweep *mc_sweep_open(const mc_sweep_request *request, mc_error *error);

// Does the runs that are missing, then sorts the table. MC_INTERRUPTED: the journal holds what was
// done, and the same request goes on with it.
mc_status mc_sweep_play(mc_sweep *sweep, const mc_sweep_watch *watch, mc_error *error);

mc_sweep_counts mc_sweep_count(const mc_sweep *sweep);
int mc_sweep_axes(const mc_sweep *sweep, const mc_sweep_axis **axes); // how many
void mc_sweep_close(mc_sweep *sweep);                                 // may be NULL

// ---- shards ------------------------------------------------------------------------------------

typedef struct mc_sweep_merged {
    int runs, missing, twice; // twice: in several files, with the same row
    char missing_list[200];   // "3, 17-20, ..."; "": none
    char twice_list[200];
} mc_sweep_merged;

// Joins tables or journals of one sweep. When runs are missing the result is a journal, which a
// request without shard completes. Rows of one run that differ are refused.
mc_status mc_sweep_merge(const char *const *files, int file_count, const char *table,
                         mc_sweep_merged *merged, mc_error *error);

// ---- tables ------------------------------------------------------------------------------------

typedef struct mc_sweep_row {
    int run;
    const char *ended;               // why the run ended; "failed: ..." when it broke off
    double failed;                   // expectations that fail; NAN: the run broke off
    double value[MC_FIGURE_COUNT];   // of the run; NAN: none
    double axis[MC_SWEEP_AXIS_MOST]; // values of the axes
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

mc_sweep_table *mc_sweep_table_read(const char *path, mc_error *error); // NULL: see *error
void mc_sweep_table_free(mc_sweep_table *table);

// Figures of a table as SVG. One axis: curves. Two: maps. More: maps over the first two, the others
// at their first values. Points drawn: over the first axis. Runs that failed are blank. figures:
// names of mc_figure_table; none: largest.spacing_error, and collisions if there is any.
mc_status mc_sweep_draw(const char *table, const char *const *figures, int figure_count,
                        const char *svg, mc_error *error);

// MC_BAD_INPUT: no figure of a run has that name.
mc_status mc_sweep_check_figure(const char *name, mc_error *error);

#ifdef __cplusplus
}
#endif
