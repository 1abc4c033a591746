// travel.c - seeking in slices.
#include "studio/hub/travel.h"

#include "studio/hub/branch_list.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"

#include <math.h>
#include <stdio.h>

#define SLICE_SEEK 0.02 // s of real time at a time, beside what it takes to get there and back

typedef struct slice {
    double began, until; // s of the clock
} slice;

// Steps for at least twice the time that it took to come to where they begin: with many cars, or
// with edits on the way, that is more than a slice.
static bool is_over(void *context)
{
    slice *s = context;
    const double now = hub_now();
    if (s->until == 0.0)
        s->until = now + fmax(SLICE_SEEK, 2.0 * (now - s->began));
    return now > s->until;
}

bool travel_seek(branch *b, double t, mc_timeline_way *way, bool *again, mc_error *error)
{
    b->now_valid = false;
    mc_error unused; // without it the way back is longer
    if (!b->live.data && mc_run_save(b->run, &b->live, &unused) != MC_OK)
        b->live = (mc_snapshot){0};
    slice time = {.began = hub_now()};
    bool there;
    const mc_status status = mc_timeline_seek_some(b->line, t, is_over, &time, way, &there, error);
    *again = status == MC_OK && !there;
    return status == MC_OK;
}

void travel_return(hub *h, branch *b)
{
    mc_error error = {0};
    b->now_valid = false;
    const bool back = b->live.data && mc_timeline_return(b->line, &b->live, &error) == MC_OK;
    if (b->live.data)
        mc_snapshot_free(&b->live);
    b->live = (mc_snapshot){0};
    if (back || mc_timeline_seek(b->line, b->end, &error) == MC_OK)
        return;
    pthread_mutex_lock(&b->lock);
    b->state = BRANCH_FAILED;
    snprintf(b->message, sizeof b->message, "%.250s", error.text);
    pthread_mutex_unlock(&b->lock);
    describe_tell(h, b);
}

branch *travel_holder(hub *h, branch *b, double t, mc_error *error)
{
    while (b && b->run && b->parent >= 0 && t < b->fork - HISTORY_SAME) {
        branch *parent = branch_list_find(h, b->parent);
        branch_drop(parent); // the hub holds it, and this thread alone takes branches out
        if (!parent || b->orphan) {
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                         "the state before %g s, where this world branched, is lost: the world it "
                         "came from was removed or changed",
                         b->fork);
            return NULL;
        }
        b = parent;
    }
    if (b->run)
        return b;
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "world %d is a recording: it has no state, only rows", b->number);
    return NULL;
}
