// test_ellipsoid_field.c - the deepest point of one surface in the field of the other ellipsoid.
//
// The truth is found by looking everywhere: points even on the surface, the best few refined
// without derivatives. Balls, closed forms and the degenerate cases of symmetry come on top.
#include "contact/ellipsoid_field.h"
#include "ellipsoid_truth.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <time.h>

enum {
    PAIRS = 250000, // of the series; make test takes a share
    TIMED_PAIRS = 4096,
    TRIED = 6, // of the best points, refined
};

static double even[LOOKS][3]; // points of the unit sphere, filled in main

// |A^-1 (x - c)|^2 - 1
static double field(const ellipsoid *e, const double point[3])
{
    real m[9], x[3], u[3];
    for (int i = 0; i < 9; i++)
        m[i] = e->axes[i];
    for (int i = 0; i < 3; i++)
        x[i] = (real)point[i] - e->centre[i];
    solve3(m, x, u);
    return (double)(dot(u, u) - 1.0L);
}

// Minus the field of 2 at the point of surface 1 that is the image of u.
static double minus_field(const void *context, const double u[3])
{
    const pair *p = context;
    double unit[3] = {u[0], u[1], u[2]}, point[3];
    unit3(unit);
    mat3_mul_vec(p->e1.axes, unit, point);
    for (int i = 0; i < 3; i++)
        point[i] += p->e1.centre[i] - p->e2.centre[i];
    mat3_solve(p->e2.axes, point, point);
    return 1.0 - vec3_dot(point, point);
}

static double min_field(const pair *p)
{
    double value[LOOKS], min = DBL_MAX;
    for (int i = 0; i < LOOKS; i++)
        value[i] = minus_field(p, even[i]);
    for (int k = 0; k < TRIED; k++) {
        int best = 0;
        for (int i = 1; i < LOOKS; i++)
            if (value[i] > value[best])
                best = i;
        min = fmin(min, -refine(minus_field, p, even[best], 0.05));
        value[best] = -DBL_MAX;
    }
    return min;
}

// Sine of the angle between the gradient of the field of 2, A^-T A^-1 (x - c), and the normal of 1.
static double gradient_aside(const pair *p, const double point[3], const double normal[3])
{
    real m[9], transposed[9], x[3], u[3], gradient[3];
    for (int i = 0; i < 9; i++)
        m[i] = p->e2.axes[i], transposed[i] = p->e2.axes[i % 3 * 3 + i / 3];
    for (int i = 0; i < 3; i++)
        x[i] = (real)point[i] - p->e2.centre[i];
    solve3(m, x, u);
    solve3(transposed, u, gradient);
    const real n[3] = {normal[0], normal[1], normal[2]};
    const real along = dot(gradient, n);
    real aside[3];
    for (int i = 0; i < 3; i++)
        aside[i] = gradient[i] - along * n[i];
    return (double)sqrtl(dot(aside, aside) / dot(gradient, gradient));
}

// On the surface, the normal is the surface's own, and no point found elsewhere is deeper.
// The refinement stops about 1e-12 short of the exact value.
static void check(const pair *p, double min)
{
    double point[3], normal[3];
    ellipsoid_field_deepest(&p->e1, &p->e2, point, normal);
    assert_true(off_surface(&p->e1, point, p->smallest_1) <= 1e-12);
    assert_true(fabs(vec3_norm(normal) - 1.0) <= 1e-14);
    const real n[3] = {normal[0], normal[1], normal[2]};
    real reach = 0.0L;
    for (int i = 0; i < 3; i++)
        reach += n[i] * ((real)point[i] - p->e1.centre[i]);
    // a point of the surface reaches as far as the support along its own normal only
    assert_true(fabsl(reach - support(&p->e1, n)) <= 1e-12L);

    assert_true(gradient_aside(p, point, normal) <= 2e-8); // 50 m away, rounding costs 4e-9
    const double value = field(&p->e2, point);
    if (!(value <= min + 1e-9 * (min + 1.0) + 1e-12))
        printf("field %.17g, elsewhere %.17g\n", value, min);
    assert_true(value <= min + 1e-9 * (min + 1.0) + 1e-12);
    assert_true(value >= min - 1e-3 * (min + 1.0) - 1e-9); // or the look around was no good
}

static void deepest_of_random_pairs(void **state)
{
    (void)state;
    struct {
        uint64_t seed;
        long inside;
    } k = {.seed = 1};
    series s = series_open("field pairs", PAIRS, &k, sizeof k);
    for (long i; series_next(&s, &i);) {
        pair p;
        random_pair(&k.seed, 20.0, &p);
        if (i % 2 == 0) { // also deeper than that, up to one inside the other
            p.gap = random_between(&k.seed, -1.0, 0.0) * (p.smallest_1 + p.smallest_2);
            place(&p);
        }
        const double min = min_field(&p);
        k.inside += min < 0.0;
        check(&p, min);
    }
    printf("%ld of %ld pairs overlap\n", k.inside, s.count);
    assert_true(k.inside > s.count / 4 && k.inside < s.count);
}

// Common planes of symmetry, the centres on a common axis or the same: the secular equation loses
// terms, and the deepest point may lie off the axis with a mirror image.
static void symmetric_pairs(void **state)
{
    (void)state;
    uint64_t seed = 2;
    series s = series_open("symmetric pairs", PAIRS, &seed, sizeof seed);
    for (long i; series_next(&s, &i);) {
        pair p = {0};
        for (int k = 0; k < 3; k++) {
            const double x = random_between(&seed, 0.0, 1.0), y = random_between(&seed, 0.0, 1.0);
            const bool extreme = i % 2 == 0;
            p.e1.axes[4 * k] = pow(20.0, extreme ? -(double)(x < 0.5) : -x);
            p.e2.axes[4 * k] =
                i % 6 < 2 ? p.e1.axes[4 * k] : pow(20.0, extreme ? -(double)(y < 0.5) : -y);
        }
        p.smallest_1 = 0.05;
        p.e2.centre[0] = i % 5 == 0 ? 0.0 : random_between(&seed, -1.0, 1.0);
        if (i % 7 == 0)
            p.e2.centre[1] = random_between(&seed, -1.0, 1.0) * 1e-15; // all but symmetric
        check(&p, min_field(&p));
    }
}

// Concentric with common axes: the field is least on the axis with the smallest ratio.
static void concentric_pair(void **state)
{
    (void)state;
    const ellipsoid a = {{1, 2, 3}, {2, 0, 0, 0, 1, 0, 0, 0, 1.5}};
    const ellipsoid b = {{1, 2, 3}, {1, 0, 0, 0, 2, 0, 0, 0, 1.5}};
    double point[3], normal[3];
    ellipsoid_field_deepest(&a, &b, point, normal);
    assert_true(point[0] == 1 && point[2] == 3 && fabs(fabs(point[1] - 2.0) - 1.0) <= 1e-15);
    assert_true(normal[1] == point[1] - 2.0);
    ellipsoid_field_deepest(&b, &a, point, normal);
    assert_true(point[1] == 2 && point[2] == 3 && fabs(fabs(point[0] - 1.0) - 1.0) <= 1e-15);
}

static void spheres(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        const double r1 = random_between(&seed, 0.1, 2.0), r2 = random_between(&seed, 0.1, 2.0);
        const double distance = random_between(&seed, 0.01, 10.0);
        double u[3], point[3], normal[3];
        random_unit(&seed, u);
        const ellipsoid a = {{0}, {r1, 0, 0, 0, r1, 0, 0, 0, r1}};
        const ellipsoid b = {{distance * u[0], distance * u[1], distance * u[2]},
                             {r2, 0, 0, 0, r2, 0, 0, 0, r2}};
        ellipsoid_field_deepest(&a, &b, point, normal);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(point[k] - r1 * u[k]) <= 1e-14 * r1);
            assert_true(fabs(normal[k] - u[k]) <= 1e-14);
        }
        ellipsoid_field_deepest(&a, &a, point, normal); // identical: any point, but a point
        assert_true(fabs(vec3_norm(point) - r1) <= 1e-14 * r1);
    }
}

// As the overlap goes to zero the two kinds of contact points come together, in proportion to it.
static void agrees_with_the_gap_as_overlap_vanishes(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < 1000; i++) {
        pair p;
        do
            random_shapes(&seed, 3.0, &p);
        while (p.smallest_1 < 0.3 || p.smallest_2 < 0.3);
        random_normal(&seed, &p, p.normal);
        double apart[2];
        for (int k = 0; k < 2; k++) {
            p.gap = k == 0 ? -1e-3 : -1e-6;
            place(&p);
            ellipsoid_gap r = {0};
            ellipsoid_gap_find(&p.e1, &p.e2, 0, &r);
            double t1[3], normal[3];
            ellipsoid_field_deepest(&p.e1, &p.e2, t1, normal);
            const double d[3] = {t1[0] - r.point_1[0], t1[1] - r.point_1[1], t1[2] - r.point_1[2]};
            apart[k] = vec3_norm(d);
        }
        assert_true(apart[0] <= 0.05);
        assert_true(apart[1] <= 2e-3 * apart[0] + 1e-12);
    }
}

static void same_bits_each_time(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 100; i++) {
        pair p;
        random_pair(&seed, 20.0, &p);
        double first[6], again[6], other[6];
        ellipsoid_field_deepest(&p.e1, &p.e2, first, first + 3);
        ellipsoid_field_deepest(&p.e2, &p.e1, other, other + 3);
        ellipsoid_field_deepest(&p.e1, &p.e2, again, again + 3);
        assert_memory_equal(first, again, sizeof first);
        assert_memory_not_equal(first, other, sizeof first);
    }
}

static void fast_enough(void **state)
{
    (void)state;
    static pair p[TIMED_PAIRS];
    uint64_t seed = 6;
    for (int i = 0; i < TIMED_PAIRS; i++)
        random_pair(&seed, 20.0, &p[i]);
    double best = DBL_MAX, sum = 0.0;
    for (int round = 0; round < (SANITIZED ? 1 : 15); round++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (int i = 0; i < TIMED_PAIRS; i++) {
            double point[3], normal[3];
            ellipsoid_field_deepest(&p[i].e1, &p[i].e2, point, normal);
            sum += normal[0];
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        best = fmin(best, (double)(end.tv_sec - start.tv_sec) +
                              1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    }
    best /= TIMED_PAIRS;
    printf("%.0f ns per point\n", 1e9 * best);
    assert_true(isfinite(sum));
#if defined(__OPTIMIZE__) && !SANITIZED
    assert_true(best < 5e-6); // about 0.5 us where this was written
#endif
}

int main(void)
{
    for (int i = 0; i < LOOKS; i++)
        spiral_point(i, LOOKS, even[i]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deepest_of_random_pairs),
        cmocka_unit_test(symmetric_pairs),
        cmocka_unit_test(concentric_pair),
        cmocka_unit_test(spheres),
        cmocka_unit_test(agrees_with_the_gap_as_overlap_vanishes),
        cmocka_unit_test(same_bits_each_time),
        cmocka_unit_test(fast_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
