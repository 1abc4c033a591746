// mobil.h - whether to change lanes: room by a braking bound, and the advantage (MOBIL).
//
// How hard a car would accelerate behind another is judged by one model for all cars, the
// intelligent driver model, whatever law drives them: with the desired gap
//
//   s* = distance + max(0, headway v + v (v - v_front)/(2 sqrt(a b)))
//   a_idm = a (1 - (v/v_set)^4 - (s*/gap)^2)
//
// Room. A change is safe when neither the car itself nor the new follower would have to brake
// harder than `safe_braking`, and when each keeps a gap from which it can stop: behind a front car
// that brakes as hard as the follower can, after a reaction time r,
//
//   gap >= v r + max(0, v^2 - v_front^2)/(2 safe_braking)
//
// Advantage (A. Kesting, M. Treiber, D. Helbing, Transportation Research Record 1999, 2007): change
// when
//
//   a_new - a_old + politeness (change of new follower + change of old follower)
//       > threshold - keep_right to the right, threshold + keep_right to the left
#pragma once

#include "control/lane_change.h"

#include <stdbool.h>

typedef struct mobil_car {    // what counts of a car
    double v, v_set;          // m/s
    double headway, distance; // s, m
    double length;            // m
} mobil_car;

#define MOBIL_NO_CAR 1e6 // m, gap without a car in front

// m/s^2, how a car would accelerate behind one at v_front.
double mobil_acceleration(const mobil_car *car, double gap, double v_front);

// A car between two others; gaps bumper to bumper, m. MOBIL_NO_CAR: there is none.
typedef struct mobil_gap {
    double front, v_front; // to the car in front
    double rear;           // from the follower
    const mobil_car *behind;
} mobil_gap;

// p: lane_change_params.
bool mobil_is_safe(const double *p, const mobil_car *car, const mobil_gap *into);
typedef struct mobil_stay { // what a change is compared with, m/s^2
    double own;             // acceleration of the car where it is
    double behind;          // that its follower there gains when it leaves
} mobil_stay;

mobil_stay mobil_stay_in(const mobil_car *car, const mobil_gap *from);
// m/s^2, advantage of a change to the left (side -1) or right (1); positive: change.
double mobil_advantage(const double *p, const mobil_car *car, const mobil_stay *stay,
                       const mobil_gap *into, int side);
