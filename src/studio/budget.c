// budget.c - how many worlds there may be, and how much memory they have together.
//
// Rows of a history can be thinned; key frames are needed to go back and are only counted. So when
// all together outgrow the budget the largest history gives, and when key frames alone do there
// is no further world.
#include "studio/parts.h"

#define CHECK_EVERY 0.5 // s of the clock

static size_t key_frames(const hub *h)
{
    size_t bytes = 0;
    for (int k = 0; k < h->slot_count; k++)
        if (h->worlds[k] && h->worlds[k]->line)
            bytes += mc_timeline_memory(h->worlds[k]->line);
    return bytes;
}

bool budget_room(const hub *h, mc_error *error)
{
    int count = 0;
    for (int k = 0; k < h->slot_count; k++)
        count += h->worlds[k] != NULL;
    if (count >= WORLDS_MOST) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "there are %d worlds already; remove one first", WORLDS_MOST);
        return false;
    }
    const size_t most = atomic_load(&h->memory_most), used = key_frames(h);
    if (used <= most)
        return true;
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                 "the key frames of %d worlds take %zu MB, all worlds may have %zu MB; remove one "
                 "first",
                 count, used >> 20, most >> 20);
    return false;
}

void budget_keep(hub *h)
{
    const double now = hub_now();
    if (now < h->budget_next)
        return;
    h->budget_next = now + CHECK_EVERY;
    size_t all = key_frames(h), greatest = 0;
    world *largest = NULL;
    for (int k = 0; k < h->slot_count; k++) {
        world *w = h->worlds[k];
        const size_t share = w ? history_share(&w->past) : 0;
        all += share;
        if (share > greatest) {
            greatest = share;
            largest = w;
        }
    }
    // One at a time: the copy takes some milliseconds. What is shared goes with its last owner. A
    // history keeps its part of the whole, whatever key frames take.
    const size_t most = atomic_load(&h->memory_most);
    if (all > most && greatest > most / WORLDS_MOST && history_thin(&largest->past))
        h->budget_next = now;
}
