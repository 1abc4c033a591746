// cli.c - a folder, and `motorcade` called in it.
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

run_folder folder;

int cli_set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    return 0;
}

int cli_tear_down(void **state)
{
    (void)state;
    run_folder_remove(&folder);
    return 0;
}

const char *cli_path(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder.path, name);
    return path;
}

void cli_copy_medusa(void)
{
    run_copy(&folder, "model.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
    run_copy(&folder, "platoon.dat", SOURCE_DIR "/scenarios/medusa/platoon.dat");
}

run_result cli_run(const char *arguments)
{
    return run(&folder, MOTORCADE_BINARY, arguments);
}

char *cli_done(const char *arguments)
{
    run_result r = cli_run(arguments);
    if (r.code != 0)
        fail_msg("motorcade %s: exit code %d, signal %d: %s", arguments, r.code, r.signal, r.err);
    free(r.err);
    return r.out;
}

char *cli_printed(const char *arguments)
{
    run_result r = cli_run(arguments);
    if (r.code != 0 || r.err_size > 0)
        fail_msg("motorcade %s: exit code %d, signal %d: %s", arguments, r.code, r.signal, r.err);
    free(r.err);
    return r.out;
}

static void check_rejection(const char *arguments, int code, const char *message, bool alone)
{
    run_result r = cli_run(arguments);
    if (r.code != code || r.out_size > 0 ||
        (alone ? strcmp(r.err, message) != 0 : !strstr(r.err, message)))
        fail_msg("motorcade %s: exit code %d, expected %d\nsaid     %s%s\nexpected %s", arguments,
                 r.code, code, r.out, r.err, message);
    run_result_free(&r);
}

void cli_rejected(const char *arguments, int code, const char *message)
{
    check_rejection(arguments, code, message, true);
}

void cli_rejected_with(const char *arguments, int code, const char *part)
{
    check_rejection(arguments, code, part, false);
}

void cli_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

void cli_same_files(const char *a, const char *b)
{
    size_t a_size, b_size;
    char *a_bytes = run_get(&folder, a, &a_size), *b_bytes = run_get(&folder, b, &b_size);
    assert_true(a_size > 0);
    if (a_size != b_size || memcmp(a_bytes, b_bytes, a_size) != 0)
        fail_msg("%s and %s differ", a, b);
    free(a_bytes);
    free(b_bytes);
}

void cli_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}
