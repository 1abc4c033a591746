// linear.h - one vehicle of a batch as a linear system, from its own steps; see linear.c.
#pragma once

#include "motorcade/run.h"
#include "motorcade/vehicle_model.h"

enum { LINEAR_V, LINEAR_V_Y, LINEAR_YAW_RATE, LINEAR_OUTPUTS }; // m/s, m/s, rad/s

typedef struct linear_lateral {     // of the answer to steering
    double C[2][MC_RUN_LINEAR_MAX]; // v_y and yaw rate over the states
    int place[MC_RUN_LINEAR_MAX];   // of the states, in what the kind saves
    double rate[MC_RUN_LINEAR_MAX]; // of the states now, in units of their sizes, 1/s
} linear_lateral;

// The answer of v_y and yaw rate to steering about the present state and inputs, the speed along
// the heading held by a force at the mass centre, so that it is not among the states. Only for
// kinds that name their speed "v". The vehicle is as before afterwards.
mc_status run_linear_steering(mc_batch *batch, int i, const mc_inputs *inputs,
                              mc_run_linear_model *out, linear_lateral *lateral, mc_error *error);
// Place of a state by its name in what a kind saves; -1: it has none of that name.
int run_linear_place(const mc_batch *batch, const char *name);
