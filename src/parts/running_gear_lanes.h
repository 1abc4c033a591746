// running_gear_lanes.h - wheels, engine, drag and slope of four driven vehicles in lanes, to be
// included by a kernel. running_gear.h has the same for one vehicle, whose wheels fill the lanes;
// the two round differently, so a vehicle keeps to one of them.
//
// Wheels stand on the contact points: there the tyre forces act and there the slip is measured.
// With wheel spins w_q and the kinetic energy J w_q^2 / 2 the virtual power of a tyre force,
// f . (v - R w e_x), gives its part to the body and to the spin; so the ledger of energy closes.
// Gravity leans with the road: (-g sin, 0, -g cos) of the slope under the centre of mass on a
// straight road, on others what the kernel found by asking the road. Drag acts at the centre of
// mass, against the velocity.
//
// Wheel q stands on axle q / 2; its value in lane l is at [4 q + l]. axles: a constant of the
// kernel, so that loops over wheels unroll.
#pragma once

#include "num/lanes.h"
#include "parts/running_gear.h"
#include "road/road.h"

#include <stddef.h>

typedef struct gear_contact_lanes { // arrays of the wheels
    const double *fz, *v_x, *v_y;
    double *fx, *fy;
} gear_contact_lanes;

typedef struct gear_arrays_lanes {
    _Alignas(64) double v_roll[GEAR_WHEEL_MAX * LANES], drive[GEAR_WHEEL_MAX * LANES];
    _Alignas(64) double hold_max[GEAR_WHEEL_MAX * LANES], torque[GEAR_WHEEL_MAX * LANES];
    _Alignas(64) double side[GEAR_WHEEL_MAX * LANES];
} gear_arrays_lanes;

// Friction under the axles; place: their x, m.
static inline const double *gear_friction_lanes(const road *r, int axles, const lanes *place,
                                                double *mu)
{
    if (!r || (r->friction.count == 0 && r->friction.fallback == 1.0))
        return NULL;
    for (int q = 0; q < 2 * axles; q++)
        for (int l = 0; l < LANES; l++)
            mu[LANES * q + l] = road_friction(r, place[q / 2][l]);
    return mu;
}

// Force of the engine at the wheels, N; rates of its states, fuel.
static inline lanes gear_engine_lanes(const gear_constants *d, int axles, lanes throttle,
                                      const lanes *spin, const lanes *state, lanes *rate,
                                      lanes *fuel)
{
    lanes v = lanes_set(0.0), force = v, unused[3];
    *fuel = v;
    if (!d->engine)
        return force;
    for (int q = 0; q < 2 * axles; q++)
        v = lanes_fma(lanes_set(d->axle[q / 2].engine_share * d->radius), spin[q], v);
    const powertrain_in in = {.throttle = (const double *)&throttle, .v = (const double *)&v};
    const powertrain_out out = {.force = (double *)&force,
                                .fuel = (double *)fuel,
                                .input_power = (double *)&unused[0],
                                .rpm = (double *)&unused[1],
                                .region = (double *)&unused[2]};
    d->engine(d->engine_p, LANES, &in, (const double *)state, (double *)rate, &out);
    return force;
}

// Tyre forces, rates of the wheels and of the extra values, and what they cost. states: of a wheel;
// state: wheels, then extra values; command: of the brakes; mu: friction under the wheels, NULL: 1.
static inline void gear_turn_lanes(const gear_constants *d, int axles, int states, lanes throttle,
                                   lanes command, const lanes *state, const double *mu,
                                   const gear_contact_lanes *at, lanes *rate, lanes sum[SUM_MAX],
                                   lanes *turned)
{
    const int wheels = 2 * axles, extra = wheels * states;
    const lanes zero = lanes_set(0.0), *spin = state + wheels * WHEEL_SPIN;
    const lanes brake = lanes_max(state[extra + EXTRA_BRAKE], zero);
    gear_arrays_lanes w;
    lanes held[GEAR_WHEEL_MAX]; // N m, torque of the brake alone
    const lanes force = gear_engine_lanes(d, axles, throttle, spin, state + extra + EXTRA_ENGINE,
                                          rate + extra + EXTRA_ENGINE, &sum[SUM_FUEL]);
    for (int q = 0; q < wheels; q++) {
        lanes_store(w.side + LANES * q, lanes_set(gear_side[q]));
        const lanes load = lanes_max(lanes_load(at->fz + LANES * q), zero);
        held[q] = lanes_set(d->axle[q / 2].brake_torque) * brake;
        lanes_store(w.drive + LANES * q,
                    lanes_set(d->axle[q / 2].engine_share * d->radius) * force);
        lanes_store(w.hold_max + LANES * q,
                    lanes_fma(lanes_set(d->roll * d->radius), load, held[q]));
    }
    const wheel_in in = {.fz = at->fz,
                         .v_x = at->v_x,
                         .v_y = at->v_y,
                         .mu = mu,
                         .drive = w.drive,
                         .brake = w.hold_max,
                         .side = w.side};
    const wheel_out out = {.fx = at->fx, .fy = at->fy, .brake = w.torque, .v_roll = w.v_roll};
    d->eval(&d->wheel, wheels * LANES, &in, (const double *)state, (double *)rate, &out);
    rate[extra + EXTRA_BRAKE] = lanes_set(d->brake_rate) * command;

    // What the engine brings, what brake and rolling resistance take, what goes into the spin.
    lanes driven = zero, braked = zero, rolled = zero;
    *turned = zero;
    for (int q = 0; q < wheels; q++) {
        const lanes hold_max = lanes_load(w.hold_max + LANES * q);
        const lanes lost = lanes_load(w.torque + LANES * q) * spin[q];
        const lanes share = held[q] / lanes_max(hold_max, lanes_set(1e-9));
        driven = lanes_fma(lanes_load(w.drive + LANES * q), spin[q], driven);
        braked = lanes_fma(lost, share, braked);
        rolled = lanes_fma(lost, lanes_set(1.0) - share, rolled);
        *turned =
            lanes_fma(lanes_load(at->fx + LANES * q), lanes_load(w.v_roll + LANES * q), *turned);
    }
    sum[SUM_DRIVEN] = driven;
    sum[SUM_BRAKED] = braked;
    sum[SUM_DRAGGED] = rolled;
}

// Adds slope and drag to the acceleration (which has level gravity already) and to the sums. The
// impulse of the road gets what is not level gravity, so that momentum balances. pull: the unit
// vector of gravity where the kernel has asked the road for it; NULL: by the slope at x.
static inline void gear_body_lanes(const gear_constants *d, double m, double g, const lanes *pull,
                                   const lanes r[3], const lanes v[3], lanes acceleration[3],
                                   lanes sum[SUM_MAX])
{
    const lanes speed = lanes_sqrt(lanes_fma(v[0], v[0], v[1] * v[1]));
    const lanes drag = lanes_set(d->drag) * speed, mass = lanes_set(m);
    lanes other[3] = {-drag * v[0], -drag * v[1], lanes_set(0.0)}; // N
    lanes weight_x = lanes_set(0.0), weight_z = lanes_set(-m * g);
    sum[SUM_GRAVITY] = lanes_set(0.0);
    if (pull) {
        const lanes weight = lanes_set(m * g), weight_y = weight * pull[1];
        weight_x = weight * pull[0];
        weight_z = weight * pull[2];
        other[0] = other[0] + weight_x;
        other[1] = other[1] + weight_y;
        other[2] = weight_z + weight;
        sum[SUM_GRAVITY] = -(weight_y * v[1]);
    } else if (!road_is_level(d->road)) {
        for (int l = 0; l < LANES; l++) {
            const double slope = road_slope(d->road, r[0][l]);
            weight_x[l] = -m * g * sin(slope);
            weight_z[l] = -m * g * cos(slope);
        }
        other[0] = other[0] + weight_x;
        other[2] = weight_z + lanes_set(m * g);
    }
    for (int j = 0; j < 3; j++) {
        acceleration[j] = acceleration[j] + other[j] / mass;
        sum[SUM_IMPULSE + j] = sum[SUM_IMPULSE + j] + other[j];
    }
    sum[SUM_DRAGGED] = lanes_fma(drag, speed * speed, sum[SUM_DRAGGED]);
    sum[SUM_GRAVITY] = sum[SUM_GRAVITY] - lanes_fma(weight_x, v[0], weight_z * v[2]);
}
