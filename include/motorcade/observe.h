// observe.h - a run seen from outside: all cars at once, as arrays; controllers, models, profiles.
//
//     mc_row row = {.value = {[MC_FIELD_V] = v}};          // arrays of mc_run_vehicle_count(run)
//     mc_run_read_row(run, &row);
//
// For programs that show or store many cars many times per second: one call per row, one array per
// quantity.
//
// Threads: as in run.h: a run is read by one thread at a time, and not while it is stepped.
#pragma once

#include "motorcade/laws.h"
#include "motorcade/quantity.h"
#include "motorcade/run.h"

#include <stdbool.h>

#include "motorcade/begin.h"

enum mc_car_status { // bits
    MC_CAR_STATUS_LEADER = 1,
    MC_CAR_STATUS_BY_HAND = 2,
    MC_CAR_STATUS_BRAKE_FAULT = 4,
    MC_CAR_STATUS_THROTTLE_FAULT = 8,
    MC_CAR_STATUS_HIT = 16, // within the last half second; a run does not set it
    MC_CAR_STATUS_FALLEN_BACK = 32,
    MC_CAR_STATUS_BRAKES = 64,
    MC_CAR_STATUS_THROTTLE = 128,
    MC_CAR_STATUS_CHECKED_IN = 256,  // the ERSC drives it
    MC_CAR_STATUS_FLASHES = 512,     // it is in a lane that it may not use
    MC_CAR_STATUS_BLIND_LEFT = 1024, // a car is in its blind spot
    MC_CAR_STATUS_BLIND_RIGHT = 2048,
};

typedef struct mc_row {           // arrays by vehicle; NULL: skipped
    double *middle, *target;      // MC_FIELD_MIDDLE, MC_FIELD_TARGET in full
    float *value[MC_FIELD_COUNT]; // any of them
    unsigned *status;             // mc_car_status
    int *hits;                    // impacts each took part in since the start
} mc_row;

void mc_run_read_row(const mc_run *run, const mc_row *row);

// The same for one vehicle, in full: all fields except energy, which is NAN. channels: its channels
// (mc_run_channels), or NULL; asking for both at once costs no more than for one.
void mc_run_read_fields(const mc_run *run, int vehicle, double value[MC_FIELD_COUNT],
                        double *channels);

// Middle of the box ahead of the mass centre, m.
double mc_run_middle(const mc_run *run, int vehicle);

// Mass centre to the left of the path that its steering law keeps, m: of the middle of its lane, or
// of the curve to another one. NAN: no law steers it.
double mc_run_lateral_error(const mc_run *run, int vehicle);

// Position and orientation of the vehicle in space, in the axes of its motion: on a road with
// curves x is the station, y the offset, and the road at its place is turned to x. False: it stays
// in the plane, and *out is made from its motion.
bool mc_run_pose(const mc_run *run, int vehicle, mc_pose *out);
// Momentum, and the impulse of the road since the start, N s.
void mc_run_momentum(const mc_run *run, int vehicle, double momentum[3], double road_impulse[3]);

// A vehicle that is a mechanism, as it is now, for a bench; to be freed by mc_vehicle_bench_free.
// MC_BAD_INPUT: it is none.
mc_status mc_run_bench(const mc_run *run, int vehicle, mc_vehicle_bench *out, mc_error *error);
// The value now of a parameter of the vehicle itself that `set` changes, by its name alone; those
// of its mechanism are among them. False: it has none of that name.
bool mc_run_own_value(const mc_run *run, int vehicle, const char *name, double *out);

// ---- across the road ----

// The wheels of a vehicle now; how many. 0: its type has none (a point, a car of two axles).
int mc_run_wheels(const mc_run *run, int vehicle, mc_wheel wheels[MC_WHEEL_MAX]);

typedef struct mc_run_lane_plan { // a lane change; lanes from 0, the leftmost
    int from, to;                 // -1: it keeps its lane; then all numbers below are NAN
    int waits_for;                // lane it was sent to and waits for room; -1: none
    double start, duration;       // s
    double share;                 // -, of the duration that has passed
    double to_go;                 // m, to the middle of the new lane, left positive
    double max_acceleration;      // m/s^2, across the road, of the whole plan
    double max_jerk;              // m/s^3
    // Cars around it in the new lane, -1: none; m, gaps to them at the end of the change if all
    // keep their speeds, NAN: no car.
    int front, rear;
    double gap_front, gap_rear;
} mc_run_lane_plan;

typedef struct mc_run_lateral {
    bool by_hand;              // throttle, brake and steering come from outside
    const char *law;           // that steers otherwise; "": none
    int lane;                  // 0: the leftmost
    double lane_y, lane_width; // m, middle of the lane at the car
    double offset;             // m, to the left of its path; NAN: it has none
    double yaw_desired;        // rad/s, that keeps it on its path; NAN: it has none
    double road_yaw;           // rad/s, of a car that follows the road at its speed
    mc_run_lane_plan plan;
} mc_run_lateral;
void mc_run_lateral_of(const mc_run *run, int vehicle, mc_run_lateral *out);

// ---- instants of collisions ----
//
// A collision takes a fraction of a control step. A run with mc_run_options.instants keeps, of its
// last step, the instants of impacts and some between them, while a collision lasts: per colliding
// group of vehicles at most two per 32nd of the step, and none less than 0.25 ms apart of either
// sort. They end with the next step, restore or edit.
//
//     for (int k = 0; k < mc_run_instant_count(run); k++) {
//         mc_run_instant_show(run, k);
//         mc_run_read_row(run, &row);                     // the vehicles at mc_run_instant_time
//     }
//     mc_run_instant_leave(run);
//
// While one is shown, the functions that read vehicles read them at that instant: place, speed,
// gap, pose, surface, energy, momentum, channels. Acceleration, jerk and pedals are those of the
// step. The run must not be stepped, saved or changed; mc_run_time is still the end of the step.
// mc_run_instant_leave puts everything back, bit for bit; without an instant shown it does nothing.
// At an impact, speeds are those just after it.
//
// A run of more than MC_INSTANT_VEHICLES vehicles shows only those that take part; the others stay
// where they are at the end of the step.

enum { MC_INSTANT_VEHICLES = 256 };

int mc_run_instant_count(const mc_run *run);
double mc_run_instant_time(const mc_run *run, int instant);           // s, rising
bool mc_run_instant_has(const mc_run *run, int instant, int vehicle); // it takes part
void mc_run_instant_show(mc_run *run, int instant);
void mc_run_instant_leave(mc_run *run);

// Time in steps. Their size may change when another version of the scenario comes into use.
typedef struct mc_run_clock {
    long long step;       // now
    long long first_step; // the step from which on they have this size
    double first_time;    // s, of that step
    double size;          // s
    int version;          // of the scenario in use: 0, 1, ...
} mc_run_clock;
void mc_run_clock_of(const mc_run *run, mc_run_clock *out);

// A controller with its current values: those of the cars that use it; if there are none, those of
// the scenario. Texts and arrays live until the next edit, adoption or restore.
typedef struct mc_run_controller_info {
    const char *name, *law;
    bool own; // user-defined formulas, not a built-in law
    const mc_param *params;
    const double *values; // param_count
    int param_count;
    double headway, distance, v_set; // s, m, m/s; NAN: the roadway's
    const char *fallback;            // law that takes over while the radio is silent; "": none
    const mc_param *fallback_params;
    const double *fallback_values;
    int fallback_count;
    const char *steering;       // law that keeps the car on its path
    struct mc_controller_part { // what is between law and car, by keys of a scenario
        const char *name;       // "inner", "radio", "sensor", "steering", "lane_change", "avoid"
        const mc_param *rows;
        const double *values; // count; those of the scenario
        int count;
    } parts[6];
    int part_count; // 5 without "avoid"
    int listen[8];  // places relative to the car's own: 1 is the car in front
    int listen_count;
    bool listen_leader;
} mc_run_controller_info;
// false: past the end.
bool mc_run_controller_at(const mc_run *run, int index, mc_run_controller_info *out);
// Its formulas: variables, states, the acceleration. false: past the end.
bool mc_run_controller_line(const mc_run *run, int controller, int index, mc_law_line *out);

typedef struct mc_run_model_info { // a type of car of the scenario, whether a car has it or not
    const char *name, *kind;       // kind: as in mc_run_vehicle_info
    double length, width, height;  // m
    double mass;                   // kg
    bool pedals;                   // as in mc_run_vehicle_info
    const char *look;              // how it is drawn: a word of the key `look`, or "file"
} mc_run_model_info;
bool mc_run_model_at(const mc_run *run, int index, mc_run_model_info *out); // false: past the end

// The triangles of a model whose look is "file", packed for a picture. Axes of vehicles; a corner
// is low + position / 65535 size.
typedef struct mc_look_mesh {
    int count;                // triangles
    double size[3];           // m, of the box around it: along x, y and z
    unsigned short *position; // 9 per triangle
    signed char *normal;      // 9 per triangle, 127 is 1
    unsigned char *colour;    // 3 per triangle, linear: 255 is 1; all 255: the vehicle's paint
} mc_look_mesh;

// MC_BAD_INPUT: the model has no such look. Freed by mc_look_mesh_free.
mc_status mc_run_look_mesh(const mc_run *run, int model, mc_look_mesh *out, mc_error *error);
void mc_look_mesh_free(mc_look_mesh *mesh);

const char *mc_run_profile_name(const mc_run *run, int index); // NULL: past the end
double mc_run_step_size(const mc_run *run);                    // s
double mc_run_limit(const mc_run *run);                        // s, end of the scenario

#include "motorcade/end.h"
