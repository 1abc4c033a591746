// powertrain_direct_lanes.c - a motor with one fixed gear, in lanes.
#include "parts/powertrain_direct.h"
#include "parts/powertrain_lanes.h"

static inline void hold_four(const double *p, int n, int i, lanes throttle,
                             lanes held[DIRECT_HELD_COUNT])
{
    const lanes open = clamp(throttle, 0.0, 1.0);
    held[DIRECT_HELD_FORCE] = open * lanes_load(p + DIRECT_FORCE * n + i);
    held[DIRECT_HELD_POWER] = open * lanes_load(p + DIRECT_POWER * n + i);
    held[DIRECT_HELD_OUTSIDE] = lanes_set(DIRECT_NO_FORCE);
}

// Only what is held over a step knows the force from outside: steady forces are those of the
// equation.
void LANES_NAME(direct_hold)(const double *p, int n, const double *throttle, double *held)
{
    for (int i = 0; i < n; i += LANES) {
        lanes four[DIRECT_HELD_COUNT];
        hold_four(p, n, i, lanes_load(throttle + i), four);
        four[DIRECT_HELD_OUTSIDE] = lanes_load(p + DIRECT_OUTSIDE * n + i);
        for (int k = 0; k < DIRECT_HELD_COUNT; k++)
            lanes_store(held + k * n + i, four[k]);
    }
}

static inline void store(double *to, int i, lanes value)
{
    if (to)
        lanes_store(to + i, value);
}

void LANES_NAME(direct_eval)(const double *p, int n, const powertrain_in *in, const double *x,
                             double *dx, const powertrain_out *out)
{
    for (int i = 0; i < n; i += LANES) {
        lanes held[DIRECT_HELD_COUNT];
        if (in->held)
            for (int k = 0; k < DIRECT_HELD_COUNT; k++)
                held[k] = lanes_load(in->held + k * n + i);
        else
            hold_four(p, n, i, lanes_load(in->throttle + i), held);
        const lanes v = lanes_load(in->v + i), ratio = lanes_load(p + DIRECT_RATIO * n + i);
        const lanes strong = held[DIRECT_HELD_POWER] / lanes_max(v, lanes_set(1.0));
        const lanes_mask given =
            (lanes_mask)(held[DIRECT_HELD_OUTSIDE] < lanes_set(DIRECT_NO_FORCE));
        lanes force = lanes_min(held[DIRECT_HELD_FORCE], strong);
        force = lanes_select(given, held[DIRECT_HELD_OUTSIDE], force);
        if (in->cut)
            force = lanes_select((lanes_mask)(force > lanes_set(0.0)),
                                 lanes_load(in->cut + i) * force, force);
        const lanes rpm = lanes_load(x + i), power = force * lanes_max(v, lanes_set(0.0));
        if (dx)
            lanes_store(dx + i, (ratio * lanes_abs(v) - rpm) * lanes_set(1.0 / DIRECT_LAG));
        lanes_store(out->force + i, force);
        store(out->fuel, i, lanes_set(0.0));
        store(out->input_power, i, power);
        store(out->rpm, i, rpm);
        store(out->region, i, one_if((lanes_mask)(strong < held[DIRECT_HELD_FORCE]), 1.0));
        store(out->shaft_power, i, power);
        store(out->ratio, i, ratio);
    }
}

void LANES_NAME(direct_plan)(const double *const *p, int stride, int n, const double *v,
                             const double *force, double *throttle)
{
    for (int i = 0; i < n; i += LANES, p++) {
        const lanes speed = lanes_max(lanes_load(v + i), lanes_set(1.0));
        const lanes full = lanes_min(lanes_load(*p + DIRECT_FORCE * stride),
                                     lanes_load(*p + DIRECT_POWER * stride) / speed);
        lanes_store(throttle + i, clamp(lanes_load(force + i) / full, 0.0, 1.0));
    }
}
