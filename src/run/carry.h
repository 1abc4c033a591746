// carry.h - what a run carries over to another version of its scenario.
#pragma once

#include "run/run.h"

// What continues in the version of `fresh`: cars, roadway, events under way.
mc_status run_carry(const mc_run *old, mc_run *fresh, mc_error *error);
// Changes over the last step become those over a step that is `ratio` as long.
void run_scale_rates(run_car *c, const mc_motion *now, double ratio);
void run_carry_radio(const mc_run *old, mc_run *fresh); // when everything else is in its place
// Can the saved state of one be restored in the other? Same type, same outline, and what the type
// asks for.
bool run_same_state(const scenario_model *m, const scenario_model *n);
// Does the vehicle of that name keep its whole state?
bool run_carries(const mc_run *old, const mc_run *fresh, const char *name);
// The number of a controller or profile (kind of event) in the version of `fresh`.
double run_number_in(const mc_run *old, const mc_run *fresh, int kind, double number);
