// constants.c - modes of the free chassis and the coefficients of one exponential step.
#include "cosserat/kernel.h"
#include "num/dense.h"
#include "num/phi.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

// Stretches: my_i e_i'' = -V (lambda (e_1 + e_2 + e_3) + 2 mu e_i). With y_i = sqrt(my_i) e_i the
// problem is symmetric; its eigenvectors over sqrt(my_i) are the modes.
static void stretch_modes(cosserat_constants *c)
{
    double a[9], square[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[3 * j + i] =
                (c->volume_lambda + (i == j ? c->volume_two_mu : 0.0)) / sqrt(c->my[i] * c->my[j]);
    const bool found = dense_symmetric_eigen(3, a, square);
    mc_assert(found);
    for (int k = 0; k < 3; k++) {
        c->omega[9 + k] = sqrt(square[k]);
        for (int i = 0; i < 3; i++)
            c->stretch[3 * i + k] = a[3 * k + i] / sqrt(c->my[i]);
        for (int i = 0; i < 3; i++)
            c->stretch_my[3 * i + k] = c->my[i] * c->stretch[3 * i + k];
    }
}

// The body is that of the mass at the start: a load taken up later does not change its shape.
static void seven_directors(const cosserat_model *model, cosserat_constants *c)
{
    const double nominal = model->gear.nominal_mass;
    c->seven = true;
    c->mode_count = MODE_MAX;
    higher_constants_of(nominal > 0.0 ? nominal : c->mass, c->my, c->volume_lambda,
                        c->volume_two_mu, model->higher_p[HIGHER_HELD] > 0.0, &c->higher);
    memcpy(c->omega + MODE_COUNT, c->higher.omega, sizeof c->higher.omega);
    for (int q = 0; q < WHEELS; q++) {
        const double side = q % 2 ? -c->half_b : c->half_b;
        const double spring[3] = {c->axle_x[q / 2], side, -c->axle_h[q / 2]};
        const double contact[3] = {c->axle_x[q / 2], side, -c->contact_h[q / 2]};
        higher_shape(c->higher.moment, spring, c->spring_shape[q]);
        higher_shape(c->higher.moment, contact, c->contact_shape[q]);
    }
}

void cosserat_constants_of(const cosserat_model *model, cosserat_constants *out)
{
    const double *p = model->p;
    double lambda, mu;
    cosserat_lame(model, &lambda, &mu);
    *out = (cosserat_constants){
        .mass = p[COSSERAT_MASS],
        .gravity = model->gravity,
        .volume_lambda = p[COSSERAT_VOLUME] * lambda,
        .volume_two_mu = p[COSSERAT_VOLUME] * 2.0 * mu,
        .axle_x = {p[COSSERAT_L1], -p[COSSERAT_L2]},
        .axle_h = {p[COSSERAT_H1], p[COSSERAT_H2]},
        .half_b = 0.5 * p[COSSERAT_B],
        .spring_ref = p[COSSERAT_SPRING_REF],
        .spring = {p[COSSERAT_C1], p[COSSERAT_C2]},
        .damper = {p[COSSERAT_D1], p[COSSERAT_D2]},
        .lifts_off = model->suspension->lifts_off(model->suspension_p),
    };
    for (int axle = 0; axle < 2; axle++)
        out->contact_h[axle] =
            out->axle_h[axle] + (model->gear.driven ? model->gear.drive[DRIVE_RADIUS] : 0.0);
    cosserat_director_inertia(model, out->my);
    out->mass_inverse = 1.0 / out->mass;
    for (int k = 0; k < 3; k++) { // shear between directors i and j
        const double my_i = out->my[(k + 1) % 3], my_j = out->my[(k + 2) % 3];
        out->my_inverse[k] = 1.0 / out->my[k];
        out->pair_inverse[k] = 1.0 / (my_i + my_j);
        out->omega[6 + k] = sqrt(0.5 * out->volume_two_mu * (1.0 / my_i + 1.0 / my_j));
    }
    stretch_modes(out);
    out->mode_count = MODE_COUNT;
    if (model->seven)
        seven_directors(model, out);
    for (int k = 0; k < out->mode_count; k++)
        out->max_omega = fmax(out->max_omega, out->omega[k]);
}

// y' = L y + n(t) with L = [0 1; -w^2 0], drives in the second row only. With phi_k of hL and
// half_k of hL/2, Krogstad's stages and step are
//     y_2 = e^(hL/2) y + h/2 half_1 n_1
//     y_3 = e^(hL/2) y + h/2 half_1 n_1 + h half_2 (n_2 - n_1)
//     y_4 = e^(hL) y + h phi_1 n_1 + 2 h phi_2 (n_3 - n_1)
//     y(h) = e^(hL) y + h [(phi_1 - 3 phi_2 + 4 phi_3) n_1
//                          + 2 (phi_2 - 2 phi_3) (n_2 + n_3) + (4 phi_3 - phi_2) n_4]
// and column two of phi_k(hL) is (h c_(k+1), c_k).
static void mode_coefficients(double omega, double h, etd_mode *m)
{
    double half[PHI_COUNT], full[PHI_COUNT];
    stumpff(0.5 * omega * h, half);
    stumpff(omega * h, full);
    m->half_c = half[0];
    m->half_s = 0.5 * h * half[1];
    m->half_m = -omega * omega * m->half_s;
    m->full_c = full[0];
    m->full_s = h * full[1];
    m->full_m = -omega * omega * m->full_s;
    m->second_x = 0.25 * h * h * half[2];
    m->second_v = 0.5 * h * half[1];
    m->third_2x = 0.5 * h * h * half[3];
    m->third_2v = h * half[2];
    m->third_1x = m->second_x - m->third_2x;
    m->third_1v = m->second_v - m->third_2v;
    m->fourth_3x = 2.0 * h * h * full[3];
    m->fourth_3v = 2.0 * h * full[2];
    m->fourth_1x = h * h * full[2] - m->fourth_3x;
    m->fourth_1v = h * full[1] - m->fourth_3v;
    m->first_x = h * h * (full[2] - 3.0 * full[3] + 4.0 * full[4]);
    m->first_v = h * (full[1] - 3.0 * full[2] + 4.0 * full[3]);
    m->middle_x = h * h * 2.0 * (full[3] - 2.0 * full[4]);
    m->middle_v = h * 2.0 * (full[2] - 2.0 * full[3]);
    m->last_x = h * h * (4.0 * full[4] - full[3]);
    m->last_v = h * (4.0 * full[3] - full[2]);
}

void etd_coefficients_of(const cosserat_constants *constants, const double *rate, int decay_count,
                         double h, etd_coefficients *out)
{
    out->h = h;
    for (int k = 0; k < constants->mode_count - FREE_MODES; k++)
        mode_coefficients(constants->omega[FREE_MODES + k], h, &out->mode[k]);
    for (int k = 0; k < decay_count; k++) {
        double half[PHI_COUNT], full[PHI_COUNT];
        phi(-0.5 * h * rate[k], half);
        phi(-h * rate[k], full);
        out->tyre[k] = (etd_decay){
            .half = half[0],
            .full = full[0],
            .second = 0.5 * h * half[1],
            .third_1 = 0.5 * h * half[1] - h * half[2],
            .third_2 = h * half[2],
            .fourth_1 = h * full[1] - 2.0 * h * full[2],
            .fourth_3 = 2.0 * h * full[2],
            .first = h * (full[1] - 3.0 * full[2] + 4.0 * full[3]),
            .middle = h * 2.0 * (full[2] - 2.0 * full[3]),
            .last = h * (4.0 * full[3] - full[2]),
        };
    }
}
