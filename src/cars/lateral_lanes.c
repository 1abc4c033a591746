// lateral_lanes.c - the single-track equations of one car, in all lanes.
#include "cars/lateral_lanes.h"

#include "cars/lateral.h"

void LANES_NAME(car_lateral_at)(car_lateral form, const lateral_point *at, double out[3])
{
    lateral_car c = {
        .u = lanes_set(at->u),
        .w = lanes_set(at->w),
        .r = lanes_set(at->r),
        .steer = lanes_set(at->steer),
        .steer_rate = lanes_set(at->steer_rate),
        .front = lanes_set(at->front),
        .rear = lanes_set(at->rear),
        .mass_inverse = lanes_set(1.0 / at->mass),
        .inertia_inverse = lanes_set(1.0 / at->inertia),
        .c_front = lanes_set(at->c_front),
        .c_rear = lanes_set(at->c_rear),
        .below = lanes_set(at->kinematic_below),
        .lean = lanes_set(at->a * at->cg_height / GRAVITY),
        .weight = lanes_set(at->friction * at->mass * GRAVITY),
    };
    lanes_sincos(c.steer, &c.sine, &c.cosine);
    const lanes zero = lanes_set(0.0);
    const bool linear = form != CAR_EXACT;
    const lateral_forces f =
        linear ? forces_linear(&c, form == CAR_SINGLE_TRACK) : forces_exact(&c);
    const lateral_rates o = lateral_rates_of(&c, &f, lanes_set(1.0), linear, false);
    lanes u, w, r;
    lateral_join(&c, &o, lanes_set(at->a), zero, zero, lanes_set(1.0), false, &u, &w, &r);
    out[0] = u[0], out[1] = w[0], out[2] = r[0];
}
