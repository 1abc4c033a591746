// beam.c - a section swept along a curve: moments and skin.
#include "shape/beam.h"

#include "shape/quadrature.h"
#include "num/vec3.h"

#include <string.h>

enum { SMOOTH = 8, VALUES = 11 }; // drawn parts of a bent piece; length, mass, 3 first, 6 second

typedef struct sweep {
    const concept_curve *curve;
    const concept_section *section;
    const double *up;
    int piece;
} sweep;

typedef struct station { // of a curve
    double r[3], u[3], v[3], T[3];
    double speed;    // dr/ds of the parameter
    double k_u, k_v; // curvature along u and v, 1/m
} station;

static station at(const sweep *w, double s)
{
    station p;
    double d1[3], d2[3];
    curve_at(w->curve, w->piece, s, p.r, d1, d2);
    p.speed = vec3_norm(d1);
    for (int i = 0; i < 3; i++)
        p.T[i] = d1[i] / p.speed;
    const double along = vec3_dot(w->up, p.T), bend = vec3_dot(d2, p.T);
    double k[3];
    for (int i = 0; i < 3; i++) {
        p.v[i] = w->up[i] - along * p.T[i];
        k[i] = (d2[i] - bend * p.T[i]) / (p.speed * p.speed);
    }
    const double size = vec3_norm(p.v);
    for (int i = 0; i < 3; i++)
        p.v[i] /= size;
    vec3_cross(p.v, p.T, p.u);
    p.k_u = vec3_dot(k, p.u);
    p.k_v = vec3_dot(k, p.v);
    return p;
}

static void element(const void *context, double s, double *out)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const sweep *w = context;
    const concept_section *c = w->section;
    const station p = at(w, s);
    const double uu = c->uu - p.k_u * c->uuu, vv = c->vv - p.k_u * c->uvv, uv = -p.k_v * c->uvv;
    double m[3];
    for (int i = 0; i < 3; i++)
        m[i] = -(p.k_u * c->uu * p.u[i] + p.k_v * c->vv * p.v[i]);
    out[0] = p.speed;
    out[1] = p.speed * c->area;
    for (int i = 0; i < 3; i++)
        out[2 + i] = p.speed * (c->area * p.r[i] + m[i]);
    for (int k = 0; k < 6; k++) {
        const int i = row[k], j = column[k];
        out[5 + k] = p.speed * (c->area * p.r[i] * p.r[j] + p.r[i] * m[j] + m[i] * p.r[j] +
                                uu * p.u[i] * p.u[j] + vv * p.v[i] * p.v[j] +
                                uv * (p.u[i] * p.v[j] + p.v[i] * p.u[j]));
    }
}

concept_moments beam_moments(const concept_curve *curve, const concept_section *section,
                             const double up[3], double *length)
{
    double sum[VALUES] = {0};
    sweep w = {curve, section, up, 0};
    for (; w.piece < curve_pieces(curve); w.piece++)
        quadrature_over_line(element, &w, VALUES, 0.0, 1.0, sum);
    concept_moments m = {.mass = sum[1]};
    memcpy(m.first, sum + 2, sizeof m.first);
    memcpy(m.second, sum + 5, sizeof m.second);
    *length = sum[0];
    return m;
}

static void corners(const sweep *w, double s, double out[4][3])
{
    static const int side[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const station p = at(w, s);
    for (int i = 0; i < 4; i++) {
        const double u = side[i][0] ? w->section->high[0] : w->section->low[0];
        const double v = side[i][1] ? w->section->high[1] : w->section->low[1];
        for (int k = 0; k < 3; k++)
            out[i][k] = p.r[k] + u * p.u[k] + v * p.v[k];
    }
}

void beam_skin(const concept_curve *curve, const concept_section *section, const double up[3],
               concept_mesh *out)
{
    sweep w = {curve, section, up, 0};
    const int parts = curve->kind == CURVE_POLYLINE ? 1 : SMOOTH;
    double a[4][3], b[4][3];
    for (; w.piece < curve_pieces(curve); w.piece++)
        for (int i = 0; i < parts; i++) {
            corners(&w, (double)i / parts, a);
            corners(&w, (double)(i + 1) / parts, b);
            for (int k = 0; k < 4; k++)
                skin_quad(out, a[k], b[k], b[(k + 1) % 4], a[(k + 1) % 4]);
            if (w.piece == 0 && i == 0)
                skin_quad(out, a[0], a[1], a[2], a[3]);
            if (w.piece + 1 == curve_pieces(curve) && i + 1 == parts)
                skin_quad(out, b[3], b[2], b[1], b[0]);
        }
}

double beam_up_sine(const concept_curve *curve, const double up[3])
{
    double least = 1.0;
    for (int piece = 0; piece < curve_pieces(curve); piece++)
        for (int i = 0; i <= SMOOTH; i++) {
            double r[3], d[3], n[3];
            curve_at(curve, piece, (double)i / SMOOTH, r, d, NULL);
            const double speed = vec3_norm(d);
            vec3_cross(d, up, n);
            least = fmin(least, speed > 0.0 ? vec3_norm(n) / speed : 0.0);
        }
    return least;
}

double beam_tightness(const concept_curve *curve, const concept_section *section,
                      const double up[3])
{
    double least = 1.0;
    sweep w = {curve, section, up, 0};
    for (; w.piece < curve_pieces(curve); w.piece++)
        for (int i = 0; i <= 4 * SMOOTH; i++) {
            const station p = at(&w, (double)i / (4 * SMOOTH));
            const double u = fmax(p.k_u * section->high[0], p.k_u * section->low[0]);
            const double v = fmax(p.k_v * section->high[1], p.k_v * section->low[1]);
            least = fmin(least, 1.0 - u - v);
        }
    return least;
}
