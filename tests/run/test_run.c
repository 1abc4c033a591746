// test_run.c - runs repeat to the bit: threads, checkpoints, time travel, branches, logs.
#include "motorcade/run.h"
#include "motorcade/timeline.h"
#include "run/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SCENARIOS SOURCE_DIR "/scenarios/"

static mc_scenario *load(const char *name)
{
    mc_error error;
    char path[512], text[640];
    snprintf(path, sizeof path, SCENARIOS "%s.yaml", name);
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        fail_msg("%s", mc_error_format(&error, text, sizeof text));
    return s;
}

static mc_run *start(const mc_scenario *s, int threads)
{
    mc_error error;
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = threads}, &error);
    if (!run)
        fail_msg("%s", error.text);
    return run;
}

static void steps(mc_run *run, int count)
{
    mc_error error;
    for (int k = 0; k < count; k++)
        if (mc_run_step(run, &error) != MC_OK)
            fail_msg("%s", error.text);
}

// Radio with delay and loss, a fallback, faults; and a crash with friction.
static const char *const names[] = {"cacc_loss", "brake_loss", "hill"};
enum { NAMES = sizeof names / sizeof names[0], STEPS = 1100 };

static void threads_do_not_matter(void **unused)
{
    (void)unused;
    for (int k = 0; k < NAMES; k++) {
        mc_scenario *s = load(names[k]);
        mc_run *one = start(s, 1), *three = start(s, 3);
        steps(one, STEPS);
        steps(three, STEPS);
        assert_true(mc_run_hash(one) == mc_run_hash(three));
        mc_run_destroy(one);
        mc_run_destroy(three);
        mc_scenario_free(s);
    }
}

// A run that is saved and resumed as another run arrives where the uninterrupted one does.
static void resumed_equals_uninterrupted(void **unused)
{
    (void)unused;
    mc_error error;
    for (int k = 0; k < NAMES; k++) {
        mc_scenario *s = load(names[k]);
        mc_run *whole = start(s, 1);
        mc_snapshot at[11];
        for (int j = 0; j < 11; j++) {
            assert_int_equal(mc_run_save(whole, &at[j], &error), MC_OK);
            steps(whole, 100);
        }
        for (int j = 0; j < 11; j += 2) {
            mc_run *other = start(s, 1);
            assert_int_equal(mc_run_restore(other, &at[j], &error), MC_OK);
            assert_int_equal(mc_run_step_count(other), 100 * j);
            steps(other, 100 * (11 - j));
            assert_true(mc_run_hash(other) == mc_run_hash(whole));
            mc_run_destroy(other);
        }
        for (int j = 0; j < 11; j++)
            mc_snapshot_free(&at[j]);
        mc_run_destroy(whole);
        mc_scenario_free(s);
    }
}

static void command(mc_run *run, const mc_command *c)
{
    mc_error error;
    if (mc_run_command(run, c, &error) != MC_OK)
        fail_msg("%s", error.text);
}

// Live commands are logged; a run that follows the log has the same bits.
static void log_is_replayed(void **unused)
{
    (void)unused;
    mc_error error;
    char path[] = "/tmp/motorcade_log_XXXXXX";
    close(mkstemp(path));
    mc_scenario *s = load("hill");
    mc_run *live = start(s, 1), *plain = start(s, 1);
    steps(live, 50);
    command(live, &(mc_command){.event = "set", .vehicle = "car2", .param = "mass", .value = 2500});
    command(live, &(mc_command){.event = "set", .vehicle = "car1", .param = "kp", .value = 0.9});
    steps(live, 30);
    command(live, &(mc_command){
                      .event = "drive", .vehicle = "car3", .value = NAN, .inputs = {.brake = 0.2}});
    steps(live, 20);
    command(live, &(mc_command){.event = "release", .vehicle = "car3", .value = NAN});
    command(live, &(mc_command){.event = "speed", .value = 25.0});
    command(live, &(mc_command){.event = "headway", .value = 1.4});
    steps(live, 200);
    steps(plain, 300);
    assert_true(mc_run_hash(live) != mc_run_hash(plain));
    assert_int_equal(mc_run_write_log(live, path, &error), MC_OK);
    mc_run *again = start(s, 2);
    if (mc_run_follow_log(again, path, &error) != MC_OK)
        fail_msg("%s", error.text);
    steps(again, 300);
    assert_true(mc_run_hash(again) == mc_run_hash(live));
    unlink(path);
    mc_run_destroy(live);
    mc_run_destroy(plain);
    mc_run_destroy(again);
    mc_scenario_free(s);
}

static void wrong_commands_are_rejected(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = load("hill");
    mc_run *run = start(s, 1);
    const struct {
        mc_command command;
        const char *text;
    } wrong[] = {
        {{.event = "brake_list", .vehicle = "car1"},
         "unknown event \"brake_list\", did you mean brake_lost"},
        {{.event = "set", .vehicle = "car9", .param = "mass", .value = 1},
         "unknown vehicle \"car9\""},
        {{.event = "set", .vehicle = "car1", .param = "mass", .value = NAN},
         "\"set\" needs a number"},
        {{.event = "controller", .vehicle = "car1", .param = "absent"},
         "unknown controller \"absent\""},
        {{.event = "drive", .vehicle = "car1", .inputs = {.throttle = 1.5}},
         "throttle 1.5 and brake 0 must be in 0 .. 1, steer 0 in -1 .. 1 rad"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        assert_int_equal(mc_run_command(run, &wrong[k].command, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, wrong[k].text);
    }
    const unsigned long long hash = mc_run_hash(run);
    const mc_command mess = {.event = "set", .vehicle = "car1", .param = "mess", .value = 1};
    assert_int_equal(mc_run_command(run, &mess, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "car1 has no parameter \"mess\" that can be set; expected "
                                       "one of: mass, "));
    // Rows that another type has: a car with an engine has no lag.
    const mc_command lag = {.event = "set", .vehicle = "car1", .param = "lag", .value = 5};
    assert_int_equal(mc_run_command(run, &lag, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "car1 has no parameter \"lag\" that can be set; expected"));
    mc_batch *batch;
    int index;
    mc_world_vehicle(run->world, mc_run_find(run, "car1"), &batch, &index);
    assert_false(batch->kind->set_param(batch, index, "lag", 5.0));
    assert_true(mc_run_hash(run) == hash);
    command(run,
            &(mc_command){.event = "set", .vehicle = "car1", .param = "headway", .value = 1.5});
    mc_run_forget_commands(run);
    assert_int_equal(mc_run_step(run, &error), MC_OK);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- time travel ----

static void any_instant_comes_back(void **unused)
{
    (void)unused;
    mc_error error;
    for (int k = 0; k < NAMES; k++) {
        mc_scenario *s = load(names[k]);
        mc_run *run = start(s, 1);
        mc_timeline *line = mc_timeline_create(run, &(mc_timeline_options){.every = 16}, &error);
        unsigned long long hash[401];
        const double dt = mc_scenario_info_of(s)->step;
        for (int j = 0; j <= 400; j++) {
            hash[j] = mc_run_hash(run);
            assert_int_equal(mc_timeline_step(line, &error), MC_OK);
        }
        const int visits[] = {0, 400, 399, 1, 250, 251, 16, 17, 15, 160, 3};
        for (size_t j = 0; j < sizeof visits / sizeof visits[0]; j++) {
            assert_int_equal(mc_timeline_seek(line, visits[j] * dt, &error), MC_OK);
            assert_int_equal(mc_run_step_count(run), visits[j]);
            assert_true(mc_run_hash(run) == hash[visits[j]]);
        }
        assert_int_equal(mc_timeline_back(line, &error), MC_OK);
        assert_true(mc_run_hash(run) == hash[2]);
        mc_timeline_destroy(line);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

static void memory_of_key_frames_is_bounded(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = load("hill");
    mc_run *run = start(s, 1);
    mc_snapshot one;
    assert_int_equal(mc_run_save(run, &one, &error), MC_OK);
    mc_timeline *line = mc_timeline_create(
        run, &(mc_timeline_options){.every = 2, .memory = 20 * one.size}, &error);
    assert_int_equal(mc_timeline_seek(line, 50.0, &error), MC_OK);
    const unsigned long long hash = mc_run_hash(run);
    assert_true(mc_timeline_memory(line) <= 20 * one.size);
    assert_true(mc_timeline_frame_count(line) > 5);
    assert_int_equal(mc_timeline_seek(line, 1.0, &error), MC_OK);
    assert_int_equal(mc_timeline_seek(line, 50.0, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash);
    mc_snapshot_free(&one);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A branch without change equals its parent; one with another gain does not.
static void branches_run_beside_each_other(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = load("cacc_loss");
    mc_run *run = start(s, 1);
    mc_timeline *line = mc_timeline_create(run, NULL, &error);
    assert_int_equal(mc_timeline_seek(line, 3.0, &error), MC_OK);
    assert_int_equal(
        mc_timeline_command(line, &(mc_command){.event = "speed", .value = 20.0}, &error), MC_OK);
    assert_int_equal(mc_timeline_seek(line, 10.0, &error), MC_OK);
    mc_run *same = mc_timeline_branch(line, &error);
    mc_run *other = mc_timeline_branch(line, &error);
    assert_true(same && other);
    assert_true(mc_run_hash(same) == mc_run_hash(run));
    command(other, &(mc_command){.event = "set", .vehicle = "car1", .param = "kp", .value = 0.5});
    for (int k = 0; k < 600; k++) { // on one clock
        assert_int_equal(mc_timeline_step(line, &error), MC_OK);
        steps(same, 1);
        steps(other, 1);
        assert_true(mc_run_time(run) == mc_run_time(same));
    }
    assert_true(mc_run_hash(same) == mc_run_hash(run));
    assert_true(mc_run_hash(other) != mc_run_hash(run));
    // Back, with a command: what came later is rewritten.
    assert_int_equal(mc_timeline_seek(line, 5.0, &error), MC_OK);
    assert_int_equal(
        mc_timeline_command(line, &(mc_command){.event = "speed", .value = 15.0}, &error), MC_OK);
    assert_int_equal(mc_timeline_seek(line, 10.0, &error), MC_OK);
    assert_true(mc_run_step_count(run) == 200);
    mc_run_destroy(same);
    mc_run_destroy(other);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- versions ----

// A parameter that a command sets goes back with the snapshot, whatever kind of car has it.
static void parameters_travel_too(void **unused)
{
    (void)unused;
    mc_error error;
    static const char *const cars[] = {"second_dot", "town", "first_soft", "first_hmmwv"};
    mc_scenario *s = load("mixed");
    mc_run *run = start(s, 1);
    mc_timeline *line = mc_timeline_create(run, &(mc_timeline_options){.every = 10}, &error);
    assert_int_equal(mc_timeline_seek(line, 0.5, &error), MC_OK);
    const unsigned long long before = mc_run_hash(run);
    for (int k = 0; k < 4; k++)
        command(run, &(mc_command){
                         .event = "set", .vehicle = cars[k], .param = "mass", .value = 2600.0});
    assert_int_equal(mc_timeline_seek(line, 2.0, &error), MC_OK);
    const unsigned long long heavy = mc_run_hash(run);
    assert_int_equal(mc_timeline_seek(line, 0.5, &error), MC_OK);
    assert_true(mc_run_hash(run) == before);
    assert_int_equal(mc_timeline_seek(line, 2.0, &error), MC_OK);
    assert_true(mc_run_hash(run) == heavy);
    assert_int_equal(mc_timeline_seek(line, 0.5, &error), MC_OK);
    mc_run_forget_commands(run);
    mc_run *plain = start(s, 1);
    steps(plain, (int)(2.0 / mc_scenario_info_of(s)->step + 0.5));
    while (mc_run_step_count(run) < mc_run_step_count(plain))
        steps(run, 1);
    assert_true(mc_run_hash(run) == mc_run_hash(plain));
    assert_true(mc_run_hash(run) != heavy);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_run_destroy(plain);
    mc_scenario_free(s);
}

static mc_scenario *parse_version(const char *cars)
{
    mc_error error;
    char path[] = "/tmp/motorcade_version_XXXXXX", text[1500];
    const int fd = mkstemp(path);
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 60, step: 0.05}\nroad: {headway: 1, distance: 5}\n"
             "models: {car: {kind: powertrain}, dot: {kind: point}}\n"
             "controllers: {follow: {law: pid}, other: {law: acc}}\n"
             "platoons:\n  - leader: {model: car, profile: moderate}\n    cars: [%s]\n",
             cars);
    assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        fail_msg("%d: %s", error.line, error.text);
    unlink(path);
    return s;
}

#define CAR(name, model, law) "{model: " model ", name: " name ", controller: " law "}"

// The same version again changes nothing; others add, remove and change cars, and time goes back
// over all of them.
static void versions_are_adopted(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *first = parse_version(CAR("a", "car", "follow") "," CAR("b", "car", "follow"));
    mc_scenario *same = parse_version(CAR("a", "car", "follow") "," CAR("b", "car", "follow"));
    mc_scenario *more = parse_version(
        CAR("a", "car", "follow") "," CAR("b", "car", "other") "," CAR("c", "car", "follow"));
    mc_scenario *other = parse_version(CAR("a", "dot", "follow") "," CAR("c", "car", "follow"));
    mc_run *run = start(first, 1), *plain = start(first, 1);
    mc_timeline *line = mc_timeline_create(run, &(mc_timeline_options){.every = 7}, &error);
    unsigned long long hash[401];
    for (int k = 0; k < 400; k++) {
        mc_status status = MC_OK;
        if (k == 100 || k == 200 || k == 300)
            status = mc_timeline_adopt(line, k == 100 ? same : k == 200 ? more : other, &error);
        if (status != MC_OK)
            fail_msg("%s", error.text);
        if (k == 200) { // the one that was there before is where it was
            mc_run_view now, then;
            mc_run_look(run, mc_run_find(run, "b"), &now);
            mc_run_look(plain, mc_run_find(plain, "b"), &then);
            assert_memory_equal(&now.motion, &then.motion, sizeof now.motion);
            assert_int_equal(mc_run_vehicle_count(run), 4);
        }
        hash[k] = mc_run_hash(run);
        assert_int_equal(mc_timeline_step(line, &error), MC_OK);
        if (k < 200) {
            steps(plain, 1);
            assert_true(mc_run_hash(run) == mc_run_hash(plain));
        }
    }
    assert_int_equal(mc_timeline_version(line), 3);
    assert_int_equal(mc_run_vehicle_count(run), 3);
    assert_int_equal(mc_run_find(run, "b"), -1);
    hash[400] = mc_run_hash(run);
    const int visits[] = {400, 250, 350, 150, 50, 399, 201, 99, 301, 0};
    for (size_t k = 0; k < sizeof visits / sizeof visits[0]; k++) {
        assert_int_equal(mc_timeline_seek(line, visits[k] * 0.05, &error), MC_OK);
        assert_true(mc_run_hash(run) == hash[visits[k]]);
    }
    assert_int_equal(mc_timeline_version(line), 0);
    // A run that adopts does not jump.
    mc_run_view before, after;
    mc_run_look(plain, 1, &before);
    assert_int_equal(mc_run_adopt(plain, other, &error), MC_OK);
    mc_run_look(plain, mc_run_find(plain, "a"), &after);
    assert_true(fabs(after.motion.x - before.motion.x) < 1e-12);
    assert_true(fabs(after.motion.v - before.motion.v) < 1e-12);
    steps(plain, 200);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_run_destroy(plain);
    mc_scenario_free(first);
    mc_scenario_free(same);
    mc_scenario_free(more);
    mc_scenario_free(other);
}

// ---- checkpoints ----

static void checkpoint_files(void **unused)
{
    (void)unused;
    mc_error error;
    char path[] = "/tmp/motorcade_state_XXXXXX";
    close(mkstemp(path));
    mc_scenario *s = load("hill"), *o = load("brake_loss");
    mc_run *run = start(s, 1), *again = start(s, 1), *other = start(o, 1);
    steps(run, 120);
    assert_int_equal(mc_run_write_checkpoint(run, path, &error), MC_OK);
    assert_int_equal(mc_run_read_checkpoint(again, path, &error), MC_OK);
    assert_true(mc_run_hash(again) == mc_run_hash(run));
    assert_int_equal(mc_run_read_checkpoint(other, path, &error), MC_BAD_INPUT);
    assert_string_equal(error.text,
                        "this file belongs to another scenario, or the scenario has changed since");
    assert_int_equal(truncate(path, 5000), 0);
    assert_int_equal(mc_run_read_checkpoint(again, path, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "this file is truncated or damaged");
    assert_int_equal(truncate(path, 10), 0);
    assert_int_equal(mc_run_read_checkpoint(again, path, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "this file is not a checkpoint of a run");
    unlink(path);
    assert_int_equal(mc_run_read_checkpoint(again, path, &error), MC_BAD_INPUT);
    mc_run_destroy(run);
    mc_run_destroy(again);
    mc_run_destroy(other);
    mc_scenario_free(s);
    mc_scenario_free(o);
}

// A controller's headway below the roadway's default holds; below a command it does not.
static void defaults_bind_nobody(void **unused)
{
    (void)unused;
    char path[] = "/tmp/motorcade_test_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const char *text = "motorcade: scenario\n"
                       "time: {end: 9}\n"
                       "models: {dot: point}\n"
                       "controllers: {follow: {law: acc, headway: 0.4, distance: 2}}\n"
                       "platoons:\n"
                       "  - leader: {model: dot, profile: 20}\n"
                       "    cars: [{model: dot, controller: follow}]\n";
    assert_int_equal(write(file, text, strlen(text)), (long)strlen(text));
    close(file);
    mc_error error;
    mc_scenario *s = mc_scenario_load(path, &error);
    assert_non_null(s);
    mc_run *run = start(s, 1);
    mc_run_view view;
    steps(run, 400);
    mc_run_look(run, 1, &view);
    assert_true(fabs(view.gap - (2.0 + 0.4 * 20.0)) < 1e-6 && fabs(view.error) < 1e-6);
    command(run, &(mc_command){.event = "headway", .value = 0.7});
    steps(run, 2000);
    mc_run_look(run, 1, &view);
    assert_true(fabs(view.gap - (2.0 + 0.7 * 20.0)) < 1e-3);
    mc_run_destroy(run);
    mc_scenario_free(s);
    unlink(path);
}

// A world that looks at its vehicles in every chunk and one that looks when it must: same bits, on
// a hill and through a crash.
static void seldom_looks_change_nothing(void **unused)
{
    (void)unused;
    for (int k = 0; k < NAMES; k++) {
        mc_scenario *s = load(names[k]);
        mc_run *seldom = start(s, 1), *always = start(s, 1);
        assert_true(seldom->world->looks_seldom);
        always->world->looks_seldom = false;
        int skipped = 0, seen, expected;
        for (int j = 0; j < STEPS; j++) {
            skipped += mc_world_time(seldom->world) + 0.01 < seldom->world->calm_until;
            steps(seldom, 1);
            steps(always, 1);
            assert_true(mc_run_hash(seldom) == mc_run_hash(always));
        }
        assert_true(skipped > STEPS / 20);
        mc_run_impacts(seldom, &seen);
        mc_run_impacts(always, &expected);
        assert_int_equal(seen, expected);
        assert_int_equal(seldom->world->pair_count, always->world->pair_count);
        mc_run_destroy(seldom);
        mc_run_destroy(always);
        mc_scenario_free(s);
    }
}

// A motion that is not finite ends the run in the step it appears in, with the name of the car.
static void lost_cars_are_named(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = load("hill");
    mc_run *run = start(s, 1);
    steps(run, 10);
    mc_batch *batch;
    int index;
    double state[WORLD_STATE_MAX];
    mc_world_vehicle(run->world, mc_run_find(run, "car2"), &batch, &index);
    batch->kind->save(batch, index, state);
    state[0] = NAN;
    batch->kind->restore(batch, index, state);
    assert_int_equal(mc_run_step(run, &error), MC_FAILED);
    assert_non_null(strstr(error.text, "car2: motion not finite"));
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(seldom_looks_change_nothing),
        cmocka_unit_test(lost_cars_are_named),
        cmocka_unit_test(resumed_equals_uninterrupted),
        cmocka_unit_test(log_is_replayed),
        cmocka_unit_test(wrong_commands_are_rejected),
        cmocka_unit_test(any_instant_comes_back),
        cmocka_unit_test(memory_of_key_frames_is_bounded),
        cmocka_unit_test(branches_run_beside_each_other),
        cmocka_unit_test(parameters_travel_too),
        cmocka_unit_test(versions_are_adopted),
        cmocka_unit_test(checkpoint_files),
        cmocka_unit_test(defaults_bind_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
