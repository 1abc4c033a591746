// test_traffic.c - cars that wait for room, make it, overtake: no collision, no jump, one gap for
// one car, the same bits on threads, after a restore and after an edit.
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
#include <string.h>

// A platoon with gaps too short to cut in, and a car beside it.
static mc_scenario *full_lane(const char *steps, const char *more)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 90, %s}\n"
             "road: {lanes: 2, lane_width: 3.6, speed: 28}\nmodels: {car: powertrain}\n"
             "controllers:\n"
             "  follow: {law: acc, headway: 0.4, distance: 4}\n"
             "  guest: {law: idm, headway: 0.8, distance: 3, speed: 25}\n"
             "platoons:\n"
             "  - {leader: {model: car, profile: 25}, cars: [{model: car, controller: follow, "
             "count: 8}]}\n"
             "vehicles: [{model: car, name: guest, lane: 2, x: -80, v: 25, controller: guest}]\n%s",
             steps, more);
    return platoon_scenario(text);
}

static int count_changing(const mc_run *r)
{
    int count = 0;
    for (int slot = 0; slot < r->count; slot++)
        count += (r->car[slot].flags & RUN_CHANGES) != 0;
    return count;
}

// It waits until the car behind has made room, then goes; none brakes hard for it.
static void it_waits_for_room(void **unused)
{
    (void)unused;
    mc_scenario *s =
        full_lane("step: 0.02, record: 0.1", "events: [{at: 2, vehicle: guest, lane: 1}]\n");
    mc_run *run = platoon_run(s, 1);
    int waited = 0;
    double hardest = 0.0, least = 1e9;
    for (int k = 0; k < 4000; k++) {
        platoon_steps(run, 1);
        const run_rare *guest = &run->rare[run->slot[mc_run_find(run, "guest")]];
        waited += guest->path.wait >= 0;
        for (int v = 0; v < run->count; v++) {
            mc_run_view view;
            mc_run_look(run, v, &view);
            assert_int_equal(view.hits, 0);
            hardest = fmax(hardest, -view.motion.a);
            least = isnan(view.gap) ? least : fmin(least, view.gap);
        }
    }
    const mc_run_view guest = platoon_view(run, "guest");
    assert_int_equal(guest.lane, 0);
    assert_true(fabs(guest.motion.y) < 0.02);
    assert_true(waited > 50);   // of 20 ms
    assert_true(hardest < 4.0); // m/s^2
    assert_true(least > 3.0);   // m
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// The car behind a gap that another cuts into opens it again without hard braking: 6.6 m/s^2 by its
// law alone.
static void it_responds_calmly(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("lane_change");
    mc_run *run = platoon_run(s, 1);
    double hardest = 0.0;
    int responding = 0;
    for (int k = 0; k < 4000; k++) {
        platoon_steps(run, 1);
        responding += run->responding;
        for (int v = 0; v < run->count; v++)
            hardest = fmax(hardest, -run->motion[v].a);
    }
    assert_true(hardest < 2.2 && hardest > 1.8);
    assert_true(responding > 100 && responding < 2500); // of 20 ms; it ends
    assert_int_equal(run->rare[run->slot[mc_run_find(run, "car3")]].cut_ins, 1);
    assert_int_equal(run->rare[run->slot[mc_run_find(run, "guest")]].cut_ins, 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A car cuts in so near that comfortable braking would not do, and brakes at once.
static void it_brakes_where_it_must(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\ntime: {end: 20, step: 0.02, record: 0.1}\n"
        "road: {lanes: 2, lane_width: 3.6, speed: 30}\nmodels: {car: powertrain}\n"
        "controllers:\n  a: {law: idm, headway: 0.5, distance: 2}\n"
        "  cutter: {law: idm, headway: 0.1, distance: 1, lane_change: {safe_braking: 12, "
        "reaction: 0}}\n"
        "vehicles:\n  - {model: car, name: guest, lane: 2, x: 14, v: 30, controller: cutter}\n"
        "  - {model: car, name: own, lane: 1, x: 0, v: 30, controller: a}\n"
        "events: [{at: 0.1, vehicle: guest, lane: 1}, {at: 0.5, vehicle: guest, drive: {brake: "
        "1}}]\n");
    mc_run *run = platoon_run(s, 1);
    double hardest = 0.0;
    for (int k = 0; k < 600; k++) {
        platoon_steps(run, 1);
        hardest = fmax(hardest, -platoon_view(run, "own").motion.a);
    }
    assert_int_equal(platoon_view(run, "own").hits, 0);
    assert_int_equal(platoon_view(run, "own").front, mc_run_find(run, "guest"));
    assert_true(hardest > 6.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Fast cars behind slow ones overtake them and come back, those that need not stay.
static mc_scenario *mixed(int cars)
{
    static char text[40000];
    int at =
        snprintf(text, sizeof text,
                 "motorcade: scenario\nseed: 7\ntime: {end: 300, step: 0.05, record: 0.1}\n"
                 "road: {lanes: 3, lane_width: 3.6, speed: 33}\nmodels: {car: powertrain}\n"
                 "controllers:\n"
                 "  fast: {law: idm, headway: 1.2, distance: 3, speed: 33, lane_change: {free: "
                 "true, keep_right: 0.3}}\n"
                 "  slow: {law: idm, headway: 1.5, distance: 3, speed: 25, lane_change: {free: "
                 "true, keep_right: 0.3}}\nvehicles:\n");
    for (int k = 0; k < cars; k++) {
        const bool fast = k * 7 % 13 < 6;
        at +=
            snprintf(text + at, sizeof text - (size_t)at,
                     "  - {model: car, name: c%d, lane: %d, x: %d, v: %d, controller: %s}\n", k,
                     1 + k % 3, -(k / 3) * 95 + k % 3 * 11, fast ? 29 : 25, fast ? "fast" : "slow");
    }
    return platoon_scenario(text);
}

static unsigned long long hash_of(const mc_run *r)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = (const unsigned char *)r->motion;
    for (size_t k = 0; k < (size_t)r->count * sizeof *r->motion; k++)
        h = (h ^ p[k]) * 1099511628211ull;
    return h;
}

static void they_overtake(void **unused)
{
    (void)unused;
    enum { CARS = 60 };
    mc_scenario *s = mixed(CARS);
    mc_run *run = platoon_run(s, 1);
    double hardest = 0.0, before[CARS];
    for (int v = 0; v < CARS; v++)
        before[v] = run->motion[run->slot[v]].y;
    for (int k = 0; k < 3000; k++) {
        platoon_steps(run, 1);
        for (int v = 0; v < CARS; v++) {
            const mc_motion *m = &run->motion[run->slot[v]];
            assert_int_equal(run->rare[run->slot[v]].hits, 0);
            assert_true(fabs(m->y - before[v]) < 0.1); // no car jumps
            before[v] = m->y;
            hardest = fmax(hardest, -m->a);
        }
    }
    int changes = 0;
    for (int slot = 0; slot < CARS; slot++)
        changes += run->rare[slot].changes;
    assert_true(changes > 20);
    assert_true(hardest < 4.5);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Two cars from both sides, one gap.
static void one_gap_for_one_car(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(
        "motorcade: scenario\ntime: {end: 90, step: 0.02, record: 0.1}\n"
        "road: {lanes: 3, lane_width: 3.6, speed: 25}\nmodels: {car: powertrain}\n"
        "controllers: {a: {law: idm, headway: 1, distance: 4}}\n"
        "vehicles:\n  - {model: car, name: left, lane: 1, x: 0, v: 25, controller: a}\n"
        "  - {model: car, name: right, lane: 3, x: 3, v: 25, controller: a}\n"
        "events: [{at: 1, vehicle: [left, right], lane: 2}]\n");
    mc_run *run = platoon_run(s, 1);
    int both = 0;
    for (int k = 0; k < 3000; k++) {
        platoon_steps(run, 1);
        both += count_changing(run) == 2 && fabs(platoon_view(run, "left").motion.x -
                                                 platoon_view(run, "right").motion.x) < 12.0;
    }
    const mc_run_view left = platoon_view(run, "left"), right = platoon_view(run, "right");
    assert_int_equal(both, 0);
    assert_int_equal(left.lane, 1);
    assert_int_equal(right.lane, 1);
    assert_int_equal(left.hits + right.hits, 0);
    assert_true(fabs(left.motion.x - right.motion.x) > 15.0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s = mixed(45);
    mc_run *run = platoon_run(s, 1), *other = platoon_run(s, 3);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    for (int k = 0; k < 1600; k++) {
        if (k == 777)
            assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
        platoon_steps(run, 1);
        platoon_steps(other, 1);
    }
    assert_true(hash_of(run) == hash_of(other));
    mc_run *again = platoon_run(s, 2);
    assert_int_equal(mc_run_restore(again, &snapshot, &error), MC_OK);
    platoon_steps(again, 1600 - 777);
    assert_true(hash_of(run) == hash_of(again));
    mc_snapshot_free(&snapshot);
    mc_run_destroy(run);
    mc_run_destroy(other);
    mc_run_destroy(again);
    mc_scenario_free(s);
}

// An edit in the middle of a change, and while a car waits: both continue.
static void edits_do_not_stop_it(void **unused)
{
    (void)unused;
    mc_scenario *s =
        full_lane("step: 0.02, record: 0.1", "events: [{at: 2, vehicle: guest, lane: 1}]\n");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    bool waiting = false, changing = false;
    double y = 0.0;
    for (int k = 0; k < 4000; k++) {
        const run_rare *guest = &run->rare[run->slot[mc_run_find(run, "guest")]];
        const bool waits = guest->path.wait >= 0 && k > 130, turns = guest->path.to >= 0;
        if ((waits && !waiting) ||
            (turns && !changing && guest->path.curve.start + 2.0 < mc_run_time(run))) {
            waiting = waiting || waits;
            changing = changing || turns;
            assert_int_equal(mc_run_edit(run, "{road: {speed: 29}}", &error), MC_OK);
        }
        y = platoon_view(run, "guest").motion.y;
        platoon_steps(run, 1);
        assert_true(fabs(platoon_view(run, "guest").motion.y - y) < 0.05);
    }
    assert_true(waiting && changing);
    assert_int_equal(platoon_view(run, "guest").lane, 0);
    assert_true(fabs(platoon_view(run, "guest").motion.y) < 0.02);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_waits_for_room),       cmocka_unit_test(they_overtake),
        cmocka_unit_test(one_gap_for_one_car),     cmocka_unit_test(same_bits),
        cmocka_unit_test(edits_do_not_stop_it),    cmocka_unit_test(it_responds_calmly),
        cmocka_unit_test(it_brakes_where_it_must),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
