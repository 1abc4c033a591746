// clusters.c - one chunk of time: free vehicles in their batches, those that may touch in clusters.
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RESTING_SPEED = 0.05;   // m/s, slower impacts are bodies at rest together
static const double RESTING_QUIET = 0.25;   // s, longest pause of one contact
static const double RESTING_LONGEST = 60.0; // s, how far back a contact may have begun

bool world_pair_may_touch(mc_world *w, contact_pair *pair, double duration)
{
    const bool hit = w->hit_stamp[pair->a] == w->chunk_number - 1 ||
                     w->hit_stamp[pair->b] == w->chunk_number - 1;
    if (!hit && w->time + duration < pair->next_check)
        return false;
    const double safe =
        contact_pair_safe_time(pair, w->body, &w->reach[pair->a], &w->reach[pair->b], duration);
    pair->next_check = w->time + 0.9 * safe;
    return safe <= 1.1 * duration;
}

static int root_of(int *parent, int id)
{
    while (parent[id] != id)
        id = parent[id] = parent[parent[id]];
    return id;
}

static int grouping_order(const void *p, const void *q)
{
    const active_pair *a = p, *b = q;
    if (a->root != b->root)
        return a->root < b->root ? -1 : 1;
    if (a->pair->a != b->pair->a)
        return a->pair->a < b->pair->a ? -1 : 1;
    return (a->pair->b > b->pair->b) - (a->pair->b < b->pair->b);
}

static mc_status grow_work(mc_world *w, int pair_count, mc_error *error)
{
    if (pair_count <= w->cluster_capacity)
        return MC_OK;
    const size_t n = 2 * (size_t)pair_count; // a pair brings at most one cluster and two members
    const size_t state = 2 * n * (size_t)w->stride;
    contact_pair **active = realloc(w->active, n * sizeof *active);
    w->active = active ? active : w->active;
    active_pair *grouping = realloc(w->grouping, n * sizeof *grouping);
    w->grouping = grouping ? grouping : w->grouping;
    cluster *clusters = realloc(w->clusters, n * sizeof *clusters);
    if (clusters) {
        memset(clusters + w->cluster_capacity, 0,
               (n - (size_t)w->cluster_capacity) * sizeof *clusters);
        w->clusters = clusters;
    }
    int *members = realloc(w->members, 2 * n * sizeof *members);
    w->members = members ? members : w->members;
    double *work = realloc(w->work, 2 * state * sizeof *work);
    w->work = work ? work : w->work;
    double *base_time = realloc(w->base_time, 2 * n * sizeof *base_time);
    w->base_time = base_time ? base_time : w->base_time;
    cluster_search *search = realloc(w->search, n * sizeof *search);
    w->search = search ? search : w->search;
    if (!active || !grouping || !clusters || !members || !work || !base_time || !search)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for %d contacts",
                            pair_count);
    w->cluster_capacity = (int)n;
    return MC_OK;
}

// Cuts the active pairs, sorted cluster by cluster, into clusters.
static void make_clusters(mc_world *w, int active_count, double duration)
{
    int member = 0;
    w->cluster_count = 0;
    for (int first = 0; first < active_count;) {
        const int root = root_of(w->parent, w->active[first]->a);
        cluster *c = &w->clusters[w->cluster_count++];
        mc_impact *impacts = c->impacts; // keep the memory of an earlier chunk
        const int capacity = c->impact_capacity;
        *c = (cluster){.body = w->body,
                       .slot = w->slot,
                       .members = w->members + member,
                       .pairs = w->active + first,
                       .base = w->work + 2 * (size_t)member * (size_t)w->stride,
                       .stride = w->stride,
                       .base_time = w->base_time + member,
                       .search = w->search + first,
                       .impacts = impacts,
                       .impact_capacity = capacity};
        for (; first < active_count && root_of(w->parent, w->active[first]->a) == root; first++) {
            c->pair_count++;
            const int ids[2] = {w->active[first]->a, w->active[first]->b};
            for (int k = 0; k < 2; k++)
                if (w->slot[ids[k]] < 0) {
                    w->slot[ids[k]] = c->member_count;
                    c->members[c->member_count++] = ids[k];
                }
        }
        c->end = c->base + (size_t)c->member_count * (size_t)w->stride;
        member += c->member_count;
    }
    world_instants_share(w, duration);
}

// Marks the pairs that may touch from how things are at the start of the chunk. Returns their
// number.
static int mark_active(mc_world *w, double duration)
{
    int count = 0;
    for (int k = 0; k < w->pair_count; k++) {
        w->pairs[k].active = world_pair_may_touch(w, &w->pairs[k], duration);
        count += w->pairs[k].active;
    }
    return count;
}

// Sorts the active pairs cluster by cluster. Returns their number.
static int group_active(mc_world *w)
{
    int count = 0;
    for (int k = 0; k < w->pair_count; k++) {
        contact_pair *pair = &w->pairs[k];
        if (!pair->active)
            continue;
        w->grouping[count++].pair = pair;
        w->parent[pair->a] = pair->a, w->parent[pair->b] = pair->b;
        w->slot[pair->a] = w->slot[pair->b] = -1;
    }
    for (int k = 0; k < count; k++) { // the lowest id becomes the root
        const contact_pair *pair = w->grouping[k].pair;
        const int a = root_of(w->parent, pair->a), b = root_of(w->parent, pair->b);
        w->parent[a > b ? a : b] = a > b ? b : a;
    }
    for (int k = 0; k < count; k++)
        w->grouping[k].root = root_of(w->parent, w->grouping[k].pair->a);
    if (count > 0)
        qsort(w->grouping, (size_t)count, sizeof *w->grouping, grouping_order);
    for (int k = 0; k < count; k++)
        w->active[k] = w->grouping[k].pair;
    return count;
}

typedef struct cluster_task {
    mc_world *w;
    double duration;
    cluster_settings settings;
} cluster_task;

static void move_cluster(void *context, int index)
{
    const cluster_task *task = context;
    cluster_advance(&task->w->clusters[index], &task->settings, task->w->time, task->duration);
}

// ---- hits that reach farther ----

static void widen_range(velocity_range *range, const double velocity[3])
{
    for (int k = 0; k < 3; k++) {
        range->low[k] = fmin(range->low[k], velocity[k]);
        range->high[k] = fmax(range->high[k], velocity[k]);
    }
}

// Notes how fast every vehicle that was hit moved in this chunk. Returns whether any was.
static bool note_hits(mc_world *w)
{
    bool any = false;
    for (int k = 0; k < w->cluster_count; k++)
        for (int j = 0; j < w->clusters[k].impact_count; j++) {
            const mc_impact *impact = &w->clusters[k].impacts[j];
            for (int side = 0; side < 2; side++) {
                const int id = side ? impact->b : impact->a;
                if (w->hit_stamp[id] != w->chunk_number) {
                    w->hit_stamp[id] = w->hit_newest = w->chunk_number;
                    memcpy(w->range[id].low, w->reach[id].velocity, sizeof w->range[id].low);
                    memcpy(w->range[id].high, w->reach[id].velocity, sizeof w->range[id].high);
                }
                widen_range(&w->range[id], impact->velocity_after[side]);
                any = true;
            }
        }
    return any;
}

static velocity_range range_of(const mc_world *w, int id)
{
    velocity_range range;
    if (w->hit_stamp[id] == w->chunk_number)
        return w->range[id];
    memcpy(range.low, w->reach[id].velocity, sizeof range.low);
    memcpy(range.high, w->reach[id].velocity, sizeof range.high);
    return range;
}

// May two vehicles, one of them hit, have met within the chunk? By their spheres alone.
static bool may_have_met(const mc_world *w, const contact_pair *pair, double duration)
{
    const mc_reach *a = &w->reach[pair->a], *b = &w->reach[pair->b];
    const velocity_range u = range_of(w, pair->a), v = range_of(w, pair->b);
    double apart = 0.0, speed = 0.0;
    for (int k = 0; k < 3; k++) {
        apart += pow(b->centre[k] - a->centre[k], 2);
        speed += pow(fmax(fabs(v.high[k] - u.low[k]), fabs(u.high[k] - v.low[k])), 2);
    }
    // A hit sets the body ringing: what the mass centre gained, the surface may have gained too.
    const double closing = 2.0 * sqrt(speed) + a->spread + b->spread;
    return sqrt(apart) - a->radius - b->radius <
           closing * duration + 0.5 * (a->acceleration + b->acceleration) * duration * duration;
}

// Whether a vehicle that was hit left its box. Then there may be unknown pairs.
static bool left_box(const mc_world *w, double duration)
{
    for (int id = 0; id < w->vehicle_count; id++) {
        if (w->hit_stamp[id] != w->chunk_number)
            continue;
        const mc_reach *r = &w->reach[id];
        for (int k = 0; k < 2; k++)
            if (r->centre[k] + fmin(w->range[id].low[k], 0.0) * duration - r->radius <
                    w->box[id].low[k] ||
                r->centre[k] + fmax(w->range[id].high[k], 0.0) * duration + r->radius >
                    w->box[id].high[k])
                return true;
    }
    return false;
}

// Marks the pairs that a hit may have brought together; true when there are new ones.
static bool mark_met(mc_world *w, double duration)
{
    bool grown = false;
    for (int k = 0; k < w->pair_count; k++) {
        contact_pair *pair = &w->pairs[k];
        const bool hit =
            w->hit_stamp[pair->a] == w->chunk_number || w->hit_stamp[pair->b] == w->chunk_number;
        if (hit && !pair->active && may_have_met(w, pair, duration))
            grown = pair->active = true;
    }
    return grown;
}

static int impact_order(const void *p, const void *q)
{
    const mc_impact *a = p, *b = q;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

static void add_energy(mc_energy *sum, const mc_energy *after, const mc_energy *before)
{
    double *to = (double *)sum;
    const double *plus = (const double *)after, *minus = (const double *)before;
    for (size_t k = 0; k < sizeof *sum / sizeof *to; k++)
        to[k] += plus[k] - minus[k];
}

// Adds what a slow impact did to the record of the contact it continues.
static void extend(mc_impact *record, const mc_impact *more)
{
    record->duration = more->time - record->time;
    record->impulse += more->impulse;
    record->friction_loss += more->friction_loss;
    record->restitution_loss += more->restitution_loss;
    for (int j = 0; j < 3; j++)
        record->tangential[j] += more->tangential[j];
    for (int side = 0; side < 2; side++) {
        add_energy(&record->after[side], &more->after[side], &more->before[side]);
        for (int j = 0; j < 3; j++)
            record->velocity_after[side][j] +=
                more->velocity_after[side][j] - more->velocity_before[side][j];
    }
}

// Impacts of vehicles that lie against each other, from `first` on, become part of the last one of
// their pair when that is at most RESTING_QUIET old.
static void join_resting(mc_world *w, int first)
{
    int kept = first;
    for (int k = first; k < w->impact_count; k++) {
        const mc_impact *impact = &w->impacts[k];
        mc_impact *record = NULL;
        for (int j = kept - 1; impact->closing < RESTING_SPEED && j >= 0 && !record; j--) {
            mc_impact *other = &w->impacts[j];
            if (other->time + other->duration < impact->time - RESTING_QUIET &&
                other->time < impact->time - RESTING_LONGEST)
                break;
            if (other->a == impact->a && other->b == impact->b)
                record = other;
        }
        if (record && record->time + record->duration >= impact->time - RESTING_QUIET)
            extend(record, impact);
        else
            w->impacts[kept++] = *impact;
    }
    w->impact_count = kept;
}

static mc_status gather_impacts(mc_world *w, mc_error *error)
{
    const int before = w->impact_count;
    for (int k = 0; k < w->cluster_count; k++) {
        const cluster *c = &w->clusters[k];
        if (c->out_of_memory)
            return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for impacts");
        const mc_status status = world_note_impacts(w, c->impacts, c->impact_count, error);
        if (status != MC_OK)
            return status;
    }
    if (w->impact_count > before)
        qsort(w->impacts + before, (size_t)(w->impact_count - before), sizeof *w->impacts,
              impact_order);
    if (w->options.resting_guard > 0.0)
        join_resting(w, before);
    return MC_OK;
}

// Puts the members of all clusters back to the start of the chunk.
static void put_members_back(mc_world *w)
{
    for (int k = 0; k < w->cluster_count; k++)
        for (int m = 0; m < w->clusters[k].member_count; m++)
            world_put_back_one(w, w->clusters[k].members[m]);
}

static mc_status failed_elsewhere(mc_error *error)
{
    return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s", "");
}

// Moves the clusters; again with more members as long as a vehicle that was hit may have reached
// another one. Vehicles outside have moved freely and stay moved.
static mc_status move_clusters(mc_world *w, double duration, mc_error *error)
{
    cluster_task task = {w,
                         duration,
                         {.law = {w->options.restitution, w->options.friction},
                          .guard = w->step / 25.0,
                          .resting_speed = w->options.resting_guard > 0.0 ? RESTING_SPEED : 0.0,
                          .resting_guard = w->options.resting_guard,
                          .window_max = w->step,
                          .touch_tolerance = 1e-9,
                          .tolerance = 1e-11,
                          .slowest_impact = 1e-9,
                          .instant_speed = RESTING_SPEED,
                          .instant_quiet = w->chunk}};
    enum { DONE, GROWN, UNKNOWN };
    for (bool fresh = true;;) {
        int what = DONE;
        if (fresh && w->pair_count > 0) {
            memcpy(w->pairs_spare, w->pairs, (size_t)w->pair_count * sizeof *w->pairs);
            make_clusters(w, group_active(w), duration);
            put_members_back(w);
            pool_run(w->pool, w->cluster_count, move_cluster, &task);
            if (note_hits(w))
                what = left_box(w, duration) ? UNKNOWN : mark_met(w, duration) ? GROWN : DONE;
        }
        const double all = world_agree(w, what);
        if (all == DONE)
            return MC_OK;
        if (all == HUGE_VAL)
            return failed_elsewhere(error);
        fresh = what != DONE || all >= UNKNOWN;
        if (!fresh)
            continue;
        for (int k = 0; k < w->pair_count; k++) { // undo the discarded attempt
            const bool active = w->pairs[k].active;
            w->pairs[k] = w->pairs_spare[k];
            w->pairs[k].active = active;
        }
        if (all >= UNKNOWN) {
            mc_status status = world_pairs_make(w, error);
            if (status == MC_OK)
                status = grow_work(w, w->pair_count, error);
            if (status != MC_OK) {
                world_agree(w, HUGE_VAL);
                return status;
            }
            mark_met(w, duration);
        }
    }
}

// Looks at everything, and marks the pairs that may touch. Their number goes to *active.
static mc_status look_closely(mc_world *w, double duration, int *active, mc_error *error)
{
    mc_status status = w->looks_seldom ? world_look(w, error) : MC_OK;
    if (status == MC_OK)
        status = world_pairs_update(w, duration, error);
    if (status == MC_OK)
        status = grow_work(w, w->pair_count, error);
    if (status != MC_OK)
        return status;
    *active = mark_active(w, duration);
    return MC_OK;
}

mc_status world_clusters_advance(mc_world *w, double duration, mc_error *error)
{
    w->chunk_number++;
    w->cluster_count = 0;
    int active = 0;
    const bool calm = w->looks_seldom && w->time + duration < w->calm_until;
    mc_status status = MC_OK;
    if (calm)
        active = world_pairs_due(w, duration);
    else
        status = look_closely(w, duration, &active, error);
    const double all = world_agree(w, status == MC_OK ? active > 0 : HUGE_VAL);
    if (status != MC_OK || all == HUGE_VAL)
        return status != MC_OK ? status : failed_elsewhere(error);
    const bool any = all > 0.0;
    if (!calm && w->looks_seldom && !any)
        w->calm_until = -world_agree(w, -world_calm_until(w));
    if (calm && any) // a hit may reach vehicles of pairs that are not due
        status = world_look(w, error);
    if (active > 0 && status == MC_OK)
        status = world_keep(w, error);
    if (active > 0 && status == MC_OK)
        status = world_instants_reserve(w, error);
    if (status != MC_OK) {
        if (any)
            world_agree(w, HUGE_VAL);
        return status;
    }
    // All ride along in their batches (lanes are cheap); those that may touch do it again.
    world_batches_advance(w, duration);
    if (!any)
        return MC_OK;
    status = move_clusters(w, duration, error);
    if (status != MC_OK)
        return status;
    world_instants_take(w);
    return gather_impacts(w, error);
}
