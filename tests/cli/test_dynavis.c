// test_dynavis.c - `motorcade dynavis` on real files.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER SOURCE_DIR "/scenarios/dynavis/"

static int set_up(void **state)
{
    static const char *const names[] = {"demo4.dat", "demo4.par",   "demo5.dat",
                                        "demo5.par", "cars.models", "freeway.ramps"};
    cli_set_up(state);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char source[300];
        snprintf(source, sizeof source, FOLDER "%s", names[k]);
        run_copy(&folder, names[k], source);
    }
    return 0;
}

static void check(const char *arguments, int code, const char *out, const char *err)
{
    run_result r = cli_run(arguments);
    if (r.code != code || !strstr(r.out, out) || (err ? !strstr(r.err, err) : r.err_size > 0))
        fail_msg("motorcade %s: code %d\n%s\n%s", arguments, r.code, r.out, r.err);
    run_result_free(&r);
}

static void test_check(void **state)
{
    (void)state;
    check("dynavis demo5.dat -p demo5.par", 0,
          "demo5.dat: 552 lines, t = 0 .. 59.996 s, steps of 0.046 .. 0.419 s\n  cars: 4\n"
          "  x computed, y computed, speed read, lateral speed computed, acceleration estimated, "
          "jerk estimated\n",
          NULL);
    check("dynavis --check -f demo4.dat --parameters=demo4.par", 0,
          "acceleration read, jerk estimated\n", NULL);
    check("dynavis demo4.dat demo4.par", 0, "acceleration read, jerk estimated\n", NULL);
    check("dynavis -c cars.models -r freeway.ramps", 0,
          "  60 Freeway S                    4184.3 m  off, connector\n", NULL);
    check("dynavis demo5.dat -p demo5.par --window 0.2", 0, "degree 2 within 0.2 s", NULL);
    check("dynavis -h", 0, "usage: motorcade dynavis", NULL);
}

static void test_writes(void **state)
{
    (void)state;
    check("dynavis demo5.dat -pdemo5.par --csv out --dynavis full.dat --yaml go.yaml -c "
          "cars.models --model all",
          0, "", NULL);
    assert_true(run_exists(&folder, "out/car4.csv"));
    check("dynavis full.dat -p full.par", 0, "  everything was read\n", NULL);
    check("dynavis full.dat", 0, "  everything was read\n", NULL); // all fields: none is needed
    // Three lanes keep their headways, and the copies of the leader become cars of their own.
    run_put(&folder, "three.par",
            "Lanes=3\nCars=2\nSamePlatoonLeader=1\nRelPosition_X=1\n"
            "Ncars_given=0\nVelocity_Y=0\nFixed_Headway_given=0\n");
    run_put(&folder, "three.dat",
            "0 1 1.5 2 7 0.1 20 0 0 8 30 0 20 0 0 9 31 0.3 20 0 0 6 32 0 20 0 0\n");
    check("dynavis three.dat three.par --dynavis wide.dat --yaml wide.yaml", 0,
          "the lateral speed is not known for all cars: left out\n", NULL);
    check("dynavis wide.dat wide.par", 0,
          "      1007        2     2        0.000    -3.300    20.000     0.000\n", NULL);
    size_t size;
    char *wide = run_get(&folder, "wide.dat", &size);
    assert_true(strncmp(wide, "6 0 1 1.5 2 0.5 0.5 0.5 7 0 0.1", 30) == 0);
    free(wide);
    char *yaml = run_get(&folder, "wide.yaml", &size);
    assert_non_null(strstr(yaml, "  follow3: {law: pid, headway: 2, distance: 0.5}\n"));
    free(yaml);
    yaml = run_get(&folder, "go.yaml", &size);
    assert_non_null(strstr(yaml, "# Made by `motorcade dynavis` from demo5.dat, demo5.par, "
                                 "cars.models.\n"));
    assert_non_null(strstr(yaml, "time: {end: 300, step: 0.05}\n"));
    free(yaml);
    check("dynavis demo4.dat -p demo4.par --yaml four.yaml --frame 1", 0, "", NULL);
    yaml = run_get(&folder, "four.yaml", &size);
    assert_non_null(strstr(yaml, "  - {at: 20.017, headway: 1.6}\n"));
    assert_non_null(strstr(yaml, "time: {end: 89.85, step: 0.05}\n"));
    free(yaml);
    check("dynavis --yaml start.yaml -n 7 -m 2", 0, "", NULL);
    yaml = run_get(&folder, "start.yaml", &size);
    assert_non_null(strstr(yaml, "time: {end: 100, step: 0.05}\n"));
    assert_non_null(strstr(yaml, "name: car7, "));
    assert_null(strstr(yaml, "name: car8, "));
    free(yaml);
}

static void test_refuses(void **state)
{
    (void)state;
    check("dynavis", 2, "", "motorcade dynavis: no file given");
    check("dynavis demo4.dat -f demo5.dat", 2, "", "found a second data file \"demo5.dat\"");
    check("dynavis demo4.dat demo4.par demo5.dat", 2, "",
          "found \"demo5.dat\" behind the data file \"demo4.dat\" and the parameter file "
          "\"demo4.par\"");
    check("dynavis demo4.dat demo4.dat", 2, "",
          "demo4.dat:1:1: found \"0.000 1.00 21.973 0.022 28.90 21.996 0.031\", expected item");
    check(
        "dynavis demo5.dat", 2, "",
        "demo5.dat:1:27: 8 numbers, without parameter file 0 cars need 4: \"15.02\" stands behind "
        "the last one, the fixed headway of lane 1; is it meant to be read with -p demo5.par?\n"
        "    0.000 24.966 14.95 24.999 15.02 25.005 14.94 24.971\n"
        "                              ^\n");
    check("dynavis demo4.dat -p demo5.par", 2, "",
          "demo4.dat:1:43: 7 numbers, the parameter file asks for 8: the longitudinal speed of car "
          "4 is missing\n");
    check("dynavis -p demo4.par --csv out2", 2, "", "need a data file");
    check("dynavis demo4.dat -p demo4.par -n 4", 2, "", "option -n is for a start without");
    check("dynavis demo4.dat -p demo4.par --yaml x --model Ford", 2, "", "needs a car file");
    check("dynavis demo4.dat -p demo4.par --frame 2", 2, "", "add --yaml FILE");
    check("dynavis demo4.dat -p demo4.par --yaml x --frame 9000 --csv out3", 2, "",
          "there is no frame 9000; the data file has 1 .. 842");
    assert_false(run_exists(&folder, "out3"));
    check("dynavis demo4.dat -p demo4.par --yaml demo4.par", 2, "",
          "--yaml would overwrite the file read by -p");
    check("dynavis demo4.dat -p demo4.par --dynavis demo4", 2, "",
          "--dynavis would overwrite the file read by -p");
    check("dynavis demo4.dat -p demo4.par --program 3", 2, "", "whole number within 1 .. 2");
    check("dynavis demo4.dat -p demo4.par --window 0", 2, "", "out of range");
    check("dynavis --chek", 2, "", "--check");
    check("dynavis nosuch.dat", 2, "", "nosuch.dat: cannot be read");
}

// The shipped data are what the script makes.
static void test_demos_are_made_by_their_script(void **state)
{
    (void)state;
    run_result r = run(&folder, "/usr/bin/env", "python3 " FOLDER "make_demo.py .");
    assert_int_equal(r.code, 0);
    run_result_free(&r);
    static const char *const names[] = {"demo4.dat", "demo5.dat"};
    for (int k = 0; k < 2; k++) {
        char source[300];
        size_t made_size, shipped_size;
        char *made = run_get(&folder, names[k], &made_size);
        snprintf(source, sizeof source, FOLDER "%s", names[k]);
        run_copy(&folder, "shipped", source);
        char *shipped = run_get(&folder, "shipped", &shipped_size);
        assert_true(made_size == shipped_size && memcmp(made, shipped, made_size) == 0);
        free(made);
        free(shipped);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_demos_are_made_by_their_script),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
