// models.c - models of vehicles: a type each, and what its keys say. Nothing here knows a type.
#include "base/file.h"
#include "base/renamed.h"
#include "parts/powertrain.h"
#include "reader/section.h"
#include "scenario/looks.h"
#include "scenario/model_keys.h"
#include "scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const yaml_node *value_of(const scenario_reader *r, const yaml_node *node, const char *key)
{
    return node->kind == YAML_MAPPING ? reader_get(&r->base, node, key) : NULL;
}

// ---- words ----

static const char *const common[] = {"kind", "like", "doc", "look"};
enum { COMMON = sizeof common / sizeof common[0] };

static bool is_common(const char *word)
{
    for (int i = 0; i < COMMON; i++)
        if (strcmp(common[i], word) == 0)
            return true;
    return false;
}

// All words that a model may have.
static int all_words(const char *names[COMMON + MODEL_WORDS_MAX])
{
    model_word words[MODEL_WORDS_MAX];
    const int count = model_words(words);
    for (int i = 0; i < COMMON; i++)
        names[i] = common[i];
    for (int i = 0; i < count; i++)
        names[COMMON + i] = words[i].name;
    return COMMON + count;
}

static bool type_knows(const void *context, const char *word)
{
    int row;
    return is_common(word) || model_word_of(context, word, &row) != NULL;
}

static bool some_type_knows(const char *word)
{
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++)
        if (type_knows(type, word))
            return true;
    return false;
}

// Every word is one that some model may have, by the name of today or the old one.
static bool check_words(scenario_reader *r, const yaml_node *node)
{
    const char *names[COMMON + MODEL_WORDS_MAX];
    const int count = all_words(names);
    const char *what = scenario_section_name(SECTION_MODEL);
    if (!reader_is_map(&r->base, node, what, names, count))
        return false;
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next) {
        const char *now = renamed_now(n->key->text);
        if (!some_type_knows(n->key->text) && !(now && some_type_knows(now)))
            reader_unknown_key(&r->base, n->key, what, names, count);
    }
    return r->base.status == MC_OK;
}

// The key that names the file of a type, for messages.
static const char *file_word(const mc_vehicle_type *type)
{
    for (int k = 0; k < type->key_count; k++)
        if (type->keys[k].form == MC_KEY_FORM_FILE)
            return type->keys[k].name;
    return "file";
}

static void reject_from_file(scenario_reader *r, const yaml_node *key, const scenario_model *m)
{
    reader_reject(&r->base, key, "the %s of a %s model comes from its %s", key->text, m->type->name,
                  file_word(m->type));
}

// Every word is one of this type.
static void check_type_words(scenario_reader *r, const yaml_node *node, const scenario_model *m)
{
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next) {
        int row;
        char list[200];
        const mc_model_key *key = model_word_of(m->type, n->key->text, &row);
        if (is_common(n->key->text))
            continue;
        if (key && row >= 0 && key->from_file >> row & 1)
            reject_from_file(r, n->key, m);
        if (key)
            continue;
        model_word_types(n->key->text, list, sizeof list);
        const char *names[COMMON + MODEL_WORDS_MAX];
        if (list[0])
            reader_reject(&r->base, n->key, "a %s model has no key %s; it is for kind %s",
                          m->type->name, n->key->text, list);
        else
            reader_unknown_key(&r->base, n->key, scenario_section_name(SECTION_MODEL), names,
                               all_words(names));
    }
}

// ---- what stands by itself: texts, files, whole numbers ----

static void put(const mc_model_key *key, void *spec, const void *value, size_t size)
{
    memcpy((char *)spec + key->at, value, size);
}

static void read_word(scenario_reader *r, const yaml_node *value, const mc_model_key *key,
                      void *spec)
{
    if (key->form == MC_KEY_FORM_TEXT) {
        const char *text = reader_text(&r->base, value);
        put(key, spec, &text, sizeof text);
    } else if (key->form == MC_KEY_FORM_FILE) {
        const mc_file *file = scenario_take_file(r, value, 0);
        put(key, spec, &file, sizeof file);
    } else {
        const double number = scenario_value(r, value, &key->rows[0]);
        if (r->base.status == MC_OK && number != floor(number))
            reader_reject(&r->base, value, "%s is %.9g; it must be a whole number", key->name,
                          number);
        const int whole = r->base.status == MC_OK ? (int)number : 1;
        put(key, spec, &whole, sizeof whole);
    }
}

static bool stands_alone(const mc_model_key *key)
{
    return key->form == MC_KEY_FORM_TEXT || key->form == MC_KEY_FORM_FILE ||
           key->form == MC_KEY_FORM_WHOLE;
}

// True: a file was named.
static bool read_words(scenario_reader *r, const yaml_node *node, scenario_model *m, bool copied)
{
    bool named = false;
    for (int k = 0; k < m->type->key_count && r->base.status == MC_OK; k++) {
        const mc_model_key *key = &m->type->keys[k];
        const yaml_node *value = stands_alone(key) ? value_of(r, node, key->name) : NULL;
        if (value)
            read_word(r, value, key, m->spec);
        else if (key->needed && !copied)
            reader_reject(&r->base, node->key, "a %s model needs the key %s, %s", m->type->name,
                          key->name, key->doc);
        named = named || (value && key->form == MC_KEY_FORM_FILE);
    }
    return named;
}

// ---- powertrains and tyres ----

static const powertrain_kind *find_powertrain(scenario_reader *r, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node);
    const powertrain_kind *kind = r->base.status == MC_OK ? powertrain_kind_find(word) : NULL;
    if (kind || r->base.status != MC_OK)
        return kind;
    const char *names[64];
    int count = 0;
    for (; count < 64 && (kind = powertrain_kind_at(count)); count++)
        names[count] = kind->name;
    reader_unknown(&r->base, node, "powertrain", names, count);
    return NULL;
}

// The kind alone, so that a file can say how strong it is before its own keys do.
static void choose_powertrain(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    for (int k = 0; k < m->type->key_count; k++) {
        const mc_model_key *key = &m->type->keys[k];
        const yaml_node *map =
            (int)key->form == KEY_POWERTRAIN ? value_of(r, node, key->name) : NULL;
        const yaml_node *word = map && map->kind == YAML_MAPPING ? yaml_find(map, "kind") : map;
        const powertrain_kind *kind = word ? find_powertrain(r, word) : NULL;
        if (!kind || kind == vehicle_choice(key, m->spec))
            continue;
        vehicle_choose(key, m->spec, kind);
        m->powertrain = NULL; // that of `like`
        powertrain_defaults(kind, vehicle_values(key, m->spec));
    }
}

static void need_all(scenario_reader *r, const yaml_node *map, const char *what, const char *kind,
                     const mc_param *rows, int count, const double *values)
{
    for (int i = 0; i < count; i++)
        if (isnan(values[i]))
            reader_reject(&r->base, map, "%s %s needs %s (%s)", what, kind, rows[i].name,
                          rows[i].doc);
}

static bool takes_force(const powertrain_kind *kind, const mc_model_key *key)
{
    for (int i = 0; i < kind->param_count; i++)
        if (strcmp(kind->params[i].name, MC_ROW_OUTSIDE_FORCE) == 0)
            return vehicle_row_is_live(key, i);
    return false;
}

static void read_force(scenario_reader *r, const yaml_node *node, const mc_model_key *key,
                       scenario_model *m)
{
    const powertrain_kind *kind = vehicle_choice(key, m->spec);
    if (takes_force(kind, key))
        m->powertrain = scenario_read_powertrain_unit(r, node);
    else
        reader_reject(
            &r->base, node->key,
            "powertrain %s of a %s model takes no force from an FMU; expected one with the "
            "parameter " MC_ROW_OUTSIDE_FORCE ", in a type of cars that can change it",
            kind->name, m->type->name);
}

static void read_powertrain(scenario_reader *r, const yaml_node *map, const mc_model_key *key,
                            scenario_model *m)
{
    const powertrain_kind *kind = vehicle_choice(key, m->spec);
    double *p = vehicle_values(key, m->spec);
    char text[300];
    if (map->kind == YAML_SCALAR ||
        !scenario_check_keys(r, map, SECTION_POWERTRAIN, kind->params, kind->param_count))
        return;
    scenario_params(r, map, kind->params, kind->param_count, p);
    need_all(r, map, "powertrain", kind->name, kind->params, kind->param_count, p);
    const yaml_node *force = reader_get(&r->base, map, "fmu");
    if (force && r->base.status == MC_OK)
        read_force(r, force, key, m);
    if (r->base.status == MC_OK && kind->check && !kind->check(p, text, sizeof text))
        reader_reject(&r->base, map, "%s", text);
}

static const tyre_kind *find_tyre(scenario_reader *r, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node);
    const tyre_kind *kind = r->base.status == MC_OK ? tyre_kind_find(word) : NULL;
    if (kind || r->base.status != MC_OK)
        return kind;
    const char *names[128];
    int count = 0;
    for (; count < 128 && (kind = tyre_kind_at(count)); count++)
        names[count] = kind->name;
    reader_unknown(&r->base, node, "tyre", names, count);
    return NULL;
}

// Where notes about the file of a tyre go.
typedef struct tyre_notes {
    scenario_reader *r;
    const yaml_node *node;
    const char *path;
    int count;
} tyre_notes;

static void note_tyre(void *to, int line, int column, const char *text)
{
    enum { NOTES_MAX = 10 }; // of one file
    tyre_notes *notes = to;
    if (notes->count++ < NOTES_MAX)
        scenario_warn(notes->r, scenario_place_of(notes->node), "%.200s:%d:%d: %s", notes->path,
                      line, column, text);
}

// The law `kind` with the coefficients of a file; NULL on failure.
static const tyre_kind *load_tyre(scenario_reader *r, const yaml_node *node, const tyre_kind *kind)
{
    if (!kind->load) {
        reader_reject(&r->base, node->key, "tyre %s has no file; its numbers are keys", kind->name);
        return NULL;
    }
    const mc_file *file = scenario_take_file(r, node, 0);
    tyre_kind *own = reader_alloc(&r->base, 1, sizeof *own);
    void *context = reader_alloc(&r->base, 1, kind->context_size);
    if (!file || !own || !context)
        return NULL;
    tyre_notes notes = {r, node, file->path, 0};
    const mc_tyre_file from = {file->bytes, file->size, file->path, note_tyre, &notes};
    mc_error error = {0};
    *own = *kind;
    own->context = context;
    if (kind->load(&from, context, &error) != MC_OK) {
        scenario_reject_by(r, node, &error);
        return NULL;
    }
    return own;
}

static void read_tyre(scenario_reader *r, const yaml_node *node, const mc_model_key *key,
                      void *spec)
{
    const yaml_node *word = node->kind == YAML_MAPPING ? reader_get(&r->base, node, "kind") : node;
    const bool own = word && word != node && word->kind == YAML_MAPPING;
    const tyre_kind *before = vehicle_choice(key, spec);
    const tyre_kind *kind = own ? scenario_own_tyre(r, word) : word ? find_tyre(r, word) : before;
    const yaml_node *file = node->kind == YAML_MAPPING ? reader_get(&r->base, node, "file") : NULL;
    double *p = vehicle_values(key, spec);
    if (r->base.status == MC_OK && file)
        kind = load_tyre(r, file, kind);
    if (r->base.status != MC_OK)
        return;
    if (kind != before) {
        vehicle_choose(key, spec, kind);
        tyre_defaults(kind, p);
    }
    if (node->kind == YAML_SCALAR ||
        !scenario_check_keys(r, node, SECTION_TYRE, kind->params, kind->param_count))
        return;
    scenario_params(r, node, kind->params, kind->param_count, p);
    need_all(r, node, "tyre", kind->name, kind->params, kind->param_count, p);
}

// ---- numbers ----

static bool map_knows(const void *context, const char *word)
{
    const mc_model_key *key = context;
    for (int i = 0; i < key->count; i++)
        if (vehicle_has_row(key, i) && strcmp(key->rows[i].name, word) == 0)
            return true;
    return false;
}

// Old names of the model's own numbers and of those in its maps.
static void rename_words(scenario_reader *r, const yaml_node *node, const scenario_model *m)
{
    scenario_rename_keys(r, node, type_knows, m->type);
    for (int k = 0; k < m->type->key_count && r->base.status == MC_OK; k++) {
        const mc_model_key *key = &m->type->keys[k];
        const yaml_node *map = key->form == MC_KEY_FORM_MAP ? value_of(r, node, key->name) : NULL;
        if (map && map->kind == YAML_MAPPING)
            scenario_rename_keys(r, map, map_knows, key);
    }
}

static void read_map(scenario_reader *r, const yaml_node *map, const mc_model_key *key,
                     const scenario_model *m)
{
    char what[80];
    snprintf(what, sizeof what, "\"%s\" of a model", key->name);
    const char *names[64];
    int count = 0;
    for (int i = 0; i < key->count; i++)
        if (vehicle_has_row(key, i))
            names[count++] = key->rows[i].name;
    if (!reader_is_map(&r->base, map, what, names, count))
        return;
    for (const yaml_node *n = map->first; n && r->base.status == MC_OK; n = n->next) {
        int i = 0;
        while (i < key->count &&
               (!vehicle_has_row(key, i) || strcmp(key->rows[i].name, n->key->text) != 0))
            i++;
        if (i == key->count)
            reader_unknown_key(&r->base, n->key, what, names, count);
        else if (key->from_file >> i & 1)
            reject_from_file(r, n->key, m);
        else
            vehicle_values(key, m->spec)[i] = scenario_value(r, n, &key->rows[i]);
    }
}

static void read_rows(scenario_reader *r, const yaml_node *node, const mc_model_key *key,
                      void *spec)
{
    for (int i = 0; i < key->count; i++) {
        const yaml_node *value = vehicle_has_row(key, i) && !(key->from_file >> i & 1)
                                     ? value_of(r, node, key->rows[i].name)
                                     : NULL;
        if (value)
            vehicle_values(key, spec)[i] = scenario_value(r, value, &key->rows[i]);
    }
}

static void read_numbers(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    for (int k = 0; k < m->type->key_count && r->base.status == MC_OK; k++) {
        const mc_model_key *key = &m->type->keys[k];
        const yaml_node *value =
            key->form == MC_KEY_FORM_NUMBERS ? NULL : value_of(r, node, key->name);
        if (key->form == MC_KEY_FORM_NUMBERS)
            read_rows(r, node, key, m->spec);
        else if (value && key->form == MC_KEY_FORM_MAP)
            read_map(r, value, key, m);
        else if (value && key->form == MC_KEY_FORM_TYRE)
            read_tyre(r, value, key, m->spec);
        else if (value && (int)key->form == KEY_POWERTRAIN)
            read_powertrain(r, value, key, m);
    }
}

// ---- models ----

// Numbers that both types have by the same name, and the powertrain.
static void take_over(const scenario_model *from, scenario_model *m)
{
    for (int k = 0; k < m->type->key_count; k++) {
        const mc_model_key *key = &m->type->keys[k];
        for (int i = 0; key->form == MC_KEY_FORM_NUMBERS && i < key->count; i++) {
            int row;
            const mc_model_key *other = model_word_of(from->type, key->rows[i].name, &row);
            if (vehicle_has_row(key, i) && !(key->from_file >> i & 1) && other && row >= 0)
                vehicle_values(key, m->spec)[i] = vehicle_values_of(other, from->spec)[row];
        }
        for (int j = 0; (int)key->form == KEY_POWERTRAIN && j < from->type->key_count; j++) {
            const mc_model_key *other = &from->type->keys[j];
            if ((int)other->form != KEY_POWERTRAIN)
                continue;
            vehicle_choose(key, m->spec, vehicle_choice(other, from->spec));
            memcpy(vehicle_values(key, m->spec), vehicle_values_of(other, from->spec),
                   POWERTRAIN_PARAM_MAX * sizeof(double));
        }
    }
}

static const mc_vehicle_type *find_type(scenario_reader *r, const yaml_node *node)
{
    const char *names[128];
    int count = 0;
    for (const mc_vehicle_type *type; count < 128 && (type = mc_vehicle_type_at(count));)
        names[count++] = type->name;
    const int found = reader_choice(&r->base, node, names, count);
    return found >= 0 ? mc_vehicle_type_at(found) : NULL;
}

// Starts from another model, or from the defaults. True: from another of the same type.
static bool start_model(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    const yaml_node *like = value_of(r, node, "like");
    const yaml_node *kind = node->kind == YAML_MAPPING ? value_of(r, node, "kind") : node;
    const int other = like ? scenario_model_index(r, like) : -1;
    if (r->base.status != MC_OK)
        return false;
    const scenario_model *from = other >= 0 ? &r->s->models[other] : NULL;
    m->type = kind ? find_type(r, kind) : from ? from->type : mc_vehicle_type_default();
    m->spec = m->type ? reader_alloc(&r->base, 1, m->type->spec_size) : NULL;
    if (!m->spec)
        return false;
    vehicle_spec_init(m->type, m->spec);
    m->look = from ? from->look : m->type->look ? m->type->look : "car";
    m->look_file = from ? from->look_file : NULL;
    m->powertrain = from && from->type == m->type ? from->powertrain : NULL;
    if (from && from->type != m->type)
        take_over(from, m);
    else if (from)
        memcpy(m->spec, from->spec, m->type->spec_size);
    return from && from->type == m->type;
}

static void call(scenario_reader *r, const yaml_node *node, scenario_model *m,
                 mc_status (*hook)(mc_section *section, void *spec))
{
    mc_section section = {&r->base, node};
    if (!hook || r->base.status != MC_OK)
        return;
    const mc_status status = hook(&section, m->spec);
    if (r->base.status == MC_OK)
        r->base.status = status;
}

static void read_model(scenario_reader *r, const yaml_node *node)
{
    scenario_model *m = &r->s->models[r->s->model_count];
    m->name = scenario_label(r, node->key);
    m->place = scenario_place_of(node->key);
    if (node->kind != YAML_SCALAR && !check_words(r, node))
        return;
    const bool copied = start_model(r, node, m);
    if (r->base.status != MC_OK)
        return;
    rename_words(r, node, m);
    check_type_words(r, node, m);
    const bool named = read_words(r, node, m, copied);
    choose_powertrain(r, node, m);
    if (named || !copied)
        call(r, node, m, m->type->load);
    if (r->base.status == MC_OK)
        read_numbers(r, node, m);
    call(r, node, m, m->type->check);
    const yaml_node *look = value_of(r, node, "look");
    if (look && r->base.status == MC_OK)
        scenario_read_look(r, look, m);
    if (r->base.status != MC_OK)
        return;
    m->type->facts(m->spec, &m->facts);
    r->s->model_count++;
}

void scenario_read_models(scenario_reader *r, const yaml_node *root)
{
    int count;
    scenario_need(r, root, SECTION_TOP, "models");
    const yaml_node *first = scenario_elements(r, root, "models", YAML_MAPPING, &count);
    if (r->base.status == MC_OK && count == 0)
        reader_reject(&r->base, yaml_find(root, "models"), "found no model, expected at least one");
    r->s->models = reader_alloc(&r->base, count, sizeof r->s->models[0]);
    for (const yaml_node *n = first; n && r->base.status == MC_OK; n = n->next)
        read_model(r, n);
}
