// test_scenarios_threads.c - shipped scenarios give the same bits on 1, 2 and 8 threads, and again
// when a run is repeated.
#include "support/platoon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const struct {
    const char *name;
    int steps;
} scenarios[] = {
    {"demo1", 600},     {"demo3", 600},         {"brake_loss", 1200},
    {"cacc_loss", 900}, {"mileage_local", 900}, {"mixed", 60},
};

static unsigned long long hash_after(const mc_scenario *s, int threads, int steps, int *impacts)
{
    mc_run *run = platoon_run(s, threads);
    const unsigned long long start = mc_run_hash(run);
    platoon_steps(run, steps);
    const unsigned long long hash = mc_run_hash(run);
    assert_true(hash != start);
    mc_run_impacts(run, impacts);
    mc_run_destroy(run);
    return hash;
}

static void any_number_of_threads(void **unused)
{
    (void)unused;
    static const int threads[] = {2, 8, 1};
    for (size_t k = 0; k < sizeof scenarios / sizeof scenarios[0]; k++) {
        mc_scenario *s = platoon_shipped(scenarios[k].name);
        int first, impacts;
        const unsigned long long hash = hash_after(s, 1, scenarios[k].steps, &first);
        printf("%-14s %016llx after %d steps, %d impacts\n", scenarios[k].name, hash,
               scenarios[k].steps, first);
        for (int t = 0; t < 3; t++) {
            assert_true(hash_after(s, threads[t], scenarios[k].steps, &impacts) == hash);
            assert_int_equal(impacts, first);
        }
        mc_scenario_free(s);
    }
}

// 1500 cars: more tiles than threads, so that work is really shared out.
static void a_long_platoon(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\n"
        "time: {end: 60, step: 0.05}\n"
        "road: {headway: 0.8, distance: 4}\n"
        "models: {town_car: powertrain, dot: point}\n"
        "controllers:\n"
        "  follow: {law: acc, avoid: true, sensor: {range_noise: 0.1}}\n"
        "  cacc: {law: ploeg, radio: {delay: 0.1, loss: 0.2}, fallback: {law: acc}}\n"
        "platoons:\n"
        "  - leader: {model: town_car, profile: moderate}\n"
        "    cars:\n"
        "      - {model: town_car, name: a, count: 500, controller: follow}\n"
        "      - {model: dot, name: b, count: 500, controller: cacc}\n"
        "      - {model: town_car, name: c, count: 499, controller: cacc}\n");
    int impacts;
    const unsigned long long hash = hash_after(s, 1, 60, &impacts);
    assert_true(hash_after(s, 2, 60, &impacts) == hash);
    assert_true(hash_after(s, 8, 60, &impacts) == hash);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(a_long_platoon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
