// panel.c - surfaces with a thickness: moments and skin.
#include "shape/panel.h"

#include "shape/quadrature.h"
#include "num/vec3.h"

#include <string.h>

enum { VALUES = 11, GRID = 8 };

const char *const panel_kind_names[PANEL_KIND_COUNT] = {"polygon", "ruled", "patch"};

static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

// ---- plane ----

// Newell's normal: twice the vector of the area.
static void polygon_normal(const concept_panel *p, double n[3])
{
    n[0] = n[1] = n[2] = 0.0;
    for (int i = 1; i + 1 < p->count; i++) {
        double a[3], b[3], c[3];
        for (int k = 0; k < 3; k++) {
            a[k] = p->point[i][k] - p->point[0][k];
            b[k] = p->point[i + 1][k] - p->point[0][k];
        }
        vec3_cross(a, b, c);
        for (int k = 0; k < 3; k++)
            n[k] += c[k];
    }
}

double panel_flatness(const concept_panel *p)
{
    double n[3], worst = 0.0;
    polygon_normal(p, n);
    const double size = vec3_norm(n);
    for (int i = 1; i < p->count && size > 0.0; i++) {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = p->point[i][k] - p->point[0][k];
        worst = fmax(worst, fabs(vec3_dot(d, n)) / size);
    }
    return worst;
}

// Signed triangles of a fan: A, A (a + b + c)/3, A/12 (a a' + b b' + c c' + s s').
static concept_moments polygon_moments(const concept_panel *p, double *area)
{
    concept_moments m = {0};
    double n[3];
    polygon_normal(p, n);
    const double size = vec3_norm(n), t = p->thickness;
    for (int i = 0; i < 3; i++)
        n[i] /= size;
    for (int i = 1; i + 1 < p->count; i++) {
        const double *a = p->point[0], *b = p->point[i], *c = p->point[i + 1];
        double u[3], v[3], w[3], s[3];
        for (int k = 0; k < 3; k++) {
            u[k] = b[k] - a[k], v[k] = c[k] - a[k];
            s[k] = a[k] + b[k] + c[k];
        }
        vec3_cross(u, v, w);
        const double A = vec3_dot(w, n) / 2.0;
        m.mass += t * A;
        for (int k = 0; k < 3; k++)
            m.first[k] += t * A * s[k] / 3.0;
        for (int k = 0; k < 6; k++) {
            const int x = row[k], y = column[k];
            m.second[k] += t * A / 12.0 * (s[x] * s[y] + a[x] * a[y] + b[x] * b[y] + c[x] * c[y]) +
                           t * t * t / 12.0 * A * n[x] * n[y];
        }
    }
    *area = size / 2.0;
    return m;
}

// ---- curved ----

static void ruled_at(const concept_panel *p, double x, double y, double r[3], double du[3],
                     double dv[3])
{
    double a[3], b[3], da[3], db[3];
    curve_whole(&p->edge[0], x, a, da);
    curve_whole(&p->edge[1], x, b, db);
    for (int k = 0; k < 3; k++) {
        r[k] = a[k] + y * (b[k] - a[k]);
        du[k] = da[k] + y * (db[k] - da[k]);
        dv[k] = b[k] - a[k];
    }
}

static void bernstein(double t, double b[4], double d[4])
{
    const double s = 1.0 - t;
    b[0] = s * s * s, b[1] = 3.0 * s * s * t, b[2] = 3.0 * s * t * t, b[3] = t * t * t;
    d[0] = -3.0 * s * s, d[1] = 3.0 * s * (s - 2.0 * t);
    d[2] = 3.0 * t * (2.0 * s - t), d[3] = 3.0 * t * t;
}

static void patch_at(const concept_panel *p, double x, double y, double r[3], double du[3],
                     double dv[3])
{
    double bx[4], dx[4], by[4], dy[4];
    bernstein(x, bx, dx);
    bernstein(y, by, dy);
    for (int k = 0; k < 3; k++) {
        r[k] = du[k] = dv[k] = 0.0;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                const double c = p->point[4 * i + j][k];
                r[k] += bx[i] * by[j] * c;
                du[k] += dx[i] * by[j] * c;
                dv[k] += bx[i] * dy[j] * c;
            }
    }
}

static void surface_at(const concept_panel *p, double x, double y, double r[3], double du[3],
                       double dv[3])
{
    if (p->kind == PANEL_RULED)
        ruled_at(p, x, y, r, du, dv);
    else
        patch_at(p, x, y, r, du, dv);
}

static void element(const void *context, double x, double y, double *out)
{
    const concept_panel *p = context;
    double r[3], du[3], dv[3], n[3];
    surface_at(p, x, y, r, du, dv);
    vec3_cross(du, dv, n);
    const double size = vec3_norm(n), t = p->thickness, mass = t * size;
    out[0] = size;
    out[1] = mass;
    for (int k = 0; k < 3; k++)
        out[2 + k] = mass * r[k];
    for (int k = 0; k < 6; k++) {
        const double across = size > 0.0 ? n[row[k]] * n[column[k]] / (size * size) : 0.0;
        out[5 + k] = mass * (r[row[k]] * r[column[k]] + t * t / 12.0 * across);
    }
}

// The next kink of either edge after x.
static double next_kink(const concept_panel *p, double x)
{
    double next = 1.0;
    for (int e = 0; e < 2 && p->kind == PANEL_RULED; e++) {
        const int n = curve_pieces(&p->edge[e]);
        for (int i = 1; i < n; i++)
            if ((double)i / n > x + 1e-9)
                next = fmin(next, (double)i / n);
    }
    return next;
}

concept_moments panel_moments(const concept_panel *panel, double *area)
{
    if (panel->kind == PANEL_POLYGON)
        return polygon_moments(panel, area);
    double sum[VALUES] = {0}, from = 0.0;
    while (from < 1.0) {
        const double to = next_kink(panel, from);
        quadrature_over_square(element, panel, VALUES, (const double[]){from, 0.0},
                               (const double[]){to, 1.0}, sum);
        from = to;
    }
    concept_moments m = {.mass = sum[1]};
    memcpy(m.first, sum + 2, sizeof m.first);
    memcpy(m.second, sum + 5, sizeof m.second);
    *area = sum[0];
    return m;
}

void panel_skin(const concept_panel *p, concept_mesh *out)
{
    for (int i = 1; p->kind == PANEL_POLYGON && i + 1 < p->count; i++)
        skin_triangle(out, p->point[0], p->point[i], p->point[i + 1]);
    for (int i = 0; p->kind != PANEL_POLYGON && i < GRID; i++)
        for (int j = 0; j < GRID; j++) {
            double c[4][3], du[3], dv[3];
            for (int k = 0; k < 4; k++) {
                const int a = k == 1 || k == 2, b = k >= 2;
                surface_at(p, (double)(i + a) / GRID, (double)(j + b) / GRID, c[k], du, dv);
            }
            skin_quad(out, c[0], c[1], c[2], c[3]);
        }
}
