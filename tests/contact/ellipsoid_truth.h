// ellipsoid_truth.h - pairs of ellipsoids with a known gap, and slow ways to find an unknown one.
//
// Nothing here shares a formula with src/contact beyond the definition of the gap.
#pragma once

#include "random_ellipsoid.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

typedef long double real;

static inline real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// |A'n|
static inline real support(const ellipsoid *e, const real n[3])
{
    real square = 0.0L;
    for (int j = 0; j < 3; j++) {
        const real x = e->axes[j] * n[0] + e->axes[3 + j] * n[1] + e->axes[6 + j] * n[2];
        square += x * x;
    }
    return sqrtl(square);
}

// f(n / |n|), as the header defines it.
static inline real gap_along(const ellipsoid *e1, const ellipsoid *e2, const real n[3])
{
    real reach = 0.0L;
    for (int i = 0; i < 3; i++)
        reach += n[i] * ((real)e2->centre[i] - e1->centre[i]);
    return (reach - support(e1, n) - support(e2, n)) / sqrtl(dot(n, n));
}

// Point of the surface with the outward normal n, seen from the centre: A A'n / |A'n|
static inline void support_point(const ellipsoid *e, const real n[3], real out[3])
{
    const real s = support(e, n);
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0L;
        for (int j = 0; j < 3; j++) {
            const real x = e->axes[j] * n[0] + e->axes[3 + j] * n[1] + e->axes[6 + j] * n[2];
            out[i] += e->axes[3 * i + j] * x / s;
        }
    }
}

// x with m x = b, by Cramer's rule; m row major.
static inline void solve3(const real m[9], const real b[3], real x[3])
{
    real cofactor[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactor[3 * i + j] = m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
        }
    const real det = dot(m, cofactor);
    for (int j = 0; j < 3; j++)
        x[j] = (cofactor[j] * b[0] + cofactor[3 + j] * b[1] + cofactor[6 + j] * b[2]) / det;
}

// How far a point is off the surface, in units of a length that is at most the true distance
// scaled up: (|A^-1 (x - c)| - 1) times the smallest semi-axis.
static inline double off_surface(const ellipsoid *e, const double point[3], double smallest)
{
    real m[9], x[3], u[3];
    for (int i = 0; i < 9; i++)
        m[i] = e->axes[i];
    for (int i = 0; i < 3; i++)
        x[i] = (real)point[i] - e->centre[i];
    solve3(m, x, u);
    return (double)fabsl(sqrtl(dot(u, u)) - 1.0L) * smallest;
}

typedef struct pair {
    ellipsoid e1, e2;
    double smallest_1, smallest_2;   // m, semi-axes
    double curvature_1, curvature_2; // m, smallest radius of curvature (smallest^2 / largest)
    double normal[3];                // of the construction
    double gap;                      // m, of the construction
} pair;

// Smallest and largest semi-axis: roots of the eigenvalues of A A', by Jacobi rotations.
static inline void semi_axis_range(const ellipsoid *e, double *smallest, double *largest)
{
    real b[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b[i][j] = (real)e->axes[3 * i] * e->axes[3 * j] +
                      (real)e->axes[3 * i + 1] * e->axes[3 * j + 1] +
                      (real)e->axes[3 * i + 2] * e->axes[3 * j + 2];
    for (int turn = 0; turn < 24; turn++) {
        const int p = turn % 3, q = (p + 1) % 3, r = (p + 2) % 3;
        if (b[p][q] == 0.0L)
            continue;
        const real z = (b[q][q] - b[p][p]) / (2.0L * b[p][q]);
        const real t = copysignl(1.0L, z) / (fabsl(z) + sqrtl(1.0L + z * z));
        const real cosine = 1.0L / sqrtl(1.0L + t * t), sine = t * cosine, old = b[p][r];
        b[p][p] -= t * b[p][q];
        b[q][q] += t * b[p][q];
        b[p][q] = b[q][p] = 0.0L;
        b[p][r] = b[r][p] = cosine * old - sine * b[q][r];
        b[q][r] = b[r][q] = sine * old + cosine * b[q][r];
    }
    *smallest = (double)sqrtl(fminl(b[0][0], fminl(b[1][1], b[2][2])));
    *largest = (double)sqrtl(fmaxl(b[0][0], fmaxl(b[1][1], b[2][2])));
}

// Aspect ratios log-uniform in 1 .. aspect, or for blunt = false either 1 or aspect (balls, discs,
// needles); a third of them deformed; one in eight a mirror image.
static inline void random_shape(uint64_t *seed, double size, double aspect, bool extreme,
                                ellipsoid *e)
{
    double semi_axes[3];
    for (int i = 0; i < 3; i++) {
        const double share = random_between(seed, 0.0, 1.0);
        semi_axes[i] = size * pow(aspect, extreme ? -(double)(share < 0.5) : -share);
    }
    random_axes(seed, semi_axes, random_bits(seed) % 3 == 0 ? 0.3 : 0.0, e->axes);
    if (random_bits(seed) % 8 == 0)
        for (int i = 0; i < 9; i += 3)
            e->axes[i] = -e->axes[i];
    for (int i = 0; i < 3; i++)
        e->centre[i] = random_between(seed, -50.0, 50.0);
}

static inline void random_shapes(uint64_t *seed, double aspect, pair *p)
{
    const bool same_size = random_bits(seed) % 2 == 0, extreme = random_bits(seed) % 4 == 0;
    const double size = 0.1 * pow(50.0, random_between(seed, 0.0, 1.0));
    const double other = same_size ? size : 0.1 * pow(50.0, random_between(seed, 0.0, 1.0));
    random_shape(seed, size, aspect, extreme, &p->e1);
    random_shape(seed, other, aspect, extreme, &p->e2);
    double largest_1, largest_2;
    semi_axis_range(&p->e1, &p->smallest_1, &largest_1);
    semi_axis_range(&p->e2, &p->smallest_2, &largest_2);
    p->curvature_1 = p->smallest_1 * p->smallest_1 / largest_1;
    p->curvature_2 = p->smallest_2 * p->smallest_2 / largest_2;
}

// A normal, uniform on the sphere or that of a point of the first surface (crowded where it is
// flat): A^-T u.
static inline void random_normal(uint64_t *seed, const pair *p, double n[3])
{
    random_unit(seed, n);
    if (random_bits(seed) % 2 == 0)
        return;
    const double *a = p->e1.axes;
    const double transposed[9] = {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]};
    mat3_solve(transposed, n, n);
    const double scale = 1.0 / vec3_norm(n);
    for (int i = 0; i < 3; i++)
        n[i] *= scale;
}

// c2 = c1 + v1 + v2 + gap n
static inline void place(pair *p)
{
    real n[3], v1[3], v2[3];
    for (int i = 0; i < 3; i++)
        n[i] = p->normal[i];
    support_point(&p->e1, n, v1);
    support_point(&p->e2, n, v2);
    for (int i = 0; i < 3; i++)
        p->e2.centre[i] = (double)(p->e1.centre[i] + v1[i] + v2[i] + p->gap * n[i]);
}

// Gap from -30 % to +300 % of the smallest semi-axis.
static inline void random_pair(uint64_t *seed, double aspect, pair *p)
{
    random_shapes(seed, aspect, p);
    random_normal(seed, p, p->normal);
    p->gap = random_between(seed, -0.3, 3.0) * fmin(p->smallest_1, p->smallest_2);
    place(p);
}

static inline bool gap_is_known(const pair *p)
{
    return p->gap >= -(p->curvature_1 + p->curvature_2);
}

static inline void unit3(double n[3])
{
    const double scale = 1.0 / vec3_norm(n);
    for (int i = 0; i < 3; i++)
        n[i] *= scale;
}

static inline double gap_at(const ellipsoid *e1, const ellipsoid *e2, const double n[3])
{
    double u1[3], u2[3];
    mat3_tmul_vec(e1->axes, n, u1);
    mat3_tmul_vec(e2->axes, n, u2);
    const double c[3] = {e2->centre[0] - e1->centre[0], e2->centre[1] - e1->centre[1],
                         e2->centre[2] - e1->centre[2]};
    return (vec3_dot(n, c) - vec3_norm(u1) - vec3_norm(u2)) / vec3_norm(n);
}

// Two unit vectors across n and each other.
static inline void frame_across(const double n[3], double a[3], double b[3])
{
    const int axis = fabs(n[0]) < 0.6 ? 0 : 1;
    const double aside[3] = {axis == 0, axis == 1, 0.0};
    vec3_cross(n, aside, a);
    unit3(a);
    vec3_cross(n, a, b);
}

// Something to be maximised over directions; n need not be a unit vector.
typedef double (*direction_function)(const void *context, const double n[3]);

static inline double pair_gap(const void *context, const double n[3])
{
    const pair *p = context;
    return gap_at(&p->e1, &p->e2, n);
}

typedef struct corner { // of the simplex of Nelder and Mead
    double x, y, f;
} corner;

// A point of the plane that touches the sphere at n; frame holds n and two vectors across it.
static inline corner corner_at(direction_function f, const void *context, double frame[3][3],
                               double x, double y)
{
    double m[3];
    for (int i = 0; i < 3; i++)
        m[i] = frame[0][i] + x * frame[1][i] + y * frame[2][i];
    return (corner){x, y, f(context, m)};
}

static inline void sort_corners(corner s[3])
{
    for (int i = 0; i < 3; i++) {
        const int a = i == 1 ? 1 : 0; // compare 0-1, 1-2, 0-1
        if (s[a].f < s[a + 1].f) {
            const corner swap = s[a];
            s[a] = s[a + 1], s[a + 1] = swap;
        }
    }
}

// Local maximum of f near n by the simplex method of Nelder and Mead; no derivatives.
static inline double refine(direction_function f, const void *context, const double n[3],
                            double size)
{
    double frame[3][3] = {{n[0], n[1], n[2]}, {0.0}, {0.0}};
    frame_across(n, frame[1], frame[2]);
    corner s[3] = {corner_at(f, context, frame, 0.0, 0.0), corner_at(f, context, frame, size, 0.0),
                   corner_at(f, context, frame, 0.0, size)};
    for (int step = 0; step < 300; step++) {
        sort_corners(s);
        if (s[0].f - s[2].f < 1e-15 && fabs(s[0].x - s[2].x) + fabs(s[0].y - s[2].y) < 1e-6)
            break;
        const double mid_x = 0.5 * (s[0].x + s[1].x), mid_y = 0.5 * (s[0].y + s[1].y);
        const double dx = mid_x - s[2].x, dy = mid_y - s[2].y;
        const corner reflected = corner_at(f, context, frame, mid_x + dx, mid_y + dy);
        if (reflected.f > s[0].f) {
            const corner expanded =
                corner_at(f, context, frame, mid_x + 2.0 * dx, mid_y + 2.0 * dy);
            s[2] = expanded.f > reflected.f ? expanded : reflected;
        } else if (reflected.f > s[1].f) {
            s[2] = reflected;
        } else {
            const double k = reflected.f > s[2].f ? 0.5 : -0.5;
            const corner inside = corner_at(f, context, frame, mid_x + k * dx, mid_y + k * dy);
            if (inside.f > fmax(reflected.f, s[2].f)) {
                s[2] = inside;
            } else { // shrink
                s[1] =
                    corner_at(f, context, frame, 0.5 * (s[0].x + s[1].x), 0.5 * (s[0].y + s[1].y));
                s[2] =
                    corner_at(f, context, frame, 0.5 * (s[0].x + s[2].x), 0.5 * (s[0].y + s[2].y));
            }
        }
    }
    sort_corners(s);
    return s[0].f;
}

// Spread over the sphere: a spiral with equal steps of z and the golden angle.
static inline void spiral_point(int i, int count, double u[3])
{
    const double z = 1.0 - (2.0 * i + 1.0) / count, angle = 2.399963229728653 * i;
    const double radius = sqrt(1.0 - z * z);
    u[0] = radius * cos(angle), u[1] = radius * sin(angle), u[2] = z;
}

enum {
    LOOKS = 256, // normals of each family when looking everywhere
    REFINED = 4, // the best of each family are refined
};

// The best few of one family of normals: A^-T u for u even on the sphere, or u itself if a is NULL.
// Returns how many.
static inline int best_normals(const pair *p, double (*even)[3], const double *a,
                               double best[REFINED][3])
{
    double f[REFINED];
    int count = 0;
    for (int i = 0; i < LOOKS; i++) {
        double n[3] = {even[i][0], even[i][1], even[i][2]};
        if (a) {
            const double transposed[9] = {a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]};
            mat3_solve(transposed, n, n);
            unit3(n);
        }
        const double value = gap_at(&p->e1, &p->e2, n);
        if (count == REFINED && value <= f[count - 1])
            continue;
        int k = count < REFINED ? count++ : REFINED - 1;
        for (; k > 0 && f[k - 1] < value; k--) {
            f[k] = f[k - 1];
            memcpy(best[k], best[k - 1], sizeof best[k]);
        }
        f[k] = value;
        memcpy(best[k], n, sizeof n);
    }
    return count;
}

// The best gap over normals of three families: even on the sphere, and those of points even on
// each surface, which crowd where that surface is flat. even: LOOKS points of the spiral.
static inline double gap_everywhere(const pair *p, double (*even)[3])
{
    const double *family[3] = {NULL, p->e1.axes, p->e2.axes};
    double result = -DBL_MAX;
    for (int i = 0; i < 3; i++) {
        double best[REFINED][3];
        const int count = best_normals(p, even, family[i], best);
        for (int k = 0; k < count; k++)
            result = fmax(result, refine(pair_gap, p, best[k], 0.02));
    }
    return result;
}

// Residual of the multipliers and what is needed to improve them.
typedef struct multipliers {
    real mu[2];          // m^2
    real d[3];           // m, from point 1 to point 2
    real excess[2];      // log |u|^2 of the two surface points, 0 at the solution
    real jacobian[2][2]; // of excess with respect to log mu
} multipliers;

// The closest points c1 + A1 u1 and c2 + A2 u2 minimise |d|^2 / 2, d = c + A2 u2 - A1 u1, under
// |u| = 1. With multipliers mu the stationary point is u1 = A1'd / mu1, u2 = -A2'd / mu2, hence
//     (1 + B1/mu1 + B2/mu2) d = c,   B = A A'
// and the two numbers mu follow from |u1| = |u2| = 1.
static inline void multipliers_evaluate(const pair *p, multipliers *x)
{
    const ellipsoid *e[2] = {&p->e1, &p->e2};
    real b[2][9], s[9], c[3], image[2][3];
    for (int i = 0; i < 9; i++) {
        s[i] = i % 4 == 0 ? 1.0L : 0.0L;
        for (int k = 0; k < 2; k++) {
            const double *row = e[k]->axes + i / 3 * 3, *column = e[k]->axes + i % 3 * 3;
            b[k][i] =
                (real)row[0] * column[0] + (real)row[1] * column[1] + (real)row[2] * column[2];
            s[i] += b[k][i] / x->mu[k];
        }
    }
    for (int i = 0; i < 3; i++)
        c[i] = (real)p->e2.centre[i] - p->e1.centre[i];
    solve3(s, c, x->d);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++)
            image[k][i] = dot(b[k] + 3 * i, x->d);
        x->excess[k] = logl(dot(x->d, image[k]) / (x->mu[k] * x->mu[k]));
    }
    for (int j = 0; j < 2; j++) {
        real change[3]; // of d with log mu_j
        solve3(s, image[j], change);
        for (int k = 0; k < 2; k++)
            x->jacobian[k][j] = 2.0L * dot(image[k], change) / x->mu[j] / dot(x->d, image[k]) -
                                (k == j ? 2.0L : 0.0L);
    }
}

// Distance of two separate ellipsoids: Newton's method on the multipliers in long double, and
// where that does not help mu = |A'd|, a step that always does. NAN if it does not converge.
static inline double multiplier_distance(const pair *p)
{
    multipliers x = {.mu = {1.0L, 1.0L}};
    multipliers_evaluate(p, &x);
    for (int i = 0; i < 300; i++) {
        const real residual = fabsl(x.excess[0]) + fabsl(x.excess[1]);
        if (residual < 1e-14L)
            return (double)sqrtl(dot(x.d, x.d));
        const real det = x.jacobian[0][0] * x.jacobian[1][1] - x.jacobian[0][1] * x.jacobian[1][0];
        const real step[2] = {
            -(x.jacobian[1][1] * x.excess[0] - x.jacobian[0][1] * x.excess[1]) / det,
            -(x.jacobian[0][0] * x.excess[1] - x.jacobian[1][0] * x.excess[0]) / det};
        multipliers y = {.mu = {x.mu[0] * expl(step[0]), x.mu[1] * expl(step[1])}};
        if (fabsl(step[0]) + fabsl(step[1]) < 3.0L)
            multipliers_evaluate(p, &y);
        else
            y.excess[0] = LDBL_MAX;
        if (!(fabsl(y.excess[0]) + fabsl(y.excess[1]) < 0.5L * residual)) {
            for (int k = 0; k < 2; k++)
                y.mu[k] = x.mu[k] * expl(0.5L * x.excess[k]);
            multipliers_evaluate(p, &y);
        }
        x = y;
    }
    return NAN;
}
