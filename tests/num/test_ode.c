// test_ode.c - accuracy of the methods of ode.h against closed forms and published values.
#include "num/integrate.h"
#include "num/ode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_MAX = 8, ROWS = 37 };

// ---- problems with a closed form ---------------------------------------------------------------

typedef struct problem {
    const char *name;
    int n;
    double duration;
    ode_rate *rate;
    void (*exact)(double t, double *y);
} problem;

// q'' = -q, and a decay driven by time: y' = -2 t y^2.
static ode_answer oscillator_rate(void *context, double t, const double *y, double *dy)
{
    (void)context;
    dy[0] = y[1];
    dy[1] = -y[0];
    dy[2] = -2.0 * t * y[2] * y[2];
    return ODE_OK;
}

static void oscillator_exact(double t, double *y)
{
    y[0] = cos(t);
    y[1] = -sin(t);
    y[2] = 1.0 / (1.0 + t * t);
}

// Kepler's ellipse with half axes 1 and sqrt(1 - e^2).
static const double eccentricity = 0.5;

static ode_answer kepler_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    const double scale = -pow(y[0] * y[0] + y[1] * y[1], -1.5);
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = scale * y[0], dy[3] = scale * y[1];
    return ODE_OK;
}

static void kepler_exact(double t, double *y)
{
    const double e = eccentricity, width = sqrt(1.0 - e * e);
    double u = t; // u - e sin u = t
    for (int i = 0; i < 50; i++)
        u -= (u - e * sin(u) - t) / (1.0 - e * cos(u));
    const double speed = 1.0 / (1.0 - e * cos(u));
    y[0] = cos(u) - e, y[1] = width * sin(u);
    y[2] = -sin(u) * speed, y[3] = width * cos(u) * speed;
}

// A free rigid body, w1' = w2 w3, w2' = -w1 w3, w3' = -k^2 w1 w2: Jacobi's sn, cn, dn.
static const double modulus = 0.8;

static ode_answer euler_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    dy[0] = y[1] * y[2];
    dy[1] = -y[0] * y[2];
    dy[2] = -modulus * modulus * y[0] * y[1];
    return ODE_OK;
}

// By the arithmetic-geometric mean (Abramowitz and Stegun 16.4).
static void euler_exact(double t, double *y)
{
    enum { HALVINGS = 6 };
    double a[HALVINGS + 1] = {1.0}, c[HALVINGS + 1] = {modulus}, b = sqrt(1.0 - modulus * modulus);
    for (int i = 1; i <= HALVINGS; i++) {
        a[i] = 0.5 * (a[i - 1] + b);
        c[i] = 0.5 * (a[i - 1] - b);
        b = sqrt(a[i - 1] * b);
    }
    double angle = ldexp(a[HALVINGS] * t, HALVINGS);
    for (int i = HALVINGS; i > 0; i--)
        angle = 0.5 * (angle + asin(c[i] / a[i] * sin(angle)));
    y[0] = sin(angle), y[1] = cos(angle);
    y[2] = sqrt(1.0 - pow(modulus * y[0], 2));
}

static const problem problems[] = {
    {"oscillator", 3, 7.0, oscillator_rate, oscillator_exact},
    {"kepler", 4, 6.283185307179586, kepler_rate, kepler_exact},
    {"rigid body", 3, 10.0, euler_rate, euler_exact},
};
enum { PROBLEM_COUNT = sizeof problems / sizeof problems[0] };

// ---- one run -----------------------------------------------------------------------------------

static ode_kind kind_of(const char *name)
{
    ode_kind kind;
    assert_true(ode_kind_find(name, &kind));
    return kind;
}

typedef struct watch {
    const problem *p;
    double error; // largest over all rows
    double last;  // of the last row, which is the end
    int rows;
} watch;

static bool compare(void *context, double t, const double *y)
{
    watch *w = context;
    double want[N_MAX];
    w->p->exact(t, want);
    w->last = 0.0;
    for (int i = 0; i < w->p->n; i++)
        w->last = fmax(w->last, fabs(y[i] - want[i]));
    w->error = fmax(w->error, w->last);
    w->rows++;
    return true;
}

// Errors over rows at odd places and the end; the report goes to *report (may be NULL).
static watch error_of(const ode_kind *kind, const problem *p, const ode_options *options,
                      ode_report *report)
{
    const ode_problem given = {.n = p->n, .rate = p->rate};
    double y[N_MAX], times[ROWS];
    for (int i = 0; i < ROWS; i++)
        times[i] = p->duration * i / (ROWS - 1);
    p->exact(0.0, y);
    mc_error error = {0};
    ode *o = ode_create(kind, &given, options, &error);
    assert_non_null(o);
    watch w = {.p = p};
    assert_int_equal(ode_start(o, 0.0, y, &error), MC_OK);
    const mc_status status = ode_run(o, p->duration, times, ROWS, compare, &w, &error);
    if (status != MC_OK)
        print_message("%s\n", error.text);
    assert_int_equal(status, MC_OK);
    assert_int_equal(w.rows, ROWS);
    assert_true(ode_time(o) == p->duration);
    if (report)
        *report = *ode_report_of(o);
    ode_free(o);
    return w;
}

// ---- fixed step --------------------------------------------------------------------------------

// Halving the step divides the error by 2^order, for every method of fixed step.
static void orders_of_fixed_methods(void **state)
{
    (void)state;
    ode_kind kind;
    int checked = 0;
    for (int i = 0; ode_kind_at(i, &kind); i++) {
        if (kind.adaptive)
            continue;
        for (int p = 0; p < PROBLEM_COUNT; p++) {
            ode_options options = ode_options_default();
            double errors[2];
            // Small enough for the leading term, large enough to stay above rounding.
            const double steps = kind.order == 1   ? 40000.0
                                 : kind.order <= 3 ? 2000.0
                                 : kind.order <= 5 ? 360.0
                                                   : 72.0;
            for (int k = 0; k < 2; k++) {
                options.step = problems[p].duration / (steps * (k + 1));
                errors[k] = error_of(&kind, &problems[p], &options, NULL).error;
            }
            const double order = log2(errors[0] / errors[1]);
            if (fabs(order - kind.order) > 0.25)
                print_message("%s, %s: order %.3f, errors %g %g\n", kind.name, problems[p].name,
                              order, errors[0], errors[1]);
            assert_true(fabs(order - kind.order) <= 0.25);
        }
        checked++;
    }
    assert_int_equal(checked, 9);
}

// The explicit ones are rk_advance to the bit.
static void rk_plain(void *context, double t, const double *y, double *dy)
{
    kepler_rate(context, t, y, dy);
}

static void explicit_methods_are_those_of_integrate(void **state)
{
    (void)state;
    for (int i = 0; rk_kind_at(i); i++) {
        const rk_kind *rk = rk_kind_at(i);
        const ode_kind kind = kind_of(rk->name);
        assert_true(kind.order == rk->order && !kind.adaptive && !kind.implicit);
        double want[4], work[(RK_STAGE_MAX + 1) * 4];
        kepler_exact(0.0, want);
        ode_options options = ode_options_default();
        options.step = 1.0 / 64;
        ode *o = ode_create(&kind, &(ode_problem){.n = 4, .rate = kepler_rate}, &options, NULL);
        assert_int_equal(ode_start(o, 0.0, want, NULL), MC_OK);
        assert_int_equal(ode_run(o, 2.0, NULL, 0, NULL, NULL, NULL), MC_OK);
        rk_advance(rk, rk_plain, NULL, 4, 0.0, 1.0 / 64, 128, want, work);
        assert_memory_equal(ode_state(o), want, sizeof want);
        assert_int_equal(ode_report_of(o)->steps, 128);
        assert_int_equal(ode_report_of(o)->rates, 128 * rk->stages);
        ode_free(o);
    }
}

static ode_answer pendulum_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    dy[0] = y[1];
    dy[1] = -sin(y[0]);
    return ODE_OK;
}

typedef struct energy {
    double first, largest, last; // relative error; over the first tenth of the run, over all, now
    int rows;
} energy;

static bool note_energy(void *context, double t, const double *y)
{
    (void)t;
    energy *e = context;
    const double start = 1.0 - cos(1.0);
    const double off = (0.5 * y[1] * y[1] + 1.0 - cos(y[0])) / start - 1.0;
    e->last = off;
    e->largest = fmax(e->largest, fabs(off));
    if (++e->rows <= 1000)
        e->first = fmax(e->first, fabs(off));
    return true;
}

static energy pendulum_energy(const char *name, double step)
{
    enum { PERIODS = 10000 };
    static double times[PERIODS];
    // The period at 1 rad is 6.70 s. Rows a little apart from it go through all phases.
    for (int i = 0; i < PERIODS; i++)
        times[i] = 6.70 * 1.0618 * (i + 1);
    const ode_kind kind = kind_of(name);
    ode_options options = ode_options_default();
    options.step = step;
    ode *o = ode_create(&kind, &(ode_problem){.n = 2, .rate = pendulum_rate}, &options, NULL);
    const double y[2] = {1.0, 0.0};
    assert_int_equal(ode_start(o, 0.0, y, NULL), MC_OK);
    energy e = {0};
    assert_int_equal(ode_run(o, times[PERIODS - 1], times, PERIODS, note_energy, &e, NULL), MC_OK);
    assert_int_equal(e.rows, PERIODS);
    ode_free(o);
    return e;
}

// Ten thousand swings at twenty steps each: the energy error of Gauss' methods is no larger over
// all than over the first tenth; rk4 has lost most of the energy.
static void energy_of_a_pendulum(void **state)
{
    (void)state;
    static const char *const names[] = {"gauss2", "gauss4", "gauss6"};
    const double step = 6.70 / 20;
    for (int i = 0; i < 3; i++) {
        const energy e = pendulum_energy(names[i], step);
        print_message("%s: energy error %.2e, first tenth %.2e, end %.2e\n", names[i], e.largest,
                      e.first, e.last);
        assert_true(e.largest < (i == 0 ? 2e-2 : i == 1 ? 2e-5 : 1e-7));
        assert_true(e.largest < 1.5 * e.first + 1e-11);
    }
    const energy rk = pendulum_energy("rk4", step);
    print_message("rk4: energy error %.2e, first tenth %.2e\n", rk.largest, rk.first);
    assert_true(rk.largest > 3.0 * rk.first && rk.largest > 0.5);
}

// ---- adaptive ----------------------------------------------------------------------------------

static const char *const adaptive[] = {"dopri5", "dop853", "radau5", "cvode", "cvode-adams"};
enum { ADAPTIVE_COUNT = sizeof adaptive / sizeof adaptive[0] };

// The error of a run follows the tolerance over eight decades, and so do rows between the steps.
static void tolerance_is_followed(void **state)
{
    (void)state;
    for (int m = 0; m < ADAPTIVE_COUNT; m++) {
        const ode_kind kind = kind_of(adaptive[m]);
        assert_true(kind.adaptive);
        for (int p = 0; p < PROBLEM_COUNT; p++) {
            double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
            int count = 0;
            for (int decade = 4; decade <= 12; decade += 2, count++) {
                ode_options options = ode_options_default();
                options.rtol = options.atol = pow(10.0, -decade);
                const watch w = error_of(&kind, &problems[p], &options, NULL);
                // Errors of the steps add up; most in multistep methods. Rows of radau5 are only as
                // good as its steps.
                const double bound = (m < 3 ? 1e3 : 1e4) * options.rtol;
                const double rows = m == 2 ? 3.0 * pow(options.rtol, 2.0 / 3) : bound;
                if (w.last > bound || w.error > rows)
                    print_message("%s, %s, 1e-%d: error %g, rows %g\n", kind.name, problems[p].name,
                                  decade, w.last, w.error);
                assert_true(w.last <= bound && w.error <= rows);
                const double error = m == 2 ? w.last : w.error;
                sum_x += decade, sum_y += -log10(error);
                sum_xx += decade * decade, sum_xy += -log10(error) * decade;
            }
            const double slope =
                (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
            if (!(slope > 0.7 && slope < 1.3))
                print_message("%s, %s: slope %.3f\n", kind.name, problems[p].name, slope);
            assert_true(slope > 0.7 && slope < 1.3);
        }
    }
}

// The higher order pays: at a tight tolerance dop853 asks the rate less than half as often.
static void cost_of_tight_tolerance(void **state)
{
    (void)state;
    ode_options options = ode_options_default();
    options.rtol = options.atol = 1e-11;
    ode_report five, eight;
    const ode_kind a = kind_of("dopri5"), b = kind_of("dop853");
    error_of(&a, &problems[1], &options, &five);
    error_of(&b, &problems[1], &options, &eight);
    assert_true(2 * eight.rates < five.rates);
    // Few rejected steps, and all counted: each try of dopri5 costs six rates.
    assert_true(five.rejected * 10 < five.steps);
    assert_true(five.rates >= 6 * (five.steps + five.rejected) &&
                five.rates <= 6 * (five.steps + five.rejected) + 2);
    assert_int_equal(five.jacobians + five.factorizations, 0);
}

// All methods, at a step or a tolerance fine enough, agree with cvode at every row. (Closed forms
// are not used: this would also find an error in them.)
typedef struct memory {
    double y[ROWS][N_MAX];
    int n, rows;
} memory;

static bool remember(void *context, double t, const double *y)
{
    (void)t;
    memory *m = context;
    memcpy(m->y[m->rows++], y, (size_t)m->n * sizeof *y);
    return true;
}

static void run_into(const char *name, const problem *p, double tolerance, double step, memory *m)
{
    const ode_kind kind = kind_of(name);
    double y[N_MAX], times[ROWS];
    for (int i = 0; i < ROWS; i++)
        times[i] = p->duration * i / (ROWS - 1);
    ode_options options = ode_options_default();
    options.rtol = options.atol = tolerance;
    options.step = kind.adaptive ? 0.0 : step;
    p->exact(0.0, y);
    *m = (memory){.n = p->n};
    ode *o = ode_create(&kind, &(ode_problem){.n = p->n, .rate = p->rate}, &options, NULL);
    assert_non_null(o);
    assert_int_equal(ode_start(o, 0.0, y, NULL), MC_OK);
    assert_int_equal(ode_run(o, p->duration, times, ROWS, remember, m, NULL), MC_OK);
    assert_int_equal(m->rows, ROWS);
    ode_free(o);
}

static void agreement_with_cvode(void **state)
{
    (void)state;
    static memory want, got;
    for (int p = 0; p < PROBLEM_COUNT; p++) {
        run_into("cvode", &problems[p], 1e-12, 0.0, &want);
        ode_kind kind;
        for (int i = 0; ode_kind_at(i, &kind); i++) {
            if (strcmp(kind.name, "cvode") == 0)
                continue;
            const double step = kind.order == 1 ? 2e-5 : kind.order <= 3 ? 5e-4 : 5e-3;
            run_into(kind.name, &problems[p], 1e-12, step, &got);
            double off = 0.0;
            for (int r = 0; r < ROWS; r++)
                for (int k = 0; k < want.n; k++)
                    off = fmax(off, fabs(want.y[r][k] - got.y[r][k]));
            const double bound = kind.adaptive     ? 2e-8
                                 : kind.order >= 4 ? 1e-7
                                 : kind.order == 1 ? 2e-2
                                                   : 1e-4;
            if (off > bound)
                print_message("%s, %s: %g from cvode\n", kind.name, problems[p].name, off);
            assert_true(off <= bound);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_fixed_methods),
        cmocka_unit_test(explicit_methods_are_those_of_integrate),
        cmocka_unit_test(energy_of_a_pendulum),
        cmocka_unit_test(tolerance_is_followed),
        cmocka_unit_test(cost_of_tight_tolerance),
        cmocka_unit_test(agreement_with_cvode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
