// schema.c - the JSON Schema of mechanism files, from the tables of keys and joints.
//
// It says less than the reader: names that are used, units and formulas are beyond it. Where a key
// belongs to some joints only, a condition on the word of the joint allows it.
#include "io/schema_writer.h"
#include "mechanism_file/read.h"
#include "terrain_file/read.h"
#include "motorcade/multibody.h"
#include "multibody/closing.h"
#include "multibody/shape.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { WORDS_MAX = 64 };

// "a body" is called body.
static const char *definition(multibody_section section)
{
    const char *blank = strchr(multibody_section_name(section), ' ');
    return blank ? blank + 1 : multibody_section_name(section);
}

static void number_or_formula(schema_writer *j, const char *key)
{
    schema_open_line(j, key, '{');
    schema_texts(j, "type", (const char *const[]){"number", "string"}, 2);
    schema_shut_line(j, '}');
}

static void list(schema_writer *j, int min, int max)
{
    schema_text(j, "type", "array");
    number_or_formula(j, "items");
    schema_number(j, "minItems", min);
    schema_number(j, "maxItems", max);
}

// The same as an element of a list of choices.
static void one_list(schema_writer *j, int min, int max)
{
    schema_open(j, NULL, '{');
    list(j, min, max);
    schema_shut(j, '}');
}

static int closing_names(const char *words[WORDS_MAX])
{
    int count = 0;
    for (; count < WORDS_MAX && mb_closing_kind_at(count); count++)
        words[count] = mb_closing_kind_at(count)->is.name;
    return count;
}

// A map from names of the user to maps of a section; a parameter may be a bare number.
static void each(schema_writer *j, multibody_section section)
{
    schema_texts(j, "type", (const char *const[]){"object", "null"}, 2);
    schema_open(j, "propertyNames", '{');
    schema_text(j, "pattern", "^[A-Za-z_][A-Za-z0-9_]*$");
    schema_shut(j, '}');
    schema_open(j, "additionalProperties", '{');
    schema_open(j, "anyOf", '[');
    schema_refer(j, NULL, definition(section));
    if (section == MULTIBODY_PARAMETER || section == MULTIBODY_INPUT)
        number_or_formula(j, NULL);
    schema_shut(j, ']');
    schema_shut(j, '}');
}

static void values(schema_writer *j)
{
    schema_text(j, "type", "object");
    number_or_formula(j, "additionalProperties");
}

// A choice of words or a list of numbers.
static void either(schema_writer *j, const char *const *words, int count, int min, int max)
{
    schema_open(j, "anyOf", '[');
    if (words)
        schema_choice(j, words, count);
    else
        number_or_formula(j, NULL);
    one_list(j, min, max);
    schema_shut(j, ']');
}

static void names(schema_writer *j)
{
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    schema_text(j, "type", "string");
    schema_shut(j, '}');
}

// A list of lists of three numbers, or of three whole ones.
static void triples(schema_writer *j, bool whole)
{
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    if (whole) {
        schema_text(j, "type", "array");
        schema_open_line(j, "items", '{');
        schema_text(j, "type", "integer");
        schema_number(j, "minimum", 0);
        schema_shut_line(j, '}');
        schema_number(j, "minItems", 3);
        schema_number(j, "maxItems", 3);
    } else {
        list(j, 3, 3);
    }
    schema_shut(j, '}');
}

static void value(schema_writer *j, const multibody_key *key)
{
    const char *words[WORDS_MAX];
    switch (key->value) {
    case VALUE_NUMBER:
        schema_texts(j, "type", (const char *const[]){"number", "string"}, 2);
        break;
    case VALUE_TEXT:
        schema_text(j, "type", "string");
        break;
    case VALUE_KIND:
        schema_texts(j, "enum", multibody_kind_words, 1);
        break;
    case VALUE_TREE_JOINT:
        schema_texts(j, "enum", mb_joint_names, MB_JOINT_COUNT);
        break;
    case VALUE_JOINT:
        schema_texts(j, "enum", words, closing_names(words));
        break;
    case VALUE_FRAME:
        schema_texts(j, "enum", multibody_frame_words, 2);
        break;
    case VALUE_XYZ:
        schema_texts(j, "enum", multibody_axis_words, 3);
        break;
    case VALUE_AXIS:
        either(j, multibody_axis_words, 6, 3, 3);
        break;
    case VALUE_VECTOR:
        list(j, 3, 3);
        break;
    case VALUE_INERTIA:
        list(j, 3, 6);
        break;
    case VALUE_VECTOR_FORMULA:
        either(j, NULL, 0, 3, 3);
        break;
    case VALUE_ORIENTATION:
        schema_open(j, "anyOf", '[');
        one_list(j, 4, 4);
        schema_refer(j, NULL, definition(MULTIBODY_ORIENTATION));
        schema_shut(j, ']');
        break;
    case VALUE_NAMES:
        names(j);
        break;
    case VALUE_NAMES_OR_ALL:
        schema_open(j, "anyOf", '[');
        schema_choice(j, multibody_all_words, 1);
        schema_open(j, NULL, '{');
        names(j);
        schema_shut(j, '}');
        schema_shut(j, ']');
        break;
    case VALUE_VALUES:
    case VALUE_FORMULAS:
        values(j);
        break;
    case VALUE_PAIR:
        names(j);
        schema_number(j, "minItems", 2);
        schema_number(j, "maxItems", 2);
        break;
    case VALUE_PLANES:
        schema_text(j, "type", "integer");
        schema_number(j, "minimum", 1);
        schema_number(j, "maximum", 5);
        break;
    case VALUE_COUNT:
        schema_text(j, "type", "integer");
        schema_number(j, "minimum", 1);
        break;
    case VALUE_ENGINE:
        schema_texts(j, "enum", multibody_engine_words, 2);
        break;
    case VALUE_FROM:
        schema_texts(j, "enum", multibody_from_words, 2);
        break;
    case VALUE_TERRAIN:
        schema_open(j, "allOf", '[');
        schema_refer(j, NULL, "terrain");
        schema_shut(j, ']');
        break;
    case VALUE_FRICTION:
        schema_texts(j, "enum", multibody_friction_words, 2);
        break;
    case VALUE_SOLVER:
        schema_texts(j, "enum", multibody_solver_words, 2);
        break;
    case VALUE_SIMULATE:
        schema_open(j, "allOf", '[');
        schema_refer(j, NULL, definition(MULTIBODY_SIMULATE));
        schema_shut(j, ']');
        break;
    case VALUE_SHAPES:
        schema_open(j, "anyOf", '[');
        schema_refer(j, NULL, definition(MULTIBODY_SHAPE));
        schema_open(j, NULL, '{');
        schema_text(j, "type", "array");
        schema_refer(j, "items", definition(MULTIBODY_SHAPE));
        schema_shut(j, '}');
        schema_shut(j, ']');
        break;
    case VALUE_SHAPE_KIND:
        schema_texts(j, "enum", mb_shape_names, MC_SHAPE_COUNT);
        break;
    case VALUE_FINISH:
        schema_texts(j, "enum", mb_finish_names, MC_SHAPE_FINISH_COUNT);
        break;
    case VALUE_PLACES:
        triples(j, false);
        break;
    case VALUE_TRIANGLES:
        triples(j, true);
        break;
    default:
        each(j, (multibody_section)(key->value - VALUE_EACH));
    }
}

// ---- keys of some joints ----

static bool of_kind(const mb_closing_kind *kind, const char *key)
{
    static const char *const general[] = {"free", "sequence", "held"};
    if (strcmp(key, "axis") == 0 || strcmp(key, "to_axis") == 0)
        return kind->is.axes > 0;
    for (int k = 0; k < 3; k++)
        if (strcmp(key, general[k]) == 0)
            return kind->general;
    bool has = !mb_closing_value_find(key);
    for (int i = 0; i < MC_JOINT_VALUE_MAX && kind->is.value[i].key; i++)
        has = has || strcmp(kind->is.value[i].key, key) == 0;
    return has;
}

static bool needed_by_kind(const mb_closing_kind *kind, const char *key)
{
    bool needed = (strcmp(key, "axis") == 0 && kind->is.axes > 0) ||
                  (strcmp(key, "to_axis") == 0 && kind->is.axes > 1) ||
                  (strcmp(key, "free") == 0 && kind->general);
    for (int i = 0; i < MC_JOINT_VALUE_MAX; i++)
        needed = needed || (kind->is.value[i].key && kind->is.value[i].needed &&
                            strcmp(kind->is.value[i].key, key) == 0);
    return needed;
}

// Whether a joint has a key: joint j of a body, or a kind beside the tree.
static bool has_key(const multibody_key *key, int joint, const mb_closing_kind *kind)
{
    if (!kind)
        return key->joints == 0 || key->joints & (1u << joint);
    if (strcmp(key->name, "start") == 0)
        return kind->in_tree && kind->tree != MB_FIXED;
    return of_kind(kind, key->name) &&
           (key->joints == 0 || (kind->in_tree && key->joints & (1u << kind->tree)));
}

static bool needs_key(const multibody_key *key, int joint, const mb_closing_kind *kind)
{
    if (kind)
        return needed_by_kind(kind, key->name);
    return (strcmp(key->name, "axis") == 0 && (joint == MB_HINGE || joint == MB_PRISM)) ||
           (strcmp(key->name, "free") == 0 && joint == MB_GENERAL);
}

// A number of a joint that has no row in the table of keys: of a kind from outside.
static bool is_outside(const char *name)
{
    const multibody_key *key;
    for (int i = 0; (key = multibody_key_at(i)); i++)
        if (key->section == MULTIBODY_JOINT && strcmp(key->name, name) == 0)
            return false;
    return true;
}

// If the joint is this word, only these keys can be there, and some of them must.
static void when(schema_writer *j, multibody_section section, int joint,
                 const mb_closing_kind *kind)
{
    const char *words[WORDS_MAX], *needed[WORDS_MAX];
    int count = 0, needed_count = 0;
    const multibody_key *key;
    for (int i = 0; (key = multibody_key_at(i)) && count < WORDS_MAX; i++) {
        if (key->section != section || !has_key(key, joint, kind) ||
            (count > 0 && strcmp(words[count - 1], key->name) == 0))
            continue;
        words[count++] = key->name;
        if (needs_key(key, joint, kind))
            needed[needed_count++] = key->name;
    }
    for (int k = 0; kind && k < MC_JOINT_VALUE_MAX && kind->is.value[k].key; k++)
        if (is_outside(kind->is.value[k].key) && count < WORDS_MAX) {
            words[count++] = kind->is.value[k].key;
            if (kind->is.value[k].needed)
                needed[needed_count++] = kind->is.value[k].key;
        }
    schema_open(j, NULL, '{');
    schema_open_line(j, "if", '{');
    if (joint == MULTIBODY_GRAPH) {
        schema_open(j, "not", '{');
    } else {
        schema_open(j, "properties", '{');
        schema_open(j, "joint", '{');
        schema_text(j, "const", kind ? kind->is.name : mb_joint_names[joint]);
        schema_shut(j, '}');
        schema_shut(j, '}');
    }
    schema_texts(j, "required", (const char *const[]){"joint"}, 1);
    if (joint == MULTIBODY_GRAPH)
        schema_shut(j, '}');
    schema_shut_line(j, '}');
    schema_open(j, "then", '{');
    schema_open(j, "propertyNames", '{');
    schema_texts(j, "enum", words, count);
    schema_shut(j, '}');
    if (needed_count)
        schema_texts(j, "required", needed, needed_count);
    schema_shut(j, '}');
    schema_shut(j, '}');
}

// If a shape is of this kind, only these keys can be there.
static void when_shape(schema_writer *j, int kind)
{
    const char *words[WORDS_MAX];
    const multibody_key *key;
    int count = 0;
    for (int i = 0; (key = multibody_key_at(i)) && count < WORDS_MAX; i++)
        if (key->section == MULTIBODY_SHAPE && (key->joints == 0 || key->joints & (1u << kind)))
            words[count++] = key->name;
    schema_open(j, NULL, '{');
    schema_open_line(j, "if", '{');
    schema_open(j, "properties", '{');
    schema_open(j, "kind", '{');
    schema_text(j, "const", mb_shape_names[kind]);
    schema_shut(j, '}');
    schema_shut(j, '}');
    schema_shut_line(j, '}');
    schema_open(j, "then", '{');
    schema_open(j, "propertyNames", '{');
    schema_texts(j, "enum", words, count);
    schema_shut(j, '}');
    schema_shut(j, '}');
    schema_shut(j, '}');
}

static void conditions(schema_writer *j, multibody_section section)
{
    const mb_closing_kind *kind;
    schema_open(j, "allOf", '[');
    for (int k = 0; section == MULTIBODY_BODY && k <= MULTIBODY_GRAPH; k++)
        when(j, section, k, NULL);
    for (int k = 0; section == MULTIBODY_JOINT && (kind = mb_closing_kind_at(k)); k++)
        when(j, section, -1, kind);
    for (int k = 0; section == MULTIBODY_SHAPE && k < MC_SHAPE_COUNT; k++)
        when_shape(j, k);
    schema_shut(j, ']');
}

// ---- sections ----

static void key_schema(schema_writer *j, const multibody_key *key)
{
    char line[300];
    const char *unit = key->unit;
    snprintf(line, sizeof line, "%s%s%s%s", key->doc, *unit ? " [" : "", unit, *unit ? "]" : "");
    schema_open_line(j, key->name, '{');
    schema_text(j, "description", line);
    value(j, key);
    schema_shut_line(j, '}');
}

static void outside_schema(schema_writer *j)
{
    const mc_joint_kind *kind;
    for (int i = 0; (kind = mc_joint_kind_at(i)); i++)
        for (int k = 0; k < MC_JOINT_VALUE_MAX && kind->value[k].key; k++) {
            const mc_joint_value *value = &kind->value[k];
            if (is_outside(value->key) && mb_closing_value_find(value->key) == value)
                key_schema(j, &(multibody_key){.section = MULTIBODY_JOINT,
                                               .name = value->key,
                                               .unit = value->unit,
                                               .doc = value->doc,
                                               .value = VALUE_NUMBER});
        }
}

static void section_schema(schema_writer *j, multibody_section section)
{
    const multibody_key *key;
    const char *needed[WORDS_MAX], *last = "";
    int needed_count = 0;
    schema_open(j, definition(section), '{');
    schema_text(j, "type", "object");
    schema_open(j, "properties", '{');
    for (int i = 0; (key = multibody_key_at(i)); i++) {
        if (key->section != section || strcmp(last, key->name) == 0)
            continue; // a key with two units is there once
        key_schema(j, key);
        last = key->name;
        if (key->needed)
            needed[needed_count++] = key->name;
    }
    if (section == MULTIBODY_JOINT)
        outside_schema(j);
    schema_shut(j, '}');
    if (needed_count)
        schema_texts(j, "required", needed, needed_count);
    if (section == MULTIBODY_BODY || section == MULTIBODY_JOINT || section == MULTIBODY_SHAPE)
        conditions(j, section);
    schema_word(j, "additionalProperties", "false");
    schema_shut(j, '}');
}

mc_status mc_multibody_write_schema(FILE *out, mc_error *error)
{
    schema_writer j = {.out = out};
    schema_open(&j, NULL, '{');
    schema_text(&j, "$schema", "http://json-schema.org/draft-07/schema#");
    schema_text(&j, "title", "Motorcade mechanism");
    schema_text(&j, "$ref", "#/definitions/model");
    schema_open(&j, "definitions", '{');
    for (int k = 0; k < MULTIBODY_SECTION_COUNT; k++)
        section_schema(&j, (multibody_section)k);
    terrain_write_schema(&j);
    schema_shut(&j, '}');
    schema_shut(&j, '}');
    putc('\n', out);
    if (fflush(out) == 0 && !ferror(out))
        return MC_OK;
    return mc_error_set(error, MC_IO, NULL, 0, 0, "cannot write the schema: %s", strerror(errno));
}
