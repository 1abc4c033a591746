// test_edits.c - the recording of a run whose log takes a car away, adds one and changes the
// step: the cars it began with at the instants it began with, and those that joined while they were
// there, in CSV files and in the results file; and what they ran into.
#include "motorcade/record.h"
#include "motorcade/replay.h"
#include "motorcade/report.h"
#include "replay/happened.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] = "motorcade: scenario\n"
                           "time: {end: 12, step: 0.05, record: 0.1}\n"
                           "models: {town: powertrain}\n"
                           "controllers: {follow: {law: platoon}}\n"
                           "platoons:\n"
                           "  - leader: {model: town, profile: moderate}\n"
                           "    cars: [{model: town, controller: follow, count: 3}]\n";

static const char log_text[] =
    "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
    "40,edit,,\"{add: {name: late, model: town, controller: follow, platoon: car3}}\",0,0,0,0,0\n"
    "60,edit,,{step: 0.01},0,0,0,0,0\n"
    "160,edit,,{remove: car2},0,0,0,0,0\n"
    "260,brake_lost,car3,,0.5,0,0,0,0\n";

// Rows of a CSV file: times, and whether x is a number.
static int read_rows(const char *folder, const char *name, double *t, bool *there)
{
    char path[128], line[4096];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    int rows = 0;
    for (; rows < 1000 && fgets(line, sizeof line, in); rows++) {
        double x;
        assert_int_equal(sscanf(line, "%lf,%lf", &t[rows], &x), 2);
        there[rows] = !isnan(x);
    }
    fclose(in);
    return rows;
}

// Plays the whole run with the edits of a log, into files of a folder that is made.
static mc_recording *record_edits(mc_run *run, const char *log, char *folder)
{
    mc_error error;
    char path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/log", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(log, out);
    fclose(out);
    assert_int_equal(mc_run_follow_log(run, path, &error), MC_OK);
    char results[64];
    snprintf(results, sizeof results, "%s/run.h5", folder);
    mc_recording *rec =
        mc_recording_open(run, &(mc_record_output){.csv = folder, .hdf5 = results}, &error);
    assert_non_null(rec);
    if (mc_recording_play(rec, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    return rec;
}

static void rows_keep_their_times(void **unused)
{
    (void)unused;
    mc_error error;
    char folder[] = "/tmp/motorcade_record_XXXXXX";
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    mc_recording *rec = record_edits(run, log_text, folder);
    assert_true(fabs(mc_run_time(run) - 12.0) < 1e-9);
    assert_int_equal(mc_run_vehicle_count(run), 4);
    assert_string_equal(mc_recording_vehicle_name(rec, 2), "car2");
    assert_null(mc_recording_vehicle_name(rec, 4));
    const mc_figures *f = mc_recording_figures(rec);
    for (int v = 0; v < 4; v++) // of car2 until it left
        assert_true(isfinite(mc_figures_value(f, v, MC_FIGURE_LARGEST_ACCELERATION)));
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    static const char *const names[] = {"leader", "car1", "car2", "car3"};
    for (int v = 0; v < 4; v++) {
        double t[1000];
        bool there[1000];
        assert_int_equal(read_rows(folder, names[v], t, there), 121);
        for (int k = 0; k < 121; k++) {
            assert_true(fabs(t[k] - 0.1 * k) < 1e-9);
            assert_int_equal(there[k], v != 2 || k <= 40); // at 4 s it is taken away
        }
    }
    double t[1000];
    bool there[1000];
    assert_int_equal(read_rows(folder, "late", t, there), 100); // it joins in the step from 2 s on
    for (int k = 0; k < 100; k++)
        assert_true(there[k] && fabs(t[k] - 2.1 - 0.1 * k) < 1e-9);
    mc_run_destroy(run);
    mc_scenario_free(s);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
}

// Points at first; then a car with an engine joins by the file, leaves by an edit and comes again.
// Its file has the channels that the others do not have.
static void a_late_car_has_its_own_columns(void **unused)
{
    (void)unused;
    static const char mixed[] = "motorcade: scenario\n"
                                "time: {end: 8, step: 0.05, record: 0.1}\n"
                                "models: {dot: point, town: powertrain}\n"
                                "vehicles:\n"
                                "  - {name: one, model: dot, x: 0, v: 20}\n"
                                "  - {name: guest, model: town, x: 200, v: 20, from: 3}\n";
    static const char edits[] =
        "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
        "100,edit,,{remove: guest},0,0,0,0,0\n"
        "120,edit,,\"{add: {name: guest, model: town, lane: 1, x: 900, v: 15}}\",0,0,0,0,0\n";
    mc_error error;
    char folder[] = "/tmp/motorcade_record_XXXXXX", path[64], line[1024];
    mc_scenario *s = platoon_scenario(mixed);
    mc_run *run = platoon_run(s, 1);
    mc_recording *rec = record_edits(run, edits, folder);
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    double t[1000];
    bool there[1000];
    assert_int_equal(read_rows(folder, "one", t, there), 81);
    assert_int_equal(read_rows(folder, "guest", t, there), 50);
    for (int k = 0; k < 50; k++) {
        assert_true(fabs(t[k] - 3.1 - 0.1 * k) < 1e-9);
        assert_int_equal(there[k], t[k] < 5.05 || t[k] > 6.05); // away from 5 s to 6 s
    }
    snprintf(path, sizeof path, "%s/guest.csv", folder);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    assert_non_null(strstr(line, ",fuel_rate,"));
    assert_non_null(fgets(line, sizeof line, in));
    assert_null(strstr(line, "nan,nan,nan,nan")); // they have numbers
    fclose(in);
    snprintf(path, sizeof path, "%s/one.csv", folder);
    in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    assert_null(strstr(line, "fuel"));
    fclose(in);
    mc_run_destroy(run);
    mc_scenario_free(s);
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
}

// ---- the results file ----

typedef struct csv_rows {
    double t[1000], x[1000], v[1000];
    int count;
} csv_rows;

static void read_csv(const char *folder, const char *name, csv_rows *out)
{
    char path[128], line[4096];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    out->count = 0;
    for (int *k = &out->count; *k < 1000 && fgets(line, sizeof line, in); ++*k)
        assert_int_equal(sscanf(line, "%lf,%lf,%*f,%*f,%lf", &out->t[*k], &out->x[*k], &out->v[*k]),
                         3);
    fclose(in);
}

typedef struct compared {
    const recorded *file;
    const csv_rows *rows;
    int vehicle, x, v, found;
} compared;

// What a CSV file says at each of its times; elsewhere nothing.
static mc_status compare_block(void *context, const recorded_block *b, mc_error *error)
{
    (void)error;
    compared *c = context;
    for (int64_t k = 0; k < b->count; k++) {
        int at = 0;
        while (at < c->rows->count && fabs(c->rows->t[at] - b->time[k]) > 1e-9)
            at++;
        const double x = recorded_value(b, k, c->vehicle, &c->file->quantities[c->x]);
        const double v = recorded_value(b, k, c->vehicle, &c->file->quantities[c->v]);
        const bool there = at < c->rows->count && !isnan(c->rows->x[at]);
        assert_int_equal(!isnan(x), there);
        assert_true(!there || (x == c->rows->x[at] && v == c->rows->v[at]));
        c->found += there;
    }
    return MC_OK;
}

static int find_vehicle(const recorded *r, const char *name)
{
    int v = 0;
    while (v < r->vehicle_count && strcmp(r->names[v], name) != 0)
        v++;
    return v < r->vehicle_count ? v : -1;
}

// Rows of a vehicle, alone and among all, are those of its CSV file. How many there are.
static int same_rows(recorded *r, const char *folder, const char *name)
{
    mc_error error = {0};
    static csv_rows rows;
    read_csv(folder, name, &rows);
    compared c = {.file = r,
                  .rows = &rows,
                  .vehicle = find_vehicle(r, name),
                  .x = recorded_find(r, "x"),
                  .v = recorded_find(r, "v")};
    assert_true(c.vehicle >= 0);
    const recorded_part alone = {0, r->row_count, c.vehicle, 1, 1u << RECORDED_MOTION};
    const recorded_part all = {0, r->row_count, 0, r->vehicle_count, 1u << RECORDED_MOTION};
    assert_int_equal(recorded_walk(r, &alone, compare_block, &c, &error), MC_OK);
    assert_int_equal(recorded_walk(r, &all, compare_block, &c, &error), MC_OK);
    return c.found / 2;
}

static const char flow[] = "motorcade: scenario\n"
                           "time: {end: 30, step: 0.05, record: 0.1}\n"
                           "road: {lanes: 2, speed: 20, end: 400}\n"
                           "models: {dot: point, town: powertrain}\n"
                           "controllers: {driver: {law: idm, headway: 1.2, distance: 2}}\n"
                           "vehicles:\n"
                           "  - {model: dot, name: first, x: 200, v: 20, controller: driver}\n"
                           "  - {model: town, name: guest, lane: 2, x: 100, v: 20, from: 3,\n"
                           "     controller: driver}\n"
                           "sources: [{name: new, flow: 900, model: dot, controller: driver,\n"
                           "           v: 20, from: 1}]\n";
static const char flow_log[] =
    "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
    "100,edit,,{remove: guest},0,0,0,0,0\n"
    "120,edit,,\"{add: {name: guest, model: town, controller: driver, lane: 2, x: 50, v: 15}}\""
    ",0,0,0,0,0\n";

static void a_results_file_has_every_vehicle(void **unused)
{
    (void)unused;
    mc_error error = {0};
    char folder[] = "/tmp/motorcade_record_XXXXXX", path[64];
    mc_scenario *s = platoon_scenario(flow);
    mc_run *run = platoon_run(s, 1);
    mc_recording *rec = record_edits(run, flow_log, folder);
    const int entered = (int)mc_run_counts_of(run).entered, left = (int)mc_run_counts_of(run).left;
    assert_true(entered >= 4 && left >= 2);
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    snprintf(path, sizeof path, "%s/run.h5", folder);

    recorded r;
    if (recorded_open(&r, path, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(r.first_count, 1);
    assert_int_equal(r.vehicle_count, 2 + entered);
    assert_string_equal(r.names[0], "first");
    assert_string_equal(r.names[r.first_count], "new1");
    for (int v = 0; v < r.vehicle_count; v++)
        assert_true(same_rows(&r, folder, r.names[v]) > 5);
    // It joins at 3 s, is away from 5 to 6 s, and leaves at the end of the road.
    const int there = same_rows(&r, folder, "guest");
    assert_true(there > 20 + 100 && there < 300 - 30 - 10);

    // What they are, and their figures.
    const results_shape *shape;
    double *values;
    const int guest = find_vehicle(&r, "guest");
    assert_true(recorded_last_row(&r, "vehicles", true, &shape, &values));
    const double lane = values[guest * shape->column_count + results_shape_find(shape, "lane")];
    const double length = values[guest * shape->column_count + results_shape_find(shape, "length")];
    assert_true(lane == 1.0 && length > 3.0 && length < 8.0);
    free(values);
    assert_true(recorded_last_row(&r, "figures", true, &shape, &values));
    for (int v = 0; v < r.vehicle_count; v++) {
        const double distance =
            values[v * shape->column_count + results_shape_find(shape, "distance")];
        assert_true(distance > 0.0 && distance < 700.0);
    }
    free(values);
    const char **models = recorded_words(&r, "vehicle_models", r.vehicle_count);
    assert_string_equal(models[0], "dot (point)");
    assert_string_equal(models[guest], "town (powertrain)");
    recorded_close(&r);

    // The studio and the report read it.
    mc_replay *replay = mc_replay_load(path, NULL, &error);
    assert_non_null(replay);
    assert_int_equal(mc_replay_info_of(replay)->car_count, 2 + entered);
    mc_replay_free(replay);
    char *page;
    assert_int_equal(mc_report_text(path, &page, NULL, &error), MC_OK);
    assert_non_null(strstr(page, "new1"));
    free(page);
    mc_run_destroy(run);
    mc_scenario_free(s);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
}

// A car runs into one that stands and is taken away at once; another hits a third one later. Both
// collisions are in the file and in the figures, also of one that joined.
static void impacts_outlive_the_cars(void **unused)
{
    (void)unused;
    static const char crash[] = "motorcade: scenario\n"
                                "time: {end: 6, step: 0.02, record: 0.1}\n"
                                "road: {lanes: 3}\n"
                                "models: {dot: point}\n"
                                "vehicles:\n"
                                "  - {model: dot, name: a, x: 60, v: 0}\n"
                                "  - {model: dot, name: b, x: 30, v: 20}\n"
                                "  - {model: dot, name: c, lane: 2, x: 60, v: 0}\n"
                                "  - {model: dot, name: d, lane: 2, x: 0, v: 20, from: 1}\n"
                                "  - {model: dot, name: e, lane: 3, x: 0, v: 20}\n";
    static const char edits[] = "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
                                "70,edit,,{remove: a},0,0,0,0,0\n"
                                "190,edit,,{remove: d},0,0,0,0,0\n";
    mc_error error = {0};
    char folder[] = "/tmp/motorcade_record_XXXXXX", path[64];
    mc_scenario *s = platoon_scenario(crash);
    mc_run *run = platoon_run(s, 1);
    mc_recording *rec = record_edits(run, edits, folder);
    int count;
    mc_run_impacts(run, &count);
    assert_int_equal(count, 0); // the run itself has forgotten them
    const mc_figures *f = mc_recording_figures(rec);
    assert_true(mc_figures_value(f, -1, MC_FIGURE_COLLISIONS) == 2.0);
    mc_collision c;
    const char *names[2];
    assert_true(mc_recording_gone(rec, 0, &c, names) && c.first < 1.4);
    assert_string_equal(names[0], "a");
    assert_string_equal(names[1], "b");
    assert_true(mc_recording_gone(rec, 1, &c, names) && c.first > 1.4);
    assert_false(mc_recording_gone(rec, 2, &c, names));
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    snprintf(path, sizeof path, "%s/run.h5", folder);
    recorded r;
    recorded_list list;
    if (recorded_open(&r, path, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(recorded_list_read(&r, "impacts", &list, &error), MC_OK);
    int of_a = 0, of_d = 0;
    for (int64_t k = 0; k < list.row_count; k++) {
        mc_impact i;
        assert_true(recorded_impact(&r, &list, k, &i));
        of_a += i.a == find_vehicle(&r, "a") && i.b == find_vehicle(&r, "b");
        of_d += i.a == find_vehicle(&r, "c") && i.b == find_vehicle(&r, "d");
    }
    assert_true(of_a > 0 && of_d > 0 && of_a + of_d == list.row_count);
    recorded_list_free(&list);
    recorded_close(&r);
    char *page;
    assert_int_equal(mc_report_text(path, &page, NULL, &error), MC_OK);
    assert_non_null(strstr(page, "<b>b</b> runs into <b>a</b>"));
    assert_non_null(strstr(page, "<b>d</b> runs into <b>c</b>"));
    free(page);
    mc_run_destroy(run);
    mc_scenario_free(s);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_keep_their_times),
                                       cmocka_unit_test(a_late_car_has_its_own_columns),
                                       cmocka_unit_test(a_results_file_has_every_vehicle),
                                       cmocka_unit_test(impacts_outlive_the_cars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
