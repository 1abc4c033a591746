// test_table_text.c - data.asc and CSV: the characters, the atomic end, the errors.
#include "io/table_text.h"

#include "base/file.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_table_text.XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/t", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); // fails when a temporary file was left
}

static void assert_content(const char *expected)
{
    arena a = {NULL};
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(file_read(&a, path, 0, &data, &size, NULL), MC_OK);
    assert_string_equal(data, expected);
    arena_free(&a);
}

static void asc_is_the_manual_s(void **state)
{
    (void)state;
    mc_error error;
    table_text *t = table_text_open_asc(path, 4, TABLE_TEXT_DIGITS, &error);
    assert_non_null(t);
    assert_int_equal(table_text_row(t, (double[]){0.0, 0.0, 0.0, -3.73e-2}, &error), MC_OK);
    assert_int_equal(table_text_row(t, (double[]){0.01, 0.244444, 0.0, -3.691894e-2}, &error),
                     MC_OK);
    assert_int_equal(table_text_close(t, &error), MC_OK);
    assert_content("0.000000e+00 0.000000e+00 0.000000e+00 -3.730000e-02\n"
                   "1.000000e-02 2.444440e-01 0.000000e+00 -3.691894e-02\n");
}

static void digits_are_printf_s(void **state)
{
    (void)state;
    const double row[] = {1.0 / 3.0, -DBL_MAX, DBL_MIN / 1e10, 9.9999999999999999e99, 0.15, -0.0};
    for (int digits = 1; digits <= 17; digits++) {
        char expected[400], *end = expected;
        for (int i = 0; i < 6; i++)
            end += sprintf(end, "%.*e%c", digits, row[i], i < 5 ? ' ' : '\n');
        mc_error error;
        table_text *t = table_text_open_asc(path, 6, digits, &error);
        assert_non_null(t);
        assert_int_equal(table_text_row(t, row, &error), MC_OK);
        assert_int_equal(table_text_close(t, &error), MC_OK);
        assert_content(expected);
    }
}

static void csv_header_is_quoted_where_needed(void **state)
{
    (void)state;
    const char *names[] = {"t", "x, lane 1", "the \"y\"", "two\nlines", " blank", ""};
    mc_error error;
    table_text *t = table_text_open_csv(path, 6, names, &error);
    assert_non_null(t);
    const double row[] = {0.1, 1e300, -2.0, NAN, -INFINITY, 123456789.0};
    assert_int_equal(table_text_row(t, row, &error), MC_OK);
    assert_int_equal(table_text_close(t, &error), MC_OK);
    assert_content("t,\"x, lane 1\",\"the \"\"y\"\"\",\"two\nlines\",\" blank\",\n"
                   "0.10000000000000001,1.0000000000000001e+300,-2,nan,-inf,123456789\n");
}

static void csv_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    enum { ROWS = 2000, COLUMNS = 5 };
    static double values[ROWS][COLUMNS];
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        do {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            memcpy(&values[0][0] + i, &seed, sizeof seed);
        } while (!isfinite(values[i / COLUMNS][i % COLUMNS]));
    }
    const char *names[] = {"a", "b", "c", "d", "e"};
    mc_error error;
    table_text *t = table_text_open_csv(path, COLUMNS, names, &error);
    assert_non_null(t);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(table_text_row(t, values[i], &error), MC_OK);
    assert_int_equal(table_text_close(t, &error), MC_OK);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char line[400];
    assert_non_null(fgets(line, sizeof line, f));
    for (int i = 0; i < ROWS; i++) {
        assert_non_null(fgets(line, sizeof line, f));
        char *at = line;
        for (int k = 0; k < COLUMNS; k++, at++) {
            const double read = strtod(at, &at);
            assert_memory_equal(&read, &values[i][k], sizeof read);
            assert_int_equal(*at, k + 1 < COLUMNS ? ',' : '\n');
        }
    }
    assert_null(fgets(line, sizeof line, f));
    fclose(f);
}

static void old_file_stays_until_close(void **state)
{
    (void)state;
    mc_error error;
    table_text *t = table_text_open_asc(path, 1, 2, &error);
    assert_int_equal(table_text_row(t, (double[]){1.0}, &error), MC_OK);
    assert_int_equal(table_text_close(t, &error), MC_OK);
    t = table_text_open_asc(path, 1, 2, &error);
    assert_int_equal(table_text_row(t, (double[]){2.0}, &error), MC_OK);
    assert_content("1.00e+00\n");
    table_text_abandon(t);
    assert_content("1.00e+00\n");
}

static void bad_calls_are_rejected(void **state)
{
    (void)state;
    mc_error error;
    assert_null(table_text_open_asc(path, 0, 6, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_null(table_text_open_asc(path, 1, 0, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_null(table_text_open_asc(path, 1, 18, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_null(table_text_open_asc("/no/such/folder/t", 1, 6, &error));
    assert_int_equal(error.code, MC_IO);
}

static void full_disk_is_told_while_writing(void **state)
{
    (void)state;
    mc_error error;
    table_text *old = table_text_open_asc(path, 1, 1, &error);
    assert_int_equal(table_text_row(old, (double[]){5.0}, &error), MC_OK);
    assert_int_equal(table_text_close(old, &error), MC_OK);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    const struct rlimit small = {100000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    table_text *t = table_text_open_asc(path, 1, 6, &error);
    mc_status row = MC_OK;
    int rows = 0;
    while (t && row == MC_OK && rows++ < 1000000)
        row = table_text_row(t, (double[]){1.0}, &error);
    const mc_status closed = t ? table_text_close(t, &error) : MC_OK;
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(row, MC_IO);
    assert_true(rows < 30000); // 13 bytes each: told within a buffer or so
    assert_int_equal(closed, MC_IO);
    assert_content("5.0e+00\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asc_is_the_manual_s),
        cmocka_unit_test(digits_are_printf_s),
        cmocka_unit_test(csv_header_is_quoted_where_needed),
        cmocka_unit_test(csv_reads_back_to_the_same_bits),
        cmocka_unit_test(old_file_stays_until_close),
        cmocka_unit_test(bad_calls_are_rejected),
        cmocka_unit_test(full_disk_is_told_while_writing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
