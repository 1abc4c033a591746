// event.c - events of a branch.
#include "studio/hub/event.h"

#include "base/bytes.h"
#include "motorcade/event.h"
#include "studio/hub/branch.h"
#include "studio/history/history.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void event_add(hub *h, branch *b, const branch_event *event)
{
    pthread_mutex_lock(&b->lock);
    if (b->event_count == b->event_room) {
        const int room = b->event_room ? 2 * b->event_room : 64;
        branch_event *grown = realloc(b->events, (size_t)room * sizeof *grown);
        if (grown) {
            b->events = grown;
            b->event_room = room;
        }
    }
    if (b->event_count < b->event_room)
        b->events[b->event_count++] = *event;
    pthread_mutex_unlock(&b->lock);
    if (b->slot < 0)
        return;
    json_t *list = json_array(), *out = json_object();
    json_array_append_new(list, event_json(event, event_entry(b->log, b->log_count, event)));
    json_put(out, "kind", json_string("events"));
    json_put(out, "world", json_integer(b->number));
    json_put(out, "events", list);
    mail_broadcast(h, message_text(out), NULL);
}

json_t *event_json(const branch_event *e, int log)
{
    json_t *out = json_object();
    json_put(out, "t", json_value(e->t));
    json_put(out, "type", json_string(e->type));
    json_put(out, "vehicle", json_string(e->vehicle));
    json_put(out, "other", json_string(e->other));
    json_put(out, "text", json_string(e->text));
    json_put(out, "value", json_value(e->value));
    json_put(out, "log", json_integer(log));
    return out;
}

const char *event_type(const char *event)
{
    const mc_event_kind *kind = mc_event_kind_find(event);
    if (kind && kind->fault)
        return "fault";
    static const char *const warnings[] = {"check_in_refused", "check_out_refused",
                                           "not_checked_in", "wrong_lane", "blind_spot"};
    for (size_t k = 0; k < sizeof warnings / sizeof warnings[0]; k++)
        if (strcmp(event, warnings[k]) == 0)
            return "warning";
    if (strcmp(event, "edit") == 0 || strcmp(event, "version") == 0)
        return "edit";
    return strncmp(event, "radio", 5) == 0 ? "warning" : "command";
}

static unsigned long long hash_of(const log_entry *e)
{
    return bytes_hash(BYTES_HASH_START, e->param, strlen(e->param));
}

void event_note_entry(hub *h, branch *b, const log_entry *entry, const char *text)
{
    if (strcmp(entry->event, "drive") == 0)
        return;
    branch_event e = {.t = entry->t, .type = event_type(entry->event), .value = entry->value};
    if (entry->vehicle[0] != '@')
        snprintf(e.vehicle, sizeof e.vehicle, "%s", entry->vehicle);
    if (text)
        snprintf(e.text, sizeof e.text, "%s", text);
    else
        snprintf(e.text, sizeof e.text, "%s%s%s%s%.60s", entry->vehicle,
                 entry->vehicle[0] ? ": " : "", entry->event, entry->param[0] ? " " : "",
                 entry->param);
    snprintf(e.event, sizeof e.event, "%s", entry->event);
    snprintf(e.target, sizeof e.target, "%s", entry->vehicle);
    e.param = hash_of(entry);
    event_add(h, b, &e);
}

int event_entry(const log_entry *log, int count, const branch_event *e)
{
    for (int k = 0; e->event[0] && k < count; k++)
        if (fabs(log[k].t - e->t) < HISTORY_SAME && strcmp(log[k].event, e->event) == 0 &&
            strcmp(log[k].vehicle, e->target) == 0 && hash_of(&log[k]) == e->param)
            return k;
    return -1;
}
