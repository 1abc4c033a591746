// test_sweep.c - axes, draws, journals, shards and tables of sweeps.
#include "motorcade/record.h"
#include "motorcade/sweep.h"
#include "support/run.h"
#include "sweep/axis.h"
#include "sweep/file.h"

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

static void rejected(const mc_sweep_request *r, const char *message)
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

static void axes_that_are_rejected(void **state)
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
        {"m=1:2", "\"m=1:2\": a range needs a step, FROM:TO:STEP, except with --random"},
        {"m=1:2:3:4", "\"m=1:2:3:4\": found 4 numbers between colons, expected FROM:TO:STEP"},
        {"m=1:x:1", "\"m=1:x:1\": \"x\" is not a number"},
        {"m=1,nan", "\"m=1,nan\": \"nan\" is not a number"},
        {"m=1,,2", "\"m=1,,2\": a number is missing; expected FROM:TO:STEP or A,B,C"},
        {"m=1:2:", "\"m=1:2:\": a number is missing; expected FROM:TO:STEP or A,B,C"},
        {"m=1:2,3", "\"m=1:2,3\": found colons and commas; expected FROM:TO:STEP or A,B,C"},
        {"m=1:2:0", "\"m=1:2:0\": the step is 0; it must be above 0"},
        {"m=1:2:-0.5", "\"m=1:2:-0.5\": the step is -0.5; it must be above 0"},
        {"m=2:1:0.5", "\"m=2:1:0.5\": the range ends at 1, below its start 2; write the lower end "
                      "first"},
        {"m=0:50:2400", "\"m=0:50:2400\": expected FROM:TO:STEP; did you mean 0:2400:50?"},
        {"m=0:1:0.3", "\"m=0:1:0.3\": steps of 0.3 from 0 lead to 0.9 and 1.2, not to the end"},
        {"m=0:1:1e-30",
         "\"m=0:1:1e-30\": numbers of a range have too many digits; expected at most 17"},
        {"m=0.123456789012345678:1:1", "\"m=0.123456789012345678:1:1\": numbers of a range have "
                                       "too many digits; expected at most 17"},
        {"m=0:1000000:1", "\"m=0:1000000:1\": 1000001 values; a sweep has at most 1000000 runs"},
        {"m=1,2,1.0", "\"m=1,2,1.0\": 1 stands twice"},
        {"m=1 kg,2 kg", "\"m=1 kg,2 kg\": no blanks between the numbers; the unit is given once, "
                        "at the end: mass=1200:2400:50 kg"},
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
    mc_sweep_table *t = mc_sweep_table_load(r.table, &error);
    assert_non_null(t);
    assert_true(t->complete && t->row_count == 12 && t->axis_count == 2);
    double min = INFINITY, max = 0.0;
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
        min = fmin(min, t->rows[k].value[MC_FIGURE_LARGEST_SPACING_ERROR]);
        max = fmax(max, t->rows[k].value[MC_FIGURE_LARGEST_SPACING_ERROR]);
        mc_recording_abandon(rec);
        mc_run_destroy(run);
        mc_scenario_free(s);
    }
    assert_true(max > 1.1 * min); // the values reach the runs
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
    mc_sweep_table *t = mc_sweep_table_load(r.table, &error);
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
    mc_sweep_table *t = mc_sweep_table_load(r.table, &error);
    assert_non_null(t);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(isnan(t->rows[k].failed) != 0, k == 2);
        assert_int_equal(isnan(t->rows[k].value[MC_FIGURE_LARGEST_SPACING_ERROR]) != 0, k == 2);
    }
    assert_string_equal(t->rows[2].ended, "failed: \"follow.headway=0.5\": headway must be in 0.8 "
                                          ".. 60 s; the roadway commands at least 0.8 s");
    mc_sweep_table_free(t);
    assert_int_equal(mc_sweep_draw(r.table, NULL, 0, path_of("fail.svg"), &error), MC_OK);
    char *svg = run_get(&folder, "fail.svg", NULL);
    assert_non_null(strstr(svg, "4 runs, 1 failed and left blank"));
    free(svg);
}

// ---- journals ----

static void a_cut_journal_is_resumed(void **state)
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

static void damaged_files_are_rejected(void **state)
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
    assert_string_equal(error.text,
                        "this is not a row of the sweep, or it was changed: its checksum does not "
                        "match; remove the line to repeat its run");
    // the same without the line: a table that is not whole
    char *fourth = strchr(third, '\n') + 1;
    memmove(third, fourth, size - (size_t)(fourth - text));
    run_put_bytes(&folder, "bad.csv", text, size - (size_t)(fourth - third));
    rejected(&r, "the table was changed: it has 11 of 12 runs; call it a journal in its first line "
                 "to repeat the others");
    free(text);
    run_put(&folder, "bad.csv", "a,b\n1,2\n");
    rejected(&r, "is not the table of a sweep; choose another file, or remove it");
    // the head was changed by hand
    text = run_get(&folder, "good.csv", &size);
    strstr(text, "# runs: 12")[9] = '9';
    run_put_bytes(&folder, "bad.csv", text, size);
    rejected(&r, "the head of this sweep is not valid; it was changed or truncated");
    free(text);
}

// Any bytes changed: read, or rejected with a reason; never anything else.
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
        mc_sweep_table *t = mc_sweep_table_load(path, &error);
        read += t != NULL;
        bad += t == NULL;
        if (!t)
            assert_true(error.code == MC_BAD_INPUT && error.text[0]);
        mc_sweep_table_free(t);
    }
    if (read < 1 || bad < 200)
        fail_msg("%d read, %d rejected", read, bad);
    free(text);
    free(hurt);
}

// A letter changed anywhere is seen, also one that leaves a number a number.
static void one_changed_letter(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("letters.csv"));
    done(&r, 0, 12);
    size_t size;
    char *text = run_get(&folder, "letters.csv", &size);
    char path[128];
    snprintf(path, sizeof path, "%s/changed.csv", folder.path);
    int count = 0;
    for (size_t at = (size_t)(strstr(text, "\n0,") + 1 - text); at < size; at += 5) {
        const char was = text[at];
        text[at] = was == '7' ? '3' : '7';
        run_put_bytes(&folder, "changed.csv", text, size);
        text[at] = was;
        mc_error error = {0};
        mc_sweep_table *t = mc_sweep_table_load(path, &error);
        if (t)
            fail_msg("byte %zu of %zu was changed, and the table is taken", at, size);
        assert_int_equal(error.code, MC_BAD_INPUT);
        count++;
    }
    assert_true(count > 300);
    free(text);
}

static void another_sweep_is_rejected(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("mine.csv"));
    done(&r, 0, 12);
    static const char *const other[] = {"follow.headway=0.3:0.9:0.3", "car1.v=18,20,23"};
    r.vary = other;
    rejected(&r,
             "belongs to another sweep: \"axis: follow.headway [s] = 0.3:0.9:0.2\" there, \"axis: "
             "follow.headway [s] = 0.3:0.9:0.3\" now; choose another table, or remove this one");
    r.vary = two_axes;
    static const char *const set[] = {"time.end=3"};
    r.set = set, r.set_count = 1;
    rejected(&r, "belongs to another sweep: \"axis: follow.headway [s] = 0.3:0.9:0.2\" there, "
                 "\"set: time.end=3\" now; choose another table, or remove this one");
    r.set_count = 0;
    run_put(&folder, "t.yaml", scenario_text);
    r.scenario = path_of("t.yaml");
    done(&r, 12, 0); // the text counts, not the name of its file
    char *text = strdup(scenario_text);
    strstr(text, "20], [1")[0] = '3';
    run_put(&folder, "t.yaml", text);
    free(text);
    rejected(&r, "the scenario, or a file it names, has changed since this sweep was started; "
                 "choose another table, or remove this one");
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
                                "was started; choose another table, or remove this one";
    run_put(&folder, "drive.csv", "t,throttle,brake,steer\n0,0,0.2,0\n");
    rejected(&r, message);
    run_put(&folder, "drive.csv", "t,throttle,brake,steer\n0,0,0.1,0\n");
    done(&r, 2, 0);
    char *text = run_get(&folder, "model.dat", NULL), *mass = strstr(text, "MASS");
    assert_non_null(mass);
    mass += strcspn(mass, "123456789");
    *mass = *mass == '1' ? '2' : '1';
    run_put(&folder, "model.dat", text);
    free(text);
    rejected(&r, message);
}

// The files are read when the sweep is opened: its runs are all of the same vehicles.
static void files_are_read_once(void **state)
{
    (void)state;
    static const char scenario[] =
        "motorcade: scenario\n"
        "time: {end: 0.5, step: 0.05, record: 0.1}\n"
        "models: {soft: {kind: cosserat, file: once.dat, tyre: brush}}\n"
        "vehicles:\n"
        "  - {model: soft, name: car, driver: once_t.csv, x: 0, v: 10}\n";
    static const char *const vary[] = {"soft.MASS=1000,1100"};
    mc_sweep_request r = {.scenario = path_of("once.yaml"),
                          .vary = vary,
                          .vary_count = 1,
                          .table = path_of("once.csv")};
    mc_error error;
    run_put(&folder, "once.yaml", scenario);
    run_put(&folder, "once_t.csv", "t,throttle,brake,steer\n0,0,0.1,0\n");
    run_copy(&folder, "once.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
    mc_sweep *sweep = mc_sweep_open(&r, &error);
    assert_non_null(sweep);
    run_put(&folder, "once_t.csv", "t,throttle,brake,steer\n0,0,0.9,0\n");
    run_put(&folder, "once.dat", "no model\n");
    assert_int_equal(mc_sweep_play(sweep, NULL, &error), MC_OK);
    mc_sweep_close(sweep);
    run_put(&folder, "once_t.csv", "t,throttle,brake,steer\n0,0,0.1,0\n");
    run_copy(&folder, "once.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
    r.table = path_of("again.csv");
    done(&r, 0, 2);
    same_bytes("once.csv", "again.csv");
}

static void one_process_at_a_time(void **state)
{
    (void)state;
    const mc_sweep_request r = request_of(path_of("lock.csv"));
    mc_error error;
    mc_sweep *first = mc_sweep_open(&r, &error);
    assert_non_null(first);
    rejected(&r, "another process is running this sweep; wait for it to finish, or split the work "
                 "with --shard");
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

static void count_runs(void *context, double runs)
{
    ((stopper *)context)->seen = (int)runs;
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
    assert_int_equal(mc_sweep_play(sweep, &(mc_watch){&s, stop_now, count_runs}, &error),
                     MC_INTERRUPTED);
    char expected[300];
    snprintf(expected, sizeof expected,
             "stopped: 5 of 12 runs are in %s; the same command continues with the others",
             r.table);
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
    // One shard is missing: the result is a journal, which records what is missing.
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
    // The same row twice is reported, twice with different rows is rejected.
    files[1] = files[0];
    assert_int_equal(mc_sweep_merge(files, 2, path_of("twice.csv"), &m, &error), MC_OK);
    assert_int_equal(m.twice, 3);
    assert_string_equal(m.twice_list, "0, 5, 10");
    assert_string_equal(m.missing_list, "1-4, 6-9, 11");
    size_t size;
    char *text = run_get(&folder, "shard1.csv", &size);
    text[size - 1] = '\0'; // another value in the last row, with the right check
    char *row = strrchr(text, '\n') + 1, *check = strrchr(text, ',');
    check[-1] = check[-1] == '7' ? '3' : '7';
    sprintf(check + 1, "%08x", sweep_row_check(row, (int)(check - row)));
    text[size - 1] = '\n';
    run_put_bytes(&folder, "wrong.csv", text, size);
    files[1] = path_of("wrong.csv");
    assert_int_equal(mc_sweep_merge(files, 2, path_of("never.csv"), &m, &error), MC_BAD_INPUT);
    snprintf(names[4], sizeof names[4],
             "run 10 differs from that in %s; one of the two files is wrong", files[0]);
    assert_string_equal(error.text, names[4]);
    assert_false(run_exists(&folder, "never.csv"));
    free(text);
}

static void shards_that_are_rejected(void **state)
{
    (void)state;
    mc_sweep_request r = request_of(path_of("no.csv"));
    r.shard = 1, r.shard_count = 13;
    rejected(&r, "13 shards, but only 12 runs");
    r.shard = 3, r.shard_count = 2;
    rejected(&r, "shard 3 of 2; expected 1 .. 2");
    assert_false(run_exists(&folder, "no.csv"));
    r.shard = 2, r.shard_count = 2;
    done(&r, 0, 6);
    r.shard = 1;
    rejected(&r, "belongs to another sweep: \"shard: 2/2\" there, \"shard: 1/2\" now; choose "
                 "another table, or remove this one");
}

// ---- what concerns every run ----

static void rejected_before_the_first_run(void **state)
{
    (void)state;
    static const struct {
        const char *vary[2];
        const char *message;
    } cases[] = {
        {{"masss=1:2:1"}, "no model or controller has a parameter \"masss\"; did you mean mass"},
        {{"follow.masss=1:2:1"}, "\"follow\" has no parameter \"masss\""},
        {{"mass=1000:200000:1000"}, "\"mass=200000\": mass must be in 100 .. 100000 kg"},
        {{"mass=1,1000"}, "\"mass=1\": mass must be in 100 .. 100000 kg"},
        {{"mass=1000,2000", "mass=3000"}, "\"mass\" is varied twice"},
        {{"seed=1:2:0.5"}, "\"seed=1.5\": seed must be a whole number"},
        {{"mass=1000:2000:1", "car1.v=0:10:0.01"},
         "1002001 runs; a sweep has at most 1000000: use larger steps, or random points with "
         "--random"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_sweep_request r = request_of(path_of("none.csv"));
        r.vary = cases[k].vary;
        r.vary_count = cases[k].vary[1] ? 2 : 1;
        rejected(&r, cases[k].message);
        assert_false(run_exists(&folder, "none.csv"));
    }
    mc_sweep_request r = request_of(path_of("none.csv"));
    r.vary_count = 0;
    rejected(&r, "nothing to vary; for example --vary mass=1200:2400:50");
    static const char *const set[] = {"car1.v=3"};
    r = request_of(path_of("none.csv"));
    r.set = set, r.set_count = 1;
    rejected(&r, "\"car1.v\" is both set and varied");
}

// ---- distributions ----

static mc_sweep_table *drawn(const char *name, const char *const *vary, int vary_count,
                             const char *correlation, int points)
{
    mc_error error = {0};
    const char *const correlate[] = {correlation};
    mc_sweep *sweep = mc_sweep_open(&(mc_sweep_request){.scenario = path_of("s.yaml"),
                                                        .table = path_of(name),
                                                        .vary = vary,
                                                        .vary_count = vary_count,
                                                        .random = points,
                                                        .seed = 3,
                                                        .correlate = correlate,
                                                        .correlate_count = correlation != NULL},
                                    &error);
    if (!sweep || mc_sweep_play(sweep, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    mc_sweep_close(sweep);
    mc_sweep_table *t = mc_sweep_table_load(path_of(name), &error);
    if (!t)
        fail_msg("%s", error.text);
    assert_int_equal(t->row_count, points);
    return t;
}

static double mean_of(const mc_sweep_table *t, int a, int b)
{
    double sum = 0.0;
    for (int k = 0; k < t->row_count; k++)
        sum += t->rows[k].axis[a] * (b < 0 ? 1.0 : t->rows[k].axis[b]);
    return sum / t->row_count;
}

static double correlation_of(const mc_sweep_table *t, int a, int b)
{
    const double x = mean_of(t, a, -1), y = mean_of(t, b, -1);
    return (mean_of(t, a, b) - x * y) /
           sqrt((mean_of(t, a, a) - x * x) * (mean_of(t, b, b) - y * y));
}

// Means, deviations and correlations of 1,000 points within what chance allows (4 sigma); an axis
// keeps its distribution when it is correlated.
static void distributions(void **unused)
{
    (void)unused;
    const char *const vary[] = {"follow.headway=normal:0.8:0.05", "road.speed=uniform:20:30",
                                "follow.range_noise=0.1,0.2,0.4"};
    mc_sweep_table *t = drawn("free.csv", vary, 3, NULL, 1000);
    assert_true(fabs(mean_of(t, 0, -1) - 0.8) < 4.0 * 0.05 / sqrt(1000.0));
    const double spread = sqrt(mean_of(t, 0, 0) - mean_of(t, 0, -1) * mean_of(t, 0, -1));
    assert_true(fabs(spread / 0.05 - 1.0) < 4.0 / sqrt(2000.0));
    assert_true(fabs(mean_of(t, 1, -1) - 25.0) < 4.0 * 10.0 / sqrt(12.0 * 1000.0));
    assert_true(fabs(correlation_of(t, 0, 1)) < 4.0 / sqrt(1000.0));
    mc_sweep_table_free(t);
    t = drawn("coupled.csv", vary, 3, "follow.headway,road.speed=0.8", 1000);
    // Of a normal and a uniform variable: r sqrt(3/pi).
    assert_true(fabs(correlation_of(t, 0, 1) - 0.8 * sqrt(3.0 / 3.14159265358979)) < 0.06);
    assert_true(fabs(correlation_of(t, 0, 2)) < 4.0 / sqrt(1000.0));
    int each[3] = {0};
    for (int k = 0; k < t->row_count; k++) {
        const double v = t->rows[k].axis[1], noise = t->rows[k].axis[2];
        assert_true(v >= 20.0 && v <= 30.0);
        each[noise == 0.1 ? 0 : noise == 0.2 ? 1 : 2]++;
    }
    for (int k = 0; k < 3; k++)
        assert_true(abs(each[k] - 333) < 60);
    mc_sweep_table_free(t);
}

static void percentiles(void **unused)
{
    (void)unused;
    mc_error error = {0};
    const char *const vary[] = {"follow.headway=normal:0.8:0.05"};
    mc_sweep_table *t = drawn("p.csv", vary, 1, NULL, 41);
    double value[41];
    for (int k = 0; k < 41; k++)
        value[k] = t->rows[k].value[MC_FIGURE_LARGEST_SPACING_ERROR];
    for (int a = 0; a < 41; a++) // sorted by hand
        for (int b = a + 1; b < 41; b++)
            if (value[b] < value[a]) {
                const double x = value[a];
                value[a] = value[b], value[b] = x;
            }
    const mc_figure_id id = MC_FIGURE_LARGEST_SPACING_ERROR;
    assert_true(mc_sweep_percentile(t, id, 0.5) == value[20]);
    assert_true(mc_sweep_percentile(t, id, 0.0) == value[0]);
    assert_true(mc_sweep_percentile(t, id, 1.0) == value[40]);
    assert_true(fabs(mc_sweep_percentile(t, id, 0.9125) - 0.5 * (value[36] + value[37])) < 1e-12);
    mc_sweep_table_free(t);
    assert_int_equal(mc_sweep_write_percentiles(path_of("p.csv"), path_of("q.csv"), &error), MC_OK);
    FILE *in = fopen(path_of("q.csv"), "r");
    char line[256];
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    assert_string_equal(line, "figure,unit,runs,p1,p5,p25,p50,p75,p95,p99\n");
    bool found = false;
    while (fgets(line, sizeof line, in))
        found = found || strncmp(line, "largest.spacing_error,m,41,", 27) == 0;
    fclose(in);
    assert_true(found);
}

static void bad_distributions(void **unused)
{
    (void)unused;
    static const struct {
        const char *vary[3];
        const char *correlate[3];
        int random;
        const char *says;
    } cases[] = {
        {{"follow.headway=normal:0.8:0.05"}, {NULL}, 0, "a distribution needs random points"},
        {{"follow.headway=normal:0.8"}, {NULL}, 5, "expected normal:MEAN:DEVIATION"},
        {{"follow.headway=normal:0.8:0"}, {NULL}, 5, "must be above 0"},
        {{"follow.headway=uniform:0.8"}, {NULL}, 5, "expected uniform:FROM:TO"},
        {{"follow.headway=normal:1:0.1", "road.speed=20:30"},
         {"road.speed=0.5"},
         5,
         "expected NAME,NAME=R"},
        {{"follow.headway=normal:1:0.1", "road.speed=20:30"},
         {"road.speed,x=0.5"},
         5,
         "names of two axes"},
        {{"follow.headway=normal:1:0.1", "road.speed=20:30"},
         {"road.speed,follow.headway=1.5"},
         5,
         "between -1 and 1"},
        {{"follow.headway=normal:1:0.1", "road.speed=20:30", "road.distance=2:4"},
         {"road.speed,follow.headway=0.9", "road.speed,road.distance=0.9",
          "follow.headway,road.distance=-0.9"},
         5,
         "contradict each other"},
        {{"follow.headway=0.8,0.9", "road.speed=20,30"},
         {"road.speed,follow.headway=0.5"},
         0,
         "correlations need random points"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mc_error error = {0};
        int vary = 0, correlate = 0;
        while (vary < 3 && cases[k].vary[vary])
            vary++;
        while (correlate < 3 && cases[k].correlate[correlate])
            correlate++;
        mc_sweep *sweep = mc_sweep_open(&(mc_sweep_request){.scenario = path_of("s.yaml"),
                                                            .table = path_of("bad.csv"),
                                                            .vary = cases[k].vary,
                                                            .vary_count = vary,
                                                            .random = cases[k].random,
                                                            .correlate = cases[k].correlate,
                                                            .correlate_count = correlate},
                                        &error);
        if (sweep || !strstr(error.text, cases[k].says))
            fail_msg("%s: %s", cases[k].says, sweep ? "accepted" : error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_counted_in_decimals),
        cmocka_unit_test(axes_that_are_rejected),
        cmocka_unit_test(numbers_are_as_short_as_they_can_be),
        cmocka_unit_test(the_last_axis_changes_fastest),
        cmocka_unit_test(draws_are_uniform_and_keyed),
        cmocka_unit_test(figures_are_those_of_single_runs),
        cmocka_unit_test(threads_and_random_points),
        cmocka_unit_test(runs_that_fail_have_a_row),
        cmocka_unit_test(a_cut_journal_is_resumed),
        cmocka_unit_test(damaged_files_are_rejected),
        cmocka_unit_test(random_damage),
        cmocka_unit_test(one_changed_letter),
        cmocka_unit_test(another_sweep_is_rejected),
        cmocka_unit_test(other_files_count_too),
        cmocka_unit_test(files_are_read_once),
        cmocka_unit_test(one_process_at_a_time),
        cmocka_unit_test(a_stop_leaves_a_journal),
        cmocka_unit_test(shards_join_to_the_whole),
        cmocka_unit_test(shards_that_are_rejected),
        cmocka_unit_test(rejected_before_the_first_run),
        cmocka_unit_test(distributions),
        cmocka_unit_test(percentiles),
        cmocka_unit_test(bad_distributions),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
