// run.h - a scenario in motion: vehicles of any kinds under control, on one road.
//
//     mc_scenario *scenario = mc_scenario_load("scenarios/hill.yaml", &error);
//     mc_run *run = mc_run_create(scenario, NULL, &error);
//     while (mc_run_time(run) < mc_scenario_info_of(scenario)->end)
//         mc_run_step(run, &error);
//
// A step is a control step: pending commands are executed, every car senses and decides, then all
// advance by the scenario's step, with the substeps their types need, and collide where they meet.
// Same scenario, same commands, same bits, whatever the number of threads.
//
// Time travel: mc_run_save copies the whole state as bytes, mc_run_restore restores it, and the
// steps after it give the same bits again. Branches are several runs restored from one snapshot.
// Every external intervention goes through mc_run_command and is kept in the run's log.
//
// Threads: a run is used by one thread at a time; inside a step it uses threads of its own
// (options). Runs are independent, also those of one scenario.
#pragma once

#include "motorcade/scenario.h"
#include "motorcade/status.h"
#include "motorcade/vehicle_model.h"
#include "motorcade/world.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_run mc_run;

typedef struct mc_run_options { // NULL or all zero: the defaults
    int threads;                // 0: all cores
    bool contact_off;           // vehicles pass through each other
    // Formulas of laws, tyres and profiles are interpreted, never compiled to machine code: for
    // formulas that come from a network. Same bits, slower. Mechanisms of files may still be
    // compiled.
    bool interpret;
    bool mileage;  // the meter that observe.h shows; without it MC_FIELD_MILEAGE is NAN
    bool instants; // keeps those of collisions, which observe.h shows. Same bits
    // Formulas are compiled before mc_run_create returns, not meanwhile; without effect where they
    // are interpreted.
    bool compile_first;
} mc_run_options;

// NULL: see *error.
mc_run *mc_run_create(const mc_scenario *scenario, const mc_run_options *options, mc_error *error);
void mc_run_destroy(mc_run *run);

mc_status mc_run_step(mc_run *run, mc_error *error);

double mc_run_time(const mc_run *run); // s
long long mc_run_step_count(const mc_run *run);
int mc_run_vehicle_count(const mc_run *run);
// Of a vehicle; of an obstacle, whose numbers come after those of all vehicles (mc_impact.b).
const char *mc_run_vehicle_name(const mc_run *run, int vehicle);
int mc_run_find(const mc_run *run, const char *name); // vehicle of that name; -1: none
// The version in use. Lives until the next edit, adoption, restore, or the end of the run.
const mc_scenario *mc_run_scenario(const mc_run *run);
const mc_scenario *mc_run_origin(const mc_run *run); // the one it began with; as long as the run

// Whether the formulas of laws and tyres are machine code by now. If not, *why is the reason, as
// the compiler or the lack of one gives it, or "".
bool mc_run_compiled(const mc_run *run, const char **why);

// What is known about one vehicle now.
typedef struct mc_run_view {
    mc_motion motion;
    mc_inputs inputs; // that brought it here
    double jerk;      // m/s^3, mean over the last control step
    double desired;   // m/s^2, desired acceleration of its controller
    double gap;       // m, bumper to bumper to the car in front in its lane; NAN: no car in front
    double error;     // m, gap minus the desired gap; NAN: no car in front
    double headway, distance; // s, m: the desired gap is headway times v, plus distance
    int front, leader;        // vehicles; -1: none
    int lane;                 // 0 = leftmost
    int hits;                 // impacts it took part in since the start
} mc_run_view;
void mc_run_look(const mc_run *run, int vehicle, mc_run_view *out);

// Numbers of a vehicle apart from its motion (n first); names and units by its kind.
int mc_run_channels(const mc_run *run, int vehicle, const mc_channel **channels);
void mc_run_read_channels(const mc_run *run, int vehicle, double *out);

// Since the start; places are those of the plane (road.h). On a road with curves mc_run_unroll
// turns one into the axes of motions, poses and surfaces; *out may be the same.
const mc_impact *mc_run_impacts(const mc_run *run, int *count);
void mc_run_unroll(const mc_run *run, const mc_impact *impact, mc_impact *out);
void mc_run_energy(const mc_run *run, int vehicle, mc_energy *out);
// J, work of events "force" on a vehicle since the start: its energy and what left it change by
// what the engine and these brought in.
double mc_run_pushed(const mc_run *run, int vehicle);

typedef struct mc_run_counts { // of all vehicles since the start, those that left too
    long long lane_changes;
    long long cut_ins;     // lane changes that left a follower less than its desired gap
    long long entered;     // vehicles that came from sources
    long long left;        // vehicles that left at the ends of roads
    long long waiting;     // vehicles that wait at sources now
    long long waiting_max; // largest number of them so far
} mc_run_counts;
mc_run_counts mc_run_counts_of(const mc_run *run);
unsigned long long mc_run_hash(const mc_run *run); // of the whole state

// ---- vehicles, road, parameters --------------------------------------------------------------

// Texts and pointers of these live until the next edit, adoption or restore.

typedef struct mc_run_vehicle_info {
    const char *name, *model;
    const char *kind;             // its vehicle type (vehicle_type.h)
    const char *controller;       // "": none
    const char *law, *profile;    // ""; the current ones
    int platoon;                  // -1: none
    int place;                    // in the platoon of the scenario; 0: the first
    int lane;                     // 0 = leftmost
    double length, width, height; // m
    double lane_y;                // m, middle of its lane
    bool leader;                  // of a platoon
    int leads_as; // of a leader: number of the platoon as which it is driven, from 1; 0: by itself
    bool by_hand; // its pedals come from "drive" or a driver's file
    bool deformable;
    bool pedals;      // driven by throttle and brake; else by an acceleration
    bool fallen_back; // the radio is silent: its fallback law drives
    bool checked_in;  // the ERSC drives it
    bool mechanism;   // it can be put on a bench (mc_run_bench)
} mc_run_vehicle_info;
void mc_run_vehicle(const mc_run *run, int vehicle, mc_run_vehicle_info *out);

// Where it is now, in the axes of its motion: on a road with curves x is the station, y the offset,
// and the road at its place is turned to x.
void mc_run_surface(const mc_run *run, int vehicle, mc_ellipsoid *out);
double mc_run_mass(const mc_run *run, int vehicle); // kg, now

typedef struct mc_road_piece { // of the scenario's road
    double from, to;           // m
    double value;              // grade: rad, uphill positive; friction: relative to the dry road
    double transition;         // m
    double right;              // friction right of `divide`; NAN: the same on both sides
    double divide, seam;       // m, from the reference line to the left; width of the seam
} mc_road_piece;

typedef struct mc_run_road_info {
    int lanes;
    double lane_width;               // m
    double headway, distance, speed; // s, m, m/s: in force now
    // Commanded: the min headway and distance, the max speed of automatic cars. Else defaults.
    bool headway_commanded, distance_commanded, speed_commanded;
    const mc_road_piece *grades, *frictions; // in order of the road
    int grade_count, friction_count;
    // The road's profile, if a formula gives it (grade_count is then 0): "z = ..." or "grade =
    // ...", and where it applies. NULL: none.
    const char *profile;
    double profile_from, profile_to; // m
    int ersc;                        // level in force; 0: off
    int ersc_start;                  // the level of the scenario, before any event
} mc_run_road_info;
void mc_run_road(const mc_run *run, mc_run_road_info *out);

// Rules of a lane: those of the scenario's sections, then those of commands; later ones hold.
typedef struct mc_run_section {
    int lane;                          // 0 = leftmost
    double from, to;                   // m
    const char *use, *enter;           // "any", "automated", "manual", "closed"; "": as before
    double speed, headway, separation; // m/s, s, m; NAN: as before
    bool commanded;                    // by a command `section`
} mc_run_section;
bool mc_run_section_at(const mc_run *run, int index, mc_run_section *out); // false: past the end

// A car and the ERSC (docs/ersc.md).
typedef struct mc_run_ersc {
    bool checked_in;
    bool flashes;   // it is in a lane that it may not use
    int blind[2];   // vehicles in its blind spot, left and right; -1: none
    int rejections; // of its check-in so far
    // Why it would not be checked in now, or, checked in, not be checked out; "": it would.
    const char *rejection;
} mc_run_ersc;
void mc_run_ersc_of(const mc_run *run, int vehicle, mc_run_ersc *out);
int mc_run_check_in_rejected(const mc_run *run); // times, of all cars
bool mc_run_has_ersc(const mc_run *run); // its scenario has a level above 0, or an event gives one
double mc_run_elevation(const mc_run *run, double x); // m, relative to x = 0
double mc_run_slope(const mc_run *run, double x);     // rad, uphill positive

// A parameter of a vehicle, with its current value.
typedef struct mc_run_param {
    // Those of its vehicle type, such as "model", "drive", "powertrain", "tyre"; those of its
    // controller, such as "law", "fallback", "inner", "radio"; and of the car, such as "user".
    const char *group;
    const mc_param *row;
    double value; // in force; NAN: not given
    bool live;    // a command "set" changes it, by "GROUP.NAME"; by NAME alone where that is clear
    bool own;     // set for this car; else it comes from its controller or the roadway
} mc_run_param;
bool mc_run_param_at(const mc_run *run, int vehicle, int index,
                     mc_run_param *out); // false: past the end

// What the estimator of a vehicle has found (docs/identification.md).
typedef struct mc_run_estimate {
    const char *name;      // of the estimator
    const char *parameter; // that it estimates; "": none of the vehicle's
    const char *unit;      // of value and band
    double value;          // NAN: nothing is known yet
    double band;           // half width of the band around it; NAN: not known
    bool on;               // false: the value is held
    bool active;           // at work now: one of the mass only while the car brakes
    bool claimed;          // the value can be trusted
} mc_run_estimate;
bool mc_run_estimate_of(const mc_run *run, int vehicle,
                        mc_run_estimate *out); // false: it has no estimator
bool mc_run_has_estimators(const mc_run *run); // the scenario gives some vehicle one, or an event
// Estimators that a command "estimator" can switch on, by its param; "none" switches one off.
const char *mc_run_estimator_name(const mc_run *run, int index); // NULL: past the end

// How a vehicle's controller chooses between throttle and brake, now: above = asked - coast, m/s^2.
// Throttle gives way to the brake below -hysteresis, the brake to the throttle above +hysteresis.
typedef struct mc_run_switch {
    bool braking;      // the pedal in use
    double asked;      // m/s^2, of the last decision: desired, within its limits, with the trim
    double coast;      // m/s^2, what the coasting car would do
    double hysteresis; // m/s^2
} mc_run_switch;
bool mc_run_switch_at(const mc_run *run, int vehicle, mc_run_switch *out); // false: it has none

// The vehicle as a linear system about its present state, by itself, without its controller:
//     x' = A x + B u,   v = C x,
// deviations from now, states in units of their size. Made from its own steps by central
// differences (of 0.2 ms, shorter where motions are faster, then the logarithm of that matrix), so
// nothing of its equations is simplified; only states that speed depends on are kept. A pedal at
// the end of its range is taken just within it. A dead time of the brake is not in the matrices but
// in `delay`.
typedef enum mc_run_input {
    MC_RUN_INPUT_ACCELERATION, // m/s^2, desired: of point cars
    MC_RUN_INPUT_THROTTLE,     // -, 0 .. 1
    MC_RUN_INPUT_BRAKE,        // -, 0 .. 1
} mc_run_input;
enum { MC_RUN_LINEAR_MAX = 40 };
typedef struct mc_run_linear_model {
    int order;                                       // states
    double u, v;                                     // about these
    double delay;                                    // s, of the input
    double A[MC_RUN_LINEAR_MAX * MC_RUN_LINEAR_MAX]; // row major, order x order
    double B[MC_RUN_LINEAR_MAX], C[MC_RUN_LINEAR_MAX];
    double pole_real[MC_RUN_LINEAR_MAX], pole_imaginary[MC_RUN_LINEAR_MAX]; // 1/s, slowest first
    mc_state_name state[MC_RUN_LINEAR_MAX]; // names; "x1", "x2" ... where the kind gives none
    double value[MC_RUN_LINEAR_MAX];        // about which, in the unit
    double size[MC_RUN_LINEAR_MAX];         // of a state in its unit: x is in units of it
} mc_run_linear_model;
// The run does not change, but no other thread may read it during the call.
mc_status mc_run_linear(mc_run *run, int vehicle, mc_run_input input, mc_run_linear_model *out,
                        mc_error *error);
// H(jw) = C (jw - A)^-1 B e^(-jw delay), v over u, at w > 0 rad/s. NAN: w is a pole.
void mc_run_linear_response(const mc_run_linear_model *model, double w, double *real,
                            double *imaginary);

// What was executed or happened since the start: events of the scenario and of the log, and what
// cars did by themselves (a radio that fell silent).
typedef struct mc_happened {
    double time;              // s
    int kind;                 // number of its name: mc_event_name (event.h)
    const char *name;         // of the event
    int vehicle;              // as counted then; -1: the roadway
    const char *vehicle_name; // ""
    double value;
} mc_happened;
int mc_run_happened_count(const mc_run *run);
bool mc_run_happened_at(const mc_run *run, int index, mc_happened *out); // false: past the end

// ---- commands --------------------------------------------------------------------------------

// An event as in a scenario: "brake_lost", "set", "drive", ... (docs/scenarios.md lists them).
typedef struct mc_command {
    const char *event; // its name
    // NULL: the roadway. Of "set" and "controller" also "@NAME": all cars that have that controller
    // at that instant.
    const char *vehicle;
    // Of "set": mass, k1, headway, user1, ... or GROUP.NAME (mc_run_param); of "profile",
    // "controller", "estimator": its name, of "estimator" also "none"; of "edit": the edit.
    const char *param;
    double value;
    mc_inputs inputs; // of "drive"
} mc_command;

// Carried out at the start of the next step, and kept in the log.
mc_status mc_run_command(mc_run *run, const mc_command *command, mc_error *error);

// External controllers: the commands "drive", "accelerate" and "release" by the number of the
// vehicle, for programs that act in every step. They are kept in the log, too; what the vehicle
// does anyway is not. drive: throttle, brake and steering angle are held. accelerate: m/s^2, the
// desired acceleration instead of its law's, -100 .. 100; its controller still limits it, works the
// pedals and steers. release: its controller has it back.
mc_status mc_run_drive(mc_run *run, int vehicle, const mc_inputs *inputs, mc_error *error);
mc_status mc_run_accelerate(mc_run *run, int vehicle, double acceleration, mc_error *error);
mc_status mc_run_release(mc_run *run, int vehicle, mc_error *error);

// Drops the commands of the coming steps: after a restore, to take another course than before.
void mc_run_forget_commands(mc_run *run);

// The entries of the log, in order of steps, including commands to come. Texts live until the log
// changes.
typedef struct mc_log_entry {
    double time;                 // s, at which it is or was carried out
    long long step;              // at whose start; below 0: to come, at the step nearest to time
    const char *event, *vehicle; // vehicle: "": the roadway
    const char *param;           // of mc_command; the text of an edit; ""
    double value;
    mc_inputs inputs;
} mc_log_entry;
int mc_run_log_count(const mc_run *run);
bool mc_run_log_at(const mc_run *run, int index, mc_log_entry *out); // false: past the end

// Puts a command into the log that is to be carried out later: at entry->step, or, where that is
// below 0, at the step nearest to entry->time. Names are looked up then.
mc_status mc_run_schedule(mc_run *run, const mc_log_entry *entry, mc_error *error);

// The log of commands as a CSV file (of a file that is replayed versions may name other files), and
// a run that follows it: commands of the file are carried out at the steps they were given in. A
// scenario that has a section `log` is followed from the start, without a call.
mc_status mc_run_write_log(const mc_run *run, const char *path, mc_error *error);
mc_status mc_run_follow_log(mc_run *run, const char *path, mc_error *error);

// A scenario file that repeats this run: the scenario it began with, and the log as its section
// `log`. A run made of it has the same state at the same step, to the bit. Files the scenario names
// are named as before. Without its log: the scenario as it began. Freed by free(); NULL: see
// *error.
char *mc_run_export(const mc_run *run, bool with_log, mc_error *error);

// Whether commands so far had names of version 0.1; text then says which ones and what they are
// called now.
bool mc_run_renamed(const mc_run *run, char *text, size_t size);

// ---- versions --------------------------------------------------------------------------------

// The run continues with another version of its scenario: cars added or removed, other models,
// laws, gains, roads. Vehicles with the same name are the same vehicle and keep their state: the
// whole state if the type is the same, otherwise the motion. What was set by commands stays unless
// the new version says otherwise. With another step, time continues from where it is. Impacts of
// removed vehicles are removed, too. On failure the run is unchanged. The version is kept in the
// log as a whole, and may be freed after the call.
mc_status mc_run_adopt(mc_run *run, const mc_scenario *version, mc_error *error);

// The run continues with an edited version (mc_scenario_edit) from this instant on; earlier
// commands for this step are executed first. The edit is kept in the log.
mc_status mc_run_edit(mc_run *run, const char *edit, mc_error *error);

// Carries out what the log has for the coming step up to its last edit: the run is then what it was
// when the edit was made, before the step. Without an edit nothing is done.
mc_status mc_run_carry_edits(mc_run *run, mc_error *error);

// How many events of the scenario were skipped so far, because commands had changed the run so that
// it cannot carry them out (a lane that was closed). text: what the last one says; NULL: not asked.
int mc_run_skipped(const mc_run *run, const char **text);

// Why an FMU that drove a car was lost, the last one, where the law of its controller drives on;
// "": none was.
const char *mc_run_fmu_failure(const mc_run *run);

// ---- snapshots -------------------------------------------------------------------------------

typedef struct mc_snapshot { // freed by mc_snapshot_free
    void *data;
    size_t size;
} mc_snapshot;

mc_status mc_run_save(const mc_run *run, mc_snapshot *out, mc_error *error);
// Rejects a snapshot of another scenario or version, and one that was taken when a file that the
// scenario names had other contents; the error names that file. Parameters that were set by
// commands are restored, too. A restore that fails leaves a run that must not be used further.
mc_status mc_run_restore(mc_run *run, const mc_snapshot *snapshot, mc_error *error);
void mc_snapshot_free(mc_snapshot *snapshot);

// The same as a file, with a checksum and the scenario it belongs to.
mc_status mc_run_write_checkpoint(const mc_run *run, const char *path, mc_error *error);
mc_status mc_run_read_checkpoint(mc_run *run, const char *path, mc_error *error);
// With additional bytes of the caller, such as the figures so far; a file with another number of
// them is rejected.
mc_status mc_run_write_checkpoint_with(const mc_run *run, const char *path, const void *extra,
                                       size_t extra_size, mc_error *error);
mc_status mc_run_read_checkpoint_with(mc_run *run, const char *path, void *extra, size_t extra_size,
                                      mc_error *error);

#include "motorcade/end.h"
