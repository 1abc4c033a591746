// events.c - faults and changes at given times.
#include "scenario/reader.h"

#include "base/text.h"
#include "scenario/section_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct handover {
    int kind;     // EVENT_CONTROLLER or EVENT_ESTIMATOR
    int number;   // of the controller or estimator; -1: none
    int previous; // of the same vehicle; -1: none
} handover;

static void add_event(scenario_reader *r, const scenario_event *e)
{
    scenario *s = r->s;
    if (s->event_count == SCENARIO_EVENTS_MAX) {
        const yaml_node node = {.line = e->place.line, .column = e->place.column};
        reader_reject(&r->base, &node, "a scenario has at most %d events, counting one per vehicle",
                      SCENARIO_EVENTS_MAX);
    }
    if (!SCENARIO_GROW(r, s->events, s->event_count, r->event_room))
        return;
    s->events[s->event_count++] = *e;
    r->headway_changes |= e->kind == EVENT_HEADWAY;
    r->distance_changes |= e->kind == EVENT_DISTANCE;
    if ((e->kind == EVENT_CONTROLLER || e->kind == EVENT_ESTIMATOR) &&
        SCENARIO_GROW(r, r->handovers, r->handover_count, r->handover_room)) {
        r->handovers[r->handover_count] =
            (handover){(int)e->kind, (int)e->value, r->last_handover[e->vehicle]};
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

// What the type of a vehicle can change while it runs.
static void offer_model(settable *list, const scenario_model *m)
{
    for (int k = 0; k < m->type->key_count; k++) {
        const mc_model_key *key = &m->type->keys[k];
        int count;
        const mc_param *rows = vehicle_rows(key, m->spec, &count);
        for (int i = 0; i < count; i++)
            if (vehicle_has_row(key, i) && vehicle_row_is_live(key, i))
                offer(list, rows[i].name, &rows[i]);
    }
}

// Of an estimator: estimator.NAME.
static void offer_estimator(scenario_reader *r, int number, settable *list)
{
    const scenario *s = r->s;
    for (int i = 0; number >= 0 && i < s->estimators[number].kind->param_count; i++) {
        const mc_param *row = &s->estimators[number].kind->params[i];
        char name[160];
        snprintf(name, sizeof name, "estimator.%.100s", row->name);
        offer(list, reader_copy(&r->base, name), row);
    }
}

// All that can be set of a vehicle: parameters of its model, of its powertrain, of its laws and
// estimators and of those that events give it, its desired values and the user variables.
static void settable_of(scenario_reader *r, int vehicle, settable *list)
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
    offer_laws(s, v->controller, list);
    offer_estimator(r, v->estimator, list);
    for (int i = r->last_handover[vehicle]; i >= 0 && list->count < SET_MAX;
         i = r->handovers[i].previous)
        if (r->handovers[i].kind == EVENT_CONTROLLER)
            offer_laws(s, r->handovers[i].number, list);
        else
            offer_estimator(r, r->handovers[i].number, list);
    const char *name;
    for (int i = 0; m->type->extra && (name = m->type->extra(m->spec, i)); i++)
        offer(list, name, NULL);
}

// Rejects a desired value below the command of the roadway, unless events change the command.
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
        reader_reject(&r->base, node,
                      "%s is %.9g %s, less than the %.9g %s commanded by the roadway; expected at "
                      "least the commanded value",
                      e->param, e->value, unit, command, unit);
}

// The index of a name in the list; -1: none. Ignores case if there is no exact match, since a
// deformable car writes its mass MASS.
static int find_settable(const settable *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->name[i], name) == 0)
            return i;
    for (int i = 0; i < list->count; i++)
        if (strcasecmp(list->name[i], name) == 0)
            return i;
    return -1;
}

static bool is_settable(const void *context, const char *name)
{
    return find_settable(context, name) >= 0;
}

static void set_one(scenario_reader *r, const yaml_node *node, const settable *list,
                    scenario_event e)
{
    const int i = find_settable(list, node->key->text);
    if (i < 0) {
        char what[160];
        snprintf(what, sizeof what, "parameter of %.63s", r->s->vehicles[e.vehicle].name);
        reader_unknown(&r->base, node->key, what, list->name, list->count);
        return;
    }
    e.param = reader_copy(&r->base, list->name[i]);
    e.row = list->row[i];
    e.value = list->row[i] ? scenario_value(r, node, list->row[i])
                           : reader_literal(&r->base, node, (expr_unit){0});
    e.place = scenario_place_of(node->key);
    obey(r, node, &e);
    if (r->base.status == MC_OK)
        add_event(r, &e);
}

static void read_set(scenario_reader *r, const yaml_node *node, const scenario_event *e)
{
    char found[80];
    if (node->kind != YAML_MAPPING) {
        reader_reject(&r->base, node, "found %s, expected a map such as {mass: 2400}",
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
    scenario_rename_keys(r, node, is_settable, list);
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

// Rules of a lane, kept as the words of the log.
static void read_rules(scenario_reader *r, const yaml_node *node, scenario_event *e)
{
    road_lane_stretch rules;
    char text[SECTION_TEXT_MAX];
    mc_error wrong = {0};
    e->value = NAN;
    scenario_read_section(r, node, r->s->road.lane_count, &rules);
    if (r->base.status != MC_OK)
        return;
    if (!isnan(rules.width)) {
        reader_reject(&r->base, yaml_find(node, "width")->key,
                      "the width of a lane cannot change by an event; use an edit of the road");
        return;
    }
    scenario_section_print(&rules, text);
    if (scenario_section_parse(text, &rules, &wrong) != MC_OK)
        reader_reject(&r->base, node, "%s", wrong.text);
    else
        e->param = reader_copy(&r->base, text);
}

static void read_lane(scenario_reader *r, const yaml_node *map, const yaml_node *node,
                      const char *key, scenario_event *e)
{
    e->value = scenario_whole(r, map, SECTION_EVENT, key);
    if (r->base.status == MC_OK && e->value > r->s->road.lane_count)
        reader_reject(&r->base, node, "there is no lane %g; the road has %d", e->value,
                      r->s->road.lane_count);
}

// Reads the value of the key of the kind into *e; EVENT_SET is for read_set.
static void read_what(scenario_reader *r, const yaml_node *map, const yaml_node *node,
                      scenario_event *e)
{
    const char *key = event_name((int)e->kind);
    switch (e->kind) {
    case EVENT_SET:
        break;
    case EVENT_PROFILE:
        e->value = scenario_profile_index(r, node, "event");
        break;
    case EVENT_CONTROLLER:
        e->value = scenario_controller_index(r, node);
        break;
    case EVENT_ESTIMATOR:
        e->value = node->kind == YAML_SCALAR && strcmp(node->text, "none") == 0
                       ? -1.0
                       : scenario_estimator_index(r, node);
        break;
    case EVENT_DRIVE:
        read_drive(r, node, e);
        break;
    case EVENT_RELEASE:
    case EVENT_CHECK_IN:
    case EVENT_CHECK_OUT:
    case EVENT_MERGE:
        if (!reader_is_empty(node) && !scenario_flag(r, map, key, true))
            reader_reject(&r->base, node, "%s must be true or omitted", key);
        break;
    case EVENT_SECTION:
        read_rules(r, node, e);
        break;
    case EVENT_ERSC:
        e->value = scenario_whole(r, map, SECTION_EVENT, key);
        if (r->base.status == MC_OK && e->value > 0.0 && r->s->road.lane_count < ERSC_LANES_MIN)
            reader_reject(&r->base, node,
                          "the ERSC needs a road with at least %d lanes, this one has %d",
                          ERSC_LANES_MIN, r->s->road.lane_count);
        break;
    case EVENT_HEADWAY:
    case EVENT_DISTANCE:
    case EVENT_SPEED:
    case EVENT_ACCELERATE:
        e->value = scenario_number(r, map, SECTION_EVENT, key);
        break;
    case EVENT_LANE:
    case EVENT_DRIVER_LANE:
    case EVENT_LEAVE:
        read_lane(r, map, node, key, e);
        break;
    case EVENT_SPLIT:
        e->value =
            reader_is_empty(node) ? (double)NAN : scenario_number(r, map, SECTION_EVENT, key);
        break;
    case EVENT_JOIN:
        e->value = scenario_whole(r, map, SECTION_EVENT, key);
        if (r->base.status == MC_OK && e->value > r->s->platoon_count)
            reader_reject(&r->base, node, "there is no platoon %g; the scenario has %d", e->value,
                          r->s->platoon_count);
        break;
    case EVENT_EXIT:
        e->value = node->kind == YAML_SCALAR && strcmp(node->text, "none") == 0
                       ? -1.0
                       : scenario_exit_index(r, node);
        break;
    case EVENT_LEADS_AS:
        e->value = scenario_whole(r, map, SECTION_EVENT, key);
        break;
    default: // a fault
        e->value = event_kinds[e->kind].optional && reader_is_empty(node)
                       ? event_rows[e->kind].fallback
                       : scenario_value(r, node, &event_rows[e->kind]);
    }
}

// The one key that names the kind.
static const yaml_node *find_kind(scenario_reader *r, const yaml_node *map, event_number *kind)
{
    const yaml_node *found = NULL;
    for (const yaml_node *n = map->first; n; n = n->next)
        for (int k = 0; k < EVENT_KIND_COUNT; k++) {
            if (strcmp(n->key->text, event_name(k)) != 0)
                continue;
            if (found) {
                reader_reject(&r->base, n->key,
                              "an event has one action, found %s and %s; write two events",
                              found->key->text, n->key->text);
                return NULL;
            }
            found = n;
            *kind = (event_number)k;
        }
    if (!found) {
        char list[500];
        const char *names[EVENT_KIND_COUNT];
        for (int k = 0; k < EVENT_KIND_COUNT; k++)
            names[k] = event_name(k);
        reader_join(list, sizeof list, names, EVENT_KIND_COUNT);
        reader_reject(&r->base, map, "an event needs one of the keys %s", list);
    }
    return found;
}

static void reject_shape(scenario_reader *r, const yaml_node *key, int kind)
{
    const char *names[EVENT_KIND_COUNT];
    char list[200];
    int count = 0;
    for (int k = EVENT_KIND_COUNT - 1; k >= 0; k--)
        if (event_kinds[k].shaped)
            names[count++] = event_name(k);
    text_join(list, sizeof list, names, count, "and");
    reader_reject(&r->base, key, "%s has no shape; only %s have one", event_name(kind), list);
}

// The shape of a disturbance: over time, as words.
static void read_shape(scenario_reader *r, const yaml_node *map, scenario_event *e)
{
    const yaml_node *node = reader_get(&r->base, map, "shape");
    mc_error wrong = {0};
    if (!node || r->base.status != MC_OK)
        return;
    const char *text = reader_text(&r->base, node);
    if (r->base.status != MC_OK)
        return;
    if (!event_kinds[e->kind].shaped)
        reject_shape(r, node->key, (int)e->kind);
    else if (event_check_shape((int)e->kind, text, &wrong) != MC_OK)
        reader_reject(&r->base, node, "%s", wrong.text);
    else
        e->param = reader_copy(&r->base, text);
}

static void check_times(scenario_reader *r, const yaml_node *map, const scenario_event *e)
{
    if (r->base.status != MC_OK)
        return;
    const bool once = e->kind == EVENT_SECTION || e->kind == EVENT_CHECK_IN ||
                      e->kind == EVENT_CHECK_OUT ||
                      (e->kind >= EVENT_JOIN && e->kind <= EVENT_MERGE);
    if (e->kind == EVENT_SET && !isnan(e->until))
        reader_reject(&r->base, yaml_find(map, "until"),
                      "set cannot have until; use a second event to restore the value");
    if (once && !isnan(e->until))
        reader_reject(&r->base, yaml_find(map, "until"), "%s cannot have until; use a second event",
                      event_name((int)e->kind));
    if (e->until <= e->at)
        reader_reject(&r->base, yaml_find(map, "until"),
                      "until is %.9g s, expected after at, %.9g s", e->until, e->at);
    else if (e->at > r->s->end)
        scenario_warn(r, e->place, "the event at %.9g s is after the end, %.9g s", e->at,
                      r->s->end);
}

static void happen_to(scenario_reader *r, const yaml_node *what, scenario_event e, int vehicle)
{
    char wrong[200];
    e.vehicle = vehicle;
    if (e.kind == EVENT_LEADS_AS && r->base.status == MC_OK &&
        !scenario_may_lead_as(r->s, vehicle, (int)e.value, wrong, sizeof wrong))
        reader_reject(&r->base, what, "%s", wrong);
    if (e.kind == EVENT_SET)
        read_set(r, what, &e);
    else if (r->base.status == MC_OK)
        add_event(r, &e);
}

static void read_event(scenario_reader *r, const yaml_node *map, int entry)
{
    scenario_event e = {.vehicle = -1, .place = scenario_place_of(map), .entry = entry};
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
    if ((e.kind == EVENT_SECTION || e.kind == EVENT_ERSC) && vehicle)
        reader_reject(&r->base, vehicle->key, "%s is a roadway command; it has no vehicle",
                      what->key->text);
    else if (event_is_roadway((int)e.kind) && vehicle)
        reader_reject(&r->base, vehicle->key,
                      "%s is a roadway command to all vehicles; for one vehicle use set: {%s: ...}",
                      what->key->text, what->key->text);
    else if (event_is_roadway((int)e.kind))
        add_event(r, &e);
    else if (!vehicle)
        reader_reject(&r->base, map, "the event %s needs the key vehicle (%s)", what->key->text,
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
    for (int entry = 1; n && r->base.status == MC_OK; n = n->next)
        read_event(r, n, entry++);
    for (int i = 0; i < s->event_count; i++)
        s->events[i].order = i; // of the file, for events at one instant
    scenario_sort_events(s);
}

void scenario_sort_events(scenario *s)
{
    if (s->event_count)
        qsort(s->events, (size_t)s->event_count, sizeof s->events[0], compare_events);
}
