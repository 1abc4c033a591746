// law_consensus.c - consensus with all cars listened to.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"kp", "1/s^2", 0.5, 0.0, 20.0, "gain of the mean position error"},
    {"kv", "1/s", 1.0, 0.0, 20.0, "gain of the mean speed error"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "follow", .unit = "m/s^2", .formula = "kp*position_error + kv*speed_error"},
};

const law_text law_consensus = {
    .name = "consensus",
    .doc = "consensus on position and speed with all cars listened to",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = LAW_FREE_ACCELERATION,
    .card =
        {
            .equation =
                "a = kp mean(e_j) + kv mean(v_j - v) over the cars j listened to,  e_j = "
                "distance to j minus the desired one: (number of cars) (distance + headway v)",
            .source = "after S. Santini, A. Salvi, A. S. Valente, A. Pescape, M. Segata and R. Lo "
                      "Cigno, A consensus-based approach for platooning with intervehicular "
                      "communications, IEEE Trans. Vehicular Technology 66 (2017); equal weights, "
                      "gains the project's",
            .stability =
                "Listening to cars in front only, each car is stable for kp > 0, kv > 0. "
                "With the car in front alone it is acc: string stable when kp headway^2 + 2 "
                "kv headway >= 2. Listening to the leader too bounds the errors of all cars "
                "also with headway 0.",
            .limits = "Messages are used when they arrive: radio delay acts on positions unless "
                      "they are extrapolated. Cars behind may be listened to; the analysis here "
                      "does not cover that. " LAW_FREE_TEXT,
        },
};
