// test_where.c - cars on roads with curves and ramps: lane keeping in a bend, steady turns, gaps
// along the lane, a road that is straight but written as a line, merging from a ramp, the same
// bits.
#include "support/platoon.h"

#include "motorcade/observe.h"
#include "motorcade/timeline.h"
#include "run/run.h"
#include "run/where.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const LINE =
    "line: [{straight: 400}, {clothoid: 120, to_radius: 300}, {arc: 500, "
    "radius: 300}, {clothoid: 120}, {straight: 3000}]";

static mc_scenario *bend(const char *line, const char *model, const char *steering, double v)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 90, step: 0.02, record: 0.1}\n"
             "road: {lanes: 3, lane_width: 3.6, speed: 40, %s}\nmodels: {car: %s}\n"
             "controllers: {follow: {law: acc, headway: 1.2, distance: 4, steering: %s}}\n"
             "platoons: [{lane: 2, x: 150, leader: {model: car, profile: %g}, "
             "cars: [{model: car, name: car, controller: follow, count: 2}]}]\n",
             line, model, steering, v);
    return platoon_scenario(text);
}

// 30 m/s through a clothoid of 120 m into R = 300 m: less than 0.1 m beside the middle of the lane,
// and a lateral acceleration (over 0.2 s, without the ripple of a step) that grows gently.
static void keeps_lane_as(const char *model, const char *by, double limit)
{
    mc_scenario *s = bend(LINE, model, by, 30.0);
    mc_run *run = platoon_run(s, 1);
    const int car = mc_run_find(run, "car1");
    double worst = 0.0, jerk = 0.0, v_y = 0.0, turn = 0.0, before = NAN;
    for (int k = 1; k <= 2500; k++) {
        platoon_steps(run, 1);
        const mc_motion m = platoon_view(run, "car1").motion;
        worst = fmax(worst, fabs(m.y + 3.6));
        assert_true(fabs(mc_run_lateral_error(run, car) - (m.y + 3.6)) < 1e-12);
        turn += 0.1 * m.v * m.yaw_rate; // mean over ten steps
        if (k % 10 != 0)
            continue;
        const double a = (m.v_y - v_y) / 0.2 + turn;
        jerk = isnan(before) ? 0.0 : fmax(jerk, fabs(a - before) / 0.2);
        before = a, v_y = m.v_y, turn = 0.0;
    }
    if (!(worst < limit && jerk < 1.0))
        fail_msg("%s, %s: %g m aside, %g m/s^3", model, by, worst, jerk);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void keeps_its_lane(void **unused)
{
    (void)unused;
    static const char *const laws[] = {"lqr", "preview"};
    static const char *const models[] = {"bicycle", "{kind: bicycle, lateral: single_track}",
                                         "planar", "point"};
    for (int l = 0; l < 2; l++)
        for (int m = 0; m < 4; m++)
            keeps_lane_as(models[m], laws[l], 0.1);
}

// In the arc every type turns at v/R of its own lane, whatever its steering law.
static void steady_turn(void **unused)
{
    (void)unused;
    static const char *const models[] = {
        "bicycle",
        "powertrain",
        "planar",
        "point",
        "{kind: cosserat, file: pileup/model.dat}",
        "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}"};
    for (int m = 0; m < 6; m++) {
        mc_scenario *s =
            bend("line: [{straight: 300}, {clothoid: 120, to_radius: 300}, {arc: 1500, "
                 "radius: 300}]",
                 models[m], m % 2 ? "lqr" : "stanley", 15.0);
        mc_run *run = platoon_run(s, 1);
        platoon_steps(run, 3500); // 70 s
        const mc_motion at = platoon_view(run, "car1").motion;
        const double R = 300.0 - at.y, turn = at.yaw_rate * R / hypot(at.v, at.v_y);
        assert_true(at.x > 900.0);
        if (!(fabs(turn - 1.0) < (m < 3 ? 1e-6 : 1e-3) && fabs(at.y + 3.6) < 0.7))
            fail_msg("%s: turns %.9g of what the bend needs, %g m aside", models[m], turn,
                     at.y + 3.6);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// The gap is measured along the lane, not along the reference line: cars outside the bend are
// farther apart than their stations.
static void gaps_along_the_lane(void **unused)
{
    (void)unused;
    mc_scenario *s = bend("line: [{straight: 300}, {clothoid: 120, to_radius: -200}, {arc: 2000, "
                          "radius: -200}]",
                          "bicycle", "lqr", 14.0);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 4000);
    const mc_run_view a = platoon_view(run, "car1"), b = platoon_view(run, "car2");
    const double stations = a.motion.x - b.motion.x;
    const double along = stations * (1.0 - (-1.0 / 200.0) * b.motion.y);
    const run_where *p = &run->where[run->slot[mc_run_find(run, "car1")]];
    const run_where *q = &run->where[run->slot[mc_run_find(run, "car2")]];
    const double chord = hypot(p->plane.x - q->plane.x, p->plane.y - q->plane.y);
    const double R = 200.0 + b.motion.y, arc = 2.0 * R * asin(0.5 * chord / R);
    assert_true(fabs(along - arc) < 1e-3);
    assert_true(fabs(along - stations) > 0.3);
    const run_car *car = &run->car[run->slot[mc_run_find(run, "car2")]];
    assert_true(fabs(b.gap - (along + run->car[car->front].tail - car->nose)) < 1e-9);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void compare_motions(mc_run *a, mc_run *b, double far)
{
    const mc_motion m = platoon_view(a, "car1").motion, n = platoon_view(b, "car1").motion;
    assert_true(fabs(m.x - n.x) < 100.0 * far && fabs(m.y - n.y) < far);
    assert_true(fabs(m.psi - n.psi) < far);
}

// A straight line is a straight road; but for the last millimetre of a lane change, which ends at
// once only on a road without a line (run/steer.h).
static void straight_line(void **unused)
{
    (void)unused;
    mc_scenario *plain = bend("friction: []", "bicycle", "lqr", 25.0);
    mc_scenario *line = bend("line: [{straight: 5000}]", "bicycle", "lqr", 25.0);
    mc_run *a = platoon_run(plain, 1), *b = platoon_run(line, 1);
    for (int k = 0; k < 1500; k++) {
        if (k == 100) {
            const mc_command go = {.event = "lane", .vehicle = "car1", .value = 1};
            platoon_command(a, &go);
            platoon_command(b, &go);
        }
        platoon_steps(a, 1);
        platoon_steps(b, 1);
        if (k == 500)
            compare_motions(a, b, 1e-9);
    }
    compare_motions(a, b, 1e-3);
    assert_true(fabs(platoon_view(a, "car1").motion.y) < 0.01);
    mc_run_destroy(a);
    mc_run_destroy(b);
    mc_scenario_free(plain);
    mc_scenario_free(line);
}

static unsigned long long hash_of(const mc_run *r)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = (const unsigned char *)r->motion;
    for (size_t k = 0; k < (size_t)r->count * sizeof *r->motion; k++)
        h = (h ^ p[k]) * 1099511628211ull;
    return h;
}

// From the ramp to the acceleration lane to the platoon: it gets in, no car is hit or brakes to the
// limit, no place in the plane jumps.
static void merges(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("merge");
    mc_run *run = platoon_run(s, 1);
    const int guest = run->slot[mc_run_find(run, "guest")];
    mc_motion before = run->where[guest].plane;
    bool on_ramp = false, beside = false;
    double hardest = 0.0;
    for (int k = 0; k < 3400; k++) {
        platoon_steps(run, 1);
        const run_where *w = &run->where[guest];
        const double moved = hypot(w->plane.x - before.x, w->plane.y - before.y);
        assert_true(fabs(moved - 0.02 * w->plane.v) < 0.01);
        before = w->plane;
        on_ramp = on_ramp || w->path == 1;
        beside = beside || (w->path == 0 && run->rare[guest].lane == 2);
        for (int slot = 0; slot < run->count; slot++) {
            assert_int_equal(run->rare[slot].hits, 0);
            hardest = fmax(hardest, -run->motion[slot].a);
        }
    }
    assert_true(on_ramp && beside);
    assert_int_equal(run->where[guest].path, 0);
    assert_int_equal(run->rare[guest].lane, 1);
    assert_true(fabs(run->motion[guest].y + 3.6) < 0.05);
    assert_true(hardest < 6.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// The heading of a ramp of constant radius is s/R.
static void heading_of_a_ramp(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\ntime: {end: 20, step: 0.02, record: 0.1}\n"
        "road: {lanes: 1, speed: 12, line: [{straight: 2000}], ramps: [{name: r, kind: \"on\", at: "
        "800, line: [{arc: 60, radius: -60}, {clothoid: 40}, {straight: 200}]}]}\n"
        "models: {car: bicycle}\ncontrollers: {a: {law: acc, headway: 1, steering: lqr}}\n"
        "vehicles: [{model: car, name: one, ramp: r, x: 5, v: 8, controller: a}]\n");
    mc_run *run = platoon_run(s, 1);
    double x, y, start;
    mc_road_place(&run->road, 1, 0.0, 0.0, &x, &y, &start);
    for (int k = 0; k < 200; k++) {
        platoon_steps(run, 1);
        const run_where *w = &run->where[0];
        if (w->station < 59.0)
            assert_true(fabs(remainder(w->heading - start + w->station / 60.0, 2.0 * M_PI)) < 1e-9);
    }
    assert_true(run->where[0].station > 35.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("merge");
    mc_run *run = platoon_run(s, 1), *other = platoon_run(s, 3), *again = platoon_run(s, 2);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    for (int k = 0; k < 1500; k++) {
        if (k == 1000) // in the middle of the merge
            assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
        platoon_steps(run, 1);
        platoon_steps(other, 1);
    }
    if (mc_run_restore(again, &snapshot, &error) != MC_OK)
        fail_msg("%s", error.text);
    platoon_steps(again, 500);
    assert_true(hash_of(run) == hash_of(other));
    assert_true(hash_of(run) == hash_of(again));
    // An edit that changes nothing of the road, while the car merges.
    assert_int_equal(mc_run_restore(again, &snapshot, &error), MC_OK);
    if (mc_run_edit(again, "{end: 71}", &error) != MC_OK)
        fail_msg("%s", error.text);
    platoon_steps(again, 500);
    assert_true(fabs(again->motion[0].x - run->motion[0].x) < 1e-6);
    mc_snapshot_free(&snapshot);
    mc_run_destroy(run);
    mc_run_destroy(other);
    mc_run_destroy(again);
    mc_scenario_free(s);
}

static void wrong_words(void **unused)
{
    (void)unused;
    static const struct {
        const char *road, *where, *text;
    } cases[] = {
        {"lanes: 2", "ramp: r", "the road has no ramps"},
        {"lanes: 1, line: [{straight: 900}], ramps: [{name: Vermont, kind: \"on\", at: 400, line: "
         "[{arc: 60, radius: -60}, {straight: 100}]}]",
         "ramp: Vermnt", "unknown ramp \"Vermnt\"; did you mean Vermont?"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[900];
        mc_error error = {0};
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 9}\nroad: {%s}\nmodels: {car: point}\n"
                 "vehicles: [{model: car, x: 0, v: 9, %s}]\n",
                 cases[k].road, cases[k].where);
        assert_null(mc_scenario_parse(text, strlen(text), "test.yaml", &error));
        assert_true(error.line > 0);
        if (!strstr(error.text, cases[k].text))
            fail_msg("%s", error.text);
    }
}

// What observers get is in the axes of motions, for every type: in a bend a pose is where the
// motion is, heads where it heads, and the surface is around it.
static void poses_are_where_motions_are(void **unused)
{
    (void)unused;
    static const char *const models[] = {
        "powertrain", "planar", "{kind: cosserat, file: pileup/model.dat}",
        "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}"};
    for (int m = 0; m < 4; m++) {
        mc_scenario *s = bend(LINE, models[m], "lqr", 15.0);
        mc_run *run = platoon_run(s, 1);
        platoon_steps(run, 2250); // in the arc
        const mc_run_view v = platoon_view(run, "car1");
        const int car = mc_run_find(run, "car1");
        mc_pose pose;
        mc_ellipsoid e;
        mc_run_pose(run, car, &pose);
        mc_run_surface(run, car, &e);
        assert_true(run->where[run->slot[car]].heading > 0.5); // the plane is turned by that
        const double x = v.motion.x, y = v.motion.y;
        assert_true(fabs(pose.position[0] - x) < 1e-3 && fabs(pose.position[1] - y) < 1e-3);
        assert_true(fabs(atan2(pose.directors[1], pose.directors[0]) - v.motion.psi) < 1e-3);
        const double speed = hypot(pose.velocity[0], pose.velocity[1]);
        assert_true(fabs(speed - hypot(v.motion.v, v.motion.v_y)) < 0.02 &&
                    pose.velocity[0] > 14.0);
        assert_true(fabs(e.centre[0] - x) < 1.0 && fabs(e.centre[1] - y) < 0.2);
        assert_true(fabs(e.axes[0]) > 1.0 && fabs(e.axes[3]) < 0.2 * fabs(e.axes[0]));
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_its_lane),    cmocka_unit_test(poses_are_where_motions_are),
        cmocka_unit_test(steady_turn),       cmocka_unit_test(gaps_along_the_lane),
        cmocka_unit_test(straight_line),     cmocka_unit_test(merges),
        cmocka_unit_test(heading_of_a_ramp), cmocka_unit_test(same_bits),
        cmocka_unit_test(wrong_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
