// record.h - a run from its start to its end, written down: results file, CSV files, figures,
// expectations, checkpoints.
//
//     mc_recording *rec = mc_recording_open(run, &(mc_record_output){.hdf5 = "run.h5"}, &error);
//     status = mc_recording_play(rec, NULL, &error);
//     printf("%d expectations fail\n", mc_recording_failed(rec));
//     mc_recording_close(rec, &error);
#pragma once

#include "motorcade/figures.h"
#include "motorcade/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_recording mc_recording;

typedef struct mc_record_output {
    const char *hdf5;        // results file; NULL: none
    const char *csv;         // folder for one CSV file a vehicle, also of those that join later
    const char *dynavis;     // DYNAVIS data file; NULL: none
    const char *command;     // that made it, for the results file; NULL: ""
    const char *checkpoint;  // file; NULL: none
    double checkpoint_every; // s of simulated time; 0: at the end only
} mc_record_output;

typedef struct mc_run_watch {
    void *context;
    bool (*stop)(void *context);                 // true: end the run now; may be NULL
    void (*progress)(void *context, double now); // simulated time reached; may be NULL
} mc_run_watch;

// The run must outlive the recording. Rows are written every record step of the scenario.
mc_recording *mc_recording_open(mc_run *run, const mc_record_output *output, mc_error *error);

// Goes on from a checkpoint: state of the run and figures so far. Before the first play.
mc_status mc_recording_resume(mc_recording *rec, const char *checkpoint, mc_error *error);

// To the end of the scenario, a `stop:` condition or a stop asked for (MC_INTERRUPTED).
mc_status mc_recording_play(mc_recording *rec, const mc_run_watch *watch, mc_error *error);

// The vehicles that are recorded: those that were there when it was opened. NULL: past the last.
const char *mc_recording_vehicle_name(const mc_recording *rec, int i);
const mc_figures *mc_recording_figures(const mc_recording *rec);
int mc_recording_expect_count(const mc_recording *rec);
void mc_recording_expect(mc_recording *rec, int i, mc_condition_result *out);
int mc_recording_failed(mc_recording *rec);              // expectations that fail
const char *mc_recording_ended(const mc_recording *rec); // why it ended, for a person

// Ends the files and frees the recording, also when it fails.
mc_status mc_recording_close(mc_recording *rec, mc_error *error);
void mc_recording_abandon(mc_recording *rec); // leaves no file behind but an earlier one's name

#ifdef __cplusplus
}
#endif
