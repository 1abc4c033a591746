// join.h - platoon manoeuvres: join from behind and from the side, leave, split, merge.
//
// Membership (platoon, number, leader) changes when a manoeuvre begins or a car sets out; the gaps
// follow. A car that must close up or open a gap follows the car in front as if that were shifted
// back by d(t), a polynomial of fifth degree from the present gap error to its target, with bounded
// acceleration and jerk (control/lane_change.h). Its law sees no error at the start, whatever the
// gap, and does not brake or accelerate harder than the curve asks. Collision avoidance sees the
// true gap.
#pragma once

#include "run/run.h"

mc_status run_join_room(mc_run *r, mc_error *error); // when the run is made
// One of EVENT_JOIN, EVENT_LEAVE, EVENT_SPLIT, EVENT_MERGE; rejected with the reason.
mc_status run_join_event(mc_run *r, int slot, int kind, double value, mc_error *error);
mc_status run_join_check(const mc_run *r, int slot, int kind, double value, mc_error *error);
// At the start of a step, after lane changes were granted: shifts move, cars that arrive join.
mc_status run_join(mc_run *r, mc_error *error);
// Numbers, leaders and stations of a platoon, by the numbers of its cars.
void run_platoon_order(mc_run *r, int platoon);
int run_platoon_leader(const mc_run *r, int platoon); // slot; -1: none
