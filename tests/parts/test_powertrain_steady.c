// test_powertrain_steady.c - searches that go side by side find what each finds alone, and what
// they find is steady and gives the force.
#include "parts/powertrain_steady.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 37 };

// Different speeds, forces and engines; some beyond what there is, one is not a number.
static void lay_out(const powertrain_kind *kind, double (*p)[POWERTRAIN_PARAM_MAX],
                    powertrain_inverse *all)
{
    for (int i = 0; i < COUNT; i++) {
        powertrain_defaults(kind, p[i]);
        all[i] = (powertrain_inverse){.p = p[i],
                                      .v = 1.3 * i - 2.0,
                                      .force = i == 20 ? NAN : 211.0 * (i * 7 % COUNT) - 800.0};
    }
}

static void searches_do_not_notice_each_other(void **unused)
{
    (void)unused;
    static double p[COUNT][POWERTRAIN_PARAM_MAX];
    const powertrain_kind *kind;
    int searched = 0, between = 0;
    for (int k = 0; (kind = powertrain_kind_at(k)); k++) {
        powertrain_inverse all[COUNT];
        lay_out(kind, p, all);
        powertrain_invert_some(kind, COUNT, all);
        searched += kind->searched;
        for (int i = 0; i < COUNT; i++) {
            double closed[POWERTRAIN_STATE_MAX] = {0.0}, force;
            const double throttle = kind->invert(all[i].p, all[i].v, all[i].force);
            kind->settle(all[i].p, all[i].v, 0.0, closed);
            assert_memory_equal(&throttle, &all[i].throttle, sizeof throttle);
            assert_memory_equal(closed, all[i].closed, (size_t)kind->state_count * sizeof *closed);
            if (!kind->searched || !(throttle > 0.0 && throttle < 1.0))
                continue;
            force = powertrain_steady_force(kind, all[i].p, all[i].v, throttle);
            assert_true(fabs(force - all[i].force) < 1e-6 * (1.0 + fabs(all[i].force)));
            between++;
        }
    }
    assert_true(searched >= 4 && between > 4);
    printf("%d kinds are searched, %d throttles between closed and open\n", searched, between);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_do_not_notice_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
