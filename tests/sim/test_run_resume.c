// test_run_resume.c - runs with events of all kinds, resumed in a fresh run: whatever was changed
// on the way is part of the state. Damaged snapshots are refused and leave the run as it was.
#include "sim/run.h"
#include "support/platoon.h"

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
    "vehicle: town, set: {acceleration_most: 0.02}",
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

// A damaged snapshot is refused, and the run is what it was; or it is taken, and can be run.
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
        int refused = 0;
        for (int k = 0; k < cases[c].trials; k++) {
            memcpy(bad.data, good.data, good.size);
            damage(bad.data, good.size);
            error = (mc_error){0};
            if (mc_run_restore(run, &bad, &error) != MC_OK) {
                refused++;
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
        printf("%s: %d of %d damaged snapshots refused\n", cases[c].name, refused, cases[c].trials);
        assert_true(refused > 10);
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

// ---- commands ----

static void commands_have_ranges(void **unused)
{
    (void)unused;
    static const struct {
        mc_command command;
        const char *text;
    } wrong[] = {
        {{.event = "radio_delay", .vehicle = "town", .value = 1e300},
         "radio_delay is 1e+300, allowed is 0 .. 10 s"},
        {{.event = "radio_loss", .vehicle = "town", .value = 3},
         "radio_loss is 3, allowed is 0 .. 1 -"},
        {{.event = "brake_lost", .vehicle = "town", .value = -1},
         "brake_lost is -1, allowed is 0 .. 1 -"},
        {{.event = "throttle_stuck", .vehicle = "town", .value = 2},
         "throttle_stuck is 2, allowed is 0 .. 1 -"},
        {{.event = "sensor_noise", .vehicle = "town", .value = -0.1},
         "sensor_noise is -0.1, allowed is 0 .. 10 m"},
        {{.event = "radio_delay", .vehicle = "town", .value = -0.5},
         "radio_delay is -0.5, allowed is 0 .. 10 s"},
        {{.event = "push", .vehicle = "town", .value = 21},
         "push is 21, allowed is -20 .. 20 m/s^2"},
        {{.event = "push", .vehicle = "town", .value = 1, .param = "saw"},
         "shape is \"saw\"; allowed is step, sine F Hz (up to 100) or noise, and for T s behind "
         "it"},
        {{.event = "sensor_bias", .vehicle = "town", .value = 1, .param = "sine -1 Hz"},
         "shape is \"sine -1 Hz\"; allowed is step, sine F Hz (up to 100) or noise, and for T s "
         "behind "
         "it"},
        {{.event = "headway", .value = 61}, "headway is 61, allowed is 0 .. 60 s"},
        {{.event = "speed", .value = -5}, "speed is -5, allowed is 0 .. 150 m/s"},
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
        cmocka_unit_test(commands_have_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
