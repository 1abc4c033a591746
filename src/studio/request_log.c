// request_log.c - entries of a log removed, moved, changed.
#include "studio/changes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The entry that is named, copied; false: refused.
static bool named_entry(request *r, const world *w, log_entry *out)
{
    double index;
    *out = (log_entry){0};
    if (!w->run) {
        request_refuse(r, "world", "world %d is a recording: it has no log", w->number);
        return false;
    }
    if (!request_number(r, "index", 0, 1e9, NAN, &index))
        return false;
    if (index >= w->log_count || index != floor(index)) {
        request_refuse(r, "index", "there is no entry %g in the log; it has %d, counted from 0",
                       index, w->log_count);
        return false;
    }
    return log_entry_copy(out, &w->log[(int)index]);
}

// Takes the entries over. after: NULL: the entry goes.
static void rewrite(request *r, world *w, log_entry *before, log_entry *after, const char *what)
{
    mc_error error = {0};
    if (!world_rewrite(r->h, w, before, after, &error)) {
        request_refuse_error(r, &error);
        log_entry_free(before);
        if (after)
            log_entry_free(after);
        return;
    }
    undo_step step = {.kind = STEP_LOG, .world = w->number, .removed = true, .before = *before};
    step.added = after != NULL;
    if (after)
        step.after = *after;
    snprintf(step.text, sizeof step.text, "%s of %.60s %s", before->event, before->vehicle, what);
    page_name(r->page, step.by);
    change c = {.world = w, .at = w->end};
    world_note_log(w, step.by);
    world_changed(r->h, w);
    change_tell(r, &c, step.text);
    undo_push(r->h, &step);
    change_answer(r, &c);
}

void request_log_remove(request *r)
{
    world *w;
    log_entry before;
    if (!request_world(r, &w))
        return;
    if (named_entry(r, w, &before))
        rewrite(r, w, &before, NULL, "removed");
    world_drop(w);
}

void request_log_move(request *r)
{
    world *w;
    log_entry before, after;
    double t;
    if (!request_number(r, "t", 0, 1e9, NAN, &t) || !request_world(r, &w))
        return;
    if (named_entry(r, w, &before)) {
        log_entry_copy(&after, &before);
        after.t = w->start + floor((t - w->start) / w->step + 0.5) * w->step;
        rewrite(r, w, &before, &after, "moved");
    }
    world_drop(w);
}

void request_log_change(request *r)
{
    world *w;
    log_entry before, after;
    double value;
    if (!request_number(r, "value", -1e300, 1e300, NAN, &value) || !request_world(r, &w))
        return;
    if (named_entry(r, w, &before)) {
        log_entry_copy(&after, &before);
        after.value = value;
        if (strcmp(before.event, "edit") == 0 || strcmp(before.event, "drive") == 0) {
            request_refuse(r, "index", "an entry \"%s\" has no number to change", before.event);
            log_entry_free(&before);
            log_entry_free(&after);
        } else {
            rewrite(r, w, &before, &after, "changed");
        }
    }
    world_drop(w);
}
