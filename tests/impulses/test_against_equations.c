// test_against_equations.c - the engine of impulses against the derived equations of the same
// mechanism: accelerations and loads of joints at step zero, extrapolated from short steps; the
// order of the motion in the step.
#include "mechanism/by_impulses.h"
#include "support/bodies.h"
#include "support/sample.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Y_MAX = 160, LOADS_MAX = 160, LEVELS = 7, RANDOM = 30 };

// ---- random mechanisms -------------------------------------------------------------------------

static double random_in(uint64_t *seed, double low, double high)
{
    unsigned long long s = *seed;
    const double unit = (double)(sample_random(&s) >> 11) * 0x1p-53;
    *seed = s;
    return low + unit * (high - low);
}

static void add(char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsprintf(text + strlen(text), format, list);
    va_end(list);
}

static void add_body(char *text, uint64_t *seed, int i)
{
    static const char *const joints[] = {"hinge", "prism", "ball", "general", "fixed"};
    const int kind = i == 0 && random_in(seed, 0, 1) < 0.5 ? -1 : (int)random_in(seed, 0, 4.999);
    add(text, "  b%d:\n    joint: %s\n", i, kind < 0 ? "free" : joints[kind]);
    if (i > 0)
        add(text, "    inboard: b%d\n", (int)random_in(seed, 0, i - 1e-9));
    if (kind >= 0)
        add(text,
            "    at: [%.3f, %.3f, %.3f]\n    orientation: {sequence: zyx, angles: [%.3f, %.3f, "
            "%.3f]}\n",
            random_in(seed, -1, 1), random_in(seed, -1, 1), random_in(seed, -1, 1),
            random_in(seed, -1, 1), random_in(seed, -1, 1), random_in(seed, -1, 1));
    if (kind == 0 || kind == 1)
        add(text, "    axis: [%.3f, %.3f, %.3f]\n    stiffness: %.3f\n    damping: %.3f\n",
            random_in(seed, 0.1, 1), random_in(seed, -1, 1), random_in(seed, -1, 1),
            random_in(seed, 1, 30), random_in(seed, 0.1, 3));
    if (kind == 0)
        add(text, "    load: (0.7 N*m)*sin(b%d.angle) - (0.1 N*m*s)*b%d.angle_rate\n", i, i);
    if (kind == 3)
        add(text, "    free: [tx, rx, ry]\n    held: {tz: 0.1}\n");
    const double I = random_in(seed, 0.2, 1);
    add(text,
        "    mass: %.3f\n    com: [%.3f, %.3f, %.3f]\n    inertia: [%.3f, %.3f, %.3f, 0.01, -0.02, "
        "0.015]\n",
        random_in(seed, 0.5, 3), random_in(seed, -0.5, 0.5), random_in(seed, -0.5, 0.5),
        random_in(seed, -0.5, 0.5), I, 1.2 * I, 1.3 * I);
}

static void random_text(uint64_t *seed, char *text)
{
    const int count = 2 + (int)random_in(seed, 0, 4.999);
    strcpy(text, "motorcade: multibody\nname: random\nbodies:\n");
    for (int i = 0; i < count; i++)
        add_body(text, seed, i);
    add(text,
        "points:\n  p: {body: b%d, at: [0.2, 0.1, 0.3]}\n  o: {body: ground, at: [3, 1, 2]}\n"
        "springs:\n  s: {from: p, to: o, stiffness: 20, damping: 2, length: 1}\n"
        "forces:\n  f: {point: p, force: [1 N, 2 N*cos(t/(1 s)), 0], in: body}\n"
        "torques:\n  q: {body: b0, torque: [0, 0.3 N*m, 0.1 N*m]}\nloads: all\n",
        count - 1);
}

// ---- accelerations -----------------------------------------------------------------------------

// Value at h = 0 of values at h, h/2, h/4, ... (Neville).
static double extrapolate(double *value)
{
    for (int k = 1; k < LEVELS; k++)
        for (int i = LEVELS - 1; i >= k; i--)
            value[i] += (value[i] - value[i - 1]) / (pow(2.0, k) - 1.0);
    return value[LEVELS - 1];
}

typedef struct seen {
    double v[LEVELS][Y_MAX], load[LEVELS][LOADS_MAX];
    int load_count;
} seen;

static void observe(mc_multibody *m, const double *y, seen *out)
{
    const int nq = m->system.q_count, nv = m->system.v_count;
    const mc_simulate_options options = {0};
    mc_error error;
    impulse_run run;
    assert_int_equal(impulse_run_make(m, &options, &run, &error), MC_OK);
    impulses_destroy(run.engine);
    run.model.settings.closed = 1e-15; // what closing leaves counts per step
    run.engine = impulses_create(&run.model, &error);
    assert_non_null(run.engine);
    for (int k = 0; k < LEVELS; k++) {
        const double h = 8e-3 / (1 << k);
        double end[Y_MAX];
        memcpy(end, y, (size_t)m->system.y_count * sizeof *y);
        impulses_start(run.engine, 0.0, y);
        assert_int_equal(impulses_step(run.engine, h, &error), MC_OK);
        out->load_count = 0;
        for (int i = 0; i < m->model.load_count; i++, out->load_count += 6)
            impulses_joint_load(run.engine, run.place[m->model.loads[i]],
                                &out->load[k][out->load_count]);
        for (int r = 0; r < m->system.rows.kept_count; r++)
            out->load[k][out->load_count++] = impulses_multiplier(run.engine, r);
        impulses_read(run.engine, end);
        for (int i = 0; i < nv; i++)
            out->v[k][i] = (end[nq + i] - y[nq + i]) / h;
    }
    impulse_run_free(&run);
}

// Loads of joints in the order of observe, by the derived equations.
static void derived_loads(mc_multibody *m, const double *y, double *out)
{
    mc_error error;
    double all[LOADS_MAX], dy[Y_MAX];
    int n = 0;
    assert_int_equal(mc_multibody_joint_loads(m, 0.0, y, NULL, all, &error), MC_OK);
    for (int i = 0; i < m->model.load_count; i++)
        for (int k = 0; k < 6; k++)
            out[n++] = all[6 * m->model.loads[i] + k];
    mc_multibody_rate(m, 0.0, y, NULL, dy);
    multibody_loops_lambda(m, out + n);
}

static void compare(const char *text, uint64_t *seed, double *acceleration, double *load)
{
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_error error = {0};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("%s\n%s", error.text, text);
    const int nq = m->system.q_count, nv = m->system.v_count;
    double y[Y_MAX], dy[Y_MAX], expected[LOADS_MAX] = {0}, scale = 1.0, load_scale = 1.0;
    static seen s;
    mc_multibody_start(m, y);
    for (int i = 0; i < nq + nv; i++)
        y[i] += random_in(seed, -0.3, 0.3);
    mc_multibody_normalise(m, y);
    if (m->system.rows.count > 0)
        assert_int_equal(mc_multibody_assemble(m, 0.0, y, &error), MC_OK);
    for (int k = 0; k < 3; k++) // to rounding: what is open counts per step
        mc_multibody_project(m, 0.0, y);
    mc_multibody_rate(m, 0.0, y, NULL, dy);
    derived_loads(m, y, expected);
    observe(m, y, &s);
    for (int i = 0; i < nv; i++)
        scale = fmax(scale, fabs(dy[nq + i]));
    for (int i = 0; i < s.load_count; i++)
        load_scale = fmax(load_scale, fabs(expected[i]));
    for (int i = 0; i < nv + s.load_count; i++) {
        double value[LEVELS];
        for (int k = 0; k < LEVELS; k++)
            value[k] = i < nv ? s.v[k][i] : s.load[k][i - nv];
        const double at = extrapolate(value);
        const double off =
            i < nv ? fabs(at - dy[nq + i]) / scale : fabs(at - expected[i - nv]) / load_scale;
        if (off > (i < nv ? 1e-9 : 1e-6))
            print_message("%s %d of %d: %.15g, expected %.15g\n", i < nv ? "acceleration" : "load",
                          i < nv ? i : i - nv, i < nv ? nv : s.load_count, at,
                          i < nv ? dy[nq + i] : expected[i - nv]);
        *(i < nv ? acceleration : load) = fmax(i < nv ? *acceleration : *load, off);
    }
    mc_multibody_free(m);
}

static void step_zero_agrees(void **state)
{
    (void)state;
    uint64_t seed = 2011;
    double acceleration = 0.0, load = 0.0;
    char text[8000];
    for (int k = 0; k < RANDOM; k++) {
        random_text(&seed, text);
        compare(text, &seed, &acceleration, &load);
    }
    for (int k = 0; k < BODIES_CLOSED; k += series_share() < 1.0 ? 2 : 1) {
        snprintf(text, sizeof text, "%s%sloads: all\n", BODIES_MODEL, bodies_closed[k]);
        compare(text, &seed, &acceleration, &load);
    }
    print_message("accelerations to %.1e, loads to %.1e of the largest\n", acceleration, load);
    assert_true(acceleration < 1e-9);
    assert_true(load < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(step_zero_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
