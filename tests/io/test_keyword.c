// test_keyword.c - tokens with their places, comments, line ends, and what is rejected.
#include "io/keyword.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static mc_error error;
static char message[1024];

static keyword_cursor begin(const char *text)
{
    keyword_cursor cursor;
    error = (mc_error){0};
    assert_int_equal(keyword_begin(&cursor, "f.dat", text, strlen(text), &error), MC_OK);
    return cursor;
}

static const char *formatted(void)
{
    return mc_error_format(&error, message, sizeof message);
}

static void check_token(const keyword_cursor *cursor, keyword_kind kind, const char *text, int line,
                        int column)
{
    const keyword_token *token = &cursor->token;
    assert_int_equal(token->kind, kind);
    assert_int_equal(token->end - token->begin, strlen(text));
    assert_memory_equal(cursor->bytes + token->begin, text, strlen(text));
    assert_int_equal(token->line, line);
    assert_int_equal(token->column, column);
}

static void tokens_have_places(void **state)
{
    (void)state;
    keyword_cursor cursor = begin("% first\n  MASS\t12.5%glued\n\n\v\fnu%\n-.5e1");
    check_token(&cursor, KEYWORD_WORD, "MASS", 2, 3);
    keyword_take(&cursor);
    check_token(&cursor, KEYWORD_NUMBER, "12.5", 2, 8);
    keyword_take(&cursor);
    check_token(&cursor, KEYWORD_WORD, "nu", 4, 3);
    keyword_take(&cursor);
    check_token(&cursor, KEYWORD_NUMBER, "-.5e1", 5, 1);
    assert_true(cursor.token.value == -5.0);
    keyword_take(&cursor);
    check_token(&cursor, KEYWORD_END, "", 5, 6);
    keyword_take(&cursor); // stays
    check_token(&cursor, KEYWORD_END, "", 5, 6);
}

static void lines_end_in_three_ways(void **state)
{
    (void)state;
    const char *const texts[] = {"a %x\n\nb\n", "a %x\r\n\r\nb\r\n", "a %x\r\rb\r"};
    for (int i = 0; i < 3; i++) {
        keyword_cursor cursor = begin(texts[i]);
        check_token(&cursor, KEYWORD_WORD, "a", 1, 1);
        keyword_take(&cursor);
        check_token(&cursor, KEYWORD_WORD, "b", 3, 1);
        keyword_take(&cursor);
        check_token(&cursor, KEYWORD_END, "", 4, 1);
    }
}

static void an_empty_file_ends_at_its_start(void **state)
{
    (void)state;
    keyword_cursor cursor = begin("");
    check_token(&cursor, KEYWORD_END, "", 1, 1);
    assert_int_equal(keyword_expect(&cursor, "MASS", NULL, NULL), MC_BAD_INPUT);
    assert_string_equal(formatted(), "f.dat:1:1: found the end of the file, expected MASS");

    cursor = begin("  % only a comment");
    check_token(&cursor, KEYWORD_END, "", 1, 19);
    assert_int_equal(keyword_begin(&cursor, "f.dat", NULL, 0, &error), MC_OK);
    assert_int_equal(cursor.token.kind, KEYWORD_END);
}

static void a_byte_order_mark_is_skipped(void **state)
{
    (void)state;
    keyword_cursor cursor = begin("\xEF\xBB\xBFMASS");
    check_token(&cursor, KEYWORD_WORD, "MASS", 1, 1);
    cursor = begin("MASS \xEF\xBB\xBF"); // but only at the start
    keyword_take(&cursor);
    assert_int_equal(cursor.token.kind, KEYWORD_BAD_BYTE);
}

static void words_match_in_any_case(void **state)
{
    (void)state;
    keyword_cursor cursor = begin("Spring_Ref mas MASSES");
    assert_true(keyword_is(&cursor, "SPRING_REF"));
    assert_true(keyword_is(&cursor, "spring_ref"));
    assert_false(keyword_is(&cursor, "SPRING"));
    assert_false(keyword_is(&cursor, "SPRING_REFS"));
    keyword_take(&cursor);
    assert_false(keyword_is(&cursor, "MASS")); // found a shorter word
    keyword_take(&cursor);
    assert_false(keyword_is(&cursor, "MASS")); // found a longer word
}

static void numbers_are_as_c_writes_them(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"+7", 7.0},
        {"5.", 5.0},
        {".5", 0.5},
        {"0.015", 0.015},
        {".15e-1", 0.015},
        {"1.5E-2", 0.015},
        {"1e+3", 1000.0},
        {"007", 7.0},
        {"1e-999", 0.0},
        {"5e-324", 0x1p-1074},
        {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        keyword_cursor cursor = begin(good[i].text);
        double value = NAN;
        assert_int_equal(keyword_number(&cursor, "E", &value), MC_OK);
        assert_memory_equal(&value, &good[i].value, sizeof value); // also the sign of zero
        assert_int_equal(cursor.token.kind, KEYWORD_END);
    }
    const char *const bad[] = {"1.0x",  "1,5",  "0x10", "0x1p3", "inf",  "-inf",  "nan",
                               "NaN",   "1e",   "1e+",  "e5",    ".",    "+",     "--1",
                               "1.2.3", "1e5.", "1f",   "1.0L",  "1e2e", "1_000", "infinity"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        keyword_cursor cursor = begin(bad[i]);
        double value = NAN;
        char expected[128];
        snprintf(expected, sizeof expected, "f.dat:1:1: found \"%s\", expected a number after E",
                 bad[i]);
        assert_int_equal(keyword_number(&cursor, "E", &value), MC_BAD_INPUT);
        assert_string_equal(formatted(), expected);
        assert_true(value == 0.0);
    }
}

static void numbers_that_overflow_are_rejected(void **state)
{
    (void)state;
    const char *const bad[] = {"1e999", "-1e999", "1.8e308", "1e2147483647"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        keyword_cursor cursor = begin(bad[i]);
        double value;
        char expected[128];
        snprintf(expected, sizeof expected,
                 "f.dat:1:1: found \"%s\", expected a number within +-1.8e308 after E", bad[i]);
        assert_int_equal(keyword_number(&cursor, "E", &value), MC_BAD_INPUT);
        assert_string_equal(formatted(), expected);
    }
}

static void whole_numbers(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int value;
    } good[] = {{"1", 1}, {"+12", 12}, {"100", 100}, {"0012", 12}, {"-5", -5}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        keyword_cursor cursor = begin(good[i].text);
        int value = -1;
        assert_int_equal(keyword_integer(&cursor, "N", -5, 100, &value), MC_OK);
        assert_int_equal(value, good[i].value);
        assert_int_equal(cursor.token.kind, KEYWORD_END);
    }
    const char *const bad[] = {
        "101", "-6", "2.0", "1e1", "two", "2147483648", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        keyword_cursor cursor = begin(bad[i]);
        int value = -1;
        char expected[128];
        snprintf(expected, sizeof expected,
                 "f.dat:1:1: found \"%s\", expected a whole number within -5 .. 100 after N",
                 bad[i]);
        assert_int_equal(keyword_integer(&cursor, "N", -5, 100, &value), MC_BAD_INPUT);
        assert_string_equal(formatted(), expected);
        assert_int_equal(value, 0);
    }
}

static void parameters_are_checked_by_their_row(void **state)
{
    (void)state;
    const mc_param mass = {"MASS", "kg", NAN, 1.0, 1e6, "mass of the vehicle"};
    const mc_param nu = {"NU", "-", NAN, -0.99, 0.499, "Poisson's ratio"};
    keyword_token token;
    double value;

    keyword_cursor cursor = begin("mass 1.0 nu 0.499");
    assert_int_equal(keyword_param(&cursor, &mass, &value, &token), MC_OK);
    assert_true(value == 1.0);
    assert_int_equal(token.column, 6);
    assert_int_equal(keyword_param(&cursor, &nu, &value, NULL), MC_OK);
    assert_true(value == 0.499); // both ends of a range belong to it

    cursor = begin("\nMAS 1");
    assert_int_equal(keyword_param(&cursor, &mass, &value, NULL), MC_BAD_INPUT);
    assert_string_equal(formatted(),
                        "f.dat:2:1: found \"MAS\", expected MASS (mass of the vehicle, kg)");
    cursor = begin("MASS 2");
    assert_int_equal(keyword_param(&cursor, &nu, &value, NULL), MC_BAD_INPUT);
    assert_string_equal(formatted(), "f.dat:1:1: found \"MASS\", expected NU (Poisson's ratio)");
    cursor = begin("MASS 1.0000001e+6");
    assert_int_equal(keyword_param(&cursor, &mass, &value, NULL), MC_BAD_INPUT);
    assert_string_equal(formatted(), "f.dat:1:6: MASS 1.0000001e+6 is out of range: mass of the "
                                     "vehicle must be in 1 .. 1e+06 kg");
    assert_true(value == 0.0);
    cursor = begin("NU 0.6");
    assert_int_equal(keyword_param(&cursor, &nu, &value, NULL), MC_BAD_INPUT);
    assert_string_equal(
        formatted(),
        "f.dat:1:4: NU 0.6 is out of range: Poisson's ratio must be in -0.99 .. 0.499");
}

static void bytes_that_are_not_text_are_rejected(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t length;
        const char *message;
    } cases[] = {
        {"MASS \0", 6, "f.dat:1:6: found byte 0x00, expected text"},
        {"MASS %\n%a\0b", 11, "f.dat:2:3: found byte 0x00, expected text"}, // also in a comment
        {"MASS\x01", 5, "f.dat:1:5: found byte 0x01, expected plain ASCII text"},
        {"MASS \x7f", 6, "f.dat:1:6: found byte 0x7F, expected plain ASCII text"},
        {"MASS \xC2\xB5", 7,
         "f.dat:1:6: found byte 0xC2, expected plain ASCII text (other characters only in % "
         "comments)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        keyword_cursor cursor;
        double value;
        error = (mc_error){0};
        keyword_begin(&cursor, "f.dat", cases[i].text, cases[i].length, &error);
        assert_int_equal(keyword_expect(&cursor, "MASS", NULL, NULL), MC_OK);
        assert_int_equal(keyword_number(&cursor, "MASS", &value), MC_BAD_INPUT);
        assert_string_equal(formatted(), cases[i].message);
    }
    keyword_cursor cursor = begin("% \xC2\xB5 \x01 \xFF\nMASS"); // anything else goes in a comment
    check_token(&cursor, KEYWORD_WORD, "MASS", 2, 1);
}

static void the_first_failure_is_kept(void **state)
{
    (void)state;
    keyword_cursor cursor = begin("A 1 B");
    double value = NAN;
    int number = -1;
    assert_int_equal(keyword_expect(&cursor, "X", NULL, NULL), MC_BAD_INPUT);
    assert_int_equal(keyword_expect(&cursor, "A", NULL, NULL), MC_BAD_INPUT);
    assert_int_equal(keyword_number(&cursor, "A", &value), MC_BAD_INPUT);
    assert_int_equal(keyword_integer(&cursor, "A", 0, 9, &number), MC_BAD_INPUT);
    assert_false(keyword_is(&cursor, "A"));
    keyword_take(&cursor);
    check_token(&cursor, KEYWORD_WORD, "A", 1, 1);
    assert_true(value == 0.0);
    assert_int_equal(number, 0);
    assert_string_equal(formatted(), "f.dat:1:1: found \"A\", expected X");
}

static void long_tokens_are_shortened_in_messages(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    keyword_cursor cursor = begin(text);
    keyword_expect(&cursor, "MASS", NULL, NULL);
    assert_string_equal(formatted(), "f.dat:1:1: found "
                                     "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\", "
                                     "expected MASS");
    memset(text, '1', sizeof text - 1); // more digits than a number may have
    cursor = begin(text);
    assert_int_equal(cursor.token.kind, KEYWORD_WORD);
    text[127] = '\0';
    cursor = begin(text);
    assert_int_equal(cursor.token.kind, KEYWORD_NUMBER);
}

static void a_file_too_large_is_rejected(void **state)
{
    (void)state;
    keyword_cursor cursor;
    error = (mc_error){0};
    const size_t length = (size_t)KEYWORD_FILE_MAX + 1;
    assert_int_equal(keyword_begin(&cursor, "f.dat", "MASS", length, &error), MC_BAD_INPUT);
    assert_string_equal(formatted(),
                        "f.dat: the file has 1073741825 bytes, expected at most 1073741824");
    assert_int_equal(keyword_expect(&cursor, "MASS", NULL, NULL), MC_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_have_places),
        cmocka_unit_test(lines_end_in_three_ways),
        cmocka_unit_test(an_empty_file_ends_at_its_start),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(words_match_in_any_case),
        cmocka_unit_test(numbers_are_as_c_writes_them),
        cmocka_unit_test(numbers_that_overflow_are_rejected),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(parameters_are_checked_by_their_row),
        cmocka_unit_test(bytes_that_are_not_text_are_rejected),
        cmocka_unit_test(the_first_failure_is_kept),
        cmocka_unit_test(long_tokens_are_shortened_in_messages),
        cmocka_unit_test(a_file_too_large_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
