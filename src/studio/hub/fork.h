// fork.h - a branch made from another one, and the question whether both are still the same.
//
// All of the simulation thread.
#pragma once

#include "studio/hub/branch.h"

// The same as `from` up to `at`; not in the hub's list yet. way, again: as of travel_seek. NULL:
// see *error, or *again: not yet.
branch *fork_branch(hub *h, branch *from, double at, const char *name, const char *change,
                    mc_timeline_way *way, bool *again, mc_error *error);
void fork_compare(hub *h, branch *b); // with its parent, as far as both have come
