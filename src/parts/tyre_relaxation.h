// tyre_relaxation.h - how laws that are given as steady forces over slip become forces of a moving
// wheel: vector code for one wheel per lane.
//
// The tread is deflected by z (m, against the slide v_s = (v_x - v_roll, v_y) of the contact) and
// carries the slip s = z / sigma, sigma the relaxation lengths (m). With the reference speed
// V = |v_x|, or |v_roll| for laws that divide by it,
//
//     z' = -v_s - L s,   L = max(V, slips(u) N(v_s)),   N(a) = |(a_x / m_x, a_y / m_y)|,   u = N(s)
//
// At speed L = V: s comes to -v_s / V over sigma metres, and the force to the steady one F(s), at
// every slip up to m = RELAXATION_SLIP_MAX, where it stays. A wheel that stands has z' = -v_s, a
// spring, and so a parked car stays where it is to the last bit. Below v_low m falls to `grip`, the
// slip at which friction is used up: a tread that slides to rest is then bent by centimetres and
// does not push the car back by a metre. slips() is that of stick.h: a spring up to 0.7 of m.
// Nothing divides by speed.
//
//     force = F(s) + c z' w^2 / (w^2 + V^2),   shortened to the ellipse of friction
//
// c, the damping of the tread, brings a parked car to rest; it fades above w = 3 m/s, where rolling
// damps, and does nothing in a steady state. With ellipse = 0 a force F(s) that is itself outside
// of the ellipse is kept: some laws limit each direction by itself.
//
// Poles: L / sigma, from V / sigma for a wheel that rolls to v_low / (grip sigma) for one that
// comes to rest sliding, and |v_s| / (m sigma) for one that slides fast.
#pragma once

#include "parts/tyre_deflection.h"

#define RELAXATION_SLIP_MAX 1.5
#define RELAXATION_GRIP_MIN 0.01 // of a wheel that is almost in the air
#define RELAXATION_V_DAMPED 3.0  // m/s

// Maximum rate at speeds up to v, 1/s. sigma: the shorter relaxation length, m.
static inline double relaxation_stiffness(double sigma, double v_low, double v)
{
    const double speed = v < 0.0 ? -v : v, rest = v_low / RELAXATION_GRIP_MIN;
    return (2.0 * speed > rest ? 2.0 * speed : rest) / sigma;
}

#ifdef LANES_VARIANT
#include "num/lanes.h"
#include "parts/stick.h"

typedef struct relaxation_law { // four wheels: what a law says before it knows the slip
    lanes sigma_x, sigma_y;     // m, relaxation lengths, above 0
    lanes grip_x, grip_y;       // -, slip at which friction is used up
    lanes limit_x, limit_y;     // N, half axes of the ellipse of friction; 0 in the air
    double v_low;               // m/s
    double damping;             // N s/m
    double ellipse;             // 1: the force is shortened to the ellipse; 0: see above
    bool by_roll;               // slip is over |v_roll|, not over |v_x|
} relaxation_law;

typedef struct relaxation_slip { // four wheels
    lanes s_x, s_y;              // -, positive slip asks for positive force
    lanes rate_x, rate_y;        // m/s, z'
    lanes fade;                  // -, of the damping
    lanes rolling;               // -, 0 for a wheel that stands to 1 from v_low on
} relaxation_slip;

static inline lanes relaxation_smooth(lanes at) // 0 .. 1 for at = 0 .. 1
{
    const lanes s = lanes_min(at, lanes_set(1.0)); // at >= 0
    return s * s * (lanes_set(3.0) - lanes_set(2.0) * s);
}

static inline lanes relaxation_norm(lanes x, lanes y)
{
    return lanes_sqrt(lanes_fma(x, x, y * y));
}

static inline relaxation_slip relaxation_begin(const relaxation_law *law, const tyre_in *in,
                                               const double *x, int n, int i)
{
    const lanes one = lanes_set(1.0), most = lanes_set(RELAXATION_SLIP_MAX);
    const lanes least = lanes_set(RELAXATION_GRIP_MIN), w = lanes_set(RELAXATION_V_DAMPED);
    deflection_wheel d;
    deflection_load(in, x, n, i, &d);
    const lanes v_x = lanes_abs(deflection_speed(lanes_load(in->v_x + i)));
    const lanes speed = law->by_roll ? d.roll : v_x;
    const lanes moves = lanes_max(lanes_max(v_x, d.roll), lanes_abs(d.slide_y));
    const lanes fast = relaxation_smooth(moves * lanes_set(1.0 / law->v_low));
    const lanes grip_x = lanes_max(lanes_min(law->grip_x, most), least);
    const lanes grip_y = lanes_max(lanes_min(law->grip_y, most), least);
    const lanes per_x = one / lanes_fma(fast, most - grip_x, grip_x);
    const lanes per_y = one / lanes_fma(fast, most - grip_y, grip_y);
    const lanes s_x = d.z_x / law->sigma_x, s_y = d.z_y / law->sigma_y;
    const lanes used = relaxation_norm(s_x * per_x, s_y * per_y);
    const lanes slid = relaxation_norm(d.slide_x * per_x, d.slide_y * per_y);
    const lanes renewed = lanes_max(speed, slid * stick_slips(used));
    const lanes share = one / lanes_max(used, one); // a law sees no slip beyond m
    relaxation_slip r;
    r.rate_x = -lanes_fma(renewed, s_x, d.slide_x);
    r.rate_y = -lanes_fma(renewed, s_y, d.slide_y);
    r.s_x = s_x * share;
    r.s_y = s_y * share;
    r.fade = w * w / lanes_fma(speed, speed, w * w);
    r.rolling = relaxation_smooth(speed * lanes_set(1.0 / law->v_low));
    return r;
}

// fx, fy: the steady force at the slip of *r.
static inline void relaxation_store(const relaxation_law *law, const relaxation_slip *r, lanes fx,
                                    lanes fy, const tyre_in *in, int n, int i, double *drive,
                                    const tyre_out *out)
{
    const lanes one = lanes_set(1.0), zero = lanes_set(0.0), tiny = lanes_set(1e-30);
    const lanes c = lanes_set(law->damping) * r->fade;
    const lanes per_x = one / lanes_max(law->limit_x, tiny);
    const lanes per_y = one / lanes_max(law->limit_y, tiny);
    const lanes steady = lanes_max(relaxation_norm(fx * per_x, fy * per_y), one);
    const lanes allowed = lanes_fma(steady - one, lanes_set(1.0 - law->ellipse), one);
    const lanes all_x = lanes_fma(c, r->rate_x, fx), all_y = lanes_fma(c, r->rate_y, fy);
    const lanes size = relaxation_norm(all_x * per_x, all_y * per_y);
    const lanes share = lanes_min(allowed / lanes_max(size, tiny), one);
    const lanes_mask loaded = lanes_load(in->fz + i) > zero;
    lanes_store(drive + i, r->rate_x);
    lanes_store(drive + n + i, r->rate_y);
    lanes_store(out->fx + i, lanes_select(loaded, all_x * share, zero));
    lanes_store(out->fy + i, lanes_select(loaded, all_y * share, zero));
}
#endif
