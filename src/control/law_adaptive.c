// law_adaptive.c - adaptive following: gains are tuned to a reference model.
//
// The car responds to a desired acceleration u as v' = b u - a v + d with unknown b > 0, a, d (an
// inner loop that is off, drag, slope). The reference model wants v_m' = a_m (v_front - v_m + k
// error), and u = k1 (v_front - v) + k2 error + k3. With e = v_m - v and v_front constant there are
// gains that make e' = -a_m e - b (dk1 r + dk2 error + dk3), r = v_front - v, dk = gain minus ideal
// gain. With k1' = gamma1 e r, k2' = gamma2 e error, k3' = gamma3 e:
//     V = e^2/2 + b (dk1^2/gamma1 + dk2^2/gamma2 + dk3^2/gamma3)/2,   V' = -a_m e^2 <= 0.
// Projection onto a box that holds the ideal gains only takes from V'. Adaptation rests while u is
// large, as the car is then at its limits and the equation of e does not hold.
#include "control/law_parts.h"

static const mc_param params[] = {
    {"k", "1/s", 0.25, 0.01, 5.0, "weight of the spacing error in the reference model"},
    {"a_model", "1/s", 1.2, 0.05, 10.0, "rate of the reference model"},
    {"gamma1", "1/m^2", 0.02, 0.0, 10.0, "adaptation of k1: gain of the speed difference"},
    {"gamma2", "1/(m^2 s^2)", 0.001, 0.0, 10.0, "adaptation of k2: gain of the spacing error"},
    {"gamma3", "1/s^2", 0.1, 0.0, 10.0, "adaptation of k3: constant offset"},
    {"spread", "-", 3.0, 1.0, 10.0,
     "k1, k2 stay between their ideal value divided and multiplied by this"},
    {"max_k3", "m/s^2", 1.5, 0.0, 10.0, "k3 stays within this"},
    {"max_error", "m", 20.0, 1.0, 1000.0, "spacing errors are limited to this"},
    {"max_u", "m/s^2", 2.5, 0.1, 20.0, "no adaptation while a larger acceleration is commanded"},
    LAW_FREE_PARAMS,
};

static const law_line variables[] = {
    LAW_FREE_LINES,
    {.name = "error",
     .unit = "m",
     .formula = "clamp(gap - distance - headway*v, -max_error, max_error)"},
    {.name = "relative", .unit = "m/s", .formula = "v_front - v"},
    {.name = "follow", .unit = "m/s^2", .formula = "k1*relative + k2*error + k3"},
    {.name = "on",
     .unit = "-",
     .formula = "seen and follow <= free and abs(follow) < max_u and v > 1 [m/s]"},
    {.name = "e", .unit = "m/s", .formula = "if(on, v_model - v, 0)"},
    {.name = "k1_rate", .unit = "1/s^2", .formula = "gamma1*e*relative"},
    {.name = "k2_rate", .unit = "1/s^3", .formula = "gamma2*e*error"},
    {.name = "k3_rate", .unit = "m/s^3", .formula = "gamma3*e"},
    {.name = "k1_ideal", .unit = "1/s", .formula = "a_model"},
    {.name = "k2_ideal", .unit = "1/s^2", .formula = "a_model*k"},
    LAW_SETTLE_LINE,
};

static const law_state states[] = {
    {.rate = {.name = "v_model",
              .unit = "m/s",
              .formula = "if(on, a_model*(v_front - v_model + k*error), (v - v_model)/settle)"},
     .start = "v"},
    {.rate = {.name = "k1",
              .unit = "1/s",
              .formula = "clamp(k1_rate, (k1_ideal/spread - k1)/settle, "
                         "(k1_ideal*spread - k1)/settle)"},
     .start = "a_model"},
    {.rate = {.name = "k2",
              .unit = "1/s^2",
              .formula = "clamp(k2_rate, (k2_ideal/spread - k2)/settle, "
                         "(k2_ideal*spread - k2)/settle)"},
     .start = "a_model*k"},
    {.rate = {.name = "k3",
              .unit = "m/s^2",
              .formula = "clamp(k3_rate, (-max_k3 - k3)/settle, (max_k3 - k3)/settle)"}},
};

const law_text law_adaptive = {
    .name = "adaptive",
    .doc = "gains adapt to the car so that it follows a reference model",
    .params = params,
    .param_count = LAW_COUNT_OF(params),
    .states = states,
    .state_count = LAW_COUNT_OF(states),
    .variables = variables,
    .variable_count = LAW_COUNT_OF(variables),
    .acceleration = LAW_FREE_ACCELERATION,
    .card =
        {
            .equation =
                "a = k1 r + k2 error + k3,  r = v_front - v,  error = gap - distance - headway "
                "v;  k1' = gamma1 e r,  k2' = gamma2 e error,  k3' = gamma3 e,  e = v_model - "
                "v;  v_model' = a_model (v_front - v_model + k error)",
            .source =
                "after P. Ioannou and Z. Xu, Adaptive throttle control for automatic vehicle "
                "following, 12th IFAC World Congress (1993), and Throttle and brake control "
                "systems for automatic vehicle following, IVHS Journal 1(4) (1994): direct "
                "model-reference adaptation with projection. Bounds and numbers are the project's",
            .stability = "For v' = b u - a v + d with unknown b > 0, a, d and a steady car in "
                         "front, V = (v_model "
                         "- v)^2/2 + b (sum of (gain - ideal)^2/gamma)/2 does not grow: V' = "
                         "-a_model (v_model - "
                         "v)^2. Projection keeps the gains in a box and V' below that. With ideal "
                         "gains the platoon is L2 string stable when a_model h (2 + k h) >= 2, h "
                         "the headway.",
            .limits = "The argument needs the ideal gains inside the box and no lag; lag, noise "
                      "and a car in front that changes speed leave a bounded error. Adaptation "
                      "pauses below 1 m/s and while more than max_u is commanded. " LAW_FREE_TEXT,
        },
};
