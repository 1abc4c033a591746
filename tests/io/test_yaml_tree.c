// test_yaml_tree.c - changed documents: what is written reads back as the same.
#include "io/yaml_tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const yaml_node *parse(arena *memory, const char *text)
{
    mc_error error;
    const yaml_node *root = NULL;
    if (yaml_parse(text, strlen(text), "t.yaml", memory, &root, &error) != MC_OK)
        fail_msg("%d:%d: %s in\n%s", error.line, error.column, error.text, text);
    return root;
}

static void compare(const yaml_node *a, const yaml_node *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_string_equal(a->text, b->text);
    assert_int_equal(a->quoted, b->quoted);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->key != NULL, b->key != NULL);
    if (a->key)
        assert_string_equal(a->key->text, b->key->text);
    for (a = a->first, b = b->first; a; a = a->next, b = b->next)
        compare(a, b);
}

static void what_is_written_reads_back(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "a: 1\nb: [1, 2, [3, {x: y}], []]\nc: {}\n",
        "a:\nb: \"\"\nc: ''\nd: 'it''s'\ne: \"tab\\t quote \\\" slash \\\\ line\\n end\"\n",
        "doc: |\n  two\n  lines\nmore: >\n  folded\n  text\n",
        "f: k*(v_front - v), and more # comment\ng: -x + 3\nh: -5\ni: a#b\nj: http://x\n",
        "list:\n  - a: 1\n    b: {c: [1, 2]}\n  - - x\n    - y\n  - {only: this}\n",
        "- 1\n- two: 2\n- [3]\n",
        "one: [a, 'b, c', \"d: e\", -f, \"#g\", '- h', \"{i}\"]\n",
        "long: [aaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbb, "
        "ccccccccccccccccccccccccc, "
        "ddddddddddddddddddddd]\n",
        "u: gr\xc3\xbc\xc3\x9f\nn: 0x1F\np: 4 %\nm: 1e-3 m/s^2\nq: yes\nr: ~\n",
        "single\n",
        "{}\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        arena memory = {0};
        const yaml_node *root = parse(&memory, texts[k]);
        const char *once = yaml_tree_write(&memory, yaml_tree_copy(&memory, root));
        const yaml_node *again = parse(&memory, once);
        compare(root, again);
        assert_string_equal(yaml_tree_write(&memory, yaml_tree_copy(&memory, again)), once);
        arena_free(&memory);
    }
}

static void trees_are_changed(void **unused)
{
    (void)unused;
    arena memory = {0};
    yaml_tree *root = yaml_tree_copy(&memory, parse(&memory, "a: 1\nb: {c: 2, d: [5]}\n"));
    yaml_tree *b = yaml_tree_get(root, "b");
    assert_true(yaml_tree_set(&memory, b, "c", yaml_tree_number(&memory, 0.1 + 0.2)));
    assert_true(yaml_tree_set(&memory, b, "e", yaml_tree_quoted(&memory, "x=1")));
    yaml_tree_remove(root, "a");
    yaml_tree_remove(root, "a"); // gone already
    yaml_tree *list = yaml_tree_get(b, "d"), *five = list->first;
    assert_true(yaml_tree_insert(list, NULL, yaml_tree_text(&memory, "4")));
    assert_true(yaml_tree_insert(list, five, yaml_tree_text(&memory, "6")));
    assert_true(yaml_tree_append(list, yaml_tree_clone(&memory, list->first)));
    yaml_tree_take_out(list, five);
    assert_null(yaml_tree_get(root, "a"));
    assert_null(yaml_tree_get(list, "a"));
    assert_null(yaml_tree_get(NULL, "a"));
    assert_false(yaml_tree_set(&memory, b, "f", NULL));
    assert_false(yaml_tree_append(NULL, five));
    assert_string_equal(yaml_tree_write(&memory, root),
                        "b:\n  c: 0.30000000000000004\n  d: [4, 6, 4]\n  e: \"x=1\"\n");
    assert_null(yaml_tree_write(&memory, NULL));
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(trees_are_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
