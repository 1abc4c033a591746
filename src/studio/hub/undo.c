// undo.c - the list of what was changed.
#include "studio/hub/undo.h"

#include "studio/history/history.h"
#include "studio/hub/inside.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_UNDO = 256, MAX_GONE = 8 };

static void free_step(undo_step *s)
{
    if (s->gone) {
        branch_end_run(s->gone);
        branch_drop(s->gone);
    }
    log_entry_free(&s->before);
    log_entry_free(&s->after);
}

// A step that needs a branch which no longer exists could never be undone, and would bar the way
// to those before it.
void undo_forget(hub *h, int number)
{
    int kept = 0, undo = 0;
    for (int k = 0; k < h->undo_count + h->redo_count; k++) {
        if (h->undo[k].branch == number) {
            free_step(&h->undo[k]);
            continue;
        }
        undo += k < h->undo_count;
        h->undo[kept++] = h->undo[k];
    }
    h->redo_count = kept - undo;
    h->undo_count = undo;
}

bool undo_forget_oldest(hub *h)
{
    for (int k = 0; k < h->undo_count + h->redo_count; k++)
        if (h->undo[k].gone) {
            undo_forget(h, h->undo[k].branch);
            return true;
        }
    return false;
}

size_t undo_memory(const hub *h)
{
    size_t bytes = 0;
    for (int k = 0; k < h->undo_count + h->redo_count; k++) {
        branch *b = h->undo[k].gone;
        if (b)
            bytes += history_share(&b->past) + history_share(&b->instants) +
                     (b->line ? mc_timeline_memory(b->line) : 0);
    }
    return bytes;
}

static int gone_count(const hub *h)
{
    int count = 0;
    for (int k = 0; k < h->undo_count; k++)
        count += h->undo[k].gone != NULL;
    return count;
}

void undo_push(hub *h, const undo_step *step) // takes what it points to
{
    for (int k = 0; k < h->redo_count; k++)
        free_step(&h->undo[h->undo_count + k]);
    h->redo_count = 0;
    if (h->undo_count == MAX_UNDO) {
        free_step(&h->undo[0]);
        memmove(h->undo, h->undo + 1, (MAX_UNDO - 1) * sizeof *h->undo);
        h->undo_count--;
    }
    if (!h->undo && !(h->undo = calloc(MAX_UNDO, sizeof *h->undo)))
        return;
    h->undo[h->undo_count++] = *step;
    if (gone_count(h) > MAX_GONE)
        undo_forget_oldest(h);
}

void undo_clear(hub *h)
{
    for (int k = 0; k < h->undo_count + h->redo_count; k++)
        free_step(&h->undo[k]);
    free(h->undo);
    h->undo = NULL;
    h->undo_count = h->redo_count = 0;
}
