// test_dense.c - eigenvalues and solutions against closed forms, and put back into the equation.
#include "num/dense.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 128 }; // the largest allowed

static double a[SIZE * SIZE], copy[SIZE * SIZE], x[SIZE], y[SIZE], value[SIZE];

static const int sizes[] = {1, 2, 3, 4, 7, 12, 28, 64, SIZE};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static void fill_random(unsigned long long *seed, int n, double *m)
{
    for (int i = 0; i < n; i++)
        m[i] = sample_uniform(seed, -1.0, 1.0);
}

static void symmetric_eigen_of_random(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int s = 0; s < SIZE_COUNT; s++) {
        const int n = sizes[s];
        fill_random(&seed, n * n, a);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                a[i * n + j] = a[j * n + i];
        memcpy(copy, a, sizeof a);
        assert_true(dense_symmetric_eigen(n, a, value));
        for (int k = 0; k < n; k++) {
            assert_true(k == 0 || value[k] >= value[k - 1]);
            const double *v = a + k * n;  // column k
            for (int i = 0; i < n; i++) { // A v = value v
                double sum = -value[k] * v[i];
                for (int j = 0; j < n; j++)
                    sum += copy[j * n + i] * v[j];
                assert_true(fabs(sum) < 1e-13 * n);
            }
            for (int l = 0; l <= k; l++) { // orthonormal
                double dot = l == k ? -1.0 : 0.0;
                for (int i = 0; i < n; i++)
                    dot += v[i] * a[l * n + i];
                assert_true(fabs(dot) < 1e-13 * n);
            }
        }
    }
}

// A chain of masses and springs: 2 on the diagonal, -1 beside it; values 2 - 2 cos(k pi / (n + 1)).
static void symmetric_eigen_of_a_chain(void **state)
{
    (void)state;
    for (int s = 0; s < SIZE_COUNT; s++) {
        const int n = sizes[s];
        memset(a, 0, sizeof a);
        for (int i = 0; i < n; i++) {
            a[i * n + i] = 2.0;
            if (i > 0)
                a[i * n + i - 1] = a[(i - 1) * n + i] = -1.0;
        }
        assert_true(dense_symmetric_eigen(n, a, value));
        for (int k = 0; k < n; k++)
            assert_true(fabs(value[k] - (2.0 - 2.0 * cos((k + 1) * M_PI / (n + 1)))) < 1e-13);
    }
}

// Companion matrix, column major, of the polynomial with the roots 1 .. 5 and 2 +- 3i.
static void general_eigenvalues(void **state)
{
    (void)state;
    static const double roots[7][2] = {{1, 0}, {2, 3}, {2, -3}, {2, 0}, {3, 0}, {4, 0}, {5, 0}};
    double p[8] = {1.0}, imaginary[7], real[7]; // leading coefficient first
    for (int i = 0, degree = 0; i < 7; i++) {
        if (roots[i][1] < 0.0)
            continue; // with its conjugate
        double q[8] = {0};
        if (roots[i][1] > 0.0) { // (z - r)^2 + s^2
            const double linear = -2.0 * roots[i][0];
            const double constant = roots[i][0] * roots[i][0] + roots[i][1] * roots[i][1];
            for (int k = 0; k <= degree; k++)
                q[k] += p[k], q[k + 1] += linear * p[k], q[k + 2] += constant * p[k];
            degree += 2;
        } else {
            for (int k = 0; k <= degree; k++)
                q[k] += p[k], q[k + 1] -= roots[i][0] * p[k];
            degree++;
        }
        memcpy(p, q, sizeof p);
    }
    memset(a, 0, sizeof a);
    for (int i = 0; i < 7; i++) {
        a[i * 7] = -p[i + 1]; // row 0
        if (i < 6)
            a[i * 7 + i + 1] = 1.0; // below the diagonal
    }
    assert_true(dense_eigenvalues(7, a, real, imaginary));
    for (int i = 0; i < 7; i++) {
        double best = INFINITY;
        for (int k = 0; k < 7; k++)
            best = fmin(best, hypot(real[k] - roots[i][0], imaginary[k] - roots[i][1]));
        assert_true(best < 1e-9); // the roots of a polynomial are sensitive
    }
}

// Sum and product of all eigenvalues are trace and determinant; a turned plane has e^(+-i angle).
static void general_eigenvalues_of_random(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    for (int s = 0; s < SIZE_COUNT; s++) {
        const int n = sizes[s];
        double trace = 0.0, square = 0.0, sum = 0.0, sum_square = 0.0, imaginary_sum = 0.0;
        fill_random(&seed, n * n, a);
        for (int i = 0; i < n; i++) {
            trace += a[i * n + i];
            for (int j = 0; j < n; j++)
                square += a[i * n + j] * a[j * n + i]; // trace of A^2
        }
        assert_true(dense_eigenvalues(n, a, x, y));
        for (int k = 0; k < n; k++) {
            sum += x[k];
            imaginary_sum += y[k];
            sum_square += x[k] * x[k] - y[k] * y[k];
        }
        assert_true(fabs(sum - trace) < 1e-13 * n * n);
        assert_true(fabs(imaginary_sum) < 1e-13 * n);
        assert_true(fabs(sum_square - square) < 1e-13 * n * n);
    }
    double turn[4] = {cos(0.7), sin(0.7), -sin(0.7), cos(0.7)};
    assert_true(dense_eigenvalues(2, turn, x, y));
    for (int k = 0; k < 2; k++)
        assert_true(fabs(x[k] - cos(0.7)) < 1e-15 && fabs(fabs(y[k]) - sin(0.7)) < 1e-15);
    assert_true(y[0] * y[1] < 0.0);
}

static void solve_random(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int s = 0; s < SIZE_COUNT; s++) {
        const int n = sizes[s];
        fill_random(&seed, n * n, a);
        for (int i = 0; i < n; i++)
            a[i * n + (i + 1) % n] += 4.0; // well conditioned, and in need of pivots
        fill_random(&seed, n, x);
        for (int i = 0; i < n; i++) {
            y[i] = 0.0;
            for (int j = 0; j < n; j++)
                y[i] += a[j * n + i] * x[j];
        }
        assert_true(dense_solve(n, a, y));
        for (int i = 0; i < n; i++)
            assert_true(fabs(y[i] - x[i]) < 1e-12 * n);
    }
}

static void solve_by_hand(void **state)
{
    (void)state;
    double m[4] = {0.0, 2.0, 3.0, 4.0}, b[2] = {6.0, 10.0}; // columns: 3 y = 6, 2 x + 4 y = 10
    assert_true(dense_solve(2, m, b));
    assert_true(b[0] == 1.0 && b[1] == 2.0);
}

static void singular_is_said(void **state)
{
    (void)state;
    double zero[1] = {0.0}, rows[4] = {1.0, 2.0, 2.0, 4.0}, b[2] = {1.0, 1.0};
    assert_false(dense_solve(1, zero, b));
    assert_false(dense_solve(2, rows, b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_eigen_of_random),
        cmocka_unit_test(symmetric_eigen_of_a_chain),
        cmocka_unit_test(general_eigenvalues),
        cmocka_unit_test(general_eigenvalues_of_random),
        cmocka_unit_test(solve_random),
        cmocka_unit_test(solve_by_hand),
        cmocka_unit_test(singular_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
