// test_powertrain.c - `motorcade powertrain`: what it prints, and wrong calls.
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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

static char *good(const char *arguments) // to be freed
{
    run_result r = run(&folder, MOTORCADE_BINARY, arguments);
    if (r.code != 0 || r.err_size > 0)
        fail_msg("%s: exit code %d: %s", arguments, r.code, r.err);
    free(r.err);
    return r.out;
}

static void bad(const char *arguments, const char *part)
{
    run_result r = run(&folder, MOTORCADE_BINARY, arguments);
    if (r.code != 2 || r.out_size > 0 || !strstr(r.err, part))
        fail_msg("%s: exit code %d, not \"%s\": %s%s", arguments, r.code, part, r.out, r.err);
    free(r.out);
    free(r.err);
}

static void test_list(void **state)
{
    (void)state;
    char *text = good("powertrain");
    assert_non_null(strstr(text, "  converter "));
    assert_non_null(strstr(text, "  manifold "));
    assert_non_null(strstr(text, "  gears "));
    free(text);
}

// The line of a throttle: its numbers.
static int numbers_of(const char *text, const char *line, double *out, int most)
{
    char start[32];
    snprintf(start, sizeof start, "\n%s ", line);
    const char *at = strstr(text, start);
    assert_non_null(at);
    at += strlen(start);
    int count = 0;
    for (char *end; count < most; at = end, count++) {
        at += strspn(at, " *");
        if (*at == '\n')
            break;
        out[count] = strtod(at, &end);
        if (end == at)
            break;
    }
    return count;
}

// Both readings side by side, unless one is chosen; two stable speeds at 10 degrees, and with
// --unstable the one between.
static void test_speeds(void **state)
{
    (void)state;
    double both[8], one[8];
    char *text = good("powertrain converter");
    assert_int_equal(numbers_of(text, "30", both, 8), 8);
    free(text);
    text = good("powertrain converter --set as_printed=1");
    assert_int_equal(numbers_of(text, "30", one, 8), 4);
    free(text);
    for (int k = 0; k < 4; k++)
        assert_true(one[k] == both[4 + k] && one[k] > 0.0);
    assert_true(both[4] > both[0]); // as printed it is faster
    text = good("powertrain CONVERTER --set as_printed=0 --unstable");
    assert_non_null(strstr(text, "\n10        *  11.8"));
    free(text);
    text = good("powertrain converter --set as_printed=0 --set speed_most=30");
    assert_int_equal(numbers_of(text, "30", one, 8), 0); // "-": faster than the car can
    free(text);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    bad("powertrain steam", "there is no powertrain \"steam\"; `motorcade powertrain` lists them");
    bad("powertrain converte", "did you mean converter");
    bad("powertrain converter gears", "one powertrain at a time");
    bad("powertrain --set mass=1", "--set wants the name of a powertrain, too");
    bad("powertrain gears --set gear_1", "--set wants NAME=VALUE");
    bad("powertrain gears --set =3", "--set wants NAME=VALUE");
    bad("powertrain gears --set gear_1=fast", "expected a number");
    bad("powertrain gears --set gear_1=99", "must be within 0.3 .. 20");
    bad("powertrain gears --set gear1=2", "did you mean gear_1");
    bad("powertrain gears --unsteady", "--unsteady");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
