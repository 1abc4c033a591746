// vec3.h - 3-vectors and 3x3 matrices as plain arrays, row major: m[3 * row + column].
#pragma once

#include <math.h>

static inline double vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec3_norm(const double a[3])
{
    return sqrt(vec3_dot(a, a));
}

static inline void vec3_cross(const double a[3], const double b[3], double out[3])
{
    const double x = a[1] * b[2] - a[2] * b[1];
    const double y = a[2] * b[0] - a[0] * b[2];
    const double z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

// out = m x; out may not be x.
static inline void mat3_mul_vec(const double m[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[3 * i] * x[0] + m[3 * i + 1] * x[1] + m[3 * i + 2] * x[2];
}

// out = m' x; out may not be x.
static inline void mat3_tmul_vec(const double m[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i] * x[0] + m[3 + i] * x[1] + m[6 + i] * x[2];
}

// out = a b; out may be neither.
static inline void mat3_mul(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

// The matrix of a turn by a unit quaternion (w, x, y, z).
static inline void mat3_of_quaternion(const double q[4], double out[9])
{
    for (int k = 0; k < 3; k++) { // columns: where the axes go
        const double unit[3] = {k == 0, k == 1, k == 2}, *v = q + 1;
        double one[3], two[3];
        vec3_cross(v, unit, one);
        vec3_cross(v, one, two);
        for (int x = 0; x < 3; x++)
            out[3 * x + k] = unit[x] + 2.0 * (q[0] * one[x] + two[x]);
    }
}

static inline double mat3_det(const double m[9])
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}

// x with m x = b by Cramer's rule; m must not be singular. x may be b.
static inline void mat3_solve(const double m[9], const double b[3], double x[3])
{
    const double c0[3] = {m[0], m[3], m[6]}, c1[3] = {m[1], m[4], m[7]}, c2[3] = {m[2], m[5], m[8]};
    double c12[3], c20[3], c01[3];
    vec3_cross(c1, c2, c12);
    vec3_cross(c2, c0, c20);
    vec3_cross(c0, c1, c01);
    const double scale = 1.0 / vec3_dot(c0, c12);
    const double x0 = vec3_dot(c12, b) * scale;
    const double x1 = vec3_dot(c20, b) * scale;
    const double x2 = vec3_dot(c01, b) * scale;
    x[0] = x0, x[1] = x1, x[2] = x2;
}
