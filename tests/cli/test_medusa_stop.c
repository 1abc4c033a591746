// test_medusa_stop.c - runs that are ended from outside: Ctrl-C, SIGTERM, SIGKILL.
#include "support/cli.h"

#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KILLS = 10, ROWS_NEEDED = 500 }; // rows: seen in the HDF5 file before a signal is sent

static const char *const tables[] = {"time", "motion", "pose", "energy", "impacts"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static int set_up(void **state)
{
    cli_set_up(state);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    cli_copy_medusa();
    run_put(&folder, "data.asc", "old\n");
    return 0;
}

static void assert_asc_is_old(void)
{
    char *text = run_get(&folder, "data.asc", NULL);
    assert_string_equal(text, "old\n");
    free(text);
}

// Waits until the run has written some rows to its HDF5 file, read as any other program would.
static void wait_for_rows(run_process *p, const char *file, int rows)
{
    const double begun = run_clock();
    for (int seen = 0; seen < rows;) {
        if (run_clock() - begun > RUN_SECONDS)
            fail_msg("%d rows in %s after %g s", seen, file, RUN_SECONDS);
        if (run_is_over(p)) {
            run_result r = run_wait(p);
            fail_msg("the run ended by itself, exit code %d: %s", r.code, r.err);
        }
        run_sleep(0.005);
        if (!run_exists(&folder, file))
            continue;
        run_table t = run_table_hdf5(&folder, file, "time");
        seen = t.row_count;
        run_table_free(&t);
    }
}

// The first rows of b must be those of a, to the bit.
static void assert_begins_with(const char *a_file, const char *b_file, const char *table)
{
    run_table a = run_table_hdf5(&folder, a_file, table);
    run_table b = run_table_hdf5(&folder, b_file, table);
    if (a.row_count > b.row_count || a.column_count != b.column_count)
        fail_msg("%s of %s has %d rows, that of %s %d", table, a_file, a.row_count, b_file,
                 b.row_count);
    const size_t size =
        (size_t)a.row_count * (size_t)a.column_count * sizeof *a.value; // 0 is allowed
    if (memcmp(a.value, b.value, size) != 0)
        fail_msg("%s of %s and of %s differ", table, a_file, b_file);
    run_table_free(&a);
    run_table_free(&b);
}

// What was done so far is complete: the same files as those of a run that was to end there.
static void check_stopped_run(const char *message)
{
    double time;
    int length = 0;
    const char *stopped = strstr(message, "medusa: stopped at t = ");
    assert_non_null(stopped);
    sscanf(stopped, "medusa: stopped at t = %lf s; the files contain the results so far\n%n", &time,
           &length);
    assert_true(length > 0 && stopped[length] == '\0'); // and it is the last word

    run_table asc = run_table_read(&folder, "data.asc");
    run_table in_hdf5 = run_table_hdf5(&folder, "run.h5", "time");
    assert_true(asc.row_count >= ROWS_NEEDED);
    assert_int_equal(asc.row_count, in_hdf5.row_count);
    assert_int_equal(run_hdf5_integer(&folder, "run.h5", "complete"), 1);
    const double last = run_at(&in_hdf5, in_hdf5.row_count - 1, 0);
    assert_true(last == 0.01 * (asc.row_count - 1));
    assert_true(fabs(time - last) <= 1e-5 * last); // printed with six digits
    run_table_free(&asc);
    run_table_free(&in_hdf5);

    char arguments[128];
    snprintf(arguments, sizeof arguments,
             "medusa -t%.17g -e -v --quiet -Fwhole.asc --hdf5 whole.h5 --collisions whole.csv",
             last);
    run_result r = cli_run(arguments);
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    static const char *const pairs[][2] = {{"data.asc", "whole.asc"}, {"crash.csv", "whole.csv"}};
    for (int i = 0; i < 2; i++) {
        char *a = run_get(&folder, pairs[i][0], NULL), *b = run_get(&folder, pairs[i][1], NULL);
        assert_true(strcmp(a, b) == 0);
        free(a);
        free(b);
    }
    for (int i = 0; i < TABLES; i++) {
        assert_begins_with("run.h5", "whole.h5", tables[i]);
        assert_begins_with("whole.h5", "run.h5", tables[i]);
    }
}

static void stop_by(int number)
{
    run_process p = run_start(&folder, MOTORCADE_BINARY,
                              "medusa -t20000 -e -v --hdf5 run.h5 --collisions crash.csv");
    wait_for_rows(&p, "run.h5", ROWS_NEEDED);
    assert_asc_is_old(); // a run in progress has changed nothing
    kill(p.id, number);
    run_result r = run_wait(&p);
    assert_int_equal(r.signal, 0);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.out, "\n1 collision, ")); // what happened so far is told
    check_stopped_run(r.err);
    run_result_free(&r);
    char *listing = run_listing(&folder, false);
    assert_null(strstr(listing, "tmp"));
    free(listing);
}

static void interrupted(void **state)
{
    (void)state;
    stop_by(SIGINT);
}

static void terminated(void **state)
{
    (void)state;
    stop_by(SIGTERM);
}

// Ten runs killed at random moments. What their HDF5 files call valid is what a run that was left
// alone writes; the old data.asc is still there.
static void ten_kills(void **state)
{
    (void)state;
    unsigned long long seed = 20240607;
    int max_rows = 0, min_rows = 1 << 30, with_rows = 0;
    for (int i = 0; i < KILLS; i++) {
        char arguments[100], file[16];
        snprintf(file, sizeof file, "%d.h5", i);
        snprintf(arguments, sizeof arguments, "medusa -t20000 --quiet --hdf5 %s", file);
        run_process p = run_start(&folder, MOTORCADE_BINARY, arguments);
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        const double wait = 0.2 * (double)(seed >> 11) * 0x1p-53;
        if (i > 0) // some die before there is a row, some before there is a file
            wait_for_rows(&p, file, i % 4);
        run_sleep(wait);
        kill(p.id, SIGKILL);
        run_result r = run_wait(&p);
        assert_int_equal(r.signal, SIGKILL);
        run_result_free(&r);
        assert_asc_is_old();
        if (!run_exists(&folder, file))
            continue;
        assert_int_equal(run_hdf5_integer(&folder, file, "complete"), 0);
        for (int k = 0; k < TABLES; k++) {
            run_table t = run_table_hdf5(&folder, file, tables[k]);
            if (k < 3) {
                max_rows = t.row_count > max_rows ? t.row_count : max_rows;
                min_rows = t.row_count < min_rows ? t.row_count : min_rows;
            }
            with_rows += k == 0 && t.row_count > 0;
            run_table_free(&t);
        }
    }
    assert_true(with_rows >= KILLS / 2); // the test has tested something
    char arguments[100];
    snprintf(arguments, sizeof arguments, "medusa -t%.17g --quiet --hdf5 whole.h5 -Fwhole.asc",
             0.01 * (max_rows + 1));
    run_result r = cli_run(arguments);
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    for (int i = 0; i < KILLS; i++) {
        char file[16];
        snprintf(file, sizeof file, "%d.h5", i);
        for (int k = 0; k < TABLES && run_exists(&folder, file); k++)
            assert_begins_with(file, "whole.h5", tables[k]);
    }
    print_message("%d of %d files have rows, %d to %d of them\n", with_rows, KILLS, min_rows,
                  max_rows);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, cli_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(interrupted), TEST(terminated), TEST(ten_kills)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
