// scenario.h - inside of mc_scenario.
#pragma once

#include "model/scenario.h"
#include "motorcade/scenario.h"

const scenario *scenario_of(const mc_scenario *s);

// Takes over what was read, also when it fails. NULL: see *error, or read was NULL.
mc_scenario *scenario_wrap(scenario *read, mc_error *error);
