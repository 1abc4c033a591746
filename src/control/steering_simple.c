// steering_simple.c - the circle through a point of the path ahead, for a wheelbase of 3 m.
#include "control/law_parts.h"
#include "control/steering.h"

static const mc_param params[] = {
    {"look_ahead", "s", 1.5, 0.2, 10.0, "time to the point of the path that is looked at"},
    {"min_look_ahead", "m", 10.0, 1.0, 100.0, "minimum distance to that point"},
    {"limit", "rad", 0.3, 0.01, 1.5, "maximum steering angle"},
};

const law_text steering_simple = {
    .name = "simple",
    .doc = "steers along the circle through a point of the path ahead, whatever the car",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .steer = {.name = "steer",
              .unit = "rad",
              .formula = "clamp(6 [m]*aside_ahead/(ahead*ahead), -limit, limit)"},
    .card =
        {
            .equation = "delta = 2 L aside_ahead / ahead^2, L = 3 m",
            .source = "the geometry of a circle that touches the car's axis, small angles",
            .stability = "Stable on a straight road at any speed for cars whose yaw settles faster "
                         "than the look-ahead time.",
            .limits = "Knows nothing about the car: in a bend, an understeering car drives at an "
                      "offset to the outside.",
        },
};
