// test_powertrain.c - what every powertrain promises, and what each kind adds.
#include "cars/steady.h"
#include "parts/powertrain.h"
#include "parts/powertrain_converter.h"
#include "parts/powertrain_manifold.h"
#include "parts/powertrain_lookup.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static unsigned long long seed = 7;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * ((double)(seed >> 11) / 9007199254740992.0);
}

static const powertrain_kind *kind_and_defaults(int k, double *p)
{
    const powertrain_kind *kind = powertrain_kind_at(k);
    if (kind)
        powertrain_defaults(kind, p);
    return kind;
}

static void tables(void **unused)
{
    (void)unused;
    int count = 0;
    for (const powertrain_kind *kind; (kind = powertrain_kind_at(count)) != NULL; count++) {
        assert_ptr_equal(powertrain_kind_find(kind->name), kind);
        assert_true(kind->param_count <= POWERTRAIN_PARAM_MAX);
        assert_true(kind->state_count >= 1 && kind->state_count <= POWERTRAIN_STATE_MAX);
        assert_true(kind->held_count <= POWERTRAIN_HELD_MAX);
        for (int k = 0; k < kind->param_count; k++) {
            const mc_param *row = &kind->params[k];
            assert_non_null(row->name);
            assert_true(strlen(row->doc) > 3 && strlen(row->unit) > 0);
            assert_true(row->fallback >= row->min && row->fallback <= row->max);
        }
    }
    assert_int_equal(count, 5);
    assert_ptr_equal(powertrain_kind_find("CONVERTER"), &powertrain_converter);
    assert_null(powertrain_kind_find("steam"));
    assert_null(powertrain_kind_at(-1));
}

// The settled state does not move, and throttle makes force.
static void settles(void **unused)
{
    (void)unused;
    double p[POWERTRAIN_PARAM_MAX], x[POWERTRAIN_STATE_MAX];
    const powertrain_kind *kind;
    for (int k = 0; (kind = kind_and_defaults(k, p)) != NULL; k++)
        for (double v = 0.0; v < 50.0; v += 2.3) {
            double before = -1e9;
            for (double throttle = 0.0; throttle <= 1.0; throttle += 0.1) {
                powertrain_values values;
                kind->settle(p, v, throttle, x);
                powertrain_look(kind, p, throttle, v, x, &values);
                assert_true(fabs(values.rate[0]) < 1e-6); // rpm/s
                assert_true(kind->state_count < 2 || fabs(values.rate[1]) < 1e-9);
                assert_true(values.force >= before - 1e-9);
                before = values.force;
            }
        }
}

// The quick inverse, the exact inverse and the steady force say the same; no jumps between.
static void inverse(void **unused)
{
    (void)unused;
    enum { N = 4 };
    double p[POWERTRAIN_PARAM_MAX];
    _Alignas(32) double wide[N * POWERTRAIN_PARAM_MAX], v[N], force[N], throttle[N];
    const double *const fours[] = {wide};
    const powertrain_kind *kind;
    for (int k = 0; (kind = kind_and_defaults(k / 2, p)) != NULL; k++) {
        if (k % 2 == 1 && strcmp(kind->params[0].name, "as_printed") != 0)
            continue;
        p[0] = k % 2 == 1 ? 1.0 : p[0]; // the other reading
        for (int j = 0; j < kind->param_count; j++)
            for (int l = 0; l < N; l++)
                wide[N * j + l] = p[j];
        double worst = 0.0;
        for (int trial = 0; trial < 200; trial++) {
            for (int l = 0; l < N; l++) {
                v[l] = uniform(0.0, 45.0);
                const double expected = uniform(0.0, 1.0);
                force[l] = powertrain_steady_force(kind, p, v[l], expected);
            }
            kind->plan[CPU_PLAIN](fours, N, N, v, force, throttle);
            for (int l = 0; l < N; l++) {
                const double got = powertrain_steady_force(kind, p, v[l], throttle[l]);
                worst = fmax(worst, fabs(got - force[l]) / (50.0 + fabs(force[l])));
            }
            const double exact = kind->invert(p, v[0], force[0]);
            assert_true(fabs(powertrain_steady_force(kind, p, v[0], exact) - force[0]) <
                        1e-6 * (1.0 + fabs(force[0])));
        }
        print_message("%s: plan is off by %.1e of the force at most\n", kind->name, worst);
        assert_true(worst < 5e-5);
        assert_true(kind->invert(p, 10.0, -1e6) == 0.0 && kind->invert(p, 10.0, 1e6) == 1.0);
        // Continuous in force and speed: 4000 steps of 2 N and of 0.01 m/s.
        double last = -1.0, last_v = -1.0;
        for (int step = 0; step < 4000; step++) {
            for (int l = 0; l < N; l++) {
                v[l] = l == 0 ? 17.0 : 0.01 * step;
                force[l] = l == 0 ? 2.0 * step - 1000.0 : 300.0;
            }
            kind->plan[CPU_PLAIN](fours, N, N, v, force, throttle);
            if (step > 0) {
                assert_true(fabs(throttle[0] - last) < 0.02);
                assert_true(throttle[0] >= last - 1e-4);
                assert_true(fabs(throttle[1] - last_v) < 0.02);
            }
            last = throttle[0], last_v = throttle[1];
        }
    }
}

// Converter and gears never put out more power than they take in; with the printed equations they
// do.
static void power(void **unused)
{
    (void)unused;
    double p[POWERTRAIN_PARAM_MAX], gain = 0.0;
    const powertrain_kind *kind;
    for (int k = 0; (kind = kind_and_defaults(k, p)) != NULL; k++) {
        double excess = -1e9;
        for (double v = -5.0; v < 66.0; v += 0.37)
            for (double n = 300.0; n < 6000.0; n += 53.0) {
                const double x[POWERTRAIN_STATE_MAX] = {n, 0.5, 0.0};
                powertrain_values values;
                powertrain_look(kind, p, 0.4, v, x, &values);
                excess = fmax(excess, values.force * v - values.shaft_power);
                assert_true(isfinite(values.force) && isfinite(values.rate[0]));
                assert_true(values.fuel >= 0.0 && values.input_power >= 0.0);
                if (kind == &powertrain_converter) {
                    double printed[POWERTRAIN_PARAM_MAX];
                    memcpy(printed, p, sizeof printed);
                    printed[CONVERTER_AS_PRINTED] = 1.0;
                    powertrain_look(kind, printed, 0.4, v, x, &values);
                    if (values.shaft_power > 1e3)
                        gain = fmax(gain, values.force * v / values.shaft_power);
                }
            }
        print_message("%s: power out less power in at most %.2g W\n", kind->name, excess);
        assert_true(excess < (kind == &powertrain_gears ? 1e-6 : 2.0));
    }
    assert_true(gain > 1.8 && gain < 1.9);
}

// Finite for anything a simulation may come across, and the force never jumps.
static void finite_and_continuous(void **unused)
{
    (void)unused;
    double p[POWERTRAIN_PARAM_MAX];
    const powertrain_kind *kind;
    for (int k = 0; (kind = kind_and_defaults(k, p)) != NULL; k++) {
        for (int trial = 0; trial < 2000; trial++) {
            for (int j = 0; j < kind->param_count; j++)
                p[j] = uniform(kind->params[j].min, kind->params[j].max);
            const double x[POWERTRAIN_STATE_MAX] = {uniform(-500.0, 20000.0), uniform(0.0, 1.2),
                                                    0.0};
            powertrain_values values;
            powertrain_look(kind, p, uniform(0.0, 1.0), uniform(-100.0, 200.0), x, &values);
            assert_true(isfinite(values.force) && isfinite(values.fuel));
            assert_true(isfinite(values.rate[0]) && isfinite(values.region));
            assert_true(values.region == floor(values.region) && values.region < 65536.0);
            assert_true(kind->step_bound(p) > 1e-6);
        }
        powertrain_defaults(kind, p);
        double before = NAN;
        for (double v = -2.0; v < 40.0; v += 1e-3) {
            const double x[POWERTRAIN_STATE_MAX] = {2000.0, 0.6, 0.0};
            powertrain_values values;
            powertrain_look(kind, p, 0.3, v, x, &values);
            assert_false(fabs(values.force - before) > 25.0);
            before = values.force;
        }
    }
}

// Every processor level gives the same to rounding; a vehicle's place does not matter to a bit.
static void places_and_levels(void **unused)
{
    (void)unused;
    enum { N = 8 };
    double p[POWERTRAIN_PARAM_MAX];
    const powertrain_kind *kind;
    for (int k = 0; (kind = kind_and_defaults(k, p)) != NULL; k++) {
        _Alignas(32) double wide[N * POWERTRAIN_PARAM_MAX], v[N], u[N], x[N * 3], dx[2][N * 3];
        _Alignas(32) double force[2][N], fuel[2][N];
        for (int j = 0; j < kind->param_count; j++)
            for (int l = 0; l < N; l++)
                wide[N * j + l] = p[j];
        for (int l = 0; l < N; l++) {
            const int same = l % 3;
            v[l] = 3.0 + 11.0 * same, u[l] = 0.1 + 0.2 * same;
            x[l] = 900.0 + 700.0 * same, x[N + l] = 0.3 + 0.1 * same;
        }
        const powertrain_in in = {.throttle = u, .v = v};
        for (int level = 0; level <= (int)cpu_level_best(); level++) {
            const powertrain_out out = {.force = force[level], .fuel = fuel[level]};
            kind->eval[level](wide, N, &in, x, dx[level], &out);
            for (int l = 3; l < N; l++) {
                assert_true(force[level][l] == force[level][l - 3]);
                assert_true(dx[level][l] == dx[level][l - 3]);
            }
            for (int l = 0; l < N; l++) {
                assert_true(fabs(force[level][l] - force[0][l]) <
                            1e-12 * (1.0 + fabs(force[0][l])));
                assert_true(fabs(dx[level][l] - dx[0][l]) < 1e-10 * (1.0 + fabs(dx[0][l])));
            }
        }
    }
}

// The table and the clamps of the converter, by hand.
static void converter_by_hand(void **unused)
{
    (void)unused;
    double p[POWERTRAIN_PARAM_MAX];
    powertrain_defaults(&powertrain_converter, p);
    p[CONVERTER_IDLE_ANGLE] = 3.0;
    powertrain_values values;
    // 21 degrees, 16.5 m/s: MDA = 3.9, Kv = 0.835.
    const double n = 1800.0, n1 = 92.8 * 0.835 * 16.5, a = atan(25.0 * (1.0 - n1 / n));
    const double f1 = 0.00617 * a * n * n * fabs(0.00455 * a);
    powertrain_look(&powertrain_converter, p, 18.0 / 82.0, 16.5, &n, &values);
    assert_true(fabs(values.force / (9.683 * 0.835 * (2.330 - 1.525 * n1 / n) * f1) - 1.0) < 1e-13);
    const double rate = -0.135 * n + 22.1 * (84829.0 * 3.9 / n - 35.0 - f1);
    assert_true(fabs(values.rate[0] / rate - 1.0) < 1e-12);
    assert_true(fabs(values.fuel / (3.9 * 0.45359237 / 60.0 / 15.7) - 1.0) < 1e-13);
    // Idle stop at 7 degrees: about 540 rpm in gear.
    p[CONVERTER_IDLE_ANGLE] = 7.0;
    double x[1];
    powertrain_converter.settle(p, 0.0, 0.0, x);
    assert_true(x[0] > 520.0 && x[0] < 560.0);
    // A bigger engine pushes more and idles more thirstily; friction slows.
    const double force = powertrain_steady_force(&powertrain_converter, p, 20.0, 0.5);
    p[CONVERTER_POWER_SCALE] = 1.2;
    assert_true(powertrain_steady_force(&powertrain_converter, p, 20.0, 0.5) > force + 100.0);
    p[CONVERTER_POWER_SCALE] = 1.0;
    p[CONVERTER_ENGINE_SCALE] = 1.5;
    assert_true(powertrain_steady_force(&powertrain_converter, p, 20.0, 0.5) < force - 50.0);
}

// With the throttle where table 1 has a point, the manifold car cruises as the converter car does.
static void manifold_agrees(void **unused)
{
    (void)unused;
    car a, b;
    car_defaults(&a, &powertrain_converter);
    car_defaults(&b, &powertrain_manifold);
    a.powertrain_p[CONVERTER_IDLE_ANGLE] = b.powertrain_p[CONVERTER_IDLE_ANGLE] = 3.0;
    for (int k = 0; k < MIXTURE_POINTS; k += 5) {
        car_steady at_a[4], at_b[4];
        const double throttle = (mixture_angle[k] - 3.0) / 82.0;
        const int count_a = car_steady_states(&a, throttle, at_a, 4);
        const int count_b = car_steady_states(&b, throttle, at_b, 4);
        assert_int_equal(count_a, 1);
        assert_int_equal(count_b, 1);
        assert_true(fabs(at_a[0].v - at_b[0].v) < 1e-3);
        assert_true(fabs(at_a[0].n - at_b[0].n) < 0.1);
        assert_true(fabs(at_a[0].fuel / at_b[0].fuel - 1.0) < 1e-4);
    }
}

// With the report's tables it is the converter.
static void tables_are_those_of_the_report(void **unused)
{
    (void)unused;
    double p[POWERTRAIN_PARAM_MAX], q[POWERTRAIN_PARAM_MAX];
    powertrain_defaults(&powertrain_lookup, p);
    powertrain_defaults(&powertrain_converter, q);
    for (int trial = 0; trial < 5000; trial++) {
        const double v = uniform(-2.0, 60.0), throttle = uniform(0.0, 1.0);
        const double x[] = {uniform(300.0, 5000.0)};
        p[CONVERTER_AS_PRINTED] = q[CONVERTER_AS_PRINTED] = trial % 2;
        powertrain_values a, b;
        powertrain_look(&powertrain_lookup, p, throttle, v, x, &a);
        powertrain_look(&powertrain_converter, q, throttle, v, x, &b);
        assert_true(fabs(a.force - b.force) <= 1e-11 * (1.0 + fabs(b.force)));
        assert_true(fabs(a.rate[0] - b.rate[0]) <= 1e-11 * (1000.0 + fabs(b.rate[0])));
        assert_true(fabs(a.fuel - b.fuel) <= 1e-13 * b.fuel);
    }
}

// Values between points are linear in those of the points; a falling mixture is rejected.
static void tables_are_the_users(void **unused)
{
    (void)unused;
    double p[POWERTRAIN_PARAM_MAX];
    const double x[] = {2500.0}, throttle = (20.0 - 7.0) / (85.0 - 7.0);
    powertrain_values before, after;
    char text[300];
    powertrain_defaults(&powertrain_lookup, p);
    powertrain_look(&powertrain_lookup, p, throttle, 30.0, x, &before);
    assert_true(fabs(before.fuel * 15.7 * 60.0 / 0.45359237 - 0.5 * (3.15 + 3.9)) < 1e-9);
    p[LOOKUP_FLOW + 9] = 4.7;  // at 21 degrees
    p[LOOKUP_GEAR + 9] = 0.47; // at 40 m/s: 0.57 at 30
    powertrain_look(&powertrain_lookup, p, throttle, 30.0, x, &after);
    assert_true(fabs(after.fuel * 15.7 * 60.0 / 0.45359237 - 0.5 * (3.15 + 4.7)) < 1e-9);
    assert_true(fabs(after.ratio - 92.8 * 0.57) < 1e-9);
    assert_true(powertrain_lookup.check(p, text, sizeof text));
    p[LOOKUP_FLOW + 9] = 4.8;
    assert_false(powertrain_lookup.check(p, text, sizeof text));
    assert_string_equal(text, "mda_23 must be above mda_21: found 4.8 and 4.8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),
        cmocka_unit_test(settles),
        cmocka_unit_test(inverse),
        cmocka_unit_test(power),
        cmocka_unit_test(finite_and_continuous),
        cmocka_unit_test(places_and_levels),
        cmocka_unit_test(converter_by_hand),
        cmocka_unit_test(manifold_agrees),
        cmocka_unit_test(tables_are_those_of_the_report),
        cmocka_unit_test(tables_are_the_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
