// test_medusa_contract.c - what `motorcade medusa` promises, on the real binary: the manual's
// columns, screen and numbers, rows at exact times, and options in every way they may be written.
//
// Files other than data.asc are tested in test_medusa_files.c, signals in test_medusa_stop.c,
// rejected input in test_medusa_bad.c.
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
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
    cli_copy_medusa();
    return 0;
}

static run_table table_of(const char *arguments)
{
    free(cli_done(arguments));
    return run_table_read(&folder, "data.asc");
}

static void assert_starts(const char *text, const char *start)
{
    if (strncmp(text, start, strlen(start)) != 0)
        fail_msg("found \"%s\", expected \"%s\"...", text, start);
}

// ---- the run of the manual ---------------------------------------------------------------------

static const char screen_10[] =
    "The simulation for 2 vehicles will stop after 10 [s]\n"
    "\n"
    "- stepsize: 0.0005 [s]\n"
    "- save data point every 0.01 [s]\n"
    "- scheme: exponential\n"
    "\n"
    "The columns of the output file data.asc contain the following:\n"
    "\n"
    "- col. 1: Time\n"
    "- cols. 2-4: Components of position vector of vehicle 1\n"
    "- cols. 5-13: Components of the three directors of vehicle 1\n"
    "- cols. 14-16: Components of position vector of vehicle 2\n"
    "- cols. 17-25: Components of the three directors of vehicle 2\n"
    "- cols. 26-28: Components of velocity of vehicle 1\n"
    "- cols. 29-37: Components of the three director velocities of vehicle 1\n"
    "- cols. 38-40: Components of velocity of vehicle 2\n"
    "- cols. 41-49: Components of the three director velocities of vehicle 2\n"
    "- cols. 50-51: The total energies of each of the 2 vehicles\n"
    "\n";

static void manual_run(void **state)
{
    (void)state;
    run_result r = cli_run("medusa -t10 -e -v");
    assert_int_equal(r.code, 0);
    assert_starts(r.out, screen_10);
    assert_non_null(strstr(r.out, "\n1 collision, ")); // the rear car runs into the other
    assert_non_null(strstr(r.err, "100 %  t=10.0000  "));
    run_result_free(&r);

    run_table t = run_table_read(&folder, "data.asc");
    assert_int_equal(t.row_count, 1001);
    assert_int_equal(t.column_count, 51);
    for (int i = 0; i < t.row_count; i++)
        for (int k = 0; k < t.column_count; k++) {
            char expected[32];
            snprintf(expected, sizeof expected, "%.6e", k == 0 ? 0.01 * i : run_at(&t, i, k));
            assert_string_equal(run_token(&t, i, k), expected);
            assert_true(isfinite(run_at(&t, i, k)));
        }
    // At the start: places, speeds, and the energy of a car at 88 and 83.2 km/h.
    assert_true(run_at(&t, 0, 1) == 0.0 && run_at(&t, 0, 13) == 5.0);
    assert_true(run_at(&t, 0, 3) == -0.0373 && run_at(&t, 0, 15) == -0.0373);
    assert_string_equal(run_token(&t, 0, 25), "2.444440e+01");
    assert_string_equal(run_token(&t, 0, 37), "2.311110e+01");
    cli_near(run_at(&t, 0, 49), 0.5 * 1573.0 * 24.4444 * 24.4444, 2000.0);
    cli_near(run_at(&t, 0, 50), 0.5 * 1573.0 * 23.1111 * 23.1111, 2000.0);
    // At the end the front car is the faster one, and no car went through the other.
    assert_true(run_at(&t, 1000, 37) > run_at(&t, 1000, 25) + 0.5);
    assert_true(run_at(&t, 1000, 13) > run_at(&t, 1000, 1) + 2.9);
    run_table_free(&t);
}

// Section 2.5, as printed: every digit of the first four columns.
static void as_published(void **state)
{
    (void)state;
    static const char *const printed[6][4] = {
        {"0.000000e+00", "0.000000e+00", "0.000000e+00", "-3.730000e-02"},
        {"1.000000e-02", "2.444440e-01", "0.000000e+00", "-3.691894e-02"},
        {"2.000000e-02", "4.888880e-01", "0.000000e+00", "-3.579733e-02"},
        {"3.000000e-02", "7.333320e-01", "0.000000e+00", "-3.398085e-02"},
        {"4.000000e-02", "9.777760e-01", "0.000000e+00", "-3.152424e-02"},
        {"5.000000e-02", "1.222220e+00", "0.000000e+00", "-2.849029e-02"},
    };
    static const char *const ways[] = {
        "medusa -t.05 --as-published",
        "medusa --as-published --scheme published -d0.5e-4 -s.01 -t5e-2",
        "medusa -t0.05 --as-published -e -v --threads 1",
    };
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        run_table t = table_of(ways[way]);
        assert_int_equal(t.row_count, 6);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 4; k++)
                assert_string_equal(run_token(&t, i, k), printed[i][k]);
        run_table_free(&t);
    }
    // The corrected start is another one: the option does something.
    run_table t = table_of("medusa -t.05 --scheme published");
    assert_string_not_equal(run_token(&t, 5, 3), printed[5][3]);
    run_table_free(&t);
}

// ---- rows --------------------------------------------------------------------------------------

typedef struct timing {
    const char *options;
    double save, end;
    int row_count;
} timing;

static const timing timings[] = {
    {"-t0.6", 0.01, 0.6, 61},
    {"-t0.6 -s0.003", 0.003, 0.6, 201},
    {"-t0.6 -s0.007", 0.007, 0.6, 87},        // 0.595, then the end
    {"-t0.6 -s0.07", 0.07, 0.6, 10},          // 0.56, then the end
    {"-t0.6 -s0.07 -d0.0013", 0.07, 0.6, 10}, // a step that fits nothing
    {"-t0.6 -s0.1", 0.1, 0.6, 7},             // 0.6 / 0.1 is below 6 in doubles
    {"-t0.6 -s0.2 -d1e-4", 0.2, 0.6, 4},      // so is 0.6 / 0.2, and not an exact 3
    {"-t0.6 -s0.6", 0.6, 0.6, 2},             //
    {"-t0.6 -s5", 5.0, 0.6, 2},               // longer than the run
    {"-t0.6 -s0.599999", 0.599999, 0.6, 3},   // a last interval of a microsecond
    {"-t0.6 -s1e-4", 1e-4, 0.6, 6001},        // shorter than the step
    {"-t0.6 -s0.3 -d0.005", 0.3, 0.6, 3},     // a long step
    {"-t0.6 -s0.07 --energy-tolerance 1e-7", 0.07, 0.6, 10},
    {"-t0.6 -s0.07 --scheme published", 0.07, 0.6, 10},
    {"-t0.6 -s0.003 --scheme published -d3.3e-5", 0.003, 0.6, 201},
    {"-t0.6 -s0.11 --as-published", 0.11, 0.6, 7},
};

// No force acts along x before the cars meet: x = v t is where a row was taken, to the last digits.
static void rows_are_exact(void **state)
{
    (void)state;
    double r3_exact = NAN; // at the end, of the first timing
    for (size_t i = 0; i < sizeof timings / sizeof timings[0]; i++) {
        const timing *c = &timings[i];
        char arguments[128];
        snprintf(arguments, sizeof arguments, "medusa --digits 17 %s", c->options);
        run_table t = table_of(arguments);
        if (t.row_count != c->row_count)
            fail_msg("%s: %d rows, expected %d", c->options, t.row_count, c->row_count);
        for (int k = 0; k < t.row_count; k++) {
            const double time = run_at(&t, k, 0);
            if (k < t.row_count - 1)
                assert_true(time == k * c->save);
            if (fabs(run_at(&t, k, 1) - 24.4444 * time) > 1e-9)
                fail_msg("%s: row %d: x = %.17g at t = %.17g", c->options, k, run_at(&t, k, 1),
                         time);
        }
        assert_true(fabs(run_at(&t, t.row_count - 1, 0) - c->end) < 1e-15);
        // The springs have bounced by then: the height depends on the time, not on how it passed.
        const double r3 = run_at(&t, t.row_count - 1, 3);
        if (isnan(r3_exact))
            r3_exact = r3;
        const bool exponential = !strstr(c->options, "published");
        if (exponential && fabs(r3 - r3_exact) > (strstr(c->options, "-d0.005") ? 1e-6 : 1e-9))
            fail_msg("%s: r3 = %.17g, expected %.17g", c->options, r3, r3_exact);
        run_table_free(&t);
    }
}

static void short_and_long_runs(void **state)
{
    (void)state;
    run_table t = table_of("medusa -t1e-9 -s1e9");
    assert_int_equal(t.row_count, 2);
    assert_string_equal(run_token(&t, 1, 0), "1.000000e-09");
    run_table_free(&t);
    t = table_of("medusa -t30 -s7.5");
    assert_int_equal(t.row_count, 5);
    assert_string_equal(run_token(&t, 4, 0), "3.000000e+01");
    run_table_free(&t);
}

static void digits(void **state)
{
    (void)state;
    run_table exact = table_of("medusa -t0.05 -e -v --digits 17");
    assert_int_equal(exact.row_count, 6);
    for (int n = 1; n <= 17; n++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "medusa -t0.05 -e -v --digits %d", n);
        run_table t = table_of(arguments);
        assert_int_equal(t.row_count, 6);
        assert_int_equal(t.column_count, 51);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 51; k++) {
                char expected[40];
                snprintf(expected, sizeof expected, "%.*e", n, run_at(&exact, i, k));
                assert_string_equal(run_token(&t, i, k), expected);
                if (n >= 16) // 17 digits in all: back to the same double
                    assert_true(run_at(&t, i, k) == run_at(&exact, i, k));
            }
        run_table_free(&t);
    }
    run_table_free(&exact);
}

// ---- columns -----------------------------------------------------------------------------------

// Three cars that differ in everything the columns show.
static const char three_cars[] =
    "NUMBER_OF_VEHICLES 3\n"
    "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 1 Y 2 ORIENTATION 0 SPEED 10 STEERING 0\n"
    "VEHICLE_HAS_MODEL 2 INITIALLY_WITH X 11 Y 12 ORIENTATION 0 SPEED 20 STEERING 0.01\n"
    "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X 21 Y -22 ORIENTATION 0 SPEED 30 STEERING 0\n";

// Checks one line of the list against the first row; returns the last column it names.
static int check_listed(const char *line, const run_table *t)
{
    int first, last, vehicle;
    char what[80];
    if (sscanf(line, "- col. %d: %79[^\n]", &first, what) == 2)
        last = first;
    else
        assert_int_equal(sscanf(line, "- cols. %d-%d: %79[^\n]", &first, &last, what), 3);
    assert_in_range(last, first, t->column_count);
    const int at = first - 1, width = last - first + 1;
    if (strcmp(what, "Time") == 0) {
        assert_int_equal(width, 1);
        assert_true(run_at(t, 0, at) == 0.0 && run_at(t, 1, at) == 0.01);
    } else if (sscanf(what, "Components of position vector of vehicle %d", &vehicle) == 1) {
        assert_int_equal(width, 3);
        assert_true(run_at(t, 0, at) == 10.0 * (vehicle - 1) + 1.0);
        assert_true(fabs(run_at(t, 0, at + 1)) == 10.0 * (vehicle - 1) + 2.0);
    } else if (sscanf(what, "Components of the three directors of vehicle %d", &vehicle) == 1) {
        assert_int_equal(width, 9);
        for (int k = 0; k < 9; k += 4) // a unit matrix but for the pitch
            cli_near(run_at(t, 0, at + k), 1.0, 0.01);
        assert_true(run_at(t, 0, at + 2) == -0.0748 && run_at(t, 0, at + 6) == 0.0749);
    } else if (sscanf(what, "Components of velocity of vehicle %d", &vehicle) == 1) {
        assert_int_equal(width, 3);
        assert_true(run_at(t, 0, at) == 10.0 * vehicle && run_at(t, 0, at + 1) == 0.0);
    } else if (sscanf(what, "Components of the three director velocities of vehicle %d",
                      &vehicle) == 1) {
        assert_int_equal(width, 9);
        for (int k = 0; k < 9; k++)
            assert_true(run_at(t, 0, at + k) == 0.0);
    } else {
        assert_string_equal(what, "The total energies of each of the 3 vehicles");
        assert_int_equal(width, 3);
        for (int k = 0; k < 3; k++) // kinetic, and some springs
            cli_near(run_at(t, 0, at + k), 0.5 * 1573.0 * pow(10.0 * (k + 1), 2), 2000.0);
    }
    return last;
}

static void columns_as_listed(void **state)
{
    (void)state;
    run_put(&folder, "three.dat", three_cars);
    static const struct {
        const char *options;
        int column_count, line_count;
    } cases[] = {{"", 37, 7}, {" -e", 40, 8}, {" -v", 73, 13}, {" -e -v", 76, 14}};
    for (int i = 0; i < 4; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "medusa -t0.02 -fthree.dat --digits 17%s",
                 cases[i].options);
        char *screen = cli_done(arguments);
        run_table t = run_table_read(&folder, "data.asc");
        assert_int_equal(t.column_count, cases[i].column_count);
        int last = 0, lines = 0;
        const char *line = strstr(screen, "\n- col. 1: Time\n");
        for (; line && strncmp(line, "\n- col", 6) == 0; line = strchr(line + 1, '\n'), lines++) {
            int first = 0;
            assert_int_equal(sscanf(line + 1, "- col%*[^0-9]%d", &first), 1);
            assert_int_equal(first, last + 1); // no gap
            last = check_listed(line + 1, &t);
        }
        assert_int_equal(last, t.column_count);
        assert_int_equal(lines, cases[i].line_count);
        run_table_free(&t);
        free(screen);
    }
}

static void one_vehicle_and_many(void **state)
{
    (void)state;
    run_put(&folder, "one.dat",
            "number_of_vehicles 1 vehicle_has_model 2 initially_with x 0 y 0 orientation 0 "
            "speed 20 steering 0");
    char *screen = cli_done("medusa -t0.01 -fone.dat");
    assert_starts(screen, "The simulation for 1 vehicle will stop");
    free(screen);
    run_table t = run_table_read(&folder, "data.asc");
    assert_int_equal(t.column_count, 13);
    run_table_free(&t);

    char text[4096], *at = text + sprintf(text, "NUMBER_OF_VEHICLES 40\n");
    for (int i = 0; i < 40; i++)
        at += sprintf(at,
                      "VEHICLE_HAS_MODEL 1 INITIALLY_WITH X %d Y 0 ORIENTATION 0 SPEED 20 "
                      "STEERING 0\n",
                      5 * i);
    run_put(&folder, "many.dat", text);
    screen = cli_done("medusa -t0.01 -fmany.dat -e -v");
    t = run_table_read(&folder, "data.asc");
    assert_int_equal(t.column_count, 1 + 24 * 40 + 40);
    // A long list is cut in the middle, not at the ends.
    const char *cut = strstr(screen, "\n- ... and so on to vehicle 40\n");
    assert_non_null(cut);
    assert_non_null(strstr(screen, "\n- cols. 962-1001: The total energies of each of the 40 "));
    assert_non_null(
        strstr(screen, "\n- cols. 470-472: Components of position vector of vehicle 40"));
    int lines = 0;
    for (const char *c = screen; *c; c++)
        lines += *c == '\n';
    assert_true(lines < 80);
    run_table_free(&t);
    free(screen);
}

// ---- options -----------------------------------------------------------------------------------

static void same_run_however_written(void **state)
{
    (void)state;
    free(cli_done("medusa -t0.05 -s0.02 -d0.0004 -e -v -Fplain.asc"));
    static const char *const ways[] = {
        "medusa -v -d0.0004 -Fother.asc -e -t0.05 -s0.02",
        "medusa -s.02 -t5e-2 -v -e -d4E-4 -Fother.asc -fplatoon.dat",
        "medusa -t+.05 -s2.e-2 -d.4e-3 -e -e -v -Fother.asc",
        "medusa --end 0.05 --save=0.02 --step 0.0004 --energy --velocities --output other.asc",
        "medusa --end=0.05 --save 0.02 --step=0.0004 -e -v --output=other.asc "
        "--platoon=platoon.dat",
        "medusa -t0.05 -s0.02 -d0.0004 -e -v -Fother.asc --models model.dat --scheme exponential",
        "medusa --quiet -t0.05 -s0.02 -d0.0004 -e -v -Fother.asc --digits 6 --threads 2",
        "medusa -t7 -t0.05 -s9 -s0.02 -d0.0004 -e -v -Fother.asc", // the last one counts
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        free(cli_done(ways[i]));
        cli_same_files("plain.asc", "other.asc");
        run_put(&folder, "other.asc", "old\n");
    }
    assert_false(run_exists(&folder, "data.asc"));
}

// Calls the binary through a link of another name.
static run_result run_as(const char *name, const char *arguments)
{
    char link[100];
    snprintf(link, sizeof link, "%s/%s", folder.path, name);
    unlink(link);
    assert_int_equal(symlink(MOTORCADE_BINARY, link), 0);
    return run(&folder, link, arguments);
}

static void called_medusa(void **state)
{
    (void)state;
    free(cli_done("medusa -t0.05 -Fplain.asc"));
    run_result r = run_as("medusa", "-t0.05");
    assert_int_equal(r.code, 0);
    cli_same_files("plain.asc", "data.asc");
    run_result_free(&r);

    static const char *const no_end[] = {"", "-e -v", "-fplatoon.dat"};
    for (int i = 0; i < 3; i++) {
        r = run_as("medusa", no_end[i]);
        assert_int_equal(r.code, 2);
        assert_string_equal(r.err, "No endtime specified. Type medusa -h for help\n");
        assert_string_equal(r.out, "");
        run_result_free(&r);
    }
    r = run_as("medusa", "-h");
    assert_int_equal(r.code, 0);
    assert_starts(r.out, "The command line options are:\n\n-dx.xxx");
    run_result_free(&r);
    r = run_as("medusa2", "-t0.05"); // any other name wants a command
    assert_int_equal(r.code, 2);
    assert_string_equal(r.err,
                        "motorcade: unknown command \"-t0.05\"; `motorcade --help` lists them\n");
    run_result_free(&r);
}

static void help(void **state)
{
    (void)state;
    char *text = cli_done("medusa -h");
    // The manual's list, in its order, comes first.
    static const char *const first[] = {"-dx.xxx", "-e", "-ffile", "-Ffile",
                                        "-h",      "-s", "-tx.xx", "-v"};
    const char *at = text;
    for (int i = 0; i < 8; i++) {
        char start[16];
        snprintf(start, sizeof start, "\n%s", first[i]);
        at = strstr(at, start);
        assert_non_null(at);
    }
    static const char *const more[] = {
        "--models FILE",     "--scheme NAME",  "--as-published",
        "--digits N",        "--threads N",    "--hdf5 FILE",
        "--collisions FILE", "--picture FILE", "--energy-tolerance X"};
    for (int i = 0; i < 9; i++)
        assert_non_null(strstr(at, more[i]));
    char *again = cli_done("medusa --help -t10 -e"); // and nothing is run
    assert_string_equal(again, text);
    assert_false(run_exists(&folder, "data.asc"));
    free(again);
    free(text);
    text = cli_done("--help");
    assert_non_null(strstr(text, "\n  medusa "));
    assert_non_null(strstr(text, "\n  equilibrium "));
    free(text);
    text = cli_done("--version");
    assert_starts(text, "motorcade ");
    free(text);
}

static void other_files(void **state)
{
    (void)state;
    char path[100], arguments[200];
    snprintf(path, sizeof path, "%s/sub", folder.path);
    assert_int_equal(mkdir(path, 0700), 0);
    free(cli_done("medusa -t0.05 -Fplain.asc"));
    free(cli_done("medusa -t0.05 -Fsub/deep.out"));
    cli_same_files("plain.asc", "sub/deep.out");
    snprintf(arguments, sizeof arguments, "medusa -t0.05 -F%s/absolute.out", path);
    free(cli_done(arguments));
    cli_same_files("plain.asc", "sub/absolute.out");

    // Models and vehicles from elsewhere; the screen names the output.
    run_copy(&folder, "sub/m", SOURCE_DIR "/scenarios/medusa/model.dat");
    run_copy(&folder, "sub/crash_it", SOURCE_DIR "/scenarios/medusa/platoon.dat");
    unlink(strcat(strcpy(path, folder.path), "/model.dat"));
    unlink(strcat(strcpy(path, folder.path), "/platoon.dat"));
    char *screen = cli_done("medusa -fsub/crash_it --models sub/m -t0.05 -Fsub/again.out");
    assert_non_null(strstr(screen, "The columns of the output file sub/again.out contain"));
    free(screen);
    cli_same_files("plain.asc", "sub/again.out");
    assert_false(run_exists(&folder, "data.asc"));
}

static void quiet(void **state)
{
    (void)state;
    run_result r = cli_run("medusa -t2 --quiet"); // with a collision
    assert_int_equal(r.code, 0);
    assert_string_equal(r.out, "");
    assert_string_equal(r.err, "");
    run_result_free(&r);
    // Without it the odd track of the sample is remarked on, with its place.
    r = cli_run("medusa -t0.01");
    assert_starts(r.err, "model.dat:24:13: B 0.725 m looks like half a track: ");
    run_result_free(&r);
}

// The longest stable step, from the message that rejects a longer one.
static double bound_of(const char *scheme)
{
    char arguments[100];
    snprintf(arguments, sizeof arguments, "medusa -t0.05 --scheme %s -d0.9", scheme);
    run_result r = cli_run(arguments);
    assert_int_equal(r.code, 2);
    char found[32];
    double bound = NAN;
    assert_int_equal(sscanf(r.err,
                            "medusa: step 0.9 s is too long: scheme %31s is stable up to %lf s for "
                            "these models",
                            found, &bound),
                     2);
    assert_string_equal(found, scheme);
    run_result_free(&r);
    return bound;
}

static void steps(void **state)
{
    (void)state;
    static const char *const schemes[] = {"exponential", "published"};
    static const char *const shown[] = {"\n- stepsize: 0.0005 [s]\n", "\n- stepsize: 5e-05 [s]\n"};
    for (int i = 0; i < 2; i++) {
        char arguments[100];
        snprintf(arguments, sizeof arguments, "medusa -t0.01 --scheme %s", schemes[i]);
        char *screen = cli_done(arguments);
        assert_non_null(strstr(screen, shown[i]));
        char line[64];
        snprintf(line, sizeof line, "\n- scheme: %s\n", schemes[i]);
        assert_non_null(strstr(screen, line));
        free(screen);

        const double bound = bound_of(schemes[i]);
        assert_true(bound > 1e-4 && bound < 0.1);
        snprintf(arguments, sizeof arguments, "medusa -t0.05 --scheme %s -d%.9g", schemes[i],
                 0.9999 * bound);
        screen = cli_done(arguments);
        snprintf(line, sizeof line, "\n- stepsize: %g [s]\n", 0.9999 * bound);
        assert_non_null(strstr(screen, line));
        free(screen);
        snprintf(arguments, sizeof arguments, "medusa -t0.05 --scheme %s -d%.9g", schemes[i],
                 1.0001 * bound);
        run_result r = cli_run(arguments);
        assert_int_equal(r.code, 2);
        run_result_free(&r);
    }
    // The screen tells the truth about the scheme when --as-published chose it.
    char *screen = cli_done("medusa -t0.01 --as-published");
    assert_non_null(strstr(screen, "\n- scheme: published\n"));
    assert_non_null(strstr(screen, shown[1]));
    free(screen);
}

// A crowd of both models, close together and crossing: many collisions.
static void threads_do_not_matter(void **state)
{
    (void)state;
    char text[8192], *at = text + sprintf(text, "NUMBER_OF_VEHICLES 24\n");
    for (int i = 0; i < 24; i++)
        at += sprintf(at,
                      "VEHICLE_HAS_MODEL %d INITIALLY_WITH X %g Y %g ORIENTATION %g SPEED %g "
                      "STEERING %g\n",
                      1 + i % 2, 4.0 * (i / 3), 2.5 * (i % 3), 0.02 * (i % 5), 25.0 - i,
                      0.001 * (i % 4));
    run_put(&folder, "crowd.dat", text);
    char *one = cli_done("medusa -t1.5 -fcrowd.dat -e -v --digits 17 --threads 1 -Fa.asc");
    char *two = cli_done("medusa -t1.5 -fcrowd.dat -e -v --digits 17 --threads 2 -Fb.asc");
    cli_same_files("a.asc", "b.asc");
    char *table = strstr(one, "\nvehicles ");
    assert_non_null(table); // there were collisions
    assert_string_equal(table, strstr(two, "\nvehicles "));
    free(one);
    free(two);
    free(cli_done("medusa -t0.2 --threads 1 -Fa.asc --scheme published -fcrowd.dat"));
    free(cli_done("medusa -t0.2 --threads 2 -Fb.asc --scheme published -fcrowd.dat"));
    cli_same_files("a.asc", "b.asc");
}

static void full_screen_is_an_error(void **state)
{
    (void)state;
    char script[300]; // the helper has no other way to point the output somewhere
    snprintf(script, sizeof script,
             "#!/bin/sh\n%s medusa -t0.01 --quiet && "
             "exec %s equilibrium model.dat > /dev/full\n",
             MOTORCADE_BINARY, MOTORCADE_BINARY);
    run_put(&folder, "script", script);
    run_result r = run(&folder, "/bin/sh", "script");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err,
                        "motorcade: cannot write to standard output: No space left on device\n");
    run_result_free(&r);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, cli_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(manual_run),
        TEST(as_published),
        TEST(rows_are_exact),
        TEST(short_and_long_runs),
        TEST(digits),
        TEST(columns_as_listed),
        TEST(one_vehicle_and_many),
        TEST(same_run_however_written),
        TEST(called_medusa),
        TEST(help),
        TEST(other_files),
        TEST(quiet),
        TEST(steps),
        TEST(threads_do_not_matter),
        TEST(full_screen_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
