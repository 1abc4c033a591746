// Masses, centres and inertias of every shape: against closed forms, and of curves and surfaces
// without one against quadrature that shares no code with the library's.
#include "motorcade/concept.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
static const double rho = 1000.0;

// The one part of a concept, as a component, beam or panel of density 1000.
static mc_concept_mass part_of(const char *section, const char *keys)
{
    char text[8000];
    mc_error error = {0};
    mc_concept_mass out;
    snprintf(text, sizeof text,
             "motorcade: concept\nmaterials: {m: {density: 1000}}\nassemblies:\n  a:\n    %s:\n"
             "      p: {%s}\n",
             section, keys);
    mc_concept *c = mc_concept_parse(text, "shape.yaml", &error);
    if (!c)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    assert_true(mc_concept_part(c, 0, &out));
    mc_concept_free(c);
    return out;
}

static void near(double found, double expected, double scale, double tolerance, const char *what)
{
    if (!(fabs(found - expected) <= tolerance * scale))
        fail_msg("%s: %.17g, expected %.17g", what, found, expected);
}

// Mass, centre and inertia, relative to the size of the part.
static void same(const mc_concept_mass *found, double mass, const double centre[3],
                 const double inertia[6], double tolerance)
{
    double size = 0.0;
    for (int i = 0; i < 6; i++)
        size = fmax(size, fabs(inertia[i]));
    near(found->mass, mass, mass, tolerance, "mass");
    for (int i = 0; i < 3; i++)
        near(found->centre[i], centre[i], 1.0, tolerance, "centre");
    for (int i = 0; i < 6; i++)
        near(found->inertia[i], inertia[i], size, 10.0 * tolerance, "inertia");
}

static void box_cylinder_ellipsoid(void **state)
{
    (void)state;
    const double c[3] = {1, 2, 3}, zero[3] = {0};
    mc_concept_mass p = part_of("components", "box: [2, 3, 4], at: [1, 2, 3], material: m");
    same(&p, 24 * rho, c,
         (const double[]){24 * rho * 25 / 12, 24 * rho * 20 / 12, 24 * rho * 13 / 12, 0, 0, 0},
         1e-14);
    p = part_of("components", "cylinder: {radius: 0.3, inner: 0.1, length: 2, axis: y}, mass: 7");
    const double across = 7 * (3 * (0.09 + 0.01) + 4) / 12;
    same(&p, 7, zero, (const double[]){across, 7 * (0.09 + 0.01) / 2, across, 0, 0, 0}, 1e-14);
    p = part_of("components", "ellipsoid: [2, 4, 6], at: [1, 2, 3], material: m");
    const double m = 4.0 / 3 * pi * 6 * rho;
    same(&p, m, c, (const double[]){m * 13 / 5, m * 10 / 5, m * 5 / 5, 0, 0, 0}, 1e-14);
}

static void turned_box(void **state)
{
    (void)state;
    // 30 degrees about z: Ixy = (Iyy - Ixx) sin cos, with tensor signs.
    const mc_concept_mass p =
        part_of("components",
                "box: [2, 1, 1], mass: 12, orientation: {sequence: zyx, angles: [30 deg, 0, 0]}");
    const double a = 2, b = 5, s = 0.5, c = sqrt(3) / 2, zero[3] = {0};
    same(&p, 12, zero,
         (const double[]){a * c * c + b * s * s, a * s * s + b * c * c, 5, (a - b) * s * c, 0, 0},
         1e-14);
    const mc_concept_mass q =
        part_of("components", "box: [2, 1, 1], mass: 12, orientation: [0.9659258262890683, 0, 0, "
                              "0.25881904510252074]");
    same(&q, 12, zero, p.inertia, 1e-14);
}

// An L is two boxes; its corner makes the polygon concave.
static void extrusion_and_mesh(void **state)
{
    (void)state;
    const mc_concept_mass p = part_of(
        "components", "extrusion: {polygon: [[0, 0, 0], [3, 0, 0], [3, 1, 0], [1, 1, 0], [1, "
                      "2, 0], [0, 2, 0]], along: [0, 0, 2]}, material: m");
    const double m1 = 6 * rho, m2 = 2 * rho, m = m1 + m2; // 3 x 1 x 2 at (1.5, .5), 1 x 1 x 2
    const double x = (m1 * 1.5 + m2 * 0.5) / m, y = (m1 * 0.5 + m2 * 1.5) / m;
    const double c[3] = {x, y, 1};
    const double dx1 = 1.5 - x, dy1 = 0.5 - y, dx2 = 0.5 - x, dy2 = 1.5 - y;
    const double I[6] = {m1 * (5.0 / 12 + dy1 * dy1) + m2 * (5.0 / 12 + dy2 * dy2),
                         m1 * (13.0 / 12 + dx1 * dx1) + m2 * (5.0 / 12 + dx2 * dx2),
                         m1 * (10.0 / 12 + dx1 * dx1 + dy1 * dy1) +
                             m2 * (2.0 / 12 + dx2 * dx2 + dy2 * dy2),
                         -m1 * dx1 * dy1 - m2 * dx2 * dy2,
                         0,
                         0};
    same(&p, m, c, I, 1e-13);
    // The tetrahedron 0, x, y, z: V = 1/6, centre 1/4, int x^2 = V/10, int x y = V/20.
    const mc_concept_mass t = part_of(
        "components", "mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: "
                      "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}, material: m");
    const double M = rho / 6, q = 0.25, xx = 0.1 - q * q, xy = 0.05 - q * q;
    same(&t, M, (const double[]){q, q, q},
         (const double[]){2 * M * xx, 2 * M * xx, 2 * M * xx, -M * xy, -M * xy, -M * xy}, 1e-13);
}

static void tank_and_given(void **state)
{
    (void)state;
    // A full tank without walls is a box; half full the liquid is at the bottom.
    mc_concept_mass p = part_of("components", "tank: {size: [2, 1, 1], level: 0.5, fluid: water}");
    same(&p, 1000, (const double[]){0, 0, -0.25},
         (const double[]){1000 * 1.25 / 12, 1000 * 4.25 / 12, 1000 * 5.0 / 12, 0, 0, 0}, 1e-13);
    // Walls alone: a hollow cube of side a has 5/18 m a^2.
    p = part_of("components", "tank: {size: [2, 2, 2], level: 0, empty: 9}");
    same(&p, 9, (const double[]){0, 0, 0}, (const double[]){10, 10, 10, 0, 0, 0}, 1e-12);
    p = part_of("components", "inertia: [1, 2, 2.5, 0.1, 0.2, 0.3], mass: 5, at: [1, 0, 2]");
    same(&p, 5, (const double[]){1, 0, 2}, (const double[]){1, 2, 2.5, 0.1, 0.2, 0.3}, 1e-14);
    p = part_of("components", "occupant: 80 kg, at: [0, 1, 0]");
    near(p.mass, 80, 80, 1e-14, "occupant");
    near(p.centre[1], 1.0, 1.0, 1e-14, "occupant");
}

// A straight beam is a prism: sums of boxes, along x.
static void straight_beams(void **state)
{
    (void)state;
    static const struct {
        const char *section;
        double area, uu, vv; // int u^2, int v^2 about the centroid
    } cases[] = {
        {"kind: solid, width: 0.2, height: 0.3", 0.06, 0.06 * 0.04 / 12, 0.06 * 0.09 / 12},
        {"kind: box, width: 0.2, height: 0.3, thickness: 0.05", 0.06 - 0.02,
         (0.3 * 0.008 - 0.2 * 0.001) / 12, (0.2 * 0.027 - 0.1 * 0.008) / 12},
        {"kind: i, width: 0.2, height: 0.3, thickness: 0.05", 0.06 - 0.03,
         (2 * 0.05 * 0.008 + 0.2 * 0.000125) / 12, (0.2 * 0.027 - 0.15 * 0.008) / 12},
        {"kind: given, area: 0.01, moment_u: 3e-5, moment_v: 2e-5", 0.01, 2e-5, 3e-5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char keys[300];
        snprintf(keys, sizeof keys, "polyline: [[0, 0, 0], [2, 0, 0]], section: {%s}, material: m",
                 cases[i].section);
        const mc_concept_mass p = part_of("beams", keys);
        const double m = 2 * cases[i].area * rho, uu = 2 * rho * cases[i].uu,
                     vv = 2 * rho * cases[i].vv;
        same(&p, m, (const double[]){1, 0, 0},
             (const double[]){uu + vv, m / 3 + vv, m / 3 + uu, 0, 0, 0}, 1e-13);
        near(p.length, 2.0, 2.0, 1e-14, "length");
    }
    // A channel's curve runs through its centroid.
    const mc_concept_mass p =
        part_of("beams", "polyline: [[0, 0, 0], [2, 0, 0]], section: {kind: channel, width: 0.1, "
                         "height: 0.2, thickness: 0.02}, material: m");
    const double web = 0.02 * 0.16, flange = 0.1 * 0.02, A = web + 2 * flange;
    const double c = (web * 0.01 + 2 * flange * 0.05) / A;
    const double uu = web * (0.0004 / 12 + (c - 0.01) * (c - 0.01)) +
                      2 * flange * (0.01 / 12 + (c - 0.05) * (c - 0.05));
    const double vv = 0.02 * pow(0.16, 3) / 12 + 2 * flange * (0.0004 / 12 + 0.0081);
    const double m = 2 * A * rho;
    same(&p, m, (const double[]){1, 0, 0},
         (const double[]){2 * rho * (uu + vv), m / 3 + 2 * rho * vv, m / 3 + 2 * rho * uu, 0, 0, 0},
         1e-13);
    const mc_concept_mass tube =
        part_of("beams", "polyline: [[0, 0, 0], [0, 0, 2]], section: {kind: tube, radius: 0.2, "
                         "thickness: 0.05}, material: m");
    const double M = pi * (0.04 - 0.0225) * 2 * rho, across = M * (3 * 0.0625 + 4) / 12;
    same(&tube, M, (const double[]){0, 0, 1},
         (const double[]){across, across, M * 0.03125, 0, 0, 0}, 1e-13);
}

// Half of a torus: volume 2 pi R a^2 pi / 2, centre (4 R^2 + a^2)/(2 pi R), m (R^2 + 3/4 a^2).
static void torus(void **state)
{
    (void)state;
    const double R = 0.5, a = 0.2;
    const mc_concept_mass p =
        part_of("beams", "arc: [[0.5, 0, 0], [0, 0.5, 0], [-0.5, 0, 0]], section: {kind: round, "
                         "radius: 0.2}, material: m");
    const double m = rho * pi * a * a * pi * R, y = (4 * R * R + a * a) / (2 * pi * R);
    const double axis = m * (R * R + 0.75 * a * a), flat = m * (R * R / 2 + 5.0 / 8 * a * a);
    same(&p, m, (const double[]){0, y, 0},
         (const double[]){flat - m * y * y, flat, axis - m * y * y, 0, 0, 0}, 1e-12);
    near(p.length, pi * R, 1.0, 1e-13, "length");
}

// A channel along a quarter circle: rectangles in polar coordinates, every integral in closed form.
static void add_sector(double sign, double r1, double r2, double h, double sums[5])
{
    const double d2 = (r2 * r2 - r1 * r1) / 2, d3 = (pow(r2, 3) - pow(r1, 3)) / 3;
    const double d4 = (pow(r2, 4) - pow(r1, 4)) / 4;
    sums[0] += sign * rho * h * d2 * pi / 2;              // mass, 0 <= phi <= pi/2
    sums[1] += sign * rho * h * d3;                       // int x = int y
    sums[2] += sign * rho * h * d4 * pi / 4;              // int x^2 = int y^2
    sums[3] += sign * rho * h * d4 / 2;                   // int x y
    sums[4] += sign * rho * pow(h, 3) / 12 * d2 * pi / 2; // int z^2
}

static void bent_channel(void **state)
{
    (void)state;
    // u = v x T points to the centre for a left turn seen from up; the web is at u = -c.
    const double w = 0.1, h = 0.2, t = 0.02, R = 0.6;
    const double web = t * (h - 2 * t), A = web + 2 * w * t;
    const double c = (web * t / 2 + 2 * w * t * w / 2) / A;
    double s[5] = {0};
    const mc_concept_mass p = part_of(
        "beams", "arc: [[0.6, 0, 0], [0.42426406871192851, 0.42426406871192851, 0], [0, 0.6, 0]], "
                 "section: {kind: channel, width: 0.1, height: 0.2, thickness: 0.02}, material: m");
    add_sector(1, R + c - w, R + c, h, s);
    add_sector(-1, R + c - w, R + c - t, h - 2 * t, s);
    const double m = s[0], x = s[1] / m, xx = s[2] - m * x * x, xy = s[3] - m * x * x;
    same(&p, m, (const double[]){x, x, 0},
         (const double[]){xx + s[4], xx + s[4], 2 * xx, -xy, 0, 0}, 1e-12);
}

// ---- quadrature of the test's own ----

// Basis of a clamped cubic B-spline by the recursion of Cox and de Boor.
static double basis(int i, int k, double x, const double *knot)
{
    if (k == 0)
        return knot[i] <= x && x < knot[i + 1] ? 1.0 : 0.0;
    const double a = knot[i + k] - knot[i], b = knot[i + k + 1] - knot[i + 1];
    return (a > 0 ? (x - knot[i]) / a * basis(i, k - 1, x, knot) : 0.0) +
           (b > 0 ? (knot[i + k + 1] - x) / b * basis(i + 1, k - 1, x, knot) : 0.0);
}

static void spline_at(const double (*point)[3], int count, double x, double out[3])
{
    double knot[32];
    for (int i = 0; i < count + 4; i++)
        knot[i] = i < 4 ? 0 : i >= count ? count - 3 : i - 3;
    x = fmin(x, count - 3 - 1e-15 * count);
    for (int k = 0; k < 3; k++) {
        out[k] = 0.0;
        for (int i = 0; i < count; i++)
            out[k] += basis(i, 3, x, knot) * point[i][k];
    }
}

// Moments of a thin line by Simpson's rule on |r'| from differences of fourth order.
static void spline_against_quadrature(void **state)
{
    (void)state;
    enum { N = 2000, COUNT = 6 };
    static const double point[COUNT][3] = {{0, 0, 0},     {1, 0.2, 0.1}, {2, -0.4, 0.3},
                                           {3, 0.5, 0.2}, {4, 0.1, 0.6}, {5, 0, 0.4}};
    const mc_concept_mass p = part_of(
        "beams", "spline: [[0, 0, 0], [1, 0.2, 0.1], [2, -0.4, 0.3], [3, 0.5, 0.2], [4, 0.1, 0.6], "
                 "[5, 0, 0.4]], section: {kind: given, area: 0.001, moment_u: 0, moment_v: 0}, "
                 "material: m");
    double sum[10] = {0};
    for (int span = 0; span < COUNT - 3; span++)
        for (int i = 0; i <= N; i++) {
            const double h = 1e-3, x = span + (double)i / N;
            const double at = fmin(fmax(x, span + 2 * h), span + 1 - 2 * h), e = x - at;
            double r[3], f[5][3], speed = 0.0;
            spline_at(point, COUNT, x, r);
            for (int k = 0; k < 5; k++)
                spline_at(point, COUNT, at + (k - 2) * h, f[k]);
            for (int k = 0; k < 3; k++) { // a cubic: derivatives from five points are exact
                const double d1 = (f[0][k] - 8 * f[1][k] + 8 * f[3][k] - f[4][k]) / (12 * h);
                const double d2 = (f[1][k] - 2 * f[2][k] + f[3][k]) / (h * h);
                const double d3 =
                    (-f[0][k] + 2 * f[1][k] - 2 * f[3][k] + f[4][k]) / (2 * h * h * h);
                const double d = d1 + e * d2 + e * e / 2 * d3;
                speed += d * d;
            }
            const double w = (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0) / (3.0 * N) * sqrt(speed);
            const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
            sum[0] += w;
            for (int k = 0; k < 3; k++)
                sum[1 + k] += w * r[k];
            for (int k = 0; k < 6; k++)
                sum[4 + k] += w * r[row[k]] * r[column[k]];
        }
    near(p.length, sum[0], sum[0], 1e-9, "length");
    near(p.mass, rho * 0.001 * sum[0], 1.0, 1e-9, "mass");
    double P[6];
    const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 3; k++)
        near(p.centre[k], sum[1 + k] / sum[0], 1.0, 1e-9, "centre");
    for (int k = 0; k < 6; k++)
        P[k] = rho * 0.001 * (sum[4 + k] - sum[1 + row[k]] * sum[1 + column[k]] / sum[0]);
    for (int k = 0; k < 6; k++)
        near(p.inertia[k], (k < 3 ? P[0] + P[1] + P[2] : 0) - P[k], p.inertia[1], 1e-9, "inertia");
}

static void plane_and_ruled_panels(void **state)
{
    (void)state;
    mc_concept_mass p = part_of("panels", "polygon: [[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]], "
                                          "thickness: 0.1, material: m");
    const double m = 0.2 * rho;
    same(&p, m, (const double[]){1, 0.5, 0},
         (const double[]){m * 1.01 / 12, m * 4.01 / 12, m * 5.0 / 12, 0, 0, 0}, 1e-13);
    near(p.area, 2.0, 2.0, 1e-14, "area");
    // A quarter of a cylinder's wall, R = 1, from z = 0 to 2.
    p = part_of("panels",
                "ruled: [{arc: [[1, 0, 0], [0.70710678118654757, 0.70710678118654757, 0], [0, 1, "
                "0]]}, {arc: [[1, 0, 2], [0.70710678118654757, 0.70710678118654757, 2], [0, 1, "
                "2]]}], thickness: 1e-6, material: m");
    const double M = rho * 1e-6 * pi, x = 2 / pi, xx = M * (0.5 - x * x), zz = M / 3;
    const double xy = M * (1 / pi - x * x);
    same(&p, M, (const double[]){x, x, 1}, (const double[]){xx + zz, xx + zz, 2 * xx, -xy, 0, 0},
         1e-11);
    // Two polylines with different kinks: a plane trapezium after all.
    p = part_of("panels",
                "ruled: [{polyline: [[0, 0, 0], [1, 0, 0], [3, 0, 0]]}, {polyline: [[0, 1, "
                "0], [1, 1, 0], [3, 1, 0]]}], thickness: 0.01, material: m");
    near(p.area, 3.0, 3.0, 1e-13, "area");
    near(p.centre[0], 1.5, 1.0, 1e-13, "centre");
}

static void patch_at(const double (*point)[3], double x, double y, double r[3], double n[3])
{
    double bx[4], by[4], dx[4], dy[4], du[3] = {0}, dv[3] = {0};
    for (int i = 0; i < 4; i++) {
        const double c[] = {1, 3, 3, 1};
        bx[i] = c[i] * pow(x, i) * pow(1 - x, 3 - i);
        by[i] = c[i] * pow(y, i) * pow(1 - y, 3 - i);
        dx[i] = c[i] * ((i ? i * pow(x, i - 1) * pow(1 - x, 3 - i) : 0) -
                        (i < 3 ? (3 - i) * pow(x, i) * pow(1 - x, 2 - i) : 0));
        dy[i] = c[i] * ((i ? i * pow(y, i - 1) * pow(1 - y, 3 - i) : 0) -
                        (i < 3 ? (3 - i) * pow(y, i) * pow(1 - y, 2 - i) : 0));
    }
    for (int k = 0; k < 3; k++) {
        r[k] = 0.0;
        for (int i = 0; i < 16; i++) {
            r[k] += bx[i / 4] * by[i % 4] * point[i][k];
            du[k] += dx[i / 4] * by[i % 4] * point[i][k];
            dv[k] += bx[i / 4] * dy[i % 4] * point[i][k];
        }
    }
    n[0] = du[1] * dv[2] - du[2] * dv[1];
    n[1] = du[2] * dv[0] - du[0] * dv[2];
    n[2] = du[0] * dv[1] - du[1] * dv[0];
}

static void patch_against_quadrature(void **state)
{
    (void)state;
    enum { N = 320 };
    double point[16][3], sum[5] = {0};
    char keys[2000] = "patch: [";
    for (int i = 0; i < 16; i++) {
        point[i][0] = i / 4 * 0.6 + 0.05 * (i % 3);
        point[i][1] = i % 4 * 0.5 - 0.04 * (i % 5);
        point[i][2] = 0.3 * sin(1.7 * i);
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s[%.17g, %.17g, %.17g]",
                 i ? ", " : "", point[i][0], point[i][1], point[i][2]);
    }
    snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "], thickness: 1e-6, material: m");
    const mc_concept_mass p = part_of("panels", keys);
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) {
            double r[3], n[3];
            patch_at((const double(*)[3])point, (double)i / N, (double)j / N, r, n);
            const double w = (i == 0 || i == N ? 1
                              : i % 2          ? 4
                                               : 2) *
                             (j == 0 || j == N ? 1
                              : j % 2          ? 4
                                               : 2) /
                             (9.0 * N * N) * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            sum[0] += w;
            for (int k = 0; k < 3; k++)
                sum[1 + k] += w * r[k];
            sum[4] += w * (r[0] * r[0] + r[1] * r[1]);
        }
    near(p.area, sum[0], sum[0], 1e-9, "area");
    for (int k = 0; k < 3; k++)
        near(p.centre[k], sum[1 + k] / sum[0], 1.0, 1e-9, "centre");
    const double zz = rho * 1e-6 * (sum[4] - (sum[1] * sum[1] + sum[2] * sum[2]) / sum[0]);
    near(p.inertia[2], zz, zz, 1e-9, "inertia");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_cylinder_ellipsoid), cmocka_unit_test(turned_box),
        cmocka_unit_test(extrusion_and_mesh),     cmocka_unit_test(tank_and_given),
        cmocka_unit_test(straight_beams),         cmocka_unit_test(torus),
        cmocka_unit_test(bent_channel),           cmocka_unit_test(spline_against_quadrature),
        cmocka_unit_test(plane_and_ruled_panels), cmocka_unit_test(patch_against_quadrature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
