// test_pedals.c - pedals and responses of four cars at a time have the bits of one car at a time.
#include "base/cpu.h"
#include "control/cut_in.h"
#include "run/cut_in.h"
#include "run/pedals.h"
#include "run/sense.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CARS = 4, FRONTS = 4, TRIES = 20000 };

typedef struct level {
    run_ask *ask;
    run_act *act;
    run_cut_in_four *respond;
} level;

static const level levels[] = {{run_ask_plain, run_act_plain, run_cut_in_four_plain},
                               {run_ask_avx2, run_act_avx2, run_cut_in_four_avx2}};

static int level_count(void)
{
    return cpu_level_best() == CPU_AVX2 ? 2 : 1;
}

static double draw(double low, double high)
{
    static unsigned long long state = 20261118;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static bool chance(double share)
{
    return draw(0.0, 1.0) < share;
}

static run_car draw_car(void)
{
    const double desired = draw(-3.0, 2.0);
    return (run_car){.controller = 0,
                     .flags = (chance(0.2) ? RUN_CHANGES : 0) | (chance(0.5) ? RUN_HEARS_FRONT : 0),
                     .lane_y = 3.5,
                     .nose = draw(1.0, 3.0),
                     .tail = draw(-3.0, -1.0),
                     .reach = chance(0.9) ? 150.0 : 10.0,
                     .distance = draw(1.0, 5.0),
                     .min_a = draw(-8.0, -2.0),
                     .max_a = draw(1.0, 3.0),
                     .v_before = draw(0.0, 30.0),
                     .inner = {.mode = chance(0.5) ? INNER_BRAKE : INNER_THROTTLE,
                               .saturated = chance(0.3),
                               .trim = draw(-2.0, 2.0),
                               .desired = desired,
                               .slack = chance(0.05) ? 0.1 : 0.0}};
}

static mc_motion draw_motion(double x)
{
    const bool straight = chance(0.7);
    return (mc_motion){.x = x,
                       .y = straight ? 3.5 : 3.6,
                       .psi = straight ? -0.0 : 0.01,
                       .v = chance(0.1) ? draw(-0.03, 0.03) : draw(0.0, 35.0),
                       .v_y = chance(0.9) ? 0.0 : 0.1,
                       .a = draw(-9.0, 2.0)};
}

static void same(const void *a, const void *b, size_t size)
{
    assert_memory_equal(a, b, size);
}

// Four cars ask, plan and act; then each of them alone, from the same state.
static void one_try(const level *by, const double *p, int *together)
{
    run_car cars[CARS], alone[CARS];
    mc_motion motion[CARS];
    mc_inputs inputs[CARS], single[CARS];
    mc_plan plan[CARS];
    double want[CARS], asked[CARS];
    const double dt = 0.01, speed = chance(0.5) ? 20.0 : HUGE_VAL;
    for (int k = 0; k < CARS; k++) {
        cars[k] = alone[k] = draw_car();
        motion[k] = draw_motion(0.0);
        inputs[k] = single[k] = (mc_inputs){0.1, 0.2, 0.3, 0.4};
        plan[k] = (mc_plan){.throttle = fmin(fmax(draw(-0.2, 1.2), 0.0), 1.0),
                            .brake = fmin(fmax(draw(-0.2, 1.2), 0.0), 1.0),
                            .coast = draw(-1.0, 0.5)};
        want[k] = draw(-9.0, 4.0);
    }
    const run_pedals t = {p, cars, motion, inputs, CARS, dt, speed};
    by->ask(&t, want, asked);
    const int turns = by->act(&t, 0, asked, plan);
    for (int k = 0; k < CARS; k++) {
        run_car *c = &alone[k];
        const mc_motion *m = &motion[k];
        if (speed < HUGE_VAL)
            want[k] = fmin(want[k], RUN_SPEED_GAIN * (speed - m->v));
        const double one =
            inner_ask(p, &c->inner, want[k], (m->v - c->v_before) / dt, c->min_a, c->max_a, dt);
        same(&one, &asked[k], sizeof one);
        if (turns & RUN_NOT_DONE) {
            same(&c->inner, &cars[k].inner, sizeof c->inner);
            same(&inputs[k], &single[k], sizeof inputs[k]);
            continue;
        }
        inner_act(p, &c->inner, one, &plan[k], m->v, dt, &single[k]);
        single[k].acceleration = c->inner.desired;
        const bool straight = m->y == c->lane_y && m->psi == 0.0 && m->v_y == 0.0 &&
                              m->yaw_rate == 0.0 && !(c->flags & RUN_CHANGES);
        single[k].steer = straight ? 0.0 : 0.3;
        assert_int_equal(turns >> k & 1, !straight);
        same(&c->inner, &cars[k].inner, sizeof c->inner);
        same(&inputs[k], &single[k], sizeof inputs[k]);
    }
    *together += !(turns & RUN_NOT_DONE);
}

static void pedals(void **unused)
{
    (void)unused;
    double p[INNER_PARAM_COUNT];
    for (int k = 0; k < INNER_PARAM_COUNT; k++)
        p[k] = inner_params[k].fallback;
    for (int k = 0; k < level_count(); k++) {
        int together = 0;
        for (int n = 0; n < TRIES; n++) {
            p[INNER_JERK_MAX] = n % 2 ? 2.0 : 0.0;
            p[INNER_HYSTERESIS] = n % 3 ? 3.0 : 0.15;
            one_try(&levels[k], p, &together);
        }
        assert_true(together > TRIES / 20 && together < TRIES);
    }
}

// ---- responses ----

static void one_response(const level *by, mc_run *r, const scenario_controller *of, int *done)
{
    const int slots[CARS] = {0, 1, 2, 3};
    double desired[CARS], four[CARS];
    for (int k = 0; k < CARS; k++) {
        r->car[k] = draw_car();
        r->car[k].front = CARS + k;
        r->car[CARS + k] = draw_car();
        r->motion[k] = draw_motion(0.0);
        r->motion[CARS + k] = draw_motion(draw(0.0, 120.0));
        desired[k] = four[k] = draw(-9.0, 2.0);
    }
    const int content = by->respond(r, slots, four);
    if (content & RUN_CUT_IN_NOT_DONE)
        return;
    ++*done;
    for (int k = 0; k < CARS; k++) {
        const run_car *c = &r->car[k];
        const mc_motion *front = &r->motion[c->front];
        const cut_in now = {.law = desired[k],
                            .braking = of->lane_change[LANE_CHANGE_CUT_IN],
                            .safe = run_avoid(r, k),
                            .gap = front->x + r->car[c->front].tail - r->motion[k].x - c->nose,
                            .distance = c->distance,
                            .v = r->motion[k].v,
                            .v_front = front->v,
                            .a_front = front->a};
        bool satisfied;
        const double a = cut_in_acceleration(&now, &satisfied);
        same(&a, &four[k], sizeof a);
        assert_int_equal(content >> k & 1, satisfied);
    }
}

static void responses(void **unused)
{
    (void)unused;
    static scenario_controller of;
    static scenario s;
    static mc_run r;
    static run_car cars[CARS + FRONTS];
    static mc_motion motion[CARS + FRONTS];
    s.controllers = &of;
    s.step = 0.01;
    r.s = &s;
    r.car = cars;
    r.motion = motion;
    of.lane_change[LANE_CHANGE_CUT_IN] = 2.0;
    for (int k = 0; k < level_count(); k++) {
        int done = 0;
        for (int n = 0; n < TRIES; n++) {
            for (int i = 0; i < AVOID_PARAM_COUNT; i++)
                of.avoid_p[i] = avoid_params[i].fallback;
            of.avoid_p[AVOID_DELAY] = n % 4 ? 0.2 : 0.0;
            of.avoid_p[AVOID_FRONT_BRAKE] = n % 8 ? 8.0 : 2.5;
            one_response(&levels[k], &r, &of, &done);
        }
        assert_true(done > TRIES / 2 && done < TRIES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pedals), cmocka_unit_test(responses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
