// powertrain_lanes.h - the torque converter and gears of the report in lanes, for the kinds that
// use them; equations in powertrain_report.h.
#pragma once

#include "num/lanes.h"
#include "parts/powertrain_report.h"

static const double PUMP = 0.00617 * 0.00455; // N m / rpm^2
static const double INDICATED = 84829.0;      // N m rpm / (lb/min)
static const double SPIN_UP = 22.1;           // rpm/s / (N m)
static const double FRICTION = 35.0;          // N m
static const double FRICTION_RATE = 0.135;    // 1/s
static const double TURBINE = 92.8;           // rpm s/m
static const double RPM_TO_RAD = 0.10471975511965977;
static const double FUEL_UNIT = 0.45359237 / 60; // kg/s / (lb/min)

static inline lanes clamp(lanes a, double low, double high)
{
    return lanes_min(lanes_max(a, lanes_set(low)), lanes_set(high));
}

// Table 2 as a sum of ramps: 2.4 up to 5 m/s, 1.47 from 7, 1 from 12, 0.67 from 18.
static inline lanes gear_at(lanes v)
{
    lanes kv = lanes_fma(clamp(v - lanes_set(5.0), 0.0, 2.0), lanes_set(-0.465), lanes_set(2.4));
    kv = lanes_fma(clamp(v - lanes_set(10.0), 0.0, 2.0), lanes_set(-0.235), kv);
    return lanes_fma(clamp(v - lanes_set(15.0), 0.0, 3.0), lanes_set(-0.11), kv);
}

// The gear at a road speed, and the interval of its table, a whole number.
typedef struct gear_now {
    lanes kv, interval;
} gear_now;

// atan(a / b) for b > 0, within 2 units in the last place. With t = |a|/b, in three ranges by
// atan t = pi/4 k + atan z: z = t, (t - 1)/(t + 1), -1/t, each |z| <= sqrt(2) - 1; there
// atan z = z + z^3 P(z^2) with P the Chebyshev interpolant of degree 9, error 1e-16.
// One division, and that of a and b themselves: a third of the time of a library's function.
static inline lanes atan_ratio(lanes a, lanes b)
{
    const lanes size = lanes_abs(a);
    const lanes_mask middle = (lanes_mask)(size > lanes_set(0.41421356237309503) * b);
    const lanes_mask large = (lanes_mask)(size > lanes_set(2.4142135623730949) * b);
    const lanes over = lanes_select(large, -b, lanes_select(middle, size - b, size));
    const lanes under = lanes_select(large, size, lanes_select(middle, size + b, b));
    const lanes base =
        lanes_select(large, lanes_set(1.5707963267948966),
                     lanes_select(middle, lanes_set(0.78539816339744828), lanes_set(0.0)));
    const lanes z = over / under, q = z * z, q2 = q * q, q4 = q2 * q2;
    const lanes p01 = lanes_fma(lanes_set(0.19999999999898407), q, lanes_set(-0.33333333333333248));
    const lanes p23 = lanes_fma(lanes_set(0.11111109636534361), q, lanes_set(-0.14285714266096619));
    const lanes p45 =
        lanes_fma(lanes_set(0.076910551583931494), q, lanes_set(-0.09090852557176049));
    const lanes p67 =
        lanes_fma(lanes_set(0.057363321659076427), q, lanes_set(-0.066496136952916687));
    const lanes p89 =
        lanes_fma(lanes_set(0.022750526993361671), q, lanes_set(-0.044833346222728859));
    const lanes low = lanes_fma(p23, q2, p01), high = lanes_fma(p67, q2, p45);
    const lanes p = lanes_fma(lanes_fma(p89, q4, high), q4, low);
    const lanes whole = base + lanes_fma(z * q, p, z);
    return lanes_select((lanes_mask)(a < lanes_set(0.0)), -whole, whole);
}

// f1 of eq 3; slip = n - n1, rpm = n > 0.
static inline lanes pump_torque(lanes slip, lanes rpm)
{
    const lanes bend = atan_ratio(lanes_set(25.0) * slip, rpm) * rpm;
    return lanes_set(PUMP) * bend * lanes_abs(bend);
}

// ---- throttle ----

// Number of the point of table 1 at an angle, with its fraction.
static inline lanes point_of(lanes angle)
{
    const lanes fine = (angle - lanes_set(3.0)) * lanes_set(0.5);
    const lanes coarse = lanes_fma(angle - lanes_set(61.0), lanes_set(0.25), lanes_set(29.0));
    const lanes point = lanes_select(angle < lanes_set(61.0), fine, coarse);
    return lanes_min(lanes_max(point, lanes_set(0.0)), lanes_set(MIXTURE_POINTS - 1));
}

// A table over the angles of table 1, linear between them.
static inline lanes at_angle(const double table[MIXTURE_POINTS], lanes angle)
{
    const lanes point = point_of(angle);
    lanes low, high;
    const lanes base =
        lanes_pick(table, lanes_min(point, lanes_set(MIXTURE_POINTS - 2)), &low, &high);
    return low + (point - base) * (high - low);
}

// What depends on the reading of the equations alone.
static inline void hold_ratios(const double *p, int n, int i, lanes held[HELD_COUNT])
{
    const lanes_mask printed =
        (lanes_mask)(lanes_load(p + CONVERTER_AS_PRINTED * n + i) > lanes_set(0.5));
    held[HELD_MIN] = lanes_select(printed, lanes_set(1.356), lanes_set(1.0));
    held[HELD_MAX] = lanes_select(printed, lanes_set(3.1592), lanes_set(2.330));
    held[HELD_FALL] = lanes_select(printed, lanes_set(2.068), lanes_set(1.525));
    held[HELD_GEAR] = lanes_select(printed, lanes_set(13.13), lanes_set(9.683));
}

// What depends on parameters and throttle alone.
static inline void converter_hold_four(const double *p, int n, int i, lanes throttle,
                                       lanes held[HELD_COUNT])
{
    const lanes idle = lanes_load(p + CONVERTER_IDLE_ANGLE * n + i);
    const lanes scale = lanes_load(p + CONVERTER_POWER_SCALE * n + i);
    const lanes open = clamp(throttle, 0.0, 1.0);
    hold_ratios(p, n, i, held);
    held[HELD_FLOW] = scale * at_angle(mixture_flow, lanes_fma(open, lanes_set(85.0) - idle, idle));
    held[HELD_FUEL] =
        lanes_set(FUEL_UNIT) / (lanes_set(1.0) + lanes_load(p + CONVERTER_AIR_FUEL * n + i));
}

// A table of flows at the closed throttle, for the speed limiter.
static inline lanes closed_flow(const double *p, int n, int i, const double *table)
{
    return lanes_load(p + CONVERTER_POWER_SCALE * n + i) *
           at_angle(table, lanes_load(p + CONVERTER_IDLE_ANGLE * n + i));
}

static inline lanes one_if(lanes_mask m, double value)
{
    return lanes_select(m, lanes_set(value), lanes_set(0.0));
}

// Table 2, whose intervals end at these speeds.
static inline gear_now report_gear(lanes v, int with_interval)
{
    if (!with_interval)
        return (gear_now){gear_at(v), lanes_set(0.0)};
    lanes region = one_if((lanes_mask)(v > lanes_set(5.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(7.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(10.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(12.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(15.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(18.0)), 1.0);
    return (gear_now){gear_at(v), region};
}

// Intervals of the gears, clamps of the torque ratio, and which side drives the other.
static inline lanes region_of(lanes interval, lanes raw, lanes min, lanes max, lanes slip)
{
    lanes region = interval + one_if((lanes_mask)(raw > min), 8.0);
    region = region + one_if((lanes_mask)(raw > max), 16.0);
    return region + one_if((lanes_mask)(slip > lanes_set(0.0)), 32.0);
}

// ---- the converter ----

typedef struct hydraulics { // of four vehicles
    lanes force;            // N
    lanes pump;             // N m
    lanes kv;               // the gear
    lanes rpm;              // engine speed as the converter sees it
    lanes region;
} hydraulics;

// Converter and gears at road speed v and engine speed rpm, inverse = 1/rpm.
static inline void converter_at(const lanes held[HELD_COUNT], lanes v, gear_now gear, lanes rpm,
                                lanes inverse, int with_region, hydraulics *out)
{
    const lanes kv = gear.kv, turbine = lanes_set(TURBINE) * kv * v;
    const lanes ratio = turbine * inverse, slip = rpm - turbine;
    const lanes pump = pump_torque(slip, rpm);
    const lanes raw = held[HELD_MAX] - held[HELD_FALL] * ratio;
    const lanes gain = lanes_min(lanes_max(raw, held[HELD_MIN]), held[HELD_MAX]);
    out->force = held[HELD_GEAR] * kv * gain * pump;
    out->pump = pump;
    out->kv = kv;
    out->rpm = rpm;
    out->region = with_region ? region_of(gear.interval, raw, held[HELD_MIN], held[HELD_MAX], slip)
                              : lanes_set(0.0);
}

// Friction of the engine, N m.
static inline lanes friction_of(lanes engine_scale, lanes rpm)
{
    return engine_scale * lanes_fma(rpm, lanes_set(FRICTION_RATE / SPIN_UP), lanes_set(FRICTION));
}

// Converter and engine at road speed v and engine speed `speed`, with this flow of mixture; spin:
// the rate of the engine speed, rpm/s.
static inline void converter_engine(const lanes held[HELD_COUNT], lanes engine_scale, lanes flow,
                                    lanes v, gear_now gear, lanes speed, int with_region,
                                    hydraulics *out, lanes *spin)
{
    const lanes rpm = lanes_max(speed, lanes_set(50.0)), inverse = lanes_set(1.0) / rpm;
    converter_at(held, v, gear, rpm, inverse, with_region, out);
    const lanes indicated = lanes_set(INDICATED) * flow * inverse;
    *spin = lanes_set(SPIN_UP) * (indicated - friction_of(engine_scale, speed) - out->pump);
}

// All outputs of eval, for an engine whose mixture is given by the throttle alone.
static inline void converter_give(const double *p, int n, int i, const lanes held[HELD_COUNT],
                                  lanes flow, lanes v, gear_now gear, const double *x, double *dx,
                                  const powertrain_out *out)
{
    const lanes speed = lanes_load(x + i);
    hydraulics at;
    lanes spin;
    converter_engine(held, lanes_load(p + CONVERTER_ENGINE_SCALE * n + i), flow, v, gear, speed,
                     out->region != NULL, &at, &spin);
    lanes_store(out->force + i, at.force);
    lanes_store(dx + i, spin);
    if (out->fuel)
        lanes_store(out->fuel + i, held[HELD_FUEL] * flow);
    if (out->region)
        lanes_store(out->region + i, at.region);
    if (out->input_power)
        lanes_store(out->input_power + i, lanes_set(INDICATED * RPM_TO_RAD) * flow);
    if (out->rpm)
        lanes_store(out->rpm + i, speed);
    if (out->shaft_power)
        lanes_store(out->shaft_power + i, at.pump * at.rpm * lanes_set(RPM_TO_RAD));
    if (out->ratio)
        lanes_store(out->ratio + i, lanes_set(TURBINE) * at.kv);
}

// ---- the steady inverse ----
//
// The force asks for a turbine torque T = F/(gear Kv), which is gain f1. In the form
//     sqrt(gain) atan[25(1 - n1/n)] n = t,   t = sign(T) sqrt(|T|/PUMP)
// it is nearly linear in n. With t measured in units of n1 the solution is a function of one
// number, smooth between its kinks: polynomials through Chebyshev's points bring n within 1e-3, and
// one round of Newton's method within 1e-5. The torque is known from the force, so an error in n
// acts on the throttle no more than by its size.

// At this t/n1, divided by the root of the least gain, the converter begins to multiply torque.
static const double SLIP_BEGINS = 1.4534735;
static const double OVERRUN_MAX = 1.1; // of -t/n1; at 1.14 the converter slips through
// n/n1 over t/n1 when driving below that, and in overrun; n/t over n1/t above it, with a converter
// and with a coupling, whose gain is always 1.
static const double DRIVING[6] = {0.999980089,  0.0409908447,  -0.0081282235,
                                  0.0377828266, -0.0328917138, 0.0208314041};
static const double OVERRUN[7] = {0.99991171,  0.0322055941, -0.108105284, -0.523281061,
                                  -1.18816068, -1.19702008,  -0.460615532};
static const double SLIPPING[5] = {0.427946672, 0.353898325, 0.164429101, 0.018225913, 0.151218457};
static const double SLIPPING_COUPLING[5] = {0.653442014, 0.0118100545, 0.206117757, -0.59965384,
                                            1.00808278};

static inline __attribute__((always_inline)) lanes polynomial(const double *c, int degree, lanes x)
{
    lanes sum = lanes_set(c[degree]);
    for (int k = degree - 1; k >= 0; k--)
        sum = lanes_fma(sum, x, lanes_set(c[k]));
    return sum;
}

static inline lanes first_guess(lanes turbine, lanes t, const lanes held[HELD_COUNT],
                                const double slipping[5])
{
    const lanes per_root = lanes_select((lanes_mask)(held[HELD_MIN] > lanes_set(1.1)),
                                        lanes_set(0.85875673), lanes_set(1.0)); // of the least gain
    const lanes size = lanes_abs(t) * per_root, base = lanes_max(turbine, lanes_set(1.0));
    const lanes_mask driving = (lanes_mask)(t > lanes_set(0.0));
    const lanes_mask slips = driving & (lanes_mask)(size > lanes_set(SLIP_BEGINS) * base);
    const lanes x = lanes_select(slips, turbine, size) / lanes_select(slips, size, base);
    const lanes back = lanes_max(-x, lanes_set(-OVERRUN_MAX));
    const lanes coupled =
        lanes_select(driving, polynomial(DRIVING, 5, x), polynomial(OVERRUN, 6, back));
    const lanes n = lanes_select(slips, size * polynomial(slipping, 4, x), base * coupled);
    return lanes_max(n, lanes_set(50.0));
}

// One round of Newton's method.
static inline lanes better_speed(lanes turbine, lanes t, const lanes held[HELD_COUNT], lanes n)
{
    const lanes one = lanes_set(1.0), zero = lanes_set(0.0);
    const lanes min = lanes_max(turbine * lanes_set(1.0 / 1.17), lanes_set(50.0));
    const lanes ratio = turbine / n, x = lanes_set(25.0) * (one - ratio);
    const lanes a = atan_ratio(x, one);
    const lanes raw = held[HELD_MAX] - held[HELD_FALL] * ratio;
    const lanes gain = lanes_max(raw, held[HELD_MIN]), root = lanes_sqrt(gain);
    const lanes fall = lanes_select((lanes_mask)(raw > held[HELD_MIN]), held[HELD_FALL], zero);
    // Residual and slope, both times root (1 + x^2): one division less for each fraction.
    const lanes square = lanes_fma(x, x, one), arc = a * square;
    const lanes slope = lanes_fma(gain, lanes_fma(lanes_set(25.0), ratio, arc),
                                  lanes_set(0.5) * fall * ratio * arc);
    const lanes scale = root * square;
    const lanes residual = scale * lanes_fma(root * a, n, -t);
    return lanes_max(n - residual / lanes_max(slope, lanes_set(0.05) * scale), min);
}

// The steady inverse of four vehicles in three parts, so that several fours can go side by side: a
// part alone is one long chain of divisions.
typedef struct steady_four {
    lanes turbine, torque, t, n; // rpm, N m, rpm, rpm
    lanes held[HELD_COUNT];
} steady_four;

// speed: m/s, at least 0; kv: the gear there.
static inline void steady_begin(const double *p, int n, int i, lanes speed, lanes kv, lanes force,
                                steady_four *s)
{
    hold_ratios(p, n, i, s->held);
    s->turbine = lanes_set(TURBINE) * kv * speed;
    s->torque = force / (s->held[HELD_GEAR] * kv);
    const lanes size = lanes_sqrt(lanes_abs(s->torque) * lanes_set(1.0 / PUMP));
    s->t = lanes_select((lanes_mask)(s->torque < lanes_set(0.0)), -size, size);
    s->n = first_guess(s->turbine, s->t, s->held, SLIPPING);
}

static inline void steady_round(steady_four *s)
{
    s->n = better_speed(s->turbine, s->t, s->held, s->n);
}

// Mixture for the load of the engine, torque/gain and friction, at power_scale 1; lb/min.
static inline lanes steady_flow(const double *p, int n, int i, const steady_four *s)
{
    const lanes raw = s->held[HELD_MAX] - s->held[HELD_FALL] * s->turbine / s->n;
    const lanes gain = lanes_max(raw, s->held[HELD_MIN]);
    const lanes friction = friction_of(lanes_load(p + CONVERTER_ENGINE_SCALE * n + i), s->n);
    const lanes scale = lanes_set(INDICATED) * lanes_load(p + CONVERTER_POWER_SCALE * n + i);
    return s->n * lanes_fma(gain, friction, s->torque) / (gain * scale);
}
