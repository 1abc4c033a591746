// test_lateral.c - steering laws around their cars: closed forms, the motion of the run itself, and
// the map of the largest real part.
#include "control/steering_gains.h"
#include "motorcade/lateral.h"
#include "motorcade/observe.h"
#include "num/dense.h"
#include "run/run.h"
#include "support/platoon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 0.0025; // s, of control

static mc_scenario *car_of(const char *model, const char *steering)
{
    char text[1000];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 100, step: 0.0025}\n"
             "road: {lanes: 1, line: [{straight: 100}, {clothoid: 150, to_radius: 400}, "
             "{arc: 2400, radius: 400}]}\nmodels: {car: %s}\n"
             "controllers: {keep: {law: cruise, speed: 30, steering: %s}}\n"
             "vehicles: [{model: car, name: car, x: 0, v: 30, controller: keep}]\n",
             model, steering);
    return platoon_scenario(text);
}

static mc_lateral *analyse(const mc_scenario *s, const mc_lateral_options *o)
{
    mc_error error = {0};
    mc_lateral *l = mc_lateral_create(s, 0, o, &error);
    if (!l)
        fail_msg("%s", error.text);
    return l;
}

// The point car is r' = (v delta/L - r)/T, y'' = v r: with preview, G and its poles are known.
static void point_car_has_closed_forms(void **unused)
{
    (void)unused;
    mc_scenario *s = car_of("{kind: point, length: 5}", "preview");
    const double v = 25.0, T = 0.2, L = 0.54 * 5.0, w0 = 1.2, zeta = 1.0, ahead = 0.4, d = 0.05;
    mc_lateral_options o = mc_lateral_defaults();
    o.speed = v;
    mc_lateral *l = analyse(s, &o);
    const double extra = d * v / L;
    for (double w = 0.1; w < 60.0; w *= 1.7) {
        const double complex j = w * I;
        const double complex up = j * j * (cexp(j * ahead) + extra) + 2.0 * zeta * w0 * j + w0 * w0;
        const double complex down =
            T * j * j * j + (1.0 + extra) * j * j + 2.0 * zeta * w0 * j + w0 * w0;
        double phase;
        const double size = mc_lateral_gain(l, w, &phase);
        if (!(cabs(size * cexp(I * phase) - up / down) < 1e-4 * cabs(up / down)))
            fail_msg("at %g rad/s: %g instead of %g", w, size, cabs(up / down));
    }
    const mc_lateral_result *r = mc_lateral_result_of(l);
    assert_int_equal(r->pole_count, 3);
    for (int k = 0; k < 3; k++) {
        const double complex p = r->pole_real[k] + I * r->pole_imaginary[k];
        const double complex zero =
            T * p * p * p + (1.0 + extra) * p * p + 2.0 * zeta * w0 * p + w0 * w0;
        if (!(cabs(zero) < 1e-4 * (w0 * w0 + T * pow(cabs(p), 3.0))))
            fail_msg("pole %d: %g %+gi, %g", k, creal(p), cimag(p), cabs(zero));
    }
    mc_lateral_destroy(l);
    mc_scenario_free(s);
}

// Eq 1 without lag under optimal gains: the poles of A - B K.
static void optimal_gains_place_their_poles(void **unused)
{
    (void)unused;
    mc_scenario *s =
        car_of("{kind: bicycle, lateral: printed, steer_lag: 0, steer_rate: 1e9}", "lqr");
    const scenario_model *m = &scenario_of(s)->models[0];
    const steering_vehicle car = steering_vehicle_of(&m->facts);
    static const double weights[3] = {1.0, 10.0, 400.0};
    static const double speeds[] = {8.0, 20.0, 44.0}; // at which gains are made
    for (int k = 0; k < 3; k++) {
        double A[16], B[4], K[4], a[16], re[4], im[4];
        steering_error_model(&car, speeds[k], A, B);
        assert_true(steering_gains_at(&car, weights, speeds[k], K));
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                a[j * 4 + i] = A[i * 4 + j] - B[i] * K[j];
        assert_true(dense_eigenvalues(4, a, re, im));
        mc_lateral_options o = mc_lateral_defaults();
        o.speed = speeds[k];
        mc_lateral *l = analyse(s, &o);
        const mc_lateral_result *r = mc_lateral_result_of(l);
        assert_int_equal(r->pole_count, 4);
        for (int i = 0; i < 4; i++) {
            double near = HUGE_VAL;
            for (int j = 0; j < 4; j++)
                near = fmin(near, hypot(r->pole_real[j] - re[i], r->pole_imaginary[j] - im[i]));
            if (!(near < 1e-4 * hypot(re[i], im[i])))
                fail_msg("%g m/s, pole %g %+gi: none within %g", speeds[k], re[i], im[i], near);
        }
        // Kalman: at least 60 degrees at the input of an optimal loop.
        assert_true(r->phase_margin > 59.9 / 180.0 * 3.141592653589793);
        mc_lateral_destroy(l);
    }
    mc_scenario_free(s);
}

// Two runs, in one of which the car is pushed aside: their difference is what the model says.
static void compare_push(const char *model, const char *steering, double until, double curvature)
{
    static const double push = 0.01; // m/s
    mc_scenario *s = car_of(model, steering);
    mc_run *runs[2] = {platoon_run(s, 1), platoon_run(s, 1)};
    mc_lateral_options o = mc_lateral_defaults();
    o.speed = 30.0;
    o.curvature = curvature;
    mc_lateral *l = analyse(s, &o);
    for (int k = 0; k < 2; k++)
        platoon_steps(runs[k], (int)(until / STEP));
    const double steady = mc_run_lateral_error(runs[0], 0);
    // The model's curvature is that of the car's own way, not of the lane.
    if (!(fabs(steady - mc_lateral_result_of(l)->offset) < 4e-3 + 5e-3 * fabs(steady)))
        fail_msg("%s, %s: offset %g, model %g", model, steering, steady,
                 mc_lateral_result_of(l)->offset);
    mc_batch *batch;
    int i;
    mc_motion m;
    mc_world_vehicle(runs[1]->world, 0, &batch, &i);
    batch->kind->motion(batch, i, 1, &m);
    const double size = push * batch->kind->mass(batch, i), point[3] = {m.x, m.y, 0.0};
    const double impulse[3] = {-size * sin(m.psi), size * cos(m.psi), 0.0};
    batch->kind->apply_impulse(batch, i, point, impulse);
    run_read_motions(runs[1]);
    double largest = 0.0, worst = 0.0;
    for (int k = 1; k <= 2000; k++) {
        platoon_steps(runs[0], 1);
        platoon_steps(runs[1], 1);
        const double moved =
            (mc_run_lateral_error(runs[1], 0) - mc_run_lateral_error(runs[0], 0)) / push;
        const double said = mc_lateral_push(l, STEP * k);
        largest = fmax(largest, fabs(said));
        worst = fmax(worst, fabs(moved - said));
    }
    assert_true(largest > 0.01); // it did move
    if (!(worst < 0.02 * largest))
        fail_msg("%s, %s: differs by %g of %g", model, steering, worst, largest);
    mc_lateral_destroy(l);
    mc_run_destroy(runs[0]);
    mc_run_destroy(runs[1]);
    mc_scenario_free(s);
}

static void is_the_motion_of_the_run(void **unused)
{
    (void)unused;
    static const char *const laws[] = {"preview", "lqr", "stanley", "pure_pursuit", "simple"};
    for (int k = 0; k < 5; k++) {
        compare_push("bicycle", laws[k], 2.0, 0.0);
        compare_push("bicycle", laws[k], 30.0, 1.0 / 400.0);
    }
    compare_push("planar", "preview", 2.0, 0.0);
    compare_push("planar", "preview", 30.0, 1.0 / 400.0);
    compare_push("planar", "lqr", 30.0, 1.0 / 400.0);
}

// Recommended laws keep the default cars on their paths, straight and in every turn up to 0.7 of
// the friction, 5 to 60 m/s, friction 0.2 to 1.
static void stable_over_the_map(void **unused)
{
    (void)unused;
    static const char *const models[] = {"bicycle", "planar"}, *const laws[] = {"preview", "lqr"};
    static const double speeds[] = {5.0, 18.0, 40.0, 60.0}, shares[] = {0.0, 0.35, 0.7};
    static const double frictions[] = {0.2, 0.5, 1.0};
    mc_error error;
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 72; k++) {
            mc_lateral_options o = mc_lateral_defaults();
            o.speed = speeds[k % 4];
            o.friction = frictions[k / 4 % 3];
            o.curvature = shares[k / 12 % 3] * o.friction * 9.80665 / (o.speed * o.speed);
            o.coast = o.poles_only = true;
            if (o.curvature > 0.1)
                continue;
            mc_scenario *s = car_of(models[m], laws[k / 36]);
            mc_lateral *l = mc_lateral_create(s, 0, &o, &error);
            if (!l || !(mc_lateral_result_of(l)->largest < -0.05))
                fail_msg("%s, %s, %g m/s, friction %g, curvature %g: %s %g", models[m],
                         laws[k / 36], o.speed, o.friction, o.curvature, l ? "" : error.text,
                         l ? mc_lateral_result_of(l)->largest : 0.0);
            mc_lateral_destroy(l);
            mc_scenario_free(s);
        }
}

// With the engine at work, the rear wheels of a slippery road use their friction for the drag of
// the air: stable as long as some of it is left.
static void stable_while_friction_is_left(void **unused)
{
    (void)unused;
    static const double speeds[] = {30.0, 40.0, 50.0, 60.0}, shares[] = {0.0, 0.2, 0.4, 0.6};
    static const double friction = 0.2;
    mc_error error;
    mc_scenario *s = car_of("planar", "preview");
    int held = 0;
    for (int k = 0; k < 16; k++) {
        mc_lateral_options o = mc_lateral_defaults();
        o.speed = speeds[k % 4];
        o.friction = friction;
        o.curvature = shares[k / 4] * friction * 9.80665 / (o.speed * o.speed);
        o.poles_only = true;
        mc_lateral *l = mc_lateral_create(s, 0, &o, &error);
        if (!l)
            fail_msg("%g m/s, curvature %g: %s", o.speed, o.curvature, error.text);
        const mc_lateral_result *r = mc_lateral_result_of(l);
        assert_true(r->front_use > 0.0 && r->rear_use > 0.0 && r->rear_use < 1.0 + 1e-9);
        if (o.curvature == 0.0) // the drag, and nothing else
            assert_true(r->front_use < 0.06);
        const bool must = o.curvature == 0.0 || r->rear_use < 0.85;
        if (must && !(r->largest < 0.0))
            fail_msg("%g m/s, curvature %g: %g 1/s with %g of the friction", o.speed, o.curvature,
                     r->largest, r->rear_use);
        held += must;
        mc_lateral_destroy(l);
    }
    assert_true(held >= 12);
    mc_scenario_free(s);
}

// What is not stable is said to be so.
static void finds_instability(void **unused)
{
    (void)unused;
    mc_scenario *s = car_of("bicycle", "{law: preview, yaw_damping: 0}");
    mc_lateral_options o = mc_lateral_defaults();
    o.speed = 60.0;
    mc_lateral *l = analyse(s, &o);
    assert_true(mc_lateral_result_of(l)->largest > 0.005);
    assert_true(isnan(mc_lateral_result_of(l)->peak));
    mc_lateral_destroy(l);
    o.speed = 30.0;
    l = analyse(s, &o);
    assert_true(mc_lateral_result_of(l)->largest < -0.4);
    mc_lateral_destroy(l);
    mc_scenario_free(s);
}

static void expect_error(const mc_scenario *s, const mc_lateral_options *o, const char *text)
{
    mc_error error = {0};
    assert_null(mc_lateral_create(s, 0, o, &error));
    assert_string_equal(error.text, text);
}

static void rejects(void **unused)
{
    (void)unused;
    mc_scenario *s = car_of("bicycle", "preview");
    mc_lateral_options o = mc_lateral_defaults();
    o.law = "stanly";
    expect_error(s, &o,
                 "unknown steering law \"stanly\", did you mean stanley; `motorcade laws` lists "
                 "them");
    const char *const names[] = {"frequenzy"};
    const double values[] = {1e9};
    o = mc_lateral_defaults();
    o.set_names = names, o.set_values = values, o.set_count = 1;
    expect_error(s, &o,
                 "law preview has no parameter \"frequenzy\", did you mean frequency; `motorcade "
                 "laws preview` lists them");
    const char *const right[] = {"frequency"};
    o.set_names = right;
    expect_error(s, &o,
                 "frequency = 1e+09: of the offset's decay of law preview must be in 0.05 .. 10 "
                 "rad/s");
    o = mc_lateral_defaults();
    o.speed = 0.0;
    expect_error(s, &o, "speed is 0, expected 0.5 .. 100 m/s");
    mc_scenario_free(s);
    s = car_of("{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}",
               "preview");
    o = mc_lateral_defaults();
    expect_error(s, &o,
                 "steering of a multibody vehicle cannot be analysed: its speed is not one of its "
                 "states; expected a type that stays in the plane");
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_car_has_closed_forms),
        cmocka_unit_test(optimal_gains_place_their_poles),
        cmocka_unit_test(is_the_motion_of_the_run),
        cmocka_unit_test(stable_over_the_map),
        cmocka_unit_test(stable_while_friction_is_left),
        cmocka_unit_test(finds_instability),
        cmocka_unit_test(rejects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
