// test_sweep.c - axes, draws, journals, shards and tables of sweeps.
#include "analysis/sweep_axis.h"
#include "analysis/sweep_file.h"
#include "motorcade/record.h"
#include "motorcade/sweep.h"
#include "support/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static run_folder folder;

static const char scenario_text[] =
    "motorcade: scenario\n"
    "name: three points\n"
    "time: {end: 4, step: 0.05, record: 0.1}\n"
    "road: {headway: 0.2, distance: 2}\n"
    "profiles:\n"
    "  stop: {table: [[0, 20], [1, 20], [3, 8], [4, 8]]}\n"
    "models:\n"
    "  light: {kind: point}\n"
    "controllers:\n"
    "  follow: {law: acc, headway: 0.6, sensor: {range_noise: 0.1}}\n"
    "platoons:\n"
    "  - leader: {model: light, profile: stop}\n"
    "    cars: [{model: light, name: car, count: 2, controller: follow}]\n"
    "expect:\n"
    "  - largest.spacing_error < 2 m\n";

static const char *path_of(const char *name)
{
    static char path[8][128];
    static int next;
    char *out = path[next++ % 8];
    snprintf(out, sizeof path[0], "%s/%s", folder.path, name);
    return out;
}

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    run_put(&folder, "s.yaml", scenario_text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run_folder_remove(&folder);
    return 0;
}

static const char *const two_axes[] = {"follow.headway=0.3:0.9:0.2", "car1.v=18,20,23"};

static mc_sweep_request request_of(const char *table)
{
    return (mc_sweep_request){
        .scenario = path_of("s.yaml"), .table = table, .vary = two_axes, .vary_count = 2};
}

static void done(const mc_sweep_request *r, int found, int computed)
{
    mc_error error = {0};
    mc_sweep *sweep = mc_sweep_open(r, &error);
    if (!sweep)
        fail_msg("%s", error.text);
    assert_int_equal(mc_sweep_count(sweep).found, found);
    if (mc_sweep_play(sweep, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(mc_sweep_count(sweep).done, computed);
    mc_sweep_close(sweep);
}

static void refused(const mc_sweep_request *r, const char *message)
{
    mc_error error = {0};
    mc_sweep *sweep = mc_sweep_open(r, &error);
    assert_null(sweep);
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_string_equal(error.text, message);
}

static void same_bytes(const char *a, const char *b)
{
    size_t x, y;
    char *p = run_get(&folder, a, &x), *q = run_get(&folder, b, &y);
    assert_int_equal(x, y);
    assert_memory_equal(p, q, x);
    free(p);
    free(q);
}

// ---- axes ----

static void check_axis(const char *text, int count, const double *values)
{
    arena a = {0};
    mc_sweep_axis axis;
    mc_error error;
    if (sweep_axis_read(&a, text, false, &axis, &error) != MC_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(axis.count, count);
    for (int k = 0; k < count && values; k++)
        if (axis.values[k] != values[k])
            fail_msg("%s: value %d is %.17g, not %.17g", text, k, axis.values[k], values[k]);
    arena_free(&a);
}

static void ranges_are_counted_in_decimals(void **state)
{
    (void)state;
    check_axis("mass=1200:2400:50", 25, NULL);
    // Sums of doubles give 0.30000000000000004, 0.7999999999999999 and one value too few or many.
    check_axis("h=0.1:0.9:0.1", 9, (double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
    check_axis("h=-0.3:0.3:0.3", 3, (double[]){-0.3, 0.0, 0.3});
    check_axis("h=1e-3:3E-3:1e-3", 3, (double[]){0.001, 0.002, 0.003});
    check_axis("h=1e3:1.2e3:100", 3, (double[]){1000, 1100, 1200});
    check_axis("h=0:1:0.001", 1001, NULL);
    check_axis("h=5:5:1", 1, (double[]){5});
    check_axis("h=-10:1:11", 2, (double[]){-10, 1});
    check_axis("h=3,1,2.5", 3, (double[]){3, 1, 2.5});
    check_axis("h=7", 1, (double[]){7});
    check_axis("v=50:90:10 km/h", 5, (double[]){50, 60, 70, 80, 90});
    check_axis("n=1:1000000:1", 1000000, NULL);
}

static void axes_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"mass", "\"mass\": expected NAME=FROM:TO:STEP or NAME=A,B,C, for example "
                 "mass=1200:2400:50"},
        {"=1:2:1", "\"=1:2:1\": expected NAME=FROM:TO:STEP or NAME=A,B,C, for example "
                   "mass=1200:2400:50"},
        {"m=", "\"m=\": expected NAME=FROM:TO:STEP or NAME=A,B,C, for example mass=1200:2400:50"},
        {"m=1:2", "\"m=1:2\": a range needs a step, FROM:TO:STEP, but for points drawn at random"},
        {"m=1:2:3:4", "\"m=1:2:3:4\": found 4 numbers between colons, expected FROM:TO:STEP"},
        {"m=1:x:1", "\"m=1:x:1\": \"x\" is not a number"},
        {"m=1,nan", "\"m=1,nan\": \"nan\" is not a number"},
        {"m=1,,2", "\"m=1,,2\": a number is missing; expected FROM:TO:STEP or A,B,C"},
        {"m=1:2:", "\"m=1:2:\": a number is missing; expected FROM:TO:STEP or A,B,C"},
        {"m=1:2,3", "\"m=1:2,3\": colons and commas; expected FROM:TO:STEP or A,B,C"},
        {"m=1:2:0", "\"m=1:2:0\": the step is 0; it must be above 0"},
        {"m=1:2:-0.5", "\"m=1:2:-0.5\": the step is -0.5; it must be above 0"},
        {"m=2:1:0.5", "\"m=2:1:0.5\": the range ends at 1, below its start 2; write the lower end "
                      "first"},
        {"m=0:50:2400", "\"m=0:50:2400\": expected FROM:TO:STEP; did you mean 0:2400:50?"},
        {"m=0:1:0.3", "\"m=0:1:0.3\": steps of 0.3 from 0 lead to 0.9 and 1.2, not to the end"},
        {"m=0:1:1e-30", "\"m=0:1:1e-30\": numbers of a range with more digits than can be counted; "
                        "at most 17"},
        {"m=0.123456789012345678:1:1",
         "\"m=0.123456789012345678:1:1\": numbers of a range with more digits than can be counted; "
         "at most 17"},
        {"m=0:1000000:1", "\"m=0:1000000:1\": 1000001 values; a sweep has at most 1000000 runs"},
        {"m=1,2,1.0", "\"m=1,2,1.0\": 1 stands twice"},
        {"m=1 kg,2 kg", "\"m=1 kg,2 kg\": no blanks between the numbers; the unit stands once, at "
                        "the end: mass=1200:2400:50 kg"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        arena a = {0};
        mc_sweep_axis axis;
        mc_error error = {0};
        assert_int_equal(sweep_axis_read(&a, cases[k].text, false, &axis, &error), MC_BAD_INPUT);
        assert_string_equal(error.text, cases[k].message);
        arena_free(&a);
    }
}

static void numbers_are_as_short_as_they_can_be(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {2400.0, "2400"},
                 {1e300, "1e+300"},
                 {-0.0, "0"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {5e-324, "4.94065645841247e-324"},
                 {INFINITY, "inf"},
                 {-NAN, "nan"}};
    char text[SWEEP_NUMBER_SIZE];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_string_equal(sweep_number(cases[k].value, text), cases[k].text);
}

static void the_last_axis_changes_fastest(void **state)
{
    (void)state;
    mc_error error;
    mc_sweep_request r = request_of(path_of("order.csv"));
    r.seeds = 2;
    mc_sweep *sweep = mc_sweep_open(&r, &error);
    assert_non_null(sweep);
    const mc_sweep_axis *axes;
    assert_int_equal(mc_sweep_axes(sweep, &axes), 3);
    assert_string_equal(axes[0].unit, "s");
    assert_string_equal(axes[1].unit, "m/s");
    assert_string_equal(axes[2].name, "seed");
    assert_int_equal(mc_sweep_count(sweep).runs, 24);
    sweep_plan plan;
    assert_int_equal(sweep_plan_make(&plan, &r, &error), MC_OK);
    for (int run = 0; run < 24; run++) {
        assert_true(sweep_plan_value(&plan, run, 0) == axes[0].values[run / 6]);
        assert_true(sweep_plan_value(&plan, run, 1) == axes[1].values[run / 2 % 3]);
        assert_true(sweep_plan_value(&plan, run, 2) == 1 + run % 2);
    }
    sweep_plan_free(&plan);
    mc_sweep_close(sweep);
}

// ---- draws ----

static void draws_are_uniform_and_keyed(void **state)
{
    (void)state;
    static const char *const vary[] = {"m=10:20", "n=1,2,4"};
    mc_sweep_request r = {.vary = vary, .vary_count = 2, .random = 20000, .seed = 7};
    sweep_plan plan, other;
    mc_error error;
    assert_int_equal(sweep_plan_make(&plan, &r, &error), MC_OK);
    r.seed = 8;
    assert_int_equal(sweep_plan_make(&other, &r, &error), MC_OK);
    double sum = 0.0, square = 0.0, product = 0.0;
    int of[5] = {0}, same = 0;
    for (int k = 0; k < 20000; k++) {
        const double m = sweep_plan_value(&plan, k, 0), n = sweep_plan_value(&plan, k, 1);
        assert_true(m >= 10.0 && m < 20.0 && (n == 1.0 || n == 2.0 || n == 4.0));
        sum += m;
        square += (m - 15.0) * (m - 15.0);
        product += (m - 15.0) * (n - 7.0 / 3.0);
        of[(int)n]++;
        same += m == sweep_plan_value(&other, k, 0);
    }
    // Mean 15, variance 100 / 12, each within five standard errors; no correlation of the axes.
    assert_true(fabs(sum / 20000 - 15.0) < 5.0 * sqrt(100.0 / 12.0 / 20000));
    assert_true(fabs(square / 20000 - 100.0 / 12.0) < 0.27);
    assert_true(fabs(product / 20000) < 5.0 * sqrt(100.0 / 12.0 * 14.0 / 9.0 / 20000));
    for (int n = 1; n <= 4; n += n)
        assert_true(abs(of[n] - 6667) < 5 * 67);
    assert_true(same < 3);
    // A sweep of fewer points has the first of them: draws depend on nothing but their key.
    r.seed = 7;
    r.random = 10;
    sweep_plan_free(&other);
    assert_int_equal(sweep_plan_make(&other, &r, &error), MC_OK);
    for (int k = 0; k < 10; k++)
        assert_true(sweep_plan_value(&other, k, 0) == sweep_plan_value(&plan, k, 0));
    sweep_plan_free(&plan);
    sweep_plan_free(&other);
}

// ---- runs ----

static void figures_are_those_of_single_runs(void **state)
{
    (void)state;
    const mc_sweep_request r = request_of(path_of("agree.csv"));
    done(&r, 0, 12);
    mc_error error;
    mc_sweep_table *t = mc_sweep_table_read(r.table, &error);
    assert_non_null(t);
    assert_true(t->complete && t->row_count == 12 && t->axis_count == 2);
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < 12; k++) {
        char set[2][64];
        snprintf(set[0], 64, "follow.headway=%.1f", 0.3 + 0.2 * (k / 3));
        snprintf(set[1], 64, "car1.v=%d", (int[]){18, 20, 23}[k % 3]);
        mc_scenario *s = mc_scenario_load(r.scenario, &error);
        assert_int_equal(mc_scenario_set(s, set[0], &error), MC_OK);
        assert_int_equal(mc_scenario_set(s, set[1], &error), MC_OK);
        mc_run *run = mc_run_create(s, NULL, &error);
        mc_recording *rec = mc_recording_open(run, &(mc_record_output){0}, &error);
        assert_int_equal(mc_recording_play(rec, NULL, &error), MC_OK);
        for (int i = 0; i < MC_FIGURE_COUNT; i++) {
            const double here = mc_figures_value(mc_recording_figures(rec), -1, (mc_figure_id)i);
            const double there = t->rows[k].value[i];
            assert_true(here == there || (isnan(here) && isnan(there)));
        }
        assert_true(t->rows[k].failed == mc_recording_failed(rec));
        assert_string_equal(t->rows[k].ended, "end time reached");
        least = fmin(least, t->rows[k].value[MC_FIGURE_LARGEST_SPACING_ERROR]);
        most = fmax(most, t->rows[k].value[MC_FIGURE_LARGEST_SPACING_ERROR]);
        mc_recording_abandon(rec);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
    assert_true(most > 1.1 * least); // the values reach the runs
    mc_sweep_table_free(t);
}

static void threads_and_random_points(void **state)
{
    (void)state;
    static const char *const vary[] = {"follow.headway=0.3:0.9", "car1.v=18:23"};
    mc_sweep_request r = {.scenario = path_of("s.yaml"),
                          .vary = vary,
                          .vary_count = 2,
                          .random = 20,
                          .seed = 3,
                          .table = path_of("r1.csv"),
                          .threads = 1};
    done(&r, 0, 20);
    r.table = path_of("r8.csv");
    r.threads = 8;
    done(&r, 0, 20);
    same_bytes("r1.csv", "r8.csv");
    mc_error error;
    mc_sweep_table *t = mc_sweep_table_read(r.table, &error);
    assert_non_null(t);
    for (int k = 0; k < 20; k++)
        assert_true(t->rows[k].axis[0] >= 0.3 && t->rows[k].axis[0] < 0.9);
    mc_sweep_table_free(t);
}

static void runs_that_fail_have_a_row(void **state)
{
    (void)state;
    static const char *const vary[] = {"road.headway=0.2,0.8", "follow.headway=0.5,1"};
    mc_sweep_request r = {
        .scenario = path_of("s.yaml"), .vary = vary, .vary_count = 2, .table = path_of("fail.csv")};
    done(&r, 0, 4);
    mc_error error;
    mc_sweep_table *t = mc_sweep_table_read(r.table, &error);
    assert_non_null(t);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(isnan(t->rows[k].failed) != 0, k == 2);
        assert_int_equal(isnan(t->rows[k].value[MC_FIGURE_LARGEST_SPACING_ERROR]) != 0, k == 2);
    }
    assert_string_equal(t->rows[2].ended,
                        "failed: \"follow.headway=0.5\": headway must be in 0.8 "
                        ".. 60 s; the roadway commands 0.8 s, cars may keep more");
    mc_sweep_table_free(t);
    assert_int_equal(mc_sweep_draw(r.table, NULL, 0, path_of("fail.svg"), &error), MC_OK);
    char *svg = run_get(&folder, "fail.svg", NULL);
    assert_non_null(strstr(svg, "4 runs, 1 failed and left blank"));
    free(svg);
}

// ---- journals ----

static void a_cut_journal_is_gone_on_with(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("whole.csv"));
    done(&r, 0, 12);
    size_t size;
    char *text = run_get(&folder, "whole.csv", &size);
    char *journal = malloc(size + 100);
    const char *rest = strchr(text, '\n');
    const size_t length = (size_t)sprintf(journal, "# motorcade sweep: journal%s", rest);
    const char *head_end = strstr(strstr(journal, "\nrun,") + 1, "\n") + 1;
    r.table = path_of("cut.csv");
    // Cut at every 97th byte, from the first of the head to the last of the rows.
    for (size_t at = 0; at <= length; at += 97) {
        run_put_bytes(&folder, "cut.csv", journal, at);
        int rows = 0;
        for (const char *c = head_end; c < journal + at; c++)
            rows += *c == '\n';
        done(&r, rows, 12 - rows);
        same_bytes("cut.csv", "whole.csv");
    }
    // What a loss of power may leave: zeros behind the rows.
    memset(journal + length - 200, 0, 200);
    run_put_bytes(&folder, "cut.csv", journal, length);
    done(&r, 11, 1);
    same_bytes("cut.csv", "whole.csv");
    r.table = path_of("whole.csv");
    done(&r, 12, 0); // complete
    free(journal);
    free(text);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("good.csv"));
    mc_error error = {0};
    done(&r, 0, 12);
    size_t size;
    char *text = run_get(&folder, "good.csv", &size);
    char *third = strstr(text, "\n2,") + 1;
    // a row in the middle is not one
    third[4] = 'x';
    memcpy(text, "# motorcade sweep: table", 24);
    run_put_bytes(&folder, "bad.csv", text, size);
    r.table = path_of("bad.csv");
    assert_null(mc_sweep_open(&r, &error));
    assert_int_equal(error.code, MC_BAD_INPUT);
    assert_int_equal(error.line, 12);
    assert_string_equal(error.text, "this is no row of the sweep; remove the line to have its run "
                                    "done again");
    // the same without the line: a table that is not whole
    char *fourth = strchr(third, '\n') + 1;
    memmove(third, fourth, size - (size_t)(fourth - text));
    run_put_bytes(&folder, "bad.csv", text, size - (size_t)(fourth - third));
    refused(&r, "the table was changed: 11 of 12 runs are in it; call it a journal in its first "
                "line to have the others done again");
    free(text);
    run_put(&folder, "bad.csv", "a,b\n1,2\n");
    refused(&r, "is not the table of a sweep; name another file, or remove it");
    // the head was changed by hand
    text = run_get(&folder, "good.csv", &size);
    strstr(text, "# runs: 12")[9] = '9';
    run_put_bytes(&folder, "bad.csv", text, size);
    refused(&r, "the head of this sweep is not understood; it was changed or cut");
    free(text);
}

// Any bytes changed: read, or refused with a reason; never anything else.
static void random_damage(void **state)
{
    (void)state;
    const mc_sweep_request r = request_of(path_of("sound.csv"));
    done(&r, 0, 12);
    size_t size;
    char *text = run_get(&folder, "sound.csv", &size), *hurt = malloc(size);
    unsigned long long seed = 12345;
    int read = 0, bad = 0;
    for (int k = 0; k < 500; k++) {
        memcpy(hurt, text, size);
        for (int i = 0; i <= k % 4; i++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            hurt[(seed >> 33) % (k % 2 ? size : 400)] = "0,\n\"#[:x\0-"[(seed >> 20) % 10];
        }
        run_put_bytes(&folder, "hurt.csv", hurt, k % 5 ? size : (seed >> 30) % size);
        char path[128];
        snprintf(path, sizeof path, "%s/hurt.csv", folder.path);
        mc_error error = {0};
        mc_sweep_table *t = mc_sweep_table_read(path, &error);
        read += t != NULL;
        bad += t == NULL;
        if (!t)
            assert_true(error.code == MC_BAD_INPUT && error.text[0]);
        mc_sweep_table_free(t);
    }
    if (read < 1 || bad < 200)
        fail_msg("%d read, %d refused", read, bad);
    free(text);
    free(hurt);
}

static void another_sweep_is_refused(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("mine.csv"));
    done(&r, 0, 12);
    static const char *const other[] = {"follow.headway=0.3:0.9:0.3", "car1.v=18,20,23"};
    r.vary = other;
    refused(&r, "belongs to another sweep: \"axis: follow.headway [s] = 0.3:0.9:0.2\" there, "
                "\"axis: follow.headway [s] = 0.3:0.9:0.3\" now; name another table, or remove "
                "this one");
    r.vary = two_axes;
    static const char *const set[] = {"time.end=3"};
    r.set = set, r.set_count = 1;
    refused(&r, "belongs to another sweep: \"axis: follow.headway [s] = 0.3:0.9:0.2\" there, "
                "\"set: time.end=3\" now; name another table, or remove this one");
    r.set_count = 0;
    run_put(&folder, "t.yaml", scenario_text);
    r.scenario = path_of("t.yaml");
    done(&r, 12, 0); // the text counts, not the name of its file
    char *text = strdup(scenario_text);
    strstr(text, "20], [1")[0] = '3';
    run_put(&folder, "t.yaml", text);
    free(text);
    refused(&r, "the scenario, or a file it names, has changed since this sweep was begun; name "
                "another table, or remove this one");
}

// Cars of a car file and commands of a driver are part of the scenario.
static void other_files_count_too(void **state)
{
    (void)state;
    static const char scenario[] = "motorcade: scenario\n"
                                   "time: {end: 0.5, step: 0.05, record: 0.1}\n"
                                   "models:\n"
                                   "  soft: {kind: cosserat, file: model.dat, tyre: brush}\n"
                                   "vehicles:\n"
                                   "  - {model: soft, name: car, driver: drive.csv, x: 0, v: 10}\n";
    static const char *const vary[] = {"soft.MASS=1000,1100"};
    mc_sweep_request r = {.scenario = path_of("named.yaml"),
                          .vary = vary,
                          .vary_count = 1,
                          .table = path_of("named.csv")};
    run_put(&folder, "named.yaml", scenario);
    run_put(&folder, "drive.csv", "t,throttle,brake,steer\n0,0,0.1,0\n");
    run_copy(&folder, "model.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
    done(&r, 0, 2);
    done(&r, 2, 0);
    const char *const message = "the scenario, or a file it names, has changed since this sweep "
                                "was begun; name another table, or remove this one";
    run_put(&folder, "drive.csv", "t,throttle,brake,steer\n0,0,0.2,0\n");
    refused(&r, message);
    run_put(&folder, "drive.csv", "t,throttle,brake,steer\n0,0,0.1,0\n");
    done(&r, 2, 0);
    char *text = run_get(&folder, "model.dat", NULL), *mass = strstr(text, "MASS");
    assert_non_null(mass);
    mass += strcspn(mass, "123456789");
    *mass = *mass == '1' ? '2' : '1';
    run_put(&folder, "model.dat", text);
    free(text);
    refused(&r, message);
}

static void one_process_at_a_time(void **state)
{
    (void)state;
    const mc_sweep_request r = request_of(path_of("lock.csv"));
    mc_error error;
    mc_sweep *first = mc_sweep_open(&r, &error);
    assert_non_null(first);
    refused(&r, "another process works on this sweep; wait for its end, or split the work by "
                "--shard");
    mc_sweep_close(first);
    done(&r, 0, 12);
}

typedef struct stopper {
    int after, seen;
} stopper;

static bool stop_now(void *context)
{
    const stopper *s = context;
    return s->seen >= s->after;
}

static void count_runs(void *context, const mc_sweep_counts *counts)
{
    ((stopper *)context)->seen = counts->done;
}

static void a_stop_leaves_a_journal(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("plain.csv"));
    done(&r, 0, 12);
    r.table = path_of("stop.csv");
    r.threads = 1;
    mc_error error;
    mc_sweep *sweep = mc_sweep_open(&r, &error);
    assert_non_null(sweep);
    stopper s = {.after = 5};
    assert_int_equal(mc_sweep_play(sweep, &(mc_sweep_watch){&s, stop_now, count_runs}, &error),
                     MC_INTERRUPTED);
    char expected[300];
    snprintf(expected, sizeof expected,
             "stopped: 5 of 12 runs are in %s; the same command goes on with the others", r.table);
    assert_string_equal(error.text, expected);
    mc_sweep_close(sweep);
    done(&r, 5, 7);
    same_bytes("stop.csv", "plain.csv");
}

// ---- shards ----

static void shards_join_to_the_whole(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("all.csv"));
    mc_error error;
    done(&r, 0, 12);
    const char *files[5];
    static char names[5][128];
    for (int k = 0; k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "shard%d.csv", k + 1);
        snprintf(names[k], sizeof names[k], "%s", path_of(name));
        files[k] = names[k];
        r.table = files[k];
        r.shard = k + 1, r.shard_count = 5;
        done(&r, 0, k < 2 ? 3 : 2);
    }
    // One shard is not there yet: the result is a journal, which knows what is missing.
    mc_sweep_merged m;
    assert_int_equal(mc_sweep_merge(files, 4, path_of("join.csv"), &m, &error), MC_OK);
    assert_int_equal(m.missing, 2);
    assert_string_equal(m.missing_list, "4, 9");
    assert_int_equal(m.twice, 0);
    assert_int_equal(mc_sweep_merge(files, 5, path_of("join.csv"), &m, &error), MC_OK);
    assert_int_equal(m.missing, 0);
    same_bytes("join.csv", "all.csv");
    // The other way: the sweep itself completes it.
    assert_int_equal(mc_sweep_merge(files, 4, path_of("rest.csv"), &m, &error), MC_OK);
    r = request_of(path_of("rest.csv"));
    done(&r, 10, 2);
    same_bytes("rest.csv", "all.csv");
    // Twice the same is told, twice with another row refused.
    files[1] = files[0];
    assert_int_equal(mc_sweep_merge(files, 2, path_of("twice.csv"), &m, &error), MC_OK);
    assert_int_equal(m.twice, 3);
    assert_string_equal(m.twice_list, "0, 5, 10");
    assert_string_equal(m.missing_list, "1-4, 6-9, 11");
    size_t size;
    char *text = run_get(&folder, "shard1.csv", &size);
    *strrchr(text, '\n') = '\0';
    strrchr(text, ',')[1] = '7';
    text[size - 1] = '\n';
    run_put_bytes(&folder, "wrong.csv", text, size);
    files[1] = path_of("wrong.csv");
    assert_int_equal(mc_sweep_merge(files, 2, path_of("never.csv"), &m, &error), MC_BAD_INPUT);
    snprintf(names[4], sizeof names[4],
             "run 10 has another row than in %s; one of the two files is wrong", files[0]);
    assert_string_equal(error.text, names[4]);
    assert_false(run_exists(&folder, "never.csv"));
    free(text);
}

static void shards_that_are_refused(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("no.csv"));
    r.shard = 1, r.shard_count = 13;
    refused(&r, "13 shards, but only 12 runs");
    r.shard = 3, r.shard_count = 2;
    refused(&r, "shard 3 of 2; allowed are 1 .. 2");
    assert_false(run_exists(&folder, "no.csv"));
    r.shard = 2, r.shard_count = 2;
    done(&r, 0, 6);
    r.shard = 1;
    refused(&r, "belongs to another sweep: \"shard: 2/2\" there, \"shard: 1/2\" now; name another "
                "table, or remove this one");
}

// ---- what concerns every run ----

static void refused_before_the_first_run(void **state)
{
    (void)state;
    static const struct {
        const char *vary[2];
        const char *message;
    } cases[] = {
        {{"masss=1:2:1"}, "no model and no controller has a number \"masss\"; did you mean mass"},
        {{"follow.masss=1:2:1"}, "\"follow\" has no number \"masss\""},
        {{"mass=1000:200000:1000"}, "\"mass=200000\": mass must be in 100 .. 100000 kg"},
        {{"mass=1,1000"}, "\"mass=1\": mass must be in 100 .. 100000 kg"},
        {{"mass=1000,2000", "mass=3000"}, "\"mass\" is varied twice"},
        {{"seed=1:2:0.5"}, "\"seed=1.5\": seed must be a whole number"},
        {{"mass=1000:2000:1", "car1.v=0:10:0.01"},
         "1002001 runs; a sweep has at most 1000000: take wider steps, or draw points by --random"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_sweep_request r = request_of(path_of("none.csv"));
        r.vary = cases[k].vary;
        r.vary_count = cases[k].vary[1] ? 2 : 1;
        refused(&r, cases[k].message);
        assert_false(run_exists(&folder, "none.csv"));
    }
    mc_sweep_request r = request_of(path_of("none.csv"));
    r.vary_count = 0;
    refused(&r, "nothing to vary; for example --vary mass=1200:2400:50");
    static const char *const set[] = {"car1.v=3"};
    r = request_of(path_of("none.csv"));
    r.set = set, r.set_count = 1;
    refused(&r, "\"car1.v\" is both set and varied");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_counted_in_decimals),
        cmocka_unit_test(axes_that_are_refused),
        cmocka_unit_test(numbers_are_as_short_as_they_can_be),
        cmocka_unit_test(the_last_axis_changes_fastest),
        cmocka_unit_test(draws_are_uniform_and_keyed),
        cmocka_unit_test(figures_are_those_of_single_runs),
        cmocka_unit_test(threads_and_random_points),
        cmocka_unit_test(runs_that_fail_have_a_row),
        cmocka_unit_test(a_cut_journal_is_gone_on_with),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(random_damage),
        cmocka_unit_test(another_sweep_is_refused),
        cmocka_unit_test(other_files_count_too),
        cmocka_unit_test(one_process_at_a_time),
        cmocka_unit_test(a_stop_leaves_a_journal),
        cmocka_unit_test(shards_join_to_the_whole),
        cmocka_unit_test(shards_that_are_refused),
        cmocka_unit_test(refused_before_the_first_run),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
