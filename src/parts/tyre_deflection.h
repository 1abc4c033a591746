// tyre_deflection.h - what the laws with a deflected tread share: vector code for one wheel per
// lane.
//
// The tread is a brush that the road bends. z is its mean deflection (m, where the road has carried
// it to, so the force is against the slide), f = C z / sigma the force, C the slip stiffness (N)
// and sigma the relaxation length (m). With the slide v_s = (v_x - v_roll, v_y) of the contact
//
//     z' = -v_s - (L / sigma) z,      L = |C v_s| / F(s)      the speed at which the tread renews
//
// and F(s) the steady force of the law at slip s = v_s / |v_roll|: the state that does not change
// is then f = -F(s) along C s, at every speed. F(s) = |C s| for small slip gives L = |v_roll|:
// relaxation over sigma metres of rolling. A sliding contact has L = |C v_s| / (mu Fz), times the
// part of it that slips (stick.h), and at least that of u = 1. A wheel that stands does not renew
// its tread: z' = -v_s, a spring, and so a parked car stays where it is to the last bit. Nothing
// divides by speed, so no force jumps on the way from one to the other.
//
//     force = f + c z',  shortened to mu Fz when it is longer
//
// c, the damping of the tread, brings a parked car to rest; it does nothing in a steady state.
//
// Poles: L / sigma is |v_roll|/sigma to 3 |v_roll|/sigma for a wheel that rolls. For one that
// slides it is held below DEFLECTION_RATE_MAX or three times the rolling part, whichever is
// larger: z then is too long, and the force, which is shortened to mu Fz, does not change.
// Limit: with C_x != C_y the force of a sliding wheel is along C s and not along s.
#pragma once

#include "parts/tyre.h"

#define DEFLECTION_RATE_MAX 1000.0 // 1/s

extern const tyre_state deflection_states[2];
double deflection_no_rate(const double *p, int k); // state_rate of these laws: 0

// Maximum rate at rolling speed v, 1/s.
static inline double deflection_stiffness(double relaxation, double v)
{
    const double rolling = 3.0 * (v < 0.0 ? -v : v) / relaxation;
    return rolling > DEFLECTION_RATE_MAX ? rolling : DEFLECTION_RATE_MAX;
}

#ifdef LANES_VARIANT
#include "num/lanes.h"
#include "parts/stick.h"

typedef enum deflection_shape {
    DEFLECTION_LINEAR, // F = |C s| up to mu Fz
    DEFLECTION_BRUSH,  // F = mu Fz (3u - 3u^2 + u^3), u = |C s| / (3 mu Fz) <= 1
} deflection_shape;

typedef struct deflection_wheel {   // four wheels
    lanes stiffness_x, stiffness_y; // N
    lanes limit;                    // N, mu Fz; 0 in the air
    lanes slide_x, slide_y;         // m/s
    lanes roll;                     // m/s, |v_roll|
    lanes z_x, z_y;                 // m
} deflection_wheel;

typedef struct deflection_result {
    lanes rate_x, rate_y; // m/s
    lanes fx, fy;         // N
} deflection_result;

// No car is faster than 1e9 m/s; squares stay finite.
static inline lanes deflection_speed(lanes v)
{
    return lanes_max(lanes_min(v, lanes_set(1e9)), lanes_set(-1e9));
}

static inline deflection_result deflection_eval(deflection_shape shape, double relaxation,
                                                double damping, const deflection_wheel *w)
{
    const lanes one = lanes_set(1.0), three = lanes_set(3.0), tiny = lanes_set(1e-9);
    const lanes per_length = lanes_set(1.0 / relaxation), c = lanes_set(damping);
    const lanes gx = w->stiffness_x * w->slide_x, gy = w->stiffness_y * w->slide_y;
    const lanes slid = lanes_sqrt(lanes_fma(gx, gx, gy * gy)) / lanes_max(w->limit, tiny);
    const lanes rolled = shape == DEFLECTION_BRUSH ? three * w->roll : w->roll; // slides beyond it
    const lanes max = lanes_max(three * w->roll, lanes_set(DEFLECTION_RATE_MAX * relaxation));
    const lanes kx = w->stiffness_x * per_length, ky = w->stiffness_y * per_length; // N/m
    const lanes sx = kx * w->z_x, sy = ky * w->z_y;
    const lanes used = lanes_sqrt(lanes_fma(sx, sx, sy * sy)) / lanes_max(w->limit, tiny);
    lanes renewed = lanes_max(rolled, lanes_min(slid, max) * stick_slips(used));
    if (shape == DEFLECTION_BRUSH) {
        const lanes u = lanes_min(slid / lanes_max(rolled, tiny), one);
        const lanes carried = rolled / lanes_fma(u, u - three, three);
        renewed = lanes_select(slid < rolled, carried, renewed);
    }
    const lanes rate = renewed * per_length;
    deflection_result r;
    r.rate_x = -lanes_fma(rate, w->z_x, w->slide_x);
    r.rate_y = -lanes_fma(rate, w->z_y, w->slide_y);
    r.fx = lanes_fma(c, r.rate_x, sx);
    r.fy = lanes_fma(c, r.rate_y, sy);
    const lanes size = lanes_sqrt(lanes_fma(r.fx, r.fx, r.fy * r.fy));
    const lanes share = lanes_min(w->limit / lanes_max(size, tiny), one);
    r.fx = r.fx * share;
    r.fy = r.fy * share;
    return r;
}

// Four wheels from the arrays of a law, at i; states at x.
static inline void deflection_load(const tyre_in *in, const double *x, int n, int i,
                                   deflection_wheel *w)
{
    const lanes v_x = deflection_speed(lanes_load(in->v_x + i));
    const lanes v_roll = in->v_roll ? deflection_speed(lanes_load(in->v_roll + i)) : v_x;
    w->slide_x = v_x - v_roll;
    w->slide_y = deflection_speed(lanes_load(in->v_y + i));
    w->roll = lanes_abs(v_roll);
    w->z_x = lanes_load(x + i);
    w->z_y = lanes_load(x + n + i);
}

static inline void deflection_store(const deflection_result *r, int n, int i, double *drive,
                                    const tyre_out *out)
{
    lanes_store(drive + i, r->rate_x);
    lanes_store(drive + n + i, r->rate_y);
    lanes_store(out->fx + i, r->fx);
    lanes_store(out->fy + i, r->fy);
}
#endif
