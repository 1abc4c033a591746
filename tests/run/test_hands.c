// test_hands.c - throttle, brake and steering of a driver move cars of every type, also of those
// that have no pedals.
#include "motorcade/vehicle_type.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// One car of every type of the library, far apart, all under a law that keeps the speed.
static const char text[] =
    "motorcade: scenario\ntime: {end: 100, step: 0.02}\n"
    "models:\n"
    "  point: point\n"
    "  lag: {kind: point, lag: 0.3}\n"
    "  powertrain: powertrain\n"
    "  bicycle: bicycle\n"
    "  planar: planar\n"
    "  cosserat: {kind: cosserat, file: medusa/model.dat, tyre: brush}\n"
    "  multibody: {kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6}\n"
    "controllers: {keep: {law: {acceleration: 0 m/s^2}}}\n"
    "vehicles:\n"
    "  - {model: point, name: point, controller: keep, x: 0, v: 15}\n"
    "  - {model: lag, name: lag, controller: keep, x: 500, v: 15}\n"
    "  - {model: powertrain, name: powertrain, controller: keep, x: 1000, v: 15}\n"
    "  - {model: cosserat, name: cosserat, controller: keep, x: 1500, v: 15}\n"
    "  - {model: multibody, name: multibody, controller: keep, x: 2000, v: 15}\n"
    "  - {model: bicycle, name: bicycle, controller: keep, x: 2500, v: 15}\n"
    "  - {model: planar, name: planar, controller: keep, x: 3000, v: 15}\n";

static mc_run_view after(const char *car, mc_inputs hands, double seconds)
{
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    platoon_command(run, &(mc_command){.event = "drive", .vehicle = car, .inputs = hands});
    platoon_steps(run, (int)floor(seconds / 0.02 + 0.5));
    const mc_run_view view = platoon_view(run, car);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return view;
}

static void every_type_is_tried(void **unused)
{
    (void)unused;
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++) {
        if (strcmp(type->name, "fmu") == 0)
            continue; // moved by a unit: tests/unit/test_units.c
        char name[80];
        snprintf(name, sizeof name, "name: %s,", type->name);
        if (!strstr(text, name))
            fail_msg("no vehicle of type %s in this test", type->name);
    }
}

static const char *const cars[] = {"point",  "lag",      "powertrain", "bicycle",
                                   "planar", "cosserat", "multibody"};
enum { CARS = sizeof cars / sizeof cars[0] };

static void pedals_move_it(void **unused)
{
    (void)unused;
    for (int k = 0; k < CARS; k++) {
        const double coasts = after(cars[k], (mc_inputs){0}, 2.0).motion.v;
        const double drives = after(cars[k], (mc_inputs){.throttle = 0.8}, 2.0).motion.v;
        const double brakes = after(cars[k], (mc_inputs){.brake = 0.4}, 2.0).motion.v;
        if (!(drives > coasts + 1.0 && brakes < coasts - 2.0))
            fail_msg("%s: %g m/s with throttle, %g m/s without pedals, %g m/s with brake", cars[k],
                     drives, coasts, brakes);
    }
}

static void wheel_turns_it(void **unused)
{
    (void)unused;
    for (int k = 0; k < CARS; k++)
        for (int left = -1; left <= 1; left += 2) {
            const mc_motion m = after(cars[k], (mc_inputs){.steer = 0.03 * left}, 1.5).motion;
            if (!(left * m.psi > 0.05 && left * m.y > 0.3 && left * m.yaw_rate > 0.05))
                fail_msg("%s: heading %g rad, y %g m with the wheel to the %s", cars[k], m.psi, m.y,
                         left > 0 ? "left" : "right");
        }
}

// Shares of what the car can do, from the first step on.
static void a_point_follows_exactly(void **unused)
{
    (void)unused;
    const double g = 9.81;
    double v = after("point", (mc_inputs){.throttle = 0.5}, 2.0).motion.v;
    assert_true(fabs(v - (15.0 + 0.5 * 0.6 * g * 2.0)) < 1e-9);
    v = after("point", (mc_inputs){.brake = 0.25}, 2.0).motion.v;
    assert_true(fabs(v - (15.0 - 0.25 * 0.8 * g * 2.0)) < 1e-9);
    // A steady turn is that of rolling without slip, and no tighter than the tyres hold.
    const double wheelbase = 0.54 * 5.5626;
    mc_motion m = after("point", (mc_inputs){.steer = 0.03}, 4.0).motion;
    assert_true(fabs(m.yaw_rate - 15.0 * tan(0.03) / wheelbase) < 1e-6);
    m = after("point", (mc_inputs){.steer = 0.5}, 4.0).motion;
    assert_true(fabs(m.yaw_rate - 0.8 * g / 15.0) < 1e-6);
}

// What it gains and loses is booked, while it steers too.
static void energy_is_booked(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    const int car = mc_run_find(run, "point");
    mc_energy first, last;
    mc_run_energy(run, car, &first);
    for (int k = 0; k < 200; k++) {
        const mc_inputs hands = {.throttle = k < 100 ? 0.3 : 0.0,
                                 .brake = k < 100 ? 0.0 : 0.2,
                                 .steer = 0.04 * sin(0.1 * k)};
        platoon_command(run, &(mc_command){.event = "drive", .vehicle = "point", .inputs = hands});
        platoon_steps(run, 1);
    }
    mc_run_energy(run, car, &last);
    const double lost = last.braked + last.slipped - last.driven;
    assert_true(last.slipped > 0.0 && last.driven > 0.0 && last.braked > 0.0);
    assert_true(fabs(last.kinetic + lost - first.kinetic) < 1e-9 * first.kinetic);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_tried), cmocka_unit_test(pedals_move_it),
        cmocka_unit_test(wheel_turns_it),      cmocka_unit_test(a_point_follows_exactly),
        cmocka_unit_test(energy_is_booked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
