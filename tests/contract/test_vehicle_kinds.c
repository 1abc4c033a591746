// test_vehicle_kinds.c - the promises of vehicle_model.h, asked of every kind.
#include "support/block.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 7 }; // not a multiple of any lane width

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

static mc_batch *make_block(void)
{
    const block_model model = {900.0, 800.0, {1.5, 0.8, 0.6}, 0.4};
    mc_batch *batch = block_batch_create(&model, COUNT);
    for (int i = 0; i < COUNT; i++)
        block_batch_place(batch, i, 10.0 * i, 0.5 * i, 0.3 * i, 15.0 + i, -1.0, 0.2 * i);
    return batch;
}

static mc_batch *(*const makers[])(void) = {make_exponential, make_published, make_block};
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
        double a[64], b[64], kept[64];
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
        pieces->kind->save(pieces, 1, a); // nobody else moved
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

// Energy and books balance over free motion; times are sane.
static void books_balance(void **unused)
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
                                 b.slipped - a.kinetic - a.elastic - a.spring - a.gravity;
            assert_true(fabs(drift) < (makers[m] == make_published ? 2e-3 : 1e-6) * a.kinetic);
            assert_true(b.damped >= 0.0 && b.slipped >= -1e-9);
            assert_true(b.vibration >= 0.0 && b.vibration <= b.kinetic + b.elastic + 1e-9);
        }
        kind->destroy(batch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(impulses),
        cmocka_unit_test(reach_is_a_bound),
        cmocka_unit_test(books_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
