// travel.h - a run taken to an instant of the past, and back to its end.
//
// All of the simulation thread.
#pragma once

#include "studio/hub/branch.h"

// To an instant of the past; travel_return goes back to the end. way NULL: in one go. Else for a
// slice of time, so that others are not held up; *again: it has not arrived yet, and the same call
// is to be made again later. False: see *error.
bool travel_seek(branch *b, double t, mc_timeline_way *way, bool *again, mc_error *error);
void travel_return(hub *h, branch *b);

// The branch whose timeline holds instant t of b: b, or one it was forked from. NULL: see *error.
branch *travel_holder(hub *h, branch *b, double t, mc_error *error);
