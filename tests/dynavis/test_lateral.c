// test_lateral.c - lateral data: cars keep their platoon when they change lanes, runs are written
// and continued with y and the direction in which cars move, cars come and go.
#include "motorcade/dynavis.h"
#include "motorcade/record.h"
#include "support/platoon.h"
#include "support/run.h"
#include "support/sample.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_error error;

static const char *in(const run_folder *folder, const char *name)
{
    static char path[8][128];
    static int k;
    k = (k + 1) % 8;
    snprintf(path[k], sizeof path[k], "%s/%s", folder->path, name);
    return path[k];
}

static void need_ok(mc_status status)
{
    if (status != MC_OK)
        fail_msg("%s", error.text);
}

static mc_dynavis_data *load(const run_folder *folder, const char *data, const char *par)
{
    mc_dynavis_params params;
    need_ok(mc_dynavis_params_read(in(folder, par), 2, &params, &error));
    mc_dynavis_data *d = mc_dynavis_data_load(in(folder, data), &params, NULL, &error);
    if (!d)
        fail_msg("%s", error.text);
    return d;
}

// ---- platoons and lanes ----

#define LATERAL                                                                                    \
    "Time_Headway_given=0\nFixed_Headway_given=0\nAccel_avail=0\nJerk_avail=0\nNcars_given=0\n"    \
    "CarID_given=0\n"

// Two platoons of two; the second car of the first one goes from lane 1 to lane 3.
static void platoon_stays(void **unused)
{
    (void)unused;
    static const char items[] = LATERAL "Lanes=2\nCars=2\n";
    static const char text[] = "0 100 0 20 0    60 0    20 -0.5   90 0 20 0    50 0.2 20 0\n"
                               "1 120 0 20 0    80 -1.8 20 -1     110 0 20 0   70 0.2 20 0\n"
                               "2 140 0 20 0   100 -6.7 20 0      130 0 20 0   90 0.2 20 0\n";
    mc_dynavis_params params;
    need_ok(mc_dynavis_params_parse(items, strlen(items), "p", 2, &params, &error));
    mc_dynavis_data *d = mc_dynavis_data_parse(text, strlen(text), "d", &params, NULL, &error);
    if (!d)
        fail_msg("%s", error.text);
    static const int lane[3] = {1, 2, 3};
    static const double y[3] = {0.0, -1.8, -6.7};
    for (int f = 0; f < 3; f++) {
        const mc_dynavis_car *cars = d->frames[f].cars;
        assert_int_equal(cars[1].platoon, 1);
        assert_int_equal(cars[1].lane, lane[f]);
        assert_true(cars[1].y == y[f]);
        // y of the second platoon counts from the centre of lane 2.
        assert_int_equal(cars[3].platoon, 2);
        assert_int_equal(cars[3].lane, 2);
        assert_true(fabs(cars[3].y + 3.2) < 1e-15 && cars[3].v_y == 0.0);
    }
    assert_true(d->frames[0].cars[1].v_y == -0.5);
    // With one platoon the same numbers count from lane 1, and y alone decides the lane.
    static const char one[] = LATERAL "Lanes=1\nCars=4\n";
    mc_dynavis_data_free(d);
    need_ok(mc_dynavis_params_parse(one, strlen(one), "p", 2, &params, &error));
    d = mc_dynavis_data_parse(text, strlen(text), "d", &params, NULL, &error);
    assert_non_null(d);
    assert_int_equal(d->frames[2].cars[1].platoon, 1);
    assert_int_equal(d->frames[2].cars[1].lane, 3);
    assert_int_equal(d->frames[2].cars[3].platoon, 1);
    assert_int_equal(d->frames[2].cars[3].lane, 1);
    mc_dynavis_data_free(d);
}

// ---- a run continues ----

// Two platoons on three lanes; cars of both change lanes at any time.
static mc_scenario *changing(unsigned long long *seed, const char *kind, double end)
{
    char text[2048];
    const double at[3] = {sample_uniform(seed, 0.0, 6.0), sample_uniform(seed, 0.0, 6.0),
                          sample_uniform(seed, 0.0, 6.0)};
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: %g, step: 0.05, record: 0.05}\n"
             "road: {lanes: 3, lane_width: 3.4, speed: 25}\n"
             "models: {car: {kind: %s, length: 5}}\n"
             "controllers: {follow: {law: acc, headway: 1.2, distance: 8}}\n"
             "platoons:\n"
             "  - lane: 1\n    v: 25\n    leader: {model: car, name: la, profile: 25}\n"
             "    cars: [{model: car, name: a, controller: follow, count: 2}]\n"
             "  - lane: 2\n    x: -18\n    v: 25\n"
             "    leader: {model: car, name: lb, profile: 25}\n"
             "    cars: [{model: car, name: b, controller: follow, count: 2}]\n"
             "events:\n  - {at: %.3f, vehicle: b2, lane: 3}\n  - {at: %.3f, vehicle: b1, lane: 3}\n"
             "  - {at: %.3f, vehicle: a2, lane: 2}\n",
             end, kind, at[0], at[1], at[2]);
    return platoon_scenario(text);
}

typedef struct continued {
    unsigned long long seed;
    long between; // cars that were between lanes at the end of the data
    double worst; // m, largest jump of a car over the first second
} continued;

// The scenario of the last line of a run begins where the run ended, in lane, place and direction.
static void one_run(continued *kept, long i)
{
    run_folder folder = run_folder_make();
    const double end = floor(sample_uniform(&kept->seed, 1.0, 12.0) * 20.0) / 20.0;
    mc_scenario *s = changing(&kept->seed, i % 2 ? "powertrain" : "point", end);
    mc_run *run = platoon_run(s, 1);
    const mc_record_output output = {.dynavis = in(&folder, "run.dat")};
    mc_recording *rec = mc_recording_open(run, &output, &error);
    assert_non_null(rec);
    need_ok(mc_recording_play(rec, NULL, &error));
    need_ok(mc_recording_close(rec, &error));
    mc_dynavis_data *d = load(&folder, "run.dat", "run.par");
    assert_int_equal((int)d->params.value[MC_DYNAVIS_PARAM_LANES], 2);
    const mc_dynavis_scenario from = {.params = &d->params, .data = d};
    need_ok(mc_dynavis_write_scenario(in(&folder, "next.yaml"), &from, &error));
    mc_scenario *next = mc_scenario_load(in(&folder, "next.yaml"), &error);
    if (!next)
        fail_msg("%s", error.text);
    mc_run *again = platoon_run(next, 1);
    assert_int_equal(mc_run_vehicle_count(again), 6);
    for (int v = 0; v < 6; v++) {
        mc_run_view was, is;
        mc_run_look(run, v, &was);
        mc_run_look(again, v, &is);
        mc_run_vehicle_info before, now;
        mc_run_vehicle(run, v, &before);
        mc_run_vehicle(again, v, &now);
        assert_int_equal(now.platoon, before.platoon);
        assert_int_equal(is.lane, mc_dynavis_lane(was.motion.y) - 1);
        const double across = was.motion.v * sin(was.motion.psi) + was.motion.v_y;
        assert_true(fabs(is.motion.x - was.motion.x) < 1e-9);
        assert_true(fabs(is.motion.y - was.motion.y) < 1e-12);
        assert_true(fabs(is.motion.v * sin(is.motion.psi) - across) < 1e-4);
        assert_true(fabs(is.motion.v - was.motion.v) < 1e-3);
        kept->between += fabs(is.motion.y + 3.4 * is.lane) > 0.5;
    }
    // A second later no car is where its motion would not have brought it: the bound is that of a
    // lateral acceleration of 1 m/s^2 on either side.
    platoon_steps(again, 20);
    for (int v = 0; v < 6; v++) {
        mc_run_view was, is;
        mc_run_look(run, v, &was);
        mc_run_look(again, v, &is);
        const double drift = was.motion.v * sin(was.motion.psi) + was.motion.v_y;
        const double off = fabs(is.motion.y - was.motion.y - drift);
        kept->worst = fmax(kept->worst, off);
        assert_true(is.hits == 0);
    }
    mc_run_destroy(again);
    mc_scenario_free(next);
    mc_dynavis_data_free(d);
    mc_run_destroy(run);
    mc_scenario_free(s);
    run_folder_remove(&folder);
}

static void runs_continue(void **unused)
{
    (void)unused;
    continued kept = {.seed = 15};
    series s = series_open("dynavis_lateral", 1000, &kept, sizeof kept);
    for (long i; series_next(&s, &i);)
        one_run(&kept, i);
    if (!(kept.worst < 0.6 && kept.between > s.count / 2))
        fail_msg("%g m, %ld cars between lanes of %ld runs", kept.worst, kept.between, s.count);
}

// ---- cars come and go ----

static void cars_come_and_go(void **unused)
{
    (void)unused;
    static const char text[] =
        "motorcade: scenario\ntime: {end: 3, step: 0.05, record: 0.5}\nroad: {lanes: 2}\n"
        "models: {car: {kind: point, length: 5}}\ncontrollers: {follow: {law: acc}}\n"
        "vehicles:\n"
        "  - {model: car, name: first, x: 100, v: 20, controller: follow}\n"
        "  - {model: car, name: second, x: 60, v: 20, controller: follow}\n"
        "  - {model: car, name: late, x: 30, v: 20, controller: follow, lane: 2, from: 1}\n";
    run_folder folder = run_folder_make();
    run_put(&folder, "log",
            "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
            "40,edit,,{remove: first},0,0,0,0,0\n");
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    need_ok(mc_run_follow_log(run, in(&folder, "log"), &error));
    const mc_record_output output = {.dynavis = in(&folder, "run.dat")};
    mc_recording *rec = mc_recording_open(run, &output, &error);
    assert_non_null(rec);
    need_ok(mc_recording_play(rec, NULL, &error));
    need_ok(mc_recording_close(rec, &error));
    mc_dynavis_data *d = load(&folder, "run.dat", "run.par");
    assert_int_equal(d->frame_count, 7);
    // A row shows the state before what the log and the scenario ask for at its time.
    static const int ids[7][4] = {{1, 2}, {1, 2}, {1, 2}, {1, 2, 3}, {1, 2, 3}, {2, 3}, {2, 3}};
    for (int f = 0; f < 7; f++) {
        int count = 0;
        while (ids[f][count])
            count++;
        assert_int_equal(d->frames[f].car_count, count);
        for (int k = 0; k < count; k++)
            assert_int_equal(d->frames[f].cars[k].id, ids[f][k]);
    }
    assert_int_equal(d->frames[6].cars[1].lane, 2);
    mc_dynavis_data_free(d);
    mc_run_destroy(run);
    mc_scenario_free(s);
    run_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platoon_stays),
        cmocka_unit_test(runs_continue),
        cmocka_unit_test(cars_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
