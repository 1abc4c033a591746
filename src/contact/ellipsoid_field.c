// ellipsoid_field.c - least value of a quadratic over a sphere, by its secular equation.
//
// A point of the surface of `on` is x = c_on + A_on u, |u| = 1, and the field of `in` there is
//     |K u + k|^2 - 1,   K = A_in^-1 A_on,   k = A_in^-1 (c_on - c_in).
// With V from the singular value decomposition, (K V)'(K V) = diag(m), and u = V y the problem is
//     minimise  sum m_i y_i^2 + 2 b_i y_i,  b = (K V)' k,  |y| = 1
// whose global minimum has y_i = -b_i / (m_i + mu) with the one mu >= -min m that makes |y| = 1.
// Working on K and not on K'K keeps small singular values accurate.
#include "contact/ellipsoid_field.h"

#include "num/vec3.h"

#include <stdbool.h>

enum {
    SWEEP_LIMIT = 20,  // Jacobi converges quadratically; 4 to 6 sweeps are usual
    NEWTON_LIMIT = 60, // on the secular equation; 3 to 6 are usual
};

// a and b turned in their plane
static inline void turn(double a[3], double b[3], double cosine, double sine)
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], b0 = b[0], b1 = b[1], b2 = b[2];
    a[0] = cosine * a0 - sine * b0, b[0] = sine * a0 + cosine * b0;
    a[1] = cosine * a1 - sine * b1, b[1] = sine * a1 + cosine * b1;
    a[2] = cosine * a2 - sine * b2, b[2] = sine * a2 + cosine * b2;
}

// Turns columns p and q of k, and of v with them, so that those of k become orthogonal. False if
// they were orthogonal to 1e-8 before: then they are to rounding now.
static bool rotate_columns(double k[3][3], double v[3][3], int p, int q)
{
    const double pp = vec3_dot(k[p], k[p]), qq = vec3_dot(k[q], k[q]), pq = vec3_dot(k[p], k[q]);
    if (pq == 0.0)
        return false;
    // tangent of the angle: the smaller root of pq t^2 + (qq - pp) t - pq = 0
    const double difference = qq - pp;
    const double root = sqrt(difference * difference + 4.0 * pq * pq);
    const double t = 2.0 * pq / (difference + copysign(root, difference));
    const double cosine = 1.0 / sqrt(1.0 + t * t), sine = t * cosine;
    turn(k[p], k[q], cosine, sine);
    turn(v[p], v[q], cosine, sine);
    return pq * pq > 1e-16 * pp * qq;
}

// One-sided Jacobi: k becomes k v with orthogonal columns, v a rotation.
static void orthogonalise(double k[3][3], double v[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            v[i][j] = (double)(i == j);
    bool changed = true;
    for (int sweep = 0; changed && sweep < SWEEP_LIMIT; sweep++) {
        changed = rotate_columns(k, v, 0, 1);
        changed |= rotate_columns(k, v, 0, 2);
        changed |= rotate_columns(k, v, 1, 2);
    }
}

// The y of the secular equation. With d = mu + min m and g_i = m_i - min m, Newton's method on
// 1/|y| = 1 rises to the root from any d below it without overshooting, and every single term
// shows d >= |b_i| - g_i. If b has no part where g = 0 then d = 0 may leave |y| < 1: the rest of y
// lies along that axis, with either sign.
static void secular_solve(const double m[3], const double b[3], double y[3])
{
    int smallest = 0;
    for (int i = 1; i < 3; i++)
        if (m[i] < m[smallest])
            smallest = i;
    double d = 0.0;
    for (int i = 0; i < 3; i++)
        d = fmax(d, fabs(b[i]) - (m[i] - m[smallest]));
    for (int pass = 0; pass < NEWTON_LIMIT; pass++) {
        double square = 0.0, slope = 0.0; // |y|^2 and minus half its derivative
        for (int i = 0; i < 3; i++) {
            const double s = m[i] - m[smallest] + d;
            y[i] = b[i] == 0.0 ? 0.0 : -b[i] / s; // where b = 0, s may be too
            square += y[i] * y[i];
            slope += s > 0.0 ? y[i] * y[i] / s : 0.0;
        }
        if (square < 1.0 && d == 0.0)
            y[smallest] = sqrt(1.0 - square);
        const double excess = sqrt(square) - 1.0;
        if (!(excess > 1e-14))
            break;
        d += square * excess / slope;
    }
    const double scale = 1.0 / vec3_norm(y);
    for (int i = 0; i < 3; i++)
        y[i] *= scale;
}

// Normal at the image of u: A^-T u, in cross products of the columns of A.
static void outward_normal(const double a[9], const double u[3], double normal[3])
{
    const double a0[3] = {a[0], a[3], a[6]}, a1[3] = {a[1], a[4], a[7]}, a2[3] = {a[2], a[5], a[8]};
    double a12[3], a20[3], a01[3];
    vec3_cross(a1, a2, a12);
    vec3_cross(a2, a0, a20);
    vec3_cross(a0, a1, a01);
    for (int i = 0; i < 3; i++)
        normal[i] = a12[i] * u[0] + a20[i] * u[1] + a01[i] * u[2];
    const double scale = copysign(1.0, vec3_dot(a0, a12)) / vec3_norm(normal);
    for (int i = 0; i < 3; i++)
        normal[i] *= scale;
}

void ellipsoid_field_deepest(const ellipsoid *on, const ellipsoid *in, double point[3],
                             double normal[3])
{
    double k[3][3], v[3][3], offset[3]; // k and v by columns
    for (int j = 0; j < 3; j++) {
        const double column[3] = {on->axes[j], on->axes[3 + j], on->axes[6 + j]};
        mat3_solve(in->axes, column, k[j]);
        offset[j] = on->centre[j] - in->centre[j];
    }
    mat3_solve(in->axes, offset, offset);
    orthogonalise(k, v);

    double m[3], b[3], y[3], u[3];
    for (int i = 0; i < 3; i++) {
        m[i] = vec3_dot(k[i], k[i]);
        b[i] = vec3_dot(k[i], offset);
    }
    secular_solve(m, b, y);
    for (int i = 0; i < 3; i++)
        u[i] = v[0][i] * y[0] + v[1][i] * y[1] + v[2][i] * y[2];
    mat3_mul_vec(on->axes, u, point);
    for (int i = 0; i < 3; i++)
        point[i] += on->centre[i];
    outward_normal(on->axes, u, normal);
}
