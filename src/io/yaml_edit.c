// yaml_edit.c - YAML texts changed in place.
//
// The reader gives where a node begins; where it ends follows from the text: a plain scalar is its
// own text, quotes and brackets are matched, and a block ends before the first line that is not
// indented deeper than its key.
#include "io/yaml_edit.h"

#include <stdio.h>
#include <string.h>

typedef struct editor {
    const char *bytes;
    size_t length;
    const yaml_node *root;
} editor;

typedef struct span {
    size_t begin, end;
} span;

// ---- places ----

static const yaml_node *child(const yaml_node *of, const char *word, size_t n)
{
    int number = 0;
    for (const yaml_node *c = of->first; c; c = c->next, number++) {
        char index[16];
        snprintf(index, sizeof index, "%d", number);
        const char *name = of->kind == YAML_MAPPING ? c->key->text : index;
        if (strlen(name) == n && strncmp(name, word, n) == 0)
            return c;
    }
    return NULL;
}

const yaml_node *yaml_at(const yaml_node *root, const char *path)
{
    const yaml_node *at = root;
    while (at && *path) {
        const size_t n = strcspn(path, ".");
        at = child(at, path, n);
        path += n + (path[n] == '.');
    }
    return at;
}

static size_t line_at(const editor *e, int line)
{
    size_t at = 0;
    for (int k = 1; k < line && at < e->length; at++)
        k += e->bytes[at] == '\n';
    return at;
}

static size_t offset_of(const editor *e, const yaml_node *n)
{
    const size_t at = line_at(e, n->line) + (size_t)n->column - 1;
    return at < e->length ? at : e->length;
}

// ---- ends ----

// Behind the quote, bracket or brace that closes the one at `at`.
static size_t closed_at(const editor *e, size_t at)
{
    int depth = 0;
    char quote = '\0';
    for (; at < e->length; at++) {
        const char c = e->bytes[at];
        if (quote) {
            at += quote == '"' && c == '\\';
            if (c == quote)
                quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#' && at > 0 && strchr(" \n", e->bytes[at - 1])) {
            while (at + 1 < e->length && e->bytes[at + 1] != '\n')
                at++;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (c == ']' || c == '}') {
            depth--;
        }
        if (!quote && depth == 0)
            return at + 1;
    }
    return at;
}

static int indent_of(const editor *e, size_t line)
{
    int n = 0;
    while (line + (size_t)n < e->length && e->bytes[line + (size_t)n] == ' ')
        n++;
    return n;
}

static size_t next_line(const editor *e, size_t at)
{
    while (at < e->length && e->bytes[at] != '\n')
        at++;
    return at < e->length ? at + 1 : at;
}

// The first line from `at` on that is neither empty nor indented deeper; lines without content
// before it are left to what follows.
static size_t block_end(const editor *e, size_t at, int indent)
{
    size_t end = at;
    while (at < e->length) {
        const int deep = indent_of(e, at);
        const char c = at + (size_t)deep < e->length ? e->bytes[at + (size_t)deep] : '\n';
        const bool empty = c == '\n' || c == '\r' || c == '#';
        if (!empty && deep <= indent)
            break;
        at = next_line(e, at);
        end = empty ? end : at;
    }
    return end;
}

static bool is_flow(const editor *e, const yaml_node *n)
{
    return n->kind != YAML_SCALAR && offset_of(e, n) < e->length &&
           strchr("[{", e->bytes[offset_of(e, n)]);
}

static bool is_block(const editor *e, const yaml_node *n)
{
    return n->kind != YAML_SCALAR && !is_flow(e, n);
}

static size_t key_end(const editor *e, const yaml_node *key)
{
    size_t at = offset_of(e, key);
    while (at < e->length && e->bytes[at] != ':')
        at++;
    return at < e->length ? at + 1 : at;
}

// Of a value. A block begins after the colon of its key and ends with its last line.
static span span_of(const editor *e, const yaml_node *n)
{
    size_t at = offset_of(e, n);
    if (is_block(e, n)) {
        const size_t line = n->key ? line_at(e, n->key->line) : line_at(e, n->line);
        const size_t end = block_end(e, next_line(e, line), indent_of(e, line));
        return (span){n->key ? key_end(e, n->key) : at,
                      end > 0 && e->bytes[end - 1] == '\n' ? end - 1 : end};
    }
    if (is_flow(e, n))
        return (span){at, closed_at(e, at)};
    if (n->quoted && at > 0 && strchr("\"'", e->bytes[at - 1]))
        at--;
    if (n->quoted && at < e->length && strchr("\"'", e->bytes[at]))
        return (span){at, closed_at(e, at)};
    if (n->key && !n->text[0]) // a value left out
        return (span){key_end(e, n->key), key_end(e, n->key)};
    return (span){at, at + strlen(n->text)};
}

char *yaml_source(const char *bytes, size_t length, const yaml_node *n, arena *memory)
{
    const editor e = {bytes, length, NULL};
    const span at = span_of(&e, n);
    return arena_copy_text(memory, bytes + at.begin, at.end - at.begin);
}

// ---- changes ----

static char *splice(const editor *e, span out, const char *before, const char *value,
                    const char *after, arena *memory, mc_error *error)
{
    const size_t n = strlen(before) + strlen(value) + strlen(after);
    char *text = arena_alloc(memory, e->length - (out.end - out.begin) + n + 1);
    if (!text) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the changed file");
        return NULL;
    }
    memcpy(text, e->bytes, out.begin);
    snprintf(text + out.begin, n + 1, "%s%s%s", before, value, after);
    memcpy(text + out.begin + n, e->bytes + out.end, e->length - out.end);
    text[out.begin + n + e->length - out.end] = '\0';
    return text;
}

static char *add_to_flow(const editor *e, const yaml_node *map, const char *key, const char *value,
                         arena *memory, mc_error *error)
{
    char word[200];
    const size_t at = span_of(e, map).end - 1;
    snprintf(word, sizeof word, "%s%s: ", map->first ? ", " : "", key);
    return splice(e, (span){at, at}, word, value, "", memory, error);
}

static char *add_to_block(const editor *e, const yaml_node *map, const char *key, const char *value,
                          arena *memory, mc_error *error)
{
    char word[400];
    const int indent = map->first->key->column - 1;
    const size_t first = line_at(e, map->first->key->line);
    const size_t at = block_end(e, first, indent - 1);
    const bool open = at > 0 && e->bytes[at - 1] != '\n';
    snprintf(word, sizeof word, "%s%*s%s: ", open ? "\n" : "", indent, "", key);
    return splice(e, (span){at, at}, word, value, "\n", memory, error);
}

static char *remove_key(const editor *e, const yaml_node *map, const yaml_node *n, arena *memory,
                        mc_error *error)
{
    span out = {offset_of(e, n->key), span_of(e, n).end};
    if (!is_flow(e, map)) { // with its whole lines
        out.begin = line_at(e, n->key->line);
        out.end = next_line(e, out.end);
        return splice(e, out, "", "", "", memory, error);
    }
    while (out.end < e->length && strchr(" ,\n", e->bytes[out.end]))
        out.end++;
    if (e->bytes[out.end] == '}') // the last one: its comma is before it
        while (out.begin > 0 && strchr(" ,\n", e->bytes[out.begin - 1]))
            out.begin--;
    return splice(e, out, "", "", "", memory, error);
}

static const char *last_key(const char *path, char parent[400])
{
    const char *dot = strrchr(path, '.');
    snprintf(parent, 400, "%.*s", dot ? (int)(dot - path) : 0, path);
    return dot ? dot + 1 : path;
}

char *yaml_edit(const char *bytes, size_t length, const char *file, const char *path,
                const char *value, arena *memory, mc_error *error)
{
    editor e = {bytes, length, NULL};
    char parent[400];
    if (yaml_parse(bytes, length, file, memory, &e.root, error) != MC_OK)
        return NULL;
    const char *key = last_key(path, parent);
    const yaml_node *map = yaml_at(e.root, parent), *n = yaml_at(e.root, path);
    if (value && strchr(value, '\n')) {
        mc_error_set(error, MC_BAD_INPUT, file, 0, 0, "the value of %s has several lines", path);
        return NULL;
    }
    if (n && value)
        return splice(&e, span_of(&e, n),
                      is_block(&e, n) || (n->kind == YAML_SCALAR && !n->quoted && !n->text[0]) ? " "
                                                                                               : "",
                      value, "", memory, error);
    if (n && map && map->kind == YAML_MAPPING)
        return remove_key(&e, map, n, memory, error);
    if (!n && value && map && map->kind == YAML_MAPPING)
        return is_flow(&e, map) || !map->first ? add_to_flow(&e, map, key, value, memory, error)
                                               : add_to_block(&e, map, key, value, memory, error);
    mc_error_set(error, MC_BAD_INPUT, file, 0, 0,
                 "there is nothing at \"%.200s\"; expected a path of keys and list numbers", path);
    return NULL;
}
