// kernel_lanes.c - motion of four deformable vehicles at once.
//
// Equations of motion (MEDUSA report 1.7, 1.10, 1.12; readings in docs/theory.md):
//     m v' = sum f_q - m g E3,     my_i w_i' = sum X_q^i f_q - k^i,     k^i = sum over a of F_a.
//     S_ai
// with F = [d1 d2 d3], E = (F'F - I)/2, S = V (lambda tr(E) I + 2 mu E).
//
// The directors are seen from a frame R that is fixed during a step (d1, d2 made orthonormal):
// F = R (I + e). In e the elastic force splits into a linear part, whose twelve modes (three
// translations, three rotations, three shears, three stretches) have closed forms, and a remainder
// of second order in e that is as soft as the suspension. The step is the exponential Runge-Kutta
// method of Cox and Matthews (2002): modes and tyre lag are propagated exactly, the remainder and
// the road forces are sampled at four stages. Fourth order; its step is bound by the soft forces,
// not by the elastic frequencies.
#include "cosserat/kernel.h"
#include "num/lanes.h"

#include <stddef.h>

// What the four sampled forces of one stage are made of.
typedef struct stage {
    lanes r[3], v[3];
    lanes e[9], u[9]; // e[3 a + i]: component a of director i, minus identity; u its velocity
    lanes tyre[WHEELS * TYRE_STATE_MAX];
} stage;

typedef struct drive {
    lanes r[3];                          // acceleration
    lanes e[9];                          // director acceleration, without the linear elastic part
    lanes tyre[WHEELS * TYRE_STATE_MAX]; // drive of the tyre states
    lanes sum[SUM_COUNT];                // rates of the books
    lanes_mask grounded;                 // bit q: wheel q stands on the road
} drive;

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
static inline void elastic_remainder(const cosserat_constants *c, const lanes e[9], lanes out[9])
{
    const lanes two_mu = lanes_set(c->volume_two_mu), lambda = lanes_set(c->volume_lambda);
    const lanes half = lanes_set(0.5);
    lanes quadratic[9], strain[9];
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            quadratic[3 * i + j] = quadratic[3 * j + i] = half * dot3(e + i, 3, e + j, 3);
            strain[3 * i + j] = strain[3 * j + i] =
                lanes_fma(half, e[3 * i + j] + e[3 * j + i], quadratic[3 * i + j]);
        }
    const lanes trace_q = lambda * (quadratic[0] + quadratic[4] + quadratic[8]);
    const lanes trace_e = lambda * (strain[0] + strain[4] + strain[8]);
    for (int k = 0; k < 9; k++) {
        quadratic[k] = two_mu * quadratic[k];
        strain[k] = two_mu * strain[k];
    }
    for (int i = 0; i < 3; i++) {
        quadratic[4 * i] = quadratic[4 * i] + trace_q;
        strain[4 * i] = strain[4 * i] + trace_e;
    }
    for (int i = 0; i < 3; i++) {
        const lanes inverse = lanes_set(-c->my_inverse[i]);
        for (int a = 0; a < 3; a++)
            out[3 * a + i] = inverse * (quadratic[3 * a + i] + dot3(e + 3 * a, 1, strain + i, 3));
    }
}

// Minus the linear elastic force per director inertia: S(sym e)_ai / my_i.
static inline void elastic_linear(const cosserat_constants *c, const lanes e[9], lanes out[9])
{
    const lanes mu = lanes_set(0.5 * c->volume_two_mu), lambda = lanes_set(c->volume_lambda);
    const lanes trace = lambda * (e[0] + e[4] + e[8]);
    for (int i = 0; i < 3; i++) {
        const lanes inverse = lanes_set(-c->my_inverse[i]);
        for (int a = 0; a < 3; a++) {
            const lanes shear = mu * (e[3 * a + i] + e[3 * i + a]);
            out[3 * a + i] = inverse * (a == i ? shear + trace : shear);
        }
    }
}

// Height and velocity of the assembly points, suspension force, wheel axes (1.11, 1.14 to 1.19).
// velocity[3 q + j], heading[2 axle + j]: world components. damped: rate of the dampers' work.
static inline void wheel_kinematics(const cosserat_constants *c, const stage *s,
                                    const lanes f_row3[3], const lanes w[9], const lanes d1[2],
                                    const lanes steer[2], wheel_values *wheel,
                                    lanes velocity[3 * WHEELS], lanes heading[4], lanes *damped,
                                    lanes_mask *grounded)
{
    const lanes zero = lanes_set(0.0), b = lanes_set(c->half_b);
    const lanes lift_off = lanes_set(c->lift_off);
    const lanes norm = lanes_set(1.0) / lanes_sqrt(lanes_fma(d1[0], d1[0], d1[1] * d1[1]));
    heading[2] = d1[0] * norm, heading[3] = d1[1] * norm;
    heading[0] = steer[0] * heading[2] - steer[1] * heading[3];
    heading[1] = steer[0] * heading[3] + steer[1] * heading[2];
    *damped = zero;
    *grounded = (lanes_mask){0};
    for (int axle = 0; axle < 2; axle++) {
        const lanes x = lanes_set(c->axle_x[axle]), h = lanes_set(-c->axle_h[axle]);
        const lanes spring = lanes_set(c->spring[axle]), damper = lanes_set(c->damper[axle]);
        const lanes z_mid =
            lanes_fma(x, f_row3[0], lanes_fma(h, f_row3[2], s->r[2])) - lanes_set(c->spring_ref);
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
            const lanes fz = lanes_select(lift_off > zero, lanes_max(push, zero), push);
            *grounded |= (lanes_mask)(push > zero) & (1LL << q);
            // The spring gives back its energy only down to its free length; the rest is lost.
            const lanes held = lanes_select(lift_off > zero, lanes_min(z, zero), z);
            *damped = *damped - lanes_fma(spring, held, fz) * v[2];
            const lanes hx = heading[2 * axle], hy = heading[2 * axle + 1];
            lanes_store(wheel->fz + LANES * q, fz);
            lanes_store(wheel->v_x + LANES * q, lanes_fma(hx, v[0], hy * v[1]));
            lanes_store(wheel->v_y + LANES * q, hx * v[1] - hy * v[0]);
        }
    }
}

// Everything that drives the modes at one stage.
static inline void stage_drive(const kernel_arguments *a, const lanes frame[9], int identity,
                               const lanes steer[2], const stage *s, drive *out)
{
    const cosserat_constants *c = a->constants;
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
    wheel_kinematics(c, s, f_row3, w, d1, steer, &wheel, velocity, heading, &out->sum[SUM_DAMPED],
                     &out->grounded);
    a->tyre(a->tyre_p, WHEELS * LANES, &(tyre_in){wheel.fz, wheel.v_x, wheel.v_y},
            (const double *)s->tyre, (double *)out->tyre, &(tyre_out){wheel.fx, wheel.fy});

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
        const lanes x = lanes_set(c->axle_x[axle]), h = lanes_set(-c->axle_h[axle]);
        const lanes b = lanes_set(c->half_b);
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
        out->sum[SUM_IMPULSE + j] = force[j];
        out->r[j] = force[j] * lanes_set(c->mass_inverse);
    }
    out->r[2] = out->r[2] - lanes_set(c->gravity);
    out->sum[SUM_SLIPPED] = slipped;

    elastic_remainder(c, s->e, out->e);
    for (int i = 0; i < 3; i++) {
        const lanes inverse = lanes_set(c->my_inverse[i]);
        for (int k = 0; k < 3; k++) {
            const lanes seen = identity ? director[3 * k + i] : dot3(frame + k, 3, director + i, 3);
            out->e[3 * k + i] = lanes_fma(inverse, seen, out->e[3 * k + i]);
        }
    }
}

// ---- modes ------------------------------------------------------------------------------------
//
// Pairs (i, j) of directors:  s = e_ij + e_ji                 shear, w^2 = V mu (1/my_i + 1/my_j)
//                             p = my_j e_ij - my_i e_ji       rotation, w = 0
// where e_ij is component i of director j. Stretches: q = stretch' diag(my) (e_11, e_22, e_33).

static const int pair_first[3] = {1, 2, 0}, pair_second[3] = {2, 0, 1};

static inline void to_modes(const cosserat_constants *c, const lanes r[3], const lanes e[9],
                            lanes q[MODE_COUNT])
{
    for (int k = 0; k < 3; k++) {
        q[k] = r[k];
        const int i = pair_first[k], j = pair_second[k];
        const lanes e_ij = e[3 * i + j], e_ji = e[3 * j + i];
        q[3 + k] = lanes_set(c->my[j]) * e_ij - lanes_set(c->my[i]) * e_ji;
        q[6 + k] = e_ij + e_ji;
        q[9 + k] = lanes_fma(lanes_set(c->stretch_my[k]), e[0],
                             lanes_fma(lanes_set(c->stretch_my[3 + k]), e[4],
                                       lanes_set(c->stretch_my[6 + k]) * e[8]));
    }
}

static inline void from_modes(const cosserat_constants *c, const lanes q[MODE_COUNT], lanes r[3],
                              lanes e[9])
{
    for (int k = 0; k < 3; k++) {
        r[k] = q[k];
        const int i = pair_first[k], j = pair_second[k];
        const lanes inverse = lanes_set(c->pair_inverse[k]);
        e[3 * i + j] = inverse * lanes_fma(lanes_set(c->my[i]), q[6 + k], q[3 + k]);
        e[3 * j + i] = inverse * (lanes_set(c->my[j]) * q[6 + k] - q[3 + k]);
        e[4 * k] = lanes_fma(lanes_set(c->stretch[3 * k]), q[9],
                             lanes_fma(lanes_set(c->stretch[3 * k + 1]), q[10],
                                       lanes_set(c->stretch[3 * k + 2]) * q[11]));
    }
}

// ---- one exponential step ---------------------------------------------------------------------

typedef struct modal { // state of a stage in modes
    lanes q[MODE_COUNT], p[MODE_COUNT];
    lanes tyre[WHEELS * TYRE_STATE_MAX];
} modal;

typedef struct modal_drive {
    lanes n[MODE_COUNT];
    lanes tyre[WHEELS * TYRE_STATE_MAX];
    lanes sum[SUM_COUNT];
    lanes_mask grounded;
} modal_drive;

static void modal_evaluate(const kernel_arguments *a, const lanes frame[9], const lanes steer[2],
                           const modal *m, modal_drive *out)
{
    stage s;
    from_modes(a->constants, m->q, s.r, s.e);
    from_modes(a->constants, m->p, s.v, s.u);
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        s.tyre[k] = m->tyre[k];
    drive d;
    stage_drive(a, frame, 0, steer, &s, &d);
    to_modes(a->constants, d.r, d.e, out->n);
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        out->tyre[k] = d.tyre[k];
    for (int k = 0; k < SUM_COUNT; k++)
        out->sum[k] = d.sum[k];
    out->grounded = d.grounded;
}

static inline lanes answer2(double a, lanes x, double b, lanes y)
{
    return lanes_fma(lanes_set(a), x, lanes_set(b) * y);
}

// Stage 2: free motion over h/2 and the answer to drive 1.
static inline void stage_2(const kernel_arguments *a, const modal *s, const modal_drive *n1,
                           modal *m)
{
    for (int k = 0; k < MODE_COUNT; k++) {
        const etd_mode *w = &a->coefficients->mode[k];
        m->q[k] = lanes_fma(lanes_set(w->second_x), n1->n[k],
                            answer2(w->half_c, s->q[k], w->half_s, s->p[k]));
        m->p[k] = lanes_fma(lanes_set(w->second_v), n1->n[k],
                            answer2(w->half_m, s->q[k], w->half_c, s->p[k]));
    }
    for (int k = 0; k < WHEELS * a->tyre_states; k++) {
        const etd_decay *w = &a->coefficients->tyre[k / WHEELS];
        m->tyre[k] = answer2(w->half, s->tyre[k], w->second, n1->tyre[k]);
    }
}

// Stage 3: free motion over h/2 and the answers to drives 1 and 2.
static inline void stage_3(const kernel_arguments *a, const modal *s, const modal_drive *n1,
                           const modal_drive *n2, modal *m)
{
    for (int k = 0; k < MODE_COUNT; k++) {
        const etd_mode *w = &a->coefficients->mode[k];
        m->q[k] = answer2(w->half_c, s->q[k], w->half_s, s->p[k]) +
                  answer2(w->third_1x, n1->n[k], w->third_2x, n2->n[k]);
        m->p[k] = answer2(w->half_m, s->q[k], w->half_c, s->p[k]) +
                  answer2(w->third_1v, n1->n[k], w->third_2v, n2->n[k]);
    }
    for (int k = 0; k < WHEELS * a->tyre_states; k++) {
        const etd_decay *w = &a->coefficients->tyre[k / WHEELS];
        m->tyre[k] = lanes_fma(lanes_set(w->half), s->tyre[k],
                               answer2(w->third_1, n1->tyre[k], w->third_2, n2->tyre[k]));
    }
}

// Stage 4: free motion over h and the answers to drives 1 and 3.
static inline void stage_4(const kernel_arguments *a, const modal *s, const modal_drive *n1,
                           const modal_drive *n3, modal *m)
{
    for (int k = 0; k < MODE_COUNT; k++) {
        const etd_mode *w = &a->coefficients->mode[k];
        m->q[k] = answer2(w->full_c, s->q[k], w->full_s, s->p[k]) +
                  answer2(w->fourth_1x, n1->n[k], w->fourth_3x, n3->n[k]);
        m->p[k] = answer2(w->full_m, s->q[k], w->full_c, s->p[k]) +
                  answer2(w->fourth_1v, n1->n[k], w->fourth_3v, n3->n[k]);
    }
    for (int k = 0; k < WHEELS * a->tyre_states; k++) {
        const etd_decay *w = &a->coefficients->tyre[k / WHEELS];
        m->tyre[k] = lanes_fma(lanes_set(w->full), s->tyre[k],
                               answer2(w->fourth_1, n1->tyre[k], w->fourth_3, n3->tyre[k]));
    }
}

static inline void full_step(const kernel_arguments *a, const modal_drive n[4], modal *m,
                             lanes sum[SUM_COUNT])
{
    for (int k = 0; k < MODE_COUNT; k++) {
        const etd_mode *w = &a->coefficients->mode[k];
        const lanes middle = n[1].n[k] + n[2].n[k], q = m->q[k], p = m->p[k];
        const lanes c = lanes_set(w->full_c);
        const lanes answer_q =
            lanes_fma(lanes_set(w->first_x), n[0].n[k],
                      lanes_fma(lanes_set(w->middle_x), middle, lanes_set(w->last_x) * n[3].n[k]));
        const lanes answer_p =
            lanes_fma(lanes_set(w->first_v), n[0].n[k],
                      lanes_fma(lanes_set(w->middle_v), middle, lanes_set(w->last_v) * n[3].n[k]));
        m->q[k] = lanes_fma(c, q, lanes_fma(lanes_set(w->full_s), p, answer_q));
        m->p[k] = lanes_fma(c, p, lanes_fma(lanes_set(w->full_m), q, answer_p));
    }
    for (int k = 0; k < WHEELS * a->tyre_states; k++) {
        const etd_decay *w = &a->coefficients->tyre[k / WHEELS];
        m->tyre[k] =
            lanes_fma(lanes_set(w->full), m->tyre[k],
                      lanes_fma(lanes_set(w->first), n[0].tyre[k],
                                lanes_fma(lanes_set(w->middle), n[1].tyre[k] + n[2].tyre[k],
                                          lanes_set(w->last) * n[3].tyre[k])));
    }
    // Weights of the modes without frequency: what changes the momentum is what is booked.
    const lanes sixth = lanes_set(a->h / 6.0), third = lanes_set(a->h / 3.0);
    for (int k = 0; k < SUM_COUNT; k++)
        sum[k] = lanes_fma(sixth, n[0].sum[k] + n[3].sum[k],
                           lanes_fma(third, n[1].sum[k] + n[2].sum[k], sum[k]));
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

// One step of all lanes. Returns which lanes had a wheel leave or meet the road on the way.
static lanes_mask exponential_step(const kernel_arguments *a, double *block, const lanes steer[2])
{
    const cosserat_constants *c = a->constants;
    const int tyre_values = WHEELS * a->tyre_states, sums = VALUE_TYRE + tyre_values;
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

    modal_evaluate(a, frame, steer, &start, &n[0]);
    stage_2(a, &start, &n[0], &at);
    modal_evaluate(a, frame, steer, &at, &n[1]);
    stage_3(a, &start, &n[0], &n[1], &at);
    modal_evaluate(a, frame, steer, &at, &n[2]);
    stage_4(a, &start, &n[0], &n[2], &at);
    modal_evaluate(a, frame, steer, &at, &n[3]);
    full_step(a, n, &start, sum);

    from_modes(c, start.q, r, e);
    from_modes(c, start.p, v, u);
    for (int i = 0; i < 3; i++)
        e[4 * i] = e[4 * i] + lanes_set(1.0);
    turn(frame, 0, e, f);
    turn(frame, 0, u, w);
    store_matrix(block, VALUE_D, f);
    store_matrix(block, VALUE_W, w);
    for (int j = 0; j < 3; j++) {
        lanes_store(block + LANES * (VALUE_R + j), r[j]);
        lanes_store(block + LANES * (VALUE_V + j), v[j]);
    }
    for (int k = 0; k < tyre_values; k++)
        lanes_store(block + LANES * (VALUE_TYRE + k), start.tyre[k]);
    for (int k = 0; k < SUM_COUNT; k++)
        lanes_store(block + LANES * (sums + k), sum[k]);
    const lanes_mask change = (n[0].grounded ^ n[1].grounded) | (n[0].grounded ^ n[2].grounded) |
                              (n[0].grounded ^ n[3].grounded);
    return (lanes_mask)(change != 0);
}

static inline int any(lanes_mask m)
{
    return (m[0] | m[1] | m[2] | m[3]) != 0;
}

enum { SPLITS = 8, HALVINGS = 14 };

// One step of one vehicle whose wheels leave or meet the road on the way: the force has a kink
// there, so the step is cut at the kink (to h/16384) and order four is kept. All lanes of block
// hold the vehicle.
static void split_step(const kernel_arguments *a, double *block, const lanes steer[2])
{
    const size_t size =
        sizeof(double) * LANES * (size_t)(VALUE_TYRE + WHEELS * a->tyre_states + SUM_COUNT);
    _Alignas(32) double trial[LANES * VALUE_MAX];
    etd_coefficients coefficients;
    kernel_arguments part = *a;
    part.coefficients = &coefficients;
    double left = a->h;
    for (int k = 0; k < SPLITS; k++) {
        double calm = 0.0, kinked = left; // no change up to calm, a change up to kinked
        for (int j = 0; j <= HALVINGS; j++) {
            part.h = j == 0 ? left : 0.5 * (calm + kinked);
            etd_coefficients_of(a->constants, a->tyre_rate, a->tyre_states, part.h, &coefficients);
            memcpy(trial, block, size);
            if (any(exponential_step(&part, trial, steer)))
                kinked = part.h;
            else
                calm = part.h;
            if (calm == left)
                break;
        }
        part.h = calm == left || k == SPLITS - 1 ? left : kinked;
        etd_coefficients_of(a->constants, a->tyre_rate, a->tyre_states, part.h, &coefficients);
        exponential_step(&part, block, steer);
        left -= part.h;
        if (left <= 0.0)
            return;
    }
}

// Takes the marked lanes of a block back to `before` and repeats their step with cuts.
static void repeat_with_splits(const kernel_arguments *a, lanes_mask marked, const double *before,
                               double *block, const lanes steer[2])
{
    const int values = VALUE_TYRE + WHEELS * a->tyre_states + SUM_COUNT;
    _Alignas(32) double one[LANES * VALUE_MAX];
    for (int lane = 0; lane < LANES; lane++) {
        if (!marked[lane])
            continue;
        for (int k = 0; k < values; k++)
            lanes_store(one + LANES * k, lanes_set(before[LANES * k + lane]));
        const lanes angle[2] = {lanes_set(steer[0][lane]), lanes_set(steer[1][lane])};
        split_step(a, one, angle);
        for (int k = 0; k < values; k++)
            block[LANES * k + lane] = one[LANES * k];
    }
}

void LANES_NAME(cosserat_exponential)(const kernel_arguments *a, double *blocks, int count,
                                      int stride, const double *steer)
{
    const size_t size =
        sizeof(double) * LANES * (size_t)(VALUE_TYRE + WHEELS * a->tyre_states + SUM_COUNT);
    for (int b = 0; b < count; b++) {
        const lanes angle[2] = {lanes_load(steer + 2 * LANES * b),
                                lanes_load(steer + 2 * LANES * b + LANES)};
        double *block = blocks + (size_t)b * (size_t)stride;
        for (int k = 0; k < a->steps; k++) {
            _Alignas(32) double before[LANES * VALUE_MAX];
            memcpy(before, block, size);
            const lanes_mask kinked = exponential_step(a, block, angle);
            if (a->constants->lift_off > 0.0 && any(kinked))
                repeat_with_splits(a, kinked, before, block, angle);
        }
    }
}

// ---- the published scheme and the plain rates --------------------------------------------------

static inline void load_stage(const kernel_arguments *a, const double *block, stage *s)
{
    load_matrix(block, VALUE_D, s->e);
    load_matrix(block, VALUE_W, s->u);
    for (int i = 0; i < 3; i++) {
        s->e[4 * i] = s->e[4 * i] - lanes_set(1.0);
        s->r[i] = lanes_load(block + LANES * (VALUE_R + i));
        s->v[i] = lanes_load(block + LANES * (VALUE_V + i));
    }
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        s->tyre[k] = lanes_load(block + LANES * (VALUE_TYRE + k));
}

// All accelerations, seen from the world frame.
static inline void whole_drive(const kernel_arguments *a, const lanes steer[2], const stage *s,
                               drive *d)
{
    lanes linear[9];
    stage_drive(a, NULL, 1, steer, s, d);
    elastic_linear(a->constants, s->e, linear);
    for (int k = 0; k < 9; k++)
        d->e[k] = d->e[k] + linear[k];
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        d->tyre[k] = d->tyre[k] - lanes_set(a->tyre_rate[k / WHEELS]) * s->tyre[k];
}

// (1.45) without contact: positions first, then velocities and lag from the new positions.
static void published_step(const kernel_arguments *a, double *block, const lanes steer[2])
{
    const lanes h = lanes_set(a->h);
    const int sums = VALUE_TYRE + WHEELS * a->tyre_states;
    for (int k = 0; k < VALUE_V; k++)
        lanes_store(block + LANES * k,
                    lanes_load(block + LANES * k) + h * lanes_load(block + LANES * (VALUE_V + k)));
    stage s;
    drive d;
    load_stage(a, block, &s);
    whole_drive(a, steer, &s, &d);
    for (int k = 0; k < 9; k++)
        s.u[k] = s.u[k] + h * d.e[k];
    store_matrix(block, VALUE_W, s.u);
    for (int j = 0; j < 3; j++)
        lanes_store(block + LANES * (VALUE_V + j), s.v[j] + h * d.r[j]);
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        lanes_store(block + LANES * (VALUE_TYRE + k), s.tyre[k] + h * d.tyre[k]);
    for (int k = 0; k < SUM_COUNT; k++)
        lanes_store(block + LANES * (sums + k),
                    lanes_load(block + LANES * (sums + k)) + h * d.sum[k]);
}

void LANES_NAME(cosserat_published)(const kernel_arguments *a, double *blocks, int count,
                                    int stride, const double *steer)
{
    for (int b = 0; b < count; b++) {
        const lanes angle[2] = {lanes_load(steer + 2 * LANES * b),
                                lanes_load(steer + 2 * LANES * b + LANES)};
        for (int k = 0; k < a->steps; k++)
            published_step(a, blocks + (size_t)b * (size_t)stride, angle);
    }
}

void LANES_NAME(cosserat_rate)(const kernel_arguments *a, const double *block, const double *steer,
                               double *rate)
{
    const lanes angle[2] = {lanes_load(steer), lanes_load(steer + LANES)};
    const int sums = VALUE_TYRE + WHEELS * a->tyre_states;
    stage s;
    drive d;
    load_stage(a, block, &s);
    whole_drive(a, angle, &s, &d);
    for (int k = 0; k < VALUE_V; k++)
        lanes_store(rate + LANES * k, lanes_load(block + LANES * (VALUE_V + k)));
    for (int j = 0; j < 3; j++)
        lanes_store(rate + LANES * (VALUE_V + j), d.r[j]);
    store_matrix(rate, VALUE_W, d.e);
    for (int k = 0; k < WHEELS * a->tyre_states; k++)
        lanes_store(rate + LANES * (VALUE_TYRE + k), d.tyre[k]);
    for (int k = 0; k < SUM_COUNT; k++)
        lanes_store(rate + LANES * (sums + k), d.sum[k]);
}
