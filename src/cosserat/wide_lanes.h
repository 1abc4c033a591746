// wide_lanes.h - all numbers of a model and a step, each in every lane; part of kernel_lanes.c.
//
// So widened, instructions take them straight from memory.
#pragma once

#include "cosserat/kernel.h"
#include "num/lanes.h"
#include "parts/suspension_built_in.h"

#include <math.h>

// Turns are taken in parts when spin w^2 h^3 is above SPIN_SHARE (found by trial: below it spinning
// costs no accuracy) and the spin above SPIN_MIN, rad/s: who drives normally pays nothing.
#define SPIN_SHARE 5e-4
#define SPIN_MIN 1.0

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

typedef struct wide_higher { // of a chassis with seven directors only
    lanes moment[3], my_inverse[HIGHER_DIRECTORS];
    lanes mode[HIGHER_GROUPS][9], mode_my[HIGHER_GROUPS][9];
    lanes spring[WHEELS][HIGHER_DIRECTORS], contact[WHEELS][HIGHER_DIRECTORS];
} wide_higher;

typedef struct wide {
    lanes mass_inverse, gravity, my[3], my_inverse[3], my_inverse_minus[3], pair_inverse[3];
    lanes volume_lambda, volume_mu, lambda_share; // N m; the last is lambda / (2 mu)
    lanes axle_x[2], axle_z[2], contact_z[2], half_b, spring_ref, spring[2], damper[2];
    suspension_wide suspension;
    lanes stretch[9], stretch_my[9];
    // Of the step.
    lanes h, h_half, h_third, h_sixth; // s
    lanes max_spin_square;             // (rad/s)^2, faster turns are taken in smaller steps
    lanes hh_sixth, hh_third, hh_8, hh_12, hh_24; // h^2 over 6, 3, 8, 12, 24
    wide_mode mode[MODE_MAX - FREE_MODES];
    wide_decay tyre[DECAY_MAX];
    const kernel_arguments *a;
    int mode_count;
    wide_higher higher;
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
    const double omega = w->a->constants->max_omega;
    const double max_spin = fmax(SPIN_SHARE / (omega * omega * h * h * h), SPIN_MIN);
    w->max_spin_square = lanes_set(max_spin * max_spin);
    if (!coefficients)
        return; // the published scheme
    widen_array((const double *)coefficients->mode,
                (w->mode_count - FREE_MODES) * (int)(sizeof(etd_mode) / sizeof(double)),
                (lanes *)w->mode);
    widen_array((const double *)coefficients->tyre,
                (w->a->tyre_states + w->a->extra_states) *
                    (int)(sizeof(etd_decay) / sizeof(double)),
                (lanes *)w->tyre);
}

static void widen_higher(const cosserat_constants *c, wide_higher *w)
{
    widen_array(c->higher.moment, 3, w->moment);
    widen_array(c->higher.my_inverse, HIGHER_DIRECTORS, w->my_inverse);
    widen_array(c->higher.mode[0], 9 * HIGHER_GROUPS, w->mode[0]);
    widen_array(c->higher.mode_my[0], 9 * HIGHER_GROUPS, w->mode_my[0]);
    widen_array(c->spring_shape[0], WHEELS * HIGHER_DIRECTORS, w->spring[0]);
    widen_array(c->contact_shape[0], WHEELS * HIGHER_DIRECTORS, w->contact[0]);
}

static void widen(const kernel_arguments *a, wide *w)
{
    const cosserat_constants *c = a->constants;
    w->a = a;
    w->mode_count = c->mode_count;
    if (c->seven)
        widen_higher(c, &w->higher);
    w->mass_inverse = lanes_set(c->mass_inverse);
    w->gravity = lanes_set(c->gravity);
    w->volume_lambda = lanes_set(c->volume_lambda);
    w->lambda_share = lanes_set(c->volume_lambda / c->volume_two_mu);
    w->volume_mu = lanes_set(0.5 * c->volume_two_mu);
    w->half_b = lanes_set(c->half_b);
    w->spring_ref = lanes_set(c->spring_ref);
    w->suspension = suspension_widen(c->lifts_off);
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

// Where the state of a plastic chassis or of directors 4 to 7 stands in a block, and how many
// values a block has.
static inline int tail_place(const kernel_arguments *a)
{
    return VALUE_TYRE + kernel_decaying(a) + a->sum_count;
}

static inline int value_count(const kernel_arguments *a)
{
    const int tail = a->constants->seven ? HIGHER_VALUES : 0;
    return tail_place(a) + (a->plastic ? PLASTIC_COUNT : tail);
}
