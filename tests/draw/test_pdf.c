// test_pdf.c - pages of HTML on paper: their trees, their text, sheets that fill up.
#include "draw/page_tree.h"
#include "draw/pdf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_tree(void **state)
{
    (void)state;
    arena memory = {0};
    const page_node *body = page_tree_read(
        &memory,
        "<html><body>\n<p class=\"faint\" title=\"a > b\">one <b>two</b>\n <small>3</small>"
        "<br>a &lt; b</p><figure><svg w=\"1\"><svg></svg></svg></figure>"
        "<details open>\n<summary>s</summary></details></body></html>");
    assert_non_null(body);
    const page_node *p = page_tree_find(body, "p");
    assert_string_equal(p->class, "faint");
    assert_string_equal(page_tree_markup(&memory, p, false),
                        "one <b>two</b> <small>3</small>\na &lt; b");
    assert_string_equal(page_tree_find(body, "svg")->text, "<svg w=\"1\"><svg></svg></svg>");
    assert_true(page_tree_find(body, "details")->open);
    assert_null(page_tree_find(body, "table"));
    arena_free(&memory);
}

static void not_a_page(void **state)
{
    (void)state;
    static const char *const cases[] = {"", "<p>", "<body><p title=\"", "<body><svg>"};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        arena memory = {0};
        assert_null(page_tree_read(&memory, cases[k]));
        arena_free(&memory);
    }
}

static int page_count(const char *bytes, size_t size)
{
    static const char word[] = "/Type /Page ";
    int count = 0;
    for (size_t k = 0; k + sizeof word <= size; k++)
        count += memcmp(bytes + k, word, sizeof word - 1) == 0;
    return count;
}

static char *html_of(const char *begin, const char *row, int rows, const char *end)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, "<body>%s", begin);
    for (int k = 0; k < rows; k++)
        fputs(row, out);
    fprintf(out, "%s</body>", end);
    fclose(out);
    return text;
}

static void sheets(void **state)
{
    (void)state;
    static const struct {
        const char *begin, *row, *end;
        int rows, low, high;
    } cases[] = {
        {"", "<p>a word</p>", "", 1, 1, 1},
        {"", "<p>a word</p>", "", 300, 5, 8},
        {"<table><thead><tr><th>n</th></tr></thead><tbody>", "<tr><td class=\"n\">1</td></tr>",
         "</tbody></table>", 500, 7, 12},
        {"<pre>", "line\n", "</pre>", 1000, 9, 14},
        // Wider than a sheet: set smaller, on one sheet.
        {"<table><tbody><tr>", "<td class=\"n\">123456.789</td>", "</tr></tbody></table>", 60, 1,
         1},
        {"<h2>A plot</h2>\n<figure>",
         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"700\"></svg>",
         "</figure>", 3, 2, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_error error;
        size_t size = 0;
        char *html = html_of(cases[k].begin, cases[k].row, cases[k].rows, cases[k].end);
        char *bytes = pdf_from_html(html, "title", &size, &error);
        if (!bytes)
            fail_msg("case %zu: %s", k, error.text);
        assert_int_equal(strncmp(bytes, "%PDF-", 5), 0);
        const int count = page_count(bytes, size);
        if (count < cases[k].low || count > cases[k].high)
            fail_msg("case %zu: %d sheets", k, count);
        free(bytes);
        free(html);
    }
}

static void a_broken_picture(void **state)
{
    (void)state;
    mc_error error;
    size_t size;
    assert_null(pdf_from_html("<body><svg width=\"1\"><g></svg></body>", "", &size, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "picture"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree),
        cmocka_unit_test(not_a_page),
        cmocka_unit_test(sheets),
        cmocka_unit_test(a_broken_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
