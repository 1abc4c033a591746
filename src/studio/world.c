// world.c - life of a world, and what pages are told of it.
#include "studio/parts.h"

#include "base/assert.h"
#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HISTORY_BUDGET ((size_t)256 << 20)
#define ROW_LEAST 0.02 // s, between stored rows
#define ROW_MANY 0.1   // s, the same with more than MANY_CARS
enum { MANY_CARS = 1000 };

world *world_hold(world *w)
{
    atomic_fetch_add(&w->refs, 1);
    return w;
}

// The run goes with the world's place in the hub, the rest with its last reader.
static void end_run(world *w)
{
    mc_timeline_destroy(w->line);
    mc_run_destroy(w->run);
    w->line = NULL;
    w->run = NULL;
}

void log_entries_free(log_entry *entries, int count)
{
    for (int k = 0; entries && k < count; k++)
        log_entry_free(&entries[k]);
    free(entries);
}

void world_drop(world *w)
{
    if (!w || atomic_fetch_sub(&w->refs, 1) > 1)
        return;
    end_run(w);
    roster_drop(w->who);
    free(w->scratch);
    free(w->cars);
    log_entries_free(w->script, w->script_count);
    log_entries_free(w->log, w->log_count);
    free(w->text);
    free(w->vehicles);
    free(w->origin);
    free(w->events);
    free(w->impacts);
    free(w->contacts);
    history_end(&w->past);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

world *world_create(hub *h, const char *name)
{
    (void)h;
    world *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    atomic_init(&w->refs, 1);
    w->slot = -1;
    w->parent = -1;
    w->differs = NAN;
    w->headroom = NAN;
    snprintf(w->name, sizeof w->name, "%s", name);
    if (pthread_mutex_init(&w->lock, NULL) != 0) {
        free(w);
        return NULL;
    }
    if (!history_begin(&w->past, HISTORY_BUDGET)) {
        pthread_mutex_destroy(&w->lock);
        free(w);
        return NULL;
    }
    return w;
}

// Key frames: more memory and longer between them when there are many cars.
mc_timeline *world_timeline(mc_run *run, mc_error *error)
{
    const int cars = mc_run_vehicle_count(run);
    const mc_timeline_options options = {.memory = ((size_t)64 << 20) + (size_t)cars * 40000,
                                         .every = cars > MANY_CARS ? 100 : 20};
    return mc_timeline_create(run, &options, error);
}

bool world_begin_run(hub *h, world *w, mc_run *run, mc_error *error)
{
    w->run = run;
    if (!w->origin)
        w->origin = strdup(mc_scenario_text(mc_run_scenario(run)));
    w->line = world_timeline(run, error);
    if (!w->line)
        return false;
    const double step = mc_run_step_size(run);
    const double least = mc_run_vehicle_count(run) > MANY_CARS ? ROW_MANY : ROW_LEAST;
    w->start = w->end = mc_run_time(run);
    w->limit = mc_run_limit(run);
    w->step = step;
    w->row = step > least ? step : least;
    w->next_row = (floor(w->start / w->row + 1e-6) + 1.0) * w->row;
    if (record_roster(h, w) && record_row(h, w))
        return true;
    mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the history of a world");
    return false;
}

int world_install(hub *h, world *w)
{
    return world_install_as(h, w, h->world_number++ & 0xffff);
}

int world_install_as(hub *h, world *w, int number)
{
    pthread_mutex_lock(&h->lock);
    int slot = 0;
    while (slot < WORLDS_MOST && h->worlds[slot])
        slot++;
    if (slot < WORLDS_MOST) {
        w->slot = slot;
        w->number = number;
        h->worlds[slot] = w;
        h->slot_count = slot >= h->slot_count ? slot + 1 : h->slot_count;
        w->instant = 1;
        for (hub_page *p = h->pages; p; p = p->next)
            p->frames[slot] = (page_frames){0};
    }
    pthread_mutex_unlock(&h->lock);
    return slot < WORLDS_MOST ? w->number : -1;
}

static void take_out(hub *h, world *w)
{
    pthread_mutex_lock(&h->lock);
    h->worlds[w->slot] = NULL;
    while (h->slot_count > 0 && !h->worlds[h->slot_count - 1])
        h->slot_count--;
    for (hub_page *p = h->pages; p; p = p->next) {
        message *m = p->frames[w->slot].waiting;
        if (m)
            hub_release(&m->out);
        p->frames[w->slot] = (page_frames){0};
    }
    pthread_mutex_unlock(&h->lock);
    w->slot = -1;
    end_run(w);
    world_drop(w);
}

void world_remove(hub *h, world *w)
{
    json_t *gone = json_object();
    json_put(gone, "kind", json_string("gone"));
    json_put(gone, "world", json_integer(w->number));
    take_out(h, w);
    hub_broadcast(h, message_text(gone), NULL);
}

void world_remove_all(hub *h)
{
    for (int k = 0; k < WORLDS_MOST; k++)
        if (h->worlds[k])
            take_out(h, h->worlds[k]);
}

// ---- WORLD as JSON ----

static json_t *pieces_json(const mc_road_piece *pieces, int count, const char *value)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++) {
        json_t *p = json_object();
        json_put(p, "from", json_value(pieces[k].from));
        json_put(p, "to", json_value(pieces[k].to));
        json_put(p, value, json_value(pieces[k].value));
        json_put(p, "transition", json_value(pieces[k].transition));
        json_array_append_new(list, p);
    }
    return list;
}

// Heights along the road: as far as there are hills, and a margin.
static json_t *profile_json(const mc_run *run, const mc_road_piece *grades, int count)
{
    enum { POINTS_MOST = 600 };
    double from = -200.0, to = 2000.0;
    for (int k = 0; k < count; k++) {
        from = fmin(from, grades[k].from - 200.0);
        to = fmax(to, grades[k].to + 200.0);
    }
    const double step = fmax(20.0, ceil((to - from) / POINTS_MOST));
    json_t *z = json_array();
    for (double x = from; x <= to; x += step)
        json_array_append_new(z, json_value(mc_run_elevation(run, x)));
    json_t *out = json_object();
    json_put(out, "from", json_value(from));
    json_put(out, "step", json_value(step));
    json_put(out, "z", z);
    return out;
}

static json_t *road_json(const mc_run *run)
{
    mc_run_road_info road;
    mc_run_road(run, &road);
    road.headway = pending_road(run, "headway", road.headway, &road.headway_commanded);
    road.distance = pending_road(run, "distance", road.distance, &road.distance_commanded);
    road.speed = pending_road(run, "speed", road.speed, &road.speed_commanded);
    json_t *commanded = json_array();
    if (road.headway_commanded)
        json_array_append_new(commanded, json_string("headway"));
    if (road.distance_commanded)
        json_array_append_new(commanded, json_string("distance"));
    if (road.speed_commanded)
        json_array_append_new(commanded, json_string("speed"));
    json_t *out = json_object();
    json_put(out, "lanes", json_integer(road.lanes));
    json_put(out, "lane_width", json_value(road.lane_width));
    json_put(out, "headway", json_value(road.headway));
    json_put(out, "distance", json_value(road.distance));
    json_put(out, "speed", json_value(road.speed));
    json_put(out, "commanded", commanded);
    json_put(out, "grades", pieces_json(road.grades, road.grade_count, "grade"));
    json_put(out, "friction", pieces_json(road.frictions, road.friction_count, "mu"));
    json_put(out, "profile", profile_json(run, road.grades, road.grade_count));
    return out;
}

static json_t *controller_json(const mc_run *run, int index, const mc_run_controller_info *c)
{
    json_t *gains = json_object(), *radio = json_object(), *listen = json_array();
    for (int k = 0; k < c->param_count; k++)
        json_put(
            gains, c->params[k].name,
            json_value(pending_param(run, NULL, c->name, "law", c->params[k].name, c->values[k])));
    for (int k = 0; k < c->parts[1].count; k++)
        json_put(radio, c->parts[1].rows[k].name, json_value(c->parts[1].values[k]));
    for (int k = 0; k < c->listen_count; k++)
        json_array_append_new(listen, c->listen[k] == 1 ? json_string("front")
                                                        : json_integer(c->listen[k]));
    if (c->listen_leader)
        json_array_append_new(listen, json_string("leader"));
    json_t *lines = json_array();
    mc_law_line line;
    for (int k = 0; mc_run_controller_line(run, index, k, &line); k++)
        json_array_append_new(lines, json_law_line(&line));
    json_t *out = json_object();
    json_put(out, "name", json_string(c->name));
    json_put(out, "law", json_string(c->law));
    json_put(out, "own", json_boolean(c->own));
    json_put(out, "gains", gains);
    json_put(out, "rows", json_rows(c->params, c->param_count));
    json_put(out, "headway", json_value(pending_wish(run, c->name, "headway", c->headway)));
    json_put(out, "distance", json_value(pending_wish(run, c->name, "distance", c->distance)));
    json_put(out, "radio", radio);
    json_put(out, "listen", listen);
    json_put(out, "lines", lines);
    return out;
}

static const char *driver_of(const hub *h, const world *w, const char *vehicle)
{
    for (int k = 0; k < h->driver_count; k++)
        if (h->drivers[k].world == w->number && strcmp(h->drivers[k].vehicle, vehicle) == 0)
            return h->drivers[k].name;
    return "";
}

enum { VEHICLE_NUMBERS = 4 };

// The list of ten thousand vehicles is written as text at once: as objects it would take 0.1 s.
// last: the numbers of the vehicle before it as text, which mostly are the same.
static void put_vehicle(const hub *h, const world *w, int v, json_number last[VEHICLE_NUMBERS],
                        bytes *out)
{
    mc_run_vehicle_info info;
    mc_run_vehicle(w->run, v, &info);
    const struct {
        const char *name, *text;
    } texts[] = {{",\"name\":", info.name},
                 {",\"kind\":", info.kind},
                 {",\"model\":", info.model},
                 {",\"controller\":", info.controller},
                 {",\"law\":", info.law},
                 {",\"profile\":", info.profile},
                 {",\"driven\":", driver_of(h, w, info.name)}};
    const struct {
        const char *name;
        double value;
    } numbers[VEHICLE_NUMBERS] = {{",\"length\":", info.length},
                                  {",\"width\":", info.width},
                                  {",\"height\":", info.height},
                                  {",\"mass\":", mc_run_mass(w->run, v)}};
    char head[160];
    const int length = snprintf(
        head, sizeof head,
        "%s{\"id\":%u,\"platoon\":%d,\"place\":%d,\"lane\":%d,\"leader\":%s,\"deformable\":%s",
        v > 0 ? "," : "", w->who->id[v], info.platoon, info.place + 1, info.lane + 1,
        info.leader ? "true" : "false", info.deformable ? "true" : "false");
    bytes_put(out, head, (size_t)length);
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        bytes_put(out, texts[k].name, strlen(texts[k].name));
        json_write_text(out, texts[k].text);
    }
    for (int k = 0; k < VEHICLE_NUMBERS; k++) {
        bytes_put(out, numbers[k].name, strlen(numbers[k].name));
        json_write_value(out, numbers[k].value, &last[k]);
    }
    bytes_put(out, "}", 1);
}

static json_t *platoons_json(const mc_run *run)
{
    json_t *list = json_array();
    int seen = -1;
    for (int v = 0; v < mc_run_vehicle_count(run); v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        if (info.platoon <= seen)
            continue;
        seen = info.platoon;
        char name[32];
        snprintf(name, sizeof name, "platoon %d", info.platoon + 1);
        json_t *p = json_object();
        json_put(p, "platoon", json_integer(info.platoon));
        json_put(p, "name", json_string(name));
        json_put(p, "leader", json_string(info.name));
        json_array_append_new(list, p);
    }
    return list;
}

static json_t *names_json(const mc_run *run, const char *name_at(const mc_run *, int))
{
    json_t *list = json_array();
    const char *name;
    for (int k = 0; (name = name_at(run, k)); k++)
        json_array_append_new(list, json_string(name));
    return list;
}

// Names, and what they look like for those no car has.
static void put_models(const mc_run *run, json_t *out)
{
    json_t *names = json_array(), *catalogue = json_array();
    mc_run_model_info m;
    for (int k = 0; mc_run_model_at(run, k, &m); k++) {
        json_array_append_new(names, json_string(m.name));
        json_t *one = json_pack("{s:s,s:s}", "name", m.name, "kind", m.kind);
        json_put(one, "length", json_value(m.length));
        json_put(one, "width", json_value(m.width));
        json_put(one, "height", json_value(m.height));
        json_put(one, "mass", json_value(m.mass));
        json_array_append_new(catalogue, one);
    }
    json_put(out, "models", names);
    json_put(out, "catalogue", catalogue);
}

// What is in the run: of the simulation thread.
static void put_run(const world *w, json_t *out)
{
    json_put(out, "road", road_json(w->run));
    json_put(out, "platoons", platoons_json(w->run));
    put_models(w->run, out);
    json_put(out, "profiles", names_json(w->run, mc_run_profile_name));
    json_t *controllers = json_array();
    mc_run_controller_info c;
    for (int k = 0; mc_run_controller_at(w->run, k, &c); k++)
        json_array_append_new(controllers, controller_json(w->run, k, &c));
    json_put(out, "controllers", controllers);
}

static unsigned long long hash_text(unsigned long long hash, const char *text)
{
    return bytes_hash(hash, text, strlen(text) + 1);
}

// Of all that put_vehicle says: a list of many cars is written only when it changed.
static unsigned long long hash_vehicles(const hub *h, const world *w)
{
    unsigned long long hash = BYTES_HASH_START;
    for (int v = 0; v < w->who->count; v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(w->run, v, &info);
        const double numbers[] = {
            w->who->id[v], info.platoon, info.place,  info.lane,       info.length,
            info.width,    info.height,  info.leader, info.deformable, mc_run_mass(w->run, v)};
        hash = bytes_hash(hash, numbers, sizeof numbers);
        hash = hash_text(hash, info.name);
        hash = hash_text(hash, info.kind);
        hash = hash_text(hash, info.model);
        hash = hash_text(hash, info.controller);
        hash = hash_text(hash, info.law);
        hash = hash_text(hash, info.profile);
        hash = hash_text(hash, driver_of(h, w, info.name));
    }
    return hash;
}

enum { TEXT_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(12) };

// The list of vehicles, if it is not the one that was written last. NULL: it is.
static char *new_vehicles(hub *h, world *w)
{
    const unsigned long long hash = hash_vehicles(h, w);
    if (w->vehicles && hash == w->vehicles_hash)
        return NULL;
    bytes text = {0};
    json_number last[VEHICLE_NUMBERS] = {0};
    bytes_put(&text, "[", 1);
    for (int v = 0; v < w->who->count; v++)
        put_vehicle(h, w, v, last, &text);
    bytes_put(&text, "]", 2); // and its '\0'
    if (text.failed) {
        bytes_free(&text);
        return NULL;
    }
    w->vehicles_hash = hash;
    return (char *)text.data;
}

void world_describe(hub *h, world *w)
{
    if (!w->run)
        return; // a recording was described when it was read
    json_t *out = json_object();
    put_run(w, out);
    char *text = json_dumps(out, TEXT_FLAGS), *vehicles = new_vehicles(h, w);
    char *old = NULL, *old_vehicles = NULL;
    json_decref(out);
    pthread_mutex_lock(&w->lock);
    if (text) {
        old = w->text;
        w->text = text;
    }
    if (vehicles) {
        old_vehicles = w->vehicles;
        w->vehicles = vehicles;
        w->vehicles_version++;
    }
    w->step = mc_run_step_size(w->run);
    w->limit = mc_run_limit(w->run);
    w->version = mc_timeline_version(w->line);
    if (w->state == WORLD_ENDED && w->end < w->limit - 0.5 * w->step) { // it has a later end now
        w->state = WORLD_RUNNING;
        w->message[0] = '\0';
    }
    pthread_mutex_unlock(&w->lock);
    free(old);
    free(old_vehicles);
}

// ---- what others may know ----

typedef struct facts { // of a world, copied under its lock
    char name[NAME_MOST], change[160], message[256];
    int number, parent, version, log_count;
    double fork, differs, start, end, limit, step, row, offset;
    bool same, replay;
    world_state state;
    char *text, *vehicles;
    uint32_t vehicles_version;
    world_event *edits;
    int edit_count;
} facts;

static bool facts_take(world *w, bool vehicles, facts *f)
{
    pthread_mutex_lock(&w->lock);
    *f = (facts){.number = w->number,
                 .parent = w->parent,
                 .version = w->version,
                 .log_count = w->log_count,
                 .fork = w->fork,
                 .differs = w->differs,
                 .start = w->start,
                 .end = w->end,
                 .limit = w->limit,
                 .step = w->step,
                 .row = w->row,
                 .offset = w->offset,
                 .same = w->same,
                 .replay = w->replay,
                 .state = w->state,
                 .vehicles_version = w->vehicles_version};
    memcpy(f->name, w->name, sizeof f->name);
    memcpy(f->change, w->change, sizeof f->change);
    memcpy(f->message, w->message, sizeof f->message);
    f->text = strdup(w->text ? w->text : "{}");
    f->vehicles = vehicles && w->vehicles ? strdup(w->vehicles) : NULL;
    int edits = 0;
    for (int k = 0; k < w->event_count; k++)
        edits += strcmp(w->events[k].type, "edit") == 0;
    f->edits = malloc(((size_t)edits + 1) * sizeof *f->edits);
    for (int k = 0; k < w->event_count && f->edits; k++)
        if (strcmp(w->events[k].type, "edit") == 0)
            f->edits[f->edit_count++] = w->events[k];
    const bool good = f->text && f->edits && (f->vehicles || !vehicles || !w->vehicles);
    pthread_mutex_unlock(&w->lock);
    return good;
}

static void facts_end(facts *f)
{
    free(f->text);
    free(f->vehicles);
    free(f->edits);
}

// The scenario, and every edit of it.
static json_t *versions_json(const facts *f)
{
    json_t *list = json_array();
    json_array_append_new(
        list, json_pack("{s:i,s:f,s:s}", "version", 0, "t", f->start, "text", "the scenario"));
    for (int k = 0; k < f->edit_count; k++)
        json_array_append_new(list, json_pack("{s:i,s:f,s:s}", "version", k + 1, "t", f->edits[k].t,
                                              "text", f->edits[k].text));
    return list;
}

static json_t *facts_json(const facts *f, size_t memory)
{
    static const char *const states[] = {"running", "ended", "failed"};
    json_t *out = json_object();
    json_put(out, "world", json_integer(f->number));
    json_put(out, "name", json_string(f->name));
    json_put(out, "parent", json_integer(f->parent));
    json_put(out, "fork", json_value(f->fork));
    json_put(out, "change", json_string(f->change));
    json_put(out, "same", json_boolean(f->same));
    json_put(out, "differs", json_value(f->differs));
    json_put(out, "kind", json_string(f->replay ? "replay" : "run"));
    json_put(out, "start", json_value(f->start));
    json_put(out, "end", json_value(f->end));
    json_put(out, "limit", json_value(f->limit));
    json_put(out, "step", json_value(f->step));
    json_put(out, "row", json_value(f->row));
    json_put(out, "offset", json_value(f->offset));
    json_put(out, "state", json_string(states[f->state]));
    json_put(out, "message", json_string(f->message));
    json_put(out, "version", json_integer(f->version));
    json_put(out, "memory", json_integer((json_int_t)memory));
    json_put(out, "versions", versions_json(f));
    return out;
}

// Texts of objects as one object: the brackets between them go.
bool world_put_text(world *w, bool vehicles, bytes *out, uint32_t *version, int *log_count)
{
    facts f;
    bool good = facts_take(w, vehicles, &f);
    json_t *head = facts_json(&f, history_memory(&w->past));
    char *text = json_dumps(head, TEXT_FLAGS);
    json_decref(head);
    good = good && text;
    if (good) {
        bytes_put(out, text, strlen(text) - 1);
        if (f.text[1] != '}') {
            bytes_put(out, ",", 1);
            bytes_put(out, f.text + 1, strlen(f.text) - 2);
        }
        if (f.vehicles) {
            bytes_put(out, ",\"vehicles\":", 12);
            bytes_put(out, f.vehicles, strlen(f.vehicles));
        }
        bytes_put(out, "}", 1);
    }
    if (version)
        *version = f.vehicles_version;
    if (log_count)
        *log_count = f.log_count;
    free(text);
    facts_end(&f);
    return good;
}

json_t *world_json(world *w)
{
    bytes text = {0};
    json_t *out = NULL;
    if (world_put_text(w, true, &text, NULL, NULL) && !text.failed)
        out = json_loadb((const char *)text.data, text.size, 0, NULL);
    bytes_free(&text);
    return out ? out : json_object();
}

log_entry *world_copy_log(world *w, int *count)
{
    *count = 0;
    pthread_mutex_lock(&w->lock);
    log_entry *log = calloc((size_t)w->log_count + 1, sizeof *log);
    for (int k = 0; k < w->log_count && log; k++)
        if (log_entry_copy(&log[*count], &w->log[k]))
            ++*count;
    pthread_mutex_unlock(&w->lock);
    return log;
}

static message *world_message(world *w, bool vehicles)
{
    bytes text = {0};
    static const char begin[] = "{\"kind\":\"world\",\"world\":";
    bytes_put(&text, begin, sizeof begin - 1);
    const bool good = world_put_text(w, vehicles, &text, NULL, NULL);
    bytes_put(&text, "}", 1);
    message *m = good && !text.failed ? message_copy(text.data, text.size) : NULL;
    bytes_free(&text);
    return m;
}

void world_tell(hub *h, world *w)
{
    if (w->slot < 0)
        return;
    const bool known = hub_vehicles_known(h, w->slot, w->vehicles_version);
    hub_tell_world(h, w->slot, w->vehicles_version, world_message(w, false),
                   known ? NULL : world_message(w, true));
}

void world_changed(hub *h, world *w)
{
    record_roster(h, w);
    world_describe(h, w);
    w->now_valid = false;
    w->instant++;
    world_tell(h, w);
}
