// adopt.c - a running scenario gets another version.
//
// A version is a whole, immutable scenario. The run is rebuilt from it, with every existing vehicle
// starting where it is now; then states are carried over by name. So edits need no code of their
// own: a run can be changed to whatever a scenario can describe. carry.c does the carrying over.
#include "run/adopt.h"
#include "run/braking_step.h"
#include "run/carry.h"
#include "run/ersc.h"
#include "run/event.h"
#include "run/flow.h"
#include "run/force.h"
#include "run/lane_use.h"
#include "run/lead.h"
#include "run/log.h"
#include "run/order.h"
#include "run/run.h"
#include "run/where.h"

#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the list of versions ----

mc_status run_version_add(mc_run *r, const run_version *version, mc_error *error)
{
    run_past *p = &r->past;
    if (p->version_count == p->version_capacity) {
        const int capacity = p->version_capacity ? 2 * p->version_capacity : 4;
        run_version *grown = realloc(p->versions, (size_t)capacity * sizeof *grown);
        if (!grown)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
        p->versions = grown;
        p->version_capacity = capacity;
    }
    p->versions[p->version_count++] = *version;
    return MC_OK;
}

void run_forget_versions(mc_run *r, int kept)
{
    run_past *p = &r->past;
    while (p->version_count > kept) {
        const run_version *v = &p->versions[--p->version_count];
        free(v->own);
        mc_scenario_free(v->given);
    }
}

mc_status run_use_version(mc_run *r, int version, mc_error *error)
{
    const run_version *v = &r->past.versions[version];
    scenario *own = v->own ? run_copy_scenario(v->own) : NULL;
    if (v->own && !own)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
    mc_run *fresh =
        run_create_after(r, own ? own : scenario_of(v->given), own, RUN_RESTORED, error);
    if (!fresh)
        return error ? error->code : MC_FAILED;
    run_become(r, fresh);
    r->past.version = version;
    return MC_OK;
}

// ---- copies of scenarios ----

// With room for that many vehicles and events, which are not copied.
static scenario *copy_head(const scenario *s, int vehicle_count, int event_count)
{
    const size_t vehicles = (size_t)vehicle_count * sizeof *s->vehicles;
    const size_t events = (size_t)event_count * sizeof *s->events;
    scenario *copy = malloc(sizeof *copy + vehicles + events);
    if (!copy)
        return NULL;
    *copy = *s;
    copy->vehicles = (scenario_vehicle *)(void *)(copy + 1);
    copy->events = (scenario_event *)(void *)((char *)(copy + 1) + vehicles);
    copy->vehicle_count = vehicle_count;
    copy->event_count = event_count;
    return copy;
}

scenario *run_copy_scenario(const scenario *s)
{
    scenario *copy = copy_head(s, s->vehicle_count, s->event_count);
    if (copy && s->vehicle_count > 0)
        memcpy(copy->vehicles, s->vehicles, (size_t)s->vehicle_count * sizeof *s->vehicles);
    if (copy && s->event_count > 0)
        memcpy(copy->events, s->events, (size_t)s->event_count * sizeof *s->events);
    return copy;
}

// Whether an event happens to the roadway or to a vehicle that is kept.
static bool keeps_event(const scenario_event *e, const bool *there)
{
    return e->vehicle < 0 || there[e->vehicle];
}

// Keeps the vehicles with there[v], and what is said of them.
scenario *run_copy_some(const scenario *s, const bool *there)
{
    int vehicles = 0, events = 0;
    for (int v = 0; v < s->vehicle_count; v++)
        vehicles += there[v];
    for (int k = 0; k < s->event_count; k++)
        events += keeps_event(&s->events[k], there);
    scenario *copy = copy_head(s, vehicles, events);
    int *number = malloc((size_t)s->vehicle_count * sizeof *number + 1);
    if (!copy || !number) {
        free(copy);
        free(number);
        return NULL;
    }
    vehicles = events = 0;
    for (int v = 0; v < s->vehicle_count; v++) {
        number[v] = vehicles;
        if (there[v])
            copy->vehicles[vehicles++] = s->vehicles[v];
    }
    for (int k = 0; k < s->event_count; k++)
        if (keeps_event(&s->events[k], there)) {
            scenario_event *e = &copy->events[events++];
            *e = s->events[k];
            e->vehicle = e->vehicle < 0 ? -1 : number[e->vehicle];
        }
    free(number);
    return copy;
}

// Whether a vehicle of a version is there after `old`: it was, or joins now. One that left does
// not. *v: the speed of one that enters.
static bool is_there(const mc_run *old, const scenario *s, int vehicle, double *v)
{
    const scenario *was = scenario_of(mc_run_scenario(old));
    if (s == was && old->fate[vehicle] != RUN_TO_COME)
        return old->fate[vehicle] == RUN_HERE;
    if (s != was && mc_run_find(old, s->vehicles[vehicle].name) >= 0)
        return true;
    return !run_flow_gone(old, s->vehicles[vehicle].name, vehicle) &&
           run_flow_joins(old, s, vehicle, v);
}

// A copy with the vehicles that are there at `now`: whose time has come, and those of `old`.
static scenario *copy_at(const scenario *s, const mc_run *old, double now, double *next)
{
    const size_t n = (size_t)s->vehicle_count;
    bool *there = malloc(n * sizeof *there + 1);
    double *speed = malloc((n + 1) * sizeof *speed);
    *next = HUGE_VAL;
    for (size_t v = 0; there && speed && v < n; v++) {
        speed[v] = s->vehicles[v].v;
        there[v] =
            old ? is_there(old, s, (int)v, &speed[v]) : s->vehicles[v].from <= now + 1e-9 * s->step;
        if (!there[v] && (!old || !run_flow_gone(old, s->vehicles[v].name, (int)v)))
            *next = fmin(*next, s->vehicles[v].from);
    }
    scenario *copy = there && speed ? run_copy_some(s, there) : NULL;
    for (int v = 0; copy && v < copy->vehicle_count; v++)
        copy->vehicles[v].v = speed[copy->vehicles[v].index];
    free(there);
    free(speed);
    return copy;
}

scenario *run_scenario_at(const scenario *s, double now, double *next, bool *good)
{
    bool all = true;
    for (int v = 0; v < s->vehicle_count && all; v++)
        all = s->vehicles[v].from <= now;
    *good = true;
    *next = HUGE_VAL;
    if (all)
        return NULL;
    scenario *own = copy_at(s, NULL, now, next);
    *good = own != NULL;
    return own;
}

// ---- places ----

// A car that joins behind another: at its desired gap, at that car's speed unless it has its own.
static void put_behind(const scenario *s, scenario_vehicle *v)
{
    const scenario_vehicle *front = v - 1;
    const double ahead = 0.5 * s->models[front->model].facts.length;
    const double own = 0.5 * s->models[v->model].facts.length;
    if (v->at_its_speed)
        v->v = front->v;
    v->x = front->x - ahead - scenario_desired_gap(s, v) - own;
    v->lane = front->lane;
    v->y = -v->lane * s->road.lane_width;
}

// A car on a road with paths begins at the station of its path; on one that is no more, at its
// place in the plane.
static void put_on_path(const mc_run *old, int slot, scenario *own, scenario_vehicle *vehicle)
{
    const run_where *w = &old->where[slot];
    vehicle->x = w->station;
    if (!run_where_next(old, slot, &own->road, &vehicle->path))
        return;
    vehicle->path = -1;
    vehicle->x = w->plane.x, vehicle->y = w->plane.y, vehicle->heading = w->plane.psi;
    own->paths_kept = true;
}

// Where every vehicle of the version is to begin.
static scenario *with_places(const mc_run *old, const scenario *version, double *next)
{
    scenario *own = copy_at(version, old, run_time(old), next);
    if (own)
        own->paths_kept = false;
    for (int v = 0; own && v < own->vehicle_count; v++) {
        scenario_vehicle *vehicle = &own->vehicles[v];
        const int was = mc_run_find(old, vehicle->name);
        if (was < 0) {
            if (vehicle->behind && v > 0 && vehicle[-1].platoon == vehicle->platoon)
                put_behind(own, vehicle);
            continue;
        }
        const int slot = old->slot[was];
        const mc_motion *m = &old->motion[slot];
        vehicle->x = m->x, vehicle->y = m->y, vehicle->heading = m->psi, vehicle->v = m->v;
        if (old->where)
            put_on_path(old, slot, own, vehicle);
        vehicle->a = m->a;
        vehicle->carried = run_same_state(&old->s->models[old->s->vehicles[was].model],
                                          &own->models[vehicle->model]);
        vehicle->lane = old->rare[slot].lane; // also on a path that is no more
        if (vehicle->path >= 0 &&
            !run_has_lane(&own->road, vehicle->path, vehicle->lane, vehicle->x))
            vehicle->lane = (vehicle->path > 0 ? mc_road_lane_count(&own->road, vehicle->path)
                                               : own->road.lane_count) -
                            1;
    }
    return own;
}

// Vehicles that were there before may touch; one that is new or has another outline may not.
static mc_status check_room(const mc_run *old, const mc_run *fresh, mc_error *error)
{
    mc_world *w = fresh->world;
    if (w->options.contact == MC_CONTACT_LAW_NONE)
        return MC_OK;
    mc_status status = world_look(w, error);
    if (status == MC_OK)
        status = world_pairs_update(w, w->chunk, error);
    for (int k = 0; k < w->pair_count && status == MC_OK; k++) {
        double gap, rate;
        contact_pair_look(&w->pairs[k], w->body, &gap, &rate);
        if (gap >= -1e-9)
            continue;
        const scenario_vehicle *a = &fresh->s->vehicles[w->pairs[k].a];
        if (w->pairs[k].b >= fresh->count) {
            const char *name = mc_run_vehicle_name(fresh, w->pairs[k].b);
            if (gap < -1e-3) // vehicles that lie against it may be a little inside
                status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                      "%s and %s would overlap: by %.3g m", a->name, name, -gap);
            continue;
        }
        const scenario_vehicle *b = &fresh->s->vehicles[w->pairs[k].b];
        const bool both = mc_run_find(old, a->name) >= 0 && mc_run_find(old, b->name) >= 0;
        if (both && run_carries(old, fresh, a->name) && run_carries(old, fresh, b->name))
            continue;
        const scenario_vehicle *front = a->x > b->x ? a : b, *rear = front == a ? b : a;
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                              "%s and %s would overlap: their mass centres would be at "
                              "x = %.6g and %.6g m, y = %.4g and %.4g m",
                              rear->name, front->name, rear->x, front->x, rear->y, front->y);
    }
    return status;
}

// ---- adoption ----

static void take_times(const mc_run *r, mc_run *fresh)
{
    if (r->braking_step && fresh->usual_step == r->usual_step &&
        fresh->s->braking_step == r->s->braking_step)
        run_use_braking_step(fresh, true);
    fresh->step = r->step;
    fresh->zero_step = r->zero_step, fresh->zero_time = r->zero_time;
    if (fresh->s->step != r->s->step) {
        fresh->zero_time = run_time(r);
        fresh->zero_step = r->step;
    }
    fresh->begun = r->begun;
    fresh->carried = r->carried;
    fresh->world->time = r->world->time;
}

static mc_status make_fresh(const mc_run *r, const scenario *version, scenario **kept, mc_run **out,
                            mc_error *error)
{
    double next;
    scenario *own = with_places(r, version, &next);
    *kept = own ? run_copy_scenario(own) : NULL;
    if (!*kept) {
        free(own);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
    }
    mc_run *fresh =
        own->vehicle_count > 0 ? run_create_after(r, own, own, RUN_UNDER_WAY, error) : NULL;
    if (!fresh) {
        if (own->vehicle_count == 0) {
            free(own);
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "no vehicle would be left");
        }
        return error->code;
    }
    *out = fresh;
    fresh->elders = &r->past;
    fresh->next_join = next;
    take_times(r, fresh);
    const mc_status status = run_flow_carry(r, version, fresh, error);
    return status == MC_OK ? run_carry(r, fresh, error) : status;
}

// The version `next` of the list: the same again when time went back over it, and then those behind
// it stay too; else another one, and what came after has not happened.
static mc_status put_version(mc_run *r, int next, const run_version *version, mc_error *error)
{
    run_past *p = &r->past;
    if (next < p->version_count) {
        run_version *known = &p->versions[next];
        if (known->given == version->given && known->text == version->text &&
            known->step == version->step) {
            free(known->own);
            mc_scenario_free(known->given); // one user less
            *known = *version;
            return MC_OK;
        }
    }
    run_forget_versions(r, next);
    return run_version_add(r, version, error);
}

mc_status run_adopt(mc_run *r, mc_scenario *given, const char *text, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    mc_run *fresh = NULL;
    scenario *kept = NULL;
    mc_status status = make_fresh(r, scenario_of(given), &kept, &fresh, error);
    if (status == MC_OK)
        status = run_lanes_kept(r, fresh, error);
    if (status == MC_OK)
        status = check_room(r, fresh, error);
    if (status == MC_OK)
        status = mc_world_refresh(fresh->world, error);
    const int next = r->past.version + 1;
    if (status == MC_OK)
        status = put_version(r, next, &(run_version){r->step, given, text, kept}, error);
    if (status != MC_OK) {
        mc_run_destroy(fresh);
        free(kept);
        mc_scenario_free(given);
        return status;
    }
    run_read_motions(fresh);
    run_order_make(fresh);
    run_refresh_commands(fresh);
    run_profile_slots(fresh);
    run_leads(fresh);
    run_forces(fresh);
    run_profiles(fresh);
    run_carry_radio(r, fresh);
    const int before = r->ersc, level = fresh->ersc;
    run_become(r, fresh);
    r->elders = NULL;
    r->past.version = next;
    r->ersc = before;
    return level == before ? MC_OK : run_ersc_switch(r, level, error);
}

mc_status run_adopt_text(mc_run *r, int kind, const char *text, mc_error *error)
{
    const run_past *p = &r->past;
    const int next = p->version + 1;
    const mc_scenario *now = mc_run_scenario(r);
    mc_scenario *given;
    // Seen before: made from the same text at the same step, and so of the same version.
    if (next < p->version_count && p->versions[next].text == text &&
        p->versions[next].step == r->step)
        given = scenario_keep(p->versions[next].given);
    else if (kind == RUN_EDIT)
        given = mc_scenario_edit_at(now, run_time(r), text, error);
    else
        given = scenario_version_of(now, text, error);
    return given ? run_adopt(r, given, text, error) : error->code;
}

// What is asked for now comes behind what was asked for this step before.
static mc_status adopt_now(mc_run *r, int kind, const char *text, mc_scenario *version,
                           mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    const int dropped = r->past.dropped;
    mc_status status = run_begin(r, false, error);
    if (status == MC_BAD_INPUT && r->past.dropped > dropped) { // of a command, not of this version
        const mc_error was = *error;
        mc_error_set(error, was.code, was.file, was.line, was.column,
                     "a command given before for this instant is skipped; try again. It says: "
                     "%.300s",
                     was.text);
    }
    char *kept = arena_copy_text(&r->past.memory, text, strlen(text));
    if (status == MC_OK && !kept)
        status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
    if (status != MC_OK) {
        mc_scenario_free(version);
        return status;
    }
    status = version ? run_adopt(r, version, kept, error) : run_adopt_text(r, kind, kept, error);
    if (status != MC_OK)
        return status;
    const run_logged entry = {
        .step = r->step, .time = run_time(r), .kind = kind, .vehicle = "", .param = kept};
    if (run_log_add(r, &entry, error) < 0)
        return error->code;
    r->carried++;
    return MC_OK;
}

mc_status mc_run_carry_edits(mc_run *r, mc_error *error)
{
    mc_error unused;
    return run_log_edits(r) ? run_begin(r, true, error ? error : &unused) : MC_OK;
}

mc_status mc_run_adopt(mc_run *r, const mc_scenario *version, mc_error *error)
{
    return adopt_now(r, RUN_VERSION, mc_scenario_text(version), scenario_keep(version), error);
}

mc_status mc_run_edit(mc_run *r, const char *edit, mc_error *error)
{
    return adopt_now(r, RUN_EDIT, edit, NULL, error);
}
