// order.h - which car drives in front of which.
//
// Places are sorted by lane, in each from the front; a car that changes lanes has a place in both.
// Its car in front is the nearer of the two, and it is in front of others in both.
#pragma once

#include "run/run.h"

mc_status run_order_room(mc_run *r, mc_error *error); // when the run is made
void run_order_make(mc_run *r);
void run_order_check(mc_run *r); // after a step: makes it again where it does not hold any more
// The places of a run whose cars were restored: they know their lanes and the cars in front.
void run_order_restore(mc_run *r);
