// test_vec3.c - 3-vectors and 3x3 matrices: by hand, and by the identities that tie them together.
#include "num/vec3.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void fill_random(unsigned long long *seed, int n, double *m)
{
    for (int i = 0; i < n; i++)
        m[i] = sample_uniform(seed, -2.0, 2.0);
}

static void near(const double *got, const double *want, int n, double tolerance)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance))
            fail_msg("[%d] is %.17g instead of %.17g", i, got[i], want[i]);
}

static void by_hand(void **state)
{
    (void)state;
    const double a[3] = {1, 2, 3}, b[3] = {4, -5, 6};
    const double m[9] = {1, 2, 3, 0, 1, 4, 5, 6, 0};
    double out[3], product[9];
    assert_true(vec3_dot(a, b) == 12.0);
    assert_true(vec3_norm((double[3]){2, 3, 6}) == 7.0);
    vec3_cross(a, b, out);
    near(out, (double[3]){27, 6, -13}, 3, 0.0);
    mat3_mul_vec(m, a, out);
    near(out, (double[3]){14, 14, 17}, 3, 0.0);
    mat3_tmul_vec(m, a, out);
    near(out, (double[3]){16, 22, 11}, 3, 0.0);
    mat3_mul(m, m, product);
    near(product, (double[9]){16, 22, 11, 20, 25, 4, 5, 16, 39}, 9, 0.0);
    assert_true(mat3_det(m) == 1.0);
    mat3_solve(m, (double[3]){14, 14, 17}, out);
    near(out, a, 3, 1e-13);
}

static void identities(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int trial = 0; trial < 10000; trial++) {
        double a[3], b[3], c[3], d[3], p[9], q[9], pq[9], left[3], right[3];
        fill_random(&seed, 3, a), fill_random(&seed, 3, b), fill_random(&seed, 3, c);
        fill_random(&seed, 9, p), fill_random(&seed, 9, q);
        // a x b is at right angles to both, and |a x b|^2 = |a|^2 |b|^2 - (a.b)^2
        vec3_cross(a, b, d);
        assert_true(fabs(vec3_dot(a, d)) < 1e-13 && fabs(vec3_dot(b, d)) < 1e-13);
        const double cosine = vec3_dot(a, b);
        assert_true(fabs(vec3_dot(d, d) - vec3_dot(a, a) * vec3_dot(b, b) + cosine * cosine) <
                    1e-12);
        // det is the triple product of the rows
        const double rows[9] = {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]};
        assert_true(fabs(mat3_det(rows) - vec3_dot(c, d)) < 1e-13);
        // (p q) a = p (q a),  det(p q) = det p det q,  b.(p a) = a.(p' b)
        mat3_mul(p, q, pq);
        mat3_mul_vec(pq, a, left);
        mat3_mul_vec(q, a, d);
        mat3_mul_vec(p, d, right);
        near(left, right, 3, 1e-12);
        assert_true(fabs(mat3_det(pq) - mat3_det(p) * mat3_det(q)) < 1e-11);
        mat3_mul_vec(p, a, left);
        mat3_tmul_vec(p, b, right);
        assert_true(fabs(vec3_dot(b, left) - vec3_dot(a, right)) < 1e-13);
        // p x = p a gives a back
        if (fabs(mat3_det(p)) > 0.1) {
            mat3_solve(p, left, right);
            near(right, a, 3, 1e-11);
        }
    }
}

// Where the comments allow it, out may be an argument.
static void in_place(void **state)
{
    (void)state;
    double a[3] = {1, 2, 3}, b[3] = {4, -5, 6}, x[3] = {14, 14, 17};
    const double m[9] = {1, 2, 3, 0, 1, 4, 5, 6, 0};
    vec3_cross(a, b, a);
    near(a, (double[3]){27, 6, -13}, 3, 0.0);
    mat3_solve(m, x, x);
    near(x, (double[3]){1, 2, 3}, 3, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(identities),
        cmocka_unit_test(in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
