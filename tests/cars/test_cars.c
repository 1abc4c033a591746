// test_cars.c - cars behind the vehicle-model contract: bits, impulses, inputs, parameters.
#include "cars/car.h"
#include "cars/steady.h"
#include "road/road.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 19, SAVED = 256 };

static unsigned long long seed = 3;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * ((double)(seed >> 11) / 9007199254740992.0);
}

static const powertrain_kind *kind_of(int k) // the powertrains, then the point car
{
    return powertrain_kind_at(k);
}
enum { KINDS = 4 };

// A platoon of different cars, lively: some steer, some brake, some near a kink.
static void fill(mc_batch *batch, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        car_batch_place(batch, i - first, 7.0 * i, 0.1 * i, i % 3 == 0 ? 0.02 : 0.0, 1.7 * i);
        const mc_inputs in = {.throttle = 0.1 * (i % 7),
                              .brake = i % 5 == 0 ? 0.6 : 0.0,
                              .steer = i % 4 == 0 ? 0.01 : 0.0,
                              .acceleration = 0.5 - 0.3 * (i % 5)};
        batch->kind->set_inputs(batch, i - first, 1, &in);
    }
}

static void make_cars(const powertrain_kind *kind, car cars[COUNT])
{
    for (int i = 0; i < COUNT; i++) {
        car_defaults(&cars[i], kind);
        cars[i].p[CAR_MASS] = 1200.0 + 100.0 * i;
        cars[i].p[CAR_LAG] = i % 2 ? 0.3 : 0.0;
        cars[i].p[CAR_GRIP] = i % 6 == 5 ? 0.7 : 0.0;
        cars[i].p[CAR_BRAKE_DELAY] = i % 5 == 0 ? 0.033 : 0.0;
        cars[i].p[CAR_CORNERING] = i == 7 ? 9e5 : 45000.0; // needs shorter steps than the others
    }
}

static const road_stretch hill = {10.0, 80.0, 0.1, 20.0};
static const road_stretch ice = {40.0, 120.0, 0.3, 10.0};

// Promise 1 and 3: whole, cut into pieces, alone, or restored: the same bits.
static void same_bits(void **unused)
{
    (void)unused;
    arena memory = {0};
    road r;
    mc_error error;
    assert_int_equal(road_make(&memory, 1, 3.4, &hill, 1, &ice, 1, &r, &error), MC_OK);
    for (int k = 0; k < 2 * KINDS * CAR_LATERAL_COUNT; k++) {
        const road *under = k % (2 * KINDS) < KINDS ? &r : NULL; // level: most take the quick step
        const car_lateral lateral = (car_lateral)(k / (2 * KINDS));
        car cars[COUNT];
        make_cars(kind_of(k % KINDS), cars);
        if (lateral != CAR_REPORT && !cars[0].powertrain)
            continue;
        for (int i = 0; i < COUNT; i++)
            cars[i].lateral = lateral;
        mc_batch *whole = car_batch_create(cars, COUNT, 0.01);
        mc_batch *pieces = car_batch_create(cars, COUNT, 0.01);
        const mc_vehicle_kind *kind = whole->kind;
        double a[SAVED], b[SAVED], kept[SAVED];
        const size_t size = sizeof(double) * (size_t)kind->save_size(whole);
        assert_true(size <= sizeof a);
        fill(whole, 0, COUNT), fill(pieces, 0, COUNT);
        kind->set_road(whole, under), kind->set_road(pieces, under);
        for (int step = 0; step < 150; step++) {
            kind->advance(whole, 0, COUNT, 0.01);
            if (step % 2) {
                for (int i = COUNT - 1; i >= 0; i--)
                    kind->advance(pieces, i, 1, 0.01);
            } else {
                kind->advance(pieces, 0, 5, 0.01);
                kind->advance(pieces, 13, 6, 0.01);
                kind->advance(pieces, 5, 8, 0.01);
            }
            for (int i = 0; i < COUNT; i++) {
                kind->save(whole, i, a);
                kind->save(pieces, i, b);
                assert_memory_equal(a, b, size);
            }
        }
        for (int i = 0; i < COUNT; i++) { // a batch of one
            mc_batch *one = car_batch_create(&cars[i], 1, 0.01);
            fill(one, i, 1);
            kind->set_road(one, under);
            for (int step = 0; step < 150; step++)
                kind->advance(one, 0, 1, 0.01);
            kind->save(one, 0, a);
            kind->save(whole, i, b);
            assert_memory_equal(a, b, size);
            kind->destroy(one);
        }
        for (int i = 0; i < COUNT; i++) {
            kind->save(whole, i, kept);
            kind->advance(whole, i, 1, 0.05);
            kind->save(whole, i, a);
            kind->restore(whole, i, kept);
            kind->advance(whole, i, 1, 0.05);
            kind->save(whole, i, b);
            assert_memory_equal(a, b, size);
            assert_true(memcmp(a, kept, size) != 0);
        }
        kind->destroy(whole);
        kind->destroy(pieces);
    }
    arena_free(&memory);
}

// Promise 4, momentum and energy of a hit; the road takes what is vertical.
static void impulses(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++) {
        car cars[COUNT];
        make_cars(kind_of(k), cars);
        mc_batch *batch = car_batch_create(cars, COUNT, 0.01);
        const mc_vehicle_kind *kind = batch->kind;
        fill(batch, 0, COUNT);
        kind->advance(batch, 0, COUNT, 0.2);
        for (int trial = 0; trial < 100; trial++) {
            const int i = trial % COUNT;
            mc_motion m;
            kind->motion(batch, i, 1, &m);
            double at[3], seen[3], j[3], dv[3], before[3], after[3], v[3], v_after[3];
            for (int c = 0; c < 3; c++) {
                at[c] = (c == 0 ? m.x : c == 1 ? m.y : 0.0) + uniform(-2.0, 2.0);
                seen[c] = (c == 0 ? m.x : c == 1 ? m.y : 0.0) + uniform(-2.0, 2.0);
                j[c] = uniform(-500.0, 500.0);
            }
            double p[3], p_after[3], road_before[3], road_after[3];
            mc_energy e, e_after;
            kind->impulse_response(batch, i, at, j, seen, dv);
            kind->point_velocity(batch, i, seen, before);
            kind->point_velocity(batch, i, at, v);
            kind->momentum(batch, i, p);
            kind->road_impulse(batch, i, road_before);
            kind->energy(batch, i, &e);
            kind->apply_impulse(batch, i, at, j);
            kind->point_velocity(batch, i, seen, after);
            kind->point_velocity(batch, i, at, v_after);
            kind->momentum(batch, i, p_after);
            kind->road_impulse(batch, i, road_after);
            kind->energy(batch, i, &e_after);
            double work = 0.0;
            for (int c = 0; c < 3; c++) {
                assert_true(fabs(after[c] - before[c] - dv[c]) < 1e-12);
                assert_true(fabs(p_after[c] - p[c] - j[c] - road_after[c] + road_before[c]) < 1e-9);
                work += 0.5 * j[c] * (v[c] + v_after[c]);
            }
            assert_true(fabs(p_after[0] - p[0] - j[0]) < 1e-9); // horizontal: all of it
            assert_true(fabs(p_after[1] - p[1] - j[1]) < 1e-9);
            assert_true(fabs(e_after.kinetic - e.kinetic - work) < 1e-7);
        }
        kind->destroy(batch);
    }
}

// The ellipsoid touches the bumpers; the sphere of reach holds it.
static void surface_and_reach(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++) {
        car c;
        car_defaults(&c, kind_of(k));
        mc_batch *batch = car_batch_create(&c, 1, 0.01);
        car_batch_place(batch, 0, 10.0, -3.4, 0.0, 20.0);
        mc_ellipsoid s;
        mc_reach r;
        batch->kind->surface(batch, 0, &s);
        batch->kind->reach(batch, 0, &r);
        assert_true(s.centre[0] == 10.0 && s.centre[1] == -3.4 && s.centre[2] == 0.0);
        assert_true(s.axes[0] == 0.5 * c.p[CAR_LENGTH] && s.axes[4] == 0.5 * c.p[CAR_WIDTH]);
        assert_true(r.radius >= 0.5 * c.p[CAR_LENGTH] && r.velocity[0] == 20.0);
        mc_inputs in = {.throttle = 1.0, .brake = 0.0, .acceleration = 100.0};
        batch->kind->set_inputs(batch, 0, 1, &in);
        for (int step = 0; step < 300; step++) { // no car outruns its bound
            mc_reach before = r;
            if (step == 150)
                in.throttle = 0.0, in.brake = 1.0, in.acceleration = -100.0;
            batch->kind->set_inputs(batch, 0, 1, &in);
            batch->kind->advance(batch, 0, 1, 0.01);
            batch->kind->reach(batch, 0, &r);
            assert_true(fabs(r.velocity[0] - before.velocity[0]) <= 0.01 * before.acceleration);
        }
        batch->kind->destroy(batch);
    }
}

// Placed at a speed, everything is settled: the car keeps it.
static void placed_is_settled(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++)
        for (double v = 7.0; v < 35.0; v += 4.1) {
            car c;
            car_defaults(&c, kind_of(k));
            mc_batch *batch = car_batch_create(&c, 1, 0.01);
            car_batch_place(batch, 0, 0.0, 0.0, 0.0, v);
            mc_motion m;
            batch->kind->motion(batch, 0, 1, &m);
            assert_true(fabs(m.a) < 1e-3);
            batch->kind->advance(batch, 0, 1, 0.5);
            batch->kind->motion(batch, 0, 1, &m);
            assert_true(fabs(m.v - v) < 1e-3);
            batch->kind->destroy(batch);
        }
}

// The throttle of plan() gives the desired acceleration once the engine has settled.
static void plan_is_kept(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS - 1; k++) {
        const powertrain_kind *kind = kind_of(k);
        car c;
        car_defaults(&c, kind);
        mc_batch *batch = car_batch_create(&c, 1, 0.01);
        for (double v = 2.0; v < 40.0; v += 3.1)
            for (double a = -3.0; a < 1.5; a += 0.31) {
                car_batch_place(batch, 0, 0.0, 0.0, 0.0, v);
                mc_plan plan;
                batch->kind->plan(batch, 0, 1, &a, &plan);
                const double drag = c.p[CAR_DRAG_0] + v * (c.p[CAR_DRAG_1] + v * c.p[CAR_DRAG_2]);
                const double closed =
                    (powertrain_steady_force(kind, c.powertrain_p, v, 0.0) - drag) / c.p[CAR_MASS];
                assert_true(fabs(plan.coast - closed) < 0.03); // a table with points 0.25 m/s apart
                const double got =
                    (powertrain_steady_force(kind, c.powertrain_p, v, plan.throttle) - drag) /
                    c.p[CAR_MASS];
                if (plan.throttle > 0.0 && plan.throttle < 1.0)
                    assert_true(fabs(got - a) < 1e-3);
                else
                    assert_true(plan.throttle > 0.0 ? got <= a + 1e-3 : got >= a - 1e-3);
                const double braked = plan.coast - 0.8 * 9.81 * plan.brake;
                assert_true(a > plan.coast ? plan.brake == 0.0 : fabs(braked - a) < 1e-9);
            }
        batch->kind->destroy(batch);
    }
}

// The command comes through after the delay, then eq 2; a delay between steps is met too.
static void brake_delay(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 2; trial++) {
        car c;
        car_defaults(&c, &powertrain_converter);
        c.p[CAR_BRAKE_DELAY] = trial ? 0.1234 : 0.1;
        mc_batch *batch = car_batch_create(&c, 1, 0.01);
        car_batch_place(batch, 0, 0.0, 0.0, 0.0, 30.0);
        double channel[16];
        for (int step = 0; step < 60; step++) {
            const mc_inputs in = {.brake = step < 20 ? 0.5 : 0.1};
            batch->kind->set_inputs(batch, 0, 1, &in);
            batch->kind->advance(batch, 0, 1, 0.01);
            batch->kind->read_channels(batch, 0, channel);
            const double max = 0.8 * 9.81 * c.p[CAR_MASS], t = 0.01 * (step + 1);
            const double on = t - c.p[CAR_BRAKE_DELAY], off = on - 0.2;
            double force = on > 0.0 ? 0.5 * max * (1.0 - exp(-5.0 * fmin(on, 0.2))) : 0.0;
            if (off > 0.0)
                force = 0.1 * max + (force - 0.1 * max) * exp(-5.0 * off);
            assert_true(fabs(channel[2] - force) < 1e-2);
        }
        batch->kind->destroy(batch);
    }
}

static void top_speed(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++) {
        car c;
        car_defaults(&c, kind_of(k));
        c.p[CAR_SPEED_MAX] = 25.0;
        mc_batch *batch = car_batch_create(&c, 1, 0.01);
        car_batch_place(batch, 0, 0.0, 0.0, 0.0, 20.0);
        const mc_inputs in = {.throttle = 1.0, .acceleration = 3.0};
        batch->kind->set_inputs(batch, 0, 1, &in);
        mc_motion m;
        for (int step = 0; step < 6000; step++) {
            batch->kind->advance(batch, 0, 1, 0.01);
            batch->kind->motion(batch, 0, 1, &m);
            assert_true(m.v < 25.3);
        }
        assert_true(m.v > 24.4 && m.v <= 25.0);
        batch->kind->destroy(batch);
    }
}

static void parameters(void **unused)
{
    (void)unused;
    car c;
    car_defaults(&c, &powertrain_converter);
    mc_batch *batch = car_batch_create(&c, 1, 0.01);
    const mc_vehicle_kind *kind = batch->kind;
    car_batch_place(batch, 0, 0.0, 0.0, 0.0, 20.0);
    double before[3], after[3];
    kind->road_impulse(batch, 0, before);
    assert_true(kind->set_param(batch, 0, "mass", 2500.0));
    kind->road_impulse(batch, 0, after);
    assert_true(kind->mass(batch, 0) == 2500.0);
    assert_true(fabs(after[0] - before[0]) < 1e-9);
    mc_plan one, two;
    const double desired = 0.5;
    kind->plan(batch, 0, 1, &desired, &one);
    assert_true(kind->set_param(batch, 0, "nominal_mass", 2500.0));
    kind->plan(batch, 0, 1, &desired, &two);
    assert_true(two.throttle > one.throttle + 0.01); // now it knows
    assert_true(kind->set_param(batch, 0, "power_scale", 0.6));
    kind->plan(batch, 0, 1, &desired, &one);
    assert_true(one.throttle > two.throttle + 0.01);
    static const char *const no[] = {"length", "colour", "", "Mass", "grips"};
    for (size_t k = 0; k < sizeof no / sizeof no[0]; k++)
        assert_false(kind->set_param(batch, 0, no[k], 3.0));
    assert_false(kind->set_param(batch, 0, "mass", -1.0));
    assert_false(kind->set_param(batch, 0, "mass", NAN));
    for (int k = 0; k < CAR_PARAM_COUNT; k++) {
        assert_non_null(car_params[k].name);
        assert_true(strlen(car_params[k].doc) > 3);
        assert_true(k == CAR_NOMINAL_MASS || (car_params[k].fallback >= car_params[k].min &&
                                              car_params[k].fallback <= car_params[k].max));
    }
    assert_string_equal(kind->channels[0].name, "n");
    assert_string_equal(car_point_kind.channels[0].name, "n");
    kind->destroy(batch);
}

// The point car against closed forms: lag, stop without reversing, start again.
static void point_car(void **unused)
{
    (void)unused;
    car c;
    car_defaults(&c, NULL);
    c.p[CAR_LAG] = 0.5;
    mc_batch *batch = car_batch_create(&c, 1, 0.01);
    car_batch_place(batch, 0, 0.0, 0.0, 0.0, 10.0);
    mc_inputs in = {.acceleration = 2.0};
    mc_motion m;
    batch->kind->set_inputs(batch, 0, 1, &in);
    for (int step = 0; step < 300; step++)
        batch->kind->advance(batch, 0, 1, 0.01);
    batch->kind->motion(batch, 0, 1, &m);
    const double e = exp(-6.0);
    assert_true(fabs(m.a - 2.0 * (1.0 - e)) < 1e-12);
    assert_true(fabs(m.v - (10.0 + 6.0 - 1.0 * (1.0 - e))) < 1e-11);
    assert_true(fabs(m.x - (30.0 + 9.0 - 2.0 * (1.5 - 0.25 * (1.0 - e)))) < 1e-10);
    in.acceleration = -4.0; // stops in the middle of a step
    batch->kind->set_inputs(batch, 0, 1, &in);
    for (int step = 0; step < 1000; step++) {
        batch->kind->advance(batch, 0, 1, 0.01);
        batch->kind->motion(batch, 0, 1, &m);
        assert_true(m.v >= 0.0);
    }
    assert_true(m.v == 0.0 && m.a == 0.0);
    const double x = m.x;
    in.acceleration = 1.0;
    batch->kind->set_inputs(batch, 0, 1, &in);
    batch->kind->advance(batch, 0, 1, 5.0);
    batch->kind->motion(batch, 0, 1, &m);
    // The lag continued at standstill, to nearly -4; a passes zero, and from there a = 1 - e^-2t.
    const double lowest = -4.0 + (2.0 * (1.0 - e) + 4.0) * exp(-20.0);
    const double t = 5.0 - 0.5 * log(1.0 - lowest);
    assert_true(fabs(m.v - (t - 0.5 * (1.0 - exp(-2.0 * t)))) < 1e-10);
    assert_true(fabs(m.x - x - (0.5 * t * t - 0.5 * t + 0.25 * (1.0 - exp(-2.0 * t)))) < 1e-9);
    mc_energy energy;
    batch->kind->energy(batch, 0, &energy);
    const double start = 0.5 * c.p[CAR_MASS] * 100.0;
    assert_true(fabs(energy.kinetic + energy.braked - energy.driven - start) < 1e-6);
    batch->kind->destroy(batch);
}

// Two cruise speeds at 10 degrees, as the slopes of Kv make them; the middle one repels.
static void steady_states(void **unused)
{
    (void)unused;
    car c;
    car_steady rows[8];
    car_defaults(&c, &powertrain_converter);
    c.powertrain_p[1] = 3.0;
    assert_int_equal(car_steady_states(&c, 7.0 / 82.0, rows, 8), 3);
    assert_true(rows[0].stable && !rows[1].stable && rows[2].stable);
    assert_true(fabs(rows[0].v - 9.32) < 0.01 && fabs(rows[2].v - 12.11) < 0.01);
    for (int k = 0; k < 3; k++) { // start 0.1 m/s off: come back, or go
        mc_batch *batch = car_batch_create(&c, 1, 0.01);
        car_batch_place(batch, 0, 0.0, 0.0, 0.0, rows[k].v - 0.1);
        const mc_inputs in = {.throttle = 7.0 / 82.0};
        batch->kind->set_inputs(batch, 0, 1, &in);
        mc_motion m;
        batch->kind->advance(batch, 0, 1, 400.0);
        batch->kind->motion(batch, 0, 1, &m);
        assert_true(fabs(m.v - rows[k == 1 ? 0 : k].v) < 1e-4);
        double channel[16];
        batch->kind->read_channels(batch, 0, channel);
        assert_true(fabs(channel[0] - rows[k == 1 ? 0 : k].n) < 0.1);
        batch->kind->destroy(batch);
    }
    assert_int_equal(car_steady_states(&c, 7.0 / 82.0, rows, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),         cmocka_unit_test(impulses),
        cmocka_unit_test(surface_and_reach), cmocka_unit_test(placed_is_settled),
        cmocka_unit_test(plan_is_kept),      cmocka_unit_test(brake_delay),
        cmocka_unit_test(top_speed),         cmocka_unit_test(parameters),
        cmocka_unit_test(point_car),         cmocka_unit_test(steady_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
