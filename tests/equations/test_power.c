// test_power.c - energy: d/dt (T + V) along the motion is the power of dampers and loads, exactly.
//
// The rate of the energy is taken symbolically along y' and evaluated in 113 bits, so that the
// balance shows the equations themselves. Energies, lengths and velocities that formulas may use
// are checked against derivatives of positions on the way.
#include "expr/differentiate.h"
#include "mechanism_file/read.h"
#include "equations/assembly.h"
#include "support/derived.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long seed_type;

static void read_model(derived *d, const char *path)
{
    mc_error error = {0};
    *d = (derived){0};
    if (mechanism_read(path, &d->model, &error) != MC_OK)
        fail_msg("%s: %s", path, error.text);
}

static void parse_model(derived *d, const char *text)
{
    mc_error error = {0};
    *d = (derived){0};
    if (mechanism_parse(text, strlen(text), "test", &d->model, &error) != MC_OK)
        fail_msg("line %d: %s", error.line, error.text);
}

// Along y': all that moves.
static expr_direction *along_motion(const derived *d)
{
    expr_graph *g = d->model.graph;
    expr_id *seed = calloc((size_t)expr_input_count(g) + 1, sizeof *seed); // EXPR_ZERO
    assert_non_null(seed);
    for (int i = 0; i < d->system.y_count; i++)
        seed[d->rate->variable[i]] = d->system.rate[i];
    seed[d->rate->variable[mb_at_time(&d->system)]] = EXPR_ONE;
    expr_direction *direction = expr_direction_create(g, seed);
    assert_non_null(direction);
    free(seed);
    return direction;
}

// Start of the file, moved at random; unit quaternions.
static void random_state(derived *d, seed_type *seed)
{
    const mb_system *s = &d->system;
    for (int b = 0; b < d->model.body_count; b++) {
        const mb_body *body = &d->model.bodies[b];
        const bool base = body->joint == MB_FREE && !body->euler;
        double *q = d->x + s->links.body_q[b], *v = d->x + s->q_count + s->links.body_v[b];
        for (int k = 0; k < mb_coordinate_count(body); k++)
            q[k] = body->start_q[k] + sample_uniform(seed, -0.3, 0.3);
        for (int k = 0; k < mb_velocity_count(body); k++)
            v[k] = body->start_v[k] + sample_uniform(seed, -1.5, 1.5);
        if (!base && body->joint != MB_BALL)
            continue;
        q += base ? 3 : 0;
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int k = 0; k < 4; k++)
            q[k] /= length;
    }
    for (int i = 0; i < s->state_count; i++)
        d->x[s->q_count + s->v_count + i] = sample_uniform(seed, 19.0, 22.0);
    d->x[mb_at_time(s)] = sample_uniform(seed, 0.0, 5.0);
    mc_error error = {0};
    if (s->assembly) // loops are closed: the energy is constant where they are
        assert_int_equal(mb_assembly_close(s->assembly, d->x, &error), MC_OK);
}

typedef struct power {
    double rate;  // d/dt (T + V)
    double scale; // the same with the terms of all states counted positive
} power;

static power energy_rate(const derived *d, expr_direction *direction)
{
    expr_graph *g = d->model.graph;
    const int n = d->system.y_count;
    const expr_id energy = expr_add(g, d->system.kinetic, d->system.potential);
    expr_id *nodes = calloc(2 * (size_t)n + 1, sizeof *nodes);
    double *value = calloc(2 * (size_t)n + 1, sizeof *value);
    assert_true(nodes && value);
    assert_int_equal(expr_jacobian(g, &energy, 1, d->rate->variable, n, nodes, NULL), MC_OK);
    memcpy(nodes + n, d->system.rate, (size_t)n * sizeof *nodes);
    nodes[2 * n] = expr_along(direction, energy);
    derived_values(d, nodes, 2 * n + 1, value);
    power p = {.rate = value[2 * n]};
    for (int i = 0; i < n; i++)
        p.scale += fabs(value[i] * value[n + i]);
    free(nodes);
    free(value);
    return p;
}

// ---- without dampers and loads nothing is lost -------------------------------------------------

static void strip(mb_model *m)
{
    for (int i = 0; i < m->body_count; i++) {
        m->bodies[i].damping = EXPR_ZERO;
        m->bodies[i].load.text = NULL;
    }
    for (int i = 0; i < m->spring_count; i++) {
        m->springs[i].damping = EXPR_ZERO;
        m->springs[i].force.text = NULL;
    }
    m->force_count = m->torque_count = 0;
}

static double conserved(derived *d, mb_form form)
{
    strip(&d->model);
    derived_make(d, form);
    expr_direction *direction = along_motion(d);
    double worst = 0.0;
    seed_type seed = 5;
    for (int i = 0; i < 5; i++) {
        random_state(d, &seed);
        const power p = energy_rate(d, direction);
        // Without its forces nothing may act on a model: then what changes is rounding, W.
        worst = fmax(worst, fabs(p.rate) / fmax(p.scale, 1e-3));
    }
    expr_direction_destroy(direction);
    derived_free(d);
    return worst;
}

static void shipped_models_conserve_energy(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob(SOURCE_DIR "/models/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 6);
    for (size_t i = 0; i < files.gl_pathc; i++)
        for (mb_form form = MB_FORM_LAGRANGE; form <= MB_FORM_RECURSIVE; form++) {
            derived d;
            read_model(&d, files.gl_pathv[i]);
            const double worst = conserved(&d, form);
            print_message("%s: %.1e\n", strrchr(files.gl_pathv[i], '/') + 1, worst);
            assert_true(worst < 1e-13);
        }
    globfree(&files);
}

// ---- with them, what they take -----------------------------------------------------------------

static double value_of(const derived *d, expr_id node)
{
    double value;
    derived_values(d, &node, 1, &value);
    return value;
}

// Node of a load that is the name of a parameter or of a variable. False: a formula.
static bool named_load(const derived *d, const char *text, expr_id *node)
{
    const mb_model *m = &d->model;
    for (int i = 0; i < m->parameter_count; i++)
        if (strcmp(m->parameters[i].name, text) == 0) {
            *node = expr_input_node(m->graph, m->parameters[i].input);
            return true;
        }
    for (int i = 0; i < m->variable_count; i++)
        if (strcmp(m->variables[i].name, text) == 0) {
            *node = d->system.variable[i];
            return true;
        }
    return false;
}

// Power of everything that is neither weight nor spring. False: some formula is not plain.
static bool power_of_loads(const derived *d, expr_direction *direction, double *out)
{
    const mb_model *m = &d->model;
    const mb_system *s = &d->system;
    *out = 0.0;
    if (m->force_count || m->torque_count)
        return false;
    for (int i = 0; i < m->body_count; i++) {
        const mb_body *body = &m->bodies[i];
        if (body->joint != MB_HINGE && body->joint != MB_PRISM)
            continue;
        const double rate = d->x[s->q_count + s->links.body_v[i]];
        *out -= value_of(d, body->damping) * rate * rate;
        expr_id load;
        if (body->load.text && !named_load(d, body->load.text, &load))
            return false;
        if (body->load.text)
            *out += value_of(d, load) * rate;
    }
    for (int i = 0; i < m->spring_count; i++) {
        if (m->springs[i].force.text)
            return false;
        const double rate = value_of(d, expr_along(direction, s->spring_length[i]));
        *out -= value_of(d, m->springs[i].damping) * rate * rate;
    }
    return true;
}

static void shipped_models_balance_power(void **state)
{
    (void)state;
    glob_t files;
    int balanced = 0, taking = 0;
    assert_int_equal(glob(SOURCE_DIR "/models/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        derived d;
        read_model(&d, files.gl_pathv[i]);
        derived_make(&d, MB_FORM_CHEAPER);
        expr_direction *direction = along_motion(&d);
        seed_type seed = 9;
        double worst = 0.0, given = 0.0, max = 0.0;
        bool plain = true;
        for (int k = 0; plain && k < 5; k++) {
            random_state(&d, &seed);
            const power p = energy_rate(&d, direction);
            plain = power_of_loads(&d, direction, &given);
            worst = fmax(worst, fabs(p.rate - given) / (p.scale + fabs(given)));
            max = fmax(max, fabs(given) / p.scale);
        }
        const char *name = strrchr(files.gl_pathv[i], '/') + 1;
        print_message("%s: %s %.1e, loads up to %.1e\n", name, plain ? "balance" : "not plain",
                      worst, max);
        if (plain)
            assert_true(worst < 1e-13);
        balanced += plain;
        taking += plain && max > 1e-3;
        expr_direction_destroy(direction);
        derived_free(&d);
    }
    globfree(&files);
    assert_true(balanced >= 6);
    assert_true(taking >= 2);
}

// ---- a mechanism with everything ---------------------------------------------------------------

#define INERT "    inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.04]\n"

static const char everything[] =
    "motorcade: multibody\n"
    "gravity: [0.3, -0.2, -9.81]\n"
    "bodies:\n"
    "  base:\n    joint: free\n    mass: 3\n    com: [0.1, -0.2, 0.3]\n" INERT
    "  arm:\n    inboard: base\n    joint: hinge\n    axis: [0.6, 0, 0.8]\n    at: [0.3, 0.4, "
    "0.1]\n"
    "    mass: 0.8\n    com: [0.2, 0.1, 0]\n" INERT
    "    stiffness: 7\n    rest: 0.3\n    damping: 0.4\n    load: drive\n"
    "  wheel:\n    inboard: arm\n    joint: hinge\n    axis: -y\n    at: [0.1, 0.6, -0.2]\n"
    "    axisymmetric: y\n    mass: 2\n    inertia: [0.2, 0.3, 0.2]\n    damping: 0.2\n"
    "  rack:\n    inboard: base\n    joint: prism\n    axis: -x\n    at: [0.2, 0, -0.3]\n"
    "    mass: 0.6\n    com: [0.1, 0.1, 0.1]\n" INERT
    "    stiffness: 40\n    rest: -0.1\n    damping: 2\n"
    "  pod:\n    inboard: rack\n    joint: ball\n    at: [0.1, 0.5, 0.2]\n    mass: 0.7\n" INERT
    "    com: [0, 0.3, 0.1]\n"
    "  tool:\n    inboard: pod\n    joint: general\n    free: [ty, rx, rz]\n    sequence: zyx\n"
    "    held: {tx: 0.2, ry: 0.4}\n    mass: 0.5\n    com: [0.1, 0.2, 0.3]\n" INERT
    "  stone:\n    joint: free\n    angles: zxz\n    velocity: body\n    mass: 1.5\n" INERT
    "    com: [0.1, 0, 0.1]\n    start: {x: 2, rx: 1}\n"
    "points:\n"
    "  rim: {body: wheel, at: [0.3, 0.1, 0.2]}\n"
    "  roof: {body: base, at: [0.2, 0.1, 0.9]}\n"
    "  post: {body: ground, at: [1, 2, 3]}\n"
    "  tip: {body: tool, at: [0.1, 0.2, 0.3]}\n"
    "  edge: {body: stone, at: [0.3, 0.2, 0.1]}\n"
    "springs:\n"
    "  s1: {from: rim, to: roof, stiffness: 30, damping: 2, length: 0.4}\n"
    "  s2: {from: post, to: tip, stiffness: 20, damping: 1, length: 0.7}\n"
    "  s3: {from: rim, to: tip, stiffness: 25, length: 0.1, damping: 0.5}\n"
    "  s4: {from: edge, to: tip, stiffness: 15, length: 0.2, damping: 1.5}\n"
    "forces:\n"
    "  push: {point: rim, force: [1, -2, 3]}\n"
    "  pull: {point: edge, force: [2, 1, -1]}\n"
    "  thrust: {point: tip, force: [4, -1, 2], in: body}\n"
    "torques:\n"
    "  twist: {body: wheel, torque: [1, 2, 3]}\n"
    "  turn: {body: stone, torque: [3, -1, 2], in: body}\n"
    "variables:\n"
    "  drive: (2 + sin((3 rad/s)*t))*1 N*m\n"
    "  rim_vx: rim.velocity.x\n  rim_vy: rim.velocity.y\n  rim_vz: rim.velocity.z\n"
    "  edge_vx: edge.velocity.x\n  edge_vy: edge.velocity.y\n  edge_vz: edge.velocity.z\n"
    "  tip_vx: tip.velocity.x\n  tip_vy: tip.velocity.y\n  tip_vz: tip.velocity.z\n"
    "  s1_rate: s1.rate\n  s2_rate: s2.rate\n  s3_rate: s3.rate\n  s4_rate: s4.rate\n"
    "  twisting: dot([1, 2, 3], wheel.omega)\n"
    "  turning: 3*dot(stone.omega, stone.x_axis) - dot(stone.omega, stone.y_axis) + "
    "2*dot(stone.omega, stone.z_axis)\n"
    "  thrusting: 4*dot(tip.velocity, tool.x_axis) - dot(tip.velocity, tool.y_axis) + "
    "2*dot(tip.velocity, tool.z_axis)\n";

static expr_id variable(const derived *d, const char *name)
{
    for (int i = 0; i < d->model.variable_count; i++)
        if (strcmp(d->model.variables[i].name, name) == 0)
            return d->system.variable[i];
    fail_msg("no variable %s", name);
    return EXPR_ZERO;
}

static int body_index(const derived *d, const char *name)
{
    for (int i = 0; i < d->model.body_count; i++)
        if (strcmp(d->model.bodies[i].name, name) == 0)
            return i;
    fail_msg("no body %s", name);
    return -1;
}

// Velocities in formulas are derivatives of positions and lengths along the motion.
static void check_velocities(const derived *d, expr_direction *direction)
{
    static const struct {
        const char *point, *names[3];
        int index;
    } points[] = {{"rim", {"rim_vx", "rim_vy", "rim_vz"}, 0},
                  {"edge", {"edge_vx", "edge_vy", "edge_vz"}, 4},
                  {"tip", {"tip_vx", "tip_vy", "tip_vz"}, 3}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        assert_string_equal(d->model.points[points[i].index].name, points[i].point);
        for (int k = 0; k < 3; k++) {
            const expr_id position = d->system.point[3 * points[i].index + k];
            const double want = value_of(d, expr_along(direction, position));
            const double got = value_of(d, variable(d, points[i].names[k]));
            assert_true(fabs(got - want) < 1e-13 * fmax(1.0, fabs(want)));
        }
    }
    static const char *const rates[4] = {"s1_rate", "s2_rate", "s3_rate", "s4_rate"};
    for (int i = 0; i < 4; i++) {
        const double want = value_of(d, expr_along(direction, d->system.spring_length[i]));
        const double got = value_of(d, variable(d, rates[i]));
        assert_true(fabs(got - want) < 1e-13 * fmax(1.0, fabs(want)));
    }
}

static double power_of_everything(const derived *d)
{
    const mb_system *s = &d->system;
    const double *v = d->x + s->q_count;
    const double arm = v[s->links.body_v[body_index(d, "arm")]];
    const double wheel = v[s->links.body_v[body_index(d, "wheel")]];
    const double rack = v[s->links.body_v[body_index(d, "rack")]];
#define VALUE(name) value_of(d, variable(d, name))
    double sum = VALUE("drive") * arm - 0.4 * arm * arm - 0.2 * wheel * wheel - 2 * rack * rack;
    sum += VALUE("rim_vx") - 2 * VALUE("rim_vy") + 3 * VALUE("rim_vz");
    sum += 2 * VALUE("edge_vx") + VALUE("edge_vy") - VALUE("edge_vz");
    sum += VALUE("twisting") + VALUE("turning") + VALUE("thrusting");
    sum -= 2 * pow(VALUE("s1_rate"), 2) + pow(VALUE("s2_rate"), 2);
    sum -= 0.5 * pow(VALUE("s3_rate"), 2) + 1.5 * pow(VALUE("s4_rate"), 2);
#undef VALUE
    return sum;
}

static void everything_balances(void **state)
{
    (void)state;
    for (mb_form form = MB_FORM_LAGRANGE; form <= MB_FORM_RECURSIVE; form++) {
        derived d;
        parse_model(&d, everything);
        derived_make(&d, form);
        expr_direction *direction = along_motion(&d);
        seed_type seed = 4;
        double worst = 0.0, max = 0.0;
        for (int i = 0; i < 5; i++) {
            random_state(&d, &seed);
            const power p = energy_rate(&d, direction);
            const double given = power_of_everything(&d);
            worst = fmax(worst, fabs(p.rate - given) / (p.scale + fabs(given)));
            max = fmax(max, fabs(given) / p.scale);
            check_velocities(&d, direction);
        }
        print_message("everything: balance %.1e, loads up to %.1e\n", worst, max);
        assert_true(worst < 1e-13);
        assert_true(max > 0.01);
        expr_direction_destroy(direction);
        derived_free(&d);
        parse_model(&d, everything);
        assert_true(conserved(&d, form) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_models_conserve_energy),
        cmocka_unit_test(shipped_models_balance_power),
        cmocka_unit_test(everything_balances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
