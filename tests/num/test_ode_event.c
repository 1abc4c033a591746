// test_ode_event.c - where functions of the state rise through zero: every method, the first of
// several, rows before it, and on from there.
#include "num/ode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { FUNCTIONS = 3, ROWS = 11 };

// y = (sin t, cos t)
static ode_answer turn(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = -y[0];
    return ODE_OK;
}

// Rises at t = asin(0.8), at t = 5 pi/4, never.
static void watch(void *context, double t, const double *y, double *value)
{
    (void)context;
    value[0] = y[0] - 0.8;
    value[1] = t - 1.25 * M_PI;
    value[2] = y[0] - 1.5;
}

typedef struct rows {
    double t[ROWS];
    int count;
} rows;

static bool keep(void *context, double t, const double *y)
{
    rows *r = context;
    assert_true(fabs(y[0] - sin(t)) < 1e-2);
    r->t[r->count++] = t;
    return true;
}

static ode *make(const ode_kind *kind)
{
    ode_options options = ode_options_default();
    options.rtol = options.atol = 1e-10;
    options.step = kind->adaptive ? 0.0 : kind->order == 1 ? 1e-4 : 1e-2;
    const ode_problem problem = {.n = 2, .rate = turn, .event = watch, .event_count = FUNCTIONS};
    mc_error error;
    ode *o = ode_create(kind, &problem, &options, &error);
    assert_non_null(o);
    return o;
}

static void events_are_located(void **state)
{
    (void)state;
    const double times[ROWS] = {0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5};
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        const double tolerance = kind.adaptive ? 3e-8 : pow(1e-2, kind.order) + 1e-12;
        double y[2] = {0.0, 1.0};
        rows r = {0};
        mc_error error;
        ode *o = make(&kind);
        assert_int_equal(ode_start(o, 0.0, y, &error), MC_OK);
        assert_int_equal(ode_run(o, 5.0, times, ROWS, keep, &r, &error), MC_OK);
        const bool *risen = ode_events_of(o);
        assert_non_null(risen);
        assert_true(risen[0] && !risen[1] && !risen[2]);
        assert_int_equal(r.count, 2); // 0 and 0.5
        if (!(fabs(ode_time(o) - asin(0.8)) < tolerance && fabs(ode_state(o)[0] - 0.8) < 1e-12))
            fail_msg("%s: at %.15g, y = %.15g", kind.name, ode_time(o), ode_state(o)[0]);
        // From there, and on to the next: y[0] falls below 0.8 in between and does not rise again.
        memcpy(y, ode_state(o), sizeof y);
        assert_int_equal(ode_start(o, ode_time(o), y, &error), MC_OK);
        assert_int_equal(ode_run(o, 5.0, times + 2, ROWS - 2, keep, &r, &error), MC_OK);
        risen = ode_events_of(o);
        assert_true(risen && !risen[0] && risen[1]);
        assert_true(fabs(ode_time(o) - 1.25 * M_PI) < 1e-13);
        assert_int_equal(r.count, 8); // 3.5
        memcpy(y, ode_state(o), sizeof y);
        assert_int_equal(ode_start(o, ode_time(o), y, &error), MC_OK);
        assert_int_equal(ode_run(o, 5.0, times + 8, ROWS - 8, keep, &r, &error), MC_OK);
        assert_null(ode_events_of(o));
        assert_true(ode_time(o) == 5.0 && r.count == ROWS);
        for (int k = 0; k < ROWS; k++)
            assert_true(r.t[k] == times[k]);
        ode_free(o);
    }
}

// A function that is not below zero at the start has to fall first.
static void rising_needs_a_fall(void **state)
{
    (void)state;
    ode_kind kind;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        const double y[2] = {1.0, 0.0}; // sin(t + pi/2): above 0.8 until 0.6435
        mc_error error;
        ode *o = make(&kind);
        assert_int_equal(ode_start(o, 0.0, y, &error), MC_OK);
        assert_int_equal(ode_run(o, 3.0, NULL, 0, NULL, NULL, &error), MC_OK);
        assert_null(ode_events_of(o));
        assert_int_equal(ode_run(o, 3.9, NULL, 0, NULL, NULL, &error), MC_OK);
        assert_null(ode_events_of(o));
        ode_free(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_located),
        cmocka_unit_test(rising_needs_a_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
