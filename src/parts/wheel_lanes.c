// wheel_lanes.c - spin and brake of a batch of wheels.
#include "num/lanes.h"
#include "parts/stick.h"
#include "parts/wheel.h"

#if LANES_FUSED
static const cpu_level level = CPU_AVX2;
#else
static const cpu_level level = CPU_PLAIN;
#endif

// Torque of the brake, and the rate of its twist.
static inline lanes brake_torque(lanes k, lanes c, lanes spin, lanes twist, lanes limit,
                                 lanes *rate)
{
    const lanes tiny = lanes_set(1e-9);
    const lanes turned = k * lanes_abs(spin); // N m/s
    const lanes held = lanes_max(limit, turned * lanes_set(1.0 / WHEEL_RATE_MAX));
    const lanes slips = stick_slips(lanes_abs(k * twist) / lanes_max(limit, tiny));
    *rate = spin - slips * turned / lanes_max(held, tiny) * twist;
    const lanes torque = lanes_fma(k, twist, c * *rate);
    return lanes_max(lanes_min(torque, limit), -limit);
}

void LANES_NAME(wheel_eval)(const wheel_model *w, int n, const wheel_in *in, const double *x,
                            double *drive, const wheel_out *out)
{
    const lanes radius = lanes_set(w->radius), zero = lanes_set(0.0);
    const lanes inertia_inverse = lanes_set(1.0 / w->inertia);
    const lanes k = lanes_set(w->inertia * w->hold * w->hold);
    const lanes c = lanes_set(w->inertia * w->hold);
    for (int i = 0; i < n; i += LANES)
        lanes_store(out->v_roll + i, radius * lanes_load(x + WHEEL_SPIN * n + i));
    for (int i = 0; i < n && out->mz; i += LANES)
        lanes_store(out->mz + i, zero);
    const tyre_in tyre = {.fz = in->fz,
                          .v_x = in->v_x,
                          .v_y = in->v_y,
                          .v_roll = out->v_roll,
                          .mu = in->mu,
                          .context = w->tyre->context,
                          .camber = in->camber,
                          .side = in->side};
    tyre_eval_at(w->tyre, level)(w->tyre_p, n, &tyre, x + WHEEL_TYRE * n, drive + WHEEL_TYRE * n,
                                 &(tyre_out){.fx = out->fx, .fy = out->fy, .mz = out->mz});
    for (int i = 0; i < n; i += LANES) {
        const lanes limit = lanes_max(lanes_load(in->brake + i), zero);
        lanes rate;
        const lanes torque = brake_torque(k, c, lanes_load(x + WHEEL_SPIN * n + i),
                                          lanes_load(x + WHEEL_TWIST * n + i), limit, &rate);
        const lanes turn = lanes_load(in->drive + i) - torque - radius * lanes_load(out->fx + i);
        lanes_store(out->brake + i, torque);
        lanes_store(drive + WHEEL_SPIN * n + i, turn * inertia_inverse);
        lanes_store(drive + WHEEL_TWIST * n + i, rate);
    }
}
