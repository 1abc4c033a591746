// test_suspension_stiffening.c - forces of the stiffening suspension against its formula, by hand.
#include "parts/suspension_stiffening.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 4 };

typedef struct answer {
    double force, lost;
} answer;

static answer ask(const double *p, double stretch, double rate)
{
    answer first = {0};
    for (int level = 0; level <= (int)cpu_level_best(); level++) {
        _Alignas(32) double s[N], v[N], k[N], c[N], force[N], lost[N];
        for (int i = 0; i < N; i++)
            s[i] = stretch, v[i] = rate, k[i] = 20000.0, c[i] = 1500.0;
        const suspension_in in = {s, v, k, c};
        suspension_eval_at(&suspension_stiffening,
                           (cpu_level)level)(p, N, &in, &(suspension_out){force, lost});
        for (int i = 0; i < N; i++) {
            if (level == 0 && i == 0)
                first = (answer){force[0], lost[0]};
            assert_true(fabs(force[i] - first.force) <= 1e-12 * (1.0 + fabs(first.force)));
            assert_true(fabs(lost[i] - first.lost) <= 1e-12 * (1.0 + fabs(first.lost)));
        }
    }
    return first;
}

static void near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-9 * (1.0 + fabs(expected)));
}

static void springs_harden(void **unused)
{
    (void)unused;
    const double p[STIFFENING_PARAM_COUNT] = {20.0, 0.3, 0.1, 1.0};
    near(ask(p, -0.1, 0.0).force, 20000.0 * 0.1 * 1.2);
    near(ask(p, -0.2, 0.0).force, 20000.0 * 0.2 * 1.8);
    near(ask(p, 0.1, 0.0).force, 0.0); // off the ground
    const double pulls[STIFFENING_PARAM_COUNT] = {20.0, 0.3, 0.1, 0.0};
    near(ask(pulls, 0.1, 0.0).force, -20000.0 * 0.1 * 1.2);
}

// Well above v_ref rebound is damped by 1 + a, compression by 1 - a; well below both by 1.
static void dampers_resist_rebound(void **unused)
{
    (void)unused;
    const double p[STIFFENING_PARAM_COUNT] = {0.0, 0.4, 0.01, 1.0};
    const double spring = 20000.0 * 0.3;
    assert_true(fabs((spring - ask(p, -0.3, 1.0).force) / 1500.0 - 1.4) < 1e-4);
    assert_true(fabs((ask(p, -0.3, -1.0).force - spring) / 1500.0 - 0.6) < 1e-4);
    assert_true(fabs((spring - ask(p, -0.3, 1e-5).force) / 1500.0 / 1e-5 - 1.0) < 1e-3);
    near(ask(p, -0.3, 1.0).lost, (spring - ask(p, -0.3, 1.0).force) * 1.0);
    near(ask(p, -0.3, -1.0).lost, (spring - ask(p, -0.3, -1.0).force) * -1.0);
}

// Without hardening and asymmetry it is the linear law.
static void it_contains_the_linear_law(void **unused)
{
    (void)unused;
    const double p[STIFFENING_PARAM_COUNT] = {0.0, 0.0, 0.1, 1.0};
    for (int k = 0; k < 50; k++) {
        const double s = 0.2 * sin(1.7 * k), v = 2.0 * sin(2.9 * k + 1.0);
        near(ask(p, s, v).force, fmax(0.0, -20000.0 * s - 1500.0 * v));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_harden),
        cmocka_unit_test(dampers_resist_rebound),
        cmocka_unit_test(it_contains_the_linear_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
