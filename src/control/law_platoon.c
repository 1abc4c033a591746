// law_platoon.c - the platoon law of equation (8), third order.
//
// A_i of the report is the state `desired`; l0 of the report is the distance between mass centres
// at rest, here the gap at rest `distance` plus the length of the car in front; lambda is
// `headway`.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k1", "1/s^3", 1.0, 1e-3, 100.0, "gain of the spacing error"},
    {"k2", "1/s^2", 1.0, 0.0, 100.0, "gain of its rate"},
    {"k3", "1/s", 1.0, 0.0, 100.0, "gain of the acceleration difference"},
    {"max_acceleration", "m/s^2", 5.0, 0.1, 20.0, "the state stays below this"},
    {"max_brake", "m/s^2", 10.0, 0.1, 20.0, "and above minus this"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "error", .unit = "m", .formula = "gap - distance - headway*v"},
    {.name = "error_rate", .unit = "m/s", .formula = "v_front - v - headway*desired"},
    {.name = "follow",
     .unit = "m/s^3",
     .formula = "k1*error + k2*error_rate + k3*(a_front - desired)"},
    {.name = "free_rate", .unit = "m/s^3", .formula = "(free - desired)/0.5 [s]"},
    LAW_SETTLE_LINE,
};

static const law_state states[] = {
    {.rate = {.name = "desired",
              .unit = "m/s^2",
              .formula = "clamp(if(seen, min(follow, free_rate), free_rate), "
                         "(-max_brake - desired)/settle, (max_acceleration - desired)/settle)"},
     .start = "a"},
};

const law_text law_platoon = {
    .name = "platoon",
    .doc = "constant time headway with the acceleration of the car in front, third order",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .states = states,
    .state_count = LAW_COUNT_OF(states),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = {.name = "acceleration", .unit = "m/s^2", .formula = "desired"},
    .card =
        {
            .equation = "a' = k1 (gap - distance - headway v) + k2 (v_front - v - headway a) + k3 "
                        "(a_front - a)",
            .source = "equation (8) of UCB-ITS-PRR-95-45, after S. Sheikholeslam, Control of a "
                      "class of interconnected nonlinear dynamical systems: the platoon problem, "
                      "PhD thesis, Berkeley (1991). l0 of the report is distance + length of the "
                      "car in front; lambda is headway",
            .stability =
                "A single car is stable when (k3 + k2 headway)(k2 + k1 headway) > k1. The "
                "platoon is L2 string stable exactly when 2 k3 headway + k2 headway^2 >= 2 "
                "(ideal actuators, no delay). Defaults with headway 1 s: 3. Gains "
                "(1, 2, 1) with headway 0.3 s: 0.78, peak gain 1.468 at 1.18 rad/s.",
            .limits = "Needs the acceleration of the car in front by radio. The state is bounded "
                      "(max_acceleration, max_brake), so that it does not wind up while the car "
                      "is at its limits. " LAW_FREE_TEXT,
        },
};
