// test_identify.c - `motorcade identify`: table, verdicts, files, bad input.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void the_bench(void **state)
{
    (void)state;
    char *text = cli_printed("identify");
    cli_has(text,
            "gamma2/gamma1 = 5e-05 s/kg; safe below 8.13e-05, convergent below 0.000435: safe");
    double mass, band, force, truth;
    const char *verdict = strstr(text, "\nmass ");
    assert_non_null(verdict);
    assert_int_equal(sscanf(verdict,
                            "\nmass %lf kg +- %lf kg (%lf kg of it from errors of up to 20 %% in "
                            "drive and drag force); true %lf kg, in the band",
                            &mass, &band, &force, &truth),
                     4);
    assert_true(fabs(mass - 2000.0) < 1.0 && truth == 2000.0);
    assert_true(band > 20.0 && band < 100.0 && force <= band);
    int lines = 0;
    for (const char *c = text; (c = strchr(c, '\n')); c++)
        lines++;
    assert_int_equal(lines, 1 + 1 + 2 + 14 + 1 + 2); // every 5 s to 65 s
    free(text);
}

static void options_reach_the_bench(void **state)
{
    (void)state;
    char *text = cli_printed("identify --true 2600 --start 1800 --force-error 10% --every 20");
    cli_has(text, "errors of up to 10 % in drive and drag force); true 2600.0 kg, in the band");
    free(text);
    text = cli_printed("identify --force-error=0.1 --gamma2 2e-10");
    cli_has(text, "convergent, but not proved by a Lyapunov function");
    cli_has(text, "errors of up to 10 %");
    free(text);
    text = cli_printed("identify --gamma2 9e-10");
    cli_has(text, "WARNING: the estimate may diverge");
    cli_has(text, "no claim: gamma2/gamma1 is above the convergence bound");
    free(text);
    text = cli_printed("identify --deceleration 0 --wave 0");
    cli_has(text, "no claim: the car never braked");
    cli_has(text, "least squares: no claim");
    free(text);
    text = cli_printed("identify --duration 3");
    cli_has(text, "no claim: excitation");
    free(text);
    text = cli_printed("identify --noise 0.05 --duration 20 --study 20");
    cli_has(text, "noise of the speed 0.05 m/s, 20 runs:");
    cli_has(text, "least squares        20");
    free(text);
}

static void seeds_decide_the_noise(void **state)
{
    (void)state;
    char *one = cli_printed("identify --noise 0.1 --seed 4"),
         *same = cli_printed("identify --noise 0.1 --seed 4");
    char *other = cli_printed("identify --noise 0.1 --seed 5");
    assert_string_equal(one, same);
    assert_string_not_equal(one, other);
    free(one), free(same), free(other);
}

static void files(void **state)
{
    (void)state;
    free(cli_printed("identify --csv rows.csv --svg mass.svg --duration 10 --record 0.5"));
    size_t size;
    char *csv = run_get(&folder, "rows.csv", &size), *svg = run_get(&folder, "mass.svg", &size);
    cli_has(csv, "t [s],v_leader [m/s],v [m/s],v_model [m/s],");
    int lines = 0;
    for (const char *c = csv; (c = strchr(c, '\n')); c++)
        lines++;
    assert_int_equal(lines, 1 + 21);
    cli_has(csv, "\n0,30,30,30,30,30,0,2000,1400,700,nan,nan,0,1,0,0\n");
    cli_has(svg, "<svg");
    cli_has(svg, "true mass");
    cli_has(svg, "observer");
    cli_has(svg, "least squares");
    free(csv), free(svg);
}

static void help(void **state)
{
    (void)state;
    char *text = cli_printed("identify -h");
    cli_has(text, "--force-error NUMBER");
    cli_has(text, "(kg, default 2000)");
    cli_has(text, "--study N");
    free(text);
    text = cli_printed("--help");
    cli_has(text, "  identify ");
    free(text);
}

static void rejections(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"identify --true 5", "option --true: "},
        {"identify --true heavy", "option --true: "},
        {"identify --true 20%", "option --true: "}, // a mass is no share
        {"identify --force-error 120%", "option --force-error: "},
        {"identify --force-error -1%", "option --force-error: "},
        {"identify --force-error %", "option --force-error: "},
        {"identify --gamma1 0", "gamma1 is 0, expected more than 0"},
        {"identify --step 1", "option --step: "},
        {"identify --study 1", "option --study: "},
        {"identify --mass 2000", "--mass"},
        {"identify --gama2 1e-10", "did you mean"},
        {"identify model.yaml", "unexpected \"model.yaml\"; expected options only"},
        {"identify --svg no/such/folder.svg", "no/such"},
        {"identify --svg a --csv a", "--svg would overwrite the file written by --csv"},
        {"identify --duration 100000 --step 0.0001",
         "duration / step is 1e+09 steps, expected at most 1e8"},
        {"identify --true", "--true"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cli_rejected_with(cases[k].arguments, strstr(cases[k].message, "no/such") ? 1 : 2,
                          cases[k].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bench),
        cmocka_unit_test(options_reach_the_bench),
        cmocka_unit_test(seeds_decide_the_noise),
        cmocka_unit_test(files),
        cmocka_unit_test(help),
        cmocka_unit_test(rejections),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
