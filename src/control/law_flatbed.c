// law_flatbed.c - the flatbed tow truck: constant gaps, headway only against the leader's speed.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k1", "1/s^2", 1.0, 0.0, 20.0, "gain of the spacing error"},
    {"k2", "1/s", 1.0, 0.0, 20.0, "gain of the speed difference"},
    {"coupling", "s", 1.0, 0.0, 10.0, "headway against the speed of the truck"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "error", .unit = "m", .formula = "gap - distance - coupling*(v - v_leader)"},
    {.name = "follow", .unit = "m/s^2", .formula = "k1*error + k2*(v_front - v)"},
};

const law_text law_flatbed = {
    .name = "flatbed",
    .doc = "constant gaps: a headway only against the leader's speed",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = LAW_FREE_ACCELERATION,
    .card =
        {
            .equation = "a = k1 (gap - distance - coupling (v - v_leader)) + k2 (v_front - v)",
            .source =
                "A. Ali, G. Garcia and P. Martinet, The flatbed platoon towing model for safe "
                "and dense platooning on highways, IEEE Intelligent Transportation Systems "
                "Magazine 7 (2015); the truck's speed is the leader's, gains the project's",
            .stability =
                "Seen from the truck, a platoon with constant time headway: spacing errors do "
                "not grow when k1 coupling^2 + 2 k2 coupling >= 2 (ideal actuators), while "
                "gaps do not depend on speed.",
            .limits = "Needs the leader's speed by radio; headway is not used. All cars must hear "
                      "the same leader. " LAW_FREE_TEXT,
        },
};
