// car.h - the cars of platoons: a point with a desired acceleration, a car with engine, brake, drag
// and two axles (DYNAVIS report, eqs 1 to 8), and the same car as a bicycle, with a steering and a
// choice of lateral dynamics (lateral_lanes.h).
//
// A batch holds cars of one kind and one kind of powertrain; every other parameter belongs to each
// car alone, so a platoon of different cars is one batch and a parameter can change while it runs.
#pragma once

#include "motorcade/param.h"
#include "motorcade/vehicle_model.h"
#include "parts/powertrain.h"

enum car_param { // one table for both kinds; the point car uses the first part
    CAR_MASS,    // kg, true mass
    CAR_LENGTH,
    CAR_WIDTH,
    CAR_HEIGHT,
    CAR_YAW_INERTIA,
    CAR_LAG,              // s, of the point car's response to the desired acceleration; 0: none
    CAR_ACCELERATION_MAX, // g, of the car file: maximum that controllers may command
    CAR_BRAKE_MAX,        // g, maximum deceleration by the brake: brake = 1
    CAR_DECELERATION_MAX, // g, maximum that controllers may command; the brake is the other limit
    CAR_SPEED_MAX,        // m/s, top speed
    // From here: the car with powertrain only.
    CAR_NOMINAL_MASS,    // kg, what plan() assumes; NAN: the true mass at the start
    CAR_FRONT,           // m, mass centre to front axle
    CAR_REAR,            // m, mass centre to rear axle
    CAR_CORNERING,       // N/rad, one tyre; an axle has two
    CAR_GRIP,            // -, maximum horizontal force / weight; 0: no limit (as published)
    CAR_DRAG_0,          // N        drag = d0 + d1 V + d2 V^2 above 0.4 m/s (eq 5)
    CAR_DRAG_1,          // N s/m
    CAR_DRAG_2,          // N s^2/m^2
    CAR_DRAG_CONTINUOUS, // 0: eq 5 as printed (200 -> 23 N at 0.4 m/s); 1: without the jump
    CAR_BRAKE_RATE,      // 1/s, eq 2
    CAR_BRAKE_DELAY,     // s, of the brake command; 0: none
    // From here: the bicycle only.
    CAR_KINEMATIC_BELOW, // m/s, below it the wheels roll without side slip
    CAR_LOAD_FRONT,      // 1/rad, cornering stiffness over load (single track)
    CAR_LOAD_REAR,
    CAR_CG_HEIGHT, // m
    CAR_STEER_LAG, // s, parts/steering.h
    CAR_STEER_RATE,
    CAR_STEER_MAX,
    CAR_PARAM_COUNT
};

typedef enum car_lateral {
    CAR_REPORT,       // the car of the report: no steering of its own; the next ones are bicycles
    CAR_PRINTED,      // eq 1 as printed
    CAR_EXACT,        // slip angles and forces without approximation
    CAR_SINGLE_TRACK, // linear with loads that lean (CommonRoad)
    CAR_LATERAL_COUNT
} car_lateral;

extern const mc_param car_params[CAR_PARAM_COUNT];

// Sets of rows, bit k for row k: what a point car has, and what can be changed while a car runs.
// The outline cannot: another car may be touching it.
#define CAR_ROWS_POINT ((1ull << CAR_NOMINAL_MASS) - 1)
#define CAR_ROWS_BICYCLE (~((1ull << CAR_KINEMATIC_BELOW) - 1))
#define CAR_OUTLINE (1ull << CAR_LENGTH | 1ull << CAR_WIDTH | 1ull << CAR_HEIGHT)
#define CAR_LIVE_BICYCLE (~(CAR_OUTLINE | 1ull << CAR_LAG))
#define CAR_LIVE (CAR_LIVE_BICYCLE & ~CAR_ROWS_BICYCLE)
#define CAR_LIVE_POINT (CAR_ROWS_POINT & ~CAR_OUTLINE)

typedef struct car {
    double p[CAR_PARAM_COUNT];
    const powertrain_kind *powertrain; // NULL: a point car
    car_lateral lateral;
    double powertrain_p[POWERTRAIN_PARAM_MAX];
} car;

void car_defaults(car *c, const powertrain_kind *powertrain); // all parameters at their fallbacks

// A batch of count cars; NULL: no memory. All must have the same powertrain kind and the same
// lateral dynamics. step: longest inner step, s.
mc_batch *car_batch_create(const car *cars, int count, double step);

// Puts car i on the road, everything settled for that speed.
void car_batch_place(mc_batch *batch, int i, double x, double y, double heading, double speed);
// The same for a car whose saved state is restored next: its engine does not settle, which is most
// of the time. a: m/s^2, what motion() says until then.
void car_batch_put(mc_batch *batch, int i, double x, double y, double heading, double speed,
                   double a);

// Of the point car (point.c): its wheelbase over its length, and the time constant of its yaw rate
// and side slip, s.
#define CAR_POINT_WHEELBASE 0.54
#define CAR_POINT_GUIDED 0.2

extern const mc_vehicle_kind car_point_kind, car_powertrain_kind, car_bicycle_kind;
