// files.h - readers of the two MEDUSA input files (report, sections 2.2 and 2.3).
//
// model.dat: NUMBER_OF_MODELS m, then m models; each is MODEL k and the rows of cosserat_params in
// their order under the headings COSSERAT_POINT, SUSPENSION, (TYRE,) CONTACT, EQUILIBRIUM. After
// EQUILIBRIUM a model may carry what the report did not have, each at most once, in any order:
//     TYRE_MODEL name {key value}           kinds of parts/tyre.h and their parameters
//     SUSPENSION_MODEL name {key value}     kinds of parts/suspension.h and their parameters
//     CONTACT_MODEL ellipsoid {key value}   shape_params
//     DRIVE_MODEL wheels {key value}        drive_params: wheels that turn, brakes
//     POWERTRAIN_MODEL name {key value}     kinds of parts/powertrain.h; brings wheels that turn
//     CHASSIS_MODEL elastic                 the default
//     CHASSIS_MODEL plastic {key value}     plastic_params
//     CHASSIS_MODEL seven_directors {key value}   higher_params
// The number of TYRE goes to the tyre's parameter "lag", if it has one, unless that key is given.
//
// platoon.dat: NUMBER_OF_VEHICLES n, then n times VEHICLE_HAS_MODEL k INITIALLY_WITH and the rows
// of medusa_vehicle_params in their order. A vehicle may then have inputs over time, each at most
// once, in any order: a row of medusa_input_params and pairs of time and value. After the vehicles
// the file may describe what is around them (surroundings.h).
//
// The _parse functions read a file that is in memory already; bytes need not end with '\0', and
// nothing of the result points to them. name is what messages call the file. Memory comes from the
// arena, never more than a small multiple of length. On failure *out is empty.
#pragma once

#include "base/arena.h"
#include "cosserat/model.h"
#include "medusa/surroundings.h"
#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stddef.h>

enum { MEDUSA_MODELS_MAX = 100000, MEDUSA_VEHICLES_MAX = 1000000 };
enum { MEDUSA_EQUILIBRIUM_COUNT = COSSERAT_D33 - COSSERAT_R3 + 1 }; // R3, D11 .. D33

typedef struct medusa_place {
    int line, column; // from 1
} medusa_place;

typedef struct medusa_span {
    size_t begin, end; // bytes [begin, end) of the file
} medusa_span;

// Where a model stands in its file. A command that solves the equilibrium can write the new numbers
// over the old ones and keep every comment, or replace the whole block.
typedef struct medusa_source {
    medusa_place model;                           // the word MODEL
    medusa_place param[COSSERAT_PARAM_COUNT];     // the number of each parameter
    medusa_place lag;                             // number of the key "lag"; line 0: not given
    medusa_span equilibrium;                      // EQUILIBRIUM to the number of D33
    medusa_span number[MEDUSA_EQUILIBRIUM_COUNT]; // each number in it
    medusa_place chassis;                         // word after CHASSIS_MODEL; line 0: not given
    medusa_span chassis_word;
    medusa_span higher[HIGHER_SIZE]; // numbers of D41 .. D73; empty where not given
} medusa_source;

typedef struct medusa_models {
    const char *file; // its name, in the arena
    int count;
    cosserat_model *model;
    medusa_source *source; // of each model
} medusa_models;

enum { // columns of medusa_vehicle_params
    MEDUSA_X,
    MEDUSA_Y,
    MEDUSA_ORIENTATION,
    MEDUSA_SPEED,
    MEDUSA_STEERING,
    MEDUSA_VEHICLE_PARAM_COUNT
};
extern const mc_param medusa_vehicle_params[MEDUSA_VEHICLE_PARAM_COUNT];

enum { MEDUSA_INPUT_STEERING, MEDUSA_INPUT_THROTTLE, MEDUSA_INPUT_BRAKE, MEDUSA_INPUT_COUNT };
extern const mc_param medusa_input_params[MEDUSA_INPUT_COUNT];

// Linear between its points, constant before the first and after the last; two points at the same
// time are a step.
typedef struct medusa_input {
    int count; // 0: not given
    const double *time, *value;
    int line, column; // of its word
} medusa_input;

typedef struct medusa_vehicle {
    int model;          // from 0, into medusa_models
    double x, y;        // m, centre of mass, world
    double orientation; // rad, heading about z from x, positive to the left
    double speed;       // m/s, forward along the heading
    double steering;    // rad, of the front wheels, positive to the left; held without input[]
    int line, column;   // of VEHICLE_HAS_MODEL
    medusa_input input[MEDUSA_INPUT_COUNT];
} medusa_vehicle;

typedef struct medusa_platoon {
    const char *file; // its name, in the arena
    int count;
    medusa_vehicle *vehicle;
    medusa_surroundings around;
} medusa_platoon;

mc_status medusa_models_read(const char *path, arena *a, medusa_models *out, mc_error *error);
mc_status medusa_models_parse(const char *bytes, size_t length, const char *name, arena *a,
                              medusa_models *out, mc_error *error);

mc_status medusa_platoon_read(const char *path, const medusa_models *models, arena *a,
                              medusa_platoon *out, mc_error *error);
mc_status medusa_platoon_parse(const char *bytes, size_t length, const char *name,
                               const medusa_models *models, arena *a, medusa_platoon *out,
                               mc_error *error);

// What is legal but odd, one call for each, in the order of the file; code is MC_OK. Said of a
// model: a track that looks like half a track; a TYRE that the key "lag" contradicts. Of a vehicle:
// an angle that looks like degrees. Vehicles that overlap are found where the world is made.
typedef void medusa_warn(void *context, const mc_error *warning);
void medusa_models_warnings(const medusa_models *models, medusa_warn *warn, void *context);
void medusa_platoon_warnings(const medusa_platoon *platoon, medusa_warn *warn, void *context);
