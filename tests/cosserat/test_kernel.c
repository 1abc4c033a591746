// test_kernel.c - the deformable vehicle against closed forms and conservation laws.
#include "support/reference.h"
#include "support/sample.h"

#include "num/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A chassis in free space: no road, no weight.
static cosserat_model floating(int number)
{
    cosserat_model model = sample_model(number);
    model.gravity = 0.0;
    model.gear.tyre = tyre_kind_find("none");
    for (int k = COSSERAT_C1; k <= COSSERAT_D2; k++)
        model.p[k] = 0.0;
    const double upright[10] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(&model.p[COSSERAT_R3], upright, sizeof upright);
    return model;
}

// Shear w^2 = V mu (1/my_i + 1/my_j); uniform stretch modes: eigenvalues of V(lambda 11' + 2 mu
// I)/my.
static void elastic_modes_have_their_closed_forms(void **unused)
{
    (void)unused;
    const double amplitude = 1e-7; // the neglected nonlinear part is of this relative size
    for (int number = 1; number <= 2; number++) {
        const cosserat_model model = floating(number);
        double my[3], lambda, mu;
        cosserat_director_inertia(&model, my);
        cosserat_lame(&model, &lambda, &mu);
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const double omega = sqrt(model.p[COSSERAT_VOLUME] * mu * (1.0 / my[i] + 1.0 / my[j]));
            mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
            double state[64];
            batch->kind->save(batch, 0, state);
            // A shear that carries no angular momentum: e_ij : e_ji as my_i : my_j.
            state[VALUE_D + 3 * j + i] = amplitude * my[i] / (my[i] + my[j]);
            state[VALUE_D + 3 * i + j] = amplitude * my[j] / (my[i] + my[j]);
            batch->kind->restore(batch, 0, state);
            for (int s = 1; s <= 200; s++) {
                batch->kind->advance(batch, 0, 1, 0.005);
                batch->kind->save(batch, 0, state);
                const double shear = state[VALUE_D + 3 * j + i] + state[VALUE_D + 3 * i + j];
                assert_true(fabs(shear - amplitude * cos(omega * 0.005 * s)) < 1e-4 * amplitude);
            }
            batch->kind->destroy(batch);
        }
    }
}

static void angular_momentum(const cosserat_model *model, const double *state, double out[3])
{
    double my[3];
    cosserat_director_inertia(model, my);
    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < 3; i++) {
        double cross[3];
        vec3_cross(state + VALUE_D + 3 * i, state + VALUE_W + 3 * i, cross);
        for (int k = 0; k < 3; k++)
            out[k] += my[i] * cross[k];
    }
}

// A tumbling, ringing chassis keeps momentum, angular momentum and energy.
static void tumbling_keeps_what_it_should(void **unused)
{
    (void)unused;
    const cosserat_model model = floating(1);
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
    double state[64], before[3], after[3];
    unsigned long long seed = 3;
    batch->kind->save(batch, 0, state);
    const double turn[3] = {0.7, -0.4, 1.5};
    for (int i = 0; i < 3; i++) {
        vec3_cross(turn, state + VALUE_D + 3 * i, state + VALUE_W + 3 * i);
        for (int k = 0; k < 3; k++)
            state[VALUE_W + 3 * i + k] += sample_uniform(&seed, -0.3, 0.3);
    }
    batch->kind->restore(batch, 0, state);
    angular_momentum(&model, state, before);
    mc_energy e_before, e_after;
    batch->kind->energy(batch, 0, &e_before);
    batch->kind->advance(batch, 0, 1, 5.0);
    batch->kind->save(batch, 0, state);
    batch->kind->energy(batch, 0, &e_after);
    angular_momentum(&model, state, after);
    const double size = vec3_norm(before);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(after[k] - before[k]) < 1e-6 * size);
    const double total = e_before.kinetic + e_before.elastic;
    assert_true(fabs(e_after.kinetic + e_after.elastic - total) < 1e-6 * total);
    assert_true(e_before.vibration > 0.01 * total);
    batch->kind->destroy(batch);
}

// dE/dt is minus what dampers and tyres take, at any state: forces fit their energies.
static void power_balances(void **unused)
{
    (void)unused;
    unsigned long long seed = 17;
    const cosserat_model model = sample_model(1);
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
    for (int trial = 0; trial < 200; trial++) {
        cosserat_batch_place(batch, 0, 0.0, 0.0, 0.4, 15.0, 0.05, 0);
        double start[64], rate[64], shifted[64];
        batch->kind->save(batch, 0, start);
        for (int k = VALUE_D; k < VALUE_TYRE + 4; k++)
            start[k] += sample_uniform(&seed, -0.02, 0.02);
        start[2] += sample_uniform(&seed, -0.2, 0.2); // some wheels hang
        batch->kind->restore(batch, 0, start);
        cosserat_batch_rate(batch, 0, rate);
        const double h = 1e-7;
        double energy[2];
        for (int side = 0; side < 2; side++) {
            memcpy(shifted, start, sizeof shifted);
            for (int k = 0; k < VALUE_TYRE; k++)
                shifted[k] += (side ? h : -h) * rate[k];
            batch->kind->restore(batch, 0, shifted);
            mc_energy e;
            batch->kind->energy(batch, 0, &e);
            energy[side] = e.kinetic + e.elastic + e.spring + e.gravity;
        }
        const int sums = cosserat_batch_value_count(batch) - SUM_COUNT;
        const double power = (energy[1] - energy[0]) / (2.0 * h);
        const double taken = rate[sums + SUM_DAMPED] + rate[sums + SUM_SLIPPED];
        const double scale = 1e3 + fabs(taken) + 1e-3 * energy[0];
        assert_true(fabs(power + taken) < 1e-3 * scale);
        assert_true(rate[sums + SUM_DAMPED] >= -1e-9);
    }
    batch->kind->destroy(batch);
}

static void drop_rate(void *context, double t, const double *y, double *dy)
{
    (void)t;
    mc_batch *batch = context;
    double state[64], out[64];
    batch->kind->save(batch, 0, state);
    memcpy(state, y, 28 * sizeof *y);
    batch->kind->restore(batch, 0, state);
    cosserat_batch_rate(batch, 0, out);
    memcpy(dy, out, 28 * sizeof *dy);
}

// Dropped from the air the car bounces; wheels meet and leave the road, and the order holds.
static void wheels_leave_and_meet_the_road(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    double truth[64], error[3];
    mc_batch *batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, 5e-4);
    cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, 20.0, 0.0, 0);
    batch->kind->save(batch, 0, truth);
    truth[2] += 0.5;
    assert_int_equal(reference_integrate(drop_rate, batch, 28, truth, 0.0, 2.0, 1e-14), 0);
    batch->kind->destroy(batch);
    for (int k = 0; k < 3; k++) {
        double state[64];
        batch = cosserat_batch_create(&model, 1, COSSERAT_EXPONENTIAL, ldexp(1e-3, -k));
        cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, 20.0, 0.0, 0);
        batch->kind->save(batch, 0, state);
        state[2] += 0.5;
        batch->kind->restore(batch, 0, state);
        batch->kind->advance(batch, 0, 1, 2.0);
        batch->kind->save(batch, 0, state);
        error[k] = 0.0;
        for (int j = 0; j < 12; j++)
            error[k] = fmax(error[k], fabs(state[j] - truth[j]));
        batch->kind->destroy(batch);
    }
    printf("drop from 0.5 m: errors %.1e, %.1e, %.1e at 1, 0.5, 0.25 ms\n", error[0], error[1],
           error[2]);
    assert_true(error[1] < 1e-6);
    assert_true(error[2] < 0.2 * error[1] || error[2] < 1e-9);
}

// A car that is parked stays where it is, in either scheme.
static void a_parked_car_stands_still(void **unused)
{
    (void)unused;
    const cosserat_model model = sample_model_at_rest(1);
    for (int published = 0; published < 2; published++) {
        mc_batch *batch =
            cosserat_batch_create(&model, 1, published ? COSSERAT_PUBLISHED : COSSERAT_EXPONENTIAL,
                                  published ? 5e-5 : 5e-4);
        cosserat_batch_place(batch, 0, 0.0, 0.0, 0.3, 0.0, 0.0, 0);
        double state[64], start[64];
        batch->kind->save(batch, 0, start);
        start[VALUE_V] = -0.001 * sin(0.3); // a nudge from the side dies out
        start[VALUE_V + 1] = 0.001 * cos(0.3);
        batch->kind->restore(batch, 0, start);
        batch->kind->advance(batch, 0, 1, 20.0);
        batch->kind->save(batch, 0, state);
        for (int k = 1; k < 12; k++)
            assert_true(fabs(state[k] - start[k]) < 1e-3);
        batch->kind->save(batch, 0, start);
        batch->kind->advance(batch, 0, 1, 20.0);
        batch->kind->save(batch, 0, state);
        for (int k = 0; k < 12; k++)
            assert_true(fabs(state[k] - start[k]) < 1e-8);
        batch->kind->destroy(batch);
    }
}

// Both builds of the vector code do the same, up to fused rounding.
static void plain_and_avx2_agree(void **unused)
{
    (void)unused;
    double state[2][64];
    for (int plain = 0; plain < 2; plain++) {
        if (plain)
            setenv("MOTORCADE_CPU", "plain", 1);
        const cosserat_model model = sample_model(1);
        mc_batch *batch = cosserat_batch_create(&model, 3, COSSERAT_EXPONENTIAL, 5e-4);
        cosserat_batch_place(batch, 1, 0.0, 0.0, 0.3, 20.0, 0.02, 0);
        batch->kind->advance(batch, 0, 3, 2.0);
        batch->kind->save(batch, 1, state[plain]);
        batch->kind->destroy(batch);
        unsetenv("MOTORCADE_CPU");
    }
    for (int k = 0; k < 24; k++)
        assert_true(fabs(state[0][k] - state[1][k]) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_modes_have_their_closed_forms),
        cmocka_unit_test(tumbling_keeps_what_it_should),
        cmocka_unit_test(power_balances),
        cmocka_unit_test(wheels_leave_and_meet_the_road),
        cmocka_unit_test(a_parked_car_stands_still),
        cmocka_unit_test(plain_and_avx2_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
