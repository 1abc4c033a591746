// force.h - forces from outside on cars of any type.
//
// A force acts as impulses: half of F h before and half after each piece h of a step, of at most
// 1 ms (a splitting of second order). So every kind of vehicle feels it, momentum changes by
// exactly F t less what the road gives, and its work is known exactly. A car that stands still and
// whose brake can take F is left where it is.
#pragma once

#include "run/run.h"

void run_forces(mc_run *r); // which cars are under a force, after a change
// Moves the world by a step, under forces.
mc_status run_force_advance(mc_run *r, mc_error *error);
void run_force_feel(mc_run *r); // adds what forces do to the accelerations just read
