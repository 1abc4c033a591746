// flow.c - which vehicles enter and leave; see flow.h.
#include "run/flow.h"

#include "run/event.h"
#include "run/where.h"

#include <math.h>
#include <string.h>

// ---- fates ----

static mc_status fate_room(mc_run *r, int count, mc_error *error)
{
    r->fate = arena_alloc(&r->memory, (size_t)count + 1);
    if (!r->fate)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
    memset(r->fate, RUN_TO_COME, (size_t)count + 1);
    r->fate_count = count;
    return MC_OK;
}

static void note_here(mc_run *r)
{
    for (int v = 0; v < r->count; v++)
        r->fate[r->s->vehicles[v].index] = RUN_HERE;
}

mc_status run_flow_begin(mc_run *r, mc_error *error)
{
    const mc_status status = fate_room(r, scenario_of(mc_run_scenario(r))->vehicle_count, error);
    if (status == MC_OK)
        note_here(r);
    for (int v = 0; status == MC_OK && v < r->count; v++)
        r->counts.entered += r->s->vehicles[v].source >= 0;
    return status;
}

void run_flow_count(mc_run *r)
{
    const scenario *s = scenario_of(mc_run_scenario(r));
    r->counts.waiting = 0;
    for (int k = 0; k < s->source_count; k++) {
        const scenario_source *source = &s->sources[k];
        for (int v = source->first; v < source->first + source->count &&
                                    s->vehicles[v].from <= run_time(r) + 1e-9 * r->s->step;
             v++)
            r->counts.waiting += r->fate[v] == RUN_TO_COME;
    }
    for (int v = 0; v < s->vehicle_count && s->vehicles[v].source < 0; v++)
        r->counts.waiting += s->vehicles[v].waits && r->fate[v] == RUN_TO_COME &&
                             s->vehicles[v].from <= run_time(r) + 1e-9 * r->s->step;
    if (r->counts.waiting > r->counts.waiting_max)
        r->counts.waiting_max = r->counts.waiting;
}

// Most versions have the same vehicles at the same places.
bool run_flow_gone(const mc_run *old, const char *name, int at)
{
    const scenario *was = scenario_of(mc_run_scenario(old));
    if (at < was->vehicle_count && strcmp(was->vehicles[at].name, name) == 0)
        return old->fate[at] == RUN_GONE;
    for (int v = 0; v < was->vehicle_count; v++)
        if (old->fate[v] == RUN_GONE && strcmp(was->vehicles[v].name, name) == 0)
            return true;
    return false;
}

mc_status run_flow_carry(const mc_run *old, const scenario *version, mc_run *fresh, mc_error *error)
{
    const mc_status status = fate_room(fresh, version->vehicle_count, error);
    for (int v = 0; status == MC_OK && v < version->vehicle_count; v++)
        if (run_flow_gone(old, version->vehicles[v].name, v))
            fresh->fate[v] = RUN_GONE;
    if (status == MC_OK)
        note_here(fresh);
    fresh->counts = old->counts;
    for (int v = 0; status == MC_OK && v < fresh->count; v++)
        if (fresh->s->vehicles[v].source >= 0 && mc_run_find(old, fresh->s->vehicles[v].name) < 0)
            fresh->counts.entered++;
    return status;
}

// ---- leaving ----

// Whether a car has come to an end at which vehicles leave.
static bool has_left(const mc_run *r, int slot)
{
    const int path = r->where ? r->where[slot].path : 0;
    const double station = r->where ? r->where[slot].station : r->motion[slot].x;
    if (path == 0)
        return station >= r->s->road_end;
    if (!r->s->ramps_end || station < r->paths[path].length)
        return false;
    mc_road_ramp ramp;
    for (int k = 0; mc_road_ramp_at(&r->road, k, &ramp); k++)
        if (ramp.path == path)
            return !ramp.on;
    return false;
}

mc_status run_flow_leave(mc_run *r, bool *any, mc_error *error)
{
    int left = r->count;
    mc_status status = MC_OK;
    if (r->s->road_end == HUGE_VAL && !r->s->ramps_end)
        return MC_OK;
    for (int v = 0; v < r->count && left > 1 && status == MC_OK; v++) {
        const int slot = r->slot[v];
        if (!has_left(r, slot))
            continue;
        status = run_note(r, EVENT_LEAVES, v, r->where ? r->where[slot].path : 0.0, error);
        r->fate[r->s->vehicles[v].index] = RUN_GONE;
        r->counts.left++;
        left--;
        *any = true;
    }
    return status;
}

// ---- entering ----

static mobil_car car_to_come(const mc_run *r, const scenario *s, const scenario_vehicle *v)
{
    const scenario_controller *c = &s->controllers[v->controller];
    return (mobil_car){.v = v->v,
                       .v_set = isnan(c->v_set) ? r->speed : c->v_set,
                       .headway = isnan(c->headway) ? r->headway : c->headway,
                       .distance = isnan(c->distance) ? r->distance : c->distance,
                       .length = s->models[v->model].facts.length};
}

// Whether a car drives in the lane, or is on its way to it or from it.
static bool is_in(const mc_run *r, int slot, int path, int lane)
{
    const run_rare *rare = &r->rare[slot];
    return (r->where ? r->where[slot].path : 0) == path &&
           (rare->lane == lane || rare->path.to == lane || rare->path.from == lane);
}

// Whether there is room for a vehicle where it enters, and at which speed.
static bool has_room(const mc_run *r, const scenario *s, const scenario_vehicle *v, double *speed)
{
    const double half = 0.5 * s->models[v->model].facts.length;
    const double base = r->where ? r->paths[v->path].base : 0.0, x = v->x + base;
    mobil_car own = car_to_come(r, s, v), behind;
    mobil_gap gap = {MOBIL_NO_CAR, v->v, MOBIL_NO_CAR, &behind};
    for (int slot = 0; slot < r->count; slot++) {
        if (!is_in(r, slot, v->path, v->lane))
            continue;
        const run_car *c = &r->car[slot];
        const mc_motion *m = &r->motion[slot];
        const double ahead = m->x + c->tail - x - half, after = x - half - m->x - c->nose;
        if (ahead < 0.0 && after < 0.0)
            return false; // it is there
        if (ahead >= 0.0 && ahead < gap.front)
            gap.front = ahead, gap.v_front = m->v;
        if (after >= 0.0 && after < gap.rear) {
            gap.rear = after;
            behind =
                (mobil_car){m->v, fmax(c->v_set, m->v), c->headway, c->distance, c->nose - c->tail};
        }
    }
    // Behind a slower car it enters at that car's speed.
    if (gap.front < 2.0 * (own.distance + own.headway * own.v))
        own.v = fmin(own.v, fmax(gap.v_front, 0.0));
    *speed = own.v;
    return gap.front > own.distance &&
           mobil_is_safe(s->controllers[v->controller].lane_change, &own, &gap);
}

// Whether a vehicle of a source is the next of those of its source and lane that are to come.
static bool is_next(const mc_run *r, const scenario *s, int vehicle)
{
    const scenario_source *source = &s->sources[s->vehicles[vehicle].source];
    for (int v = source->first; v < vehicle; v++)
        if (r->fate[v] == RUN_TO_COME)
            return false;
    return true;
}

static bool is_due(const mc_run *r, const scenario_vehicle *car)
{
    return car->from <= run_time(r) + 1e-9 * r->s->step;
}

static bool enters_by_room(const scenario_vehicle *car)
{
    return car->source >= 0 || car->waits;
}

// Whether another vehicle that waits for the same lane comes first: of a source before it, or one
// of its own before it. Two that found room in the same step would stand in one place.
static bool is_behind(const mc_run *r, const scenario *s, int vehicle)
{
    const scenario_vehicle *car = &s->vehicles[vehicle];
    double v;
    for (int k = 0; k < s->source_count; k++) {
        const scenario_source *source = &s->sources[k];
        int next = source->first;
        while (next < source->first + source->count && r->fate[next] != RUN_TO_COME)
            next++;
        const scenario_vehicle *other = &s->vehicles[next];
        if (k != car->source && next < vehicle && next < source->first + source->count &&
            other->path == car->path && other->lane == car->lane && is_due(r, other) &&
            has_room(r, s, other, &v))
            return true;
    }
    for (int k = 0; k < vehicle && (k == 0 || s->vehicles[k - 1].source < 0); k++) {
        const scenario_vehicle *other = &s->vehicles[k];
        if (other->source < 0 && other->waits && r->fate[k] == RUN_TO_COME &&
            other->path == car->path && other->lane == car->lane && is_due(r, other) &&
            has_room(r, s, other, &v))
            return true;
    }
    return false;
}

bool run_flow_joins(const mc_run *r, const scenario *version, int vehicle, double *v)
{
    const scenario_vehicle *car = &version->vehicles[vehicle];
    if (!is_due(r, car))
        return false;
    if (!enters_by_room(car))
        return true;
    const scenario *now = scenario_of(mc_run_scenario(r));
    if (version == now && car->source >= 0 && !is_next(r, version, vehicle))
        return false;
    return has_room(r, version, car, v) && (version != now || !is_behind(r, version, vehicle));
}

bool run_flow_due(const mc_run *r)
{
    const scenario *s = scenario_of(mc_run_scenario(r));
    double v;
    for (int k = 0; k < s->source_count; k++) { // the first one of each that is to come
        const scenario_source *source = &s->sources[k];
        int next = source->first;
        while (next < source->first + source->count && r->fate[next] != RUN_TO_COME)
            next++;
        if (next < source->first + source->count && run_flow_joins(r, s, next, &v))
            return true;
    }
    for (int k = 0; k < s->vehicle_count; k++)
        if (s->vehicles[k].source < 0 && r->fate[k] == RUN_TO_COME && run_flow_joins(r, s, k, &v))
            return true;
    return false;
}
