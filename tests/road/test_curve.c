// test_curve.c - a slope by a function: how well the pieces follow it, its height, its ends, and
// what is rejected.
#include "road/road.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double A = 3.0, K = 2.0 * 3.14159265358979323846 / 300.0; // m, rad/m

// z = A sin(K s): the slope is asin(A K cos(K s)).
static double wave_slope(double s)
{
    return asin(A * K * cos(K * s));
}

static mc_status wave(void *context, int n, const double *x, double *slope, double *rate,
                      mc_error *error)
{
    (void)context, (void)error;
    for (int i = 0; i < n; i++) {
        const double climb = A * K * cos(K * x[i]);
        slope[i] = asin(climb);
        rate[i] = -A * K * K * sin(K * x[i]) / sqrt(1.0 - climb * climb);
    }
    return MC_OK;
}

static road_curve follow(arena *memory, double from, double to, road_function *f)
{
    road_curve c;
    mc_error error;
    if (road_curve_make(memory, from, to, ROAD_CURVE_POINTS, f, NULL, &c, &error) != MC_OK)
        fail_msg("%s", error.text);
    return c;
}

static void smooth_functions_are_met(void **unused)
{
    (void)unused;
    arena memory = {0};
    const double from = -123.4, to = 2345.6;
    const road_curve c = follow(&memory, from, to, wave);
    double worst = 0.0, bend = 0.0;
    for (double s = from + 0.01; s < to - 0.01; s += 0.0371) {
        worst = fmax(worst, fabs(road_curve_slope(&c, s) - wave_slope(s)));
        const double h = 1e-3; // the derivative does not jump
        bend = fmax(bend, fabs(road_curve_slope(&c, s + h) - 2.0 * road_curve_slope(&c, s) +
                               road_curve_slope(&c, s - h)));
        assert_true(fabs(road_curve_height(&c, s) - A * sin(K * s)) <
                    ROAD_CURVE_ERROR * (to - from));
    }
    assert_true(worst <= 1.05 * ROAD_CURVE_ERROR && worst > 0.0);
    assert_true(bend < 1.1 * A * K * K * K * 1e-6);
    assert_true(c.count > (to - from) / ROAD_PIECE_MAX && c.count < 1500);
    // Constant beyond its ends, and the height continues in a straight line.
    assert_true(road_curve_slope(&c, from - 50.0) == c.points[0].value);
    assert_true(road_curve_slope(&c, to + 1e6) == c.points[c.count - 1].value);
    assert_true(fabs(road_curve_height(&c, from - 50.0) -
                     (c.points[0].height - 50.0 * sin(wave_slope(from)))) < 1e-9);
    assert_true(fabs(road_curve_height(&c, to + 100.0) -
                     (c.points[c.count - 1].height + 100.0 * sin(wave_slope(to)))) < 1e-9);
    arena_free(&memory);
}

// A road asks its curve; without one nothing is different.
static void a_road_takes_it(void **unused)
{
    (void)unused;
    arena memory = {0};
    road r;
    mc_error error;
    assert_int_equal(road_make(&memory, 2, 3.5, NULL, 0, NULL, 0, &r, &error), MC_OK);
    assert_true(road_is_level(&r));
    const road_curve c = follow(&memory, 0.0, 900.0, wave);
    road_set_curve(&r, &c);
    assert_false(road_is_level(&r));
    mc_road_point p;
    mc_road_at(&r, 375.0, -3.5, NAN, &p);
    assert_true(fabs(p.grade - wave_slope(375.0)) < 1e-8 && p.lane == 1);
    assert_true(fabs(p.height - A * sin(K * 375.0)) < 1e-5);
    assert_true(fabs(p.normal[0] + sin(p.grade)) < 1e-15);
    assert_true(road_height(&r, 0.0) == 0.0);
    arena_free(&memory);
}

// Every piece of x is found, the points themselves included, and x that is not a number does no
// harm.
static void pieces_cover_the_road(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road_curve c = follow(&memory, 0.0, 200.0, wave);
    for (int k = 0; k < c.count; k++) {
        road_cubic p;
        road_curve_piece(&c, c.points[k].x, &p);
        assert_true(p.from == c.points[k].x && p.at == c.points[k].x &&
                    p.value == c.points[k].value);
        road_curve_piece(&c, nextafter(c.points[k].x, -1e9), &p);
        assert_true(p.to == c.points[k].x);
        if (k > 0) // both pieces agree where they meet
            assert_true(fabs(p.value +
                             (c.points[k].x - p.at) *
                                 (p.rate + (c.points[k].x - p.at) *
                                               (p.bend + (c.points[k].x - p.at) * p.twist)) -
                             c.points[k].value) < 1e-14);
    }
    road_cubic p;
    road_curve_piece(&c, NAN, &p);
    assert_true(p.from == -HUGE_VAL);
    arena_free(&memory);
}

// |s - 100.3|/5000 up to 0.05: two kinks.
static mc_status kinked(void *context, int n, const double *x, double *slope, double *rate,
                        mc_error *error)
{
    (void)context, (void)error;
    for (int i = 0; i < n; i++) {
        const double d = x[i] - 100.3;
        slope[i] = fmin(fabs(d) / 5000.0, 0.05);
        rate[i] = slope[i] < 0.05 ? copysign(1.0 / 5000.0, d) : 0.0;
    }
    return MC_OK;
}

static void kinks_are_met_within_the_shortest_piece(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road_curve c = follow(&memory, 0.0, 1000.0, kinked);
    double near = 0.0, far = 0.0;
    for (double s = 0.0; s < 1000.0; s += 0.0037) {
        double slope, rate;
        kinked(NULL, 1, &s, &slope, &rate, NULL);
        const double off = fabs(road_curve_slope(&c, s) - slope);
        const bool kink = fabs(s - 100.3) < ROAD_PIECE_MIN || fabs(s - 350.3) < ROAD_PIECE_MIN;
        if (kink)
            near = fmax(near, off);
        else
            far = fmax(far, off);
    }
    assert_true(far <= ROAD_CURVE_ERROR);
    assert_true(near > 0.0 && near < 2.0 / 5000.0 * ROAD_PIECE_MIN);
    arena_free(&memory);
}

static mc_status step_up(void *context, int n, const double *x, double *slope, double *rate,
                         mc_error *error)
{
    (void)context, (void)error;
    for (int i = 0; i < n; i++) {
        slope[i] = x[i] < 77.7 ? 0.0 : 0.04;
        rate[i] = 0.0;
    }
    return MC_OK;
}

static void jumps_and_endless_roads_are_rejected(void **unused)
{
    (void)unused;
    arena memory = {0};
    road_curve c;
    mc_error error;
    assert_int_equal(
        road_curve_make(&memory, 0.0, 200.0, ROAD_CURVE_POINTS, step_up, NULL, &c, &error),
        MC_BAD_INPUT);
    assert_string_equal(error.text,
                        "the slope jumps at s = 77.7031 m, from 0 to 0.04 rad; expected one that "
                        "changes over a stretch of road, by spline or step with five arguments");
    assert_int_equal(c.count, 0);
    assert_int_equal(road_curve_make(&memory, -9e6, 9e6, ROAD_CURVE_POINTS, wave, NULL, &c, &error),
                     MC_BAD_INPUT);
    assert_string_equal(error.text, "the road is 18000000 m long; expected at most 799996 m");
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_functions_are_met),
        cmocka_unit_test(a_road_takes_it),
        cmocka_unit_test(pieces_cover_the_road),
        cmocka_unit_test(kinks_are_met_within_the_shortest_piece),
        cmocka_unit_test(jumps_and_endless_roads_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
