// replay.h - inside of mc_replay: the readers of the kinds of files fill it.
#pragma once

#include "base/arena.h"
#include "motorcade/replay.h"

struct mc_replay {
    arena memory;
    mc_replay_info info;
    mc_replay_car *cars;
    double *t;                           // of the rows, then of the instants
    double *value[MC_FIELD_FRAME_COUNT]; // [row][car]; NULL: none
    double *poses;                       // [row][car][MC_REPLAY_POSE]; NULL: none
    mc_impact *impacts;                  // in order of time
    int impact_count;
    mc_happened *events; // in order of time
    int event_count;
    char note[300];
    unsigned renamed; // columns that have the names of 0.1: bits by base/renamed.h
};

// Room for rows, info.instant_count instants and cars. False: no memory, or too much.
bool replay_reserve(mc_replay *r, int rows, int cars, mc_error *error);
// An array for a field, all NAN. NULL: no memory.
double *replay_field(mc_replay *r, mc_field field);
// How many rows of a recording make one that is kept.
int replay_stride(double rows, double cars, int fields);
void replay_car_defaults(mc_replay_car *car);
// Missing speed, acceleration and jerk, estimated from the data.
mc_status replay_estimate(mc_replay *r, mc_error *error);

// A field of frames from quantities of results: `own` where they have it as it is.
double replay_frame_field(const mc_replay_car *car, mc_field field, double own, double x,
                          double spacing_error, double energy);
extern const char *const replay_pose_names[MC_REPLAY_POSE]; // of quantities

mc_status replay_read_results(mc_replay *r, const char *path, mc_error *error);
mc_status replay_read_asc(mc_replay *r, const char *path, mc_error *error);
mc_status replay_read_dynavis(mc_replay *r, const char *path, const char *with, mc_error *error);
mc_status replay_read_csv(mc_replay *r, const char *path, mc_error *error);
