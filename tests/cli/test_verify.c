// test_verify.c - `motorcade verify`: what it prints, its exit codes, wrong words. All benchmarks
// are in test_verify_all.c.
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int line_count(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

// ---- the table for programs --------------------------------------------------------------------

static const char head[] = "benchmark,quantity,value,reference,digits,pass\n";

static void csv_file(void **state)
{
    (void)state;
    char *alone = cli_printed("verify racket --csv");
    assert_int_equal(line_count(alone), 5);
    static const char *const ways[] = {"verify racket --csv out.csv", "verify --csv out.csv racket",
                                       "verify --csv=out.csv racket",
                                       "verify racket --csv ./out.csv"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char *screen = cli_printed(ways[i]);
        cli_has(screen, "time of flip 3"); // the readable one as well
        assert_null(strstr(screen, head));
        char *file = run_get(&folder, "out.csv", NULL);
        assert_string_equal(file, alone); // same bits every time
        free(file);
        free(screen);
    }
    free(cli_printed("verify racket --csv=plain"));
    assert_true(run_exists(&folder, "plain"));
    static const char *const to_screen[] = {"verify --csv racket", "verify --csv - racket",
                                            "verify --csv --brief racket", "verify racket --csv=-"};
    for (size_t i = 0; i < sizeof to_screen / sizeof to_screen[0]; i++) {
        char *screen = cli_printed(to_screen[i]);
        assert_string_equal(screen, alone);
        free(screen);
    }
    assert_false(run_exists(&folder, "racket"));
    free(alone);
}

// ---- the table for people ----------------------------------------------------------------------

static void readable(void **state)
{
    (void)state;
    char *before = run_listing(&folder, true);
    char *text = cli_printed("verify medusa-print pendulum pendulum");
    cli_has(text, "pendulum: IFToMM A01");
    cli_has(text, "published digits\n");
    cli_has(text, "energy drift ");
    cli_has(text, " s; MEDUSA report, section 2.5\n"); // after the time
    cli_has(text, "6 of   6 pass");
    cli_has(text, "-0.03579733 "); // the report's number
    cli_has(text, "2 benchmarks, 28 numbers: all pass\n");
    assert_null(strstr(text, "governor"));
    assert_null(strstr(text, "FAIL"));
    free(text);
    text = cli_printed("verify -b pendulum racket");
    assert_int_equal(line_count(text), 3);
    free(text);
    char *after = run_listing(&folder, true); // no file needed, none left
    assert_string_equal(after, before);
    free(after);
    free(before);
}

static void list_and_help(void **state)
{
    (void)state;
    static const char *const names[] = {
        "pendulum",  "governor", "double-pendulum", "n-pendulum", "top-steady", "top-nutation",
        "free-body", "racket",   "medusa-print",    "windows",    "andrews",    "car-axis",
        "iltis"};
    char *text = cli_printed("verify --list");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cli_has(text, names[i]);
    free(text);
    text = cli_printed("verify -h");
    cli_has(text, "--csv [FILE]");
    cli_has(text, "--list");
    cli_has(text, "Exit code");
    free(text);
}

// ---- what goes wrong ---------------------------------------------------------------------------

static void wrong_words(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } bad[] = {
        {"verify pendulm", "unknown benchmark \"pendulm\", did you mean pendulum; --list"},
        {"verify Racket", "did you mean racket"},
        {"verify racket xyzzy", "unknown benchmark \"xyzzy\"; --list names them"},
        {"verify ''", "unknown benchmark \"\""},
        {"verify --csv pendlum", "did you mean pendulum"}, // and no file of that name
        {"verify --csv=", "--csv needs a value"},
        {"verify --csv a.csv --csv b.csv", "--csv is given twice"},
        {"verify --csw", "unknown option \"--csw\", did you mean --csv"},
        {"verify --list=all", "--list takes no value"},
        {"verify -L", "did you mean -l"},
        {"verify -x", "unknown option"},
        {"verify racket.yaml", "unknown benchmark"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cli_rejected_with(bad[i].arguments, 2, bad[i].message);
    }
    assert_false(run_exists(&folder, "pendlum"));
    assert_false(run_exists(&folder, "a.csv"));
}

static void no_such_folder(void **state)
{
    (void)state;
    run_result r = cli_run("verify --csv no/such/folder.csv racket");
    assert_int_equal(r.code, 1);
    cli_has(r.err, "no/such/folder.csv: cannot be created");
    assert_int_equal(r.out_size, 0); // said before anything is run
    run_result_free(&r);
}

// With four files at most (3 may have been handed down: closed) the two in memory cannot be made:
// that benchmark fails, the other runs.
static void failed_run(void **state)
{
    (void)state;
    run_put(&folder, "starve.sh",
            "exec 3>&-\nulimit -n 4\nexec " MOTORCADE_BINARY " verify medusa-print racket --csv\n");
    run_result r = run(&folder, "/bin/sh", "starve.sh");
    if (r.code != 1)
        fail_msg("exit code %d: %s", r.code, r.err);
    cli_has(r.err, "medusa-print cannot be run: ");
    cli_has(r.out, "medusa-print,run,nan,nan,0.00,false\n");
    cli_has(r.out, "racket,energy drift,");
    run_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(csv_file, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(readable, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(list_and_help, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(wrong_words, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(no_such_folder, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(failed_run, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
