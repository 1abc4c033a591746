// test_ellipsoid.c - the gap of two ellipsoids against four kinds of truth.
//
// 1. Construction. Choose two shapes, a normal n and a number g: with c = v1 + v2 + g n the normal
//    n is a stationary point of value g. It is the answer if g >= 0 (the problem is concave) or if
//    -g is at most the sum of the smallest radii of curvature (Blaschke). A million pairs (series).
// 2. Duality. Two points of the bodies are at least the gap apart and a normal gives at most the
//    gap, so |point_2 - point_1| = n.(c2 - c1) - |A1'n| - |A2'n| proves both right. All separate
//    pairs.
// 3. The distance from the multipliers of the two surface constraints, in long double. All pairs
//    placed at random.
// 4. Looking everywhere: 768 normals, the best of them refined without derivatives. All pairs of
//    the million where the depth does not follow from construction, and those placed at random.
#include "ellipsoid_truth.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <time.h>

enum {
    PAIRS = 1000000,                       // of the series; make test takes a share
    PLACED_PAIRS = 100000,                 // the same
    SOME_PAIRS = SANITIZED ? 2000 : 50000, // for the smaller tests
    TIMED_PAIRS = 4096,
};

static double even[LOOKS][3]; // normals for looking everywhere, filled in main

enum measure {
    GAP_KNOWN,
    GAP_MULTIPLIERS,
    DEPTH_CONSTRUCTED,
    DEPTH_EVERYWHERE,
    GAP_OF_NORMAL,
    GAP_OF_POINTS,
    DISTANCE_OF_POINTS,
    SURFACE_1,
    SURFACE_2,
    UNIT_NORMAL,
    UPHILL,
    SWAPPED_GAP,
    SWAPPED_NORMAL,
    MEASURE_COUNT
};

static const struct {
    const char *text;
    double limit;
} measures[MEASURE_COUNT] = {
    [GAP_KNOWN] = {"m, error of the gap where construction gives it", 1e-9},
    [GAP_MULTIPLIERS] = {"m, difference from the distance by multipliers", 1e-9},
    [DEPTH_CONSTRUCTED] = {"-, depth over that of the construction, less 1", 0.05},
    [DEPTH_EVERYWHERE] = {"-, depth over the least one found by looking everywhere, less 1", 0.05},
    [GAP_OF_NORMAL] = {"m, gap against the supports along the normal", 1e-12},
    [GAP_OF_POINTS] = {"m, gap against the points seen along the normal", 1e-12},
    [DISTANCE_OF_POINTS] = {"m, gap against the distance of the points", 1e-9},
    [SURFACE_1] = {"m, point 1 off its surface", 1e-12},
    [SURFACE_2] = {"m, point 2 off its surface", 1e-12},
    [UNIT_NORMAL] = {"-, length of the normal less 1", 1e-14},
    [UPHILL] = {"m, gain from a normal 1e-5 rad aside", 1e-13},
    [SWAPPED_GAP] = {"m, change of the gap on swapping the two", 1e-13},
    [SWAPPED_NORMAL] = {"-, change of the normal on swapping the two", 1e-9},
};

typedef struct tally {
    int count[MEASURE_COUNT], worst_pair[MEASURE_COUNT], failures;
    double worst[MEASURE_COUNT];
} tally;

static void record(tally *t, enum measure m, int pair_index, double value)
{
    if (t->count[m]++ == 0 || !(value <= t->worst[m])) {
        t->worst[m] = value;
        t->worst_pair[m] = pair_index;
    }
    t->failures += !(value <= measures[m].limit); // also if it is not a number
}

static void report(const char *title, const tally *t)
{
    printf("%s\n", title);
    for (int m = 0; m < MEASURE_COUNT; m++)
        if (t->count[m] > 0)
            printf("  %8d times, worst %9.2e in pair %6d, limit %5.0e %s\n", t->count[m],
                   t->worst[m], t->worst_pair[m], measures[m].limit, measures[m].text);
    fflush(stdout);
    assert_int_equal(t->failures, 0);
}

// f at six normals 1e-5 rad around n, less f at n: not positive at a maximum.
static double uphill(const pair *p, const double n[3])
{
    double across[2][3];
    frame_across(n, across[0], across[1]);
    const real here[3] = {n[0], n[1], n[2]};
    const real f = gap_along(&p->e1, &p->e2, here);
    real gain = -LDBL_MAX;
    for (int k = 0; k < 6; k++) {
        static const double hexagon[6][2] = {{1.0, 0.0},  {0.5, 0.87},   {-0.5, 0.87},
                                             {-1.0, 0.0}, {-0.5, -0.87}, {0.5, -0.87}};
        real m[3];
        for (int i = 0; i < 3; i++)
            m[i] = n[i] + 1e-5L * (hexagon[k][0] * across[0][i] + hexagon[k][1] * across[1][i]);
        gain = fmaxl(gain, gap_along(&p->e1, &p->e2, m) - f);
    }
    return (double)gain;
}

// Everything a result promises of itself, without knowing the answer.
static void check_promises(const pair *p, int i, const ellipsoid_gap *r, tally *t)
{
    const real n[3] = {r->normal[0], r->normal[1], r->normal[2]};
    const real d[3] = {(real)r->point_2[0] - r->point_1[0], (real)r->point_2[1] - r->point_1[1],
                       (real)r->point_2[2] - r->point_1[2]};
    record(t, UNIT_NORMAL, i, (double)fabsl(sqrtl(dot(n, n)) - 1.0L));
    // moving 2 by the depth along n separates the two: the gap along n is then 0
    record(t, GAP_OF_NORMAL, i, (double)fabsl(gap_along(&p->e1, &p->e2, n) - r->gap));
    record(t, GAP_OF_POINTS, i, (double)fabsl(dot(n, d) - r->gap));
    record(t, SURFACE_1, i, off_surface(&p->e1, r->point_1, p->smallest_1));
    record(t, SURFACE_2, i, off_surface(&p->e2, r->point_2, p->smallest_2));
    if (r->gap > 0.0)
        record(t, DISTANCE_OF_POINTS, i, (double)fabsl(sqrtl(dot(d, d)) - r->gap));
    else
        record(t, UPHILL, i, uphill(p, r->normal));
}

static void check_construction(const pair *p, int i, const ellipsoid_gap *r, tally *t)
{
    if (gap_is_known(p))
        record(t, GAP_KNOWN, i, fabs(r->gap - p->gap));
    else
        record(t, DEPTH_CONSTRUCTED, i, r->gap / p->gap - 1.0);
}

// A warm start: the answer of a pair a little aside, turned by up to 0.1 rad. One in five is of no
// use at all: a random normal.
static void warm_normal(uint64_t *seed, const pair *p, int i, double normal[3])
{
    double aside[3];
    random_unit(seed, aside);
    if (i % 5 == 0) {
        memcpy(normal, aside, sizeof aside);
        return;
    }
    pair near = *p;
    for (int k = 0; k < 3; k++)
        near.e2.centre[k] += 0.05 * p->smallest_1 * random_between(seed, -1.0, 1.0);
    for (int k = 0; k < 9; k++)
        near.e1.axes[k] += 0.02 * p->smallest_1 * random_between(seed, -1.0, 1.0);
    ellipsoid_gap r = {0};
    ellipsoid_gap_find(&near.e1, &near.e2, 0, &r);
    const double angle = random_between(seed, 0.0, 0.1);
    for (int k = 0; k < 3; k++)
        normal[k] = r.normal[k] + angle * aside[k];
    unit3(normal);
}

static void a_million_pairs(void **state)
{
    (void)state;
    struct {
        uint64_t seed;
        tally cold, warm;
        int max_iterations;
    } k = {.seed = 1};
    series s = series_open("pairs", PAIRS, &k, sizeof k);
    for (long next; series_next(&s, &next);) {
        const int i = (int)next;
        pair p;
        random_pair(&k.seed, 20.0, &p);
        ellipsoid_gap from_cold = {0}, from_warm = {0};
        ellipsoid_gap_find(&p.e1, &p.e2, 0, &from_cold);
        warm_normal(&k.seed, &p, i, from_warm.normal);
        ellipsoid_gap_find(&p.e1, &p.e2, 1, &from_warm);
        check_promises(&p, i, &from_cold, &k.cold);
        check_promises(&p, i, &from_warm, &k.warm);
        check_construction(&p, i, &from_cold, &k.cold);
        check_construction(&p, i, &from_warm, &k.warm);
        if (!gap_is_known(&p)) {
            const double everywhere = gap_everywhere(&p, even);
            record(&k.cold, DEPTH_EVERYWHERE, i, from_cold.gap / everywhere - 1.0);
            record(&k.warm, DEPTH_EVERYWHERE, i, from_warm.gap / everywhere - 1.0);
        }
        if (from_cold.iterations > k.max_iterations)
            k.max_iterations = from_cold.iterations;
        if (from_warm.iterations > k.max_iterations)
            k.max_iterations = from_warm.iterations;
    }
    printf("%ld pairs, at most %d Newton steps\n", s.count, k.max_iterations);
    report("cold", &k.cold);
    report("warm", &k.warm);
    assert_true(k.cold.count[GAP_KNOWN] > s.count / 2);
    assert_true(k.cold.count[DEPTH_EVERYWHERE] > s.count / 200);
}

// Centres at random distances, from deep overlap to well apart; nothing is known beforehand.
static void pairs_placed_at_random(void **state)
{
    (void)state;
    struct {
        uint64_t seed;
        tally t;
    } kept = {.seed = 2};
    series s = series_open("placed pairs", PLACED_PAIRS, &kept, sizeof kept);
    for (long next; series_next(&s, &next);) {
        const int i = (int)next;
        pair p;
        random_shapes(&kept.seed, 20.0, &p);
        double direction[3];
        random_unit(&kept.seed, direction);
        const real n[3] = {direction[0], direction[1], direction[2]};
        const double touch = (double)(support(&p.e1, n) + support(&p.e2, n));
        const double distance = touch * random_between(&kept.seed, 0.0, 2.0);
        for (int k = 0; k < 3; k++)
            p.e2.centre[k] = p.e1.centre[k] + distance * direction[k];

        ellipsoid_gap r = {0};
        ellipsoid_gap_find(&p.e1, &p.e2, 0, &r);
        check_promises(&p, i, &r, &kept.t);
        const double everywhere = gap_everywhere(&p, even);
        if (everywhere > 1e-6)
            record(&kept.t, GAP_MULTIPLIERS, i, fabs(r.gap - multiplier_distance(&p)));
        else
            record(&kept.t, DEPTH_EVERYWHERE, i, r.gap / everywhere - 1.0);
    }
    report("placed at random", &kept.t);
    assert_true(kept.t.count[GAP_MULTIPLIERS] > s.count / 10);
    assert_true(kept.t.count[DEPTH_EVERYWHERE] > s.count / 10);
}

// One pair in four is of balls, discs and needles in deep overlap, where maxima compete.
static void swapping_flips_the_normal(void **state)
{
    (void)state;
    tally t = {0};
    uint64_t seed = 39; // has a pair whose best two maxima are within what the search leaves open
    for (int i = 0; i < SOME_PAIRS; i++) {
        pair p;
        random_pair(&seed, 20.0, &p);
        if (i % 4 == 0) {
            random_shape(&seed, 1.0, 20.0, true, &p.e1);
            random_shape(&seed, 1.0, 20.0, true, &p.e2);
            p.gap = random_between(&seed, -0.1, 0.0);
            place(&p);
        }
        ellipsoid_gap a = {0}, b = {0};
        warm_normal(&seed, &p, i, a.normal);
        for (int k = 0; k < 3; k++)
            b.normal[k] = -a.normal[k];
        ellipsoid_gap_find(&p.e1, &p.e2, i % 2, &a);
        ellipsoid_gap_find(&p.e2, &p.e1, i % 2, &b);
        const double sum[3] = {a.normal[0] + b.normal[0], a.normal[1] + b.normal[1],
                               a.normal[2] + b.normal[2]};
        record(&t, SWAPPED_GAP, i, fabs(a.gap - b.gap));
        record(&t, SWAPPED_NORMAL, i, vec3_norm(sum));
    }
    report("swapped", &t);
}

static void same_bits(const ellipsoid_gap *a, const ellipsoid_gap *b)
{
    assert_memory_equal(&a->gap, &b->gap, sizeof a->gap);
    assert_memory_equal(a->normal, b->normal, sizeof a->normal);
    assert_memory_equal(a->point_1, b->point_1, sizeof a->point_1);
    assert_memory_equal(a->point_2, b->point_2, sizeof a->point_2);
    assert_int_equal(a->iterations, b->iterations);
}

// Same arguments, same bits, whatever was computed before and whatever the result held.
static void a_pure_function(void **state)
{
    (void)state;
    uint64_t seed = 4;
    static pair p[100];
    static ellipsoid_gap first[100];
    for (int i = 0; i < 100; i++) {
        random_pair(&seed, 20.0, &p[i]);
        ellipsoid_gap_find(&p[i].e1, &p[i].e2, 0, &first[i]);
    }
    for (int i = 99; i >= 0; i--) {
        const double useless[4] = {NAN, INFINITY, 0.0, 1e300};
        for (int k = 0; k < 4; k++) {
            ellipsoid_gap again = {.gap = NAN, .iterations = -7};
            again.normal[0] = again.normal[1] = again.normal[2] = useless[k];
            ellipsoid_gap_find(&p[i].e1, &p[i].e2, 1, &again); // an unusable start is no start
            same_bits(&first[i], &again);
            ellipsoid_gap_find(&p[i].e1, &p[i].e2, 0, &again);
            same_bits(&first[i], &again);
        }
    }
}

static void scale_pair(pair *p, double scale)
{
    for (int i = 0; i < 9; i++)
        p->e1.axes[i] *= scale, p->e2.axes[i] *= scale;
    for (int i = 0; i < 3; i++)
        p->e1.centre[i] *= scale, p->e2.centre[i] *= scale;
    p->gap *= scale, p->smallest_1 *= scale, p->smallest_2 *= scale;
    p->curvature_1 *= scale, p->curvature_2 *= scale;
}

// There is no length hidden in the algorithm: a power of two scales every bit, and a thousandth or
// a thousandfold keeps the relative error.
static void any_scale(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < SOME_PAIRS; i++) {
        pair p;
        random_pair(&seed, 20.0, &p);
        ellipsoid_gap r = {0}, scaled = {0};
        ellipsoid_gap_find(&p.e1, &p.e2, 0, &r);
        static const double scales[4] = {1024.0, 1.0 / 1024.0, 1e3, 1e-3};
        for (int k = 0; k < 4; k++) {
            pair q = p;
            scale_pair(&q, scales[k]);
            ellipsoid_gap_find(&q.e1, &q.e2, 0, &scaled);
            if (k < 2)
                assert_true(scaled.gap == r.gap * scales[k]);
            else if (gap_is_known(&p)) // the centres, about 50 m, carry the rounding
                assert_true(fabs(scaled.gap - q.gap) <= 1e-12 * scales[k]);
        }
    }
}

static void sphere(double x, double y, double z, double radius, ellipsoid *e)
{
    *e = (ellipsoid){{x, y, z}, {radius, 0, 0, 0, radius, 0, 0, 0, radius}};
}

static void spheres(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 1000; i++) {
        ellipsoid a, b;
        ellipsoid_gap r = {0};
        double u[3];
        random_unit(&seed, u);
        const double r1 = random_between(&seed, 0.1, 2.0), r2 = random_between(&seed, 0.1, 2.0);
        // nearly concentric, overlapping, touching, apart, very far
        const double distances[6] = {1e-9, 0.3 * (r1 + r2), r1 + r2, 3.0 * (r1 + r2), 1e4, 1e8};
        for (int k = 0; k < 6; k++) {
            const double d = distances[k];
            sphere(0, 0, 0, r1, &a);
            sphere(d * u[0], d * u[1], d * u[2], r2, &b);
            ellipsoid_gap_find(&a, &b, 0, &r);
            assert_true(fabs(r.gap - (d - r1 - r2)) <= 1e-15 * (d + r1 + r2));
            for (int j = 0; j < 3; j++)
                assert_true(fabs(r.normal[j] - u[j]) <= 1e-6); // 1e-9 m of offset: 1e-7 rad
        }
        ellipsoid_gap_find(&a, &a, 0, &r); // identical
        assert_true(fabs(r.gap + 2.0 * r1) <= 1e-15 * r1);
        assert_true(fabs(vec3_norm(r.normal) - 1.0) <= 1e-15);
    }
}

static void check_special(const ellipsoid *a, const ellipsoid *b, double gap, double tolerance)
{
    for (int order = 0; order < 2; order++) {
        ellipsoid_gap r = {0};
        ellipsoid_gap_find(order ? b : a, order ? a : b, 0, &r);
        if (!(fabs(r.gap - gap) <= tolerance))
            printf("gap %.17g instead of %.17g\n", r.gap, gap);
        assert_true(fabs(r.gap - gap) <= tolerance);
        assert_true(fabs(vec3_norm(r.normal) - 1.0) <= 1e-14);
    }
}

// Concentric ellipsoids with common axes: s1 + s2 is concave in the squares of the components of n,
// so it is least on an axis: depth = min (a_i + b_i). Balls, discs and needles among them.
static void concentric(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        double rotation[9], depth = DBL_MAX;
        random_rotation(&seed, rotation);
        if (i % 4 == 0)
            memcpy(rotation, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof rotation);
        ellipsoid a = {{1.0, 2.0, 3.0}, {0}}, b = {{1.0, 2.0, 3.0}, {0}};
        for (int k = 0; k < 3; k++) {
            const bool extreme = i % 3 == 0;
            const double x = random_between(&seed, 0.0, 1.0), y = random_between(&seed, 0.0, 1.0);
            const double a_k = pow(20.0, extreme ? -(double)(x < 0.5) : -x);
            const double b_k = i % 5 == 0 ? a_k : pow(20.0, extreme ? -(double)(y < 0.5) : -y);
            depth = fmin(depth, a_k + b_k);
            for (int j = 0; j < 3; j++) {
                a.axes[3 * j + k] = a_k * rotation[3 * j + k];
                b.axes[3 * j + k] = b_k * rotation[3 * j + k];
            }
        }
        // a second axis may be almost as good: the search leaves 1 % open
        check_special(&a, &b, -depth, 0.01 * depth);
    }
}

// Common planes of symmetry and the centres on a common axis: the centre line is a stationary
// normal, be it a maximum, a saddle or a minimum, and any better normal has a mirror image.
static void on_an_axis_of_symmetry(void **state)
{
    (void)state;
    uint64_t seed = 10;
    for (int i = 0; i < SOME_PAIRS / 10; i++) {
        pair p = {.smallest_1 = 0.05, .smallest_2 = 0.05};
        for (int j = 0; j < 3; j++) {
            const double x = random_between(&seed, 0.0, 1.0), y = random_between(&seed, 0.0, 1.0);
            const bool extreme = i % 2 == 0;
            p.e1.axes[4 * j] = pow(20.0, extreme ? -(double)(x < 0.5) : -x);
            p.e2.axes[4 * j] =
                i % 6 < 2 ? p.e1.axes[4 * j] : pow(20.0, extreme ? -(double)(y < 0.5) : -y);
        }
        const double touch = p.e1.axes[0] + p.e2.axes[0];
        p.e2.centre[0] = touch * random_between(&seed, 0.0, 1.2);
        if (p.e2.centre[0] >= touch)
            check_special(&p.e1, &p.e2, p.e2.centre[0] - touch, 1e-15);
        ellipsoid_gap r = {0};
        ellipsoid_gap_find(&p.e1, &p.e2, 0, &r);
        const double everywhere = gap_everywhere(&p, even);
        assert_true(r.gap >= everywhere - 0.05 * fabs(everywhere) - 1e-15);
        assert_true(uphill(&p, r.normal) <= 1e-13);
    }
}

// Gaps of a hair's breadth on either side of 0, ten kilometres, and shapes of 200 to 1.
static void tangent_far_and_slender(void **state)
{
    (void)state;
    static const double gaps[6] = {0.0, 1e-9, -1e-9, 1e-4, -1e-4, 1e4};
    tally t = {0};
    uint64_t seed = 8;
    for (int i = 0; i < SOME_PAIRS; i++) {
        pair p;
        random_shapes(&seed, i % 2 == 0 ? 20.0 : 200.0, &p);
        random_normal(&seed, &p, p.normal);
        p.gap = gaps[i / 2 % 6];
        if (!gap_is_known(&p))
            p.gap = -p.gap;
        place(&p);
        ellipsoid_gap r = {0};
        ellipsoid_gap_find(&p.e1, &p.e2, 0, &r);
        record(&t, GAP_KNOWN, i, fabs(r.gap - p.gap));
        if (r.gap > 0.0) {
            const double d[3] = {r.point_2[0] - r.point_1[0], r.point_2[1] - r.point_1[1],
                                 r.point_2[2] - r.point_1[2]};
            record(&t, DISTANCE_OF_POINTS, i, fabs(vec3_norm(d) - r.gap));
        }
    }
    report("tangent, far and slender", &t);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The shortest of several rounds over all pairs; prints seconds and Newton steps a pair.
static double time_pairs(const char *title, const pair *p, double (*normal)[3])
{
    double best = DBL_MAX, steps = 0.0;
    for (int round = 0; round < (SANITIZED ? 1 : 15); round++) {
        const double start = now();
        steps = 0.0;
        for (int i = 0; i < TIMED_PAIRS; i++) {
            ellipsoid_gap r;
            if (normal)
                memcpy(r.normal, normal[i], sizeof r.normal);
            ellipsoid_gap_find(&p[i].e1, &p[i].e2, normal != NULL, &r);
            steps += r.iterations;
        }
        best = fmin(best, (now() - start) / TIMED_PAIRS);
    }
    printf("%-44s %6.0f ns, %.2f Newton steps a pair\n", title, 1e9 * best, steps / TIMED_PAIRS);
    return best;
}

static void fast_enough(void **state)
{
    (void)state;
    static pair p[TIMED_PAIRS], deep[TIMED_PAIRS], cars[TIMED_PAIRS];
    static double turned[TIMED_PAIRS][3], near[TIMED_PAIRS][3], useless[TIMED_PAIRS][3];
    uint64_t seed = 9;
    for (int i = 0; i < TIMED_PAIRS; i++) {
        random_pair(&seed, 20.0, &p[i]);
        do
            random_pair(&seed, 20.0, &deep[i]);
        while (gap_is_known(&deep[i]));
        random_pair(&seed, 3.0, &cars[i]);
        warm_normal(&seed, &p[i], 1, turned[i]);
        random_unit(&seed, useless[i]);
        for (int k = 0; k < 3; k++)
            near[i][k] = cars[i].normal[k] + 0.01 * useless[i][k];
    }
    const double cold = time_pairs("cold, aspect up to 20", p, NULL);
    const double warm = time_pairs("warm, up to 0.1 rad aside", p, turned);
    time_pairs("warm, a random normal", p, useless);
    time_pairs("cold, aspect up to 3", cars, NULL);
    time_pairs("warm, aspect up to 3, 0.01 rad aside", cars, near);
    time_pairs("cold, all too deep for the simple proof", deep, NULL);
#if defined(__OPTIMIZE__) && !SANITIZED
    assert_true(cold < 3e-6 && warm < 3e-6); // about 0.4 and 0.3 us where this was written
#else
    (void)cold, (void)warm;
#endif
}

int main(void)
{
    for (int i = 0; i < LOOKS; i++)
        spiral_point(i, LOOKS, even[i]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_pairs),
        cmocka_unit_test(pairs_placed_at_random),
        cmocka_unit_test(swapping_flips_the_normal),
        cmocka_unit_test(a_pure_function),
        cmocka_unit_test(any_scale),
        cmocka_unit_test(spheres),
        cmocka_unit_test(concentric),
        cmocka_unit_test(on_an_axis_of_symmetry),
        cmocka_unit_test(tangent_far_and_slender),
        cmocka_unit_test(fast_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
