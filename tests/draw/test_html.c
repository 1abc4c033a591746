// test_html.c - text that cannot become markup, numbers as people write them.
#include "draw/html.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *text_of(const char *text)
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    assert_non_null(file);
    html_text(file, text);
    fclose(file);
    return out;
}

static void text_is_escaped(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"<script>alert('x')</script>", "&lt;script&gt;alert('x')&lt;/script&gt;"},
        {"a & b &lt; \"c\"", "a &amp; b &amp;lt; &quot;c&quot;"},
        {"two\nlines\tand a tab", "two\nlines\tand a tab"},
        {"bell \a, null-ish \x01, broken \xff\xc3", "bell  , null-ish  , broken ??"},
        {"\u00b5 \u03bb \U0001f697", "\u00b5 \u03bb \U0001f697"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *out = text_of(cases[i][0]);
        assert_string_equal(out, cases[i][1]);
        free(out);
    }
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text, *plain;
    } cases[] = {
        {0.0, 3, "0", "0"},
        {12.0, 3, "12.0", "12"},
        {-12.34, 3, "\u221212.3", "\u221212.3"},
        {9.996, 3, "10.0", "10"},
        {0.99996, 4, "1.000", "1"},
        {0.00012345, 3, "0.000123", "0.000123"},
        {1234567.0, 3, "1234567", "1234567"},
        {100.0, 3, "100", "100"},
        {0.5, 3, "0.500", "0.5"},
        {2.5e9, 3, "2.50\u00b710^9", "2.50\u00b710^9"},
        {-3.14159e-7, 4, "\u22123.142\u00b710^-7", "\u22123.142\u00b710^-7"},
        {NAN, 3, "\u2013", "\u2013"},
        {INFINITY, 3, "\u221e", "\u221e"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buffer[HTML_NUMBER];
        assert_string_equal(html_number(cases[i].value, cases[i].digits, buffer), cases[i].text);
        assert_string_equal(html_plain(cases[i].value, cases[i].digits, buffer), cases[i].plain);
    }
    assert_int_equal(html_decimals(23.2, 4), 2);
    assert_int_equal(html_decimals(-0.8125, 4), 4);
    assert_int_equal(html_decimals(1009.0, 4), 0);
    assert_int_equal(html_decimals(0.0, 4), -1);
}

static void cells_of_a_column(void **state)
{
    (void)state;
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    assert_non_null(file);
    html_cell_fixed(file, -17.354, 2);
    html_cell_fixed(file, -0.001, 2);
    html_cell_fixed(file, NAN, 2);
    html_heading(file, "a<b", "m/s\u00b2", "\"doc\" & more", 1);
    fclose(file);
    assert_string_equal(out, "<td class=\"n\">\u221217.35</td><td class=\"n\">0.00</td>"
                             "<td class=\"n\">\u2013</td><th class=\"n\" title=\"&quot;doc&quot; "
                             "&amp; more\">a&lt;b<small>m/s\u00b2</small></th>");
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(numbers),
        cmocka_unit_test(cells_of_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
