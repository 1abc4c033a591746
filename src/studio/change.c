// change.c - a change at an instant: at the live end it happens at once, before it a branch does
// it.
#include "studio/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_MOST 5.0   // s of real time, until a world that is behind has come to the instant
#define WAIT_ONCE 0.025 // s, of that at a time: others are not held up

// A world that is still being simulated comes to the instant first. False: not yet, and the request
// is carried out again; or it was refused.
static bool wait_for(request *r, world *w, double at)
{
    if (at <= w->end || !world_behind(r->h, w))
        return true;
    const double to = fmin(at, r->h->live);
    if (world_run_to(r->h, w, to, hub_now() + WAIT_ONCE) || w->state != WORLD_RUNNING)
        return true;
    if (r->since == 0.0)
        r->since = hub_now();
    if (hub_now() - r->since < WAIT_MOST) {
        r->again = true;
        return false;
    }
    request_refuse(r, "at", "world %d is still being simulated: it is at %.2f of %.2f s", w->number,
                   w->end, to);
    return false;
}

bool change_begin_at(request *r, world *w, double at, const char *text, change *out)
{
    *out = (change){.world = w};
    if (!w->run) {
        request_refuse(r, "world", "world %d is a recording: it can be looked at, not changed",
                       w->number);
        return false;
    }
    if (w->state == WORLD_FAILED && !(at < w->end - w->step)) {
        request_refuse(r, "world", "world %d has failed: %s", w->number, w->message);
        return false;
    }
    const double live = isnan(at) ? r->h->live : at;
    if (!wait_for(r, w, live))
        return false;
    if (!(live < w->end - w->step * 1.001)) {
        out->at = w->end;
        return true;
    }
    mc_error error = {0};
    char name[NAME_MOST];
    snprintf(name, sizeof name, "Branch %d", r->h->world_number);
    out->world = world_branch(r->h, w, live, name, text, &r->way, &r->again, &error);
    if (!out->world) {
        if (!r->again)
            request_refuse_error(r, &error);
        return false;
    }
    out->branched = true;
    out->at = out->world->fork;
    return true;
}

bool change_begin(request *r, const char *text, change *out)
{
    double at;
    world *w;
    if (!request_optional(r, "at", -1e9, 1e9, &at) || !request_world(r, &w))
        return false;
    const bool good = change_begin_at(r, w, at, text, out);
    world_drop(w); // the hub holds it
    return good;
}

void change_abandon(change *c)
{
    if (c->branched)
        world_drop(c->world);
    *c = (change){0};
}

bool change_give(request *r, change *c, const log_entry *entry)
{
    mc_error error = {0};
    if (log_entry_give(c->world, entry, &error) == MC_OK)
        return true;
    request_refuse_error(r, &error);
    change_abandon(c);
    return false;
}

void change_tell(request *r, const change *c, const char *text)
{
    char by[NAME_MOST];
    page_name(r->page, by);
    json_t *out = json_object();
    json_put(out, "kind", json_string("changed"));
    json_put(out, "world", json_integer(c->world->number));
    json_put(out, "text", json_string(text));
    json_put(out, "by", json_string(by));
    json_put(out, "at", json_value(c->at));
    json_put(out, "branched", json_boolean(c->branched));
    hub_broadcast(r->h, message_text(out), r->page);
}

// Notes a command for undo and as an event; the first one of a branch made the branch.
static void note_step(request *r, const change *c, const log_entry *entry, const char *text,
                      bool branch, int group)
{
    world *w = c->world;
    undo_step step = {.world = w->number, .parent = w->parent, .at = c->at, .group = group};
    step.kind = branch ? STEP_BRANCH : STEP_LOG;
    snprintf(step.name, sizeof step.name, "%s", w->name);
    snprintf(step.text, sizeof step.text, "%s", text);
    page_name(r->page, step.by);
    step.added = entry && log_entry_copy(&step.after, entry);
    step.after.t = c->at;
    if (branch || step.added)
        undo_push(r->h, &step);
    world_note_log(w, step.by);
    if (step.added)
        world_note_entry(r->h, w, &step.after, text);
}

bool change_end_all(request *r, change *c, const log_entry *entries, int count, const char *text)
{
    hub *h = r->h;
    if (c->branched && world_install(h, c->world) < 0) {
        request_refuse(r, NULL, "there are %d worlds already; remove one first", WORLDS_MOST);
        change_abandon(c);
        return false;
    }
    const int group = count > 1 ? ++h->undo_group : 0;
    note_step(r, c, count ? &entries[0] : NULL, text, c->branched, group);
    for (int k = 1; k < count; k++)
        note_step(r, c, &entries[k], text, false, group);
    world_changed(h, c->world);
    change_tell(r, c, text);
    return true;
}

bool change_end(request *r, change *c, const log_entry *entry, const char *text)
{
    return change_end_all(r, c, entry, entry ? 1 : 0, text);
}

void change_answer(request *r, const change *c)
{
    json_t *out = json_object();
    json_put(out, "world", json_integer(c->world->number));
    json_put(out, "at", json_value(c->at));
    int log = -1;
    for (int k = 0; k < c->world->log_count; k++)
        if (fabs(c->world->log[k].t - c->at) < HISTORY_SAME)
            log = k;
    json_put(out, "log", json_integer(log));
    json_put(out, "branched", json_boolean(c->branched));
    if (c->vehicle)
        json_put(out, "vehicle", json_string(c->vehicle));
    if (c->note)
        json_put(out, "text", json_string(c->note));
    request_done(r, out);
}
