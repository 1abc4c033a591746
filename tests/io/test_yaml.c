// test_yaml.c - nodes with their places, and all features of YAML that are rejected.
#include "io/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mc_error error;
static char message[1024];
static arena memory;

static const yaml_node *parse(const char *text)
{
    const yaml_node *root;
    error = (mc_error){0};
    if (yaml_parse(text, strlen(text), "f.yaml", &memory, &root, &error) != MC_OK)
        fail_msg("%s", mc_error_format(&error, message, sizeof message));
    return root;
}

static int release(void **state)
{
    (void)state;
    arena_free(&memory);
    return 0;
}

static void check_scalar(const yaml_node *node, const char *text, bool quoted, int line, int column)
{
    assert_non_null(node);
    assert_int_equal(node->kind, YAML_SCALAR);
    assert_string_equal(node->text, text);
    assert_int_equal(node->quoted, quoted);
    assert_int_equal(node->line, line);
    assert_int_equal(node->column, column);
    assert_int_equal(node->count, 0);
}

static void nodes_have_places(void **state)
{
    (void)state;
    const yaml_node *root = parse("# car\n"
                                  "mass: 12.5 kg   # heavy\n"
                                  "at: [1, -2,\n"
                                  "     ' x']\n"
                                  "body: {name: \"a\\tb\", \"at\": 3}\n"
                                  "list:\n"
                                  "  - one\n"
                                  "  - k: v\n"
                                  "none:\n");
    assert_int_equal(root->kind, YAML_MAPPING);
    assert_int_equal(root->count, 5);
    assert_null(root->key);
    check_scalar(yaml_find(root, "mass"), "12.5 kg", false, 2, 7);
    check_scalar(yaml_find(root, "mass")->key, "mass", false, 2, 1);
    const yaml_node *at = yaml_find(root, "at");
    assert_int_equal(at->kind, YAML_SEQUENCE);
    assert_int_equal(at->count, 3);
    assert_int_equal(at->column, 5);
    check_scalar(at->first, "1", false, 3, 6);
    check_scalar(at->first->next, "-2", false, 3, 9);
    check_scalar(at->first->next->next, " x", true, 4, 7);
    assert_null(at->first->next->next->next);
    check_scalar(yaml_find(yaml_find(root, "body"), "name"), "a\tb", true, 5, 15);
    check_scalar(yaml_find(yaml_find(root, "body"), "at"), "3", false, 5, 28);
    const yaml_node *list = yaml_find(root, "list");
    check_scalar(list->first, "one", false, 7, 5);
    check_scalar(yaml_find(list->first->next, "k"), "v", false, 8, 8);
    check_scalar(yaml_find(root, "none"), "", false, 9, 1);
    assert_null(yaml_find(root, "Mass"));
    assert_null(yaml_find(at, "mass"));
}

static void columns_count_bytes(void **state)
{
    (void)state;
    const yaml_node *root = parse("\xEF\xBB\xBF{f\xC3\xBCr: a, b: c}\n");
    check_scalar(yaml_find(root, "f\xC3\xBCr"), "a", false, 1, 8);
    check_scalar(yaml_find(root, "b"), "c", false, 1, 14);
}

static void lines_end_in_three_ways(void **state)
{
    (void)state;
    check_scalar(yaml_find(parse("a: 1\nb: 2\n"), "b"), "2", false, 2, 4);
    check_scalar(yaml_find(parse("a: 1\r\nb: 2\r\n"), "b"), "2", false, 2, 4);
    check_scalar(yaml_find(parse("a: 1\rb: 2\r"), "b"), "2", false, 2, 4);
}

static void text_over_lines(void **state)
{
    (void)state;
    const yaml_node *root = parse("f: >\n   a +\n   b\ng: |\n  x\n  y\nh: p\n  q\n");
    check_scalar(yaml_find(root, "f"), "a + b\n", true, 2, 4);
    check_scalar(yaml_find(root, "g"), "x\ny\n", true, 5, 3);
    check_scalar(yaml_find(root, "h"), "p q", false, 7, 4);
}

static void one_scalar_is_a_document(void **state)
{
    (void)state;
    check_scalar(parse("--- hello\n...\n"), "hello", false, 1, 5);
}

// ---- rejected ----

#define ANCHORS                                                                                    \
    "anchors (&name) and aliases (*name) are not supported; repeat the value, or make it a "       \
    "parameter"
#define COLON "expected \"key: value\", with a blank after the colon"
#define TAGS "tags (!) are not supported; write the plain value"

static const struct {
    const char *text, *message;
} bad[] = {
    {"", "f.yaml:1:1: the file is empty"},
    {"# only a comment\n", "f.yaml:1:1: the file is empty"},
    {"a: x\xFFy\n", "f.yaml:1:5: byte 0xFF is not UTF-8 text; save the file as UTF-8"},
    {"\xFF\xFE", "f.yaml:1:1: byte 0xFF is not UTF-8 text; save the file as UTF-8"},
    {"a: \xC0\x80\n", "f.yaml:1:4: byte 0xC0 is not UTF-8 text; save the file as UTF-8"},
    {"a: \xED\xA0\x80\n", "f.yaml:1:4: byte 0xED is not UTF-8 text; save the file as UTF-8"},
    {"a: \xE2\x82", "f.yaml:1:4: byte 0xE2 is not UTF-8 text; save the file as UTF-8"},
    {"a: 1\n\tb: 2\n",
     "f.yaml:2:1: found a tab; indent with blanks, tabs are not allowed anywhere"},
    {"a: \x01\n", "f.yaml:1:4: found the control character 0x01, expected plain text"},
    {"a: \"x\\0y\"\n", "f.yaml:1:5: found the control character 0x00, expected plain text"},
    {"a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document begins here; expected one per file"},
    {"a: 1\n...\nb: 2\n", "f.yaml:3:1: a second document begins here; expected one per file"},
    {"a: &x 1\n", "f.yaml:1:4: " ANCHORS},
    {"a: &x {b: 1}\n", "f.yaml:1:4: " ANCHORS},
    {"a: &x [1]\n", "f.yaml:1:4: " ANCHORS},
    {"a: 1\nb: *a\n", "f.yaml:2:4: " ANCHORS},
    {"a: !!str 1\n", "f.yaml:1:4: " TAGS},
    {"a: !<x> {}\n", "f.yaml:1:4: " TAGS},
    {"a: !x!y []\n", "f.yaml:1:4: " TAGS},
    {"% a MATLAB comment\na: 1\n", "f.yaml:1:1: found % at the start of a line; comments begin "
                                   "with #, and YAML directives are not supported"},
    {"# c\n\n%YAML 1.2\n---\na: 1\n", "f.yaml:3:1: found % at the start of a line; comments begin "
                                      "with #, and YAML directives are not supported"},
    {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key \"a\" is already in this map, at line 1, column 1"},
    {"a: {b: 1, c: 2, \"b\": 3}\n",
     "f.yaml:1:18: key \"b\" is already in this map, at line 1, column 5"},
    {"z: 1\na: 1\na: 2\nz: 3\n",
     "f.yaml:3:1: key \"a\" is already in this map, at line 2, column 1"},
    {"? [a]\n: b\n", "f.yaml:1:3: a key must be a word"},
    {"{a: 1}: b\n", "f.yaml:1:1: a key must be a word"},
    {": b\n", "f.yaml:1:1: a key must be a word"},
    {"a: b: c\n", "f.yaml:1:5: a second \": \" on one line; put the inner key on its own line, "
                  "indented, or the text in quotes"},
    {"a: [1, 2\nb: 3\n", "f.yaml:3:1: a list [ ... ] has no closing ]"},
    {"a: {b: 1\n", "f.yaml:2:1: expected a comma or a closing } in a map { ... }"},
    {"a: \"abc\n", "f.yaml:1:5: text in quotes has no closing quote"},
    {"a:\n  b: 1\n c: 2\n", "f.yaml:3:2: the indentation of this line matches no line above it; "
                            "keys of one map begin in the same column"},
    {"a:\n    - 1\n  - 2\n", "f.yaml:3:3: the indentation of this line matches no line above it; "
                             "the - of one list are in the same column"},
    {"a: 1\n  b: 2\n", "f.yaml:1:4: this text would continue on the next line; is that line "
                       "indented too far, or is a colon missing?"},
    {"a: 1\nb\nc: 2\n", "f.yaml:2:1: " COLON},
    {"a: 1\nb:1\nc: 2\n", "f.yaml:2:1: " COLON},
    {"- a\nb: 1\n", "f.yaml:2:1: expected \"- value\" as in the lines above, or less indentation"},
    {"a: @x\n", "f.yaml:1:4: text that begins with this character must be in quotes"},
    {"a: [,]\n", "f.yaml:1:5: a comma without a value before it"},
    {"a: 1\n}\n", "f.yaml:2:1: } without a { before it"},
    {"a: ]\n", "f.yaml:1:4: ] without a [ before it"},
    {"a: - b\n", "f.yaml:1:4: a list with - begins on a new line below its key; a list in one "
                 "line is [a, b, c]"},
    {"a: [\n1]\n", "f.yaml:2:1: the lines of a list [ ... ] or map { ... } must be indented more "
                   "than its key"},
    {"a: \"\\q\"\n", "f.yaml:1:5: unknown escape after \\ in double quotes; single quotes have no "
                     "escapes"},
    {"a: >x\n y\n", "f.yaml:1:5: a block of text (| or >) begins on a new line, indented more than "
                    "its key"},
};

static const char *rejection(const char *text, size_t length)
{
    const yaml_node *root = (const yaml_node *)text;
    error = (mc_error){0};
    assert_int_equal(yaml_parse(text, length, "f.yaml", &memory, &root, &error), MC_BAD_INPUT);
    assert_null(root);
    return mc_error_format(&error, message, sizeof message);
}

static void bad_files_are_rejected(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_string_equal(rejection(bad[i].text, strlen(bad[i].text)), bad[i].message);
}

static void a_nul_byte_is_rejected(void **state)
{
    (void)state;
    assert_string_equal(rejection("a: 1\0b\n", 7),
                        "f.yaml:1:5: found the control character 0x00, expected plain text");
}

// `count` times piece, between head and tail.
static char *repeat(const char *head, const char *piece, int count, const char *tail)
{
    const size_t size = strlen(piece);
    char *text = arena_alloc(&memory, strlen(head) + size * (size_t)count + strlen(tail) + 1);
    char *end = stpcpy(text, head);
    for (int i = 0; i < count; i++)
        end = stpcpy(end, piece);
    strcpy(end, tail);
    return text;
}

static void limits_hold_to_the_last(void **state)
{
    (void)state;
    char *text = repeat(repeat("", "[", YAML_DEPTH_MAX, ""), "]", YAML_DEPTH_MAX, "");
    int depth = 0;
    for (const yaml_node *n = parse(text); n; n = n->first)
        depth++;
    assert_int_equal(depth, YAML_DEPTH_MAX);
    text = repeat("", "- ", YAML_DEPTH_MAX + 1, "x");
    assert_string_equal(rejection(text, strlen(text)),
                        "f.yaml:1:129: lists and maps are nested more than 64 levels deep");

    char *keys = arena_alloc(&memory, 16 * (YAML_KEYS_MAX + 1)), *end = keys;
    for (int i = 0; i < YAML_KEYS_MAX; i++)
        end += sprintf(end, "k%d: 1\n", (i * 7919) % YAML_KEYS_MAX); // not in order, all different
    assert_int_equal(parse(keys)->count, YAML_KEYS_MAX);
    strcpy(end, "k7: 1\n");
    assert_string_equal(rejection(keys, strlen(keys)),
                        "f.yaml:10001:1: more than 10000 keys in one map");

    text = repeat("[\n", " x,\n", YAML_NODES_MAX, "]\n");
    assert_string_equal(rejection(text, strlen(text)),
                        "f.yaml:1048577:2: more than 1048576 keys and values in one file");
    text = repeat("a: ", "x", YAML_LINE_MAX - 3, "\n");
    assert_int_equal(strlen(parse(text)->first->text), YAML_LINE_MAX - 3);
    text = repeat("a: ", "x", YAML_LINE_MAX - 2, "\n");
    assert_string_equal(
        rejection(text, strlen(text)),
        "f.yaml:1:65537: a line of more than 65536 bytes; lists may continue on the next line");
    text = repeat("a: 1", "\n", YAML_BLANK_LINES_MAX + 1, "b: 2\n");
    assert_int_equal(yaml_find(parse(text), "b")->line, YAML_BLANK_LINES_MAX + 2);
    text = repeat("a: 1", "\n", YAML_BLANK_LINES_MAX + 2, "b: 2\n");
    assert_string_equal(rejection(text, strlen(text)),
                        "f.yaml:102:1: more than 100 blank lines in a row");
    text = repeat("", "# comment\n", YAML_FILE_MAX / 10 + 1, "a: 1\n");
    assert_string_equal(rejection(text, strlen(text)),
                        "f.yaml: the file has 8388615 bytes, expected at most 8388608");
}

// Inputs that cost libfyaml gigabytes or minutes unless they are stopped before it.
static void hostile_files_end_soon(void **state)
{
    (void)state;
    char *line = repeat("", "[", 60000, "\n");
    char *text = repeat("", line, 130, "");
    assert_string_equal(rejection(text, strlen(text)),
                        "f.yaml:5:22145: more than 262144 open brackets");
    line = repeat("", "[", 60000, "#]]\n");
    text = repeat("", line, 130, "");
    assert_non_null(strstr(rejection(text, strlen(text)), "open brackets"));
}

static void nothing_goes_to_standard_error(void **state)
{
    (void)state;
    FILE *sink = tmpfile();
    assert_non_null(sink);
    fflush(stderr);
    const int saved = dup(STDERR_FILENO);
    dup2(fileno(sink), STDERR_FILENO);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        rejection(bad[i].text, strlen(bad[i].text));
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fseek(sink, 0, SEEK_END);
    assert_int_equal(ftell(sink), 0);
    fclose(sink);
}

static void quotes_are_short_and_whole(void **state)
{
    (void)state;
    char buffer[YAML_QUOTE_SIZE];
    assert_string_equal(yaml_quote("a\nb\x7F", buffer), "a b ");
    assert_string_equal(yaml_quote("", buffer), "");
    assert_string_equal(yaml_quote("01234567890123456789012345678901234567890123", buffer),
                        "01234567890123456789012345678901234567890123");
    assert_string_equal(yaml_quote("012345678901234567890123456789012345678901234", buffer),
                        "01234567890123456789012345678901234567890123...");
    assert_string_equal(yaml_quote("0123456789012345678901234567890123456789012\xC3\xA9xx", buffer),
                        "0123456789012345678901234567890123456789012...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nodes_have_places, release),
        cmocka_unit_test_teardown(columns_count_bytes, release),
        cmocka_unit_test_teardown(lines_end_in_three_ways, release),
        cmocka_unit_test_teardown(text_over_lines, release),
        cmocka_unit_test_teardown(one_scalar_is_a_document, release),
        cmocka_unit_test_teardown(bad_files_are_rejected, release),
        cmocka_unit_test_teardown(a_nul_byte_is_rejected, release),
        cmocka_unit_test_teardown(limits_hold_to_the_last, release),
        cmocka_unit_test_teardown(hostile_files_end_soon, release),
        cmocka_unit_test_teardown(nothing_goes_to_standard_error, release),
        cmocka_unit_test_teardown(quotes_are_short_and_whole, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
