// tyre_pac89_lanes.c - the Magic Formula of 1989 (Bakker, Pacejka and Lidner, SAE 890087).
//
// Fz in kN, slip angle alpha and camber g in degrees, longitudinal slip kappa in per cent:
//
//   y(X) = D sin(C atan(B X - E (B X - atan(B X)))) + Sv,  X = slip + Sh
//   Fx   C = b0, D = b1 Fz^2 + b2 Fz, BCD = (b3 Fz^2 + b4 Fz) exp(-b5 Fz),
//        E = b6 Fz^2 + b7 Fz + b8, Sh = b9 Fz + b10
//   -Fy  C = a0, D = a1 Fz^2 + a2 Fz, BCD = a3 sin(2 atan(Fz / a4)) (1 - a5 |g|),
//        E = a6 Fz + a7, Sh = a8 g + a9 Fz + a10, Sv = a11 Fz g + a12 Fz + a13
//   -Mz  C = c0, D = c1 Fz^2 + c2 Fz, BCD = (c3 Fz^2 + c4 Fz) (1 - c6 |g|) exp(-c5 Fz),
//        E = (c7 Fz^2 + c8 Fz + c9) (1 - c10 |g|), Sh = c11 g + c12 Fz + c13,
//        Sv = (c14 Fz^2 + c15 Fz) g + c16 Fz + c17
//
// Signs: alpha > 0 for v_y > 0; the published axes have y to the right, hence -Fy and -Mz. E is at
// most 1. Shifts fade below walking speed.
//
// Combined slip by similarity: in units in which all curves begin with slope 1,
// u = (BCD_x X_x / D_x, BCD_y X_y / D_y), both curves are taken at |u| and the force goes along u:
//
//   Fx = D_x f_x(|u|) u_x / |u|,   Fy = -D_y f_y(|u|) u_y / |u|,   f(u) = y(X)/D with B X = u / C
//
// which is exact for pure slip and never outside of the ellipse (D_x, D_y). The moment is that of
// the slip angle with the same |u|, times |u_y| / |u|.
#include "parts/tyre_pac89.h"
#include "parts/tyre_relaxation.h"

// sin(C atan(w - E (w - atan w)))
static inline lanes magic(lanes c, lanes e, lanes w)
{
    lanes sine, cosine;
    lanes_sincos(c * lanes_atan(w - e * (w - lanes_atan(w))), &sine, &cosine);
    return sine;
}

static inline lanes square(const double *k, lanes fz) // k0 Fz^2 + k1 Fz
{
    return fz * lanes_fma(lanes_set(k[0]), fz, lanes_set(k[1]));
}

typedef struct pure { // four wheels, one direction
    lanes peak, slope, bend, shift;
} pure;

static inline lanes moment(const double *c, lanes fz, lanes camber, lanes alpha, lanes rolling)
{
    const lanes one = lanes_set(1.0), lean = lanes_abs(camber);
    const lanes peak = lanes_max(square(c + 1, fz), lanes_set(1e-30));
    const lanes slope =
        square(c + 3, fz) * (one - lanes_set(c[6]) * lean) * lanes_exp(-lanes_set(c[5]) * fz);
    const lanes bend =
        lanes_min((square(c + 7, fz) + lanes_set(c[9])) * (one - lanes_set(c[10]) * lean), one);
    const lanes shift =
        lanes_fma(lanes_set(c[11]), camber, lanes_fma(lanes_set(c[12]), fz, lanes_set(c[13])));
    const lanes base =
        lanes_fma(square(c + 14, fz), camber, lanes_fma(lanes_set(c[16]), fz, lanes_set(c[17])));
    const lanes w = slope * lanes_fma(rolling, shift, alpha) / (lanes_set(c[0]) * peak);
    return lanes_fma(peak, magic(lanes_set(c[0]), bend, w), rolling * base);
}

void LANES_NAME(pac89_eval)(const double *p, int n, const tyre_in *in, const double *x,
                            double *drive, const tyre_out *out)
{
    const double *a = p + PAC89_A, *b = p + PAC89_B, degree = 57.295779513082323;
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0), two = lanes_set(2.0);
    const lanes tiny = lanes_set(1e-30), max_load = lanes_set(1e-3 * p[PAC89_LOAD]);
    const lanes c_x = lanes_set(b[0]), c_y = lanes_set(a[0]);
    relaxation_law law = {.sigma_x = lanes_set(p[PAC89_RELAXATION_X]),
                          .sigma_y = lanes_set(p[PAC89_RELAXATION_Y]),
                          .v_low = PAC89_V_LOW,
                          .damping = p[PAC89_DAMPING],
                          .ellipse = 1.0};
    for (int i = 0; i < n; i += LANES) {
        const lanes side = in->side ? lanes_load(in->side + i) : one;
        const lanes camber =
            in->camber ? side * lanes_set(degree) * lanes_load(in->camber + i) : zero;
        const lanes load = lanes_max(lanes_set(1e-3) * lanes_load(in->fz + i), zero); // kN
        const lanes fz = lanes_max(lanes_min(load, max_load), lanes_set(1e-3));
        const lanes mu = in->mu ? lanes_load(in->mu + i) : one, scale = load / fz;
        const pure px = {.peak = lanes_max(mu * square(b + 1, fz), tiny),
                         .slope =
                             lanes_max(square(b + 3, fz) * lanes_exp(-lanes_set(b[5]) * fz), tiny),
                         .bend = lanes_min(square(b + 6, fz) + lanes_set(b[8]), one),
                         .shift = lanes_fma(lanes_set(b[9]), fz, lanes_set(b[10]))};
        const lanes r4 = fz * lanes_set(1.0 / a[4]); // sin(2 atan r) = 2 r / (1 + r^2)
        const pure py = {.peak = lanes_max(mu * square(a + 1, fz), tiny),
                         .slope = lanes_max(lanes_set(a[3]) * two * r4 / lanes_fma(r4, r4, one) *
                                                (one - lanes_set(a[5]) * lanes_abs(camber)),
                                            tiny),
                         .bend = lanes_min(lanes_fma(lanes_set(a[6]), fz, lanes_set(a[7])), one),
                         .shift = lanes_fma(lanes_set(a[8]), camber,
                                            lanes_fma(lanes_set(a[9]), fz, lanes_set(a[10])))};
        const lanes base = lanes_fma(lanes_set(a[11]) * fz, camber,
                                     lanes_fma(lanes_set(a[12]), fz, lanes_set(a[13])));
        law.grip_x = lanes_set(0.02) * px.peak / px.slope;
        law.grip_y = lanes_set(2.0 / degree) * py.peak / py.slope;
        law.limit_x = scale * px.peak;
        law.limit_y = scale * (py.peak + mu * lanes_abs(base));
        const relaxation_slip r = relaxation_begin(&law, in, x, n, i);
        const lanes alpha = -side * lanes_set(degree) * lanes_atan(r.s_y);
        const lanes u_x =
            px.slope * lanes_fma(r.rolling, px.shift, lanes_set(100.0) * r.s_x) / px.peak;
        const lanes u_y = py.slope * lanes_fma(r.rolling, py.shift, alpha) / py.peak;
        const lanes u = lanes_max(relaxation_norm(u_x, u_y), tiny);
        const lanes fx = px.peak * magic(c_x, px.bend, u / c_x) * (u_x / u);
        const lanes pure_y = py.peak * magic(c_y, py.bend, u / c_y) * (u_y / u);
        const lanes fy = -side * lanes_fma(mu * r.rolling, base, pure_y);
        relaxation_store(&law, &r, scale * fx, scale * fy, in, n, i, drive, out);
        if (out->mz) {
            const lanes same = u * py.peak / py.slope; // slip angle with the same |u|
            const lanes mz =
                moment(p + PAC89_C, fz, camber, lanes_select(u_y < zero, -same, same), r.rolling);
            lanes_store(out->mz + i, -side * scale * mu * mz * (lanes_abs(u_y) / u));
        }
    }
}
