// steering_lqr.c - state feedback with gains that are optimal for the car at its speed.
#include "control/law_parts.h"
#include "control/steering.h"

static const mc_param params[] = {
    {"look_ahead", "s", 0.3, 0.0, 5.0, "by which the curvature of the path is known in advance"},
    {"weight_offset", "1/m^2", 1.0, 1e-4, 1e4, "cost of an offset"},
    {"weight_heading", "-", 10.0, 0.0, 1e4, "cost of a heading error"},
    {"weight_steer", "-", 400.0, 1e-2, 1e6, "cost of steering"},
    {"limit", "rad", 0.5, 0.01, 1.5, "maximum steering angle"},
};

static const law_line variables[] = {
    {.name = "offset_rate", .unit = "m/s", .formula = "v*sin(heading) + v_y*cos(heading)"},
    {.name = "turned", .unit = "rad", .formula = "heading + turn_slip*curvature"},
    {.name = "yaw", .unit = "rad/s", .formula = "yaw_rate - v*curvature"},
    {.name = "back",
     .unit = "rad",
     .formula = "gain_offset*offset + gain_offset_rate*offset_rate + gain_heading*turned + "
                "gain_heading_rate*yaw"},
};

const law_text steering_lqr = {
    .name = "lqr",
    .doc = "state feedback, optimal for the car's single-track model at its speed",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .steer = {.name = "steer",
              .unit = "rad",
              .formula = "clamp(turn_gain*curvature_ahead - back, -limit, limit)"},
    .card =
        {
            .equation = "delta = turn_gain curvature_ahead - K (e, e', psi, psi'), K minimizes the "
                        "integral of weight_offset e^2 + weight_heading psi^2 + weight_steer "
                        "delta^2",
            .source = "error coordinates of R. Rajamani, Vehicle dynamics and control, Springer "
                      "(2012), chapter 2; the Riccati equation is solved when the run is built",
            .stability = "Stable for the linear car at every speed for which gains are made (1 to "
                         "70 m/s), with a phase margin of 60 degrees at its input.",
            .limits = "The gains are those of the car's linear tyres, by interpolation over speed.",
        },
};
