// hmmwv.h - mechanisms on wheels for tests.
#pragma once

#include "model/scenario.h"
#include "sim/multibody_vehicle.h"

// A scenario of `count` cars of one multibody model, 20 m apart in a row, v m/s; keys are further
// keys of the model, "" or ", drive: {...}". Fails the test when it cannot be read.
scenario *hmmwv_scenario(const char *keys, int count, double v);

// Its vehicles as a batch; fails the test when it cannot be made.
mc_batch *hmmwv_batch(const scenario *s);

// What the vehicle has and what left it, J: constant when the books are right.
double hmmwv_books(const mc_batch *batch, int i);
