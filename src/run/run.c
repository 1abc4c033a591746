// run.c - creation and destruction of a run, and its step.
#include "run/run.h"
#include "run/adopt.h"
#include "run/braking_step.h"
#include "run/build.h"
#include "run/control.h"
#include "run/cut_in.h"
#include "run/estimate.h"
#include "run/event.h"
#include "run/flow.h"
#include "run/force.h"
#include "run/join.h"
#include "run/lane_use.h"
#include "run/lead.h"
#include "run/log_csv.h"
#include "run/meter.h"
#include "run/order.h"
#include "run/sense.h"
#include "run/steer.h"
#include "run/traffic.h"
#include "run/unit.h"
#include "run/where.h"

#include "base/assert.h"
#include "scenario/handle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Times of a scenario can be set one by one: whether they fit each other is known only now.
static mc_status check_times(const scenario *s, mc_error *error)
{
    const double steps = s->record / s->step;
    if (s->step > s->end)
        return mc_error_set(error, MC_BAD_INPUT, s->file, 0, 0,
                            "the control step is %g s, longer than the run, %g s", s->step, s->end);
    if (!(steps > 0.5) || fabs(steps - floor(steps + 0.5)) > 1e-6 * steps)
        return mc_error_set(error, MC_BAD_INPUT, s->file, 0, 0,
                            "record is %g s, not a whole number of steps of %g s", s->record,
                            s->step);
    return MC_OK;
}

static mc_run *allocate(const mc_run_options *options, mc_error *error)
{
    mc_run *r = calloc(1, sizeof *r);
    if (r)
        r->options = options ? *options : (mc_run_options){0};
    else
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    return r;
}

mc_run *run_create_empty(const mc_run *of, mc_error *error)
{
    return allocate(&of->options, error);
}

static mc_run *create(const mc_run *before, const scenario *s, scenario *own,
                      const mc_run_options *options, run_start start, mc_error *error)
{
    mc_error unused; // the build reads what it wrote
    error = error ? error : &unused;
    mc_run *r = allocate(options, error);
    if (!r) {
        free(own);
        return NULL;
    }
    if (!own && !isnan(s->braking_step)) // its step changes on the way
        own = run_copy_scenario(s);
    if (!own && !isnan(s->braking_step)) {
        free(r);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
        return NULL;
    }
    r->s = own ? own : s;
    r->own = own;
    r->usual_step = s->step;
    r->start = start;
    r->next_join = HUGE_VAL;
    r->replaced = before;
    if (check_times(r->s, error) != MC_OK || run_build(r, error) != MC_OK) {
        mc_run_destroy(r);
        return NULL;
    }
    r->replaced = NULL;
    return r;
}

mc_run *run_create(const scenario *s, scenario *own, const mc_run_options *options, run_start start,
                   mc_error *error)
{
    return create(NULL, s, own, options, start, error);
}

mc_run *run_create_after(const mc_run *before, const scenario *s, scenario *own, run_start start,
                         mc_error *error)
{
    return create(before, s, own, &before->options, start, error);
}

mc_run *mc_run_create(const mc_scenario *of, const mc_run_options *options, mc_error *error)
{
    bool good;
    double next;
    const scenario *s = scenario_of(of);
    scenario *own = run_scenario_at(s, 0.0, &next, &good), *kept = NULL;
    if (good && own)
        kept = run_copy_scenario(own);
    if (!good || (own && !kept)) {
        free(own);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
        return NULL;
    }
    mc_run *r = run_create(own ? own : s, own, options, RUN_AT_START, error);
    if (!r) {
        free(kept);
        return NULL;
    }
    r->next_join = next;
    const run_version first = {.given = scenario_keep(of), .own = kept};
    if (run_version_add(r, &first, error) != MC_OK) {
        mc_scenario_free(first.given);
        free(kept);
        mc_run_destroy(r);
        return NULL;
    }
    if (run_flow_begin(r, error) != MC_OK) {
        mc_run_destroy(r);
        return NULL;
    }
    if (s->log[0] &&
        run_log_read(r, s->log, s->file, s->log_place.line, s->log_in_lines, error) != MC_OK) {
        mc_run_destroy(r);
        return NULL;
    }
    return r;
}

static void free_past(run_past *p)
{
    for (int k = 0; k < p->version_count; k++) {
        free(p->versions[k].own);
        mc_scenario_free(p->versions[k].given);
    }
    free(p->versions);
    free(p->log);
    free(p->happened);
    arena_free(&p->memory);
    *p = (run_past){0};
}

void mc_run_destroy(mc_run *r)
{
    if (!r)
        return;
    mc_world_destroy(r->world);
    for (int k = 0; k < r->law_count; k++)
        law_destroy(r->laws[k].law);
    run_estimate_end(r);
    run_unit_end(r);
    for (int k = 0; r->profiles && k < r->s->profile_count; k++)
        profile_destroy(r->profiles[k]);
    arena_free(&r->memory);
    free(r->own);
    free_past(&r->past); // last: the scenario lives in it
    free(r);
}

void run_become(mc_run *r, mc_run *fresh)
{
    const run_past past = r->past;
    r->past = fresh->past;
    const mc_run old = *r;
    *r = *fresh;
    *fresh = old;
    r->past = past;
    for (int k = 0; k < r->batch_count; k++) // vehicles look at the road of the run they are in
        r->batches[k].batch->kind->set_road(r->batches[k].batch, &r->road);
    mc_run_destroy(fresh);
}

// ---- the step ----

// A car whose acceleration is held over a step and that came to rest, or to its top speed, within
// it reports 0 at once. Those who extrapolate from the middles of the last steps need the mean over
// the step: then what they take it to have gained in speed is what it gained, and their error is of
// second order in the step although the acceleration jumps.
static void mean_of_stop(const mc_run *r, int slot)
{
    const run_car *c = &r->car[slot];
    mc_motion *m = &r->motion[slot];
    if (c->flags & RUN_HELD && m->a == 0.0 && m->v != c->v_before)
        m->a = (m->v - c->v_before) / r->s->step;
}

// What a driver asks for is what the car sends, not what its law would want.
static double asked_by_driver(const mc_run *r, int slot)
{
    return r->car[slot].flags & RUN_NO_PEDALS ? r->inputs[slot].acceleration : r->motion[slot].a;
}

static void gather_tile(void *context, int index)
{
    mc_run *r = context;
    run_tile *t = &r->tiles[index];
    const mc_batch *batch = r->batches[t->batch].batch;
    run_car *cars = &r->car[t->first];
    mc_motion *motion = &r->motion[t->first];
    // Only now: while cars decided, others read their last motion and desired acceleration.
    for (int k = 0; k < t->count; k++) {
        run_car *c = &cars[k];
        c->v_before = motion[k].v;
        c->a_before = motion[k].a;
        c->desired_before = c->desired;
        c->desired = c->inner.desired;
    }
    batch->kind->motion(batch, t->first - r->batches[t->batch].first, t->count, motion);
    if (r->where)
        run_where_turn(r, t->first, t->count, motion, true);
    double places = 0.0, speeds = 0.0;
    const double aside = 0.6 * r->road.lane_width;
    bool astray = false;
    for (int k = 0; k < t->count; k++) {
        mean_of_stop(r, t->first + k);
        if (cars[k].flags & (RUN_HAND | RUN_DRIVER_FILE | RUN_LED_BY_HAND))
            cars[k].desired = asked_by_driver(r, t->first + k);
        const mc_motion *m = &motion[k];
        places += m->x + m->y + m->psi;
        speeds += m->v + m->v_y + (m->yaw_rate + m->a);
        astray |= !(fabs(m->y - cars[k].lane_y) < aside) && !(cars[k].flags & RUN_CHANGES);
    }
    t->aside = astray;
    t->lost = !isfinite(places + speeds);
}

static void decide_tile(void *context, int index)
{
    run_tile_decide(context, index);
}

void run_read_motions(mc_run *r)
{
    for (int k = 0; k < r->batch_count; k++) {
        const run_batch *b = &r->batches[k];
        b->batch->kind->motion(b->batch, 0, b->batch->count, &r->motion[b->first]);
        if (r->where)
            run_where_turn(r, b->first, b->batch->count, &r->motion[b->first],
                           !r->world->instants.shown);
    }
}

static void for_tiles(mc_run *r, void (*task)(void *run, int tile))
{
    if (r->tile_count == 1)
        task(r, 0);
    else
        pool_run(r->world->pool, r->tile_count, task, r);
}

void run_profile_slots(mc_run *r)
{
    r->profile_slot_count = 0;
    for (int slot = 0; slot < r->count; slot++)
        if (r->rare[slot].profile >= 0)
            r->profile_slots[r->profile_slot_count++] = slot;
}

// Speed commands of the cars that follow a profile, for the middle of the coming step.
void run_profiles(mc_run *r)
{
    const double steps = (double)(r->step - r->zero_step) + 0.5; // to the middle
    for (int k = 0; k < r->profile_slot_count; k++) {
        run_car *c = &r->car[r->profile_slots[k]];
        const int which = r->rare[r->profile_slots[k]].profile;
        c->v_set = profile_speed_ahead(r->profiles[which], r->zero_time, r->s->step, steps,
                                       &c->v_set_rate);
    }
}

// Cars whose radio fell silent in this step, or came back: decided by their tiles, noted in order.
static mc_status note_changes(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int slot = 0; r->history_count > 0 && slot < r->count && status == MC_OK; slot++) {
        const bool now = r->car[slot].flags & RUN_FALLEN_BACK;
        if (now != r->rare[slot].fallen_back) {
            r->rare[slot].fallen_back = now;
            status = run_note(r, now ? EVENT_RADIO_SILENT : EVENT_RADIO_BACK, r->rare[slot].vehicle,
                              NAN, error);
        }
    }
    return status;
}

// The world checks the vehicles only now and then; a lost one is named in the step it happens.
static mc_status find_lost(mc_run *r, mc_error *error)
{
    bool lost = false;
    for (int k = 0; k < r->tile_count; k++)
        lost = lost || r->tiles[k].lost;
    return lost ? world_look(r->world, error) : MC_OK;
}

// A car that was pushed in this step felt its whole change of speed, not only what its own wheels
// do: its acceleration is the mean over the step.
static void feel_hits(mc_run *r, int chunk)
{
    for (int v = 0; v < r->count && r->world->hit_newest > chunk; v++)
        if (r->world->hit_stamp[v] > chunk) {
            mc_motion *m = &r->motion[r->slot[v]];
            m->a = (m->v - r->car[r->slot[v]].v_before) / r->s->step;
        }
}

static void count_hits(mc_run *r)
{
    int count;
    const mc_impact *impacts = mc_world_impacts(r->world, &count);
    for (; r->impact_seen < count; r->impact_seen++) {
        const mc_impact *i = &impacts[r->impact_seen];
        r->rare[r->slot[i->a]].hits++;
        if (i->b < r->count) // not an obstacle
            r->rare[r->slot[i->b]].hits++;
    }
}

static mc_status law_lost(const mc_run *r, mc_error *error)
{
    const int slot = r->lost;
    const run_controller *c = &r->controllers[r->car[slot].controller];
    const scenario_place place = r->s->controllers[r->car[slot].controller].place;
    const bool steers = !isfinite(r->inputs[slot].steer);
    const bool silent = r->car[slot].flags & RUN_FALLEN_BACK;
    const int which = c->law[steers ? RUN_STEERING : silent ? RUN_FALLBACK : RUN_LAW];
    return mc_error_set(error, MC_FAILED, r->s->file, place.line, place.column,
                        "%s: its %slaw \"%s\" gives no finite %s at t = %g s",
                        r->s->vehicles[r->rare[slot].vehicle].name, steers ? "steering " : "",
                        r->laws[which].text->name, steers ? "angle" : "acceleration",
                        mc_run_time(r));
}

mc_status mc_run_step(mc_run *r, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    mc_status status = run_begin(r, false, error);
    if (status == MC_OK)
        status = run_fit_step(r, error);
    if (status != MC_OK)
        return status;
    run_cut_in_begin(r);
    if (r->ruled)
        status = run_lane_use(r, error);
    if (status == MC_OK && r->traffic)
        status = run_traffic(r, error);
    if (status == MC_OK && r->shifting)
        status = run_join(r, error);
    if (status == MC_OK)
        status = run_cut_in_watch(r, error);
    if (status != MC_OK)
        return status;
    if (!r->grouped || !r->all_grouped)
        run_make_groups(r);
    run_profiles(r);
    run_lead_speeds(r);
    run_radio(r);
    if (r->units)
        status = run_unit_step(r, error);
    if (status != MC_OK)
        return status;
    r->lost = r->count;
    for_tiles(r, decide_tile);
    if (r->lost < r->count)
        return law_lost(r, error);
    run_lead_inputs(r);
    run_cut_in_end(r);
    status = r->meet ? r->meet(r->meet_context, error) : MC_OK;
    if (status == MC_OK)
        status = note_changes(r, error);
    if (status == MC_OK && r->parts)
        status = run_unit_drive(r, error);
    if (status == MC_OK && r->exchanges)
        status = run_unit_exchange(r, error);
    if (status != MC_OK)
        return status;
    const int chunk = r->world->chunk_number;
    world_instants_begin(r->world, r->s->step);
    status = run_force_advance(r, error);
    if (status == MC_OK) {
        for_tiles(r, gather_tile);
        run_force_feel(r);
        feel_hits(r, chunk);
        status = find_lost(r, error);
    }
    if (status != MC_OK)
        return run_name_failure(r, error);
    r->step++;
    r->begun = false;
    r->carried = 0;
    run_order_check(r, r->changing ? run_lane_arrive(r) : 0);
    status = run_cut_in_watch(r, error);
    if (status != MC_OK)
        return status;
    count_hits(r);
    run_mileage_take(r);
    return run_estimate_step(r, error);
}

// The world counts vehicles; a user knows them by name.
mc_status run_name_failure(const mc_run *r, mc_error *error)
{
    if (!error || error->vehicle < 1 || error->vehicle > r->count)
        return error ? error->code : MC_FAILED;
    const mc_error was = *error;
    return mc_error_set(error, was.code, NULL, 0, 0, "%s: %s", r->s->vehicles[was.vehicle - 1].name,
                        was.text);
}

// ---- what can be seen ----

double mc_run_time(const mc_run *r)
{
    return run_time(r);
}

const mc_scenario *mc_run_scenario(const mc_run *r)
{
    return r->past.versions[r->past.version].given;
}

const mc_scenario *mc_run_origin(const mc_run *r)
{
    return r->past.versions[0].given;
}

long long mc_run_step_count(const mc_run *r)
{
    return r->step;
}

int mc_run_vehicle_count(const mc_run *r)
{
    return r->count;
}

const char *mc_run_vehicle_name(const mc_run *r, int vehicle)
{
    mc_assert(vehicle >= 0 && vehicle < r->count + r->s->obstacle_count);
    return vehicle < r->count ? r->s->vehicles[vehicle].name
                              : r->s->obstacles[vehicle - r->count].name;
}

int mc_run_find(const mc_run *r, const char *name)
{
    int low = 0, high = r->count;
    while (low < high) {
        const int middle = (low + high) / 2, order = strcmp(r->name[middle].name, name);
        if (order == 0)
            return r->name[middle].vehicle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

void mc_run_look(const mc_run *r, int vehicle, mc_run_view *out)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    const int slot = r->slot[vehicle];
    const run_car *c = &r->car[slot];
    const run_rare *rare = &r->rare[slot];
    const mc_motion *m = &r->motion[slot];
    *out = (mc_run_view){.motion = *m,
                         .inputs = r->inputs[slot],
                         .jerk = r->step > 0 ? (m->a - c->a_before) / r->s->step : 0.0,
                         .desired = c->desired,
                         .gap = NAN,
                         .error = NAN,
                         .headway = c->headway,
                         .distance = c->distance,
                         .front = c->front < 0 ? -1 : r->rare[c->front].vehicle,
                         .leader = c->leader == slot ? -1 : r->rare[c->leader].vehicle,
                         .lane = rare->lane,
                         .hits = rare->hits};
    if (c->front >= 0) {
        out->gap = run_gap(r, slot);
        out->error = out->gap - c->distance - c->headway * m->v;
        if (c->flags & RUN_SHIFTS)
            out->error -= rare->shift.d;
    }
}

int mc_run_channels(const mc_run *r, int vehicle, const mc_channel **channels)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    *channels = batch->kind->channels;
    return batch->kind->channel_count;
}

void mc_run_read_channels(const mc_run *r, int vehicle, double *out)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    batch->kind->read_channels(batch, index, out);
}

const mc_impact *mc_run_impacts(const mc_run *r, int *count)
{
    return mc_world_impacts(r->world, count);
}

void mc_run_energy(const mc_run *r, int vehicle, mc_energy *out)
{
    mc_batch *batch;
    int index;
    mc_world_vehicle(r->world, vehicle, &batch, &index);
    batch->kind->energy(batch, index, out);
}

mc_run_counts mc_run_counts_of(const mc_run *r)
{
    return r->counts;
}

double mc_run_pushed(const mc_run *r, int vehicle)
{
    mc_assert(vehicle >= 0 && vehicle < r->count);
    return r->rare[r->slot[vehicle]].pushed;
}
