// scenario_events.c - faults and changes at given times.
#include "model/scenario_reader.h"

#include "control/wave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const scenario_event_names[EVENT_KIND_COUNT] = {
    [EVENT_BRAKE_LOST] = "brake_lost",
    [EVENT_THROTTLE_STUCK] = "throttle_stuck",
    [EVENT_SENSOR_BIAS] = "sensor_bias",
    [EVENT_SENSOR_NOISE] = "sensor_noise",
    [EVENT_RADIO_DELAY] = "radio_delay",
    [EVENT_RADIO_LOSS] = "radio_loss",
    [EVENT_PUSH] = "push",
    [EVENT_SET] = "set",
    [EVENT_HEADWAY] = "headway",
    [EVENT_DISTANCE] = "distance",
    [EVENT_SPEED] = "speed",
    [EVENT_PROFILE] = "profile",
    [EVENT_CONTROLLER] = "controller",
    [EVENT_DRIVE] = "drive",
    [EVENT_RELEASE] = "release",
};

typedef struct handover {
    int controller;
    int previous; // of the same vehicle; -1: none
} handover;

static bool is_command(scenario_event_kind kind)
{
    return kind == EVENT_HEADWAY || kind == EVENT_DISTANCE || kind == EVENT_SPEED;
}

static void add_event(scenario_reader *r, const scenario_event *e)
{
    scenario *s = r->s;
    if (s->event_count == SCENARIO_EVENTS_MAX) {
        const yaml_node node = {.line = e->place.line, .column = e->place.column};
        reader_refuse(&r->base, &node, "a scenario has %d events at most, one for each vehicle",
                      SCENARIO_EVENTS_MAX);
    }
    if (!SCENARIO_GROW(r, s->events, s->event_count, r->event_room))
        return;
    s->events[s->event_count++] = *e;
    r->headway_changes |= e->kind == EVENT_HEADWAY;
    r->distance_changes |= e->kind == EVENT_DISTANCE;
    if (e->kind == EVENT_CONTROLLER &&
        SCENARIO_GROW(r, r->handovers, r->handover_count, r->handover_room)) {
        r->handovers[r->handover_count] = (handover){(int)e->value, r->last_handover[e->vehicle]};
        r->last_handover[e->vehicle] = r->handover_count++;
    }
}

// ---- set ----

enum { SET_MAX = 512 };

// Names that `set` can change; rows of tables where there is one, else NULL.
struct settable {
    const char *name[SET_MAX];
    const mc_param *row[SET_MAX];
    int count;
};
typedef struct settable settable;

static void offer(settable *list, const char *name, const mc_param *row)
{
    if (list->count == SET_MAX)
        return;
    list->name[list->count] = name;
    list->row[list->count++] = row;
}

static void offer_table(settable *list, const mc_param *params, int count)
{
    for (int i = 0; i < count; i++)
        offer(list, params[i].name, &params[i]);
}

static void offer_laws(const scenario *s, int controller, settable *list)
{
    if (controller < 0)
        return;
    const scenario_controller *c = &s->controllers[controller];
    offer_table(list, c->law->params, c->law->param_count);
    if (c->fallback)
        offer_table(list, c->fallback->params, c->fallback->param_count);
}

// What a vehicle of each kind can change while it runs: never its outline, another may touch it.
static void offer_model(settable *list, const scenario_model *m)
{
    static const int driven[] = {DRIVE_BRAKE_MOST, DRIVE_BRAKE_FRONT, DRIVE_FRONT, DRIVE_DRAG,
                                 DRIVE_ROLL};
    if (m->kind == SCENARIO_COSSERAT || m->kind == SCENARIO_MULTIBODY) {
        offer_table(list, &car_params[CAR_MASS], 1);
        offer_table(list, &car_params[CAR_ACCELERATION_MOST], 1);
        for (size_t k = 0; k < sizeof driven / sizeof driven[0]; k++)
            offer_table(list, &drive_params[driven[k]], 1);
        return;
    }
    const int count = m->kind == SCENARIO_POINT ? CAR_NOMINAL_MASS : CAR_PARAM_COUNT;
    for (int k = 0; k < count; k++)
        if (k != CAR_LENGTH && k != CAR_WIDTH && k != CAR_HEIGHT)
            offer_table(list, &car_params[k], 1);
}

// All that can be set of a vehicle: parameters of its model, of its powertrain, of its laws and of
// those that events give it, its wishes and the variables of the user.
static void settable_of(const scenario_reader *r, int vehicle, settable *list)
{
    static const mc_param own[] = {
        {"headway", "s", 0, 0, 60, ""},       {"distance", "m", 0, 0, 1000, ""},
        {"speed", "m/s", 0, 0, 150, ""},      {"user1", "-", 0, -1e300, 1e300, ""},
        {"user2", "-", 0, -1e300, 1e300, ""}, {"user3", "-", 0, -1e300, 1e300, ""},
        {"user4", "-", 0, -1e300, 1e300, ""}, {"user5", "-", 0, -1e300, 1e300, ""},
        {"user6", "-", 0, -1e300, 1e300, ""}, {"user7", "-", 0, -1e300, 1e300, ""},
        {"user8", "-", 0, -1e300, 1e300, ""},
    };
    const scenario *s = r->s;
    const scenario_vehicle *v = &s->vehicles[vehicle];
    const scenario_model *m = &s->models[v->model];
    list->count = 0;
    offer_table(list, own, sizeof own / sizeof own[0]);
    offer_model(list, m);
    if (m->car.powertrain && m->kind == SCENARIO_POWERTRAIN)
        offer_table(list, m->car.powertrain->params, m->car.powertrain->param_count);
    offer_laws(s, v->controller, list);
    for (int i = r->last_handover[vehicle]; i >= 0 && list->count < SET_MAX;
         i = r->handovers[i].previous)
        offer_laws(s, r->handovers[i].controller, list);
    for (int i = 0; i < r->mechanism_count[v->model]; i++)
        offer(list, r->mechanism[v->model][i], NULL);
}

// A wish below the command of the roadway, unless events change that.
static void obey(scenario_reader *r, const yaml_node *node, const scenario_event *e)
{
    const scenario *s = r->s;
    const bool headway = strcmp(e->param, "headway") == 0;
    const bool given = headway ? r->s->headway_commanded : r->s->distance_commanded;
    const double command = headway ? s->headway : s->distance;
    const char *unit = headway ? "s" : "m";
    if (r->base.status != MC_OK || !given || (!headway && strcmp(e->param, "distance") != 0))
        return;
    const bool changes = headway ? r->headway_changes : r->distance_changes;
    if (e->value < command && !changes)
        reader_refuse(&r->base, node,
                      "%s is %.9g %s, the roadway commands %.9g %s: automatic cars may keep more "
                      "than the roadway asks for, not less",
                      e->param, e->value, unit, command, unit);
}

static void set_one(scenario_reader *r, const yaml_node *node, const settable *list,
                    scenario_event e)
{
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->name[i], node->key->text) != 0)
            continue;
        e.param = reader_copy(&r->base, list->name[i]);
        e.value = list->row[i] ? scenario_value(r, node, list->row[i])
                               : reader_literal(&r->base, node, (expr_unit){0});
        e.place = scenario_place_of(node->key);
        obey(r, node, &e);
        if (r->base.status == MC_OK)
            add_event(r, &e);
        return;
    }
    char what[160];
    snprintf(what, sizeof what, "parameter of %.63s", r->s->vehicles[e.vehicle].name);
    reader_unknown(&r->base, node->key, what, list->name, list->count);
}

static void read_set(scenario_reader *r, const yaml_node *node, const scenario_event *e)
{
    char found[80];
    if (node->kind != YAML_MAPPING) {
        reader_refuse(&r->base, node, "found %s, expected a map such as {mass: 2400}",
                      reader_found(node, found));
        return;
    }
    if (!r->settable)
        r->settable = arena_alloc(&r->scratch, sizeof(settable));
    settable *list = r->settable;
    if (!list) {
        reader_no_memory(&r->base);
        return;
    }
    settable_of(r, e->vehicle, list);
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next)
        set_one(r, n, list, *e);
}

// ---- the kinds ----

static void read_drive(scenario_reader *r, const yaml_node *node, scenario_event *e)
{
    if (!scenario_check_keys(r, node, SECTION_DRIVE, NULL, 0))
        return;
    e->inputs.throttle = scenario_number(r, node, SECTION_DRIVE, "throttle");
    e->inputs.brake = scenario_number(r, node, SECTION_DRIVE, "brake");
    e->inputs.steer = scenario_number(r, node, SECTION_DRIVE, "steer");
    e->inputs.acceleration = scenario_number(r, node, SECTION_DRIVE, "acceleration");
}

// What stands behind the key of the kind, into *e; EVENT_SET is for read_set.
static void read_what(scenario_reader *r, const yaml_node *map, const yaml_node *node,
                      scenario_event *e)
{
    const char *key = scenario_event_names[e->kind];
    switch (e->kind) {
    case EVENT_SET:
        break;
    case EVENT_PROFILE:
        e->value = scenario_profile_index(r, node, "event");
        break;
    case EVENT_CONTROLLER:
        e->value = scenario_controller_index(r, node);
        break;
    case EVENT_DRIVE:
        read_drive(r, node, e);
        break;
    case EVENT_RELEASE:
        if (!reader_is_empty(node) && !scenario_flag(r, map, key, true))
            reader_refuse(&r->base, node, "release is true, or not there at all");
        break;
    case EVENT_BRAKE_LOST:
        e->value = reader_is_empty(node) ? 0.0 : scenario_number(r, map, SECTION_EVENT, key);
        break;
    case EVENT_THROTTLE_STUCK:
        e->value = reader_is_empty(node) ? NAN : scenario_number(r, map, SECTION_EVENT, key);
        break;
    default:
        e->value = scenario_number(r, map, SECTION_EVENT, key);
    }
}

// The one key that names the kind.
static const yaml_node *find_kind(scenario_reader *r, const yaml_node *map,
                                  scenario_event_kind *kind)
{
    const yaml_node *found = NULL;
    for (const yaml_node *n = map->first; n; n = n->next)
        for (int k = 0; k < EVENT_KIND_COUNT; k++) {
            if (strcmp(n->key->text, scenario_event_names[k]) != 0)
                continue;
            if (found) {
                reader_refuse(&r->base, n->key,
                              "an event does one thing: %s or %s; write two events",
                              found->key->text, n->key->text);
                return NULL;
            }
            found = n;
            *kind = (scenario_event_kind)k;
        }
    if (!found) {
        char list[300];
        reader_join(list, sizeof list, scenario_event_names, EVENT_KIND_COUNT);
        reader_refuse(&r->base, map, "an event needs one of the keys %s", list);
    }
    return found;
}

// The shape of a push or of a bias: over time, as words.
static void read_shape(scenario_reader *r, const yaml_node *map, scenario_event *e)
{
    const yaml_node *node = reader_get(&r->base, map, "shape");
    wave w;
    mc_error wrong = {0};
    if (!node || r->base.status != MC_OK)
        return;
    const char *text = reader_text(&r->base, node);
    if (r->base.status != MC_OK)
        return;
    if (e->kind != EVENT_PUSH && e->kind != EVENT_SENSOR_BIAS)
        reader_refuse(&r->base, node->key, "%s has no shape; push and sensor_bias have",
                      scenario_event_names[e->kind]);
    else if (wave_parse(text, &w, &wrong) != MC_OK)
        reader_refuse(&r->base, node, "%s", wrong.text);
    else
        e->param = reader_copy(&r->base, text);
}

static void check_times(scenario_reader *r, const yaml_node *map, const scenario_event *e)
{
    if (r->base.status != MC_OK)
        return;
    if (e->kind == EVENT_SET && !isnan(e->until))
        reader_refuse(&r->base, yaml_find(map, "until"),
                      "set has no until: a second event sets the old value again");
    if (e->until <= e->at)
        reader_refuse(&r->base, yaml_find(map, "until"), "until is %.9g s, not after at, %.9g s",
                      e->until, e->at);
    else if (e->at > r->s->end)
        scenario_warn(r, e->place, "the event at %.9g s comes after the end, %.9g s", e->at,
                      r->s->end);
}

static void happen_to(scenario_reader *r, const yaml_node *what, scenario_event e, int vehicle)
{
    e.vehicle = vehicle;
    if (e.kind == EVENT_SET)
        read_set(r, what, &e);
    else if (r->base.status == MC_OK)
        add_event(r, &e);
}

static void read_event(scenario_reader *r, const yaml_node *map)
{
    scenario_event e = {.vehicle = -1, .place = scenario_place_of(map)};
    if (!scenario_check_keys(r, map, SECTION_EVENT, NULL, 0))
        return;
    const yaml_node *what = find_kind(r, map, &e.kind);
    if (!what)
        return;
    e.at = scenario_number(r, map, SECTION_EVENT, "at");
    e.until = scenario_number(r, map, SECTION_EVENT, "until");
    check_times(r, map, &e);
    read_what(r, map, what, &e);
    read_shape(r, map, &e);
    const yaml_node *vehicle = reader_get(&r->base, map, "vehicle");
    if (r->base.status != MC_OK)
        return;
    if (is_command(e.kind) && vehicle)
        reader_refuse(&r->base, vehicle->key,
                      "%s is a command of the roadway to all; for one vehicle write set: {%s: ...}",
                      what->key->text, what->key->text);
    else if (is_command(e.kind))
        add_event(r, &e);
    else if (!vehicle)
        reader_refuse(&r->base, map, "the event %s needs the key vehicle (%s)", what->key->text,
                      scenario_key_find(SECTION_EVENT, "vehicle")->doc);
    else if (vehicle->kind == YAML_SEQUENCE)
        for (const yaml_node *n = vehicle->first; n && r->base.status == MC_OK; n = n->next) {
            const int index = scenario_vehicle_index(r, n);
            if (index >= 0)
                happen_to(r, what, e, index);
        }
    else if (strcmp(vehicle->text, "all") == 0)
        for (int i = 0; i < r->s->vehicle_count && r->base.status == MC_OK; i++)
            happen_to(r, what, e, i);
    else {
        const int index = scenario_vehicle_index(r, vehicle);
        if (index >= 0)
            happen_to(r, what, e, index);
    }
}

static int compare_events(const void *a, const void *b)
{
    const scenario_event *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return 0;
}

void scenario_read_events(scenario_reader *r, const yaml_node *root)
{
    int count;
    scenario *s = r->s;
    const yaml_node *n = scenario_elements(r, root, "events", YAML_SEQUENCE, &count);
    r->last_handover =
        arena_alloc(&r->scratch, (size_t)s->vehicle_count * sizeof r->last_handover[0]);
    if (!r->last_handover)
        reader_no_memory(&r->base);
    for (int i = 0; i < s->vehicle_count && r->base.status == MC_OK; i++)
        r->last_handover[i] = -1;
    for (; n && r->base.status == MC_OK; n = n->next)
        read_event(r, n);
    for (int i = 0; i < s->event_count; i++)
        s->events[i].order = i; // of the file, for events at one instant
    if (s->event_count)
        qsort(s->events, (size_t)s->event_count, sizeof s->events[0], compare_events);
}
