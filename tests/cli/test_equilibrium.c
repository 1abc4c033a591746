// test_equilibrium.c - `motorcade equilibrium`: what it prints, that it is at rest, that --write
// changes ten numbers per model and nothing else.
#include "support/cli.h"
#include "support/sample.h"

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

enum { NUMBERS = 10, TEXT = 1 << 16 }; // R3, D11, ..., D33

static const char *const names[NUMBERS] = {"R3",  "D11", "D12", "D13", "D21",
                                           "D22", "D23", "D31", "D32", "D33"};

static int set_up(void **state)
{
    cli_set_up(state);
    cli_copy_medusa();
    return 0;
}

static void assert_printed(const char *arguments, const char *expected)
{
    char *text = cli_printed(arguments);
    assert_string_equal(text, expected);
    free(text);
}

// ---- the form ----------------------------------------------------------------------------------

// Reads a block printed at text; returns its end.
static const char *read_block(const char *text, double value[NUMBERS])
{
    int length = 0;
    sscanf(text,
           "EQUILIBRIUM R3 %lf D11 %lf D12 %lf D13 %lf D21 %lf D22 %lf D23 %lf D31 %lf D32 %lf D33 "
           "%lf%n",
           &value[0], &value[1], &value[2], &value[3], &value[4], &value[5], &value[6], &value[7],
           &value[8], &value[9], &length);
    assert_true(length > 0);
    char expected[1000];
    snprintf(expected, sizeof expected,
             "EQUILIBRIUM\nR3 %.15g\nD11 %.15g D12 %.15g D13 %.15g\nD21 %.15g D22 %.15g D23 "
             "%.15g\nD31 %.15g D32 %.15g D33 %.15g\n",
             value[0], value[1], value[2], value[3], value[4], value[5], value[6], value[7],
             value[8], value[9]);
    assert_memory_equal(text, expected, strlen(expected));
    return text + strlen(expected);
}

static void print_form(void **state)
{
    (void)state;
    double value[NUMBERS];
    char *one = cli_printed("equilibrium model.dat -m 1"),
         *two = cli_printed("equilibrium model.dat -m 2");
    assert_string_equal(read_block(one, value), "");
    assert_string_equal(read_block(two, value), "");
    // The springs carry the weight, and the car leans back a little on the softer front.
    assert_true(fabs(value[0] + 0.0406) < 1e-4);
    assert_true(fabs(value[3] + 0.0749) < 1e-4 && value[4] == 0.0 && value[5] == 1.0);
    assert_printed("equilibrium model.dat -m1", one);
    assert_printed("equilibrium -m 1 model.dat", one);
    assert_printed("equilibrium --model 1 model.dat", one);
    assert_printed("equilibrium model.dat --model=2", two);
    char both[2000];
    snprintf(both, sizeof both, "%% MODEL 1\n%s%% MODEL 2\n%s", one, two);
    assert_printed("equilibrium model.dat", both);
    free(one);
    free(two);
    char *help = cli_printed("equilibrium -h");
    assert_non_null(strstr(help, "-m N"));
    assert_non_null(strstr(help, "--write"));
    free(help);
}

// ---- model files of many cars ------------------------------------------------------------------

typedef struct car {
    const char *e, *nu, *mass, *l1, *l2, *h1, *h2, *spring_ref, *c1, *c2, *more;
} car;

static const car cars[] = {
    {"200e6", "0.30", "1573", "1.034", "1.491", "0", "0", "0.15", "17000", "40000", ""},
    {"200e7", "0.33", "1573", "1.034", "1.491", "0", "0", "0.15", "17000", "40000", ""},
    {"5e6", "0.45", "1573", "1.034", "1.491", "0.2", "0.3", "0.15", "17000", "40000", ""}, // jelly
    {"200e6", "0", "1200", "1.3", "1.3", "0.1", "0.1", "0.4", "25000", "25000", ""},       // level
    {"200e9", "0.3", "1573", "1.6", "0.9", "-0.1", "0.2", "0", "60000", "20000", ""}, // nose down
    {"200e6", "-0.5", "18000", "3.1", "2.4", "0.4", "0.5", "0.9", "300000", "500000",
     "TYRE_MODEL none SUSPENSION_MODEL linear lift_off 0 CONTACT_MODEL ellipsoid x 0.3 z 0.2"},
    {"1e9", "0.2", "900", "1.1", "1.2", "0.1", "0.15", "-0.2", "9000", "11000",
     "TYRE_MODEL calspan A0 2000"}, // soft springs
};
enum { CARS = sizeof cars / sizeof cars[0] };

// Adds MODEL k with the given EQUILIBRIUM numbers.
static char *add_model(char *at, int k, const double rest[NUMBERS])
{
    const car *c = &cars[k];
    at += sprintf(at,
                  "MODEL %d COSSERAT_POINT MASS %s IX 480 IY 2600 IZ 2800 E %s NU %s VOLUME 0.42\n"
                  "SUSPENSION L1 %s L2 %s B 1.45 H1 %s H2 %s SPRING_REF %s C1 %s C2 %s D1 1500 D2 "
                  "1200\nTYRE 0.0016 CONTACT A1 1.5 A2 1 A3 1\nEQUILIBRIUM\n",
                  k + 1, c->mass, c->e, c->nu, c->l1, c->l2, c->h1, c->h2, c->spring_ref, c->c1,
                  c->c2);
    for (int i = 0; i < NUMBERS; i++)
        at += sprintf(at, "%s %.17g ", names[i], rest[i]);
    return at + sprintf(at, "%s\n", c->more);
}

static const double manual_start[NUMBERS] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1}; // section 2.6

static void put_models(const char *name, double rest[CARS][NUMBERS])
{
    static char text[TEXT];
    char *at = text + sprintf(text, "NUMBER_OF_MODELS %d\n", CARS);
    for (int k = 0; k < CARS; k++)
        at = add_model(at, k, rest ? rest[k] : manual_start);
    run_put(&folder, name, text);
}

// One car of each model, far apart, at `speed`.
static void put_platoon(const char *name, double speed)
{
    char text[4096], *at = text + sprintf(text, "NUMBER_OF_VEHICLES %d\n", CARS);
    for (int k = 0; k < CARS; k++)
        at +=
            sprintf(at,
                    "VEHICLE_HAS_MODEL %d INITIALLY_WITH X 0 Y %d ORIENTATION 0 SPEED %g STEERING "
                    "0\n",
                    k + 1, 20 * k, speed);
    run_put(&folder, name, text);
}

// The largest change of r3 and of the directors of any car over all rows of data.asc.
static double largest_motion(void)
{
    run_table t = run_table_read(&folder, "data.asc");
    assert_int_equal(t.column_count, 1 + 12 * CARS);
    assert_int_equal(t.row_count, 101);
    double max = 0.0;
    for (int i = 1; i < t.row_count; i++)
        for (int k = 0; k < CARS; k++)
            for (int j = 2; j < 12; j++)
                max =
                    fmax(max, fabs(run_at(&t, i, 1 + 12 * k + j) - run_at(&t, 0, 1 + 12 * k + j)));
    run_table_free(&t);
    return max;
}

static void written_rest_does_not_move(void **state)
{
    (void)state;
    put_models("many.dat", NULL);
    static const double speeds[] = {20.0, 1.5, -3.0}; // a slip angle means nothing below 1 m/s
    put_platoon("cars.dat", speeds[0]);
    free(cli_printed("medusa -t1 --digits 17 --quiet --models many.dat -fcars.dat"));
    assert_true(largest_motion() > 1e-2); // before: they settle on their springs
    assert_printed("equilibrium many.dat --write", "");
    double max = 0.0;
    for (int i = 0; i < 3; i++) {
        put_platoon("cars.dat", speeds[i]);
        free(cli_printed("medusa -t1 --digits 17 --quiet --models many.dat -fcars.dat"));
        max = fmax(max, largest_motion());
    }
    free(cli_printed(
        "medusa -t1 --digits 17 --quiet --models many.dat -fcars.dat --scheme published"));
    max = fmax(max, largest_motion());
    if (!(max < 1e-9))
        fail_msg("a car at rest moves by %g", max);
    print_message("a car at rest moves by %.2g at most\n", max);
}

// What was printed, put by hand into the file, is a rest too.
static void printed_rest_does_not_move(void **state)
{
    (void)state;
    put_models("many.dat", NULL);
    double rest[CARS][NUMBERS];
    for (int k = 0; k < CARS; k++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "equilibrium many.dat -m %d", k + 1);
        char *text = cli_printed(arguments);
        read_block(text, rest[k]);
        free(text);
    }
    put_models("pasted.dat", rest);
    put_platoon("cars.dat", 20.0);
    free(cli_printed("medusa -t1 --digits 17 --quiet --models pasted.dat -fcars.dat"));
    assert_true(largest_motion() < 1e-9);
    char *before = cli_printed("equilibrium many.dat");
    assert_printed("equilibrium pasted.dat", before);
    free(before);
}

// Section 2.6: drive one car for long from the manual's start, and read the last line. The dampers
// have stilled the car by then, and nearly its chassis.
static void manual_procedure_agrees(void **state)
{
    (void)state;
    put_models("many.dat", NULL);
    run_put(&folder, "test.dat",
            "NUMBER_OF_VEHICLES 1\nVEHICLE_HAS_MODEL 1 INITIALLY_WITH X 0.0 Y 0.0\n"
            "ORIENTATION 0.0 SPEED 20 STEERING 0.0\n");
    free(cli_printed("medusa -t40 -s40 --digits 12 --quiet -ftest.dat --models many.dat"));
    double rest[NUMBERS];
    char *text = cli_printed("equilibrium many.dat -m 1");
    read_block(text, rest);
    free(text);
    run_table t = run_table_read(&folder, "data.asc");
    assert_int_equal(t.row_count, 2);
    for (int i = 0; i < NUMBERS; i++)
        if (!(fabs(run_at(&t, 1, 3 + i) - rest[i]) < (i == 0 ? 1e-9 : 2e-6)))
            fail_msg("%s: %.12g after 40 s, %.12g by equilibrium", names[i], run_at(&t, 1, 3 + i),
                     rest[i]);
    run_table_free(&t);
}

// ---- any start ---------------------------------------------------------------------------------

// Three vectors that span a volume between 0.2 and 5, nowhere near a rest.
static void random_start(unsigned long long *seed, double rest[NUMBERS])
{
    double volume;
    rest[0] = sample_uniform(seed, -100.0, 100.0);
    do {
        for (int i = 1; i < NUMBERS; i++)
            rest[i] = sample_uniform(seed, -2.0, 2.0);
        const double *a = &rest[1], *b = &rest[4], *c = &rest[7];
        volume = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                 a[2] * (b[0] * c[1] - b[1] * c[0]);
    } while (volume < 0.2 || volume > 5.0);
}

static void any_start_gives_the_same(void **state)
{
    (void)state;
    put_models("many.dat", NULL);
    char *expected = cli_printed("equilibrium many.dat");
    unsigned long long seed = 1998;
    for (int round = 0; round < 20; round++) {
        double rest[CARS][NUMBERS];
        for (int k = 0; k < CARS; k++)
            random_start(&seed, rest[k]);
        put_models("garbage.dat", rest);
        assert_printed("equilibrium garbage.dat", expected);
    }
    free(expected);
}

// ---- --write -----------------------------------------------------------------------------------

// A file as a person or another system may have written it; \a stands for a number of the rests.
static const char odd_file[] =
    "\xEF\xBB\xBF% Zwei Wagen, R3 5 D11 7, \xC3\xA4ltere Datei\r\n"
    "number_of_models\t2%R3 1\r\n"
    "Model 1 Cosserat_Point mass 1573 ix 479.6 iy 2594.6 iz 2782 e 200e6 nu .3 volume 0.42\r\n"
    "suspension l1 1.034 l2 1.491 b 1.45 h1 0 h2 0 spring_ref .15 c1 17e3 c2 40e3 d1 1500 d2 1200"
    "\r\ntyre 0.0016 contact a1 1.5 a2 1 a3 1\r\n\r\n"
    "equilibrium % R3 3 EQUILIBRIUM\r\n\tr3\t\a% m, of old\r\n"
    "d11 % D11 9\r\n  \a d12 \a   d13 \a %D13\r\n\r\nd21 \a\td22 \a d23\r\n\a\r\n"
    "D31 \a D32 \a D33 \a\r\n"
    "TYRE_MODEL calspan lag 0.0016 % equilibrium r3 4\r\n"
    "MODEL 2 COSSERAT_POINT MASS 1573 IX 479.6 IY 2594.6 IZ 2782 E 200e7 NU .33 VOLUME 0.42\n"
    "SUSPENSION L1 1.034 L2 1.491 B 1.45 H1 0 H2 0.1 SPRING_REF .15 C1 17e3 C2 40e3 D1 1500 "
    "D2 1200\nTYRE 0.0016 CONTACT A1 1.5 A2 1 A3 1 EQUILIBRIUM R3 \a D11 \a D12 \a D13 \a D21 \a "
    "D22 \a D23 \a D31 \a D32 \a D33 \a"; // and no newline

static void put_odd_file(const char *const numbers[NUMBERS])
{
    char text[4096], *at = text;
    int used = 0;
    for (const char *c = odd_file; *c; c++) {
        if (*c == '\a')
            at = stpcpy(at, numbers[used++ % NUMBERS]);
        else
            *at++ = *c;
    }
    assert_int_equal(used, 2 * NUMBERS);
    run_put_bytes(&folder, "odd.dat", text, (size_t)(at - text));
}

// Every byte of odd.dat but the numbers must be there; reads the numbers.
static void read_odd_file(double value[2][NUMBERS])
{
    size_t size;
    char *text = run_get(&folder, "odd.dat", &size), *at = text;
    int used = 0;
    for (const char *c = odd_file; *c; c++) {
        if (*c != '\a') {
            if (*at++ != *c)
                fail_msg("byte %d of the text has changed", (int)(c - odd_file));
            continue;
        }
        char *end, again[40];
        value[used / NUMBERS][used % NUMBERS] = strtod(at, &end);
        assert_true(end > at);
        snprintf(again, sizeof again, "%.17g", value[used / NUMBERS][used % NUMBERS]);
        assert_true((size_t)(end - at) <= strlen(again) || strncmp(at, "+0", 2) == 0);
        used++;
        at = end;
    }
    assert_ptr_equal(at, text + size);
    free(text);
}

static const char *const odd_numbers[NUMBERS] = {
    "+00.5", "1.", "0", "-.1", "0e0", "1E0", "0", ".1", "0", "1.0000000000000000000"};

static void write_keeps_the_rest(void **state)
{
    (void)state;
    put_odd_file(odd_numbers);
    char *one = cli_printed("equilibrium odd.dat -m1"), *both = cli_printed("equilibrium odd.dat");
    double solved[NUMBERS], value[2][NUMBERS];
    read_block(one, solved);
    struct stat status;
    char path[100];
    snprintf(path, sizeof path, "%s/odd.dat", folder.path);
    assert_int_equal(chmod(path, 0640), 0);

    // Only one of the two.
    assert_printed("equilibrium odd.dat -m 1 --write", "");
    char *text = run_get(&folder, "odd.dat", NULL);
    const char *tail = strstr(text, "MODEL 2"); // up to the old numbers of model 2
    assert_non_null(tail);
    assert_non_null(strstr(tail, "R3 +00.5 D11 1. D12 0 D13 -.1 D21 0e0 D22 1E0 D23 0 D31 .1 D32 0 "
                                 "D33 1.0000000000000000000"));
    free(text);
    assert_printed("equilibrium odd.dat -m1", one);

    // Both; the numbers are those printed, with all their digits, and solving again gives the same.
    assert_printed("equilibrium odd.dat -w", "");
    read_odd_file(value);
    for (int i = 0; i < NUMBERS; i++)
        assert_true(fabs(value[0][i] - solved[i]) <= 1e-15);
    assert_printed("equilibrium odd.dat", both);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    char *before = run_get(&folder, "odd.dat", NULL);
    assert_printed("equilibrium odd.dat --write", "");
    char *after = run_get(&folder, "odd.dat", NULL);
    assert_string_equal(before, after);
    free(before);
    free(after);
    free(one);
    free(both);
}

// The sample file: all lines but the ten with the numbers are as they were, and no file is added.
static void write_the_sample(void **state)
{
    (void)state;
    char *before = run_get(&folder, "model.dat", NULL);
    assert_printed("equilibrium model.dat --write", "");
    char *after = run_get(&folder, "model.dat", NULL);
    int changed = 0, lines = 0;
    char *old = before, *fresh = after, *a, *b;
    while ((a = strsep(&old, "\n")) && (b = strsep(&fresh, "\n"))) {
        lines++;
        if (strcmp(a, b) == 0)
            continue;
        changed++;
        const char *comment = strchr(a, '%');
        assert_true(!comment || strstr(b, comment)); // kept
        assert_int_equal(strspn(a, " "), strspn(b, " "));
    }
    assert_true(!old && !fresh && lines > 80);
    assert_in_range(changed, 6, 8); // R3 and the directors; D21 0 D22 1 D23 0 may be written alike
    free(before);
    free(after);
    char *listing = run_listing(&folder, false);
    assert_null(strstr(listing, "tmp"));
    free(listing);
}

// ---- no rest -----------------------------------------------------------------------------------

static void no_rest(void **state)
{
    (void)state;
    char *text = run_get(&folder, "model.dat", NULL);
    char *at = strstr(text, "C1    17000.0"), *last = strstr(text, "C2    40000.0");
    assert_true(at && last);
    memcpy(at, "C1    0.00100", 13);
    memcpy(last, "C2    0.00100", 13);
    run_put(&folder, "weak.dat", text);
    run_age(&folder);
    static const char *const ways[] = {"equilibrium weak.dat", "equilibrium weak.dat -w",
                                       "equilibrium weak.dat -m 1"};
    for (int i = 0; i < 3; i++) {
        char *before = run_listing(&folder, false);
        run_result r = cli_run(ways[i]);
        assert_int_equal(r.code, 1);
        assert_string_equal(r.out, "");
        double rest;
        int length = 0;
        sscanf(r.err,
               "weak.dat:10:1: model 1: no equilibrium found: an acceleration of %lf remains; the "
               "springs cannot carry the vehicle upright\n%n",
               &rest, &length);
        assert_int_equal(length, r.err_size);
        char *after = run_listing(&folder, false);
        assert_string_equal(before, after);
        free(before);
        free(after);
        run_result_free(&r);
    }
    char *fine = cli_printed("equilibrium weak.dat -m 2"); // the other model has one
    free(fine);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, cli_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(print_form),
        TEST(written_rest_does_not_move),
        TEST(printed_rest_does_not_move),
        TEST(manual_procedure_agrees),
        TEST(any_start_gives_the_same),
        TEST(write_keeps_the_rest),
        TEST(write_the_sample),
        TEST(no_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
