// test_simulate.c - mechanisms over time: against exact and published motion, conservation
// laws, SUNDIALS; rows, stopping, failing, setting.
#include "motorcade/simulate.h"
#include "support/run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { Y_MAX = 64, ROW_MAX = 4096 };

static mc_multibody *load(const char *name, mc_compile compile)
{
    char path[256];
    mc_error error;
    const mc_multibody_options options = {.compile = compile};
    snprintf(path, sizeof path, "%s/models/%s.yaml", SOURCE_DIR, name);
    mc_multibody *m = mc_multibody_load(path, &options, &error);
    if (!m)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    assert_true(mc_multibody_info_of(m)->y_count <= Y_MAX);
    return m;
}

static void must(mc_status status, const mc_error *error)
{
    if (status != MC_OK)
        fail_msg("%s", error->text);
}

// Rows of a run: time, state and three named outputs at most.
typedef struct kept {
    const mc_multibody *m;
    mc_simulate_column watched[3];
    int watched_count, count, y_count;
    double t[ROW_MAX], y[ROW_MAX][Y_MAX], value[ROW_MAX][3];
} kept;

static void keep(void *context, double t, const double *y, const double *outputs)
{
    kept *k = context;
    assert_true(k->count < ROW_MAX);
    k->t[k->count] = t;
    memcpy(k->y[k->count], y, (size_t)k->y_count * sizeof *y);
    for (int i = 0; i < k->watched_count; i++)
        k->value[k->count][i] = mc_simulate_value(k->m, k->watched[i], y, outputs);
    k->count++;
}

static void watch_name(kept *k, const char *name)
{
    mc_error error;
    must(mc_simulate_column_find(k->m, name, &k->watched[k->watched_count++], &error), &error);
}

static kept *make_kept(const mc_multibody *m)
{
    kept *k = calloc(1, sizeof *k);
    assert_non_null(k);
    k->m = m;
    k->y_count = mc_multibody_info_of(m)->y_count;
    return k;
}

// Runs from the start of the file.
static mc_simulate_report run_kept(mc_multibody *m, const mc_simulate_options *o, kept *k)
{
    double y[Y_MAX];
    mc_error error;
    mc_simulate_report report;
    const mc_simulate_output output = {.row = keep, .context = k};
    mc_multibody_start(m, y);
    must(mc_simulate(m, o, y, &output, NULL, &report, &error), &error);
    if (k->count > 0)
        assert_memory_equal(y, k->y[k->count - 1], (size_t)k->y_count * sizeof *y);
    return report;
}

// ---- physics -----------------------------------------------------------------------------------

// IFToMM A01: place of the point mass by elliptic functions; y of the benchmark is our z.
static const double a01[][3] = {
    {1, 0.986291751132, -0.165010853126},  {2, -0.793566195343, -0.608483930444},
    {3, 0.176651789923, -0.984273409738},  {4, 0.577563628249, -0.816345671468},
    {5, -0.942305435044, -0.334754338414}, {6, 0.999497539939, -0.031696492790},
    {7, -0.998618779175, -0.052540782998}, {8, 0.919857983108, -0.392251565852},
    {9, -0.498373709058, -0.866962309515}, {10, -0.275087462576, -0.961419205099},
};

static void pendulum_is_exact(void **state)
{
    (void)state;
    mc_multibody *m = load("pendulum", MC_COMPILE_NEVER);
    const char *const methods[] = {"dop853", "dopri5", "radau5", "cvode-adams"};
    for (int i = 0; i < 4; i++) {
        kept *k = make_kept(m);
        watch_name(k, "tip.x");
        watch_name(k, "tip.z");
        mc_simulate_options o = mc_simulate_defaults(m);
        o.method = methods[i];
        o.rtol = i == 3 ? 1e-14 : 1e-13;
        o.step = 1.0;
        run_kept(m, &o, k);
        assert_int_equal(k->count, 11);
        for (int row = 1; row <= 10; row++)
            for (int c = 0; c < 2; c++) {
                const double error = fabs(k->value[row][c] - a01[row - 1][1 + c]);
                if (!(error < 1e-9))
                    fail_msg("%s: t = %d: %.12f, exact %.12f", methods[i], row, k->value[row][c],
                             a01[row - 1][1 + c]);
            }
        free(k);
    }
    mc_multibody_free(m);
}

// Returns to where it was after the exact period.
static void pendulum_has_its_period(void **state)
{
    (void)state;
    mc_multibody *m = load("pendulum", MC_COMPILE_NEVER);
    double y[2];
    mc_error error;
    mc_simulate_options o = {.end = 4 * 2.3678419475762373, .rtol = 1e-13};
    mc_multibody_start(m, y);
    must(mc_simulate(m, &o, y, NULL, NULL, NULL, &error), &error);
    assert_true(fabs(y[0] - 1.5707963267948966) < 1e-10 && fabs(y[1]) < 1e-9);
    mc_multibody_free(m);
}

static void double_pendulum_keeps_energy(void **state)
{
    (void)state;
    mc_multibody *m = load("double_pendulum", MC_COMPILE_NEVER);
    kept *k = make_kept(m);
    mc_simulate_options o = mc_simulate_defaults(m);
    o.rtol = 1e-13;
    const mc_simulate_report fine = run_kept(m, &o, k);
    assert_true(fine.conserves && fine.drift > 0.0 && fine.drift < 1e-11);
    assert_int_equal(fine.row_count, 1001);
    assert_true(fine.kinetic_max > 20.0 && fine.steps > 500 && fine.rates > 12 * fine.steps - 1);
    o.rtol = 1e-5;
    k->count = 0;
    const mc_simulate_report coarse = run_kept(m, &o, k);
    assert_true(coarse.drift > 1e-7 && coarse.drift < 1e-2); // it is measured, not assumed
    free(k);
    mc_multibody_free(m);
    m = load("quarter_car", MC_COMPILE_NEVER);
    k = make_kept(m);
    o = mc_simulate_defaults(m);
    o.end = 0.1;
    assert_false(run_kept(m, &o, k).conserves);
    free(k);
    mc_multibody_free(m);
}

// Heavy top about its tip: energy, spin, and angular momentum about the vertical stay; quaternions
// have length one in every row.
static void top_keeps_momentum(void **state)
{
    (void)state;
    mc_multibody *m = load("spinning_top", MC_COMPILE_NEVER);
    kept *k = make_kept(m);
    mc_simulate_options o = mc_simulate_defaults(m);
    o.rtol = 1e-12;
    o.step = 0.01;
    const mc_simulate_report report = run_kept(m, &o, k);
    assert_true(report.drift < 1e-12);
    const double across = 3e-4 + 0.5 * 0.04 * 0.04, along = 5e-4; // about the tip
    double first = 0.0, min_tilt = 1.0, max_tilt = -1.0;
    for (int row = 0; row < k->count; row++) {
        const double *q = k->y[row], *w = q + 4;
        const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        // Third row of the rotation: the vertical in the axes of the top.
        const double up[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                              1 - 2 * (q[1] * q[1] + q[2] * q[2])};
        const double momentum =
            up[0] * across * w[0] + up[1] * across * w[1] + up[2] * along * w[2];
        if (row == 0)
            first = momentum;
        assert_true(fabs(length - 1.0) < 1e-15 * 4);
        assert_true(fabs(momentum - first) < 1e-11 * first);
        assert_true(fabs(w[2] - 150.0) < 1e-9);
        min_tilt = fmin(min_tilt, up[2]);
        max_tilt = fmax(max_tilt, up[2]);
    }
    assert_true(max_tilt - min_tilt > 1e-3); // it nods
    free(k);
    mc_multibody_free(m);
}

// ---- methods -----------------------------------------------------------------------------------

// How far a method may be from the reference, which is good to 1e-9 itself: C h^order for fixed
// steps of 1 ms; some ten times the tolerance of 1e-9 for one step, more for multistep methods.
static double allowed(const mc_method *method)
{
    static const double by_order[] = {0, 0.1, 5e-4, 5e-7, 2e-9};
    if (method->adaptive)
        return strncmp(method->name, "cvode", 5) == 0 ? 5e-7 : 2e-8;
    return by_order[method->order < 4 ? method->order : 4];
}

// The end of half a second of a model by every method, against SUNDIALS at 1e-12.
static void methods_agree_on(const char *model)
{
    mc_multibody *m = load(model, MC_COMPILE_NEVER);
    const int n = mc_multibody_info_of(m)->y_count;
    double truth[Y_MAX], y[Y_MAX];
    mc_error error;
    mc_simulate_options o = {.end = 0.5, .step = 0.5, .method = "cvode", .rtol = 1e-12};
    mc_multibody_start(m, truth);
    must(mc_simulate(m, &o, truth, NULL, NULL, NULL, &error), &error);
    mc_method method;
    int count = 0;
    for (; mc_method_at(count, &method); count++) {
        if (strcmp(method.name, "cvode") == 0)
            continue;
        o = (mc_simulate_options){.end = 0.5, .step = 0.5, .method = method.name};
        o.fixed_step = method.adaptive ? 0.0 : 1e-3;
        mc_simulate_report report;
        mc_multibody_start(m, y);
        must(mc_simulate(m, &o, y, NULL, NULL, &report, &error), &error);
        assert_string_equal(report.method, method.name);
        assert_true(report.time == 0.5 && (report.jacobians > 0) == method.implicit);
        double worst = 0.0;
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(y[i] - truth[i]));
        if (!(worst < allowed(&method)))
            fail_msg("%s by %s: off by %g, allowed %g", model, method.name, worst,
                     allowed(&method));
    }
    assert_true(count >= 14);
    mc_multibody_free(m);
}

static void methods_agree(void **state)
{
    (void)state;
    methods_agree_on("double_pendulum");
    methods_agree_on("free_chain");
}

// A car at rest lets steps grow; the bump after two seconds must be seen all the same.
static void bump_is_not_missed(void **state)
{
    (void)state;
    mc_multibody *m = load("quarter_car", MC_COMPILE_NEVER);
    mc_method method;
    mc_error error;
    double truth = 0.0;
    for (int i = 0; mc_method_at(i, &method); i++) {
        if (!method.adaptive)
            continue;
        double y[Y_MAX];
        mc_simulate_options o = mc_simulate_defaults(m);
        o.end = 2.2;
        o.method = method.name;
        o.rtol = 1e-8;
        mc_multibody_start(m, y);
        must(mc_simulate(m, &o, y, NULL, NULL, NULL, &error), &error);
        truth = truth == 0.0 ? y[3] : truth; // m/s, of the body against the wheel
        assert_true(fabs(y[3]) > 0.05 && fabs(y[3] - truth) < 1e-4);
    }
    assert_true(truth != 0.0);
    mc_multibody_free(m);
}

static void methods_are_found(void **state)
{
    (void)state;
    mc_method method;
    mc_error error;
    assert_int_equal(mc_method_find("DOP853", &method, &error), MC_OK);
    assert_string_equal(method.name, "dop853");
    assert_int_equal(mc_method_find("radau", &method, &error), MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown method \"radau\"; did you mean radau5?");
}

// ---- rows --------------------------------------------------------------------------------------

static void rows_are_where_asked(void **state)
{
    (void)state;
    mc_multibody *m = load("double_pendulum", MC_COMPILE_NEVER);
    const struct {
        double end, step;
        int count;
    } cases[] = {{1.0, 0.1, 11}, {1.0, 0.3, 5}, {0.7, 0.1, 8}, {1.0, 2.0, 2}, {1.0, 0.0, 501}};
    for (int i = 0; i < 5; i++) {
        kept *k = make_kept(m);
        const mc_simulate_options o = {.end = cases[i].end, .step = cases[i].step};
        const mc_simulate_report report = run_kept(m, &o, k);
        assert_int_equal(k->count, cases[i].count);
        assert_int_equal(report.row_count, cases[i].count);
        assert_int_equal(mc_simulate_row_count(&o), cases[i].count);
        const double step = cases[i].step > 0.0 ? cases[i].step : cases[i].end / 500;
        for (int row = 0; row < k->count - 1; row++)
            assert_true(k->t[row] == row * step);
        assert_true(k->t[k->count - 1] == cases[i].end);
        free(k);
    }
    mc_multibody_free(m);
}

typedef struct patience {
    int calls_left;
    double reached;
} patience;

static bool out_of_patience(void *context)
{
    return --((patience *)context)->calls_left < 0;
}

static void note_reached(void *context, double t)
{
    patience *p = context;
    assert_true(t > p->reached);
    p->reached = t;
}

// Stopped on request: MC_INTERRUPTED, whole files, the rows those of the full run to the bit.
static void stopping_keeps_rows(void **state)
{
    (void)state;
    run_folder folder = run_folder_make();
    mc_multibody *m = load("double_pendulum", MC_COMPILE_NEVER);
    mc_method method;
    mc_error error;
    for (int i = 0; mc_method_at(i, &method); i++) {
        kept *full = make_kept(m), *cut = make_kept(m);
        mc_simulate_options o = {.end = 1.0, .step = 0.01, .method = method.name};
        o.fixed_step = method.adaptive ? 0.0 : 0.01;
        const mc_simulate_report whole = run_kept(m, &o, full);
        char path[128];
        snprintf(path, sizeof path, "%s/run.h5", folder.path);
        double y[4];
        patience p = {.calls_left = (int)whole.rates / 2};
        const mc_watch watch = {&p, out_of_patience, note_reached};
        const mc_simulate_output output = {.hdf5 = path, .row = keep, .context = cut};
        mc_simulate_report report;
        mc_multibody_start(m, y);
        assert_int_equal(mc_simulate(m, &o, y, &output, &watch, &report, &error), MC_INTERRUPTED);
        assert_true(report.time < 1.0 && p.reached < 1.0 && cut->count > 1);
        assert_true(cut->count < full->count);
        assert_memory_equal(cut->y, full->y, (size_t)cut->count * sizeof cut->y[0]);
        run_table t = run_table_hdf5(&folder, "run.h5", "motion");
        assert_int_equal(t.row_count, cut->count);
        assert_int_equal(t.column_count, 4);
        assert_memory_equal(t.value + 4 * (cut->count - 1), cut->y[cut->count - 1],
                            4 * sizeof(double));
        assert_int_equal(run_hdf5_integer(&folder, "run.h5", "complete"), 1);
        run_table_free(&t);
        free(full);
        free(cut);
    }
    mc_multibody_free(m);
    run_folder_remove(&folder);
}

// x'' = 6 x^2 from x = 1, x' = 2 is x = 1/(1 - t)^2: infinite at t = 1.
static const char pole[] = "motorcade: multibody\n"
                           "name: pole\n"
                           "gravity: [0, 0, 0]\n"
                           "bodies:\n"
                           "  bead: {joint: prism, axis: x, mass: 1, load: 6*bead.travel^2, "
                           "start: {travel: 1, travel_rate: 2}}\n";

static void failure_names_its_place(void **state)
{
    (void)state;
    mc_error error;
    const mc_multibody_options never = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(pole, "pole.yaml", &never, &error);
    if (!m)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    const char *const methods[] = {"dop853", "dopri5", "radau5", "rk4"};
    for (int i = 0; i < 4; i++) {
        kept *k = make_kept(m);
        double y[2] = {1.0, 2.0};
        mc_simulate_report report;
        const mc_simulate_options o = {
            .end = 2.0, .step = 0.25, .method = methods[i], .fixed_step = i == 3 ? 1e-3 : 0.0};
        const mc_simulate_output output = {.row = keep, .context = k};
        assert_int_equal(mc_simulate(m, &o, y, &output, NULL, &report, &error), MC_FAILED);
        assert_non_null(strstr(error.text, methods[i]));
        assert_non_null(strstr(error.text, " at t = "));
        assert_non_null(strstr(error.text, "(bead.travel"));
        assert_true(fabs(report.time - 1.0) < 0.02);
        assert_true(k->count >= 4 && fabs(k->y[2][0] - 4.0) < 1e-6); // t = 0.5
        free(k);
    }
    mc_multibody_free(m);
}

// ---- values ------------------------------------------------------------------------------------

static void values_are_set(void **state)
{
    (void)state;
    mc_multibody *m = load("pendulum", MC_COMPILE_NEVER);
    double y[2], value;
    mc_error error;
    mc_multibody_start(m, y);
    must(mc_simulate_set(m, y, "rod.angle", "45 deg", &error), &error);
    must(mc_simulate_set(m, y, "rod.angle_rate", "-2", &error), &error);
    must(mc_simulate_set(m, y, "bob", "500 g", &error), &error);
    must(mc_multibody_get(m, "bob", &value, &error), &error);
    assert_true(fabs(y[0] - 0.78539816339744831) < 1e-15 && y[1] == -2.0);
    assert_true(fabs(value - 0.5) < 1e-15);
    assert_int_equal(mc_simulate_set(m, y, "bob", "1 m", &error), MC_BAD_INPUT);
    assert_int_equal(mc_simulate_set(m, y, "bob", "heavy", &error), MC_BAD_INPUT);
    assert_int_equal(mc_simulate_set(m, y, "energy.total", "1", &error), MC_BAD_INPUT);
    must(mc_multibody_get(m, "bob", &value, &error), &error);
    assert_true(fabs(value - 0.5) < 1e-15); // rejected values change nothing
    // An impossible combination is rejected when it is to run.
    must(mc_simulate_set(m, y, "bob", "-1", &error), &error);
    mc_simulate_options brief = {.end = 0.1};
    assert_int_equal(mc_multibody_check(m, &error), MC_BAD_INPUT);
    assert_int_equal(mc_simulate(m, &brief, y, NULL, NULL, NULL, &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "the mass of rod is -1 kg"));
    must(mc_simulate_set(m, y, "bob", "500 g", &error), &error);
    // The length of a pendulum sets its period: sqrt(l) times that of 1 m.
    must(mc_simulate_set(m, y, "length", "4 m", &error), &error);
    mc_simulate_options o = {.end = 2 * 2.3678419475762373, .rtol = 1e-12};
    mc_multibody_start(m, y);
    must(mc_simulate(m, &o, y, NULL, NULL, NULL, &error), &error);
    assert_true(fabs(y[0] - 1.5707963267948966) < 1e-9);
    mc_multibody_free(m);
}

static void options_are_checked(void **state)
{
    (void)state;
    mc_multibody *m = load("pendulum", MC_COMPILE_NEVER);
    static const struct {
        mc_simulate_options o;
        const char *text;
    } cases[] = {
        {{.end = 0.0}, "the end of the simulation is 0 s; it must be above 0"},
        {{.end = INFINITY}, "the end of the simulation is inf s; it must be above 0"},
        {{.end = 1.0, .step = -1.0}, "time between rows -1 must be 0 or above"},
        {{.end = 1.0, .step = 1e-9},
         "a row every 1e-09 s until 1 s gives 1e+09 rows; expected at most 20000000"},
        {{.end = 1.0, .method = "rk4"}, "method rk4 has a fixed step: expected its length"},
        {{.end = 1.0, .fixed_step = 0.1},
         "method dop853 adapts its step: no fixed step is expected"},
        {{.end = 1.0, .rtol = 1.0}, "dop853: relative tolerance 1: expected 1e-14 .. 0.1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double y[2];
        mc_error error;
        mc_multibody_start(m, y);
        const mc_status status = mc_simulate(m, &cases[i].o, y, NULL, NULL, NULL, &error);
        assert_int_equal(status, MC_BAD_INPUT);
        assert_string_equal(error.text, cases[i].text);
    }
    mc_multibody_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_is_exact),
        cmocka_unit_test(pendulum_has_its_period),
        cmocka_unit_test(double_pendulum_keeps_energy),
        cmocka_unit_test(top_keeps_momentum),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(bump_is_not_missed),
        cmocka_unit_test(methods_are_found),
        cmocka_unit_test(rows_are_where_asked),
        cmocka_unit_test(stopping_keeps_rows),
        cmocka_unit_test(failure_names_its_place),
        cmocka_unit_test(values_are_set),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
