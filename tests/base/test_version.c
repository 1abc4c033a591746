// test_version.c - the numbers, the text and the library say the same version.
#include "motorcade/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void versions_agree(void **unused)
{
    (void)unused;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", MC_VERSION_MAJOR, MC_VERSION_MINOR, MC_VERSION_PATCH);
    assert_string_equal(MC_VERSION, text);
    assert_string_equal(mc_version(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
