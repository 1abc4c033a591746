// test_plain.c - the library in a program whose locale writes the decimal comma.
//
// The locale is made for the test (localedef, of Debian's packages libc-bin and locales), so that
// the system need not have one.
#include "base/text.h"
#include "control/wave.h"
#include "io/yaml_tree.h"
#include "motorcade/dynavis.h"
#include "motorcade/record.h"
#include "motorcade/replay.h"
#include "motorcade/report.h"
#include "motorcade/run.h"
#include "motorcade/scenario.h"
#include "support/run.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static run_folder folder;

static const char *path_of(const char *name)
{
    static char path[4][128];
    static int turn;
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder.path, name);
    return out;
}

static const char text[] =
    "motorcade: scenario\nname: comma\ntime: {end: 2.5, step: 0.05, record: 0.25}\n"
    "road: {lanes: 2, lane_width: 3.5, headway: 0.5, distance: 2.25}\n"
    "models: {dot: {kind: point, lag: 0.25}}\n"
    "controllers: {follow: {law: acc, headway: 0.75}}\n"
    "profiles: {stop: {table: [[0, 20.5], [1.5, 20.5], [2.25, 12.75]]}}\n"
    "platoons: [{leader: {model: dot, profile: stop}, cars: [{model: dot, controller: follow}]}]\n"
    "events: [{at: 0.5, until: 1.5, vehicle: car1, push: 0.5, shape: sine 1.25 Hz}]\n"
    "set: [follow.headway=0.85]\n"
    "expect: [collisions == 0]\n";

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    char call[300];
    snprintf(call, sizeof call, "localedef -i de_DE -f UTF-8 %s >/dev/null 2>&1", path_of("comma"));
    const bool made = system(call) == 0;
    setenv("LOCPATH", folder.path, 1);
    if (!made || !setlocale(LC_ALL, "comma")) {
        print_message("no decimal comma here: localedef and the package locales are needed\n");
        run_folder_remove(&folder);
        exit(getenv("CI") ? 1 : 0);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    run_folder_remove(&folder);
    return 0;
}

static mc_scenario *parse(const char *of)
{
    mc_error error;
    mc_scenario *s = mc_scenario_parse(of, strlen(of), NULL, &error);
    if (!s)
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    return s;
}

// All files of a run, read back; the hash of its last state.
static unsigned long long play(const char *name)
{
    mc_error error;
    mc_scenario *s = parse(text);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    assert_non_null(run);
    char hdf5[64], rows[64], data[64];
    snprintf(hdf5, sizeof hdf5, "%s.h5", name);
    snprintf(rows, sizeof rows, "%s.rows", name);
    snprintf(data, sizeof data, "%s.dat", name);
    const mc_record_output output = {
        .hdf5 = path_of(hdf5), .csv = path_of(rows), .dynavis = path_of(data)};
    mc_recording *rec = mc_recording_open(run, &output, &error);
    if (!rec)
        fail_msg("%s", error.text);
    if (mc_recording_play(rec, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    const unsigned long long hash = mc_run_hash(run);
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return hash;
}

static void assert_same_text(const char *a, const char *b)
{
    char *x = run_get(&folder, a, NULL), *y = run_get(&folder, b, NULL);
    assert_true(strlen(x) > 50);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static char *report_of(const char *name)
{
    char *page;
    mc_error error;
    if (mc_report_text(path_of(name), &page, NULL, &error) != MC_OK)
        fail_msg("%s", error.text);
    return page;
}

static void the_same_files(void **state)
{
    (void)state;
    char number[32];
    snprintf(number, sizeof number, "%.2f", 1.5);
    assert_string_equal(number, "1,50"); // of the host program, as it should be
    const unsigned long long hash = play("comma1");
    char *page = report_of("comma1.h5");
    setlocale(LC_ALL, "C");
    assert_true(play("plain") == hash);
    char *plain = report_of("comma1.h5");
    setlocale(LC_ALL, "comma");
    assert_string_equal(page, plain);
    free(page);
    free(plain);
    assert_same_text("comma1.rows/leader.csv", "plain.rows/leader.csv");
    assert_same_text("comma1.dat", "plain.dat");
    assert_same_text("comma1.par", "plain.par");
    assert_string_equal(localeconv()->decimal_point, ","); // left as it was
}

static void recordings_are_read(void **state)
{
    (void)state;
    play("comma2");
    static const char *const names[] = {"comma2.h5", "comma2.rows", "comma2.dat"};
    for (int k = 0; k < 3; k++) {
        mc_error error;
        mc_replay *r = mc_replay_load(path_of(names[k]), NULL, &error);
        if (!r)
            fail_msg("%s: %s", names[k], error.text);
        const int last = mc_replay_info_of(r)->row_count - 1;
        assert_true(fabs(mc_replay_time(r, last) - 2.5) < 1e-9);
        assert_true(fabs(mc_replay_row(r, 1, MC_FIELD_V)[0] - 20.5) < 0.01);
        mc_replay_free(r);
    }
}

static void words_with_numbers(void **state)
{
    (void)state;
    mc_error error = {0};
    wave w;
    double value;
    assert_int_equal(wave_parse("sine 1.25 Hz", &w, &error), MC_OK);
    assert_true(text_to_double("2.5", &value) && value == 2.5);
    mc_scenario *s = parse(text);
    mc_scenario *edited =
        mc_scenario_edit(s, "{grades: [{from: 500.5, to: 900.25, grade: 4.5 %}]}", &error);
    assert_non_null(edited);
    mc_scenario_free(parse(mc_scenario_text(edited))); // what it writes can be read
    mc_scenario_free(edited);
    assert_int_equal(mc_scenario_set(s, "time.end=3.5", &error), MC_OK);
    assert_true(mc_scenario_info_of(s)->end == 3.5);
    assert_int_equal(mc_scenario_set(s, "follow.headway=99.5", &error), MC_BAD_INPUT);
    assert_non_null(strstr(error.text, "0.5 .. 60 s"));
    mc_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_files),
        cmocka_unit_test(recordings_are_read),
        cmocka_unit_test(words_with_numbers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
