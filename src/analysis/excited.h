// excited.h - a mechanism under a standard excitation: its response sampled, for transfer functions
// and tests of linearity.
#pragma once

#include "analysis/plant.h"
#include "signal/excite.h"

#define EXCITED_LEFT 1e-5 // of the response, at the end

typedef struct excited {
    plant p;
    plant_path path;
    signal_band band;
    double rate;    // Hz
    int count, sub; // samples, steps per sample
} excited;

// Parameters input, output, set, hold, low, high, resolution, seed of the analysis; notes what was
// chosen.
void excited_open(analysis *a, excited *e);
void excited_close(excited *e);
// 2 sub count + 1 values of the excitation, half a step apart; freed by the caller.
double *excited_signal(analysis *a, const excited *e, const signal_excitation *by,
                       double amplitude);

const signal_excitation *excited_find(analysis *a, const char *parameter);

#define EXCITED_PARAMETERS                                                                         \
    {                                                                                              \
        "input", MC_ANALYSIS_FORM_TEXT, "", NULL, 0, 0, "input of the mechanism that is moved",    \
        true},                                                                                     \
        {"output",                                                                                 \
         MC_ANALYSIS_FORM_TEXT,                                                                    \
         "",                                                                                       \
         NULL,                                                                                     \
         0,                                                                                        \
         0,                                                                                        \
         "coordinate, velocity, state or output that is looked at",                                \
         true},                                                                                    \
        {"low",                                                                                    \
         MC_ANALYSIS_FORM_NUMBER,                                                                  \
         "Hz",                                                                                     \
         NULL,                                                                                     \
         1e-6,                                                                                     \
         1e6,                                                                                      \
         "lowest frequency; default: a fifth of the lowest mode",                                  \
         false},                                                                                   \
        {"high",                                                                                   \
         MC_ANALYSIS_FORM_NUMBER,                                                                  \
         "Hz",                                                                                     \
         NULL,                                                                                     \
         1e-6,                                                                                     \
         1e6,                                                                                      \
         "highest frequency; default: 1.5 times the highest mode",                                 \
         false},                                                                                   \
        {"resolution",                                                                             \
         MC_ANALYSIS_FORM_NUMBER,                                                                  \
         "Hz",                                                                                     \
         NULL,                                                                                     \
         1e-6,                                                                                     \
         1e6,                                                                                      \
         "distance of lines that are told apart; default: half of low",                            \
         false},                                                                                   \
        {"seed", MC_ANALYSIS_FORM_WHOLE, "", "1", 0, 1e15, "of random_road", false},               \
        {"set", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "NAME=VALUE of a parameter or an input",   \
         false},                                                                                   \
    {                                                                                              \
        "hold", MC_ANALYSIS_FORM_TEXTS, "", NULL, 0, 0, "coordinate or state that is held", false  \
    }
