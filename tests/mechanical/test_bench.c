// test_bench.c - a mechanism on wheels as a mechanism on a bench: it stands there as on the road.
#include "mechanical/batch.h"

#include "motorcade/multibody.h"
#include "motorcade/simulate.h"
#include "support/hmmwv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct benched {
    mc_multibody *m;
    double *y, *rate;
} benched;

static benched put_on_bench(const mc_batch *batch, int i)
{
    mc_vehicle_bench car;
    mc_error error = {0};
    benched b;
    assert_int_equal(batch->kind->bench(batch, i, &car, &error), MC_OK);
    b.m = mc_multibody_parse(car.text, "bench.yaml", NULL, &error);
    if (!b.m)
        fail_msg("%d: %s", error.line, error.text);
    const size_t n = (size_t)mc_multibody_info_of(b.m)->y_count;
    b.y = calloc(n, sizeof *b.y);
    b.rate = calloc(n, sizeof *b.rate);
    assert_true(b.y && b.rate);
    mc_multibody_start(b.m, b.y);
    for (int k = 0; k < car.value_count; k++) {
        char text[40];
        snprintf(text, sizeof text, "%.17g", car.values[k].value);
        if (mc_simulate_set(b.m, b.y, car.values[k].name, text, &error) != MC_OK)
            fail_msg("%s: %s", car.values[k].name, error.text);
    }
    mc_vehicle_bench_free(&car);
    assert_null(car.text);
    mc_multibody_rate(b.m, 0.0, b.y, NULL, b.rate);
    return b;
}

static void take_off(benched *b)
{
    mc_multibody_free(b->m);
    free(b->y);
    free(b->rate);
}

static double value_of(const benched *b, const char *name, const double *of)
{
    mc_quantity quantity;
    int i;
    assert_int_equal(mc_multibody_find(b->m, name, &quantity, &i, NULL), MC_OK);
    return of[i + (quantity == MC_QUANTITY_VELOCITY ? mc_multibody_info_of(b->m)->q_count : 0)];
}

// A car that stands on its tyres is at rest on the bench, too. Other code found its equilibrium.
static void test_rest(void **state)
{
    (void)state;
    static const char *const files[] = {"hmmwv.yaml", "hmmwv_loops.yaml"};
    for (int k = 0; k < 2; k++) {
        scenario *s = hmmwv_scenario_of(files[k], "", 1, 0.0);
        mc_batch *batch = hmmwv_batch(s);
        benched b = put_on_bench(batch, 0);
        double largest = 0.0;
        for (int j = 0; j < mc_multibody_info_of(b.m)->y_count; j++)
            largest = fmax(largest, fabs(b.rate[j]));
        assert_true(largest < 1e-6);
        assert_true(value_of(&b, "chassis.x", b.y) == 0.0);
        take_off(&b);
        batch->kind->destroy(batch);
        scenario_free(s);
    }
}

// A faster car is the same on the bench, but for the spin of its wheels; values that were set come
// with it.
static void test_values(void **state)
{
    (void)state;
    scenario *s = hmmwv_scenario("", 2, 20.0);
    mc_batch *batch = hmmwv_batch(s);
    assert_true(batch->kind->set_param(batch, 1, "k_front", 3e5));
    benched one = put_on_bench(batch, 0), two = put_on_bench(batch, 1);
    double k;
    assert_int_equal(mc_multibody_get(one.m, "k_front", &k, NULL), MC_OK);
    assert_true(k == 441311.0);
    assert_int_equal(mc_multibody_get(two.m, "k_front", &k, NULL), MC_OK);
    assert_true(k == 3e5);
    assert_true(value_of(&one, "chassis.vx", one.y) == 0.0);
    assert_true(value_of(&one, "wheel_fl.angle_rate", one.y) > 40.0);
    // Softer springs in the position of rest of the others: the chassis begins to fall.
    assert_true(fabs(value_of(&one, "chassis.vz", one.rate)) < 1e-6);
    assert_true(value_of(&two, "chassis.vz", two.rate) < -0.1);
    take_off(&one);
    take_off(&two);
    batch->kind->destroy(batch);
    scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest), cmocka_unit_test(test_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
