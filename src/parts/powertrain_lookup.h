// powertrain_lookup.h - the report's engine and gears with tables 1 and 2 as parameters: what their
// table and their vector code share.
//
// Equations and the first parameters are those of powertrain_report.h; MDA(theta) and Kv(V) are
// linear between points at the report's angles and speeds, whose values are the user's. Their
// fallbacks are the report's: then this is the converter, to rounding.
#pragma once

#include "parts/powertrain_report.h"

enum { GEAR_POINTS = 10 };
enum {
    LOOKUP_FLOW = CONVERTER_PARAM_COUNT, // lb/min, at mixture_angle[0] and on
    LOOKUP_GEAR = LOOKUP_FLOW + MIXTURE_POINTS,
    LOOKUP_PARAM_COUNT = LOOKUP_GEAR + GEAR_POINTS
};

extern const double gear_speed[GEAR_POINTS]; // m/s, of table 2

powertrain_hold lookup_hold_plain, lookup_hold_avx2;
powertrain_eval lookup_eval_plain, lookup_eval_avx2;
powertrain_plan lookup_plan_plain, lookup_plan_avx2;
