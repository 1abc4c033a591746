// excite.h - standard excitations: signals of size 1 between two frequencies, one row each.
//
// They act during the first SIGNAL_ACTIVE of the length and rest after it (a step stays), so that
// what they excite dies out within the length.
#pragma once

#define SIGNAL_ACTIVE 0.6

typedef struct signal_band {
    double length;    // s
    double low, high; // Hz
    unsigned long long seed;
} signal_band;

typedef struct signal_excitation {
    const char *name, *doc;
    int stays; // 1: it does not come back to 0: use its differences
    // count values, dt apart, from t = 0.
    void (*fill)(const signal_band *band, double dt, int count, double *u);
} signal_excitation;

const signal_excitation *signal_excitation_at(int index); // NULL past the last
const signal_excitation *signal_excitation_find(const char *name);
