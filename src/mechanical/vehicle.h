// vehicle.h - mechanisms on wheels as vehicles of a world: the derived HMMWV.
//
// A mechanism (docs/modelling.md) becomes a vehicle by the names of its bodies:
//
//   chassis                                    on a free joint with a quaternion (the default)
//   wheel_fl wheel_fr wheel_rl wheel_rr        on hinges with axis: y, somewhere on the chassis
//
// Everything between them is free: arms, prisms, springs, further bodies. Gravity is [0, 0, g]. It
// has no loads, forces or torques of its own: all loads come from outside, so the energy balance
// stays complete. models/hmmwv.yaml is one.
//
// Added from outside: tyres (a law of parts/tyre.h with spin, and the vertical spring and damper of
// parts/tyre_vertical.h), brakes that hold, an engine, drag, rolling resistance: the drive of
// parts/running_gear.h, with the same inputs, plan and energy balance. The spin of a wheel and its
// inertia are those of the mechanism.
//
// The surface for contact is an ellipsoid of the given length, width and height on the chassis; a
// collision is an impulse on the chassis, and the whole mechanism responds through its mass matrix.
//
// Steering: a prism `rack` whose load follows an input `rack_to` [m] steers the wheels through the
// joints between them (models/hmmwv_loops.yaml); without one the contact frames of wheel_fl and
// wheel_fr are turned by the steering angle, and the bodies are not.
//
// Limits: the contact of a tyre is below its hub; no camber, no aligning moment. The brake and
// engine act between a wheel and what carries it. The work of the rack's load counts as driven.
#pragma once

#include "motorcade/vehicle_model.h"
#include "parts/running_gear.h"

typedef struct multibody_model { // what a batch is made of; nothing of it is kept
    const char *text, *file;     // of the mechanism; file: for messages
    const running_gear *gear;
    double added_mass;   // kg, of the chassis, beside what the text says
    double nominal_mass; // kg, that the brakes are laid out for; NAN: the mass of all bodies
    double outline[3];   // m, length, width, height of the surface
} multibody_model;

// A batch of vehicles at rest at the origin. NULL: see *error.
mc_batch *multibody_vehicles_create(const multibody_model *model, int count, mc_error *error);

// Puts vehicle i on the road, its wheels rolling.
void multibody_vehicles_place(mc_batch *batch, int i, double x, double y, double heading, double v);

extern const mc_vehicle_kind multibody_kind;
