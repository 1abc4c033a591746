// carry.c - what a run carries over to another version of its scenario: vehicles by name.
//
// A vehicle of the same type and outline keeps its whole state; of another one, its motion. What
// was set by commands stays unless the version changes just that: then the version holds.
#include "run/carry.h"

#include "run/build.h"
#include "run/control.h"
#include "run/steer.h"
#include "run/ersc.h"
#include "run/estimate.h"
#include "run/event.h"
#include "run/exit.h"
#include "run/join.h"
#include "run/lane_use.h"
#include "run/sense.h"
#include "run/unit.h"
#include "run/where.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The slot in which the old run has a vehicle of that name; -1: it is new.
static int old_slot(const mc_run *old, const char *name)
{
    const int vehicle = mc_run_find(old, name);
    return vehicle < 0 ? -1 : old->slot[vehicle];
}

static const scenario_vehicle *vehicle_of(const mc_run *r, int slot)
{
    return &r->s->vehicles[r->rare[slot].vehicle];
}

bool run_same_state(const scenario_model *m, const scenario_model *n)
{
    const mc_vehicle_facts *a = &m->facts, *b = &n->facts;
    return m->type == n->type && a->length == b->length && a->width == b->width &&
           a->height == b->height &&
           (!m->type->same_state || m->type->same_state(m->spec, n->spec));
}

static bool same_state(const mc_run *old, int from, const mc_run *fresh, int to)
{
    return run_same_state(&old->s->models[vehicle_of(old, from)->model],
                          &fresh->s->models[vehicle_of(fresh, to)->model]);
}

bool run_carries(const mc_run *old, const mc_run *fresh, const char *name)
{
    const int from = old_slot(old, name), to = old_slot(fresh, name);
    return from >= 0 && to >= 0 && same_state(old, from, fresh, to);
}

// ---- the vehicle ----

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

// A state holds the parameters of its vehicle: those that the version changes are set again.
static void change_params(const mc_run *old, int from, mc_run *fresh, int to)
{
    const scenario_model *m = &old->s->models[vehicle_of(old, from)->model];
    const scenario_model *n = &fresh->s->models[vehicle_of(fresh, to)->model];
    mc_batch *batch;
    int index, count, other;
    mc_world_vehicle(fresh->world, fresh->rare[to].vehicle, &batch, &index);
    for (int k = 0; k < n->type->key_count && batch->kind->set_param; k++) {
        const mc_model_key *key = &n->type->keys[k];
        const mc_param *rows = vehicle_rows(key, n->spec, &count);
        if (rows != vehicle_rows(key, m->spec, &other))
            continue;
        const double *was = vehicle_values_of(key, m->spec), *is = vehicle_values_of(key, n->spec);
        for (int i = 0; i < count; i++)
            if (vehicle_has_row(key, i) && vehicle_row_is_live(key, i) && !same(was[i], is[i]))
                batch->kind->set_param(batch, index, rows[i].name, is[i]);
    }
}

static bool carry_state(const mc_run *old, int from, mc_run *fresh, int to)
{
    mc_batch *a, *b;
    int i, j;
    mc_world_vehicle(old->world, old->rare[from].vehicle, &a, &i);
    mc_world_vehicle(fresh->world, fresh->rare[to].vehicle, &b, &j);
    if (!same_state(old, from, fresh, to) || a->kind->save_size(a) != b->kind->save_size(b))
        return true; // it stands where it was, at its speed
    double *state = malloc((size_t)a->kind->save_size(a) * sizeof *state);
    if (!state)
        return false;
    a->kind->save(a, i, state);
    b->kind->restore(b, j, state);
    free(state);
    if (b->kind->outside_take)
        b->kind->outside_take(b, j, a, i);
    change_params(old, from, fresh, to);
    return true;
}

// Limits that commands changed, where the models do not differ.
static void carry_limits(const mc_run *old, int from, mc_run *fresh, int to)
{
    const mc_vehicle_facts *a = &old->s->models[vehicle_of(old, from)->model].facts;
    const mc_vehicle_facts *b = &fresh->s->models[vehicle_of(fresh, to)->model].facts;
    if (a->max_acceleration == b->max_acceleration)
        fresh->car[to].max_a = old->car[from].max_a;
    if (a->max_brake == b->max_brake)
        fresh->car[to].min_a = old->car[from].min_a;
    if (a->nominal_mass == b->nominal_mass && a->mass == b->mass)
        fresh->rare[to].mass = old->rare[from].mass;
}

// ---- its controller ----

static const char *controller_name(const mc_run *r, int controller)
{
    return controller < 0 ? "" : r->s->controllers[controller].name;
}

static int controller_called(const mc_run *r, const char *name)
{
    for (int k = 0; k < r->s->controller_count; k++)
        if (strcmp(r->s->controllers[k].name, name) == 0)
            return k;
    return -1;
}

// A controller or profile that a command chose stays when the version gives what it gave before.
static void carry_choice(const mc_run *old, int from, mc_run *fresh, int to)
{
    const scenario_vehicle *v = vehicle_of(old, from), *w = vehicle_of(fresh, to);
    const char *was = controller_name(old, v->controller);
    const char *now = controller_name(old, old->car[from].controller);
    if (strcmp(was, controller_name(fresh, w->controller)) == 0 && strcmp(was, now) != 0) {
        const int chosen = controller_called(fresh, now);
        if (chosen >= 0 || now[0] == '\0') {
            fresh->car[to].controller = chosen;
            run_take_controller(fresh, to);
            if (chosen >= 0)
                run_law_begin(fresh, to, RUN_LAW);
        }
    }
    const char *before = v->profile < 0 ? "" : old->s->profile_name[v->profile];
    const char *given = w->profile < 0 ? "" : fresh->s->profile_name[w->profile];
    const int chosen = old->rare[from].profile;
    if (strcmp(before, given) != 0 || chosen == v->profile)
        return;
    for (int k = 0; k < fresh->s->profile_count; k++)
        if (chosen >= 0 && strcmp(fresh->s->profile_name[k], old->s->profile_name[chosen]) == 0)
            fresh->rare[to].profile = k;
    if (chosen < 0)
        fresh->rare[to].profile = -1;
    if (fresh->rare[to].profile >= 0)
        fresh->car[to].flags &= ~(unsigned)(RUN_OBEYS_SPEED | RUN_DRIVER_FILE);
    else
        fresh->car[to].flags |= RUN_OBEYS_SPEED;
}

// States of the law when it is the same one; gains that commands changed, when the version does
// not.
static void carry_law(const mc_run *old, int from, mc_run *fresh, int to, run_side side)
{
    const scenario_controller *a = &old->s->controllers[old->car[from].controller];
    const scenario_controller *b = &fresh->s->controllers[fresh->car[to].controller];
    const double *p, *q;
    const law_text *was = run_law_text(a, side, &p), *is = run_law_text(b, side, &q);
    if (!was || !is || strcmp(was->name, is->name) != 0 || was->state_count != is->state_count ||
        was->param_count != is->param_count)
        return;
    for (int k = 0; k < is->state_count; k++)
        if (strcmp(was->states[k].rate.name, is->states[k].rate.name) != 0)
            return;
    memcpy(run_law_states(fresh, to, side), run_law_states(old, from, side),
           (size_t)is->state_count * sizeof(double));
    const double *now = run_law_params(old, from, side);
    for (int k = 0; k < is->param_count; k++)
        if (strcmp(was->params[k].name, is->params[k].name) == 0 && same(p[k], q[k]))
            run_law_params(fresh, to, side)[k] = now[k];
}

static void carry_controller(const mc_run *old, int from, mc_run *fresh, int to)
{
    const int a = old->car[from].controller, b = fresh->car[to].controller;
    if (a < 0 || b < 0)
        return;
    for (run_side side = 0; side < RUN_SIDES; side++)
        carry_law(old, from, fresh, to, side);
    run_steer_prepare(fresh, to);
    const scenario_controller *was = &old->s->controllers[a], *is = &fresh->s->controllers[b];
    run_rare *rare = &fresh->rare[to];
    for (int k = 0; k < SENSOR_PARAM_COUNT; k++)
        if (same(was->sensor[k], is->sensor[k]))
            rare->fault.sensor[k] = old->rare[from].fault.sensor[k];
    for (int k = 0; k < LINK_PARAM_COUNT; k++)
        if (same(was->link[k], is->link[k]))
            rare->fault.link[k] = old->rare[from].fault.link[k];
    run_note_sensor(fresh, to);
    if (was->fallback && is->fallback && old->car[from].flags & RUN_FALLEN_BACK) {
        fresh->car[to].flags |= RUN_FALLEN_BACK;
        rare->fallen_back = old->rare[from].fallen_back;
    }
}

// ---- the rest of a car ----

// The number of a platoon in the new version, by its vehicles; 0: none of them is left.
static int platoon_in(const mc_run *old, const mc_run *fresh, int platoon)
{
    for (int v = 0; platoon > 0 && v < old->count; v++) {
        const scenario_vehicle *car = &old->s->vehicles[v];
        const int now = car->platoon == platoon - 1 ? mc_run_find(fresh, car->name) : -1;
        if (now >= 0 && fresh->s->vehicles[now].platoon >= 0)
            return fresh->s->vehicles[now].platoon + 1;
    }
    return 0;
}

// How a platoon is led stays as a command chose it, unless the version changes just that.
static void carry_lead(const mc_run *old, int from, mc_run *fresh, int to)
{
    const int given = platoon_in(old, fresh, vehicle_of(old, from)->leads_as);
    const scenario_vehicle *now = vehicle_of(fresh, to);
    if (now->number == 0 && now->platoon >= 0 && now->leads_as == given)
        fresh->rare[to].leads_as = platoon_in(old, fresh, old->rare[from].leads_as);
}

// Cars that changed their platoons stay in them; platoons that were split off keep their order.
static void carry_platoon(const mc_run *old, int from, mc_run *fresh, int to)
{
    const run_rare *was = &old->rare[from];
    run_rare *is = &fresh->rare[to];
    const int made = was->platoon - old->s->platoon_count;
    const int given = platoon_in(old, fresh, was->platoon + 1) - 1;
    is->shift = was->shift;
    is->shift.beside = 0; // vehicles may have other numbers: it looks again
    fresh->car[to].flags |= old->car[from].flags & RUN_SHIFTS;
    fresh->shifting = fresh->shifting || old->shifting;
    if (!old->regrouped)
        return;
    is->platoon = was->platoon < 0 ? -1 : made >= 0 ? fresh->s->platoon_count + made : given;
    is->number = is->platoon < 0 ? 0 : was->number;
    if (is->platoon < 0)
        fresh->car[to].leader = to;
}

// Numbers and leaders of all platoons, after cars came or went.
static void order_platoons(const mc_run *old, mc_run *fresh)
{
    fresh->platoons = fresh->s->platoon_count + old->platoons - old->s->platoon_count;
    fresh->regrouped = old->regrouped;
    for (int p = 0; fresh->regrouped && p < fresh->platoons; p++)
        run_platoon_order(fresh, p);
}

static void carry_desired(const mc_run *old, int from, mc_run *fresh, int to)
{
    const scenario_vehicle *v = vehicle_of(old, from), *w = vehicle_of(fresh, to);
    const run_rare *was = &old->rare[from];
    run_rare *is = &fresh->rare[to];
    if (same(v->headway, w->headway))
        is->own_headway = was->own_headway;
    if (same(v->distance, w->distance))
        is->own_distance = was->own_distance;
    is->own_v_set = was->own_v_set;
    for (int k = 0; k < 8; k++)
        if (same(v->user[k], w->user[k]))
            is->user[k] = was->user[k];
}

void run_scale_rates(run_car *c, const mc_motion *now, double ratio)
{
    if (ratio == 1.0)
        return;
    c->desired_before = c->desired - (c->desired - c->desired_before) * ratio;
    c->v_before = now->v - (now->v - c->v_before) * ratio;
    c->a_before = now->a - (now->a - c->a_before) * ratio;
}

static void carry_rates(const mc_run *old, int from, mc_run *fresh, int to)
{
    const run_car *a = &old->car[from];
    run_car *b = &fresh->car[to];
    b->desired = a->desired, b->desired_before = a->desired_before;
    b->v_before = a->v_before, b->a_before = a->a_before;
    run_scale_rates(b, &old->motion[from], fresh->s->step / old->s->step);
}

// A car on a ramp that the version takes away or moves finishes on the road it is on.
static void carry_road(const mc_run *old, int from, mc_run *fresh, int to)
{
    int path;
    if (old->where && fresh->where && old->lap == fresh->lap)
        fresh->where[to].lap = old->where[from].lap;
    const int elder = old->where ? run_where_next(old, from, &fresh->road, &path) : 0;
    if (!elder)
        return;
    fresh->where[to] = old->where[from];
    fresh->where[to].elder = elder;
    run_where_tell(fresh, to);
    fresh->ramps = fresh->traffic = true;
}

// A car on its way to another lane, or waiting for room there, continues if the road has that lane.
static void carry_path(const mc_run *old, int from, mc_run *fresh, int to)
{
    const run_path *was = &old->rare[from].path;
    run_path *is = &fresh->rare[to].path;
    const road *on = fresh->where ? run_road_of(fresh, to) : &fresh->road;
    const int path = fresh->where ? fresh->where[to].path : 0;
    const double station = fresh->where ? fresh->where[to].station : 0.0;
    fresh->rare[to].changes = old->rare[from].changes;
    run_exit_carry(old, from, fresh, to);
    fresh->rare[to].cut_ins = old->rare[from].cut_ins;
    is->since = was->since;
    is->left = was->left;
    if (fresh->car[to].controller < 0)
        return;
    run_respond(fresh, to, (run_response)old->rare[from].responds);
    fresh->responding = fresh->responding || old->rare[from].responds != RUN_AT_EASE;
    if (was->to >= 0 && run_has_lane(on, path, was->to, station) &&
        (was->from < 0 || run_has_lane(on, path, was->from, station))) {
        is->from = was->from, is->to = was->to, is->curve = was->curve;
        fresh->car[to].flags |= RUN_CHANGES;
        fresh->changing = true;
    }
    if (was->wait >= 0 && run_has_lane(on, path, was->wait, station)) {
        run_wait_for(fresh, to, was->wait);
        fresh->traffic = true;
    }
}

// A car stays checked in; the controller it will get back may have another number.
static void carry_ersc(const mc_run *old, int from, mc_run *fresh, int to)
{
    const run_ersc *was = &old->rare[from].ersc;
    run_ersc *is = &fresh->rare[to].ersc;
    *is = *was;
    is->blind[0] = is->blind[1] = -1;
    is->controller = (int)run_number_in(old, fresh, EVENT_CONTROLLER, was->controller);
    if (is->checked_in && fresh->car[to].controller < 0) // none is left that could drive it
        is->checked_in = 0;
    fresh->car[to].flags |= old->car[from].flags & RUN_STEERED;
    run_ersc_functions(fresh, to);
}

static void carry_control(const mc_run *old, int from, mc_run *fresh, int to)
{
    const run_car *a = &old->car[from];
    run_car *b = &fresh->car[to];
    const unsigned kept = RUN_HAND | RUN_ASKED | RUN_FAULTY | RUN_PUSHED | RUN_CALM | RUN_SETTLES;
    b->flags = (b->flags & ~kept) | (a->flags & kept);
    if (a->flags & RUN_HAND)
        b->flags &= ~(unsigned)RUN_DRIVER_FILE;
    b->inner = a->inner;
    carry_rates(old, from, fresh, to);
    fresh->rare[to].fault.brake_left = old->rare[from].fault.brake_left;
    fresh->rare[to].fault.throttle_stuck = old->rare[from].fault.throttle_stuck;
    fresh->rare[to].fault.push = old->rare[from].fault.push;
    fresh->rare[to].fault.force = old->rare[from].fault.force;
    fresh->rare[to].pushed = old->rare[from].pushed;
    fresh->rare[to].fault.gap_wave = old->rare[from].fault.gap_wave;
    fresh->rare[to].hand = old->rare[from].hand;
    fresh->rare[to].asked = old->rare[from].asked;
    fresh->rare[to].hits = old->rare[from].hits;
    fresh->inputs[to] = old->inputs[from];
    carry_limits(old, from, fresh, to);
    carry_desired(old, from, fresh, to);
    carry_choice(old, from, fresh, to);
    carry_lead(old, from, fresh, to);
    carry_controller(old, from, fresh, to);
    carry_road(old, from, fresh, to);
    carry_path(old, from, fresh, to);
    carry_platoon(old, from, fresh, to);
    carry_ersc(old, from, fresh, to);
}

// ---- the roadway ----

static void carry_roadway(const mc_run *old, mc_run *fresh)
{
    const scenario *a = old->s, *b = fresh->s;
    if (a->headway == b->headway && a->headway_commanded == b->headway_commanded)
        fresh->headway = old->headway, fresh->headway_commanded = old->headway_commanded;
    if (a->distance == b->distance && a->distance_commanded == b->distance_commanded)
        fresh->distance = old->distance, fresh->distance_commanded = old->distance_commanded;
    if (a->speed == b->speed && a->speed_commanded == b->speed_commanded)
        fresh->speed = old->speed, fresh->speed_commanded = old->speed_commanded;
    if (a->ersc.level == b->ersc.level)
        fresh->ersc = old->ersc;
    for (int k = 0; k < old->rule_count; k++) // of lanes that the road still has
        if (old->rules[k].lane < fresh->road.lane_count)
            fresh->rules[fresh->rule_count++] = old->rules[k];
    run_lane_use_prepare(fresh);
}

static bool same_event(const mc_run *old, const scenario_event *a, const mc_run *fresh,
                       const scenario_event *b)
{
    if (a->kind != b->kind || a->at != b->at || !same(a->until, b->until) ||
        (a->vehicle < 0) != (b->vehicle < 0))
        return false;
    return a->vehicle < 0 ||
           strcmp(old->s->vehicles[a->vehicle].name, fresh->s->vehicles[b->vehicle].name) == 0;
}

// Faults under way will end as they would have: what they changed is known.
static void carry_events(const mc_run *old, mc_run *fresh)
{
    int at = 0; // both lists are in order of time
    for (int k = 0; k < fresh->s->event_count; k++) {
        const scenario_event *e = &fresh->s->events[k];
        while (at < old->s->event_count && old->s->events[at].at < e->at)
            at++;
        for (int j = at; j < old->s->event_count && old->s->events[j].at == e->at; j++)
            if (same_event(old, &old->s->events[j], fresh, e)) {
                fresh->before[k] = old->before[j];
                if (e->kind == EVENT_PROFILE || e->kind == EVENT_CONTROLLER ||
                    e->kind == EVENT_ESTIMATOR)
                    fresh->before[k] = run_number_in(old, fresh, (int)e->kind, old->before[j]);
                break;
            }
    }
}

double run_number_in(const mc_run *old, const mc_run *fresh, int kind, double number)
{
    const int k = (int)number;
    if (kind == EVENT_CONTROLLER)
        return k < 0 ? -1.0 : controller_called(fresh, old->s->controllers[k].name);
    for (int j = 0; kind == EVENT_ESTIMATOR && k >= 0 && j < fresh->s->estimator_count; j++)
        if (strcmp(fresh->s->estimators[j].name, old->s->estimators[k].name) == 0)
            return j;
    if (kind == EVENT_ESTIMATOR)
        return -1.0;
    for (int j = 0; k >= 0 && j < fresh->s->profile_count; j++)
        if (strcmp(fresh->s->profile_name[j], old->s->profile_name[k]) == 0)
            return j;
    return -1.0;
}

// a and b change places, since the first has the lower number.
static void turn_impact(mc_impact *i)
{
    const mc_impact was = *i;
    i->a = was.b, i->b = was.a;
    for (int k = 0; k < 3; k++) {
        i->normal[k] = -was.normal[k];
        i->tangential[k] = -was.tangential[k];
    }
    for (int side = 0; side < 2; side++) {
        memcpy(i->velocity_before[side], was.velocity_before[1 - side], sizeof(double[3]));
        memcpy(i->velocity_after[side], was.velocity_after[1 - side], sizeof(double[3]));
        i->before[side] = was.before[1 - side];
        i->after[side] = was.after[1 - side];
    }
}

// Its number among the bodies of the world; -1: there is none of that name.
static int find_obstacle(const mc_run *r, const char *name)
{
    for (int k = 0; k < r->s->obstacle_count; k++)
        if (strcmp(r->s->obstacles[k].name, name) == 0)
            return r->count + k;
    return -1;
}

// What obstacles that are still there have taken.
static void carry_obstacles(const mc_run *old, const mc_run *fresh)
{
    for (int k = 0; k < old->s->obstacle_count; k++) {
        const int to = find_obstacle(fresh, old->s->obstacles[k].name);
        mc_batch *batch;
        int index;
        double taken[3]; // OBSTACLE: its whole state
        if (to < 0)
            continue;
        mc_world_vehicle(old->world, old->count + k, &batch, &index);
        batch->kind->save(batch, index, taken);
        mc_world_vehicle(fresh->world, to, &batch, &index);
        batch->kind->restore(batch, index, taken);
    }
}

// Impacts of vehicles that are still there.
static mc_status carry_impacts(const mc_run *old, mc_run *fresh, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k < old->world->impact_count && status == MC_OK; k++) {
        mc_impact i = old->world->impacts[k];
        i.a = mc_run_find(fresh, old->s->vehicles[i.a].name);
        i.b = i.b < old->count ? mc_run_find(fresh, old->s->vehicles[i.b].name)
                               : find_obstacle(fresh, old->s->obstacles[i.b - old->count].name);
        if (i.a < 0 || i.b < 0)
            continue;
        if (i.a > i.b)
            turn_impact(&i);
        status = world_note_impacts(fresh->world, &i, 1, error);
    }
    fresh->impact_seen = fresh->world->impact_count;
    return status;
}

mc_status run_carry(const mc_run *old, mc_run *fresh, mc_error *error)
{
    carry_roadway(old, fresh);
    carry_obstacles(old, fresh);
    const mc_status status = carry_impacts(old, fresh, error);
    if (status != MC_OK)
        return status;
    for (int slot = 0; slot < fresh->count; slot++) {
        const int from = old_slot(old, vehicle_of(fresh, slot)->name);
        if (from < 0)
            continue;
        if (!carry_state(old, from, fresh, slot))
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a version");
        carry_control(old, from, fresh, slot);
        run_unit_carry(old, from, fresh, slot);
        if (old->mileage && fresh->mileage && same_state(old, from, fresh, slot))
            fresh->mileage[slot] = old->mileage[from];
    }
    order_platoons(old, fresh);
    const mc_status kept = run_estimate_carry(old, fresh, error);
    if (kept != MC_OK)
        return kept;
    carry_events(old, fresh);
    // Delays that commands asked for need as long a memory.
    double longest = -1.0;
    for (int slot = 0; slot < fresh->count; slot++)
        if (fresh->car[slot].flags & (RUN_HEARS_BADLY | RUN_SENSES_BADLY))
            longest = fmax(longest, fmax(fresh->rare[slot].fault.link[LINK_DELAY],
                                         fresh->rare[slot].fault.sensor[SENSOR_DELAY]));
    return longest < 0.0 ? MC_OK : run_keep_history(fresh, longest, error);
}

// ---- messages ----

// What slot `from` of the old run sent `ago` seconds before now.
static run_message message_then(const mc_run *old, int from, double ago)
{
    long long back = (long long)floor(ago / old->s->step + 0.5);
    if (back <= 0 || old->history_count < 2)
        return run_message_of(old, from);
    back = back > old->history_count - 1 ? old->history_count - 1 : back;
    back = back > old->step ? old->step : back;
    const long long step = old->step - back;
    return old->history[(step % old->history_count) * old->count + from];
}

// The same age in steps of the new length.
static double step_then(const mc_run *old, const mc_run *fresh, double heard)
{
    const double age = ((double)old->step - heard) * old->s->step / fresh->s->step;
    return fmax((double)fresh->step - floor(age + 0.5), 0.0);
}

static void carry_heard(const mc_run *old, int from, mc_run *fresh, int to)
{
    const run_rare *was = &old->rare[from];
    run_rare *is = &fresh->rare[to];
    for (int k = 0; k < is->listen_count; k++) {
        const int slot = k == 0 ? fresh->car[to].front : is->listen[k];
        const int sender = slot < 0 ? -1 : old_slot(old, vehicle_of(fresh, slot)->name);
        int j = sender < 0 ? was->listen_count : 0;
        while (j < was->listen_count && (j == 0 ? was->front_heard : was->listen[j]) != sender)
            j++;
        if (j == was->listen_count || was->heard[j].step < 0.0) {
            // A car it did not listen to before: silence counts from now.
            if (slot >= 0)
                is->heard[k] = (run_heard){(double)fresh->step, run_message_of(fresh, slot)};
            continue;
        }
        is->heard[k] = was->heard[j];
        is->heard[k].step = step_then(old, fresh, was->heard[j].step);
        if (k == 0)
            is->front_heard = slot;
    }
    if (is->front_heard < 0)
        is->front_heard = fresh->car[to].front;
}

void run_carry_radio(const mc_run *old, mc_run *fresh)
{
    if (fresh->history_count == 0)
        return;
    for (int slot = 0; slot < fresh->count; slot++) {
        const int from = old_slot(old, vehicle_of(fresh, slot)->name);
        for (int k = 0; from >= 0 && k < fresh->history_count && k <= fresh->step; k++) {
            const long long step = fresh->step - k;
            fresh->history[(step % fresh->history_count) * fresh->count + slot] =
                message_then(old, from, k * fresh->s->step);
        }
        if (from < 0) // it is new: it has always been like now
            for (int k = 0; k < fresh->history_count && k <= fresh->step; k++)
                fresh->history[((fresh->step - k) % fresh->history_count) * fresh->count + slot] =
                    run_message_of(fresh, slot);
    }
    for (int slot = 0; slot < fresh->count; slot++) {
        const int from = old_slot(old, vehicle_of(fresh, slot)->name);
        if (from >= 0 && old->history_count > 0)
            carry_heard(old, from, fresh, slot);
        else
            for (int k = 0; k < fresh->rare[slot].listen_count; k++) {
                const int other = k == 0 ? fresh->car[slot].front : fresh->rare[slot].listen[k];
                if (other >= 0)
                    fresh->rare[slot].heard[k] =
                        (run_heard){(double)fresh->step, run_message_of(fresh, other)};
            }
        if (from < 0 || old->history_count == 0)
            fresh->rare[slot].front_heard = fresh->car[slot].front;
    }
}
