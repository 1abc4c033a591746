// powertrain_gears_lanes.c - the geared powertrain in lanes; equations in powertrain_gears.h.
#include "parts/powertrain_gears.h"
#include "parts/powertrain_lanes.h"

static const double SHIFT_WIDTH = 0.15;     // of the speed at which a shift begins
static const double TORQUE_MIN = 0.3;       // of the maximum
static const double HEATING_VALUE = 43.5e6; // J/kg
static const double STALL_BEND = 2.3431;    // atan(25)^2: coupling at a standing wheel

static inline lanes param(const double *p, int n, int i, int k)
{
    return lanes_load(p + k * n + i);
}

static inline lanes full_load(const lanes *held, lanes rpm)
{
    const lanes off = rpm - held[GEARS_HELD_PEAK];
    const lanes torque = lanes_fma(-held[GEARS_HELD_BEND] * off, off, held[GEARS_HELD_TORQUE]);
    return lanes_max(torque, lanes_set(TORQUE_MIN) * held[GEARS_HELD_TORQUE]);
}

static inline void hold_shifts(const double *p, int n, int i, lanes *held)
{
    const lanes zero = lanes_set(0.0);
    const lanes to_speed = param(p, n, i, GEARS_SHIFT_RPM) / held[GEARS_HELD_TO_RPM];
    lanes ratio = param(p, n, i, GEARS_RATIO);
    held[GEARS_HELD_FIRST] = ratio;
    for (int k = 0; k < GEAR_MAX - 1; k++) {
        const lanes next = param(p, n, i, GEARS_RATIO + k + 1);
        const lanes from = to_speed / ratio;
        held[GEARS_HELD_SHIFT + 3 * k] = from;
        held[GEARS_HELD_SHIFT + 3 * k + 1] = lanes_set(1.0 / SHIFT_WIDTH) / from;
        // None left, or not lower than this one: stay.
        const lanes_mask shifts = (lanes_mask)(next > zero) & (lanes_mask)(next < ratio);
        held[GEARS_HELD_SHIFT + 3 * k + 2] = lanes_select(shifts, ratio - next, zero);
        ratio = lanes_select(shifts, next, ratio);
    }
}

static inline void hold_four(const double *p, int n, int i, lanes throttle, lanes *held)
{
    const lanes peak = param(p, n, i, GEARS_PEAK_TORQUE);
    const lanes torque_rpm = param(p, n, i, GEARS_PEAK_TORQUE_RPM);
    const lanes power_rpm =
        lanes_max(param(p, n, i, GEARS_PEAK_POWER_RPM), torque_rpm + lanes_set(1.0));
    const lanes at_power =
        lanes_min(param(p, n, i, GEARS_PEAK_POWER) / (power_rpm * lanes_set(RPM_TO_RAD)), peak);
    const lanes apart = power_rpm - torque_rpm;
    const lanes friction = lanes_set(0.5) * param(p, n, i, GEARS_FRICTION);
    const lanes stall = param(p, n, i, GEARS_STALL_RPM);
    held[GEARS_HELD_THROTTLE] = clamp(throttle, 0.0, 1.0);
    held[GEARS_HELD_TORQUE] = peak;
    held[GEARS_HELD_PEAK] = torque_rpm;
    held[GEARS_HELD_BEND] = (peak - at_power) / (apart * apart);
    held[GEARS_HELD_FRICTION] = friction;
    held[GEARS_HELD_GROWTH] = friction / power_rpm;
    held[GEARS_HELD_COUPLING] = full_load(held, stall) / (lanes_set(STALL_BEND) * stall * stall);
    held[GEARS_HELD_SPIN] = lanes_set(1.0 / RPM_TO_RAD) / param(p, n, i, GEARS_INERTIA);
    held[GEARS_HELD_TO_RPM] =
        param(p, n, i, GEARS_FINAL) / (lanes_set(RPM_TO_RAD) * param(p, n, i, GEARS_RADIUS));
    held[GEARS_HELD_IDLE] = lanes_set(2.5) / param(p, n, i, GEARS_IDLE_RPM);
    held[GEARS_HELD_LIMIT] = lanes_set(20.0) / param(p, n, i, GEARS_MAX_RPM);
    held[GEARS_HELD_BACK] = lanes_set(1.0) / param(p, n, i, GEARS_EFFICIENCY);
    held[GEARS_HELD_FUEL] = lanes_set(1.0 / HEATING_VALUE) / param(p, n, i, GEARS_INDICATED);
    hold_shifts(p, n, i, held);
}

void LANES_NAME(gears_hold)(const double *p, int n, const double *throttle, double *held)
{
    for (int i = 0; i < n; i += LANES) {
        lanes four[GEARS_HELD_COUNT];
        hold_four(p, n, i, lanes_load(throttle + i), four);
        for (int k = 0; k < GEARS_HELD_COUNT; k++)
            lanes_store(held + k * n + i, four[k]);
    }
}

// The gear at a speed, and which ramp of it: 2 for each shift begun and ended.
static inline lanes gear_by_speed(const lanes *held, lanes v, lanes *region)
{
    lanes gear = held[GEARS_HELD_FIRST];
    *region = lanes_set(0.0);
    for (int k = 0; k < GEAR_MAX - 1; k++) {
        const lanes *shift = held + GEARS_HELD_SHIFT + 3 * k, drop = shift[2];
        const lanes raw = (v - shift[0]) * shift[1];
        const lanes share = clamp(raw, 0.0, 1.0);
        gear = lanes_fma(-drop, share, gear);
        const lanes_mask there = (lanes_mask)(drop > lanes_set(0.0));
        *region = *region + one_if(there & (lanes_mask)(raw > lanes_set(0.0)), 1.0) +
                  one_if(there & (lanes_mask)(raw > lanes_set(1.0)), 1.0);
    }
    return gear;
}

typedef struct engine {                   // of four vehicles at a speed
    lanes idle, limiter, friction, range; // -, -, N m, N m: full load and friction
} engine;

static inline engine engine_at(const double *p, int n, int i, const lanes *held, lanes rpm)
{
    const lanes idle_rpm = param(p, n, i, GEARS_IDLE_RPM), max_rpm = param(p, n, i, GEARS_MAX_RPM);
    engine e;
    e.idle = clamp((lanes_set(1.2) * idle_rpm - rpm) * held[GEARS_HELD_IDLE], 0.0, 1.0);
    e.limiter = clamp((max_rpm - rpm) * held[GEARS_HELD_LIMIT], 0.0, 1.0);
    e.friction = lanes_fma(held[GEARS_HELD_GROWTH], rpm, held[GEARS_HELD_FRICTION]);
    e.range = full_load(held, rpm) + e.friction;
    return e;
}

static inline lanes kinks_of(const engine *e, const lanes *held, lanes rpm, lanes slip)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    const lanes off = rpm - held[GEARS_HELD_PEAK];
    const lanes torque = lanes_fma(-held[GEARS_HELD_BEND] * off, off, held[GEARS_HELD_TORQUE]);
    lanes region = one_if((lanes_mask)(slip > zero), 16.0);
    region = region + one_if((lanes_mask)(e->idle > zero), 32.0);
    region = region + one_if((lanes_mask)(e->idle < one), 64.0);
    region = region + one_if((lanes_mask)(e->limiter > zero), 128.0);
    region = region + one_if((lanes_mask)(e->limiter < one), 256.0);
    return region +
           one_if((lanes_mask)(torque > lanes_set(TORQUE_MIN) * held[GEARS_HELD_TORQUE]), 512.0);
}

void LANES_NAME(gears_eval)(const double *p, int n, const powertrain_in *in, const double *x,
                            double *dx, const powertrain_out *out)
{
    for (int i = 0; i < n; i += LANES) {
        lanes held[GEARS_HELD_COUNT], ramp;
        if (in->held)
            for (int k = 0; k < GEARS_HELD_COUNT; k++)
                held[k] = lanes_load(in->held + k * n + i);
        else
            hold_four(p, n, i, lanes_load(in->throttle + i), held);
        lanes open = held[GEARS_HELD_THROTTLE];
        if (in->cut)
            open = open * lanes_load(in->cut + i);
        const lanes v = lanes_load(in->v + i), speed = lanes_load(x + i);
        const lanes rpm = lanes_max(speed, lanes_set(50.0));
        const lanes ratio = held[GEARS_HELD_TO_RPM] * gear_by_speed(held, v, &ramp); // rpm s/m
        const lanes slip = rpm - ratio * v;
        const lanes bend = atan_ratio(lanes_set(25.0) * slip, rpm) * rpm;
        const lanes coupling = held[GEARS_HELD_COUPLING] * bend * lanes_abs(bend);
        const lanes passed = lanes_select((lanes_mask)(coupling > lanes_set(0.0)),
                                          param(p, n, i, GEARS_EFFICIENCY), held[GEARS_HELD_BACK]);
        const engine e = engine_at(p, n, i, held, rpm);
        const lanes share = lanes_fma(lanes_set(1.0) - open, e.idle, open);
        const lanes burnt = share * e.range * e.limiter;
        lanes_store(out->force + i, passed * coupling * ratio * lanes_set(RPM_TO_RAD));
        lanes_store(dx + i, held[GEARS_HELD_SPIN] * (burnt - e.friction - coupling));
        const lanes power = burnt * rpm * lanes_set(RPM_TO_RAD);
        if (out->fuel)
            lanes_store(out->fuel + i, held[GEARS_HELD_FUEL] * power);
        if (out->region)
            lanes_store(out->region + i, ramp + kinks_of(&e, held, rpm, slip));
        if (out->input_power)
            lanes_store(out->input_power + i, power);
        if (out->rpm)
            lanes_store(out->rpm + i, speed);
        if (out->shaft_power)
            lanes_store(out->shaft_power + i, coupling * rpm * lanes_set(RPM_TO_RAD));
        if (out->ratio)
            lanes_store(out->ratio + i, ratio);
    }
}

// The force asks for a coupling torque, that for an engine speed (powertrain_lanes.h, with a gain
// of 1), and the balance of the engine for a throttle.
void LANES_NAME(gears_plan)(const double *const *p, int stride, int n, const double *v,
                            const double *force, double *throttle)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0);
    for (int i = 0; i < n; i += LANES) {
        lanes held[GEARS_HELD_COUNT], ramp, gain[HELD_COUNT];
        hold_four(p[i / LANES], stride, 0, zero, held);
        gain[HELD_MIN] = gain[HELD_MAX] = one;
        gain[HELD_FALL] = zero;
        const lanes speed = lanes_max(lanes_load(v + i), zero), desired = lanes_load(force + i);
        const lanes ratio = held[GEARS_HELD_TO_RPM] * gear_by_speed(held, speed, &ramp);
        const lanes efficiency = param(p[i / LANES], stride, 0, GEARS_EFFICIENCY);
        const lanes passed =
            lanes_select((lanes_mask)(desired > zero), efficiency, one / efficiency);
        const lanes coupling = desired / (passed * ratio * lanes_set(RPM_TO_RAD));
        const lanes size = lanes_sqrt(lanes_abs(coupling) / held[GEARS_HELD_COUPLING]);
        const lanes_mask overrun = (lanes_mask)(coupling < zero);
        const lanes t = lanes_select(overrun, -size, size), turbine = ratio * speed;
        const lanes rpm =
            better_speed(turbine, t, gain, first_guess(turbine, t, gain, SLIPPING_COUPLING));
        const engine e = engine_at(p[i / LANES], stride, 0, held, rpm);
        const lanes share =
            (coupling + e.friction) / (e.range * lanes_max(e.limiter, lanes_set(1e-3)));
        const lanes left = lanes_max(one - e.idle, lanes_set(1e-3));
        lanes_store(throttle + i, clamp((share - e.idle) / left, 0.0, 1.0));
    }
}
