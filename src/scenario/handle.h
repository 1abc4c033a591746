// handle.h - inside of mc_scenario.
#pragma once

#include "scenario/scenario.h"
#include "motorcade/scenario.h"

const scenario *scenario_of(const mc_scenario *s);

// Takes over what was read, also when it fails. NULL: see *error, or read was NULL.
mc_scenario *scenario_wrap(scenario *read, mc_error *error);

// One more user of a scenario, who frees it too; for runs that outlive their maker's. A scenario
// with several users is not changed any more.
mc_scenario *scenario_keep(const mc_scenario *s);

// Another version of a scenario for a run that is under way, from its whole text.
mc_scenario *scenario_version_of(const mc_scenario *s, const char *text, mc_error *error);
