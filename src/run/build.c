// build.c - from a scenario to vehicles in slots, laws and a world.
#include "run/build.h"

#include "base/assert.h"
#include "run/control.h"
#include "run/cut_in.h"
#include "run/estimate.h"
#include "run/event.h"
#include "run/join.h"
#include "run/lane_use.h"
#include "run/lead.h"
#include "run/meter.h"
#include "run/order.h"
#include "run/pedals.h"
#include "run/sense.h"
#include "run/steer.h"
#include "run/traffic.h"
#include "run/unit.h"
#include "run/watch.h"
#include "run/where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
}

static void *take(mc_run *r, size_t count, size_t size)
{
    return arena_alloc(&r->memory, (count + 1) * size);
}

// ---- vehicles ----

// Vehicles that can share a batch: of one type, whatever it says of their models.
static bool share(const scenario *s, int a, int b)
{
    const scenario_model *m = &s->models[s->vehicles[a].model],
                         *n = &s->models[s->vehicles[b].model];
    if (m->type != n->type)
        return false;
    if (m != n)
        return m->type->same_batch && m->type->same_batch(m->spec, n->spec);
    return a == b || s->vehicle_count > m->type->alone;
}

static mc_batch *make_batch(const mc_run *r, const int *vehicles, int count, mc_error *error)
{
    const scenario *s = r->s;
    const mc_vehicle_setup setup = {sizeof setup, &r->road, s->step, s->contact_step,
                                    r->replaced && r->replaced->s ? run_time(r->replaced) : 0.0};
    mc_vehicle_start *starts = malloc((size_t)count * sizeof *starts);
    if (!starts) {
        no_memory(error);
        return NULL;
    }
    for (int k = 0; k < count; k++) {
        const scenario_vehicle *v = &s->vehicles[vehicles[k]];
        const bool restored = r->start == RUN_RESTORED || (r->start == RUN_UNDER_WAY && v->carried);
        starts[k] = (mc_vehicle_start){
            s->models[v->model].spec, v->x, v->y, v->heading, v->v, v->a, restored};
        run_where_start(r, v, &starts[k]);
    }
    const mc_vehicle_type *type = s->models[s->vehicles[vehicles[0]].model].type;
    mc_batch *batch = type->create(starts, count, &setup, error);
    free(starts);
    // Layouts of axles differ in their channels; what moves them is that of the type.
    mc_assert(!batch || (batch->kind->advance == type->kind->advance && batch->count == count));
    return batch;
}

// Those that share a batch with vehicle v and have no slot yet get the next ones; returns how many.
static int take_slots(const scenario *s, int v, int first, int *slot, int *vehicles)
{
    int count = 0;
    for (int w = v; w < s->vehicle_count; w++)
        if (slot[w] < 0 && share(s, v, w)) {
            slot[w] = first + count;
            vehicles[count++] = w;
        }
    return count;
}

void run_slots(const scenario *s, int *slot, int *vehicle_at)
{
    for (int v = 0; v < s->vehicle_count; v++)
        slot[v] = -1;
    for (int v = 0, next = 0; v < s->vehicle_count; v++)
        if (slot[v] < 0)
            next += take_slots(s, v, next, slot, vehicle_at + next);
}

// Batches and slots, in the order of the scenario.
static mc_status make_batches(mc_run *r, mc_error *error)
{
    const scenario *s = r->s;
    int *vehicles = take(r, (size_t)r->count, sizeof *vehicles);
    r->batches = take(r, (size_t)r->count, sizeof *r->batches);
    if (!vehicles || !r->batches)
        return no_memory(error);
    int slot = 0;
    for (int v = 0; v < r->count; v++)
        r->slot[v] = -1;
    for (int v = 0; v < r->count; v++) {
        if (r->slot[v] >= 0)
            continue;
        const int count = take_slots(s, v, slot, r->slot, vehicles);
        mc_batch *batch = make_batch(r, vehicles, count, error);
        if (!batch)
            return error->code;
        const mc_status status = mc_world_give(r->world, batch, error);
        if (status != MC_OK) {
            batch->kind->destroy(batch);
            return status;
        }
        r->batches[r->batch_count++] = (run_batch){batch, slot};
        batch->kind->set_road(batch, &r->road);
        for (int k = 0; k < count; k++, slot++) {
            r->rare[slot].vehicle = vehicles[k];
            r->facts[slot] = &s->models[s->vehicles[vehicles[k]].model].facts;
        }
    }
    return MC_OK;
}

// Vehicles enter the world in the order of the scenario: their ids are their numbers there.
static mc_status add_vehicles(mc_run *r, mc_error *error)
{
    mc_status status = MC_OK;
    for (int v = 0; v < r->count && status == MC_OK; v++) {
        int id, b = r->batch_count - 1;
        while (r->batches[b].first > r->slot[v])
            b--;
        status = mc_world_add(r->world, r->batches[b].batch, r->slot[v] - r->batches[b].first, &id,
                              error);
    }
    return status;
}

// Obstacles are the last bodies of the world.
static mc_status add_obstacles(mc_run *r, mc_error *error)
{
    const scenario *s = r->s;
    if (s->obstacle_count == 0)
        return MC_OK;
    obstacle *all = arena_alloc(&r->memory, (size_t)s->obstacle_count * sizeof *all);
    if (!all)
        return no_memory(error);
    for (int k = 0; k < s->obstacle_count; k++) {
        double heading;
        all[k] = s->obstacles[k].o;
        mc_road_place(&r->road, 0, all[k].x, all[k].y, &all[k].x, &all[k].y, &heading);
        all[k].heading += heading;
    }
    mc_batch *batch = obstacle_batch_create(all, s->obstacle_count);
    if (!batch)
        return no_memory(error);
    mc_status status = mc_world_give(r->world, batch, error);
    if (status != MC_OK)
        batch->kind->destroy(batch);
    for (int k = 0, id; k < s->obstacle_count && status == MC_OK; k++)
        status = mc_world_add(r->world, batch, k, &id, error);
    return status;
}

static mc_status make_tiles(mc_run *r, mc_error *error)
{
    r->tiles = take(r, (size_t)(r->count / RUN_TILE + r->batch_count), sizeof *r->tiles);
    r->tile_of = take(r, (size_t)r->count, sizeof *r->tile_of);
    if (!r->tiles || !r->tile_of)
        return no_memory(error);
    for (int b = 0; b < r->batch_count; b++)
        for (int k = 0; k < r->batches[b].batch->count; k += RUN_TILE) {
            const int left = r->batches[b].batch->count - k;
            r->tiles[r->tile_count++] = (run_tile){.batch = b,
                                                   .first = r->batches[b].first + k,
                                                   .count = left < RUN_TILE ? left : RUN_TILE};
        }
    for (int k = 0; k < r->tile_count; k++)
        for (int n = 0; n < r->tiles[k].count; n++)
            r->tile_of[r->tiles[k].first + n] = k;
    return MC_OK;
}

// Bumpers from the surface as it stands on the road.
static void measure(mc_run *r, int slot)
{
    mc_batch *batch;
    int index;
    mc_ellipsoid e;
    mc_world_vehicle(r->world, r->rare[slot].vehicle, &batch, &index);
    batch->kind->surface(batch, index, &e);
    double half = sqrt(e.axes[0] * e.axes[0] + e.axes[1] * e.axes[1] + e.axes[2] * e.axes[2]);
    double centre = e.centre[0] - r->motion[slot].x;
    if (r->where) { // along its heading in the plane
        const mc_motion *m = &r->where[slot].plane;
        const double along[2] = {cos(m->psi), sin(m->psi)};
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            const double reach = along[0] * e.axes[k] + along[1] * e.axes[3 + k];
            sum += reach * reach;
        }
        half = sqrt(sum);
        centre = along[0] * (e.centre[0] - m->x) + along[1] * (e.centre[1] - m->y);
    }
    r->car[slot].nose = centre + half;
    r->car[slot].tail = centre - half;
}

// ---- laws ----

// Signals that cost something to make, of those the law reads.
static unsigned needs_of(const run_law *l)
{
    unsigned needs = 0;
    for (int k = 0; k < l->used_count; k++) {
        const int u = l->used[k];
        if (u == SIGNAL_GAP_LEADER || u == SIGNAL_V_LEADER || u == SIGNAL_A_LEADER ||
            u == SIGNAL_PLACE || u == SIGNAL_POSITION_ERROR || u == SIGNAL_SPEED_ERROR ||
            u == SIGNAL_MASS || u >= SIGNAL_USER_1)
            needs |= RUN_NEEDS_LINKED;
        if (u == SIGNAL_A_FRONT || u == SIGNAL_U_FRONT)
            needs |= RUN_NEEDS_RADIO;
        if (u == SIGNAL_A)
            needs |= RUN_NEEDS_A;
        if (u == SIGNAL_T || u == SIGNAL_DT || u == SIGNAL_X || u == SIGNAL_FRESH ||
            u == SIGNAL_LENGTH)
            needs |= RUN_NEEDS_OTHERS;
        if (u == SIGNAL_V_SET_RATE)
            needs |= RUN_NEEDS_RATE;
    }
    return needs;
}

static expr_compile how_to_run(const mc_run *r)
{
    return r->options.interpret       ? EXPR_INTERPRET
           : r->options.compile_first ? EXPR_COMPILE_WAIT
                                      : EXPR_COMPILE_BACKGROUND;
}

// A law that the run before this one has compiled; texts are those of scenarios that both keep.
static law *known_law(const mc_run *before, const law_text *text)
{
    for (int k = 0; before && k < before->law_count; k++)
        if (before->laws[k].text == text)
            return law_share(before->laws[k].law);
    return NULL;
}

// Index of the compiled law of a text; compiled when it is new.
static mc_status law_index(mc_run *r, const law_text *text, run_side side, int *index,
                           mc_error *error)
{
    for (*index = 0; *index < r->law_count; ++*index)
        if (r->laws[*index].text == text)
            return MC_OK;
    run_law *l = &r->laws[r->law_count];
    l->text = text;
    l->law = known_law(r->replaced, text);
    if (!l->law)
        l->law = law_compile_words(text, side == RUN_STEERING ? &steering_words : &law_words,
                                   r->s->file, how_to_run(r), error);
    if (!l->law)
        return error->code;
    r->law_count++;
    l->state_count = text->state_count, l->param_count = text->param_count;
    l->x_count = law_x_count(l->law), l->y_count = law_y_count(l->law);
    l->state_at = law_state_at(l->law), l->param_at = law_param_at(l->law);
    mc_assert(l->param_at == l->state_at + l->state_count); // as they stand in the law memory
    for (int k = 0; k < (side == RUN_STEERING ? (int)STEERING_SIGNAL_COUNT : (int)SIGNAL_COUNT);
         k++)
        if (law_uses(l->law, k))
            l->used[l->used_count++] = k;
    l->needs = side == RUN_STEERING ? run_steer_needs_of(l->law) : needs_of(l);
    l->look_ahead = steering_param(text, "look_ahead");
    l->min_look_ahead = steering_param(text, "min_look_ahead");
    if (law_work(l->law) > RUN_LAW_WORK_MAX)
        return mc_error_set(
            error, MC_BAD_INPUT, r->s->file, 0, 0,
            "the law \"%s\" is too long: it needs %d intermediate values, expected at most %d",
            text->name, law_work(l->law), RUN_LAW_WORK_MAX);
    return MC_OK;
}

// The first one of the controllers before k and k itself that have the same inner loop.
static int inner_like(const mc_run *r, int k)
{
    const scenario_controller *of = r->s->controllers;
    const int before = k > 0 ? r->controllers[k - 1].inner : k;
    return memcmp(of[before].inner, of[k].inner, sizeof of[k].inner) == 0 ? before : k;
}

static mc_status make_laws(mc_run *r, mc_error *error)
{
    const scenario *s = r->s;
    r->laws = take(r, RUN_SIDES * (size_t)s->controller_count, sizeof *r->laws);
    r->controllers = take(r, (size_t)s->controller_count, sizeof *r->controllers);
    if (!r->laws || !r->controllers)
        return no_memory(error);
    scenario_compile_tyres(s, how_to_run(r));
    for (int k = 0; k < s->controller_count; k++) {
        run_controller *to = &r->controllers[k];
        int size = 0;
        to->inner = inner_like(r, k);
        for (run_side side = 0; side < RUN_SIDES; side++) {
            const double *p;
            const law_text *text = run_law_text(&s->controllers[k], side, &p);
            to->law[side] = -1;
            to->offset[side] = size;
            const mc_status status = text ? law_index(r, text, side, &to->law[side], error) : MC_OK;
            if (status != MC_OK)
                return status;
            size += text ? text->state_count + text->param_count : 0;
        }
        r->law_stride = size > r->law_stride ? size : r->law_stride;
    }
    r->law_memory = take(r, (size_t)r->count * (size_t)r->law_stride, sizeof(double));
    return r->law_memory ? MC_OK : no_memory(error);
}

// The car `places` ahead of a slot in its platoon; -1: none. Vehicles stand platoon by platoon
// until some change theirs.
static int ahead_of(const mc_run *r, int slot, int places)
{
    const int vehicle = r->rare[slot].vehicle - places, platoon = r->rare[slot].platoon;
    for (int k = 0; r->regrouped && platoon >= 0 && k < r->count; k++)
        if (r->rare[k].platoon == platoon && r->rare[k].number == r->rare[slot].number - places)
            return k;
    if (vehicle < 0 || vehicle >= r->count || platoon < 0 || r->regrouped)
        return -1;
    const int other = r->slot[vehicle];
    return r->rare[other].platoon == platoon ? other : -1;
}

static void listen_to(run_rare *rare, int slot)
{
    for (int k = 1; k < rare->listen_count; k++)
        if (rare->listen[k] == slot)
            return;
    if (slot >= 0 && rare->listen_count < RUN_LISTEN_MAX)
        rare->listen[rare->listen_count++] = slot;
}

static void choose_cars(mc_run *r, int slot, const scenario_controller *k)
{
    run_rare *rare = &r->rare[slot];
    run_car *c = &r->car[slot];
    rare->listen_count = 1; // the car in front
    if (k->listen_leader)
        listen_to(rare, c->leader == slot ? -1 : c->leader);
    for (int j = 0; j < k->listen_count; j++)
        if (k->listen[j] == 1)
            c->flags |= RUN_HEARS_FRONT;
        else
            listen_to(rare, ahead_of(r, slot, k->listen[j]));
}

void run_listen(mc_run *r, int slot)
{
    run_rare *rare = &r->rare[slot];
    if (r->car[slot].controller < 0)
        return;
    choose_cars(r, slot, &r->s->controllers[r->car[slot].controller]);
    for (int k = 1; k < rare->listen_count; k++) // silence counts from now
        rare->heard[k] = (run_heard){(double)r->step, run_message_of(r, rare->listen[k])};
}

void run_take_controller(mc_run *r, int slot)
{
    r->grouped = false;
    run_car *c = &r->car[slot];
    run_rare *rare = &r->rare[slot];
    c->flags &= ~(unsigned)(RUN_LISTENS | RUN_AVOIDS | RUN_HAS_FALLBACK | RUN_HEARS_FRONT |
                            RUN_OBEYS_SPEED | RUN_STEERS | RUN_DECIDES);
    rare->listen_count = 1; // the car in front
    for (int k = 0; k < RUN_LISTEN_MAX; k++)
        rare->heard[k].step = -1.0;
    if (c->controller < 0)
        return;
    const scenario_controller *k = &r->s->controllers[c->controller];
    const run_controller *laws = &r->controllers[c->controller];
    const int falls = laws->law[RUN_FALLBACK];
    if ((r->laws[laws->law[RUN_LAW]].needs | (falls >= 0 ? r->laws[falls].needs : 0)) &
            RUN_NEEDS_LINKED ||
        k->unit)
        c->flags |= RUN_LISTENS;
    c->flags |= k->avoid ? RUN_AVOIDS : 0;
    c->flags |= k->free_lanes ? RUN_DECIDES : 0;
    r->traffic = r->traffic || k->free_lanes;
    c->flags |= falls >= 0 ? RUN_HAS_FALLBACK : 0;
    c->flags |= rare->profile < 0 ? RUN_OBEYS_SPEED : 0;
    c->flags |= k->steering->state_count > 0 || steering_find(k->steering->name) != k->steering
                    ? RUN_STEERS
                    : 0;
    choose_cars(r, slot, k);
    memcpy(rare->fault.sensor, k->sensor, sizeof rare->fault.sensor);
    memcpy(rare->fault.link, k->link, sizeof rare->fault.link);
    run_note_sensor(r, slot);
    for (run_side side = 0; side < RUN_SIDES; side++) {
        const double *values;
        const law_text *text = run_law_text(k, side, &values);
        if (text)
            memcpy(run_law_params(r, slot, side), values,
                   (size_t)text->param_count * sizeof *values);
    }
    run_steer_prepare(r, slot);
}

// ---- cars ----

static void make_car(mc_run *r, int slot)
{
    run_car *c = &r->car[slot];
    run_rare *rare = &r->rare[slot];
    const scenario_vehicle *v = &r->s->vehicles[rare->vehicle];
    const mc_vehicle_facts *facts = &r->s->models[v->model].facts;
    c->controller = v->controller;
    c->leader = slot;
    c->flags = facts->pedals ? 0 : facts->immediate ? RUN_NO_PEDALS | RUN_HELD : RUN_NO_PEDALS;
    c->max_a = facts->max_acceleration;
    c->min_a = -facts->max_brake;
    c->v_before = r->motion[slot].v;
    c->a_before = r->motion[slot].a;
    c->inner = (inner_state){.mode = INNER_THROTTLE, .saturated = 1};
    rare->lane = v->lane;
    rare->path.from = rare->path.to = rare->path.wait = rare->path.left = -1;
    rare->path.since = -HUGE_VAL;
    rare->exit = v->exit;
    r->traffic = r->traffic || v->exit >= 0;
    rare->ordered = (run_ordered){NAN, NAN, NAN, HUGE_VAL};
    rare->ersc = (run_ersc){.blind = {-1, -1}, .controller = -1};
    rare->shift.platoon = -1;
    rare->platoon = v->platoon;
    rare->number = v->number;
    rare->leads_as = v->leads_as;
    rare->profile = v->profile;
    rare->own_v_set = NAN;
    rare->own_headway = v->headway;
    rare->own_distance = v->distance;
    rare->mass = facts->nominal_mass;
    rare->fault.brake_left = 1.0;
    rare->fault.throttle_stuck = NAN;
    rare->front_heard = -1;
    rare->fault.sensor[SENSOR_REACH] = sensor_params[SENSOR_REACH].fallback;
    memcpy(rare->user, v->user, sizeof rare->user);
    measure(r, slot);
}

// Leaders, and how far behind its leader each car would be if all stood bumper to bumper.
static void make_platoons(mc_run *r)
{
    for (int v = 0; v < r->count; v++) { // platoon by platoon, leader first
        const int slot = r->slot[v], ahead = v > 0 ? r->slot[v - 1] : -1;
        run_rare *rare = &r->rare[slot];
        if (ahead < 0 || rare->number == 0 || rare->platoon < 0 ||
            r->rare[ahead].platoon != rare->platoon)
            continue;
        r->car[slot].leader = r->car[ahead].leader;
        rare->station = r->rare[ahead].station + r->car[slot].nose - r->car[ahead].tail;
    }
}

// Longest delay any controller or event may ask for.
static mc_status make_history(mc_run *r, mc_error *error)
{
    const scenario *s = r->s;
    double longest = -1.0;
    for (int k = 0; k < s->controller_count; k++) {
        const double *link = s->controllers[k].link, *sensor = s->controllers[k].sensor;
        if (link[LINK_DELAY] > 0.0 || link[LINK_LOSS] > 0.0 || sensor[SENSOR_DELAY] > 0.0)
            longest = fmax(longest, fmax(link[LINK_DELAY], sensor[SENSOR_DELAY]));
    }
    for (int k = 0; k < s->event_count; k++)
        if (s->events[k].kind < EVENT_FAULT_COUNT && event_faults[s->events[k].kind].memory)
            longest = fmax(longest, event_faults[s->events[k].kind].memory(s->events[k].value));
    return longest < 0.0 ? MC_OK : run_keep_history(r, longest, error);
}

// Steps that were not kept are taken to have been like now.
mc_status run_keep_history(mc_run *r, double delay, mc_error *error)
{
    const int count = (int)floor(delay / r->s->step + 0.5) + 1;
    if (count <= r->history_count)
        return MC_OK;
    const size_t n = (size_t)r->count;
    run_message *longer = r->history;
    if (count > r->history_room) {
        longer = take(r, (size_t)count * n, sizeof *longer);
        if (!longer)
            return no_memory(error);
        r->history_room = count;
    }
    run_message *kept = malloc(((size_t)r->history_count * n + 1) * sizeof *kept);
    if (!kept)
        return no_memory(error);
    if (r->history_count > 0)
        memcpy(kept, r->history, (size_t)r->history_count * n * sizeof *kept);
    for (long long k = 0; k < count; k++) {
        const long long step = r->step - k; // this one is filled when it begins
        for (size_t slot = 0; slot < n && step >= 0; slot++) {
            run_message *to = &longer[(size_t)(step % count) * n + slot];
            if (k > 0 && k <= r->history_count - 1)
                *to = kept[(size_t)(step % r->history_count) * n + slot];
            else
                *to = run_message_of(r, (int)slot);
        }
    }
    free(kept);
    r->history = longer;
    r->history_count = count;
    return MC_OK;
}

static mc_status make_profiles(mc_run *r, mc_error *error)
{
    const size_t n = (size_t)r->s->profile_count;
    r->profiles = take(r, n, sizeof *r->profiles);
    if (!r->profiles)
        return no_memory(error);
    for (size_t k = 0; k < n; k++) {
        r->profiles[k] = profile_prepare(&r->s->profiles[k], r->s->file, error);
        if (!r->profiles[k])
            return error->code;
    }
    return MC_OK;
}

static mc_status make_room(mc_run *r, mc_error *error)
{
    const size_t n = (size_t)r->count;
    r->slot = take(r, n, sizeof *r->slot);
    r->car = take(r, n, sizeof *r->car);
    r->rare = take(r, n, sizeof *r->rare);
    r->facts = take(r, n, sizeof *r->facts);
    r->motion = take(r, n, sizeof *r->motion);
    const bool wide = cpu_level_best() == CPU_AVX2;
    r->line = wide ? run_line_avx2 : run_line_plain;
    r->follow = wide ? run_follow_avx2 : run_follow_plain;
    r->ask = wide ? run_ask_avx2 : run_ask_plain;
    r->respond = wide ? run_cut_in_four_avx2 : run_cut_in_four_plain;
    r->act = wide ? run_act_avx2 : run_act_plain;
    r->steer = wide ? run_steer_four_avx2 : run_steer_four_plain;
    r->inputs = take(r, n, sizeof *r->inputs);
    r->profile_slots = take(r, n, sizeof *r->profile_slots);
    r->led = take(r, n, sizeof *r->led);
    r->forced = take(r, n, sizeof *r->forced);
    r->mileage = r->options.mileage ? take(r, n, sizeof *r->mileage) : NULL;
    r->motion_now = r->options.instants ? take(r, n, sizeof *r->motion_now) : NULL;
    r->before = take(r, (size_t)r->s->event_count, sizeof *r->before);
    r->estimate_of = take(r, n, sizeof *r->estimate_of);
    if (!r->before || !r->estimate_of || !r->profile_slots || !r->led || !r->forced || !r->slot ||
        !r->car || !r->rare || !r->facts || !r->motion || !r->inputs ||
        (r->options.mileage && !r->mileage) || (r->options.instants && !r->motion_now))
        return no_memory(error);
    mc_status status = run_order_room(r, error);
    if (status == MC_OK)
        status = run_traffic_room(r, error);
    if (status == MC_OK)
        status = run_watch_room(r, error);
    if (status == MC_OK)
        status = run_join_room(r, error);
    return status == MC_OK ? run_where_room(r, error) : status;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const run_name *)a)->name, ((const run_name *)b)->name);
}

// Vehicles are asked for by name, ten thousand of them at every edit.
static mc_status make_names(mc_run *r, mc_error *error)
{
    r->name = take(r, (size_t)r->count, sizeof *r->name);
    if (!r->name)
        return no_memory(error);
    for (int v = 0; v < r->count; v++)
        r->name[v] = (run_name){r->s->vehicles[v].name, v};
    qsort(r->name, (size_t)r->count, sizeof *r->name, compare_names);
    return MC_OK;
}

// The stretches of the road, for the public interface.
static mc_status make_pieces(mc_run *r, mc_error *error)
{
    const scenario *s = r->s;
    r->grades = take(r, (size_t)s->grade_count, sizeof *r->grades);
    r->frictions = take(r, (size_t)s->friction_count, sizeof *r->frictions);
    if (!r->grades || !r->frictions)
        return no_memory(error);
    for (int k = 0; k < s->grade_count + s->friction_count; k++) {
        const bool grade = k < s->grade_count;
        const road_stretch *from = grade ? &s->grades[k] : &s->frictions[k - s->grade_count];
        mc_road_piece *to = grade ? &r->grades[k] : &r->frictions[k - s->grade_count];
        const road_side side = grade ? (road_side){NAN, 0.0, 0.0} : s->sides[k - s->grade_count];
        *to = (mc_road_piece){from->from, from->to,    from->value, from->transition,
                              side.right, side.divide, side.seam};
    }
    r->grade_count = s->grade_count, r->friction_count = s->friction_count;
    return MC_OK;
}

static mc_status make_world(mc_run *r, mc_error *error)
{
    mc_world_options options = mc_world_defaults();
    options.threads = r->options.threads;
    options.contact = r->options.contact_off ? MC_CONTACT_LAW_NONE : r->s->contact_law;
    options.step = r->s->contact_step;
    options.restitution = r->s->contact_restitution;
    options.friction = r->s->contact_friction;
    options.resting_guard = r->s->contact_rest;
    r->world = mc_world_create(&options, error);
    if (!r->world)
        return error->code;
    r->world->looks_seldom = true; // gather_tile looks at every motion
    r->world->instants.on = r->options.instants;
    return MC_OK;
}

static mc_status start_world(mc_run *r, mc_error *error)
{
    int a = 0, b = 0;
    const mc_status status = mc_world_start(r->world, &a, &b, error);
    if (status == MC_BAD_INPUT && r->start != RUN_AT_START)
        return MC_OK; // they are moved to where they are now, and looked at then
    if (status != MC_BAD_INPUT)
        return status;
    const scenario_vehicle *first = &r->s->vehicles[a];
    const scenario_place place =
        b < r->count ? r->s->vehicles[b].place : r->s->obstacles[b - r->count].place;
    return mc_error_set(error, MC_BAD_INPUT, r->s->file, place.line, place.column,
                        "%s and %s overlap at the start", first->name, mc_run_vehicle_name(r, b));
}

mc_status run_build(mc_run *r, mc_error *error)
{
    const scenario *s = r->s;
    r->count = s->vehicle_count;
    r->road = s->road;
    r->headway = s->headway, r->distance = s->distance, r->speed = s->speed;
    r->headway_commanded = s->headway_commanded, r->distance_commanded = s->distance_commanded;
    r->speed_commanded = s->speed_commanded;
    r->ersc = s->ersc.level;
    mc_status status = make_room(r, error);
    if (status == MC_OK)
        status = make_names(r, error);
    if (status == MC_OK)
        status = make_pieces(r, error);
    if (status == MC_OK)
        status = make_world(r, error);
    if (status == MC_OK)
        status = make_batches(r, error);
    if (status == MC_OK)
        status = add_vehicles(r, error);
    if (status == MC_OK)
        status = add_obstacles(r, error);
    if (status == MC_OK)
        status = make_tiles(r, error);
    if (status == MC_OK)
        status = make_laws(r, error);
    if (status == MC_OK)
        status = run_steer_room(r, error);
    if (status == MC_OK)
        status = make_profiles(r, error);
    if (status == MC_OK)
        status = make_history(r, error);
    if (status == MC_OK)
        status = run_unit_make(r, error);
    if (status != MC_OK)
        return status;
    for (int slot = 0; slot < r->count; slot++)
        run_where_begin(r, slot);
    run_read_motions(r);
    for (int slot = 0; slot < r->count; slot++)
        make_car(r, slot);
    run_mileage_begin(r);
    run_lane_use_prepare(r);
    make_platoons(r);
    run_order_make(r);
    for (int slot = 0; slot < r->count; slot++) {
        run_take_controller(r, slot);
        if (s->vehicles[r->rare[slot].vehicle].driver)
            r->car[slot].flags |= RUN_DRIVER_FILE;
    }
    run_refresh_commands(r);
    run_profile_slots(r);
    run_leads(r);
    run_profiles(r);
    for (int slot = 0; slot < r->count; slot++)
        if (r->car[slot].controller >= 0) {
            for (run_side side = 0; side < RUN_SIDES; side++)
                if (r->controllers[r->car[slot].controller].law[side] >= 0)
                    run_law_begin(r, slot, side);
        }
    status = start_world(r, error);
    return status == MC_OK ? run_estimate_begin(r, error) : status;
}
