// values.c - single values of scenario files: numbers, names, paths.
#include "base/gravity.h"
#include "base/text.h"
#include "multibody/model.h"
#include "scenario/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- keys ----

enum { WORDS_MAX = 128 };

static int words_of(scenario_section section, const mc_param *params, int param_count,
                    const char *words[WORDS_MAX])
{
    int count = 0;
    const scenario_key *row;
    for (int i = 0; (row = scenario_key_at(i)) && count < WORDS_MAX; i++)
        if (row->section == section)
            words[count++] = row->name;
    for (int i = 0; i < param_count && count < WORDS_MAX; i++)
        words[count++] = params[i].name;
    return count;
}

typedef struct known_keys {
    scenario_section section;
    const mc_param *params;
    int param_count;
} known_keys;

static bool is_known(const void *context, const char *word)
{
    const known_keys *k = context;
    for (int i = 0; i < k->param_count; i++)
        if (strcmp(k->params[i].name, word) == 0)
            return true;
    return scenario_key_find(k->section, word) != NULL;
}

bool scenario_check_keys(scenario_reader *r, const yaml_node *map, scenario_section section,
                         const mc_param *params, int param_count)
{
    const char *words[WORDS_MAX];
    if (!params)
        params = scenario_section_params(section, &param_count);
    const int count = map->kind == YAML_MAPPING ? 0 : words_of(section, params, param_count, words);
    if (!reader_is_map(&r->base, map, scenario_section_name(section), words, count))
        return false;
    const known_keys known = {section, params, param_count};
    scenario_rename_keys(r, map, is_known, &known);
    for (const yaml_node *n = map->first; n && r->base.status == MC_OK; n = n->next)
        if (!is_known(&known, n->key->text))
            reader_unknown_key(&r->base, n->key, scenario_section_name(section), words,
                               words_of(section, params, param_count, words));
    return r->base.status == MC_OK;
}

const yaml_node *scenario_need(scenario_reader *r, const yaml_node *map, scenario_section section,
                               const char *key)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (!node && r->base.status == MC_OK)
        reader_reject(&r->base, map->key ? map->key : map, "%s needs the key %s (%s)",
                      scenario_section_name(section), key, scenario_key_find(section, key)->doc);
    return node;
}

const yaml_node *scenario_elements(scenario_reader *r, const yaml_node *map, const char *key,
                                   yaml_kind kind, int *count)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    char found[80];
    *count = 0;
    if (!node || reader_is_empty(node))
        return NULL;
    if (node->kind != kind) {
        if (kind == YAML_MAPPING)
            reader_reject(&r->base, node, "found %s, expected a map of %s, each \"name: ...\"",
                          reader_found(node, found), key);
        else
            reader_reject(&r->base, node, "found %s, expected a list of %s, each \"- key: ...\"",
                          reader_found(node, found), key);
        return NULL;
    }
    *count = node->count;
    return node->first;
}

// ---- numbers ----

bool scenario_percent(const char *text, double *value)
{
    const char *behind = reader_behind_number(text);
    char number[64];
    if (behind[0] != '%' || behind[1 + strspn(behind + 1, " \n")] != '\0')
        return false;
    size_t length = (size_t)(behind - text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    if (!text_to_double(number, value))
        return false;
    *value /= 100.0;
    return true;
}

static const char *unit_text(const char *unit)
{
    return strcmp(unit, "-") == 0 ? "" : unit;
}

// "the result has the unit m, expected s" is about a formula; here it is about a key.
static void name_result(scenario_reader *r, const char *name)
{
    static const char result[] = "the result";
    char *text = r->base.error->text;
    if (r->base.status == MC_OK || strncmp(text, result, sizeof result - 1) != 0)
        return;
    char rest[sizeof r->base.error->text];
    snprintf(rest, sizeof rest, "%s", text + sizeof result - 1);
    snprintf(text, sizeof r->base.error->text, "%.63s%.440s", name, rest);
}

expr_unit scenario_unit(const char *unit, double *factor)
{
    if (strcmp(unit, "g") != 0)
        return reader_unit_of(unit, factor);
    const expr_unit acceleration = reader_unit_of("m/s^2", factor);
    *factor = GRAVITY; // not a gram
    return acceleration;
}

double scenario_value(scenario_reader *r, const yaml_node *node, const mc_param *p)
{
    double value = 0.0, factor;
    const expr_unit unit = scenario_unit(p->unit, &factor);
    if (r->base.status != MC_OK)
        return 0.0;
    const bool angle = strcmp(p->unit, "rad") == 0;
    if (node->kind == YAML_SCALAR && (angle || strcmp(p->unit, "-") == 0) &&
        scenario_percent(node->text, &value))
        value = angle ? atan(value) : value; // rise over run
    else {
        value = reader_literal(&r->base, node, unit);
        name_result(r, p->name);
        if (r->base.status == MC_OK && reader_behind_number(node->text)[0] != '\0')
            value /= factor; // into the unit of the table
    }
    if (r->base.status == MC_OK && !(value >= p->min && value <= p->max)) {
        const char *u = unit_text(p->unit), *blank = u[0] ? " " : "";
        reader_reject(&r->base, node, "%s is %.9g%s%s; expected %.6g .. %.6g%s%s", p->name, value,
                      blank, u, p->min, p->max, blank, u);
    }
    return r->base.status == MC_OK ? value : p->min;
}

double scenario_number(scenario_reader *r, const yaml_node *map, scenario_section section,
                       const char *key)
{
    const scenario_key *row = scenario_key_find(section, key);
    const yaml_node *node =
        row->needed ? scenario_need(r, map, section, key) : reader_get(&r->base, map, key);
    if (!node)
        return row->fallback;
    const mc_param p = {row->name, row->unit, row->fallback, row->min, row->max, row->doc};
    return scenario_value(r, node, &p);
}

int scenario_whole(scenario_reader *r, const yaml_node *map, scenario_section section,
                   const char *key)
{
    const double value = scenario_number(r, map, section, key);
    if (r->base.status == MC_OK && value != floor(value))
        reader_reject(&r->base, yaml_find(map, key), "%s is %.9g; it must be a whole number", key,
                      value);
    return r->base.status == MC_OK ? (int)value : 1;
}

bool scenario_flag(scenario_reader *r, const yaml_node *map, const char *key, bool fallback)
{
    static const char *const words[] = {"true", "false", "yes", "no"};
    const yaml_node *node = reader_get(&r->base, map, key);
    return node ? reader_choice(&r->base, node, words, 4) % 2 == 0 : fallback;
}

void scenario_params(scenario_reader *r, const yaml_node *map, const mc_param *params, int count,
                     double *values)
{
    for (int i = 0; i < count; i++) {
        const yaml_node *node = reader_get(&r->base, map, params[i].name);
        if (node)
            values[i] = scenario_value(r, node, &params[i]);
    }
}

// ---- names and places ----

scenario_place scenario_place_of(const yaml_node *node)
{
    return (scenario_place){node->line, node->column};
}

const char *scenario_label(scenario_reader *r, const yaml_node *key)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789";
    const char *name = reader_text(&r->base, key);
    const size_t good = strspn(name, letters);
    char quote[YAML_QUOTE_SIZE];
    if (r->base.status == MC_OK &&
        (good == 0 || good > 63 || name[good] != '\0' || strchr("-0123456789", name[0])))
        reader_reject(&r->base, key,
                      "\"%s\" is not a valid name: expected a letter, then letters, digits, \"_\" "
                      "and \"-\", at most 63 characters",
                      yaml_quote(name, quote));
    return name;
}

const char *scenario_name(scenario_reader *r, const yaml_node *key)
{
    const char *name = reader_text(&r->base, key), *why;
    char quote[YAML_QUOTE_SIZE];
    if (r->base.status == MC_OK && !mb_name_valid(name, &why)) {
        if (strchr(name, '.'))
            why = "dots separate a vehicle from its channels";
        reader_reject(&r->base, key, "\"%s\" is not a valid name: %s", yaml_quote(name, quote),
                      why);
    }
    return name;
}

// The path of another file, from the working directory; "" on failure.
static const char *path_of(scenario_reader *r, const yaml_node *node)
{
    const char *name = reader_text(&r->base, node);
    if (r->base.status != MC_OK)
        return "";
    if (!r->folder) {
        reader_reject(&r->base, node, "a scenario that is not in a file cannot name other files");
        return "";
    }
    char path[4096], quote[YAML_QUOTE_SIZE];
    const char *slash = r->s->bundle ? strrchr(name, '/') : NULL;
    name = slash ? slash + 1 : name;
    const int length = snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : r->folder, name);
    if (name[0] == '\0' || length >= (int)sizeof path)
        reader_reject(&r->base, node, "\"%s\" is not a path", yaml_quote(name, quote));
    return r->base.status == MC_OK ? reader_copy(&r->base, path) : "";
}

static scenario_file *held(const scenario *s, const char *path)
{
    for (int i = 0; s && i < s->file_count; i++)
        if (strcmp(s->files[i]->is.path, path) == 0)
            return s->files[i];
    return NULL;
}

const mc_file *scenario_take_file(scenario_reader *r, const yaml_node *node, size_t limit)
{
    scenario *s = r->s;
    const char *path = path_of(r, node);
    scenario_file *file = held(s, path);
    if (file || !SCENARIO_GROW(r, s->files, s->file_count, r->file_room))
        return file ? &file->is : NULL;
    file = held(r->of, path);
    if (file)
        scenario_file_keep(file);
    else if (s->bundle && path[0] && access(path, R_OK) != 0)
        reader_reject(&r->base, node, "%.400s is not among the files that came with the scenario",
                      strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    else if (access(path, R_OK) != 0)
        reader_reject(&r->base, node, "cannot read the file %.400s", path);
    else {
        mc_error error = {0};
        file = scenario_file_read(path, limit, &error);
        if (!file)
            reader_reject(&r->base, node, "%.400s: %s", path, error.text);
    }
    if (!file)
        return NULL;
    s->files[s->file_count++] = file;
    return &file->is;
}

bool scenario_grow(scenario_reader *r, void **array, int count, int *room, size_t size)
{
    if (r->base.status != MC_OK)
        return false;
    if (count < *room)
        return true;
    const int wider = *room ? 2 * *room : 16;
    void *more = reader_alloc(&r->base, wider, size);
    if (!more)
        return false;
    if (count)
        memcpy(more, *array, (size_t)count * size);
    *array = more;
    *room = wider;
    return true;
}

void scenario_warn(scenario_reader *r, scenario_place place, const char *format, ...)
{
    scenario *s = r->s;
    char text[400], line[700];
    if (!SCENARIO_GROW(r, s->warnings, s->warning_count, r->warning_room))
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "%.250s:%d:%d: %s", s->file, place.line, place.column, text);
    char *copy = arena_copy_text(&s->memory, line, strlen(line));
    if (copy)
        s->warnings[s->warning_count++] = copy;
    else
        reader_no_memory(&r->base);
}

// ---- references ----

// Rejects an unknown name; name_at gives the known ones.
static void unknown(scenario_reader *r, const yaml_node *node, const char *what,
                    const char *(*name_at)(const scenario *s, int i), int count)
{
    const char **names = arena_alloc(&r->scratch, (size_t)(count + 1) * sizeof names[0]);
    if (!names) {
        reader_no_memory(&r->base);
        return;
    }
    for (int i = 0; i < count; i++)
        names[i] = name_at(r->s, i);
    reader_unknown(&r->base, node, what, names, count);
}

static const char *model_name(const scenario *s, int i)
{
    return s->models[i].name;
}

int scenario_model_index(scenario_reader *r, const yaml_node *node)
{
    const char *word = node ? reader_text(&r->base, node) : "";
    for (int i = 0; i < r->s->model_count && r->base.status == MC_OK; i++)
        if (strcmp(r->s->models[i].name, word) == 0)
            return i;
    if (r->base.status == MC_OK)
        unknown(r, node, "model", model_name, r->s->model_count);
    return -1;
}

static const char *controller_name(const scenario *s, int i)
{
    return s->controllers[i].name;
}

int scenario_controller_index(scenario_reader *r, const yaml_node *node)
{
    const char *word = node ? reader_text(&r->base, node) : "";
    for (int i = 0; i < r->s->controller_count && r->base.status == MC_OK; i++)
        if (strcmp(r->s->controllers[i].name, word) == 0)
            return i;
    if (r->base.status == MC_OK)
        unknown(r, node, "controller", controller_name, r->s->controller_count);
    return -1;
}

static const char *estimator_name(const scenario *s, int i)
{
    return s->estimators[i].name;
}

int scenario_estimator_index(scenario_reader *r, const yaml_node *node)
{
    const char *word = node ? reader_text(&r->base, node) : "";
    for (int i = 0; i < r->s->estimator_count && r->base.status == MC_OK; i++)
        if (strcmp(r->s->estimators[i].name, word) == 0)
            return i;
    if (r->base.status == MC_OK)
        unknown(r, node, "estimator", estimator_name, r->s->estimator_count);
    return -1;
}

static const char *vehicle_name(const scenario *s, int i)
{
    return s->vehicles[i].name;
}

int scenario_vehicle_index(scenario_reader *r, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node);
    if (r->base.status != MC_OK)
        return -1;
    int low = 0, high = r->s->vehicle_count - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2, order = strcmp(word, r->by_name[middle]);
        if (order == 0)
            return r->by_name_index[middle];
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    unknown(r, node, "vehicle", vehicle_name, r->s->vehicle_count);
    return -1;
}
