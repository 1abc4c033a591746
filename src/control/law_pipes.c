// law_pipes.c - the driver of equation (7): acceleration proportional to the speed difference.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k", "1/s", 0.37, 0.01, 5.0, "sensitivity: acceleration per speed difference"},
    {"cruise", "1/s", 0.5, 0.05, 5.0, "gain of speed tracking without a car in front"},
};

static const law_line variables[] = {
    {.name = "free", .unit = "m/s^2", .formula = "cruise*(v_set - v) + v_set_rate"},
};

const law_text law_pipes = {
    .name = "pipes",
    .doc = "manual driver: acceleration proportional to the speed difference",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = {.name = "acceleration",
                     .unit = "m/s^2",
                     .formula = "if(gap < 1e5 m, k*(v_front - v), free)"},
    .card =
        {
            .equation = "v' = k (v_front - v)",
            .source = "L. A. Pipes, An operational analysis of traffic dynamics, J. Appl. Phys. 24 "
                      "(1953); equation (7) of UCB-ITS-PRR-95-45 with k = 0.37 1/s",
            .stability =
                "G(s) = k/(s + k) from speed to speed: |G| <= 1 at every frequency and the impulse "
                "response is positive, so a platoon is string stable in L2 and L-infinity for "
                "every "
                "k > 0. v - k gap never changes: a gap grows by 1/k for each m/s of speed.",
            .limits =
                "Does not control distance: any gap is steady and follows from the start (gap at "
                "rest + v/k for a headway of 1/k). No reaction time. Without a car in front: a = "
                "cruise (v_set - v) + rate of v_set.",
        },
};
