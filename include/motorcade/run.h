// run.h - a scenario in motion: vehicles of any kinds under control, on one road.
//
//     mc_scenario *scenario = mc_scenario_load("scenarios/hill.yaml", &error);
//     mc_run *run = mc_run_create(scenario, NULL, &error);
//     while (mc_run_time(run) < mc_scenario_info_of(scenario)->end)
//         mc_run_step(run, &error);
//
// A step is a control step: what was asked for is carried out, every car senses and decides, then
// all move on by the scenario's step, sub-stepping as their kinds need it, and hit each other where
// they meet. Same scenario, same commands, same bits: whatever the number of threads.
//
// Time travel: mc_run_save takes all of the state as bytes, mc_run_restore puts it back, and the
// steps after it give the same bits again. Branches are several runs restored from one snapshot.
// Whatever is done to a run from outside goes through mc_run_command and is kept in its log.
#pragma once

#include "motorcade/scenario.h"
#include "motorcade/status.h"
#include "motorcade/vehicle_model.h"
#include "motorcade/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_run mc_run;

typedef struct mc_run_options { // NULL or all zero: the defaults
    int threads;                // 0: all cores
    bool contact_off;           // vehicles pass through each other
} mc_run_options;

// The scenario must outlive the run. NULL: see *error.
mc_run *mc_run_create(const mc_scenario *scenario, const mc_run_options *options, mc_error *error);
void mc_run_destroy(mc_run *run);

mc_status mc_run_step(mc_run *run, mc_error *error);

double mc_run_time(const mc_run *run); // s
long long mc_run_step_count(const mc_run *run);
int mc_run_vehicle_count(const mc_run *run);
const char *mc_run_vehicle_name(const mc_run *run, int vehicle);
int mc_run_find(const mc_run *run, const char *name); // vehicle of that name; -1: none

// What is known of one vehicle now.
typedef struct mc_run_view {
    mc_motion motion;
    mc_inputs inputs;  // that brought it here
    double jerk;       // m/s^3, mean over the last control step
    double wanted;     // m/s^2, acceleration its controller asked for
    double gap;        // m, bumper to bumper to the car in front in its lane; NAN: nobody there
    double error;      // m, gap minus the gap it is to keep; NAN: nobody there
    int front, leader; // vehicles; -1: none
    int lane;          // 0 = leftmost
    int hits;          // impacts it took part in since the start
} mc_run_view;
void mc_run_look(const mc_run *run, int vehicle, mc_run_view *out);

// Numbers a vehicle shows beside its motion (n first); names and units by its kind.
int mc_run_channels(const mc_run *run, int vehicle, const mc_channel **channels);
void mc_run_read_channels(const mc_run *run, int vehicle, double *out);

const mc_impact *mc_run_impacts(const mc_run *run, int *count); // since the start
void mc_run_energy(const mc_run *run, int vehicle, mc_energy *out);
unsigned long long mc_run_hash(const mc_run *run); // of the whole state

// ---- commands --------------------------------------------------------------------------------

// An event as in a scenario: "brake_lost", "set", "drive", ... (docs/scenarios.md lists them).
typedef struct mc_command {
    const char *event;   // its name
    const char *vehicle; // NULL: the roadway
    const char *param; // of "set": mass, k1, headway, user1, ...; of "profile", "controller": name
    double value;
    mc_inputs inputs; // of "drive"
} mc_command;

// Carried out at the start of the next step, and kept in the log.
mc_status mc_run_command(mc_run *run, const mc_command *command, mc_error *error);

// Drops the commands of the coming steps: after a restore, to go another way than the last time.
void mc_run_forget_commands(mc_run *run);

// The log of commands as a CSV file, and a run that follows it: commands of the file are carried
// out at the steps they were given in.
mc_status mc_run_write_log(const mc_run *run, const char *path, mc_error *error);
mc_status mc_run_follow_log(mc_run *run, const char *path, mc_error *error);

// ---- versions --------------------------------------------------------------------------------

// The run goes on with another version of its scenario: cars added or removed, other models, laws,
// gains, roads. Vehicles are the same when they have the same name; what they were doing carries
// over. A vehicle of the same kind keeps its whole state; of another kind, its motion. What was set
// by commands stays unless the new version says otherwise. The step of the scenario cannot change.
// The version must outlive the run, or the next adoption; the old one is no longer needed. Impacts
// count anew. When it fails the run goes on as it was.
mc_status mc_run_adopt(mc_run *run, const mc_scenario *version, mc_error *error);

// ---- snapshots -------------------------------------------------------------------------------

typedef struct mc_snapshot { // freed by mc_snapshot_free
    void *data;
    size_t size;
} mc_snapshot;

mc_status mc_run_save(const mc_run *run, mc_snapshot *out, mc_error *error);
// Refuses a snapshot of another scenario or version. Parameters that were set by commands go back
// too. A restore that fails leaves a run that must not go on.
mc_status mc_run_restore(mc_run *run, const mc_snapshot *snapshot, mc_error *error);
void mc_snapshot_free(mc_snapshot *snapshot);

// The same as a file, with a checksum and the scenario it belongs to.
mc_status mc_run_write_checkpoint(const mc_run *run, const char *path, mc_error *error);
mc_status mc_run_read_checkpoint(mc_run *run, const char *path, mc_error *error);

#ifdef __cplusplus
}
#endif
