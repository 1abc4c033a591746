// test_friction.c - oblique hits in a running world: closed forms, ledger, momentum, any kinds.
#include "support/block.h"
#include "support/planar.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct start { // of one block
    block_model model;
    double x, y, heading, v_x, v_y, turn;
} start;

static mc_world *world_of_blocks(const mc_world_options *o, const start *starts, int count)
{
    mc_error error;
    mc_world *world = mc_world_create(o, &error);
    assert_non_null(world);
    for (int i = 0; i < count; i++) {
        const start *s = &starts[i];
        mc_batch *batch = block_batch_create(&s->model, 1);
        int id;
        block_batch_place(batch, 0, s->x, s->y, s->heading, s->v_x, s->v_y, s->turn);
        assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
        assert_int_equal(mc_world_add(world, batch, 0, &id, &error), MC_OK);
    }
    if (mc_world_start(world, NULL, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    return world;
}

static void advance(mc_world *world, double duration)
{
    mc_error error;
    if (mc_world_advance(world, duration, &error) != MC_OK)
        fail_msg("%s", error.text);
}

// State of block id: x, y, heading, v_x, v_y, turn.
static void state_of(const mc_world *world, int id, double state[8])
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(world, id, &batch, &index);
    batch->kind->save(batch, index, state);
}

static double all_energy(const mc_world *world)
{
    double sum = 0.0;
    for (int id = 0; id < mc_world_vehicle_count(world); id++) {
        mc_batch *batch;
        int index;
        mc_energy e;
        mc_world_vehicle(world, id, &batch, &index);
        batch->kind->energy(batch, index, &e);
        sum += e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped + e.crushed;
    }
    return sum;
}

static double all_losses(const mc_world *world)
{
    int count;
    double sum = 0.0;
    const mc_impact *impacts = mc_world_impacts(world, &count);
    for (int k = 0; k < count; k++)
        sum += impacts[k].friction_loss + impacts[k].restitution_loss;
    return sum;
}

// ---- two discs ----

// A hit of discs has w_nt = 0: the normal impulse is that without friction, the tangential one is
// what stops the slip, -u_t / w_tt, or what friction allows, mu (1 + e) u_n / w_nn.
static void oblique_discs(void **unused)
{
    (void)unused;
    const block_model disc = {800.0, 200.0, {0.7, 0.7, 0.7}, 0.5};
    const double mu = 0.3, e = 0.5;
    int stuck = 0, slid = 0;
    double worst = 0.0;
    for (int k = 0; k <= 12; k++) {
        mc_world_options o = mc_world_defaults();
        o.friction = mu;
        o.restitution = e;
        const double sideways = 0.5 * k, spin = k % 2 ? 1.5 : 0.0;
        const start s[2] = {{disc, 0.0, 0.0, 0.0, 4.0, 0.0, spin},
                            {disc, 1.8, 0.0, 0.0, -1.0, sideways, 0.0}};
        mc_world *world = world_of_blocks(&o, s, 2);
        const double energy = all_energy(world);
        advance(world, 0.15);
        int count;
        const mc_impact *i = mc_world_impacts(world, &count);
        assert_int_equal(count, 1);
        // The frame of the contact; slip of the surfaces before.
        const double n[2] = {i->normal[0], i->normal[1]}, t[2] = {-n[1], n[0]};
        const double dv[2] = {-5.0, sideways};
        const double u_n = dv[0] * n[0] + dv[1] * n[1];
        const double u_t = dv[0] * t[0] + dv[1] * t[1] - spin * 0.7; // r x w on both
        const double w_nn = 2.0 / 800.0, w_tt = w_nn + 2.0 * 0.7 * 0.7 / 200.0;
        const double p_n = -(1.0 + e) * u_n / w_nn, limit = mu * p_n;
        const double p_t = fmax(-limit, fmin(limit, -u_t / w_tt));
        stuck += fabs(u_t / w_tt) < limit;
        slid += fabs(u_t / w_tt) > limit;
        double a[8], b[8];
        state_of(world, 0, a);
        state_of(world, 1, b);
        const double j[2] = {p_n * n[0] + p_t * t[0], p_n * n[1] + p_t * t[1]};
        const double expected[6] = {4.0 - j[0] / 800.0,       -j[1] / 800.0,
                                    spin - 0.7 * p_t / 200.0, -1.0 + j[0] / 800.0,
                                    sideways + j[1] / 800.0,  -0.7 * p_t / 200.0};
        for (int q = 0; q < 3; q++) {
            worst = fmax(worst, fabs(a[3 + q] - expected[q]));
            worst = fmax(worst, fabs(b[3 + q] - expected[3 + q]));
        }
        const double tangential = i->tangential[0] * t[0] + i->tangential[1] * t[1];
        worst = fmax(worst, fabs(tangential - p_t) / p_n);
        worst = fmax(worst, fabs(i->impulse - p_n) / p_n);
        assert_true(fabs(i->tangential[2]) < 1e-12 * p_n);
        assert_true(fabs(all_energy(world) + all_losses(world) - energy) < 1e-12 * energy);
        assert_true(fabs(i->restitution_loss - 0.5 * (1.0 - e * e) * u_n * u_n / w_nn) <
                    1e-9 * energy);
        mc_world_destroy(world);
    }
    printf("discs: %d stick, %d slip, largest difference %.1e\n", stuck, slid, worst);
    assert_true(stuck >= 3 && slid >= 3);
    assert_true(worst < 1e-9);
}

// ---- blocks hit off their centres ----

// Random turned blocks; what the impact should be is worked out by cases from where they touched.
static void blocks_off_centre(void **unused)
{
    (void)unused;
    unsigned long long seed = 5;
    int hits = 0, stick = 0, slip = 0, back = 0;
    double worst = 0.0, momentum = 0.0, spin = 0.0, balance = 0.0;
    for (int trial = 0; trial < 400; trial++) {
        mc_world_options o = mc_world_defaults();
        o.threads = 1;
        o.friction = sample_uniform(&seed, 0.05, 0.9);
        o.restitution = sample_uniform(&seed, 0.0, 1.0);
        const block_model models[2] = {{1000.0, 600.0, {1.5, 0.6, 0.6}, 0.5},
                                       {600.0, 250.0, {1.0, 0.5, 0.6}, 0.5}};
        start s[2];
        for (int k = 0; k < 2; k++)
            s[k] = (start){models[k],
                           3.2 * k,
                           sample_uniform(&seed, -0.7, 0.7),
                           sample_uniform(&seed, -3.1, 3.1),
                           k ? -3.0 : 3.0,
                           sample_uniform(&seed, -3.0, 3.0),
                           sample_uniform(&seed, -2.0, 2.0)};
        mc_world *world = world_of_blocks(&o, s, 2);
        const double energy = all_energy(world);
        double before[2][8], after[2][8];
        int count = 0;
        const mc_impact *i = NULL;
        for (int k = 0; k < 100 && count == 0; k++) {
            for (int id = 0; id < 2; id++)
                state_of(world, id, before[id]);
            advance(world, 0.01);
            i = mc_world_impacts(world, &count);
        }
        if (count != 1) { // missed, or hit twice in 10 ms
            mc_world_destroy(world);
            continue;
        }
        planar p;
        double r[4], m[2], inertia[2];
        const double n[2] = {i->normal[0], i->normal[1]}, t[2] = {-n[1], n[0]};
        const double until = i->time - mc_world_time(world) + 0.01;
        double u[2] = {0.0, 0.0};
        for (int k = 0; k < 2; k++) {
            m[k] = models[k].mass, inertia[k] = models[k].inertia;
            for (int j = 0; j < 2; j++)
                r[2 * k + j] = i->point[j] - before[k][j] - before[k][3 + j] * until;
            u[0] += (k ? 1.0 : -1.0) * (before[k][3] - before[k][5] * r[2 * k + 1]);
            u[1] += (k ? 1.0 : -1.0) * (before[k][4] + before[k][5] * r[2 * k]);
        }
        p = planar_of(m, inertia, r, n, t);
        p.n = u[0] * n[0] + u[1] * n[1];
        p.t = u[0] * t[0] + u[1] * t[1];
        if (p.nn > o.friction * fabs(p.nt)) {
            const planar_result hand = planar_impact(&p, o.friction, o.restitution);
            const double tangential = i->tangential[0] * t[0] + i->tangential[1] * t[1];
            // A hit after which they still close is solved again: the hand calculation excludes it.
            if (p.n + p.nn * hand.n + p.nt * hand.t > 0.0) {
                worst = fmax(worst, fabs(i->impulse - hand.n) / hand.n);
                worst = fmax(worst, fabs(tangential - hand.t) / hand.n);
                stick += hand.stick_last;
                slip += !hand.stick_last;
                back += hand.back;
                hits++;
            }
        }
        double change[3] = {0.0, 0.0, 0.0}, size = 0.0;
        for (int k = 0; k < 2; k++) {
            state_of(world, k, after[k]);
            for (int j = 0; j < 2; j++) {
                change[j] += m[k] * (after[k][3 + j] - before[k][3 + j]);
                size += m[k] * fabs(before[k][3 + j]);
            }
            change[2] += inertia[k] * (after[k][5] - before[k][5]) +
                         m[k] * (after[k][0] * after[k][4] - after[k][1] * after[k][3] -
                                 before[k][0] * before[k][4] + before[k][1] * before[k][3]);
        }
        momentum = fmax(momentum, fmax(fabs(change[0]), fabs(change[1])) / size);
        spin = fmax(spin, fabs(change[2]) / size);
        balance = fmax(balance, fabs(all_energy(world) + all_losses(world) - energy) / energy);
        assert_true(all_energy(world) <= energy * (1.0 + 1e-13));
        mc_world_destroy(world);
    }
    printf("blocks: %d hits, %d stick, %d slip, %d slip back; difference %.1e, momentum %.1e, "
           "spin %.1e, energy balance %.1e\n",
           hits, stick, slip, back, worst, momentum, spin, balance);
    assert_true(hits > 200 && stick > 30 && slip > 30 && back > 3);
    assert_true(worst < 1e-8);
    assert_true(momentum < 1e-12);
    assert_true(spin < 1e-9);
    assert_true(balance < 1e-11);
}

// ---- mixed kinds ----

// Cars, a car that yields and planar blocks run into each other, with friction.
static mc_world *mixed_pile_up(int threads)
{
    mc_error error;
    mc_world_options o = mc_world_defaults();
    o.threads = threads;
    o.friction = 0.4;
    o.restitution = 0.8;
    mc_world *world = mc_world_create(&o, &error);
    assert_non_null(world);
    cosserat_model models[2] = {sample_model_at_rest(1), sample_model_at_rest(1)};
    models[1].plastic = true;
    models[1].plastic_p[PLASTIC_YIELD_STRAIN] = 0.003;
    const block_model block = {2000.0, 3000.0, {1.2, 0.8, 0.7}, 0.1};
    for (int k = 0; k < 6; k++) {
        mc_batch *batch =
            k % 3 == 2 ? block_batch_create(&block, 1)
                       : cosserat_batch_create(&models[k % 3], 1, COSSERAT_EXPONENTIAL, o.step);
        int id;
        if (k % 3 == 2)
            block_batch_place(batch, 0, 4.0 * k, 0.2, 0.4, 20.0 - 3.0 * k, 0.5, 0.3);
        else
            cosserat_batch_place(batch, 0, 4.0 * k, 0.3 * (k % 2), 0.05, 20.0 - 3.0 * k, 0.0, 0);
        assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
        assert_int_equal(mc_world_add(world, batch, 0, &id, &error), MC_OK);
    }
    assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
    return world;
}

static void different_models_keep_momentum(void **unused)
{
    (void)unused;
    mc_world *world = mixed_pile_up(1);
    const sample_balance begin = sample_balance_of(world);
    const double energy = all_energy(world);
    double size = 0.0, worst = 0.0;
    for (int k = 0; k < 3; k++)
        size += fabs(begin.momentum[k]);
    for (int k = 0; k < 200; k++) {
        advance(world, 0.01);
        const sample_balance now = sample_balance_of(world);
        for (int j = 0; j < 2; j++) // horizontal
            worst = fmax(worst, fabs(now.momentum[j] - begin.momentum[j] - now.road[j]) / size);
    }
    int count, rubbed = 0;
    double friction = 0.0, restitution = 0.0, deepest = 0.0;
    const mc_impact *impacts = mc_world_impacts(world, &count);
    for (int k = 0; k < count; k++) {
        const double *f = impacts[k].tangential;
        const double rub = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        assert_true(rub <= 0.4 * impacts[k].impulse * (1.0 + 1e-12));
        friction += impacts[k].friction_loss;
        restitution += impacts[k].restitution_loss;
        rubbed += rub > 0.0;
        deepest = fmin(deepest, impacts[k].gap);
    }
    const double drift = (all_energy(world) + all_losses(world) - energy) / energy;
    printf("pile-up of three kinds: %d impacts, friction took %.4g J, restitution %.4g J; momentum "
           "%.1e, drift of the energy balance %+.1e\n",
           count, friction, restitution, worst, drift);
    assert_true(count >= 10 && rubbed == count);
    assert_true(friction > 0.0 && restitution > 0.0);
    assert_true(deepest > -2e-4);
    assert_true(worst <= 1e-12);
    assert_true(fabs(drift) < 1e-4);
    mc_world_destroy(world);
}

static void same_bits_on_any_number_of_threads(void **unused)
{
    (void)unused;
    unsigned long long hash[2];
    for (int k = 0; k < 2; k++) {
        mc_world *world = mixed_pile_up(k ? 4 : 1);
        advance(world, 1.0);
        hash[k] = mc_world_hash(world);
        mc_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

// A smooth world and one with friction too small to matter tell the same story.
static void little_friction_is_no_friction(void **unused)
{
    (void)unused;
    double v[2];
    for (int k = 0; k < 2; k++) {
        mc_world_options o = mc_world_defaults();
        o.friction = k ? 1e-12 : 0.0;
        const cosserat_model model = sample_model_at_rest(1);
        const sample_car cars[3] = {{0, -4.0, 0.3, 0.0, 21.5, 0.0},
                                    {0, 0.0, 0.0, 0.0, 20.0, 0.0},
                                    {0, 4.0, 0.2, 0.1, 18.5, 0.0}};
        mc_world *world = sample_world(&o, &model, 1, cars, 3);
        advance(world, 1.0);
        double p[3];
        mc_batch *batch;
        int index;
        mc_world_vehicle(world, 1, &batch, &index);
        batch->kind->momentum(batch, index, p);
        v[k] = p[0] / 1573.0;
        mc_world_destroy(world);
    }
    assert_true(fabs(v[0] - v[1]) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oblique_discs),
        cmocka_unit_test(blocks_off_centre),
        cmocka_unit_test(different_models_keep_momentum),
        cmocka_unit_test(same_bits_on_any_number_of_threads),
        cmocka_unit_test(little_friction_is_no_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
