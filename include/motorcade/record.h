// record.h - a run from its start to its end, written down: results file, CSV files, figures,
// expectations, checkpoints.
//
//     mc_recording *rec = mc_recording_open(run, &(mc_record_output){.hdf5 = "run.h5"}, &error);
//     status = mc_recording_play(rec, NULL, &error);
//     printf("%d expectations fail\n", mc_recording_failed(rec));
//     mc_recording_close(rec, &error);
//
// Threads: a recording and its run are used by one thread at a time, which also calls the watch.
// Several recordings are independent; to write results files (HDF5) in several threads at once the
// HDF5 library must be built thread-safe, as Debian's is.
#pragma once

#include "motorcade/collisions.h"
#include "motorcade/figures.h"
#include "motorcade/run.h"
#include "motorcade/watch.h"

#include "motorcade/begin.h"

typedef struct mc_recording mc_recording;

typedef struct mc_record_output {
    const char *hdf5;        // results file; NULL: none
    bool full;               // pose and energy even if all vehicles stay in the plane
    const char *csv;         // folder for one CSV file per vehicle, also of those that join later
    const char *dynavis;     // DYNAVIS data file; NULL: none
    bool only_new;           // rejects existing files with rows: for a resumed run
    const char *command;     // that made it, for the results file; NULL: ""
    const char *checkpoint;  // file; NULL: none
    double checkpoint_every; // s of simulated time; 0: at the end only
    double end;              // s; 0: the end of the scenario, which edits of the log may move
} mc_record_output;

// The run must outlive the recording. Rows are written every record step of the scenario.
mc_recording *mc_recording_open(mc_run *run, const mc_record_output *output, mc_error *error);

// Continues from a checkpoint: state of the run and figures so far. Before the first play.
mc_status mc_recording_resume(mc_recording *rec, const char *checkpoint, mc_error *error);

// To the end of the scenario, a `stop:` condition or a stop asked for (MC_INTERRUPTED).
mc_status mc_recording_play(mc_recording *rec, const mc_watch *watch, mc_error *error);

// The recorded vehicles: those that existed when it was opened. NULL: past the last.
const char *mc_recording_vehicle_name(const mc_recording *rec, int i);
const mc_figures *mc_recording_figures(const mc_recording *rec);
int mc_recording_expect_count(const mc_recording *rec);
void mc_recording_expect(mc_recording *rec, int i, mc_condition_result *out);
int mc_recording_failed(mc_recording *rec); // expectations that fail
// Collision i of those with a vehicle or an obstacle that is no longer in the run, which forgets
// them. Its a and b mean nothing; names: of both. False: there is none.
bool mc_recording_gone(const mc_recording *rec, int i, mc_collision *out, const char *names[2]);
const char *mc_recording_ended(const mc_recording *rec); // why it ended, for a person

// Ends the files and frees the recording, also when it fails.
mc_status mc_recording_close(mc_recording *rec, mc_error *error);
void mc_recording_abandon(mc_recording *rec); // leaves no file behind but an earlier one's name

#include "motorcade/end.h"
