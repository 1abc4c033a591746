// test_edit.c - a run that is edited while it runs: replay of its log, time travel over edits,
// history rewritten, what a page asks for.
#include "motorcade/observe.h"
#include "motorcade/timeline.h"
#include "run/run.h"
#include "support/platoon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] =
    "motorcade: scenario\n"
    "time: {end: 60, step: 0.05}\n"
    "road: {lanes: 2, headway: 1, distance: 5}\n"
    "models: {town: powertrain, heavy: {like: town, mass: 2500}, dot: point}\n"
    "controllers:\n"
    "  follow: {law: platoon}\n"
    "  radio: {law: ploeg, radio: {delay: 0.15, loss: 0.1}, fallback: {law: acc}}\n"
    "  other: {law: acc}\n"
    "platoons:\n"
    "  - leader: {model: town, profile: moderate}\n"
    "    x: 300\n"
    "    cars:\n"
    "      - {model: town, controller: follow, count: 3}\n"
    "      - {model: town, controller: radio, count: 2}\n"
    "events:\n"
    "  - {at: 9, until: 14, vehicle: car2, brake_lost: 0.3}\n";

#define OWN_LAW                                                                                    \
    "{\"controllers\": {\"mine\": {\"law\": {\"parameters\": {\"k\": \"0.6 [1/s]\", \"g\": "       \
    "\"0.2 [1/s^2]\"}, \"acceleration\": \"k*(v_front - v) + g*(gap - 30 [m])\"}}},\n"             \
    " \"vehicle\": [\"car1\", \"car3\"], \"controller\": \"mine\"}"

static const struct {
    int step;
    const char *edit;
} edits[] = {
    {100, "{add: {model: heavy, controller: other, lane: 2, x: 200, v: 20}}"},
    {160, "{grades: [{from: 400, to: 900, grade: 4 %}]}"},
    {200, "{step: 0.01}"},
    {200, "{remove: car2}"}, // twice at one instant
    {360, OWN_LAW},
    {500, "{vehicle: car4, model: dot}"},
    {600, "{add: {model: town, controller: radio, platoon: car5}}"},
    {700, "{step: 0.05, road: {headway: 1.2}}"},
};
enum { EDITS = sizeof edits / sizeof edits[0], STEPS = 900 };

static mc_run *start(const mc_scenario *s)
{
    mc_error error;
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    if (!run)
        fail_msg("%s", error.text);
    return run;
}

// What a user does between two steps.
static void act(mc_run *run, mc_timeline *line, int step)
{
    mc_error error;
    mc_status status = MC_OK;
    const mc_command set = {.event = "set", .vehicle = "car3", .param = "mass", .value = 1900.0};
    const mc_command all = {.event = "set", .vehicle = "@radio", .param = "kp", .value = 0.25};
    const mc_command *command = step == 160 ? &set : step == 420 ? &all : NULL;
    if (command)
        status = line ? mc_timeline_command(line, command, &error)
                      : mc_run_command(run, command, &error);
    for (int k = 0; k < EDITS && status == MC_OK; k++)
        if (edits[k].step == step)
            status = line ? mc_timeline_edit(line, edits[k].edit, &error)
                          : mc_run_edit(run, edits[k].edit, &error);
    if (status != MC_OK)
        fail_msg("at step %d: %s: %s", step, error.file, error.text);
}

static char *temporary(char path[40])
{
    strcpy(path, "/tmp/motorcade_edit_XXXXXX");
    close(mkstemp(path));
    return path;
}

static void replay_gives_the_same_bits(void **unused)
{
    (void)unused;
    mc_error error;
    char path[40], again[40];
    mc_scenario *s = platoon_scenario(text);
    mc_run *live = start(s);
    unsigned long long hash[STEPS + 1];
    for (int k = 0; k < STEPS; k++) {
        act(live, NULL, k);
        platoon_steps(live, 1);
        hash[k + 1] = mc_run_hash(live);
    }
    // 200 steps of 0.05 s, 500 of 0.01 s, 200 of 0.05 s.
    assert_true(fabs(mc_run_time(live) - 25.0) < 1e-9);
    assert_int_equal(mc_run_find(live, "car2"), -1);
    assert_true(mc_run_find(live, "car6") >= 0 && mc_run_find(live, "car7") >= 0);
    assert_int_equal(mc_run_log_count(live), EDITS + 2);
    assert_int_equal(mc_run_write_log(live, temporary(path), &error), MC_OK);
    mc_run *replayed = start(s);
    if (mc_run_follow_log(replayed, path, &error) != MC_OK)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    for (int k = 0; k < STEPS; k++) {
        if (mc_run_step(replayed, &error) != MC_OK)
            fail_msg("step %d: %s", k, error.text);
        if (mc_run_hash(replayed) != hash[k + 1])
            fail_msg("other bits after step %d", k);
    }
    // The log of the replayed run is the log.
    assert_int_equal(mc_run_write_log(replayed, temporary(again), &error), MC_OK);
    char compare[128];
    snprintf(compare, sizeof compare, "cmp %s %s", path, again);
    assert_int_equal(system(compare), 0);
    mc_log_entry entry;
    assert_int_equal(mc_run_log_at(replayed, 1, &entry), 1);
    assert_string_equal(entry.event, "set");
    assert_string_equal(entry.vehicle, "car3");
    assert_true(entry.time == 8.0 && entry.step == 160 && entry.value == 1900.0);
    assert_int_equal(mc_run_log_at(replayed, 5, &entry), 1);
    assert_string_equal(entry.event, "edit");
    assert_string_equal(entry.param, OWN_LAW);
    assert_true(fabs(entry.time - 11.6) < 1e-12);
    assert_int_equal(mc_run_log_at(replayed, EDITS + 2, &entry), 0);
    // The last version is a scenario file of its own.
    const char *shared = mc_scenario_text(mc_run_scenario(live));
    mc_scenario *other = mc_scenario_parse(shared, strlen(shared), "shared.yaml", &error);
    assert_non_null(other);
    mc_scenario_free(other);
    unlink(path);
    unlink(again);
    mc_run_destroy(live);
    mc_run_destroy(replayed);
    mc_scenario_free(s);
}

static void time_goes_back_over_edits(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = start(s);
    mc_scenario_free(s); // the run keeps what it needs
    mc_timeline *line = mc_timeline_create(run, &(mc_timeline_options){.every = 17}, &error);
    static unsigned long long hash[STEPS + 1];
    static double time[STEPS + 1];
    for (int k = 0; k < STEPS; k++) {
        act(run, line, k);
        hash[k] = mc_run_hash(run);
        time[k] = mc_run_time(run);
        assert_int_equal(mc_timeline_step(line, &error), MC_OK);
    }
    hash[STEPS] = mc_run_hash(run), time[STEPS] = mc_run_time(run);
    const double end = mc_timeline_end(line);
    assert_true(end == time[STEPS]);
    unsigned random = 1;
    for (int k = 0; k < 60; k++) {
        random = random * 1103515245u + 12345u;
        const int step = (int)(random >> 8) % (STEPS + 1);
        if (mc_timeline_seek(line, time[step], &error) != MC_OK)
            fail_msg("%s", error.text);
        assert_int_equal(mc_run_step_count(run), step);
        if (mc_run_hash(run) != hash[step])
            fail_msg("other bits at step %d, %g s", step, time[step]);
        if (k % 7 == 0 && step > 0) {
            assert_int_equal(mc_timeline_back(line, &error), MC_OK);
            assert_true(mc_run_hash(run) == hash[step - 1]);
        }
        assert_int_equal(mc_run_log_count(run), EDITS + 2); // nothing is lost by looking
    }
    assert_true(mc_timeline_end(line) == end);
    // A branch has the whole past: its log replays from the start.
    assert_int_equal(mc_timeline_seek(line, time[650], &error), MC_OK);
    mc_run *branch = mc_timeline_branch(line, &error);
    assert_non_null(branch);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    assert_true(mc_run_hash(branch) == hash[650]);
    platoon_steps(branch, 40);
    char path[40];
    assert_int_equal(mc_run_write_log(branch, temporary(path), &error), MC_OK);
    s = platoon_scenario(text);
    run = start(s);
    assert_int_equal(mc_run_follow_log(run, path, &error), MC_OK);
    platoon_steps(run, 690);
    assert_true(mc_run_hash(run) == mc_run_hash(branch));
    unlink(path);
    mc_run_destroy(run);
    mc_run_destroy(branch);
    mc_scenario_free(s);
}

// ---- history rewritten ----

typedef struct deed { // something done at a time: an edit, or a set
    double t;
    const char *edit;
    mc_command command;
} deed;

static void do_deed(mc_run *run, mc_timeline *line, const deed *d)
{
    mc_error error;
    const mc_command edit = {.event = "edit", .param = d->edit};
    const mc_command *c = d->edit ? &edit : &d->command;
    const mc_status status =
        line ? mc_timeline_command(line, c, &error) : mc_run_command(run, c, &error);
    if (status != MC_OK)
        fail_msg("at %g s: %s", d->t, error.text);
}

// Deeds in order of time, up to an end.
static void live_through(mc_run *run, mc_timeline *line, const deed *deeds, int count, double end)
{
    mc_error error;
    for (int k = 0; mc_run_time(run) < end - 1e-6;) {
        const double half = 0.5 * mc_scenario_info_of(mc_run_scenario(run))->step;
        for (; k < count && mc_run_time(run) > deeds[k].t - half; k++)
            do_deed(run, line, &deeds[k]);
        const mc_status status = line ? mc_timeline_step(line, &error) : mc_run_step(run, &error);
        if (status != MC_OK)
            fail_msg("%s", error.text);
    }
}

static unsigned long long hash_of(const mc_scenario *s, const deed *deeds, int count, double end)
{
    mc_run *run = start(s);
    live_through(run, NULL, deeds, count, end);
    const unsigned long long hash = mc_run_hash(run);
    mc_run_destroy(run);
    return hash;
}

// Versions of clang-format disagree about braces in macros.
// clang-format off
#define SET(who, what, number) {.event = "set", .vehicle = who, .param = what, .value = number}
// clang-format on

static void history_is_rewritten(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    const deed done[] = {
        {3.0, NULL, SET("car3", "mass", 1900.0)},
        {5.0, "{step: 0.01}", {0}},
        {6.0, NULL, SET("@follow", "headway", 1.5)},
        {8.0, "{add: {name: late, model: town, controller: other, lane: 2, x: 250, v: 20}}", {0}},
        {9.0, NULL, SET("late", "mass", 2000.0)},
        {10.0, "{step: 0.05}", {0}},
        {12.0, NULL, SET("late", "headway", 2.0)},
        {13.0, NULL, SET("car1", "mass", 1300.0)},
    };
    enum { DONE = sizeof done / sizeof done[0] };
    mc_run *run = start(s);
    mc_timeline *line = mc_timeline_create(run, NULL, &error);
    live_through(run, line, done, DONE, 16.0);
    const unsigned long long first = mc_run_hash(run);
    assert_true(first == hash_of(s, done, DONE, 16.0));

    // A command that was never given; the instant shown stays.
    deed other[DONE + 1];
    memcpy(other, done, sizeof done);
    assert_int_equal(mc_timeline_seek(line, 7.0, &error), MC_OK);
    assert_int_equal(mc_timeline_log_remove(line, 0, &error), MC_OK);
    assert_true(fabs(mc_run_time(run) - 7.0) < 1e-9);
    assert_true(fabs(mc_timeline_end(line) - 16.0) < 1e-9);
    assert_int_equal(mc_timeline_dropped(line), 0);
    assert_int_equal(mc_timeline_seek(line, 16.0, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash_of(s, other + 1, DONE - 1, 16.0));

    // A longer step: what comes later keeps its time. (Entry 0 is the step now.)
    assert_int_equal(mc_timeline_log_remove(line, 0, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash_of(s, other + 2, DONE - 2, 16.0));
    mc_log_entry entry;
    assert_int_equal(mc_run_log_at(run, 5, &entry), 1);
    assert_true(fabs(entry.time - 13.0) < 1e-9 && entry.step == 260);

    // Moved and changed.
    other[7].t = 4.0;
    const deed moved[] = {other[7], other[2], other[3], other[4], other[5], other[6]};
    assert_int_equal(mc_timeline_log_move(line, 5, 4.0, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash_of(s, moved, 6, 16.0));
    assert_int_equal(mc_run_log_at(run, 0, &entry), 1);
    assert_string_equal(entry.vehicle, "car1");
    assert_true(fabs(entry.time - 4.0) < 1e-9);
    deed changed[6];
    memcpy(changed, moved, sizeof moved);
    changed[0].command.value = 1450.0;
    assert_int_equal(mc_timeline_log_change(line, 0, &changed[0].command, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash_of(s, changed, 6, 16.0));
    changed[2].edit = "{add: {name: late, model: dot, controller: other, lane: 2, x: 100, v: 20}}";
    const mc_command edit = {.event = "edit", .param = changed[2].edit};
    assert_int_equal(mc_timeline_log_change(line, 2, &edit, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash_of(s, changed, 6, 16.0));

    // Without the car nothing can be set of it.
    assert_int_equal(mc_timeline_log_remove(line, 2, &error), MC_OK);
    assert_int_equal(mc_timeline_dropped(line), 2);
    assert_int_equal(mc_run_log_count(run), 3);
    const deed left[] = {changed[0], changed[1], changed[4]};
    assert_true(mc_run_hash(run) == hash_of(s, left, 3, 16.0));

    // A rejected change leaves everything as it was.
    const unsigned long long now = mc_run_hash(run);
    assert_int_equal(mc_timeline_log_remove(line, 3, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown entry 3 of the log; it has 3, numbered from 0");
    assert_int_equal(mc_timeline_log_move(line, 0, -1.0, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "an entry cannot be moved to -1 s: this history begins at 0 s");
    assert_int_equal(mc_timeline_log_move(line, 0, NAN, &error), MC_BAD_INPUT);
    const mc_command absent = SET("absent", "mass", 1.0);
    assert_int_equal(mc_timeline_log_change(line, 0, &absent, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown vehicle \"absent\"");
    const mc_command wrong = {.event = "edit", .param = "{remove: absent}"};
    assert_int_equal(mc_timeline_log_change(line, 0, &wrong, &error), MC_BAD_INPUT);
    assert_int_equal(mc_run_log_count(run), 3);
    assert_true(mc_run_hash(run) == now);
    assert_true(fabs(mc_timeline_end(line) - 16.0) < 1e-9);
    assert_int_equal(mc_timeline_seek(line, 2.0, &error), MC_OK);
    assert_int_equal(mc_timeline_edit(line, "{remove: absent}", &error), MC_BAD_INPUT);
    assert_int_equal(mc_timeline_command(line, &absent, &error), MC_BAD_INPUT);
    assert_int_equal(mc_run_log_count(run), 3);
    assert_int_equal(mc_timeline_seek(line, 16.0, &error), MC_OK);
    assert_true(mc_run_hash(run) == now);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- what is rejected and what is not lost ----

static void wrong_edits_change_nothing(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = start(s);
    platoon_steps(run, 50);
    const unsigned long long before = mc_run_hash(run);
    mc_run_view car2 = platoon_view(run, "car2");
    char onto[160];
    snprintf(onto, sizeof onto, "{add: {name: x, model: town, x: %.3f, v: 20}}",
             car2.motion.x + 2.0);
    assert_int_equal(mc_run_edit(run, onto, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "car2 and x would overlap"));
    assert_int_equal(mc_run_edit(run, "{remove: absent}", &error), MC_BAD_INPUT);
    assert_int_equal(mc_run_edit(run, "", &error), MC_BAD_INPUT);
    assert_int_equal(mc_run_edit(run, "{remove: [leader, car1, car2, car3, car4, car5]}", &error),
                     MC_BAD_INPUT);
    const mc_command all = {.event = "set", .vehicle = "@absent", .param = "k1", .value = 1.0};
    assert_int_equal(mc_run_command(run, &all, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown controller \"absent\"");
    const mc_command whole = {.event = "version", .param = text};
    assert_int_equal(mc_run_command(run, &whole, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "a whole version is not a command; use an edit");
    const mc_command drive = {.event = "drive", .vehicle = "@follow"};
    assert_int_equal(mc_run_command(run, &drive, &error), MC_BAD_INPUT);
    assert_string_equal(error.text,
                        "\"drive\" needs one vehicle; only set and controller accept \"@follow\"");
    assert_int_equal(mc_run_log_count(run), 0);
    assert_true(mc_run_hash(run) == before);
    platoon_steps(run, 1);
    // Where a car stood at the start there is room now.
    mc_run *fresh = start(s);
    assert_int_equal(mc_run_edit(fresh, "{add: {model: town, x: 300, v: 20}}", &error),
                     MC_BAD_INPUT);
    platoon_steps(fresh, 400);
    assert_int_equal(mc_run_edit(fresh, "{add: {model: town, x: 300, v: 0}}", &error), MC_OK);
    platoon_steps(fresh, 10);
    mc_run_destroy(fresh);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// What was set by commands outlives an edit that says nothing of it.
static void commands_outlive_edits(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = start(s);
    platoon_command(run, &(mc_command){.event = "controller", .vehicle = "car1", .param = "other"});
    platoon_command(run, &(mc_command)SET("car3", "headway", 2.5));
    platoon_command(run, &(mc_command)SET("car3", "mass", 1999.0));
    platoon_command(run, &(mc_command){.event = "sensor_bias", .vehicle = "car3", .value = 0.5});
    platoon_command(run, &(mc_command){.event = "speed", .value = 20.0});
    platoon_steps(run, 190); // 9.5 s: the brake of car2 is weak
    assert_int_equal(mc_run_edit(run, "{grades: [{from: 2000, to: 2100, grade: 2 %}]}", &error),
                     MC_OK);
    mc_run_vehicle_info info;
    mc_run_vehicle(run, mc_run_find(run, "car1"), &info);
    assert_string_equal(info.controller, "other");
    assert_string_equal(info.law, "acc");
    const int car3 = mc_run_find(run, "car3");
    assert_true(mc_run_mass(run, car3) == 1999.0);
    assert_true(run->car[run->slot[car3]].headway == 2.5);
    assert_true(run->rare[run->slot[car3]].fault.sensor[SENSOR_RANGE_BIAS] == 0.5);
    mc_run_road_info road_now;
    mc_run_road(run, &road_now);
    assert_true(road_now.speed == 20.0 && road_now.speed_commanded);
    const int slot = run->slot[mc_run_find(run, "car2")];
    assert_true(run->rare[slot].fault.brake_left == 0.3);
    platoon_steps(run, 100); // 14.5 s: it works again
    assert_true(run->rare[run->slot[mc_run_find(run, "car2")]].fault.brake_left == 1.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// An edit that changes nothing of importance leaves the bits of what follows, radio and all.
static void harmless_edits_leave_no_trace(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = start(s), *plain = start(s);
    platoon_steps(run, 100);
    platoon_steps(plain, 100);
    assert_int_equal(mc_run_edit(run, "{end: 70}", &error), MC_OK);
    for (int k = 0; k < 200; k++) {
        platoon_steps(run, 1);
        platoon_steps(plain, 1);
        if (mc_run_hash(run) != mc_run_hash(plain))
            fail_msg("other bits %d steps after the edit", k + 1);
    }
    mc_run_destroy(run);
    mc_run_destroy(plain);
    mc_scenario_free(s);
}

// Half the step is the same motion, but for the error of the step.
static void time_resumes_with_another_step(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = start(s), *plain = start(s);
    platoon_steps(run, 100);
    assert_int_equal(mc_run_edit(run, "{step: 0.025}", &error), MC_OK);
    platoon_steps(run, 200);
    platoon_steps(plain, 200);
    assert_true(mc_run_time(run) == 10.0 && mc_run_time(plain) == 10.0);
    assert_true(fabs(mc_world_time(run->world) - 10.0) < 1e-9);
    for (int v = 0; v < 6; v++) {
        mc_run_view a, b;
        mc_run_look(run, v, &a);
        mc_run_look(plain, v, &b);
        assert_true(fabs(a.motion.x - b.motion.x) < 0.05 && fabs(a.motion.v - b.motion.v) < 0.05);
        assert_true(fabs(a.jerk - b.jerk) < 0.5);
    }
    mc_run_destroy(run);
    mc_run_destroy(plain);
    mc_scenario_free(s);
}

static void cars_of_a_file_join_later(void **unused)
{
    (void)unused;
    mc_error error;
    char longer[2048];
    snprintf(
        longer, sizeof longer, "%s%s", text,
        "vehicles:\n"
        "  - {name: late, model: dot, x: 300, v: 15, lane: 1, from: 12.52, controller: other}\n");
    mc_scenario *s = platoon_scenario(longer);
    mc_run *run = start(s);
    mc_timeline *line = mc_timeline_create(run, NULL, &error);
    assert_int_equal(mc_run_vehicle_count(run), 6);
    assert_int_equal(mc_timeline_seek(line, 12.5, &error), MC_OK);
    assert_int_equal(mc_run_find(run, "late"), -1);
    platoon_steps(run, 0);
    assert_int_equal(mc_timeline_step(line, &error), MC_OK); // begins at 12.5 s
    assert_int_equal(mc_run_find(run, "late"), -1);
    assert_int_equal(mc_timeline_step(line, &error), MC_OK); // the first one after 12.52 s
    assert_int_equal(mc_run_find(run, "late"), 6);
    const mc_run_view late = platoon_view(run, "late");
    assert_true(late.motion.x > 300.5 && late.motion.x < 301.0);
    assert_int_equal(mc_timeline_seek(line, 20.0, &error), MC_OK);
    const unsigned long long hash = mc_run_hash(run);
    assert_int_equal(mc_timeline_seek(line, 3.0, &error), MC_OK);
    assert_int_equal(mc_run_vehicle_count(run), 6);
    assert_int_equal(mc_timeline_seek(line, 20.0, &error), MC_OK);
    assert_true(mc_run_hash(run) == hash);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static bool after_five(void *steps)
{
    return ++*(int *)steps % 5 == 0;
}

// A long way in pieces of five steps, while the live end advances between them.
static void a_long_way_goes_in_pieces(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario(text);
    mc_run *run = start(s);
    mc_timeline *line = mc_timeline_create(run, &(mc_timeline_options){.every = 1000}, &error);
    static unsigned long long hash[STEPS + 1];
    static double time[STEPS + 1];
    int live = 0;
    for (; live < 750; live++) {
        act(run, line, live);
        hash[live] = mc_run_hash(run), time[live] = mc_run_time(run);
        assert_int_equal(mc_timeline_step(line, &error), MC_OK);
    }
    mc_timeline_way way = {0};
    bool there = false;
    int steps = 0, pieces = 0;
    for (; !there; pieces++) { // to step 702, behind all edits
        mc_snapshot end;
        assert_int_equal(mc_run_save(run, &end, &error), MC_OK);
        const int before = steps;
        assert_int_equal(
            mc_timeline_seek_some(line, time[702], after_five, &steps, &way, &there, &error),
            MC_OK);
        assert_true(steps - before <= 5);
        if (there)
            assert_true(mc_run_hash(run) == hash[702]);
        assert_int_equal(mc_timeline_return(line, &end, &error), MC_OK);
        mc_snapshot_free(&end);
        if (pieces % 2 == 0) { // frames of other pages continue
            hash[live] = mc_run_hash(run), time[live] = mc_run_time(run);
            assert_int_equal(mc_timeline_step(line, &error), MC_OK);
            live++;
        }
    }
    assert_int_equal(steps, 702); // no step was done twice
    assert_int_equal(pieces, 141);
    // History is cut behind step 300: what was kept on the way to 500 is of no use any more.
    assert_int_equal(
        mc_timeline_seek_some(line, time[500], after_five, &steps, &way, &there, &error), MC_OK);
    for (int k = 0; k < 80; k++)
        assert_int_equal(
            mc_timeline_seek_some(line, time[500], after_five, &steps, &way, &there, &error),
            MC_OK);
    assert_false(there);
    assert_true(way.step > 400);
    assert_int_equal(mc_timeline_rewind(line, time[300], &error), MC_OK);
    assert_int_equal(mc_run_step_count(run), 300);
    assert_int_equal(mc_timeline_seek(line, time[300] + 3.0, &error), MC_OK);
    const unsigned long long other = mc_run_hash(run);
    assert_int_equal(mc_timeline_seek(line, 0.0, &error), MC_OK);
    for (there = false; !there;)
        assert_int_equal(
            mc_timeline_seek_some(line, time[300] + 3.0, after_five, &steps, &way, &there, &error),
            MC_OK);
    assert_true(mc_run_hash(run) == other);
    mc_timeline_way_free(&way);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- what random sessions in the studio have found ----

static mc_timeline *line_of(mc_run *run)
{
    mc_error error;
    mc_timeline *line = mc_timeline_create(run, NULL, &error);
    if (!line)
        fail_msg("%s", error.text);
    return line;
}

static void seek(mc_timeline *line, double t)
{
    mc_error error;
    if (mc_timeline_seek(line, t, &error) != MC_OK)
        fail_msg("%s", error.text);
}

// A branch that is made while the short step of braking cars is in use leaves it again, as the run
// it comes from.
static void a_branch_leaves_the_braking_step(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario("motorcade: scenario\n"
                                      "time: {end: 20, step: 0.02, braking_step: 0.01}\n"
                                      "models: {town: powertrain}\n"
                                      "profiles: {wave: {formula: 20 + 3*sin(2*t)}}\n"
                                      "estimators: {weigh: {method: mass}}\n"
                                      "controllers: {follow: {law: acc}}\n"
                                      "platoons:\n"
                                      "  - leader: {model: town, profile: wave}\n"
                                      "    cars: [{model: town, name: car, controller: follow,\n"
                                      "            estimator: weigh}]\n");
    mc_run *run = start(s);
    mc_timeline *line = line_of(run);
    int branches = 0;
    for (double t = 0.5; t < 10.0; t += 0.5) {
        seek(line, t);
        mc_run_clock clock;
        mc_run_clock_of(run, &clock);
        if (clock.size > 0.015)
            continue;
        mc_run *branch = mc_timeline_branch(line, &error);
        assert_non_null(branch);
        mc_timeline *other = line_of(branch);
        seek(line, 12.0);
        seek(other, 12.0);
        assert_true(mc_run_step_count(branch) == mc_run_step_count(run));
        assert_true(mc_run_hash(branch) == mc_run_hash(run));
        mc_timeline_destroy(other);
        mc_run_destroy(branch);
        branches++;
    }
    assert_true(branches >= 2);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// An edit that is rejected has not begun the step: the car of that instant has not joined, and
// commands for it are still to be carried out.
static void a_rejected_edit_begins_nothing(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s =
        platoon_scenario("motorcade: scenario\n"
                         "time: {end: 20, step: 0.05}\n"
                         "road: {lanes: 2}\n"
                         "models: {dot: point}\n"
                         "controllers: {follow: {law: acc}}\n"
                         "vehicles:\n"
                         "  - {model: dot, name: a, x: 100, v: 20, controller: follow}\n"
                         "  - {model: dot, name: late, x: 0, v: 20,\n"
                         "     controller: follow, from: 2}\n");
    mc_run *run = start(s);
    mc_timeline *line = line_of(run);
    seek(line, 2.0);
    const unsigned long long hash = mc_run_hash(run);
    const mc_command drive = {
        .event = "drive", .vehicle = "a", .inputs = {.acceleration = 1.5, .throttle = 0.3}};
    assert_int_equal(mc_timeline_command(line, &drive, &error), MC_OK);
    assert_int_equal(mc_timeline_edit(line, "{remove: absent}", &error), MC_BAD_INPUT);
    assert_int_equal(mc_run_vehicle_count(run), 1);
    assert_true(mc_run_hash(run) == hash);
    assert_int_equal(mc_run_log_count(run), 1);
    // The same run, in which nothing was rejected.
    mc_run *plain = start(s);
    mc_timeline *other = line_of(plain);
    seek(other, 2.0);
    assert_int_equal(mc_timeline_command(other, &drive, &error), MC_OK);
    seek(line, 6.0);
    seek(other, 6.0);
    assert_int_equal(mc_run_vehicle_count(run), 2);
    assert_true(mc_run_hash(run) == mc_run_hash(plain));
    mc_timeline_destroy(other);
    mc_run_destroy(plain);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A command that another one of its instant has made impossible is skipped, and named when an edit
// comes: the second attempt is carried out.
static void an_edit_names_a_command_that_does_not_fit(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario("motorcade: scenario\n"
                                      "time: {end: 20, step: 0.05}\n"
                                      "road: {lanes: 3, ersc: {level: 1, controller: follow}}\n"
                                      "models: {dot: point}\n"
                                      "controllers: {follow: {law: acc}}\n"
                                      "vehicles:\n"
                                      "  - {model: dot, name: a, lane: 2, x: 100, v: 20,\n"
                                      "     controller: follow}\n");
    mc_run *run = start(s);
    mc_timeline *line = line_of(run);
    seek(line, 1.0);
    const mc_command to[] = {{.event = "driver_lane", .vehicle = "a", .value = 2.0},
                             {.event = "lane", .vehicle = "a", .value = 1.0}};
    assert_int_equal(mc_timeline_command(line, &to[0], &error), MC_OK);
    assert_int_equal(mc_timeline_command(line, &to[1], &error), MC_OK);
    assert_int_equal(mc_timeline_edit(line, "{end: 30}", &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "a command given before for this instant is skipped"));
    assert_int_equal(mc_run_log_count(run), 1);
    assert_int_equal(mc_timeline_edit(line, "{end: 30}", &error), MC_OK);
    mc_timeline_destroy(line);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// An event of the scenario that the run cannot carry out is an error, unless commands have ruled it
// out: then it is skipped, so that they cannot stop the run.
static void commands_cannot_stop_a_run_by_its_events(void **unused)
{
    (void)unused;
    mc_error error;
    mc_scenario *s = platoon_scenario("motorcade: scenario\n"
                                      "time: {end: 20, step: 0.05}\n"
                                      "road: {lanes: 3, ersc: {level: 4, controller: follow}}\n"
                                      "models: {dot: point}\n"
                                      "controllers: {follow: {law: acc}}\n"
                                      "vehicles:\n"
                                      "  - {model: dot, name: a, lane: 3, x: 100, v: 20,\n"
                                      "     controller: follow}\n"
                                      "events:\n"
                                      "  - {at: 2, vehicle: a, driver_lane: 2}\n"
                                      "  - {at: 9, vehicle: a, lane: 3}\n");
    for (int k = 0; k < 2; k++) {
        mc_run *run = start(s);
        platoon_steps(run, 20);
        if (k == 1)
            assert_int_equal(
                mc_run_command(run, &(mc_command){.event = "ersc", .value = 1.0}, &error), MC_OK);
        platoon_steps(run, 200);
        const char *why;
        assert_int_equal(mc_run_skipped(run, &why), k);
        assert_true((strstr(why, "needs ERSC level 4") != NULL) == (k == 1));
        mc_happened h;
        int lanes = 0;
        for (int i = 0; mc_run_happened_at(run, i, &h); i++)
            lanes += h.kind == EVENT_LANE;
        assert_int_equal(lanes, 1 - k); // what was skipped has not happened
        mc_run_destroy(run);
    }
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_gives_the_same_bits),
        cmocka_unit_test(time_goes_back_over_edits),
        cmocka_unit_test(history_is_rewritten),
        cmocka_unit_test(wrong_edits_change_nothing),
        cmocka_unit_test(commands_outlive_edits),
        cmocka_unit_test(harmless_edits_leave_no_trace),
        cmocka_unit_test(time_resumes_with_another_step),
        cmocka_unit_test(cars_of_a_file_join_later),
        cmocka_unit_test(a_long_way_goes_in_pieces),
        cmocka_unit_test(a_branch_leaves_the_braking_step),
        cmocka_unit_test(a_rejected_edit_begins_nothing),
        cmocka_unit_test(an_edit_names_a_command_that_does_not_fit),
        cmocka_unit_test(commands_cannot_stop_a_run_by_its_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
