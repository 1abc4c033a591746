// steering_gains.h - what steering laws are told of a car: its single-track model, steady turns,
// and optimal gains.
//
// In error coordinates z = (e, e', psi, psi') along a path at constant speed v (axle stiffnesses
// C_f, C_r, a = front, b = rear):
//
//   e''   = -(C_f + C_r)/(m v) e' + (C_f + C_r)/m psi + (b C_r - a C_f)/(m v) psi' + C_f/m delta
//   psi'' = (b C_r - a C_f)/(I v) e' - (b C_r - a C_f)/I psi - (a^2 C_f + b^2 C_r)/(I v) psi'
//           + a C_f/I delta
//
//   steady turn of curvature k:  delta = (L + K v^2) k,  K = m/L (b/C_f - a/C_r)
//                                psi = -(b - a m v^2/(L C_r)) k
//
// Tyres that are not linear slip more: with the slip angles s_f, s_r of the axles at the lateral
// acceleration v^2 k, delta = L k + s_f - s_r and psi = -(b k - s_r). Their ratios to v^2 k are
// interpolated from a table of the type.
//
// The gains K of delta = -K z minimize the integral of q_e e^2 + q_psi psi^2 + r delta^2: K = B' P
// / r, where A' P + P A - P B B' P/r + Q = 0, solved by structured doubling.
#pragma once

#include "motorcade/vehicle_type.h"

typedef struct steering_vehicle {
    double front, rear;             // m
    double mass, inertia;           // kg, kg m^2, yaw
    double stiff_front, stiff_rear; // N/rad, of the axles
    const mc_vehicle_facts *turns;  // its tables of slip angles in steady turns; NULL: linear
} steering_vehicle;

// From the facts of a type; what it does not say is taken for a neutral car with a wheelbase of
// 3 m. The facts must outlive it.
steering_vehicle steering_vehicle_of(const mc_vehicle_facts *facts);

// m, at a speed and a curvature (1/m) of the steady turn.
double steering_turn_gain(const steering_vehicle *car, double v, double curvature);
double steering_turn_slip(const steering_vehicle *car, double v, double curvature);

// A (4 x 4, row by row) and B (4) of the model above; v > 0.
void steering_error_model(const steering_vehicle *car, double v, double A[16], double B[4]);

// Gains for the weights (offset, heading, steer) at one speed; false: no solution was found.
bool steering_gains_at(const steering_vehicle *car, const double weights[3], double v,
                       double gain[4]);

enum { STEERING_SPEEDS = 16 };
typedef struct steering_gains { // by speed
    double gain[STEERING_SPEEDS][4];
} steering_gains;
bool steering_gains_make(const steering_vehicle *car, const double weights[3], steering_gains *out);
void steering_gains_look(const steering_gains *g, double v, double gain[4]);
