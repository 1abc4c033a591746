// test_contacts.c - wheels on the ground against closed forms: a bouncing wheel, the instant and
// the energy of its impacts, slopes, a parked car, a side slope, a step at speed; limits and
// motors.
#include "support/impulse_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

// ---- a bouncing wheel --------------------------------------------------------------------------

#define WHEEL                                                                                      \
    "motorcade: multibody\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  w: {joint: free, mass: 20, inertia: [0.4, 0.7, 0.4], start: {z: %g, vx: %g, vz: %g, wy: "   \
    "%g}}\n"                                                                                       \
    "wheels: {tyre: {body: w, radius: 0.3, friction: %g, restitution: %g}}\n"

// Falls from 1 m: impacts at sqrt(2 H/g) (1 + 2 e + 2 e^2 + ..), heights e^2, e^4 of it.
static void bounces_as_newton_says(void **state)
{
    (void)state;
    static const double lengths[] = {1e-4, 7e-4, 1e-3, 3.3e-3, 1e-2, 2e-2};
    const double e = 0.8, height = 1.0, first = sqrt(2.0 * height / g);
    char text[800];
    snprintf(text, sizeof text, WHEEL, 1.3, 0.0, 0.0, 0.0, 0.5, e);
    for (int k = 0; k < 6; k++) {
        rig *r = open_rig(text, NULL);
        const double h = lengths[k];
        double flight = first, ballistic = first; // s, until the impact to come
        for (int hit = 1; hit <= 3; hit++) {
            // The step after the impact: from place and velocity, the instant it happened.
            while (impulses_report_of(r->run.engine)->impacts < hit)
                steps(r, h, 1);
            const double t = impulses_time(r->run.engine), up = pow(e, hit) * g * first;
            const double vz = *value(r, "w.vz"), since = (up - vz) / g;
            assert_true(fabs(t - since - ballistic) < 1e-9);
            const double top = *value(r, "w.z") - 0.3 + 0.5 * vz * vz / g;
            assert_true(fabs(top - height * pow(e, 2 * hit)) < 1e-9);
            flight = 2.0 * up / g;
            ballistic += flight;
        }
        const double lost = impulses_report_of(r->run.engine)->lost;
        assert_true(fabs(lost - 20.0 * g * height * (1.0 - pow(e, 6.0))) < 1e-6);
        close_rig(r);
    }
}

// Restitution 1.5: leaves 1.5 times as fast as it came, and the energy is booked as gained.
static void gains_where_restitution_exceeds_one(void **state)
{
    (void)state;
    char text[800];
    snprintf(text, sizeof text, WHEEL, 0.5, 0.0, -2.0, 0.0, 0.0, 1.5);
    rig *r = open_rig(text, NULL);
    const double in = sqrt(4.0 + 2.0 * g * 0.2);
    while (impulses_report_of(r->run.engine)->impacts < 1)
        steps(r, 1e-3, 1);
    const double vz = *value(r, "w.vz"), rise = *value(r, "w.z") - 0.3;
    assert_true(fabs(sqrt(vz * vz + 2.0 * g * rise) - 1.5 * in) < 1e-9);
    const double gained = 0.5 * 20.0 * in * in * 1.25;
    assert_true(fabs(impulses_report_of(r->run.engine)->gained - gained) < 1e-8 * gained);
    assert_true(impulses_report_of(r->run.engine)->lost == 0.0);
    close_rig(r);
    // The same by a spot of the terrain, which decides; beside it the ground takes all speed.
    for (int k = 0; k < 2; k++) {
        const int size = snprintf(text, sizeof text, WHEEL, 0.5, 0.0, -2.0, 0.0, 0.0, 0.3);
        snprintf(text + size, sizeof text - (size_t)size,
                 "terrain: {restitution: 0, spots: [{from: %g, to: %g, restitution: 1.5}]}\n",
                 k ? 1.0 : -1.0, k ? 2.0 : 1.0);
        r = open_rig(text, NULL);
        while (impulses_report_of(r->run.engine)->impacts < 1)
            steps(r, 1e-3, 1);
        const double v = *value(r, "w.vz"), z = *value(r, "w.z") - 0.3;
        const impulse_report *seen = impulses_report_of(r->run.engine);
        assert_true(fabs(sqrt(v * v + 2.0 * g * fmax(z, 0.0)) - (k ? 0.0 : 1.5 * in)) < 1e-6);
        assert_true(fabs(seen->gained - (k ? 0.0 : gained)) < 1e-8 * gained);
        close_rig(r);
    }
}

// A wheel put down spinning slides, then rolls: v = r w = I w0 / (I / r + m r).
static void slides_then_rolls(void **state)
{
    (void)state;
    char text[800];
    snprintf(text, sizeof text, WHEEL, 0.3, 0.0, 0.0, 50.0, 0.4, 0.0);
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, 100);
    assert_true(fabs(*value(r, "w.vx") - 0.4 * g * 0.1) < 1e-5); // full friction
    steps(r, 1e-3, 2900);
    const double rolling = 0.7 * 50.0 / (0.7 / 0.3 + 20.0 * 0.3);
    assert_true(fabs(*value(r, "w.vx") - rolling) < 1e-5);
    assert_true(fabs(*value(r, "w.wy") * 0.3 - rolling) < 1e-5);
    close_rig(r);
}

// ---- slopes ------------------------------------------------------------------------------------

// A sledge on three locked wheels; the slope is in the direction of gravity.
static void sledge(char *text, size_t size, double along, double across, double friction)
{
    const double down = sqrt(g * g - along * along - across * across);
    snprintf(text, size,
             "motorcade: multibody\n"
             "gravity: [%.15g, %.15g, %.15g]\n"
             "bodies:\n"
             "  s: {joint: free, mass: 100, inertia: [10, 20, 25], start: {z: 0.5}}\n"
             "wheels:\n"
             "  a: {body: s, at: [1, 0.5, -0.2], radius: 0.3, friction: %g}\n"
             "  b: {body: s, at: [1, -0.5, -0.2], radius: 0.3, friction: %g}\n"
             "  c: {body: s, at: [-1, 0, -0.2], radius: 0.3, friction: %g}\n",
             along, across, -down, friction, friction, friction);
}

static void sticks_and_slips_by_its_slope(void **state)
{
    (void)state;
    char text[1200];
    const double slope = 0.3; // rad; tan = 0.309
    sledge(text, sizeof text, g * sin(slope), 0.0, 0.35);
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, 2000);
    assert_true(fabs(*value(r, "s.x")) < 1e-7);
    close_rig(r);
    sledge(text, sizeof text, g * sin(slope), 0.0, 0.2);
    r = open_rig(text, NULL);
    steps(r, 1e-3, 1000);
    const double a = g * (sin(slope) - 0.2 * cos(slope));
    assert_true(fabs(*value(r, "s.vx") - a) < 1e-5);
    close_rig(r);
}

// Down a slope at 45 degrees to the wheels a box holds sqrt(2) times as much as a cone.
static void box_holds_more_than_cone(void **state)
{
    (void)state;
    const double slope = 0.4, friction = 0.35, part = g * sin(slope) / sqrt(2.0);
    char text[1200];
    sledge(text, sizeof text, part, part, friction);
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, 500);
    const double a = g * (sin(slope) - friction * cos(slope)); // tan = 0.42 > 0.35: it slips
    assert_true(fabs(hypot(*value(r, "s.vx"), *value(r, "s.vy")) - 0.5 * a) < 1e-4);
    close_rig(r);
    const mc_simulate_options box = {.friction = "box"};
    r = open_rig(text, &box);
    steps(r, 1e-3, 500);
    assert_true(hypot(*value(r, "s.x"), *value(r, "s.y")) < 1e-6); // 0.42 < 0.35 sqrt(2): it holds
    close_rig(r);
}

// Loads of the wheels across a slope of 10 degrees: the lever rule.
static void side_slope_loads_the_lower_wheels(void **state)
{
    (void)state;
    const double slope = 10.0 * acos(-1.0) / 180.0, weight = 100.0 * g;
    char text[1200];
    sledge(text, sizeof text, 0.0, g * sin(slope), 0.8);
    rig *r = open_rig(text, NULL);
    double force[3][3];
    steps(r, 1e-3, 200);
    for (int w = 0; w < 3; w++)
        impulses_wheel_force(r->run.engine, w, force[w]);
    // Half on c; a is the lower one: about the line between the front wheels' tracks.
    const double front = 0.5 * weight * cos(slope);
    const double moment = weight * sin(slope) * 0.5; // centre 0.5 m above the ground
    assert_true(fabs(force[2][0] - front) < 1e-3);
    assert_true(fabs(force[0][0] - (0.5 * front + moment)) < 1e-3);
    assert_true(fabs(force[1][0] - (0.5 * front - moment)) < 1e-3);
    close_rig(r);
}

// ---- limits and motors -------------------------------------------------------------------------

static void motor_and_limit_hold(void **state)
{
    (void)state;
    static const char text[] = "motorcade: multibody\n"
                               "bodies:\n"
                               "  arm: {joint: hinge, axis: y, mass: 2, com: [1, 0, 0],\n"
                               "        inertia: [0.1, 0.2, 0.2]}\n"
                               "  disc: {joint: hinge, axis: z, mass: 1, inertia: [1, 1, 2]}\n"
                               "limits: {stop: {body: arm, max: 0.5 rad}}\n"
                               "motors: {drive: {body: disc, speed: 3 rad/s, max: 4 N*m}}\n";
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, 1000);
    assert_true(fabs(*value(r, "disc.angle_rate") - 2.0) < 1e-9); // 4 N m on 2 kg m2 for 1 s
    steps(r, 1e-3, 2000);
    assert_true(fabs(*value(r, "disc.angle_rate") - 3.0) < 1e-9);
    assert_true(fabs(*value(r, "arm.angle") - 0.5) < 1e-9);
    assert_true(fabs(*value(r, "arm.angle_rate")) < 1e-9);
    close_rig(r);
}

// A limit that is far from its end and a motor do nothing in an impact: the wheel stops, the frame
// on its slide falls on.
static void impact_does_not_meet_far_limits(void **state)
{
    (void)state;
    static const char text[] =
        "motorcade: multibody\n"
        "bodies:\n"
        "  f: {joint: free, mass: 30, inertia: [3, 3, 3], start: {z: 1.5, vz: -2}}\n"
        "  w: {inboard: f, joint: prism, axis: z, at: [0, 0, -1], mass: 5, inertia: [1, 1, 1]}\n"
        "limits: {stop: {body: w, min: -1, max: 0.3}}\n"
        "wheels: {tyre: {body: w, radius: 0.3}}\n";
    rig *r = open_rig(text, NULL);
    while (impulses_report_of(r->run.engine)->impacts < 1)
        steps(r, 1e-3, 1);
    const double t = impulses_time(r->run.engine);
    assert_true(fabs(*value(r, "f.vz") + 2.0 + g * t) < 1e-9);
    assert_true(fabs(*value(r, "f.vz") + *value(r, "w.travel_rate")) < 1e-6); // the wheel rests
    close_rig(r);
}

// ---- terrain -----------------------------------------------------------------------------------

// A step of 0.1 m met by its corner where the wheel's circle touches it: never missed.
static void step_edge_is_met_at_any_speed(void **state)
{
    (void)state;
    static const double speeds[] = {2, 13, 60};
    for (int k = 0; k < 3; k++)
        for (double h = 1e-3; h < 0.025; h *= 4.0) {
            char text[900];
            snprintf(
                text, sizeof text,
                WHEEL
                "gravity: [0, 0, 0]\n"
                "terrain: {restitution: 0.5, features: [{terms: [{at: 0, power: 0, scale: 0.1}], "
                "from: 1.7}]}\n",
                0.31, speeds[k], 0.0, 0.0, 0.0, 0.0);
            rig *r = open_rig(text, NULL);
            const double touch = 1.7 - sqrt(0.09 - 0.21 * 0.21); // centre 0.21 m above the edge
            while (impulses_report_of(r->run.engine)->impacts < 1 && r->y[0] < 3.0)
                steps(r, h, 1);
            assert_true(impulses_report_of(r->run.engine)->impacts >= 1);
            // At the instant of the impact it was at the edge.
            const double t = impulses_time(r->run.engine);
            assert_true(touch / speeds[k] <= t + 1e-9 && touch / speeds[k] >= t - h - 1e-9);
            assert_true(r->y[2] >= 0.3 - 1e-6);
            close_rig(r);
        }
}

// The state is one block: a run from a copy repeats bit for bit.
static void a_copy_repeats_it(void **state)
{
    (void)state;
    char text[800];
    snprintf(text, sizeof text, WHEEL, 0.5, 1.0, 0.0, 3.0, 0.4, 0.6);
    rig *r = open_rig(text, NULL);
    const int count = impulses_state_count(r->run.engine);
    double *kept = calloc((size_t)count, sizeof *kept), *end = calloc((size_t)count, sizeof *end);
    steps(r, 1e-3, 300);
    impulses_save(r->run.engine, kept);
    steps(r, 1e-3, 500);
    impulses_save(r->run.engine, end);
    impulses_restore(r->run.engine, kept);
    steps(r, 1e-3, 500);
    impulses_save(r->run.engine, kept);
    assert_memory_equal(kept, end, (size_t)count * sizeof *kept);
    free(kept);
    free(end);
    close_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_as_newton_says),
        cmocka_unit_test(gains_where_restitution_exceeds_one),
        cmocka_unit_test(slides_then_rolls),
        cmocka_unit_test(sticks_and_slips_by_its_slope),
        cmocka_unit_test(box_holds_more_than_cone),
        cmocka_unit_test(side_slope_loads_the_lower_wheels),
        cmocka_unit_test(motor_and_limit_hold),
        cmocka_unit_test(impact_does_not_meet_far_limits),
        cmocka_unit_test(step_edge_is_met_at_any_speed),
        cmocka_unit_test(a_copy_repeats_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
