// higher_lanes.h - forces on directors 4 to 7 (higher.h), and their modes; part of kernel_lanes.c.
//
// With F = I + e seen from a frame, m_n = <X_n^2> and S_n, S_mn the stresses of the strains E_n,
// E_mn of higher.h, the first Piola stress P = (F + X_n H_n) S has the exact means
//     <P>     = F (S + sum m_n S_nn) + sum m_n H_n S_n
//     <X_n P> = m_n (F S_n + H_n (S + 5/7 sum m_l S_ll) + 10/7 sum m_l H_l S_nl)
// The force on director i is column i of <P>, that on director k is <P grad phi_k>.
#pragma once

#include "cosserat/elastic_lanes.h"

static inline void lanes_gradient(const lanes g[HIGHER_SIZE], lanes h[3][9])
{
    for (int a = 0; a < 3; a++) {
        const lanes d4 = g[a], d5 = g[3 + a], d6 = g[6 + a], d7 = g[9 + a], zero = lanes_set(0.0);
        h[0][3 * a] = d4 + d4, h[0][3 * a + 1] = d5, h[0][3 * a + 2] = d6;
        h[1][3 * a] = d5, h[1][3 * a + 1] = zero, h[1][3 * a + 2] = d7;
        h[2][3 * a] = d6, h[2][3 * a + 1] = d7, h[2][3 * a + 2] = zero;
    }
}

// a'b + b'a.
static void twice_symmetric(const lanes a[9], const lanes b[9], lanes out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            out[3 * i + j] = out[3 * j + i] = dot3(a + i, 3, b + j, 3) + dot3(a + j, 3, b + i, 3);
}

// Stress of a strain of which `times` times is given; may replace it.
static void stress_of(const wide *c, double times, const lanes strain[9], lanes out[9])
{
    const lanes two_mu = lanes_set(2.0 / times) * c->volume_mu;
    const lanes pressure =
        lanes_set(1.0 / times) * c->volume_lambda * (strain[0] + strain[4] + strain[8]);
    for (int k = 0; k < 9; k++)
        out[k] = k % 4 == 0 ? lanes_fma(two_mu, strain[k], pressure) : two_mu * strain[k];
}

// sum += factor a b.
static void add_product(lanes factor, const lanes a[9], const lanes b[9], lanes sum[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum[3 * i + j] = lanes_fma(factor, dot3(a + 3 * i, 1, b + j, 3), sum[3 * i + j]);
}

typedef struct higher_stress {
    lanes centre[9];  // S, of e alone
    lanes part[3][9]; // S_n
    lanes bent[3][9]; // S_n less its part linear in H
    lanes pair[6][9]; // S_mn of 11, 22, 33, 23, 31, 12
    lanes mean[9];    // sum of m_n S_nn
} higher_stress;

static const int pair_of[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

static void higher_stresses(const wide *c, const lanes e[9], lanes h[3][9], higher_stress *s)
{
    static const int first[6] = {0, 1, 2, 1, 2, 0}, second[6] = {0, 1, 2, 2, 0, 1};
    lanes strain[9];
    twice_symmetric(e, e, strain); // 4 E = 2 (e + e') + 2 e'e
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            strain[3 * i + j] =
                lanes_fma(lanes_set(2.0), e[3 * i + j] + e[3 * j + i], strain[3 * i + j]);
    stress_of(c, 4.0, strain, s->centre);
    for (int n = 0; n < 3; n++) {
        twice_symmetric(e, h[n], strain);
        stress_of(c, 2.0, strain, s->bent[n]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                strain[3 * i + j] = h[n][3 * i + j] + h[n][3 * j + i];
        stress_of(c, 2.0, strain, s->part[n]);
        for (int k = 0; k < 9; k++)
            s->part[n][k] = s->part[n][k] + s->bent[n][k];
    }
    for (int k = 0; k < 9; k++)
        s->mean[k] = lanes_set(0.0);
    for (int p = 0; p < 6; p++) {
        twice_symmetric(h[first[p]], h[second[p]], strain);
        stress_of(c, 4.0, strain, s->pair[p]);
        for (int k = 0; k < 9 && p < 3; k++)
            s->mean[k] = lanes_fma(c->higher.moment[p], s->pair[p][k], s->mean[k]);
    }
}

// Takes from the accelerations of directors 1 to 3 what directors 4 to 7 do to them, and sets those
// of directors 4 to 7 without the part that is linear in them alone, which the modes have.
static __attribute__((noinline)) void higher_remainder(const wide *c, const lanes e[9],
                                                       const lanes g[HIGHER_SIZE], lanes out_e[9],
                                                       lanes out_g[HIGHER_SIZE])
{
    const lanes one = lanes_set(1.0);
    lanes h[3][9], sum[9], moment[3][9];
    higher_stress s;
    lanes_gradient(g, h);
    higher_stresses(c, e, h, &s);
    for (int k = 0; k < 9; k++)
        sum[k] = s.mean[k];
    add_product(one, e, s.mean, sum);
    for (int n = 0; n < 3; n++)
        add_product(c->higher.moment[n], h[n], s.part[n], sum);
    for (int k = 0; k < 9; k++)
        out_e[k] = lanes_fma(c->my_inverse_minus[k % 3], sum[k], out_e[k]);

    lanes bent[9]; // S + 5/7 sum of m_l S_ll
    for (int k = 0; k < 9; k++)
        bent[k] = lanes_fma(lanes_set(5.0 / 7.0), s.mean[k], s.centre[k]);
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 9; k++)
            moment[n][k] = s.bent[n][k];
        add_product(one, e, s.part[n], moment[n]);
        add_product(one, h[n], bent, moment[n]);
        for (int l = 0; l < 3; l++)
            add_product(lanes_set(10.0 / 7.0) * c->higher.moment[l], h[l], s.pair[pair_of[n][l]],
                        moment[n]);
        for (int k = 0; k < 9; k++)
            moment[n][k] = c->higher.moment[n] * moment[n][k];
    }
    for (int a = 0; a < 3; a++) {
        const lanes *x = moment[0] + 3 * a, *y = moment[1] + 3 * a, *z = moment[2] + 3 * a;
        out_g[a] = -c->higher.my_inverse[0] * (x[0] + x[0]);
        out_g[3 + a] = -c->higher.my_inverse[1] * (y[0] + x[1]);
        out_g[6 + a] = -c->higher.my_inverse[2] * (z[0] + x[2]);
        out_g[9 + a] = -c->higher.my_inverse[3] * (z[1] + y[2]);
    }
}

// Each director turned into the frame, or back by its transpose.
static inline void higher_turn(const lanes frame[9], const lanes g[HIGHER_SIZE],
                               lanes out[HIGHER_SIZE])
{
    for (int k = 0; k < HIGHER_SIZE; k++)
        out[k] = dot3(frame + 3 * (k % 3), 1, g + k / 3 * 3, 1);
}

static inline void higher_to_modes(const wide *c, const lanes g[HIGHER_SIZE], lanes q[HIGHER_SIZE])
{
    for (int k = 0; k < HIGHER_SIZE; k++) {
        const int *member = higher_member[k / 3];
        const lanes *mode = c->higher.mode_my[k / 3] + k % 3;
        q[k] = lanes_fma(mode[0], g[member[0]],
                         lanes_fma(mode[3], g[member[1]], mode[6] * g[member[2]]));
    }
}

static inline void higher_from_modes(const wide *c, const lanes q[HIGHER_SIZE],
                                     lanes g[HIGHER_SIZE])
{
    for (int k = 0; k < HIGHER_SIZE; k++) {
        const lanes *from = q + k / 3 * 3, *mode = c->higher.mode[k / 3] + k % 3 * 3;
        g[higher_member[k / 3][k % 3]] =
            lanes_fma(mode[0], from[0], lanes_fma(mode[1], from[1], mode[2] * from[2]));
    }
}

// The part of the accelerations that the modes have.
static inline void higher_linear(const wide *c, const lanes g[HIGHER_SIZE], lanes out[HIGHER_SIZE])
{
    lanes q[HIGHER_SIZE];
    higher_to_modes(c, g, q);
    for (int k = 0; k < HIGHER_SIZE; k++) {
        const double omega = c->a->constants->higher.omega[k];
        q[k] = lanes_set(-omega * omega) * q[k];
    }
    higher_from_modes(c, q, out);
}

// What directors 4 to 7, in world components, add to the height and the velocity of the springs'
// ends: shift[4 q] and, for components 1 to 3 of the velocity, shift[4 q + 1 + j].
static inline void higher_shift(const wide *c, const lanes g[HIGHER_SIZE],
                                const lanes u[HIGHER_SIZE], lanes shift[4 * WHEELS])
{
    for (int q = 0; q < WHEELS; q++) {
        for (int j = 0; j < 4; j++)
            shift[4 * q + j] = lanes_set(0.0);
        for (int k = 0; k < HIGHER_DIRECTORS; k++) {
            shift[4 * q] = lanes_fma(c->higher.spring[q][k], g[3 * k + 2], shift[4 * q]);
            for (int j = 0; j < 3; j++) {
                const lanes phi = j < 2 ? c->higher.contact[q][k] : c->higher.spring[q][k];
                shift[4 * q + 1 + j] = lanes_fma(phi, u[3 * k + j], shift[4 * q + 1 + j]);
            }
        }
    }
}

// Adds the answer of directors 4 to 7 to the forces f of the wheels, world components.
static inline void higher_road(const wide *c, lanes f[WHEELS][3], const lanes frame[9],
                               int identity, lanes out[HIGHER_SIZE])
{
    for (int k = 0; k < HIGHER_DIRECTORS; k++) {
        lanes sum[3] = {lanes_set(0.0), lanes_set(0.0), lanes_set(0.0)};
        for (int q = 0; q < WHEELS; q++)
            for (int j = 0; j < 3; j++)
                sum[j] = lanes_fma(j < 2 ? c->higher.contact[q][k] : c->higher.spring[q][k],
                                   f[q][j], sum[j]);
        for (int a = 0; a < 3; a++)
            out[3 * k + a] =
                lanes_fma(c->higher.my_inverse[k], identity ? sum[a] : dot3(frame + a, 3, sum, 1),
                          out[3 * k + a]);
    }
}
