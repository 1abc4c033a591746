// budget.c - memory counted and released.
//
// Rows of a history can be thinned; key frames are needed to go back and are only counted. So when
// all together outgrow the budget the largest history is thinned, and when key frames alone do, no
// further branch can be made.
#include "studio/hub/budget.h"

#include "studio/hub/branch.h"
#include "studio/history/history.h"
#include "studio/hub/inside.h"

#define CHECK_EVERY 0.5 // s of the clock

static size_t key_frames(const hub *h)
{
    size_t bytes = 0;
    for (int k = 0; k < h->slot_count; k++)
        if (h->branches[k] && h->branches[k]->line)
            bytes += mc_timeline_memory(h->branches[k]->line);
    return bytes;
}

bool budget_room(const hub *h, mc_error *error)
{
    int count = 0;
    for (int k = 0; k < h->slot_count; k++)
        count += h->branches[k] != NULL;
    if (count >= MAX_BRANCHES) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "there are already %d worlds; remove one first", MAX_BRANCHES);
        return false;
    }
    const size_t limit = atomic_load(&h->max_memory), used = key_frames(h);
    if (used <= limit)
        return true;
    mc_error_set(
        error, MC_NO_MEMORY, NULL, 0, 0,
        "the key frames of %d worlds take %zu MB, expected at most %zu MB; remove one first", count,
        used >> 20, limit >> 20);
    return false;
}

void budget_keep(hub *h)
{
    const double now = hub_now();
    if (now < h->budget_next)
        return;
    h->budget_next = now + CHECK_EVERY;
    size_t all = key_frames(h) + undo_memory(h), greatest = 0;
    branch *largest = NULL;
    for (int k = 0; k < h->slot_count; k++) {
        branch *b = h->branches[k];
        const size_t share = b ? history_share(&b->past) + history_share(&b->instants) : 0;
        all += share;
        if (share > greatest) {
            greatest = share;
            largest = b;
        }
    }
    // One at a time: the copy takes some milliseconds. What is shared goes with its last owner. A
    // history keeps its part of the whole, whatever key frames take.
    const size_t limit = atomic_load(&h->max_memory);
    if (all > limit && undo_forget_oldest(h)) // what was removed is thinned before what is seen
        return;
    if (all > limit && greatest > limit / MAX_BRANCHES && history_thin(&largest->past))
        h->budget_next = now;
}
