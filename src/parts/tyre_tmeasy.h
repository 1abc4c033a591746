// tyre_tmeasy.h - what the table and the vector code of the TMeasy law share.
#pragma once

#include "parts/tyre.h"

// A curve over slip: its slope at zero, its peak, where it slides; each at the nominal load and at
// twice that.
enum { TMEASY_SLOPE, TMEASY_PEAK, TMEASY_SLIDING, TMEASY_PEAK_SLIP, TMEASY_SLIDING_SLIP };

enum {
    TMEASY_LOAD,                  // N, nominal
    TMEASY_X,                     // five numbers, at the nominal load
    TMEASY_X2 = TMEASY_X + 5,     // at twice that
    TMEASY_Y = TMEASY_X2 + 5,     // along y
    TMEASY_Y2 = TMEASY_Y + 5,     //
    TMEASY_TRAIL = TMEASY_Y2 + 5, // -, over the length of the contact: at both loads
    TMEASY_TRAIL2,
    TMEASY_TRAIL_SLIP, // -, where the trail is 0 first
    TMEASY_TRAIL_SLIP2,
    TMEASY_TRAIL_END, // -, from where on it stays 0
    TMEASY_CONTACT,   // m, length of the contact at the nominal load
    TMEASY_RELAXATION_X,
    TMEASY_RELAXATION_Y,
    TMEASY_DAMPING,
    TMEASY_ELLIPSE,
    TMEASY_PARAM_COUNT
};

#define TMEASY_V_LOW 1.0    // m/s
#define TMEASY_LOAD_MAX 3.5 // nominal loads

tyre_eval tmeasy_eval_plain, tmeasy_eval_avx2;
