// ersc.h - cars that check in and out of the automated lanes, and what each level does for them
// (control/ersc.h).
//
// A car that is not checked in is driven by its driver: by hand, from a file, or by a model of a
// driver, its controller. A car that is checked in is driven by the controller of the ERSC, or its
// own; below the level that keeps lanes its driver still steers. A car that is checked out has its
// driver back.
#pragma once

#include "run/run.h"

mc_status run_ersc_check_in(mc_run *r, int slot, mc_error *error);
mc_status run_ersc_check_out(mc_run *r, int slot, mc_error *error);
event_rejection run_ersc_rejects_in(const mc_run *r, int slot);
event_rejection run_ersc_rejects_out(const mc_run *r, int slot);

// Another level, from now on. Stepping down checks cars out whose lane is not automated any more.
mc_status run_ersc_switch(mc_run *r, int level, mc_error *error);
mc_status run_ersc_check_level(const mc_run *r, double level, mc_error *error);
// Functions of a car that is checked in, by the level; after a change of its controller, too.
void run_ersc_functions(mc_run *r, int slot);
// Whether a car may change lanes by itself; else text says why.
bool run_ersc_may_change(const mc_run *r, char *text, size_t size);
// The driver of a car that is checked in takes the wheel, or lets it go.
void run_ersc_drive(mc_run *r, int slot, bool hand);

// Blind spots and their warnings; the neighbours of every car are known.
mc_status run_ersc_watch(mc_run *r, mc_error *error);
