// test_powertrain_standstill.c - brakes, hills and energy balance of the car with powertrain.
#include "cars/car.h"
#include "road/road.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double DEGREE = 0.017453292519943295;

static mc_batch *make(const powertrain_kind *kind, double speed, const road *r)
{
    car c;
    car_defaults(&c, kind);
    mc_batch *batch = car_batch_create(&c, 1, 0.01);
    assert_non_null(batch);
    batch->kind->set_road(batch, r);
    car_batch_place(batch, 0, 0.0, 0.0, 0.0, speed);
    return batch;
}

static void drive(mc_batch *batch, double throttle, double brake, double steer)
{
    const mc_inputs in = {.throttle = throttle, .brake = brake, .steer = steer};
    batch->kind->set_inputs(batch, 0, 1, &in);
}

static mc_motion motion(mc_batch *batch)
{
    mc_motion m;
    batch->kind->motion(batch, 0, 1, &m);
    return m;
}

static road slope(arena *memory, double degrees)
{
    road r;
    mc_error error;
    const road_stretch hill = {-1e5, 1e5, degrees * DEGREE, 100.0};
    assert_int_equal(road_make(memory, 1, 3.4, &hill, 1, NULL, 0, &r, &error), MC_OK);
    return r;
}

// From 30 m/s with any pressure on the pedal: stops, stays to the bit, never reverses; the distance
// is that of the closed form when only the brake acts.
static void stops_and_stays(void **unused)
{
    (void)unused;
    const powertrain_kind *kind;
    for (int k = 0; (kind = powertrain_kind_at(k)) != NULL; k++)
        for (double brake = 0.3; brake <= 1.0; brake += 0.35) {
            mc_batch *batch = make(kind, 30.0, NULL);
            drive(batch, 0.0, brake, 0.0);
            double before = 30.0, stopped = -1.0;
            for (int step = 0; step < 4000; step++) {
                batch->kind->advance(batch, 0, 1, 0.01);
                const mc_motion m = motion(batch);
                assert_true(m.v >= 0.0 && m.v <= before);
                if (stopped >= 0.0)
                    assert_true(m.v == 0.0 && m.x == stopped && m.a == 0.0);
                else if (m.v == 0.0)
                    stopped = m.x;
                before = m.v;
            }
            assert_true(stopped > 0.0);
            // Brake released: an engine with a converter creeps the car forwards.
            double p[POWERTRAIN_PARAM_MAX];
            powertrain_defaults(kind, p);
            const bool creeps = powertrain_steady_force(kind, p, 0.0, 0.0) > 0.0;
            drive(batch, 0.0, 0.0, 0.0);
            batch->kind->advance(batch, 0, 1, 3.0);
            assert_true(creeps ? motion(batch).v > 0.5 : motion(batch).v == 0.0);
            batch->kind->destroy(batch);
        }
}

static void stopping_distance(void **unused)
{
    (void)unused;
    car c;
    car_defaults(&c, &powertrain_converter);
    c.p[CAR_DRAG_0] = c.p[CAR_DRAG_1] = c.p[CAR_DRAG_2] = 0.0;
    c.p[CAR_DRAG_CONTINUOUS] = 1.0;
    c.powertrain_p[2] = 0.1; // hardly an engine
    c.powertrain_p[3] = 0.1;
    mc_batch *batch = car_batch_create(&c, 1, 0.01);
    car_batch_place(batch, 0, 0.0, 0.0, 0.0, 30.0);
    drive(batch, 0.0, 1.0, 0.0);
    mc_energy before, after;
    batch->kind->energy(batch, 0, &before);
    batch->kind->advance(batch, 0, 1, 10.0);
    batch->kind->energy(batch, 0, &after);
    assert_true(motion(batch).v == 0.0);
    // b = 0.8 g (1 - e^-5t): v = 30 - b t + b/5 (1 - e^-5t), engine apart.
    const double b = 0.8 * 9.81, stop = 30.0 / b + 0.2;
    const double x = 30.0 * stop - 0.5 * b * stop * stop + 0.2 * b * (stop - 0.2);
    assert_true(fabs(motion(batch).x - x) < 1.0);
    const double net = after.braked - after.driven;
    assert_true(fabs(net / before.kinetic - 1.0) < 1e-8);
    batch->kind->destroy(batch);
}

// 15 degrees, up and down, an hour: less than a millimetre. Then it rolls, and the brake catches
// it.
static void stands_on_a_slope(void **unused)
{
    (void)unused;
    for (int side = -1; side <= 1; side += 2) {
        arena memory = {0};
        const road r = slope(&memory, 15.0 * side);
        mc_batch *batch = make(&powertrain_converter, 0.0, &r);
        drive(batch, 0.0, 0.9, 0.0);
        batch->kind->advance(batch, 0, 1, 3.0); // the brake needs a moment to come on
        const double x = motion(batch).x;
        assert_true(motion(batch).v == 0.0);
        for (int minute = 0; minute < 60; minute++)
            batch->kind->advance(batch, 0, 1, 60.0);
        assert_true(fabs(motion(batch).x - x) < 1e-3);
        assert_true(motion(batch).x == x);
        drive(batch, 0.0, 0.0, 0.0);
        batch->kind->advance(batch, 0, 1, 5.0);
        const mc_motion rolling = motion(batch);
        assert_true(rolling.v * side < -3.0); // downhill, whatever creeps
        drive(batch, 0.0, 1.0, 0.0);
        batch->kind->advance(batch, 0, 1, 20.0);
        assert_true(motion(batch).v == 0.0);
        batch->kind->destroy(batch);
        arena_free(&memory);
    }
}

// A brake that is too weak for the hill slows but does not hold; the limit is where it should be.
static void holds_up_to_its_limit(void **unused)
{
    (void)unused;
    arena memory = {0};
    const road r = slope(&memory, -10.0); // downhill
    car c;
    car_defaults(&c, &powertrain_converter);
    double x[POWERTRAIN_STATE_MAX];
    powertrain_values creep;
    powertrain_converter.settle(c.powertrain_p, 0.0, 0.0, x);
    powertrain_look(&powertrain_converter, c.powertrain_p, 0.0, 0.0, x, &creep);
    const double weight = c.p[CAR_MASS] * 9.81;
    const double needed = (creep.force + weight * sin(10.0 * DEGREE)) / (0.8 * weight);
    for (int strong = 0; strong < 2; strong++) {
        mc_batch *batch = make(&powertrain_converter, 0.0, &r);
        drive(batch, 0.0, 1.0, 0.0);
        batch->kind->advance(batch, 0, 1, 5.0);
        const double at = motion(batch).x;
        assert_true(motion(batch).v == 0.0);
        drive(batch, 0.0, needed * (strong ? 1.001 : 0.999), 0.0);
        batch->kind->advance(batch, 0, 1, 30.0);
        if (strong)
            assert_true(motion(batch).v == 0.0 && motion(batch).x == at);
        else
            assert_true(motion(batch).v > 0.0 && motion(batch).x > at);
        batch->kind->destroy(batch);
    }
    arena_free(&memory);
}

// kinetic + gravity + braked + dragged + slipped - driven stays, over hills, with everything used.
// What is left is the error of the scheme, fourth order in the step: 6e-9 at 10 ms.
static void energy_balances(void **unused)
{
    (void)unused;
    arena memory = {0};
    road r;
    mc_error error;
    const road_stretch hills[] = {{50, 250, 0.08, 40}, {300, 500, -0.1, 50}, {550, 900, 0.03, 100}};
    const road_stretch wet[] = {{150, 700, 0.4, 20}};
    assert_int_equal(road_make(&memory, 1, 3.4, hills, 3, wet, 1, &r, &error), MC_OK);
    const powertrain_kind *kind;
    for (int k = 0; (kind = powertrain_kind_at(k)) != NULL; k++)
        for (int grip = 0; grip < 2; grip++)
            for (int steer = 0; steer < 2; steer++) {
                mc_batch *batch = make(kind, 8.0, &r);
                assert_true(batch->kind->set_param(batch, 0, "grip", grip ? 0.8 : 0.0));
                batch->kind->limit_step(batch, 0.005);
                mc_energy e;
                batch->kind->energy(batch, 0, &e);
                const double start = e.kinetic + e.gravity;
                double worst = 0.0, turnover = start, slipped = 0.0, lowest = 0.0;
                for (int step = 0; step < 6000; step++) {
                    if (step % 100 == 0)
                        drive(batch, step % 300 == 0 ? 0.45 : 0.1, step % 1000 == 900 ? 0.5 : 0.0,
                              steer ? 0.02 * sin(0.01 * step) : 0.0);
                    batch->kind->advance(batch, 0, 1, 0.01);
                    batch->kind->energy(batch, 0, &e);
                    const double sum =
                        e.kinetic + e.gravity + e.braked + e.dragged + e.slipped - e.driven;
                    turnover = fmax(turnover, e.driven + e.braked + fabs(e.gravity));
                    worst = fmax(worst, fabs(sum - start) / turnover);
                    lowest = fmin(lowest, e.slipped - slipped);
                    slipped = e.slipped;
                }
                print_message("%s grip %d steer %d: ledger %.1e of %.3g J\n", kind->name, grip,
                              steer, worst, turnover);
                assert_true(worst <
                            (kind == &powertrain_gears ? 1e-8 : 1e-9)); // its engine is the fastest
                assert_true(steer ? slipped > 1.0 : slipped == 0.0);
                assert_true(lowest >= -1e-9); // slipping tyres take, never give
                assert_true(turnover > 1e5 && e.braked > 1e4 && e.dragged > 1e4);
                batch->kind->destroy(batch);
            }
    arena_free(&memory);
}

// Maximum ratio of power out of converter and gears to power in, along a run with the throttle up
// and down.
static double greatest_gain(const powertrain_kind *kind, bool printed, double *burnt)
{
    car c;
    car_defaults(&c, kind);
    if (printed)
        c.powertrain_p[0] = 1.0;
    mc_batch *batch = car_batch_create(&c, 1, 0.01);
    assert_non_null(batch);
    double fuel = 0.0, gain = 0.0;
    for (int step = 0; step < 4000; step++) {
        const double throttle = step % 1000 < 500 ? 0.6 : 0.02;
        drive(batch, throttle, 0.0, 0.0);
        batch->kind->advance(batch, 0, 1, 0.01);
        double channel[16];
        batch->kind->read_channels(batch, 0, channel);
        const double v = motion(batch).v, x[POWERTRAIN_STATE_MAX] = {channel[0], 0.5, 0.0};
        powertrain_values now;
        powertrain_look(kind, c.powertrain_p, throttle, v, x, &now);
        assert_true(fabs(now.force - channel[1]) <= 1e-9 * (1.0 + fabs(now.force)));
        if (!printed)
            assert_true(now.force * v <= now.shaft_power + 2.0); // W
        if (now.shaft_power > 1e3)
            gain = fmax(gain, now.force * v / now.shaft_power);
        assert_true(now.fuel > 0.0 ? channel[3] > fuel : channel[3] == fuel);
        fuel = channel[3];
    }
    mc_energy e;
    batch->kind->energy(batch, 0, &e);
    assert_true(e.driven > 1e5);
    if (!printed && fuel > 0.0)
        assert_true(e.driven < 0.45 * 43.5e6 * fuel); // indicated efficiency is below 0.45
    batch->kind->destroy(batch);
    *burnt = fuel;
    return gain;
}

static void power_along_a_run(void **unused)
{
    (void)unused;
    const powertrain_kind *kind;
    double fuel;
    int burning = 0;
    for (int k = 0; (kind = powertrain_kind_at(k)) != NULL; k++) {
        const double gain = greatest_gain(kind, false, &fuel);
        assert_true(gain > 0.8 && gain <= 1.0);
        burning += fuel > 0.0;
    }
    assert_true(burning >= 3); // a kind may run on electricity, these do not
    assert_true(greatest_gain(&powertrain_converter, true, &fuel) > 1.7);
}

// From 30 to 0 m/s the force on the car does not jump when drag is taken as continuous.
static void no_jump_of_force(void **unused)
{
    (void)unused;
    for (int continuous = 0; continuous < 2; continuous++) {
        mc_batch *batch = make(&powertrain_converter, 30.0, NULL);
        assert_true(batch->kind->set_param(batch, 0, "drag_continuous", continuous));
        drive(batch, 0.0, 0.1, 0.0);
        double before = motion(batch).a, worst = 0.0;
        while (motion(batch).v > 0.02) {
            batch->kind->advance(batch, 0, 1, 0.001);
            const mc_motion m = motion(batch);
            worst = fmax(worst, fabs(m.a - before));
            before = m.a;
        }
        assert_true(continuous ? worst < 0.03 : worst > 0.08); // 177 N / 1839 kg
        batch->kind->destroy(batch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_and_stays),   cmocka_unit_test(stopping_distance),
        cmocka_unit_test(stands_on_a_slope), cmocka_unit_test(holds_up_to_its_limit),
        cmocka_unit_test(energy_balances),   cmocka_unit_test(power_along_a_run),
        cmocka_unit_test(no_jump_of_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
