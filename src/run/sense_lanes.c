// sense_lanes.c - what cars that drive one behind the other know; sense.c in lanes.
#include "run/sense.h"

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

static ALWAYS_INLINE void own(const double *a, int stride, int left, int count, double *x)
{
    const double *b = a + (left > 1 ? stride : 0), *c = b + (left > 2 ? stride : 0);
    const double *d = c + (left > 3 ? stride : 0);
    for (int k = 0; k < count; k++)
        lanes_store(x + LANES * k, (lanes){a[k], b[k], c[k], d[k]});
}

int LANES_NAME(run_line)(const mc_run *r, const run_group *g, int from, double *x)
{
    const run_law *l = g->law;
    const int first = g->first + from, count = g->count - from, stride = r->law_stride;
    const run_car *c = &r->car[first];
    const mc_motion *m = &r->motion[first];
    const double *p = r->law_memory + (size_t)first * (size_t)stride, dt = r->s->step;
    const bool with_a = l->needs != 0;
    x += from * l->x_count;
    int k = 0;
    for (; k + LANES <= count; k += LANES, x += LANES * l->x_count, p += LANES * stride) {
        if (!sense(c + k, m + k, 1, 2, 3, with_a, dt, x))
            return from + k;
        own(p, stride, LANES, l->param_count, x + LANES * l->param_at);
    }
    const int left = count - k;
    if (left <= 1 || !sense(c + k, m + k, 1, left - 1, left - 1, with_a, dt, x))
        return from + k;
    own(p, stride, left, l->param_count, x + LANES * l->param_at);
    return g->count;
}
