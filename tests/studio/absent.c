// absent.c - the library without the studio: it simulates, and rejects the studio with a reason.
//
// Linked with neither libwebsockets nor Jansson: that it links at all is half of the test.
#include "motorcade/run.h"
#include "motorcade/studio.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static void a_start_is_rejected(void **unused)
{
    (void)unused;
    const mc_studio_options options = mc_studio_defaults();
    mc_error error = {0};
    assert_null(mc_studio_create(&options, &error));
    assert_int_equal(mc_status_exit_code(error.code), 2);
    assert_non_null(strstr(error.text, "MOTORCADE_STUDIO=ON"));
    mc_studio_destroy(NULL);
}

static void a_scenario_is_driven(void **unused)
{
    (void)unused;
    char path[4096];
    mc_error error = {0};
    assert_true(mc_studio_shipped("two_gains.yaml", path, sizeof path));
    mc_scenario *scenario = mc_scenario_load(path, &error);
    assert_non_null(scenario);
    mc_run *run = mc_run_create(scenario, NULL, &error);
    assert_non_null(run);
    for (int step = 0; step < 10; step++)
        assert_int_equal(mc_run_step(run, &error), MC_OK);
    assert_true(mc_run_time(run) > 0.0);
    mc_run_destroy(run);
    mc_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_is_rejected),
        cmocka_unit_test(a_scenario_is_driven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
