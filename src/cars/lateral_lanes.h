// lateral_lanes.h - single-track lateral dynamics of four cars; part of step_lanes.c.
//
// Body axes: u along the heading, w to the left, r the yaw rate, V the speed, b = atan(w/u) the
// side slip; d the steering angle, lf and lr the distances of the axles, L = lf + lr.
//
// Exact: side forces in proportion to the slip angle of each axle, turned with the wheels.
//
//     Ff = -Cf atan(vf_y / |vf_x|),  vf: velocity of the front axle in the axes of its wheels
//     Fr = -Cr atan((w - lr r) / |u|)
//     u' = a - Ff sin(d)/M + w r,  w' = (Ff cos(d) + Fr)/M - u r,  I r' = lf Ff cos(d) - lr Fr
//
// Linear, eq 1 of the DYNAVIS report, with V^ = max(V, 4) (printed), and the single-track model of
// CommonRoad, with V^ = V and stiffness in proportion to the axle loads, which lean with a:
//
//     Ff = Cf (d - b - lf r/V^),  Fr = Cr (lr r/V^ - b),  V' = a
//     b' = (Ff + Fr)/(M V^) - r,  I r' = lf Ff - lr Fr
//     single track: Cf = c_f mu M (g lr - a h)/L,  Cr = c_r mu M (g lf + a h)/L
//
// Backwards the slip angles count from the direction of travel, so that tyres hold against it.
//
// Kinematic, below a speed k: wheels roll without side slip, r = u tan(d)/L, w = lr r. What is left
// of a slide dies out with SLIDE_TIME. Between k and 2 k the rates of both are blended by a
// polynomial with two continuous derivatives: the state is one, and steps keep their order.
#pragma once

#include "cars/batch.h"
#include "num/lanes.h"

typedef struct lateral_car { // of four cars
    lanes u, w, r;           // m/s, m/s, rad/s
    lanes steer, steer_rate; // rad, rad/s
    lanes sine, cosine;      // of the steering angle
    lanes front, rear;       // m
    lanes mass_inverse, inertia_inverse;
    lanes c_front, c_rear; // N/rad, of an axle; single track: 1/rad
    lanes below;           // m/s, k
    lanes lean;            // single track: a h/g, m
    lanes weight;          // single track: mu M g, N
} lateral_car;

typedef struct lateral_forces {
    lanes front, rear;  // N, to the left of the wheels
    lanes sine, cosine; // of the steering angle; linear: 0 and 1
    lanes speed;        // m/s, V, with the sign of u
    lanes hat;          // m/s, V^ with the sign of u
} lateral_forces;

typedef struct lateral_rates {
    lanes along_u, along_w; // parts of a along the axes
    lanes u, w, r;          // rates without a
    lanes s;                // 1: dynamic, 0: kinematic
    lanes tangent;          // tan(d)/L, 1/m
    lanes guide_w, guide_r; // kinematic rates of w and r, without u'
} lateral_rates;

static inline lanes lateral_sign(lanes u)
{
    return lanes_select((lanes_mask)(u < lanes_set(0.0)), lanes_set(-1.0), lanes_set(1.0));
}

// -C atan(across/|along|); along at least `below`.
static inline lanes slip_force(lanes c, lanes along, lanes across, lanes below)
{
    return -c * lanes_atan(across / lanes_max(lanes_abs(along), below));
}

static inline lateral_forces forces_exact(const lateral_car *c)
{
    lateral_forces f = {.sine = c->sine, .cosine = c->cosine};
    const lanes across = lanes_fma(c->front, c->r, c->w);
    f.front = slip_force(c->c_front, lanes_fma(c->u, f.cosine, across * f.sine),
                         lanes_fma(across, f.cosine, -(c->u * f.sine)), c->below);
    f.rear = slip_force(c->c_rear, c->u, lanes_fma(-c->rear, c->r, c->w), c->below);
    f.speed = lateral_sign(c->u) * lanes_sqrt(lanes_fma(c->u, c->u, c->w * c->w));
    f.hat = f.speed;
    return f;
}

static inline lateral_forces forces_linear(const lateral_car *c, const bool single)
{
    const lanes sign = lateral_sign(c->u), tiny = lanes_set(1e-9);
    const lanes size = lanes_sqrt(lanes_fma(c->u, c->u, c->w * c->w));
    const lanes slip = lanes_atan(c->w / (sign * lanes_max(lanes_abs(c->u), tiny)));
    lateral_forces f = {.sine = lanes_set(0.0), .cosine = lanes_set(1.0), .speed = sign * size};
    const lanes hat = lanes_max(size, single ? tiny : lanes_set(TURN_SPEED_MIN));
    lanes c_front = c->c_front, c_rear = c->c_rear;
    if (single) {
        const lanes share = c->weight / (c->front + c->rear);
        c_front = c_front * share * (c->rear - c->lean);
        c_rear = c_rear * share * (c->front + c->lean);
    }
    f.hat = sign * hat;
    f.front = c_front * (sign * (c->steer - slip) - c->front * c->r / hat);
    f.rear = c_rear * (c->rear * c->r / hat - sign * slip);
    return f;
}

// 6 t^5 - 15 t^4 + 10 t^3 from k to 2 k.
static inline lanes lateral_blend(lanes speed, lanes below)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const lanes t = lanes_max(lanes_min((lanes_abs(speed) - below) / below, one), zero);
    const lanes bend =
        lanes_fma(lanes_fma(lanes_set(6.0), t, lanes_set(-15.0)), t, lanes_set(10.0));
    return lanes_min(t * t * t * bend, one);
}

// scale: of the side forces, by grip. swift: all are faster than 2 k, nothing is kinematic.
static inline lateral_rates lateral_rates_of(const lateral_car *c, const lateral_forces *f,
                                             lanes scale, const bool linear, const bool swift)
{
    const lanes one = lanes_set(1.0), guided = lanes_set(1.0 / SLIDE_TIME);
    const lanes front = scale * f->front, rear = scale * f->rear;
    lateral_rates o = {.along_u = one, .along_w = lanes_set(0.0), .s = one};
    if (linear) {
        const lanes size = lateral_sign(c->u) * lanes_max(lanes_abs(f->speed), lanes_set(1e-9));
        const lanes turn = lanes_fma(front + rear, c->mass_inverse / f->hat, -c->r); // b'
        o.along_u = c->u / size;
        o.along_w = c->w / size;
        o.u = -c->w * turn;
        o.w = c->u * turn;
        o.r = lanes_fma(c->front, front, -(c->rear * rear)) * c->inertia_inverse;
    } else {
        const lanes side = front * f->cosine;
        o.u = lanes_fma(c->w, c->r, -(front * f->sine * c->mass_inverse));
        o.w = lanes_fma(side + rear, c->mass_inverse, -(c->u * c->r));
        o.r = lanes_fma(c->front, side, -(c->rear * rear)) * c->inertia_inverse;
    }
    if (swift)
        return o;
    o.s = lateral_blend(f->speed, c->below);
    const lanes length = c->front + c->rear, tangent = c->sine / c->cosine;
    o.tangent = tangent / length;
    const lanes turned = c->u * c->steer_rate * lanes_fma(tangent, tangent, one) / length;
    const lanes r = c->u * o.tangent;
    o.guide_r = lanes_fma(guided, r - c->r, turned);
    o.guide_w = lanes_fma(guided, lanes_fma(c->rear, r, -c->w), c->rear * turned);
    return o;
}

// Rates of u, w and r under a, m/s^2, and the part of gravity in the plane. moving: 0 where the
// brake holds u, else 1.
static inline void lateral_join(const lateral_car *c, const lateral_rates *o, lanes a, lanes g_u,
                                lanes g_w, lanes moving, const bool swift, lanes *u, lanes *w,
                                lanes *r)
{
    const lanes one = lanes_set(1.0), left = one - o->s;
    if (swift) {
        *u = moving * (lanes_fma(a, o->along_u, o->u) + g_u);
        *w = lanes_fma(a, o->along_w, o->w) + g_w;
        *r = o->r;
        return;
    }
    *u = moving * (lanes_fma(o->s, lanes_fma(a, o->along_u, o->u), left * a) + g_u);
    const lanes roll = *u * o->tangent; // r' of the rolling wheels by u'
    *w = lanes_fma(o->s, lanes_fma(a, o->along_w, o->w) + g_w,
                   left * lanes_fma(c->rear, roll, o->guide_w));
    *r = lanes_fma(o->s, o->r, left * (roll + o->guide_r));
}
