// info.h - what a run has: vehicles, road, current parameters.
#pragma once

#include "run/run.h"

// Cuts the name of a group of parameters off "law.k1"; group "": there is none.
enum { RUN_GROUP_SIZE = 40 };
const char *run_param_group(const char *name, char group[RUN_GROUP_SIZE]);
// The same for a command to a vehicle: a name of 0.1 that the vehicle does not know becomes that of
// today, and its bit is added to *renamed.
const char *run_param_name(const mc_run *r, int vehicle, const char *param,
                           char group[RUN_GROUP_SIZE], unsigned *renamed);
// A parameter of a vehicle; group "": the one that a command "set" means.
bool run_param_find(const mc_run *r, int vehicle, const char *group, const char *name,
                    mc_run_param *out);
