// traffic.h - when cars change lanes: those that are sent and those that decide themselves.
//
// A car that is sent to a lane (event or command `lane`) sets out as soon as there is room
// (control/mobil.h), one lane at a time. While it waits, it drives so that it fits behind the car
// in front of it there, and the next car behind it there makes room, both no harder than
// comfortable. A car whose controller says `lane_change: {free: true}` decides by its advantage,
// every tenth step, spread over the cars.
//
// Decisions read the state at the start of a step and are granted in the order of the vehicles: of
// two cars that go for one gap the first gets it.
#pragma once

#include "run/run.h"

mc_status run_traffic_room(mc_run *r, mc_error *error); // when the run is made
// Begins lane changes at the start of a step.
mc_status run_traffic(mc_run *r, mc_error *error);
// m/s^2, at most what a car may accelerate that waits for room or makes it; HUGE_VAL: neither.
double run_traffic_limit(const mc_run *r, int slot);
void run_traffic_neighbours(mc_run *r); // makes r->beside
// Sends a car to a lane; false: it drives there, or is on its way.
bool run_traffic_send(mc_run *r, int slot, int lane);
