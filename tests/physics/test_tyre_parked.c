// test_tyre_parked.c - a car on every tyre law for wheels with spin: parked on a hill for an hour,
// braked from speed to rest, and driving straight.
#include "cosserat/batch.h"
#include "cosserat/equilibrium.h"
#include "road/road.h"
#include "support/sample.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81, degree = 3.14159265358979323846 / 180.0;

static mc_batch *make(const tyre_kind *kind, double speed)
{
    cosserat_model model = sample_model_at_rest(1);
    model.gear.tyre = kind;
    tyre_defaults(kind, model.gear.tyre_p);
    model.gear.driven = true;
    mc_batch *b = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 2.4e-3);
    assert_non_null(b);
    cosserat_batch_place(b, 0, 0.0, 0.0, 0.0, speed, 0.0, 0);
    return b;
}

static mc_motion look(const mc_batch *b)
{
    mc_motion m;
    b->kind->motion(b, 0, 1, &m);
    return m;
}

static void brake(mc_batch *b, double share)
{
    const mc_inputs in = {0.0, share, 0.0, 0.0};
    b->kind->set_inputs(b, 0, 1, &in);
}

// Laws that hold a wheel: those with states. The law without force does not.
static void for_all(void (*check)(const tyre_kind *kind))
{
    int count = 0;
    const tyre_kind *kind;
    for (int k = 0; (kind = tyre_kind_at(k)); k++)
        if (kind->state_count > 0) {
            check(kind);
            count++;
        }
    assert_true(count >= 7);
}

// 15 degrees: less than a millimetre in an hour, as much less in a share of it (series.h).
static void parked(const tyre_kind *kind)
{
    const double at[1] = {0.0};
    for (int side = -1; side <= 1; side += 2) {
        const double slope[1] = {15.0 * side * degree};
        const road hill = {
            .lane_count = 1, .slope = {at, slope, 1, 0.0}, .friction = {.fallback = 1.0}};
        mc_batch *b = make(kind, 0.0);
        b->kind->set_road(b, &hill);
        brake(b, 1.0);
        b->kind->advance(b, 0, 1, 40.0);
        const double rest = look(b).x;
        const double share = series_share();
        b->kind->advance(b, 0, 1, 3600.0 * share);
        const double moved = fabs(look(b).x - rest);
        if (!(moved < 1e-3 * share))
            fail_msg("%s: %g m", kind->name, moved);
        print_message("%s: %.2e m\n", kind->name, moved);
        b->kind->destroy(b);
    }
}

static void an_hour_on_a_hill(void **state)
{
    (void)state;
    for_all(parked);
}

// Locked wheels from 20 m/s: the car stops, is not pushed back by more than its treads are bent,
// and never gains speed.
static void stopped(const tyre_kind *kind)
{
    mc_batch *b = make(kind, 20.0);
    brake(b, 1.0);
    double far = 0.0, before = 20.0, rocks = 0.0;
    for (int k = 0; k < 1500; k++) {
        b->kind->advance(b, 0, 1, 0.01);
        const mc_motion m = look(b);
        far = fmax(far, m.x);
        if (m.v > before + 1e-3)
            rocks = fmax(rocks, fabs(m.v)); // on its treads, after the stop
        before = m.v;
    }
    const mc_motion m = look(b);
    print_message("%s: back by %.3g m, rocks with %.3g m/s\n", kind->name, far - m.x, rocks);
    if (!(far - m.x < 0.1 && fabs(m.v) < 1e-3 && far > 20.0 && far < 60.0 && rocks < 0.8))
        fail_msg("%s: stops at %g m, then %g m at %g m/s", kind->name, far, m.x, m.v);
    b->kind->destroy(b);
}

static void braked_to_rest(void **state)
{
    (void)state;
    for_all(stopped);
}

// A tyre that is not symmetric stands mirrored on the other side: the car drives straight.
static void straight(const tyre_kind *kind)
{
    mc_batch *b = make(kind, 20.0);
    brake(b, 0.1);
    b->kind->advance(b, 0, 1, 5.0);
    const mc_motion m = look(b);
    if (!(fabs(m.y) < 1e-9 && m.x > 50.0 && m.v > 0.0 && m.v < 20.0 - 0.05 * g))
        fail_msg("%s: %g m aside after %g m", kind->name, m.y, m.x);
    b->kind->destroy(b);
}

static void drives_straight(void **state)
{
    (void)state;
    for_all(straight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drives_straight),
        cmocka_unit_test(braked_to_rest),
        cmocka_unit_test(an_hour_on_a_hill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
