// test_overwrite.c - no command writes over what it reads, however the file is named.
//
// Each command is given one of its inputs as an output, in six spellings: its name, another
// relative path, the absolute path, a path through "..", a symbolic link, a hard link. It must say
// so with exit code 2, and every file of the folder is afterwards what it was: same bytes, same
// inode, none more and none less.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char scenario[] = "motorcade: scenario\n"
                               "time: {end: 1, step: 0.05}\n"
                               "models: {escort: {car_file: cars.models, car: Ford Escort 4 (S)},\n"
                               "         soft: {kind: cosserat, file: model.dat, tyre: brush},\n"
                               "         car: powertrain}\n"
                               "vehicles:\n"
                               "  - {model: car, name: car1, x: 0, driver: pedals.csv}\n"
                               "  - {model: escort, name: b, x: 40, v: 10}\n"
                               "  - {model: soft, name: c, x: 80, v: 10}\n";

static int set_up(void **state)
{
    cli_set_up(state);
    cli_copy_medusa();
    run_put(&folder, "s.yaml", scenario);
    run_put(&folder, "s.csv", scenario); // a scenario may be called anything
    run_put(&folder, "pedals.csv", "t,throttle\n0,0\n1,0.5\n");
    run_put(&folder, "states.csv", "q0,v0\n0.1,0\n");
    run_copy(&folder, "cars.models", SOURCE_DIR "/scenarios/dynavis/cars.models");
    run_copy(&folder, "demo.dat", SOURCE_DIR "/scenarios/dynavis/demo4.dat");
    run_copy(&folder, "demo.par", SOURCE_DIR "/scenarios/dynavis/demo4.par");
    run_copy(&folder, "m.yaml", SOURCE_DIR "/models/pendulum.yaml");
    free(cli_done("run s.yaml -q --checkpoint cp -o run.h5"));
    run_put(&folder, "run.0001.h5", "a segment");
    mkdir(cli_path("sub"), 0700);
    return 0;
}

// Everything in the folder, and the bytes of the files that are read.
static char *state_of_folder(void)
{
    static const char *const files[] = {
        "s.yaml",      "s.csv",     "pedals.csv",  "states.csv", "m.yaml",   "cp",         "run.h5",
        "cars.models", "model.dat", "platoon.dat", "demo.dat",   "demo.par", "run.0001.h5"};
    char *listing = run_listing(&folder, true), *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);
    assert_non_null(out);
    fputs(listing, out);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        size_t length;
        char *bytes = run_get(&folder, files[i], &length);
        unsigned long long hash = 0;
        for (size_t k = 0; k < length; k++)
            hash = hash * 1099511628211u + (unsigned char)bytes[k];
        fprintf(out, "%s %llu\n", files[i], hash);
        free(bytes);
    }
    fclose(out);
    free(listing);
    return all;
}

static void rejected(const char *arguments)
{
    char *before = state_of_folder();
    run_result r = cli_run(arguments);
    if (r.code != 2 || !strstr(r.err, "overwrite"))
        fail_msg("motorcade %s: exit code %d: %s", arguments, r.code, r.err);
    char *after = state_of_folder();
    if (strcmp(before, after) != 0)
        fail_msg("motorcade %s: changed files:\n%s\nbefore:\n%s", arguments, after, before);
    run_result_free(&r);
    free(before);
    free(after);
}

// A name of the file in the folder; false: there is no further spelling.
static bool spell(int which, const char *file, char out[300])
{
    switch (which) {
    case 0:
        return snprintf(out, 300, "%s", file) > 0;
    case 1:
        return snprintf(out, 300, ".//./%s", file) > 0;
    case 2:
        return snprintf(out, 300, "%s", cli_path(file)) > 0;
    case 3:
        return snprintf(out, 300, "sub/../%s", file) > 0;
    case 4: {
        char to[300];
        snprintf(to, sizeof to, "../%s", file);
        snprintf(out, 300, "sub/symbolic.%s", file);
        unlink(cli_path(out));
        return symlink(to, cli_path(out)) == 0;
    }
    case 5: {
        char from[300];
        snprintf(from, sizeof from, "%s", cli_path(file));
        snprintf(out, 300, "sub/hard.%s", file);
        unlink(cli_path(out));
        return link(from, cli_path(out)) == 0;
    }
    default:
        return false;
    }
}

static void outputs_that_are_inputs(void **state)
{
    (void)state;
    static const struct {
        const char *file, *call; // %s: the file in other words
    } cases[] = {
        {"s.yaml", "run s.yaml -q -o %s"},
        {"pedals.csv", "run s.yaml -q -o %s"},
        {"cars.models", "run s.yaml -q --checkpoint %s"},
        {"model.dat", "run s.yaml -q --dynavis %s"},
        {"cp", "run s.yaml -q --resume cp -o %s"},
        {"cp", "run s.yaml -q --resume cp --dynavis %s"},
        {"m.yaml", "derive m.yaml -o %s"},
        {"m.yaml", "derive m.yaml --report --svg %s"},
        {"m.yaml", "accel m.yaml --states states.csv -o %s"},
        {"states.csv", "accel m.yaml --states states.csv -o %s"},
        {"m.yaml", "simulate m.yaml -q -o %s"},
        {"m.yaml", "simulate m.yaml -q --plot rod.angle --svg %s"},
        {"m.yaml", "linearize m.yaml --svg %s"},
        {"s.yaml", "sweep s.yaml --vary seed=1:2:1 -q -o %s"},
        {"cars.models", "sweep s.yaml --vary seed=1:2:1 -q -o t.csv --svg %s"},
        {"pedals.csv", "sweep s.yaml --vary seed=1:2:1 -q -o %s"},
        {"run.h5", "report run.h5 -o %s"},
        {"run.0001.h5", "report run.h5 -o %s"},
        {"run.h5", "plot run.h5 --y v --csv %s"},
        {"platoon.dat", "medusa -t1 --hdf5 %s"},
        {"demo.par", "dynavis -f demo.dat -p demo.par --yaml %s"},
    };
    int count = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char name[300], call[700];
        for (int which = 0; spell(which, cases[k].file, name); which++) {
            // A link beside the segment of a run is none of it.
            if (strcmp(cases[k].file, "run.0001.h5") == 0 && which == 5)
                continue;
            snprintf(call, sizeof call, cases[k].call, name);
            rejected(call);
            count++;
        }
    }
    print_message("%d spellings\n", count);
    assert_true(count >= 60);
}

// CSV files of any name may come into the folder.
static void folders_that_hold_inputs(void **state)
{
    (void)state;
    rejected("run s.yaml -q --csv .");
    rejected("run s.csv -q --csv sub/..");
    rejected("sweep s.csv --vary seed=1:2:1 -q -o sub/../s.csv");
    assert_int_equal(symlink("../pedals.csv", cli_path("sub/car1.csv")), 0);
    rejected("run s.yaml -q --csv sub");
    unlink(cli_path("sub/car1.csv"));
    char from[300];
    snprintf(from, sizeof from, "%s", cli_path("pedals.csv"));
    assert_int_equal(link(from, cli_path("sub/car1.csv")), 0);
    rejected("run s.yaml -q --csv ./sub/");
    unlink(cli_path("sub/car1.csv"));
    free(cli_done("run s.yaml -q --csv sub")); // nothing of ours is in it
    assert_true(run_exists(&folder, "sub/car1.csv"));
}

// The names that are made up beside those that are given.
static void names_beside(void **state)
{
    (void)state;
    run_copy(&folder, "run.svg", cli_path("run.h5"));
    rejected("plot run.svg --y v");
    run_copy(&folder, "run.html", cli_path("run.h5"));
    rejected("report run.html");
    run_put(&folder, "w.par", scenario);
    rejected("run w.par -q --dynavis w.dat");
    rejected("run s.yaml -q -o a.h5 --checkpoint ./a.h5");
    rejected("run s.yaml -q -o a.h5 --checkpoint a.0003.h5");
}

// A checkpoint is replaced by a later one of the same run, as during a run.
static void a_checkpoint_is_resumed_in_place(void **state)
{
    (void)state;
    free(cli_done("run s.yaml -q --resume cp --checkpoint cp"));
    free(cli_done("run s.yaml -q --resume cp --checkpoint sub/../cp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(outputs_that_are_inputs, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(folders_that_hold_inputs, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(names_beside, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(a_checkpoint_is_resumed_in_place, set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
