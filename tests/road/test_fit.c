// test_fit.c - clothoids through other curves: exact ones are found again, cubics are met.
#include "road/fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The clothoid between the ends of a clothoid is that clothoid.
static void found_again(void **unused)
{
    (void)unused;
    static const road_piece pieces[] = {
        {100.0, 0.0, 0.01}, {50.0, -0.01, 0.02}, {30.0, 0.01, 0.01}, {200.0, 0.0, 0.0}};
    for (int k = 0; k < 4; k++) {
        const road_pose start = {10.0, -3.0, 2.5};
        const road_pose end = road_pieces_end(start, &pieces[k], 1);
        road_piece found;
        assert_true(road_fit_clothoid(start, end, &found));
        assert_true(fabs(found.length - pieces[k].length) < 1e-10);
        assert_true(fabs(found.k0 - pieces[k].k0) < 1e-12);
        assert_true(fabs(found.k1 - pieces[k].k1) < 1e-12);
    }
}

// Every place of the chain is within the stated error of the cubic, looked at between the cuts too.
static void cubics(void **unused)
{
    (void)unused;
    static const road_planar curves[] = {
        {{0.0, 100.0, 0.0, 0.0}, {0.0, 0.0, 40.0, -20.0}, 1.0},
        {{0.0, 1.0, 0.0, -1e-5}, {0.0, 0.1, 2e-3, 0.0}, 80.0},
        {{0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}, 50.0},
    };
    for (int k = 0; k < 3; k++) {
        road_piece pieces[ROAD_FIT_PIECES];
        int count;
        double heading, error;
        assert_true(road_fit_planar(&curves[k], pieces, &count, &heading, &error));
        assert_true(error <= ROAD_FIT_ERROR);
        road_pose at = {0.0, 0.0, heading};
        double worst = 0.0;
        for (int i = 0; i < count; i++) {
            for (double share = 0.05; share < 1.0; share += 0.1) {
                const road_piece part = {pieces[i].length * share, pieces[i].k0,
                                         pieces[i].k0 + share * (pieces[i].k1 - pieces[i].k0)};
                const road_pose p = road_pieces_end(at, &part, 1);
                double near = HUGE_VAL; // a search that knows nothing of derivatives
                double low = 0.0, high = curves[k].end, best = 0.0;
                for (int round = 0; round < 6; round++) {
                    const double step = (high - low) / 200.0;
                    for (int n = 0; n <= 200; n++) {
                        const double q = low + n * step, *u = curves[k].u, *v = curves[k].v;
                        const double x = u[0] + q * (u[1] + q * (u[2] + q * u[3]));
                        const double y = v[0] + q * (v[1] + q * (v[2] + q * v[3]));
                        if (hypot(x - p.x, y - p.y) < near) {
                            near = hypot(x - p.x, y - p.y);
                            best = q;
                        }
                    }
                    low = fmax(best - step, 0.0);
                    high = fmin(best + step, curves[k].end);
                }
                worst = fmax(worst, near);
            }
            at = road_pieces_end(at, &pieces[i], 1);
        }
        assert_true(worst < 2.0 * ROAD_FIT_ERROR);
    }
}

static void rejected(void **unused)
{
    (void)unused;
    const road_pose here = {0.0, 0.0, 0.0}, back = {10.0, 0.0, 3.0};
    road_piece piece;
    assert_false(road_fit_clothoid(here, here, &piece));
    assert_false(road_fit_clothoid(here, back, &piece));
    const road_planar cusp = {{0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}, 1.0};
    road_piece pieces[ROAD_FIT_PIECES];
    int count;
    double heading, error;
    assert_false(road_fit_planar(&(road_planar){{0}, {0}, 1.0}, pieces, &count, &heading, &error));
    (void)road_fit_planar(&cusp, pieces, &count, &heading, &error); // found or not, it ends
    assert_true(count <= ROAD_FIT_PIECES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_again),
        cmocka_unit_test(cubics),
        cmocka_unit_test(rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
