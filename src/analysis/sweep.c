// sweep.c - many runs of one scenario over all cores, each with its row in the journal.
//
// The scenario is read once and parsed anew from that text for every run: a scenario that is edited
// while a sweep goes on changes nothing. Other files it names are opened by every run.
#include "motorcade/sweep.h"

#include "analysis/sweep_axis.h"
#include "analysis/sweep_journal.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/pool.h"
#include "model/scenario_set.h"
#include "motorcade/record.h"
#include "sim/scenario.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mc_sweep {
    sweep_plan plan;
    sweep_journal journal;
    arena memory;
    const char *path, *text; // of the scenario
    size_t text_size;
    int threads;
    bool interpret;
    mc_sweep_counts counts;
    // of a play
    int *pending, pending_count;
    mc_sweep_watch watch;
    atomic_int next;
    atomic_bool ended;    // a stop was asked for, or something failed
    pthread_mutex_t lock; // of what follows, of counts and of the journal
    mc_status status;
    mc_error *error;
};

enum { ROW_SIZE = 4096, ENDED_MOST = 400, SET_SIZE = 512 };

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

// The scenario with what all runs have. NULL: see *error.
static scenario *parse(const mc_sweep *sweep, mc_error *error)
{
    scenario *s = scenario_parse(sweep->text, sweep->text_size, sweep->path, error);
    for (int k = 0; s && k < sweep->plan.set_count; k++)
        if (scenario_set(s, sweep->plan.sets[k], error) != MC_OK) {
            scenario_free(s);
            return NULL;
        }
    return s;
}

typedef struct outcome {
    char ended[ENDED_MOST];
    double failed;
    double value[MC_FIGURE_COUNT];
} outcome;

static bool stop_asked(void *context)
{
    mc_sweep *sweep = context;
    if (!atomic_load(&sweep->ended) && sweep->watch.stop && sweep->watch.stop(sweep->watch.context))
        atomic_store(&sweep->ended, true);
    return atomic_load(&sweep->ended);
}

// Figures of numbers that are none would pass for a result.
static mc_status check_finite(const mc_run *run, mc_error *error)
{
    for (int k = 0; k < mc_run_vehicle_count(run); k++) {
        mc_run_view view;
        mc_run_look(run, k, &view);
        if (!isfinite(view.motion.x) || !isfinite(view.motion.v) || !isfinite(view.motion.a))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "position, speed or acceleration of %s is not finite at t = %g s",
                                mc_run_vehicle_name(run, k), mc_run_time(run));
    }
    return MC_OK;
}

static mc_status play_scenario(mc_sweep *sweep, const mc_scenario *s, outcome *out, mc_error *error)
{
    const mc_run_options options = {.threads = 1, .interpret = sweep->interpret};
    mc_run *run = mc_run_create(s, &options, error);
    mc_recording *rec = run ? mc_recording_open(run, &(mc_record_output){0}, error) : NULL;
    mc_status status = rec ? MC_OK : error->code;
    if (rec)
        status = mc_recording_play(rec, &(mc_run_watch){sweep, stop_asked, NULL}, error);
    if (status == MC_OK)
        status = check_finite(run, error);
    if (status == MC_OK) {
        snprintf(out->ended, sizeof out->ended, "%s", mc_recording_ended(rec));
        out->failed = mc_recording_failed(rec);
        for (int k = 0; k < MC_FIGURE_COUNT; k++)
            out->value[k] = mc_figures_value(mc_recording_figures(rec), -1, (mc_figure_id)k);
    }
    if (rec)
        mc_recording_abandon(rec);
    mc_run_destroy(run);
    return status;
}

static mc_status play_run(mc_sweep *sweep, int run, outcome *out, mc_error *error)
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
    status = s ? play_scenario(sweep, s, out, error) : error->code;
    mc_scenario_free(s);
    return status;
}

// A failure that belongs to the values of the run is its result.
static mc_status take_outcome(mc_sweep *sweep, int run, outcome *out, mc_error *error)
{
    *out = (outcome){.failed = NAN};
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        out->value[k] = NAN;
    const mc_status status = play_run(sweep, run, out, error);
    if (status != MC_BAD_INPUT && status != MC_FAILED)
        return status;
    snprintf(out->ended, sizeof out->ended, "failed: %.380s", error->text);
    return MC_OK;
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

static int print_row(const sweep_plan *p, int run, const outcome *o, char row[ROW_SIZE])
{
    char number[SWEEP_NUMBER_SIZE];
    _Static_assert(SWEEP_START_SIZE + 2 * ENDED_MOST + (MC_FIGURE_COUNT + 2) * SWEEP_NUMBER_SIZE <
                       ROW_SIZE,
                   "a row fits");
    int length = sweep_plan_start(p, run, row);
    length += print_text(row + length, o->ended);
    length += sprintf(row + length, ",%s", sweep_number(o->failed, number));
    for (int k = 0; k < MC_FIGURE_COUNT; k++)
        if (sweep_figure_of_run((mc_figure_id)k))
            length += sprintf(row + length, ",%s", sweep_number(o->value[k], number));
    row[length++] = '\n';
    return length;
}

static void end_with(mc_sweep *sweep, mc_status status, const mc_error *error)
{
    if (sweep->status == MC_OK) {
        sweep->status = status;
        *sweep->error = *error;
    }
    atomic_store(&sweep->ended, true);
}

// One of the pending runs; which one does not depend on the index, so that they go in order.
static void task(void *context, int index)
{
    (void)index;
    mc_sweep *sweep = context;
    if (stop_asked(sweep))
        return;
    const int run = sweep->pending[atomic_fetch_add(&sweep->next, 1)];
    outcome result;
    mc_error error;
    char row[ROW_SIZE];
    mc_status status = take_outcome(sweep, run, &result, &error);
    const int length = status == MC_OK ? print_row(&sweep->plan, run, &result, row) : 0;
    pthread_mutex_lock(&sweep->lock);
    if (status == MC_OK && sweep->status == MC_OK) {
        status = sweep_journal_add(&sweep->journal, run, row, length, &error);
        if (status == MC_OK) {
            sweep->counts.done++;
            if (sweep->watch.progress)
                sweep->watch.progress(sweep->watch.context, &sweep->counts);
        }
    }
    if (status != MC_OK && status != MC_INTERRUPTED)
        end_with(sweep, status, &error);
    pthread_mutex_unlock(&sweep->lock);
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

static mc_status play_pending(mc_sweep *sweep, mc_error *error)
{
    const int wanted = sweep->threads, most = sweep->pending_count;
    pool *threads = pool_create(wanted > most ? most : wanted);
    if (!threads)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no threads for the sweep");
    sweep->status = MC_OK;
    sweep->error = error;
    atomic_store(&sweep->next, 0);
    atomic_store(&sweep->ended, false);
    pool_run(threads, sweep->pending_count, task, sweep);
    pool_destroy(threads);
    mc_error second;
    const mc_status synced = sweep_journal_sync(&sweep->journal, &second);
    if (sweep->status == MC_OK && synced != MC_OK)
        end_with(sweep, synced, &second);
    const mc_sweep_counts *c = &sweep->counts;
    if (sweep->status == MC_OK && c->found + c->done < c->share)
        return mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0,
                            "stopped: %d of %d runs are in %s; the same command goes on with the "
                            "others",
                            c->found + c->done, c->share, sweep->journal.path);
    return sweep->status;
}

mc_status mc_sweep_play(mc_sweep *sweep, const mc_sweep_watch *watch, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    sweep->watch = watch ? *watch : (mc_sweep_watch){0};
    if (sweep->journal.complete)
        return MC_OK;
    mc_status status = make_pending(sweep, error);
    if (status == MC_OK && sweep->pending_count > 0)
        status = play_pending(sweep, error);
    return status == MC_OK ? sweep_journal_sort(&sweep->journal, &sweep->plan, error) : status;
}

// ---- before the first run ----

// The hash covers what other files say, too: it decides the runs as much as the scenario's text.
// Cars taken from car files and files of models count by their numbers, the rest by its text.
static void hash_model(const scenario_model *m, unsigned long long *hash)
{
    const cosserat_model *c = &m->cosserat;
    const struct {
        const void *data;
        size_t size;
    } parts[] = {{m->car.p, sizeof m->car.p},
                 {m->car.powertrain_p, sizeof m->car.powertrain_p},
                 {c->p, sizeof c->p},
                 {c->suspension, sizeof c->suspension},
                 {c->shape, sizeof c->shape},
                 {&c->plastic, sizeof c->plastic},
                 {c->plastic_p, sizeof c->plastic_p},
                 {c->tyre ? c->tyre->name : "", c->tyre ? strlen(c->tyre->name) : 0},
                 {c->tyre_p, sizeof c->tyre_p},
                 {c->drive, sizeof c->drive},
                 {c->powertrain_p, sizeof c->powertrain_p},
                 {m->vertical, sizeof m->vertical}};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        *hash = bytes_hash(*hash, parts[k].data, parts[k].size);
}

static mc_status hash_file(const char *path, unsigned long long *hash, mc_error *error)
{
    arena memory = {0};
    char *data;
    size_t size;
    if (!path || !*path)
        return MC_OK;
    const mc_status status = file_read(&memory, path, 0, &data, &size, error);
    if (status == MC_OK)
        *hash = bytes_hash(*hash, data, size);
    arena_free(&memory);
    return status;
}

static mc_status hash_scenario(mc_sweep *sweep, const scenario *s, mc_error *error)
{
    sweep->plan.hash = bytes_hash(BYTES_HASH_START, sweep->text, sweep->text_size);
    mc_status status = MC_OK;
    for (int k = 0; k < s->model_count && status == MC_OK; k++) {
        hash_model(&s->models[k], &sweep->plan.hash);
        status = hash_file(s->models[k].mechanism, &sweep->plan.hash, error);
    }
    for (int k = 0; k < s->vehicle_count && status == MC_OK; k++)
        status = hash_file(s->vehicles[k].driver_file, &sweep->plan.hash, error);
    char *title = arena_copy_text(&sweep->plan.memory, s->name, strlen(s->name));
    if (!title)
        return no_memory(error);
    for (char *c = title; *c; c++)
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    sweep->plan.title = title;
    return status;
}

// Every value of an axis, with nothing else varied: one that is refused here fails all its runs.
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

static mc_status prepare(mc_sweep *sweep, const mc_sweep_request *r, mc_error *error)
{
    char *text;
    mc_status status = sweep_plan_make(&sweep->plan, r, error);
    if (status == MC_OK && r->text) {
        sweep->text_size = strlen(r->text);
        text = arena_copy_text(&sweep->memory, r->text, sweep->text_size);
        status = text ? MC_OK : no_memory(error);
    } else if (status == MC_OK) {
        status = file_read(&sweep->memory, r->scenario, 0, &text, &sweep->text_size, error);
    }
    if (status != MC_OK)
        return status;
    sweep->text = text;
    sweep->path = arena_copy_text(&sweep->memory, r->scenario, strlen(r->scenario));
    if (!sweep->path)
        return no_memory(error);
    scenario *s = parse(sweep, error);
    if (!s)
        return error->code;
    status = hash_scenario(sweep, s, error);
    if (status != MC_OK) {
        scenario_free(s);
        return status;
    }
    status = check_base(s, error);
    for (int k = 0; k < sweep->plan.axis_count && status == MC_OK; k++)
        status = check_axis(sweep, &sweep->plan.axes[k], error);
    return status == MC_OK ? sweep_journal_open(&sweep->journal, r->table, &sweep->plan, error)
                           : status;
}

mc_sweep *mc_sweep_open(const mc_sweep_request *request, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
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

void mc_sweep_close(mc_sweep *sweep)
{
    if (!sweep)
        return;
    sweep_journal_close(&sweep->journal);
    sweep_plan_free(&sweep->plan);
    arena_free(&sweep->memory);
    pthread_mutex_destroy(&sweep->lock);
    free(sweep->pending);
    free(sweep);
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
