// model.h - the planar car: one body in the plane on four wheels with spin.
//
// Body axes: x forward, y left; u, w: velocity of the mass centre along them, r: yaw rate. Wheel q
// stands at (x_q, y_q), steered by d in front, and the road pushes it with (fx, fy) in its own
// axes, turned into the body's as (Fx, Fy). With drag -c |v| v at the mass centre and gravity g_t
// along the road surface:
//
//     M (u' - w r) = sum Fx - c |v| u + M g_t,x
//     M (w' + u r) = sum Fy - c |v| w + M g_t,y
//     I r'         = sum (x_q Fy - y_q Fx)
//     J s'_q       = T_drive - T_brake - R fx              parts/wheel.h: spin, brake, tyre
//
// Loads: the tyre forces act at the road, the inertia at height h. With a = sum F / M, N = M g_n
// the normal part of the weight, L = lf + lr and k the front share of the roll stiffness
//
//     front axle  A_f = (N lr - h M a_x)/L,  rear axle A_r = N - A_f,  both within 0 .. N
//     wheels      A_f/2 -+ D_f,  D_f = k h M a_y / track_f within +-A_f/2; in the rear with 1 - k
//
// so the loads always add up to N; a wheel that lifts passes the rest of its axle to the other one.
// Tyre forces follow the loads and loads the forces: that loop is opened by a lag,
//
//     a_x' = (sum Fx / M - a_x)/T,  a_y' = (sum Fy / M - a_y)/T,      T = load_lag
//
// which is how long a body on its springs takes to lean. Steady loads are those of statics. Loads
// of the step before would do it too, but then results depend on the step to first order; solving
// the loop costs more evaluations of the tyres; and a roll angle with springs and dampers needs
// numbers that are not known at this level of detail; a mechanism has them (type multibody).
//
// Limits: the car does not roll over, and lean does not steer.
#pragma once

#include "motorcade/param.h"
#include "motorcade/vehicle_model.h"
#include "parts/running_gear.h"
#include "parts/steering.h"

enum { // what cars of any type have: rows of the vehicle type
    BODY_MASS,
    BODY_LENGTH,
    BODY_WIDTH,
    BODY_HEIGHT,
    BODY_YAW_INERTIA,
    BODY_COUNT
};

enum {         // the same: height of the mass, steering
    LAYOUT_CG, // m, mass centre over the road
    LAYOUT_STEER_LAG,
    LAYOUT_STEER_RATE,
    LAYOUT_STEER_MAX,
    LAYOUT_COUNT
};

enum {
    PLANAR_TRACK_FRONT, // m
    PLANAR_TRACK_REAR,
    PLANAR_ROLL_FRONT, // -, share of the roll stiffness at the front axle
    PLANAR_LOAD_LAG,   // s
    PLANAR_ORDER,      // of the steps: 2 or 4
    PLANAR_STEP,       // s, longest step
    PLANAR_PARAM_COUNT
};
extern const mc_param planar_params[PLANAR_PARAM_COUNT];

typedef struct planar_model {
    double body[BODY_COUNT];
    double axle[2]; // m, mass centre to front axle and to rear axle
    double layout[LAYOUT_COUNT];
    double p[PLANAR_PARAM_COUNT];
    double nominal_mass; // kg, what brakes and plans are made for; NAN: the mass
    running_gear gear;   // driven
} planar_model;

// A batch of count vehicles of one model; NULL: no memory. max_step: longest step, s.
mc_batch *planar_batch_create(const planar_model *model, int count, double max_step);
// Puts vehicle i on the road, rolling, the engine settled at its speed.
void planar_batch_place(mc_batch *batch, int i, double x, double y, double heading, double speed);

extern const mc_vehicle_kind planar_kind;
