// test_obstacles.c - obstacles in runs: every vehicle type hits them, edits add and remove them,
// snapshots, threads and the log keep the bits, bad input is answered with its place.
#include "support/platoon.h"

#include "motorcade/scenario.h"
#include "motorcade/vehicle_type.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const cars[] = {
    "point",
    "powertrain",
    "bicycle",
    "planar",
    "{kind: cosserat, file: pileup/model.dat}",
    "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}"};
enum { CARS = sizeof cars / sizeof cars[0] };

static mc_scenario *scene(const char *model, const char *obstacles)
{
    char text[1200];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 20, step: 0.02}\ncontact: {restitution: 0.5, "
             "friction: 0.3}\nroad: {line: [{straight: 30}, {arc: 400, radius: 300}]}\n"
             "models: {car: %s}\nvehicles: [{model: car, name: car, x: 20, v: 15}]\n%s",
             model, obstacles);
    return platoon_scenario(text);
}

static double booked(const mc_run *run, double out[3])
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(run->world, run->count, &batch, &index);
    batch->kind->road_impulse(batch, index, out);
    return hypot(out[0], out[1]);
}

// Each type hits a box, a pole, a prism and an ellipsoid that stand in its way, and comes back or
// stops; energy is never created, and the obstacle has what the car lost.
static void every_type_hits(void **unused)
{
    (void)unused;
    static const char *const shapes[] = {
        "{name: wall, x: 60, y: -2, length: 1, width: 12}",
        "{name: wall, shape: cylinder, x: 60, y: -2, length: 4}",
        "{name: wall, shape: prism, x: 60, y: -2, points: [[-2, 0], [1, 4], [1, -4]]}",
        "{name: wall, shape: ellipsoid, x: 60, y: -2, length: 4, width: 8}"};
    for (int c = 0; c < CARS; c++)
        for (int k = 0; k < 4; k++) {
            char list[300];
            snprintf(list, sizeof list, "obstacles: [%s]\n", shapes[k]);
            mc_scenario *s = scene(cars[c], list);
            mc_run *run = platoon_run(s, 1);
            int count = 0;
            const mc_impact *i = NULL;
            for (int n = 0; n < 400 && count == 0; n++) {
                platoon_steps(run, 1);
                i = mc_run_impacts(run, &count);
            }
            double taken[3];
            if (count == 0)
                fail_msg("%s passes the obstacle %s", cars[c], shapes[k]);
            double sum[3] = {0.0, 0.0, 0.0};
            for (int n = 0; n < count; n++) {
                double before = 0.0, after = 0.0;
                for (int side = 0; side < 2; side++) {
                    before += i[n].before[side].kinetic + i[n].before[side].elastic;
                    after += i[n].after[side].kinetic + i[n].after[side].elastic;
                }
                assert_true(after <= before * (1.0 + 1e-9));
                for (int j = 0; j < 3; j++)
                    sum[j] -= i[n].impulse * i[n].normal[j] + i[n].tangential[j];
            }
            assert_int_equal(i->b, 1);
            assert_string_equal(mc_run_vehicle_name(run, i->b), "wall");
            assert_true(booked(run, taken) > 1000.0);
            for (int j = 0; j < 3; j++)
                assert_true(fabs(taken[j] - sum[j]) < 1e-6 * booked(run, taken));
            assert_int_equal(platoon_view(run, "car").hits, count);
            mc_run_destroy(run);
            mc_scenario_free(s);
        }
}

// A wall that an edit puts up is hit, saved and restored states and the log lead to the same bits.
static void edited(void **unused)
{
    (void)unused;
    for (int c = 0; c < CARS; c += 2) {
        mc_scenario *s = scene(cars[c], "");
        mc_run *run = platoon_run(s, 1), *again = platoon_run(s, 2);
        mc_error error = {0};
        unsigned long long hash[2];
        for (int k = 0; k < 2; k++) {
            mc_run *r = k ? again : run;
            platoon_steps(r, 20);
            assert_int_equal(mc_run_edit(r,
                                         "{obstacles: [{name: wall, x: 60, y: -2, length: 1, "
                                         "width: 12, restitution: 0.2}]}",
                                         &error),
                             MC_OK);
            platoon_steps(r, 120);
            mc_snapshot snapshot = {0};
            assert_int_equal(mc_run_save(r, &snapshot, &error), MC_OK);
            platoon_steps(r, 100);
            hash[k] = mc_run_hash(r);
            if (k) { // and again from the snapshot
                assert_int_equal(mc_run_restore(r, &snapshot, &error), MC_OK);
                platoon_steps(r, 100);
                assert_true(mc_run_hash(r) == hash[k]);
            }
            mc_snapshot_free(&snapshot);
            int count;
            mc_run_impacts(r, &count);
            assert_true(count > 0);
        }
        assert_true(hash[0] == hash[1]);
        // Another edit keeps what the wall has taken, and the collisions so far.
        double taken[3], kept[3];
        int before, after;
        mc_run_impacts(run, &before);
        const double size = booked(run, taken);
        assert_int_equal(mc_run_edit(run, "{road: {speed: 20}}", &error), MC_OK);
        platoon_steps(run, 1);
        mc_run_impacts(run, &after);
        assert_true(after >= before && fabs(booked(run, kept) - size) <= 0.2 * size);
        mc_run_destroy(run);
        mc_run_destroy(again);
        mc_scenario_free(s);
    }
}

static void no_room(void **unused)
{
    (void)unused;
    mc_scenario *s = scene("point", "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    platoon_steps(run, 1);
    const mc_status status = mc_run_edit(run, "{obstacles: [{name: wall, x: 20.5}]}", &error);
    if (status == MC_OK)
        mc_run_step(run, &error);
    if (!strstr(error.text, "car and wall would overlap"))
        fail_msg("\"%s\"", error.text);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void rejected(void **unused)
{
    (void)unused;
    static const struct {
        const char *obstacles;
        int line, column;
        const char *text;
    } cases[] = {
        {"[{x: 20, shape: sphere}]", 5, 29,
         "sphere is not a shape; expected box, cylinder, ellipsoid or prism"},
        {"[{y: 20}]", 5, 14,
         "an obstacle needs the key x (station of its middle along the main road)"},
        {"[{x: 20, length: 0}]", 5, 30, "length is 0 m; expected 0.01 .. 1000 m"},
        {"[{x: 20, shape: prism}]", 5, 14,
         "a prism needs points: 3 to 32 corners [x, y] of its base, in m"},
        {"[{x: 20, shape: prism, points: [[0, 0], [1, 1], [2, 2]]}]", 5, 44,
         "the corners are on one line; expected an area"},
        {"[{x: 20, shape: prism, points: [[0, 0], [1, 1], [2]]}]", 5, 61,
         "a corner has two numbers, [x, y] in m"},
        {"[{x: 20, points: [[0, 0], [1, 1], [2, 0]]}]", 5, 22,
         "points are those of a prism; this is a box"},
        {"[{x: 20, restitution: 1.5}]", 5, 35, "restitution is 1.5; expected 0 .. 1"},
        {"[{x: 20, widht: 2}]", 5, 22, "an obstacle has no key \"widht\"; did you mean width?"},
        {"[{x: 20, name: a}, {x: 40, name: a}]", 5, 32, "two obstacles are called a"},
        {"{x: 1}", 5, 13, "found a map, expected a list of obstacles, each \"- key: ...\""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[600];
        mc_error error = {0};
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 1}\nmodels: {car: {kind: point, length: "
                 "4.5}}\nvehicles: [{model: car, x: 0, v: 5}]\nobstacles:  %s\n",
                 cases[k].obstacles);
        mc_scenario *s = mc_scenario_parse(text, strlen(text), "t.yaml", &error);
        assert_null(s);
        assert_string_equal(error.text, cases[k].text);
        if (error.line != cases[k].line || error.column != cases[k].column)
            fail_msg("%s: %d:%d", cases[k].obstacles, error.line, error.column);
    }
}

// Cars with a controller stop behind what stands in their way, as behind a car that stands; what is
// beside their strip, above it or behind them is not in the way.
static void controllers_see_them(void **unused)
{
    (void)unused;
    static const struct {
        const char *model, *controller, *obstacle;
        bool stops;
    } cases[] = {
        {"powertrain", "{law: cruise, speed: 25, avoid: true}", "x: 400, y: -3.6", true},
        {"powertrain", "{law: acc, headway: 1.2}", "x: 400, y: -3.6", true},
        {"planar", "{law: acc, headway: 1.2}", "x: 400, y: -4.8", true}, // on its right half
        {"bicycle", "{law: idm, headway: 1.2}",
         "x: 400, y: -3.6, shape: prism, points: [[-2, 0], [1, 1], [1, -1]]", true},
        {"point", "{law: acc, headway: 1.2}", "x: 400, y: -3.6, shape: cylinder, length: 0.3",
         true},
        {"powertrain", "{law: acc, headway: 1.2}", "x: 400, y: 0", false},
        {"powertrain", "{law: acc, headway: 1.2}", "x: 400, y: -3.6, z: 6", false},
        {"powertrain", "{law: acc, headway: 1.2}", "x: -20, y: -3.6", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[800];
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 60, step: 0.02}\nroad: {lanes: 2, lane_width: "
                 "3.6, speed: 25}\nmodels: {car: %s}\ncontrollers: {c: %s}\nvehicles: [{model: "
                 "car, name: car, lane: 2, x: 0, v: 25, controller: c}]\nobstacles: [{name: wall, "
                 "%s}]\n",
                 cases[k].model, cases[k].controller, cases[k].obstacle);
        mc_scenario *s = platoon_scenario(text);
        mc_run *run = platoon_run(s, 1);
        platoon_steps(run, 2500);
        const mc_run_view view = platoon_view(run, "car");
        const mc_motion m = view.motion;
        const bool stopped = m.x > 370.0 && m.x < 400.0 && m.v < 0.1;
        if (view.hits > 0 || stopped != cases[k].stops || (!stopped && !(m.v > 24.0)))
            fail_msg("case %zu: x %g m, %g m/s, %d impacts", k, m.x, m.v, view.hits);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_hits), cmocka_unit_test(controllers_see_them),
        cmocka_unit_test(edited),          cmocka_unit_test(no_room),
        cmocka_unit_test(rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
