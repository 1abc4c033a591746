// test_powertrain.c - `motorcade powertrain`: what it prints, and wrong calls.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_list(void **state)
{
    (void)state;
    char *text = cli_printed("powertrain");
    assert_non_null(strstr(text, "  converter "));
    assert_non_null(strstr(text, "  manifold "));
    assert_non_null(strstr(text, "  gears "));
    free(text);
}

// The line of a throttle: its numbers.
static int numbers_of(const char *text, const char *line, double *out, int max)
{
    char start[32];
    snprintf(start, sizeof start, "\n%s ", line);
    const char *at = strstr(text, start);
    assert_non_null(at);
    at += strlen(start);
    int count = 0;
    for (char *end; count < max; at = end, count++) {
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
    char *text = cli_printed("powertrain converter");
    assert_int_equal(numbers_of(text, "30", both, 8), 8);
    free(text);
    text = cli_printed("powertrain converter --set as_printed=1");
    assert_int_equal(numbers_of(text, "30", one, 8), 4);
    free(text);
    for (int k = 0; k < 4; k++)
        assert_true(one[k] == both[4 + k] && one[k] > 0.0);
    assert_true(both[4] > both[0]); // as printed it is faster
    text = cli_printed("powertrain CONVERTER --set as_printed=0 --unstable");
    assert_non_null(strstr(text, "\n10        *  11.8"));
    free(text);
    text = cli_printed("powertrain converter --set as_printed=0 --set max_speed=30");
    assert_int_equal(numbers_of(text, "30", one, 8), 0); // "-": faster than the car can
    free(text);
}

static void test_wrong_calls(void **state)
{
    (void)state;
    cli_rejected_with("powertrain steam", 2,
                      "unknown powertrain \"steam\"; `motorcade powertrain` lists them");
    cli_rejected_with("powertrain converte", 2, "did you mean converter");
    cli_rejected_with("powertrain converter gears", 2, "only one powertrain is expected");
    cli_rejected_with("powertrain --set mass=1", 2, "option --set needs the name of a powertrain");
    cli_rejected_with("powertrain gears --set gear_1", 2, "expected NAME=VALUE");
    cli_rejected_with("powertrain gears --set =3", 2, "expected NAME=VALUE");
    cli_rejected_with("powertrain gears --set gear_1=fast", 2, "expected a number");
    cli_rejected_with("powertrain gears --set gear_1=99", 2, "must be in 0.3 .. 20");
    cli_rejected_with("powertrain gears --set gear1=2", 2, "did you mean gear_1");
    cli_rejected_with("powertrain gears --unsteady", 2, "--unsteady");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_wrong_calls),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
