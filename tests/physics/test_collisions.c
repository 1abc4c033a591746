// test_collisions.c - the ledgers of the default scheme in many kinds of crash, looked at after
// every step and, as a user runs them, after every row of 10 ms.
//
// Each time: the change of momentum is the impulse of road and gravity to 1e-12 of the momentum
// that moves; energy plus what dampers and tyres took never rises by more than 1e-4 of the kinetic
// energy of closing. The sample collision converges, and the default settings are within 1e-3.
#include "support/block.h"
#include "support/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

typedef struct ledger {
    int impacts;
    double momentum; // largest error, of the sum of the sizes of the momenta
    double rise;     // largest rise in one step, of the energy of closing
    double drift;    // of the sum over the run, of the energy of closing
    double deepest;  // m, minimum gap at an impact
} ledger;

static double momentum_size(const mc_world *world)
{
    double size = 0.0;
    for (int id = 0; id < mc_world_vehicle_count(world); id++) {
        mc_batch *batch;
        int index;
        double p[3];
        mc_world_vehicle(world, id, &batch, &index);
        batch->kind->momentum(batch, index, p);
        size += sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    return size;
}

// Kinetic energy of the mass centres in the frame of their common centre.
static double closing_energy(const mc_world *world)
{
    double mass = 0.0, p_all[3] = {0}, energy = 0.0;
    for (int id = 0; id < mc_world_vehicle_count(world); id++) {
        mc_batch *batch;
        int index;
        double p[3];
        mc_world_vehicle(world, id, &batch, &index);
        batch->kind->momentum(batch, index, p);
        const double m = batch->kind->mass(batch, index);
        mass += m;
        for (int k = 0; k < 3; k++) {
            p_all[k] += p[k];
            energy += 0.5 * p[k] * p[k] / m;
        }
    }
    for (int k = 0; k < 3; k++)
        energy -= 0.5 * p_all[k] * p_all[k] / mass;
    return energy;
}

static ledger run(mc_world *world, double duration, double step)
{
    mc_error error;
    const double closing = closing_energy(world);
    const double size = momentum_size(world);
    const sample_balance start = sample_balance_of(world);
    sample_balance before = start;
    ledger l = {0};
    for (int k = 0; k < (int)lround(duration / step); k++) {
        if (mc_world_advance(world, step, &error) != MC_OK)
            fail_msg("%s", error.text);
        const sample_balance now = sample_balance_of(world);
        for (int j = 0; j < 3; j++) {
            const double road = now.road[j] - start.road[j] - (j == 2 ? now.weight_time : 0.0);
            l.momentum = fmax(l.momentum, fabs(now.momentum[j] - start.momentum[j] - road) / size);
        }
        l.rise = fmax(l.rise, (now.energy + now.lost - before.energy - before.lost) / closing);
        l.drift = (now.energy + now.lost - start.energy - start.lost) / closing;
        before = now;
    }
    const mc_impact *impacts = mc_world_impacts(world, &l.impacts);
    for (int k = 0; k < l.impacts; k++)
        l.deepest = fmin(l.deepest, impacts[k].gap);
    return l;
}

typedef mc_world *maker(const void *context);

static void check(const char *name, maker *make, const void *context, double duration,
                  int min_impacts)
{
    const double steps[2] = {mc_world_defaults().step, 0.01};
    for (int k = 0; k < 2; k++) {
        mc_world *world = make(context);
        const ledger l = run(world, duration, steps[k]);
        printf("%-28s %3d impacts  momentum %.1e  largest rise %.1e  drift %+.1e\n",
               k ? "  the same, by rows" : name, l.impacts, l.momentum, l.rise, l.drift);
        assert_true(l.impacts >= min_impacts);
        assert_true(l.momentum <= 1e-12);
        assert_true(l.rise <= 1e-4);
        assert_true(fabs(l.drift) <= 1e-3);
        assert_true(l.deepest > -1e-8);
        mc_world_destroy(world);
    }
}

// What most crashes are: cars of one or two models.
typedef struct crash {
    const cosserat_model *models;
    int model_count;
    const sample_car *cars;
    int car_count;
} crash;

static mc_world *make_crash(const void *context)
{
    const crash *c = context;
    mc_world_options o = mc_world_defaults();
    return sample_world(&o, c->models, c->model_count, c->cars, c->car_count);
}

static const sample_car sample_pair[2] = {{0, 0.0, 0.0, 0.0, 24.4444, 0.0},
                                          {0, 5.0, 0.0, 0.0, 23.1111, 0.0}};

static void sample_collision(void **unused)
{
    (void)unused;
    for (int number = 1; number <= 2; number++) {
        const cosserat_model model = sample_model(number);
        check(number == 1 ? "sample, model 1" : "sample, model 2", make_crash,
              &(crash){&model, 1, sample_pair, 2}, 3.0, 2);
    }
}

static void without_road(void **unused)
{
    (void)unused;
    cosserat_model model = sample_model(1);
    model.gravity = 0.0;
    model.gear.tyre = tyre_kind_find("none");
    model.p[COSSERAT_C1] = model.p[COSSERAT_C2] = 0.0;
    model.p[COSSERAT_D1] = model.p[COSSERAT_D2] = 0.0;
    mc_world_options o = mc_world_defaults();
    mc_world *world = sample_world(&o, &model, 1, sample_pair, 2);
    const double size = momentum_size(world);
    const sample_balance start = sample_balance_of(world);
    const ledger l = run(world, 3.0, o.step);
    const sample_balance end = sample_balance_of(world);
    for (int j = 0; j < 3; j++)
        assert_true(fabs(end.momentum[j] - start.momentum[j]) <= 1e-12 * size);
    assert_true(l.impacts >= 2);
    assert_true(fabs(l.drift) <= 1e-4); // nothing can take energy here
    mc_world_destroy(world);
}

static void unequal_masses(void **unused)
{
    (void)unused;
    cosserat_model models[2] = {sample_model_at_rest(1), sample_model(1)};
    for (int k = COSSERAT_MASS; k <= COSSERAT_IZ; k++)
        models[1].p[k] *= 3.0;
    models[1].p[COSSERAT_C1] *= 3.0, models[1].p[COSSERAT_C2] *= 3.0;
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 25.0, 0.0}, {1, 4.0, 0.3, 0.0, 22.0, 0.0}};
    check("unequal masses", make_crash, &(crash){models, 2, cars, 2}, 2.0, 1);
}

static void oblique(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.25, 22.0, 0.0}, {0, 4.2, 1.2, -0.15, 14.0, 0.0}};
    check("oblique", make_crash, &(crash){&model, 1, cars, 2}, 2.0, 1);
}

static void sandwich(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    const sample_car cars[3] = {{0, -4.0, 0.0, 0.0, 21.5, 0.0},
                                {0, 0.0, 0.0, 0.0, 20.0, 0.0},
                                {0, 4.0, 0.0, 0.0, 18.5, 0.0}};
    check("three-car sandwich", make_crash, &(crash){&model, 1, cars, 3}, 3.0, 4);
}

static void pile_up(void **unused)
{
    (void)unused;
    const cosserat_model models[2] = {sample_model_at_rest(1), sample_model_at_rest(2)};
    sample_car cars[10];
    for (int i = 0; i < 10; i++)
        cars[i] = (sample_car){i % 2, 4.0 * i, 0.05 * (i % 3), 0.0, 20.0 - 1.5 * i, 0.0};
    check("ten-car pile-up", make_crash, &(crash){models, 2, cars, 10}, 2.0, 20);
}

typedef struct spin {
    int model;
    double turn; // rad/s
} spin;

static mc_world *make_spin(const void *context)
{
    const spin *s = context;
    const cosserat_model model = sample_model_at_rest(s->model);
    const sample_car cars[2] = {{0, 0.0, 0.0, 0.0, 24.0, 0.0}, {0, 5.0, 0.4, 0.02, 18.0, 0.0}};
    mc_world_options o = mc_world_defaults();
    mc_world *world = sample_world(&o, &model, 1, cars, 2);
    mc_batch *batch;
    int index;
    double state[64];
    mc_error error;
    mc_world_vehicle(world, 1, &batch, &index);
    batch->kind->save(batch, index, state);
    for (int i = 0; i < 3; i++) { // w = turn x d
        state[VALUE_W + 3 * i] = -s->turn * state[VALUE_D + 3 * i + 1];
        state[VALUE_W + 3 * i + 1] = s->turn * state[VALUE_D + 3 * i];
    }
    batch->kind->restore(batch, index, state);
    assert_int_equal(mc_world_refresh(world, &error), MC_OK);
    return world;
}

static void spinning(void **unused)
{
    (void)unused;
    check("hit while spinning, 3 rad/s", make_spin, &(spin){1, 3.0}, 2.0, 1);
    check("model 2, 8 rad/s", make_spin, &(spin){2, 8.0}, 2.0, 1);
}

static mc_world *make_block_against_car(const void *context)
{
    (void)context;
    mc_error error;
    const cosserat_model model = sample_model_at_rest(1);
    const block_model block = {2000.0, 3000.0, {1.2, 0.8, 0.7}, 0.1};
    mc_world_options o = mc_world_defaults();
    mc_world *world = mc_world_create(&o, &error);
    mc_batch *car = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, o.step);
    mc_batch *other = block_batch_create(&block, 1);
    int id;
    assert_int_equal(mc_world_give(world, car, &error), MC_OK);
    assert_int_equal(mc_world_give(world, other, &error), MC_OK);
    cosserat_batch_place(car, 0, 0.0, 0.0, 0.0, 12.0, 0.0, 0);
    block_batch_place(other, 0, 4.0, 0.3, 0.4, 8.0, -0.5, 0.7);
    assert_int_equal(mc_world_add(world, car, 0, &id, &error), MC_OK);
    assert_int_equal(mc_world_add(world, other, 0, &id, &error), MC_OK);
    assert_int_equal(mc_world_start(world, NULL, NULL, &error), MC_OK);
    return world;
}

static void block_against_car(void **unused)
{
    (void)unused;
    check("planar block against car", make_block_against_car, NULL, 2.0, 1);
}

// Relative speed of the mass centres after the crash over that before.
static double restitution_at(double step)
{
    mc_world_options o = mc_world_defaults();
    o.step = step;
    o.threads = 1;
    const cosserat_model model = sample_model(1);
    mc_world *world = sample_world(&o, &model, 1, sample_pair, 2);
    mc_error error;
    assert_int_equal(mc_world_advance(world, 3.0, &error), MC_OK);
    mc_batch *batch;
    int index;
    double a[3], b[3];
    mc_world_vehicle(world, 0, &batch, &index);
    batch->kind->momentum(batch, index, a);
    mc_world_vehicle(world, 1, &batch, &index);
    batch->kind->momentum(batch, index, b);
    const double result = (b[0] - a[0]) / batch->kind->mass(batch, index) / (24.4444 - 23.1111);
    mc_world_destroy(world);
    return result;
}

static void convergence(void **unused)
{
    (void)unused;
    const double finest = restitution_at(1.5625e-5);
    double before = HUGE_VAL;
    for (double step = 2e-3; step > 1e-4; step *= 0.5) {
        const double error = fabs(restitution_at(step) - finest);
        printf("step %-9g restitution %.9f  error %.1e\n", step, restitution_at(step), error);
        assert_true(error < before || error < 1e-9);
        before = error;
    }
    assert_true(fabs(finest - 0.53181) < 1e-5);
    assert_true(fabs(restitution_at(mc_world_defaults().step) - finest) <= 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_collision), cmocka_unit_test(without_road),
        cmocka_unit_test(unequal_masses),   cmocka_unit_test(oblique),
        cmocka_unit_test(sandwich),         cmocka_unit_test(pile_up),
        cmocka_unit_test(spinning),         cmocka_unit_test(block_against_car),
        cmocka_unit_test(convergence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
