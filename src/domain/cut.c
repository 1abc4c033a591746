// cut.c - a scenario cut into domains.
#include "domain/cut.h"

#include <math.h>
#include <stdlib.h>

// ---- what can be cut ----

static mc_status reject(const scenario *s, scenario_place place, const char *what, mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, s->file, place.line, place.column,
                        "%s: not supported in a run on several processes; use `motorcade run`",
                        what);
}

// Events that concern one car, or tell all cars the same.
static bool is_local(event_number kind)
{
    switch (kind) {
    case EVENT_BRAKE_LOST:
    case EVENT_THROTTLE_STUCK:
    case EVENT_SENSOR_BIAS:
    case EVENT_SENSOR_NOISE:
    case EVENT_RADIO_DELAY:
    case EVENT_RADIO_LOSS:
    case EVENT_PUSH:
    case EVENT_SET:
    case EVENT_HEADWAY:
    case EVENT_DISTANCE:
    case EVENT_SPEED:
    case EVENT_PROFILE:
    case EVENT_CONTROLLER:
    case EVENT_DRIVE:
    case EVENT_RELEASE:
    case EVENT_ACCELERATE:
        return true;
    default: // a force makes the whole run take shorter steps
        return false;
    }
}

static mc_status check_lists(const scenario *s, mc_error *error)
{
    for (int k = 0; k < s->event_count; k++)
        if (!is_local(s->events[k].kind))
            return reject(s, s->events[k].place, "this kind of event", error);
    for (int k = 0; k < s->controller_count; k++)
        if (s->controllers[k].free_lanes)
            return reject(s, s->controllers[k].place, "a controller that changes lanes", error);
    for (int k = 0; k < s->vehicle_count; k++) {
        const scenario_vehicle *v = &s->vehicles[k];
        const char *what = v->from > 0.0          ? "a vehicle that joins later"
                           : v->leads_as > 0      ? "a leader that is driven as another one"
                           : v->estimator >= 0    ? "an estimator"
                           : v->image_of          ? "an image of another vehicle"
                           : v->exit >= 0         ? "a vehicle that leaves at a ramp"
                           : s->vehicle_count < 2 ? "a single vehicle"
                                                  : NULL;
        if (what)
            return reject(s, v->place, what, error);
    }
    return MC_OK;
}

mc_status domain_check(const scenario *s, mc_error *error)
{
    const char *what = s->source_count > 0                        ? "a source of vehicles"
                       : s->road_end < HUGE_VAL                   ? "a road that ends"
                       : s->ersc.level > 0                        ? "the ERSC"
                       : !isnan(s->braking_step)                  ? "braking_step"
                       : s->contact_law == MC_CONTACT_LAW_PENALTY ? "contact by penalty forces"
                       : s->log[0]                                ? "the section log"
                       : s->stop_count > 0                        ? "the section stop"
                       : s->expect_count > 0                      ? "the section expect"
                                                                  : NULL;
    if (what)
        return reject(s, (scenario_place){0, 0}, what, error);
    return check_lists(s, error);
}

// ---- who has which cars ----

typedef struct place { // of a car on the road
    int lane, vehicle;
    double x;
} place;

static int ahead_first(const void *p, const void *q)
{
    const place *a = p, *b = q;
    return a->x != b->x ? (a->x < b->x) - (a->x > b->x) : a->vehicle - b->vehicle;
}

static int lane_first(const void *p, const void *q)
{
    const place *a = p, *b = q;
    return a->lane != b->lane ? a->lane - b->lane : ahead_first(p, q);
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the domains");
}

// Domain `to` needs that vehicle.
static mc_status need(domain_cut *cut, int vehicle, int to, mc_error *error)
{
    if (cut->owner[vehicle] == to)
        return MC_OK;
    if (cut->copy_count == cut->copy_room) {
        const int room = cut->copy_room ? 2 * cut->copy_room : 256;
        domain_copy *grown = realloc(cut->copies, (size_t)room * sizeof *grown);
        if (!grown)
            return no_memory(error);
        cut->copies = grown;
        cut->copy_room = room;
    }
    cut->copies[cut->copy_count++] = (domain_copy){cut->owner[vehicle], to, vehicle};
    return MC_OK;
}

// Both sides of every place where a lane passes from one domain to another.
static mc_status need_in_lanes(domain_cut *cut, const place *at, int n, int halo, mc_error *error)
{
    mc_status status = MC_OK;
    for (int k = 0; k + 1 < n && status == MC_OK; k++) {
        const int front = cut->owner[at[k].vehicle], rear = cut->owner[at[k + 1].vehicle];
        if (at[k].lane != at[k + 1].lane || front == rear)
            continue;
        for (int j = 0; j < halo && status == MC_OK; j++) {
            if (k - j >= 0 && at[k - j].lane == at[k].lane)
                status = need(cut, at[k - j].vehicle, rear, error);
            if (status == MC_OK && k + 1 + j < n && at[k + 1 + j].lane == at[k].lane)
                status = need(cut, at[k + 1 + j].vehicle, front, error);
        }
    }
    return status;
}

// How far the controllers of a scenario listen; at least to the car in front.
static void find_reach(const scenario *s, int *ahead, int *behind)
{
    *ahead = 1, *behind = 0;
    for (int k = 0; k < s->controller_count; k++)
        for (int j = 0; j < s->controllers[k].listen_count; j++) {
            const int places = s->controllers[k].listen[j];
            *ahead = places > *ahead ? places : *ahead;
            *behind = -places > *behind ? -places : *behind;
        }
}

// Vehicles of a platoon have consecutive numbers, the leader first.
static mc_status need_in_platoons(domain_cut *cut, const scenario *s, mc_error *error)
{
    int ahead, behind, leader = 0, hops = 0;
    mc_status status = MC_OK;
    find_reach(s, &ahead, &behind);
    for (int v = 0; v < s->vehicle_count && status == MC_OK; v++) {
        const int own = cut->owner[v], platoon = s->vehicles[v].platoon;
        if (platoon < 0 || s->vehicles[v].number == 0 || v == 0 ||
            s->vehicles[v - 1].platoon != platoon) {
            leader = v, hops = 0;
        } else if (cut->owner[v - 1] != own) {
            hops++;
            cut->hops = hops > cut->hops ? hops : cut->hops;
            status = need(cut, leader, own, error);
        }
        for (int w = v - ahead; w <= v + behind && platoon >= 0 && status == MC_OK; w++)
            if (w >= 0 && w < s->vehicle_count && s->vehicles[w].platoon == platoon)
                status = need(cut, w, own, error);
    }
    return status;
}

static int compare_copies(const void *p, const void *q)
{
    const domain_copy *a = p, *b = q;
    return a->from != b->from ? a->from - b->from
           : a->to != b->to   ? a->to - b->to
                              : a->vehicle - b->vehicle;
}

static void sort_copies(domain_cut *cut)
{
    int kept = 0;
    if (cut->copy_count > 0)
        qsort(cut->copies, (size_t)cut->copy_count, sizeof *cut->copies, compare_copies);
    for (int k = 0; k < cut->copy_count; k++)
        if (kept == 0 || compare_copies(&cut->copies[k], &cut->copies[kept - 1]) != 0)
            cut->copies[kept++] = cut->copies[k];
    cut->copy_count = kept;
}

mc_status domain_cut_make(domain_cut *cut, const scenario *s, int count, int halo, mc_error *error)
{
    const int n = s->vehicle_count;
    *cut = (domain_cut){.count = count};
    place *at = malloc((size_t)n * sizeof *at + 1);
    cut->owner = malloc((size_t)n * sizeof *cut->owner + 1);
    mc_status status = at && cut->owner ? MC_OK : no_memory(error);
    for (int v = 0; v < n && status == MC_OK; v++)
        at[v] = (place){s->vehicles[v].lane, v, s->vehicles[v].x};
    if (status == MC_OK) {
        qsort(at, (size_t)n, sizeof *at, ahead_first);
        for (int k = 0; k < n; k++)
            cut->owner[at[k].vehicle] = (int)((long long)k * count / n);
        qsort(at, (size_t)n, sizeof *at, lane_first);
        status = need_in_lanes(cut, at, n, halo, error);
    }
    if (status == MC_OK)
        status = need_in_platoons(cut, s, error);
    if (status == MC_OK)
        sort_copies(cut);
    else
        domain_cut_free(cut);
    free(at);
    return status;
}

void domain_cut_free(domain_cut *cut)
{
    free(cut->owner);
    free(cut->copies);
    *cut = (domain_cut){0};
}
