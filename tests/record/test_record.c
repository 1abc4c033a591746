// test_record.c - rows of any source into a results file, or into nothing; the table of quantities.
#include "hdf5/results_read.h"
#include "record/csv.h"
#include "record/record.h"
#include "support/run.h"

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

enum { OBJECTS = 3, ROWS = 50 };

// Instead of the system's: a run of 500 vehicles ends 500 files, and each sync takes 10 ms.
static int sync_count;
int fsync(int fd)
{
    (void)fd;
    sync_count++;
    return 0;
}

static run_folder folder;

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder.path, name);
    return path;
}

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run_folder_remove(&folder);
    return 0;
}

static void must(mc_status status, const mc_error *error)
{
    if (status != MC_OK)
        fail_msg("%s", error->text);
}

// ---- a source: numbers by row, object and column ----

static const results_column motion_columns[] = {{"x", "m", "place"}, {"v", "m/s", "speed"}};
static const results_column heat_columns[] = {{"heat", "J", "of the object"}};

static void fill_motion(void *context, int object, double *row)
{
    const int now = *(const int *)context;
    row[0] = 100.0 * now + object;
    row[1] = -row[0];
}

static void fill_heat(void *context, int object, double *row)
{
    row[0] = 1e3 * *(const int *)context + object;
}

static void describe(void *context, int object, record_vehicle *out)
{
    (void)context;
    *out = (record_vehicle){.platoon = -1, .length = 4.0 + object, .deformable = object == 1};
}

static const char *const names[OBJECTS] = {"a", "b", "c"};
static const record_table tables[] = {{"motion", motion_columns, 2, fill_motion},
                                      {"heat", heat_columns, 1, fill_heat}};

static record_source source_of(int *now, bool vehicles)
{
    return (record_source){.kind = "test",
                           .command = "a command",
                           .context = now,
                           .object_count = OBJECTS,
                           .object_names = names,
                           .tables = tables,
                           .table_count = 2,
                           .row_count = ROWS,
                           .vehicle = vehicles ? describe : NULL};
}

static void write_all(record *r, int *now)
{
    mc_error error;
    must(record_begin(r, &error), &error);
    for (*now = 0; *now < ROWS; ++*now) {
        record_take(r);
        assert_true(record_values(r, 0)[2 * 2] == 100.0 * *now + 2);
        assert_true(record_values(r, 1)[1] == 1e3 * *now + 1);
        must(record_write(r, 0.1 * *now, &error), &error);
    }
}

static double value_of(results_reader *r, const char *table, results_part part)
{
    double value;
    mc_error error;
    part.row_count = 1;
    part.column_count = 1;
    must(results_read(r, results_reader_find(r, table), &part, &value, &error), &error);
    return value;
}

static void rows_impacts_and_events(void **state)
{
    (void)state;
    int now;
    mc_error error;
    const record_source source = source_of(&now, true);
    record *r = record_new(in_folder("run.h5"), &source, &error);
    assert_non_null(r);
    must(results_set_text(record_file(r), "more", "of the caller's", &error), &error);
    write_all(r, &now);
    mc_impact impact = {.time = 1.25, .a = 7, .b = 8, .closing = 2.0, .impulse = 3.0};
    impact.before[0].kinetic = 100.0;
    impact.before[1].spring = 10.0;
    impact.friction_loss = 4.0;
    impact.restitution_loss = 1.0;
    must(record_impact(r, &impact, 0, 2, &error), &error);
    must(record_happened(r, &(record_event){0.5, 3, -1, 0.25}, &error), &error);
    must(record_end(r, "it was enough", &error), &error);
    record_free(r);

    results_reader *in = results_reader_open(in_folder("run.h5"), &error);
    assert_non_null(in);
    assert_true(results_reader_complete(in));
    assert_string_equal(results_reader_text(in, "kind"), "test");
    assert_string_equal(results_reader_text(in, "command"), "a command");
    assert_string_equal(results_reader_text(in, "ended"), "it was enough");
    assert_string_equal(results_reader_text(in, "more"), "of the caller's");
    int64_t count;
    assert_string_equal(results_reader_list(in, "vehicle_names", &count)[2], "c");
    assert_int_equal(count, OBJECTS);
    const results_part last = {.row = ROWS - 1, .vehicle = 1, .vehicle_count = 1};
    assert_true(value_of(in, "motion", last) == 100.0 * (ROWS - 1) + 1);
    assert_true(value_of(in, "heat", last) == 1e3 * (ROWS - 1) + 1);
    assert_true(value_of(in, "time", (results_part){.row = 7}) == 0.1 * 7);
    const results_shape *impacts = results_reader_table(in, results_reader_find(in, "impacts"));
    static const struct {
        const char *column;
        double value;
    } expected[] = {{"t", 1.25},
                    {"a", 0},
                    {"b", 2},
                    {"closing", 2.0},
                    {"impulse", 3.0},
                    {"friction_loss", 4.0},
                    {"energy_before", 110.0},
                    {"energy_after", 105.0}};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        const int64_t c = results_shape_find(impacts, expected[k].column);
        assert_true(c >= 0);
        assert_true(value_of(in, "impacts", (results_part){.column = c}) == expected[k].value);
    }
    assert_true(value_of(in, "events", (results_part){.column = 2}) == -1.0);
    const results_shape *vehicles = results_reader_table(in, results_reader_find(in, "vehicles"));
    const int64_t length = results_shape_find(vehicles, "length");
    assert_true(value_of(in, "vehicles",
                         (results_part){.vehicle = 2, .vehicle_count = 1, .column = length}) ==
                6.0);
    results_reader_free(in);
}

static void objects_that_are_no_vehicles(void **state)
{
    (void)state;
    int now;
    mc_error error;
    const record_source source = source_of(&now, false);
    record *r = record_new(in_folder("run.h5"), &source, &error);
    write_all(r, &now);
    must(record_end(r, "", &error), &error);
    record_free(r);
    results_reader *in = results_reader_open(in_folder("run.h5"), &error);
    assert_int_equal(results_reader_table_count(in), 3); // heat, motion, time
    results_reader_free(in);
}

static void without_a_file(void **state)
{
    (void)state;
    int now;
    mc_error error;
    const record_source source = source_of(&now, true);
    record *r = record_new(NULL, &source, &error);
    assert_null(record_file(r));
    write_all(r, &now);
    must(record_impact(r, &(mc_impact){.time = 1.0}, 0, 1, &error), &error);
    must(record_happened(r, &(record_event){1.0, 0, 0, 0}, &error), &error);
    must(record_end(r, "", &error), &error);
    record_free(r);
    record_free(NULL);
}

// A record that is not ended leaves a file that can be read, without the word why it ended.
static void not_ended(void **state)
{
    (void)state;
    int now;
    mc_error error;
    const record_source source = source_of(&now, true);
    record *r = record_new(in_folder("run.h5"), &source, &error);
    write_all(r, &now);
    record_free(r);
    results_reader *in = results_reader_open(in_folder("run.h5"), &error);
    assert_false(results_reader_complete(in));
    assert_int_equal(results_reader_table(in, results_reader_find(in, "motion"))->row_count, ROWS);
    assert_null(results_reader_text(in, "ended"));
    results_reader_free(in);
}

static void rows_as_csv(void **state)
{
    (void)state;
    mc_error error;
    sync_count = 0;
    record_csv *csv = record_csv_open(in_folder("one.csv"), motion_columns, 2, &error);
    assert_non_null(csv);
    must(record_csv_row(csv, 0.5, (double[]){1.25, NAN}, &error), &error);
    must(record_csv_close(csv, true, &error), &error);
    char *text = run_get(&folder, "one.csv", NULL);
    assert_string_equal(text, "t,x,v\n0.5,1.25,nan\n");
    free(text);
    assert_int_equal(sync_count, 0);
    csv = record_csv_open(in_folder("one.csv"), motion_columns, 1, &error);
    must(record_csv_close(csv, false, &error), &error); // the file stays as it was
    text = run_get(&folder, "one.csv", NULL);
    assert_string_equal(text, "t,x,v\n0.5,1.25,nan\n");
    free(text);
    must(record_csv_close(NULL, true, &error), &error);
}

// Every quantity has a name of its own, a unit and a meaning.
static void quantities_are_described_once(void **state)
{
    (void)state;
    for (int f = 0; f < MC_FIELD_COUNT; f++) {
        const mc_field_info *info = &mc_field_table[f];
        assert_true(info->name && info->unit && info->doc && info->name[0] && info->unit[0]);
        assert_int_equal(mc_field_find(info->name), f);
        assert_true(strlen(info->doc) > 5);
        assert_string_equal(record_field_column((mc_field)f).unit, info->unit);
    }
    assert_int_equal(mc_field_find("rpm"), MC_FIELD_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_impacts_and_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(objects_that_are_no_vehicles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(not_ended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_as_csv, set_up, tear_down),
        cmocka_unit_test(quantities_are_described_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
