// test_xml.c - elements, attributes, texts and places of XML files.
#include "io/xml_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static arena memory;

static int tear_down(void **unused)
{
    (void)unused;
    arena_free(&memory);
    return 0;
}

static const xml_node *parse(const char *text)
{
    const xml_node *root;
    mc_error error = {0};
    assert_int_equal(xml_parse(&memory, text, strlen(text), "a.xml", &root, &error), MC_OK);
    return root;
}

static void texts(void **unused)
{
    (void)unused;
    const xml_node *root = parse("<a> left out <b> 1.5\n</b><c><d>x &lt; y</d> tail</c>"
                                 "<e><![CDATA[ <raw> ]]></e><f>  </f></a>");
    assert_string_equal(root->text, "");
    assert_string_equal(xml_first(root, "b")->text, "1.5");
    assert_string_equal(xml_first(root, "c")->text, "");
    assert_string_equal(xml_first(xml_first(root, "c"), "d")->text, "x < y");
    assert_string_equal(xml_first(root, "e")->text, "<raw>");
    assert_string_equal(xml_first(root, "f")->text, "");
}

static void values(void **unused)
{
    (void)unused;
    mc_error error = {0};
    xml_notes notes = {0};
    xml_reader r = {.memory = &memory, .file = "a.xml", .error = &error, .notes = &notes};
    const xml_node *root = parse("<a x=\"2.5\" n=\"7\">\n  <b>3e2</b>\n  <b/><c/></a>");
    assert_true(xml_number(&r, root, "x") == 2.5 && xml_whole(&r, root, "n") == 7);
    assert_true(xml_number_or(&r, root, "y", 4.0) == 4.0);
    assert_true(xml_text_number(&r, xml_first(root, "b")) == 300.0 && r.status == MC_OK);
    const char *const names[] = {"b", "d"};
    xml_note_unread(&r, root, names, 2);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "b is not read (2 elements)");
    assert_int_equal(notes.line[0], 2);
    assert_null(xml_need(&r, root, "q"));
    assert_int_equal(r.status, MC_BAD_INPUT);
    assert_string_equal(error.text, "a has no element q");
    assert_true(error.line == 1 && error.column == 1);
    xml_number(&r, root, "also missing"); // the first failure stays
    assert_string_equal(error.text, "a has no element q");
}

static void too_many_notes(void **unused)
{
    (void)unused;
    mc_error error = {0};
    xml_notes notes = {0};
    xml_reader r = {.memory = &memory, .file = "a.xml", .error = &error, .notes = &notes};
    for (int k = 0; k < XML_NOTES_MAX + 5; k++)
        xml_note(&r, NULL, "note %d", k);
    assert_int_equal(notes.count, XML_NOTES_MAX);
    assert_int_equal(notes.more, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(texts, tear_down),
        cmocka_unit_test_teardown(values, tear_down),
        cmocka_unit_test_teardown(too_many_notes, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
