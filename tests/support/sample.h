// sample.h - the report's sample vehicles, in memory.
#pragma once

#include "cosserat/batch.h"
#include "motorcade/world.h"

// Model 1 or 2 of the report's appendix C.
cosserat_model sample_model(int number);

// The same with EQUILIBRIUM solved.
cosserat_model sample_model_at_rest(int number);

// Place of one vehicle in a test world.
typedef struct sample_car {
    int model; // into the models given
    double x, y, heading, speed, steering;
} sample_car;

// A started world of cars; fails the test when it cannot be made. One batch a model, in order.
mc_world *sample_world(const mc_world_options *options, const cosserat_model *models,
                       int model_count, const sample_car *cars, int car_count);

// Sums over all vehicles of a world.
typedef struct sample_balance {
    double momentum[3]; // N s
    double road[3];     // N s, impulse of the road so far
    double weight_time; // N s, sum of m g t: impulse of gravity is minus this along z
    double energy;      // J, kinetic + elastic + spring + gravity
    double lost;        // J, damped + slipped
} sample_balance;
sample_balance sample_balance_of(const mc_world *world);

unsigned long long sample_random(unsigned long long *state); // splitmix64
double sample_uniform(unsigned long long *state, double low, double high);
