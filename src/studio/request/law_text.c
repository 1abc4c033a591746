// law_text.c - a control law as a page writes it.
//
// The lines are put into a small scenario, one formula a line, and read as every scenario is: so a
// law of a page can say what a law of a file can, and messages are the same. Their places are
// counted back to the page's text.
#include "studio/request/law_text.h"

#include "base/bytes.h"
#include "motorcade/laws.h"
#include "motorcade/scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 128, NAME_SIZE = 40 };

typedef enum line_kind { LINE_PARAMETER, LINE_STATE, LINE_START, LINE_VARIABLE, LINE_A } line_kind;

typedef struct law_row {
    line_kind kind;
    char name[NAME_SIZE + 1];
    char *formula, *unit;   // owned; unit "": none
    int line, column;       // of the formula, from 1
    int at_line, at_column; // where it stands in the small scenario
} law_row;

typedef struct law_rows {
    law_row row[LINES_MAX];
    int count;
} law_rows;

static void free_rows(law_rows *rows)
{
    for (int k = 0; k < rows->count; k++) {
        free(rows->row[k].formula);
        free(rows->row[k].unit);
    }
}

// ---- lines ----

static bool reject(mc_error *error, int line, const char *begin, const char *at, const char *text)
{
    mc_error_set(error, MC_BAD_INPUT, NULL, line, (int)(at - begin) + 1, "%s", text);
    char quoted[160];
    snprintf(quoted, sizeof quoted, "%.*s", (int)strcspn(begin, "\n#"), begin);
    mc_error_quote(error, quoted, (int)(at - begin));
    return false;
}

static const char *skip(const char *at)
{
    return at + strspn(at, " \t\r");
}

// Whether what ends at `end` is a number: a unit behind it is the number's.
static bool ends_in_number(const char *from, const char *end)
{
    while (end > from && strchr(" \t", end[-1]))
        end--;
    const char *word = end;
    while (word > from && (isalnum((unsigned char)word[-1]) || strchr("_.", word[-1])))
        word--;
    return word < end && (isdigit((unsigned char)*word) || *word == '.');
}

// Cuts blanks off the end; of parameters and states also their unit in brackets.
static bool take_formula(law_row *row, const char *from, const char *end)
{
    while (end > from && strchr(" \t\r", end[-1]))
        end--;
    const char *open = NULL;
    const bool unit = row->kind == LINE_PARAMETER || row->kind == LINE_STATE;
    if (unit && end > from && end[-1] == ']')
        for (const char *c = end; c > from && !open; c--)
            open = c[-1] == '[' ? c : NULL;
    if (open && row->kind == LINE_STATE && ends_in_number(from, open - 1))
        open = NULL;
    row->unit = open ? strndup(open, (size_t)(end - 1 - open)) : strdup("");
    if (open)
        for (end = open - 1; end > from && strchr(" \t", end[-1]);)
            end--;
    row->formula = strndup(from, (size_t)(end - from));
    return row->unit && row->formula;
}

static bool read_line(law_row *row, const char *line, int number, mc_error *error)
{
    const char *end = line + strcspn(line, "\n#"), *at = skip(line);
    *row = (law_row){.line = number};
    size_t length = 0;
    while (at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
        length++;
    if (length == 0 || isdigit((unsigned char)at[0]))
        return reject(error, number, line, at,
                      "a line begins with a name: name = formula, "
                      "name' = rate, name := number, a = formula");
    if (length > NAME_SIZE)
        return reject(error, number, line, at, "a name has at most 40 characters");
    memcpy(row->name, at, length);
    const char *name = at;
    at += length;
    row->kind = strcmp(row->name, "a") == 0 ? LINE_A : LINE_VARIABLE;
    if (*at == '\'') {
        row->kind = LINE_STATE;
        at++;
    } else if (strncmp(at, "(0)", 3) == 0) {
        row->kind = LINE_START;
        at += 3;
    }
    at = skip(at);
    if (at[0] == ':' && at[1] == '=' && row->kind == LINE_VARIABLE) {
        row->kind = LINE_PARAMETER;
        at++;
    }
    if (*at != '=')
        return reject(error, number, line, at < end ? at : name,
                      "an equals sign is missing: name = formula");
    at = skip(at + 1);
    if (at >= end)
        return reject(error, number, line, at > end ? end : at, "a formula is missing after =");
    row->column = (int)(at - line) + 1;
    if (!take_formula(row, at, end)) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a law");
        return false;
    }
    return true;
}

static bool read_rows(law_rows *rows, const char *text, mc_error *error)
{
    int number = 1;
    for (const char *line = text; *line; number++) {
        const char *at = skip(line);
        if (*at && *at != '\n' && *at != '#') {
            if (rows->count == LINES_MAX)
                return reject(error, number, line, at, "a law has at most 128 lines");
            if (!read_line(&rows->row[rows->count], line, number, error))
                return false;
            rows->count++;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    for (int k = 0; k < rows->count; k++)
        if (rows->row[k].kind == LINE_A)
            return true;
    mc_error_set(error, MC_BAD_INPUT, NULL, number > 1 ? number - 1 : 1, 1,
                 "the desired acceleration is missing: a = formula");
    return false;
}

// ---- as JSON ----

static const law_row *start_of(const law_rows *rows, const char *state)
{
    for (int k = 0; k < rows->count; k++)
        if (rows->row[k].kind == LINE_START && strcmp(rows->row[k].name, state) == 0)
            return &rows->row[k];
    return NULL;
}

static json_t *to_json(const law_rows *rows)
{
    json_t *law = json_object(), *parameters = json_object(), *states = json_object();
    json_t *variables = json_object();
    for (int k = 0; k < rows->count; k++) {
        const law_row *r = &rows->row[k];
        json_t *map = json_object();
        if (r->kind == LINE_PARAMETER) {
            json_object_set_new(map, "value", json_string(r->formula));
            if (r->unit[0])
                json_object_set_new(map, "unit", json_string(r->unit));
            json_object_set(parameters, r->name, map);
        } else if (r->kind == LINE_STATE) {
            const law_row *start = start_of(rows, r->name);
            json_object_set_new(map, "rate", json_string(r->formula));
            if (start)
                json_object_set_new(map, "start", json_string(start->formula));
            if (r->unit[0])
                json_object_set_new(map, "unit", json_string(r->unit));
            json_object_set(states, r->name, map);
        } else if (r->kind == LINE_VARIABLE) {
            json_object_set_new(variables, r->name, json_string(r->formula));
        } else if (r->kind == LINE_A) {
            json_object_set_new(law, "acceleration", json_string(r->formula));
        }
        json_decref(map);
    }
    json_object_set_new(law, "parameters", parameters);
    json_object_set_new(law, "states", states);
    json_object_set_new(law, "variables", variables);
    return law;
}

// ---- checked as a small scenario ----

typedef struct writer {
    bytes text;
    int line, column;
} writer;

static void put(writer *w, const char *text)
{
    bytes_put(&w->text, text, strlen(text));
    for (; *text; text++) {
        w->column++;
        if (*text == '\n')
            w->line++, w->column = 1;
    }
}

// In double quotes; what needs a backslash there is no part of a formula, and becomes '?'.
static void put_formula(writer *w, law_row *r)
{
    char one[2] = {0};
    put(w, "\"");
    r->at_line = w->line, r->at_column = w->column;
    for (const char *c = r->formula; *c; c++) {
        one[0] = *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? '?' : *c;
        put(w, one);
    }
    put(w, "\"");
}

static void put_unit(writer *w, const char *unit)
{
    if (!unit[0])
        return;
    put(w, ", unit: \"");
    for (const char *c = unit; *c; c++)
        put(w, (char[]){*c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? '?' : *c, 0});
    put(w, "\"");
}

static void put_section(writer *w, law_rows *rows, line_kind kind, const char *title)
{
    bool begun = false;
    for (int k = 0; k < rows->count; k++) {
        law_row *r = &rows->row[k];
        if (r->kind != kind)
            continue;
        if (!begun)
            put(w, title);
        begun = true;
        put(w, "        ");
        put(w, r->name);
        put(w, kind == LINE_PARAMETER ? ": {value: " : kind == LINE_STATE ? ": {rate: " : ": ");
        put_formula(w, r);
        if (kind == LINE_STATE)
            for (int i = 0; i < rows->count; i++)
                if (rows->row[i].kind == LINE_START && strcmp(rows->row[i].name, r->name) == 0) {
                    put(w, ", start: ");
                    put_formula(w, &rows->row[i]);
                    break;
                }
        if (kind != LINE_VARIABLE) {
            put_unit(w, r->unit);
            put(w, "}");
        }
        put(w, "\n");
    }
}

// A message may name another column of the same formula.
static void shift_column(mc_error *error, int by)
{
    static const char words[] = " in column ";
    char *at = strstr(error->text, words), rest[sizeof error->text];
    if (!at)
        return;
    at += sizeof words - 1;
    char *end;
    const long column = strtol(at, &end, 10);
    snprintf(rest, sizeof rest, "%s", end);
    snprintf(at, sizeof error->text - (size_t)(at - error->text), "%ld%s", column + by, rest);
}

// The place of an error in the small scenario as a place in the page's text.
static void place_back(const law_rows *rows, const char *text, mc_error *error)
{
    const law_row *best = NULL;
    for (int k = 0; k < rows->count; k++) {
        const law_row *r = &rows->row[k];
        if (r->at_line != error->line || (best && r->at_column > error->column))
            continue;
        best = r;
    }
    error->file[0] = '\0';
    error->excerpt[0] = '\0';
    error->caret = 0;
    if (!best) {
        error->line = error->column = 1;
        return;
    }
    shift_column(error, best->column - best->at_column);
    const int offset = error->column - best->at_column;
    const int length = (int)strlen(best->formula);
    error->line = best->line;
    error->column = best->column + (offset < 0 ? 0 : offset > length ? length : offset);
    for (int line = 1; line < error->line; line++)
        text += strcspn(text, "\n") + 1;
    char quoted[160];
    snprintf(quoted, sizeof quoted, "%.*s", (int)strcspn(text, "\n"), text);
    mc_error_quote(error, quoted, error->column - 1);
}

static bool check(law_rows *rows, const char *text, mc_error *error)
{
    writer w = {.line = 1, .column = 1};
    put(&w, "motorcade: scenario\ntime: {end: 1}\nmodels: {car: {}}\ncontrollers:\n  law:\n"
            "    law:\n");
    put_section(&w, rows, LINE_PARAMETER, "      parameters:\n");
    put_section(&w, rows, LINE_STATE, "      states:\n");
    put_section(&w, rows, LINE_VARIABLE, "      variables:\n");
    for (int k = 0; k < rows->count; k++)
        if (rows->row[k].kind == LINE_A) {
            put(&w, "      acceleration: ");
            put_formula(&w, &rows->row[k]);
            put(&w, "\n");
        }
    put(&w,
        "platoons: [{leader: {model: car, profile: 20}, cars: [{model: car, controller: law}]}]\n");
    bool good = !w.text.failed;
    if (!good)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a law");
    if (good) {
        mc_scenario *s = mc_scenario_parse((const char *)w.text.data, w.text.size, NULL, error);
        good = s;
        if (!good)
            place_back(rows, text, error);
        mc_scenario_free(s);
    }
    bytes_free(&w.text);
    return good;
}

json_t *law_text_read(const char *text, mc_error *error)
{
    law_rows *rows = calloc(1, sizeof *rows);
    json_t *law = NULL;
    if (!rows)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a law");
    else if (read_rows(rows, text, error) && check(rows, text, error))
        law = to_json(rows);
    if (rows)
        free_rows(rows);
    free(rows);
    return law;
}

// ---- signals ----

static bool uses(const char *formula, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = formula; (at = strstr(at, name)); at += length) {
        const char before = at > formula ? at[-1] : ' ', after = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && before != '.' &&
            !isalnum((unsigned char)after) && after != '_')
            return true;
    }
    return false;
}

static bool law_uses_name(const json_t *law, const char *name)
{
    const char *key;
    json_t *value;
    if (uses(json_string_value(json_object_get(law, "acceleration")), name))
        return true;
    json_object_foreach(json_object_get(law, "variables"), key,
                        value) if (uses(json_string_value(value), name)) return true;
    json_object_foreach(
        json_object_get(law, "states"), key,
        value) if (uses(json_string_value(json_object_get(value, "rate")), name)) return true;
    return false;
}

json_t *law_text_signals(const json_t *law)
{
    json_t *list = json_array();
    mc_law_signal signal;
    for (int k = 0; mc_law_signal_at(k, &signal); k++)
        if (law_uses_name(law, signal.name))
            json_array_append_new(list, json_string(signal.name));
    return list;
}
