// test_ode_stiff.c - stiff problems of the test set for initial value problems (Mazzia and
// Magherini, University of Bari) against its published end values, and the oscillator of van der
// Pol against cvode.
#include "num/ode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { N_MAX = 8 };

static int jacobian_calls;

// Robertson's reaction: rates of 0.04, 1e4 and 3e7, from 0 to 1e11 s.
static ode_answer robertson_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dy[2] = 3e7 * y[1] * y[1];
    dy[1] = -dy[0] - dy[2];
    return ODE_OK;
}

static ode_answer robertson_jacobian(void *context, double t, const double *y, double *j)
{
    (void)context, (void)t;
    jacobian_calls++;
    j[0] = -0.04, j[1] = 0.04;
    j[3] = 1e4 * y[2], j[4] = -1e4 * y[2] - 6e7 * y[1], j[5] = 6e7 * y[1];
    j[6] = 1e4 * y[1], j[7] = -1e4 * y[1];
    return ODE_OK;
}

// HIRES: eight reactions of a plant's response to light.
static ode_answer hires_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    dy[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
    dy[7] = -dy[6];
    return ODE_OK;
}

static ode_answer hires_jacobian(void *context, double t, const double *y, double *j)
{
    (void)context, (void)t;
    jacobian_calls++;
#define J(row, column) j[8 * (column) + (row)]
    J(0, 0) = -1.71, J(0, 1) = 0.43, J(0, 2) = 8.32;
    J(1, 0) = 1.71, J(1, 1) = -8.75;
    J(2, 2) = -10.03, J(2, 3) = 0.43, J(2, 4) = 0.035;
    J(3, 1) = 8.32, J(3, 2) = 1.71, J(3, 3) = -1.12;
    J(4, 4) = -1.745, J(4, 5) = J(4, 6) = 0.43;
    J(5, 3) = 0.69, J(5, 4) = 1.71, J(5, 5) = -280.0 * y[7] - 0.43, J(5, 6) = 0.69;
    J(5, 7) = -280.0 * y[5];
    J(6, 5) = 280.0 * y[7], J(6, 6) = -1.81, J(6, 7) = 280.0 * y[5];
    J(7, 5) = -280.0 * y[7], J(7, 6) = 1.81, J(7, 7) = -280.0 * y[5];
#undef J
    return ODE_OK;
}

// y'' = ((1 - y^2) y' - y) / epsilon: van der Pol in slow time, mu = epsilon^-1/2.
static ode_answer vdpol_rate(void *context, double t, const double *y, double *dy)
{
    (void)t;
    dy[0] = y[1];
    dy[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / *(const double *)context;
    return ODE_OK;
}

static ode_answer vdpol_jacobian(void *context, double t, const double *y, double *j)
{
    (void)t;
    jacobian_calls++;
    const double epsilon = *(const double *)context;
    j[0] = 0.0, j[1] = (-2.0 * y[0] * y[1] - 1.0) / epsilon;
    j[2] = 1.0, j[3] = (1.0 - y[0] * y[0]) / epsilon;
    return ODE_OK;
}

typedef struct problem {
    const char *name;
    int n;
    double end, epsilon;
    double atol_share; // atol / rtol
    ode_rate *rate;
    ode_jacobian *jacobian;
    double start[N_MAX], want[N_MAX];
} problem;

static problem problems[] = {
    {"robertson",
     3,
     1e11,
     0.0,
     1e-12,
     robertson_rate,
     robertson_jacobian,
     {1.0},
     {0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050}},
    {"hires",
     8,
     321.8122,
     0.0,
     1e-3,
     hires_rate,
     hires_jacobian,
     {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057},
     {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
      0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2}},
    {"van der pol",
     2,
     2.0,
     1e-6,
     1.0,
     vdpol_rate,
     vdpol_jacobian,
     {2.0, 0.0},
     {0.1706167732170483e1, -0.8928097010247975e0}},
};
enum { PROBLEM_COUNT = sizeof problems / sizeof problems[0] };

// Runs to the end; y becomes the final state.
static ode_report solve(const char *name, problem *p, bool with_jacobian, double rtol, double *y)
{
    ode_kind kind;
    assert_true(ode_kind_find(name, &kind));
    ode_options options = ode_options_default();
    options.rtol = rtol;
    options.atol = rtol * p->atol_share;
    const ode_problem given = {.n = p->n,
                               .context = &p->epsilon,
                               .rate = p->rate,
                               .jacobian = with_jacobian ? p->jacobian : NULL};
    mc_error error = {0};
    ode *o = ode_create(&kind, &given, &options, &error);
    assert_non_null(o);
    assert_int_equal(ode_start(o, 0.0, p->start, &error), MC_OK);
    const mc_status status = ode_run(o, p->end, NULL, 0, NULL, NULL, &error);
    if (status != MC_OK)
        print_message("%s\n", error.text);
    assert_int_equal(status, MC_OK);
    memcpy(y, ode_state(o), (size_t)p->n * sizeof *y);
    const ode_report report = *ode_report_of(o);
    ode_free(o);
    return report;
}

static double relative_error(const problem *p, const double *y)
{
    double error = 0.0;
    for (int i = 0; i < p->n; i++)
        error = fmax(error, fabs(y[i] / p->want[i] - 1.0));
    return error;
}

// The relative error of every state at the end, small ones too, is of the size of the tolerance.
static void published_values(void **state)
{
    (void)state;
    static const char *const names[] = {"radau5", "cvode"};
    for (int m = 0; m < 2; m++)
        for (int p = 0; p < PROBLEM_COUNT; p++)
            for (int with_jacobian = 0; with_jacobian < 2; with_jacobian++)
                for (int decade = 5; decade <= 9; decade += 2) {
                    double y[N_MAX];
                    const double rtol = pow(10.0, -decade);
                    jacobian_calls = 0;
                    const ode_report r = solve(names[m], &problems[p], with_jacobian, rtol, y);
                    const double error = relative_error(&problems[p], y);
                    if (error > (m == 0 ? 30.0 : 300.0) * rtol)
                        print_message("%s, %s, %g: error %g\n", names[m], problems[p].name, rtol,
                                      error);
                    assert_true(error < (m == 0 ? 30.0 : 300.0) * rtol);
                    assert_int_equal(jacobian_calls, with_jacobian ? r.jacobians : 0);
                    assert_true(r.jacobians > 0 && r.factorizations >= r.jacobians);
                    assert_true(r.steps < 20000 && r.iterations >= r.steps);
                }
}

// A Jacobian from the caller saves exactly the rates of the differences.
static void a_jacobian_saves_rates(void **state)
{
    (void)state;
    double y[N_MAX];
    const ode_report without = solve("radau5", &problems[1], false, 1e-6, y);
    const ode_report with = solve("radau5", &problems[1], true, 1e-6, y);
    const double saved = (double)(without.rates - with.rates);
    assert_true(fabs(saved - 8.0 * (double)without.jacobians) < 0.1 * saved);
}

// mu = 1e3 .. 1e6 (epsilon = 1 / mu^2), both stiff methods, two ways of getting the Jacobian. The
// fast passages sit at times that hang on the whole past, so agreement there is a hard test.
static void van_der_pol(void **state)
{
    (void)state;
    for (double mu = 1e3; mu < 2e6; mu *= 10.0) {
        problem p = problems[2];
        p.epsilon = 1.0 / (mu * mu);
        double a[N_MAX], b[N_MAX], c[N_MAX];
        const ode_report radau = solve("radau5", &p, true, 1e-9, a);
        solve("radau5", &p, false, 1e-9, b);
        const ode_report cvode = solve("cvode", &p, true, 1e-10, c);
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(a[i] - b[i]) < 1e-7);
            if (!(fabs(a[i] - c[i]) < 1e-6))
                print_message("mu %g, state %d: radau5 %.12g, cvode %.12g\n", mu, i, a[i], c[i]);
            assert_true(fabs(a[i] - c[i]) < 1e-6);
        }
        // The work hardly depends on the stiffness.
        assert_true(radau.steps < 5000 && cvode.steps < 20000);
    }
}

// A linear problem with a closed form however stiff: y' = -rate (y - cos t) - sin t, y = cos t.
// Rows come from the interpolants.
static ode_answer prothero_rate(void *context, double t, const double *y, double *dy)
{
    dy[0] = -*(const double *)context * (y[0] - cos(t)) - sin(t);
    return ODE_OK;
}

static bool is_cosine(void *context, double t, const double *y)
{
    double *worst = context;
    *worst = fmax(*worst, fabs(y[0] - cos(t)));
    return true;
}

static void rows_of_a_stiff_problem(void **state)
{
    (void)state;
    static const char *const names[] = {"radau5", "cvode", "gauss2", "gauss4", "gauss6"};
    double times[201];
    for (int i = 0; i <= 200; i++)
        times[i] = 0.05 * i;
    for (int m = 0; m < 5; m++)
        for (double stiffness = 1.0; stiffness < 1e9; stiffness *= 100.0) {
            ode_kind kind;
            assert_true(ode_kind_find(names[m], &kind));
            ode_options options = ode_options_default();
            options.rtol = options.atol = 1e-8;
            options.step = kind.adaptive ? 0.0 : 0.01;
            ode *o = ode_create(
                &kind, &(ode_problem){.n = 1, .context = &stiffness, .rate = prothero_rate},
                &options, NULL);
            const double y = 1.0;
            double worst = 0.0;
            assert_int_equal(ode_start(o, 0.0, &y, NULL), MC_OK);
            assert_int_equal(ode_run(o, 10.0, times, 201, is_cosine, &worst, NULL), MC_OK);
            // At 100 the step of 0.01 is as long as the transient: the order falls to the stages.
            // Rows of radau5 are as good as its steps: 0.1 rtol^(2/3) each.
            const double bound = m == 0 ? 5e-6 : m == 1 ? 1e-6 : 3e-4;
            if (!(worst < bound))
                print_message("%s, %g: %g\n", names[m], stiffness, worst);
            assert_true(worst < bound);
            ode_free(o);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values),
        cmocka_unit_test(a_jacobian_saves_rates),
        cmocka_unit_test(van_der_pol),
        cmocka_unit_test(rows_of_a_stiff_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
