// test_kill.c - what a results file holds after SIGKILL.
//
// 600 times (series) a child records rows whose content is known from (row, column), is killed at a
// random moment, and the files are opened by a plain HDF5 reader (H5Fopen, read-only, defaults).
// Every row that counts as valid must be right, no row may be missing in between, and the oldest
// row that is missing must have been handed in less than 1 s before the kill. The child notes in
// shared memory when it handed in which row.
//
// The rounds take turns in how the child writes (see `manners`): in a hurry, with pauses, rows of
// 400 kB, a burst followed by silence, short segments with overflowing event tables, and a clean
// end that is killed.
#include "hdf5/results.h"
#include "support/series.h"

#include <dirent.h>
#include <hdf5.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROUNDS = 600, NOTES = 1 << 20, BLOCK_ROWS = 4096, TIME_COLUMN = 1 };
static const double missing_max = 1.0; // s

typedef struct manner {
    const char *name;
    int64_t vehicles, columns; // of the table; 0 vehicles: two dimensions
    int64_t rows;              // declared
    int burst;                 // rows between pauses
    int pause_us;              // at most; the length is random
    int64_t total;             // rows, then silence; 0: no end
    int event_every;           // rows; 0: no event table
    bool finish;               // a clean end instead of the silence
    double kill_min, kill_max; // s after the child's first row
} manner;

static const manner manners[] = {
    {"hurry", 0, 16, 8000000, 64, 100, 0, 0, false, 0.05, 1.0},
    {"pauses", 0, 6, 100000, 3, 5000, 0, 0, false, 0.3, 1.2},
    {"large rows", 2000, 24, 5000, 4, 500, 0, 0, false, 0.05, 0.6},
    {"burst, then silence", 0, 6, 100000, 100, 0, 1000, 0, false, 0.9, 1.3},
    {"segments and events", 0, 6, 2000, 20, 400, 0, 3, false, 0.05, 0.9},
    {"clean end", 0, 16, 130000, 1000, 0, 300000, 7, true, 0.0, 0.3},
};
enum { MANNERS = sizeof manners / sizeof manners[0] };

typedef struct shared {
    _Atomic int64_t row_count; // handed in; the call has returned
    _Atomic int64_t event_count;
    _Atomic bool finishing, finished;
    double time[NOTES]; // s, monotonic, when row i % NOTES was made
} shared;

static char folder[] = "/tmp/test_kill.XXXXXX";
static char run_path[100];
static shared *notes;

static double random_between(uint64_t *seed, double low, double high)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double seconds)
{
    nanosleep(
        &(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)},
        NULL);
}

static double value_at(int64_t row, int64_t column)
{
    return (double)(row * 1000003 + column * 7919) * 0.5 + 1.0;
}

// ---- the child ----

static _Noreturn void child_failed(const mc_error *error)
{
    fprintf(stderr, "child: %s: %s\n", error->file, error->text);
    _exit(3);
}

static void put_row(results *r, int table, int64_t width, int64_t i, double time, double *row)
{
    for (int64_t k = 0; k < width; k++)
        row[k] = value_at(i, k);
    row[TIME_COLUMN] = time;
    mc_error error;
    if (results_write(r, table, row, &error) != MC_OK)
        child_failed(&error);
}

static _Noreturn void record(const manner *m, uint64_t seed)
{
    mc_error error;
    results_column columns[24];
    for (int i = 0; i < 24; i++)
        columns[i] = (results_column){"x", "m", "a number"};
    results *r = results_new(run_path, &error);
    int motion = 0, events = 0;
    if (!r ||
        results_add_table(
            r, &(results_table){"motion", columns, m->columns, m->vehicles, m->rows, false},
            &motion, &error) != MC_OK ||
        results_add_table(r, &(results_table){"events", columns, 3, 0, 50, true}, &events,
                          &error) != MC_OK ||
        results_create(r, &error) != MC_OK)
        child_failed(&error);
    const int64_t width = (m->vehicles ? m->vehicles : 1) * m->columns;
    double *row = calloc((size_t)width, sizeof *row);
    for (int64_t i = 0; row && (m->total == 0 || i < m->total); i++) {
        const double now = seconds_now();
        notes->time[i % NOTES] = now;
        put_row(r, motion, width, i, now, row);
        notes->row_count = i + 1;
        if (m->event_every > 0 && i % m->event_every == 0) {
            put_row(r, events, 3, notes->event_count, now, row);
            notes->event_count++;
        }
        if (m->pause_us > 0 && i % m->burst == m->burst - 1)
            sleep_for(random_between(&seed, 0.0, 1e-6 * m->pause_us));
    }
    notes->finishing = true;
    if (m->finish && results_finish(r, &error) != MC_OK)
        child_failed(&error);
    notes->finished = m->finish;
    for (;;)
        pause();
}

// ---- the plain reader ----

static hid_t open_plain(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        fail_msg("HDF5 cannot open %s", path);
    return file;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int64_t read_complete(void)
{
    int64_t complete = -1;
    const hid_t file = open_plain(run_path);
    const hid_t attribute = H5Aopen(file, "complete", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT64, &complete) >= 0);
    H5Aclose(attribute);
    H5Fclose(file);
    return complete;
}

// Checks the valid rows of one table of one file, whose first row is row first of the run, and
// that their times do not go back. Returns how many there are; *declared: how many could be.
static int64_t check_rows(const char *path, const char *table, int64_t first, double *last_time,
                          int64_t *declared)
{
    char count_name[64];
    snprintf(count_name, sizeof count_name, "%s_rows_valid", table);
    const hid_t file = open_plain(path);
    const hid_t counter = H5Dopen2(file, count_name, H5P_DEFAULT);
    int64_t count = -1;
    assert_true(H5Dread(counter, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) >= 0);
    H5Dclose(counter);

    const hid_t dataset = H5Dopen2(file, table, H5P_DEFAULT), space = H5Dget_space(dataset);
    hsize_t shape[3] = {0, 1, 1};
    const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
    assert_true(rank == 2 || rank == 3);
    *declared = (int64_t)shape[0];
    assert_true(count >= 0 && count <= *declared);
    const int64_t width = (int64_t)(shape[1] * shape[2]);
    const int64_t block = BLOCK_ROWS / width > 0 ? BLOCK_ROWS : 16;
    double *values = malloc((size_t)(block * width) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i += block) {
        const int64_t n = count - i < block ? count - i : block;
        const hsize_t start[3] = {(hsize_t)i, 0, 0}, size[3] = {(hsize_t)n, shape[1], shape[2]};
        const hid_t memory = H5Screate_simple(rank, size, NULL);
        assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0);
        assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0);
        H5Sclose(memory);
        for (int64_t k = 0; k < n * width; k++) {
            if (k % width == TIME_COLUMN) {
                assert_true(values[k] >= *last_time);
                *last_time = values[k];
            } else if (values[k] != value_at(first + i + k / width, k % width)) {
                fail_msg("%s: %s row %lld column %lld is wrong", path, table,
                         (long long)(i + k / width), (long long)(k % width));
            }
        }
    }
    free(values);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    return count;
}

// A table over all its files: run.h5 and those named by format, which follow without a gap.
static int64_t check_table(const char *table, const char *format, bool further)
{
    double last_time = 0.0;
    int64_t declared = 0;
    int64_t count = check_rows(run_path, table, 0, &last_time, &declared);
    int64_t full = declared;
    for (int i = 1; further; i++) {
        char path[120];
        snprintf(path, sizeof path, "%s/%s.%04d.h5", folder, format, i);
        if (!exists(path))
            break;
        assert_int_equal(count, full); // the one before was full
        count += check_rows(path, table, count, &last_time, &declared);
        full += declared;
    }
    return count;
}

// ---- one round ----

static int empty_folder(void)
{
    DIR *d = opendir(folder);
    for (const struct dirent *e; d && (e = readdir(d));) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.')
            unlink(path);
    }
    return d ? closedir(d) : -1;
}

static pid_t start_child(const manner *m, uint64_t seed)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // when this test fails and ends before the kill
        record(m, seed);
    }
    return child;
}

// Kills the child; returns when.
static double kill_child(pid_t child)
{
    const double when = seconds_now();
    kill(child, SIGKILL);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); // it did not end by itself
    return when;
}

typedef struct figures { // what a series keeps
    uint64_t seed;
    int64_t rows;    // valid, all rounds
    double missing;  // s, the age of the oldest missing row at the kill, worst round
    double handed;   // s, from the last valid to the last handed row, worst round
    int with_rows;   // rounds
    int in_finish;   // rounds killed in the clean end
    int complete;    // rounds killed after it
    int with_events; // rounds whose events overflowed
} figures;

static void check_round(const manner *m, double killed_at, figures *f)
{
    const bool complete = read_complete() == 1;
    assert_true(complete || !notes->finished);
    const int64_t valid = check_table("motion", "run", true);
    const int64_t events = check_table("events", "run.events", !complete);
    const int64_t handed = notes->row_count;
    if (m->finish && notes->finishing) { // everything was written before the clean end began
        f->in_finish += !notes->finished;
        f->complete += notes->finished;
        if (complete)
            assert_true(valid == handed && events == notes->event_count);
    }
    f->rows += valid;
    f->with_rows += valid > 0;
    f->with_events += events > 50;
    if (handed > valid) {
        assert_true(handed - valid < NOTES);
        const double oldest = notes->time[valid % NOTES];
        const double missing = killed_at - oldest;
        const double last = notes->time[(handed - 1) % NOTES];
        f->missing = missing > f->missing ? missing : f->missing;
        f->handed = last - oldest > f->handed ? last - oldest : f->handed;
        if (missing > missing_max)
            fail_msg("%s: rows made %.3f s before the kill are missing", m->name, missing);
    }
    if (m->event_every > 0) // events are handed in after their row and cannot be far behind it
        assert_true(events * m->event_every >= valid - 100000);
}

static void kills(void **state)
{
    (void)state;
    figures f = {.seed = 88172645463325252u};
    series s = series_open("kills", ROUNDS, &f, sizeof f);
    for (long round; series_next(&s, &round);) {
        const manner *m = &manners[round % MANNERS];
        assert_int_equal(empty_folder(), 0);
        notes->row_count = notes->event_count = 0;
        notes->finishing = notes->finished = false;
        const double wait = random_between(&f.seed, m->kill_min, m->kill_max);
        const pid_t child = start_child(m, f.seed);
        const double begun = seconds_now();
        while (notes->row_count == 0 && seconds_now() - begun < 10.0)
            sleep_for(0.0005);
        while (m->finish && !notes->finishing && seconds_now() - begun < 10.0)
            sleep_for(0.0005);
        if (round % 5 == 0) { // a reader while it runs
            sleep_for(0.5 * wait);
            if (!m->finish)
                check_table("motion", "run", false);
        }
        sleep_for(round % 5 == 0 ? 0.5 * wait : wait);
        check_round(m, kill_child(child), &f);
    }
    print_message(
        "%ld of %ld readable; %.1f million rows right; missing at most %.3f s of wall time "
        "(%.3f s of rows); killed in the clean end %d times, after it %d\n",
        s.count, s.count, 1e-6 * (double)f.rows, f.missing, f.handed, f.in_finish, f.complete);
    // The test has tested something.
    assert_true(f.with_rows > s.count * 3 / 4);
    assert_true(f.rows > 2000 * s.count);
    assert_true(12 * f.with_events >= s.count);
    assert_true(f.in_finish >= 1);
}

static int set_up(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (notes == MAP_FAILED || !mkdtemp(folder))
        return -1;
    snprintf(run_path, sizeof run_path, "%s/run.h5", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    empty_folder();
    munmap(notes, sizeof *notes);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kills)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
