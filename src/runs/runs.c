// runs.c - many runs stepped together.
//
// A run is one task: it is moved by one thread, and touches nothing of the others. So its bits do
// not depend on them.
#include "motorcade/runs.h"

#include "base/assert.h"
#include "base/pool.h"
#include "motorcade/observe.h"
#include "runs/request.h"
#include "runs/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct one_run {
    mc_run *run;
    mc_snapshot start;
    int *seen;    // [vehicle], numbers in the run; -1: absent
    int *driven;  // [driven]
    double *held; // [driven][action_count], the actions in force
    mc_status status;
    mc_error error;
} one_run;

struct mc_runs {
    mc_runs_arrays a;
    arena memory;
    runs_values values;
    double *value; // [run][name]
    mc_field *fields;
    const char **seen, **driven; // names
    mc_runs_action action;
    int steps;
    bool interpret;
    one_run *runs;
    pool *pool; // NULL: one thread
};

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the runs");
}

// ---- observation ----

// Numbers of vehicles by their names: those of before unless cars have joined or left.
static void find_vehicles(const mc_run *run, const char *const *names, int count, int *number)
{
    const int cars = mc_run_vehicle_count(run);
    for (int k = 0; k < count; k++)
        if (number[k] < 0 || number[k] >= cars ||
            strcmp(mc_run_vehicle_name(run, number[k]), names[k]) != 0)
            number[k] = mc_run_find(run, names[k]);
}

static void observe(mc_runs *all, int index)
{
    one_run *one = &all->runs[index];
    const mc_runs_arrays *a = &all->a;
    const size_t row = (size_t)index * (size_t)a->vehicle_count;
    double *to = a->observation + row * (size_t)a->field_count;
    find_vehicles(one->run, all->seen, a->vehicle_count, one->seen);
    find_vehicles(one->run, all->driven, a->driven_count, one->driven);
    for (int k = 0; k < a->vehicle_count; k++, to += a->field_count) {
        double value[MC_FIELD_COUNT];
        mc_run_view view = {0};
        if (one->seen[k] >= 0) {
            mc_run_look(one->run, one->seen[k], &view);
            if (a->field_count > 0)
                mc_run_read_fields(one->run, one->seen[k], value, NULL);
        }
        a->hits[row + (size_t)k] = view.hits;
        for (int f = 0; f < a->field_count; f++)
            to[f] = one->seen[k] >= 0 ? value[all->fields[f]] : NAN;
    }
    a->time[index] = mc_run_time(one->run);
    const bool over = mc_run_time(one->run) >= mc_run_limit(one->run) - 1e-9;
    a->state[index] = one->status != MC_OK ? MC_RUNS_STATE_FAILED
                      : over               ? MC_RUNS_STATE_ENDED
                                           : MC_RUNS_STATE_GOES;
}

// ---- actions ----

// NAN, which is not equal to itself, is the same action too.
static bool same_action(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static mc_status act(mc_runs *all, one_run *one, int k, const double *action, mc_error *error)
{
    const int vehicle = one->driven[k];
    if (vehicle < 0) // absent: nothing to drive
        return MC_OK;
    if (isnan(action[0]))
        return mc_run_release(one->run, vehicle, error);
    if (all->action == MC_RUNS_ACTION_ACCELERATION)
        return mc_run_accelerate(one->run, vehicle, action[0], error);
    const mc_inputs inputs = {.throttle = action[0], .brake = action[1], .steer = action[2]};
    return mc_run_drive(one->run, vehicle, &inputs, error);
}

// Before any run moves: an action that is rejected leaves all as they are.
static mc_status act_all(mc_runs *all, mc_error *error)
{
    const int width = all->a.action_count;
    const double *action = all->a.action;
    for (int i = 0; i < all->a.count; i++) {
        one_run *one = &all->runs[i];
        for (int k = 0; k < all->a.driven_count; k++, action += width) {
            double *held = &one->held[k * width];
            if (all->a.state[i] != MC_RUNS_STATE_GOES || same_action(held, action, width))
                continue;
            mc_error wrong;
            const mc_status status = act(all, one, k, action, &wrong);
            if (status != MC_OK)
                return mc_error_set(error, status, NULL, 0, 0, "action of %s in run %d: %s",
                                    all->driven[k], i, wrong.text);
            memcpy(held, action, (size_t)width * sizeof *held);
        }
    }
    return MC_OK;
}

// ---- the step ----

static void step_one(void *context, int index)
{
    mc_runs *all = context;
    one_run *one = &all->runs[index];
    if (all->a.state[index] != MC_RUNS_STATE_GOES)
        return;
    const double end = mc_run_limit(one->run) - 1e-9;
    for (int k = 0; k < all->steps && one->status == MC_OK && mc_run_time(one->run) < end; k++)
        one->status = mc_run_step(one->run, &one->error);
    observe(all, index);
}

static void for_runs(mc_runs *all, void (*task)(void *context, int index))
{
    if (all->pool)
        pool_run(all->pool, all->a.count, task, all);
    else
        for (int i = 0; i < all->a.count; i++)
            task(all, i);
}

// A failure of the machine, not of a run, ends the call.
static mc_status find_failure(const mc_runs *all, mc_error *error)
{
    for (int i = 0; i < all->a.count; i++) {
        const mc_status status = all->runs[i].status;
        if (status == MC_NO_MEMORY || status == MC_IO) {
            *error = all->runs[i].error;
            return status;
        }
    }
    return MC_OK;
}

mc_status mc_runs_step(mc_runs *all, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    const mc_status status = act_all(all, error);
    if (status != MC_OK)
        return status;
    for_runs(all, step_one);
    return find_failure(all, error);
}

static void observe_one(void *context, int index)
{
    mc_runs *all = context;
    one_run *one = &all->runs[index];
    // What is in force may be anything now: none of these numbers is ever equal to an action.
    memset(one->held, 0xff, (size_t)(all->a.driven_count * all->a.action_count) * sizeof(double));
    if (one->run)
        observe(all, index);
}

void mc_runs_observe(mc_runs *all)
{
    for_runs(all, observe_one);
}

// ---- the start ----

static void end_one(one_run *one)
{
    mc_snapshot_free(&one->start);
    mc_run_destroy(one->run);
    one->start = (mc_snapshot){0};
    one->run = NULL;
}

static mc_status begin_one(mc_runs *all, int index)
{
    one_run *one = &all->runs[index];
    const double *values = all->value + (size_t)index * (size_t)all->values.count;
    const mc_run_options options = {.threads = 1, .interpret = all->interpret};
    end_one(one);
    mc_scenario *s = runs_values_scenario(&all->values, values, true, &one->error);
    one->run = s ? mc_run_create(s, &options, &one->error) : NULL;
    mc_scenario_free(s); // the run keeps it
    return one->run ? mc_run_save(one->run, &one->start, &one->error) : one->error.code;
}

static void start_one(void *context, int index)
{
    mc_runs *all = context;
    one_run *one = &all->runs[index];
    if (all->a.state[index] != MC_RUNS_STATE_GOES) // not asked to
        return;
    if (!one->run) {
        one->status = begin_one(all, index);
    } else {
        one->status = mc_run_restore(one->run, &one->start, &one->error);
        if (one->status == MC_OK)
            mc_run_forget_commands(one->run);
    }
    if (one->status == MC_OK)
        observe(all, index);
}

// Runs whose state is MC_RUNS_STATE_GOES start; *error: of the first that cannot.
static mc_status start(mc_runs *all, mc_error *error)
{
    for_runs(all, start_one);
    for (int i = 0; i < all->a.count; i++)
        if (!all->runs[i].run || (all->a.state[i] == MC_RUNS_STATE_GOES && all->runs[i].status)) {
            *error = all->runs[i].error;
            return all->runs[i].status ? all->runs[i].status : error->code;
        }
    return MC_OK;
}

static void clear_action(mc_runs *all, int index)
{
    const int numbers = all->a.driven_count * all->a.action_count;
    for (int k = 0; k < numbers; k++)
        all->a.action[index * numbers + k] = all->runs[index].held[k] = NAN;
}

mc_status mc_runs_reset(mc_runs *all, const unsigned char *which, const double *values,
                        mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    const size_t width = (size_t)all->values.count;
    int *states = malloc((size_t)all->a.count * sizeof *states);
    if (!states)
        return no_memory(error);
    for (int i = 0; i < all->a.count; i++) {
        one_run *one = &all->runs[i];
        states[i] = all->a.state[i];
        all->a.state[i] = MC_RUNS_STATE_ENDED; // not asked to start
        if (which && !which[i])
            continue;
        all->a.state[i] = MC_RUNS_STATE_GOES;
        double *value = all->value + (size_t)i * width;
        const double *given = values ? values + (size_t)i * width : value;
        if (memcmp(value, given, width * sizeof *value) != 0 || one->status != MC_OK)
            end_one(one);
        memmove(value, given, width * sizeof *value);
        clear_action(all, i);
    }
    const mc_status status = start(all, error);
    for (int i = 0; i < all->a.count; i++)
        if (which && !which[i])
            all->a.state[i] = states[i];
        else if (!all->runs[i].run || all->runs[i].status != MC_OK)
            all->a.state[i] = MC_RUNS_STATE_FAILED;
    free(states);
    return status;
}

// ---- life ----

static const char **copy_names(arena *memory, const char *const *names, int count)
{
    const char **copies = arena_alloc(memory, (size_t)count * sizeof *copies + 8);
    for (int k = 0; copies && k < count; k++) {
        copies[k] = arena_copy_text(memory, names[k], strlen(names[k]));
        if (!copies[k])
            return NULL;
    }
    return copies;
}

// Names of all vehicles at the start of a run, where none are given.
static mc_status name_vehicles(mc_runs *all, const mc_runs_request *r, mc_error *error)
{
    all->seen = copy_names(&all->memory, r->vehicles, r->vehicles ? r->vehicle_count : 0);
    all->a.vehicle_count = r->vehicle_count;
    if (r->vehicles || !all->seen)
        return all->seen ? MC_OK : no_memory(error);
    const mc_run_options options = {.threads = 1, .interpret = true}; // it makes no step
    mc_run *run = mc_run_create(r->scenario, &options, error);
    if (!run)
        return error->code;
    const int count = mc_run_vehicle_count(run);
    const char **names = arena_alloc(&all->memory, (size_t)count * sizeof *names + 8);
    for (int k = 0; names && k < count; k++)
        names[k] = mc_run_vehicle_name(run, k);
    all->seen = names ? copy_names(&all->memory, names, count) : NULL;
    all->a.vehicle_count = count;
    mc_run_destroy(run);
    return all->seen ? MC_OK : no_memory(error);
}

static bool make_arrays(mc_runs *all, const mc_runs_request *r)
{
    mc_runs_arrays *a = &all->a;
    a->count = r->count;
    a->field_count = r->field_count;
    a->driven_count = r->driven_count;
    a->action_count = r->action == MC_RUNS_ACTION_PEDALS ? 3 : 1;
    arena *m = &all->memory;
    const size_t runs = (size_t)a->count, cars = (size_t)a->vehicle_count;
    const size_t actions = (size_t)(a->driven_count * a->action_count);
    a->observation =
        arena_alloc(m, runs * cars * (size_t)a->field_count * sizeof *a->observation + 8);
    a->action = arena_alloc(m, runs * actions * sizeof *a->action + 8);
    a->time = arena_alloc(m, runs * sizeof *a->time);
    a->hits = arena_alloc(m, runs * cars * sizeof *a->hits + 8);
    a->state = arena_alloc(m, runs * sizeof *a->state);
    all->runs = arena_alloc(m, runs * sizeof *all->runs);
    all->fields = arena_alloc(m, (size_t)a->field_count * sizeof *all->fields + 8);
    all->driven = copy_names(m, r->driven, r->driven_count);
    all->value = arena_alloc(m, runs * (size_t)r->name_count * sizeof *all->value + 8);
    bool good = a->observation && a->action && a->time && a->hits && a->state && all->runs &&
                all->fields && all->driven && all->value;
    for (int i = 0; good && i < a->count; i++) {
        one_run *one = &all->runs[i];
        one->seen = arena_alloc(m, cars * sizeof *one->seen + 8);
        one->driven = arena_alloc(m, (size_t)a->driven_count * sizeof *one->driven + 8);
        one->held = arena_alloc(m, actions * sizeof *one->held + 8);
        good = one->seen && one->driven && one->held;
    }
    return good;
}

// A driven vehicle that no run has would never be driven.
static mc_status check_driven(mc_runs *all, mc_error *error)
{
    for (int k = 0; k < all->a.driven_count; k++)
        if (all->runs[0].driven[k] < 0)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "unknown vehicle \"%s\"; expected one such as %s", all->driven[k],
                                mc_run_vehicle_name(all->runs[0].run, 0));
    return MC_OK;
}

static mc_status make(mc_runs *all, const mc_runs_request *r, mc_error *error)
{
    mc_status status = runs_values_make(&all->values, r, error);
    if (status == MC_OK)
        status = name_vehicles(all, r, error);
    if (status != MC_OK)
        return status;
    if (!make_arrays(all, r))
        return no_memory(error);
    if (r->field_count > 0)
        memcpy(all->fields, r->fields, (size_t)r->field_count * sizeof *all->fields);
    all->action = r->action;
    all->steps = r->steps > 0 ? r->steps : 1;
    all->interpret = r->interpret;
    if (r->count > 1 && r->threads != 1) {
        all->pool = pool_create(r->threads > r->count ? r->count : r->threads);
        if (!all->pool)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                                "cannot start threads for the runs");
    }
    status = mc_runs_reset(all, NULL, r->name_count > 0 ? r->values : NULL, error);
    return status == MC_OK ? check_driven(all, error) : status;
}

mc_runs *mc_runs_create(const mc_runs_request *request, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    if (runs_request_check(request, error) != MC_OK)
        return NULL;
    mc_runs *all = calloc(1, sizeof *all);
    if (!all) {
        no_memory(error);
        return NULL;
    }
    if (make(all, request, error) == MC_OK)
        return all;
    mc_runs_destroy(all);
    return NULL;
}

void mc_runs_destroy(mc_runs *all)
{
    if (!all)
        return;
    pool_destroy(all->pool);
    for (int i = 0; all->runs && i < all->a.count; i++)
        end_one(&all->runs[i]);
    runs_values_free(&all->values);
    arena_free(&all->memory);
    free(all);
}

const mc_runs_arrays *mc_runs_arrays_of(const mc_runs *all)
{
    return &all->a;
}

mc_run *mc_runs_at(mc_runs *all, int index)
{
    mc_assert(index >= 0 && index < all->a.count);
    return all->runs[index].run;
}

const char *mc_runs_failure(const mc_runs *all, int index)
{
    mc_assert(index >= 0 && index < all->a.count);
    return all->runs[index].status == MC_OK ? "" : all->runs[index].error.text;
}
