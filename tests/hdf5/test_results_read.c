// test_results_read.c - what results.c writes is read back: whole, in parts, in segments, after a
// kill; other files are rejected with a reason.
#include "hdf5/results_read.h"

#include "hdf5/results.h"
#include "support/run.h"

#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static run_folder folder;
static char path_room[4][200];

static const char *in_folder(const char *name) // in one of four buffers used in turn
{
    static int turn;
    char *path = path_room[turn++ % 4];
    snprintf(path, sizeof path_room[0], "%s/%s", folder.path, name);
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
        fail_msg("%s: %s", error->file, error->text);
}

// ---- a run ----

enum { VEHICLES = 3, COLUMNS = 4 };

// A value that says where it belongs.
static double truth(int64_t row, int64_t vehicle, int64_t column)
{
    return (double)row + 0.1 * (double)vehicle + 0.01 * (double)column;
}

typedef struct plan {
    int rows, declared, events;
    bool finish;
} plan;

static const char *const vehicle_names[VEHICLES] = {"first", "a longer name, with \u00fc", ""};

static void write_run(const char *name, plan p)
{
    static const results_column motion[COLUMNS] = {
        {"x", "m", "place"}, {"v", "m/s", "speed"}, {"a", "m/s^2", ""}, {"\u03c8", NULL, NULL}};
    static const results_column time = {"t", "s", "time"},
                                event[] = {{"t", "s", ""}, {"kind", "-", ""}};
    mc_error error;
    int index[3];
    results *r = results_new(in_folder(name), &error);
    assert_non_null(r);
    const results_table tables[] = {{"time", &time, 1, 0, p.declared, false},
                                    {"motion", motion, COLUMNS, VEHICLES, p.declared, false},
                                    {"events", event, 2, 0, 2, true}};
    for (int i = 0; i < 3; i++)
        must(results_add_table(r, &tables[i], &index[i], &error), &error);
    must(results_set_text(r, "scenario", "name: \u00fc\nlines: 2\n", &error), &error);
    must(results_set_list(r, "names", (const char *const[]){"old"}, 1, &error), &error);
    must(results_set_list(r, "names", vehicle_names, VEHICLES, &error), &error);
    must(results_set_list(r, "nothing", vehicle_names, 0, &error), &error);
    must(results_create(r, &error), &error);
    for (int row = 0; row < p.rows; row++) {
        double values[VEHICLES * COLUMNS];
        for (int v = 0; v < VEHICLES; v++)
            for (int c = 0; c < COLUMNS; c++)
                values[v * COLUMNS + c] = truth(row, v, c);
        const double t = 0.1 * row;
        must(results_write(r, index[0], &t, &error), &error);
        must(results_write(r, index[1], values, &error), &error);
    }
    for (int i = 0; i < p.events; i++) {
        const double values[2] = {1.5 * i, i % 4};
        must(results_write(r, index[2], values, &error), &error);
    }
    if (p.finish)
        must(results_finish(r, &error), &error);
    results_free(r);
}

static results_reader *open_run(const char *name)
{
    mc_error error;
    results_reader *r = results_reader_open(in_folder(name), &error);
    if (!r)
        fail_msg("%s: %s", error.file, error.text);
    return r;
}

// Every part of the table has the values it was written with.
static void check_part(results_reader *r, results_part p)
{
    mc_error error;
    const int table = results_reader_find(r, "motion");
    const int64_t stride = p.row_stride > 0 ? p.row_stride : 1;
    const size_t n = (size_t)(p.row_count * p.vehicle_count * p.column_count);
    double *out = malloc(n * sizeof *out), *at = out;
    assert_non_null(out);
    must(results_read(r, table, &p, out, &error), &error);
    for (int64_t i = 0; i < p.row_count; i++)
        for (int64_t v = p.vehicle; v < p.vehicle + p.vehicle_count; v++)
            for (int64_t c = p.column; c < p.column + p.column_count; c++, at++)
                if (*at != truth(p.row + i * stride, v, c))
                    fail_msg("row %ld, vehicle %ld, column %ld: %g", (long)(p.row + i * stride),
                             (long)v, (long)c, *at);
    free(out);
}

static void check_parts(results_reader *r, int64_t rows)
{
    check_part(r, (results_part){0, rows, 1, 0, VEHICLES, 0, COLUMNS});
    check_part(r, (results_part){0, rows, 0, 1, 1, 2, 1});
    check_part(r, (results_part){3, (rows - 3 + 6) / 7, 7, 0, VEHICLES, 1, 2});
    check_part(r, (results_part){rows - 1, 1, 1, 2, 1, 3, 1});
    check_part(r, (results_part){0, 2, rows - 1, 0, 2, 0, 1});
}

static void a_finished_run(void **state)
{
    (void)state;
    write_run("run.h5", (plan){500, 500, 5, true});
    results_reader *r = open_run("run.h5");
    assert_true(results_reader_complete(r));
    assert_int_equal(results_reader_segments(r), 1);
    assert_int_equal(results_reader_table_count(r), 3);
    assert_string_equal(results_reader_table(r, 0)->name, "events");
    assert_string_equal(results_reader_table(r, 2)->name, "time");
    assert_int_equal(results_reader_find(r, "motion"), 1);
    assert_int_equal(results_reader_find(r, "motion_rows_valid"), -1);
    const results_shape *s = results_reader_table(r, 1);
    assert_int_equal(s->row_count, 500);
    assert_int_equal(s->vehicle_count, VEHICLES);
    assert_int_equal(s->column_count, COLUMNS);
    assert_true(s->block_rows >= 1);
    assert_string_equal(s->columns[3], "\u03c8");
    assert_string_equal(s->units[2], "m/s^2");
    assert_string_equal(s->units[3], "");
    assert_string_equal(s->docs[1], "speed");
    assert_int_equal(results_shape_find(s, "a"), 2);
    assert_int_equal(results_shape_find(s, "b"), -1);
    assert_string_equal(results_reader_text(r, "scenario"), "name: \u00fc\nlines: 2\n");
    assert_string_equal(results_reader_text(r, "format"), "motorcade results 2");
    assert_int_equal(results_reader_format(r), 2);
    assert_null(results_reader_text(r, "complete")); // a number
    assert_null(results_reader_text(r, "nothing"));
    check_parts(r, 500);
    results_reader_free(r);
    results_reader_free(NULL);
}

static void segments_are_one_run(void **state)
{
    (void)state;
    write_run("run.h5", (plan){350, 100, 9, true});
    assert_true(run_exists(&folder, "run.0003.h5"));
    results_reader *r = open_run("run.h5");
    assert_int_equal(results_reader_segments(r), 4);
    assert_int_equal(results_reader_table(r, results_reader_find(r, "motion"))->row_count, 350);
    assert_int_equal(results_reader_table(r, results_reader_find(r, "events"))->row_count, 9);
    check_parts(r, 350);
    check_part(r, (results_part){99, 2, 150, 0, VEHICLES, 0, COLUMNS}); // passes over a segment
    results_reader_free(r);
}

static void a_run_that_was_killed(void **state)
{
    (void)state;
    write_run("run.h5", (plan){230, 100, 9, false});
    assert_true(run_exists(&folder, "run.events.0001.h5"));
    results_reader *r = open_run("run.h5");
    assert_false(results_reader_complete(r));
    assert_int_equal(results_reader_segments(r), 3);
    assert_int_equal(results_reader_table(r, results_reader_find(r, "motion"))->row_count, 230);
    check_parts(r, 230);
    const int table = results_reader_find(r, "events");
    double rows[9][2];
    mc_error error;
    assert_int_equal(results_reader_table(r, table)->row_count, 9);
    must(
        results_read(r, table, &(results_part){.row_count = 9, .column_count = 2}, rows[0], &error),
        &error);
    for (int i = 0; i < 9; i++)
        assert_true(rows[i][0] == 1.5 * i && rows[i][1] == i % 4);
    results_reader_free(r);
}

static void more_columns_than_an_attribute_holds(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    results_column *columns = calloc(MANY, sizeof *columns);
    char(*names)[16] = calloc(MANY, sizeof *names);
    double *row = calloc(MANY, sizeof *row);
    assert_true(columns && names && row);
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "q%d", i);
        columns[i] = (results_column){names[i], "m", i % 2 ? "odd" : ""};
        row[i] = i;
    }
    mc_error error;
    int index;
    results *w = results_new(in_folder("wide.h5"), &error);
    const results_table table = {"wide", columns, MANY, 0, 1, false};
    must(results_add_table(w, &table, &index, &error), &error);
    must(results_create(w, &error), &error);
    must(results_write(w, index, row, &error), &error);
    must(results_finish(w, &error), &error);
    results_free(w);
    results_reader *r = open_run("wide.h5");
    assert_int_equal(results_reader_table_count(r), 1);
    const results_shape *s = results_reader_table(r, 0);
    assert_int_equal(s->column_count, MANY);
    assert_string_equal(s->columns[4321], "q4321");
    assert_string_equal(s->units[4999], "m");
    assert_string_equal(s->docs[4321], "odd");
    assert_string_equal(s->docs[4320], "");
    double value;
    must(results_read(r, 0, &(results_part){.row_count = 1, .column = 4321, .column_count = 1},
                      &value, &error),
         &error);
    assert_true(value == 4321.0);
    results_reader_free(r);
    free(columns);
    free(names);
    free(row);
}

// ---- files of others ----

static void put_string(hid_t file, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text)); // fixed length, without an end
    const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static hid_t make_file(const char *name, const char *format)
{
    const hid_t file = H5Fcreate(in_folder(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    if (format)
        put_string(file, "format", format);
    return file;
}

static void put_floats(hid_t file, const char *name, int rank, const hsize_t *shape, hid_t type,
                       const void *values, hid_t memory_type)
{
    const hid_t space = H5Screate_simple(rank, shape, NULL);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

static void files_of_other_programs(void **state)
{
    (void)state;
    const hid_t file = make_file("other.h5", "motorcade results 1");
    const float motion[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8.5f}}};
    const int time[2][1] = {{0}, {3}}, line[2] = {1, 2};
    put_floats(file, "motion", 3, (hsize_t[]){2, 2, 2}, H5T_IEEE_F32BE, motion, H5T_NATIVE_FLOAT);
    put_floats(file, "time", 2, (hsize_t[]){2, 1}, H5T_STD_I16LE, time, H5T_NATIVE_INT);
    put_floats(file, "line", 1, (hsize_t[]){2}, H5T_STD_I16LE, line, H5T_NATIVE_INT); // no table
    H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    results_reader *r = open_run("other.h5");
    assert_int_equal(results_reader_table_count(r), 2);
    const results_shape *s = results_reader_table(r, 0);
    assert_string_equal(s->columns[1], "c2");
    assert_string_equal(s->units[1], "");
    assert_int_equal(s->row_count, 2); // without a count of right rows: all
    double values[8];
    mc_error error;
    must(results_read(r, 0, &(results_part){0, 2, 1, 0, 2, 0, 2}, values, &error), &error);
    assert_true(values[0] == 1.0 && values[7] == 8.5);
    must(results_read(r, 1, &(results_part){.row_count = 2, .column_count = 1}, values, &error),
         &error);
    assert_true(values[0] == 0.0 && values[1] == 3.0);
    results_reader_free(r);
}

static void check_names(results_reader *r)
{
    int64_t count;
    const char *const *list = results_reader_list(r, "names", &count);
    assert_non_null(list);
    assert_int_equal(count, VEHICLES);
    for (int v = 0; v < VEHICLES; v++)
        assert_string_equal(list[v], vehicle_names[v]);
    assert_null(results_reader_list(r, "nothing", &count));
    assert_int_equal(count, 0);
    assert_int_equal(results_reader_find(r, "names"), -1); // no table
}

// Lists can also be read during the run, and in format 1 they were texts of lines.
static void lists(void **state)
{
    (void)state;
    for (int finish = 0; finish < 2; finish++) {
        write_run("run.h5", (plan){350, 100, 9, finish});
        results_reader *r = open_run("run.h5");
        check_names(r);
        assert_null(results_reader_list(r, "scenario", &(int64_t){0})); // a text
        results_reader_free(r);
    }
    const hid_t file = make_file("one.h5", "motorcade results 1");
    put_string(file, "names", "a\nb \u00fc\r\n\nd\n");
    H5Fclose(file);
    results_reader *r = open_run("one.h5");
    int64_t count;
    const char *const *list = results_reader_list(r, "names", &count);
    assert_int_equal(results_reader_format(r), 1);
    assert_int_equal(count, 4);
    assert_string_equal(list[0], "a");
    assert_string_equal(list[1], "b \u00fc");
    assert_string_equal(list[2], "");
    assert_string_equal(list[3], "d");
    results_reader_free(r);
}

static void assert_rejected(const char *name, const char *text)
{
    mc_error error;
    results_reader *r = results_reader_open(in_folder(name), &error);
    if (r)
        fail_msg("%s was opened", name);
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_string_equal(error.file, in_folder(name));
    if (strncmp(error.text, text, strlen(text)) != 0)
        fail_msg("%s: \"%s\"; expected \"%s\"", name, error.text, text);
}

static void wrong_files(void **state)
{
    (void)state;
    write_run("run.h5", (plan){350, 100, 0, true});
    size_t size;
    char *bytes = run_get(&folder, "run.h5", &size);
    run_put_bytes(&folder, "cut.h5", bytes, size / 2);
    run_put_bytes(&folder, "head.h5", bytes, 60);
    run_put(&folder, "text.h5", "t,x\n0,1\n");
    run_put(&folder, "empty.h5", "");
    mkdir(in_folder("folder.h5"), 0700);
    const hid_t latest = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(latest, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Fclose(H5Fcreate(in_folder("latest.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, latest));
    H5Pclose(latest);
    H5Fclose(make_file("plain.h5", NULL));
    H5Fclose(make_file("later.h5", "motorcade results 9"));
    assert_rejected("none.h5", "cannot be read: No such file or directory");
    assert_rejected("folder.h5", "cannot be read: it is a folder");
    assert_rejected("empty.h5", "is empty; expected a results file (run.h5)");
    assert_rejected("text.h5", "is not an HDF5 file; expected a results file (run.h5)");
    assert_rejected("cut.h5", "cannot be read: it is truncated; the file is damaged: truncated");
    assert_rejected("head.h5", "cannot be read");
    assert_rejected("latest.h5", "cannot be read: it has the layout of a later HDF5");
    assert_rejected("plain.h5",
                    "is HDF5 but not a results file of Motorcade: the root has no text \"format\"");
    assert_rejected("later.h5", "has the format \"motorcade results 9\"; this version reads "
                                "\"motorcade results 2\" and earlier");
    assert_rejected("run.0002.h5", "is segment 2 of a run; give the first file, the one without a "
                                   "number");
    char missing[300];
    snprintf(missing, sizeof missing, "the run has 4 segments, and %s is missing",
             in_folder("run.0002.h5"));
    remove(in_folder("run.0002.h5"));
    assert_rejected("run.h5", missing);
    free(bytes);
}

// Packed rows with wrong bytes are an error that names the table; other tables can still be read.
static void damaged_rows(void **state)
{
    (void)state;
    write_run("run.h5", (plan){4000, 4000, 0, true});
    const hid_t file = H5Fopen(in_folder("run.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "motion", H5P_DEFAULT);
    haddr_t at;
    hsize_t chunk_size;
    unsigned int filters;
    assert_true(H5Dget_chunk_info_by_coord(set, (hsize_t[]){0, 0, 0}, &filters, &at, &chunk_size) >=
                0);
    H5Dclose(set);
    H5Fclose(file);
    size_t size;
    char *bytes = run_get(&folder, "run.h5", &size);
    assert_true(at + chunk_size <= size && chunk_size > 100);
    memset(bytes + at + 20, 0xa5, chunk_size - 40);
    run_put_bytes(&folder, "run.h5", bytes, size);
    free(bytes);
    results_reader *r = open_run("run.h5");
    mc_error error;
    double value;
    const results_part part = {.row_count = 1, .vehicle_count = 1, .column_count = 1};
    assert_int_equal(results_read(r, results_reader_find(r, "motion"), &part, &value, &error),
                     MC_BAD_INPUT);
    const char *text = "rows of table \"motion\" cannot be read; the file is damaged: ";
    assert_memory_equal(error.text, text, strlen(text));
    assert_string_equal(error.file, in_folder("run.h5"));
    const results_part one = {.row = 7, .row_count = 1, .column_count = 1};
    must(results_read(r, results_reader_find(r, "time"), &one, &value, &error), &error);
    assert_true(value == 0.1 * 7);
    results_reader_free(r);
}

// ---- files that name other files, or rows they do not have ----

// A table of the bytes of secret.txt, kept outside of the file.
static void put_external(hid_t file, const char *name, const hsize_t shape[3])
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, shape, NULL);
    assert_true(H5Pset_external(how, in_folder("secret.txt"), 0, shape[0] * shape[1] * shape[2]) >=
                0);
    H5Dclose(H5Dcreate2(file, name, H5T_STD_U8LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(how);
}

static void put_virtual(hid_t file, const char *name, const char *source, const hsize_t shape[3])
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, shape, NULL);
    assert_true(H5Pset_virtual(how, space, in_folder(source), "motion", space) >= 0);
    H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(how);
}

// A file of two rows of one car, without the table `but`.
static hid_t make_small(const char *name, const char *but)
{
    static const double motion[2] = {1.0, 2.0};
    const hid_t file = make_file(name, "motorcade results 1");
    if (strcmp(but, "motion") != 0)
        put_floats(file, "motion", 3, (hsize_t[]){2, 1, 1}, H5T_NATIVE_DOUBLE, motion,
                   H5T_NATIVE_DOUBLE);
    put_floats(file, "time", 2, (hsize_t[]){2, 1}, H5T_NATIVE_DOUBLE, motion, H5T_NATIVE_DOUBLE);
    return file;
}

static void files_that_name_other_files(void **state)
{
    (void)state;
    static const char *const companions[] = {"motion_rows_valid", "motion_columns", "motion_units",
                                             "motion_doc"};
    run_put(&folder, "secret.txt", "must not be readable");
    H5Fclose(make_small("source.h5", ""));
    results_reader_free(open_run("source.h5"));
    hid_t file = make_small("external.h5", "motion");
    put_external(file, "motion", (hsize_t[]){19, 1, 1});
    H5Fclose(file);
    assert_rejected("external.h5", "\"motion\" keeps its values in other files (external storage)");
    file = make_small("virtual.h5", "motion");
    put_virtual(file, "motion", "source.h5", (hsize_t[]){2, 1, 1});
    H5Fclose(file);
    assert_rejected("virtual.h5", "\"motion\" keeps its values in other files (a virtual dataset)");
    file = make_small("linked.h5", "motion");
    H5Lcreate_external(in_folder("source.h5"), "motion", file, "motion", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_rejected("linked.h5", "\"motion\" is a link to another place or file");
    for (int i = 0; i < 4; i++) {
        char reason[100];
        file = make_small("soft.h5", "");
        H5Lcreate_soft("/time", file, companions[i], H5P_DEFAULT, H5P_DEFAULT);
        H5Fclose(file);
        snprintf(reason, sizeof reason, "\"%s\" is a link to another place", companions[i]);
        assert_rejected("soft.h5", reason);
        file = make_small("beside.h5", "");
        put_external(file, companions[i], (hsize_t[]){1, 1, 1});
        H5Fclose(file);
        snprintf(reason, sizeof reason, "\"%s\" keeps its values in other", companions[i]);
        assert_rejected("beside.h5", reason);
    }
}

// A segment is read with the same care as the first file.
static void segments_that_name_other_files(void **state)
{
    (void)state;
    write_run("run.h5", (plan){350, 100, 0, true});
    run_put(&folder, "secret.txt", "must not be readable");
    const hid_t file = H5Fopen(in_folder("run.0002.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "motion", H5P_DEFAULT) >= 0);
    put_external(file, "motion", (hsize_t[]){19, VEHICLES, COLUMNS});
    H5Fclose(file);
    mc_error error;
    assert_null(results_reader_open(in_folder("run.h5"), &error));
    assert_string_equal(error.file, in_folder("run.0002.h5"));
    assert_non_null(strstr(error.text, "external storage"));
}

// A few kilobytes that say they are sixteen gigabytes.
static void rows_that_were_never_written(void **state)
{
    (void)state;
    const hsize_t shape[3] = {2000000000, 1, 1}, chunk[3] = {1024, 1, 1};
    for (int deflated = 0; deflated < 2; deflated++) {
        const hid_t file = make_small("hollow.h5", "motion");
        const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, shape, NULL);
        H5Pset_chunk(how, 3, chunk);
        if (deflated)
            H5Pset_deflate(how, 6);
        H5Dclose(
            H5Dcreate2(file, "motion", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT));
        H5Sclose(space);
        H5Pclose(how);
        H5Fclose(file);
        assert_rejected("hollow.h5", "table \"motion\" says it has 2000000000 rows, which take "
                                     "1.6e+10 bytes, but the file holds only 0 bytes of it");
    }
}

// Names that would take a terabyte are not read; the columns are numbered instead.
static void names_that_were_never_written(void **state)
{
    (void)state;
    const hid_t file = make_small("names.h5", "");
    const hid_t type = H5Tcopy(H5T_C_S1), how = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, (hsize_t[]){1}, NULL);
    H5Tset_size(type, 200 << 20);
    H5Pset_chunk(how, 1, (hsize_t[]){1});
    H5Dclose(H5Dcreate2(file, "motion_columns", type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    results_reader *r = open_run("names.h5");
    assert_string_equal(results_reader_table(r, 0)->columns[0], "c1");
    results_reader_free(r);
}

// Names of variable length beside the table, one column: read, or too long to be.
static void names_of_any_length(void **state)
{
    (void)state;
    const size_t lengths[] = {5, 65 << 20};
    for (int i = 0; i < 2; i++) {
        char *name = malloc(lengths[i] + 1);
        assert_non_null(name);
        memset(name, 'x', lengths[i]);
        name[lengths[i]] = '\0';
        const char *const list[] = {name};
        const hid_t file = make_small("names.h5", "");
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, (hsize_t[]){1}, NULL);
        H5Tset_size(type, H5T_VARIABLE);
        const hid_t set =
            H5Dcreate2(file, "motion_columns", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, list) >= 0);
        H5Dclose(set);
        H5Sclose(space);
        H5Tclose(type);
        H5Fclose(file);
        results_reader *r = open_run("names.h5");
        assert_string_equal(results_reader_table(r, 0)->columns[0], i ? "c1" : "xxxxx");
        results_reader_free(r);
        free(name);
    }
}

// The same in attributes, which HDF5 reads without asking for how much: three strings of one
// length, and a text of the file.
static void attributes_of_any_length(void **state)
{
    (void)state;
    const size_t lengths[] = {5, 30 << 20};
    for (int i = 0; i < 2; i++) {
        char *name = malloc(lengths[i] + 1);
        assert_non_null(name);
        memset(name, 'x', lengths[i]);
        name[lengths[i]] = '\0';
        const char *const list[] = {name, name, name};
        const hid_t file = make_small("names.h5", "");
        const hid_t type = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
        H5Tset_size(type, H5T_VARIABLE);
        const hid_t space = H5Screate_simple(1, (hsize_t[]){3}, NULL);
        const hid_t set = H5Dopen2(file, "motion", H5P_DEFAULT);
        hid_t a = H5Acreate2(set, "columns", type, space, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(a, type, list) >= 0);
        H5Aclose(a);
        a = H5Acreate2(file, "scenario", type, one, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(a, type, list) >= 0);
        H5Aclose(a);
        H5Dclose(set);
        H5Sclose(space);
        H5Sclose(one);
        H5Tclose(type);
        H5Fclose(file);
        if (i == 0) {
            results_reader *r = open_run("names.h5");
            assert_string_equal(results_reader_text(r, "scenario"), "xxxxx");
            results_reader_free(r);
        } else {
            assert_rejected(
                "names.h5",
                "the texts of its attribute \"columns\" have 91 MB; expected at most 64 MB");
        }
        free(name);
    }
    // One text that is too long.
    char *text = malloc((65 << 20) + 1);
    assert_non_null(text);
    memset(text, 'y', 65 << 20);
    text[65 << 20] = '\0';
    const hid_t file = make_small("names.h5", "");
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t a = H5Acreate2(file, "scenario", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(a, type, &text) >= 0);
    H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    free(text);
    assert_rejected("names.h5",
                    "the texts of its attribute \"scenario\" have 66 MB; expected at most 64 MB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_finished_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(segments_are_one_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_that_was_killed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(more_columns_than_an_attribute_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_of_other_programs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_that_name_other_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(segments_that_name_other_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_that_were_never_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_that_were_never_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_of_any_length, set_up, tear_down),
        cmocka_unit_test_setup_teardown(attributes_of_any_length, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
