// instants.h - the vehicles of a world at instants of the collisions of the last control step.
//
// A collision takes a fraction of a control step. The clusters that collide keep states of their
// members at instants of their contact (contact/instants.h); here they are gathered, chunk by
// chunk, and shown: the vehicles are put to an instant, read, and put back, bit for bit. Vehicles
// that do not take part are moved there from the start of the chunk, those of another collision
// from its last instant before.
//
// Of the caller: on once, after mc_world_start; begin before the advances of a step; show and leave
// between steps. Memory is reserved in the first chunk in which vehicles may touch; without that
// nothing is done. What does not fit is not kept: clusters are served in their order, so the
// instants do not depend on the number of threads.
#pragma once

#include "motorcade/status.h"
#include "motorcade/world.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    WORLD_INSTANT_CELLS = 32,    // of a control step; each has at most two instants per cluster
    WORLD_INSTANTS_MAX = 256,    // of a control step, all clusters together
    WORLD_INSTANT_VEHICLES = 32, // colliding at once, for which there is room in any case
    WORLD_INSTANT_STARTS = 32,   // chunks of a control step
    WORLD_INSTANT_ALL = 256,     // vehicles of a world that are all shown
};

typedef struct world_instant {
    double time;               // s
    int start;                 // of the chunk it is in
    size_t states;             // place of its first member's state
    int members, member_count; // place in the list of vehicle ids, and how many
} world_instant;

typedef struct world_instants {
    bool on;
    double from, cell; // s: start of the control step, and the length of a cell
    world_instant *list;
    int count;
    double *states; // stride doubles each
    size_t state_count, state_room;
    int *members;
    int member_count, member_room;
    double *starts; // all vehicles at the starts of chunks; NULL: too many vehicles
    double start_time[WORLD_INSTANT_STARTS];
    int start_count;
    double *time; // of the clusters, while they move
    double *now;  // all vehicles where they really are, while an instant is shown
    int *latest;  // by vehicle id: its last instant before the one shown; -1: none
    bool shown;
} world_instants;

void world_instants_begin(mc_world *w, double duration); // of the control step; forgets the last
mc_status world_instants_reserve(mc_world *w, mc_error *error);
void world_instants_share(mc_world *w, double duration); // room for the clusters of this chunk
void world_instants_take(mc_world *w);                   // what they have kept
void world_instants_free(mc_world *w);

bool world_instant_has(const mc_world *w, int instant, int id); // the vehicle takes part
// All vehicles are put to an instant; of more than WORLD_INSTANT_ALL only those that take part.
void world_instant_show(mc_world *w, int instant);
void world_instant_leave(mc_world *w); // back to where they are
