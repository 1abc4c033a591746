// test_silences.c - what used to be done, or left undone, without a word.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "motorcade: scenario\ntime: {end: 1, step: 0.05}\nmodels: {dot: point}\n"

static void help_and_version(void **state)
{
    (void)state;
    char *a = cli_printed("help run"), *b = cli_printed("run -h");
    assert_string_equal(a, b);
    free(a);
    free(b);
    static const char *const ways[] = {"version", "-V"};
    for (int k = 0; k < 2; k++) {
        a = cli_printed("--version");
        b = cli_printed(ways[k]);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
    cli_rejected_with("help rum", 2, "unknown command \"rum\", did you mean run");
}

static void a_vehicle_called_all(void **state)
{
    (void)state;
    run_put(&folder, "s.yaml", HEAD "vehicles:\n  - {model: dot, name: all, x: 0, v: 1}\n");
    cli_rejected_with(
        "check s.yaml", 2,
        "s.yaml:5:5: a vehicle cannot be called all: events mean every vehicle by it");
}

static void a_folder_as_a_file(void **state)
{
    (void)state;
    run_put(&folder, "s.yaml",
            "motorcade: scenario\ntime: {end: 1}\nmodels:\n  soft: {kind: cosserat, file: .}\n"
            "vehicles: [{model: soft, x: 0, v: 1}]\n");
    cli_rejected_with("check s.yaml", 2, "s.yaml:4:32: ");
}

// The place of the controller whose law fails.
static void a_law_without_a_number(void **state)
{
    (void)state;
    run_put(&folder, "s.yaml",
            HEAD
            "controllers:\n  odd: {law: {acceleration: '1 [m/s^2]*sqrt(v/(1 [m/s]) - 1000)'}}\n"
            "platoons: [{leader: {model: dot, profile: moderate}, cars: [{model: dot, "
            "controller: odd}]}]\n");
    run_result r = cli_run("run s.yaml -q");
    if (r.code != 1 || !strstr(r.err, "s.yaml:5:") || !strstr(r.err, "no finite acceleration"))
        fail_msg("exit code %d: %s", r.code, r.err);
    run_result_free(&r);
}

static void files_of_vehicles_that_are_gone(void **state)
{
    (void)state;
    run_put(&folder, "s.yaml",
            HEAD "vehicles: [{model: dot, name: a, x: 0, v: 1}, "
                 "{model: dot, name: b, x: 20, v: 1}]\n");
    run_put(&folder, "t.yaml", HEAD "vehicles: [{model: dot, name: a, x: 0, v: 1}]\n");
    free(cli_done("run s.yaml -q --csv rows"));
    run_age(&folder);
    run_result r = cli_run("run t.yaml --csv rows");
    assert_int_equal(r.code, 0);
    if (!strstr(r.err, "warning: rows also holds 1 CSV file that this run did not write: b.csv\n"))
        fail_msg("%s", r.err);
    run_result_free(&r);
}

static void no_compiler(void **state)
{
    (void)state;
    run_copy(&folder, "m.yaml", SOURCE_DIR "/models/pendulum.yaml");
    run_put(&folder, "bare.sh",
            "mkdir -p cache; export PATH=/nowhere XDG_CACHE_HOME=$PWD/cache; unset CC "
            "MOTORCADE_CC\n" MOTORCADE_BINARY " simulate m.yaml --end 0.1 --compile now -q\n");
    run_result r = run(&folder, "/bin/sh", "bare.sh");
    assert_int_equal(r.code, 0);
    if (!strstr(r.err, "motorcade simulate: --compile now: formulas are interpreted"))
        fail_msg("%s", r.err);
    run_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(help_and_version, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_vehicle_called_all, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_folder_as_a_file, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_law_without_a_number, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(files_of_vehicles_that_are_gone, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(no_compiler, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
