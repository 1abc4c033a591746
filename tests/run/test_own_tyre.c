// test_own_tyre.c - tyres written as formulas in a scenario: the brush in a user's words against
// the brush in C, under a deformable car and under a mechanism; compiled and interpreted; live
// edits; and wrong laws.
#include "codegen/compile.h"
#include "motorcade/run.h"
#include "motorcade/scenario.h"
#include "scenario/handle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE SOURCE_DIR "/scenarios/own.yaml" // its folder has the files of the models

// Without damping of the tread.
static const char own[] =
    "{kind: {parameters: {C_x: {value: 90000, unit: N}, C_y: {value: 70000, unit: N}, grip: 1, "
    "sigma: 0.3 m}, "
    "states: {"
    "z_x: {unit: m, rate: v_roll - v_x - renewed/sigma*z_x}, "
    "z_y: {unit: m, rate: -v_y - renewed/sigma*z_y}}, "
    "variables: {"
    "limit: \"max(grip*mu*fz, 1e-9 N)\", "
    "slid: \"hypot(C_x*(v_x - v_roll), C_y*v_y)/limit\", "
    "rolled: 3*abs(v_roll), "
    "u: \"min(slid/max(rolled, 1e-9 m/s), 1)\", "
    "f_x: C_x*z_x/sigma, f_y: C_y*z_y/sigma, "
    "s: \"clamp((hypot(f_x, f_y)/limit - 0.7)/0.3, 0, 1)\", "
    "most: \"max(rolled, 1000 [1/s]*sigma)\", "
    "sliding: \"max(rolled, min(slid, most)*s^2*(3 - 2*s))\", "
    "renewed: \"if(slid < rolled, rolled/(3 - 3*u + u^2), sliding)\", "
    "share: \"min(1, limit/max(hypot(f_x, f_y), 1e-9 N))\"}, "
    "fx: f_x*share, fy: f_y*share}, grip: 0.8}";
static const char brush[] = "{kind: brush, slip_stiffness: 90000, cornering_stiffness: 70000, "
                            "friction: 0.8, relaxation: 0.3, damping: 0}";

static mc_scenario *scenario_with(const char *model, const char *tyre, mc_error *error)
{
    char text[8192];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 6, step: 0.01}\nroad: {lanes: 3}\n"
             "models: {car: {%s, tyre: %s}}\n"
             "vehicles: [{name: car, model: car, x: 0, lane: 2, v: 20}]\n"
             "events:\n"
             "  - {at: 1, until: 3, vehicle: car, drive: {throttle: 0.2, steer: 0.05}}\n"
             "  - {at: 3, vehicle: car, drive: {brake: 0.3}}\n",
             model, tyre);
    return mc_scenario_parse(text, strlen(text), PLACE, error);
}

static mc_run *run_of(const char *model, const char *tyre)
{
    mc_error error;
    mc_scenario *s = scenario_with(model, tyre, &error);
    if (!s)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    if (!run)
        fail_msg("%s", error.text);
    mc_scenario_free(s); // the run keeps what it needs
    return run;
}

static void to(mc_run *run, double t)
{
    mc_error error;
    while (mc_run_time(run) < t - 1e-6)
        if (mc_run_step(run, &error) != MC_OK)
            fail_msg("%s", error.text);
}

static const char *const models[] = {
    "kind: cosserat, file: medusa/model.dat",
    "kind: multibody, mechanism: ../models/hmmwv.yaml, length: 4.6, width: 2.2, height: 1.8"};

static void formulas_drive_as_the_brush_does(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        mc_run *a = run_of(models[m], brush), *b = run_of(models[m], own);
        double moved = 0.0;
        for (double t = 0.5; t < 6.1; t += 0.5) {
            mc_run_view p, q;
            to(a, t);
            to(b, t);
            mc_run_look(a, 0, &p);
            mc_run_look(b, 0, &q);
            moved = fmax(moved, fabs(p.motion.y));
            assert_true(fabs(p.motion.x - q.motion.x) < 1e-9);
            assert_true(fabs(p.motion.y - q.motion.y) < 1e-9);
            assert_true(fabs(p.motion.psi - q.motion.psi) < 1e-9);
            assert_true(fabs(p.motion.v - q.motion.v) < 1e-9);
        }
        mc_run_view last;
        mc_run_look(b, 0, &last);
        assert_true(last.motion.v < 15.0); // it braked
        assert_true(moved > 0.1);          // and was steered
        mc_run_destroy(a);
        mc_run_destroy(b);
    }
}

// Less grip: the same law stops later; a tyre that gives nothing does not stop at all.
static void parameters_beside_it_count(void **state)
{
    (void)state;
    char slippery[sizeof own];
    snprintf(slippery, sizeof slippery, "%.*sgrip: 0.1}", (int)(strlen(own) - strlen("grip: 0.8}")),
             own);
    mc_run *good = run_of(models[0], own), *bad = run_of(models[0], slippery);
    mc_run *none = run_of(models[0], "{kind: {fx: 0 N, fy: 0 N}}");
    mc_run_view g, b, n;
    to(good, 6.0);
    to(bad, 6.0);
    to(none, 6.0);
    mc_run_look(good, 0, &g);
    mc_run_look(bad, 0, &b);
    mc_run_look(none, 0, &n);
    assert_true(b.motion.x > g.motion.x + 2.0);
    assert_true(n.motion.v > 19.0);
    mc_run_destroy(good);
    mc_run_destroy(bad);
    mc_run_destroy(none);
}

// A live edit makes a new version of the scenario; the old law is freed when it is no longer used.
static void an_edit_keeps_the_tyre(void **state)
{
    (void)state;
    mc_error error;
    mc_run *a = run_of(models[0], own), *b = run_of(models[0], own);
    to(a, 2.0);
    to(b, 2.0);
    if (mc_run_edit(b, "{grades: [{from: 500, to: 600, grade: 2 %}]}", &error) != MC_OK)
        fail_msg("%s", error.text);
    to(a, 4.0);
    to(b, 4.0);
    mc_run_view p, q;
    mc_run_look(a, 0, &p);
    mc_run_look(b, 0, &q);
    assert_true(fabs(p.motion.x - q.motion.x) < 1e-9 && fabs(p.motion.v - q.motion.v) < 1e-9);
    mc_run_destroy(a);
    mc_run_destroy(b);
}

// How the tyre of a run is run now.
static expr_kernel_state state_of(const mc_run *run)
{
    const struct scenario *s = scenario_of(mc_run_scenario(run));
    assert_int_equal(s->tyre_count, 1);
    return expr_kernel_state_of(tyre_formula_kernel(s->tyres[0]));
}

// A run that may compile does, with the bits of one that may not, also after an edit; one that may
// not never does.
static void compiled_tyres_give_the_same_bits(void **state)
{
    (void)state;
    mc_error error;
    compile_tool tool;
    char folder[] = "/tmp/motorcade_cache_XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    setenv("MOTORCADE_CACHE", folder, 1);
    const bool has_compiler = compile_find(&tool, &error);
    for (int m = 0; m < 2; m++) {
        unsigned long long hash[3];
        for (int how = 0; how < 3; how++) { // interpreted, compiled first, compiled meanwhile
            mc_scenario *s = scenario_with(models[m], own, &error);
            const mc_run_options options = {
                .threads = 1, .interpret = how == 0, .compile_first = how == 1};
            mc_run *run = mc_run_create(s, &options, &error);
            mc_scenario_free(s);
            for (int edits = 0; edits < 2; edits++) {
                const expr_kernel_state now = state_of(run);
                const char *why;
                if (how == 1)
                    assert_true(mc_run_compiled(run, &why) == has_compiler);
                if (how == 0 || !has_compiler)
                    assert_int_equal(now, EXPR_KERNEL_INTERPRETED);
                else if (how == 1)
                    assert_int_equal(now, EXPR_KERNEL_COMPILED);
                else
                    assert_true(now == EXPR_KERNEL_COMPILING || now == EXPR_KERNEL_COMPILED);
                to(run, edits ? 4.0 : 2.0);
                if (!edits && mc_run_edit(run, "{set: road.speed=24}", &error) != MC_OK)
                    fail_msg("%s", error.text);
            }
            hash[how] = mc_run_hash(run);
            mc_run_destroy(run);
        }
        assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static void wrong_laws(void **state)
{
    (void)state;
    static const struct {
        const char *tyre, *message;
    } rows[] = {
        {"{kind: {fx: 0 N}}", "needs the key fy"},
        {"{kind: {fx: 0 N, fy: 0 N, fz: 0 N}}", "a tyre law has no key \"fz\""},
        {"{kind: {fx: v_x, fy: 0 N}}", "the result has the unit m/s, expected kg m/s^2 (N)"},
        {"{kind: {fx: fzz, fy: 0 N}}", "did you mean"},
        {"{kind: {fx: fz*mu*, fy: 0 N}}", ""},
        {"{kind: {parameters: {kind: 3}, fx: 0 N, fy: 0 N}}", "that is a key of every tyre"},
        {"{kind: {parameters: {fz: 3}, fx: 0 N, fy: 0 N}}", "is already in use"},
        {"{kind: {states: {z: {unit: m}}, fx: 0 N, fy: 0 N}}", "needs the key rate"},
        {"{kind: {states: {z: {unit: m, rate: v_x, start: 1}}, fx: 0 N, fy: 0 N}}",
         "no key \"start\""},
        {"{kind: {states: {a: {rate: 0}, b: {rate: 0}, c: {rate: 0}, d: {rate: 0}}, fx: 0 N, fy: 0 "
         "N}}",
         "a law has at most 3"},
        {"{kind: {fx: 0 N, fy: 0 N}, grip: 1}", "no key \"grip\""},
        {"{kind: [1, 2]}", ""},
        {"{kind: bursh}", "did you mean brush"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        mc_error error;
        mc_scenario *s = scenario_with(models[0], rows[k].tyre, &error);
        if (s)
            fail_msg("%s was taken", rows[k].tyre);
        assert_int_equal(error.code, MC_BAD_INPUT);
        assert_int_equal(error.line, 4);
        if (!strstr(error.text, rows[k].message))
            fail_msg("%s: %s", rows[k].tyre, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_drive_as_the_brush_does),
        cmocka_unit_test(parameters_beside_it_count),
        cmocka_unit_test(an_edit_keeps_the_tyre),
        cmocka_unit_test(compiled_tyres_give_the_same_bits),
        cmocka_unit_test(wrong_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
