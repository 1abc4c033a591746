// test_pack.c - a mechanism on wheels has the same bits alone, in a block of four, at each place of
// a pack, and when it is hit in one.
#include "mechanical/block.h"

#include "road/road.h"
#include "run/run.h"
#include "support/hmmwv.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 2 * PACK_MAX + 3, SAVED = 1024 }; // two packs and a part of one

static void expect_same(const mc_batch *a, int i, const mc_batch *b, int k)
{
    static double one[SAVED], other[SAVED];
    const size_t size = sizeof(double) * (size_t)a->kind->save_size(a);
    assert_true(a->kind->save_size(a) <= SAVED);
    a->kind->save(a, i, one);
    b->kind->save(b, k, other);
    for (int s = 0; s < a->kind->save_size(a); s++)
        if (memcmp(&one[s], &other[s], sizeof *one) != 0)
            print_message("vehicle %d: value %d is %.17g alone, %.17g in a pack\n", i, s, one[s],
                          other[s]);
    assert_memory_equal(one, other, size);
}

// Each drives in its own way: some brake until their wheels lock, some steer, one stands.
static void drive(mc_batch *b, int i, int index, int step)
{
    const mc_inputs in = {.throttle = 0.09 * (index % 11),
                          .brake = index % 3 == 1 && step > 2 ? 0.1 * (index % 10) : 0.0,
                          .steer = 0.006 * (index - 8)};
    b->kind->set_inputs(b, i, 1, &in);
}

static void advance_alone(mc_batch *b, double duration)
{
    for (int i = b->count - 1; i >= 0; i--)
        b->kind->advance(b, i, 1, duration);
}

static mc_batch *make(const scenario *s)
{
    mc_batch *b = hmmwv_batch(s);
    for (int i = 0; i < COUNT; i++)
        vehicle_place((multibody_batch *)b, i, 30.0 * i, 0.5 * i, 0.1 * i, i == 5 ? 0.0 : 2.0 * i);
    return b;
}

static void push(mc_batch *b, int i)
{
    mc_ellipsoid surface;
    b->kind->surface(b, i, &surface);
    surface.centre[2] += 0.1;
    b->kind->apply_impulse(b, i, surface.centre, (const double[3]){-4000.0, 3000.0, 100.0});
}

// ---- on a plane ----

// In the middle one is hit, and one is made heavier, so that it fits into no pack.
static void compare(const char *file, const char *keys, const road *r)
{
    scenario *s = hmmwv_scenario_of(file, keys, COUNT, 0.0);
    mc_batch *whole = make(s), *alone = make(s);
    whole->kind->set_road(whole, r), alone->kind->set_road(alone, r);
    for (int step = 0; step < 12; step++) {
        for (int i = 0; i < COUNT; i++)
            drive(whole, i, i, step), drive(alone, i, i, step);
        if (step == 5) {
            push(whole, 9), push(alone, 9);
            assert_true(whole->kind->set_param(whole, 12, "mass", 2900.0));
            assert_true(alone->kind->set_param(alone, 12, "mass", 2900.0));
        }
        // Cut where vehicles 9 and 10 would meet: those are moved by themselves for a while.
        const double cut = step == 6 ? 0.0037 : 0.01;
        whole->kind->advance(whole, 0, 9, 0.01);
        for (int i = 9; i < 11; i++) {
            whole->kind->advance(whole, i, 1, cut);
            if (cut < 0.01)
                whole->kind->advance(whole, i, 1, 0.01 - cut);
            if (cut < 0.01)
                alone->kind->advance(alone, i, 1, cut);
            alone->kind->advance(alone, i, 1, cut < 0.01 ? 0.01 - cut : 0.01);
        }
        whole->kind->advance(whole, 11, COUNT - 11, 0.01);
        for (int i = COUNT - 1; i >= 0; i--)
            if (i < 9 || i > 10)
                alone->kind->advance(alone, i, 1, 0.01);
    }
    for (int i = 0; i < COUNT; i++)
        expect_same(alone, i, whole, i);
    whole->kind->destroy(whole), alone->kind->destroy(alone);
    scenario_free(s);
}

static void a_pack_has_the_bits_of_single_vehicles(void **unused)
{
    (void)unused;
    static const char *const files[] = {"hmmwv_loops.yaml", "hmmwv.yaml"};
    const double x[2] = {0.0, 300.0}, slope[2] = {-0.03, 0.08}, mu[2] = {0.9, 0.3};
    const road hill = {.lane_count = 1,
                       .lane_width = 3.4,
                       .slope = {.x = x, .value = slope, .count = 2},
                       .friction = {.x = x, .value = mu, .count = 2}};
    for (int k = 0; k < 2; k++) {
        compare(files[k], ", drive: {brake_delay: 0.0143}, powertrain: converter", NULL);
        compare(files[k], ", tyre: {kind: brush}, powertrain: gears", &hill);
    }
    // Camber and aligning moments.
    compare("hmmwv_loops.yaml",
            ", tyre: {kind: pac2002, file: " SOURCE_DIR "/models/hmmwv_37x12.5R16.5.tir}", NULL);
}

// The same vehicle at each place of a pack, among different neighbours.
static void its_place_does_not_matter(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario_of("hmmwv_loops.yaml", "", COUNT, 0.0);
    mc_batch *alone = make(s), *b = make(s);
    static double start[SAVED];
    alone->kind->save(alone, 7, start);
    drive(alone, 7, 7, 5);
    for (int k = 0; k < 3; k++)
        alone->kind->advance(alone, 7, 1, 0.01);
    for (int count = 2; count <= PACK_MAX; count++)
        for (int place = 0; place < count; place++) {
            for (int k = 0; k < count; k++)
                drive(b, k, k + 3, 5);
            b->kind->restore(b, place, start);
            drive(b, place, 7, 5);
            for (int k = 0; k < 3; k++)
                b->kind->advance(b, 0, count, 0.01);
            expect_same(alone, 7, b, place);
        }
    alone->kind->destroy(alone), b->kind->destroy(b);
    scenario_free(s);
}

// ---- on relief ----

static mc_run *relief_run(mc_scenario **s)
{
    char text[1200];
    mc_error error;
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 90, step: 0.01}\n"
             "road: {lanes: 2, lane_width: 3.6, speed: 40, line: [{straight: 100}, {arc: 2000, "
             "radius: 400}], "
             "grades: [{from: 300, to: 600, grade: 5 %%}]}\n"
             "models: {car: {kind: multibody, mechanism: ../models/hmmwv_loops.yaml, length: 4.6, "
             "width: 2.2}}\n"
             "controllers: {follow: {law: acc, headway: 1.2, steering: lqr}}\n"
             "platoons: [{lane: 2, x: 400, leader: {model: car, name: car, controller: follow, "
             "profile: 20}, cars: [{model: car, controller: follow, count: 5}]}]\n");
    *s = platoon_scenario(text);
    mc_run *r = mc_run_create(*s, &(mc_run_options){.threads = 1}, &error);
    assert_non_null(r);
    for (int k = 0; k < 5; k++)
        assert_int_equal(mc_run_step(r, &error), MC_OK);
    return r;
}

static void relief_is_asked_place_by_place(void **unused)
{
    (void)unused;
    mc_scenario *s[2];
    mc_run *r[2] = {relief_run(&s[0]), relief_run(&s[1])};
    mc_batch *b[2];
    int index;
    for (int k = 0; k < 2; k++)
        mc_world_vehicle(r[k]->world, 0, &b[k], &index);
    assert_true(((multibody_batch *)b[0])->relief && b[0]->count == 6);
    for (int step = 0; step < 20; step++) {
        b[0]->kind->advance(b[0], 0, 6, 0.01);
        advance_alone(b[1], 0.01);
    }
    for (int i = 0; i < 6; i++)
        expect_same(b[1], i, b[0], i);
    for (int k = 0; k < 2; k++) {
        mc_run_destroy(r[k]);
        mc_scenario_free(s[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pack_has_the_bits_of_single_vehicles),
        cmocka_unit_test(its_place_does_not_matter),
        cmocka_unit_test(relief_is_asked_place_by_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
