// plastic.h - the elastic-plastic chassis: CHASSIS_MODEL plastic.
//
// The Green strain is the sum E = Ee + Ep of an elastic and a plastic part; the stress follows from
// the elastic one, S = V (lambda tr(Ee) I + 2 mu Ee). The chassis yields by von Mises' rule with
// isotropic hardening:
//     s = sqrt(3/2) |dev S| <= V (E yield_strain + hardening alpha)
// alpha is the plastic strain that has accumulated, alpha' = sqrt(2/3) |Ep'|, and Ep flows along
// dev S. So Ep keeps its trace 0: what is crushed in one direction bulges in the others.
// In pure tension the curve has slope E up to yield_strain, then E hardening / (E + hardening).
//
// Return mapping: from state (Ep, alpha) at the start of a step, a strain E gives
//     trial s_t of E - Ep;   d alpha = max(0, s_t - yield) / (V (3 mu + hardening)),
//     Ep += 3/2 d alpha dev S_t / s_t.
// This is a closed form, and the stress it gives is the gradient in E of
//     elastic energy of E - Ep, plus the plastic work  V (E yield_strain + hardening alpha) d alpha
// with alpha at the middle. So within a step the chassis is a spring with a known energy; the
// integrator samples it at its stages like any other force, the state is updated at the end of the
// step, and `crushed` in the energy balance is exactly this plastic work. Nothing is lost except
// the error of the scheme.
// Yield that comes and goes within one step is not kept; steps that yield are cut (kernel_lanes.c).
//
// Limits: Green strain ends at -1/2 (zero length). Crushed by a constant stress a length l resists
// with a force proportional to l, so a chassis without hardening that is compressed beyond about 40
// % collapses. The work a chassis can take is about V (E yield_strain / 2 + hardening / 8).
//
// State, PLASTIC_COUNT values after all others of a vehicle: Ep (xx, yy, zz, yz, zx, xy), alpha,
// plastic work (J).
#pragma once

#include "motorcade/param.h"

enum { PLASTIC_YIELD_STRAIN, PLASTIC_HARDENING, PLASTIC_PARAM_COUNT };
extern const mc_param plastic_params[PLASTIC_PARAM_COUNT];

enum { PLASTIC_STRAIN = 0, PLASTIC_ALPHA = 6, PLASTIC_WORK = 7, PLASTIC_COUNT = 8 };

typedef struct plastic_law { // all times the volume: N m
    double two_mu;           // 2 mu
    double yield;            // E yield_strain
    double hardening;
} plastic_law;

// Four vehicles at once, value k of lane l at [4 k + l]; arrays aligned to 32 bytes. shape: F - I
// or, in a frame that turns with the body, R'F - I: component a of director i at [4 (3 a + i)].
// next: the state after yielding to that shape; may be state. force: what Ep adds to the director
// forces, -F S gaining F (2 mu V Ep), seen from the frame, in the layout of shape; may be NULL.
typedef void plastic_yield(const plastic_law *law, const double *shape, const double *state,
                           double *next, double *force);
plastic_yield plastic_yield_plain, plastic_yield_avx2;
plastic_yield plastic_yield_avx512; // eight: value k of lane l at [8 k + l], aligned to 64 bytes
