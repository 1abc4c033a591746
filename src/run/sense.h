// sense.h - what a car knows in a step: its own sensors, and what it hears.
#pragma once

#include "run/run.h"

static const double RUN_NOBODY = 1e6; // m, gap when there is no car in front

// What a slot sends in this step.
run_message run_message_of(const mc_run *r, int slot);
// Messages of this step; what a slot hears.
void run_radio(mc_run *r);
// Signals that are made only for laws that read them; v, gap, v_front and commands always.
enum run_needs {
    RUN_NEEDS_A = 1,      // own acceleration
    RUN_NEEDS_RADIO = 2,  // accelerations of the car in front
    RUN_NEEDS_LINKED = 4, // leader, linked cars, place, mass, user variables
    RUN_NEEDS_OTHERS = 8, // time, place on the road, fresh, length
    RUN_NEEDS_RATE = 16,  // of v_set
    RUN_NEEDS_ALL = 31
};
// Signals of one slot at the start of the step, and in its middle.
void run_signals(const mc_run *r, int slot, double now[SIGNAL_COUNT], double middle[SIGNAL_COUNT]);
// In its middle alone, and what its law needs alone, of some members from number `from` on, a
// multiple of four: signal k of member m at x[(m / 4 x_count + k) 4 + m % 4]. Lanes behind the last
// member are undefined.
void run_signals_middle(const mc_run *r, const run_group *g, int from, int count, double *x);
// The same of one slot: signal k at x[k].
void run_signals_one(const mc_run *r, int slot, unsigned needs, double *x);
bool run_fresh(const mc_run *r, int slot);

// Maximum acceleration with which the slot can still stop behind the car in front, m/s^2.
double run_avoid(const mc_run *r, int slot);

// What the law of a plain group reads, from member number `from` on, a multiple of four: signals in
// the middle of the step and parameters, in blocks of four as in run_signals_middle. Lanes after
// the last member repeat it. Returns the number of the first member that was not done: it ends
// before a block in which a car sees no car, or which would be one car's alone.
run_line run_line_plain, run_line_avx2;     // of a group in line
run_line run_follow_plain, run_follow_avx2; // of any
