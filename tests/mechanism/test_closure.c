// test_closure.c - loops stay closed, by every integrator, for a long time; projecting onto them
// costs no order of accuracy; the report says what it did to the energy.
//
// The series is one of seconds: 2 s in `make test`, 100 s in `make campaign`.
#include "mechanism/mechanism.h"
#include "motorcade/simulate.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FOUR_BAR                                                                                   \
    "motorcade: multibody\n"                                                                       \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  crank: {joint: hinge, axis: z, mass: 1, com: [0.5, 0, 0], inertia: [0, 0.1, 0.1],\n"        \
    "          start: {angle: 90 deg, angle_rate: 4}}\n"                                           \
    "  coupler: {inboard: crank, joint: hinge, at: [1, 0, 0], axis: z, mass: 3,\n"                 \
    "            com: [1.5, 0, 0], inertia: [0, 2, 2], start: {angle: -60 deg}}\n"                 \
    "  rocker: {joint: hinge, at: [3, 0, 0], axis: z, mass: 2, com: [1.2, 0, 0],\n"                \
    "           inertia: [0, 1, 1], start: {angle: 100 deg}}\n"                                    \
    "keep: [crank.angle, crank.angle_rate]\n"                                                      \
    "joints:\n"                                                                                    \
    "  pin: {joint: hinge, from: coupler, at: [3, 0, 0], to: rocker, to_at: [2.5, 0, 0],\n"        \
    "        axis: z}\n"

// A loop in space that falls and tumbles: its common body is soon kilometres from the origin.
#define TUMBLING                                                                                   \
    "motorcade: multibody\n"                                                                       \
    "bodies:\n"                                                                                    \
    "  base: {joint: free, mass: 3, com: [0.1, 0, 0.05], inertia: [0.4, 0.5, 0.6],\n"              \
    "         start: {vx: 2, wx: 0.5, wy: 0.3, wz: -0.4}}\n"                                       \
    "  a1: {inboard: base, joint: hinge, at: [0, 0.4, 0], axis: [1, 0.2, 0.1], mass: 1.2,\n"       \
    "       com: [0.3, 0.1, 0.05], inertia: [0.05, 0.06, 0.07], stiffness: 20, damping: 0.1}\n"    \
    "  a2: {inboard: a1, joint: ball, at: [0.6, 0.1, 0.2], mass: 0.8, com: [0.2, -0.1, 0],\n"      \
    "       inertia: [0.03, 0.04, 0.05]}\n"                                                        \
    "  b1: {inboard: base, joint: hinge, at: [0, -0.4, 0], axis: z, mass: 1.1,\n"                  \
    "       com: [0.3, 0, 0.1], inertia: [0.05, 0.06, 0.07], stiffness: 20, damping: 0.1}\n"       \
    "  b2: {inboard: b1, joint: ball, at: [0.5, -0.1, 0.1], mass: 0.9, com: [0.2, 0.1, 0.1],\n"    \
    "       inertia: [0.03, 0.05, 0.04]}\n"                                                        \
    "points:\n"                                                                                    \
    "  pa: {body: a2, at: [0.4, -0.1, 0.1]}\n"                                                     \
    "  pb: {body: b2, at: [0.5, 0.9, 0.2]}\n"                                                      \
    "joints: {tip: {joint: hinge, from: pa, to: pb, axis: [1, 2, 0.5]}}\n"

// A drive in time and a constraint of velocities on the four-bar.
#define DRIVEN FOUR_BAR "constraints: {drive: {position: crank.angle - 90 deg - (4 rad/s)*t}}\n"

static const struct {
    const char *name, *text;
    double size; // m, longest link of a loop
} models[] = {{"four_bar", FOUR_BAR, 3.0}, {"tumbling", TUMBLING, 0.8}, {"driven", DRIVEN, 3.0}};
enum { MODELS = sizeof models / sizeof models[0], Y_MAX = 64 };

static mc_multibody *load(const char *text)
{
    mc_error error = {0};
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("line %d: %s", error.line, error.text);
    assert_true(mc_multibody_info_of(m)->y_count <= Y_MAX);
    return m;
}

static mc_simulate_report run(mc_multibody *m, const mc_simulate_options *o,
                              const mc_simulate_output *output, double *y)
{
    mc_error error = {0};
    mc_simulate_report report;
    mc_multibody_start(m, y);
    if (mc_simulate(m, o, y, output, NULL, &report, &error) != MC_OK)
        fail_msg("%s: %s", o->method, error.text);
    return report;
}

// ---- closed at every row -----------------------------------------------------------------------

typedef struct largest {
    mc_multibody *m;
    double gap;
} largest;

static void look_at_gap(void *context, double t, const double *y, const double *outputs)
{
    (void)outputs;
    largest *l = context;
    const double gap = mc_multibody_gap(l->m, t, y);
    if (!(gap <= l->gap)) // a NaN shows
        l->gap = gap;
}

static void loops_stay_closed(void **state)
{
    (void)state;
    double worst = 0.0;
    const long seconds = series_open("closure", 100, NULL, 0).count;
    for (int k = 0; k < MODELS; k++) {
        mc_multibody *m = load(models[k].text);
        mc_method method;
        for (int i = 0; mc_method_at(i, &method); i++) {
            mc_simulate_options o = {.end = (double)seconds, .step = 0.05, .method = method.name};
            o.rtol = method.adaptive ? 1e-6 : 0.0;
            o.fixed_step = method.adaptive ? 0.0 : method.order == 1 ? 2.5e-4 : 2.5e-3;
            double y[Y_MAX];
            largest l = {m, 0.0};
            const mc_simulate_output output = {.row = look_at_gap, .context = &l};
            run(m, &o, &output, y);
            worst = fmax(worst, l.gap / models[k].size);
            if (!(l.gap <= 1e-12 * models[k].size))
                fail_msg("%s by %s: open by %.2g m within %ld s", models[k].name, method.name,
                         l.gap, seconds);
        }
        mc_multibody_free(m);
    }
    print_message("%ld s by every method: open by %.1e of the size at most\n", seconds, worst);
}

// ---- order -------------------------------------------------------------------------------------

enum { ROWS = 9 };

typedef struct kept {
    double y[ROWS][Y_MAX];
    int count, n;
} kept;

static void keep(void *context, double t, const double *y, const double *outputs)
{
    (void)t, (void)outputs;
    kept *k = context;
    memcpy(k->y[k->count++], y, (size_t)k->n * sizeof *y);
}

// Rows of 0.8 s at every tenth.
static kept rows_of(mc_multibody *m, const char *method, double rtol, double h)
{
    double y[Y_MAX];
    kept k = {.n = mc_multibody_info_of(m)->y_count};
    const mc_simulate_options o = {
        .end = 0.8, .step = 0.1, .method = method, .rtol = rtol, .fixed_step = h};
    const mc_simulate_output output = {.row = keep, .context = &k};
    run(m, &o, &output, y);
    assert_int_equal(k.count, ROWS);
    return k;
}

static double distance(const kept *a, const kept *b)
{
    double worst = 0.0;
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < a->n; i++)
            worst = fmax(worst, fabs(a->y[r][i] - b->y[r][i]));
    return worst;
}

// Halving the step divides the error by 2^order, as without constraints.
static void order_is_kept(void **state)
{
    (void)state;
    mc_multibody *m = load(FOUR_BAR);
    const kept truth = rows_of(m, "dop853", 1e-14, 0.0);
    mc_method method;
    int count = 0;
    for (int i = 0; mc_method_at(i, &method); i++) {
        if (method.adaptive)
            continue;
        double h = method.order < 3 ? 5e-4 : method.order < 5 ? 5e-3 : 1e-2, error[3];
        h *= method.order > 5 ? 2.0 : 1.0;
        for (int k = 0; k < 3; k++, h *= 0.5) {
            const kept rows = rows_of(m, method.name, 0.0, h);
            error[k] = distance(&rows, &truth);
        }
        const double order = log2(error[1] / error[2]);
        print_message("%-9s order %d: %.2f %.2f by halving, error %.1e\n", method.name,
                      method.order, log2(error[0] / error[1]), order, error[2]);
        assert_true(order > method.order - 0.5);
        count++;
    }
    assert_true(count >= 9);
    mc_multibody_free(m);
}

// Of an adaptive method the error follows the tolerance.
static void tolerance_is_kept(void **state)
{
    (void)state;
    mc_multibody *m = load(FOUR_BAR);
    const kept truth = rows_of(m, "dop853", 1e-14, 0.0);
    mc_method method;
    for (int i = 0; mc_method_at(i, &method); i++)
        for (double rtol = 1e-6; method.adaptive && rtol > 1e-11; rtol *= 0.01) {
            const kept rows = rows_of(m, method.name, rtol, 0.0);
            const double error = distance(&rows, &truth);
            if (!(error < (strncmp(method.name, "cvode", 5) == 0 ? 2e4 : 200.0) * rtol))
                fail_msg("%s at %g: off by %g", method.name, rtol, error);
        }
    mc_multibody_free(m);
}

// ---- energy balance ----------------------------------------------------------------------------

// E(end) - E(start) of a method that has no other business with the energy than its error: what
// projections took is a part of the change, and grows with the step as the error does.
static void projection_is_in_the_balance(void **state)
{
    (void)state;
    mc_multibody *m = load(FOUR_BAR);
    double y[Y_MAX], before = 0.0;
    for (double h = 1e-2; h > 1e-3; h *= 0.5) {
        const mc_simulate_options o = {
            .end = 0.8, .step = 0.8, .method = "midpoint", .fixed_step = h};
        const mc_simulate_report report = run(m, &o, NULL, y);
        const double change = report.energy_end - report.energy_start;
        print_message("step %g s: energy %+.2e J, of which %+.2e J by projection\n", h, change,
                      report.projected);
        assert_true(report.projected != 0.0 && fabs(report.projected) < 20.0 * fabs(change));
        assert_true(before == 0.0 || fabs(report.projected) < 0.5 * before);
        before = fabs(report.projected);
    }
    mc_multibody_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_stay_closed),
        cmocka_unit_test(order_is_kept),
        cmocka_unit_test(tolerance_is_kept),
        cmocka_unit_test(projection_is_in_the_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
