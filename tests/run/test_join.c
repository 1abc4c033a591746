// test_join.c - platoon manoeuvres: membership follows, no car jumps, acceleration and jerk stay
// comfortable by every law, state is saved and carried, and what cannot be done is rejected with
// the reason.
#include "support/platoon.h"

#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static mc_run_vehicle_info info_of(const mc_run *run, const char *name)
{
    mc_run_vehicle_info info;
    mc_run_vehicle(run, mc_run_find(run, name), &info);
    return info;
}

static const double MAX_A = 2.0, MAX_JERK = 5.0; // m/s^2, m/s^3: comfortable

// Steps until a time; no car is hit or jumps, and none accelerates or brakes uncomfortably: jerk is
// that of each single step.
static void until(mc_run *run, double time)
{
    while (mc_run_time(run) < time - 1e-6) {
        double before[16], a_before[16];
        for (int v = 0; v < run->count; v++) {
            before[v] = run->motion[run->slot[v]].x;
            a_before[v] = run->motion[run->slot[v]].a;
        }
        platoon_steps(run, 1);
        for (int v = 0; v < run->count; v++) {
            const mc_motion *m = &run->motion[run->slot[v]];
            assert_true(fabs(m->x - before[v] - m->v * 0.02) < 0.01);
            assert_true(fabs(m->a) < MAX_A);
            assert_true(fabs(m->a - a_before[v]) < MAX_JERK * 0.02);
            assert_int_equal(run->rare[run->slot[v]].hits, 0);
        }
    }
}

static void is_at(const mc_run *run, const char *name, int platoon, int place)
{
    const mc_run_vehicle_info info = info_of(run, name);
    assert_int_equal(info.platoon, platoon);
    assert_int_equal(info.place, place);
    assert_int_equal(info.leader, platoon >= 0 && place == 0);
}

static void keeps_its_gap(const mc_run *run, const char *name)
{
    const mc_run_view view = platoon_view(run, name);
    print_message("%g s: %s has a gap of %.2f m\n", mc_run_time(run), name, view.gap);
    assert_true(fabs(view.gap - 23.0) < 0.5); // 3 m + 1 s at 20 m/s
}

static void all_manoeuvres(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("manoeuvres");
    mc_run *run = platoon_run(s, 1);
    until(run, 6.0);
    is_at(run, "behind", 0, 5);
    assert_string_equal(info_of(run, "behind").controller, "follow");
    until(run, 49.0);
    keeps_its_gap(run, "behind");
    until(run, 89.0); // beside has taken a place
    assert_int_equal(info_of(run, "beside").platoon, 0);
    assert_int_equal(platoon_view(run, "beside").lane, 0);
    keeps_its_gap(run, "beside");
    keeps_its_gap(run, "car4");
    keeps_its_gap(run, "behind");
    until(run, 129.0);
    is_at(run, "car3", 1, 0);
    assert_true(fabs(platoon_view(run, "car3").gap - 50.0) < 1.0);
    assert_int_equal(info_of(run, "behind").platoon, 1);
    until(run, 164.0);
    assert_int_equal(info_of(run, "car3").platoon, 0);
    assert_false(info_of(run, "car3").leader);
    keeps_its_gap(run, "car3");
    until(run, 199.0);
    is_at(run, "car2", -1, 0);
    assert_int_equal(platoon_view(run, "car2").lane, 1);
    keeps_its_gap(run, "car3");               // it has closed up
    for (int place = 0; place < 6; place++) { // numbers without a gap, each once
        int count = 0;
        for (int v = 0; v < run->count; v++)
            count += run->rare[v].platoon == 0 && run->rare[v].number == place;
        assert_int_equal(count, 1);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// The shipped scenario with another law in the platoon, or a car that joins at another speed.
static mc_scenario *changed(const char *follow, double speed)
{
    char text[2000];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 200, step: 0.02}\n"
             "road: {lanes: 2, lane_width: 3.6, speed: 32}\nmodels: {car: {kind: bicycle}}\n"
             "controllers:\n  follow: {law: %s}\n"
             "  cruise: {law: acc, headway: 1.2, distance: 4, speed: 20}\n"
             "  alone: {law: cruise, speed: %g}\n"
             "platoons:\n  - leader: {model: car, profile: 20}\n"
             "    cars: [{model: car, controller: follow, count: 4}]\n"
             "vehicles:\n"
             "  - {model: car, name: behind, lane: 1, x: -240, v: %g, controller: alone}\n"
             "  - {model: car, name: beside, lane: 2, x: -30, v: 20, controller: cruise}\n"
             "events:\n  - {at: 1, vehicle: behind, join: 1}\n"
             "  - {at: 50, vehicle: beside, join: 1}\n  - {at: 90, vehicle: car3, split: 50}\n"
             "  - {at: 130, vehicle: car3, merge: true}\n"
             "  - {at: 165, vehicle: car2, leave: 2}\n",
             follow, speed, speed);
    return platoon_scenario(text);
}

static void every_law_is_comfortable(void **unused)
{
    (void)unused;
    static const struct {
        const char *follow;
        double speed; // m/s, of the car that joins from behind
    } cases[] = {{"acc, headway: 1, distance: 3", 20},
                 {"acc, headway: 0.5, distance: 3", 20},
                 {"ploeg, headway: 0.6, distance: 3", 20},
                 {"path_cacc, headway: 0.6, distance: 3", 20},
                 {"consensus, headway: 0.8, distance: 3, listen: [front, leader]", 20},
                 {"flatbed, headway: 0, distance: 23", 20},
                 {"idm, headway: 1, distance: 3", 20},
                 {"platoon, headway: 1, distance: 3", 26},
                 {"platoon, headway: 0.6, distance: 3, k2: 3", 16}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_scenario *s = changed(cases[k].follow, cases[k].speed);
        mc_run *run = platoon_run(s, 1);
        platoon_steps(run, 50); // the car that joins from behind is on its way
        until(run, 129.0);
        assert_int_equal(info_of(run, "behind").platoon, 1);
        assert_int_equal(info_of(run, "beside").platoon, 0);
        assert_int_equal(platoon_view(run, "beside").lane, 0);
        until(run, 199.0);
        assert_int_equal(info_of(run, "behind").platoon, 0);
        assert_int_equal(info_of(run, "car2").platoon, -1);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
}

// A car that is sent elsewhere before it could join: the gap that was opened for it closes again.
static void place_closes(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("manoeuvres");
    mc_run *run = platoon_run(s, 1);
    mc_error error = {0};
    until(run, 53.0);
    const int opens = mc_run_find(run, "car2");
    assert_int_equal(run->rare[run->slot[opens]].shift.manoeuvre, RUN_OPENS);
    const mc_command stay = {.event = "lane", .vehicle = "beside", .value = 2};
    assert_int_equal(mc_run_command(run, &stay, &error), MC_OK);
    until(run, 89.0);
    assert_int_equal(run->rare[run->slot[opens]].shift.manoeuvre, RUN_NO_MANOEUVRE);
    keeps_its_gap(run, "car2");
    is_at(run, "beside", -1, 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// The same bits on threads and after a restore in the middle of a manoeuvre; an edit keeps it.
static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("manoeuvres");
    mc_run *run = platoon_run(s, 1), *other = platoon_run(s, 3);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    platoon_steps(run, 5000); // 100 s: the gap of car3 is opening
    assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
    platoon_steps(run, 2000);
    platoon_steps(other, 7000);
    assert_true(mc_run_hash(run) == mc_run_hash(other));
    assert_int_equal(mc_run_restore(other, &snapshot, &error), MC_OK);
    platoon_steps(other, 2000);
    assert_true(mc_run_hash(run) == mc_run_hash(other));
    assert_int_equal(mc_run_restore(other, &snapshot, &error), MC_OK);
    assert_int_equal(mc_run_edit(other, "{road: {distance: 1}}", &error), MC_OK);
    is_at(other, "car3", 1, 0);
    until(other, 129.0);
    assert_true(fabs(platoon_view(other, "car3").gap - 50.0) < 1.0);
    mc_snapshot_free(&snapshot);
    mc_run_destroy(run);
    mc_run_destroy(other);
    mc_scenario_free(s);
}

static void rejects(mc_run *run, const char *vehicle, const char *event, double value,
                    const char *why)
{
    mc_error error = {0};
    const mc_command c = {.event = event, .vehicle = vehicle, .value = value};
    assert_int_equal(mc_run_command(run, &c, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, why);
}

static void rejections(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("manoeuvres");
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 10);
    rejects(run, "behind", "join", 2, "behind cannot join platoon 2, which has no cars");
    rejects(run, "car1", "join", 1, "car1 is in platoon 1 already");
    rejects(run, "behind", "leave", 2, "behind is in no platoon with other cars");
    rejects(run, "car2", "leave", 1,
            "car2 cannot leave its platoon in lane 1: cars follow it; expected another lane");
    rejects(run, "car2", "leave", 3, "there is no lane 3; the road has 2");
    rejects(run, "leader", "split", NAN, "leader is not a follower in a platoon");
    rejects(run, "car2", "merge", NAN, "car2 is not the leader of a platoon");
    rejects(run, "leader", "merge", NAN, "leader has no platoon in front of it in its lane");
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_manoeuvres), cmocka_unit_test(every_law_is_comfortable),
        cmocka_unit_test(place_closes),   cmocka_unit_test(same_bits),
        cmocka_unit_test(rejections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
