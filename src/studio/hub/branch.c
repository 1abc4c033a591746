// branch.c - creation and destruction of a branch.
#include "studio/hub/branch.h"

#include "motorcade/observe.h"
#include "motorcade/road.h"
#include "studio/hub/capture.h"
#include "studio/hub/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HISTORY_BUDGET ((size_t)256 << 20)
#define INSTANTS_BUDGET ((size_t)32 << 20)
#define ROW_MIN 0.02 // s, between stored rows
#define ROW_MANY 0.1 // s, the same with more than MANY_CARS
enum { MANY_CARS = 1000 };

branch *branch_hold(branch *b)
{
    atomic_fetch_add(&b->refs, 1);
    return b;
}

void branch_end_run(branch *b)
{
    mc_timeline_destroy(b->line);
    mc_run_destroy(b->run);
    b->line = NULL;
    b->run = NULL;
}

void branch_drop(branch *b)
{
    if (!b || atomic_fetch_sub(&b->refs, 1) > 1)
        return;
    branch_end_run(b);
    roster_drop(b->who);
    free(b->scratch);
    free(b->cars);
    log_entry_free_all(b->script, b->script_count);
    log_entry_free_all(b->log, b->log_count);
    bench_drop(b->bench);
    free(b->text);
    free(b->plan);
    free(b->vehicles);
    free(b->events);
    free(b->impacts);
    free(b->contacts);
    history_end(&b->past);
    history_end(&b->instants);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

branch *branch_create(const char *name)
{
    branch *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    atomic_init(&b->refs, 1);
    b->slot = -1;
    b->parent = -1;
    b->differs = NAN;
    b->headroom = NAN;
    snprintf(b->name, sizeof b->name, "%s", name);
    if (pthread_mutex_init(&b->lock, NULL) != 0) {
        free(b);
        return NULL;
    }
    if (history_begin(&b->past, HISTORY_BUDGET)) {
        if (history_begin(&b->instants, INSTANTS_BUDGET))
            return b;
        history_end(&b->past);
    }
    pthread_mutex_destroy(&b->lock);
    free(b);
    return NULL;
}

// Key frames: more memory and longer between them when there are many cars.
mc_timeline *branch_timeline(mc_run *run, mc_error *error)
{
    const int cars = mc_run_vehicle_count(run);
    const mc_timeline_options options = {.memory = ((size_t)64 << 20) + (size_t)cars * 40000,
                                         .every = cars > MANY_CARS ? 100 : 20};
    return mc_timeline_create(run, &options, error);
}

bool branch_begin_run(hub *h, branch *b, mc_run *run, mc_error *error)
{
    b->run = run;
    b->line = branch_timeline(run, error);
    if (!b->line)
        return false;
    b->has_ramps = mc_road_path_count(mc_scenario_road(mc_run_origin(run))) > 1;
    b->has_estimators = mc_run_has_estimators(run);
    b->has_ersc = mc_run_has_ersc(run);
    const double step = mc_run_step_size(run);
    const double min = mc_run_vehicle_count(run) > MANY_CARS ? ROW_MANY : ROW_MIN;
    b->start = b->end = mc_run_time(run);
    b->limit = mc_run_limit(run);
    b->step = step;
    b->row = step > min ? step : min;
    b->next_row = (floor(b->start / b->row + 1e-6) + 1.0) * b->row;
    if (capture_roster(h, b) && capture_row(h, b))
        return true;
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the history of a world");
    return false;
}
