// law_pid.c - PID with fixed gains on speed difference and spacing error.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k", "1/s", 0.25, 0.0, 5.0, "weight of the spacing error against the speed difference"},
    {"kp", "1/s", 1.6, 0.0, 20.0, "proportional gain"},
    {"ki", "1/s^2", 0.05, 0.0, 5.0, "integral gain"},
    {"kd", "-", 0.1, 0.0, 5.0, "derivative gain"},
    {"filter", "s", 0.3, 0.05, 5.0, "time constant of the derivative"},
    {"max_error", "m", 50.0, 1.0, 1000.0, "spacing errors are limited to this"},
    {"max_integral", "m/s^2", 1.0, 0.0, 10.0, "the integral part stays within this"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    LAW_PID_LINES,
};

static const law_state states[] = {LAW_PID_STATES};

const law_text law_pid = {
    .name = "pid",
    .doc = "PID with fixed gains on speed difference and spacing error",
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
                "a = kp d + ki (integral of d) + kd d',  d = v_front - v + k (gap - distance - "
                "headway v);  d' through 1/(filter s + 1)",
            .source = "after P. Ioannou and Z. Xu, Throttle and brake control systems for "
                      "automatic vehicle following, IVHS Journal 1(4) (1994): the same combination "
                      "of errors under a fixed PID. Here it asks for an acceleration, not a "
                      "throttle angle; the gains are the project's",
            .stability =
                "Without the derivative, L2 string stable when kp (2 k h + k^2 h^2) >= 2 k + 2 "
                "ki (1 + k h)/kp, h the headway (ideal actuators). `motorcade stability --law "
                "pid` gives the peak with all terms, lag and delay.",
            .limits = "The spacing error is limited to max_error and the integral to max_integral, "
                      "which bounds the response of a car that is far away; below 0.5 m/s the "
                      "integral grows in proportion to the speed, so that a car at rest stays at "
                      "rest. " LAW_FREE_TEXT,
        },
};
