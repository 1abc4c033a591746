// tyre_tmeasy_lanes.c - TMeasy (Hirschberg, Rill and Weinfurter 2007).
//
// Slips are those that the tread carries (tyre_relaxation.h), over the speed of rolling. With the
// load in nominal loads, q = Fz / Fn up to 3.5, forces are parabolas in q through 0 and slips are
// straight lines, through the values at q = 1 and 2. Friction of the road scales peak and sliding
// force and their slips.
//
//   combined     s = |(s_x, s_y)|, (c, d) = (s_x, s_y) / s; of each value of the curves of x and y
//                one along the slip: |(x c, y d)|: slope K, peak Fm at sm, sliding Fs from ss
//   adhesion     s < sm:  F = K s / (1 + u (u + K sm / Fm - 2)),  u = s / sm,  K >= 2 Fm / sm
//   towards      two parabolas, the first with the curvature of the adhesion at its end,
//   sliding      a = (Fm / sm)^2 / (K sm), to s* = sm + (Fm - Fs) / (a (ss - sm)), the second with
//                its end at (ss, Fs). If s* is beyond ss: one cubic from peak to sliding
//   force        F (c, d)
//   trail        n = n0 ((1 - w) (1 - u) + w (1 - (3 - 2u) u^2)),  u = |s_y|/s0 <= 1,  w = s0/sE
//                n = -n0 (u - 1) ((sE - |s_y|) / (sE - s0))^2 up to sE, then 0;  Mz = -n Fy
//
// n0 is a share of the contact length, which grows with the root of the load.
#include "parts/tyre_relaxation.h"
#include "parts/tyre_tmeasy.h"

typedef struct curve { // four wheels
    lanes slope, peak, sliding, peak_slip, sliding_slip;
} curve;

// At load q of road friction mu; forces in N.
static inline curve curve_at(const double *one, const double *two, double nominal, lanes q,
                             lanes mu)
{
    const lanes tiny = lanes_set(1e-30);
    lanes v[5];
    for (int k = 0; k < 5; k++) {
        const lanes fall = lanes_set(one[k] - two[k]);
        if (k == TMEASY_PEAK_SLIP || k == TMEASY_SLIDING_SLIP)
            v[k] =
                lanes_max(lanes_fma(lanes_set(1.0) - q, fall, lanes_set(one[k])), lanes_set(1e-3));
        else
            v[k] = lanes_max(q * lanes_set(nominal) * (lanes_set(2.0 * one[k] - two[k]) - fall * q),
                             tiny);
    }
    curve c = {v[0], v[1] * mu, v[2] * mu, v[3] * mu, v[4] * mu};
    c.peak = lanes_max(c.peak, tiny);
    c.peak_slip = lanes_max(c.peak_slip, lanes_set(1e-6));
    c.sliding = lanes_min(c.sliding, c.peak);
    c.sliding_slip = lanes_max(c.sliding_slip, lanes_set(1.001) * c.peak_slip);
    return c;
}

// Of both curves one along (c, d).
static inline curve along(const curve *x, const curve *y, lanes c, lanes d)
{
    return (curve){relaxation_norm(x->slope * c, y->slope * d),
                   relaxation_norm(x->peak * c, y->peak * d),
                   relaxation_norm(x->sliding * c, y->sliding * d),
                   relaxation_norm(x->peak_slip * c, y->peak_slip * d),
                   relaxation_norm(x->sliding_slip * c, y->sliding_slip * d)};
}

static inline lanes force_at(const curve *k, lanes s)
{
    const lanes one = lanes_set(1.0), two = lanes_set(2.0), three = lanes_set(3.0);
    const lanes slope = lanes_max(k->slope, two * k->peak / k->peak_slip);
    const lanes u = lanes_min(s / k->peak_slip, one);
    const lanes adhesion =
        slope * k->peak_slip * u / lanes_fma(u, u + slope * k->peak_slip / k->peak - two, one);

    const lanes secant = k->peak / k->peak_slip, width = k->sliding_slip - k->peak_slip;
    const lanes a = secant * secant / (slope * k->peak_slip), fall = k->peak - k->sliding;
    const lanes star = fall / (a * width); // s* - sm
    const lanes beyond = lanes_min(s - k->peak_slip, width), left = width - beyond;
    const lanes first = k->peak - a * beyond * beyond;
    const lanes second =
        lanes_fma(a * star / lanes_max(width - star, lanes_set(1e-30)), left * left, k->sliding);
    const lanes t = beyond / width;
    const lanes cubic = k->peak - fall * t * t * (three - two * t);
    const lanes parabolas = lanes_select(beyond <= star, first, second);
    return lanes_select(s < k->peak_slip, adhesion, lanes_select(star < width, parabolas, cubic));
}

static inline lanes trail_at(const double *p, lanes q, lanes s_y)
{
    const lanes one = lanes_set(1.0), zero = lanes_set(0.0), three = lanes_set(3.0);
    const lanes more = q - one, end = lanes_set(p[TMEASY_TRAIL_END]);
    const lanes share =
        lanes_fma(more, lanes_set(p[TMEASY_TRAIL2] - p[TMEASY_TRAIL]), lanes_set(p[TMEASY_TRAIL]));
    const lanes begin =
        lanes_max(lanes_fma(more, lanes_set(p[TMEASY_TRAIL_SLIP2] - p[TMEASY_TRAIL_SLIP]),
                            lanes_set(p[TMEASY_TRAIL_SLIP])),
                  lanes_set(1e-3));
    const lanes slip = lanes_abs(s_y), u = slip / begin, w = lanes_min(begin / end, one);
    const lanes inner =
        lanes_fma(one - w, one - u, w * (one - (three - lanes_set(2.0) * u) * u * u));
    const lanes left = (end - slip) / lanes_max(end - begin, lanes_set(1e-3));
    const lanes outer = lanes_select(slip < end, (one - u) * left * left, zero);
    return share * lanes_set(p[TMEASY_CONTACT]) * lanes_sqrt(q) *
           lanes_select(u < one, inner, outer);
}

void LANES_NAME(tmeasy_eval)(const double *p, int n, const tyre_in *in, const double *x,
                             double *drive, const tyre_out *out)
{
    const lanes zero = lanes_set(0.0), one = lanes_set(1.0), tiny = lanes_set(1e-30);
    const lanes per_load = lanes_set(1.0 / p[TMEASY_LOAD]), q_max = lanes_set(TMEASY_LOAD_MAX);
    relaxation_law law = {.sigma_x = lanes_set(p[TMEASY_RELAXATION_X]),
                          .sigma_y = lanes_set(p[TMEASY_RELAXATION_Y]),
                          .v_low = TMEASY_V_LOW,
                          .damping = p[TMEASY_DAMPING],
                          .ellipse = p[TMEASY_ELLIPSE],
                          .by_roll = true};
    for (int i = 0; i < n; i += LANES) {
        const lanes mu = in->mu ? lanes_load(in->mu + i) : one;
        const lanes fz = lanes_max(lanes_load(in->fz + i), zero);
        const lanes q = lanes_min(fz * per_load, q_max);
        const curve cx = curve_at(p + TMEASY_X, p + TMEASY_X2, p[TMEASY_LOAD], q, mu);
        const curve cy = curve_at(p + TMEASY_Y, p + TMEASY_Y2, p[TMEASY_LOAD], q, mu);
        law.grip_x = cx.peak_slip, law.grip_y = cy.peak_slip;
        law.limit_x = cx.peak, law.limit_y = cy.peak;
        const relaxation_slip r = relaxation_begin(&law, in, x, n, i);
        const lanes s = relaxation_norm(r.s_x, r.s_y);
        const lanes c = lanes_select(s > tiny, r.s_x / lanes_max(s, tiny), one);
        const lanes d = lanes_select(s > tiny, r.s_y / lanes_max(s, tiny), zero);
        const curve k = along(&cx, &cy, c, d);
        const lanes f = force_at(&k, s);
        relaxation_store(&law, &r, f * c, f * d, in, n, i, drive, out);
        if (out->mz)
            lanes_store(out->mz + i, lanes_select(fz > zero, -trail_at(p, q, r.s_y) * f * d, zero));
    }
}
