// curve.c - polyline, arc through three points, cubic B-spline.
#include "shape/curve.h"

#include "num/vec3.h"

#include <stddef.h>

const char *const curve_kind_names[CURVE_KIND_COUNT] = {"polyline", "arc", "spline"};

// The centre of the circle through a, b, c is at a + s (b - a) + t (c - a), equally far from all.
static const char *prepare_arc(concept_curve *c)
{
    const double *a = c->point[0];
    double p[3], q[3], n[3], pp, qq, pq;
    for (int i = 0; i < 3; i++)
        p[i] = c->point[1][i] - a[i], q[i] = c->point[2][i] - a[i];
    pp = vec3_dot(p, p), qq = vec3_dot(q, q), pq = vec3_dot(p, q);
    vec3_cross(p, q, n);
    const double area = vec3_dot(n, n);
    if (!(area > 1e-18 * pp * qq))
        return "the three points of an arc are in line; expected start, a point between, end";
    const double s = qq * (pp - pq) / (2.0 * area), t = pp * (qq - pq) / (2.0 * area);
    double normal[3], end[3];
    for (int i = 0; i < 3; i++) {
        c->centre[i] = a[i] + s * p[i] + t * q[i];
        c->u[i] = a[i] - c->centre[i];
        end[i] = c->point[2][i] - c->centre[i];
        normal[i] = n[i] / sqrt(area);
    }
    vec3_cross(normal, c->u, c->v);
    const double angle = atan2(vec3_dot(end, c->v), vec3_dot(end, c->u));
    c->angle = angle > 0.0 ? angle : angle + 2.0 * 3.14159265358979323846;
    return NULL;
}

const char *curve_prepare(concept_curve *c)
{
    if (c->kind == CURVE_ARC)
        return prepare_arc(c);
    for (int i = 0; i + 1 < c->count; i++) {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = c->point[i + 1][k] - c->point[i][k];
        if (!(vec3_norm(d) > 0.0))
            return "two points of the curve in a row are the same; the curve stands still there";
    }
    return NULL;
}

int curve_pieces(const concept_curve *c)
{
    return c->kind == CURVE_ARC ? 4 : c->kind == CURVE_SPLINE ? c->count - 3 : c->count - 1;
}

static void arc_at(const concept_curve *c, int piece, double s, double r[3], double d1[3],
                   double d2[3])
{
    const double part = c->angle / 4.0, phi = part * (piece + s);
    const double co = cos(phi), si = sin(phi);
    for (int i = 0; i < 3; i++) {
        r[i] = c->centre[i] + c->u[i] * co + c->v[i] * si;
        d1[i] = part * (c->v[i] * co - c->u[i] * si);
        if (d2)
            d2[i] = part * part * (c->centre[i] - r[i]);
    }
}

// Knots of a clamped spline: 0 0 0 0 1 2 .. n n n n.
static double knot(int count, int i)
{
    const int k = i - 3, last = count - 3;
    return k < 0 ? 0.0 : k > last ? last : k;
}

// De Boor's recursion on the four control points of a span; derivatives from the hodograph.
static void spline_at(const concept_curve *c, int span, double s, double r[3], double d1[3],
                      double d2[3])
{
    const double x = span + s;
    double d[4][3], e[3][3], f[2][3];
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++)
            d[j][k] = c->point[span + j][k];
    for (int j = 0; j < 3; j++) { // first derivative: degree 2
        const double h = knot(c->count, span + j + 4) - knot(c->count, span + j + 1);
        for (int k = 0; k < 3; k++)
            e[j][k] = 3.0 * (d[j + 1][k] - d[j][k]) / h;
    }
    for (int j = 0; j < 2; j++) { // second: degree 1
        const double h = knot(c->count, span + j + 4) - knot(c->count, span + j + 2);
        for (int k = 0; k < 3; k++)
            f[j][k] = 2.0 * (e[j + 1][k] - e[j][k]) / h;
    }
    for (int level = 1; level <= 3; level++)
        for (int j = 3; j >= level; j--) {
            const double low = knot(c->count, span + j),
                         high = knot(c->count, span + j + 4 - level);
            const double a = (x - low) / (high - low);
            for (int k = 0; k < 3; k++)
                d[j][k] += (a - 1.0) * (d[j][k] - d[j - 1][k]);
        }
    for (int level = 1; level <= 2; level++)
        for (int j = 2; j >= level; j--) {
            const double low = knot(c->count, span + j + 1),
                         high = knot(c->count, span + j + 4 - level);
            const double a = (x - low) / (high - low);
            for (int k = 0; k < 3; k++)
                e[j][k] += (a - 1.0) * (e[j][k] - e[j - 1][k]);
        }
    for (int k = 0; k < 3; k++) {
        r[k] = d[3][k];
        d1[k] = e[2][k];
        if (d2)
            d2[k] = f[0][k] + s * (f[1][k] - f[0][k]);
    }
}

void curve_at(const concept_curve *c, int piece, double s, double r[3], double d1[3], double d2[3])
{
    if (c->kind == CURVE_ARC) {
        arc_at(c, piece, s, r, d1, d2);
    } else if (c->kind == CURVE_SPLINE) {
        spline_at(c, piece, s, r, d1, d2);
    } else {
        for (int k = 0; k < 3; k++) {
            d1[k] = c->point[piece + 1][k] - c->point[piece][k];
            r[k] = c->point[piece][k] + s * d1[k];
            if (d2)
                d2[k] = 0.0;
        }
    }
}

void curve_whole(const concept_curve *c, double t, double r[3], double d1[3])
{
    const int n = curve_pieces(c);
    int piece = (int)(t * n);
    piece = piece < 0 ? 0 : piece >= n ? n - 1 : piece;
    curve_at(c, piece, t * n - piece, r, d1, NULL);
    for (int k = 0; k < 3; k++)
        d1[k] *= n;
}
