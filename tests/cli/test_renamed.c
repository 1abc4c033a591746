// test_renamed.c - commands read names of 0.1 and say once, on the error stream, what they are
// called now.
#include "motorcade/replay.h"
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BRAKE "\"brake_most\" is now \"max_brake\"; the old name is read until 0.3"
#define COLUMN "\"wanted\" is now \"a_desired\"; the old name is read until 0.3"

static void put_scenario(const char *name, const char *brake)
{
    char text[600];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 2, step: 0.02, record: 0.1}\n"
             "models: {car: {kind: powertrain, %s: 0.5}}\n"
             "controllers: {follow: {law: acc}}\n"
             "platoons: [{leader: {model: car, profile: 20}, cars: [{model: car, controller: "
             "follow}]}]\n",
             brake);
    run_put(&folder, name, text);
}

static int set_up(void **state)
{
    cli_set_up(state);
    put_scenario("old.yaml", "brake_most");
    put_scenario("now.yaml", "max_brake");
    free(cli_done("run now.yaml -q -o run.h5"));
    return 0;
}

// Ends well, with one warning; "": none.
static void warns(const char *arguments, const char *warning)
{
    run_result r = cli_run(arguments);
    assert_int_equal(r.code, 0);
    int count = 0;
    for (const char *at = r.err; (at = strstr(at, "read until")); at++)
        count++;
    if (count != (warning[0] != '\0') || !strstr(r.err, warning))
        fail_msg("motorcade %s: %s", arguments, r.err);
    run_result_free(&r);
}

static void scenarios(void **state)
{
    (void)state;
    warns("check now.yaml", "");
    warns("check old.yaml", "old.yaml:3:34: " BRAKE " (warning)\n");
    warns("run old.yaml", "warning: old.yaml:3:34: " BRAKE "\n");
    warns("run old.yaml -q", "");
    warns("run now.yaml --set brake_most=0.6 --set car.brake_most=0.7", "warning: " BRAKE "\n");
    warns("sweep now.yaml --vary mass=1200,1300 -o a.csv", "");
    warns("sweep old.yaml --vary mass=1200,1300 -o b.csv", "warning: old.yaml:3:34: " BRAKE "\n");
    warns("sweep now.yaml --vary car.brake_most=0.4,0.5 -o c.csv", "warning: " BRAKE "\n");
    free(cli_done("run old.yaml -q --csv old"));
    free(cli_done("run now.yaml -q --csv now"));
    cli_same_files("old/car1.csv", "now/car1.csv");
}

// A log of commands that was written by 0.1, and the sweep it has begun.
static void files_of_old_names(void **state)
{
    (void)state;
    run_put(&folder, "log.csv",
            "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
            "10,set,car1,model.brake_most,0.3,0,0,0,0\n"
            "20,set,car1,brake_most,0.4,0,0,0,0\n");
    warns("run now.yaml --replay-log log.csv -o log.h5", "warning: log.csv: " BRAKE "\n");
    free(cli_done("sweep old.yaml -q --vary car.brake_most=0.4,0.5 -o d.csv"));
    char *again = cli_done("sweep old.yaml --vary car.brake_most=0.4,0.5 -o d.csv");
    cli_has(again, "all 2 runs");
    free(again);
}

static void options(void **state)
{
    (void)state;
    warns("powertrain converter --set speed_most=30",
          "warning: \"speed_most\" is now \"max_speed\"; the old name is read until 0.3\n");
    warns("powertrain converter --set max_speed=30", "");
    warns("stability --law idm --set acceleration_most=2", "warning: \"acceleration_most\" is now");
    warns("plot run.h5 --y v,wanted", "warning: " COLUMN "\n");
    warns("plot run.h5 --y v,a_desired", "");
}

// Columns of recordings: of results files, and of CSV files.
static void columns(void **state)
{
    (void)state;
    run_copy(&folder, "old.h5", SOURCE_DIR "/tests/data/results-1/run.h5");
    warns("plot old.h5 --y a_desired --csv a.csv", "");
    warns("plot old.h5 --y wanted --csv b.csv", "warning: " COLUMN "\n");
    cli_same_files("a.csv", "b.csv");
    run_put(&folder, "rows.csv", "t,x,wanted\n0,0,1\n1,2,1.5\n2,4,2\n");
    mc_error error;
    static const char *const files[] = {"old.h5", "rows.csv", "run.h5"};
    for (int k = 0; k < 3; k++) {
        mc_replay *r = mc_replay_load(cli_path(files[k]), NULL, &error);
        assert_non_null(r);
        assert_non_null(mc_replay_row(r, 1, MC_FIELD_A_DESIRED));
        assert_int_equal(strstr(mc_replay_info_of(r)->note, COLUMN) != NULL, k < 2);
        if (k == 1)
            assert_true(mc_replay_row(r, 1, MC_FIELD_A_DESIRED)[0] == 1.5);
        mc_replay_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios),
        cmocka_unit_test(files_of_old_names),
        cmocka_unit_test(options),
        cmocka_unit_test(columns),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
