// law_cruise.c - speed tracking: leaders that follow a profile.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k", "1/s", 1.0, 0.01, 20.0, "gain of the speed error"},
};

const law_text law_cruise = {
    .name = "cruise",
    .doc = "tracks the speed command and its rate; for leaders",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .acceleration = {.name = "acceleration",
                     .unit = "m/s^2",
                     .formula = "k*(v_set - v) + v_set_rate"},
    .card =
        {
            .equation = "a = k (v_set - v) + v_set'",
            .source = "textbook: proportional speed control with feed-forward",
            .stability = "The speed error decays as exp(-k t), also while the command changes. The "
                         "car in front has no influence: G = 0.",
            .limits = "Ignores the car in front; collision avoidance on top of it does not. At a "
                      "step of the command it asks for k times the step.",
        },
};
