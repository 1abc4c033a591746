// lateral.h - the single-track equations of one car at an instant, as the steps use them: for
// tests.
#pragma once

#include "cars/car.h"

typedef struct lateral_point {
    double u, w, r;           // m/s, m/s, rad/s: along the heading, to the left, yaw rate
    double steer, steer_rate; // rad, rad/s
    double a;                 // m/s^2, by drive, brake and drag
    double front, rear;       // m, mass centre to axles
    double mass, inertia;     // kg, kg m^2
    double c_front, c_rear;   // N/rad, of an axle; single track: 1/rad
    double cg_height;         // m, single track
    double friction;          // -, of the road, single track
    double kinematic_below;   // m/s
} lateral_point;

// out: rates of u, w and r; on a level road, without grip limit.
typedef void car_lateral_at(car_lateral form, const lateral_point *at, double out[3]);
car_lateral_at car_lateral_at_plain, car_lateral_at_avx2;
