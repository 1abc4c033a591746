// tyre_fiala_lanes.c - Fiala's tyre (E. Fiala 1954, in the form of multibody programs).
//
//   friction     U = U_max - (U_max - U_min) min(1, |(kappa, tan alpha)|)
//   along x      Fx = C kappa up to |kappa| = U Fz/(2 C), then sgn (U Fz - (U Fz)^2/(4 |kappa| C))
//   along y      H = 1 - C_a |tan alpha| / (3 U Fz), 0 when it slides
//                Fy = -U Fz (1 - H^3) sgn alpha,   Mz = U Fz w (1 - H) H^3 sgn alpha
//
// Slips are those that the tread carries (tyre_relaxation.h): kappa = s_x, tan alpha = -s_y. The
// ellipse of friction is the circle U Fz, with the U of these slips.
#include "parts/tyre_fiala.h"
#include "parts/tyre_relaxation.h"

void LANES_NAME(fiala_eval)(const double *p, int n, const tyre_in *in, const double *x,
                            double *drive, const tyre_out *out)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0), tiny = lanes_set(1e-30);
    const lanes slip = lanes_set(p[FIALA_SLIP]), cornering = lanes_set(p[FIALA_CORNERING]);
    const lanes u_max = lanes_set(p[FIALA_MAX]);
    const lanes u_fall = lanes_set(p[FIALA_MAX] - p[FIALA_MIN]), half = lanes_set(0.5);
    relaxation_law law = {.sigma_x = lanes_set(p[FIALA_RELAXATION_X]),
                          .sigma_y = lanes_set(p[FIALA_RELAXATION_Y]),
                          .v_low = FIALA_V_LOW,
                          .damping = p[FIALA_DAMPING],
                          .ellipse = p[FIALA_ELLIPSE]};
    for (int i = 0; i < n; i += LANES) {
        const lanes road = in->mu ? lanes_load(in->mu + i) : one;
        const lanes load = road * lanes_max(lanes_load(in->fz + i), zero);
        law.grip_x = lanes_set(2.0) * u_max * load / slip;
        law.grip_y = lanes_set(3.0) * u_max * load / cornering;
        const relaxation_slip r = relaxation_begin(&law, in, x, n, i);
        const lanes kappa = lanes_abs(r.s_x), tangent = lanes_abs(r.s_y);
        const lanes slid = lanes_min(relaxation_norm(r.s_x, r.s_y), one);
        const lanes limit = load * (u_max - u_fall * slid);
        const lanes linear = slip * kappa;
        const lanes bent = limit - half * half * limit * limit / lanes_max(linear, tiny);
        const lanes fx = lanes_select(linear <= half * limit, linear, bent);
        const lanes used = cornering * tangent / lanes_max(lanes_set(3.0) * limit, tiny);
        const lanes h = one - lanes_min(used, one), h3 = h * h * h;
        const lanes fy = limit * (one - h3);
        law.limit_x = law.limit_y = limit;
        relaxation_store(&law, &r, lanes_select(r.s_x < zero, -fx, fx),
                         lanes_select(r.s_y < zero, -fy, fy), in, n, i, drive, out);
        if (out->mz) {
            const lanes mz = limit * lanes_set(p[FIALA_WIDTH]) * (one - h) * h3;
            lanes_store(out->mz + i, lanes_select(r.s_y > zero, -mz, mz));
        }
    }
}
