// join.h - platoon manoeuvres: join from behind and from the side, leave, split, merge.
//
// Membership (platoon, number, leader) changes when a manoeuvre begins or a car sets out; the gaps
// follow. A car that must close up or open a gap follows the car in front as if that were shifted
// back by d(t), a polynomial of fifth degree from the present gap error to its target, with bounded
// acceleration and jerk (control/lane_change.h). Its law sees no error at the start, whatever the
// gap, and does not brake or accelerate harder than the curve asks. Collision avoidance sees the
// true gap.
//
// A car that joins from the side waits on such a curve beside the platoon, while the car behind its
// place opens a gap on another. Where a car begins to follow another car, or by another law, the
// acceleration asked for would jump by some b: it gets b (1 - S(t/T)) on top, S(z) = z^3 (10 - 15 z
// + 6 z^2), T = 2 s, which has no jump and adds a jerk of at most 15/8 b/T.
#pragma once

#include "run/run.h"

mc_status run_join_room(mc_run *r, mc_error *error); // when the run is made
// One of EVENT_JOIN, EVENT_LEAVE, EVENT_SPLIT, EVENT_MERGE; rejected with the reason.
mc_status run_join_event(mc_run *r, int slot, int kind, double value, mc_error *error);
mc_status run_join_check(const mc_run *r, int slot, int kind, double value, mc_error *error);
// At the start of a step, after lane changes were granted: shifts move, cars that arrive join.
mc_status run_join(mc_run *r, mc_error *error);
// m/s^2: what a car that waits to join from the side may do, so that it comes to its place.
double run_join_limit(const mc_run *r, int slot);
// The acceleration asked for by law and traffic, without a jump where a manoeuvre changes these.
double run_join_smooth(mc_run *r, int slot, double asked);
// Numbers, leaders and stations of a platoon, by the numbers of its cars.
void run_platoon_order(mc_run *r, int platoon);
int run_platoon_leader(const mc_run *r, int platoon); // slot; -1: none
