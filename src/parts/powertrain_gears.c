// powertrain_gears.c - torque curve, fluid coupling and gear box: parameters.
#include "parts/powertrain_gears.h"
#include "parts/powertrain_steady.h"

#include <stddef.h>
#include <stdio.h>

static const mc_param params[] = {
    [GEARS_IDLE_RPM] = {"idle_rpm", "rpm", 700.0, 200.0, 3000.0, "engine speed at standstill"},
    [GEARS_PEAK_TORQUE] = {"peak_torque", "N m", 366.0, 10.0, 1e4, "maximum torque"},
    [GEARS_PEAK_TORQUE_RPM] = {"peak_torque_rpm", "rpm", 3000.0, 500.0, 1e4,
                               "engine speed at maximum torque"},
    [GEARS_PEAK_POWER] = {"peak_power", "W", 156597.0, 1e3, 2e6, "maximum power (210 hp)"},
    [GEARS_PEAK_POWER_RPM] = {"peak_power_rpm", "rpm", 4600.0, 800.0, 1.5e4,
                              "engine speed at maximum power; above peak_torque_rpm"},
    [GEARS_MAX_RPM] = {"max_rpm", "rpm", 5600.0, 1000.0, 2e4, "rev limiter"},
    [GEARS_FRICTION] =
        {"friction_torque", "N m", 60.0, 1.0, 1e3,
         "engine friction at peak_power_rpm: engine braking with the throttle closed"},
    [GEARS_INERTIA] = {"engine_inertia", "kg m^2", 0.3, 0.02, 10.0, "engine and pump"},
    [GEARS_STALL_RPM] = {"stall_rpm", "rpm", 2000.0, 500.0, 6000.0,
                         "engine speed at full throttle and standstill"},
    [GEARS_SHIFT_RPM] = {"shift_rpm", "rpm", 2600.0, 800.0, 1e4,
                         "clutch speed at which it shifts up"},
    [GEARS_FINAL] = {"final_drive", "-", 3.08, 0.5, 20.0, "ratio of the axle"},
    [GEARS_RADIUS] = {"wheel_radius", "m", 0.34, 0.1, 1.5, "rolling radius"},
    [GEARS_EFFICIENCY] = {"efficiency", "-", 0.94, 0.3, 1.0, "of gears and axle"},
    [GEARS_INDICATED] = {"indicated_efficiency", "-", 0.38, 0.05, 0.7,
                         "indicated power over fuel power, 43.5 MJ/kg"},
    [GEARS_RATIO] = {"gear_1", "-", 2.40, 0.3, 20.0, "ratio of the first gear"},
    [GEARS_RATIO + 1] = {"gear_2", "-", 1.47, 0.0, 20.0, "second; 0: none"},
    [GEARS_RATIO + 2] = {"gear_3", "-", 1.00, 0.0, 20.0, "third"},
    [GEARS_RATIO + 3] = {"gear_4", "-", 0.67, 0.0, 20.0, "fourth"},
    [GEARS_RATIO + 4] = {"gear_5", "-", 0.0, 0.0, 20.0, "fifth"},
    [GEARS_RATIO + 5] = {"gear_6", "-", 0.0, 0.0, 20.0, "sixth"},
};
_Static_assert(sizeof params / sizeof params[0] == GEARS_PARAM_COUNT, "one row per parameter");

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

// Speeds of the engine rise, ratios fall, and no gear is left out between others.
static bool check(const double *p, char *text, int size)
{
    static const int rising[] = {GEARS_IDLE_RPM, GEARS_PEAK_TORQUE_RPM, GEARS_PEAK_POWER_RPM,
                                 GEARS_MAX_RPM};
    for (int i = 1; i < 4; i++) {
        const int low = rising[i - 1], high = rising[i];
        if (!(p[high] > p[low])) {
            snprintf(text, (size_t)size, "%s is %.9g rpm, expected above %s, %.9g rpm",
                     params[high].name, p[high], params[low].name, p[low]);
            return false;
        }
    }
    for (int k = GEARS_RATIO + 1; k < GEARS_PARAM_COUNT; k++) {
        if (p[k] > 0.0 && p[k - 1] == 0.0) {
            snprintf(text, (size_t)size, "there is %s but no %s", params[k].name,
                     params[k - 1].name);
            return false;
        }
        if (p[k] > 0.0 && p[k] >= p[k - 1]) {
            snprintf(text, (size_t)size, "%s is %.9g, expected below %s, %.9g", params[k].name,
                     p[k], params[k - 1].name, p[k - 1]);
            return false;
        }
    }
    return true;
}

const powertrain_kind powertrain_gears = {
    .name = "gears",
    .doc = "engine with a torque curve, fluid coupling, automatic gearbox",
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
    .searched = true,
    .check = check,
};
