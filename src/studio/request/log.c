// log.c - entries of a log removed, moved, changed.
#include "studio/request/requests.h"

#include "studio/hub/change.h"
#include "studio/hub/describe.h"
#include "studio/hub/log.h"
#include "studio/hub/rewrite.h"
#include "studio/hub/undo.h"
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The entry that is named, copied; false: rejected.
static bool named_entry(request *r, const branch *b, log_entry *out)
{
    double index;
    *out = (log_entry){0};
    if (!b->run) {
        request_reject(r, "world", "world %d is a recording: it has no log", b->number);
        return false;
    }
    if (!read_number(r, "index", 0, 1e9, NAN, &index))
        return false;
    if (index >= b->log_count || index != floor(index)) {
        request_reject(r, "index", "unknown entry %g of the log; it has %d, numbered from 0", index,
                       b->log_count);
        return false;
    }
    return log_entry_copy(out, &b->log[(int)index]);
}

// Takes the entries over. after: NULL: the entry goes.
static void rewrite(request *r, branch *b, log_entry *before, log_entry *after, const char *what)
{
    mc_error error = {0};
    if (!rewrite_log(r->h, b, before, after, &error)) {
        request_reject_error(r, &error);
        log_entry_free(before);
        if (after)
            log_entry_free(after);
        return;
    }
    undo_step step = {.kind = UNDO_LOG, .branch = b->number, .removed = true, .before = *before};
    step.added = after != NULL;
    if (after)
        step.after = *after;
    snprintf(step.text, sizeof step.text, "%s of %.60s %s", before->event, before->vehicle, what);
    page_name(r->page, step.by);
    change c = {.branch = b, .at = b->end};
    log_note(b, step.by);
    describe_changed(r->h, b);
    change_tell(r, &c, step.text);
    undo_push(r->h, &step);
    change_answer(r, &c);
}

void request_log_remove(request *r)
{
    branch *b;
    log_entry before;
    if (!read_branch(r, &b))
        return;
    if (named_entry(r, b, &before))
        rewrite(r, b, &before, NULL, "removed");
    branch_drop(b);
}

void request_log_move(request *r)
{
    branch *b;
    log_entry before, after;
    double t;
    if (!read_number(r, "t", 0, 1e9, NAN, &t) || !read_branch(r, &b))
        return;
    if (named_entry(r, b, &before)) {
        log_entry_copy(&after, &before);
        after.t = b->start + floor((t - b->start) / b->step + 0.5) * b->step;
        rewrite(r, b, &before, &after, "moved");
    }
    branch_drop(b);
}

void request_log_change(request *r)
{
    branch *b;
    log_entry before, after;
    double value;
    if (!read_number(r, "value", -1e300, 1e300, NAN, &value) || !read_branch(r, &b))
        return;
    if (named_entry(r, b, &before)) {
        log_entry_copy(&after, &before);
        after.value = value;
        if (strcmp(before.event, "edit") == 0 || strcmp(before.event, "drive") == 0) {
            request_reject(r, "index", "an entry \"%s\" has no number to change", before.event);
            log_entry_free(&before);
            log_entry_free(&after);
        } else {
            rewrite(r, b, &before, &after, "changed");
        }
    }
    branch_drop(b);
}
