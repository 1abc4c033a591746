// test_arena.c - blocks are zeroed, aligned, apart from each other, and freed together.
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

enum { BLOCKS = 2000 };

// Sizes from nothing to beyond a chunk, in no order.
static size_t size_of_block(int i)
{
    return i % 97 == 0 ? 200000 : (size_t)(i * 7919 % 3001);
}

static bool all_are(const unsigned char *bytes, size_t size, int value)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

static void blocks_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    static unsigned char *block[BLOCKS];
    arena a = {0};
    for (int i = 0; i < BLOCKS; i++) {
        block[i] = arena_alloc(&a, size_of_block(i));
        assert_non_null(block[i]);
        assert_int_equal((uintptr_t)block[i] % 64, 0);
        assert_true(all_are(block[i], size_of_block(i), 0));
        memset(block[i], i % 255 + 1, size_of_block(i));
    }
    for (int i = 0; i < BLOCKS; i++) // no block wrote into a neighbour
        assert_true(all_are(block[i], size_of_block(i), i % 255 + 1));
    arena_free(&a);
    assert_null(a.chunk);
}

static void an_arena_can_be_used_again(void **state)
{
    (void)state;
    arena a = {0};
    arena_free(&a); // empty
    for (int round = 0; round < 3; round++) {
        unsigned char *block = arena_alloc(&a, 5000);
        assert_true(all_are(block, 5000, 0)); // also when malloc returns the same memory
        memset(block, 0xff, 5000);
        arena_free(&a);
    }
}

static void empty_blocks_differ(void **state)
{
    (void)state;
    arena a = {0};
    const void *first = arena_alloc(&a, 0), *second = arena_alloc(&a, 0);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first, second);
    arena_free(&a);
}

static void absurd_sizes_are_rejected(void **state)
{
    (void)state;
    arena a = {0};
    assert_null(arena_alloc(&a, SIZE_MAX));
    assert_null(arena_alloc(&a, SIZE_MAX - 63));
    assert_null(arena_alloc(&a, SIZE_MAX / 2 + 1));
    assert_non_null(arena_alloc(&a, 1)); // and it still works
    arena_free(&a);
}

static void text_is_copied_and_ended(void **state)
{
    (void)state;
    arena a = {0};
    char source[] = "wheelbase";
    const char *copy = arena_copy_text(&a, source, 5);
    source[0] = 'X';
    assert_string_equal(copy, "wheel");
    assert_string_equal(arena_copy_text(&a, "", 0), "");
    const char *with_zero = arena_copy_text(&a, "a\0b", 3);
    assert_memory_equal(with_zero, "a\0b", 4);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(an_arena_can_be_used_again),
        cmocka_unit_test(empty_blocks_differ),
        cmocka_unit_test(absurd_sizes_are_rejected),
        cmocka_unit_test(text_is_copied_and_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
