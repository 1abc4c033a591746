// cut_in_lanes.c - responses of four cars to others that cut in; cut_in.c in lanes.
#include "run/cut_in.h"

#include "control/avoid_lanes.h"
#include "run/sense.h"

#define FOUR_OF(p, field) ((lanes){(p)[0]->field, (p)[1]->field, (p)[2]->field, (p)[3]->field})

typedef struct four { // cars, those in front of them and their controllers
    const run_car *c[LANES], *c_front[LANES];
    const mc_motion *m[LANES], *m_front[LANES];
    const scenario_controller *of[LANES];
} four;

// Cars that hear the one in front.
static inline lanes_mask heard(const four *f)
{
    const long long bit = RUN_HEARS_FRONT;
    const lanes_mask flags = {f->c[0]->flags & bit, f->c[1]->flags & bit, f->c[2]->flags & bit,
                              f->c[3]->flags & bit};
    return (lanes_mask)(flags != (lanes_mask){0, 0, 0, 0});
}

// run_avoid; gap: m, bumper to bumper.
static inline lanes safe(const four *f, lanes gap, double dt, lanes_mask *meets)
{
    const lanes none = lanes_set(RUN_NOBODY), v = FOUR_OF(f->m, v);
    const lanes desired = FOUR_OF(f->c, inner.desired);
    const lanes_mask seen = (lanes_mask)(gap <= FOUR_OF(f->c, reach));
    avoid_four a = {.gap = lanes_select(seen, gap, none),
                    .v = v,
                    .v_front = lanes_select(seen, FOUR_OF(f->m_front, v), v),
                    .a = lanes_max(FOUR_OF(f->m, a), desired),
                    .max = FOUR_OF(f->c, max_a)};
#pragma GCC unroll 8
    for (int k = 0; k < AVOID_PARAM_COUNT; k++)
        a.p[k] = FOUR_OF(f->of, avoid_p[k]);
    // An acceleration that is not heard counts as none.
    const lanes a_front = lanes_select(seen & heard(f), FOUR_OF(f->m_front, a), lanes_set(0.0));
    a.p[AVOID_FRONT_BRAKE] = lanes_max(a.p[AVOID_FRONT_BRAKE], -a_front);
    a.p[AVOID_BRAKE] = lanes_min(a.p[AVOID_BRAKE], -FOUR_OF(f->c, min_a));
    avoid_lanes_ahead(&a);
    const lanes limit = avoid_lanes_limit(&a, meets), delay = a.p[AVOID_DELAY];
    const lanes rising = desired + lanes_set(dt) * a.p[AVOID_BRAKE] / delay;
    return lanes_select((lanes_mask)(delay == lanes_set(0.0)), limit, lanes_min(limit, rising));
}

int LANES_NAME(run_cut_in_four)(const mc_run *r, const int slots[4], double asked[4])
{
    const lanes zero = lanes_set(0.0), two = lanes_set(2.0);
    four f;
    for (int l = 0; l < LANES; l++) {
        const int slot = slots[l];
        f.c[l] = &r->car[slot], f.c_front[l] = &r->car[f.c[l]->front];
        f.m[l] = &r->motion[slot], f.m_front[l] = &r->motion[f.c[l]->front];
        f.of[l] = &r->s->controllers[f.c[l]->controller];
    }
    const lanes gap =
        FOUR_OF(f.m_front, x) + FOUR_OF(f.c_front, tail) - FOUR_OF(f.m, x) - FOUR_OF(f.c, nose);
    lanes_mask meets;
    const lanes most = safe(&f, gap, r->s->step, &meets);
    if (lanes_bits(meets))
        return RUN_CUT_IN_NOT_DONE;
    const lanes desired = lanes_load_anywhere(asked);
    const lanes closing = lanes_max(FOUR_OF(f.m, v) - FOUR_OF(f.m_front, v), zero);
    const lanes room = gap - FOUR_OF(f.c, distance);
    const lanes hard = lanes_select((lanes_mask)(room > zero), closing * closing / (two * room),
                                    lanes_set(INFINITY));
    const lanes need = lanes_select((lanes_mask)(closing == zero), zero, hard);
    const lanes least = -lanes_max(FOUR_OF(f.of, lane_change[LANE_CHANGE_CUT_IN]), need) +
                        lanes_min(FOUR_OF(f.m_front, a), zero);
    lanes_store_anywhere(asked, lanes_min(lanes_max(desired, least), most));
    return lanes_bits((lanes_mask)(desired >= least));
}
