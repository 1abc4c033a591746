// test_pages.c - memory for large arrays: aligned, as large as it says, and rejected where there is
// none.
#include "base/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void blocks_are_as_large_as_they_say(void **unused)
{
    (void)unused;
    static const size_t asked[] = {0, 1, 64, 4096, 500000, 1 << 19, (1 << 21) + 1, 5000000};
    for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
        size_t size = asked[k];
        unsigned char *block = pages_alloc(&size);
        assert_non_null(block);
        assert_true(size >= asked[k] && size > 0);
        assert_int_equal((uintptr_t)block % 64, 0);
        if (asked[k] >= 1 << 19) // whole large pages
            assert_true((uintptr_t)block % (1 << 21) == 0 && size % (1 << 21) == 0);
        memset(block, 0xa5, size);
        free(block);
    }
}

static void too_much_is_rejected(void **unused)
{
    (void)unused;
    size_t size = SIZE_MAX - 100;
    assert_null(pages_alloc(&size));
#ifndef __SANITIZE_ADDRESS__ // which ends the program instead
    size = SIZE_MAX / 2;
    assert_null(pages_alloc(&size));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_as_large_as_they_say),
        cmocka_unit_test(too_much_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
