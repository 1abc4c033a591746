// run.c - `motorcade run SCENARIO.yaml`: a platoon from its start to its end.
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/collisions.h"
#include "motorcade/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_EXPECT = 3 };

typedef struct request {
    const char *scenario, *resume, *replay;
    cli_words sets;
    int threads;
    double end;
    mc_record_output output;
    bool quiet, help;
} request;

static const cli_option options[] = {
    {'o', "output", " FILE", "results file (HDF5); none if left out", CLI_TO(output.hdf5)},
    {0, "csv", "DIR", "one CSV file a vehicle into this folder, also of those that join later",
     CLI_TO(output.csv)},
    {0, "dynavis", "FILE", "a DYNAVIS data file, its parameter file beside it",
     CLI_TO(output.dynavis)},
    {0, "set", "NAME=VALUE",
     "another value of a parameter: mass, follow.k1, car3.headway; repeatable",
     CLI_WITHIN(sets, 0, 64)},
    {0, "end", "S", "another end of the run, s", CLI_WITHIN(end, 1e-6, 1e7)},
    {0, "threads", "N", "threads to use; all cores if left out", CLI_WITHIN(threads, 1, 1024)},
    {0, "checkpoint", "FILE", "the whole state into FILE at the end", CLI_TO(output.checkpoint)},
    {0, "checkpoint-every", "S", "... and every S seconds of simulated time",
     CLI_WITHIN(output.checkpoint_every, 1e-6, 1e7)},
    {0, "resume", "FILE", "goes on from a checkpoint of this scenario", CLI_TO(resume)},
    {0, "replay-log", "FILE", "carries out the commands of a log of a live run", CLI_TO(replay)},
    {'q', "quiet", NULL, "prints nothing but errors and what fails", CLI_TO(quiet)},
    CLI_HELP,
    CLI_ONE_WORD(scenario, "one scenario at a time: \"%2$s\" and \"%1$s\""),
};

static void print_help(void)
{
    printf(
        "usage: motorcade run SCENARIO.yaml [OPTIONS]\n\n"
        "Drives the vehicles of a scenario under their controllers, lets them collide where they "
        "meet,\nand says what it came to. docs/scenarios.md explains the file.\n\n");
    cli_print_options(options);
    printf("\nexit code: 0 good, 1 the run failed, 2 bad input, 3 an expectation of the scenario "
           "fails\n");
}

// ---- what it came to ----

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
        {MC_FIGURE_LARGEST_SPACING_ERROR, "error", "m, most"},
        {MC_FIGURE_SMALLEST_GAP, "gap", "m, least"},
        {MC_FIGURE_LARGEST_ACCELERATION, "|a|", "m/s2, most"},
        {MC_FIGURE_LARGEST_JERK, "|jerk|", "m/s3, most"},
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

static void print_collisions(const mc_run *run)
{
    int impact_count, count;
    const mc_impact *impacts = mc_run_impacts(run, &impact_count);
    mc_collision *collisions;
    mc_error error;
    if (mc_collisions_from_impacts(impacts, impact_count, MC_COLLISIONS_QUIET, &collisions, &count,
                                   &error) != MC_OK)
        return;
    if (count == 0)
        printf("no collisions\n");
    for (int k = 0; k < count && k < 20; k++)
        printf("collision at %.3f s: %s and %s, closing at %.2f m/s, impulse %.0f N s\n",
               collisions[k].first, mc_run_vehicle_name(run, collisions[k].a),
               mc_run_vehicle_name(run, collisions[k].b), collisions[k].closing,
               collisions[k].impulse);
    if (count > 20)
        printf("... and %d more collisions\n", count - 20);
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

static int play(const request *r, mc_run *run, mc_recording *rec, double end)
{
    mc_error error;
    progress bar;
    mc_run_watch watch = {.stop = interrupt_stop};
    interrupt_install();
    if (!r->quiet) {
        progress_begin(&bar, stderr, mc_run_time(run), end);
        watch = (mc_run_watch){&bar, interrupt_stop, progress_show};
    }
    const mc_status status = mc_recording_play(rec, &watch, &error);
    if (!r->quiet)
        progress_end(&bar, mc_run_time(run));
    int code = status == MC_OK ? 0 : cli_fail("motorcade run", &error);
    if (status == MC_OK || status == MC_INTERRUPTED) {
        if (!r->quiet) {
            print_vehicles(rec);
            print_collisions(run);
            printf("ended at %g s: %s\n", mc_run_time(run), mc_recording_ended(rec));
        }
        if (print_expectations(rec, r->quiet) > 0 && code == 0)
            code = EXIT_EXPECT;
    }
    if (mc_recording_close(rec, &error) != MC_OK)
        code = cli_fail("motorcade run", &error);
    return code;
}

// A checkpoint that cannot be gone on with is refused before files of an earlier run are touched.
static mc_status try_resume(mc_run *run, const char *checkpoint, mc_error *error)
{
    mc_recording *rec = mc_recording_open(run, &(mc_record_output){0}, error);
    if (!rec)
        return error->code;
    const mc_status status = mc_recording_resume(rec, checkpoint, error);
    mc_recording_abandon(rec);
    return status;
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
    if (status != MC_OK)
        return status;
    *run = mc_run_create(scenario, &(mc_run_options){.threads = r->threads}, error);
    if (!*run)
        return error->code;
    if (r->replay)
        status = mc_run_follow_log(*run, r->replay, error);
    if (status == MC_OK && r->resume)
        status = try_resume(*run, r->resume, error);
    if (status != MC_OK)
        return status;
    *rec = mc_recording_open(*run, &r->output, error);
    if (!*rec)
        return error->code;
    return r->resume ? mc_recording_resume(*rec, r->resume, error) : MC_OK;
}

static int run_scenario(const request *r)
{
    mc_error error;
    mc_run *run = NULL;
    mc_recording *rec = NULL;
    mc_scenario *scenario = mc_scenario_load(r->scenario, &error);
    if (!scenario)
        return cli_fail("motorcade run", &error);
    for (int k = 0; !r->quiet && k < mc_scenario_info_of(scenario)->warning_count; k++)
        fprintf(stderr, "warning: %s\n", mc_scenario_warning(scenario, k));
    int code;
    if (prepare(r, scenario, &run, &rec, &error) == MC_OK) {
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

// Files that are written must not be one another's, nor what is read.
static mc_status check_files(const request *r, mc_error *error)
{
    const char *const written[] = {r->output.hdf5, r->output.checkpoint, r->output.dynavis};
    const char *const read[] = {r->scenario, r->replay};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; written[i] && j < 2; j++)
            if (read[j] && cli_same_file(written[i], read[j]))
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "\"%s\" is read by this run: write to another file",
                                    written[i]);
        for (int j = i + 1; written[i] && j < 3; j++)
            if (written[j] && cli_same_file(written[i], written[j]))
                return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                    "\"%s\" is to be written twice", written[i]);
    }
    if (r->output.checkpoint_every > 0.0 && !r->output.checkpoint)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "--checkpoint-every needs --checkpoint FILE");
    return MC_OK;
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
        fprintf(stderr, "motorcade run: no scenario named; `motorcade run -h` explains\n");
        return 2;
    }
    if (check_files(&r, &error) != MC_OK)
        return cli_fail("motorcade run", &error);
    char *command = cli_command_text("motorcade run", argc, argv);
    r.output.command = command;
    const int code = run_scenario(&r);
    free(command);
    return code;
}
