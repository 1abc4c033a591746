// test_polyline.c - straights and arcs through points of known curves.
#include "exchange/polyline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static arena memory;

static int tear_down(void **unused)
{
    (void)unused;
    arena_free(&memory);
    return 0;
}

// 200 m straight, then a circle of 300 m for 1 rad.
static int curve(polyline_point *p, double step, double noise)
{
    int n = 0;
    for (double s = 0.0; s <= 500.0 + 1e-9; s += step, n++) {
        const double t = fmax(s - 200.0, 0.0) / 300.0;
        const double away = noise * sin(97.0 * n);
        p[n] =
            (polyline_point){fmin(s, 200.0) + 300.0 * sin(t) + away, 300.0 * (1.0 - cos(t)) - away};
    }
    return n;
}

static void circle(void **unused)
{
    (void)unused;
    polyline_point p[600];
    polyline_fit fit;
    const int n = curve(p, 5.0, 0.0);
    assert_true(polyline_follow(&memory, p, n, 20.0, NAN, NAN, &fit));
    assert_true(fit.error < 0.05 && fabs(fit.length - 500.0) < 0.2);
    // A short side between long ones leaves room for two thirds of the radius.
    assert_true(fit.curvature > 0.9 / 300.0 && fit.curvature < 1.55 / 300.0);
    // The pieces lead from the first point to the last one, with its heading; those shorter than
    // 1 mm are left out.
    const road_pose end = road_pieces_end(fit.start, fit.pieces, fit.count);
    assert_true(hypot(end.x - p[n - 1].x, end.y - p[n - 1].y) < 1e-3);
    assert_true(fabs(end.heading - 1.0) < 0.03); // of the last side, 5 or 10 m long
    assert_true(fit.pieces[0].k0 == 0.0 && fit.pieces[0].length > 150.0);
}

// Points that are rounded to centimetres must not make curves that cannot be driven on.
static void rounded(void **unused)
{
    (void)unused;
    polyline_point p[1200];
    polyline_fit fit;
    const int n = curve(p, 1.0, 0.01);
    assert_true(polyline_follow(&memory, p, n, 25.0, NAN, NAN, &fit));
    assert_true(fit.rough == 0.0 && fit.error < 0.2 && fit.curvature * 25.0 * 25.0 <= 3.0);
}

// A corner of two long sides becomes an arc that touches both.
static void corner(void **unused)
{
    (void)unused;
    const polyline_point p[] = {{0, 0}, {400, 0}, {800, 40}};
    polyline_fit fit;
    assert_true(polyline_follow(&memory, p, 3, 30.0, NAN, NAN, &fit));
    const double turn = atan2(40, 400), radius = 900.0, cut = radius * tan(0.5 * turn);
    assert_int_equal(fit.count, 3);
    assert_true(fabs(fit.pieces[1].k0 - 1.0 / radius) < 1e-12);
    assert_true(fabs(fit.pieces[0].length - (400.0 - cut)) < 1e-9);
    assert_true(fabs(fit.error - radius * (1.0 / cos(0.5 * turn) - 1.0)) < 1e-6);
}

// Given headings at the ends are met.
static void ends(void **unused)
{
    (void)unused;
    const polyline_point p[] = {{0, 0}, {100, 30}, {200, 80}};
    polyline_fit fit;
    assert_true(polyline_follow(&memory, p, 3, 15.0, 0.1, 0.6, &fit));
    const road_pose end = road_pieces_end(fit.start, fit.pieces, fit.count);
    assert_true(fabs(fit.start.heading - 0.1) < 1e-12 && fabs(end.heading - 0.6) < 1e-9);
    assert_false(polyline_follow(&memory, p, 1, 15.0, NAN, NAN, &fit));
}

static void shifted(void **unused)
{
    (void)unused;
    const polyline_point p[] = {{0, 0}, {100, 0}, {100, 100}};
    polyline_point q[3];
    polyline_shift(p, 3, -2.0, q); // to the right
    assert_true(fabs(q[0].y + 2.0) < 1e-12 && fabs(q[1].x - 102.0) < 1e-9);
    assert_true(fabs(q[1].y + 2.0) < 1e-9 && fabs(q[2].x - 102.0) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(circle, tear_down),
        cmocka_unit_test_teardown(rounded, tear_down),
        cmocka_unit_test_teardown(corner, tear_down),
        cmocka_unit_test_teardown(ends, tear_down),
        cmocka_unit_test_teardown(shifted, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
