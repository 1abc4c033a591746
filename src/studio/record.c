// record.c - the instant shown as a row of the history; impacts and events on the way.
#include "studio/parts.h"

#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIT_SHOWN 0.5    // s, for which a car is marked as hit
enum { HASH_CARS = 64 }; // with more cars the hash of every row would cost too much

// ---- who is there ----

static roster *make_roster(hub *h, const mc_run *run)
{
    const int n = mc_run_vehicle_count(run);
    int bodies = 0;
    for (int v = 0; v < n && bodies < HISTORY_BODIES_MOST; v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        bodies += info.deformable;
    }
    roster *who = roster_create(n, bodies);
    for (int v = 0, b = 0; who && v < n; v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        const int id = registry_number(&h->names, info.name);
        who->name[v] = strdup(info.name);
        if (id < 0 || !who->name[v]) {
            roster_drop(who);
            return NULL;
        }
        who->id[v] = (uint32_t)id;
        who->platoon[v] = info.platoon;
        who->length[v] = info.length;
        const int channels = mc_run_channels(run, v, &who->channels[v]);
        who->channel_at[v + 1] = who->channel_at[v] + (n <= HISTORY_CHANNEL_CARS ? channels : 0);
        if (info.deformable && b < bodies)
            who->body[b++] = v;
    }
    return who;
}

static bool same_roster(const roster *a, const mc_run *run)
{
    if (a->count != mc_run_vehicle_count(run))
        return false;
    for (int v = 0; v < a->count; v++) {
        const mc_channel *channels;
        mc_run_vehicle_info info;
        mc_run_channels(run, v, &channels);
        mc_run_vehicle(run, v, &info);
        if (strcmp(a->name[v], info.name) != 0 || channels != a->channels[v] ||
            a->platoon[v] != info.platoon || a->length[v] != info.length)
            return false;
    }
    return true;
}

// Semi-axes at rest: those of the same car before, else those it has now.
static void take_rest(const world *w, const roster *before, roster *who)
{
    for (int b = 0; b < who->body_count; b++) {
        mc_ellipsoid e;
        mc_run_surface(w->run, who->body[b], &e);
        for (int k = 0; k < 3; k++)
            who->rest[b][k] = (float)sqrt(e.axes[k] * e.axes[k] + e.axes[3 + k] * e.axes[3 + k] +
                                          e.axes[6 + k] * e.axes[6 + k]);
        for (int old = 0; before && old < before->body_count; old++)
            if (before->id[before->body[old]] == who->id[who->body[b]])
                memcpy(who->rest[b], before->rest[old], sizeof who->rest[b]);
    }
}

static car_memory *move_memory(const world *w, const roster *before, const roster *who)
{
    car_memory *cars = calloc((size_t)who->count + 1, sizeof *cars);
    int *old = before ? roster_match(before, who) : NULL;
    for (int c = 0; cars && c < who->count; c++) {
        cars[c] = (car_memory){.brake_time = -INFINITY, .push_time = -INFINITY};
        if (old && old[c] >= 0)
            cars[c] = w->cars[old[c]];
    }
    free(old);
    return cars;
}

void record_take_memory(world *w, const world *from)
{
    int *old = roster_match(from->who, w->who);
    for (int c = 0; old && c < w->who->count; c++)
        if (old[c] >= 0)
            w->cars[c] = from->cars[old[c]];
    free(old);
}

bool record_roster(hub *h, world *w)
{
    if (!w->run || (w->who && same_roster(w->who, w->run)))
        return true;
    roster *who = make_roster(h, w->run);
    if (!who)
        return false;
    take_rest(w, w->who, who);
    const size_t size = history_row_size(who);
    car_memory *cars = move_memory(w, w->who, who);
    void *scratch = malloc(size + 1);
    if (!cars || !scratch) {
        free(cars);
        free(scratch);
        roster_drop(who);
        return false;
    }
    roster_drop(w->who);
    free(w->cars);
    free(w->scratch);
    w->who = who;
    w->cars = cars;
    w->scratch = scratch;
    w->scratch_size = size;
    w->now = history_row_place(scratch, who);
    w->now_valid = false;
    return true;
}

// ---- the instant shown ----

static void read_bodies(const world *w)
{
    for (int b = 0; b < w->who->body_count; b++) {
        const int c = w->who->body[b];
        mc_ellipsoid e;
        mc_run_surface(w->run, c, &e);
        float *out = w->now.body + (size_t)b * HISTORY_BODY;
        out[0] = (float)(e.centre[0] - w->now.x[c]);
        out[1] = (float)e.centre[1];
        out[2] = (float)e.centre[2];
        for (int k = 0; k < 9; k++)
            out[3 + k] = (float)e.axes[k];
    }
}

static void read_channels(const world *w)
{
    for (int c = 0; c < w->who->count && w->who->channel_at[w->who->count] > 0; c++) {
        double value[128];
        const int count = w->who->channel_at[c + 1] - w->who->channel_at[c];
        mc_run_read_channels(w->run, c, value);
        for (int k = 0; k < count; k++)
            w->now.channel[w->who->channel_at[c] + k] = (float)value[k];
    }
}

static void mark_hits(const world *w)
{
    const double t = w->now.t;
    for (int k = w->impact_count - 1; k >= 0 && w->contacts[k].t >= t - HIT_SHOWN; k--)
        for (int c = 0; c < w->who->count && w->contacts[k].t <= t; c++)
            if (w->who->id[c] == w->contacts[k].id || w->who->id[c] == w->contacts[k].id2)
                w->now.status[c] |= MC_CAR_HIT;
}

bool record_look(hub *h, world *w)
{
    if (!w->run)
        return false;
    if (w->now_valid)
        return true;
    if (!record_roster(h, w))
        return false;
    mc_row row = {.x = w->now.x, .s = w->now.s, .status = w->now.status};
    memcpy(row.value, w->now.value, sizeof row.value);
    mc_run_read_row(w->run, &row);
    w->now.t = mc_run_time(w->run);
    w->now.hash = 0;
    mark_hits(w);
    read_bodies(w);
    read_channels(w);
    w->now_valid = true;
    return true;
}

// ---- events ----

void world_add_event(hub *h, world *w, const world_event *event)
{
    pthread_mutex_lock(&w->lock);
    if (w->event_count == w->event_room) {
        const int room = w->event_room ? 2 * w->event_room : 64;
        world_event *grown = realloc(w->events, (size_t)room * sizeof *grown);
        if (grown) {
            w->events = grown;
            w->event_room = room;
        }
    }
    if (w->event_count < w->event_room)
        w->events[w->event_count++] = *event;
    pthread_mutex_unlock(&w->lock);
    if (w->slot < 0)
        return;
    json_t *list = json_array(), *out = json_object();
    json_array_append_new(list,
                          world_event_json(event, world_event_log(w->log, w->log_count, event)));
    json_put(out, "kind", json_string("events"));
    json_put(out, "world", json_integer(w->number));
    json_put(out, "events", list);
    hub_broadcast(h, message_text(out), NULL);
}

json_t *world_event_json(const world_event *e, int log)
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

static void note(hub *h, world *w, double t, const char *type, const char *vehicle,
                 const char *other, double value, const char *text)
{
    world_event e = {.t = t, .type = type, .value = value};
    snprintf(e.vehicle, sizeof e.vehicle, "%s", vehicle);
    snprintf(e.other, sizeof e.other, "%s", other);
    snprintf(e.text, sizeof e.text, "%s", text);
    world_add_event(h, w, &e);
}

// Pedals of leaders and of cars driven by hand: pressed again after a second without. A car without
// pedals brakes below -1 m/s^2.
static void note_pedals(hub *h, world *w, int c)
{
    car_memory *m = &w->cars[c];
    const double t = w->now.t;
    const float brake = w->now.value[MC_FIELD_BRAKE][c], push = w->now.value[MC_FIELD_THROTTLE][c];
    const float a = w->now.value[MC_FIELD_A][c];
    const bool pedals = !isnan(w->now.value[MC_FIELD_RPM][c]);
    const bool brakes = pedals ? brake > 0.05f : a < -1.0f;
    const bool pushes = pedals ? push > 0.5f : a > 1.0f;
    if (brakes && !m->braked && t - m->brake_time > 1.0) {
        char text[96];
        snprintf(text, sizeof text, "%s brakes, %.2f m/s^2", w->who->name[c], (double)a);
        note(h, w, t, "brake", w->who->name[c], "", (double)a, text);
    }
    if (pushes && !m->pushed && t - m->push_time > 1.0) {
        char text[96];
        snprintf(text, sizeof text, "%s accelerates, %.2f m/s^2", w->who->name[c], (double)a);
        note(h, w, t, "throttle", w->who->name[c], "", (double)a, text);
    }
    m->braked = brakes;
    m->pushed = pushes;
    if (brakes)
        m->brake_time = t;
    if (pushes)
        m->push_time = t;
}

static const char *event_type(const char *event)
{
    static const char *const faults[] = {"brake_lost",   "throttle_stuck", "sensor_bias",
                                         "sensor_noise", "radio_delay",    "radio_loss",
                                         "push"};
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++)
        if (strcmp(event, faults[k]) == 0)
            return "fault";
    if (strcmp(event, "edit") == 0 || strcmp(event, "version") == 0)
        return "edit";
    return strncmp(event, "radio", 5) == 0 ? "warning" : "command";
}

static unsigned long long hash_of(const log_entry *e)
{
    return bytes_hash(BYTES_HASH_START, e->param, strlen(e->param));
}

void world_note_entry(hub *h, world *w, const log_entry *entry, const char *text)
{
    if (strcmp(entry->event, "drive") == 0)
        return;
    world_event e = {.t = entry->t, .type = event_type(entry->event), .value = entry->value};
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
    world_add_event(h, w, &e);
}

int world_event_log(const log_entry *log, int count, const world_event *e)
{
    for (int k = 0; e->event[0] && k < count; k++)
        if (fabs(log[k].t - e->t) < HISTORY_SAME && strcmp(log[k].event, e->event) == 0 &&
            strcmp(log[k].vehicle, e->target) == 0 && hash_of(&log[k]) == e->param)
            return k;
    return -1;
}

// Whether something that happened is an entry of the log, which has its event already.
static bool logged(const world *w, const mc_happened *e)
{
    for (int k = 0; k < w->log_count; k++)
        if (fabs(w->log[k].t - e->time) < HISTORY_SAME && strcmp(w->log[k].event, e->name) == 0)
            return true;
    return false;
}

// What the run says has happened: events of the scenario, radios that fell silent.
static void note_happened(hub *h, world *w)
{
    const int count = mc_run_happened_count(w->run);
    if (w->happened_seen > count)
        w->happened_seen = count;
    for (; w->happened_seen < count; w->happened_seen++) {
        mc_happened e;
        if (!mc_run_happened_at(w->run, w->happened_seen, &e) || strcmp(e.name, "drive") == 0 ||
            logged(w, &e))
            continue;
        char text[160];
        snprintf(text, sizeof text, "%s%s%s", e.vehicle_name, e.vehicle_name[0] ? ": " : "",
                 e.name);
        note(h, w, e.time, event_type(e.name), e.vehicle_name, "", e.value, text);
    }
}

// ---- impacts ----

static bool room_for_impact(world *w)
{
    if (w->impact_count < w->impact_room)
        return true;
    const int room = w->impact_room ? 2 * w->impact_room : 64;
    world_impact *impacts = realloc(w->impacts, (size_t)room * sizeof *impacts);
    if (impacts)
        w->impacts = impacts;
    frame_contact *contacts =
        impacts ? realloc(w->contacts, (size_t)room * sizeof *contacts) : NULL;
    if (contacts) {
        w->contacts = contacts;
        w->impact_room = room;
    }
    return contacts;
}

// True: it is the first of a collision of its pair.
static bool add_impact(world *w, const mc_impact *i)
{
    const uint32_t a = w->who->id[i->a], b = w->who->id[i->b];
    bool first = true;
    pthread_mutex_lock(&w->lock);
    for (int k = w->impact_count - 1; k >= 0 && i->time - w->impacts[k].impact.time < 0.25; k--)
        first = first && !(w->impacts[k].impact.a == (int)a && w->impacts[k].impact.b == (int)b);
    if (room_for_impact(w)) {
        world_impact *to = &w->impacts[w->impact_count];
        to->impact = *i;
        to->impact.a = (int)a;
        to->impact.b = (int)b;
        to->mass[0] = mc_run_mass(w->run, i->a);
        to->mass[1] = mc_run_mass(w->run, i->b);
        snprintf(to->name[0], NAME_MOST, "%s", w->who->name[i->a]);
        snprintf(to->name[1], NAME_MOST, "%s", w->who->name[i->b]);
        w->contacts[w->impact_count++] =
            (frame_contact){.t = i->time,
                            .id = a,
                            .id2 = b,
                            .point = {i->point[0], i->point[1], i->point[2]},
                            .normal = {i->normal[0], i->normal[1], i->normal[2]},
                            .impulse = (float)i->impulse,
                            .closing = (float)i->closing};
    }
    pthread_mutex_unlock(&w->lock);
    return first;
}

static void note_impacts(hub *h, world *w)
{
    int count;
    const mc_impact *impacts = mc_run_impacts(w->run, &count);
    if (w->impacts_seen > count) // they count anew in another version
        w->impacts_seen = 0;
    for (; w->impacts_seen < count; w->impacts_seen++) {
        const mc_impact *i = &impacts[w->impacts_seen];
        if (i->a < 0 || i->b >= w->who->count)
            continue;
        if (!add_impact(w, i))
            continue;
        char text[160];
        snprintf(text, sizeof text, "Collision, %s into %s, %.2f m/s", w->who->name[i->b],
                 w->who->name[i->a], i->closing);
        note(h, w, i->time, "collision", w->who->name[i->b], w->who->name[i->a], i->closing, text);
    }
}

// ---- rows ----

bool record_row(hub *h, world *w)
{
    note_impacts(h, w);
    note_happened(h, w);
    w->now_valid = false;
    if (!record_look(h, w))
        return false;
    for (int c = 0; c < w->who->count; c++)
        if (w->now.status[c] & (MC_CAR_LEADER | MC_CAR_BY_HAND))
            note_pedals(h, w, c);
    if (w->who->count <= HASH_CARS)
        w->now.hash = mc_run_hash(w->run);
    history_row row = history_reserve(&w->past, w->who);
    if (!row.x)
        return false;
    memcpy(row.x, w->scratch, w->scratch_size);
    history_publish(&w->past, w->now.t, w->now.hash);
    return true;
}

void record_forget(world *w, double t)
{
    history_cut(&w->past, t);
    pthread_mutex_lock(&w->lock);
    int kept = 0;
    for (int k = 0; k < w->event_count; k++)
        // Those of the log at t are noted again when its entries are given again.
        if (w->events[k].t <= t + (w->events[k].event[0] ? -HISTORY_SAME : HISTORY_SAME))
            w->events[kept++] = w->events[k];
    w->event_count = kept;
    while (w->impact_count > 0 && w->impacts[w->impact_count - 1].impact.time > t + HISTORY_SAME)
        w->impact_count--;
    pthread_mutex_unlock(&w->lock);
    for (int c = 0; w->who && c < w->who->count; c++) {
        car_memory *m = &w->cars[c];
        if (m->brake_time > t)
            m->brake_time = -INFINITY;
        if (m->push_time > t)
            m->push_time = -INFINITY;
    }
}
