// branches.c - branches, names of branches, their logs.
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
#include "studio/request/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void request_branch(request *r)
{
    const char *name;
    double at;
    branch *b;
    if (!read_text(r, "name", NAME_SIZE - 1, "", &name) ||
        !read_optional(r, "at", -1e9, 1e9, &at) || !read_branch(r, &b))
        return;
    mc_error error = {0};
    char usual[NAME_SIZE];
    snprintf(usual, sizeof usual, "Branch %d", r->h->branch_number);
    change c = {.branched = true};
    c.branch = fork_branch(r->h, b, isnan(at) ? b->end : at, name[0] ? name : usual, "", &r->way,
                           &r->again, &error);
    branch_drop(b);
    if (!c.branch) {
        if (!r->again)
            request_reject_error(r, &error);
        return;
    }
    c.at = c.branch->fork;
    if (change_end(r, &c, NULL, "branch"))
        change_answer(r, &c);
}

// A recording beside other branches starts earlier or later: everything known of it moves in time.
static void shift_recording(request *r, branch *b)
{
    double offset;
    if (!read_number(r, "offset", -1e6, 1e6, NAN, &offset))
        return;
    if (!b->replay) {
        request_reject(r, "world", "only a recording can be moved in time");
        return;
    }
    const double by = offset - b->offset, before = b->start;
    pthread_mutex_lock(&b->lock);
    b->offset = offset;
    b->start += by, b->end += by, b->limit += by;
    for (int k = 0; k < b->event_count; k++)
        b->events[k].t += by;
    for (int k = 0; k < b->impact_count; k++)
        b->impacts[k].impact.time += by, b->contacts[k].t += by;
    pthread_mutex_unlock(&b->lock);
    history_shift(&b->past, offset);
    history_shift(&b->instants, offset);
    rewrite_tell(r->h, b, fmin(before, b->start) - 1.0);
    describe_tell(r->h, b);
    json_t *out = json_object();
    json_put(out, "offset", json_value(offset));
    request_done(r, out);
}

// Kept for undo as it is, unless it is discarded: then something else was drawn in its place.
static void remove_branch(request *r, branch *b, bool discard)
{
    if (discard) {
        undo_forget(r->h, b->number);
        branch_list_remove(r->h, b);
        request_done(r, NULL);
        return;
    }
    undo_step step = {.kind = UNDO_GONE, .branch = b->number, .parent = b->parent, .gone = b};
    step.at = b->fork;
    snprintf(step.text, sizeof step.text, "remove %s", b->name);
    page_name(r->page, step.by);
    branch_list_set_aside(r->h, b);
    undo_push(r->h, &step);
    request_done(r, NULL);
}

void request_worlds(request *r)
{
    const char *op, *name;
    branch *b;
    if (!read_text(r, "op", 16, NULL, &op) || !read_text(r, "name", NAME_SIZE - 1, "", &name) ||
        !read_branch(r, &b))
        return;
    hub *h = r->h;
    if (strcmp(op, "rename") == 0) {
        if (name[0]) {
            pthread_mutex_lock(&b->lock);
            snprintf(b->name, sizeof b->name, "%s", name);
            pthread_mutex_unlock(&b->lock);
            describe_tell(h, b);
            request_done(r, NULL);
        } else {
            request_reject(r, "name", "name is missing: expected a text");
        }
    } else if (strcmp(op, "remove") == 0 || strcmp(op, "discard") == 0) {
        if (b->number == h->main_branch)
            request_reject(r, "world",
                           "the main world cannot be removed; make another one main first");
        else
            remove_branch(r, b, op[0] == 'd');
    } else if (strcmp(op, "main") == 0) {
        pthread_mutex_lock(&h->lock);
        h->main_branch = b->number;
        pthread_mutex_unlock(&h->lock);
        describe_tell(h, b);
        request_done(r, NULL);
    } else if (strcmp(op, "shift") == 0) {
        shift_recording(r, b);
    } else {
        request_reject(r, "op", "op is \"%s\"; expected rename, remove, discard, main, shift", op);
    }
    branch_drop(b);
}

static json_t *entry_json(const log_entry *e, int index)
{
    json_t *out = json_object();
    char text[160];
    if (strcmp(e->event, "edit") == 0)
        snprintf(text, sizeof text, "%.150s", e->param);
    else if (strcmp(e->event, "drive") == 0)
        snprintf(text, sizeof text, "throttle %.2f, brake %.2f, steer %.3f", e->inputs.throttle,
                 e->inputs.brake, e->inputs.steer);
    else
        snprintf(text, sizeof text, "%s%s%s%s%.60s", e->vehicle, e->vehicle[0] ? ": " : "",
                 e->event, e->param[0] ? " " : "", e->param);
    json_put(out, "index", json_integer(index));
    json_put(out, "t", json_value(e->t));
    json_put(out, "event", json_string(e->event));
    json_put(out, "vehicle", json_string(e->vehicle));
    json_put(out, "param", json_string(e->param));
    json_put(out, "value", json_value(e->value));
    json_put(out, "text", json_string(text));
    json_put(out, "by", json_string(e->by));
    return out;
}

void request_log(request *r)
{
    branch *b;
    if (!read_branch(r, &b))
        return;
    json_t *out = json_object(), *list = json_array();
    int count;
    log_entry *log = log_copy(b, &count);
    branch_drop(b);
    for (int k = 0; k < count; k++)
        json_array_append_new(list, entry_json(&log[k], k));
    log_entry_free_all(log, count);
    json_put(out, "entries", list);
    request_done(r, out);
}
