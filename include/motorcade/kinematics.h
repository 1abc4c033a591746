// kinematics.h - a mechanism that is driven: its positions, rates and loads along a prescribed
// motion.
//
//     mc_multibody *car = mc_multibody_load("models/hmmwv_loops.yaml", NULL, &error);
//     double *y = malloc(mc_multibody_info_of(car)->y_count * sizeof *y);
//     mc_multibody_start(car, y);
//     const mc_drive lift = {.name = "travel_fl", .from = -0.1, .to = 0.1};
//     const char *const hold[] = {"chassis", "rack"};
//     const mc_driven_options o = {.drives = &lift, .drive_count = 1, .hold = hold,
//                                  .hold_count = 2};
//     mc_driven *rig = mc_driven_create(car, y, &o, &error);
//     mc_driven_output out = {.csv = "bump.csv"};
//     mc_kinematics(rig, 21, &out, NULL, NULL, &error);
//     mc_driven_free(rig);
//
// A drive takes one thing through values: a coordinate, an input, a position constraint of the file
// (its formula then has the value of the drive instead of 0), or an output that depends on
// positions alone: a variable (of the file, or given here), the length of a spring, a coordinate of
// a point. What is held keeps the value it has when everything is closed at the start: the same
// things, or a body by its name (its whole joint). Drives move together.
//
// Quasi-static motion (mc_kinematics): at each value the loops are closed, starting from the
// position before. What is neither driven nor held settles where springs, loads and gravity are in
// equilibrium, or, with `geometry`, stays as near to where it was as the loops allow. Velocities
// are 0, and user-defined states keep their start values. Loads are those under which everything is
// at rest.
//
// Inverse dynamics (mc_inverse): each drive follows a formula of time. Every direction in which the
// mechanism can move is driven or held. Loads are those that make this motion, with inertia and
// damping.
//
// Columns. NAME: the value of a coordinate, velocity, state, output or drive. rate:NAME: its
// derivative, in mc_kinematics by the value of the first drive, in mc_inverse by time. load:NAME:
// the load at a drive or hold, force or torque, positive towards larger values; a body that is held
// has one per velocity of its joint (load:chassis.x, load:chassis.rotation_x). Loads of joints and
// constraints are outputs ("tie_fl.force_x").
//
// Threads: as in multibody.h: a mechanism and what drives it are used by one thread at a time.
#pragma once

#include "motorcade/multibody.h"
#include "motorcade/watch.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_driven mc_driven;

typedef struct mc_drive {
    const char *name;
    double from, to;    // for mc_kinematics
    const char *motion; // for mc_inverse: a formula of t and the parameters; NULL: from, to
} mc_drive;

typedef struct mc_driven_options {
    const mc_drive *drives;
    int drive_count; // at least 1
    const char *const *hold;
    int hold_count;
    bool geometry; // without loads
    // Further outputs, NAME=FORMULA, with the names of the model's formulas; may be driven, held
    // and recorded.
    const char *const *let;
    int let_count;
} mc_driven_options;

// Reads "NAME=FROM:TO:N" or "NAME=FROM:TO" (*rows is then 0); values are SI or carry a unit that
// must fit. The name is copied to `name`. MC_BAD_INPUT: unknown name, FROM equals TO, N below 2.
mc_status mc_drive_read(const mc_multibody *m, const char *text, char name[128], mc_drive *out,
                        int *rows, mc_error *error);

// y: where the path starts, as the caller wants it; closed on the way. m is used by the result, and
// outlives it. NULL: see *error. MC_BAD_INPUT: unknown name; cannot be driven; follows from the
// joints and from what is driven or held before it.
mc_driven *mc_driven_create(mc_multibody *m, const double *y, const mc_driven_options *options,
                            mc_error *error);
void mc_driven_free(mc_driven *d);

// Directions in which the mechanism can still move at the start.
int mc_driven_free_count(const mc_driven *d);

// ---- columns -----------------------------------------------------------------------------------

typedef enum mc_driven_kind {
    MC_DRIVEN_KIND_VALUE,
    MC_DRIVEN_KIND_RATE,
    MC_DRIVEN_KIND_LOAD,
} mc_driven_kind;

typedef struct mc_driven_column {
    mc_driven_kind kind;
    mc_quantity quantity; // of values and rates
    int index;            // in its quantity; of loads, and of a drive that is a constraint: below
    bool drive;           // a value of a drive that has no other name: index is that of the drive
} mc_driven_column;

mc_status mc_driven_column_find(const mc_driven *d, const char *name, mc_driven_column *out,
                                mc_error *error);

typedef struct mc_driven_about {
    char name[160];
    char unit[48];
    char doc[200];
} mc_driven_about;
void mc_driven_describe(const mc_driven *d, mc_driven_column column, mc_driven_about *out);

// The columns that are recorded when none are asked for, place by place: values and loads of the
// drives, then coordinates and outputs. false: no more.
bool mc_driven_default(const mc_driven *d, int place, mc_driven_column *out);

// ---- runs --------------------------------------------------------------------------------------

typedef struct mc_driven_output {    // NULL or all zero: nothing
    const char *csv;                 // header t, names
    const char *hdf5;                // tables "time" and "motion"
    const char *command;             // noted in the HDF5 file; may be NULL
    const mc_driven_column *columns; // NULL: those of mc_driven_default
    int column_count;
    // Called for every row: t as in the files, the values of the columns. May be NULL.
    void (*row)(void *context, double t, const double *values);
    void *context;
} mc_driven_output;

typedef struct mc_driven_report {
    int row_count; // written
    long steps;    // positions closed, with those between rows
    double gap;    // m or rad: the largest opening of a joint in any row
    double rest;   // m/s2 or rad/s2: the largest acceleration left in any row
} mc_driven_report;

// row_count rows, evenly spaced from the first to the last value of each drive; t in files runs
// from 0 to 1. MC_FAILED: the mechanism cannot continue; the message says where and why, and files
// hold the rows so far. watch and report may be NULL.
mc_status mc_kinematics(mc_driven *d, int row_count, const mc_driven_output *output,
                        const mc_watch *watch, mc_driven_report *report, mc_error *error);

// A mechanism with wheels stands on them, where no tyre carries it: every body on a hinge with the
// shape of a wheel is held at its height and does not turn, the first free body keeps its place in
// the plane and its yaw, everything else settles under springs, loads and gravity. y: in the state
// it starts from, out that state. MC_FAILED: it does not settle, or cannot stand (no free body,
// fewer than three such wheels).
enum { MC_STANDING_WHEELS = 16 };
typedef struct mc_standing {
    int count;                             // wheels
    const char *wheel[MC_STANDING_WHEELS]; // bodies
    double load[MC_STANDING_WHEELS];       // N, of the road on each, up
    double residual;                       // m/s2 or rad/s2: the largest acceleration left
} mc_standing;
mc_status mc_multibody_stand(mc_multibody *m, double *y, mc_standing *out, mc_error *error);

// Rows at t = 0 to `end`, evenly spaced.
mc_status mc_inverse(mc_driven *d, double end, int row_count, const mc_driven_output *output,
                     const mc_watch *watch, mc_driven_report *report, mc_error *error);

// One instant of mc_inverse: y (y_count) the state on the prescribed motion, tau (v_count) the
// generalised forces of all drives and holds. Either may be NULL.
mc_status mc_inverse_at(mc_driven *d, double t, double *y, double *tau, mc_error *error);

#include "motorcade/end.h"
