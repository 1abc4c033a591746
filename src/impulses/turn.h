// turn.h - turns of bodies on numbers: quaternions (w, x, y, z), matrices by rows, rotation
// vectors.
#pragma once

#include "num/vec3.h"

static inline void turn_matrix(const double q[4], double R[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double xx = 2.0 * x * x, yy = 2.0 * y * y, zz = 2.0 * z * z;
    const double xy = 2.0 * x * y, xz = 2.0 * x * z, yz = 2.0 * y * z;
    const double wx = 2.0 * w * x, wy = 2.0 * w * y, wz = 2.0 * w * z;
    R[0] = 1.0 - yy - zz, R[1] = xy - wz, R[2] = xz + wy;
    R[3] = xy + wz, R[4] = 1.0 - xx - zz, R[5] = yz - wx;
    R[6] = xz - wy, R[7] = yz + wx, R[8] = 1.0 - xx - yy;
}

// Of a rotation matrix; the largest part first, for accuracy.
static inline void turn_quaternion(const double R[9], double q[4])
{
    const double d[4] = {R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8],
                         R[8] - R[0] - R[4]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        k = d[i] > d[k] ? i : k;
    const double s = 2.0 * sqrt(1.0 + d[k]), f = 1.0 / s;
    const double a = (R[7] - R[5]) * f, b = (R[2] - R[6]) * f, c = (R[3] - R[1]) * f;
    const double xy = (R[1] + R[3]) * f, xz = (R[2] + R[6]) * f, yz = (R[5] + R[7]) * f;
    const double all[4][4] = {
        {0.25 * s, a, b, c}, {a, 0.25 * s, xy, xz}, {b, xy, 0.25 * s, yz}, {c, xz, yz, 0.25 * s}};
    for (int i = 0; i < 4; i++)
        q[i] = all[k][i];
}

// q turned by the rotation vector r in world axes: exp(r / 2) q, made unit again.
static inline void turn_by(double q[4], const double r[3])
{
    const double half = 0.25 * vec3_dot(r, r); // (|r| / 2)^2
    double c, s;                               // cos(|r| / 2), sin(|r| / 2) / |r|
    if (half < 1e-4) {                         // series to rounding
        c = 1.0 - half * (0.5 - half * (1.0 / 24.0 - half * (1.0 / 720.0)));
        s = 0.5 * (1.0 - half * (1.0 / 6.0 - half * (1.0 / 120.0 - half * (1.0 / 5040.0))));
    } else {
        const double angle = sqrt(half);
        c = cos(angle);
        s = 0.5 * sin(angle) / angle;
    }
    const double x = s * r[0], y = s * r[1], z = s * r[2];
    const double a = c * q[0] - x * q[1] - y * q[2] - z * q[3];
    const double b = c * q[1] + x * q[0] + y * q[3] - z * q[2];
    const double d = c * q[2] + y * q[0] + z * q[1] - x * q[3];
    const double f = c * q[3] + z * q[0] + x * q[2] - y * q[1];
    // One step of Newton's iteration for 1 / sqrt: q was unit to rounding.
    const double unit = 1.5 - 0.5 * (a * a + b * b + d * d + f * f);
    q[0] = unit * a, q[1] = unit * b, q[2] = unit * d, q[3] = unit * f;
}

// Rotation about a coordinate axis.
static inline void turn_about(int axis, double angle, double R[9])
{
    const double c = cos(angle), s = sin(angle);
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    for (int i = 0; i < 9; i++)
        R[i] = 0.0;
    R[4 * axis] = 1.0;
    R[4 * j] = R[4 * k] = c;
    R[3 * k + j] = s;
    R[3 * j + k] = -s;
}

static inline void turn_about_vector(const double a[3], double angle, double R[9])
{
    const double c = cos(angle), s = sin(angle), one = 1.0 - c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = one * a[i] * a[j] + (i == j ? c : 0.0);
    R[1] -= s * a[2], R[2] += s * a[1], R[3] += s * a[2];
    R[5] -= s * a[0], R[6] -= s * a[1], R[7] += s * a[0];
}

// out = a' b
static inline void mat3_tmul(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

// out = a b'
static inline void mat3_mult(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] =
                a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}

// R I R', symmetric; I is often diagonal.
static inline void turn_inertia(const double I[9], const double R[9], double out[9])
{
    double half[9];
    if (I[1] == 0.0 && I[2] == 0.0 && I[5] == 0.0)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                half[3 * i + k] = R[3 * i + k] * I[4 * k];
    else
        mat3_mul(R, I, half);
    out[0] = vec3_dot(half, R);
    out[4] = vec3_dot(half + 3, R + 3);
    out[8] = vec3_dot(half + 6, R + 6);
    out[1] = out[3] = vec3_dot(half, R + 3);
    out[2] = out[6] = vec3_dot(half, R + 6);
    out[5] = out[7] = vec3_dot(half + 3, R + 6);
}

// The three angles of a rotation by a sequence: R = A(first) A(second) A(third).
void turn_angles(const double R[9], const int sequence[3], double angle[3]);
