// replay.h - recordings of any kind as rows over time: what was driven, to be shown again.
//
//     mc_replay *r = mc_replay_open("road_test.dat", "road_test.par", &error);
//     for (int row = 0; row < mc_replay_info_of(r)->row_count; row++)
//         show(mc_replay_time(r, row), mc_replay_row(r, row, MC_FIELD_X));   // an array of cars
//     mc_replay_free(r);
//
// Kinds of files, told apart by what is in them:
//   results (HDF5) of `motorcade run` and `motorcade medusa`
//   data.asc of MEDUSA
//   DYNAVIS data; `with` is its parameter file (else the one beside it; else the defaults)
//   CSV: a folder of `--csv`, one file a car, or one such file; columns t, x and what there is
//
// Rows keep their times, even or not. Speed, acceleration and jerk that are missing are estimated
// by local fits as for DYNAVIS data (mc_dynavis_options). What is not known is NAN; a car whose x
// is NAN is not there. A recording beyond MC_REPLAY_NUMBERS numbers is thinned to every second,
// third, ... row, which a note says.
#pragma once

#include "motorcade/observe.h"
#include "motorcade/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MC_REPLAY_NUMBERS 60e6 // rows x cars x fields that are kept

typedef struct mc_replay mc_replay;

typedef struct mc_replay_info {
    const char *kind;  // "results", "data.asc", "DYNAVIS", "CSV"
    const char *title; // "": none
    int car_count, row_count;
    int lane_count;
    double lane_width; // m
    bool directors;    // mc_replay_directors knows deformed bodies
    const char *note;  // what was estimated or left out; "": nothing
} mc_replay_info;

typedef struct mc_replay_car {
    const char *name, *model, *controller; // "": not known
    int platoon, place, lane;              // lane 0 = leftmost
    double length, width, height;          // m
} mc_replay_car;

// with may be NULL. NULL: see *error.
mc_replay *mc_replay_open(const char *path, const char *with, mc_error *error);
void mc_replay_free(mc_replay *r); // NULL is allowed

const mc_replay_info *mc_replay_info_of(const mc_replay *r);
void mc_replay_car_at(const mc_replay *r, int car, mc_replay_car *out);
double mc_replay_time(const mc_replay *r, int row);
// One value a car; NULL: the recording has none of that field.
const double *mc_replay_row(const mc_replay *r, int row, mc_field field);
// Nine numbers a car: directors 1, 2, 3, each x, y, z; and its height z above. NULL: none.
const double *mc_replay_directors(const mc_replay *r, int row);

#ifdef __cplusplus
}
#endif
