// edit_vehicles.c - edits that add, remove or change vehicles.
#include "base/text.h"
#include "scenario/edit_tree.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// Where a vehicle stands in the tree.
typedef struct entry {
    yaml_tree *node;    // its map; NULL: there is no such vehicle
    yaml_tree *list;    // that holds the map; NULL: it is a leader
    yaml_tree *platoon; // NULL: it belongs to none
} entry;

// ---- every vehicle an entry of its own ----

// Vehicles i .. i + n - 1 come from one entry of the file.
static int count_of(const scenario *s, int i)
{
    int n = 1;
    while (i + n < s->vehicle_count && s->vehicles[i + n].place.line == s->vehicles[i].place.line &&
           s->vehicles[i + n].place.column == s->vehicles[i].place.column)
        n++;
    return n;
}

// Replaces a repeated entry by one entry per vehicle; returns the number of the next vehicle.
static int expand_list(scenario_editor *e, yaml_tree *list, int i, bool placed)
{
    for (yaml_tree *n = list ? list->first : NULL; n && e->base.status == MC_OK; n = n->next) {
        const int count = count_of(e->s, i);
        yaml_tree_remove(n, "count");
        if (placed && count > 1)
            yaml_tree_remove(n, "spacing");
        const yaml_tree *pattern = n;
        for (int k = 0; k < count && e->base.status == MC_OK; k++, i++) {
            if (k > 0) {
                yaml_tree *next = yaml_tree_clone(&e->memory, pattern);
                if (!yaml_tree_insert(list, n, next))
                    reader_no_memory(&e->base);
                n = next;
            }
            if (k > 0 && placed && n)
                scenario_edit_put(e, n, "x", yaml_tree_number(&e->memory, e->s->vehicles[i].x));
            if (n)
                scenario_edit_put(e, n, "name", yaml_tree_text(&e->memory, e->s->vehicles[i].name));
        }
    }
    return i;
}

// The vehicles of the scenario stand in the order of the file.
static void expand(scenario_editor *e)
{
    if (e->expanded)
        return;
    e->expanded = true;
    int i = 0;
    const yaml_tree *platoons = yaml_tree_get(e->root, "platoons");
    for (yaml_tree *p = platoons ? platoons->first : NULL; p && e->base.status == MC_OK;
         p = p->next) {
        scenario_edit_put(e, yaml_tree_get(p, "leader"), "name",
                          yaml_tree_text(&e->memory, e->s->vehicles[i].name));
        i = expand_list(e, yaml_tree_get(p, "cars"), i + 1, false);
    }
    expand_list(e, yaml_tree_get(e->root, "vehicles"), i, true);
}

static bool is_called(const yaml_tree *map, const char *name)
{
    const yaml_tree *own = yaml_tree_get(map, "name");
    return own && strcmp(own->text, name) == 0;
}

static entry find_in(yaml_tree *list, yaml_tree *platoon, const char *name)
{
    for (yaml_tree *n = list ? list->first : NULL; n; n = n->next)
        if (is_called(n, name))
            return (entry){n, list, platoon};
    return (entry){0};
}

static entry find(scenario_editor *e, const char *name)
{
    expand(e);
    const yaml_tree *platoons = yaml_tree_get(e->root, "platoons");
    for (yaml_tree *p = platoons ? platoons->first : NULL; p; p = p->next) {
        yaml_tree *leader = yaml_tree_get(p, "leader");
        if (is_called(leader, name))
            return (entry){leader, NULL, p};
        const entry found = find_in(yaml_tree_get(p, "cars"), p, name);
        if (found.node)
            return found;
    }
    return find_in(yaml_tree_get(e->root, "vehicles"), NULL, name);
}

// The entry of the vehicle that a node names; an unknown name is rejected with a suggestion.
static entry need(scenario_editor *e, const yaml_node *node)
{
    const char *name = reader_text(&e->base, node);
    const entry found = e->base.status == MC_OK ? find(e, name) : (entry){0};
    if (found.node || e->base.status != MC_OK)
        return found;
    const int count = e->s->vehicle_count;
    const char **names = arena_alloc(&e->memory, ((size_t)count + 1) * sizeof names[0]);
    if (!names) {
        reader_no_memory(&e->base);
        return found;
    }
    for (int i = 0; i < count; i++)
        names[i] = e->s->vehicles[i].name;
    reader_unknown(&e->base, node, "vehicle", names, count);
    return found;
}

// ---- add ----

static const char *const add_keys[] = {
    "name",  "model", "controller", "profile", "lane",    "ramp",     "x",
    "y",     "v",     "heading",    "platoon", "headway", "distance", "user1",
    "user2", "user3", "user4",      "user5",   "user6",   "user7",    "user8"};
enum { ADD_KEY_COUNT = sizeof add_keys / sizeof add_keys[0] };

// The number N of a name carN; 0: it is another name.
static int number_of(const char *name)
{
    int number;
    return strncmp(name, "car", 3) == 0 && text_to_int(name + 3, &number) && number > 0 &&
                   number < INT_MAX
               ? number
               : 0;
}

// Whether a vehicle is called `name` (NULL: no check). Also finds the largest N of names carN.
static bool look_for(scenario_editor *e, const char *name, int *greatest)
{
    bool found = false;
    *greatest = 0;
    const yaml_tree *vehicles = yaml_tree_get(e->root, "vehicles");
    for (const yaml_tree *n = vehicles ? vehicles->first : NULL; n; n = n->next) {
        const yaml_tree *own = yaml_tree_get(n, "name"); // also of those added by this edit
        found = found || (name && own && strcmp(own->text, name) == 0);
        *greatest = own && number_of(own->text) > *greatest ? number_of(own->text) : *greatest;
    }
    for (int i = 0; i < e->s->vehicle_count; i++) {
        const char *own = e->s->vehicles[i].name;
        found = found || (name && !e->expanded && strcmp(own, name) == 0);
        *greatest = number_of(own) > *greatest ? number_of(own) : *greatest;
    }
    return found || (name && e->expanded && find(e, name).node);
}

static yaml_tree *free_name(scenario_editor *e)
{
    char name[24];
    int greatest;
    do {
        look_for(e, NULL, &greatest);
        snprintf(name, sizeof name, "car%d", greatest + 1 + e->named++);
    } while (e->expanded && find(e, name).node);
    return yaml_tree_text(&e->memory, name);
}

static void add_to_platoon(scenario_editor *e, const yaml_node *node, yaml_tree *added)
{
    const yaml_node *platoon = yaml_find(node, "platoon"), *lane = yaml_find(node, "lane");
    const entry front = need(e, platoon);
    if (!front.node)
        return;
    if (!front.platoon) {
        reader_reject(&e->base, platoon, "%s is not in a platoon, so no car can join it",
                      platoon->text);
        return;
    }
    if (lane) {
        reader_reject(&e->base, lane->key,
                      "a car that joins a platoon drives in its lane: remove the key lane");
        return;
    }
    if (yaml_find(node, "ramp")) {
        reader_reject(
            &e->base, yaml_find(node, "ramp")->key,
            "a car that joins a platoon drives behind it: remove the key ramp, or platoon");
        return;
    }
    yaml_tree_remove(added, "platoon");
    yaml_tree *cars = scenario_edit_part(e, front.platoon, "cars", YAML_SEQUENCE);
    yaml_tree_insert(cars, front.list ? front.node : NULL, added);
}

// `platoon: new`: the car leads a platoon of its own; others of the same edit can join it.
static void add_platoon(scenario_editor *e, yaml_tree *added)
{
    static const char *const moved[] = {"lane", "x", "v"}; // keys of the platoon, not of its leader
    expand(e); // entries are matched with the vehicles of the scenario, of which this is none yet
    yaml_tree *platoon = yaml_tree_new(YAML_MAPPING, &e->memory);
    yaml_tree_remove(added, "platoon");
    for (int k = 0; platoon && k < 3; k++) {
        yaml_tree *value = yaml_tree_get(added, moved[k]);
        if (value)
            scenario_edit_put(e, platoon, moved[k], yaml_tree_clone(&e->memory, value));
        yaml_tree_remove(added, moved[k]);
    }
    if (!platoon || e->base.status != MC_OK)
        return;
    scenario_edit_put(e, platoon, "leader", added);
    yaml_tree_append(scenario_edit_part(e, e->root, "platoons", YAML_SEQUENCE), platoon);
}

void scenario_edit_add(scenario_editor *e, const yaml_node *node)
{
    if (node->kind == YAML_SEQUENCE) { // several
        for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next)
            scenario_edit_add(e, n);
        return;
    }
    if (!reader_is_map(&e->base, node, "an added car", add_keys, ADD_KEY_COUNT))
        return;
    for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next) {
        bool known = false;
        for (int k = 0; k < ADD_KEY_COUNT; k++)
            known = known || strcmp(add_keys[k], n->key->text) == 0;
        if (!known)
            reader_unknown_key(&e->base, n->key, "an added car", add_keys, ADD_KEY_COUNT);
    }
    yaml_tree *added = e->base.status == MC_OK ? scenario_edit_copy(e, node) : NULL;
    if (!added)
        return;
    const yaml_node *name = yaml_find(node, "name");
    int greatest;
    if (name && look_for(e, reader_text(&e->base, name), &greatest))
        reader_reject(&e->base, name, "a vehicle %s already exists", name->text);
    if (!name)
        scenario_edit_put(e, added, "name", free_name(e));
    if (yaml_find(node, "ramp") && !yaml_find(node, "x")) // from the start of the ramp
        scenario_edit_put(e, added, "x", yaml_tree_number(&e->memory, 0.0));
    if (e->at > 0.0)
        scenario_edit_put(e, added, "from", yaml_tree_number(&e->memory, e->at));
    if (e->base.status != MC_OK)
        return;
    const yaml_node *platoon = yaml_find(node, "platoon");
    if (platoon && platoon->kind == YAML_SCALAR && strcmp(platoon->text, "new") == 0 &&
        !look_for(e, "new", &greatest))
        add_platoon(e, added);
    else if (platoon)
        add_to_platoon(e, node, added);
    else
        yaml_tree_append(scenario_edit_part(e, e->root, "vehicles", YAML_SEQUENCE), added);
}

// ---- remove ----

// Does an event speak of the vehicle? A list loses the name.
static bool speaks_of(yaml_tree *event, const char *name)
{
    yaml_tree *who = yaml_tree_get(event, "vehicle");
    if (!who)
        return false;
    if (who->kind == YAML_SCALAR)
        return strcmp(who->text, name) == 0;
    for (yaml_tree *n = who->first, *next; n; n = next) {
        next = n->next;
        if (strcmp(n->text, name) == 0)
            yaml_tree_take_out(who, n);
    }
    return !who->first;
}

static void forget_events(scenario_editor *e, const char *name)
{
    yaml_tree *events = yaml_tree_get(e->root, "events");
    for (yaml_tree *n = events ? events->first : NULL, *next; n; n = next) {
        next = n->next;
        if (speaks_of(n, name))
            yaml_tree_take_out(events, n);
    }
    if (events && !events->first)
        yaml_tree_remove(e->root, "events");
}

// A number of a platoon in a map when platoon `gone` is no more: 0, or one less.
static void renumber(scenario_editor *e, yaml_tree *map, int gone)
{
    const yaml_tree *node = yaml_tree_get(map, "leads_as");
    int number;
    if (!node || !text_to_int(node->text, &number) || number < gone)
        return;
    scenario_edit_put(e, map, "leads_as",
                      yaml_tree_number(&e->memory, number == gone ? 0.0 : number - 1.0));
}

static void take_platoon_out(scenario_editor *e, yaml_tree *platoon)
{
    yaml_tree *platoons = yaml_tree_get(e->root, "platoons");
    const yaml_tree *events = yaml_tree_get(e->root, "events");
    int gone = 1;
    for (const yaml_tree *p = platoons->first; p && p != platoon; p = p->next)
        gone++;
    yaml_tree_take_out(platoons, platoon);
    for (yaml_tree *p = platoons->first; p; p = p->next)
        renumber(e, p, gone);
    for (yaml_tree *n = events ? events->first : NULL; n; n = n->next)
        renumber(e, n, gone);
    if (!platoons->first)
        yaml_tree_remove(e->root, "platoons");
}

// The first car of a platoon becomes its leader, where it stood and as fast as it was.
static void promote(scenario_editor *e, yaml_tree *platoon)
{
    yaml_tree *cars = yaml_tree_get(platoon, "cars");
    yaml_tree *first = cars ? cars->first : NULL;
    if (!first) {
        take_platoon_out(e, platoon);
        return;
    }
    const char *name = yaml_tree_get(first, "name")->text;
    for (int i = 0; i < e->s->vehicle_count; i++)
        if (strcmp(e->s->vehicles[i].name, name) == 0) {
            scenario_edit_put(e, platoon, "x", yaml_tree_number(&e->memory, e->s->vehicles[i].x));
            scenario_edit_put(e, platoon, "v", yaml_tree_number(&e->memory, e->s->vehicles[i].v));
        }
    yaml_tree_take_out(cars, first);
    if (!cars->first)
        yaml_tree_remove(platoon, "cars");
    yaml_tree_remove(first, "spacing");
    yaml_tree_remove(first, "x");
    yaml_tree_remove(first, "v");
    first->next = NULL;
    scenario_edit_put(e, platoon, "leader", first);
}

static void remove_one(scenario_editor *e, const yaml_node *node)
{
    const entry gone = need(e, node);
    if (!gone.node)
        return;
    if (!gone.list) {
        promote(e, gone.platoon);
    } else {
        yaml_tree_take_out(gone.list, gone.node);
        if (!gone.list->first)
            yaml_tree_remove(gone.platoon ? gone.platoon : e->root,
                             gone.platoon ? "cars" : "vehicles");
    }
    forget_events(e, node->text);
}

void scenario_edit_remove(scenario_editor *e, const yaml_node *node)
{
    if (node->kind == YAML_MAPPING)
        reader_reject(&e->base, node, "found a map, expected the name of a car or a list of names");
    else if (node->kind == YAML_SCALAR)
        remove_one(e, node);
    for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next)
        remove_one(e, n);
}

// ---- ramps ----

// Vehicles of a run under way have begun: a ramp on which they did may be taken away.
void scenario_edit_leave_ramps(scenario_editor *e)
{
    const yaml_tree *vehicles = yaml_tree_get(e->root, "vehicles");
    for (yaml_tree *n = vehicles ? vehicles->first : NULL; n && e->at > 0.0; n = n->next) {
        const yaml_tree *from = yaml_tree_get(n, "from");
        double time = 0.0;
        if (!from || (text_to_double(from->text, &time) && time <= e->at))
            yaml_tree_remove(n, "ramp");
    }
}

// ---- change ----

static void change_one(scenario_editor *e, const yaml_node *who, const yaml_node *all)
{
    static const char *const keys[] = {"model", "controller", "profile"};
    const entry it = need(e, who);
    for (int k = 0; k < 3 && it.node && e->base.status == MC_OK; k++) {
        const yaml_node *value = yaml_find(all, keys[k]);
        if (!value)
            continue;
        if (k > 0)
            yaml_tree_remove(it.node, "driver"); // who follows something has no driver's file
        if (k > 0 && value->kind == YAML_SCALAR && strcmp(value->text, "none") == 0)
            yaml_tree_remove(it.node, keys[k]);
        else
            scenario_edit_put(e, it.node, keys[k], scenario_edit_copy(e, value));
    }
}

void scenario_edit_vehicle(scenario_editor *e, const yaml_node *node, const yaml_node *all)
{
    if (!yaml_find(all, "model") && !yaml_find(all, "controller") && !yaml_find(all, "profile")) {
        reader_reject(&e->base, node->key,
                      "vehicle also needs one of the keys model, controller, profile");
        return;
    }
    if (node->kind == YAML_MAPPING)
        reader_reject(&e->base, node, "found a map, expected the name of a car or a list of names");
    else if (node->kind == YAML_SCALAR)
        change_one(e, node, all);
    for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next)
        change_one(e, n, all);
}
