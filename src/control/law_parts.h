// law_parts.h - lines that several built-in laws share: what a car does without one in front, PID.
//
// A following law is written for a car in front. Without one (gap beyond 1e5 m) the car tracks the
// speed command:
//     free = cruise (limit - v) + rate of the command,   limit = v_set.
// With one in sight the same expression bounds how fast a car that has fallen far behind catches
// up: limit is then the greater of v_set and v_front + catch_up. Close to the desired gap
// free = cruise catch_up = 5 m/s^2 or more, so that the bound is not active there and the law is
// the published one.
#pragma once

#include "control/law.h"

// Versions of clang-format disagree about braces in macros.
// clang-format off
#define LAW_FREE_PARAMS                                                                            \
    {"cruise", "1/s", 0.5, 0.05, 5.0, "gain of speed tracking without a car in front"},            \
    {"catch_up", "m/s", 10.0, 0.5, 50.0, "speed above the car in front while catching up"}
#define LAW_FREE_LINES                                                                             \
    {.name = "seen", .unit = "-", .formula = "gap < 1e5 m"},                                       \
    {.name = "limit", .unit = "m/s",                                                               \
     .formula = "if(seen, max(v_set, v_front + catch_up), v_set)"},                                \
    {.name = "free", .unit = "m/s^2", .formula = "cruise*(limit - v) + if(seen, 0, v_set_rate)"}
// Of a law whose following part is the variable `follow`.
#define LAW_FREE_ACCELERATION                                                                      \
    {.name = "acceleration", .unit = "m/s^2", .formula = "if(seen, min(follow, free), free)"}

// Time in which a bounded state may run to its bound, s: a step or more, so that it does not pass
// it.
#define LAW_SETTLE_LINE {.name = "settle", .unit = "s", .formula = "max(dt, 0.1 [s])"}

// PID on the speed difference and the spacing error, for gains kp and ki of any kind. Parameters
// are k, kd, filter, max_error, max_integral.
#define LAW_PID_LINES                                                                              \
    {.name = "error", .unit = "m",                                                                 \
     .formula = "clamp(gap - distance - headway*v, -max_error, max_error)"},                     \
    {.name = "deviation", .unit = "m/s", .formula = "v_front - v + k*error"},                      \
    {.name = "rolling", .unit = "-", .formula = "clamp(v/0.5 [m/s], 0, 1)"},                       \
    {.name = "follow", .unit = "m/s^2",                                                            \
     .formula = "kp*deviation + integral + kd*(deviation - smooth)/filter"},                       \
    LAW_SETTLE_LINE
#define LAW_PID_STATES                                                                             \
    {.rate = {.name = "integral", .unit = "m/s^2",                                                 \
              .formula = "if(seen and follow <= free, "                                            \
                         "clamp(ki*deviation*rolling, (-max_integral - integral)/settle, "        \
                         "(max_integral - integral)/settle), -integral/5 [s])"}},                 \
    {.rate = {.name = "smooth", .unit = "m/s", .formula = "(deviation - smooth)/filter"},          \
     .start = "deviation"}
// clang-format on

#define LAW_COUNT_OF(array) (int)(sizeof(array) / sizeof(array)[0])

#define LAW_FREE_TEXT                                                                              \
    "Without a car in front: a = cruise (v_set - v) + rate of v_set; while catching up, the same " \
    "with the greater of v_set and v_front + catch_up bounds the acceleration."
