// test_sweep.c - `motorcade sweep`: the real program, killed, stopped, split, misused.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char scenario_text[] =
    "motorcade: scenario\n"
    "name: four cars\n"
    "time: {end: 12, step: 0.02, record: 0.1}\n"
    "road: {headway: 0.2, distance: 2}\n"
    "profiles:\n"
    "  stop: {table: [[0, 20], [2, 20], [5, 4], [12, 4]]}\n"
    "models:\n"
    "  town_car: {kind: powertrain}\n"
    "controllers:\n"
    "  follow: {law: acc, headway: 0.8, sensor: {range_noise: 0.05, delay: 0.2}}\n"
    "platoons:\n"
    "  - leader: {model: town_car, profile: stop}\n"
    "    cars: [{model: town_car, name: car, count: 3, controller: follow}]\n"
    "expect:\n"
    "  - collisions == 0\n";

static int set_up(void **state)
{
    cli_set_up(state);
    run_put(&folder, "s.yaml", scenario_text);
    return 0;
}

// Whole rows of a journal; 0 when there is no file yet.
static int rows_of(const char *name)
{
    if (!run_exists(&folder, name))
        return 0;
    char *text = run_get(&folder, name, NULL);
    const char *at = strstr(text, "\nrun,");
    int count = -1;
    for (at = at ? at + 1 : ""; (at = strchr(at, '\n')); at++)
        count++;
    free(text);
    return count < 0 ? 0 : count;
}

#define AXES "--vary mass=1200:2400:200 --vary follow.headway=0.3:1.2:0.1"
enum { RUNS = 7 * 10 };

static void uninterrupted(void)
{
    if (!run_exists(&folder, "whole.csv"))
        free(cli_done("sweep s.yaml " AXES " -o whole.csv --threads 1"));
}

// Starts the sweep and gives it the signal when the journal has that many rows more.
static int stopped_by(int number, const char *command, const char *journal, int rows)
{
    const int before = rows_of(journal);
    run_process p = run_start(&folder, MOTORCADE_BINARY, command);
    const double start = run_clock();
    while (rows_of(journal) < before + rows && !run_is_over(&p) && run_clock() - start < 50.0)
        run_sleep(0.001);
    kill(p.id, number);
    run_result r = run_wait(&p);
    const int now = rows_of(journal);
    if (number == SIGKILL) {
        assert_int_equal(r.signal, SIGKILL); // it was in the middle
    } else {
        char expected[200];
        assert_int_equal(r.code, 1);
        snprintf(expected, sizeof expected,
                 "motorcade sweep: stopped: %d of %d runs are in %s; the same command continues "
                 "with the others\n",
                 now, RUNS, journal);
        cli_has(r.err, expected);
    }
    run_result_free(&r);
    assert_true(now >= before + rows && now < RUNS);
    return now;
}

static void a_kill_loses_nothing(void **state)
{
    (void)state;
    uninterrupted();
    const char *command = "sweep s.yaml " AXES " -o killed.csv --threads 1";
    stopped_by(SIGKILL, command, "killed.csv", 5);
    stopped_by(SIGKILL, command, "killed.csv", 10);
    // The last row loses its end, as when a kill or a full disk cuts it.
    size_t size;
    char *text = run_get(&folder, "killed.csv", &size);
    run_put_bytes(&folder, "killed.csv", text, size - 25);
    free(text);
    const int there = rows_of("killed.csv");
    assert_true(there >= 14);
    text = cli_done(command);
    char expected[200];
    snprintf(expected, sizeof expected,
             "killed.csv: %d of %d runs are done, continuing with the other %d\nkilled.csv: %d "
             "runs done, %d found in the table\n",
             there, RUNS, RUNS - there, RUNS - there, there);
    cli_has(text, expected);
    free(text);
    cli_same_files("killed.csv", "whole.csv");
    text = cli_done(command);
    cli_has(text, "killed.csv: all 70 runs are done, nothing to do\n");
    free(text);
    cli_same_files("killed.csv", "whole.csv");
}

static void a_run_stopped_by_ctrl_c_can_be_resumed(void **state)
{
    (void)state;
    uninterrupted();
    const char *command = "sweep s.yaml " AXES " -o stopped.csv --threads 1";
    stopped_by(SIGINT, command, "stopped.csv", 5);
    stopped_by(SIGTERM, command, "stopped.csv", 5);
    free(cli_done(command));
    cli_same_files("stopped.csv", "whole.csv");
}

static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    uninterrupted();
    const char *command = "sweep s.yaml " AXES " -o full.csv --threads 2";
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 6000; // maximum file size in bytes: header and a few rows
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    run_result r = cli_run(command);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(r.code, 1);
    cli_has(r.err, "full.csv: cannot be written: File too large; the rows so far are valid, and "
                   "the same command resumes it\n");
    run_result_free(&r);
    size_t size;
    char *text = run_get(&folder, "full.csv", &size);
    assert_true(size <= 6000 && text[size - 1] == '\n');
    free(text);
    const int there = rows_of("full.csv");
    assert_in_range(there, 3, RUNS - 1);
    char expected[100];
    snprintf(expected, sizeof expected, "full.csv: %d runs done, %d found in the table\n",
             RUNS - there, there);
    text = cli_done(command);
    cli_has(text, expected);
    free(text);
    cli_same_files("full.csv", "whole.csv");
}

static void shards_join_to_the_whole(void **state)
{
    (void)state;
    uninterrupted();
    for (int k = 1; k <= 3; k++) {
        char command[200];
        snprintf(command, sizeof command, "sweep s.yaml " AXES " -o part%d.csv --shard %d/3 -q", k,
                 k);
        char *text = cli_done(command);
        assert_string_equal(text, "");
        free(text);
        assert_int_equal(rows_of("part1.csv"), 24);
    }
    run_result r = cli_run("sweep --merge part1.csv part3.csv -o all.csv");
    assert_int_equal(r.code, 1);
    cli_has(r.err, "motorcade sweep: 23 of 70 runs are missing: 1, 4, 7, 10, 13, 16,");
    cli_has(r.err, "; complete all.csv with the command of the sweep without --shard, or merge the "
                   "tables that have them\n");
    run_result_free(&r);
    r = cli_run("sweep --merge part1.csv part2.csv part1.csv -o all.csv --svg all.svg");
    assert_int_equal(r.code, 0);
    cli_has(r.err,
            "motorcade sweep: 24 runs in more than one table, with identical rows: 0, 3, 6,");
    cli_has(r.out, "70 runs: ");
    run_result_free(&r);
    cli_same_files("all.csv", "whole.csv");
    assert_true(run_exists(&folder, "all.svg"));
}

static void two_processes_do_not_share_a_journal(void **state)
{
    (void)state;
    run_process first =
        run_start(&folder, MOTORCADE_BINARY, "sweep s.yaml " AXES " -o one.csv --threads 1");
    while (rows_of("one.csv") < 1 && !run_is_over(&first))
        run_sleep(0.001);
    run_result second = cli_run("sweep s.yaml " AXES " -o one.csv");
    assert_int_equal(second.code, 2);
    assert_string_equal(second.err, "one.csv: another process is running this sweep; wait for it "
                                    "to finish, or split the work with --shard\n");
    run_result_free(&second);
    run_result r = run_wait(&first);
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    uninterrupted();
    cli_same_files("one.csv", "whole.csv");
}

// ---- what the figures say ----

// Value of a column of the table in the row of a run.
static double figure(const char *name, int run, const char *column)
{
    char *text = run_get(&folder, name, NULL), *line = strstr(text, "\nrun,") + 1;
    int place = 0;
    char *head = strndup(line, strcspn(line, "\n")), *rest = head;
    for (char *word; (word = strsep(&rest, ",")) && strcmp(word, column) != 0;)
        place++;
    assert_non_null(rest);
    free(head);
    for (int k = 0; k <= run; k++)
        line = strchr(line, '\n') + 1;
    for (int k = 0; k < place; k++)
        line = strchr(line, ',') + 1;
    const double value = strtod(line, NULL);
    free(text);
    return value;
}

// The maximum |spacing_error| and the minimum gap of all cars, from the CSV files of a run.
static void measure(const char *dir, double *error, double *gap)
{
    *error = 0.0;
    *gap = INFINITY;
    for (int car = 1; car <= 3; car++) {
        char name[64];
        snprintf(name, sizeof name, "%s/car%d.csv", dir, car);
        char *text = run_get(&folder, name, NULL), *line = text;
        int gap_column = -1, error_column = -1, rows = 0;
        char *head = strndup(line, strcspn(line, "\n")), *rest = head, *word;
        for (int k = 0; (word = strsep(&rest, ",")); k++) {
            gap_column = strcmp(word, "gap") == 0 ? k : gap_column;
            error_column = strcmp(word, "spacing_error") == 0 ? k : error_column;
        }
        free(head);
        assert_true(gap_column > 0 && error_column > 0);
        while ((line = strchr(line, '\n')) && *++line) {
            const char *at = line;
            for (int k = 0; k <= gap_column || k <= error_column; k++) {
                if (k == gap_column)
                    *gap = fmin(*gap, strtod(at, NULL));
                if (k == error_column)
                    *error = fmax(*error, fabs(strtod(at, NULL)));
                at = strchr(at, ',') + 1;
            }
            rows++;
        }
        assert_int_equal(rows, 121);
        free(text);
    }
}

static void figures_agree_with_single_runs(void **state)
{
    (void)state;
    uninterrupted();
    static const struct {
        int run;
        const char *sets;
    } points[] = {{6, "--set mass=1200 --set follow.headway=0.9"},
                  {35, "--set mass=1800 --set follow.headway=0.8"},
                  {69, "--set mass=2400 --set follow.headway=1.2"}};
    for (int k = 0; k < 3; k++) {
        char command[200], dir[16];
        snprintf(dir, sizeof dir, "d%d", k);
        snprintf(command, sizeof command, "run s.yaml %s --csv %s -q", points[k].sets, dir);
        free(cli_done(command));
        double error, gap;
        measure(dir, &error, &gap);
        const double there = figure("whole.csv", points[k].run, "largest.spacing_error");
        assert_true(fabs(there - error) <= 1e-12 * error);
        assert_true(fabs(figure("whole.csv", points[k].run, "smallest.gap") - gap) <= 1e-12 * gap);
    }
    assert_true(figure("whole.csv", 0, "collisions") > 0.0); // 0.3 s is too little
    assert_true(figure("whole.csv", 69, "collisions") == 0.0);
    char *text =
        cli_done("sweep s.yaml " AXES " -o whole.csv --svg whole.svg --figure smallest.gap");
    cli_has(text, " with collisions, ");
    cli_has(text, "smallest.gap: from ");
    free(text);
    text = run_get(&folder, "whole.svg", NULL);
    cli_has(text, "four cars: smallest gap to the car in front");
    free(text);
}

// ---- wrong input ----

static void wrong_input_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"--vary mass=1200:2400:50",
         "motorcade sweep: no table given; add -o FILE, for example -o sweep.csv\n"},
        {"-o n.csv", "motorcade sweep: nothing to vary; for example --vary mass=1200:2400:50\n"},
        {"t.yaml --vary mass=1000 -o n.csv",
         "motorcade sweep: only one scenario is expected: found \"s.yaml\" and \"t.yaml\"\n"},
        {"--vary mass=1200:50:2400 -o n.csv",
         "motorcade sweep: \"mass=1200:50:2400\": expected FROM:TO:STEP; did you mean "
         "1200:2400:50?\n"},
        {"--vary mass=1000:2000:300 -o n.csv",
         "motorcade sweep: \"mass=1000:2000:300\": steps of 300 from 1000 lead to 1900 and 2200, "
         "not to the end\n"},
        {"--vary weight=1:2:1 -o n.csv", "motorcade sweep: no model or controller has a parameter "
                                         "\"weight\"; did you mean height\n"},
        {"--vary mass=1:2000:1 -o n.csv",
         "motorcade sweep: \"mass=1\": mass must be in 100 .. 100000 kg\n"},
        {"--vary mass=1000 --vary mass=1100 -o n.csv",
         "motorcade sweep: \"mass\" is varied twice\n"},
        {"--vary mass=1000 --set mass=1100 -o n.csv",
         "motorcade sweep: \"mass\" is both set and varied\n"},
        {"--vary seed=1:3:1 --seeds 4 -o n.csv", "motorcade sweep: \"seed\" is varied twice\n"},
        {"--vary mass=1000 --seeds 0 -o n.csv",
         "motorcade sweep: option --seeds: found \"0\", expected a whole number within 1 .. "
         "1000000\n"},
        {"--vary mass=1000 --seed 4 -o n.csv",
         "motorcade sweep: option --seed: only with --random; to vary the scenario's seed use "
         "--vary seed=1:10:1 or --seeds 10\n"},
        {"--vary mass=1000:2000 --random 0 -o n.csv",
         "motorcade sweep: option --random: found \"0\", expected a whole number within 1 .. "
         "1000000\n"},
        {"--vary mass=2000:1000 --random 5 -o n.csv",
         "motorcade sweep: \"mass=2000:1000\": the range must end above its start\n"},
        {"--vary mass=1000:2000 -o n.csv", "motorcade sweep: \"mass=1000:2000\": a range needs a "
                                           "step, FROM:TO:STEP, except with --random\n"},
        {"--vary mass=1000:2000:100 --shard 0/2 -o n.csv",
         "motorcade sweep: option --shard: found \"0/2\", expected I/N with I from 1 to N, for "
         "example 2/4\n"},
        {"--vary mass=1000:2000:100 --shard 2 -o n.csv",
         "motorcade sweep: option --shard: found \"2\", expected I/N with I from 1 to N, for "
         "example 2/4\n"},
        {"--vary mass=1000:2000:500 --shard 1/4 -o n.csv",
         "motorcade sweep: 4 shards, but only 3 runs\n"},
        {"--vary mass=1000:2000:500 --shard 1/2 -o n.csv --svg n.svg",
         "motorcade sweep: option --svg: a shard has only part of the results; use it with "
         "--merge\n"},
        {"--vary mass=1000 -o n.csv --figure collisions",
         "motorcade sweep: option --figure needs --svg FILE\n"},
        {"--vary mass=1000 -o n.csv --svg n.svg --figure largest.jrk",
         "motorcade sweep: unknown figure \"largest.jrk\", did you mean largest.jerk\n"},
        {"--vary mass=1000 -o n.csv --svg n.svg --figure v",
         "motorcade sweep: the figure \"v\" is for single cars; a sweep needs one of the run\n"},
        {"--vary mass=1000 -o s.yaml", "s.yaml: -o would overwrite the scenario\n"},
        {"--vary mass=1000 -o n.csv --svg n.csv",
         "n.csv: --svg would overwrite the file written by -o\n"},
        {"--vary mass=1000 -o /dev/null",
         "/dev/null: is not a regular file; a sweep needs one to resume from\n"},
        {"--vary mass=1000 -o none/n.csv", "none/n.csv: cannot be written: No such file or "
                                           "directory\n"},
        {"--vary mass=1000 -o other.csv",
         "other.csv: is not the table of a sweep; choose another file, or remove it\n"},
        {"--vary mass=1000 --merge -o n.csv",
         "motorcade sweep: option --merge: joins existing tables; only -o, --svg, --figure, "
         "--percentiles and -q "
         "may be given with it\n"},
        {"--merge -o n.csv",
         "s.yaml: is not the table of a sweep; choose another file, or remove it\n"},
        {"--vary mass=1000 --threads 0 -o n.csv",
         "motorcade sweep: option --threads: found \"0\", expected a whole number within 1 .. "
         "1024\n"},
        {"--varry mass=1000 -o n.csv",
         "motorcade sweep: unknown option \"--varry\", did you mean --vary; -h lists them\n"},
    };
    run_put(&folder, "other.csv", "a,b\n1,2\n");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char command[300];
        snprintf(command, sizeof command, "sweep s.yaml %s", cases[k].arguments);
        cli_rejected(command, strstr(cases[k].message, "No such file") ? 1 : 2, cases[k].message);
        assert_false(run_exists(&folder, "n.csv"));
    }
    char *text = run_get(&folder, "other.csv", NULL); // what was there is still there
    assert_string_equal(text, "a,b\n1,2\n");
    free(text);
    run_result r = cli_run("sweep none.yaml --vary mass=1000 -o n.csv");
    assert_int_equal(r.code, 2);
    assert_string_equal(r.err, "none.yaml: cannot be read: No such file or directory\n");
    run_result_free(&r);
}

static void runs_that_fail_do_not_stop_it(void **state)
{
    (void)state;
    char *text = cli_done("sweep s.yaml --vary road.headway=0.2,1 --vary follow.headway=0.5,1.2 "
                          "--set time.end=1 -o fail.csv --svg fail.svg");
    cli_has(text, "4 runs: 0 with collisions, 0 with failed expectations, 1 that failed\nthe first "
                  "failure: failed: \"follow.headway=0.5\": headway must be in 1 .. 60 s");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kill_loses_nothing),
        cmocka_unit_test(a_run_stopped_by_ctrl_c_can_be_resumed),
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(shards_join_to_the_whole),
        cmocka_unit_test(two_processes_do_not_share_a_journal),
        cmocka_unit_test(figures_agree_with_single_runs),
        cmocka_unit_test(wrong_input_is_named),
        cmocka_unit_test(runs_that_fail_do_not_stop_it),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
