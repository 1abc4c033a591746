// test_equilibrium.c - rest positions against closed forms, from starts near and far, and
// what is said when there is none.
#include "motorcade/linear.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static mc_multibody *model;
static double y[64];
static mc_equilibrium_report report;
static mc_error error;

static const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};

static void load(const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/models/%s", SOURCE_DIR, name);
    model = mc_multibody_load(path, &interpreted, &error);
    if (!model)
        fail_msg("%s", error.text);
    mc_multibody_start(model, y);
}

static void parse(const char *text)
{
    model = mc_multibody_parse(text, "m.yaml", &interpreted, &error);
    if (!model)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    mc_multibody_start(model, y);
}

static void set(const char *name, double value)
{
    if (mc_multibody_set(model, name, value, &error) != MC_OK)
        fail_msg("%s", error.text);
}

static int release(void **state)
{
    (void)state;
    mc_multibody_free(model);
    model = NULL;
    return 0;
}

static mc_status solve(int hold_count, const char *const *hold)
{
    const mc_equilibrium_options options = {.hold = hold, .hold_count = hold_count};
    return mc_multibody_equilibrium(model, y, &options, &report, &error);
}

static void assert_solved(int hold_count, const char *const *hold)
{
    if (solve(hold_count, hold) != MC_OK)
        fail_msg("%s", error.text);
    assert_true(report.residual <= 1e-9);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

// From every angle but the top, where it stands: hanging down.
static void pendulum_hangs(void **state)
{
    (void)state;
    load("pendulum.yaml");
    for (int angle = -179; angle < 180; angle += 7) {
        y[0] = angle * PI / 180.0;
        y[1] = 3.0; // velocities of the start do not matter
        assert_solved(0, NULL);
        assert_near(y[0], 0.0, 1e-12);
        assert_true(y[1] == 0.0);
    }
    y[0] = PI; // an unstable rest is one
    assert_solved(0, NULL);
    assert_near(y[0], PI, 1e-12);
    assert_int_equal(report.unheld_count, 0);
}

static void double_pendulum_hangs(void **state)
{
    (void)state;
    load("double_pendulum.yaml");
    unsigned long long seed = 5;
    for (int k = 0; k < 50; k++) {
        y[0] = sample_uniform(&seed, -3.0, 3.0);
        y[1] = sample_uniform(&seed, -3.0, 3.0);
        assert_solved(0, NULL);
        assert_near(sin(y[0]), 0.0, 1e-12);
        assert_near(cos(y[0]), 1.0, 1e-12);
        assert_near(cos(y[0] + y[1]), 1.0, 1e-12);
    }
}

// The upper rod held aside: the lower one hangs straight down, whatever couples their masses.
static void held_rod(void **state)
{
    (void)state;
    load("double_pendulum.yaml");
    static const char *const hold[] = {"rod1.angle"};
    y[0] = 0.7;
    y[1] = 0.2;
    assert_solved(1, hold);
    assert_true(y[0] == 0.7);
    assert_near(y[1], -0.7, 1e-12);
    static const char *const by_velocity[] = {"rod1.angle_rate"};
    y[1] = 1.2;
    assert_solved(1, by_velocity);
    assert_near(y[1], -0.7, 1e-12);
}

// Static travels -(m_body + m_wheel) g / k_tyre and -m_body g / k_susp, from high above the road.
static void quarter_car_settles(void **state)
{
    (void)state;
    load("quarter_car.yaml");
    static const char *const hold[] = {"distance"};
    unsigned long long seed = 6;
    for (int k = 0; k < 20; k++) {
        y[0] = sample_uniform(&seed, -0.5, 3.0);
        y[1] = sample_uniform(&seed, -1.0, 1.0);
        y[4] = 1.25;
        assert_solved(1, hold);
        assert_near(y[0], -340.0 * 9.81 / 180e3, 1e-13);
        assert_near(y[1], -300.0 * 9.81 / 18e3, 1e-13);
        assert_true(y[4] == 1.25);
    }
    // On the bump: the wheel is lifted by the road. Between 20 and 20.5 m.
    y[4] = 20.125;
    assert_solved(1, hold);
    assert_near(y[0], 0.025 - 340.0 * 9.81 / 180e3, 1e-13);
    // A speed of 0 makes the distance a state that nothing changes.
    set("speed", 0.0);
    assert_solved(0, NULL);
    assert_int_equal(report.unheld_count, 1);
}

// The ball joint: the axis turns down about the horizontal; how it is turned about itself stays.
static void top_hangs(void **state)
{
    (void)state;
    load("spinning_top.yaml");
    unsigned long long seed = 7;
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < 4; i++)
            y[i] = sample_uniform(&seed, -1.0, 1.0);
        assert_solved(0, NULL);
        assert_near(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3], 1.0, 1e-14);
        assert_near(1.0 - 2.0 * (y[1] * y[1] + y[2] * y[2]), -1.0, 1e-14); // z of the axis
        assert_int_equal(report.unheld_count, 1);
    }
}

// A free body on one corner spring a corner: it sinks by its weight over the stiffness and is
// level.
static const char plate[] =
    "motorcade: multibody\nname: plate\ngravity: [0, 0, -9.81]\n"
    "parameters:\n  k: 20000 N/m\n  d: 500 N*s/m\n"
    "bodies:\n  top:\n    joint: free\n    mass: 1000\n    inertia: [400, 1200, 1500]\n"
    "    start: {z: 0.3, qw: 0.8, qz: 0.6}\n"
    "points:\n  fl: {body: top, at: [1.2, 0.75, 0]}\n  fr: {body: top, at: [1.2, -0.75, 0]}\n"
    "  rl: {body: top, at: [-1.5, 0.75, 0]}\n  rr: {body: top, at: [-1.5, -0.75, 0]}\n"
    "forces:\n"
    "  on_fl: {point: fl, force: [0, 0, \"-k*fl.position.z - d*fl.velocity.z\"]}\n"
    "  on_fr: {point: fr, force: [0, 0, \"-k*fr.position.z - d*fr.velocity.z\"]}\n"
    "  on_rl: {point: rl, force: [0, 0, \"-k*rl.position.z - d*rl.velocity.z\"]}\n"
    "  on_rr: {point: rr, force: [0, 0, \"-k*rr.position.z - d*rr.velocity.z\"]}\n";

static void plate_on_springs(void **state)
{
    (void)state;
    parse(plate);
    y[4] = 0.1; // leaning
    y[5] = -0.12;
    assert_solved(0, NULL);
    assert_int_equal(report.unheld_count, 3); // x, y, yaw
    // Moments about the mass centre: all corners have k, so 1.2 (f1) = 1.5 (f2), f1 + f2 = m g.
    const double front = 1000.0 * 9.81 * 1.5 / 2.7, rear = 1000.0 * 9.81 * 1.2 / 2.7;
    const double z_front = -front / 40e3, z_rear = -rear / 40e3;
    // Points 2.7 m apart on the body.
    const double pitch = asin((z_rear - z_front) / 2.7);
    const double up = 2.0 * (y[4] * y[6] - y[3] * y[5]); // third row of R times x
    assert_near(up, -sin(pitch), 1e-12);
    assert_near(y[2] + 1.2 * up, z_front, 1e-12);
    const double left = 2.0 * (y[5] * y[6] + y[3] * y[4]);
    assert_near(left, 0.0, 1e-13);
    // Holding the rotation: it sinks as it is, by its weight over the four springs.
    mc_multibody_start(model, y);
    y[3] = 1.0;
    y[4] = y[5] = y[6] = 0.0;
    static const char *const hold[] = {"top.qx"};
    assert_solved(1, hold);
    assert_near(y[2], -9810.0 / 80e3, 1e-13);
    assert_true(y[3] == 1.0);
}

// A state that follows a spring: x' = a (travel - x), with a force on the travel from the state.
static void states_settle(void **state)
{
    (void)state;
    parse("motorcade: multibody\nname: filter\ngravity: [0, 0, -10]\n"
          "bodies:\n  slider: {joint: prism, axis: z, mass: 2, stiffness: 100, damping: 1, "
          "load: \"-60 [N/m]*lag\"}\n"
          "states:\n  lag: {start: 5, unit: m, rate: \"3 [1/s]*(1 [1/m^2]*slider.travel^3 + "
          "slider.travel - lag)\"}\n");
    assert_solved(0, NULL);
    // 100 x + 60 (x^3 + x) = -20
    double x = -0.1;
    for (int k = 0; k < 50; k++)
        x -= (60 * x * x * x + 160 * x + 20) / (180 * x * x + 160);
    assert_near(y[0], x, 1e-13);
    assert_near(y[2], x * x * x + x, 1e-13);
}

static void assert_rejected(mc_status status, mc_status expected, const char *text)
{
    assert_int_equal(status, expected);
    assert_string_equal(error.text, text);
}

static void free_fall_has_none(void **state)
{
    (void)state;
    load("hmmwv10.yaml");
    set("torque_front", 0.0);
    set("torque_rear", 0.0);
    assert_rejected(
        solve(0, NULL), MC_FAILED,
        "no equilibrium found: chassis.z still accelerates at -9.81 m/s^2; support it or hold it");
    assert_string_equal(report.worst, "chassis.z");
    assert_near(report.residual, 9.81, 1e-9);
    set("torque_rear", 150.0);
    mc_multibody_start(model, y);
    assert_int_equal(solve(0, NULL), MC_FAILED);
    assert_true(strncmp(report.worst, "wheel_r", 7) == 0); // 150 N m on 7.4 kg m2
    // Hung up by the chassis it has one.
    set("torque_rear", 0.0);
    static const char *const hold[] = {"chassis.x", "chassis.y", "chassis.z", "chassis.qw"};
    mc_multibody_start(model, y);
    assert_solved(4, hold);
    assert_int_equal(report.unheld_count, 5); // rack and wheels
}

static void wrong_names(void **state)
{
    (void)state;
    load("quarter_car.yaml");
    static const char *const typing[] = {"distanc"}, *const parameter[] = {"k_tyre"},
                             *const input[] = {"speed"}, *const output[] = {"road"},
                             *const all[] = {"wheel.travel", "body.travel", "distance"};
    assert_rejected(solve(1, typing), MC_BAD_INPUT,
                    "unknown name \"distanc\" in quarter_car, did you mean distance; `motorcade "
                    "simulate MODEL --list` lists all names");
    assert_rejected(solve(1, parameter), MC_BAD_INPUT,
                    "k_tyre cannot be held: it is a parameter, which stays as it is set; only "
                    "coordinates, velocities and states can");
    assert_rejected(solve(1, input), MC_BAD_INPUT,
                    "speed cannot be held: it is an input, which stays as it is set; only "
                    "coordinates, velocities and states can");
    assert_rejected(solve(1, output), MC_BAD_INPUT,
                    "road cannot be held: it is computed from others; only coordinates, velocities "
                    "and states can");
    assert_rejected(solve(3, all), MC_BAD_INPUT, "quarter_car: nothing can move");
    assert_rejected(solve(0, NULL), MC_FAILED,
                    "no equilibrium found: the state distance still changes at 10 per second; hold "
                    "it to exclude it");
    // Neither report nor error is requested.
    assert_int_equal(mc_multibody_equilibrium(model, y, NULL, NULL, NULL), MC_FAILED);
}

#define TEST(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pendulum_hangs), TEST(double_pendulum_hangs),
        TEST(held_rod),       TEST(quarter_car_settles),
        TEST(top_hangs),      TEST(plate_on_springs),
        TEST(states_settle),  TEST(free_fall_has_none),
        TEST(wrong_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
