// wave.h - a disturbance over time: a step, a pulse, a sine, noise.
//
// A shape is a few words: nothing or "step"; "sine 0.2 Hz"; "noise"; each may end with "for 5 s",
// which makes a pulse of a step. Times count from when it began.
//
//     wave w;
//     mc_status status = wave_parse("sine 0.2 Hz for 30 s", &w, &error);
//     w.amplitude = 0.5, w.since = t0;
//     x += wave_at(&w, t, noise_normal(seed, who, what, step));
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>

// Numbers alone: its bytes are its state.
typedef struct wave {
    double amplitude; // of noise: the standard deviation; 0: nothing
    double frequency; // Hz; 0: no sine
    double noise;     // 1: noise
    double since;     // s, when it began
    double lasting;   // s; 0: for good
} wave;

enum { WAVE_TEXT_MAX = 64 };

mc_status wave_parse(const char *shape, wave *out, mc_error *error);
bool wave_plain(const wave *w); // a step without end
// normal: a number of the normal distribution, new at every instant.
double wave_at(const wave *w, double t, double normal);
