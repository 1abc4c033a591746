// multibody_vehicle.h - mechanisms on wheels as vehicles of a world: the derived HMMWV.
//
// A mechanism (docs/modelling.md) becomes a vehicle by the names of its bodies:
//
//   chassis                                    on a free joint with a quaternion (the default)
//   wheel_fl wheel_fr wheel_rl wheel_rr        on hinges with axis: y, somewhere on the chassis
//
// Everything between them is free: arms, prisms, springs, further bodies. Gravity is [0, 0, g]. It
// has no loads, forces or torques of its own: what acts comes from outside, and the books stay
// complete. models/hmmwv.yaml is one.
//
// Put on from outside: tyres (a law of parts/tyre.h with spin, and the vertical spring and damper
// of parts/tyre_vertical.h), brakes that hold, an engine, drag, rolling resistance: the drive of
// cosserat/model.h, with the same inputs, plan and books. The spin of a wheel and its inertia are
// the mechanism's own.
//
// The surface for contact is an ellipsoid of the given length, width and height on the chassis; a
// hit is an impulse on the chassis, and the whole mechanism answers through its mass matrix.
//
// Limits: the contact of a tyre is below its hub; no camber, no aligning moment. A mechanism has no
// steering linkage: the contact frames of wheel_fl and wheel_fr are turned by the steering angle,
// the bodies are not. The brake and engine act between a wheel and what carries it.
#pragma once

#include "model/scenario.h"
#include "motorcade/vehicle_model.h"

// A batch of the given vehicles of a scenario, all of one multibody model, placed on the road.
// NULL: see *error.
mc_batch *multibody_vehicles_create(const scenario *s, const int *vehicles, int count,
                                    mc_error *error);

extern const mc_vehicle_kind multibody_kind;
