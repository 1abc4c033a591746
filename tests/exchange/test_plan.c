// test_plan.c - speeds over time and the instants at which they meet conditions, against closed
// forms.
#include "exchange/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static arena memory;

static int tear_down(void **unused)
{
    (void)unused;
    arena_free(&memory);
    return 0;
}

// From 10 m/s with 2 m/s^2 to 20 m/s: s = 10 t + t^2 for 5 s.
static void uniform_acceleration(void **unused)
{
    (void)unused;
    plan p;
    assert_true(plan_start(&memory, &p, 100.0, 10.0));
    assert_true(plan_change(&memory, &p, 3.0, 20.0, 5.0, PLAN_LINEAR));
    NEAR(plan_place(&p, 3.0), 130.0, 1e-12);
    NEAR(plan_place(&p, 5.0), 130.0 + 20.0 + 4.0, 1e-12);
    NEAR(plan_speed(&p, 5.0), 14.0, 1e-12);
    NEAR(plan_place(&p, 18.0), 130.0 + 75.0 + 200.0, 1e-12);
    // 54 m after the start of the change: 10 t + t^2 = 54.
    const plan_sum there = {.a = &p, .constant = 184.0, .place_a = -1.0};
    NEAR(plan_first(&there, 0.0), 3.0 + sqrt(79.0) - 5.0, 1e-11);
    const plan_sum fast = {.a = &p, .constant = 17.0, .speed_a = -1.0};
    NEAR(plan_first(&fast, 0.0), 6.5, 1e-11);
    const plan_sum never = {.a = &p, .constant = 21.0, .speed_a = -1.0};
    assert_true(plan_first(&never, 0.0) == HUGE_VAL);
    // A change that replaces what was planned.
    assert_true(plan_change(&memory, &p, 4.0, 0.0, 6.0, PLAN_LINEAR));
    NEAR(plan_place(&p, 100.0), 130.0 + 11.0 + 36.0, 1e-11);
}

// A faster car: the distance falls below a value, and the headway, and the time to collision.
static void two_cars(void **unused)
{
    (void)unused;
    plan a, b;
    assert_true(plan_start(&memory, &a, 0.0, 25.0) && plan_start(&memory, &b, 120.0, 15.0));
    const plan_sum distance = {
        .a = &b, .b = &a, .constant = -60.0, .place_a = 1.0, .place_b = -1.0};
    NEAR(plan_first(&distance, 0.0), 6.0, 1e-11);
    NEAR(plan_first(&distance, 8.0), 8.0, 0.0);
    const plan_sum headway = {.a = &b, .b = &a, .place_a = 1.0, .place_b = -1.0, .speed_b = -2.0};
    NEAR(plan_first(&headway, 0.0), 7.0, 1e-11);
    const plan_sum collision = {
        .a = &b, .b = &a, .place_a = 1.0, .place_b = -1.0, .speed_a = 4.0, .speed_b = -4.0};
    NEAR(plan_first(&collision, 0.0), 8.0, 1e-11);
}

// Smooth shapes end where their means say, and keep the rate that they are made for.
static void shapes(void **unused)
{
    (void)unused;
    for (int shape = PLAN_LINEAR; shape <= PLAN_SINE; shape++) {
        plan p;
        const double duration = plan_duration_by_rate(12.0, 3.0, (plan_shape)shape);
        assert_true(plan_start(&memory, &p, 0.0, 8.0));
        assert_true(plan_change(&memory, &p, 0.0, 20.0, duration, (plan_shape)shape));
        NEAR(plan_place(&p, duration), 14.0 * duration, 1e-9);
        double steepest = 0.0;
        for (int k = 1; k < p.count; k++)
            steepest = fmax(steepest, (p.v[k] - p.v[k - 1]) / (p.t[k] - p.t[k - 1]));
        assert_true(steepest <= 3.0 * (1.0 + 1e-9) && steepest > 2.9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(uniform_acceleration, tear_down),
        cmocka_unit_test_teardown(two_cars, tear_down),
        cmocka_unit_test_teardown(shapes, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
