// convex.c - the point of a hull nearest to the origin, and flat ellipses.
#include "contact/convex.h"

#include "num/vec3.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 4, ROUNDS = 200 };

typedef struct corners { // affinely independent points of the hull, and x as their mean
    int count, index[CORNERS];
    double p[CORNERS][3], weight[CORNERS];
} corners;

// The point of the plane (line, point) through the corners that is nearest to the origin, and its
// weights: by an orthonormal basis of their differences. False: they are dependent.
static bool nearest_of_plane(const corners *c, double x[3], double weight[CORNERS])
{
    double u[CORNERS][3], r[CORNERS][CORNERS] = {{0}}, y[CORNERS];
    memcpy(x, c->p[0], 3 * sizeof *x);
    for (int k = 1; k < c->count; k++) {
        double d[3];
        for (int j = 0; j < 3; j++)
            d[j] = c->p[k][j] - c->p[0][j];
        const double size = vec3_norm(d);
        for (int twice = 0; twice < 2; twice++)
            for (int m = 1; m < k; m++) {
                const double along = vec3_dot(u[m], d);
                r[m][k] += along;
                for (int j = 0; j < 3; j++)
                    d[j] -= along * u[m][j];
            }
        r[k][k] = vec3_norm(d);
        if (!(r[k][k] > 1e-10 * size))
            return false;
        for (int j = 0; j < 3; j++)
            u[k][j] = d[j] / r[k][k];
    }
    for (int twice = 0; twice < 2; twice++)
        for (int k = 1; k < c->count; k++) {
            const double along = vec3_dot(u[k], x);
            y[k] = (twice ? y[k] : 0.0) - along;
            for (int j = 0; j < 3; j++)
                x[j] -= along * u[k][j];
        }
    weight[0] = 1.0;
    for (int k = c->count - 1; k >= 1; k--) { // r weight = y
        double sum = y[k];
        for (int m = k + 1; m < c->count; m++)
            sum -= r[k][m] * weight[m];
        weight[k] = sum / r[k][k];
        weight[0] -= weight[k];
    }
    return true;
}

static void drop(corners *c, int k)
{
    c->count--;
    memmove(&c->index[k], &c->index[k + 1], (size_t)(c->count - k) * sizeof c->index[0]);
    memmove(&c->p[k], &c->p[k + 1], (size_t)(c->count - k) * sizeof c->p[0]);
    memmove(&c->weight[k], &c->weight[k + 1], (size_t)(c->count - k) * sizeof c->weight[0]);
}

// Moves x to the nearest point of the hull of the corners, dropping those that do not carry it.
static void settle(corners *c, double x[3])
{
    double to[3], weight[CORNERS];
    while (c->count > 1) {
        if (!nearest_of_plane(c, to, weight)) { // the last corner brought nothing new
            drop(c, c->count - 1);
            continue;
        }
        int first = -1;
        double share = 1.0; // of the way at which a weight becomes 0
        for (int k = 0; k < c->count; k++)
            if (weight[k] <= 0.0) {
                const double at = c->weight[k] / (c->weight[k] - weight[k]);
                if (first < 0 || at < share)
                    first = k, share = at;
            }
        if (first < 0) {
            memcpy(c->weight, weight, sizeof weight);
            memcpy(x, to, sizeof to);
            return;
        }
        for (int k = 0; k < c->count; k++)
            c->weight[k] += share * (weight[k] - c->weight[k]);
        drop(c, first);
    }
    c->weight[0] = 1.0;
    memcpy(x, c->p[0], sizeof to);
}

static int farthest(const double *p, int count, const double x[3])
{
    int best = 0;
    for (int k = 1; k < count; k++)
        if (vec3_dot(p + 3 * k, x) < vec3_dot(p + 3 * best, x))
            best = k;
    return best;
}

// q: the point of the hull nearest to the origin. False: the origin is inside, or on it.
static bool nearest_of_hull(const double *p, int count, double q[3])
{
    corners c = {.count = 1, .weight = {1.0}};
    for (int k = 1; k < count; k++)
        if (vec3_dot(p + 3 * k, p + 3 * k) < vec3_dot(p + 3 * c.index[0], p + 3 * c.index[0]))
            c.index[0] = k;
    memcpy(c.p[0], p + 3 * c.index[0], sizeof c.p[0]);
    memcpy(q, c.p[0], sizeof c.p[0]);
    for (int round = 0; round < ROUNDS; round++) {
        const int next = farthest(p, count, q);
        const double size = vec3_dot(q, q), gain = size - vec3_dot(p + 3 * next, q);
        bool known = false;
        for (int k = 0; k < c.count; k++)
            known = known || c.index[k] == next;
        if (!(size > 1e-24) || c.count == CORNERS)
            return false;
        if (known || !(gain > 1e-15 * size))
            return true;
        c.index[c.count] = next;
        memcpy(c.p[c.count], p + 3 * next, sizeof c.p[0]);
        c.weight[c.count++] = 0.0;
        settle(&c, q);
        if (!(vec3_dot(q, q) < size)) // rounding: the corners of one face
            return true;
    }
    return true;
}

// The bodies along a unit normal from 1 to 2.
static void apart_along(const ellipsoid *e, const double *points, int count, const double n[3],
                        ellipsoid_gap *out)
{
    double reach[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            reach[k] += e->axes[3 * j + k] * n[j]; // A' n
    const double size = vec3_norm(reach);
    for (int j = 0; j < 3; j++) {
        out->normal[j] = n[j];
        out->point_1[j] = e->centre[j] + vec3_dot(e->axes + 3 * j, reach) / size;
    }
    memcpy(out->point_2, points + 3 * farthest(points, count, n), sizeof out->point_2);
    out->gap = vec3_dot(n, out->point_2) - vec3_dot(n, e->centre) - size;
}

void convex_hull_gap(const ellipsoid *e, const double *points, int count, const double centre[3],
                     ellipsoid_gap *result)
{
    double turned[3 * CONVEX_POINTS_MAX], q[3], n[3];
    for (int k = 0; k < count; k++) {
        const double from[3] = {points[3 * k] - e->centre[0], points[3 * k + 1] - e->centre[1],
                                points[3 * k + 2] - e->centre[2]};
        mat3_solve(e->axes, from, turned + 3 * k);
    }
    result->iterations = 0;
    if (nearest_of_hull(turned, count, q)) {
        const double a[9] = {e->axes[0], e->axes[3], e->axes[6], e->axes[1], e->axes[4],
                             e->axes[7], e->axes[2], e->axes[5], e->axes[8]};
        const double length = vec3_norm(q), unit[3] = {q[0] / length, q[1] / length, q[2] / length};
        mat3_solve(a, unit, n);
        const double size = vec3_norm(n);
        for (int j = 0; j < 3; j++) {
            result->normal[j] = n[j] / size;
            result->point_1[j] = e->centre[j] + vec3_dot(e->axes + 3 * j, unit);
            result->point_2[j] = e->centre[j] + vec3_dot(e->axes + 3 * j, q);
        }
        result->gap = (length - 1.0) / size;
        return;
    }
    double length = 0.0;
    for (int j = 0; j < 3; j++)
        n[j] = centre[j] - e->centre[j];
    length = vec3_norm(n);
    for (int j = 0; j < 3; j++)
        n[j] = length > 1e-12 ? n[j] / length : (j == 0 ? 1.0 : 0.0);
    apart_along(e, points, count, n, result);
}

void convex_cylinder_gap(const ellipsoid *e, double x, double y, double radius, int warm,
                         ellipsoid_gap *result)
{
    // The shadow of the ellipsoid on the plane: b b' is the part of A A' in it.
    double square[3] = {0.0, 0.0, 0.0}; // xx, xy, yy
    for (int k = 0; k < 3; k++) {
        square[0] += e->axes[k] * e->axes[k];
        square[1] += e->axes[k] * e->axes[3 + k];
        square[2] += e->axes[3 + k] * e->axes[3 + k];
    }
    const double b = sqrt(square[0]), c = square[1] / b, d = sqrt(fmax(square[2] - c * c, 0.0));
    const double thick =
        fmax(b, fmax(sqrt(square[2]), radius)); // so that none slips over the other
    const ellipsoid shadow = {{e->centre[0], e->centre[1], 0.0},
                              {b, 0.0, 0.0, c, d, 0.0, 0.0, 0.0, thick}};
    const ellipsoid round = {{x, y, 0.0}, {radius, 0.0, 0.0, 0.0, radius, 0.0, 0.0, 0.0, thick}};
    if (warm)
        result->normal[2] = 0.0;
    ellipsoid_gap_find(&shadow, &round, warm, result);
    double reach[3] = {0.0, 0.0, 0.0}; // the point of the ellipsoid itself, and its height
    for (int k = 0; k < 3; k++)
        reach[k] = e->axes[k] * result->normal[0] + e->axes[3 + k] * result->normal[1];
    const double size = vec3_norm(reach);
    for (int j = 0; j < 3; j++)
        result->point_1[j] = e->centre[j] + vec3_dot(e->axes + 3 * j, reach) / size;
    result->point_2[2] = result->point_1[2];
}
