// test_split_friction.c - a road that is slippery on one side: the wheels of each kind of vehicle
// have the friction of their own places, and the car brakes and turns as closed forms say.
#include "support/platoon.h"

#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

static const double G = 9.81, STEP = 0.01, V = 40.0; // m/s^2, s, m/s

static const char planar[] = "{kind: planar, mass: 1500, yaw_inertia: 25000, track_front: 1.5, "
                             "track_rear: 1.5, max_brake: 2}";

// A car in the middle of the road brakes as hard as it can from 0.1 s on. friction: keys of the
// stretch.
static mc_run *brakes(const char *model, const char *friction, mc_scenario **s)
{
    char text[1200];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 20, step: %g}\n"
             "road: {lanes: 1, friction: [{from: -1000, to: 5000, %s}]}\nmodels:\n  car: %s\n"
             "vehicles:\n  - {model: car, name: car, x: 0, v: %g}\n"
             "events:\n  - {at: 0.1, vehicle: car, drive: {brake: 1}}\n",
             STEP, friction, model, V);
    *s = platoon_scenario(text);
    return platoon_run(*s, 1);
}

static void steps(mc_run *run, double duration)
{
    platoon_steps(run, (int)lround(duration / STEP));
}

static void end(mc_run *run, mc_scenario *s)
{
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static double speed_of(const mc_motion *m)
{
    return hypot(m->v, m->v_y);
}

// Wheels that are locked on both sides brake with the mean friction. As long as the car is straight
// the moment about its mass centre is half the track times the difference of the forces: a large
// inertia keeps it so.
static void locked_wheels_have_closed_forms(void **unused)
{
    (void)unused;
    static const double left = 0.8, right = 0.3, m = 1500.0, I = 25000.0, track = 1.5;
    static const double drag = 0.4; // N s^2/m^2, of the running gear
    mc_scenario *s;
    mc_run *run = brakes(planar, "mu: 0.8, mu_right: 0.3", &s);
    steps(run, 0.5);
    const mc_motion before = platoon_view(run, "car").motion;
    steps(run, 0.2);
    const mc_motion after = platoon_view(run, "car").motion;
    const double v = 0.5 * (speed_of(&before) + speed_of(&after));
    const double a = (speed_of(&before) - speed_of(&after)) / 0.2;
    const double turn = (after.yaw_rate - before.yaw_rate) / 0.2;
    const double a_want = 0.5 * (left + right) * G + drag * v * v / m;
    const double turn_want = 0.5 * track * 0.5 * (left - right) * m * G / I;
    printf("deceleration %.6g of %.6g m/s^2, yaw acceleration %.6g of %.6g rad/s^2\n", a, a_want,
           turn, turn_want);
    assert_true(fabs(a - a_want) < 2e-3 * a_want);
    assert_true(fabs(turn - turn_want) < 0.01 * turn_want); // 0.1 of it per rad/s is damped
    end(run, s);
}

// The divide may be anywhere: a car beside it has the friction of its side, and does not turn.
static void beside_the_divide_it_goes_straight(void **unused)
{
    (void)unused;
    static const struct {
        const char *friction;
        double mu;
    } cases[] = {{"mu: 0.8, mu_right: 0.3, divide: -2", 0.8},
                 {"mu: 0.8, mu_right: 0.3, divide: 2", 0.3},
                 {"mu: 0.5, mu_right: 0.3, divide: 0, seam: 100", 0.4}}; // nearly even
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_scenario *s;
        mc_run *run = brakes(planar, cases[k].friction, &s);
        steps(run, 0.6);
        const mc_motion before = platoon_view(run, "car").motion;
        steps(run, 0.2);
        const mc_motion after = platoon_view(run, "car").motion;
        const double a = (speed_of(&before) - speed_of(&after)) / 0.2;
        const double drag = 0.4 * before.v * after.v / 1500.0;
        assert_true(fabs(a - drag - cases[k].mu * G) < 2e-3 * G);
        assert_true(k == 2 || (after.yaw_rate == 0.0 && after.y == 0.0));
        assert_true(fabs(after.yaw_rate) < 2e-3);
        end(run, s);
    }
}

// The same friction on both sides is that of a road without sides, to the bit.
static void equal_sides_are_no_sides(void **unused)
{
    (void)unused;
    mc_scenario *s, *t;
    mc_run *run = brakes(planar, "mu: 0.4", &s),
           *other = brakes(planar, "mu: 0.4, mu_right: 0.4", &t);
    steps(run, 3.0);
    steps(other, 3.0);
    assert_true(mc_run_hash(run) == mc_run_hash(other));
    end(run, s);
    end(other, t);
}

// Every vehicle with four wheels turns to the side that grips, one on a road with the sides
// exchanged is its mirror image, and one with a single track does not turn.
static void each_wheel_has_its_friction(void **unused)
{
    (void)unused;
    static const struct {
        const char *model;
        bool turns;
        double mirror; // m and rad
    } cases[] = {
        {"planar", true, 1e-9},
        {"{kind: cosserat, file: medusa/model.dat, tyre: brush}", true, 1e-6},
        {"{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}", true, 1e-6},
        {"{kind: bicycle, grip: 1}", false, 0.0},
        {"{kind: powertrain, grip: 1}", false, 0.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_scenario *s, *t;
        mc_run *run = brakes(cases[k].model, "mu: 0.8, mu_right: 0.3", &s);
        mc_run *other = brakes(cases[k].model, "mu: 0.3, mu_right: 0.8", &t);
        steps(run, 1.0);
        steps(other, 1.0);
        const mc_motion a = platoon_view(run, "car").motion, b = platoon_view(other, "car").motion;
        printf("%s: v %.4f, psi %.3g and %.3g, y %.3g and %.3g\n", cases[k].model, a.v, a.psi,
               b.psi, a.y, b.y);
        assert_true(cases[k].turns ? a.psi > 0.03 : a.psi == 0.0);
        assert_true(fabs(a.psi + b.psi) <= cases[k].mirror && fabs(a.y + b.y) <= cases[k].mirror);
        assert_true(fabs(a.v - b.v) <= cases[k].mirror && a.v < V - 0.9 * 0.45 * G);
        end(run, s);
        end(other, t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locked_wheels_have_closed_forms),
        cmocka_unit_test(beside_the_divide_it_goes_straight),
        cmocka_unit_test(equal_sides_are_no_sides),
        cmocka_unit_test(each_wheel_has_its_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
