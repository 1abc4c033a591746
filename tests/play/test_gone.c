// test_gone.c - collisions of vehicles that joined in another order than that of the scenario, and
// left: they are still told.
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void joined_in_another_order(void **state)
{
    (void)state;
    run_put(&folder, "hit.yaml",
            "motorcade: scenario\ntime: {end: 12, step: 0.05}\nroad: {end: 150}\n"
            "models: {car: {kind: point, length: 5}}\nvehicles:\n"
            "  - {name: far, model: car, x: 50, y: 8, v: 0}\n"
            "  - {name: fast, model: car, x: 0, v: 30, from: 2}\n"
            "  - {name: slow, model: car, x: 60, v: 5, from: 1}\n");
    char *out = cli_done("run hit.yaml -o hit.h5");
    cli_has(out, "slow and fast, closing at 25.00 m/s");
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joined_in_another_order)};
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
