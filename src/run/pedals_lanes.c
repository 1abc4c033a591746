// pedals_lanes.c - the inner loop of four cars at a time; see pedals.h and control/inner.c.
#include "run/pedals.h"

#include "num/lanes.h"

_Static_assert(sizeof(mc_inputs) == 4 * sizeof(double), "a row of four");
_Static_assert(offsetof(mc_motion, a) == 6 * sizeof(double), "two rows of four that share v");
_Static_assert(offsetof(inner_state, saturated) == sizeof(int), "two whole numbers in one word");

#define FOUR_OF(p, field) ((lanes){(p)[0].field, (p)[1].field, (p)[2].field, (p)[3].field})

// Pedal in use (low half) and whether it is at an end (high half).
static inline long long word_of(const inner_state *s)
{
    long long word;
    memcpy(&word, &s->mode, sizeof word);
    return word;
}

static inline lanes_mask words_of(const run_car *c)
{
    return (lanes_mask){word_of(&c[0].inner), word_of(&c[1].inner), word_of(&c[2].inner),
                        word_of(&c[3].inner)};
}

static inline lanes_mask all(long long a)
{
    return (lanes_mask){a, a, a, a};
}

// ---- what is asked for ----

static inline lanes ask_four(const double *p, run_car *c, lanes v, lanes want, double dt)
{
    const lanes before = FOUR_OF(c, inner.desired), trim = FOUR_OF(c, inner.trim);
    const lanes measured = (v - FOUR_OF(c, v_before)) / lanes_set(dt);
    lanes desired = lanes_min(lanes_max(want, FOUR_OF(c, min_a)), FOUR_OF(c, max_a));
    if (p[INNER_JERK_MAX] > 0.0) {
        const lanes change = lanes_set(p[INNER_JERK_MAX] * dt);
        desired = lanes_min(lanes_max(desired, before - change), before + change);
    }
    const lanes max = lanes_set(p[INNER_TRIM_MAX]);
    const lanes moved = trim + lanes_set(dt * p[INNER_TRIM_RATE]) * (before - measured);
    const lanes learned = lanes_min(lanes_max(moved, -max), max);
    const lanes_mask saturated = (lanes_mask)(words_of(c) >= all(1LL << 32));
    const lanes now = lanes_select(saturated, trim, learned);
    for (int l = 0; l < LANES; l++) {
        c[l].inner.trim = now[l];
        c[l].inner.desired = desired[l];
    }
    return desired + now;
}

void LANES_NAME(run_ask)(const run_pedals *t, const double *desired, double *asked)
{
    const lanes speed = lanes_set(t->speed), gain = lanes_set(RUN_SPEED_GAIN);
    for (int k = 0; k + LANES <= t->count; k += LANES) {
        const lanes v = FOUR_OF(t->motion + k, v);
        lanes want = lanes_load_anywhere(desired + k);
        if (t->speed < HUGE_VAL)
            want = lanes_min(want, gain * (speed - v));
        lanes_store_anywhere(asked + k, ask_four(t->p, t->cars + k, v, want, t->dt));
    }
}

// ---- pedals ----

typedef struct moves { // motions of four cars, as columns
    lanes y, psi, v, v_y, yaw_rate;
} moves;

static inline moves moves_of(const mc_motion *m)
{
    lanes low[LANES], high[LANES];
    for (int l = 0; l < LANES; l++) {
        low[l] = lanes_load_anywhere(&m[l].x);
        high[l] = lanes_load_anywhere(&m[l].v);
    }
    lanes_turn(low);
    lanes_turn(high);
    return (moves){low[1], low[2], low[3], high[1], high[2]};
}

// Cars that are not exactly straight in the middle of their lane; see run_aside.
static inline int turning(const run_car *c, const moves *m)
{
    const unsigned steered = RUN_STEERS | RUN_CHANGES;
    const lanes_mask sign = all(0x7fffffffffffffff);
    const lanes_mask bent =
        ((lanes_mask)m->psi | (lanes_mask)m->v_y | (lanes_mask)m->yaw_rate) & sign;
    const lanes_mask aside = ~(lanes_mask)(m->y == FOUR_OF(c, lane_y));
    int out = lanes_bits(aside | (lanes_mask)(bent != all(0)));
    if ((c[0].flags | c[1].flags | c[2].flags | c[3].flags) & steered)
        for (int l = 0; l < LANES; l++)
            out |= c[l].flags & steered ? 1 << l : 0;
    return out;
}

// As STAND_SPEED and STAND_DESIRED of inner.c.
static inline lanes_mask stands(lanes v, lanes desired)
{
    return (lanes_mask)(lanes_abs(v) < lanes_set(INNER_STAND_SPEED)) &
           (lanes_mask)(desired < lanes_set(INNER_STAND_DESIRED));
}

int LANES_NAME(run_act)(const run_pedals *t, int from, const double *asked, const mc_plan *plan)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    run_car *c = t->cars + from;
    plan += from;
    const moves m = moves_of(t->motion + from);
    const lanes desired = FOUR_OF(c, inner.desired), slack = FOUR_OF(c, inner.slack);
    const lanes_mask braking = (words_of(c) & all(0xffffffff)) != all(INNER_THROTTLE);
    const lanes above = lanes_load_anywhere(asked + from) - FOUR_OF(plan, coast);
    const lanes beyond = lanes_select(braking, above, -above);
    if (lanes_bits((lanes_mask)(beyond > lanes_set(t->p[INNER_HYSTERESIS])) |
                   (lanes_mask)(slack > zero) | stands(m.v, desired)))
        return RUN_NOT_DONE;
    const lanes throttle = lanes_select(braking, zero, FOUR_OF(plan, throttle));
    const lanes brake = lanes_select(braking, FOUR_OF(plan, brake), zero);
    const lanes pedal = lanes_select(braking, brake, throttle);
    const int end = lanes_bits((lanes_mask)(pedal <= zero) | (lanes_mask)(pedal >= one));
    const int turns = turning(c, &m);
    lanes rows[LANES] = {throttle, brake, zero, desired};
    lanes_turn(rows);
    mc_inputs *in = t->inputs + from;
#pragma GCC unroll 4
    for (int l = 0; l < LANES; l++) {
        const double steer = turns >> l & 1 ? in[l].steer : 0.0;
        lanes_store_anywhere(&in[l].throttle, rows[l]);
        in[l].steer = steer;
        c[l].inner.saturated = end >> l & 1;
    }
    return turns;
}
