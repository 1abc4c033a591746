// test_plot.c - `motorcade plot`: pictures, tables and wrong calls.
#include "support/cli.h"
#include "support/sample_run.h"

#include <math.h>
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

static int set_up(void **state)
{
    cli_set_up(state);
    sample_run_write(cli_path("run.h5"), &(sample_run){0});
    return 0;
}

static void plot(const char *arguments, const char *says)
{
    char *text = cli_printed(arguments);
    assert_string_equal(text, says);
    free(text);
}

static int count_of(const char *page, const char *text)
{
    int count = 0;
    for (; (page = strstr(page, text)); page += strlen(text))
        count++;
    return count;
}

static void pictures(void **state)
{
    (void)state;
    plot("plot run.h5 --y v,a,gap --cars 1-3,car7 --from 35 --to 55", "picture: run.svg\n");
    char *svg = run_get(&folder, "run.svg", NULL);
    assert_memory_equal(svg, "<svg ", 5);
    assert_non_null(strstr(svg, ">Eight in a row</text>"));
    assert_non_null(strstr(svg, ">v: speed (m/s)</text>"));
    assert_non_null(strstr(svg, ">a: acceleration (m/s\u00b2)</text>"));
    assert_non_null(strstr(svg, ">collision</text>"));
    assert_int_equal(count_of(svg, "<title>car1</title></path>"), 2); // a leader has no gap
    assert_int_equal(count_of(svg, "<title>car7</title></path>"), 3);
    assert_int_equal(count_of(svg, "<title>car4</title></path>"), 0);
    free(svg);
    plot("plot run.h5 --y v --x x --title Loop -o loop.svg", "picture: loop.svg\n");
    svg = run_get(&folder, "loop.svg", NULL);
    assert_non_null(strstr(svg, ">Loop</text>"));
    assert_non_null(strstr(svg, ">x: mass centre along the road (m)</text>"));
    assert_null(strstr(svg, ">collision</text>"));
    free(svg);
}

// Every digit of the rows, against another reader.
static void tables(void **state)
{
    (void)state;
    enum { V = 3, JERK = 5, QUANTITIES = 14 };
    plot("plot run.h5 --y v,jerk --cars 3,5 --from 29.99 --to 31 --csv t.csv", "table: t.csv\n");
    char *csv = run_get(&folder, "t.csv", NULL);
    const char *header = "t [s],car3.v [m/s],car3.jerk [m/s^3],car5.v [m/s],car5.jerk [m/s^3]\n";
    assert_memory_equal(csv, header, strlen(header));
    run_table motion = run_table_hdf5(&folder, "run.h5", "motion");
    run_table time = run_table_hdf5(&folder, "run.h5", "time");
    const char *at = csv + strlen(header);
    for (int row = 600; row <= 620; row++) {
        double values[5];
        for (int k = 0; k < 5; k++) {
            char *end;
            values[k] = strtod(at, &end);
            assert_true(end > at);
            at = end + 1;
        }
        assert_true(values[0] == run_at(&time, row, 0));
        assert_true(values[1] == run_at(&motion, row, 2 * QUANTITIES + V));
        assert_true(values[2] == run_at(&motion, row, 2 * QUANTITIES + JERK));
        assert_true(values[3] == run_at(&motion, row, 4 * QUANTITIES + V));
        assert_true(values[4] == run_at(&motion, row, 4 * QUANTITIES + JERK));
        if (row == 600)
            assert_true(values[2] == SAMPLE_JERK);
    }
    assert_int_equal(*at, '\0');
    run_table_free(&motion);
    run_table_free(&time);
    free(csv);
}

// A peak of one row of twelve hundred is in the picture.
static void no_peak_is_lost(void **state)
{
    (void)state;
    plot("plot run.h5 --y jerk --cars 3 -o one.svg", "picture: one.svg\n");
    plot("plot run.h5 --y jerk --cars 3 --to 29.9 -o before.svg", "picture: before.svg\n");
    char *with = run_get(&folder, "one.svg", NULL), *without = run_get(&folder, "before.svg", NULL);
    assert_non_null(strstr(with, ">\u221215</text>")); // the axis reaches -17.35
    assert_null(strstr(without, ">\u221215</text>"));
    free(with);
    free(without);
}

static bool has_rsvg(void)
{
    return access("/usr/bin/rsvg-convert", X_OK) == 0;
}

static void png(void **state)
{
    (void)state;
    if (!has_rsvg())
        skip();
    size_t size;
    plot("plot run.h5 --y v --png v.png", "picture: v.png\n");
    char *bytes = run_get(&folder, "v.png", &size);
    assert_true(size > 10000);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    // width in the header: 900 px twice
    const unsigned char *w = (const unsigned char *)bytes + 16;
    assert_int_equal(w[0] << 24 | w[1] << 16 | w[2] << 8 | w[3], 1800);
    free(bytes);
    assert_false(run_exists(&folder, "run.svg")); // not asked for
}

// Without the program, or with one that fails, the message says so and no file is left.
static void png_without_its_program(void **state)
{
    (void)state;
    const char *path = getenv("PATH");
    char *old = strdup(path ? path : "/usr/bin:/bin");
    mkdir(cli_path("bin"), 0700);
    setenv("PATH", cli_path("bin"), 1);
    run_result r = cli_run("plot run.h5 --y v --png v.png");
    assert_string_equal(r.err, "motorcade plot: PNG needs the program rsvg-convert, which is not "
                               "installed; install the Debian package librsvg2-bin, or write SVG "
                               "with -o\n");
    assert_int_equal(r.code, 1);
    run_result_free(&r);
    run_put(&folder, "bin/rsvg-convert", "#!/bin/sh\necho 'no fonts today' >&2\nexit 3\n");
    chmod(cli_path("bin/rsvg-convert"), 0755);
    r = cli_run("plot run.h5 --y v --png v.png");
    assert_string_equal(r.err,
                        "motorcade plot: rsvg-convert could not create the PNG: no fonts today\n");
    assert_int_equal(r.code, 1);
    run_result_free(&r);
    assert_false(run_exists(&folder, "v.png"));
    setenv("PATH", old, 1);
    free(old);
}

static void many_cars(void **state)
{
    (void)state;
    sample_run_write(cli_path("many.h5"), &(sample_run){.cars = 100, .rows = 50});
    plot("plot many.h5 --y v -o m.svg", "picture: m.svg\n");
    char *svg = run_get(&folder, "m.svg", NULL);
    assert_non_null(strstr(svg, ">24 of 100 cars</text>"));
    assert_non_null(strstr(svg, "<title>car100</title>"));
    free(svg);
    plot("plot many.h5 --y v --cars 1-36 -o m.svg", "picture: m.svg\n");
    run_result r = cli_run("plot many.h5 --y v --cars 1-37");
    assert_string_equal(r.err, "motorcade plot: option --cars: more than 36 cars, too many for one "
                               "plot; choose fewer of the 100\n");
    assert_int_equal(r.code, 2);
    run_result_free(&r);
}

// One panel per lane that a car is in, on one axis, with a mark where a car comes into it.
static void lanes(void **state)
{
    (void)state;
    run_put(&folder, "s.yaml",
            "motorcade: scenario\ntime: {end: 12, step: 0.05, record: 0.1}\nroad: {lanes: 3}\n"
            "models: {car: {kind: point, length: 5}}\ncontrollers: {follow: {law: acc}}\n"
            "vehicles:\n  - {model: car, name: a, x: 0, v: 20, controller: follow}\n"
            "  - {model: car, name: b, x: -60, v: 20, controller: follow}\n"
            "events: [{at: 1, vehicle: b, lane: 3}]\n");
    free(cli_printed("run s.yaml -o lanes.h5 -q"));
    plot("plot lanes.h5 --y x --lanes -o lanes.svg", "picture: lanes.svg\n");
    char *svg = run_get(&folder, "lanes.svg", NULL);
    for (int k = 1; k <= 3; k++) {
        char label[32];
        snprintf(label, sizeof label, ">lane %d: x (m)</text>", k);
        assert_int_equal(count_of(svg, label), 1);
    }
    assert_null(strstr(svg, ">ramps"));
    assert_int_equal(count_of(svg, "<title>a</title></path>"), 1);
    assert_int_equal(count_of(svg, "<title>b</title></path>"), 3);
    assert_int_equal(count_of(svg, ">comes into the lane</text>"), 2);
    free(svg);
    run_result r = cli_run("plot lanes.h5 --y x,v --lanes");
    assert_string_equal(r.err, "lanes.h5: panels of lanes show one quantity, but 2 are given; "
                               "expected one, such as x\n");
    assert_int_equal(r.code, 2);
    run_result_free(&r);
    r = cli_run("plot run.h5 --y x --lanes");
    assert_string_equal(r.err, "run.h5: the file has no lanes of its cars: it was recorded by an "
                               "earlier version of motorcade, or by another command than run\n");
    run_result_free(&r);
}

#define HAS                                                                                        \
    "it has x, y, psi, v, a, jerk, throttle, brake, steer, n, gap, spacing_error, a_desired, "     \
    "fuel\n"

static void wrong_calls(void **state)
{
    (void)state;
    run_put(&folder, "notes.txt", "nothing here\n");
    static const struct {
        const char *arguments, *message;
        int code;
    } cases[] = {
        {"plot",
         "motorcade plot: no results file given; try: motorcade plot run.h5 --y v (`motorcade plot "
         "-h` explains)\n",
         2},
        {"plot run.h5", "motorcade plot: no quantity given; add --y NAMES, for example --y v,a\n",
         2},
        {"plot none.h5 --y v", "none.h5: cannot be read: No such file or directory\n", 2},
        {"plot notes.txt --y v",
         "notes.txt: is not an HDF5 file; expected a results file (run.h5)\n", 2},
        {"plot run.h5 --y spacing_eror",
         "run.h5: option --y: the run has no quantity \"spacing_eror\", did you mean "
         "spacing_error; " HAS,
         2},
        {"plot run.h5 --y v,,a", "run.h5: option --y: the run has no quantity \"\"; " HAS, 2},
        {"plot run.h5 --y v,a,v", "motorcade plot: option --y: \"v\" is given twice\n", 2},
        {"plot run.h5 --y v --x time",
         "run.h5: option --x: the run has no quantity \"time\"; it has t, x, y, psi, v, a, jerk, "
         "throttle, brake, steer, n, gap, spacing_error, a_desired, fuel\n",
         2},
        {"plot run.h5 --y v --cars 0",
         "run.h5: option --cars: \"0\" is out of range; the run has cars 1 to 8\n", 2},
        {"plot run.h5 --y v --cars 7-9",
         "run.h5: option --cars: \"7-9\" is out of range; the run has cars 1 to 8\n", 2},
        {"plot run.h5 --y v --cars 4-2",
         "motorcade plot: option --cars: the range \"4-2\" is reversed; write 2-4\n", 2},
        {"plot run.h5 --y v --cars cra3",
         "run.h5: option --cars: the run has no car \"cra3\", did you mean car3; expected numbers "
         "1 to 8, ranges (1-4) or names\n",
         2},
        {"plot run.h5 --y v --cars 1-",
         "run.h5: option --cars: the run has no car \"1-\"; expected numbers 1 to 8, ranges (1-4) "
         "or names\n",
         2},
        {"plot run.h5 --y gap --cars 1",
         "run.h5: \"gap\" has no number for the chosen cars and times: no car is in front of "
         "them\n",
         2},
        {"plot run.h5 --y v --from 70",
         "run.h5: no time between 70 s and 60 s; the run goes from 0 s to 60 s\n", 2},
        {"plot run.h5 --y v --from 9 --to 3",
         "run.h5: no time between 9 s and 3 s; the run goes from 0 s to 60 s\n", 2},
        {"plot run.h5 --y v --from 0.01 --to 0.02",
         "run.h5: no row between 0.01 s and 0.02 s; the run goes from 0 s to 60 s\n", 2},
        {"plot run.h5 --y v --to 1s",
         "motorcade plot: option --to: found \"1s\", expected a number\n", 2},
        {"plot run.h5 --y v -o run.h5",
         "run.h5: -o would overwrite the results file it is made of\n", 2},
        {"plot run.h5 --y v -o a.svg --csv a.svg",
         "a.svg: --csv would overwrite the file written by -o\n", 2},
        {"plot run.h5 --y v -o nowhere/a.svg",
         "nowhere/a.svg: cannot be created in folder \"nowhere\": No such file or directory\n", 1},
        {"plot run.h5 --y v --png nowhere/a.png",
         "nowhere/a.png: cannot be created in folder \"nowhere\": No such file or directory\n", 1},
        {"plot run.h5 --y v --csv nowhere/a.csv",
         "nowhere/a.csv: cannot be created in folder \"nowhere\": No such file or directory\n", 1},
        {"plot run.h5 --car 3",
         "motorcade plot: unknown option \"--car\", did you mean --cars; -h lists them\n", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_rejected(cases[i].arguments, cases[i].code, cases[i].message);
    }
    assert_false(run_exists(&folder, "run.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pictures, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(tables, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(no_peak_is_lost, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(png, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(png_without_its_program, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(many_cars, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(lanes, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(wrong_calls, set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
