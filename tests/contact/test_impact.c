// test_impact.c - simultaneous impacts: momentum, energy, and nobody closes afterwards.
#include "support/block.h"
#include "support/sample.h"

#include "contact/impact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

static double kinetic(const mc_batch *batch)
{
    double sum = 0.0;
    for (int i = 0; i < batch->count; i++) {
        mc_energy e;
        batch->kind->energy(batch, i, &e);
        sum += e.kinetic;
    }
    return sum;
}

static void momentum(const mc_batch *batch, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0.0;
    for (int i = 0; i < batch->count; i++) {
        double p[3];
        batch->kind->momentum(batch, i, p);
        for (int k = 0; k < 3; k++)
            sum[k] += p[k];
    }
}

// Blocks 2 m apart in a row, each touching the next at a random point of the gap.
static int row_of_contacts(mc_batch *batch, unsigned long long *seed, impact_contact *contact)
{
    for (int k = 0; k + 1 < batch->count; k++) {
        const double slope = sample_uniform(seed, -0.3, 0.3), y = sample_uniform(seed, -0.5, 0.5);
        contact[k] = (impact_contact){.a = {batch, k},
                                      .b = {batch, k + 1},
                                      .id_a = k,
                                      .id_b = k + 1,
                                      .normal = {cos(slope), sin(slope), 0.0},
                                      .point_a = {2.0 * k + 1.0, y, 0.0},
                                      .point_b = {2.0 * k + 1.0, y, 0.0}};
    }
    return batch->count - 1;
}

static mc_batch *random_row(int count, unsigned long long *seed)
{
    const block_model model = {1000.0, 700.0, {1.0, 0.8, 0.5}, 0.0};
    mc_batch *batch = block_batch_create(&model, count);
    for (int i = 0; i < count; i++)
        block_batch_place(batch, i, 2.0 * i, 0.0, 0.0, sample_uniform(seed, -5.0, 5.0),
                          sample_uniform(seed, -1.0, 1.0), sample_uniform(seed, -2.0, 2.0));
    return batch;
}

static void elastic_impacts_keep_energy_and_momentum(void **unused)
{
    (void)unused;
    unsigned long long seed = 1;
    for (int trial = 0; trial < 500; trial++) {
        mc_batch *batch = random_row(2 + trial % (MOST - 1), &seed);
        impact_contact contact[MOST];
        const int count = row_of_contacts(batch, &seed, contact);
        double before[3], after[3];
        const double energy = kinetic(batch);
        momentum(batch, before);
        impact_solve(contact, count, 1.0);
        momentum(batch, after);
        assert_true(fabs(kinetic(batch) - energy) < 1e-11 * energy);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(after[k] - before[k]) < 1e-9);
        for (int k = 0; k < count; k++) {
            assert_true(contact[k].impulse >= 0.0);
            assert_true(impact_closing(&contact[k]) > -1e-10);
        }
        batch->kind->destroy(batch);
    }
}

// Restitution 0: complementarity. A contact that was pushed does not part, one that parts was not.
static void plastic_impacts_are_complementary(void **unused)
{
    (void)unused;
    unsigned long long seed = 2;
    int pushed = 0;
    for (int trial = 0; trial < 500; trial++) {
        mc_batch *batch = random_row(2 + trial % (MOST - 1), &seed);
        impact_contact contact[MOST];
        const int count = row_of_contacts(batch, &seed, contact);
        const double energy = kinetic(batch);
        impact_solve(contact, count, 0.0);
        assert_true(kinetic(batch) <= energy * (1.0 + 1e-12));
        for (int k = 0; k < count; k++) {
            const double parting = impact_closing(&contact[k]);
            assert_true(parting > -1e-9);
            assert_true(contact[k].impulse == 0.0 || parting < 1e-8);
            pushed += contact[k].impulse > 0.0;
        }
        batch->kind->destroy(batch);
    }
    assert_true(pushed > 500);
}

// Two equal blocks head on exchange their velocities; a mirror-image row stays one.
static void closed_forms(void **unused)
{
    (void)unused;
    const block_model model = {1000.0, 700.0, {1.0, 0.8, 0.5}, 0.0};
    mc_batch *batch = block_batch_create(&model, 3);
    impact_contact contact[2];
    for (int k = 0; k < 2; k++)
        contact[k] = (impact_contact){.a = {batch, k},
                                      .b = {batch, k + 1},
                                      .id_a = k,
                                      .id_b = k + 1,
                                      .normal = {1.0, 0.0, 0.0},
                                      .point_a = {2.0 * k + 1.0, 0.0, 0.0},
                                      .point_b = {2.0 * k + 1.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++)
        block_batch_place(batch, i, 2.0 * i, 0.0, 0.0, i == 0 ? 3.0 : 1.0, 0.0, 0.0);
    impact_solve(contact, 1, 1.0);
    double p[3][3];
    for (int i = 0; i < 3; i++)
        batch->kind->momentum(batch, i, p[i]);
    assert_true(fabs(p[0][0] - 1000.0) < 1e-9 && fabs(p[1][0] - 3000.0) < 1e-9);
    assert_true(fabs(contact[0].closing + 2.0) < 1e-12);
    assert_true(fabs(contact[0].impulse - 2000.0) < 1e-9);

    for (int i = 0; i < 3; i++)
        block_batch_place(batch, i, 2.0 * i, 0.0, 0.0, 1.0 - i, 0.0, 0.0);
    impact_solve(contact, 2, 1.0);
    for (int i = 0; i < 3; i++)
        batch->kind->momentum(batch, i, p[i]);
    assert_true(fabs(p[0][0] + 1000.0) < 1e-9 && fabs(p[2][0] - 1000.0) < 1e-9);
    assert_true(fabs(p[1][0]) < 1e-9);
    batch->kind->destroy(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_impacts_keep_energy_and_momentum),
        cmocka_unit_test(plastic_impacts_are_complementary),
        cmocka_unit_test(closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
