// bench_planar.c - planar cars: vehicle-steps of 1 ms per second of processor time, on one core.
//
// 256 cars steer and accelerate; each law of tyres is a row, order two and order four. Best of
// several rounds: other work on the machine only adds time.
#include "measure.h"

#include "vehicles/planar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CARS = 256, STEPS = 200, ROUNDS = 21 };

// The laws whose rows are printed, where the library has them.
static const char *const laws[] = {"brush", "linear", "pac2002"};

static mc_batch *create(const tyre_kind *tyre, double order)
{
    planar_spec spec;
    vehicle_spec_init(&vehicle_planar, &spec);
    spec.model.p[PLANAR_ORDER] = order;
    spec.model.gear.tyre = tyre;
    tyre_defaults(tyre, spec.model.gear.tyre_p);
    mc_batch *batch = planar_batch_create(&spec.model, CARS, 1e-3);
    for (int i = 0; batch && i < CARS; i++) {
        const mc_inputs in = {.throttle = 0.1 + 0.001 * i, .steer = 0.0002 * (i - CARS / 2)};
        planar_batch_place(batch, i, 0.0, 10.0 * i, 0.0, 10.0 + 0.1 * i);
        batch->kind->set_inputs(batch, i, 1, &in);
    }
    return batch;
}

static double run(void *context)
{
    mc_batch *batch = context;
    const double start = measure_cpu();
    batch->kind->advance(batch, 0, CARS, 1e-3 * STEPS);
    return measure_cpu() - start;
}

static int one(const tyre_kind *tyre, double order)
{
    mc_batch *batch = create(tyre, order);
    if (!batch) {
        fprintf(stderr, "bench_planar: no memory\n");
        return 1;
    }
    measure_side side = {.run = run, .context = batch};
    measure_sides(&side, 1, ROUNDS);
    char name[64];
    snprintf(name, sizeof name, "planar_%s%s", tyre->name, order == 4.0 ? "_rk4" : "");
    measure_print_alone(name, CARS * STEPS / side.seconds / 1e6, "M vehicle-steps/s");
    batch->kind->destroy(batch);
    return 0;
}

int main(void)
{
    int code = 0;
    measure_pin(true);
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        const tyre_kind *tyre = tyre_kind_find(laws[k]);
        for (int order = 2; tyre && order <= 4; order += 2)
            code |= one(tyre, order);
    }
    return code;
}
