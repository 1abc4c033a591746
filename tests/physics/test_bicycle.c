// test_bicycle.c - the bicycle against eq 1 of the DYNAVIS report, closed forms and CommonRoad.
#include "base/gravity.h"
#include "cars/car.h"
#include "cars/lateral.h"
#include "road/road.h"
#include "support/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { STEER_ANGLE = 8, A_Y = 11 }; // channels

static car bicycle(car_lateral lateral)
{
    car c;
    car_defaults(&c, &powertrain_converter);
    c.lateral = lateral;
    c.p[CAR_STEER_LAG] = 0.0;
    c.p[CAR_STEER_RATE] = 1e9;
    return c;
}

// ---- eq 1 ----

enum { BETA, YAW_RATE, PSI, X, Y, V, ENGINE, STATES };

typedef struct report {
    const car *c;
    double steer, throttle;
} report;

// Eq 1 as it is printed, the speed by eqs 3 to 6.
static void eq_1(void *context, double t, const double *y, double *dy)
{
    (void)t;
    const report *r = context;
    const double *p = r->c->p, m = p[CAR_MASS], inertia = p[CAR_YAW_INERTIA];
    const double c = p[CAR_CORNERING], lf = p[CAR_FRONT], lr = p[CAR_REAR];
    const double v = y[V], hat = fmax(v, 4.0);
    powertrain_values engine;
    powertrain_look(r->c->powertrain, r->c->powertrain_p, r->throttle, v * cos(y[BETA]), y + ENGINE,
                    &engine);
    const double drag = p[CAR_DRAG_0] + p[CAR_DRAG_1] * v * cos(y[BETA]) +
                        p[CAR_DRAG_2] * v * v * cos(y[BETA]) * cos(y[BETA]);
    dy[BETA] = -4.0 * c / (m * hat) * y[BETA] +
               (2.0 * c * (lr - lf) / (m * hat * hat) - 1.0) * y[YAW_RATE] +
               2.0 * c / (m * hat) * r->steer;
    dy[YAW_RATE] = 2.0 * c * (lr - lf) / inertia * y[BETA] -
                   2.0 * c * (lr * lr + lf * lf) / (inertia * hat) * y[YAW_RATE] +
                   2.0 * c * lf / inertia * r->steer;
    dy[PSI] = y[YAW_RATE];
    dy[X] = v * cos(y[BETA] + y[PSI]);
    dy[Y] = v * sin(y[BETA] + y[PSI]);
    dy[V] = (engine.force - drag) / m;
    dy[ENGINE] = engine.rate[0];
}

static void state_of(const mc_batch *batch, double out[STATES])
{
    mc_motion m;
    double channel[64];
    batch->kind->motion(batch, 0, 1, &m);
    batch->kind->read_channels(batch, 0, channel);
    const double all[STATES] = {atan2(m.v_y, m.v), m.yaw_rate, m.psi, m.x, m.y,
                                hypot(m.v, m.v_y), channel[0]};
    memcpy(out, all, sizeof all);
}

// A step of the steering angle at 2 and 25 m/s; below 4 m/s V^ is not V.
static void step_steer_is_eq_1(void **unused)
{
    (void)unused;
    static const double speeds[] = {2.0, 25.0}, steers[] = {0.2, 0.02};
    for (int k = 0; k < 2; k++) {
        const car c = bicycle(CAR_PRINTED);
        mc_batch *batch = car_batch_create(&c, 1, 5e-4);
        car_batch_place(batch, 0, 0.0, 0.0, 0.1, speeds[k]);
        report r = {.c = &c, .steer = steers[k], .throttle = 0.1};
        batch->kind->set_inputs(batch, 0, 1,
                                &(mc_inputs){.throttle = r.throttle, .steer = r.steer});
        double y[STATES], ours[STATES], worst = 0.0;
        state_of(batch, y);
        for (int piece = 0; piece < 40; piece++) {
            assert_int_equal(reference_integrate(eq_1, &r, STATES, y, 0.0, 0.1, 1e-12), 0);
            batch->kind->advance(batch, 0, 1, 0.1);
            state_of(batch, ours);
            for (int j = 0; j < ENGINE; j++)
                worst = fmax(worst, fabs(ours[j] - y[j]));
        }
        printf("eq 1 at %g m/s: %.1e; yaw rate %.4f rad/s, side slip %.4f rad at the end\n",
               speeds[k], worst, y[YAW_RATE], y[BETA]);
        assert_true(worst < 1e-7 && fabs(y[YAW_RATE]) > 0.05);
        batch->kind->destroy(batch);
    }
}

// ---- closed forms ----

static lateral_point point_of(const car *c)
{
    const double *p = c->p;
    const bool single = c->lateral == CAR_SINGLE_TRACK;
    return (lateral_point){.front = p[CAR_FRONT],
                           .rear = p[CAR_REAR],
                           .mass = p[CAR_MASS],
                           .inertia = p[CAR_YAW_INERTIA],
                           .c_front = single ? p[CAR_LOAD_FRONT] : 2.0 * p[CAR_CORNERING],
                           .c_rear = single ? p[CAR_LOAD_REAR] : 2.0 * p[CAR_CORNERING],
                           .cg_height = p[CAR_CG_HEIGHT],
                           .friction = 1.0,
                           .kinematic_below = p[CAR_KINEMATIC_BELOW]};
}

// Rates of side slip and yaw rate at speed v.
static void slip_rates(car_lateral form, lateral_point at, double v, double slip, double r,
                       double out[2])
{
    double rate[3];
    at.u = v * cos(slip), at.w = v * sin(slip), at.r = r;
    car_lateral_at_plain(form, &at, rate);
    out[0] = (at.u * rate[1] - at.w * rate[0]) / (v * v);
    out[1] = rate[2];
}

// d(slip', r')/d(slip, r) at a state, column by column.
static void jacobian(car_lateral form, const lateral_point *at, double v, double slip, double r,
                     double j[4])
{
    const double h = 1e-6;
    for (int k = 0; k < 2; k++) {
        double up[2], down[2];
        slip_rates(form, *at, v, slip + (k ? 0 : h), r + (k ? h : 0), up);
        slip_rates(form, *at, v, slip - (k ? 0 : h), r - (k ? h : 0), down);
        for (int i = 0; i < 2; i++)
            j[2 * k + i] = (up[i] - down[i]) / (2.0 * h);
    }
}

static double determinant(car_lateral form, const lateral_point *at, double v)
{
    double j[4];
    jacobian(form, at, v, 0.0, 0.0, j);
    return j[0] * j[3] - j[1] * j[2];
}

// Yaw rate over steering angle in the steady state, by Newton's method on the equations.
static double yaw_gain(car_lateral form, lateral_point at, double v)
{
    double slip = 0.0, r = 0.0;
    at.steer = 1e-6;
    for (int k = 0; k < 20; k++) {
        double j[4], f[2];
        slip_rates(form, at, v, slip, r, f);
        jacobian(form, &at, v, slip, r, j);
        const double d = j[0] * j[3] - j[1] * j[2];
        slip -= (j[3] * f[0] - j[2] * f[1]) / d;
        r -= (j[0] * f[1] - j[1] * f[0]) / d;
    }
    return r / at.steer;
}

// r/d = V/(L + K V^2), K = M (lr Cr - lf Cf)/(L Cf Cr); V^2 = -L/K is where a car that oversteers
// becomes unstable.
static void closed_forms_hold(void **unused)
{
    (void)unused;
    static const car_lateral forms[] = {CAR_PRINTED, CAR_EXACT, CAR_SINGLE_TRACK};
    for (int n = 0; n < 3; n++) {
        car c = bicycle(forms[n]);
        for (int over = 0; over < 2; over++) {
            if (over) { // oversteers
                c.p[CAR_FRONT] = 1.55, c.p[CAR_REAR] = 1.43;
                c.p[CAR_LOAD_FRONT] = 24.0;
            } else {
                c.p[CAR_LOAD_FRONT] = 19.0;
            }
            const lateral_point at = point_of(&c);
            const double length = at.front + at.rear, weight = at.mass * GRAVITY / length;
            const bool single = forms[n] == CAR_SINGLE_TRACK;
            const double cf = single ? at.c_front * weight * at.rear : at.c_front;
            const double cr = single ? at.c_rear * weight * at.front : at.c_rear;
            const double k = at.mass * (at.rear * cr - at.front * cf) / (length * cf * cr);
            for (double v = 5.0; v < 36.0; v += 10.0) {
                const double expected = v / (length + k * v * v);
                const double gain = yaw_gain(forms[n], at, v);
                const double understeer = (v / gain - length) / (v * v);
                assert_true(fabs(gain / expected - 1.0) < 1e-9);
                assert_true(fabs(understeer - k) < 1e-9 * (fabs(k) + length / (v * v)));
            }
            if (!over)
                continue;
            double low = 5.0, high = 200.0;
            assert_true(determinant(forms[n], &at, low) > 0.0);
            assert_true(determinant(forms[n], &at, high) < 0.0);
            for (int i = 0; i < 60; i++) {
                const double middle = 0.5 * (low + high);
                if (determinant(forms[n], &at, middle) > 0.0)
                    low = middle;
                else
                    high = middle;
            }
            printf("critical speed %.9f m/s, closed form %.9f\n", low, sqrt(-length / k));
            assert_true(fabs(low / sqrt(-length / k) - 1.0) < 1e-9);
        }
    }
}

// ---- CommonRoad ----

// Vehicle 2 at the states whose derivatives CommonRoad publishes; steering 0.15 rad/s, 0.63 g.
static const double KS[5] = {3.9579422297936526, 0.0391650102771405, 0.0378491427211811,
                             16.3546957860883566, 0.0294717351052816};
static const double KS_RATES[5] = {16.3475935934250209, 0.4819314886013121, 0.15,
                                   5.1464424102339752, 0.2401426578627629};
static const double ST[7] = {2.0233348142065677,  0.0041907137716636, 0.0197545248559617,
                             15.7216236334290116, 0.0025857914776859, 0.0529001056654038,
                             0.0033012170610298};
static const double ST_RATES[7] = {15.7213512030862397, 0.0925527979719355, 0.15,
                                   5.3536773276413925,  0.0529001056654038, 0.6435589397748606,
                                   0.0313297971641291};

static lateral_point vehicle_2(void)
{
    const double slug = 4.4482216152605 / 0.3048, foot = 0.3048;
    return (lateral_point){.front = 3.793293 * foot,
                           .rear = 4.667707 * foot,
                           .mass = 74.91452 * slug,
                           .inertia = 1321.416 * 1.3558179483314004,
                           .c_front = 21.92,
                           .c_rear = 21.92,
                           .cg_height = 2.01355 * foot,
                           .friction = 1.0};
}

// Above 7.319 m/s the engine gives a_max 7.319/v.
static double accelerates(double v)
{
    return fmin(0.63 * 9.81, 11.5 * 7.319 / v);
}

static void commonroad_derivatives(void **unused)
{
    (void)unused;
    for (int avx2 = 0; avx2 < 1 + (cpu_level_best() == CPU_AVX2); avx2++) {
        car_lateral_at *eval = avx2 ? car_lateral_at_avx2 : car_lateral_at_plain;
        lateral_point at = vehicle_2();
        double rate[3];
        // Kinematic: the rear axle moves along the heading.
        at.kinematic_below = 1e3;
        at.u = KS[3], at.steer = KS[2], at.steer_rate = 0.15, at.a = accelerates(KS[3]);
        at.r = at.u * tan(at.steer) / (at.front + at.rear), at.w = at.rear * at.r;
        eval(CAR_SINGLE_TRACK, &at, rate);
        const double side = at.w - at.rear * at.r;
        const double ks[5] = {at.u * cos(KS[4]) - side * sin(KS[4]),
                              at.u * sin(KS[4]) + side * cos(KS[4]), 0.15, rate[0], at.r};
        for (int k = 0; k < 5; k++)
            assert_true(fabs(ks[k] - KS_RATES[k]) < 1e-12 * fmax(1.0, fabs(KS_RATES[k])));
        // The yaw rate follows its own equation: (v tan(d)/L)'.
        const double turn =
            (rate[0] * tan(at.steer) + at.u * 0.15 / (cos(at.steer) * cos(at.steer))) /
            (at.front + at.rear);
        assert_true(fabs(rate[2] - turn) < 1e-12 && fabs(rate[1] - at.rear * turn) < 1e-12);
        // Dynamic.
        const double v = ST[3], slip = ST[6];
        at.kinematic_below = 0.05;
        at.u = v * cos(slip), at.w = v * sin(slip), at.r = ST[5];
        at.steer = ST[2], at.a = accelerates(v);
        eval(CAR_SINGLE_TRACK, &at, rate);
        const double st[7] = {v * cos(slip + ST[4]),
                              v * sin(slip + ST[4]),
                              0.15,
                              (at.u * rate[0] + at.w * rate[1]) / v,
                              at.r,
                              rate[2],
                              (at.u * rate[1] - at.w * rate[0]) / (v * v)};
        for (int k = 0; k < 7; k++) {
            if (!(fabs(st[k] - ST_RATES[k]) < 1e-12 * fmax(1.0, fabs(ST_RATES[k]))))
                fail_msg("st[%d] = %.16g, expected %.16g", k, st[k], ST_RATES[k]);
        }
    }
}

// ---- motion ----

static void drive(mc_batch *batch, const mc_inputs *in, double t)
{
    batch->kind->set_inputs(batch, 0, 1, in);
    for (int k = 0; k < (int)lround(t / 0.1); k++)
        batch->kind->advance(batch, 0, 1, 0.1);
}

// Centre and radius of the circle through three places.
static double radius_of(const mc_motion m[3])
{
    const double ax = m[1].x - m[0].x, ay = m[1].y - m[0].y;
    const double bx = m[2].x - m[0].x, by = m[2].y - m[0].y;
    const double cx = bx - ax, cy = by - ay;
    return hypot(ax, ay) * hypot(bx, by) * hypot(cx, cy) / (2.0 * fabs(ax * by - ay * bx));
}

// A car with constant throttle and steering ends on a circle: lateral acceleration V^2/R.
static void steady_bend(void **unused)
{
    (void)unused;
    static const car_lateral forms[] = {CAR_PRINTED, CAR_EXACT, CAR_SINGLE_TRACK};
    for (int n = 0; n < 3; n++) {
        const car c = bicycle(forms[n]);
        mc_batch *batch = car_batch_create(&c, 1, 0.002);
        const mc_inputs in = {.throttle = 0.12, .steer = 0.03};
        mc_motion m[3];
        double channel[64];
        car_batch_place(batch, 0, 0.0, 0.0, 0.0, 15.0);
        drive(batch, &in, 400.0);
        for (int k = 0; k < 3; k++) {
            drive(batch, &in, 3.0);
            batch->kind->motion(batch, 0, 1, &m[k]);
        }
        batch->kind->read_channels(batch, 0, channel);
        const double v = hypot(m[2].v, m[2].v_y), slip = atan2(m[2].v_y, m[2].v);
        // The channel is the part across the heading; the whole points to the centre.
        const double along = m[2].a - m[2].v_y * m[2].yaw_rate;
        const double to_centre = channel[A_Y] * cos(slip) - along * sin(slip);
        const double expected = v * v / radius_of(m);
        printf("R = %.3f m: %.8f m/s^2, V^2/R %.8f\n", radius_of(m), to_centre, expected);
        assert_true(fabs(to_centre / expected - 1.0) < 1e-6 && expected > 0.5);
        batch->kind->destroy(batch);
    }
}

// From dynamic to kinematic and on: halving the step divides the error by sixteen.
static void order_across_the_blend(void **unused)
{
    (void)unused;
    enum { RUNS = 5 };
    for (int lateral = CAR_PRINTED; lateral < CAR_LATERAL_COUNT; lateral++) {
        mc_motion m[RUNS];
        car c = bicycle((car_lateral)lateral);
        c.p[CAR_DRAG_CONTINUOUS] = 1.0;
        c.p[CAR_KINEMATIC_BELOW] = 1.0;
        for (int k = 0; k < RUNS; k++) {
            mc_batch *batch = car_batch_create(&c, 1, 0.0025 / (1 << k));
            car_batch_place(batch, 0, 0.0, 0.0, 0.0, 4.0);
            batch->kind->set_inputs(batch, 0, 1, &(mc_inputs){.brake = 0.2, .steer = 0.1});
            batch->kind->advance(batch, 0, 1, 2.8); // to below 1 m/s
            batch->kind->motion(batch, 0, 1, &m[k]);
            batch->kind->destroy(batch);
        }
        double error[RUNS - 1];
        for (int k = 0; k < RUNS - 1; k++)
            error[k] = fabs(m[k].yaw_rate - m[RUNS - 1].yaw_rate) + fabs(m[k].y - m[RUNS - 1].y);
        printf("errors %.1e %.1e %.1e %.1e, at %.3f m/s\n", error[0], error[1], error[2], error[3],
               m[0].v);
        assert_true(m[0].v < 1.0 && m[0].v > 0.45);
        assert_true(error[0] / error[1] > 11.0 && error[1] / error[2] > 11.0);
        // Now it rolls without side slip.
        const double turn = m[0].v * tan(0.1) / (c.p[CAR_FRONT] + c.p[CAR_REAR]);
        assert_true(fabs(m[0].yaw_rate - turn) < 2e-3 * turn);
        assert_true(fabs(m[0].v_y - c.p[CAR_REAR] * m[0].yaw_rate) < 1e-3);
    }
}

// The steering moves with its lag, no faster than its rate, no further than its limit.
static void steering_is_limited(void **unused)
{
    (void)unused;
    car c = bicycle(CAR_EXACT);
    c.p[CAR_STEER_LAG] = 0.2, c.p[CAR_STEER_RATE] = 0.5, c.p[CAR_STEER_MAX] = 0.3;
    mc_batch *batch = car_batch_create(&c, 1, 0.005);
    double channel[64];
    car_batch_place(batch, 0, 0.0, 0.0, 0.0, 10.0);
    drive(batch, &(mc_inputs){.steer = 1.0}, 0.3);
    batch->kind->read_channels(batch, 0, channel);
    assert_true(fabs(channel[STEER_ANGLE] - 0.15) < 1e-12); // 0.3 s at the full rate
    drive(batch, &(mc_inputs){.steer = 1.0}, 0.2);
    batch->kind->read_channels(batch, 0, channel);
    assert_true(fabs(channel[STEER_ANGLE] - (0.3 - 0.1 * exp(-0.1 / 0.2))) < 1e-12);
    drive(batch, &(mc_inputs){.steer = 1.0}, 10.0);
    batch->kind->read_channels(batch, 0, channel);
    assert_true(channel[STEER_ANGLE] == 0.3);
    batch->kind->destroy(batch);
}

// On a hill of 15 degrees, heading anywhere, the brake holds it to the last bit for an hour.
static void parked_on_a_hill(void **unused)
{
    (void)unused;
    arena memory = {0};
    road hill;
    mc_error error;
    const road_stretch grade = {-1e4, 1e4, 15.0 * 3.14159265358979 / 180.0, 1.0};
    assert_int_equal(road_make(&memory, 1, 4.0, &grade, 1, NULL, 0, &hill, &error), MC_OK);
    for (int lateral = CAR_PRINTED; lateral < CAR_LATERAL_COUNT; lateral++) {
        const car c = bicycle((car_lateral)lateral);
        mc_batch *batch = car_batch_create(&c, 1, 0.01);
        mc_motion before, after;
        batch->kind->set_road(batch, &hill);
        car_batch_place(batch, 0, 100.0, 0.0, 0.5, 0.0);
        drive(batch, &(mc_inputs){.brake = 0.6, .steer = 0.2}, 5.0);
        batch->kind->motion(batch, 0, 1, &before);
        assert_true(fabs(before.x - 100.0) < 1.0);
        drive(batch, &(mc_inputs){.brake = 0.6, .steer = 0.2},
              lateral == CAR_EXACT ? 3600.0 : 60.0);
        batch->kind->motion(batch, 0, 1, &after);
        assert_memory_equal(&before, &after, sizeof before);
        drive(batch, &(mc_inputs){.steer = 0.0}, 4.0); // released, it rolls back
        batch->kind->motion(batch, 0, 1, &after);
        assert_true(after.v < -1.0 && after.x < 99.0);
        batch->kind->destroy(batch);
    }
    arena_free(&memory);
}

// Over a hill, turning: weight times height is what the motion loses, and halving the step divides
// the error by four.
static void energy_over_a_hill(void **unused)
{
    (void)unused;
    arena memory = {0};
    road hill;
    mc_error error;
    const road_stretch grade = {20.0, 300.0, 0.08, 60.0};
    assert_int_equal(road_make(&memory, 1, 4.0, &grade, 1, NULL, 0, &hill, &error), MC_OK);
    double drift[2];
    for (int k = 0; k < 2; k++) {
        const car c = bicycle(CAR_EXACT);
        mc_batch *batch = car_batch_create(&c, 1, 0.005 / (1 << k));
        mc_energy start, now;
        batch->kind->set_road(batch, &hill);
        car_batch_place(batch, 0, 0.0, 0.0, 0.3, 15.0);
        batch->kind->energy(batch, 0, &start);
        drive(batch, &(mc_inputs){.throttle = 0.2, .steer = -0.01}, 10.0);
        batch->kind->energy(batch, 0, &now);
        drift[k] = now.kinetic + now.gravity + now.slipped + now.braked + now.dragged - now.driven -
                   start.kinetic - start.gravity;
        if (k == 0)
            printf("%.0f J of height, balance %.1e J\n", now.gravity, drift[0]);
        assert_true(now.gravity > 5e4);
        batch->kind->destroy(batch);
    }
    assert_true(fabs(drift[0]) < 1.0 && fabs(drift[0] / drift[1]) > 3.5);
    arena_free(&memory);
}

// With a grip limit it spins, slides backwards and stops; its tyres never give energy.
static void spins_and_stops(void **unused)
{
    (void)unused;
    car c = bicycle(CAR_EXACT);
    c.p[CAR_GRIP] = 0.8;
    mc_batch *batch = car_batch_create(&c, 1, 0.002);
    mc_energy start, now;
    mc_motion m;
    double turned = 0.0, lost = 0.0;
    car_batch_place(batch, 0, 0.0, 0.0, 0.0, 25.0);
    batch->kind->apply_impulse(batch, 0, (double[3]){-2.5, 0.0, 0.0}, (double[3]){0, 9000.0, 0});
    batch->kind->energy(batch, 0, &start);
    for (int k = 0; k < 120; k++) {
        drive(batch, &(mc_inputs){.brake = 0.3}, 0.1);
        batch->kind->motion(batch, 0, 1, &m);
        batch->kind->energy(batch, 0, &now);
        turned = fmax(turned, fabs(m.psi));
        assert_true(now.slipped >= lost - 1e-9);
        lost = now.slipped;
    }
    const double drift =
        now.kinetic + now.slipped + now.braked + now.dragged - now.driven - start.kinetic;
    printf("turned by %.2f rad, energy balance %.1e\n", turned, drift / start.kinetic);
    assert_true(turned > 2.0 && m.v == 0.0 && fabs(m.v_y) < 1e-9);
    assert_true(fabs(drift) < 1e-5 * start.kinetic);
    batch->kind->destroy(batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_steer_is_eq_1),     cmocka_unit_test(closed_forms_hold),
        cmocka_unit_test(commonroad_derivatives), cmocka_unit_test(steady_bend),
        cmocka_unit_test(order_across_the_blend), cmocka_unit_test(steering_is_limited),
        cmocka_unit_test(parked_on_a_hill),       cmocka_unit_test(energy_over_a_hill),
        cmocka_unit_test(spins_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
