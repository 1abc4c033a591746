// law_path_cacc.c - the speed law of PATH's cooperative cruise control as an acceleration.
//
// Published: every T the speed command is the speed before, raised by kp e + kd e'. Then
// a T = kp e + kd e' with e' = v_front - v - headway a, which is solved for a: no state, and the
// same law for every control step.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"kp", "1/s", 0.45, 0.0, 10.0, "speed per spacing error"},
    {"kd", "-", 0.25, 0.0, 10.0, "speed per rate of the spacing error"},
    {"interval", "s", 0.05, 0.01, 1.0, "T, time in which the speed command is reached"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "error", .unit = "m", .formula = "gap - distance - headway*v"},
    {.name = "follow",
     .unit = "m/s^2",
     .formula = "(kp*error + kd*(v_front - v))/(interval + kd*headway)"},
};

const law_text law_path_cacc = {
    .name = "path_cacc",
    .doc = "PATH's cooperative cruise control",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = LAW_FREE_ACCELERATION,
    .card =
        {
            .equation =
                "v_command = v + kp e + kd e',  e = gap - distance - headway v,  a = "
                "(v_command - v)/T;  solved: a = (kp e + kd (v_front - v))/(T + kd headway)",
            .source =
                "V. Milanes and S. E. Shladover, Modeling cooperative and autonomous adaptive "
                "cruise control dynamic responses using experimental data, Transportation "
                "Research C 48 (2014): kp = 0.45, kd = 0.25, headway 0.6 s. T is the "
                "project's: the paper steps speed, not acceleration",
            .stability =
                "L2 string stable exactly when kp headway^2 >= 2 T (ideal actuators): with the "
                "defaults for headways above 0.47 s.",
            .limits = "The published law is a speed step per sample, so its gains depend on T; the "
                      "lag of the car adds to T. " LAW_FREE_TEXT,
        },
};
