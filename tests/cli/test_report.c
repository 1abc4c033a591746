// test_report.c - `motorcade report`: the page, its name, runs of other commands, wrong calls.
#include "support/cli.h"
#include "support/sample_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char *report(const char *arguments, const char *says, const char *page)
{
    char *text = cli_printed(arguments);
    assert_string_equal(text, says);
    free(text);
    return run_get(&folder, page, NULL);
}

static void the_page(void **state)
{
    (void)state;
    sample_run_write(cli_path("run.h5"), &(sample_run){.rows = 400});
    char *page = report("report run.h5", "report: run.html\n", "run.html");
    assert_non_null(strstr(page, "<h1>Eight in a row</h1>"));
    char *named = report("report run.h5 -o other.html", "report: other.html\n", "other.html");
    assert_string_equal(page, named);
    free(page);
    free(named);
}

// What a reader of PDF sees: `pdftotext` and `pdfinfo` of poppler.
static char *read_pdf(const char *name, int *pages)
{
    char arguments[64];
    snprintf(arguments, sizeof arguments, "-layout -enc UTF-8 %s text.txt", name);
    run_result r = run(&folder, "/usr/bin/pdftotext", arguments);
    assert_string_equal(r.err, "");
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    r = run(&folder, "/usr/bin/pdfinfo", name);
    assert_int_equal(r.code, 0);
    const char *count = strstr(r.out, "Pages:");
    assert_non_null(count);
    *pages = atoi(count + 6);
    assert_non_null(strstr(r.out, "595.28 x 841.89 pts (A4)"));
    assert_null(strstr(r.out, "CreationDate")); // same run, same bytes
    run_result_free(&r);
    return run_get(&folder, "text.txt", NULL);
}

static void a_pdf(void **state)
{
    (void)state;
    sample_run_write(cli_path("run.h5"), &(sample_run){.name = "a <b> & \"c\""});
    size_t size, again;
    char *bytes = report("report run.h5 -o run.pdf", "report: run.pdf\n", "run.pdf");
    free(bytes);
    bytes = run_get(&folder, "run.pdf", &size);
    assert_int_equal(strncmp(bytes, "%PDF-", 5), 0);
    free(report("report run.h5 -o again.PDF", "report: again.PDF\n", "again.PDF"));
    char *same = run_get(&folder, "again.PDF", &again);
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    int pages;
    char *text = read_pdf("run.pdf", &pages);
    static const char *const expected[] = {
        "a <b> & \"c\"", "What happened",      "loses its brakes", "runs into",
        "Key figures",   "\u221217.35",        "3.1875",           "0.81",
        "Over time",     "Spacing error (m)",  "Collisions",       "7.375",
        "Scenario",      "How to reproduce it"};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
        if (!strstr(text, expected[k]))
            fail_msg("the PDF lacks \"%s\":\n%s", expected[k], text);
    assert_true(pages >= 3 && pages <= 12);
    free(text);
    free(bytes);
    free(same);
}

// Two hundred cars: what a page keeps closed is named, not printed.
static void a_pdf_of_many(void **state)
{
    (void)state;
    sample_run_write(cli_path("run.h5"), &(sample_run){.cars = 200, .rows = 200});
    free(report("report run.h5 -o run.pdf", "report: run.pdf\n", "run.pdf"));
    int pages;
    char *text = read_pdf("run.pdf", &pages);
    assert_non_null(strstr(text, "All 200 cars: in the report as an HTML page."));
    assert_non_null(strstr(text, "Speed of all cars"));
    assert_true(pages >= 3 && pages <= 16);
    free(text);
}

// A run of medusa: the same tables and names as of any run.
static void a_run_of_medusa(void **state)
{
    (void)state;
    cli_copy_medusa();
    free(cli_done("medusa -t2 --hdf5 m.h5 --quiet"));
    run_table impacts = run_table_hdf5(&folder, "m.h5", "impacts");
    char *page = report("report m.h5", "report: m.html\n", "m.html");
    char sentence[120];
    snprintf(sentence, sizeof sentence,
             "<time>%.2f s</time><span><b>vehicle1</b> runs into <b>vehicle2</b> with %.2f m/s",
             run_at(&impacts, 0, 0), run_at(&impacts, 0, 9));
    if (!strstr(page, sentence))
        fail_msg("the page lacks \"%s\"", sentence);
    assert_non_null(strstr(page, "Energy of all cars together"));
    assert_non_null(strstr(page, "<td class=\"t\">kinetic energy</td>"));
    assert_non_null(strstr(page, "Position along the road"));
    run_table_free(&impacts);
    free(page);
}

// Counts are listed where the scenario has what they count, zero or not.
static void counts_where_something_can_be_counted(void **state)
{
    (void)state;
    static const struct {
        const char *scenario;
        bool flow, ersc;
    } cases[] = {
        {"lane_change", false, false}, {"on_ramp_flow", true, false}, {"ersc", false, true}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char call[300];
        snprintf(call, sizeof call, "run %s/scenarios/%s.yaml --end 1 -o c.h5 -q", SOURCE_DIR,
                 cases[k].scenario);
        run_result r = run(&folder, MOTORCADE_BINARY, call); // what it expects comes later
        run_result_free(&r);
        char *page = report("report c.h5", "report: c.html\n", "c.html");
        assert_non_null(strstr(page, "<dt>lane changes</dt>"));
        assert_int_equal(strstr(page, "<dt>entered</dt>") != NULL, cases[k].flow);
        assert_int_equal(strstr(page, "<dt>left</dt>") != NULL, cases[k].flow);
        assert_int_equal(strstr(page, "<dt>waiting</dt>") != NULL, cases[k].flow);
        assert_int_equal(strstr(page, "<dt>check in ") != NULL, cases[k].ersc);
        free(page);
    }
}

static void wrong_calls(void **state)
{
    (void)state;
    sample_run_write(cli_path("run.h5"), &(sample_run){.rows = 30});
    run_put(&folder, "notes.txt", "nothing here\n");
    run_put(&folder, "empty.h5", "");
    run_put(&folder, "secret.h5", "x");
    chmod(cli_path("secret.h5"), 0);
    run_put(&folder, "fixed.html", "mine");
    chmod(cli_path("fixed.html"), 0444);
    mkdir(cli_path("folder.html"), 0700);
    static const struct {
        const char *arguments, *message;
        int code;
    } cases[] = {
        {"report",
         "motorcade report: no results file given; try: motorcade report run.h5 (`motorcade report "
         "-h` explains)\n",
         2},
        {"report none.h5", "none.h5: cannot be read: No such file or directory\n", 2},
        {"report .", ".: cannot be read: it is a folder\n", 2},
        {"report notes.txt", "notes.txt: is not an HDF5 file; expected a results file (run.h5)\n",
         2},
        {"report empty.h5", "empty.h5: is empty; expected a results file (run.h5)\n", 2},
        {"report secret.h5", "secret.h5: cannot be read: Permission denied\n", 2},
        {"report run.h5 run.h5",
         "motorcade report: only one results file is expected: found \"run.h5\" after \"run.h5\"\n",
         2},
        {"report run.h5 -o run.h5", "run.h5: -o would overwrite the results file it is made of\n",
         2},
        {"report run.h5 -o nowhere/x.html",
         "nowhere/x.html: cannot be created in folder \"nowhere\": No such file or directory\n", 1},
        {"report run.h5 -o fixed.html", NULL, 1},
        {"report run.h5 -o folder.html", NULL, 1},
        {"report run.h5 -o", "motorcade report: option -o needs a value: -o FILE\n", 2},
        {"report run.h5 --outptu x",
         "motorcade report: unknown option \"--outptu\", did you mean --output; -h lists them\n",
         2},
        {"report run.h5 -o run.txt",
         "run.txt: unknown format \".txt\"; expected one of: .html, .pdf\n", 2},
        {"report none.h5 -o none.pdf", "none.h5: cannot be read: No such file or directory\n", 2},
        {"repotr run.h5",
         "motorcade: unknown command \"repotr\", did you mean report; `motorcade --help` lists "
         "them\n",
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_result r = cli_run(cases[i].arguments);
        if (cases[i].message)
            assert_string_equal(r.err, cases[i].message);
        assert_true(r.err_size > 0);
        assert_int_equal(r.code, cases[i].code);
        assert_string_equal(r.out, "");
        run_result_free(&r);
    }
    char *kept = run_get(&folder, "fixed.html", NULL);
    assert_string_equal(kept, "mine");
    free(kept);
    assert_false(run_exists(&folder, "notes.html"));
    assert_false(run_exists(&folder, "run.txt"));
    assert_false(run_exists(&folder, "none.pdf"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_page, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_pdf, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_pdf_of_many, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_run_of_medusa, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(counts_where_something_can_be_counted, cli_set_up,
                                        cli_tear_down),
        cmocka_unit_test_setup_teardown(wrong_calls, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
