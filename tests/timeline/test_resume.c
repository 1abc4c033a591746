// test_resume.c - runs with events of all kinds, resumed in a fresh run: whatever was changed
// on the way is part of the state. Damaged snapshots are rejected and leave the run as it was.
#include "motorcade/run.h"
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

static const char *const head = "motorcade: scenario\n"
                                "seed: 5\n"
                                "time: {end: 60, step: 0.05}\n"
                                "road: {headway: 1, distance: 5}\n"
                                "models:\n"
                                "  town_car: {brake_delay: 0.1}\n"
                                "  fuelled: {powertrain: manifold}\n"
                                "  geared: {powertrain: gears}\n"
                                "  dot: {kind: point, lag: 0.3}\n"
                                "  soft: {kind: cosserat, file: medusa/model.dat, tyre: brush}\n"
                                "  hmmwv: {kind: multibody, mechanism: ../models/hmmwv.yaml, "
                                "length: 4.6, width: 2.2, height: 1.8}\n"
                                "controllers:\n"
                                "  follow: {law: acc, avoid: true, sensor: {delay: 0.1}}\n"
                                "  cacc: {law: ploeg, radio: {delay: 0.1, loss: 0.1}, fallback: "
                                "{law: acc}}\n"
                                "profiles: {slow: 12, lead: {table: [[0, 20], [1, 20], [5, 8]]}}\n"
                                "platoons:\n"
                                "  - leader: {model: town_car, profile: lead}\n"
                                "    cars:\n"
                                "      - {model: town_car, name: town, controller: follow}\n"
                                "      - {model: fuelled, name: fuelled, controller: cacc}\n"
                                "      - {model: geared, name: geared, controller: cacc}\n"
                                "      - {model: dot, name: point, controller: cacc}\n"
                                "%s";
static const char *const soft = "      - {model: soft, name: soft, controller: follow}\n";
static const char *const heavy = "      - {model: hmmwv, name: heavy, controller: follow}\n";

// Each alone at 1 s; the snapshot is taken at 2 s.
static const char *const events[] = {
    "",
    "vehicle: town, set: {mass: 2600}",
    "vehicle: fuelled, set: {mass: 2600}",
    "vehicle: point, set: {mass: 900}",
    "vehicle: point, set: {lag: 0.05}",
    "vehicle: geared, set: {final_drive: 4}",
    "vehicle: fuelled, set: {power_scale: 0.7}",
    "vehicle: town, set: {drag_2: 3}",
    "vehicle: soft, set: {mass: 1200}",
    "vehicle: heavy, set: {mass: 6000}",
    "vehicle: town, set: {max_acceleration: 0.02}",
    "vehicle: town, set: {k1: 0.9}",
    "vehicle: fuelled, set: {headway: 1.6}",
    "vehicle: soft, brake_lost: 0.3",
    "vehicle: town, brake_lost: 0.3",
    "vehicle: geared, throttle_stuck: 0.2",
    "vehicle: fuelled, sensor_bias: 1.5",
    "vehicle: fuelled, sensor_noise: 0.4",
    "vehicle: fuelled, radio_delay: 0.4",
    "vehicle: geared, radio_loss: 1",
    "vehicle: geared, push: 0.4",
    "vehicle: point, push: 0.4, shape: sine 0.3 Hz",
    "vehicle: town, push: 0.4, shape: noise for 2 s",
    "vehicle: fuelled, sensor_bias: 1.5, shape: sine 0.3 Hz for 3 s",
    "headway: 1.4",
    "distance: 8",
    "vehicle: leader, profile: slow",
    "vehicle: point, controller: follow",
    "vehicle: geared, drive: {throttle: 0.2}",
};
enum { EVENTS = sizeof events / sizeof events[0] };

static mc_scenario *make(const char *event)
{
    char text[4096];
    const char *more = strstr(event, "soft") ? soft : strstr(event, "heavy") ? heavy : "";
    int used = snprintf(text, sizeof text, head, more);
    if (event[0])
        snprintf(text + used, sizeof text - (size_t)used, "events: [{at: 1, %s}]\n", event);
    return platoon_scenario(text);
}

static void events_are_part_of_the_state(void **unused)
{
    (void)unused;
    mc_error error;
    unsigned long long plain = 0;
    for (int k = 0; k < EVENTS; k++) {
        mc_scenario *s = make(events[k]);
        mc_run *whole = platoon_run(s, 1), *other = platoon_run(s, 2);
        mc_snapshot at, early;
        platoon_steps(whole, 10);
        assert_int_equal(mc_run_save(whole, &early, &error), MC_OK);
        platoon_steps(whole, 30);
        assert_int_equal(mc_run_save(whole, &at, &error), MC_OK);
        platoon_steps(other, 7); // somewhere else
        assert_int_equal(mc_run_restore(other, &at, &error), MC_OK);
        assert_true(mc_run_hash(other) == mc_run_hash(whole));
        platoon_steps(whole, 60);
        platoon_steps(other, 60);
        if (mc_run_hash(other) != mc_run_hash(whole))
            fail_msg("not restored: %s", events[k]);
        plain = k == 0 ? mc_run_hash(whole) : plain;
        if (k > 0 && mc_run_hash(whole) == plain)
            fail_msg("without effect: %s", events[k]);
        // Back to before the event, and on again.
        assert_int_equal(mc_run_restore(whole, &early, &error), MC_OK);
        platoon_steps(whole, 90);
        if (mc_run_hash(other) != mc_run_hash(whole))
            fail_msg("not undone: %s", events[k]);
        mc_snapshot_free(&at);
        mc_snapshot_free(&early);
        mc_run_destroy(whole);
        mc_run_destroy(other);
        mc_scenario_free(s);
    }
}

// ---- damage ----

static unsigned long long seed = 17;

static unsigned long long random_bits(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return seed >> 16;
}

// A few words of the snapshot become wild ones: what a file made on purpose could hold.
static void damage(unsigned char *data, size_t size)
{
    static const uint32_t wild[] = {0,           1,           2,           0xffffffffu,
                                    0x7fffffffu, 0x80000000u, 0x7ff00000u, 0x7ff80000u,
                                    0x41000000u, 0xc0000000u};
    const int count = 1 + (int)(random_bits() % 3);
    for (int k = 0; k < count; k++) {
        const uint32_t word =
            random_bits() % 4 ? wild[random_bits() % 10] : (uint32_t)random_bits();
        const size_t place = 4 * (random_bits() % (size / 4 - 1));
        memcpy(data + place, &word, random_bits() % 2 ? sizeof word : 1);
    }
}

// A damaged snapshot is rejected, and the run is unchanged; or it is accepted, and can be run.
static void damaged_snapshots(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int steps, trials;
    } cases[] = {{"brake_loss", 1060, 1200}, {"cacc_loss", 300, 500}};
    mc_error error;
    for (int c = 0; c < 2; c++) {
        mc_scenario *s = platoon_shipped(cases[c].name);
        mc_run *run = platoon_run(s, 1);
        platoon_steps(run, cases[c].steps);
        const unsigned long long hash = mc_run_hash(run);
        mc_snapshot good, bad;
        assert_int_equal(mc_run_save(run, &good, &error), MC_OK);
        bad = (mc_snapshot){malloc(good.size), good.size};
        assert_non_null(bad.data);
        int rejected = 0;
        for (int k = 0; k < cases[c].trials; k++) {
            memcpy(bad.data, good.data, good.size);
            damage(bad.data, good.size);
            error = (mc_error){0};
            if (mc_run_restore(run, &bad, &error) != MC_OK) {
                rejected++;
                assert_true(error.text[0] && mc_run_hash(run) == hash);
            } else {
                for (int v = 0; v < mc_run_vehicle_count(run); v++) {
                    mc_run_view view;
                    mc_run_look(run, v, &view);
                }
                mc_run_step(run, &error); // may fail with a message
                assert_int_equal(mc_run_restore(run, &good, &error), MC_OK);
            }
        }
        printf("%s: %d of %d damaged snapshots rejected\n", cases[c].name, rejected,
               cases[c].trials);
        assert_true(rejected > 10);
        bad.size = good.size / 2;
        assert_int_equal(mc_run_restore(run, &bad, &error), MC_BAD_INPUT);
        assert_non_null(strstr(error.text, "the snapshot is damaged or belongs to"));
        assert_true(mc_run_hash(run) == hash);
        mc_snapshot_free(&good);
        mc_snapshot_free(&bad);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// ---- files ----

static const char named_text[] =
    "motorcade: scenario\n"
    "time: {end: 4, step: 0.05}\n"
    "road: {lanes: 3}\n"
    "models:\n"
    "  truck: {kind: multibody, mechanism: hmmwv.yaml, length: 4.6, width: 2.2, height: 1.8}\n"
    "  soft: {kind: cosserat, file: model.dat, tyre: brush}\n"
    "  escort: {car_file: cars.models}\n"
    "controllers: {follow: acc}\n"
    "vehicles:\n"
    "  - {model: truck, x: 0, v: 15, lane: 1, controller: follow}\n"
    "  - {model: soft, x: 0, v: 15, lane: 2, controller: follow}\n"
    "  - {model: escort, x: 0, v: 15, lane: 3, driver: pedals.csv}\n";

static mc_run *run_of(const char *path)
{
    mc_error error;
    mc_scenario *s = mc_scenario_load(path, &error);
    if (!s)
        fail_msg("%s: %s", error.file, error.text);
    mc_run *run = platoon_run(s, 1);
    mc_scenario_free(s);
    return run;
}

// Replaces the first `what` behind `mark`.
static void change(const run_folder *folder, const char *name, const char *mark, const char *what,
                   char with)
{
    char *all = run_get(folder, name, NULL), *at = strstr(all, mark);
    assert_non_null(at);
    at = strstr(at, what);
    assert_non_null(at);
    at[strlen(what) - 1] = with;
    run_put(folder, name, all);
    free(all);
}

// A checkpoint belongs to the files the scenario named when it was written.
static void a_changed_file_is_named(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *from, *mark, *what;
        char with;
    } files[] = {
        {"hmmwv.yaml", SOURCE_DIR "/models/hmmwv.yaml", "arm_fl:", "axis: x", 'z'},
        {"pedals.csv", NULL, "0.2", "0.2", '3'},
        {"model.dat", SOURCE_DIR "/scenarios/medusa/model.dat", "MASS", "1573", '4'},
        {"cars.models", SOURCE_DIR "/scenarios/dynavis/cars.models", "Escort", "253", '4'},
    };
    enum { FILES = sizeof files / sizeof files[0] };
    const run_folder folder = run_folder_make();
    char path[160], kept[160], file[160];
    mc_error error = {0};
    run_put(&folder, "s.yaml", named_text);
    run_put(&folder, "pedals.csv", "t,throttle,brake\n0,0.2,0\n1,0,0.4\n");
    for (int k = 0; k < FILES; k++)
        if (files[k].from)
            run_copy(&folder, files[k].name, files[k].from);
    snprintf(path, sizeof path, "%s/s.yaml", folder.path);
    snprintf(kept, sizeof kept, "%s/checkpoint", folder.path);
    mc_run *run = run_of(path);
    platoon_steps(run, 20);
    assert_int_equal(mc_run_write_checkpoint(run, kept, &error), MC_OK);
    for (int k = 0; k < FILES; k++) {
        char *before = run_get(&folder, files[k].name, NULL);
        change(&folder, files[k].name, files[k].mark, files[k].what, files[k].with);
        snprintf(file, sizeof file, "%s/%s", folder.path, files[k].name);
        mc_run *other = run_of(path);
        const unsigned long long hash = mc_run_hash(other);
        assert_int_equal(mc_run_read_checkpoint(other, kept, &error), MC_BAD_INPUT);
        assert_string_equal(error.file, kept);
        if (!strstr(error.text, file) || !strstr(error.text, "has changed since"))
            fail_msg("%s: %s", files[k].name, error.text);
        assert_true(mc_run_hash(other) == hash);
        mc_run_destroy(other);
        run_put(&folder, files[k].name, before);
        free(before);
    }
    mc_run *same = run_of(path);
    assert_int_equal(mc_run_read_checkpoint(same, kept, &error), MC_OK);
    assert_true(mc_run_hash(same) == mc_run_hash(run));
    mc_run_destroy(same);
    mc_run_destroy(run);
    run_folder_remove(&folder);
}

// ---- commands ----

static void commands_have_ranges(void **unused)
{
    (void)unused;
    static const struct {
        mc_command command;
        const char *text;
    } wrong[] = {
        {{.event = "radio_delay", .vehicle = "town", .value = 1e300},
         "radio_delay is 1e+300, expected 0 .. 10 s"},
        {{.event = "radio_loss", .vehicle = "town", .value = 3},
         "radio_loss is 3, expected 0 .. 1"},
        {{.event = "brake_lost", .vehicle = "town", .value = -1},
         "brake_lost is -1, expected 0 .. 1"},
        {{.event = "throttle_stuck", .vehicle = "town", .value = 2},
         "throttle_stuck is 2, expected 0 .. 1"},
        {{.event = "sensor_noise", .vehicle = "town", .value = -0.1},
         "sensor_noise is -0.1, expected 0 .. 10 m"},
        {{.event = "radio_delay", .vehicle = "town", .value = -0.5},
         "radio_delay is -0.5, expected 0 .. 10 s"},
        {{.event = "push", .vehicle = "town", .value = 21}, "push is 21, expected -20 .. 20 m/s^2"},
        {{.event = "push", .vehicle = "town", .value = 1, .param = "saw"},
         "shape is \"saw\"; expected step, sine F Hz (up to 100) or noise, optionally followed by "
         "for T s"},
        {{.event = "sensor_bias", .vehicle = "town", .value = 1, .param = "sine -1 Hz"},
         "shape is \"sine -1 Hz\"; expected step, sine F Hz (up to 100) or noise, optionally "
         "followed by for T s"},
        {{.event = "headway", .value = 61}, "headway is 61, expected 0 .. 60 s"},
        {{.event = "speed", .value = -5}, "speed is -5, expected 0 .. 150 m/s"},
        {{.event = "speed", .value = NAN}, "\"speed\" needs a number"},
        {{.event = "brake_lost", .vehicle = "town", .value = INFINITY},
         "\"brake_lost\" needs a number"},
    };
    mc_scenario *s = make("");
    mc_run *run = platoon_run(s, 1);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        assert_int_equal(mc_run_command(run, &wrong[k].command, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, wrong[k].text);
    }
    platoon_command(run, &(mc_command){.event = "brake_lost", .vehicle = "town", .value = NAN});
    platoon_command(run, &(mc_command){.event = "radio_delay", .vehicle = "town", .value = 0.1});
    platoon_steps(run, 2);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_part_of_the_state),
        cmocka_unit_test(damaged_snapshots),
        cmocka_unit_test(a_changed_file_is_named),
        cmocka_unit_test(commands_have_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
