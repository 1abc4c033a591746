// schema.c - the JSON Schema of concept files, from the tables of keys, connections and templates.
//
// It covers keys, words and ranges; names, places and units are checked by the program.
#include "concept/connection.h"
#include "concept/keys.h"
#include "shape/section.h"
#include "concept/template.h"
#include "io/schema_writer.h"

#include <errno.h>
#include <string.h>

enum { WORDS_MAX = 48 };

// "a beam" is called beam.
static const char *definition(concept_section_id section)
{
    const char *blank = strchr(concept_section_name(section), ' ');
    return blank ? blank + 1 : concept_section_name(section);
}

static void number_type(schema_writer *j)
{
    schema_texts(j, "type", (const char *const[]){"number", "string"}, 2);
}

static void list_of(schema_writer *j, int min, int max)
{
    schema_text(j, "type", "array");
    schema_open_line(j, "items", '{');
    number_type(j);
    schema_shut_line(j, '}');
    schema_number(j, "minItems", min);
    schema_number(j, "maxItems", max);
}

static void places(schema_writer *j)
{
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    list_of(j, 3, 3);
    schema_shut(j, '}');
}

// The words of a key that has some.
static int words_of(const concept_key *key, const char *words[WORDS_MAX])
{
    int count = 0;
    if (key->section == CONCEPT_TOP && strcmp(key->name, "motorcade") == 0)
        words[count++] = "concept";
    for (int i = 0; strcmp(key->name, "role") == 0 && i < ROLE_COUNT; i++)
        words[count++] = concept_role_names[i];
    for (int i = 0; key->section == CONCEPT_SECTION && section_kind_at(i); i++)
        words[count++] = section_kind_at(i)->name;
    for (int i = 0; strcmp(key->name, "joint") == 0 && connection_kind_at(i); i++)
        words[count++] = connection_kind_at(i)->name;
    for (int i = 0; strcmp(key->name, "template") == 0 && template_at(i); i++)
        words[count++] = template_at(i)->name;
    if (strcmp(key->name, "state") == 0)
        words[count++] = "shut", words[count++] = "open";
    if (strcmp(key->name, "from") == 0)
        words[count++] = "rest", words[count++] = "start";
    if (strcmp(key->name, "shape") == 0)
        words[count++] = "bump", words[count++] = "ramp";
    if (strcmp(key->name, "side") == 0)
        words[count++] = "both", words[count++] = "left", words[count++] = "right";
    return count;
}

static void each(schema_writer *j, concept_section_id section)
{
    schema_texts(j, "type", (const char *const[]){"object", "null"}, 2);
    schema_open(j, "propertyNames", '{');
    schema_text(j, "pattern", "^[A-Za-z][A-Za-z0-9_]*$");
    schema_shut(j, '}');
    schema_refer(j, "additionalProperties", definition(section));
}

static void either_axis(schema_writer *j)
{
    static const char *const axes[] = {"x", "y", "z", "-x", "-y", "-z"};
    schema_open(j, "anyOf", '[');
    schema_choice(j, axes, 6);
    schema_open(j, NULL, '{');
    list_of(j, 3, 3);
    schema_shut(j, '}');
    schema_shut(j, ']');
}

static void number_value(schema_writer *j, const concept_key *key)
{
    number_type(j);
    if (key->min != 0.0 || key->max != 0.0) {
        schema_number(j, "minimum", key->min);
        schema_number(j, "maximum", key->max);
    }
}

static void value(schema_writer *j, const concept_key *key)
{
    const char *words[WORDS_MAX];
    if (key->value >= CONCEPT_VALUES) {
        schema_text(j, "type", "object");
        return;
    }
    if (key->value >= CONCEPT_EACH) {
        each(j, (concept_section_id)(key->value - CONCEPT_EACH));
        return;
    }
    if (key->value >= CONCEPT_MAP) {
        schema_open(j, "allOf", '[');
        schema_refer(j, NULL, definition((concept_section_id)(key->value - CONCEPT_MAP)));
        schema_shut(j, ']');
        return;
    }
    switch (key->value) {
    case CONCEPT_NUMBER:
        number_value(j, key);
        break;
    case CONCEPT_TEXT:
        number_type(j);
        break;
    case CONCEPT_WORD:
        schema_texts(j, "enum", words, words_of(key, words));
        break;
    case CONCEPT_FLAG:
        schema_text(j, "type", "boolean");
        break;
    case CONCEPT_VECTOR:
        list_of(j, 3, 3);
        break;
    case CONCEPT_AXIS:
        either_axis(j);
        break;
    case CONCEPT_NUMBERS:
        list_of(j, key->section == CONCEPT_WHEEL ? 2 : 3, 6);
        break;
    case CONCEPT_POINTS:
        places(j);
        break;
    case CONCEPT_PAIRS:
        schema_text(j, "type", "array");
        break;
    case CONCEPT_NAMES:
        schema_texts(j, "type", (const char *const[]){"array", "string"}, 2);
        break;
    case CONCEPT_TURN:
        schema_texts(j, "type", (const char *const[]){"array", "object"}, 2);
        break;
    default:
        schema_texts(j, "type", (const char *const[]){"number", "string", "array"}, 3);
    }
}

static void section_schema(schema_writer *j, concept_section_id section)
{
    const concept_key *key;
    const char *needed[WORDS_MAX];
    int count = 0;
    schema_open(j, definition(section), '{');
    schema_text(j, "type", "object");
    schema_open(j, "properties", '{');
    for (int i = 0; (key = concept_key_at(i)); i++) {
        char line[300];
        if (key->section != section)
            continue;
        snprintf(line, sizeof line, "%s%s%s%s", key->doc, *key->unit ? " [" : "", key->unit,
                 *key->unit ? "]" : "");
        schema_open_line(j, key->name, '{');
        schema_text(j, "description", line);
        value(j, key);
        schema_shut_line(j, '}');
        if (key->needed)
            needed[count++] = key->name;
    }
    schema_shut(j, '}');
    if (count)
        schema_texts(j, "required", needed, count);
    schema_word(j, "additionalProperties", "false");
    schema_shut(j, '}');
}

mc_status mc_concept_write_schema(FILE *out, mc_error *error)
{
    schema_writer j = {.out = out};
    schema_open(&j, NULL, '{');
    schema_text(&j, "$schema", "http://json-schema.org/draft-07/schema#");
    schema_text(&j, "title", "Motorcade concept");
    schema_text(&j, "$ref", "#/definitions/concept");
    schema_open(&j, "definitions", '{');
    for (int k = 0; k < CONCEPT_SECTION_COUNT; k++)
        section_schema(&j, (concept_section_id)k);
    schema_shut(&j, '}');
    schema_shut(&j, '}');
    putc('\n', out);
    if (fflush(out) == 0 && !ferror(out))
        return MC_OK;
    return mc_error_set(error, MC_IO, NULL, 0, 0, "cannot write the schema: %s", strerror(errno));
}
