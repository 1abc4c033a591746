// test_identify.c - `motorcade identify`: table, verdicts, files, refusals.
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static run_folder folder;

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

static char *printed(const char *arguments)
{
    run_result r = run(&folder, MOTORCADE_BINARY, arguments);
    if (r.code != 0 || r.err_size > 0)
        fail_msg("motorcade %s: exit code %d: %s", arguments, r.code, r.err);
    free(r.err);
    return r.out;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void the_bench(void **state)
{
    (void)state;
    char *text = printed("identify");
    has(text, "gamma2/gamma1 = 5e-05 s/kg; safe below 8.13e-05, convergent below 0.000435: safe");
    double mass, band, force, truth;
    const char *verdict = strstr(text, "\nmass ");
    assert_non_null(verdict);
    assert_int_equal(
        sscanf(verdict,
               "\nmass %lf kg +- %lf kg (%lf kg of it by drive and drag force wrong by "
               "up to 20 %%); true %lf kg, in the band",
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
    char *text = printed("identify --true 2600 --start 1800 --force-error 10% --every 20");
    has(text, "wrong by up to 10 %); true 2600.0 kg, in the band");
    free(text);
    text = printed("identify --force-error=0.1 --gamma2 2e-10");
    has(text, "convergent, but no Lyapunov function vouches for it");
    has(text, "wrong by up to 10 %");
    free(text);
    text = printed("identify --gamma2 9e-10");
    has(text, "WARNING: the estimate may run away");
    has(text, "no claim: gamma2/gamma1 is above the bound of convergence");
    free(text);
    text = printed("identify --deceleration 0 --wave 0");
    has(text, "no claim: the car never braked");
    has(text, "least squares: no claim");
    free(text);
    text = printed("identify --duration 3");
    has(text, "no claim: excitation");
    free(text);
    text = printed("identify --noise 0.05 --duration 20 --study 20");
    has(text, "noise of the speed 0.05 m/s, 20 runs:");
    has(text, "least squares        20");
    free(text);
}

static void seeds_decide_the_noise(void **state)
{
    (void)state;
    char *one = printed("identify --noise 0.1 --seed 4"),
         *same = printed("identify --noise 0.1 --seed 4");
    char *other = printed("identify --noise 0.1 --seed 5");
    assert_string_equal(one, same);
    assert_string_not_equal(one, other);
    free(one), free(same), free(other);
}

static void files(void **state)
{
    (void)state;
    free(printed("identify --csv rows.csv --svg mass.svg --duration 10 --record 0.5"));
    size_t size;
    char *csv = run_get(&folder, "rows.csv", &size), *svg = run_get(&folder, "mass.svg", &size);
    has(csv, "t [s],v_leader [m/s],v [m/s],v_model [m/s],");
    int lines = 0;
    for (const char *c = csv; (c = strchr(c, '\n')); c++)
        lines++;
    assert_int_equal(lines, 1 + 21);
    has(csv, "\n0,30,30,30,30,30,0,2000,1400,700,nan,nan,0,1,0,0\n");
    has(svg, "<svg");
    has(svg, "true mass");
    has(svg, "observer");
    has(svg, "least squares");
    free(csv), free(svg);
}

static void help(void **state)
{
    (void)state;
    char *text = printed("identify -h");
    has(text, "--force-error NUMBER");
    has(text, "(kg, default 2000)");
    has(text, "--study N");
    free(text);
    text = printed("--help");
    has(text, "  identify ");
    free(text);
}

static void refusals(void **state)
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
        {"identify model.yaml", "found \"model.yaml\", expected options only"},
        {"identify --svg no/such/folder.svg", "no/such"},
        {"identify --svg a --csv a", "options --csv and --svg name the same file"},
        {"identify --duration 100000 --step 0.0001", "duration / step is 1e+09 steps, at most 1e8"},
        {"identify --true", "--true"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        run_result r = run(&folder, MOTORCADE_BINARY, cases[k].arguments);
        if (r.code == 0 || !strstr(r.err, cases[k].message) || r.out_size > 0)
            fail_msg("%s: code %d: %s", cases[k].arguments, r.code, r.err);
        run_result_free(&r);
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
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
