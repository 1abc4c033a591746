// law_pid_scheduled.c - PID with gains scheduled over speed.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k", "1/s", 0.25, 0.0, 5.0, "weight of the spacing error against the speed difference"},
    {"kp_0", "1/s", 2.2, 0.0, 20.0, "proportional gain at 0 m/s"},
    {"kp_10", "1/s", 1.8, 0.0, 20.0, "at 10 m/s"},
    {"kp_20", "1/s", 1.6, 0.0, 20.0, "at 20 m/s"},
    {"kp_30", "1/s", 1.4, 0.0, 20.0, "at 30 m/s and above"},
    {"ki_0", "1/s^2", 0.15, 0.0, 5.0, "integral gain at 0 m/s"},
    {"ki_30", "1/s^2", 0.03, 0.0, 5.0, "at 30 m/s and above"},
    {"kd", "-", 0.1, 0.0, 5.0, "derivative gain"},
    {"filter", "s", 0.3, 0.05, 5.0, "time constant of the derivative"},
    {"max_error", "m", 50.0, 1.0, 1000.0, "spacing errors are limited to this"},
    {"max_integral", "m/s^2", 1.0, 0.0, 10.0, "the integral part stays within this"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "kp",
     .unit = "1/s",
     .formula = "table(v; 0 [m/s], kp_0; 10 [m/s], kp_10; 20 [m/s], kp_20; 30 [m/s], kp_30)"},
    {.name = "ki", .unit = "1/s^2", .formula = "table(v; 0 [m/s], ki_0; 30 [m/s], ki_30)"},
    LAW_PID_LINES,
};

static const law_state states[] = {LAW_PID_STATES};

const law_text law_pid_scheduled = {
    .name = "pid_scheduled",
    .doc = "PID with gains scheduled over speed by a table",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .states = states,
    .state_count = LAW_COUNT_OF(states),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = LAW_FREE_ACCELERATION,
    .card =
        {
            .equation =
                "as PID, with kp(v) linear between 0, 10, 20, 30 m/s and ki(v) linear between "
                "0 and 30 m/s; the integral of ki(v) d is the state",
            .source =
                "after P. Ioannou and Z. Xu, Throttle and brake control systems for automatic "
                "vehicle following, IVHS Journal 1(4) (1994), whose schedule follows the gain of "
                "the engine; here, behind the inner loop, the gains fall with speed because a car "
                "responds more slowly in high gear. The numbers are the project's",
            .stability = "At each speed as PID with the gains of that speed. Gains change with the "
                         "speed of the car, which is slow compared with the loop; the state holds "
                         "the integral of ki d, so a change of ki causes no jump.",
            .limits = "As PID. " LAW_FREE_TEXT,
        },
};
