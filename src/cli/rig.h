// rig.h - what `motorcade kinematics` and `motorcade inverse` share: columns by name, rows as
// files, a table, curves.
#pragma once

#include "cli/model_options.h"
#include "cli/options.h"
#include "motorcade/kinematics.h"

typedef struct rig_request {
    cli_words hold, let, record, plot;
    const char *svg, *csv, *hdf5, *against;
    bool quiet;
} rig_request;

// What does not go together, and files that would take each other's place. svg: the figure that
// will be written, NULL: none.
mc_status rig_check(const rig_request *r, const char *model, const char *svg, mc_error *error);

typedef struct rig_run {
    const char *program; // for messages
    const char *command; // as called, for the results file
    const rig_request *request;
    mc_driven *driven;
    int drive_count, coordinate_count;
    double end; // s; 0: quasi-static
    int row_count;
} rig_run;

// Runs, writes files, draws, prints; the exit code.
int rig_play(const rig_run *run);
