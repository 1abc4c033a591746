// run.c - `motorcade run SCENARIO.yaml`: a platoon from its start to its end.
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/detail.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "motorcade/collisions.h"
#include "motorcade/dynavis.h"
#include "motorcade/multibody.h"
#include "motorcade/record.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

enum { EXIT_EXPECT = 3 };

typedef struct request {
    const char *scenario, *resume, *replay;
    cli_words sets;
    int threads;
    mc_compile compile;
    double end;
    mc_record_output output;
    cli_detail detail;
    bool quiet, help;
} request;

static const cli_option options[] = {
    {'o', "output", " FILE", "results file to write (HDF5; default: none)", CLI_TO(output.hdf5)},
    {0, "full", NULL, "also write pose and energy to the results file, for every kind of vehicle",
     CLI_TO(output.full)},
    {0, "csv", "DIR",
     "write one CSV file per vehicle to this folder, including those that join later",
     CLI_TO(output.csv)},
    {0, "dynavis", "FILE", "write a DYNAVIS data file, and its parameter file next to it",
     CLI_TO(output.dynavis)},
    {0, "set", "NAME=VALUE", "set a parameter: mass, follow.k1, car3.headway; may be repeated",
     CLI_WITHIN(sets, 0, 64)},
    {0, "end", "S", "end of the run, s (default: that of the scenario)",
     CLI_WITHIN(end, 1e-6, 1e7)},
    {0, "threads", "N", "number of threads (default: all cores)", CLI_WITHIN(threads, 1, 1024)},
    {0, "compile", "WHEN",
     "compile formulas of laws and tyres: now, background (default) or never; same numbers",
     CLI_BY(cli_take_compile, compile)},
    {0, "checkpoint", "FILE", "write the whole state to FILE at the end",
     CLI_TO(output.checkpoint)},
    {0, "checkpoint-every", "S", "... and every S seconds of simulated time",
     CLI_WITHIN(output.checkpoint_every, 1e-6, 1e7)},
    {0, "resume", "FILE", "resume from a checkpoint of this scenario", CLI_TO(resume)},
    {0, "replay-log", "FILE", "replay the commands of a live run from its log", CLI_TO(replay)},
    {'q', "quiet", NULL, "print only errors and failed expectations", CLI_TO(quiet)},
    CLI_DETAIL,
    CLI_HELP,
    CLI_ONE_WORD(scenario, "only one scenario is expected: found \"%s\" after \"%s\""),
};

static void print_help(void)
{
    printf("usage: motorcade run SCENARIO.yaml [OPTIONS]\n\n"
           "Simulates the vehicles of a scenario under their controllers, including collisions,\n"
           "and prints a summary. docs/scenarios.md explains the file.\n\n");
    cli_print_options(options);
    printf("\nexit code: 0 success, 1 the run failed, 2 bad input, 3 an expectation of the "
           "scenario failed\n");
}

// ---- summary ----

static void print_number(double value)
{
    if (isnan(value))
        printf(" %10s", "-");
    else
        printf(" %10.3f", value);
}

static void print_vehicles(const mc_recording *rec)
{
    const mc_figures *f = mc_recording_figures(rec);
    static const struct {
        mc_figure_id id;
        const char *head, *unit;
    } columns[] = {
        {MC_FIGURE_V, "speed", "m/s"},
        {MC_FIGURE_GAP, "gap", "m"},
        {MC_FIGURE_LARGEST_SPACING_ERROR, "error", "m, max"},
        {MC_FIGURE_SMALLEST_GAP, "gap", "m, min"},
        {MC_FIGURE_LARGEST_ACCELERATION, "|a|", "m/s2, max"},
        {MC_FIGURE_LARGEST_JERK, "|jerk|", "m/s3, max"},
        {MC_FIGURE_FUEL_PER_KM, "fuel", "g/km"},
    };
    enum { COLUMNS = sizeof columns / sizeof columns[0], SHOWN = 12 };
    int count = 0;
    while (mc_recording_vehicle_name(rec, count))
        count++;
    printf("%-14s", "");
    for (int c = 0; c < COLUMNS; c++)
        printf(" %10s", columns[c].head);
    printf("\n%-14s", "vehicle");
    for (int c = 0; c < COLUMNS; c++)
        printf(" %10s", columns[c].unit);
    printf("\n");
    for (int v = 0; v < count; v++) {
        if (count > SHOWN && v == SHOWN / 2) {
            printf("... %d more\n", count - SHOWN);
            v = count - SHOWN / 2;
        }
        printf("%-14.14s", mc_recording_vehicle_name(rec, v));
        for (int c = 0; c < COLUMNS; c++)
            print_number(mc_figures_value(f, v, columns[c].id));
        printf("\n");
    }
}

typedef struct shown_collision {
    mc_collision is;
    const char *names[2];
} shown_collision;

static int by_time(const void *p, const void *q)
{
    const double a = ((const shown_collision *)p)->is.first,
                 b = ((const shown_collision *)q)->is.first;
    return (a > b) - (a < b);
}

// Those of the run, and of vehicles that have left it.
static void print_collisions(const mc_run *run, const mc_recording *rec)
{
    int impact_count, now, gone = 0;
    const mc_impact *impacts = mc_run_impacts(run, &impact_count);
    mc_collision *collisions;
    mc_error error;
    shown_collision one;
    if (mc_collisions_from_impacts(impacts, impact_count, MC_COLLISIONS_QUIET, &collisions, &now,
                                   &error) != MC_OK)
        return;
    while (mc_recording_gone(rec, gone, &one.is, one.names))
        gone++;
    const int count = now + gone;
    shown_collision *all = calloc((size_t)count + 1, sizeof *all);
    for (int k = 0; all && k < now; k++)
        all[k] = (shown_collision){
            collisions[k],
            {mc_run_vehicle_name(run, collisions[k].a), mc_run_vehicle_name(run, collisions[k].b)}};
    for (int k = 0; all && k < gone; k++)
        mc_recording_gone(rec, k, &all[now + k].is, all[now + k].names);
    if (all && gone > 0) // those of a run are in order
        qsort(all, (size_t)count, sizeof *all, by_time);
    if (count == 0)
        printf("no collisions\n");
    for (int k = 0; all && k < count && k < 20; k++)
        printf("collision at %.3f s: %s and %s, closing at %.2f m/s, impulse %.0f N s\n",
               all[k].is.first, all[k].names[0], all[k].names[1],
               fmax(all[k].is.closing, 0.0) + 0.0, // not -0.00: cars that rest on each other
               all[k].is.impulse);
    if (count > 20)
        printf("... and %d more collisions\n", count - 20);
    free(all);
    free(collisions);
}

static int print_expectations(mc_recording *rec, bool quiet)
{
    int failed = 0;
    for (int k = 0; k < mc_recording_expect_count(rec); k++) {
        mc_condition_result result;
        mc_recording_expect(rec, k, &result);
        failed += !result.holds;
        if (!result.holds || !quiet)
            printf("expect %s  %s\n", result.holds ? "holds:" : "FAILS:", result.text);
    }
    return failed;
}

// ---- the run ----

// CSV files that this run did not write: those of vehicles that an earlier one had.
static void print_leftovers(const char *folder, const struct timespec *begun)
{
    enum { SHOWN = 5 };
    DIR *entries = opendir(folder);
    int count = 0;
    char names[SHOWN][64];
    for (const struct dirent *e; entries && (e = readdir(entries));) {
        const size_t length = strlen(e->d_name);
        struct stat status;
        if (length < 5 || strcmp(e->d_name + length - 4, ".csv") != 0 ||
            fstatat(dirfd(entries), e->d_name, &status, 0) != 0 ||
            status.st_mtim.tv_sec >= begun->tv_sec)
            continue;
        if (count < SHOWN)
            snprintf(names[count], sizeof names[0], "%.60s", e->d_name);
        count++;
    }
    if (entries)
        closedir(entries);
    if (count == 0)
        return;
    fprintf(stderr, "warning: %s also holds %d CSV file%s that this run did not write: ", folder,
            count, count == 1 ? "" : "s");
    for (int k = 0; k < count && k < SHOWN; k++)
        fprintf(stderr, "%s%s", k ? ", " : "", names[k]);
    fprintf(stderr, "%s\n", count > SHOWN ? ", ..." : "");
}

static int play(const request *r, mc_run *run, mc_recording *rec, double end)
{
    mc_error error;
    progress bar;
    mc_watch watch = {.stop = interrupt_stop};
    struct timespec begun;
    clock_gettime(CLOCK_REALTIME, &begun);
    interrupt_install();
    if (!r->quiet) {
        progress_begin(&bar, stderr, mc_run_time(run), end);
        watch = (mc_watch){&bar, interrupt_stop, progress_show};
    }
    const mc_status status = mc_recording_play(rec, &watch, &error);
    char renamed[700];
    if (!r->quiet)
        progress_end(&bar, mc_run_time(run));
    if (!r->quiet && mc_run_renamed(run, renamed, sizeof renamed))
        fprintf(stderr, "warning: %s: %s\n", r->replay ? r->replay : "commands", renamed);
    const char *why;
    const int skipped = mc_run_skipped(run, &why);
    if (!r->quiet && skipped > 0)
        fprintf(stderr, "warning: events skipped after the commands of the log: %d; the last: %s\n",
                skipped, why);
    if (!r->quiet && mc_run_fmu_failure(run)[0])
        fprintf(stderr, "warning: an FMU was lost, and a law drives on: %s\n",
                mc_run_fmu_failure(run));
    int code = status == MC_OK ? 0 : cli_fail("motorcade run", &error);
    if (status == MC_OK || status == MC_INTERRUPTED) {
        if (!r->quiet) {
            print_vehicles(rec);
            print_collisions(run, rec);
            printf("ended at %g s: %s\n", mc_run_time(run), mc_recording_ended(rec));
        }
        if (print_expectations(rec, r->quiet) > 0 && code == 0)
            code = EXIT_EXPECT;
    }
    if (mc_recording_close(rec, &error) != MC_OK)
        code = cli_fail("motorcade run", &error);
    else if (r->output.csv && !r->quiet)
        print_leftovers(r->output.csv, &begun);
    return code;
}

// A checkpoint that cannot be resumed is rejected before files of an earlier run are touched.
// The run is at its start again afterwards: a recording is opened there.
static mc_status try_resume(mc_run *run, const char *checkpoint, mc_error *error)
{
    mc_snapshot start;
    mc_recording *rec = mc_recording_open(run, &(mc_record_output){0}, error);
    if (!rec)
        return error->code;
    mc_status status = mc_run_save(run, &start, error);
    if (status == MC_OK) {
        status = mc_recording_resume(rec, checkpoint, error);
        if (status == MC_OK)
            status = mc_run_restore(run, &start, error);
        mc_snapshot_free(&start);
    }
    mc_recording_abandon(rec);
    return status;
}

// One CSV file per vehicle is open at the same time: as many as the system lets this process have.
static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static mc_status prepare(const request *r, mc_scenario *scenario, mc_run **run, mc_recording **rec,
                         mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < r->sets.count && status == MC_OK; k++)
        status = mc_scenario_set(scenario, r->sets.word[k], error);
    char end[64];
    snprintf(end, sizeof end, "time.end=%.17g", r->end);
    if (status == MC_OK && r->end > 0.0)
        status = mc_scenario_set(scenario, end, error);
    if (status == MC_OK && r->replay && mc_scenario_info_of(scenario)->has_log)
        status = mc_error_set(error, MC_BAD_INPUT, r->scenario, 0, 0,
                              "this scenario has a log of its own, in its section log: leave out "
                              "--replay-log, or the section");
    for (int k = 0; !r->quiet && k < mc_scenario_info_of(scenario)->warning_count; k++)
        fprintf(stderr, "warning: %s\n", mc_scenario_warning(scenario, k));
    if (status != MC_OK)
        return status;
    const mc_run_options how = {.threads = r->threads,
                                .instants = r->output.hdf5,
                                .interpret = r->compile == MC_COMPILE_NEVER,
                                .compile_first = r->compile == MC_COMPILE_WAIT};
    *run = mc_run_create(scenario, &how, error);
    if (!*run)
        return error->code;
    const char *why;
    if (how.compile_first && !mc_run_compiled(*run, &why))
        fprintf(stderr, "motorcade run: --compile now: %s\n",
                why[0] ? why : "formulas are interpreted");
    detail_machine(&r->detail, r->threads);
    detail_run(&r->detail, scenario, *run);
    if (r->replay)
        status = mc_run_follow_log(*run, r->replay, error);
    if (status == MC_OK && r->resume)
        status = try_resume(*run, r->resume, error);
    if (status != MC_OK)
        return status;
    if (r->output.csv)
        allow_many_files();
    *rec = mc_recording_open(*run, &r->output, error);
    if (!*rec)
        return error->code;
    return r->resume ? mc_recording_resume(*rec, r->resume, error) : MC_OK;
}

// No output may be one of the files that are read, nor another output. A checkpoint may be
// continued in place: it is replaced only by a later one.
static mc_status check_files(const request *r, const mc_scenario *scenario, mc_error *error)
{
    const char *checkpoint = r->output.checkpoint;
    char beside[4096] = "";
    if (r->output.dynavis &&
        mc_dynavis_param_path(r->output.dynavis, beside, sizeof beside, error) != MC_OK)
        return error->code;
    cli_guard g = {0};
    cli_guard_reads(&g, "the scenario", r->scenario);
    cli_guard_reads_scenario(&g, scenario);
    cli_guard_reads(&g, "--replay-log", r->replay);
    if (!(r->resume && checkpoint && cli_guard_same(r->resume, checkpoint)))
        cli_guard_reads(&g, "--resume", r->resume);
    cli_guard_writes_results(&g, "-o", r->output.hdf5);
    cli_guard_writes(&g, "--checkpoint", checkpoint);
    cli_guard_writes(&g, "--dynavis", r->output.dynavis);
    cli_guard_writes(&g, "--dynavis", r->output.dynavis ? beside : NULL);
    cli_guard_writes_into(&g, "--csv", r->output.csv);
    return cli_guard_check(&g, error);
}

static int run_scenario(const request *r)
{
    mc_error error;
    mc_run *run = NULL;
    mc_recording *rec = NULL;
    mc_scenario *scenario = mc_scenario_load(r->scenario, &error);
    if (!scenario)
        return cli_fail("motorcade run", &error);
    int code;
    if (check_files(r, scenario, &error) == MC_OK &&
        prepare(r, scenario, &run, &rec, &error) == MC_OK) {
        code = play(r, run, rec, mc_scenario_info_of(scenario)->end);
    } else {
        code = cli_fail("motorcade run", &error);
        if (rec)
            mc_recording_abandon(rec);
    }
    mc_run_destroy(run);
    mc_scenario_free(scenario);
    return code;
}

int cli_run(int argc, char **argv)
{
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail("motorcade run", &error);
    if (r.help) {
        print_help();
        return 0;
    }
    if (!r.scenario) {
        fprintf(stderr, "motorcade run: no scenario given; `motorcade run -h` explains\n");
        return 2;
    }
    if (r.output.checkpoint_every > 0.0 && !r.output.checkpoint) {
        fprintf(stderr, "motorcade run: --checkpoint-every needs --checkpoint FILE\n");
        return 2;
    }
    char *command = cli_command_text("motorcade run", argc, argv);
    r.output.command = command;
    r.output.end = r.end;
    r.output.only_new = r.resume != NULL;
    const int code = run_scenario(&r);
    free(command);
    return code;
}
