// braking_step.h - a shorter control step while a car with an estimator brakes.
#pragma once

#include "run/run.h"

// Chooses the step that is about to begin. The step changes only where a row of the results falls,
// so that rows keep their distance.
mc_status run_fit_step(mc_run *r, mc_error *error);
// The step in use, for a snapshot; false: the scenario has none of that kind.
bool run_use_braking_step(mc_run *r, bool braking);
