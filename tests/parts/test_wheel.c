// test_wheel.c - a wheel under a quarter of a car, against closed forms and CVODE.
#include "parts/wheel.h"
#include "support/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { N = 4, WHEEL_VALUES = 4 };
enum { Y_X, Y_V, Y_SPIN, Y_TWIST, Y_ZX, Y_ZY, Y_SLIPPED, Y_BRAKED, Y_DRIVEN, Y_COUNT };

static const double mass = 400.0, g = 9.81, radius = 0.3, inertia = 1.2;

typedef struct quarter { // a block on one wheel
    wheel_model wheel;
    double p[TYRE_PARAM_MAX];
    double fz, slope, mu;
    double drive, brake; // N m
    double force;        // N, of the last look
} quarter;

static void make(quarter *q, const tyre_kind *kind)
{
    *q = (quarter){.fz = mass * g, .mu = 1.0};
    tyre_defaults(kind, q->p);
    q->wheel = (wheel_model){.tyre = tyre_for_spin(kind),
                             .tyre_p = q->p,
                             .radius = radius,
                             .inertia = inertia,
                             .hold = 500.0};
    assert_int_equal(wheel_state_count(&q->wheel), WHEEL_VALUES);
}

static void rates(void *context, double t, const double *y, double *dy)
{
    quarter *q = context;
    (void)t;
    _Alignas(32) double fz[N], v_x[N], v_y[N] = {0}, mu[N], drive[N], brake[N], x[4 * N];
    _Alignas(32) double fx[N], fy[N], torque[N], v_roll[N], rate[4 * N];
    for (int i = 0; i < N; i++) {
        fz[i] = q->fz, v_x[i] = y[Y_V], mu[i] = q->mu, drive[i] = q->drive, brake[i] = q->brake;
        for (int k = 0; k < WHEEL_VALUES; k++)
            x[k * N + i] = y[Y_SPIN + k];
    }
    const wheel_in in = {
        .fz = fz, .v_x = v_x, .v_y = v_y, .mu = mu, .drive = drive, .brake = brake};
    wheel_eval_at[cpu_level_best()](
        &q->wheel, N, &in, x, rate,
        &(wheel_out){.fx = fx, .fy = fy, .brake = torque, .v_roll = v_roll});
    q->force = fx[1];
    dy[Y_X] = y[Y_V];
    dy[Y_V] = fx[1] / mass - g * sin(q->slope);
    for (int k = 0; k < WHEEL_VALUES; k++)
        dy[Y_SPIN + k] = rate[k * N + 1];
    dy[Y_SLIPPED] = -fx[1] * (y[Y_V] - v_roll[1]);
    dy[Y_BRAKED] = torque[1] * y[Y_SPIN];
    dy[Y_DRIVEN] = q->drive * y[Y_SPIN];
}

static void step(quarter *q, double h, double y[Y_COUNT])
{
    double k[4][Y_COUNT], at[Y_COUNT];
    const double share[4] = {0.0, 0.5 * h, 0.5 * h, h};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < Y_COUNT; i++)
            at[i] = y[i] + (s ? share[s] * k[s - 1][i] : 0.0);
        rates(q, 0.0, at, k[s]);
    }
    for (int i = 0; i < Y_COUNT; i++)
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

static void run(quarter *q, double h, double time, double y[Y_COUNT])
{
    const int steps = (int)lround(time / h);
    for (int i = 0; i < steps; i++)
        step(q, h, y);
}

static const tyre_kind *const laws[] = {&tyre_brush, &tyre_linear, &tyre_calspan};

// ---- brake and engine on a wheel in the air ----------------------------------------------------

// J w' = T: the wheel spins up by the engine, the brake stops it in time J w / T, and holds it
// against the engine up to its torque. Held means held: the spin is 0 and stays.
static void brake_stops_and_holds(void **unused)
{
    (void)unused;
    quarter q;
    make(&q, &tyre_brush);
    q.fz = 0.0;
    double y[Y_COUNT] = {0};
    q.drive = 60.0;
    run(&q, 1e-3, 2.0, y);
    assert_true(fabs(y[Y_SPIN] - 100.0) < 1e-9);
    q.drive = 0.0, q.brake = 600.0; // 0.2 s to stop
    run(&q, 1e-4, 0.19, y);
    assert_true(fabs(y[Y_SPIN] - 5.0) < 0.1); // the brake takes hold within a millisecond
    q.drive = 450.0;
    run(&q, 1e-3, 1.0, y);
    assert_true(fabs(y[Y_SPIN]) < 1e-12);
    const double twist = y[Y_TWIST];
    assert_true(fabs(inertia * 500.0 * 500.0 * twist - 450.0) < 1e-9);
    run(&q, 1e-3, 100.0, y);
    assert_true(fabs(y[Y_TWIST] - twist) < 1e-15);
    q.drive = 900.0; // more than the brake holds: (900 - 600) / J
    run(&q, 1e-4, 1.0, y);
    assert_true(fabs(y[Y_SPIN] - 250.0) < 0.5);
    q.brake = 0.0;
    double rate[Y_COUNT];
    rates(&q, 0.0, y, rate);
    assert_true(fabs(rate[Y_SPIN] - 900.0 / inertia) < 1e-9); // let go at once
}

// ---- on the road -------------------------------------------------------------------------------

// Braked beyond grip on a slippery road: the wheel locks, and from there the way is v^2 / (2 mu g).
static void locked_wheel_slides_by_the_closed_form(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        quarter q;
        make(&q, laws[k]);
        q.mu = 0.3, q.brake = 1500.0;
        const double limit = laws[k] == &tyre_calspan
                                 ? 1.0274 * (1.216 - 4.64e-5 * q.fz + 2.18e-11 * q.fz * q.fz) * 0.3
                                 : 0.3;
        double y[Y_COUNT] = {0};
        y[Y_V] = 30.0, y[Y_SPIN] = 30.0 / radius;
        while (fabs(y[Y_SPIN]) > 0.01)
            step(&q, 1e-4, y);
        run(&q, 1e-4, 0.1, y);
        const double x = y[Y_X], v = y[Y_V];
        assert_true(v > 28.0);
        while (y[Y_V] > 0.0)
            step(&q, 2e-4, y);
        const double way = v * v / (2.0 * limit * g);
        assert_true(fabs((y[Y_X] - x) / way - 1.0) < 1e-5);
        assert_true(fabs(y[Y_SPIN]) < 1.0);
    }
}

// Driven beyond grip: the car gets mu g, the wheel the rest of the torque.
static void driven_beyond_grip_spins_up(void **unused)
{
    (void)unused;
    quarter q;
    make(&q, &tyre_brush);
    q.mu = 0.2, q.drive = 600.0;
    double y[Y_COUNT] = {0}, rate[Y_COUNT];
    run(&q, 1e-3, 3.0, y);
    rates(&q, 0.0, y, rate);
    assert_true(fabs(rate[Y_V] - 0.2 * g) < 1e-9);
    assert_true(fabs(rate[Y_SPIN] - (600.0 - radius * 0.2 * q.fz) / inertia) < 1e-6);
    assert_true(radius * y[Y_SPIN] > 5.0 * y[Y_V]);
}

// Driven below grip: the block and the wheel accelerate as one, F = T/R, m + J/R^2.
static void driven_below_grip_rolls(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        quarter q;
        make(&q, laws[k]);
        q.drive = 150.0;
        double y[Y_COUNT] = {0}, rate[Y_COUNT];
        run(&q, 1e-3, 5.0, y);
        rates(&q, 0.0, y, rate);
        const double expected = q.drive / radius / (mass + inertia / (radius * radius));
        assert_true(fabs(rate[Y_V] / expected - 1.0) < 2e-3); // slip grows a little with speed
    }
}

// ---- standing ----------------------------------------------------------------------------------

// On a slope of 15 degrees with the brake on: after coming to rest the car does not move at all. A
// whole hour is run.
static void stands_an_hour_on_a_slope(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        quarter q;
        make(&q, laws[k]);
        q.slope = 15.0 * 3.14159265358979 / 180.0, q.fz = mass * g * cos(q.slope);
        q.brake = 1200.0;
        double y[Y_COUNT] = {0};
        run(&q, 2.4e-3, 60.0, y);
        const double rest = y[Y_X];
        assert_true(rest < 0.0 && rest > -0.02); // the tread gives: F / k
        assert_true(fabs(q.force - mass * g * sin(q.slope)) < 1e-6);
        run(&q, 2.4e-3, k == 0 ? 3540.0 : 60.0, y);
        assert_true(fabs(y[Y_X] - rest) < 1e-9); // 1e-6 mm; 1 mm is allowed
        assert_true(fabs(y[Y_V]) < 1e-12);
    }
}

// From 30 m/s to rest, and rocking to rest: the force changes by no more than a bound in any
// millisecond once the brake has taken hold. A jump would show whatever its time.
static void no_force_jumps_down_to_rest(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        quarter q;
        make(&q, laws[k]);
        double y[Y_COUNT] = {0}, rate[Y_COUNT], before = 0.0, largest = 0.0, farthest = 0.0;
        y[Y_V] = 30.0, y[Y_SPIN] = 30.0 / radius;
        q.brake = 600.0; // 0.5 g
        run(&q, 1e-4, 0.5, y);
        rates(&q, 0.0, y, rate);
        before = q.force;
        for (int i = 0; i < 9500; i++) {
            run(&q, 1e-4, 1e-3, y);
            rates(&q, 0.0, y, rate);
            largest = fmax(largest, fabs(q.force - before));
            before = q.force;
            farthest = fmax(farthest, y[Y_X]);
        }
        assert_true(fabs(y[Y_V]) < 1e-3);
        // 2000 N of braking come off within a quarter swing of the car on its treads, not at once.
        assert_true(largest < 100.0);
        assert_true(farthest - y[Y_X] < 0.02); // elastic rebound
    }
}

// ---- accuracy ----------------------------------------------------------------------------------

// A car that drives off, brakes and rolls on, by CVODE at tight tolerance.
static void agrees_with_cvode(void **unused)
{
    (void)unused;
    const struct {
        double drive, brake, time;
    } part[] = {{200.0, 0.0, 1.0}, {0.0, 300.0, 0.6}, {50.0, 0.0, 0.4}};
    for (int k = 0; k < 3; k++) {
        quarter q;
        make(&q, laws[k]);
        double y[Y_COUNT] = {0}, z[Y_COUNT];
        y[Y_V] = 10.0, y[Y_SPIN] = 10.0 / radius;
        memcpy(z, y, sizeof z);
        for (int i = 0; i < 3; i++) {
            q.drive = part[i].drive, q.brake = part[i].brake;
            run(&q, 1e-4, part[i].time, y);
            assert_int_equal(reference_integrate(rates, &q, Y_COUNT, z, 0.0, part[i].time, 1e-12),
                             0);
        }
        assert_true(fabs(y[Y_V] - z[Y_V]) < 1e-9);
        assert_true(fabs(y[Y_X] - z[Y_X]) < 1e-8);
        assert_true(fabs(y[Y_SPIN] - z[Y_SPIN]) < 1e-8);
    }
}

static double balance(double h)
{
    quarter q;
    make(&q, &tyre_brush);
    double y[Y_COUNT] = {0};
    y[Y_V] = 10.0, y[Y_SPIN] = 9.99 / radius, y[Y_ZX] = 1e-4;
    const double start = 0.5 * mass * 100.0 + 0.5 * inertia * y[Y_SPIN] * y[Y_SPIN];
    q.drive = -150.0; // smooth: a retarder, without the corner of a brake that takes hold
    run(&q, h, 1.0, y);
    return 0.5 * mass * y[Y_V] * y[Y_V] + 0.5 * inertia * y[Y_SPIN] * y[Y_SPIN] + y[Y_SLIPPED] +
           y[Y_BRAKED] - y[Y_DRIVEN] - start;
}

// Energy of block and wheel plus the work of slip, brake and engine: closes with order four.
static void energy_closes_with_the_order_of_the_method(void **unused)
{
    (void)unused;
    const double coarse = fabs(balance(4e-3)), fine = fabs(balance(2e-3)),
                 finer = fabs(balance(1e-3));
    assert_true(coarse > 1e-9); // not rounding
    assert_true(log2(coarse / fine) > 3.5 && log2(fine / finer) > 3.5);
    assert_true(finer < 1e-3);
}

// The bound on the step is one: just below it a held wheel comes to rest, well above it does not.
static void step_bound_is_sharp(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        quarter q;
        make(&q, laws[k]);
        const double bound = wheel_step_bound(&q.wheel, q.fz, 30.0);
        assert_true(bound > 1e-3 && bound < 10e-3);
        assert_true(fabs(bound * wheel_stiffest(&q.wheel, q.fz, 30.0) - 2.5) < 1e-12);
        q.wheel.hold = 2000.0; // now the brake is the stiffest part
        const double held = wheel_step_bound(&q.wheel, q.fz, 30.0);
        assert_true(held < 1.3e-3 && held > 1.0e-3);
        for (int wide = 0; wide < 2; wide++) {
            double y[Y_COUNT] = {0};
            q.brake = 1e9, y[Y_SPIN] = 1e-6;
            for (int i = 0; i < 2000; i++)
                step(&q, held * (wide ? 1.4 : 1.0), y);
            assert_true(wide ? !(fabs(y[Y_SPIN]) < 1e-6) : fabs(y[Y_SPIN]) < 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brake_stops_and_holds),
        cmocka_unit_test(locked_wheel_slides_by_the_closed_form),
        cmocka_unit_test(driven_beyond_grip_spins_up),
        cmocka_unit_test(driven_below_grip_rolls),
        cmocka_unit_test(stands_an_hour_on_a_slope),
        cmocka_unit_test(no_force_jumps_down_to_rest),
        cmocka_unit_test(agrees_with_cvode),
        cmocka_unit_test(energy_closes_with_the_order_of_the_method),
        cmocka_unit_test(step_bound_is_sharp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
