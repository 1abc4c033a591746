// replay.h - recordings of any kind as rows over time: what was driven, to be shown again.
//
//     mc_replay *r = mc_replay_load("road_test.dat", "road_test.par", &error);
//     for (int row = 0; row < mc_replay_info_of(r)->row_count; row++)
//         show(mc_replay_time(r, row), mc_replay_row(r, row, MC_FIELD_MIDDLE));
//     mc_replay_free(r);
//
// Kinds of files, recognized by their contents:
//   results (HDF5) of `motorcade run` and `motorcade medusa`; a mechanism of `motorcade simulate`
//   is not on a road: it is rejected
//   data.asc of MEDUSA
//   DYNAVIS data; `with` is its parameter file (else the one next to it; else the defaults)
//   CSV: a folder of `--csv`, one file per car, or one such file; columns t, x and any others
//
// Results of a run also have instants of collisions, between the rows: vehicles that take part as
// recorded, the others interpolated. They stand behind the rows, as rows row_count, ...
//
// Rows keep their times, even or not. Speed, acceleration and jerk that are missing are estimated
// by local fits as for DYNAVIS data (mc_dynavis_options). Unknown values are NAN; a car whose x is
// NAN does not exist at that time. A recording beyond MC_REPLAY_NUMBERS numbers is thinned to every
// second, third, ... row, which a note says.
//
// Threads: a replay does not change once opened and may be shared by threads. Results files: see
// record.h.
#pragma once

#include "motorcade/observe.h"
#include "motorcade/status.h"

#include "motorcade/begin.h"

#define MC_REPLAY_NUMBERS 60e6 // rows x cars x fields that are kept

typedef struct mc_replay mc_replay;

typedef struct mc_replay_info {
    const char *kind;  // "results", "data.asc", "DYNAVIS", "CSV"
    const char *title; // "": none
    int car_count, row_count;
    int instant_count; // of collisions
    int lane_count;
    double lane_width;    // m
    bool poses;           // mc_replay_poses has the poses of bodies
    bool impacts;         // the recording says whether vehicles hit each other
    const char *scenario; // text of the scenario that was run; "": none
    const char *note;     // what was estimated or left out; "": nothing
} mc_replay_info;

typedef struct mc_replay_car {
    const char *name, *model, *controller; // "": not known
    int platoon, place, lane;              // lane 0 = leftmost
    bool alone;                            // of a run: in no platoon; platoon is 0 then
    double length, width, height;          // m
    double middle;                         // m, of its box ahead of the mass centre
    double mass;                           // kg; NAN: not known
    bool deformable;                       // its body deforms
} mc_replay_car;

// with may be NULL. NULL: see *error.
mc_replay *mc_replay_load(const char *path, const char *with, mc_error *error);
void mc_replay_free(mc_replay *r); // NULL is allowed

const mc_replay_info *mc_replay_info_of(const mc_replay *r);
void mc_replay_car_at(const mc_replay *r, int car, mc_replay_car *out);
double mc_replay_time(const mc_replay *r, int row); // s; rising among the rows, and the instants
// One value per car, of the fields of frames; NULL: the recording has none of that field.
const double *mc_replay_row(const mc_replay *r, int row, mc_field field);
// Twelve numbers per car: mass centre, directors 1, 2, 3, each x, y, z (mc_pose). NULL: none.
enum { MC_REPLAY_POSE = 12 };
const double *mc_replay_poses(const mc_replay *r, int row);
// What happened, in order of time; vehicles are counted from 0. Of an impact: instant, duration,
// vehicles, point, normal, closing speed, impulses and losses; the rest is NAN. Live as long as r.
const mc_impact *mc_replay_impacts(const mc_replay *r, int *count);
int mc_replay_event_at(const mc_replay *r, int index, mc_happened *out); // false: past the end

#include "motorcade/end.h"
