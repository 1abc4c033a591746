// scenario_values.c - single values of scenario files: numbers, names, paths.
#include "base/text.h"
#include "model/scenario_reader.h"
#include "multibody/model.h"

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

static bool is_known(scenario_section section, const mc_param *params, int param_count,
                     const char *word)
{
    for (int i = 0; i < param_count; i++)
        if (strcmp(params[i].name, word) == 0)
            return true;
    return scenario_key_find(section, word) != NULL;
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
    for (const yaml_node *n = map->first; n && r->base.status == MC_OK; n = n->next)
        if (!is_known(section, params, param_count, n->key->text))
            reader_unknown_key(&r->base, n->key, scenario_section_name(section), words,
                               words_of(section, params, param_count, words));
    return r->base.status == MC_OK;
}

const yaml_node *scenario_need(scenario_reader *r, const yaml_node *map, scenario_section section,
                               const char *key)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    if (!node && r->base.status == MC_OK)
        reader_refuse(&r->base, map->key ? map->key : map, "%s needs the key %s (%s)",
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
            reader_refuse(&r->base, node, "found %s, expected a map of %s, each \"name: ...\"",
                          reader_found(node, found), key);
        else
            reader_refuse(&r->base, node, "found %s, expected a list of %s, each \"- key: ...\"",
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
    return reader_unit_of(strcmp(unit, "g") == 0 ? "g0" : unit, factor);
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
        reader_refuse(&r->base, node, "%s is %.9g%s%s; allowed are %.6g .. %.6g%s%s", p->name,
                      value, blank, u, p->min, p->max, blank, u);
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
        reader_refuse(&r->base, yaml_find(map, key), "%s is %.9g; it must be a whole number", key,
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
        reader_refuse(
            &r->base, key,
            "\"%s\" cannot be a name: a name has letters, digits, \"_\" and \"-\", begins "
            "with a letter and has 63 characters at most",
            yaml_quote(name, quote));
    return name;
}

const char *scenario_name(scenario_reader *r, const yaml_node *key)
{
    const char *name = reader_text(&r->base, key), *why;
    char quote[YAML_QUOTE_SIZE];
    if (r->base.status == MC_OK && !mb_name_valid(name, &why)) {
        if (strchr(name, '.'))
            why = "a name has no points: they join a vehicle and its channels";
        reader_refuse(&r->base, key, "\"%s\" cannot be a name: %s", yaml_quote(name, quote), why);
    }
    return name;
}

const char *scenario_path(scenario_reader *r, const yaml_node *node)
{
    const char *name = reader_text(&r->base, node);
    if (r->base.status != MC_OK)
        return "";
    if (!r->folder) {
        reader_refuse(&r->base, node, "a scenario that is not in a file cannot name other files");
        return "";
    }
    char path[4096], quote[YAML_QUOTE_SIZE];
    const int length = snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : r->folder, name);
    if (name[0] == '\0' || length >= (int)sizeof path)
        reader_refuse(&r->base, node, "\"%s\" is not a path", yaml_quote(name, quote));
    else if (access(path, R_OK) != 0)
        reader_refuse(&r->base, node, "there is no readable file %.400s", path);
    return r->base.status == MC_OK ? reader_copy(&r->base, path) : "";
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

// Refuses an unknown name; name_at gives the known ones.
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
