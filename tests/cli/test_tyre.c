// test_tyre.c - `motorcade tyre`: the list, the card of a law and of a file, curves, wrong calls;
// and scenarios with files of tyres.
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PASSENGER SOURCE_DIR "/models/passenger_245_40R18.tir"

static void list_and_cards(void **state)
{
    (void)state;
    const char *const laws[] = {"calspan", "brush", "linear",  "fiala",
                                "tmeasy",  "pac89", "pac2002", "none"};
    char *list = cli_printed("tyre");
    for (int k = 0; k < 8; k++) {
        char call[80], head[40];
        snprintf(head, sizeof head, "  %-10s ", laws[k]);
        cli_has(list, head);
        snprintf(call, sizeof call, "tyre %s --loads 4000", laws[k]);
        char *card = cli_printed(call);
        cli_has(card, laws[k]);
        cli_has(card, "\n    4000 ");
        free(card);
    }
    free(list);
    char *help = cli_printed("tyre -h");
    cli_has(help, "usage: motorcade tyre [LAW | FILE.tir] [OPTIONS]");
    free(help);
}

// Kx, Ky and mu_x of the passenger tyre at its nominal load, computed elsewhere.
static void card_of_a_file(void **state)
{
    (void)state;
    char *card = cli_printed("tyre " PASSENGER " --loads 3928.5");
    const char *row = strstr(card, "\n  3928.5 ");
    assert_non_null(row);
    double fz, slip, top, at, cornering;
    assert_int_equal(sscanf(row, "%lf %lf %lf %lf %lf", &fz, &slip, &top, &at, &cornering), 5);
    cli_near(slip, 87617.336, 100.0);     // shifts make the slope at zero slip a little smaller
    cli_near(top, 1.17390 * 3928.5, 2.0); // of the points of the curve
    cli_near(cornering, -68865.38, 1000.0);
    free(card);
}

static void curves(void **state)
{
    (void)state;
    free(cli_printed("tyre tmeasy --loads 3000,6000 --camber 2 --csv t.csv --svg t"));
    char *csv = run_get(&folder, "t.csv", NULL);
    assert_true(
        strncmp(csv, "curve,fz_N,kappa,alpha_rad,camber_rad,fx_N,fy_N,mz_Nm\nslip,3000,", 62) == 0);
    int rows = 0;
    for (const char *c = csv; (c = strchr(c, '\n')); c++)
        rows++;
    assert_int_equal(rows, 1 + 241 * (2 + 2 + 7));
    cli_has(csv, "\nangle,6000,0,");
    cli_has(csv, "\ncombined,6000,");
    free(csv);
    const char *const figures[] = {"t-x.svg", "t-y.svg", "t-combined.svg"};
    for (int k = 0; k < 3; k++) {
        char *svg = run_get(&folder, figures[k], NULL);
        cli_has(svg, "<svg");
        cli_has(svg, k < 2 ? "6000 N" : "12 deg");
        free(svg);
    }
}

static void wrong_calls(void **state)
{
    (void)state;
    cli_rejected("tyre brsh", 2,
                 "motorcade tyre: unknown tyre \"brsh\"; did you mean \"brush\"? expected calspan, "
                 "brush, linear, fiala, tmeasy, pac89, pac2002 or none, or a file\n");
    cli_rejected("tyre brush --set grip=1", 2,
                 "motorcade tyre: tyre brush has no parameter \"grip\"\n");
    cli_rejected(
        "tyre brush --set friction=9", 2,
        "motorcade tyre: friction = 9: peak friction on the reference road must be in 0.01 "
        ".. 3\n");
    cli_rejected("tyre brush --loads 3000,x", 2,
                 "motorcade tyre: option --loads: found \"3000,x\"; expected 1 to 8 loads of 1 .. "
                 "1e6 N, for example 2000,4000,6000\n");
    cli_rejected("tyre brush linear", 2,
                 "motorcade tyre: only one tyre is expected: found \"linear\" after \"brush\"\n");
    cli_rejected_with("tyre missing.tir", 2, "missing.tir");
    run_put(&folder, "bad.tir", "[MODEL]\nPROPERTY_FILE_FORMAT = 'PAC2002'\nUSE_MODE = x\n");
    cli_rejected_with("tyre bad.tir", 2,
                      "bad.tir:3:12: USE_MODE is \"x\"; expected a whole number");
}

#define SCENARIO(tyre)                                                                             \
    "motorcade: scenario\ntime: {end: 2}\nmodels:\n  car: {kind: cosserat, file: model.dat, "      \
    "number: 1, tyre: " tyre "}\nvehicles:\n  - {name: a, model: car, x: 0, v: 20}\n"

// A scenario names the file; what is wrong with it is told with the place in it.
static void in_a_scenario(void **state)
{
    (void)state;
    cli_copy_medusa();
    run_put(&folder, "good.yaml", SCENARIO("{kind: pac2002, file: " PASSENGER ", damping: 1500}"));
    free(cli_done("run good.yaml -o good.h5"));
    run_put(&folder, "bad.tir", "[MODEL]\nPROPERTY_FILE_FORMAT = 'PAC2002'\nVXLOW = -1\n");
    run_put(&folder, "bad.yaml", SCENARIO("{kind: pac2002, file: bad.tir}"));
    cli_rejected_with("check bad.yaml", 2, "bad.tir:3:9: VXLOW is -1 m/s; expected 0.1 .. 20");
    run_put(&folder, "none.yaml", SCENARIO("{kind: brush, file: bad.tir}"));
    cli_rejected_with("check none.yaml", 2,
                      "none.yaml:4:73: tyre brush has no file; its numbers are keys");
    run_put(&folder, "gone.yaml", SCENARIO("{kind: pac2002, file: gone.tir}"));
    cli_rejected_with("check gone.yaml", 2, "gone.tir");
    // What is not read is told, and nothing else.
    run_copy(&folder, "more.tir", PASSENGER);
    char *text = run_get(&folder, "more.tir", NULL), *longer = malloc(strlen(text) + 100);
    sprintf(longer, "%s\nQXZ9 = 1\n", text);
    run_put(&folder, "more.tir", longer);
    run_put(&folder, "more.yaml", SCENARIO("{kind: pac2002, file: more.tir}"));
    run_result result = cli_run("check more.yaml");
    assert_int_equal(result.code, 0);
    cli_has(result.err,
            "QXZ9 is not read: not a key of [ALIGNING_COEFFICIENTS] that this law knows");
    run_result_free(&result);
    free(text);
    free(longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_and_cards), cmocka_unit_test(card_of_a_file),
        cmocka_unit_test(curves),         cmocka_unit_test(wrong_calls),
        cmocka_unit_test(in_a_scenario),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
