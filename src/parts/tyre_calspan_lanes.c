// tyre_calspan_lanes.c - Calspan side force (MEDUSA report, eqs 1.19 to 1.24; readings of the
// misprints in docs/theory.md).
//
//   slip angle      alpha = atan(v_y / max(|v_x|, v_low)): the floor lets a parked car stand still
//   lag             lag' = (alpha - lag) / tau
//   friction        mu = SN (B3 + B1 Fz + B4 Fz^2)
//   stiffness       K = A0 + A1 Fz (1 - Fz / A2) up to Fz = A2, A0 above
//   shape           g(a) = a - a|a|/3 + a^3/27 for |a| < 3, sign(a) beyond, with a = K lag/(mu Fz)
//   force           Fy = -mu Fz g(a), 0 when the wheel is off the ground
//   camber          as more slip angle: a += Kc camber/(mu Fz), Kc = A3 Fz (1 - Fz/A4) up to A4
//   moment          Mz = (K1 Fz + K2 |Fy|) Fy
//
// For a wheel with spin: g is the shape of the brush, 3u - 3u^2 + u^3 with u = a/3. So the same
// friction and stiffness go into the law of tyre_deflection.h, with slip stiffness ratio K along x.
// The side slip is measured by its angle: K is multiplied by alpha / tan(alpha), up to 45 degrees,
// with the floor v_low under the rolling speed, so that the factor is 1 for a wheel that stands.
#include "num/lanes.h"
#include "parts/tyre_calspan.h"
#include "parts/tyre_deflection.h"

// The slip angle that camber adds: Kc camber / K.
static inline lanes camber_slip(const double *p, lanes fz, lanes stiffness, lanes camber)
{
    const lanes left = lanes_set(1.0) - fz * lanes_set(1.0 / p[CALSPAN_A4]);
    const lanes k = lanes_set(p[CALSPAN_A3]) * fz * lanes_max(left, lanes_set(0.0));
    return k * camber / lanes_max(stiffness, lanes_set(1e-9));
}

// The slide of a wheel whose slip angle is larger by `more`: tan(a + b) - tan a is
// tan b (1 + tan^2 a) / (1 - tan a tan b).
static inline lanes lean_over(lanes slide, lanes roll, lanes v_low, lanes more)
{
    const lanes one = lanes_set(1.0), half = lanes_set(0.5);
    lanes sine, cosine;
    lanes_sincos(lanes_max(lanes_min(more, half), -half), &sine, &cosine);
    const lanes b = sine / cosine;
    const lanes a = lanes_max(lanes_min(slide / lanes_max(roll, v_low), one), -one);
    return lanes_fma(roll, b * lanes_fma(a, a, one) / (one - a * b), slide);
}

static inline lanes moment(const double *p, lanes fz, lanes fy)
{
    const lanes pushed = lanes_set(p[CALSPAN_K2]) * lanes_abs(fy);
    return lanes_fma(lanes_set(p[CALSPAN_K1]), fz, pushed) * fy;
}

void LANES_NAME(calspan_eval)(const double *p, int n, const tyre_in *in, const double *x,
                              double *drive, const tyre_out *out)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0), three = lanes_set(3.0);
    const lanes rate = lanes_set(1.0 / p[CALSPAN_LAG]), v_low = lanes_set(p[CALSPAN_V_LOW]);
    const lanes a0 = lanes_set(p[CALSPAN_A0]), a1 = lanes_set(p[CALSPAN_A1]);
    const lanes a2 = lanes_set(p[CALSPAN_A2]), a2_inverse = lanes_set(1.0 / p[CALSPAN_A2]);
    const lanes b1 = lanes_set(p[CALSPAN_B1] * p[CALSPAN_SN]);
    const lanes b3 = lanes_set(p[CALSPAN_B3] * p[CALSPAN_SN]);
    const lanes b4 = lanes_set(p[CALSPAN_B4] * p[CALSPAN_SN]);
    const lanes smallest = lanes_set(1e-9); // N; below it the force is 0 to every printed digit

    // x 1.0 keeps every bit: without mu the law is as published.
    for (int i = 0; i < n; i += LANES) {
        const lanes v_y = lanes_load(in->v_y + i), lag = lanes_load(x + i);
        const lanes forward = lanes_max(lanes_abs(lanes_load(in->v_x + i)), v_low);
        lanes_store(drive + i, rate * lanes_atan(v_y / forward));

        const lanes fz = lanes_max(lanes_load(in->fz + i), zero);
        const lanes mu = lanes_max(lanes_fma(fz, lanes_fma(b4, fz, b1), b3), smallest);
        const lanes growth = a1 * fz * (one - fz * a2_inverse);
        const lanes stiffness = a0 + lanes_select(fz < a2, growth, zero);
        const lanes limit = mu * fz * (in->mu ? lanes_load(in->mu + i) : one);
        const lanes angle =
            in->camber ? lag + camber_slip(p, fz, stiffness, lanes_load(in->camber + i)) : lag;
        // The shape is odd: work with |a| and give the sign back at the end.
        const lanes a = lanes_min(stiffness * lanes_abs(angle) / lanes_max(limit, smallest), three);
        const lanes shape =
            a * lanes_fma(a, lanes_fma(a, lanes_set(1.0 / 27.0), lanes_set(-1.0 / 3.0)), one);
        const lanes force = limit * shape;
        lanes_store(out->fx + i, zero);
        const lanes fy = lanes_select(angle > zero, -force, force);
        lanes_store(out->fy + i, fy);
        if (out->mz)
            lanes_store(out->mz + i, moment(p, fz, fy));
    }
}

void LANES_NAME(calspan_driven_eval)(const double *p, int n, const tyre_in *in, const double *x,
                                     double *drive, const tyre_out *out)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0), tiny = lanes_set(1e-9);
    const lanes v_low = lanes_set(p[CALSPAN_V_LOW]);
    const lanes a0 = lanes_set(p[CALSPAN_A0]), a1 = lanes_set(p[CALSPAN_A1]);
    const lanes a2 = lanes_set(p[CALSPAN_A2]), a2_inverse = lanes_set(1.0 / p[CALSPAN_A2]);
    const lanes b1 = lanes_set(p[CALSPAN_B1] * p[CALSPAN_SN]);
    const lanes b3 = lanes_set(p[CALSPAN_B3] * p[CALSPAN_SN]);
    const lanes b4 = lanes_set(p[CALSPAN_B4] * p[CALSPAN_SN]);
    for (int i = 0; i < n; i += LANES) {
        const lanes fz = lanes_max(lanes_load(in->fz + i), zero);
        const lanes mu = lanes_max(lanes_fma(fz, lanes_fma(b4, fz, b1), b3), tiny);
        const lanes growth = a1 * fz * (one - fz * a2_inverse);
        const lanes cornering = a0 + lanes_select(fz < a2, growth, zero);
        deflection_wheel w;
        deflection_load(in, x, n, i, &w);
        if (in->camber)
            w.slide_y = lean_over(w.slide_y, w.roll, v_low,
                                  camber_slip(p, fz, cornering, lanes_load(in->camber + i)));
        const lanes tangent = lanes_abs(w.slide_y) / lanes_max(w.roll, v_low);
        const lanes t = lanes_max(lanes_min(tangent, one), tiny);
        w.limit = mu * fz * (in->mu ? lanes_load(in->mu + i) : one);
        w.stiffness_x = cornering * lanes_set(p[CALSPAN_RATIO]);
        w.stiffness_y = cornering * (lanes_atan(t) / t);
        const deflection_result r =
            deflection_eval(DEFLECTION_BRUSH, p[CALSPAN_RELAXATION], p[CALSPAN_DAMPING], &w);
        deflection_store(&r, n, i, drive, out);
        if (out->mz)
            lanes_store(out->mz + i, moment(p, fz, r.fy));
    }
}
