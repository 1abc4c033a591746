// test_sky.c - light: conversions, exposure, haze, the environment.
#include "render/sky.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

static bool near(float a, float b, float tolerance)
{
    return fabsf(a - b) <= tolerance;
}

static void srgb(void **state)
{
    (void)state;
    for (int k = 0; k <= 255; k++) {
        const float v = (float)k / 255.0f;
        assert_true(near(sky_to_srgb(sky_to_linear(v)), v, 1e-5f));
    }
    assert_true(near(sky_to_linear(0.5f), 0.21404f, 1e-4f)); // IEC 61966-2-1
}

// Brighter light is shown brighter, black is black, and nothing leaves the screen's range.
static void develop(void **state)
{
    (void)state;
    const sky s = {.exposure = 0.95f};
    float before = -1.0f;
    for (int k = 0; k < 60; k++) {
        const float v = 0.001f * powf(1.25f, (float)k);
        const vec c = sky_develop(&s, (vec){v, v, v});
        assert_true(c.x >= before - 1e-4f && c.x >= 0.0f && c.x <= 1.0f);
        assert_true(near(c.x, c.y, 0.02f) && near(c.y, c.z, 0.02f)); // grey stays grey
        before = c.x;
    }
    assert_true(before > 0.98f);
    assert_true(sky_develop(&s, (vec){0, 0, 0}).x < 0.02f);
}

static void by_day_and_in_the_evening(void **state)
{
    (void)state;
    arena a = {0};
    sky day, evening;
    assert_true(sky_make(&a, "day", 0.0f, &day));
    assert_true(sky_make(&a, "evening", 0.0f, &evening));
    assert_true(near(vec_length(day.sun), 1.0f, 1e-5f));
    const vec up = {0, 0, 1}, side = {1, 0, 0}, down = {0, 0, -1};
    assert_true(sky_shown(&day, up).z > sky_shown(&day, up).x + 0.1f); // blue
    assert_true(sky_shown(&day, up).x > 2.0f * sky_shown(&evening, up).x);
    // The haze is what the sky is at the horizon: no edge between them.
    const vec horizon = sky_shown(&day, side), far = sky_haze(&day, (vec){0, 0, 0}, 1e5f);
    assert_true(near(horizon.x, far.x, 0.02f) && near(horizon.z, far.z, 0.02f));
    assert_true(near(sky_haze(&day, (vec){0.3f, 0.2f, 0.1f}, 0.0f).x, 0.3f, 1e-6f));
    // Light from above is stronger than from below, and rougher surfaces see a mean of it.
    assert_true(sky_light(&day, up, 1.0f).y > sky_light(&day, down, 1.0f).y);
    const float mean = sky_light(&day, side, 1.0f).y;
    assert_true(mean > sky_light(&day, down, 0.3f).y * 0.8f && mean < 1.2f);
    // A picture that is turned in the plan has the sun where it was in the plan.
    sky turned;
    assert_true(sky_make(&a, "day", 1.0f, &turned));
    const vec s = turned.sun;
    assert_true(near(cosf(1.0f) * s.x - sinf(1.0f) * s.y, day.sun.x, 1e-5f));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(srgb), cmocka_unit_test(develop),
                                       cmocka_unit_test(by_day_and_in_the_evening)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
