// rolling.h - wheels and motors of a mechanism for the engine of equations.
//
// They are loads from outside: what the ground presses on the wheels, by the same gaps, normals and
// tyre springs as in the engine of impulses, and torques along joints. What impulses solve exactly,
// sticking and a motor that holds its speed, is steep but smooth here:
//
//   friction   -mu N s/sqrt(s^2 + s0^2),  s the slip of the contact point, s0 the key slip
//   motor      max e/sqrt(e^2 + e0^2),    e the speed that is missing, e0 = 0.2 rad/s or m/s
#pragma once

#include "mechanism/mechanism.h"

typedef struct rolling rolling;

// NULL in *out: the mechanism has neither wheels nor motors.
mc_status rolling_make(mc_multibody *m, rolling **out, mc_error *error);
void rolling_free(rolling *r);
// Takes the numbers of the wheels as they are now.
mc_status rolling_refresh(rolling *r, mc_error *error);
// Three forces per wheel, as of rolling_forces: those along the ground act instead of friction.
// NULL: friction again. They must stay where they are.
void rolling_give(rolling *r, const double *forces);
// Adds to tau, v_count numbers.
void rolling_load(rolling *r, double t, const double *y, double *tau);
// Of the last call: along the normal, the direction of rolling, across it, for every wheel, N.
const double *rolling_forces(const rolling *r);

// Wheels and motors of a mechanism outside of a run, made once; NULL in *out: it has none.
mc_status multibody_standing(mc_multibody *m, rolling **out, mc_error *error);
// Where the forces of the ground are among the outputs.
int multibody_contact_output(const mc_multibody *m);
