// powertrain_lookup_lanes.c - engine and gears with tables of their own, in lanes.
#include "parts/powertrain_lookup.h"
#include "parts/powertrain_lanes.h"

// Kv as a sum of ramps between the points; n, i: as for parameters.
static inline gear_now table_gear(const double *p, int n, int i, lanes v)
{
    const double *values = p + LOOKUP_GEAR * n + i;
    gear_now gear = {lanes_load(values), lanes_set(0.0)};
    for (int k = 0; k + 1 < GEAR_POINTS; k++) {
        const double width = gear_speed[k + 1] - gear_speed[k];
        const lanes rise = lanes_load(values + (k + 1) * n) - lanes_load(values + k * n);
        gear.kv = lanes_fma(clamp(v - lanes_set(gear_speed[k]), 0.0, width),
                            rise * lanes_set(1.0 / width), gear.kv);
        // Above the flags of region_of.
        gear.interval = gear.interval + one_if((lanes_mask)(v > lanes_set(gear_speed[k])), 64.0);
    }
    return gear;
}

// MDA of four vehicles, each from its own table.
static inline lanes table_flow(const double *p, int n, int i, lanes angle)
{
    const lanes point = point_of(angle);
    lanes flow;
    for (int j = 0; j < LANES; j++) {
        const int k = point[j] < MIXTURE_POINTS - 2 ? (int)point[j] : MIXTURE_POINTS - 2;
        const double low = p[(LOOKUP_FLOW + k) * n + i + j];
        const double high = p[(LOOKUP_FLOW + k + 1) * n + i + j];
        flow[j] = low + (point[j] - k) * (high - low);
    }
    return lanes_load(p + CONVERTER_POWER_SCALE * n + i) * flow;
}

static inline void hold_four(const double *p, int n, int i, lanes throttle, lanes held[HELD_COUNT])
{
    const lanes idle = lanes_load(p + CONVERTER_IDLE_ANGLE * n + i);
    hold_ratios(p, n, i, held);
    held[HELD_FLOW] =
        table_flow(p, n, i, lanes_fma(clamp(throttle, 0.0, 1.0), lanes_set(85.0) - idle, idle));
    held[HELD_FUEL] =
        lanes_set(FUEL_UNIT) / (lanes_set(1.0) + lanes_load(p + CONVERTER_AIR_FUEL * n + i));
}

void LANES_NAME(lookup_hold)(const double *p, int n, const double *throttle, double *held)
{
    for (int i = 0; i < n; i += LANES) {
        lanes four[HELD_COUNT];
        hold_four(p, n, i, lanes_load(throttle + i), four);
        for (int k = 0; k < HELD_COUNT; k++)
            lanes_store(held + k * n + i, four[k]);
    }
}

void LANES_NAME(lookup_eval)(const double *p, int n, const powertrain_in *in, const double *x,
                             double *dx, const powertrain_out *out)
{
    for (int i = 0; i < n; i += LANES) {
        lanes held[HELD_COUNT];
        if (in->held)
            for (int k = 0; k < HELD_COUNT; k++)
                held[k] = lanes_load(in->held + k * n + i);
        else
            hold_four(p, n, i, lanes_load(in->throttle + i), held);
        lanes flow = held[HELD_FLOW];
        if (in->cut) {
            const lanes cut = lanes_load(in->cut + i);
            const lanes closed = table_flow(p, n, i, lanes_load(p + CONVERTER_IDLE_ANGLE * n + i));
            flow = lanes_select((lanes_mask)(cut < lanes_set(1.0)),
                                lanes_fma(cut, flow - closed, closed), flow);
        }
        const lanes v = lanes_load(in->v + i);
        converter_give(p, n, i, held, flow, v, table_gear(p, n, i, v), x, dx, out);
    }
}

// ---- the steady inverse ----

// The angle that lets `flow` through at power_scale 1, clamped; p: of four vehicles.
static inline lanes angle_of(const double *p, int stride, lanes flow)
{
    lanes angle;
    for (int j = 0; j < LANES; j++) {
        const double *table = p + LOOKUP_FLOW * stride + j;
        int low = 0;
        for (int high = MIXTURE_POINTS - 1; high - low > 1;) {
            const int middle = (low + high) / 2;
            if (table[middle * stride] <= flow[j])
                low = middle;
            else
                high = middle;
        }
        const double from = table[low * stride], to = table[(low + 1) * stride];
        const double share = (flow[j] - from) / (to - from);
        const double inside = share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
        angle[j] = mixture_angle[low] + inside * (mixture_angle[low + 1] - mixture_angle[low]);
    }
    return angle;
}

void LANES_NAME(lookup_plan)(const double *const *p, int stride, int n, const double *v,
                             const double *force, double *throttle)
{
    for (int i = 0; i < n; i += LANES, p++) {
        const lanes speed = lanes_max(lanes_load(v + i), lanes_set(0.0));
        steady_four s;
        steady_begin(*p, stride, 0, speed, table_gear(*p, stride, 0, speed).kv,
                     lanes_load(force + i), &s);
        steady_round(&s);
        const lanes idle = lanes_load(*p + CONVERTER_IDLE_ANGLE * stride);
        const lanes angle = angle_of(*p, stride, steady_flow(*p, stride, 0, &s));
        lanes_store(throttle + i, clamp((angle - idle) / (lanes_set(85.0) - idle), 0.0, 1.0));
    }
}
