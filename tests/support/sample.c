// sample.c - sample vehicles and worlds for tests.
#include "support/sample.h"

#include "cosserat/equilibrium.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

cosserat_model sample_model(int number)
{
    const double p[COSSERAT_PARAM_COUNT] = {1573.0,
                                            479.6,
                                            2594.6,
                                            2782.0,
                                            number == 2 ? 200.0e7 : 200.0e6,
                                            number == 2 ? 0.33 : 0.30,
                                            0.42,
                                            1.034,
                                            1.491,
                                            0.725,
                                            0.0,
                                            0.0,
                                            0.15,
                                            17000.0,
                                            40000.0,
                                            1500.0,
                                            1200.0,
                                            0.0016,
                                            1.5,
                                            1.0,
                                            1.0,
                                            -0.0373,
                                            0.9972,
                                            0.0,
                                            -0.0748,
                                            0.0,
                                            1.0,
                                            0.0,
                                            0.0749,
                                            0.0,
                                            0.9972};
    cosserat_model model;
    cosserat_model_init(&model);
    memcpy(model.p, p, sizeof p);
    return model;
}

cosserat_model sample_model_at_rest(int number)
{
    cosserat_model model = sample_model(number);
    mc_error error;
    double rest[10];
    assert_int_equal(cosserat_equilibrium(&model, rest, NULL, &error), MC_OK);
    memcpy(&model.p[COSSERAT_R3], rest, sizeof rest);
    return model;
}

mc_world *sample_world(const mc_world_options *options, const cosserat_model *models,
                       int model_count, const sample_car *cars, int car_count)
{
    mc_error error;
    mc_world *world = mc_world_create(options, &error);
    assert_non_null(world);
    const cosserat_scheme scheme =
        options->contact == MC_CONTACT_LAW_PENALTY ? COSSERAT_PUBLISHED : COSSERAT_EXPONENTIAL;
    mc_batch *batch[16] = {NULL};
    int used[16] = {0};
    assert_true(model_count <= 16);
    for (int i = 0; i < car_count; i++)
        used[cars[i].model]++;
    for (int k = 0; k < model_count; k++) {
        if (used[k] == 0)
            continue;
        batch[k] = cosserat_batch_create(&models[k], used[k], scheme, options->step);
        assert_non_null(batch[k]);
        assert_int_equal(mc_world_give(world, batch[k], &error), MC_OK);
        used[k] = 0;
    }
    for (int i = 0; i < car_count; i++) {
        const sample_car *c = &cars[i];
        int id;
        cosserat_batch_place(batch[c->model], used[c->model], c->x, c->y, c->heading, c->speed,
                             c->steering, 0);
        assert_int_equal(mc_world_add(world, batch[c->model], used[c->model]++, &id, &error),
                         MC_OK);
        assert_int_equal(id, i);
    }
    if (mc_world_start(world, NULL, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    return world;
}

sample_balance sample_balance_of(const mc_world *world)
{
    sample_balance sum = {{0}, {0}, 0.0, 0.0, 0.0};
    for (int id = 0; id < mc_world_vehicle_count(world); id++) {
        mc_batch *batch;
        int index;
        double p[3], road[3];
        mc_energy e;
        mc_world_vehicle(world, id, &batch, &index);
        batch->kind->momentum(batch, index, p);
        batch->kind->road_impulse(batch, index, road);
        batch->kind->energy(batch, index, &e);
        for (int k = 0; k < 3; k++) {
            sum.momentum[k] += p[k];
            sum.road[k] += road[k];
        }
        sum.weight_time +=
            batch->kind->mass(batch, index) * batch->kind->gravity(batch) * mc_world_time(world);
        sum.energy += e.kinetic + e.elastic + e.spring + e.gravity;
        sum.lost += e.damped + e.slipped;
    }
    return sum;
}

unsigned long long sample_random(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

double sample_uniform(unsigned long long *state, double low, double high)
{
    return low + (high - low) * (double)(sample_random(state) >> 11) * 0x1p-53;
}
