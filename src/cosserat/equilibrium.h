// equilibrium.h - the vehicle at rest, and how long a step may be.
#pragma once

#include "cosserat/batch.h"

enum { COSSERAT_EQUILIBRIUM = 10, COSSERAT_EQUILIBRIUM_MAX = COSSERAT_EQUILIBRIUM + HIGHER_SIZE };

// Solves for rest on the road, straight ahead: r3 and the director components that make every
// acceleration zero. The model's own EQUILIBRIUM block is not looked at. value: R3, D11, ..., D33;
// of a model with seven directors then D41, ..., D73: COSSERAT_EQUILIBRIUM_MAX values.
// *residual (may be NULL): largest acceleration left, m/s^2 or 1/s^2. Fails (MC_FAILED) when the
// iteration does not converge, which means that the springs cannot carry the vehicle.
mc_status cosserat_equilibrium(const cosserat_model *model, double *value, double *residual,
                               mc_error *error);

// Spectral radius of one step of the scheme as coded, linearised about straight running at `speed`
// (m/s): elastic and suspension modes, dampers and tyre lag included.
double cosserat_spectral_radius(const cosserat_model *model, cosserat_scheme scheme, double step,
                                double speed);

// Growth per step above which a step is called unstable; below it are rounding errors of the
// linearization.
#define COSSERAT_GROWTH_TOLERANCE 1e-8

// Longest stable step, s: the first at which the spectral radius passes 1 when the step grows.
// Found by scanning up in steps of 3 % from `from` and bisection to 0.01 %.
double cosserat_stability_bound(const cosserat_model *model, cosserat_scheme scheme, double speed,
                                double from);
