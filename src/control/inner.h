// inner.h - from a desired acceleration to throttle and brake, the same for every law and vehicle.
//
// The vehicle's plan() says which throttle or brake would give the desired acceleration. A trim
// adds what the plan does not know (slope, true mass): trim' = rate (desired - measured), held
// while a pedal is at an end of its range. Throttle and brake never act together: they switch when
// the desired acceleration passes that of the coasting car, with hysteresis.
//
// If the hysteresis were taken up at once, every change would be a jump of the pedal, larger with
// longer control steps, since the desired value moves on until the change comes. So a changed pedal
// starts from its closed end and takes the hysteresis up at a rate, in time and not in steps.
#pragma once

#include "motorcade/param.h"
#include "motorcade/vehicle_model.h"

enum inner_param {
    INNER_HYSTERESIS, // m/s^2, the desired value must pass coasting by this much to switch
    INNER_TRIM_RATE,  // 1/s
    INNER_TRIM_MAX,   // m/s^2
    INNER_JERK_MAX,   // m/s^3, of the desired acceleration; 0: no limit
    INNER_TAKE_UP,    // m/s^3, how fast a changed pedal takes up the hysteresis; 0: at once
    INNER_PARAM_COUNT
};
extern const mc_param inner_params[INNER_PARAM_COUNT];

// A standing car: slower than this, and not asked to drive off.
static const double INNER_STAND_SPEED = 0.02;   // m/s
static const double INNER_STAND_DESIRED = 0.05; // m/s^2

typedef enum inner_mode { INNER_THROTTLE, INNER_BRAKE } inner_mode; // the pedal in use

typedef struct inner_state { // of one car; no gaps, saved as it is
    int mode;                // inner_mode
    int saturated;           // 1: the pedal was at an end of its range in the last step
    double trim;             // m/s^2
    double desired;          // m/s^2, of the last step, after all limits
    double slack;            // m/s^2, of the hysteresis, that a changed pedal has still to take up
} inner_state;

// The acceleration to ask plan() for: the desired one within its limits, with jerk limit and trim.
// measured: the mean acceleration over the last step; min, max: m/s^2.
double inner_ask(const double *p, inner_state *s, double desired, double measured, double min,
                 double max, double dt);
// Throttle and brake from the answer to what was asked.
// v: m/s. A car that stands and is to stand is held by its brake.
void inner_act(const double *p, inner_state *s, double asked, const mc_plan *plan, double v,
               double dt, mc_inputs *out);
