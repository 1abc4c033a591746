// steering_preview.c - the curvature of the path a little ahead, and an oscillator for what is
// left.
//
// A car at speed v that steers by delta accelerates sideways by v^2 delta / turn_gain once it has
// settled. So with
//     delta = turn_gain (curvature ahead - (w^2 e + 2 zeta w e') / v^2)
// the offset e obeys e'' + 2 zeta w e' + w^2 e = 0, as long as w is slow for the yaw of the car.
// Above 40 m/s it is not: a yaw rate other than the path's is damped, which the yaw of a fast car
// needs and a slow one hardly notices. The tyres damp it by (a^2 C_f + b^2 C_r)/(I v), which falls
// with speed, and with C_r where the rear wheels need their friction for the drag of the air; so
// this damping grows with speed.
#include "control/law_parts.h"
#include "control/steering.h"

static const mc_param params[] = {
    {"look_ahead", "s", 0.4, 0.0, 5.0, "by which the curvature of the path is known in advance"},
    {"min_look_ahead", "m", 0.5, 0.0, 100.0, "minimum distance of that"},
    {"frequency", "rad/s", 1.2, 0.05, 10.0, "of the offset's decay"},
    {"damping", "-", 1.0, 0.1, 5.0, "of the offset's decay; 1: without overshoot"},
    {"yaw_damping", "s", 0.05, 0.0, 2.0, "of the yaw rate"},
    {"damped_speed", "m/s", 30.0, 1.0, 1000.0,
     "above it, the damping of the yaw rate grows with the third power of speed"},
    {"min_speed", "m/s", 5.0, 0.5, 30.0, "below it, gains stay those of this speed"},
    {"limit", "rad", 0.5, 0.01, 1.5, "maximum steering angle"},
};

static const law_line variables[] = {
    {.name = "slow", .unit = "m/s", .formula = "max(abs(v), min_speed)"},
    {.name = "offset_rate", .unit = "m/s", .formula = "v*sin(heading) + v_y*cos(heading)"},
    {.name = "back",
     .unit = "1/m",
     .formula = "frequency*(frequency*offset + 2*damping*offset_rate)/(slow*slow)"},
    {.name = "fast", .unit = "-", .formula = "max(1, abs(v)/damped_speed)"},
    {.name = "damped", .unit = "s", .formula = "yaw_damping*fast^3"},
};

const law_text steering_preview = {
    .name = "preview",
    .doc = "the curvature of the path ahead, plus feedback that lets offsets decay at a frequency",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .steer = {.name = "steer",
              .unit = "rad",
              .formula = "clamp(turn_gain*(curvature_ahead - back) - damped*(yaw_rate - "
                         "v*curvature), -limit, limit)"},
    .card =
        {
            .equation = "delta = turn_gain (curvature_ahead - (w^2 e + 2 zeta w e')/v^2) - "
                        "yaw_damping (r - v curvature) max(1, v/damped_speed)^3",
            .source = "feed-forward of the steady turn and linear feedback; preview after H. Peng "
                      "and M. Tomizuka, Vehicle lateral control for highway automation, American "
                      "Control Conference (1990)",
            .stability =
                "e'' + 2 zeta w e' + w^2 e = 0 while w is slow for the yaw of the car. With the "
                "defaults, default cars in the plane are stable from 5 to 60 m/s, straight ahead "
                "and in every turn with v^2/R <= 0.7 friction g in which no axle uses more than "
                "0.85 of its friction.",
            .limits = "turn_gain is that of a dry road without drive forces: near the friction "
                      "limit of a slippery one it is too small. Has no integral part: bank and "
                      "wind leave an offset.",
        },
};
