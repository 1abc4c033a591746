// test_tyre_steady.c - slopes of side forces at zero slip against the coefficients that say them.
#include "parts/tyre_steady.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static double slope(const char *law, const char *param, double value, double fz)
{
    const tyre_kind *kind = tyre_for_spin(tyre_kind_find(law));
    double p[TYRE_PARAM_MAX];
    tyre_defaults(kind, p);
    for (int k = 0; param && k < kind->param_count; k++)
        if (strcmp(kind->params[k].name, param) == 0)
            p[k] = value;
    return tyre_cornering(kind, p, fz);
}

static void is_near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance * want))
        fail_msg("%s: %.12g instead of %.12g", what, got, want);
}

static void slopes_are_those_of_the_coefficients(void **state)
{
    (void)state;
    is_near(slope("linear", "cornering_stiffness", 40000.0, 4000.0), 40000.0, 1e-6, "linear");
    is_near(slope("brush", "cornering_stiffness", 61000.0, 4000.0), 61000.0, 1e-5, "brush");
    is_near(slope("fiala", "cornering_stiffness", 52000.0, 4000.0), 52000.0, 1e-5, "fiala");
    // Slope over load 7.4013 at the nominal load.
    is_near(slope("tmeasy", "nominal_load", 5000.0, 5000.0), 7.4013 * 5000.0, 1e-5, "tmeasy");
    assert_true(slope("none", NULL, 0.0, 4000.0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_are_those_of_the_coefficients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
