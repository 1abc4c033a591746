// powertrain_converter_lanes.c - the converter in lanes; equations in powertrain_report.h.
#include "parts/powertrain_converter.h"
#include "parts/powertrain_built_in.h"

// ---- throttle ----

// Interval of table 1 that holds a flow of k/8 lb/min; the next 1/8 reaches at most two further.
static const unsigned char first_interval[128] = {
    0,  0,  1,  2,  2,  3,  3,  3,  4,  4,  4,  5,  5,  5,  5,  6,  6,  6,  6,  6,  6,  7,
    7,  7,  7,  7,  8,  8,  8,  8,  8,  8,  9,  9,  9,  9,  9,  9,  9,  10, 10, 10, 10, 10,
    10, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 13, 13, 14, 14,
    14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15, 16, 16, 16, 16, 16, 17, 17, 17, 18,
    18, 18, 18, 19, 20, 20, 21, 21, 22, 23, 23, 24, 25, 25, 26, 26, 27, 28, 28, 29, 29, 29,
    30, 30, 30, 31, 31, 31, 32, 32, 32, 32, 33, 33, 33, 34, 34, 34, 34, 34,
};

// The angle that lets `flow` through: table 1 the other way, clamped.
static inline lanes angle_of(lanes flow)
{
    const lanes inside = clamp(flow, mixture_flow[0], mixture_flow[MIXTURE_POINTS - 1]);
    lanes flow_low, flow_high, angle_low, angle_high;
    for (int i = 0; i < LANES; i++) {
        int k = first_interval[(int)(8.0 * inside[i])];
        k += k < MIXTURE_POINTS - 2 && inside[i] > mixture_flow[k + 1];
        k += k < MIXTURE_POINTS - 2 && inside[i] > mixture_flow[k + 1];
        flow_low[i] = mixture_flow[k], flow_high[i] = mixture_flow[k + 1];
        angle_low[i] = mixture_angle[k], angle_high[i] = mixture_angle[k + 1];
    }
    return angle_low + (inside - flow_low) / (flow_high - flow_low) * (angle_high - angle_low);
}

#if !defined LANES_WIDE
void LANES_NAME(converter_hold)(const double *p, int n, const double *throttle, double *held)
{
    for (int i = 0; i < n; i += LANES) {
        lanes four[HELD_COUNT];
        converter_hold_four(p, n, i, lanes_load(throttle + i), four);
        for (int k = 0; k < HELD_COUNT; k++)
            lanes_store(held + k * n + i, four[k]);
    }
}

// ---- the equations ----

void LANES_NAME(converter_eval)(const double *p, int n, const powertrain_in *in, const double *x,
                                double *dx, const powertrain_out *out)
{
    for (int i = 0; i < n; i += LANES) {
        lanes held[HELD_COUNT];
        if (in->held)
            for (int k = 0; k < HELD_COUNT; k++)
                held[k] = lanes_load(in->held + k * n + i);
        else
            converter_hold_four(p, n, i, lanes_load(in->throttle + i), held);
        lanes flow = held[HELD_FLOW];
        if (in->cut) {
            const lanes cut = lanes_load(in->cut + i);
            const lanes closed = closed_flow(p, n, i, mixture_flow);
            flow = lanes_select((lanes_mask)(cut < lanes_set(1.0)),
                                lanes_fma(cut, flow - closed, closed), flow);
        }
        const lanes v = lanes_load(in->v + i);
        converter_give(p, n, i, held, flow, v, report_gear(v, out->region != NULL), x, dx, out);
    }
}
#endif

// ---- the steady inverse ----

// The engine balances at the mixture 84829 MDA = n (f1 + friction).
void LANES_NAME(converter_plan)(const double *const *p, int stride, int n, const double *v,
                                const double *force, double *throttle)
{
    enum { SIDE_BY_SIDE = 3 };
    for (int i = 0; i < n; i += SIDE_BY_SIDE * LANES, p += SIDE_BY_SIDE) {
        const int left = (n - i) / LANES, count = left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE;
        steady_four s[SIDE_BY_SIDE];
        for (int g = 0; g < count; g++) {
            const lanes speed = lanes_max(lanes_load(v + i + LANES * g), lanes_set(0.0));
            steady_begin(p[g], stride, 0, speed, gear_at(speed), lanes_load(force + i + LANES * g),
                         &s[g]);
        }
        for (int g = 0; g < count; g++)
            steady_round(&s[g]);
        for (int g = 0; g < count; g++) {
            const lanes idle = lanes_load(p[g] + CONVERTER_IDLE_ANGLE * stride);
            const lanes angle = angle_of(steady_flow(p[g], stride, 0, &s[g]));
            lanes_store(throttle + i + LANES * g,
                        clamp((angle - idle) / (lanes_set(85.0) - idle), 0.0, 1.0));
        }
    }
}
