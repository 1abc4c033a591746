// test_yaml_quoted.c - quoted text against the examples of the YAML specification 1.2; no memory is
// lost over any.
#include "io/yaml.h"
#include "io/yaml_quoted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *between, *text; // the first character of `between` is the quote
} cases[] = {
    {"\"", ""},
    {"'", ""},
    {"' plain ", " plain "},
    {"'it''s", "it's"},
    {"'''''", "''"},
    {"'a\\nb\\", "a\\nb\\"},
    {"\"''", "''"},
    // 5.13: all escapes
    {"\"Fun with \\\\ \\\" \\a \\b \\e \\f \\\n \\n \\r \\t \\v \\x41 \\u0041 \\U00000041 \\/",
     "Fun with \\ \" \a \b \x1B \f \n \r \t \v A A A /"},
    {"\"\\ \\_\\N\\L\\P", " \xC2\xA0\xC2\x85\xE2\x80\xA8\xE2\x80\xA9"},
    {"\"\\xe9\\u00E9\\u20ac\\U0001F600\\uD83D\\uDE00",
     "\xC3\xA9\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xF0\x9F\x98\x80"},
    // 7.5: line breaks in double quotes
    {"\"folded \nto a space,\n \nto a line feed, or \\\n \\ non-content",
     "folded to a space,\nto a line feed, or  non-content"},
    // 7.6 and 7.9: empty lines, blanks around the lines
    {"\" 1st non-empty\n\n 2nd non-empty \n    3rd non-empty ",
     " 1st non-empty\n2nd non-empty 3rd non-empty "},
    {"' 1st non-empty\n\n 2nd non-empty \n    3rd non-empty ",
     " 1st non-empty\n2nd non-empty 3rd non-empty "},
    {"\"a\r\n  b\r  c\n", "a b c "},
    {"'  \n  a", " a"},
    {"\"a  \\\n\n\n  b", "a  \n\nb"},
    {"\"a\\ \n b", "a  b"},
    {"\"\\t\n\\t", "\t \t"},
    {"\"\n\n\n", "\n\n"},
};

static void as_in_the_specification(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *in = cases[i].between;
        const size_t length = strlen(in + 1), room = YAML_QUOTED_ROOM(length);
        char *out = malloc(room); // of the exact size: AddressSanitizer sees one byte more
        assert_non_null(out);
        const size_t used = yaml_unquote(in[0], in + 1, length, out);
        if (used != strlen(cases[i].text) || memcmp(out, cases[i].text, used) != 0)
            fail_msg("case %zu: %.*s", i, (int)used, out);
        assert_true(used < room);
        free(out);
    }
}

// Any bytes end, within the room: the parser in front need not have seen them.
static void any_bytes_stay_in_their_room(void **state)
{
    (void)state;
    static const char bytes[] = "\\\\\\\"' \n\r\nuUxLP0aF\xC3";
    uint32_t random = 1;
    for (int k = 0; k < 20000; k++) {
        char in[24], out[YAML_QUOTED_ROOM(sizeof in)];
        const size_t length = (size_t)k % (sizeof in + 1);
        for (size_t i = 0; i < length; i++) {
            random = random * 1664525u + 1013904223u;
            in[i] = bytes[(random >> 16) % (sizeof bytes - 1)];
        }
        assert_true(yaml_unquote(k % 2 ? '"' : '\'', in, length, out) < YAML_QUOTED_ROOM(length));
    }
}

static void parse(const char *text, bool good)
{
    arena memory = {0};
    const yaml_node *root;
    mc_error error = {0};
    const mc_status status = yaml_parse(text, strlen(text), "f.yaml", &memory, &root, &error);
    assert_int_equal(status, good ? MC_OK : MC_BAD_INPUT);
    assert_int_equal(error.line > 0 && error.column > 0, !good);
    arena_free(&memory);
}

// A page may send such a file 60 times a second; fy_token_get_text of libfyaml 0.7.12 loses up to
// 2 kB each time.
static void no_memory_is_lost(void **state)
{
    (void)state;
    char ends[600] = "{\"", lines[600] = "a: \"", block[600] = "a: >+\n  x\n", quotes[700] = "- '";
    char open[600] = "{\"";
    for (int k = 0; k < 40; k++) {
        strcat(ends, "\n");
        strcat(lines, "\r\n  b\\n");
        strcat(block, "\n   y");
        strcat(quotes, k % 8 ? "''''" : "\n ''''");
        strcat(open, "\\x41\n ");
    }
    strcat(ends, "\"b\": 1\n");
    strcat(lines, "\r\n\r\n  \"\n");
    strcat(quotes, "\n '\n");
    const struct {
        const char *text;
        bool good;
    } hostile[] = {{ends, false},  {lines, true}, {block, true},
                   {quotes, true}, {open, false}, {"\"a: 1\n", false}};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        enum { TIMES = 1000 };
        size_t before = 0;
        for (int k = 0; k < 2 * TIMES; k++) {
            if (k == TIMES)
                before = mallinfo2().uordblks;
            parse(hostile[i].text, hostile[i].good);
        }
        const size_t after = mallinfo2().uordblks; // 0 under AddressSanitizer, which looks itself
        if (after > before + TIMES * 16)
            fail_msg("case %zu: %zu bytes lost in %d parses", i, after - before, TIMES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_the_specification),
        cmocka_unit_test(any_bytes_stay_in_their_room),
        cmocka_unit_test(no_memory_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
