// test_lateral.c - what observers are told of a car across the road: fields, path, the plan of a
// lane change, wheels.
#include "support/platoon.h"

#include "motorcade/observe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#define near(a, b, error) assert_true(fabs((a) - (b)) <= (error))

// A car in lane 2 of 3 goes to lane 1 at 1 s, between two others there.
static mc_scenario *cut_in(const char *model)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 60, step: 0.02, record: 0.1}\n"
             "road: {lanes: 3, lane_width: 3.6, speed: 20}\nmodels: {car: %s}\n"
             "controllers: {hold: {law: cruise, speed: 20, steering: lqr}}\n"
             "vehicles:\n"
             "  - {model: car, name: one, lane: 2, x: 0, v: 20, controller: hold}\n"
             "  - {model: car, name: ahead, lane: 1, x: 60, v: 20, controller: hold}\n"
             "  - {model: car, name: behind, lane: 1, x: -60, v: 20, controller: hold}\n"
             "events: [{at: 1, vehicle: one, lane: 1}]\n",
             model);
    return platoon_scenario(text);
}

static void the_plan_has_its_figures(void **unused)
{
    (void)unused;
    mc_scenario *s = cut_in("point");
    mc_run *run = platoon_run(s, 1);
    const int one = mc_run_find(run, "one");
    mc_run_lateral l;
    mc_run_lateral_of(run, one, &l);
    assert_int_equal(l.lane, 1);
    assert_int_equal(l.plan.to, -1);
    assert_true(isnan(l.plan.share) && !l.by_hand);
    assert_string_equal(l.law, "lqr");
    near(l.lane_y, -3.6, 1e-12);
    near(l.lane_width, 3.6, 1e-12);
    platoon_steps(run, 200); // 3 s of the change
    mc_run_lateral_of(run, one, &l);
    const double width = 3.6, T = fmax(sqrt(10.0 / sqrt(3.0) * width), cbrt(60.0 * width));
    assert_int_equal(l.plan.from, 1);
    assert_int_equal(l.plan.to, 0);
    near(l.plan.start, 1.0, 0.021);
    near(l.plan.duration, T, 1e-9);
    near(l.plan.share, (mc_run_time(run) - l.plan.start) / T, 1e-12);
    // Of the quintic from rest: a = 10/sqrt(3) D/T^2, jerk 60 D/T^3 at its ends.
    near(l.plan.max_acceleration, 10.0 / sqrt(3.0) * width / (T * T), 1e-4);
    near(l.plan.max_jerk, 60.0 * width / (T * T * T), 1e-9);
    assert_int_equal(l.plan.front, mc_run_find(run, "ahead"));
    assert_int_equal(l.plan.rear, mc_run_find(run, "behind"));
    mc_run_vehicle_info car;
    mc_run_vehicle(run, one, &car);
    near(l.plan.gap_front, 60.0 - car.length, 0.05);
    near(l.plan.gap_rear, 60.0 - car.length, 0.05);
    const mc_run_view v = platoon_view(run, "one");
    near(l.plan.to_go, -v.motion.y, 1e-12);
    assert_true(fabs(l.offset) < 0.1);
    near(l.yaw_desired, v.motion.yaw_rate, 0.02);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static double work(const mc_run *run, int vehicle)
{
    mc_energy e;
    mc_run_energy(run, vehicle, &e);
    return e.kinetic + e.slipped + e.braked + e.dragged - e.driven;
}

// A car that has changed lanes is exactly straight within seven seconds, a millimetre from the
// middle at most; until then its law steers, and no energy is lost.
static void a_change_ends(void **unused)
{
    (void)unused;
    mc_scenario *s = cut_in("bicycle");
    mc_run *run = platoon_run(s, 1);
    const int one = mc_run_find(run, "one");
    const double start = work(run, one);
    platoon_steps(run, 50 * 7 + 10); // the curve takes 6 s, from 1 s on
    assert_true(fabs(platoon_view(run, "one").motion.psi) > 1e-4);
    platoon_steps(run, 50 * 8);
    const mc_motion m = platoon_view(run, "one").motion;
    assert_true(m.psi == 0.0 && m.v_y == 0.0 && m.yaw_rate == 0.0);
    assert_true(m.y != 0.0 && fabs(m.y) <= 1e-3);
    near(work(run, one), start, 1e-9 * start);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Fields of one car and of the row of all are the same, of every type.
static void fields_are_told(void **unused)
{
    (void)unused;
    const char *const models[] = {
        "point",   "powertrain", "{kind: cosserat, file: pileup/model.dat}",
        "bicycle", "planar",     "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6}"};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        mc_scenario *s = cut_in(models[m]);
        mc_run *run = platoon_run(s, 1);
        const int one = mc_run_find(run, "one");
        float turn[3], slip[3], a_y[3], lane[3];
        const mc_row row = {.value = {[MC_FIELD_YAW_RATE] = turn,
                                      [MC_FIELD_SIDE_SLIP] = slip,
                                      [MC_FIELD_A_Y] = a_y,
                                      [MC_FIELD_LANE] = lane}};
        double value[MC_FIELD_COUNT], largest = 0.0;
        for (int k = 0; k < 30; k++) {
            platoon_steps(run, 10);
            mc_run_read_row(run, &row);
            mc_run_read_fields(run, one, value, NULL);
            const mc_motion motion = platoon_view(run, "one").motion;
            near(turn[one], motion.yaw_rate, 1e-6);
            near(slip[one], atan2(motion.v_y, motion.v), 1e-6);
            near(a_y[one], value[MC_FIELD_A_Y], 1e-5);
            near(a_y[one], motion.v * motion.yaw_rate, 0.6); // but for v_y'
            near(lane[one], value[MC_FIELD_LANE], 0.0);
            largest = fmax(largest, fabs(value[MC_FIELD_A_Y]));
        }
        if (!(largest > 0.5 && largest < 1.3)) // the plan's bound is 1, it needs 0.93
            fail_msg("%s: %g m/s^2 across", models[m], largest);
        near(lane[one], 1.0, 0.0); // the leftmost
        mc_wheel wheels[MC_WHEEL_MAX];
        const int count = mc_run_wheels(run, one, wheels);
        assert_int_equal(count, m == 2 || m >= 4 ? 4 : 0);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// On a bend the road itself turns the car.
static void the_road_turns(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\ntime: {end: 60, step: 0.02, record: 0.1}\n"
        "road: {lanes: 1, speed: 20, line: [{arc: 3000, radius: 400}]}\nmodels: {car: bicycle}\n"
        "controllers: {hold: {law: cruise, speed: 20, steering: lqr}}\n"
        "vehicles: [{model: car, name: one, x: 50, v: 20, controller: hold}]\n");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 1000);
    mc_run_lateral l;
    const mc_motion motion = platoon_view(run, "one").motion;
    mc_run_lateral_of(run, 0, &l);
    near(l.road_yaw, motion.v / (400.0 - motion.y), 1e-9);
    near(l.yaw_desired, l.road_yaw, 1e-6);
    near(motion.yaw_rate, l.road_yaw, 1e-4);
    double value[MC_FIELD_COUNT];
    mc_run_read_fields(run, 0, value, NULL);
    near(value[MC_FIELD_A_Y], motion.v * motion.v / (400.0 - motion.y), 1e-3);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_has_its_figures),
        cmocka_unit_test(a_change_ends),
        cmocka_unit_test(fields_are_told),
        cmocka_unit_test(the_road_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
