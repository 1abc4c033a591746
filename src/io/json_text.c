// json_text.c - JSON read by recursive descent.
#include "io/json_text.h"

#include "base/text.h"

#include <stdbool.h>
#include <string.h>

typedef struct parser {
    const char *bytes, *file;
    size_t length, at;
    arena *memory;
    int nodes, depth;
    mc_error *error;
    mc_status status;
} parser;

static void *reject(parser *p, const char *what)
{
    if (p->status == MC_OK)
        p->status =
            mc_error_set(p->error, MC_BAD_INPUT, p->file, 0, 0, "JSON, byte %zu: %s", p->at, what);
    return NULL;
}

static void *no_memory(parser *p)
{
    if (p->status == MC_OK)
        p->status = mc_error_set(p->error, MC_NO_MEMORY, p->file, 0, 0, "no memory for its JSON");
    return NULL;
}

static int peek(parser *p)
{
    while (p->at < p->length && p->bytes[p->at] && strchr(" \t\r\n", p->bytes[p->at]))
        p->at++;
    return p->at < p->length ? (unsigned char)p->bytes[p->at] : -1;
}

static int hex4(const parser *p, size_t at)
{
    int value = 0;
    for (size_t k = at; k < at + 4; k++) {
        const char c = k < p->length ? p->bytes[k] : 0;
        const char *digits = "0123456789abcdef0123456789ABCDEF", *d = c ? strchr(digits, c) : NULL;
        if (!d)
            return -1;
        value = 16 * value + (int)((d - digits) % 16);
    }
    return value;
}

// The character after a backslash; the place is left on the last character of the escape.
static int escape(parser *p)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char c = p->at < p->length ? p->bytes[p->at] : 0;
    const char *found = c ? strchr(from, c) : NULL;
    if (found)
        return to[found - from];
    const int code = c == 'u' ? hex4(p, p->at + 1) : -1;
    if (code < 0) {
        reject(p, "unknown escape in a text");
        return '?';
    }
    p->at += 4;
    return code > 0 && code < 0x80 ? code : '?';
}

static const char *read_text(parser *p)
{
    const size_t begin = ++p->at;
    size_t end = begin;
    while (end < p->length && p->bytes[end] != '"' && (unsigned char)p->bytes[end] >= 0x20)
        end += p->bytes[end] == '\\' ? 2 : 1;
    if (end >= p->length || p->bytes[end] != '"')
        return reject(p, "a text without its end");
    char *out = arena_alloc(p->memory, end - begin + 1), *to = out;
    if (!out)
        return no_memory(p);
    for (; p->at < end && p->status == MC_OK; p->at++) {
        if (p->bytes[p->at] == '\\') {
            p->at++;
            *to++ = (char)escape(p);
        } else {
            *to++ = p->bytes[p->at];
        }
    }
    p->at = end + 1;
    return out;
}

static bool word(parser *p, const char *text)
{
    const size_t size = strlen(text);
    if (p->length - p->at < size || memcmp(p->bytes + p->at, text, size) != 0)
        return false;
    p->at += size;
    return true;
}

static double read_number(parser *p)
{
    char text[64];
    size_t size = 0;
    while (p->at + size < p->length && size + 1 < sizeof text && p->bytes[p->at + size] &&
           strchr("+-.eE0123456789", p->bytes[p->at + size])) {
        text[size] = p->bytes[p->at + size];
        size++;
    }
    text[size] = 0;
    double value = 0.0;
    if (size == 0 || text[0] == '+' || text[0] == '.' || !text_to_double(text, &value)) {
        reject(p, "expected a value");
        return 0.0;
    }
    p->at += size;
    return value;
}

static json_node *read_value(parser *p);

// Elements of a list or members of a map up to its end.
static void read_children(parser *p, json_node *node, char end)
{
    json_node **last = &node->first;
    p->at++;
    if (peek(p) == end) {
        p->at++;
        return;
    }
    for (;;) {
        const char *key = NULL;
        if (node->kind == JSON_MAP) {
            key = peek(p) == '"' ? read_text(p) : reject(p, "expected a key in quotes");
            if (key && (node->count >= JSON_KEYS_MAX || json_text_find(node, key)))
                reject(p, "a key given twice, or too many keys in one map");
            if (p->status == MC_OK && peek(p) != ':')
                reject(p, "expected a colon after the key");
            p->at++;
        }
        json_node *child = p->status == MC_OK ? read_value(p) : NULL;
        if (!child)
            return;
        child->key = key;
        *last = child;
        last = &child->next;
        node->count++;
        const int c = peek(p);
        if (c != ',' && c != end) {
            reject(p, "expected a comma or the end of a list or map");
            return;
        }
        p->at++;
        if (c == end)
            return;
    }
}

static json_node *read_value(parser *p)
{
    const int c = peek(p);
    if (++p->nodes > JSON_NODES_MAX)
        return reject(p, "too many values");
    if (++p->depth > JSON_DEPTH_MAX)
        return reject(p, "lists and maps nested too deep");
    json_node *node = arena_alloc(p->memory, sizeof *node);
    if (!node)
        return no_memory(p);
    *node = (json_node){.kind = JSON_NUMBER, .at = p->at, .text = ""};
    if (c == '{' || c == '[') {
        node->kind = c == '{' ? JSON_MAP : JSON_LIST;
        read_children(p, node, c == '{' ? '}' : ']');
    } else if (c == '"') {
        node->kind = JSON_TEXT;
        node->text = read_text(p);
    } else if (word(p, "true")) {
        node->kind = JSON_TRUE;
    } else if (word(p, "false")) {
        node->kind = JSON_FALSE;
    } else if (word(p, "null")) {
        node->kind = JSON_NOTHING;
    } else {
        node->number = read_number(p);
    }
    p->depth--;
    return p->status == MC_OK ? node : NULL;
}

mc_status json_text_parse(const char *bytes, size_t length, const char *file, arena *memory,
                          const json_node **root, mc_error *error)
{
    parser p = {.bytes = bytes, .file = file, .length = length, .memory = memory, .error = error};
    *root = read_value(&p);
    if (p.status == MC_OK && peek(&p) >= 0)
        reject(&p, "something after the end of the value");
    return p.status;
}

const json_node *json_text_find(const json_node *map, const char *key)
{
    for (const json_node *n = map && map->kind == JSON_MAP ? map->first : NULL; n; n = n->next)
        if (strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

const json_node *json_text_item(const json_node *list, size_t index)
{
    const json_node *n = list && list->kind == JSON_LIST ? list->first : NULL;
    for (; n && index > 0; index--)
        n = n->next;
    return n;
}
