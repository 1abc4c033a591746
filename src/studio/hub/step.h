// step.h - a branch simulated forward, and the commands of its script given on the way.
//
// All of the simulation thread.
#pragma once

#include "studio/hub/branch.h"

// Gives what is due of the script at the instant where the branch stands; true: it is described
// otherwise now. What cannot be given is dropped, and all pages are told.
bool step_give_script(hub *h, branch *b);
// Steps to t, or until the clock shows `until` (s of hub_now). False: t is not reached yet.
bool step_to(hub *h, branch *b, double t, double until);
bool step_is_behind(const hub *h, const branch *b); // the live end
