// test_mobil.c - room and advantage of lane changes: steady gaps of the model, the braking bound
// against a simulated stop, signs of the advantage.
#include "control/mobil.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static double p[LANE_CHANGE_PARAM_COUNT];

static int defaults(void **state)
{
    (void)state;
    for (int k = 0; k < LANE_CHANGE_PARAM_COUNT; k++)
        p[k] = lane_change_params[k].fallback;
    return 0;
}

static double gain_of(const mobil_car *car, const mobil_gap *from, const mobil_gap *into, int side)
{
    const mobil_stay stay = mobil_stay_in(car, from);
    return mobil_advantage(p, car, &stay, into, side);
}

// In equilibrium gap = (distance + headway v)/sqrt(1 - (v/v_set)^4).
static void steady_gap(void **state)
{
    (void)state;
    for (double v = 2.0; v < 29.0; v += 3.0) {
        const mobil_car car = {v, 30.0, 1.3, 4.0, 5.0};
        const double gap = (4.0 + 1.3 * v) / sqrt(1.0 - pow(v / 30.0, 4.0));
        assert_true(fabs(mobil_acceleration(&car, gap, v)) < 1e-12);
        assert_true(mobil_acceleration(&car, gap + 1.0, v) > 0.0);
        assert_true(mobil_acceleration(&car, gap, v - 1.0) < 0.0);
        assert_true(mobil_acceleration(&car, MOBIL_NO_CAR, 0.0) > 0.0);
    }
}

// Minimum gap of two cars of which the front one brakes at b now, the other after r.
static double stop(double gap, double v, double v_front, double b, double r)
{
    double lowest = gap;
    const double h = 1e-4;
    for (double t = 0.0; v > 0.0 || v_front > 0.0; t += h) {
        gap += h * (v_front - v);
        v_front = fmax(0.0, v_front - h * b);
        v = t >= r ? fmax(0.0, v - h * b) : v;
        lowest = fmin(lowest, gap);
    }
    return lowest;
}

// A gap that is just enough lets both stop; with 95 % of it they touch. (The model's own braking is
// made irrelevant by cars that want no distance.)
static void braking_bound(void **state)
{
    (void)state;
    srand(3);
    int met = 0;
    for (int k = 0; k < 200; k++) {
        const double v = 5.0 + 30.0 * rand() / RAND_MAX, front = v * rand() / RAND_MAX;
        const double needed = v * p[LANE_CHANGE_REACTION] +
                              (v * v - front * front) / (2.0 * p[LANE_CHANGE_SAFE_BRAKING]);
        const mobil_car car = {v, 1e3, 0.0, 0.0, 5.0};
        const mobil_gap enough = {needed + 0.01, front, MOBIL_NO_CAR, NULL};
        const mobil_gap less = {0.95 * needed, front, MOBIL_NO_CAR, NULL};
        assert_false(mobil_is_safe(p, &car, &less));
        met += mobil_is_safe(p, &car, &enough);
        assert_true(stop(needed + 0.01, v, front, p[LANE_CHANGE_SAFE_BRAKING],
                         p[LANE_CHANGE_REACTION]) >= 0.0);
        assert_true(stop(0.95 * needed, v, front, p[LANE_CHANGE_SAFE_BRAKING],
                         p[LANE_CHANGE_REACTION]) < 0.0);
        // The same for the follower.
        const mobil_car slow = {front, 1e3, 0.0, 0.0, 5.0};
        const mobil_gap behind = {MOBIL_NO_CAR, front, 0.95 * needed, &car};
        assert_false(mobil_is_safe(p, &slow, &behind));
    }
    assert_true(met > 100);
}

static void advantage(void **state)
{
    (void)state;
    const mobil_car car = {25.0, 33.0, 1.2, 3.0, 5.0}, behind = {25.0, 25.0, 1.2, 3.0, 5.0};
    const mobil_gap jam = {35.0, 20.0, MOBIL_NO_CAR, NULL};
    const mobil_gap open = {MOBIL_NO_CAR, 25.0, MOBIL_NO_CAR, NULL};
    const mobil_gap tight = {MOBIL_NO_CAR, 25.0, 15.0, &behind};
    assert_true(gain_of(&car, &jam, &open, -1) > 0.5);
    assert_true(gain_of(&car, &open, &jam, -1) < 0.0);
    // It costs the new follower; the more polite, the less it is worth.
    const double rude = gain_of(&car, &jam, &tight, -1);
    p[LANE_CHANGE_POLITENESS] = 1.0;
    assert_true(gain_of(&car, &jam, &tight, -1) < rude);
    p[LANE_CHANGE_POLITENESS] = 0.2;
    // Nothing to gain: only the rule to keep right moves it, and to the right.
    assert_true(gain_of(&car, &open, &open, 1) < 0.0);
    p[LANE_CHANGE_KEEP_RIGHT] = 0.5;
    assert_true(gain_of(&car, &open, &open, 1) > 0.0);
    assert_true(gain_of(&car, &open, &open, -1) < 0.0);
    p[LANE_CHANGE_KEEP_RIGHT] = 0.0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_gap),
        cmocka_unit_test(braking_bound),
        cmocka_unit_test(advantage),
    };
    return cmocka_run_group_tests(tests, defaults, NULL);
}
