// change.c - at the live end at once, before it by a branch.
#include "studio/hub/change.h"

#include "studio/hub/branch_list.h"
#include "studio/hub/describe.h"
#include "studio/hub/fork.h"
#include "studio/hub/inside.h"
#include "studio/hub/json.h"
#include "studio/hub/log.h"
#include "studio/hub/mail.h"
#include "studio/hub/step.h"
#include "studio/hub/undo.h"

#include <math.h>
#include <stdio.h>

#define WAIT_MAX 5.0    // s of real time, until a branch that is behind has come to the instant
#define WAIT_ONCE 0.025 // s, of that at a time: others are not held up

bool change_wait(request *r, branch *b, double at)
{
    if (at <= b->end || !step_is_behind(r->h, b))
        return true;
    const double to = fmin(at, r->h->live);
    if (step_to(r->h, b, to, hub_now() + WAIT_ONCE) || b->state != BRANCH_RUNNING)
        return true;
    if (r->since == 0.0)
        r->since = hub_now();
    if (hub_now() - r->since < WAIT_MAX) {
        r->again = true;
        return false;
    }
    request_reject(r, "at", "world %d is still being simulated: it is at %.2f of %.2f s", b->number,
                   b->end, to);
    return false;
}

bool change_begin(request *r, branch *b, double at, const char *text, change *out)
{
    *out = (change){.branch = b};
    if (!b->run) {
        request_reject(r, "world", "world %d is a recording: it cannot be changed", b->number);
        return false;
    }
    if (b->state == BRANCH_FAILED && !(at < b->end - b->step)) {
        request_reject(r, "world", "world %d has failed: %s", b->number, b->message);
        return false;
    }
    const double live = isnan(at) ? r->h->live : at;
    if (!change_wait(r, b, live))
        return false;
    if (!(live < b->end - b->step * 1.001)) {
        out->at = b->end;
        return true;
    }
    mc_error error = {0};
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "Branch %d", r->h->branch_number);
    out->branch = fork_branch(r->h, b, live, name, text, &r->way, &r->again, &error);
    if (!out->branch) {
        if (!r->again)
            request_reject_error(r, &error);
        return false;
    }
    out->branched = true;
    out->at = out->branch->fork;
    return true;
}

void change_abandon(change *c)
{
    if (c->branched)
        branch_drop(c->branch);
    *c = (change){0};
}

bool change_give(request *r, change *c, const log_entry *entry)
{
    mc_error error = {0};
    if (log_give(c->branch, entry, &error) == MC_OK)
        return true;
    request_reject_error(r, &error);
    change_abandon(c);
    return false;
}

void change_tell(request *r, const change *c, const char *text)
{
    char by[NAME_SIZE];
    page_name(r->page, by);
    json_t *out = json_object();
    json_put(out, "kind", json_string("changed"));
    json_put(out, "world", json_integer(c->branch->number));
    json_put(out, "text", json_string(text));
    json_put(out, "by", json_string(by));
    json_put(out, "at", json_value(c->at));
    json_put(out, "branched", json_boolean(c->branched));
    mail_broadcast(r->h, message_text(out), r->page);
}

// Notes a command for undo and as an event; the first one of a branch made the branch.
static void note_step(request *r, const change *c, const log_entry *entry, const char *text,
                      bool forked, int group)
{
    branch *b = c->branch;
    undo_step step = {.branch = b->number, .parent = b->parent, .at = c->at, .group = group};
    step.kind = forked ? UNDO_FORK : UNDO_LOG;
    snprintf(step.name, sizeof step.name, "%s", b->name);
    snprintf(step.text, sizeof step.text, "%s", text);
    page_name(r->page, step.by);
    step.added = entry && log_entry_copy(&step.after, entry);
    step.after.t = c->at;
    if (forked || step.added)
        undo_push(r->h, &step);
    log_note(b, step.by);
    if (step.added)
        event_note_entry(r->h, b, &step.after, text);
}

bool change_end_all(request *r, change *c, const log_entry *entries, int count, const char *text)
{
    hub *h = r->h;
    if (c->branched && branch_list_add(h, c->branch) < 0) {
        request_reject(r, NULL, "there are already %d worlds; remove one first", MAX_BRANCHES);
        change_abandon(c);
        return false;
    }
    const int group = count > 1 ? ++h->undo_group : 0;
    note_step(r, c, count ? &entries[0] : NULL, text, c->branched, group);
    for (int k = 1; k < count; k++)
        note_step(r, c, &entries[k], text, false, group);
    describe_changed(h, c->branch);
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
    json_put(out, "world", json_integer(c->branch->number));
    json_put(out, "at", json_value(c->at));
    int log = -1;
    for (int k = 0; k < c->branch->log_count; k++)
        if (fabs(c->branch->log[k].t - c->at) < HISTORY_SAME)
            log = k;
    json_put(out, "log", json_integer(log));
    json_put(out, "branched", json_boolean(c->branched));
    if (c->vehicle)
        json_put(out, "vehicle", json_string(c->vehicle));
    if (c->note)
        json_put(out, "text", json_string(c->note));
    request_done(r, out);
}
