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

// A run of medusa: other tables, other names of quantities, vehicles counted from 1.
static void a_run_of_medusa(void **state)
{
    (void)state;
    cli_copy_medusa();
    free(cli_done("medusa -t2 --hdf5 m.h5 --quiet"));
    run_table impacts = run_table_hdf5(&folder, "m.h5", "impacts");
    char *page = report("report m.h5", "report: m.html\n", "m.html");
    char sentence[120];
    snprintf(sentence, sizeof sentence,
             "<time>%.2f s</time><span><b>car 1</b> runs into <b>car 2</b> with %.2f m/s",
             run_at(&impacts, 0, 0), run_at(&impacts, 0, 9));
    if (!strstr(page, sentence))
        fail_msg("the page lacks \"%s\"", sentence);
    assert_non_null(strstr(page, "Energy of all cars together"));
    assert_non_null(strstr(page, "<td class=\"t\">kinetic energy</td>"));
    assert_non_null(strstr(page, "Position along the road"));
    run_table_free(&impacts);
    free(page);
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
         "motorcade report: one results file at a time: found \"run.h5\" after \"run.h5\"\n", 2},
        {"report run.h5 -o run.h5",
         "motorcade report: \"run.h5\" would be written over by its own report; choose another "
         "name with -o\n",
         2},
        {"report run.h5 -o nowhere/x.html",
         "nowhere/x.html: cannot be made in folder \"nowhere\": No such file or directory\n", 1},
        {"report run.h5 -o fixed.html", NULL, 1},
        {"report run.h5 -o folder.html", NULL, 1},
        {"report run.h5 -o", "motorcade report: option -o needs a value: -o FILE\n", 2},
        {"report run.h5 --outptu x",
         "motorcade report: unknown option \"--outptu\", did you mean --output; -h lists them\n",
         2},
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_page, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_run_of_medusa, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(wrong_calls, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
