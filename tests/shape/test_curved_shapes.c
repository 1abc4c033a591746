// Masses of what is bent, with all six inertias, against quadrature that shares no code with the
// library's: a box section along a spline, a ruled surface that is twisted, a thick patch; and the
// seated person.
#include "motorcade/concept.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double rho = 1000.0;

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

// Mass, first and second moments, summed point by point.
typedef struct sums {
    double mass, first[3], second[3][3];
} sums;

static void add_point(sums *s, double mass, const double r[3])
{
    s->mass += mass;
    for (int i = 0; i < 3; i++) {
        s->first[i] += mass * r[i];
        for (int k = 0; k < 3; k++)
            s->second[i][k] += mass * r[i] * r[k];
    }
}

static void compare(const mc_concept_mass *p, const sums *s, double tolerance)
{
    static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
    double c[3], I[6], size = 0.0, trace = 0.0;
    for (int i = 0; i < 3; i++) {
        c[i] = s->first[i] / s->mass;
        trace += s->second[i][i] - s->mass * c[i] * c[i];
    }
    for (int k = 0; k < 6; k++) {
        const int a = row[k], b = column[k];
        I[k] = (a == b ? trace : 0.0) - (s->second[a][b] - s->mass * c[a] * c[b]);
        size = fmax(size, fabs(I[k]));
    }
    double worst = fabs(p->mass / s->mass - 1.0);
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, fabs(p->centre[i] - c[i]));
    for (int k = 0; k < 6; k++)
        worst = fmax(worst, fabs(p->inertia[k] - I[k]) / size);
    print_message("off by %.1e\n", worst);
    assert_true(worst <= tolerance);
}

static double simpson(int i, int n)
{
    return (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0) / (3.0 * n);
}

// ---- a box along a spline ----

// One span of a cubic B-spline of four control points is their Bezier curve.
static void bezier(const double (*b)[3], double x, double r[3], double d1[3], double d2[3])
{
    const double y = 1.0 - x;
    for (int k = 0; k < 3; k++) {
        r[k] = y * y * y * b[0][k] + 3 * x * y * y * b[1][k] + 3 * x * x * y * b[2][k] +
               x * x * x * b[3][k];
        d1[k] = 3 * (y * y * (b[1][k] - b[0][k]) + 2 * x * y * (b[2][k] - b[1][k]) +
                     x * x * (b[3][k] - b[2][k]));
        d2[k] = 6 * (y * (b[2][k] - 2 * b[1][k] + b[0][k]) + x * (b[3][k] - 2 * b[2][k] + b[1][k]));
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A rectangle of w x h, added with a sign: Simpson's rule is exact across it.
static void add_rectangle(sums *s, double sign, double w, double h, const double r[3],
                          const double u[3], const double v[3], double ku, double kv, double ds)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double a = (i - 1) * w / 2, b = (k - 1) * h / 2;
            const double at[3] = {r[0] + a * u[0] + b * v[0], r[1] + a * u[1] + b * v[1],
                                  r[2] + a * u[2] + b * v[2]};
            add_point(s,
                      sign * rho * w * h * simpson(i, 2) * simpson(k, 2) * (1.0 - ku * a - kv * b) *
                          ds,
                      at);
        }
}

static void a_box_along_a_spline(void **state)
{
    (void)state;
    enum { N = 1000 };
    static const double b[4][3] = {{0, 0, 0}, {1, 0.5, 0.2}, {2, -0.6, 0.5}, {3, 0.3, 0.1}};
    const mc_concept_mass p =
        part_of("beams", "spline: [[0, 0, 0], [1, 0.5, 0.2], [2, -0.6, 0.5], [3, 0.3, 0.1]], "
                         "section: {kind: box, width: 0.1, height: 0.2, thickness: 0.02}, "
                         "material: m");
    sums s = {0};
    for (int i = 0; i <= N; i++) {
        double r[3], d1[3], d2[3], T[3], u[3], v[3], k[3];
        bezier(b, (double)i / N, r, d1, d2);
        const double speed = sqrt(dot(d1, d1));
        for (int j = 0; j < 3; j++)
            T[j] = d1[j] / speed;
        const double bend = dot(d2, T);
        for (int j = 0; j < 3; j++) {
            v[j] = (j == 2) - T[2] * T[j];
            k[j] = (d2[j] - bend * T[j]) / (speed * speed);
        }
        const double size = sqrt(dot(v, v));
        for (int j = 0; j < 3; j++)
            v[j] /= size;
        for (int j = 0; j < 3; j++)
            u[j] = v[(j + 1) % 3] * T[(j + 2) % 3] - v[(j + 2) % 3] * T[(j + 1) % 3];
        const double ds = speed * simpson(i, N), ku = dot(k, u), kv = dot(k, v);
        add_rectangle(&s, 1, 0.1, 0.2, r, u, v, ku, kv, ds);
        add_rectangle(&s, -1, 0.06, 0.16, r, u, v, ku, kv, ds);
    }
    compare(&p, &s, 1e-9);
}

// ---- surfaces ----

// A point of a surface with its normal of the length of the area: t^2/12 along it.
static void add_area(sums *s, double weight, double t, const double r[3], const double n[3])
{
    const double area = sqrt(dot(n, n)), mass = rho * t * weight * area;
    add_point(s, mass, r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            s->second[i][k] += mass * t * t / 12.0 * n[i] * n[k] / (area * area);
}

static void normal_of(const double du[3], const double dv[3], double n[3])
{
    for (int j = 0; j < 3; j++)
        n[j] = du[(j + 1) % 3] * dv[(j + 2) % 3] - du[(j + 2) % 3] * dv[(j + 1) % 3];
}

// Straight lines between two that are skew: a hyperbolic paraboloid.
static void a_twisted_ruled_panel(void **state)
{
    (void)state;
    enum { N = 200 };
    const mc_concept_mass p =
        part_of("panels", "ruled: [{polyline: [[0, 0, 0], [2, 0, 0.5]]}, {polyline: [[0.2, 1, "
                          "0.4], [2, 1.2, -0.3]]}], thickness: 0.01, material: m");
    static const double a[2][3] = {{0, 0, 0}, {2, 0, 0.5}},
                        b[2][3] = {{0.2, 1, 0.4}, {2, 1.2, -0.3}};
    sums s = {0};
    for (int i = 0; i <= N; i++)
        for (int k = 0; k <= N; k++) {
            const double x = (double)i / N, y = (double)k / N;
            double r[3], du[3], dv[3], n[3];
            for (int j = 0; j < 3; j++) {
                const double from = a[0][j] + x * (a[1][j] - a[0][j]);
                const double to = b[0][j] + x * (b[1][j] - b[0][j]);
                r[j] = from + y * (to - from);
                du[j] = (1 - y) * (a[1][j] - a[0][j]) + y * (b[1][j] - b[0][j]);
                dv[j] = to - from;
            }
            normal_of(du, dv, n);
            add_area(&s, simpson(i, N) * simpson(k, N), 0.01, r, n);
        }
    compare(&p, &s, 1e-9);
}

static void a_thick_patch(void **state)
{
    (void)state;
    enum { N = 240 };
    double b[16][3];
    char keys[2000] = "patch: [";
    for (int i = 0; i < 16; i++) {
        b[i][0] = i / 4 * 0.6 + 0.05 * (i % 3);
        b[i][1] = i % 4 * 0.5 - 0.04 * (i % 5);
        b[i][2] = 0.15 * sin(1.7 * i);
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s[%.17g, %.17g, %.17g]",
                 i ? ", " : "", b[i][0], b[i][1], b[i][2]);
    }
    snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "], thickness: 0.02, material: m");
    const mc_concept_mass p = part_of("panels", keys);
    sums s = {0};
    for (int i = 0; i <= N; i++) {
        double line[4][3], slope[4][3];
        for (int c = 0; c < 4; c++) { // control points of the curve across, at x
            double unused[3];
            const double column[4][3] = {{b[c][0], b[c][1], b[c][2]},
                                         {b[4 + c][0], b[4 + c][1], b[4 + c][2]},
                                         {b[8 + c][0], b[8 + c][1], b[8 + c][2]},
                                         {b[12 + c][0], b[12 + c][1], b[12 + c][2]}};
            bezier(column, (double)i / N, line[c], slope[c], unused);
        }
        for (int k = 0; k <= N; k++) {
            double r[3], du[3], dv[3], n[3], unused[3], also[3];
            bezier((const double(*)[3])line, (double)k / N, r, dv, unused);
            bezier((const double(*)[3])slope, (double)k / N, du, unused, also);
            normal_of(du, dv, n);
            add_area(&s, simpson(i, N) * simpson(k, N), 0.02, r, n);
        }
    }
    compare(&p, &s, 1e-9);
}

// Two ellipsoids: 72 % of the mass in the trunk, 28 % in the legs (docs/concept.md).
static void a_seated_person(void **state)
{
    (void)state;
    static const struct {
        double share, size[3], at[3];
    } half[2] = {{0.72, {0.32, 0.45, 0.85}, {0, 0, 0.33}},
                 {0.28, {0.90, 0.38, 0.30}, {0.36, 0, -0.05}}};
    const mc_concept_mass p = part_of("components", "occupant: 80 kg, at: [1, 2, 3]");
    sums s = {0};
    for (int e = 0; e < 2; e++) {
        const double m = 80.0 * half[e].share;
        const double at[3] = {1 + half[e].at[0], 2 + half[e].at[1], 3 + half[e].at[2]};
        add_point(&s, m, at);
        for (int i = 0; i < 3; i++) // int x^2 = m a^2/5
            s.second[i][i] += m * half[e].size[i] * half[e].size[i] / 20.0;
    }
    compare(&p, &s, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_along_a_spline),
        cmocka_unit_test(a_twisted_ruled_panel),
        cmocka_unit_test(a_thick_patch),
        cmocka_unit_test(a_seated_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
