// replay.h - inside of mc_replay: the readers of the kinds of files fill it.
#pragma once

#include "base/arena.h"
#include "motorcade/replay.h"

struct mc_replay {
    arena memory;
    mc_replay_info info;
    mc_replay_car *cars;
    double *t;                     // row_count
    double *value[MC_FIELD_COUNT]; // [row][car]; NULL: none
    double *directors;             // [row][car][9]; NULL: none
    char note[300];
};

// Room for rows and cars. False: no memory, or too much.
bool replay_reserve(mc_replay *r, int rows, int cars, mc_error *error);
// An array for a field, all NAN. NULL: no memory.
double *replay_field(mc_replay *r, mc_field field);
// How many rows of a recording make one that is kept.
int replay_stride(double rows, double cars, int fields);
void replay_car_defaults(mc_replay_car *car);
// Speed, acceleration, jerk that are missing, from what is there.
mc_status replay_estimate(mc_replay *r, mc_error *error);

mc_status replay_read_results(mc_replay *r, const char *path, mc_error *error);
mc_status replay_read_asc(mc_replay *r, const char *path, mc_error *error);
mc_status replay_read_dynavis(mc_replay *r, const char *path, const char *with, mc_error *error);
mc_status replay_read_csv(mc_replay *r, const char *path, mc_error *error);
