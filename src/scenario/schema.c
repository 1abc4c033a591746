// schema.c - JSON Schema from the tables of keys and parameters.
#include "scenario/schema.h"

#include "io/schema_writer.h"
#include "scenario/scenario.h"
#include "parts/powertrain.h"
#include "scenario/keys.h"
#include "scenario/model_keys.h"
#include "scenario/section_text.h"
#include "terrain_file/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- pieces ----

// "a car of a platoon" is called car_of_a_platoon.
static const char *slug(scenario_section section, char out[64])
{
    const char *name = scenario_section_name(section);
    const char *const articles[] = {"a ", "an ", "the "};
    for (int i = 0; i < 3; i++)
        if (strncmp(name, articles[i], strlen(articles[i])) == 0) {
            name += strlen(articles[i]);
            break;
        }
    snprintf(out, 64, "%s", name);
    for (char *c = out; *c; c++)
        if (*c == ' ')
            *c = '_';
    return out;
}

static void refer(schema_writer *j, const char *key, scenario_section section)
{
    char name[64];
    schema_refer(j, key, slug(section, name));
}

static void describe(schema_writer *j, const char *doc, const char *unit, double fallback)
{
    char line[500], begins[64] = "";
    unit = strcmp(unit, "-") == 0 ? "" : unit;
    if (!isnan(fallback))
        snprintf(begins, sizeof begins, "; default %.9g", fallback);
    snprintf(line, sizeof line, "%s%s%s%s%s", doc, unit[0] ? " [" : "", unit, unit[0] ? "]" : "",
             begins);
    schema_text(j, "description", line);
}

static void param(schema_writer *j, const mc_param *p)
{
    schema_open_line(j, p->name, '{');
    describe(j, p->doc, p->unit, p->fallback);
    schema_number_or_text(j, p->min, p->max);
    schema_shut(j, ']');
    schema_shut_line(j, '}');
}

static int type_names(const char *words[64])
{
    int count = 0;
    for (const mc_vehicle_type *type; count < 64 && (type = mc_vehicle_type_at(count));)
        words[count++] = type->name;
    return count;
}

// The words of a choice that is a text in the table of keys; 0: any text.
static int choices(const scenario_key *key, const char *words[64])
{
    int count = 0;
    if (key->section == SECTION_TOP && strcmp(key->name, "motorcade") == 0)
        words[count++] = "scenario";
    if (key->section == SECTION_MODEL && strcmp(key->name, "kind") == 0)
        count = type_names(words);
    if ((key->section == SECTION_POWERTRAIN && strcmp(key->name, "kind") == 0) ||
        key->sub == SECTION_POWERTRAIN)
        for (; powertrain_kind_at(count) && count < 64; count++)
            words[count] = powertrain_kind_at(count)->name;
    if ((key->section == SECTION_TYRE && strcmp(key->name, "kind") == 0) ||
        key->sub == SECTION_TYRE)
        for (; tyre_kind_at(count) && count < 64; count++)
            words[count] = tyre_kind_at(count)->name;
    if (key->section == SECTION_ROAD_SECTION) // use, enter
        for (; count < ROAD_USE_COUNT; count++)
            words[count] = scenario_road_uses[count];
    if (key->sub == SECTION_ESTIMATOR_METHOD)
        for (; estimator_at(count) && count < 64; count++)
            words[count] = estimator_at(count)->name;
    if (key->sub == SECTION_STEERING || key->sub == SECTION_STEERING_LAW)
        for (; steering_at(count) && count < 64; count++)
            words[count] = steering_at(count)->name;
    if (key->sub == SECTION_LAW || key->sub == SECTION_FALLBACK)
        for (; law_at(count) && count < 64; count++)
            words[count] = law_at(count)->name;
    return count;
}

static void texts(schema_writer *j)
{
    schema_open(j, "anyOf", '[');
    schema_type(j, "string");
    schema_type(j, "null");
    schema_open(j, NULL, '{');
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    schema_text(j, "type", "string");
    schema_shut(j, '}');
    schema_shut(j, '}');
    schema_shut(j, ']');
}

static void matrix(schema_writer *j)
{
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    schema_open(j, "anyOf", '[');
    schema_type(j, "number");
    schema_type(j, "string");
    schema_open(j, NULL, '{');
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    schema_number_or_text(j, -HUGE_VAL, HUGE_VAL);
    schema_shut(j, ']');
    schema_shut(j, '}');
    schema_shut(j, '}');
    schema_shut(j, ']');
    schema_shut(j, '}');
}

static void listen_list(schema_writer *j)
{
    static const char *const words[] = {"front", "behind", "leader"};
    schema_open(j, "anyOf", '[');
    schema_choice(j, words, 3);
    schema_type(j, "integer");
    schema_open(j, NULL, '{');
    schema_text(j, "type", "array");
    schema_open(j, "items", '{');
    schema_open(j, "anyOf", '[');
    schema_choice(j, words, 3);
    schema_type(j, "integer");
    schema_shut(j, ']');
    schema_shut(j, '}');
    schema_shut(j, '}');
    schema_shut(j, ']');
}

// ---- keys by type ----

// A map from names to maps of `sub`, some of which have a short form of one word or number.
static void named(schema_writer *j, const scenario_key *key)
{
    schema_open(j, "type", '[');
    schema_text(j, NULL, "object");
    schema_text(j, NULL, "null");
    schema_shut(j, ']');
    schema_open(j, "propertyNames", '{');
    schema_text(j, "pattern", "^[A-Za-z_][A-Za-z0-9_-]*$");
    schema_shut(j, '}');
    schema_open(j, "additionalProperties", '{');
    schema_open(j, "anyOf", '[');
    refer(j, NULL, key->sub);
    const char *words[64];
    if (key->sub == SECTION_MODEL)
        schema_choice(j, words, type_names(words));
    if (key->sub == SECTION_CONTROLLER || key->sub == SECTION_ESTIMATOR ||
        key->sub == SECTION_PROFILE || key->sub == SECTION_PARAMETER)
        schema_type(j, "string");
    if (key->sub == SECTION_PROFILE || key->sub == SECTION_PARAMETER)
        schema_type(j, "number");
    schema_shut(j, ']');
    schema_shut(j, '}');
}

static void list(schema_writer *j, scenario_section section)
{
    schema_open(j, "anyOf", '[');
    schema_type(j, "null");
    schema_open(j, NULL, '{');
    schema_text(j, "type", "array");
    refer(j, "items", section);
    schema_shut(j, '}');
    schema_shut(j, ']');
}

// One word of several, or a map.
static void word_or_map(schema_writer *j, const scenario_key *key)
{
    const char *words[64];
    const int count = choices(key, words);
    schema_open(j, "anyOf", '[');
    refer(j, NULL, key->sub);
    if (count)
        schema_choice(j, words, count);
    if (key->sub == SECTION_AVOID)
        schema_type(j, "boolean");
    if (key->sub == SECTION_FMU)
        schema_type(j, "string");
    if (key->sub == SECTION_ERSC)
        schema_type(j, "integer");
    if (key->type == TYPE_PROFILE) {
        schema_type(j, "string");
        schema_type(j, "number");
    }
    schema_shut(j, ']');
}

static void values(schema_writer *j, const char *type, bool numbers)
{
    schema_text(j, "type", "object");
    schema_open(j, "additionalProperties", '{');
    schema_open(j, "type", '[');
    schema_text(j, NULL, type);
    schema_text(j, NULL, numbers ? "number" : "integer");
    schema_shut(j, ']');
    schema_shut(j, '}');
}

static void numeric(schema_writer *j, const scenario_key *key)
{
    if (key->type == TYPE_WHOLE) {
        schema_text(j, "type", "integer");
        schema_number(j, "minimum", key->min);
        schema_number(j, "maximum", key->max);
        return;
    }
    schema_number_or_text(j, key->min, key->max);
    if (strcmp(key->name, "brake_lost") == 0 || strcmp(key->name, "throttle_stuck") == 0 ||
        strcmp(key->name, "split") == 0)
        schema_type(j, "null"); // nothing after the colon
    schema_shut(j, ']');
}

// The kind that a map has which names none; NULL: the key is no such name.
static const char *default_kind(const scenario_key *key)
{
    if (strcmp(key->name, "kind") != 0)
        return NULL;
    return key->section == SECTION_MODEL        ? mc_vehicle_type_default()->name
           : key->section == SECTION_POWERTRAIN ? powertrain_default(MC_POWERTRAIN_ROLE_MODEL)->name
                                                : NULL;
}

static void key_schema(schema_writer *j, const scenario_key *key)
{
    const char *words[64];
    int count;
    char doc[200];
    const char *usual = default_kind(key);
    snprintf(doc, sizeof doc, "%s%s%s", key->doc, usual ? "; default: " : "", usual ? usual : "");
    schema_open_line(j, key->name, '{');
    describe(j, doc, key->unit, key->unit[0] ? key->fallback : NAN);
    switch (key->type) {
    case TYPE_NUMBER:
    case TYPE_WHOLE:
        numeric(j, key);
        break;
    case TYPE_TEXT:
        count = choices(key, words);
        if (count)
            schema_texts(j, "enum", words, count);
        else
            schema_text(j, "type", "string");
        break;
    case TYPE_FLAG:
        schema_text(j, "type", "boolean");
        break;
    case TYPE_FORMULA:
        schema_texts(j, "type", (const char *const[]){"string", "number"}, 2);
        break;
    case TYPE_TEXTS:
        texts(j);
        break;
    case TYPE_MATRIX:
        matrix(j);
        break;
    case TYPE_NAMED:
        named(j, key);
        break;
    case TYPE_LIST:
        list(j, key->sub);
        break;
    case TYPE_FORMULAS:
    case TYPE_VALUES:
        values(j, "string", true);
        break;
    case TYPE_TERRAIN:
        schema_open(j, "allOf", '[');
        schema_refer(j, NULL, "terrain");
        schema_shut(j, ']');
        break;
    case TYPE_LISTEN:
        listen_list(j);
        break;
    default: // TYPE_MAP, TYPE_PROFILE, TYPE_LAW
        word_or_map(j, key);
    }
    schema_shut_line(j, '}');
}

// ---- models ----

// "cosserat, multibody: doc": who has the key, where not every type does.
static void describe_word(schema_writer *j, const model_word *w)
{
    char line[500], types[200], usual[100] = "";
    const mc_vehicle_type *type;
    int row, count = 0, have = 0;
    for (; (type = mc_vehicle_type_at(count)); count++)
        have += model_word_of(type, w->name, &row) != NULL;
    model_word_types(w->name, types, sizeof types);
    if ((int)w->key->form == KEY_POWERTRAIN)
        snprintf(usual, sizeof usual, "; %s if left out",
                 powertrain_default(MC_POWERTRAIN_ROLE_MODEL)->name);
    else if (w->key->form == MC_KEY_FORM_TYRE)
        snprintf(usual, sizeof usual, "; if left out that of the file, else %s",
                 tyre_default_for_spin()->name);
    snprintf(line, sizeof line, "%s%s%s%s", have < count ? types : "", have < count ? ": " : "",
             w->key->doc, usual);
    describe(j, line, "", w->key->form == MC_KEY_FORM_WHOLE ? w->key->rows[0].fallback : NAN);
}

static void map_name(const mc_model_key *key, char out[96])
{
    snprintf(out, 96, "%s_of_a_model", key->name);
}

static void model_key_schema(schema_writer *j, const model_word *w)
{
    const mc_model_key *key = w->key;
    if (w->row >= 0) {
        param(j, &key->rows[w->row]);
        return;
    }
    schema_open_line(j, w->name, '{');
    if (key->form == MC_KEY_FORM_WHOLE) {
        const scenario_key row = {
            .type = TYPE_WHOLE, .min = key->rows[0].min, .max = key->rows[0].max};
        describe_word(j, w);
        numeric(j, &row);
    } else if (key->form == MC_KEY_FORM_MAP) {
        char name[96];
        map_name(key, name);
        describe_word(j, w);
        schema_open(j, "anyOf", '[');
        schema_refer(j, NULL, name);
        schema_shut(j, ']');
    } else if (key->form == MC_KEY_FORM_TYRE || (int)key->form == KEY_POWERTRAIN) {
        const scenario_key row = {
            .sub = key->form == MC_KEY_FORM_TYRE ? SECTION_TYRE : SECTION_POWERTRAIN, .name = ""};
        describe_word(j, w);
        word_or_map(j, &row);
    } else {
        describe_word(j, w);
        schema_text(j, "type", "string");
    }
    schema_shut_line(j, '}');
}

// The maps of numbers that models have.
static void map_schemas(schema_writer *j)
{
    model_word words[MODEL_WORDS_MAX];
    const int count = model_words(words);
    for (int w = 0; w < count; w++) {
        const mc_model_key *key = words[w].key;
        char name[96];
        if (words[w].row >= 0 || key->form != MC_KEY_FORM_MAP)
            continue;
        map_name(key, name);
        schema_open(j, name, '{');
        schema_text(j, "type", "object");
        schema_open(j, "properties", '{');
        for (int i = 0; i < key->count; i++)
            param(j, &key->rows[i]);
        schema_shut(j, '}');
        schema_word(j, "additionalProperties", "false");
        schema_shut(j, '}');
    }
}

// ---- sections ----

// Kind k of a section whose parameters depend on its kind; NULL past the last.
static const char *kind_of(scenario_section section, int k, const mc_param **params, int *count)
{
    if (section == SECTION_POWERTRAIN) {
        const powertrain_kind *t = powertrain_kind_at(k);
        *params = t ? t->params : NULL, *count = t ? t->param_count : 0;
        return t ? t->name : NULL;
    }
    if (section == SECTION_TYRE) {
        const tyre_kind *t = tyre_kind_at(k);
        *params = t ? t->params : NULL, *count = t ? t->param_count : 0;
        return t ? t->name : NULL;
    }
    if (section == SECTION_ESTIMATOR) {
        const estimator_kind *e = estimator_at(k);
        *params = e ? e->params : NULL, *count = e ? e->param_count : 0;
        return e ? e->name : NULL;
    }
    const law_text *l = section == SECTION_STEERING ? steering_at(k) : law_at(k);
    *params = l ? l->params : NULL, *count = l ? l->param_count : 0;
    return l ? l->name : NULL;
}

// The key that names the kind.
static const char *kind_key(scenario_section section)
{
    return section == SECTION_POWERTRAIN || section == SECTION_TYRE ? "kind"
           : section == SECTION_ESTIMATOR                           ? "method"
                                                                    : "law";
}

enum { UNION_MAX = 512 };

// Parameters of all kinds; the first of a name stands for it.
static int union_of(scenario_section section, const mc_param *out[UNION_MAX])
{
    const mc_param *params;
    int count = 0, own;
    for (int k = 0; kind_of(section, k, &params, &own); k++)
        for (int i = 0; i < own && count < UNION_MAX; i++) {
            bool seen = false;
            for (int s = 0; s < count; s++)
                seen = seen || strcmp(out[s]->name, params[i].name) == 0;
            if (!seen)
                out[count++] = &params[i];
        }
    return count;
}

// Without limits: those depend on the kind.
static void union_params(schema_writer *j, scenario_section section)
{
    const mc_param *all[UNION_MAX];
    const int count = union_of(section, all);
    for (int i = 0; i < count; i++) {
        schema_open_line(j, all[i]->name, '{');
        schema_text(j, "description", all[i]->doc);
        schema_number_or_text(j, -HUGE_VAL, HUGE_VAL);
        schema_shut(j, ']');
        schema_shut_line(j, '}');
    }
}

// Which keys can stand in the section: its own, and those that are written between these two.
static void open_names(schema_writer *j, scenario_section section)
{
    const scenario_key *key;
    schema_open(j, "propertyNames", '{');
    schema_open_line(j, "enum", '[');
    for (int i = 0; (key = scenario_key_at(i)); i++)
        if (key->section == section)
            schema_text(j, NULL, key->name);
}

static void shut_names(schema_writer *j)
{
    schema_shut_line(j, ']');
    schema_shut(j, '}');
}

// The parameters of a user-defined law may have any name; with a law given by name only known ones.
static void names_unless_own(schema_writer *j, scenario_section section)
{
    const mc_param *all[UNION_MAX];
    const int count = union_of(section, all);
    schema_open(j, "if", '{');
    schema_open_line(j, "properties", '{');
    schema_open_line(j, kind_key(section), '{');
    schema_text(j, "type", "string");
    schema_shut_line(j, '}');
    schema_shut_line(j, '}');
    schema_shut(j, '}');
    schema_open(j, "then", '{');
    open_names(j, section);
    for (int i = 0; i < count; i++)
        schema_text(j, NULL, all[i]->name);
    shut_names(j);
    schema_shut(j, '}');
}

// For one kind: which keys there are, and the limits of its parameters.
static void when(schema_writer *j, scenario_section section, const char *name,
                 const mc_param *params, int count)
{
    schema_open(j, NULL, '{');
    schema_open_line(j, "if", '{');
    schema_open(j, "properties", '{');
    schema_open(j, kind_key(section), '{');
    schema_text(j, "const", name);
    schema_shut(j, '}');
    schema_shut(j, '}');
    schema_texts(j, "required", (const char *const[]){kind_key(section)}, 1);
    schema_shut_line(j, '}');
    schema_open(j, "then", '{');
    schema_open(j, "properties", '{');
    for (int i = 0; i < count; i++)
        param(j, &params[i]);
    schema_shut(j, '}');
    open_names(j, section);
    for (int i = 0; i < count; i++)
        schema_text(j, NULL, params[i].name);
    shut_names(j);
    schema_shut(j, '}');
    schema_shut(j, '}');
}

static void conditions(schema_writer *j, scenario_section section)
{
    const mc_param *params;
    const char *name;
    int count;
    schema_open(j, "allOf", '[');
    for (int k = 0; (name = kind_of(section, k, &params, &count)); k++)
        when(j, section, name, params, count);
    schema_shut(j, ']');
}

static void section_schema(schema_writer *j, scenario_section section)
{
    const bool open_ended = section == SECTION_CONTROLLER || section == SECTION_FALLBACK ||
                            section == SECTION_STEERING || section == SECTION_POWERTRAIN ||
                            section == SECTION_TYRE || section == SECTION_ESTIMATOR;
    const scenario_key *key;
    int count, needed = 0;
    char name[64];
    const mc_param *params = scenario_section_params(section, &count);
    schema_open(j, slug(section, name), '{');
    schema_text(j, "type", "object");
    schema_open(j, "properties", '{');
    for (int i = 0; (key = scenario_key_at(i)); i++)
        if (key->section == section) {
            key_schema(j, key);
            needed += key->needed;
        }
    for (int i = 0; i < count; i++)
        param(j, &params[i]);
    if (section == SECTION_MODEL) {
        model_word words[MODEL_WORDS_MAX];
        const int word_count = model_words(words);
        for (int i = 0; i < word_count; i++)
            model_key_schema(j, &words[i]);
    }
    if (open_ended)
        union_params(j, section);
    schema_shut(j, '}');
    if (needed) {
        schema_open_line(j, "required", '[');
        for (int i = 0; (key = scenario_key_at(i)); i++)
            if (key->section == section && key->needed)
                schema_text(j, NULL, key->name);
        schema_shut_line(j, ']');
    }
    if (open_ended)
        conditions(j, section);
    if (open_ended && section != SECTION_POWERTRAIN)
        names_unless_own(j, section);
    else
        schema_word(j, "additionalProperties", "false");
    schema_shut(j, '}');
}

void scenario_write_schema(FILE *out)
{
    schema_writer j = {.out = out};
    schema_open(&j, NULL, '{');
    schema_text(&j, "$schema", "http://json-schema.org/draft-07/schema#");
    schema_text(&j, "title", "Motorcade scenario");
    schema_text(&j, "$ref", "#/definitions/scenario");
    schema_open(&j, "definitions", '{');
    for (int k = 0; k < SECTION_COUNT; k++)
        section_schema(&j, (scenario_section)k);
    map_schemas(&j);
    terrain_write_schema(&j);
    schema_shut(&j, '}');
    schema_shut(&j, '}');
    putc('\n', out);
}
