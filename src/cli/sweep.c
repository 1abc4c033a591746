// sweep.c - `motorcade sweep SCENARIO.yaml --vary NAME=...`: many runs, one table.
#include "motorcade/sweep.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/sweep_progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    mc_sweep_request sweep;
    cli_words vary, sets, figures, files;
    int seed; // -1: not given
    const char *svg;
    bool merge, quiet, help;
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
     "an axis: mass=1200:2400:50 (from:to:step) or follow.k1=0.5,0.8; repeatable",
     CLI_WITHIN(vary, 0, CLI_WORDS_MOST)},
    {0, "set", "NAME=VALUE", "another value of a parameter in all runs; repeatable",
     CLI_WITHIN(sets, 0, CLI_WORDS_MOST)},
    {0, "seeds", "N", "an axis more: the seeds 1 to N of noise and loss",
     CLI_WITHIN(sweep.seeds, 1, MC_SWEEP_RUN_MOST)},
    {0, "random", "N", "draw N points from the axes instead of the grid; from:to is enough then",
     CLI_WITHIN(sweep.random, 1, MC_SWEEP_RUN_MOST)},
    {0, "seed", "S", "of the draws (default: 1)", CLI_WITHIN(seed, 0, 1000000000)},
    {'o', "table", " FILE", "table (CSV), mandatory; goes on with it when runs are missing in it",
     CLI_TO(sweep.table)},
    {0, "svg", "FILE", "draws it: curves over one axis, maps over two", CLI_TO(svg)},
    {0, "figure", "NAME", "what is drawn (default: largest.spacing_error, collisions); repeatable",
     CLI_WITHIN(figures, 0, CLI_WORDS_MOST)},
    {0, "threads", "N", "runs at a time; all cores if left out",
     CLI_WITHIN(sweep.threads, 1, 1024)},
    {0, "shard", "I/N", "only part I of N, in a table of its own", CLI_BY(take_shard, sweep)},
    {0, "merge", NULL, "joins the tables of shards, named instead of a scenario", CLI_TO(merge)},
    {'q', "quiet", NULL, "prints nothing but errors", CLI_TO(quiet)},
    CLI_HELP,
    CLI_EACH_WORD(CLI_WITHIN(files, 0, CLI_WORDS_MOST)),
};

static void print_help(void)
{
    printf("usage: motorcade sweep SCENARIO.yaml --vary NAME=VALUES ... -o FILE [OPTIONS]\n"
           "       motorcade sweep --merge FILE ... -o FILE\n\n"
           "Drives a scenario once for each combination of values, over all cores, and writes the "
           "figures\nof each run into a table. Stopped or killed, the same command goes on with "
           "it.\ndocs/sweeps.md explains.\n\n");
    cli_print_options(options);
    printf("\nexit code: 0 good, 1 stopped or not all runs there, 2 bad input\n");
}

// ---- what goes together ----

static mc_status refuse(mc_error *error, const char *text)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%s", text);
}

static mc_status check_merge(const request *r, mc_error *error)
{
    const mc_sweep_request *s = &r->sweep;
    if (r->vary.count || r->sets.count || s->seeds || s->random || r->seed >= 0 || s->shard_count ||
        s->threads)
        return refuse(error, "--merge joins tables that are there; it takes no other option than "
                             "-o, --svg, --figure and -q");
    if (r->files.count == 0)
        return refuse(error, "--merge needs the tables to join");
    return MC_OK;
}

static mc_status check_sweep(const request *r, mc_error *error)
{
    if (r->files.count == 0)
        return refuse(error, "no scenario named; `motorcade sweep -h` explains");
    if (r->files.count > 1)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "one scenario at a time: \"%.100s\" and \"%.100s\"", r->files.word[0],
                            r->files.word[1]);
    if (r->seed >= 0 && !r->sweep.random)
        return refuse(error, "--seed is for --random; the scenario's own seed is an axis: "
                             "--vary seed=1:10:1, or --seeds 10");
    if (r->svg && r->sweep.shard_count > 1)
        return refuse(error, "a shard has only a part of the picture; give --svg to --merge");
    return MC_OK;
}

static mc_status check(const request *r, mc_error *error)
{
    mc_status status = r->merge ? check_merge(r, error) : check_sweep(r, error);
    if (status != MC_OK)
        return status;
    if (!r->sweep.table)
        return refuse(error, "no table named: -o sweep.csv");
    if (r->figures.count > 0 && !r->svg)
        return refuse(error, "--figure chooses what --svg draws; give --svg FILE too");
    for (int k = 0; k < r->figures.count && status == MC_OK; k++)
        status = mc_sweep_check_figure(r->figures.word[k], error);
    for (int k = 0; k < r->files.count && status == MC_OK && !r->merge; k++)
        if (cli_same_file(r->files.word[k], r->sweep.table) ||
            (r->svg && cli_same_file(r->files.word[k], r->svg)))
            status = refuse(error, "a result would take the place of the scenario");
    if (status == MC_OK && r->svg && cli_same_file(r->svg, r->sweep.table))
        status = refuse(error, "table and picture have the same name");
    if (status == MC_OK && r->svg)
        status = cli_check_writable(r->svg, error);
    return status;
}

// ---- what it came to ----

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
    const mc_sweep_row *least = NULL, *most = NULL;
    for (int k = 0; k < t->row_count; k++) {
        const mc_sweep_row *row = &t->rows[k];
        if (isnan(row->value[id]))
            continue;
        least = !least || row->value[id] < least->value[id] ? row : least;
        most = !most || row->value[id] > most->value[id] ? row : most;
    }
    if (!least)
        return;
    const char *unit = mc_figure_table[id].unit;
    unit = strcmp(unit, "-") == 0 ? "" : unit;
    printf("%s: from %.4g%s%s", mc_figure_table[id].name, least->value[id], *unit ? " " : "", unit);
    print_place(t, least);
    printf("\n%*s to %.4g%s%s", (int)strlen(mc_figure_table[id].name) + 3, "", most->value[id],
           *unit ? " " : "", unit);
    print_place(t, most);
    printf("\n");
}

static mc_status print_summary(const request *r, mc_error *error)
{
    mc_sweep_table *t = mc_sweep_table_read(r->sweep.table, error);
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
    printf("%d runs: %d with collisions, %d with expectations that fail, %d that failed\n",
           t->row_count, collided, unmet, failed);
    if (why)
        printf("the first that failed: %s\n", why);
    if (r->figures.count == 0)
        print_range(t, MC_FIGURE_LARGEST_SPACING_ERROR);
    for (int k = 0; k < r->figures.count; k++)
        print_range(t, mc_figure_find(r->figures.word[k]));
    mc_sweep_table_free(t);
    return MC_OK;
}

static int finish(const request *r)
{
    mc_error error;
    mc_status status = r->quiet ? MC_OK : print_summary(r, &error);
    if (status == MC_OK && r->svg)
        status = mc_sweep_draw(r->sweep.table, r->figures.word, r->figures.count, r->svg, &error);
    return status == MC_OK ? 0 : cli_fail("motorcade sweep", &error);
}

// ---- doing it ----

static int play(const request *r, mc_sweep *sweep)
{
    mc_error error;
    sweep_progress bar;
    mc_sweep_counts c = mc_sweep_count(sweep);
    mc_sweep_watch watch = {.context = &bar, .stop = interrupt_stop};
    const bool whole = c.share == c.runs;
    if (!r->quiet && c.found == c.share)
        printf("%s: all %d runs are there, nothing is left to do\n", r->sweep.table, c.share);
    else if (!r->quiet && c.found > 0)
        printf("%s: %d of %d runs are there, going on with the other %d\n", r->sweep.table, c.found,
               c.share, c.share - c.found);
    else if (!r->quiet)
        printf("%d runs%s\n", c.share, whole ? "" : " of this shard");
    fflush(stdout);
    interrupt_install();
    if (!r->quiet && c.found < c.share) {
        watch.progress = sweep_progress_update;
        sweep_progress_begin(&bar, stderr);
    }
    const mc_status status = mc_sweep_play(sweep, &watch, &error);
    c = mc_sweep_count(sweep);
    if (watch.progress)
        sweep_progress_end(&bar, &c);
    if (status != MC_OK)
        return cli_fail("motorcade sweep", &error);
    if (!r->quiet && c.done > 0)
        printf("%s: %d runs done, %d were there\n", r->sweep.table, c.done, c.found);
    return 0;
}

static int run_sweep(request *r)
{
    mc_error error;
    r->sweep.scenario = r->files.word[0];
    r->sweep.vary = r->vary.word;
    r->sweep.vary_count = r->vary.count;
    r->sweep.set = r->sets.word;
    r->sweep.set_count = r->sets.count;
    r->sweep.seed = r->seed < 0 ? 1 : (unsigned long long)r->seed;
    mc_sweep *sweep = mc_sweep_open(&r->sweep, &error);
    if (!sweep)
        return cli_fail("motorcade sweep", &error);
    const int code = play(r, sweep);
    mc_sweep_close(sweep);
    return code ? code : finish(r);
}

static int run_merge(const request *r)
{
    mc_error error;
    mc_sweep_merged merged;
    if (mc_sweep_merge(r->files.word, r->files.count, r->sweep.table, &merged, &error) != MC_OK)
        return cli_fail("motorcade sweep", &error);
    if (merged.twice > 0)
        fprintf(stderr, "motorcade sweep: %d run%s in several tables, with the same row: %s\n",
                merged.twice, merged.twice == 1 ? "" : "s", merged.twice_list);
    const int code = finish(r);
    if (merged.missing == 0)
        return code;
    fprintf(stderr,
            "motorcade sweep: %d of %d runs are missing: %s; do them in %s by the command of the "
            "sweep without --shard, or merge the tables that have them\n",
            merged.missing, merged.runs, merged.missing_list, r->sweep.table);
    return code ? code : 1;
}

int cli_sweep(int argc, char **argv)
{
    request r = {.seed = -1};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail("motorcade sweep", &error);
    if (r.help) {
        print_help();
        return 0;
    }
    if (check(&r, &error) != MC_OK)
        return cli_fail("motorcade sweep", &error);
    return r.merge ? run_merge(&r) : run_sweep(&r);
}
