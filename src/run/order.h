// order.h - which car drives in front of which.
//
// Places are sorted by lane, in each from the front; a car that changes lanes has a place in both.
// Its car in front is the nearer of the two, and it is in front of others in both.
#pragma once

#include "run/run.h"

mc_status run_order_room(mc_run *r, mc_error *error); // when the run is made
void run_order_make(mc_run *r);
// After a step, in which some cars arrived in another lane: r->arrived. Makes the order again where
// it does not hold any more.
void run_order_check(mc_run *r, int arrived);
// Cars that begin to change lanes get their second places.
void run_order_enter(mc_run *r, const int *slots, int count);
// The cars around one that keeps its lane; not on a circuit.
void run_order_beside(mc_run *r, int slot, run_beside *out);
void run_order_fetch(const mc_run *r, int slot); // asks for their memory ahead of its use
// The places of a run whose cars were restored: they know their lanes and the cars in front.
void run_order_restore(mc_run *r);
