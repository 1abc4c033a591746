// test_cut_in.c - the response to a car that cuts in: comfortable, harder where speeds need it, as
// hard as possible where the braking bound asks for it, never harder than the law without need.
#include "control/cut_in.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

static const cut_in usual = {.law = -6.6,
                             .braking = 2.0,
                             .safe = 3.0,
                             .gap = 20.0,
                             .distance = 4.0,
                             .v = 25.0,
                             .v_front = 25.0,
                             .a_front = 0.0};

static double answer(const cut_in *now, bool expected)
{
    bool content;
    const double a = cut_in_acceleration(now, &content);
    assert_int_equal(content, expected);
    return a;
}

static void it_brakes_comfortably(void **unused)
{
    (void)unused;
    cut_in now = usual;
    assert_true(answer(&now, false) == -2.0);
    now.a_front = 1.5; // that the front car accelerates is not counted on
    assert_true(answer(&now, false) == -2.0);
    now.a_front = -1.5;
    assert_true(answer(&now, false) == -3.5);
    now.law = -1.0;
    assert_true(answer(&now, true) == -1.0);
    now.law = -3.5;
    assert_true(answer(&now, true) == -3.5);
}

// (v - v_front)^2/(2 (gap - distance)), of which the law may ask for less.
static void speeds_may_need_more(void **unused)
{
    (void)unused;
    cut_in now = usual;
    now.v_front = 13.0;
    assert_true(fabs(answer(&now, false) + 144.0 / 32.0) < 1e-12);
    now.law = -3.0;
    assert_true(answer(&now, true) == -3.0);
    now.law = -9.0;
    now.gap = 4.0; // no room to match the speed: the law decides
    assert_true(answer(&now, true) == -9.0);
    now.v_front = 25.0;
    assert_true(answer(&now, false) == -2.0);
}

static void the_bound_holds(void **unused)
{
    (void)unused;
    cut_in now = usual;
    now.safe = -7.5;
    assert_true(answer(&now, false) == -7.5);
    now.law = 1.0;
    assert_true(answer(&now, true) == -7.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_brakes_comfortably),
        cmocka_unit_test(speeds_may_need_more),
        cmocka_unit_test(the_bound_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
