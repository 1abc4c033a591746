// describe.c - what pages are told of a branch.
#include "studio/hub/describe.h"

#include "base/bytes.h"
#include "studio/hub/capture.h"
#include "studio/hub/drive.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/pending.h"
#include "studio/hub/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        if (!isnan(pieces[k].right)) {
            json_put(p, "mu_right", json_value(pieces[k].right));
            json_put(p, "divide", json_value(pieces[k].divide));
            json_put(p, "seam", json_value(pieces[k].seam));
        }
        json_array_append_new(list, p);
    }
    return list;
}

// Heights along the road: as far as there are hills, and a margin.
static json_t *profile_json(const mc_run *run, const mc_run_road_info *road)
{
    enum { POINTS_MAX = 600 };
    double from = -200.0, to = 2000.0;
    for (int k = 0; k < road->grade_count; k++) {
        from = fmin(from, road->grades[k].from - 200.0);
        to = fmax(to, road->grades[k].to + 200.0);
    }
    if (road->profile) {
        from = fmin(from, road->profile_from - 200.0);
        to = fmax(to, road->profile_to + 200.0);
    }
    const double step = fmax(road->profile ? 5.0 : 20.0, ceil((to - from) / POINTS_MAX));
    json_t *z = json_array();
    for (double x = from; x <= to; x += step)
        json_array_append_new(z, json_value(mc_run_elevation(run, x)));
    json_t *out = json_object();
    json_put(out, "from", json_value(from));
    json_put(out, "step", json_value(step));
    json_put(out, "z", z);
    return out;
}

static json_t *sections_json(const mc_run *run)
{
    json_t *list = json_array();
    mc_run_section s;
    for (int k = 0; mc_run_section_at(run, k, &s); k++) {
        json_t *one = json_object();
        json_put(one, "lane", json_integer(s.lane + 1));
        json_put(one, "from", json_value(s.from));
        json_put(one, "to", json_value(s.to));
        json_put(one, "use", json_string(s.use));
        json_put(one, "enter", json_string(s.enter));
        json_put(one, "speed", json_value(s.speed));
        json_put(one, "headway", json_value(s.headway));
        json_put(one, "separation", json_value(s.separation));
        json_put(one, "commanded", json_boolean(s.commanded));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *road_json(const mc_run *run, int plan)
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
    json_put(out, "profile", profile_json(run, &road));
    json_put(out, "formula", road.profile ? json_string(road.profile) : json_null());
    json_put(out, "plan", json_integer(plan));
    json_put(out, "ersc", json_integer(road.ersc));
    json_put(out, "ersc_start", json_integer(road.ersc_start));
    json_put(out, "sections", sections_json(run));
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
    json_put(out, "headway", json_value(pending_desired(run, c->name, "headway", c->headway)));
    json_put(out, "distance", json_value(pending_desired(run, c->name, "distance", c->distance)));
    json_put(out, "radio", radio);
    json_put(out, "listen", listen);
    json_put(out, "lines", lines);
    return out;
}

static const char *driver_of(const hub *h, const branch *b, const char *vehicle)
{
    const driver *d = drive_find(h, b->number, vehicle);
    return d ? d->name : "";
}

enum { VEHICLE_NUMBERS = 4 };

// The list of ten thousand vehicles is written as text at once: as objects it would take 0.1 s.
// last: the numbers of the vehicle before it as text, which mostly are the same.
static void put_vehicle(const hub *h, const branch *b, int v, json_number last[VEHICLE_NUMBERS],
                        bytes *out)
{
    mc_run_vehicle_info info;
    mc_run_vehicle(b->run, v, &info);
    const struct {
        const char *name, *text;
    } texts[] = {{",\"name\":", info.name},
                 {",\"kind\":", info.kind},
                 {",\"model\":", info.model},
                 {",\"controller\":", info.controller},
                 {",\"law\":", info.law},
                 {",\"profile\":", info.profile},
                 {",\"driven\":", driver_of(h, b, info.name)}};
    const struct {
        const char *name;
        double value;
    } numbers[VEHICLE_NUMBERS] = {{",\"length\":", info.length},
                                  {",\"width\":", info.width},
                                  {",\"height\":", info.height},
                                  {",\"mass\":", mc_run_mass(b->run, v)}};
    char head[200];
    const int length = snprintf(
        head, sizeof head,
        "%s{\"id\":%u,\"platoon\":%d,\"place\":%d,\"lane\":%d,\"leader\":%s,\"deformable\":%s,"
        "\"checked_in\":%s,\"mechanism\":%s",
        v > 0 ? "," : "", b->who->id[v], info.platoon, info.place + 1, info.lane + 1,
        info.leader ? "true" : "false", info.deformable ? "true" : "false",
        info.checked_in ? "true" : "false", info.mechanism ? "true" : "false");
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
    for (int v = 0; v < mc_run_vehicle_count(run); v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(run, v, &info);
        if (!info.leader)
            continue;
        char name[32];
        snprintf(name, sizeof name, "platoon %d", info.platoon + 1);
        json_t *p = json_object();
        json_put(p, "platoon", json_integer(info.platoon));
        json_put(p, "name", json_string(name));
        json_put(p, "leader", json_string(info.name));
        json_put(p, "leads_as", json_integer(pending_lead(run, info.name, info.leads_as)));
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
        json_t *one = json_pack("{s:s,s:s,s:s}", "name", m.name, "kind", m.kind, "look", m.look);
        json_put(one, "pedals", json_boolean(m.pedals));
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
static void put_run(const branch *b, json_t *out)
{
    json_put(out, "road", road_json(b->run, b->plan_version));
    json_put(out, "platoons", platoons_json(b->run));
    put_models(b->run, out);
    json_put(out, "profiles", names_json(b->run, mc_run_profile_name));
    json_t *controllers = json_array();
    mc_run_controller_info c;
    for (int k = 0; mc_run_controller_at(b->run, k, &c); k++)
        json_array_append_new(controllers, controller_json(b->run, k, &c));
    json_put(out, "controllers", controllers);
}

static unsigned long long hash_text(unsigned long long hash, const char *text)
{
    return bytes_hash(hash, text, strlen(text) + 1);
}

// Of all that put_vehicle says: a list of many cars is written only when it changed.
static unsigned long long hash_vehicles(const hub *h, const branch *b)
{
    unsigned long long hash = BYTES_HASH_START;
    for (int v = 0; v < b->who->count; v++) {
        mc_run_vehicle_info info;
        mc_run_vehicle(b->run, v, &info);
        const double numbers[] = {
            b->who->id[v],  info.platoon, info.place,  info.lane,       info.length,
            info.width,     info.height,  info.leader, info.deformable, mc_run_mass(b->run, v),
            info.checked_in};
        hash = bytes_hash(hash, numbers, sizeof numbers);
        hash = hash_text(hash, info.name);
        hash = hash_text(hash, info.kind);
        hash = hash_text(hash, info.model);
        hash = hash_text(hash, info.controller);
        hash = hash_text(hash, info.law);
        hash = hash_text(hash, info.profile);
        hash = hash_text(hash, driver_of(h, b, info.name));
    }
    return hash;
}

enum { TEXT_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(12) };

// The list of vehicles, if it is not the one that was written last. NULL: it is.
static char *new_vehicles(hub *h, branch *b)
{
    const unsigned long long hash = hash_vehicles(h, b);
    if (b->vehicles && hash == b->vehicles_hash)
        return NULL;
    bytes text = {0};
    json_number last[VEHICLE_NUMBERS] = {0};
    bytes_put(&text, "[", 1);
    for (int v = 0; v < b->who->count; v++)
        put_vehicle(h, b, v, last, &text);
    bytes_put(&text, "]", 2); // and its '\0'
    if (text.failed) {
        bytes_free(&text);
        return NULL;
    }
    b->vehicles_hash = hash;
    return (char *)text.data;
}

// The plan of the road, where the scenario is not the one it was made of.
static void refresh_plan(branch *b)
{
    const mc_scenario *s = mc_run_scenario(b->run);
    const unsigned long long hash = hash_text(BYTES_HASH_START, mc_scenario_text(s));
    if (b->plan && hash == b->plan_hash)
        return;
    char *written = mc_scenario_road_json(s);
    char *plan = plan_text(mc_scenario_road(s), written), *old = plan;
    free(written);
    pthread_mutex_lock(&b->lock);
    if (plan && (!b->plan || strcmp(plan, b->plan) != 0)) {
        old = b->plan;
        b->plan = plan;
        b->plan_version++;
    }
    b->plan_hash = hash;
    pthread_mutex_unlock(&b->lock);
    free(old);
}

void describe_refresh(hub *h, branch *b)
{
    if (!b->run)
        return; // a recording was described when it was read
    refresh_plan(b);
    json_t *out = json_object();
    put_run(b, out);
    char *text = json_dumps(out, TEXT_FLAGS), *vehicles = new_vehicles(h, b);
    char *old = NULL, *old_vehicles = NULL;
    json_decref(out);
    pthread_mutex_lock(&b->lock);
    if (text) {
        old = b->text;
        b->text = text;
    }
    if (vehicles) {
        old_vehicles = b->vehicles;
        b->vehicles = vehicles;
        b->vehicles_version++;
    }
    b->step = mc_run_step_size(b->run);
    b->limit = mc_run_limit(b->run);
    b->version = mc_timeline_version(b->line);
    if (b->state == BRANCH_ENDED && b->end < b->limit - 0.5 * b->step) { // it has a later end now
        b->state = BRANCH_RUNNING;
        b->message[0] = '\0';
    }
    pthread_mutex_unlock(&b->lock);
    free(old);
    free(old_vehicles);
}

// ---- what others may know ----

typedef struct facts { // of a branch, copied under its lock
    char name[NAME_SIZE], change[160], message[256];
    int number, parent, version, log_count;
    double fork, differs, start, end, limit, step, row, offset;
    bool same, replay, mechanism;
    branch_state state;
    char *text, *vehicles;
    uint32_t vehicles_version;
    branch_event *edits;
    int edit_count;
} facts;

static bool facts_take(branch *b, bool vehicles, facts *f)
{
    pthread_mutex_lock(&b->lock);
    *f = (facts){.number = b->number,
                 .parent = b->parent,
                 .version = b->version,
                 .log_count = b->log_count,
                 .fork = b->fork,
                 .differs = b->differs,
                 .start = b->start,
                 .end = b->end,
                 .limit = b->limit,
                 .step = b->step,
                 .row = b->row,
                 .offset = b->offset,
                 .same = b->same,
                 .replay = b->replay,
                 .mechanism = b->bench,
                 .state = b->state,
                 .vehicles_version = b->vehicles_version};
    memcpy(f->name, b->name, sizeof f->name);
    memcpy(f->change, b->change, sizeof f->change);
    memcpy(f->message, b->message, sizeof f->message);
    f->text = strdup(b->text ? b->text : "{}");
    f->vehicles = vehicles && b->vehicles ? strdup(b->vehicles) : NULL;
    int edits = 0;
    for (int k = 0; k < b->event_count; k++)
        edits += strcmp(b->events[k].type, "edit") == 0;
    f->edits = malloc(((size_t)edits + 1) * sizeof *f->edits);
    for (int k = 0; k < b->event_count && f->edits; k++)
        if (strcmp(b->events[k].type, "edit") == 0)
            f->edits[f->edit_count++] = b->events[k];
    const bool good = f->text && f->edits && (f->vehicles || !vehicles || !b->vehicles);
    pthread_mutex_unlock(&b->lock);
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
    json_put(out, "kind", json_string(f->mechanism ? "mechanism" : f->replay ? "replay" : "run"));
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
bool describe_put_text(branch *b, bool vehicles, bytes *out, uint32_t *version, int *log_count)
{
    facts f;
    bool good = facts_take(b, vehicles, &f);
    json_t *head = facts_json(&f, history_memory(&b->past) + history_memory(&b->instants));
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

static message *branch_message(branch *b, bool vehicles)
{
    bytes text = {0};
    static const char begin[] = "{\"kind\":\"world\",\"world\":";
    bytes_put(&text, begin, sizeof begin - 1);
    const bool good = describe_put_text(b, vehicles, &text, NULL, NULL);
    bytes_put(&text, "}", 1);
    message *m = good && !text.failed ? message_copy(text.data, text.size) : NULL;
    bytes_free(&text);
    return m;
}

void describe_tell(hub *h, branch *b)
{
    if (b->slot < 0)
        return;
    const bool known = mail_vehicles_known(h, b->slot, b->vehicles_version);
    mail_branch(h, b->slot, b->vehicles_version, branch_message(b, false),
                known ? NULL : branch_message(b, true));
}

void describe_changed(hub *h, branch *b)
{
    capture_roster(h, b);
    describe_refresh(h, b);
    b->now_valid = false;
    b->instant++;
    describe_tell(h, b);
}
