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
    // Formulas of laws and profiles are interpreted, never compiled to machine code: for formulas
    // that come from a network. Same bits, slower. Mechanisms of files may still be compiled.
    bool interpret;
    bool mileage; // the meter that observe.h shows; without it MC_FIELD_MILEAGE is NAN
} mc_run_options;

// NULL: see *error.
mc_run *mc_run_create(const mc_scenario *scenario, const mc_run_options *options, mc_error *error);
void mc_run_destroy(mc_run *run);

mc_status mc_run_step(mc_run *run, mc_error *error);

double mc_run_time(const mc_run *run); // s
long long mc_run_step_count(const mc_run *run);
int mc_run_vehicle_count(const mc_run *run);
const char *mc_run_vehicle_name(const mc_run *run, int vehicle);
int mc_run_find(const mc_run *run, const char *name); // vehicle of that name; -1: none
// The version in use. Lives until the next edit, adoption, restore, or the end of the run.
const mc_scenario *mc_run_scenario(const mc_run *run);

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

// ---- what is there ---------------------------------------------------------------------------

// Texts and pointers of these live until the next edit, adoption or restore.

typedef struct mc_run_vehicle_info {
    const char *name, *model;
    const char *kind;             // "point", "powertrain", "cosserat", "multibody"
    const char *controller;       // "": none
    const char *law, *profile;    // ""; that of now
    int platoon;                  // -1: none
    int place;                    // in the platoon as the scenario has it; 0: the first
    int lane;                     // 0 = leftmost
    double length, width, height; // m
    double lane_y;                // m, middle of its lane
    bool leader;                  // of a platoon
    bool by_hand;                 // its pedals come from "drive" or a driver's file
    bool deformable;
    bool fallen_back; // the radio is silent: its fallback law drives
} mc_run_vehicle_info;
void mc_run_vehicle(const mc_run *run, int vehicle, mc_run_vehicle_info *out);

void mc_run_surface(const mc_run *run, int vehicle, mc_ellipsoid *out); // where it is now
double mc_run_mass(const mc_run *run, int vehicle);                     // kg, now

typedef struct mc_road_piece { // of the road as the scenario has it
    double from, to;           // m
    double value;              // grade: rad, uphill positive; friction: relative to the dry road
    double transition;         // m
} mc_road_piece;

typedef struct mc_run_road_info {
    int lanes;
    double lane_width;               // m
    double headway, distance, speed; // s, m, m/s: in force now
    // Commanded: the least headway and distance, the most speed of automatic cars. Else defaults.
    bool headway_commanded, distance_commanded, speed_commanded;
    const mc_road_piece *grades, *frictions; // in order of the road
    int grade_count, friction_count;
} mc_run_road_info;
void mc_run_road(const mc_run *run, mc_run_road_info *out);
double mc_run_elevation(const mc_run *run, double x); // m, relative to x = 0
double mc_run_slope(const mc_run *run, double x);     // rad, uphill positive

// A parameter of a vehicle as it is now.
typedef struct mc_run_param {
    // "model", "drive", "powertrain", "law", "fallback", "inner", "radio", "sensor", "avoid",
    // "wishes", "user"
    const char *group;
    const mc_param *row;
    double value; // in force; NAN: not given
    bool live;    // a command "set" changes it, by "GROUP.NAME"; by NAME alone where that is clear
    bool own;     // a wish of this car; else it is as its controller or the roadway has it
} mc_run_param;
int mc_run_param_at(const mc_run *run, int vehicle, int index,
                    mc_run_param *out); // 0: past the end

// How a vehicle's controller chooses between throttle and brake, now: above = asked - coast, m/s^2.
// Throttle gives way to the brake below -hysteresis, the brake to the throttle above +hysteresis.
typedef struct mc_run_switch {
    bool braking;      // the pedal in use
    double asked;      // m/s^2, of the last decision: wanted, within its limits, with the trim
    double coast;      // m/s^2, what the coasting car would do
    double hysteresis; // m/s^2
} mc_run_switch;
bool mc_run_switch_at(const mc_run *run, int vehicle, mc_run_switch *out); // false: it has none

// The vehicle as a linear system about its present state, by itself, without its controller:
//     x' = A x + B u,   v = C x,
// deviations from now, states in units of their size. Made from its own steps by central
// differences (of 0.2 ms, then the logarithm of that matrix), so nothing of its equations is
// simplified; only states that speed depends on are kept. A pedal at the end of its range is taken
// just within it. A dead time of the brake is not in the matrices but in `delay`.
typedef enum mc_run_input {
    MC_RUN_ACCELERATION, // m/s^2, wanted: of point cars
    MC_RUN_THROTTLE,     // -, 0 .. 1
    MC_RUN_BRAKE,        // -, 0 .. 1
} mc_run_input;
enum { MC_RUN_LINEAR_MAX = 40 };
typedef struct mc_run_linear_model {
    int order;                                       // states
    double u, v;                                     // about these
    double delay;                                    // s, of the input
    double A[MC_RUN_LINEAR_MAX * MC_RUN_LINEAR_MAX]; // row major, order x order
    double B[MC_RUN_LINEAR_MAX], C[MC_RUN_LINEAR_MAX];
    double pole_real[MC_RUN_LINEAR_MAX], pole_imaginary[MC_RUN_LINEAR_MAX]; // 1/s, slowest first
} mc_run_linear_model;
// The run stays as it is; meanwhile nobody else may look at it.
mc_status mc_run_linear(mc_run *run, int vehicle, mc_run_input input, mc_run_linear_model *out,
                        mc_error *error);
// H(jw) = C (jw - A)^-1 B e^(-jw delay), v over u, at w > 0 rad/s. NAN: w is a pole.
void mc_run_linear_response(const mc_run_linear_model *model, double w, double *real,
                            double *imaginary);

// What was carried out or happened since the start: events of the scenario and of the log, and
// what cars did by themselves (a radio that fell silent).
typedef struct mc_happened {
    double time;              // s
    const char *name;         // of the event
    int vehicle;              // as counted then; -1: the roadway
    const char *vehicle_name; // ""
    double value;
} mc_happened;
int mc_run_happened_count(const mc_run *run);
int mc_run_happened_at(const mc_run *run, int index, mc_happened *out); // 0: past the end

// ---- commands --------------------------------------------------------------------------------

// An event as in a scenario: "brake_lost", "set", "drive", ... (docs/scenarios.md lists them).
typedef struct mc_command {
    const char *event; // its name
    // NULL: the roadway. Of "set" and "controller" also "@NAME": all cars that have that controller
    // at that instant.
    const char *vehicle;
    // Of "set": mass, k1, headway, user1, ... or GROUP.NAME (mc_run_param); of "profile",
    // "controller": its name; of "edit": the edit.
    const char *param;
    double value;
    mc_inputs inputs; // of "drive"
} mc_command;

// Carried out at the start of the next step, and kept in the log.
mc_status mc_run_command(mc_run *run, const mc_command *command, mc_error *error);

// Drops the commands of the coming steps: after a restore, to go another way than the last time.
void mc_run_forget_commands(mc_run *run);

// What is in the log, in order of steps; commands to come are there too. Texts live until the log
// changes.
typedef struct mc_log_entry {
    double time;                 // s, at which it is or was carried out
    long long step;              // at whose start
    const char *event, *vehicle; // vehicle: "": the roadway
    const char *param;           // of mc_command; the text of an edit; ""
    double value;
    mc_inputs inputs;
} mc_log_entry;
int mc_run_log_count(const mc_run *run);
int mc_run_log_at(const mc_run *run, int index, mc_log_entry *out); // 0: past the end

// The log of commands as a CSV file (of a file that is replayed versions may name other files), and
// a run that follows it: commands of the file are carried out at the steps they were given in.
mc_status mc_run_write_log(const mc_run *run, const char *path, mc_error *error);
mc_status mc_run_follow_log(mc_run *run, const char *path, mc_error *error);

// ---- versions --------------------------------------------------------------------------------

// The run goes on with another version of its scenario: cars added or removed, other models, laws,
// gains, roads. Vehicles are the same when they have the same name; what they were doing carries
// over. A vehicle of the same kind keeps its whole state; of another kind, its motion. What was set
// by commands stays unless the new version says otherwise. With another step time goes on from
// where it is. Impacts of vehicles that are taken away go too. When it fails the run goes on as it
// was. The version is kept in the log as a whole, and may be freed after the call.
mc_status mc_run_adopt(mc_run *run, const mc_scenario *version, mc_error *error);

// The run goes on with an edited version (mc_scenario_edit) from this instant on; commands that
// were given for this step before are carried out first. The edit is kept in the log.
mc_status mc_run_edit(mc_run *run, const char *edit, mc_error *error);

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
