// test_kinematics.c - `motorcade kinematics` and `motorcade inverse`: tables and files against the
// closed form of a four-bar and against each other; options that are wrong.
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOUR_BAR SOURCE_DIR "/models/four_bar.yaml"

// The rocker of crank 1, coupler 3, rocker 2.5, ground 3: where two circles meet, above the line.
static double rocker_at(double crank)
{
    const double x = cos(crank) - 3.0, y = sin(crank), square = x * x + y * y;
    return atan2(y, x) - acos((square + 2.5 * 2.5 - 9.0) / (2.0 * 2.5 * sqrt(square)));
}

// Row k of a CSV file or of a printed table, `count` numbers; rows begin after `heads` lines.
static void row_of(const char *text, int heads, int k, double *value, int count)
{
    for (int i = 0; i < heads + k; i++) {
        text = strchr(text, '\n');
        assert_non_null(text);
        text++;
    }
    for (int i = 0; i < count; i++) {
        char *end;
        value[i] = strtod(text, &end);
        assert_true(end != text);
        text = *end == ',' ? end + 1 : end;
    }
}

static void table_is_closed_form(void **state)
{
    (void)state;
    char *text = cli_printed("kinematics " FOUR_BAR " --drive crank.angle=0.2:170deg:4 --record "
                             "crank.angle,rocker.angle,rate:rocker.angle,load:crank.angle,"
                             "rate:energy.potential");
    cli_has(text, "rate:rocker.angle");
    for (int k = 0; k < 4; k++) {
        double v[5];
        row_of(text, 2, k, v, 5);
        const double crank = 0.2 + (170.0 * M_PI / 180.0 - 0.2) * k / 3.0, h = 1e-5;
        cli_near(v[0], crank, 1e-8);
        cli_near(v[1], rocker_at(crank), 1e-8);
        cli_near(v[2], (rocker_at(crank + h) - rocker_at(crank - h)) / (2.0 * h), 1e-7);
        cli_near(v[3], v[4], 1e-6 * fabs(v[4])); // virtual work
    }
    free(text);
}

static void files_hold_the_same(void **state)
{
    (void)state;
    free(cli_done("kinematics " FOUR_BAR " --drive crank.angle=0:90deg:19 --let "
                  "tip=3*sin(crank.angle+coupler.angle) --record crank.angle,tip,rocker.angle "
                  "--csv way.csv -o way.h5 --plot tip --svg way.svg"));
    char *csv = run_get(&folder, "way.csv", NULL);
    int lines = 0;
    for (const char *c = csv; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 20);
    double v[4];
    row_of(csv, 1, 18, v, 4);
    cli_near(v[0], 1.0, 1e-15); // the way runs from 0 to 1
    cli_near(v[1], M_PI / 2.0, 1e-15);
    cli_near(v[2], 2.5 * sin(v[3]) - 1.0, 1e-14); // the pin is closed
    cli_near(v[3], rocker_at(M_PI / 2.0), 1e-14);
    free(csv);
    char *svg = run_get(&folder, "way.svg", NULL);
    cli_has(svg, "<svg");
    free(svg);
    assert_true(run_exists(&folder, "way.h5"));
    char *quiet = cli_printed("kinematics " FOUR_BAR " --drive crank.angle=0:1:3 --csv q.csv -q");
    assert_string_equal(quiet, "");
    free(quiet);
}

// A way that ends: the place, which joint opens, the rows so far.
static void toggle_is_named(void **state)
{
    (void)state;
    cli_rejected_with("kinematics " FOUR_BAR " --drive rocker.angle=1.8:2.6:9 --csv t.csv -q", 1,
                      "rocker.angle = 2.4188584");
    cli_rejected_with("kinematics " FOUR_BAR " --drive rocker.angle=1.8:2.6:9 --csv t.csv -q", 1,
                      "pin stays open by ");
    char *csv = run_get(&folder, "t.csv", NULL);
    double v[2];
    row_of(csv, 1, 6, v, 2);
    cli_near(v[1], 2.4, 1e-12);
    free(csv);
}

// Torque times speed is the rate of the energy; at rest inverse dynamics is kinematics.
static void inverse_balances(void **state)
{
    (void)state;
    char *text = cli_printed("inverse " FOUR_BAR " --motion crank.angle=1.5+0.8*sin(3*t) "
                             "--end 1 --step 0.25 --record "
                             "crank.angle,crank.angle_rate,load:crank.angle,rate:energy.total");
    for (int k = 0; k < 5; k++) {
        double v[5];
        row_of(text, 2, k, v, 5);
        cli_near(v[0], 0.25 * k, 1e-9);
        cli_near(v[1], 1.5 + 0.8 * sin(3.0 * v[0]), 1e-8);
        cli_near(v[2], 2.4 * cos(3.0 * v[0]), 1e-8);
        cli_near(v[2] * v[3], v[4], 1e-7 * fmax(fabs(v[4]), 1.0));
    }
    free(text);
    double still[2], driven[2];
    text = cli_printed("inverse " FOUR_BAR " --motion crank.angle=2 --end 0.1 --step 0.1 --record "
                       "load:crank.angle");
    row_of(text, 2, 1, still, 2);
    free(text);
    text = cli_printed("kinematics " FOUR_BAR " --drive crank.angle=2:2.1:2 --record "
                       "crank.angle,load:crank.angle");
    row_of(text, 2, 0, driven, 2);
    free(text);
    cli_near(still[1], driven[1], 1e-7 * fabs(driven[1]));
}

static void wrong_words(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } bad[] = {
        {"kinematics " FOUR_BAR, "nothing is driven"},
        {"kinematics", "no model given"},
        {"kinematics " FOUR_BAR " --drive crank.angel=0:1:3", "did you mean crank.angle"},
        {"kinematics " FOUR_BAR " --drive crank.angle=0:1", "how many values?"},
        {"kinematics " FOUR_BAR " --drive crank.angle=0:1m:3", "unit"},
        {"kinematics " FOUR_BAR " --drive crank.angle=0:1:3 --record rockr.angle",
         "did you mean rocker.angle"},
        {"kinematics " FOUR_BAR " --drive crank.angle=0:1:3 --hold crnk", "crnk"},
        {"inverse " FOUR_BAR, "no motion given"},
        {"inverse " FOUR_BAR " --motion crank.angle=2*t*q", "unknown name \"q\""},
        {"inverse " FOUR_BAR " --motion crank.angle=t --step 0", "--step"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cli_rejected_with(bad[i].arguments, 2, bad[i].message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(table_is_closed_form, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(files_hold_the_same, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(toggle_is_named, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(inverse_balances, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(wrong_words, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
