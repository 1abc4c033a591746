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
        cmocka_unit_test(exit_codes_are_0_1_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
