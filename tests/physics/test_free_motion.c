// test_free_motion.c - the default scheme against CVODE at rtol 1e-12: settling, steering, yaw
// recovery, with the assembly points 0.3 m below the mass centre. Each case with one of the two
// sample models in `make test`, with both in `make campaign`. Prints the observed order.
#include "support/reference.h"
#include "support/sample.h"
#include "support/series.h"

#include "cosserat/equilibrium.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 100, STATES = 28 };
static const double duration = 10.0, speed = 20.0;

typedef struct test_case {
    const char *name;
    double steering; // rad
    double slip;     // rad, heading against velocity at the start
    double height;   // m, H1 = H2
    bool from_rest;  // starts from the solved equilibrium, else from the printed one
} test_case;

static const test_case cases[] = {
    {"settling", 0.0, 0.0, 0.0, false},           {"steering", 0.02, 0.0, 0.0, false},
    {"steering from rest", 0.02, 0.0, 0.0, true}, {"yaw recovery", 0.0, 0.05, 0.0, false},
    {"H = 0.3, steering", 0.02, 0.0, 0.3, true},
};

static cosserat_model model_of(const test_case *c, int number)
{
    cosserat_model model = sample_model(number);
    if (c->height > 0.0) {
        model.p[COSSERAT_H1] = model.p[COSSERAT_H2] = c->height;
        model.p[COSSERAT_B] = 1.45; // at 0.725 it rolls over
    }
    if (c->from_rest) {
        mc_error error;
        assert_int_equal(cosserat_equilibrium(&model, &model.p[COSSERAT_R3], NULL, &error), MC_OK);
    }
    return model;
}

static mc_batch *start(const test_case *c, const cosserat_model *model, double step)
{
    mc_batch *batch = cosserat_batch_create(model, 1, COSSERAT_EXPONENTIAL, step);
    assert_non_null(batch);
    cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, speed, c->steering, 0);
    double state[64];
    batch->kind->save(batch, 0, state);
    state[VALUE_V] = speed * cos(c->slip);
    state[VALUE_V + 1] = speed * sin(c->slip);
    batch->kind->restore(batch, 0, state);
    return batch;
}

static void rate(void *context, double t, const double *y, double *dy)
{
    (void)t;
    mc_batch *batch = context;
    double state[64], out[64];
    batch->kind->save(batch, 0, state); // for the steering
    memcpy(state, y, STATES * sizeof *y);
    batch->kind->restore(batch, 0, state);
    cosserat_batch_rate(batch, 0, out);
    memcpy(dy, out, STATES * sizeof *dy);
}

// Largest errors of position and directors over the run.
static void errors_at(const test_case *c, const cosserat_model *model, double step,
                      double reference[SAMPLES][STATES], double *position, double *director)
{
    mc_batch *batch = start(c, model, step);
    *position = *director = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        double state[64];
        batch->kind->advance(batch, 0, 1, duration / SAMPLES);
        batch->kind->save(batch, 0, state);
        for (int j = 0; j < 3; j++)
            *position = fmax(*position, fabs(state[j] - reference[k][j]));
        for (int j = 3; j < 12; j++)
            *director = fmax(*director, fabs(state[j] - reference[k][j]));
    }
    batch->kind->destroy(batch);
}

static void free_motion(void **unused)
{
    (void)unused;
    static double reference[SAMPLES][STATES];
    const double step = mc_world_defaults().step;
    printf("%-22s %5s %12s %12s %8s\n", "case", "model", "position [m]", "directors", "order");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int number = 1; number <= 2; number++) {
            const test_case *c = &cases[k];
            if (series_share() < 1.0 && number != 1 + (int)k % 2)
                continue;
            const cosserat_model model = model_of(c, number);
            mc_batch *batch = start(c, &model, step);
            double y[64], r[2], d[2];
            batch->kind->save(batch, 0, y);
            for (int s = 0; s < SAMPLES; s++) {
                assert_int_equal(reference_integrate(rate, batch, STATES, y, duration * s / SAMPLES,
                                                     duration * (s + 1) / SAMPLES, 1e-14),
                                 0);
                memcpy(reference[s], y, STATES * sizeof *y);
            }
            batch->kind->destroy(batch);
            for (int half = 0; half < 2; half++) // h, h / 2
                errors_at(c, &model, step * ldexp(1.0, -half), reference, &r[half], &d[half]);
            // Directors carry the order: the position of a car that settles is at rounding.
            const double order = log2(d[0] / d[1]);
            printf("%-22s %5d %12.2e %12.2e %8.2f\n", c->name, number, r[0], d[0], order);
            assert_true(r[0] <= 1e-6);
            assert_true(d[0] <= 1e-6);
            assert_true(order > 3.5);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
