// schema.c - the JSON Schema of terrain, from its table of keys.
#include "road/shape.h"
#include "terrain_file/read.h"

#include <math.h>
#include <string.h>

static const char *const definitions[TERRAIN_SECTION_COUNT] = {"terrain", "terrain_feature",
                                                               "terrain_term", "terrain_spot"};

static void describe(schema_writer *j, const char *doc, const char *unit, double fallback)
{
    char line[300], begins[48] = "";
    const bool plain = unit[0] == '\0' || strcmp(unit, "-") == 0;
    if (!isnan(fallback))
        snprintf(begins, sizeof begins, "; default %.9g", fallback);
    snprintf(line, sizeof line, "%s%s%s%s%s", doc, plain ? "" : " [", plain ? "" : unit,
             plain ? "" : "]", begins);
    schema_text(j, "description", line);
}

static void rows(schema_writer *j)
{
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    schema_texts(j, "type", (const char *const[]){"number", "string"}, 2);
    schema_shut(j, '}');
    schema_number(j, "minItems", 2);
    schema_number(j, "maxItems", 3);
    schema_shut(j, '}');
}

static void value(schema_writer *j, const terrain_key *key)
{
    const char *words[16];
    int count = 0;
    switch (key->form) {
    case TERRAIN_WHOLE:
        schema_text(j, "type", "integer");
        schema_number(j, "minimum", key->min);
        schema_number(j, "maximum", key->max);
        break;
    case TERRAIN_NUMBER:
        schema_number_or_text(j, key->min, key->max);
        schema_shut(j, ']');
        break;
    case TERRAIN_FLAG:
        schema_text(j, "type", "boolean");
        break;
    case TERRAIN_FORMULA:
        schema_texts(j, "type", (const char *const[]){"string", "number"}, 2);
        break;
    case TERRAIN_ROWS:
        rows(j);
        break;
    case TERRAIN_WORD:
        schema_texts(j, "enum", (const char *const[]){"both", "left", "right"}, 3);
        break;
    case TERRAIN_CLASS:
        schema_texts(j, "enum", (const char *const[]){"A", "B", "C", "D", "E", "F", "G", "H"}, 8);
        break;
    case TERRAIN_SHAPE:
        for (; count < 16 && road_shape_at(count); count++)
            words[count] = road_shape_at(count)->name;
        schema_texts(j, "enum", words, count);
        break;
    case TERRAIN_LIST:
        schema_text(j, "type", "array");
        schema_refer(j, "items", definitions[key->sub]);
        break;
    default:
        schema_text(j, "type", "string");
    }
}

static bool is_key(const char *name)
{
    const terrain_key *key;
    for (int i = 0; (key = terrain_key_at(i)); i++)
        if (key->section == TERRAIN_FEATURE && strcmp(key->name, name) == 0)
            return true;
    return false;
}

void terrain_write_schema(schema_writer *j)
{
    for (int section = 0; section < TERRAIN_SECTION_COUNT; section++) {
        const terrain_key *key;
        schema_open(j, definitions[section], '{');
        schema_text(j, "type", "object");
        schema_open(j, "properties", '{');
        for (int i = 0; (key = terrain_key_at(i)); i++) {
            if ((int)key->section != section)
                continue;
            schema_open_line(j, key->name, '{');
            describe(j, key->doc, key->unit, key->fallback);
            value(j, key);
            schema_shut_line(j, '}');
        }
        const road_shape *shape;
        for (int s = 0; section == TERRAIN_FEATURE && (shape = road_shape_at(s)); s++)
            for (int k = 0; k < shape->param_count; k++) {
                const mc_param *p = &shape->params[k];
                if (is_key(p->name))
                    continue;
                schema_open_line(j, p->name, '{');
                describe(j, p->doc, p->unit, p->fallback);
                schema_number_or_text(j, p->min, p->max);
                schema_shut(j, ']');
                schema_shut_line(j, '}');
            }
        schema_shut(j, '}');
        schema_word(j, "additionalProperties", "false");
        schema_shut(j, '}');
    }
}
