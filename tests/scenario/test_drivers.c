// test_drivers.c - tables of pedals: read with the scenario, once for all vehicles.
#include "scenario/scenario.h"
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static run_folder folder;

static const char driven[] = "motorcade: scenario\n"
                             "time: {end: 1}\n"
                             "models: {car: powertrain, spot: point}\n"
                             "vehicles:\n"
                             "  - {model: car, x: 0, driver: pedals.csv}\n"
                             "  - {model: car, x: 20, driver: ./pedals.csv}\n"
                             "  - {model: car, x: 40, driver: pedals.csv}\n";

static scenario *parse(const char *text, const char *table, mc_error *error)
{
    char path[128];
    snprintf(path, sizeof path, "%s/s.yaml", folder.path);
    run_put(&folder, "pedals.csv", table);
    return scenario_parse(text, strlen(text), path, error);
}

static void columns_in_any_order(void **state)
{
    (void)state;
    mc_error error;
    scenario *s = parse(driven, "steer,t,throttle\n0.1,0,0\n-0.2,2.5,0.75\n", &error);
    assert_non_null(s);
    char path[128];
    snprintf(path, sizeof path, "%s/pedals.csv", folder.path);
    const scenario_driver *d = s->vehicles[0].driver;
    assert_string_equal(d->file->path, path);
    assert_int_equal(d->count, 2);
    assert_true(d->t[0] == 0.0 && d->t[1] == 2.5);
    assert_true(d->throttle[0] == 0.0 && d->throttle[1] == 0.75);
    assert_true(d->steer[0] == 0.1 && d->steer[1] == -0.2);
    assert_true(d->brake[0] == 0.0 && d->brake[1] == 0.0);
    assert_true(s->vehicles[0].v == 0.0); // its driver does not set a speed
    assert_ptr_equal(s->vehicles[2].driver, d);
    assert_ptr_not_equal(s->vehicles[1].driver, d); // by its path
    assert_int_equal(s->file_count, 2);
    assert_true(s->files[0]->is.hash == s->files[1]->is.hash);
    scenario_free(s);
}

static void wrong_tables(void **state)
{
    (void)state;
    static const struct {
        const char *table, *text;
        int line;
    } wrong[] = {
        {"t,gas\n0,1\n", "unknown column \"gas\"; expected t, throttle, brake, steer", 1},
        {"t,throttle\n0,0\n1,1.5\n", "throttle = 1.5 is outside 0 .. 1", 3},
        {"t,steer\n0,-1.25\n", "steer = -1.25 is outside -1 .. 1", 2},
        {"t,brake\n1,0\n\n1,1\n", "t = 1 s is not after 1 s", 4},
        {"throttle\n0\n", "a driver file needs a column t and at least one row", 1},
        {"t,throttle\n", "a driver file needs a column t and at least one row", 1},
        {"t,throttle\n0,much\n", "column throttle: \"much\" is not a number (12, -0.5, 1.2e-3)", 2},
    };
    char path[128];
    snprintf(path, sizeof path, "%s/pedals.csv", folder.path);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        mc_error error = {0};
        assert_null(parse(driven, wrong[k].table, &error));
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_string_equal(error.text, wrong[k].text);
        assert_string_equal(error.file, path);
        assert_int_equal(error.line, wrong[k].line);
    }
}

static void a_point_car_has_no_pedals(void **state)
{
    (void)state;
    mc_error error = {0};
    static const char text[] = "motorcade: scenario\n"
                               "time: {end: 1}\n"
                               "models: {spot: point}\n"
                               "vehicles:\n"
                               "  - {name: spot1, model: spot, x: 0, driver: pedals.csv}\n";
    assert_null(parse(text, "t,throttle\n0,0\n", &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_int_equal(error.line, 5);
    assert_string_equal(error.text,
                        "spot1 is a point car: it has no pedals, so it cannot have a driver file");
}

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run_folder_remove(&folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_in_any_order),
        cmocka_unit_test(wrong_tables),
        cmocka_unit_test(a_point_car_has_no_pedals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
