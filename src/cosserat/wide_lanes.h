// wide_lanes.h - all numbers of a model and a step, each in every lane; part of kernel_lanes.c.
//
// So widened, instructions take them straight from memory.
#pragma once

#include "cosserat/kernel.h"
#include "num/lanes.h"

#include <math.h>

// Turns are taken in parts when spin w^2 h^3 is above SPIN_SHARE (found by trial: below it spinning
// costs no accuracy) and the spin above SPIN_LEAST, rad/s: who drives normally pays nothing.
#define SPIN_SHARE 5e-4
#define SPIN_LEAST 1.0

typedef struct wide_mode {
    lanes half_c, half_s, half_m, full_c, full_s, full_m;
    lanes second_x, second_v, third_1x, third_1v, third_2x, third_2v;
    lanes fourth_1x, fourth_1v, fourth_3x, fourth_3v;
    lanes first_x, first_v, middle_x, middle_v, last_x, last_v;
} wide_mode;
_Static_assert(sizeof(wide_mode) == LANES * sizeof(etd_mode), "the same fields in the same order");

typedef struct wide_decay {
    lanes half, full, second, third_1, third_2, fourth_1, fourth_3, first, middle, last;
} wide_decay;
_Static_assert(sizeof(wide_decay) == LANES * sizeof(etd_decay),
               "the same fields in the same order");

typedef struct wide {
    lanes mass_inverse, gravity, my[3], my_inverse[3], my_inverse_minus[3], pair_inverse[3];
    lanes volume_lambda, volume_mu, lambda_share; // N m; the last is lambda / (2 mu)
    lanes axle_x[2], axle_z[2], contact_z[2], half_b, spring_ref, spring[2], damper[2];
    lanes push_least, stretch_most; // N, m: 0 when wheels can leave the road, else no limit
    lanes stretch[9], stretch_my[9];
    // Of the step.
    lanes h, h_half, h_third, h_sixth; // s
    lanes spin_square_most;            // (rad/s)^2, faster turns are taken in smaller steps
    lanes hh_sixth, hh_third, hh_8, hh_12, hh_24; // h^2 over 6, 3, 8, 12, 24
    wide_mode mode[ELASTIC_MODES];
    wide_decay tyre[DECAY_MAX];
    const kernel_arguments *a;
} wide;

static void widen_array(const double *from, int count, lanes *to)
{
    for (int k = 0; k < count; k++)
        to[k] = lanes_set(from[k]);
}

static void widen_step(wide *w, const etd_coefficients *coefficients, double h)
{
    w->h = lanes_set(h);
    w->h_half = lanes_set(h / 2.0);
    w->h_third = lanes_set(h / 3.0);
    w->h_sixth = lanes_set(h / 6.0);
    w->hh_third = lanes_set(h * h / 3.0);
    w->hh_sixth = lanes_set(h * h / 6.0);
    w->hh_8 = lanes_set(h * h / 8.0);
    w->hh_12 = lanes_set(h * h / 12.0);
    w->hh_24 = lanes_set(h * h / 24.0);
    const double omega = w->a->constants->omega_most;
    const double spin_most = fmax(SPIN_SHARE / (omega * omega * h * h * h), SPIN_LEAST);
    w->spin_square_most = lanes_set(spin_most * spin_most);
    if (!coefficients)
        return; // the published scheme
    widen_array((const double *)coefficients->mode,
                ELASTIC_MODES * sizeof(etd_mode) / sizeof(double), (lanes *)w->mode);
    widen_array((const double *)coefficients->tyre,
                (w->a->tyre_states + w->a->extra_states) *
                    (int)(sizeof(etd_decay) / sizeof(double)),
                (lanes *)w->tyre);
}

static void widen(const kernel_arguments *a, wide *w)
{
    const cosserat_constants *c = a->constants;
    w->a = a;
    w->mass_inverse = lanes_set(c->mass_inverse);
    w->gravity = lanes_set(c->gravity);
    w->volume_lambda = lanes_set(c->volume_lambda);
    w->lambda_share = lanes_set(c->volume_lambda / c->volume_two_mu);
    w->volume_mu = lanes_set(0.5 * c->volume_two_mu);
    w->half_b = lanes_set(c->half_b);
    w->spring_ref = lanes_set(c->spring_ref);
    w->push_least = lanes_set(c->lift_off > 0.0 ? 0.0 : -HUGE_VAL);
    w->stretch_most = lanes_set(c->lift_off > 0.0 ? 0.0 : HUGE_VAL);
    widen_array(c->stretch, 9, w->stretch);
    widen_array(c->stretch_my, 9, w->stretch_my);
    widen_array(c->my, 3, w->my);
    widen_array(c->my_inverse, 3, w->my_inverse);
    widen_array(c->pair_inverse, 3, w->pair_inverse);
    widen_array(c->axle_x, 2, w->axle_x);
    widen_array(c->spring, 2, w->spring);
    widen_array(c->damper, 2, w->damper);
    for (int k = 0; k < 3; k++)
        w->my_inverse_minus[k] = lanes_set(-c->my_inverse[k]);
    for (int k = 0; k < 2; k++) {
        w->axle_z[k] = lanes_set(-c->axle_h[k]);
        w->contact_z[k] = lanes_set(-c->contact_h[k]);
    }
    widen_step(w, a->coefficients, a->h);
}

// Where the state of a plastic chassis stands in a block, and how many values a block has.
static inline int plastic_place(const kernel_arguments *a)
{
    return VALUE_TYRE + kernel_decaying(a) + a->sum_count;
}

static inline int value_count(const kernel_arguments *a)
{
    return plastic_place(a) + (a->plastic ? PLASTIC_COUNT : 0);
}
