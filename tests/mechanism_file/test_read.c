// test_read.c - mechanism files that are right: every number arrives where it belongs.
#include "mechanism_file/read.h"

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

static mb_model model;
static double *value; // of every node

static void take(mc_status status, const mc_error *error)
{
    char message[1200];
    if (status != MC_OK)
        fail_msg("%s", mc_error_format(error, message, sizeof message));
    value = malloc(expr_node_count(model.graph) * sizeof value[0]);
    assert_non_null(value);
    mb_model_values(&model, value);
}

static void parse(const char *text)
{
    mc_error error = {0};
    take(mechanism_parse(text, strlen(text), "m.yaml", &model, &error), &error);
}

static void read_shipped(const char *name)
{
    char path[400];
    mc_error error = {0};
    snprintf(path, sizeof path, "%s/models/%s", SOURCE_DIR, name);
    take(mechanism_read(path, &model, &error), &error);
}

static int release(void **state)
{
    (void)state;
    free(value);
    value = NULL;
    mb_model_free(&model);
    return 0;
}

static int find_body(const char *name)
{
    for (int i = 0; i < model.body_count; i++)
        if (strcmp(model.bodies[i].name, name) == 0)
            return i;
    fail_msg("no body %s", name);
    return -1;
}

static const mb_parameter *find_parameter(const char *name)
{
    for (int i = 0; i < model.parameter_count; i++)
        if (strcmp(model.parameters[i].name, name) == 0)
            return &model.parameters[i];
    return NULL;
}

static void check(expr_id id, double expected)
{
    if (value[id] != expected)
        fail_msg("%.17g is not %.17g", value[id], expected);
    if (expected == 0.0)
        assert_int_equal(id, EXPR_ZERO); // structure, not a parameter that happens to be 0
}

// ---- the car ----

// The model's table, typed again from its source: inboard, joint, place, axis, mass, com, inertia.
static const struct {
    const char *name, *inboard;
    mb_joint joint;
    double at[3], axis[3], mass, com[3], inertia[6];
} car[] = {
    {"chassis",
     NULL,
     MB_FREE,
     {0, 0, 0},
     {0, 0, 0},
     2086.52,
     {0.056, 0, 0.213},
     {1078.52, 2955.66, 3570.2, 0, 0, 0}},
    {"rack",
     "chassis",
     MB_PRISM,
     {1.441069, 0, 0.08062},
     {0, 1, 0},
     9.072,
     {0, 0, 0},
     {0.60897, 0.004082, 0.60897, 0, 0, 0}},
    {"arm_fl",
     "chassis",
     MB_HINGE,
     {1.691386, 0.307086, 0.026391},
     {1, 0, 0},
     55.228,
     {-0.048479, 0.325603, -0.0099},
     {1.925473, 1.281982, 2.199638, 0.068604, 0.163702, -0.005541}},
    {"arm_fr",
     "chassis",
     MB_HINGE,
     {1.691386, -0.307086, 0.026391},
     {1, 0, 0},
     55.228,
     {-0.048479, -0.325603, -0.0099},
     {1.925473, 1.281982, 2.199638, -0.068604, 0.163702, 0.005541}},
    {"arm_rl",
     "chassis",
     MB_HINGE,
     {-1.68656, 0.307086, 0.026391},
     {1, 0, 0},
     55.228,
     {0.046988, 0.323851, -0.008963},
     {1.936546, 1.277825, 2.186433, -0.03804, -0.193805, -0.00185}},
    {"arm_rr",
     "chassis",
     MB_HINGE,
     {-1.68656, -0.307086, 0.026391},
     {1, 0, 0},
     55.228,
     {0.046988, -0.323851, -0.008963},
     {1.936546, 1.277825, 2.186433, 0.03804, -0.193805, 0.00185}},
    {"wheel_fl",
     "arm_fl",
     MB_HINGE,
     {-0.040386, 0.602615, -0.026289},
     {0, 1, 0},
     71.105,
     {0, 0, 0},
     {4.34457, 7.38782, 4.34457, 0, 0, 0}},
    {"wheel_fr",
     "arm_fr",
     MB_HINGE,
     {-0.040386, -0.602615, -0.026289},
     {0, 1, 0},
     71.105,
     {0, 0, 0},
     {4.34457, 7.38782, 4.34457, 0, 0, 0}},
    {"wheel_rl",
     "arm_rl",
     MB_HINGE,
     {0.03556, 0.602615, -0.026289},
     {0, 1, 0},
     71.105,
     {0, 0, 0},
     {4.34457, 7.38782, 4.34457, 0, 0, 0}},
    {"wheel_rr",
     "arm_rr",
     MB_HINGE,
     {0.03556, -0.602615, -0.026289},
     {0, 1, 0},
     71.105,
     {0, 0, 0},
     {4.34457, 7.38782, 4.34457, 0, 0, 0}},
};

static const struct {
    const char *name;
    double top[3], low[3], k, c, length;
} struts[] = {
    {"strut_fl",
     {1.795399, 0.509778, 0.223876},
     {0.097206, 0.236093, -0.046609},
     167071,
     22460,
     0.339},
    {"strut_fr",
     {1.795399, -0.509778, 0.223876},
     {0.097206, -0.236093, -0.046609},
     167071,
     22460,
     0.339},
    {"strut_rl",
     {-1.790573, 0.501574, 0.28288},
     {-0.097206, 0.236093, -0.046609},
     369167,
     35025,
     0.382},
    {"strut_rr",
     {-1.790573, -0.501574, 0.28288},
     {-0.097206, -0.236093, -0.046609},
     369167,
     35025,
     0.382},
};

static void the_car_has_its_numbers(void **state)
{
    (void)state;
    read_shipped("hmmwv10.yaml");
    assert_string_equal(model.name, "hmmwv10");
    assert_int_equal(model.body_count, 10);
    int coordinates = 0, velocities = 0;
    double total = 0.0;
    for (int i = 0; i < 10; i++) {
        const mb_body *body = &model.bodies[i];
        assert_string_equal(body->name, car[i].name);
        assert_int_equal(body->inboard, car[i].inboard ? find_body(car[i].inboard) : -1);
        assert_int_equal(body->joint, car[i].joint);
        check(body->mass, car[i].mass);
        for (int k = 0; k < 3; k++) {
            check(body->at[k], car[i].at[k]);
            check(body->com[k], car[i].com[k]);
            assert_true(body->axis[k] == car[i].axis[k]);
        }
        for (int k = 0; k < 6; k++)
            check(body->inertia[k], car[i].inertia[k]);
        for (int k = 0; k < 9; k++)
            assert_int_equal(body->turn[k], k % 4 == 0 ? EXPR_ONE : EXPR_ZERO);
        assert_int_equal(body->axisymmetric, i < 6 ? -1 : 1);
        total += value[body->mass];
        coordinates += mb_coordinate_count(body);
        velocities += mb_velocity_count(body);
    }
    assert_true(fabs(total - 2600.924) < 1e-9);
    assert_int_equal(coordinates, 16);
    assert_int_equal(velocities, 15);
    check(model.gravity[0], 0.0);
    check(model.gravity[1], 0.0);
    check(model.gravity[2], -9.81);
    assert_string_equal(model.bodies[6].load.text, "torque_front");
    assert_string_equal(model.bodies[9].load.text, "torque_rear");
    assert_true(find_parameter("torque_rear")->value == 150.0);
}

static void the_car_has_its_springs(void **state)
{
    (void)state;
    read_shipped("hmmwv10.yaml");
    assert_int_equal(model.spring_count, 4);
    for (int i = 0; i < 4; i++) {
        const mb_spring *spring = &model.springs[i];
        const mb_point *from = &model.points[spring->from], *to = &model.points[spring->to];
        assert_string_equal(spring->name, struts[i].name);
        check(spring->stiffness, struts[i].k);
        check(spring->damping, struts[i].c);
        check(spring->length, struts[i].length);
        assert_int_equal(from->body, 0);
        assert_int_equal(to->body, 2 + i);
        for (int k = 0; k < 3; k++) {
            check(from->at[k], struts[i].top[k]);
            check(to->at[k], struts[i].low[k]);
        }
    }
    assert_true(model.springs[0].stiffness == model.springs[1].stiffness); // one parameter
}

static void parameters_are_named_by_place(void **state)
{
    (void)state;
    read_shipped("hmmwv10.yaml");
    static const struct {
        const char *name, *unit;
        double value;
    } some[] = {
        {"k_front", "N/m", 167071},
        {"chassis.mass", "kg", 2086.52},
        {"chassis.com.x", "m", 0.056},
        {"chassis.inertia.zz", "kg*m^2", 3570.2},
        {"arm_fl.inertia.yz", "kg*m^2", -0.005541},
        {"arm_rl.at.x", "m", -1.68656},
        {"strut_fl.free_length", "m", 0.339},
        {"strut_rr_low.at.y", "m", -0.236093},
        {"gravity.z", "m/s^2", -9.81},
    };
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        const mb_parameter *p = find_parameter(some[i].name);
        assert_non_null(p);
        assert_true(p->value == some[i].value);
        assert_string_equal(p->unit, some[i].unit);
        assert_string_equal(expr_input_name(model.graph, p->input), p->name);
        assert_int_equal(expr_input_class(model.graph, p->input), EXPR_PARAMETER);
    }
    assert_string_equal(find_parameter("c_front")->doc, "front damper, each");
    assert_null(find_parameter("chassis.com.y")); // a zero is structure
    assert_null(find_parameter("gravity.x"));
    assert_int_equal(expr_input_count(model.graph), model.parameter_count);
}

// ---- units, formulas, places ----

#define HEAD "motorcade: multibody\n"

static void units_become_si(void **state)
{
    (void)state;
    parse(HEAD "parameters:\n"
               "  a: 36 [km/h]\n  b: {value: 90, unit: deg}\n  c: -2.5e1 kN/m\n  d: 3\n"
               "  e: {value: 20 mm, unit: m, min: 1 cm, max: 30}\n"
               "inputs:\n  u: 5 kN\n  v: {value: 2, unit: km}\n  w: {unit: N*m}\n"
               "bodies:\n  b1: {joint: hinge, axis: -z, mass: 2 t, com: [10 cm, 0 m, 0], "
               "rest: 90 deg, stiffness: 2 kNm, inertia: [1, 1, 2], start: {angle: 180 deg, "
               "angle_rate: 30 rpm}}\n"
               "simulate: {end: 1 min, step: 2 ms}\n");
    assert_true(find_parameter("a")->value == 10.0);
    assert_string_equal(find_parameter("a")->unit, "m*s^-1");
    assert_true(fabs(find_parameter("b")->value - PI / 2) < 1e-15);
    assert_true(find_parameter("c")->value == -25000.0);
    assert_string_equal(find_parameter("c")->unit, "N/m");
    assert_string_equal(find_parameter("d")->unit, "");
    assert_true(find_parameter("e")->value == 0.02);
    assert_true(model.inputs[0].value == 5000.0 && model.inputs[0].unit.mass == 6);
    assert_true(model.inputs[1].value == 2000.0 && model.inputs[1].unit.length == 6);
    assert_true(model.inputs[2].value == 0.0 && model.inputs[2].unit.time == -12);
    const mb_body *body = &model.bodies[0];
    check(body->mass, 2000.0);
    check(body->com[0], 0.1);
    check(body->com[1], 0.0);
    check(body->stiffness, 2000.0);
    assert_true(fabs(value[body->rest] - PI / 2) < 1e-15);
    assert_true(body->axis[2] == -1.0);
    assert_true(fabs(body->start_q[0] - PI) < 1e-15 && fabs(body->start_v[0] - PI) < 1e-15);
    assert_true(model.end == 60.0 && model.step == 0.002);
}

static void formulas_follow_their_parameters(void **state)
{
    (void)state;
    parse(HEAD "parameters: {m1: 12 kg, l: 2 m}\n"
               "bodies:\n  rod: {joint: hinge, axis: y, mass: 2*m1, com: [0, 0, -l/2], "
               "inertia: [m1*l^2/12, m1*l^2/12, 0], start: {angle: l/4 m}}\n"
               "points:\n  p: {body: rod, at: [0, l - 2 m, 2*l]}\n");
    const mb_body *rod = &model.bodies[0];
    check(rod->mass, 24.0);
    check(rod->com[2], -1.0);
    check(rod->inertia[0], 4.0);
    assert_int_equal(rod->inertia[0], rod->inertia[1]);
    assert_true(value[model.points[0].at[1]] == 0.0); // a value, not structure
    assert_true(model.points[0].at[1] != EXPR_ZERO);
    assert_true(rod->start_q[0] == 0.5);
    assert_int_equal(model.parameter_count, 3); // m1, l, gravity.z
    // With other values of the parameters the numbers are others.
    model.parameters[0].value = 6.0;
    mb_model_values(&model, value);
    check(rod->mass, 12.0);
    check(rod->inertia[0], 2.0);
}

static void formulas_of_motion_keep_their_place(void **state)
{
    (void)state;
    parse(HEAD "bodies:\n"
               "  b:\n    joint: prism\n    axis: [3, 0, 4]\n    mass: 1\n"
               "    load: \"k*(b.travel - 1)\"\n"
               "points: {p: {body: b, at: [0, 0, 0]}, g: {body: ground, at: [0, 0, 1]}}\n"
               "springs: {s: {from: g, to: p, force: 3*s.rate}}\n"
               "forces: {f: {point: p, force: \"[1, 2, 3]*x\", in: body},\n"
               "         h: {point: p, force: [0, 'u', 2]}}\n"
               "torques: {t1: {body: b, torque: [0, 0, M]}}\n"
               "states: {x: {start: 2, rate: -x}}\n"
               "variables: {u: x + 1}\n");
    const mb_body *b = &model.bodies[0];
    assert_true(b->axis[0] == 0.6 && b->axis[2] == 0.8);
    assert_string_equal(b->load.text, "k*(b.travel - 1)");
    assert_int_equal(b->load.line, 7);
    assert_int_equal(b->load.column, 12);
    assert_string_equal(model.springs[0].force.text, "3*s.rate");
    assert_int_equal(model.points[1].body, -1);
    assert_int_equal(model.forces[0].value.size, 1);
    assert_int_equal(model.forces[0].frame, MB_BODY);
    assert_string_equal(model.forces[0].value.part[0].text, "[1, 2, 3]*x");
    assert_int_equal(model.forces[1].value.size, 3);
    assert_int_equal(model.forces[1].frame, MB_WORLD);
    assert_string_equal(model.forces[1].value.part[1].text, "u");
    assert_int_equal(model.forces[1].value.part[1].line, 11);
    assert_int_equal(model.forces[1].value.part[1].column, 36);
    assert_string_equal(model.torques[0].value.part[2].text, "M");
    assert_true(model.states[0].start == 2.0);
    assert_string_equal(model.states[0].rate.text, "-x");
    assert_string_equal(model.variables[0].value.text, "x + 1");
    assert_int_equal(model.variables[0].value.column, 16);
}

// ---- joints ----

static void check_names(const mb_body *body, const char *coordinates, const char *velocities)
{
    char text[400] = "", name[96];
    for (int k = 0; k < mb_coordinate_count(body); k++) {
        mb_coordinate_name(body, k, name);
        sprintf(text + strlen(text), "%s ", name);
    }
    assert_string_equal(text, coordinates);
    text[0] = '\0';
    for (int k = 0; k < mb_velocity_count(body); k++) {
        mb_velocity_name(body, k, name);
        sprintf(text + strlen(text), "%s ", name);
    }
    assert_string_equal(text, velocities);
}

static void joints_name_their_coordinates(void **state)
{
    (void)state;
    parse(
        HEAD
        "bodies:\n"
        "  g: {inboard: e, joint: general, sequence: zxz, free: [rz2, tx, rz], mass: 1, "
        "inertia: [1, 1, 1], held: {ty: 2, rx: 30 deg}, start: {rz2: 0.5, tx_rate: 3}}\n"
        "  a: {joint: free, mass: 1, inertia: [1, 1, 1], start: {qw: 0.6, qz: 0.8, x: 7, wz: 1}}\n"
        "  e: {joint: free, angles: zyx, velocity: body, mass: 1, inertia: [1, 1, 1], "
        "start: {ry: 0.25}}\n"
        "  h: {inboard: a, joint: hinge, axis: x, inertia: [1, 1, 1]}\n"
        "  p: {inboard: a, joint: prism, axis: x, mass: 1}\n"
        "  b: {inboard: p, joint: ball, inertia: [1, 1, 1]}\n"
        "  f: {inboard: b, joint: fixed}\n");
    const mb_body *bodies = model.bodies;
    check_names(&bodies[0], "g.tx g.rz g.rz2 ", "g.tx_rate g.rz_rate g.rz2_rate ");
    assert_int_equal(bodies[0].inboard, 2); // a body that comes later
    assert_true(bodies[0].start_q[2] == 0.5 && bodies[0].start_v[0] == 3.0);
    check(bodies[0].held[1], 2.0);
    assert_true(fabs(value[bodies[0].held[4]] - PI / 6) < 1e-15);
    assert_non_null(find_parameter("g.held.rx"));
    check_names(&bodies[1], "a.x a.y a.z a.qw a.qx a.qy a.qz ", "a.vx a.vy a.vz a.wx a.wy a.wz ");
    assert_true(bodies[1].start_q[0] == 7.0 && bodies[1].start_v[5] == 1.0);
    assert_true(bodies[1].start_q[3] == 0.6 && bodies[1].start_q[6] == 0.8);
    check_names(&bodies[2], "e.x e.y e.z e.rz e.ry e.rx ", "e.vx e.vy e.vz e.wx e.wy e.wz ");
    assert_true(bodies[2].euler && bodies[2].quasi_velocity && bodies[2].start_q[4] == 0.25);
    check_names(&bodies[3], "h.angle ", "h.angle_rate ");
    check_names(&bodies[4], "p.travel ", "p.travel_rate ");
    check_names(&bodies[5], "b.qw b.qx b.qy b.qz ", "b.wx b.wy b.wz ");
    assert_true(bodies[5].start_q[0] == 1.0);
    check_names(&bodies[6], "", "");
}

static void orientations_agree(void **state)
{
    (void)state;
    parse(HEAD
          "parameters: {a: 0.3}\nbodies:\n"
          "  q: {joint: hinge, axis: x, inertia: [1, 1, 1], orientation: [0.5, 0.5, 0.5, 0.5]}\n"
          "  s: {joint: hinge, axis: x, inertia: [1, 1, 1],"
          " orientation: {sequence: zyx, angles: [90 deg, 0, 90 deg]}}\n"
          "  f: {joint: hinge, axis: x, inertia: [1, 1, 1],"
          " orientation: {sequence: xyz, angles: [0, 0, a]}}\n"
          "  n: {joint: hinge, axis: x, inertia: [1, 1, 1],"
          " orientation: [0.70710678, 0, 0, 0.70710678]}\n");
    // A third of a turn about (1, 1, 1): x to y, y to z, z to x. The same by 90 deg about z, then
    // 90 deg about the new x.
    static const double cycle[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    for (int k = 0; k < 9; k++) {
        check(model.bodies[0].turn[k], cycle[k]);
        check(model.bodies[1].turn[k], cycle[k]);
    }
    const double about_z[9] = {cos(0.3), -sin(0.3), 0, sin(0.3), cos(0.3), 0, 0, 0, 1};
    for (int k = 0; k < 9; k++)
        assert_true(fabs(value[model.bodies[2].turn[k]] - about_z[k]) < 1e-15);
    assert_true(fabs(value[model.bodies[3].turn[3]] - 1.0) < 1e-15); // made a unit quaternion
}

static void symmetric_inertia_is_one_parameter(void **state)
{
    (void)state;
    parse(HEAD "bodies:\n  w: {joint: hinge, axis: y, axisymmetric: y, mass: 1, "
               "inertia: [0.1, 0.2, 0.1]}\n");
    assert_int_equal(model.bodies[0].inertia[0], model.bodies[0].inertia[2]);
    assert_non_null(find_parameter("w.inertia.xx"));
    assert_null(find_parameter("w.inertia.zz"));
}

static void the_hash_is_that_of_the_text(void **state)
{
    (void)state;
    parse(HEAD "bodies: {b: {joint: prism, axis: x, mass: 1}}\n");
    const uint64_t first = model.hash;
    release(NULL);
    parse(HEAD "bodies: {b: {joint: prism, axis: x, mass: 2}}\n");
    assert_true(model.hash != first && first != 0);
    release(NULL);
    parse(HEAD "bodies: {b: {joint: prism, axis: x, mass: 1}}\n");
    assert_true(model.hash == first);
}

static void shipped_models_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int bodies, coordinates;
    } shipped[] = {
        {"pendulum.yaml", 1, 1}, {"double_pendulum.yaml", 2, 2}, {"spinning_top.yaml", 1, 4},
        {"chain8.yaml", 8, 8},   {"quarter_car.yaml", 2, 2},     {"hmmwv10.yaml", 10, 16},
    };
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
        read_shipped(shipped[i].file);
        int count = 0;
        for (int k = 0; k < model.body_count; k++)
            count += mb_coordinate_count(&model.bodies[k]);
        assert_int_equal(model.body_count, shipped[i].bodies);
        assert_int_equal(count, shipped[i].coordinates);
        assert_true(strncmp(model.name, shipped[i].file, strlen(model.name)) == 0);
        assert_true(model.end > 0.0 && model.step > 0.0);
        release(NULL);
    }
    read_shipped("quarter_car.yaml"); // settled: springs carry the weight
    assert_true(fabs(180e3 * model.bodies[0].start_q[0] + 340 * 9.81) < 1e-9);
    assert_true(fabs(18e3 * model.bodies[1].start_q[0] + 300 * 9.81) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_car_has_its_numbers, release),
        cmocka_unit_test_teardown(the_car_has_its_springs, release),
        cmocka_unit_test_teardown(parameters_are_named_by_place, release),
        cmocka_unit_test_teardown(units_become_si, release),
        cmocka_unit_test_teardown(formulas_follow_their_parameters, release),
        cmocka_unit_test_teardown(formulas_of_motion_keep_their_place, release),
        cmocka_unit_test_teardown(joints_name_their_coordinates, release),
        cmocka_unit_test_teardown(orientations_agree, release),
        cmocka_unit_test_teardown(symmetric_inertia_is_one_parameter, release),
        cmocka_unit_test_teardown(the_hash_is_that_of_the_text, release),
        cmocka_unit_test_teardown(shipped_models_are_read, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
