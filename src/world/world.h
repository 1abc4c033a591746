// world.h - inside of mc_world, shared by the files of this folder.
#pragma once

#include "base/bytes.h"
#include "base/pool.h"
#include "contact/broad.h"
#include "contact/cluster.h"
#include "motorcade/world.h"
#include "world/instants.h"

enum { WORLD_STATE_MAX = 1024 }; // doubles of one saved vehicle at most

typedef struct velocity_range { // m/s, of a mass centre over one chunk
    double low[3], high[3];
} velocity_range;

typedef struct active_pair {
    int root; // lowest vehicle id of its cluster
    contact_pair *pair;
} active_pair;

struct mc_world {
    mc_world_options options;
    pool *pool;
    double time;
    double step;  // s, in use now; options.step unless the energy asks for less
    double chunk; // s, longest interval between checks of which vehicles may touch

    mc_batch **batches;
    int batch_count, batch_capacity;
    impact_body *body;                   // by vehicle id
    int vehicle_count, vehicle_capacity; // obstacles are the last of them
    int fixed_from;                      // id of the first obstacle; vehicle_count: there is none

    // Which vehicles may touch. A vehicle is safe from all it has no pair with as long as it stays
    // in its box; when one is about to leave, boxes and pairs are rebuilt.
    broad *broad;
    broad_box *box;        // by vehicle id
    mc_reach *reach;       // by vehicle id, at the last look
    velocity_range *range; // by vehicle id: of those hit in this chunk
    int *hit_stamp;        // by vehicle id: number of the chunk in which it was last hit
    int chunk_number;
    int hit_newest; // largest stamp so far; a shortcut, not saved
    bool boxes_made;
    // A caller that watches the motion of all vehicles itself lets the world look at them only when
    // one might leave its box, and at those of a pair when it is due; the same pairs are found at
    // the same times.
    bool looks_seldom;
    double calm_until;   // s: no vehicle leaves its box before; -HUGE_VAL: unknown
    double due;          // s: no pair is due before
    contact_pair *pairs; // in order of (a, b)
    int pair_count, pair_capacity;
    contact_pair *pairs_spare; // same capacity

    // Clusters of this chunk.
    int *parent;  // by vehicle id: union-find
    int *slot;    // by vehicle id
    int *members; // vehicle ids, cluster after cluster
    active_pair *grouping;
    contact_pair **active; // pairs that may touch in this chunk, cluster after cluster
    cluster *clusters;
    int cluster_count, cluster_capacity;
    int stride;        // doubles of the largest saved vehicle
    double *work;      // base and end states
    double *base_time; // one a member
    cluster_search *search;

    mc_impact *impacts;
    int impact_count, impact_capacity;

    // Of a part of a larger world: the largest value of all parts; NULL: the world is whole. What
    // is known of a pair depends on when boxes are made, so all parts make them at the same times.
    // HUGE_VAL: a part has failed, and all end.
    double (*agree)(void *context, double value);
    void *agree_context;

    double *kept; // states of all vehicles, for steps that are undone; NULL: not needed yet
    world_instants instants;     // of collisions in the last control step; not part of the state
    struct published *published; // state of the published contact law, or NULL
};

static inline double world_agree(const mc_world *w, double value)
{
    return w->agree ? w->agree(w->agree_context, value) : value;
}

// pairs.c: how far every vehicle reaches now; fails naming the first whose motion is not finite.
mc_status world_look(mc_world *w, mc_error *error);

// pairs.c: until when, from the last check, no vehicle leaves its box.
double world_calm_until(const mc_world *w);

// pairs.c: looks at the vehicles of pairs that are due within `duration`, and marks the pairs that
// may touch, while no vehicle leaves its box. Returns their number.
int world_pairs_due(mc_world *w, double duration);

// pairs.c: brings the list of pairs up to date for the coming `duration`.
mc_status world_pairs_update(mc_world *w, double duration, mc_error *error);

// clusters.c: makes clusters of the pairs that may touch within `duration`; moves everything.
mc_status world_clusters_advance(mc_world *w, double duration, mc_error *error);

// pairs.c: rebuilds boxes and pairs, for vehicles hit in this chunk from their maximum speed.
mc_status world_pairs_make(mc_world *w, mc_error *error);

// pairs.c: room for this many pairs.
mc_status world_pairs_reserve(mc_world *w, int count, mc_error *error);

// save.c: everything the next advance depends on, and back into a world of the same vehicles.
// A restore that fails leaves a world that must not be advanced.
mc_status world_save(const mc_world *w, bytes *out, mc_error *error);
mc_status world_restore(mc_world *w, bytes_reader *in, mc_error *error);

// clusters.c: may the pair touch within `duration`? Looks closely only when it has to.
bool world_pair_may_touch(mc_world *w, contact_pair *pair, double duration);

// adaptive.c: the same as world_clusters_advance, with the step halved until the energy is kept.
mc_status world_adaptive_advance(mc_world *w, double duration, mc_error *error);

// world.c: saves all vehicles to w->kept, or puts them back.
mc_status world_keep(mc_world *w, mc_error *error);
void world_put_back(mc_world *w);
void world_put_back_one(mc_world *w, int id);

// batches.c: moves every vehicle freely.
void world_batches_advance(mc_world *w, double duration);

// published.c: the contact law of eq 1.45.
struct published *published_create(double step); // NULL: no memory
void published_destroy(struct published *p);
mc_status published_advance(mc_world *w, double duration, mc_error *error);

mc_status world_note_impacts(mc_world *w, const mc_impact *impacts, int count, mc_error *error);
