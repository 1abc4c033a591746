// test_kills.c - commands killed by SIGKILL at random moments; 1,000 of them (series).
//
// The commands take turns (see `victims`). After a kill
//   - every results file that is there opens in a plain HDF5 reader, and the valid rows of each
//     table are, bit by bit, the first ones of an undisturbed run;
//   - a file that is written as a whole is the old one or the new one, byte by byte;
//   - a checkpoint resumes: the rows from it on are the last ones of the undisturbed run, and its
//     checkpoint at the end is the same;
//   - the same sweep, given again, completes the same table;
//   - nothing else is in the folder.
// The moment is drawn from somewhat more than the time the command takes. hdf5/test_kill looks at
// what the recorder itself may lose: less than a second.
#include "support/cli.h"
#include "support/series.h"

#include <hdf5.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KILLS = 1000, TABLES_MAX = 6, FILES_MAX = 3 };

static const char scenario_text[] =
    "motorcade: scenario\n"
    "name: four cars\n"
    "time: {end: 60, step: 0.01, record: 0.02}\n"
    "road: {headway: 0.2, distance: 2}\n"
    "profiles:\n"
    "  stop: {table: [[0, 20], [2, 20], [5, 4], [12, 4], [15, 20]]}\n"
    "models:\n"
    "  town_car: {kind: powertrain}\n"
    "controllers:\n"
    "  follow: {law: acc, headway: 0.8, sensor: {range_noise: 0.05, delay: 0.2}}\n"
    "platoons:\n"
    "  - leader: {model: town_car, profile: stop}\n"
    "    cars: [{model: town_car, name: car, count: 3, controller: follow}]\n";

// What is killed. % stands for the start of the names of its files: `whole0` for the undisturbed
// run of the first, `k` for what is killed.
typedef struct victim {
    const char *name, *command;
    const char *results;             // HDF5, or NULL
    const char *tables[TABLES_MAX];  // of it
    const char *files[FILES_MAX];    // written as a whole
    const char *checkpoint, *resume; // and the command that resumes it
    const char *table;               // of a sweep, completed by the same command
} victim;

static const victim victims[] = {
    {.name = "run",
     .command = "run s.yaml -q --threads 1 -o %.h5 --csv % --dynavis %.dat",
     .results = ".h5",
     .tables = {"time", "motion", "events", "impacts"},
     .files = {"/leader.csv", "/car2.csv", ".dat"}},
    {.name = "checkpoints",
     .command = "run s.yaml -q --threads 2 -o %.h5 --checkpoint %.state --checkpoint-every 1",
     .results = ".h5",
     .tables = {"time", "motion", "events", "impacts"},
     .checkpoint = ".state",
     .resume = "run s.yaml -q --threads 1 --resume k.state -o r.h5 --checkpoint r.state"},
    {.name = "simulate",
     .command = "simulate m.yaml -q --end 60 --csv %.csv -o %.h5",
     .results = ".h5",
     .tables = {"time", "motion", "energy"},
     .files = {".csv"}},
    {.name = "impulses",
     .command = "simulate m.yaml -q --engine impulses --end 60 --step 0.01 --csv %.csv -o %.h5",
     .results = ".h5",
     .tables = {"time", "motion", "energy"},
     .files = {".csv"}},
    {.name = "medusa",
     .command = "medusa -t5 -e --quiet -F%.asc --hdf5 %.h5 --collisions %.csv",
     .results = ".h5",
     .tables = {"time", "motion", "pose", "energy", "impacts"},
     .files = {".asc", ".csv"}},
    {.name = "sweep",
     .command = "sweep s.yaml --vary mass=1200:2400:400 --vary follow.headway=0.3:0.6:0.1 "
                "--threads 1 -o %.csv",
     .table = ".csv"},
};
enum { VICTIMS = sizeof victims / sizeof victims[0] };

typedef struct figures { // what the series keeps
    uint64_t seed;
    double span[VICTIMS]; // s, from which the moment is drawn; follows the load of the machine
    int64_t rows;         // right
    int64_t resumed_rows; // right, after checkpoints
    long killed[VICTIMS]; // before the end
    long with_rows, with_checkpoint, resumed_sweeps;
} figures;

static double random_share(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

// The command of a victim with its files named.
typedef struct words {
    char text[400];
} words;

static words command_of(const victim *v, const char *start)
{
    words w = {0};
    const char *at = v->command;
    for (size_t used = 0; *at && used + 20 < sizeof w.text;) {
        if (at[0] == '%')
            used += (size_t)snprintf(w.text + used, sizeof w.text - used, "%s", start), at += 1;
        else
            w.text[used++] = *at++;
    }
    return w;
}

typedef struct name {
    char text[40];
} name;

static name killed_file(const char *end)
{
    name n;
    snprintf(n.text, sizeof n.text, "k%s", end);
    return n;
}

static name whole_file(const victim *v, const char *end)
{
    name n;
    snprintf(n.text, sizeof n.text, "whole%d%s", (int)(v - victims), end);
    return n;
}

// Removes the files whose names begin with that letter and a dot, and the folder of that name.
static void remove_files(char letter)
{
    char command[120];
    snprintf(command, sizeof command, "rm -rf %c %c.*\n", letter, letter);
    run_put(&folder, "remove.sh", command);
    run_result r = run(&folder, "/bin/sh", "remove.sh");
    assert_int_equal(r.code, 0);
    run_result_free(&r);
}

// Everything in the folder was put there, or is a file that the command names.
static void check_names(const victim *v)
{
    static const char *const known[] = {"whole",  "k.",       "k/",        "k\n",
                                        "s.yaml", "m.yaml",   "model.dat", "platoon.dat",
                                        "driven", "remove.sh"};
    run_result r = run(&folder, "/bin/ls", "-A");
    for (const char *at = r.out; *at; at = strchr(at, '\n') + 1) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            found |= strncmp(at, known[i], strlen(known[i])) == 0;
        if (!found || strstr(r.out, "tmp-"))
            fail_msg("%s: something is left in the folder:\n%s", v->name, r.out);
    }
    run_result_free(&r);
}

// Rows of the table of file a from row first of b on; bit by bit.
static int64_t check_rows(const char *a_name, const char *b_name, const char *table, bool last)
{
    run_table a = run_table_hdf5(&folder, a_name, table);
    run_table b = run_table_hdf5(&folder, b_name, table);
    const int first = last ? b.row_count - a.row_count : 0;
    if (a.row_count > b.row_count || a.column_count != b.column_count)
        fail_msg("%s: %d rows of %s, undisturbed %d", a_name, a.row_count, table, b.row_count);
    const size_t width = (size_t)a.column_count;
    if (memcmp(a.value, b.value + (size_t)first * width,
               (size_t)a.row_count * width * sizeof *a.value) != 0)
        fail_msg("%s: rows of %s are not those of an undisturbed run", a_name, table);
    const int count = a.row_count;
    run_table_free(&a);
    run_table_free(&b);
    return count;
}

static void check_results(const victim *v, figures *f)
{
    const name whole = whole_file(v, v->results), killed = killed_file(v->results);
    if (!run_exists(&folder, killed.text))
        return;
    int64_t rows = 0;
    for (int i = 0; i < TABLES_MAX && v->tables[i]; i++)
        rows += check_rows(killed.text, whole.text, v->tables[i], false);
    f->rows += rows;
    f->with_rows += rows > 0;
}

// Old, new, or not there; `old` was put where they go, except in a new folder.
static void check_files(const victim *v)
{
    for (int i = 0; i < FILES_MAX && v->files[i]; i++) {
        const name killed = killed_file(v->files[i]), whole = whole_file(v, v->files[i]);
        if (!run_exists(&folder, killed.text))
            continue;
        char *text = run_get(&folder, killed.text, NULL);
        if (strcmp(text, "old\n") != 0)
            cli_same_files(killed.text, whole.text);
        free(text);
    }
}

static void check_checkpoint(const victim *v, figures *f)
{
    const name killed = killed_file(v->checkpoint), state = whole_file(v, v->checkpoint);
    const name rows = whole_file(v, v->results);
    if (!run_exists(&folder, killed.text))
        return;
    remove_files('r');
    run_result r = cli_run(v->resume);
    const bool at_its_end = strstr(r.err, "the checkpoint is at t = 60") != NULL;
    if (at_its_end) { // killed after the last checkpoint: nothing to do
        cli_same_files(killed.text, state.text);
    } else if (r.code != 0) {
        fail_msg("%s: exit code %d, %s", v->name, r.code, r.err);
    } else {
        cli_same_files("r.state", state.text);
        for (int i = 0; i < 2; i++)
            f->resumed_rows += check_rows("r.h5", rows.text, v->tables[i], true);
    }
    run_result_free(&r);
    f->with_checkpoint++;
    remove_files('r');
}

static void check_sweep(const victim *v, figures *f)
{
    const name killed = killed_file(v->table), whole = whole_file(v, v->table);
    const bool begun = run_exists(&folder, killed.text);
    const words again = command_of(v, "k");
    free(cli_done(again.text));
    cli_same_files(killed.text, whole.text);
    f->resumed_sweeps += begun;
}

static void round_of(long round, figures *f)
{
    const int which = (int)(round % VICTIMS);
    const victim *v = &victims[which];
    remove_files('k');
    for (int i = 0; i < FILES_MAX && v->files[i]; i++)
        if (v->files[i][0] == '.') {
            const name file = killed_file(v->files[i]);
            run_put(&folder, file.text, "old\n");
        }
    const double wait = f->span[which] * random_share(&f->seed);
    const words command = command_of(v, "k");
    run_process p = run_start(&folder, MOTORCADE_BINARY, command.text);
    const double begun = run_clock();
    while (run_clock() - begun < wait && !run_is_over(&p))
        run_sleep(0.001);
    kill(p.id, SIGKILL);
    run_result r = run_wait(&p);
    const bool killed = r.signal == SIGKILL;
    if (!killed && (r.signal != 0 || r.code != 0))
        fail_msg("%s: exit code %d, signal %d, %s", v->name, r.code, r.signal, r.err);
    run_result_free(&r);
    f->killed[which] += killed;
    f->span[which] *= killed ? 1.02 : 0.85;
    check_names(v);
    if (v->results)
        check_results(v, f);
    check_files(v);
    if (v->checkpoint)
        check_checkpoint(v, f);
    if (v->table)
        check_sweep(v, f);
    remove_files('k');
}

// The undisturbed run of each victim.
static void run_whole(double *span)
{
    for (int k = 0; k < VICTIMS; k++) {
        const double begun = run_clock();
        char start[16];
        snprintf(start, sizeof start, "whole%d", k);
        const words w = command_of(&victims[k], start);
        free(cli_done(w.text));
        if (span[k] == 0.0)
            span[k] = 1.2 * (run_clock() - begun);
    }
}

static void kills(void **state)
{
    (void)state;
    figures f = {.seed = 88172645463325252u};
    series s = series_open("kills", KILLS, &f, sizeof f);
    run_whole(f.span);
    for (long i; series_next(&s, &i);)
        round_of(i, &f);
    long killed = 0;
    for (int k = 0; k < VICTIMS; k++)
        killed += f.killed[k];
    print_message(
        "%ld commands, %ld of them killed before their end; %.1f million rows right in %ld "
        "results files; %ld checkpoints and %ld sweeps resumed\n",
        s.count, killed, 1e-6 * (double)f.rows, f.with_rows, f.with_checkpoint, f.resumed_sweeps);
    assert_true(killed > s.count / 2);
    assert_true(f.with_rows > 0);
    assert_true(s.count < 100 || (f.resumed_rows > 0 && f.resumed_sweeps > 0));
}

static int set_up(void **state)
{
    cli_set_up(state);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    cli_copy_medusa();
    run_put(&folder, "s.yaml", scenario_text);
    run_copy(&folder, "m.yaml", SOURCE_DIR "/models/four_bar.yaml");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kills)};
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
