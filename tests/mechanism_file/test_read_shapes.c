// test_read_shapes.c - the key shape: read, checked, and without a part in the motion.
#include "motorcade/multibody.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
    "motorcade: multibody\nparameters: {len: 2 m}\nbodies:\n  rod:\n    joint: hinge\n"            \
    "    axis: y\n    mass: 3 kg\n    com: [0, 0, -len]\n"

static mc_multibody *parse(const char *shape, mc_error *error)
{
    char text[2000];
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    snprintf(text, sizeof text, HEAD "%s", shape);
    return mc_multibody_parse(text, "x.yaml", &options, error);
}

static mc_multibody *good(const char *shape)
{
    mc_error error = {0};
    mc_multibody *m = parse(shape, &error);
    if (!m)
        fail_msg("%s", error.text);
    return m;
}

static void near(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        assert_true(fabs(a[k] - b[k]) < 1e-12);
}

static void rotate(const double q[4], const double v[3], double out[3])
{
    const double w = q[0], *u = q + 1;
    const double t[3] = {2 * (u[1] * v[2] - u[2] * v[1]), 2 * (u[2] * v[0] - u[0] * v[2]),
                         2 * (u[0] * v[1] - u[1] * v[0])};
    const double c[3] = {u[1] * t[2] - u[2] * t[1], u[2] * t[0] - u[0] * t[2],
                         u[0] * t[1] - u[1] * t[0]};
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + w * t[k] + c[k];
}

// A beam follows the parameter that its end depends on; along its z it goes from end to end.
static void beam_follows_a_parameter(void **state)
{
    (void)state;
    mc_multibody *m =
        good("    shape: {kind: beam, from: [1, 0, 0], to: [1, 0, -len], width: 40 mm}\n");
    mc_part_shape s;
    assert_true(mc_multibody_shape(m, 0, 0, &s));
    assert_int_equal(s.kind, MC_SHAPE_BEAM);
    assert_int_equal(s.finish, MC_SHAPE_FINISH_STEEL);
    assert_false(s.made);
    near(s.size, (double[]){0.04, 0.04, 2.0}, 3);
    near(s.at, (double[]){1.0, 0.0, -1.0}, 3);
    double along[3];
    rotate(s.turn, (double[]){0, 0, 1}, along);
    near(along, (double[]){0, 0, -1}, 3);
    assert_false(mc_multibody_shape(m, 0, 1, &s));
    assert_int_equal(mc_multibody_set(m, "len", 5.0, NULL), MC_OK);
    assert_true(mc_multibody_shape(m, 0, 0, &s));
    near(s.size + 2, (double[]){5.0}, 1);
    mc_multibody_free(m);
}

static void a_list_of_every_kind(void **state)
{
    (void)state;
    mc_multibody *m =
        good("    shape:\n"
             "      - {kind: box, size: [1, 2, 300 mm], at: [0, 0, 1], finish: dark}\n"
             "      - {kind: cylinder, radius: 0.1, length: 0.5, axis: [3, 4, 0]}\n"
             "      - {kind: beam, from: [0, 0, 0], to: [1, 0, 0], radius: 0.1}\n"
             "      - {kind: panel, corners: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]}\n"
             "      - {kind: wheel, radius: 0.3, width: 0.2}\n"
             "      - {kind: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, len]], faces: [[0, 1, "
             "2]]}\n");
    mc_part_shape s;
    for (int k = 0; k < MC_SHAPE_COUNT; k++) {
        assert_true(mc_multibody_shape(m, 0, k, &s));
        assert_int_equal(s.kind, k);
        double norm = 0.0;
        for (int i = 0; i < 4; i++)
            norm += s.turn[i] * s.turn[i];
        near(&norm, (double[]){1.0}, 1);
    }
    double points[9], axis[3];
    int faces[3];
    mc_multibody_shape_mesh(m, 0, 5, points, faces);
    near(points, (double[]){0, 0, 0, 1, 0, 0, 0, 1, 2}, 9);
    assert_int_equal(faces[2], 2);
    assert_true(mc_multibody_shape(m, 0, 3, &s));
    assert_int_equal(s.face_count, 2);
    assert_true(mc_multibody_shape(m, 0, 2, &s));
    assert_true(s.round);
    assert_true(mc_multibody_shape(m, 0, 4, &s)); // a wheel turns about y unless it says otherwise
    rotate(s.turn, (double[]){0, 0, 1}, axis);
    near(axis, (double[]){0, 1, 0}, 3);
    near(s.size, (double[]){0.6, 0.6, 0.2}, 3);
    assert_true(mc_multibody_shape(m, 0, 1, &s));
    rotate(s.turn, (double[]){0, 0, 1}, axis);
    near(axis, (double[]){0.6, 0.8, 0}, 3);
    mc_multibody_free(m);
}

// The box of even density with the moments of inertia of a 1 x 2 x 3 m box of 3 kg is that box; the
// cylinder of a wheel likewise; axes that are not principal turn it.
static void made_from_inertia(void **state)
{
    (void)state;
    mc_part_shape s;
    mc_multibody *m = good("    inertia: [3.25, 2.5, 1.25]\n");
    assert_true(mc_multibody_shape(m, 0, 0, &s));
    assert_true(s.made);
    near(s.size, (double[]){1, 2, 3}, 3);
    near(s.at, (double[]){0, 0, -2}, 3);
    near(s.turn, (double[]){1, 0, 0, 0}, 4);
    mc_multibody_free(m);
    m = good(
        "    inertia: [2.875, 2.875, 1.25, -0.375, 0, 0]\n"); // the same, turned 45 deg about z
    assert_true(mc_multibody_shape(m, 0, 0, &s));
    for (int k = 0; k < 3; k++) { // the side of length s.size[k] is along the axis of that moment
        double v[3];
        rotate(s.turn, (double[]){k == 0, k == 1, k == 2}, v);
        const double I =
            2.875 * (v[0] * v[0] + v[1] * v[1]) + 1.25 * v[2] * v[2] - 0.75 * v[0] * v[1];
        const double a = s.size[(k + 1) % 3], b = s.size[(k + 2) % 3];
        near(&I, (double[]){0.25 * (a * a + b * b)}, 1);
    }
    mc_multibody_free(m);
    m = good("  wheel: {joint: hinge, axis: y, axisymmetric: y, mass: 2, inertia: [0.29, 0.25, "
             "0.29]}\n");
    assert_true(mc_multibody_shape(m, 1, 0, &s));
    assert_int_equal(s.kind, MC_SHAPE_CYLINDER);
    near(s.size, (double[]){1.0, 1.0, sqrt(12 * 0.145 - 3 * 0.25)}, 3);
    assert_false(mc_multibody_shape(m, 2, 0, &s));
    mc_multibody_free(m);
}

static void bad_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *message;
    } bad[] = {
        {"3", "x.yaml:9:12: found \"3\", expected a shape as a map"},
        {"{size: [1, 1, 1]}", "x.yaml:9:12: a shape needs the key kind"},
        {"{kind: bocks}", "x.yaml:9:19: found \"bocks\", expected one of box, cylinder"},
        {"{kind: box}", "x.yaml:9:12: a box needs the key size"},
        {"{kind: box, size: [1, 2]}", "x.yaml:9:30: "},
        {"{kind: box, size: [1, -2, 1]}", "size along y is -2 m, it must be above 0"},
        {"{kind: box, size: [1, 2 kg, 1]}", "x.yaml:9:34: "},
        {"{kind: box, size: [1, 1, 1], radius: 2}", "a box has no key radius; it is for "},
        {"{kind: box, size: [1, 1, 1], colour: red}", "a shape has no key \"colour\""},
        {"{kind: wheel, radius: 0, width: 1}", "radius is 0 m, it must be above 0"},
        {"{kind: wheel, radius: 1}", "a wheel needs the key width"},
        {"{kind: beam, from: [0, 0, 0], to: [0, 0, 0], width: 1}", "at the same place"},
        {"{kind: beam, from: [0, 0, 0], to: [0, 0, 1]}", "either the key radius or the key width"},
        {"{kind: panel, corners: [[0, 0, 0], [1, 1, 1]]}", "x.yaml:9:35: "},
        {"{kind: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces: [[0, 1, 3]]}",
         "expected the number of a vertex, 0 .. 2"},
        {"{kind: box, size: [1, 1, ln]}", "did you mean \"len\"?"},
        {"{kind: box, size: [1, 1, 1], finish: gold}", "expected one of paint, steel"},
        {"[]", "x.yaml:9:12: "},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char text[400], line[800];
        mc_error error = {0};
        snprintf(text, sizeof text, "    shape: %s\n", bad[k].shape);
        mc_multibody *m = parse(text, &error);
        snprintf(line, sizeof line, "%s:%d:%d: %s", error.file, error.line, error.column,
                 error.text);
        if (m || (!strstr(line, bad[k].message) && !strstr(error.text, bad[k].message)))
            fail_msg("%s: \"%s\" has no \"%s\"", bad[k].shape, line, bad[k].message);
    }
}

// Equations, parameters and accelerations are the same bits with shapes and without.
static void no_part_in_the_motion(void **state)
{
    (void)state;
    mc_multibody *with = good(
        "    shape: {kind: beam, from: [0, 0, 0], to: [0, len/2, -len^2/3 m], width: len/9}\n");
    mc_multibody *without = good("");
    const mc_multibody_info *a = mc_multibody_info_of(with), *b = mc_multibody_info_of(without);
    assert_int_equal(a->parameter_count, b->parameter_count);
    assert_int_equal(a->rate.flops, b->rate.flops);
    double y[2] = {0.7, -0.3}, da[2], db[2];
    mc_multibody_rate(with, 0.0, y, NULL, da);
    mc_multibody_rate(without, 0.0, y, NULL, db);
    assert_memory_equal(da, db, sizeof da);
    mc_multibody_free(with);
    mc_multibody_free(without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beam_follows_a_parameter), cmocka_unit_test(a_list_of_every_kind),
        cmocka_unit_test(made_from_inertia),        cmocka_unit_test(bad_shapes),
        cmocka_unit_test(no_part_in_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
