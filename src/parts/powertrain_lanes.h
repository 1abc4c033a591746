// powertrain_lanes.h - the torque converter and gears of the report in lanes, for the kinds that
// use them; equations in powertrain_converter.h.
#pragma once

#include "num/lanes.h"
#include "parts/powertrain_converter.h"

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
    lanes value;
    for (int i = 0; i < LANES; i++) {
        const int k = point[i] < MIXTURE_POINTS - 1 ? (int)point[i] : MIXTURE_POINTS - 2;
        value[i] = table[k] + (point[i] - k) * (table[k + 1] - table[k]);
    }
    return value;
}

// What depends on the reading of the equations alone.
static inline void hold_ratios(const double *p, int n, int i, lanes held[HELD_COUNT])
{
    const lanes_mask printed =
        (lanes_mask)(lanes_load(p + CONVERTER_AS_PRINTED * n + i) > lanes_set(0.5));
    held[HELD_LEAST] = lanes_select(printed, lanes_set(1.356), lanes_set(1.0));
    held[HELD_MOST] = lanes_select(printed, lanes_set(3.1592), lanes_set(2.330));
    held[HELD_FALL] = lanes_select(printed, lanes_set(2.068), lanes_set(1.525));
    held[HELD_GEAR] = lanes_select(printed, lanes_set(13.13), lanes_set(9.683));
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

// Intervals of table 2, clamps of the torque ratio, and which side drives the other.
static inline lanes region_of(lanes v, lanes raw, lanes least, lanes most, lanes slip)
{
    lanes region = one_if((lanes_mask)(v > lanes_set(5.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(7.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(10.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(12.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(15.0)), 1.0);
    region = region + one_if((lanes_mask)(v > lanes_set(18.0)), 1.0);
    region = region + one_if((lanes_mask)(raw > least), 8.0);
    region = region + one_if((lanes_mask)(raw > most), 16.0);
    return region + one_if((lanes_mask)(slip > lanes_set(0.0)), 32.0);
}

// ---- the converter ----

typedef struct hydraulics { // of four vehicles
    lanes force;            // N
    lanes pump;             // N m
    lanes kv;               // the gear
    lanes region;
} hydraulics;

// Converter and gears at road speed v and engine speed rpm, inverse = 1/rpm.
static inline void converter_at(const lanes held[HELD_COUNT], lanes v, lanes rpm, lanes inverse,
                                int with_region, hydraulics *out)
{
    const lanes kv = gear_at(v), turbine = lanes_set(TURBINE) * kv * v;
    const lanes ratio = turbine * inverse, slip = rpm - turbine;
    const lanes pump = pump_torque(slip, rpm);
    const lanes raw = held[HELD_MOST] - held[HELD_FALL] * ratio;
    const lanes gain = lanes_min(lanes_max(raw, held[HELD_LEAST]), held[HELD_MOST]);
    out->force = held[HELD_GEAR] * kv * gain * pump;
    out->pump = pump;
    out->kv = kv;
    out->region =
        with_region ? region_of(v, raw, held[HELD_LEAST], held[HELD_MOST], slip) : lanes_set(0.0);
}

// Friction of the engine, N m.
static inline lanes friction_of(lanes engine_scale, lanes rpm)
{
    return engine_scale * lanes_fma(rpm, lanes_set(FRICTION_RATE / SPIN_UP), lanes_set(FRICTION));
}

// ---- the steady inverse ----
//
// The force asks for a turbine torque T = F/(gear Kv), which is gain f1. In the form
//     sqrt(gain) atan[25(1 - n1/n)] n = t,   t = sign(T) sqrt(|T|/PUMP)
// it is nearly linear in n, and two rounds of Newton's method bring n within 2e-4. They start from
// a rational function in place of atan: a quadratic equation when driving, tan when in overrun. The
// torque is known from the force, so an error in n acts on the throttle no more than by its size.

enum { ROUNDS = 2 };

static inline lanes square_root_of_positive(lanes a)
{
    return lanes_sqrt(lanes_max(a, lanes_set(0.0)));
}

static inline lanes first_guess(lanes turbine, lanes t, const lanes held[HELD_COUNT])
{
    const lanes ratio =
        turbine / (lanes_fma(lanes_set(0.3), lanes_abs(t), turbine) + lanes_set(1e-9));
    const lanes gain = lanes_max(held[HELD_MOST] - held[HELD_FALL] * ratio, held[HELD_LEAST]);
    const lanes s = t / lanes_sqrt(gain); // driving: atan x = x/(1 + 0.62 x)
    const lanes linear = lanes_fma(lanes_set(25.0), turbine, lanes_set(16.5) * s);
    const lanes root = square_root_of_positive(linear * linear - lanes_set(1550.0) * s * turbine);
    const lanes driving = lanes_set(0.02) * (linear + root);
    // Overrun: n1/n = 1 + b + 0.9 b^2 with b = tan(y)/25, tan y = y (1 - 0.19 q)/(1 - q),
    // q = (2 y/pi)^2; the converter drags the engine with y up to 1.14 only.
    const lanes y = lanes_min(
        -t / (lanes_sqrt(held[HELD_LEAST]) * lanes_max(turbine, lanes_set(1.0))), lanes_set(1.1));
    const lanes q = lanes_set(0.4053) * y * y, under = lanes_set(1.0) - q;
    const lanes over = lanes_set(0.04) * y * lanes_fma(lanes_set(-0.19), q, lanes_set(1.0));
    const lanes whole = lanes_fma(over, lanes_fma(over, lanes_set(0.9), under), under * under);
    const lanes overrun = turbine * under * under / whole;
    return lanes_max(lanes_select((lanes_mask)(t > lanes_set(0.0)), driving, overrun),
                     lanes_set(50.0));
}

// One round of Newton's method.
static inline lanes better_speed(lanes turbine, lanes t, const lanes held[HELD_COUNT], lanes n)
{
    const lanes one = lanes_set(1.0), zero = lanes_set(0.0);
    const lanes least = lanes_max(turbine * lanes_set(1.0 / 1.17), lanes_set(50.0));
    const lanes ratio = turbine / n, x = lanes_set(25.0) * (one - ratio);
    const lanes a = atan_ratio(x, one);
    const lanes raw = held[HELD_MOST] - held[HELD_FALL] * ratio;
    const lanes gain = lanes_max(raw, held[HELD_LEAST]), root = lanes_sqrt(gain);
    const lanes fall = lanes_select((lanes_mask)(raw > held[HELD_LEAST]), held[HELD_FALL], zero);
    // Residual and slope, both times root (1 + x^2): one division less for each fraction.
    const lanes square = lanes_fma(x, x, one), arc = a * square;
    const lanes slope = lanes_fma(gain, lanes_fma(lanes_set(25.0), ratio, arc),
                                  lanes_set(0.5) * fall * ratio * arc);
    const lanes scale = root * square;
    const lanes residual = scale * lanes_fma(root * a, n, -t);
    return lanes_max(n - residual / lanes_max(slope, lanes_set(0.05) * scale), least);
}

static inline lanes engine_speed_for(lanes turbine, lanes t, const lanes held[HELD_COUNT])
{
    lanes n = first_guess(turbine, t, held);
    for (int k = 0; k < ROUNDS; k++)
        n = better_speed(turbine, t, held, n);
    return n;
}

// The steady inverse of four vehicles in three parts, so that several fours can go side by side: a
// part alone is one long chain of divisions.
typedef struct steady_four {
    lanes turbine, torque, t, n; // rpm, N m, rpm, rpm
    lanes held[HELD_COUNT];
} steady_four;

static inline void steady_begin(const double *p, int n, int i, lanes v, lanes force, steady_four *s)
{
    hold_ratios(p, n, i, s->held);
    const lanes speed = lanes_max(v, lanes_set(0.0)), kv = gear_at(speed);
    s->turbine = lanes_set(TURBINE) * kv * speed;
    s->torque = force / (s->held[HELD_GEAR] * kv);
    const lanes size = lanes_sqrt(lanes_abs(s->torque) * lanes_set(1.0 / PUMP));
    s->t = lanes_select((lanes_mask)(s->torque < lanes_set(0.0)), -size, size);
    s->n = first_guess(s->turbine, s->t, s->held);
}

static inline void steady_round(steady_four *s)
{
    s->n = better_speed(s->turbine, s->t, s->held, s->n);
}

// Mixture for the load of the engine, at power_scale 1; lb/min.
static inline lanes steady_flow(const double *p, int n, int i, const steady_four *s)
{
    const lanes raw = s->held[HELD_MOST] - s->held[HELD_FALL] * s->turbine / s->n;
    const lanes load = s->torque / lanes_max(raw, s->held[HELD_LEAST]) +
                       friction_of(lanes_load(p + CONVERTER_ENGINE_SCALE * n + i), s->n);
    return s->n * load / (lanes_set(INDICATED) * lanes_load(p + CONVERTER_POWER_SCALE * n + i));
}
