// steering_pure_pursuit.c - pure pursuit: the rear axle goes along a circle to a point of the path.
//
// The circle touches the car's axis at the rear axle and goes through the point (d, e), seen from
// there: its curvature is 2 e / (d^2 + e^2), and the wheels of a car that does not slip turn by
// atan(L times that).
#include "control/law_parts.h"
#include "control/steering.h"

static const mc_param params[] = {
    {"look_ahead", "s", 0.9, 0.1, 10.0, "time to the point of the path that is looked at"},
    {"min_look_ahead", "m", 5.0, 1.0, 100.0, "minimum distance to that point"},
    {"limit", "rad", 0.5, 0.01, 1.5, "maximum steering angle"},
};

static const law_line variables[] = {
    {.name = "d", .unit = "m", .formula = "ahead + rear"},
    {.name = "bend", .unit = "1/m", .formula = "2*aside_ahead/(d*d + aside_ahead*aside_ahead)"},
};

const law_text steering_pure_pursuit = {
    .name = "pure_pursuit",
    .doc = "the rear axle follows a circle to a point of the path ahead",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .steer = {.name = "steer",
              .unit = "rad",
              .formula = "clamp(atan(wheelbase*bend), -limit, limit)"},
    .card =
        {
            .equation = "delta = atan(2 L e / (d^2 + e^2)), (d, e): the point seen from the rear "
                        "axle",
            .source = "R. C. Coulter, Implementation of the pure pursuit path tracking algorithm, "
                      "CMU-RI-TR-92-01 (1992)",
            .stability = "A kinematic car converges for any look-ahead; with yaw dynamics and lag "
                         "the look-ahead time must exceed about twice their time constants.",
            .limits = "Cuts corners; slip of the tyres acts against that. "
                      "No term removes the offset in a long bend.",
        },
};
