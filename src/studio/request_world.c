// request_world.c - branches, names of worlds, their logs.
#include "studio/changes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void request_branch(request *r)
{
    const char *name;
    double at;
    world *w;
    if (!request_text(r, "name", NAME_MOST - 1, "", &name) ||
        !request_optional(r, "at", -1e9, 1e9, &at) || !request_world(r, &w))
        return;
    mc_error error = {0};
    char usual[NAME_MOST];
    snprintf(usual, sizeof usual, "Branch %d", r->h->world_number);
    change c = {.branched = true};
    c.world = world_branch(r->h, w, isnan(at) ? w->end : at, name[0] ? name : usual, "", &r->way,
                           &r->again, &error);
    world_drop(w);
    if (!c.world) {
        if (!r->again)
            request_refuse_error(r, &error);
        return;
    }
    c.at = c.world->fork;
    if (change_end(r, &c, NULL, "branch"))
        change_answer(r, &c);
}

// A recording beside other worlds starts earlier or later: everything known of it moves in time.
static void shift_recording(request *r, world *w)
{
    double offset;
    if (!request_number(r, "offset", -1e6, 1e6, NAN, &offset))
        return;
    if (!w->replay) {
        request_refuse(
            r, "world",
            "only a recording can be moved in time; a simulated world starts where it starts");
        return;
    }
    const double by = offset - w->offset, before = w->start;
    pthread_mutex_lock(&w->lock);
    w->offset = offset;
    w->start += by, w->end += by, w->limit += by;
    for (int k = 0; k < w->event_count; k++)
        w->events[k].t += by;
    for (int k = 0; k < w->impact_count; k++)
        w->impacts[k].impact.time += by, w->contacts[k].t += by;
    pthread_mutex_unlock(&w->lock);
    history_shift(&w->past, offset);
    world_tell_rewritten(r->h, w, fmin(before, w->start) - 1.0);
    world_tell(r->h, w);
    json_t *out = json_object();
    json_put(out, "offset", json_value(offset));
    request_done(r, out);
}

void request_worlds_op(request *r)
{
    const char *op, *name;
    world *w;
    if (!request_text(r, "op", 16, NULL, &op) ||
        !request_text(r, "name", NAME_MOST - 1, "", &name) || !request_world(r, &w))
        return;
    hub *h = r->h;
    if (strcmp(op, "rename") == 0) {
        if (name[0]) {
            pthread_mutex_lock(&w->lock);
            snprintf(w->name, sizeof w->name, "%s", name);
            pthread_mutex_unlock(&w->lock);
            world_tell(h, w);
            request_done(r, NULL);
        } else {
            request_refuse(r, "name", "name is missing: a text");
        }
    } else if (strcmp(op, "remove") == 0) {
        if (w->number == h->main_world)
            request_refuse(r, "world", "the main world stays; make another one main first");
        else {
            world_remove(h, w);
            request_done(r, NULL);
        }
    } else if (strcmp(op, "main") == 0) {
        pthread_mutex_lock(&h->lock);
        h->main_world = w->number;
        pthread_mutex_unlock(&h->lock);
        world_tell(h, w);
        request_done(r, NULL);
    } else if (strcmp(op, "shift") == 0) {
        shift_recording(r, w);
    } else {
        request_refuse(r, "op", "op is \"%s\"; allowed is rename, remove, main, shift", op);
    }
    world_drop(w);
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
    world *w;
    if (!request_world(r, &w))
        return;
    json_t *out = json_object(), *list = json_array();
    int count;
    log_entry *log = world_copy_log(w, &count);
    world_drop(w);
    for (int k = 0; k < count; k++)
        json_array_append_new(list, entry_json(&log[k], k));
    log_entries_free(log, count);
    json_put(out, "entries", list);
    request_done(r, out);
}
