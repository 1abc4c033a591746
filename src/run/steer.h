// steer.h - every car keeps its path: where it is relative to it, its steering law, and the curve
// from one lane to another.
//
// The path of a car is the middle of its lane, or the curve to another lane that it is on
// (control/lane_change.h).
#pragma once

#include "run/run.h"
#include "run/where.h"

// What a steering law reads that costs something to make.
enum run_steer_needs { RUN_STEER_AHEAD = 1, RUN_STEER_TURN = 2, RUN_STEER_GAINS = 4 };
unsigned run_steer_needs_of(const law *l);

// Steering angle of a slot in the coming step by its law, rad. The states of the law move on.
double run_steer(mc_run *r, int slot);
// Whether the law must be asked: those of the library give 0 to a car that is where it should be.
static inline bool run_steers(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    const mc_motion *m = &r->motion[slot];
    return m->y != c->lane_y || m->psi != 0.0 || m->v_y != 0.0 || m->yaw_rate != 0.0 ||
           c->flags & (RUN_STEERS | RUN_CHANGES) || (r->where && !r->where[slot].straight);
}
// Signals of its law `ahead` seconds from now (steering.h).
void run_steer_signals(const mc_run *r, int slot, double ahead, double x[STEERING_SIGNAL_COUNT]);
// Optimal gains of a slot whose law reads them, after a change of controller or weights.
void run_steer_prepare(mc_run *r, int slot);
mc_status run_steer_room(mc_run *r, mc_error *error); // when the run is made

// Sends a car with a controller to a lane, from where it is; one that is on its way turns to it.
// A car that is far from its path goes from where it is, also back to the middle of its own lane.
// False: it drives there already.
bool run_lane_change(mc_run *r, int slot, int lane);
// Cars that have arrived keep their lane. True: there are some, and the order changes.
bool run_lane_arrive(mc_run *r);
