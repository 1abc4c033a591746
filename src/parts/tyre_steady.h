// tyre_steady.h - forces of a tyre whose states have settled, and the slope of its side force.
#pragma once

#include "parts/tyre.h"

enum { TYRE_STEADY_WHEELS = 4 };

// m/s, along x, of wheels that settle.
#define TYRE_STEADY_SPEED 50.0

// Four wheels under constant inputs until the states of the law are at rest. in: all of it, with
// v_x = TYRE_STEADY_SPEED and the context of the law; out: mz may be NULL.
void tyre_steady(const tyre_kind *law, const double *p, const tyre_in *in, const tyre_out *out);

// Side forces of four upright wheels on a dry road that roll freely, at slip angles: fy of each.
// side: 1 left, -1 right.
void tyre_steady_sides(const tyre_kind *law, const double *p, const double load[4],
                       const double angle[4], const double side[4], double fy[4]);

// N/rad, -dfy/dalpha of a wheel that rolls straight ahead under a load on a dry road. 0: the law
// has no side force.
double tyre_cornering(const tyre_kind *law, const double *p, double fz);
