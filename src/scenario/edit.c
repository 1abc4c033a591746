// edit.c - one edit: its keys, the parts of the file other than vehicles.
#include "scenario/edit.h"

#include "scenario/edit_tree.h"
#include "scenario/keys.h"
#include "scenario/log_section.h"
#include "scenario/set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDIT_MAX = 1 << 20, SET_MAX = 320 }; // bytes of an edit, of one NAME=VALUE
enum { SETS_MAX = 64 };                     // NAME=VALUE of one edit

// ---- parts of the tree ----

yaml_tree *scenario_edit_part(scenario_editor *e, yaml_tree *map, const char *key, yaml_kind kind)
{
    yaml_tree *part = yaml_tree_get(map, key);
    if (part && part->kind == kind)
        return part;
    part = yaml_tree_new(kind, &e->memory);
    scenario_edit_put(e, map, key, part);
    return part;
}

yaml_tree *scenario_edit_copy(scenario_editor *e, const yaml_node *node)
{
    yaml_tree *copy = yaml_tree_copy(&e->memory, node);
    if (!copy)
        reader_no_memory(&e->base);
    return copy;
}

void scenario_edit_put(scenario_editor *e, yaml_tree *map, const char *key, yaml_tree *value)
{
    if (e->base.status == MC_OK && !yaml_tree_set(&e->memory, map, key, value))
        reader_no_memory(&e->base);
}

// ---- numbers by name ----

// The list `set` of the file.
static yaml_tree *sets_of(scenario_editor *e)
{
    yaml_tree *list = yaml_tree_get(e->root, "set");
    if (list && list->kind == YAML_SCALAR && list->text[0]) { // one text is a list of one
        yaml_tree *only = yaml_tree_clone(&e->memory, list);
        list = yaml_tree_new(YAML_SEQUENCE, &e->memory);
        if (!yaml_tree_append(list, only))
            reader_no_memory(&e->base);
        scenario_edit_put(e, e->root, "set", list);
        return list;
    }
    return scenario_edit_part(e, e->root, "set", YAML_SEQUENCE);
}

// Forgets what was set by name of an owner: of all its numbers (key NULL), or of one.
static void forget_sets(scenario_editor *e, const char *owner, const char *key)
{
    char begin[SET_MAX];
    snprintf(begin, sizeof begin, "%s.%s%s", owner, key ? key : "", key ? "=" : "");
    if (!yaml_tree_get(e->root, "set"))
        return;
    yaml_tree *list = sets_of(e);
    for (yaml_tree *n = list->first, *next; n; n = next) {
        next = n->next;
        if (strncmp(n->text, begin, strlen(begin)) == 0)
            yaml_tree_take_out(list, n);
    }
    if (!list->first)
        yaml_tree_remove(e->root, "set");
}

static void add_set(scenario_editor *e, const char *text)
{
    char owner[SET_MAX], *point;
    const size_t name = strcspn(text, "="); // an earlier value of the same number goes
    snprintf(owner, sizeof owner, "%.*s", (int)(name < SET_MAX ? name : SET_MAX - 1), text);
    point = strrchr(owner, '.');
    if (point) {
        *point = '\0';
        forget_sets(e, owner, point + 1);
    }
    if (e->base.status == MC_OK &&
        !yaml_tree_append(sets_of(e), yaml_tree_quoted(&e->memory, text)))
        reader_no_memory(&e->base);
}

// A setting without an owner becomes one setting per owner that has the number, so that an owner
// that is replaced later loses it.
static bool set_owner(scenario_editor *e, scenario *scratch, const char *owner, const char *text)
{
    char whole[SET_MAX];
    mc_error error;
    snprintf(whole, sizeof whole, "%s.%s", owner, text);
    if (scenario_set(scratch, whole, &error) != MC_OK)
        return false;
    add_set(e, whole);
    return true;
}

static void edit_set(scenario_editor *e, const yaml_node *node)
{
    const char *text = reader_text(&e->base, node);
    mc_error error = {0};
    if (e->base.status != MC_OK)
        return;
    if (strlen(text) > SET_MAX / 2) {
        reader_reject(&e->base, node, "a text of set has at most %d characters", SET_MAX / 2);
        return;
    }
    // Tried on a copy, one for the whole edit: names and values are checked, and who has the number
    // comes out.
    if (!e->scratch)
        e->scratch = scenario_parse_version(e->s, e->s->text, strlen(e->s->text), true, &error);
    scenario *scratch = e->scratch;
    if (!scratch || scenario_set(scratch, text, &error) != MC_OK) {
        reader_reject(&e->base, node, "set: %s", error.text);
        return;
    }
    const size_t name = strcspn(text, "=");
    bool owned = memchr(text, '.', name) != NULL, found = false;
    for (int k = 0; k < scratch->model_count && !owned; k++)
        found |= set_owner(e, scratch, scratch->models[k].name, text);
    for (int k = 0; k < scratch->controller_count && !owned; k++)
        if (scratch->controllers[k].place.line > 0)
            found |= set_owner(e, scratch, scratch->controllers[k].name, text);
    if (!found)
        add_set(e, text);
}

static void edit_sets(scenario_editor *e, const yaml_node *node)
{
    if (node->kind == YAML_MAPPING)
        reader_reject(&e->base, node, "found a map, expected \"NAME=VALUE\" or a list of them");
    if (node->kind == YAML_SCALAR)
        edit_set(e, node);
    int count = 0;
    for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next) {
        if (++count > SETS_MAX)
            reader_reject(&e->base, n, "set has more than %d entries: split it into several edits",
                          SETS_MAX);
        else
            edit_set(e, n);
    }
}

// ---- other parts ----

// controllers, models, profiles, estimators: entries by name, replaced or added.
static void edit_named(scenario_editor *e, const yaml_node *node)
{
    const char *key = node->key->text;
    if (node->kind != YAML_MAPPING || !node->first) {
        reader_reject(&e->base, node, "%s needs a map of names, such as {%s: {name: {...}}}", key,
                      key);
        return;
    }
    yaml_tree *part = scenario_edit_part(e, e->root, key, YAML_MAPPING);
    for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next) {
        scenario_edit_put(e, part, n->key->text, scenario_edit_copy(e, n));
        forget_sets(e, n->key->text, NULL);
    }
}

static void edit_stretches(scenario_editor *e, const yaml_node *node)
{
    if (node->kind != YAML_SEQUENCE) {
        reader_reject(&e->base, node, "%s needs a list of stretches, [{from: .., to: .., ...}]",
                      node->key->text);
        return;
    }
    yaml_tree *part = scenario_edit_part(e, e->root, "road", YAML_MAPPING);
    if (e->base.status == MC_OK && node->first && strcmp(node->key->text, "grades") == 0 &&
        yaml_tree_get(part, "profile")) {
        reader_reject(&e->base, node,
                      "the road's slope is given by its profile; {road: {profile: null}, grades: "
                      "[...]} replaces it by grades");
        return;
    }
    scenario_edit_put(e, part, node->key->text, scenario_edit_copy(e, node));
}

// Ramps come from one of these keys: the one of the edit replaces the others.
static void replace_ramps(scenario_editor *e, yaml_tree *part, const char *key)
{
    static const char *const keys[] = {"ramps", "ramp_lines", "ramp_file"};
    if (strncmp(key, "ramp", 4) != 0)
        return;
    for (int k = 0; k < 3; k++)
        if (strcmp(keys[k], key) != 0)
            yaml_tree_remove(part, keys[k]);
    scenario_edit_leave_ramps(e);
}

static void edit_road(scenario_editor *e, const yaml_node *node)
{
    if (node->kind != YAML_MAPPING) {
        reader_reject(&e->base, node, "road needs a map of its keys, such as {road: {lanes: 3}}");
        return;
    }
    yaml_tree *part = scenario_edit_part(e, e->root, "road", YAML_MAPPING);
    for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next) {
        const bool formula = strcmp(n->key->text, "profile") == 0;
        forget_sets(e, formula ? "profile" : "road", formula ? NULL : n->key->text);
        if (formula && n->kind == YAML_SCALAR &&
            (reader_is_empty(n) || strcmp(n->text, "null") == 0))
            yaml_tree_remove(part, "profile");
        else
            scenario_edit_put(e, part, n->key->text, scenario_edit_copy(e, n));
        replace_ramps(e, part, n->key->text);
    }
}

// The time between rows stays a whole number of steps.
static void fit_record(scenario_editor *e, yaml_tree *time, double step)
{
    if (!yaml_tree_get(time, "record"))
        return;
    const double rows = round(e->s->record / step);
    forget_sets(e, "time", "record");
    scenario_edit_put(e, time, "record", yaml_tree_number(&e->memory, fmax(rows, 1.0) * step));
}

static void edit_time(scenario_editor *e, const yaml_node *node)
{
    const scenario_key *row = scenario_key_find(SECTION_TIME, node->key->text);
    double factor;
    const double value = reader_literal(&e->base, node, reader_unit_of("s", &factor));
    yaml_tree *time = scenario_edit_part(e, e->root, "time", YAML_MAPPING);
    if (e->base.status != MC_OK)
        return;
    if (!(value >= row->min && value <= row->max)) {
        reader_reject(&e->base, node, "%s is %.9g s; expected %g .. %g s", row->name, value,
                      row->min, row->max);
        return;
    }
    forget_sets(e, "time", row->name);
    scenario_edit_put(e, time, row->name, scenario_edit_copy(e, node));
    if (strcmp(row->name, "step") == 0)
        fit_record(e, time, value);
}

// ---- the edit ----

static const char *const edit_keys[] = {
    "add",         "remove", "vehicle",  "model",      "controller",   "profile",
    "controllers", "models", "profiles", "grades",     "friction",     "road",
    "step",        "end",    "set",      "estimators", "braking_step", "obstacles"};
enum { EDIT_KEY_COUNT = sizeof edit_keys / sizeof edit_keys[0] };

// Whether a key names a file: of a model of any type, or a driver's.
static bool names_file(const char *word)
{
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++)
        for (int k = 0; k < type->key_count; k++)
            if (type->keys[k].form == MC_KEY_FORM_FILE && strcmp(type->keys[k].name, word) == 0)
                return true;
    return strcmp(word, "driver") == 0 || strcmp(word, "ramp_file") == 0;
}

// Names of files would let a sender read what he likes.
static void reject_files(scenario_editor *e, const yaml_node *node)
{
    for (const yaml_node *n = node->first; n && e->base.status == MC_OK; n = n->next) {
        if (n->key && names_file(n->key->text))
            reader_reject(&e->base, n->key,
                          "an edit cannot name files: the key %s is only for scenario files",
                          n->key->text);
        reject_files(e, n);
    }
}

static void edit_key(scenario_editor *e, const yaml_node *n, const yaml_node *all)
{
    const char *key = n->key->text;
    if (strcmp(key, "add") == 0)
        scenario_edit_add(e, n);
    else if (strcmp(key, "remove") == 0)
        scenario_edit_remove(e, n);
    else if (strcmp(key, "vehicle") == 0)
        scenario_edit_vehicle(e, n, all);
    else if (strcmp(key, "controllers") == 0 || strcmp(key, "models") == 0 ||
             strcmp(key, "profiles") == 0 || strcmp(key, "estimators") == 0)
        edit_named(e, n);
    else if (strcmp(key, "grades") == 0 || strcmp(key, "friction") == 0)
        edit_stretches(e, n);
    else if (strcmp(key, "road") == 0)
        edit_road(e, n);
    else if (strcmp(key, "obstacles") == 0) // all of them: the old list goes
        scenario_edit_put(e, e->root, key, scenario_edit_copy(e, n));
    else if (strcmp(key, "step") == 0 || strcmp(key, "end") == 0 ||
             strcmp(key, "braking_step") == 0)
        edit_time(e, n);
    else if (strcmp(key, "set") == 0)
        edit_sets(e, n);
    else if (!yaml_find(all, "vehicle")) // model, controller, profile
        reader_reject(&e->base, n->key,
                      "%s needs the key vehicle, for example {vehicle: car3, %s: ...}", key, key);
}

static void edit_all(scenario_editor *e, const yaml_node *all)
{
    if (!reader_is_map(&e->base, all, "an edit", edit_keys, EDIT_KEY_COUNT))
        return;
    reject_files(e, all);
    if (e->base.status == MC_OK && !all->first)
        reader_reject(&e->base, all, "the edit is empty");
    for (const yaml_node *n = all->first; n && e->base.status == MC_OK; n = n->next) {
        bool known = false;
        for (int k = 0; k < EDIT_KEY_COUNT; k++)
            known = known || strcmp(edit_keys[k], n->key->text) == 0;
        if (known)
            edit_key(e, n, all);
        else
            reader_unknown_key(&e->base, n->key, "an edit", edit_keys, EDIT_KEY_COUNT);
    }
}

// The tree of a scenario, with numbers that were set after it was read.
static void begin(scenario_editor *e, const char *const *sets, int set_count)
{
    const yaml_node *root = NULL;
    e->base.status =
        yaml_parse(e->s->text, strlen(e->s->text), e->s->file, &e->memory, &root, e->base.error);
    if (e->base.status == MC_OK)
        e->root = scenario_edit_copy(e, root);
    for (int k = 0; k < set_count && e->base.status == MC_OK; k++)
        add_set(e, sets[k]);
}

// The place of such an error is in generated text, so only the message is reported.
static scenario *read_version(scenario_editor *e, mc_error *error)
{
    const char *text = yaml_tree_write(&e->memory, e->root);
    if (!text) {
        reader_no_memory(&e->base);
        return NULL;
    }
    mc_error inner = {0};
    scenario *made = scenario_parse_version(e->s, text, strlen(text), e->at > 0.0, &inner);
    char *place = strstr(inner.text, " on line ");
    if (place && strspn(place + 9, "0123456789") == strlen(place + 9))
        *place = '\0';
    if (!made)
        mc_error_set(error, inner.code, "edit", 0, 0, "%s", inner.text);
    return made;
}

scenario *scenario_edit(const scenario *s, const char *const *sets, int set_count, double at,
                        const char *edit, mc_error *error)
{
    mc_error unused;
    error = error ? error : &unused;
    const size_t length = strlen(edit);
    scenario_editor e = {.s = s, .at = at > 0.0 ? at : 0.0};
    e.base = (reader){.memory = &e.memory, .file = "edit", .what = "edit", .error = error};
    const yaml_node *all = NULL;
    scenario *made = NULL;
    if (length > EDIT_MAX)
        e.base.status = mc_error_set(error, MC_BAD_INPUT, "edit", 0, 0,
                                     "the edit has more than %d bytes: %zu", EDIT_MAX, length);
    else
        e.base.status = yaml_parse(edit, length, "edit", &e.memory, &all, error);
    if (e.base.status == MC_OK)
        begin(&e, sets, set_count);
    if (e.base.status == MC_OK) {
        yaml_tree_remove(e.root, "log"); // it is what was done to the version before
        edit_all(&e, all);
    }
    if (e.base.status == MC_OK)
        made = read_version(&e, error);
    scenario_free(e.scratch);
    arena_free(&e.memory);
    return made;
}

const char *scenario_text_with(const scenario *s, const char *const *sets, int set_count,
                               arena *memory)
{
    mc_error error;
    scenario_editor e = {.s = s};
    e.base = (reader){.memory = &e.memory, .file = "set", .what = "set", .error = &error};
    begin(&e, sets, set_count);
    if (e.base.status == MC_OK)
        yaml_tree_remove(e.root, "log"); // its lines may be longer than a tree writes them
    const char *text = e.base.status == MC_OK ? yaml_tree_write(&e.memory, e.root) : NULL;
    if (text)
        text = scenario_text_with_log(text, s->log, memory, &error);
    arena_free(&e.memory);
    return text;
}
