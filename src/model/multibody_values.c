// multibody_values.c - single values of mechanism files: numbers, formulas, words, names.
#include "model/multibody_reader.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- failure and memory ----

void reader_refuse(multibody_reader *r, const yaml_node *node, const char *format, ...)
{
    if (r->status != MC_OK)
        return;
    char text[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->status =
        mc_error_set(r->error, MC_BAD_INPUT, r->model->file, node->line, node->column, "%s", text);
}

void reader_no_memory(multibody_reader *r)
{
    if (r->status == MC_OK)
        r->status =
            mc_error_set(r->error, MC_NO_MEMORY, r->model->file, 0, 0, "no memory for the model");
}

void *reader_alloc(multibody_reader *r, int count, size_t size)
{
    void *block = arena_alloc(&r->model->memory, (size_t)count * size);
    if (!block)
        reader_no_memory(r);
    return block;
}

// ---- keys ----

enum { WORDS_MAX = 64 };

// Keys of a section, for messages. A key with two units is there once.
static int section_keys(multibody_section section, const char *words[WORDS_MAX])
{
    int count = 0;
    const multibody_key *key;
    for (int i = 0; (key = multibody_key_at(i)) && count < WORDS_MAX; i++)
        if (key->section == section && (count == 0 || strcmp(words[count - 1], key->name) != 0))
            words[count++] = key->name;
    return count;
}

static void join(char *out, size_t size, const char *const *words, int count)
{
    out[0] = '\0';
    for (int i = 0; i < count; i++)
        snprintf(out + strlen(out), size - strlen(out), "%s%s", i ? ", " : "", words[i]);
}

// "; did you mean mass?" or "; known: ..." after an unknown word.
static const char *hint(const char *word, const char *const *words, int count, char out[300])
{
    const char *near = text_nearest(word, words, count);
    if (near) {
        snprintf(out, 300, "did you mean %s?", near);
    } else if (count == 0) {
        snprintf(out, 300, "the model has none");
    } else {
        char list[260];
        join(list, sizeof list, words, count);
        snprintf(out, 300, "known are %s", list);
    }
    return out;
}

void reader_unknown(multibody_reader *r, const yaml_node *node, const char *what,
                    const char *const *names, int count)
{
    char quote[YAML_QUOTE_SIZE], text[300];
    reader_refuse(r, node, "there is no %s \"%s\"; %s", what, yaml_quote(node->text, quote),
                  hint(node->text, names, count, text));
}

static void refuse_key(multibody_reader *r, const yaml_node *key, multibody_section section,
                       int joint)
{
    char quote[YAML_QUOTE_SIZE], text[300] = "";
    const char *words[WORDS_MAX];
    const multibody_key *row;
    unsigned joints = 0;
    for (int i = 0; (row = multibody_key_at(i)); i++)
        if (row->section == section && strcmp(row->name, key->text) == 0)
            joints |= row->joints;
    if (joints == 0) {
        const int count = section_keys(section, words);
        reader_refuse(r, key, "%s has no key \"%s\"; %s", multibody_section_name(section),
                      yaml_quote(key->text, quote), hint(key->text, words, count, text));
        return;
    }
    int count = 0;
    for (int j = 0; j < MB_JOINT_COUNT; j++)
        if (joints & (1u << j))
            words[count++] = mb_joint_names[j];
    join(text, sizeof text, words, count);
    reader_refuse(r, key, "a body with a %s joint has no %s; that is for %s", mb_joint_names[joint],
                  key->text, text);
}

static const multibody_key *find_key(multibody_section section, const char *name, int joint)
{
    const multibody_key *row;
    for (int i = 0; (row = multibody_key_at(i)); i++)
        if (row->section == section && strcmp(row->name, name) == 0 &&
            (row->joints == 0 || joint < 0 || row->joints & (1u << joint)))
            return row;
    return NULL;
}

bool reader_check_keys(multibody_reader *r, const yaml_node *map, multibody_section section,
                       int joint)
{
    char quote[YAML_QUOTE_SIZE];
    if (r->status != MC_OK)
        return false;
    if (map->kind != YAML_MAPPING) {
        const char *words[WORDS_MAX];
        char list[300];
        join(list, sizeof list, words, section_keys(section, words));
        reader_refuse(r, map, "found %s%s%s, expected %s as a map of keys: %s",
                      map->kind == YAML_SEQUENCE ? "a list" : "\"",
                      map->kind == YAML_SEQUENCE ? "" : yaml_quote(map->text, quote),
                      map->kind == YAML_SEQUENCE ? "" : "\"", multibody_section_name(section),
                      list);
        return false;
    }
    for (const yaml_node *n = map->first; n && r->status == MC_OK; n = n->next)
        if (!find_key(section, n->key->text, joint))
            refuse_key(r, n->key, section, joint);
    return r->status == MC_OK;
}

const yaml_node *reader_get(multibody_reader *r, const yaml_node *map, const char *key)
{
    return r->status == MC_OK ? yaml_find(map, key) : NULL;
}

const yaml_node *reader_need(multibody_reader *r, const yaml_node *map, const char *key,
                             multibody_section section)
{
    const yaml_node *node = reader_get(r, map, key);
    if (!node && r->status == MC_OK)
        reader_refuse(r, map->key ? map->key : map, "%s needs the key %s (%s)",
                      multibody_section_name(section), key, find_key(section, key, -1)->doc);
    return node;
}

expr_unit reader_unit(multibody_section section, const char *key, int joint)
{
    const multibody_key *row = find_key(section, key, joint);
    expr_unit unit = {0};
    double factor;
    int bad;
    if (!row || !row->unit[0] ||
        !expr_unit_read(row->unit, (int)strlen(row->unit), &unit, &factor, &bad))
        return (expr_unit){0};
    return unit;
}

// ---- words, lists, names ----

bool reader_is_list(multibody_reader *r, const yaml_node *node, int least, int most)
{
    if (r->status != MC_OK)
        return false;
    char expected[48], quote[YAML_QUOTE_SIZE];
    if (least == most)
        snprintf(expected, sizeof expected, "a list of %d", least);
    else if (most - least == 3) // inertia
        snprintf(expected, sizeof expected, "a list of %d or %d", least, most);
    else
        snprintf(expected, sizeof expected, "a list of %d to %d", least, most);
    if (node->kind == YAML_MAPPING)
        reader_refuse(r, node, "found a map, expected %s", expected);
    else if (node->kind == YAML_SCALAR)
        reader_refuse(r, node, "found \"%s\", expected %s", yaml_quote(node->text, quote),
                      expected);
    else if (node->count < least || node->count > most ||
             (most - least == 3 && node->count != least && node->count != most))
        reader_refuse(r, node, "found a list of %d, expected %s", node->count, expected);
    return r->status == MC_OK;
}

const char *reader_text(multibody_reader *r, const yaml_node *node)
{
    if (r->status != MC_OK)
        return "";
    if (node->kind != YAML_SCALAR || (node->text[0] == '\0' && !node->quoted)) {
        reader_refuse(r, node, "found %s, expected one value",
                      node->kind == YAML_SCALAR     ? "nothing"
                      : node->kind == YAML_SEQUENCE ? "a list"
                                                    : "a map");
        return "";
    }
    const char *copy = arena_copy_text(&r->model->memory, node->text, strlen(node->text));
    if (!copy)
        reader_no_memory(r);
    return copy ? copy : "";
}

const char *reader_name(multibody_reader *r, const yaml_node *key)
{
    const char *name = reader_text(r, key), *why;
    char quote[YAML_QUOTE_SIZE];
    if (r->status == MC_OK && !mb_name_valid(name, &why))
        reader_refuse(r, key, "\"%s\" cannot be a name: %s", yaml_quote(name, quote), why);
    return name;
}

int reader_choice(multibody_reader *r, const yaml_node *node, const char *const *words, int count)
{
    const char *word = reader_text(r, node);
    if (r->status != MC_OK)
        return -1;
    for (int i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    char quote[YAML_QUOTE_SIZE], list[200];
    join(list, sizeof list, words, count);
    reader_refuse(r, node, "found \"%s\", expected %s%s", yaml_quote(word, quote),
                  count > 1 ? "one of " : "", list);
    return -1;
}

bool reader_sequence(multibody_reader *r, const yaml_node *node, int sequence[3])
{
    const char *word = reader_text(r, node);
    char quote[YAML_QUOTE_SIZE];
    if (r->status != MC_OK)
        return false;
    bool good = strlen(word) == 3;
    for (int i = 0; i < 3 && good; i++) {
        const char *axis = strchr("xyz", word[i]);
        good = axis != NULL;
        sequence[i] = good ? (int)(axis - "xyz") : 0;
    }
    good = good && word[0] != word[1] && word[1] != word[2];
    if (!good) {
        sequence[0] = 0, sequence[1] = 1, sequence[2] = 2;
        reader_refuse(r, node,
                      "\"%s\" is no sequence of angles; expected three letters x, y, z, neighbours "
                      "different, such as zyx or zxz",
                      yaml_quote(word, quote));
    }
    return good;
}

int reader_body_index(multibody_reader *r, const yaml_node *node)
{
    const char *word = reader_text(r, node);
    const mb_model *m = r->model;
    if (r->status != MC_OK || strcmp(word, "ground") == 0)
        return -1;
    for (int i = 0; i < m->body_count; i++)
        if (strcmp(m->bodies[i].name, word) == 0)
            return i;
    const char **names = reader_alloc(r, m->body_count + 1, sizeof names[0]);
    if (!names)
        return -1;
    names[0] = "ground";
    for (int i = 0; i < m->body_count; i++)
        names[i + 1] = m->bodies[i].name;
    reader_unknown(r, node, "body", names, m->body_count + 1);
    return -1;
}

// ---- numbers ----

static bool resolve(void *context, const char *name, expr_value *out)
{
    const multibody_reader *r = context;
    for (int i = 0; i < r->model->parameter_count; i++)
        if (strcmp(r->model->parameters[i].name, name) == 0) {
            const expr_id node = expr_input_node(r->model->graph, r->model->parameters[i].input);
            *out = (expr_value){.v = {node}, .size = 1, .unit = r->units[i]};
            return true;
        }
    return false;
}

static bool no_name(void *context, const char *name, expr_value *out)
{
    (void)context, (void)name, (void)out;
    return false;
}

static const char *name_at(void *context, int i)
{
    const multibody_reader *r = context;
    return i < r->model->parameter_count ? r->model->parameters[i].name : NULL;
}

static expr_source source_of(const multibody_reader *r, const yaml_node *node)
{
    return (expr_source){node->text, r->model->file, node->line, node->column};
}

static bool is_scalar(multibody_reader *r, const yaml_node *node)
{
    if (r->status == MC_OK && node->kind != YAML_SCALAR)
        reader_refuse(r, node, "found %s, expected a number",
                      node->kind == YAML_SEQUENCE ? "a list" : "a map");
    else if (r->status == MC_OK && node->text[strspn(node->text, " \n")] == '\0')
        reader_refuse(r, node, "found nothing, expected a number");
    return r->status == MC_OK;
}

// Whether node is a literal number; then its value.
static bool literal_value(multibody_reader *r, const yaml_node *node, expr_unit unit, double *value)
{
    bool is_number = false;
    if (!is_scalar(r, node))
        return false;
    const expr_source source = source_of(r, node);
    r->status = expr_parse_number(&source, unit, value, &is_number, r->error);
    return r->status == MC_OK && is_number;
}

double reader_literal(multibody_reader *r, const yaml_node *node, expr_unit unit)
{
    double value = 0.0;
    char quote[YAML_QUOTE_SIZE];
    if (!literal_value(r, node, unit, &value) && r->status == MC_OK) {
        // What begins like a number but is none is explained by the reader of formulas.
        const expr_scope scope = {r->model->graph, r, no_name, NULL};
        const expr_source source = source_of(r, node);
        expr_value out;
        if (strchr("0123456789.+-", node->text[0]))
            r->status = expr_parse(&scope, &source, 1, unit, &out, r->error);
        reader_refuse(r, node, "found \"%s\", expected a number, with a unit if it has one",
                      yaml_quote(node->text, quote));
    }
    return r->status == MC_OK ? value : 0.0;
}

expr_id reader_number(multibody_reader *r, const yaml_node *node, expr_unit unit, literal kind,
                      const char *unit_text, const char *place)
{
    double value;
    if (literal_value(r, node, unit, &value)) {
        if (value == 0.0)
            return EXPR_ZERO;
        if (kind == LITERAL_CONSTANT)
            return expr_const(r->model->graph, value);
        return reader_parameter(r, place, value, unit, unit_text, "", node->line);
    }
    if (r->status != MC_OK)
        return EXPR_ZERO;
    const expr_scope scope = {r->model->graph, r, resolve, name_at};
    const expr_source source = source_of(r, node);
    expr_value out;
    r->status = expr_parse(&scope, &source, 1, unit, &out, r->error);
    return r->status == MC_OK ? out.v[0] : EXPR_ZERO;
}

void reader_value_later(multibody_reader *r, const yaml_node *node, expr_unit unit, double *target)
{
    const expr_id id = reader_number(r, node, unit, LITERAL_CONSTANT, "", "");
    if (r->later_count == r->later_room) {
        const int room = r->later_room ? 2 * r->later_room : 64;
        multibody_later *more = arena_alloc(&r->scratch, (size_t)room * sizeof more[0]);
        if (!more) {
            reader_no_memory(r);
            return;
        }
        if (r->later_count)
            memcpy(more, r->later, (size_t)r->later_count * sizeof more[0]);
        r->later = more;
        r->later_room = room;
    }
    r->later[r->later_count++] = (multibody_later){id, target};
}

static bool grow_parameters(multibody_reader *r)
{
    mb_model *m = r->model;
    if (m->parameter_count < r->parameter_room)
        return true;
    const int room = r->parameter_room ? 2 * r->parameter_room : 64;
    mb_parameter *more = reader_alloc(r, room, sizeof more[0]);
    expr_unit *units = arena_alloc(&r->scratch, (size_t)room * sizeof units[0]);
    if (!units)
        reader_no_memory(r);
    if (!more || !units)
        return false;
    if (m->parameter_count) {
        memcpy(more, m->parameters, (size_t)m->parameter_count * sizeof more[0]);
        memcpy(units, r->units, (size_t)m->parameter_count * sizeof units[0]);
    }
    m->parameters = more;
    r->units = units;
    r->parameter_room = room;
    return true;
}

expr_id reader_parameter(multibody_reader *r, const char *name, double value, expr_unit unit,
                         const char *unit_text, const char *doc, int line)
{
    mb_model *m = r->model;
    if (r->status != MC_OK || !grow_parameters(r))
        return EXPR_ZERO;
    const char *copy = arena_copy_text(&m->memory, name, strlen(name));
    if (!copy) {
        reader_no_memory(r);
        return EXPR_ZERO;
    }
    const expr_id node = expr_input(m->graph, copy, EXPR_PARAMETER);
    r->units[m->parameter_count] = unit;
    m->parameters[m->parameter_count++] = (mb_parameter){.name = copy,
                                                         .unit = unit_text,
                                                         .doc = doc,
                                                         .value = value,
                                                         .input = expr_input_count(m->graph) - 1,
                                                         .line = line};
    return node;
}

// ---- formulas ----

mb_formula reader_formula(multibody_reader *r, const yaml_node *node)
{
    const char *text = reader_text(r, node);
    if (r->status == MC_OK && text[strspn(text, " \n")] == '\0')
        reader_refuse(r, node, "found nothing, expected a formula");
    return (mb_formula){text, node->line, node->column};
}

mb_vector_formula reader_vector_formula(multibody_reader *r, const yaml_node *node)
{
    mb_vector_formula out = {.size = 1};
    if (r->status != MC_OK)
        return out;
    if (node->kind == YAML_SCALAR) {
        out.part[0] = reader_formula(r, node);
        return out;
    }
    if (!reader_is_list(r, node, 3, 3))
        return out;
    const yaml_node *part = node->first;
    for (int i = 0; i < 3; i++, part = part->next)
        out.part[i] = reader_formula(r, part);
    out.size = 3;
    return out;
}
