// test_broad.c - overlapping boxes against all pairs, and the cost as their number grows.
#include "contact/broad.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned long long seed_type;

static bool overlap(const broad_box *a, const broad_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1];
}

// Pairs in order of (a, b), none twice, none missing; returns how many.
static int check_all_pairs(broad *b, const broad_box *boxes, int count)
{
    const broad_pair *pairs;
    int pair_count, next = 0;
    mc_error error;
    assert_int_equal(broad_find(b, boxes, count, &pairs, &pair_count, &error), MC_OK);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (overlap(&boxes[i], &boxes[j])) {
                if (next >= pair_count || pairs[next].a != i || pairs[next].b != j)
                    fail_msg("pair (%d, %d) of %d boxes is missing or out of order", i, j, count);
                next++;
            }
    assert_int_equal(pair_count, next); // and no more
    return next;
}

static broad_box box_at(double x, double y, double length, double width)
{
    return (broad_box){{x, y}, {x + length, y + width}};
}

typedef enum layout { SCATTERED, LINE, PILE, HUGE_AND_TINY, POINTS, FAR_AWAY, LAYOUTS } layout;

static broad_box random_box(seed_type *seed, layout kind, int count)
{
    const double u = sample_uniform(seed, 0.0, 1.0), v = sample_uniform(seed, 0.0, 1.0);
    const double length = sample_uniform(seed, 1.0, 8.0), width = sample_uniform(seed, 1.0, 3.0);
    const double side = 4.0 * sqrt(count);
    switch (kind) {
    case SCATTERED:
        return box_at(side * (u - 0.5), side * (v - 0.5), length, width);
    case LINE: // a platoon: one lane, along y
        return box_at(-0.5 * width, 6.0 * count * u, width, length);
    case PILE: // all near the origin
        return box_at(u, v, length, width);
    case HUGE_AND_TINY: { // sizes over nine decades, most of them tiny
        const double size = pow(10.0, 3.0 - 9.0 * sqrt(sample_uniform(seed, 0.0, 1.0)));
        return box_at(1e2 * u, 1e2 * v, size, size * sample_uniform(seed, 0.01, 1.0));
    }
    case POINTS: // no extent, on a grid of integers: equal ones touch
        return box_at(floor(10.0 * u), floor(10.0 * v), 0.0, 0.0);
    case FAR_AWAY: // beyond what cells can be numbered
        return box_at(u < 0.5 ? -1e13 : 1e13 * u, v < 0.5 ? -1e16 : 10.0 * v, length, width);
    default:
        abort();
    }
}

static void against_all_pairs(void **state)
{
    (void)state;
    static const char *const names[] = {"scattered",     "line",   "pile",
                                        "huge and tiny", "points", "far away"};
    seed_type seed = 1;
    broad *b = broad_create();
    assert_non_null(b);
    static broad_box boxes[600];
    for (int kind = 0; kind < LAYOUTS; kind++) {
        int pairs = 0;
        for (int trial = 0; trial < 60; trial++) {
            const int count = trial < 20 ? trial : (int)(sample_random(&seed) % 600);
            for (int i = 0; i < count; i++)
                boxes[i] = random_box(&seed, (layout)kind, count);
            pairs += check_all_pairs(b, boxes, count);
        }
        printf("%s: %d pairs\n", names[kind], pairs);
        assert_true(pairs > 1000);
    }
    broad_destroy(b);
    broad_destroy(NULL);
}

// Boxes that only touch, at an edge or a corner, or share an edge with a cell, count.
static void touching_counts(void **state)
{
    (void)state;
    broad *b = broad_create();
    broad_box boxes[64];
    for (int i = 0; i < 64; i++) // a chessboard without gaps: 8 neighbours
        boxes[i] = box_at(i % 8, i / 8, 1.0, 1.0);
    assert_int_equal(check_all_pairs(b, boxes, 64), 2 * 7 * 8 + 2 * 7 * 7);
    for (int i = 0; i < 64; i++)
        boxes[i].high[0] = nextafter(boxes[i].high[0], -1.0); // columns apart by a hair
    assert_int_equal(check_all_pairs(b, boxes, 64), 7 * 8);
    for (int i = 0; i < 64; i++)
        boxes[i] = boxes[0]; // all the same
    assert_int_equal(check_all_pairs(b, boxes, 64), 64 * 63 / 2);
    broad_destroy(b);
}

static void few_boxes(void **state)
{
    (void)state;
    broad *b = broad_create();
    const broad_box two[] = {{{0, 0}, {2, 2}}, {{1, 1}, {3, 3}}};
    const broad_pair *pairs;
    int count = 7;
    assert_int_equal(broad_find(b, two, 2, &pairs, &count, NULL), MC_OK);
    assert_int_equal(count, 1);
    assert_true(pairs[0].a == 0 && pairs[0].b == 1);
    assert_int_equal(broad_find(b, two, 1, &pairs, &count, NULL), MC_OK);
    assert_int_equal(count, 0);
    assert_int_equal(broad_find(b, NULL, 0, &pairs, &count, NULL), MC_OK);
    assert_int_equal(count, 0);
    broad_destroy(b);
}

// A row of count cars of which one has lost its mind: its box covers the whole road and beyond.
// Time and memory must not follow the area it covers.
static void one_box_over_all(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    broad *b = broad_create();
    broad_box *boxes = malloc(COUNT * sizeof *boxes);
    assert_true(b && boxes);
    for (int i = 0; i < COUNT; i++)
        boxes[i] = box_at(10.0 * i, 0.0, 5.0, 2.0);
    boxes[COUNT / 2] = box_at(-1e6, -1e6, 3e6, 3e6);
    const broad_pair *pairs;
    int count;
    const clock_t start = clock();
    assert_int_equal(broad_find(b, boxes, COUNT, &pairs, &count, NULL), MC_OK);
    printf("one over all: %.2f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    assert_int_equal(count, COUNT - 1);
    for (int i = 0; i < count; i++)
        assert_true(i < COUNT / 2 ? pairs[i].a == i && pairs[i].b == COUNT / 2
                                  : pairs[i].a == COUNT / 2 && pairs[i].b == i + 1);
    free(boxes);
    broad_destroy(b);
}

// s of processor time a box, the best of a few.
static double cost(broad *b, int count, layout kind)
{
    seed_type seed = 2;
    broad_box *boxes = malloc((size_t)count * sizeof *boxes);
    assert_non_null(boxes);
    for (int i = 0; i < count; i++)
        boxes[i] = random_box(&seed, kind, count);
    double best = INFINITY;
    for (int round = 0; round < 4; round++) {
        const broad_pair *pairs;
        int pair_count;
        const clock_t start = clock();
        assert_int_equal(broad_find(b, boxes, count, &pairs, &pair_count, NULL), MC_OK);
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC / count);
        assert_true(pair_count > count / 10);
    }
    free(boxes);
    return best;
}

static void cost_grows_with_the_number(void **state)
{
    (void)state;
    broad *b = broad_create();
    for (int kind = SCATTERED; kind <= LINE; kind++) {
        const double few = cost(b, 10000, (layout)kind), many = cost(b, 100000, (layout)kind);
        printf("%s: %.0f ns a box of 10,000, %.0f of 100,000\n",
               kind == LINE ? "line" : "scattered", 1e9 * few, 1e9 * many);
        assert_true(many < 3.0 * few);
    }
    broad_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all_pairs), cmocka_unit_test(touching_counts),
        cmocka_unit_test(few_boxes),         cmocka_unit_test(cost_grows_with_the_number),
        cmocka_unit_test(one_box_over_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
