// estimate.h - estimators on cars of a run (control/estimator.h).
#pragma once

#include "run/run.h"

// Those of the scenario, when a run is made; images of cars.
mc_status run_estimate_begin(mc_run *r, mc_error *error);
void run_estimate_end(mc_run *r); // frees them

// Whether estimator `number` of the scenario can work on a slot.
mc_status run_estimate_check(const mc_run *r, int slot, int number, mc_error *error);
// Switches an estimator on: one that the slot has already continues. -1: off, the estimate is held.
mc_status run_estimate_switch(mc_run *r, int slot, int number, mc_error *error);
run_estimate *run_estimate_at(const mc_run *r, int slot); // NULL: it has none
// A parameter by name; `start` starts the estimator again. False: unknown.
bool run_estimate_set(mc_run *r, int slot, const char *name, double value);
// A parameter of an image is the estimate: setting it starts the estimator there. False: the slot
// is no image, or of another parameter.
bool run_estimate_set_image(mc_run *r, int slot, const char *name, double value);

// All of them move on, at the end of a step.
mc_status run_estimate_step(mc_run *r, mc_error *error);
bool run_estimate_works(const mc_run *r); // one of them is at work

// What a version of the scenario keeps of the run before it.
mc_status run_estimate_carry(const mc_run *old, mc_run *fresh, mc_error *error);
// As many as a snapshot has, and whether what it filled them with can be used.
bool run_estimate_room(mc_run *r, int count);
bool run_estimate_sound(mc_run *r);
