// test_motions.c - jointed motions of the engine of impulses against closed forms: pendulum, top,
// slider-crank, four-bar linkage; the order of the scheme by halving the step, jointed and through
// contact; joints that stay closed and cars that stay parked for an hour.
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

// ---- pendulum ----------------------------------------------------------------------------------

static const char pendulum[] = "motorcade: multibody\n"
                               "bodies:\n"
                               "  p: {joint: hinge, axis: y, mass: 2, com: [0, 0, -0.7],\n"
                               "      inertia: [0.1, 0.15, 0.1], start: {angle: 1.2}}\n";

// The period of a large swing is 4 K(sin(a/2)) / w0, K by the arithmetic-geometric mean.
static double period(double amplitude)
{
    double a = 1.0, b = cos(0.5 * amplitude);
    for (int k = 0; k < 8; k++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * pi / (a * sqrt(2.0 * g * 0.7 / (0.15 + 2.0 * 0.7 * 0.7)));
}

static double after_a_period(int count)
{
    rig *r = open_rig(pendulum, NULL);
    steps(r, period(1.2) / count, count);
    const double off = hypot(*value(r, "p.angle") - 1.2, *value(r, "p.angle_rate"));
    close_rig(r);
    return off;
}

// It is back after a period, with an error of the order of h^2.
static void pendulum_swings_with_its_period(void **state)
{
    (void)state;
    const double coarse = after_a_period(1000), fine = after_a_period(2000);
    print_message("pendulum: off by %.1e, %.1e at half the step\n", coarse, fine);
    assert_true(fine < 2e-5);
    assert_true(coarse / fine > 3.8 && coarse / fine < 4.2);
}

// ---- a spinning top ----------------------------------------------------------------------------

// A top whose axis is level precesses steadily at m g l / (I s).
static double top_after_a_second(double h)
{
    static const char text[] = "motorcade: multibody\n"
                               "bodies: {top: {joint: ball, mass: 3, com: [0.2, 0, 0],\n"
                               "         inertia: [0.04, 0.03, 0.03]}}\n";
    rig *r = open_rig(text, NULL);
    const double spin = 200.0, rate = 3.0 * g * 0.2 / (0.04 * spin);
    *value(r, "top.wx") = spin;
    *value(r, "top.wz") = rate;
    restart(r);
    steps(r, h, lround(1.0 / h));
    const double *pose = r->y; // quaternion
    const double x = 1.0 - 2.0 * (pose[2] * pose[2] + pose[3] * pose[3]);
    const double y = 2.0 * (pose[1] * pose[2] + pose[0] * pose[3]);
    const double z = 2.0 * (pose[1] * pose[3] - pose[0] * pose[2]);
    close_rig(r);
    return hypot(hypot(x - cos(rate), y - sin(rate)), z);
}

static void top_precesses_steadily(void **state)
{
    (void)state;
    const double coarse = top_after_a_second(2e-4), fine = top_after_a_second(1e-4);
    print_message("top: off by %.1e, %.1e at half the step\n", coarse, fine);
    assert_true(fine < 1e-4);
    assert_true(coarse / fine > 3.5 && coarse / fine < 4.5);
}

// ---- linkages ----------------------------------------------------------------------------------

// A crank of 0.2 m driven at 10 rad/s, a rod of 0.5 m, a slider along x.
static const char slider_crank[] =
    "motorcade: multibody\n"
    "bodies:\n"
    "  crank: {joint: hinge, axis: y, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  rod: {inboard: crank, joint: hinge, axis: y, at: [0.2, 0, 0], mass: 1, com: [0.25, 0, 0],\n"
    "        inertia: [0.02, 0.02, 0.02]}\n"
    "  slider: {joint: prism, axis: x, mass: 2, inertia: [0.01, 0.01, 0.01], start: {travel: "
    "0.7}}\n"
    "points: {end: {body: rod, at: [0.5, 0, 0]}, pin: {body: slider, at: [0, 0, 0]}}\n"
    "joints: {wrist: {joint: ball, from: pin, to: end}}\n"
    "motors: {drive: {body: crank, speed: 10 rad/s, max: 1e6 N*m}}\n";

static void slider_follows_its_crank(void **state)
{
    (void)state;
    rig *r = open_rig(slider_crank, NULL);
    *value(r, "crank.angle_rate") = 10.0;
    *value(r, "rod.angle_rate") = -14.0;
    restart(r);
    double worst = 0.0, fastest = 0.0;
    for (int k = 0; k < 2000; k++) {
        steps(r, 1e-3, 1);
        const double a = *value(r, "crank.angle"), s = 0.2 * sin(a);
        const double rod = sqrt(0.25 - s * s), x = 0.2 * cos(a) + rod;
        const double speed = -s - 0.2 * cos(a) * s / rod; // per rad/s of the crank
        worst = fmax(worst, fabs(*value(r, "slider.travel") - x));
        fastest = fmax(
            fastest, fabs(*value(r, "slider.travel_rate") - speed * *value(r, "crank.angle_rate")));
        assert_true(fabs(*value(r, "crank.angle_rate") - 10.0) < 1e-6);
    }
    print_message("slider: off by %.1e m, %.1e m/s\n", worst, fastest);
    assert_true(worst < 1e-10);
    assert_true(fastest < 1e-4); // closing moves places, velocities fit to O(h^2)
    assert_true(fabs(*value(r, "crank.angle") - 20.0) < 0.02);
    close_rig(r);
}

// Crank 0.2, coupler 0.6, rocker 0.5, ground 0.7, freely swinging for an hour: it stays closed.
static void linkage_stays_closed(void **state)
{
    (void)state;
    static const char text[] =
        "motorcade: multibody\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  crank: {joint: hinge, axis: y, mass: 1, com: [0.1, 0, 0], inertia: [0, 0.01, 0.01],\n"
        "          start: {angle: 0, angle_rate: 12}}\n"
        "  coupler: {inboard: crank, joint: hinge, axis: y, at: [0.2, 0, 0], mass: 1,\n"
        "            com: [0.3, 0, 0], inertia: [0, 0.03, 0.03], start: {angle: -0.98}}\n"
        "  rocker: {joint: hinge, axis: y, at: [0.7, 0, 0], mass: 1, com: [0.25, 0, 0],\n"
        "           inertia: [0, 0.02, 0.02], start: {angle: -1.65}}\n"
        "points: {end: {body: coupler, at: [0.6, 0, 0]}, top: {body: rocker, at: [0.5, 0, 0]}}\n"
        "joints: {pin: {joint: ball, from: top, to: end}}\n";
    rig *r = open_rig(text, NULL);
    mc_error error;
    if (mc_multibody_assemble(r->m, 0.0, r->y, &error) != MC_OK)
        fail_msg("%s", error.text);
    restart(r);
    const long count = lround(3600.0 * series_share() / 2e-3);
    double worst = 0.0, reported = 0.0;
    for (long k = 0; k < count; k++) {
        steps(r, 2e-3, 1);
        const double a = *value(r, "crank.angle"), b = a + *value(r, "coupler.angle");
        const double c = *value(r, "rocker.angle");
        worst = fmax(worst, hypot(0.2 * cos(a) + 0.6 * cos(b) - 0.7 - 0.5 * cos(c),
                                  0.2 * sin(a) + 0.6 * sin(b) - 0.5 * sin(c)));
        reported = fmax(reported, impulses_report_of(r->run.engine)->open);
    }
    print_message("four-bar: open by %.1e m after %.0f s; reported %.1e m\n", worst,
                  2e-3 * (double)count, reported);
    assert_true(worst < 1e-8);
    assert_true(reported < 1e-8);
    close_rig(r);
}

// ---- contact -----------------------------------------------------------------------------------

#define CAR                                                                                        \
    "bodies:\n"                                                                                    \
    "  frame: {joint: free, mass: 400, inertia: [40, 90, 100], start: {z: 0.45}}\n"                \
    "  fl: {inboard: frame, joint: hinge, axis: y, at: [0.8, 0.5, -0.15], mass: 10,\n"             \
    "       inertia: [0.2, 0.4, 0.2]}\n"                                                           \
    "  fr: {inboard: frame, joint: hinge, axis: y, at: [0.8, -0.5, -0.15], mass: 10,\n"            \
    "       inertia: [0.2, 0.4, 0.2]}\n"                                                           \
    "  rl: {inboard: frame, joint: hinge, axis: y, at: [-0.8, 0.5, -0.15], mass: 10,\n"            \
    "       inertia: [0.2, 0.4, 0.2]}\n"                                                           \
    "  rr: {inboard: frame, joint: hinge, axis: y, at: [-0.8, -0.5, -0.15], mass: 10,\n"           \
    "       inertia: [0.2, 0.4, 0.2]}\n"                                                           \
    "wheels:\n"                                                                                    \
    "  tyre_fl: {body: fl, radius: 0.3, friction: 0.8%s}\n"                                        \
    "  tyre_fr: {body: fr, radius: 0.3, friction: 0.8%s}\n"                                        \
    "  tyre_rl: {body: rl, radius: 0.3, friction: 0.8%s}\n"                                        \
    "  tyre_rr: {body: rr, radius: 0.3, friction: 0.8%s}\n"

// Brakes on a slope of 15 degrees hold a car: less than 1 mm in an hour.
static void parked_car_stays(void **state)
{
    (void)state;
    char text[2000];
    const double slope = 15.0 * pi / 180.0, share = series_share();
    snprintf(text, sizeof text,
             "motorcade: multibody\ngravity: [%.15g, 0, %.15g]\n" CAR
             "motors: {a: {body: fl, speed: 0, max: 900}, b: {body: fr, speed: 0, max: 900},\n"
             "         c: {body: rl, speed: 0, max: 900}, d: {body: rr, speed: 0, max: 900}}\n",
             g * sin(slope), -g * cos(slope), "", "", "", "");
    rig *r = open_rig(text, NULL);
    steps(r, 1e-3, lround(3.6e6 * share));
    const double moved =
        hypot(hypot(*value(r, "frame.x"), *value(r, "frame.y")), *value(r, "frame.z") - 0.45);
    print_message("parked: %.1e m after %.0f s\n", moved, 3600.0 * share);
    assert_true(moved < 1e-3 * share);
    close_rig(r);
}

// A bump under one side rolls the car to the other, as its mirror image does.
static void bump_on_one_side_rolls(void **state)
{
    (void)state;
    double roll[2];
    for (int k = 0; k < 2; k++) {
        char text[2400];
        const char *tyre = ", stiffness: 1e5, damping: 2e3";
        snprintf(text, sizeof text,
                 "motorcade: multibody\n" CAR
                 "terrain: {features: [{side: %s, from: 1.5, terms: [\n"
                 "  {at: 0, power: 1, scale: 0.1}, {at: 0.5, power: 1, scale: -0.2},\n"
                 "  {at: 1, power: 1, scale: 0.1}]}]}\n",
                 tyre, tyre, tyre, tyre, k == 0 ? "left" : "right");
        rig *r = open_rig(text, NULL);
        *value(r, "frame.vx") = 5.0;
        *value(r, "fl.angle_rate") = *value(r, "fr.angle_rate") = 5.0 / 0.3;
        *value(r, "rl.angle_rate") = *value(r, "rr.angle_rate") = 5.0 / 0.3;
        restart(r);
        roll[k] = 0.0;
        for (int n = 0; n < 800; n++) {
            steps(r, 5e-4, 1);
            const double *q = r->y + 3; // quaternion of the frame
            const double now = 2.0 * (q[0] * q[1] + q[2] * q[3]);
            roll[k] = fabs(now) > fabs(roll[k]) ? now : roll[k];
        }
        close_rig(r);
    }
    print_message("roll %.4f, %.4f rad\n", roll[0], roll[1]);
    assert_true(roll[0] > 0.01); // the left side is lifted
    assert_true(fabs(roll[0] + roll[1]) < 1e-6);
}

// A spinning wheel slides, then rolls: place after 2 s, with an error of the order of h.
static double slid(double h)
{
    static const char text[] = "motorcade: multibody\n"
                               "bodies: {w: {joint: free, mass: 20, inertia: [0.4, 0.7, 0.4],\n"
                               "         start: {z: 0.3, wy: 50}}}\n"
                               "wheels: {tyre: {body: w, radius: 0.3, friction: 0.4}}\n";
    rig *r = open_rig(text, NULL);
    steps(r, h, lround(2.0 / h));
    const double v = 0.7 * 50.0 / (0.7 / 0.3 + 20.0 * 0.3), t = v / (0.4 * g);
    const double off = fabs(*value(r, "w.x") - (0.5 * v * t + v * (2.0 - t)));
    close_rig(r);
    return off;
}

static void contact_is_of_first_order(void **state)
{
    (void)state;
    double coarse = 0.0, fine = 0.0; // means over steps that meet the kink elsewhere
    for (int k = 0; k < 8; k++) {
        const double h = 2.0 / (400 + 7 * k);
        coarse += slid(h) / 8.0;
        fine += slid(0.5 * h) / 8.0;
    }
    print_message("slid: off by %.1e m, %.1e m at half the step\n", coarse, fine);
    assert_true(coarse < 1e-2);
    assert_true(coarse / fine > 1.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_swings_with_its_period),
        cmocka_unit_test(top_precesses_steadily),
        cmocka_unit_test(slider_follows_its_crank),
        cmocka_unit_test(linkage_stays_closed),
        cmocka_unit_test(parked_car_stays),
        cmocka_unit_test(bump_on_one_side_rolls),
        cmocka_unit_test(contact_is_of_first_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
