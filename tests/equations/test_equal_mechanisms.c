// test_equal_mechanisms.c - the same mechanism described in two ways moves in the same way.
//
// Frames turned, bodies lumped, general hinges as chains of massless bodies, round wheels told to
// be round or not, axes given as words or numbers, forces in world or body axes: each pair is two
// model texts whose accelerations, with all loads, must agree. The whole path from text is used.
#include "motorcade/multibody.h"
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

typedef unsigned long long seed_type;

enum { SIZE = 64 };

static mc_multibody *parse(const char *text, mc_form form)
{
    mc_error error = {0};
    const mc_multibody_options options = {.form = form, .compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("line %d: %s\n%s", error.line, error.text, text);
    assert_true(mc_multibody_info_of(m)->y_count <= SIZE);
    return m;
}

// Random state with unit quaternions; angles away from singular ones.
static void random_state(const mc_multibody *m, seed_type *seed, double *y)
{
    for (int i = 0; i < mc_multibody_info_of(m)->y_count; i++)
        y[i] = sample_uniform(seed, 0.2, 1.2) * (sample_random(seed) % 2 ? 1.0 : -1.0);
    mc_multibody_normalise(m, y);
}

static double worst_component(const double *got, const double *want, int n)
{
    double max = 0.0, worst = 0.0;
    for (int i = 0; i < n; i++)
        max = fmax(max, fabs(want[i]));
    for (int i = 0; i < n; i++) {
        const double e = fabs(got[i] - want[i]) / fmax(fabs(want[i]), fmax(1e-3 * max, 1e-300));
        worst = isnan(e) ? (double)INFINITY : fmax(worst, e);
    }
    return worst;
}

// y' of both at the same y, in all four pairs of forms, and energies and outputs by name.
static void same(const char *name, const char *one, const char *two)
{
    double worst = 0.0, worst_out = 0.0;
    for (int k = 0; k < 4; k++) {
        mc_multibody *a = parse(one, k & 1 ? MC_FORM_LAGRANGE : MC_FORM_RECURSIVE);
        mc_multibody *b = parse(two, k & 2 ? MC_FORM_LAGRANGE : MC_FORM_RECURSIVE);
        const mc_multibody_info *info = mc_multibody_info_of(a);
        assert_int_equal(info->y_count, mc_multibody_info_of(b)->y_count);
        assert_int_equal(info->q_count, mc_multibody_info_of(b)->q_count);
        assert_int_equal(info->output_count, mc_multibody_info_of(b)->output_count);
        assert_true(info->output_count <= SIZE);
        seed_type seed = 11;
        double y[SIZE], da[SIZE], db[SIZE], oa[SIZE], ob[SIZE], tau[SIZE];
        for (int i = 0; i < 5; i++) {
            random_state(a, &seed, y);
            for (int j = 0; j < info->v_count; j++)
                tau[j] = sample_uniform(&seed, -3.0, 3.0);
            mc_multibody_rate(a, 0.7, y, tau, da);
            mc_multibody_rate(b, 0.7, y, tau, db);
            worst =
                fmax(worst, worst_component(da + info->q_count, db + info->q_count, info->v_count));
            mc_multibody_outputs(a, 0.7, y, oa);
            mc_multibody_outputs(b, 0.7, y, ob);
            for (int j = 0; j < info->output_count; j++)
                worst_out =
                    fmax(worst_out, fabs(oa[j] - ob[j]) / fmax(1.0, fmax(fabs(oa[j]), 1.0)));
        }
        mc_multibody_free(a);
        mc_multibody_free(b);
    }
    print_message("%s: accelerations %.1e, outputs %.1e\n", name, worst, worst_out);
    assert_true(worst < 1e-11);
    assert_true(worst_out < 1e-11);
}

// The comparison sees a small difference.
static bool differ(const char *one, const char *two)
{
    mc_multibody *a = parse(one, MC_FORM_RECURSIVE), *b = parse(two, MC_FORM_RECURSIVE);
    const mc_multibody_info *info = mc_multibody_info_of(a);
    double y[SIZE], da[SIZE], db[SIZE];
    seed_type seed = 11;
    random_state(a, &seed, y);
    mc_multibody_rate(a, 0.7, y, NULL, da);
    mc_multibody_rate(b, 0.7, y, NULL, db);
    const double worst = worst_component(da + info->q_count, db + info->q_count, info->v_count);
    mc_multibody_free(a);
    mc_multibody_free(b);
    return worst > 1e-8;
}

static char *join(const char *a, const char *b, const char *c)
{
    static char ring[4][8192];
    static int next;
    char *out = ring[next++ % 4];
    const int length = snprintf(out, sizeof ring[0], "%s%s%s", a, b, c);
    assert_in_range(length, 1, sizeof ring[0] - 1);
    return out;
}

#define BODY1                                                                                      \
    "    mass: 1.3\n    com: [0.1, -0.2, 0.3]\n    inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.04]\n"
#define BODY2                                                                                      \
    "    mass: 0.8\n    com: [-0.2, 0.1, 0.25]\n    inertia: [0.2, 0.3, 0.25, 0.01, 0.02, "        \
    "-0.03]\n"
#define HEAD "motorcade: multibody\ngravity: [0.3, -0.2, -9.81]\nbodies:\n"
#define BASE "  base:\n    joint: free\n" BODY1

// ---- frames ------------------------------------------------------------------------------------

// 120 degrees about (1, 1, 1): x -> y -> z -> x. A hinge about y is one about x in a frame turned
// so that its x is y; what hangs on it is written in the turned frame.
static void hinge_axis_or_turned_frame(void **state)
{
    (void)state;
    for (int prism = 0; prism < 2; prism++) {
        char one[2048], two[2048];
        const char *joint = prism ? "prism" : "hinge";
        snprintf(one, sizeof one,
                 "  arm:\n    inboard: base\n    joint: %s\n    at: [0.4, 0.5, -0.6]\n    axis: y\n"
                 "    mass: 0.8\n    com: [-0.2, 0.1, 0.25]\n"
                 "    inertia: [0.2, 0.3, 0.25, 0.01, 0.02, -0.03]\n",
                 joint);
        // In the new frame x' = y, y' = z, z' = x: components (x', y', z') = (y, z, x).
        snprintf(two, sizeof two,
                 "  arm:\n    inboard: base\n    joint: %s\n    at: [0.4, 0.5, -0.6]\n"
                 "    orientation: [0.5, 0.5, 0.5, 0.5]\n    axis: x\n    mass: 0.8\n"
                 "    com: [0.1, 0.25, -0.2]\n"
                 "    inertia: [0.3, 0.25, 0.2, -0.03, 0.01, 0.02]\n",
                 joint);
        same(prism ? "prism, frame turned" : "hinge, frame turned", join(HEAD BASE, one, ""),
             join(HEAD BASE, two, ""));
    }
}

// Any axis against the z axis of a frame that was turned there: turned by angle g about y, then
// the axis z is (sin g, 0, cos g).
static void skew_axis_or_turned_frame(void **state)
{
    (void)state;
    const double g = 0.6, s = sin(g), c = cos(g), m = 0.8;
    const double com[3] = {-0.2, 0.1, 0.25}; // in the turned frame
    const double J[6] = {0.2, 0.3, 0.25, 0.01, 0.02, -0.03};
    const double R[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
    const double I[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    double out[3] = {0}, T[9] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i] += R[3 * i + j] * com[j];
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    T[3 * i + j] += R[3 * i + k] * I[3 * k + l] * R[3 * j + l];
        }
    char one[2048], two[2048];
    snprintf(one, sizeof one,
             "  arm:\n    inboard: base\n    joint: hinge\n    at: [0.4, 0.5, -0.6]\n"
             "    axis: [%.17g, 0, %.17g]\n    mass: %g\n    com: [%.17g, %.17g, %.17g]\n"
             "    inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]\n",
             s, c, m, out[0], out[1], out[2], T[0], T[4], T[8], T[1], T[2], T[5]);
    snprintf(two, sizeof two,
             "  arm:\n    inboard: base\n    joint: hinge\n    at: [0.4, 0.5, -0.6]\n"
             "    orientation: {sequence: yxz, angles: [%.17g, 0, 0]}\n    axis: z\n    mass: %g\n"
             "    com: [-0.2, 0.1, 0.25]\n    inertia: [0.2, 0.3, 0.25, 0.01, 0.02, -0.03]\n",
             g, m);
    same("skew hinge axis", join(HEAD BASE, one, ""), join(HEAD BASE, two, ""));
}

// Against the axis: the coordinate changes sign, so the model is compared with its mirror: the same
// hinge counted the other way, with load, spring and start turned round.
static void negative_axis(void **state)
{
    (void)state;
    static const char *const joints[] = {"hinge", "prism"};
    static const char letters[] = "xyz";
    for (int j = 0; j < 2; j++)
        for (int axis = 0; axis < 3; axis++) {
            char one[1024], two[1024], numbers[64];
            double a[3] = {0};
            a[axis] = -1.0;
            snprintf(numbers, sizeof numbers, "[%g, %g, %g]", a[0], a[1], a[2]);
            snprintf(one, sizeof one,
                     "  arm:\n    inboard: base\n    joint: %s\n    at: [0.4, 0.5, -0.6]\n"
                     "    axis: -%c\n%s    load: 3 - arm.%s\n",
                     joints[j], letters[axis], BODY2, j ? "travel*2 N/m" : "angle*2 N*m");
            snprintf(two, sizeof two,
                     "  arm:\n    inboard: base\n    joint: %s\n    at: [0.4, 0.5, -0.6]\n"
                     "    axis: %s\n%s    load: 3 - arm.%s\n",
                     joints[j], numbers, BODY2, j ? "travel*2 N/m" : "angle*2 N*m");
            same("axis -x -y -z", join(HEAD BASE, one, ""), join(HEAD BASE, two, ""));
            // Turned round by half a turn about the next axis, the axis is a positive one.
            double q[4] = {0};
            q[1 + (axis + 1) % 3] = 1.0;
            double com[3] = {-0.2, 0.1, 0.25}, J[6] = {0.2, 0.3, 0.25, 0.01, 0.02, -0.03};
            double sign[3];
            for (int k = 0; k < 3; k++) {
                sign[k] = k == (axis + 1) % 3 ? 1.0 : -1.0;
                com[k] *= sign[k];
            }
            J[3] *= sign[0] * sign[1], J[4] *= sign[0] * sign[2], J[5] *= sign[1] * sign[2];
            snprintf(two, sizeof two,
                     "  arm:\n    inboard: base\n    joint: %s\n    at: [0.4, 0.5, -0.6]\n"
                     "    orientation: [%g, %g, %g, %g]\n    axis: %c\n    mass: 0.8\n"
                     "    com: [%g, %g, %g]\n    inertia: [%g, %g, %g, %g, %g, %g]\n"
                     "    load: 3 - arm.%s\n",
                     joints[j], q[0], q[1], q[2], q[3], letters[axis], com[0], com[1], com[2], J[0],
                     J[1], J[2], J[3], J[4], J[5], j ? "travel*2 N/m" : "angle*2 N*m");
            same("axis -x -y -z as a frame", join(HEAD BASE, one, ""), join(HEAD BASE, two, ""));
        }
}

// ---- lumped bodies -----------------------------------------------------------------------------

// Two bodies on a fixed joint are one with the sum of mass and moments.
static void fixed_joint_or_one_body(void **state)
{
    (void)state;
    const double m[2] = {1.3, 0.8}, c1[3] = {0.1, -0.2, 0.3}, at[3] = {0.3, 0.6, -0.4};
    const double c2[3] = {at[0] - 0.2, at[1] + 0.1, at[2] + 0.25}, M = m[0] + m[1];
    const double J1[6] = {0.3, 0.4, 0.5, 0.02, -0.03, 0.04};
    const double J2[6] = {0.2, 0.3, 0.25, 0.01, 0.02, -0.03};
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    double c[3], J[6];
    for (int k = 0; k < 3; k++)
        c[k] = (m[0] * c1[k] + m[1] * c2[k]) / M;
    for (int k = 0; k < 6; k++) {
        const int i = pair[k][0], j = pair[k][1];
        J[k] = J1[k] + J2[k];
        for (int b = 0; b < 2; b++) {
            double d[3], square = 0.0;
            for (int l = 0; l < 3; l++) {
                d[l] = (b ? c2 : c1)[l] - c[l];
                square += d[l] * d[l];
            }
            J[k] += m[b] * ((i == j ? square : 0.0) - d[i] * d[j]);
        }
    }
    static const char *const joints[] = {"free", "hinge\n    axis: [0.6, 0, 0.8]", "ball"};
    for (int j = 0; j < 3; j++) {
        char one[2048], two[2048];
        snprintf(one, sizeof one,
                 "  base:\n    joint: %s\n%s  box:\n    inboard: base\n    joint: fixed\n"
                 "    at: [0.3, 0.6, -0.4]\n%s  tip:\n    inboard: box\n    joint: hinge\n"
                 "    axis: z\n    at: [0.1, 0.2, 0.3]\n%s",
                 joints[j], BODY1, BODY2, BODY2);
        snprintf(two, sizeof two,
                 "  base:\n    joint: %s\n    mass: %.17g\n    com: [%.17g, %.17g, %.17g]\n"
                 "    inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]\n"
                 "  tip:\n    inboard: base\n    joint: hinge\n    axis: z\n"
                 "    at: [0.4, 0.8, -0.1]\n%s",
                 joints[j], M, c[0], c[1], c[2], J[0], J[1], J[2], J[3], J[4], J[5], BODY2);
        same("fixed joint", join(HEAD, one, ""), join(HEAD, two, ""));
    }
}

// ---- general hinges ----------------------------------------------------------------------------

// Two free coordinates are two joints in a row, the first of them massless.
static void general_hinge_or_a_chain(void **state)
{
    (void)state;
    static const char *const words[6] = {"tx", "ty", "tz", "rx", "ry", "rz"};
    static const char letters[] = "xyz";
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++) {
            char one[2048], two[2048];
            snprintf(one, sizeof one,
                     "  arm:\n    inboard: base\n    joint: general\n    at: [0.4, 0.5, -0.6]\n"
                     "    orientation: [0.8, 0.6, 0, 0]\n    free: [%s, %s]\n%s",
                     words[i], words[j], BODY2);
            snprintf(two, sizeof two,
                     "  first:\n    inboard: base\n    joint: %s\n    at: [0.4, 0.5, -0.6]\n"
                     "    orientation: [0.8, 0.6, 0, 0]\n    axis: %c\n"
                     "  arm:\n    inboard: first\n    joint: %s\n    axis: %c\n%s",
                     i < 3 ? "prism" : "hinge", letters[i % 3], j < 3 ? "prism" : "hinge",
                     letters[j % 3], BODY2);
            same(words[i], join(HEAD BASE, one, ""), join(HEAD BASE, two, ""));
        }
}

// Held coordinates are an offset and a turn of the frame.
static void held_coordinates(void **state)
{
    (void)state;
    const char *one = "  arm:\n    inboard: base\n    joint: general\n    at: [0.4, 0.5, -0.6]\n"
                      "    free: [rz]\n    held: {tx: 0.2, ty: -0.1, rx: 0.7}\n" BODY2;
    const char *two = "  arm:\n    inboard: base\n    joint: hinge\n    at: [0.6, 0.4, -0.6]\n"
                      "    orientation: {sequence: xyz, angles: [0.7, 0, 0]}\n    axis: z\n" BODY2;
    same("held coordinates", join(HEAD BASE, one, ""), join(HEAD BASE, two, ""));
    assert_true(differ(join(HEAD BASE, one, ""),
                       join(HEAD BASE,
                            "  arm:\n    inboard: base\n    joint: hinge\n"
                            "    at: [0.6, 0.4, -0.6]\n"
                            "    orientation: {sequence: xyz, angles: [0.7001, 0, 0]}\n"
                            "    axis: z\n",
                            BODY2)));
}

// ---- loads -------------------------------------------------------------------------------------

#define WHEEL                                                                                      \
    "  arm:\n    inboard: base\n    joint: hinge\n    axis: x\n    at: [0.3, 0.4, 0.1]\n" BODY2    \
    "  wheel:\n    inboard: arm\n    joint: hinge\n    axis: -y\n    at: [0.1, 0.6, -0.2]\n"       \
    "    mass: 2\n    com: [0, 0.05, 0]\n    inertia: [0.2, 0.3, 0.2]\n    load: 4 N*m\n"          \
    "    damping: 0.3\n    stiffness: 1.5\n    rest: 0.2\n"

// Everything that can act on a wheel, round or not.
#define ACTING                                                                                     \
    "points:\n  rim: {body: wheel, at: [0.3, 0.1, 0.2]}\n  hub: {body: arm, at: [0.1, 0.7, "       \
    "0.1]}\n"                                                                                      \
    "  roof: {body: base, at: [0.2, 0.1, 0.9]}\n  post: {body: ground, at: [1, 2, 3]}\n"           \
    "  rim2: {body: wheel, at: [-0.1, 0, 0.3]}\n"                                                  \
    "forces:\n"                                                                                    \
    "  a: {point: rim, force: [1, -2, 3], in: world}\n"                                            \
    "  b: {point: rim, force: [2, 1, -1], in: body}\n"                                             \
    "  c: {point: roof, force: [3, 1, 2], in: body}\n"                                             \
    "  d: {point: rim2, force: \"[0, 0, 3] + 2 N*s/m*rim.velocity\"}\n"                            \
    "torques:\n"                                                                                   \
    "  e: {body: wheel, torque: [1, 2, 3], in: world}\n"                                           \
    "  f: {body: wheel, torque: [3, -1, 2], in: body}\n"                                           \
    "  g: {body: base, torque: \"-0.5 N*m*s*wheel.omega\"}\n"                                      \
    "springs:\n"                                                                                   \
    "  s1: {from: rim, to: roof, stiffness: 30, damping: 2, length: 0.4}\n"                        \
    "  s2: {from: post, to: rim2, stiffness: 20, damping: 1, length: 0.7}\n"                       \
    "  s3: {from: hub, to: rim, stiffness: 25, length: 0.1, force: 3*s3.rate/(1 m/s)}\n"           \
    "variables:\n  height: wheel.x_axis.z\n  speed: norm(wheel.omega)\n"

static void round_wheel_or_not(void **state)
{
    (void)state;
    same("wheel with loads, round or not", join(HEAD BASE WHEEL, "    axisymmetric: y\n", ACTING),
         join(HEAD BASE WHEEL, "", ACTING));
    assert_true(differ(join(HEAD BASE WHEEL, "    axisymmetric: y\n", ACTING),
                       join(HEAD BASE WHEEL, "    axisymmetric: y\n", "")));
}

// A wheel whose axle stands still.
static void round_wheel_on_the_ground(void **state)
{
    (void)state;
    const char *wheel = HEAD "  wheel:\n    joint: hinge\n    axis: y\n    at: [0.1, 0.6, -0.2]\n"
                             "    mass: 2\n    inertia: [0.2, 0.3, 0.2]\n";
    const char *acting = "points:\n  rim: {body: wheel, at: [0.3, 0.1, 0.2]}\n"
                         "  post: {body: ground, at: [1, 2, 3]}\n"
                         "forces:\n  a: {point: rim, force: [1, -2, 3]}\n"
                         "torques:\n  e: {body: wheel, torque: [1, 2, 3], in: body}\n"
                         "springs:\n  s: {from: post, to: rim, stiffness: 30, damping: 2}\n";
    // The potential energy counts the wheel's own weight or not: a constant. So only y'.
    mc_multibody *a = parse(join(wheel, "    axisymmetric: y\n", acting), MC_FORM_RECURSIVE);
    mc_multibody *b = parse(join(wheel, "", acting), MC_FORM_RECURSIVE);
    const double y[2] = {0.7, 1.3};
    double da[2], db[2];
    mc_multibody_rate(a, 0.0, y, NULL, da);
    mc_multibody_rate(b, 0.0, y, NULL, db);
    assert_true(worst_component(da, db, 2) < 1e-12);
    mc_multibody_free(a);
    mc_multibody_free(b);
}

// A force at a point is the force at the origin and its moment; body axes are world axes turned.
static void force_and_its_moment(void **state)
{
    (void)state;
    const char *arm = "  arm:\n    inboard: base\n    joint: ball\n    at: [0.3, 0.4, 0.1]\n" BODY2
                      "points:\n  p: {body: arm, at: [0.2, -0.3, 0.5]}\n"
                      "  o: {body: arm, at: [0, 0, 0]}\n";
    const char *one = "forces:\n  f: {point: p, force: [2, 3, -4]}\n";
    const char *two = "forces:\n  f: {point: o, force: [2, 3, -4]}\ntorques:\n"
                      "  moment: {body: arm, torque: \"cross(p.position - o.position, [2 N, 3 N, "
                      "-4 N])\"}\n";
    same("force and moment", join(HEAD BASE, arm, one), join(HEAD BASE, arm, two));
    const char *body = "forces:\n  f: {point: p, force: [2, 3, -4], in: body}\n";
    const char *world = "forces:\n  f: {point: p, force: \"2 N*arm.x_axis + 3 N*arm.y_axis - "
                        "4 N*arm.z_axis\"}\n";
    same("body axes", join(HEAD BASE, arm, body), join(HEAD BASE, arm, world));
}

// A spring as forces along its line at both ends.
static void spring_or_forces(void **state)
{
    (void)state;
    const char *arm =
        "  arm:\n    inboard: base\n    joint: ball\n    at: [0.3, 0.4, 0.1]\n" BODY2
        "  leg:\n    inboard: base\n    joint: hinge\n    axis: y\n"
        "    at: [-0.5, 0.2, 0.3]\n" BODY1 "points:\n  p: {body: arm, at: [0.2, -0.3, 0.5]}\n"
        "  o: {body: leg, at: [0.1, 0.2, 0.4]}\n";
    const char *one = "springs:\n  s: {from: p, to: o, stiffness: 50, damping: 4, length: 0.3}\n";
    const char *two =
        "springs:\n  s: {from: p, to: o}\n"
        "forces:\n"
        "  a: {point: o, force: \"-(50 N/m*(s.length - 0.3 m) + 4 N*s/m*s.rate)*(o.position - "
        "p.position)/s.length\"}\n"
        "  b: {point: p, force: \"-(50 N/m*(norm(o.position - p.position) - 0.3 m) + 4 N*s/m*"
        "dot(o.velocity - p.velocity, o.position - p.position)/s.length)*(p.position - "
        "o.position)/s.length\"}\n";
    mc_multibody *a = parse(join(HEAD BASE, arm, one), MC_FORM_RECURSIVE);
    mc_multibody *b = parse(join(HEAD BASE, arm, two), MC_FORM_LAGRANGE);
    const mc_multibody_info *info = mc_multibody_info_of(a);
    seed_type seed = 3;
    for (int i = 0; i < 5; i++) {
        double y[SIZE], da[SIZE], db[SIZE];
        random_state(a, &seed, y);
        mc_multibody_rate(a, 0.0, y, NULL, da);
        mc_multibody_rate(b, 0.0, y, NULL, db);
        assert_true(worst_component(da, db, info->y_count) < 1e-11);
    }
    mc_multibody_free(a);
    mc_multibody_free(b);
}

// Bodies in another order in the file: the same motion, states in another order.
static void order_of_bodies(void **state)
{
    (void)state;
    const char *arm = "  arm:\n    inboard: base\n    joint: hinge\n    axis: z\n"
                      "    at: [0.3, 0.4, 0.1]\n" BODY2;
    mc_multibody *a = parse(join(HEAD BASE, arm, ""), MC_FORM_RECURSIVE);
    mc_multibody *b = parse(join(HEAD, arm, BASE), MC_FORM_RECURSIVE);
    seed_type seed = 3;
    double y[SIZE], z[SIZE], da[SIZE], db[SIZE];
    random_state(a, &seed, y);
    for (int i = 0; i < 15; i++) { // q: base 7, arm 1; v: base 6, arm 1
        const int to = i < 7 ? i + 1 : i == 7 ? 0 : i < 14 ? i + 1 : 8;
        z[to] = y[i];
    }
    mc_multibody_rate(a, 0.0, y, NULL, da);
    mc_multibody_rate(b, 0.0, z, NULL, db);
    for (int i = 0; i < 15; i++) {
        const int to = i < 7 ? i + 1 : i == 7 ? 0 : i < 14 ? i + 1 : 8;
        assert_true(fabs(db[to] - da[i]) < 1e-12 * fmax(1.0, fabs(da[i])));
    }
    mc_multibody_free(a);
    mc_multibody_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinge_axis_or_turned_frame),
        cmocka_unit_test(skew_axis_or_turned_frame),
        cmocka_unit_test(negative_axis),
        cmocka_unit_test(fixed_joint_or_one_body),
        cmocka_unit_test(general_hinge_or_a_chain),
        cmocka_unit_test(held_coordinates),
        cmocka_unit_test(round_wheel_or_not),
        cmocka_unit_test(round_wheel_on_the_ground),
        cmocka_unit_test(force_and_its_moment),
        cmocka_unit_test(spring_or_forces),
        cmocka_unit_test(order_of_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
