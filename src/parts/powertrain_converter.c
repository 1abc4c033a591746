// powertrain_converter.c - the report's engine and torque converter: parameters and tables.
#include "parts/powertrain_converter.h"

#include <stddef.h>

static const mc_param params[] = {
    [CONVERTER_AS_PRINTED] = {"as_printed", "-", 0.0, 0.0, 1.0,
                              "0: energy-consistent reading of eqs 4 and 6; 1: as printed"},
    [CONVERTER_IDLE_ANGLE] = {"idle_angle", "deg", 7.0, 3.0, 20.0,
                              "throttle angle of the idle stop: throttle 0; throttle 1 is 85 deg"},
    [CONVERTER_POWER_SCALE] = {"power_scale", "-", 1.0, 0.1, 10.0,
                               "mixture flow and so power, relative to 210 hp"},
    [CONVERTER_ENGINE_SCALE] = {"engine_scale", "-", 1.0, 0.1, 10.0,
                                "friction of the engine, relative to 4.6 litre"},
    [CONVERTER_AIR_FUEL] = {"air_fuel_ratio", "-", 14.7, 5.0, 50.0, "mass of air to mass of fuel"},
};
_Static_assert(sizeof params / sizeof params[0] == CONVERTER_PARAM_COUNT, "one row a parameter");

// Table 1.
const double mixture_angle[MIXTURE_POINTS] = {3.0,  5.0,  7.0,  9.0,  11.0, 13.0, 15.0, 17.0, 19.0,
                                              21.0, 23.0, 25.0, 27.0, 29.0, 31.0, 33.0, 35.0, 37.0,
                                              39.0, 41.0, 43.0, 45.0, 47.0, 49.0, 51.0, 53.0, 55.0,
                                              57.0, 59.0, 61.0, 65.0, 69.0, 73.0, 77.0, 81.0, 85.0};
const double mixture_flow[MIXTURE_POINTS] = {
    0.168, 0.198, 0.37, 0.59, 0.9,  1.36, 1.83, 2.57, 3.15, 3.9,  4.8,  5.6,
    6.25,  7.1,   8.0,  8.8,  9.8,  10.5, 10.8, 11.3, 11.5, 11.7, 11.9, 12.1,
    12.3,  12.5,  12.7, 12.9, 13.1, 13.3, 13.7, 14.1, 14.5, 14.9, 15.3, 15.7};

// The pump torque is steepest in n where 25(1 - n1/n) = 0.77: 22.1 df1/dn = 0.0134 n. Behind 6000
// rpm friction alone would take more than the engine has; explicit Runge-Kutta of order four is
// stable up to 2.78 / rate.
static double step_bound(const double *p)
{
    const double fastest =
        6000.0 * (p[CONVERTER_POWER_SCALE] > 1.0 ? p[CONVERTER_POWER_SCALE] : 1.0);
    return 2.5 / (0.0134 * fastest + 0.135 * p[CONVERTER_ENGINE_SCALE]);
}

static void settle(const double *p, double v, double throttle, double *x)
{
    powertrain_settle_speed(&powertrain_converter, p, v, throttle, NULL, x);
}

static double invert(const double *p, double v, double force)
{
    return powertrain_invert(&powertrain_converter, p, v, force);
}

const powertrain_kind powertrain_converter = {
    .name = "converter",
    .doc = "engine and torque converter of the DYNAVIS report (eqs 3-6)",
    .params = params,
    .param_count = CONVERTER_PARAM_COUNT,
    .state_count = 1,
    .held_count = HELD_COUNT,
    .hold = {[CPU_PLAIN] = converter_hold_plain, [CPU_AVX2] = converter_hold_avx2},
    .eval = {[CPU_PLAIN] = converter_eval_plain, [CPU_AVX2] = converter_eval_avx2},
    .plan = {[CPU_PLAIN] = converter_plan_plain, [CPU_AVX2] = converter_plan_avx2},
    .step_bound = step_bound,
    .settle = settle,
    .invert = invert,
};
