// test_derive.c - `motorcade derive`: files that compile without a warning, same bytes every time,
// a report, and wrong calls.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HMMWV SOURCE_DIR "/models/hmmwv10.yaml"
#define CHAIN SOURCE_DIR "/models/chain8.yaml"
#define FOUR_BAR SOURCE_DIR "/models/four_bar.yaml"

static void succeed(const char *program, const char *arguments)
{
    run_result r = run(&folder, program, arguments);
    if (r.code != 0 || r.err_size > 0)
        fail_msg("%s %s: exit code %d: %s", program, arguments, r.code, r.err);
    run_result_free(&r);
}

static bool have(const char *program)
{
    char call[80];
    snprintf(call, sizeof call, "command -v %s >/dev/null 2>&1", program);
    return system(call) == 0;
}

static void code_compiles(void **state)
{
    (void)state;
    succeed(MOTORCADE_BINARY, "derive " HMMWV " -o a.c");
    succeed(MOTORCADE_BINARY, "derive " HMMWV " --simd -o b.c");
    succeed(MOTORCADE_BINARY, "derive " HMMWV " --form lagrange -o c.c");
    succeed(MOTORCADE_BINARY, "derive " HMMWV " --with-loads -o d.c");
    succeed(MOTORCADE_BINARY, "derive " HMMWV " --lang fortran -o e.f90");
    succeed(MOTORCADE_BINARY, "derive " FOUR_BAR " --kinematics -o f.c");
    succeed(MOTORCADE_BINARY, "derive " FOUR_BAR " --joint-loads -o g.c");
    succeed(MOTORCADE_BINARY, "derive " FOUR_BAR " --matrices -o h.c");
    static const char *const compilers[] = {"gcc", "clang"};
    for (int k = 0; k < 2; k++) {
        if (!have(compilers[k]))
            continue;
        char call[120];
        snprintf(call, sizeof call,
                 "%s -std=c17 -Wall -Wextra -Werror -O1 -c a.c b.c c.c d.c f.c g.c h.c",
                 compilers[k]);
        succeed("/usr/bin/env", call);
    }
    if (have("gfortran"))
        succeed("/usr/bin/env", "gfortran -Wall -Wextra -Werror -c e.f90");
}

static void same_bytes_and_header(void **state)
{
    (void)state;
    succeed(MOTORCADE_BINARY, "derive " HMMWV " -o a.c");
    succeed(MOTORCADE_BINARY, "derive " HMMWV " -o b.c");
    size_t size_a, size_b;
    char *a = run_get(&folder, "a.c", &size_a), *b = run_get(&folder, "b.c", &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(a, b, size_a);
    assert_non_null(strstr(a, "// hmmwv10: forward dynamics\n// generator  motorcade "));
    assert_non_null(strstr(a, ", form recursive\n// model      hash "));
    assert_non_null(strstr(a, "// run        1359 flops ("));
    assert_non_null(strstr(a, "arm_fl_angle")); // the model's own names
    assert_non_null(strstr(a, "chassis_spin_rate_y"));
    free(a);
    free(b);
}

static void report(void **state)
{
    (void)state;
    run_result r = cli_run("derive " HMMWV " --report --svg m.svg");
    assert_int_equal(r.code, 0);
    static const char *const lines[] = {
        "hmmwv10: 10 bodies, 15 degrees of freedom (16 coordinates), ",
        "\nform: recursive; lagrange ",
        "\n  forward dynamics ",
        "\n  each expression once ",
        "\n  M  15 x 15     130 zero,   16 constant,   79 varying",
        "\ntime  read ",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(r.out, lines[i]))
            fail_msg("no line \"%s\" in:\n%s", lines[i], r.out);
    run_result_free(&r);
    char *svg = run_get(&folder, "m.svg", NULL);
    assert_memory_equal(svg, "<svg", 4);
    assert_non_null(strstr(svg, "130 zero, 16 constant, 79 varying"));
    free(svg);
}

static void matrices(void **state)
{
    (void)state;
    run_result r = cli_run("derive " FOUR_BAR " --matrices --svg m.svg");
    assert_int_equal(r.code, 0);
    static const char *const lines[] = {
        "crank.B_q  6 x 6: 28 zero, 4 constant, 4 varying\n",
        "\ncoupler.B_p  6 x 6: ",
        "\npin.C  6 x 3: 9 zero, 3 constant, 6 varying\n",
        "\nT  18 x 3: 48 zero, 4 constant, 2 varying\n",
        "\nB  5 x 18: 67 zero, 5 constant, 18 varying\n  pin.1  coupler.wz ",
        "\nBT  5 x 3: 9 zero, 0 constant, 6 varying\n",
        "\n  coupler.wz                  1                  1                  0\n",
        "\ncut_dot  1 x 1: ",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(r.out, lines[i]))
            fail_msg("no line \"%s\" in:\n%s", lines[i], r.out);
    run_result_free(&r);
    char *svg = run_get(&folder, "m.svg", NULL);
    assert_memory_equal(svg, "<svg", 4);
    assert_non_null(strstr(svg, "48 zero, 4 constant, 2 varying"));
    free(svg);
    r = cli_run("derive " FOUR_BAR " --matrices --set crank.angle=0 --set crank.angle_rate=2");
    assert_non_null(strstr(r.out, "  crank.angle_dot        0.5714285714\n"));
    run_result_free(&r);
}

static void wrong_calls(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"derive", "motorcade derive: no model given; try: motorcade derive models/hmmwv10.yaml "
                   "(`motorcade derive -h` explains)\n"},
        {"derive " HMMWV,
         "motorcade derive: nothing to do; expected -o FILE for the code, --report or "
         "--matrices\n"},
        {"derive " HMMWV " -o a.c --kinematics --matrices",
         "motorcade derive: only one of --with-loads, --kinematics, --joint-loads and --matrices "
         "can be given: each says what the code computes\n"},
        {"derive " HMMWV " --matrices --report --svg b.svg",
         "motorcade derive: option --svg needs only one of --report and --matrices\n"},
        {"derive " FOUR_BAR " --matrices --set crank.angel=1",
         "motorcade derive: option --set: unknown name \"crank.angel\" in four_bar, did you mean "
         "crank.angle; `motorcade simulate MODEL --list` lists all names\n"},
        {"derive " HMMWV " -o a.c --lang pascal",
         "motorcade derive: option --lang: found \"pascal\", expected c or fortran\n"},
        {"derive " HMMWV " -o a.c --lang fortran --simd",
         "motorcade derive: option --simd: only for C, not --lang fortran\n"},
        {"derive " HMMWV " -o a.c --svg b.svg",
         "motorcade derive: option --svg needs one of --report and --matrices\n"},
        {"derive " HMMWV " -o a.c --form newton",
         "motorcade derive: option --form: found \"newton\", expected lagrange, recursive or "
         "independent\n"},
        {"derive none.yaml -o a.c", "none.yaml: cannot be read: No such file or directory\n"},
        {"derive " HMMWV " " CHAIN " -o a.c",
         "motorcade derive: only one model file is expected: found \"" CHAIN "\" after \"" HMMWV
         "\"\n"},
        {"derive " HMMWV " -o no/such/folder/a.c",
         "no/such/folder/a.c: cannot be written: No such file or directory\n"},
        {"derive " HMMWV " -o a.c --simt",
         "motorcade derive: unknown option \"--simt\", did you mean --simd; -h lists them\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_result r = cli_run(cases[i].arguments);
        if (!strstr(cases[i].message, "cannot be written"))
            assert_string_equal(r.err, cases[i].message);
        assert_true(r.code == 2 || (r.code == 1 && strstr(cases[i].message, "written")));
        assert_string_equal(r.out, "");
        run_result_free(&r);
        assert_false(run_exists(&folder, "a.c"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(code_compiles, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(same_bytes_and_header, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(report, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(matrices, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(wrong_calls, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
