// read_values.c - single values of mechanism files: numbers, formulas, words, names.
#include "mechanism_file/reader.h"

#include "multibody/closing.h"
#include "multibody/shape.h"

#include "base/assert.h"

#include <string.h>

// ---- keys ----

enum { WORDS_MAX = 64, GRAPH_ONLY = 1u << MULTIBODY_GRAPH };

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

static void reject_key(multibody_reader *r, const yaml_node *key, multibody_section section,
                       int joint)
{
    char text[300];
    const char *words[WORDS_MAX];
    const multibody_key *row;
    unsigned joints = 0;
    for (int i = 0; (row = multibody_key_at(i)); i++)
        if (row->section == section && strcmp(row->name, key->text) == 0)
            joints |= row->joints;
    if (joints == 0) {
        const int count = section_keys(section, words);
        reader_unknown_key(&r->base, key, multibody_section_name(section), words, count);
        return;
    }
    if (section == MULTIBODY_BODY && joint == MULTIBODY_GRAPH) {
        reader_reject(
            &r->base, key,
            "a body without a joint has no key %s: in a graph all joints are under joints, "
            "with what belongs to them",
            key->text);
        return;
    }
    if (section == MULTIBODY_BODY && joints == GRAPH_ONLY) {
        reader_reject(&r->base, key,
                      "a body with a joint has no key %s; it is for bodies of a graph, without the "
                      "keys joint and inboard",
                      key->text);
        return;
    }
    const bool shape = section == MULTIBODY_SHAPE;
    const char *const *kinds = shape ? mb_shape_names : mb_joint_names;
    const int kind_count = shape ? (int)MC_SHAPE_COUNT : (int)MB_JOINT_COUNT;
    int count = 0;
    for (int j = 0; j < kind_count; j++)
        if (joints & (1u << j))
            words[count++] = kinds[j];
    reader_join(text, sizeof text, words, count);
    reader_reject(&r->base, key, "a %s%s%s has no key %s; it is for %s",
                  shape ? "" : "body with a ", kinds[joint], shape ? "" : " joint", key->text,
                  text);
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

bool multibody_check_keys(multibody_reader *r, const yaml_node *map, multibody_section section,
                          int joint)
{
    const char *words[WORDS_MAX];
    if (!reader_is_map(&r->base, map, multibody_section_name(section), words,
                       section_keys(section, words)))
        return false;
    for (const yaml_node *n = map->first; n && r->base.status == MC_OK; n = n->next)
        if (!find_key(section, n->key->text, joint) &&
            !(section == MULTIBODY_JOINT && mb_closing_value_find(n->key->text)))
            reject_key(r, n->key, section, joint);
    return r->base.status == MC_OK;
}

const yaml_node *multibody_need(multibody_reader *r, const yaml_node *map, const char *key,
                                multibody_section section)
{
    const yaml_node *node = reader_get(&r->base, map, key);
    const multibody_key *row = find_key(section, key, -1);
    mc_assert(row && row->needed);
    if (!node && r->base.status == MC_OK)
        reader_reject(&r->base, map->key ? map->key : map, "%s needs the key %s (%s)",
                      multibody_section_name(section), key, row->doc);
    return node;
}

expr_unit multibody_unit(multibody_section section, const char *key, int joint)
{
    const multibody_key *row = find_key(section, key, joint);
    double factor;
    return reader_unit_of(row ? row->unit : "", &factor);
}

// ---- words, lists, names ----

const char *multibody_name(multibody_reader *r, const yaml_node *key)
{
    const char *name = reader_text(&r->base, key), *why;
    char quote[YAML_QUOTE_SIZE];
    if (r->base.status == MC_OK && !mb_name_valid(name, &why))
        reader_reject(&r->base, key, "\"%s\" is not a valid name: %s", yaml_quote(name, quote),
                      why);
    return name;
}

bool multibody_sequence(multibody_reader *r, const yaml_node *node, int sequence[3])
{
    const char *word = reader_text(&r->base, node);
    char quote[YAML_QUOTE_SIZE];
    if (r->base.status != MC_OK)
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
        reader_reject(&r->base, node,
                      "\"%s\" is not a sequence of angles; expected three letters x, y, z, "
                      "neighbours different, such as zyx or zxz",
                      yaml_quote(word, quote));
    }
    return good;
}

int multibody_body_index(multibody_reader *r, const yaml_node *node)
{
    const char *word = reader_text(&r->base, node);
    const mb_model *m = r->model;
    if (r->base.status != MC_OK || strcmp(word, "ground") == 0)
        return -1;
    for (int i = 0; i < m->body_count; i++)
        if (strcmp(m->bodies[i].name, word) == 0)
            return i;
    const char **names = reader_alloc(&r->base, m->body_count + 1, sizeof names[0]);
    if (!names)
        return -1;
    names[0] = "ground";
    for (int i = 0; i < m->body_count; i++)
        names[i + 1] = m->bodies[i].name;
    reader_unknown(&r->base, node, "body", names, m->body_count + 1);
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

static const char *name_at(void *context, int i)
{
    const multibody_reader *r = context;
    return i < r->model->parameter_count ? r->model->parameters[i].name : NULL;
}

static expr_source source_of(const multibody_reader *r, const yaml_node *node)
{
    return (expr_source){node->text, r->model->file, node->line, node->column};
}

expr_id multibody_number(multibody_reader *r, const yaml_node *node, expr_unit unit, literal kind,
                         const char *unit_text, const char *place)
{
    double value;
    if (reader_is_literal(&r->base, node, unit, &value)) {
        if (value == 0.0)
            return EXPR_ZERO;
        if (kind == LITERAL_CONSTANT)
            return expr_const(r->model->graph, value);
        return multibody_parameter(r, place, value, unit, unit_text, "", node->line);
    }
    if (r->base.status != MC_OK)
        return EXPR_ZERO;
    const expr_scope scope = {r->model->graph, r, resolve, name_at};
    const expr_source source = source_of(r, node);
    expr_value out;
    r->base.status = expr_parse(&scope, &source, 1, unit, &out, r->base.error);
    return r->base.status == MC_OK ? out.v[0] : EXPR_ZERO;
}

void multibody_value_later(multibody_reader *r, const yaml_node *node, expr_unit unit,
                           double *target)
{
    const expr_id id = multibody_number(r, node, unit, LITERAL_CONSTANT, "", "");
    if (r->later_count == r->later_room) {
        const int room = r->later_room ? 2 * r->later_room : 64;
        multibody_later *more = arena_alloc(&r->scratch, (size_t)room * sizeof more[0]);
        if (!more) {
            reader_no_memory(&r->base);
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
    mb_parameter *more = reader_alloc(&r->base, room, sizeof more[0]);
    expr_unit *units = arena_alloc(&r->scratch, (size_t)room * sizeof units[0]);
    if (!units)
        reader_no_memory(&r->base);
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

expr_id multibody_parameter(multibody_reader *r, const char *name, double value, expr_unit unit,
                            const char *unit_text, const char *doc, int line)
{
    mb_model *m = r->model;
    if (r->base.status != MC_OK || !grow_parameters(r))
        return EXPR_ZERO;
    const char *copy = arena_copy_text(&m->memory, name, strlen(name));
    if (!copy) {
        reader_no_memory(&r->base);
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

mb_formula multibody_formula(multibody_reader *r, const yaml_node *node)
{
    const char *text = reader_text(&r->base, node);
    if (r->base.status == MC_OK && text[strspn(text, " \n")] == '\0')
        reader_reject(&r->base, node, "found nothing, expected a formula");
    return (mb_formula){text, node->line, node->column};
}

mb_vector_formula multibody_vector_formula(multibody_reader *r, const yaml_node *node)
{
    mb_vector_formula out = {.size = 1};
    if (r->base.status != MC_OK)
        return out;
    if (node->kind == YAML_SCALAR) {
        out.part[0] = multibody_formula(r, node);
        return out;
    }
    if (!reader_is_list(&r->base, node, 3, 3))
        return out;
    const yaml_node *part = node->first;
    for (int i = 0; i < 3; i++, part = part->next)
        out.part[i] = multibody_formula(r, part);
    out.size = 3;
    return out;
}
