// road_lanes.h - the vehicle on its wheels: springs, tyres' places, forces; part of kernel_lanes.c.
#pragma once

#include "cosserat/wide_lanes.h"
#include "road/road.h"

// Where a stage looks: position and directors as seen from the frame, and their velocities.
typedef struct stage {
    lanes r[3], v[3];
    lanes e[9], u[9]; // e[3 a + i]: component a of director i, minus identity; u its velocity
    lanes g[HIGHER_SIZE], g_u[HIGHER_SIZE]; // directors 4 to 7, if there are any
} stage;

// What a stage finds there.
typedef struct drive {
    lanes r[3]; // acceleration
    lanes e[9]; // director acceleration, without the linear elastic part
    lanes g[HIGHER_SIZE];
} drive;

typedef struct stage_rates {
    lanes tyre[DECAYING_MAX]; // drive of the states of tyres or wheels, and of the extra values
    lanes sum[SUM_MAX];       // rates of the sums
    lanes_mask grounded;      // bit q: wheel q stands on the road
} stage_rates;

typedef struct wheel_values { // arrays passed to the tyre law: four lanes per wheel
    _Alignas(64) double fz[WHEELS * LANES], v_x[WHEELS * LANES], v_y[WHEELS * LANES];
    _Alignas(64) double fx[WHEELS * LANES], fy[WHEELS * LANES];
} wheel_values;

// ---- a road that must be asked place by place ----
//
// Under the mass centre it says how gravity leans; under each wheel, below its hub, friction and
// the surface that the wheel stands on: its height z_q over the plane of the road, and its slope
// (a, b). The spring of the wheel is then stretched by z_q less, at the rate v_z - a v_x - b v_y of
// its hub. The wheel has no mass, so the road pushes it along the normal (-a, -b, 1) such that its
// upright part is that of the spring, through the hub: the part along the plane goes to the
// chassis, and the power of all is force times rate of the stretch. What tyres push along the road
// is taken along the plane: an error of second order in the slope.

typedef struct road_asked {
    lanes pull[3];                          // unit vector of gravity
    _Alignas(64) double mu[WHEELS * LANES]; // friction
    lanes bump[WHEELS], slope[WHEELS][2];   // m, -
} road_asked;

// f: directors in world components, f[3 j + i] component j of director i, j < 2.
static __attribute__((noinline)) void ask_road(const wide *c, const lanes r[3], const lanes f[6],
                                               const lanes input[INPUT_COUNT], road_asked *out)
{
    lanes at[WHEELS][2];
    for (int q = 0; q < WHEELS; q++)
        for (int j = 0; j < 2; j++) {
            const lanes middle = lanes_fma(c->axle_x[q / 2], f[3 * j],
                                           lanes_fma(c->axle_z[q / 2], f[3 * j + 2], r[j]));
            const lanes side = c->half_b * f[3 * j + 1];
            at[q][j] = q % 2 ? middle - side : middle + side;
        }
    for (int l = 0; l < LANES; l++) {
        const double path = input[INPUT_PATH][l];
        mc_road_point p;
        road_under(c->a->road, path, r[0][l], r[1][l], input[INPUT_STATION][l], &p);
        const double station = p.station;
        for (int j = 0; j < 3; j++)
            out->pull[j][l] = p.gravity[j];
        const double yaw = atan2(f[3][l], f[0][l]);
        const double steer = atan2(input[INPUT_SIN][l], input[INPUT_COS][l]);
        for (int q = 0; q < WHEELS; q++) {
            road_under(c->a->road, path, at[q][0][l], at[q][1][l], station, &p);
            mc_road_stand(c->a->road, q < 2 ? yaw + steer : yaw, cosserat_radius(c->a->drive), 0.0,
                          &p);
            out->mu[LANES * q + l] = p.friction;
            out->bump[q][l] = p.bump;
            out->slope[q][0][l] = p.bump_x;
            out->slope[q][1][l] = p.bump_y;
        }
    }
}

// Stretch and its rate on the surface; v: of the hub.
static inline void stand_on(const road_asked *asked, int q, const lanes v[2], lanes *stretch,
                            lanes *rate)
{
    *stretch = *stretch - asked->bump[q];
    *rate = *rate - lanes_fma(asked->slope[q][0], v[0], asked->slope[q][1] * v[1]);
}

// What slopes under the wheels add to the force and the director forces.
static inline void slope_forces(const wide *c, const wheel_values *wheel, const road_asked *asked,
                                lanes force[3], lanes director[9])
{
    for (int q = 0; q < WHEELS; q++) {
        const lanes fz = lanes_load(wheel->fz + LANES * q), x = c->axle_x[q / 2];
        const lanes b = q % 2 ? -c->half_b : c->half_b, h = c->axle_z[q / 2];
        for (int j = 0; j < 2; j++) {
            const lanes push = -fz * asked->slope[q][j];
            force[j] = force[j] + push;
            director[3 * j] = lanes_fma(x, push, director[3 * j]);
            director[3 * j + 1] = lanes_fma(b, push, director[3 * j + 1]);
            director[3 * j + 2] = lanes_fma(h, push, director[3 * j + 2]);
        }
    }
}

// ---- springs ----

// Stretch of the springs of an axle, in the middle of it.
static inline lanes axle_stretch(const wide *c, const stage *s, const lanes f_row3[3], int axle)
{
    return lanes_fma(c->axle_x[axle], f_row3[0], lanes_fma(c->axle_z[axle], f_row3[2], s->r[2])) -
           c->spring_ref;
}

// Height and velocity of the assembly points, suspension force, wheel axes (1.11, 1.14 to 1.19).
// velocity[3 q + j], heading[2 axle + j]: world components; horizontal ones of the contact point.
// damped: rate of the dampers' work. shift: of higher_shift(), or NULL. asked: the road, or NULL;
// rate: of the stretches, then.
static inline void wheel_kinematics(const wide *c, const stage *s, const lanes f_row3[3],
                                    const lanes w[9], const lanes d1[2],
                                    const lanes input[INPUT_COUNT], const lanes *shift,
                                    const road_asked *asked, lanes rate[WHEELS],
                                    wheel_values *wheel, lanes velocity[3 * WHEELS],
                                    lanes heading[4], lanes *damped, lanes_mask *grounded)
{
    const lanes zero = lanes_set(0.0), b = c->half_b;
    const lanes norm = lanes_set(1.0) / lanes_sqrt(lanes_fma(d1[0], d1[0], d1[1] * d1[1]));
    heading[2] = d1[0] * norm, heading[3] = d1[1] * norm;
    heading[0] = input[INPUT_COS] * heading[2] - input[INPUT_SIN] * heading[3];
    heading[1] = input[INPUT_COS] * heading[3] + input[INPUT_SIN] * heading[2];
    *damped = zero;
    *grounded = (lanes_mask){0};
    for (int axle = 0; axle < 2; axle++) {
        const lanes x = c->axle_x[axle], h = c->axle_z[axle], contact = c->contact_z[axle];
        const lanes spring = c->spring[axle], damper = c->damper[axle];
        const lanes z_mid = axle_stretch(c, s, f_row3, axle);
        const lanes z_side = b * f_row3[1];
        lanes v_mid[3], v_side[3];
        for (int j = 0; j < 3; j++) {
            v_mid[j] =
                lanes_fma(x, w[3 * j], lanes_fma(j < 2 ? contact : h, w[3 * j + 2], s->v[j]));
            v_side[j] = b * w[3 * j + 1];
        }
        for (int side = 0; side < 2; side++) { // left, right
            const int q = 2 * axle + side;
            lanes z = side ? z_mid - z_side : z_mid + z_side;
            lanes *v = velocity + 3 * q;
            for (int j = 0; j < 3; j++)
                v[j] = side ? v_mid[j] - v_side[j] : v_mid[j] + v_side[j];
            lanes hub[2];
            for (int j = 0; j < 2; j++)
                hub[j] = lanes_fma(h - contact, w[3 * j + 2], v[j]);
            if (shift) {
                z = z + shift[4 * q];
                for (int j = 0; j < 3; j++)
                    v[j] = v[j] + shift[4 * q + 1 + j];
            }
            const lanes hx = heading[2 * axle], hy = heading[2 * axle + 1];
            rate[q] = v[2];
            if (asked)
                stand_on(asked, q, hub, &z, &rate[q]);
            lanes lost;
            const lanes fz = suspension_four(&c->suspension, spring, damper, z, rate[q], &lost);
            *damped = *damped + lost;
            *grounded |= (lanes_mask)(fz > zero) & (long long)(1ULL << q);
            lanes_store(wheel->fz + LANES * q, fz);
            lanes_store(wheel->v_x + LANES * q, lanes_fma(hx, v[0], hy * v[1]));
            lanes_store(wheel->v_y + LANES * q, hx * v[1] - hy * v[0]);
        }
    }
}

typedef struct spring_values { // arrays handed to a suspension law: four lanes per wheel
    lanes stretch[WHEELS], rate[WHEELS], stiffness[WHEELS], damping[WHEELS], force[WHEELS];
    lanes lost[WHEELS];
} spring_values;

static __attribute__((noinline)) void ask_suspension(const kernel_arguments *a, spring_values *at)
{
    const suspension_in in = {(const double *)at->stretch, (const double *)at->rate,
                              (const double *)at->stiffness, (const double *)at->damping};
    a->suspension(a->suspension_p, WHEELS * LANES, &in,
                  &(suspension_out){(double *)at->force, (double *)at->lost});
}

// A suspension that is not built in takes the place of the one that is.
static inline void other_springs(const wide *c, const stage *s, const lanes f_row3[3],
                                 const lanes rate[WHEELS], const lanes *shift,
                                 const road_asked *asked, wheel_values *wheel, lanes *damped,
                                 lanes_mask *grounded)
{
    spring_values at;
    for (int q = 0; q < WHEELS; q++) {
        const lanes middle = axle_stretch(c, s, f_row3, q / 2), side = c->half_b * f_row3[1];
        at.stretch[q] = q % 2 ? middle - side : middle + side;
        if (shift)
            at.stretch[q] = at.stretch[q] + shift[4 * q];
        if (asked)
            at.stretch[q] = at.stretch[q] - asked->bump[q];
        at.rate[q] = rate[q];
        at.stiffness[q] = c->spring[q / 2];
        at.damping[q] = c->damper[q / 2];
    }
    ask_suspension(c->a, &at);
    *damped = lanes_set(0.0);
    *grounded = (lanes_mask){0};
    for (int q = 0; q < WHEELS; q++) {
        *damped = *damped + at.lost[q];
        *grounded |= (lanes_mask)(at.force[q] > lanes_set(0.0)) & (long long)(1ULL << q);
        lanes_store(wheel->fz + LANES * q, at.force[q]);
    }
}

// Force and director forces l^i = sum X_q^i f_q, world components (1.10, 1.16); director[3 j + i]:
// component j of l^i. f: of each wheel. slipped: takes the rate of the work that the road takes at
// the contacts.
static inline void road_forces(const wide *c, const wheel_values *wheel,
                               const lanes velocity[3 * WHEELS], const lanes heading[4],
                               lanes f[WHEELS][3], lanes force[3], lanes director[9],
                               lanes *slipped)
{
    for (int axle = 0; axle < 2; axle++) {
        for (int side = 0; side < 2; side++) {
            const int q = 2 * axle + side;
            const lanes fx = lanes_load(wheel->fx + LANES * q),
                        fy = lanes_load(wheel->fy + LANES * q);
            const lanes hx = heading[2 * axle], hy = heading[2 * axle + 1];
            f[q][0] = fx * hx - fy * hy;
            f[q][1] = lanes_fma(fx, hy, fy * hx);
            f[q][2] = lanes_load(wheel->fz + LANES * q);
            *slipped =
                *slipped - lanes_fma(f[q][0], velocity[3 * q], f[q][1] * velocity[3 * q + 1]);
        }
        const lanes x = c->axle_x[axle], b = c->half_b;
        for (int j = 0; j < 3; j++) {
            const lanes h = j < 2 ? c->contact_z[axle] : c->axle_z[axle];
            const lanes left = f[2 * axle][j], right = f[2 * axle + 1][j];
            const lanes sum = left + right, difference = left - right;
            force[j] = axle ? force[j] + sum : sum;
            director[3 * j] = axle ? lanes_fma(x, sum, director[3 * j]) : x * sum;
            director[3 * j + 1] =
                axle ? lanes_fma(b, difference, director[3 * j + 1]) : b * difference;
            director[3 * j + 2] = axle ? lanes_fma(h, sum, director[3 * j + 2]) : h * sum;
        }
    }
}
