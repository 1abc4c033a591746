// rewrite.h - the log of a branch rewritten: an entry taken out, put in, or replaced.
//
// The branch goes back to the instant before the change, forgets what came after, and is simulated
// again like any branch that is behind; the later commands are given again at their times. All of
// the simulation thread.
#pragma once

#include "studio/hub/branch.h"

// before NULL: nothing goes. after NULL: nothing comes. False: see *error, nothing has changed.
bool rewrite_log(hub *h, branch *b, const log_entry *before, const log_entry *after,
                 mc_error *error);
void rewrite_tell(hub *h, const branch *b, double from); // pages forget what they know after it
