// solid.c - solids with closed forms: volume moments and skin.
#include "shape/solid.h"

#include <math.h>

enum { ROUND = 24, ROUND_BALL = 16 }; // corners of a drawn circle

static const double pi = 3.14159265358979323846;

// int x^2 = V a^2/12 over a box.
concept_moments solid_box(const double size[3])
{
    const double volume = size[0] * size[1] * size[2];
    concept_moments m = {.mass = volume};
    for (int i = 0; i < 3; i++)
        m.second[i] = volume * size[i] * size[i] / 12.0;
    return m;
}

// int x^2 = V L^2/12 along the axis, V (R^2 + r^2)/4 across it.
concept_moments solid_cylinder(double radius, double inner, double length)
{
    const double volume = pi * (radius - inner) * (radius + inner) * length;
    concept_moments m = {.mass = volume};
    m.second[0] = volume * length * length / 12.0;
    m.second[1] = m.second[2] = volume * (radius * radius + inner * inner) / 4.0;
    return m;
}

// int x^2 = V a^2/5 with the semi-axis a.
concept_moments solid_ellipsoid(const double size[3])
{
    const double volume = pi / 6.0 * size[0] * size[1] * size[2];
    concept_moments m = {.mass = volume};
    for (int i = 0; i < 3; i++)
        m.second[i] = volume * size[i] * size[i] / 20.0;
    return m;
}

void solid_box_skin(const double size[3], concept_mesh *out)
{
    static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double corner[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] = (i >> k & 1 ? 0.5 : -0.5) * size[k];
    for (int f = 0; f < 6; f++)
        skin_quad(out, corner[face[f][0]], corner[face[f][1]], corner[face[f][2]],
                  corner[face[f][3]]);
}

static void on_circle(double x, double radius, int i, double out[3])
{
    const double angle = 2.0 * pi * (i % ROUND) / ROUND;
    out[0] = x, out[1] = radius * cos(angle), out[2] = radius * sin(angle);
}

void solid_cylinder_skin(double radius, double inner, double length, concept_mesh *out)
{
    const double h = length / 2.0, front[3] = {h, 0, 0}, back[3] = {-h, 0, 0};
    for (int i = 0; i < ROUND; i++) {
        double a[3], b[3], c[3], d[3];
        on_circle(-h, radius, i, a), on_circle(h, radius, i, b);
        on_circle(h, radius, i + 1, c), on_circle(-h, radius, i + 1, d);
        skin_quad(out, a, d, c, b);
        if (inner > 0.0) {
            double e[3], f[3], g[3], k[3];
            on_circle(-h, inner, i, e), on_circle(h, inner, i, f);
            on_circle(h, inner, i + 1, g), on_circle(-h, inner, i + 1, k);
            skin_quad(out, e, f, g, k);
            skin_quad(out, b, c, g, f);
            skin_quad(out, a, e, k, d);
        } else {
            skin_triangle(out, front, b, c);
            skin_triangle(out, back, d, a);
        }
    }
}

static void on_ellipsoid(const double size[3], int i, int j, double out[3])
{
    const double u = 2.0 * pi * (i % ROUND_BALL) / ROUND_BALL,
                 v = pi * j / (ROUND_BALL / 2.0) - pi / 2.0;
    out[0] = size[0] / 2.0 * cos(v) * cos(u);
    out[1] = size[1] / 2.0 * cos(v) * sin(u);
    out[2] = size[2] / 2.0 * sin(v);
}

void solid_ellipsoid_skin(const double size[3], concept_mesh *out)
{
    for (int i = 0; i < ROUND_BALL; i++)
        for (int j = 0; j < ROUND_BALL / 2; j++) {
            double a[3], b[3], c[3], d[3];
            on_ellipsoid(size, i, j, a), on_ellipsoid(size, i + 1, j, b);
            on_ellipsoid(size, i + 1, j + 1, c), on_ellipsoid(size, i, j + 1, d);
            if (j > 0)
                skin_triangle(out, a, b, c);
            if (j + 1 < ROUND_BALL / 2)
                skin_triangle(out, a, c, d);
        }
}

void solid_extrusion_skin(const double (*corner)[3], int count, const double along[3],
                          concept_mesh *out)
{
    double top[2][3];
    for (int i = 0; i < count; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % count];
        for (int k = 0; k < 3; k++)
            top[0][k] = a[k] + along[k], top[1][k] = b[k] + along[k];
        skin_quad(out, a, b, top[1], top[0]);
        if (i == 0 || i + 1 == count)
            continue;
        // Fans from corner 0: signed, so that a polygon that is not convex comes out right.
        double first[3];
        for (int k = 0; k < 3; k++)
            first[k] = corner[0][k] + along[k];
        skin_triangle(out, corner[0], b, a);
        skin_triangle(out, first, top[0], top[1]);
    }
}
