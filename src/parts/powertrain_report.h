// powertrain_report.h - engine, torque converter and gears of the DYNAVIS report: what the kinds of
// powertrain that are made of them share.
//
// Eqs 3 to 6 of the report, in the readings of docs/theory.md. With n the engine speed in rpm and V
// the road speed in m/s:
//
//   turbine speed   n1 = 92.8 Kv(V) V, Kv the gear, linear between the points of table 2
//   pump torque     f1 = 0.00617 atan[25(1 - n1/n)] n^2 |0.00455 atan[25(1 - n1/n)]|
//   turbine torque  f2 = clamp(2.330 - 1.525 n1/n, 1, 2.330) f1
//                        (as printed: clamp(3.1592 - 2.068 n1/n, 1.356, 3.1592) f1)
//   force           Fd = 9.683 Kv f2                                      (as printed: 13.13)
//   engine          n' = 22.1 (84829 MDA/n - e (35 + 0.135/22.1 n) - f1)
//   mixture         MDA = power_scale table 1(theta), lb/min of mixture
//   fuel            MDA / (1 + air_fuel_ratio)
//
// As printed, 1.356 (N m per lb ft) is applied three times, and converter and gears deliver 1.8
// times the input power; the default keeps power out <= power in. (In overrun with n1/n between 1
// and 1.0036 the printed constants return up to 2 W too much: 92.8 pi/30 is 9.718, not 9.683.)
//
// Size of the engine. power_scale multiplies the mixture at every throttle angle, so torque and
// power; e = engine_scale multiplies the friction of the engine, which goes with its size. 1 and 1
// are the report's car of 210 hp and 4.6 litre.
//
// Limits: the throttle acts at once (no manifold), gears shift over a range of speed and not at a
// shift point, no reverse gear: rolling back (V < 0) the turbine turns backwards, the torque ratio
// stays at its maximum and the pump sees a stationary turbine. n below 50 counts as 50.
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

enum {         // held
    HELD_FLOW, // lb/min, mixture at this throttle
    HELD_MIN,  // -, minimum torque ratio
    HELD_MAX,  // -, maximum torque ratio
    HELD_FALL, // -, of the torque ratio with n1/n
    HELD_GEAR, // N / N m, force by turbine torque in a gear of Kv = 1
    HELD_FUEL, // kg/s / (lb/min), of fuel to mixture
    HELD_COUNT
};

// Table 1: mixture in lb/min at throttle angles in degrees.
// clang-format off
#define MIXTURE_TABLE(row)                                                                      \
    row(0, 3, 0.168) row(1, 5, 0.198) row(2, 7, 0.37) row(3, 9, 0.59) row(4, 11, 0.9)           \
    row(5, 13, 1.36) row(6, 15, 1.83) row(7, 17, 2.57) row(8, 19, 3.15) row(9, 21, 3.9)         \
    row(10, 23, 4.8) row(11, 25, 5.6) row(12, 27, 6.25) row(13, 29, 7.1) row(14, 31, 8.0)       \
    row(15, 33, 8.8) row(16, 35, 9.8) row(17, 37, 10.5) row(18, 39, 10.8) row(19, 41, 11.3)     \
    row(20, 43, 11.5) row(21, 45, 11.7) row(22, 47, 11.9) row(23, 49, 12.1)                     \
    row(24, 51, 12.3) row(25, 53, 12.5) row(26, 55, 12.7) row(27, 57, 12.9)                     \
    row(28, 59, 13.1) row(29, 61, 13.3) row(30, 65, 13.7) row(31, 69, 14.1)                     \
    row(32, 73, 14.5) row(33, 77, 14.9) row(34, 81, 15.3) row(35, 85, 15.7)
// clang-format on
enum { MIXTURE_POINTS = 36 };
extern const double mixture_angle[MIXTURE_POINTS]; // degrees: 3, 5 .. 61, 65 .. 85
extern const double mixture_flow[MIXTURE_POINTS];  // lb/min
