// test_results.c - results files of every kind have the same tables, and are read alike: by
// recordings, reports and plots; those of Motorcade 0.1 (tests/data/results-1) too.
#include "hdf5/results_read.h"
#include "motorcade/record.h"
#include "motorcade/replay.h"
#include "motorcade/report.h"
#include "replay/recorded.h"
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A leader that stops, a deformable car behind it that has lost its brakes, a car by itself.
static const char crash[] =
    "motorcade: scenario\nname: crash\ntime: {end: 4, step: 0.02, record: 0.1}\n"
    "road: {lanes: 2, lane_width: 3.5, headway: 1, distance: 2}\n"
    "models: {dot: {kind: point}, soft: {kind: cosserat, file: model.dat, tyre: brush}}\n"
    "controllers: {follow: acc}\n"
    "profiles: {stop: {table: [[0, 20], [1, 20], [2, 0]]}}\n"
    "platoons: [{leader: {model: dot, profile: stop}, cars: [{model: soft, controller: follow, "
    "spacing: 4}]}]\n"
    "vehicles: [{name: single, model: dot, lane: 2, x: 10, v: 20}]\n"
    "events: [{at: 0.5, vehicle: car1, brake_lost: 0}]\n";

static int set_up(void **state)
{
    cli_set_up(state);
    cli_copy_medusa();
    run_put(&folder, "crash.yaml", crash);
    run_copy(&folder, "pendulum.yaml", SOURCE_DIR "/models/pendulum.yaml");
    free(cli_done("run crash.yaml -q -o run.h5"));
    free(cli_done("run crash.yaml -q --end 0.4 --csv rows"));
    free(cli_done("medusa -t2 -s0.1 --hdf5 medusa.h5 --quiet"));
    free(cli_done("simulate pendulum.yaml --end 1 --step 0.1 -o simulate.h5 -q"));
    static const char *const old[] = {"run", "medusa", "simulate"};
    for (int k = 0; k < 3; k++) {
        char from[300], to[64];
        snprintf(from, sizeof from, SOURCE_DIR "/tests/data/results-1/%s.h5", old[k]);
        snprintf(to, sizeof to, "%s-1.h5", old[k]);
        run_copy(&folder, to, from);
    }
    return 0;
}

static results_reader *open_file(const char *name)
{
    mc_error error;
    results_reader *r = results_reader_open(cli_path(name), &error);
    if (!r)
        fail_msg("%s: %s", name, error.text);
    return r;
}

static const results_shape *table_of(const results_reader *r, const char *name)
{
    const int table = results_reader_find(r, name);
    if (table < 0)
        fail_msg("unknown table \"%s\"", name);
    return results_reader_table(r, table);
}

static void same_columns(const results_shape *a, const results_shape *b)
{
    assert_int_equal(a->column_count, b->column_count);
    for (int64_t k = 0; k < a->column_count; k++) {
        assert_string_equal(a->columns[k], b->columns[k]);
        assert_string_equal(a->units[k], b->units[k]);
        assert_string_equal(a->docs[k], b->docs[k]);
    }
}

// What two tables call the same has the same unit and meaning.
static void shared_columns(const results_shape *a, const results_shape *b, int expected)
{
    int shared = 0;
    for (int64_t k = 0; k < a->column_count; k++) {
        const int64_t j = results_shape_find(b, a->columns[k]);
        if (j < 0)
            continue;
        assert_string_equal(a->units[k], b->units[j]);
        shared++;
    }
    assert_int_equal(shared, expected);
}

static void the_same_tables_in_every_file(void **state)
{
    (void)state;
    static const char *const same[] = {"time", "pose", "energy", "vehicles", "impacts", "events"};
    results_reader *run = open_file("run.h5"), *medusa = open_file("medusa.h5");
    results_reader *simulate = open_file("simulate.h5");
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++)
        same_columns(table_of(run, same[k]), table_of(medusa, same[k]));
    same_columns(table_of(run, "time"), table_of(simulate, "time"));
    shared_columns(table_of(run, "motion"), table_of(medusa, "motion"), 5);   // x y psi v a
    shared_columns(table_of(run, "energy"), table_of(simulate, "energy"), 2); // total, kinetic
    assert_int_equal(table_of(simulate, "motion")->vehicle_count, 1);
    results_reader *const all[] = {run, medusa, simulate};
    static const char *const kinds[] = {"run", "medusa", "simulate"};
    static const char *const first[] = {"leader", "vehicle1", "pendulum"};
    for (int k = 0; k < 3; k++) {
        int64_t count;
        const char *const *names = results_reader_list(all[k], "vehicle_names", &count);
        assert_string_equal(results_reader_text(all[k], "format"), "motorcade results 2");
        assert_string_equal(results_reader_text(all[k], "kind"), kinds[k]);
        assert_string_equal(results_reader_text(all[k], "ended"), "end time reached");
        assert_non_null(results_reader_text(all[k], "motorcade"));
        assert_non_null(strstr(results_reader_text(all[k], "command"), kinds[k]));
        assert_int_equal(count, table_of(all[k], "motion")->vehicle_count);
        assert_string_equal(names[0], first[k]);
        results_reader_free(all[k]);
    }
}

// Point cars alone: what they do is in motion, and pose and energy only when asked for.
static void cars_in_the_plane(void **state)
{
    (void)state;
    run_put(&folder, "flat.yaml",
            "motorcade: scenario\ntime: {end: 1, step: 0.02, record: 0.1}\n"
            "models: {dot: {kind: point}}\n"
            "vehicles: [{name: one, model: dot, x: 0, v: 10}]\n");
    free(cli_done("run flat.yaml -q -o flat.h5"));
    results_reader *r = open_file("flat.h5");
    assert_int_equal(results_reader_find(r, "pose"), -1);
    assert_int_equal(results_reader_find(r, "energy"), -1);
    results_reader_free(r);
    free(cli_done("run flat.yaml -q --full -o full.h5"));
    run_table motion = run_table_hdf5(&folder, "full.h5", "motion");
    run_table pose = run_table_hdf5(&folder, "full.h5", "pose");
    run_table energy = run_table_hdf5(&folder, "full.h5", "energy");
    assert_int_equal(pose.row_count, 11);
    for (int row = 0; row < 11; row++) {
        assert_true(run_at(&pose, row, 0) == run_at(&motion, row, 0)); // x
        assert_true(run_at(&pose, row, 3) == 1.0 && run_at(&pose, row, 11) == 1.0);
        assert_true(run_at(&pose, row, 12) == run_at(&motion, row, 3)); // v
        assert_true(run_at(&energy, row, 0) == run_at(&energy, row, 1) &&
                    run_at(&energy, row, 0) > 0.0);
    }
    assert_true(isnan(run_at(&motion, 0, 9))); // n: no engine
    run_table_free(&motion);
    run_table_free(&pose);
    run_table_free(&energy);
}

static mc_replay *open_replay(const char *name)
{
    mc_error error = {0};
    mc_replay *r = mc_replay_load(cli_path(name), NULL, &error);
    if (!r)
        fail_msg("%s: %s", name, error.text);
    return r;
}

// Impacts come in order, between the vehicles that met, with the numbers of the file.
static void check_impacts(const mc_replay *r, const char *file, int a, int b)
{
    int count;
    const mc_impact *impacts = mc_replay_impacts(r, &count);
    run_table t = run_table_hdf5(&folder, file, "impacts");
    assert_true(mc_replay_info_of(r)->impacts);
    assert_true(count > 0 && count == t.row_count);
    for (int k = 0; k < count; k++) {
        assert_true(impacts[k].a == a && impacts[k].b == b);
        assert_true(k == 0 || impacts[k].time >= impacts[k - 1].time);
        assert_true(impacts[k].closing > 0.0 && impacts[k].impulse > 0.0);
        assert_true(fabs(fabs(impacts[k].normal[0]) - 1.0) < 0.1);
        assert_true(isnan(impacts[k].before[0].kinetic));
    }
    assert_true(impacts[0].time == run_at(&t, 0, 0));
    run_table_free(&t);
}

// The collision of run.h5 takes less than the 0.1 s between rows. contact_motion has the two that
// collide at its instants, with the columns of all tables; a recording has these rows, and the
// third car between its own.
static void a_collision_between_two_rows(void **state)
{
    (void)state;
    run_table t = run_table_hdf5(&folder, "run.h5", "contact_motion");
    results_reader *file = open_file("run.h5");
    const results_shape *shape = table_of(file, "contact_motion");
    static const char *const of[] = {"motion", "pose", "energy"};
    for (int k = 0; k < 3; k++) {
        const results_shape *other = table_of(file, of[k]);
        for (int64_t c = 0; c < other->column_count; c++)
            assert_true(results_shape_find(shape, other->columns[c]) >= 2);
    }
    const int x = (int)results_shape_find(shape, "x"), v = (int)results_shape_find(shape, "v");
    const int d11 = (int)results_shape_find(shape, "d11");
    mc_replay *r = open_replay("run.h5");
    const mc_replay_info *info = mc_replay_info_of(r);
    int impact_count, within = 0, checked = 0;
    const mc_impact *impacts = mc_replay_impacts(r, &impact_count);
    double last = -HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
    for (int row = 0; row < t.row_count; row++) {
        assert_true(run_at(&t, row, 0) >= last);
        last = run_at(&t, row, 0);
        assert_true(run_at(&t, row, 1) == 0.0 || run_at(&t, row, 1) == 1.0); // leader, car1
        if (run_at(&t, row, 1) == 1.0 && last >= impacts[0].time && last < impacts[0].time + 0.1) {
            low = fmin(low, run_at(&t, row, d11)), high = fmax(high, run_at(&t, row, d11));
            within++;
        }
    }
    printf("%d rows of contact_motion; of car1 %d in the first 0.1 s, d11 from %.4f to %.4f\n",
           t.row_count, within, low, high);
    assert_true(within >= 8 && high - low > 1e-3);
    assert_true(info->instant_count >= within && info->row_count == 41);
    for (int k = 0, row = 0; k < info->instant_count; k++) {
        const int at = info->row_count + k;
        const double time = mc_replay_time(r, at);
        const double *middle = mc_replay_row(r, at, MC_FIELD_MIDDLE);
        mc_replay_car soft;
        mc_replay_car_at(r, 1, &soft);
        while (row + 1 < t.row_count && !(run_at(&t, row, 0) == time && run_at(&t, row, 1) == 1.0))
            row++;
        if (run_at(&t, row, 0) != time)
            continue;
        assert_true(middle[1] == run_at(&t, row, x) + soft.middle);
        assert_true(mc_replay_row(r, at, MC_FIELD_V)[1] == run_at(&t, row, v));
        assert_true(mc_replay_poses(r, at)[MC_REPLAY_POSE + 3] == run_at(&t, row, d11));
        assert_true(fabs(middle[2] - (10.0 + 20.0 * time)) < 1e-6); // alone, at 20 m/s
        checked++;
    }
    assert_true(checked >= within);
    mc_replay_free(r);
    results_reader_free(file);
    run_table_free(&t);
}

static void a_run_as_a_recording(void **state)
{
    (void)state;
    mc_replay *r = open_replay("run.h5");
    const mc_replay_info *info = mc_replay_info_of(r);
    assert_int_equal(info->car_count, 3);
    assert_int_equal(info->row_count, 41);
    assert_int_equal(info->lane_count, 2);
    assert_true(info->lane_width == 3.5 && info->poses);
    assert_string_equal(info->note, "");
    mc_replay_car soft, single;
    mc_replay_car_at(r, 1, &soft);
    mc_replay_car_at(r, 2, &single);
    assert_string_equal(soft.name, "car1");
    assert_string_equal(soft.model, "soft (cosserat)");
    assert_true(soft.deformable && !single.deformable);
    assert_true(soft.mass == 1573.0 && soft.place == 1 && single.lane == 1);
    run_table motion = run_table_hdf5(&folder, "run.h5", "motion");
    const int width = motion.column_count / 3;
    for (int row = 0; row < 41; row += 10) {
        const double *x = mc_replay_row(r, row, MC_FIELD_MIDDLE);
        assert_true(x[1] == run_at(&motion, row, width) + soft.middle);
        assert_true(mc_replay_poses(r, row)[MC_REPLAY_POSE] == run_at(&motion, row, width));
        assert_true(fabs(mc_replay_poses(r, row)[MC_REPLAY_POSE + 3] - 1.0) < 0.1); // d11
    }
    assert_non_null(mc_replay_row(r, 0, MC_FIELD_ENERGY));
    assert_null(mc_replay_row(r, 0, MC_FIELD_MILEAGE));
    check_impacts(r, "run.h5", 0, 1);
    mc_happened e;
    assert_int_equal(mc_replay_event_at(r, 0, &e), 1);
    assert_string_equal(e.name, "brake_lost");
    assert_string_equal(e.vehicle_name, "car1");
    assert_true(e.vehicle == 1 && fabs(e.time - 0.5) < 1e-9);
    assert_int_equal(mc_replay_event_at(r, 1, &e), 0);
    run_table_free(&motion);
    mc_replay_free(r);
}

static void a_medusa_run_as_a_recording(void **state)
{
    (void)state;
    mc_replay *r = open_replay("medusa.h5");
    mc_replay_car car;
    mc_replay_car_at(r, 1, &car);
    assert_int_equal(mc_replay_info_of(r)->car_count, 2);
    assert_string_equal(car.name, "vehicle2");
    assert_true(car.deformable && car.mass == 1573.0);
    assert_true(fabs(mc_replay_row(r, 0, MC_FIELD_V)[0] - 24.4444) < 1e-9);
    assert_true(mc_replay_row(r, 0, MC_FIELD_PSI)[0] == 0.0);
    check_impacts(r, "medusa.h5", 0, 1);
    mc_replay_free(r);
}

static void a_mechanism_is_no_recording(void **state)
{
    (void)state;
    static const char *const files[] = {"simulate.h5", "simulate-1.h5"};
    for (int k = 0; k < 2; k++) {
        mc_error error = {0};
        assert_null(mc_replay_load(cli_path(files[k]), NULL, &error));
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_non_null(strstr(
            error.text,
            "of motorcade simulate, which has no road; use motorcade report or motorcade plot"));
    }
}

static char *report(const char *name)
{
    mc_error error;
    char *text;
    if (mc_report_text(cli_path(name), &text, NULL, &error) != MC_OK)
        fail_msg("%s: %s", name, error.text);
    return text;
}

static void has(const char *page, const char *text)
{
    if (!strstr(page, text))
        fail_msg("the page lacks \"%s\"", text);
}

static void every_kind_has_a_report(void **state)
{
    (void)state;
    char *page = report("run.h5");
    has(page, "<b>car1</b> runs into <b>leader</b>");
    has(page, "Energy of all cars together");
    has(page, "<td class=\"t\">absorbed by permanent deformation since the start</td>");
    free(page);
    page = report("medusa.h5");
    has(page, "<span class=\"pill\">A run of MEDUSA</span>");
    has(page, "<b>vehicle1</b> runs into <b>vehicle2</b>");
    has(page, "<td class=\"t\">run_figures, figures; motorcade medusa does not record them</td>");
    assert_null(strstr(page, "String stability")); // they are in no platoon
    free(page);
    page = report("simulate.h5");
    has(page, "<h1>pendulum</h1>");
    has(page, "<span class=\"pill\">A mechanism</span>");
    has(page, "<td class=\"t\">rod.angle</td>");
    has(page, "<td class=\"t\">energy of gravity and springs</td>");
    has(page, "<th>mechanism</th><td class=\"t\">pendulum</td>");
    has(page, "motorcade simulate does not record them");
    assert_null(strstr(page, "No two cars touched"));
    free(page);
}

static void reports_of_old_files(void **state)
{
    (void)state;
    char *page = report("run-1.h5");
    has(page, "<b>car1</b> runs into <b>leader</b>");
    has(page, "<b>car1</b> loses its brakes");
    has(page, "<span class=\"pill\">The expectation holds</span>");
    has(page, "<td class=\"t\">town (powertrain)</td><td class=\"t\">follow</td>");
    has(page, "it was written by Motorcade 0.1");
    free(page);
    page = report("medusa-1.h5");
    has(page, "<b>car 1</b> runs into <b>car 2</b>");
    has(page, "Energy of all cars together");
    free(page);
    page = report("simulate-1.h5");
    has(page, "<h1>pendulum</h1>");
    has(page, "<td class=\"t\">rod.angle</td>");
    free(page);
    mc_replay *r = open_replay("medusa-1.h5");
    int count;
    assert_true(mc_replay_impacts(r, &count)[0].a == 0 && count > 0); // counted from 1 there
    assert_true(fabs(mc_replay_row(r, 0, MC_FIELD_V)[0] - 24.4444) < 1e-9);
    mc_replay_free(r);
    r = open_replay("run-1.h5");
    assert_non_null(strstr(mc_replay_info_of(r)->note, "has no car sizes"));
    mc_replay_free(r);
}

// Quantities of all tables can be drawn, over time and over one another.
static void plots_of_every_kind(void **state)
{
    (void)state;
    free(cli_done("plot run.h5 --y v,z,elastic --cars 2 --csv run.csv -o run.svg"));
    char *text = run_get(&folder, "run.csv", NULL);
    assert_memory_equal(text, "t [s],car1.v [m/s],car1.z [m],car1.elastic [J]\n", 47);
    free(text);
    run_table pose = run_table_hdf5(&folder, "medusa.h5", "pose");
    free(cli_done("plot medusa.h5 --y d11 --x x --cars vehicle2 --csv medusa.csv"));
    text = run_get(&folder, "medusa.csv", NULL);
    const char *line = strchr(text, '\n') + 1;
    double t, x, d11;
    assert_int_equal(sscanf(line, "%lf,%lf,%lf", &t, &x, &d11), 3);
    assert_true(x == run_at(&pose, 0, 24) && d11 == run_at(&pose, 0, 24 + 3));
    run_table_free(&pose);
    free(text);
    free(cli_done("plot simulate.h5 --y rod.angle,total -o simulate.svg"));
    free(cli_done("plot simulate-1.h5 --y rod.angle --x rod.angle_rate -o old.svg"));
    free(cli_done("plot medusa-1.h5 --y v,r1,kinetic -o old-medusa.svg"));
    run_result r = cli_run("plot simulate.h5 --y v");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "the run has no quantity \"v\""));
    assert_non_null(strstr(r.err, "it has rod.angle, rod.angle_rate, kinetic, potential, total"));
    run_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_tables_in_every_file),
        cmocka_unit_test(cars_in_the_plane),
        cmocka_unit_test(a_run_as_a_recording),
        cmocka_unit_test(a_collision_between_two_rows),
        cmocka_unit_test(a_medusa_run_as_a_recording),
        cmocka_unit_test(a_mechanism_is_no_recording),
        cmocka_unit_test(every_kind_has_a_report),
        cmocka_unit_test(reports_of_old_files),
        cmocka_unit_test(plots_of_every_kind),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
