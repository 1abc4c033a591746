// sweep.c - many runs of one scenario over all cores, each with its row in the journal.
//
// The scenario and the files it names are read once and parsed for every run from what was read:
// one that is edited on the disk meanwhile changes nothing.
#include "motorcade/sweep.h"

#include "base/bytes.h"
#include "base/pool.h"
#include "base/renamed.h"
#include "motorcade/record.h"
#include "runs/play.h"
#include "scenario/handle.h"
#include "scenario/set.h"
#include "sweep/axis.h"
#include "sweep/file.h"
#include "sweep/journal.h"
#include "sweep/share.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mc_sweep {
    sweep_plan plan;
    sweep_journal journal;
    scenario *base; // as it is, with the files it names
    int threads;
    bool interpret;
    unsigned renamed; // names of 0.1 in the scenario, sets and axes: bits by base/renamed.h
    char warning[1000];
    mc_sweep_counts counts;
    // of a play
    int *pending, pending_count;
    mc_watch watch;
    atomic_int next;
    atomic_bool ended;    // a stop was asked for, or something failed
    pthread_mutex_t lock; // of what follows, of counts and of the journal
    mc_status status;
    mc_error failure;
};

enum { ROW_SIZE = SWEEP_ROW_SIZE, SET_SIZE = 512 };

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the sweep");
}

// ---- one run ----

static mc_status set_axis(scenario *s, const mc_sweep_axis *axis, double value, const char **unit,
                          mc_error *error)
{
    char text[SET_SIZE], number[SWEEP_NUMBER_SIZE];
    snprintf(text, sizeof text, "%s=%s%s%s", axis->name, sweep_number(value, number),
             axis->unit_given ? " " : "", axis->unit_given ? axis->unit : "");
    return scenario_set_unit(s, text, unit, error);
}

// The scenario with what all runs have, made of the files as they were when the sweep was opened.
// NULL: see *error.
static scenario *parse(const mc_sweep *sweep, mc_error *error)
{
    const char *text = sweep->base->text;
    scenario *s = scenario_parse_version(sweep->base, text, strlen(text), false, error);
    for (int k = 0; s && k < sweep->plan.set_count; k++)
        if (scenario_set(s, sweep->plan.sets[k], error) != MC_OK) {
            scenario_free(s);
            return NULL;
        }
    return s;
}

static bool stop_asked(void *context)
{
    mc_sweep *sweep = context;
    if (!atomic_load(&sweep->ended) && sweep->watch.stop && sweep->watch.stop(sweep->watch.context))
        atomic_store(&sweep->ended, true);
    return atomic_load(&sweep->ended);
}

static mc_status play_run(mc_sweep *sweep, int run, runs_outcome *out, mc_error *error)
{
    scenario *read = parse(sweep, error);
    mc_status status = read ? MC_OK : error->code;
    const char *unit;
    for (int k = 0; k < sweep->plan.axis_count && status == MC_OK; k++)
        status = set_axis(read, &sweep->plan.axes[k], sweep_plan_value(&sweep->plan, run, k), &unit,
                          error);
    if (status != MC_OK) {
        scenario_free(read);
        return status;
    }
    mc_scenario *s = scenario_wrap(read, error);
    const mc_run_options options = {.threads = 1, .interpret = sweep->interpret};
    status =
        s ? runs_play(s, &options, &(mc_watch){sweep, stop_asked, NULL}, out, error) : error->code;
    mc_scenario_free(s);
    return status;
}

static mc_status take_outcome(mc_sweep *sweep, int run, runs_outcome *out, mc_error *error)
{
    runs_outcome_clear(out);
    return runs_outcome_judge(out, play_run(sweep, run, out, error), error);
}

// ---- rows ----

// A text as one value of a CSV file, in one line.
static int print_text(char *out, const char *text)
{
    char *to = out;
    const bool quoted = strpbrk(text, ",\"") != NULL;
    if (quoted)
        *to++ = '"';
    for (; *text; text++) {
        if (*text == '"')
            *to++ = '"';
        *to++ = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    if (quoted)
        *to++ = '"';
    return (int)(to - out);
}

static int print_row(const sweep_plan *p, int run, const runs_outcome *o, char row[ROW_SIZE])
{
    char number[SWEEP_NUMBER_SIZE];
    _Static_assert(SWEEP_START_SIZE + 2 * RUNS_ENDED_MAX +
                           (MC_FIGURE_COUNT + 2) * SWEEP_NUMBER_SIZE <
                       ROW_SIZE,
                   "a row fits");
    int length = sweep_plan_start(p, run, row);
    length += print_text(row + length, o->ended);
    length += sprintf(row + length, ",%s", sweep_number(o->failed, number));
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        if (sweep_figure_of_run((mc_figure_id)k))
            length += sprintf(row + length, ",%s", sweep_number(o->value[k], number));
    length += sprintf(row + length, ",%08x\n", sweep_row_check(row, length));
    return length;
}

static void end_with(mc_sweep *sweep, mc_status status, const mc_error *error)
{
    if (sweep->status == MC_OK) {
        sweep->status = status;
        sweep->failure = *error;
    }
    atomic_store(&sweep->ended, true);
}

mc_status sweep_do(mc_sweep *sweep, int run, char row[SWEEP_ROW_SIZE], int *length, mc_error *error)
{
    runs_outcome result = {0};
    const mc_status status = take_outcome(sweep, run, &result, error);
    *length = status == MC_OK ? print_row(&sweep->plan, run, &result, row) : 0;
    return status;
}

mc_status sweep_add(mc_sweep *sweep, int run, const char *row, int length, mc_error *error)
{
    pthread_mutex_lock(&sweep->lock);
    mc_status status = sweep->status;
    if (status == MC_OK) {
        status = sweep_journal_add(&sweep->journal, run, row, length, error);
        if (status != MC_OK)
            end_with(sweep, status, error);
    }
    if (status == MC_OK) {
        sweep->counts.done++;
        if (sweep->watch.progress)
            sweep->watch.progress(sweep->watch.context, sweep->counts.done);
    }
    pthread_mutex_unlock(&sweep->lock);
    return status;
}

void sweep_fail(mc_sweep *sweep, mc_status status, const mc_error *error)
{
    pthread_mutex_lock(&sweep->lock);
    end_with(sweep, status, error);
    pthread_mutex_unlock(&sweep->lock);
}

int sweep_hand_out(mc_sweep *sweep, int max, const int **runs)
{
    if (stop_asked(sweep))
        return 0;
    const int left = sweep->pending_count - atomic_load(&sweep->next);
    if (left <= 0)
        return 0;
    max = max < left ? max : left;
    const int first = atomic_fetch_add(&sweep->next, max);
    if (first >= sweep->pending_count) // others were faster
        return 0;
    *runs = sweep->pending + first;
    return first + max <= sweep->pending_count ? max : sweep->pending_count - first;
}

int sweep_left(const mc_sweep *sweep)
{
    const int left = sweep->pending_count - atomic_load(&sweep->next);
    return left > 0 ? left : 0;
}

// Where a process that has the journal gets its runs from, and where their rows go.
static int own_next(void *context)
{
    const int *run;
    return sweep_hand_out(context, 1, &run) ? *run : -1;
}

static mc_status own_take(void *context, int run, const char *row, int length, mc_error *error)
{
    return sweep_add(context, run, row, length, error);
}

typedef struct work {
    mc_sweep *sweep;
    const sweep_desk *desk;
} work;

// One thread: run after run, as long as there are any.
static void work_on(void *context, int thread)
{
    const work *w = context;
    char row[ROW_SIZE];
    (void)thread;
    for (int run; !stop_asked(w->sweep) && (run = w->desk->next(w->desk->context)) >= 0;) {
        mc_error error;
        int length;
        mc_status status = sweep_do(w->sweep, run, row, &length, &error);
        if (status == MC_OK)
            status = w->desk->take(w->desk->context, run, row, length, &error);
        if (status != MC_OK && status != MC_INTERRUPTED)
            sweep_fail(w->sweep, status, &error);
    }
}

static mc_status work_at(mc_sweep *sweep, const sweep_desk *desk, int threads, mc_error *error)
{
    pool *all = pool_create(threads);
    if (!all)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "cannot start threads for the sweep");
    pool_run(all, pool_thread_count(all), work_on, &(work){sweep, desk});
    pool_destroy(all);
    return MC_OK;
}

// ---- the sweep ----

static mc_status make_pending(mc_sweep *sweep, mc_error *error)
{
    const sweep_plan *p = &sweep->plan;
    free(sweep->pending);
    sweep->pending = malloc(((size_t)p->run_count + 1) * sizeof *sweep->pending);
    sweep->pending_count = 0;
    if (!sweep->pending)
        return no_memory(error);
    for (int run = p->shard - 1; run < p->run_count; run += p->shard_count)
        if (sweep->journal.offset[run] == 0)
            sweep->pending[sweep->pending_count++] = run;
    return MC_OK;
}

mc_status sweep_begin(mc_sweep *sweep, const mc_watch *watch, mc_error *error)
{
    sweep->watch = watch ? *watch : (mc_watch){0};
    sweep->status = MC_OK;
    atomic_store(&sweep->next, 0);
    atomic_store(&sweep->ended, false);
    sweep->pending_count = 0;
    return sweep->journal.complete ? MC_OK : make_pending(sweep, error);
}

mc_status sweep_work(mc_sweep *sweep, mc_error *error)
{
    const int requested = sweep->threads, max = sweep->pending_count;
    if (max == 0)
        return MC_OK;
    return work_at(sweep, &(sweep_desk){sweep, own_next, own_take},
                   requested > max ? max : requested, error);
}

mc_status sweep_help(mc_sweep *sweep, const sweep_desk *desk, const mc_watch *watch,
                     mc_error *error)
{
    sweep->watch = watch ? *watch : (mc_watch){0};
    sweep->status = MC_OK;
    atomic_store(&sweep->ended, false);
    const mc_status status = work_at(sweep, desk, sweep->threads, error);
    if (status == MC_OK && sweep->status != MC_OK)
        *error = sweep->failure;
    return status == MC_OK ? sweep->status : status;
}

mc_status sweep_finish(mc_sweep *sweep, mc_error *error)
{
    if (sweep->journal.complete)
        return MC_OK;
    mc_error second;
    const mc_status synced = sweep_journal_sync(&sweep->journal, &second);
    if (sweep->status == MC_OK && synced != MC_OK)
        end_with(sweep, synced, &second);
    const mc_sweep_counts *c = &sweep->counts;
    if (sweep->status != MC_OK) {
        *error = sweep->failure;
        return sweep->status;
    }
    if (c->found + c->done < c->share)
        return mc_error_set(
            error, MC_INTERRUPTED, NULL, 0, 0,
            "stopped: %d of %d runs are in %s; the same command continues with the others",
            c->found + c->done, c->share, sweep->journal.path);
    return sweep_journal_sort(&sweep->journal, &sweep->plan, error);
}

mc_status mc_sweep_play(mc_sweep *sweep, const mc_watch *watch, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    mc_status status = sweep_begin(sweep, watch, error);
    if (status == MC_OK)
        status = sweep_work(sweep, error);
    return status == MC_OK ? sweep_finish(sweep, error) : status;
}

// ---- before the first run ----

// The hash covers the files that the scenario names, too: they decide the runs as much as its text.
static mc_status note_scenario(mc_sweep *sweep, mc_error *error)
{
    const scenario *s = sweep->base;
    sweep->plan.hash = bytes_hash(BYTES_HASH_START, s->text, strlen(s->text));
    for (int k = 0; k < s->file_count; k++)
        sweep->plan.hash =
            bytes_hash(sweep->plan.hash, &s->files[k]->is.hash, sizeof s->files[k]->is.hash);
    char *title = arena_copy_text(&sweep->plan.memory, s->name, strlen(s->name));
    if (!title)
        return no_memory(error);
    for (char *c = title; *c; c++)
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    sweep->plan.title = title;
    return MC_OK;
}

// Every value of an axis, with nothing else varied: one that is rejected here fails all its runs.
static mc_status check_axis(mc_sweep *sweep, mc_sweep_axis *axis, mc_error *error)
{
    scenario *s = parse(sweep, error);
    if (!s)
        return error->code;
    const char *unit = "";
    mc_status status = set_axis(s, axis, axis->low, &unit, error);
    if (status == MC_OK)
        status = set_axis(s, axis, axis->high, &unit, error);
    for (int k = 0; k < axis->count && status == MC_OK; k++)
        status = set_axis(s, axis, axis->values[k], &unit, error);
    if (status == MC_OK && !axis->unit_given) {
        unit = strcmp(unit, "-") == 0 ? "" : unit;
        axis->unit = arena_copy_text(&sweep->plan.memory, unit, strlen(unit));
        status = axis->unit ? MC_OK : no_memory(error);
    }
    sweep->renamed |= s->renamed;
    scenario_free(s);
    return status;
}

// The scenario as it is: it must make a run, and its expectations must be understood.
static mc_status check_base(scenario *read, mc_error *error)
{
    mc_scenario *s = scenario_wrap(read, error);
    const mc_run_options options = {.threads = 1, .interpret = true}; // it makes no step
    mc_run *run = s ? mc_run_create(s, &options, error) : NULL;
    mc_recording *rec = run ? mc_recording_open(run, &(mc_record_output){0}, error) : NULL;
    const mc_status status = rec ? MC_OK : error->code;
    if (rec)
        mc_recording_abandon(rec);
    mc_run_destroy(run);
    mc_scenario_free(s);
    return status;
}

// What is named as in 0.1; the place is that of the first of them in the file.
static void note_renamed(mc_sweep *sweep)
{
    const scenario *s = sweep->base;
    char text[700];
    if (sweep->renamed == 0)
        return;
    renamed_text(sweep->renamed, text, sizeof text);
    if (s->renamed_place.line > 0)
        snprintf(sweep->warning, sizeof sweep->warning, "%.250s:%d:%d: %s", s->file,
                 s->renamed_place.line, s->renamed_place.column, text);
    else
        snprintf(sweep->warning, sizeof sweep->warning, "%s", text);
}

static mc_status prepare(mc_sweep *sweep, const mc_sweep_request *r, mc_error *error)
{
    mc_status status = sweep_plan_make(&sweep->plan, r, error);
    if (status != MC_OK)
        return status;
    sweep->base = r->text ? scenario_parse(r->text, strlen(r->text), r->scenario, error)
                          : scenario_read(r->scenario, error);
    if (!sweep->base)
        return error->code;
    status = note_scenario(sweep, error);
    if (status == MC_OK)
        status = check_base(parse(sweep, error), error);
    for (int k = 0; k < sweep->plan.axis_count && status == MC_OK; k++)
        status = check_axis(sweep, &sweep->plan.axes[k], error);
    note_renamed(sweep);
    return status == MC_OK && r->table
               ? sweep_journal_open(&sweep->journal, r->table, &sweep->plan, error)
               : status;
}

static mc_sweep *open_sweep(const mc_sweep_request *request, mc_error *error)
{
    mc_sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) {
        no_memory(error);
        return NULL;
    }
    pthread_mutex_init(&sweep->lock, NULL);
    sweep->journal.fd = -1;
    sweep->threads = request->threads;
    sweep->interpret = request->interpret;
    if (prepare(sweep, request, error) != MC_OK) {
        mc_sweep_close(sweep);
        return NULL;
    }
    sweep->counts = (mc_sweep_counts){.runs = sweep->plan.run_count,
                                      .share = sweep_plan_share(&sweep->plan),
                                      .found = sweep->journal.row_count};
    return sweep;
}

mc_sweep *mc_sweep_open(const mc_sweep_request *request, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    if (!request->table) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "a sweep needs a table to write");
        return NULL;
    }
    return open_sweep(request, error);
}

mc_sweep *sweep_open_helper(const mc_sweep_request *request, mc_error *error)
{
    mc_sweep_request without = *request;
    without.table = NULL;
    return open_sweep(&without, error);
}

unsigned long long sweep_identity(const mc_sweep *sweep)
{
    char *head = sweep_plan_head(&sweep->plan, false);
    const unsigned long long hash = head ? bytes_hash(BYTES_HASH_START, head, strlen(head)) : 0;
    free(head);
    return hash;
}

void mc_sweep_close(mc_sweep *sweep)
{
    if (!sweep)
        return;
    sweep_journal_close(&sweep->journal);
    sweep_plan_free(&sweep->plan);
    scenario_free(sweep->base);
    pthread_mutex_destroy(&sweep->lock);
    free(sweep->pending);
    free(sweep);
}

const char *mc_sweep_warning(const mc_sweep *sweep)
{
    return sweep->warning[0] ? sweep->warning : NULL;
}

mc_sweep_counts mc_sweep_count(const mc_sweep *sweep)
{
    return sweep->counts;
}

int mc_sweep_axes(const mc_sweep *sweep, const mc_sweep_axis **axes)
{
    *axes = sweep->plan.axes;
    return sweep->plan.axis_count;
}
