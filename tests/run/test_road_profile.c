// test_road_profile.c - vehicles of every type on a road whose height is a formula: against the
// same road as grades, at any number of threads, and through every way back to the same bits.
#include "motorcade/timeline.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const models[] = {
    "kind: point, lag: 0.3",
    "kind: powertrain",
    "kind: powertrain, grip: 0.8", // cuts steps at ends of friction
    "kind: cosserat, file: medusa/model.dat",
    "kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2, height: 1.8",
};
enum { MODELS = sizeof models / sizeof models[0] };

// The same hill, as a list of grades and as a formula of s with the same corners.
static const char grades[] = "grades: [{from: 40, to: 140, grade: 0.05, transition: 30}, "
                             "{from: 160, to: 260, grade: -0.06, transition: 20}]";
static const char formula[] =
    "profile: {grade: \"table(s; 40, 0; 70, 0.05; 110, 0.05; 140, 0; 160, 0; 180, -0.06; 240, "
    "-0.06; 260, 0)\", to: 500}";

static mc_scenario *scenario(const char *model, const char *road, double step)
{
    char text[2048];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 30, step: %g}\n"
             "road: {lanes: 2, friction: [{from: 90, to: 120, mu: 0.7}], %s}\n"
             "models: {car: {%s}}\ncontrollers: {follow: {law: pid}}\n"
             "platoons: [{leader: {model: car, profile: 20}, cars: [{model: car, name: car, "
             "count: 2, controller: follow}]}]\n"
             "events: [{at: 8, vehicle: leader, drive: {}}, {at: 11, vehicle: leader, release: "
             "true}]\n",
             step, road, model);
    return platoon_scenario(text);
}

// Largest distance of two runs on these roads, and how far they are from a level one.
static double apart(const char *model, const char *road, const char *other, double *steepness)
{
    mc_scenario *a = scenario(model, road, 0.05), *b = scenario(model, other, 0.05);
    mc_run *p = platoon_run(a, 1), *q = platoon_run(b, 1);
    double max = 0.0;
    *steepness = 0.0;
    for (int k = 0; k < 320; k++) {
        platoon_steps(p, 1);
        platoon_steps(q, 1);
        for (int v = 0; v < 3; v++) {
            mc_run_view u, w;
            mc_run_look(p, v, &u);
            mc_run_look(q, v, &w);
            max = fmax(max, fabs(u.motion.x - w.motion.x));
            *steepness = fmax(*steepness, fabs(mc_run_slope(p, u.motion.x)));
        }
    }
    mc_run_destroy(p);
    mc_run_destroy(q);
    mc_scenario_free(a);
    mc_scenario_free(b);
    return max;
}

static void formula_and_grades_are_one_road(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++) {
        double steepness, ignored;
        const double same = apart(models[m], grades, formula, &steepness);
        const double level = apart(models[m], grades, "", &ignored);
        printf("%.20s: %.1e m apart; from a level road %.3g m\n", models[m], same, level);
        assert_true(steepness > 0.049); // it was on the hill
        // A point follows what its law asks, whatever the slope.
        assert_true(m == 0 ? level == 0.0 : level > 0.02);
        assert_true(same < 2e-5);
    }
}

#define WAVE "profile: {parameters: {A: 2 m, wave: 150 m}, z: A*sin(2*pi*s/wave), to: 1000}"
static const char slope[] =
    "profile: {grade: \"asin(2*(2*pi/150)*cos(2*pi*s/150 [m]))\", to: 1000}";

static void height_and_slope_are_one_road(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++) {
        double steepness;
        assert_true(apart(models[m], WAVE, slope, &steepness) < 1e-6);
        assert_true(steepness > 0.08);
    }
}

static void to_step(mc_run *run, int step)
{
    while (mc_run_step_count(run) < step)
        platoon_steps(run, 1);
}

// A piece that ends within a step, or not, depends on nothing but the place of the car.
static void threads_make_no_difference(void **unused)
{
    (void)unused;
    static const char many[] =
        "motorcade: scenario\ntime: {end: 20, step: 0.05}\nroad: {lanes: 4, speed: 25, " WAVE "}\n"
        "models: {car: powertrain}\ncontrollers: {follow: {law: acc}}\n"
        "platoons:\n"
        "  - {lane: 1, leader: {model: car, profile: 21}, cars: [{model: car, count: 19, "
        "controller: follow}]}\n"
        "  - {lane: 2, x: 3, leader: {model: car, profile: 25}, cars: [{model: car, count: 30, "
        "controller: follow}]}\n";
    mc_scenario *s = platoon_scenario(many);
    mc_run *one = platoon_run(s, 1), *three = platoon_run(s, 3);
    to_step(one, 300);
    to_step(three, 300);
    assert_true(mc_run_hash(one) == mc_run_hash(three));
    mc_run_destroy(one);
    mc_run_destroy(three);
    mc_scenario_free(s);
}

static char *temporary(char path[40])
{
    strcpy(path, "/tmp/motorcade_road_XXXXXX");
    close(mkstemp(path));
    return path;
}

#define LEVELLED "{road: {profile: null}, grades: [{from: 0, to: 900, grade: 3 %}]}"

// Live, with edits of the profile; then back and forth, the log again, and from a checkpoint.
static void every_way_back_gives_the_same_bits(void **unused)
{
    (void)unused;
    enum { END = 240 };
    mc_error error;
    char log[40], state[40];
    mc_scenario *s = scenario(models[1], WAVE, 0.05);
    mc_run *live = platoon_run(s, 1);
    mc_timeline *line = mc_timeline_create(live, NULL, &error);
    assert_non_null(line);
    for (int k = 0; k < END; k++) {
        const char *edit = k == 60    ? "{set: profile.A=3 m}"
                           : k == 100 ? "{road: {profile: {z: \"4*sin(s/50 [m])\", to: 900}}}"
                           : k == 180 ? LEVELLED
                                      : NULL;
        if (edit && mc_timeline_edit(line, edit, &error) != MC_OK)
            fail_msg("%s: %s", edit, error.text);
        if (k == 140)
            assert_int_equal(mc_run_write_checkpoint(live, temporary(state), &error), MC_OK);
        if (mc_timeline_step(line, &error) != MC_OK)
            fail_msg("%s", error.text);
    }
    const unsigned long long hash = mc_run_hash(live);
    assert_int_equal(mc_run_write_log(live, temporary(log), &error), MC_OK);
    assert_int_equal(mc_timeline_seek(line, 4.0, &error), MC_OK); // on the first formula, with A 3
    assert_true(fabs(mc_run_elevation(live, 37.5) - 3.0) < 1e-5);
    assert_int_equal(mc_timeline_seek(line, END * 0.05, &error), MC_OK);
    assert_true(mc_run_hash(live) == hash);

    mc_run *again = platoon_run(s, 2);
    assert_int_equal(mc_run_follow_log(again, log, &error), MC_OK);
    to_step(again, END);
    assert_true(mc_run_hash(again) == hash);

    mc_run *resumed = platoon_run(s, 1);
    if (mc_run_read_checkpoint(resumed, state, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(mc_run_step_count(resumed), 140);
    assert_int_equal(mc_run_edit(resumed, "{grades: [{from: 0, to: 900, grade: 3 %}]}", &error),
                     MC_BAD_INPUT); // it runs on the second formula
    to_step(resumed, 180);
    assert_int_equal(mc_run_edit(resumed, LEVELLED, &error), MC_OK);
    to_step(resumed, END);
    assert_true(mc_run_hash(resumed) == hash);
    mc_run_destroy(again);
    mc_run_destroy(resumed);
    mc_timeline_destroy(line);
    mc_run_destroy(live);
    mc_scenario_free(s);
    unlink(log);
    unlink(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_and_grades_are_one_road),
        cmocka_unit_test(height_and_slope_are_one_road),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(every_way_back_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
