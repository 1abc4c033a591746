// dips.h - parts of a mechanism that dip below the ground: how deep, and where.
//
// Only wheels touch the ground. The shapes of bodies are looked at, and where one is below the
// ground an event begins, which ends when it is out again. A shape counts if the file gives it;
// wheels do not.
#pragma once

#include "mechanism/by_impulses.h"

typedef struct dips dips;

// NULL: no memory. The run must outlive it.
dips *dips_make(const impulse_run *run, int body_count);
void dips_free(dips *d);
// All parts where they are now; the largest depth, m, 0 where all are clear. Events go to `report`.
double dips_look(dips *d, double t, mc_simulate_report *report);
