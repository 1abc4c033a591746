// law_ploeg.c - cooperative cruise control with the desired acceleration of the car in front.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"kp", "1/s^2", 0.2, 0.0, 20.0, "gain of the spacing error"},
    {"kd", "1/s", 0.7, 0.0, 20.0, "gain of its rate"},
    {"max_acceleration", "m/s^2", 5.0, 0.1, 20.0, "the state stays below this"},
    {"max_brake", "m/s^2", 10.0, 0.1, 20.0, "and above minus this"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "error", .unit = "m", .formula = "gap - distance - headway*v"},
    {.name = "error_rate", .unit = "m/s", .formula = "v_front - v - headway*a"},
    LAW_SETTLE_LINE,
    {.name = "filter_time", .unit = "s", .formula = "max(headway, settle)"},
    {.name = "target", .unit = "m/s^2", .formula = "kp*error + kd*error_rate + u_front"},
};

static const law_state states[] = {
    {.rate = {.name = "u",
              .unit = "m/s^2",
              .formula = "clamp((if(seen, min(target, free), free) - u)/filter_time, "
                         "(-max_brake - u)/settle, (max_acceleration - u)/settle)"},
     .start = "a"},
};

const law_text law_ploeg = {
    .name = "ploeg",
    .doc = "cooperative cruise control that communicates desired accelerations",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .states = states,
    .state_count = LAW_COUNT_OF(states),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = {.name = "acceleration", .unit = "m/s^2", .formula = "u"},
    .card =
        {
            .equation =
                "headway u' = -u + kp e + kd e' + u_front,  e = gap - distance - headway v,  "
                "e' = v_front - v - headway a",
            .source =
                "J. Ploeg, B. T. M. Scheepers, E. van Nunen, N. van de Wouw and H. Nijmeijer, "
                "Design and experimental evaluation of cooperative adaptive cruise control, ITSC "
                "2011: kp = 0.2, kd = 0.7",
            .stability =
                "With the same lag in all cars and no radio delay G(s) = 1/(headway s + 1): "
                "string stable in L2 and L-infinity for every headway. With lag tau a single car "
                "is stable when kd > kp tau. A delay theta requires a minimum headway: "
                "`motorcade stability --law ploeg --lag 0.1 --delay 0.15 --headway 0.5`.",
            .limits =
                "Needs the desired acceleration of the car in front by radio; without it the law "
                "is much weaker and a fallback is recommended. Headways below 0.1 s count as 0.1 s "
                "in the filter. " LAW_FREE_TEXT,
        },
};
