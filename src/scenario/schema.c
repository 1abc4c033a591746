// schema.c - JSON Schema from the tables of keys and parameters.
#include "scenario/schema.h"

#include "scenario/scenario.h"
#include "parts/powertrain.h"
#include "scenario/keys.h"
#include "scenario/model_keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- JSON ----

typedef struct json {
    FILE *out;
    int depth;
    bool more; // something stands before, at this depth
    int flat;  // above 0: all on one line
} json;

static void string(json *j, const char *text)
{
    putc('"', j->out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', j->out);
        putc(*text, j->out);
    }
    putc('"', j->out);
}

// Begins a new element; key NULL: of a list.
static void begin(json *j, const char *key)
{
    if (j->flat)
        fputs(j->more ? ", " : "", j->out);
    else
        fprintf(j->out, "%s\n%*s", j->more ? "," : "", 2 * j->depth, "");
    j->more = true;
    if (key) {
        string(j, key);
        fputs(": ", j->out);
    }
}

static void open(json *j, const char *key, char bracket)
{
    if (j->depth > 0)
        begin(j, key);
    putc(bracket, j->out);
    j->depth++;
    j->more = false;
}

static void shut(json *j, char bracket)
{
    j->depth--;
    if (j->flat)
        putc(bracket, j->out);
    else
        fprintf(j->out, "\n%*s%c", 2 * j->depth, "", bracket);
    j->more = true;
}

// The same for what is written on one line.
static void open_line(json *j, const char *key, char bracket)
{
    open(j, key, bracket);
    j->flat++;
}

static void shut_line(json *j, char bracket)
{
    shut(j, bracket);
    j->flat--;
}

static void text(json *j, const char *key, const char *value)
{
    begin(j, key);
    string(j, value);
}

static void word(json *j, const char *key, const char *literal) // true, false
{
    begin(j, key);
    fputs(literal, j->out);
}

static void number(json *j, const char *key, double value)
{
    char short_form[40];
    snprintf(short_form, sizeof short_form, "%.15g", value);
    if (strtod(short_form, NULL) != value)
        snprintf(short_form, sizeof short_form, "%.17g", value);
    begin(j, key);
    fputs(short_form, j->out);
}

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

static void refer(json *j, const char *key, scenario_section section)
{
    char name[64], path[96];
    snprintf(path, sizeof path, "#/definitions/%s", slug(section, name));
    open(j, key, '{');
    text(j, "$ref", path);
    shut(j, '}');
}

static void type_only(json *j, const char *type)
{
    open(j, NULL, '{');
    text(j, "type", type);
    shut(j, '}');
}

// A number within limits, or a text such as 65 mph.
static void number_or_text(json *j, double min, double max)
{
    open(j, "anyOf", '[');
    open(j, NULL, '{');
    text(j, "type", "number");
    if (fabs(min) < 1e300)
        number(j, "minimum", min);
    if (fabs(max) < 1e300)
        number(j, "maximum", max);
    shut(j, '}');
    open(j, NULL, '{');
    text(j, "type", "string");
    text(j, "pattern", "^ *[-+]?[.0-9]");
    shut(j, '}');
}

static void describe(json *j, const char *doc, const char *unit, double fallback)
{
    char line[500], begins[64] = "";
    unit = strcmp(unit, "-") == 0 ? "" : unit;
    if (!isnan(fallback))
        snprintf(begins, sizeof begins, "; default %.9g", fallback);
    snprintf(line, sizeof line, "%s%s%s%s%s", doc, unit[0] ? " [" : "", unit, unit[0] ? "]" : "",
             begins);
    text(j, "description", line);
}

static void param(json *j, const mc_param *p)
{
    open_line(j, p->name, '{');
    describe(j, p->doc, p->unit, p->fallback);
    number_or_text(j, p->min, p->max);
    shut(j, ']');
    shut_line(j, '}');
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
    if (key->sub == SECTION_ESTIMATOR_METHOD)
        for (; estimator_at(count) && count < 64; count++)
            words[count] = estimator_at(count)->name;
    if (key->sub == SECTION_LAW || key->sub == SECTION_FALLBACK)
        for (; law_at(count) && count < 64; count++)
            words[count] = law_at(count)->name;
    return count;
}

static void enumerate(json *j, const char *key, const char *const *words, int count)
{
    open_line(j, key, '[');
    for (int i = 0; i < count; i++)
        text(j, NULL, words[i]);
    shut_line(j, ']');
}

// {"enum": [...]} as an element of a list.
static void choice(json *j, const char *const *words, int count)
{
    open(j, NULL, '{');
    enumerate(j, "enum", words, count);
    shut(j, '}');
}

static void texts(json *j)
{
    open(j, "anyOf", '[');
    type_only(j, "string");
    type_only(j, "null");
    open(j, NULL, '{');
    text(j, "type", "array");
    open(j, "items", '{');
    text(j, "type", "string");
    shut(j, '}');
    shut(j, '}');
    shut(j, ']');
}

static void matrix(json *j)
{
    text(j, "type", "array");
    open(j, "items", '{');
    open(j, "anyOf", '[');
    type_only(j, "number");
    type_only(j, "string");
    open(j, NULL, '{');
    text(j, "type", "array");
    open(j, "items", '{');
    number_or_text(j, -HUGE_VAL, HUGE_VAL);
    shut(j, ']');
    shut(j, '}');
    shut(j, '}');
    shut(j, ']');
    shut(j, '}');
}

static void listen_list(json *j)
{
    static const char *const words[] = {"front", "behind", "leader"};
    open(j, "anyOf", '[');
    choice(j, words, 3);
    type_only(j, "integer");
    open(j, NULL, '{');
    text(j, "type", "array");
    open(j, "items", '{');
    open(j, "anyOf", '[');
    choice(j, words, 3);
    type_only(j, "integer");
    shut(j, ']');
    shut(j, '}');
    shut(j, '}');
    shut(j, ']');
}

// ---- keys by type ----

// A map from names to maps of `sub`, some of which have a short form of one word or number.
static void named(json *j, const scenario_key *key)
{
    open(j, "type", '[');
    text(j, NULL, "object");
    text(j, NULL, "null");
    shut(j, ']');
    open(j, "propertyNames", '{');
    text(j, "pattern", "^[A-Za-z_][A-Za-z0-9_-]*$");
    shut(j, '}');
    open(j, "additionalProperties", '{');
    open(j, "anyOf", '[');
    refer(j, NULL, key->sub);
    const char *words[64];
    if (key->sub == SECTION_MODEL)
        choice(j, words, type_names(words));
    if (key->sub == SECTION_CONTROLLER || key->sub == SECTION_ESTIMATOR ||
        key->sub == SECTION_PROFILE || key->sub == SECTION_PARAMETER)
        type_only(j, "string");
    if (key->sub == SECTION_PROFILE || key->sub == SECTION_PARAMETER)
        type_only(j, "number");
    shut(j, ']');
    shut(j, '}');
}

static void list(json *j, scenario_section section)
{
    open(j, "anyOf", '[');
    type_only(j, "null");
    open(j, NULL, '{');
    text(j, "type", "array");
    refer(j, "items", section);
    shut(j, '}');
    shut(j, ']');
}

// One word of several, or a map.
static void word_or_map(json *j, const scenario_key *key)
{
    const char *words[64];
    const int count = choices(key, words);
    open(j, "anyOf", '[');
    refer(j, NULL, key->sub);
    if (count)
        choice(j, words, count);
    if (key->sub == SECTION_AVOID)
        type_only(j, "boolean");
    if (key->type == TYPE_PROFILE) {
        type_only(j, "string");
        type_only(j, "number");
    }
    shut(j, ']');
}

static void values(json *j, const char *type, bool numbers)
{
    text(j, "type", "object");
    open(j, "additionalProperties", '{');
    open(j, "type", '[');
    text(j, NULL, type);
    text(j, NULL, numbers ? "number" : "integer");
    shut(j, ']');
    shut(j, '}');
}

static void numeric(json *j, const scenario_key *key)
{
    if (key->type == TYPE_WHOLE) {
        text(j, "type", "integer");
        number(j, "minimum", key->min);
        number(j, "maximum", key->max);
        return;
    }
    number_or_text(j, key->min, key->max);
    if (strcmp(key->name, "brake_lost") == 0 || strcmp(key->name, "throttle_stuck") == 0)
        type_only(j, "null"); // nothing after the colon
    shut(j, ']');
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

static void key_schema(json *j, const scenario_key *key)
{
    const char *words[64];
    int count;
    char doc[200];
    const char *usual = default_kind(key);
    snprintf(doc, sizeof doc, "%s%s%s", key->doc, usual ? "; default: " : "", usual ? usual : "");
    open_line(j, key->name, '{');
    describe(j, doc, key->unit, key->unit[0] ? key->fallback : NAN);
    switch (key->type) {
    case TYPE_NUMBER:
    case TYPE_WHOLE:
        numeric(j, key);
        break;
    case TYPE_TEXT:
        count = choices(key, words);
        if (count)
            enumerate(j, "enum", words, count);
        else
            text(j, "type", "string");
        break;
    case TYPE_FLAG:
        text(j, "type", "boolean");
        break;
    case TYPE_FORMULA:
        enumerate(j, "type", (const char *const[]){"string", "number"}, 2);
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
    case TYPE_LISTEN:
        listen_list(j);
        break;
    default: // TYPE_MAP, TYPE_PROFILE, TYPE_LAW
        word_or_map(j, key);
    }
    shut_line(j, '}');
}

// ---- models ----

// "cosserat, multibody: doc": who has the key, where not every type does.
static void describe_word(json *j, const model_word *w)
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

static void model_key_schema(json *j, const model_word *w)
{
    const mc_model_key *key = w->key;
    if (w->row >= 0) {
        param(j, &key->rows[w->row]);
        return;
    }
    open_line(j, w->name, '{');
    if (key->form == MC_KEY_FORM_WHOLE) {
        const scenario_key row = {
            .type = TYPE_WHOLE, .min = key->rows[0].min, .max = key->rows[0].max};
        describe_word(j, w);
        numeric(j, &row);
    } else if (key->form == MC_KEY_FORM_MAP) {
        char name[96], path[128];
        map_name(key, name);
        snprintf(path, sizeof path, "#/definitions/%s", name);
        describe_word(j, w);
        open(j, "anyOf", '[');
        open(j, NULL, '{');
        text(j, "$ref", path);
        shut(j, '}');
        shut(j, ']');
    } else if (key->form == MC_KEY_FORM_TYRE || (int)key->form == KEY_POWERTRAIN) {
        const scenario_key row = {
            .sub = key->form == MC_KEY_FORM_TYRE ? SECTION_TYRE : SECTION_POWERTRAIN, .name = ""};
        describe_word(j, w);
        word_or_map(j, &row);
    } else {
        describe_word(j, w);
        text(j, "type", "string");
    }
    shut_line(j, '}');
}

// The maps of numbers that models have.
static void map_schemas(json *j)
{
    model_word words[MODEL_WORDS_MAX];
    const int count = model_words(words);
    for (int w = 0; w < count; w++) {
        const mc_model_key *key = words[w].key;
        char name[96];
        if (words[w].row >= 0 || key->form != MC_KEY_FORM_MAP)
            continue;
        map_name(key, name);
        open(j, name, '{');
        text(j, "type", "object");
        open(j, "properties", '{');
        for (int i = 0; i < key->count; i++)
            param(j, &key->rows[i]);
        shut(j, '}');
        word(j, "additionalProperties", "false");
        shut(j, '}');
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
    const law_text *l = law_at(k);
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
static void union_params(json *j, scenario_section section)
{
    const mc_param *all[UNION_MAX];
    const int count = union_of(section, all);
    for (int i = 0; i < count; i++) {
        open_line(j, all[i]->name, '{');
        text(j, "description", all[i]->doc);
        number_or_text(j, -HUGE_VAL, HUGE_VAL);
        shut(j, ']');
        shut_line(j, '}');
    }
}

// Which keys can stand in the section: its own, and those that are written between these two.
static void open_names(json *j, scenario_section section)
{
    const scenario_key *key;
    open(j, "propertyNames", '{');
    open_line(j, "enum", '[');
    for (int i = 0; (key = scenario_key_at(i)); i++)
        if (key->section == section)
            text(j, NULL, key->name);
}

static void shut_names(json *j)
{
    shut_line(j, ']');
    shut(j, '}');
}

// The parameters of a user-defined law may have any name; with a law given by name only known ones.
static void names_unless_own(json *j, scenario_section section)
{
    const mc_param *all[UNION_MAX];
    const int count = union_of(section, all);
    open(j, "if", '{');
    open_line(j, "properties", '{');
    open_line(j, kind_key(section), '{');
    text(j, "type", "string");
    shut_line(j, '}');
    shut_line(j, '}');
    shut(j, '}');
    open(j, "then", '{');
    open_names(j, section);
    for (int i = 0; i < count; i++)
        text(j, NULL, all[i]->name);
    shut_names(j);
    shut(j, '}');
}

// For one kind: which keys there are, and the limits of its parameters.
static void when(json *j, scenario_section section, const char *name, const mc_param *params,
                 int count)
{
    open(j, NULL, '{');
    open_line(j, "if", '{');
    open(j, "properties", '{');
    open(j, kind_key(section), '{');
    text(j, "const", name);
    shut(j, '}');
    shut(j, '}');
    enumerate(j, "required", (const char *const[]){kind_key(section)}, 1);
    shut_line(j, '}');
    open(j, "then", '{');
    open(j, "properties", '{');
    for (int i = 0; i < count; i++)
        param(j, &params[i]);
    shut(j, '}');
    open_names(j, section);
    for (int i = 0; i < count; i++)
        text(j, NULL, params[i].name);
    shut_names(j);
    shut(j, '}');
    shut(j, '}');
}

static void conditions(json *j, scenario_section section)
{
    const mc_param *params;
    const char *name;
    int count;
    open(j, "allOf", '[');
    for (int k = 0; (name = kind_of(section, k, &params, &count)); k++)
        when(j, section, name, params, count);
    shut(j, ']');
}

static void section_schema(json *j, scenario_section section)
{
    const bool open_ended = section == SECTION_CONTROLLER || section == SECTION_FALLBACK ||
                            section == SECTION_POWERTRAIN || section == SECTION_TYRE ||
                            section == SECTION_ESTIMATOR;
    const scenario_key *key;
    int count, needed = 0;
    char name[64];
    const mc_param *params = scenario_section_params(section, &count);
    open(j, slug(section, name), '{');
    text(j, "type", "object");
    open(j, "properties", '{');
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
    shut(j, '}');
    if (needed) {
        open_line(j, "required", '[');
        for (int i = 0; (key = scenario_key_at(i)); i++)
            if (key->section == section && key->needed)
                text(j, NULL, key->name);
        shut_line(j, ']');
    }
    if (open_ended)
        conditions(j, section);
    if (open_ended && section != SECTION_POWERTRAIN)
        names_unless_own(j, section);
    else
        word(j, "additionalProperties", "false");
    shut(j, '}');
}

void scenario_write_schema(FILE *out)
{
    json j = {.out = out};
    open(&j, NULL, '{');
    text(&j, "$schema", "http://json-schema.org/draft-07/schema#");
    text(&j, "title", "Motorcade scenario");
    text(&j, "$ref", "#/definitions/scenario");
    open(&j, "definitions", '{');
    for (int k = 0; k < SECTION_COUNT; k++)
        section_schema(&j, (scenario_section)k);
    map_schemas(&j);
    shut(&j, '}');
    shut(&j, '}');
    putc('\n', out);
}
