// test_results.c - results files seen by a plain HDF5 reader: while running, after the end, after
// failures.
#include "hdf5/results.h"
#include "hdf5/results_read.h"

#include <dirent.h>
#include <errno.h>
#include <hdf5.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

// ---- a disk that fills up ----

// Stands in for the C library's pwrite, for HDF5 too: once write_budget writes to the disk have
// succeeded, there is no space left. Other file systems (memory) still have some.
static atomic_int write_budget = -1; // -1: no end
static dev_t disk;

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    struct stat status;
    if (write_budget >= 0 && fstat(fd, &status) == 0 && status.st_dev == disk) {
        if (write_budget == 0) {
            errno = ENOSPC;
            return -1;
        }
        write_budget--;
    }
    return syscall(SYS_pwrite64, fd, data, size, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset);
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
    return pwrite(fd, data, size, offset);
}

static char folder[] = "/tmp/test_results.XXXXXX";
static char path_room[4][300];

static const char *in_folder(const char *name) // in one of four buffers used in turn
{
    static int turn;
    char *path = path_room[turn++ % 4];
    snprintf(path, sizeof path_room[0], "%s/%s", folder, name);
    return path;
}

static int entry_count(void)
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    int count = 0;
    for (const struct dirent *e; (e = readdir(d));)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static int empty_folder(void **state)
{
    (void)state;
    write_budget = -1; // whatever the test before has left
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.')
            remove(in_folder(e->d_name));
    return d ? closedir(d) : -1;
}

static int make_folder(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    struct stat status;
    if (!mkdtemp(folder) || stat(folder, &status) != 0)
        return -1;
    disk = status.st_dev;
    return 0;
}

static int remove_folder(void **state)
{
    empty_folder(state);
    return rmdir(folder);
}

// ---- the plain reader ----

typedef struct matrix {
    int rank;
    hsize_t shape[3];
    double *values;
} matrix;

static hid_t open_plain(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        fail_msg("HDF5 cannot open %s", path);
    return file;
}

static matrix read_matrix(const char *path, const char *name)
{
    matrix m = {0, {0, 1, 1}, NULL};
    const hid_t file = open_plain(path);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    const hid_t space = H5Dget_space(dataset);
    m.rank = H5Sget_simple_extent_dims(space, m.shape, NULL);
    const size_t count = (size_t)(m.shape[0] * m.shape[1] * m.shape[2]);
    m.values = malloc(count * sizeof(double) + 1);
    assert_non_null(m.values);
    if (count > 0)
        assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, m.values) >=
                    0);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    return m;
}

static int64_t read_count(const char *path, const char *name)
{
    int64_t count = -1;
    const hid_t file = open_plain(path);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) >= 0);
    H5Dclose(dataset);
    H5Fclose(file);
    return count;
}

static int64_t read_number(const char *path, const char *name)
{
    int64_t number = -1;
    const hid_t file = open_plain(path);
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT64, &number) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
    return number;
}

// The strings of an attribute or a dataset, by the HDF5 library: none of variable length, because
// damage in those crashes it. The caller frees.
static char *read_strings(hid_t object, bool is_attribute, hsize_t *count, size_t *each)
{
    const hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
    const hid_t space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
    assert_true(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0);
    assert_true(H5Tget_cset(type) == H5T_CSET_UTF8);
    *count = (hsize_t)H5Sget_simple_extent_npoints(space);
    *each = H5Tget_size(type) + 1;
    const hid_t memory = H5Tcopy(type);
    H5Tset_size(memory, *each); // room for the end
    H5Tset_strpad(memory, H5T_STR_NULLTERM);
    char *texts = calloc(*count, *each);
    assert_non_null(texts);
    assert_true((is_attribute
                     ? H5Aread(object, memory, texts)
                     : H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts)) >= 0);
    H5Tclose(memory);
    H5Sclose(space);
    H5Tclose(type);
    return texts;
}

static void assert_text(const char *path, const char *name, const char *expected)
{
    const hid_t file = open_plain(path);
    const bool is_attribute = H5Aexists(file, name) > 0;
    assert_int_equal(is_attribute, strlen(expected) <= 60000);
    const hid_t object =
        is_attribute ? H5Aopen(file, name, H5P_DEFAULT) : H5Dopen2(file, name, H5P_DEFAULT);
    hsize_t count;
    size_t each;
    char *text = read_strings(object, is_attribute, &count, &each);
    assert_int_equal(count, 1);
    assert_string_equal(text, expected);
    free(text);
    is_attribute ? H5Aclose(object) : H5Dclose(object);
    H5Fclose(file);
}

// The strings of an attribute of a table: all of them, in order.
static void assert_strings(const char *path, const char *table, const char *name,
                           const char *const *expected, hsize_t expected_count)
{
    const hid_t file = open_plain(path);
    const hid_t attribute = H5Aopen_by_name(file, table, name, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0);
    hsize_t count = 0;
    size_t each;
    char *texts = read_strings(attribute, true, &count, &each);
    assert_int_equal(count, expected_count);
    for (hsize_t i = 0; i < count; i++)
        assert_string_equal(texts + i * each, expected[i]);
    free(texts);
    H5Aclose(attribute);
    H5Fclose(file);
}

// ---- the writer's side ----

static double value_at(int64_t row, int64_t column)
{
    return (double)row * 1.25 + (double)column * 0.001 + 1.0;
}

static void assert_rows(const matrix *m, int64_t count, int64_t first_row)
{
    const int64_t width = (int64_t)(m->shape[1] * m->shape[2]);
    assert_true((int64_t)m->shape[0] >= count);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < width; k++)
            if (m->values[i * width + k] != value_at(first_row + i, k))
                fail_msg("row %lld column %lld is %g", (long long)i, (long long)k,
                         m->values[i * width + k]);
}

// The whole table: its rows and its count.
static void assert_table(const char *path, const char *name, int64_t count, int64_t first_row)
{
    char count_name[100];
    snprintf(count_name, sizeof count_name, "%s_rows_valid", name);
    assert_int_equal(read_count(path, count_name), count);
    matrix m = read_matrix(path, name);
    assert_int_equal(m.shape[0], count);
    assert_rows(&m, count, first_row);
    free(m.values);
}

static const results_column columns[] = {
    {"x", "m", "place along the road"},
    {"v", "m/s", "speed \xc3\xbc"}, // UTF-8
    {"slip", "-", NULL},
};

static void write_rows(results *r, int table, int64_t width, int64_t first, int64_t count)
{
    double *row = malloc((size_t)width * sizeof *row);
    assert_non_null(row);
    mc_error error;
    for (int64_t i = first; i < first + count; i++) {
        for (int64_t k = 0; k < width; k++)
            row[k] = value_at(i, k);
        if (results_write(r, table, row, &error) != MC_OK)
            fail_msg("%s", error.text);
    }
    free(row);
}

static int add(results *r, const char *name, int64_t vehicles, int64_t rows, bool events)
{
    mc_error error;
    int index = -1;
    const results_table t = {name, columns, 3, vehicles, rows, events};
    if (results_add_table(r, &t, &index, &error) != MC_OK)
        fail_msg("%s", error.text);
    return index;
}

static results *begin(const char *name)
{
    results *r = results_new(in_folder(name), NULL);
    assert_non_null(r);
    return r;
}

static void create(results *r)
{
    mc_error error;
    if (results_create(r, &error) != MC_OK)
        fail_msg("%s", error.text);
}

static void end(results *r)
{
    mc_error error;
    if (results_finish(r, &error) != MC_OK)
        fail_msg("%s", error.text);
    results_free(r);
}

// ---- tests ----

static void round_trip(void **state)
{
    (void)state;
    char *scenario = malloc(1000001); // longer than an attribute could hold by itself
    assert_non_null(scenario);
    for (int i = 0; i < 1000000; i++)
        scenario[i] = (char)('a' + i % 26);
    scenario[1000000] = '\0';
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, 10000, false);
    assert_int_equal(results_set_text(r, "version", "0.0", NULL), MC_OK);
    assert_int_equal(results_set_text(r, "scenario", scenario, NULL), MC_OK);
    assert_int_equal(results_set_text(r, "version", "0.1", NULL), MC_OK);
    create(r);
    assert_text(in_folder("run.h5"), "scenario", scenario);
    write_rows(r, motion, 3, 0, 9000); // fewer than declared
    assert_int_equal(results_set_text(r, "ended", "early", NULL), MC_OK);
    end(r);
    const char *path = in_folder("run.h5");
    assert_table(path, "motion", 9000, 0);
    assert_strings(path, "motion", "columns", (const char *[]){"x", "v", "slip"}, 3);
    assert_strings(path, "motion", "units", (const char *[]){"m", "m/s", "-"}, 3);
    assert_strings(path, "motion", "doc",
                   (const char *[]){"place along the road", "speed \xc3\xbc", ""}, 3);
    assert_text(path, "version", "0.1");
    assert_text(path, "scenario", scenario);
    assert_text(path, "ended", "early");
    assert_text(path, "format", "motorcade results 2");
    assert_int_equal(read_number(path, "complete"), 1);
    assert_int_equal(read_number(path, "segment_count"), 1);
    assert_int_equal(entry_count(), 1);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size - 1000000 < 9000 * 3 * 8 / 2); // compressed
    free(scenario);
}

// A table that is left out when it is empty: it exists while the run is on.
static void empty_tables_may_be_left_out(void **state)
{
    (void)state;
    mc_error error;
    for (int rows = 0; rows < 2; rows++) {
        results *r = begin("run.h5");
        add(r, "kept", 0, 10, true);
        const int left_out = add(r, "joined", 0, 10, true);
        results_leave_out_empty(r, left_out);
        create(r);
        results_reader *now = results_reader_open(in_folder("run.h5"), &error);
        assert_true(now && results_reader_find(now, "joined") >= 0);
        results_reader_free(now);
        write_rows(r, left_out, 3, 0, rows);
        end(r);
        results_reader *then = results_reader_open(in_folder("run.h5"), &error);
        assert_true(then && results_reader_find(then, "kept") >= 0);
        assert_int_equal(results_reader_find(then, "joined") >= 0, rows);
        results_reader_free(then);
    }
}

static void readable_while_running(void **state)
{
    (void)state;
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, 100000, false), other = add(r, "other", 0, 10, false);
    create(r);
    const char *path = in_folder("run.h5");
    assert_int_equal(read_count(path, "motion_rows_valid"), 0);
    assert_int_equal(read_number(path, "complete"), 0);
    int64_t done = 0;
    for (int i = 0; i < 5; i++) {
        write_rows(r, motion, 3, done, 7000);
        done += 7000;
        assert_int_equal(results_flush(r, NULL), MC_OK);
        assert_int_equal(read_count(path, "motion_rows_valid"), done);
        matrix m = read_matrix(path, "motion");
        assert_int_equal(m.shape[0], 100000);
        assert_rows(&m, done, 0);
        free(m.values);
    }
    write_rows(r, other, 3, 0, 1);
    assert_strings(path, "motion", "units", (const char *[]){"m", "m/s", "-"}, 3);
    end(r);
    assert_table(path, "motion", done, 0);
    assert_table(path, "other", 1, 0);
}

static void rows_arrive_without_another_call(void **state)
{
    (void)state;
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, 100, false);
    create(r);
    write_rows(r, motion, 3, 0, 5);
    int64_t count = 0;
    for (int i = 0; i < 100 && count < 5; i++) { // 1 s at most
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        count = read_count(in_folder("run.h5"), "motion_rows_valid");
    }
    assert_int_equal(count, 5);
    results_free(r);
}

// Never more than RESULTS_WAIT_BYTES wait, whether or not the clock has sent some out in between.
static void large_rows_go_out_by_size(void **state)
{
    (void)state;
    enum { WAITING = RESULTS_WAIT_BYTES / 24, ROWS = 3 * WAITING + 1 };
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, ROWS, false);
    create(r);
    write_rows(r, motion, 3, 0, ROWS);
    assert_true(read_count(in_folder("run.h5"), "motion_rows_valid") >= ROWS - WAITING);
    results_free(r);
}

static void vehicles_are_a_dimension(void **state)
{
    (void)state;
    enum { VEHICLES = 20000, ROWS = 60 }; // rows of 480 kB, 2 to a block of the packer
    results *r = begin("run.h5");
    const int time = add(r, "time", 0, ROWS, false);
    const int fleet = add(r, "fleet", VEHICLES, ROWS, false);
    create(r);
    for (int i = 0; i < ROWS - 5; i++) {
        write_rows(r, time, 3, i, 1);
        write_rows(r, fleet, 3 * VEHICLES, i, 1);
    }
    assert_int_equal(results_flush(r, NULL), MC_OK);
    matrix m = read_matrix(in_folder("run.h5"), "fleet");
    assert_rows(&m, ROWS - 5, 0);
    free(m.values);
    end(r);
    m = read_matrix(in_folder("run.h5"), "fleet");
    assert_int_equal(m.rank, 3);
    assert_int_equal(m.shape[0], ROWS - 5);
    assert_int_equal(m.shape[1], VEHICLES);
    assert_int_equal(m.shape[2], 3);
    free(m.values);
    assert_table(in_folder("run.h5"), "fleet", ROWS - 5, 0);
    assert_table(in_folder("run.h5"), "time", ROWS - 5, 0);
    assert_strings(in_folder("run.h5"), "fleet", "columns", (const char *[]){"x", "v", "slip"}, 3);
}

static void assert_wide_names(const char *path, hsize_t count)
{
    const hid_t file = open_plain(path);
    const hid_t names = H5Dopen2(file, "wide_columns", H5P_DEFAULT);
    assert_true(names >= 0);
    const hid_t type = H5Dget_type(names), space = H5Dget_space(names);
    const size_t size = H5Tget_size(type);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    char *texts = malloc(count * size);
    assert_non_null(texts);
    assert_true(H5Dread(names, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
    for (hsize_t i = 0; i < count; i++) {
        char expected[40];
        snprintf(expected, sizeof expected, "vehicle %d x%d", (int)i / 24, (int)i % 24);
        assert_int_equal(strncmp(texts + i * size, expected, size), 0);
    }
    assert_true(H5Dget_storage_size(names) < count * size / 4); // compact
    assert_true(H5Lexists(file, "wide_units", H5P_DEFAULT) > 0);
    assert_true(H5Lexists(file, "wide_doc", H5P_DEFAULT) > 0);
    free(texts);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(names);
    H5Fclose(file);
}

static void names_of_240000_columns(void **state)
{
    (void)state;
    enum { COUNT = 240000, ROWS = 3 };
    results_column *wide = calloc(COUNT, sizeof *wide);
    char(*names)[40] = calloc(COUNT, sizeof *names);
    assert_true(wide && names);
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "vehicle %d x%d", i / 24, i % 24);
        wide[i] = (results_column){names[i], "m", "somewhere"};
    }
    results *r = begin("run.h5");
    int index;
    const results_table t = {"wide", wide, COUNT, 0, ROWS, false};
    assert_int_equal(results_add_table(r, &t, &index, NULL), MC_OK);
    free(names); // declarations are copied
    free(wide);
    create(r);
    write_rows(r, index, COUNT, 0, ROWS);
    assert_wide_names(in_folder("run.h5"), COUNT);
    end(r);
    assert_wide_names(in_folder("run.h5"), COUNT);
    assert_table(in_folder("run.h5"), "wide", ROWS, 0);
}

static void attribute_limit_is_kept(void **state)
{
    (void)state;
    static results_column many[2001]; // names of 30 bytes: 60,000 fit
    for (int i = 0; i < 2001; i++)
        many[i] = (results_column){"a name that has thirty letters", "m", "and what it is"};
    for (int count = 2000; count <= 2001; count++) {
        results *r = begin("run.h5");
        int index;
        const results_table t = {"t", many, count, 0, 2, false};
        assert_int_equal(results_add_table(r, &t, &index, NULL), MC_OK);
        create(r);
        write_rows(r, index, count, 0, 2);
        end(r);
        const hid_t file = open_plain(in_folder("run.h5"));
        assert_int_equal(H5Aexists_by_name(file, "t", "columns", H5P_DEFAULT) > 0, count == 2000);
        assert_int_equal(H5Lexists(file, "t_columns", H5P_DEFAULT) > 0, count == 2001);
        assert_true(H5Aexists_by_name(file, "t", "doc", H5P_DEFAULT) > 0);
        H5Fclose(file);
    }
}

static void segments_follow_each_other(void **state)
{
    (void)state;
    results *r = begin("run.h5");
    const int time = add(r, "time", 0, 10, false), motion = add(r, "motion", 0, 10, false);
    create(r);
    for (int i = 0; i < 25; i++) {
        write_rows(r, time, 3, i, 1);
        write_rows(r, motion, 3, i, 1);
    }
    assert_int_equal(read_count(in_folder("run.0001.h5"), "motion_rows_valid"), 10);
    assert_int_equal(read_number(in_folder("run.0002.h5"), "complete"), 0);
    end(r);
    const char *names[] = {"run.h5", "run.0001.h5", "run.0002.h5"};
    for (int i = 0; i < 3; i++) {
        const char *path = in_folder(names[i]);
        assert_table(path, "time", i < 2 ? 10 : 5, 10 * i);
        assert_table(path, "motion", i < 2 ? 10 : 5, 10 * i);
        assert_int_equal(read_number(path, "segment"), i);
        assert_int_equal(read_number(path, "segment_count"), 3);
        assert_int_equal(read_number(path, "complete"), 1);
    }
    assert_int_equal(entry_count(), 3);
}

static void new_run_removes_old_segments(void **state)
{
    (void)state;
    for (int rows = 45; rows > 0; rows -= 44) {
        results *r = begin("run.h5");
        const int motion = add(r, "motion", 0, 10, false), events = add(r, "events", 0, 2, true);
        create(r);
        write_rows(r, motion, 3, 0, rows);
        write_rows(r, events, 3, 0, rows);
        results_free(r); // as after a kill
        assert_int_equal(entry_count(), rows == 45 ? 5 + 4 : 1);
    }
    // What only looks like a segment is not ours to remove.
    FILE *f = fopen(in_folder("run.0001.h5"), "w");
    assert_non_null(f);
    fputs("notes", f);
    fclose(f);
    results *r = begin("run.h5");
    add(r, "motion", 0, 10, false);
    create(r);
    end(r);
    assert_int_equal(entry_count(), 2);
}

static void more_segments_than_descriptors(void **state)
{
    (void)state;
    struct rlimit before;
    getrlimit(RLIMIT_NOFILE, &before);
    const struct rlimit few = {30, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, 1, false), events = add(r, "events", 0, 1000, true);
    create(r);
    write_rows(r, motion, 3, 0, 100);
    write_rows(r, events, 3, 0, 100);
    end(r);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_table(in_folder("run.0099.h5"), "motion", 1, 99);
    assert_table(in_folder("run.h5"), "events", 100, 0);
}

static void events_grow(void **state)
{
    (void)state;
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, 20, false), events = add(r, "events", 0, 4, true);
    create(r);
    for (int i = 0; i < 50; i++) {
        write_rows(r, motion, 3, i, 1);
        write_rows(r, events, 3, 2 * i, 2);
    }
    assert_int_equal(results_flush(r, NULL), MC_OK);
    // As after a kill: nothing is missing, in 4 + 8 + 16 + 32 + 64 places.
    const char *names[] = {"run.h5", "run.events.0001.h5", "run.events.0002.h5",
                           "run.events.0003.h5", "run.events.0004.h5"};
    int64_t found = 0;
    for (int i = 0; i < 5; i++) {
        const int64_t count = read_count(in_folder(names[i]), "events_rows_valid");
        assert_int_equal(count, i < 4 ? 4 << i : 100 - 60);
        matrix m = read_matrix(in_folder(names[i]), "events");
        assert_rows(&m, count, found);
        free(m.values);
        found += count;
    }
    assert_int_equal(found, 100);
    end(r);
    assert_table(in_folder("run.h5"), "events", 100, 0);
    assert_table(in_folder("run.h5"), "motion", 20, 0);
    assert_table(in_folder("run.0002.h5"), "motion", 10, 40);
    assert_int_equal(entry_count(), 3); // segments; no overflow
    const hid_t file = open_plain(in_folder("run.0001.h5"));
    assert_false(H5Lexists(file, "events", H5P_DEFAULT) > 0);
    H5Fclose(file);
}

static void nothing_written_is_an_empty_table(void **state)
{
    (void)state;
    results *r = begin("run.h5");
    add(r, "motion", 0, 10, false);
    add(r, "events", 4, 10, true);
    create(r);
    end(r);
    assert_table(in_folder("run.h5"), "motion", 0, 0);
    assert_table(in_folder("run.h5"), "events", 0, 0);
    assert_strings(in_folder("run.h5"), "motion", "units", (const char *[]){"m", "m/s", "-"}, 3);
}

static void free_without_finish_keeps_the_rows(void **state)
{
    (void)state;
    results *r = begin("run"); // a name without an ending is a name
    const int motion = add(r, "motion", 0, 10, false);
    create(r);
    write_rows(r, motion, 3, 0, 13);
    results_free(r);
    assert_int_equal(read_count(in_folder("run"), "motion_rows_valid"), 10);
    assert_int_equal(read_count(in_folder("run.0001"), "motion_rows_valid"), 3);
    matrix m = read_matrix(in_folder("run.0001"), "motion");
    assert_rows(&m, 3, 10);
    free(m.values);
    results_free(NULL);
}

static void assert_rejected(const results_table *t, const char *reason)
{
    results *r = begin("run.h5");
    add(r, "taken", 0, 1, false);
    mc_error error = {.code = MC_OK};
    int index = -1;
    assert_int_equal(results_add_table(r, t, &index, &error), MC_BAD_INPUT);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" lacks \"%s\"", error.text, reason);
    results_free(r);
}

static void bad_tables_are_rejected(void **state)
{
    (void)state;
    const int64_t huge = INT64_MAX / 4;
    assert_rejected(&(results_table){"t", columns, 3, 0, 0, false}, "at least one row");
    assert_rejected(&(results_table){"t", columns, 0, 0, 5, false}, "at least one row");
    assert_rejected(&(results_table){"t", columns, 3, -1, 5, false}, "vehicles");
    assert_rejected(&(results_table){"t", columns, 3, 0, -5, false}, "at least one row");
    assert_rejected(&(results_table){"t", columns, 3, 0, huge, false}, "larger than any file");
    assert_rejected(&(results_table){"t", columns, 3, huge, 1, false}, "larger than any file");
    assert_rejected(&(results_table){"t", columns, 3, huge / 8, 8, false}, "larger than any file");
    assert_rejected(&(results_table){"taken", columns, 3, 0, 5, false}, "two tables");
    assert_rejected(&(results_table){"", columns, 3, 0, 5, false}, "is not a valid");
    assert_rejected(&(results_table){"a/b", columns, 3, 0, 5, false}, "is not a valid");
    assert_rejected(&(results_table){"1a", columns, 3, 0, 5, false}, "is not a valid");
    assert_rejected(&(results_table){"a_rows_valid", columns, 3, 0, 5, false}, "is not a valid");
    assert_rejected(&(results_table){NULL, columns, 3, 0, 5, false}, "is not a valid");
    results *r = begin("run.h5");
    mc_error error;
    assert_int_equal(results_set_text(r, "complete", "x", &error), MC_BAD_INPUT);
    assert_int_equal(results_create(r, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "no table"));
    results_free(r);
    assert_int_equal(entry_count(), 0);
}

static void assert_not_created(const char *path, int64_t rows, const char *reason)
{
    results *r = results_new(path, NULL);
    assert_non_null(r);
    add(r, "motion", 0, rows, false);
    mc_error error = {.code = MC_OK};
    assert_int_equal(results_create(r, &error), MC_IO);
    assert_string_equal(error.file, path);
    if (!strstr(error.text, reason))
        fail_msg("\"%s\" lacks \"%s\"", error.text, reason);
    results_free(r);
}

static void bad_places_are_rejected(void **state)
{
    (void)state;
    assert_not_created(in_folder("missing/run.h5"), 10, "No such file or directory");
    assert_not_created(folder, 10, "folder");
    assert_not_created("/dev/null", 10, "regular file");
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_not_created(in_folder("run.h5"), INT64_C(1) << 50, "GB are free");
    assert_int_equal(entry_count(), 0);
}

static void failed_creation_keeps_the_old_file(void **state)
{
    (void)state;
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, 10, false);
    create(r);
    write_rows(r, motion, 3, 0, 10);
    end(r);
    assert_not_created(in_folder("run.h5"), INT64_C(1) << 50, "GB are free");
    assert_table(in_folder("run.h5"), "motion", 10, 0);

    // No space at the first write, the second, ... until there is enough.
    mc_status status = MC_IO;
    int writes = 0;
    for (; status == MC_IO && writes < 100; writes++) {
        r = begin("run.h5");
        add(r, "motion", 0, 100000, false);
        add(r, "events", 5, 100, true);
        mc_error error = {.code = MC_OK};
        write_budget = writes;
        status = results_create(r, &error);
        write_budget = -1;
        results_free(r);
        assert_int_equal(entry_count(), 1);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
        if (status != MC_OK) {
            assert_non_null(strstr(error.text, "No space left on device"));
            assert_table(in_folder("run.h5"), "motion", 10, 0);
        }
    }
    assert_int_equal(status, MC_OK);
    assert_true(writes > 3);
    assert_int_equal(read_count(in_folder("run.h5"), "motion_rows_valid"), 0);
}

// The disk is full while writing; then there is room again.
static void full_disk_keeps_what_is_written(void **state)
{
    (void)state;
    results *r = begin("run.h5");
    const int motion = add(r, "motion", 0, 100000, false);
    create(r);
    write_rows(r, motion, 3, 0, 100);
    assert_int_equal(results_flush(r, NULL), MC_OK);
    write_budget = 5; // two blocks with their counts, and a block without
    mc_error error = {.code = MC_OK};
    mc_status status = MC_OK;
    int64_t rows = 100;
    while (status == MC_OK && rows < 100000) {
        const double row[] = {value_at(rows, 0), value_at(rows, 1), value_at(rows, 2)};
        status = results_write(r, motion, row, &error);
        rows++;
    }
    const double more[3] = {0};
    const mc_status again = results_write(r, motion, more, NULL);
    write_budget = -1;
    assert_int_equal(status, MC_IO);
    assert_int_equal(again, MC_IO);
    assert_string_equal(error.file, in_folder("run.h5"));
    assert_string_equal(error.text, "cannot be written: No space left on device");
    const int64_t count = read_count(in_folder("run.h5"), "motion_rows_valid");
    assert_true(count > 100 && count < rows);
    matrix m = read_matrix(in_folder("run.h5"), "motion");
    assert_rows(&m, count, 0);
    free(m.values);
    end(r);
    assert_table(in_folder("run.h5"), "motion", rows, 0);
}

// A flush of two tables is four writes. Wherever it breaks off, a count never exceeds the rows
// written.
static void rows_come_before_their_count(void **state)
{
    (void)state;
    for (int writes = 0; writes <= 4; writes++) {
        results *r = begin("run.h5");
        const int a = add(r, "a", 0, 100, false), b = add(r, "b", 0, 100, false);
        create(r);
        write_rows(r, a, 3, 0, 10);
        write_rows(r, b, 3, 0, 10);
        write_budget = writes;
        const mc_status status = results_flush(r, NULL);
        int64_t counted = 0;
        for (int i = 0; i < 2; i++) {
            const char *path = in_folder("run.h5");
            const int64_t count = read_count(path, i == 0 ? "a_rows_valid" : "b_rows_valid");
            matrix m = read_matrix(path, i == 0 ? "a" : "b");
            assert_rows(&m, count, 0);
            free(m.values);
            counted += count;
        }
        results_free(r);
        write_budget = -1;
        assert_int_equal(status, writes < 4 ? MC_IO : MC_OK);
        assert_int_equal(counted, writes < 3 ? 0 : writes == 3 ? 10 : 20);
    }
}

// No space at the first write of the clean end, the second, ... until there is enough.
static void failed_finish_keeps_the_raw_file(void **state)
{
    (void)state;
    enum { ROWS = 30000, WIDE = 5000 }; // WIDE: names in a dataset
    static results_column wide[WIDE];
    for (int i = 0; i < WIDE; i++)
        wide[i] = (results_column){"a name", "m", "a text"};
    mc_status status = MC_IO;
    int writes = 0;
    for (; status == MC_IO && writes < 1000; writes++) {
        results *r = begin("run.h5");
        int index = 0;
        assert_int_equal(
            results_add_table(r, &(results_table){"wide", wide, WIDE, 0, 10, false}, &index, NULL),
            MC_OK);
        const int motion = add(r, "motion", 0, 100000, false),
                  events = add(r, "events", 0, 1, true);
        create(r);
        write_rows(r, motion, 3, 0, ROWS);
        write_rows(r, events, 3, 0, 2);
        write_rows(r, index, WIDE, 0, 2);
        assert_int_equal(results_flush(r, NULL), MC_OK);
        mc_error error = {.code = MC_OK};
        write_budget = writes;
        status = results_finish(r, &error);
        write_budget = -1;
        results_free(r);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
        if (status == MC_OK)
            break;
        assert_string_equal(error.text, "cannot be compressed: No space left on device");
        assert_int_equal(entry_count(), 2); // and its overflow
        assert_int_equal(read_count(in_folder("run.h5"), "motion_rows_valid"), ROWS);
        assert_int_equal(read_number(in_folder("run.h5"), "complete"), 0);
        matrix m = read_matrix(in_folder("run.h5"), "motion");
        assert_rows(&m, ROWS, 0);
        free(m.values);
    }
    assert_true(writes > 5);
    assert_int_equal(entry_count(), 1);
    assert_table(in_folder("run.h5"), "motion", ROWS, 0);
    assert_table(in_folder("run.h5"), "events", 2, 0);
}

static herr_t count_failures(hid_t stack, void *context)
{
    (void)stack;
    ++*(int *)context;
    return 0;
}

// The caller's HDF5 error printer is neither called nor lost.
static void hdf5_stays_quiet(void **state)
{
    (void)state;
    int failures = 0;
    H5Eset_auto2(H5E_DEFAULT, count_failures, &failures);
    results *r = begin("run.h5");
    add(r, "motion", 0, 10, false);
    create(r); // looks for old segments that do not exist
    end(r);
    H5E_auto2_t function = NULL;
    void *data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &function, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    assert_true(function == count_failures && data == &failures);
    assert_int_equal(failures, 0);
}

static void *one_run(void *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, (const char *)name);
    for (int round = 0; round < 10; round++) {
        results *r = results_new(path, NULL);
        int index = 0;
        const results_table t = {"motion", columns, 3, 0, 3000, false};
        if (!r || results_add_table(r, &t, &index, NULL) != MC_OK ||
            results_create(r, NULL) != MC_OK)
            return "cannot create";
        for (int64_t i = 0; i < 10000; i++) {
            const double row[] = {value_at(i, 0), value_at(i, 1), value_at(i, 2)};
            if (results_write(r, index, row, NULL) != MC_OK)
                return "cannot write";
        }
        if (results_finish(r, NULL) != MC_OK)
            return "cannot finish";
        results_free(r);
    }
    return NULL;
}

static void runs_side_by_side(void **state)
{
    (void)state;
    char names[4][8] = {"a.h5", "b.h5", "c.h5", "d.h5"};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, one_run, names[i]), 0);
    for (int i = 0; i < 4; i++) {
        void *problem = NULL;
        pthread_join(threads[i], &problem);
        assert_null(problem);
        assert_table(in_folder(names[i]), "motion", 3000, 0);
    }
    assert_table(in_folder("d.0003.h5"), "motion", 1000, 9000);
    assert_int_equal(entry_count(), 16);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, empty_folder)
    const struct CMUnitTest tests[] = {
        TEST(round_trip),
        TEST(empty_tables_may_be_left_out),
        TEST(readable_while_running),
        TEST(rows_arrive_without_another_call),
        TEST(large_rows_go_out_by_size),
        TEST(vehicles_are_a_dimension),
        TEST(names_of_240000_columns),
        TEST(attribute_limit_is_kept),
        TEST(segments_follow_each_other),
        TEST(new_run_removes_old_segments),
        TEST(more_segments_than_descriptors),
        TEST(events_grow),
        TEST(nothing_written_is_an_empty_table),
        TEST(free_without_finish_keeps_the_rows),
        TEST(bad_tables_are_rejected),
        TEST(bad_places_are_rejected),
        TEST(failed_creation_keeps_the_old_file),
        TEST(full_disk_keeps_what_is_written),
        TEST(rows_come_before_their_count),
        TEST(failed_finish_keeps_the_raw_file),
        TEST(hdf5_stays_quiet),
        TEST(runs_side_by_side),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
