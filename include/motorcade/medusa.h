// medusa.h - runs of the MEDUSA report: model.dat and platoon.dat in, data.asc out.
//
//     mc_medusa_options o = mc_medusa_defaults();
//     o.end_time = 10.0;
//     mc_medusa *run = mc_medusa_load(&o, &error);        // reads and checks; writes nothing
//     mc_medusa_output out = {.asc = "data.asc", .digits = 6, .energy = true};
//     status = mc_medusa_run(run, &out, NULL, &error);    // files appear whole, at the end
//     mc_medusa_free(run);
//
// Threads: a run is used by one thread at a time, which also calls the watch; it uses threads of
// its own inside. Several runs are independent. Results files: see record.h.
#pragma once

#include "motorcade/watch.h"
#include "motorcade/world.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef enum mc_scheme {
    MC_SCHEME_EXPONENTIAL, // the default: fourth order, elastic modes exact, micro-impacts
    MC_SCHEME_PUBLISHED,   // eq 1.45 of the report, corrected
    MC_SCHEME_COUNT
} mc_scheme;

const char *mc_scheme_name(mc_scheme scheme);
double mc_scheme_default_step(mc_scheme scheme); // s

typedef struct mc_medusa_options {
    const char *models;   // file of vehicle models
    const char *platoon;  // file of vehicles
    double end_time;      // s, > 0
    double save_interval; // s, > 0
    double step; // s; 0: the scheme's default, or half the stability bound should that be unstable
    double free_step; // s, of vehicles that touch no other; 0: step. Contact keeps its step
    mc_scheme scheme;
    bool as_published;            // published scheme with the transposed start of the 1998 program
    int threads;                  // 0: all cores
    double energy_tolerance;      // see mc_world_options; 0: off
    double restitution, friction; // of impacts: see mc_world_options
    // Of the published scheme, whose report does not give them: see mc_world_options.
    double penalty_stiffness, penalty_smallest_step;
    int penalty_held_steps;
} mc_medusa_options;

mc_medusa_options mc_medusa_defaults(void);

typedef struct mc_medusa mc_medusa;

// Reads both files, checks everything (ranges, stability of the step, vehicles that overlap) and
// places the vehicles. NULL on failure, with *error filled.
mc_medusa *mc_medusa_load(const mc_medusa_options *options, mc_error *error);
void mc_medusa_free(mc_medusa *run);

// Things that are legal but odd, one call each.
void mc_medusa_warnings(const mc_medusa *run, void (*warn)(void *context, const mc_error *warning),
                        void *context);

mc_world *mc_medusa_world(const mc_medusa *run);
int mc_medusa_vehicle_count(const mc_medusa *run);
double mc_medusa_step(const mc_medusa *run); // s, in use
double
mc_medusa_bound(mc_medusa *run); // s, longest stable step, to five digits; found when first asked

typedef struct mc_medusa_output {
    const char *asc; // data.asc; NULL: not written
    int digits;      // after the point, 1..17
    bool velocity, energy;
    const char *hdf5;    // NULL: not written
    const char *command; // noted in the HDF5 file; may be NULL
} mc_medusa_output;

// One group of columns of data.asc, numbered from 1 as in the manual.
typedef struct mc_medusa_columns {
    long long first, last;
    char what[72]; // "Components of position vector of vehicle 1", ...
    int vehicle;   // from 1; 0 when the group is not about one
} mc_medusa_columns;

// Group number `index`; false past the last.
bool mc_medusa_column_group(const mc_medusa *run, const mc_medusa_output *output, int index,
                            mc_medusa_columns *out);

// Runs to the end time. Rows are at t = 0, every exact multiple of save_interval, and the end.
// MC_INTERRUPTED when stopped: all rows so far are in the files.
mc_status mc_medusa_run(mc_medusa *run, const mc_medusa_output *output, const mc_watch *watch,
                        mc_error *error);

// Both files as the text of a scenario in which the vehicles move as in mc_medusa_run, to the bit
// (rows every 10 ms), unless `live` says otherwise. *out is freed by the caller.
// MC_BAD_INPUT also for what scenarios do not have: obstacles, a road surface, vehicles that move
// backwards, inputs with points between multiples of 10 ms.
typedef struct mc_medusa_live {
    const char *models_named; // the model file as the scenario is to name it
    bool solved;              // start from the solved equilibrium instead of that of the file
    const char *contact;      // "impulses", "penalty" or "none"; NULL: that of the scheme
} mc_medusa_live;
mc_status mc_medusa_scenario(const mc_medusa_options *options, const mc_medusa_live *live,
                             char **out, mc_error *error);
bool mc_medusa_is_platoon(const char *path); // by its first word

// The surfaces at the row with the most elastic energy of all vehicles.
typedef struct mc_medusa_moment {
    double time;    // s
    double elastic; // J, of all vehicles
    const mc_ellipsoid *surface;
    const double *rest_axes; // 9 per vehicle: the undeformed surface, rotated with the chassis
    const double *vehicle_elastic; // J
    const double *velocity;        // m/s, 3 per vehicle
    const double *heading;         // rad
} mc_medusa_moment;
const mc_medusa_moment *mc_medusa_greatest_deformation(const mc_medusa *run);

// Equilibrium of model `model` (from 1) of a model file: R3, D11, ..., D33; with seven directors
// also D41, ..., D73. *value_count gets 10 or 22, *model_count the number of models in the file;
// both may be NULL.
enum { MC_MEDUSA_EQUILIBRIUM_MAX = 22 };
mc_status mc_medusa_equilibrium(const char *models_file, int model,
                                double value[MC_MEDUSA_EQUILIBRIUM_MAX], int *value_count,
                                int *model_count, mc_error *error);

// Writes the equilibrium of one model (from 1), or of all (0), over the numbers of the EQUILIBRIUM
// blocks of the file, and D41 .. D73 of CHASSIS_MODEL seven_directors, keeping everything else
// unchanged.
mc_status mc_medusa_equilibrium_write(const char *models_file, int model, mc_error *error);

#include "motorcade/end.h"
