// motion_rows.h - what of a run goes into its hashes, read by the public interface, name by name.
//
// This is the only place that knows where a number is kept: when the interface changes, these
// functions follow, and put the same numbers in the same order.
#pragma once

#include "motorcade/run.h"
#include "motorcade/world.h"
#include "support/motion_trace.h"

// One row: all vehicles of a run in order of its scenario, then the impacts since the row before.
void motion_run_row(motion_trace *t, const mc_run *run);

// A scenario from its start to its end on one thread, a row per control step.
void motion_scenario(motion_trace *t, const mc_scenario *s);

// The same of a world without controllers, for MEDUSA runs.
void motion_world_row(motion_trace *t, const mc_world *world);
