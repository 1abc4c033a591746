// powertrain_converter.h - what the tables and the vector code of the converter share.
//
// Engine, torque converter and automatic gears of the DYNAVIS report, eqs 3 to 6, in the readings
// of docs/theory.md. With n the engine speed in rpm and V the road speed in m/s:
//
//   turbine speed   n1 = 92.8 Kv(V) V, Kv the gear, linear between the points of table 2
//   pump torque     f1 = 0.00617 atan[25(1 - n1/n)] n^2 |0.00455 atan[25(1 - n1/n)]|
//   turbine torque  f2 = clamp(2.330 - 1.525 n1/n, 1, 2.330) f1           (as printed:
//                        clamp(3.1592 - 2.068 n1/n, 1.356, 3.1592) f1)
//   force           Fd = 9.683 Kv f2                                      (as printed: 13.13)
//   engine          n' = 22.1 (84829 MDA/n - e (35 + 0.135/22.1 n) - f1)
//   mixture         MDA = power_scale table 1(theta), lb/min of mixture
//   fuel            MDA / (1 + air_fuel_ratio)
//
// As printed, 1.356 (N m per lb ft) is applied three times and converter and gears give out 1.8
// times the power put in; the default keeps power out <= power in. (In overrun with n1/n between 1
// and 1.0036 the printed constants give back up to 2 W too much: 92.8 pi/30 is 9.718, not 9.683.)
//
// Size of the engine. power_scale multiplies the mixture at every throttle angle, so torque and
// power; e = engine_scale multiplies the friction of the engine, which goes with its size. 1 and 1
// are the report's car of 210 hp and 4.6 litre.
//
// Limits: the throttle acts at once (no manifold), gears shift over a range of speed and not at a
// shift point, no reverse gear: rolling back (V < 0) the turbine turns backwards, the torque ratio
// stays at its greatest value and the pump sees a standing turbine. n below 50 counts as 50.
#pragma once

#include "parts/powertrain.h"

enum {
    CONVERTER_AS_PRINTED,
    CONVERTER_IDLE_ANGLE,
    CONVERTER_POWER_SCALE,
    CONVERTER_ENGINE_SCALE,
    CONVERTER_AIR_FUEL,
    CONVERTER_PARAM_COUNT
};

enum {          // held
    HELD_FLOW,  // lb/min, mixture at this throttle
    HELD_LEAST, // -, least torque ratio
    HELD_MOST,  // -, greatest torque ratio
    HELD_FALL,  // -, of the torque ratio with n1/n
    HELD_GEAR,  // N / N m, force by turbine torque in a gear of Kv = 1
    HELD_FUEL,  // kg/s / (lb/min), of fuel to mixture
    HELD_COUNT
};

enum { MIXTURE_POINTS = 36 };
extern const double mixture_angle[MIXTURE_POINTS]; // degrees: 3, 5 .. 61, 65 .. 85
extern const double mixture_flow[MIXTURE_POINTS];  // lb/min

powertrain_hold converter_hold_plain, converter_hold_avx2;
powertrain_eval converter_eval_plain, converter_eval_avx2;
powertrain_plan converter_plan_plain, converter_plan_avx2;
