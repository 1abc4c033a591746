// axle_slip.c - slip angles of an axle in steady turns.
//
// In a turn with lateral acceleration a, the two wheels of an axle slip by the same angle s and
// push together as hard as the mass on the axle needs:
//
//     F(s, A/2 - D a) + F(s, A/2 + D a) = m_axle a        A: load of the axle, D: transfer
//
// F falls off with slip, and of two unequal loads the larger one adds less than the smaller one
// loses: s grows faster than a. Newton's method, from the angle of the acceleration before. Left
// and right tyres are mirror images; the turn is to the left.
#include "parts/axle_slip.h"

#include "parts/tyre_steady.h"

#include <math.h>

#define SLIP_MAX 0.2    // rad
#define SLIP_DELTA 1e-4 // rad, of the difference that gives the slope

// Side force of both wheels at a slip angle, and its slope.
static double force_at(const tyre_kind *law, const double *p, const axle_turn *axle, double a,
                       double slip, double *slope)
{
    enum { N = TYRE_STEADY_WHEELS };
    double load[N], angle[N], side[N], fy[N];
    const double moved = fmin(axle->transfer * a, 0.5 * axle->load);
    for (int l = 0; l < N; l++) {
        const bool left = l % 2 == 0;
        load[l] = 0.5 * axle->load + (left ? -moved : moved);
        side[l] = left ? 1.0 : -1.0;
        angle[l] = -(l < 2 ? slip : slip + SLIP_DELTA); // turning left, forces point there
    }
    tyre_steady_sides(law, p, load, angle, side, fy);
    *slope = (fy[2] + fy[3] - fy[0] - fy[1]) / SLIP_DELTA;
    return fy[0] + fy[1];
}

// NAN: not reached below SLIP_MAX.
static double slip_at(const tyre_kind *law, const double *p, const axle_turn *axle, double a,
                      double slip)
{
    const double needed = axle->force * a;
    for (int k = 0; k < 12; k++) {
        double slope;
        const double missing = needed - force_at(law, p, axle, a, slip, &slope);
        if (fabs(missing) < 1e-6 * needed)
            return slip;
        if (!(slope > 0.0))
            return NAN;
        slip += missing / slope;
        if (!(slip > 0.0 && slip < SLIP_MAX))
            return NAN;
    }
    return NAN;
}

void axle_slip(const tyre_kind *law, const double *p, const axle_turn *axle, double step, int count,
               double *out)
{
    const double stiff = 2.0 * tyre_cornering(law, p, 0.5 * axle->load);
    for (int k = 0; k < count; k++)
        out[k] = stiff > 0.0 ? axle->force / stiff : 0.0;
    for (int k = 1; k < count && stiff > 0.0; k++) {
        const double a = step * k, slip = slip_at(law, p, axle, a, out[k - 1] * a);
        if (isnan(slip)) {
            for (int rest = k; rest < count; rest++)
                out[rest] = out[k - 1];
            return;
        }
        out[k] = slip / a;
    }
}
