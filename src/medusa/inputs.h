// inputs.h - throttle, brake and steering of MEDUSA's vehicles over time.
//
// Time is divided at every point of an input and at every multiple of MEDUSA_INPUT_INTERVAL.
// Between two such instants inputs are held at their mean, which for lines is the value in the
// middle. So the motion does not depend on when rows are saved.
#pragma once

#include "medusa/medusa.h"

#define MEDUSA_INPUT_INTERVAL 0.01 // s

// Inputs of vehicles whose model cannot take them are rejected.
mc_status medusa_inputs_check(const mc_medusa *run, mc_error *error);

// Notes what changes when. False: no memory.
bool medusa_inputs_prepare(mc_medusa *run);

// Sets all inputs as they are from `time` on; returns the time at which they change. HUGE_VAL: no
// vehicle has an input over time.
double medusa_inputs_set(const mc_medusa *run, double time);

// Those of one vehicle from `time` on.
mc_inputs medusa_inputs_at(const mc_medusa *run, int vehicle, double time);
