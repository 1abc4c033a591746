// test_share.c - a sweep that is shared out: runs are handed out once, rows of helpers give the
// table of one process, and a helper that fails ends the sweep.
#include "support/run.h"
#include "sweep/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static run_folder folder;

static const char text[] = "motorcade: scenario\ntime: {end: 1, step: 0.05}\n"
                           "models: {light: {kind: point}}\n"
                           "controllers: {follow: {law: acc, headway: 0.6}}\n"
                           "platoons:\n"
                           "  - leader: {model: light, profile: 20}\n"
                           "    cars: [{model: light, name: car, count: 2, controller: follow}]\n";

static const char *path_of(const char *name)
{
    static char path[4][200];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder.path, name);
    return out;
}

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    run_put(&folder, "s.yaml", text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run_folder_remove(&folder);
    return 0;
}

static const char *const axis[] = {"follow.headway=0.3:1.2:0.1"}; // ten runs

static mc_sweep_request request_of(const char *table)
{
    return (mc_sweep_request){.scenario = path_of("s.yaml"),
                              .table = path_of(table),
                              .vary = axis,
                              .vary_count = 1,
                              .threads = 1,
                              .interpret = true};
}

static mc_sweep *opened(mc_sweep *sweep, const mc_error *error)
{
    if (!sweep)
        fail_msg("%s", error->text);
    return sweep;
}

// Where a helper in this process gets its runs.
static int next_run(void *keeper)
{
    const int *run;
    return sweep_hand_out(keeper, 1, &run) ? *run : -1;
}

static mc_status take_row(void *keeper, int run, const char *row, int length, mc_error *error)
{
    return sweep_add(keeper, run, row, length, error);
}

static void helpers_give_the_table_of_one_process(void **state)
{
    (void)state;
    mc_error error;
    const mc_sweep_request alone = request_of("alone.csv"), shared = request_of("shared.csv");
    mc_sweep *sweep = opened(mc_sweep_open(&alone, &error), &error);
    assert_int_equal(mc_sweep_play(sweep, NULL, &error), MC_OK);
    mc_sweep_close(sweep);

    mc_sweep *keeper = opened(mc_sweep_open(&shared, &error), &error);
    mc_sweep *helper = opened(sweep_open_helper(&shared, &error), &error);
    assert_true(sweep_identity(helper) == sweep_identity(keeper));
    assert_true(sweep_identity(helper) != 0);
    assert_int_equal(sweep_begin(keeper, NULL, &error), MC_OK);
    assert_int_equal(sweep_left(keeper), 10);

    // The last runs come first, by hand; the helper does the next ones, the keeper none.
    const int *runs = NULL;
    assert_int_equal(sweep_hand_out(keeper, 3, &runs), 3);
    for (int k = 2; k >= 0; k--) {
        char row[SWEEP_ROW_SIZE];
        int length;
        assert_int_equal(runs[k], k);
        assert_int_equal(sweep_do(helper, runs[k], row, &length, &error), MC_OK);
        assert_int_equal(sweep_add(keeper, runs[k], row, length, &error), MC_OK);
    }
    assert_int_equal(sweep_help(helper, &(sweep_desk){keeper, next_run, take_row}, NULL, &error),
                     MC_OK);
    assert_int_equal(sweep_left(keeper), 0);
    assert_int_equal(sweep_hand_out(keeper, 3, &runs), 0);
    assert_int_equal(sweep_work(keeper, &error), MC_OK);
    assert_int_equal(sweep_finish(keeper, &error), MC_OK);
    assert_int_equal(mc_sweep_count(keeper).done, 10);
    mc_sweep_close(helper);
    mc_sweep_close(keeper);

    size_t size[2];
    char *expected = run_get(&folder, "alone.csv", &size[0]);
    char *got = run_get(&folder, "shared.csv", &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(expected, got, size[0]);
    free(expected);
    free(got);
}

static void another_sweep_has_another_identity(void **state)
{
    (void)state;
    mc_error error;
    mc_sweep_request r = request_of("unused.csv");
    mc_sweep *a = opened(sweep_open_helper(&r, &error), &error);
    r.set = (const char *const[]){"time.end=2"};
    r.set_count = 1;
    mc_sweep *b = opened(sweep_open_helper(&r, &error), &error);
    assert_true(sweep_identity(a) != sweep_identity(b));
    assert_false(run_exists(&folder, "unused.csv"));
    mc_sweep_close(a);
    mc_sweep_close(b);
}

static void a_failure_elsewhere_ends_the_sweep(void **state)
{
    (void)state;
    mc_error error, elsewhere;
    const mc_sweep_request r = request_of("failed.csv");
    mc_sweep *keeper = opened(mc_sweep_open(&r, &error), &error);
    assert_int_equal(sweep_begin(keeper, NULL, &error), MC_OK);
    mc_error_set(&elsewhere, MC_NO_MEMORY, NULL, 0, 0, "no memory there");
    sweep_fail(keeper, MC_NO_MEMORY, &elsewhere);
    const int *runs;
    assert_int_equal(sweep_hand_out(keeper, 1, &runs), 0);
    assert_int_equal(sweep_work(keeper, &error), MC_OK);
    assert_int_equal(sweep_finish(keeper, &error), MC_NO_MEMORY);
    assert_string_equal(error.text, "no memory there");
    mc_sweep_close(keeper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpers_give_the_table_of_one_process),
        cmocka_unit_test(another_sweep_has_another_identity),
        cmocka_unit_test(a_failure_elsewhere_ends_the_sweep),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
