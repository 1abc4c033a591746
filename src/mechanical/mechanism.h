// mechanism.h - a mechanism that can stand on wheels, and what its wheels ask of it.
//
// From the equations of a mechanism two further programs are made, of the same variables:
//
//   see    what acts at every instant: mass centre, momentum, dampers; place, velocity, spin and
//          axle of the wheels; and how momentum, wheels and their carriers move with each velocity
//          v_j (partial velocities)
//   look   what is asked for now and then: energies, pose and motion of the chassis
//   turn   of closed mechanisms: the rates of the coordinates, by which projections move them
//
// A force F at a hub is the generalised force tau_j = F . d(velocity)/dv_j, a torque T on its
// carrier T . d(spin)/dv_j, and an acceleration g that acts on everything (gravity that leans)
// g . d(momentum)/dv_j. So forces need no place in the mechanism's own file.
//
// Nothing here is written after it is made: vehicles share it, each with its own memory.
#pragma once

#include "mechanism/mechanism.h"
#include "parts/running_gear.h"

enum { // values of `see`
    SEE_CENTRE = 0,
    SEE_MOMENTUM = 3,
    SEE_DAMPED = 6,  // W, into the dampers
    SEE_STORED = 7,  // W, into springs whose force is a formula of positions
    SEE_STEERED = 8, // W, of the load of the rack
    SEE_WHEEL = 9,   // of each wheel:
    SEE_PLACE = 0,   // hub, m
    SEE_VELOCITY = 3,
    SEE_SPIN = 6, // of the carrier, rad/s
    SEE_AXLE = 9, // unit, to the left
    SEE_EACH = 12,
    SEE_MAX = SEE_WHEEL + GEAR_WHEEL_MAX * SEE_EACH,
};

enum {            // rows of the partial velocities of `see`: what a load acts on
    LOAD_ALL = 0, // acceleration of everything, m/s^2
    LOAD_WHEEL = 3,
    LOAD_FORCE = 0,  // of each wheel: force at the hub, N
    LOAD_TORQUE = 3, // on the carrier, N m
    LOAD_EACH = 6,
    LOAD_MAX = LOAD_WHEEL + GEAR_WHEEL_MAX * LOAD_EACH,
};

enum { // values of `look`
    LOOK_MASS,
    LOOK_KINETIC,
    LOOK_POTENTIAL, // J, gravity and springs
    LOOK_LEVEL,     // J, gravity alone
    LOOK_GRAVITY,   // m/s^2, 3
    LOOK_PLACE = LOOK_GRAVITY + 3,
    LOOK_TURN = LOOK_PLACE + 3, // 9, rows: chassis to world
    LOOK_VELOCITY = LOOK_TURN + 9,
    LOOK_SPIN = LOOK_VELOCITY + 3, // world axes
    LOOK_COUNT = LOOK_SPIN + 3,
    PUSH_COUNT = 6, // rows of its partial velocities: force at the origin, torque on the chassis
};

typedef struct mechanism_program {
    expr_program *program;
    expr_kernel *kernel;
    int value_count;     // values, and behind them
    int partial_count;   // partial velocities, those that are not zero:
    int *row, *velocity; // of each
} mechanism_program;

typedef struct mechanism {
    mc_multibody *multibody;
    bool numbered;                      // axles by numbers, not front and rear
    int wheel_count;                    // two per axle, in the order of parts/running_gear.h
    int chassis, wheel[GEAR_WHEEL_MAX]; // bodies
    int spin[GEAR_WHEEL_MAX];           // place of the wheel's rate among the velocities
    int rack;                           // place of the input rack_to among the variables; -1: none
    bool closed;                        // it has loops: states are projected onto them
    bool stores;                        // it has springs by formula: their energy is summed up
    mechanism_program see, look, turn;
} mechanism;

// Checks that the mechanism has what a vehicle needs and makes the programs; multibody is taken
// over, and freed when this fails.
mc_status mechanism_make(mc_multibody *multibody, mechanism *out, mc_error *error);
void mechanism_free(mechanism *m);

// tau += sum of load[row] times the partial velocities in values.
void mechanism_load(const mechanism_program *p, const double *values, const double *load,
                    double *tau);
