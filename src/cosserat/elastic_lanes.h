// elastic_lanes.h - forces of the chassis on its directors; part of kernel_lanes.c.
//
// In e, the directors seen from a frame minus the identity, the force splits into a linear part,
// one of higher order, and what plastic strain adds (plastic.h). All are per director inertia.
#pragma once

#include "cosserat/wide_lanes.h"

static inline lanes dot3(const lanes *a, int stride_a, const lanes *b, int stride_b)
{
    return lanes_fma(a[2 * stride_a], b[2 * stride_b],
                     lanes_fma(a[stride_a], b[stride_b], a[0] * b[0]));
}

// out = frame m for 3x3 matrices; the identity frame costs nothing.
static inline void turn(const lanes frame[9], int identity, const lanes m[9], lanes out[9])
{
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            out[3 * a + i] = identity ? m[3 * a + i] : dot3(frame + 3 * a, 1, m + i, 3);
}

// Minus the part of the elastic force that is not linear in e, per director inertia:
//     E = sym(e) + Q, Q = e'e/2;   force_ai = S(Q)_ai + sum over k of e_ak S(E)_ki
static inline void elastic_remainder(const wide *c, const lanes e[9], lanes out[9])
{
    lanes quadratic[9], stress[9]; // 2 mu Q, then S(Q); 2 mu E, then S(E)
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const lanes q = c->volume_mu * dot3(e + i, 3, e + j, 3);
            const lanes twice = e[3 * i + j] + e[3 * j + i];
            quadratic[3 * i + j] = quadratic[3 * j + i] = q;
            stress[3 * i + j] = stress[3 * j + i] = lanes_fma(c->volume_mu, twice, q);
        }
    const lanes trace_q = c->lambda_share * (quadratic[0] + quadratic[4] + quadratic[8]);
    const lanes trace_e = c->lambda_share * (stress[0] + stress[4] + stress[8]);
    for (int i = 0; i < 3; i++) {
        quadratic[4 * i] = quadratic[4 * i] + trace_q;
        stress[4 * i] = stress[4 * i] + trace_e;
    }
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++)
            out[3 * a + i] =
                c->my_inverse_minus[i] * (quadratic[3 * a + i] + dot3(e + 3 * a, 1, stress + i, 3));
}

// Minus the linear elastic force per director inertia: S(sym e)_ai / my_i.
static inline void elastic_linear(const wide *c, const lanes e[9], lanes out[9])
{
    const lanes mu = c->volume_mu, lambda = c->volume_lambda;
    const lanes trace = lambda * (e[0] + e[4] + e[8]);
    for (int i = 0; i < 3; i++) {
        const lanes inverse = c->my_inverse_minus[i];
        for (int a = 0; a < 3; a++) {
            const lanes shear = mu * (e[3 * a + i] + e[3 * i + a]);
            out[3 * a + i] = inverse * (a == i ? shear + trace : shear);
        }
    }
}

// Adds what plastic strain does to the directors; a lane without any keeps its bits.
static inline void add_plastic(const wide *c, const lanes e[9], const double *plastic, lanes out[9])
{
    _Alignas(64) double next[LANES * PLASTIC_COUNT], force[LANES * 9];
    plastic_yield *const yield = LANES_NAME(plastic_yield);
    yield(c->a->plastic, (const double *)e, plastic, next, force);
    for (int k = 0; k < 9; k++) {
        const lanes push = lanes_load(force + LANES * k);
        out[k] = lanes_select((lanes_mask)(push == lanes_set(0.0)), out[k],
                              lanes_fma(c->my_inverse[k % 3], push, out[k]));
    }
}
