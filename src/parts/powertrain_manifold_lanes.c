// powertrain_manifold_lanes.c - the manifold engine in lanes; equations in powertrain_manifold.h.
#include "parts/powertrain_manifold.h"
#include "parts/powertrain_lanes.h"

static inline void hold_four(const double *p, int n, int i, lanes throttle, lanes *held)
{
    const lanes idle = lanes_load(p + CONVERTER_IDLE_ANGLE * n + i);
    const lanes scale = lanes_load(p + CONVERTER_POWER_SCALE * n + i);
    const lanes open = clamp(throttle, 0.0, 1.0);
    hold_ratios(p, n, i, held);
    held[HELD_FLOW] =
        scale * at_angle(manifold_capacity, lanes_fma(open, lanes_set(85.0) - idle, idle));
    held[HELD_FUEL] =
        lanes_set(FUEL_UNIT) / (lanes_set(1.0) + lanes_load(p + CONVERTER_AIR_FUEL * n + i));
    held[HELD_FILL] =
        lanes_set(AIR_RT / AIR_PRESSURE * FUEL_UNIT) / lanes_load(p + MANIFOLD_VOLUME * n + i);
}

void LANES_NAME(manifold_hold)(const double *p, int n, const double *throttle, double *held)
{
    for (int i = 0; i < n; i += LANES) {
        lanes four[MANIFOLD_HELD_COUNT];
        hold_four(p, n, i, lanes_load(throttle + i), four);
        for (int k = 0; k < MANIFOLD_HELD_COUNT; k++)
            lanes_store(held + k * n + i, four[k]);
    }
}

// psi: share of the choked flow that passes at pressure ratio r.
static inline lanes passing(lanes r)
{
    const lanes z = lanes_max((r - lanes_set(CHOKED)) * lanes_set(1.0 / UNCHOKED), lanes_set(0.0));
    return lanes_fma(-z, z, lanes_set(1.0));
}

void LANES_NAME(manifold_eval)(const double *p, int n, const powertrain_in *in, const double *x,
                               double *dx, const powertrain_out *out)
{
    for (int i = 0; i < n; i += LANES) {
        lanes held[MANIFOLD_HELD_COUNT];
        if (in->held)
            for (int k = 0; k < MANIFOLD_HELD_COUNT; k++)
                held[k] = lanes_load(in->held + k * n + i);
        else
            hold_four(p, n, i, lanes_load(in->throttle + i), held);
        lanes open = held[HELD_FLOW];
        if (in->cut) {
            const lanes cut = lanes_load(in->cut + i);
            const lanes closed = closed_flow(p, n, i, manifold_capacity);
            open = lanes_select((lanes_mask)(cut < lanes_set(1.0)),
                                lanes_fma(cut, open - closed, closed), open);
        }
        const lanes v = lanes_load(in->v + i), speed = lanes_load(x + MANIFOLD_RPM * n + i);
        const lanes pressure = lanes_load(x + MANIFOLD_PRESSURE * n + i);
        const lanes rpm = lanes_max(speed, lanes_set(50.0)), inverse = lanes_set(1.0) / rpm;
        hydraulics at;
        converter_at(held, v, report_gear(v, out->region != NULL), rpm, inverse,
                     out->region != NULL, &at);
        const lanes fill = lanes_set(CHARGE) * lanes_load(p + CONVERTER_POWER_SCALE * n + i) *
                           pressure; // lb/min / rpm
        const lanes charge = fill * rpm;
        const lanes friction = friction_of(lanes_load(p + CONVERTER_ENGINE_SCALE * n + i), speed);
        lanes_store(out->force + i, at.force);
        lanes_store(dx + MANIFOLD_RPM * n + i,
                    lanes_set(SPIN_UP) * (lanes_set(INDICATED) * fill - friction - at.pump));
        lanes_store(dx + MANIFOLD_PRESSURE * n + i,
                    held[HELD_FILL] * (open * passing(pressure) - charge));
        if (out->fuel)
            lanes_store(out->fuel + i, held[HELD_FUEL] * charge);
        if (out->region)
            lanes_store(out->region + i,
                        at.region + one_if((lanes_mask)(pressure > lanes_set(CHOKED)), 64.0));
        if (out->input_power)
            lanes_store(out->input_power + i, lanes_set(INDICATED * RPM_TO_RAD) * charge);
        if (out->rpm)
            lanes_store(out->rpm + i, speed);
        if (out->shaft_power)
            lanes_store(out->shaft_power + i, at.pump * rpm * lanes_set(RPM_TO_RAD));
        if (out->ratio)
            lanes_store(out->ratio + i, lanes_set(TURBINE) * at.kv);
    }
}

// ---- the steady inverse ----

// The angle of a throttle of this capacity, clamped.
static inline lanes angle_of(lanes capacity)
{
    lanes angle;
    for (int i = 0; i < LANES; i++) {
        int low = 0;
        for (int high = MIXTURE_POINTS - 1; high - low > 1;) {
            const int middle = (low + high) / 2;
            if (manifold_capacity[middle] <= capacity[i])
                low = middle;
            else
                high = middle;
        }
        const double share = (capacity[i] - manifold_capacity[low]) /
                             (manifold_capacity[low + 1] - manifold_capacity[low]);
        const double inside = share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
        angle[i] = mixture_angle[low] + inside * (mixture_angle[low + 1] - mixture_angle[low]);
    }
    return angle;
}

void LANES_NAME(manifold_plan)(const double *const *p, int stride, int n, const double *v,
                               const double *force, double *throttle)
{
    for (int i = 0; i < n; i += LANES) {
        steady_four s;
        const lanes speed = lanes_max(lanes_load(v + i), lanes_set(0.0));
        steady_begin(p[i / LANES], stride, 0, speed, gear_at(speed), lanes_load(force + i), &s);
        steady_round(&s);
        const lanes flow = steady_flow(p[i / LANES], stride, 0, &s);
        const lanes pressure = flow / (lanes_set(CHARGE) * s.n);
        const lanes capacity = flow / lanes_max(passing(pressure), lanes_set(1e-3));
        const lanes idle = lanes_load(p[i / LANES] + CONVERTER_IDLE_ANGLE * stride);
        lanes_store(throttle + i,
                    clamp((angle_of(capacity) - idle) / (lanes_set(85.0) - idle), 0.0, 1.0));
    }
}
