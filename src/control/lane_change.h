// lane_change.h - the curve a car drives from one lane to another.
//
// Its distance d from the middle of the lane it goes to is a polynomial of fifth degree in time,
// from where the car is (d, d', d'') to rest on the middle. Its duration is the shortest for which
//
//   |d''| <= max_acceleration,  |d'''| <= max_jerk
//
// From rest over a width D that is T = max(sqrt(10/sqrt(3) D/a), cbrt(60 D/j)). A car that turns
// back on its way begins a new curve where it is: place, speed and acceleration continue without a
// jump.
#pragma once

#include "motorcade/param.h"

enum lane_change_param {
    LANE_CHANGE_ACCELERATION, // m/s^2
    LANE_CHANGE_JERK,         // m/s^3
    // Whether to change: mobil.h.
    LANE_CHANGE_POLITENESS,
    LANE_CHANGE_THRESHOLD,    // m/s^2
    LANE_CHANGE_KEEP_RIGHT,   // m/s^2
    LANE_CHANGE_SAFE_BRAKING, // m/s^2
    LANE_CHANGE_REACTION,     // s
    LANE_CHANGE_PAUSE,        // s, between two changes of a car by itself
    LANE_CHANGE_SETTLE,       // s, before it goes back by itself to the lane it left
    LANE_CHANGE_CUT_IN,       // m/s^2, braking for a car that cuts in: cut_in.h
    LANE_CHANGE_PARAM_COUNT
};
extern const mc_param lane_change_params[LANE_CHANGE_PARAM_COUNT];

typedef struct lane_curve { // numbers alone: its bytes are its state
    double start, duration; // s
    double c[6];            // m, m/s, ...: d = sum of c[k] (t - start)^k
} lane_curve;

typedef struct lane_point {
    double d, rate, bend; // m, m/s, m/s^2
} lane_point;

// The curve from `now` at the time `start`. p: lane_change_params. A car that moves sideways too
// fast for the bounds gets the gentlest curve of at most a minute.
lane_curve lane_curve_make(const double *p, double start, lane_point now);
lane_point lane_curve_at(const lane_curve *curve, double t); // 0 after its end
double lane_curve_bend(const lane_curve *curve, double t);   // its bend alone
