// test_instant.c - a collision shorter than a step has instants of its own: in order of time, with
// the energy and momentum of its impacts; looking at them changes nothing.
#include "motorcade/observe.h"
#include "run/run.h"
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

// A deformable car runs into another one at rest; a pair of points does so in the next lane at the
// same time; one car drives alone. The record step is longer than the collision.
static const char crash[] =
    "motorcade: scenario\ntime: {end: 4, step: 0.05, record: 0.1}\n"
    "road: {lanes: 3, lane_width: 3.5}\ncontact: {restitution: 0.8, friction: 0.3}\n"
    "models: {soft: {kind: cosserat, file: medusa/model.dat, tyre: brush}, dot: {kind: point}}\n"
    "controllers: {none: {law: {acceleration: 0 m/s^2}}}\n"
    "vehicles: [{name: a, model: soft, controller: none, lane: 1, x: 0, v: 0},\n"
    "  {name: b, model: soft, controller: none, lane: 1, x: -9, v: 8},\n"
    "  {name: c, model: dot, controller: none, lane: 2, x: 0, v: 0},\n"
    "  {name: d, model: dot, controller: none, lane: 2, x: -9, v: 10},\n"
    "  {name: e, model: dot, controller: none, lane: 3, x: 0, v: 20}]\n";
enum { CARS = 5, STEPS = 30, ROWS_MAX = 400 };

static mc_run *make_run(bool instants, int threads, mc_scenario **s)
{
    mc_error error = {0};
    *s = platoon_scenario(crash);
    mc_run *run =
        mc_run_create(*s, &(mc_run_options){.threads = threads, .instants = instants}, &error);
    if (!run)
        fail_msg("%s", error.text);
    return run;
}

typedef struct row { // of the deformable pair
    double t;
    double x[CARS], v[2];
    double stretch;  // of director 1 of the car that is hit
    double momentum; // N s, along the road, less the impulse of the road
    double energy;   // J, with all that has left the two
    bool has[CARS];
} row;

static double account(const mc_energy *e)
{
    return e->kinetic + e->elastic + e->spring + e->gravity + e->damped + e->slipped + e->braked +
           e->dragged + e->crushed - e->driven;
}

static row read_row(const mc_run *run)
{
    row out = {0};
    for (int v = 0; v < CARS; v++) {
        double value[MC_FIELD_COUNT];
        mc_run_read_fields(run, v, value, NULL);
        out.x[v] = value[MC_FIELD_X];
        if (v >= 2)
            continue;
        mc_energy energy;
        double momentum[3], from_road[3];
        mc_pose pose;
        mc_run_energy(run, v, &energy);
        mc_run_momentum(run, v, momentum, from_road);
        mc_run_pose(run, v, &pose);
        out.v[v] = pose.velocity[0];
        out.energy += account(&energy);
        out.momentum += momentum[0] - from_road[0];
        if (v == 0)
            out.stretch = pose.directors[0];
    }
    return out;
}

// All instants of a run of STEPS steps.
static int read_instants(mc_run *run, row rows[ROWS_MAX])
{
    int n = 0;
    for (int k = 0; k < STEPS; k++) {
        platoon_steps(run, 1);
        const double end = mc_run_time(run), start = end - mc_run_step_size(run);
        double last = start;
        for (int i = 0; i < mc_run_instant_count(run); i++) {
            mc_run_instant_show(run, i);
            assert_true(n < ROWS_MAX);
            rows[n] = read_row(run);
            rows[n].t = mc_run_instant_time(run, i);
            for (int v = 0; v < CARS; v++)
                rows[n].has[v] = mc_run_instant_has(run, i, v);
            assert_true(rows[n].t >= last && rows[n].t <= end + 1e-9);
            last = rows[n++].t;
        }
        mc_run_instant_leave(run);
    }
    return n;
}

// Times of the first and the last fast impact between a and b.
static void contact_of(const mc_run *run, int a, int b, double *from, double *to)
{
    int count;
    const mc_impact *impacts = mc_run_impacts(run, &count);
    *from = HUGE_VAL, *to = -HUGE_VAL;
    for (int k = 0; k < count; k++)
        if (impacts[k].a == a && impacts[k].b == b && impacts[k].closing > 0.05) {
            *from = fmin(*from, impacts[k].time);
            *to = fmax(*to, impacts[k].time);
        }
}

static void a_short_collision_has_rows(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make_run(true, 1, &s);
    static row rows[ROWS_MAX];
    double from, to, low = HUGE_VAL, high = -HUGE_VAL;
    const int n = read_instants(run, rows);
    contact_of(run, 0, 1, &from, &to);
    assert_true(to > from && to - from < mc_run_step_size(run));
    int inside = 0, first = -1;
    for (int k = 0; k < n; k++)
        if (rows[k].has[0] && rows[k].t >= from - 1e-9 && rows[k].t <= to + 1e-9) {
            assert_true(rows[k].has[1] && !rows[k].has[4]);
            first = first < 0 ? k : first;
            low = fmin(low, rows[k].stretch), high = fmax(high, rows[k].stretch);
            inside++;
        }
    printf("%d instants, %d within the contact of %.1f ms, director 1 from %.4f to %.4f\n", n,
           inside, 1e3 * (to - from), low, high);
    assert_true(inside >= 8 && high - low > 1e-3);
    assert_true(fabs(rows[first].t - from) < 1e-9);                     // the first impact is there
    assert_true(first > 0 && rows[first].t - rows[first - 1].t < 1e-3); // and what was before it
    assert_true(fabs(rows[first - 1].v[0]) < 0.01 && rows[first].v[0] > 0.1);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Momentum is exchanged: that of the pair changes by the road alone. Energy goes by what impacts
// take, at their instants.
static void rows_have_the_balance_of_the_impacts(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make_run(true, 1, &s);
    static row rows[ROWS_MAX];
    const row start = read_row(run);
    const int n = read_instants(run, rows);
    int count, checked = 0;
    const mc_impact *impacts = mc_run_impacts(run, &count);
    for (int k = 0; k < n; k++) {
        double lost = 0.0;
        bool at_impact = false;
        for (int j = 0; j < count; j++)
            if (impacts[j].a == 0 && impacts[j].b == 1 && impacts[j].time <= rows[k].t) {
                lost += impacts[j].friction_loss + impacts[j].restitution_loss;
                at_impact = impacts[j].time == rows[k].t;
                if (at_impact && rows[k].has[0]) {
                    const double after =
                        account(&impacts[j].after[0]) + account(&impacts[j].after[1]);
                    assert_true(fabs(rows[k].energy - after) < 1e-9 * start.energy);
                    assert_true(fabs(rows[k].v[0] - impacts[j].velocity_after[0][0]) < 1e-12);
                    checked++;
                }
            }
        assert_true(fabs(rows[k].momentum - start.momentum) < 1e-6 * fabs(start.momentum));
        assert_true(fabs(rows[k].energy + lost - start.energy) < 2e-3 * start.energy);
    }
    assert_true(checked >= 3);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// The others are where they are at that time: one that drives alone, and a pair that collides in
// another lane, before and after its impact.
static void the_others_are_there_too(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make_run(true, 1, &s);
    static row rows[ROWS_MAX];
    double from, to;
    const int n = read_instants(run, rows);
    contact_of(run, 2, 3, &from, &to);
    assert_true(from < to + 1e-9 && n > 0);
    int before = 0, after = 0;
    for (int k = 0; k < n; k++) {
        assert_true(fabs(rows[k].x[4] - 20.0 * rows[k].t) < 1e-6);
        if (rows[k].t < from)
            assert_true(fabs(rows[k].x[3] - (10.0 * rows[k].t - 9.0)) < 1e-6);
        else // it has lost speed, the other one has it
            assert_true(rows[k].x[3] < 10.0 * rows[k].t - 9.0 + 1e-6 && rows[k].x[2] > -1e-9);
        before += !rows[k].has[2] && rows[k].t < from;
        after += !rows[k].has[2] && rows[k].t > from;
        assert_true(k == 0 || rows[k].x[2] >= rows[k - 1].x[2] - 1e-9);
    }
    assert_true(before + after > 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// Neither keeping nor showing them changes a bit, on any number of threads; a restored state has
// none, and the step after it has the same again.
static void looking_changes_nothing(void **unused)
{
    (void)unused;
    mc_scenario *s[3];
    mc_run *plain = make_run(false, 1, &s[0]), *run = make_run(true, 1, &s[1]);
    mc_run *threads = make_run(true, 8, &s[2]);
    mc_error error;
    int steps_with = 0;
    for (int k = 0; k < STEPS; k++) {
        mc_snapshot before = {0};
        assert_int_equal(mc_run_save(run, &before, &error), MC_OK);
        platoon_steps(plain, 1);
        platoon_steps(run, 1);
        platoon_steps(threads, 1);
        const unsigned long long hash = mc_run_hash(run);
        const int count = mc_run_instant_count(run);
        assert_int_equal(mc_run_instant_count(plain), 0);
        assert_int_equal(mc_run_instant_count(threads), count);
        row seen[2][ROWS_MAX];
        for (int i = 0; i < count; i++) {
            mc_run_instant_show(run, i);
            mc_run_instant_show(threads, i);
            seen[0][i] = read_row(run);
            const row other = read_row(threads);
            assert_memory_equal(&seen[0][i], &other, sizeof other);
        }
        mc_run_instant_leave(run);
        mc_run_instant_leave(threads);
        assert_true(mc_run_hash(run) == hash && mc_run_hash(plain) == hash);
        assert_true(mc_run_hash(threads) == hash);
        if (mc_run_restore(run, &before, &error) != MC_OK)
            fail_msg("%s", error.text);
        assert_int_equal(mc_run_instant_count(run), 0);
        platoon_steps(run, 1);
        assert_int_equal(mc_run_instant_count(run), count);
        for (int i = count - 1; i >= 0; i--) { // in any order
            mc_run_instant_show(run, i);
            seen[1][i] = read_row(run);
            assert_memory_equal(&seen[0][i], &seen[1][i], sizeof seen[0][i]);
        }
        mc_run_instant_leave(run);
        assert_true(mc_run_hash(run) == hash);
        steps_with += count > 0;
        mc_snapshot_free(&before);
    }
    assert_true(steps_with > 0);
    mc_run_destroy(plain);
    mc_run_destroy(run);
    mc_run_destroy(threads);
    for (int k = 0; k < 3; k++)
        mc_scenario_free(s[k]);
}

// Without a collision nothing is reserved; cars at rest against each other have no instants.
static void nothing_without_a_collision(void **unused)
{
    (void)unused;
    mc_scenario *s;
    mc_run *run = make_run(true, 1, &s);
    while (mc_run_time(run) < 0.2)
        platoon_steps(run, 1);
    int impacts;
    mc_run_impacts(run, &impacts);
    assert_true(impacts == 0 && !run->world->instants.list);
    while (mc_run_time(run) < 3.9)
        platoon_steps(run, 1);
    mc_run_impacts(run, &impacts);
    assert_true(impacts > 0 && run->world->instants.list);
    assert_int_equal(mc_run_instant_count(run), 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_collision_has_rows),
        cmocka_unit_test(rows_have_the_balance_of_the_impacts),
        cmocka_unit_test(the_others_are_there_too),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(nothing_without_a_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
