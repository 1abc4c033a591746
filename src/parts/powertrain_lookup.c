// powertrain_lookup.c - the report's engine and gears with tables of the user's: parameters.
#include "parts/powertrain_lookup.h"
#include "parts/powertrain_steady.h"

#include <stddef.h>
#include <stdio.h>

// Table 2: Kv at speeds in m/s.
// clang-format off
#define GEAR_TABLE(row)                                                                         \
    row(0, 0, 2.4) row(1, 2, 2.4) row(2, 5, 2.4) row(3, 7, 1.47) row(4, 10, 1.47)               \
    row(5, 12, 1) row(6, 15, 1) row(7, 18, 0.67) row(8, 20, 0.67) row(9, 40, 0.67)
// clang-format on

// A row for each point: its name ends in the angle or speed, so that what sets, sweeps, edits and
// describes parameters does so for tables too.
#define FLOW_ROW(k, angle, value)                                                                  \
    [LOOKUP_FLOW + (k)] = {                                                                        \
        "mda_" #angle, "lb/min", value,                                                            \
        0.001,         200.0,    "mixture at a throttle angle of " #angle " deg (table 1)"},
#define GEAR_ROW(k, speed, value)                                                                  \
    [LOOKUP_GEAR + (k)] = {"kv_" #speed, "-",  value,                                              \
                           0.05,         20.0, "gear Kv at " #speed " m/s (table 2)"},

static const mc_param params[] = {
    [CONVERTER_AS_PRINTED] = {"as_printed", "-", 0.0, 0.0, 1.0,
                              "0: energy-consistent interpretation of eqs 4 and 6; 1: as printed"},
    [CONVERTER_IDLE_ANGLE] = {"idle_angle", "deg", 7.0, 3.0, 20.0,
                              "throttle angle of the idle stop: throttle 0; throttle 1 is 85 deg"},
    [CONVERTER_POWER_SCALE] = {"power_scale", "-", 1.0, 0.1, 10.0,
                               "multiplies the mixture at every angle"},
    [CONVERTER_ENGINE_SCALE] = {"engine_scale", "-", 1.0, 0.1, 10.0,
                                "engine friction, relative to 4.6 litre"},
    [CONVERTER_AIR_FUEL] = {"air_fuel_ratio", "-", 14.7, 5.0, 50.0, "mass of air to mass of fuel"},
    MIXTURE_TABLE(FLOW_ROW) //
    GEAR_TABLE(GEAR_ROW)    //
};
_Static_assert(sizeof params / sizeof params[0] == LOOKUP_PARAM_COUNT, "one row per parameter");
_Static_assert((int)LOOKUP_PARAM_COUNT <= (int)POWERTRAIN_PARAM_MAX, "room for the tables");

#define SPEED(k, speed, value) [k] = speed,
const double gear_speed[GEAR_POINTS] = {GEAR_TABLE(SPEED)};

// As for the converter, whose fastest engine has the mixture of table 1 at 85 degrees.
static double step_bound(const double *p)
{
    const double power = p[CONVERTER_POWER_SCALE] * p[LOOKUP_FLOW + MIXTURE_POINTS - 1] /
                         mixture_flow[MIXTURE_POINTS - 1];
    return 2.5 /
           (0.0134 * 6000.0 * (power > 1.0 ? power : 1.0) + 0.135 * p[CONVERTER_ENGINE_SCALE]);
}

static void settle(const double *p, double v, double throttle, double *x)
{
    powertrain_settle_speed(&powertrain_lookup, p, v, throttle, NULL, x);
}

static double invert(const double *p, double v, double force)
{
    return powertrain_invert(&powertrain_lookup, p, v, force);
}

// The steady inverse needs a mixture that grows with the angle.
static bool check(const double *p, char *text, int size)
{
    for (int k = LOOKUP_FLOW; k + 1 < LOOKUP_GEAR; k++)
        if (!(p[k + 1] > p[k])) {
            snprintf(text, (size_t)size, "%s must be above %s: found %.6g and %.6g",
                     params[k + 1].name, params[k].name, p[k + 1], p[k]);
            return false;
        }
    return true;
}

const powertrain_kind powertrain_lookup = {
    .name = "lookup_tables",
    .doc = "the converter with its engine and gear tables as parameters",
    .params = params,
    .param_count = LOOKUP_PARAM_COUNT,
    .state_count = 1,
    .held_count = HELD_COUNT,
    .hold = {[CPU_PLAIN] = lookup_hold_plain, [CPU_AVX2] = lookup_hold_avx2},
    .eval = {[CPU_PLAIN] = lookup_eval_plain, [CPU_AVX2] = lookup_eval_avx2},
    .plan = {[CPU_PLAIN] = lookup_plan_plain, [CPU_AVX2] = lookup_plan_avx2},
    .step_bound = step_bound,
    .settle = settle,
    .invert = invert,
    .searched = true,
    .check = check,
};
