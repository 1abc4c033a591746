// test_bumps.c - vehicles with springs on uneven roads: heave over waves against the
// linear transfer function, loads on a ramp against statics, the energy balance and its order.
#include "base/gravity.h"
#include "cosserat/batch.h"
#include "cosserat/equilibrium.h"
#include "road/network.h"
#include "support/hmmwv.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct laid { // a road with a surface
    arena memory;
    road_surface surface;
    road r;
} laid;

enum { SLOPE, WAVES };

static void lay(laid *l, int shape, const double p[ROAD_SHAPE_PARAM_MAX], double radius)
{
    static road_piece piece[1];
    road_fault fault;
    mc_error error = {0};
    memset(l, 0, sizeof *l);
    l->surface.shape = road_shape_at(shape);
    memcpy(l->surface.shape_p, p, (size_t)l->surface.shape->param_count * sizeof *p);
    assert_int_equal(road_make(&l->memory, 1, 4.0, NULL, 0, NULL, 0, &l->r, &error), MC_OK);
    piece[0] = (road_piece){1e4, 1.0 / radius, 1.0 / radius};
    const road_plan plan = {.lane_count = 1,
                            .lane_width = 4.0,
                            .pieces = piece,
                            .piece_count = radius > 0.0,
                            .surface = &l->surface};
    assert_int_equal(road_network_make(&l->memory, &plan, &l->r, &l->r.net, &fault, &error), MC_OK);
}

// A symmetric car on springs, its chassis stiff, at rest on its springs.
static cosserat_model even_car(void)
{
    cosserat_model m = sample_model(1);
    double rest[COSSERAT_EQUILIBRIUM_MAX];
    mc_error error = {0};
    m.p[COSSERAT_E] = 2e9;
    m.p[COSSERAT_L1] = m.p[COSSERAT_L2] = 1.25;
    m.p[COSSERAT_C1] = m.p[COSSERAT_C2] = 25000.0;
    m.p[COSSERAT_D1] = m.p[COSSERAT_D2] = 1500.0;
    assert_int_equal(cosserat_equilibrium(&m, rest, NULL, &error), MC_OK);
    memcpy(&m.p[COSSERAT_R3], rest, (COSSERAT_D33 - COSSERAT_R3 + 1) * sizeof *rest);
    return m;
}

static double total(const mc_batch *batch)
{
    mc_energy e;
    batch->kind->energy(batch, 0, &e);
    return e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped + e.braked +
           e.dragged - e.driven;
}

// Waves as long as the wheelbase lift both axles at once: m z'' = -k (z - h) - c (z' - h').
static void heave_is_the_transfer_function(void **unused)
{
    (void)unused;
    const cosserat_model m = even_car();
    const double mass = m.p[COSSERAT_MASS], k = 4.0 * 25000.0, c = 4.0 * 1500.0;
    for (int bent = 0; bent < 2; bent++)
        for (double v = 2.0; v < 12.0; v += 3.0) {
            laid l;
            lay(&l, WAVES, (double[]){0.002, 2.5, 0.0, 0.0, 0.0}, bent ? 4000.0 : 0.0);
            mc_batch *batch = cosserat_batch_create(&m, 1, COSSERAT_EXPONENTIAL, 5e-4);
            batch->kind->set_road(batch, &l.r);
            cosserat_batch_place(batch, 0, 1.0, 0.0, 0.0, v, 0.0, 0);
            batch->kind->advance(batch, 0, 1, 8.0);
            mc_pose pose;
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int n = 0; n < 600; n++) {
                batch->kind->advance(batch, 0, 1, 2.5 / v / 600.0);
                batch->kind->pose(batch, 0, &pose);
                low = fmin(low, pose.position[2]);
                high = fmax(high, pose.position[2]);
            }
            const double w = 2.0 * M_PI * pose.velocity[0] / 2.5;
            const double exact = 0.002 * cabs((k + I * w * c) / (k - mass * w * w + I * w * c));
            printf("%.1f rad/s: heave %.6f mm, transfer function %.6f mm\n", w, 1e3 * (high - low),
                   1e3 * exact);
            assert_true(fabs(high - low - exact) < 3e-3 * exact);
            batch->kind->destroy(batch);
            arena_free(&l.memory);
        }
}

// Braked on a ramp: springs carry the weight, and the moments of springs, of the slope under the
// hubs and of the brakes at the road balance.
static void stands_on_a_ramp(void **unused)
{
    (void)unused;
    cosserat_model m = even_car();
    m.p[COSSERAT_L2] = 1.5;
    m.p[COSSERAT_H1] = m.p[COSSERAT_H2] = 0.1;
    m.gear.driven = true;
    m.gear.drive[DRIVE_BRAKE_FRONT] = 1.0; // the rear wheels roll: no force along the road there
    m.gear.drive[DRIVE_ROLL] = 0.0;
    const double a = 0.12, R = m.gear.drive[DRIVE_RADIUS], mass = m.p[COSSERAT_MASS];
    laid l;
    lay(&l, SLOPE, (double[]){a, 0.0, 0.0, 0.0, 0.0}, 0.0);
    mc_batch *batch = cosserat_batch_create(&m, 1, COSSERAT_EXPONENTIAL, 5e-4);
    batch->kind->set_road(batch, &l.r);
    cosserat_batch_place(batch, 0, 20.0, 0.0, 0.0, 0.0, 0.0, 0);
    for (int n = 0; n < 2000; n++) {
        batch->kind->set_inputs(batch, 0, 1, &(mc_inputs){.brake = 1.0});
        batch->kind->advance(batch, 0, 1, 0.01);
    }
    mc_pose p;
    batch->kind->pose(batch, 0, &p);
    const double *d1 = p.directors, *d2 = d1 + 3, *d3 = d2 + 3;
    double load = 0.0, moment = 0.0, front = 0.0;
    for (int q = 0; q < 4; q++) {
        const double x = q < 2 ? 1.25 : -1.5, y = (q % 2 ? -1.0 : 1.0) * 0.5 * m.p[COSSERAT_B];
        double hub[3];
        for (int j = 0; j < 3; j++)
            hub[j] = p.position[j] + x * d1[j] + y * d2[j] - 0.1 * d3[j];
        const double fz = -25000.0 * (hub[2] - a * hub[0] - m.p[COSSERAT_SPRING_REF]);
        load += fz;
        front += q < 2 ? fz : 0.0;
        // M_y = z F_x - x F_z about the mass centre.
        moment += (hub[2] - p.position[2]) * -a * fz - (hub[0] - p.position[0]) * fz;
    }
    moment += (1.25 * d1[2] - (0.1 + R) * d3[2]) * a * mass * GRAVITY; // of the brakes
    printf("load %.9g of weight, front %.4f, moment %.1e N m\n", load / mass / GRAVITY,
           front / load, moment);
    assert_true(fabs(load / mass / GRAVITY - 1.0) < 1e-6);
    assert_true(fabs(moment) < 2e-3 * mass * GRAVITY * 0.1);
    assert_true(front / load < 0.54 && front / load > 0.4); // 0.545 on the level
    assert_true(fabs(d1[2] / d1[0] - a) < 0.05);
    assert_true(fabs(p.velocity[0]) < 1e-6 && fabs(p.position[0] - 20.0) < 0.3);
    batch->kind->destroy(batch);
    arena_free(&l.memory);
}

// Over waves at an angle, on the straight and in a bend, the balance closes with the order of the
// scheme.
static void energy_over_waves(void **unused)
{
    (void)unused;
    const cosserat_model m = even_car();
    for (int bent = 0; bent < 2; bent++) {
        double drift[2];
        for (int k = 0; k < 2; k++) {
            laid l;
            lay(&l, WAVES, (double[]){0.02, 7.0, 0.0, -100.0, 0.4}, bent ? 150.0 : 0.0);
            mc_batch *batch = cosserat_batch_create(&m, 1, COSSERAT_EXPONENTIAL, 2e-3 / (1 << k));
            batch->kind->set_road(batch, &l.r);
            cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, 12.0, 0.0, 0);
            const double start = total(batch);
            batch->kind->advance(batch, 0, 1, 3.0);
            drift[k] = total(batch) - start;
            mc_energy e;
            batch->kind->energy(batch, 0, &e);
            assert_true(e.damped > 50.0);
            batch->kind->destroy(batch);
            arena_free(&l.memory);
        }
        printf("balance %.1e J, with half the step %.1e J\n", drift[0], drift[1]);
        assert_true(fabs(drift[0]) < 1.0 && fabs(drift[0] / drift[1]) > 8.0);
    }
}

static void mechanism_over_waves(void **unused)
{
    (void)unused;
    laid l;
    lay(&l, WAVES, (double[]){0.03, 4.0, 0.0, 2.0, 0.3}, 0.0);
    scenario *s = hmmwv_scenario("", 1, 10.0);
    mc_batch *batch = hmmwv_batch(s);
    batch->kind->set_road(batch, &l.r);
    const double start = hmmwv_balance(batch, 0);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int n = 0; n < 400; n++) {
        mc_pose p;
        batch->kind->advance(batch, 0, 1, 0.01);
        batch->kind->pose(batch, 0, &p);
        low = fmin(low, p.position[2]);
        high = fmax(high, p.position[2]);
    }
    const double drift = hmmwv_balance(batch, 0) - start;
    mc_energy e;
    batch->kind->energy(batch, 0, &e);
    printf("mechanism heaves %.1f mm, dampers took %.0f J, balance %.1e J\n", 1e3 * (high - low),
           e.damped, drift);
    assert_true(high - low > 0.01 && high - low < 0.1 && e.damped > 10.0);
    assert_true(fabs(drift) < 1e-3 * e.damped);
    batch->kind->destroy(batch);
    scenario_free(s);
    arena_free(&l.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heave_is_the_transfer_function),
        cmocka_unit_test(stands_on_a_ramp),
        cmocka_unit_test(energy_over_waves),
        cmocka_unit_test(mechanism_over_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
