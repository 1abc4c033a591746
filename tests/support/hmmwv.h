// hmmwv.h - mechanisms on wheels for tests.
#pragma once

#include "mechanical/vehicle.h"
#include "scenario/scenario.h"

// A scenario of `count` cars of one multibody model, 20 m apart in a row, v m/s; keys are further
// keys of the model, "" or ", drive: {...}". Fails the test when it cannot be read.
scenario *hmmwv_scenario(const char *keys, int count, double v);
// The same of another file of models/.
scenario *hmmwv_scenario_of(const char *file, const char *keys, int count, double v);

// Its vehicles as a batch; fails the test when it cannot be made. hmmwv_try: NULL then, see *error.
mc_batch *hmmwv_batch(const scenario *s);
mc_batch *hmmwv_try(const scenario *s, mc_error *error);

// Energy of the vehicle plus what it has lost, J: constant when the energy balance closes.
double hmmwv_balance(const mc_batch *batch, int i);
