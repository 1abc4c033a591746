// test_detail.c - --verbose and --debug of run, sweep and medusa: on stderr, results unchanged.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SCENARIO SOURCE_DIR "/scenarios/brake_loss.yaml"

static void says(const char *arguments, const char *const *expected, const char *not_expected)
{
    run_result r = cli_run(arguments);
    assert_int_equal(r.code, 0);
    for (; *expected; expected++)
        if (!strstr(r.err, *expected))
            fail_msg("%s lacks \"%s\":\n%s", arguments, *expected, r.err);
    if (not_expected && strstr(r.err, not_expected))
        fail_msg("%s has \"%s\":\n%s", arguments, not_expected, r.err);
    run_result_free(&r);
}

static void of_runs(void **state)
{
    (void)state;
    static const char *const nothing[] = {NULL};
    static const char *const verbose[] = {
        "motorcade ",
        "threads: 1\n",
        "\"brake loss\"",
        "40 s in steps of 0.02 s",
        "vehicles: 6",
        "  car3: model town_car (powertrain), lane 1, platoon 1, place 4, controller follow (acc)",
        NULL};
    static const char *const debug[] = {"  car3: model town_car", "      mass = 2000 kg",
                                        "      power_scale = 1", NULL};
    says("run " SCENARIO " --quiet", nothing, "motorcade ");
    says("run " SCENARIO " --quiet --threads 1 --verbose", verbose, "mass = ");
    says("run " SCENARIO " --quiet --set mass=2000 --debug", debug, NULL);
    char *plain = cli_printed("run " SCENARIO " --quiet -o a.h5");
    run_result r = cli_run("run " SCENARIO " --quiet --debug -o b.h5");
    assert_string_equal(r.out, plain);
    run_result_free(&r);
    free(plain);
    char *a = run_hdf5_text(&folder, "a.h5", "hash"), *b = run_hdf5_text(&folder, "b.h5", "hash");
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void of_sweeps(void **state)
{
    (void)state;
    static const char *const verbose[] = {"vehicles: 6", "controller follow (acc)", NULL};
    says("sweep " SCENARIO " --vary follow.headway=0.8,1 -o t.csv --quiet --verbose", verbose,
         "mass = ");
}

static void of_medusa(void **state)
{
    (void)state;
    static const char *const verbose[] = {"vector code: ", "scheme exponential", "restitution 1",
                                          NULL};
    static const char *const debug[] = {"  vehicle 1 starts at x = ", "vehicle 2 starts", NULL};
    cli_copy_medusa();
    says("medusa -t0.05 --quiet --verbose", verbose, "starts at");
    says("medusa -t0.05 --quiet --debug", debug, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_runs, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_sweeps, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_medusa, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
