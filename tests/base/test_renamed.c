// test_renamed.c - the table of old names, and what is said of them.
#include "base/renamed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// No name of today is an old one: a file that is brought up to date stays so.
static void names_are_found(void **unused)
{
    (void)unused;
    int count = 0;
    const renamed_name *n;
    for (; (n = renamed_at(count)); count++) {
        assert_int_equal(renamed_index(n->old), count);
        assert_string_equal(renamed_now(n->old), n->now);
        assert_null(renamed_now(n->now));
        assert_int_equal(renamed_bit_of(n->now), 1u << count);
        assert_int_equal(renamed_bit_of(n->old), 0);
    }
    assert_true(count > 5);
    assert_null(renamed_at(-1));
    assert_null(renamed_now("brake"));
    assert_int_equal(renamed_index("Brake_most"), -1); // keys of files are not of any case
}

static void one_text_for_all(void **unused)
{
    (void)unused;
    char text[400], little[12];
    const unsigned brake = renamed_bit_of("max_brake"), speed = renamed_bit_of("max_speed");
    assert_string_equal(renamed_text(brake, text, sizeof text),
                        "\"brake_most\" is now \"max_brake\"; the old name is read until 0.3");
    assert_string_equal(renamed_text(brake | speed, text, sizeof text),
                        "\"brake_most\" is now \"max_brake\", \"speed_most\" is now \"max_speed\"; "
                        "the old names are read until 0.3");
    assert_int_equal(strlen(renamed_text(~0u, little, sizeof little)), sizeof little - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(one_text_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
