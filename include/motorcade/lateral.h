// lateral.h - does a steering law keep its car on the path? Poles, margins, lateral string
// stability.
//
//     mc_scenario *scenario = mc_scenario_load("scenarios/merge.yaml", &error);
//     mc_lateral_options o = mc_lateral_defaults();
//     o.speed = 30.0, o.curvature = 1.0 / 300.0;
//     mc_lateral *l = mc_lateral_create(scenario, 0, &o, &error);
//     printf("largest real part %g 1/s\n", mc_lateral_result_of(l)->largest);
//     mc_lateral_destroy(l);
//
// The car drives a steady turn (or straight ahead) at constant speed on a level road of one
// friction. There its own steps are linearized by central differences, with whatever tyre law,
// steering lag and load transfer it has; the steering law is differentiated symbolically. With e
// the offset from the path (m, left positive), psi the heading relative to it, x the states of the
// car and z those of the law:
//
//     e' = u sin psi + v_y cos psi,   psi' = r - k (u cos psi - v_y sin psi)/(1 - k e),
//     x' = A x + B delta,   delta, z' = law(e, psi, v_y, r, path ahead, z)
//
// The speed is held by a force at the mass centre, whatever the engine does; the step of the
// controller is not included.
//
// Lateral string stability is that of a car that follows the path which the car in front drove,
// on a straight road: G(s) is the transfer function from the offset of that path to the car's own,
// both as functions of time at one place. A law that looks ahead sees the path in advance. If
// |G(jw)| <= 1 for all w, offsets do not grow from car to car. Cars of a run follow the middle of
// their lane, so offsets do not propagate there.
//
// Threads: an analysis is used by one thread at a time; several are independent.
#pragma once

#include "motorcade/scenario.h"
#include "motorcade/status.h"

#include <stdbool.h>

#include "motorcade/begin.h"

typedef struct mc_lateral_options { // mc_lateral_defaults() fills it
    double speed;                   // m/s, along the heading; default 20
    double curvature;               // 1/m, of the car's way, left positive; default 0
    double friction;                // of the road; default 1
    const char *law;              // a steering law by name; NULL: that of the vehicle's controller
    const char *const *set_names; // parameters of the law that are not the default or the
    const double *set_values;     // controller's
    int set_count;
    // The engine neither drives nor brakes; the speed is held by a force at the mass centre. Else
    // the throttle is that which keeps the speed on a straight road.
    bool coast;
    bool poles_only; // no margins, no peak: they take most of the time
} mc_lateral_options;

mc_lateral_options mc_lateral_defaults(void);

enum { MC_LATERAL_POLE_MAX = 64 };

typedef struct mc_lateral_result {
    const char *law;
    double steer;     // rad, in the steady turn
    double offset;    // m, that the law leaves there
    double side_slip; // rad, angle from the heading to the velocity
    // Tyre force over load times friction of the road: the largest of the wheels in front of the
    // mass centre, of those behind it. NAN: a type without wheels.
    double front_use, rear_use;
    double largest; // 1/s, largest real part of the poles
    int pole_count;
    double pole_real[MC_LATERAL_POLE_MAX], pole_imaginary[MC_LATERAL_POLE_MAX]; // by falling
                                                                                // real part
    // Margins of the loop, cut at the steering angle. NAN: the loop is not stable, or never
    // crosses.
    double crossover;    // rad/s, where its gain falls below 1 for good
    double phase_margin; // rad, the smallest
    double gain_margin;  // -, factor by which the gain may rise
    // On a straight road only; NAN in a turn or when the loop is not stable.
    double peak, peak_frequency; // of |G|; rad/s, 0: for w -> 0
    bool string_stable;
    bool friction_matters; // false: the friction of the road does nothing to this type
} mc_lateral_result;

typedef struct mc_lateral mc_lateral;

// NULL: see *error. MC_BAD_INPUT: no steering law, unknown parameter, a type that cannot be
// analysed; MC_FAILED: no steady turn.
mc_lateral *mc_lateral_create(const mc_scenario *scenario, int vehicle,
                              const mc_lateral_options *options, mc_error *error);
void mc_lateral_destroy(mc_lateral *l);
const mc_lateral_result *mc_lateral_result_of(const mc_lateral *l);
// |G| and its phase (rad; may be NULL) at w > 0 rad/s, straight ahead; NAN in a turn.
double mc_lateral_gain(const mc_lateral *l, double w, double *phase);
// The same of the open loop, from the steering angle round to what the law asks for, times -1.
double mc_lateral_loop(const mc_lateral *l, double w, double *phase);
// Offset t seconds after the car was pushed aside by 1 m/s (the velocity of its mass centre to the
// left), everything else in the steady state; m.
double mc_lateral_push(const mc_lateral *l, double t);

#include "motorcade/end.h"
