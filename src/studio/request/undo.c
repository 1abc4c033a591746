// undo.c - undo and redo: walking on the list of what was changed.
#include "studio/request/requests.h"

#include "studio/hub/branch_list.h"
#include "studio/hub/change.h"
#include "studio/hub/describe.h"
#include "studio/hub/fork.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/log.h"
#include "studio/hub/rewrite.h"
#include "studio/hub/undo.h"

#include <stdio.h>

// Replaces an entry of a log by another; false: rejected.
static bool swap_entry(request *r, const undo_step *s, bool back)
{
    mc_error error = {0};
    branch *b = branch_list_find(r->h, s->branch);
    const log_entry *before = s->removed ? &s->before : NULL;
    const log_entry *after = s->added ? &s->after : NULL;
    if (!b) {
        request_reject(r, NULL, "world %d no longer exists", s->branch);
        return false;
    }
    const bool good = back ? rewrite_log(r->h, b, after, before, &error)
                           : rewrite_log(r->h, b, before, after, &error);
    if (good) {
        log_note(b, s->by);
        describe_changed(r->h, b);
    } else {
        request_reject_error(r, &error);
    }
    branch_drop(b);
    return good;
}

// The branch again, under its number.
static bool branch_again(request *r, const undo_step *s)
{
    mc_error error = {0};
    hub *h = r->h;
    branch *parent = branch_list_find(h, s->parent);
    if (!parent) {
        request_reject(r, NULL, "world %d, from which it branched, no longer exists", s->parent);
        return false;
    }
    branch *b =
        fork_branch(h, parent, s->at, s->name, s->added ? s->text : "", &r->way, &r->again, &error);
    branch_drop(parent);
    if (r->again)
        return false;
    if (b && s->added && log_give(b, &s->after, &error) != MC_OK) {
        branch_drop(b);
        b = NULL;
    }
    if (!b) {
        request_reject_error(r, &error);
        return false;
    }
    if (branch_list_add_as(h, b, s->branch) < 0) {
        request_reject(r, NULL, "there are already %d worlds; remove one first", MAX_BRANCHES);
        branch_drop(b);
        return false;
    }
    log_note(b, s->by);
    describe_changed(h, b);
    return true;
}

// A removed branch comes back as it was, under its number.
static bool bring_back(request *r, undo_step *s)
{
    if (branch_list_add_as(r->h, s->gone, s->branch) < 0) {
        request_reject(r, NULL, "there are already %d worlds; remove one first", MAX_BRANCHES);
        return false;
    }
    describe_changed(r->h, s->gone);
    s->gone = NULL; // the list holds it
    return true;
}

static bool remove_again(request *r, undo_step *s)
{
    branch *b = branch_list_find(r->h, s->branch);
    if (b && b->number != r->h->main_branch) {
        branch_list_set_aside(r->h, b);
        s->gone = b; // held by the list until now
    } else
        request_reject(r, NULL, "world %d is the main one now; make another one main first",
                       s->branch);
    branch_drop(b);
    return s->gone != NULL;
}

static bool remove_branch(request *r, const undo_step *s)
{
    branch *b = branch_list_find(r->h, s->branch);
    if (b && b->number == r->h->main_branch) {
        request_reject(r, NULL, "world %d is the main one now; make another one main first",
                       s->branch);
        branch_drop(b);
        return false;
    }
    if (b)
        branch_list_remove(r->h, b);
    branch_drop(b);
    return true;
}

static void answer(request *r, const undo_step *s, bool back)
{
    change c = {.at = s->at};
    branch *b = branch_list_find(r->h, s->branch);
    json_t *out = json_object();
    json_put(out, "world", json_integer(b ? s->branch : s->parent));
    json_put(out, "text", json_string(s->text));
    json_put(out, "by", json_string(s->by));
    json_put(out, "at", json_value(s->at));
    json_put(out, "undo", json_integer(r->h->undo_count));
    json_put(out, "redo", json_integer(r->h->redo_count));
    request_done(r, out);
    if (b) {
        char text[200];
        snprintf(text, sizeof text, "%s: %s", back ? "undone" : "done again", s->text);
        c.branch = b;
        change_tell(r, &c, text);
    }
    branch_drop(b);
}

static bool step_back(request *r, undo_step *s)
{
    return s->kind == UNDO_FORK   ? remove_branch(r, s)
           : s->kind == UNDO_GONE ? bring_back(r, s)
                                  : swap_entry(r, s, true);
}

static bool step_again(request *r, undo_step *s)
{
    return s->kind == UNDO_FORK   ? branch_again(r, s)
           : s->kind == UNDO_GONE ? remove_again(r, s)
                                  : swap_entry(r, s, false);
}

void request_undo(request *r)
{
    hub *h = r->h;
    if (h->undo_count == 0) {
        request_reject(r, NULL, "nothing to undo");
        return;
    }
    undo_step *s;
    do {
        s = &h->undo[h->undo_count - 1];
        if (!step_back(r, s))
            return;
        h->undo_count--;
        h->redo_count++;
    } while (h->undo_count && s->group && s[-1].group == s->group);
    answer(r, s, true);
}

void request_redo(request *r)
{
    hub *h = r->h;
    if (h->redo_count == 0) {
        request_reject(r, NULL, "nothing to redo");
        return;
    }
    undo_step *first = &h->undo[h->undo_count], *s;
    do {
        s = &h->undo[h->undo_count];
        if (!step_again(r, s))
            return;
        h->undo_count++;
        h->redo_count--;
    } while (h->redo_count && s->group && s[1].group == s->group);
    answer(r, first, false);
}
