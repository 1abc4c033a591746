// turn.h - a vehicle in a steady turn, and its answer to steering there.
#pragma once

#include "run/linear.h"
#include "run/run.h"

typedef struct linear_turn {
    double speed, curvature; // m/s along the heading; 1/m of the way of the mass centre
    double steer;            // rad, that holds it
    double v_y, yaw_rate;    // m/s, rad/s
    double use[2];           // -, tyre force over load times friction of the road, the largest of
                             // the wheels in front of the mass centre and behind it; NAN: no wheels
    mc_run_linear_model plant;
    linear_lateral lateral;
} linear_turn;

// A vehicle of a model on a level road of one friction. Newton's method on the states that side
// slip and yaw rate depend on and the steering angle; the speed is held by a force at the mass
// centre. The throttle is that of the speed on a straight road; coast: the engine neither drives
// nor brakes. car: for the first guess.
mc_status linear_turn_find(const scenario_model *model, const steering_vehicle *car, double speed,
                           double curvature, double friction, bool coast, linear_turn *out,
                           mc_error *error);
