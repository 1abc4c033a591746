// test_vehicle_kinds.c - the promises of vehicle_model.h, asked of every kind.
#include "mechanical/batch.h"

#include "cars/car.h"
#include "support/block.h"
#include "support/hmmwv.h"
#include "support/models.h"
#include "support/planar_car.h"
#include "support/sample.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

extern const mc_vehicle_type cart_type;

enum { COUNT = 7, SAVED = 1024 }; // not a multiple of any lane width; doubles of any state

// Batches of COUNT vehicles in lively motion.
static mc_batch *make_exponential(void)
{
    const cosserat_model model = sample_model(1);
    mc_batch *batch = cosserat_batch_create(&model, COUNT, COSSERAT_EXPONENTIAL, 5e-4);
    for (int i = 0; i < COUNT; i++)
        cosserat_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i, 0.02 * i, 0);
    return batch;
}

static mc_batch *make_published(void)
{
    const cosserat_model model = sample_model(2);
    mc_batch *batch = cosserat_batch_create(&model, COUNT, COSSERAT_PUBLISHED, 5e-5);
    for (int i = 0; i < COUNT; i++)
        cosserat_batch_place(batch, i, 10.0 * i, 0.5 * i, -0.3 * i, 15.0 + i, 0.02 * i, 0);
    return batch;
}

static mc_batch *make_driven(void)
{
    cosserat_model model = sample_model(1);
    model.gear.driven = true;
    mc_batch *batch = cosserat_batch_create(&model, COUNT, COSSERAT_EXPONENTIAL, 5e-4);
    for (int i = 0; i < COUNT; i++) {
        const mc_inputs in = {.brake = 0.15 * i, .steer = 0.02 * i};
        cosserat_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i, 0.0, 0);
        batch->kind->set_inputs(batch, i, 1, &in);
    }
    return batch;
}

// Cars of the report: some steer, some brake, some accelerate; the powertrain says which kind.
static mc_batch *make_bicycles(int powertrain, car_lateral lateral)
{
    car cars[COUNT];
    for (int i = 0; i < COUNT; i++) {
        car_defaults(&cars[i], powertrain < 0 ? NULL : powertrain_kind_at(powertrain));
        cars[i].lateral = lateral;
        cars[i].p[CAR_MASS] = 1300.0 + 150.0 * i;
        cars[i].p[CAR_LAG] = i % 2 ? 0.3 : 0.0;
        cars[i].p[CAR_BRAKE_DELAY] = i == 2 ? 0.05 : 0.0;
        cars[i].p[CAR_GRIP] = i == 5 ? 0.8 : 0.0;
    }
    mc_batch *batch = car_batch_create(cars, COUNT, 0.01);
    for (int i = 0; i < COUNT; i++) {
        const mc_inputs in = {.throttle = i % 2 ? 0.1 * i : 0.0,
                              .brake = i % 2 ? 0.0 : 0.1 * i,
                              .steer = i % 3 == 2 ? 0.01 : 0.0,
                              .acceleration = 0.4 * (i - 3)};
        car_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.02 * i, 15.0 + i);
        batch->kind->set_inputs(batch, i, 1, &in);
    }
    return batch;
}

static mc_batch *make_cars(int powertrain)
{
    return make_bicycles(powertrain, CAR_REPORT);
}

static mc_batch *make_printed(void)
{
    return make_bicycles(0, CAR_PRINTED);
}

static mc_batch *make_exact(void)
{
    return make_bicycles(0, CAR_EXACT);
}

static mc_batch *make_single_track(void)
{
    return make_bicycles(2, CAR_SINGLE_TRACK);
}

static mc_batch *make_point(void)
{
    return make_cars(-1);
}

static mc_batch *make_converter(void)
{
    return make_cars(0);
}

static mc_batch *make_manifold(void)
{
    return make_cars(1);
}

static mc_batch *make_gears(void)
{
    return make_cars(2);
}

// The deformable vehicle with engine, converter and brush tyres, as scenarios have it.
static mc_batch *make_engine(void)
{
    static const char text[] = "motorcade: scenario\ntime: {end: 1}\n"
                               "models: {soft: {kind: cosserat, file: medusa/model.dat, tyre: "
                               "brush}}\n"
                               "vehicles: [{model: soft, name: a, x: 0, v: 10}]\n";
    mc_error error;
    scenario *s = scenario_parse(text, sizeof text - 1, SOURCE_DIR "/scenarios/test.yaml", &error);
    if (!s)
        fail_msg("%s", error.text);
    mc_batch *batch =
        cosserat_batch_create(&model_cosserat(s, 0)->model, COUNT, COSSERAT_EXPONENTIAL, 5e-4);
    scenario_free(s);
    for (int i = 0; i < COUNT; i++) {
        const mc_inputs in = {.throttle = i % 2 ? 0.1 * i : 0.0, .brake = i % 2 ? 0.0 : 0.1 * i};
        cosserat_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i, 0.0, 0);
        batch->kind->set_inputs(batch, i, 1, &in);
    }
    return batch;
}

static mc_batch *make_plastic(void)
{
    cosserat_model model = sample_model_at_rest(1);
    model.plastic = true;
    for (int k = 0; k < PLASTIC_PARAM_COUNT; k++)
        model.plastic_p[k] = plastic_params[k].fallback;
    mc_batch *batch = cosserat_batch_create(&model, COUNT, COSSERAT_EXPONENTIAL, 5e-4);
    for (int i = 0; i < COUNT; i++)
        cosserat_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i, 0.02 * i, 0);
    return batch;
}

static mc_batch *make_seven(void)
{
    cosserat_model model = sample_model(1);
    model.seven = true;
    for (int k = 0; k < HIGHER_SIZE; k++)
        model.higher_p[HIGHER_D41 + k] = 0.002 * (k % 5 - 2);
    mc_batch *batch = cosserat_batch_create(&model, COUNT, COSSERAT_EXPONENTIAL, 5e-4);
    for (int i = 0; i < COUNT; i++)
        cosserat_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i, 0.02 * i, 0);
    return batch;
}

static mc_batch *make_block(void)
{
    const block_model model = {900.0, 800.0, {1.5, 0.8, 0.6}, 0.4};
    mc_batch *batch = block_batch_create(&model, COUNT);
    for (int i = 0; i < COUNT; i++)
        block_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i, -1.0, 0.2 * i);
    return batch;
}

static mc_batch *make_mechanism(const char *file)
{
    scenario *s = hmmwv_scenario_of(file, "", COUNT, 0.0);
    mc_batch *batch = hmmwv_batch(s);
    for (int i = 0; i < COUNT; i++) {
        const mc_inputs in = {.brake = 0.15 * i, .steer = 0.02 * i};
        vehicle_place((multibody_batch *)batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i);
        batch->kind->set_inputs(batch, i, 1, &in);
    }
    scenario_free(s);
    return batch;
}

static mc_batch *make_multibody(void)
{
    return make_mechanism("hmmwv.yaml");
}

// With wishbones and a rack: closed loops.
static mc_batch *make_closed(void)
{
    return make_mechanism("hmmwv_loops.yaml");
}

// Four wheels in the plane, brake commands on their way.
static mc_batch *make_planar_of(double order)
{
    planar_model model = planar_car(NULL, order);
    model.gear.drive[DRIVE_BRAKE_DELAY] = order == 4.0 ? 0.013 : 0.0;
    // The energy balance of order two closes to 5e-6 at 1 ms, and with the square of the step.
    mc_batch *batch = planar_batch_create(&model, COUNT, order == 4.0 ? 1e-3 : 1e-4);
    for (int i = 0; i < COUNT; i++) {
        const mc_inputs in = {
            .throttle = i % 2 ? 0.1 * i : 0.0, .brake = i % 2 ? 0.0 : 0.1 * i, .steer = 0.01 * i};
        planar_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i);
        batch->kind->set_inputs(batch, i, 1, &in);
    }
    return batch;
}

static mc_batch *make_planar(void)
{
    return make_planar_of(2.0);
}

static mc_batch *make_planar_four(void)
{
    return make_planar_of(4.0);
}

// The cart of tests/extension, which docs/extend.md shows.
static mc_batch *make_cart(void)
{
    double spec[16] = {0.0};
    assert_true(cart_type.spec_size <= sizeof spec);
    vehicle_spec_init(&cart_type, spec);
    mc_vehicle_start starts[COUNT] = {{0}};
    mc_error error;
    for (int i = 0; i < COUNT; i++)
        starts[i] = (mc_vehicle_start){
            .spec = spec, .x = 10.0 * i, .y = 0.5 * i, .heading = 0.3 * i, .v = 15.0 + i};
    const mc_vehicle_setup setup = {.size = sizeof setup, .step = 0.02, .max_step = 1e-3};
    mc_batch *batch = cart_type.create(starts, COUNT, &setup, &error);
    for (int i = 0; i < COUNT; i++) {
        const mc_inputs in = {
            .throttle = i % 2 ? 0.1 * i : 0.0, .brake = i % 2 ? 0.0 : 0.1 * i, .steer = 0.02 * i};
        batch->kind->set_inputs(batch, i, 1, &in);
    }
    return batch;
}

static mc_batch *(*const makers[])(void) = {
    make_exponential, make_published, make_driven, make_engine,      make_plastic,
    make_block,       make_multibody, make_point,  make_converter,   make_manifold,
    make_gears,       make_cart,      make_seven,  make_closed,      make_planar,
    make_planar_four, make_printed,   make_exact,  make_single_track};
enum { MAKERS = sizeof makers / sizeof makers[0] };

static size_t state_bytes(const mc_batch *batch)
{
    return sizeof(double) * (size_t)batch->kind->save_size(batch);
}

// 1 and 3: pieces, places and restored states give the same bits.
static void same_bits(void **unused)
{
    (void)unused;
    for (int m = 0; m < MAKERS; m++) {
        mc_batch *whole = makers[m](), *pieces = makers[m]();
        double a[SAVED], b[SAVED], kept[SAVED];
        assert_true(whole->kind->save_size(whole) <= SAVED);
        whole->kind->advance(whole, 0, COUNT, 0.01);
        for (int i = COUNT - 1; i >= 0; i--)
            pieces->kind->advance(pieces, i, 1, 0.01);
        for (int i = 0; i < COUNT; i++) {
            whole->kind->save(whole, i, a);
            pieces->kind->save(pieces, i, b);
            assert_memory_equal(a, b, state_bytes(whole));
        }
        whole->kind->save(whole, 2, kept);
        whole->kind->advance(whole, 2, 1, 0.02);
        whole->kind->save(whole, 2, a);
        whole->kind->restore(whole, 2, kept);
        whole->kind->advance(whole, 2, 1, 0.02);
        whole->kind->save(whole, 2, b);
        assert_memory_equal(a, b, state_bytes(whole));
        pieces->kind->save(pieces, 1, a); // no other vehicle moved
        whole->kind->save(whole, 1, b);
        assert_memory_equal(a, b, state_bytes(whole));
        whole->kind->destroy(whole);
        pieces->kind->destroy(pieces);
    }
}

// 4: impulse_response tells what apply_impulse does, is linear, symmetric, and changes the momentum
// by the impulse (what the road does not take) and the energy by impulse times mean velocity.
static void impulses(void **unused)
{
    (void)unused;
    unsigned long long seed = 11;
    for (int m = 0; m < MAKERS; m++) {
        mc_batch *batch = makers[m]();
        const mc_vehicle_kind *kind = batch->kind;
        kind->advance(batch, 0, COUNT, 0.05);
        for (int trial = 0; trial < 50; trial++) {
            const int i = (int)(sample_random(&seed) % COUNT);
            mc_ellipsoid surface;
            kind->surface(batch, i, &surface);
            double p[3], q[3], j[3], k[3], dv[3], before[3], after[3], back[3];
            for (int c = 0; c < 3; c++) {
                p[c] = surface.centre[c] + sample_uniform(&seed, -1.0, 1.0);
                q[c] = surface.centre[c] + sample_uniform(&seed, -1.0, 1.0);
                j[c] = sample_uniform(&seed, -1e3, 1e3);
                k[c] = sample_uniform(&seed, -1e3, 1e3);
            }
            double p_before[3], p_after[3], road_before[3], road_after[3], v_before[3], v_after[3];
            mc_energy e_before, e_after;
            kind->impulse_response(batch, i, p, j, q, dv);
            kind->impulse_response(batch, i, q, k, p, back);
            const double work = j[0] * back[0] + j[1] * back[1] + j[2] * back[2];
            assert_true(fabs(k[0] * dv[0] + k[1] * dv[1] + k[2] * dv[2] - work) <
                        1e-9 * (1.0 + fabs(work))); // symmetric: k.R(q<-p) j = j.R(p<-q) k
            kind->point_velocity(batch, i, q, before);
            kind->point_velocity(batch, i, p, v_before);
            kind->momentum(batch, i, p_before);
            kind->road_impulse(batch, i, road_before);
            kind->energy(batch, i, &e_before);
            kind->apply_impulse(batch, i, p, j);
            kind->point_velocity(batch, i, q, after);
            kind->point_velocity(batch, i, p, v_after);
            kind->momentum(batch, i, p_after);
            kind->road_impulse(batch, i, road_after);
            kind->energy(batch, i, &e_after);
            double gained = 0.0;
            for (int c = 0; c < 3; c++) {
                assert_true(fabs(after[c] - before[c] - dv[c]) < 1e-11);
                assert_true(fabs(p_after[c] - p_before[c] - j[c] - road_after[c] + road_before[c]) <
                            1e-9);
                gained += 0.5 * j[c] * (v_before[c] + v_after[c]);
            }
            assert_true(fabs(e_after.kinetic - e_before.kinetic - gained) < 1e-6);
            assert_true(e_after.elastic == e_before.elastic);
        }
        kind->destroy(batch);
    }
}

// The sphere of `reach` holds the surface, and no surface point outruns `spread`.
static void reach_is_a_bound(void **unused)
{
    (void)unused;
    unsigned long long seed = 5;
    for (int m = 0; m < MAKERS; m++) {
        mc_batch *batch = makers[m]();
        const mc_vehicle_kind *kind = batch->kind;
        const double push[3] = {3000.0, 500.0, 0.0};
        mc_ellipsoid surface;
        kind->surface(batch, 0, &surface);
        const double at[3] = {surface.centre[0] - 1.0, surface.centre[1], surface.centre[2]};
        kind->apply_impulse(batch, 0, at, push); // let it ring
        mc_reach reach;
        kind->reach(batch, 0, &reach);
        for (int k = 0; k < 100; k++) {
            const double drift = 0.0005 * k;
            kind->surface(batch, 0, &surface);
            for (int s = 0; s < 20; s++) {
                double n[3], point[3], v[3], offset = 0.0, speed = 0.0, length = 0.0;
                for (int c = 0; c < 3; c++) {
                    n[c] = sample_uniform(&seed, -1.0, 1.0);
                    length += n[c] * n[c];
                }
                for (int c = 0; c < 3; c++)
                    point[c] = surface.centre[c] +
                               (surface.axes[3 * c] * n[0] + surface.axes[3 * c + 1] * n[1] +
                                surface.axes[3 * c + 2] * n[2]) /
                                   sqrt(length);
                kind->point_velocity(batch, 0, point, v);
                for (int c = 0; c < 3; c++) {
                    offset += pow(point[c] - reach.centre[c] - reach.velocity[c] * drift, 2);
                    speed += pow(v[c] - reach.velocity[c], 2);
                }
                const double give = reach.acceleration * drift;
                assert_true(sqrt(offset) <= reach.radius + 0.5 * give * drift + 1e-12);
                assert_true(sqrt(speed) <= reach.spread + give + 1e-12);
            }
            kind->advance(batch, 0, 1, 0.0005);
        }
        kind->destroy(batch);
    }
}

// The energy balance closes over free motion; times are sane.
static void energy_balances(void **unused)
{
    (void)unused;
    for (int m = 0; m < MAKERS; m++) {
        mc_batch *batch = makers[m]();
        const mc_vehicle_kind *kind = batch->kind;
        assert_true(kind->contact_window(batch) > 0.0);
        for (int i = 0; i < COUNT; i++) {
            mc_energy a, b;
            kind->energy(batch, i, &a);
            assert_true(kind->mass(batch, i) > 0.0);
            for (int k = 0; k < 100; k++)
                kind->advance(batch, i, 1, 0.01);
            kind->energy(batch, i, &b);
            const double drift = b.kinetic + b.elastic + b.spring + b.gravity + b.damped +
                                 b.slipped + b.braked + b.dragged + b.crushed - b.driven -
                                 a.kinetic - a.elastic - a.spring - a.gravity;
            assert_true(fabs(drift) < (makers[m] == make_published ? 2e-3 : 1e-6) * a.kinetic);
            assert_true(b.damped >= 0.0 && b.slipped >= -1e-9);
            assert_true(b.vibration >= 0.0 && b.vibration <= b.kinetic + b.elastic + 1e-9);
        }
        kind->destroy(batch);
    }
}

// The pose is that of the motion: place, heading, speeds; and its rates are its rates.
static void poses_agree_with_motions(void **unused)
{
    (void)unused;
    int poses = 0;
    for (int m = 0; m < MAKERS; m++) {
        mc_batch *batch = makers[m]();
        const mc_vehicle_kind *kind = batch->kind;
        for (int i = 0; i < COUNT && kind->pose && kind->motion; i++, poses++) {
            const double h = 1e-6;
            mc_motion motion;
            mc_pose p, next;
            kind->advance(batch, i, 1, 0.01);
            kind->motion(batch, i, 1, &motion);
            kind->pose(batch, i, &p);
            const double c = cos(motion.psi), s = sin(motion.psi);
            assert_true(p.position[0] == motion.x && p.position[1] == motion.y);
            assert_true(fabs(atan2(p.directors[1], p.directors[0]) - motion.psi) < 1e-12);
            assert_true(fabs(c * p.velocity[0] + s * p.velocity[1] - motion.v) < 1e-9);
            assert_true(fabs(c * p.velocity[1] - s * p.velocity[0] - motion.v_y) < 1e-9);
            kind->advance(batch, i, 1, h);
            kind->pose(batch, i, &next);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(next.position[k] - p.position[k] - h * p.velocity[k]) < 1e-8);
            for (int k = 0; k < 9; k++)
                assert_true(fabs(next.directors[k] - p.directors[k] - h * p.director_rates[k]) <
                            1e-8);
        }
        kind->destroy(batch);
    }
    assert_true(poses >= 6 * COUNT);
}

// Calls on ranges are calls on each; the call on a range of nothing does nothing.
static void ranges_are_single_calls(void **unused)
{
    (void)unused;
    for (int m = 0; m < MAKERS; m++) {
        mc_batch *whole = makers[m](), *single = makers[m]();
        const mc_vehicle_kind *kind = whole->kind;
        if (!kind->plan) { // the block of the tests has no driver
            kind->destroy(whole), kind->destroy(single);
            continue;
        }
        mc_inputs in[COUNT];
        mc_motion motion[COUNT], one_motion;
        mc_plan plan[COUNT], one_plan;
        double desired[COUNT], a[SAVED], b[SAVED];
        for (int i = 0; i < COUNT; i++) {
            in[i] = (mc_inputs){0.05 * i, 0.1 * (i % 3), 0.003 * i, 0.3 * (i - 3)};
            desired[i] = 0.7 * (i - 3);
        }
        kind->set_inputs(whole, 1, COUNT - 2, in + 1);
        for (int i = COUNT - 2; i >= 1; i--)
            kind->set_inputs(single, i, 1, &in[i]);
        kind->advance(whole, 0, COUNT, 0.02);
        kind->advance(single, 0, COUNT, 0.02);
        kind->motion(whole, 0, COUNT, motion);
        kind->plan(whole, 2, COUNT - 2, desired + 2, plan + 2);
        for (int i = 0; i < COUNT; i++) {
            kind->save(whole, i, a);
            kind->save(single, i, b);
            assert_memory_equal(a, b, state_bytes(whole));
            kind->motion(single, i, 1, &one_motion);
            assert_memory_equal(&motion[i], &one_motion, sizeof one_motion);
            if (i < 2)
                continue;
            kind->plan(single, i, 1, &desired[i], &one_plan);
            assert_memory_equal(&plan[i], &one_plan, sizeof one_plan);
            assert_true(one_plan.throttle >= 0.0 && one_plan.throttle <= 1.0);
            assert_true(one_plan.brake >= 0.0 && one_plan.brake <= 1.0);
        }
        kind->destroy(whole);
        kind->destroy(single);
    }
}

// What plan() returns gives the desired acceleration on the vehicle itself: on a level road, with
// the nominal mass, once engine and brake have settled.
static void plans_come_true(void **unused)
{
    (void)unused;
    static mc_batch *(*const planners[])(void) = {make_point, make_converter, make_manifold,
                                                  make_gears, make_engine,    make_multibody,
                                                  make_cart,  make_planar,    make_exact};
    for (size_t m = 0; m < sizeof planners / sizeof planners[0]; m++) {
        for (int way = 0; way < 3; way++) { // pulls, brakes, coasts
            mc_batch *batch = planners[m]();
            const mc_vehicle_kind *kind = batch->kind;
            const double desired = (const double[]){0.5, -2.0, 0.0}[way];
            mc_inputs in = {0};
            mc_plan plan = {0};
            mc_motion before = {0}, now = {0};
            for (int k = 0; k < 60; k++) { // 3 s
                if (k == 40)
                    kind->motion(batch, 0, 1, &before);
                kind->plan(batch, 0, 1, &desired, &plan);
                in = (mc_inputs){.throttle = way == 0 ? plan.throttle : 0.0,
                                 .brake = way == 1 ? plan.brake : 0.0,
                                 .acceleration = desired};
                kind->set_inputs(batch, 0, 1, &in);
                kind->advance(batch, 0, 1, 0.05);
            }
            kind->motion(batch, 0, 1, &now);
            const double reached = now.v - before.v; // over the last second
            const double expected = way == 2 && m > 0 ? plan.coast : desired;
            printf("%-10s desired %5.2f, reached %6.3f m/s^2\n", kind->name, expected, reached);
            assert_true(fabs(reached - expected) < 0.05 + 0.1 * fabs(expected));
            kind->destroy(batch);
        }
    }
}

// All calls of a step; true: no memory was allocated or freed meanwhile.
static bool allocates_nothing(mc_batch *batch)
{
    const mc_vehicle_kind *kind = batch->kind;
    double state[SAVED], channels[64];
    mc_energy energy;
    mc_motion motion[COUNT];
    const size_t before = mallinfo2().uordblks;
    kind->advance(batch, 0, COUNT, 0.05);
    kind->save(batch, 3, state);
    kind->restore(batch, 3, state);
    kind->energy(batch, 3, &energy);
    if (kind->motion)
        kind->motion(batch, 0, COUNT, motion);
    if (kind->read_channels)
        kind->read_channels(batch, 3, channels);
    return mallinfo2().uordblks == before;
}

// Promise 2: nothing but create and destroy allocates. A mechanism may still be compiled by another
// thread: one of several looks is undisturbed.
static void nothing_allocates(void **unused)
{
    (void)unused;
    for (int m = 0; m < MAKERS; m++) {
        mc_batch *batch = makers[m]();
        bool good = false;
        assert_true(batch->kind->channel_count <= 64);
        for (int look = 0; look < 20 && !good; look++)
            good = allocates_nothing(batch);
        assert_true(good);
        batch->kind->destroy(batch);
    }
}

// A parameter that was changed is part of the state: restored with it, in another batch too.
static void parameters_are_state(void **unused)
{
    (void)unused;
    static mc_batch *(*const changing[])(void) = {make_point, make_converter, make_manifold,
                                                  make_gears, make_multibody, make_cart,
                                                  make_exact};
    for (size_t m = 0; m < sizeof changing / sizeof changing[0]; m++) {
        mc_batch *batch = changing[m](), *other = changing[m]();
        const mc_vehicle_kind *kind = batch->kind;
        double early[SAVED], heavy[SAVED], a[SAVED], b[SAVED];
        const double mass = kind->mass(batch, 1);
        kind->save(batch, 1, early);
        assert_true(kind->set_param(batch, 1, "mass", mass + 500.0));
        kind->save(batch, 1, heavy);
        kind->advance(batch, 1, 1, 0.2);
        kind->save(batch, 1, a);
        kind->restore(other, 1, heavy);
        assert_true(fabs(kind->mass(other, 1) - mass - 500.0) < 1e-6);
        kind->advance(other, 1, 1, 0.2);
        kind->save(other, 1, b);
        assert_memory_equal(a, b, state_bytes(batch));
        kind->restore(batch, 1, early);
        assert_true(kind->mass(batch, 1) == mass);
        kind->destroy(batch);
        kind->destroy(other);
    }
}

// ---- across the road ----

// v_y' + v yaw_rate, from the motion a moment later.
static double accelerates_across(mc_batch *batch, int i)
{
    const double moment = 2e-6;
    mc_motion before, after;
    double saved[SAVED];
    batch->kind->motion(batch, i, 1, &before);
    batch->kind->save(batch, i, saved);
    batch->kind->advance(batch, i, 1, moment);
    batch->kind->motion(batch, i, 1, &after);
    batch->kind->restore(batch, i, saved);
    return (after.v_y - before.v_y) / moment + 0.5 * (before.v + after.v) * after.yaw_rate;
}

static void lateral_acceleration_is_that_of_the_motion(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof makers / sizeof makers[0]; k++) {
        mc_batch *batch = makers[k]();
        if (batch->kind->lateral_acceleration) {
            batch->kind->advance(batch, 0, COUNT, 0.1);
            for (int i = 0; i < COUNT; i++) {
                const double said = batch->kind->lateral_acceleration(batch, i);
                const double seen = accelerates_across(batch, i);
                if (!(fabs(said - seen) < 1e-3 * (1.0 + fabs(seen))))
                    fail_msg("%s %d: %g m/s^2, its motion %g", batch->kind->name, i, said, seen);
            }
        }
        batch->kind->destroy(batch);
    }
}

// Wheels stand where they should, carry the vehicle, and push it sideways as it accelerates.
static void wheels_carry_and_push(void **unused)
{
    (void)unused;
    int kinds = 0;
    for (size_t k = 0; k < sizeof makers / sizeof makers[0]; k++) {
        mc_batch *batch = makers[k]();
        const mc_vehicle_kind *kind = batch->kind;
        batch->kind->advance(batch, 0, COUNT, 0.1);
        for (int i = 0; i < COUNT && kind->wheels; i++) {
            mc_wheel w[MC_WHEEL_MAX];
            const double weight = kind->mass(batch, i) * kind->gravity(batch);
            double load = 0.0, across = 0.0, moment = 0.0;
            const int count = kind->wheels(batch, i, w);
            assert_true(count >= 4 && count <= MC_WHEEL_MAX);
            for (int q = 0; q < count; q++) {
                assert_true((q % 2 ? w[q].y < 0.0 : w[q].y > 0.0) && w[q].fz >= 0.0);
                assert_true(q < 2 ? w[q].x > 0.0 : w[q].x < w[q - 2].x);
                assert_true(w[q].mu == 1.0 && mc_wheel_use(&w[q]) < 1.3);
                load += w[q].fz;
                moment += w[q].fz * w[q].x;
                across += w[q].fx * sin(w[q].steer) + w[q].fy * cos(w[q].steer);
            }
            if (!(load > 0.5 * weight && load < 1.6 * weight && fabs(moment) < 0.5 * weight))
                fail_msg("%s %d: loads are %g of the weight", kind->name, i, load / weight);
            const double more =
                across - kind->mass(batch, i) * kind->lateral_acceleration(batch, i);
            if (!(fabs(more) < 0.01 * weight)) // drag across, and a body that is not quite level
                fail_msg("%s %d: %g N more than it accelerates", kind->name, i, more);
        }
        kinds += kind->wheels && batch->count > 0;
        kind->destroy(batch);
    }
    assert_true(kinds >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(impulses),
        cmocka_unit_test(reach_is_a_bound),
        cmocka_unit_test(energy_balances),
        cmocka_unit_test(poses_agree_with_motions),
        cmocka_unit_test(ranges_are_single_calls),
        cmocka_unit_test(plans_come_true),
        cmocka_unit_test(nothing_allocates),
        cmocka_unit_test(parameters_are_state),
        cmocka_unit_test(lateral_acceleration_is_that_of_the_motion),
        cmocka_unit_test(wheels_carry_and_push),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
