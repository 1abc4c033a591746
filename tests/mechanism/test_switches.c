// test_switches.c - joints and constraints that switch: stops, latches and releases against closed
// forms, by every integrator; impacts of several at once; conditions that chatter.
#include "motorcade/simulate.h"

#include "mechanism/mechanism.h"
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "motorcade: multibody\nname: test\n"
static const double g = 9.81;

enum { EVENTS = 64, Y_MAX = 16 };

typedef struct seen {
    mc_simulate_event event[EVENTS];
    int count;
    double y[Y_MAX];
    mc_simulate_report report;
    mc_status status;
    mc_error error;
} seen;

static void see(void *context, const mc_simulate_event *event)
{
    seen *s = context;
    if (s->count < EVENTS)
        s->event[s->count] = *event;
    s->count++;
}

static mc_multibody *load(const char *text)
{
    mc_error error = {0};
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("line %d: %s", error.line, error.text);
    return m;
}

static seen try(mc_multibody *m, const char *name, double end)
{
    seen s = {0};
    mc_method method;
    assert_int_equal(mc_method_find(name, &method, NULL), MC_OK);
    mc_simulate_options o = {.end = end, .step = end / 10, .method = name};
    o.rtol = method.adaptive ? 1e-10 : 0.0;
    o.fixed_step = method.adaptive ? 0.0 : end / (method.order == 1 ? 100000 : 1000);
    const mc_simulate_output output = {.event = see, .context = &s};
    mc_multibody_start(m, s.y);
    s.status = mc_simulate(m, &o, s.y, &output, NULL, &s.report, &s.error);
    return s;
}

static seen run_well(mc_multibody *m, const char *name, double end)
{
    const seen s = try(m, name, end);
    if (s.status != MC_OK)
        fail_msg("%s: %s", name, s.error.text);
    return s;
}

// What a method may be off by.
static double allowed(const mc_method *method)
{
    static const double by_order[] = {0, 2e-3, 1e-4, 1e-6, 1e-7};
    return method->adaptive ? 1e-7 : by_order[method->order < 4 ? method->order : 4];
}

static void near(const char *what, const char *method, double is, double want, double tolerance)
{
    if (!(fabs(is - want) <= tolerance))
        fail_msg("%s by %s: %.12g, expected %.12g", what, method, is, want);
}

static double total(mc_multibody *m, const double *y)
{
    double out[64];
    mc_multibody_outputs(m, 0.0, y, out);
    return out[2]; // no variables
}

// ---- stops -------------------------------------------------------------------------------------

// A mass falls from 1 m: t = sqrt(2 h/g), impulse m v, lost m v^2/2 = m g h; it stays.
static void mass_falls_on_a_stop(void **state)
{
    (void)state;
    mc_multibody *m =
        load(HEAD "bodies: {ball: {joint: prism, axis: z, mass: 2, start: {travel: 1}}}\n"
                  "constraints:\n"
                  "  ground_stop: {position: ball.travel, on_when: ball.travel <= 0,\n"
                  "          off_when: ground_stop.load < 0}\n");
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++) {
        const seen s = run_well(m, method.name, 1.0);
        const double e = allowed(&method), v = sqrt(2.0 * g);
        assert_int_equal(s.count, 1);
        assert_true(s.event[0].on);
        assert_string_equal(s.event[0].name, "ground_stop");
        near("time", method.name, s.event[0].t, sqrt(2.0 / g), e);
        near("impulse", method.name, s.event[0].impulse, 2.0 * v, 20 * e);
        near("energy", method.name, s.event[0].energy, 2.0 * g, 100 * e);
        near("balance", method.name, s.report.switched, 2.0 * g, 100 * e);
        near("height", method.name, s.y[0], 0.0, 1e-14);
        near("speed", method.name, s.y[1], 0.0, 1e-13);
        if (method.adaptive)
            assert_true(s.report.energy_change < 1e-7); // with what was lost it is conserved
    }
    mc_multibody_free(m);
}

// A rod falls about its hinge on a stop below: J w, J w^2/2.
static void pendulum_hits_a_stop(void **state)
{
    (void)state;
    mc_multibody *m =
        load(HEAD "bodies: {rod: {joint: hinge, axis: y, mass: 3, com: [0, 0, -0.5],\n"
                  "  inertia: [0.25, 0.25, 0.01], start: {angle: 60 deg}}}\n"
                  "constraints:\n"
                  "  stop: {position: rod.angle + 0.1 rad, on_when: rod.angle <= -0.1 rad,\n"
                  "         off_when: stop.load < 0}\n");
    const double J = 0.25 + 3.0 * 0.25;
    const double lost = 3.0 * g * 0.5 * (cos(0.1) - cos(M_PI / 3));
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++) {
        const seen s = run_well(m, method.name, 0.7);
        const double e = allowed(&method);
        assert_true(s.count >= 1);
        near("impulse", method.name, s.event[0].impulse, sqrt(2.0 * J * lost), 20 * e);
        near("energy", method.name, s.event[0].energy, lost, 100 * e);
        // Gravity pulls it back at once: the stop cannot hold it.
        assert_true(s.count == 2 && !s.event[1].on);
        near("release", method.name, s.event[1].t, s.event[0].t, 1e-12);
    }
    mc_multibody_free(m);
}

// Two rods, the second cannot bend backwards: with M = [A B; B C] of the angles, the impulse is
// -v2 / (M^-1)_22 and v1 changes by what conserves its momentum.
static void knee_locks(void **state)
{
    (void)state;
    mc_multibody *m = load(
        HEAD
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  thigh: {joint: hinge, axis: y, mass: 8, com: [0, 0, -0.2],\n"
        "          inertia: [0.1, 0.1, 0.01], start: {angle: 0.3, angle_rate: 1}}\n"
        "  shank: {inboard: thigh, joint: hinge, at: [0, 0, -0.4], axis: y, mass: 4,\n"
        "          com: [0, 0, -0.15], inertia: [0.05, 0.05, 0.01],\n"
        "          start: {angle: -0.2, angle_rate: 3}}\n"
        "constraints:\n"
        "  knee: {position: shank.angle, on_when: shank.angle >= 0, off_when: knee.load > 0}\n");
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++) {
        const seen s = run_well(m, method.name, 0.2);
        const double e = allowed(&method);
        assert_true(s.count >= 1 && s.event[0].on);
        // Straight: M about the hinge and the knee.
        const double C = 0.05 + 4.0 * 0.15 * 0.15, B = C + 4.0 * 0.4 * 0.15;
        const double A = 0.1 + 8.0 * 0.04 + 4.0 * 0.16 + C + 2.0 * 4.0 * 0.4 * 0.15;
        // Momentum about the hinge stays: A w1 + B w2 = (A) w1+, and so does the energy until then.
        const double c = cos(-0.2), B0 = C + 4.0 * 0.4 * 0.15 * c;
        const double A0 = 0.1 + 8.0 * 0.04 + 4.0 * 0.16 + C + 2.0 * 4.0 * 0.4 * 0.15 * c;
        const double p = A0 * 1.0 + B0 * 3.0, E = 0.5 * (A0 + 2.0 * B0 * 3.0 + 9.0 * C);
        // A w1 + B w2 = p and A w1^2 + 2 B w1 w2 + C w2^2 = 2 E: w2 before the impact.
        const double w2 = sqrt((2.0 * E - p * p / A) / (C - B * B / A));
        near("impulse", method.name, s.event[0].impulse, -w2 * (C - B * B / A), 20 * e);
        near("energy", method.name, s.event[0].energy, E - 0.5 * p * p / A, 20 * e);
        near("speed", method.name, s.y[2], p / A, 20 * e);
        assert_true(fabs(s.y[1]) < 1e-13 && fabs(s.y[3]) < 1e-12);
    }
    mc_multibody_free(m);
}

// ---- latches and releases ----------------------------------------------------------------------

// m1 runs into m2 and stays: momentum is kept, the reduced mass loses its energy.
static void latch_catches(void **state)
{
    (void)state;
    mc_multibody *m = load(HEAD "bodies:\n"
                                "  a: {joint: prism, axis: x, mass: 3, start: {travel_rate: 2}}\n"
                                "  b: {joint: prism, axis: x, mass: 5, start: {travel: 1}}\n"
                                "joints:\n"
                                "  hook: {joint: point_in_plane, from: a, to: b, axis: x,\n"
                                "         on_when: a.travel >= b.travel}\n");
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++) {
        const seen s = run_well(m, method.name, 1.0);
        const double e = allowed(&method), reduced = 15.0 / 8.0;
        assert_int_equal(s.count, 1);
        near("time", method.name, s.event[0].t, 0.5, e);
        near("impulse", method.name, fabs(s.event[0].impulse), reduced * 2.0, 1e-12);
        assert_string_equal(s.event[0].impulse_unit, "kg m/s");
        near("energy", method.name, s.event[0].energy, 0.5 * reduced * 4.0, 1e-12);
        near("speed", method.name, s.y[2], 6.0 / 8.0, 1e-13);
        near("place", method.name, s.y[0], 1.0 + 0.5 * 0.75, 2 * e);
        near("momentum", method.name, 3.0 * s.y[2] + 5.0 * s.y[3], 6.0, 1e-12);
    }
    mc_multibody_free(m);
}

// On a support that moves as a sin(w t): off where a w^2 sin(w t) = g, then ballistic.
static void support_is_left(void **state)
{
    (void)state;
    mc_multibody *m =
        load(HEAD "parameters: {a: 0.05 m, w: 20 rad/s}\n"
                  "bodies: {box: {joint: prism, axis: z, mass: 2, start: {travel_rate: 1}}}\n"
                  "constraints:\n"
                  "  desk: {position: box.travel - a*sin(w*t),\n"
                  "          on_when: box.travel <= a*sin(w*t), off_when: desk.load < 0}\n");
    const double t = asin(g / (0.05 * 400.0)) / 20.0, end = 0.13;
    const double z = 0.05 * sin(20.0 * t), v = cos(20.0 * t);
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++) {
        const seen s = run_well(m, method.name, end);
        const double e = allowed(&method);
        assert_int_equal(s.count, 1);
        assert_true(!s.event[0].on && s.event[0].impulse == 0.0 && s.event[0].energy == 0.0);
        near("time", method.name, s.event[0].t, t, e);
        near("height", method.name, s.y[0], z + v * (end - t) - 0.5 * g * (end - t) * (end - t), e);
    }
    // And it lands again.
    const seen s = run_well(m, "dop853", 0.5);
    assert_true(s.count > 2 && s.event[1].on && s.event[1].impulse > 0.0);
    mc_multibody_free(m);
}

static void release_by_time_and_load(void **state)
{
    (void)state;
    mc_multibody *m =
        load(HEAD "bodies: {ball: {joint: prism, axis: z, mass: 2, start: {travel: 1}}}\n"
                  "constraints: {hook: {velocity: ball.travel_rate, off_when: t >= 0.25 s}}\n");
    seen s = run_well(m, "dopri5", 1.0);
    assert_int_equal(s.count, 1);
    near("time", "dopri5", s.event[0].t, 0.25, 2e-12);
    near("height", "dopri5", s.y[0], 1.0 - 0.5 * g * 0.5625, 1e-9);
    mc_multibody_free(m);
    // A thread of 1 m, a mass let go level: its load is 3 m g cos(angle from below), the part of
    // it along z has one more cos. Where it breaks the mass flies on along the tangent.
    m = load(HEAD "bodies: {bob: {joint: free, mass: 1, inertia: [1, 1, 1], start: {x: 1}}}\n"
                  "joints:\n"
                  "  thread: {joint: distance, from: ground, to: bob, length: 1,\n"
                  "           off_when: thread.force_z > 20 N}\n");
    s = run_well(m, "dop853", 0.8);
    assert_true(s.count == 1 && !s.event[0].on);
    const double c = sqrt(20.0 / (3.0 * g)), v = sqrt(2.0 * g * c), time = 0.8 - s.event[0].t;
    near("x", "dop853", s.y[0], sqrt(1.0 - c * c) - v * c * time, 1e-7);
    near("z", "dop853", s.y[2], -c - v * sqrt(1.0 - c * c) * time - 0.5 * g * time * time, 1e-7);
    mc_multibody_free(m);
}

// ---- several at once ---------------------------------------------------------------------------

#define ROD(right)                                                                                 \
    HEAD "bodies: {rod: {joint: general, free: [tz, ry], mass: 6, inertia: [0.01, 0.5, 0.5],\n"    \
         "  start: {tz: 0.2, %s}}}\n"                                                              \
         "points:\n"                                                                               \
         "  left: {body: rod, at: [-0.5, 0, 0]}\n"                                                 \
         "  right: {body: rod, at: [" right ", 0, 0]}\n"                                           \
         "constraints:\n"                                                                          \
         "  foot: {position: left.position.z, on_when: left.position.z <= 0,\n"                    \
         "         off_when: foot.load < 0}\n"                                                     \
         "  heel: {position: right.position.z, on_when: right.position.z <= 0,\n"                  \
         "         off_when: heel.load < 0}\n"

// Flat on two stops at once: each takes half.
static void lands_flat(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, ROD("0.5"), "ry: 0");
    mc_multibody *m = load(text);
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++) {
        const seen s = run_well(m, method.name, 0.5);
        const double v = sqrt(2.0 * g * 0.2), e = allowed(&method);
        if (s.count != 2)
            for (int k = 0; k < s.count; k++)
                print_message("%.17g %s %d %g\n", s.event[k].t, s.event[k].name, s.event[k].on,
                              s.event[k].impulse);
        assert_int_equal(s.count, 2);
        for (int k = 0; k < 2; k++) {
            assert_true(s.event[k].on);
            near("impulse", method.name, s.event[k].impulse, 3.0 * v, 60 * e);
        }
        assert_true(fabs(s.y[0]) < 1e-13 && fabs(s.y[1]) < 1e-13);
    }
    mc_multibody_free(m);
}

// A rod turns about its left end until its middle, not its right end, is stopped: the left end
// would have to be pulled down and leaves; the rod turns on about its middle with the same rate.
static void foot_leaves_at_an_impact(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, ROD("0"), "ry: 0, tz_rate: 0");
    mc_multibody *m = load(text);
    mc_error error = {0};
    seen s = {0};
    const mc_simulate_output output = {.event = see, .context = &s};
    const mc_simulate_options o = {.end = 0.3, .step = 0.01, .rtol = 1e-10};
    // y: tz, ry, tz', ry'. Left end on its stop, turned up by 0.1 rad.
    double y[4] = {0.5 * sin(0.1), -0.1, 0.0, 0.0};
    assert_int_equal(mc_simulate(m, &o, y, &output, NULL, &s.report, &error), MC_OK);
    assert_true(s.count >= 2);
    assert_string_equal(s.event[0].name, "foot");
    assert_false(s.event[0].on);
    assert_string_equal(s.event[1].name, "heel");
    assert_true(s.event[1].on && s.event[0].t == s.event[1].t);
    // Fall about the left end: J w^2/2 = m g h, J = 0.5 + 6/4.
    const double w = sqrt(2.0 * 6.0 * g * 0.5 * sin(0.1) / 2.0);
    near("impulse", "dop853", s.event[1].impulse, 6.0 * 0.5 * w, 1e-6);
    near("rate", "dop853", y[3], w, 1e-6);
    mc_multibody_free(m);
}

// ---- what goes wrong ---------------------------------------------------------------------------

static void chattering_is_reported(void **state)
{
    (void)state;
    mc_multibody *m = load(HEAD "bodies: {ball: {joint: prism, axis: z, mass: 1}}\n"
                                "constraints:\n"
                                "  brake: {velocity: ball.travel_rate,\n"
                                "          on_when: ball.travel_rate < -1e-6 m/s,\n"
                                "          off_when: ball.travel_rate > -1e-9 m/s}\n");
    const seen s = try(m, "dop853", 1.0);
    assert_int_equal(s.status, MC_FAILED);
    assert_non_null(strstr(s.error.text, "their conditions chatter"));
    assert_true(s.report.time < 0.1);
    mc_multibody_free(m);
}

static void open_switch_is_reported(void **state)
{
    (void)state;
    mc_multibody *m =
        load(HEAD "bodies: {ball: {joint: prism, axis: z, mass: 1, start: {travel: 1}}}\n"
                  "constraints: {latch: {position: ball.travel, on_when: t > 0.1 s}}\n");
    const seen s = try(m, "dop853", 1.0);
    assert_int_equal(s.status, MC_FAILED);
    assert_string_equal(s.error.text,
                        "latch switches on at t = 0.1 s, but is open by 0.951 there; its condition "
                        "must become true where it closes, or it must be a constraint of "
                        "velocities");
    assert_int_equal(s.error.line, 4);
    mc_multibody_free(m);
}

// What acts at the start follows from the conditions there; the energy between is conserved.
static void sets_are_made_once(void **state)
{
    (void)state;
    mc_multibody *m =
        load(HEAD "bodies: {ball: {joint: prism, axis: z, mass: 2, stiffness: 1000, rest: 0.1}}\n"
                  "constraints:\n"
                  "  ground_stop: {position: ball.travel, on_when: ball.travel <= 0,\n"
                  "          off_when: ground_stop.load < 0}\n");
    for (int k = 0; k < 3; k++) {
        double y[2] = {0.0, -1.0};
        mc_error error = {0};
        mc_simulate_report report;
        const mc_simulate_options o = {.end = 1.0, .step = 0.1, .rtol = 1e-11};
        assert_int_equal(mc_simulate(m, &o, y, NULL, NULL, &report, &error), MC_OK);
        assert_true(report.switch_count == 0 && fabs(total(m, y) - 5.0) < 1e-7);
        assert_int_equal(m->set_count, 1);
    }
    mc_multibody_free(m);
}

// ---- results -----------------------------------------------------------------------------------

static void events_are_recorded(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    char path[128];
    snprintf(path, sizeof path, "%s/run.h5", folder.path);
    mc_error error = {0};
    mc_multibody *m = mc_multibody_load(SOURCE_DIR "/models/gate.yaml", NULL, &error);
    assert_non_null(m);
    double y[2];
    mc_simulate_report report;
    const mc_simulate_options o = mc_simulate_defaults(m);
    const mc_simulate_output output = {.hdf5 = path};
    mc_multibody_start(m, y);
    assert_int_equal(mc_simulate(m, &o, y, &output, NULL, &report, &error), MC_OK);
    assert_int_equal(report.switch_count, 4);
    run_table t = run_table_hdf5(&folder, "run.h5", "switches");
    assert_int_equal(t.row_count, 4);
    assert_int_equal(t.column_count, 5);
    assert_true(t.value[0] > 0.6 && t.value[2] == 1.0 && t.value[3] < -95.0); // t, on, impulse
    assert_true(t.value[4] == report.switched && report.switched > 169.0);
    run_table_free(&t);
    t = run_table_hdf5(&folder, "run.h5", "energy");
    assert_int_equal(t.column_count, 5);
    assert_true(t.value[3] == 0.0 && t.value[5 * t.row_count - 2] == report.switched);
    run_table_free(&t);
    mc_multibody_free(m);
    run_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_falls_on_a_stop),
        cmocka_unit_test(pendulum_hits_a_stop),
        cmocka_unit_test(knee_locks),
        cmocka_unit_test(latch_catches),
        cmocka_unit_test(support_is_left),
        cmocka_unit_test(release_by_time_and_load),
        cmocka_unit_test(lands_flat),
        cmocka_unit_test(foot_leaves_at_an_impact),
        cmocka_unit_test(chattering_is_reported),
        cmocka_unit_test(open_switch_is_reported),
        cmocka_unit_test(sets_are_made_once),
        cmocka_unit_test(events_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
