// test_restitution.c - how cars part: restitution of impacts as a number, and restitution of a
// chassis that yields, which falls with speed.
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

// Two blocks head on: v' = -e v, and the loss is (1 - e^2) times the energy of closing.
static void blocks_head_on(void **unused)
{
    (void)unused;
    const block_model model = {1000.0, 700.0, {1.0, 0.8, 0.5}, 0.4};
    for (int k = 0; k <= 4; k++) {
        mc_error error;
        mc_world_options o = mc_world_defaults();
        o.restitution = 0.25 * k;
        mc_world *world = mc_world_create(&o, &error);
        mc_batch *batch = block_batch_create(&model, 2);
        int id, count;
        block_batch_place(batch, 0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0);
        block_batch_place(batch, 1, 2.5, 0.0, 0.0, 1.0, 0.0, 0.0);
        assert_int_equal(mc_world_give(world, batch, &error), MC_OK);
        for (int i = 0; i < 2; i++)
            assert_int_equal(mc_world_add(world, batch, i, &id, &error), MC_OK);
        assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
        assert_int_equal(mc_world_advance(world, 0.2, &error), MC_OK);
        const mc_impact *impact = mc_world_impacts(world, &count);
        assert_true(count >= 1 && (count == 1 || k == 0));
        double p[2][3];
        for (int i = 0; i < 2; i++)
            batch->kind->momentum(batch, i, p[i]);
        assert_true(fabs((p[1][0] - p[0][0]) / 1000.0 - 4.0 * o.restitution) < 1e-9);
        assert_true(fabs(p[1][0] + p[0][0] - 6000.0) < 1e-9);
        const double loss = (1.0 - o.restitution * o.restitution) * 0.25 * 1000.0 * 16.0;
        assert_true(fabs(impact->restitution_loss - loss) < 1e-9 * 4000.0);
        assert_true(impact->friction_loss == 0.0 && impact->tangential[0] == 0.0);
        mc_world_destroy(world);
    }
}

static void bad_numbers_are_rejected(void **unused)
{
    (void)unused;
    const double bad[][2] = {{-0.1, 0.0}, {1.1, 0.0},  {NAN, 0.0}, {HUGE_VAL, 0.0},
                             {1.0, -0.1}, {1.0, 11.0}, {1.0, NAN}, {1.0, HUGE_VAL}};
    for (int k = 0; k < (int)(sizeof bad / sizeof bad[0]); k++) {
        mc_world_options o = mc_world_defaults();
        mc_error error = {0};
        o.restitution = bad[k][0];
        o.friction = bad[k][1];
        assert_null(mc_world_create(&o, &error));
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_non_null(strstr(error.text, k < 4 ? "restitution of impacts" : "friction between"));
        assert_non_null(strstr(error.text, "expected 0"));
    }
}

typedef struct crash {
    double restitution, crushed, drift, momentum; // -, J, of the energy of closing, of all
    double length[2];                             // of director 1 of both, long after
    int impacts;
} crash;

static double length_of(const mc_world *world, int id)
{
    mc_batch *batch;
    int index;
    double s[VALUE_MAX + 2];
    mc_world_vehicle(world, id, &batch, &index);
    batch->kind->save(batch, index, s);
    const double *d = s + VALUE_D;
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double crushed_of(const mc_world *world)
{
    double sum = 0.0;
    for (int id = 0; id < mc_world_vehicle_count(world); id++) {
        mc_batch *batch;
        int index;
        mc_energy e;
        mc_world_vehicle(world, id, &batch, &index);
        batch->kind->energy(batch, index, &e);
        sum += e.crushed;
    }
    return sum;
}

static crash run_crash(const cosserat_model *model, double closing, double step, double duration)
{
    mc_world_options o = mc_world_defaults();
    o.step = step;
    o.threads = 1;
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 20.0 + closing, 0.0},
                                {0, 3.05, 0.0, 0.0, 20.0, 0.0}};
    mc_world *world = sample_world(&o, model, 1, cars, 2);
    const sample_balance begin = sample_balance_of(world);
    const double energy = 0.25 * 1573.0 * closing * closing;
    mc_error error;
    crash c = {0};
    for (int k = 0; k < (int)lround(duration / 0.01); k++) {
        if (mc_world_advance(world, 0.01, &error) != MC_OK)
            fail_msg("%s", error.text);
        const sample_balance now = sample_balance_of(world);
        const double balance =
            now.energy + now.lost + crushed_of(world) - begin.energy - begin.lost;
        c.drift = fmax(c.drift, fabs(balance) / energy);
        for (int j = 0; j < 2; j++)
            c.momentum = fmax(c.momentum, fabs(now.momentum[j] - begin.momentum[j] -
                                               (now.road[j] - begin.road[j])) /
                                              begin.momentum[0]);
        if (k == 29) { // parted, and the tyres have not done much yet
            double p[2][3];
            for (int id = 0; id < 2; id++) {
                mc_batch *batch;
                int index;
                mc_world_vehicle(world, id, &batch, &index);
                batch->kind->momentum(batch, index, p[id]);
            }
            c.restitution = (p[1][0] - p[0][0]) / 1573.0 / closing;
        }
    }
    mc_world_impacts(world, &c.impacts);
    c.crushed = crushed_of(world) / energy;
    for (int id = 0; id < 2; id++)
        c.length[id] = length_of(world, id);
    mc_world_destroy(world);
    return c;
}

static cosserat_model yielding(double yield_strain, double hardening)
{
    cosserat_model model = sample_model_at_rest(1);
    model.plastic = true;
    model.plastic_p[PLASTIC_YIELD_STRAIN] = yield_strain;
    model.plastic_p[PLASTIC_HARDENING] = hardening;
    return model;
}

// A crash is a few micro-impacts; while their number stays the fall is strict. Where one more comes
// in (22 m/s) it pushes the cars apart a little.
static void restitution_falls_with_speed(void **unused)
{
    (void)unused;
    const double closing[] = {1.0, 2.0, 4.0, 6.0, 8.0, 11.0, 16.0, 22.0, 32.0};
    cosserat_model elastic = yielding(0.01, 1e7), plastic = elastic;
    elastic.plastic = false;
    double before = 1.0;
    int yielded = 0;
    printf("closing m/s  elastic  plastic  crushed  length  impacts  drift\n");
    for (int k = 0; k < 9; k++) {
        const crash e = run_crash(&elastic, closing[k], 5e-4, 0.3);
        const crash p = run_crash(&plastic, closing[k], 5e-4, 0.3);
        printf("%10g  %7.4f  %7.4f  %7.4f  %6.4f  %7d  %.1e\n", closing[k], e.restitution,
               p.restitution, p.crushed, p.length[0], p.impacts, p.drift);
        assert_true(p.momentum < 1e-12 && e.momentum < 1e-12);
        assert_true(p.drift < 2e-4);
        assert_true(e.crushed == 0.0);
        if (p.crushed == 0.0)
            assert_true(p.restitution == e.restitution); // to the bit
        else
            assert_true(p.restitution < before + (p.impacts > 2 ? 0.03 : 0.0) &&
                        p.restitution < e.restitution - 0.01);
        yielded += p.crushed > 0.0;
        before = p.restitution;
    }
    assert_true(yielded >= 4 && yielded <= 7); // some below yield, some above
    assert_true(before < 0.1);
}

// Long after the crash the chassis still is as short as it was made; an elastic one is not.
static void the_new_shape_stays(void **unused)
{
    (void)unused;
    cosserat_model model = yielding(0.01, 1e7);
    const double whole = 1.0;
    const crash early = run_crash(&model, 16.0, 5e-4, 0.5),
                late = run_crash(&model, 16.0, 5e-4, 2.0);
    model.plastic = false;
    const crash elastic = run_crash(&model, 16.0, 5e-4, 2.0);
    printf("length of director 1: %.4f after 0.5 s, %.4f after 2 s; elastic %.4f\n",
           early.length[0], late.length[0], elastic.length[0]);
    for (int id = 0; id < 2; id++) {
        assert_true(late.length[id] < whole - 0.03);
        assert_true(fabs(late.length[id] - early.length[id]) < 0.015);
        assert_true(fabs(elastic.length[id] - whole) < 0.015);
    }
}

// A car with brakes on and a chassis that yields: the states of wheels and of the chassis stand
// side by side, and the energy balance closes.
static void braked_cars_yield_too(void **unused)
{
    (void)unused;
    cosserat_model model = yielding(0.005, 1e7);
    model.gear.driven = true;
    const mc_world_options o = mc_world_defaults();
    const sample_car cars[2] = {{0, 0.0, 0.2, 0.0, 25.0, 0.0}, {0, 4.0, 0.0, 0.0, 15.0, 0.0}};
    mc_world *world = sample_world(&o, &model, 1, cars, 2);
    double balance[2] = {0.0, 0.0};
    mc_energy e[2];
    for (int when = 0; when < 2; when++) {
        mc_error error;
        for (int id = 0; id < 2; id++) {
            mc_batch *batch;
            int index;
            mc_world_vehicle(world, id, &batch, &index);
            const mc_inputs brake = {.brake = 0.5};
            batch->kind->set_inputs(batch, index, 1, &brake);
            batch->kind->energy(batch, index, &e[id]);
            balance[when] += e[id].kinetic + e[id].elastic + e[id].spring + e[id].gravity +
                             e[id].damped + e[id].slipped + e[id].braked + e[id].dragged +
                             e[id].crushed - e[id].driven;
        }
        if (when == 0)
            assert_int_equal(mc_world_advance(world, 1.0, &error), MC_OK);
    }
    const double closing = 0.25 * 1573.0 * 100.0;
    printf("braked and hit: crushed %.0f J, braked %.0f J, energy balance %+.1e of the energy of "
           "closing\n",
           e[0].crushed + e[1].crushed, e[0].braked + e[1].braked,
           (balance[1] - balance[0]) / closing);
    assert_true(e[0].crushed > 1000.0 && e[1].crushed > 1000.0 && e[0].braked > 10000.0);
    assert_true(fabs(balance[1] - balance[0]) < 1e-3 * closing);
    mc_world_destroy(world);
}

// The result at the default step is that of finer ones.
static void steps_agree(void **unused)
{
    (void)unused;
    const cosserat_model model = yielding(0.01, 1e7);
    const crash finest = run_crash(&model, 11.0, 1.25e-5, 0.3);
    double before = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const crash c = run_crash(&model, 11.0, 5e-4 * pow(0.25, k), 0.3);
        const double error = fabs(c.restitution - finest.restitution);
        printf("step %-9g restitution %.5f  error %.1e  drift %.1e\n", 5e-4 * pow(0.25, k),
               c.restitution, error, c.drift);
        assert_true(error < 2e-3 && error < before);
        before = error;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_head_on),
        cmocka_unit_test(bad_numbers_are_rejected),
        cmocka_unit_test(restitution_falls_with_speed),
        cmocka_unit_test(the_new_shape_stays),
        cmocka_unit_test(braked_cars_yield_too),
        cmocka_unit_test(steps_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
