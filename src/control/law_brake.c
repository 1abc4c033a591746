// law_brake.c - the brake controller of equations (9) and (10).
//
// The report commands a brake force M0 (k1 (V - V_l) - k2 (X_r - h V)), which reaches the wheels
// through a lag of 5 1/s. Divided by M0 the command is a desired acceleration; the lag is the
// vehicle's.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k1", "1/s", 1.0, 0.0, 20.0, "gain of the speed difference"},
    {"k2", "1/s^2", 0.25, 0.0, 20.0, "gain of the spacing error"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "error", .unit = "m", .formula = "gap - distance - headway*v"},
    {.name = "follow", .unit = "m/s^2", .formula = "k1*(v_front - v) + k2*error"},
};

const law_text law_brake = {
    .name = "brake",
    .doc = "the brake controller of the mass identification",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = LAW_FREE_ACCELERATION,
    .card =
        {
            .equation =
                "a = -(k1 (v - v_front) - k2 (gap - distance - headway v)),  brake force = -M0 "
                "a",
            .source = "equation (9) of UCB-ITS-PRR-95-45, after P. Ioannou and Z. Xu, Throttle and "
                      "brake control systems for automatic vehicle following, IVHS Journal 1(4) "
                      "(1994). X_r of the report is gap - distance; k1, k2 are the project's",
            .stability =
                "With ideal brakes L2 string stable when k2 headway^2 + 2 k1 headway >= 2. "
                "With a brake lag of 5 1/s, a single car is stable when 5 (k1 + k2 headway) "
                "> k2.",
            .limits = "The report uses it while the brake is on; here a positive value "
                      "accelerates, so that it can follow on its own. " LAW_FREE_TEXT,
        },
};
