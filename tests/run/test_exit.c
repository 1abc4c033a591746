// test_exit.c - cars that leave at off-ramps: they get to their lane in time or say so, take the
// next ramp then, slow down for it; the same bits after a restore and from the log.
#include "support/platoon.h"

#include "motorcade/timeline.h"
#include "run/run.h"
#include "run/where.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const run_happened *find(const mc_run *r, int kind, const char *name)
{
    for (int k = 0; k < r->past.happened_count; k++)
        if (r->past.happened[k].kind == kind && strcmp(r->past.happened[k].name, name) == 0)
            return &r->past.happened[k];
    return NULL;
}

// Of all cars that left: by their own ramp, by another one after they said that they missed it, or
// at the end of the road.
static void they_take_their_ramps(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("off_ramp");
    mc_run *run = platoon_run(s, 1);
    int on_ramp = 0;
    for (int k = 0; k < 1500; k++) {
        platoon_steps(run, 1);
        for (int v = 0; v < run->count; v++) {
            assert_int_equal(run->rare[v].hits, 0);
            assert_true(run->motion[v].a > -6.0);
            if (run->where[v].path == 0)
                continue;
            on_ramp++;
            assert_true(run->motion[v].v < 22.0); // its design speed is 20
        }
    }
    assert_true(on_ramp > 500);
    const scenario *of = scenario_of(s);
    int own = 0, missed = 0, through = 0;
    for (int v = 0; v < of->vehicle_count; v++) {
        const scenario_vehicle *car = &of->vehicles[v];
        const run_happened *leaves = find(run, EVENT_LEAVES, car->name);
        const bool misses = find(run, EVENT_EXIT_MISSED, car->name);
        if (!leaves || strcmp(car->name, "right1") == 0)
            continue;
        if (misses)
            missed++;
        else if (car->exit < 0)
            through++;
        else
            own++;
        if (!misses)
            assert_int_equal((int)leaves->value, car->exit < 0 ? 0 : car->exit + 1);
    }
    printf("%d cars at their ramps, %d through, %d missed\n", own, through, missed);
    assert_true(own >= 8 && through >= 5);
    assert_true(missed <= 1 + own / 10); // the one that is late by design
    // It said so, and left at the next ramp.
    assert_non_null(find(run, EVENT_EXIT_MISSED, "late"));
    assert_int_equal((int)find(run, EVENT_LEAVES, "late")->value, 2);
    assert_int_equal((int)find(run, EVENT_LEAVES, "right1")->value, 2); // sent there by an event
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static unsigned long long hash_of(const mc_run *r)
{
    unsigned long long h = 14695981039346656037ull;
    const unsigned char *p = (const unsigned char *)r->motion;
    for (size_t k = 0; k < (size_t)r->count * sizeof *r->motion; k++)
        h = (h ^ p[k]) * 1099511628211ull;
    return h;
}

static void same_bits(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_shipped("off_ramp");
    mc_run *run = platoon_run(s, 1), *other = platoon_run(s, 3);
    mc_error error = {0};
    mc_snapshot snapshot = {0};
    platoon_command(run, &(mc_command){.event = "exit", .vehicle = "left1", .param = "none"});
    platoon_command(other, &(mc_command){.event = "exit", .vehicle = "left1", .param = "none"});
    platoon_steps(run, 321);
    assert_int_equal(mc_run_save(run, &snapshot, &error), MC_OK);
    platoon_steps(run, 400);
    platoon_steps(other, 721);
    assert_true(hash_of(run) == hash_of(other));
    assert_int_equal(mc_run_restore(run, &snapshot, &error), MC_OK);
    if (mc_run_edit(run, "{end: 151}", &error) != MC_OK) // carries exits over
        fail_msg("%s", error.text);
    platoon_steps(run, 400);
    assert_true(hash_of(run) == hash_of(other));
    mc_snapshot_free(&snapshot);
    mc_run_destroy(run);
    mc_run_destroy(other);
    mc_scenario_free(s);
}

static void says(const char *more, const char *message)
{
    char text[1200];
    mc_error error = {0};
    snprintf(
        text, sizeof text,
        "motorcade: scenario\ntime: {end: 60, step: 0.1, record: 1}\n"
        "road: {lanes: 2, line: [{straight: 900}], ramps: [{name: Main, kind: off, at: 700, "
        "line: [{arc: 150, radius: -200}]}, {name: In, kind: on, at: 100, length: 100, line: "
        "[{arc: 150, radius: -200}]}]}\nmodels: {car: point}\ncontrollers: {driver: idm}\n%s\n",
        more);
    scenario *s = scenario_parse(text, strlen(text), NULL, &error);
    assert_null(s);
    assert_string_equal(error.text, message);
    assert_int_equal(error.line, 6);
}

static void bad_input(void **unused)
{
    (void)unused;
    says("vehicles: [{model: car, x: 0, controller: driver, exit: Mian}]",
         "unknown off-ramp \"Mian\"; did you mean Main?");
    says("vehicles: [{model: car, x: 0, controller: driver, exit: In}]",
         "unknown off-ramp \"In\"; expected one of: Main");
    says("sources: [{flow: 100, model: car, controller: driver, exits: Main}]",
         "expected off-ramps with their shares, such as {Main: 0.2}");
    says("sources: [{flow: 100, model: car, controller: driver, exits: {Main: 1.5}}]",
         "share is 1.5; expected 0 .. 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_take_their_ramps),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
