// powertrain_gears.c - torque curve, fluid coupling and gear box: parameters.
#include "parts/powertrain_gears.h"

#include <stddef.h>

static const mc_param params[] = {
    [GEARS_IDLE_RPM] = {"idle_rpm", "rpm", 700.0, 200.0, 3000.0, "engine speed of a standing car"},
    [GEARS_PEAK_TORQUE] = {"peak_torque", "N m", 366.0, 10.0, 1e4, "greatest torque"},
    [GEARS_PEAK_TORQUE_RPM] = {"peak_torque_rpm", "rpm", 3000.0, 500.0, 1e4,
                               "engine speed of the greatest torque"},
    [GEARS_PEAK_POWER] = {"peak_power", "W", 156597.0, 1e3, 2e6, "greatest power (210 hp)"},
    [GEARS_PEAK_POWER_RPM] = {"peak_power_rpm", "rpm", 4600.0, 800.0, 1.5e4,
                              "engine speed of the greatest power; above peak_torque_rpm"},
    [GEARS_MAX_RPM] = {"max_rpm", "rpm", 5600.0, 1000.0, 2e4, "rev limiter"},
    [GEARS_FRICTION] = {"friction_torque", "N m", 60.0, 1.0, 1e3,
                        "of the engine at peak_power_rpm: its brake with the throttle closed"},
    [GEARS_INERTIA] = {"engine_inertia", "kg m^2", 0.3, 0.02, 10.0, "engine and pump"},
    [GEARS_STALL_RPM] = {"stall_rpm", "rpm", 2000.0, 500.0, 6000.0,
                         "full throttle against a standing car"},
    [GEARS_SHIFT_RPM] = {"shift_rpm", "rpm", 2600.0, 800.0, 1e4,
                         "clutch speed at which the next gear comes"},
    [GEARS_FINAL] = {"final_drive", "-", 3.08, 0.5, 20.0, "ratio of the axle"},
    [GEARS_RADIUS] = {"wheel_radius", "m", 0.34, 0.1, 1.5, "rolling radius"},
    [GEARS_EFFICIENCY] = {"efficiency", "-", 0.94, 0.3, 1.0, "of gears and axle"},
    [GEARS_INDICATED] = {"indicated_efficiency", "-", 0.38, 0.05, 0.7,
                         "indicated power by the power in the fuel, 43.5 MJ/kg"},
    [GEARS_RATIO] = {"gear_1", "-", 2.40, 0.3, 20.0, "ratio of the first gear"},
    [GEARS_RATIO + 1] = {"gear_2", "-", 1.47, 0.0, 20.0, "second; 0: there is none"},
    [GEARS_RATIO + 2] = {"gear_3", "-", 1.00, 0.0, 20.0, "third"},
    [GEARS_RATIO + 3] = {"gear_4", "-", 0.67, 0.0, 20.0, "fourth"},
    [GEARS_RATIO + 4] = {"gear_5", "-", 0.0, 0.0, 20.0, "fifth"},
    [GEARS_RATIO + 5] = {"gear_6", "-", 0.0, 0.0, 20.0, "sixth"},
};
_Static_assert(sizeof params / sizeof params[0] == GEARS_PARAM_COUNT, "one row a parameter");

// As in powertrain_converter.c the coupling is steepest with 21.5 C n; idle governor and rev
// limiter have slopes of their own.
static double step_bound(const double *p)
{
    const double spin = 9.5492965855137201 / p[GEARS_INERTIA]; // rpm/s / (N m)
    const double torque = p[GEARS_PEAK_TORQUE] + p[GEARS_FRICTION];
    const double stall = p[GEARS_STALL_RPM];
    const double coupling = torque / (2.343 * stall * stall) * 21.5 * p[GEARS_MAX_RPM];
    const double governor = torque / (0.4 * p[GEARS_IDLE_RPM]);
    const double limiter = torque / (0.05 * p[GEARS_MAX_RPM]);
    return 2.5 / (spin * (coupling + (governor > limiter ? governor : limiter)));
}

static void settle(const double *p, double v, double throttle, double *x)
{
    powertrain_settle_speed(&powertrain_gears, p, v, throttle, NULL, x);
}

static double invert(const double *p, double v, double force)
{
    return powertrain_invert(&powertrain_gears, p, v, force);
}

const powertrain_kind powertrain_gears = {
    .name = "gears",
    .doc = "engine by its torque curve, fluid coupling, automatic gear box",
    .params = params,
    .param_count = GEARS_PARAM_COUNT,
    .state_count = 1,
    .held_count = GEARS_HELD_COUNT,
    .hold = {[CPU_PLAIN] = gears_hold_plain, [CPU_AVX2] = gears_hold_avx2},
    .eval = {[CPU_PLAIN] = gears_eval_plain, [CPU_AVX2] = gears_eval_avx2},
    .plan = {[CPU_PLAIN] = gears_plan_plain, [CPU_AVX2] = gears_plan_avx2},
    .step_bound = step_bound,
    .settle = settle,
    .invert = invert,
};
