// powertrain_direct.c - a motor with one fixed gear: parameters.
//
//     F = throttle min(F_max, P_max / v),   v at least 1 m/s
//
// There is no lag between throttle and force, no drag of the motor and no recuperation. An FMU of
// the model takes the place of this equation: its force is then held over a control step, and the
// equation is only what controllers plan with.
#include "parts/powertrain_direct.h"

#include <math.h>

static const mc_param params[] = {
    [DIRECT_FORCE] = {"max_force", "N", 6000.0, 10.0, 1e6, "at the wheels, throttle open"},
    [DIRECT_POWER] = {"max_power", "W", 90e3, 100.0, 1e7, "limits the force at higher speeds"},
    [DIRECT_RATIO] = {"rpm_per_speed", "rpm*s/m", 100.0, 1.0, 1000.0,
                      "speed of the motor over road speed"},
    [DIRECT_OUTSIDE] = {MC_ROW_OUTSIDE_FORCE, "N", DIRECT_NO_FORCE, -DIRECT_NO_FORCE,
                        DIRECT_NO_FORCE, "force instead of that of the throttle; 1e7: none"},
};
_Static_assert(sizeof params / sizeof params[0] == DIRECT_PARAM_COUNT, "one row per parameter");

static double step_bound(const double *p)
{
    (void)p;
    return 2.5 * DIRECT_LAG;
}

static void settle(const double *p, double v, double throttle, double *x)
{
    (void)throttle;
    x[0] = p[DIRECT_RATIO] * fabs(v);
}

static double invert(const double *p, double v, double force)
{
    const double full = fmin(p[DIRECT_FORCE], p[DIRECT_POWER] / fmax(v, 1.0));
    return fmin(fmax(force / full, 0.0), 1.0);
}

const powertrain_kind powertrain_direct = {
    .name = "direct",
    .doc = "a motor with one gear: force in proportion to the throttle, up to a power; or an FMU",
    .params = params,
    .param_count = DIRECT_PARAM_COUNT,
    .state_count = 1,
    .held_count = DIRECT_HELD_COUNT,
    .hold = {[CPU_PLAIN] = direct_hold_plain, [CPU_AVX2] = direct_hold_avx2},
    .eval = {[CPU_PLAIN] = direct_eval_plain, [CPU_AVX2] = direct_eval_avx2},
    .plan = {[CPU_PLAIN] = direct_plan_plain, [CPU_AVX2] = direct_plan_avx2},
    .step_bound = step_bound,
    .settle = settle,
    .invert = invert,
};
