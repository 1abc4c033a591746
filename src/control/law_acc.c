// law_acc.c - adaptive cruise control: constant time headway from range and range rate.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k1", "1/s^2", 0.5, 0.0, 20.0, "gain of the spacing error"},
    {"k2", "1/s", 1.0, 0.0, 20.0, "gain of the speed difference"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "error", .unit = "m", .formula = "gap - distance - headway*v"},
    {.name = "follow", .unit = "m/s^2", .formula = "k1*error + k2*(v_front - v)"},
};

const law_text law_acc = {
    .name = "acc",
    .doc = "constant time headway from range and range rate; the usual fall-back",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = LAW_FREE_ACCELERATION,
    .card =
        {
            .equation = "a = k1 (gap - distance - headway v) + k2 (v_front - v)",
            .source =
                "P. A. Ioannou and C. C. Chien, Autonomous intelligent cruise control, IEEE "
                "Trans. Vehicular Technology 42 (1993). V. Milanes and S. E. Shladover (2014) "
                "found k1 = 0.23, k2 = 0.07 for a production car",
            .stability =
                "A single car is stable for k1 > 0 and k2 + k1 headway > 0. L2 string stable "
                "exactly when k1 headway^2 + 2 k2 headway >= 2 (ideal actuators). Defaults "
                "with headway 1 s: 2.5. The production car's gains need headway 2.66 s.",
            .limits = "Needs no radio. " LAW_FREE_TEXT,
        },
};
