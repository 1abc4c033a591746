// world.c - creation and destruction of a world; time advances in chunks.
#include "world/world.h"

#include "base/assert.h"
#include "contact/obstacle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

mc_world_options mc_world_defaults(void)
{
    return (mc_world_options){.threads = 0,
                              .contact = MC_CONTACT_LAW_IMPULSES,
                              .step = 5e-4,
                              .restitution = 1.0,
                              .penalty_stiffness = 1e6,
                              .penalty_smallest_step = 1e-6,
                              .penalty_held_steps = 100};
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
}

// Rejects values with which impacts would create energy.
static bool law_is_good(const mc_world_options *options, mc_error *error)
{
    if (!(options->restitution >= 0.0 && options->restitution <= 1.0))
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "restitution of impacts %g; expected 0 (no bounce) to 1 (no loss)",
                     options->restitution);
    else if (!(options->friction >= 0.0 && options->friction <= 10.0))
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "friction between vehicles %g; expected 0 (smooth) to 10", options->friction);
    else
        return true;
    return false;
}

mc_world *mc_world_create(const mc_world_options *options, mc_error *error)
{
    if (!law_is_good(options, error))
        return NULL;
    mc_world *w = calloc(1, sizeof *w);
    if (w) {
        w->options = *options;
        w->step = options->step;
        w->chunk = 0.01;
        w->pool = pool_create(options->threads);
        w->broad = broad_create();
        if (options->contact == MC_CONTACT_LAW_PENALTY)
            w->published = published_create(options->step);
    }
    if (!w || !w->pool || !w->broad ||
        (options->contact == MC_CONTACT_LAW_PENALTY && !w->published)) {
        mc_world_destroy(w);
        no_memory(error);
        return NULL;
    }
    return w;
}

void mc_world_destroy(mc_world *w)
{
    if (!w)
        return;
    for (int k = 0; k < w->batch_count; k++)
        w->batches[k]->kind->destroy(w->batches[k]);
    for (int k = 0; k < w->cluster_capacity; k++)
        free(w->clusters[k].impacts);
    void *const blocks[] = {w->batches,   w->body,   w->box,      w->reach,    w->hit_stamp,
                            w->range,     w->pairs,  w->slot,     w->parent,   w->pairs_spare,
                            w->members,   w->active, w->grouping, w->clusters, w->work,
                            w->base_time, w->search, w->impacts,  w->kept};
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
        free(blocks[k]);
    world_instants_free(w);
    published_destroy(w->published);
    broad_destroy(w->broad);
    pool_destroy(w->pool);
    free(w);
}

mc_status mc_world_give(mc_world *w, mc_batch *batch, mc_error *error)
{
    mc_assert(!w->box); // not started
    if (w->batch_count == w->batch_capacity) {
        const int capacity = w->batch_capacity ? 2 * w->batch_capacity : 8;
        mc_batch **grown = realloc(w->batches, (size_t)capacity * sizeof *grown);
        if (!grown)
            return no_memory(error);
        w->batches = grown;
        w->batch_capacity = capacity;
    }
    w->batches[w->batch_count++] = batch;
    const int size = batch->kind->save_size(batch);
    w->stride = size > w->stride ? size : w->stride;
    return MC_OK;
}

mc_status mc_world_add(mc_world *w, mc_batch *batch, int index, int *id, mc_error *error)
{
    mc_assert(!w->box && index >= 0 && index < batch->count);
    if (w->vehicle_count == w->vehicle_capacity) {
        const int capacity = w->vehicle_capacity ? 2 * w->vehicle_capacity : 64;
        impact_body *grown = realloc(w->body, (size_t)capacity * sizeof *grown);
        if (!grown)
            return no_memory(error);
        w->body = grown;
        w->vehicle_capacity = capacity;
    }
    w->body[w->vehicle_count] = (impact_body){batch, index};
    *id = w->vehicle_count++;
    mc_assert(w->fixed_from == *id || obstacle_is(&w->body[*id])); // they are the last
    w->fixed_from += !obstacle_is(&w->body[*id]);
    return MC_OK;
}

// The first pair of vehicles, in order of id, that overlap at the start; false when none does.
static bool find_overlap(mc_world *w, int *a, int *b)
{
    for (int k = 0; k < w->pair_count; k++) {
        double gap, rate;
        contact_pair_look(&w->pairs[k], w->body, &gap, &rate);
        if (gap < -1e-9) {
            *a = w->pairs[k].a, *b = w->pairs[k].b;
            return true;
        }
    }
    return false;
}

mc_status mc_world_start(mc_world *w, int *a, int *b, mc_error *error)
{
    mc_assert(!w->box);
    const size_t n = (size_t)w->vehicle_count;
    w->box = calloc(n + 1, sizeof *w->box);
    w->reach = calloc(n + 1, sizeof *w->reach);
    w->hit_stamp = calloc(n + 1, sizeof *w->hit_stamp);
    w->range = calloc(n + 1, sizeof *w->range);
    w->parent = calloc(n + 1, sizeof *w->parent);
    w->slot = calloc(n + 1, sizeof *w->slot);
    if (!w->box || !w->reach || !w->hit_stamp || !w->range || !w->parent || !w->slot)
        return no_memory(error);
    w->chunk_number = 1; // vehicles never hit carry stamp 0
    mc_status status = world_look(w, error);
    if (status == MC_OK)
        status = world_pairs_update(w, w->chunk, error);
    if (status != MC_OK || w->options.contact == MC_CONTACT_LAW_NONE)
        return status;
    int first, second;
    if (find_overlap(w, &first, &second)) {
        if (a && b)
            *a = first, *b = second;
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "vehicles %d and %d overlap at the start", first + 1, second + 1);
    }
    return MC_OK;
}

mc_status world_keep(mc_world *w, mc_error *error)
{
    if (!w->kept)
        w->kept = malloc((size_t)w->vehicle_count * (size_t)w->stride * sizeof *w->kept + 1);
    if (!w->kept)
        return no_memory(error);
    for (int id = 0; id < w->vehicle_count; id++) {
        const impact_body *body = &w->body[id];
        body->batch->kind->save(body->batch, body->index, w->kept + (size_t)id * (size_t)w->stride);
    }
    return MC_OK;
}

void world_put_back(mc_world *w)
{
    for (int id = 0; id < w->vehicle_count; id++)
        world_put_back_one(w, id);
}

void world_put_back_one(mc_world *w, int id)
{
    const impact_body *body = &w->body[id];
    body->batch->kind->restore(body->batch, body->index, w->kept + (size_t)id * (size_t)w->stride);
}

mc_status world_note_impacts(mc_world *w, const mc_impact *impacts, int count, mc_error *error)
{
    if (w->impact_count + count > w->impact_capacity) {
        const int capacity = 2 * (w->impact_count + count);
        mc_impact *grown = realloc(w->impacts, (size_t)capacity * sizeof *grown);
        if (!grown)
            return no_memory(error);
        w->impacts = grown;
        w->impact_capacity = capacity;
    }
    if (count > 0)
        memcpy(w->impacts + w->impact_count, impacts, (size_t)count * sizeof *impacts);
    w->impact_count += count;
    return MC_OK;
}

mc_status mc_world_advance(mc_world *w, double duration, mc_error *error)
{
    mc_assert(w->box); // started
    if (w->options.contact == MC_CONTACT_LAW_PENALTY)
        return published_advance(w, duration, error);
    const double start = w->time;
    const long long chunks =
        duration <= w->chunk ? 1 : (long long)ceil(duration / w->chunk * (1.0 - 1e-12));
    const double chunk = duration / (double)chunks;
    for (long long k = 0; k < chunks; k++) {
        mc_status status = MC_OK;
        if (w->options.contact == MC_CONTACT_LAW_NONE)
            world_batches_advance(w, chunk);
        else if (w->options.energy_tolerance > 0.0)
            status = world_adaptive_advance(w, chunk, error);
        else
            status = world_clusters_advance(w, chunk, error);
        w->time = start + duration * (double)(k + 1) / (double)chunks;
        if (status == MC_OK && !w->looks_seldom)
            status = world_look(w, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

mc_status mc_world_refresh(mc_world *w, mc_error *error)
{
    w->boxes_made = false;
    w->pair_count = 0;
    return world_look(w, error);
}

double mc_world_time(const mc_world *w)
{
    return w->time;
}

int mc_world_vehicle_count(const mc_world *w)
{
    return w->vehicle_count;
}

void mc_world_vehicle(const mc_world *w, int id, mc_batch **batch, int *index)
{
    mc_assert(id >= 0 && id < w->vehicle_count);
    *batch = w->body[id].batch;
    *index = w->body[id].index;
}

const mc_impact *mc_world_impacts(const mc_world *w, int *count)
{
    *count = w->impact_count;
    return w->impacts;
}

unsigned long long mc_world_hash(const mc_world *w)
{
    unsigned long long hash = BYTES_HASH_START;
    double state[WORLD_STATE_MAX];
    mc_assert(w->stride <= WORLD_STATE_MAX);
    for (int id = 0; id < w->vehicle_count; id++) {
        mc_batch *batch = w->body[id].batch;
        batch->kind->save(batch, w->body[id].index, state);
        hash = bytes_hash(hash, state, sizeof(double) * (size_t)batch->kind->save_size(batch));
    }
    return hash;
}
