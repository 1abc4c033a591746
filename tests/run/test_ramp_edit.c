// test_ramp_edit.c - ramps that are moved, changed and removed during a run, also under a car: it
// finishes on the old one. The same bits on threads, after a restore, from a checkpoint and by the
// log.
#include "support/platoon.h"

#include "motorcade/timeline.h"
#include "run/run.h"
#include "run/where.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "motorcade: scenario\ntime: {end: 60, step: 0.05}\n"                                           \
    "models: {car: {kind: bicycle, length: 4.5}}\n"                                                \
    "controllers: {follow: {law: acc, headway: 1.2}, guest: {law: acc, headway: 1.2}}\n"           \
    "vehicles:\n"                                                                                  \
    "  - {model: car, name: through, x: 500, lane: 2, v: 22, controller: follow}\n"
#define ROAD(more) "road: {lanes: 2, lane_width: 3.6, speed: 22, " more "}\n"
#define VERMONT(at)                                                                                \
    "{name: Vermont, kind: \"on\", at: " at                                                        \
    ", length: 200, line: [{straight: 80}, {clothoid: 60, "                                        \
    "to_radius: -120}, {clothoid: 60}]}"
#define HOOVER(at)                                                                                 \
    "{name: Hoover, kind: \"off\", at: " at                                                        \
    ", line: [{clothoid: 60, to_radius: -120}, {clothoid: "                                        \
    "60}, {straight: 100}]}"

static const char on_ramp[] =
    HEAD "  - {model: car, name: guest, ramp: Vermont, x: 60, v: 15, controller: guest}\n" ROAD(
        "ramps: [" VERMONT("700") ", " HOOVER("1800") "]");

static mc_error error;

static void edit(mc_run *run, const char *text)
{
    if (mc_run_edit(run, text, &error) != MC_OK)
        fail_msg("%s", error.text);
}

static int slot_of(const mc_run *run, const char *name)
{
    return run->slot[mc_run_find(run, name)];
}

// Every edit of the road, and what remains of the ramp that the guest is on.
static const struct {
    const char *text;
    bool same; // the ramp is as before
} edits[] = {
    {"{road: {ramps: [" VERMONT("760") ", " HOOVER("1800") "]}}", false}, // moved
    {"{road: {ramps: [" HOOVER("1800") ", " VERMONT("700") "]}}", true},  // another order
    {"{road: {ramps: [" HOOVER("1800") "]}}", false},                     // gone
    {"{road: {ramps: []}}", false},                                       // the road is straight
    {"{road: {ramps: [" VERMONT("700") "]}}", true},                      // the other one is gone
    {"{add: {model: car, name: late, x: 100, v: 20, controller: follow}}", true},
};
enum { EDITS = sizeof edits / sizeof edits[0] };

// A car on a ramp drives on as if nothing had happened to the ramp: the edit under it changes
// neither its place nor its path, and it merges where it would have merged.
static void finishes_on_the_old_ramp(void **unused)
{
    (void)unused;
    static const int when[] = {20, 140, 200}; // steps: on the ramp, at its end, beside the road
    for (int e = 0; e < EDITS; e++)
        for (int w = 0; w < 3; w++) {
            mc_scenario *s = platoon_scenario(on_ramp);
            mc_run *plain = platoon_run(s, 1), *run = platoon_run(s, 1);
            platoon_steps(plain, when[w]);
            platoon_steps(run, when[w]);
            const mc_motion before = platoon_view(run, "guest").motion;
            edit(run, edits[e].text);
            const mc_motion after = platoon_view(run, "guest").motion;
            assert_true(before.x == after.x && before.y == after.y && before.psi == after.psi);
            const bool kept = run->where && run->where[slot_of(run, "guest")].elder == 1;
            if (kept == edits[e].same)
                fail_msg("edit %d at step %d: %s", e, when[w], kept ? "kept" : "not kept");
            double worst = 0.0;
            for (int k = when[w]; k < 500; k++) {
                platoon_steps(plain, 1);
                platoon_steps(run, 1);
                const mc_motion a = platoon_view(plain, "guest").motion;
                const mc_motion b = platoon_view(run, "guest").motion;
                worst = fmax(worst, fmax(fabs(a.x - b.x), fabs(a.y - b.y)));
            }
            if (!(worst < 1e-6))
                fail_msg("edit %d at step %d: %g m apart", e, when[w], worst);
            const mc_run_view view = platoon_view(run, "guest");
            assert_int_equal(view.lane, 1); // merged
            assert_int_equal(view.hits, 0);
            assert_true(!run->where || run->where[slot_of(run, "guest")].elder == 0);
            mc_run_destroy(run);
            mc_run_destroy(plain);
            mc_scenario_free(s);
        }
}

// A second edit while it is still on the ramp of the first version.
static void edits_follow_edits(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(on_ramp);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 20);
    edit(run, edits[0].text);
    platoon_steps(run, 20);
    edit(run, edits[3].text);
    assert_int_equal(run->where[slot_of(run, "guest")].elder, 1);
    platoon_steps(run, 20);
    // The ramp comes back as it was: the guest is on it again.
    edit(run, "{road: {ramps: [" VERMONT("700") "]}}");
    assert_int_equal(run->where[slot_of(run, "guest")].elder, 0);
    platoon_steps(run, 400);
    assert_int_equal(platoon_view(run, "guest").lane, 1);
    assert_int_equal(platoon_view(run, "guest").hits, 0);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

// A car on an off-ramp that is taken away drives on along it.
static void leaves_by_the_old_ramp(void **unused)
{
    (void)unused;
    static const char there[] =
        HEAD "  - {model: car, name: guest, ramp: Hoover, x: 5, v: 18, controller: guest}\n" ROAD(
            "ramps: [" HOOVER("1800") "]");
    mc_scenario *s = platoon_scenario(there);
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 40);
    edit(run, "{road: {ramps: []}}");
    platoon_steps(run, 80);
    const mc_run_view view = platoon_view(run, "guest");
    assert_true(view.motion.x > 1890.0 && fabs(view.motion.y) < 0.3); // in the middle of the ramp
    assert_int_equal(run->where[slot_of(run, "guest")].elder, 1);
    mc_run_destroy(run);
    mc_scenario_free(s);
}

static unsigned long long ended(mc_run *run, int steps)
{
    platoon_steps(run, steps);
    return mc_run_hash(run);
}

// The hash of a run with two edits is that on threads, after a restore to before, between and
// behind them, from a checkpoint in a fresh run, and by its log.
static void same_bits(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/motorcade_ramps_XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    mc_scenario *s = platoon_scenario(on_ramp);
    unsigned long long hash[2];
    for (int threads = 1; threads <= 2; threads++) {
        mc_run *run = platoon_run(s, threads);
        platoon_steps(run, 20);
        mc_snapshot snapshot[3];
        assert_int_equal(mc_run_save(run, &snapshot[0], &error), MC_OK);
        edit(run, edits[3].text);
        platoon_steps(run, 30);
        assert_int_equal(mc_run_save(run, &snapshot[1], &error), MC_OK);
        snprintf(path, sizeof path, "%s/state", folder);
        assert_int_equal(mc_run_write_checkpoint(run, path, &error), MC_OK);
        edit(run, edits[0].text);
        platoon_steps(run, 30);
        assert_int_equal(mc_run_save(run, &snapshot[2], &error), MC_OK);
        hash[threads - 1] = ended(run, 200);
        static const int left[3] = {260, 230, 200};
        for (int k = 2; k >= 0; k--) {
            if (mc_run_restore(run, &snapshot[k], &error) != MC_OK)
                fail_msg("snapshot %d: %s", k, error.text);
            if (ended(run, left[k]) != hash[threads - 1])
                fail_msg("restored to snapshot %d", k);
        }
        // A fresh run with the same log, and one from the checkpoint.
        snprintf(path, sizeof path, "%s/log", folder);
        assert_int_equal(mc_run_write_log(run, path, &error), MC_OK);
        mc_run *again = platoon_run(s, 1);
        assert_int_equal(mc_run_follow_log(again, path, &error), MC_OK);
        assert_true(ended(again, 280) == hash[threads - 1]);
        mc_run_destroy(again);
        again = platoon_run(s, 1);
        snprintf(path, sizeof path, "%s/state", folder);
        if (mc_run_read_checkpoint(again, path, &error) != MC_OK)
            fail_msg("%s", error.text);
        edit(again, edits[0].text);
        assert_true(ended(again, 230) == hash[threads - 1]);
        mc_run_destroy(again);
        for (int k = 0; k < 3; k++)
            mc_snapshot_free(&snapshot[k]);
        mc_run_destroy(run);
    }
    assert_true(hash[0] == hash[1]);
    mc_scenario_free(s);
    static const char *const files[] = {"/state", "/log"};
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s%s", folder, files[k]);
        unlink(path);
    }
    rmdir(folder);
}

// A car is added on a ramp, from its start unless x says where, and merges.
static void cars_join_from_a_ramp(void **unused)
{
    (void)unused;
    mc_scenario *s = platoon_scenario(HEAD ROAD("ramps: [" VERMONT("700") "]"));
    mc_run *run = platoon_run(s, 1);
    platoon_steps(run, 10);
    edit(run, "{add: {name: guest, model: car, ramp: Vermont, v: 15, controller: guest}}");
    mc_run_view view = platoon_view(run, "guest");
    assert_true(fabs(view.motion.x - 500.0) < 1e-9 && fabs(view.motion.y) < 1e-9);
    platoon_steps(run, 600);
    view = platoon_view(run, "guest");
    assert_int_equal(view.lane, 1);
    assert_true(view.motion.x > 900.0);
    const mc_status status = mc_run_edit(
        run, "{add: {name: lost, model: car, ramp: Vermnt, controller: guest}}", &error);
    assert_int_equal(status, MC_BAD_INPUT);
    assert_string_equal(error.text, "unknown ramp \"Vermnt\"; did you mean Vermont?");
    mc_run_destroy(run);
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finishes_on_the_old_ramp), cmocka_unit_test(edits_follow_edits),
        cmocka_unit_test(leaves_by_the_old_ramp),   cmocka_unit_test(same_bits),
        cmocka_unit_test(cars_join_from_a_ramp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
