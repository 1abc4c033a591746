// travel.c - back and forth in a world, branches, and logs written anew.
#include "studio/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- entries of logs ----

void log_entry_free(log_entry *e)
{
    free(e->param);
    e->param = NULL;
}

bool log_entry_copy(log_entry *to, const log_entry *from)
{
    *to = *from;
    to->param = strdup(from->param ? from->param : "");
    return to->param;
}

mc_status log_entry_give(world *w, const log_entry *e, mc_error *error)
{
    if (strcmp(e->event, "edit") == 0)
        return mc_timeline_edit(w->line, e->param, error);
    const mc_command command = {.event = e->event,
                                .vehicle = e->vehicle[0] ? e->vehicle : NULL,
                                .param = e->param && e->param[0] ? e->param : NULL,
                                .value = e->value,
                                .inputs = e->inputs};
    return mc_timeline_command(w->line, &command, error);
}

// Room for that many entries. Under the lock.
static bool log_room(world *w, int count)
{
    if (count <= w->log_room)
        return true;
    const int room = count + count / 2 + 16;
    log_entry *grown = realloc(w->log, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    w->log = grown;
    w->log_room = room;
    return true;
}

// Entry k of the log as others may know it: of the run, then of what is still to be given.
static bool entry_at(const world *w, int k, log_entry *out)
{
    const int count = mc_run_log_count(w->run);
    mc_log_entry e;
    if (k >= count) {
        *out = w->script[w->script_at + k - count];
        return true;
    }
    *out = (log_entry){0};
    if (!mc_run_log_at(w->run, k, &e))
        return false;
    out->t = e.time;
    snprintf(out->event, sizeof out->event, "%s", e.event);
    snprintf(out->vehicle, sizeof out->vehicle, "%s", e.vehicle);
    out->param = (char *)(uintptr_t)(e.param ? e.param : ""); // the run's: copied, never freed
    out->value = e.value;
    out->inputs = e.inputs;
    return true;
}

// Who wrote an entry, from the old entries in order of time; *at: where the last one was found.
static const char *author(const log_entry *old, int count, const log_entry *e, int *at,
                          const char *by)
{
    int first = *at < count ? *at : count;
    while (first > 0 && old[first - 1].t > e->t - HISTORY_SAME)
        first--;
    while (first < count && old[first].t < e->t - HISTORY_SAME)
        first++;
    if (*at < count && log_entry_same(&old[*at], e)) // mostly they are in the same order
        return old[(*at)++].by;
    for (int k = first; k < count && old[k].t < e->t + HISTORY_SAME; k++)
        if (log_entry_same(&old[k], e)) {
            *at = k + 1;
            return old[k].by;
        }
    return by;
}

// What is the same as before stays; who wrote an entry is carried over, `by` wrote what is new.
void world_note_log(world *w, const char *by)
{
    const int count = mc_run_log_count(w->run) + w->script_count - w->script_at;
    int same = 0, at = 0;
    log_entry e;
    while (same < count && same < w->log_count && entry_at(w, same, &e) &&
           log_entry_same(&w->log[same], &e))
        same++;
    log_entry *tail = calloc((size_t)(count - same) + 1, sizeof *tail);
    const log_entry *old = w->log ? w->log + same : NULL;
    const int old_count = w->log_count - same;
    int n = 0;
    for (int k = same; tail && k < count; k++) {
        if (!entry_at(w, k, &e) || !log_entry_copy(&tail[n], &e))
            continue;
        snprintf(tail[n].by, sizeof tail[n].by, "%s", author(old, old_count, &e, &at, by));
        n++;
    }
    pthread_mutex_lock(&w->lock);
    if (tail && log_room(w, same + n)) {
        for (int k = same; k < w->log_count; k++)
            log_entry_free(&w->log[k]);
        if (n > 0)
            memcpy(w->log + same, tail, (size_t)n * sizeof *tail);
        w->log_count = same + n;
        n = 0;
    }
    pthread_mutex_unlock(&w->lock);
    for (int k = 0; k < n; k++) // there was no room
        log_entry_free(&tail[k]);
    free(tail);
}

void world_append_log(world *w, const log_entry *e, const char *by)
{
    const int count = mc_run_log_count(w->run);
    if (w->script_at < w->script_count || (count != w->log_count && count != w->log_count + 1)) {
        world_note_log(w, by); // it comes before what is still to be given
        return;
    }
    pthread_mutex_lock(&w->lock);
    if (count > w->log_count && log_room(w, count) && log_entry_copy(&w->log[w->log_count], e))
        snprintf(w->log[w->log_count++].by, NAME_MOST, "%s", by);
    for (int k = count - 1; k >= 0; k--) // pedals of the same step: the newest count
        if (strcmp(w->log[k].event, e->event) == 0 && strcmp(w->log[k].vehicle, e->vehicle) == 0) {
            w->log[k].inputs = e->inputs;
            break;
        }
    pthread_mutex_unlock(&w->lock);
}

// ---- seeking ----

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

bool world_seek(hub *h, world *w, double t, mc_timeline_way *way, bool *again, mc_error *error)
{
    (void)h;
    w->now_valid = false;
    mc_error unused; // without it the way back is longer
    if (!w->live.data && mc_run_save(w->run, &w->live, &unused) != MC_OK)
        w->live = (mc_snapshot){0};
    slice time = {.began = hub_now()};
    bool there;
    const mc_status status = mc_timeline_seek_some(w->line, t, is_over, &time, way, &there, error);
    *again = status == MC_OK && !there;
    return status == MC_OK;
}

void world_return(hub *h, world *w)
{
    mc_error error = {0};
    w->now_valid = false;
    const bool back = w->live.data && mc_timeline_return(w->line, &w->live, &error) == MC_OK;
    if (w->live.data)
        mc_snapshot_free(&w->live);
    w->live = (mc_snapshot){0};
    if (back || mc_timeline_seek(w->line, w->end, &error) == MC_OK)
        return;
    pthread_mutex_lock(&w->lock);
    w->state = WORLD_FAILED;
    snprintf(w->message, sizeof w->message, "%.250s", error.text);
    pthread_mutex_unlock(&w->lock);
    world_tell(h, w);
}

world *world_at(hub *h, world *w, double t, mc_error *error)
{
    while (w && w->run && w->parent >= 0 && t < w->fork - HISTORY_SAME) {
        world *parent = hub_world(h, w->parent);
        world_drop(parent); // the hub holds it, and this thread alone takes worlds out
        if (!parent || w->orphan) {
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                         "the state before %g s, where this world branched off, is gone: the world "
                         "it came from was removed or changed",
                         w->fork);
            return NULL;
        }
        w = parent;
    }
    if (w->run)
        return w;
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "world %d is a recording: it has no state but its rows", w->number);
    return NULL;
}

bool visit_begin(request *r, world *w, double t, visit *out)
{
    mc_error error = {0};
    *out = (visit){.run = w->run, .at = w};
    if (isnan(t) || !(t < w->end - 0.5 * w->step))
        return true;
    out->at = world_at(r->h, w, fmax(t, w->start), &error);
    out->away = out->at;
    if (!out->at || !world_seek(r->h, out->at, fmax(t, w->start), &r->way, &r->again, &error))
        request_refuse_error(r, &error);
    else if (!r->again) {
        out->run = out->at->run;
        return true;
    }
    visit_end(r, out);
    return false;
}

void visit_end(request *r, visit *v)
{
    if (v->away)
        world_return(r->h, v->at);
    *v = (visit){0};
}

// ---- branches ----

static bool share_past(world *w, world *base, double t)
{
    if (!history_fork(&w->past, &base->past, t))
        return false;
    const size_t events = (size_t)base->event_count, impacts = (size_t)base->impact_count;
    w->events = malloc((events + 1) * sizeof *w->events);
    w->impacts = malloc((impacts + 1) * sizeof *w->impacts);
    w->contacts = malloc((impacts + 1) * sizeof *w->contacts);
    if (!w->events || !w->impacts || !w->contacts)
        return false;
    if (events)
        memcpy(w->events, base->events, events * sizeof *w->events);
    if (impacts) {
        memcpy(w->impacts, base->impacts, impacts * sizeof *w->impacts);
        memcpy(w->contacts, base->contacts, impacts * sizeof *w->contacts);
    }
    w->event_count = base->event_count, w->event_room = base->event_count + 1;
    w->impact_count = base->impact_count, w->impact_room = base->impact_count + 1;
    return true;
}

// Later commands of the world it comes from are given again at their times.
static bool share_log(world *w, const world *base, double t)
{
    w->log = calloc((size_t)base->log_count + 1, sizeof *w->log);
    w->script = calloc((size_t)base->log_count + 1, sizeof *w->script);
    if (!w->log || !w->script)
        return false;
    w->log_room = base->log_count + 1;
    for (int k = 0; k < base->log_count; k++) {
        if (!log_entry_copy(&w->log[w->log_count++], &base->log[k]))
            return false;
        w->log[k].step = 0; // a branch may have other steps
        if (base->log[k].t > t + HISTORY_SAME &&
            !log_entry_copy(&w->script[w->script_count++], &w->log[k]))
            return false;
    }
    return true;
}

static bool begin_branch(hub *h, world *w, world *base, double t, mc_error *error)
{
    w->parent = base->number;
    w->fork = w->compared = t;
    w->same = true;
    w->start = base->start;
    w->end = t;
    w->limit = mc_run_limit(w->run);
    w->step = mc_run_step_size(w->run);
    w->row = base->row;
    w->next_row = (floor(t / w->row + 1e-6) + 1.0) * w->row;
    w->happened_seen = mc_run_happened_count(w->run);
    mc_run_impacts(w->run, &w->impacts_seen);
    w->line = world_timeline(w->run, error);
    if (!w->line)
        return false;
    if (share_past(w, base, t) && share_log(w, base, t) && record_roster(h, w)) {
        record_take_memory(w, base);
        record_forget(w, t + 2 * HISTORY_SAME); // what was commanded at t is in its log
        return true;
    }
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
    return false;
}

world *world_branch(hub *h, world *from, double at, const char *name, const char *change,
                    mc_timeline_way *way, bool *again, mc_error *error)
{
    *again = false;
    world *base = budget_room(h, error) ? world_at(h, from, at, error) : NULL;
    if (!base)
        return NULL;
    world *w = world_create(h, name);
    if (!w) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a branch");
        return NULL;
    }
    snprintf(w->change, sizeof w->change, "%s", change);
    w->origin = base->origin ? strdup(base->origin) : NULL;
    bool good = world_seek(h, base, fmin(at, base->end), way, again, error) && !*again;
    const double t = mc_run_time(base->run);
    if (good)
        good = (w->run = mc_timeline_branch(base->line, error));
    world_return(h, base);
    if (good)
        good = begin_branch(h, w, base, t, error);
    if (good)
        return w;
    world_drop(w);
    return NULL;
}

// ---- same or not ----

void world_compare(hub *h, world *w)
{
    if (w->parent < 0 || !isnan(w->differs) || w->end - w->compared < w->row)
        return;
    world *parent = hub_world(h, w->parent);
    if (!parent)
        return;
    const double until = fmin(w->end, parent->end);
    history_view own, other;
    const bool good = history_look(&w->past, &own);
    if (good && history_look(&parent->past, &other)) {
        const int rows = history_view_rows(&own), others = history_view_rows(&other);
        int row = history_view_at(&own, w->compared + 2 * HISTORY_SAME);
        for (; row < rows && isnan(w->differs); row++) {
            const history_row a = history_view_row(&own, row);
            const int match = history_view_at(&other, a.t);
            if (a.t > until + HISTORY_SAME)
                break;
            w->compared = a.t;
            if (match >= others)
                break;
            const history_row b = history_view_row(&other, match);
            if (fabs(b.t - a.t) > HISTORY_SAME)
                continue;
            const size_t n = (size_t)a.who->count;
            const bool same = a.hash && b.hash ? a.hash == b.hash
                                               : a.who->count == b.who->count &&
                                                     memcmp(a.x, b.x, n * sizeof *a.x) == 0;
            if (same)
                continue;
            pthread_mutex_lock(&w->lock);
            w->differs = a.t;
            w->same = false;
            pthread_mutex_unlock(&w->lock);
            world_tell(h, w);
        }
        history_view_end(&other);
    }
    if (good)
        history_view_end(&own);
    world_drop(parent);
}
