// test_waits.c - vehicles that join when there is room, their own or of several sources in a lane.
#include "motorcade/run.h"
#include "motorcade/scenario.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                                       \
    "motorcade: scenario\ntime: {end: 60, step: 0.1}\nroad: {lanes: 1, speed: 20}\n"               \
    "models: {car: {kind: point, length: 5}}\ncontrollers: {c: {law: idm, manual: true}}\n"

static mc_scenario *parse(const char *text, mc_error *error)
{
    return mc_scenario_parse(text, strlen(text), "waits.yaml", error);
}

// Steps to the end; no vehicle overlaps the one in front. Returns how many there are.
static int drive(const char *text)
{
    mc_error error = {0};
    mc_scenario *s = parse(text, &error);
    if (!s)
        print_error("%d:%d: %s\n", error.line, error.column, error.text);
    assert_non_null(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    assert_non_null(run);
    while (mc_run_time(run) < 40.0) {
        const mc_status status = mc_run_step(run, &error);
        if (status != MC_OK)
            print_error("%.2f s: %s\n", mc_run_time(run), error.text);
        assert_int_equal(status, MC_OK);
        for (int v = 0; v < mc_run_vehicle_count(run); v++) {
            mc_run_view view;
            mc_run_look(run, v, &view);
            assert_true(!(view.gap < 1.0));
        }
    }
    int impacts;
    mc_run_impacts(run, &impacts);
    assert_int_equal(impacts, 0);
    const int count = mc_run_vehicle_count(run);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return count;
}

// Four cars that are due at the same place and time enter one after the other.
static void one_place(void **unused)
{
    (void)unused;
    assert_int_equal(
        drive(HEAD
              "vehicles:\n"
              "  - {model: car, name: a, controller: c, x: 10, v: 10}\n"
              "  - {model: car, name: b, controller: c, x: 10, v: 10, from: 0.5, waits: true}\n"
              "  - {model: car, name: d, controller: c, x: 10, v: 10, from: 0.5, waits: true}\n"
              "  - {model: car, name: e, controller: c, x: 12, v: 10, from: 0.5, waits: true}\n"),
        4);
}

// Without the key the run stops: the place is taken.
static void not_waiting(void **unused)
{
    (void)unused;
    mc_error error = {0};
    mc_scenario *s =
        parse(HEAD "vehicles:\n  - {model: car, name: a, controller: c, x: 10, v: 0}\n"
                   "  - {model: car, name: b, controller: c, x: 10, v: 10, from: 0.5}\n",
              &error);
    assert_non_null(s);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1, .interpret = true}, &error);
    mc_status status = MC_OK;
    while (status == MC_OK && mc_run_time(run) < 1.0)
        status = mc_run_step(run, &error);
    assert_int_equal(status, MC_BAD_INPUT);
    mc_run_destroy(run);
    mc_scenario_free(s);
    assert_null(parse(HEAD "vehicles: [{model: car, x: 0}, {model: car, x: 9, from: 1, waits: "
                           "true}]\n",
                      &error));
    assert_non_null(strstr(error.text, "needs a controller"));
}

// Two sources in one lane, each with evenly spaced arrivals at the same instants.
static void two_sources(void **unused)
{
    (void)unused;
    const int count = drive(
        HEAD
        "vehicles: [{model: car, name: a, controller: c, x: 60, v: 20}]\nsources:\n"
        "  - {name: s, flow: 360, min_headway: 9.999, model: car, controller: c, v: 20, x: 0}\n"
        "  - {name: u, flow: 360, min_headway: 9.999, model: car, controller: c, v: 20, x: 0, "
        "from: 10}\n");
    assert_true(count >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_place),
        cmocka_unit_test(not_waiting),
        cmocka_unit_test(two_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
