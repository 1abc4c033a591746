// wheel.h - wheels that spin: driven, braked, locked, held still; over a batch of wheels in lanes.
//
// Each wheel has a spin w, a brake and a tyre:
//
//     J w' = T_drive - T_brake - R fx          fx, fy: force of the road on the wheel (tyre.h)
//     b'   = w - slips (k |w| / T) b           twist of the brake, rad; slips(k b / T): stick.h
//     T_brake = k b + c b', cut to +-T         T: the torque the brake can hold, N m
//
// A brake is friction: it turns against the spin with torque T, and a wheel that does not turn it
// holds with whatever torque that takes, up to T. b is how far the brake gives before it slips;
// below 0.7 T it is a spring, so that a held wheel does not creep, not even when it is shaken. k =
// J hold^2, c = J hold: the wheel swings on its brake with frequency `hold` and half of critical
// damping. A wheel locks when T is more than the road can turn back, and spins up when T_drive is
// more than the road can hold; both come out of the equations, no case is distinguished.
//
// States of wheel i are x[k n + i]: k = 0 spin (rad/s), k = 1 twist of the brake (rad), then the
// states of the tyre. As in tyre.h, x' = -rate x + drive with rate k = wheel_rate(). Nothing here
// knows the vehicle:
//
//     wheel_model w = {.tyre = tyre_for_spin(kind), .tyre_p = p, .radius = 0.3, .inertia = 1.2,
//                .hold = 500.0};
//     // at each stage of the integrator, for n wheels (n a multiple of 4):
//     const wheel_in in = {.fz = fz, .v_x = v_x, .v_y = v_y, .drive = t_drive, .brake = t_most};
//     const wheel_out out = {.fx = fx, .fy = fy, .brake = t_brake, .v_roll = v_roll};
//     wheel_eval_at[cpu](&w, n, &in, x, rate, &out);
//     // fx, fy go to the vehicle at the contact points; rate to the integrator.
//
// Power: the road takes -(fx (v_x - v_roll) + fy v_y), the brake T_brake w, the engine brings
// T_drive w; with the wheel's J w^2 / 2 these balance.
//
// Poles: the rate k |w| / T of a brake that slips is held below WHEEL_RATE_MAX (the torque is cut
// to T, so it does not change); a held wheel has hold; the tyre has its own. wheel_step_bound()
// takes all of them together. Limits: the spin is relative to the vehicle, and what it does to the
// vehicle's pitch (J w') is left out.
#pragma once

#include "parts/tyre.h"

enum { WHEEL_SPIN, WHEEL_TWIST, WHEEL_TYRE, WHEEL_STATE_MAX = WHEEL_TYRE + TYRE_STATE_MAX };

#define WHEEL_RATE_MAX 1000.0 // 1/s

typedef struct wheel_model {
    const tyre_kind *tyre; // one for wheels with spin: tyre_for_spin()
    const double *tyre_p;
    double radius;  // m, effective
    double inertia; // kg m^2
    double hold;    // rad/s, frequency of a wheel on its held brake
} wheel_model;

typedef struct wheel_in { // arrays of one entry per wheel, aligned to 32 bytes
    const double *fz;     // N, load
    const double *v_x;    // m/s, contact point of the vehicle along x
    const double *v_y;    // m/s, along y
    const double *mu;     // -, friction of the road; NULL: 1
    const double *drive;  // N m, torque of the engine
    const double *brake;  // N m, torque the brake can hold, >= 0
    const double *camber; // rad, as of tyres; NULL: 0
    const double *side;   // 1: left, -1: right; NULL: 1
} wheel_in;

typedef struct
    wheel_out {      // arrays of one entry per wheel, aligned to 32 bytes, owned by the caller
    double *fx, *fy; // N, of the road on the wheel
    double *brake;   // N m, of the brake on the wheel, against positive spin
    double *v_roll;  // m/s, spin times radius
    double *mz;      // N m, aligning moment of the tyre; NULL: not needed
} wheel_out;

static inline int wheel_state_count(const wheel_model *w)
{
    return WHEEL_TYRE + w->tyre->state_count;
}

double wheel_rate(const wheel_model *w, int k); // 1/s, decay of state k

typedef void wheel_eval(const wheel_model *w, int n, const wheel_in *in, const double *x,
                        double *drive, const wheel_out *out);
wheel_eval wheel_eval_plain, wheel_eval_avx2;
extern wheel_eval *const wheel_eval_at[CPU_LEVEL_COUNT];

// Largest pole of a wheel under load fz on a vehicle that is held fixed: at standstill with its
// brake on, and rolling at v; rad/s. From the eigenvalues of the equations as coded.
double wheel_stiffest(const wheel_model *w, double fz, double v);

// Longest step of a fourth-order Runge-Kutta method: 2.5 over the largest pole, s.
double wheel_step_bound(const wheel_model *w, double fz, double v);
