// test_dips.c - parts that dip below the ground: which, where and how deep, against closed forms.
#include "motorcade/multibody.h"
#include "motorcade/simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Wheels at x = 0.8 and -0.8 m stand on level ground; between them is what `terrain` says. The
// frame's box ends 0.15 m above the ground.
static mc_simulate_report stand(const char *terrain)
{
    char text[1600];
    snprintf(text, sizeof text,
             "motorcade: multibody\n"
             "gravity: [0, 0, 0]\n"
             "bodies:\n"
             "  frame: {joint: free, mass: 400, inertia: [40, 90, 100], com: [0.1, 0, 0.05],\n"
             "          start: {z: 0.45},\n"
             "          shape: [{kind: box, size: [2.4, 0.8, 0.1], at: [0, 0, -0.25]},\n"
             "                  {kind: wheel, radius: 1, width: 0.2}]}\n"
             "  mast: {inboard: frame, joint: fixed, mass: 1, inertia: [1, 1, 1],\n"
             "         shape: {kind: box, size: [0.2, 0.2, 0.2], at: [0, 0, 0.5]}}\n"
             "wheels:\n"
             "  a: {body: frame, at: [0.8, 0.5, -0.15], radius: 0.3}\n"
             "  b: {body: frame, at: [0.8, -0.5, -0.15], radius: 0.3}\n"
             "  c: {body: frame, at: [-0.8, 0.5, -0.15], radius: 0.3}\n"
             "  d: {body: frame, at: [-0.8, -0.5, -0.15], radius: 0.3}\n%s",
             terrain);
    mc_error error = {0};
    mc_simulate_report report = {0};
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    double *y = calloc((size_t)mc_multibody_info_of(m)->y_count, sizeof *y);
    mc_multibody_start(m, y);
    mc_simulate_options run = mc_simulate_defaults(m);
    run.engine = "impulses";
    run.end = 0.01;
    run.step = run.fixed_step = 1e-3;
    if (mc_simulate(m, &run, y, NULL, NULL, &report, &error) != MC_OK)
        fail_msg("%s", error.text);
    if (report.dip.part)
        report.dip.part = report.dip.part[0] == 'f' ? "frame" : "mast"; // outlives the mechanism
    free(y);
    mc_multibody_free(m);
    return report;
}

#define CREST                                                                                      \
    "terrain: {features: [{from: %.15g, terms: [{at: 0, power: 1, scale: %.15g},\n"                \
    "  {at: 0.37, power: 1, scale: %.15g}, {at: 0.74, power: 1, scale: %.15g}]}]}\n"

// A crest of 0.3 m, its top at x = 0.03: 0.15 m into the frame.
static void crest_enters_the_frame(void **state)
{
    (void)state;
    char text[400];
    const double slope = 0.3 / 0.37;
    snprintf(text, sizeof text, CREST, -0.34, slope, -2.0 * slope, slope);
    const mc_simulate_report r = stand(text);
    assert_int_equal(r.dips, 1); // once, though it stays
    assert_string_equal(r.dip.part, "frame");
    assert_true(fabs(r.dip.depth - 0.15) < 1e-9);
    assert_true(fabs(r.dip.place[0] - 0.03) < 1e-9);
    assert_true(fabs(r.dip.place[2] - 0.15) < 1e-9);
}

// A round top z = 0.2 - (x - 0.03)^2 between the wheels, 0.05 m into it.
static void round_crest_enters_by_its_top(void **state)
{
    (void)state;
    const mc_simulate_report r =
        stand("terrain: {features: [{formula: '0.2 m - (x - 0.03 m)^2/(1 m)'}]}\n");
    assert_true(r.dips >= 1);
    assert_true(fabs(r.dip.depth - 0.05) < 1e-9);
    assert_true(fabs(r.dip.place[0] - 0.03) < 1e-4);
}

static void low_crest_stays_clear(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text, CREST, -0.34, 0.1 / 0.37, -0.2 / 0.37, 0.1 / 0.37);
    const mc_simulate_report r = stand(text);
    assert_int_equal(r.dips, 0);
    assert_null(r.dip.part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crest_enters_the_frame),
        cmocka_unit_test(round_crest_enters_by_its_top),
        cmocka_unit_test(low_crest_stays_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
