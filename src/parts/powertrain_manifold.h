// powertrain_manifold.h - what the tables and the vector code of the manifold engine share.
//
// The report names an engine with intake manifold (its figure 5: f4, f5, f6) but gives no
// functions. This one is a mean-value model built to agree with the engine of eq 6 where that is
// steady. With r the manifold pressure over that of the air outside, n the engine speed in rpm:
//
//   f4, filling       r' = F (throttle - charge),    F = R T / (volume p_air)
//   throttle flow     throttle = C(theta) psi(r),    psi = 1 up to r = 0.528 (the flow is choked),
//                                                    1 - ((r - 0.528)/0.472)^2 above
//   f5, charge        charge = 0.0051 power_scale n r    lb/min: 4.6 litre, four strokes, filled
//                                                        to 85 %
//   f6, torque        84829 charge/n, less friction as in eq 6
//   fuel              charge / (1 + air_fuel_ratio)
//
// Construction. Table 1 of the report gives the mixture MDA(theta) by the throttle alone, as
// identified from steady runs. Let n_s(theta) be the engine speed of the report's car, cruising on
// a level road at that throttle (default interpretation). At n_s the pressure that draws MDA is
// r_s = MDA/(0.0051 n_s), so with C(theta) = MDA/psi(r_s) the manifold settles at r_s and the
// charge is MDA: both cars have the same steady speeds at every angle of table 1. Elsewhere the
// manifold engine differs as it should: the charge follows the throttle with a lag of a few
// hundredths of a second, and at low engine speed a wide open throttle cannot overfill the
// cylinders.
//
// psi is a parabola in place of the usual root, which has an infinite slope at r = 1.
// Converter, gears and the other parameters are those of powertrain_report.h.
#pragma once

#include "parts/powertrain_report.h"

enum { MANIFOLD_VOLUME = CONVERTER_PARAM_COUNT, MANIFOLD_PARAM_COUNT };
enum { MANIFOLD_RPM, MANIFOLD_PRESSURE, MANIFOLD_STATE_COUNT }; // rpm, -
enum { HELD_FILL = HELD_COUNT, MANIFOLD_HELD_COUNT };           // 1/s / (lb/min)

static const double CHARGE = 0.0051;    // lb/min / rpm
static const double CHOKED = 0.528;     // -, critical pressure ratio
static const double UNCHOKED = 0.472;   // -, from there to 1
static const double AIR_RT = 84100.0;   // J/kg, of air at 293 K
static const double AIR_PRESSURE = 1e5; // Pa

extern const double manifold_capacity[MIXTURE_POINTS]; // lb/min, C at the angles of table 1

powertrain_hold manifold_hold_plain, manifold_hold_avx2;
powertrain_eval manifold_eval_plain, manifold_eval_avx2;
powertrain_plan manifold_plan_plain, manifold_plan_avx2;
