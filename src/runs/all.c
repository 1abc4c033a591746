// all.c - all runs of a request to their ends, over all cores.
#include "base/pool.h"
#include "runs/play.h"
#include "runs/request.h"
#include "runs/values.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct all_runs {
    const mc_runs_request *request;
    const mc_runs_results *results;
    runs_values values;
    mc_watch watch;
    atomic_bool ended;
    pthread_mutex_t lock; // of what follows
    int done;
    int failed_run; // the first whose failure ends all; -1: none
    mc_error error;
} all_runs;

static bool stop_asked(void *context)
{
    all_runs *all = context;
    if (!atomic_load(&all->ended) && all->watch.stop && all->watch.stop(all->watch.context))
        atomic_store(&all->ended, true);
    return atomic_load(&all->ended);
}

static mc_status play(all_runs *all, int run, runs_outcome *out, mc_error *error)
{
    const mc_runs_request *r = all->request;
    mc_scenario *s = runs_values_scenario(&all->values, runs_request_values(r, run), false, error);
    if (!s)
        return error->code;
    const mc_run_options options = {.threads = 1, .interpret = r->interpret};
    const mc_status status = runs_play(s, &options, &(mc_watch){all, stop_asked, NULL}, out, error);
    mc_scenario_free(s);
    return status;
}

static void write_down(const mc_runs_results *to, int run, const runs_outcome *o)
{
    if (to->figures)
        memcpy(to->figures + (size_t)run * MC_FIGURE_COUNT, o->value, sizeof o->value);
    if (to->failed)
        to->failed[run] = o->failed;
    if (to->hash)
        to->hash[run] = o->hash;
    if (to->ended)
        snprintf(to->ended[run], sizeof to->ended[run], "%s", o->ended);
}

static void task(void *context, int run)
{
    all_runs *all = context;
    if (stop_asked(all))
        return;
    const size_t cars = (size_t)all->results->car_count * MC_FIGURE_COUNT;
    runs_outcome out = {.car_count = all->results->car_count};
    if (all->results->cars)
        out.cars = all->results->cars + (size_t)run * cars;
    mc_error error;
    runs_outcome_clear(&out);
    const mc_status status = runs_outcome_judge(&out, play(all, run, &out, &error), &error);
    if (status == MC_OK)
        write_down(all->results, run, &out);
    pthread_mutex_lock(&all->lock);
    if (status == MC_OK) {
        all->done++;
        if (all->watch.progress)
            all->watch.progress(all->watch.context, all->done);
    } else if (status != MC_INTERRUPTED && (all->failed_run < 0 || run < all->failed_run)) {
        all->failed_run = run;
        all->error = error;
        atomic_store(&all->ended, true);
    }
    pthread_mutex_unlock(&all->lock);
}

static mc_status play_all(all_runs *all, mc_error *error)
{
    const mc_runs_request *r = all->request;
    pool *threads = pool_create(r->threads > r->count ? r->count : r->threads);
    if (!threads)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "cannot start threads for the runs");
    pool_run(threads, r->count, task, all);
    pool_destroy(threads);
    if (all->failed_run >= 0) {
        *error = all->error;
        return error->code;
    }
    return all->done == r->count
               ? MC_OK
               : mc_error_set(error, MC_INTERRUPTED, NULL, 0, 0, "stopped: %d of %d runs are done",
                              all->done, r->count);
}

// A name that is unknown would fail every run: it fails the call.
static mc_status try_first(const all_runs *all, mc_error *error)
{
    mc_scenario *s = runs_values_scenario(&all->values, all->request->values, false, error);
    const mc_run_options options = {.threads = 1, .interpret = true}; // it makes no step
    mc_run *run = s ? mc_run_create(s, &options, error) : NULL;
    const mc_status status = run ? MC_OK : error->code;
    mc_run_destroy(run);
    mc_scenario_free(s);
    return status;
}

mc_status mc_runs_play(const mc_runs_request *request, const mc_runs_results *results,
                       const mc_watch *watch, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    all_runs all = {.request = request, .results = results, .failed_run = -1};
    all.watch = watch ? *watch : (mc_watch){0};
    mc_status status = runs_request_check(request, error);
    if (status != MC_OK)
        return status;
    pthread_mutex_init(&all.lock, NULL);
    status = runs_values_make(&all.values, request, error);
    if (status == MC_OK)
        status = try_first(&all, error);
    if (status == MC_OK)
        status = play_all(&all, error);
    runs_values_free(&all.values);
    pthread_mutex_destroy(&all.lock);
    return status;
}
