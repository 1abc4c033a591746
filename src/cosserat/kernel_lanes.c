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
// not by the elastic frequencies. Directors 4 to 7 (higher.h) add twelve more modes.
#include "cosserat/higher_lanes.h"
#include "cosserat/road_lanes.h"
#include "parts/running_gear_lanes.h"

#include <stddef.h>
#include <string.h>

// Steps are cut into parts over which the fastest elastic mode turns by no more than this, rad:
// where the chassis yields, and where it has yielded by more than DEFORMED. Found by trial: at a
// plastic strain of 0.35 a step of 2.8 rad is unstable, and one of 1.4 damps.
#define YIELD_PHASE 0.2
#define DEFORMED_PHASE 0.7
#define DEFORMED 0.05

// higher_shift() of a stage that is seen from a frame.
static inline lanes *turned_shift(const wide *c, const lanes frame[9], int identity, const stage *s,
                                  lanes shift[4 * WHEELS])
{
    lanes g[HIGHER_SIZE], u[HIGHER_SIZE];
    if (!identity) {
        higher_turn(frame, s->g, g);
        higher_turn(frame, s->g_u, u);
    }
    higher_shift(c, identity ? s->g : g, identity ? s->g_u : u, shift);
    return shift;
}

// A chassis with seven directors pays for its bending, one with three must not: what asks for
// `seven` is compiled once for each, with that a constant.
#define FOR_EACH_KIND static inline __attribute__((always_inline))

// Everything that drives the modes at one stage. plastic: state of the chassis at the start of the
// step, or NULL. wheels: what they do there.
FOR_EACH_KIND void stage_drive(const wide *c, const bool seven, const lanes frame[9], int identity,
                               const lanes input[INPUT_COUNT], const stage *s, const lanes *tyre,
                               const double *plastic, drive *out, stage_rates *rates,
                               wheel_values *wheels)
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

    lanes velocity[3 * WHEELS], heading[4], room[4 * WHEELS], *shift = NULL;
    if (seven)
        shift = turned_shift(c, frame, identity, s, room);
    road_asked room_road, *asked = NULL;
    lanes rate[WHEELS];
    if (a->road) {
        lanes f[6];
        for (int k = 0; k < 6; k++)
            f[k] = identity ? shape[k] : dot3(frame + k / 3 * 3, 1, shape + k % 3, 3);
        ask_road(c, s->r, f, input, &room_road);
        asked = &room_road;
    }
    wheel_kinematics(c, s, f_row3, w, d1, input, shift, asked, rate, wheels, velocity, heading,
                     &rates->sum[SUM_DAMPED], &rates->grounded);
    if (a->suspension)
        other_springs(c, s, f_row3, rate, shift, asked, wheels, &rates->sum[SUM_DAMPED],
                      &rates->grounded);
    lanes slipped = lanes_set(0.0);
    if (a->drive) {
        const lanes place[2] = {lanes_fma(c->axle_x[0], d1[0], s->r[0]),
                                lanes_fma(c->axle_x[1], d1[0], s->r[0])};
        const gear_contact_lanes at = {wheels->fz, wheels->v_x, wheels->v_y, wheels->fx,
                                       wheels->fy};
        _Alignas(64) double room_mu[WHEELS * LANES];
        const double *mu =
            asked ? asked->mu : gear_friction_lanes(a->drive->road, AXLES, place, room_mu);
        gear_turn_lanes(a->drive, AXLES, a->tyre_states, input[INPUT_THROTTLE], input[INPUT_BRAKE],
                        tyre, mu, &at, rates->tyre, rates->sum, &slipped);
    } else {
        _Alignas(64) double side[WHEELS * LANES];
        for (int q = 0; q < WHEELS; q++)
            lanes_store(side + LANES * q, lanes_set(gear_side[q]));
        const tyre_in in = {.fz = wheels->fz,
                            .v_x = wheels->v_x,
                            .v_y = wheels->v_y,
                            .context = a->tyre_context,
                            .mu = asked ? asked->mu : NULL,
                            .side = side};
        a->tyre(a->tyre_p, WHEELS * LANES, &in, (const double *)tyre, (double *)rates->tyre,
                &(tyre_out){.fx = wheels->fx, .fy = wheels->fy});
    }

    lanes each[WHEELS][3], force[3], director[9];
    road_forces(c, wheels, velocity, heading, each, force, director, &slipped);
    if (asked)
        slope_forces(c, wheels, asked, force, director);
    for (int j = 0; j < 3; j++) {
        rates->sum[SUM_IMPULSE + j] = force[j];
        out->r[j] = force[j] * c->mass_inverse;
    }
    out->r[2] = out->r[2] - c->gravity;
    rates->sum[SUM_SLIPPED] = slipped;
    if (a->drive)
        gear_body_lanes(a->drive, a->constants->mass, a->constants->gravity,
                        asked ? asked->pull : NULL, s->r, s->v, out->r, rates->sum);

    elastic_remainder(c, s->e, out->e);
    for (int i = 0; i < 3; i++) {
        const lanes inverse = c->my_inverse[i];
        for (int k = 0; k < 3; k++) {
            const lanes seen = identity ? director[3 * k + i] : dot3(frame + k, 3, director + i, 3);
            out->e[3 * k + i] = lanes_fma(inverse, seen, out->e[3 * k + i]);
        }
    }
    if (plastic)
        add_plastic(c, s->e, plastic, out->e);
    if (seven) {
        higher_remainder(c, s->e, s->g, out->e, out->g);
        higher_road(c, each, frame, identity, out->g);
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
    lanes q[MODE_MAX], p[MODE_MAX];
    lanes tyre[DECAYING_MAX];
} modal;

typedef struct modal_drive {
    lanes n[MODE_MAX];
    stage_rates rates;
} modal_drive;

FOR_EACH_KIND void evaluate(const wide *c, const bool seven, const lanes frame[9],
                            const lanes input[INPUT_COUNT], const double *plastic, const modal *m,
                            modal_drive *out)
{
    stage s;
    drive d;
    wheel_values unseen;
    from_modes(c, m->q, s.r, s.e);
    from_modes(c, m->p, s.v, s.u);
    if (seven) {
        higher_from_modes(c, m->q + MODE_COUNT, s.g);
        higher_from_modes(c, m->p + MODE_COUNT, s.g_u);
    }
    stage_drive(c, seven, frame, 0, input, &s, m->tyre, plastic, &d, &out->rates, &unseen);
    to_modes(c, d.r, d.e, out->n);
    if (seven)
        higher_to_modes(c, d.g, out->n + MODE_COUNT);
}

static void evaluate_three(const wide *c, const lanes frame[9], const lanes input[INPUT_COUNT],
                           const double *plastic, const modal *m, modal_drive *out)
{
    evaluate(c, false, frame, input, plastic, m, out);
}

static void evaluate_seven(const wide *c, const lanes frame[9], const lanes input[INPUT_COUNT],
                           const double *plastic, const modal *m, modal_drive *out)
{
    evaluate(c, true, frame, input, plastic, m, out);
}

// Coefficients of decaying value k: states of wheels four by four, then the extra values.
static inline const wide_decay *decay_of(const wide *c, int k)
{
    const int wheels = WHEELS * c->a->tyre_states;
    return &c->tyre[k < wheels ? k / WHEELS : c->a->tyre_states + k - wheels];
}

static inline lanes sum2(lanes a, lanes x, lanes b, lanes y)
{
    return lanes_fma(a, x, b * y);
}

// The stages below come in two kinds of modes: those without a frequency (translations, rotations),
// whose coefficients are powers of h, and the elastic ones. The six of directors 1 to 3 have a loop
// of known length.

// Stage 2: free motion over h/2 and the answer to drive 1.
static inline void mode_2(const wide *c, int k, const modal *s, const modal_drive *n1, modal *m)
{
    const wide_mode *w = &c->mode[k - FREE_MODES];
    m->q[k] = lanes_fma(w->second_x, n1->n[k], sum2(w->half_c, s->q[k], w->half_s, s->p[k]));
    m->p[k] = lanes_fma(w->second_v, n1->n[k], sum2(w->half_m, s->q[k], w->half_c, s->p[k]));
}

FOR_EACH_KIND void stage_2(const wide *c, const bool seven, const modal *s, const modal_drive *n1,
                           modal *m)
{
    for (int k = 0; k < FREE_MODES; k++) {
        m->q[k] = s->q[k] + sum2(c->h_half, s->p[k], c->hh_8, n1->n[k]);
        m->p[k] = lanes_fma(c->h_half, n1->n[k], s->p[k]);
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++)
        mode_2(c, k, s, n1, m);
    for (int k = MODE_COUNT; seven && k < MODE_MAX; k++)
        mode_2(c, k, s, n1, m);
    for (int k = 0; k < kernel_decaying(c->a); k++) {
        const wide_decay *w = decay_of(c, k);
        m->tyre[k] = sum2(w->half, s->tyre[k], w->second, n1->rates.tyre[k]);
    }
}

// Stage 3: free motion over h/2 and the answers to drives 1 and 2.
static inline void mode_3(const wide *c, int k, const modal *s, const modal_drive *n1,
                          const modal_drive *n2, modal *m)
{
    const wide_mode *w = &c->mode[k - FREE_MODES];
    m->q[k] = sum2(w->half_c, s->q[k], w->half_s, s->p[k]) +
              sum2(w->third_1x, n1->n[k], w->third_2x, n2->n[k]);
    m->p[k] = sum2(w->half_m, s->q[k], w->half_c, s->p[k]) +
              sum2(w->third_1v, n1->n[k], w->third_2v, n2->n[k]);
}

FOR_EACH_KIND void stage_3(const wide *c, const bool seven, const modal *s, const modal_drive *n1,
                           const modal_drive *n2, modal *m)
{
    for (int k = 0; k < FREE_MODES; k++) {
        m->q[k] =
            lanes_fma(c->h_half, s->p[k], s->q[k]) + sum2(c->hh_24, n1->n[k], c->hh_12, n2->n[k]);
        m->p[k] = lanes_fma(c->h_half, n2->n[k], s->p[k]);
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++)
        mode_3(c, k, s, n1, n2, m);
    for (int k = MODE_COUNT; seven && k < MODE_MAX; k++)
        mode_3(c, k, s, n1, n2, m);
    for (int k = 0; k < kernel_decaying(c->a); k++) {
        const wide_decay *w = decay_of(c, k);
        m->tyre[k] = lanes_fma(w->half, s->tyre[k],
                               sum2(w->third_1, n1->rates.tyre[k], w->third_2, n2->rates.tyre[k]));
    }
}

// Stage 4: free motion over h and the answers to drives 1 and 3.
static inline void mode_4(const wide *c, int k, const modal *s, const modal_drive *n1,
                          const modal_drive *n3, modal *m)
{
    const wide_mode *w = &c->mode[k - FREE_MODES];
    m->q[k] = sum2(w->full_c, s->q[k], w->full_s, s->p[k]) +
              sum2(w->fourth_1x, n1->n[k], w->fourth_3x, n3->n[k]);
    m->p[k] = sum2(w->full_m, s->q[k], w->full_c, s->p[k]) +
              sum2(w->fourth_1v, n1->n[k], w->fourth_3v, n3->n[k]);
}

FOR_EACH_KIND void stage_4(const wide *c, const bool seven, const modal *s, const modal_drive *n1,
                           const modal_drive *n3, modal *m)
{
    for (int k = 0; k < FREE_MODES; k++) {
        m->q[k] =
            lanes_fma(c->h, s->p[k], s->q[k]) + sum2(c->hh_sixth, n1->n[k], c->hh_third, n3->n[k]);
        m->p[k] = lanes_fma(c->h, n3->n[k], s->p[k]);
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++)
        mode_4(c, k, s, n1, n3, m);
    for (int k = MODE_COUNT; seven && k < MODE_MAX; k++)
        mode_4(c, k, s, n1, n3, m);
    for (int k = 0; k < kernel_decaying(c->a); k++) {
        const wide_decay *w = decay_of(c, k);
        m->tyre[k] =
            lanes_fma(w->full, s->tyre[k],
                      sum2(w->fourth_1, n1->rates.tyre[k], w->fourth_3, n3->rates.tyre[k]));
    }
}

static inline void mode_step(const wide *c, int k, const modal_drive n[4], modal *m)
{
    const wide_mode *w = &c->mode[k - FREE_MODES];
    const lanes middle = n[1].n[k] + n[2].n[k], q = m->q[k], p = m->p[k];
    const lanes answer_q =
        lanes_fma(w->first_x, n[0].n[k], sum2(w->middle_x, middle, w->last_x, n[3].n[k]));
    const lanes answer_p =
        lanes_fma(w->first_v, n[0].n[k], sum2(w->middle_v, middle, w->last_v, n[3].n[k]));
    m->q[k] = lanes_fma(w->full_c, q, lanes_fma(w->full_s, p, answer_q));
    m->p[k] = lanes_fma(w->full_c, p, lanes_fma(w->full_m, q, answer_p));
}

FOR_EACH_KIND void full_step(const wide *c, const bool seven, const modal_drive n[4], modal *m,
                             lanes sum[SUM_MAX])
{
    for (int k = 0; k < FREE_MODES; k++) {
        const lanes middle = n[1].n[k] + n[2].n[k], q = m->q[k], p = m->p[k];
        m->q[k] = lanes_fma(c->h, p, lanes_fma(c->hh_sixth, n[0].n[k] + middle, q));
        m->p[k] = lanes_fma(c->h_third, middle, lanes_fma(c->h_sixth, n[0].n[k] + n[3].n[k], p));
    }
    for (int k = FREE_MODES; k < MODE_COUNT; k++)
        mode_step(c, k, n, m);
    for (int k = MODE_COUNT; seven && k < MODE_MAX; k++)
        mode_step(c, k, n, m);
    for (int k = 0; k < kernel_decaying(c->a); k++) {
        const wide_decay *w = decay_of(c, k);
        const lanes middle = n[1].rates.tyre[k] + n[2].rates.tyre[k];
        m->tyre[k] = sum2(w->full, m->tyre[k], w->first, n[0].rates.tyre[k]) +
                     sum2(w->middle, middle, w->last, n[3].rates.tyre[k]);
    }
    // The weights of the velocity: what changes the momentum is what is booked.
    for (int k = 0; k < c->a->sum_count; k++)
        sum[k] = lanes_fma(c->h_sixth, n[0].rates.sum[k] + n[3].rates.sum[k],
                           lanes_fma(c->h_third, n[1].rates.sum[k] + n[2].rates.sum[k], sum[k]));
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

static inline void load_inputs(const double *inputs, lanes input[INPUT_COUNT])
{
    for (int k = 0; k < INPUT_COUNT; k++)
        input[k] = lanes_load(inputs + LANES * k);
}

// Directors 4 to 7 of a block as modes, and back.
static inline void higher_start(const wide *c, const double *block, const lanes back[9], modal *m)
{
    const lanes *g = (const lanes *)(const void *)(block + LANES * tail_place(c->a));
    lanes seen[HIGHER_SIZE];
    higher_turn(back, g, seen);
    higher_to_modes(c, seen, m->q + MODE_COUNT);
    higher_turn(back, g + HIGHER_SIZE, seen);
    higher_to_modes(c, seen, m->p + MODE_COUNT);
}

static inline void higher_end(const wide *c, const modal *m, const lanes frame[9], double *block)
{
    lanes *g = (lanes *)(void *)(block + LANES * tail_place(c->a));
    lanes seen[HIGHER_SIZE];
    higher_from_modes(c, m->q + MODE_COUNT, seen);
    higher_turn(frame, seen, g);
    higher_from_modes(c, m->p + MODE_COUNT, seen);
    higher_turn(frame, seen, g + HIGHER_SIZE);
}

// One step of all lanes, from one block to another. Returns which lanes had a wheel leave or meet
// the road on the way.
FOR_EACH_KIND lanes_mask step_of(const wide *c, const bool seven, const double *block, double *to,
                                 const lanes input[INPUT_COUNT])
{
    const int tyre_values = kernel_decaying(c->a), sums = VALUE_TYRE + tyre_values;
    const double *plastic = c->a->plastic ? block + LANES * tail_place(c->a) : NULL;
    lanes f[9], w[9], frame[9], back[9], e[9], u[9], r[3], v[3], sum[SUM_MAX];
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

    void (*const modal_evaluate)(const wide *, const lanes *, const lanes *, const double *,
                                 const modal *, modal_drive *) =
        seven ? evaluate_seven : evaluate_three;
    modal start, at;
    modal_drive n[4];
    to_modes(c, r, e, start.q);
    to_modes(c, v, u, start.p);
    if (seven)
        higher_start(c, block, back, &start);
    for (int k = 0; k < tyre_values; k++)
        start.tyre[k] = lanes_load(block + LANES * (VALUE_TYRE + k));
    for (int k = 0; k < c->a->sum_count; k++)
        sum[k] = lanes_load(block + LANES * (sums + k));

    modal_evaluate(c, frame, input, plastic, &start, &n[0]);
    stage_2(c, seven, &start, &n[0], &at);
    modal_evaluate(c, frame, input, plastic, &at, &n[1]);
    stage_3(c, seven, &start, &n[0], &n[1], &at);
    modal_evaluate(c, frame, input, plastic, &at, &n[2]);
    stage_4(c, seven, &start, &n[0], &n[2], &at);
    modal_evaluate(c, frame, input, plastic, &at, &n[3]);
    full_step(c, seven, n, &start, sum);

    from_modes(c, start.q, r, e);
    from_modes(c, start.p, v, u);
    if (plastic) {
        plastic_yield *const yield = LANES_NAME(plastic_yield);
        yield(c->a->plastic, (const double *)e, plastic, to + LANES * tail_place(c->a), NULL);
    }
    for (int i = 0; i < 3; i++)
        e[4 * i] = e[4 * i] + lanes_set(1.0);
    turn(frame, 0, e, f);
    turn(frame, 0, u, w);
    if (seven)
        higher_end(c, &start, frame, to);
    store_matrix(to, VALUE_D, f);
    store_matrix(to, VALUE_W, w);
    for (int j = 0; j < 3; j++) {
        lanes_store(to + LANES * (VALUE_R + j), r[j]);
        lanes_store(to + LANES * (VALUE_V + j), v[j]);
    }
    for (int k = 0; k < tyre_values; k++)
        lanes_store(to + LANES * (VALUE_TYRE + k), start.tyre[k]);
    for (int k = 0; k < c->a->sum_count; k++)
        lanes_store(to + LANES * (sums + k), sum[k]);
    const lanes_mask change = (n[0].rates.grounded ^ n[1].rates.grounded) |
                              (n[0].rates.grounded ^ n[2].rates.grounded) |
                              (n[0].rates.grounded ^ n[3].rates.grounded);
    return (lanes_mask)(change != 0);
}

static lanes_mask step_three(const wide *c, const double *block, double *to,
                             const lanes input[INPUT_COUNT])
{
    return step_of(c, false, block, to, input);
}

static lanes_mask step_seven(const wide *c, const double *block, double *to,
                             const lanes input[INPUT_COUNT])
{
    return step_of(c, true, block, to, input);
}

static inline lanes_mask exponential_step(const wide *c, const double *block, double *to,
                                          const lanes input[INPUT_COUNT])
{
    return c->a->constants->seven ? step_seven(c, block, to, input)
                                  : step_three(c, block, to, input);
}

static inline size_t block_size(const kernel_arguments *a)
{
    return sizeof(double) * LANES * (size_t)value_count(a);
}

static void set_step(wide *c, double h)
{
    etd_coefficients coefficients;
    etd_coefficients_of(c->a->constants, c->a->tyre_rate, c->a->tyre_states + c->a->extra_states, h,
                        &coefficients);
    widen_step(c, &coefficients, h);
}

enum { SPLITS = 8, HALVINGS = 14, SPIN_PARTS = 16, YIELD_PARTS = 64 };

// One step of one vehicle whose wheels leave or meet the road on the way: the force has a kink
// there, so the step is cut at the kink (to h/16384) and order four is kept. All lanes of block
// hold the vehicle.
static void split_step(const wide *c, double *block, const lanes input[INPUT_COUNT])
{
    _Alignas(64) double trial[LANES * VALUE_MAX];
    wide part = *c;
    double left = c->h[0];
    for (int k = 0; k < SPLITS; k++) {
        double calm = 0.0, kinked = left; // no change up to calm, a change up to kinked
        for (int j = 0; j <= HALVINGS && calm < left; j++) {
            const double h = j == 0 ? left : 0.5 * (calm + kinked);
            set_step(&part, h);
            if (lanes_bits(exponential_step(&part, block, trial, input)))
                kinked = h;
            else
                calm = h;
        }
        const double h = calm == left || k == SPLITS - 1 ? left : kinked;
        set_step(&part, h);
        exponential_step(&part, block, block, input);
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

// Maximum phase angle of the fastest mode in a step that takes a plastic chassis from one block to
// another: no limit where it has hardly yielded and does not yield now.
static inline lanes phase_limit(const kernel_arguments *a, const double *from, const double *to)
{
    const int place = LANES * (tail_place(a) + PLASTIC_ALPHA);
    const lanes before = lanes_load(from + place), after = lanes_load(to + place);
    const lanes deformed = lanes_select((lanes_mask)(before > lanes_set(DEFORMED)),
                                        lanes_set(DEFORMED_PHASE), lanes_set(HUGE_VAL));
    return lanes_select((lanes_mask)(after > before), lanes_set(YIELD_PHASE), deformed);
}

static inline lanes_mask phase_exceeded(const wide *c, const double *from, const double *to)
{
    if (!c->a->plastic)
        return (lanes_mask){0};
    const lanes phase = c->h * lanes_set(c->a->constants->max_omega);
    return (lanes_mask)(phase > phase_limit(c->a, from, to));
}

// One step of one vehicle that turns fast, yields or meets a kink. The frame is fixed during a
// step, so the remainder of the elastic forces grows as spin w^2 h: the step is cut until spin w^2
// h^3 is small. Yield undoes the elastic force that the scheme takes for linear; it is sampled
// finely.
static void careful_step(const wide *c, double *block, const lanes input[INPUT_COUNT])
{
    const double excess = sqrt(spin_square(block)[0] / c->max_spin_square[0]);
    int parts = (int)fmin(fmax(ceil(cbrt(excess)), 1.0), SPIN_PARTS);
    _Alignas(64) double trial[LANES * VALUE_MAX];
    if (c->a->plastic) {
        exponential_step(c, block, trial, input);
        const double phase = c->a->constants->max_omega * c->h[0];
        const double phases = ceil(phase / phase_limit(c->a, block, trial)[0]);
        parts = (int)fmin(fmax(phases, parts), YIELD_PARTS);
    }
    wide part = *c;
    if (parts > 1)
        set_step(&part, c->h[0] / parts);
    for (int k = 0; k < parts; k++) {
        if (lanes_bits(exponential_step(&part, block, trial, input)) && c->a->constants->lifts_off)
            split_step(&part, block, input);
        else
            memcpy(block, trial, block_size(c->a));
    }
}

// Does the step of the marked lanes again from `before`, carefully.
static void repeat_carefully(const wide *c, lanes_mask marked, const double *before, double *block,
                             const lanes input[INPUT_COUNT])
{
    const int values = value_count(c->a);
    _Alignas(64) double one[LANES * VALUE_MAX];
    for (int lane = 0; lane < LANES; lane++) {
        if (!marked[lane])
            continue;
        for (int k = 0; k < values; k++)
            lanes_store(one + LANES * k, lanes_set(before[LANES * k + lane]));
        lanes alone[INPUT_COUNT];
        for (int k = 0; k < INPUT_COUNT; k++)
            alone[k] = lanes_set(input[k][lane]);
        careful_step(c, one, alone);
        for (int k = 0; k < values; k++)
            block[LANES * k + lane] = one[LANES * k];
    }
}

void LANES_NAME(cosserat_exponential)(const kernel_arguments *a, double *blocks, int count,
                                      int stride, const double *inputs)
{
    const unsigned mode = lanes_flush_begin();
    wide c;
    widen(a, &c);
    const long long lifts_off = a->constants->lifts_off ? -1 : 0;
    for (int b = 0; b < count; b++) {
        lanes input[INPUT_COUNT];
        load_inputs(inputs + INPUT_COUNT * LANES * b, input);
        double *block = blocks + (size_t)b * (size_t)stride;
        // To and fro between two blocks, so that a step can be done again.
        _Alignas(64) double other[LANES * VALUE_MAX];
        double *from = block, *to = other;
        for (int k = 0; k < a->steps; k++) {
            const lanes_mask fast = (lanes_mask)(spin_square(from) > c.max_spin_square);
            const lanes_mask kinked = exponential_step(&c, from, to, input) & lifts_off;
            const lanes_mask marked = kinked | fast | phase_exceeded(&c, from, to);
            if (lanes_bits(marked))
                repeat_carefully(&c, marked, from, to, input);
            double *swap = from;
            from = to, to = swap;
        }
        if (from != block)
            memcpy(block, from, block_size(a));
    }
    lanes_flush_end(mode);
}

// ---- the published scheme and the plain rates ----
#if !defined LANES_WIDE
static inline void load_stage(const wide *c, const double *block, stage *s)
{
    const lanes *g = (const lanes *)(const void *)(block + LANES * tail_place(c->a));
    for (int k = 0; k < HIGHER_SIZE && c->a->constants->seven; k++) {
        s->g[k] = g[k];
        s->g_u[k] = g[HIGHER_SIZE + k];
    }
    load_matrix(block, VALUE_D, s->e);
    load_matrix(block, VALUE_W, s->u);
    for (int i = 0; i < 3; i++) {
        s->e[4 * i] = s->e[4 * i] - lanes_set(1.0);
        s->r[i] = lanes_load(block + LANES * (VALUE_R + i));
        s->v[i] = lanes_load(block + LANES * (VALUE_V + i));
    }
}

// All accelerations and rates, seen from the world frame.
static inline void whole_drive(const wide *c, const lanes input[INPUT_COUNT], const stage *s,
                               const double *block, drive *d, stage_rates *rates,
                               wheel_values *wheels)
{
    const lanes *tyre = (const lanes *)(const void *)(block + LANES * VALUE_TYRE);
    const double *plastic = c->a->plastic ? block + LANES * tail_place(c->a) : NULL;
    lanes linear[9];
    stage_drive(c, c->a->constants->seven, NULL, 1, input, s, tyre, plastic, d, rates, wheels);
    elastic_linear(c, s->e, linear);
    for (int k = 0; k < 9; k++)
        d->e[k] = d->e[k] + linear[k];
    if (c->a->constants->seven) {
        lanes bending[HIGHER_SIZE];
        higher_linear(c, s->g, bending);
        for (int k = 0; k < HIGHER_SIZE; k++)
            d->g[k] = d->g[k] + bending[k];
    }
    for (int k = 0; k < kernel_decaying(c->a); k++)
        rates->tyre[k] =
            rates->tyre[k] - lanes_set(c->a->tyre_rate[decay_of(c, k) - c->tyre]) * tyre[k];
}

// (1.45) without contact: positions first, then velocities and lag from the new positions.
static void published_step(const wide *c, double *block, const lanes input[INPUT_COUNT])
{
    const kernel_arguments *a = c->a;
    const lanes h = c->h;
    const int sums = VALUE_TYRE + kernel_decaying(a);
    for (int k = 0; k < VALUE_V; k++)
        lanes_store(block + LANES * k,
                    lanes_load(block + LANES * k) + h * lanes_load(block + LANES * (VALUE_V + k)));
    stage s;
    drive d;
    stage_rates rates;
    wheel_values unseen;
    load_stage(c, block, &s);
    whole_drive(c, input, &s, block, &d, &rates, &unseen);
    for (int k = 0; k < 9; k++)
        s.u[k] = s.u[k] + h * d.e[k];
    store_matrix(block, VALUE_W, s.u);
    for (int j = 0; j < 3; j++)
        lanes_store(block + LANES * (VALUE_V + j), s.v[j] + h * d.r[j]);
    for (int k = 0; k < kernel_decaying(a); k++)
        lanes_store(block + LANES * (VALUE_TYRE + k),
                    lanes_load(block + LANES * (VALUE_TYRE + k)) + h * rates.tyre[k]);
    for (int k = 0; k < a->sum_count; k++)
        lanes_store(block + LANES * (sums + k),
                    lanes_load(block + LANES * (sums + k)) + h * rates.sum[k]);
    if (a->plastic) {
        plastic_yield *const yield = LANES_NAME(plastic_yield);
        double *plastic = block + LANES * tail_place(a);
        yield(a->plastic, (const double *)s.e, plastic, plastic, NULL);
    }
}

void LANES_NAME(cosserat_published)(const kernel_arguments *a, double *blocks, int count,
                                    int stride, const double *inputs)
{
    const unsigned mode = lanes_flush_begin();
    wide c;
    widen(a, &c);
    for (int b = 0; b < count; b++) {
        lanes input[INPUT_COUNT];
        load_inputs(inputs + INPUT_COUNT * LANES * b, input);
        for (int k = 0; k < a->steps; k++)
            published_step(&c, blocks + (size_t)b * (size_t)stride, input);
    }
    lanes_flush_end(mode);
}

void LANES_NAME(cosserat_rate)(const kernel_arguments *a, const double *block, const double *inputs,
                               double *rate)
{
    const int sums = VALUE_TYRE + kernel_decaying(a);
    lanes input[INPUT_COUNT];
    load_inputs(inputs, input);
    wide c;
    stage s;
    drive d;
    stage_rates rates;
    wheel_values unseen;
    widen(a, &c);
    load_stage(&c, block, &s);
    whole_drive(&c, input, &s, block, &d, &rates, &unseen);
    for (int k = 0; k < VALUE_V; k++)
        lanes_store(rate + LANES * k, lanes_load(block + LANES * (VALUE_V + k)));
    for (int j = 0; j < 3; j++)
        lanes_store(rate + LANES * (VALUE_V + j), d.r[j]);
    store_matrix(rate, VALUE_W, d.e);
    for (int k = 0; k < kernel_decaying(a); k++)
        lanes_store(rate + LANES * (VALUE_TYRE + k), rates.tyre[k]);
    for (int k = 0; k < a->sum_count; k++)
        lanes_store(rate + LANES * (sums + k), rates.sum[k]);
    const int tail = tail_place(a);
    for (int k = tail; k < value_count(a) && a->plastic; k++)
        lanes_store(rate + LANES * k, lanes_set(0.0)); // follows the shape, has no rate of its own
    for (int k = 0; k < HIGHER_SIZE && a->constants->seven; k++) {
        lanes_store(rate + LANES * (tail + k), s.g_u[k]);
        lanes_store(rate + LANES * (tail + HIGHER_SIZE + k), d.g[k]);
    }
}

void LANES_NAME(cosserat_wheels)(const kernel_arguments *a, const double *block,
                                 const double *inputs, cosserat_tread *out)
{
    lanes input[INPUT_COUNT];
    load_inputs(inputs, input);
    wide c;
    stage s;
    drive d;
    stage_rates rates;
    wheel_values wheels;
    widen(a, &c);
    load_stage(&c, block, &s);
    whole_drive(&c, input, &s, block, &d, &rates, &wheels);
    memcpy(out->fx, wheels.fx, sizeof out->fx);
    memcpy(out->fy, wheels.fy, sizeof out->fy);
    memcpy(out->fz, wheels.fz, sizeof out->fz);
}
#endif
