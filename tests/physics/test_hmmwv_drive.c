// test_hmmwv_drive.c - the derived HMMWV on tyres against its data sheet and closed forms.
#include "mechanical/batch.h"
#include "support/hmmwv.h"
#include "support/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81;
// No air, no rolling resistance, brakes at once.
#define BARE "drag: 0, roll: 0, brake_rate: 1000"

static int channel(const mc_batch *b, const char *name)
{
    for (int k = 0; k < b->kind->channel_count; k++)
        if (strcmp(b->kind->channels[k].name, name) == 0)
            return k;
    fail_msg("there is no channel %s", name);
    return 0;
}

static double read(const mc_batch *b, const char *name)
{
    double values[64];
    b->kind->read_channels(b, 0, values);
    return values[channel(b, name)];
}

static mc_motion motion(const mc_batch *b)
{
    mc_motion m;
    b->kind->motion(b, 0, 1, &m);
    return m;
}

static void drive(mc_batch *b, double throttle, double brake, double steer)
{
    b->kind->set_inputs(b, 0, 1,
                        &(mc_inputs){.throttle = throttle, .brake = brake, .steer = steer});
}

// Mass and static wheel loads of the data sheet, which takes the car level; it stands a third of a
// degree nose down, so the mass centre is a little ahead of that.
static void rests_with_the_loads_of_its_data(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario("", 1, 0.0);
    mc_batch *b = hmmwv_batch(s);
    assert_true(fabs(b->kind->mass(b, 0) - 2573.138) < 1e-9);
    const double front = read(b, "fz_lf"), rear = read(b, "fz_lr");
    printf("loads %.3f and %.3f N, pitch %.3g rad\n", front, rear, read(b, "pitch"));
    assert_true(fabs(front - 6500.85) < 0.0015 * 6500.85);
    assert_true(fabs(rear - 6120.39) < 0.0015 * 6120.39);
    assert_true(fabs(2.0 * (front + rear) - 2573.138 * g) < 1e-6);
    // Moments about the rear axle: the mass centre is where the loads say.
    const double ahead = front / (front + rear) * 3.30193 - 1.652965;
    assert_true(fabs(ahead - 0.047767 - sin(read(b, "pitch")) * (0.169052 + 0.14)) < 3e-4);
    assert_true(fabs(read(b, "fz_rf") - front) < 1e-6 && fabs(read(b, "fz_rr") - rear) < 1e-6);
    assert_true(fabs(read(b, "roll")) < 1e-12);
    b->kind->destroy(b);
    scenario_free(s);
}

static road slope_of(double angle, double friction)
{
    return (road){
        .lane_count = 1,
        .lane_width = 3.4,
        .slope = {.x = (const double[]){0.0}, .value = NULL, .count = 0, .fallback = angle},
        .friction = {.fallback = friction}};
}

// Brakes on: on the level and on 15 degrees less than a sixtieth of a millimetre a minute.
static void stands_still(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario("", 1, 0.0);
    const double slopes[2] = {0.0, 15.0 * M_PI / 180.0};
    for (int k = 0; k < 2; k++) {
        mc_batch *b = hmmwv_batch(s);
        const double x[2] = {-1e6, 1e6}, value[2] = {slopes[k], slopes[k]};
        road r = slope_of(0.0, 1.0);
        r.slope = (road_line){.x = x, .value = value, .count = 2};
        b->kind->set_road(b, &r);
        drive(b, 0.0, 1.0, 0.0);
        b->kind->advance(b, 0, 1, 8.0);
        const double before = motion(b).x;
        b->kind->advance(b, 0, 1, 10.0);
        const double drift = fabs(motion(b).x - before);
        printf("slope %.1f deg: %.3g mm a minute\n", slopes[k] * 180.0 / M_PI, 6e3 * drift);
        assert_true(6.0 * drift < 1e-3 / 60.0);
        assert_true(fabs(motion(b).v) < 1e-6);
        b->kind->destroy(b);
    }
    scenario_free(s);
}

// A road without friction: the whole mechanism slides down at g sin(slope).
static void slides_down_a_slope_of_ice(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario(", drive: {" BARE "}, tyre: {kind: brush}", 1, 0.0);
    mc_batch *b = hmmwv_batch(s);
    const double x[2] = {-1e6, 1e6}, value[2] = {0.1, 0.1};
    road r = slope_of(0.0, 1e-9);
    r.slope = (road_line){.x = x, .value = value, .count = 2};
    b->kind->set_road(b, &r);
    b->kind->advance(b, 0, 1, 2.0);
    const double want = -g * sin(0.1) * 2.0, v = motion(b).v;
    printf("speed %.9f, closed form %.9f m/s\n", v, want);
    assert_true(fabs(v - want) < 1e-6);
    b->kind->destroy(b);
    scenario_free(s);
}

// All wheels locked: the way is v^2 / (2 mu g).
static void locked_wheels_slide_by_the_closed_form(void **unused)
{
    (void)unused;
    scenario *s =
        hmmwv_scenario(", drive: {" BARE ", max_brake: 3}, powertrain: converter", 1, 25.0);
    mc_batch *b = hmmwv_batch(s);
    const double x[2] = {-1e6, 1e6}, mu[2] = {0.5, 0.5};
    road r = slope_of(0.0, 1.0);
    r.friction = (road_line){.x = x, .value = mu, .count = 2};
    b->kind->set_road(b, &r);
    drive(b, 0.0, 1.0, 0.0);
    b->kind->advance(b, 0, 1, 1.0); // locked, the nose has come down
    assert_true(fabs(read(b, "w_lf")) < 1e-3 && fabs(read(b, "w_lr")) < 1e-3);
    const mc_motion from = motion(b);
    const double want = from.v * from.v / (2.0 * 0.5 * g);
    b->kind->advance(b, 0, 1, from.v / (0.5 * g) + 6.0);
    const double way = motion(b).x - from.x;
    printf("way from %.3f m/s: %.4f m, closed form %.4f m; then %.2g m/s\n", from.v, way, want,
           motion(b).v);
    assert_true(fabs(way - want) < 2e-3 * want);
    assert_true(fabs(motion(b).v) < 1e-6);
    b->kind->destroy(b);
    scenario_free(s);
}

// Rolling wheels under a moderate brake: brake times m g over mass with the spin of the wheels.
static void brakes_as_planned(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario(", drive: {" BARE ", max_brake: 0.8}", 1, 25.0);
    mc_batch *b = hmmwv_batch(s);
    for (double desired = -1.0; desired > -5.0; desired -= 1.5) {
        mc_plan plan;
        b->kind->plan(b, 0, 1, &desired, &plan);
        drive(b, 0.0, plan.brake, 0.0);
        b->kind->advance(b, 0, 1, 0.6);
        const mc_motion before = motion(b);
        b->kind->advance(b, 0, 1, 0.2);
        const double a = (motion(b).v - before.v) / 0.2;
        printf("desired %.2f m/s^2: brake %.4f gives %.4f\n", desired, plan.brake, a);
        assert_true(fabs(a - desired) < 0.03 * fabs(desired));
    }
    b->kind->destroy(b);
    scenario_free(s);
}

// Work of the engine is energy: at full throttle the speed is what the force at the wheels gives.
static void accelerates_by_the_force_at_its_wheels(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario(", drive: {" BARE "}", 1, 10.0);
    mc_batch *b = hmmwv_batch(s);
    drive(b, 0.6, 0.0, 0.0);
    b->kind->advance(b, 0, 1, 1.5);
    double sum = 0.0;
    const mc_motion from = motion(b);
    const double h = 0.01, radius = 0.97 * 0.4699;
    for (int k = 0; k < 200; k++) { // middle values: second order
        b->kind->advance(b, 0, 1, 0.5 * h);
        sum += h * read(b, "force");
        b->kind->advance(b, 0, 1, 0.5 * h);
    }
    // Spin inertia: wheel and shaft, each 7.78782 kg m^2.
    const double inertia = 2573.138 + 4.0 * 7.78782 / (radius * radius);
    const double got = motion(b).v - from.v, want = sum / inertia;
    printf("%.3f to %.3f m/s: gain %.5f, impulse over inertia %.5f m/s\n", from.v, motion(b).v, got,
           want);
    assert_true(want > 0.5 && fabs(got - want) < 0.01 * want);
    b->kind->destroy(b);
    scenario_free(s);
}

// Slowly round a curve: the yaw rate is v tan(steer) / wheelbase; mirrored it is the opposite.
static void turns_by_its_wheelbase(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario(", drive: {" BARE "}, powertrain: converter", 1, 3.0);
    double rate[2];
    for (int k = 0; k < 2; k++) {
        mc_batch *b = hmmwv_batch(s);
        drive(b, 0.0, 0.0, k ? -0.05 : 0.05);
        b->kind->advance(b, 0, 1, 3.0);
        const mc_motion m = motion(b);
        rate[k] = m.yaw_rate;
        printf("yaw rate %.6f, closed form %.6f rad/s\n", m.yaw_rate,
               (k ? -1.0 : 1.0) * m.v * tan(0.05) / 3.30193);
        assert_true(fabs(fabs(m.yaw_rate) - m.v * tan(0.05) / 3.30193) < 0.02 * fabs(m.yaw_rate));
        b->kind->destroy(b);
    }
    assert_true(rate[0] > 0.0 && fabs(rate[0] + rate[1]) < 1e-9);
    scenario_free(s);
}

// Energy balance against the step: it closes, with the order of the scheme while it is smooth.
static void energy_balances_with_order_four(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario(", drive: {brake_rate: 5}", 1, 20.0);
    double drift[3], moved = 0.0;
    for (int k = 0; k < 3; k++) {
        mc_batch *b = hmmwv_batch(s);
        b->kind->limit_step(b, 2e-3 / (1 << k));
        drive(b, 0.5, 0.0, 0.05);
        const mc_motion at = motion(b); // a kick upwards: all modes take part
        b->kind->apply_impulse(b, 0, (const double[]){at.x + 1.0, 0.5, 0.8},
                               (const double[]){0.0, 0.0, 500.0});
        const double before = hmmwv_balance(b, 0);
        mc_energy from, to;
        b->kind->energy(b, 0, &from);
        b->kind->advance(b, 0, 1, 0.4);
        b->kind->energy(b, 0, &to);
        drift[k] = fabs(hmmwv_balance(b, 0) - before);
        moved = to.driven - from.driven;
        b->kind->destroy(b);
    }
    printf("driven %.4g J; energy balance drifts by %.3g, %.3g, %.3g J\n", moved, drift[0],
           drift[1], drift[2]);
    assert_true(moved > 1e3);
    assert_true(drift[0] < 1e-6 * moved);
    assert_true(drift[1] < drift[0] / 10.0 && drift[2] < drift[1] / 10.0);
    scenario_free(s);
}

static void rate_of(void *context, double t, const double *y, double *dy)
{
    (void)t;
    const multibody_batch *b = context;
    vehicle_rate(b, b->vehicles, y, dy);
}

// A turn with the throttle half open and the brake a little on, against CVODE.
static void agrees_with_cvode(void **unused)
{
    (void)unused;
    scenario *s = hmmwv_scenario("", 1, 15.0);
    double error[2];
    for (int k = 0; k < 2; k++) {
        mc_batch *b = hmmwv_batch(s), *same = hmmwv_batch(s);
        multibody_batch *own = (multibody_batch *)b, *peer = (multibody_batch *)same;
        double z[128];
        assert_true(own->value_count <= 128);
        b->kind->limit_step(b, k ? 1e-3 : 2e-3);
        drive(b, 0.5, 0.1, 0.02);
        drive(same, 0.5, 0.1, 0.02);
        memcpy(z, peer->vehicles->z, (size_t)peer->value_count * sizeof *z);
        b->kind->advance(b, 0, 1, 0.5);
        assert_int_equal(reference_integrate(rate_of, peer, peer->value_count, z, 0.0, 0.5, 1e-11),
                         0);
        error[k] = 0.0;
        for (int i = 0; i < own->y_count; i++)
            error[k] = fmax(error[k], fabs(own->vehicles->z[i] - z[i]));
        b->kind->destroy(b);
        same->kind->destroy(same);
    }
    printf("largest error of a coordinate or velocity: %.3g at 2 ms, %.3g at 1 ms\n", error[0],
           error[1]);
    assert_true(error[1] < 1e-5 && error[1] < 0.5 * error[0]);
    scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_with_the_loads_of_its_data),
        cmocka_unit_test(stands_still),
        cmocka_unit_test(slides_down_a_slope_of_ice),
        cmocka_unit_test(locked_wheels_slide_by_the_closed_form),
        cmocka_unit_test(brakes_as_planned),
        cmocka_unit_test(accelerates_by_the_force_at_its_wheels),
        cmocka_unit_test(turns_by_its_wheelbase),
        cmocka_unit_test(agrees_with_cvode),
        cmocka_unit_test(energy_balances_with_order_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
