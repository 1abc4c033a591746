// undo.c - what was changed, taken back and done again: of all pages, last first.
#include "studio/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_step(undo_step *s)
{
    log_entry_free(&s->before);
    log_entry_free(&s->after);
}

void undo_push(hub *h, const undo_step *step) // takes what it points to
{
    for (int k = 0; k < h->redo_count; k++)
        free_step(&h->undo[h->undo_count + k]);
    h->redo_count = 0;
    if (h->undo_count == UNDO_MOST) {
        free_step(&h->undo[0]);
        memmove(h->undo, h->undo + 1, (UNDO_MOST - 1) * sizeof *h->undo);
        h->undo_count--;
    }
    if (!h->undo && !(h->undo = calloc(UNDO_MOST, sizeof *h->undo)))
        return;
    h->undo[h->undo_count++] = *step;
}

void undo_clear(hub *h)
{
    for (int k = 0; k < h->undo_count + h->redo_count; k++)
        free_step(&h->undo[k]);
    free(h->undo);
    h->undo = NULL;
    h->undo_count = h->redo_count = 0;
}

// ---- walking ----

// One entry for another in a log; false: refused.
static bool swap_entry(request *r, const undo_step *s, bool back)
{
    mc_error error = {0};
    world *w = hub_world(r->h, s->world);
    const log_entry *before = s->removed ? &s->before : NULL;
    const log_entry *after = s->added ? &s->after : NULL;
    if (!w) {
        request_refuse(r, NULL, "world %d is gone", s->world);
        return false;
    }
    const bool good = back ? world_rewrite(r->h, w, after, before, &error)
                           : world_rewrite(r->h, w, before, after, &error);
    if (good) {
        world_note_log(w, s->by);
        world_changed(r->h, w);
    } else {
        request_refuse_error(r, &error);
    }
    world_drop(w);
    return good;
}

// The branch again, under its number.
static bool branch_again(request *r, const undo_step *s)
{
    mc_error error = {0};
    hub *h = r->h;
    world *parent = hub_world(h, s->parent);
    if (!parent) {
        request_refuse(r, NULL, "world %d, from which it branched off, is gone", s->parent);
        return false;
    }
    world *w = world_branch(h, parent, s->at, s->name, s->added ? s->text : "", &r->way, &r->again,
                            &error);
    world_drop(parent);
    if (r->again)
        return false;
    if (w && s->added && log_entry_give(w, &s->after, &error) != MC_OK) {
        world_drop(w);
        w = NULL;
    }
    if (!w) {
        request_refuse_error(r, &error);
        return false;
    }
    if (world_install_as(h, w, s->world) < 0) {
        request_refuse(r, NULL, "there are %d worlds already; remove one first", WORLDS_MOST);
        world_drop(w);
        return false;
    }
    world_note_log(w, s->by);
    world_changed(h, w);
    return true;
}

static bool remove_branch(request *r, const undo_step *s)
{
    world *w = hub_world(r->h, s->world);
    if (w && w->number == r->h->main_world) {
        request_refuse(r, NULL, "world %d is the main one now; make another one main first",
                       s->world);
        world_drop(w);
        return false;
    }
    if (w)
        world_remove(r->h, w);
    world_drop(w);
    return true;
}

static void answer(request *r, const undo_step *s, bool back)
{
    change c = {.at = s->at};
    world *w = hub_world(r->h, s->world);
    json_t *out = json_object();
    json_put(out, "world", json_integer(w ? s->world : s->parent));
    json_put(out, "text", json_string(s->text));
    json_put(out, "by", json_string(s->by));
    json_put(out, "at", json_value(s->at));
    json_put(out, "undo", json_integer(r->h->undo_count));
    json_put(out, "redo", json_integer(r->h->redo_count));
    request_done(r, out);
    if (w) {
        char text[200];
        snprintf(text, sizeof text, "%s: %s", back ? "undone" : "done again", s->text);
        c.world = w;
        change_tell(r, &c, text);
    }
    world_drop(w);
}

void request_undo(request *r)
{
    hub *h = r->h;
    if (h->undo_count == 0) {
        request_refuse(r, NULL, "there is nothing to undo");
        return;
    }
    const undo_step *s;
    do {
        s = &h->undo[h->undo_count - 1];
        if (s->kind == STEP_BRANCH ? !remove_branch(r, s) : !swap_entry(r, s, true))
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
        request_refuse(r, NULL, "there is nothing to do again");
        return;
    }
    const undo_step *first = &h->undo[h->undo_count], *s;
    do {
        s = &h->undo[h->undo_count];
        if (s->kind == STEP_BRANCH ? !branch_again(r, s) : !swap_entry(r, s, false))
            return;
        h->undo_count++;
        h->redo_count--;
    } while (h->redo_count && s->group && s[1].group == s->group);
    answer(r, first, false);
}
