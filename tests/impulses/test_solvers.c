// test_solvers.c - the solver sequential against the solver direct on the same mechanisms: with
// more sweeps its motion tends to the exact one. Warm start, what it reports, what it rejects.
#include "mechanism_file/read.h"
#include "support/impulse_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static const double g = 9.81;

// Every kind of joint, a spring, a formula, loads.
static const char arm[] =
    "motorcade: multibody\n"
    "bodies:\n"
    "  base: {joint: free, mass: 5, inertia: [0.5, 0.6, 0.7], start: {wz: 0.4, wx: 0.2}}\n"
    "  turn: {inboard: base, joint: hinge, axis: [0.3, 1, 0.2], at: [0.3, 0, 0.2], mass: 2,\n"
    "         com: [0.2, 0.1, 0], inertia: [0.1, 0.2, 0.15], stiffness: 20, damping: 0.5,\n"
    "         start: {angle: 0.3, angle_rate: 1.5}}\n"
    "  slide: {inboard: turn, joint: prism, axis: z, at: [0.4, 0, 0], mass: 1,\n"
    "          inertia: [0.05, 0.05, 0.04], stiffness: 60, start: {travel: 0.05, travel_rate: "
    "0.3}}\n"
    "  ball: {inboard: slide, joint: ball, at: [0, 0.2, 0], mass: 1.5, com: [0, 0.2, 0.1],\n"
    "         inertia: [0.06, 0.05, 0.07], start: {wy: 0.8}}\n"
    "  wrist: {inboard: base, joint: general, free: [tx, rx, ry], at: [-0.3, 0, 0.1], mass: 1,\n"
    "          inertia: [0.05, 0.06, 0.05], start: {rx: 0.2, ry_rate: 0.5}}\n"
    "  stay: {inboard: wrist, joint: fixed, at: [0.1, 0, 0.1], mass: 0.7,\n"
    "         inertia: [0.02, 0.02, 0.03]}\n";

static const char linkage[] =
    "motorcade: multibody\n"
    "bodies:\n"
    "  crank: {joint: hinge, axis: y, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  rod: {inboard: crank, joint: hinge, axis: y, at: [0.2, 0, 0], mass: 1, com: [0.25, 0, 0],\n"
    "        inertia: [0.02, 0.02, 0.02]}\n"
    "  slider: {joint: prism, axis: x, mass: 2, inertia: [0.01, 0.01, 0.01],\n"
    "           start: {travel: 0.7}}\n"
    "points: {end: {body: rod, at: [0.5, 0, 0]}, pin: {body: slider, at: [0, 0, 0]}}\n"
    "joints: {wrist: {joint: ball, from: pin, to: end}}\n"
    "motors: {drive: {body: crank, speed: 10 rad/s, max: 3 N*m}}\n";

#define CART(tyre)                                                                                 \
    "motorcade: multibody\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  frame: {joint: free, mass: 40, inertia: [2, 4, 5], start: {z: 0.35, vx: 3}}\n"              \
    "  front: {inboard: frame, joint: hinge, axis: y, at: [0.5, 0, -0.15], mass: 8,\n"             \
    "          inertia: [0.1, 0.2, 0.1], start: {angle_rate: 15}}\n"                               \
    "  rear: {inboard: frame, joint: hinge, axis: y, at: [-0.5, 0, -0.15], mass: 8,\n"             \
    "         inertia: [0.1, 0.2, 0.1]}\n"                                                         \
    "wheels:\n"                                                                                    \
    "  a: {body: front, at: [0, 0.3, 0], radius: 0.2, friction: 0.6" tyre "}\n"                    \
    "  b: {body: front, at: [0, -0.3, 0], radius: 0.2, friction: 0.6" tyre "}\n"                   \
    "  c: {body: rear, radius: 0.2, friction: 0.6" tyre "}\n"

// The largest difference of coordinates and velocities after some steps of 2 ms.
static double differs(const char *text, int iterations, int count)
{
    const mc_simulate_options exact = {.iterations = 1000, .tolerance = 1e-13};
    const mc_simulate_options swept = {
        .solver = "sequential", .iterations = iterations, .tolerance = 1e-15};
    rig *a = open_rig(text, &exact), *b = open_rig(text, &swept);
    const int n = a->m->system.y_count;
    double worst = 0.0;
    steps(a, 2e-3, count);
    steps(b, 2e-3, count);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a->y[i] - b->y[i]));
    close_rig(a);
    close_rig(b);
    return worst;
}

static void converges(const char *name, const char *text, int few, int many, double to)
{
    const double coarse = differs(text, few, 50), fine = differs(text, many, 50);
    print_message("%s: differs by %.1e after %d sweeps, %.1e after %d\n", name, coarse, few, fine,
                  many);
    assert_true(fine < to);
    assert_true(coarse > 10.0 * fine);
}

static void tends_to_direct(void **state)
{
    (void)state;
    converges("arm", arm, 10, 1000, 1e-9);
    converges("linkage", linkage, 10, 2000, 1e-8);
    converges("cart on rigid wheels", CART(""), 10, 1000, 1e-6);
    converges("cart on tyres", CART(", stiffness: 2e4, damping: 200"), 10, 1000, 1e-6);
}

// A chain at rest: the impulses of the last step are the solution, and one sweep finds nothing to
// change. The uppermost joint carries the weight of all.
static void rest_needs_one_sweep(void **state)
{
    (void)state;
    static const char text[] =
        "motorcade: multibody\n"
        "bodies:\n"
        "  a: {joint: hinge, axis: y, mass: 2, com: [0, 0, -0.2], inertia: [0.1, 0.1, 0.1]}\n"
        "  b: {inboard: a, joint: ball, at: [0, 0, -0.4], mass: 3, com: [0, 0, -0.2],\n"
        "      inertia: [0.1, 0.1, 0.1]}\n"
        "  c: {inboard: b, joint: hinge, axis: x, at: [0, 0, -0.4], mass: 5, com: [0, 0, -0.2],\n"
        "      inertia: [0.1, 0.1, 0.1]}\n"
        "loads: [a, c]\n";
    const mc_simulate_options swept = {.solver = "sequential", .iterations = 3, .tolerance = 1e-10};
    rig *r = open_rig(text, &swept);
    double force[6];
    steps(r, 1e-3, 400);
    const impulse_report *report = impulses_report_of(r->run.engine);
    assert_int_equal(report->iterations, 1);
    assert_true(report->reached <= 1e-10);
    impulses_joint_load(r->run.engine, 0, force);
    assert_true(fabs(force[2] - 10.0 * g) < 1e-4);
    impulses_joint_load(r->run.engine, 2, force);
    assert_true(fabs(force[2] - 5.0 * g) < 1e-4);
    close_rig(r);
}

// Iterations are at most those asked for, and what they reach is reported.
static void reports_what_it_reached(void **state)
{
    (void)state;
    const mc_simulate_options swept = {.solver = "sequential", .iterations = 7, .tolerance = 1e-14};
    rig *r = open_rig(arm, &swept);
    steps(r, 2e-3, 5);
    assert_int_equal(impulses_report_of(r->run.engine)->iterations, 7);
    assert_true(impulses_report_of(r->run.engine)->reached > 1e-14);
    close_rig(r);
}

// The state is one block for this solver too.
static void a_copy_repeats_it(void **state)
{
    (void)state;
    const mc_simulate_options swept = {.solver = "sequential"};
    rig *r = open_rig(arm, &swept);
    double kept[400], end[400];
    const int count = impulses_state_count(r->run.engine);
    assert_true(count <= 400);
    steps(r, 2e-3, 20);
    impulses_save(r->run.engine, kept);
    steps(r, 2e-3, 20);
    impulses_save(r->run.engine, end);
    impulses_restore(r->run.engine, kept);
    steps(r, 2e-3, 20);
    impulses_save(r->run.engine, kept);
    assert_memory_equal(kept, end, (size_t)count * sizeof *kept);
    close_rig(r);
}

static void rejects_bodies_without_inertia(void **state)
{
    (void)state;
    static const char text[] = "motorcade: multibody\n"
                               "bodies: {rod: {joint: hinge, axis: y, mass: 1, com: [0.1, 0, 0],\n"
                               "         inertia: [0, 0.01, 0.01]}}\n";
    const mc_simulate_options swept = {.solver = "sequential"};
    mc_error error = {0};
    impulse_run run;
    mc_multibody *m = mc_multibody_parse(text, "test", NULL, &error);
    assert_non_null(m);
    assert_int_equal(impulse_run_make(m, &swept, &run, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "body rod has no mass, or no inertia about an axis"));
    mc_multibody_free(m);
}

// Words of files and options are those of the table.
static void names_are_found(void **state)
{
    (void)state;
    mc_solver solver;
    mc_error error = {0};
    assert_int_equal(mc_solver_find("sequential", &solver, &error), MC_OK);
    assert_string_equal(solver.name, "sequential");
    assert_int_equal(mc_solver_find("gauss", &solver, &error), MC_BAD_INPUT);
    assert_string_equal(error.text,
                        "unknown solver \"gauss\"; expected one of: direct, sequential");
    for (int k = 0; k < 2; k++) {
        assert_true(mc_solver_at(k, &solver));
        assert_string_equal(solver.name, multibody_solver_words[k]);
    }
    assert_false(mc_solver_at(2, &solver));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tends_to_direct),
        cmocka_unit_test(rest_needs_one_sweep),
        cmocka_unit_test(reports_what_it_reached),
        cmocka_unit_test(a_copy_repeats_it),
        cmocka_unit_test(rejects_bodies_without_inertia),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
