// test_error.c - filling and formatting mc_error, exit codes.
#include "motorcade/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

static void an_error_is_filled(void **state)
{
    (void)state;
    mc_error e;
    memset(&e, 0xff, sizeof e);
    assert_int_equal(
        mc_error_set(&e, MC_BAD_INPUT, "model.dat", 3, 7, "found %d, at most %s", 9, "4"),
        MC_BAD_INPUT);
    assert_int_equal(e.code, MC_BAD_INPUT);
    assert_string_equal(e.file, "model.dat");
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 7);
    assert_string_equal(e.text, "found 9, at most 4");
    assert_string_equal(e.excerpt, "");
    assert_int_equal(e.caret, 0);
}

static void no_error_struct_is_needed(void **state)
{
    (void)state;
    assert_int_equal(mc_error_set(NULL, MC_IO, "x", 1, 1, "full"), MC_IO);
}

static const char *formatted(const char *file, int line, int column)
{
    static char buffer[900];
    mc_error e;
    mc_error_set(&e, MC_BAD_INPUT, file, line, column, "wrong");
    assert_ptr_equal(mc_error_format(&e, buffer, sizeof buffer), buffer);
    return buffer;
}

static void the_place_is_shown_as_far_as_known(void **state)
{
    (void)state;
    assert_string_equal(formatted("a.dat", 3, 7), "a.dat:3:7: wrong");
    assert_string_equal(formatted("a.dat", 0, 0), "a.dat: wrong");
    assert_string_equal(formatted(NULL, 0, 0), "wrong");
    assert_string_equal(formatted(NULL, 3, 7), "wrong");
    assert_string_equal(formatted("", 0, 0), "wrong");
}

static void long_texts_are_cut_and_ended(void **state)
{
    (void)state;
    char name[400], text[800];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    memset(text, 't', sizeof text);
    text[sizeof text - 1] = '\0';
    mc_error e;
    mc_error_set(&e, MC_IO, name, 1, 1, "%s", text);
    assert_int_equal(strlen(e.file), sizeof e.file - 1);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    char small[10];
    mc_error_format(&e, small, sizeof small);
    assert_string_equal(small, "nnnnnnnnn");
}

static mc_error quoted(const char *text, int offset)
{
    mc_error e;
    mc_error_set(&e, MC_BAD_INPUT, NULL, 0, 0, "wrong");
    mc_error_quote(&e, text, offset);
    assert_string_equal(e.text, "wrong");
    return e;
}

static void the_line_of_the_place_is_quoted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int offset;
        const char *excerpt;
        int caret;
    } rows[] = {
        {"one", 0, "one", 1},
        {"one", 2, "one", 3},
        {"one", 3, "one", 4}, // the end
        {"one", 9, "one", 4},
        {"one", -5, "one", 1},
        {"", 0, "", 1},
        {"one\ntwo\nthree", 5, "two", 2},
        {"one\ntwo\nthree", 3, "one", 4}, // a line ends with its newline
        {"one\ntwo\nthree", 8, "three", 1},
        {"one\r\ntwo\r\n", 5, "two", 1},
        {"one\n", 4, "", 1},
        {"a\tb\x01\x7f"
         "c",
         5, "a b??c", 6},
        {"x \xc3\x97 y", 5, "x \xc3\x97 y", 6}, // carets count bytes
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const mc_error e = quoted(rows[i].text, rows[i].offset);
        assert_string_equal(e.excerpt, rows[i].excerpt);
        assert_int_equal(e.caret, rows[i].caret);
    }
    mc_error_quote(NULL, "one", 1);
}

static void long_lines_are_shortened_around_the_place(void **state)
{
    (void)state;
    char text[1001]; // 0123456789 again and again
    for (int i = 0; i < 1000; i++)
        text[i] = (char)('0' + i % 10);
    text[1000] = '\0';
    for (int at = 0; at <= 1000; at++) {
        const mc_error e = quoted(text, at);
        const size_t length = strlen(e.excerpt);
        assert_true(length >= 103 && length <= 106);
        assert_int_equal(e.excerpt[e.caret - 1], text[at]); // also at the end
        assert_int_equal(strncmp(e.excerpt, "...", 3) == 0, at > 50);
        assert_int_equal(strcmp(e.excerpt + length - 3, "...") == 0, at < 950);
    }
    text[100] = '\0';
    assert_string_equal(quoted(text, 70).excerpt, text); // 100 fit
}

static void characters_are_not_cut_in_pieces(void **state)
{
    (void)state;
    char text[601]; // 300 letters of two bytes
    for (int i = 0; i < 600; i++)
        text[i] = (char)(i % 2 ? 0xa4 : 0xc3);
    text[600] = '\0';
    for (int at = 0; at < 600; at += 2)
        for (int shift = 0; shift < 2; shift++) {
            char moved[602] = "x";
            strcpy(moved + shift, text);
            const mc_error e = quoted(moved, at + shift);
            const char *first = e.excerpt + (strncmp(e.excerpt, "...", 3) == 0 ? 3 : 0);
            size_t length = strlen(first);
            length -= first[length - 1] == '.' ? 3 : 0;
            assert_true((first[0] & 0xc0) != 0x80);                  // begins with a letter
            assert_true(((unsigned char)first[length - 1]) == 0xa4); // ends with one
            assert_memory_equal(e.excerpt + e.caret - 1, text, 2);
        }
}

static void exit_codes_are_0_1_2(void **state)
{
    (void)state;
    assert_int_equal(mc_status_exit_code(MC_OK), 0);
    assert_int_equal(mc_status_exit_code(MC_BAD_INPUT), 2);
    assert_int_equal(mc_status_exit_code(MC_FAILED), 1);
    assert_int_equal(mc_status_exit_code(MC_IO), 1);
    assert_int_equal(mc_status_exit_code(MC_NO_MEMORY), 1);
    assert_int_equal(mc_status_exit_code(MC_INTERRUPTED), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_filled),
        cmocka_unit_test(no_error_struct_is_needed),
        cmocka_unit_test(the_place_is_shown_as_far_as_known),
        cmocka_unit_test(long_texts_are_cut_and_ended),
        cmocka_unit_test(the_line_of_the_place_is_quoted),
        cmocka_unit_test(long_lines_are_shortened_around_the_place),
        cmocka_unit_test(characters_are_not_cut_in_pieces),
        cmocka_unit_test(exit_codes_are_0_1_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
