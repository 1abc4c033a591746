// exit.h - cars that leave at an off-ramp.
//
// A car with an exit goes to the lane beside the deceleration lane first. It sets out when the
// distance to that lane is what it drives in 20 s per lane that it has to cross, at its speed or at
// 15 m/s if that is more, and does not change lanes for its own advantage from there on. Next to
// the deceleration lane it goes there, slows down to the design speed of the ramp, and the ramp
// takes it (where.h). When the rest of the deceleration lane is too short for a lane change, the
// car has missed the ramp: it says so (event exit_missed) and takes the next off-ramp of the road,
// or none.
#pragma once

#include "run/run.h"

int run_exit_find(const mc_run *r, const char *name); // number of an off-ramp; -1: unknown
// Carries out the event: its value is the number of the ramp, -1: none.
mc_status run_exit_send(mc_run *r, int slot, const scenario_event *e, mc_error *error);
// At the start of a step: which lanes cars have to go to, and which cars have missed their ramp.
mc_status run_exit_steps(mc_run *r, mc_error *error);
// The deceleration lane of a car's exit where the car is; -1: none.
int run_exit_lane(const mc_run *r, int slot);
bool run_exit_near(const mc_run *r, int slot); // it must not change lanes by itself any more
// m/s^2, at most what it may accelerate to come to the ramp at its design speed; HUGE_VAL: any.
double run_exit_limit(const mc_run *r, int slot);
void run_exit_carry(const mc_run *old, int from, mc_run *fresh, int to);
