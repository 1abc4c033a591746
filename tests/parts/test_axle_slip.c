// test_axle_slip.c - slip angles of axles in steady turns against closed forms.
#include "parts/axle_slip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { COUNT = 10 };

static const tyre_kind *law_of(const char *name, double p[TYRE_PARAM_MAX])
{
    const tyre_kind *kind = tyre_for_spin(tyre_kind_find(name));
    tyre_defaults(kind, p);
    return kind;
}

static double *param(const tyre_kind *kind, double *p, const char *name)
{
    for (int k = 0; k < kind->param_count; k++)
        if (strcmp(kind->params[k].name, name) == 0)
            return &p[k];
    fail_msg("no parameter %s", name);
    return NULL;
}

static const axle_turn AXLE = {.load = 8000.0, .force = 800.0, .transfer = 150.0};

static void a_linear_axle_has_one_slope(void **state)
{
    (void)state;
    double p[TYRE_PARAM_MAX], out[COUNT];
    const tyre_kind *kind = law_of("linear", p);
    *param(kind, p, "cornering_stiffness") = 50000.0;
    axle_slip(kind, p, &AXLE, 0.5, COUNT, out);
    for (int k = 0; k < COUNT; k++) // tan: the law is linear in the ratio of speeds
        assert_true(fabs(out[k] - 800.0 / 100000.0) < 2e-3 * 800.0 / 100000.0);
}

// A brush without load transfer: F/2 = limit (1 - (1 - u)^3), u = C tan(s)/(3 limit).
static void a_brush_needs_its_cubic(void **state)
{
    (void)state;
    double p[TYRE_PARAM_MAX], out[COUNT];
    const tyre_kind *kind = law_of("brush", p);
    const double C = *param(kind, p, "cornering_stiffness") = 60000.0;
    const double limit = *param(kind, p, "friction") * 4000.0;
    const axle_turn level = {.load = 8000.0, .force = 800.0};
    axle_slip(kind, p, &level, 1.0, COUNT, out);
    for (int k = 1; k < 8; k++) {
        const double u = 1.0 - cbrt(1.0 - 400.0 * k / limit);
        const double slip = atan(3.0 * limit * u / C);
        if (!(fabs(out[k] * k - slip) < 1e-3 * slip))
            fail_msg("%d m/s^2: %g rad instead of %g", k, out[k] * k, slip);
    }
}

// Whatever the law: angles grow faster than the acceleration, load transfer adds to them, and past
// the friction they stay those of the last turn that holds.
static void every_law_yields(void **state)
{
    (void)state;
    for (int i = 0; tyre_kind_at(i); i++) {
        const tyre_kind *kind = tyre_for_spin(tyre_kind_at(i));
        if (kind->load) // has no coefficients without a file
            continue;
        double p[TYRE_PARAM_MAX], level[COUNT], leaning[COUNT];
        tyre_defaults(kind, p);
        axle_slip(kind, p, &(axle_turn){.load = 8000.0, .force = 800.0}, 2.0, COUNT, level);
        axle_slip(kind, p, &(axle_turn){8000.0, 800.0, 300.0}, 2.0, COUNT, leaning);
        for (int k = 1; k < COUNT; k++) {
            assert_true(isfinite(level[k]) && level[k] >= 0.0 && level[k] * 2.0 < 0.2);
            if (!(level[k] >= level[k - 1] * (1.0 - 5e-3) &&
                  (k > 3 || leaning[k] >= level[k] * (1.0 - 1e-6))))
                fail_msg("%s at %d: %g, %g before, %g with load transfer", kind->name, 2 * k,
                         level[k], level[k - 1], leaning[k]);
        }
        assert_true(level[COUNT - 1] == level[COUNT - 2]); // 16 and 18 m/s^2
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_axle_has_one_slope),
        cmocka_unit_test(a_brush_needs_its_cubic),
        cmocka_unit_test(every_law_yields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
