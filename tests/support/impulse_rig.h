// impulse_rig.h - a mechanism given as text in the engine of impulses, for tests that step it.
#pragma once

#include "mechanism/by_impulses.h"

enum { RIG_Y_MAX = 80 };

typedef struct rig {
    mc_multibody *m;
    impulse_run run;
    double y[RIG_Y_MAX]; // coordinates, velocities, states
} rig;

// Fails the test where the text is wrong. options: NULL: defaults.
rig *open_rig(const char *text, const mc_simulate_options *options);
void close_rig(rig *r);
void steps(rig *r, double h, long count); // and reads y
double *value(rig *r, const char *name);  // of a coordinate or velocity, in y
void restart(rig *r);                     // at t = 0 from y
