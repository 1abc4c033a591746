// steering.h - steering laws as formulas: where the car is relative to its path in, steering angle
// out.
//
// A steering law is a law_text (law.h) whose result is `steer`, the angle of the steered wheels in
// rad, left positive. It is read, run over batches, differentiated and printed on its card as the
// laws of acceleration are. Its path is the middle of the lane, or on the way from one lane to
// another the curve that was planned. Adding a law: one file steering_NAME.c, one word in
// steerings.c.
//
// Signals are for the middle of the control step, as those of signal.h.
//
// A law that looks ahead has a parameter `look_ahead` (s): the point of the path it looks at is
// max(min_look_ahead, look_ahead |v|) ahead of the car, where `min_look_ahead` (m) is a parameter
// too. Gains that are optimal for the car (`gain_*`) are made for a law with the parameters
// `weight_offset`, `weight_heading` and `weight_steer`; see steering_gains.h.
#pragma once

#include "control/law.h"

enum steering_signal {
    STEERING_T,
    STEERING_DT,
    STEERING_V,         // m/s, along the heading
    STEERING_V_Y,       // m/s, to the left of it
    STEERING_YAW_RATE,  // rad/s
    STEERING_STEER,     // rad, the last command
    STEERING_OFFSET,    // m, mass centre to the left of the path
    STEERING_HEADING,   // rad, of the car from that of the path, to the left
    STEERING_CURVATURE, // 1/m, of the path there, left positive
    STEERING_AHEAD,     // m, along the path to the point looked at; 0: the law does not look ahead
    STEERING_ASIDE_AHEAD,     // m, that point to the left of the car's axis
    STEERING_CURVATURE_AHEAD, // 1/m, of the path there
    STEERING_WHEELBASE,
    STEERING_FRONT,     // m, mass centre to front axle
    STEERING_REAR,      // m, to rear axle
    STEERING_TURN_GAIN, // m, steady steering angle per curvature at this speed
    STEERING_TURN_SLIP, // m, steady heading per curvature, to the outside of the bend if positive
    STEERING_GAIN_OFFSET,
    STEERING_GAIN_OFFSET_RATE,
    STEERING_GAIN_HEADING,
    STEERING_GAIN_HEADING_RATE,
    STEERING_USER_1,
    STEERING_USER_8 = STEERING_USER_1 + 7,
    STEERING_SIGNAL_COUNT
};
_Static_assert((int)STEERING_SIGNAL_COUNT <= (int)SIGNAL_COUNT, "laws have room for them");

extern const law_signal_row steering_signals[STEERING_SIGNAL_COUNT];
extern const law_vocabulary steering_words; // for law_compile_words

// Laws in the order of the manual, then those from outside; NULL: end.
const law_text *steering_at(int index);
const law_text *steering_find(const char *name); // any case; NULL: unknown
const law_text *steering_default(void);          // of cars whose controller names none

// Place of a parameter of a law by its name; -1: it has none.
int steering_param(const law_text *text, const char *name);
