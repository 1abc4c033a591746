// reader.c - values of YAML files.
#include "reader/reader.h"

#include "base/text.h"
#include "expr/parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- failure and memory ----

void reader_reject(reader *r, const yaml_node *node, const char *format, ...)
{
    if (r->status != MC_OK)
        return;
    char text[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->status = mc_error_set(r->error, MC_BAD_INPUT, r->file, node->line, node->column, "%s", text);
}

void reader_no_memory(reader *r)
{
    if (r->status == MC_OK)
        r->status =
            mc_error_set(r->error, MC_NO_MEMORY, r->file, 0, 0, "no memory for the %s", r->what);
}

void *reader_alloc(reader *r, int count, size_t size)
{
    void *block = arena_alloc(r->memory, (size_t)count * size);
    if (!block)
        reader_no_memory(r);
    return block;
}

// ---- unknown words ----

void reader_join(char *out, size_t size, const char *const *words, int count)
{
    out[0] = '\0';
    for (int i = 0; i < count; i++)
        snprintf(out + strlen(out), size - strlen(out), "%s%s", i ? ", " : "", words[i]);
}

// "did you mean mass?" or "expected one of: ..." after an unknown word.
static const char *hint(const reader *r, const char *word, const char *const *words, int count,
                        char out[300])
{
    const char *near = text_nearest(word, words, count);
    if (near) {
        snprintf(out, 300, "did you mean %s?", near);
    } else if (count == 0) {
        snprintf(out, 300, "the %s has none", r->what);
    } else {
        char list[260];
        reader_join(list, sizeof list, words, count);
        if (strlen(list) == sizeof list - 1) // cut off: say so
            memcpy(list + sizeof list - 4, "...", 4);
        snprintf(out, 300, "expected one of: %s", list);
    }
    return out;
}

void reader_unknown(reader *r, const yaml_node *node, const char *what, const char *const *names,
                    int count)
{
    char quote[YAML_QUOTE_SIZE], text[300];
    reader_reject(r, node, "unknown %s \"%s\"; %s", what, yaml_quote(node->text, quote),
                  hint(r, node->text, names, count, text));
}

void reader_unknown_key(reader *r, const yaml_node *key, const char *what, const char *const *words,
                        int count)
{
    char quote[YAML_QUOTE_SIZE], text[300];
    reader_reject(r, key, "%s has no key \"%s\"; %s", what, yaml_quote(key->text, quote),
                  hint(r, key->text, words, count, text));
}

// ---- maps, lists, words ----

bool reader_is_empty(const yaml_node *node)
{
    return node->kind == YAML_SCALAR && node->text[0] == '\0' && !node->quoted;
}

const char *reader_found(const yaml_node *node, char out[80])
{
    char quote[YAML_QUOTE_SIZE];
    if (node->kind == YAML_SEQUENCE)
        return "a list";
    if (node->kind == YAML_MAPPING)
        return "a map";
    if (reader_is_empty(node))
        return "nothing";
    snprintf(out, 80, "\"%s\"", yaml_quote(node->text, quote));
    return out;
}

bool reader_is_map(reader *r, const yaml_node *node, const char *what, const char *const *words,
                   int count)
{
    if (r->status != MC_OK)
        return false;
    if (node->kind != YAML_MAPPING) {
        char list[300], quote[YAML_QUOTE_SIZE];
        reader_join(list, sizeof list, words, count);
        reader_reject(r, node, "found %s%s%s, expected %s as a map of keys: %s",
                      node->kind == YAML_SEQUENCE ? "a list" : "\"",
                      node->kind == YAML_SEQUENCE ? "" : yaml_quote(node->text, quote),
                      node->kind == YAML_SEQUENCE ? "" : "\"", what, list);
    }
    return r->status == MC_OK;
}

const yaml_node *reader_get(const reader *r, const yaml_node *map, const char *key)
{
    return r->status == MC_OK ? yaml_find(map, key) : NULL;
}

bool reader_is_list(reader *r, const yaml_node *node, int min, int max)
{
    if (r->status != MC_OK)
        return false;
    char expected[48], quote[YAML_QUOTE_SIZE];
    if (min == max)
        snprintf(expected, sizeof expected, "a list of %d", min);
    else if (max - min == 3) // inertia
        snprintf(expected, sizeof expected, "a list of %d or %d", min, max);
    else
        snprintf(expected, sizeof expected, "a list of %d to %d", min, max);
    if (node->kind == YAML_MAPPING)
        reader_reject(r, node, "found a map, expected %s", expected);
    else if (node->kind == YAML_SCALAR)
        reader_reject(r, node, "found \"%s\", expected %s", yaml_quote(node->text, quote),
                      expected);
    else if (node->count < min || node->count > max ||
             (max - min == 3 && node->count != min && node->count != max))
        reader_reject(r, node, "found a list of %d, expected %s", node->count, expected);
    return r->status == MC_OK;
}

const char *reader_copy(reader *r, const char *text)
{
    const char *copy = arena_copy_text(r->memory, text, strlen(text));
    if (!copy)
        reader_no_memory(r);
    return copy ? copy : "";
}

const char *reader_text(reader *r, const yaml_node *node)
{
    if (r->status != MC_OK)
        return "";
    if (node->kind != YAML_SCALAR || reader_is_empty(node)) {
        reader_reject(r, node, "found %s, expected one value",
                      node->kind == YAML_SCALAR     ? "nothing"
                      : node->kind == YAML_SEQUENCE ? "a list"
                                                    : "a map");
        return "";
    }
    return reader_copy(r, node->text);
}

int reader_choice(reader *r, const yaml_node *node, const char *const *words, int count)
{
    const char *word = reader_text(r, node);
    if (r->status != MC_OK)
        return -1;
    for (int i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    char quote[YAML_QUOTE_SIZE], list[200];
    reader_join(list, sizeof list, words, count);
    reader_reject(r, node, "found \"%s\", expected %s%s", yaml_quote(word, quote),
                  count > 1 ? "one of " : "", list);
    return -1;
}

// ---- numbers ----

static bool no_name(void *context, const char *name, expr_value *out)
{
    (void)context, (void)name, (void)out;
    return false;
}

static bool is_scalar(reader *r, const yaml_node *node)
{
    if (r->status == MC_OK && node->kind != YAML_SCALAR)
        reader_reject(r, node, "found %s, expected a number",
                      node->kind == YAML_SEQUENCE ? "a list" : "a map");
    else if (r->status == MC_OK && node->text[strspn(node->text, " \n")] == '\0')
        reader_reject(r, node, "found nothing, expected a number");
    return r->status == MC_OK;
}

bool reader_is_literal(reader *r, const yaml_node *node, expr_unit unit, double *value)
{
    bool is_number = false;
    if (!is_scalar(r, node))
        return false;
    const expr_source source = {node->text, r->file, node->line, node->column};
    r->status = expr_parse_number(&source, unit, value, &is_number, r->error);
    return r->status == MC_OK && is_number;
}

// What begins like a number but is none is explained by the reader of formulas.
static void explain(reader *r, const yaml_node *node, expr_unit unit)
{
    char quote[YAML_QUOTE_SIZE];
    if (strchr("0123456789.+-", node->text[0])) {
        expr_graph *graph = expr_graph_create();
        if (!graph) {
            reader_no_memory(r);
            return;
        }
        const expr_scope scope = {graph, r, no_name, NULL};
        const expr_source source = {node->text, r->file, node->line, node->column};
        expr_value out;
        r->status = expr_parse(&scope, &source, 1, unit, &out, r->error);
        expr_graph_destroy(graph);
    }
    reader_reject(r, node, "found \"%s\", expected a number, with a unit if it has one",
                  yaml_quote(node->text, quote));
}

double reader_literal(reader *r, const yaml_node *node, expr_unit unit)
{
    double value = 0.0;
    if (!reader_is_literal(r, node, unit, &value) && r->status == MC_OK)
        explain(r, node, unit);
    return r->status == MC_OK ? value : 0.0;
}

const char *reader_behind_number(const char *text)
{
    while (*text == ' ' || *text == '+' || *text == '-')
        text++;
    while (isdigit((unsigned char)*text) || *text == '.')
        text++;
    if ((*text == 'e' || *text == 'E') &&
        (isdigit((unsigned char)text[1]) ||
         ((text[1] == '+' || text[1] == '-') && isdigit((unsigned char)text[2])))) {
        text += 2;
        while (isdigit((unsigned char)*text))
            text++;
    }
    return text + strspn(text, " \n");
}

expr_unit reader_unit_of(const char *text, double *factor)
{
    expr_unit unit = {0};
    int bad;
    *factor = 1.0;
    if (!text[0] || !expr_unit_read(text, (int)strlen(text), &unit, factor, &bad)) {
        *factor = 1.0;
        return (expr_unit){0};
    }
    return unit;
}

// ---- quantities ----

// The SI unit of a dimension, in the notation of expr_unit_read: a usual word if there is one.
static const char *si_text(reader *r, expr_unit unit)
{
    static const char *const usual[] = {"-", "N", "N*m", "N/m", "N*s/m", "N*m*s", "Pa", "W"};
    const struct {
        const char *name;
        int power;
    } parts[] = {{"kg", unit.mass / 6}, {"m", unit.length / 6}, {"s", unit.time / 6}};
    char text[64] = "";
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        expr_unit word;
        double factor;
        int bad;
        if (expr_unit_read(usual[i], (int)strlen(usual[i]), &word, &factor, &bad) &&
            expr_unit_fits(word, unit))
            return usual[i];
    }
    for (int i = 0; i < 3; i++) {
        if (parts[i].power == 0)
            continue;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? "*" : "",
                 parts[i].name);
        if (parts[i].power != 1)
            snprintf(text + strlen(text), sizeof text - strlen(text), "^%d", parts[i].power);
    }
    const char *copy = arena_copy_text(r->memory, text, strlen(text));
    if (!copy)
        reader_no_memory(r);
    return copy ? copy : "";
}

reader_quantity reader_read_unit(reader *r, const yaml_node *node)
{
    reader_quantity out = {.value = 1.0, .text = ""};
    int bad = 0;
    if (!node)
        return out;
    const char *text = reader_text(r, node);
    char quote[YAML_QUOTE_SIZE];
    if (r->status == MC_OK &&
        !expr_unit_read(text, (int)strlen(text), &out.unit, &out.value, &bad)) {
        reader_reject(r, node, "\"%s\" is not a unit (N, kN/m, N*m*s, deg, km/h, - ...)",
                      yaml_quote(text, quote));
        return out;
    }
    out.text = out.value == 1.0 ? text : si_text(r, out.unit);
    return out;
}

reader_quantity reader_read_quantity(reader *r, const yaml_node *node, const yaml_node *unit)
{
    reader_quantity out = reader_read_unit(r, unit);
    const double factor = out.value;
    out.value = node ? reader_literal(r, node, out.unit) : 0.0;
    if (!node || r->status != MC_OK)
        return out;
    const char *written = reader_behind_number(node->text);
    size_t length = strlen(written);
    while (length > 0 && strchr(" \n", written[length - 1]))
        length--;
    if (length >= 2 && written[0] == '[' && written[length - 1] == ']') { // 3 [m]
        written++;
        length -= 2;
    }
    if (length == 0) {
        out.value *= factor;
        return out;
    }
    int bad;
    double own;
    if (!expr_unit_read(written, (int)length, &out.unit, &own, &bad))
        return out; // as an expression such as 3 (m) may have it: no dimension is known
    if (own == 1.0) {
        out.text = arena_copy_text(r->memory, written, length);
        if (!out.text) {
            reader_no_memory(r);
            out.text = "";
        }
    } else {
        out.text = si_text(r, out.unit);
    }
    return out;
}
