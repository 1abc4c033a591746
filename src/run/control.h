// control.h - the cars decide: law, plan, pedals.
#pragma once

#include "run/run.h"

void run_make_groups(mc_run *r);           // of all tiles, when they do not hold any more
void run_tile_decide(mc_run *r, int tile); // the cars of one tile decide

// What faults of a car's pedals leave of its inputs.
void run_fault_inputs(const mc_run *r, int slot, mc_inputs *inputs);

// States of a law of a slot as they are when it takes over.
void run_law_begin(mc_run *r, int slot, run_side side);

// Place of the states and of the parameters of a law of a slot.
double *run_law_states(const mc_run *r, int slot, run_side side);
double *run_law_params(const mc_run *r, int slot, run_side side);
// The text of that law and the values of its parameters in the scenario; NULL: there is none.
const law_text *run_law_text(const scenario_controller *c, run_side side, const double **p);
