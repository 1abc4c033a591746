// frame.h - the vehicles of a recording at one instant, between its rows.
#pragma once

#include "motorcade/replay.h"

typedef struct frame_car {
    mc_replay_car info;
    int number;  // in the recording
    double x, y; // m: middle of its box along the road and to the left, as in frames
    double psi;  // rad, from the road
    double v, brake, steer;
    int path;
    bool body; // it deforms: pose is known
    double pose[MC_REPLAY_POSE];
    double heave, pitch, roll; // m, rad: of a rigid body on springs, nose down and right side down
} frame_car;

typedef struct frame {
    double t;
    frame_car *car; // those that are there
    int count;
} frame;

// MC_BAD_INPUT: t is not in the recording. path: of the file, for the message.
mc_status frame_read(const mc_replay *r, const char *path, double t, frame *out, mc_error *error);
void frame_free(frame *f);
int frame_find(const frame *f, const char *name); // -1: absent
