// test_running_gear.c - axles, parameters that change, wheels that fill the lanes, the plan.
#include "parts/running_gear.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static _Alignas(32) double engine_p[GEAR_ENGINE_SIZE];

static running_gear truck(int axles)
{
    running_gear gear;
    running_gear_init(&gear);
    gear.axle_count = axles;
    gear.driven = true;
    gear.tyre = tyre_default_for_spin();
    tyre_defaults(gear.tyre, gear.tyre_p);
    gear.powertrain = powertrain_kind_at(0);
    powertrain_defaults(gear.powertrain, gear.powertrain_p);
    gear.nominal_mass = 1500.0 * axles;
    return gear;
}

static void axles_share_engine_and_brakes(void **unused)
{
    (void)unused;
    for (int axles = 2; axles <= GEAR_AXLE_MAX; axles++) {
        running_gear gear = truck(axles);
        gear.drive[DRIVE_FRONT] = 0.3;
        gear_constants c;
        gear_constants_of(&gear, engine_p, &c);
        double share = 0.0, torque = 0.0;
        for (int a = 0; a < axles; a++) {
            share += 2.0 * c.axle[a].engine_share;
            torque += 2.0 * c.axle[a].brake_torque;
        }
        const double *p = gear.drive;
        const double full = p[DRIVE_BRAKE_MAX] * gear.nominal_mass * 9.81 * p[DRIVE_RADIUS];
        assert_true(fabs(share - 1.0) < 1e-14);
        assert_true(fabs(torque - full) < 1e-12 * full);
        assert_true(c.axle[0].engine_share == 0.15);
        assert_true(c.axle[0].brake_torque == 0.5 * p[DRIVE_BRAKE_FRONT] * full);
        for (int a = 2; a < axles; a++)
            assert_memory_equal(&c.axle[a], &c.axle[1], sizeof c.axle[a]);
    }
}

static void live_parameters_change_and_are_saved(void **unused)
{
    (void)unused;
    running_gear gear = truck(2), other = gear;
    gear_constants c, d;
    double value, saved[DRIVE_LIVE_COUNT];
    gear_constants_of(&gear, engine_p, &c);
    gear_constants_of(&other, engine_p, &d);
    c.road = (const mc_road *)engine_p; // any: it must stay
    for (int k = 0; k < DRIVE_PARAM_COUNT; k++) {
        const mc_param *row = &drive_params[k];
        const bool live = DRIVE_LIVE >> k & 1;
        assert_int_equal(gear_set(&gear, row->name, row->min, engine_p, &c), live);
        assert_false(gear_set(&gear, row->name, row->max + 1.0, engine_p, &c));
        assert_false(gear_set(&gear, row->name, NAN, engine_p, &c));
        assert_true(gear_get(&gear, row->name, &value));
        assert_true(value == (live ? row->min : row->fallback));
    }
    assert_true(c.road == (const mc_road *)engine_p);
    assert_true(c.drag == 0.0 && c.roll == 0.0 && c.axle[0].brake_torque == 0.0);
    assert_false(gear_set(&gear, "mass", 1.0, engine_p, &c));
    assert_false(gear_get(&gear, "mass", &value));
    gear_save(&gear, saved);
    assert_true(gear_saved_valid(saved));
    gear_restore(&other, saved, engine_p, &d);
    assert_memory_equal(other.drive, gear.drive, sizeof gear.drive);
    assert_true(d.drag == 0.0 && d.axle[0].brake_torque == 0.0);
    saved[DRIVE_LIVE_COUNT - 1] = NAN;
    assert_false(gear_saved_valid(saved));
}

static void fill(gear_wheels *w, int count)
{
    memset(w, 0x7f, sizeof *w); // what is not set must not matter
    w->count = count;
    const int stride = gear_stride(count);
    for (int i = 0; i < count; i++) {
        w->fz[i] = 4000.0 + 100.0 * (i % 4), w->mu[i] = 0.9;
        w->v_x[i] = 20.0, w->v_y[i] = 0.3;
        for (int k = 0; k < WHEEL_STATE_MAX; k++)
            w->x[k * stride + i] = k == 0 ? 66.0 + 0.1 * (i % 4) : 1e-3;
    }
}

// A wheel does not notice how many others there are, nor those that only fill the lanes.
static void wheels_are_alone(void **unused)
{
    (void)unused;
    running_gear gear[2] = {truck(2), truck(3)};
    gear_wheels w[2];
    for (int k = 0; k < 2; k++) {
        gear_constants c;
        double state[POWERTRAIN_STATE_MAX] = {2000.0}, rate[POWERTRAIN_STATE_MAX];
        double sums[SUM_MAX] = {0.0};
        gear[k].nominal_mass = 3000.0;
        gear[k].drive[DRIVE_FRONT] = gear[k].drive[DRIVE_BRAKE_FRONT] = 1.0; // others roll
        gear_constants_of(&gear[k], engine_p, &c);
        fill(&w[k], 2 * gear[k].axle_count);
        gear_turn(&c, 0.5, 0.3, state, rate, &w[k]);
        gear_sum(&c, &w[k], sums);
        assert_true(w[k].engine_force != 0.0 && w[k].fuel > 0.0 && w[k].rpm > 0.0);
        for (int i = 0; i < SUM_MAX; i++)
            assert_true(isfinite(sums[i]));
        assert_true(sums[SUM_BRAKED] > 0.0 && sums[SUM_SLIPPED] > 0.0);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(w[0].fx[i] == w[1].fx[i] && w[0].fy[i] == w[1].fy[i]);
        assert_true(w[0].torque[i] == w[1].torque[i] && w[0].drive[i] == w[1].drive[i]);
    }
    assert_true(w[0].engine_force == w[1].engine_force);
}

// plan() against its own definition: what it asks for gives the desired acceleration.
static void the_plan_is_the_inverse(void **unused)
{
    (void)unused;
    const running_gear gear = truck(3);
    const double *p = gear.drive, v = 15.0, weight = gear.nominal_mass * 9.81;
    const double inertia =
        gear.nominal_mass + 6.0 * p[DRIVE_INERTIA] / p[DRIVE_RADIUS] / p[DRIVE_RADIUS];
    const double against = p[DRIVE_DRAG] * v * v + p[DRIVE_ROLL] * weight;
    const mc_plan faster = gear_plan(&gear, v, 0.2), slower = gear_plan(&gear, v, -3.0);
    const double force =
        powertrain_steady_force(gear.powertrain, gear.powertrain_p, v, faster.throttle);
    const double closed = powertrain_steady_force(gear.powertrain, gear.powertrain_p, v, 0.0);
    assert_true(fabs((force - against) / inertia - 0.2) < 1e-6);
    assert_true(faster.brake == 0.0 && slower.throttle == 0.0);
    assert_true(fabs((closed - against) / inertia - faster.coast) < 1e-9);
    const double braked = slower.brake * p[DRIVE_BRAKE_MAX] * weight;
    assert_true(fabs((closed - against - braked) / inertia + 3.0) < 1e-9);
    assert_true(gear_plan(&gear, 0.0, 0.0).coast >= 0.0); // it stands
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axles_share_engine_and_brakes),
        cmocka_unit_test(live_parameters_change_and_are_saved),
        cmocka_unit_test(wheels_are_alone),
        cmocka_unit_test(the_plan_is_the_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
