// sense_lanes.c - what cars know of themselves and the car in front; sense.c in lanes.
#include "run/sense.h"

#include "num/lanes.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef struct four { // cars and those in front of them
    const run_car *c[LANES], *c_front[LANES];
    const mc_motion *m[LANES], *m_front[LANES];
} four;

#define FOUR_OF(p, field) ((lanes){(p)[0]->field, (p)[1]->field, (p)[2]->field, (p)[3]->field})

static ALWAYS_INLINE bool sense(const four *f, bool with_a, double dt, double *x)
{
    const double ahead = 0.5 * dt;
    const lanes later = lanes_set(ahead), half = lanes_set(0.5 * ahead);
    const lanes v = FOUR_OF(f->m, v), a = FOUR_OF(f->m, a);
    const lanes v_front = FOUR_OF(f->m_front, v), a_front = FOUR_OF(f->m_front, a);
    const lanes gap =
        FOUR_OF(f->m_front, x) + FOUR_OF(f->c_front, tail) - FOUR_OF(f->m, x) - FOUR_OF(f->c, nose);
    const lanes_mask far = (lanes_mask)(gap > FOUR_OF(f->c, reach));
    if (far[0] | far[1] | far[2] | far[3])
        return false;
    lanes_store(x + 4 * SIGNAL_V, v + later * a);
    lanes_store(x + 4 * SIGNAL_GAP, gap + later * (v_front - v + half * (a_front - a)));
    lanes_store(x + 4 * SIGNAL_V_FRONT, v_front + later * a_front);
    lanes_store(x + 4 * SIGNAL_HEADWAY, FOUR_OF(f->c, headway));
    lanes_store(x + 4 * SIGNAL_DISTANCE, FOUR_OF(f->c, distance));
    lanes_store(x + 4 * SIGNAL_V_SET, FOUR_OF(f->c, v_set));
    if (with_a)
        lanes_store(x + 4 * SIGNAL_A, a + later * ((a - FOUR_OF(f->c, a_before)) / lanes_set(dt)));
    return true;
}

// Four cars from slot `first` on, of which the last `left` are repeated. False: one sees no car.
static ALWAYS_INLINE bool look(const mc_run *r, int first, int left, bool in_line, four *f)
{
    for (int l = 0; l < LANES; l++) {
        const int slot = first + (l < left ? l : left - 1);
        const int front = in_line ? slot - 1 : r->car[slot].front;
        if (front < 0)
            return false;
        f->c[l] = &r->car[slot], f->c_front[l] = &r->car[front];
        f->m[l] = &r->motion[slot], f->m_front[l] = &r->motion[front];
    }
    return true;
}

static ALWAYS_INLINE void own(const double *a, int stride, int left, int count, double *x)
{
    const double *b = a + (left > 1 ? stride : 0), *c = b + (left > 2 ? stride : 0);
    const double *d = c + (left > 3 ? stride : 0);
    for (int k = 0; k < count; k++)
        lanes_store(x + LANES * k, (lanes){a[k], b[k], c[k], d[k]});
}

static ALWAYS_INLINE int fill(const mc_run *r, const run_group *g, int from, double *x,
                              bool in_line)
{
    const run_law *l = g->law;
    const int first = g->first + from, count = g->count - from, stride = r->law_stride;
    const double *p = r->law_memory + (size_t)first * (size_t)stride, dt = r->s->step;
    const bool with_a = l->needs != 0;
    x += from * l->x_count;
    four f;
    int k = 0;
    for (; k + LANES <= count; k += LANES, x += LANES * l->x_count, p += LANES * stride) {
        if (!look(r, first + k, LANES, in_line, &f) || !sense(&f, with_a, dt, x))
            return from + k;
        own(p, stride, LANES, l->param_count, x + LANES * l->param_at);
    }
    const int left = count - k;
    if (left <= 1 || !look(r, first + k, left, in_line, &f) || !sense(&f, with_a, dt, x))
        return from + k;
    own(p, stride, left, l->param_count, x + LANES * l->param_at);
    return g->count;
}

int LANES_NAME(run_line)(const mc_run *r, const run_group *g, int from, double *x)
{
    return fill(r, g, from, x, true);
}

int LANES_NAME(run_follow)(const mc_run *r, const run_group *g, int from, double *x)
{
    return fill(r, g, from, x, false);
}
