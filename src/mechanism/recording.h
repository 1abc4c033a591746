// recording.h - a run under way: its rows on their way into files.
#pragma once

#include "mechanism/mechanism.h"
#include "record/csv.h"
#include "record/record.h"

enum { TABLES = 3, ENERGIES = 3, BALANCES = 2 };

typedef struct recording {
    mc_multibody *m;
    const mc_simulate_options *options;
    multibody_switching switching; // what acts now
    const mc_simulate_output *output;
    const mc_watch *watch;
    mc_simulate_report *report;
    mc_simulate_column *columns; // of the CSV file; the results file keeps energies apart
    int column_count, motion_count;
    int event_table;          // of the results file, where something can switch
    results_column *named;    // the columns in words
    mc_simulate_about *about; // their units and docs
    double *row, *outputs, *tau;
    record_csv *csv;
    record_table tables[TABLES];
    record *record;   // NULL: no results file
    double reached;   // s, for progress
    double projected; // J, by the last projection of a step, at
    double projected_at;
    long long switched_row; // row after which switches are counted, from
    long switched_before;
    bool opened;      // files and clock of the run
    double begun;     // s
    bool stopped;     // on request
    mc_status status; // of writing rows and of the Jacobian
    mc_error error;
    // Of an engine with columns of its own, and with loads of its own among the outputs.
    const results_column *extra;
    int extra_count;
    double *extra_value;
    void (*amend)(void *context, double *outputs); // may be NULL
    void *amend_context;
    struct rolling *rolling; // wheels and motors by equations; NULL: none, or another engine
} recording;

mc_status recording_no_memory(mc_error *error);
mc_status recording_open(recording *r, const mc_simulate_options *options, long long rows,
                         mc_error *error);
// Ends the files: whole when `keep`, otherwise the CSV file stays as it was before the run.
mc_status recording_close(recording *r, bool keep, const char *ended, mc_error *error);
// What acts from outside; NULL: nothing does.
const double *recording_load(recording *r, double t, const double *y);
// One row; context: the recording. False ends the run.
bool recording_row(void *context, double t, const double *y);

extern const char simulate_verlet[];
// Fills in the defaults of the engine (simulate.c).
mc_status simulate_impulses_complete(const mc_multibody *m, mc_simulate_options *o,
                                     mc_error *error);

// ---- by_impulses.c -----------------------------------------------------------------------------

// From the start in y to the end; y: the state there.
mc_status simulate_by_impulses(recording *r, const mc_simulate_options *options, double *y,
                               mc_error *error);
