// sweep.c - `motorcade sweep SCENARIO.yaml --vary NAME=...`: many runs, one table.
#include "motorcade/sweep.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/detail.h"
#include "cli/guard.h"
#include "cli/options.h"
#include "cli/sweep.h"
#include "cli/sweep_progress.h"
#include "motorcade/multibody.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    mc_sweep_request sweep;
    cli_words vary, sets, figures, files, correlate;
    int seed; // -1: not given
    const char *svg, *percentiles;
    cli_detail detail;
    bool merge, quiet, help;
    const cli_sweep_host *host; // NULL: one process
    const char *program;        // for messages
} request;

// I/N
static mc_status take_shard(void *place, const cli_option *option, const char *value,
                            mc_error *error)
{
    mc_sweep_request *r = place;
    (void)option;
    char first[16];
    const size_t length = strcspn(value, "/");
    int shard = 0, count = 0;
    snprintf(first, sizeof first, "%.*s", length < 15 ? (int)length : 15, value);
    if (value[length] != '/' || length > 9 || !text_to_int(first, &shard) ||
        !text_to_int(value + length + 1, &count) || shard < 1 || count < 1 || shard > count)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --shard: found \"%.40s\", expected I/N with I from 1 to N, for "
                            "example 2/4",
                            value);
    r->shard = shard;
    r->shard_count = count;
    return MC_OK;
}

static const cli_option options[] = {
    {0, "vary", "NAME=VALUES",
     "an axis: mass=1200:2400:50 (from:to:step) or follow.k1=0.5,0.8; may be repeated",
     CLI_WITHIN(vary, 0, CLI_WORDS_MAX)},
    {0, "set", "NAME=VALUE", "set a parameter in all runs; may be repeated",
     CLI_WITHIN(sets, 0, CLI_WORDS_MAX)},
    {0, "seeds", "N", "another axis: seeds 1 to N of noise and message loss",
     CLI_WITHIN(sweep.seeds, 1, MC_SWEEP_RUN_MAX)},
    {0, "random", "N",
     "draw N random points instead of the grid; axes may then be from:to or normal:mean:deviation",
     CLI_WITHIN(sweep.random, 1, MC_SWEEP_RUN_MAX)},
    {0, "seed", "S", "seed of the random points (default: 1)", CLI_WITHIN(seed, 0, 1000000000)},
    {0, "correlate", "NAME,NAME=R", "correlation of two axes of random points; may be repeated",
     CLI_WITHIN(correlate, 0, CLI_WORDS_MAX)},
    {0, "percentiles", "FILE", "write percentiles of all figures over the runs (CSV)",
     CLI_TO(percentiles)},
    {'o', "table", " FILE", "table to write (CSV, mandatory); an incomplete table is resumed",
     CLI_TO(sweep.table)},
    {0, "svg", "FILE", "draw the results: curves over one axis, maps over two", CLI_TO(svg)},
    {0, "figure", "NAME",
     "figure to draw (default: largest.spacing_error, collisions); may be repeated",
     CLI_WITHIN(figures, 0, CLI_WORDS_MAX)},
    {0, "threads", "N", "number of parallel runs (default: all cores)",
     CLI_WITHIN(sweep.threads, 1, 1024)},
    {0, "shard", "I/N", "do only part I of N, in a separate table", CLI_BY(take_shard, sweep)},
    {0, "merge", NULL, "merge the tables of shards, given instead of a scenario", CLI_TO(merge)},
    {'q', "quiet", NULL, "print only errors", CLI_TO(quiet)},
    CLI_DETAIL,
    CLI_HELP,
    CLI_EACH_WORD(CLI_WITHIN(files, 0, CLI_WORDS_MAX)),
};

static void print_mpi_help(void)
{
    printf(
        "usage: mpirun -n N motorcade-mpi sweep SCENARIO.yaml --vary NAME=VALUES ... -o FILE "
        "[OPTIONS]\n\n"
        "`motorcade sweep` on N processes, which may be on several computers. The table has the\n"
        "same bytes. If a process is lost, the same command resumes the sweep. --threads counts\n"
        "parallel runs per process (default: 1). docs/clusters.md explains.\n\n");
    cli_print_options(options);
    printf("\nexit code: 0 success, 1 stopped or runs missing, 2 bad input\n");
}

static void print_help(void)
{
    printf(
        "usage: motorcade sweep SCENARIO.yaml --vary NAME=VALUES ... -o FILE [OPTIONS]\n"
        "       motorcade sweep --merge FILE ... -o FILE\n\n"
        "Simulates a scenario once for each combination of values, on all cores, and writes the\n"
        "figures of each run to a table. If it is stopped or killed, the same command resumes it.\n"
        "docs/sweeps.md explains.\n\n");
    cli_print_options(options);
    printf("\nexit code: 0 success, 1 stopped or runs missing, 2 bad input\n");
}

// ---- combinations of options ----

static mc_status reject(mc_error *error, const char *text)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s", text);
}

static mc_status check_merge(const request *r, mc_error *error)
{
    const mc_sweep_request *s = &r->sweep;
    if (r->vary.count || r->sets.count || r->correlate.count || s->seeds || s->random ||
        r->seed >= 0 || s->shard_count || s->threads)
        return reject(error, "option --merge: joins existing tables; only -o, --svg, --figure, "
                             "--percentiles and -q may be given with it");
    if (r->files.count == 0)
        return reject(error, "option --merge: no tables given");
    return MC_OK;
}

static mc_status check_sweep(const request *r, mc_error *error)
{
    if (r->files.count == 0)
        return reject(error, "no scenario given; `motorcade sweep -h` explains");
    if (r->files.count > 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "only one scenario is expected: found \"%.100s\" and \"%.100s\"",
                            r->files.word[0], r->files.word[1]);
    if (r->seed >= 0 && !r->sweep.random)
        return reject(error, "option --seed: only with --random; to vary the scenario's seed use "
                             "--vary seed=1:10:1 or --seeds 10");
    if (r->percentiles && r->sweep.shard_count > 1)
        return reject(error, "option --percentiles: a shard has only part of the results; use it "
                             "with --merge");
    if (r->svg && r->sweep.shard_count > 1)
        return reject(error,
                      "option --svg: a shard has only part of the results; use it with --merge");
    return MC_OK;
}

// A scenario that cannot be read is reported when it is swept.
static mc_status check_files(const request *r, mc_error *error)
{
    mc_error unused;
    mc_scenario *scenario = r->merge ? NULL : mc_scenario_load(r->files.word[0], &unused);
    cli_guard g = {0};
    for (int k = 0; k < r->files.count; k++)
        cli_guard_reads(&g, r->merge ? "a table to be joined" : "the scenario", r->files.word[k]);
    cli_guard_reads_scenario(&g, scenario);
    cli_guard_writes(&g, "-o", r->sweep.table);
    cli_guard_writes(&g, "--svg", r->svg);
    cli_guard_writes(&g, "--percentiles", r->percentiles);
    const mc_status status = cli_guard_check(&g, error);
    mc_scenario_free(scenario);
    return status;
}

static mc_status check(const request *r, mc_error *error)
{
    mc_status status = r->merge ? check_merge(r, error) : check_sweep(r, error);
    if (status != MC_OK)
        return status;
    if (!r->sweep.table)
        return reject(error, "no table given; add -o FILE, for example -o sweep.csv");
    if (r->figures.count > 0 && !r->svg)
        return reject(error, "option --figure needs --svg FILE");
    for (int k = 0; k < r->figures.count && status == MC_OK; k++)
        status = mc_sweep_check_figure(r->figures.word[k], error);
    if (status == MC_OK)
        status = check_files(r, error);
    if (status == MC_OK && r->svg)
        status = cli_check_writable(r->svg, error);
    if (status == MC_OK && r->percentiles)
        status = cli_check_writable(r->percentiles, error);
    return status;
}

// ---- summary ----

// "run 3, mass = 1200 kg"
static void print_place(const mc_sweep_table *t, const mc_sweep_row *row)
{
    printf(" (run %d", row->run);
    for (int k = 0; k < t->axis_count; k++)
        printf(", %s = %.10g%s%s", t->axes[k].name, row->axis[k], t->axes[k].unit[0] ? " " : "",
               t->axes[k].unit);
    printf(")");
}

static void print_range(const mc_sweep_table *t, mc_figure_id id)
{
    const mc_sweep_row *min = NULL, *max = NULL;
    for (int k = 0; k < t->row_count; k++) {
        const mc_sweep_row *row = &t->rows[k];
        if (isnan(row->value[id]))
            continue;
        min = !min || row->value[id] < min->value[id] ? row : min;
        max = !max || row->value[id] > max->value[id] ? row : max;
    }
    if (!min)
        return;
    const char *unit = mc_figure_table[id].unit;
    unit = strcmp(unit, "-") == 0 ? "" : unit;
    printf("%s: from %.4g%s%s", mc_figure_table[id].name, min->value[id], *unit ? " " : "", unit);
    print_place(t, min);
    printf("\n%*s to %.4g%s%s", (int)strlen(mc_figure_table[id].name) + 3, "", max->value[id],
           *unit ? " " : "", unit);
    print_place(t, max);
    printf("\n");
}

static void print_percentiles(const mc_sweep_table *t, mc_figure_id id)
{
    if (t->random == 0 || isnan(mc_sweep_percentile(t, id, 0.5)))
        return;
    printf("%s: 5 %% of the runs below %.4g, half below %.4g, 95 %% below %.4g\n",
           mc_figure_table[id].name, mc_sweep_percentile(t, id, 0.05),
           mc_sweep_percentile(t, id, 0.5), mc_sweep_percentile(t, id, 0.95));
}

static mc_status print_summary(const request *r, mc_error *error)
{
    mc_sweep_table *t = mc_sweep_table_load(r->sweep.table, error);
    if (!t)
        return error->code;
    int failed = 0, unmet = 0, collided = 0;
    const char *why = NULL;
    for (int k = 0; k < t->row_count; k++) {
        const mc_sweep_row *row = &t->rows[k];
        failed += isnan(row->failed);
        unmet += row->failed > 0.0;
        collided += row->value[MC_FIGURE_COLLISIONS] > 0.0;
        why = why || !isnan(row->failed) ? why : row->ended;
    }
    printf("%d runs: %d with collisions, %d with failed expectations, %d that failed\n",
           t->row_count, collided, unmet, failed);
    if (why)
        printf("the first failure: %s\n", why);
    for (int k = 0; k < (r->figures.count ? r->figures.count : 1); k++) {
        const mc_figure_id id =
            r->figures.count ? mc_figure_find(r->figures.word[k]) : MC_FIGURE_LARGEST_SPACING_ERROR;
        print_range(t, id);
        print_percentiles(t, id);
    }
    mc_sweep_table_free(t);
    return MC_OK;
}

static int finish(const request *r)
{
    mc_error error;
    mc_status status = r->quiet ? MC_OK : print_summary(r, &error);
    if (status == MC_OK && r->svg)
        status = mc_sweep_draw(r->sweep.table, r->figures.word, r->figures.count, r->svg, &error);
    if (status == MC_OK && r->percentiles)
        status = mc_sweep_write_percentiles(r->sweep.table, r->percentiles, &error);
    return status == MC_OK ? 0 : cli_fail(r->program, &error);
}

// ---- doing it ----

static int play(const request *r, mc_sweep *sweep)
{
    mc_error error;
    sweep_progress bar;
    mc_sweep_counts c = mc_sweep_count(sweep);
    mc_watch watch = {.context = &bar, .stop = interrupt_stop};
    const bool whole = c.share == c.runs;
    if (!r->quiet && c.found == c.share)
        printf("%s: all %d runs are done, nothing to do\n", r->sweep.table, c.share);
    else if (!r->quiet && c.found > 0)
        printf("%s: %d of %d runs are done, continuing with the other %d\n", r->sweep.table,
               c.found, c.share, c.share - c.found);
    else if (!r->quiet)
        printf("%d runs%s\n", c.share, whole ? "" : " of this shard");
    fflush(stdout);
    interrupt_install();
    if (!r->quiet && c.found < c.share) {
        watch.progress = sweep_progress_update;
        sweep_progress_begin(&bar, stderr, sweep);
    }
    const mc_status status = r->host ? r->host->play(r->host->context, sweep, &watch, &error)
                                     : mc_sweep_play(sweep, &watch, &error);
    if (watch.progress)
        sweep_progress_end(&bar);
    c = mc_sweep_count(sweep);
    if (status != MC_OK)
        return cli_fail(r->program, &error);
    if (!r->quiet && c.done > 0)
        printf("%s: %d runs done, %d found in the table\n", r->sweep.table, c.done, c.found);
    return 0;
}

static void complete(request *r)
{
    r->sweep.scenario = r->files.word[0];
    r->sweep.vary = r->vary.word;
    r->sweep.vary_count = r->vary.count;
    r->sweep.set = r->sets.word;
    r->sweep.set_count = r->sets.count;
    r->sweep.correlate = r->correlate.word;
    r->sweep.correlate_count = r->correlate.count;
    r->sweep.seed = r->seed < 0 ? 1 : (unsigned long long)r->seed;
    if (r->host && r->sweep.threads == 0)
        r->sweep.threads = 1; // the other cores have processes of their own
}

static int run_sweep(request *r)
{
    mc_error error;
    complete(r);
    detail_machine(&r->detail, r->sweep.threads);
    if (detail_file(&r->detail, r->sweep.scenario, &error) != MC_OK)
        return cli_fail(r->program, &error);
    mc_sweep *sweep = mc_sweep_open(&r->sweep, &error);
    if (!sweep)
        return cli_fail(r->program, &error);
    if (!r->quiet && mc_sweep_warning(sweep))
        fprintf(stderr, "warning: %s\n", mc_sweep_warning(sweep));
    const int code = play(r, sweep);
    mc_sweep_close(sweep);
    return code ? code : finish(r);
}

static int run_merge(const request *r)
{
    mc_error error;
    mc_sweep_merged merged;
    if (mc_sweep_merge(r->files.word, r->files.count, r->sweep.table, &merged, &error) != MC_OK)
        return cli_fail(r->program, &error);
    if (merged.twice > 0)
        fprintf(stderr, "%s: %d run%s in more than one table, with identical rows: %s\n",
                r->program, merged.twice, merged.twice == 1 ? "" : "s", merged.twice_list);
    const int code = finish(r);
    if (merged.missing == 0)
        return code;
    fprintf(stderr,
            "%s: %d of %d runs are missing: %s; complete %s with the command of the "
            "sweep without --shard, or merge the tables that have them\n",
            r->program, merged.missing, merged.runs, merged.missing_list, r->sweep.table);
    return code ? code : 1;
}

static bool has_model(int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (argv[k][0] != '-' && mc_multibody_is_model(argv[k]))
            return true;
    return false;
}

static int sweep_by(int argc, char **argv, request *r)
{
    mc_error error;
    if (cli_read(argc, argv, options, r, &error) != MC_OK)
        return cli_fail(r->program, &error);
    if (r->help) {
        r->host ? print_mpi_help() : print_help();
        return 0;
    }
    if (check(r, &error) != MC_OK)
        return cli_fail(r->program, &error);
    return r->merge ? run_merge(r) : run_sweep(r);
}

int cli_sweep(int argc, char **argv)
{
    request r = {.seed = -1, .program = "motorcade sweep"};
    return has_model(argc, argv) ? cli_sweep_model(argc, argv) : sweep_by(argc, argv, &r);
}

int cli_sweep_hosted(int argc, char **argv, const cli_sweep_host *host)
{
    request r = {.seed = -1, .program = "motorcade-mpi sweep", .host = host};
    mc_error error;
    if (!has_model(argc, argv))
        return sweep_by(argc, argv, &r);
    reject(&error, "a sweep of a mechanism is not distributed; use `motorcade sweep`");
    return cli_fail(r.program, &error);
}

mc_status cli_sweep_help(int argc, char **argv, const cli_sweep_host *host, mc_error *error)
{
    request r = {.seed = -1, .program = "motorcade-mpi sweep", .host = host};
    mc_status status = cli_read(argc, argv, options, &r, error);
    if (status == MC_OK)
        status = check_sweep(&r, error);
    if (status != MC_OK)
        return status;
    complete(&r);
    return host->help(host->context, &r.sweep, error);
}
