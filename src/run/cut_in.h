// cut_in.h - cars that get another car in front of them by a lane change (control/cut_in.h).
//
// A car responds from the step in which a car that changes lanes becomes its car in front, nearer
// than the one before, or in which it changes lanes itself behind such a car; until both keep
// their lanes and its law asks for comfortable braking at most.
#pragma once

#include "run/run.h"

void run_cut_in_begin(mc_run *r); // a step begins: who follows whom
// After the order was made: which cars respond from now on.
mc_status run_cut_in_watch(mc_run *r, mc_error *error);
// m/s^2, what a car that responds asks for instead of what its law does.
double run_cut_in_response(mc_run *r, int slot, double asked);
// The same of four cars on a straight road without obstacles, which see the car in front as it is,
// in place. Returns bit l for each car l whose law asks for no more than that (control/cut_in.h).
// RUN_CUT_IN_NOT_DONE: a braking bound needs the whole of avoid.c, and nothing was done.
enum { RUN_CUT_IN_NOT_DONE = 1 << 4 };
run_cut_in_four run_cut_in_four_plain, run_cut_in_four_avx2;
// The same of any responding cars of a tile that begins at slot `first`; desired: of its cars.
void run_cut_in_respond(mc_run *r, int first, const int *slots, int count, double *desired);
void run_cut_in_end(mc_run *r); // the cars have decided: which of them need not respond any more
