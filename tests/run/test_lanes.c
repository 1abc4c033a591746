// test_lanes.c - cars that keep their lane and change it: every type under every steering law, the
// cars around them, turning back, messages, the same bits after a restore and on several threads.
#include "support/platoon.h"

#include "motorcade/timeline.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define near(a, b, error) assert_true(fabs((a) - (b)) <= (error))

static const char *const HMMWV =
    "{kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2}";

static mc_scenario *road_of_three(const char *model, const char *steering, const char *more)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 60, step: 0.02, record: 0.1}\n"
             "road: {lanes: 3, lane_width: 3.6, speed: 20}\n"
             "models: {car: %s}\n"
             "controllers: {follow: {law: acc, headway: 1.5, distance: 5, steering: %s}}\n"
             "vehicles: [{model: car, name: one, lane: 2, x: 0, v: 20, controller: follow}]\n"
             "%s",
             model, steering, more);
    return platoon_scenario(text);
}

// Every type goes to the next lane and stays there, smoothly.
static void every_type(void **unused)
{
    (void)unused;
    const char *const models[] = {"point", "powertrain", "{kind: cosserat, file: pileup/model.dat}",
                                  HMMWV,   "bicycle",    "planar"};
    static const char *const laws[] = {"preview", "stanley", "pure_pursuit", "lqr", "simple"};
    for (size_t m = 0; m < 6; m++)
        for (size_t l = 0; l < 5; l++) {
            mc_scenario *s =
                road_of_three(models[m], laws[l], "events: [{at: 1, vehicle: one, lane: 1}]\n");
            mc_run *run = platoon_run(s, 1);
            double over = -1e9, yaw = 0.0;
            for (int k = 0; k < 1000; k++) {
                platoon_steps(run, 1);
                const mc_run_view v = platoon_view(run, "one");
                over = fmax(over, v.motion.y);
                yaw = fmax(yaw, fabs(v.motion.v * v.motion.yaw_rate));
            }
            const mc_run_view v = platoon_view(run, "one");
            assert_int_equal(v.lane, 0);
            if (!(fabs(v.motion.y) < 0.03 && fabs(v.motion.psi) < 2e-3 && over < 0.35 && yaw < 1.6))
                fail_msg("%s, %s: y %g m, psi %g, overshoot %g m, %g m/s^2", models[m], laws[l],
                         v.motion.y, v.motion.psi, over, yaw);
            mc_run_destroy(run);
            mc_scenario_free(s);
        }
}

// A car that cuts in is followed at once, by the gap to its rear bumper; the one it leaves is not.
static void cut_in(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\ntime: {end: 60, step: 0.02, record: 0.1}\n"
        "road: {lanes: 2, lane_width: 3.6, speed: 25}\nmodels: {car: powertrain}\n"
        "controllers: {follow: {law: acc, headway: 1, distance: 5}}\n"
        "vehicles:\n"
        "  - {model: car, name: slow, lane: 2, x: 60, v: 20, controller: follow}\n"
        "  - {model: car, name: fast, lane: 1, x: 0, v: 25, controller: follow}\n"
        "  - {model: car, name: far, lane: 1, x: 400, v: 25, controller: follow}\n"
        "events: [{at: 0, vehicle: slow, set: {speed: 20}}, {at: 0.5, vehicle: slow, lane: 1}]\n");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 25);
    assert_int_equal(platoon_view(run, "fast").front, mc_run_find(run, "far"));
    platoon_steps(run, 1); // it sets out
    mc_run_view fast = platoon_view(run, "fast"), slow = platoon_view(run, "slow");
    assert_int_equal(slow.lane, 1);
    assert_int_equal(fast.front, mc_run_find(run, "slow"));
    assert_int_equal(slow.front, mc_run_find(run, "far"));
    near(fast.gap, slow.motion.x - fast.motion.x - 5.5626, 0.7); // the car's length
    platoon_steps(run, 1500);
    fast = platoon_view(run, "fast"), slow = platoon_view(run, "slow");
    assert_int_equal(slow.lane, 0);
    assert_int_equal(fast.front, mc_run_find(run, "slow"));
    near(fast.motion.v, 20.0, 0.1);
    near(fast.gap, 25.0, 0.5);
    assert_int_equal(fast.hits, 0);
    // It goes back: once it has arrived, neither follows the other.
    platoon_command(run, &(mc_command){.event = "lane", .vehicle = "slow", .value = 2});
    platoon_steps(run, 400);
    assert_int_equal(platoon_view(run, "fast").front, mc_run_find(run, "far"));
    assert_int_equal(platoon_view(run, "slow").front, -1);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// On its way it is sent back: no jump, and it arrives where it came from.
static void turn_back(void **unused)
{
    (void)unused;
    mc_scenario *s =
        road_of_three("powertrain", "lqr", "events: [{at: 1, vehicle: one, lane: 3}]\n");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 50 + 130);
    const double y = platoon_view(run, "one").motion.y;
    assert_true(y < -4.2 && y > -6.5);
    platoon_command(run, &(mc_command){.event = "lane", .vehicle = "one", .value = 2});
    double a_before = NAN, jerk = 0.0;
    for (int k = 0; k < 600; k++) {
        platoon_steps(run, 1);
        const mc_motion m = platoon_view(run, "one").motion;
        const double a = m.v * m.yaw_rate;
        jerk = isnan(a_before) ? 0.0 : fmax(jerk, fabs(a - a_before) / 0.02);
        a_before = a;
    }
    const mc_run_view v = platoon_view(run, "one");
    assert_int_equal(v.lane, 1);
    if (!(fabs(v.motion.y + 3.6) < 0.01))
        fail_msg("y is %g m", v.motion.y);
    assert_true(jerk < 4.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// ---- many cars ----

enum { CARS = 60, LANES_OF_ROAD = 4 };

static mc_scenario *crowd(void)
{
    static char text[20000];
    int at = snprintf(text, sizeof text,
                      "motorcade: scenario\nseed: 3\ntime: {end: 100, step: 0.05, record: 0.1}\n"
                      "road: {lanes: %d, lane_width: 3.5, speed: 25}\n"
                      "models: {car: powertrain, dot: point}\n"
                      "controllers: {a: {law: idm, headway: 1, distance: 4}, "
                      "b: {law: acc, headway: 1.2, distance: 4, steering: lqr}}\nvehicles:\n",
                      LANES_OF_ROAD);
    for (int k = 0; k < CARS; k++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  - {model: %s, name: c%d, lane: %d, x: %d, v: %d, controller: %s}\n",
                       k % 3 ? "car" : "dot", k, 1 + k % LANES_OF_ROAD,
                       -(k / LANES_OF_ROAD) * 45 + 7 * (k % LANES_OF_ROAD), 20 + k % 5,
                       k % 2 ? "a" : "b");
    return platoon_scenario(text);
}

// Commands to change lanes, from a sequence of their own.
static void send(mc_run *run, int step)
{
    unsigned seed = (unsigned)step * 2654435761u + 12345u;
    char name[16];
    seed = seed * 1664525u + 1013904223u;
    snprintf(name, sizeof name, "c%u", seed >> 8 & 0xffffu ? (seed >> 8) % CARS : 0);
    seed = seed * 1664525u + 1013904223u;
    mc_run_view v = platoon_view(run, name);
    const int lane = v.lane + (seed >> 16 & 1 ? 1 : -1);
    if (lane >= 0 && lane < LANES_OF_ROAD)
        platoon_command(run, &(mc_command){.event = "lane", .vehicle = name, .value = lane + 1});
}

static bool in_lane(const mc_run *r, int slot, int lane)
{
    const run_rare *rare = &r->rare[slot];
    return rare->lane == lane || rare->path.from == lane || rare->path.to == lane;
}

// The car in front is what a search over all cars finds.
static void check_fronts(const mc_run *r)
{
    for (int slot = 0; slot < r->count; slot++) {
        int best = -1;
        for (int lane = 0; lane < LANES_OF_ROAD; lane++) {
            int ahead = -1;
            for (int k = 0; k < r->count && in_lane(r, slot, lane); k++)
                if (k != slot && in_lane(r, k, lane) && r->motion[k].x > r->motion[slot].x &&
                    (ahead < 0 || r->motion[k].x < r->motion[ahead].x))
                    ahead = k;
            if (ahead >= 0 && (best < 0 || r->motion[ahead].x + r->car[ahead].tail <
                                               r->motion[best].x + r->car[best].tail))
                best = ahead;
        }
        assert_int_equal(r->car[slot].front, best);
    }
}

static unsigned long long hash_of(const mc_run *r)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = (const unsigned char *)r->motion;
    for (size_t k = 0; k < (size_t)r->count * sizeof *r->motion; k++)
        h = (h ^ p[k]) * 1099511628211ull;
    return h;
}

static void order_by_search(void **unused)
{
    (void)unused;
    mc_scenario *s = crowd();
    mc_run *run = platoon_run(s, 1);
    int changes = 0;
    for (int k = 0; k < 800; k++) {
        if (k % 4 == 0)
            send(run, k);
        platoon_steps(run, 1);
        check_fronts(run);
        for (int slot = 0; slot < run->count; slot++)
            changes += (run->car[slot].flags & RUN_CHANGES) != 0;
    }
    assert_true(changes > 2000); // car-steps on the way from lane to lane
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Saved in the middle of lane changes and restored in another run, and on three threads: same bits.
static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s = crowd();
    mc_run *run = platoon_run(s, 1), *other = platoon_run(s, 3);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    for (int k = 0; k < 400; k++) {
        if (k % 4 == 0)
            send(run, k), send(other, k);
        if (k == 173)
            assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
        platoon_steps(run, 1);
        platoon_steps(other, 1);
    }
    assert_true(hash_of(run) == hash_of(other));
    mc_run *again = platoon_run(s, 2);
    assert_int_equal(mc_run_restore(again, &snapshot, &error), MC_OK);
    for (int k = 173; k < 400; k++) {
        if (k % 4 == 0)
            send(again, k);
        platoon_steps(again, 1);
        check_fronts(again);
    }
    assert_true(hash_of(run) == hash_of(again));
    mc_snapshot_free(&snapshot);
    mc_run_destroy(run);
    mc_run_destroy(other);
    mc_run_destroy(again);
    mc_scenario_free(s);
}

// ---- words ----

static void wrong_words(void **unused)
{
    (void)unused;
    static const struct {
        const char *steering, *more, *text;
    } cases[] = {
        {"stanly", "", "unknown steering law \"stanly\"; did you mean stanley"},
        {"acc", "", "unknown steering law \"acc\""},
        {"{law: lqr, weight_ofset: 2}", "", "did you mean weight_offset"},
        {"{law: lqr, weight_steer: 0}", "", "weight_steer"},
        {"{law: {steer: offset}}", "", "the result has the unit m"},
        {"{law: {steer: \"gap/1 [m]\"}}", "", "gap"},
        {"{law: {acceleration: 1}}", "", "acceleration"},
        {"lqr", "events: [{at: 1, vehicle: one, lane: 4}]\n", "there is no lane 4; the road has 3"},
        {"lqr", "events: [{at: 1, vehicle: one, lane: 0}]\n", "lane"},
        {"lqr", "events: [{at: 1, vehicle: one, lane: 1.5}]\n", "lane"},
        {"lqr", "events: [{at: 1, lane: 2}]\n", "vehicle"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[1600];
        mc_error error = {0};
        snprintf(text, sizeof text,
                 "motorcade: scenario\ntime: {end: 60, step: 0.02, record: 0.1}\n"
                 "road: {lanes: 3}\nmodels: {car: point}\n"
                 "controllers: {follow: {law: acc, headway: 1.5, steering: %s}}\n"
                 "vehicles: [{model: car, name: one, lane: 2, x: 0, controller: follow}]\n%s",
                 cases[k].steering, cases[k].more);
        mc_scenario *s = mc_scenario_parse(text, strlen(text), "test.yaml", &error);
        assert_null(s);
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_true(error.line > 0);
        if (!strstr(error.text, cases[k].text))
            fail_msg("%s: \"%s\"", cases[k].steering, error.text);
    }
}

static void wrong_commands(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\nroad: {lanes: 2}\ntime: {end: 9, step: 0.05, record: 0.1}\n"
        "models: {car: point}\ncontrollers: {a: {law: acc, headway: 1}}\n"
        "vehicles: [{model: car, name: one, x: 0, controller: a}, {model: car, name: two, x: "
        "50}]\n");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    static const struct {
        mc_command command;
        const char *text;
    } cases[] = {
        {{.event = "lane", .vehicle = "one", .value = 3}, "there is no lane 3; the road has 2"},
        {{.event = "lane", .vehicle = "one", .value = 1.5}, "there is no lane 1.5"},
        {{.event = "lane", .vehicle = "one", .value = NAN}, "\"lane\" needs a number"},
        {{.event = "lane", .vehicle = "two", .value = 2}, "two has no controller"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_int_equal(mc_run_command(run, &cases[k].command, &error), MC_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[k].text));
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A user-defined law whose angle is not finite is named with its car.
static void no_number(void **unused)
{
    (void)unused;
    mc_scenario *s =
        road_of_three("point", "{law: {steer: \"sqrt((offset - 100 [m])/1 [m])\"}}", "");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    assert_int_equal(mc_run_step(run, &error), MC_FAILED);
    assert_non_null(strstr(error.text, "one: its steering law \"follow\" gives no finite angle"));
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),     cmocka_unit_test(cut_in),
        cmocka_unit_test(turn_back),      cmocka_unit_test(order_by_search),
        cmocka_unit_test(same_bits),      cmocka_unit_test(wrong_words),
        cmocka_unit_test(wrong_commands), cmocka_unit_test(no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
