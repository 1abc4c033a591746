// powertrain_manifold.c - the engine with intake manifold: parameters and tables.
#include "parts/powertrain_manifold.h"
#include "parts/powertrain_steady.h"

#include <math.h>
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
    [MANIFOLD_VOLUME] = {"manifold_volume", "m^3", 0.006, 0.001, 0.1, "of the intake manifold"},
};
_Static_assert(sizeof params / sizeof params[0] == MANIFOLD_PARAM_COUNT, "one row per parameter");

static const mc_channel more_states[] = {
    {"manifold_pressure", "-", "over that of the air outside"}};

// MDA/psi(MDA/(0.0051 n_s)), with n_s in rpm from the steady states of the converter car: 370.75 at
// 3 degrees to 3814.04 at 85.
const double manifold_capacity[MIXTURE_POINTS] = {
    0.168,       0.198,       0.37,        0.59,        0.9,         1.36,
    1.83,        2.57,        3.15,        3.9,         4.8,         5.6,
    6.25,        7.1,         8.00091521,  8.853730853, 10.0544525,  11.00519888,
    11.44571366, 12.23038394, 12.56368033, 12.90902068, 13.26719675, 13.63899409,
    14.02521009, 14.4268449,  14.84483551, 15.2803012,  15.73446782, 16.20853649,
    17.22229403, 18.33466442, 19.56138926, 20.92166244, 22.43912715, 24.14383044,
};

// Filling is fastest with the throttle open: slope of the throttle flow at r = 1, 4.24 C, and of
// the charge at 6000 rpm; then the engine itself as in powertrain_converter.c.
static double step_bound(const double *p)
{
    const double scale = p[CONVERTER_POWER_SCALE];
    const double fill = AIR_RT / (p[MANIFOLD_VOLUME] * AIR_PRESSURE) * 0.45359237 / 60.0;
    const double flow = 4.24 * manifold_capacity[MIXTURE_POINTS - 1] + CHARGE * 6000.0;
    const double engine = 0.0134 * 6000.0 * (scale > 1.0 ? scale : 1.0);
    return 2.5 / (fill * scale * flow + engine + 0.135 * p[CONVERTER_ENGINE_SCALE]);
}

// Pressure at which a throttle of capacity c and an engine of speed n balance.
static double steady_pressure(double c, double n)
{
    const double charge = CHARGE * n;
    if (c <= charge * CHOKED)
        return c / charge;
    const double bend = c / (UNCHOKED * UNCHOKED); // z = r - 0.528: bend z^2 + charge z = rest
    const double rest = c - charge * CHOKED;
    return CHOKED + 2.0 * rest / (charge + sqrt(charge * charge + 4.0 * bend * rest));
}

static void set_pressure(const double *p, double throttle, double *x)
{
    const double idle = p[CONVERTER_IDLE_ANGLE], angle = idle + throttle * (85.0 - idle);
    int k = 0;
    while (k < MIXTURE_POINTS - 2 && mixture_angle[k + 1] <= angle)
        k++;
    const double share =
        fmin((angle - mixture_angle[k]) / (mixture_angle[k + 1] - mixture_angle[k]), 1.0);
    const double c =
        manifold_capacity[k] + share * (manifold_capacity[k + 1] - manifold_capacity[k]);
    x[MANIFOLD_PRESSURE] = steady_pressure(c, x[MANIFOLD_RPM]); // power_scale cancels
}

static void settle(const double *p, double v, double throttle, double *x)
{
    powertrain_settle_speed(&powertrain_manifold, p, v, throttle, set_pressure, x);
}

static double invert(const double *p, double v, double force)
{
    return powertrain_invert(&powertrain_manifold, p, v, force);
}

const powertrain_kind powertrain_manifold = {
    .name = "manifold",
    .doc = "the converter's engine with an intake manifold that fills and empties",
    .params = params,
    .param_count = MANIFOLD_PARAM_COUNT,
    .state_count = MANIFOLD_STATE_COUNT,
    .states = more_states,
    .held_count = MANIFOLD_HELD_COUNT,
    .hold = {[CPU_PLAIN] = manifold_hold_plain, [CPU_AVX2] = manifold_hold_avx2},
    .eval = {[CPU_PLAIN] = manifold_eval_plain, [CPU_AVX2] = manifold_eval_avx2},
    .plan = {[CPU_PLAIN] = manifold_plan_plain, [CPU_AVX2] = manifold_plan_avx2},
    .step_bound = step_bound,
    .settle = settle,
    .invert = invert,
    .searched = true,
    .others = set_pressure,
};
