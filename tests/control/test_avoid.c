// test_avoid.c - the limit against the future it was made for, stepped in time.
#include "control/avoid.h"

#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

static void defaults(double *p)
{
    for (int i = 0; i < AVOID_PARAM_COUNT; i++)
        p[i] = avoid_params[i].fallback;
}

// Place after braking at b for the time t, never backwards.
static double braked(double v, double b, double t)
{
    const double until = fmin(t, v / b);
    return v * until - 0.5 * b * until * until;
}

// Least gap of the future that avoid.h describes, on a fine grid of times.
static double min_gap(const double *p, double gap, double v, double v_f, double b_f, double a)
{
    const double r = p[AVOID_REACTION], b = p[AVOID_BRAKE];
    // Time in which the car stands, if it stops within r.
    const double first = a < 0.0 && v + a * r < 0.0 ? v / -a : r;
    const double u = fmax(v + a * r, 0.0), end = r + fmax(u / b, v_f / b_f) + 0.1;
    double min = gap;
    for (int i = 0; i <= 4000; i++) {
        const double t = end * i / 4000.0, early = fmin(t, first);
        double x = v * early + 0.5 * a * early * early;
        if (t > r)
            x += braked(u, b, t - r);
        min = fmin(min, gap + braked(v_f, b_f, t) - x);
    }
    return min;
}

static void the_limit_is_just_safe(void **state)
{
    (void)state;
    unsigned long long seed = 11;
    int inner = 0, meets = 0;
    for (int i = 0; i < 3000; i++) {
        double p[AVOID_PARAM_COUNT];
        p[AVOID_BRAKE] = sample_uniform(&seed, 3.0, 9.0);
        p[AVOID_FRONT_BRAKE] = sample_uniform(&seed, 3.0, 9.0);
        p[AVOID_REACTION] = sample_uniform(&seed, 0.1, 1.0);
        p[AVOID_MARGIN] = sample_uniform(&seed, 0.0, 3.0);
        const double gap = p[AVOID_MARGIN] + sample_uniform(&seed, 0.5, 60.0);
        const double v = sample_uniform(&seed, 0.0, 35.0), v_f = sample_uniform(&seed, 0.0, 35.0);
        const double a_f = sample_uniform(&seed, -10.0, 2.0);
        const double b_f = fmax(p[AVOID_FRONT_BRAKE], -a_f);
        const double limit = avoid_limit(p, gap, v, v_f, a_f, 1e9);
        assert_true(limit >= -p[AVOID_BRAKE]);
        if (limit == -p[AVOID_BRAKE])
            continue; // nothing better can be done
        inner++;
        meets += b_f < p[AVOID_BRAKE];
        const double free_gap = gap - p[AVOID_MARGIN];
        assert_true(min_gap(p, free_gap, v, v_f, b_f, limit) > -1e-6);
        assert_true(min_gap(p, free_gap, v, v_f, b_f, limit + 0.05) < 0.0);
    }
    assert_true(inner > 1000 && meets > 200);
}

static void the_limit_is_continuous_and_monotone(void **state)
{
    (void)state;
    unsigned long long seed = 12;
    for (int i = 0; i < 300; i++) {
        double p[AVOID_PARAM_COUNT];
        defaults(p);
        p[AVOID_BRAKE] = sample_uniform(&seed, 4.0, 9.0);
        const double v = sample_uniform(&seed, 1.0, 35.0), v_f = sample_uniform(&seed, 1.0, 35.0);
        double before = avoid_limit(p, 1.5, v, v_f, 0.0, 5.0);
        for (int k = 1; k <= 2000; k++) {
            const double limit = avoid_limit(p, 1.5 + 0.02 * k, v, v_f, 0.0, 5.0);
            assert_true(limit >= before - 1e-12);
            assert_true(limit - before < 4.0); // steepest just before contact
            if (k > 200)
                assert_true(limit - before < 0.2);
            assert_true(avoid_limit(p, 1.5 + 0.02 * k, v + 0.1, v_f, 0.0, 5.0) <= limit + 1e-12);
            before = limit;
        }
    }
}

static void limits_hold(void **state)
{
    (void)state;
    double p[AVOID_PARAM_COUNT];
    defaults(p);
    assert_true(avoid_limit(p, 1e6, 30.0, 30.0, 0.0, 2.5) == 2.5); // no vehicle in front
    assert_true(avoid_limit(p, 500.0, 30.0, 0.0, 0.0, 2.5) == 2.5);
    assert_true(avoid_limit(p, 0.5, 30.0, 0.0, 0.0, 2.5) == -8.0); // too late: all the brake
    assert_true(avoid_limit(p, -1.0, 30.0, 30.0, 0.0, 2.5) == -8.0);
    // Both stand at the margin: no way to go.
    assert_true(fabs(avoid_limit(p, p[AVOID_MARGIN], 0.0, 0.0, 0.0, 2.5)) < 1e-12);
    // Steady driving at a headway of half a second is not limited.
    assert_true(avoid_limit(p, 1.0 + 0.5 * 25.0, 25.0, 25.0, 0.0, 2.5) == 2.5);
}

// A car that wants 2 m/s^2 always, under the limit, behind one that brakes as hard as it can.
static void a_driven_car_does_not_hit(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        double p[AVOID_PARAM_COUNT];
        defaults(p);
        p[AVOID_FRONT_BRAKE] = k % 2 ? 8.0 : 6.0;
        const double dt = 0.01, brake_at = 5.0 + 0.3 * k;
        double gap = 60.0, v = 20.0, v_f = 25.0, min = 60.0;
        for (int i = 0; i < 4000; i++) {
            const double a_f = i * dt > brake_at && v_f > 0.0 ? -p[AVOID_FRONT_BRAKE] : 0.0;
            const double a = avoid_limit(p, gap, v, v_f, a_f, 2.0);
            gap += (v_f - v) * dt;
            v = fmax(v + a * dt, 0.0);
            v_f = fmax(v_f + a_f * dt, 0.0);
            min = fmin(min, gap);
        }
        assert_true(min > 0.5 * p[AVOID_MARGIN]);
        assert_true(v == 0.0 || fabs(v - v_f) < 0.5);
    }
}

// A brake that acts late: with `delay` the car stays clear, without it, it hits.
static void a_late_brake_is_known(void **state)
{
    (void)state;
    enum { LATE = 50 }; // steps
    for (int known = 0; known < 2; known++) {
        double p[AVOID_PARAM_COUNT], asked[LATE] = {0};
        defaults(p);
        const double dt = 0.01;
        p[AVOID_DELAY] = known ? (LATE + 1) * dt : 0.0;
        double gap = 24.0, v = 30.0, v_f = 30.0, a = 0.0, last = 0.0, min = gap;
        for (int i = 0; i < 2000; i++) {
            double g = gap, own = v, front = v_f;
            avoid_ahead(p, fmax(a, last), -8.0, &g, &own, &front);
            double limit = avoid_limit(p, g, own, front, -8.0, 2.0);
            if (known)
                limit = fmin(limit, last + dt * p[AVOID_BRAKE] / p[AVOID_DELAY]);
            a = v > 0.0 ? asked[i % LATE] : 0.0;
            asked[i % LATE] = last = limit;
            gap += (v_f - v) * dt;
            v = fmax(v + a * dt, 0.0);
            v_f = fmax(v_f - 8.0 * dt, 0.0);
            min = fmin(min, gap);
        }
        assert_true(known ? min > 0.0 : min < 0.0);
    }
}

// The state after the delay, by closed forms; without one nothing changes.
static void ahead(void **state)
{
    (void)state;
    double p[AVOID_PARAM_COUNT];
    defaults(p);
    p[AVOID_DELAY] = 0.0;
    double gap = 30.0, v = 20.0, v_f = 10.0;
    avoid_ahead(p, 1.0, 0.0, &gap, &v, &v_f);
    assert_true(gap == 30.0 && v == 20.0 && v_f == 10.0);
    p[AVOID_DELAY] = 2.0;
    avoid_ahead(p, 1.0, 0.0, &gap, &v, &v_f); // the front stands after 10/8 s
    assert_true(fabs(gap - (30.0 - 42.0 + 100.0 / 16.0)) < 1e-12);
    assert_true(v == 22.0 && v_f == 0.0);
    gap = 30.0, v = 3.0, v_f = 10.0;
    avoid_ahead(p, -2.0, -10.0, &gap, &v, &v_f); // it stands, too; the front brakes harder
    assert_true(fabs(gap - (30.0 - 2.25 + 5.0)) < 1e-12);
    assert_true(v == 0.0 && v_f == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_is_just_safe),
        cmocka_unit_test(the_limit_is_continuous_and_monotone),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_driven_car_does_not_hit),
        cmocka_unit_test(a_late_brake_is_known),
        cmocka_unit_test(ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
