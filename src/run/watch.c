// watch.c - lists of the cars that a step looks at; see watch.h.
#include "run/watch.h"

#include <stdlib.h>
#include <string.h>

static bool room_for(mc_run *r, run_list *l)
{
    const size_t n = (size_t)r->count + 1;
    l->slots = arena_alloc(&r->memory, n * sizeof *l->slots);
    l->has = arena_alloc(&r->memory, n);
    if (l->has)
        memset(l->has, 0, n);
    l->count = 0;
    return l->slots && l->has;
}

mc_status run_watch_room(mc_run *r, mc_error *error)
{
    run_watch *w = r->watch = arena_alloc(&r->memory, sizeof *w);
    bool good = w != NULL;
    if (good) {
        w->made = false;
        w->front_before = arena_alloc(&r->memory, ((size_t)r->count + 1) * sizeof *w->front_before);
        good = w->front_before && room_for(r, &w->changes) && room_for(r, &w->responds) &&
               room_for(r, &w->yields) && room_for(r, &w->fronts);
    }
    return good ? MC_OK : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the run");
}

void run_list_add(run_list *l, int slot)
{
    if (l->has[slot])
        return;
    l->has[slot] = 1;
    l->slots[l->count++] = slot;
}

void run_list_insert(run_list *l, int slot)
{
    if (l->has[slot])
        return;
    l->has[slot] = 1;
    int at = l->count++;
    for (; at > 0 && l->slots[at - 1] > slot; at--)
        l->slots[at] = l->slots[at - 1];
    l->slots[at] = slot;
}

void run_list_clear(run_list *l)
{
    for (int k = 0; k < l->count; k++)
        l->has[l->slots[k]] = 0;
    l->count = 0;
}

static int slot_order(const void *p, const void *q)
{
    const int a = *(const int *)p, b = *(const int *)q;
    return (a > b) - (a < b);
}

void run_list_sort(run_list *l)
{
    if (l->count > 1)
        qsort(l->slots, (size_t)l->count, sizeof *l->slots, slot_order);
}

void run_watch_restored(mc_run *r)
{
    r->watch->made = false;
}

run_watch *run_watch_lists(mc_run *r)
{
    run_watch *w = r->watch;
    if (w->made)
        return w;
    w->made = true;
    run_list_clear(&w->changes);
    run_list_clear(&w->responds);
    run_list_clear(&w->yields);
    r->waiting = 0;
    for (int slot = 0; slot < r->count; slot++) {
        const unsigned flags = r->car[slot].flags;
        if (flags & RUN_CHANGES)
            run_list_add(&w->changes, slot);
        if (flags & RUN_RESPONDING)
            run_list_add(&w->responds, slot);
        if (flags & RUN_YIELDS)
            run_list_add(&w->yields, slot);
        r->waiting += flags & RUN_WAITS ? 1 : 0;
    }
    return w;
}
