// test_integrate.c - every method has the order its table says and the stability it computes.
//
// Closed forms: the logistic equation, the pendulum (elliptic functions), Kepler's orbit, and
// equations driven by time. The error is the largest over a run; halving the step gives the order.
#include "num/integrate.h"
#include "support/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATE_MAX = 4, WORK_MAX = (RK_STAGE_MAX + 1) * STATE_MAX, SAMPLES = 16 };

// ---- problems with a closed form -------------------------------------------------------------

typedef struct problem {
    const char *name;
    int n; // states of y' = f(t, y); for q'' = a(t, q) they are q, then v
    double duration;
    integrate_rate *rate;
    integrate_rate *acceleration; // NULL for a problem of first order
    void (*exact)(double t, double *y);
} problem;

static void logistic_rate(void *context, double t, const double *y, double *dy)
{
    (void)context, (void)t;
    dy[0] = y[0] * (1.0 - y[0]);
}

static void logistic_exact(double t, double *y)
{
    y[0] = 1.0 / (1.0 + 9.0 * exp(-t)); // from 0.1
}

// y' = -2 t y^2: the slope depends on time and state together.
static void bell_rate(void *context, double t, const double *y, double *dy)
{
    (void)context;
    dy[0] = -2.0 * t * y[0] * y[0];
}

static void bell_exact(double t, double *y)
{
    y[0] = 1.0 / (1.0 + t * t);
}

// q'' = -sin q from rest at 2 rad.
static const double pendulum_angle = 2.0;

static void pendulum_acceleration(void *context, double t, const double *q, double *a)
{
    (void)context, (void)t;
    a[0] = -sin(q[0]);
}

static void pendulum_rate(void *context, double t, const double *y, double *dy)
{
    dy[0] = y[1];
    pendulum_acceleration(context, t, y, dy + 1);
}

// Jacobi's amplitude by the arithmetic-geometric mean (Abramowitz and Stegun 16.4).
static double jacobi_amplitude(double u, double k)
{
    enum { HALVINGS = 6 }; // digits double in each
    double a[HALVINGS + 1] = {1.0}, c[HALVINGS + 1] = {k}, b = sqrt(1.0 - k * k);
    for (int i = 1; i <= HALVINGS; i++) {
        a[i] = 0.5 * (a[i - 1] + b);
        c[i] = 0.5 * (a[i - 1] - b);
        b = sqrt(a[i - 1] * b);
    }
    double angle = ldexp(a[HALVINGS] * u, HALVINGS);
    for (int i = HALVINGS; i > 0; i--)
        angle = 0.5 * (angle + asin(c[i] / a[i] * sin(angle)));
    return angle;
}

// sin(q/2) = k cn / dn,  q' = -2 k k' sn / dn,  k = sin(q(0)/2),  k' = cos(q(0)/2).
static void pendulum_exact(double t, double *y)
{
    const double k = sin(0.5 * pendulum_angle), other = cos(0.5 * pendulum_angle);
    const double angle = jacobi_amplitude(t, k), dn = sqrt(1.0 - pow(k * sin(angle), 2));
    y[0] = 2.0 * asin(k * cos(angle) / dn);
    y[1] = -2.0 * k * other * sin(angle) / dn;
}

// q'' = -q / |q|^3, an ellipse with half axes 1 and sqrt(1 - e^2).
static const double eccentricity = 0.3;

static void kepler_acceleration(void *context, double t, const double *q, double *a)
{
    (void)context, (void)t;
    const double scale = -pow(q[0] * q[0] + q[1] * q[1], -1.5);
    a[0] = scale * q[0], a[1] = scale * q[1];
}

static void kepler_rate(void *context, double t, const double *y, double *dy)
{
    dy[0] = y[2], dy[1] = y[3];
    kepler_acceleration(context, t, y, dy + 2);
}

static void kepler_exact(double t, double *y)
{
    const double e = eccentricity, width = sqrt(1.0 - e * e);
    double u = t; // u - e sin u = t
    for (int i = 0; i < 20; i++)
        u -= (u - e * sin(u) - t) / (1.0 - e * cos(u));
    const double speed = 1.0 / (1.0 - e * cos(u));
    y[0] = cos(u) - e, y[1] = width * sin(u);
    y[2] = -sin(u) * speed, y[3] = width * cos(u) * speed;
}

// q'' = -q^3 + f(t) with f such that q = sin t.
static void driven_acceleration(void *context, double t, const double *q, double *a)
{
    (void)context;
    a[0] = -pow(q[0], 3) + pow(sin(t), 3) - sin(t);
}

static void driven_rate(void *context, double t, const double *y, double *dy)
{
    dy[0] = y[1];
    driven_acceleration(context, t, y, dy + 1);
}

static void driven_exact(double t, double *y)
{
    y[0] = sin(t), y[1] = cos(t);
}

static const problem problems[] = {
    {"logistic", 1, 5.0, logistic_rate, NULL, logistic_exact},
    {"bell", 1, 3.0, bell_rate, NULL, bell_exact},
    {"pendulum", 2, 10.0, pendulum_rate, pendulum_acceleration, pendulum_exact},
    {"kepler", 4, 7.0, kepler_rate, kepler_acceleration, kepler_exact},
    {"driven", 2, 5.0, driven_rate, driven_acceleration, driven_exact},
};
enum { PROBLEM_COUNT = sizeof problems / sizeof problems[0] };

// The closed forms are what they say: against CVODE.
static void closed_forms(void **state)
{
    (void)state;
    for (int p = 0; p < PROBLEM_COUNT; p++) {
        double y[STATE_MAX], want[STATE_MAX];
        problems[p].exact(0.0, y);
        assert_int_equal(reference_integrate(problems[p].rate, NULL, problems[p].n, y, 0.0,
                                             problems[p].duration, 1e-14),
                         0);
        problems[p].exact(problems[p].duration, want);
        for (int m = 0; m < problems[p].n; m++)
            assert_true(fabs(y[m] - want[m]) < 1e-9);
    }
}

// ---- either family as one thing --------------------------------------------------------------

typedef struct method {
    const char *name, *doc;
    int order, stages;
    const rk_kind *rk; // or
    const symplectic_kind *symplectic;
} method;

enum { METHOD_MAX = 32 };

static int all_methods(method *methods)
{
    int count = 0;
    for (int i = 0; rk_kind_at(i) && count < METHOD_MAX; i++) {
        const rk_kind *k = rk_kind_at(i);
        methods[count++] = (method){k->name, k->doc, k->order, k->stages, k, NULL};
    }
    for (int i = 0; symplectic_kind_at(i) && count < METHOD_MAX; i++) {
        const symplectic_kind *k = symplectic_kind_at(i);
        methods[count++] = (method){k->name, k->doc, k->order, k->stages, NULL, k};
    }
    return count;
}

static void advance(const method *m, const problem *p, double t, double h, int steps, double *y)
{
    double work[WORK_MAX];
    if (m->rk) {
        assert_true(rk_work_size(m->rk, p->n) <= WORK_MAX);
        rk_advance(m->rk, p->rate, NULL, p->n, t, h, steps, y, work);
    } else {
        assert_true(symplectic_work_size(m->symplectic, p->n / 2) <= WORK_MAX);
        symplectic_advance(m->symplectic, p->acceleration, NULL, p->n / 2, t, h, steps, y,
                           y + p->n / 2, work);
    }
}

// Largest error over SAMPLES moments of the run.
static double error_of(const method *m, const problem *p, int steps_a_sample)
{
    double y[STATE_MAX], want[STATE_MAX], error = 0.0;
    p->exact(0.0, y);
    const double h = p->duration / (SAMPLES * steps_a_sample);
    for (int k = 0; k < SAMPLES; k++) {
        advance(m, p, p->duration * k / SAMPLES, h, steps_a_sample, y);
        p->exact(p->duration * (k + 1) / SAMPLES, want);
        for (int i = 0; i < p->n; i++)
            error = fmax(error, fabs(y[i] - want[i]));
    }
    return error;
}

static void orders(void **state)
{
    (void)state;
    static const int looks[] = {0, 256, 128, 96, 64, 48}; // a sample at the longest step, by order
    method methods[METHOD_MAX];
    const int count = all_methods(methods);
    assert_int_equal(count, 10);
    printf("%-17s %-9s %5s %10s %6s %6s\n", "method", "problem", "order", "error", "h/2", "h/4");
    for (int i = 0; i < count; i++)
        for (int p = 0; p < PROBLEM_COUNT; p++) {
            const method *m = &methods[i];
            if (!m->rk && !problems[p].acceleration)
                continue;
            double error[3];
            for (int half = 0; half < 3; half++)
                error[half] = error_of(m, &problems[p], (looks[m->order] / m->stages) << half);
            const double first = log2(error[0] / error[1]), second = log2(error[1] / error[2]);
            printf("%-17s %-9s %5d %10.2e %6.2f %6.2f\n", m->name, problems[p].name, m->order,
                   error[0], first, second);
            assert_true(fabs(second - m->order) < 0.2);
        }
}

// What a table row must satisfy whatever the method.
static void tables_are_sane(void **state)
{
    (void)state;
    method methods[METHOD_MAX];
    const int count = all_methods(methods);
    for (int i = 0; i < count; i++) {
        const method *m = &methods[i];
        assert_true(strlen(m->name) > 0 && strlen(m->doc) > 0);
        assert_true(m->order >= 1 && m->order <= m->stages * 2);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(m->name, methods[j].name);
        if (m->rk) {
            assert_ptr_equal(rk_kind_find(m->name), m->rk);
            double sum = 0.0;
            for (int s = 0; s < m->stages; s++) {
                double row = 0.0;
                for (int j = 0; j < s; j++)
                    row += m->rk->a[s][j];
                assert_true(fabs(row - m->rk->c[s]) < 1e-14);
                sum += m->rk->b[s];
            }
            assert_true(fabs(sum - 1.0) < 1e-15);
        } else {
            assert_ptr_equal(symplectic_kind_find(m->name), m->symplectic);
            double kicks = 0.0, drifts = 0.0;
            for (int s = 0; s < m->symplectic->pairs; s++)
                kicks += m->symplectic->kick[s], drifts += m->symplectic->drift[s];
            assert_true(fabs(kicks - 1.0) < 1e-15 && fabs(drifts - 1.0) < 1e-15);
        }
    }
    assert_non_null(rk_kind_find("RK4"));
    assert_null(rk_kind_find("verlet"));
    assert_null(symplectic_kind_find("rk4"));
    assert_null(rk_kind_at(-1));
    assert_null(symplectic_kind_at(-1));
}

// One step for q'' = -q is a matrix of polynomials in h: its rows must be cos h, sin h, -sin h,
// cos h up to the order. Every digit of a coefficient shows here.
static void symplectic_coefficients(void **state)
{
    (void)state;
    enum { DEGREES = 6 };
    for (int i = 0; symplectic_kind_at(i); i++) {
        const symplectic_kind *k = symplectic_kind_at(i);
        assert_true(k->order < DEGREES);
        for (int start = 0; start < 2; start++) { // q = 1, v = 0; then q = 0, v = 1
            double q[DEGREES] = {1.0 - start}, v[DEGREES] = {start};
            for (int s = 0; s < k->pairs; s++) {
                for (int d = DEGREES - 1; d > 0; d--)
                    v[d] -= k->kick[s] * q[d - 1];
                for (int d = DEGREES - 1; d > 0; d--)
                    q[d] += k->drift[s] * v[d - 1];
            }
            double factorial = 1.0;
            for (int d = 0; d <= k->order; factorial *= ++d) {
                static const double cosine[4] = {1.0, 0.0, -1.0, 0.0}; // and sine one further
                const double want_q = cosine[(d + (start ? 3 : 0)) % 4] / factorial;
                const double want_v = cosine[(d + (start ? 0 : 1)) % 4] / factorial;
                assert_true(fabs(q[d] - want_q) < 1e-14 && fabs(v[d] - want_v) < 1e-14);
            }
        }
    }
}

// ---- stability -------------------------------------------------------------------------------

// y' = (real + i imaginary) y as two real states.
static void linear_rate(void *context, double t, const double *y, double *dy)
{
    const double *l = context;
    (void)t;
    dy[0] = l[0] * y[0] - l[1] * y[1];
    dy[1] = l[1] * y[0] + l[0] * y[1];
}

// R(z) is the exponential to the order of the method, and what a step does.
static void stability_function(void **state)
{
    (void)state;
    for (int i = 0; rk_kind_at(i); i++) {
        const rk_kind *k = rk_kind_at(i);
        const double complex z = -0.6 + 0.8 * I;
        double complex taylor = 0.0, term = 1.0;
        for (int power = 0; power <= k->order; power++) {
            taylor += term;
            term *= z / (power + 1);
        }
        if (k->stages == k->order) // R has no other terms
            assert_true(cabs(rk_stability(k, z) - taylor) < 1e-15);
        else // Dormand and Prince: one more, z^6 / 600
            assert_true(cabs(rk_stability(k, z) - taylor - cpow(z, 6) / 600.0) < 1e-14);

        double l[2] = {-0.7, 1.3}, y[2] = {1.0, 0.0}, work[WORK_MAX];
        rk_advance(k, linear_rate, l, 2, 0.0, 0.9, 1, y, work);
        const double complex r = rk_stability(k, 0.9 * (l[0] + l[1] * I));
        assert_true(fabs(y[0] - creal(r)) < 1e-14 && fabs(y[1] - cimag(r)) < 1e-14);
    }
}

// |y| after many steps of h = 1.
static double growth(const rk_kind *k, double real, double imaginary, int steps)
{
    double l[2] = {real, imaginary}, y[2] = {1.0, 0.0}, work[WORK_MAX];
    rk_advance(k, linear_rate, l, 2, 0.0, 1.0, steps, y, work);
    return hypot(y[0], y[1]);
}

static void stability_limits(void **state)
{
    (void)state;
    // Roots of the polynomials by 40-digit arithmetic; sqrt(3) and sqrt(8) on the imaginary axis.
    static const struct {
        const char *name;
        double real, imaginary;
    } rows[] = {
        {"euler", 2.0, 0.0},
        {"midpoint", 2.0, 0.0},
        {"heun", 2.0, 0.0},
        {"rk3", 2.5127453266, 1.7320508076},
        {"rk4", 2.7852935634, 2.8284271247},
        {"rk5", 3.3065678926, 0.9971890086},
    };
    printf("%-17s %12s %12s\n", "method", "real", "imaginary");
    for (int i = 0; rk_kind_at(i); i++) {
        const rk_kind *k = rk_kind_at(i);
        assert_true(i < (int)(sizeof rows / sizeof rows[0]));
        assert_string_equal(k->name, rows[i].name);
        const double real = rk_real_limit(k), imaginary = rk_imaginary_limit(k);
        printf("%-17s %12.9f %12.9f\n", k->name, real, imaginary);
        assert_true(fabs(real - rows[i].real) < 1e-9);
        assert_true(fabs(imaginary - rows[i].imaginary) < 1e-9);
        // And a run does as the limit says.
        assert_true(growth(k, -0.999 * real, 0.0, 10000) < 1.0);
        assert_true(growth(k, -1.001 * real, 0.0, 10000) > 1e3);
        assert_true(growth(k, 0.0, imaginary + 0.5, 500) > 2.0);
        if (imaginary > 0.0)
            assert_true(growth(k, 0.0, 0.99 * imaginary, 100000) < 1.0);
    }
}

static void oscillator_acceleration(void *context, double t, const double *q, double *a)
{
    (void)context, (void)t;
    a[0] = -q[0];
}

static void symplectic_limits(void **state)
{
    (void)state;
    for (int i = 0; symplectic_kind_at(i); i++) {
        const symplectic_kind *k = symplectic_kind_at(i);
        const double limit = symplectic_limit(k);
        printf("%-17s %12s %12.9f\n", k->name, "", limit);
        if (k->order <= 2) // symplectic Euler and Verlet: 2 / omega
            assert_true(fabs(limit - 2.0) < 1e-9);
        for (int beyond = 0; beyond < 2; beyond++) {
            double q = 1.0, v = 0.3, work[1], largest = 0.0;
            for (int step = 0; step < 20000 && largest < 1e10; step++) {
                symplectic_advance(k, oscillator_acceleration, NULL, 1, 0.0,
                                   (beyond ? 1.001 : 0.999) * limit, 1, &q, &v, work);
                largest = fmax(largest, fabs(q));
            }
            assert_true(beyond ? largest >= 1e10 : largest < 100.0);
        }
    }
}

// ---- long runs -------------------------------------------------------------------------------

// Largest energy error of the pendulum in each tenth of 10^5 steps.
static void energy_errors(const method *m, double h, double error[10])
{
    double y[2] = {pendulum_angle, 0.0};
    const double start = -cos(pendulum_angle);
    for (int tenth = 0; tenth < 10; tenth++) {
        error[tenth] = 0.0;
        for (int k = 0; k < 10000; k++) {
            advance(m, &problems[2], 0.0, h, 1, y);
            error[tenth] = fmax(error[tenth], fabs(0.5 * y[1] * y[1] - cos(y[0]) - start));
        }
    }
}

static void symplectic_methods_do_not_drift(void **state)
{
    (void)state;
    assert_string_equal(problems[2].name, "pendulum");
    method methods[METHOD_MAX];
    const int count = all_methods(methods);
    printf("%-17s energy error of the first and last tenth of 1e5 steps of 0.1\n", "method");
    for (int i = 0; i < count; i++) {
        const method *m = &methods[i];
        if (m->rk && m->order < 4)
            continue; // no need to show that
        double error[10];
        energy_errors(m, 0.1, error);
        printf("%-17s %10.2e %10.2e\n", m->name, error[0], error[9]);
        if (m->rk)
            assert_true(error[9] > 8.0 * error[0]);
        else
            for (int tenth = 1; tenth < 10; tenth++)
                assert_true(error[tenth] < 1.02 * error[0] + 1e-12);
    }
}

// Symmetric methods go back the way they came, by turned speed or by a negative step; symplectic
// Euler does not.
static void time_runs_backwards(void **state)
{
    (void)state;
    for (int i = 0; symplectic_kind_at(i); i++) {
        const symplectic_kind *k = symplectic_kind_at(i);
        for (int turned = 0; turned < 2; turned++) {
            double y[4], start[4], work[2];
            kepler_exact(0.0, start);
            memcpy(y, start, sizeof y);
            const double h = 0.05;
            symplectic_advance(k, kepler_acceleration, NULL, 2, 0.0, h, 1000, y, y + 2, work);
            assert_true(hypot(y[0] - start[0], y[1] - start[1]) > 0.1); // it has moved
            const double sign = turned ? -1.0 : 1.0;
            y[2] *= sign, y[3] *= sign;
            symplectic_advance(k, kepler_acceleration, NULL, 2, 1000.0 * h, -sign * h, 1000, y,
                               y + 2, work);
            y[2] *= sign, y[3] *= sign;
            double off = 0.0;
            for (int m = 0; m < 4; m++)
                off = fmax(off, fabs(y[m] - start[m]));
            assert_true(k->order % 2 == 0 ? off < 1e-10 : off > 1e-3);
        }
    }
}

// At a step small enough each good method agrees with CVODE.
static void agreement_with_cvode(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int steps_a_sample;
    } rows[] = {{"rk4", 400}, {"rk5", 60}, {"yoshida4", 600}, {"blanes_moan4", 40}};
    method methods[METHOD_MAX];
    const int count = all_methods(methods);
    int compared = 0;
    for (int i = 0; i < count; i++)
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
            for (int p = 2; p < PROBLEM_COUNT; p++) {
                if (strcmp(methods[i].name, rows[r].name) != 0)
                    continue;
                double y[STATE_MAX], want[STATE_MAX];
                problems[p].exact(0.0, y);
                memcpy(want, y, sizeof y);
                const int steps = SAMPLES * rows[r].steps_a_sample;
                advance(&methods[i], &problems[p], 0.0, problems[p].duration / steps, steps, y);
                assert_int_equal(reference_integrate(problems[p].rate, NULL, problems[p].n, want,
                                                     0.0, problems[p].duration, 1e-14),
                                 0);
                for (int m = 0; m < problems[p].n; m++)
                    assert_true(fabs(y[m] - want[m]) < 1e-9);
                compared++;
            }
    assert_int_equal(compared, 12);
}

// ---- promises of the interface ---------------------------------------------------------------

static void counting_acceleration(void *context, double t, const double *q, double *a)
{
    ++*(int *)context;
    kepler_acceleration(NULL, t, q, a);
}

static void counting_rate(void *context, double t, const double *y, double *dy)
{
    ++*(int *)context;
    kepler_rate(NULL, t, y, dy);
}

// As many evaluations as the table says, the context passed, work kept within its size, and the
// same bits whether steps are taken together or one by one.
static void looks_and_work(void **state)
{
    (void)state;
    enum { STEPS = 100 };
    method methods[METHOD_MAX];
    const int count = all_methods(methods);
    for (int i = 0; i < count; i++) {
        const method *m = &methods[i];
        double together[4], singly[4], work[WORK_MAX + 1], single_work[WORK_MAX + 1];
        kepler_exact(0.0, together);
        memcpy(singly, together, sizeof together);
        const int size = m->rk ? rk_work_size(m->rk, 4) : symplectic_work_size(m->symplectic, 2);
        work[size] = 42.0;
        int looks = 0;
        if (m->rk) {
            rk_advance(m->rk, counting_rate, &looks, 4, 0.0, 0.01, STEPS, together, work);
            assert_int_equal(looks, STEPS * m->stages);
            for (int k = 0; k < STEPS; k++)
                rk_advance(m->rk, kepler_rate, NULL, 4, 0.0, 0.01, 1, singly, single_work);
        } else {
            symplectic_advance(m->symplectic, counting_acceleration, &looks, 2, 0.0, 0.01, STEPS,
                               together, together + 2, work);
            const int symmetric = m->order % 2 == 0; // one more at the very start
            assert_int_equal(looks, STEPS * m->stages + symmetric);
            for (int k = 0; k < STEPS; k++)
                symplectic_advance(m->symplectic, kepler_acceleration, NULL, 2, 0.0, 0.01, 1,
                                   singly, singly + 2, single_work);
        }
        assert_true(work[size] == 42.0);
        assert_memory_equal(together, singly, sizeof together);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(tables_are_sane),
        cmocka_unit_test(symplectic_coefficients),
        cmocka_unit_test(orders),
        cmocka_unit_test(stability_function),
        cmocka_unit_test(stability_limits),
        cmocka_unit_test(symplectic_limits),
        cmocka_unit_test(symplectic_methods_do_not_drift),
        cmocka_unit_test(time_runs_backwards),
        cmocka_unit_test(agreement_with_cvode),
        cmocka_unit_test(looks_and_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
