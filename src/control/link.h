// link.h - radio links: senders, delay and loss.
//
// Every control step each car sends position, speed, acceleration and desired acceleration. A
// receiver keeps, for each car it listens to, the newest message that has arrived. A message is
// lost with probability `loss`, drawn from a generator keyed by (seed, sender, receiver, step): the
// same in every run, whatever the order of evaluation.
#pragma once

#include "motorcade/param.h"

enum link_param {
    LINK_DELAY,   // s, rounded to control steps
    LINK_LOSS,    // -, probability
    LINK_TIMEOUT, // s, a link silent for longer is not fresh
    LINK_PARAM_COUNT
};
extern const mc_param link_params[LINK_PARAM_COUNT];

enum sensor_param {
    SENSOR_RANGE_BIAS,  // m
    SENSOR_RANGE_NOISE, // m, standard deviation
    SENSOR_SPEED_BIAS,  // m/s, of the relative speed
    SENSOR_SPEED_NOISE, // m/s
    SENSOR_DELAY,       // s, rounded to control steps
    SENSOR_REACH,       // m, farther cars are not seen
    SENSOR_PARAM_COUNT
};
extern const mc_param sensor_params[SENSOR_PARAM_COUNT];

// Uniform in [0, 1) and normal numbers from a key; the same key, the same number.
double noise_uniform(unsigned long long seed, unsigned a, unsigned b, unsigned long long step);
double noise_normal(unsigned long long seed, unsigned a, unsigned b, unsigned long long step);
