// run_sense_lanes.c - what cars that drive one behind the other know; run_sense.c in lanes.
#include "sim/run.h"

#include "num/lanes.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

// A value of four neighbours, or of the last one again, in an array of structures.
#define FOUR_OF(p, field) ((lanes){(p)[0].field, (p)[i].field, (p)[j].field, (p)[k].field})

static ALWAYS_INLINE bool sense(const run_car *c, const mc_motion *m, int i, int j, int k,
                                bool with_a, double dt, double *x)
{
    const double ahead = 0.5 * dt;
    const lanes later = lanes_set(ahead), half = lanes_set(0.5 * ahead);
    const lanes v = FOUR_OF(m, v), a = FOUR_OF(m, a);
    const lanes v_front = FOUR_OF(m - 1, v), a_front = FOUR_OF(m - 1, a);
    const lanes gap = FOUR_OF(m - 1, x) + FOUR_OF(c - 1, tail) - FOUR_OF(m, x) - FOUR_OF(c, nose);
    const lanes_mask far = (lanes_mask)(gap > FOUR_OF(c, reach));
    if (far[0] | far[1] | far[2] | far[3])
        return false;
    lanes_store(x + 4 * SIGNAL_V, v + later * a);
    lanes_store(x + 4 * SIGNAL_GAP, gap + later * (v_front - v + half * (a_front - a)));
    lanes_store(x + 4 * SIGNAL_V_FRONT, v_front + later * a_front);
    lanes_store(x + 4 * SIGNAL_HEADWAY, FOUR_OF(c, headway));
    lanes_store(x + 4 * SIGNAL_DISTANCE, FOUR_OF(c, distance));
    lanes_store(x + 4 * SIGNAL_V_SET, FOUR_OF(c, v_set));
    if (with_a)
        lanes_store(x + 4 * SIGNAL_A, a + later * ((a - FOUR_OF(c, a_before)) / lanes_set(dt)));
    return true;
}

int LANES_NAME(run_sense_line)(const run_car *c, const mc_motion *m, int count, bool with_a,
                               double dt, int x_count, double *x)
{
    int k = 0;
    for (; k + LANES <= count; k += LANES, x += LANES * x_count)
        if (!sense(c + k, m + k, 1, 2, 3, with_a, dt, x))
            return k;
    const int left = count - k;
    if (left > 0 && sense(c + k, m + k, left > 1, left > 2 ? 2 : left - 1, left - 1, with_a, dt, x))
        return count;
    return k;
}

void LANES_NAME(run_own_line)(const double *own, int stride, int count, int own_count, int x_count,
                              double *x)
{
    for (int left = count; left > 0; left -= LANES, own += LANES * stride, x += LANES * x_count) {
        const double *b = own + (left > 1 ? stride : 0), *c = b + (left > 2 ? stride : 0);
        const double *d = c + (left > 3 ? stride : 0);
        for (int k = 0; k < own_count; k++)
            lanes_store(x + LANES * k, (lanes){own[k], b[k], c[k], d[k]});
    }
}
