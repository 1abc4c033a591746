// save.c - all of a world's state as bytes, and back.
//
// Beside the vehicles this is what the world knows of pairs: a search that starts from the last
// normal gives other last bits than one that starts cold, and a guard time decides whether a pair
// may be hit again. With it the next advance gives the same bits as it would have before.
#include "world/world.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_vehicles(const mc_world *w, bytes *out, double *state)
{
    for (int id = 0; id < w->vehicle_count; id++) {
        mc_batch *batch = w->body[id].batch;
        const int size = batch->kind->save_size(batch);
        batch->kind->save(batch, w->body[id].index, state);
        bytes_put(out, &size, sizeof size);
        bytes_put(out, state, (size_t)size * sizeof *state);
    }
}

mc_status world_save(const mc_world *w, bytes *out, mc_error *error)
{
    double *state = malloc((size_t)w->stride * sizeof *state + 1);
    if (!state)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a snapshot");
    const size_t n = (size_t)w->vehicle_count;
    bytes_put(out, &w->vehicle_count, sizeof w->vehicle_count);
    bytes_put(out, &w->time, sizeof w->time);
    bytes_put(out, &w->step, sizeof w->step);
    put_vehicles(w, out, state);
    free(state);
    bytes_put(out, &w->chunk_number, sizeof w->chunk_number);
    bytes_put(out, &w->boxes_made, sizeof w->boxes_made);
    bytes_put(out, w->box, n * sizeof *w->box);
    bytes_put(out, w->hit_stamp, n * sizeof *w->hit_stamp);
    bytes_put(out, w->range, n * sizeof *w->range);
    bytes_put(out, &w->pair_count, sizeof w->pair_count);
    bytes_put(out, w->pairs, (size_t)w->pair_count * sizeof *w->pairs);
    bytes_put(out, &w->impact_count, sizeof w->impact_count);
    bytes_put(out, w->impacts, (size_t)w->impact_count * sizeof *w->impacts);
    return out->failed ? mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a snapshot")
                       : MC_OK;
}

static bool take_vehicles(mc_world *w, bytes_reader *in, double *state)
{
    for (int id = 0; id < w->vehicle_count; id++) {
        mc_batch *batch = w->body[id].batch;
        const int size = batch->kind->save_size(batch);
        if (!bytes_take_equal(in, &size, sizeof size) ||
            !bytes_take(in, state, (size_t)size * sizeof *state))
            return false;
        batch->kind->restore(batch, w->body[id].index, state);
    }
    return true;
}

// A count, and room for that many pairs and impacts. The bytes that follow bound it.
static bool take_count(bytes_reader *in, size_t size, int *count)
{
    return bytes_take(in, count, sizeof *count) && *count >= 0 &&
           (size_t)*count <= (in->size - in->at) / size;
}

// A bool, which must not have other bits than false and true.
static bool take_bool(bytes_reader *in, bool *out)
{
    unsigned char bits[sizeof *out];
    static const bool no = false, yes = true;
    if (!bytes_take(in, bits, sizeof bits))
        return false;
    *out = memcmp(bits, &yes, sizeof bits) == 0;
    return *out || memcmp(bits, &no, sizeof bits) == 0;
}

static mc_status take_pairs(mc_world *w, bytes_reader *in, mc_error *error)
{
    int count;
    if (!take_count(in, sizeof *w->pairs, &count))
        return MC_BAD_INPUT;
    const mc_status status = world_pairs_reserve(w, count, error);
    if (status != MC_OK)
        return status;
    w->pair_count = count;
    bytes_take(in, w->pairs, (size_t)count * sizeof *w->pairs);
    for (int k = 0; k < count; k++) {
        contact_pair *p = &w->pairs[k];
        memset(&p->active, 0, sizeof p->active); // set again by every chunk
        if (p->a < 0 || p->a >= p->b || p->b >= w->vehicle_count ||
            (k > 0 && (p[-1].a > p->a || (p[-1].a == p->a && p[-1].b >= p->b))))
            return MC_BAD_INPUT;
    }
    if (!take_count(in, sizeof *w->impacts, &count))
        return MC_BAD_INPUT;
    w->impact_count = 0;
    mc_status kept = MC_OK;
    for (int k = 0; k < count && kept == MC_OK; k++) {
        mc_impact impact;
        bytes_take(in, &impact, sizeof impact);
        if (impact.a < 0 || impact.a >= impact.b || impact.b >= w->vehicle_count)
            return MC_BAD_INPUT;
        kept = world_note_impacts(w, &impact, 1, error);
    }
    return kept;
}

mc_status world_restore(mc_world *w, bytes_reader *in, mc_error *error)
{
    double *state = malloc((size_t)w->stride * sizeof *state + 1);
    if (!state)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a snapshot");
    world_instants_begin(w, w->chunk); // those of the last step are not those of this state
    const size_t n = (size_t)w->vehicle_count;
    bool good = bytes_take_equal(in, &w->vehicle_count, sizeof w->vehicle_count) &&
                bytes_take(in, &w->time, sizeof w->time) &&
                bytes_take(in, &w->step, sizeof w->step) && fabs(w->time) < 1e12 &&
                w->step > 1e-9 * w->options.step && w->step <= w->options.step &&
                take_vehicles(w, in, state);
    free(state);
    good = good && bytes_take(in, &w->chunk_number, sizeof w->chunk_number) &&
           take_bool(in, &w->boxes_made) && bytes_take(in, w->box, n * sizeof *w->box) &&
           bytes_take(in, w->hit_stamp, n * sizeof *w->hit_stamp) &&
           bytes_take(in, w->range, n * sizeof *w->range) && w->chunk_number >= 0 &&
           w->chunk_number < INT_MAX / 2;
    mc_status status = good ? take_pairs(w, in, error) : MC_BAD_INPUT;
    if (status == MC_BAD_INPUT)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the snapshot is damaged or belongs to other vehicles");
    return status == MC_OK ? world_look(w, error) : status;
}
