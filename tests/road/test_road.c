// test_road.c - slope, friction and height along a road; what is rejected.
#include "road/road.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const road_stretch hills[] = {{100.0, 400.0, 0.05, 50.0},
                                     {400.0, 500.0, -0.3, 50.0}, // touches the one before, no flat
                                     {600.0, 900.0, 0.9, 20.0}};
static const road_stretch ice[] = {{-50.0, 50.0, 0.2, 10.0}};

static road make(arena *memory)
{
    road r;
    mc_error error;
    assert_int_equal(road_make(memory, 3, 3.4, hills, 3, ice, 1, &r, &error), MC_OK);
    return r;
}

static void slopes(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road r = make(&memory);
    assert_false(road_is_level(&r));
    assert_true(road_slope(&r, -1e4) == 0.0 && road_slope(&r, 1e4) == 0.0);
    assert_true(fabs(road_slope(&r, 125.0) - 0.025) < 1e-15);
    assert_true(fabs(road_slope(&r, 200.0) - 0.05) < 1e-15);
    assert_true(fabs(road_slope(&r, 400.0)) < 1e-15);
    assert_true(fabs(road_slope(&r, 450.0) + 0.3) < 1e-15);
    assert_true(fabs(road_friction(&r, 0.0) - 0.2) < 1e-15);
    assert_true(fabs(road_friction(&r, 45.0) - 0.6) < 1e-12);
    assert_true(road_friction(&r, 60.0) == 1.0);
    // Nothing jumps, and the piece changes exactly where the slope bends.
    for (double x = -200.0; x < 1000.0; x += 0.25) {
        assert_true(fabs(road_slope(&r, x + 1e-6) - road_slope(&r, x)) < 1e-6);
        if (road_line_piece(&r.slope, x) == road_line_piece(&r.slope, x + 0.5)) {
            const double bend =
                road_slope(&r, x) + road_slope(&r, x + 0.5) - 2.0 * road_slope(&r, x + 0.25);
            assert_true(fabs(bend) < 1e-14);
        }
    }
    arena_free(&memory);
}

// The height is the integral of sin(slope): Simpson's rule over fine pieces as the judge.
static void heights(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road r = make(&memory);
    assert_true(road_height(&r, 0.0) == 0.0);
    double sum = 0.0;
    const double h = 0.125;
    for (double x = 0.0; x < 1000.0; x += h) {
        sum += h / 6.0 *
               (sin(road_slope(&r, x)) + 4.0 * sin(road_slope(&r, x + 0.5 * h)) +
                sin(road_slope(&r, x + h)));
        assert_true(fabs(road_height(&r, x + h) - sum) < 1e-9);
    }
    assert_true(sum > 200.0); // up 0.9 rad for 260 m
    arena_free(&memory);
}

static void level(void **unused)
{
    (void)unused;
    arena memory = {0};
    road r;
    mc_error error;
    assert_int_equal(road_make(&memory, 2, 3.5, NULL, 0, NULL, 0, &r, &error), MC_OK);
    assert_true(road_is_level(&r) && road_is_level(NULL));
    assert_true(road_slope(&r, 3.0) == 0.0 && road_slope(NULL, 3.0) == 0.0);
    assert_true(road_friction(&r, 3.0) == 1.0 && road_friction(NULL, 3.0) == 1.0);
    assert_true(road_height(&r, 3.0) == 0.0 && road_height(NULL, 3.0) == 0.0);
    assert_true(road_lane_y(&r, 1) == -3.5);
    assert_int_equal(road_lane_at(&r, -3.0), 1);
    assert_int_equal(road_lane_at(&r, 9.0), 0);
    assert_int_equal(road_lane_at(&r, -99.0), 1);
    arena_free(&memory);
}

// The public question: what the library's own functions say, and where the lanes end.
static void points(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road r = make(&memory);
    for (double x = -200.0; x < 1000.0; x += 7.3) {
        mc_road_point p;
        mc_road_at(&r, x, -3.0, x - 1.0, &p);
        assert_true(p.station == x && p.offset == -3.0 && p.heading == 0.0 && p.curvature == 0.0);
        assert_true(p.grade == road_slope(&r, x) && p.bank == 0.0);
        assert_true(p.height == road_height(&r, x) && p.friction == road_friction(&r, x));
        assert_true(p.normal[0] == -sin(p.grade) && p.normal[2] == cos(p.grade) && p.lane == 1);
        mc_road_point other;
        mc_road_at(&r, x + 1e-3, -3.0, NAN, &other); // along the surface, so across the normal
        const double rise = other.height - p.height, way = 1e-3 * cos(p.grade);
        assert_true(fabs(p.normal[0] * way + p.normal[2] * rise) < 1e-7);
    }
    static const struct {
        double y;
        int lane;
    } lanes[] = {{1.6, 0}, {1.8, -1}, {-1.6, 0}, {-1.8, 1}, {-8.4, 2}, {-8.6, -1}, {NAN, -1}};
    for (size_t k = 0; k < sizeof lanes / sizeof lanes[0]; k++) {
        mc_road_point p;
        mc_road_at(&r, 10.0, lanes[k].y, NAN, &p);
        assert_int_equal(p.lane, lanes[k].lane);
    }
    mc_road_point p;
    mc_road_at(NULL, 50.0, 2.0, NAN, &p);
    assert_true(p.station == 50.0 && p.offset == 2.0 && p.grade == 0.0 && p.height == 0.0);
    assert_true(p.normal[2] == 1.0 && p.friction == 1.0 && p.lane == -1);
    arena_free(&memory);
}

static void rejected(void **unused)
{
    (void)unused;
    static const struct {
        road_stretch s[2];
        int count;
        bool friction;
        const char *says;
    } bad[] = {
        {{{0, 100, 0.1, 10}, {50, 200, 0.1, 10}}, 2, false, "overlap"},
        {{{100, 200, 0.1, 10}, {0, 50, 0.1, 10}}, 2, false, "sort them"},
        {{{100, 100, 0.1, 10}}, 1, false, "end after its start"},
        {{{100, 50, 0.1, 10}}, 1, false, "end after its start"},
        {{{0, 100, 0.1, 51}}, 1, false, "half the stretch"},
        {{{0, 100, 0.1, 0}}, 1, false, "above 0"},
        {{{0, 100, 0.1, -5}}, 1, false, "above 0"},
        {{{0, 100, 1.0472, 10}}, 1, false, "60"},
        {{{0, 100, -1.2, 10}}, 1, false, "60"},
        {{{0, 100, NAN, 10}}, 1, false, "finite"},
        {{{0, INFINITY, 0.1, 10}}, 1, false, "finite"},
        {{{0, 100, 0.0, 10}}, 1, true, "above 0"},
        {{{0, 100, -0.5, 10}}, 1, true, "above 0"},
        {{{0, 100, 0.5, 10}, {90, 200, 0.5, 10}}, 2, true, "friction 2"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        arena memory = {0};
        road r;
        mc_error error;
        const mc_status status =
            bad[k].friction
                ? road_make(&memory, 1, 3.4, NULL, 0, bad[k].s, bad[k].count, &r, &error)
                : road_make(&memory, 1, 3.4, bad[k].s, bad[k].count, NULL, 0, &r, &error);
        assert_int_equal(status, MC_BAD_INPUT);
        if (!strstr(error.text, bad[k].says))
            fail_msg("\"%s\" does not say \"%s\"", error.text, bad[k].says);
        arena_free(&memory);
    }
    arena memory = {0};
    road r;
    mc_error error;
    assert_int_equal(road_make(&memory, 0, 3.4, NULL, 0, NULL, 0, &r, &error), MC_BAD_INPUT);
    assert_int_equal(road_make(&memory, 1, 0.0, NULL, 0, NULL, 0, &r, &error), MC_BAD_INPUT);
    arena_free(&memory);
}

// Left and right of the divide, over the seam, and along the transition.
static void sides(void **unused)
{
    (void)unused;
    static const road_stretch wet[] = {{0, 100, 0.8, 10}, {200, 300, 0.5, 10}};
    static const road_side of[] = {{0.3, -1.0, 0.4}, {NAN, 0.0, 0.1}};
    arena memory = {0};
    road r;
    mc_error error;
    assert_int_equal(road_make(&memory, 1, 3.4, NULL, 0, wet, 2, &r, &error), MC_OK);
    assert_false(road_is_relief(&r));
    assert_int_equal(road_set_sides(&memory, wet, of, 2, &r, &error), MC_OK);
    assert_true(road_is_relief(&r));
    static const double at[][3] = {{50, 0, 0.8},   {50, -0.8, 0.8},   {50, -2, 0.3},
                                   {50, -1, 0.55}, {50, -1.1, 0.425}, {5, 3, 0.9},
                                   {5, -3, 0.65},  {-5, -3, 1.0},     {150, -3, 1.0},
                                   {250, -3, 0.5}, {250, 3, 0.5}};
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        mc_road_point p;
        mc_road_at(&r, at[k][0], at[k][1], NAN, &p);
        assert_true(fabs(p.friction - at[k][2]) < 1e-12);
    }
    static const road_side bad[][2] = {{{0.0, 0.0, 0.1}, {NAN, 0.0, 0.1}},
                                       {{0.3, NAN, 0.1}, {NAN, 0.0, 0.1}},
                                       {{0.3, 0.0, 0.0}, {NAN, 0.0, 0.1}}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_int_equal(road_set_sides(&memory, wet, bad[k], 2, &r, &error), MC_BAD_INPUT);
        assert_non_null(strstr(error.text, "friction 1"));
    }
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slopes), cmocka_unit_test(heights),
                                       cmocka_unit_test(level),  cmocka_unit_test(points),
                                       cmocka_unit_test(sides),  cmocka_unit_test(rejected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
