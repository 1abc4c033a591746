// steering_stanley.c - heading plus the angle towards the path at the front axle.
//
// Offset and heading are taken at the front axle: offset + front sin(heading), heading - front
// curvature. A car that does not slip then needs no feed-forward; what the tyres need more than
// that, turn_gain - wheelbase, is added, and a yaw rate other than the path's is damped.
#include "control/law_parts.h"
#include "control/steering.h"

static const mc_param params[] = {
    {"k", "1/s", 1.2, 0.0, 20.0, "gain of the offset at the front axle"},
    {"soft", "m/s", 5.0, 0.01, 50.0, "added to the speed, so that slow cars do not swing"},
    {"damping", "s", 0.1, 0.0, 2.0, "of the yaw rate"},
    {"limit", "rad", 0.5, 0.01, 1.5, "maximum steering angle"},
};

static const law_line variables[] = {
    {.name = "at_front", .unit = "m", .formula = "offset + front*sin(heading)"},
    // Of a car that slips, the heading that belongs to the bend is another one.
    {.name = "turned", .unit = "rad", .formula = "heading + turn_slip*curvature"},
    {.name = "back", .unit = "rad", .formula = "atan(k*at_front/(soft + abs(v)))"},
    {.name = "yaw", .unit = "rad/s", .formula = "yaw_rate - v*curvature"},
};

const law_text steering_stanley = {
    .name = "stanley",
    .doc = "heading error plus the angle towards the path at the front axle",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .steer = {.name = "steer",
              .unit = "rad",
              .formula = "clamp(turn_gain*curvature - turned - back - damping*yaw, -limit, limit)"},
    .card =
        {
            .equation = "delta = delta_path - (psi - psi_path) - atan(k e / (soft + v)) - damping "
                        "(r - v curvature), e: offset of the front axle",
            .source =
                "G. M. Hoffmann, C. J. Tomlin, M. Montemerlo, S. Thrun, Autonomous automobile "
                "trajectory tracking for off-road driving, American Control Conference (2007)",
            .stability = "A kinematic car converges from any offset; small offsets decay as exp(-k "
                         "t v/(soft + v)).",
            .limits =
                "Looks at the front axle only: the curvature of a path must change gradually, "
                "as in a clothoid.",
        },
};
