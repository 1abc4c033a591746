// test_force.c - a force from outside acts on every type of vehicle: momentum by F t less what the
// road gives, work by the energies, and the response under a law by the linear equations.
#include "motorcade/vehicle_type.h"
#include "run/run.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *type, *model;
} cars[] = {
    {"point", "point"},
    {"point", "{kind: point, lag: 0.3}"},
    {"powertrain", "powertrain"},
    {"powertrain", "{powertrain: gears, grip: 0.9}"},
    {"bicycle", "bicycle"},
    {"bicycle", "{kind: bicycle, lateral: single_track, grip: 0.9}"},
    {"planar", "{kind: planar, order: 4}"},
    {"cosserat", "{kind: cosserat, file: medusa/model.dat, tyre: brush}"},
    {"multibody", "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6}"},
};
enum { CARS = sizeof cars / sizeof cars[0] };

static mc_run *make(const char *model, const char *controller, double v, const char *ways,
                    const char *events, mc_scenario **s)
{
    char text[1400];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 100, step: 0.02}\nroad: {%s}\nmodels: {car: %s}\n"
             "controllers: {keep: {law: {acceleration: \"0.5 [1/s]*(18 [m/s] - v)\"}, "
             "inner: {trim_rate: 0}}}\n"
             "vehicles: [{model: car, name: car, x: 0, v: %g%s}]\nevents: [%s]\n",
             ways, model, v, controller, events);
    *s = platoon_scenario(text);
    return platoon_run(*s, 1);
}

static void take(mc_run *run, double momentum[3], double ground[3], double *energy)
{
    mc_batch *batch;
    int index;
    mc_energy e;
    mc_world_vehicle(run->world, 0, &batch, &index);
    batch->kind->momentum(batch, index, momentum);
    batch->kind->road_impulse(batch, index, ground);
    mc_run_energy(run, 0, &e);
    *energy = e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped + e.braked +
              e.dragged + e.crushed - e.driven;
}

static void every_type_is_tried(void **unused)
{
    (void)unused;
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++) {
        if (strcmp(type->name, "fmu") == 0)
            continue; // moved by a unit: tests/unit/test_units.c
        bool found = false;
        for (int k = 0; k < CARS; k++)
            found = found || strcmp(cars[k].type, type->name) == 0;
        if (!found)
            fail_msg("no vehicle of type %s in this test", type->name);
    }
}

// 1,000 N for 2 s on a car that rolls freely.
static void momentum_and_work(void **unused)
{
    (void)unused;
    for (int k = 0; k < CARS; k++) {
        mc_scenario *s;
        mc_run *run = make(cars[k].model, "", 20.0, "lanes: 1",
                           "{at: 1, until: 3, vehicle: car, force: 1000}", &s);
        double p[3], q[3], ground[3], after[3], energy, later;
        platoon_steps(run, 50);
        take(run, p, ground, &energy);
        platoon_steps(run, 100);
        take(run, q, after, &later);
        const double gained = q[0] - p[0] - (after[0] - ground[0]);
        const double work = mc_run_pushed(run, 0);
        printf("%s: gained %.10g N s less the road, work %.6g J, balance %.2g J\n", cars[k].model,
               gained, work, later - energy - work);
        assert_true(fabs(gained - 2000.0) < 1e-9 * p[0]);
        assert_true(work > 30e3 && fabs(later - energy - work) < 1e-9 * work);
        if (strcmp(cars[k].type, "point") == 0) // nothing else acts on it
            assert_true(fabs(q[0] - p[0] - 2000.0) < 1e-9 * p[0]);
        platoon_steps(run, 50);
        assert_true(mc_run_pushed(run, 0) == work); // it is over
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

static double speed_after(const char *model, const char *controller, const char *ways,
                          const char *events, double t)
{
    mc_scenario *s;
    mc_run *run = make(model, controller, 18.0, ways, events, &s);
    platoon_steps(run, (int)floor(t / 0.02 + 0.5));
    const double v = platoon_view(run, "car").motion.v;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return v;
}

// Gravity on a slope is a force on every part of a car; one as great from outside does the same.
// With a law and without.
static void as_a_slope(void **unused)
{
    (void)unused;
    for (int k = 0; k < CARS; k++)
        for (int with = 0; with < 2 && strcmp(cars[k].type, "point") != 0; with++) {
            const char *controller = with ? ", controller: keep" : "";
            mc_scenario *s;
            mc_run *run = make(cars[k].model, controller, 18.0, "lanes: 1", "", &s);
            const double mass = mc_run_mass(run, 0);
            mc_run_destroy(run);
            mc_scenario_free(s);
            char force[120];
            snprintf(force, sizeof force, "{at: 0, vehicle: car, force: %.9g}",
                     -mass * 9.81 * sin(0.01));
            const double level = speed_after(cars[k].model, controller, "lanes: 1", "", 3.0);
            const double pushed = speed_after(cars[k].model, controller, "lanes: 1", force, 3.0);
            const double slope = speed_after(
                cars[k].model, controller,
                "grades: [{from: -500, to: 5000, grade: 0.01, transition: 1}]", "", 3.0);
            printf("%s%s: %.5f m/s by the force, %.5f m/s by the slope\n", cars[k].model,
                   with ? " with a law" : "", pushed - level, slope - level);
            assert_true(pushed - level < -0.05);
            assert_true(fabs((pushed - level) / (slope - level) - 1.0) < 0.01);
        }
}

// e'' + k2 e' + k1 e = -F/m of the gap's error behind a car of constant speed, from rest.
static void linear_under_a_law(void **unused)
{
    (void)unused;
    const double k1 = 0.4, k2 = 0.9, f = 50.0, m = 1839.317;
    char text[1000];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 60, step: 0.02}\nroad: {headway: 0, distance: 10}\n"
             "models: {car: point}\n"
             "controllers: {mine: {law: {acceleration: \"%g [1/s^2]*(gap - distance) + %g [1/s]*"
             "(v_front - v)\"}}}\n"
             "platoons: [{leader: {model: car, profile: 20}, cars: [{model: car, name: car, "
             "controller: mine, count: 1}]}]\n"
             "events: [{at: 1, vehicle: car1, force: %g}]\n",
             k1, k2, f);
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    const double d = 0.5 * k2, w = sqrt(k1 - d * d), last = f / m / k1;
    platoon_steps(run, 50);
    for (int k = 1; k <= 600; k++) {
        platoon_steps(run, 1);
        const double t = 0.02 * k;
        const double exact = -last * (1.0 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t)));
        const double error = platoon_view(run, "car1").error;
        if (fabs(error - exact) > 0.01 * last)
            fail_msg("t = %g s: %.6g m, %.6g m by the linear equation", t, error, exact);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A brake that is strong enough holds a standing car, and one that is not does not.
static void a_held_car_stays(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make("powertrain", "", 0.0, "lanes: 1",
                       "{at: 0, vehicle: car, drive: {brake: 0.5}}, "
                       "{at: 2, until: 4, vehicle: car, force: 3000}, "
                       "{at: 4, until: 5, vehicle: car, force: 12000}",
                       &s);
    platoon_steps(run, 90);
    const double x = platoon_view(run, "car").motion.x;
    platoon_steps(run, 105);
    const mc_run_view held = platoon_view(run, "car");
    assert_true(held.motion.x == x && held.motion.v == 0.0 && held.motion.a == 0.0);
    platoon_steps(run, 50);
    assert_true(platoon_view(run, "car").motion.v > 1.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// From the side, ahead of the mass centre: it turns the car to the left, as it pushes it.
static void at_a_point(void **unused)
{
    (void)unused;
    for (int k = 0; k < CARS; k++) {
        mc_scenario *s;
        mc_run *run = make(cars[k].model, "", 20.0, "lanes: 1",
                           "{at: 0.5, vehicle: car, force: 2000, "
                           "shape: for 0.3 s towards 90 deg at 1.5 0 0 m}",
                           &s);
        platoon_steps(run, 40);
        const mc_motion m = platoon_view(run, "car").motion;
        if (!(m.y > 1e-3 && m.psi > 1e-3))
            fail_msg("%s: y %g m, heading %g rad", cars[k].model, m.y, m.psi);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// A snapshot under a force gives the same bits again.
static void it_is_state(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s;
    mc_run *run = make("powertrain", ", controller: keep", 18.0, "lanes: 1",
                       "{at: 0.2, vehicle: car, force: 800, shape: sine 0.5 Hz}", &s);
    mc_snapshot snapshot;
    platoon_steps(run, 40);
    assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
    platoon_steps(run, 60);
    const unsigned long long hash = mc_run_hash(run);
    const double work = mc_run_pushed(run, 0);
    assert_int_equal(mc_run_restore(run, &snapshot, &error), MC_OK);
    platoon_steps(run, 60);
    assert_true(mc_run_hash(run) == hash && mc_run_pushed(run, 0) == work);
    mc_snapshot_free(&snapshot);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void bad_shapes(void **unused)
{
    (void)unused;
    static const char *const shapes[] = {"towards",      "towards left",    "at 1 m",
                                         "at 1 2 3 4 m", "towards 400 deg", "at 1 2 ft",
                                         "sine at 1 2 m"};
    mc_error error;
    mc_scenario *s;
    mc_run *run = make("point", "", 18.0, "lanes: 1", "", &s);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const mc_command c = {.event = "force", .vehicle = "car", .value = 10, .param = shapes[k]};
        if (mc_run_command(run, &c, &error) != MC_BAD_INPUT || !strstr(error.text, "expected"))
            fail_msg("\"%s\" is accepted", shapes[k]);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_tried), cmocka_unit_test(momentum_and_work),
        cmocka_unit_test(as_a_slope),          cmocka_unit_test(linear_under_a_law),
        cmocka_unit_test(a_held_car_stays),    cmocka_unit_test(at_a_point),
        cmocka_unit_test(it_is_state),         cmocka_unit_test(bad_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
