// observe.h - a run seen from outside: all cars at once, as arrays; controllers, models, profiles.
//
//     mc_row row = {.x = x, .value = {[MC_FIELD_V] = v}};   // arrays of mc_run_vehicle_count
//     entries mc_run_read_row(run, &row);
//
// For whoever shows or stores many cars many times a second: one call a row, one array a quantity.
#pragma once

#include "motorcade/laws.h"
#include "motorcade/run.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is known of every car, in the order of the studio's frames (docs/protocol.md).
typedef enum mc_field {
    MC_FIELD_X,        // m, middle of the car's box along the road
    MC_FIELD_Y,        // m, left positive
    MC_FIELD_PSI,      // rad
    MC_FIELD_V,        // m/s
    MC_FIELD_A,        // m/s^2
    MC_FIELD_JERK,     // m/s^3
    MC_FIELD_S,        // m, where it should be; NAN: nobody in front
    MC_FIELD_THROTTLE, // -
    MC_FIELD_BRAKE,    // -
    MC_FIELD_STEER,    // rad
    MC_FIELD_RPM,      // 1/min; NAN: no engine
    MC_FIELD_FUEL,     // g since the start; NAN: not known
    MC_FIELD_ENERGY,   // J, of motion and deformation
    MC_FIELD_GAP,      // m; NAN: nobody in front
    MC_FIELD_WANTED,   // m/s^2
    MC_FIELD_MILEAGE,  // m/l over the last window; a run does not know it
    MC_FIELD_COUNT
} mc_field;

typedef struct mc_field_info {
    const char *name, *unit, *doc;
} mc_field_info;
extern const mc_field_info mc_field_table[MC_FIELD_COUNT];

enum mc_car_status { // bits
    MC_CAR_LEADER = 1,
    MC_CAR_BY_HAND = 2,
    MC_CAR_BRAKE_FAULT = 4,
    MC_CAR_THROTTLE_FAULT = 8,
    MC_CAR_HIT = 16, // within the last half second; a run does not set it
    MC_CAR_FALLEN_BACK = 32,
    MC_CAR_BRAKES = 64,
    MC_CAR_THROTTLE = 128,
};

typedef struct mc_row {           // arrays by vehicle; NULL: not wanted
    double *x, *s;                // MC_FIELD_X, MC_FIELD_S in full
    float *value[MC_FIELD_COUNT]; // the others; [MC_FIELD_MILEAGE] is left alone
    unsigned *status;             // mc_car_status
    int *hits;                    // impacts each took part in since the start
} mc_row;

void mc_run_read_row(const mc_run *run, const mc_row *row);

// Middle of the box ahead of the mass centre, m.
double mc_run_middle(const mc_run *run, int vehicle);

// A controller as it is now: what the cars that have it are driven by; without any, as the scenario
// has it. Texts and arrays live until the next edit, adoption or restore.
typedef struct mc_run_controller_info {
    const char *name, *law;
    bool own; // the user's own formulas, not a built-in law
    const mc_param *params;
    const double *values; // param_count
    int param_count;
    double headway, distance, v_set; // s, m, m/s; NAN: the roadway's
    const char *fallback;            // law that takes over while the radio is silent; "": none
    const mc_param *fallback_params;
    const double *fallback_values;
    int fallback_count;
    struct mc_controller_part { // what stands between law and car, by keys of a scenario
        const char *name;       // "inner", "radio", "sensor", "avoid"
        const mc_param *rows;
        const double *values; // count; as the scenario has them
        int count;
    } parts[4];
    int part_count; // 3 without "avoid"
    int listen[8];  // places relative to the own one: 1 is the car in front
    int listen_count;
    bool listen_leader;
} mc_run_controller_info;
// 0: past the end.
int mc_run_controller_at(const mc_run *run, int index, mc_run_controller_info *out);
// Its formulas: variables, states, the acceleration. 0: past the end.
int mc_run_controller_line(const mc_run *run, int controller, int index, mc_law_line *out);

typedef struct mc_run_model_info { // a type of car of the scenario, whether a car has it or not
    const char *name, *kind;       // kind: as in mc_run_vehicle_info
    double length, width, height;  // m
    double mass;                   // kg; NAN: its file of bodies has it
} mc_run_model_info;
int mc_run_model_at(const mc_run *run, int index, mc_run_model_info *out); // 0: past the end

const char *mc_run_profile_name(const mc_run *run, int index); // NULL: past the end
double mc_run_step_size(const mc_run *run);                    // s
double mc_run_limit(const mc_run *run);                        // s, end of the scenario

#ifdef __cplusplus
}
#endif
