// test_verify_all.c - `motorcade verify` of all benchmarks: the summary and the table for programs.
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

static int line_count(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

typedef struct csv_row {
    char benchmark[40], quantity[100], pass[10];
    double value, reference, digits;
} csv_row;

// Splits a line at its commas, of which there are five.
static csv_row read_row(const char *line)
{
    csv_row row;
    int length = 0;
    const int found =
        sscanf(line, "%39[^,],%99[^,],%lf,%lf,%lf,%9[^,\n]%n", row.benchmark, row.quantity,
               &row.value, &row.reference, &row.digits, row.pass, &length);
    if (found != 6 || line[length] != '\n')
        fail_msg("six columns expected: %s", line);
    return row;
}

static const char head[] = "benchmark,quantity,value,reference,digits,pass\n";

static void csv_columns(void **state)
{
    (void)state;
    char *all = cli_printed("verify -b --csv all.csv");
    assert_int_equal(line_count(all), 19);
    cli_has(all, "18 benchmarks, ");
    cli_has(all, "all pass\n");
    free(all);
    char *text = run_get(&folder, "all.csv", NULL);
    assert_memory_equal(text, head, strlen(head));
    int rows = 0, zero = 0, medusa = 0;
    for (const char *line = text + strlen(head); *line; line = strchr(line, '\n') + 1) {
        const csv_row row = read_row(line);
        assert_string_equal(row.pass, "true");
        const double error =
            fabs(row.value - row.reference) / (row.reference == 0.0 ? 1.0 : fabs(row.reference));
        assert_true(fabs(row.digits - fmin(16.0, -log10(error))) < 0.006);
        const bool iltis = strcmp(row.benchmark, "iltis") == 0; // printed with four to seven digits
        const bool windows = strcmp(row.benchmark, "windows") == 0;
        assert_true(row.digits >= (iltis ? 3.5 : windows ? 5.0 : 6.3));
        zero += row.reference == 0.0;
        medusa += strcmp(row.benchmark, "medusa-print") == 0;
        rows++;
    }
    assert_int_equal(medusa, 6);
    assert_true(rows > 200 && zero > 10 && zero < rows / 2);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(csv_columns, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
