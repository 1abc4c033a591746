// instants.c - states of colliding vehicles gathered from the clusters, and shown.
#include "world/world.h"

#include "base/assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CELL_MIN = 2.5e-4; // s

void world_instants_begin(mc_world *w, double duration)
{
    world_instants *i = &w->instants;
    mc_assert(!i->shown);
    i->from = w->time;
    i->cell = fmax(CELL_MIN, duration / WORLD_INSTANT_CELLS);
    i->count = i->member_count = i->start_count = 0;
    i->state_count = 0;
}

mc_status world_instants_reserve(mc_world *w, mc_error *error)
{
    world_instants *i = &w->instants;
    if (!i->on || i->list)
        return MC_OK;
    const size_t n = (size_t)w->vehicle_count, stride = (size_t)w->stride;
    const size_t cars = n < WORLD_INSTANT_VEHICLES ? n : WORLD_INSTANT_VEHICLES;
    i->state_room = 4 * WORLD_INSTANT_CELLS * cars;
    i->member_room = (int)(WORLD_INSTANT_STARTS * cars);
    i->list = malloc(WORLD_INSTANTS_MAX * sizeof *i->list);
    i->states = malloc(i->state_room * stride * sizeof *i->states);
    i->members = malloc((size_t)i->member_room * sizeof *i->members);
    i->time = malloc(WORLD_INSTANTS_MAX * sizeof *i->time);
    i->now = malloc(n * stride * sizeof *i->now);
    i->latest = malloc(n * sizeof *i->latest);
    const bool all = n <= WORLD_INSTANT_ALL;
    if (all)
        i->starts = malloc(WORLD_INSTANT_STARTS * n * stride * sizeof *i->starts);
    if (i->list && i->states && i->members && i->time && i->now && i->latest && (i->starts || !all))
        return MC_OK;
    world_instants_free(w);
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                        "no memory for the instants of collisions");
}

void world_instants_free(mc_world *w)
{
    world_instants *i = &w->instants;
    void *const blocks[] = {i->list, i->states, i->members, i->time, i->now, i->latest, i->starts};
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
        free(blocks[k]);
    *i = (world_instants){.on = i->on};
}

// Room is given as if every cell were used; what is not comes back when it is taken.
void world_instants_share(mc_world *w, double duration)
{
    world_instants *i = &w->instants;
    if (!i->list || i->start_count == WORLD_INSTANT_STARTS)
        return;
    const int room = contact_instants_max(duration, i->cell);
    size_t state = i->state_count;
    int time = i->count, member = i->member_count;
    for (int k = 0; k < w->cluster_count; k++) {
        cluster *c = &w->clusters[k];
        const size_t states = (size_t)room * (size_t)c->member_count;
        if (states > i->state_room - state || room > WORLD_INSTANTS_MAX - time ||
            c->member_count > i->member_room - member)
            continue;
        c->instants = (contact_instants){.time = i->time + time,
                                         .states = i->states + state * (size_t)w->stride,
                                         .size = (size_t)c->member_count * (size_t)w->stride,
                                         .room = room,
                                         .from = i->from,
                                         .cell = i->cell};
        state += states, time += room, member += c->member_count;
    }
}

// Instants of all clusters stand in order of time.
static void insert(world_instants *i, const world_instant *instant)
{
    int at = i->count++;
    for (; at > 0 && i->list[at - 1].time > instant->time; at--)
        i->list[at] = i->list[at - 1];
    i->list[at] = *instant;
}

static void take_cluster(mc_world *w, const cluster *c)
{
    world_instants *i = &w->instants;
    const size_t states = (size_t)c->instants.count * (size_t)c->member_count;
    world_instant instant = {.start = i->start_count,
                             .states = i->state_count,
                             .members = i->member_count,
                             .member_count = c->member_count};
    memcpy(i->members + i->member_count, c->members, (size_t)c->member_count * sizeof(int));
    memmove(i->states + i->state_count * (size_t)w->stride, c->instants.states,
            states * (size_t)w->stride * sizeof *i->states);
    i->member_count += c->member_count;
    i->state_count += states;
    for (int k = 0; k < c->instants.count; k++, instant.states += (size_t)c->member_count) {
        instant.time = c->instants.time[k];
        insert(i, &instant);
    }
}

void world_instants_take(mc_world *w)
{
    world_instants *i = &w->instants;
    const int before = i->count;
    for (int k = 0; i->list && k < w->cluster_count; k++)
        if (w->clusters[k].instants.count > 0)
            take_cluster(w, &w->clusters[k]);
    if (i->count == before)
        return;
    const size_t size = (size_t)w->vehicle_count * (size_t)w->stride;
    if (i->starts)
        memcpy(i->starts + (size_t)i->start_count * size, w->kept, size * sizeof *i->starts);
    i->start_time[i->start_count++] = w->time;
}

// ---- shown ----

bool world_instant_has(const mc_world *w, int instant, int id)
{
    const world_instant *at = &w->instants.list[instant];
    for (int k = 0; k < at->member_count; k++)
        if (w->instants.members[at->members + k] == id)
            return true;
    return false;
}

static void put(mc_world *w, int id, const double *state)
{
    const impact_body *body = &w->body[id];
    body->batch->kind->restore(body->batch, body->index, state);
}

// The place of a vehicle's state among those of an instant.
static const double *state_at(const mc_world *w, const world_instant *at, int id)
{
    int k = 0;
    while (w->instants.members[at->members + k] != id)
        k++;
    return w->instants.states + (at->states + (size_t)k) * (size_t)w->stride;
}

// From the last state that is known: of an instant before in this chunk, or of its start.
static void bring(mc_world *w, int id, const world_instant *to)
{
    const world_instants *i = &w->instants;
    const size_t stride = (size_t)w->stride, n = (size_t)w->vehicle_count;
    const world_instant *last = i->latest[id] < 0 ? NULL : &i->list[i->latest[id]];
    put(w, id,
        last ? state_at(w, last, id) : i->starts + ((size_t)to->start * n + (size_t)id) * stride);
    const double behind = to->time - (last ? last->time : i->start_time[to->start]);
    const impact_body *body = &w->body[id];
    if (behind > 0.0)
        body->batch->kind->advance(body->batch, body->index, 1, behind);
}

void world_instant_show(mc_world *w, int instant)
{
    world_instants *i = &w->instants;
    const world_instant *to = &i->list[instant];
    for (int id = 0; id < w->vehicle_count; id++) {
        const impact_body *body = &w->body[id];
        i->latest[id] = -1;
        if (!i->shown)
            body->batch->kind->save(body->batch, body->index,
                                    i->now + (size_t)id * (size_t)w->stride);
    }
    i->shown = true;
    for (int k = 0; k <= instant; k++)
        for (int m = 0; i->list[k].start == to->start && m < i->list[k].member_count; m++)
            i->latest[i->members[i->list[k].members + m]] = k;
    for (int id = 0; id < w->vehicle_count; id++)
        if (i->starts)
            bring(w, id, to);
        else if (i->latest[id] == instant)
            put(w, id, state_at(w, to, id));
}

void world_instant_leave(mc_world *w)
{
    world_instants *i = &w->instants;
    for (int id = 0; i->shown && id < w->vehicle_count; id++)
        put(w, id, i->now + (size_t)id * (size_t)w->stride);
    i->shown = false;
}
