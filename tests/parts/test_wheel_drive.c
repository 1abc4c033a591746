// test_wheel_drive.c - torque at the wheels of a truck by hand, gear by gear; target speed; the
// table of friction has a value with a source everywhere.
#include "parts/friction.h"
#include "parts/wheel_drive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// The engine of the LMTV (data/trucks.md); gears and final drive are made up.
static wheel_drive truck(void)
{
    static const double rpm[] = {500, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400};
    static const double torque[] = {300, 500, 572, 664, 713, 733, 725, 707, 682};
    wheel_drive d = {.point_count = 9, .gear = {6.0, 3.0, 1.5, 1.0}, .gear_count = 4};
    for (int k = 0; k < 9; k++) {
        d.speed[k] = rpm[k] * 2.0 * M_PI / 60.0;
        d.torque[k] = torque[k];
    }
    d.final_drive = 5.0, d.efficiency = 0.9, d.wheels = 4;
    d.wheel_torque = NAN, d.brake_torque = 12e3, d.gain = 1e4;
    return d;
}

static double at_rpm(double rpm, double gear)
{
    return rpm * 2.0 * M_PI / 60.0 / (gear * 5.0);
}

static void torque_is_engine_gears_and_axles(void **unused)
{
    (void)unused;
    const wheel_drive d = truck();
    int gear;
    const double per = 5.0 * 0.9 / 4.0;
    assert_true(fabs(wheel_drive_torque_max(&d, 0.0, &gear) - 300.0 * 6.0 * per) < 1e-9);
    assert_int_equal(gear, 0); // the clutch slips
    assert_true(fabs(wheel_drive_torque_max(&d, at_rpm(1800, 6.0), &gear) - 733.0 * 6.0 * per) <
                1e-9);
    assert_true(fabs(wheel_drive_torque_max(&d, at_rpm(1300, 3.0), &gear) - 618.0 * 3.0 * per) <
                1e-9); // 2600 rpm in first: second it is
    assert_int_equal(gear, 1);
    assert_true(fabs(wheel_drive_torque_max(&d, at_rpm(2400, 1.0), &gear) - 682.0 * per) < 1e-9);
    assert_int_equal(gear, 3);
    assert_true(wheel_drive_torque_max(&d, at_rpm(2401, 1.0), NULL) == 0.0);
    wheel_drive given = d;
    given.wheel_torque = 1234.0;
    assert_true(wheel_drive_torque_max(&given, 3.0, NULL) == 1234.0);
}

// Power at the wheels is at most that of the engine.
static void power_is_not_created(void **unused)
{
    (void)unused;
    const wheel_drive d = truck();
    double most = 0.0, least = HUGE_VAL;
    for (double w = at_rpm(500, 6.0); w < at_rpm(2400, 1.0); w += 0.01) {
        int gear;
        const double power = d.wheels * w * wheel_drive_torque_max(&d, w, &gear);
        most = fmax(most, power);
        least = fmin(least, power);
        assert_true(w * d.gear[gear] * d.final_drive <= d.speed[8] * (1.0 + 1e-12));
    }
    assert_true(most < 0.9 * 682.0 * d.speed[8] * (1.0 + 1e-9) && least > 0.0);
}

// Points and straight lines between them are the torque at every speed.
static void the_curve_is_the_torque(void **unused)
{
    (void)unused;
    const wheel_drive d = truck();
    static double spin[WHEEL_DRIVE_CURVE_MAX], torque[WHEEL_DRIVE_CURVE_MAX];
    const int count = wheel_drive_curve(&d, spin, torque);
    assert_true(count > 10 && spin[0] == 0.0 && torque[count - 1] == 0.0);
    for (int i = 0; i + 1 < count; i++) {
        assert_true(spin[i + 1] > spin[i]);
        for (int k = 1; k < 16 && spin[i + 1] > spin[i] * (1.0 + 1e-8); k++) {
            const double share = k / 16.0, w = spin[i] + share * (spin[i + 1] - spin[i]);
            const double line = torque[i] + share * (torque[i + 1] - torque[i]);
            assert_true(fabs(line - wheel_drive_torque_max(&d, w, NULL)) < 1e-5 * torque[0]);
        }
    }
    wheel_drive given = d;
    given.wheel_torque = 1234.0;
    assert_int_equal(wheel_drive_curve(&given, spin, torque), 1);
    assert_true(torque[0] == 1234.0);
}

static void a_target_is_driven_and_braked_to(void **unused)
{
    (void)unused;
    const wheel_drive d = truck();
    assert_true(wheel_drive_torque(&d, 1.0, 1.001) == d.gain * (1.001 - 1.0));
    assert_true(wheel_drive_torque(&d, 1.0, 50.0) == wheel_drive_torque_max(&d, 1.0, NULL));
    assert_true(wheel_drive_torque(&d, 50.0, 0.0) == -12e3);
    // A braked wheel on a road that returns less than the brakes take stops, and stays.
    double w = 20.0, inertia = 30.0;
    for (int k = 0; k < 1000; k++) {
        const double road = 5e3; // turns the wheel on
        const double brake = w > 0.0 ? 12e3 : fmin(road, 12e3);
        w = fmax(w + 1e-3 * (road - brake) / inertia, 0.0);
    }
    assert_true(w == 0.0);
}

static void every_friction_has_a_source(void **unused)
{
    (void)unused;
    int sourced = 0;
    for (int s = 0; s < FRICTION_SURFACES; s++)
        for (int c = 0; c < FRICTION_CONDITIONS; c++)
            for (int t = 0; t < FRICTION_TYRES; t++) {
                const friction_value v = friction_of(s, c, t);
                assert_true(v.mu > 0.0 && v.mu < 1.2 && v.source && v.source[0]);
                sourced += strcmp(v.source, "chosen") != 0;
                if (c == FRICTION_WET && s != FRICTION_ICE)
                    assert_true(v.mu <= friction_of(s, FRICTION_DRY, t).mu);
            }
    assert_int_equal(sourced, 9);
    assert_true(friction_of(FRICTION_GRAVEL, FRICTION_DRY, FRICTION_SUMMER).mu == 0.6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_is_engine_gears_and_axles),
        cmocka_unit_test(power_is_not_created),
        cmocka_unit_test(the_curve_is_the_torque),
        cmocka_unit_test(a_target_is_driven_and_braked_to),
        cmocka_unit_test(every_friction_has_a_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
