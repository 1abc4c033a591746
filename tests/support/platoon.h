// platoon.h - scenarios written in a test, and runs of them. What goes wrong fails the test.
#pragma once

#include "motorcade/run.h"

// From a text; files it names are looked for in the folder scenarios/.
mc_scenario *platoon_scenario(const char *text);
mc_scenario *platoon_shipped(const char *name); // scenarios/NAME.yaml
mc_run *platoon_run(const mc_scenario *s, int threads);

void platoon_steps(mc_run *run, int count);
mc_run_view platoon_view(const mc_run *run, const char *vehicle);

// A command for the next step.
void platoon_command(mc_run *run, const mc_command *command);
