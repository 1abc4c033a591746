// test_files.c - the files named by a scenario are read once, with it: runs, edits, versions and
// branches use what was read, whatever happens on the disk.
#include "motorcade/timeline.h"
#include "support/platoon.h"
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static run_folder folder;

static const char text[] =
    "motorcade: scenario\n"
    "time: {end: 4, step: 0.05}\n"
    "road: {lanes: 4}\n"
    "models:\n"
    "  truck: {kind: multibody, mechanism: hmmwv.yaml, length: 4.6, width: 2.2, height: 1.8}\n"
    "  soft: {kind: cosserat, file: model.dat, tyre: brush}\n"
    "  escort: {car_file: cars.models}\n"
    "controllers: {follow: acc}\n"
    "vehicles:\n"
    "  - {model: truck, name: truck, x: 0, v: 15, lane: 1, controller: follow}\n"
    "  - {model: soft, name: soft, x: 0, v: 15, lane: 2, controller: follow}\n"
    "  - {model: escort, name: escort, x: 0, v: 15, lane: 3, controller: follow}\n"
    "  - {model: escort, name: driven, x: 0, v: 15, lane: 4, driver: pedals.csv}\n";

static const char *const named[] = {"hmmwv.yaml", "model.dat", "cars.models", "pedals.csv"};
enum { NAMED = 4 };

static mc_scenario *load(void)
{
    char path[128];
    mc_error error;
    run_put(&folder, "s.yaml", text);
    run_copy(&folder, "hmmwv.yaml", SOURCE_DIR "/models/hmmwv.yaml");
    run_copy(&folder, "model.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
    run_copy(&folder, "cars.models", SOURCE_DIR "/scenarios/dynavis/cars.models");
    run_put(&folder, "pedals.csv", "t,throttle,brake,steer\n0,0.2,0,0\n1,0,0.3,0\n3,0.4,0,0\n");
    snprintf(path, sizeof path, "%s/s.yaml", folder.path);
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        fail_msg("%s: %s", error.file, error.text);
    return s;
}

typedef enum disk { KEPT, REMOVED, SPOILED } disk;

static void change_disk(disk what)
{
    for (int k = 0; k < NAMED && what != KEPT; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder.path, named[k]);
        if (what == REMOVED)
            assert_int_equal(unlink(path), 0);
        else
            run_put(&folder, named[k], "no table, no mechanism, no car\n");
    }
}

static void edit(mc_timeline *line, const char *what)
{
    mc_error error;
    if (mc_timeline_edit(line, what, &error) != MC_OK)
        fail_msg("%s: %s", what, error.text);
}

static void play(mc_timeline *line, int steps)
{
    mc_error error;
    for (int k = 0; k < steps; k++)
        assert_int_equal(mc_timeline_step(line, &error), MC_OK);
}

// A run with edits, a whole version, a way back and a branch; the disk changes behind its first
// step. The hash of the branch at its end.
static unsigned long long live(disk what)
{
    mc_error error;
    mc_scenario *s = load();
    mc_run *run = platoon_run(s, 1);
    mc_timeline *line = mc_timeline_create(run, NULL, &error);
    assert_non_null(line);
    play(line, 1);
    change_disk(what);
    play(line, 9);
    edit(line, "{add: {model: truck, name: other, x: -40, v: 15, lane: 1, controller: follow}}");
    play(line, 10);
    edit(line, "{vehicle: escort, model: soft, set: truck.mass=4000}");
    play(line, 10);
    mc_scenario *next = mc_scenario_edit_at(mc_run_scenario(run), 1.5, "{remove: soft}", &error);
    assert_non_null(next);
    assert_int_equal(mc_timeline_adopt(line, next, &error), MC_OK);
    mc_scenario_free(next);
    play(line, 10);
    assert_int_equal(mc_timeline_seek(line, 0.2, &error), MC_OK);
    assert_int_equal(mc_timeline_seek(line, 1.7, &error), MC_OK);
    mc_run *branch = mc_timeline_branch(line, &error);
    assert_non_null(branch);
    platoon_steps(branch, 20);
    const unsigned long long hash = mc_run_hash(branch);
    mc_run_destroy(branch);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return hash;
}

static void a_live_run_opens_nothing(void **state)
{
    (void)state;
    const unsigned long long hash = live(KEPT);
    assert_true(live(REMOVED) == hash);
    assert_true(live(SPOILED) == hash);
}

// A run is made of a scenario, not of the disk.
static void a_run_opens_nothing(void **state)
{
    (void)state;
    mc_scenario *s = load();
    mc_run *before = platoon_run(s, 1);
    change_disk(REMOVED);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(before, 40);
    platoon_steps(run, 40);
    assert_true(mc_run_hash(run) == mc_run_hash(before));
    mc_run_destroy(run);
    mc_run_destroy(before);
    mc_scenario_free(s);
}

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run_folder_remove(&folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_live_run_opens_nothing),
        cmocka_unit_test(a_run_opens_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
