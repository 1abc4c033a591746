// pending.h - numbers as they will be when the commands of the coming step are carried out.
//
// A command is carried out at the start of the next step, which at rest is some time off. Pages are
// told what they asked for, not what still is. All of the simulation thread.
#pragma once

#include "motorcade/run.h"

// A parameter of a vehicle (NULL: of all cars of the controller).
double pending_param(const mc_run *run, const char *vehicle, const char *controller,
                     const char *group, const char *name, double now);
// The estimator that a vehicle will have; "none": off.
const char *pending_estimator(const mc_run *run, const char *vehicle, const char *now);
double pending_road(const mc_run *run, const char *name, double now, bool *commanded);
// As which platoon a leader leads.
int pending_lead(const mc_run *run, const char *vehicle, int now);
// Headway or distance of the first car of a controller; NAN: as the roadway's.
double pending_desired(const mc_run *run, const char *controller, const char *name, double own);
