// rewrite.c - goes back, changes the script, and goes forward again.
#include "studio/hub/rewrite.h"

#include "studio/hub/capture.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/log.h"
#include "studio/hub/mail.h"
#include "studio/hub/step.h"
#include "studio/hub/travel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether the entry would be taken at its time: tried on a run of its own.
static bool try_entry(hub *h, branch *b, const log_entry *e, mc_error *error)
{
    if (e->t > b->end + HISTORY_SAME) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%g s is after the end of the world, %g s",
                     e->t, b->end);
        return false;
    }
    bool again, good = travel_seek(b, e->t, NULL, &again, error);
    mc_run *run = good ? mc_timeline_branch(b->line, error) : NULL;
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
    travel_return(h, b);
    return good;
}

// Entries of the log behind those that the run kept, without `before` and with `after`, as the
// branch's script. False: no memory; *removed: whether `before` was among them.
static bool make_script(branch *b, const log_entry *before, const log_entry *after, bool *removed)
{
    log_entry *script = calloc((size_t)b->log_count + 2, sizeof *script);
    int n = 0;
    bool good = script, added = !after;
    *removed = !before;
    for (int k = mc_run_log_count(b->run); good && k < b->log_count; k++) {
        const log_entry *e = &b->log[k];
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
    log_entry *old = good ? b->script : script;
    const int old_count = good ? b->script_count : n;
    if (good)
        b->script = script, b->script_count = n, b->script_at = 0;
    log_entry_free_all(old, old_count);
    return good;
}

void rewrite_tell(hub *h, const branch *b, double from)
{
    json_t *out = json_object();
    json_put(out, "kind", json_string("rewritten"));
    json_put(out, "world", json_integer(b->number));
    json_put(out, "from", json_value(from));
    mail_broadcast(h, message_text(out), NULL);
}

// The branch stands at `from` now: what others know of it follows.
static void begin_again(hub *h, branch *b)
{
    const double t = mc_run_time(b->run);
    capture_forget(b, t);
    pthread_mutex_lock(&b->lock);
    b->end = t;
    b->state = BRANCH_RUNNING;
    b->message[0] = '\0';
    if (b->parent >= 0 && !(b->differs <= t)) {
        b->differs = NAN;
        b->same = true;
    }
    b->compared = fmin(b->compared, t);
    pthread_mutex_unlock(&b->lock);
    b->next_row = (floor(t / b->row + 1e-6) + 1.0) * b->row;
    b->happened_seen = mc_run_happened_count(b->run);
    mc_run_impacts(b->run, &b->impacts_seen);
    for (int k = 0; k < MAX_BRANCHES; k++) {
        branch *child = h->branches[k];
        if (child && child->parent == b->number && child->fork > t + HISTORY_SAME)
            child->orphan = true;
    }
    rewrite_tell(h, b, t);
    // Those of this instant that the run kept, as a branch keeps what was done before it.
    for (int k = 0; k < mc_run_log_count(b->run) && k < b->log_count; k++)
        if (b->log[k].t > t - HISTORY_SAME)
            event_note_entry(h, b, &b->log[k], NULL);
    step_give_script(h, b);
}

// It could not go back: it continues at its end when nothing was lost, else it has failed.
static void stay(hub *h, branch *b, int log_count, const mc_error *why)
{
    mc_error error = {0};
    if (mc_run_log_count(b->run) == log_count && mc_timeline_seek(b->line, b->end, &error) == MC_OK)
        return;
    pthread_mutex_lock(&b->lock);
    b->state = BRANCH_FAILED;
    snprintf(b->message, sizeof b->message, "%.250s", why->text);
    pthread_mutex_unlock(&b->lock);
    describe_tell(h, b);
}

bool rewrite_log(hub *h, branch *b, const log_entry *before, const log_entry *after,
                 mc_error *error)
{
    bool known = !before;
    for (int k = 0; k < b->log_count && !known; k++)
        known = log_entry_same(&b->log[k], before);
    const double from = fmin(before ? before->t : INFINITY, after ? after->t : INFINITY);
    if (!known) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "the entry is no longer in the log");
        return false;
    }
    if (b->parent >= 0 && from < b->fork - HISTORY_SAME) {
        mc_error_set(
            error, MC_BAD_INPUT, NULL, 0, 0,
            "at %g s this world is still world %d, from which it branched at %g s: change it there",
            from, b->parent, b->fork);
        return false;
    }
    if (from < b->start) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%g s is before the start, %g s", from,
                     b->start);
        return false;
    }
    if (after && !try_entry(h, b, after, error))
        return false;
    b->now_valid = false;
    const int log_count = mc_run_log_count(b->run);
    bool removed = false;
    if (mc_timeline_rewind(b->line, from, error) != MC_OK) {
        stay(h, b, log_count, error);
        return false;
    }
    if (!make_script(b, before, after, &removed) ||
        (!removed && !make_script(b, NULL, NULL, &(bool){false}))) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the log");
        stay(h, b, log_count, error);
        return false;
    }
    begin_again(h, b);
    if (!removed) { // it is simulated again as it was
        log_note(b, "");
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "the entry at %g s was carried out in world %d, before this one branched: "
                     "change it there",
                     from, b->parent);
    }
    return removed;
}
