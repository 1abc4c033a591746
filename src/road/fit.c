// fit.c - clothoids through other curves.
#include "road/fit.h"

#include <math.h>

// Integrals over 0 .. 1 of sin, cos and (t^2 - t) cos of A t^2 + B t + C, by Gauss' rule of five
// points on four parts: rounding for angles up to some rad.
typedef struct integrals {
    double sine, cosine, change;
} integrals;

static integrals integrate(double A, double B, double C)
{
    static const double place[5] = {-0.90617984593866399, -0.53846931010568309, 0.0,
                                    0.53846931010568309, 0.90617984593866399};
    static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                     0.47862867049936647, 0.23692688505618909};
    integrals sum = {0};
    for (int part = 0; part < 4; part++)
        for (int i = 0; i < 5; i++) {
            const double t = 0.25 * (part + 0.5 + 0.5 * place[i]), w = 0.125 * weight[i];
            const double angle = (A * t + B) * t + C;
            sum.sine += w * sin(angle);
            sum.cosine += w * cos(angle);
            sum.change += w * (t * t - t) * cos(angle);
        }
    return sum;
}

// With phi0, phi1 the headings at the ends from the chord of length r, and d = phi1 - phi0, the
// heading along the piece is phi0 + (d - A) t + A t^2, t = 0 .. 1. It ends on the chord where the
// integral of its sine is 0 (Newton's method, from A = 3 (phi0 + phi1)); its length is r over the
// integral of the cosine.
bool road_fit_clothoid(road_pose a, road_pose b, road_piece *out)
{
    const double r = hypot(b.x - a.x, b.y - a.y), chord = atan2(b.y - a.y, b.x - a.x);
    const double phi0 = remainder(a.heading - chord, 2.0 * M_PI);
    const double phi1 = remainder(b.heading - chord, 2.0 * M_PI), d = phi1 - phi0;
    if (!(r > 0.0) || !(fabs(phi0) < 1.5) || !(fabs(phi1) < 1.5))
        return false;
    double A = 3.0 * (phi0 + phi1);
    for (int k = 0; k < 20; k++) {
        const integrals at = integrate(A, d - A, phi0);
        const double step = at.sine / at.change;
        A -= step;
        if (!(fabs(step) > 1e-14))
            break;
    }
    const double length = r / integrate(A, d - A, phi0).cosine;
    if (!(length >= r) || !isfinite(length) || !(length < 4.0 * r))
        return false;
    out->length = length;
    out->k0 = (d - A) / length;
    out->k1 = (d + A) / length;
    return isfinite(out->k0) && isfinite(out->k1);
}

static double cubic(const double c[4], double p)
{
    return c[0] + p * (c[1] + p * (c[2] + p * c[3]));
}

static double cubic_rate(const double c[4], double p)
{
    return c[1] + p * (2.0 * c[2] + p * 3.0 * c[3]);
}

static road_pose pose_at(const road_planar *curve, double p)
{
    return (road_pose){cubic(curve->u, p), cubic(curve->v, p),
                       atan2(cubic_rate(curve->v, p), cubic_rate(curve->u, p))};
}

// Distance of a place from the curve near p, by Newton's method for d . r' = 0 without r''.
static double distance(const road_planar *curve, double x, double y, double p)
{
    for (int k = 0; k < 6; k++) {
        const double u = cubic_rate(curve->u, p), v = cubic_rate(curve->v, p);
        const double dx = x - cubic(curve->u, p), dy = y - cubic(curve->v, p);
        p += (dx * u + dy * v) / (u * u + v * v);
    }
    return hypot(x - cubic(curve->u, p), y - cubic(curve->v, p));
}

// How far the piece from p to q is from the curve, looked at in seven places.
static double error_of(const road_planar *curve, double p, double q, road_piece piece)
{
    double worst = 0.0;
    for (int i = 1; i < 8; i++) {
        const double share = i / 8.0;
        const road_piece part = {piece.length * share, piece.k0,
                                 piece.k0 + share * (piece.k1 - piece.k0)};
        const road_pose at = road_pieces_end(pose_at(curve, p), &part, 1);
        const double away = distance(curve, at.x, at.y, p + share * (q - p));
        worst = away > worst || isnan(away) ? away : worst;
    }
    return worst;
}

bool road_fit_planar(const road_planar *curve, road_piece *out, int *count, double *start,
                     double *error)
{
    enum { DEPTH = 14 };
    double ends[DEPTH] = {curve->end}, p = 0.0; // nearest last
    int depth = 1;
    *count = 0;
    *error = 0.0;
    *start = pose_at(curve, 0.0).heading;
    while (depth > 0) {
        const double q = ends[depth - 1];
        road_piece piece;
        const bool made = road_fit_clothoid(pose_at(curve, p), pose_at(curve, q), &piece);
        const double away = made ? error_of(curve, p, q, piece) : HUGE_VAL;
        if (!(away <= ROAD_FIT_ERROR) && depth < DEPTH) {
            ends[depth++] = 0.5 * (p + q);
            continue;
        }
        if (!made || !(away <= 1e-3) || *count == ROAD_FIT_PIECES)
            return false;
        out[(*count)++] = piece;
        *error = fmax(*error, away);
        p = q;
        depth--;
    }
    return true;
}
