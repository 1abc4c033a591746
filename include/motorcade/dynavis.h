// dynavis.h - the files of DYNAVIS (its report, appendix B): parameter, data, ramp and car files,
// read as they are and written again.
//
//     mc_dynavis_params params;
//     if (mc_dynavis_params_read("demo.par", 2, &params, &error) != MC_OK)
//         return error.code;
//     mc_dynavis_data *data = mc_dynavis_data_load("demo.dat", &params, NULL, &error);
//     const mc_dynavis_frame *last = mc_dynavis_data_last(data); // where a run can continue
//     mc_dynavis_data_free(data);
//
// A data file has one line per frame,
//     #cars t {time headway}*lanes {fixed headway}*lanes {id x y v_x v_y a jerk}*cars
// and the parameter file says which of these fields are present. Missing ones are computed:
// 1. RelPosition_X = 1: x is the distance to the car before it in the line, positive when behind,
//    x_i = x_(i-1) - distance. The first car of a platoon has none: it starts at x = 0 and its
//    speed is integrated, by the trapezoidal rule or, with accelerations in the file, by
//    h (v0 + v1)/2 + h^2 (a0 - a1)/12.
// 2. No y: the centre of the platoon's lane. With several lanes y is measured from that centre,
//    with one from the centre of the left lane. Centres are at 0, -3.4 and -6.8 m, left is
//    positive.
// 3. SamePlatoonLeader = 1: the first cars of platoons 2 and 3 are copies of the first car, moved
//    to their lane, with 1000 and 2000 added to its id.
// 4. Missing speed, acceleration and jerk are estimated by local fits, see mc_dynavis_options;
//    acceleration and jerk only if the parameter file says so, else NAN.
//
// SI units. x is measured forward from the start, to the same point of every car.
//
// Threads: a data object does not change once read and may be shared by threads; a writer is used
// by one thread at a time. Everything else keeps no state between calls.
#pragma once

#include "motorcade/param.h"
#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

#define MC_DYNAVIS_LANE_WIDTH 3.4 // m

enum {
    MC_DYNAVIS_LANES_MAX = 3,
    MC_DYNAVIS_CARS_MAX = 100000, // in a frame; DYNAVIS had 30
    MC_DYNAVIS_NAME_SIZE = 64,    // of a car model or a ramp, with the '\0'
};

// ---- parameter file ----

enum mc_dynavis_param { // in the order of the report's sample; a 0/1 unless a unit is named
    MC_DYNAVIS_PARAM_LANES,
    MC_DYNAVIS_PARAM_CARS,
    MC_DYNAVIS_PARAM_TIME_HEADWAY, // s; three of them
    MC_DYNAVIS_PARAM_TIME_HEADWAY_2,
    MC_DYNAVIS_PARAM_TIME_HEADWAY_3,
    MC_DYNAVIS_PARAM_FIXED_HEADWAY, // m; three of them
    MC_DYNAVIS_PARAM_FIXED_HEADWAY_2,
    MC_DYNAVIS_PARAM_FIXED_HEADWAY_3,
    MC_DYNAVIS_PARAM_TIME_HEADWAY_GIVEN,
    MC_DYNAVIS_PARAM_FIXED_HEADWAY_GIVEN,
    MC_DYNAVIS_PARAM_RELATIVE_X,
    MC_DYNAVIS_PARAM_RELATIVE_Y,
    MC_DYNAVIS_PARAM_VELOCITY_X,
    MC_DYNAVIS_PARAM_VELOCITY_Y,
    MC_DYNAVIS_PARAM_ACCELERATION,
    MC_DYNAVIS_PARAM_JERK,
    MC_DYNAVIS_PARAM_ESTIMATE_ACCELERATION,
    MC_DYNAVIS_PARAM_ESTIMATE_JERK,
    MC_DYNAVIS_PARAM_SIMULATION,
    MC_DYNAVIS_PARAM_SAME_LEADER,
    MC_DYNAVIS_PARAM_CAR_COUNT_GIVEN,
    MC_DYNAVIS_PARAM_CAR_ID_GIVEN,
    MC_DYNAVIS_PARAM_POSITION_Y_GIVEN, // the report's own extension; else the same as RelPosition_Y
    MC_DYNAVIS_PARAM_CAR_LENGTH,       // m, Motorcade's own: DYNAVIS had cars of one length
    MC_DYNAVIS_PARAM_COUNT
};

typedef struct mc_dynavis_params {
    int version;    // of DYNAVIS, 1 or 2: decides what is assumed for items not given
    char file[256]; // where they were read; "": the defaults
    double value[MC_DYNAVIS_PARAM_COUNT];
    int line[MC_DYNAVIS_PARAM_COUNT]; // of each item in the file; 0: not given
} mc_dynavis_params;

// One row per item: name, unit, default of version 2, range, meaning.
extern const mc_param mc_dynavis_param_rows[MC_DYNAVIS_PARAM_COUNT];

// Everything is given, nothing relative: the layout of a file that DYNAVIS itself has written.
// Version 1 has 2 lanes of 4 cars, neither #cars nor ids; version 2 has 1 lane.
void mc_dynavis_params_defaults(int version, mc_dynavis_params *out);

// The same for a file of `count` cars, from the platoons (-1: none) and lengths (m) they have in
// the order they are written: as many lanes as platoons where these are at most three, of equal
// size, and no car is alone; else one. The length is that of the cars, or of most of them.
void mc_dynavis_params_of(const int *platoon, const double *length, int count,
                          mc_dynavis_params *out);

// Lines "item = number", a comma at the end allowed, '#' begins a comment line. Case, '-', '_', '.'
// and blanks in items are ignored.
mc_status mc_dynavis_params_read(const char *path, int version, mc_dynavis_params *out,
                                 mc_error *error);
mc_status mc_dynavis_params_parse(const char *bytes, size_t length, const char *name, int version,
                                  mc_dynavis_params *out, mc_error *error);

// Whether the items are consistent: what reading a file checks at its end.
mc_status mc_dynavis_params_check(const mc_dynavis_params *params, mc_error *error);

mc_status mc_dynavis_params_write(const char *path, const mc_dynavis_params *params,
                                  mc_error *error);

// ---- data file ----

typedef struct mc_dynavis_car { // in one frame
    int id;                     // as in the file; without ids: place in the line, from 1
    int platoon;                // 1..3, which group of the line it belongs to, also after a change
    int lane;                   // 1..3 from the left: the nearest to y
    double x, y;                // m
    double v_x, v_y;            // m/s
    double a;                   // m/s^2, along x; NAN: not known
    double jerk;                // m/s^3; NAN: not known
} mc_dynavis_car;

typedef struct mc_dynavis_frame {
    double t;                                   // s
    double time_headway[MC_DYNAVIS_LANES_MAX];  // s; of the parameter file where not given
    double fixed_headway[MC_DYNAVIS_LANES_MAX]; // m
    int car_count;
    mc_dynavis_car *cars;
    int line; // in the file; 0: not from a file
} mc_dynavis_frame;

// How missing rates are found. Derivative r of a signal at a sample is that of the polynomial of
// degree r + 1 that fits the samples near it in least squares (Savitzky-Golay, for any steps).
// Near are those within window (r + 1)/2 of it; at the ends of a record the span keeps its length
// and is shifted inwards. At least r + 4 samples, at most MC_DYNAVIS_FIT_MAX.
typedef struct mc_dynavis_options {
    double window; // s, half the span for a first derivative; 0: MC_DYNAVIS_WINDOW
} mc_dynavis_options;

#define MC_DYNAVIS_WINDOW 0.5 // s
enum { MC_DYNAVIS_FIT_MAX = 401 };

typedef enum mc_dynavis_source { // where a quantity comes from
    MC_DYNAVIS_SOURCE_READ,      // the file
    MC_DYNAVIS_SOURCE_COMPUTED,  // speed integrated, distances summed, centre of the lane
    MC_DYNAVIS_SOURCE_FITTED,    // estimated
    MC_DYNAVIS_SOURCE_UNKNOWN,   // NAN
    MC_DYNAVIS_SOURCE_COUNT
} mc_dynavis_source;

enum { MC_DYNAVIS_NOTE_MAX = 8, MC_DYNAVIS_NOTE_SIZE = 200 };

typedef struct mc_dynavis_data {
    mc_dynavis_params params;
    mc_dynavis_frame *frames; // in order of time
    int frame_count;          // at least 1
    int max_cars, min_cars;   // in a frame
    int track_count;          // cars in the file; one that reappears counts again
    mc_dynavis_source x, y, v_x, v_y, a, jerk;
    double window;    // s, of mc_dynavis_options
    char method[512]; // how computed and estimated values were obtained, for metadata
    char notes[MC_DYNAVIS_NOTE_MAX][MC_DYNAVIS_NOTE_SIZE]; // what looks like a mistake
    int note_count;
} mc_dynavis_data;

// NULL: see *error. options may be NULL.
mc_dynavis_data *mc_dynavis_data_load(const char *path, const mc_dynavis_params *params,
                                      const mc_dynavis_options *options, mc_error *error);
mc_dynavis_data *mc_dynavis_data_parse(const char *bytes, size_t length, const char *name,
                                       const mc_dynavis_params *params,
                                       const mc_dynavis_options *options, mc_error *error);
void mc_dynavis_data_free(mc_dynavis_data *data); // NULL is allowed

// Initial conditions of a run that continues from the file; lives as long as data.
const mc_dynavis_frame *mc_dynavis_data_last(const mc_dynavis_data *data);

// One CSV file per track in a folder, which is created if necessary: car<id>.csv, or car<id>_2.csv
// when a car reappears. Columns t,x,y,v,v_y,a,jerk,lane.
mc_status mc_dynavis_data_write_csv(const char *folder, const mc_dynavis_data *data,
                                    mc_error *error);

// 1..3, the lane whose centre is nearest to y (the left one of two that are equally near).
int mc_dynavis_lane(double y);

// ---- writing a data file ----

// Rows go to a temporary name; close makes data file and parameter file. Numbers have 17 digits: a
// file with absolute positions (RelPosition_X = 0) reads back with the same bits; with several
// lanes and RelPosition_Y = 1 the y of a car off its platoon's lane comes back to rounding.
typedef struct mc_dynavis_writer mc_dynavis_writer;

mc_dynavis_writer *mc_dynavis_writer_open(const char *path, const mc_dynavis_params *params,
                                          mc_error *error); // NULL: see *error
// Cars are listed platoon by platoon, from the first car of each; their platoon, lane and line are
// ignored. Rejects what the parameters cannot express: a number that is not finite, a car outside
// its lane without y, a leader that is not a copy. The file is then unchanged, and writing can
// continue.
mc_status mc_dynavis_writer_write(mc_dynavis_writer *writer, const mc_dynavis_frame *frame,
                                  mc_error *error);
mc_status mc_dynavis_writer_close(mc_dynavis_writer *writer,
                                  mc_error *error); // frees, also on failure
void mc_dynavis_writer_abandon(mc_dynavis_writer *writer);

// Name of the parameter file of a data file: run.dat -> run.par, anything else gets .par added.
// MC_BAD_INPUT: too long, or the data file is called *.par itself.
mc_status mc_dynavis_param_path(const char *data_path, char *out, size_t size, mc_error *error);

// ---- ramp file ----

typedef struct mc_dynavis_ramp {
    char name[MC_DYNAVIS_NAME_SIZE];
    double x;       // m from the start of the road
    bool on;        // on-ramp; else off-ramp
    bool connector; // to another freeway
    int line;
    double miles; // as written in the file; 0: from x
    bool after;   // miles count from the ramp before
} mc_dynavis_ramp;

// "name distance ON|OFF [connector]", distance in miles, +0.5: after the ramp before; '#' begins a
// comment line. The array is freed with free().
mc_status mc_dynavis_ramps_read(const char *path, mc_dynavis_ramp **out, int *count,
                                mc_error *error);
mc_status mc_dynavis_ramps_parse(const char *bytes, size_t length, const char *name,
                                 mc_dynavis_ramp **out, int *count, mc_error *error);
// Read again, the file gives the same ramps: x to the bit where it came from such a file, else to
// its last digit, since not every x is a number of miles.
mc_status mc_dynavis_ramps_write(const char *path, const mc_dynavis_ramp *ramps, int count,
                                 mc_error *error);

// ---- car file ----

enum mc_dynavis_model_item {     // columns, in the units of the file
    MC_DYNAVIS_MODEL_WEIGHT,     // lb
    MC_DYNAVIS_MODEL_LENGTH,     // in
    MC_DYNAVIS_MODEL_WIDTH,      // in
    MC_DYNAVIS_MODEL_SPEED,      // mph, top speed
    MC_DYNAVIS_MODEL_ACCELERATE, // g, max acceleration
    MC_DYNAVIS_MODEL_BRAKE,      // g, max deceleration
    MC_DYNAVIS_MODEL_POWER,      // hp
    MC_DYNAVIS_MODEL_ENGINE,     // l
    MC_DYNAVIS_MODEL_COUNT
};

extern const mc_param mc_dynavis_model_rows[MC_DYNAVIS_MODEL_COUNT]; // in the file's units

typedef struct mc_dynavis_model {
    char name[MC_DYNAVIS_NAME_SIZE];
    double given[MC_DYNAVIS_MODEL_COUNT]; // as written
    double si[MC_DYNAVIS_MODEL_COUNT];    // kg, m, m, m/s, m/s^2, m/s^2, W, m^3
    int line;
} mc_dynavis_model;

// "name: weight length width speed acc brake hp engine"; '#' begins a comment line.
mc_status mc_dynavis_models_read(const char *path, mc_dynavis_model **out, int *count,
                                 mc_error *error);
mc_status mc_dynavis_models_parse(const char *bytes, size_t length, const char *name,
                                  mc_dynavis_model **out, int *count, mc_error *error);

// ---- conversion ----

// What a scenario is made from. Only params is needed: without data, car_count cars (0: Lanes x
// Cars) are spread evenly over three lanes, as DYNAVIS would start them.
typedef struct mc_dynavis_scenario {
    const mc_dynavis_params *params;
    const mc_dynavis_data *data;
    int frame; // start here, from 1; 0: the last. Leaders drive the speeds recorded after it,
               // smoothed by a parabola within the window
    const mc_dynavis_model *models;
    int model_count;
    const char *model; // of every car; NULL: the first; "all": one after the other
    const char *ramps; // path of a ramp file, whose lines become part of the scenario; NULL: none
    int car_count;
    double end;         // s; 0: 6000 frames of 0.05 s
    const char *source; // for a comment in the file; NULL: none
} mc_dynavis_scenario;

// A Motorcade scenario (docs/scenarios.md).
mc_status mc_dynavis_write_scenario(const char *path, const mc_dynavis_scenario *scenario,
                                    mc_error *error);

#include "motorcade/end.h"
