// test_tyre_brush.c - brush and linear tyre against closed forms.
#include "parts/tyre.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { N = 4 };

typedef struct point { // one wheel: what goes in, what comes out
    double fz, v_x, v_y, v_roll, mu, z[2];
    double fx, fy, rate[2];
} point;

static void eval(const tyre_kind *kind, const double *p, point *w)
{
    _Alignas(32) double fz[N], v_x[N], v_y[N], v_roll[N], mu[N], x[2 * N], drive[2 * N];
    _Alignas(32) double fx[N], fy[N];
    for (int i = 0; i < N; i++) {
        fz[i] = w->fz, v_x[i] = w->v_x, v_y[i] = w->v_y, v_roll[i] = w->v_roll, mu[i] = w->mu;
        x[i] = w->z[0], x[N + i] = w->z[1];
    }
    const tyre_in in = {.fz = fz, .v_x = v_x, .v_y = v_y, .v_roll = v_roll, .mu = mu};
    kind->eval[cpu_level_best()](p, N, &in, x, drive, &(tyre_out){.fx = fx, .fy = fy});
    w->fx = fx[2], w->fy = fy[2], w->rate[0] = drive[2], w->rate[1] = drive[N + 2];
}

static double named(const tyre_kind *kind, const double *p, const char *name)
{
    for (int i = 0; i < kind->param_count; i++)
        if (strcmp(kind->params[i].name, name) == 0)
            return p[i];
    fail_msg("no parameter %s", name);
    return NAN;
}

// Steady force of the theory: along C s, of size mu Fz (3u - 3u^2 + u^3) or min(|C s|, mu Fz).
static void closed_form(const tyre_kind *kind, const double *p, const point *w, double f[2])
{
    const double cx = named(kind, p, "slip_stiffness"), cy = named(kind, p, "cornering_stiffness");
    const double limit = named(kind, p, "friction") * w->mu * w->fz, roll = fabs(w->v_roll);
    const double gx = cx * (w->v_roll - w->v_x) / roll, gy = -cy * w->v_y / roll;
    const double g = hypot(gx, gy), u = fmin(g / (3.0 * limit), 1.0);
    const double brush = limit * (3.0 * u - 3.0 * u * u + u * u * u);
    const double size = kind == &tyre_brush ? brush : fmin(g, limit);
    f[0] = g > 0.0 ? size * gx / g : 0.0;
    f[1] = g > 0.0 ? size * gy / g : 0.0;
}

static const tyre_kind *const laws[] = {&tyre_brush, &tyre_linear};

// At the deflection that carries the closed form nothing changes, and the force is that force: at
// walking speed and at 50 m/s, from no slip to full sliding, on any road.
static void steady_state_is_the_closed_form(void **unused)
{
    (void)unused;
    unsigned long long seed = 11;
    for (int k = 0; k < 2; k++)
        for (int trial = 0; trial < 5000; trial++) {
            const tyre_kind *kind = laws[k];
            double p[TYRE_PARAM_MAX], f[2];
            tyre_defaults(kind, p);
            const double speed = pow(10.0, sample_uniform(&seed, -3.0, 1.7));
            const double slip = pow(10.0, sample_uniform(&seed, -5.0, 0.0));
            const double way = sample_uniform(&seed, -3.2, 3.2);
            point w = {.fz = sample_uniform(&seed, 500.0, 9000.0),
                       .v_roll = speed,
                       .v_x = speed * (1.0 - slip * cos(way)),
                       .v_y = speed * slip * sin(way),
                       .mu = sample_uniform(&seed, 0.1, 1.1)};
            closed_form(kind, p, &w, f);
            const double sigma = named(kind, p, "relaxation");
            w.z[0] = f[0] * sigma / named(kind, p, "slip_stiffness");
            w.z[1] = f[1] * sigma / named(kind, p, "cornering_stiffness");
            // The pole of a sliding contact is capped: its deflection is longer, the force the
            // same.
            const double limit = named(kind, p, "friction") * w.mu * w.fz;
            const double pull = hypot(90e3 * (w.v_x - w.v_roll), 70e3 * w.v_y);
            const double max = fmax(1000.0, 3.0 * speed / sigma), pole = pull / limit / sigma;
            for (int j = 0; j < 2; j++)
                w.z[j] *= fmax(pole / max, 1.0);
            eval(kind, p, &w);
            assert_true(hypot(w.rate[0], w.rate[1]) <= 1e-12 * speed * slip + 1e-15);
            assert_true(hypot(w.fx - f[0], w.fy - f[1]) <= 1e-9 * hypot(f[0], f[1]) + 1e-9);
        }
}

// dF/ds at zero slip is the stiffness of the table.
static void small_slip_slopes(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const tyre_kind *kind = laws[k];
        double p[TYRE_PARAM_MAX];
        tyre_defaults(kind, p);
        const double slip = 1e-6, sigma = named(kind, p, "relaxation");
        point x = {.fz = 4e3, .mu = 1.0, .v_roll = 10.0, .v_x = 10.0 - 10.0 * slip};
        point y = {.fz = 4e3, .mu = 1.0, .v_roll = 10.0, .v_x = 10.0, .v_y = -10.0 * slip};
        x.z[0] = y.z[1] = slip * sigma;
        eval(kind, p, &x);
        eval(kind, p, &y);
        assert_true(fabs(x.fx / slip / 90e3 - 1.0) < 1e-4);
        assert_true(fabs(y.fy / slip / 70e3 - 1.0) < 1e-4);
    }
}

// A step in slip angle: after rolling one relaxation length the force is 1 - 1/e of its final
// value, at every speed.
static void force_builds_up_over_a_length(void **unused)
{
    (void)unused;
    const double speeds[] = {0.01, 1.0, 40.0};
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 3; j++) {
            const tyre_kind *kind = laws[k];
            double p[TYRE_PARAM_MAX];
            tyre_defaults(kind, p);
            const double v = speeds[j], sigma = named(kind, p, "relaxation");
            point w = {.fz = 4e3, .mu = 1.0, .v_roll = v, .v_x = v, .v_y = 1e-4 * v};
            const int steps = 4000;
            const double h = sigma / v / steps;
            for (int i = 0; i < steps; i++) { // midpoint rule
                eval(kind, p, &w);
                point middle = w;
                middle.z[1] += 0.5 * h * w.rate[1];
                eval(kind, p, &middle);
                w.z[1] += h * middle.rate[1];
            }
            const double force = w.z[1] * 70e3 / sigma;
            assert_true(fabs(force / (-7.0 * (1.0 - exp(-1.0))) - 1.0) < 1e-3);
        }
}

// A wheel that stands is a spring up to friction, then slides with just that friction.
static void standing_wheel_is_a_spring_then_slides(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const tyre_kind *kind = laws[k];
        double p[TYRE_PARAM_MAX];
        tyre_defaults(kind, p);
        const double sigma = named(kind, p, "relaxation"), way = 1e-5, v = 1e-3;
        point w = {.fz = 4e3, .mu = 0.5, .v_x = v};
        const double h = 1e-6;
        for (double x = 0.0; x < way - 0.5 * v * h; x += v * h) {
            eval(kind, p, &w);
            w.z[0] += h * w.rate[0];
        }
        assert_true(fabs(w.z[0] + way) < 0.01 * way); // f = -k x, and little has slid
        w.v_x = 2.0;
        for (int i = 0; i < 200000; i++) {
            eval(kind, p, &w);
            w.z[0] += h * w.rate[0];
        }
        eval(kind, p, &w);
        assert_true(fabs(w.fx + 2000.0) < 1e-6);
        w.v_x = 0.0; // stops: holds what it has
        eval(kind, p, &w);
        assert_true(fabs(w.fx + 2000.0) < 1e-6 && w.rate[0] == 0.0);
        assert_true(fabs(90e3 / sigma * w.z[0]) >= 2000.0 - 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_state_is_the_closed_form),
        cmocka_unit_test(small_slip_slopes),
        cmocka_unit_test(force_builds_up_over_a_length),
        cmocka_unit_test(standing_wheel_is_a_spring_then_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
