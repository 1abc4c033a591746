// adopt.h - a run continues with another version of its scenario.
#pragma once

#include "run/run.h"

// A copy of a scenario with its own list of vehicles, in one block for free(); NULL: no memory. All
// else is shared.
scenario *run_copy_scenario(const scenario *s);
scenario *run_copy_some(const scenario *s, const bool *there); // with the vehicles that are there
// The same without the vehicles that have not joined before `now`; NULL with *good: all have.
// *next: when the next one joins.
scenario *run_scenario_at(const scenario *s, double now, double *next, bool *good);

// The run continues with another version, which is kept in its list. text: of the log. Takes over
// one use of `given`, also when it fails.
mc_status run_adopt(mc_run *r, mc_scenario *given, const char *text, mc_error *error);
// Carries out an edit or a whole version of the log.
mc_status run_adopt_text(mc_run *r, int kind, const char *text, mc_error *error);
// Makes the run one of that version of its list; its state is to be restored then.
mc_status run_use_version(mc_run *r, int version, mc_error *error);
// Forgets versions that came into use after the present one.
void run_forget_versions(mc_run *r, int kept);
mc_status run_version_add(mc_run *r, const run_version *version, mc_error *error);
