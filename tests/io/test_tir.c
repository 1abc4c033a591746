// test_tir.c - lines of tyre property files: kinds, places, line ends, what is not a key.
#include "io/tir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char text[] = "\xef\xbb\xbf$ comment\r\n"
                           "  [ MODEL ]  $ a section\r"
                           "USE_MODE=4\n"
                           "\n"
                           "\tNAME = 'a $ b'  ! text\n"
                           "other = word\n"
                           "{radial width}\n"
                           "X = 'open\n"
                           "Y = 'a' b\n"
                           "Z =\n"
                           "[open\n"
                           "last = -1.5e-3";

static void all_kinds(void **state)
{
    (void)state;
    static const struct {
        tir_kind kind;
        const char *name, *value;
        int line, column, value_column;
        double number;
    } expected[] = {
        {TIR_SECTION, "MODEL", "", 2, 3, 3, 0.0},
        {TIR_NUMBER, "USE_MODE", "4", 3, 1, 10, 4.0},
        {TIR_TEXT, "NAME", "a $ b", 5, 2, 9, 0.0},
        {TIR_TEXT, "other", "word", 6, 1, 9, 0.0},
        {TIR_ROW, "", "expected NAME = value", 7, 1, 1, 0.0},
        {TIR_ROW, "", "the closing quote is missing", 8, 1, 5, 0.0},
        {TIR_ROW, "", "found more after the closing quote", 9, 1, 5, 0.0},
        {TIR_ROW, "", "the value is missing", 10, 1, 1, 0.0},
        {TIR_ROW, "", "a section is written [NAME]", 11, 1, 1, 0.0},
        {TIR_NUMBER, "last", "-1.5e-3", 12, 1, 8, -1.5e-3},
    };
    tir_reader r;
    tir_line l;
    tir_begin(&r, text, sizeof text - 1);
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        assert_true(tir_next(&r, &l));
        assert_int_equal(l.kind, expected[k].kind);
        assert_string_equal(l.name, expected[k].name);
        assert_string_equal(l.value, expected[k].value);
        assert_int_equal(l.line, expected[k].line);
        assert_int_equal(l.column, expected[k].column);
        assert_int_equal(l.value_column, expected[k].value_column);
        assert_true(l.number == expected[k].number);
    }
    assert_false(tir_next(&r, &l));
    assert_false(tir_next(&r, &l));
}

// Long names and values, bytes that are not text.
static void strange(void **state)
{
    (void)state;
    char bytes[600] = "K = ";
    memset(bytes + 4, 'x', 300);
    memcpy(bytes + 304, "\n\x01\xff=3\n", 6);
    memset(bytes + 310, 'n', 100);
    memcpy(bytes + 410, "=1", 3);
    tir_reader r;
    tir_line l;
    tir_begin(&r, bytes, 412);
    assert_true(tir_next(&r, &l));
    assert_int_equal(l.kind, TIR_TEXT);
    assert_int_equal(strlen(l.value), TIR_VALUE_SIZE - 1);
    assert_string_equal(l.value + TIR_VALUE_SIZE - 4, "...");
    assert_true(tir_next(&r, &l) && l.kind == TIR_ROW);
    assert_true(tir_next(&r, &l) && l.kind == TIR_ROW); // a name of 100 letters
    assert_false(tir_next(&r, &l));
    tir_begin(&r, "", 0);
    assert_false(tir_next(&r, &l));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_kinds), cmocka_unit_test(strange)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
