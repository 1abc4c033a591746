// rewrite.c - the log of a world written anew: an entry taken out, put in, or changed for another.
//
// The world goes back to the instant before the change, forgets what came after, and is simulated
// again like any world that is behind; the later commands are given again at their times.
#include "studio/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool log_entry_same(const log_entry *a, const log_entry *b)
{
    return fabs(a->t - b->t) < HISTORY_SAME && strcmp(a->event, b->event) == 0 &&
           strcmp(a->vehicle, b->vehicle) == 0 && strcmp(a->param, b->param) == 0 &&
           same_number(a->value, b->value) && same_number(a->inputs.throttle, b->inputs.throttle) &&
           a->inputs.brake == b->inputs.brake && a->inputs.steer == b->inputs.steer &&
           a->inputs.acceleration == b->inputs.acceleration;
}

// Whether the entry would be taken at its time: tried on a run of its own.
static bool try_entry(hub *h, world *w, const log_entry *e, mc_error *error)
{
    if (e->t > w->end + HISTORY_SAME) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%g s is behind the end of the world, %g s",
                     e->t, w->end);
        return false;
    }
    bool again, good = world_seek(h, w, e->t, NULL, &again, error);
    mc_run *run = good ? mc_timeline_branch(w->line, error) : NULL;
    good = run;
    if (run && strcmp(e->event, "edit") == 0)
        good = mc_run_edit(run, e->param, error) == MC_OK;
    else if (run)
        good = mc_run_command(run,
                              &(mc_command){.event = e->event,
                                            .vehicle = e->vehicle[0] ? e->vehicle : NULL,
                                            .param = e->param[0] ? e->param : NULL,
                                            .value = e->value,
                                            .inputs = e->inputs},
                              error) == MC_OK;
    mc_run_destroy(run);
    world_return(h, w);
    return good;
}

// Entries of the log behind those that the run kept, without `before` and with `after`, as the
// world's script. False: no memory; *removed: whether `before` was among them.
static bool make_script(world *w, const log_entry *before, const log_entry *after, bool *removed)
{
    log_entry *script = calloc((size_t)w->log_count + 2, sizeof *script);
    int n = 0;
    bool good = script, added = !after;
    *removed = !before;
    for (int k = mc_run_log_count(w->run); good && k < w->log_count; k++) {
        const log_entry *e = &w->log[k];
        if (!*removed && log_entry_same(e, before)) {
            *removed = true;
            continue;
        }
        if (!added && after->t < e->t - HISTORY_SAME) {
            good = log_entry_copy(&script[n++], after);
            added = true;
        }
        good = good && log_entry_copy(&script[n++], e);
    }
    if (good && !added)
        good = log_entry_copy(&script[n++], after);
    for (int k = 0; k < n; k++)
        script[k].step = 0; // steps may be others now
    log_entry *old = good ? w->script : script;
    const int old_count = good ? w->script_count : n;
    if (good)
        w->script = script, w->script_count = n, w->script_at = 0;
    for (int k = 0; k < old_count; k++)
        log_entry_free(&old[k]);
    free(old);
    return good;
}

void world_tell_rewritten(hub *h, const world *w, double from)
{
    json_t *out = json_object();
    json_put(out, "kind", json_string("rewritten"));
    json_put(out, "world", json_integer(w->number));
    json_put(out, "from", json_value(from));
    hub_broadcast(h, message_text(out), NULL);
}

// The world stands at `from` now: what others know of it follows.
static void begin_again(hub *h, world *w)
{
    const double t = mc_run_time(w->run);
    record_forget(w, t);
    pthread_mutex_lock(&w->lock);
    w->end = t;
    w->state = WORLD_RUNNING;
    w->message[0] = '\0';
    if (w->parent >= 0 && !(w->differs <= t)) {
        w->differs = NAN;
        w->same = true;
    }
    w->compared = fmin(w->compared, t);
    pthread_mutex_unlock(&w->lock);
    w->next_row = (floor(t / w->row + 1e-6) + 1.0) * w->row;
    w->happened_seen = mc_run_happened_count(w->run);
    mc_run_impacts(w->run, &w->impacts_seen);
    for (int k = 0; k < WORLDS_MOST; k++) {
        world *child = h->worlds[k];
        if (child && child->parent == w->number && child->fork > t + HISTORY_SAME)
            child->orphan = true;
    }
    world_tell_rewritten(h, w, t);
    // Those of this instant that the run kept, as a branch keeps what was done before it.
    for (int k = 0; k < mc_run_log_count(w->run) && k < w->log_count; k++)
        if (w->log[k].t > t - HISTORY_SAME)
            world_note_entry(h, w, &w->log[k], NULL);
    world_give_script(h, w);
}

// It could not go back: it goes on at its end when nothing was lost, else it has failed.
static void stay(hub *h, world *w, int log_count, const mc_error *why)
{
    mc_error error = {0};
    if (mc_run_log_count(w->run) == log_count && mc_timeline_seek(w->line, w->end, &error) == MC_OK)
        return;
    pthread_mutex_lock(&w->lock);
    w->state = WORLD_FAILED;
    snprintf(w->message, sizeof w->message, "%.250s", why->text);
    pthread_mutex_unlock(&w->lock);
    world_tell(h, w);
}

bool world_rewrite(hub *h, world *w, const log_entry *before, const log_entry *after,
                   mc_error *error)
{
    bool known = !before;
    for (int k = 0; k < w->log_count && !known; k++)
        known = log_entry_same(&w->log[k], before);
    const double from = fmin(before ? before->t : INFINITY, after ? after->t : INFINITY);
    if (!known) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the entry is no longer in the log");
        return false;
    }
    if (w->parent >= 0 && from < w->fork - HISTORY_SAME) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "at %g s this world is still world %d, from which it branched off at %g s: "
                     "change it there",
                     from, w->parent, w->fork);
        return false;
    }
    if (from < w->start) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%g s is before the start, %g s", from,
                     w->start);
        return false;
    }
    if (after && !try_entry(h, w, after, error))
        return false;
    w->now_valid = false;
    const int log_count = mc_run_log_count(w->run);
    bool removed = false;
    if (mc_timeline_rewind(w->line, from, error) != MC_OK) {
        stay(h, w, log_count, error);
        return false;
    }
    if (!make_script(w, before, after, &removed) ||
        (!removed && !make_script(w, NULL, NULL, &(bool){false}))) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
        stay(h, w, log_count, error);
        return false;
    }
    begin_again(h, w);
    if (!removed) { // it is simulated again as it was
        world_note_log(w, "");
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "the entry at %g s was carried out in world %d, before this one branched off: "
                     "change it there",
                     from, w->parent);
    }
    return removed;
}
