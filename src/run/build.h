// build.h - from a scenario to vehicles in slots, laws and a world.
#pragma once

#include "run/run.h"

mc_status run_build(mc_run *r, mc_error *error);

// The slots that the vehicles of a scenario get in a run of it, and back.
void run_slots(const scenario *s, int *slot, int *vehicle_at);

// Flags and links of a slot that follow from its controller.
void run_take_controller(mc_run *r, int slot);
void run_listen(mc_run *r, int slot); // whom it hears by radio, after its platoon has changed

// Keeps messages for that many seconds from now on.
mc_status run_keep_history(mc_run *r, double delay, mc_error *error);
