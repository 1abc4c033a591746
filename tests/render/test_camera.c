// test_camera.c - places to pixels and back.
#include "render/camera.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const float FOV = 0.6632251f; // 38 degrees

static void near(double value, double expected, double tolerance)
{
    assert_true(fabs(value - expected) <= tolerance);
}

// What is looked at is in the middle; left of it is left, above it is above.
static void sides(void **state)
{
    (void)state;
    const camera c = camera_look((vec){-10, 0, 2}, (vec){0, 0, 2}, FOV, 800, 600);
    double x, y;
    assert_true(camera_pixel(&c, (vec){0, 0, 2}, &x, &y));
    near(x, 400.0, 1e-3), near(y, 300.0, 1e-3);
    assert_true(camera_pixel(&c, (vec){0, 1, 2}, &x, &y)); // y is to the left
    assert_true(x < 399.0);
    near(y, 300.0, 1e-3);
    assert_true(camera_pixel(&c, (vec){0, 0, 3}, &x, &y));
    assert_true(y < 299.0);
    near(x, 400.0, 1e-3);
}

// The height of the picture is 2 d tan(fov / 2).
static void field_of_view(void **state)
{
    (void)state;
    const camera c = camera_look((vec){0, 0, 0}, (vec){1, 0, 0}, FOV, 800, 600);
    double x, y;
    assert_true(camera_pixel(&c, (vec){20, 0, 20 * tanf(0.5f * FOV)}, &x, &y));
    near(y, 0.0, 0.01);
    assert_false(camera_pixel(&c, (vec){-1, 0, 0}, &x, &y)); // behind
}

static void rays_meet_their_pixels(void **state)
{
    (void)state;
    const camera c = camera_look((vec){3, -7, 4}, (vec){-2, 5, 1}, FOV, 1440, 900);
    for (int k = 0; k < 5; k++) {
        const float px = 100.0f + 300.0f * (float)k, py = 850.0f - 190.0f * (float)k;
        const vec p = vec_along(c.eye, camera_ray(&c, px, py), 3.0f + (float)k);
        double x, y;
        assert_true(camera_pixel(&c, p, &x, &y));
        near(x, (double)px, 0.01), near(y, (double)py, 0.01);
        near(camera_project(&c, p).depth, 3.0 + k, 1e-4);
    }
}

static void straight_down(void **state)
{
    (void)state;
    const camera c = camera_look((vec){0, 0, 50}, (vec){0, 0, 0}, FOV, 800, 600);
    double x, y;
    assert_true(camera_pixel(&c, (vec){5, 0, 0}, &x, &y)); // x is up in the picture
    near(x, 400.0, 1e-3);
    assert_true(y < 299.0);
    near((double)vec_dot(c.right, c.up), 0.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sides), cmocka_unit_test(field_of_view),
                                       cmocka_unit_test(rays_meet_their_pixels),
                                       cmocka_unit_test(straight_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
