// test_pairs.c - bodies that touch by their shapes, against closed forms: stacks, slopes, beams on
// supports, rebounds, collisions, a door and its stop; order of accuracy; both solvers.
#include "support/impulse_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double g = 9.81;

#define HEAD "motorcade: multibody\nbodies:\n"
#define BOX                                                                                        \
    "  %s: {joint: free, mass: %.17g, inertia: [0.05, 0.05, 0.05], start: {x: %.17g, y: %.17g, "   \
    "z: %.17g}, shape: {kind: box, size: [0.4, 0.4, 0.4]}}\n"

static double normal_of(const rig *r, int pair)
{
    double force[3];
    impulses_pair_force(r->run.engine, pair, force);
    return force[0];
}

static const mc_simulate_options by_sequence = {
    .solver = "sequential", .iterations = 20000, .tolerance = 1e-10};
static const mc_simulate_options in_box = {.friction = "box"};

// ---- stacks ------------------------------------------------------------------------------------

enum { BOXES = 5 };

// aside: m, each box along y from the one below.
static rig *open_stack(const mc_simulate_options *options, double aside)
{
    char text[4000] = HEAD;
    for (int i = 0; i < BOXES; i++) {
        char name[8];
        snprintf(name, sizeof name, "b%d", i);
        snprintf(text + strlen(text), sizeof text - strlen(text), BOX, name, 1.0 + i, 0.02 * i,
                 aside * i, 0.2 + 0.4 * i);
    }
    strcat(text, "contacts:\n  c0: {bodies: [b0, ground]}\n");
    for (int i = 1; i < BOXES; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  c%d: {bodies: [b%d, b%d]}\n",
                 i, i, i - 1);
    return open_rig(text, options);
}

// Each contact carries what stands on it, and after a minute everything is where it was.
static void stacks_carry_their_weight(void **state)
{
    (void)state;
    static const mc_simulate_options *const all[] = {NULL, &in_box, &by_sequence};
    for (int k = 0; k < 3; k++) {
        rig *r = open_stack(all[k], -0.01);
        double start[RIG_Y_MAX];
        memcpy(start, r->y, sizeof start);
        steps(r, 1e-3, k < 2 ? 60000 : 500);
        for (int i = 0; i < BOXES; i++) {
            double load = 0.0;
            for (int j = i; j < BOXES; j++)
                load += (1.0 + j) * g;
            assert_true(fabs(normal_of(r, i) - load) < 1e-4 * load);
        }
        for (int i = 0; i < 7 * BOXES; i++)
            assert_true(fabs(r->y[i] - start[i]) < 1e-6);
        assert_int_equal(impulses_report_of(r->run.engine)->impacts, 0);
        close_rig(r);
    }
}

// A long box on two others: m g (b - x)/(b - a) and m g (x - a)/(b - a) of its middle at x.
static void beams_share_their_weight(void **state)
{
    (void)state;
    char text[4000];
    static const mc_simulate_options *const all[] = {NULL, &by_sequence};
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 HEAD BOX BOX
                 "  beam: {joint: free, mass: 7, inertia: [0.1, 1, 1], com: [0.25, 0, 0], start: "
                 "{z: 0.65}, shape: {kind: box, size: [3, 0.2, 0.1]}}\n"
                 "  pin_l: {joint: free, mass: 1, inertia: [0.01, 0.01, 0.01], start: {x: -1, z: "
                 "0.5}, shape: {kind: mesh, vertices: [[0, -0.1, 0.1], [0, 0.1, 0.1], [-0.1, -0.1, "
                 "-0.1], [-0.1, 0.1, -0.1], [0.1, -0.1, -0.1], [0.1, 0.1, -0.1]], faces: [[0, 1, "
                 "2]]}}\n"
                 "  pin_r: {joint: free, mass: 1, inertia: [0.01, 0.01, 0.01], start: {x: 1, z: "
                 "0.5}, shape: {kind: mesh, vertices: [[0, -0.1, 0.1], [0, 0.1, 0.1], [-0.1, -0.1, "
                 "-0.1], [-0.1, 0.1, -0.1], [0.1, -0.1, -0.1], [0.1, 0.1, -0.1]], faces: [[0, 1, "
                 "2]]}}\n"
                 "contacts:\n  a: {bodies: [left, ground]}\n  b: {bodies: [right, ground]}\n"
                 "  c: {bodies: [pin_l, left]}\n  d: {bodies: [pin_r, right]}\n"
                 "  e: {bodies: [beam, pin_l]}\n  f: {bodies: [beam, pin_r]}\n",
                 "left", 5.0, -1.0, 0.0, 0.2, "right", 5.0, 1.0, 0.0, 0.2);
        rig *r = open_rig(text, all[k]);
        steps(r, 1e-3, 200);
        const double left = 7.0 * g * 0.375, right = 7.0 * g * 0.625;
        assert_true(fabs(normal_of(r, 4) - left) < 1e-3);
        assert_true(fabs(normal_of(r, 5) - right) < 1e-3);
        assert_true(fabs(normal_of(r, 0) - left - 6.0 * g) < 1e-3);
        assert_true(fabs(normal_of(r, 1) - right - 6.0 * g) < 1e-3);
        close_rig(r);
    }
}

// ---- slopes ------------------------------------------------------------------------------------

// The slope is a fixed wedge that is tilted about y; the box stands on it. Below atan mu it
// sticks, above it slides with g (sin - mu cos).
static rig *open_slope(double angle, double mu, const mc_simulate_options *options)
{
    char text[2000];
    snprintf(text, sizeof text,
             "motorcade: multibody\ngravity: [%.17g, 0, %.17g]\nbodies:\n"
             "  slab: {joint: fixed, mass: 1, inertia: [1, 1, 1], shape: {kind: box, size: [20, 2, "
             "1], at: [0, 0, -0.5]}}\n" BOX
             "contacts: {on: {bodies: [box, slab], friction: %.17g}}\n",
             g * sin(angle), -g * cos(angle), "box", 2.0, 0.0, 0.0, 0.2, mu);
    return open_rig(text, options);
}

static void slopes_hold_and_slide(void **state)
{
    (void)state;
    const double mu = 0.5, limit = atan(mu);
    static const mc_simulate_options *const all[] = {NULL, &in_box, &by_sequence};
    for (int k = 0; k < 3; k++) {
        rig *r = open_slope(limit - 1e-3, mu, all[k]);
        steps(r, 1e-3, 2000);
        assert_true(fabs(*value(r, "box.x")) < 1e-7);
        double force[3];
        impulses_pair_force(r->run.engine, 0, force);
        assert_true(fabs(force[1] + 2.0 * g * sin(limit - 1e-3)) < 1e-4);
        assert_true(fabs(force[0] - 2.0 * g * cos(limit - 1e-3)) < 1e-4);
        close_rig(r);
        const double steep = limit + 0.1, a = g * (sin(steep) - mu * cos(steep));
        r = open_slope(steep, mu, all[k]);
        steps(r, 1e-3, 1000);
        assert_true(fabs(*value(r, "box.vx") - a) < 1e-5);
        assert_true(fabs(*value(r, "box.x") - 0.5 * a) < 1e-5);
        assert_true(fabs(*value(r, "box.z") - 0.2) < 1e-6);
        close_rig(r);
    }
}

// The same on the terrain: a formula of a plane, gravity straight down.
static void terrain_holds_boxes(void **state)
{
    (void)state;
    for (int slides = 0; slides < 2; slides++) {
        const double slope = slides ? 0.6 : 0.45, angle = atan(slope), mu = 0.5;
        const double c = cos(0.5 * angle), s = -sin(0.5 * angle); // about y, uphill
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD "  box: {joint: free, mass: 2, inertia: [0.05, 0.05, 0.05], start: {x: "
                      "%.17g, z: %.17g, qw: %.17g, qy: %.17g}, shape: {kind: box, size: [0.4, 0.4, "
                      "0.4]}}\n"
                      "contacts: {on: {bodies: [ground, box], friction: %g}}\n"
                      "terrain: {features: [{from: 0, terms: [{at: 0, power: 1, scale: %.17g}"
                      "]}]}\n",
                 20.0 - 0.2 * sin(angle), slope * 20.0 + 0.2 * cos(angle), c, s, mu, slope);
        rig *r = open_rig(text, NULL);
        const double x = *value(r, "box.x");
        steps(r, 1e-3, 500);
        const double a = slides ? g * (sin(angle) - mu * cos(angle)) : 0.0;
        assert_true(fabs(*value(r, "box.x") - x + 0.125 * a * cos(angle)) < 1e-5);
        double force[3];
        impulses_pair_force(r->run.engine, 0, force);
        assert_true(fabs(force[0] - 2.0 * g * cos(angle)) < 1e-3);
        close_rig(r);
    }
}

// ---- impacts -----------------------------------------------------------------------------------

// A box that falls flat rises to e^2 of the height each time, on the ground and on another body;
// the energy is booked.
static void boxes_rebound(void **state)
{
    (void)state;
    const double e = 0.7, height = 0.5;
    static const mc_simulate_options *const all[] = {NULL, &by_sequence};
    for (int k = 0; k < 4; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 HEAD "  slab: {joint: fixed, mass: 1, inertia: [1, 1, 1], shape: {kind: box, "
                      "size: [2, 2, 1], at: [0, 0, "
                      "-0.5]}}\n" BOX "contacts: {on: {bodies: [box, %s], restitution: %g}}\n",
                 "box", 3.0, 0.1, 0.0, 0.2 + height, k % 2 ? "slab" : "ground", e);
        rig *r = open_rig(text, all[k / 2]);
        double top = height;
        for (int hit = 1; hit <= 3; hit++) {
            while (impulses_report_of(r->run.engine)->impacts < hit)
                steps(r, 1e-3, 1);
            top *= e * e;
            const double vz = *value(r, "box.vz"), z = *value(r, "box.z") - 0.2;
            assert_true(fabs(z + 0.5 * vz * vz / g - top) < 1e-7);
        }
        const double lost = 3.0 * g * (height - top);
        assert_true(fabs(impulses_report_of(r->run.engine)->lost - lost) < 1e-5);
        close_rig(r);
    }
}

// Two bodies without gravity: momentum stays, energy falls by (1 - e^2)/2 of the reduced mass times
// the square of the speed; off centre too, with friction 0.
static void collisions_keep_momentum(void **state)
{
    (void)state;
    static const mc_simulate_options *const all[] = {NULL, &by_sequence};
    for (int k = 0; k < 4; k++) {
        const double e = 0.4, m1 = 2.0, m2 = 5.0, v1 = 3.0, v2 = -1.0, off = k % 2 ? 0.15 : 0.0;
        char text[2000];
        snprintf(text, sizeof text,
                 "motorcade: multibody\ngravity: [0, 0, 0]\nbodies:\n" BOX BOX
                 "contacts: {hit: {bodies: [a, b], friction: 0.3, restitution: %g}}\n",
                 "a", m1, -1.0, 0.0, 0.0, "b", m2, 1.0, off, off, e);
        rig *r = open_rig(text, all[k / 2]);
        *value(r, "a.vx") = v1, *value(r, "b.vx") = v2;
        restart(r);
        steps(r, 1e-3, 1000);
        assert_true(impulses_report_of(r->run.engine)->impacts >= 1);
        const double p = m1 * *value(r, "a.vx") + m2 * *value(r, "b.vx");
        assert_true(fabs(p - m1 * v1 - m2 * v2) < 1e-12);
        assert_true(fabs(m1 * *value(r, "a.vz") + m2 * *value(r, "b.vz")) < 1e-12);
        const double lost = impulses_report_of(r->run.engine)->lost;
        if (off == 0.0) {
            const double reduced = m1 * m2 / (m1 + m2), u = v1 - v2;
            assert_true(fabs(lost - 0.5 * (1.0 - e * e) * reduced * u * u) < 1e-7);
            assert_true(fabs(*value(r, "b.vx") - *value(r, "a.vx") - e * u) < 1e-8);
        }
        // About the origin: turning and the moment of the momenta.
        double turning = 0.0;
        const char *names[2] = {"a", "b"};
        for (int i = 0; i < 2; i++) {
            char name[4][8];
            for (int x = 0; x < 4; x++)
                snprintf(name[x], sizeof name[x], "%s.%s", names[i],
                         (const char *[]){"x", "z", "vx", "vz"}[x]);
            const double m = i ? m2 : m1;
            turning += m * (*value(r, name[1]) * *value(r, name[2]) -
                            *value(r, name[0]) * *value(r, name[3]));
            snprintf(name[0], sizeof name[0], "%s.wy", names[i]);
            // all inertias are the same, so the axes of the body do not matter to the sum
            if (off == 0.0)
                turning += 0.05 * *value(r, name[0]);
        }
        if (off == 0.0)
            assert_true(fabs(turning - m2 * v2 * off) < 1e-10);
        close_rig(r);
    }
}

// A door swings into a stop that stands on a prism: as the rigid bodies they are,
//     w' = w - P r/I,   v' = P/m,   v' - r w' = e r w   (P: impulse at the arm r).
static void doors_hit_stops(void **state)
{
    (void)state;
    static const mc_simulate_options *const all[] = {NULL, &by_sequence};
    for (int k = 0; k < 2; k++) {
        const double e = 0.5, w = 2.0, inertia = 0.4 + 3.0 * 0.25, m = 2.0;
        rig *r = open_rig("motorcade: multibody\ngravity: [0, 0, 0]\nbodies:\n"
                          "  door: {joint: hinge, axis: z, mass: 3, com: [0.5, 0, 0], inertia: "
                          "[0.4, 0.4, 0.4], shape: {kind: box, size: [1, 0.02, 2], at: [0.5, 0, "
                          "0]}}\n"
                          "  stop: {joint: prism, axis: y, at: [0.8, 0.3, 0], mass: 2, inertia: "
                          "[0.01, 0.01, 0.01], shape: {kind: mesh, vertices: [[0, -0.1, 0.05], [0, "
                          "-0.1, -0.05], [-0.02, 0.1, -0.05], [0.02, 0.1, -0.05], [-0.02, 0.1, "
                          "0.05], [0.02, 0.1, 0.05]], faces: [[0, 1, 2]]}}\n"
                          "contacts: {c: {bodies: [door, stop], friction: 0, restitution: 0.5}}\n",
                          all[k]);
        *value(r, "door.angle_rate") = w;
        restart(r);
        while (impulses_report_of(r->run.engine)->impacts < 1)
            steps(r, 1e-3, 1);
        // Its face y = 0.01 meets the edge at (0.8, 0.2): along n = (-sin a, cos a).
        const double d = hypot(0.8, 0.2), a = atan2(0.2, 0.8) - asin(0.01 / d);
        const double arm = sqrt(d * d - 1e-4), across = cos(a);
        const double P = (1.0 + e) * w * arm / (arm * arm / inertia + across * across / m);
        assert_true(fabs(*value(r, "stop.travel_rate") - P * across / m) < 1e-8);
        assert_true(fabs(*value(r, "door.angle_rate") - (w - P * arm / inertia)) < 1e-8);
        close_rig(r);
    }
}

// ---- order of accuracy, round bodies -----------------------------------------------------------

// A box that stops sliding: v0^2/(2 mu g); the error falls at least as the step.
static void slides_to_a_stop(void **state)
{
    (void)state;
    double error[3];
    for (int k = 0; k < 3; k++) {
        char text[1000];
        snprintf(text, sizeof text, HEAD BOX "contacts: {on: {bodies: [box, ground]}}\n", "box",
                 1.0, 0.0, 0.0, 0.2);
        rig *r = open_rig(text, NULL);
        *value(r, "box.vx") = 2.0;
        restart(r);
        const double h = 7.3e-3 / (1 << k);
        steps(r, h, (long)(1.0 / h));
        error[k] = fabs(*value(r, "box.x") - 4.0 / (2.0 * 0.5 * g));
        close_rig(r);
    }
    assert_true(error[0] < 1e-4);
    assert_true(error[2] < 0.3 * error[0] + 1e-7);
}

// A box that tips over its edge: the angle, against the physical pendulum by small steps.
static void tips_with_order_one(void **state)
{
    (void)state;
    double angle[3];
    for (int k = 0; k < 3; k++) {
        rig *r = open_rig(HEAD "  box: {joint: free, mass: 1, inertia: [0.02, 0.02, 0.02], start: "
                               "{z: 0.5}, shape: {kind: box, size: [0.2, 0.2, 1]}}\n"
                               "contacts: {on: {bodies: [box, ground], friction: 2}}\n",
                          NULL);
        *value(r, "box.wy") = 1.0, *value(r, "box.vx") = 0.5, *value(r, "box.vz") = 0.1;
        restart(r);
        const double h = 2e-3 / (1 << k);
        steps(r, h, 200L << k);
        angle[k] = 2.0 * asin(*value(r, "box.qy"));
        close_rig(r);
    }
    // About the edge: I w^2/2 + m g r cos(at) stays; w = 1 at the start, whose corner was at rest.
    const double rr = 0.26, r0 = sqrt(rr), inertia = 0.02 + rr, at = atan2(0.1, 0.5);
    double a = 0.0, rate = 1.0;
    const double dt = 1e-6;
    for (int i = 0; i < 400000; i++) { // leapfrog, far below the errors looked at
        rate += 0.5 * dt * g * r0 * sin(a - at) / inertia;
        a += dt * rate;
        rate += 0.5 * dt * g * r0 * sin(a - at) / inertia;
    }
    const double first = fabs(angle[0] - a), second = fabs(angle[1] - a);
    const double third = fabs(angle[2] - a);
    if (!(first < 5e-3 && second < 0.6 * first && third < 0.6 * second))
        print_message("tips: %g, errors %g %g %g\n", a, first, second, third);
    assert_true(first < 5e-3 && second < 0.6 * first && third < 0.6 * second);
}

// A cylinder rolls down a slope of the ground without slip: 2/3 of g sin.
static void cylinders_roll(void **state)
{
    (void)state;
    const double angle = 0.2;
    char text[1000];
    snprintf(text, sizeof text,
             "motorcade: multibody\ngravity: [%.17g, 0, %.17g]\nbodies:\n"
             "  roll: {joint: free, mass: 2, inertia: [0.1, 0.09, 0.1], start: {z: 0.3}, shape: "
             "{kind: cylinder, axis: y, radius: 0.3, length: 0.5}}\n"
             "contacts: {on: {bodies: [roll, ground]}}\n",
             g * sin(angle), -g * cos(angle));
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, 1000);
    const double a = 2.0 / 3.0 * g * sin(angle);
    assert_true(fabs(*value(r, "roll.vx") - a) < 1e-3 * a);
    assert_true(fabs(*value(r, "roll.vx") - 0.3 * *value(r, "roll.wy")) < 1e-3);
    assert_true(fabs(*value(r, "roll.z") - 0.3) < 1e-5);
    close_rig(r);
}

// Direct and sequential take the same way: a box is pushed out of a stack, along a plane of
// symmetry. (How four corners of a face share its load is not determined by rigid bodies, and where
// they slide and turn at once it matters.)
static void solvers_agree(void **state)
{
    (void)state;
    double x[2][7 * BOXES];
    for (int k = 0; k < 2; k++) {
        rig *r = open_stack(k ? &by_sequence : NULL, 0.0);
        *value(r, "b2.vx") = 1.0;
        restart(r);
        steps(r, 1e-3, 25);
        memcpy(x[k], r->y, sizeof x[k]);
        close_rig(r);
    }
    double worst = 0.0;
    for (int i = 0; i < 7 * BOXES; i++)
        worst = fmax(worst, fabs(x[0][i] - x[1][i]));
    if (!(worst < 1e-6))
        print_message("solvers differ by %g m\n", worst);
    assert_true(worst < 1e-6);
}

// Pairs that make no sense are rejected, and why is said.
static void bad_pairs_are_rejected(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[a, zz]", "unknown body"}, {"[a, a]", "touch itself"},
        {"[a, c]", "no shape"},      {"[a, b]", "are joined (hinge)"},
        {"[f, ground]", "can move"}, {"[a, f]}, l: {bodies: [f, a]", "already"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1000];
        mc_error error = {0};
        snprintf(text, sizeof text,
                 HEAD
                 "  a: {joint: free, mass: 1, inertia: [1, 1, 1], shape: {kind: box, size: "
                 "[1, 1, 1]}}\n"
                 "  b: {inboard: a, joint: hinge, axis: y, mass: 1, inertia: [1, 1, 1], shape: "
                 "{kind: box, size: [1, 1, 1]}}\n"
                 "  c: {joint: free, mass: 1, inertia: [1, 1, 1]}\n"
                 "  f: {joint: fixed, shape: {kind: box, size: [1, 1, 1]}}\n"
                 "contacts: {k: {bodies: %s}}\n",
                 cases[k][0]);
        assert_null(mc_multibody_parse(text, "test", NULL, &error));
        assert_non_null(strstr(error.text, cases[k][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_carry_their_weight),
        cmocka_unit_test(beams_share_their_weight),
        cmocka_unit_test(slopes_hold_and_slide),
        cmocka_unit_test(terrain_holds_boxes),
        cmocka_unit_test(boxes_rebound),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(doors_hit_stops),
        cmocka_unit_test(slides_to_a_stop),
        cmocka_unit_test(tips_with_order_one),
        cmocka_unit_test(cylinders_roll),
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(bad_pairs_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
