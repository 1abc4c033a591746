// avoid_lanes.h - the maximum safe acceleration (avoid.c) of four cars.
#pragma once

#include "control/avoid.h"
#include "control/signal.h"
#include "num/lanes.h"

typedef struct avoid_four {     // of four cars
    lanes p[AVOID_PARAM_COUNT]; // front_brake: or what the car in front does now, if that is more
    lanes gap, v, v_front;      // m, m/s, m/s
    lanes a, max;               // m/s^2, what the car does now; the most that is asked for
} avoid_four;

static inline lanes avoid_lanes_driven(lanes v, lanes a, lanes t, lanes *after)
{
    const lanes zero = lanes_set(0.0), half = lanes_set(0.5);
    const lanes_mask stops = (lanes_mask)(a < zero) & (lanes_mask)(v + a * t < zero);
    const lanes until = lanes_select(stops, v / -a, t);
    *after = lanes_max(v + a * until, zero);
    return until * (v + half * a * until);
}

// avoid_ahead
static inline void avoid_lanes_ahead(avoid_four *f)
{
    const lanes zero = lanes_set(0.0), delay = f->p[AVOID_DELAY];
    const lanes_mask stays =
        (lanes_mask)(delay == zero) | (lanes_mask)(f->gap >= lanes_set(SIGNAL_GAP_NONE));
    lanes v, v_front;
    const lanes own = avoid_lanes_driven(lanes_max(f->v, zero), f->a, delay, &v);
    const lanes front =
        avoid_lanes_driven(lanes_max(f->v_front, zero), -f->p[AVOID_FRONT_BRAKE], delay, &v_front);
    f->gap = lanes_select(stays, f->gap, f->gap + (front - own));
    f->v = lanes_select(stays, f->v, v);
    f->v_front = lanes_select(stays, f->v_front, v_front);
}

// avoid_limit where both stop; *meets: cars for which avoid.c looks whether speeds become equal.
static inline lanes avoid_lanes_limit(const avoid_four *f, lanes_mask *meets)
{
    const lanes zero = lanes_set(0.0), two = lanes_set(2.0);
    const lanes b = f->p[AVOID_BRAKE], b_f = f->p[AVOID_FRONT_BRAKE], r = f->p[AVOID_REACTION];
    const lanes s = f->gap - f->p[AVOID_MARGIN];
    const lanes v = lanes_max(f->v, zero), v_f = lanes_max(f->v_front, zero);
    *meets = (lanes_mask)(b - b_f > zero) & (lanes_mask)(v_f - b_f * r > zero);
    const lanes way = s + v_f * v_f / (two * b_f), rest = way - v * r / two;
    const lanes u =
        two * rest / (r / two + lanes_sqrt(r * r / lanes_set(4.0) + two * rest / b)); // root
    const lanes stands = lanes_select((lanes_mask)(way > zero), -v * v / (two * way), -b);
    const lanes limit = lanes_select((lanes_mask)(rest >= zero), (u - v) / r, stands);
    const lanes_mask alone = (lanes_mask)(f->gap >= lanes_set(SIGNAL_GAP_NONE));
    return lanes_select(alone, f->max, lanes_min(lanes_max(limit, -b), f->max));
}
