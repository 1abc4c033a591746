// test_slip.c - friction of tyres by their slip in the engine of impulses, against closed forms: a
// braked wheel at constant speed, a locked one that slides, a car that is parked on a slope.
#include "support/impulse_rig.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

static const double g = 9.81, pi = 3.14159265358979323846;

// A wheel of radius 0.3 m under a carrier that is driven at 2 m/s, with a torque about its axis and
// a force across.
static rig *braked(double torque, double across, double end)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: multibody\n"
             "bodies:\n"
             "  cart: {joint: prism, axis: x, mass: 50, inertia: [1, 1, 1],\n"
             "         start: {travel_rate: 2}}\n"
             "  side: {inboard: cart, joint: prism, axis: y, mass: 10, inertia: [1, 1, 1],\n"
             "         load: %g N}\n"
             "  post: {inboard: side, joint: prism, axis: z, mass: 80, inertia: [1, 1, 1],\n"
             "         start: {travel: 0.29}}\n"
             "  wheel: {inboard: post, joint: hinge, axis: y, mass: 20, inertia: [0.4, 0.8, 0.4],\n"
             "          load: %g N*m, start: {angle_rate: 6.6}}\n"
             "motors: {drive: {body: cart, speed: 2 m/s, max: 1e6 N}}\n"
             "wheels: {tyre: {body: wheel, radius: 0.3, friction: 0.8, stiffness: 1e5,\n"
             "         damping: 3e3, slip: 0.05}}\n",
             across, -torque);
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, lround(end / 1e-3));
    return r;
}

// The tyre touches the ground at the height of its hub.
static double height(void)
{
    return 0.3 - 100.0 * g / 1e5;
}

// F = mu N s/sqrt(|s|^2 + s0^2) along the slip: s = s0 F/sqrt((mu N)^2 - F^2).
static void slips_by_its_law(void **state)
{
    (void)state;
    static const double cases[][2] = {{30, 0}, {150, 0}, {-150, 0}, {220, 0}, {90, 400}};
    const double limit = 0.8 * 100.0 * g;
    for (int k = 0; k < 5; k++) {
        rig *r = braked(cases[k][0], cases[k][1], 1.5);
        const double along = cases[k][0] / height(), across = cases[k][1], F = hypot(along, across);
        const double s = 0.05 * F / sqrt(limit * limit - F * F);
        const double spin = (2.0 - s * along / F) / height(), drift = s * across / F;
        assert_true(fabs(*value(r, "wheel.angle_rate") - spin) < 1e-6);
        assert_true(fabs(*value(r, "side.travel_rate") - drift) < 1e-6);
        double force[3];
        impulses_wheel_force(r->run.engine, 0, force);
        assert_true(fabs(force[0] - 100.0 * g) < 1e-3 && fabs(force[1] + along) < 1e-3);
        const impulse_report *report = impulses_report_of(r->run.engine);
        assert_true(report->iterations <= 3 && report->reached <= 1e-8);
        close_rig(r);
    }
}

// More torque than the road holds: the wheel is brought to a stop and turns backwards, sliding.
static void slides_beyond_its_limit(void **state)
{
    (void)state;
    rig *r = braked(300.0, 0.0, 1.0);
    const double before = *value(r, "wheel.angle_rate");
    steps(r, 1e-3, 100);
    const double slip = 2.0 - height() * *value(r, "wheel.angle_rate");
    const double hold = height() * 0.8 * 100.0 * g * slip / hypot(slip, 0.05);
    assert_true(slip > 1.0);
    assert_true(fabs((*value(r, "wheel.angle_rate") - before) / 0.1 - (hold - 300.0) / 0.8) < 0.05);
    close_rig(r);
}

// A car on tyres with its brakes on, 15 degrees: less than 1 mm in an hour after it has settled.
static void parked_on_tyres(void **state)
{
    (void)state;
    char text[2400];
    const double slope = 15.0 * pi / 180.0;
    int at = snprintf(text, sizeof text,
                      "motorcade: multibody\ngravity: [%.15g, 0, %.15g]\nbodies:\n"
                      "  frame: {joint: free, mass: 400, inertia: [40, 90, 100],\n"
                      "          start: {z: 0.44}}\n",
                      g * sin(slope), -g * cos(slope));
    static const char *const names[] = {"fl", "fr", "rl", "rr"};
    for (int k = 0; k < 4; k++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  %s: {inboard: frame, joint: hinge, axis: y, at: [%g, %g, -0.15],\n"
                       "       mass: 10, inertia: [0.2, 0.4, 0.2]}\n",
                       names[k], k < 2 ? 0.8 : -0.8, k % 2 ? -0.5 : 0.5);
    at += snprintf(text + at, sizeof text - (size_t)at, "wheels:\n");
    for (int k = 0; k < 4; k++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  tyre_%s: {body: %s, radius: 0.3, stiffness: 1e5, damping: 4e3}\n",
                       names[k], names[k]);
    at += snprintf(text + at, sizeof text - (size_t)at, "motors:\n");
    for (int k = 0; k < 4; k++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  brake_%s: {body: %s, speed: 0, max: 900}\n", names[k], names[k]);
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, 4000);
    const double from[3] = {*value(r, "frame.x"), *value(r, "frame.y"), *value(r, "frame.z")};
    const double share = series_share() < 1.0 ? 1.0 / 400.0 : 1.0; // 9 s, or an hour
    steps(r, 1e-3, lround(3.6e6 * share));
    const double moved =
        hypot(hypot(*value(r, "frame.x") - from[0], *value(r, "frame.y") - from[1]),
              *value(r, "frame.z") - from[2]);
    print_message("parked on tyres: %.1e m in %.0f s\n", moved, 3600.0 * share);
    assert_true(moved < 1e-3 * share);
    close_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_by_its_law),
        cmocka_unit_test(slides_beyond_its_limit),
        cmocka_unit_test(parked_on_tyres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
