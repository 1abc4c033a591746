// test_linearize.c - small motions against closed forms and published frequencies; matrices against
// differences of the motion itself; sensitivities against differences of eigenvalues.
#include "motorcade/linear.h"
#include "num/dense.h"
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

#define PI 3.14159265358979323846

enum { STATES_MAX = 64 };

static mc_multibody *model;
static mc_linear linear;
static double y[STATES_MAX];
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

static double get(const char *name)
{
    double value = 0.0;
    if (mc_multibody_get(model, name, &value, &error) != MC_OK)
        fail_msg("%s", error.text);
    return value;
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

// Every vector put back into its equation; sizes, shares, order.
static void assert_consistent(void)
{
    const int n = linear.count;
    double size = 0.0;
    for (int i = 0; i < n * n; i++)
        size = fmax(size, fabs(linear.A[i]));
    for (int k = 0; k < n; k++) {
        const mc_linear_mode *m = &linear.modes[k];
        const double *vr = linear.shape_real + n * k, *vi = linear.shape_imaginary + n * k;
        const double *wr = linear.left_real + n * k, *wi = linear.left_imaginary + n * k;
        double length = 0.0, largest = 0.0, share = 0.0, scale = 0.0;
        for (int i = 0; i < n; i++)
            scale = fmax(scale, hypot(vr[i], vi[i]));
        for (int i = 0; i < n; i++) {
            double right[2] = {-m->real * vr[i] + m->imaginary * vi[i],
                               -m->real * vi[i] - m->imaginary * vr[i]};
            double left[2] = {-m->real * wr[i] - m->imaginary * wi[i],
                              -m->real * wi[i] + m->imaginary * wr[i]};
            for (int j = 0; j < n; j++) {
                right[0] += linear.A[i + n * j] * vr[j];
                right[1] += linear.A[i + n * j] * vi[j];
                left[0] += linear.A[j + n * i] * wr[j];
                left[1] += linear.A[j + n * i] * wi[j];
            }
            const double limit = (m->rigid ? 1e-5 : 1e-10) * size; // chains of zeros are torn apart
            assert_true(hypot(right[0], right[1]) <= limit * scale);
            assert_true(hypot(left[0], left[1]) <= limit);
            length += wr[i] * wr[i] + wi[i] * wi[i];
            share += linear.share[i + n * k];
            if (i < linear.position_count || i >= 2 * linear.position_count)
                largest = fmax(largest, hypot(vr[i], vi[i]));
        }
        assert_near(largest, 1.0, 1e-8);
        assert_near(length, 1.0, 1e-12);
        assert_true(fabs(share - 1.0) < 1e-12 || (m->rigid && share == 0.0));
        assert_true(m->rigid == (k < linear.rigid_count));
        if (m->imaginary > 0.0) {
            assert_true(m[1].imaginary == -m->imaginary && m[1].real == m->real);
        }
    }
}

static void linearize_holding(int hold_count, const char *const *hold)
{
    const mc_linear_options options = {.hold = hold, .hold_count = hold_count};
    mc_linear_free(&linear);
    if (mc_multibody_linearize(model, 0.0, y, &options, &linear, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_consistent();
}

static void linearize_at_rest(int hold_count, const char *const *hold)
{
    const mc_equilibrium_options options = {.hold = hold, .hold_count = hold_count};
    if (mc_multibody_equilibrium(model, y, &options, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    linearize_holding(hold_count, hold);
}

static void assert_value(int k, double real, double imaginary, double tolerance)
{
    assert_near(linear.modes[k].real, real, tolerance);
    assert_near(linear.modes[k].imaginary, imaginary, tolerance);
}

// ---- closed forms ------------------------------------------------------------------------------

static void pendulum(void **state)
{
    (void)state;
    load("pendulum.yaml");
    set("length", 0.37);
    linearize_at_rest(0, NULL);
    const double w = sqrt(9.81 / 0.37);
    assert_int_equal(linear.count, 2);
    assert_int_equal(linear.rigid_count, 0);
    assert_value(0, 0.0, w, 1e-12 * w);
    assert_value(1, 0.0, -w, 1e-12 * w);
    assert_near(linear.modes[0].frequency, w / (2 * PI), 1e-12);
    assert_near(linear.modes[0].damping, 0.0, 1e-12);
    assert_string_equal(linear.name[0], "rod.angle");
    assert_string_equal(linear.unit[0], "rad");
    assert_string_equal(linear.name[1], "rod.angle_rate");
    assert_string_equal(linear.input_name[0], "force on rod.angle");
    assert_near(linear.B[0], 0.0, 0.0);
    assert_near(linear.B[1], 1.0 / (0.37 * 0.37), 1e-12); // 1 / (m l^2)
    // The velocity leads by a quarter: i w.
    assert_near(linear.shape_real[1], 0.0, 1e-12);
    assert_near(linear.shape_imaginary[1], w, 1e-12 * w);
    assert_near(linear.share[0], 0.5, 1e-12);
    // Standing on its head: one motion grows, one decays.
    y[0] = PI;
    linearize_at_rest(0, NULL);
    for (int k = 0; k < 2; k++) {
        assert_near(fabs(linear.modes[k].real), w, 1e-12 * w);
        assert_near(linear.modes[k].time_constant, -1.0 / linear.modes[k].real, 1e-12);
        assert_near(linear.modes[k].damping, linear.modes[k].real < 0.0 ? 1.0 : -1.0, 0.0);
    }
}

static void damped_oscillator(void **state)
{
    (void)state;
    parse("motorcade: multibody\nname: m\ngravity: [0, 0, 0]\n"
          "parameters: {c: {value: 12 N*s/m}}\n"
          "bodies:\n  slider: {joint: prism, axis: x, mass: 3, stiffness: 75, damping: c}\n");
    for (double ratio = 0.1; ratio < 3.0; ratio += 0.3) { // c = 2 ratio sqrt(k m)
        set("c", 2.0 * ratio * 15.0);
        linearize_at_rest(0, NULL);
        if (ratio < 1.0) {
            assert_value(0, -5.0 * ratio, 5.0 * sqrt(1.0 - ratio * ratio), 1e-12);
            assert_near(linear.modes[0].damping, ratio, 1e-13);
            assert_near(linear.modes[0].time_constant, 1.0 / (5.0 * ratio), 1e-12);
        } else {
            const double root = sqrt(ratio * ratio - 1.0);
            assert_value(0, 5.0 * (root - ratio), 0.0, 1e-10);
            assert_value(1, -5.0 * (root + ratio), 0.0, 1e-10);
        }
    }
    // Nothing at all: a mass that drifts has a chain of two zeros.
    set("c", 0.0);
    set("slider.stiffness", 0.0);
    linearize_at_rest(0, NULL);
    assert_int_equal(linear.rigid_count, 2);
}

// Uniform rods in absolute angles: M = [m1 l1^2/3 + m2 l1^2, m2 l1 l2/2; ., m2 l2^2/3], K =
// diag((m1/2 + m2) g l1, m2 g l2/2).
static void double_pendulum(void **state)
{
    (void)state;
    load("double_pendulum.yaml");
    linearize_at_rest(0, NULL);
    const double g = -get("gravity.z"), l1 = 1.0, l2 = 0.8, m1 = 1.2, m2 = 0.9;
    const double a = m1 * l1 * l1 / 3 + m2 * l1 * l1, b = m2 * l1 * l2 / 2, c = m2 * l2 * l2 / 3;
    const double p = (m1 / 2 + m2) * g * l1, q = m2 * g * l2 / 2;
    // (a c - b^2) x^2 - (a q + c p) x + p q = 0, x = w^2
    const double A = a * c - b * b, B = a * q + c * p, root = sqrt(B * B - 4 * A * p * q);
    assert_int_equal(linear.count, 4);
    const double slow = sqrt((B - root) / (2 * A)), fast = sqrt((B + root) / (2 * A));
    assert_value(0, 0.0, slow, 1e-11);
    assert_value(2, 0.0, fast, 1e-11);
    // Shape in absolute angles: (p - w^2 a) f1 = w^2 b f2. Entries: f1, f2 - f1.
    const double relative = (p - fast * fast * a) / (fast * fast * b) - 1.0;
    const double *v = linear.shape_real + 4 * 2;
    assert_near(v[1] / v[0], relative, 1e-10);
    // The upper rod held: the lower one is a pendulum of 2/3 its length.
    static const char *const hold[] = {"rod1.angle"};
    y[0] = 0.4;
    linearize_at_rest(1, hold);
    assert_int_equal(linear.count, 2);
    assert_value(0, 0.0, sqrt(g / (2 * l2 / 3)), 1e-11);
    assert_near(linear.B[1], 1.0 / c, 1e-11);
}

// ---- ride --------------------------------------------------------------------------------------

static void set_quarter(double ms, double mu, double ks, double cs, double kt)
{
    set("m_body", ms);
    set("m_wheel", mu);
    set("k_susp", ks);
    set("c_susp", cs);
    set("k_tyre", kt);
}

static const char *const hold_distance[] = {"distance"};

// Absolute heights z_s, z_u and their rates: the textbook's matrix.
static void quarter_car_matrix(void **state)
{
    (void)state;
    load("quarter_car.yaml");
    unsigned long long seed = 11;
    for (int round = 0; round < 20; round++) {
        const double ms = sample_uniform(&seed, 200, 600), mu = sample_uniform(&seed, 20, 60);
        const double ks = sample_uniform(&seed, 1e4, 4e4), cs = sample_uniform(&seed, 200, 1500);
        const double kt = sample_uniform(&seed, 1e5, 3e5);
        set_quarter(ms, mu, ks, cs, kt);
        mc_multibody_start(model, y);
        linearize_at_rest(1, hold_distance);
        double A[16] = {0, 0, -ks / ms, ks / mu, 0, 0, ks / ms, -(ks + kt) / mu,
                        1, 0, -cs / ms, cs / mu, 0, 1, cs / ms, -cs / mu};
        double real[4], imaginary[4];
        assert_true(dense_eigenvalues(4, A, real, imaginary));
        assert_int_equal(linear.count, 4);
        for (int k = 0; k < 4; k++) {
            double nearest = INFINITY;
            for (int j = 0; j < 4; j++)
                nearest = fmin(nearest, hypot(linear.modes[k].real - real[j],
                                              linear.modes[k].imaginary - imaginary[j]));
            assert_true(nearest < 1e-10 * hypot(linear.modes[k].real, linear.modes[k].imaginary));
        }
    }
}

// Values computed elsewhere (numpy) for parameters of two published quarter cars.
static void quarter_car_published(void **state)
{
    (void)state;
    load("quarter_car.yaml");
    set_quarter(250, 20, 20000, 1000, 140000);
    linearize_at_rest(1, hold_distance);
    assert_value(0, -1.552064, 8.301957, 1e-6);
    assert_value(2, -25.447936, 84.870984, 1e-6);
    assert_near(linear.modes[0].frequency, 1.321297, 1e-6);
    assert_near(linear.modes[0].damping, 0.183768, 1e-6);
    assert_near(linear.modes[2].damping, 0.287210, 1e-6);
    set("c_susp", 0.0);
    linearize_at_rest(1, hold_distance);
    assert_near(linear.modes[0].frequency, 1.33074700, 1e-8);
    assert_near(linear.modes[2].frequency, 14.24422351, 1e-8);
    set_quarter(2500, 320, 80000, 350, 500000);
    mc_multibody_start(model, y);
    linearize_at_rest(1, hold_distance);
    assert_near(linear.modes[0].frequency, 0.834878, 1e-6);
    assert_near(linear.modes[0].damping, 0.009843, 1e-6);
    assert_near(linear.modes[2].frequency, 6.783332, 1e-6);
    assert_near(linear.modes[2].damping, 0.013261, 1e-6);
    // The road below: distance as a state adds one zero, the input speed feeds it.
    set("speed", 0.0);
    linearize_at_rest(0, NULL);
    assert_int_equal(linear.count, 5);
    assert_int_equal(linear.rigid_count, 1);
    assert_string_equal(linear.name[4], "distance");
    assert_string_equal(linear.input_name[0], "speed");
    assert_near(linear.B[4], 1.0, 0.0);
}

// A frame on four vertical springs, a free body turned to a heading of 74 deg.
static void parse_frame(const char *how)
{
    char text[2000];
    snprintf(text, sizeof text,
             "motorcade: multibody\nname: plate\ngravity: [0, 0, 0]\n"
             "parameters:\n  k: 20000 N/m\n"
             "bodies:\n  top: {joint: free, mass: 1000, inertia: [400, 1200, 1500], %s}\n"
             "points:\n"
             "  fl: {body: top, at: [1.2, 0.75, 0]}\n  fr: {body: top, at: [1.2, -0.75, 0]}\n"
             "  rl: {body: top, at: [-1.5, 0.75, 0]}\n  rr: {body: top, at: [-1.5, -0.75, 0]}\n"
             "forces:\n"
             "  on_fl: {point: fl, force: [0, 0, \"-k*fl.position.z\"]}\n"
             "  on_fr: {point: fr, force: [0, 0, \"-k*fr.position.z\"]}\n"
             "  on_rl: {point: rl, force: [0, 0, \"-k*rl.position.z\"]}\n"
             "  on_rr: {point: rr, force: [0, 0, \"-k*rr.position.z\"]}\n",
             how);
    parse(text);
}

// Heave, pitch and roll are the same whatever describes the body.
static void frame_on_springs(void **state)
{
    (void)state;
    static const char *const ways[] = {"start: {qw: 0.8, qz: 0.6}",
                                       "angles: zyx, start: {rz: 1.2870022175866}",
                                       "velocity: body, start: {qw: 0.8, qz: 0.6}",
                                       "velocity: body, angles: xyz, start: {rz: 1.2870022175866}"};
    for (int way = 0; way < 4; way++) {
        mc_multibody_free(model);
        parse_frame(ways[way]);
        linearize_at_rest(0, NULL);
        assert_int_equal(linear.count, 12);
        assert_int_equal(linear.rigid_count, 6); // x, y, yaw and their rates
        assert_near(linear.modes[6].frequency, 1.39993165, 1e-8);
        const double roll = sqrt(4 * 20000 * 0.75 * 0.75 / 400) / (2 * PI);
        assert_near(linear.modes[8].frequency, roll, 1e-10);
        assert_near(linear.modes[8].frequency, 1.68809309, 1e-8);
        assert_near(linear.modes[10].frequency, 1.78388381, 1e-8);
        assert_string_equal(linear.name[0], way < 2 ? "top.x" : "top.along_x");
        assert_string_equal(linear.name[3], "top.rotation_x");
        for (int i = 0; i < 6; i++) // roll turns about the body's x alone
            assert_near(hypot(linear.shape_real[i + 12 * 8], linear.shape_imaginary[i + 12 * 8]),
                        i == 3 ? 1.0 : 0.0, 1e-9);
        static const char *const hold[] = {"top.x", "top.y", "top.wz", "top.wy"};
        linearize_at_rest(4, hold);
        const int left = way < 2 ? 4 : 2; // in body axes, x holds all of the place
        assert_int_equal(linear.count, left);
        assert_near(linear.modes[left - 2].frequency, roll, 1e-10);
    }
}

// ---- motion ------------------------------------------------------------------------------------

// The sleeping top. In space its axis turns at W: A W^2 - C s W + m g h = 0, A about the tip. Axes
// of the body turn at s themselves, so there it is W - s.
static void sleeping_top(void **state)
{
    (void)state;
    load("spinning_top.yaml");
    const double A = 3e-4 + 0.5 * 0.04 * 0.04, C = 5e-4, mgh = 0.5 * 9.81 * 0.04;
    const double min = 2.0 * sqrt(A * mgh) / C;
    for (double s = 20.0; s < 200.0; s += 30.0) {
        y[0] = cos(0.4), y[1] = y[2] = 0.0, y[3] = sin(0.4); // turned about its axis
        y[4] = y[5] = 0.0, y[6] = s;
        linearize_holding(0, NULL);
        assert_int_equal(linear.count, 6);
        assert_int_equal(linear.rigid_count, 2);
        const double inside = C * C * s * s - 4.0 * A * mgh;
        double growth = 0.0;
        for (int k = 2; k < 6; k++)
            growth = fmax(growth, linear.modes[k].real);
        if (s < min) {
            assert_near(growth, sqrt(-inside) / (2 * A), 1e-10);
            assert_near(fabs(linear.modes[2].imaginary), fabs(C * s / (2 * A) - s), 1e-10);
            continue;
        }
        assert_near(growth, 0.0, 1e-9);
        const double fast = (C * s + sqrt(inside)) / (2 * A) - s;
        const double slow = (C * s - sqrt(inside)) / (2 * A) - s;
        assert_near(linear.modes[2].imaginary, fmin(fabs(fast), fabs(slow)), 1e-9);
        assert_near(linear.modes[4].imaginary, fmax(fabs(fast), fabs(slow)), 1e-9);
    }
}

// The same top with two hinge angles that do not spin and the spin as third coordinate: its
// frequencies are those seen in space, fast (nutation) and slow (precession).
static void top_in_space(void **state)
{
    (void)state;
    parse("motorcade: multibody\nname: gimbals\ngravity: [0, 0, -9.81]\n"
          "bodies:\n  top: {joint: general, free: [rx, ry, rz], sequence: xyz, mass: 0.5, "
          "com: [0, 0, 0.04], inertia: [3e-4, 3e-4, 5e-4], start: {rz_rate: 150}}\n");
    linearize_holding(0, NULL);
    const double A = 3e-4 + 0.5 * 0.04 * 0.04, C = 5e-4, mgh = 0.5 * 9.81 * 0.04, s = 150.0;
    const double root = sqrt(C * C * s * s - 4.0 * A * mgh);
    assert_int_equal(linear.rigid_count, 2);
    assert_value(2, 0.0, (C * s - root) / (2 * A), 1e-9);
    assert_value(4, 0.0, (C * s + root) / (2 * A), 1e-9);
}

static void random_state(unsigned long long *seed, const mc_multibody_info *info, double *out)
{
    for (int i = 0; i < info->y_count; i++)
        out[i] = sample_uniform(seed, -0.4, 0.4);
    out[3] += 0.8;
    mc_multibody_normalise(model, out);
}

// Derivatives of the rates by y, inputs and forces, at random states.
static void jacobian_by_differences(void **state)
{
    (void)state;
    load("hmmwv10.yaml");
    const mc_multibody_info *info = mc_multibody_info_of(model);
    const int n = info->y_count, u = info->input_count + info->v_count;
    static double A[STATES_MAX * STATES_MAX], B[STATES_MAX * STATES_MAX], up[STATES_MAX],
        down[STATES_MAX], tau[STATES_MAX], at[STATES_MAX];
    unsigned long long seed = 3;
    for (int round = 0; round < 5; round++) {
        random_state(&seed, info, y);
        assert_int_equal(mc_multibody_jacobian(model, 0.0, y, A, B, &error), MC_OK);
        for (int j = 0; j < n + u; j++) {
            const double h = j < n ? 1e-5 : 1.0;
            for (int side = 0; side < 2; side++) {
                memcpy(at, y, sizeof at);
                memset(tau, 0, sizeof tau);
                *(j < n ? &at[j] : &tau[j - n]) += side ? -h : h; // no inputs in this model
                mc_multibody_rate(model, 0.0, at, tau, side ? down : up);
            }
            for (int i = 0; i < n; i++) {
                const double exact = j < n ? A[i + n * j] : B[i + n * (j - n)];
                double column = 1.0;
                for (int k = 0; k < n; k++)
                    column = fmax(column, fabs(j < n ? A[k + n * j] : B[k + n * (j - n)]));
                assert_near((up[i] - down[i]) / (2 * h), exact, 1e-6 * column);
            }
        }
    }
}

// One step of the classical Runge-Kutta method.
static void step(double h, const double *from, double *to)
{
    const int n = mc_multibody_info_of(model)->y_count;
    double k[4][STATES_MAX], at[STATES_MAX];
    static const double share[] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++)
            at[i] = from[i] + (s ? h * share[s] * k[s - 1][i] : 0.0);
        mc_multibody_rate(model, 0.0, at, NULL, k[s]);
    }
    for (int i = 0; i < n; i++)
        to[i] = from[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// A against neighbouring motions of a car that tumbles: differences of two motions at -h and h,
// written as rotations about the axes of the chassis then, change at the rate A x.
static void matrix_by_neighbours(void **state)
{
    (void)state;
    load("hmmwv10.yaml");
    const mc_multibody_info *info = mc_multibody_info_of(model);
    const int n = info->y_count, q = info->q_count, v = info->v_count;
    static double A[STATES_MAX * STATES_MAX];
    unsigned long long seed = 4;
    const double h = 1e-5, size = 1e-4;
    random_state(&seed, info, y);
    for (int i = q; i < q + 6; i++)
        y[i] *= 5.0;
    linearize_holding(0, NULL);
    for (int j = 0; j < 2 * v; j++) {
        double difference[2][STATES_MAX];
        for (int later = 0; later < 2; later++) {
            double end[2][STATES_MAX], middle[STATES_MAX];
            for (int side = 0; side < 2; side++) {
                double at[STATES_MAX];
                memcpy(at, y, sizeof at);
                assert_int_equal(mc_multibody_jacobian(model, 0.0, y, A, NULL, &error), MC_OK);
                for (int i = 0; i < q && j < v; i++)
                    at[i] += (side ? -size : size) * A[i + n * (q + j)];
                if (j >= v)
                    at[q + j - v] += side ? -size : size;
                step(later ? h : -h, at, end[side]);
            }
            step(later ? h : -h, y, middle);
            double change[STATES_MAX];
            for (int i = 0; i < n; i++)
                change[i] = (end[0][i] - end[1][i]) / (2 * size);
            // To rotations: 2 conj(q) dq, vector part.
            const double *a = middle + 3, *d = change + 3;
            double *x = difference[later];
            memcpy(x, change, 3 * sizeof *x);
            x[3] = 2 * (a[0] * d[1] - a[1] * d[0] - a[2] * d[3] + a[3] * d[2]);
            x[4] = 2 * (a[0] * d[2] + a[1] * d[3] - a[2] * d[0] - a[3] * d[1]);
            x[5] = 2 * (a[0] * d[3] - a[1] * d[2] + a[2] * d[1] - a[3] * d[0]);
            memcpy(x + 6, change + 7, (size_t)(n - 7) * sizeof *x);
        }
        double column = 1.0;
        for (int i = 0; i < 2 * v; i++)
            column = fmax(column, fabs(linear.A[i + 2 * v * j]));
        for (int i = 0; i < 2 * v; i++)
            assert_near((difference[1][i] - difference[0][i]) / (2 * h), linear.A[i + 2 * v * j],
                        2e-6 * column);
    }
}

// ---- rigid modes -------------------------------------------------------------------------------

// A car that falls freely with its springs at rest knows nothing of gravity: six motions of the
// chassis, the rack and four wheels, each with its rate, are 22 zeros, and the others do not
// change.
static void free_fall(void **state)
{
    (void)state;
    load("hmmwv10.yaml");
    set("torque_front", 0.0);
    set("torque_rear", 0.0);
    set("gravity.z", 0.0);
    linearize_at_rest(0, NULL);
    assert_int_equal(linear.count, 30);
    assert_int_equal(linear.rigid_count, 22);
    double real[30], imaginary[30];
    for (int k = 0; k < 30; k++) {
        real[k] = linear.modes[k].real;
        imaginary[k] = linear.modes[k].imaginary;
        assert_true(linear.modes[k].rigid || real[k] < -1.0);
    }
    set("gravity.z", -9.81);
    linearize_holding(0, NULL);
    assert_int_equal(linear.rigid_count, 22);
    for (int k = 0; k < 30; k++)
        assert_value(k, real[k], imaginary[k], 1e-8 * fabs(real[k]));
    // At the file's start springs push: the place of the rack and its rate feel the acceleration.
    mc_multibody_start(model, y);
    linearize_holding(0, NULL);
    assert_int_equal(linear.rigid_count, 20);
}

// ---- sensitivities -----------------------------------------------------------------------------

static double step_of(const char *name)
{
    const double value = fabs(get(name));
    return value > 0.0 ? 1e-3 * value : 1e-3;
}

// Five-point difference of all eigenvalues by a parameter, against the formula.
static void assert_sensitivity(const char *name, int at_rest, int hold_count,
                               const char *const *hold)
{
    static double exact[2][STATES_MAX], values[4][2][STATES_MAX], start[STATES_MAX];
    const double value = get(name), h = step_of(name);
    memcpy(start, y, sizeof start);
    if (at_rest)
        linearize_at_rest(hold_count, hold);
    else
        linearize_holding(hold_count, hold);
    if (mc_multibody_sensitivity(model, &linear, name, at_rest, exact[0], exact[1], &error))
        fail_msg("%s", error.text);
    const int n = linear.count, rigid = linear.rigid_count;
    double size = 0.0;
    for (int k = rigid; k < n; k++)
        size = fmax(size, hypot(linear.modes[k].real, linear.modes[k].imaginary));
    for (int s = 0; s < 4; s++) {
        set(name, value + h * (const double[]){-2, -1, 1, 2}[s]);
        if (at_rest)
            linearize_at_rest(hold_count, hold);
        else
            linearize_holding(hold_count, hold);
        assert_int_equal(linear.rigid_count, rigid);
        for (int k = 0; k < n; k++) {
            values[s][0][k] = linear.modes[k].real;
            values[s][1][k] = linear.modes[k].imaginary;
        }
    }
    set(name, value);
    memcpy(y, start, sizeof start);
    for (int k = 0; k < n; k++)
        for (int part = 0; part < 2; part++) {
            if (k < rigid) {
                assert_true(isnan(exact[part][k]));
                continue;
            }
            const double difference = (values[0][part][k] - 8 * values[1][part][k] +
                                       8 * values[2][part][k] - values[3][part][k]) /
                                      (12 * h);
            const double limit = 1e-6 * hypot(exact[0][k], exact[1][k]) + 1e-12 * size / h;
            if (!(fabs(difference - exact[part][k]) <= limit))
                fail_msg("%s, mode %d: %.10g, by differences %.10g", name, k + 1, exact[part][k],
                         difference);
        }
}

static void quarter_car_sensitivities(void **state)
{
    (void)state;
    load("quarter_car.yaml");
    int count = 0;
    for (const char *name; (name = mc_multibody_name(model, MC_QUANTITY_PARAMETER, count)); count++)
        assert_sensitivity(name, 1, 1, hold_distance);
    assert_true(count >= 8);
    assert_sensitivity("speed", 1, 1, hold_distance); // an input
}

// Hung up by its chassis: the rest moves with parameters, and so do the forces that hold.
static void held_car_sensitivities(void **state)
{
    (void)state;
    load("hmmwv10.yaml");
    set("torque_front", 0.0);
    set("torque_rear", 0.0);
    set("arm_fr.mass", 50.0); // apart from the left one: equal eigenvalues have no order
    set("arm_rr.mass", 60.0);
    static const char *const hold[] = {"chassis.x", "chassis.y", "chassis.z", "chassis.qw"};
    static const char *const names[] = {"k_front",    "c_rear",       "arm_fl.mass", "gravity.z",
                                        "wheel_mass", "chassis.mass", "arm_rr.com.y"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        assert_sensitivity(names[k], 1, 4, hold);
}

// The upper rod held aside: the force that holds it acts on the lower one too, since their masses
// are coupled.
static void coupled_sensitivities(void **state)
{
    (void)state;
    load("double_pendulum.yaml");
    static const char *const hold[] = {"rod1.angle"};
    y[0] = 0.6;
    y[1] = 0.0;
    static const char *const names[] = {"lower", "m_lower", "upper", "gravity.z"};
    for (int k = 0; k < 4; k++) {
        assert_sensitivity(names[k], 1, 1, hold);
        assert_sensitivity(names[k], 0, 1, hold); // not at rest: the force that holds depends on it
    }
}

static void top_sensitivities(void **state)
{
    (void)state;
    load("spinning_top.yaml");
    y[0] = 1.0, y[1] = y[2] = y[3] = 0.0;
    y[4] = y[5] = 0.0, y[6] = 150.0;
    static const char *const names[] = {"mass", "height", "across", "along"};
    for (int k = 0; k < 4; k++)
        assert_sensitivity(names[k], 0, 0, NULL);
    y[6] = 0.0; // hanging
    y[0] = 0.0, y[1] = 1.0;
    assert_sensitivity("height", 1, 1, (const char *const[]){"top.wz"});
}

static void rejections(void **state)
{
    (void)state;
    load("quarter_car.yaml");
    linearize_at_rest(1, hold_distance);
    double real[8], imaginary[8];
    assert_int_equal(mc_multibody_sensitivity(model, &linear, "k_tire", 1, real, imaginary, &error),
                     MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown name \"k_tire\" in quarter_car, did you mean k_tyre; "
                                    "`motorcade simulate MODEL --list` lists all names");
    assert_int_equal(mc_multibody_sensitivity(model, &linear, "road", 1, real, imaginary, &error),
                     MC_BAD_INPUT);
    assert_string_equal(error.text, "road is computed; sensitivities are by parameters and inputs");
    static const char *const wrong[] = {"wheel"};
    const mc_linear_options options = {.hold = wrong, .hold_count = 1};
    mc_linear out;
    assert_int_equal(mc_multibody_linearize(model, 0.0, y, &options, &out, &error), MC_BAD_INPUT);
    assert_null(out.memory);
    // A state without a number.
    y[0] = NAN;
    assert_int_equal(mc_multibody_linearize(model, 0.0, y, NULL, &out, &error), MC_FAILED);
    assert_string_equal(error.text, "wheel.travel is not a number");
}

#define TEST(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pendulum),
        TEST(damped_oscillator),
        TEST(double_pendulum),
        TEST(quarter_car_matrix),
        TEST(quarter_car_published),
        TEST(frame_on_springs),
        TEST(sleeping_top),
        TEST(top_in_space),
        TEST(jacobian_by_differences),
        TEST(matrix_by_neighbours),
        TEST(free_fall),
        TEST(quarter_car_sensitivities),
        TEST(held_car_sensitivities),
        TEST(coupled_sensitivities),
        TEST(top_sensitivities),
        TEST(rejections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
