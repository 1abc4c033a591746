// test_manoeuvre.c - figures of manoeuvres against closed forms, cones, every manoeuvre with every
// kind of vehicle, and the scenario that repeats a drive.
#include "motorcade/manoeuvre.h"
#include "motorcade/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const PATH = SOURCE_DIR "/scenarios/none.yaml"; // files are looked for beside it

static mc_manoeuvre_test *drive(const char *name, const char *model, int count,
                                const char *const *names, const double *values)
{
    mc_error error = {0};
    const mc_manoeuvre_options o = {
        .model = model, .path = PATH, .set_names = names, .set_values = values, .set_count = count};
    mc_manoeuvre_test *t = mc_manoeuvre_run(mc_manoeuvre_find(name), &o, &error);
    if (!t)
        fail_msg("%s, %s: %s", name, model, error.text);
    return t;
}

static double figure(const char *name, const mc_manoeuvre_test *t, const char *what)
{
    const mc_manoeuvre *m = mc_manoeuvre_find(name);
    for (int k = 0; k < m->figure_count; k++)
        if (strcmp(m->figures[k].name, what) == 0)
            return mc_manoeuvre_value(t, k);
    fail_msg("%s has no figure %s", name, what);
    return NAN;
}

static void is_near(double got, double want, double relative, const char *what)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%s: %.12g instead of %.12g", what, got, want);
}

// Eq 1 as printed: mass m, a, b, stiffness C of both axles.
static const double m = 1839.317, a = 1.43, b = 1.55, C = 90000.0, L = 2.98;
static const char printed[] = "{kind: bicycle, lateral: printed}";

static void circle_has_closed_forms(void **unused)
{
    (void)unused;
    const double K = m / L * (b / C - a / C);
    mc_manoeuvre_test *t =
        drive("iso4138", printed, 4, (const char *[]){"radius", "max_a_y", "levels", "hold"},
              (const double[]){500.0, 2.0, 4.0, 60.0});
    is_near(figure("iso4138", t, "understeer_gradient"), K, 1e-6, "understeer gradient");
    is_near(figure("iso4138", t, "understeer_gradient_end"), K, 1e-6, "at the end");
    is_near(figure("iso4138", t, "wheelbase_angle"), L, 1e-6, "wheelbase");
    is_near(figure("iso4138", t, "characteristic_speed"), sqrt(L / K), 1e-6, "speed");
    is_near(figure("iso4138", t, "side_slip_gradient"), -a * m / (L * C), 1e-4, "side slip");
    assert_true(figure("iso4138", t, "levels_held") == 4.0);
    mc_manoeuvre_free(t);
}

static void step_has_closed_forms(void **unused)
{
    (void)unused;
    const double K = m / L * (b / C - a / C);
    for (double v = 10.0; v < 45.0; v += 15.0) {
        mc_manoeuvre_test *t = drive("iso7401", printed, 3, (const char *[]){"speed", "a_y", "end"},
                                     (const double[]){v, 0.02, 40.0});
        const double yaw = figure("iso7401", t, "yaw_gain");
        const double V = figure("iso7401", t, "a_y_gain") / yaw;
        is_near(V, v, 1e-3, "speed");
        is_near(yaw, V / (L + K * V * V), 1e-6, "yaw gain");
        is_near(figure("iso7401", t, "a_y_gain"), V * V / (L + K * V * V), 1e-6, "gain");
        is_near(figure("iso7401", t, "side_slip_gain"),
                (b - a * m * V * V / (L * C)) / (L + K * V * V), 1e-5, "side slip gain");
        mc_manoeuvre_free(t);
    }
    // The yaw rate of a point car follows with a lag of 0.2 s.
    mc_manoeuvre_test *t =
        drive("iso7401", "point", 2, (const char *[]){"a_y", "rate"}, (const double[]){0.05, 10.0});
    is_near(figure("iso7401", t, "yaw_response_time"), 0.2 * log(10.0), 5e-3, "response time");
    assert_true(fabs(figure("iso7401", t, "yaw_overshoot")) < 1e-9);
    mc_manoeuvre_free(t);
}

static void cones_are_hit_at_speed(void **unused)
{
    (void)unused;
    static const char *const names[] = {"iso3888_1", "iso3888_2"};
    static const char *const keys[] = {"search", "speed"};
    static const char model[] = "{kind: bicycle, grip: 1}";
    for (int k = 0; k < 2; k++) {
        int count, hit = 0;
        mc_manoeuvre_test *t = drive(names[k], model, 0, NULL, NULL);
        const double highest = figure(names[k], t, "highest_speed");
        assert_true(highest > 12.0 && highest < 30.0);
        mc_manoeuvre_free(t);
        t = drive(names[k], model, 2, keys, (const double[]){0.0, 8.0});
        assert_true(figure(names[k], t, "cones_hit") == 0.0);
        assert_true(figure(names[k], t, "smallest.clearance") > 0.0);
        mc_manoeuvre_free(t);
        t = drive(names[k], model, 2, keys, (const double[]){0.0, highest + 6.0});
        const mc_manoeuvre_cone *cones = mc_manoeuvre_cones(t, &count);
        for (int j = 0; j < count; j++)
            hit += cones[j].hit;
        assert_true(hit > 0 && figure(names[k], t, "cones_hit") == hit);
        assert_true(figure(names[k], t, "smallest.clearance") < 0.0);
        mc_manoeuvre_free(t);
    }
}

// Locked wheels: the moment is half the track times the difference of the brake forces, and the
// deceleration is the friction times g.
static void split_friction_has_closed_forms(void **unused)
{
    (void)unused;
    static const char model[] = "{kind: planar, mass: 1500, yaw_inertia: 25000, track_front: 1.5, "
                                "track_rear: 1.5, max_brake: 2}";
    static const char *const keys[] = {"left", "right", "deceleration", "driver", "speed"};
    mc_manoeuvre_test *t =
        drive("split_mu", model, 5, keys, (const double[]){0.8, 0.3, 20.0, 0.0, 40.0});
    is_near(figure("split_mu", t, "yaw_acceleration"),
            0.5 * 1.5 * 0.5 * (0.8 - 0.3) * 1500.0 * 9.81 / 25000.0, 0.01, "yaw acceleration");
    assert_true(figure("split_mu", t, "largest.steer") == 0.0);
    assert_true(figure("split_mu", t, "largest.yaw_rate") > 0.2);
    mc_manoeuvre_free(t);
    t = drive("split_mu", model, 5, keys, (const double[]){0.3, 0.3, 20.0, 0.0, 15.0});
    is_near(figure("split_mu", t, "distance"), 15.0 * 15.0 / (2.0 * 0.3 * 9.81), 0.02, "distance");
    is_near(figure("split_mu", t, "efficiency"), 1.0, 0.02, "efficiency");
    assert_true(figure("split_mu", t, "largest.yaw_rate") == 0.0);
    mc_manoeuvre_free(t);
}

// A driver holds the course, one that holds the wheel does not; with the sides exchanged the drive
// is mirrored.
static void split_friction_needs_steering(void **unused)
{
    (void)unused;
    static const char *const keys[] = {"left", "right", "driver"};
    mc_manoeuvre_test *t = drive("split_mu", "planar", 0, NULL, NULL);
    mc_manoeuvre_test *mirrored = drive("split_mu", "planar", 2, keys, (const double[]){0.3, 0.8});
    mc_manoeuvre_test *held = drive("split_mu", "planar", 3, keys, (const double[]){0.8, 0.3, 0.0});
    const double steer = figure("split_mu", t, "largest.steer");
    assert_true(steer > 0.02 && steer < 0.2);
    assert_true(figure("split_mu", t, "largest.offset") < 1.0);
    assert_true(figure("split_mu", held, "largest.offset") > 3.0);
    assert_true(figure("split_mu", held, "heading") > 0.05); // to the side that grips
    assert_true(fabs(figure("split_mu", t, "offset") + figure("split_mu", mirrored, "offset")) <
                1e-6);
    is_near(figure("split_mu", mirrored, "distance"), figure("split_mu", t, "distance"), 1e-6,
            "mirrored");
    mc_manoeuvre_free(t);
    mc_manoeuvre_free(mirrored);
    mc_manoeuvre_free(held);
}

static void every_vehicle_drives_every_manoeuvre(void **unused)
{
    (void)unused;
    static const char *const models[] = {
        "bicycle", "planar", "{kind: cosserat, file: pileup/model.dat}",
        "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}"};
    const mc_manoeuvre *kind;
    for (int k = 0; (kind = mc_manoeuvre_at(k)); k++)
        for (int j = 0; j < 4; j++) {
            const bool cones = strncmp(kind->name, "iso3888", 7) == 0;
            const bool circle = strcmp(kind->name, "iso4138") == 0;
            static const char *const keys[][2] = {{"search", "reach"}, {"levels", "max_a_y"}};
            static const double values[][2] = {{0.0, 3.0}, {3.0, 2.0}};
            mc_manoeuvre_test *t =
                drive(kind->name, models[j], cones || circle ? 2 : 0, keys[circle], values[circle]);
            for (int f = 0; f < kind->figure_count; f++)
                if (!isfinite(mc_manoeuvre_value(t, f)) &&
                    strcmp(kind->figures[f].name, "highest_speed") != 0 &&
                    strcmp(kind->figures[f].name, "characteristic_speed") != 0)
                    fail_msg("%s, %s: no %s", kind->name, models[j], kind->figures[f].name);
            mc_manoeuvre_free(t);
        }
}

// The scenario gives the rows again, to the bit.
static void scenario_repeats_the_drive(void **unused)
{
    (void)unused;
    mc_error error;
    int count;
    mc_manoeuvre_test *t = drive("sine_with_dwell", "planar", 0, NULL, NULL);
    const mc_manoeuvre_row *rows = mc_manoeuvre_rows(t, &count);
    const char *text = mc_manoeuvre_scenario(t);
    mc_scenario *s = mc_scenario_parse(text, strlen(text), PATH, &error);
    mc_run *run = s ? mc_run_create(s, NULL, &error) : NULL;
    if (!run)
        fail_msg("%s", error.text);
    for (int k = 1; k < count; k++)
        assert_int_equal(mc_run_step(run, &error), MC_OK);
    mc_run_view view;
    mc_run_look(run, 0, &view);
    assert_true(view.motion.x == rows[count - 1].x && view.motion.y == rows[count - 1].y);
    assert_true(view.motion.yaw_rate == rows[count - 1].yaw_rate);
    mc_run_destroy(run);
    mc_scenario_free(s);
    mc_manoeuvre_free(t);
}

static void expect_error(const char *name, const mc_manoeuvre_options *o, const char *text)
{
    mc_error error = {0};
    assert_null(mc_manoeuvre_run(mc_manoeuvre_find(name), o, &error));
    assert_string_equal(error.text, text);
    assert_int_equal(error.code, MC_BAD_INPUT);
}

static void rejects(void **unused)
{
    (void)unused;
    const char *const wrong[] = {"sped"}, *const right[] = {"speed"};
    const double values[] = {500.0};
    mc_manoeuvre_options o = {.set_names = wrong, .set_values = values, .set_count = 1};
    expect_error("iso7401", &o, "iso7401 has no parameter \"sped\"; did you mean \"speed\"?");
    o.set_names = right;
    expect_error("iso7401", &o, "speed = 500: held must be in 2 .. 80 m/s");
    o.set_names = (const char *[]){"right"};
    expect_error("split_mu", &o,
                 "right = 500: friction under the right wheels must be in 0.02 .. 2");
    o = (mc_manoeuvre_options){.model = "{kind: bycicle}"};
    mc_error error = {0};
    assert_null(mc_manoeuvre_run(mc_manoeuvre_find("iso7401"), &o, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "bicycle"));
    assert_null(mc_manoeuvre_find("iso9999"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle_has_closed_forms),
        cmocka_unit_test(step_has_closed_forms),
        cmocka_unit_test(cones_are_hit_at_speed),
        cmocka_unit_test(split_friction_has_closed_forms),
        cmocka_unit_test(split_friction_needs_steering),
        cmocka_unit_test(every_vehicle_drives_every_manoeuvre),
        cmocka_unit_test(scenario_repeats_the_drive),
        cmocka_unit_test(rejects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
