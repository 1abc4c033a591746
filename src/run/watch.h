// watch.h - lists of the few cars that a step looks at one by one: those that change
// lanes, respond to a car that cut in, or make room for another, and those whose car in front is
// another one since the last look.
//
// Flags of a car say what it does; a list has all slots with a flag, and may have others, which it
// drops when it is walked. After a restore the lists are made again from the flags.
#pragma once

#include "run/run.h"

typedef struct run_list {
    int *slots;
    int count;
    unsigned char *has; // by slot
} run_list;

typedef struct run_watch {
    bool made;
    run_list changes;  // with RUN_CHANGES, in order of slots
    run_list responds; // with RUN_RESPONDING
    run_list yields;   // with RUN_YIELDS
    run_list fronts;   // another car is in front
    int *front_before; // by slot, of those: the car that was
} run_watch;

mc_status run_watch_room(mc_run *r, mc_error *error); // when the run is made
void run_watch_restored(mc_run *r);                   // flags were set from outside
run_watch *run_watch_lists(mc_run *r);

void run_list_add(run_list *l, int slot);
void run_list_insert(run_list *l, int slot); // in order of slots
void run_list_clear(run_list *l);
void run_list_sort(run_list *l);

// The car in front of a slot becomes another one.
static inline void run_set_front(mc_run *r, int slot, int front)
{
    run_car *c = &r->car[slot];
    if (c->front == front)
        return;
    if (!r->watch->fronts.has[slot])
        r->watch->front_before[slot] = c->front;
    run_list_add(&r->watch->fronts, slot);
    c->front = front;
    r->tiles[r->tile_of[slot]].grouped = false;
    r->all_grouped = false;
}
