// test_signals.c - runs that are ended from outside, and files that are none: a terminal that goes
// away, a limit on the size of files, a kill; pipes without another end, devices without an end.
// A message, the exit code, the checkpoint, and no temporary file.
#include "support/cli.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char endless[] = "motorcade: scenario\n"
                              "time: {end: 50000, step: 0.05, record: 1}\n"
                              "models: {dot: point}\n"
                              "controllers: {follow: acc}\n"
                              "platoons: [{leader: {model: dot, profile: moderate},\n"
                              "            cars: [{model: dot, controller: follow, count: 3}]}]\n";

static int set_up(void **state)
{
    cli_set_up(state);
    run_put(&folder, "s.yaml", endless);
    return 0;
}

static void assert_no_temporary_files(void)
{
    char *listing = run_listing(&folder, false);
    if (strstr(listing, "tmp-"))
        fail_msg("temporary files are left:\n%s", listing);
    free(listing);
}

static run_process start(const char *arguments, const char *until)
{
    run_process p = run_start(&folder, MOTORCADE_BINARY, arguments);
    while (!run_exists(&folder, until) && !run_is_over(&p))
        run_sleep(0.01);
    return p;
}

// The checkpoint can be continued.
static void assert_checkpoint(void)
{
    run_result r = cli_run("run s.yaml -q --resume cp --end 0.05");
    if (!strstr(r.err, "the checkpoint is at t = "))
        fail_msg("the checkpoint is not right: %s", r.err);
    run_result_free(&r);
}

static void a_terminal_that_goes_away(void **state)
{
    (void)state;
    run_process p = start("run s.yaml -q -o run.h5 --csv rows --checkpoint cp "
                          "--checkpoint-every 10",
                          "cp");
    kill(p.id, SIGHUP);
    run_result r = run_wait(&p);
    assert_int_equal(r.signal, 0);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "stopped at t = "));
    run_result_free(&r);
    assert_true(run_exists(&folder, "rows/leader.csv"));
    assert_no_temporary_files();
    assert_checkpoint();
}

static void a_kill_leaves_no_temporary_files(void **state)
{
    (void)state;
    run_process p = start("run s.yaml -q -o run.h5 --csv rows --checkpoint cp "
                          "--checkpoint-every 10",
                          "cp");
    run_sleep(0.2);
    kill(p.id, SIGKILL);
    run_result r = run_wait(&p);
    assert_int_equal(r.signal, SIGKILL);
    run_result_free(&r);
    assert_no_temporary_files();
    assert_false(run_exists(&folder, "rows/leader.csv"));
    assert_checkpoint();
}

// `ulimit -f`: by default a signal that kills without a word.
static void a_limit_on_the_size_of_files(void **state)
{
    (void)state;
    run_put(&folder, "limited.sh",
            "ulimit -f 200\n" MOTORCADE_BINARY
            " run s.yaml -q --csv rows --checkpoint cp --checkpoint-every 10\n");
    run_result r = run(&folder, "/bin/sh", "limited.sh");
    if (r.code != 1 || !strstr(r.err, "rows/leader.csv: cannot be written: File too large"))
        fail_msg("exit code %d, signal %d: %s", r.code, r.signal, r.err);
    run_result_free(&r);
    assert_false(run_exists(&folder, "rows/leader.csv"));
    assert_no_temporary_files();
    assert_checkpoint();
    run_put(&folder, "limited.sh", "ulimit -f 200\n" MOTORCADE_BINARY " run s.yaml -q -o run.h5\n");
    r = run(&folder, "/bin/sh", "limited.sh");
    if (r.code != 1 || !strstr(r.err, "File too large"))
        fail_msg("exit code %d, signal %d: %s", r.code, r.signal, r.err);
    run_result_free(&r);
    assert_no_temporary_files();
}

static void pipes_without_another_end(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(cli_path("pipe"), 0600), 0);
    const double begun = run_clock();
    cli_rejected_with("run pipe -q", 2, "pipe: cannot be read: no program writes to this pipe");
    cli_rejected_with("run s.yaml -q --end 1 --dynavis pipe", 1, "no program reads this pipe");
    cli_rejected_with("run s.yaml -q -o pipe", 1, "pipe: cannot be written: no program reads");
    cli_rejected_with("report pipe", 2, "pipe: cannot be read: it is not a file");
    assert_true(run_clock() - begun < 45.0); // each waits 5 s
}

// What comes from another program is read to its end.
static void a_pipe_with_another_end(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(cli_path("pipe"), 0600), 0);
    run_put(&folder, "late.sh",
            "sleep 0.3; head -c 20 s.yaml > part; exec 3> pipe; cat part >&3; "
            "sleep 0.3; tail -c +21 s.yaml >&3\n");
    run_process writer = run_start(&folder, "/bin/sh", "late.sh");
    free(cli_done("run pipe -q --end 1"));
    run_result r = run_wait(&writer);
    run_result_free(&r);
}

static void devices_without_an_end(void **state)
{
    (void)state;
    run_put(&folder, "d.yaml",
            "motorcade: scenario\ntime: {end: 1}\nmodels: {car: powertrain}\n"
            "vehicles: [{model: car, x: 0, driver: /dev/zero}]\n");
    cli_rejected_with("run /dev/zero -q", 2, "/dev/zero: is larger than the ");
    cli_rejected_with("run d.yaml -q", 2, "/dev/zero");
    cli_rejected_with("run s.yaml -q --resume /dev/zero", 2, "/dev/zero: is larger than the ");
    cli_rejected_with("report /dev/zero", 2, "/dev/zero: cannot be read: it is not a file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_terminal_that_goes_away, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_kill_leaves_no_temporary_files, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_limit_on_the_size_of_files, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(pipes_without_another_end, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_pipe_with_another_end, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(devices_without_an_end, set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
