// simulate.h - a mechanism over time: any integrator, rows at a chosen interval, results as files.
//
//     mc_multibody *car = mc_multibody_load("models/quarter_car.yaml", NULL, &error);
//     double *y = malloc(mc_multibody_info_of(car)->y_count * sizeof *y);
//     mc_multibody_start(car, y);
//     mc_simulate_set(car, y, "speed", "50 km/h", &error);       // parameter, input or start value
//     mc_simulate_options o = mc_simulate_defaults(car);
//     o.method = "radau5";
//     mc_simulate_output out = {.csv = "run.csv"};
//     mc_simulate_report report;
//     mc_simulate(car, &o, y, &out, NULL, &report, &error);      // y: the state at the end
//
// Rows are at the start, t = 0, at every exact multiple of `step` after it, and at the end.
// Adaptive methods interpolate rows to the tolerance; fixed-step methods land on every row.
// Quaternions are normalized after each step and in each row.
//
// Energy. energy.total is checked in every row. If nothing in the model damps or drives, its change
// is the error of the integrator; otherwise it is for information only. It is compared with the max
// kinetic energy, because the zero of potential energy is arbitrary. Where loops are closed,
// `projected` is the part of its change that projections onto the constraints made.
//
// Same model, same options, same bits, whether interpreted or compiled.
//
// Threads: as in multibody.h: a mechanism is used by one thread at a time, which also calls the
// watch and the row function.
#pragma once

#include "motorcade/multibody.h"
#include "motorcade/watch.h"

#include <stdbool.h>

#include "motorcade/begin.h"

// ---- methods -----------------------------------------------------------------------------------

typedef struct mc_method {
    const char *name, *doc;
    int order;     // of the error of a run in the step; the highest one for variable order
    bool adaptive; // chooses its steps by tolerance; otherwise steps of fixed length
    bool implicit; // uses the Jacobian
} mc_method;

bool mc_method_at(int index, mc_method *out); // false past the last
// Any case. MC_BAD_INPUT offers the nearest name, or all.
mc_status mc_method_find(const char *name, mc_method *out, mc_error *error);

// ---- engines -----------------------------------------------------------------------------------

typedef struct mc_engine {
    const char *name, *doc;
} mc_engine;

bool mc_engine_at(int index, mc_engine *out); // false past the last
// MC_BAD_INPUT offers the nearest name, or all. NULL: the default, equations.
mc_status mc_engine_find(const char *name, mc_engine *out, mc_error *error);

// Solvers of the engine impulses.
typedef struct mc_solver {
    const char *name, *doc;
} mc_solver;

bool mc_solver_at(int index, mc_solver *out); // false past the last
mc_status mc_solver_find(const char *name, mc_solver *out, mc_error *error);

// ---- what to run -------------------------------------------------------------------------------

// Generalized forces that act as well, tau of mc_multibody_rate: v_count numbers, all 0 at first.
// Steps are chosen by how smooth they are; where one begins or ends a run is best split in two.
typedef void mc_simulate_load(void *context, double t, const double *y, double *tau);

typedef struct mc_simulate_options {
    double end;         // s, > start
    double step;        // s, between rows; 0: 500 rows
    const char *method; // of mc_method_at; NULL: dop853
    double rtol;        // -, relative tolerance of a step, 1e-14 .. 0.1; 0: 1e-9
    double atol;        // unit of the state, absolute tolerance of a step; 0: as rtol
    double
        fixed_step;  // s, step of a fixed-step method: `step` and `end` are whole numbers of it; 0
                     // for an adaptive one
    double max_step; // s, longest step of an adaptive one; 0: ten rows, at most end / 50. At rest
                     // steps grow, and a bump shorter than a step might not be seen at all
    double start;    // s, time of y and of the first row
    mc_simulate_load *load; // NULL: nothing acts but what the model says
    void *load_context;
    const char *engine; // of mc_engine_at; NULL: that of the file, or equations
    // Of the engine impulses; 0 or NULL: as in the file, or the default (docs/engines.md).
    const char *friction; // cone (default) or box
    const char *solver;   // of mc_solver_at
    int iterations;       // of contacts, limits and motors; 100
    double tolerance;     // m/s, change of a velocity in an iteration that ends them; 1e-8
    int substeps;         // of springs and dampers in a step; 1
    bool unbounded;       // steps longer than the stability bound are allowed
} mc_simulate_options;

// End and step of the file (0: not given), everything else 0.
mc_simulate_options mc_simulate_defaults(const mc_multibody *m);

// Sets a parameter, an input, or in y the start value of a coordinate, velocity or state. text: a
// number, with or without a unit ("90 deg"), which must fit. Whether the mechanism is still
// possible (no negative mass) is checked when it is run. Start values that the file computes from
// parameters were computed when it was read, and stay. After the last one: mc_multibody_normalise.
// y may be NULL: then parameters and inputs only.
mc_status mc_simulate_set(mc_multibody *m, double *y, const char *name, const char *text,
                          mc_error *error);

// Unit and one line of meaning of a named thing (mc_multibody_name); "" where nothing is known.
typedef struct mc_simulate_about {
    char unit[48];
    char doc[160];
} mc_simulate_about;
void mc_simulate_describe(const mc_multibody *m, mc_quantity quantity, int i,
                          mc_simulate_about *out);

// ---- what to keep ------------------------------------------------------------------------------

// A coordinate, velocity, state or output of a row. MC_BAD_INPUT: unknown, or it does not change.
typedef struct mc_simulate_column {
    mc_quantity quantity;
    int index;
} mc_simulate_column;
mc_status mc_simulate_column_find(const mc_multibody *m, const char *name, mc_simulate_column *out,
                                  mc_error *error);
double mc_simulate_value(const mc_multibody *m, mc_simulate_column column, const double *y,
                         const double *outputs);

// A joint or constraint switched on or off.
typedef struct mc_simulate_event {
    double t;              // s
    const char *name;      // of the joint or constraint
    bool on;               // otherwise off
    double impulse;        // of its load when it switches on: the load integrated over the impact
    char impulse_unit[48]; // "": not known
    double energy;         // J, kinetic energy lost by the impulses of all that switched together
} mc_simulate_event;

typedef struct mc_simulate_output {    // NULL or all zero: nothing
    const char *csv;                   // header t, names; numbers as %.17g, which read back exactly
    const char *hdf5;                  // tables "time" and "motion", see docs/manual.md
    const char *command;               // noted in the HDF5 file; may be NULL
    const mc_simulate_column *columns; // of both files; NULL: all coordinates, velocities, states
    int column_count;                  // and energies
    // Called for every row: y and all outputs of the model. May be NULL.
    void (*row)(void *context, double t, const double *y, const double *outputs);
    // Called for every switch of a joint or constraint. May be NULL.
    void (*event)(void *context, const mc_simulate_event *event);
    void *context;
} mc_simulate_output;

// ---- the run -----------------------------------------------------------------------------------

typedef struct mc_simulate_dip { // a part below the ground; only wheels touch it
    const char *part;            // body; NULL: none
    double t;                    // s
    double place[3], depth;      // m, of its place that is deepest, and how deep
} mc_simulate_dip;

typedef struct mc_simulate_report {
    const char *method, *engine;
    double time;         // s, reached
    double step;         // s, between rows
    long long row_count; // written
    long steps, rejected, rates, jacobians, factorizations, iterations;
    double energy_start, energy_end; // J, total
    double energy_change;            // J, max |E - E(0)| of all rows
    double kinetic_max;              // J
    double projected;                // J, added by projections onto the constraints, all steps
    double switched;                 // J, lost by impulses where joints or constraints switch on
    long switch_count;               // how often they switched on or off
    double drift;                    // -, energy_change / kinetic_max; 0 when nothing changes
    bool conserves;                  // nothing in the model damps or drives: drift is an error
    double seconds;                  // real time, without reading, deriving, compiling
    // Of the engine impulses.
    double joint_open;   // m, by which a joint was open after a step at most
    double reached;      // m/s, of the tolerance, in the worst step
    double bound;        // s, stability bound of the step at the start; 0: none
    long impacts;        // so far
    double gained, lost; // J, by impacts
    long dips;           // how often a part dipped below the ground, as seen at the rows
    mc_simulate_dip dip; // the deepest
} mc_simulate_report;

// How many rows a run has, the first and the last included; 0: no end, or too many.
long long mc_simulate_row_count(const mc_simulate_options *options);

// Runs from options->start. y: the start; afterwards the state at report->time. watch and report
// may be NULL. MC_BAD_INPUT: nothing was written. MC_INTERRUPTED: stopped on request. MC_FAILED:
// the integrator gave up; the message names time, coordinate and reason. After the last two the
// files hold all rows so far.
mc_status mc_simulate(mc_multibody *m, const mc_simulate_options *options, double *y,
                      const mc_simulate_output *output, const mc_watch *watch,
                      mc_simulate_report *report, mc_error *error);

#include "motorcade/end.h"
