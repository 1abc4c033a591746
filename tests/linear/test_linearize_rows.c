// test_linearize_rows.c - rest positions and small motions of closed mechanisms: against closed
// forms, the published corner of the HMMWV, and differences of the reduced motion.
#include "linear/linearize.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_MAX = 96, OUTPUTS_MAX = 256 };

static mc_multibody *model;
static mc_linear linear;
static double y[STATES_MAX];
static mc_error error;

static const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
static const char *const chassis[] = {"chassis.x", "chassis.y", "chassis.z", "chassis.qw"};

static void must(mc_status status)
{
    if (status != MC_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
}

static void parse(const char *text)
{
    model = mc_multibody_parse(text, "m.yaml", &interpreted, &error);
    if (!model)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    mc_multibody_start(model, y);
}

// A file of models/ with further text behind it.
static void load(const char *name, const char *more)
{
    char path[400], *text = calloc(1, 1 << 16);
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/models/%s", SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_true(fread(text, 1, (1 << 16) - 4096, f) > 0);
    fclose(f);
    char *keep = *more ? strstr(text, "keep:") : NULL; // leave it to what is added
    if (keep)
        *keep = '#';
    strcat(text, more);
    parse(text);
    free(text);
}

static int release(void **state)
{
    (void)state;
    mc_linear_free(&linear);
    mc_multibody_free(model);
    model = NULL;
    return 0;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static int place(const char *name)
{
    mc_quantity quantity;
    int i;
    must(mc_multibody_find(model, name, &quantity, &i, &error));
    return quantity == MC_QUANTITY_VELOCITY ? mc_multibody_info_of(model)->q_count + i : i;
}

static double output(const char *name, const double *holding)
{
    double out[OUTPUTS_MAX];
    mc_multibody_outputs_under(model, 0.0, y, holding, out);
    return out[place(name)];
}

// ---- four-bar in closed form ----

typedef struct bars { // crank 1, coupler 3, rocker 2.5, pivots 3 apart
    double coupler, rocker, v, centre[3][2], angle[3];
} bars;

static bars four_bar_at(double theta)
{
    const double px = cos(theta), py = sin(theta), dx = 3.0 - px, dy = -py;
    const double d = hypot(dx, dy), along = (9.0 - 6.25 + d * d) / (2.0 * d);
    const double across = sqrt(9.0 - along * along);
    const double jx = px + (along * dx - across * dy) / d, jy = py + (along * dy + across * dx) / d;
    bars b = {.coupler = atan2(jy - py, jx - px), .rocker = atan2(jy, jx - 3.0)};
    const double centres[3][2] = {
        {0.5 * px, 0.5 * py}, {0.5 * (px + jx), 0.5 * (py + jy)}, {0.5 * (3.0 + jx), 0.5 * jy}};
    const double angles[3] = {theta, b.coupler, b.rocker};
    memcpy(b.centre, centres, sizeof centres);
    memcpy(b.angle, angles, sizeof angles);
    b.v = 9.81 * (1.0 * centres[0][1] + 3.0 * centres[1][1] + 2.5 * centres[2][1]);
    return b;
}

static double turned(double a, double b) // a - b, the short way round
{
    return remainder(a - b, 2.0 * acos(-1.0));
}

// Inertia on the crank angle.
static double four_bar_inertia(double theta)
{
    static const double mass[3] = {1.0, 3.0, 2.5}, own[3] = {1.0 / 12, 27.0 / 12, 15.625 / 12};
    const double h = 1e-3;
    const bars b[4] = {four_bar_at(theta - 2 * h), four_bar_at(theta - h), four_bar_at(theta + h),
                       four_bar_at(theta + 2 * h)};
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double rate[3];
        for (int i = 0; i < 2; i++)
            rate[i] = (b[0].centre[k][i] - 8 * b[1].centre[k][i] + 8 * b[2].centre[k][i] -
                       b[3].centre[k][i]) /
                      (12 * h);
        rate[2] =
            (8 * turned(b[2].angle[k], b[1].angle[k]) - turned(b[3].angle[k], b[0].angle[k])) /
            (12 * h);
        sum += mass[k] * (rate[0] * rate[0] + rate[1] * rate[1]) + own[k] * rate[2] * rate[2];
    }
    return sum;
}

static double slope_of(double (*f)(double), double x, double h)
{
    return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h);
}

static double potential(double theta)
{
    return four_bar_at(theta).v;
}

static double moment(double theta)
{
    return slope_of(potential, theta, 1e-3);
}

static void a_four_bar_rests_and_swings_as_in_closed_form(void **unused)
{
    (void)unused;
    load("four_bar.yaml", "");
    mc_equilibrium_report report;
    must(mc_multibody_equilibrium(model, y, NULL, &report, &error));
    const double theta = y[0];
    assert_near(moment(theta), 0.0, 1e-9);
    assert_true(mc_multibody_gap(model, 0.0, y) < 1e-14);
    assert_int_equal(report.unheld_count, 0);
    const mc_linear_options by_crank = {.moves = (const char *const[]){"crank.angle_rate"},
                                        .move_count = 1};
    const double omega = sqrt(slope_of(moment, theta, 1e-3) / four_bar_inertia(theta));
    for (int k = 0; k < 2; k++) { // whatever names the motion
        must(mc_multibody_linearize(model, 0.0, y, k ? &by_crank : NULL, &linear, &error));
        assert_int_equal(linear.count, 2);
        assert_near(linear.modes[0].imaginary, omega, 1e-8 * omega);
        assert_near(linear.modes[0].real, 0.0, 1e-12);
        if (k)
            assert_string_equal(linear.name[0], "crank.angle");
        else
            mc_linear_free(&linear);
    }
}

// Along a motion: theta'' = f(theta, theta'), differentiated in closed form.
static double crank_acceleration(double theta, double rate)
{
    const double slope = slope_of(four_bar_inertia, theta, 1e-3);
    return (-moment(theta) - 0.5 * slope * rate * rate) / four_bar_inertia(theta);
}

static void small_motions_under_way_follow_the_reduced_equation(void **unused)
{
    (void)unused;
    load("four_bar.yaml", "");
    y[0] = 1.1;
    y[3] = 0.7;
    must(mc_multibody_assemble(model, 0.0, y, &error));
    const mc_linear_options by_crank = {.moves = (const char *const[]){"crank.angle_rate"},
                                        .move_count = 1};
    must(mc_multibody_linearize(model, 0.0, y, &by_crank, &linear, &error));
    const double h = 1e-3, theta = y[0], rate = y[3];
    const double by_angle =
        (crank_acceleration(theta + h, rate) - crank_acceleration(theta - h, rate)) / (2 * h);
    const double by_rate =
        (crank_acceleration(theta, rate + h) - crank_acceleration(theta, rate - h)) / (2 * h);
    assert_near(linear.A[1], by_angle, 2e-5 * fabs(by_angle));
    assert_near(linear.A[3], by_rate, 2e-6 * fabs(by_rate));
    assert_near(linear.A[2], 1.0, 1e-15);
    assert_near(linear.A[0], 0.0, 1e-12);
}

// ---- slider-crank ----

// Crank r = 0.5 m, rod l = 1 m, slider of 3 kg on a spring; crank and rod uniform. At theta the
// slider is at x = r cos + sqrt(l^2 - r^2 sin^2).
static const char slider_crank[] =
    "motorcade: multibody\n"
    "parameters: {relaxed: {value: 1.05 m}}\n"
    "bodies:\n"
    "  crank: {joint: hinge, axis: z, mass: 2, com: [0.25, 0, 0], inertia: [0, 0.0416666666666667,"
    " 0.0416666666666667], start: {angle: 80 deg}}\n"
    "  rod: {inboard: crank, at: [0.5, 0, 0], joint: hinge, axis: z, mass: 1.5, com: [0.5, 0, 0],"
    " inertia: [0, 0.125, 0.125], start: {angle: -110 deg}}\n"
    "  slider: {joint: prism, axis: x, mass: 3, start: {travel: 1}}\n"
    "points:\n"
    "  wall: {body: ground, at: [2, 0, 0]}\n"
    "  face: {body: slider, at: [0, 0, 0]}\n"
    "springs: {s: {from: wall, to: face, stiffness: 400 N/m, length: relaxed, damping: 5 N*s/m}}\n"
    "joints: {pin: {joint: hinge, from: rod, at: [1, 0, 0], to: slider, axis: z}}\n";

static void a_slider_crank_swings_as_in_closed_form(void **unused)
{
    (void)unused;
    parse(slider_crank);
    must(mc_multibody_equilibrium(model, y, NULL, NULL, &error));
    const double theta = y[0], x = y[2], s = sin(theta), c = cos(theta);
    assert_near(x, 0.95, 1e-10); // the spring relaxed
    const double root = sqrt(1.0 - 0.25 * s * s), by = -0.5 * s - 0.25 * s * c / root;
    const double rod = -0.5 * c / root; // rate of the rod's angle
    const double mid[2] = {-0.25 * s + 0.5 * by - 0.25 * s * 0.0, 0.25 * c};
    const double vx = 0.5 * (-0.5 * s + by), vy = mid[1];
    const double inertia =
        2.0 * 0.25 / 3.0 + 1.5 * (vx * vx + vy * vy) + 0.125 * rod * rod + 3.0 * by * by;
    const double square = 400.0 * by * by / inertia, decay = 5.0 * by * by / inertia;
    must(mc_multibody_linearize(model, 0.0, y, NULL, &linear, &error));
    assert_near(linear.modes[0].real, -0.5 * decay, 1e-10 * decay);
    assert_near(linear.modes[0].imaginary, sqrt(square - 0.25 * decay * decay),
                1e-9 * sqrt(square));
}

static void sensitivities_are_those_of_the_closed_form(void **unused)
{
    (void)unused;
    parse(slider_crank);
    must(mc_multibody_equilibrium(model, y, NULL, NULL, &error));
    must(mc_multibody_linearize(model, 0.0, y, NULL, &linear, &error));
    double real[2], imaginary[2];
    const double a = linear.modes[0].real, b = linear.modes[0].imaginary, square = a * a + b * b;
    must(mc_multibody_sensitivity(model, &linear, "s.damping", true, real, imaginary, &error));
    assert_near(real[0], a / 5.0, 1e-8 * fabs(a));
    assert_near(imaginary[0], -a * a / 5.0 / b, 1e-8);
    must(mc_multibody_sensitivity(model, &linear, "s.stiffness", true, real, imaginary, &error));
    assert_near(real[0], 0.0, 1e-9);
    assert_near(imaginary[0], 0.5 * square / 400.0 / b, 1e-8 * b);
    // A longer spring moves the rest: against two rests of their own.
    must(mc_multibody_sensitivity(model, &linear, "relaxed", true, real, imaginary, &error));
    double at[2];
    for (int k = 0; k < 2; k++) {
        mc_linear moved;
        must(mc_multibody_set(model, "relaxed", 1.05 + (k ? 1e-4 : -1e-4), &error));
        must(mc_multibody_equilibrium(model, y, NULL, NULL, &error));
        must(mc_multibody_linearize(model, 0.0, y, NULL, &moved, &error));
        at[k] = moved.modes[0].imaginary;
        mc_linear_free(&moved);
    }
    assert_near(imaginary[0], (at[1] - at[0]) / 2e-4, 1e-5 * fabs(imaginary[0]));
}

// ---- prescribed motion ----

static void a_prescribed_motion_stands_still_at_its_time(void **unused)
{
    (void)unused;
    load("four_bar.yaml",
         "\nconstraints:\n  drive: {position: crank.angle - 1 rad - (0.2 rad/s)*t}\n");
    const mc_equilibrium_options how = {.t = 2.0};
    mc_error none;
    // Nothing can move: the only degree of freedom is prescribed.
    assert_int_equal(mc_multibody_equilibrium(model, y, &how, NULL, &none), MC_BAD_INPUT);
    release(NULL);
    load("four_bar.yaml",
         "\nconstraints:\n  drive: {position: crank.angle - 1 rad - (0.2 rad/s)*t}\n"
         "states: {lag: {rate: (crank.angle - lag)/1 s, unit: rad}}\n");
    must(mc_multibody_equilibrium(model, y, &how, NULL, &error));
    assert_near(y[0], 1.4, 1e-13);
    assert_near(turned(y[0] + y[1], four_bar_at(1.4).coupler), 0.0, 1e-12);
    assert_near(y[6], 1.4, 1e-9);
    double out[OUTPUTS_MAX];
    mc_multibody_outputs(model, 2.0, y, out);
    assert_near(fabs(out[place("drive.load")]), fabs(moment(1.4)), 1e-8);
}

// ---- HMMWV ----

static const char corner_loads[] = "\nforces:\n"
                                   "  load_fl: {point: hub_fl, force: [0, 0, front]}\n  load_fr: "
                                   "{point: hub_fr, force: [0, 0, front]}\n"
                                   "  load_rl: {point: hub_rl, force: [0, 0, rear]}\n  load_rr: "
                                   "{point: hub_rr, force: [0, 0, rear]}\n";

static void load_corners(void)
{
    char path[400], *text = calloc(1, 1 << 16), *out = calloc(1, 1 << 16);
    assert_true(text && out);
    snprintf(path, sizeof path, "%s/models/hmmwv_loops.yaml", SOURCE_DIR);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
    fclose(f);
    const char *at = strstr(text, "\nparameters:\n");
    assert_non_null(at);
    at += strlen("\nparameters:\n");
    snprintf(out, 1 << 16, "%.*s  front: {value: 6500.85 N}\n  rear: {value: 6120.39 N}\n%s%s",
             (int)(at - text), text, at, corner_loads);
    parse(out);
    free(text);
    free(out);
}

// The published figures lump the arms: half their mass on the wheel, which carries 105.4435 kg.
static void corners_settle_where_they_were_computed(void **unused)
{
    (void)unused;
    const double lumped = 9.81 * (71.105 + 19.45 + 0.5 * (23.965 + 5.813));
    load_corners();
    const mc_equilibrium_options how = {.hold = chassis, .hold_count = 4};
    must(mc_multibody_set(model, "gravity.z", 0.0, &error));
    must(mc_multibody_set(model, "front", 6500.85 - lumped, &error));
    must(mc_multibody_set(model, "rear", 6120.39 - lumped, &error));
    must(mc_multibody_equilibrium(model, y, &how, NULL, &error));
    const double front = output("hub_fl.z", NULL), rear = output("hub_rr.z", NULL);
    assert_near(-0.026 - front, 0.10246, 1e-5);
    assert_near(-0.026 - rear, 0.11393, 1e-5);
    const double front_length = output("spring_fl.length", NULL);
    const double rear_length = output("spring_rl.length", NULL);
    assert_near(front_length, 0.29427, 1e-5);
    assert_near(rear_length, 0.35757, 1e-5);
    // The published wheel rates are those of the springs alone, k (dL/dz)^2.
    must(mc_multibody_set(model, "front", 6500.85 - lumped + 10.0, &error));
    must(mc_multibody_set(model, "rear", 6120.39 - lumped + 10.0, &error));
    must(mc_multibody_equilibrium(model, y, &how, NULL, &error));
    const double turn[2] = {
        (output("spring_fl.length", NULL) - front_length) / (output("hub_fl.z", NULL) - front),
        (output("spring_rl.length", NULL) - rear_length) / (output("hub_rr.z", NULL) - rear)};
    assert_near((17818.165 - 8991.945) / 0.02 * turn[0] * turn[0], 107.4e3, 60.0);
    assert_near((19869.076 - 8020.869) / 0.02 * turn[1] * turn[1], 135.3e3, 60.0);
}

// Every body with its own weight: 0.10255 and 0.11391 m. The work of a small turn of an arm: load
// and spring against weights.
static void corners_carry_the_weight_of_every_body(void **unused)
{
    (void)unused;
    double holding[STATES_MAX], out[2][OUTPUTS_MAX], moved[STATES_MAX];
    load_corners();
    const mc_equilibrium_options how = {.hold = chassis, .hold_count = 4, .holding = holding};
    must(mc_multibody_equilibrium(model, y, &how, NULL, &error));
    assert_near(-0.026 - output("hub_fl.z", NULL), 0.1025469, 1e-6);
    assert_near(-0.026 - output("hub_rr.z", NULL), 0.1139105, 1e-6);
    assert_true(mc_multibody_gap(model, 0.0, y) < 1e-14);
    for (int k = 0; k < 7; k++)
        assert_near(y[k], k == 3, 1e-15);
    const double weight = 9.81 * (2086.52 + 5.286 + 4 * (23.965 + 19.45 + 5.813 + 71.105));
    assert_near(holding[2], weight - 2 * 6500.85 - 2 * 6120.39, 1e-6);
    static const char *const free_names[] = {"chassis.x",  "chassis.y",   "chassis.z",
                                             "chassis.qw", "rack.travel", "lower_fl.angle"};
    linear_place p;
    must(linear_open(&p, model, free_names, 6, &error));
    for (int side = 0; side < 2; side++) {
        memcpy(moved, y, sizeof moved);
        moved[place("lower_fl.angle")] += side ? 1e-4 : -1e-4;
        assert_true(linear_rows_close(&p, 0.0, moved));
        mc_multibody_outputs(model, 0.0, moved, out[side]);
    }
    linear_close(&p);
    const int hub = place("hub_fl.z"), length = place("spring_fl.length");
    const int energy = place("energy.potential");
    const double force = output("spring_fl.force", NULL);
    const double work = 6500.85 * (out[1][hub] - out[0][hub]) +
                        force * (out[1][length] - out[0][length]) -
                        (out[1][energy] - out[0][energy]);
    assert_near(work, 0.0, 1e-6 * 6500.85 * (out[1][hub] - out[0][hub]));
}

static void a_held_hinge_that_the_loop_fixes_already_needs_no_force(void **unused)
{
    (void)unused;
    load("four_bar.yaml", "");
    const char *const both[] = {"crank.angle", "rocker.angle"};
    const mc_equilibrium_options how = {.hold = both, .hold_count = 2};
    assert_int_equal(mc_multibody_equilibrium(model, y, &how, NULL, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "four_bar: nothing can move");
}

// A of the whole car about rest against differences: every motion by itself, the rest closed.
static void small_motions_of_the_car_are_differences_of_its_motion(void **unused)
{
    (void)unused;
    load_corners();
    must(mc_multibody_assemble(model, 0.0, y, &error));
    memset(y + model->system.q_count, 0, (size_t)model->system.v_count * sizeof *y);
    must(mc_multibody_linearize(model, 0.0, y, NULL, &linear, &error));
    const int f = linear.position_count, q = model->system.q_count, n = linear.count;
    assert_int_equal(f, 15);
    linear_place p;
    must(linear_open(&p, model, linear.name + f, f, &error));
    int at[32];
    double largest = 0.0;
    for (int i = 0; i < f; i++)
        at[i] = place(linear.name[f + i]);
    for (int i = 0; i < n * f; i++)
        largest = fmax(largest, fabs(linear.A[i]));
    for (int j = 0; j < f; j++) {
        const double h = 1e-5;
        double rate[2][STATES_MAX], moved[STATES_MAX], step[STATES_MAX] = {0.0};
        for (int side = 0; side < 2; side++) {
            step[at[j] - q] = side ? h : -h;
            memcpy(moved, y, sizeof moved);
            multibody_loops_move(model, step, moved);
            assert_true(linear_rows_close(&p, 0.0, moved));
            mc_multibody_rate(model, 0.0, moved, NULL, rate[side]);
        }
        for (int i = 0; i < f; i++)
            assert_near(linear.A[f + i + n * j], (rate[1][at[i]] - rate[0][at[i]]) / (2 * h),
                        1e-7 * largest);
    }
    linear_close(&p);
}

// Without dampers energy is kept: no motion grows or decays.
static void motions_without_dampers_keep_their_energy(void **unused)
{
    (void)unused;
    load_corners();
    must(mc_multibody_set(model, "c_front", 0.0, &error));
    must(mc_multibody_set(model, "c_rear", 0.0, &error));
    must(mc_multibody_set(model, "rack_damping", 0.0, &error));
    const mc_equilibrium_options how = {.hold = chassis, .hold_count = 4};
    const mc_linear_options same = {.hold = chassis, .hold_count = 4};
    must(mc_multibody_equilibrium(model, y, &how, NULL, &error));
    must(mc_multibody_linearize(model, 0.0, y, &same, &linear, &error));
    assert_int_equal(linear.position_count, 9);
    assert_int_equal(linear.rigid_count, 8); // wheels turn
    for (int k = 8; k < linear.count; k++) {
        const mc_linear_mode *m = &linear.modes[k];
        assert_true(fabs(m->imaginary) > 1.0);
        assert_near(m->real, 0.0, 1e-8 * fabs(m->imaginary));
    }
}

static void what_cannot_be_is_said(void **unused)
{
    (void)unused;
    load("four_bar.yaml", "");
    y[1] += 0.1;
    assert_int_equal(mc_multibody_linearize(model, 0.0, y, NULL, &linear, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "open by"));
    must(mc_multibody_assemble(model, 0.0, y, &error));
    const char *const two[] = {"crank.angle_rate", "rocker.angle_rate"};
    const mc_linear_options many = {.moves = two, .move_count = 2};
    assert_int_equal(mc_multibody_linearize(model, 0.0, y, &many, &linear, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "four_bar has 1 independent motion here, and 2 velocities were "
                                    "given to name them");
    const char *const angle[] = {"crank.angle"};
    const mc_linear_options wrong = {.moves = angle, .move_count = 1};
    assert_int_equal(mc_multibody_linearize(model, 0.0, y, &wrong, &linear, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "crank.angle cannot name a motion: it is not a velocity");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, release)
    const struct CMUnitTest tests[] = {
        TEST(a_four_bar_rests_and_swings_as_in_closed_form),
        TEST(small_motions_under_way_follow_the_reduced_equation),
        TEST(a_slider_crank_swings_as_in_closed_form),
        TEST(sensitivities_are_those_of_the_closed_form),
        TEST(a_prescribed_motion_stands_still_at_its_time),
        TEST(corners_settle_where_they_were_computed),
        TEST(corners_carry_the_weight_of_every_body),
        TEST(a_held_hinge_that_the_loop_fixes_already_needs_no_force),
        TEST(small_motions_of_the_car_are_differences_of_its_motion),
        TEST(motions_without_dampers_keep_their_energy),
        TEST(what_cannot_be_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
