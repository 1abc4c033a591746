// test_edits.c - the recording of a run whose log takes a car away, adds one and changes the
// step: the cars it began with at the instants it began with, and a CSV file of every other one.
#include "motorcade/record.h"
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

// Plays the whole run with the edits of a log, into CSV files of a folder that is made.
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
    mc_recording *rec = mc_recording_open(run, &(mc_record_output){.csv = folder}, &error);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_keep_their_times),
                                       cmocka_unit_test(a_late_car_has_its_own_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
