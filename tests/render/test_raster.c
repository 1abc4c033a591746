// test_raster.c - triangles to samples: areas, edges, depth, what reaches behind the eye.
#include "render/raster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

enum { W = 96, H = 80 };

typedef struct drawn {
    float value[5][RASTER_SAMPLES][RASTER_ROWS][W];
    uint32_t number[5][RASTER_SAMPLES][RASTER_ROWS][W];
} drawn;

static drawn *draw(raster *r)
{
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    assert_int_equal(raster_band_count(r), 5);
    assert_true(raster_sort(r));
    for (int band = 0; band < 5; band++)
        raster_band(r, band, RASTER_SAMPLES, &d->value[band][0][0][0], &d->number[band][0][0][0]);
    return d;
}

static int count(const drawn *d, uint32_t number)
{
    int n = 0;
    const uint32_t *at = &d->number[0][0][0][0];
    for (size_t k = 0; k < sizeof d->number / sizeof *at; k++)
        n += at[k] == number;
    return n;
}

static raster_corner at(double x, double y, double w)
{
    return (raster_corner){x * w, y * w, w, 0.0};
}

static void area(void **state)
{
    (void)state;
    raster r = {.width = W, .height = H, .limit = 10.0};
    const raster_corner c[3] = {at(10.3, 5.2, 1), at(80.1, 20.7, 1), at(30.9, 70.4, 1)};
    raster_add(&r, c, false, 0.1, 0.0, 0, 0);
    drawn *d = draw(&r);
    const double half = 0.5 * fabs((80.1 - 10.3) * (70.4 - 5.2) - (30.9 - 10.3) * (20.7 - 5.2));
    assert_true(fabs(count(d, 1) - RASTER_SAMPLES * half) < 0.01 * RASTER_SAMPLES * half);
    free(d);
    raster_free(&r);
}

// A fan of triangles covers its square without a hole, whatever the angles of its edges.
static void no_gaps(void **state)
{
    (void)state;
    const double corner[5][2] = {{8, 8}, {88, 8}, {88, 72}, {8, 72}, {8, 8}};
    for (int k = 0; k < 20; k++) {
        raster r = {.width = W, .height = H, .limit = 10.0};
        const double x = 20.0 + 2.618 * k, y = 30.0 + 1.237 * k;
        for (int i = 0; i < 4; i++) {
            const raster_corner c[3] = {at(x, y, 1.0 + 0.3 * k), at(corner[i][0], corner[i][1], 2),
                                        at(corner[i + 1][0], corner[i + 1][1], 2)};
            raster_add(&r, c, false, 0.1, 0.0, 0, i);
        }
        drawn *d = draw(&r);
        int covered = 0;
        for (uint32_t i = 1; i <= 4; i++)
            covered += count(d, i);
        assert_int_equal(covered, RASTER_SAMPLES * 80 * 64);
        free(d);
        raster_free(&r);
    }
}

static void the_nearer_one(void **state)
{
    (void)state;
    raster r = {.width = W, .height = H, .limit = 10.0};
    const raster_corner far[3] = {at(0, 0, 9), at(90, 0, 9), at(0, 70, 9)};
    const raster_corner near[3] = {at(5, 5, 2), at(30, 5, 2), at(5, 30, 2)};
    raster_add(&r, near, false, 0.1, 0.0, 0, 0);
    raster_add(&r, far, false, 0.1, 0.0, 1, 0);
    drawn *d = draw(&r);
    assert_int_equal(d->number[0][0][8][8], 1);
    assert_true(fabsf(d->value[0][0][8][8] - 0.5f) < 1e-6f); // 1 / w
    assert_int_equal(d->number[2][0][0][4], 2);
    free(d);
    raster_free(&r);
    // Drawn in front although it is farther away.
    r = (raster){.width = W, .height = H, .limit = 10.0};
    raster_add(&r, far, false, 0.1, 1e3, 0, 0);
    raster_add(&r, near, false, 0.1, 0.0, 1, 0);
    d = draw(&r);
    assert_int_equal(d->number[0][0][8][8], 1);
    free(d);
    raster_free(&r);
}

// A plane that runs under the eye and behind it: what is in front is drawn, with the right depth.
static void behind_the_eye(void **state)
{
    (void)state;
    raster r = {.width = W, .height = H, .limit = 1.0 / 0.05};
    // The ground 1 m below the eye, px = W/2 + 50 x/z, py = H/2 + 50/z: corners ahead and behind.
    const double ground[3][2] = {{-200, 400}, {200, 400}, {0, -300}}; // x, z
    raster_corner c[3];
    for (int i = 0; i < 3; i++)
        c[i] = (raster_corner){0.5 * W * ground[i][1] + 50.0 * ground[i][0],
                               0.5 * H * ground[i][1] + 50.0, ground[i][1], 0.0};
    raster_add(&r, c, false, 0.05, 0.0, 0, 0);
    drawn *d = draw(&r);
    for (int y = 44; y < H; y += 5) {
        const int band = y / RASTER_ROWS, row = y % RASTER_ROWS;
        assert_int_equal(d->number[band][0][row][48], 1);
        const double py = y + (double)raster_sample[0][1];
        assert_true(fabs((double)d->value[band][0][row][48] - (py - 0.5 * H) / 50.0) < 1e-5);
    }
    assert_int_equal(d->number[1][0][2][48], 0); // the sky
    free(d);
    raster_free(&r);
}

static void shares(void **state)
{
    (void)state;
    raster r = {.width = W, .height = H, .limit = 10.0};
    const raster_corner c[3] = {at(10, 10, 1), at(90, 10, 4), at(10, 70, 1)};
    raster_add(&r, c, false, 0.1, 0.0, 0, 0);
    float b[3];
    raster_shares(&r.item[0], 10, 10, b);
    assert_true(fabsf(b[0] - 1.0f) < 1e-6f && fabsf(b[1]) < 1e-6f);
    // In the middle of an edge in the picture the share of the farther corner is smaller: by 1 / w.
    raster_shares(&r.item[0], 50, 10, b);
    assert_true(fabsf(b[0] - 0.8f) < 1e-6f && fabsf(b[1] - 0.2f) < 1e-6f);
    raster_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(area), cmocka_unit_test(no_gaps),
                                       cmocka_unit_test(the_nearer_one),
                                       cmocka_unit_test(behind_the_eye), cmocka_unit_test(shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
