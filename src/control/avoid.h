// avoid.h - longitudinal collision avoidance: the maximum safe acceleration.
//
// Whatever a law asks for, min(law, avoid_limit(...)) keeps a car able to stop behind the one in
// front. Worst case: the car in front brakes at b_f = front_brake (or as it does now, if that is
// more) until it stops; the ego vehicle keeps the acceleration a during `reaction` r, then brakes
// at b = brake. With s = gap - margin, u = v + a r, and w the front's speed after r:
//
//   stops   s + v_f^2/(2 b_f) >= (v + u) r/2 + u^2/(2 b)           places where both stand
//   meets   s + (front's path in r) - (v + u) r/2 >= (u - w)^2/(2 (b - b_f))
//                                                                  equal speed before the front
//                                                                  stands; only for b > b_f
//
// The limit is the largest a for which the minimum gap is 0: it comes from `meets` when speeds
// become equal before the front car stops, else from `stops`. The two agree at the transition, so
// the limit is continuous. It rises with gap and v_f, falls with v, and lies between -brake and
// `max`.
//
// What a law asks for now acts later where a brake has a delay and a lag. With the key `delay` the
// car is taken to drive on for that time as it does, at its present acceleration or the one asked
// for last, whichever is higher, while the car in front brakes at b_f; the limit is that of the
// state after it (avoid_ahead). For that the command rises by at most brake/delay per second.
#pragma once

#include "motorcade/param.h"

enum avoid_param {
    AVOID_BRAKE,       // m/s^2, of the ego vehicle
    AVOID_FRONT_BRAKE, // m/s^2, assumed maximum of the car in front
    AVOID_REACTION,    // s
    AVOID_MARGIN,      // m, gap that is kept when both stand
    AVOID_DELAY,       // s, in which nothing can be changed
    AVOID_PARAM_COUNT
};
extern const mc_param avoid_params[AVOID_PARAM_COUNT];

// Gap and speeds after p[AVOID_DELAY], of a car that accelerates at a; b_f as above.
void avoid_ahead(const double *p, double a, double a_front, double *gap, double *v,
                 double *v_front);

// The maximum safe acceleration, m/s^2, at most `max`. v, v_front >= 0 (m/s, negative counts as
// 0), a_front: m/s^2. A gap of 1e5 m or more: no car in front, `max`.
double avoid_limit(const double *p, double gap, double v, double v_front, double a_front,
                   double max);
