// saved_state.h - a branch as one file, to be resumed later.
//
// The file is JSON: the scenario as it was at the start, the log of all that was done to it, how
// far it had come, and the hash of its state there. Opened, it is simulated again to that instant;
// the hash says whether it is the same state, to the bit.
#pragma once

#include "studio/hub/open.h"

opened *saved_state_open(hub *h, const char *path, const char *shown, mc_error *error);

// Of the simulation thread.
char *saved_state_text(hub *h, const branch *b, const char *log); // to be freed
void saved_state_reached(hub *h, branch *b); // the branch came to the instant of the saved state
