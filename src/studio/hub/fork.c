// fork.c - a branch shares the past of its parent.
#include "studio/hub/fork.h"

#include "studio/hub/branch_list.h"
#include "studio/hub/budget.h"
#include "studio/hub/capture.h"
#include "studio/hub/describe.h"
#include "studio/hub/travel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool share_past(branch *b, branch *base, double t)
{
    if (!history_fork(&b->past, &base->past, t) || !history_fork(&b->instants, &base->instants, t))
        return false;
    const size_t events = (size_t)base->event_count, impacts = (size_t)base->impact_count;
    b->events = malloc((events + 1) * sizeof *b->events);
    b->impacts = malloc((impacts + 1) * sizeof *b->impacts);
    b->contacts = malloc((impacts + 1) * sizeof *b->contacts);
    if (!b->events || !b->impacts || !b->contacts)
        return false;
    if (events)
        memcpy(b->events, base->events, events * sizeof *b->events);
    if (impacts) {
        memcpy(b->impacts, base->impacts, impacts * sizeof *b->impacts);
        memcpy(b->contacts, base->contacts, impacts * sizeof *b->contacts);
    }
    b->event_count = base->event_count, b->event_room = base->event_count + 1;
    b->impact_count = base->impact_count, b->impact_room = base->impact_count + 1;
    return true;
}

// Later commands of the branch it comes from are given again at their times.
static bool share_log(branch *b, const branch *base, double t)
{
    b->log = calloc((size_t)base->log_count + 1, sizeof *b->log);
    b->script = calloc((size_t)base->log_count + 1, sizeof *b->script);
    if (!b->log || !b->script)
        return false;
    b->log_room = base->log_count + 1;
    for (int k = 0; k < base->log_count; k++) {
        if (!log_entry_copy(&b->log[b->log_count++], &base->log[k]))
            return false;
        b->log[k].step = 0; // a branch may have other steps
        if (base->log[k].t > t + HISTORY_SAME &&
            !log_entry_copy(&b->script[b->script_count++], &b->log[k]))
            return false;
    }
    return true;
}

static bool begin_branch(hub *h, branch *b, branch *base, double t, mc_error *error)
{
    b->parent = base->number;
    b->fork = b->compared = t;
    b->same = true;
    b->start = base->start;
    b->end = b->packed_to = t;
    b->limit = mc_run_limit(b->run);
    b->step = mc_run_step_size(b->run);
    b->row = base->row;
    b->has_ramps = base->has_ramps;
    b->has_estimators = base->has_estimators;
    b->has_ersc = base->has_ersc;
    b->next_row = (floor(t / b->row + 1e-6) + 1.0) * b->row;
    b->happened_seen = mc_run_happened_count(b->run);
    mc_run_impacts(b->run, &b->impacts_seen);
    b->line = branch_timeline(b->run, error);
    if (!b->line)
        return false;
    if (share_past(b, base, t) && share_log(b, base, t) && capture_roster(h, b)) {
        capture_take_memory(b, base);
        capture_forget(b, t + 2 * HISTORY_SAME); // what was commanded at t is in its log
        return true;
    }
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
    return false;
}

branch *fork_branch(hub *h, branch *from, double at, const char *name, const char *change,
                    mc_timeline_way *way, bool *again, mc_error *error)
{
    *again = false;
    branch *base = budget_room(h, error) ? travel_holder(h, from, at, error) : NULL;
    if (!base)
        return NULL;
    branch *b = branch_create(name);
    if (!b) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
        return NULL;
    }
    snprintf(b->change, sizeof b->change, "%s", change);
    bool good = travel_seek(base, fmin(at, base->end), way, again, error) && !*again;
    const double t = mc_run_time(base->run);
    if (good)
        good = (b->run = mc_timeline_branch(base->line, error));
    travel_return(h, base);
    if (good)
        good = begin_branch(h, b, base, t, error);
    if (good)
        return b;
    branch_drop(b);
    return NULL;
}

void fork_compare(hub *h, branch *b)
{
    if (b->parent < 0 || !isnan(b->differs) || b->end - b->compared < b->row)
        return;
    branch *parent = branch_list_find(h, b->parent);
    if (!parent)
        return;
    const double until = fmin(b->end, parent->end);
    history_view own, other;
    const bool good = history_look(&b->past, &own);
    if (good && history_look(&parent->past, &other)) {
        const int rows = history_view_rows(&own), others = history_view_rows(&other);
        int row = history_view_at(&own, b->compared + 2 * HISTORY_SAME);
        for (; row < rows && isnan(b->differs); row++) {
            const history_row mine = history_view_row(&own, row);
            const int match = history_view_at(&other, mine.t);
            if (mine.t > until + HISTORY_SAME)
                break;
            b->compared = mine.t;
            if (match >= others)
                break;
            const history_row its = history_view_row(&other, match);
            if (fabs(its.t - mine.t) > HISTORY_SAME)
                continue;
            const size_t n = (size_t)mine.who->count;
            const bool same = mine.hash && its.hash ? mine.hash == its.hash
                                                    : mine.who->count == its.who->count &&
                                                          memcmp(mine.middle, its.middle,
                                                                 n * sizeof *mine.middle) == 0;
            if (same)
                continue;
            pthread_mutex_lock(&b->lock);
            b->differs = mine.t;
            b->same = false;
            pthread_mutex_unlock(&b->lock);
            describe_tell(h, b);
        }
        history_view_end(&other);
    }
    if (good)
        history_view_end(&own);
    branch_drop(parent);
}
