// test_bytes.c - what was put comes out in order; a short block fails and stays failed.
#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void in_and_out(void **unused)
{
    (void)unused;
    bytes b = {0};
    for (int k = 0; k < 1000; k++) {
        const double x = k / 7.0;
        bytes_put(&b, &k, sizeof k);
        bytes_put(&b, &x, sizeof x);
        bytes_put(&b, NULL, 0);
    }
    assert_false(b.failed);
    bytes_reader r = bytes_read(b.data, b.size);
    for (int k = 0; k < 1000; k++) {
        double x;
        assert_true(bytes_take_equal(&r, &k, sizeof k));
        assert_true(bytes_take(&r, &x, sizeof x));
        assert_true(x == k / 7.0);
    }
    assert_true(r.at == r.size && !r.failed);
    char more;
    assert_false(bytes_take(&r, &more, 1));
    assert_false(bytes_take(&r, &more, 0)); // a failure stays
    bytes_free(&b);
}

static void another_value_fails(void **unused)
{
    (void)unused;
    const int one = 1, two = 2;
    bytes b = {0};
    bytes_put(&b, &one, sizeof one);
    bytes_reader r = bytes_read(b.data, b.size);
    assert_false(bytes_take_equal(&r, &two, sizeof two));
    assert_true(r.failed);
    bytes_free(&b);
}

// Published test values of FNV-1a, 64 bit.
static void hash_is_fnv1a(void **unused)
{
    (void)unused;
    assert_true(bytes_hash(14695981039346656037ULL, "", 0) == 0xcbf29ce484222325ULL);
    assert_true(bytes_hash(14695981039346656037ULL, "a", 1) == 0xaf63dc4c8601ec8cULL);
    assert_true(bytes_hash(14695981039346656037ULL, "foobar", 6) == 0x85944171f73967e8ULL);
    const unsigned long long part = bytes_hash(BYTES_HASH_START, "foo", 3);
    assert_true(bytes_hash(part, "bar", 3) == bytes_hash(BYTES_HASH_START, "foobar", 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_and_out),
        cmocka_unit_test(another_value_fails),
        cmocka_unit_test(hash_is_fnv1a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
