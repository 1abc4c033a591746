// test_csv.c - tables of numbers from CSV: what is read, and what is said about what is not.
#include "io/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static mc_status parse(arena *a, const char *text, csv *out, mc_error *error)
{
    char *copy = arena_copy_text(a, text, strlen(text));
    return csv_parse(a, copy, strlen(text), "t.csv", out, error);
}

static void good_tables(void **state)
{
    (void)state;
    arena a = {0};
    csv t;
    mc_error error;
    assert_int_equal(
        parse(&a, "# made by hand\n\n x , \"y z\",w\r\n1,2.5,-3e-2\n\n 4 ,5,6", &t, &error), MC_OK);
    assert_int_equal(t.column_count, 3);
    assert_int_equal(t.row_count, 2);
    assert_string_equal(t.names[0], "x");
    assert_string_equal(t.names[1], "y z");
    assert_string_equal(t.names[2], "w");
    const double expected[] = {1, 2.5, -3e-2, 4, 5, 6};
    assert_memory_equal(t.values, expected, sizeof expected);
    assert_int_equal(t.line[0], 4);
    assert_int_equal(t.line[1], 6);
    assert_int_equal(parse(&a, "\xef\xbb\xbfq0\n7\n", &t, &error), MC_OK);
    assert_string_equal(t.names[0], "q0");
    assert_int_equal(parse(&a, "a,b\n", &t, &error), MC_OK);
    assert_int_equal(t.row_count, 0);
    arena_free(&a);
}

static void wrong_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *message;
    } cases[] = {
        {"", 0, 0, "the file is empty; expected a header line with the names of the columns"},
        {"# only\n\n", 0, 0,
         "the file is empty; expected a header line with the names of the columns"},
        {"a;b\n1;2\n", 1, 2, "columns are separated by commas here, not by semicolons"},
        {"a,,b\n", 1, 3, "a column without a name"},
        {"a,b,a\n", 1, 5, "two columns are called \"a\""},
        {"a,\"b\n1,2\n", 1, 3, "a quoted name must end with \" before the comma"},
        {"a,b\n1\n", 2, 0, "1 values, but the header names 2 columns"},
        {"a,b\n1,2\n1,5,2\n", 3, 5,
         "more values than the 2 columns of the header (a decimal comma?)"},
        {"a,b\n1,x2\n", 2, 3, "column b: \"x2\" is not a number (12, -0.5, 1.2e-3)"},
        {"a,b\n1,nan\n", 2, 3, "column b: \"nan\" is not a number (12, -0.5, 1.2e-3)"},
        {"a,b\n,2\n", 2, 1, "column a: \"\" is not a number (12, -0.5, 1.2e-3)"},
        {"a,b\n1 m,2\n", 2, 1, "column a: \"1 m\" is not a number (12, -0.5, 1.2e-3)"},
        {"a\n1111111111111111111111111111111111111111111111111x\n", 2, 1,
         "column a: \"1111111111111111111111111111111111111...\" is not a number (12, -0.5, "
         "1.2e-3)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arena a = {0};
        csv t;
        mc_error error = {0};
        assert_int_equal(parse(&a, cases[i].text, &t, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, cases[i].message);
        assert_string_equal(error.file, "t.csv");
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        arena_free(&a);
    }
    arena a = {0};
    csv t;
    mc_error error = {0};
    char zero[] = "a\n1\0\n";
    assert_int_equal(csv_parse(&a, zero, sizeof zero - 1, "t.csv", &t, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "not a text file: it contains a zero byte");
    assert_int_equal(csv_read(&a, "/no/such/file.csv", &t, &error), MC_BAD_INPUT);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(good_tables),
                                       cmocka_unit_test(wrong_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
