// test_run.c - `motorcade run`: exit codes, files and their columns, checkpoints, logs, interrupts,
// and that rejected input leaves no file behind.
#include "hdf5/results_read.h"
#include "motorcade/dynavis.h"
#include "motorcade/run.h"
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const platoon =
    "motorcade: scenario\n"
    "name: short\n"
    "time: {end: 4, step: 0.05, record: 0.1}\n"
    "road: {headway: 1, distance: 5}\n"
    "models: {town_car: powertrain, dot: point}\n"
    "controllers: {follow: {law: acc, sensor: {range_noise: 0.05}}}\n"
    "platoons:\n"
    "  - leader: {model: town_car, profile: moderate}\n"
    "    cars:\n"
    "      - {model: town_car, name: car, count: 2, controller: follow}\n"
    "      - {model: dot, name: point, controller: follow}\n"
    "expect: [\"collisions == 0\", \"%s\"]\n";

static int set_up(void **state)
{
    char text[1200];
    cli_set_up(state);
    snprintf(text, sizeof text, platoon, "car1.gap > 5 m");
    run_put(&folder, "s.yaml", text);
    snprintf(text, sizeof text, platoon, "car1.gap > 500 m");
    run_put(&folder, "fails.yaml", text);
    run_put(&folder, "broken.yaml", "motorcade: scenario\ntime: [\n");
    run_put(&folder, "torn.yaml",
            "motorcade: scenario\ntime: {end: 4}\nmodels: {dot: point}\n"
            "vehicles: [{model: dot, name: a, x: 0, v: 10}]\n"
            "events: [{at: 1, headway: 2}, {at: 2, vehicle: a, set: {headway: 1}}]\n");
    run_put(&folder, "log.csv",
            "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
            "20,set,car1,mass,2600,0,0,0,0\n"
            "30,drive,car2,,nan,0,0.3,0,0\n"
            "50,release,car2,,nan,0,0,0,0\n");
    run_put(&folder, "bad_log.csv",
            "step,event,vehicle,param,value,throttle,brake,steer,acceleration\n"
            "20,set,car1,mass,2600,0,0,0,0\n"
            "30,set,car7,mass,2600,0,0,0,0\n");
    return 0;
}

static void play(const char *arguments, int code)
{
    run_result r = cli_run(arguments);
    if (r.code != code)
        fail_msg("motorcade %s: exit code %d, expected %d: %s%s", arguments, r.code, code, r.out,
                 r.err);
    run_result_free(&r);
}

// ---- good runs ---------------------------------------------------------------------------------

static const char *const cars[] = {"leader", "car1", "car2", "point"};
static const char *const header = "t,x,y,psi,v,a,jerk,throttle,brake,steer,n,";

static void csv_files(void **unused)
{
    (void)unused;
    play("run s.yaml -q --csv csv", 0);
    for (int k = 0; k < 4; k++) {
        char name[64];
        size_t size;
        snprintf(name, sizeof name, "csv/%s.csv", cars[k]);
        char *text = run_get(&folder, name, &size);
        assert_memory_equal(text, header, strlen(header));
        int lines = 0, commas = 0, head_commas = 0;
        for (size_t i = 0; i < size; i++) {
            lines += text[i] == '\n';
            commas += text[i] == ',';
            head_commas += text[i] == ',' && lines == 0;
        }
        assert_int_equal(lines, 1 + 41); // every 0.1 s, both ends
        assert_int_equal(commas, 42 * head_commas);
        assert_true(text[size - 1] == '\n');
        double t, x, y, psi, v;
        const char *last = text + size - 2;
        while (last[-1] != '\n')
            last--;
        assert_int_equal(sscanf(last, "%lf,%lf,%lf,%lf,%lf", &t, &x, &y, &psi, &v), 5);
        assert_true(fabs(t - 4.0) < 1e-12 && v > 13.0 && v < 15.0 && y == 0.0);
        free(text);
    }
    char *listing = run_listing(&folder, false);
    int files = 0;
    for (const char *at = listing; (at = strstr(at, "csv/")) != NULL; at++)
        files++;
    assert_int_equal(files, 4);
    free(listing);
}

static double value_of(results_reader *r, int64_t row, int64_t vehicle, int64_t column)
{
    mc_error error;
    double value;
    const results_part part = {.row = row,
                               .row_count = 1,
                               .vehicle = vehicle,
                               .vehicle_count = 1,
                               .column = column,
                               .column_count = 1};
    assert_int_equal(results_read(r, results_reader_find(r, "motion"), &part, &value, &error),
                     MC_OK);
    return value;
}

// The results file holds the same numbers as the CSV files.
static void results_file(void **unused)
{
    (void)unused;
    mc_error error;
    char path[128];
    play("run s.yaml -q -o r.h5 --csv both", 0);
    snprintf(path, sizeof path, "%s/r.h5", folder.path);
    results_reader *r = results_reader_open(path, &error);
    assert_non_null(r);
    assert_true(results_reader_complete(r));
    const results_shape *motion = results_reader_table(r, results_reader_find(r, "motion"));
    assert_int_equal(motion->row_count, 41);
    assert_int_equal(motion->vehicle_count, 4);
    assert_string_equal(motion->columns[0], "x");
    assert_string_equal(motion->columns[3], "v");
    for (int k = 0; k < 4; k++) {
        char name[64];
        snprintf(name, sizeof name, "both/%s.csv", cars[k]);
        char *text = run_get(&folder, name, NULL), *line = strchr(text, '\n') + 1;
        for (int row = 0; row < 41; row++, line = strchr(line, '\n') + 1) {
            double t, x, y, psi, v;
            assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &t, &x, &y, &psi, &v), 5);
            assert_true(value_of(r, row, k, 0) == x && value_of(r, row, k, 3) == v);
        }
        free(text);
    }
    results_reader_free(r);
}

static void exit_codes(void **unused)
{
    (void)unused;
    play("run s.yaml -q", 0);
    run_result r = cli_run("run fails.yaml -q");
    assert_int_equal(r.code, 3);
    assert_non_null(strstr(r.out, "expect FAILS:  car1.gap > 500 m"));
    run_result_free(&r);
    play("run torn.yaml -q", 2); // a headway below the roadway's, found while it runs
    play("run s.yaml -q -o no/where.h5", 1);
    play("run broken.yaml -q", 2);
    play("run -h", 0);
}

static void quiet_and_not(void **unused)
{
    (void)unused;
    run_result r = cli_run("run s.yaml -q");
    assert_int_equal(r.code, 0);
    assert_int_equal(r.out_size + r.err_size, 0);
    run_result_free(&r);
    r = cli_run("run s.yaml");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "no collisions\nended at 4 s: end time reached\n"));
    assert_non_null(strstr(r.out, "expect holds:"));
    run_result_free(&r);
}

static void settings(void **unused)
{
    (void)unused;
    play("run s.yaml -q --set mass=2600 --set follow.k1=0.8 --end 2 --csv set", 0);
    play("run s.yaml -q --end 2 --csv unset", 0);
    size_t m, n;
    char *a = run_get(&folder, "set/car1.csv", &m), *b = run_get(&folder, "unset/car1.csv", &n);
    assert_true(m != n || memcmp(a, b, n) != 0);
    int lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += b[i] == '\n';
    assert_int_equal(lines, 1 + 21);
    free(a), free(b);
    // Another step, when every step is recorded.
    run_put(&folder, "every.yaml",
            "motorcade: scenario\ntime: {end: 1, step: 0.05}\nmodels: {dot: point}\n"
            "vehicles: [{model: dot, name: a, x: 0, v: 10}]\n");
    play("run every.yaml -q --set time.step=0.1 --csv every", 0);
    char *text = run_get(&folder, "every/a.csv", NULL);
    assert_non_null(strstr(text, "\n0.10000000000000001,"));
    free(text);
}

static void threads_give_the_same_bytes(void **unused)
{
    (void)unused;
    play("run s.yaml -q --threads 1 --csv one", 0);
    play("run s.yaml -q --threads 4 --csv four", 0);
    for (int k = 0; k < 4; k++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "one/%s.csv", cars[k]);
        snprintf(b, sizeof b, "four/%s.csv", cars[k]);
        cli_same_files(a, b);
    }
}

// ---- resuming ----------------------------------------------------------------------------------

// Rows of the uninterrupted run from t on, against those of the resumed one.
// Laws and a user-defined tyre as machine code, and not; without a compiler it says so and runs.
static void compiled_formulas_give_the_same_bytes(void **unused)
{
    (void)unused;
    char line[200];
    static const char *const when[] = {"never", "now", "background"};
    setenv("MOTORCADE_CACHE", cli_path("cache"), 1);
    for (int k = 0; k < 3; k++) {
        snprintf(line, sizeof line,
                 "run %s/scenarios/own_tyre.yaml -q --end 6 --compile %s --csv own_%s", SOURCE_DIR,
                 when[k], when[k]);
        play(line, 0);
    }
    cli_same_files("own_never/own.csv", "own_now/own.csv");
    cli_same_files("own_never/own.csv", "own_background/own.csv");
    setenv("MOTORCADE_CC", "none", 1);
    snprintf(line, sizeof line, "run %s/scenarios/own_tyre.yaml -q --end 0.1 --compile now",
             SOURCE_DIR);
    run_result r = cli_run(line);
    assert_int_equal(r.code, 0);
    cli_has(r.err, "motorcade run: --compile now: formulas are interpreted");
    run_result_free(&r);
    unsetenv("MOTORCADE_CC");
    unsetenv("MOTORCADE_CACHE");
    cli_rejected("run s.yaml --compile later", 2,
                 "motorcade run: option --compile: found \"later\", expected now, background or "
                 "never\n");
}

static void resumed_rows_equal(const char *whole, const char *rest, int rows_before)
{
    for (int k = 0; k < 4; k++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "%s/%s.csv", whole, cars[k]);
        snprintf(b, sizeof b, "%s/%s.csv", rest, cars[k]);
        char *x = run_get(&folder, a, NULL), *y = run_get(&folder, b, NULL);
        char *at = x;
        for (int row = 0; row < 1 + rows_before; row++)
            at = strchr(at, '\n') + 1;
        assert_true(strlen(at) > 100);
        assert_string_equal(at, strchr(y, '\n') + 1);
        free(x), free(y);
    }
}

static void resumed_equals_uninterrupted(void **unused)
{
    (void)unused;
    play("run s.yaml -q --csv whole --replay-log log.csv", 0);
    play("run s.yaml -q --end 1.5 --checkpoint c.state --replay-log log.csv", 0);
    play("run s.yaml -q --resume c.state --csv rest --replay-log log.csv", 0);
    resumed_rows_equal("whole", "rest", 16);
    // Every second of simulated time; the last one holds the end, from which nothing is left to do.
    play("run s.yaml -q --checkpoint e.state --checkpoint-every 1", 0);
    play("run s.yaml -q --resume e.state --csv nothing", 0);
    char *text = run_get(&folder, "nothing/car1.csv", NULL);
    assert_true(strchr(text, '\n')[1] == '\0');
    free(text);
    // Figures too: the expectations see the whole run.
    play("run fails.yaml -q --end 1.5 --checkpoint f.state", 3);
    play("run fails.yaml -q --resume f.state", 3);
}

// The second half: all that happened is known, the last checkpoint is that of the whole run, and
// the rows of the first half are not written over.
static void a_resumed_run_loses_nothing(void **unused)
{
    (void)unused;
    play("run s.yaml -q -o whole.h5 --replay-log log.csv --checkpoint whole.state", 0);
    play("run s.yaml -q --end 1.5 -o half.h5 --csv half --dynavis half.dat --replay-log log.csv "
         "--checkpoint half.state",
         0);
    play("run s.yaml -q --resume half.state -o rest.h5 --csv more --checkpoint rest.state", 0);
    cli_same_files("whole.state", "rest.state");
    run_table whole = run_table_hdf5(&folder, "whole.h5", "events");
    run_table rest = run_table_hdf5(&folder, "rest.h5", "events");
    assert_true(whole.row_count > 0);
    assert_int_equal(whole.row_count, rest.row_count);
    assert_memory_equal(whole.value, rest.value,
                        (size_t)whole.row_count * (size_t)whole.column_count * sizeof *whole.value);
    run_table_free(&whole);
    run_table_free(&rest);
    static const struct {
        const char *call, *message;
    } wrong[] = {
        {"run s.yaml -q --resume half.state -o half.h5", "half.h5: this file has rows already"},
        {"run s.yaml -q --resume half.state --dynavis half.dat", "half.dat: this file has rows"},
        {"run s.yaml -q --resume half.state -o new.h5 --csv half", ".csv: this file has rows"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        run_result r = run(&folder, MOTORCADE_BINARY, wrong[k].call);
        assert_int_equal(r.code, 2);
        assert_non_null(strstr(r.err, wrong[k].message));
        run_result_free(&r);
    }
    assert_false(run_exists(&folder, "new.h5"));
}

// The car in front changes between two rows, and the run stops before the next.
static void a_resumed_run_knows_who_cut_in(void **unused)
{
    (void)unused;
    run_put(&folder, "cut.yaml",
            "motorcade: scenario\n"
            "time: {end: 6, step: 0.02, record: 1}\n"
            "road: {lanes: 2, speed: 25}\n"
            "controllers: {c: {law: idm, speed: 25}}\n"
            "models: {car: point}\n"
            "vehicles:\n"
            "  - {name: first, model: car, lane: 1, x: 0, v: 20, controller: c}\n"
            "  - {name: last, model: car, lane: 1, x: -120, v: 20, controller: c}\n"
            "  - {name: guest, model: car, lane: 2, x: -60, v: 20, controller: c}\n"
            "events: [{at: 2.2, vehicle: guest, lane: 1}]\n");
    play("run cut.yaml -q --checkpoint cut_whole.state", 0);
    play("run cut.yaml -q --end 2.6 --checkpoint cut_half.state", 0);
    play("run cut.yaml -q --resume cut_half.state --checkpoint cut_rest.state", 0);
    cli_same_files("cut_whole.state", "cut_rest.state");
}

static void logs_are_replayed(void **unused)
{
    (void)unused;
    play("run s.yaml -q --csv plain", 0);
    play("run s.yaml -q --csv live --replay-log log.csv", 0);
    play("run s.yaml -q --csv live2 --replay-log log.csv --threads 3", 0);
    cli_same_files("live/car2.csv", "live2/car2.csv");
    size_t m, n;
    char *a = run_get(&folder, "plain/car2.csv", &m), *b = run_get(&folder, "live/car2.csv", &n);
    assert_true(m != n || memcmp(a, b, n) != 0);
    free(a), free(b);
}

// A scenario with its log: the same rows as with a log of its own, and one of the two is enough.
static void scenarios_have_logs(void **unused)
{
    (void)unused;
    char *scenario = run_get(&folder, "s.yaml", NULL), *log = run_get(&folder, "log.csv", NULL);
    static char text[20000];
    int used = snprintf(text, sizeof text, "%slog: |\n", scenario);
    for (const char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
        used += snprintf(text + used, sizeof text - (size_t)used, "  %s\n", line);
    run_put(&folder, "logged.yaml", text);
    free(scenario), free(log);
    play("run logged.yaml -q --csv logged --checkpoint logged.state", 0);
    play("run s.yaml -q --csv apart --replay-log log.csv", 0);
    cli_same_files("logged/car2.csv", "apart/car2.csv");
    play("run logged.yaml -q --end 1.5 --checkpoint logged_half.state", 0);
    play("run logged.yaml -q --resume logged_half.state --checkpoint logged_rest.state", 0);
    cli_same_files("logged.state", "logged_rest.state");
    run_result r = run(&folder, MOTORCADE_BINARY, "check logged.yaml");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, ", a log of "));
    run_result_free(&r);
    r = run(&folder, MOTORCADE_BINARY, "run logged.yaml -q --replay-log log.csv");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "logged.yaml: this scenario has a log of its own"));
    run_result_free(&r);
    snprintf(text + used, sizeof text - (size_t)used, "  40,set,car7,mass,2000,0,0,0,0\n");
    run_put(&folder, "logged.yaml", text);
    r = run(&folder, MOTORCADE_BINARY, "check logged.yaml");
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, ": unknown vehicle \"car7\""));
    run_result_free(&r);
}

// Ctrl-C: files up to there, a checkpoint, and the rest of the run from it.
static void interrupted(void **unused)
{
    (void)unused;
    run_process p = run_start(&folder, MOTORCADE_BINARY,
                              "run s.yaml -q --end 1000000 -o i.h5 --csv i --checkpoint i.state");
    run_sleep(1.5); // slow machines need a second until they listen
    kill(p.id, SIGINT);
    run_result r = run_wait(&p);
    assert_int_equal(r.code, 1);
    const char *stopped = strstr(r.err, "stopped at t = ");
    assert_non_null(stopped);
    char again[128];
    snprintf(again, sizeof again, "run s.yaml -q --resume i.state --csv after --end %g",
             floor(atof(stopped + strlen("stopped at t = "))) + 2.0);
    run_result_free(&r);
    mc_error error;
    char path[128];
    snprintf(path, sizeof path, "%s/i.h5", folder.path);
    results_reader *reader = results_reader_open(path, &error);
    assert_non_null(reader);
    const int64_t rows =
        results_reader_table(reader, results_reader_find(reader, "motion"))->row_count;
    assert_true(rows > 10);
    results_reader_free(reader);
    char *text = run_get(&folder, "i/car1.csv", NULL);
    int lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    assert_int_equal(lines, rows + 1);
    free(text);
    char *state = run_get(&folder, "i.state", NULL);
    free(state);
    play(again, 0);
    run_result early = cli_run("run s.yaml -q --resume i.state");
    assert_int_equal(early.code, 2);
    assert_non_null(strstr(early.err, "s, but the scenario ends at 4 s"));
    run_result_free(&early);
}

static void dynavis_file(void **unused)
{
    (void)unused;
    mc_error error;
    char data_path[128];
    play("run s.yaml -q --dynavis d.dat --csv dyn", 0);
    snprintf(data_path, sizeof data_path, "%s/d.dat", folder.path);
    char *listing = run_listing(&folder, false);
    const char *par = strstr(listing, "d.par") ? "d.par" : "d.dat.par";
    char par_path[160];
    snprintf(par_path, sizeof par_path, "%s/%s", folder.path, par);
    free(listing);
    mc_dynavis_params params;
    if (mc_dynavis_params_read(par_path, 2, &params, &error) != MC_OK)
        fail_msg("%s", error.text);
    mc_dynavis_data *data = mc_dynavis_data_load(data_path, &params, NULL, &error);
    if (!data)
        fail_msg("%s", error.text);
    const mc_dynavis_frame *last = mc_dynavis_data_last(data);
    assert_true(fabs(last->t - 4.0) < 1e-9);
    assert_int_equal(last->car_count, 4);
    char *text = run_get(&folder, "dyn/car2.csv", NULL), *at = text + strlen(text) - 2;
    while (at[-1] != '\n')
        at--;
    double t, x;
    assert_int_equal(sscanf(at, "%lf,%lf", &t, &x), 2);
    bool found = false;
    for (int k = 0; k < 4; k++)
        found = found || (last->cars[k].id == 3 && fabs(last->cars[k].x - x) < 1e-6);
    assert_true(found);
    free(text);
    mc_dynavis_data_free(data);
}

// ---- wrong inputs ------------------------------------------------------------------------------

static const struct {
    const char *arguments, *message;
} wrong[] = {
    {"", "motorcade run: no scenario given; `motorcade run -h` explains"},
    {"no.yaml", "no.yaml: cannot be read: No such file or directory"},
    {".", ".: is a folder, not a file"},
    {"s.yaml fails.yaml", "only one scenario is expected: found \"fails.yaml\" after \"s.yaml\""},
    {"s.yaml --bogus", "unknown option \"--bogus\"; -h lists them"},
    {"s.yaml --quiet=3", "option --quiet takes no value"},
    {"s.yaml --end", "option --end needs a value: S"},
    {"s.yaml --end -3", "option --end: -3 is out of range, expected 1e-06 .. 1e+07"},
    {"s.yaml --end soon", "option --end: found \"soon\", expected a number"},
    {"s.yaml --threads 0",
     "option --threads: found \"0\", expected a whole number within 1 .. 1024"},
    {"s.yaml --threads 1.5",
     "option --threads: found \"1.5\", expected a whole number within 1 .. 1024"},
    {"s.yaml --set", "option --set needs a value: NAME=VALUE"},
    {"s.yaml --set mass", "\"mass\": expected NAME=VALUE, for example mass=2400"},
    {"s.yaml --set mess=3 -o w.h5", "no model or controller has a parameter \"mess\""},
    {"s.yaml --set mass=50 -o w.h5 --csv w", "\"mass=50\": mass must be in 100 .. 100000 kg"},
    {"s.yaml --set mass=x", "\"mass=x\": the value is not a number"},
    {"s.yaml --set follow.headway=0.2",
     "\"follow.headway=0.2\": headway must be in 1 .. 60 s; the roadway commands at least 1 s"},
    {"s.yaml --set car9.x=3", "\"car9\" has no parameter \"x\""},
    {"s.yaml --set time.end=-1", "\"time.end=-1\": end must be in 1e-06 .. 1e+07 s"},
    {"s.yaml --set time.record=0.07 -o w.h5",
     "record is 0.07 s, not a whole number of steps of 0.05 s"},
    {"s.yaml --set time.step=0.03 --csv w",
     "record is 0.1 s, not a whole number of steps of 0.03 s"},
    {"s.yaml --set time.step=5 -o w.h5", "\"time.step=5\": step must be in 1e-05 .. 1 s"},
    {"s.yaml --set car1.x=0 -o w.h5 --csv w", "s.yaml:10:9: leader and car1 overlap at the start"},
    {"s.yaml --resume no.state -o w.h5 --csv w --dynavis w.dat",
     "no.state: cannot be read: No such file or directory"},
    {"s.yaml --resume s.yaml -o w.h5 --csv w", "s.yaml: this file is not a checkpoint of a run"},
    {"s.yaml --resume other.state -o w.h5 --csv w",
     "other.state: this file belongs to another scenario, or the scenario has changed since"},
    {"s.yaml --resume cut.state -o w.h5", "cut.state: this file is truncated or damaged"},
    {"s.yaml --replay-log no.csv -o w.h5", "no.csv: cannot be read: No such file or directory"},
    {"s.yaml --replay-log s.yaml -o w.h5",
     "s.yaml:1:1: not a log of commands: expected the first line step,event,vehicle,param,..."},
    {"s.yaml --replay-log bad_log.csv --csv w", "bad_log.csv:3: unknown vehicle \"car7\""},
    {"s.yaml -o no/w.h5", "no/w.h5: cannot be created in folder \"no\": No such file or directory"},
    {"s.yaml --csv no/deep -o w.h5",
     "no/deep: cannot create the folder: No such file or directory"},
    {"s.yaml --csv s.yaml -o w.h5",
     "s.yaml/leader.csv: cannot be created in folder \"s.yaml\": Not a directory"},
    {"s.yaml --dynavis no/d.dat -o w.h5",
     "no/d.dat: cannot be created in folder \"no\": No such file or directory"},
    {"s.yaml -o s.yaml", "s.yaml: -o would overwrite the scenario"},
    {"s.yaml --checkpoint ./s.yaml", "./s.yaml: --checkpoint would overwrite the scenario"},
};

static void wrong_inputs(void **unused)
{
    (void)unused;
    play("run fails.yaml -q --end 1 --checkpoint other.state", 3);
    play("run s.yaml -q --end 1 --checkpoint cut.state", 0);
    size_t size;
    char *state = run_get(&folder, "cut.state", &size);
    run_put_bytes(&folder, "cut.state", state, size / 2);
    free(state);
    play("run s.yaml -q -o old.h5", 0); // must stay as it is
    run_age(&folder);
    char *before = run_listing(&folder, false);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        char line[256];
        snprintf(line, sizeof line, "run %s", wrong[k].arguments);
        run_result r = cli_run(line);
        char *after = run_listing(&folder, false);
        if ((r.code != 2 && r.code != 1) || !strstr(r.err, wrong[k].message))
            fail_msg("motorcade %s: exit code %d: %s", line, r.code, r.err);
        if (strcmp(before, after) != 0)
            fail_msg("motorcade %s leaves something behind:\n%s", line, after);
        free(after);
        run_result_free(&r);
    }
    run_result r = cli_run("run s.yaml -o old.h5 --resume cut.state");
    assert_int_equal(r.code, 2);
    run_result_free(&r);
    char *after = run_listing(&folder, false);
    assert_string_equal(before, after);
    free(before), free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_files),
        cmocka_unit_test(results_file),
        cmocka_unit_test(exit_codes),
        cmocka_unit_test(quiet_and_not),
        cmocka_unit_test(settings),
        cmocka_unit_test(threads_give_the_same_bytes),
        cmocka_unit_test(compiled_formulas_give_the_same_bytes),
        cmocka_unit_test(resumed_equals_uninterrupted),
        cmocka_unit_test(a_resumed_run_loses_nothing),
        cmocka_unit_test(a_resumed_run_knows_who_cut_in),
        cmocka_unit_test(logs_are_replayed),
        cmocka_unit_test(scenarios_have_logs),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(dynavis_file),
        cmocka_unit_test(wrong_inputs),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
