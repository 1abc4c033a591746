// kernel_lanes.c - motion of four deformable vehicles at once.
//
// Equations of motion (MEDUSA report 1.7, 1.10, 1.12; readings in docs/theory.md):
//     m v' = sum f_q - m g E3,     my_i w_i' = sum X_q^i f_q - k^i,     k^i = column i of F S
// with F = [d1 d2 d3], E = (F'F - I)/2, S = V (lambda tr(E) I + 2 mu E).
//
// The directors are seen from a frame R that is fixed during a step (d1, d2 made orthonormal):
// F = R (I + e). In e the elastic force splits into a linear part, whose twelve modes (three
// translations, three rotations, three shears, three stretches) have closed forms, and a remainder
// of second order in e that is as soft as the suspension. The step is the exponential Runge-Kutta
// method of Krogstad (2005): modes and tyre lag are propagated exactly, the remainder and
// the road forces are sampled at four stages. Fourth order; its step is bound by the soft forces,
// not by the elastic frequencies.
#include "cosserat/kernel.h"
#include "num/lanes.h"

#include <stddef.h>

// Turns are taken in parts when spin w^2 h^3 is above SPIN_SHARE (found by trial: below it spinning
// costs no accuracy) and the spin above SPIN_LEAST, rad/s: who drives normally pays nothing.
#define SPIN_SHARE 5e-4
#define SPIN_LEAST 1.0

// All numbers of a model and a step, each in every lane: instructions take them straight from
// memory.
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
    lanes axle_x[2], axle_z[2], half_b, spring_ref, spring[2], damper[2];
    lanes push_least, stretch_most; // N, m: 0 when wheels can leave the road, else no limit
    lanes stretch[9], stretch_my[9];
    // Of the step.
    lanes h, h_half, h_third, h_sixth; // s
    lanes spin_square_most;            // (rad/s)^2, faster turns are taken in smaller steps
    lanes hh_sixth, hh_third, hh_8, hh_12, hh_24; // h^2 over 6, 3, 8, 12, 24
    wide_mode mode[ELASTIC_MODES];
    wide_decay tyre[TYRE_STATE_MAX];
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
    w->spin_square_most =
        lanes_set(pow(fmax(SPIN_SHARE / (omega * omega * h * h * h), SPIN_LEAST), 2));
    if (!coefficients)
        return; // the published scheme
    widen_array((const double *)coefficients->mode,
                ELASTIC_MODES * sizeof(etd_mode) / sizeof(double), (lanes *)w->mode);
    widen_array((const double *)coefficients->tyre,
                w->a->tyre_states * (int)(sizeof(etd_decay) / sizeof(double)), (lanes *)w->tyre);
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
    for (int k = 0; k < 2; k++)
        w->axle_z[k] = lanes_set(-c->axle_h[k]);
    widen_step(w, a->coefficients, a->h);
}

// Where a stage looks: position and directors as seen from the frame, and their velocities.
typedef struct stage {
    lanes r[3], v[3];
    lanes e[9], u[9]; // e[3 a + i]: component a of director i, minus identity; u its velocity
} stage;

// What a stage finds there.
typedef struct drive {
    lanes r[3]; // acceleration
    lanes e[9]; // director acceleration, without the linear elastic part
} drive;

typedef struct books {
    lanes tyre[WHEELS * TYRE_STATE_MAX]; // drive of the tyre states
    lanes sum[SUM_COUNT];                // rates of the sums
    lanes_mask grounded;                 // bit q: wheel q stands on the road
} books;

typedef struct wheel_values { // arrays handed to the tyre law: four lanes a wheel
    _Alignas(32) double fz[WHEELS * LANES], v_x[WHEELS * LANES], v_y[WHEELS * LANES];
    _Alignas(32) double fx[WHEELS * LANES], fy[WHEELS * LANES];
} wheel_values;

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

// Height and velocity of the assembly points, suspension force, wheel axes (1.11, 1.14 to 1.19).
// velocity[3 q + j], heading[2 axle + j]: world components. damped: rate of the dampers' work.
static inline void wheel_kinematics(const wide *c, const stage *s, const lanes f_row3[3],
                                    const lanes w[9], const lanes d1[2], const lanes steer[2],
                                    wheel_values *wheel, lanes velocity[3 * WHEELS],
                                    lanes heading[4], lanes *damped, lanes_mask *grounded)
{
    const lanes zero = lanes_set(0.0), b = c->half_b;
    const lanes norm = lanes_set(1.0) / lanes_sqrt(lanes_fma(d1[0], d1[0], d1[1] * d1[1]));
    heading[2] = d1[0] * norm, heading[3] = d1[1] * norm;
    heading[0] = steer[0] * heading[2] - steer[1] * heading[3];
    heading[1] = steer[0] * heading[3] + steer[1] * heading[2];
    *damped = zero;
    *grounded = (lanes_mask){0};
    for (int axle = 0; axle < 2; axle++) {
        const lanes x = c->axle_x[axle], h = c->axle_z[axle];
        const lanes spring = c->spring[axle], damper = c->damper[axle];
        const lanes z_mid =
            lanes_fma(x, f_row3[0], lanes_fma(h, f_row3[2], s->r[2])) - c->spring_ref;
        const lanes z_side = b * f_row3[1];
        lanes v_mid[3], v_side[3];
        for (int j = 0; j < 3; j++) {
            v_mid[j] = lanes_fma(x, w[3 * j], lanes_fma(h, w[3 * j + 2], s->v[j]));
            v_side[j] = b * w[3 * j + 1];
        }
        for (int side = 0; side < 2; side++) { // left, right
            const int q = 2 * axle + side;
            const lanes z = side ? z_mid - z_side : z_mid + z_side;
            lanes *v = velocity + 3 * q;
            for (int j = 0; j < 3; j++)
                v[j] = side ? v_mid[j] - v_side[j] : v_mid[j] + v_side[j];
            // Massless wheel: the road can only push.
            const lanes push = -lanes_fma(spring, z, damper * v[2]);
            const lanes fz = lanes_max(push, c->push_least);
            *grounded |= (lanes_mask)(push > zero) & (long long)(1ULL << q);
            // The spring gives back its energy only down to its free length; the rest is lost.
            const lanes held = lanes_min(z, c->stretch_most);
            *damped = *damped - lanes_fma(spring, held, fz) * v[2];
            const lanes hx = heading[2 * axle], hy = heading[2 * axle + 1];
            lanes_store(wheel->fz + LANES * q, fz);
            lanes_store(wheel->v_x + LANES * q, lanes_fma(hx, v[0], hy * v[1]));
            lanes_store(wheel->v_y + LANES * q, hx * v[1] - hy * v[0]);
        }
    }
}

// Everything that drives the modes at one stage.
static inline void stage_drive(const wide *c, const lanes frame[9], int identity,
                               const lanes steer[2], const stage *s, const lanes *tyre, drive *out,
                               books *book)
{
    const kernel_arguments *a = c->a;
    lanes shape[9], w[9];
    for (int k = 0; k < 9; k++)
        shape[k] = k % 4 == 0 ? s->e[k] + lanes_set(1.0) : s->e[k]; // I + e
    turn(frame, identity, s->u, w);
    lanes f_row3[3], d1[2];
    for (int i = 0; i < 3; i++)
        f_row3[i] = identity ? shape[6 + i] : dot3(frame + 6, 1, shape + i, 3);
    for (int j = 0; j < 2; j++)
        d1[j] = identity ? shape[3 * j] : dot3(frame + 3 * j, 1, shape, 3);

    wheel_values wheel;
    lanes velocity[3 * WHEELS], heading[4];
    wheel_kinematics(c, s, f_row3, w, d1, steer, &wheel, velocity, heading, &book->sum[SUM_DAMPED],
                     &book->grounded);
    a->tyre(a->tyre_p, WHEELS * LANES, &(tyre_in){wheel.fz, wheel.v_x, wheel.v_y},
            (const double *)tyre, (double *)book->tyre, &(tyre_out){wheel.fx, wheel.fy});

    // Force and director forces l^i = sum X_q^i f_q, world components (1.10, 1.16).
    lanes force[3], director[9]; // director[3 j + i]: component j of l^i
    lanes slipped = lanes_set(0.0);
    for (int axle = 0; axle < 2; axle++) {
        lanes f[2][3];
        for (int side = 0; side < 2; side++) {
            const int q = 2 * axle + side;
            const lanes fx = lanes_load(wheel.fx + LANES * q),
                        fy = lanes_load(wheel.fy + LANES * q);
            const lanes hx = heading[2 * axle], hy = heading[2 * axle + 1];
            f[side][0] = fx * hx - fy * hy;
            f[side][1] = lanes_fma(fx, hy, fy * hx);
            f[side][2] = lanes_load(wheel.fz + LANES * q);
            slipped =
                slipped - lanes_fma(f[side][0], velocity[3 * q], f[side][1] * velocity[3 * q + 1]);
        }
        const lanes x = c->axle_x[axle], h = c->axle_z[axle];
        const lanes b = c->half_b;
        for (int j = 0; j < 3; j++) {
            const lanes sum = f[0][j] + f[1][j], difference = f[0][j] - f[1][j];
            force[j] = axle ? force[j] + sum : sum;
            director[3 * j] = axle ? lanes_fma(x, sum, director[3 * j]) : x * sum;
            director[3 * j + 1] =
                axle ? lanes_fma(b, difference, director[3 * j + 1]) : b * difference;
            director[3 * j + 2] = axle ? lanes_fma(h, sum, director[3 * j + 2]) : h * sum;
        }
    }
    for (int j = 0; j < 3; j++) {
        book->sum[SUM_IMPULSE + j] = force[j];
        out->r[j] = force[j] * c->mass_inverse;
    }
    out->r[2] = out->r[2] - c->gravity;
    book->sum[SUM_SLIPPED] = slipped;

    elastic_remainder(c, s->e, out->e);
    for (int i = 0; i < 3; i++) {
        const lanes inverse = c->my_inverse[i];
        for (int k = 0; k < 3; k++) {
            const lanes seen = identity ? director[3 * k + i] : dot3(frame + k, 3, director + i, 3);
            out->e[3 * k + i] = lanes_fma(inverse, seen, out->e[3 * k + i]);
        }
    }
}

// ---- modes ----
//
// Pairs (i, j) of directors:  s = e_ij + e_ji                 shear, w^2 = V mu (1/my_i + 1/my_j)
//                             p = my_j e_ij - my_i e_ji       rotation, w = 0
// where e_ij is component i of director j. Stretches: q = stretch' diag(my) (e_11, e_22, e_33).

static const int pair_first[3] = {1, 2, 0}, pair_second[3] = {2, 0, 1};

static inline void to_modes(const wide *c, const lanes r[3], const lanes e[9], lanes q[MODE_COUNT])
{
    for (int k = 0; k < 3; k++) {
        q[k] = r[k];
        const int i = pair_first[k], j = pair_second[k];
        const lanes e_ij = e[3 * i + j], e_ji = e[3 * j + i];
        q[3 + k] = c->my[j] * e_ij - c->my[i] * e_ji;
        q[6 + k] = e_ij + e_ji;
        q[9 + k] = lanes_fma(c->stretch_my[k], e[0],
                             lanes_fma(c->stretch_my[3 + k], e[4], c->stretch_my[6 + k] * e[8]));
    }
}

static inline void from_modes(const wide *c, const lanes q[MODE_COUNT], lanes r[3], lanes e[9])
{
    for (int k = 0; k < 3; k++) {
        r[k] = q[k];
        const int i = pair_first[k], j = pair_second[k];
        const lanes inverse = c->pair_inverse[k];
        e[3 * i + j] = inverse * lanes_fma(c->my[i], q[6 + k], q[3 + k]);
        e[3 * j + i] = inverse * (c->my[j] * q[6 + k] - q[3 + k]);
        e[4 * k] =
            lanes_fma(c->stretch[3 * k], q[9],
                      lanes_fma(c->stretch[3 * k + 1], q[10], c->stretch[3 * k + 2] * q[11]));
    }
}

// ---- one exponential step ----

typedef struct modal { // state of a stage in modes
    lanes q[MODE_COUNT], p[MODE_COUNT];
    lanes tyre[WHEELS * TYRE_STATE_MAX];
} modal;

typedef struct modal_drive {
    lanes n[MODE_COUNT];
    books book;
} modal_drive;

static void modal_evaluate(const wide *c, const lanes frame[9], const lanes steer[2],
                           const modal *m, modal_drive *out)
{
    stage s;
    drive d;
    from_modes(c, m->q, s.r, s.e);
    from_modes(c, m->p, s.v, s.u);
    stage_drive(c, frame, 0, steer, &s, m->tyre, &d, &out->book);
    to_modes(c, d.r, d.e, out->n);
}

static inline lanes sum2(lanes a, lanes x, lanes b, lanes y)
{
    return lanes_fma(a, x, b * y);
}

// The stages below come in two kinds of modes: those without a frequency (translations, rotations),
// whose coefficients are powers of h, and the elastic ones.

// Stage 2: free motion over h/2 and the answer to drive 1.
static inline void stage_2(const wide *c, const modal *s, const modal_drive *n1, modal *m)
{
    for (int k = 0; k < FREE_MODES; k++) {
        m->q[k] = s->q[k] + sum2(c->h_half, s->p[k], c->hh_8, n1->n[k]);
        m->p[k] = lanes_fma(c->h_half, n1->n[k], s->p[k]);
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++) {
        const wide_mode *w = &c->mode[k - FREE_MODES];
        m->q[k] = lanes_fma(w->second_x, n1->n[k], sum2(w->half_c, s->q[k], w->half_s, s->p[k]));
        m->p[k] = lanes_fma(w->second_v, n1->n[k], sum2(w->half_m, s->q[k], w->half_c, s->p[k]));
    }
    for (int k = 0; k < WHEELS * c->a->tyre_states; k++) {
        const wide_decay *w = &c->tyre[k / WHEELS];
        m->tyre[k] = sum2(w->half, s->tyre[k], w->second, n1->book.tyre[k]);
    }
}

// Stage 3: free motion over h/2 and the answers to drives 1 and 2.
static inline void stage_3(const wide *c, const modal *s, const modal_drive *n1,
                           const modal_drive *n2, modal *m)
{
    for (int k = 0; k < FREE_MODES; k++) {
        m->q[k] =
            lanes_fma(c->h_half, s->p[k], s->q[k]) + sum2(c->hh_24, n1->n[k], c->hh_12, n2->n[k]);
        m->p[k] = lanes_fma(c->h_half, n2->n[k], s->p[k]);
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++) {
        const wide_mode *w = &c->mode[k - FREE_MODES];
        m->q[k] = sum2(w->half_c, s->q[k], w->half_s, s->p[k]) +
                  sum2(w->third_1x, n1->n[k], w->third_2x, n2->n[k]);
        m->p[k] = sum2(w->half_m, s->q[k], w->half_c, s->p[k]) +
                  sum2(w->third_1v, n1->n[k], w->third_2v, n2->n[k]);
    }
    for (int k = 0; k < WHEELS * c->a->tyre_states; k++) {
        const wide_decay *w = &c->tyre[k / WHEELS];
        m->tyre[k] = lanes_fma(w->half, s->tyre[k],
                               sum2(w->third_1, n1->book.tyre[k], w->third_2, n2->book.tyre[k]));
    }
}

// Stage 4: free motion over h and the answers to drives 1 and 3.
static inline void stage_4(const wide *c, const modal *s, const modal_drive *n1,
                           const modal_drive *n3, modal *m)
{
    for (int k = 0; k < FREE_MODES; k++) {
        m->q[k] =
            lanes_fma(c->h, s->p[k], s->q[k]) + sum2(c->hh_sixth, n1->n[k], c->hh_third, n3->n[k]);
        m->p[k] = lanes_fma(c->h, n3->n[k], s->p[k]);
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++) {
        const wide_mode *w = &c->mode[k - FREE_MODES];
        m->q[k] = sum2(w->full_c, s->q[k], w->full_s, s->p[k]) +
                  sum2(w->fourth_1x, n1->n[k], w->fourth_3x, n3->n[k]);
        m->p[k] = sum2(w->full_m, s->q[k], w->full_c, s->p[k]) +
                  sum2(w->fourth_1v, n1->n[k], w->fourth_3v, n3->n[k]);
    }
    for (int k = 0; k < WHEELS * c->a->tyre_states; k++) {
        const wide_decay *w = &c->tyre[k / WHEELS];
        m->tyre[k] = lanes_fma(w->full, s->tyre[k],
                               sum2(w->fourth_1, n1->book.tyre[k], w->fourth_3, n3->book.tyre[k]));
    }
}

static inline void full_step(const wide *c, const modal_drive n[4], modal *m, lanes sum[SUM_COUNT])
{
    for (int k = 0; k < FREE_MODES; k++) {
        const lanes middle = n[1].n[k] + n[2].n[k], q = m->q[k], p = m->p[k];
        m->q[k] = lanes_fma(c->h, p, lanes_fma(c->hh_sixth, n[0].n[k] + middle, q));
        m->p[k] = lanes_fma(c->h_third, middle, lanes_fma(c->h_sixth, n[0].n[k] + n[3].n[k], p));
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++) {
        const wide_mode *w = &c->mode[k - FREE_MODES];
        const lanes middle = n[1].n[k] + n[2].n[k], q = m->q[k], p = m->p[k];
        const lanes answer_q =
            lanes_fma(w->first_x, n[0].n[k], sum2(w->middle_x, middle, w->last_x, n[3].n[k]));
        const lanes answer_p =
            lanes_fma(w->first_v, n[0].n[k], sum2(w->middle_v, middle, w->last_v, n[3].n[k]));
        m->q[k] = lanes_fma(w->full_c, q, lanes_fma(w->full_s, p, answer_q));
        m->p[k] = lanes_fma(w->full_c, p, lanes_fma(w->full_m, q, answer_p));
    }
    for (int k = 0; k < WHEELS * c->a->tyre_states; k++) {
        const wide_decay *w = &c->tyre[k / WHEELS];
        const lanes middle = n[1].book.tyre[k] + n[2].book.tyre[k];
        m->tyre[k] = sum2(w->full, m->tyre[k], w->first, n[0].book.tyre[k]) +
                     sum2(w->middle, middle, w->last, n[3].book.tyre[k]);
    }
    // The weights of the velocity: what changes the momentum is what is booked.
    for (int k = 0; k < SUM_COUNT; k++)
        sum[k] = lanes_fma(c->h_sixth, n[0].book.sum[k] + n[3].book.sum[k],
                           lanes_fma(c->h_third, n[1].book.sum[k] + n[2].book.sum[k], sum[k]));
}

// Orthonormal frame of d1 and d2; f[3 j + i]: component j of director i.
static inline void frame_of(const lanes f[9], lanes frame[9])
{
    lanes n = lanes_set(1.0) / lanes_sqrt(dot3(f, 3, f, 3));
    for (int j = 0; j < 3; j++)
        frame[3 * j] = f[3 * j] * n;
    const lanes along = dot3(frame, 3, f + 1, 3);
    for (int j = 0; j < 3; j++)
        frame[3 * j + 1] = f[3 * j + 1] - along * frame[3 * j];
    n = lanes_set(1.0) / lanes_sqrt(dot3(frame + 1, 3, frame + 1, 3));
    for (int j = 0; j < 3; j++)
        frame[3 * j + 1] = frame[3 * j + 1] * n;
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        frame[3 * j + 2] = frame[3 * k] * frame[3 * l + 1] - frame[3 * l] * frame[3 * k + 1];
    }
}

static inline void load_matrix(const double *block, int value, lanes m[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[3 * j + i] = lanes_load(block + LANES * (value + 3 * i + j));
}

static inline void store_matrix(double *block, int value, const lanes m[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            lanes_store(block + LANES * (value + 3 * i + j), m[3 * j + i]);
}

// One step of all lanes, from one block to another. Returns which lanes had a wheel leave or meet
// the road on the way.
static lanes_mask exponential_step(const wide *c, const double *block, double *to,
                                   const lanes steer[2])
{
    const int tyre_values = WHEELS * c->a->tyre_states, sums = VALUE_TYRE + tyre_values;
    lanes f[9], w[9], frame[9], back[9], e[9], u[9], r[3], v[3], sum[SUM_COUNT];
    load_matrix(block, VALUE_D, f);
    load_matrix(block, VALUE_W, w);
    for (int j = 0; j < 3; j++) {
        r[j] = lanes_load(block + LANES * (VALUE_R + j));
        v[j] = lanes_load(block + LANES * (VALUE_V + j));
    }
    frame_of(f, frame);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            back[3 * j + k] = frame[3 * k + j];
    turn(back, 0, f, e);
    turn(back, 0, w, u);
    for (int i = 0; i < 3; i++)
        e[4 * i] = e[4 * i] - lanes_set(1.0);

    modal start, at;
    modal_drive n[4];
    to_modes(c, r, e, start.q);
    to_modes(c, v, u, start.p);
    for (int k = 0; k < tyre_values; k++)
        start.tyre[k] = lanes_load(block + LANES * (VALUE_TYRE + k));
    for (int k = 0; k < SUM_COUNT; k++)
        sum[k] = lanes_load(block + LANES * (sums + k));

    modal_evaluate(c, frame, steer, &start, &n[0]);
    stage_2(c, &start, &n[0], &at);
    modal_evaluate(c, frame, steer, &at, &n[1]);
    stage_3(c, &start, &n[0], &n[1], &at);
    modal_evaluate(c, frame, steer, &at, &n[2]);
    stage_4(c, &start, &n[0], &n[2], &at);
    modal_evaluate(c, frame, steer, &at, &n[3]);
    full_step(c, n, &start, sum);

    from_modes(c, start.q, r, e);
    from_modes(c, start.p, v, u);
    for (int i = 0; i < 3; i++)
        e[4 * i] = e[4 * i] + lanes_set(1.0);
    turn(frame, 0, e, f);
    turn(frame, 0, u, w);
    store_matrix(to, VALUE_D, f);
    store_matrix(to, VALUE_W, w);
    for (int j = 0; j < 3; j++) {
        lanes_store(to + LANES * (VALUE_R + j), r[j]);
        lanes_store(to + LANES * (VALUE_V + j), v[j]);
    }
    for (int k = 0; k < tyre_values; k++)
        lanes_store(to + LANES * (VALUE_TYRE + k), start.tyre[k]);
    for (int k = 0; k < SUM_COUNT; k++)
        lanes_store(to + LANES * (sums + k), sum[k]);
    const lanes_mask change = (n[0].book.grounded ^ n[1].book.grounded) |
                              (n[0].book.grounded ^ n[2].book.grounded) |
                              (n[0].book.grounded ^ n[3].book.grounded);
    return (lanes_mask)(change != 0);
}

static inline int any(lanes_mask m)
{
    return (m[0] | m[1] | m[2] | m[3]) != 0;
}

static inline size_t block_size(const kernel_arguments *a)
{
    return sizeof(double) * LANES * (size_t)(VALUE_TYRE + WHEELS * a->tyre_states + SUM_COUNT);
}

static void set_step(wide *c, double h)
{
    etd_coefficients coefficients;
    etd_coefficients_of(c->a->constants, c->a->tyre_rate, c->a->tyre_states, h, &coefficients);
    widen_step(c, &coefficients, h);
}

enum { SPLITS = 8, HALVINGS = 14, SPIN_PARTS = 16 };

// One step of one vehicle whose wheels leave or meet the road on the way: the force has a kink
// there, so the step is cut at the kink (to h/16384) and order four is kept. All lanes of block
// hold the vehicle.
static void split_step(const wide *c, double *block, const lanes steer[2])
{
    _Alignas(32) double trial[LANES * VALUE_MAX];
    wide part = *c;
    double left = c->h[0];
    for (int k = 0; k < SPLITS; k++) {
        double calm = 0.0, kinked = left; // no change up to calm, a change up to kinked
        for (int j = 0; j <= HALVINGS && calm < left; j++) {
            const double h = j == 0 ? left : 0.5 * (calm + kinked);
            set_step(&part, h);
            if (any(exponential_step(&part, block, trial, steer)))
                kinked = h;
            else
                calm = h;
        }
        const double h = calm == left || k == SPLITS - 1 ? left : kinked;
        set_step(&part, h);
        exponential_step(&part, block, block, steer);
        left -= h;
        if (left <= 0.0)
            return;
    }
}

// Square of the rate at which the chassis turns: the turn is sum d_i x w_i / 2.
static inline lanes spin_square(const double *block)
{
    lanes sum = lanes_set(0.0);
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3;
        lanes turn = lanes_set(0.0);
        for (int i = 0; i < 3; i++) {
            const double *d = block + LANES * (VALUE_D + 3 * i);
            const double *w = block + LANES * (VALUE_W + 3 * i);
            turn = lanes_fma(lanes_load(d + LANES * j), lanes_load(w + LANES * k), turn) -
                   lanes_load(d + LANES * k) * lanes_load(w + LANES * j);
        }
        sum = lanes_fma(turn, turn, sum);
    }
    return sum * lanes_set(0.25);
}

// One step of one vehicle that turns fast or meets a kink. The frame is fixed during a step, so the
// remainder of the elastic forces grows as spin w^2 h: the step is cut until spin w^2 h^3 is small.
static void careful_step(const wide *c, double *block, const lanes steer[2])
{
    const double excess = sqrt(spin_square(block)[0] / c->spin_square_most[0]);
    const int parts = (int)fmin(fmax(ceil(cbrt(excess)), 1.0), SPIN_PARTS);
    _Alignas(32) double trial[LANES * VALUE_MAX];
    wide part = *c;
    if (parts > 1)
        set_step(&part, c->h[0] / parts);
    for (int k = 0; k < parts; k++) {
        if (any(exponential_step(&part, block, trial, steer)) && c->a->constants->lift_off > 0.0)
            split_step(&part, block, steer);
        else
            memcpy(block, trial, block_size(c->a));
    }
}

// Does the step of the marked lanes again from `before`, carefully.
static void repeat_carefully(const wide *c, lanes_mask marked, const double *before, double *block,
                             const lanes steer[2])
{
    const int values = VALUE_TYRE + WHEELS * c->a->tyre_states + SUM_COUNT;
    _Alignas(32) double one[LANES * VALUE_MAX];
    for (int lane = 0; lane < LANES; lane++) {
        if (!marked[lane])
            continue;
        for (int k = 0; k < values; k++)
            lanes_store(one + LANES * k, lanes_set(before[LANES * k + lane]));
        const lanes angle[2] = {lanes_set(steer[0][lane]), lanes_set(steer[1][lane])};
        careful_step(c, one, angle);
        for (int k = 0; k < values; k++)
            block[LANES * k + lane] = one[LANES * k];
    }
}

void LANES_NAME(cosserat_exponential)(const kernel_arguments *a, double *blocks, int count,
                                      int stride, const double *steer)
{
    const unsigned mode = lanes_flush_begin();
    wide c;
    widen(a, &c);
    const long long lift_off = a->constants->lift_off > 0.0 ? -1 : 0;
    for (int b = 0; b < count; b++) {
        const lanes angle[2] = {lanes_load(steer + 2 * LANES * b),
                                lanes_load(steer + 2 * LANES * b + LANES)};
        double *block = blocks + (size_t)b * (size_t)stride;
        // To and fro between two blocks, so that a step can be done again.
        _Alignas(32) double other[LANES * VALUE_MAX];
        double *from = block, *to = other;
        for (int k = 0; k < a->steps; k++) {
            const lanes_mask fast = (lanes_mask)(spin_square(from) > c.spin_square_most);
            const lanes_mask marked = (exponential_step(&c, from, to, angle) & lift_off) | fast;
            if (any(marked))
                repeat_carefully(&c, marked, from, to, angle);
            double *swap = from;
            from = to, to = swap;
        }
        if (from != block)
            memcpy(block, from, block_size(a));
    }
    lanes_flush_end(mode);
}

// ---- the published scheme and the plain rates ----

static inline void load_stage(const double *block, stage *s)
{
    load_matrix(block, VALUE_D, s->e);
    load_matrix(block, VALUE_W, s->u);
    for (int i = 0; i < 3; i++) {
        s->e[4 * i] = s->e[4 * i] - lanes_set(1.0);
        s->r[i] = lanes_load(block + LANES * (VALUE_R + i));
        s->v[i] = lanes_load(block + LANES * (VALUE_V + i));
    }
}

// All accelerations and rates, seen from the world frame.
static inline void whole_drive(const wide *c, const lanes steer[2], const stage *s,
                               const double *block, drive *d, books *book)
{
    const lanes *tyre = (const lanes *)(const void *)(block + LANES * VALUE_TYRE);
    lanes linear[9];
    stage_drive(c, NULL, 1, steer, s, tyre, d, book);
    elastic_linear(c, s->e, linear);
    for (int k = 0; k < 9; k++)
        d->e[k] = d->e[k] + linear[k];
    for (int k = 0; k < WHEELS * c->a->tyre_states; k++)
        book->tyre[k] = book->tyre[k] - lanes_set(c->a->tyre_rate[k / WHEELS]) * tyre[k];
}

// (1.45) without contact: positions first, then velocities and lag from the new positions.
static void published_step(const wide *c, double *block, const lanes steer[2])
{
    const kernel_arguments *a = c->a;
    const lanes h = c->h;
    const int sums = VALUE_TYRE + WHEELS * a->tyre_states;
    for (int k = 0; k < VALUE_V; k++)
        lanes_store(block + LANES * k,
                    lanes_load(block + LANES * k) + h * lanes_load(block + LANES * (VALUE_V + k)));
    stage s;
    drive d;
    books book;
    load_stage(block, &s);
    whole_drive(c, steer, &s, block, &d, &book);
    for (int k = 0; k < 9; k++)
        s.u[k] = s.u[k] + h * d.e[k];
    store_matrix(block, VALUE_W, s.u);
    for (int j = 0; j < 3; j++)
        lanes_store(block + LANES * (VALUE_V + j), s.v[j] + h * d.r[j]);
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        lanes_store(block + LANES * (VALUE_TYRE + k),
                    lanes_load(block + LANES * (VALUE_TYRE + k)) + h * book.tyre[k]);
    for (int k = 0; k < SUM_COUNT; k++)
        lanes_store(block + LANES * (sums + k),
                    lanes_load(block + LANES * (sums + k)) + h * book.sum[k]);
}

void LANES_NAME(cosserat_published)(const kernel_arguments *a, double *blocks, int count,
                                    int stride, const double *steer)
{
    const unsigned mode = lanes_flush_begin();
    wide c;
    widen(a, &c);
    for (int b = 0; b < count; b++) {
        const lanes angle[2] = {lanes_load(steer + 2 * LANES * b),
                                lanes_load(steer + 2 * LANES * b + LANES)};
        for (int k = 0; k < a->steps; k++)
            published_step(&c, blocks + (size_t)b * (size_t)stride, angle);
    }
    lanes_flush_end(mode);
}

void LANES_NAME(cosserat_rate)(const kernel_arguments *a, const double *block, const double *steer,
                               double *rate)
{
    const lanes angle[2] = {lanes_load(steer), lanes_load(steer + LANES)};
    const int sums = VALUE_TYRE + WHEELS * a->tyre_states;
    wide c;
    stage s;
    drive d;
    books book;
    widen(a, &c);
    load_stage(block, &s);
    whole_drive(&c, angle, &s, block, &d, &book);
    for (int k = 0; k < VALUE_V; k++)
        lanes_store(rate + LANES * k, lanes_load(block + LANES * (VALUE_V + k)));
    for (int j = 0; j < 3; j++)
        lanes_store(rate + LANES * (VALUE_V + j), d.r[j]);
    store_matrix(rate, VALUE_W, d.e);
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        lanes_store(rate + LANES * (VALUE_TYRE + k), book.tyre[k]);
    for (int k = 0; k < SUM_COUNT; k++)
        lanes_store(rate + LANES * (sums + k), book.sum[k]);
}
