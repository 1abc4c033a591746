// powertrain_converter.c - the report's engine and torque converter: parameters.
#include "parts/powertrain_converter.h"
#include "parts/powertrain_steady.h"

#include <stddef.h>

static const mc_param params[] = {
    [CONVERTER_AS_PRINTED] = {"as_printed", "-", 0.0, 0.0, 1.0,
                              "0: energy-consistent interpretation of eqs 4 and 6; 1: as printed"},
    [CONVERTER_IDLE_ANGLE] = {"idle_angle", "deg", 7.0, 3.0, 20.0,
                              "throttle angle of the idle stop: throttle 0; throttle 1 is 85 deg"},
    [CONVERTER_POWER_SCALE] = {"power_scale", "-", 1.0, 0.1, 10.0,
                               "mixture flow and thus power, relative to 210 hp"},
    [CONVERTER_ENGINE_SCALE] = {"engine_scale", "-", 1.0, 0.1, 10.0,
                                "engine friction, relative to 4.6 litre"},
    [CONVERTER_AIR_FUEL] = {"air_fuel_ratio", "-", 14.7, 5.0, 50.0, "mass of air to mass of fuel"},
};
_Static_assert(sizeof params / sizeof params[0] == CONVERTER_PARAM_COUNT, "one row per parameter");

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
    .searched = true,
    .built_in = true,
};
