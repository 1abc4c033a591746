// test_braking_bound.c - random cut-ins, merges and leaders that stop: what can be avoided is.
//
// Whether a case can be avoided is computed here and not by the program. The car in front, at v_f,
// brakes at b_f until it stands. The ego vehicle, at v, sees that after one control step and acts
// on it after another; its brake
// then acts after the delay d and with the lag tau, and takes hold with b, the lower of its brake
// limit and friction times g:
//
//   a(t) = -min(c + b (1 - exp(-(t - 2 step - d)/tau)), b)    from t = 2 step + d, before that -c
//
// until it stands; c is how it slows down with the throttle closed, 0 for a point car.
//
// The gap it needs is the largest distance by which it comes nearer. At 0.95 of that gap the same
// braking must hit: the bound is no larger than it has to be.
#include "support/platoon.h"
#include "support/series.h"

#include "run/run.h"
#include "run/steer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double G = 9.80665; // m/s^2
static const double STEP = 0.01; // s, of control

typedef enum event { CUT_IN, MERGE, LEADER_STOPS, EVENTS } event;

typedef struct encounter {
    event event;
    bool slips; // friction is what limits the braking, else the brake
    int law;
    double v, v_front, b, b_front; // m/s, m/s^2
    double delay, lag;             // s, of the brake
    double coast;                  // m/s^2, deceleration with closed throttle
    double needed, gap;            // m
} encounter;

static double random_in(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

// The gap below which the two touch, by their motion in small steps.
static double needed_gap(const encounter *e)
{
    const double fine = 1e-3, wait = 2.0 * STEP + e->delay;
    double own = e->v, front = e->v_front, nearer = 0.0, most = 0.0;
    for (double t = 0.0; own > 0.0; t += fine) {
        const double since = t + 0.5 * fine - wait;
        const double build = since > 0.0 ? e->b * (1.0 - exp(-since / e->lag)) : 0.0;
        const double a = t < 2.0 * STEP ? 0.0 : -fmin(e->coast + build, e->b);
        const double u = fmax(own + fine * a, 0.0), w = fmax(front - fine * e->b_front, 0.0);
        nearer += 0.5 * fine * (own + u - front - w);
        most = fmax(most, nearer);
        own = u, front = w;
    }
    return most;
}

// ---- a run of it ----

static mc_scenario *scenario_for(const encounter *e, double gap)
{
    static const char *const laws[] = {"acc, headway: 0.8", "idm, headway: 0.5", "pid"};
    char text[2400], own[300], surface[120] = "";
    if (e->slips) { // the brakes are stronger than the road
        snprintf(own, sizeof own,
                 "{kind: powertrain, length: 5, max_brake: 1.2, grip: 1, brake_delay: %.17g, "
                 "brake_rate: %.17g, drag_0: 0, drag_1: 0, drag_2: 0}",
                 e->delay, 1.0 / e->lag);
        snprintf(surface, sizeof surface, ", friction: [{from: -1e4, to: 1e4, mu: %.17g}]",
                 e->b / G);
    } else {
        snprintf(own, sizeof own, "{kind: point, length: 5, lag: %.17g, max_brake: %.17g}", e->lag,
                 e->b / G);
    }
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 60, step: %g, record: %g}\n"
             "road: {lanes: 2, lane_width: 3.6, speed: %.17g%s}\n"
             "models:\n  own: %s\n  other: {kind: point, length: 5, max_brake: %.17g}\n"
             "controllers:\n"
             "  follow: {law: %s, distance: 2, sensor: {reach: 1000}, avoid: {brake: %.17g, "
             "front_brake: %.17g, "
             "delay: %.17g}}\n"
             "  keep: {law: {acceleration: \"0\"}}\n  stop: {law: {acceleration: \"-100\"}}\n"
             "vehicles:\n"
             "  - {model: own, name: own, lane: 1, x: 0, v: %.17g, controller: follow}\n"
             "  - {model: other, name: other, lane: %d, x: %.17g, v: %.17g, controller: keep}\n",
             STEP, STEP, e->v, surface, own, e->b_front / G, laws[e->law], fmin(e->b, 20.0),
             fmin(e->b_front, 20.0), 2.0 * STEP + e->delay + e->lag, e->v,
             e->event == LEADER_STOPS ? 1 : 2, gap + 5.0, e->v_front);
    return platoon_scenario(text);
}

typedef struct outcome {
    bool hit, responds;       // to a cut-in
    double smallest, hardest; // m, m/s^2, before it
} outcome;

static void drive(mc_run *run, double brake)
{
    platoon_command(run,
                    &(mc_command){.event = "drive", .vehicle = "own", .inputs = {.brake = brake}});
}

// The deceleration of the ego vehicle with closed throttle, on a road of its own.
static double coast_of(const encounter *e)
{
    mc_scenario *s = scenario_for(e, 1000.0);
    mc_run *run = platoon_run(s, 1);
    enum { STEPS = 30 };
    drive(run, 0.0);
    platoon_steps(run, STEPS);
    const double slower = e->v - run->motion[run->slot[mc_run_find(run, "own")]].v;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return fmax(slower, 0.0) / (STEPS * STEP);
}

static encounter random_encounter(uint64_t *seed)
{
    encounter e = {.event = (event)random_in(seed, 0, EVENTS),
                   .slips = random_in(seed, 0, 1) < 0.5,
                   .law = (int)random_in(seed, 0, 3),
                   .v = random_in(seed, 12, 38)};
    e.b = e.slips ? G * random_in(seed, 0.25, 0.85) : random_in(seed, 4, 9);
    e.b_front = e.b * random_in(seed, 0.6, 1.15);
    e.v_front = e.event == MERGE ? e.v * random_in(seed, 0.5, 0.95) : e.v * random_in(seed, 0.9, 1);
    e.delay = e.slips ? random_in(seed, 0.05, 0.6) : 0.0;
    e.lag = random_in(seed, 0.1, 0.4);
    e.coast = e.slips ? coast_of(&e) : 0.0;
    e.needed = needed_gap(&e);
    if (e.needed < 5.0) // a step or two decide, not the braking
        return random_encounter(seed);
    e.gap = e.needed * random_in(seed, 0.7, 2.0);
    return e;
}

// full: the ego vehicle brakes as hard as it can instead of by its controller.
static outcome play(const encounter *e, double gap, bool full)
{
    mc_scenario *s = scenario_for(e, gap);
    mc_run *run = platoon_run(s, 1);
    const int own = run->slot[mc_run_find(run, "own")];
    const int other = run->slot[mc_run_find(run, "other")];
    outcome out = {.smallest = gap};
    if (e->event != LEADER_STOPS)
        assert_true(run_lane_change(run, other, 0)); // room or no room
    platoon_command(run, &(mc_command){.event = "controller", .vehicle = "other", .param = "stop"});
    for (int k = 0; k < 6000 && run->motion[own].v > 0.0; k++) {
        if (full && k <= 2) // it acts two steps later
            drive(run, k < 2 ? 0.0 : e->slips ? e->b / (1.2 * G) : 1.0);
        platoon_steps(run, 1);
        out.responds = out.responds || run->rare[own].responds;
        // Beside each other is a hit, too: the other car may still be on its way to the lane.
        const double left = run->motion[other].x - run->motion[own].x - 5.0;
        out.hit = left < 0.0 || run->rare[own].hits > 0;
        if (out.hit)
            break;
        out.smallest = fmin(out.smallest, left);
        if (run->motion[own].v > 1.0) // below it, resistance to rolling is most of it
            out.hardest = fmax(out.hardest, -run->motion[own].a);
    }
    mc_run_destroy(run);
    mc_scenario_free(s);
    return out;
}

static void what_can_be_avoided_is(void **unused)
{
    (void)unused;
    struct {
        uint64_t seed;
        double smallest, hardest;
        long avoidable, hits, missed, responses, events[EVENTS];
    } kept = {.seed = 20260715, .smallest = HUGE_VAL};
    series s = series_open("braking bound", 10000, &kept, sizeof kept);
    for (long i; series_next(&s, &i);) {
        const encounter e = random_encounter(&kept.seed);
        kept.events[e.event]++;
        if (e.gap < e.needed)
            continue;
        kept.avoidable++;
        const outcome driven = play(&e, e.gap, false), hard = play(&e, 0.95 * e.needed, true);
        if (driven.hit && kept.hits++ < 10)
            printf("case %ld: event %d slips %d law %d v %.2f v_f %.2f b %.2f b_f %.2f delay %.3f "
                   "lag %.3f needs %.2f m, has %.2f m: hits\n",
                   i, (int)e.event, e.slips, e.law, e.v, e.v_front, e.b, e.b_front, e.delay, e.lag,
                   e.needed, e.gap);
        if (!hard.hit && kept.missed++ < 10)
            printf(
                "case %ld: event %d slips %d v %.2f v_f %.2f b %.2f b_f %.2f delay %.3f lag %.3f "
                "needs %.2f m, stops %.2f m before at 0.95 of it\n",
                i, (int)e.event, e.slips, e.v, e.v_front, e.b, e.b_front, e.delay, e.lag, e.needed,
                hard.smallest);
        kept.responses += driven.responds;
        kept.smallest = fmin(kept.smallest, driven.smallest);
        kept.hardest = fmax(kept.hardest, driven.hardest / (e.b + e.coast));
    }
    printf("%ld encounters, %ld avoidable (cut-ins %ld, merges %ld, stops %ld): %ld hits; smallest "
           "gap %.3f m; braking at most %.3f of the limit; %ld missed at 0.95\n",
           s.count, kept.avoidable, kept.events[CUT_IN], kept.events[MERGE],
           kept.events[LEADER_STOPS], kept.hits, kept.smallest, kept.hardest, kept.missed);
    assert_true((double)kept.avoidable >= 0.6 * (double)s.count);
    assert_int_equal(kept.hits, 0);
    assert_int_equal(kept.missed, 0);
    assert_true(kept.responses > kept.avoidable / 2); // to cut-ins and merges
    assert_true(kept.hardest <= 1.001);
    for (int k = 0; k < EVENTS; k++)
        assert_true(kept.events[k] > s.count / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_can_be_avoided_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
