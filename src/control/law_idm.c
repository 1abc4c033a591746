// law_idm.c - the intelligent driver model.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"max_acceleration", "m/s^2", 1.4, 0.1, 10.0, "maximum acceleration"},
    {"brake_comfort", "m/s^2", 2.0, 0.1, 10.0, "comfortable braking"},
};

static const law_line variables[] = {
    {.name = "desired_gap",
     .unit = "m",
     .formula = "distance + max(0, v*headway + v*(v - "
                "v_front)/(2*sqrt(max_acceleration*brake_comfort)))"},
    {.name = "speed_share", .unit = "-", .formula = "max(v, 0)/max(v_set, 0.1 [m/s])"},
    {.name = "gap_share", .unit = "-", .formula = "desired_gap/max(gap, 0.1 [m])"},
};

const law_text law_idm = {
    .name = "idm",
    .doc = "intelligent driver model: a human driver without reaction time",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = {.name = "acceleration",
                     .unit = "m/s^2",
                     .formula = "max_acceleration*(1 - speed_share^4 - gap_share^2)"},
    .card =
        {
            .equation = "a = max_acceleration (1 - (v/v_set)^4 - (g/gap)^2),  g = distance + v "
                        "headway + v "
                        "(v - v_front)/(2 sqrt(max_acceleration brake_comfort))",
            .source =
                "M. Treiber, A. Hennecke and D. Helbing, Congested traffic states in empirical "
                "observations and microscopic simulations, Phys. Rev. E 62 (2000); exponent 4",
            .stability =
                "A single car is always stable. The platoon is string stable at high speed and "
                "large acceleration and unstable in dense slow traffic: that is what the model "
                "is for. `motorcade stability --law idm --speed V` tells for a given case.",
            .limits =
                "The steady gap is (distance + v headway)/sqrt(1 - (v/v_set)^4), larger than "
                "desired and unbounded at v = v_set. Brakes hard when a car cuts in. Without a car "
                "in front it tracks v_set on its own, without feed-forward of its rate.",
        },
};
