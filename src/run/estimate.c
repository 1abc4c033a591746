// estimate.c - estimators on cars of a run: measured at the end of every step, moved on, shown.
#include "run/estimate.h"
#include "run/where.h"

#include "base/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double MIN_SPEED = 0.5;   // m/s; below, a brake may hold more than its force
static const double MIN_BRAKE = 0.005; // share of the maximum brake force

static const scenario_estimator *given(const mc_run *r, const run_estimate *e)
{
    return &r->s->estimators[e->estimator];
}

static const char *name_of(const mc_run *r, int slot)
{
    return r->s->vehicles[r->rare[slot].vehicle].name;
}

// ---- measurements ----

// N, of the brakes as they act now; channels give it in N or as a share of the maximum.
static double brake_force(const mc_run *r, int slot, const mc_batch *batch, int index)
{
    double value[RUN_CHANNELS_MAX];
    const mc_vehicle_kind *kind = batch->kind;
    for (int c = 0; c < kind->channel_count; c++) {
        if (strcmp(kind->channels[c].name, "brake_force") != 0)
            continue;
        kind->read_channels(batch, index, value);
        return strcmp(kind->channels[c].unit, "N") == 0
                   ? value[c]
                   : value[c] * -r->car[slot].min_a * r->rare[slot].mass;
    }
    return NAN;
}

static void measure(const mc_run *r, int slot, double in[ESTIMATOR_SIGNAL_COUNT])
{
    const run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const mc_motion *m = &r->motion[slot];
    const mc_inputs *inputs = &r->inputs[slot];
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, rare->vehicle, &batch, &index);
    in[ESTIMATOR_T] = run_time(r);
    in[ESTIMATOR_DT] = r->s->step;
    in[ESTIMATOR_X] = m->x;
    in[ESTIMATOR_V] = m->v;
    in[ESTIMATOR_A] = m->a;
    in[ESTIMATOR_GAP] = 1e6;
    in[ESTIMATOR_V_FRONT] = m->v;
    if (c->front >= 0) {
        in[ESTIMATOR_GAP] = run_gap(r, slot);
        in[ESTIMATOR_V_FRONT] = r->motion[c->front].v;
    }
    in[ESTIMATOR_SLOPE] = mc_run_slope(r, m->x);
    in[ESTIMATOR_THROTTLE] = inputs->throttle;
    in[ESTIMATOR_BRAKE] = inputs->brake;
    in[ESTIMATOR_DESIRED] = c->desired;
    in[ESTIMATOR_MASS] = rare->mass;
    memcpy(in + ESTIMATOR_USER_1, rare->user, sizeof rare->user);
    in[ESTIMATOR_BRAKE_FORCE] = in[ESTIMATOR_COAST_FORCE] = NAN;
    if (!(c->flags & RUN_NO_PEDALS)) {
        const double nothing = 0.0;
        mc_plan plan;
        batch->kind->plan(batch, index, 1, &nothing, &plan);
        in[ESTIMATOR_COAST_FORCE] = plan.coast * rare->mass;
        in[ESTIMATOR_BRAKE_FORCE] = brake_force(r, slot, batch, index);
    }
    const double min_force = MIN_BRAKE * -c->min_a * rare->mass;
    in[ESTIMATOR_BRAKING] = inputs->throttle <= 0.0 && m->v > MIN_SPEED &&
                            (c->flags & RUN_NO_PEDALS ? inputs->acceleration < 0.0
                                                      : in[ESTIMATOR_BRAKE_FORCE] > min_force);
}

// ---- the list ----

run_estimate *run_estimate_at(const mc_run *r, int slot)
{
    return r->estimate_of[slot] < 0 ? NULL : &r->estimates[r->estimate_of[slot]];
}

bool run_estimate_room(mc_run *r, int count)
{
    if (count <= r->estimate_room)
        return true;
    const int room = count > 2 * r->estimate_room ? count : 2 * r->estimate_room;
    run_estimate *grown = realloc(r->estimates, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    r->estimates = grown;
    r->estimate_room = room;
    return true;
}

static mc_status add(mc_run *r, const run_estimate *e, mc_error *error)
{
    if (!run_estimate_room(r, r->estimate_count + 1))
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for an estimator");
    r->estimate_of[e->slot] = r->estimate_count;
    r->estimates[r->estimate_count++] = *e;
    return MC_OK;
}

void run_estimate_end(mc_run *r)
{
    free(r->estimates);
    r->estimates = NULL;
    r->estimate_count = r->estimate_room = 0;
}

// ---- on and off ----

mc_status run_estimate_check(const mc_run *r, int slot, int number, mc_error *error)
{
    const scenario_estimator *e = &r->s->estimators[number];
    double in[ESTIMATOR_SIGNAL_COUNT];
    measure(r, slot, in);
    for (int k = 0; k < ESTIMATOR_SIGNAL_COUNT; k++)
        if (e->kind->needs >> k & 1 && isnan(in[k])) {
            mc_run_vehicle_info info;
            mc_run_vehicle(r, r->rare[slot].vehicle, &info);
            return mc_error_set(error, MC_BAD_INPUT, e->place.line ? r->s->file : NULL,
                                e->place.line, e->place.column,
                                "estimator %s needs %s, which %s does not have: it is of kind %s",
                                e->name, estimator_signals[k].name, name_of(r, slot), info.kind);
        }
    return MC_OK;
}

static void start(const mc_run *r, run_estimate *e)
{
    double in[ESTIMATOR_SIGNAL_COUNT];
    const estimator_kind *kind = given(r, e)->kind;
    measure(r, e->slot, in);
    kind->start(kind, e->p, in, e->state);
}

// A new one, with the parameters of the scenario. Its gains are user variables of the car: those
// that are 0 get what the method starts with.
static void fill(mc_run *r, int slot, int number, run_estimate *e)
{
    const scenario_estimator *s = &r->s->estimators[number];
    memset(e, 0, sizeof *e);
    e->slot = slot;
    e->estimator = number;
    e->on = 1;
    if (s->kind->param_count > 0)
        memcpy(e->p, s->p, (size_t)s->kind->param_count * sizeof *s->p);
    for (int k = 0; k < 8; k++)
        if (s->kind->user[k] && r->rare[slot].user[k] == 0.0)
            r->rare[slot].user[k] = s->kind->user[k]->fallback;
    start(r, e);
}

mc_status run_estimate_switch(mc_run *r, int slot, int number, mc_error *error)
{
    run_estimate *has = run_estimate_at(r, slot), fresh;
    if (number < 0 || (has && has->estimator == number)) {
        if (has)
            has->on = number >= 0;
        return MC_OK;
    }
    const mc_status status = run_estimate_check(r, slot, number, error);
    if (status != MC_OK)
        return status;
    fill(r, slot, number, &fresh);
    if (!has)
        return add(r, &fresh, error);
    *has = fresh;
    return MC_OK;
}

static const scenario_vehicle *vehicle_of(const mc_run *r, int slot)
{
    return &r->s->vehicles[r->rare[slot].vehicle];
}

static mc_status begin_images(mc_run *r, mc_error *error)
{
    bool some = false;
    for (int slot = 0; slot < r->count && !some; slot++)
        some = vehicle_of(r, slot)->image_of;
    if (!some)
        return MC_OK;
    r->image_of = arena_alloc(&r->memory, (size_t)r->count * sizeof *r->image_of);
    if (!r->image_of)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    for (int slot = 0; slot < r->count; slot++) {
        const char *name = vehicle_of(r, slot)->image_of;
        const int vehicle = name ? mc_run_find(r, name) : -1;
        r->image_of[slot] = vehicle < 0 ? -1 : r->slot[vehicle];
    }
    return MC_OK;
}

mc_status run_estimate_begin(mc_run *r, mc_error *error)
{
    mc_status status = begin_images(r, error);
    for (int slot = 0; slot < r->count; slot++)
        r->estimate_of[slot] = -1;
    for (int slot = 0; slot < r->count && status == MC_OK; slot++)
        if (vehicle_of(r, slot)->estimator >= 0)
            status = run_estimate_switch(r, slot, vehicle_of(r, slot)->estimator, error);
    return status;
}

// ---- parameters ----

bool run_estimate_set(mc_run *r, int slot, const char *name, double value)
{
    run_estimate *e = run_estimate_at(r, slot);
    const estimator_kind *kind = e ? given(r, e)->kind : NULL;
    for (int k = 0; kind && k < kind->param_count; k++)
        if (strcasecmp(kind->params[k].name, name) == 0) {
            e->p[k] = value;
            if (strcmp(kind->params[k].name, "start") == 0)
                start(r, e);
            return true;
        }
    return false;
}

bool run_estimate_set_image(mc_run *r, int slot, const char *name, double value)
{
    const int original = r->image_of ? r->image_of[slot] : -1;
    const run_estimate *e = original < 0 ? NULL : run_estimate_at(r, original);
    return e && strcasecmp(given(r, e)->kind->parameter, name) == 0 &&
           run_estimate_set(r, original, "start", value);
}

// ---- steps ----

// Images have the parameter as it is estimated; one that their kind cannot change stays.
static void show_images(mc_run *r)
{
    for (int slot = 0; r->image_of && slot < r->count; slot++) {
        const int original = r->image_of[slot];
        const run_estimate *e = original < 0 ? NULL : run_estimate_at(r, original);
        const estimator_kind *kind = e ? given(r, e)->kind : NULL;
        estimator_result now;
        mc_batch *batch;
        int index;
        if (!kind || !kind->parameter[0])
            continue;
        kind->read(kind, e->p, e->state, &now);
        mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, &index);
        if (isfinite(now.value) && batch->kind->set_param)
            batch->kind->set_param(batch, index, kind->parameter, now.value);
    }
}

mc_status run_estimate_step(mc_run *r, mc_error *error)
{
    for (int k = 0; k < r->estimate_count; k++) {
        run_estimate *e = &r->estimates[k];
        const estimator_kind *kind = given(r, e)->kind;
        double in[ESTIMATOR_SIGNAL_COUNT];
        estimator_result now;
        if (!e->on)
            continue;
        measure(r, e->slot, in);
        kind->step(kind, e->p, in, r->s->step, e->state);
        kind->read(kind, e->p, e->state, &now);
        if (!now.finite)
            return mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                "%s: its estimator \"%s\" gives no finite value at t = %g s",
                                name_of(r, e->slot), given(r, e)->name, run_time(r));
    }
    show_images(r);
    return MC_OK;
}

bool run_estimate_works(const mc_run *r)
{
    for (int k = 0; k < r->estimate_count; k++) {
        const run_estimate *e = &r->estimates[k];
        const estimator_kind *kind = given(r, e)->kind;
        estimator_result now;
        kind->read(kind, e->p, e->state, &now);
        if (e->on && now.active)
            return true;
    }
    return false;
}

// ---- what can be seen ----

bool mc_run_estimate_of(const mc_run *r, int vehicle, mc_run_estimate *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const run_estimate *e = run_estimate_at(r, r->slot[vehicle]);
    estimator_result now;
    if (!e)
        return false;
    const estimator_kind *kind = given(r, e)->kind;
    kind->read(kind, e->p, e->state, &now);
    *out = (mc_run_estimate){.name = given(r, e)->name,
                             .parameter = kind->parameter,
                             .unit = kind->unit,
                             .value = now.value,
                             .band = now.band,
                             .on = e->on,
                             .active = e->on && now.active,
                             .claimed = now.claimed};
    return true;
}

bool mc_run_has_estimators(const mc_run *r)
{
    bool has = r->estimate_count > 0;
    for (int v = 0; v < r->s->vehicle_count && !has; v++)
        has = r->s->vehicles[v].estimator >= 0;
    for (int k = 0; k < r->s->event_count && !has; k++)
        has = r->s->events[k].kind == EVENT_ESTIMATOR;
    return has;
}

const char *mc_run_estimator_name(const mc_run *r, int index)
{
    return index >= 0 && index < r->s->estimator_count ? r->s->estimators[index].name : NULL;
}

// ---- versions and snapshots ----

static bool same_method(const scenario_estimator *a, const scenario_estimator *b)
{
    const estimator_kind *k = a->kind, *l = b->kind;
    bool same = strcmp(a->name, b->name) == 0 && !a->own == !b->own && (a->own || k == l) &&
                k->state_count == l->state_count && k->param_count == l->param_count;
    for (int i = 0; same && i < k->param_count; i++)
        same = strcmp(k->params[i].name, l->params[i].name) == 0;
    return same;
}

// Estimator number of the fresh run with that name and as many numbers; -1: none.
static int same_in(const mc_run *old, const mc_run *fresh, int number)
{
    for (int k = 0; k < fresh->s->estimator_count; k++)
        if (same_method(&old->s->estimators[number], &fresh->s->estimators[k]))
            return k;
    return -1;
}

static const char *given_name(const mc_run *r, const char *vehicle)
{
    const int v = mc_run_find(r, vehicle);
    const int number = v < 0 ? -1 : r->s->vehicles[v].estimator;
    return number < 0 ? "" : r->s->estimators[number].name;
}

// Estimates stay unless the version gives the car another estimator or its method other numbers;
// parameters that commands have set stay, too, unless the version changes them.
mc_status run_estimate_carry(const mc_run *old, mc_run *fresh, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < old->estimate_count && status == MC_OK; k++) {
        run_estimate e = old->estimates[k];
        const char *vehicle = name_of(old, e.slot);
        const int v = mc_run_find(fresh, vehicle), number = same_in(old, fresh, e.estimator);
        if (v < 0 || number < 0 ||
            strcmp(given_name(old, vehicle), given_name(fresh, vehicle)) != 0)
            continue;
        const double *was = given(old, &e)->p, *is = fresh->s->estimators[number].p;
        e.slot = fresh->slot[v];
        e.estimator = number;
        if (run_estimate_check(fresh, e.slot, number, error) != MC_OK)
            continue; // the car is now of a kind that it cannot work on
        for (int i = 0; i < fresh->s->estimators[number].kind->param_count; i++)
            if (was[i] != is[i])
                e.p[i] = is[i];
        run_estimate *has = run_estimate_at(fresh, e.slot);
        if (has)
            *has = e;
        else
            status = add(fresh, &e, error);
    }
    return status;
}

bool run_estimate_sound(mc_run *r)
{
    bool good = true;
    for (int slot = 0; slot < r->count; slot++)
        r->estimate_of[slot] = -1;
    for (int k = 0; k < r->estimate_count && good; k++) {
        const run_estimate *e = &r->estimates[k];
        good = e->slot >= 0 && e->slot < r->count && e->estimator >= 0 &&
               e->estimator < r->s->estimator_count && r->estimate_of[e->slot] < 0;
        if (good)
            r->estimate_of[e->slot] = k;
    }
    r->estimate_count = good ? r->estimate_count : 0;
    return good;
}
