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

enum { RIG_DRIVES_MAX = 32 };

// What a command drives, found when the model is loaded.
typedef struct rig_plan {
    mc_drive drive[RIG_DRIVES_MAX];
    char name[RIG_DRIVES_MAX][128];
    int drive_count;
    bool geometry;
    double end; // s; 0: quasi-static
    int row_count;
} rig_plan;

typedef struct rig_command {
    const char *program; // for messages
    const char *svg;     // figure where --plot is given and --svg is not
    const char *nothing; // what is wrong without a drive
    // Of the command's own request; drive_count is set.
    mc_status (*plan)(const void *request, const mc_multibody *m, rig_plan *out, mc_error *error);
} rig_command;

// Loads the model, plans, runs, writes files, draws, prints; the exit code. argv: as called, for
// the results file.
int rig_main(const rig_command *c, const void *request, model_request *model, rig_request *rig,
             int drive_count, int argc, char **argv);
