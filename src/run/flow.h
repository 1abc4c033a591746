// flow.h - vehicles that enter by flow and leave where roads end.
//
// A source is vehicles whose times of arrival are known from the start (scenario/sources.c). One
// whose time has come enters, first come first served, when there is room: by the rule for lane
// changes (control/mobil.h), for itself and for the car behind its place. Until then it waits. A
// vehicle whose mass centre has passed the end of the road or of an off-ramp leaves; the last
// vehicle of a run stays. Both happen as edits do, at the start of a step: the run gets a version
// with other vehicles of the same scenario (adopt.c).
#pragma once

#include "run/run.h"

// Memory for what became of the vehicles of the version in use: those of the run are here.
mc_status run_flow_begin(mc_run *r, mc_error *error);
// The same for the run that follows on another, of a version with these vehicles, by their names.
mc_status run_flow_carry(const mc_run *old, const scenario *version, mc_run *fresh,
                         mc_error *error);

// Whether a vehicle of that name left; at: its place in the version, a good guess.
bool run_flow_gone(const mc_run *old, const char *name, int at);

// Vehicles that have come to an end leave: their fate is known, and *any is set.
mc_status run_flow_leave(mc_run *r, bool *any, mc_error *error);
// Whether a vehicle of the version that is not here joins now, beside those whose fate says so; a
// vehicle of a source gets the speed at which it enters.
bool run_flow_joins(const mc_run *r, const scenario *version, int vehicle, double *v);
// After that: how many wait.
void run_flow_count(mc_run *r);
// Whether any does.
bool run_flow_due(const mc_run *r);
