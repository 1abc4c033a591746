// test_json_text.c - JSON as nodes: values, escapes, limits; anything else is rejected.
#include "io/json_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static void values_of_every_kind(void **state)
{
    (void)state;
    static const char text[] =
        " {\"a\": [1, -2.5e-3, true, false, null, \"q\\\"\\u0041\\n\"], \"b\": {}, \"c\": []} ";
    arena memory = {0};
    const json_node *root;
    mc_error error = {0};
    assert_int_equal(json_text_parse(text, sizeof text - 1, "x", &memory, &root, &error), MC_OK);
    assert_int_equal(root->count, 3);
    const json_node *a = json_text_find(root, "a");
    assert_int_equal(a->count, 6);
    assert_true(json_text_item(a, 0)->number == 1.0 && json_text_item(a, 1)->number == -2.5e-3);
    assert_int_equal(json_text_item(a, 2)->kind, JSON_TRUE);
    assert_int_equal(json_text_item(a, 3)->kind, JSON_FALSE);
    assert_int_equal(json_text_item(a, 4)->kind, JSON_NOTHING);
    assert_string_equal(json_text_item(a, 5)->text, "q\"A\n");
    assert_null(json_text_item(a, 6));
    assert_null(json_text_find(root, "d"));
    assert_int_equal(json_text_find(root, "b")->kind, JSON_MAP);
    arena_free(&memory);
}

static void what_is_no_json_is_rejected(void **state)
{
    (void)state;
    static const char *const bad[] = {"",          "{",       "[1,]",          "[1 2]",
                                      "{\"a\"}",   "{a:1}",   "[01e]",         "nul",
                                      "[\"a]",     "1 2",     "[\"\\x\"]",     "[+1]",
                                      "[.5]",      "[1e999]", "[\"\\u00g0\"]", "{\"a\":1,\"a\":2}",
                                      "[\"a\nb\"]"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        arena memory = {0};
        const json_node *root;
        mc_error error = {0};
        const mc_status status =
            json_text_parse(bad[k], strlen(bad[k]), "x", &memory, &root, &error);
        if (status != MC_BAD_INPUT)
            fail_msg("%s: status %d", bad[k], status);
        assert_true(strstr(error.text, "byte") && strlen(error.text) > 10);
        arena_free(&memory);
    }
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    char *text = malloc(DEEP);
    memset(text, '[', DEEP);
    arena memory = {0};
    const json_node *root;
    mc_error error = {0};
    assert_int_equal(json_text_parse(text, DEEP, "x", &memory, &root, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "too deep"));
    arena_free(&memory);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_kind),
        cmocka_unit_test(what_is_no_json_is_rejected),
        cmocka_unit_test(depth_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
