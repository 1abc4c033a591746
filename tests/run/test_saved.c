// test_saved.c - a run as a scenario file with its log: what it says, what is rejected, and that it
// repeats the run. Random sessions are in studio/hub/test_saved.c.
#include "motorcade/record.h"
#include "support/platoon.h"
#include "support/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BODY                                                                                       \
    "motorcade: scenario\n"                                                                        \
    "# a comment that stays\n"                                                                     \
    "time: {end: 4, step: 0.05}\n"                                                                 \
    "models: {town: powertrain, spot: point} # and this one\n"                                     \
    "controllers: {follow: acc, other: {law: pipes}}\n"                                            \
    "platoons:\n"                                                                                  \
    "  - leader: {model: town, profile: heavy}\n"                                                  \
    "    cars: [{model: town, count: 2, controller: follow}]\n"
#define HEAD "step,event,vehicle,param,value,throttle,brake,steer,acceleration"

static mc_run *run_of(const char *text)
{
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = platoon_run(s, 1);
    mc_scenario_free(s);
    return run;
}

static char *export_of(const mc_run *run)
{
    mc_error error = {0};
    char *text = mc_run_export(run, true, &error);
    if (!text)
        fail_msg("%s", error.text);
    return text;
}

static void edit(mc_run *run, const char *text)
{
    mc_error error = {0};
    if (mc_run_edit(run, text, &error) != MC_OK)
        fail_msg("%s", error.text);
}

// Some of everything, over 60 steps.
static void live(mc_run *run)
{
    platoon_steps(run, 10);
    platoon_command(
        run,
        &(mc_command){.event = "set", .vehicle = "@follow", .param = "k1", .value = 0.1 + 0.2});
    platoon_steps(run, 10);
    edit(run, "{grades: [{from: 20, to: 90, grade: 0.03}]}");
    platoon_command(run, &(mc_command){.event = "headway", .value = 0.4});
    platoon_steps(run, 5);
    platoon_command(run, &(mc_command){.event = "drive",
                                       .vehicle = "leader",
                                       .inputs = {.throttle = 0.7, .steer = 0.01}});
    platoon_steps(run, 5);
    edit(run, "{add: {name: \"new\", model: spot, controller: other, platoon: car2}}");
    platoon_steps(run, 10);
    platoon_command(run, &(mc_command){.event = "release", .vehicle = "leader"});
    platoon_command(run,
                    &(mc_command){.event = "set", .vehicle = "new", .param = "lag", .value = 0.31});
    edit(run, "{controllers: {other: {law: {acceleration: \"(v_front - v)/(2 s)\"}}}}");
    platoon_steps(run, 10);
    edit(run, "{remove: car1}");
    platoon_command(
        run, &(mc_command){
                 .event = "push", .vehicle = "car2", .value = 0.5, .param = "sine 0.5 Hz for 1 s"});
    platoon_steps(run, 10);
}

// The file keeps its comments, has no log before there is one, and repeats the run at every step. A
// run of the file, saved again, is the same file.
static void a_saved_run_repeats(void **unused)
{
    (void)unused;
    mc_run *run = run_of(BODY);
    char *plain = export_of(run);
    assert_string_equal(plain, BODY);
    free(plain);
    live(run);
    char *text = export_of(run);
    static const char begin[] = BODY "log: |\n  " HEAD ",time\n";
    assert_memory_equal(text, begin, sizeof begin - 1);
    assert_non_null(strstr(text, "\n  10,set,@follow,k1,0.30000000000000004,0,0,0,0,0.5\n"));
    mc_run *again = run_of(text);
    platoon_steps(again, 60);
    assert_true(mc_run_hash(again) == mc_run_hash(run));
    char *second = export_of(again);
    assert_string_equal(second, text);
    mc_error error = {0};
    char *start = mc_run_export(again, false, &error);
    assert_string_equal(start, BODY);
    free(start), free(second), free(text);
    mc_run_destroy(again);
    mc_run_destroy(run);
}

// In braces there are no lines to put a section behind; long lines and tabs need quotes.
static void any_text_can_be_saved(void **unused)
{
    (void)unused;
    static const char flow[] =
        "{motorcade: scenario, time: {end: 4, step: 0.05}, models: {town: powertrain}, "
        "vehicles: [{model: town, name: car1, x: 0, v: 20}]}";
    static char law[50000];
    static const char *const texts[] = {flow, BODY "log: ''\n", BODY "log: |\n  " HEAD "\n# end\n"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        mc_run *run = run_of(texts[k]);
        // A line of 40 kB that becomes one of 80 kB in a log.
        static char quotes[20001];
        memset(quotes, '"', sizeof quotes - 1);
        snprintf(law, sizeof law,
                 "{controllers: {one: {law: pipes, doc: '%s'}, two: {law: pipes, doc: '%s%s'}}}",
                 quotes, quotes, k ? "" : " \n\n x");
        platoon_steps(run, 3);
        edit(run, law);
        platoon_steps(run, 3);
        char *text = export_of(run);
        mc_run *again = run_of(text);
        platoon_steps(again, 6);
        assert_true(mc_run_hash(again) == mc_run_hash(run));
        assert_int_equal(mc_run_log_count(again), 1);
        assert_true(k != 2 || strstr(text, "\n# end\nlog: "));
        free(text);
        mc_run_destroy(again);
        mc_run_destroy(run);
    }
}

// What a log may not say: the line of the file is named, when it is read or when it is carried out.
static void wrong_logs_name_their_line(void **unused)
{
    (void)unused;
    static const struct {
        const char *log, *message;
        int line, steps; // done before it fails
    } wrong[] = {
        {"log: 12\n", "not a log of commands: expected the first line step,event,vehicle,param,...",
         9, -1},
        {"log: |\n  " HEAD "\n  1,set,ghost,mass,2000,0,0,0,0\n", "unknown vehicle \"ghost\"", 11,
         -1},
        {"log: |\n  " HEAD ",time\n  1,set,car1,mass,2000,0,0,0,0\n",
         "expected ten values per line: " HEAD ",time", 11, -1},
        {"log: |\n  " HEAD "\n\n  1,edit,,{remove: car2},0,0,0,0,0\n  3,release,car2,,0,0,0,0,0\n",
         "unknown vehicle \"car2\"", 13, 3},
        {"log: |\n  " HEAD "\n  2,edit,,{remove: car9},0,0,0,0,0\n", "unknown vehicle \"car9\"", 11,
         2},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char text[2000];
        mc_error error = {0};
        snprintf(text, sizeof text, "%s%s", BODY, wrong[k].log);
        mc_scenario *s = platoon_scenario(text);
        mc_run *run = mc_run_create(s, NULL, &error);
        if (wrong[k].steps < 0) {
            assert_null(run);
        } else {
            assert_non_null(run);
            platoon_steps(run, wrong[k].steps);
            assert_int_equal(mc_run_step(run, &error), MC_BAD_INPUT);
        }
        if (!strstr(error.text, wrong[k].message))
            fail_msg("%s: %s", wrong[k].log, error.text);
        assert_int_equal(error.line, wrong[k].line);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// Commands that are right only at their time: below the roadway's headway of the start, to a car
// that joins, of a law that comes by an event.
static void logs_are_checked_when_they_are_due(void **unused)
{
    (void)unused;
    mc_run *run = run_of("motorcade: scenario\n"
                         "time: {end: 4, step: 0.05}\n"
                         "road: {headway: 1.5, distance: 5}\n"
                         "models: {town: powertrain}\n"
                         "controllers: {follow: acc, strong: {law: platoon}}\n"
                         "platoons:\n"
                         "  - leader: {model: town, profile: heavy}\n"
                         "    cars: [{model: town, count: 2, controller: follow}]\n"
                         "vehicles: [{name: late, model: town, x: 50, v: 20, from: 0.5}]\n"
                         "events: [{at: 0.2, vehicle: car2, controller: strong}]\n"
                         "log: |\n"
                         "  step,event,vehicle,param,value,throttle,brake,steer,acceleration,time\n"
                         "  2,headway,,,0.5,0,0,0,0,0.1\n"
                         "  4,set,car1,headway,0.7,0,0,0,0,0.2\n"
                         "  ,set,car2,k3,2.5,0,0,0,0,0.28\n"
                         "  12,set,late,mass,1500,0,0,0,0,0.6\n");
    mc_log_entry entry;
    assert_true(mc_run_log_at(run, 2, &entry) && entry.step < 0 && entry.time == 0.28);
    platoon_steps(run, 20);
    assert_true(mc_run_log_at(run, 2, &entry) && entry.step == 6);
    assert_true(fabs(mc_run_mass(run, mc_run_find(run, "late")) - 1500.0) < 1e-9);
    assert_int_equal(mc_run_log_count(run), 4);
    mc_run_destroy(run);
}

// Without a step an entry keeps its time, whatever becomes of the step.
static void times_count_where_no_step_is_given(void **unused)
{
    (void)unused;
    mc_error error;
    mc_run *run = run_of(BODY "log: |\n  " HEAD ",time\n"
                              "  10,edit,,{step: 0.01},0,0,0,0,0,0.5\n"
                              "  ,brake_lost,car1,,0.5,0,0,0,0,1\n"
                              "  70,brake_lost,car2,,0.5,0,0,0,0,1.1\n");
    const mc_log_entry later = {
        .event = "set", .vehicle = "car1", .param = "mass", .value = 2000, .time = 0.8, .step = -1};
    assert_int_equal(mc_run_schedule(run, &later, &error), MC_OK);
    platoon_steps(run, 80);
    static const char *const events[] = {"edit", "set", "brake_lost", "brake_lost"};
    static const double times[] = {0.5, 0.8, 1.0, 1.1};
    for (int k = 0; k < 4; k++) {
        mc_log_entry entry;
        assert_true(mc_run_log_at(run, k, &entry));
        assert_string_equal(entry.event, events[k]);
        assert_true(fabs(entry.time - times[k]) < 1e-9 && entry.step >= 10);
    }
    assert_int_equal(mc_run_schedule(run, &(mc_log_entry){.event = "speed", .value = 20}, &error),
                     MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "this run is at 1.2 s already"));
    mc_run_destroy(run);
}

// An end that was given when the scenario had ended is followed, and so is what came after it.
static void the_end_may_move(void **unused)
{
    (void)unused;
    mc_error error;
    mc_run *run = run_of(BODY);
    platoon_steps(run, 80); // the end
    edit(run, "{end: 5}");
    platoon_steps(run, 10);
    platoon_command(run, &(mc_command){.event = "brake_lost", .vehicle = "car2", .value = 0.3});
    platoon_steps(run, 10);
    edit(run, "{remove: car1}"); // of the last instant
    char *text = export_of(run);
    mc_run *again = run_of(text);
    mc_recording *rec = mc_recording_open(again, &(mc_record_output){0}, &error);
    assert_non_null(rec);
    assert_int_equal(mc_recording_play(rec, NULL, &error), MC_OK);
    assert_true(fabs(mc_run_time(again) - 5.0) < 1e-9);
    assert_true(mc_run_hash(again) == mc_run_hash(run));
    mc_recording_abandon(rec);
    free(text);
    mc_run_destroy(again);
    mc_run_destroy(run);
}

// ---- checkpoints ----

// Whatever was done before, a run of the same scenario is resumed from a file that knows it: with
// the log or without, and what happened is known.
static void checkpoints_hold_the_past(void **unused)
{
    (void)unused;
    mc_error error = {0};
    const run_folder folder = run_folder_make();
    char path[200], second[200];
    snprintf(path, sizeof path, "%s/checkpoint", folder.path);
    snprintf(second, sizeof second, "%s/second", folder.path);
    mc_run *run = run_of(BODY);
    live(run);
    edit(run, "{vehicle: car2, controller: other}");
    platoon_command(run, &(mc_command){.event = "speed", .value = 21});
    assert_int_equal(mc_run_write_checkpoint(run, path, &error), MC_OK);
    platoon_steps(run, 15);
    assert_int_equal(mc_run_write_checkpoint(run, second, &error), MC_OK);
    char *whole = run_get(&folder, "second", NULL);
    size_t size;
    free(run_get(&folder, "second", &size));
    mc_run *other = run_of(BODY);
    platoon_steps(other, 7); // somewhere else
    if (mc_run_read_checkpoint(other, path, &error) != MC_OK)
        fail_msg("%s", error.text);
    platoon_steps(other, 15);
    assert_true(mc_run_hash(other) == mc_run_hash(run));
    assert_int_equal(mc_run_happened_count(other), mc_run_happened_count(run));
    for (int k = 0; k < mc_run_happened_count(run); k++) {
        mc_happened a, b;
        assert_true(mc_run_happened_at(run, k, &a) && mc_run_happened_at(other, k, &b));
        assert_true(a.time == b.time && a.kind == b.kind);
        assert_string_equal(a.vehicle_name, b.vehicle_name);
    }
    char *one = export_of(run), *two = export_of(other);
    assert_string_equal(one, two);
    free(one), free(two);
    // The same bytes again, as if it had never been interrupted.
    assert_int_equal(mc_run_write_checkpoint(other, second, &error), MC_OK);
    size_t other_size;
    char *resumed = run_get(&folder, "second", &other_size);
    assert_int_equal(other_size, size);
    assert_memory_equal(resumed, whole, size);
    free(resumed), free(whole);
    // A run that got other commands is rejected and stays what it is.
    mc_run *third = run_of(BODY);
    platoon_command(third, &(mc_command){.event = "speed", .value = 25});
    platoon_steps(third, 3);
    const unsigned long long hash = mc_run_hash(third);
    assert_int_equal(mc_run_read_checkpoint(third, path, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "after other commands than those of the log"));
    assert_true(mc_run_hash(third) == hash);
    platoon_steps(third, 3);
    mc_run_destroy(third);
    mc_run_destroy(other);
    mc_run_destroy(run);
    run_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_run_repeats),
        cmocka_unit_test(any_text_can_be_saved),
        cmocka_unit_test(wrong_logs_name_their_line),
        cmocka_unit_test(logs_are_checked_when_they_are_due),
        cmocka_unit_test(times_count_where_no_step_is_given),
        cmocka_unit_test(the_end_may_move),
        cmocka_unit_test(checkpoints_hold_the_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
